"""Small jobs whose ops have schedules of every kind, scheduled by the pass or by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

import penstock as flow
from penstock.ir.attributes import DictAttr, attribute, python_value
from penstock.ir.core import Operation
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.location import FileLocation
from penstock.ir.text.printer import print_module
from penstock.lowering.modules import Modules
from penstock.passes.gpu.write.schedule_data import KEY
from penstock.passes.manager import run_pipeline
from penstock.passes.pipeline import Pipeline

Array = np.ndarray[Any, Any]

JOB = """
module @job attributes {{job.type = "predict", sbp.ranks = 1 : i64}} {{
  func.func @job({arguments}) -> ({result} {{job.fetch = "0"}}) {{
    {body}
    func.return %y : {result}
  }}
}}"""
OPS: Mapping[str, tuple[str, str, str]] = {
    "softmax": (
        "6x96xf32", "6x96xf32", '%y = "flow.softmax"(%a0) {axis = 1 : i64} : (a0) -> y'
    ),
    "columns": (
        "200x64xf32", "64xf32",
        '%y = "flow.reduce_sum"(%a0) {axes = array<i64: 0>, keepdims = false} : (a0) -> y',
    ),
    "dense": (
        "24x40xf32 40x48xf32 48xf32", "24x48xf32",
        '%m = "flow.matmul"(%a0, %a1) : (a0, a1) -> y\n'
        '%s = "flow.add"(%m, %a2) : (y, a2) -> y\n'
        '%y = "flow.relu"(%s) : (y) -> y',
    ),
    "conv": (
        "2x3x8x8xf32 4x3x3x3xf32", "2x4x8x8xf32",
        '%p = "flow.pad"(%a0) {after = array<i64: 0, 0, 1, 1>, before = array<i64: 0, 0, 1, 1>, '
        "inside = array<i64: 0, 0, 0, 0>, value = 0.0 : f64} : (a0) -> tensor<2x3x10x10xf32>\n"
        '%y = "flow.conv"(%p, %a1) {channels_last = false, dilations = array<i64: 1, 1>, '
        "strides = array<i64: 1, 1>} : (tensor<2x3x10x10xf32>, a1) -> y",
    ),
    "sort": (
        "3x20xf32", "3x20xf32",
        '%y, %i = "flow.sort"(%a0) {axis = 1 : i64, descending = false} '
        ": (a0) -> (y, tensor<3x20xi32>)",
    ),
    "pool": (
        "2x3x4x4xf32", "2x3x9x9xf32",
        '%y = "flow.sum_pool_grad"(%a0) {channels_last = false, shape = array<i64: 2, 3, 9, 9>, '
        "strides = array<i64: 2, 2>, window = array<i64: 3, 3>} : (a0) -> y",
    ),
}  # fmt: skip
"""The operands' types, the result's, and the ops of each job."""


def fused(name: str) -> Module:
    """A job at stage `fused`."""
    operands, result, body = OPS[name]
    types = {f"a{i}": f"tensor<{type}>" for i, type in enumerate(operands.split())}
    arguments = ", ".join(f'%{n}: {t} {{job.feed = "{n}"}}' for n, t in types.items())
    for short, type in (types | {"y": f"tensor<{result}>"}).items():
        for before, behind in (("(", ","), ("(", ")"), (" ", ")"), (" ", ","), (" ", "\n")):
            body = f"{body}\n".replace(f"{before}{short}{behind}", f"{before}{type}{behind}")
    text = JOB.format(arguments=arguments, result=f"tensor<{result}>", body=body)
    module = parse_module(text)
    for line, op in enumerate(module.job.body, start=1):
        op.location = FileLocation("job.py", line)
    return cast(Module, Modules("job", module)["fused"].clone())


def scheduled(name: str, target: str = "sm_80") -> Module:
    """A job at stage `scheduled`."""
    module = fused(name)
    run(module, f"schedule{{target={target}}}")
    return module


def run(module: Module, pipeline: str) -> None:
    """Run passes on a module, and verify it."""
    run_pipeline(module, Pipeline.parse(pipeline), reproduce=False)


def lower(module: Module) -> None:
    """Lower a scheduled job to stage `gpu`."""
    run(module, "bufferize{target=sm_80}")


def ops_of(module: Module) -> list[Operation]:
    """The ops that have a schedule, in order."""
    return [op for op in module.walk() if KEY in op.attributes]


def schedule(op: Operation) -> dict[str, Any]:
    """What the schedule of an op says."""
    given = op.attributes[KEY]
    assert isinstance(given, DictAttr)
    found: dict[str, Any] = python_value(given)
    return found


def run_simulated(module: Module, arrays: Sequence[Array]) -> Array:
    """The result of a scheduled job on the simulated GPU."""
    placed = cast(Module, module.clone())
    placed.attributes["job.device"] = attribute("gpu-sim 0:0")
    return np.asarray(flow.compile(print_module(placed))(*arrays))


def operands(name: str) -> list[Array]:
    """Arrays for a job, the same in every run."""
    draw = np.random.default_rng(0)
    shapes = [list(map(int, type.split("x")[:-1])) for type in OPS[name][0].split()]
    return [draw.standard_normal(shape).astype(np.float32) for shape in shapes]


def edit(op: Operation, **changes: Any) -> None:
    """Change entries of an op's schedule; None removes one."""
    found = schedule(op) | changes
    op.attributes[KEY] = attribute({k: v for k, v in found.items() if v is not None})
