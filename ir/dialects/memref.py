"""`memref`: buffers, views of them, loads and stores (MLIR's `memref` dialect)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from penstock.ir import types as ty
from penstock.ir.attributes import (
    Attribute,
    DenseElementsAttr,
    IntegerAttr,
    StridedLayoutAttr,
    StringAttr,
    TypeAttr,
    python_value,
    unit,
)
from penstock.ir.attributes import attribute as to_attribute
from penstock.ir.builder import Builder
from penstock.ir.codecs import ATTRIBUTE, BOOL, INTEGER, STRING, SYMBOL, TYPE, UNIT
from penstock.ir.constraints import ANY, INDEX, MEMREF
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.slices import PART, Expand, Reshape, Slice
from penstock.ir.opdef import attribute, operand, operands, result
from penstock.ir.quoting import bare_or_quoted, quote, unquote
from penstock.ir.text.mixed_lists import DYNAMIC_INDEX
from penstock.ir.types import MemRefType, Type
from penstock.ir.verify.reach import AccessInterface, Reach, StridedSpan, element

if TYPE_CHECKING:
    from penstock.ir.text.parser import Parser
    from penstock.ir.text.printer import Printer


LINE = 64
"""Bytes of a cache line, to which scratch is aligned."""
ROW = 1024
"""From this many bytes on, scratch is iterated over by loops that also read arrays."""
PAGE = 4096
"""Bytes of a page. Such scratch has its own offset in a page, since addresses a page apart conflict
in L1."""


def row_major(shape: Sequence[int]) -> list[int]:
    """The strides, in elements, of a contiguous buffer: the last dimension densest.

    >>> row_major((2, 3, 4))
    [12, 4, 1]
    """
    strides = [1] * len(shape)
    for i in range(len(shape) - 2, -1, -1):
        is_known = ty.DYNAMIC not in (strides[i + 1], shape[i + 1])
        strides[i] = strides[i + 1] * shape[i + 1] if is_known else ty.DYNAMIC
    return strides


def strides_and_offset(type: MemRefType) -> tuple[list[int], int]:
    """Strides and offset of a memref type in elements; DYNAMIC (-1) where not known."""
    if type.layout is None:
        return row_major(type.shape), 0
    if not isinstance(type.layout, StridedLayoutAttr):
        raise TypeError(f"{type} has a layout that is not strided")
    return list(type.layout.strides), type.layout.offset


class Allocation(Operation):
    """Base of ops that make a buffer.

    `sizes` gives its `?` extents, `symbols` those of its layout's map.
    """

    sizes = operands(INDEX)
    symbols = operands(INDEX)
    alignment = attribute(INTEGER, optional=True)
    memref = result(MEMREF)
    assembly = "`(` $sizes `)` (`[` $symbols^ `]`)? attr-dict `:` type($memref)"


class Alloc(Allocation):
    """Allocate a buffer."""

    name = "memref.alloc"


class Alloca(Allocation):
    """Allocate scratch that lives as long as the function's call, or the task, it stands in."""

    name = "memref.alloca"

    @property
    def stack_bytes(self) -> int:
        """Its bytes, and those by which code generation moves it to a place of a page."""
        type = self.memref.type
        if not isinstance(type, MemRefType) or not type.is_static:
            return 0  # code generation rejects it
        size = type.count * ty.byte_width(type.element)
        return size + (PAGE if size >= ROW else LINE)


class Dealloc(Operation):
    """Free a buffer made by `memref.alloc`."""

    name = "memref.dealloc"
    memref = operand(MEMREF)
    assembly = "$memref attr-dict `:` type($memref)"


_NOT_NONTEMPORAL = {"nontemporal": IntegerAttr(False, ty.i1)}


class Load(AccessInterface):
    """Read one element."""

    name = "memref.load"
    implied = _NOT_NONTEMPORAL
    memref = operand(MEMREF)
    indices = operands(INDEX)
    result = result()
    assembly = "$memref `[` $indices `]` attr-dict `:` type($memref)"

    def infer(self) -> Sequence[Type]:
        source = self.operands[0].type
        if not isinstance(source, MemRefType) or source.rank != len(self.operands) - 1:
            self.fail(f"reads {source} with {len(self.operands) - 1} subscripts")
        return [source.element]

    def reaches(self) -> Sequence[Reach]:
        return [element(self._operands[0], self._operands[1:])]


class Store(AccessInterface):
    """Write one element."""

    name = "memref.store"
    writes = 1
    implied = _NOT_NONTEMPORAL
    value = operand()
    memref = operand(MEMREF)
    indices = operands(INDEX)
    assembly = "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)"

    def verify(self) -> None:
        target = self.operands[1].type
        if not isinstance(target, MemRefType) or target.rank != len(self.operands) - 2:
            self.fail(f"writes {target} with {len(self.operands) - 2} subscripts")
        if self.operands[0].type is not target.element:
            self.fail(f"writes {self.operands[0].type} into {target}")

    def reaches(self) -> Sequence[Reach]:
        return [element(self._operands[1], self._operands[2:], "writes")]


