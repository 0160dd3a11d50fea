"""f64 functions made of basic operations, as GPUs have them: their errors, on this processor."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import pytest
from loading import load_object
from math_rows import Array, ulps
from sampling import IS_LONG

from penstock.codegen.host import host_level
from penstock.codegen.math.double_math import NAMES, definition, table_text
from penstock.codegen.objects import llvm
from penstock.codegen.writer import LLVMText

pytestmark = pytest.mark.skipif(
    host_level() < "x86-64-v3", reason="this processor has no fused multiply-add"
)

COUNT = 1 << 20 if IS_LONG else 1 << 14
# The largest errors in ulps that were found, rounded up.
BOUNDS = {
    "acos": 0.7, "acosh": 0.51, "asin": 0.7, "asinh": 0.51, "atan": 0.7, "atan2": 0.75,
    "atanh": 0.51, "cos": 0.85, "cosh": 1.3, "erf": 1.6, "erfc": 1.3, "exp2": 0.9, "expm1": 1.4,
    "log1p": 0.51, "log2": 0.51, "pow": 0.8, "sin": 0.85, "sinh": 1.8, "tan": 1.1,
}  # fmt: skip
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


# -- references in long double --------------------------------------------------------------------


def _square_exp(x: Array) -> Array:
    """exp(-x * x), where the square is computed in two parts."""
    narrow = x.astype(np.float64)
    high = narrow.astype(np.float32).astype(np.longdouble)
    low = x - high
    square = x * x
    rest = ((high * high - square) + 2 * high * low) + low * low
    return np.exp(-square) * (1 - rest)


def _erf_near(x: Array) -> Array:
    """A series of positive terms."""
    total = np.zeros_like(x)
    term = x.copy()
    for n in range(1, 120):
        total += term
        term = term * 2 * x * x / (2 * n + 1)
    return 2 / np.sqrt(np.arctan(np.longdouble(1)) * 4) * _square_exp(x) * total


def _erfc_far(x: Array) -> Array:
    """A continued fraction."""
    total = x.copy()
    for n in range(400, 0, -1):
        total = x + n / np.longdouble(2) / total
    return _square_exp(x) / (np.sqrt(np.arctan(np.longdouble(1)) * 4) * total)


def _erf(x: Array) -> Array:
    size = np.minimum(np.abs(x), 6)
    value = np.where(size < 2, _erf_near(np.minimum(size, 2)), 1 - _erfc_far(np.maximum(size, 2)))
    return np.where(np.isnan(x), x, np.copysign(value, x))


def _erfc(x: Array) -> Array:
    size = np.minimum(np.abs(x), 40)
    near = 1 - np.copysign(_erf_near(np.minimum(size, 2)), x)
    far = _erfc_far(np.maximum(size, 2))
    value = np.where(size < 2, near, np.where(x < 0, 2 - far, far))
    return np.where(np.isnan(x), x, value)


REFERENCES: dict[str, Callable[..., Array]] = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh,
    "atan": np.arctan, "atan2": np.arctan2, "atanh": np.arctanh, "cos": np.cos, "cosh": np.cosh,
    "erf": _erf, "erfc": _erfc, "exp2": np.exp2, "expm1": np.expm1, "log1p": np.log1p,
    "log2": np.log2, "pow": np.power, "sin": np.sin, "sinh": np.sinh, "tan": np.tan,
}  # fmt: skip


def samples(name: str) -> list[Sequence[Array]]:
    """Arguments of every size, of the interesting range, near 1, and special ones."""
    random = np.random.default_rng(7)

    def patterns() -> Array:
        return random.integers(0, 1 << 64, COUNT, dtype=np.uint64).view(np.float64)

    normal = random.normal(size=COUNT)
    if name in ("atan2", "pow"):
        both = np.meshgrid(SPECIAL, SPECIAL)
        return [
            (patterns(), patterns()),
            (np.exp(3 * normal), random.normal(size=COUNT) * 100),
            (1 + 1e-3 * normal, random.normal(size=COUNT) * 1e5),
            (random.normal(size=COUNT), normal),
            tuple(np.ascontiguousarray(each.ravel()) for each in both),
        ]
    near_one = 1 + 1e-6 * normal
    return [
        (random.uniform(*RANGES[name], COUNT),), (patterns(),), (normal,), (1e-2 * normal,),
        (near_one,), (SPECIAL,),
    ]  # fmt: skip


@pytest.mark.numbers
@pytest.mark.parametrize("name", NAMES)
def test_errors(name: str) -> None:
    for arguments in samples(name):
        with np.errstate(all="ignore"):
            exact = REFERENCES[name](*(x.astype(np.longdouble) for x in arguments))
        errors = ulps(compiled(name)(*arguments), exact)
        place = int(errors.argmax())
        assert errors[place] <= BOUNDS[name], [float(x[place]) for x in arguments]


def test_every_function_has_a_bound() -> None:
    assert set(BOUNDS) == set(NAMES) == set(REFERENCES)
    assert max(BOUNDS.values()) <= 2
