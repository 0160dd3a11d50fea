"""Equations of `flow.einsum` that are invalid or do not match the blobs."""

from collections.abc import Callable
from typing import Any

import pytest

import penstock as flow
import penstock.typing as tp

Rows: Any = tp.Numpy.Placeholder((4, 3))
Labels: Any = tp.Numpy.Placeholder((4, 3), dtype=flow.int32)

MISUSES: dict[str, tuple[Callable[[Any, Any], Any], type[Exception], str]] = {
    "no equation": (
        lambda x, n: flow.einsum(x, x),  # here
        TypeError,
        "the equation of flow.einsum must be a string, got a Blob",
    ),
    "characters": (
        lambda x, n: flow.einsum("i1,jk->ik", x, x),  # here
        ValueError,
        'takes an equation of letters, commas, "..." and "->", such as "...ij,jk->...ik", got '
        '"i1,jk->ik"',
    ),
    "terms": (
        lambda x, n: flow.einsum("ij,jk->ik", x),  # here
        ValueError,
        'flow.einsum takes a blob for each term of "ij,jk->ik", 2, got 1',
    ),
    "letters": (
        lambda x, n: flow.einsum("ij,j->i", x, x),  # here
        ValueError,
        'takes a letter for each dimension, or "...": got "j" of "ij,j->i" for shape (4, 3)',
    ),
    "result": (
        lambda x, n: flow.einsum("ij,ij->ik", x, x),  # here
        ValueError,
        'the result of flow.einsum "ij,ij->ik" may use each letter of the blobs once, got k',
    ),
    "dots": (
        lambda x, n: flow.einsum("i...->i", x),  # here
        ValueError,
        'the result of flow.einsum "i...->i" must have "...", as the blobs have 1 dimensions',
    ),
    "extents": (
        lambda x, n: flow.einsum("ij,jk->ik", x, x),  # here
        ValueError,
        'flow.einsum "ij,jk->ik" needs extents of index j that are equal or 1, got 3 and 4',
    ),
    "diagonal": (
        lambda x, n: flow.einsum("ii->i", x),  # here
        ValueError,
        'flow.einsum "ii->i" needs extents of index i that are equal or 1, got 4 and 3',
    ),
    "long": (
        lambda x, n: flow.einsum("a" * 3000 + "->", x),  # here
        ValueError,
        f'or "...": got "{"a" * 28} ... {"a" * 27}" of "{"a" * 28} ... {"a" * 25}->" for shape',
    ),
    "element types": (
        lambda x, n: flow.einsum("ij,ij->i", x, n),  # here
        ValueError,
        "expected operands of one element type, got f32 and i32",
    ),
}


@pytest.mark.parametrize("what", MISUSES)
def test_einsum(refused: Any, what: str) -> None:
    body, kind, text = MISUSES[what]

    @flow.global_function()
    def job(x: Rows, n: Labels) -> tp.Numpy:
        return body(x, n)

    with refused(kind, text):
        job.trace()
