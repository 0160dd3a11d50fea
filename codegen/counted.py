"""Counted loops as blocks: `loop` holds phis and the test, then `body`, and `end` follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from penstock.codegen.writer import Writer

UNROLLED = 8
"""Turns up to which LLVM may unroll a loop, whole or in part.

Small loops turn into straight code whose values stay in registers. Beyond that it is compile time
for nothing: with 64 turns, a network's train step takes four times as long to compile as with 8,
and as long to run. A loop that is not unrolled is not interleaved by the vectoriser either; one
that gains by several turns at once is written with them at stage `loops`.
"""


@dataclass(frozen=True)
class Carried:
    """A value carried from turn to turn: a hint for its name, its LLVM type, its first value."""

    hint: str
    kind: str
    start: str


class Loop:
    """Begins a loop when made; what is written next is its body, until `close`."""

    def __init__(
        self,
        writer: Writer,
        lower: str,
        upper: str,
        step: str,
        hint: str = "",
        carried: Sequence[Carried] = (),
    ) -> None:
        number, entry = writer.number(), writer.block
        constant = lower.isdigit() and upper.isdigit() and step.isdigit()
        self._is_short = constant and int(upper) - int(lower) <= UNROLLED * int(step)
        self._writer = writer
        self._step = f"add {'nuw ' if lower.isdigit() else ''}nsw i64 {{}}, {step}"
        self._head, body, self._end = (f"{word}.{number}" for word in ("loop", "body", "end"))
        writer.line(f"  br label %{self._head}")
        writer.label(self._head)
        self._phis: list[tuple[int, str]] = []
        names = []
        for value in (Carried(hint or "i", "i64", lower), *carried):
            name = writer.fresh(value.hint)
            phi = f"  {name} = phi {value.kind} [ {value.start}, %{entry} ]"
            self._phis.append((writer.line(phi), phi))
            names.append(name)
        self.index = names[0]
        """The index of this turn."""
        self.carried = names[1:]
        """The carried values, of this turn in the body and of the last one after the end."""
        more = writer.assign("more", f"icmp slt i64 {self.index}, {upper}")
        writer.line(f"  br i1 {more}, label %{body}, label %{self._end}")
        writer.label(body)

    def close(self, yielded: Sequence[str] = ()) -> None:
        """End the body with the carried values of the next turn, and go on after the loop."""
        w = self._writer
        following = w.assign("next", self._step.format(self.index))
        for (line, phi), value in zip(self._phis, [following, *yielded], strict=True):
            w.replace(line, f"{phi}, [ {value}, %{w.block} ]")
        metadata = "" if self._is_short else w.loop_metadata("llvm.loop.unroll.disable")
        w.line(f"  br label %{self._head}{metadata}")
        w.label(self._end)
