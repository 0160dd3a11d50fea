"""Hooks and custom gradients see and do the same wherever the table of docs/hooks.md says so."""

from pathlib import Path

import pytest
from everywhere import HOOKS, WORLDS, check

PAGE = Path(__file__).resolve().parents[3] / "docs" / "hooks.md"


def table() -> dict[str, dict[str, str]]:
    """The cells of the table, by row and column."""
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith("|")]
    start = next(i for i, line in enumerate(lines) if "eager" in line)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[start:]]
    return {name: dict(zip(rows[0][1:], cells, strict=True)) for name, *cells in rows[2:18]}


def test_the_table_has_all_of_them() -> None:
    assert list(table()) == list(HOOKS)
    assert all(list(row) == list(WORLDS) for row in table().values())


@pytest.mark.sampled
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("hook", HOOKS)
def test_it_sees_and_learns_what_eager_code_does(hook: str, world: str) -> None:
    assert check(HOOKS[hook], WORLDS[world]) == table()[hook][world]
