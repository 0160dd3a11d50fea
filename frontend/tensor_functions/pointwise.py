"""Elementwise functions: those of a single op, made from a table, and compositions of ops."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, Protocol, overload

import numpy as np

from penstock.basics.checks import check_number, is_integer
from penstock.basics.dtypes import DType, int64
from penstock.basics.errors import kind_of, located
from penstock.functions import ops
from penstock.ir.dialects.flow.elementwise import Binary, Unary
from penstock.tensor_functions.calls import as_type, either, fast, given, op, pair, remembered
from penstock.tensors.execute import cast_to
from penstock.tensors.promotion import common_type, plain_type, scalar
from penstock.tensors.tensor import Tensor, TensorT, check_tensor, wrap
from penstock.trace.blob import Blob, check_blob
from penstock.trace.thin import public_ops, summary
from penstock.trace.tracing import active_trace


class Function(Protocol):
    """An elementwise function: of blobs it gives blobs, of tensors tensors."""

    @overload
    def __call__(self, input: TensorT, *others: Any, **named: Any) -> TensorT: ...
    @overload
    def __call__(self, input: Any, *others: Any, **named: Any) -> Tensor: ...


UNARY = public_ops("flow", Unary) | {
    "absolute": "flow.abs", "arccos": "flow.acos", "arccosh": "flow.acosh", "arcsin": "flow.asin",
    "arcsinh": "flow.asinh", "arctan": "flow.atan", "arctanh": "flow.atanh", "neg": "flow.negative",
    "round": "flow.rint", "isnan": "flow.is_nan", "isinf": "flow.is_inf",
    "isfinite": "flow.is_finite",
}  # fmt: skip
"""Public names of unary functions, and their ops."""

_ROUNDING = ("ceil", "floor", "round")
"""Functions that leave integers as they are; as floats these would lose digits."""

_FINITE = {"isnan": "flow.not_equal", "isinf": "flow.not_equal", "isfinite": "flow.equal"}
"""Functions of which each integer gives the same, and the op that says so."""

BINARY = public_ops("flow", Binary) | {
    "mul": "flow.multiply", "sub": "flow.subtract", "eq": "flow.equal", "ne": "flow.not_equal",
    "gt": "flow.greater", "ge": "flow.greater_equal", "lt": "flow.less", "le": "flow.less_equal",
    "arctan2": "flow.atan2", "true_divide": "flow.divide", "remainder": "flow.floor_mod",
}  # fmt: skip
"""Public names of binary functions, and their ops; one operand may be a number."""


def _named(function: Any, name: str, named: str) -> Function:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{summary(named)}\n\nShapes, element types and the gradient are {named}'s."
    made: Function = function
    return made


def unary(name: str) -> Function:
    """`f(input)`"""
    named = UNARY[name]
    native = fast(named, 1)

    def function(input: Tensor) -> Tensor:
        made: Tensor = native.call(input)
        if made is not NotImplemented:
            return made
        x = given(input, f"flow.{name}")
        if name in _ROUNDING and not x.dtype.is_float:
            return op("flow.identity", x)
        if name in _FINITE and not x.dtype.is_float:
            return pair(_FINITE[name], x, x)
        return op(named, x, what=f"flow.{name}")

    return _named(function, name, named)


def two(name: str) -> Function:
    """`f(input, other)`"""
    named = BINARY[name]
    native = fast(named, 2)

    def function(input: Any, other: Any) -> Tensor:
        made: Tensor = native.call(input, other)
        if made is not NotImplemented:
            return made
        return pair(named, input, other, f"flow.{name}")

    return _named(function, name, named)


def _make() -> dict[str, Function]:
    return {**{name: unary(name) for name in UNARY}, **{name: two(name) for name in BINARY}}


def add(input: Any, other: Any, *, alpha: float = 1) -> Tensor:
    """input + alpha * other"""
    return pair("flow.add", input, other if alpha == 1 else _times(other, alpha), "flow.add")


def sub(input: Any, other: Any, *, alpha: float = 1) -> Tensor:
    """input - alpha * other"""
    return pair("flow.subtract", input, other if alpha == 1 else _times(other, alpha), "flow.sub")


def _is_whole(x: Any) -> bool:
    return not x.dtype.is_float if isinstance(x, Tensor | Blob) else is_integer(x)


def _direction(x: Any) -> Any:
    """-1 where x is negative and else 1, of its type."""
    if not isinstance(x, Tensor | Blob):
        return -1 if x < 0 else 1
    return sub(1, mul(2, as_type(pair("flow.less", x, 0, "flow.less"), x.dtype)))


def _crossing(x: Any, rest: Tensor) -> Tensor:
    """1 where integers that leave this rest have a quotient below 0, else 0.

    Negating the smallest integer would overflow, so that quotients are rounded up by adding this.
    """
    below = pair("flow.less", x, 0, "flow.less") if isinstance(x, Tensor | Blob) else x < 0
    crossing = pair("flow.not_equal", below, pair("flow.less", rest, 0), "flow.not_equal")
    return mul(as_type(crossing, rest.dtype), as_type(pair("flow.not_equal", rest, 0), rest.dtype))


def _times(x: Any, y: Any) -> Any:
    return mul(x, y) if isinstance(x, Tensor | Blob) else x * y


def mul(input: Any, other: Any) -> Tensor:
    """input * other"""
    return pair("flow.multiply", input, other, "flow.mul")


def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """input / other; integers are divided as floats, unless `rounding_mode` is set."""
    if rounding_mode is None:
        return pair("flow.divide", input, other, "flow.div")
    if rounding_mode == "floor":
        return pair("flow.floor_divide", input, other, "flow.div")
    if rounding_mode == "trunc":
        if not (_is_whole(input) and _is_whole(other)):
            return trunc(pair("flow.divide", input, other, "flow.div"))
        # Integers as floats would lose digits.
        down = pair("flow.floor_divide", input, other, "flow.div")
        return add(down, _crossing(input, pair("flow.floor_mod", input, other, "flow.div")))
    raise located(
        ValueError, f'rounding_mode of flow.div is None, "floor" or "trunc", got '
        f"{kind_of(rounding_mode)}"
    )  # fmt: skip


def pow(input: Any, exponent: Any) -> Tensor:
    """input ** exponent. Powers of integers wrap around; negative ones are rounded towards zero."""
    input, exponent = (
        wrap(one) if isinstance(one, np.ndarray) else one for one in (input, exponent)
    )
    exponent = int(exponent) if isinstance(exponent, bool) else exponent
    sides = [one for one in (input, exponent) if isinstance(one, Tensor | Blob)]
    whole = not any(one.dtype.is_float for one in sides)
    if isinstance(input, Tensor | Blob) and whole and is_integer(exponent):
        if exponent < 0:
            raise located(
                RuntimeError,
                f"integers to the power {exponent} are no integers; use x.float()",
            )
        x = given(input, "flow.pow")
        return _power(as_type(x, int64) if x.dtype.is_bool else x, int(exponent))
    if sides and all(one.dtype.is_bool for one in sides):
        input, exponent = (
            as_type(one, int64) if isinstance(one, Tensor | Blob) else one
            for one in (input, exponent)
        )
    return pair("flow.pow", input, exponent, "flow.pow")


def _power(x: Tensor, exponent: int) -> Tensor:
    """x to a power of at least 0, by repeated squaring."""
    made: Tensor | None = None
    while exponent:
        if exponent & 1:
            made = x if made is None else mul(made, x)
        exponent >>= 1
        x = mul(x, x) if exponent else x
    return add(mul(x, 0), 1) if made is None else made


def trunc(input: Tensor) -> Tensor:
    """Each element rounded towards zero."""
    x = given(input, "flow.trunc")
    if not x.dtype.is_float:
        return x
    made: Tensor = where(pair("flow.less", x, 0), op("flow.ceil", x), op("flow.floor", x))
    return made


def frac(input: Tensor) -> Tensor:
    """The fractional part of each element, with its sign."""
    return sub(input, trunc(input))


def fmod(input: Any, other: Any) -> Tensor:
    """The remainder of the division rounded towards zero, with the sign of `input`."""
    if _is_whole(input) and _is_whole(other):
        rest = pair("flow.floor_mod", input, other, "flow.fmod")
        return sub(rest, mul(_crossing(input, rest), other))
    towards = _direction(input)
    x, y = _times(input, towards), _times(other, _direction(other))
    return mul(pair("flow.floor_mod", x, y, "flow.fmod"), towards)


def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Each element clamped to bounds, numbers or tensors, one of which may be None.

    The gradient passes where an element is within the bounds or equal to one, and else goes to the
    bound.
    """
    x = given(input, "flow.clamp")
    if min is None and max is None:
        raise located(ValueError, "flow.clamp takes min, max or both, got neither")
    if min is not None:
        x = pair("flow.at_least", x, min, "flow.clamp")
    return x if max is None else pair("flow.at_most", x, max, "flow.clamp")


