"""Jobs compiled once for operands of many shapes: by element, or row by row.

    relu of tensor<2x3xf32>, relu of tensor<7xf32>  ->  one job of tensor<4096xf32> {job.count}
    softmax of tensor<8x10xf32>, of tensor<64x10xf32>  ->  one job of tensor<257x10xf32> {job.rows}

By element: all operands have the same shape, or rank 0. By row: operands and results have the same
outer extents, which are the rows, or none of them; the length of a row remains part of the type.
The number of elements or rows is passed at run time, so a new one needs no compilation.

That a job does not depend on its number of rows is checked, not assumed: its loops must be the same
for two numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import prod
from typing import Any, Protocol, cast

from penstock.basics.recent import Recent
from penstock.ir.attributes import IntegerAttr
from penstock.ir.core import Operation, Value
from penstock.ir.diagnostics import Diagnostic, IRError, Refused
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.func import Func
from penstock.ir.facets import FacetError
from penstock.ir.text.printer import print_module
from penstock.ir.types import TensorType
from penstock.lowering.modules import Modules, target_level
from penstock.lowering.user_cache import compiler_digest, has_changed, user_store
from penstock.process.forks import making
from penstock.runtime import Executable
from penstock.runtime.description import Description
from penstock.runtime.native.shared_code import SharedCode
from penstock.stages.job_cache import compile_stages
from penstock.stages.native import load, prepare

_COUNT = 4096
"""Placeholder extent: stands for any number of elements."""


class AnyCount:
    """A job for any number of elements, compiled on first use."""

    def __init__(
        self, modules: Modules, when_missing: Callable[[], Callable[[], object]] = prepare
    ) -> None:
        """`when_missing` is that of `compile_stages`."""
        self._modules = modules
        self._when_missing = when_missing
        self._loaded: tuple[Description, int, SharedCode] | None = None

    def executable(self, shape: tuple[int, ...]) -> Executable:
        """The job for operands of this shape."""
        description, address, code = self.load()
        return Executable(address, description.sized(shape), code, recycles=True)

    @property
    def least(self) -> int:
        """The least number of elements or rows."""
        return self.load()[0].least

    def load(self) -> tuple[Description, int, SharedCode]:
        """Compile it, unless that is done; gives its description, the entry's address, its code."""
        with making:
            if self._loaded is None:
                name = self._modules["job"].job.sym_name
                program = compile_stages(name, self._modules, self._when_missing).native
                description, code = Description.from_dict(program.description), load(program)
                self._loaded = description, code.address(description.entry), code
            return self._loaded


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
        found = _jobs.keep(key, AnyCount(Modules("job", _for_any_count(function, shape))))
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


# -- rows ------------------------------------------------------------------------------------------


Gradients = tuple[tuple[bool, ...], tuple[bool, ...]]

_FEW = 256
_STANDS_FOR = {
    1: ((257,), (263,), (269,), (271,)),
    2: ((13, 20), (11, 24), (7, 38), (9, 30)),
    3: ((4, 5, 13), (2, 11, 12), (6, 5, 9), (3, 7, 13)),
    4: ((2, 5, 2, 13), (3, 2, 4, 11), (2, 3, 5, 9), (2, 3, 2, 23)),
}
"""By the number of outer extents, those that stand for any; they make a little over `_FEW` rows."""
_MORE = 4
"""Loops of so many times more rows may treat memory differently. They are compiled apart."""


class Op(Protocol):
    """What is needed of an op specialised to operand types and attributes."""

    name: str
    operands: Sequence[TensorType | Sequence[TensorType]]
    types: list[TensorType]

    @property
    def by_row(self) -> bool:
        """Whether rows of the results depend on rows of the operands."""

    @property
    def key(self) -> Any:
        """Its attributes."""

    def of_types(self, types: Sequence[TensorType], gradients: Gradients | None) -> Func:
        """The function of the same op, or of its gradients, for operands of other types."""


_row_jobs: Recent[AnyCount | str] = Recent()


def any_rows(
    op: Op, gradients: Gradients | None, function: Func
) -> tuple[AnyCount, tuple[int, ...]] | None:
    """The shared job for any number of rows, and the outer extents of these operands.

    `function` is the op or, with `gradients`, its gradients. None if it does not go row by row.
    """
    if not op.by_row or not op.types:
        return None
    results = [cast(TensorType, value.type) for value in function.returned.operands]
    widest = max((*op.types, *results), key=lambda type: (type.rank, type.count))
    for count in dict.fromkeys((widest.rank - 1, 1)):
        outer = widest.shape[:count]
        if count in _STANDS_FOR and prod(outer) > 1 and _go_by_row(op.types, results, outer):
            found = _row_job(op, gradients, outer)
            if isinstance(found, AnyCount) and prod(outer) >= found.least:
                return found, outer
    return None


