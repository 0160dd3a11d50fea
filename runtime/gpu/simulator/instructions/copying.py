"""`cp`: copies by threads and by the tensor memory accelerator."""

from __future__ import annotations

from penstock.runtime.gpu.simulator.arithmetic.decoding import Code, Decoded
from penstock.runtime.gpu.simulator.instructions.bulk import bulk_copy
from penstock.runtime.gpu.simulator.instructions.thread_copies import thread_copy

__all__ = ["copy"]


def copy(code: Code) -> Decoded:
    """Decode a `cp`."""
    if code.modifiers[:2] == ["async", "bulk"] or code.modifiers[:1] == ["reduce"]:
        return bulk_copy(code)
    return thread_copy(code)
