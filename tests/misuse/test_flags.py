"""Every option of every command with invalid values: one sentence, and exit code 1 or 2."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Callable
from importlib import import_module

import pytest
from flags import FLAGS, NEEDED, Row

from penstock.tools import cli

Said = Callable[..., str]


def actions(command: str) -> dict[str, argparse.Action]:
    """The options and arguments of a command, by their longest name."""
    parser = argparse.ArgumentParser(add_help=False)
    import_module(cli.COMMANDS[command][0]).add_arguments(parser)
    return {(max(a.option_strings, key=len, default=a.dest)): a for a in parser._actions}


ALL = [(command, name) for command in cli.COMMANDS for name in actions(command)]
FLAGGED = [(c, n) for c, n in ALL if actions(c)[n].nargs == 0]
VALUED = [
    (c, n)
    for c, n in ALL
    if n.startswith("-") and (c, n) not in FLAGGED and actions(c)[n].nargs != "?"
]
ROWS = [(c, n, row) for (c, n), rows in FLAGS.items() for row in rows]


def test_every_option_is_in_the_table() -> None:
    taking = {(c, n) for c, n in ALL if (c, n) not in FLAGGED}
    assert taking == set(FLAGS), "flags.py needs a row of bad values for each option with a value"
    assert set(NEEDED) == set(cli.COMMANDS)


@pytest.mark.parametrize(("command", "name"), FLAGGED)
def test_a_value_where_there_is_none(command: str, name: str, said: Said) -> None:
    words = said(command, *shlex.split(NEEDED[command]), f"{name}=yes", code=(2,))
    # Python 3.11 names both of an option and its opposite, later ones the first.
    assert re.search(r"argument [^:]*: ignored explicit argument 'yes'", words)


@pytest.mark.parametrize(("command", "name"), VALUED)
def test_no_value_where_there_is_one(command: str, name: str, said: Said) -> None:
    words = said(command, *shlex.split(NEEDED[command]), name, code=(2,))
    assert f"{name}: expected " in words


@pytest.mark.parametrize(("command", "name", "row"), ROWS)
def test_a_bad_value(command: str, name: str, row: Row, said: Said) -> None:
    words_, code, part = row
    words = words_.replace("_", NEEDED[command], 1) if words_.startswith("_") else words_
    try:
        split = shlex.split(words)
    except ValueError:
        split = words.split()
    assert part in said(command, *split, code=(code,))


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_an_unknown_option_and_a_word_too_many(command: str, said: Said) -> None:
    needed = shlex.split(NEEDED[command])
    assert "unrecognized arguments: --nope" in said(command, *needed, "--nope", code=(2,))
    assert "unrecognized arguments" in said(command, *needed, *["more"] * 9, code=(2,))
