"""Graph mode: cells compiled for each form of their arguments agree with PyNative mode."""

from typing import Any

import numpy as np
import pytest

import penstock.mindspore as ms
from penstock.mindspore import Parameter, Tensor, context, jit, ms_function, nn, ops

RNG = np.random.default_rng(8)
X = RNG.normal(size=(4, 2, 6, 6)).astype(np.float32)


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(2, 3, 3, stride=2, has_bias=True)
        self.bn = nn.BatchNorm2d(3)
        self.relu = nn.ReLU()
        self.drop = nn.Dropout(0.8)
        self.flat = nn.Flatten()
        self.fc = nn.Dense(27, 2)

    def construct(self, x: Tensor) -> Any:
        return self.fc(self.flat(self.drop(self.relu(self.bn(self.conv(x))))))


@pytest.mark.parametrize("trains", [False, True])
def test_both_modes_agree(trains: bool) -> None:
    found = []
    for mode in (context.PYNATIVE_MODE, context.GRAPH_MODE):
        context.set_context(mode=mode)
        ms.set_seed(3)
        net = Net().set_train(trains)
        grad = ops.GradOperation(get_all=True, get_by_list=True)(net)
        made = [net(Tensor(X)), net(Tensor(X[:2])), *grad(Tensor(X))[0], *grad(Tensor(X))[1]]
        found.append([*(one.asnumpy() for one in made), net.bn.moving_mean.asnumpy()])
    assert (found[0][-1] != 0).any() == trains
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-6)


def test_a_change_of_mode_compiles_again() -> None:
    context.set_context(mode=context.GRAPH_MODE)
    net = nn.SequentialCell(nn.Dropout(0.5))
    compiled = ms_function(lambda x: net(x) + 0.0)
    x = Tensor(np.ones(64, np.float32))
    for call in (net, compiled):
        for trains in (False, True, False):
            net.set_train(trains)
            assert (call(x).asnumpy() == 0).any() == trains


def test_parameters_are_read_at_each_call() -> None:
    context.set_context(mode=context.GRAPH_MODE)
    layer = nn.Dense(1, 1, "ones", has_bias=False)
    assert float(layer(Tensor([[2.0]]))) == 2.0
    layer.weight.set_data(Tensor([[3.0]]))
    assert float(layer(Tensor([[2.0]]))) == 6.0


def test_a_body_changes_its_parameters_in_each_call() -> None:
    class Counter(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.count = Parameter(Tensor([0.0]), "count", requires_grad=False)

        def construct(self, x: Tensor) -> Any:
            ops.AssignAdd()(self.count, x)
            ops.assign(self.count, self.count * 2)
            return self.count + 0.0

    for mode in (context.PYNATIVE_MODE, context.GRAPH_MODE):
        context.set_context(mode=mode)
        counter = Counter()
        assert [float(counter(Tensor([1.0]))) for _ in range(3)] == [2.0, 6.0, 14.0]
        assert counter.count.asnumpy().tolist() == [14.0]


def test_tuples_keywords_and_plain_values() -> None:
    @jit
    def both(pair: Any, factor: Any, shift: Any = None) -> Any:
        first, second = pair
        made = first * factor
        return made if shift is None else (made + shift, {"second": second})

    pair = (Tensor([1.0]), Tensor([2.0]))
    assert float(both(pair, 3)) == 3.0
    first, rest = both(pair, 3, shift=Tensor([5.0]))
    assert (float(first), float(rest["second"])) == (8.0, 2.0)


def test_a_tensor_in_a_compiled_body_knows_its_form() -> None:
    seen = []

    @ms_function
    def body(x: Tensor) -> Any:
        is_tensor = isinstance(x, Tensor)
        seen.append((is_tensor, x.shape, str(x.dtype), str((x > 0).dtype), repr(x)))
        return x.reshape(-1).astype(ms.int32)

    assert body(Tensor([[1.5, 2.5]])).asnumpy().tolist() == [1, 2]
    assert seen == [(True, (1, 2), "Float32", "Bool", "Tensor(shape=[1, 2], dtype=Float32)")]


def test_the_mode_can_change_between_calls() -> None:
    layer = nn.Dense(2, 2)
    x = Tensor([[1.0, 2.0]])
    eager = layer(x).asnumpy()
    context.set_context(mode=context.GRAPH_MODE)
    np.testing.assert_allclose(layer(x).asnumpy(), eager, rtol=1e-6)


@pytest.mark.parametrize("mode", [context.PYNATIVE_MODE, context.GRAPH_MODE])
def test_a_bprop_of_numbers(mode: int) -> None:
    class Clipped(nn.Cell):
        def construct(self, x: Tensor) -> Any:
            return x * x

        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> Any:
            if dout.sum() == 0:
                return dout
            return Tensor(np.clip(2 * x.asnumpy() * dout.asnumpy(), -1, 1))

    context.set_context(mode=mode)
    cell, x = Clipped(), Tensor([0.25, 3.0])
    for function in (cell, ms_function(lambda x: cell(x))):
        assert ops.GradOperation()(function)(x).asnumpy().tolist() == [0.5, 1.0]
