"""MindSpore's face: tensors, cells, ops and gradients under its names, on penstock's own.

    import penstock.mindspore as ms
    from penstock.mindspore import Tensor, context, nn, ops

docs/mindspore.md lists what is there and how it differs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.basics.checks import check_integer
from penstock.basics.errors import did_you_mean, located
from penstock.mindspore import context as context
from penstock.mindspore import dataset as dataset
from penstock.mindspore import dtype as dtype
from penstock.mindspore import initializer as initializer
from penstock.mindspore import nn as nn
from penstock.mindspore import ops as ops
from penstock.mindspore import train as train
from penstock.mindspore.compiled import jit as jit
from penstock.mindspore.compiled import ms_function as ms_function
from penstock.mindspore.context import GRAPH_MODE as GRAPH_MODE
from penstock.mindspore.context import PYNATIVE_MODE as PYNATIVE_MODE
from penstock.mindspore.context import get_context as get_context
from penstock.mindspore.context import set_context as set_context
from penstock.mindspore.dtype import dtype_to_nptype as dtype_to_nptype
from penstock.mindspore.dtype import pytype_to_dtype as pytype_to_dtype
from penstock.mindspore.parameter import Parameter as Parameter
from penstock.mindspore.parameter import ParameterTuple as ParameterTuple
from penstock.mindspore.tensor import Tensor as Tensor
from penstock.mindspore.train import Model as Model
from penstock.mindspore.train import load_checkpoint as load_checkpoint
from penstock.mindspore.train import load_param_into_net as load_param_into_net
from penstock.mindspore.train import save_checkpoint as save_checkpoint
from penstock.tensor_functions.random_numbers import manual_seed

_seed: int | None = None


def set_seed(seed: int) -> None:
    """Start all random numbers over with this seed: those of ops, initializers, datasets and NumPy.

    >>> import penstock.mindspore as ms
    >>> ms.set_seed(1)
    >>> x = ms.ops.StandardNormal()((2,))
    >>> ms.set_seed(1)
    >>> bool((ms.ops.StandardNormal()((2,)) == x).all())
    True
    """
    global _seed
    _seed = check_integer(seed, "seed of set_seed", 0)
    manual_seed(_seed)
    np.random.seed(_seed % 2**32)


def get_seed() -> int | None:
    """The seed that was set last; None if there was none."""
    return _seed


def __getattr__(name: str) -> Any:
    if name in dtype.PUBLIC:
        return getattr(dtype, name)
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    raise located(AttributeError, f"flow.mindspore has no {name!r}{did_you_mean(name, __dir__())}")


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name[0] != "_"), *dtype.PUBLIC})
