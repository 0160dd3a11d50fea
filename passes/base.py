"""The interface of a pass: a record whose fields are its options.

    class Unroll(Pass):
        \"\"\"Unroll loops with a small constant trip count.

            scf.for %i = %c0 to %c2 step %c1 { f(%i) }   ->   f(%c0); f(%c1)
        \"\"\"

        name = "unroll"
        limit: int = 8

        def run(self, module: Module) -> None: ...

In a pipeline this is `unroll` or `unroll{limit=16}`. To add a pass, write its class and add a line
to the table in `penstock.passes`. If its order matters, the class says so:

        before: ClassVar[Order] = {"bufferize": "it handles no buffers"}  # checked
        after: ClassVar[Order] = {"lower": None}  # `Pipeline.insert` keeps it
"""

from __future__ import annotations

import difflib
import re
import types
import typing
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING
from functools import cache
from typing import Any, ClassVar, Literal, TypeVar, Union

from penstock.ir.dialects.builtin import Module
from penstock.ir.quoting import quote, unquote
from penstock.ir.record import Record, fields

P = TypeVar("P", bound="Pass")
Order = Mapping[str, str | None]
"""Names of other passes -> why the order is necessary, or None if others work too."""

_BARE = re.compile(r"""(?:(?![{},="])[!-~])+\Z""")
"""Strings that pipeline text gives without quotes."""


class PipelineError(ValueError):
    """A pipeline with an unknown pass, an unknown option, a bad option value or a wrong order."""


class Pass(Record, ABC):
    """Transforms a module in place. A subclass's docstring shows the IR before -> the IR after.

    A field is a bool, an int, a float, a str or a `Literal` of strings, or one of these or None, or
    a `tuple[int, ...]` or `tuple[str, ...]`.
    """

    name: ClassVar[str] = ""
    fuses: ClassVar[bool] = False
    """Whether the pass makes fusion decisions and emits remarks about them."""
    required: ClassVar[bool] = False
    """Whether a traced job cannot be lowered to loops without the pass."""
    for_ranks: ClassVar[bool] = False
    """Whether the pass has nothing to do unless several ranks share the job."""
    before: ClassVar[Order] = {}
    """The passes that this one precedes.

    Each pipeline is checked against the orders that have a reason. It ends the error's sentence
    "... must come before it, since ...". An order without a reason only tells `Pipeline.insert` and
    the fuzzer where the pass belongs, for example where it finds the most to do.
    """
    after: ClassVar[Order] = {}
    """The passes that this one follows; as `before`."""

    @abstractmethod
    def run(self, module: Module) -> None:
        """Transform the module. Raises `IRError` if the pass cannot proceed."""

    def __str__(self) -> str:
        """The pass as pipeline text, without options that have their default value."""
        options = [
            f"{option}={option_text(value)}"
            for option, default in fields(self).items()
            if (value := getattr(self, option)) != default
        ]
        return f"{self.name}{{{' '.join(options)}}}" if options else self.name

    @classmethod
    def from_options(cls: type[P], options: Mapping[str, Sequence[str]]) -> P:
        """Build the pass from option texts: one list per option, of one item unless it is a tuple.

        Strings may be quoted. A bare `none` is None if the annotation allows None.
        Raises PipelineError for an unknown option, a bad value or a missing option.
        """
        # Evaluating the annotations is slow, so skip it when there are no options to parse.
        kinds = option_types(cls) if options else {}
        for option in options:
            if option not in kinds:
                raise PipelineError(
                    f"pass {cls.name!r} has no option {option!r}: {_choose(option, kinds)}"
                )
        values = {
            option: _value(f"option {option!r} of pass {cls.name!r}", kinds[option], words)
            for option, words in options.items()
        }
        for option, default in fields(cls).items():
            if option not in values and default is MISSING:
                raise PipelineError(f"pass {cls.name!r} needs its option {option!r}")
        return cls(**values)


@cache
def option_types(cls: type[Pass]) -> Mapping[str, Any]:
    """The annotation of each option of a pass, in order."""
    hints = typing.get_type_hints(cls)
    return {option: hints[option] for option in fields(cls)}


def _choose(word: str, known: Iterable[str]) -> str:
    """The hint that ends the error about an unknown option."""
    names = sorted(known)
    close = difflib.get_close_matches(word, names, 1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"it has {', '.join(names)}" if names else "it has none"


def option_text(value: Any) -> str:
    """An option's value as pipeline text."""
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return ",".join(map(option_text, value))
        case str():
            return value if value != "none" and _BARE.match(value) else quote(value)
        case _:
            return str(value).lower() if value is None else str(value)


def _value(what: str, kind: Any, words: Sequence[str]) -> Any:
    """Parse `words` as the annotated type."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (Union, types.UnionType):
        if list(words) == ["none"] and type(None) in arguments:
            return None
        (kind,) = (a for a in arguments if a is not type(None))
        return _value(what, kind, words)
    if origin is tuple:
        return tuple(_scalar(what, arguments[0], word) for word in words)
    if len(words) != 1:
        raise PipelineError(f"{what} takes one value, got {len(words)}: {', '.join(words)}")
    return _scalar(what, kind, words[0])


def _scalar(what: str, kind: Any, word: str) -> Any:
    if word.startswith('"') and (kind is str or typing.get_origin(kind) is Literal):
        word = unquote(word)
    if kind is str:
        return word
    if kind is bool:
        if word not in ("true", "false"):
            raise PipelineError(f"{what} is a flag: expected true or false, got {word!r}")
        return word == "true"
    if typing.get_origin(kind) is Literal:
        cases = typing.get_args(kind)
        if word not in cases:
            raise PipelineError(f"{what} is one of {', '.join(cases)}: got {word!r}")
        return word
    if kind not in (int, float):
        raise TypeError(f"{what} is declared {kind}, which cannot be written as text")
    try:
        return kind(word)
    except ValueError:
        wanted = "an integer" if kind is int else "a number"
        raise PipelineError(f"{what} expects {wanted}, got {word!r}") from None
