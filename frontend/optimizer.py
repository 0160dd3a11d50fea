"""`flow.optimizer`: how a train job updates its variables.

scheduler = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
"""

from __future__ import annotations

from penstock.schedules import (
    CosineScheduler,
    ExponentialScheduler,
    InverseTimeScheduler,
    LinearCosineScheduler,
    NaturalExpScheduler,
    PiecewiseConstantScheduler,
    PiecewiseScalingScheduler,
    PolynomialScheduler,
    warmup,
)

__all__ = [
    "CosineScheduler",
    "ExponentialScheduler",
    "InverseTimeScheduler",
    "LinearCosineScheduler",
    "NaturalExpScheduler",
    "PiecewiseConstantScheduler",
    "PiecewiseScalingScheduler",
    "PolynomialScheduler",
    "warmup",
]
