"""Elementwise jobs, compiled once for operands of any shape.

    relu of tensor<2x3xf32>, relu of tensor<7xf32>  ->  one job of tensor<4096xf32> {job.count}

All operands have the same shape, or rank 0. The number of elements is passed at run time, so a new
shape needs no compilation.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import cast

from penstock.ir.attributes import IntegerAttr
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.func import Func
from penstock.ir.types import TensorType
from penstock.lowering.modules import Modules
from penstock.process.forks import making
from penstock.runtime import Executable
from penstock.runtime.description import Description
from penstock.runtime.native.shared_code import SharedCode
from penstock.stages.job_cache import compile_stages
from penstock.stages.native import load, prepare
from penstock.tensors.recent import Recent

_COUNT = 4096
"""Placeholder extent: stands for any number of elements."""


class AnyCount:
    """A job for any number of elements, compiled on first use."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._loaded: tuple[Description, int, SharedCode] | None = None

    def executable(self, shape: tuple[int, ...]) -> Executable:
        """The job for operands of this shape."""
        with making:
            if self._loaded is None:
                name = self._module.job.sym_name
                program = compile_stages(name, Modules("job", self._module), prepare).program
                description, code = Description.from_dict(program.description), load(program)
                self._loaded = description, code.address(description.entry), code
        description, address, code = self._loaded
        return Executable(address, description.sized(shape), code)


_jobs: Recent[AnyCount] = Recent()


def any_count(function: Func) -> tuple[AnyCount, tuple[int, ...]] | None:
    """The shared job for any number of elements, and the shape of these operands.

    None if an op is not elementwise, or if operands have different shapes.
    """
    shapes = {_shape(value) for op in function.walk() for value in _values(op)} - {()}
    results = {_shape(value) for value in function.returned.operands}
    if len(shapes) != 1 or results != shapes or not all(map(_is_elementwise, function.body)):
        return None
    (shape,) = shapes
    key = _key(function)
    found = _jobs.get(key)
    if found is None:
        found = _jobs.keep(key, AnyCount(_for_any_count(function, shape)))
    return found, shape


def _key(function: Func) -> Hashable:
    """Everything the job depends on except the shape."""
    numbers: dict[Value, int] = {}
    ops: list[Hashable] = []
    for op in function.walk():
        for value in _values(op):
            numbers[value] = len(numbers)
        types = tuple((cast(TensorType, v.type).element, not _shape(v)) for v in _values(op))
        facts = () if isinstance(op, Func) else tuple(op.attributes.items())
        ops.append((type(op), tuple(numbers[v] for v in op.operands), types, facts))
    return tuple(ops)


def _for_any_count(function: Func, shape: tuple[int, ...]) -> Module:
    """A copy of the job's module with the shape replaced by the placeholder extent."""
    module = cast(Module, cast(Module, function.parent).clone())
    for op in module.job.walk():
        for value in _values(op):
            if _shape(value) == shape:
                value.type = TensorType((_COUNT,), cast(TensorType, value.type).element)
    module.job.update_type()
    module.attributes["job.count"] = IntegerAttr(_COUNT)
    return module


def _values(op: Operation) -> list[Value]:
    return [*(op.arguments if isinstance(op, Func) else op.results)]


def _shape(value: Value) -> tuple[int, ...]:
    return cast(TensorType, value.type).shape


def _is_elementwise(op: Operation) -> bool:
    if not isinstance(op, TensorOp):
        return op.terminator
    return op.by_element and (bool(op.operands) or all(not _shape(v) for v in op.results))