def clamp_min(input: Tensor, min: Any) -> Tensor:
    """Each element, but no less than `min`."""
    return clamp(input, min)


def clamp_max(input: Tensor, max: Any) -> Tensor:
    """Each element, but no more than `max`."""
    return clamp(input, None, max)


def lerp(input: Tensor, end: Tensor, weight: Any) -> Tensor:
    """input + weight * (end - input)"""
    return add(input, mul(weight, sub(end, input)))


def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """input + value * tensor1 * tensor2"""
    product = mul(tensor1, tensor2)
    return add(input, product if value == 1 else mul(product, value))


def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """input + value * tensor1 / tensor2"""
    quotient = div(tensor1, tensor2)
    return add(input, quotient if value == 1 else mul(quotient, value))


def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """`input` where the condition is not 0, else `other`; `where(c)` is `nonzero(c, True)`."""
    if input is None and other is None:
        from penstock.tensor_functions.selecting import nonzero

        return nonzero(condition, as_tuple=True)
    if active_trace() is not None:
        operands = (condition, input, other)
        chosen, yes, no = (
            check_blob(one, "flow.where") if isinstance(one, Tensor) else one for one in operands
        )
        return ops.where(chosen, yes, no)
    chosen = check_tensor(condition, "flow.where")
    dtype = common_type(input, other).numpy
    sides = [
        cast_to(side, dtype) if isinstance(side, Tensor) else scalar(side, dtype)
        for side in (input, other)
    ]
    if chosen.dtype.is_float:
        chosen = pair("flow.not_equal", chosen, 0)
    return op("flow.where", chosen, *sides, what="flow.where")


