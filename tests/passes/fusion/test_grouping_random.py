"""Random jobs whose groups are merged wherever that is legal, whatever it costs."""

from __future__ import annotations

from typing import cast

import pytest
from loops_interpreter import run_job
from random_parts import parts_of
from tensor_programs import (
    FUSED,
    SHAPES,
    Array,
    Program,
    arguments,
    expected,
    lowered,
    named_inputs,
    same_bits,
)

from penstock.ir.core import Value
from penstock.ir.dialects import func, linalg
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.reductions import reduction
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.location import FileLocation
from penstock.ir.types import TensorType
from penstock.ir.verify.verifier import verify
from penstock.lowering.modules import PIPELINES
from penstock.passes.analysis import segments
from penstock.passes.costs import task_count
from penstock.passes.fusion import grouping, joining
from penstock.passes.manager import run_pipeline

MATRICES = ((6, 5), (5,), (6, 1))
"""Few shapes, so that many ops may share loops."""
CUBES = ((5, 5, 5), (5, 5, 5), (5, 5), (5, 5, 1), (5, 1, 5))
"""Shapes in which dimensions are easily confused."""


class TransposedProgram(Program):
    """Mostly normalizations along any axis, and transposes; the last values update variables."""

    def written(self, ops: int) -> Module:
        steps = (
            self.unary, self.binary, self.reduce, self.reduce, self.transpose, self.transpose,
            self.normalize, self.normalize, self.normalize, self.argmax,
        )  # fmt: skip
        for line in range(1, ops + 1):
            self.b.location = FileLocation("random.py", line)
            self.choose.choice(steps)()
        self.finish()
        return self.module

    def normalize(self) -> None:
        """Subtract the maximum and then a sum, as softmax does, in exact numbers."""
        x = self.pick(lambda type: type.rank > 1)
        if x is None:
            return
        axes = [self.choose.randrange(cast(TensorType, x.type).rank)]
        largest = make.op(self.b, "reduce_max", x, axes=axes, keepdims=True)
        y = make.op(self.b, "square", make.op(self.b, "subtract", x, largest))
        total = make.op(self.b, "reduce_sum", y, axes=axes, keepdims=True)
        self.add(make.op(self.b, "subtract", y, total))

    def new_value(self, variable: Value) -> Value:
        same = [value for value in self.values if value.type is variable.type]
        return same[-1] if self.choose.random() < 0.6 else super().new_value(variable)


NEVER = 1 << 40
"""The length from which sums are pairwise: never, since only sums in f64 have no visible order."""


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups share loops wherever that is legal, every loop is parallelised, and sums are in
    f64.
    """
    for module, name, value in (
        (segments, "FOLDED", 2), (segments, "UNCACHED_ELEMENTS", 8),
        (grouping, "SHARED_READ_ELEMENTS", 2), (joining, "LEAST_ROWS", 2),
        (task_count, "LOOP_SERIAL_CYCLES", 30), (task_count, "LOOP_TASK_CYCLES", 30),
        (reduction, "LEAST_NARROW_SUM", NEVER),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, value)


def groups(module: Module) -> int:
    return sum(isinstance(op, func.Call) for op in module.job.body)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("start", parts_of(160, 20))
def test_random_jobs_keep_their_meaning(start: int) -> None:
    for seed in range(start, start + 20):
        program = Program(seed, MATRICES if seed % 4 else SHAPES)
        check(seed, program.written(6 + seed % 25))


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("start", parts_of(160, 40))
def test_random_jobs_with_transposed_reads_keep_their_meaning(start: int) -> None:
    for seed in range(start, start + 40):
        check(seed, TransposedProgram(seed, CUBES).written(2 + seed % 12))


def check(seed: int, written: Module) -> None:
    """Check that the loops compute and watch what the tensor ops do, in order."""
    module = lowered(written, "lower")
    arrays = arguments(module, seed)
    after = lowered(module, FUSED.removeprefix("lower,"))
    loops = lowered(after, "bufferize")
    verify(loops)
    wanted, seen = expected(module, arrays)
    watched: list[tuple[str, Array]] = []
    got = run_job(
        loops,
        named_inputs(module, arrays),
        lambda name, a: watched.append((name, a)),
    )
    for name, array in got.items():
        assert same_bits(array, wanted[name]), (seed, name)
    assert [name for name, _ in watched] == [name for name, _ in seen]
    for (_, one), (_, other) in zip(watched, seen, strict=True):
        assert same_bits(one, other), seed


def test_groups_are_merged(eager: None) -> None:
    joined = folded = 0
    for seed in range(60):
        module = lowered(Program(seed, MATRICES).written(20), "lower,canonicalize,cse")
        before = lowered(module, "drop-unit-dims,fuse-elementwise")
        units, _ = grouping.units_of(before.job.body)
        joined += sum(
            len(unit.ops) - 1 for unit in units if isinstance(unit.ops[0], linalg.Generic)
        )
        folded += sum(len(unit.folded) for unit in units)
    assert joined > 100
    assert folded > 5


LAMB = """
module @program attributes {job.type = "train"} {
  func.func @program(
      %w: tensor<3x1x2xf32> {job.initializer = {kind = "constant", value = 0.0},
                             job.trainable = true, job.variable = "w"},
      %v: tensor<1x1x1xf32> {job.initializer = {kind = "constant", value = 0.0},
                             job.trainable = true, job.variable = "v"}) {
    %0 = "flow.expm1"(%w) : (tensor<3x1x2xf32>) -> tensor<3x1x2xf32>
    %1 = "flow.cast"(%v) {element = bf16} : (tensor<1x1x1xf32>) -> tensor<1x1x1xbf16>
    %2 = "flow.broadcast_to"(%1) {shape = array<i64: 2, 4, 5>}
        : (tensor<1x1x1xbf16>) -> tensor<2x4x5xbf16>
    %3 = "flow.cast"(%0) {element = bf16} : (tensor<3x1x2xf32>) -> tensor<3x1x2xbf16>
    %4 = "flow.pad"(%3) {after = array<i64: 1, 2, 1>, before = array<i64: 0, 0, 0>,
        inside = array<i64: 0, 0, 0>, value = 0.75} : (tensor<3x1x2xbf16>) -> tensor<4x3x3xbf16>
    %5 = "flow.conv_data_grad"(%2, %4) {channels_last = false, dilations = array<i64: 1>,
        shape = array<i64: 2, 3, 7>, strides = array<i64: 1>}
        : (tensor<2x4x5xbf16>, tensor<4x3x3xbf16>) -> tensor<2x3x7xbf16>
    "job.minimize"(%5) {optimizer = {kind = "lamb"}, schedule = {kind = "piecewise_constant",
        boundaries = [], values = [0.75]}} : (tensor<2x3x7xbf16>) -> ()
    func.return
  }
}"""


def test_groups_have_no_cyclic_dependencies() -> None:
    """A group of early and late ops delays the readers of its early ops."""
    module = parse_module(LAMB)
    run_pipeline(module, PIPELINES["grad"] + PIPELINES["placed"] + PIPELINES["fused"])
    verify(module)
