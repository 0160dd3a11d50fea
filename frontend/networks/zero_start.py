"""A notice for networks that cannot learn because kernels start at zero."""

from __future__ import annotations

from collections.abc import Collection

from penstock.basics.notices import tell_once
from penstock.ir.core import Value
from penstock.ir.dialects.flow.base import TensorOp
from penstock.trace.tracing import Trace, Variable

_ZERO = {"kind": "constant", "value": 0}


def tell_of_zero_kernels(trace: Trace) -> None:
    """Say it once where a trainable kernel that starts at zero is ahead of another layer."""
    kernels = {
        variable.blob.value: variable
        for variable in trace.variables.values()
        if variable.attributes["job.trainable"] and len(variable.blob.shape) >= 2
    }
    for value, variable in kernels.items():
        if _starts_at_zero(variable):
            later = _ahead_of(value, kernels.keys() - {value})
            if later is not None:
                tell_once(
                    "zero kernel",
                    f"variable {variable.name} starts at zero and is ahead of "
                    f"{kernels[later].name}, so both may stay as they are; give its layer a "
                    "kernel_initializer such as flow.glorot_uniform_initializer()",
                )
                return


def _starts_at_zero(variable: Variable) -> bool:
    return dict(variable.attributes["job.initializer"]) == _ZERO


def _moved(value: Value) -> set[Value]:
    """A value, and what holds its elements in another form."""
    found = {value}
    for op in value.users():
        if isinstance(op, TensorOp) and op.moves and len(op.operands) == 1:
            found |= _moved(op.results[0])
    return found


def _ahead_of(kernel: Value, others: Collection[Value]) -> Value | None:
    """Another kernel that is used with what is computed from this one."""
    forms = {form: other for other in others for form in _moved(other)}
    own = _moved(kernel)
    waiting = [result for value in own for op in value.users() for result in op.results]
    seen = set(waiting) | own
    while waiting:
        for op in waiting.pop().users():
            found = next((forms[operand] for operand in op.operands if operand in forms), None)
            if found is not None:
                return found
            new = [result for result in op.results if result not in seen]
            seen.update(new)
            waiting.extend(new)
    return None