def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """Where |input - other| <= atol + rtol * |other|, or both are equal."""
    x, y = given(input, "flow.isclose"), given(other, "flow.isclose")
    same = pair("flow.equal", x, y)
    if x.dtype.is_float:
        bound = add(mul(op("flow.abs", y), check_number(rtol, "rtol")), atol)
        near = pair("flow.less_equal", op("flow.abs", sub(x, y)), bound)
        finite = pair("flow.logical_and", op("flow.is_finite", x), op("flow.is_finite", y))
        same = pair("flow.logical_or", same, pair("flow.logical_and", near, finite))
        if equal_nan:
            both = pair("flow.logical_and", op("flow.is_nan", x), op("flow.is_nan", y))
            same = pair("flow.logical_or", same, both)
    return same


def _bits(name: str, x: Any, y: Any) -> Tensor:
    """Logic of the bits of integers, or of bools."""
    for side in (x, y):
        kind = side.dtype if isinstance(side, Tensor | Blob) else plain_type(side)
        if kind.is_float:
            raise located(
                TypeError, f"flow.bitwise_{name} takes integers and bools, got {kind_of(side)}"
            )
    return pair(f"flow.bitwise_{name}", x, y, f"flow.bitwise_{name}")


def bitwise_and(input: Any, other: Any) -> Tensor:
    """The bits set in both of two integers, or whether two bools are both true."""
    return _bits("and", input, other)


def bitwise_or(input: Any, other: Any) -> Tensor:
    """The bits set in at least one of two integers, or whether one of two bools is true."""
    return _bits("or", input, other)


def bitwise_xor(input: Any, other: Any) -> Tensor:
    """The bits set in exactly one of two integers, or whether two bools differ."""
    return _bits("xor", input, other)


