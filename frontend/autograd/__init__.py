"""`flow.autograd`: gradients as values, functions with gradients of their own, and anomalies."""

from typing import TYPE_CHECKING

from penstock.autograd import functional as functional
from penstock.autograd.anomaly import detect_anomaly as detect_anomaly
from penstock.autograd.anomaly import set_detect_anomaly as set_detect_anomaly
from penstock.autograd.derivatives import backward as backward
from penstock.autograd.derivatives import grad as grad
from penstock.autograd.function import Function as Function
from penstock.basics.names import no_such
from penstock.tensors.modes import enable_grad as enable_grad
from penstock.tensors.modes import inference_mode as inference_mode
from penstock.tensors.modes import is_grad_enabled as is_grad_enabled
from penstock.tensors.modes import no_grad as no_grad
from penstock.tensors.modes import set_grad_enabled as set_grad_enabled
from penstock.tensors.tensor import Tensor as Variable

__all__ = [
    "Function", "Variable", "backward", "detect_anomaly", "enable_grad", "functional", "grad",
    "inference_mode", "is_grad_enabled", "no_grad", "set_detect_anomaly", "set_grad_enabled",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__ = no_such("flow.autograd")
