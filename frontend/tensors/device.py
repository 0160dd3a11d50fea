"""Devices of tensors. There is only one: the CPU."""

from __future__ import annotations

from penstock.basics.errors import kind_of, located
from penstock.ir.record import Record


class Device(Record):
    """Where a tensor is: `flow.device("cpu")`.

    >>> import penstock as flow
    >>> flow.device("cpu"), flow.ones(2).device == flow.device("cpu:0")
    (device(type='cpu', index=0), True)
    """

    type: str
    index: int = 0

    def __repr__(self) -> str:
        return f"device(type={self.type!r}, index={self.index})"

    def __str__(self) -> str:
        return f"{self.type}:{self.index}"


CPU = Device("cpu")


def device(type: str | Device, index: int | None = None) -> Device:
    """The device of that name: "cpu" or "cpu:0". Raises a located error for any other."""
    if isinstance(type, Device):
        return type
    if type in ("cpu", "cpu:0") and not index:
        return CPU
    raise located(
        ValueError if isinstance(type, str) else TypeError,
        f'tensors are on the device "cpu", got {kind_of(type)}',
    )
