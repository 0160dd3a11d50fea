"""Random ops, with their seed and the step of the job."""

from __future__ import annotations

from typing import Any

from penstock.scope import mirrored_view_enabled
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
    step = step_counter()
    if trace.local and mirrored_view_enabled():
        # Each rank draws its own.
        trace.depends_on_rank = True
        words += f":{trace.rank}" if trace.rank else ""
        step = Blob(trace.cloned(step.value), step.name, trace, step.location)
    key = hashlib.sha256(words.encode()).digest()[:8]
    attributes["seed"] = int.from_bytes(key, "little", signed=True)
    return apply(op, *operands, step, name=label, what=what, **attributes)[0]
