"""The functions that rows for GPUs call, as LLVM text: those of libm, and the remainder."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from penstock.codegen.math.double_math import NAMES, TABLE, definition, table_text

# The mantissa of the remainder is that of x times 2**n modulo that of y, where n is the difference
# of the exponents. A step multiplies by as many powers of two as a 64-bit integer has room for. The
# bits of the mantissa are those of a float in units of the least subnormal one, which two powers of
# two then raise. Everything is exact.
_FMOD = """\
define internal {float} @penstock_fmod{suffix}({float} %x, {float} %y) alwaysinline nounwind {
entry:
  %xb = bitcast {float} %x to {int}
  %yb = bitcast {float} %y to {int}
  %sign = and {int} %xb, {sign}
  %xa = and {int} %xb, {rest}
  %ya = and {int} %yb, {rest}
  %xbad = icmp uge {int} %xa, {inf}
  %ynan = icmp ugt {int} %ya, {inf}
  %yzero = icmp eq {int} %ya, 0
  %bad0 = or i1 %xbad, %ynan
  %bad = or i1 %bad0, %yzero
  br i1 %bad, label %invalid, label %valid
invalid:
  %product = fmul {float} %x, %y
  %nan = fdiv {float} %product, %product
  ret {float} %nan
valid:
  %small = icmp ult {int} %xa, %ya
  br i1 %small, label %whole, label %large
whole:
  ret {float} %x
large:
  %xe0 = lshr {int} %xa, {fraction}
  %ye0 = lshr {int} %ya, {fraction}
  %xf = and {int} %xa, {mask}
  %yf = and {int} %ya, {mask}
  %xsub = icmp eq {int} %xe0, 0
  %ysub = icmp eq {int} %ye0, 0
  %xn = or {int} %xf, {hidden}
  %yn = or {int} %yf, {hidden}
  %xm0 = select i1 %xsub, {int} %xf, {int} %xn
  %ym0 = select i1 %ysub, {int} %yf, {int} %yn
  %xe = select i1 %xsub, {int} 1, {int} %xe0
  %ye = select i1 %ysub, {int} 1, {int} %ye0
  %xm = {zext %xm0}
  %ym = {zext %ym0}
  %first = urem i64 %xm, %ym
  %xew = {zext %xe}
  %yew = {zext %ye}
  %n = sub i64 %xew, %yew
  br label %loop
loop:
  %m = phi i64 [ %first, %large ], [ %next, %step ]
  %left = phi i64 [ %n, %large ], [ %fewer, %step ]
  %more = icmp sgt i64 %left, 0
  br i1 %more, label %step, label %done
step:
  %many = icmp sgt i64 %left, {room}
  %by = select i1 %many, i64 {room}, i64 %left
  %shifted = shl i64 %m, %by
  %next = urem i64 %shifted, %ym
  %fewer = sub i64 %left, %by
  br label %loop
done:
  %result = {trunc %m}
  %unit = bitcast {int} %result to {float}
  %raise = sub {int} %ye, 1
  %half0 = lshr {int} %raise, 1
  %half1 = sub {int} %raise, %half0
  %biased0 = add {int} %half0, {bias}
  %biased1 = add {int} %half1, {bias}
  %field0 = shl {int} %biased0, {fraction}
  %field1 = shl {int} %biased1, {fraction}
  %factor0 = bitcast {int} %field0 to {float}
  %factor1 = bitcast {int} %field1 to {float}
  %raised = fmul {float} %unit, %factor0
  %value = fmul {float} %raised, %factor1
  %bits = bitcast {float} %value to {int}
  %signed = or {int} %bits, %sign
  %out = bitcast {int} %signed to {float}
  ret {float} %out
}
"""


def _fmod(float: str, bits: int, fraction: int, suffix: str) -> str:
    words = {
        "float": float, "int": f"i{bits}", "suffix": suffix, "sign": -(1 << (bits - 1)),
        "rest": (1 << (bits - 1)) - 1, "fraction": fraction, "mask": (1 << fraction) - 1,
        "hidden": 1 << fraction, "inf": ((1 << (bits - 1 - fraction)) - 1) << fraction,
        "room": 64 - fraction - 1, "bias": (1 << (bits - 2 - fraction)) - 1,
    }  # fmt: skip
    text = _FMOD
    for value in ("%xm0", "%ym0", "%xe", "%ye"):
        wide = f"zext i{bits} {value} to i64" if bits < 64 else f"add i64 {value}, 0"
        text = text.replace(f"{{zext {value}}}", wide)
    narrow = f"trunc i64 %m to i{bits}" if bits < 64 else "add i64 %m, 0"
    text = text.replace("{trunc %m}", narrow)
    for name, word in words.items():
        text = text.replace(f"{{{name}}}", str(word))
    return text


_INTRINSICS = ("fabs", 1), ("floor", 1), ("fma", 3), ("sqrt", 1)
"""What functions of f64 call, and the number of operands."""


@cache
def device_functions() -> dict[str, str]:
    """The definition of each function, by name."""
    return {
        "penstock_fmod": _fmod("double", 64, 52, ""),
        "penstock_fmodf": _fmod("float", 32, 23, "f"),
        **{f"penstock_{name}": definition(name) for name in NAMES},
    }


def define_called(declarations: dict[str, str], line: Callable[[str], object]) -> None:
    """Pass the lines of these functions to `line`, instead of what declares them."""
    names = [name for name in declarations if name in device_functions()]
    texts = [device_functions()[name] for name in names]
    for name in names:
        del declarations[name]
    if any(TABLE in text for text in texts):
        texts.append(table_text())
    for name, count in _INTRINSICS:
        callee = f"llvm.{name}.f64"
        if any(f"@{callee}(" in text for text in texts):
            taken = ", ".join(["double"] * count)
            declarations[callee] = f"declare double @{callee}({taken})"
    for text in texts:
        for part in text.splitlines():
            line(part)
