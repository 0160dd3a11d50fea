"""What compiling an artifact anew may take where nobody vouches for its text."""

from typing import NamedTuple

__all__ = ["RebuildLimits"]


class RebuildLimits(NamedTuple):
    """Bounds of `load(path, rebuild=True)`, for all jobs of a file together unless they say less.

    >>> RebuildLimits(seconds=3600)._replace(ops=10).ops
    10
    """

    text_bytes: int = 16 << 20
    """Of the text of one stage."""
    ops: int = 100_000
    """In the text of one stage."""
    job_bytes: int = 16 << 30
    """Of one value in a text; and of the arena, feeds, variables and results of a job together."""
    compiler_bytes: int = 8 << 30
    """Of address space that the process that compiles takes, beyond what this one has."""
    seconds: float = 600.0
    """From the first text to the last machine code, by the clock."""
