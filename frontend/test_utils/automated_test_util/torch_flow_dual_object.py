"""Dual objects, and the decorators that run tests on them."""

from penstock.testing.alignment.autotest import autotest as autotest
from penstock.testing.alignment.autotest import globaltest as globaltest
from penstock.testing.duals.drawn import choice_tensor as choice_tensor
from penstock.testing.duals.drawn import random_dtype as random_dtype
from penstock.testing.duals.drawn import random_tensor as random_tensor
from penstock.testing.duals.dual import DualObject as DualObject
from penstock.testing.duals.dual import GetDualObject as GetDualObject
from penstock.testing.duals.dual import get_args as get_args
from penstock.testing.duals.dual import torch as torch

__all__ = ["autotest", "choice_tensor", "globaltest", "random_dtype", "random_tensor"]
