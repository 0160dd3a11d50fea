"""The classes of `flow.nn`: layers, losses and containers.

They can also be imported from where PyTorch and OneFlow keep them:
`from penstock.nn.modules.batchnorm import BatchNorm2d`.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_HOMES = {
    "activation": "modules.activations", "batchnorm": "modules.norms",
    "batchnorm_fused": "modules.norms", "container": "modules.containers",
    "conv": "modules.convs", "dataset": "datasets", "distance": "modules.losses",
    "dropout": "modules.shaping", "fake_quantization": "quantizing",
    "flatten": "modules.linears", "fold": "modules.shaping", "instancenorm": "modules.norms",
    "linear": "modules.linears", "loss": "modules.losses", "min_max_observer": "quantizing",
    "moving_average_min_max_observer": "quantizing", "normalization": "modules.norms",
    "padding": "modules.shaping", "pixelshuffle": "modules.shaping", "pooling": "modules.pools",
    "quantization": "quantizing", "rnn": "modules.recurrent", "sparse": "modules.linears",
    "upsampling": "modules.shaping",
}  # fmt: skip
"""The modules of PyTorch and OneFlow, and where in `penstock.nn` their classes are."""


class _Elsewhere(ModuleType):
    """A module of theirs, which imports ours when it is first asked for a name."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        home = _HOMES[self.__name__.rpartition(".")[2]]
        return getattr(import_module(f"penstock.nn.{home}"), name)


for _name in _HOMES:
    globals()[_name] = sys.modules[f"{__name__}.{_name}"] = _Elsewhere(f"{__name__}.{_name}")
