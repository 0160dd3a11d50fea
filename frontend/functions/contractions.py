"""`flow.einsum`: sums of products in Einstein notation.

An equation of any number of blobs becomes a chain of pairwise contractions, each one op
`flow.einsum`. Other ops do the rest beforehand: diagonals are slices, indices of only one blob are
summed, and dimensions of extent 1 that meet longer ones are dropped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import prod
from string import ascii_letters

from penstock.basics.errors import clipped, kind_of, located
from penstock.functions.ops import reshape, transpose
from penstock.trace.blob import Blob, apply, check_blob

WHAT = "flow.einsum"
FORM = re.compile(r"[a-zA-Z]*(\.\.\.[a-zA-Z]*)?")

Term = tuple[str, Blob]
"""A blob with a letter for each of its dimensions."""


def einsum(equation: str, *operands: Blob, name: str | None = None) -> Blob:
    """The sum of products of blobs over all indices that the result lacks.

    `equation` has a letter for each dimension of each blob, with commas between the blobs, and
    optionally "->" with the letters of the result. Without it, the result has the letters that
    occur once, in alphabetical order. "..." stands for further dimensions, which broadcast. A
    letter that occurs twice in one blob takes its diagonal. The meaning is numpy.einsum's. With
    more than two blobs, the pair with the fewest multiplications is contracted first.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((2, 2))) -> tuple[tp.Numpy, tp.Numpy]:
    ...     return flow.einsum("ij,kj->ik", x, x), flow.einsum("...ii->...i", x)
    >>> for y in job(np.array([[1, 2], [3, 4]], np.float32)):
    ...     print(y)
    [[ 5. 11.]
     [11. 25.]]
    [1. 4.]
    """
    if not isinstance(equation, str):
        raise located(
            TypeError, f"the equation of {WHAT} must be a string, got {kind_of(equation)}"
        )
    subscripts, result = _parsed(equation, [check_blob(blob, WHAT) for blob in operands])
    terms = [_diagonals(equation, *term) for term in subscripts]
    extents = _extents(equation, terms)
    terms = [_without_repeated(term, extents) for term in terms]
    while len(terms) > 2:
        terms = _with_cheapest_product(terms, result, extents)
    if len(terms) == 2:
        return _product(terms[0], terms[1], result, name)
    letters, blob = _summed(terms[0], result)
    return transpose(blob, [letters.index(letter) for letter in result], name=name)


# -- parse the equation ---------------------------------------------------------------------------


def _parsed(equation: str, blobs: Sequence[Blob]) -> tuple[list[Term], str]:
    """Each blob with its letters, and the letters of the result. Dimensions under "..." get letters
    of their own."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    words = left.split(",")
    for word in (*words, right):
        if not FORM.fullmatch(word):
            raise located(
                ValueError,
                f'{WHAT} takes an equation of letters, commas, "..." and "->", such as '
                f'"...ij,jk->...ik", got {_quoted(equation)}',
            )
    if len(words) != len(blobs):
        raise located(
            ValueError,
            f"{WHAT} takes a blob for each term of {_quoted(equation)}, {len(words)}, got "
            f"{len(blobs)}",
        )
    more = [_unnamed(equation, word, blob) for word, blob in zip(words, blobs, strict=True)]
    unused = [letter for letter in ascii_letters if letter not in equation]
    others = "".join(unused[: max(more)])
    if not arrow:
        counts = Counter(left.replace(".", "").replace(",", ""))
        right = "..." + "".join(sorted(letter for letter, n in counts.items() if n == 1))
    _check_result(equation, left, right, others)
    terms = [
        (word.replace("...", others[len(others) - count :]), blob)
        for word, count, blob in zip(words, more, blobs, strict=True)
    ]
    return terms, right.replace("...", others)


def _unnamed(equation: str, word: str, blob: Blob) -> int:
    """How many dimensions of a blob "..." stands for."""
    letters = word.replace("...", "")
    rest = len(blob.shape) - len(letters)
    if rest < 0 or (rest and word == letters):
        raise located(
            ValueError,
            f'{WHAT} takes a letter for each dimension, or "...": got {_quoted(word)} of '
            f"{_quoted(equation)} for shape {blob.shape}",
        )
    return rest


