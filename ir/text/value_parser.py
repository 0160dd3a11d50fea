"""Parsing values: their names and scopes, and the ops that define them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import zip_longest

from penstock.ir.attributes import Attribute
from penstock.ir.core import Operation, Region, Value
from penstock.ir.diagnostics import IRError, did_you_mean
from penstock.ir.location import UNKNOWN
from penstock.ir.opdef import UnregisteredOp
from penstock.ir.text.attribute_parser import AttributeParser
from penstock.ir.text.lexer import short
from penstock.ir.types import Type

_NUMBERED = re.compile(r"[0-9]+\Z")

MAX_SHOWN = 400
"""The longest list of types that a message shows in full. Longer ones show the difference."""


class ValueParser(AttributeParser):
    """Reads uses of values, and binds names to the results of ops."""

    def __init__(self, text: str, source: str) -> None:
        self.scopes: list[dict[str, Sequence[Value]]] = [{}]
        super().__init__(text, source)

    def define(self, word: str, values: Sequence[Value], start: int) -> None:
        """Bind `%word`, which must be new, to the results it names."""
        for scope in self.scopes:
            if word in scope:
                self.fail(f"%{short(word)} is defined twice", start, start + len(word) + 1)
        self.scopes[-1][word] = values
        if values and not _NUMBERED.match(word):
            values[0].name = word

    def new_name(self, what: str) -> str:
        """Read `%word` as the name of a value, without `#` and number."""
        if "#" in self.word and self.kind == "value":
            self.fail(f"expected {what}, got {self.shown()}")
        return self.take("value", what)[1:]

    def value(self) -> Value:
        """A use of a value, which must be defined above."""
        if self.kind != "value":
            self.fail(f"expected a value such as %x, got {self.shown()}")
        word = self.word[1:]
        for scope in reversed(self.scopes):
            found = scope.get(word)
            if found is not None and len(found) == 1:
                self.advance()
                return found[0]
        return self._result_of_several()

    def _result_of_several(self) -> Value:
        """`%x#1`, or an error."""
        word, _, number = self.word[1:].partition("#")
        found = next((scope[word] for scope in self.scopes if word in scope), None)
        shown = short(word)
        if found is None:
            hint = did_you_mean(word, [n for s in self.scopes for n in s], "%")
            self.fail(f"%{shown} is used before it is defined{hint}")
        position = int(number) if 0 < len(number) < 10 else len(found)
        if position >= len(found):
            self.fail(
                f"%{shown} stands for {len(found)} results: expected one of %{shown}#0 to "
                f"#{len(found) - 1}"
                if len(found) > 1
                else f"%{shown} stands for one result: there is no #{short(number)}"
            )
        self.advance()
        return found[position]

    def expect_type(self, value: Value) -> Type:
        """Set the type of a value that the text has named."""
        start, type = self.start, self.type()
        if type is not value.type:
            self.fail(other_types("the value has", [value.type], [type]), start)
        return type

    def values(self) -> list[Value]:
        """Values, separated by commas; possibly none."""
        if self.kind != "value":
            return []
        found = [self.value()]
        while self.accept(","):
            found.append(self.value())
        return found

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
        """Construct the op of this range of text."""
        if cls is None:
            return UnregisteredOp(name, operands, results, attributes, regions)
        return self.construct(lambda: cls(operands, results, attributes, regions), start, end)

    def construct(self, make: Callable[[], Operation], start: int, end: int) -> Operation:
        """Call `make`. An error it raises without a location gets the text's."""
        try:
            return make()
        except IRError as error:
            if error.diagnostics[0].where is not UNKNOWN:
                raise
            message = error.diagnostics[0].message
        self.fail(message, start, end)


def other_types(who: str, actual: Sequence[Type], written: Sequence[Type]) -> str:
    """The message for types in the text that differ from those of the values."""
    shown = [f"({', '.join(map(str, types))})" for types in (actual, written)]
    if max(map(len, shown)) > MAX_SHOWN:
        pairs = enumerate(zip_longest(actual, written, fillvalue="nothing"))
        position, differing = next((i, two) for i, two in pairs if two[0] is not two[1])
        shown = [f"{short(str(type))} at {position}" for type in differing]
    return f"{who} type {shown[0]}, the text says {shown[1]}"
