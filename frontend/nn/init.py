"""`flow.nn.init`: initial values of parameters. Each function fills a tensor and returns it.

These functions are not recorded for gradients. Random numbers come from `generator`, by default
that of `flow.manual_seed`.
"""

from __future__ import annotations

from math import erf, prod, sqrt
from typing import Any

import numpy as np

from penstock.basics.checks import check_number
from penstock.basics.dtypes import float64
from penstock.basics.errors import did_you_mean, kind_of, located
from penstock.basics.names import no_such
from penstock.nn.modules.initial import draw_normal, draw_uniform, fans, fill
from penstock.tensor_functions.calls import as_type, op, pair
from penstock.tensor_functions.random_numbers import rand, randn
from penstock.tensors.inplace import assign
from penstock.tensors.modes import no_grad
from penstock.tensors.tensor import Tensor, check_tensor, wrap

_GAINS = {
    **dict.fromkeys(
        ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d",
         "conv_transpose3d", "sigmoid"), 1.0,
    ),
    "tanh": 5 / 3,
    "relu": sqrt(2),
    "selu": 3 / 4,
}  # fmt: skip
"""The gain of each nonlinearity: the factor on initial weights that preserves signal variance."""


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Numbers drawn uniformly from [a, b).

    >>> import penstock as flow
    >>> x = flow.nn.init.uniform_(flow.empty(1000), -1.0, 1.0)
    >>> bool((x >= -1).all()), bool((x < 1).all())
    (True, True)
    """
    what = "flow.nn.init.uniform_"
    low, high = check_number(a, f"a of {what}"), check_number(b, f"b of {what}")
    return draw_uniform(_floats(tensor, what), low, high, generator)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Numbers drawn from a normal distribution with this mean and standard deviation."""
    what = "flow.nn.init.normal_"
    middle, deviation = check_number(mean, f"mean of {what}"), check_number(std, f"std of {what}")
    return draw_normal(_floats(tensor, what), middle, deviation, generator)


def trunc_normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0,
    generator: Any = None,
) -> Tensor:  # fmt: skip
    """Numbers drawn from a normal distribution truncated to [a, b]."""
    what = "flow.nn.init.trunc_normal_"
    x = _floats(tensor, what)
    low, high = (
        (1 + erf((check_number(end, f"{word} of {what}") - mean) / (std * sqrt(2)))) / 2
        for end, word in ((a, "a"), (b, "b"))
    )
    with no_grad():
        # Inverse transform sampling: quantiles of uniform probabilities.
        drawn = rand(*x.shape, dtype=float64, generator=generator)
        chances = pair("flow.add", pair("flow.multiply", drawn, 2 * (high - low)), 2 * low - 1)
        made = pair(
            "flow.add", pair("flow.multiply", op("flow.erfinv", chances), std * sqrt(2)), mean
        )
        bounded = pair("flow.minimum", pair("flow.maximum", made, float(a)), float(b))
        return assign(x, as_type(bounded, x.dtype), what)


def constant_(tensor: Tensor, val: float) -> Tensor:
    """One value everywhere.

    >>> import penstock as flow
    >>> flow.nn.init.constant_(flow.empty(2), 0.5)
    tensor([0.5000, 0.5000], dtype=penstock.float32)
    """
    what = "flow.nn.init.constant_"
    return fill(check_tensor(tensor, what), check_number(val, f"val of {what}"))


def ones_(tensor: Tensor) -> Tensor:
    """1 everywhere."""
    return fill(check_tensor(tensor, "flow.nn.init.ones_"), 1)


def zeros_(tensor: Tensor) -> Tensor:
    """0 everywhere."""
    return fill(check_tensor(tensor, "flow.nn.init.zeros_"), 0)


