"""Names of forms of instructions: what tells apart the instructions of PTX that a device may treat
differently, whatever registers and numbers they have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_COMMENT = re.compile(r"//[^\n]*")
_LEADING = re.compile(r"^(?:[$\w]+:|[{}]|@!?%\w+)\s*")
_SPECIAL = re.compile(r"%(?:tid|ntid|ctaid|nctaid|laneid|warpid|clock|cluster)\w*(?:\.[xyz])?\b")
_SHAPE = re.compile(r"\.m64n\d+k")
_LISTS = re.compile(r"\{[^{}]*\}")


def instructions(ptx: str) -> Iterator[str]:
    """The instructions of a module or of a body, without guards, labels and directives."""
    lines = (line.strip() for line in _COMMENT.sub("", ptx).splitlines())
    kept = (line for line in lines if line and line[0] not in ".()")
    for statement in " ".join(kept).split(";"):
        text = statement.strip()
        while match := _LEADING.match(text):
            text = text[match.end() :]
        if text and text[0] != ".":
            yield text


def form_of(instruction: str) -> str:
    """The name of an instruction's form.

    >>> form_of("add.s32 %r1, %r2, 7"), form_of("mov.u32 %r1, %tid.x")
    ('add.s32', 'mov.u32 of %tid.x')
    >>> form_of("mov.b64 {%r1, %r2}, %rd1"), form_of("cp.async.cg.shared.global [%r1], [%rd1], 16")
    ('mov.b64 into 2', 'cp.async.cg.shared.global')
    >>> form_of("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r1}, %d1, %d2, 0, 1, 1, 0, 1")
    'wgmma.mma_async.sync.aligned.m64nNk16.f32.f16.f16 (B transposed)'
    """
    name, _, rest = instruction.partition(" ")
    mnemonic = name.partition(".")[0].strip()
    name = name.strip()
    if mnemonic == "mov":
        return name + _moved(rest)
    if mnemonic == "wgmma" and "mma_async" in name:
        # Factors of 32 bits have no transposes.
        return _SHAPE.sub(".m64nNk", name) + ("" if name.endswith("tf32") else _product(rest))
    if mnemonic in ("shfl", "setp") and "|" in rest:
        return name + " with two results"
    if mnemonic == "cp" and name.endswith("shared.global") and rest.count(",") == 3:
        return name + " with a number of bytes"
    return name


def forms_of(ptx: str) -> set[str]:
    """The names of all forms in a module or in a body."""
    return {form_of(each) for each in instructions(ptx)}


def without(ptx: str, known: Iterable[str]) -> list[str]:
    """The forms of a module that are not among those known."""
    return sorted(forms_of(ptx) - set(known))


def _moved(rest: str) -> str:
    special = _SPECIAL.search(rest)
    if special:
        return f" of {special[0]}"
    target, _, source = rest.rpartition(", ") if rest.startswith(("{", " {")) else ("", "", rest)
    if target:
        return f" into {target.count(',') + 1}"
    return f" of {source.count(',')}" if "{" in source else ""


def _product(rest: str) -> str:
    lists = _LISTS.findall(rest)
    plain = [word.strip() for word in _LISTS.sub("", rest).split(",")]
    told = ["A in registers"] if len(lists) == 2 else []
    majors = [word for word in plain if re.fullmatch(r"-?\d+", word)][-2:]
    if len(lists) == 1 and majors[0] == "1":
        told.append("A transposed")
    if majors[1] == "1":
        told.append("B transposed")
    return f" ({', '.join(told)})" if told else ""
