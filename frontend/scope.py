"""`flow.scope`: placements of ops, views of values, and name prefixes.

    with flow.scope.placement("cpu", "0:0"):
        with flow.scope.namespace("encoder"):
            ...

"gpu" is the GPU of this machine, "gpu-sim" a simulated one: a job is on one such device, on the
CPU, or partly on each. A run has as many machines as `flow.env.machine` names, and each as many
devices as `flow.config.cpu_device_num` says. Each device is a rank; by default, ops of jobs are on
all ranks.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from math import prod
from types import TracebackType
from typing import TYPE_CHECKING, Any

from penstock.basics.errors import counted, kind_of, located, user_location
from penstock.basics.names import no_such
from penstock.basics.notices import renamed
from penstock.process import devices

__all__ = [
    "consistent_view",
    "consistent_view_enabled",
    "mirrored_view",
    "mirrored_view_enabled",
    "namespace",
    "placement",
]

_DEVICES = re.compile(r"(\d+):(\d+)(?:-(\d+))?")


class _Scopes(threading.local):
    """The scopes entered on this thread, outermost first."""

    def __init__(self) -> None:
        self.entered: list[Scope] = []


_scopes = _Scopes()


class Scope:
    """Base of objects that `with` enters; an object may be entered again."""

    def __enter__(self) -> None:
        _scopes.entered.append(self)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _scopes.entered.pop()


class FreshScopes:
    """Inside this `with`, no scope is entered: a job's body does not inherit its caller's
    scopes."""

    def __enter__(self) -> None:
        self._outer, _scopes.entered = _scopes.entered, []

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _scopes.entered = self._outer


class Placement(Scope):
    """A set of devices that ops run on, each written `machine:device` or `machine:first-last`."""

    def __init__(
        self, device_tag: str, devices: tuple[str, ...], hierarchy: tuple[int, ...] = ()
    ) -> None:
        self.device_tag = device_tag
        self.devices = devices
        self.hierarchy = hierarchy
        """The extents of a mesh of the devices, which the last axis numbers first; () for a row."""
        self._location = user_location()

    def describe(self) -> dict[str, Any]:
        """The placement as an attribute in the IR.

        Raises a located error if the run has no such device.
        """
        kind = devices.gpu_kind() if self.device_tag == "gpu" else self.device_tag
        if kind != "cpu":
            self._check_one_gpu(kind)
            return {"device": kind, "ranks": list(self.devices)}
        self._check_devices()
        mesh = {"mesh": list(self.hierarchy)} if self.hierarchy else {}
        return {"device": "cpu", "ranks": list(self.devices), **mesh}

    def _check_one_gpu(self, kind: str) -> None:
        found = list(self.each())
        if len(found) == 1 and not found[0][0] and (kind == "gpu" or found == [(0, 0)]):
            return
        raise located(
            ValueError,
            f'{self}: a job runs on one GPU of this machine, such as "0:0"'
            + (", and the simulated device is 0:0" if kind == "gpu-sim" else "")
            + f"; place it there, or set {devices.GPU}=cpu in the environment to run it on as many "
            "CPU ranks",
            self._location,
        )

    @property
    def parallel_num(self) -> int:
        """The number of devices."""
        return len(set(self.each()))

    def each(self) -> Iterator[tuple[int, int]]:
        """The machine and the number on it of each device."""
        for text in self.devices:
            found = _DEVICES.fullmatch(text)
            assert found is not None, "checked when it was made"
            machine, first, last = int(found[1]), int(found[2]), int(found[3] or found[2])
            yield from ((machine, device) for device in range(first, last + 1))

    def one_by_one(self) -> list[Placement]:
        """A placement on each of the devices."""
        tag = self.device_tag
        return [Placement(tag, (f"{m}:{device}",)) for m, device in dict.fromkeys(self.each())]

    def _check_devices(self) -> None:
        tag = self.device_tag
        machines, count = devices.machine_count(), devices.ranks_of_machine()
        most = 1 + max((device for _, device in self.each()), default=0)
        for machine, device in self.each():
            if machine < machines and device < count:
                continue
            last = f"{machines - 1}:{count - 1}"
            raise located(
                ValueError,
                f"{self}: there is no device {machine}:{device}, since the run has "
                f"{counted(machines, 'machine')} of {counted(count, 'device')}, up to {last}; "
                + _more_devices(tag, machine < machines, machine + 1, most),
                self._location,
            )

    def __repr__(self) -> str:
        texts = ", ".join(f'"{text}"' for text in self.devices)
        places = texts if len(self.devices) == 1 else f"[{texts}]"
        mesh = f", {self.hierarchy}" if self.hierarchy else ""
        return f'flow.scope.placement("{self.device_tag}", {places}{mesh})'


def _more_devices(tag: str, has_machine: bool, machines: int, devices: int) -> str:
    """What gives a run so many machines, or so many devices on each."""
    if has_machine:
        return f"call flow.config.{tag}_device_num({devices}) before the first job runs"
    return f"name {counted(machines, 'machine')} with flow.env.machine before the first job runs"


class View(Scope):
    """How a tensor is seen over devices; on one device both views are the same."""

    def __init__(self, name: str) -> None:
        self.name = name


class Namespace(Scope):
    """A prefix of variable names."""

    def __init__(self, name: str) -> None:
        self.name = name


class Config(Scope):
    """Settings of the ops inside; each `with` is a segment of its own."""

    def __init__(self, checkpointing: bool) -> None:
        self.checkpointing = checkpointing

    def __enter__(self) -> None:
        _scopes.entered.append(Config(self.checkpointing))


def current_segment() -> Config | None:
    """The outermost `with` whose ops are computed again for gradients; None if the innermost one
    turns that off, or there is none."""
    entered = [scope for scope in _scopes.entered if isinstance(scope, Config)]
    if not entered or not entered[-1].checkpointing:
        return None
    return next(scope for scope in entered if scope.checkpointing)


def placement(
    device_tag: str,
    machine_device_ids: str | list[str] | tuple[str, ...],
    hierarchy: Sequence[int] | None = None,
) -> Placement:
    """Ops inside this `with` run on these devices: `"0:0"`, `"0:0-3"`, or a list of such.

    `hierarchy`, such as `(2, 2)`, arranges them in a mesh of several axes, row by row: then ranks
    share a tensor in one way on each axis. Without it, they are in a row.

    The devices are "cpu", "gpu", and "gpu-sim", which runs the code of a GPU without one. With
    `PENSTOCK_GPU=sim` in the environment, "gpu" is "gpu-sim"; with `PENSTOCK_GPU=cpu`, GPUs are
    ranks on the CPU.

    Raises TypeError or ValueError for a malformed placement. Where it is first used, it raises
    ValueError if the run has no such device; whether there is a GPU is checked when a job is
    compiled to be run.
    """
    if not isinstance(device_tag, str) or device_tag not in ("cpu", "gpu", "gpu-sim"):
        raise located(
            ValueError,
            f'flow.scope.placement takes "cpu", "gpu" or "gpu-sim", got {kind_of(device_tag)}',
        )
    texts = [machine_device_ids] if isinstance(machine_device_ids, str) else machine_device_ids
    if not isinstance(texts, list | tuple) or not texts:
        raise located(
            TypeError,
            f'flow.scope.placement takes devices such as "0:0", got {kind_of(machine_device_ids)}',
        )
    for text in texts:
        _check_text(text)
    found = Placement(device_tag, tuple(texts))
    if hierarchy is not None:
        found.hierarchy = _checked_hierarchy(hierarchy, found)
    return found


def _checked_hierarchy(hierarchy: object, of: Placement) -> tuple[int, ...]:
    """The extents of a mesh of the devices; () if it has one axis."""
    extents = tuple(hierarchy) if isinstance(hierarchy, list | tuple) else ()
    if not extents or not all(type(extent) is int and extent > 0 for extent in extents):
        raise located(
            TypeError,
            "hierarchy of flow.scope.placement must be the extents of a mesh, such as (2, 2), "
            f"got {kind_of(hierarchy)}",
        )
    if prod(extents) != of.parallel_num:
        raise located(
            ValueError,
            f"{of} has {counted(of.parallel_num, 'device')}, and a mesh of hierarchy {extents} "
            f"{prod(extents)}: give it extents whose product is {of.parallel_num}",
        )
    return extents if len(extents) > 1 else ()


def _check_text(text: object) -> None:
    found = _DEVICES.fullmatch(text) if isinstance(text, str) else None
    if found is None or (found[3] is not None and int(found[3]) < int(found[2])):
        raise located(
            ValueError,
            'flow.scope.placement takes "machine:device" or "machine:first-last", '
            f"got {kind_of(text)}",
        )


fixed_placement = renamed(placement, "flow.fixed_placement", "flow.scope.placement")
device_prior_placement = renamed(placement, "flow.device_prior_placement", "flow.scope.placement")


def current_placement() -> Placement | None:
    """The innermost placement."""
    entered = [scope for scope in _scopes.entered if isinstance(scope, Placement)]
    return entered[-1] if entered else None


def whole_run() -> Placement | None:
    """The placement on all devices of the run, as a job has it by default; None for one CPU."""
    if gpus := devices.gpu_count():
        return Placement("gpu", (f"0:0-{gpus - 1}" if gpus > 1 else "0:0",))
    tag = "gpu" if devices.device_count("gpu") else "cpu"
    machines, count = devices.machine_count(), devices.device_count(tag)
    if machines * count == 1:
        return None
    last = f"-{count - 1}" if count > 1 else ""
    return Placement(tag, tuple(f"{machine}:0{last}" for machine in range(machines)))


def consistent_view() -> View:
    """Tensors are seen whole, however many devices hold parts of them."""
    return View("consistent")


def mirrored_view() -> View:
    """Tensors are seen as each device's part; with one device, the whole."""
    return View("mirrored")


def mirrored_view_enabled() -> bool:
    """Whether the innermost view is the mirrored one."""
    views = [scope.name for scope in _scopes.entered if isinstance(scope, View)]
    return bool(views) and views[-1] == "mirrored"


def consistent_view_enabled() -> bool:
    """Whether the innermost view is the consistent one (the default)."""
    return not mirrored_view_enabled()


def namespace(name: str) -> Namespace:
    """Variables inside this `with` have the prefix `name-`; prefixes nest."""
    if not isinstance(name, str) or not name:
        raise located(
            TypeError, f"flow.scope.namespace takes a name that is not empty, got {kind_of(name)}"
        )
    return Namespace(name)


def prefixed(name: str) -> str:
    """`name` with the prefixes of the active namespaces: `a-b-name`."""
    prefixes = [scope.name for scope in _scopes.entered if isinstance(scope, Namespace)]
    return "-".join([*prefixes, name])


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.scope")