class Prefetch(Operation):
    """Bring the cache line of an element near before it is needed; that changes no value.

    `locality` says how near: from 3, the first cache, to 0, past the caches.
    """

    name = "memref.prefetch"
    memref = operand(MEMREF)
    indices = operands(INDEX)
    is_write = attribute(BOOL, key="isWrite")
    locality = attribute(INTEGER, key="localityHint")
    is_data = attribute(BOOL, key="isDataCache")
    hidden = ("isWrite", "localityHint", "isDataCache")

    def verify(self) -> None:
        source = self.operands[0].type
        if not isinstance(source, MemRefType) or source.rank != len(self.operands) - 1:
            self.fail(f"reads {source} with {len(self.operands) - 1} subscripts")
        if not self._has_locality():
            hint = self.attributes["localityHint"]
            self.fail(f"has locality {hint}: expected 0 to 3, of type i32")

    def _has_locality(self) -> bool:
        hint = self.attributes.get("localityHint")
        return isinstance(hint, IntegerAttr) and hint.type is ty.i32 and 0 <= hint.value <= 3

    def write(self, p: Printer, indent: str) -> None:
        """`memref.prefetch %x[%i], read, locality<2>, data : memref<8xf32>`"""
        if set(self.attributes) - set(self.hidden) or not self._has_locality():
            p.generic_form(self, indent)
            return
        indices = ", ".join(map(p.name, self.indices))
        words = "write" if self.is_write else "read", f"locality<{self.locality}>"
        cache = "data" if self.is_data else "instr"
        p.out.append(
            f"{self.name} {p.name(self.operands[0])}[{indices}], {', '.join(words)}, {cache} : "
            f"{self.operands[0].type}"
        )

    @classmethod
    def read(cls, p: Parser) -> Prefetch:
        """The inverse of `write`."""
        values = [p.value()]
        p.expect("[")
        while not p.accept("]"):
            if len(values) > 1:
                p.expect(",")
            values.append(p.value())
        p.expect(",")
        is_write = p.accept("write")
        if not is_write:
            p.expect("read")
        for word in (",", "locality", "<"):
            p.expect(word)
        start, end = p.start, p.end
        locality = p.integer("a locality")
        if not 0 <= locality <= 3:
            p.fail(f"expected a locality of 0 to 3, got {locality}", start, end)
        for word in (">", ","):
            p.expect(word)
        is_data = p.accept("data")
        if not is_data:
            p.expect("instr")
        attributes: dict[str, Attribute] = {
            "isWrite": IntegerAttr(is_write, ty.i1),
            "localityHint": IntegerAttr(locality, ty.i32),
            "isDataCache": IntegerAttr(is_data, ty.i1),
        }
        p.expect(":")
        p.expect_type(values[0])
        return cls(values, [], attributes)


class Copy(AccessInterface):
    """Copy every element of one buffer into another of the same shape."""

    name = "memref.copy"
    writes = 1
    source = operand(MEMREF)
    target = operand(MEMREF)
    assembly = "$source `,` $target attr-dict `:` type($source) `to` type($target)"

    def verify(self) -> None:
        source, target = (cast(MemRefType, v.type) for v in self.operands)
        if source.shape != target.shape or source.element is not target.element:
            self.fail(f"expected buffers of one shape and element, got {source} and {target}")

    def reaches(self) -> Sequence[Reach]:
        # Dynamic extents are not known to be equal.
        pairs = zip(self.operands, ("reads", "writes"), strict=True)
        return [
            Reach(v, [StridedSpan(0)] * cast(MemRefType, v.type).rank, w)
            for v, w in pairs
            if not cast(MemRefType, v.type).is_static
        ]


class Cast(AccessInterface):
    """The same buffer under a less or more static type, or with its rank forgotten."""

    name = "memref.cast"
    pure = True
    source = operand(ANY)
    dest = result(ANY)
    assembly = "$source attr-dict `:` type($source) `to` type($dest)"

    def verify(self) -> None:
        source, dest = self.source.type, self.dest.type
        if isinstance(dest, MemRefType) and not self._fits(source, dest):
            self.fail(f"cannot cast {source} to {dest}: expected types that differ in ? only")

    def _fits(self, source: Type, dest: MemRefType) -> bool:
        if not isinstance(source, MemRefType) or source.rank != dest.rank:
            return False
        if source.element is not dest.element:
            return False
        (steps, start), (dest_steps, dest_start) = (
            strides_and_offset(source),
            strides_and_offset(dest),
        )
        pairs = zip(
            (*source.shape, *steps, start), (*dest.shape, *dest_steps, dest_start), strict=True
        )
        return all(one == other or ty.DYNAMIC in (one, other) for one, other in pairs)

    def reaches(self) -> Sequence[Reach]:
        source, dest = self.source.type, self.dest.type
        if not isinstance(source, MemRefType) or not isinstance(dest, MemRefType):
            return ()
        (steps, start), (dest_steps, dest_start) = (
            strides_and_offset(source),
            strides_and_offset(dest),
        )
        was, is_ = (*source.shape, *steps, start), (*dest.shape, *dest_steps, dest_start)
        if all(one == other or other == ty.DYNAMIC for one, other in zip(was, is_, strict=True)):
            return ()
        return [Reach(self.source, [None] * source.rank, "covers")]


