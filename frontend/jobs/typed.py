"""The base of job functions; `typed.pyi` says how type checkers and editors see their calls."""

from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Called(Generic[P, R]):
    """A function of blobs that is called with arrays."""


class Decorator:
    """A function that makes jobs of functions."""
