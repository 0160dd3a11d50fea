"""Nests of tuples, lists and dicts: what job functions take and give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

PATH_OF_ONE = "0"
"""The path of a value that is not inside a nest."""


def items(nest: object) -> Iterator[tuple[str, Any]]:
    """The direct members of a tuple, list or dict, each with its key as text."""
    if isinstance(nest, dict):
        for key, value in nest.items():
            yield str(key), value
    elif isinstance(nest, tuple | list):
        for index, value in enumerate(nest):
            yield str(index), value
    else:
        raise TypeError(f"not a nest: {nest!r}")


def is_nest(value: object) -> bool:
    return isinstance(value, tuple | list | dict)


def leaves(nest: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every leaf with its path, such as `1/loss`; a lone value has the path `0`.

    >>> from penstock.basics.nest import leaves
    >>> list(leaves(("a", {"loss": "b"})))
    [('0', 'a'), ('1/loss', 'b')]
    """
    if not is_nest(nest):
        yield "/".join(path) or PATH_OF_ONE, nest
        return
    for key, value in items(nest):
        yield from leaves(value, (*path, key))


def rebuild(nest: object, leaf: Callable[[Any], Any]) -> Any:
    """The same nest with `leaf` applied to every leaf, in the order of `leaves`.

    A named tuple stays one of its class.
    """
    if isinstance(nest, dict):
        return {key: rebuild(value, leaf) for key, value in nest.items()}
    if isinstance(nest, tuple):
        members = [rebuild(value, leaf) for value in nest]
        return type(nest)(*members) if hasattr(nest, "_fields") else tuple(members)
    if isinstance(nest, list):
        return [rebuild(value, leaf) for value in nest]
    return leaf(nest)
