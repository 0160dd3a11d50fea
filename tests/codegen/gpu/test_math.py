"""Every scalar op on the GPU: it compiles for each type, alone and in vectors."""

from __future__ import annotations

import re

import pytest
from gpu_modules import kernel

from penstock.codegen.gpu.assembler import assemble
from penstock.codegen.gpu.program import emit_ptx
from penstock.codegen.math.ptx_math import PTX
from penstock.codegen.math.scalar_table import TABLE
from penstock.codegen.text.parts.trees import TREES
from penstock.ir.dialects.parsing import parse_module

BINARY = ("math.powf", "math.atan2", "arith.remf")
FUNCTIONS = sorted(
    {key.partition(" ")[0] for key in TABLE if key.startswith("math.")} - {"math.fma", *TREES}
)
TYPES = ("f32", "f64", "f16", "bf16")


def test_every_op_of_the_cpu_has_a_row() -> None:
    assert {key.partition(" ")[0] for key in PTX} == {key.partition(" ")[0] for key in TABLE}


def module(name: str, element: str, lanes: int) -> str:
    """A kernel of one op on vectors, or scalars."""
    type = f"memref<256x{element}>"
    value = f"vector<{lanes}x{element}>" if lanes > 1 else element
    dialect, access = ("vector", f"{type}, {value}") if lanes > 1 else ("memref", type)
    operands = "%v, %v" if name in BINARY else "%v"
    return kernel(
        f"%t = gpu.thread_id x %n = arith.constant {lanes} : index %i = arith.muli %t, %n : index "
        f"%v = {dialect}.load %x[%i] : {access} %w = {name} {operands} : {value} "
        f"{dialect}.store %w, %x[%i] : {access}",
        arguments=f"%x: {type}",
    )


@pytest.mark.sampled
@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("name", [*FUNCTIONS, "arith.remf"])
def test_every_function_of_every_type(name: str, element: str) -> None:
    """LLVM ends its process if the GPU lacks a function."""
    for lanes in (1, 4):
        text = emit_ptx(parse_module(module(name, element, lanes)))
        assert not re.search(r"\bcall\b|\.extern|\.local", text)


@pytest.mark.parametrize("element", TYPES)
def test_ptxas_takes_them(element: str, ptxas: str) -> None:
    for name in ("math.powf", "math.sin", "math.erf", "arith.remf"):
        done = assemble(emit_ptx(parse_module(module(name, element, 1))), "sm_80", ptxas)
        assert done.usage["k"].spill_stores == 0


CASTS = [
    ("arith.sitofp", "i8"), ("arith.sitofp", "i64"), ("arith.uitofp", "i8"),
    ("arith.uitofp", "i64"),
]  # fmt: skip


@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize(("name", "source"), CASTS)
def test_casts(name: str, source: str, element: str) -> None:
    type = f"memref<32x{source}>"
    back = "arith.fptosi" if name == "arith.sitofp" else "arith.fptoui"
    text = kernel(
        f"%t = gpu.thread_id x %v = memref.load %x[%t] : {type} "
        f"%w = {name} %v : {source} to {element} %s = arith.addf %w, %w : {element} "
        f"%b = {back} %s : {element} to {source} memref.store %b, %x[%t] : {type}",
        arguments=f"%x: {type}",
    )
    assert "call" not in emit_ptx(parse_module(text))


def test_bf16_is_rounded_by_one_instruction() -> None:
    ptx = emit_ptx(parse_module(module("math.sqrt", "bf16", 4)))
    assert "cvt.rn.bf16" in ptx
