"""Locations: MLIR's text, round trips, and the line shown in errors."""

from pathlib import Path

import pytest

from penstock.ir.attributes import DictAttr, StringAttr, unit
from penstock.ir.diagnostics import Diagnostic, IRError, Span
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.location import (
    UNKNOWN,
    CallSiteLocation,
    FileLocation,
    FusedLocation,
    Location,
    NameLocation,
    fuse,
    shown_file,
)
from penstock.ir.text.printer import print_module

A, B, C = FileLocation("a.py", 1, 2), FileLocation("b.py", 3, 4), FileLocation("c.py", 5, 6)


def read(text: str) -> Location:
    return parse_module(f"module {{}} loc({text})").location


@pytest.mark.parametrize(
    ("location", "text"),
    [
        (A, '"a.py":1:2'),
        (FileLocation("train.py", 20), '"train.py":20:0'),
        (FileLocation("a.py", 2**32 - 1, 2**32 - 1), '"a.py":4294967295:4294967295'),
        (FileLocation('odd "name"\n', 1, 2), r'"odd \22name\22\0A":1:2'),
        (FileLocation("a.py", 1, 2, (3, 4)), '"a.py":1:2 to 3:4'),
        (FileLocation("a.py", 1, 2, (1, 9)), '"a.py":1:2 to :9'),
        (NameLocation("dense", A), '"dense"("a.py":1:2)'),
        (NameLocation("dense", UNKNOWN), '"dense"'),
        (NameLocation("a", NameLocation("b", A)), '"a"("b"("a.py":1:2))'),
        (CallSiteLocation(A, B), 'callsite("a.py":1:2 at "b.py":3:4)'),
        (CallSiteLocation(UNKNOWN, NameLocation("f", A)), 'callsite(unknown at "f"("a.py":1:2))'),
        (FusedLocation((A, B)), 'fused["a.py":1:2, "b.py":3:4]'),
        (FusedLocation((A,), StringAttr("cse")), 'fused<"cse">["a.py":1:2]'),
        (
            FusedLocation((A, FusedLocation((B, C))), DictAttr((("pass", unit),))),
            'fused<{pass}>["a.py":1:2, fused["b.py":3:4, "c.py":5:6]]',
        ),
        (UNKNOWN, "unknown"),
    ],
)
def test_the_text_reads_back_as_the_same(location: Location, text: str) -> None:
    assert str(location) == text
    assert read(text) == location
    module = parse_module(f"module {{}} loc({text})")
    for generic in (False, True):
        assert parse_module(print_module(module, generic)).location == location


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("fused[]", "unknown"),
        ("fused[unknown]", "unknown"),
        ('fused["a.py":1:2]', '"a.py":1:2'),
        ('fused["a.py":1:2, unknown, "a.py":1:2]', '"a.py":1:2'),
        ('fused["a.py":1:2, fused["b.py":3:4, "a.py":1:2]]', 'fused["a.py":1:2, "b.py":3:4]'),
        ('fused<"x">[]', 'fused<"x">[unknown]'),
        ('fused<"x">["a.py":1:2, fused<"x">["b.py":3:4]]', 'fused<"x">["a.py":1:2, "b.py":3:4]'),
        ('"a"(unknown)', '"a"'),
        ('"a.py":1:2 to 1:2', '"a.py":1:2'),
    ],
)
def test_fused_locations_are_ordered_and_unique(text: str, printed: str) -> None:
    assert str(read(text)) == printed
    assert read(printed) == read(text)


def test_aliases_may_follow_their_use_and_each_other() -> None:
    module = parse_module(
        'module {} loc(#loc1)\n#loc = loc("a.py":1:2)\n#loc1 = loc(callsite(#loc at #loc2))\n'
        '#loc2 = loc("b.py":3:4)'
    )
    assert module.location == CallSiteLocation(A, B)


def test_fusing() -> None:
    assert fuse() is UNKNOWN
    assert fuse(UNKNOWN, UNKNOWN) is UNKNOWN
    assert fuse(A, UNKNOWN, A) is A
    assert fuse(A, fuse(B, C), B) == FusedLocation((A, B, C))
    marked = fuse(A, B, metadata=StringAttr("x"))
    assert fuse(marked, C) == FusedLocation((marked, C))
    assert fuse(marked) is marked


def test_the_innermost_line_is_shown() -> None:
    assert A.describe() == "a.py:1"
    assert NameLocation("dense", B).describe() == "b.py:3"
    assert CallSiteLocation(A, B).describe() == "a.py:1"
    assert CallSiteLocation(UNKNOWN, B).describe() == "b.py:3"
    assert FusedLocation((NameLocation("x", C), A)).describe() == "c.py:5"
    assert UNKNOWN.describe() == NameLocation("x", UNKNOWN).describe() == "unknown location"
    assert FusedLocation((A, CallSiteLocation(B, C))).files() == [A, B, C]


def test_a_file_is_shown_below_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = str(tmp_path / "train.py")
    monkeypatch.chdir(tmp_path)
    assert shown_file(file) == "train.py"
    tmp_path.rmdir()
    assert shown_file(file) == file, "where there is no such directory any more"


# -- diagnostics -----------------------------------------------------------------------------------


def test_a_diagnostic_in_the_user_s_program() -> None:
    found = Diagnostic("flow.relu: no", A, notes=("see there", "and there"))
    assert str(found) == "a.py:1: error: flow.relu: no\n  note: see there\n  note: and there"
    error = IRError(found, Diagnostic("odd", UNKNOWN, "warning"))
    assert str(error) == f"{found}\nunknown location: warning: odd"
    assert len(error.diagnostics) == 2


@pytest.mark.parametrize(
    ("text", "start", "end", "shown"),
    [
        ("abc", 1, 2, "f:1:2: error: m\n  abc\n   ^"),
        ("abc\ndefg\n", 5, 7, "f:2:2: error: m\n  defg\n   ^^"),
        ("a\n", 2, 3, "f:2:1: error: m\n  \n  ^"),
        ("", 0, 1, "f:1:1: error: m\n  \n  ^"),
        ("\ta\0b\x1b", 1, 2, "f:1:2: error: m\n   a b \n   ^"),
        ("ab\ncd", 1, 5, "f:1:2: error: m\n  ab\n   ^"),
        ("x" * 500, 300, 303, f"f:1:301: error: m\n  {'x' * 160}\n  {' ' * 80}^^^"),
        ("x" * 500, 10, 400, f"f:1:11: error: m\n  {'x' * 160}\n  {' ' * 10}{'^' * 150}"),
    ],
)
def test_a_diagnostic_in_a_text(text: str, start: int, end: int, shown: str) -> None:
    assert str(Diagnostic("m", Span("f", text, start, end))) == shown
