"""Every named value can be watched, even if fusion removed it; nothing else changes."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from loops_interpreter import run_job
from random_parts import parts_of
from tensor_programs import (
    Array,
    Program,
    arguments,
    expected,
    in_order,
    lowered,
    named_inputs,
    same_bits,
)

from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import func, job, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify
from penstock.lowering.modules import PIPELINES, pipeline_of
from penstock.passes.fusion.outline import structure
from penstock.passes.manager import run_pipeline


def program(seed: int) -> Module:
    """A random job whose values all have names."""
    module = Program(seed).written(random.Random(seed).randint(3, 40))
    for number, op in enumerate(module.job.body):
        for result in op.results:
            result.name = f"v{number}"
    return module


TAPPED = pipeline_of("fused", tapped=True)


def marked(module: Module) -> Module:
    return lowered(module, "mark-blobs")


def assert_same(got: Sequence[tuple[str, Array]], wanted: Sequence[tuple[str, Array]]) -> None:
    """The same names, each once, with the same values except for the order of sums.

    Sums have at most 400 terms in f64, with a few f32 additions before widening.
    """
    assert sorted(name for name, _ in got) == sorted(name for name, _ in wanted)
    arrays = dict(got)
    for name, array in wanted:
        scale = np.abs(array[np.isfinite(array)]).max(initial=0)
        assert arrays[name].dtype == array.dtype
        np.testing.assert_allclose(arrays[name], array, 1e-6, 1e-6 * scale, err_msg=name)


def kernels(module: Module) -> list[object]:
    """The kernels of a job at stage `fused`, in order, without those of branches for taps."""
    functions = {f.sym_name: f for f in module.functions()}
    calls = (op for op in module.job.body if isinstance(op, func.Call))
    return [structure(functions[call.callee]) for call in calls]


def copies(module: Module) -> int:
    return sum(op.name == "memref.copy" for op in module.job.body)


@pytest.mark.parametrize("start", parts_of(40, 10))
def test_every_value_is_shown_and_the_job_is_the_same(start: int) -> None:
    computed = 0
    for seed in range(start, start + 10):
        module = program(seed)
        arrays = arguments(module, seed)
        _, watched = in_order(marked(module), arrays)
        plain = lowered(module, PIPELINES["fused"])
        tapped = lowered(marked(module), TAPPED)
        verify(tapped)
        assert print_module(parse_module(print_module(tapped))) == print_module(tapped)
        assert kernels(tapped) == kernels(plain), seed
        assert_same(expected(tapped, arrays)[1], watched)
        computed += sum(isinstance(op, scf.If) for op in tapped.job.body)

        loops, other = (lowered(each, PIPELINES["loops"]) for each in (tapped, plain))
        verify(loops)
        assert copies(loops) == copies(other)
        counts: tuple[list[str], list[str]] = ([], [])
        shown: list[tuple[str, Array]] = []
        passed = named_inputs(module, arrays)
        plain_results = run_job(other, passed, kernels=counts[1])
        everything = run_job(loops, passed, lambda name, array, to=shown: to.append((name, array)))
        assert_same(shown, watched)
        silent = run_job(loops, passed, kernels=counts[0])
        assert len(counts[0]) == len(counts[1]), "something runs though nobody listens"
        for name, array in plain_results.items():
            assert same_bits(everything[name], array)
            assert same_bits(silent[name], array)
    assert computed > 20


@pytest.mark.parametrize("seed", [3, 14, 15])
def test_each_value_alone(seed: int) -> None:
    module = program(seed)
    arrays = arguments(module, seed)
    results, watched = in_order(marked(module), arrays)
    loops = lowered(marked(module), TAPPED + PIPELINES["loops"])
    for name, array in watched:
        shown: list[tuple[str, Array]] = []
        got = run_job(
            loops, named_inputs(module, arrays),
            lambda n, array, to=shown: to.append((n, array)), listening={name},
        )  # fmt: skip
        assert_same(shown, [(name, array)])
        assert all(same_bits(got[key], value) for key, value in results.items())


NET = """
func.func @net(%x: tensor<4x6xf32> {job.feed = "x"}, %w: tensor<6x5xf32> {job.variable = "w"})
    -> (tensor<4x5xf32> {job.fetch = "0"}, tensor<6x5xf32> {job.update = "w"}) {
  %h = "flow.matmul"(%x, %w) {transpose_a = false, transpose_b = false}
    : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32> loc("net.py":7:0)
  %y = "flow.relu"(%h) : (tensor<4x5xf32>) -> tensor<4x5xf32> loc("net.py":8:0)
  %v = "flow.negative"(%w) : (tensor<6x5xf32>) -> tensor<6x5xf32> loc("net.py":9:0)
  %new = "flow.exp"(%v) : (tensor<6x5xf32>) -> tensor<6x5xf32> loc("net.py":9:0)
  func.return %y, %new : tensor<4x5xf32>, tensor<6x5xf32>
}
"""


def taps(module: Module) -> dict[str, str]:
    """How each value reaches its tap, at stage `loops`."""
    last = module.job.argument_attributes(len(module.job.arguments) - 1)["job.taps"]
    entries = [dict(item.items) for item in last.items]  # type: ignore[attr-defined]
    return {e["name"].value: e["how"].value if "how" in e else "kept" for e in entries}


def test_stored_and_recomputed_blobs() -> None:
    loops = lowered(marked(parse_module(NET)), TAPPED + PIPELINES["loops"])
    assert taps(loops) == {
        "x": "kept", "w": "kept", "y": "kept", "new": "kept",
        "h": "recomputed by matmul_0", "v": "recomputed by negative_0",
    }  # fmt: skip


def test_an_updated_variable_is_shown_before_and_after() -> None:
    """`v` is computed from the old `w`, and the new value is still in place."""
    loops = lowered(marked(parse_module(NET)), TAPPED + PIPELINES["loops"])
    assert copies(loops) == 0
    order = [op.callee for op in loops.job.body if isinstance(op, func.Call)]
    guarded = [
        op.callee for branch in loops.job.body if isinstance(branch, scf.If)
        for op in branch.then_block if isinstance(op, func.Call)
    ]  # fmt: skip
    assert [name.split("_")[0] for name in order] == ["matmul", "negative"]
    assert "negative_0" in guarded


def test_no_value_is_marked_twice_and_other_watches_stay() -> None:
    module = parse_module(
        NET.replace("%v =", '"job.watch"(%y) {name = "y"} : (tensor<4x5xf32>) -> ()\n  %v =')
    )
    once = lowered(module, "mark-blobs")
    twice = lowered(module, "mark-blobs,mark-blobs")
    assert print_module(once) == print_module(twice)
    labels = [op.label for op in once.job.body if isinstance(op, job.Watch | job.Watchable)]
    assert sorted(labels) == ["h", "new", "v", "w", "x", "y"]


def test_a_second_copy_keeps_its_operands() -> None:
    """The first copy removed `%u` from the job; the second must still find its other operands."""
    module = parse_module(
        """
