"""Activation checkpointing: gradients compute ops again, with the same bits and less memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.job import Watchable
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.passes.manager import run_pipeline

X = np.random.default_rng(0).normal(size=(16, 8)).astype(np.float32)
START = flow.random_normal_initializer(stddev=0.1, seed=3)


def layer(x: Any, name: str) -> Any:
    """Wide inside: its inner values take more memory than its result."""
    wide = flow.layers.dense(x, 32, flow.math.tanh, kernel_initializer=START, name=f"{name}_wide")
    wide = flow.nn.dropout(flow.math.exp(wide), 0.2, seed=5)
    back = flow.layers.dense(flow.math.tanh(wide), 8, kernel_initializer=START, name=f"{name}_back")
    return flow.math.add(x, back, name=f"{name}_sum")


def trained(checkpointing: bool, layers: int = 4, steps: int = 2) -> tuple[Any, list[bytes]]:
    """The job, and its losses and variables after some steps."""
    flow.clear_default_session()

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((16, 8))) -> tp.Numpy:
        for number in range(layers):
            with flow.experimental.scope.config(checkpointing=checkpointing):
                x = layer(x, f"layer{number}")
        loss = flow.math.reduce_mean(flow.math.square(x))
        flow.optimizer.SGD(lr=0.1, momentum=0).minimize(loss)
        return loss

    found = [train(X).tobytes() for _ in range(steps)]
    variables = sorted(flow.get_all_variables().items())
    return train, found + [value.numpy().tobytes() for _, value in variables]


def arena(job: Any) -> int:
    size: int = job.lower().memory().arena
    return size


def test_bits_are_the_same_and_the_arena_is_smaller() -> None:
    usual, found = trained(False)
    most = arena(usual)
    less, others = trained(True)
    assert others == found
    assert arena(less) < 0.5 * most
    grad = less.lower().as_text("grad")
    assert grad.count("job.again = 3") > 4
    assert "job.recompute" not in grad
    assert "job.gradient_of" not in grad
    again = [item for item in less.lower().cost().ops if item.op.endswith(" again")]
    assert len(again) == grad.count("job.again")


def test_segments_on_ranks_compute_the_same() -> None:
    _, found = trained(False, 2, 1)
    flow.clear_default_session()
    flow.config.cpu_device_num(2)
    split = []
    for checkpointing in (False, True):
        job, values = trained(checkpointing, 2, 1)
        split.append(values)
        assert ("job.again" in job.lower().as_text("placed")) == checkpointing
    assert split[0] == split[1]
    whole, other = (np.frombuffer(values[0], np.float32) for values in (found, split[1]))
    np.testing.assert_allclose(other, whole, rtol=1e-5)


def test_watch_points_are_not_repeated() -> None:
    labels = []
    for checkpointing in (False, True):
        module = parse_module(trained(checkpointing, 2, 0)[0].lower().as_text("job"))
        run_pipeline(module, "mark-blobs,autodiff,mark-blobs{every=true},recompute")
        labels.append([op.label for op in module.job.body if isinstance(op, Watchable)])
        assert ("job.again" in print_module(module)) == checkpointing
    assert sorted(labels[0]) == sorted(labels[1])
    assert len(set(labels[1])) == len(labels[1]) > 50


PROGRAM = """
module @m attributes {job.type = "train"} {
  func.func @m(%x: tensor<2xf32>, %w: tensor<2xf32> {job.variable = "w"}) -> tensor<2xf32> {
    %a = "flow.exp"(%x) {job.recompute = 0} : (tensor<2xf32>) -> tensor<2xf32>
    %b = "flow.tanh"(%a) {job.recompute = 0} : (tensor<2xf32>) -> tensor<2xf32>
    %c = "flow.multiply"(%b, %w) {job.recompute = 0} : (tensor<2xf32>, tensor<2xf32>)
      -> tensor<2xf32>
    %d = "flow.relu"(%c) : (tensor<2xf32>) -> tensor<2xf32>
    %dw = "flow.multiply"(%b, %d) {job.gradient_of = 0} : (tensor<2xf32>, tensor<2xf32>)
      -> tensor<2xf32>
    func.return %dw : tensor<2xf32>
  }
}"""


def ops_of(module: Module) -> list[str]:
    return [op.name for op in module.job.body]


def test_only_what_gradients_read_is_computed_again() -> None:
    module = parse_module(PROGRAM)
    run_pipeline(module, "recompute,cse,dce")
    names = ops_of(module)
    assert names.index("flow.relu") < names.index("flow.exp", 2)
    assert names[-4:] == ["flow.exp", "flow.tanh", "flow.multiply", "func.return"]
    assert print_module(module).count("job.again = 0") == 2
    before = print_module(module)
    run_pipeline(module, "recompute")
    assert print_module(module) == before


def test_what_other_ops_read_is_kept() -> None:
    kept = PROGRAM.replace('"flow.relu"(%c)', '"flow.relu"(%b)')
    module = parse_module(kept)
    run_pipeline(module, "recompute")
    assert "job.again" not in print_module(module)


def test_an_inner_scope_turns_it_off() -> None:
    flow.clear_default_session()

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
        w = flow.get_variable("w", (2,), initializer=flow.ones_initializer())
        config = flow.experimental.scope.config
        with config(checkpointing=True), config(checkpointing=False):
            y = flow.math.exp(flow.math.tanh(x * w))
        flow.optimizer.SGD(lr=0.1, momentum=0).minimize(y)
        return y

    assert "job.again" not in train.lower().as_text("grad")


def test_errors_name_the_line() -> None:
    with pytest.raises(TypeError, match="checkpointing of flow.experimental.scope.config"):
        flow.experimental.scope.config(checkpointing=1)  # type: ignore[arg-type]