def eye_(tensor: Tensor) -> Tensor:
    """The identity matrix."""
    what = "flow.nn.init.eye_"
    x = check_tensor(tensor, what)
    if x.ndim != 2:
        raise located(ValueError, f"{what} takes a matrix, got shape {tuple(x.shape)}")
    return _put(x, np.eye(*x.shape), what)


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """The weight of a convolution that is the identity on as many channels as it has filters."""
    what = "flow.nn.init.dirac_"
    x = check_tensor(tensor, what)
    if x.ndim not in (3, 4, 5) or x.shape[0] % groups:
        raise located(
            ValueError,
            f"{what} takes the weight of a convolution of {groups} groups, got shape "
            f"{tuple(x.shape)}",
        )
    values = np.zeros(x.shape)
    each = x.shape[0] // groups
    middle = tuple(n // 2 for n in x.shape[2:])
    for filter_ in range(x.shape[0]):
        if filter_ % each < x.shape[1]:
            values[(filter_, filter_ % each, *middle)] = 1
    return _put(x, values, what)


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Uniform numbers in +-gain * sqrt(6 / (inputs + outputs)): Glorot and Bengio, 2010."""
    what = "flow.nn.init.xavier_uniform_"
    bound = check_number(gain, f"gain of {what}") * sqrt(6 / sum(fans(tensor.shape, what)))
    return draw_uniform(_floats(tensor, what), -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Normal numbers of deviation gain * sqrt(2 / (inputs + outputs)): Glorot and Bengio, 2010."""
    what = "flow.nn.init.xavier_normal_"
    deviation = check_number(gain, f"gain of {what}") * sqrt(2 / sum(fans(tensor.shape, what)))
    return draw_normal(_floats(tensor, what), 0.0, deviation, generator)


def kaiming_uniform_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:  # fmt: skip
    """Uniform numbers in +-gain * sqrt(3 / fan): He et al., 2015.

    The fan is the number of inputs, or of outputs with mode="fan_out". The gain is that of the
    nonlinearity that follows; `a` is the slope of a leaky ReLU.
    """
    what = "flow.nn.init.kaiming_uniform_"
    bound = sqrt(3) * _deviation(tensor, a, mode, nonlinearity, what)
    return draw_uniform(_floats(tensor, what), -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:  # fmt: skip
    """Normal numbers of deviation gain / sqrt(fan): see `kaiming_uniform_`."""
    what = "flow.nn.init.kaiming_normal_"
    deviation = _deviation(tensor, a, mode, nonlinearity, what)
    return draw_normal(_floats(tensor, what), 0.0, deviation, generator)


def orthogonal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Orthonormal rows times `gain`, or columns if there are fewer columns: Saxe et al., 2013."""
    what = "flow.nn.init.orthogonal_"
    x = _floats(tensor, what)
    fans(x.shape, what)
    rows, columns = x.shape[0], prod(x.shape[1:])
    scale = check_number(gain, f"gain of {what}")
    drawn = randn(rows, columns, dtype=float64, generator=generator).numpy()
    wide = drawn.T if rows < columns else drawn
    q, r = np.linalg.qr(wide)
    q = q * np.sign(np.diag(r))
    values = (q.T if rows < columns else q) * scale
    return _put(x, values.reshape(x.shape), what)


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """A normally distributed matrix with a share `sparsity` of each column set to 0."""
    what = "flow.nn.init.sparse_"
    x = normal_(tensor, 0.0, std, generator)
    if x.ndim != 2:
        raise located(ValueError, f"{what} takes a matrix, got shape {tuple(x.shape)}")
    rows, columns = x.shape
    order = np.argsort(rand(rows, columns, generator=generator).numpy(), axis=0)
    zeros = order < int(np.ceil(check_number(sparsity, f"sparsity of {what}") * rows))
    return _put(x, np.where(zeros, 0, x.numpy()), what)


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor on the initial weights of a layer followed by this nonlinearity.

    >>> import penstock as flow
    >>> flow.nn.init.calculate_gain("tanh")
    1.6666666666666667
    """
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else check_number(param, "param of calculate_gain")
        return sqrt(2 / (1 + slope**2))
    if nonlinearity not in _GAINS:
        near = did_you_mean(str(nonlinearity), [*_GAINS, "leaky_relu"])
        raise located(ValueError, f"no gain is known of nonlinearity {kind_of(nonlinearity)}{near}")
    return _GAINS[nonlinearity]


def _deviation(tensor: Tensor, a: float, mode: str, nonlinearity: str, what: str) -> float:
    if mode not in ("fan_in", "fan_out"):
        raise located(
            ValueError, f'mode of {what} must be "fan_in" or "fan_out", got {kind_of(mode)}'
        )
    fan = fans(check_tensor(tensor, what).shape, what)[mode == "fan_out"]
    return calculate_gain(nonlinearity, a) / sqrt(fan) if fan else 0.0


def _floats(tensor: Tensor, what: str) -> Tensor:
    if not check_tensor(tensor, what).dtype.is_float:
        raise located(TypeError, f"{what} fills tensors of floats, got {tensor.dtype}")
    return tensor


def _put(target: Tensor, values: Any, what: str) -> Tensor:
    with no_grad():
        return assign(target, wrap(np.asarray(values).astype(target.array.dtype)), what)


__all__ = [
    "calculate_gain", "constant_", "dirac_", "eye_", "kaiming_normal_", "kaiming_uniform_",
    "normal_", "ones_", "orthogonal_", "sparse_", "trunc_normal_", "uniform_", "xavier_normal_",
    "xavier_uniform_", "zeros_",
]  # fmt: skip
__getattr__ = no_such("flow.nn.init")
