"""Pipelines as text: `canonicalize,fuse{limit=8 names="a b"},cse`.

Options follow a pass in braces as `name=value`, separated by spaces. List items are separated by
commas. A bare name sets a flag to true.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import NoReturn

from penstock.passes import PASSES
from penstock.passes.base import Pass, PipelineError

_TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([{},=])|([^\s{},="]+))')


def load_pass(name: str) -> type[Pass]:
    """The pass class with this name. A PipelineError suggests a close match.

    >>> load_pass("cse").__name__
    'CSE'
    """
    target = PASSES.get(name)
    if target is None:
        near = difflib.get_close_matches(name, PASSES, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(sorted(PASSES))}"
        raise PipelineError(f"there is no pass {name!r}: {hint}")
    module, _, attribute = target.partition(":")
    found: type[Pass] = getattr(import_module(module), attribute)
    return found


def parse_pipeline(text: str) -> list[Pass]:
    """Parse a pipeline. Raises PipelineError if it is malformed.

    >>> [step.name for step in parse_pipeline("canonicalize, cse")]
    ['canonicalize', 'cse']
    """
    return [load_pass(name).from_options(options) for name, options in _Reader(text).steps()]


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

    def steps(self) -> list[tuple[str, Mapping[str, Sequence[str]]]]:
        steps: list[tuple[str, Mapping[str, Sequence[str]]]] = []
        while self.words[self.at]:
            if steps and not self.accept(","):
                self.fail(f"expected ',' between passes, got {self.take()!r}")
            steps.append((self.name("a pass"), self.options() if self.accept("{") else {}))
        return steps

    def options(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        while not self.accept("}"):
            option = self.name("an option or '}'")
            if option in found:
                self.fail(f"option {option!r} is given twice")
            found[option] = self.values(option) if self.accept("=") else ["true"]
        return found

    def values(self, option: str) -> list[str]:
        """The items after `=`: an empty list if another option or the closing brace follows."""
        if self.words[self.at] == "}" or self.words[self.at + 1] == "=":
            return []
        values = [self.value(option)]
        while self.accept(","):
            values.append(self.value(option))
        return values

    def value(self, option: str) -> str:
        word = self.take()
        if not word or word in "{},=":
            self.fail(f"expected a value of option {option!r}, got {word!r}")
        return word
