"""Printing: MLIR text, the generic form or each op's custom form, locations inline.

A custom form assumes a valid op, so an invalid one is printed in the generic form. The text parses
back to the same module, which prints identically.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from penstock.ir.attributes import Attribute, DenseArrayAttr, IntegerAttr, entry_text
from penstock.ir.codecs import INTEGER, Codec
from penstock.ir.core import Block, Operation, Region, Value
from penstock.ir.definition import Definition
from penstock.ir.diagnostics import IRError
from penstock.ir.location import UNKNOWN, Location
from penstock.ir.opdef import SEGMENTS, UnregisteredOp
from penstock.ir.text.assembly import Piece, form_of, named_attributes
from penstock.ir.text.mixed_lists import mixed_text
from penstock.ir.types import i64, result_text
from penstock.ir.verify.verifier import well_formed

_NAME = re.compile(r"[A-Za-z_$.-][\w$.-]*\Z", re.ASCII)
_NOT_NAME = re.compile(r"[^\w$.-]", re.ASCII)


def print_module(op: Operation, generic: bool = False, locations: bool = True) -> str:
    """The text of an operation and all inside it, ending in a newline.

    `generic` leaves out every custom form; `locations=False` leaves out `loc(...)`.
    """
    printer = Printer(generic, locations)
    printer.operation(op, "")
    return "".join(printer.out)


class Printer:
    """Writes text into `out`; op classes with a `write` method call its parts."""

    def __init__(self, generic: bool = False, locations: bool = True) -> None:
        self.out: list[str] = []
        self.generic = generic
        self.locations = locations
        self.names: dict[Value, str] = {}
        self.taken: dict[str, int] = {}
        """Each name in use, and the number that the next value of that name may try."""
        self.count = 0

    # -- names ----------------------------------------------------------------------------------

    def fresh(self, wanted: str) -> str:
        """A name not yet taken: the wanted one, with a number added if need be, or a number."""
        if wanted and not _NAME.match(wanted):
            wanted = _NOT_NAME.sub("_", wanted)
            wanted = wanted if _NAME.match(wanted) else f"_{wanted}"
        if not wanted:
            name = str(self.count)
            self.count += 1
            return name
        taken = self.taken
        name = wanted
        if name in taken:
            suffix = taken[wanted]
            while name in taken:
                name = f"{wanted}_{suffix}"
                suffix += 1
            taken[wanted] = suffix
        taken[name] = 0
        return name

    def name(self, value: Value) -> str:
        """`%x`; a value without an earlier definition still gets a name."""
        known = self.names.get(value)
        if known is None:
            known = self.names[value] = "%" + self.fresh(value.name)
        return known

    def value_list(self, values: Iterable[Value]) -> str:
        names = self.names
        return ", ".join([names.get(v) or self.name(v) for v in values])

    def _define(self, op: Operation) -> str:
        """`%0 = ` or `%0:2 = `, naming the results."""
        results = op.results
        if len(results) == 1:
            name = self.names[results[0]] = "%" + self.fresh(results[0].name)
            return f"{name} = "
        group = self.fresh(results[0].name)
        for i, result in enumerate(results):
            self.names[result] = f"%{group}#{i}"
        return f"%{group}:{len(results)} = "

    # -- operations -----------------------------------------------------------------------------

    def operation(self, op: Operation, indent: str) -> None:
        """One operation on lines of its own."""
        out = self.out
        out.append(indent + self._define(op) if op.results else indent)
        form = None if self.generic else form_of(op.definition)
        if form is not None and _fits_form(op) and not _runs_on(op, form):
            out.append(op.name)
            self._form(op, form)
        else:
            write = None if self.generic else getattr(op, "write", None)
            if write is not None and well_formed(op):
                write(self, indent)
            else:
                self.generic_form(op, indent)
        out.append(f"{self.location(op.location)}\n" if self.locations else "\n")

    def location(self, location: Location) -> str:
        """` loc(...)`, or nothing where unknown or not wanted."""
        return f" loc({location})" if self.locations and location is not UNKNOWN else ""

    def generic_form(self, op: Operation, indent: str) -> None:
        """`"dialect.op"(operands) ({...}) {...} : types`"""
        out = self.out
        out.append(f'"{op.name}"({self.value_list(op.operands)})')
        properties, others = split_attributes(op)
        if properties:
            out.append(f" <{dictionary(properties)}>")
        if op.regions:
            out.append(" (")
            for i, region in enumerate(op.regions):
                out.append(", " if i else "")
                self.scoped_region(op, region, indent, labels=True)
            out.append(")")
        if others:
            out.append(f" {dictionary(others)}")
        operands = ", ".join([str(v.type) for v in op.operands])
        out.append(f" : ({operands}) -> {result_text(tuple(r.type for r in op.results))}")

    def _form(self, op: Operation, form: Sequence[Piece]) -> None:
        out = self.out
        for piece in form:
            text = piece.word if piece.kind == "literal" else self._piece(op, piece)
            if text:
                out.append(" " + text if piece.space else text)

    def _piece(self, op: Operation, piece: Piece) -> str:
        match piece.kind:
            case "operand":
                at = piece.operand
                if at >= 0 and not piece.variadic:
                    return self.name(op.operands[at])
                return self.value_list(op.operands[at:] if at >= 0 else _group(op, piece.word))
            case "types":
                return _types_text(op, piece)
            case "mixed":
                static = getattr(op, piece.inner[0].word)
                return mixed_text(self.name, static, _group(op, piece.word))
            case "attr-dict":
                return self.attribute_dictionary(op) if op.attributes else ""
            case "attribute":
                return _attribute_text(op, piece.word)
            case "literal":
                return piece.word
            case "optional":
                if not _present(op, piece.word):
                    return ""
                words = [self._piece(op, inner) for inner in piece.inner]
                spaces = [" " if inner.space else "" for inner in piece.inner]
                return "".join(s + w for s, w in zip(spaces, words, strict=True))[len(spaces[0]) :]
            case _:
                inputs = ", ".join([str(v.type) for v in op.operands])
                return f"({inputs}) -> {result_text(tuple(r.type for r in op.results))}"

    def attribute_dictionary(self, op: Operation, hidden: Collection[str] = ()) -> str:
        """`{...}` of the attributes not shown elsewhere and not at their default, or nothing."""
        skip, defaults = _unshown(op.definition)
        shown = {
            name: value
            for name, value in op.attributes.items()
            if name not in skip and name not in hidden and defaults.get(name) is not value
        }
        return dictionary(shown) if shown else ""

    # -- regions --------------------------------------------------------------------------------

    def scoped_region(
        self,
        op: Operation,
        region: Region,
        indent: str,
        labels: bool = False,
    ) -> None:
        """A region, `{` to `}`; an isolated op's names are its own."""
        outer = None
        if op.isolated:
            outer = self.names, self.taken, self.count
            self.names, self.taken, self.count = dict(self.names), {}, 0
        self.region(region, indent, labels)
        if outer is not None:
            self.names, self.taken, self.count = outer

    def region(
        self, region: Region, indent: str, labels: bool = False, skip_terminator: bool = False
    ) -> None:
        """A region, `{` to `}`, in the names at hand; the last op may be left out."""
        out = self.out
        out.append("{\n")
        for i, block in enumerate(region.blocks):
            if i or (labels and (block.arguments or block.first is None)):
                out.append(f"{indent}^bb{i}{self.block_arguments(block)}:\n")
            last = block.last if skip_terminator else None
            for op in block:
                if op is not last:
                    self.operation(op, indent + "  ")
        out.append(indent + "}")

    def block_arguments(self, block: Block) -> str:
        """`(%a: f32, %b: f32)`, naming the arguments; nothing where there are none."""
        if not block.arguments:
            return ""
        words = [f"{self.name(a)}: {a.type}{self.location(a.location)}" for a in block.arguments]
        return f"({', '.join(words)})"


