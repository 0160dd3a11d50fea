"""The functions that GPUs get in basic operations, run on the processor, where `exp2` is libm's."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from penstock.codegen import llvm, ptx
from penstock.codegen.ptx_math import FUNCTIONS, PTX
from penstock.codegen.scalar_table import TABLE
from penstock.codegen.scalars import ScalarWriter
from penstock.codegen.writer import Writer
from penstock.ir import types as ty
from penstock.ir.core import Block, Operation
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import math
from penstock.ir.dialects.func import Func
from penstock.ir.parser import parse_module

Array = np.ndarray[Any, Any]

# Largest error in units of the last place that the rows promise with an exact exp2.
CASES: dict[str, tuple[type[Operation], Callable[[Array], Array], tuple[float, float], float]] = {
    "exp": (math.Exp, np.exp, (-103.0, 88.7), 2.0),
    "log": (math.Log, np.log, (1e-45, 3e38), 1.0),
    "tanh": (math.Tanh, np.tanh, (-12.0, 12.0), 1.5),
}
SPECIAL = np.array(
    [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 1.2e-38, 3.4e38, -3.4e38, 1e4],
    np.float32,
)


def apply_row(cls: type[Operation], call_entry: Callable[..., None], x: Array) -> Array:
    """The op by its row for GPUs, on an aligned array, compiled for the processor."""
    block = Block([ty.f32])
    op = cls(block.arguments, [ty.f32])
    writer = Writer()
    writer.line("define void @job(ptr %context, ptr %arguments) {\nentry:")
    writer.line("  %slot = getelementptr ptr, ptr %arguments, i64 1")
    writer.line("  %from = load ptr, ptr %arguments")
    writer.line("  %to = load ptr, ptr %slot\n  br label %loop\nloop:")
    writer.line("  %i = phi i64 [ 0, %entry ], [ %j, %loop ]")
    writer.line("  %p = getelementptr float, ptr %from, i64 %i")
    writer.line("  %q = getelementptr float, ptr %to, i64 %i\n  %x = load float, ptr %p")
    value = ScalarWriter(writer, PTX).emit(op, ["%x"])
    writer.line(f"  store float {value}, ptr %q\n  %j = add i64 %i, 1")
    writer.line(f"  %more = icmp slt i64 %j, {x.size}")
    writer.line("  br i1 %more, label %loop, label %end\nend:\n  ret void\n}")
    loaded = llvm.load_object(llvm.compile_object(writer.text()), "job")
    result = np.empty_like(x)
    call_entry(loaded.address, [x, result])
    return result


@pytest.mark.parametrize("name", CASES)
def test_accuracy(name: str, call_entry: Callable[..., None]) -> None:
    cls, reference, (low, high), bound = CASES[name]
    random = np.random.default_rng(7)
    if name == "log":
        x = np.exp2(random.uniform(-149, 128, 200_000)).astype(np.float32)
        x = np.concatenate([x, random.uniform(0.5, 2.0, 200_000).astype(np.float32)])
    else:
        x = random.uniform(low, high, 200_000).astype(np.float32)
        x = np.concatenate([x, random.uniform(-1, 1, 200_000).astype(np.float32)])
    got = apply_row(cls, call_entry, x).astype(np.float64)
    exact = reference(x.astype(np.float64))
    unit = np.spacing(np.abs(exact).astype(np.float32)).astype(np.float64)
    finite = np.isfinite(exact.astype(np.float32)) & np.isfinite(got)
    assert finite.mean() > 0.99
    assert np.max(np.abs(got - exact)[finite] / unit[finite]) <= bound


@pytest.mark.parametrize("name", CASES)
def test_special_values(name: str, call_entry: Callable[..., None]) -> None:
    cls, reference, _, _ = CASES[name]
    got = apply_row(cls, call_entry, SPECIAL)
    with np.errstate(all="ignore"):
        want = reference(SPECIAL.astype(np.float64)).astype(np.float32)
    np.testing.assert_allclose(got, want, rtol=3e-7)
    known = ~np.isnan(want)
    np.testing.assert_array_equal(np.signbit(got)[known], np.signbit(want)[known])


def group(body: str, element: str = "f32") -> Func:
    """A group of one op on each element of `x`."""
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


UNARY = sorted(
    {key.partition(" ")[0] for key in PTX if key.startswith("math.")} - {"math.fma", "math.powf"}
)


@pytest.mark.parametrize("name", UNARY)
def test_every_function_with_a_row_survives_llvm(name: str) -> None:
    """LLVM ends the process where a target lacks a function, so this is a test that ends at all."""
    text = ptx.emit_ptx(group(f"%v = {name} %a : f32"))
    assert "call" not in text
    assert ".extern" not in text


@pytest.mark.parametrize(
    "name", sorted({key for key in TABLE if key.startswith("math.")} - set(UNARY) - {"math.fma"})
)
def test_a_function_without_a_row_is_an_error_at_the_op(name: str) -> None:
    operands = "%a, %a" if name == "math.powf" else "%a"
    with pytest.raises(IRError, match=f"user.py:3: error: {name}: there is no code for it on GPU"):
        ptx.emit_ptx(group(f'%v = {name} {operands} : f32 loc("user.py":3:1)'))


@pytest.mark.parametrize("name", sorted(key.partition(" ")[0] for key in FUNCTIONS))
def test_functions_of_f32_are_not_for_f64(name: str) -> None:
    with pytest.raises(IRError, match="there is no code for it from f64 to f64 on this target"):
        ptx.emit_ptx(group(f"%v = {name} %a : f64", "f64"))
    assert "ex2.approx" in ptx.emit_ptx(group("%v = math.exp %a : f16", "f16"))