def bitwise_not(input: Tensor) -> Tensor:
    """The negation of bools; -x - 1 for integers."""
    x = given(input, "flow.bitwise_not")
    if x.dtype.is_bool:
        return op("flow.logical_not", x)
    if x.dtype.is_float:
        raise located(TypeError, f"flow.bitwise_not takes bools and integers, got {x.dtype}")
    return sub(op("flow.negative", x), 1)


def cast(x: Tensor, dtype: DType) -> Tensor:
    """The elements converted to another type; floats are rounded towards zero to integers."""
    return as_type(given(x, "flow.cast"), dtype)


@remembered
def softmax(input: Tensor, dim: int | None = None) -> Tensor:
    """exp(x) / sum of exp(x) along a dimension, by default the last one."""
    return _along("flow.softmax", input, dim)


@remembered
def log_softmax(input: Tensor, dim: int | None = None) -> Tensor:
    """The logarithm of `softmax`."""
    return _along("flow.log_softmax", input, dim)


def _along(name: str, input: Tensor, dim: int | None) -> Tensor:
    from penstock.tensor_functions.calls import dim_of, reshaped

    x = given(input, name)
    axis = dim_of(-1 if dim is None else dim, len(x.shape), name)
    if not x.shape:
        return reshaped(op(name, reshaped(x, [1]), axis=0), [])
    if not x.shape[axis]:
        return op("flow.identity", x)  # the op takes no empty rows; it has nothing to compute
    return op(name, x, axis=axis)


def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """x * Phi(x), exact, or by the approximation "tanh"."""
    x = given(input, "flow.gelu")
    if approximate == "tanh":
        inner = mul(add(x, mul(mul(x, mul(x, x)), 0.044715)), 0.7978845608028654)
        return mul(mul(x, 0.5), add(op("flow.tanh", inner), 1.0))
    return op("flow.gelu", x)


def silu(input: Tensor) -> Tensor:
    """x * sigmoid(x)"""
    return op("flow.swish", given(input, "flow.silu"), beta=1.0)


def log10(input: Tensor) -> Tensor:
    """The logarithm to the base 10."""
    return div(op("flow.log", given(input, "flow.log10")), 2.302585092994046)


def logaddexp(input: Tensor, other: Tensor) -> Tensor:
    """log(exp(input) + exp(other)), without overflow."""
    larger = pair("flow.maximum", input, other)
    # Equal infinities have no difference.
    apart = where(pair("flow.equal", input, other), 0.0, op("flow.abs", sub(input, other)))
    return add(larger, op("flow.log1p", op("flow.exp", op("flow.negative", apart))))


def nan_to_num(
    input: Tensor, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None
) -> Tensor:
    """x with NaN and infinities replaced, by default by 0 and the largest floats."""
    x: Tensor = either(input, "flow.nan_to_num")
    if not x.dtype.is_float:
        return x
    from penstock.ir.attributes import element_type
    from penstock.ir.write.scalars import LARGEST

    largest = LARGEST[element_type(x.dtype.numpy)]
    low, high = -largest if neginf is None else neginf, largest if posinf is None else posinf
    for found, number in (
        (op("flow.is_nan", x), nan),
        (pair("flow.equal", x, inf), high),
        (pair("flow.equal", x, -inf), low),
    ):
        x = where(found, number, x)
    return x


def is_nonzero(input: Tensor) -> bool:
    """Whether the only element of a tensor is not 0."""
    return bool(check_tensor(input, "flow.is_nonzero"))


def is_floating_point(input: Tensor) -> bool:
    """Whether its elements are floats."""
    return given(input, "flow.is_floating_point").dtype.is_float


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **_make(),
    **{
        function.__name__: function
        for function in (
            add, sub, mul, div, pow, trunc, frac, fmod, clamp, clamp_min, clamp_max, lerp, addcmul,
            addcdiv, where, isclose, bitwise_and, bitwise_or, bitwise_xor, bitwise_not, cast,
            softmax, log_softmax, gelu, silu, log10, logaddexp, nan_to_num, is_nonzero,
        )
    },
    "subtract": sub, "multiply": mul, "divide": div, "clip": clamp, "fix": trunc,
    "is_floating_point": is_floating_point,
}  # fmt: skip
"""Every function of this module by its public name."""
