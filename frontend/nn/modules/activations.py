"""Activations as layers."""

from __future__ import annotations

from typing import Any

from penstock.nn.functional import activations as F
from penstock.nn.modules.module import Module
from penstock.nn.modules.parameter import Parameter
from penstock.tensor_functions.pointwise import gelu
from penstock.tensors.creation import full
from penstock.tensors.tensor import Tensor


class _Activation(Module):
    """Base of activations; passes the attributes listed in `_shown` to the function."""

    _shown: tuple[str, ...] = ()
    _function: Any = None

    def forward(self, input: Tensor) -> Tensor:
        made: Tensor = type(self)._function(input, *(getattr(self, word) for word in self._shown))
        return made

    def extra_repr(self) -> str:
        words = [
            f"{word}={getattr(self, word)!r}"
            for word in self._shown
            if word != "inplace" or self.inplace
        ]
        return ", ".join(words)


class _InPlace(_Activation):
    """Base of activations that may change their input."""

    _shown = ("inplace",)

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


class ReLU(_InPlace):
    """max(x, 0)

    >>> import penstock as flow
    >>> flow.nn.ReLU()(flow.tensor([-1.0, 2.0]))
    tensor([0., 2.], dtype=penstock.float32)
    """

    _function = F.relu


class ReLU6(_InPlace):
    """x clamped to [0, 6]."""

    _function = F.relu6


class SiLU(_InPlace):
    """x * sigmoid(x)"""

    _function = F.silu


class Mish(_InPlace):
    """x * tanh(log(1 + exp(x)))"""

    _function = F.mish


class SELU(_InPlace):
    """`ELU`, scaled to preserve mean 0 and variance 1."""

    _function = F.selu


class Hardswish(_InPlace):
    """min(max(x + 3, 0), 6) / 6 times x."""

    _function = F.hardswish


class Hardsigmoid(_InPlace):
    """min(max(x + 3, 0), 6) / 6"""

    _function = F.hardsigmoid


class Sigmoid(_Activation):
    """1 / (1 + exp(-x))"""

    _function = F.sigmoid


class Tanh(_Activation):
    """(exp(x) - exp(-x)) / (exp(x) + exp(-x))"""

    _function = F.tanh


class LogSigmoid(_Activation):
    """-log(1 + exp(-x))"""

    _function = F.logsigmoid


class Softsign(_Activation):
    """x / (1 + |x|)"""

    _function = F.softsign


class Tanhshrink(_Activation):
    """x - tanh(x)"""

    _function = F.tanhshrink


class QuickGELU(_Activation):
    """x * sigmoid(1.702 * x)"""

    _function = F.quick_gelu


class SquareReLU(_Activation):
    """max(x, 0) squared"""

    _function = F.square_relu


class GELU(_Activation):
    """x * Phi(x), with the exact error function, or with approximate="tanh"."""

    _shown = ("approximate",)
    _function = gelu

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate


class ELU(_Activation):
    """x if x > 0, else alpha * (exp(x) - 1)."""

    _shown = ("alpha", "inplace")
    _function = F.elu

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace


class CELU(ELU):
    """x if x > 0, else alpha * (exp(x / alpha) - 1)."""

    _function = F.celu


class LeakyReLU(_Activation):
    """x if x > 0, else negative_slope * x."""

    _shown = ("negative_slope", "inplace")
    _function = F.leaky_relu

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace


class RReLU(_Activation):
    """x if x > 0, else a slope times x; in training each element draws its slope."""

    _shown = ("lower", "upper", "inplace")

    def __init__(self, lower: float = 1 / 8, upper: float = 1 / 3, inplace: bool = False) -> None:
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Hardtanh(_Activation):
    """x clamped to [min_val, max_val]."""

    _shown = ("min_val", "max_val", "inplace")
    _function = F.hardtanh

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.min_val = min_val
        self.max_val = max_val
        self.inplace = inplace


class Softplus(_Activation):
    """log(1 + exp(beta * x)) / beta, or x if beta * x is above the threshold."""

    _shown = ("beta", "threshold")
    _function = F.softplus

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold


class Softshrink(_Activation):
    """x - lambd if x > lambd, x + lambd if x < -lambd, else 0."""

    _shown = ("lambd", "inplace")
    _function = F.softshrink

    def __init__(self, lambd: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        self.lambd = lambd
        self.inplace = inplace

    def extra_repr(self) -> str:
        return str(self.lambd)


class Hardshrink(Softshrink):
    """0 if |x| <= lambd, else x."""

    _function = F.hardshrink


class Threshold(_Activation):
    """x if x is above the threshold, else `value`."""

    _shown = ("threshold", "value", "inplace")
    _function = F.threshold

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace


class GLU(_Activation):
    """The first half along a dimension times the sigmoid of the second half."""

    _shown = ("dim",)
    _function = F.glu

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim


class Softmax(_Activation):
    """exp(x) / sum of exp(x) along a dimension: see `flow.nn.functional.softmax`."""

    _shown = ("dim",)
    _function = F.softmax

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim


class LogSoftmax(Softmax):
    """The logarithm of `Softmax`."""

    _function = F.log_softmax


class Softmin(Softmax):
    """`Softmax` of -x."""

    _function = F.softmin


class PReLU(Module):
    """x if x > 0, else weight * x, with one learnt weight, or one for each channel.

    >>> import penstock as flow
    >>> flow.nn.PReLU()(flow.tensor([-4.0, 2.0])).tolist()
    [-1.0, 2.0]
    """

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.weight = Parameter(full((num_parameters,), init, dtype=dtype, device=device))

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"
