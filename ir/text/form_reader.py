"""Reading an op in the custom form that its class declares (see `penstock.ir.text.assembly`)."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir.attributes import Attribute, integers
from penstock.ir.core import Operation, Value
from penstock.ir.opdef import SEGMENTS, segment_sizes
from penstock.ir.text.assembly import Piece
from penstock.ir.text.lexer import short
from penstock.ir.text.mixed_lists import read_mixed
from penstock.ir.text.value_parser import ValueParser, other_types
from penstock.ir.types import Type


class FormReader:
    """Reads one op in the custom form its class declares."""

    def __init__(self, parser: ValueParser, cls: type[Operation], start: int, end: int) -> None:
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
            types = self.types.get(group.name)
            if types is not None:
                self._check_types(group.name, types, values)
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

    def _check_types(self, name: str, types: Sequence[Type], values: Sequence[Value]) -> None:
        if types != [v.type for v in values]:
            actual = [v.type for v in values]
            self.parser.fail(
                other_types(f"{self.cls.name}: {name} has", actual, types), self.start, self.end
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
            case "mixed":
                static, self.groups[piece.word] = read_mixed(parser)
                name = self.cls.definition.attributes[piece.inner[0].word].name
                self.attributes[name] = integers(static)
            case "attr-dict":
                self.attributes = parser.optional_dictionary(self.attributes)
            case "optional":
                if self._follows(piece):
                    for inner in piece.inner:
                        self._piece(inner)
            case _:
                self.result_types = self._function_results()

    def _function_results(self) -> Sequence[Type]:
        """The result types of a function type, whose inputs must be the operands' types."""
        start, type = self.parser.start, self.parser.function_type()
        inputs = tuple(v.type for values in self.groups.values() for v in values)
        if inputs != type.inputs:
            self.parser.fail(other_types("the operands have", inputs, type.inputs), start)
        return type.results

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
        if declared.name in self.attributes:
            parser.fail(f"attribute {declared.name!r} is given twice")
        codec = declared.codec
        if codec.keywords:
            word = parser.word
            if word not in codec.keywords:
                parser.fail(f"expected {codec.description}, got {parser.shown()}")
            parser.advance()
            self.attributes[declared.name] = codec.encode(word)
        elif codec.bare_integer:
            self.attributes[declared.name] = codec.encode(parser.integer())
        elif codec.bracketed:
            self.attributes[declared.name] = integers(self._integers())
        else:
            start, end = parser.start, parser.end
            value = parser.attribute()
            if not codec.accepts(value):
                parser.fail(
                    f"{name}: expected {codec.description}, got {short(str(value))}", start, end
                )
            self.attributes[declared.name] = value

    def _integers(self) -> list[int]:
        """`[1, 2]`"""
        parser = self.parser
        parser.expect("[")
        found: list[int] = []
        while not parser.accept("]"):
            if found:
                parser.expect(",")
            found.append(parser.integer())
        return found
