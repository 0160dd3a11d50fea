"""AutoTest under OneFlow's names: `from penstock.test_utils.automated_test_util import *`."""

from penstock.test_utils.automated_test_util.generators import *  # noqa: F403
from penstock.test_utils.automated_test_util.profiler import profile as profile
from penstock.test_utils.automated_test_util.torch_flow_dual_object import *  # noqa: F403
from penstock.test_utils.automated_test_util.torch_flow_dual_object import torch as torch
