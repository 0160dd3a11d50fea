"""A module on a device: kernels that were decoded, and variables that have addresses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from penstock.runtime.gpu.simulator.instructions.program import program
from penstock.runtime.gpu.simulator.machine.shared_memory import RESERVED
from penstock.runtime.gpu.simulator.machine.state import Block
from penstock.runtime.gpu.simulator.ptx.error import SimulatorError
from penstock.runtime.gpu.simulator.ptx.parser import parse
from penstock.runtime.gpu.simulator.ptx.syntax import WIDTHS, Kernel, Module, Parameter, Variable

__all__ = ["LoadedKernel", "LoadedModule", "load_module"]


@dataclass(eq=False)
class LoadedKernel:
    """A kernel that a device can launch.

    `shared_bytes` and `local_bytes` are the sizes of its static variables in bytes; a launch adds
    dynamic shared memory after the static one. `reqntid`, `maxntid` and `cluster` are None where
    the kernel doesn't fix them.
    """

    name: str
    parameters: Sequence[Parameter]
    parameter_bytes: int
    shared_bytes: int
    local_bytes: int
    reqntid: tuple[int, int, int] | None
    maxntid: tuple[int, int, int] | None
    cluster: tuple[int, int, int] | None
    kernel: Kernel
    blocks: Sequence[Block]
    symbols: Mapping[str, int]
    granules: tuple[int, int]


@dataclass(eq=False)
class LoadedModule:
    """What a device made of a module: its kernels, and the addresses of its variables."""

    kernels: dict[str, LoadedKernel] = field(default_factory=dict)
    variables: dict[str, int] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    target: str = ""


def load_module(text: str, place: Mapping[str, int], module: Module | None = None) -> LoadedModule:
    """Decode all kernels; `place` has the addresses of the variables in global memory.

    Raises `SimulatorError` with the line of anything that has no model.
    """
    module = module or parse(text)
    loaded = LoadedModule(variables=dict(place), target=module.target)
    loaded.sizes = {name: variable.size for name, variable in module.variables.items()}
    outer = [variable for variable in module.variables.values() if variable.space == "shared"]
    for kernel in module.kernels.values():
        loaded.kernels[kernel.name] = _load_kernel(kernel, outer, place)
    return loaded


def _load_kernel(
    kernel: Kernel, outer: Sequence[Variable], place: Mapping[str, int]
) -> LoadedKernel:
    shared, shared_end = _lay_out(
        [*outer, *(v for v in kernel.variables if v.space == "shared")], RESERVED
    )
    local, local_end = _lay_out([v for v in kernel.variables if v.space == "local"], 0)
    symbols = {**place, **shared, **local, **{p.name: p.offset for p in kernel.parameters}}
    return LoadedKernel(
        name=kernel.name,
        parameters=kernel.parameters,
        parameter_bytes=kernel.parameter_bytes,
        shared_bytes=shared_end - RESERVED,
        local_bytes=local_end,
        reqntid=_box(kernel, "reqntid"),
        maxntid=_box(kernel, "maxntid"),
        cluster=_box(kernel, "reqnctapercluster"),
        kernel=kernel,
        blocks=program(kernel, symbols),
        symbols=symbols,
        granules=(_granule(kernel, "shared"), _granule(kernel, "global")),
    )


def _lay_out(variables: Sequence[Variable], start: int) -> tuple[dict[str, int], int]:
    """The offsets of variables, and their end; arrays without a size begin at the end."""
    found: dict[str, int] = {}
    end = start
    for variable in sorted(variables, key=lambda v: v.size == 0):
        end = -(-end // variable.alignment) * variable.alignment
        found[variable.name] = end
        end += variable.size
    return found, end


def _granule(kernel: Kernel, space: str) -> int:
    """The bytes of the smallest element that a kernel accesses in a space, 4 at most."""
    smallest = 4
    for ins in kernel.instructions:
        if ins.opcode[0] in ("ld", "st", "atom", "red") and ins.opcode[-1] in WIDTHS:
            others = {"shared", "global", "local", "param", "const"} - {space}
            parts = {part.partition("::")[0] for part in ins.opcode}
            if space in parts or not parts & others:
                smallest = min(smallest, WIDTHS[ins.opcode[-1]])
    return smallest


def _box(kernel: Kernel, name: str) -> tuple[int, int, int] | None:
    if name not in kernel.directives:
        return None
    extents = (*kernel.directives[name], 1, 1, 1)[:3]
    if not kernel.directives[name] or min(extents) < 1:
        raise SimulatorError(f".{name} {extents}", kernel=kernel.name, line=kernel.line)
    return (extents[0], extents[1], extents[2])