def dictionary(entries: Mapping[str, Attribute]) -> str:
    """`{a = 1 : i64, b}`: in order of the names, so that equal contents have equal text."""
    return f"{{{', '.join([entry_text(name, entries[name]) for name in sorted(entries)])}}}"


def split_attributes(op: Operation) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """Declared attributes that stand in `<{}>`, and the rest."""
    if not op.properties or not op.attributes:
        return {}, op.attributes
    if isinstance(op, UnregisteredOp):
        declared: Collection[str] = op.inherent
    else:
        declared = {d.name for d in op.definition.attributes.values()} | {SEGMENTS}
    inside = {name: value for name, value in op.attributes.items() if name in declared}
    rest = {name: value for name, value in op.attributes.items() if name not in declared}
    return inside, rest


@cache
def _unshown(definition: Definition) -> tuple[frozenset[str], dict[str, Attribute | None]]:
    """Attributes that the custom form shows elsewhere, and default values that it omits."""
    defaults = {d.name: d.default_attribute for d in definition.attributes.values()}
    elsewhere = named_attributes(definition)
    return elsewhere | {SEGMENTS} if definition.segmented else elsewhere, defaults


@dataclass(slots=True)
class _Demands:
    """What a declared form assumes about an op."""

    operands: range
    """How many there may be."""
    results: range
    attributes: Sequence[tuple[str, Codec[Any], bool, bool]]
    """Name, codec, whether it is required, and whether its type is an implied i64."""
    inferred: bool
    """The form does not say the types of the results."""
    mixed: bool
    """The form has a list of numbers and values, which must be as many as are marked."""


