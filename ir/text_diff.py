"""Diffs of two IR texts, with the same numbers for the same values.

The printer numbers values consecutively, so one new op changes all later numbers. Here lines are
first aligned without their numbers. Then the second text takes over the numbers of the first.
"""

from __future__ import annotations

import difflib
import re

__all__ = ["text_diff"]

_NUMBER = re.compile(r"%(\d+)\b")
_FUNCTION = re.compile(r"^(\s*)func\.func\b[^@]*@([\w.$-]+)", re.ASCII)
_BEHIND = "}"


def text_diff(before: str, after: str, old: str = "before", new: str = "after") -> str:
    """A unified diff of two module texts, with three lines of context; "" if they are equal.

    Functions are matched by name, so their order may differ. A value that only the second text has
    gets a number after the last one of the first text.

    >>> print(text_diff("%0 = a.x\\n%1 = a.y %0\\n", "%0 = a.w\\n%1 = a.x\\n%2 = a.y %1\\n"))
    --- before
    +++ after
    @@ -1,2 +1,3 @@
    +%2 = a.w
     %0 = a.x
     %1 = a.y %0
    """
    first, second = _functions(before), _functions(after)
    order = [*first, *(name for name in second if name not in first)]
    order.sort(key=_BEHIND.__eq__)
    lines_before = [line for name in order for line in first.get(name, [])]
    lines_after = [
        line for name in order for line in _renumbered(first.get(name, []), second.get(name, []))
    ]
    return "\n".join(difflib.unified_diff(lines_before, lines_after, old, new, lineterm=""))


def _functions(text: str) -> dict[str, list[str]]:
    """The lines of each function by name, and separately those before and after all functions."""
    found: dict[str, list[str]] = {"": []}
    lines, end = found[""], None
    for line in text.splitlines():
        start = _FUNCTION.match(line)
        if start:
            lines = found.setdefault(start[2], [])
            end = f"{start[1]}}}"
        lines.append(line)
        if end is not None and (line.startswith(end) or (not line.endswith("{") and start)):
            lines, end = found.setdefault(_BEHIND, []), None
    return found


def _renumbered(before: list[str], after: list[str]) -> list[str]:
    """The second text with the numbers that its values have in the first."""
    numbers: dict[str, str] = {}
    known: set[str] = set()
    matcher = difflib.SequenceMatcher(
        None, [_NUMBER.sub("%", line) for line in before],
        [_NUMBER.sub("%", line) for line in after], autojunk=False,
    )  # fmt: skip
    for i, j, size in matcher.get_matching_blocks():
        for old, new in zip(before[i : i + size], after[j : j + size], strict=True):
            for a, b in zip(_NUMBER.findall(old), _NUMBER.findall(new), strict=True):
                if a not in known:
                    known.add(numbers.setdefault(b, a))
    taken = {number for line in before for number in _NUMBER.findall(line)}
    fresh = max(map(int, taken), default=-1) + 1
    for line in after:
        for number in _NUMBER.findall(line):
            if number not in numbers:
                numbers[number] = str(fresh)
                fresh += 1
    return [_NUMBER.sub(lambda found: f"%{numbers[found[1]]}", line) for line in after]
