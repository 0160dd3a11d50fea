"""The custom form of ops that name a strided part: offsets, sizes and strides in brackets.

    %x[0, %i] [4, 32] [1, 1] : type to type

Numbers stand in static attributes; where one is an operand, the attribute holds `DYNAMIC_INDEX`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

from penstock.ir.attributes import Attribute, integers, python_value
from penstock.ir.codecs import ATTRIBUTE, INTEGERS
from penstock.ir.core import Operation, Value
from penstock.ir.opdef import SEGMENTS, attribute, segment_sizes
from penstock.ir.types import DYNAMIC, ShapedType
from penstock.ir.verify.reach import Reach, StridedSpan

if TYPE_CHECKING:
    from penstock.ir.text.parser import Parser
    from penstock.ir.text.printer import Printer

DYNAMIC_INDEX = -(2**63)
"""Marks a dynamic entry, which an operand provides."""
LISTS = ("offsets", "sizes", "strides")


def mixed_text(
    p: Printer, static: Sequence[int], dynamic: Sequence[Value], brackets: str = "[]"
) -> str:
    """`[0, %i]`, or the same in other brackets."""
    names = iter(dynamic)
    words = [p.name(next(names)) if n == DYNAMIC_INDEX else str(n) for n in static]
    return f"{brackets[0]}{', '.join(words)}{brackets[1]}"


def read_mixed(p: Parser, brackets: str = "[]") -> tuple[list[int], list[Value]]:
    """The inverse of `mixed_text`."""
    static: list[int] = []
    dynamic: list[Value] = []
    p.expect(brackets[0])
    while not p.accept(brackets[1]):
        if static:
            p.expect(",")
        if p.kind == "value":
            dynamic.append(p.value())
            static.append(DYNAMIC_INDEX)
        else:
            start, end = p.start, p.end
            static.append(p.integer("a number or a value"))
            if static[-1] == DYNAMIC_INDEX:
                p.fail(f"{DYNAMIC_INDEX} stands for a value: expected another number", start, end)
    return static, dynamic


def check_mixed(op: Operation, what: str, static: Sequence[int], dynamic: Sequence[Value]) -> None:
    """Check that each dynamic entry has an operand."""
    places = list(static).count(DYNAMIC_INDEX)
    if places != len(dynamic):
        op.fail(f"has {places} dynamic {what}, but {len(dynamic)} operands for them")


def _extent(size: int) -> int:
    return DYNAMIC if size == DYNAMIC_INDEX else size


def kept_dims(sizes: Sequence[int], shape: Sequence[int]) -> list[int] | None:
    """The dimensions that a part keeps, all but some of extent 1; None where it is no such part.

    >>> kept_dims([1, 4, 1], [4, 1]), kept_dims([4, 2], [4])
    ([1, 2], None)
    """
    kept: list[int] = []
    for dim, size in enumerate(sizes):
        if len(kept) < len(shape) and shape[len(kept)] == size:
            kept.append(dim)
        elif size != 1:
            return None
    return kept if len(kept) == len(shape) else None


class Slice(Operation):
    """Base of `memref.subview`, `tensor.extract_slice` and `tensor.insert_slice`.

    A subclass declares its first operands and its result; `into` is set where a second operand
    (the whole that a part goes into) follows the first.
    """

    pure = True
    into = False
    word = "to"
    static_offsets = attribute(INTEGERS)
    static_sizes = attribute(INTEGERS)
    static_strides = attribute(INTEGERS)

    def write(self, p: Printer, indent: str) -> None:
        """`memref.subview %x[...] [...] [...] : type to type`"""
        values: Any = self
        first = " into ".join(p.name(v) for v in self.operands[: 2 if self.into else 1])
        lists = [
            mixed_text(p, getattr(values, f"static_{name}"), getattr(values, name))
            for name in LISTS
        ]
        hidden = [f"static_{name}" for name in LISTS]
        rest = p.attribute_dictionary(self, hidden)
        target = self.operands[1] if self.into else self.results[0]
        p.out.append(
            f"{self.name} {first}{' '.join(lists)}{' ' + rest if rest else ''} : "
            f"{self.operands[0].type} {self.word} {target.type}"
        )

    def verify(self) -> None:
        values: Any = self
        whole = self.operands[1 if self.into else 0].type
        for name in LISTS:
            static = getattr(values, f"static_{name}")
            check_mixed(self, name, static, getattr(values, name))
            if isinstance(whole, ShapedType) and len(static) != whole.rank:
                self.fail(f"has {len(static)} {name} for {whole}")
        part = self.operands[0].type if self.into else self.results[0].type
        if isinstance(whole, ShapedType) and isinstance(part, ShapedType):
            kept = kept_dims([_extent(n) for n in values.static_sizes], part.shape)
            if kept is None or part.element is not whole.element:
                self.fail(
                    f"takes {part} of {whole}: expected the shape that its sizes give, and the "
                    "same element type"
                )
            self.verify_layout(kept)

    def verify_layout(self, kept: Sequence[int]) -> None:
        """Check where the part's elements lie; it has the dimensions `kept` of the whole."""

    def reaches(self) -> Sequence[Reach]:
        values: Any = self
        lists = []
        for name in LISTS:
            given = iter(getattr(values, name))
            static = getattr(values, f"static_{name}")
            lists.append([next(given) if n == DYNAMIC_INDEX else n for n in static])
        spans = [StridedSpan(*each) for each in zip(*lists, strict=True)]
        found = [Reach(self._operands[1 if self.into else 0], spans, "covers")]
        part = self._operands[0].type
        if self.into and isinstance(part, ShapedType) and not part.is_static:
            # Whether its extents match is only known at run time.
            found.append(Reach(self._operands[0], [None] * part.rank, "reads"))
        return found

    @classmethod
    def read(cls, p: Parser) -> Slice:
        """The inverse of `write`."""
        groups: list[list[Value]] = [[p.value()]]
        if cls.into:
            p.expect("into")
            groups.append([p.value()])
        attributes: dict[str, Attribute] = {}
        for name in LISTS:
            static, dynamic = read_mixed(p)
            attributes[f"static_{name}"] = integers(static)
            groups.append(dynamic)
        attributes = p.optional_dictionary(attributes)
        attributes[SEGMENTS] = segment_sizes(groups)
        p.expect(":")
        p.expect_type(groups[0][0])
        p.expect(cls.word)
        target = p.expect_type(groups[1][0]) if cls.into else p.type()
        return cls([v for g in groups for v in g], [target], attributes)


