"""The error of files that cannot be loaded."""

__all__ = ["ArtifactError"]


class ArtifactError(ValueError):
    """A file is no artifact that can be used here; one sentence says why, and what would fit."""
