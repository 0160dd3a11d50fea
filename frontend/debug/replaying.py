"""Runs the ops of a module one by one, each by the kernel that tensors use, on arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import ml_dtypes
import numpy as np

from penstock.ir.core import Value
from penstock.ir.dialects import job
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.lowering.modules import Modules
from penstock.passes.manager import run_pipeline
from penstock.passes.pipeline import Pipeline
from penstock.tensors.kernels import one_op

Array = np.ndarray[Any, Any]


def plain_module(modules: Modules) -> Module:
    """The module with its backward and a watch point for each value, before any simplification."""
    tapped = modules.with_taps("every")
    steps = list(tapped.pipelines["grad"])
    last = max(i for i, step in enumerate(steps) if step.name == "mark-blobs")
    module = cast(Module, modules[modules.first].clone())
    run_pipeline(module, Pipeline(steps[: last + 1]))
    return module


def epsilon(dtype: np.dtype[Any]) -> float:
    """The distance from 1 to the next number of a type; 0 for integers."""
    if dtype.kind in "iub":
        return 0.0
    return float(ml_dtypes.finfo(dtype).eps)  # type: ignore[no-untyped-call]


def replay(
    module: Module, arguments: Sequence[Array], noise: np.random.Generator | None = None
) -> dict[str, Array]:
    """The values of the watch points of a job, by label, on these arguments.

    With `noise`, each argument and result is changed by about one rounding, so that the difference
    to a replay without noise shows how much rounding decides (Monte Carlo arithmetic).
    """
    function = module.job
    values: dict[Value, Array] = {
        value: _perturbed(array, noise)
        for value, array in zip(function.arguments, arguments, strict=True)
    }
    found: dict[str, Array] = {}
    for op in function.body:
        if isinstance(op, job.Watch | job.Watchable):
            found[op.label] = values[op.value]
        elif isinstance(op, TensorOp):
            made = _run(op, values)
            exact = not op.operands
            for result, array in zip(op.results, made, strict=True):
                values[result] = array if exact else _perturbed(array, noise)
    return found


def _run(op: TensorOp, values: Mapping[Value, Array]) -> Sequence[Array]:
    attributes = {key: getattr(op, key) for key in op.definition.attributes}
    given = {key: value for key, value in attributes.items() if value is not None}
    operands: list[Any] = []
    for group in op.definition.operands:
        start, stop = group.span(op)
        members = [values[value] for value in op.operands[start:stop]]
        operands.append(members if group.variadic else members[0])
    one = one_op(op.name, operands, given)
    if one.is_view or one.only_moves or not op.operands:
        return one.moved(operands)
    return one.kernel(*[values[value] for value in op.operands])


def _perturbed(array: Array, noise: np.random.Generator | None) -> Array:
    if noise is None or array.dtype.kind in "iub":
        return array
    wide = array.astype(np.float64)
    half = epsilon(array.dtype) / 2
    with np.errstate(all="ignore"):
        changed = wide * (1 + half * noise.uniform(-1, 1, wide.shape))
        return np.asarray(changed).astype(array.dtype)
