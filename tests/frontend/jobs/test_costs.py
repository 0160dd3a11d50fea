"""`.cost()` and `.memory()`: costs computed from shapes, and the layout of the arena."""

import json

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.cost import cost_of
from penstock.stages.job_stages import Lowered

M, K, N = 6, 20, 10


@pytest.fixture
def lowered() -> Lowered:
    flow.clear_default_session()

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((M, K))) -> tp.Numpy:
        w = flow.get_variable("w", (K, N), initializer=flow.ones_initializer())
        hidden = flow.matmul(x, w, name="hidden")
        loss = flow.math.exp(hidden, name="loss")
        scheduler = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(scheduler, momentum=0).minimize(loss)
        return loss

    return train.lower()


def test_ops(lowered: Lowered) -> None:
    costs = lowered.cost()
    products = [item.cost for item in costs.ops if item.op == "flow.matmul"]
    assert [cost.flops for cost in products] == [2 * M * N * K] * 2
    assert products[0].read == 4 * (M * K + K * N)
    assert products[0].written == 4 * M * N
    (loss,) = [item for item in costs.ops if item.op == "flow.exp"]
    assert (loss.cost.transcendentals, loss.cost.bytes) == (M * N, 8 * M * N)
    assert costs.total.flops >= 4 * M * N * K
    assert costs.total.transcendentals == M * N


def test_kernels_move_less_than_ops(lowered: Lowered) -> None:
    costs = lowered.cost()
    of_ops = sum(item.cost.bytes for item in costs.ops)
    assert 0 < sum(item.cost.bytes for item in costs.kernels) < of_ops
    fused = [item for item in costs.kernels if item.op.startswith("matmul_exp")]
    assert fused[0].cost.flops == 2 * M * N * K


def test_zeros_between_elements_are_not_counted() -> None:
    flow.clear_default_session()

    @flow.global_function()
    def grow(x: tp.Numpy.Placeholder((1, 3, 4, 5))) -> tp.Numpy:
        w = flow.get_variable("w", (3, 2, 3, 3), initializer=flow.ones_initializer())
        return flow.nn.conv2d_transpose(x, w, strides=2, output_shape=(1, 2, 9, 11))

    costs = grow.lower().cost()
    (op,) = [item.cost.flops for item in costs.ops if item.op == "flow.conv_data_grad"]
    # In each dimension, even positions have two of three taps, odd positions one.
    assert op == 2 * 3 * 2 * (5 * 2 + 4) * (6 * 2 + 5)
    assert op == sum(item.cost.flops for item in costs.kernels)


def test_lines(lowered: Lowered) -> None:
    costs = lowered.cost()
    lines = costs.lines()
    assert sum(cost.flops for cost in lines.values()) == sum(i.cost.flops for i in costs.ops)
    assert all(place.startswith(__file__) or "test_costs.py:" in place for place in lines)


def test_a_traced_job_has_ops_and_no_kernels(lowered: Lowered) -> None:
    flow.clear_default_session()

    @flow.global_function()
    def predict(x: tp.Numpy.Placeholder((M,))) -> tp.Numpy:
        return x + x

    costs = predict.trace().cost()
    assert (costs.total.flops, costs.total.bytes, costs.kernels) == (M, 8 * M, ())
    with pytest.raises(ValueError, match="stage loops comes with its lower"):
        predict.trace().memory()


def test_memory(lowered: Lowered) -> None:
    memory = lowered.memory()
    assert memory.outside["variable"]["w"] == 4 * K * N
    assert memory.outside["feed"] == {"x": 4 * M * K}
    assert len(memory.live()) == len(memory.steps)
    assert max(memory.live()) == memory.peak <= memory.arena
    for buffer in memory.buffers:
        assert 0 <= buffer.first <= buffer.last < len(memory.steps)
        assert buffer.offset + buffer.bytes <= memory.arena
    for one in memory.buffers:
        for other in memory.buffers:
            apart = one.last < other.first or other.last < one.first
            beside = one.offset + one.bytes <= other.offset
            beside |= other.offset + other.bytes <= one.offset
            assert one is other or apart or beside


def test_forms(lowered: Lowered) -> None:
    for report in (lowered.cost(), lowered.memory()):
        json.dumps(report.to_dict())
        assert "train" in str(report)
        assert report._repr_html_().count("<table>") >= 2


def test_declared_costs_equal_those_of_the_interpreter() -> None:
    """The cost of running the body: each element of a row is added once, starting at zero."""
    function = parse_module("""
      func.func @f(%x: tensor<4x8xf32>) -> tensor<4xf32> {
        %y = "flow.reduce_sum"(%x) {axes = array<i64: 1>, keepdims = false}
          : (tensor<4x8xf32>) -> tensor<4xf32>
        func.return %y : tensor<4xf32>
      }""").job
    op = function.body.first
    assert op is not None
    cost = cost_of(op)
    assert (cost.flops, cost.read, cost.written) == (32, 128, 16)


def test_views_cost_nothing() -> None:
    flow.clear_default_session()

    @flow.global_function()
    def views(x: tp.Numpy.Placeholder((M, K))) -> tp.Numpy:
        return flow.reshape(x, (K, M))

    assert views.trace().cost().total.bytes == 0
    assert views(np.ones((M, K), np.float32)).shape == (K, M)
