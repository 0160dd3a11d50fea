"""Random ops, with their seed and the step of the job."""

from __future__ import annotations

from typing import Any

from penstock.trace.blob import Blob, apply, in_each_micro_batch
from penstock.trace.initializers import check_seed
from penstock.trace.tracing import current_trace
from penstock.trace.variables import step_counter


def draw(
    op: str, *operands: Blob, seed: int | None, name: str | None, what: str, **attributes: Any
) -> Blob:
    """Append a random op, by name; the step is its last operand."""
    import hashlib

    if any(operand.micro_batches for operand in operands):
        return in_each_micro_batch(
            lambda *parts: [draw(op, *parts, seed=seed, name=name, what=what, **attributes)],
            operands,
            what,
        )[0]
    trace = current_trace(what)
    label = trace.next_name(name or op.partition(".")[2])
    words = f"{0 if seed is None else check_seed(seed)}:{trace.job}:{label}"
    key = hashlib.sha256(words.encode()).digest()[:8]
    attributes["seed"] = int.from_bytes(key, "little", signed=True)
    return apply(op, *operands, step_counter(), name=label, what=what, **attributes)[0]
