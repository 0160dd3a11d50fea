"""Blobs: the values a job's body computes with, known by shape and element type only."""


class Blob:
    """A value of a job, while its body is traced."""
