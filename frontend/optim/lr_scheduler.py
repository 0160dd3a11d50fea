"""`flow.optim.lr_scheduler`: schedules of learning rates.

A scheduler sets the learning rates of the optimizer's groups when it is made, and in each `step`.
Each rate is a formula of the group's `initial_lr` and of the step, counted from 0.
"""

from penstock.optim.schedules import (
    ConstantLR,
    CosineAnnealingLR,
    CosineAnnealingWarmRestarts,
    CosineDecayLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    LRScheduler,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)
from penstock.optim.sequences import ChainedScheduler, SequentialLR, WarmUpLR, WarmupLR
from penstock.optim.watching import ReduceLROnPlateau

# PyTorch's other name of the base class.
_LRScheduler = LRScheduler

__all__ = [
    "ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts",
    "CosineDecayLR", "ExponentialLR", "LRScheduler", "LambdaLR", "LinearLR", "MultiStepLR",
    "MultiplicativeLR", "PolynomialLR", "ReduceLROnPlateau", "SequentialLR", "StepLR", "WarmUpLR",
    "WarmupLR",
]  # fmt: skip
