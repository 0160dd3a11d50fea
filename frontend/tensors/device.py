"""Devices of tensors, and placements of global ones. There is only one device: the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.basics.errors import counted, kind_of, located
from penstock.ir.record import Record
from penstock.process.devices import GPU, gpus_are_cpus, rank_count
from penstock.sbp import Signature, broadcast, signatures
from penstock.tensors.modes import mode


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
        RuntimeError if isinstance(type, str) else TypeError,
        f'tensors are on the device "cpu", got {kind_of(type)}'
        + ("; ask flow.cuda.is_available() first" if "cuda" in str(type) else ""),
    )


class Placement:
    """The ranks that hold a global tensor, and their type of device.

    `ranks` is a list, or a nested list of as many dimensions as the signature has entries. Any
    placement can be written, but tensors can only be on ranks of this run, on "cpu".

    >>> import penstock as flow
    >>> flow.placement("cpu", [0]), flow.placement.all("cpu") == flow.placement("cpu", [0])
    (penstock.placement(type="cpu", ranks=[0]), True)
    """

    def __init__(self, type: str, ranks: Any) -> None:
        if type not in ("cpu", "cuda", "meta"):
            raise located(
                ValueError,
                f'type of flow.placement must be "cpu", "cuda" or "meta", got {kind_of(type)}',
            )
        found = np.asarray(ranks)
        if found.dtype.kind not in "iu" or not found.ndim or not found.size or found.min() < 0:
            raise located(
                ValueError,
                f"ranks of flow.placement must be a list of ints of at least 0, got {ranks!r}",
            )
        self.type = type
        self.ranks = found.astype(np.int64)

    @classmethod
    def all(cls, type: str) -> Placement:
        """The placement on every rank of this run."""
        return cls(type, range(rank_count()))

    @property
    def hierarchy(self) -> tuple[int, ...]:
        """The extents of `ranks`."""
        shape: tuple[int, ...] = self.ranks.shape
        return shape

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Placement) and self.type == other.type
        return same and np.array_equal(self.ranks, other.ranks)  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((self.type, str(self.ranks.tolist())))

    def __repr__(self) -> str:
        return f'penstock.placement(type="{self.type}", ranks={self.ranks.tolist()})'


placement = Placement


class Layout(Record):
    """Where a global tensor is, with one signature for each dimension of the placement."""

    placement: Placement
    sbp: tuple[Signature, ...]


ONE_RANK = Layout(Placement("cpu", [0]), (broadcast,))


def layout_of(placement: Any, sbp: Any, rank: int, what: str) -> Layout | None:
    """The layout of a tensor of that rank; None if both are None, else a located error."""
    if placement is None and sbp is None:
        return None
    if not isinstance(placement, Placement) or sbp is None:
        raise located(
            TypeError,
            f'{what} takes both a placement, such as flow.placement.all("cpu"), and an sbp, or '
            f"neither, got {kind_of(placement)} and {kind_of(sbp)}",
        )
    _check_ranks(placement, what)
    found = signatures(sbp, what)
    if len(found) != placement.ranks.ndim:
        raise located(
            ValueError,
            f"sbp of {what} must have a signature for each of the {placement.ranks.ndim} "
            f"dimensions of the placement, got {len(found)}",
        )
    for one in found:
        if one.axis is not None and one.axis >= rank:
            raise located(
                ValueError, f"{what} has rank {rank} and cannot be split along dim {one.axis}"
            )
    if placement.ranks.size > 1:
        mode.shares = True
    return Layout(placement, found)


def _check_ranks(placement: Placement, what: str) -> None:
    if placement.type != "cpu" and not (placement.type == "cuda" and gpus_are_cpus()):
        raise located(
            NotImplementedError,
            f'{what} cannot be on {placement}: tensors are on flow.placement("cpu", ...); '
            f"{GPU}=cpu in the environment has ranks of the CPU stand for others",
        )
    ranks, count = [int(rank) for rank in placement.ranks.flat], rank_count()
    if max(ranks) >= count:
        raise located(
            ValueError,
            f"{what} cannot be on {placement}: there is no rank {max(ranks)}, since the run has "
            f"{counted(count, 'rank')}; call flow.config.cpu_device_num({max(ranks) + 1}) first, "
            f"or start the program with penstock run --ranks {max(ranks) + 1}",
        )
    if len(set(ranks)) < len(ranks):
        raise located(ValueError, f"{what} cannot be on {placement}: name each rank once")
