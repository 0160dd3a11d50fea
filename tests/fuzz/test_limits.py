"""Texts at the limits: each is read, or refused at a place, with work that its length bounds.

A sample of the long ones is tried, and all with PENSTOCK_FUZZ_ALL=1.
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

SHARES = 8
EVERY = 1 if os.environ.get("PENSTOCK_FUZZ_ALL") == "1" else 32
CALLS = 30
"""How many functions are called for each character of a text, at the most."""
LONGEST = 10_000
"""How many characters the first message may have."""


def end(name: str, text: str) -> str:
    """What becomes of a text: error, unsound or sound; what must not happen fails."""
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
