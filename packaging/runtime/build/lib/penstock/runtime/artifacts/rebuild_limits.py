"""Resource limits on rebuilding an artifact whose text is not trusted."""

from typing import NamedTuple

__all__ = ["RebuildLimits"]


class RebuildLimits(NamedTuple):
    """Limits of `load(path, rebuild=True)`, for all jobs of a file together unless noted.

    >>> RebuildLimits(seconds=3600)._replace(ops=10).ops
    10
    """

    text_bytes: int = 16 << 20
    """Size of the text of one stage."""
    ops: int = 100_000
    """Number of ops in the text of one stage."""
    job_bytes: int = 16 << 30
    """Size of one value in a text; and of a job's arena, feeds, variables and results together."""
    compiler_bytes: int = 8 << 30
    """Address space of the compiler process, beyond what this process has."""
    seconds: float = 600.0
    """Wall-clock time from the first text to the last machine code."""
