"""Initial values of parameters, by MindSpore's names and default constants."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.basics.errors import did_you_mean, kind_of, located
from penstock.mindspore.dtype import float32
from penstock.mindspore.tensor import Tensor
from penstock.tensor_functions import random_numbers

Array = np.ndarray[Any, Any]


class Initializer:
    """Base of initializers: subclass it, and define `array`."""

    def array(self, shape: Sequence[int]) -> Array:
        """The elements of a tensor of this shape."""
        raise located(
            NotImplementedError, f"{type(self).__name__} has no array(); define what it draws"
        )


class Constant(Initializer):
    """All elements alike.

    >>> from penstock.mindspore.initializer import Constant, initializer
    >>> print(initializer(Constant(2.0), [2]))
    [2. 2.]
    """

    def __init__(self, value: float) -> None:
        self.value = value

    def array(self, shape: Sequence[int]) -> Array:
        return np.broadcast_to(np.asarray(self.value), tuple(shape)).copy()


class Zero(Constant):
    """All zeros."""

    def __init__(self) -> None:
        super().__init__(0.0)


class One(Constant):
    """All ones."""

    def __init__(self) -> None:
        super().__init__(1.0)


class Normal(Initializer):
    """Normal numbers of a mean and a standard deviation, by default 0 and 0.01."""

    def __init__(self, sigma: float = 0.01, mean: float = 0.0) -> None:
        self.sigma, self.mean = sigma, mean

    def array(self, shape: Sequence[int]) -> Array:
        drawn = random_numbers.FUNCTIONS["randn"](*shape).numpy()
        return np.asarray(drawn * self.sigma + self.mean)


class TruncatedNormal(Normal):
    """Normal numbers, drawn again if they are more than two deviations from the mean."""

    def array(self, shape: Sequence[int]) -> Array:
        found = super().array(shape)
        while (far := np.abs(found - self.mean) > 2 * self.sigma).any():
            found = np.where(far, super().array(shape), found)
        return found


class Uniform(Initializer):
    """Uniform numbers between -scale and scale, by default 0.07."""

    def __init__(self, scale: float = 0.07) -> None:
        self.scale = scale

    def array(self, shape: Sequence[int]) -> Array:
        drawn = random_numbers.FUNCTIONS["rand"](*shape).numpy()
        return np.asarray((drawn * 2 - 1) * self.scale)


class XavierUniform(Uniform):
    """Uniform numbers between -b and b, b being gain * sqrt(6 / (fan_in + fan_out))."""

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain

    def array(self, shape: Sequence[int]) -> Array:
        self.scale = self.gain * math.sqrt(6 / sum(_fans(shape, "XavierUniform")))
        return super().array(shape)


class _He(Initializer):
    def __init__(
        self, negative_slope: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"
    ) -> None:
        if mode not in ("fan_in", "fan_out"):
            raise located(
                ValueError,
                f'mode of {type(self).__name__} must be "fan_in" or "fan_out", got {kind_of(mode)}',
            )
        self.slope = 0.0 if nonlinearity == "relu" else negative_slope
        self.place = mode == "fan_out"

    def deviation(self, shape: Sequence[int]) -> float:
        fan = _fans(shape, type(self).__name__)[self.place]
        return math.sqrt(2 / (1 + self.slope**2) / fan)


class HeUniform(_He):
    """Uniform numbers whose deviation is sqrt(2 / (1 + slope^2) / fan)."""

    def array(self, shape: Sequence[int]) -> Array:
        return Uniform(math.sqrt(3) * self.deviation(shape)).array(shape)


class HeNormal(_He):
    """Normal numbers whose deviation is sqrt(2 / (1 + slope^2) / fan)."""

    def array(self, shape: Sequence[int]) -> Array:
        return Normal(self.deviation(shape)).array(shape)


_NAMES: dict[str, type[Initializer]] = {
    "zeros": Zero, "ones": One, "normal": Normal, "uniform": Uniform,
    "truncatednormal": TruncatedNormal, "xavier_uniform": XavierUniform,
    "xavieruniform": XavierUniform, "he_uniform": HeUniform, "heuniform": HeUniform,
    "he_normal": HeNormal, "henormal": HeNormal,
}  # fmt: skip


def initializer(init: Any, shape: Any = None, dtype: Any = float32) -> Tensor:
    """A tensor with the elements of an initializer, which may be a name, a number or a tensor.

    >>> from penstock.mindspore.initializer import initializer
    >>> print(initializer("ones", [1, 2]))
    [[1. 1.]]
    """
    if isinstance(init, Tensor):
        if shape is not None and tuple(shape) != init.shape:
            raise located(
                ValueError, f"the initial tensor must have shape {tuple(shape)}, got {init.shape}"
            )
        return init
    if isinstance(init, str):
        if init.lower() not in _NAMES:
            near = did_you_mean(init, _NAMES)
            raise located(ValueError, f"there is no initializer {kind_of(init)}{near}")
        init = _NAMES[init.lower()]()
    elif isinstance(init, int | float):
        init = Constant(init)
    elif isinstance(init, type) and issubclass(init, Initializer):
        init = init()
    if not isinstance(init, Initializer):
        raise located(
            TypeError, f"an initializer is a name, a number or a tensor, got {kind_of(init)}"
        )
    extents = (shape,) if isinstance(shape, int) else tuple(shape or ())
    return Tensor(init.array(extents), dtype)


def _fans(shape: Sequence[int], what: str) -> tuple[float, float]:
    """The inputs and outputs of an element of a weight."""
    if len(shape) < 2:
        raise located(
            ValueError, f"{what} needs a shape of at least two dimensions, got {tuple(shape)}"
        )
    window = math.prod(shape[2:])
    return shape[1] * window, shape[0] * window
