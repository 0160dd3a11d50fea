"""Functions of single ops in one job, and arrays compared bit for bit."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func
from penstock.ir.types import TensorType
from penstock.lowering.modules import Modules
from penstock.runtime import Executable
from penstock.stages.job_cache import compile_stages
from penstock.stages.native import executable
from penstock.tensors.kernels import function_of

Array = np.ndarray[Any, Any]


def same_bits(one: Array, other: Array) -> bool:
    """Whether two arrays are equal in every bit, any NaN for any NaN."""
    if one.shape != other.shape:
        return False
    unequal = one.view(f"u{one.itemsize}") != other.view(f"u{other.itemsize}")
    if one.dtype.kind in "iu":
        return not unequal.any()
    nan = np.isnan(one.astype(np.float64)) & np.isnan(other.astype(np.float64))
    return not (unequal & ~nan).any()


def alone(functions: list[Func]) -> Executable:
    """A job of several functions of known shapes, which share nothing.

    It takes all their operands, and returns all their results.
    """

    def body(b: Builder, arguments: list[Value]) -> list[Value]:
        left, results = iter(arguments), []
        for function in functions:
            values: dict[Value, Value] = {a: next(left) for a in function.arguments}
            for op in function.body:
                if not op.terminator:
                    b.insert(op.clone(values))
            results += [values[value] for value in function.returned.operands]
        return results

    types = [cast(TensorType, a.type) for function in functions for a in function.arguments]
    whole = function_of("alone", types, body)
    modules = Modules("job", cast(Module, whole.parent))
    return executable(compile_stages("alone", modules).program)
