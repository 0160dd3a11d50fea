"""What is reported of an op that makes a NaN or Inf."""

from __future__ import annotations

from typing import Any

from penstock.basics.numbers import Summary
from penstock.ir.record import Record

_MADE = {
    "forward": "{op} {makes}",
    "backward": "{op}, in backward, {makes}",
    "update": "{op}, which updates a variable, {makes}",
    "feed": "feed {name} has",
    "variable": "variable {name} has before the step",
}
_ADVICE = {
    "feed": "look at the data that is passed",
    "variable": "look at its initial value, and at the steps before",
}


class Operand(Record):
    """An operand of an op, and its elements in numbers."""

    name: str
    location: str
    """The user's line that made it; empty if that is not known."""
    summary: Summary | None
    """None for a constant, and for a value that this code does not show."""

    def describe(self) -> str:
        place = f" of {self.location}" if self.location else ""
        return f"{self.name}{place}" + (f": {self.summary.describe()}" if self.summary else "")


class Nonfinite(Record):
    """The first op whose result has NaN or infinite elements, or an input that has them."""

    op: str
    """The name of the op, such as "flow.log"; empty for a feed or a variable."""
    name: str
    """The name of its result, if it has one."""
    location: str
    """The user's line."""
    phase: str
    """"feed", "variable", "forward", "backward" or "update"."""
    subject: str
    """What ran, such as "job 'train_job'"; empty for an op on tensors."""
    summary: Summary
    operands: tuple[Operand, ...]

    @property
    def is_origin(self) -> bool:
        """Whether all operands are finite, as far as they are known."""
        return all(one.summary is None or one.summary.is_finite for one in self.operands)

    def __str__(self) -> str:
        name = f" of blob {self.name}" if self.name and self.op else ""
        makes = "makes" if self.is_origin else "passes on"
        made = _MADE[self.phase].format(op=f"{self.op}{name}", name=self.name, makes=makes)
        where = f" in {self.subject}" if self.subject else ""
        text = f"{self.location}: {made} {self.summary.count()}{where}"
        if self.operands:
            text += f"; its operands are {'; '.join(one.describe() for one in self.operands)}"
        return f"{text}; {_ADVICE.get(self.phase, 'look at what that line computes there')}"

    def to_dict(self) -> dict[str, Any]:
        """The finding as plain JSON values; numbers that JSON lacks are words."""
        shown = {"op": self.op, "name": self.name, "location": self.location, "phase": self.phase}
        shown |= {"subject": self.subject}
        return {
            **shown,
            **_numbers(self.summary),
            "operands": [
                {"name": one.name, "location": one.location}
                | ({} if one.summary is None else _numbers(one.summary))
                for one in self.operands
            ],
        }


def _numbers(summary: Summary) -> dict[str, Any]:
    first = None if summary.first is None else list(summary.first)
    value = None if summary.value is None else str(summary.value)
    return {
        "dtype": summary.dtype, "shape": list(summary.shape), "nan": summary.nans,
        "inf": summary.infs, "min": summary.low, "max": summary.high, "first": first,
        "value": value,
    }  # fmt: skip


class NonfiniteError(RuntimeError):
    """Raised by `flow.debug.nonfinite`; `finding` says what was found."""

    def __init__(self, finding: Nonfinite) -> None:
        super().__init__(str(finding))
        self.finding = finding
