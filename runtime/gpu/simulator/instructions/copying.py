"""`cp`: copies by threads and by the tensor memory accelerator."""

from __future__ import annotations

from penstock.runtime.gpu.simulator.instructions.decoding import Code, Decoded
from penstock.runtime.gpu.simulator.instructions.thread_copies import thread_copy

__all__ = ["copy"]


def copy(code: Code) -> Decoded:
    """Decode a `cp`."""
    return thread_copy(code)
