"""Penstock: job functions, compiled to native code that can be watched.

Importing this package, or any package below it, loads none of its modules: a name is looked up in
`_LAZY` when it is first used. So `import penstock.runtime` stays as small as the runtime.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock import config as config
    from penstock import data as data
    from penstock import distribute as distribute
    from penstock import env as env
    from penstock import optimizer as optimizer
    from penstock import regularizers as regularizers
    from penstock import scope as scope
    from penstock import typing as typing
    from penstock.dtypes import bfloat16 as bfloat16
    from penstock.dtypes import (
        convert_oneflow_dtype_to_numpy_dtype as convert_oneflow_dtype_to_numpy_dtype,
    )
    from penstock.dtypes import float16 as float16
    from penstock.dtypes import float32 as float32
    from penstock.dtypes import float64 as float64
    from penstock.dtypes import int8 as int8
    from penstock.dtypes import int32 as int32
    from penstock.dtypes import int64 as int64
    from penstock.dtypes import uint8 as uint8
    from penstock.initializers import constant_initializer as constant_initializer
    from penstock.initializers import glorot_normal_initializer as glorot_normal_initializer
    from penstock.initializers import glorot_uniform_initializer as glorot_uniform_initializer
    from penstock.initializers import kaiming_initializer as kaiming_initializer
    from penstock.initializers import ones_initializer as ones_initializer
    from penstock.initializers import random_normal_initializer as random_normal_initializer
    from penstock.initializers import random_uniform_initializer as random_uniform_initializer
    from penstock.initializers import truncated_normal as truncated_normal
    from penstock.initializers import truncated_normal_initializer as truncated_normal_initializer
    from penstock.initializers import variance_scaling_initializer as variance_scaling_initializer
    from penstock.initializers import xavier_normal_initializer as xavier_normal_initializer
    from penstock.initializers import xavier_uniform_initializer as xavier_uniform_initializer
    from penstock.initializers import zeros_initializer as zeros_initializer
    from penstock.job_config import FunctionConfig as FunctionConfig
    from penstock.job_config import function_config as function_config
    from penstock.signature import FixedTensorDef as FixedTensorDef
    from penstock.signature import MirroredTensorDef as MirroredTensorDef
    from penstock.signature import MirroredTensorListDef as MirroredTensorListDef

    char, double, float = int8, float64, float32

# Modules that are public under their own names.
_MODULES = ("config", "data", "distribute", "env", "optimizer", "regularizers", "scope", "typing")

# Where the public functions, classes and constants are. A module below `penstock` is never named
# like one of them, because importing it would put the module in its place.
_MEMBERS = {
    "dtypes": (
        "bfloat16", "char", "convert_oneflow_dtype_to_numpy_dtype", "double", "float", "float16",
        "float32", "float64", "int8", "int32", "int64", "uint8",
    ),
    "initializers": (
        "constant_initializer", "glorot_normal_initializer", "glorot_uniform_initializer",
        "kaiming_initializer", "ones_initializer", "random_normal_initializer",
        "random_uniform_initializer", "truncated_normal", "truncated_normal_initializer",
        "variance_scaling_initializer", "xavier_normal_initializer", "xavier_uniform_initializer",
        "zeros_initializer",
    ),
    "job_config": ("FunctionConfig", "function_config"),
    "signature": ("FixedTensorDef", "MirroredTensorDef", "MirroredTensorListDef"),
}  # fmt: skip

# Public name -> "module", or "module:attribute".
_LAZY: dict[str, str] = {
    **{name: f"penstock.{name}" for name in _MODULES},
    **{name: f"penstock.{home}:{name}" for home, names in _MEMBERS.items() for name in names},
}

__all__ = sorted(_LAZY)


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = _LAZY[name].partition(":")
    value: object = import_module(module)
    if attribute:
        value = getattr(value, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
