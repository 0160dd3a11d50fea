"""Math functions as loops over arrays, and their errors in ulps.

As a script it tries every f32, a minute or two per function:

    python tests/codegen/math_rows.py exp log
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from loading import load_object

from penstock.codegen.llvm_types import llvm_type
from penstock.codegen.math.level_rows import ROWS
from penstock.codegen.math.scalar_table import TABLE
from penstock.codegen.math.vector_math import Table
from penstock.codegen.objects import llvm
from penstock.codegen.text.parts.scalars import ScalarWriter
from penstock.codegen.writer import LLVMText, Writer
from penstock.ir import types as ty
from penstock.ir.core import Block, Operation
from penstock.ir.dialects import arith, math
from penstock.ir.types import Type

LIBM: Table = TABLE | {f"math.{name} f64 f64": f"@{name}({{0}})" for name in ("exp", "log", "tanh")}
"""Rows that call libm in f64: the reference for f32."""

Array = np.ndarray[Any, Any]
Function = Callable[..., Array]

UNARY: dict[str, type[Operation]] = {
    "exp": math.Exp, "expm1": math.Expm1, "log": math.Log, "log1p": math.Log1p, "tanh": math.Tanh,
    "sin": math.Sin, "cos": math.Cos, "erf": math.Erf, "sqrt": math.Sqrt, "rsqrt": math.Rsqrt,
    "acos": math.Acos, "acosh": math.Acosh, "asin": math.Asin, "asinh": math.Asinh,
    "atan": math.Atan, "atanh": math.Atanh, "cosh": math.Cosh, "erfc": math.Erfc,
    "sinh": math.Sinh, "tan": math.Tan, "exp2": math.Exp2, "log2": math.Log2,
}  # fmt: skip
OPS = UNARY | {"powf": math.PowF, "atan2": math.Atan2}
EXTREMES: dict[str, type[Operation]] = {"maximumf": arith.MaximumF, "minimumf": arith.MinimumF}
_OPS = OPS | EXTREMES


def loop(name: str, width: int = 1, element: Type = ty.f32, table: Table = TABLE) -> LLVMText:
    """`f(operands, result, count)`: the op over arrays, `width` elements at a time."""
    count = len(_OPS[name].definition.operands)
    type = element if width == 1 else ty.VectorType((width,), element)
    kind, step, writer = llvm_type(type), llvm_type(element), Writer()
    arguments = "".join(f"ptr noalias %a{i}, " for i in range(count))
    writer.line(f"define void @f({arguments}ptr noalias %o, i64 %n) {{\nentry:\n  br label %loop")
    writer.line("loop:\n  %i = phi i64 [ 0, %entry ], [ %j, %loop ]")
    for i in range(count):
        writer.line(f"  %p{i} = getelementptr {step}, ptr %a{i}, i64 %i")
        writer.line(f"  %x{i} = load {kind}, ptr %p{i}, align {ty.byte_width(element)}")
    op = _OPS[name](Block([type] * count).arguments, [type])
    value = ScalarWriter(writer, table).emit(op, [f"%x{i}" for i in range(count)])
    writer.line(f"  %q = getelementptr {step}, ptr %o, i64 %i")
    writer.line(f"  store {kind} {value}, ptr %q, align {ty.byte_width(element)}")
    writer.line(f"  %j = add i64 %i, {width}\n  %more = icmp slt i64 %j, %n")
    writer.line("  br i1 %more, label %loop, label %end\nend:\n  ret void\n}")
    return writer.text()


def compiled(
    name: str,
    width: int = 1,
    element: Type = ty.f32,
    cpu: str | None = None,
    table: Table = TABLE,
) -> Function:
    """The op as a function of arrays whose sizes are multiples of `width`; for a level if given."""
    text = loop(name, width, element, ROWS[cpu] if cpu else table)
    loaded = load_object(llvm.compile_object(text, cpu), "f")
    count = len(_OPS[name].definition.operands) + 1
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * count, ctypes.c_int64)(loaded.address)

    def apply(*arrays: Array) -> Array:
        assert arrays[0].size % width == 0
        result = np.empty_like(arrays[0])
        call(*(a.ctypes.data for a in (*arrays, result)), result.size)
        assert loaded.address
        return result

    return apply


def ulps(got: Array, exact: Array) -> Array:
    """The errors of floats against exact values in a wider type, in ulps of the floats.

    Infinite if only one is NaN, or if two zeros differ in sign. Exact values beyond the largest
    float of the type count as infinite.
    """
    narrow, wide = got.dtype.type, exact.dtype.type
    with np.errstate(all="ignore"):
        bound = wide(2.0) ** np.finfo(narrow).maxexp
        wanted = np.clip(exact, -bound, bound)
        size = np.abs(wanted).astype(narrow)
        size = np.where(size > np.abs(wanted), np.nextafter(size, narrow(0)), size)
        found = np.clip(got.astype(wide), -bound, bound)
        error: Array = np.abs(found - wanted) / np.spacing(size)
        other = np.isnan(got) != np.isnan(exact)
        other |= (got == 0) & (exact == 0) & (np.signbit(got) != np.signbit(exact))
        return np.where(other, np.inf, np.where(np.isnan(got), 0.0, error))


def worst(function: Function, reference: Function, operands: Sequence[Array]) -> tuple[float, Any]:
    """The largest error of a function on these operands, and its index.

    The reference gets f32 as f64, and f64 as long double.
    """
    with np.errstate(all="ignore"):
        wide = np.float64 if operands[0].dtype == np.float32 else np.longdouble
        exact = reference(*(x.astype(wide) for x in operands))
    error = ulps(function(*operands), exact)
    place = int(error.argmax())
    return float(error[place]), tuple(x[place] for x in operands)


def every_float(count: int = 1 << 22) -> Iterator[Array]:
    """All f32, in arrays of `count`."""
    for start in range(0, 1 << 32, count):
        yield np.arange(start, start + count, dtype=np.uint32).view(np.float32)


def main(names: Sequence[str]) -> None:
    for name in names or UNARY:
        function, reference = compiled(name, 32), compiled(name, 1, ty.f64, table=LIBM)
        error, place = max(worst(function, reference, [x]) for x in every_float())
        print(f"{name}: at most {error:.3f} ulp, at {place[0]!r}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
