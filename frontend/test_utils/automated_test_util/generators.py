"""The generators of random arguments."""

from penstock.testing.duals.drawn import all_cpu_placement as all_cpu_placement
from penstock.testing.duals.drawn import all_placement as all_placement
from penstock.testing.duals.drawn import all_sbp as all_sbp
from penstock.testing.duals.drawn import random_cpu_placement as random_cpu_placement
from penstock.testing.duals.drawn import random_placement as random_placement
from penstock.testing.duals.drawn import random_pytorch_tensor as random_pytorch_tensor
from penstock.testing.duals.drawn import random_sbp as random_sbp
from penstock.testing.duals.generators import Nothing as Nothing
from penstock.testing.duals.generators import constant as constant
from penstock.testing.duals.generators import cpu_device as cpu_device
from penstock.testing.duals.generators import generator as generator
from penstock.testing.duals.generators import gpu_device as gpu_device
from penstock.testing.duals.generators import nothing as nothing
from penstock.testing.duals.generators import oneof as oneof
from penstock.testing.duals.generators import random as random
from penstock.testing.duals.generators import random_bool as random_bool
from penstock.testing.duals.generators import random_device as random_device
from penstock.testing.duals.generators import random_or_nothing as random_or_nothing

__all__ = [
    "all_cpu_placement", "all_placement", "all_sbp", "constant", "cpu_device", "gpu_device",
    "nothing", "oneof", "random", "random_bool", "random_cpu_placement", "random_device",
    "random_or_nothing", "random_placement", "random_pytorch_tensor", "random_sbp",
]  # fmt: skip
