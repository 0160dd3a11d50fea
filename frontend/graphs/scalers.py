"""Scales of losses, for gradients of 16 bits that would otherwise be 0."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from penstock.basics.checks import check_integer, check_number
from penstock.basics.errors import located
from penstock.tensors.tensor import Tensor, wrap


class Scaler:
    """Base of the scalers of a graph: see `flow.nn.Graph.set_grad_scaler`."""

    scale: Tensor
    """The factor of losses: a float32."""

    def form(self) -> Any:
        """All that the code depends on."""
        return (type(self).__name__,)


class StaticGradScaler(Scaler):
    """Losses are multiplied by a fixed factor, and gradients divided by it.

    >>> import penstock as flow
    >>> flow.amp.StaticGradScaler(128.0).get_scale()
    128.0
    """

    def __init__(self, scale_factor: float) -> None:
        factor = check_number(scale_factor, "scale_factor of StaticGradScaler")
        if not 0 < factor < math.inf:
            raise located(
                ValueError, f"scale_factor of StaticGradScaler must be above 0, got {scale_factor}"
            )
        self.scale = wrap(np.array(factor, np.float32))

    def get_scale(self) -> float:
        """The factor."""
        return float(self.scale.item())


class GradScaler(Scaler):
    """Losses are multiplied by a factor that adapts: see Micikevicius et al., 2018.

    A step whose gradients are not finite changes no parameter, and multiplies the factor by
    `backoff_factor`. After `growth_interval` good steps in a row it is multiplied by
    `growth_factor`.

    >>> import penstock as flow
    >>> flow.amp.GradScaler(init_scale=1024.0).get_scale()
    1024.0
    """

    def __init__(
        self, init_scale: float = 2.0**16, growth_factor: float = 2.0,
        backoff_factor: float = 0.5, growth_interval: int = 2000,
    ) -> None:  # fmt: skip
        what = "GradScaler"
        first = check_number(init_scale, f"init_scale of {what}")
        self.growth_factor = check_number(growth_factor, f"growth_factor of {what}")
        self.backoff_factor = check_number(backoff_factor, f"backoff_factor of {what}")
        self.growth_interval = check_integer(growth_interval, f"growth_interval of {what}")
        for word, value, fits, wanted in (
            ("init_scale", init_scale, 0 < first < math.inf, "above 0"),
            ("growth_factor", growth_factor, self.growth_factor > 1, "above 1"),
            ("backoff_factor", backoff_factor, 0 < self.backoff_factor < 1, "between 0 and 1"),
            ("growth_interval", growth_interval, self.growth_interval >= 1, "at least 1"),
        ):
            if not fits:
                raise located(ValueError, f"{word} of {what} must be {wanted}, got {value}")
        self.scale = wrap(np.array(first, np.float32))
        self.good_steps = wrap(np.array(0, np.int64))

    def form(self) -> Any:
        return super().form(), self.growth_factor, self.backoff_factor, self.growth_interval

    def get_scale(self) -> float:
        """The present factor."""
        return float(self.scale.item())
