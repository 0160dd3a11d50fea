"""Pass `outline-groups`: outline groups of generics, and kernels, into private functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar

from penstock.ir import types as ty
from penstock.ir.attributes import DenseArrayAttr, IntegerAttr, StringAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Block, Operation, OpResult, Region, Value
from penstock.ir.dialects import func, job, linalg, tensor
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import structured
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.location import fuse
from penstock.ir.rewriting.lowering import SEGMENT
from penstock.ir.rewriting.rewrite_session import Remark, current
from penstock.passes.analysis import generics
from penstock.passes.base import Order, Pass
from penstock.passes.fusion.fuse import obstacle
from penstock.passes.fusion.grouping import Pair, hint, is_placed_into, moves_inside, units_of
from penstock.passes.fusion.joining import FusionUnit


class OutlineGroups(Pass):
    """Outline each root generic, with the generics that share its loops, into a function.

        %0 = linalg.generic ins(%x, %w) outs(%zeros) { matmul }
        %1 = linalg.generic ins(%0, %b) outs(%empty) { add, relu }
    ->
        %1 = func.call @matmul_add_relu_0(%x, %w, %b)

    A generic joins the group of its producer if it reads each element at the iteration that wrote
    it, over the group's common dimensions, and no op outside must run between the two. A
    contraction is always a root. Groups that are read by the same generic are merged, and so are
    groups that read a large tensor at the same points. A value with a use outside (a watch, another
    group) becomes a result. Empties, scalar constants and fills are cloned into the function. A
    kernel is a group of its own. Equal groups share one function. The job is left with views,
    watches, calls and the return.
    """

    name = "outline-groups"
    required = True
    before: ClassVar[Order] = {"bufferize": "only groups are lowered to loops"}
    fuses = True

    def run(self, module: Module) -> None:
        Outliner(module).outline_block(module.job.body)


def _remark(pair: Pair) -> Remark:
    names = generics.described(pair.producer), generics.described(pair.consumer)
    inputs = enumerate(pair.consumer.inputs)
    reads = [i for i, value in inputs if value.defining_op is pair.producer]
    why = next(filter(None, (obstacle(pair.consumer, i) for i in reads)), None)
    if pair.apart is not None:
        is_factor = why and generics.is_contraction(pair.consumer)
        return Remark(*names, False, f"{pair.apart}, and {why}" if is_factor else pair.apart)
    rest = f", and are two bodies: {why}" if why else ""
    return Remark(*names, True, f"the two share their outer loops{rest}")


def _fill_empties(block: Block) -> None:
    """Replace a `tensor.empty` that is read by a fill, so that a group defines its buffer.

    Such a tensor may have no elements, as when two empty tensors are concatenated. Then the fill
    has no loop.
    """
    for op in list(block):
        if not isinstance(op, tensor.Empty):
            continue
        type, read = op.result.type, [use for use in op.result.uses if _is_read(*use)]
        if read and isinstance(type, ty.TensorType):
            b = Builder.ahead_of(op)
            b.location = op.location
            filled = structured.filled(b, 0, type.shape, type.element)
            for user, position in read:
                user.set_operand(position, filled)


def _is_read(user: Operation, position: int) -> bool:
    """Whether an op reads an operand's elements, rather than overwriting it or using its shape."""
    if not isinstance(user, linalg.Generic):
        return True
    return position < len(user.inputs) and bool(generics.input_arguments(user)[position].uses)


def _separate_fills(block: Block) -> None:
    """Clone fills that have other users besides generics, and once for each op that places parts
    into one."""
    for op in block:
        if not isinstance(op, linalg.Generic) or op.inputs:
            continue
        value = op.results[0]
        for user, position in [use for use in value.uses if is_placed_into(*use)]:
            if len(value.uses) > 1 and generics.fill_constant(op) is not None:
                user.set_operand(position, _copied(op))
        if not moves_inside(op):
            continue
        others = [
            use
            for use in value.uses
            if use[0].block is block and not isinstance(use[0], linalg.Generic)
        ]
        if others and len(others) < len(value.uses):
            value.replace_all_uses_with(_copied(op))
            for user, position in others:
                user.set_operand(position, value)


def _copied(op: linalg.Generic) -> Value:
    """Clone an op ahead of itself, and return the clone's result."""
    assert op.block is not None
    copy = op.clone()
    op.block.insert_before(op, copy)
    return copy.results[0]


