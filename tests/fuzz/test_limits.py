"""Texts at the limits: each is parsed or gives a located error, with work linear in its length.

A sample of the long ones is tried; all with PENSTOCK_FUZZ_ALL=1.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

import pytest
from effort import calls
from long_texts import SIZE, endless, nested, repeated

from penstock.ir.diagnostics import Diagnostic, IRError, Span
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify

# To make all texts takes as long as to read a few of them, and each share makes all.
SHARES, EVERY = (8, 1) if os.environ.get("PENSTOCK_FUZZ_ALL") == "1" else (2, 32)
CALLS = 30
"""The most function calls per character of a text."""
LONGEST = 10_000
"""The most characters of the first message."""


def end(name: str, text: str) -> str:
    """The outcome of a text: error, unsound or sound; anything else fails."""
    module: Module | None = None
    custom = generic = ""

    def work() -> str:
        nonlocal module, custom, generic
        module = parse_module(text)
        try:
            verify(module)
        except IRError:
            return "unsound"
        finally:
            custom, generic = print_module(module), print_module(module, generic=True)
        return "sound"

    found: Sequence[Diagnostic] = ()

    def tried() -> str:
        nonlocal found
        try:
            return work()
        except IRError as error:
            found = error.diagnostics
            return "error"

    sound, count = calls(tried)
    assert count <= CALLS * len(text) + 10_000, name
    if sound == "error":
        assert all(isinstance(one.where, Span) for one in found), name
        assert len(str(found[0])) < LONGEST, name
        return sound
    assert module is not None
    if len(custom) < 2 * SIZE:
        assert print_module(parse_module(custom)) == custom, name
        assert print_module(parse_module(generic), generic=True) == generic, name
    return sound


Texts = Callable[[], Iterator[tuple[str, str]]]


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("texts", [repeated, nested, endless])
def test_each_ends(texts: Texts, share: int) -> None:
    every = SHARES * EVERY if texts is repeated else SHARES
    found = [end(*text) for i, text in enumerate(texts()) if i % every == share]
    assert "error" in found
