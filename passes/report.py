"""Pipeline reports: times, op counts and rewrites, as numbers and as tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import field

from penstock.ir.record import Record
from penstock.ir.rewriting.rewrite_session import RewriteSession
from penstock.ir.text.tables import text_table


class PassReport(Record):
    """Statistics of one pass. `name` includes its options."""

    name: str
    seconds: float
    verify_seconds: float
    ops_before: int
    ops_after: int
    rewrites: Counter[str]


class Report(Record, frozen=False):
    """Statistics of a pipeline."""

    passes: list[PassReport] = field(default_factory=list)
    session: RewriteSession = field(default_factory=RewriteSession)

    @property
    def rewrites(self) -> Counter[str]:
        """The number of rewrites per pattern."""
        return self.session.rewrites

    @property
    def stopped(self) -> str:
        """A sentence on where the fuel ran out; empty if it did not."""
        if self.session.fuel != 0:
            return ""
        total = self.rewrites.total()
        return f"fuel is spent after {total} rewrites; the last was {self.session.last or 'none'}"

    def fusion(self) -> str:
        """One line per producer-consumer pair: fused, or the reason why not."""
        return "".join(f"{remark}\n" for remark in self.session.remarks or ())

    def timing(self) -> str:
        """A timing table: passes in order, then patterns, slowest first."""
        total = sum(p.seconds + p.verify_seconds for p in self.passes)
        rows = [
            (f"{p.name}", f"{p.seconds * 1e3:.2f}", f"{p.verify_seconds * 1e3:.2f}")
            for p in self.passes
        ]
        table = text_table(
            ("pass", "ms", "verify ms"), [*rows, ("total", f"{total * 1e3:.2f}", "")]
        )
        patterns = [
            (name, f"{seconds * 1e3:.2f}", str(self.session.tries[name]), str(self.rewrites[name]))
            for name, seconds in sorted(self.session.seconds.items(), key=lambda item: -item[1])
        ]
        if patterns:
            table += "\n" + text_table(("pattern", "ms", "tried", "applied"), patterns)
        return table

    def statistics(self) -> str:
        """A table of op counts and rewrites: passes in order, each followed by its patterns."""
        rows = []
        for p in self.passes:
            rows.append((p.name, str(p.ops_before), str(p.ops_after), str(p.rewrites.total())))
            rows += [(f"  {name}", "", "", str(n)) for name, n in p.rewrites.most_common()]
        return text_table(("pass", "ops in", "ops out", "rewrites"), rows)
