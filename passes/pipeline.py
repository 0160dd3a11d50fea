"""Pipelines: sequences of passes with options, as values and as text.

As text, `canonicalize,fuse{limit=8 names="a b"},cse`: options follow a pass in braces as
`name=value`, separated by spaces. List items are separated by commas. A bare name sets a flag to
true.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any, NoReturn, TypeVar

from penstock.ir.record import Record
from penstock.passes import PASSES
from penstock.passes.base import Pass, PipelineError, option_text

P = TypeVar("P", bound=Pass)

_NAME = re.compile(r"[\w.-]+\Z", re.ASCII)
_TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([{},=])|([^\s{},="]+))')


class PassSpec(Record):
    """A pass of a pipeline, by name. Loading its class is slow and is left to who runs it."""

    name: str
    options: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Each option with its items as text: one item unless it is a tuple."""

    @classmethod
    def of(cls, name: str, **values: Any) -> PassSpec:
        """The step with these values of options.

        >>> str(PassSpec.of("tile", sizes=(4, 8), flag=True))
        'tile{sizes=4,8 flag=true}'
        """
        items = {key: v if isinstance(v, tuple) else (v,) for key, v in values.items()}
        return cls(name, tuple((key, tuple(map(option_text, v))) for key, v in items.items()))

    def __str__(self) -> str:
        words = " ".join(f"{option}={','.join(items)}" for option, items in self.options)
        return f"{self.name}{{{words}}}" if words else self.name

    def loaded(self) -> Pass:
        """The pass itself. A PipelineError says what is wrong with its name or options."""
        return load_pass(self.name).from_options(dict(self.options))


class Pipeline(tuple[PassSpec, ...]):
    """Passes in the order in which they run. A pipeline never changes; methods return new ones.

    >>> usual = Pipeline.parse("lower,fuse-elementwise,outline-groups")
    >>> str(usual.insert("copy-blobs"))
    'lower,copy-blobs,fuse-elementwise,outline-groups'
    """

    __slots__ = ()

    @classmethod
    def of(cls, *steps: PassSpec | str) -> Pipeline:
        """The pipeline of these steps; a name alone is a pass without options."""
        return cls(PassSpec(step) if isinstance(step, str) else step for step in steps)

    @classmethod
    def parse(cls, text: str) -> Pipeline:
        """Parse a pipeline's text. PipelineError if it is malformed; passes are not looked up."""
        return cls(_Reader(text).steps())

    def __str__(self) -> str:
        return ",".join(map(str, self))

    def __add__(self, other: Iterable[PassSpec]) -> Pipeline:  # type: ignore[override]
        return Pipeline((*self, *other))

    @property
    def names(self) -> list[str]:
        """The names of the passes, in order."""
        return [step.name for step in self]

    def insert(self, *steps: PassSpec | str, after: str | None = None) -> Pipeline:
        """The pipeline with more passes, each where `before` and `after` of its class put it.

        This is directly ahead of the first pass in `before`; without any of those directly behind
        the last pass in `after`; and without any of these at the end. With the argument `after`,
        it is directly behind the first pass of that name instead. Raises PipelineError if there is
        no such pass, or if no place fits.
        """
        found = self
        for step in Pipeline.of(*steps):
            place = found._place(load_pass(step.name)) if after is None else found._behind(after)
            found = Pipeline((*found[:place], step, *found[place:]))
        return found

    def _behind(self, name: str) -> int:
        if name not in self.names:
            raise PipelineError(
                f"pipeline {str(self)!r} has no pass {name!r} to insert another after"
            )
        return self.names.index(name) + 1

    def _place(self, cls: type[Pass]) -> int:
        """The position at which to insert a pass."""
        first = max((i + 1 for i, name in enumerate(self.names) if name in cls.after), default=0)
        last = min((i for i, name in enumerate(self.names) if name in cls.before), default=None)
        if last is None:
            return first or len(self)
        if last < first:
            raise PipelineError(
                f"pipeline {str(self)!r} has no place for pass {cls.name!r}, which comes after "
                f"{self[first - 1].name!r} and before {self[last].name!r}; change their order"
            )
        return last

    def replace(self, step: PassSpec) -> Pipeline:
        """The pipeline with this step instead of each one of the same name."""
        return Pipeline(step if own.name == step.name else own for own in self)

    def passes(self) -> list[Pass]:
        """The passes themselves.

        Raises PipelineError for an unknown pass or a wrong option, and for a wrong order.
        """
        found = [step.loaded() for step in self]
        check_order(found)
        return found


