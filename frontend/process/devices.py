"""The devices of the run: how many machines it has, and how many devices each. Each is a rank."""

from __future__ import annotations

import os
from typing import Any

from penstock.basics.errors import located
from penstock.runtime.mpi.launched import Launch, launch

GPU = "PENSTOCK_GPU"
"""The environment variable that says what GPUs are: `cpu`, ranks on the CPU; `sim`, the simulated
device."""
_KINDS = {"": "gpu", "cpu": "cpu", "sim": "gpu-sim"}


def launched() -> Launch | None:
    """How a launcher numbered this process among several ranks; None for a process alone."""
    found = launch()
    return found if found is not None and found.ranks > 1 else None


def own_rank() -> int:
    """The rank of this process; 0 for one alone."""
    found = launched()
    return 0 if found is None else found.rank


def rank_count() -> int:
    """The number of ranks of the run."""
    return machine_count() * ranks_of_machine()


settings: dict[str, Any] = {}
"""The settings of `flow.config` that were made, by name."""


class _Machines:
    addresses: tuple[str, ...] = ()


def name_machines(addresses: tuple[str, ...]) -> None:
    """Have the run be on these machines."""
    _Machines.addresses = addresses


def machine_count() -> int:
    """The number of machines: `flow.config.machine_num`, or how many `flow.env.machine` names; else
    those that the ranks were launched on."""
    count: int = settings.get("machine_num") or len(_Machines.addresses)
    return count or _launched_machines()


def _launched_machines() -> int:
    found = launched()
    if found is None or not found.local_ranks or found.ranks % found.local_ranks:
        return 1
    return found.ranks // found.local_ranks


def device_count(tag: str) -> int:
    """How many devices of a kind, "cpu" or "gpu", each machine has."""
    if tag == "gpu":
        return settings.get("gpu_device_num", 0) if gpus_are_cpus() else 0
    found = launched()
    count: int = settings.get("cpu_device_num", 0)
    return count or (1 if found is None else max(found.ranks // machine_count(), 1))


def gpu_kind() -> str:
    """What GPUs are, as a device of the IR: "gpu", or by the environment "gpu-sim" or "cpu".

    Raises a located ValueError if the environment says anything else.
    """
    said = os.environ.get(GPU, "")
    if said not in _KINDS:
        raise located(
            ValueError,
            f"{GPU} is {said!r} in the environment: expected cpu, which runs what programs place "
            "on GPUs on CPU ranks, or sim, which runs it on the simulated device; or unset it",
        )
    return _KINDS[said]


def gpu_count() -> int:
    """The number of GPUs that the program asked for, which are not ranks on the CPU."""
    return 0 if gpus_are_cpus() else settings.get("gpu_device_num", 0)


def ranks_of_machine() -> int:
    """How many ranks each machine has: device i of either kind is rank i."""
    return max(device_count("cpu"), device_count("gpu"))


def gpus_are_cpus() -> bool:
    """Whether the environment has what programs place on GPUs run on CPU ranks; errors as of
    `gpu_kind`."""
    return gpu_kind() == "cpu"


def resource() -> dict[str, int]:
    """The number of machines, and of the devices of each."""
    gpus = device_count("gpu") or gpu_count()
    counts = {"cpu_device_num": device_count("cpu"), "gpu_device_num": gpus}
    return {"machine_num": machine_count(), **counts}


def forget_devices() -> None:
    """Forget what the program asked of devices: a new session begins with one."""
    _Machines.addresses = ()
    asked = ("cpu_device_num", "gpu_device_num", "machine_num", "enable_tensor_float_32_compute")
    for name in asked:
        settings.pop(name, None)
