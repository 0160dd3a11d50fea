"""The code of jobs for GPUs in an artifact: read without trust, and loaded on a device."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any, NamedTuple

from penstock.runtime.artifacts.artifact_error import ArtifactError
from penstock.runtime.artifacts.cubin import read_cubin
from penstock.runtime.artifacts.manifest import canonical, check_size
from penstock.runtime.description import Description, shown
from penstock.runtime.device_error import DeviceError
from penstock.runtime.execution.executable import Executable
from penstock.runtime.execution.runnable import Runnable
from penstock.runtime.gpu.device_job import DeviceJob
from penstock.runtime.gpu.devices import device, why_not
from penstock.runtime.gpu.loaded_code import LoadedCode, checked_plan
from penstock.runtime.gpu.mixed_job import MixedJob, Order, check_copies, whole
from penstock.runtime.gpu.ptx_header import capability_of, fits, fits_cubin, read_header

__all__ = ["GpuCode", "HostPart", "chosen", "on_device", "read_gpu_code"]

_ROLES = ("feed", "variable", "fetch")


class HostPart(NamedTuple):
    """The part on the CPU of a job that is on both, in the code of each level of processor."""

    described: Mapping[str, Description]
    """By level."""
    order: Order


class GpuCode(NamedTuple):
    """A job for GPUs of an architecture and newer ones."""

    description: Description
    plan: Mapping[str, Any]
    ptx: str
    cubin: bytes = b""
    """Machine code for that architecture, if there is some."""
    host: HostPart | None = None
    """Of a job that is partly on the CPU; the rest is its part on the GPU."""


def read_gpu_code(
    what: str,
    architecture: str,
    parts: Sequence[bytes],
    cubin: bytes | None,
    described: Mapping[str, Description],
) -> GpuCode:
    """The code in three members: JSON of the description and the plan, constants, PTX; and machine
    code, if there is some.

    `described` is the job for each level of CPU, which it must be alike. Raises ArtifactError if
    something is malformed; nothing is allocated on a device.
    """
    text, constants, code = parts
    check_size(text, what)
    try:
        entries = json.loads(text)
        is_canonical = canonical(entries) == text
    except (ValueError, RecursionError):
        entries, is_canonical = None, False
    keys = {"host", "job", "plan"}
    if not is_canonical or not isinstance(entries, dict) or keys != {*entries, "host"}:
        raise ArtifactError(f"{what}: is not JSON as penstock writes it; make or copy it again")
    try:
        if not isinstance(entries["job"], dict) or not isinstance(entries["plan"], dict):
            raise ValueError("its description and its launch plan must be objects")
        description = Description.from_dict(entries["job"])
        plan = {**entries["plan"], "constants": constants}
        ptx = code.decode("ascii")
        kernels = checked_plan(description, plan, ptx).kernels
        if read_header(ptx).target != architecture:
            raise ValueError(f"its PTX is for {read_header(ptx).target}")
        if cubin is not None:
            _check_cubin(cubin, architecture, kernels)
        host = _host_part(entries["host"], description, described) if "host" in entries else None
    except ValueError as error:
        raise ArtifactError(f"{what}: {error}; make or copy it again") from None
    alone = next(iter(described.values()))
    own = [description]
    if host is not None:
        own = [whole(part, description, host.order) for part in host.described.values()]
    if any(_outside(one) != _outside(alone) for one in own):
        raise ArtifactError(f"{what}: is not the job that the manifest describes; make it again")
    return GpuCode(description, plan, ptx, cubin or b"", host)


def _host_part(entry: Any, device: Description, levels: Iterable[str]) -> HostPart:
    """The part on the CPU, whose arena each level has; ValueError if it is malformed."""
    if not isinstance(entry, dict) or set(entry) != {"arenas", "job", "order"}:
        raise ValueError("its part on the CPU must have arenas, a job and an order")
    arenas, job, order = entry["arenas"], entry["job"], entry["order"]
    if not isinstance(arenas, dict) or set(arenas) != set(levels) or not isinstance(job, dict):
        raise ValueError("its part on the CPU must have an arena for each level of processor")
    host = {level: Description.from_dict({**job, "arena": arenas[level]}) for level in levels}
    for part in host.values():
        check_copies(part, device)
        every = (*part.arguments, *device.arguments)
        known = {role: {a.name for a in every if a.role == role} for role in _ROLES}
        fits = isinstance(order, dict) and set(order) == set(_ROLES)
        if not fits or any(not _lists(order[role], known[role]) for role in _ROLES):
            raise ValueError("its order must be that of its feeds, variables and fetches")
    return HostPart(host, order)


def _lists(names: Any, known: Set[str]) -> bool:
    """Whether these are all of the known names, each once."""
    is_list = isinstance(names, list) and all(isinstance(name, str) for name in names)
    return is_list and len(names) == len(known) == len(known & set(names))


def _check_cubin(cubin: bytes, architecture: str, kernels: Iterable[str]) -> None:
    """Raise ValueError unless machine code has these kernels for an architecture."""
    found = read_cubin(cubin)
    if found.capability != capability_of(architecture):
        raise ValueError(f"its machine code is for sm_{found.capability}")
    missing = sorted(set(kernels) - found.kernels)
    if missing:
        raise ValueError(f"its machine code lacks kernel {shown(missing[0])} of its launch plan")


def _outside(description: Description) -> tuple[Any, ...]:
    """What callers know of a job."""
    arguments = [(a.role, a.to_dict()) for a in description.arguments]
    # Those of a job that is on both are in another order.
    taps = sorted((tap.name, tap.shape, tap.dtype) for tap in description.taps)
    known = [argument for role, argument in arguments if role in _ROLES]
    return description.job, description.type, known, taps


def chosen(architectures: Sequence[str], architecture: str) -> str:
    """The newest of these that runs on a device of an architecture; empty if none does.

    >>> chosen(["sm_80", "sm_90", "sm_90a"], "sm_90"), chosen(["sm_90a"], "sm_100")
    ('sm_90a', '')
    """
    able = [name for name in architectures if fits(name, architecture)]
    return max(able, key=lambda name: (int(name[3:].rstrip("af")), name), default="")


def on_device(
    source: str,
    place: str,
    job: str,
    code: Mapping[str, GpuCode],
    executable: Callable[[Mapping[str, Description]], Executable],
) -> Runnable:
    """A job on a device such as `gpu 0:0`, from its code by architecture.

    `executable` loads the part of a job that is on the CPU, which is described for each level.
    Raises ArtifactError, with one sentence, if it cannot run there.
    """
    kind, _, number = place.partition(" ")
    reason = why_not(kind, int(number.partition(":")[2]))
    if reason:
        raise ArtifactError(
            f"{source}: job {job!r} is for {place}, but {reason}; load it with "
            'device="gpu-sim", which simulates one, or device="cpu"'
        )
    try:
        found = device(kind, int(number.partition(":")[2]))
        best = chosen(list(code), found.architecture)
        if not best:
            raise ArtifactError(
                f"{source}: job {job!r} has code for {', '.join(code)}, and {place} is of "
                f'{found.architecture}; compile it with --gpu sm_80, or load it with device="cpu"'
            )
        description, plan, ptx, cubin, host = code[best]
        own = cubin if fits_cubin(best, found.architecture) else b""
        if host is None:
            return DeviceJob(description, plan, ptx, found, own)
        checked = checked_plan(description, plan, ptx)
        part = LoadedCode(description, checked, ptx, found, own)
        return MixedJob(executable(host.described), part, host.order)
    except DeviceError as error:
        raise ArtifactError(f"{source}: cannot be loaded: {error}") from None
