"""How ranks share blobs: the states that a program wants, and what it can ask of a blob."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from penstock.basics.errors import counted, located
from penstock.distribute import Distribution, check_distribute
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.job.sharding import BROADCAST, joined, split, split_dim
from penstock.ir.record import Record
from penstock.trace.tracing import Trace


def wanted_state(
    distribute: Distribution | None, shape: Sequence[int], what: str, holder: str
) -> str | None:
    """The state of a tensor that a distribution asks for; None if the compiler is to choose. If
    there is one for each axis of a mesh, the state has as many.

    `what` is the argument's name and `holder` what has the shape. Raises a located TypeError for
    anything else than a distribution, and a ValueError if it splits a dimension that is not there.
    """
    if distribute is None:
        return None
    distribute = check_distribute(distribute, what)
    if distribute.is_auto:
        return None
    if distribute.each:
        states = [wanted_state(one, shape, what, holder) for one in distribute.each]
        return joined(state for state in states if state is not None)
    axis = distribute.axis
    if axis is None:
        return BROADCAST
    if axis >= len(shape):
        has = f"{counted(len(shape), 'dimension')}, shape {tuple(shape)}" if shape else "none"
        raise located(
            ValueError,
            f"{what} is {distribute}, but {holder} has {has}; "
            + (f"split dimension 0 to {len(shape) - 1}" if shape else "write broadcast()"),
        )
    return split(axis)


class ParallelConf(Record):
    """The devices of a blob, as OneFlow's protocol buffer of this name has them.

    >>> ParallelConf("cpu", ("0:0-1",)).device_name
    ('0:0-1',)
    """

    device_tag: str
    device_name: tuple[str, ...]


def parallel_conf(placement: Mapping[str, Any] | None) -> ParallelConf:
    """The devices of a placement in the IR; by default, the first CPU rank."""
    found = placement or {"device": "cpu", "ranks": ["0:0"]}
    return ParallelConf(found["device"], tuple(found["ranks"]))


def batch_axis(trace: Trace, value: Value) -> int | None:
    """The dimension of a value along which there are samples; None if there is none.

    That of a feed is its placeholder's. That of an op's result is the one that is split if the
    batch axes of the operands are, by the signatures that are derived from the op.
    """
    if isinstance(value, BlockArgument):
        return trace.batch_axes.get(value)
    if value not in trace.batch_axes:
        op = value.defining_op
        if not isinstance(op, TensorOp):
            return None
        axes = [batch_axis(trace, operand) for operand in op.operands]
        trace.batch_axes.update(zip(op.results, _result_axes(op, axes), strict=True))
    return trace.batch_axes[value]


def _result_axes(op: TensorOp, axes: Sequence[int | None]) -> list[int | None]:
    # Deriving signatures takes longer than tracing an op, and few programs ask.
    from penstock.ir.meaning.sbp_rules import signatures

    wanted = [BROADCAST if axis is None else split(axis) for axis in axes]
    if set(wanted) <= {BROADCAST}:
        return [None] * len(op.results)
    for signature in signatures(op):
        if list(signature.operands) == wanted:
            return [split_dim(state) for state in signature.results]
    return [None] * len(op.results)
