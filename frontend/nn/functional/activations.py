"""Activations: elementwise functions, softmax and normalization of vectors."""

from __future__ import annotations

from typing import Any

from penstock.basics.checks import check_above_0, check_flag, check_number
from penstock.basics.errors import located
from penstock.nn.functional.constants import channels
from penstock.tensor_functions.calls import dim_of, given, op, pair, part, reshaped
from penstock.tensor_functions.pointwise import div, mul, sub, where
from penstock.tensor_functions.pointwise import gelu as gelu
from penstock.tensor_functions.pointwise import log_softmax as _log_softmax
from penstock.tensor_functions.pointwise import softmax as _softmax
from penstock.tensor_functions.random_numbers import rand_like
from penstock.tensors.inplace import assign
from penstock.tensors.tensor import Tensor

_SELU_ALPHA = 1.6732632423543772848170429916717
_SELU_SCALE = 1.0507009873554804934193349852946


def _activated(name: str, x: Tensor, inplace: bool, what: str, **attributes: Any) -> Tensor:
    """The result of the op of that name; with `inplace`, written to x."""
    x = given(x, what)
    if not check_flag(inplace, f"inplace of {what}"):
        return op(name, x, what=what, **attributes)
    return assign(x, op(name, _copied(x), what=what, **attributes), what)


def _copied(x: Tensor) -> Tensor:
    """A copy that backward can read after x is overwritten."""
    return op("flow.identity", x) if isinstance(x, Tensor) and x.requires_grad else x


def _chosen(x: Tensor, inplace: bool, what: str) -> tuple[Tensor, Tensor | None]:
    """The operand of the computation, and with `inplace` the tensor x that gets the result."""
    x = given(x, what)
    if check_flag(inplace, f"inplace of {what}"):
        return _copied(x), x
    return x, None


def _done(made: Tensor, target: Tensor | None, what: str) -> Tensor:
    return made if target is None else assign(target, made, what)


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """max(x, 0)

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.relu(flow.tensor([-1.0, 2.0]))
    tensor([0., 2.], dtype=penstock.float32)
    """
    return _activated("flow.relu", input, inplace, "F.relu")


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """x clamped to [0, 6]; the gradient is 0 at the bounds and beyond."""
    return _activated("flow.hardtanh", input, inplace, "F.relu6", low=0.0, high=6.0)


def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """x clamped to [min_val, max_val]; the gradient is 0 at the bounds and beyond."""
    what = "F.hardtanh"
    low, high = check_number(min_val, f"min_val of {what}"), check_number(max_val, "max_val")
    if not low <= high:
        raise located(ValueError, f"{what} takes min_val <= max_val, got {low} and {high}")
    return _activated("flow.hardtanh", input, inplace, what, low=low, high=high)


def sigmoid(input: Tensor) -> Tensor:
    """1 / (1 + exp(-x))"""
    return op("flow.sigmoid", given(input, "F.sigmoid"), what="F.sigmoid")


def tanh(input: Tensor) -> Tensor:
    """(exp(x) - exp(-x)) / (exp(x) + exp(-x))"""
    return op("flow.tanh", given(input, "F.tanh"), what="F.tanh")


def logsigmoid(input: Tensor) -> Tensor:
    """-log(1 + exp(-x)), without overflow."""
    return op("flow.log_sigmoid", given(input, "F.logsigmoid"), what="F.logsigmoid")


def quick_gelu(input: Tensor) -> Tensor:
    """x * sigmoid(1.702 * x)"""
    return op("flow.swish", given(input, "F.quick_gelu"), beta=1.702, what="F.quick_gelu")


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """x * sigmoid(x)"""
    return _activated("flow.swish", input, inplace, "F.silu", beta=1.0)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """x * tanh(log(1 + exp(x)))"""
    return _activated("flow.mish", input, inplace, "F.mish")


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """min(max(x + 3, 0), 6) / 6"""
    return _activated("flow.hardsigmoid", input, inplace, "F.hardsigmoid")


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """x * min(max(x + 3, 0), 6) / 6"""
    return _activated("flow.hardswish", input, inplace, "F.hardswish")


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """x if x > 0, else negative_slope * x."""
    slope = check_number(negative_slope, "negative_slope of F.leaky_relu")
    return _activated("flow.leaky_relu", input, inplace, "F.leaky_relu", alpha=slope)


def rrelu(
    input: Tensor, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False,
    inplace: bool = False,
) -> Tensor:  # fmt: skip
    """x if x > 0, else a slope times x.

    In training each element draws its slope uniformly from [lower, upper); otherwise the slope is
    the mean of the two.
    """
    what = "F.rrelu"
    low, high = check_number(lower, f"lower of {what}"), check_number(upper, f"upper of {what}")
    if not low <= high:
        raise located(ValueError, f"{what} takes lower <= upper, got {low} and {high}")
    if not check_flag(training, f"training of {what}"):
        return leaky_relu(input, (low + high) / 2, inplace)
    x, target = _chosen(input, inplace, what)
    slopes = pair("flow.add", mul(rand_like(x), high - low), low)
    return _done(where(pair("flow.greater", x, 0), x, mul(x, slopes)), target, what)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x if x > 0, else alpha * (exp(x) - 1)."""
    scale = check_number(alpha, "alpha of F.elu")
    return _activated("flow.elu", input, inplace, "F.elu", alpha=scale)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x if x > 0, else alpha * (exp(x / alpha) - 1)."""
    what = "F.celu"
    x, target = _chosen(input, inplace, what)
    scale = check_number(alpha, f"alpha of {what}")
    if scale == 0:
        raise located(ValueError, f"alpha of {what} must not be 0")
    below = pair("flow.less_equal", x, 0)
    # exp(x) overflows for a large x, and its gradient, 0 times infinity, would be NaN.
    small = div(where(below, x, 0.0), scale)
    return _done(where(below, mul(op("flow.expm1", small), scale), x), target, what)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """`elu`, scaled to preserve mean 0 and variance 1: Klambauer et al., 2017."""
    what = "F.selu"
    x, target = _chosen(input, inplace, what)
    return _done(mul(op("flow.elu", x, alpha=_SELU_ALPHA, what=what), _SELU_SCALE), target, what)


