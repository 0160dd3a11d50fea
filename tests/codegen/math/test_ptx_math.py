"""Math functions for GPUs: every row that has one."""

import pytest

from penstock.codegen.jobs import ptx
from penstock.codegen.math.ptx_math import PTX
from penstock.codegen.math.scalar_table import TABLE
from penstock.codegen.text.parts.trees import TREES
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.parsing import parse_module


def group(body: str, element: str = "f32") -> Func:
    """A group of one elementwise op on `x`."""
    type = f"tensor<4x6x{element}>"
    text = f"""
    #id = affine_map<(d0, d1) -> (d0, d1)>
    func.func private @group_0(%x: {type}) -> {type} {{
      %e = tensor.empty() : {type}
      %r = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}}
        ins(%x : {type}) outs(%e : {type}) {{
        ^bb0(%a: {element}, %o: {element}):
          {body}
          linalg.yield %v : {element}
      }} -> {type}
      return %r : {type}
    }}
    """
    return parse_module(text).function("group_0")


# Rows for several ops are not ops.
KNOWN = {"math.fma", *TREES}
ALL = sorted({key.partition(" ")[0] for key in PTX if key.startswith("math.")} - KNOWN)


def test_every_function_has_a_row() -> None:
    assert {*ALL, *KNOWN} == {k.partition(" ")[0] for k in TABLE if k.startswith("math.")}


@pytest.mark.parametrize("name", ALL)
def test_every_function_survives_llvm(name: str) -> None:
    """LLVM aborts the process if a target lacks a function, so it is enough that this returns."""
    text = ptx.emit_ptx(group(f"%v = {name} {operands(name)} : f32"))
    assert "call" not in text
    assert ".extern" not in text


def operands(name: str) -> str:
    return "%a, %a" if name in ("math.powf", "math.atan2") else "%a"