def _check_result(equation: str, left: str, right: str, others: str) -> None:
    """Fail if the result has a letter that no blob has, or lacks one that it needs."""
    letters = right.replace("...", "")
    for letter in letters:
        if letters.count(letter) > 1 or letter not in left:
            raise located(
                ValueError,
                f"the result of {WHAT} {_quoted(equation)} may use each letter of the blobs once, "
                f"got {letter}",
            )
    if others and "..." not in right:
        raise located(
            ValueError,
            f'the result of {WHAT} {_quoted(equation)} must have "...", as the blobs have '
            f"{len(others)} dimensions without a letter; sum over them with flow.math.reduce_sum",
        )


def _extents(equation: str, terms: Sequence[Term]) -> Mapping[str, int]:
    """The extent of each letter: the only one that is not 1, if any."""
    extents: dict[str, int] = {}
    for letters, blob in terms:
        for letter, extent in zip(letters, blob.shape, strict=True):
            known = extents.get(letter, 1)
            if 1 != known != extent != 1:
                _fail_for_extents(equation, letter, known, extent)
            extents[letter] = extent if known == 1 else known
    return extents


def _fail_for_extents(equation: str, letter: str, first: int, second: int) -> None:
    index = f"index {letter}" if letter in equation else '"..."'
    raise located(
        ValueError,
        f"{WHAT} {_quoted(equation)} needs extents of {index} that are equal or 1, got {first} and "
        f"{second}",
    )


def _quoted(equation: str) -> str:
    """An equation, or a term of one, as errors show it: a long one is shortened."""
    return f'"{clipped(equation, 60)}"'


# -- before contractions --------------------------------------------------------------------------


def _diagonals(equation: str, letters: str, blob: Blob) -> Term:
    """The diagonal over repeated letters: a slice of the flattened dimensions with a constant
    step."""
    for letter in [letter for letter, count in Counter(letters).items() if count > 1]:
        places = [d for d, other in enumerate(letters) if other == letter]
        rest = [d for d, other in enumerate(letters) if other != letter]
        extent, *others = (blob.shape[d] for d in places)
        for other in others:
            if other != extent:
                _fail_for_extents(equation, letter, extent, other)
        shape = [blob.shape[d] for d in rest]
        lines = reshape(transpose(blob, [*places, *rest]), [extent ** len(places), *shape])
        step = sum(extent**i for i in range(len(places)))
        blob = apply(
            "flow.slice", lines, what=WHAT, starts=[0] * len(lines.shape), sizes=[extent, *shape],
            steps=[step, *[1] * len(shape)],
        )[0]  # fmt: skip
        letters = letter + "".join(letters[d] for d in rest)
    return letters, blob


def _without_repeated(term: Term, extents: Mapping[str, int]) -> Term:
    """Without the dimensions of extent 1 that broadcast to longer ones."""
    letters, blob = term
    kept = [c for c, n in zip(letters, blob.shape, strict=True) if n == extents[c]]
    if len(kept) == len(letters):
        return term
    return "".join(kept), reshape(blob, [extents[letter] for letter in kept])


def _summed(term: Term, wanted: str) -> Term:
    """Summed over the letters that are not in `wanted`."""
    letters, blob = term
    axes = [d for d, letter in enumerate(letters) if letter not in wanted]
    if not axes:
        return term
    result = apply("flow.reduce_sum", blob, what=WHAT, axes=axes, keepdims=False)[0]
    return "".join(letter for letter in letters if letter in wanted), result


# -- contractions ---------------------------------------------------------------------------------


def _with_cheapest_product(
    terms: Sequence[Term], result: str, extents: Mapping[str, int]
) -> list[Term]:
    """The terms, with the two whose contraction takes the fewest multiplications replaced by it."""

    def products(pair: tuple[Term, Term]) -> int:
        return prod(extents[letter] for letter in {*pair[0][0], *pair[1][0]})

    first, second = min(combinations(terms, 2), key=products)
    rest = [term for term in terms if term is not first and term is not second]
    needed = {*result, *(letter for letters, _ in rest for letter in letters)}
    letters = "".join(c for c in dict.fromkeys(first[0] + second[0]) if c in needed)
    return [*rest, (letters, _product(first, second, letters))]


def _product(first: Term, second: Term, result: str, name: str | None = None) -> Blob:
    """The contraction of two terms; letters that `kept` lacks are summed."""
    (a, x), (b, y) = _summed(first, second[0] + result), _summed(second, first[0] + result)
    return apply("flow.einsum", x, y, what=WHAT, name=name, equation=f"{a},{b}->{result}")[0]