class AddressOf(Operation):
    """The address of a buffer's memory. For memory that a block shares, it is that within it."""

    name = "memref.extract_aligned_pointer_as_index"
    pure = True
    source = operand(MEMREF)
    address = result(INDEX)
    assembly = "$source attr-dict `:` type($source) `->` type($address)"

    def infer(self) -> Sequence[Type]:
        return [ty.index]


class View(AccessInterface):
    """A typed view of a byte buffer, from a byte offset on."""

    name = "memref.view"
    pure = True
    source = operand(MEMREF)
    byte_shift = operand(INDEX)
    sizes = operands(INDEX)
    view = result(MEMREF)
    assembly = (
        "$source `[` $byte_shift `]` `[` $sizes `]` attr-dict `:` type($source) `to` type($view)"
    )

    def verify(self) -> None:
        source = cast(MemRefType, self.source.type)
        if source.rank != 1 or source.element is not ty.i8 or source.layout is not None:
            self.fail(f"expected a view of a byte buffer, memref<?xi8>, got one of {source}")
        if cast(MemRefType, self.view.type).layout is not None:
            self.fail(f"expected a row-major view, got {self.view.type}")

    def reaches(self) -> Sequence[Reach]:
        view = self.results[0].type
        if not isinstance(view, MemRefType) or not view.is_static:
            return ()
        width = ty.byte_width(view.element)
        size = view.count * width
        return [Reach(self.source, [StridedSpan(self.byte_shift, size)], "covers", align=width)]


class SubView(Slice):
    """A strided part of a buffer, without a copy."""

    name = "memref.subview"
    assembly = f"$source `` {PART} attr-dict `:` type($source) `to` type($view)"
    source = operand(MEMREF)
    offsets = operands(INDEX)
    sizes = operands(INDEX)
    strides = operands(INDEX)
    view = result(MEMREF)

    def verify_layout(self, kept: Sequence[int]) -> None:
        source, view = cast(MemRefType, self.source.type), cast(MemRefType, self.view.type)
        (steps, start), (view_steps, view_start) = (
            strides_and_offset(source),
            strides_and_offset(view),
        )
        for dim, stride in zip(kept, view_steps, strict=True):
            by = self.static_strides[dim]
            known = steps[dim] != ty.DYNAMIC and by != DYNAMIC_INDEX
            if stride != (steps[dim] * by if known else ty.DYNAMIC) and self.static_sizes[dim] != 1:
                self.fail(f"has the strides {view_steps}, which do not follow from {source}")
        if ty.DYNAMIC in [start, *steps] or DYNAMIC_INDEX in self.static_offsets:
            offset = ty.DYNAMIC
        else:
            offset = start + sum(o * s for o, s in zip(self.static_offsets, steps, strict=True))
        if view_start not in (offset, ty.DYNAMIC):
            self.fail(f"has the offset {view_start} into {source}: expected {offset}")


class CollapseShape(Reshape):
    """Join neighbouring dimensions of a contiguous buffer, without a copy."""

    name = "memref.collapse_shape"
    splits = False
    source = operand(MEMREF)
    reassociation = attribute(ATTRIBUTE)
    view = result(MEMREF)
    assembly = "$source $reassociation attr-dict `:` type($source) `into` type($view)"

    def verify(self) -> None:
        super().verify()
        _verify_dense(self)


class ExpandShape(Expand):
    """Split dimensions of a contiguous buffer, without a copy."""

    name = "memref.expand_shape"
    source = operand(MEMREF)
    output_shape = operands(INDEX)
    reassociation = attribute(ATTRIBUTE)
    view = result(MEMREF)

    def verify(self) -> None:
        super().verify()
        _verify_dense(self)


