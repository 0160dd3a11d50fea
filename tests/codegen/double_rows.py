"""f64 functions of `penstock.codegen.math.double_math` on arrays, and arguments to try them on."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from loading import load_object
from math_rows import Array

from penstock.codegen.math.double_math import definition, table_text
from penstock.codegen.objects import llvm
from penstock.codegen.writer import LLVMText

RANGES = {
    "acos": (-1, 1), "acosh": (1, 9), "asin": (-1, 1), "asinh": (-9, 9), "atan": (-9, 9),
    "atanh": (-1, 1), "cos": (-30, 30), "cosh": (-711, 711), "erf": (-6, 6), "erfc": (-6, 26.5),
    "exp2": (-1080, 1026), "expm1": (-40, 710), "log1p": (-1, 4), "log2": (0, 4),
    "sin": (-30, 30), "sinh": (-711, 711), "tan": (-30, 30),
}  # fmt: skip
SPECIAL = np.array(
    [0.0, 1.0, 2.0, 3.0, 0.5, 1.5, 5e-324, 1e-310, 2.2e-308, 1e-20, 1e-9, 0.1, 1 - 2**-53,
     1 + 2**-52, 10.0, 26.5, 709.7, 709.8, 710.4, 745.1, 1e10, 1e22, 1e300, 1.797e308, np.inf,
     np.nan],
)  # fmt: skip
SPECIAL = np.concatenate([SPECIAL, -SPECIAL])

_INTRINSICS = """
declare double @llvm.fma.f64(double, double, double)
declare double @llvm.fabs.f64(double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.floor.f64(double)
"""


@cache
def compiled(name: str) -> Callable[..., Array]:
    """The function on arrays."""
    count = 2 if name in ("atan2", "pow") else 1
    pointers = "".join(f"ptr %p{i}, " for i in range(count))
    loads = "".join(
        f"%q{i} = getelementptr double, ptr %p{i}, i64 %i\n%a{i} = load double, ptr %q{i}\n"
        for i in range(count)
    )
    taken = ", ".join(f"double %a{i}" for i in range(count))
    text = f"""
{table_text()}
{definition(name)}
define void @f({pointers}ptr %o, i64 %n) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  {loads}
  %r = call double @penstock_{name}({taken})
  %q = getelementptr double, ptr %o, i64 %i
  store double %r, ptr %q
  %j = add i64 %i, 1
  %more = icmp slt i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}}
{_INTRINSICS}"""
    loaded = load_object(llvm.compile_object(LLVMText(text, ()), "x86-64-v3"), "f")
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * (count + 1), ctypes.c_int64)(loaded.address)

    def apply(*arrays: Array) -> Array:
        result = np.empty_like(arrays[0])
        call(*(a.ctypes.data for a in (*arrays, result)), result.size)
        assert loaded.address
        return result

    return apply


def samples(name: str, count: int) -> list[Sequence[Array]]:
    """Arguments of every size, of the interesting range, near 1, and special ones."""
    random = np.random.default_rng(7)

    def patterns() -> Array:
        return random.integers(0, 1 << 64, count, dtype=np.uint64).view(np.float64)

    normal = random.normal(size=count)
    if name in ("atan2", "pow"):
        both = np.meshgrid(SPECIAL, SPECIAL)
        return [
            (patterns(), patterns()),
            (np.exp(3 * normal), random.normal(size=count) * 100),
            (1 + 1e-3 * normal, random.normal(size=count) * 1e5),
            (random.normal(size=count), normal),
            tuple(np.ascontiguousarray(each.ravel()) for each in both),
        ]
    near_one = 1 + 1e-6 * normal
    return [
        (random.uniform(*RANGES[name], count),), (patterns(),), (normal,), (1e-2 * normal,),
        (near_one,), (SPECIAL,),
    ]  # fmt: skip
