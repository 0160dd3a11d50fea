"""The states that are written in a module of several ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from penstock.ir.attributes import Attribute, DictAttr, IntegerAttr, StringAttr, python_value
from penstock.ir.core import Operation
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.job import MEMORY, MEMORY_TARGETS
from penstock.ir.dialects.job.sbp import MACHINE, MESH, RANKS, SIGNATURE, STATE
from penstock.ir.dialects.job.sharding import (
    BROADCAST,
    axis_states,
    has_two_reductions,
    joined,
)
from penstock.ir.meaning.boxing import Link


class Signature(NamedTuple):
    """The states of an op's operands and results, on all axes of the mesh."""

    operands: tuple[str, ...]
    results: tuple[str, ...]

    def on_axis(self, axis: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The states on one axis."""
        operands, results = (
            tuple(axis_states(state)[axis] for state in states)
            for states in (self.operands, self.results)
        )
        return operands, results

    @property
    def is_whole(self) -> bool:
        """Whether every rank has and computes everything."""
        every = {axis for state in (*self.operands, *self.results) for axis in axis_states(state)}
        return every <= {BROADCAST}


def ranks_of(module: Module) -> int:
    """The number of ranks that share the module."""
    found = module.attributes.get(RANKS)
    return found.value if isinstance(found, IntegerAttr) else 1


def mesh_of(module: Module) -> tuple[int, ...]:
    """The extents of the mesh of ranks."""
    found = python_value(module.attributes[MESH]) if MESH in module.attributes else [1]
    return tuple(found)


def memory_of(module: Module) -> int:
    """The bytes of a rank that a step may take, 0 for no limit; fails for anything else."""
    found = module.attributes.get(MEMORY)
    if found is None:
        return 0
    if not isinstance(found, IntegerAttr) or found.value < 1:
        module.fail(f"has {MEMORY} = {found}: expected the bytes that a rank may take, at least 1")
    return found.value


class MemoryTargets(NamedTuple):
    """What passes aim at, by their own estimates, for a limit of memory."""

    copies: float = 1.0
    """The part of its bytes to which `recompute` reduces a step."""
    parts: int = 0
    """The bytes of a rank within which `choose` splits values; 0 for any."""


def memory_targets(module: Module) -> MemoryTargets | None:
    """The targets that a module says, if it does; fails for anything else."""
    found: Attribute | None = module.attributes.get(MEMORY_TARGETS)
    if found is None:
        return None
    facts = python_value(found) if isinstance(found, DictAttr) else {}
    copies, parts = facts.get("copies"), facts.get("parts")
    if not (isinstance(copies, float) and isinstance(parts, int)) or not 0 < copies <= 1:
        module.fail(
            f"has {MEMORY_TARGETS} = {found}: expected {{copies = 1.0, parts = 0}}, a part of the "
            "bytes and a number of bytes"
        )
    return MemoryTargets(copies, max(parts, 0))


def links_of(module: Module) -> tuple[Link, ...]:
    """What connects ranks on each axis of the mesh; empty for the usual links."""
    found = module.attributes.get(MACHINE)
    known = python_value(found)["links"] if isinstance(found, DictAttr) else ()
    return tuple(Link(*link) for link in known)


def whole(mesh: Sequence[int]) -> str:
    """The state of what every rank has."""
    return joined([BROADCAST] * len(mesh))


def signature_of(op: Operation, mesh: Sequence[int]) -> Signature:
    """The signature of an op; what is no tensor op reads and makes wholes, unless it says more.

    Fails at a tensor op that has none, and at a signature that does not fit the op's values.
    """
    found = op.attributes.get(SIGNATURE)
    if found is None and not isinstance(op, TensorOp):
        state = whole(mesh)
        return Signature((state,) * len(op.operands), (state,) * len(op.results))
    entries = python_value(found) if isinstance(found, DictAttr) else {}
    try:
        signature = Signature(tuple(entries["operands"]), tuple(entries["results"]))
        counts = len(signature.operands), len(signature.results)
        fits = all(
            len(axis_states(state)) == len(mesh) and not has_two_reductions(axis_states(state))
            for state in (*signature.operands, *signature.results)
        )
    except (KeyError, TypeError, AttributeError):
        fits, counts = False, (0, 0)
    if not fits or counts != (len(op.operands), len(op.results)):
        op.fail(
            f"has {SIGNATURE} = {found}: expected a state on {len(mesh)} axes, partial by one "
            f"reduction, for each of its {len(op.operands)} operands and {len(op.results)} results"
        )
    return signature


def argument_state(job: Func, index: int, mesh: Sequence[int]) -> str:
    """The state in which ranks have an argument of the job: by default, all of it."""
    found = job.argument_attributes(index).get(STATE)
    return found.value if isinstance(found, StringAttr) else whole(mesh)


def returned_state(job: Func, index: int, mesh: Sequence[int]) -> str:
    """The state in which a result must be returned: the new value of a variable as that variable,
    and a fetch whole, or as it says."""
    attributes = job.result_attributes(index)
    found = attributes.get(STATE)
    if isinstance(found, StringAttr):
        return found.value
    name = attributes.get("job.update")
    if name is not None:
        for i in range(len(job.arguments)):
            if job.argument_attributes(i).get("job.variable") == name:
                return argument_state(job, i, mesh)
    return whole(mesh)
