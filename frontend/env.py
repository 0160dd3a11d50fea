"""`flow.env`: the machines of a run and where they log. This build runs as one process."""

from __future__ import annotations

from typing import Any

from penstock.basics.errors import kind_of, located
from penstock.basics.settings import Setting, Settings, count, flag, text

_ONE_PROCESS = "this build runs as one process, which needs no port; the value is kept"
_LOG = "this build logs through Python's logging; the value is kept and changes nothing"

_PORT = Setting(int, _ONE_PROCESS, lowest=1, highest=65535)

_TABLE: dict[str, Setting] = {
    "ctrl_port": _PORT,
    "data_port": _PORT,
    "log_dir": text(_LOG),
    "logtostderr": count(_LOG),
    "logbuflevel": count(_LOG, lowest=-1),
    "grpc_use_no_signal": flag(_ONE_PROCESS),
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


def machine(*val: object) -> None:
    """The machines of a run, each `{"addr": ...}`; this build takes one.

    Raises TypeError for anything else and NotImplementedError for more than one.
    """
    machines = val[0] if len(val) == 1 and isinstance(val[0], list | tuple) else val
    assert isinstance(machines, list | tuple)
    for entry in machines:
        if not isinstance(entry, dict) or not isinstance(entry.get("addr"), str):
            raise located(
                TypeError, f'flow.env.machine takes {{"addr": "..."}}, got {kind_of(entry)}'
            )
    if len(machines) != 1:
        raise located(
            NotImplementedError,
            f"flow.env.machine takes one machine in this build, got {len(machines)}",
        )


def init() -> bool:
    """Does nothing: a run of one process has nothing left to start."""
    return True


def current_resource() -> dict[str, int]:
    """The resources of a run here: one machine, one CPU rank, no GPU."""
    return {"machine_num": 1, "cpu_device_num": 1, "gpu_device_num": 0}


def get_rank() -> int:
    """The rank of this process: 0."""
    return 0


def get_local_rank() -> int:
    """The rank of this process on its machine: 0."""
    return 0


def get_world_size() -> int:
    """The number of ranks: 1."""
    return 1


def get_node_size() -> int:
    """The number of machines: 1."""
    return 1


def __getattr__(name: str) -> Any:
    return _settings.find(name)


def __dir__() -> list[str]:
    return sorted([*_settings.names(), "machine", "init", "current_resource"])
