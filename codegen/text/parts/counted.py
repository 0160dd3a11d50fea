"""Counted loops as blocks: `loop` holds phis and the body, the test comes last, `end` follows.

A loop that is known to have a turn, by its bounds or by `has_turns`, is entered without a test.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from penstock.codegen.indices import is_number
from penstock.codegen.writer import Writer
from penstock.ir.record import Record

UNROLLED = 8
"""Turns up to which LLVM may unroll a loop, whole or in part.

Small loops turn into straight code whose values stay in registers. Beyond that it is compile time
for nothing: with 64 turns, a network's train step takes four times as long to compile as with 8,
and as long to run. A loop that is not unrolled is not interleaved by the vectoriser either; one
that gains by several turns at once is written with them at stage `loops`.
"""


MOST_UNROLLED = 8192
"""The most lines of a loop that is unrolled where short loops are, with what it holds: more take
LLVM minutes, and their values don't fit into registers."""


class Carried(Record):
    """A value carried from turn to turn: a hint for its name, its LLVM type, its first value."""

    hint: str
    kind: str
    start: str


class CountedLoop:
    """Begins a loop when made; what is written next is its body, until `close`."""

    def __init__(
        self,
        writer: Writer,
        lower: str,
        upper: str,
        step: str,
        hint: str = "",
        carried: Sequence[Carried] = (),
        has_turns: bool = False,
    ) -> None:
        number, self._entry = writer.number(), writer.block
        self._size = writer.size
        constant = all(map(is_number, (lower, upper, step)))
        self._has_turns = has_turns or (constant and int(lower) < int(upper))
        counts = constant and int(step) > 0
        self._turns = -(-(int(upper) - int(lower)) // int(step)) if counts else None
        """The number of iterations, if it is known."""
        self._writer, self._upper = writer, upper
        self._step = f"add {'nuw ' if lower.isdigit() else ''}nsw i64 {{}}, {step}"
        self._head, self._end = f"loop.{number}", f"end.{number}"
        self._starts = [Carried(hint or "i", "i64", lower), *carried]
        if self._has_turns:
            writer.line(f"  br label %{self._head}")
        else:
            more = writer.assign("more", f"icmp slt i64 {lower}, {upper}")
            writer.line(f"  br i1 {more}, label %{self._head}, label %{self._end}")
        writer.label(self._head)
        self._phis: list[tuple[int, str]] = []
        names = []
        for value in self._starts:
            name = writer.fresh(value.hint)
            phi = f"  {name} = phi {value.kind} [ {value.start}, %{self._entry} ]"
            self._phis.append((writer.line(phi), phi))
            names.append(name)
        self.index = names[0]
        """The index of this turn."""
        self.carried = names[1:]
        """The carried values of this turn."""
        indices = writer.indices
        indices.note_divisor(self.index, gcd(indices.divisor(lower), indices.divisor(step)))

    def _unrolling(self, holds_vectors: bool, unrolls: int | None) -> str:
        """The property of the loop that tells LLVM whether to unroll it; "" lets it decide."""
        if unrolls is not None and not holds_vectors:
            if self._turns is None or self._turns > unrolls:
                return ""
            lines = self._writer.size - self._size
            if lines * self._turns > MOST_UNROLLED:
                return "llvm.loop.unroll.disable"
            self._writer.unrolled += lines * (self._turns - 1)
            return "llvm.loop.unroll.full"
        is_short = self._turns is not None and self._turns <= UNROLLED
        return "" if is_short and not holds_vectors else "llvm.loop.unroll.disable"

    def close(
        self,
        yielded: Sequence[str] = (),
        holds_vectors: bool = False,
        unrolls: int | None = None,
    ) -> list[str]:
        """End the body with the carried values of the next turn, and go on after the loop.

        Returns the carried values after the last turn. LLVM does not unroll a loop that holds
        vectors: these are as many as there are registers. With `unrolls`, others of as many
        iterations are unrolled unless they are large, and LLVM decides about longer loops.
        """
        w = self._writer
        following = w.assign("next", self._step.format(self.index))
        for (line, phi), value in zip(self._phis, [following, *yielded], strict=True):
            w.replace(line, f"{phi}, [ {value}, %{w.block} ]")
        more = w.assign("more", f"icmp slt i64 {following}, {self._upper}")
        property = self._unrolling(holds_vectors, unrolls)
        metadata = w.loop_metadata(property) if property else ""
        w.line(f"  br i1 {more}, label %{self._head}, label %{self._end}{metadata}")
        latch = w.block
        w.label(self._end)
        if self._has_turns:
            return list(yielded)
        return [
            w.assign(
                start.hint,
                f"phi {start.kind} [ {start.start}, %{self._entry} ], [ {value}, %{latch} ]",
            )
            for start, value in zip(self._starts[1:], yielded, strict=True)
        ]
