"""`flow.scope`: placements of ops, views of values, and name prefixes.

    with flow.scope.placement("cpu", "0:0"):
        with flow.scope.namespace("encoder"):
            ...

This build runs one rank on the CPU and rejects other placements.
"""

from __future__ import annotations

import re
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any

from penstock.basics.errors import kind_of, located
from penstock.basics.names import no_such
from penstock.basics.notices import renamed

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
    """A set of devices that ops run on; here the CPU of this machine."""

    def __init__(self, device_tag: str, devices: tuple[str, ...]) -> None:
        self.device_tag = device_tag
        self.devices = devices

    def describe(self) -> dict[str, Any]:
        """The placement as an attribute in the IR."""
        return {"device": self.device_tag, "ranks": list(self.devices)}

    def __repr__(self) -> str:
        return f"flow.scope.placement({self.device_tag!r}, {', '.join(map(repr, self.devices))})"


class View(Scope):
    """How a tensor is seen over devices; on one device both views are the same."""

    def __init__(self, name: str) -> None:
        self.name = name


class Namespace(Scope):
    """A prefix of variable names."""

    def __init__(self, name: str) -> None:
        self.name = name


def placement(device_tag: str, machine_device_ids: str | list[str] | tuple[str, ...]) -> Placement:
    """Ops inside this `with` run on `machine:device`; this build has one device, "0:0" on "cpu".

    Raises TypeError or ValueError for a malformed placement, and NotImplementedError for a device
    that this build does not have.
    """
    if not isinstance(device_tag, str) or device_tag not in ("cpu", "gpu"):
        raise located(
            ValueError, f'flow.scope.placement takes "cpu" or "gpu", got {kind_of(device_tag)}'
        )
    texts = [machine_device_ids] if isinstance(machine_device_ids, str) else machine_device_ids
    if not isinstance(texts, list | tuple) or not texts:
        raise located(
            TypeError,
            f'flow.scope.placement takes devices such as "0:0", got {kind_of(machine_device_ids)}',
        )
    for devices in texts:
        _check_devices(devices)
    if device_tag != "cpu" or tuple(texts) not in {("0:0",), ("0:0-0",)}:
        shown = ", ".join(texts)
        raise located(
            NotImplementedError,
            f'flow.scope.placement("{device_tag}", "{shown}") is not available: this build runs '
            'one rank on the CPU; write flow.scope.placement("cpu", "0:0")',
        )
    return Placement(device_tag, tuple(texts))


def _check_devices(devices: object) -> None:
    found = _DEVICES.fullmatch(devices) if isinstance(devices, str) else None
    if found is None or (found[3] is not None and int(found[3]) < int(found[2])):
        raise located(
            ValueError,
            'flow.scope.placement takes "machine:device" or "machine:first-last", '
            f"got {kind_of(devices)}",
        )


fixed_placement = renamed(placement, "flow.fixed_placement", "flow.scope.placement")
device_prior_placement = renamed(placement, "flow.device_prior_placement", "flow.scope.placement")


def current_placement() -> Placement | None:
    """The innermost placement."""
    entered = [scope for scope in _scopes.entered if isinstance(scope, Placement)]
    return entered[-1] if entered else None


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
