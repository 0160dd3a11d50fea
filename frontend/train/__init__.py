"""`flow.train`: what a training loop needs around its steps: progress, metrics, early stopping,
curves, and checkpoints of the last and the best state."""

from typing import TYPE_CHECKING

from penstock.basics.names import no_such
from penstock.train.checkpoints import Checkpoints
from penstock.train.curves import Curves
from penstock.train.metrics import Accuracy, Mean
from penstock.train.older import CheckPoint, SimpleCheckPointManager
from penstock.train.progress import Progress
from penstock.train.stopping import EarlyStopping

__all__ = [
    "Accuracy", "CheckPoint", "Checkpoints", "Curves", "EarlyStopping", "Mean", "Progress",
    "SimpleCheckPointManager",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__ = no_such("flow.train")