func.func @f(%x: tensor<4x6xf32> {job.feed = "x"}) -> (tensor<4x6xf32> {job.fetch = "0"}) {
  %u = "flow.reduce_sum"(%x) {axes = array<i64: 1>, keepdims = false}
    : (tensor<4x6xf32>) -> tensor<4xf32>
  %a = "flow.exp"(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %b = "flow.negative"(%a) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  func.return %b : tensor<4x6xf32>
}
"""
    )
    once = "lower,copy-blobs,outline-groups,tap-blobs"
    twice = once.replace("copy-blobs", "copy-blobs,mark-blobs,copy-blobs")
    arrays = arguments(module, 1)
    _, watched = expected(lowered(marked(module), once), arrays)
    _, again = expected(lowered(marked(module), twice), arrays)
    assert dict(watched).keys() == dict(again).keys() == {"x", "u", "a", "b"}
    for name, array in again:
        np.testing.assert_array_equal(array, dict(watched)[name])


WITH_UNIT_DIMS = """module attributes {job.type = "train"} {
  func.func @job(%w: tensor<2x3x2x2xf16> {job.initializer = {kind = "constant", value = 0.0},
      job.trainable = true, job.variable = "w"}, %x: tensor<1x1x8x9xf32> {job.feed = "x"},
      %v: tensor<3x1x3x3xf16> {job.feed = "v"}) {
    %a = "flow.conv_data_grad"(%w, %v) {channels_last = false, dilations = array<i64: 1, 1>,
        shape = array<i64: 2, 3, 4, 4>, strides = array<i64: 1, 1>}
        : (tensor<2x3x2x2xf16>, tensor<3x1x3x3xf16>) -> tensor<2x3x4x4xf16>
    %b = "flow.cast"(%a) {element = f32} : (tensor<2x3x4x4xf16>) -> tensor<2x3x4x4xf32>
    %c = "flow.slice"(%b) {sizes = array<i64: 1, 1, 3, 2>, starts = array<i64: 0, 0, 0, 0>,
        steps = array<i64: 2, 3, 1, 2>} : (tensor<2x3x4x4xf32>) -> tensor<1x1x3x2xf32>
    %d = "flow.conv"(%x, %c) {channels_last = false, dilations = array<i64: 1, 1>,
        strides = array<i64: 3, 3>}
        : (tensor<1x1x8x9xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x2x3xf32>
    "job.minimize"(%d) {optimizer = {kind = "adam"}, schedule = {kind = "piecewise_constant",
        boundaries = [], values = [0.1]}} : (tensor<1x1x2x3xf32>) -> ()
    func.return
  }
}"""


def test_a_value_that_lost_unit_dimensions_is_recomputed() -> None:
    """The copy keeps a cast of 3x1x3x3 where the job has one of 3x3x3."""
    passes = "mark-blobs,autodiff,place,lower,copy-blobs,drop-unit-dims,outline-groups,tap-blobs"
    verify(lowered(parse_module(WITH_UNIT_DIMS), passes))


def test_the_copy_is_removed_if_nothing_is_watchable() -> None:
    module = parse_module(NET)
    run_pipeline(module, "lower")
    before = print_module(module)
    run_pipeline(module, "copy-blobs,tap-blobs")
    assert print_module(module) == before


def with_names(names: str) -> Module:
    """The net at stage `fused`, with a branch for these names."""
    text = print_module(lowered(marked(parse_module(NET)), TAPPED))
    assert '{names = ["h"]}' in text
    return parse_module(text.replace('{names = ["h"]}', f"{{names = {names}}}"))


def test_a_branch_names_watched_blobs() -> None:
    module = with_names('["other"]')
    with pytest.raises(IRError, match="names 'other', but nothing is watched under that name"):
        run_pipeline(module, "bufferize")


def test_a_branch_names_at_least_one_blob() -> None:
    module = with_names("[]")
    with pytest.raises(IRError, match="expected at least one name, got none"):
        verify(module)