class Outliner:
    """Outlines the groups of one or more blocks. Equal groups share one function."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.session = current()
        self.known: dict[Hashable, func.Func] = {}
        self.counts: Counter[str] = Counter()
        self.names = {f.sym_name for f in module.functions()}

    def reuse(self, function: func.Func) -> None:
        """Register a function of the module, so that groups equal to it call it."""
        self.known[structure(function)] = function

    def outline_block(self, block: Block) -> None:
        """Replace the groups of a block by calls."""
        # Outlined, they would become calls without results, which count as having an effect.
        block.erase_unused()
        _fill_empties(block)
        _separate_fills(block)
        units, pairs = units_of(block)
        remarks = self.session.remarks
        if remarks is not None:
            remarks.extend(map(_remark, pairs))
        for unit in units:
            for op in unit.ops:
                op.detach()
        terminator = block.terminator
        for unit in units:
            if unit.is_function:
                self.outline(unit, terminator)
            else:
                block.insert_before(terminator, unit.ops[0])
        block.erase_unused()

    def outline(self, unit: FusionUnit, terminator: Operation) -> None:
        """Outline a group, and insert a call before the terminator."""
        members = set(unit.ops)
        inputs = list(dict.fromkeys(v for op in unit.ops for v in _needed(op, members)))
        results: list[Value] = [
            r for op in unit.ops for r in op.results if _used_outside(r, members)
        ]
        function = self._shared(_function(unit.ops, inputs, results), hint(unit.ops))
        b = Builder.ahead_of(terminator)
        b.location = fuse(*(op.location for op in unit.ops))
        self.session.count("outline-groups", unit.ops[0])
        call = b.create(func.Call, inputs, types=function.type.results, callee=function.sym_name)
        _tell_values(call, results)
        if unit.again:
            call.attributes[job.AGAIN] = IntegerAttr(min(map(int, unit.again)))
        for old, new in zip(results, call.results, strict=True):
            new.name = old.name
            old.replace_all_uses_with(new)
        for op in reversed(unit.ops):
            op.drop_all()

    def _shared(self, function: func.Func, wanted: str) -> func.Func:
        """An equal function that exists already, or else this one under a new name."""
        key = structure(function)
        known = self.known.get(key)
        if known is not None:
            return known
        while (name := f"{wanted}_{self.counts[wanted]}") in self.names:
            self.counts[wanted] += 1
        self.counts[wanted] += 1
        self.names.add(name)
        function.sym_name = name
        self.known[key] = function
        self.module.body.append(function)
        return function


def _tell_values(call: func.Call, results: Sequence[Value]) -> None:
    """Record on a call which result of which numbered op each of its results is."""
    words: list[int] = []
    for value in results:
        assert isinstance(value, OpResult)
        number = value.op.attributes.get(job.SERIAL)
        if not isinstance(number, IntegerAttr):
            return
        words += [number.value, value.index]
    call.attributes[job.VALUES] = DenseArrayAttr(ty.i64, tuple(words))


def _needed(op: Operation, members: set[Operation]) -> Iterator[Value]:
    """The values that an op uses from outside the group, seen through the ops cloned into it."""
    for value in generics.used_values(op):
        maker = value.defining_op
        if maker is not None and moves_inside(maker) and not isinstance(op, Kernel):
            yield from _needed(maker, members)
        elif maker not in members:
            yield value


def _used_outside(value: Value, members: set[Operation]) -> bool:
    return any(user not in members and user.parent not in members for user in value.users())


def _function(ops: list[Operation], inputs: list[Value], results: list[Value]) -> func.Func:
    """A private function with clones of the ops."""
    types = [value.type for value in inputs]
    names = [value.name for value in inputs]
    function = func.Func.make("", types, [v.type for v in results], private=True, names=names)
    function.location = fuse(*(op.location for op in ops))
    mapping: dict[Value, Value] = dict(zip(inputs, function.arguments, strict=True))
    for op in ops:
        _copy(op, function.body, mapping)
    returned = [mapping[value] for value in results]
    function.body.append(func.Return(returned, [], location=function.location))
    return function


def _copy(op: Operation, block: Block, mapping: dict[Value, Value]) -> None:
    """Append a clone of an op, after clones of the ops that are cloned into each group."""
    for value in generics.used_values(op):
        maker = value.defining_op
        if value not in mapping and maker is not None and moves_inside(maker):
            _copy(maker, block, mapping)
    copy = op.clone(mapping)
    copy.attributes.pop(job.SERIAL, None)
    words = generics.sources(op)
    if any(SEGMENT in word for word in words):
        # So that the function is that of the first time.
        first = "+".join(word.partition(SEGMENT)[0] for word in words)
        copy.attributes[generics.SOURCE] = StringAttr(first)
    block.append(copy)


def structure(function: func.Func) -> Hashable:
    """A key that functions share if they differ in names and locations at most."""
    return _region(function.region, {})


def _region(region: Region, numbers: dict[Value, int]) -> Hashable:
    parts: list[Hashable] = []
    for block in region.blocks:
        parts.append(_numbered(block.arguments, numbers))
        for op in block:
            operands = tuple(numbers[value] for value in op.operands)
            attributes = frozenset(op.attributes.items())
            inside = tuple(_region(inner, numbers) for inner in op.regions)
            parts.append((op.name, operands, attributes, inside, _numbered(op.results, numbers)))
    return tuple(parts)


def _numbered(values: Sequence[Value], numbers: dict[Value, int]) -> Hashable:
    for value in values:
        numbers[value] = len(numbers)
    return tuple(value.type for value in values)
