"""`flow.env`: the machines of a run, and where they log."""

from __future__ import annotations

from typing import Any

from penstock.basics.errors import kind_of, located
from penstock.basics.notices import tell
from penstock.basics.settings import Setting, Settings, count, flag, is_locked, text
from penstock.process import devices

_LAUNCHED = "the launcher of the ranks chooses their ports; the value is kept and changes nothing"
_LOG = "this build logs through Python's logging; the value is kept and changes nothing"

_PORT = Setting(int, _LAUNCHED, lowest=1, highest=65535)

_TABLE: dict[str, Setting] = {
    "ctrl_port": _PORT,
    "data_port": _PORT,
    "log_dir": text(_LOG),
    "logtostderr": count(_LOG),
    "logbuflevel": count(_LOG, lowest=-1),
    "grpc_use_no_signal": flag(_LAUNCHED),
}

_settings = Settings(
    "flow.env",
    _TABLE,
    lockable=True,
    also=(
        "machine", "init", "current_resource", "get_rank", "get_local_rank", "get_world_size",
        "get_node_size",
    ),
)  # fmt: skip


def machine(*val: object) -> Any:
    """The machines of a run, each `{"addr": ...}`, in the order of their numbers in placements.

    While a session runs, it changes nothing, says so and returns False. Raises a located TypeError
    for anything else, and a ValueError for no machine.
    """
    machines = val[0] if len(val) == 1 and isinstance(val[0], list | tuple) else val
    assert isinstance(machines, list | tuple)
    addresses = []
    for entry in machines:
        if not isinstance(entry, dict) or not isinstance(entry.get("addr"), str):
            raise located(
                TypeError, f'flow.env.machine takes {{"addr": "..."}}, got {kind_of(entry)}'
            )
        addresses.append(entry["addr"])
    if not machines:
        raise located(ValueError, 'flow.env.machine takes at least one {"addr": "..."}, got none')
    if is_locked():
        tell(f"Nothing happened because the session is running: flow.env.machine({machines!r})")
        return False
    devices.name_machines(tuple(addresses))
    return None


def init() -> bool:
    """Does nothing: a run of one process has nothing left to start."""
    return True


def current_resource() -> dict[str, int]:
    """The resources of the run: its machines, and the devices of each."""
    return devices.resource()


def get_rank() -> int:
    """The rank of this process among those that were launched; 0 for a process alone."""
    return devices.own_rank()


def get_local_rank() -> int:
    """The rank of this process among those on its machine."""
    found = devices.launched()
    return 0 if found is None else found.local_rank


def get_world_size() -> int:
    """The number of processes that were launched together; 1 for a process alone."""
    found = devices.launched()
    return 1 if found is None else found.ranks


def get_node_size() -> int:
    """The number of machines that they run on."""
    return 1 if devices.launched() is None else devices.machine_count()


def __getattr__(name: str) -> Any:
    return _settings.find(name)


def __dir__() -> list[str]:
    return sorted([*_settings.names(), "machine", "init", "current_resource"])