class Reshape(Operation):
    """Base of ops that join or split neighbouring dimensions, as `reassociation` says.

    Each of its lists names the dimensions of the wider type that make one of the narrower.
    """

    pure = True
    splits: ClassVar[bool]
    """Whether the result is the wider one."""
    reassociation = attribute(ATTRIBUTE)

    def verify(self) -> None:
        source, view = self.operands[0].type, self.results[0].type
        assert isinstance(source, ShapedType)
        assert isinstance(view, ShapedType)
        wide, narrow = (view, source) if self.splits else (source, view)
        groups = python_value(self.reassociation)
        listed = isinstance(groups, Sequence) and all(isinstance(g, Sequence) for g in groups)
        if not listed or [d for g in groups for d in g] != list(range(wide.rank)) * bool(groups):
            self.fail(f"has reassociation {self.reassociation}: expected all dimensions in order")
        parts = [[wide.shape[d] for d in group] for group in groups]
        joined = [DYNAMIC if DYNAMIC in part else prod(part) for part in parts]
        if not groups:
            fits = not narrow.rank and set(wide.shape) <= {1}
        else:
            fits = joined == list(narrow.shape)
        if not fits or wide.element is not narrow.element:
            self.fail(f"makes {view} of {source}: expected as many elements, of the same type")


class Expand(Reshape):
    """Base of `tensor.expand_shape` and `memref.expand_shape`."""

    splits = True
    static_output_shape = attribute(INTEGERS)

    def write(self, p: Printer, indent: str) -> None:
        """`tensor.expand_shape %x [[0, 1]] output_shape [2, 3] : type into type`"""
        shape = mixed_text(p, self.static_output_shape, self.operands[1:])
        rest = p.attribute_dictionary(self, ["static_output_shape", "reassociation"])
        p.out.append(
            f"{self.name} {p.name(self.operands[0])} {self.attributes['reassociation']} "
            f"output_shape {shape}{' ' + rest if rest else ''} : "
            f"{self.operands[0].type} into {self.results[0].type}"
        )

    def verify(self) -> None:
        super().verify()
        check_mixed(self, "extents", self.static_output_shape, self.operands[1:])
        view = self.results[0].type
        if isinstance(view, ShapedType) and len(self.static_output_shape) != view.rank:
            self.fail(f"has {len(self.static_output_shape)} extents for {view}")

    @classmethod
    def read(cls, p: Parser) -> Expand:
        """The inverse of `write`."""
        source = p.value()
        attributes = {"reassociation": p.attribute()}
        p.expect("output_shape")
        static, dynamic = read_mixed(p)
        attributes["static_output_shape"] = integers(static)
        attributes = p.optional_dictionary(attributes)
        p.expect(":")
        p.expect_type(source)
        p.expect("into")
        return cls([source, *dynamic], [p.type()], attributes)
