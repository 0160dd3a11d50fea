"""The error of files that cannot be loaded."""

__all__ = ["ArtifactError"]


class ArtifactError(ValueError):
    """A file is not a valid artifact here; one sentence says why, and what would be valid."""
