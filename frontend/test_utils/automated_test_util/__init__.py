"""AutoTest under OneFlow's names: `from penstock.test_utils.automated_test_util import *`."""

import os as os

from penstock.test_utils.automated_test_util.generators import *  # noqa: F403
from penstock.test_utils.automated_test_util.generators import __all__ as _generators
from penstock.test_utils.automated_test_util.profiler import profile as profile
from penstock.test_utils.automated_test_util.torch_flow_dual_object import *  # noqa: F403
from penstock.test_utils.automated_test_util.torch_flow_dual_object import __all__ as _dual_objects
from penstock.test_utils.automated_test_util.torch_flow_dual_object import torch as torch

# Tests of OneFlow use `os` from here, too.
__all__ = [*_generators, *_dual_objects, "os", "profile", "torch"]
