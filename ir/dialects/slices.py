"""The custom form of ops that name a strided part: offsets, sizes and strides in brackets.

    %x[0, %i] [4, 32] [1, 1] : type to type

Numbers stand in static attributes; where one is an operand, the attribute holds `DYNAMIC_INDEX`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from penstock.ir.attributes import Attribute, integers
from penstock.ir.codecs import INTEGERS
from penstock.ir.core import Operation, Value
from penstock.ir.opdef import SEGMENTS, attribute, segment_sizes
from penstock.ir.types import ShapedType

if TYPE_CHECKING:
    from penstock.ir.parser import Parser
    from penstock.ir.printer import Printer

DYNAMIC_INDEX = -(2**63)
"""Marks a place that an operand fills."""
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
    """Check that every place for an operand has one."""
    places = list(static).count(DYNAMIC_INDEX)
    if places != len(dynamic):
        op.fail(f"has {places} places for {what} that are operands, and {len(dynamic)} of these")


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
                self.fail(f"gives {len(static)} {name} for {whole}")

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


class Expand(Operation):
    """Base of `tensor.expand_shape` and `memref.expand_shape`."""

    pure = True
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
        check_mixed(self, "extents", self.static_output_shape, self.operands[1:])
        view = self.results[0].type
        if isinstance(view, ShapedType) and len(self.static_output_shape) != view.rank:
            self.fail(f"gives {len(self.static_output_shape)} extents for {view}")

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
