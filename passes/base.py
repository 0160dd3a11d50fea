"""The interface of a pass: a record whose fields are its options.

    class Unroll(Pass):
        \"\"\"Unroll loops whose number of turns is known and small.

            scf.for %i = %c0 to %c2 step %c1 { f(%i) }   ->   f(%c0); f(%c1)
        \"\"\"

        name = "unroll"
        limit: int = 8

        def run(self, module: Module) -> None: ...

In a pipeline it is `unroll` or `unroll{limit=16}`. A pass is added by its class and by one line in
the table of `penstock.passes`.
"""

from __future__ import annotations

import difflib
import types
import typing
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING
from functools import cache
from typing import Any, ClassVar, Literal, TypeVar, Union

from penstock.ir.dialects.builtin import Module
from penstock.ir.quoting import bare_or_quoted, quote, unquote
from penstock.ir.record import Record, fields

P = TypeVar("P", bound="Pass")


class PipelineError(ValueError):
    """A pipeline's text that names no pass, or gives it options it does not have."""


class Pass(Record, ABC):
    """One step from IR to IR, in place. Subclasses say in their docstring: IR before -> IR after.

    Fields may be bool, int, float, str, a `Literal` of strings, one of these or None, and
    `tuple[int, ...]` or `tuple[str, ...]`.
    """

    name: ClassVar[str] = ""
    fuses: ClassVar[bool] = False
    """Whether it decides what is fused, and remarks on it."""

    @abstractmethod
    def run(self, module: Module) -> None:
        """Change the module; raises `IRError` where it cannot go on."""

    def __str__(self) -> str:
        """The pass as a pipeline spells it, options at their defaults left out."""
        given = [
            f"{option}={option_text(value)}"
            for option, default in fields(self).items()
            if (value := getattr(self, option)) != default
        ]
        return f"{self.name}{{{' '.join(given)}}}" if given else self.name

    @classmethod
    def from_options(cls: type[P], options: Mapping[str, Sequence[str]]) -> P:
        """The pass with options given as texts: a list for each, of one item unless it is a tuple.

        Strings may be quoted; bare `none` is None where the annotation has that.
        Raises PipelineError for an unknown option, a wrong value and a missing one.
        """
        # Annotations are texts, which are only looked at where there is something to be read.
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
    """The end of a sentence about an unknown word."""
    names = sorted(known)
    close = difflib.get_close_matches(word, names, 1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"it has {', '.join(names)}" if names else "it has none"


def option_text(value: Any) -> str:
    """The value of an option as a pipeline spells it."""
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return ",".join(map(option_text, value))
        case str():
            return quote(value) if value == "none" else bare_or_quoted(value)
        case _:
            return str(value).lower() if value is None else str(value)


def _value(what: str, kind: Any, words: Sequence[str]) -> Any:
    """`words` as a value of the annotated type."""
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
    if kind is str:
        return unquote(word) if word.startswith('"') else word
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
        raise TypeError(f"{what} is declared {kind}, which no text can give")
    try:
        return kind(word)
    except ValueError:
        wanted = "an integer" if kind is int else "a number"
        raise PipelineError(f"{what} expects {wanted}, got {word!r}") from None
