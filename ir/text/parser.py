"""Parsing operations: the generic form of any, the custom form of those that are defined."""

from __future__ import annotations

import re

from penstock.ir.attributes import Attribute
from penstock.ir.core import Block, Operation, Region
from penstock.ir.diagnostics import did_you_mean
from penstock.ir.location import UNKNOWN, Location
from penstock.ir.opdef import UnregisteredOp, registry
from penstock.ir.quoting import unquote
from penstock.ir.text.assembly import form_of
from penstock.ir.text.form_reader import FormReader
from penstock.ir.text.lexer import short
from penstock.ir.text.value_parser import ValueParser, other_types
from penstock.ir.types import Type

_ALIAS = re.compile(r"^[ \t]*([#!](?:[0-9]+|[A-Za-z_$.-][\w$.-]*))[ \t]*=", re.MULTILINE | re.ASCII)
_SHORT = {"module": "builtin.module", "return": "func.return", "call": "func.call"}


MAX_EXPANDED = 2**26
"""The most characters that all uses of aliases may expand to, against exponential growth."""


class Parser(ValueParser):
    """Reads operations; op classes with a `read` method call its parts."""

    def __init__(self, text: str, source: str, allow_unregistered: bool = False) -> None:
        self.allow_unregistered = allow_unregistered
        self.definition_of: dict[str, int] = {}
        """The offset of the definition of each alias."""
        self.aliases: dict[str, Type | Attribute | Location | None] = {}
        """The meanings of aliases; None for one whose definition is being parsed."""
        self.height_of: dict[str, int] = {}
        """The nesting depth of each alias's meaning."""
        self.expanded = 0
        """The number of characters that all uses of aliases expand to."""
        super().__init__(text, source)

    def operations(self) -> list[Operation]:
        """The whole text: the operations at its top."""
        self.definitions()
        found = []
        while self.kind != "end":
            if self.kind in ("hash", "bang"):
                self.skip_definition()
            else:
                found.append(self.operation())
        return found

    # -- aliases --------------------------------------------------------------------------------

    def definitions(self) -> None:
        """Read every `#name = ...` and `!name = ...` beforehand: definitions may follow uses."""
        for match in _ALIAS.finditer(self.text):
            if match[1] in self.definition_of:
                self.fail(f"alias {short(match[1])} is defined twice", *match.span(1))
            if "." in match[1]:
                self.fail(
                    f"alias {short(match[1])} has a dot: such names are a dialect's", *match.span(1)
                )
            self.definition_of[match[1]] = match.end()
        for name, end in self.definition_of.items():
            if name not in self.aliases:
                self._define_alias(name, end)
        self.jump(0)

    def _define_alias(self, name: str, end: int) -> None:
        """Read the definition of an alias; what it mentions is read on the way."""
        here = self.kind, self.word, self.start, self.end
        self.enter()
        self.aliases[name] = None
        self.jump(end)
        self.aliases[name], self.height_of[name] = self.measured(lambda: self._alias_value(name))
        self.leave()
        self.kind, self.word, self.start, self.end = here

    def alias(self, name: str, start: int, end: int) -> Type | Attribute | Location:
        """What `#name` or `!name`, which stands there, means."""
        if name in self.definition_of and name not in self.aliases:
            self._define_alias(name, self.definition_of[name])
        found = self.aliases.get(name)
        if found is None:
            if name in self.aliases:
                self.fail(f"alias {short(name)} is defined in terms of itself", start, end)
            hint = did_you_mean(name, self.aliases)
            self.fail(f"alias {short(name)} is not defined{hint}", start, end)
        self.reach(self.depth + self.height_of[name])
        self.expanded += len(str(found))
        if self.expanded > MAX_EXPANDED:
            self.fail(f"aliases expand to more than {MAX_EXPANDED} characters", start, end)
        return found

    def _alias_value(self, name: str) -> Type | Attribute | Location:
        if name[0] == "!":
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
        name, start, end = self.word, self.start, self.end
        self.advance()
        self.expect("=")
        if name not in self.aliases:
            self.fail(
                f"the definition of {short(name)} must begin on a line of its own", start, end
            )
        self._alias_value(name)

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
        if op.location is UNKNOWN:
            op.location = self.trailing_location()
        self._bind(op, names, start)
        return op

    def _result_names(self) -> list[tuple[str, int, int]]:
        names: list[tuple[str, int, int]] = []
        while self.kind == "value":
            start, word = self.start, self.new_name("a result such as %x")
            count = 1
            if self.accept(":"):
                at, end = self.start, self.end
                count = self.integer("a number of results")
                if count < 1:
                    self.fail(f"expected a number of results, got {count}", at, end)
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
            hint = did_you_mean(name, registry)
            self.fail(f"unknown operation {short(name)!r}{hint}", start, end)
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
            self.fail("successors are not supported: use regions for control flow")
        attributes: dict[str, Attribute] = {}
        if self.accept("<"):
            attributes = self.dictionary()
            self.expect(">")
        inherent = frozenset(attributes)
        regions = self._regions(cls is not None and cls.isolated)
        attributes = self.optional_dictionary(attributes)
        if cls is not None and attributes:
            for unsaid, value in cls.implied.items():
                if attributes.get(unsaid) is value:
                    del attributes[unsaid]
        self.expect(":")
        at, type = self.start, self.function_type()
        operand_types = tuple(v.type for v in operands)
        if operand_types != type.inputs:
            self.fail(other_types("the operands have", operand_types, type.inputs), at)
        op = self.make(cls, name, operands, type.results, attributes, regions, start, end)
        if isinstance(op, UnregisteredOp):
            op.inherent = inherent
        return op

    def _regions(self, isolated: bool) -> list[Region]:
        """`({...}, {...})`, or nothing."""
        found: list[Region] = []
        if self.accept("("):
            while not self.accept(")"):
                if found:
                    self.expect(",")
                found.append(self.region(isolated=isolated))
        return found

    def _custom(self) -> Operation:
        start, end = self.start, self.end
        name = _SHORT.get(self.word, self.word)
        cls = self.op_class(name, start, end)
        if cls is None:
            self.fail(f"{short(name)!r} is not registered and has no custom form", start, end)
        self.advance()
        read = getattr(cls, "read", None)
        if read is not None:
            op: Operation = self.construct(lambda: read(self), start, end)
            return op
        form = form_of(cls.definition)
        if form is None:
            self.fail(f'{name} has no custom form: write "{name}"(...)', start, end)
        return FormReader(self, cls, start, end).read(form)

    # -- regions --------------------------------------------------------------------------------

    def region(self, entry: Block | None = None, isolated: bool = False) -> Region:
        """`{ ... }`: blocks of operations.

        A custom form gives the `entry` block, its arguments named in the innermost scope.
        """
        self.enter()
        opened = self.start
        self.expect("{")
        outer = self.scopes
        self.scopes = [{}] if isolated else [*outer, {}]
        region = Region()
        block = entry
        if entry is not None:
            region.append(entry)
            if self.kind == "block":
                self.fail("the first block has no label here: its arguments are named above")
        labels: set[str] = set()
        while not self.accept("}"):
            if self.kind == "end":
                self.fail("the region that begins here is never closed", opened, opened + 1)
            if self.kind == "block":
                if self.word in labels:
                    self.fail(f"block {short(self.word)} is defined twice")
                labels.add(self.word)
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
                name = self.new_name("a block argument such as %x")
                self.expect(":")
                argument = block.add_argument(self.type())
                argument.location = self.trailing_location()
                self.define(name, [argument], start)
        self.expect(":")
        return block
