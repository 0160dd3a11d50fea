"""Parsing modules: the generic form of any op, the custom form of those we define."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from contextlib import suppress

from penstock.ir import dialects as _dialects  # noqa: F401 (defines every op)
from penstock.ir.assembly import Piece, form_of
from penstock.ir.attribute_parser import AttributeParser
from penstock.ir.attributes import Attribute, IntegerAttr
from penstock.ir.core import Block, Operation, Region, Value
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.location import UNKNOWN, Location
from penstock.ir.opdef import SEGMENTS, UnregisteredOp, registry, segment_sizes
from penstock.ir.text import unquote
from penstock.ir.types import Type

_ALIAS = re.compile(r"^[ \t]*([#!])([A-Za-z0-9_][\w$.-]*)[ \t]*=", re.MULTILINE | re.ASCII)
_SHORT = {"module": "builtin.module", "return": "func.return", "call": "func.call"}
_NUMBERED = re.compile(r"[0-9]+\Z")


def parse_module(text: str, source: str = "<text>", allow_unregistered: bool = False) -> Module:
    """The module in `text`; operations at the top without one are put into a module.

    `source` names the text in messages. Raises `IRError`, each finding with its line and a caret.

    >>> parse_module("func.func private @f(f32)").function("f").is_external
    True
    """
    return Parser(text, source, allow_unregistered).module()


class Parser(AttributeParser):
    """Reads operations; op classes with a `read` method call its parts."""

    def __init__(self, text: str, source: str, allow_unregistered: bool = False) -> None:
        self.allow_unregistered = allow_unregistered
        self.scopes: list[dict[str, Sequence[Value]]] = [{}]
        super().__init__(text, source)

    def module(self) -> Module:
        """The whole text."""
        self.definitions()
        ops = []
        while self.kind != "end":
            if self.kind in ("hash", "bang"):
                self.skip_definition()
            else:
                ops.append(self.operation())
        if len(ops) == 1 and isinstance(ops[0], Module):
            return ops[0]
        module = Module.empty()
        for op in ops:
            module.body.append(op)
        return module

    # -- aliases --------------------------------------------------------------------------------

    def definitions(self) -> None:
        """Read every `#name = ...` and `!name = ...`, wherever it stands: they may follow uses.

        One that mentions a later one is read again once that is known.
        """
        waiting = list(_ALIAS.finditer(self.text))
        while waiting:
            left = [match for match in waiting if not self._define_alias(match)]
            if len(left) == len(waiting):
                self.jump(left[0].end())
                self._alias_value(left[0][1])
            waiting = left
        self.jump(0)

    def _define_alias(self, match: re.Match[str]) -> bool:
        with suppress(IRError):
            self.jump(match.end())
            depth, self.depth = self.depth, 0
            try:
                value = self._alias_value(match[1])
            finally:
                self.depth = depth
            if isinstance(value, Location):
                self.location_aliases[match[2]] = value
            elif isinstance(value, Type):
                self.type_aliases[match[2]] = value
            else:
                self.attribute_aliases[match[2]] = value
            return True
        return False

    def _alias_value(self, mark: str) -> Location | Type | Attribute:
        if mark == "!":
            return self.type()
        if self.word == "loc" and self.kind == "word":
            self.advance()
            self.expect("(")
            found = self.location()
            self.expect(")")
            return found
        return self.attribute()

    def skip_definition(self) -> None:
        """Pass over a definition that `definitions` has read."""
        mark = self.word[0]
        self.advance()
        self.expect("=")
        self._alias_value(mark)

    # -- values ---------------------------------------------------------------------------------

    def define(self, word: str, values: Sequence[Value], start: int) -> None:
        """Bind `%word`, which must be new, to the results it names."""
        for scope in self.scopes:
            if word in scope:
                self.fail(f"%{word} is defined twice", start, start + len(word) + 1)
        self.scopes[-1][word] = values
        if values and not _NUMBERED.match(word):
            values[0].name = word

    def value(self) -> Value:
        """A use of a value, which must be defined above."""
        if self.kind != "value":
            self.fail(f"expected a value such as %x, got {self.shown()}")
        word, _, number = self.word[1:].partition("#")
        for scope in reversed(self.scopes):
            found = scope.get(word)
            if found is not None:
                position = int(number) if number else 0
                if position >= len(found) or (not number and len(found) != 1):
                    self.fail(f"%{word} has {len(found)} results: %{word}#0 is the first")
                self.advance()
                return found[position]
        near = difflib.get_close_matches(word, [n for s in self.scopes for n in s], 1)
        hint = f": did you mean %{near[0]}?" if near else ""
        self.fail(f"%{word} is used before it is defined{hint}")

    def values(self) -> list[Value]:
        """Values, separated by commas; possibly none."""
        found: list[Value] = []
        while self.kind == "value":
            found.append(self.value())
            if not self.accept(","):
                break
        return found

    # -- operations -----------------------------------------------------------------------------

    def operation(self) -> Operation:
        """One operation with its results, regions and location."""
        start = self.start
        names = self._result_names()
        if self.kind == "string":
            op = self._generic()
        elif self.kind == "word":
            op = self._custom()
        else:
            self.fail(f"expected an operation, got {self.shown()}")
        location = self.trailing_location()
        if location is not UNKNOWN:
            op.location = location
        self._bind(op, names, start)
        return op

    def _result_names(self) -> list[tuple[str, int, int]]:
        names: list[tuple[str, int, int]] = []
        while self.kind == "value":
            start, word = self.start, self.word[1:]
            self.advance()
            count = 1
            if self.accept(":"):
                count = self.integer("a number of results")
            names.append((word, count, start))
            if not self.accept(","):
                self.expect("=")
                break
        return names

    def _bind(self, op: Operation, names: list[tuple[str, int, int]], start: int) -> None:
        total = sum(count for _, count, _ in names)
        if names and total != len(op.results):
            self.fail(
                f"{op.name} gives {len(op.results)} results and {total} are named", start, start + 1
            )
        position = 0
        for word, count, at in names:
            self.define(word, op.results[position : position + count], at)
            position += count

    def op_class(self, name: str, start: int, end: int) -> type[Operation] | None:
        """The class of that op name; None for one that may stay unregistered."""
        found = registry.get(name)
        if found is None and not self.allow_unregistered:
            near = difflib.get_close_matches(name, registry, 1)
            hint = f": did you mean {near[0]}?" if near else ""
            self.fail(f"unknown operation {name!r}{hint}", start, end)
        return found

    def _generic(self) -> Operation:
        start, end = self.start, self.end
        name = unquote(self.word)
        cls = self.op_class(name, start, end)
        self.advance()
        self.expect("(")
        operands = self.values()
        self.expect(")")
        if self.word == "[":
            self.fail("successors are not supported: control flow is by regions")
        attributes: dict[str, Attribute] = {}
        if self.accept("<"):
            attributes = self.dictionary()
            self.expect(">")
        regions: list[Region] = []
        if self.accept("("):
            while not self.accept(")"):
                if regions:
                    self.expect(",")
                regions.append(self.region(isolated=cls is not None and cls.isolated))
        attributes.update(self.optional_dictionary())
        self.expect(":")
        at, type = self.start, self.function_type()
        given = tuple(v.type for v in operands)
        if given != type.inputs:
            self.fail(f"operands have types ({', '.join(map(str, given))})", at, at + 1)
        return self.make(cls, name, operands, type.results, attributes, regions, start, end)

    def make(
        self,
        cls: type[Operation] | None,
        name: str,
        operands: Sequence[Value],
        results: Sequence[Type] | None,
        attributes: dict[str, Attribute],
        regions: Sequence[Region],
        start: int,
        end: int,
    ) -> Operation:
        """Construct an op; an error it raises without a place is given that of its text."""
        try:
            if cls is None:
                return UnregisteredOp(name, operands, results, attributes, regions)
            return cls(operands, results, attributes, regions)
        except IRError as error:
            if error.diagnostics[0].where is not UNKNOWN:
                raise
            message = error.diagnostics[0].message
        self.fail(message, start, end)

    def _custom(self) -> Operation:
        start, end = self.start, self.end
        name = _SHORT.get(self.word, self.word)
        cls = self.op_class(name, start, end)
        if cls is None:
            self.fail(f"{name} is not registered and has no custom form", start, end)
        self.advance()
        read = getattr(cls, "read", None)
        if read is not None:
            made: Operation = read(self)
            return made
        form = form_of(cls.definition)
        if form is None:
            self.fail(f'{name} has no custom form: write "{name}"(...)', start, end)
        return _FormReader(self, cls, start, end).read(form)

    # -- regions --------------------------------------------------------------------------------

    def region(self, entry: Block | None = None, isolated: bool = False) -> Region:
        """`{ ... }`: blocks of operations.

        A custom form gives the `entry` block, its arguments named in the innermost scope.
        """
        self.enter()
        self.expect("{")
        outer = self.scopes
        self.scopes = [{}] if isolated else [*outer, {}]
        region = Region()
        block = entry
        if entry is not None:
            region.append(entry)
        while not self.accept("}"):
            if self.kind == "end":
                self.fail("a region is not closed: expected '}'")
            if self.kind == "block":
                block = self._block_header()
                region.append(block)
                continue
            if block is None:
                block = Block()
                region.append(block)
            block.append(self.operation())
        self.scopes = outer
        self.leave()
        return region

    def _block_header(self) -> Block:
        self.advance()
        block = Block()
        if self.accept("("):
            while not self.accept(")"):
                if block.arguments:
                    self.expect(",")
                start = self.start
                name = self.take("value", "a block argument such as %x")[1:]
                self.expect(":")
                argument = block.add_argument(self.type())
                argument.location = self.trailing_location()
                self.define(name, [argument], start)
        self.expect(":")
        return block


class _FormReader:
    """Reads one op in the custom form its class declares."""

    def __init__(self, parser: Parser, cls: type[Operation], start: int, end: int) -> None:
        self.parser = parser
        self.cls = cls
        self.start = start
        self.end = end
        self.groups: dict[str, list[Value]] = {}
        self.types: dict[str, list[Type]] = {}
        self.attributes: dict[str, Attribute] = {}
        self.result_types: Sequence[Type] | None = None

    def read(self, form: Sequence[Piece]) -> Operation:
        for piece in form:
            self._piece(piece)
        definition = self.cls.definition
        groups = [self.groups.get(g.name, []) for g in definition.operands]
        for group, values in zip(definition.operands, groups, strict=True):
            given = self.types.get(group.name)
            if given is not None:
                self._check_types(group.name, given, values)
        if definition.segmented:
            self.attributes[SEGMENTS] = segment_sizes(groups)
        for declared in definition.attributes.values():
            default = declared.default_attribute
            if default is not None:
                self.attributes.setdefault(declared.name, default)
        results = self.result_types
        if results is None and all(r.name in self.types for r in definition.results):
            results = [t for r in definition.results for t in self.types[r.name]]
        operands = [v for values in groups for v in values]
        return self.parser.make(
            self.cls, self.cls.name, operands, results, self.attributes, [], self.start, self.end
        )

    def _check_types(self, name: str, given: Sequence[Type], values: Sequence[Value]) -> None:
        if given != [v.type for v in values]:
            found = ", ".join(str(v.type) for v in values)
            written = ", ".join(map(str, given))
            self.parser.fail(
                f"{self.cls.name}: {name} has type {found}, the text says {written}",
                self.start,
                self.end,
            )

    def _piece(self, piece: Piece) -> None:
        parser = self.parser
        match piece.kind:
            case "literal":
                parser.expect(piece.word)
            case "operand":
                self.groups[piece.word] = parser.values() if piece.variadic else [parser.value()]
            case "attribute":
                self._attribute(piece.word)
            case "types":
                self.types[piece.word] = self._type_list(piece)
            case "attr-dict":
                self.attributes.update(parser.optional_dictionary())
            case "optional":
                if self._follows(piece):
                    for inner in piece.inner:
                        self._piece(inner)
            case _:
                start, type = parser.start, parser.function_type()
                given = tuple(v.type for values in self.groups.values() for v in values)
                if given != type.inputs:
                    parser.fail(
                        f"operands have types ({', '.join(map(str, given))})", start, start + 1
                    )
                self.result_types = type.results

    def _type_list(self, piece: Piece) -> list[Type]:
        parser = self.parser
        if not self.groups.get(piece.word, (True,)):
            return []
        found = [parser.type()]
        while piece.variadic and parser.accept(","):
            found.append(parser.type())
        return found

    def _follows(self, piece: Piece) -> bool:
        first = piece.inner[0]
        if first.kind == "literal":
            return self.parser.word == first.word
        if first.kind == "operand":
            return self.parser.kind == "value"
        return self.parser.kind in ("number", "string", "symbol", "word")

    def _attribute(self, name: str) -> None:
        parser = self.parser
        declared = self.cls.definition.attributes[name]
        codec = declared.codec
        if codec.keywords:
            word = parser.word
            if word not in codec.keywords:
                parser.fail(f"expected {codec.description}, got {parser.shown()}")
            parser.advance()
            self.attributes[declared.name] = codec.encode(word)
        elif codec.bare_integer:
            self.attributes[declared.name] = IntegerAttr(parser.integer())
        else:
            start, end = parser.start, parser.end
            value = parser.attribute()
            if not codec.accepts(value):
                parser.fail(f"{name}: expected {codec.description}, got {value}", start, end)
            self.attributes[declared.name] = value
