"""Texts at the limits: each is read, or refused at a place, in less than a second.

One of eight of the long ones is tried, and all with PENSTOCK_FUZZ_ALL=1.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence

import pytest
from long_texts import SIZE, endless, nested, repeated

from penstock.ir.diagnostics import Diagnostic, IRError, Span
from penstock.ir.parser import parse_module
from penstock.ir.printer import print_module
from penstock.ir.verifier import verify

SHARES = 8
EVERY = 1 if os.environ.get("PENSTOCK_FUZZ_ALL") == "1" else 8
SECONDS = 1.0
LONGEST = 10_000
"""How many characters the first message may have."""


def end(name: str, text: str) -> str:
    """What becomes of a text: error, unsound or sound; what must not happen fails."""
    begin = time.process_time()
    found: Sequence[Diagnostic] = ()
    try:
        module = parse_module(text)
    except IRError as error:
        found = error.diagnostics
    if found:
        assert time.process_time() - begin < SECONDS, name
        assert all(isinstance(one.where, Span) for one in found), name
        assert len(str(found[0])) < LONGEST, name
        return "error"
    try:
        verify(module)
        sound = "sound"
    except IRError:
        sound = "unsound"
    custom, generic = print_module(module), print_module(module, generic=True)
    assert time.process_time() - begin < SECONDS, name
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