def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """x if x > 0, else weight * x, with one weight or one for each channel."""
    what = "F.prelu"
    x, slope = given(input, what), given(weight, what)
    count = slope.shape[0] if len(slope.shape) == 1 else 1 if not slope.shape else -1
    wanted = x.shape[1] if len(x.shape) > 1 else 1
    if count not in (1, wanted):
        raise located(
            ValueError,
            f"weight of {what} must have shape (1,) or ({wanted},), a number for each channel of "
            f"an input of shape {tuple(x.shape)}, got {tuple(slope.shape)}",
        )
    slope = reshaped(slope, [1] * len(x.shape)) if count == 1 else channels(slope, len(x.shape))
    made: Tensor = where(pair("flow.greater", x, 0), x, mul(slope, x))
    return made


def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """log(1 + exp(beta * x)) / beta, or x if beta * x is above the threshold."""
    what = "F.softplus"
    x = given(input, what)
    scale = check_number(beta, f"beta of {what}")
    limit = check_number(threshold, f"threshold of {what}")
    scaled = x if scale == 1 else mul(x, scale)
    curve = op("flow.softplus", scaled, what=what)
    curve = curve if scale == 1 else div(curve, scale)
    made: Tensor = where(pair("flow.greater", scaled, limit), x, curve)
    return made


def softshrink(input: Tensor, lambd: float = 0.5, inplace: bool = False) -> Tensor:
    """x - lambd if x > lambd, x + lambd if x < -lambd, else 0."""
    what = "F.softshrink"
    x, target = _chosen(input, inplace, what)
    width = check_number(lambd, f"lambd of {what}")
    if width < 0:
        raise located(ValueError, f"lambd of {what} must be at least 0, got {lambd}")
    near = pair("flow.less_equal", op("flow.abs", x), width)
    # NaN goes through, and so does its gradient.
    far = where(pair("flow.less", x, 0), pair("flow.add", x, width), sub(x, width))
    return _done(where(near, 0.0, far), target, what)


def hardshrink(input: Tensor, lambd: float = 0.5, inplace: bool = False) -> Tensor:
    """0 if |x| <= lambd, else x."""
    what = "F.hardshrink"
    x, target = _chosen(input, inplace, what)
    near = pair("flow.less_equal", op("flow.abs", x), check_number(lambd, f"lambd of {what}"))
    return _done(where(near, 0.0, x), target, what)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """x if x is above the threshold, else `value`."""
    what = "F.threshold"
    x, target = _chosen(input, inplace, what)
    low = pair("flow.less_equal", x, check_number(threshold, f"threshold of {what}"))
    return _done(where(low, check_number(value, f"value of {what}"), x), target, what)


def softsign(input: Tensor) -> Tensor:
    """x / (1 + |x|)"""
    x = given(input, "F.softsign")
    return div(x, pair("flow.add", op("flow.abs", x), 1.0))


def tanhshrink(input: Tensor) -> Tensor:
    """x - tanh(x)"""
    return sub(input, tanh(input))


def square_relu(input: Tensor) -> Tensor:
    """max(x, 0) squared"""
    return op("flow.square", relu(input), what="F.square_relu")


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half along a dimension times the sigmoid of the second half."""
    what = "F.glu"
    x = given(input, what)
    axis = dim_of(dim, len(x.shape), what)
    if not x.shape or x.shape[axis] % 2:
        raise located(
            ValueError,
            f"{what} takes an even extent along dimension {dim}, got shape {tuple(x.shape)}",
        )
    half = x.shape[axis] // 2
    return mul(part(x, axis, 0, half), sigmoid(part(x, axis, half, half)))


def softmax(input: Tensor, dim: int | None = None) -> Tensor:
    """exp(x) / sum of exp(x) along a dimension.

    As in PyTorch, `dim` is by default 0 for ranks 0, 1 and 3, and 1 for other ranks.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.softmax(flow.tensor([[0.0, 0.0]]), dim=1)
    tensor([[0.5000, 0.5000]], dtype=penstock.float32)
    """
    return _softmax(input, _dim(input, dim, "F.softmax"))


def log_softmax(input: Tensor, dim: int | None = None) -> Tensor:
    """The logarithm of `softmax`."""
    return _log_softmax(input, _dim(input, dim, "F.log_softmax"))


def softmin(input: Tensor, dim: int | None = None) -> Tensor:
    """`softmax` of -x."""
    x = given(input, "F.softmin")
    return softmax(op("flow.negative", x, what="F.softmin"), dim)


def _dim(input: Tensor, dim: int | None, what: str) -> int:
    rank = len(given(input, what).shape)
    return (0 if rank in (0, 1, 3) else 1) if dim is None else dim


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """x divided by max(p-norm of x along a dimension, eps)."""
    from penstock.tensor_functions.linear_algebra import vector_norm

    what = "F.normalize"
    x = given(input, what)
    length = vector_norm(x, check_number(p, f"p of {what}"), dim, True)
    return div(x, pair("flow.maximum", length, check_above_0(eps, f"eps of {what}")))
