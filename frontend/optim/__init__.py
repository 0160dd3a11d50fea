"""`flow.optim`: optimizers and schedules; each optimizer step is one native call."""

from typing import TYPE_CHECKING

from penstock.basics.names import no_such
from penstock.optim import lr_scheduler as lr_scheduler
from penstock.optim import swa_utils as swa_utils
from penstock.optim.accumulating import Adadelta as Adadelta
from penstock.optim.accumulating import Adagrad as Adagrad
from penstock.optim.accumulating import RMSprop as RMSprop
from penstock.optim.averaging import LAMB as LAMB
from penstock.optim.averaging import Adam as Adam
from penstock.optim.averaging import AdamW as AdamW
from penstock.optim.descent import SGD as SGD
from penstock.optim.optimizer import Optimizer as Optimizer
from penstock.optim.optimizer import ParamGroup as ParamGroup
from penstock.optim.quasi_newton import LBFGS as LBFGS

__all__ = [
    "LAMB", "LBFGS", "SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Optimizer", "ParamGroup",
    "RMSprop", "lr_scheduler", "swa_utils",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__ = no_such("flow.optim")