@cache
def _demands(definition: Definition) -> _Demands:
    form = form_of(definition) or ()
    shown = {piece.word for piece in form if piece.kind == "types"}
    typed = any(piece.kind == "functional-type" for piece in form)
    operands, results = len(definition.operands), len(definition.results)
    many = any(group.variadic for group in definition.results)
    fixed = definition.fixed_operands >= 0
    return _Demands(
        operands=range(operands, operands + 1) if fixed else range(operands - 1, sys.maxsize),
        results=range(results - many, sys.maxsize if many else results + 1),
        attributes=[
            (
                declared.name,
                declared.codec,
                declared.default is None and not declared.optional,
                bool(declared.codec.keywords) or declared.codec is INTEGER,
            )
            for declared in definition.attributes.values()
        ],
        inferred=not typed and any(r.name not in shown for r in definition.results),
        mixed=any(piece.kind == "mixed" for piece in form),
    )


def _runs_on(op: Operation, form: Sequence[Piece]) -> bool:
    """Whether what follows a custom form would read as its operands, of which it has none."""
    first = form[0] if form else None
    return first is not None and first.variadic and not op.operands and not op.terminator


def _fits_form(op: Operation) -> bool:
    """Whether the declared form can express the op completely."""
    demands = _demands(op.definition)
    if op.regions or len(op.results) not in demands.results:
        return False
    if op.definition.segmented or demands.mixed:
        return well_formed(op)
    if len(op.operands) not in demands.operands:
        return False
    for name, codec, needed, wide in demands.attributes:
        value = op.attributes.get(name)
        if value is None:
            if needed:
                return False
        elif not codec.accepts(value) or (
            wide and isinstance(value, IntegerAttr) and value.type is not i64
        ):
            return False
    return not demands.inferred or _as_inferred(op)


def _as_inferred(op: Operation) -> bool:
    try:
        return list(op.infer()) == [result.type for result in op.results]
    except IRError:
        return False


def _types_text(op: Operation, piece: Piece) -> str:
    if piece.result >= 0:
        return str(op.results[piece.result].type)
    if piece.operand >= 0 and not piece.variadic:
        return str(op.operands[piece.operand].type)
    return ", ".join([str(v.type) for v in _group(op, piece.word)])


def _group(op: Operation, name: str) -> Sequence[Value]:
    found = getattr(op, name)
    return [found] if isinstance(found, Value) else found


def _present(op: Operation, name: str) -> bool:
    declared = op.definition.attributes.get(name)
    if declared is not None:
        return declared.name in op.attributes
    return len(_group(op, name)) > 0


def _attribute_text(op: Operation, name: str) -> str:
    declared = op.definition.attributes[name]
    if declared.codec.keywords:
        return str(getattr(op, name))
    stored = op.attributes.get(declared.name)
    if stored is None:
        op.fail(f"attribute {declared.name!r} is missing and the custom form needs it")
    if declared.codec.bare_integer and isinstance(stored, IntegerAttr):
        return str(stored.value)
    if declared.codec.bracketed and isinstance(stored, DenseArrayAttr):
        return f"[{', '.join(map(str, stored.values))}]"
    return str(stored)
