"""`flow.optim.lr_scheduler`: learning rates that follow the number of steps.

A scheduler sets the learning rates of the optimizer's groups when it is made, and in each `step`.
Each rate is a formula of the first rate, `initial_lr` of the group, and of the step, from 0.
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

# The name by which PyTorch's users know the base.
_LRScheduler = LRScheduler

__all__ = [
    "ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts",
    "CosineDecayLR", "ExponentialLR", "LRScheduler", "LambdaLR", "LinearLR", "MultiStepLR",
    "MultiplicativeLR", "PolynomialLR", "ReduceLROnPlateau", "SequentialLR", "StepLR", "WarmUpLR",
    "WarmupLR",
]  # fmt: skip