def _go_by_row(
    operands: Sequence[TensorType], results: Sequence[TensorType], outer: tuple[int, ...]
) -> bool:
    """Whether an operand and all results have these outer extents, and elements in each row."""
    return any(_has(type.shape, outer) for type in operands) and all(
        _has(type.shape, outer) and 0 not in type.shape[len(outer) :] for type in results
    )


def _has(shape: tuple[int, ...], outer: tuple[int, ...]) -> bool:
    return shape[: len(outer)] == outer


def _row_job(op: Op, gradients: Gradients | None, outer: tuple[int, ...]) -> AnyCount | str:
    """The job for any number of rows, or why there is none."""
    rows = [_has(type.shape, outer) for type in op.types]
    inner = [t.shape[len(outer) * has :] for t, has in zip(op.types, rows, strict=True)]
    elements = tuple(type.element for type in op.types)
    groups = tuple(0 if isinstance(given, TensorType) else len(given) for given in op.operands)
    many = 1
    while _FEW * many * _MORE <= prod(outer) and many < _MORE**7:
        many *= _MORE
    key = op.name, op.key, groups, elements, tuple(rows), tuple(inner), len(outer), many, gradients
    found = _row_jobs.get(key)
    if found is None:
        fixed = {extent for shape in inner for extent in shape}
        choices = [(first * many, *others) for first, *others in _STANDS_FOR[len(outer)]]
        choices = [e for e in choices if fixed.isdisjoint((*e, prod(e)))]
        try:
            made = _made(choices, lambda outer: _traced(op, gradients, rows, inner, outer))
            found = _row_jobs.keep(key, made)
        except Refused as refused:
            found = _row_jobs.keep(key, str(refused))
    return found


def _traced(
    op: Op,
    gradients: Gradients | None,
    rows: Sequence[bool],
    inner: Sequence[tuple[int, ...]],
    outer: tuple[int, ...],
) -> Modules:
    """The job with these outer extents, which stand for any."""
    types = [
        TensorType((*outer, *shape) if has else shape, type.element)
        for type, has, shape in zip(op.types, rows, inner, strict=True)
    ]
    try:
        module = cast(Module, op.of_types(types, gradients).parent)
    except FacetError:
        raise
    except IRError as error:  # an operand has the extents of the rows by chance
        raise Refused(*error.diagnostics) from None
    module.attributes["job.rows"] = IntegerAttr(prod(outer))
    return Modules("job", module)


def _made(
    choices: Sequence[tuple[int, ...]], traced: Callable[[tuple[int, ...]], Modules]
) -> AnyCount:
    """The job, compiled and loaded; raises `Refused`."""
    if len(choices) < 2:
        raise Refused(Diagnostic("a row is as long as what stands for the number of rows"))
    one, store = traced(choices[0]), user_store()
    key = _key_of_refusal(one)

    def when_missing() -> Callable[[], object]:
        refusal = None if store is None else store.get(key)
        if refusal is not None:
            raise Refused(Diagnostic(refusal.decode()))
        finish = prepare()

        def meanwhile() -> None:
            finish()
            _check_alike(one, traced(choices[1]))

        return meanwhile

    made = AnyCount(one, when_missing)
    try:
        made.load()
    except Refused as refused:
        if store is not None and not has_changed():
            store.put(key, str(refused).encode())
        raise
    return made


def _check_alike(one: Modules, other: Modules) -> None:
    """Raise `Refused` unless the loops of a job are the same for another number of rows."""
    from penstock.passes.buffers.any_count import loops_over_rows

    mine = [function for function in one["loops"].functions() if function.sym_visibility]
    theirs = loops_over_rows(other["fused"], target_level())
    if [*map(print_module, mine)] != [*map(print_module, theirs)]:
        raise Refused(Diagnostic("the loops depend on the number of rows"))


def _key_of_refusal(modules: Modules) -> str:
    from penstock.codegen.cache import key_of

    return key_of("refused", compiler_digest(), target_level(), print_module(modules["job"]))
