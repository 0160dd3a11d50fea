"""Reading and writing parts of buffers by a map from their dimensions to the vector's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from penstock.ir.affine import AffineMap, Const, Dim
from penstock.ir.attributes import AffineMapAttr, Attribute
from penstock.ir.codecs import BOOLS, MAP
from penstock.ir.constraints import INDEX, MEMREF, VECTOR
from penstock.ir.dialects.vector.base import shape_of
from penstock.ir.dialects.vector.memory import BufferAccess
from penstock.ir.opdef import SEGMENTS, attribute, operand, operands, result, segment_sizes
from penstock.ir.types import MemRefType, Type, element_of
from penstock.ir.verify.reach import Reach, StridedSpan

if TYPE_CHECKING:
    from penstock.ir.text.parser import Parser
    from penstock.ir.text.printer import Printer


class Transfer(BufferAccess):
    """Base of reads and writes by a map from the buffer's dimensions to the vector's.

    Each result of the map is a dimension of the buffer, none twice, or 0 where the vector repeats
    one element along its dimension. The custom form leaves out the map that takes the last
    dimensions in order.
    """

    spreads = True
    is_dense = False
    written: ClassVar[bool]
    permutation_map = attribute(MAP)
    in_bounds = attribute(BOOLS)

    def verify(self) -> None:
        super().verify()
        values: Any = self
        map, held, base = self.permutation_map, self.held, values.base.type
        places = [e.index for e in map.results if isinstance(e, Dim)]
        fits = all(isinstance(e, Dim) or (e == Const(0) and not self.written) for e in map.results)
        if not fits or len(set(places)) != len(places) or map.rank != base.rank:
            self.fail(f"has the map {map}: expected distinct dimensions of {base}")
        if not len(map.results) == len(shape_of(held)) == len(self.in_bounds):
            self.fail(f"moves {held} by {map} with {len(self.in_bounds)} bounds")
        if len(values.mask) > 1:
            self.fail(f"has {len(values.mask)} masks: expected one at most")

    def reaches(self) -> Sequence[Reach]:
        values: Any = self
        sizes = [1] * len(values.indices)
        for n, expr, inside in zip(
            shape_of(self.held), self.permutation_map.results, self.in_bounds, strict=True
        ):
            if isinstance(expr, Dim):
                sizes[expr.index] = n if inside else -1
        spans = [
            None if n < 0 else StridedSpan(i, n) for i, n in zip(values.indices, sizes, strict=True)
        ]
        mask = next(iter(values.mask), None)
        return [Reach(values.base, spans, "writes" if self.written else "reads", mask)]

    def _rest(self, p: Printer) -> str:
        """The attributes and the types, as both forms end."""
        values: Any = self
        rank = values.base.type.rank
        minor = AffineMap.select(rank, range(rank - len(self.in_bounds), rank))
        hidden = ["permutation_map"] if self.permutation_map == minor else []
        return p.attribute_dictionary(self, hidden)

    def _mask_text(self, p: Printer) -> str:
        values: Any = self
        return "".join(f", {p.name(v)}" for v in values.mask)

    @classmethod
    def _complete(
        cls, p: Parser, attributes: dict[str, Attribute], base: Type, held: Type
    ) -> dict[str, Attribute]:
        """The attributes, with what the custom form leaves out."""
        if "permutation_map" in attributes:
            return attributes
        if not isinstance(base, MemRefType) or len(shape_of(held)) > base.rank:
            p.fail(f"expected a memref and a vector of no higher rank, got {base} and {held}")
        minor = AffineMap.select(base.rank, range(base.rank - len(shape_of(held)), base.rank))
        return {"permutation_map": AffineMapAttr(minor), **attributes}


class TransferRead(Transfer):
    """Read a part of a buffer by a map; what is beyond its end is `padding`."""

    name = "vector.transfer_read"
    written = False
    base = operand(MEMREF)
    indices = operands(INDEX)
    padding = operand()
    mask = operands(VECTOR)
    vector = result(VECTOR)

    @property
    def held(self) -> Type:
        return self.results[0].type

    def verify(self) -> None:
        super().verify()
        if self.padding.type is not element_of(self.held):
            self.fail(f"pads {self.held} with {self.padding.type}")

    def write(self, p: Printer, indent: str) -> None:
        """`vector.transfer_read %m[%i, %j], %pad {in_bounds = [true]} : memref, vector`"""
        rest = self._rest(p)
        p.out.append(
            f"{self.name} {p.name(self.base)}[{p.value_list(self.indices)}], "
            f"{p.name(self.padding)}{self._mask_text(p)}{' ' + rest if rest else ''} : "
            f"{self.base.type}, {self.held}"
        )

    @classmethod
    def read(cls, p: Parser) -> TransferRead:
        """The inverse of `write`."""
        base = p.value()
        p.expect("[")
        indices = p.values()
        p.expect("]")
        p.expect(",")
        padding = p.value()
        mask = p.values() if p.accept(",") else []
        attributes = p.optional_dictionary()
        p.expect(":")
        p.expect_type(base)
        p.expect(",")
        held = p.type()
        attributes = cls._complete(p, attributes, base.type, held)
        attributes[SEGMENTS] = segment_sizes([[base], indices, [padding], mask])
        return cls([base, *indices, padding, *mask], [held], attributes)


class TransferWrite(Transfer):
    """Write a part of a buffer by a map; what is beyond its end is not written."""

    name = "vector.transfer_write"
    writes = 1
    written = True
    value_to_store = operand(VECTOR)
    base = operand(MEMREF)
    indices = operands(INDEX)
    mask = operands(VECTOR)

    @property
    def held(self) -> Type:
        return self.operands[0].type

    def write(self, p: Printer, indent: str) -> None:
        """`vector.transfer_write %v, %m[%i, %j] {in_bounds = [true]} : vector, memref`"""
        rest = self._rest(p)
        p.out.append(
            f"{self.name} {p.name(self.value_to_store)}, {p.name(self.base)}"
            f"[{p.value_list(self.indices)}]{self._mask_text(p)}{' ' + rest if rest else ''} : "
            f"{self.held}, {self.base.type}"
        )

    @classmethod
    def read(cls, p: Parser) -> TransferWrite:
        """The inverse of `write`."""
        value = p.value()
        p.expect(",")
        base = p.value()
        p.expect("[")
        indices = p.values()
        p.expect("]")
        mask = p.values() if p.accept(",") else []
        attributes = p.optional_dictionary()
        p.expect(":")
        p.expect_type(value)
        p.expect(",")
        p.expect_type(base)
        attributes = cls._complete(p, attributes, base.type, value.type)
        attributes[SEGMENTS] = segment_sizes([[value], [base], indices, mask])
        return cls([value, base, *indices, *mask], [], attributes)