def check_order(passes: Iterable[Pass]) -> None:
    """Raise PipelineError if a pass runs before one that it must follow.

    Only first runs count: a pass may run again, as it then finds nothing left to do.
    """
    found = list({step.name: step for step in passes}.values())
    for position, step in enumerate(found):
        for earlier in found[:position]:
            why = step.before.get(earlier.name) or earlier.after.get(step.name)
            if why:
                raise PipelineError(
                    f"pass {step.name!r} comes after {earlier.name!r}, but must come before it, "
                    f"since {why}: move {step.name!r} ahead of {earlier.name!r}"
                )


_OWN: dict[str, type[Pass]] = {}


def register(cls: type[P]) -> type[P]:
    """A decorator that makes a user's pass known by its name; a later one replaces an earlier one.

    Raises PipelineError if the name is that of a pass of penstock, or none for a pipeline's text.

    >>> @register
    ... class Nothing(Pass):
    ...     name = "mine.nothing"
    ...     def run(self, module): pass
    >>> str(parse_pipeline("cse,mine.nothing")[1])
    'mine.nothing'
    """
    if not (isinstance(cls, type) and issubclass(cls, Pass)):
        raise PipelineError(f"register takes a class derived from Pass, got {cls!r}")
    if not _NAME.match(cls.name):
        raise PipelineError(
            f"the name of pass {cls.__name__} must be letters, digits, points and hyphens, "
            f"got {cls.name!r}; write e.g. name = 'mine.my-pass' in its class"
        )
    if cls.name in PASSES:
        raise PipelineError(
            f"there is a pass {cls.name!r} in penstock; give {cls.__name__} another"
        )
    _OWN[cls.name] = cls
    return cls


def known_passes() -> list[str]:
    """The names of all passes, registered ones too."""
    return sorted({*PASSES, *_OWN})


def load_pass(name: str) -> type[Pass]:
    """The pass class with this name. A PipelineError suggests a close match.

    >>> load_pass("cse").__name__
    'CSE'
    """
    if name in _OWN:
        return _OWN[name]
    target = PASSES.get(name)
    if target is None:
        known = known_passes()
        near = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
        if "." in name and not near:
            hint = "import the file that registers it, as by --import FILE.py"
        raise PipelineError(f"there is no pass {name!r}: {hint}")
    module, _, attribute = target.partition(":")
    found: type[Pass] = getattr(import_module(module), attribute)
    return found


def parse_pipeline(text: str) -> list[Pass]:
    """The passes of a pipeline's text. Raises PipelineError if it is malformed or misordered.

    >>> [step.name for step in parse_pipeline("canonicalize, cse")]
    ['canonicalize', 'cse']
    """
    return Pipeline.parse(text).passes()


def pipeline_text(passes: Iterable[Pass]) -> str:
    """The pipeline as text that parses back to equal passes."""
    return ",".join(map(str, passes))


class _Reader:
    """Parses the syntax alone: names and option texts, without looking up passes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: list[str] = []
        position, end = 0, len(text.rstrip())
        while position < end:
            match = _TOKEN.match(text, position)
            if match is None:
                self.fail(f"a quote is not closed at {text[position:].strip()!r}")
            self.words.append(match[match.lastindex or 0])
            position = match.end()
        self.words += ["", ""]
        self.at = 0

    def fail(self, message: str) -> NoReturn:
        raise PipelineError(f"pipeline {self.text!r}: {message}")

    def take(self) -> str:
        word = self.words[self.at]
        self.at += bool(word)
        return word

    def accept(self, word: str) -> bool:
        if self.words[self.at] != word:
            return False
        self.take()
        return True

    def name(self, what: str) -> str:
        word = self.take()
        if not word or word in "{},=" or word[0] == '"':
            self.fail(f"expected {what}, got {word!r}" if word else f"expected {what} at its end")
        return word

    def steps(self) -> list[PassSpec]:
        steps: list[PassSpec] = []
        while self.words[self.at]:
            if steps and not self.accept(","):
                self.fail(f"expected ',' between passes, got {self.take()!r}")
            name = self.name("a pass")
            steps.append(PassSpec(name, tuple(self.options().items()) if self.accept("{") else ()))
        return steps

    def options(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        while not self.accept("}"):
            option = self.name("an option or '}'")
            if option in found:
                self.fail(f"option {option!r} is given twice")
            found[option] = self.values(option) if self.accept("=") else ("true",)
        return found

    def values(self, option: str) -> tuple[str, ...]:
        """The items after `=`: none if another option or the closing brace follows."""
        if self.words[self.at] == "}" or self.words[self.at + 1] == "=":
            return ()
        values = [self.value(option)]
        while self.accept(","):
            values.append(self.value(option))
        return tuple(values)

    def value(self, option: str) -> str:
        word = self.take()
        if not word or word in "{},=":
            self.fail(f"expected a value of option {option!r}, got {word!r}")
        return word
