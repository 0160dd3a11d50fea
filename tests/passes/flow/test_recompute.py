"""Activation checkpointing: gradients compute ops again, with the same bits and less memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.ir.attributes import attribute, python_value
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.job import Watchable
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.passes.flow.memory_limit import MemoryModel, choose_ops
from penstock.passes.manager import run_pipeline
from penstock.reports.memory_map import memory_of
from penstock.tools import cli

X = np.random.default_rng(0).normal(size=(16, 8)).astype(np.float32)
START = flow.random_normal_initializer(stddev=0.1, seed=3)


def layer(x: Any, name: str) -> Any:
    """Wide inside: its inner values take more memory than its result."""
    wide = flow.layers.dense(x, 32, flow.math.tanh, kernel_initializer=START, name=f"{name}_wide")
    wide = flow.nn.dropout(flow.math.exp(wide), 0.2, seed=5)
    back = flow.layers.dense(flow.math.tanh(wide), 8, kernel_initializer=START, name=f"{name}_back")
    return flow.math.add(x, back, name=f"{name}_sum")


def trained(
    checkpointing: bool, layers: int = 4, steps: int = 2, ranks: int = 1
) -> tuple[Any, list[bytes]]:
    """The job, and its losses and variables after some steps."""
    flow.clear_default_session()
    flow.config.cpu_device_num(ranks)

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
    split = []
    for checkpointing in (False, True):
        job, values = trained(checkpointing, 2, 1, 2)
        split.append(values)
        assert python_value(job.lower().modules["placed"].attributes["sbp.ranks"]) == 2
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


def limited(
    limit: int | None, layers: int = 4, steps: int = 1, ranks: int = 1
) -> tuple[Any, list[bytes]]:
    """A job without marks, whose memory is limited, and its losses and variables."""
    flow.clear_default_session()
    flow.config.cpu_device_num(ranks)
    config = flow.function_config()
    if limit is not None:
        config.memory_limit(limit)

    @flow.global_function(type="train", function_config=config)
    def train(x: tp.Numpy.Placeholder((16, 8))) -> tp.Numpy:
        for number in range(layers):
            x = layer(x, f"layer{number}")
        loss = flow.math.reduce_mean(flow.math.square(x))
        flow.optimizer.SGD(lr=0.1, momentum=0).minimize(loss)
        return loss

    found = [train(X).tobytes() for _ in range(steps)]
    variables = sorted(flow.get_all_variables().items())
    return train, found + [value.numpy().tobytes() for _, value in variables]


def recomputed(job: Any) -> dict[str, Any] | None:
    found = job.lower().modules["grad"].attributes.get("job.recomputed")
    return None if found is None else dict(python_value(found))


def test_a_limit_is_met_by_as_many_copies_as_it_takes() -> None:
    free, found = limited(None, 3)
    total = free.lower().memory().total
    copies = []
    for percent in (100, 90, 65):
        limit = total * percent // 100
        tight, _ = limited(limit, 3, 0)
        facts = recomputed(tight) or {"before": 1, "after": 1, "ops": 0}
        assert tight.lower().memory().total <= limit
        assert (facts["after"] < facts["before"]) == (percent < 100)
        assert tight.lower().as_text("grad").count("job.again") == facts["ops"]
        copies.append(facts["ops"])
    assert 0 == copies[0] < copies[1] < copies[2]
    tight, others = limited(limit, 3)
    assert others == found
    assert arena(tight) < arena(free)


def test_passes_alone_go_by_an_estimate() -> None:
    module = parse_module(limited(None, 3, 0)[0].lower().as_text("job"))
    module.attributes["job.memory"] = attribute(10**9)
    run_pipeline(module, "autodiff")
    block = module.job.body
    first = next(op for op in block if "job.gradient_of" in op.attributes)
    assert first.previous is not None
    before = choose_ops(MemoryModel(block, first.previous, 1), 10**9).before
    module.attributes["job.memory"] = attribute(before * 7 // 10)
    text = print_module(module)
    run_pipeline(module, "recompute")
    facts = python_value(module.attributes["job.recomputed"])
    assert facts["after"] <= before * 7 // 10 < before == facts["before"]
    other = parse_module(text)
    other.attributes["job.memory"] = attribute(100)
    with pytest.raises(IRError, match="takes .* bytes of a rank at .* even if its gradients"):
        run_pipeline(other, "recompute")
    other = parse_module(text)
    other.attributes["job.memory_targets"] = attribute({"copies": 2.0, "parts": 0})
    with pytest.raises(IRError, match="expected {copies = 1.0, parts = 0}"):
        run_pipeline(other, "recompute")


def test_a_limit_that_cannot_be_met() -> None:
    with pytest.raises(ValueError, match="job 'train' takes") as caught:
        limited(10_000)
    text = str(caught.value)
    assert "bytes of a rank at" in text
    assert "its memory limit is 10,000: raise the limit" in text
    assert "test_recompute.py:" in text


def test_ranks_have_a_limit_each() -> None:
    free, found = limited(None, 1, 1, 2)
    total = free.lower().memory().total
    job, others = limited(total * 95 // 100, 1, 1, 2)
    assert recomputed(job) is None
    placed = job.lower().modules["placed"]
    targets = python_value(placed.attributes["job.memory_targets"])
    assert python_value(placed.attributes["sbp.machine"])["memory"] == targets["parts"]
    assert python_value(placed.attributes["sbp.plan"])["memory"] <= targets["parts"]
    for rank in range(2):
        assert taken(job._stages().for_rank(rank)) <= total * 95 // 100
    for one, other in zip(found, others, strict=True):
        pair = (np.frombuffer(values, np.float32) for values in (one, other))
        np.testing.assert_allclose(*pair, rtol=1e-5, atol=1e-8)
    # In groups of ranks that a program names, each group has the limit.
    with pytest.raises(ValueError, match="its memory limit is 1,500: raise the limit"):
        limited_groups(1_500).lower().as_text("placed")
    assert "job.memory = 900000" in limited_groups(900_000).lower().as_text("placed")


def taken(modules: Any) -> int:
    """The bytes that a step of a rank takes."""
    return memory_of(modules["loops"]).total


def limited_groups(limit: int) -> Any:
    """A job without gradients, on two groups of two ranks."""
    flow.clear_default_session()
    flow.config.cpu_device_num(4)
    config = flow.function_config()
    config.memory_limit(limit)

    @flow.global_function(function_config=config)
    def predict(x: tp.Numpy.Placeholder((16, 8))) -> tp.Numpy:
        with flow.scope.placement("cpu", "0:0-1"):
            x = layer(x, "first")
        with flow.scope.placement("cpu", "0:2-3"):
            return layer(x, "second")

    return predict


def test_why_says_what_a_limit_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job, _ = limited(24_000, 3, 0)
    grad = job._stages().with_taps(limited=True)["grad"]
    facts = python_value(grad.attributes["job.recomputed"])
    path = tmp_path / "train.pstk"
    with pytest.raises(ValueError, match="with room for what its watch points compute"):
        flow.save_artifact(path, limited(18_500, 3, 0)[0], targets=["x86-64-v2"])
    flow.save_artifact(path, job, targets=["x86-64-v2"])
    assert cli.main(["show", str(path), "--why", "*"]) == 0
    out = capsys.readouterr().out
    assert f"computed again for gradients, for a limit of memory: {facts['ops']} such ops" in out


def test_limits_are_checked() -> None:
    config = flow.function_config()
    with pytest.raises(
        TypeError, match='memory_limit takes bytes as an int, or "machine", got 1.5'
    ):
        config.memory_limit(1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="memory_limit takes at least 1 byte, got 0"):
        config.memory_limit(0)
    config.memory_limit("machine")
    assert config.clone().memory == config.memory > 1 << 20
    module = parse_module(PROGRAM)
    module.attributes["job.memory"] = attribute("much")
    with pytest.raises(IRError, match="expected the bytes that a rank may take, at least 1"):
        run_pipeline(module, "recompute")