def _verify_dense(op: Reshape) -> None:
    """Check that each group of collapsed dimensions is contiguous."""
    source, view = cast(MemRefType, op.operands[0].type), cast(MemRefType, op.results[0].type)
    wide, narrow = (view, source) if op.splits else (source, view)
    if wide.layout is None and narrow.layout is None:
        return
    (strides, start), (joined, begin) = strides_and_offset(wide), strides_and_offset(narrow)
    groups = cast("Sequence[Sequence[int]]", python_value(op.reassociation))
    for group, stride in zip(groups, joined, strict=True):
        for dim in reversed(group):
            if wide.shape[dim] != 1:
                if strides[dim] != stride or stride == ty.DYNAMIC:
                    op.fail(
                        f"makes {view} of {source}: expected joined dimensions to be contiguous"
                    )
                stride *= wide.shape[dim]
    if start != begin:
        op.fail(f"makes {view} of {source}: expected the same offset")


class Global(Operation):
    """A buffer with a name, constant or not, that lives as long as the program."""

    name = "memref.global"
    sym_name = attribute(STRING)
    sym_visibility = attribute(STRING, optional=True)
    type = attribute(TYPE)
    initial_value = attribute(ATTRIBUTE, optional=True)
    constant = attribute(UNIT, optional=True)
    alignment = attribute(INTEGER, optional=True)

    def verify(self) -> None:
        type, value = self.type, self.initial_value
        if not isinstance(type, MemRefType) or not type.is_static:
            self.fail(f"has type {type}: expected a static memref")
        if value is None or value is unit:
            return
        wanted = ty.TensorType(type.shape, type.element)
        if not isinstance(value, DenseElementsAttr) or value.type is not wanted:
            self.fail(f"has the initial value {value}: expected a dense constant of type {wanted}")

    def write(self, p: Printer, indent: str) -> None:
        """`memref.global "private" constant @x : memref<4xf32> = dense<0.0> {...}`"""
        words = [self.name]
        if self.sym_visibility is not None:
            words.append(quote(self.sym_visibility))
        if self.constant:
            words.append("constant")
        words.append(f"@{bare_or_quoted(self.sym_name)} : {self.type}")
        value = self.initial_value
        if value is unit:
            words.append("= uninitialized")
        elif value is not None:
            words.append(f"= {str(value).partition(' : ')[0]}")
        hidden = ["sym_name", "sym_visibility", "type", "initial_value", "constant"]
        rest = p.attribute_dictionary(self, hidden)
        p.out.append(" ".join([*words, rest] if rest else words))

    @classmethod
    def read(cls, p: Parser) -> Global:
        """The inverse of `write`."""
        attributes: dict[str, Attribute] = {}
        if p.kind == "string":
            attributes["sym_visibility"] = StringAttr(unquote(p.take("string", "a visibility")))
        if p.accept("constant"):
            attributes["constant"] = unit
        attributes["sym_name"] = StringAttr(p.symbol_name())
        p.expect(":")
        start, type = p.start, p.type()
        if not isinstance(type, MemRefType) or not type.is_static:
            p.fail(f"a global has a static memref type, got {type}", start, start + 1)
        attributes["type"] = TypeAttr(type)
        if p.accept("="):
            if p.accept("uninitialized"):
                attributes["initial_value"] = unit
            else:
                attributes["initial_value"] = p.dense(ty.TensorType(type.shape, type.element))
        return cls(attributes=p.optional_dictionary(attributes))


class GetGlobal(Operation):
    """The buffer of that name."""

    name = "memref.get_global"
    pure = True
    symbol = attribute(SYMBOL, key="name")
    result = result(MEMREF)
    assembly = "$symbol attr-dict `:` type($result)"


# -- whole buffers under another shape, without a copy ---------------------------------------------


def reshaped(b: Builder, buffer: Value, type: MemRefType) -> Value:
    """A buffer in another shape with as many elements: collapsed to rank 1, then expanded."""
    own = cast(MemRefType, buffer.type)
    if own is type:
        return buffer
    row = MemRefType((own.count,), own.element)
    if own.rank == 0:
        buffer = expanded(b, buffer, row, to_attribute([]))
    elif own.rank > 1:
        buffer = collapsed(b, buffer, row, _all_of(own.shape))
    if type.rank == 0:
        return collapsed(b, buffer, type, to_attribute([]))
    return buffer if type.rank == 1 else expanded(b, buffer, type, _all_of(type.shape))


def _all_of(shape: Sequence[int]) -> Attribute:
    """All dimensions as one group."""
    return to_attribute([list(range(len(shape)))])


def collapsed(b: Builder, buffer: Value, type: MemRefType, groups: Attribute) -> Value:
    """A buffer with neighbouring dimensions joined."""
    view = b.create(CollapseShape, buffer, types=[type], reassociation=groups)
    return view.results[0]


def expanded(b: Builder, buffer: Value, type: MemRefType, groups: Attribute) -> Value:
    """A buffer with dimensions split."""
    view = b.create(
        ExpandShape,
        buffer,
        [],
        types=[type],
        reassociation=groups,
        static_output_shape=type.shape,
    )
    return view.results[0]
