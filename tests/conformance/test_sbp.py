"""Derived SBP signatures against brute force: references run on shards, put together again.

Every derived signature must hold, on uneven splits too unless it says otherwise; and every one that
holds on even splits must have been derived, or be waived here with the reason.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import product
from math import gcd
from pathlib import Path

import numpy as np
import pytest

from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.sbp import states_of
from penstock.ir.opdef import attribute
from penstock.ir.sbp_rules import Signature, signatures

sys.path.insert(0, str(Path(__file__).parent))
from cases import OPS, Array, Case, cases_of, is_float_array

PROOFS, REFUTATIONS = 3, 24
"""How often a derived signature is tried, and at most one that was not derived."""
MOST = 4000
"""Cases with more candidate signatures than this are left to those with fewer."""

BOUNDS = {"float16": 2.0**-8, "bfloat16": 2.0**-5, "float32": 1e-5}
"""How far sums of parts may be from the whole, each part being rounded; 1e-8 for float64."""

# Op -> why shards of its reference cannot be compared.
WAIVED = {
    "flow.constant": "its value is an attribute: there is no operand to shard",
    "sbp.box": "it is what changes a state",
}

# Ops whose pattern along a dimension may happen to be the same in each part of an even split.
PATTERNS = ("flow.pad", "flow.slice")


def dimension(state: str) -> int | None:
    return int(state[2:-1]) if state[0] == "S" else None


def scatter(array: Array, state: str, ranks: int, random: np.random.Generator) -> list[Array]:
    """What each rank holds; splits are balanced, earlier ranks have one more."""
    if state == "B":
        return [array] * ranks
    if state == "P":
        parts = [noise(array, random) for _ in range(ranks - 1)]
        with np.errstate(over="ignore"):
            rest = array - sum(parts, np.zeros_like(array))
        return [*parts, np.asarray(rest, array.dtype)]
    split = dimension(state)
    assert split is not None
    return np.array_split(array, ranks, axis=split)


def noise(array: Array, random: np.random.Generator) -> Array:
    if array.dtype.kind == "f":
        return random.standard_normal(array.shape)
    limits = np.iinfo(array.dtype)
    return random.integers(limits.min, limits.max, array.shape, array.dtype, endpoint=True)


def gathered(parts: Sequence[Array], state: str) -> Array | None:
    """The whole that the ranks' parts stand for; None where they stand for none."""
    if state == "B":
        same = all(close(part, parts[0]) for part in parts)
        return parts[0] if same else None
    if state == "P":
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(sum(parts[1:], parts[0]), parts[0].dtype)
    split = dimension(state)
    assert split is not None
    ranks = np.concatenate(parts, axis=split) if split < parts[0].ndim else None
    if ranks is None:
        return None
    balanced = [part.shape for part in np.array_split(ranks, len(parts), axis=split)]
    return ranks if balanced == [part.shape for part in parts] else None


def close(got: Array, wanted: Array) -> bool:
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        return False
    bound = BOUNDS.get(got.dtype.name, 1e-8)
    got, wanted = (a.astype(np.float64) if is_float_array(a) else a for a in (got, wanted))
    return bool(np.allclose(got, wanted, rtol=bound, atol=bound, equal_nan=True))


def local(op: TensorOp, states: Sequence[str], ranks: int, rank: int) -> TensorOp:
    """The op as this rank runs it: where an attribute repeats the result's shape, with its part."""
    if not op.result_shape:
        return op
    copy = op.clone()
    assert isinstance(copy, TensorOp)
    shape = list(op.out.shape)
    split = dimension(states[0])
    if split is not None:
        shape[split] = len(np.array_split(np.arange(shape[split]), ranks)[rank])
    member = getattr(type(op), op.result_shape)
    assert isinstance(member, attribute)
    member.__set__(copy, shape)
    return copy


def holds(
    op: TensorOp,
    arrays: Sequence[Array],
    signature: Signature,
    ranks: int,
    random: np.random.Generator,
) -> bool:
    whole = [np.asarray(array) for array in op.reference(*arrays)]
    shards = [
        scatter(array, state, ranks, random)
        for array, state in zip(arrays, signature.operands, strict=True)
    ]
    try:
        parts = [
            local(op, signature.results, ranks, rank).reference(*(s[rank] for s in shards))
            for rank in range(ranks)
        ]
    except (IndexError, ValueError):
        return False  # NumPy refuses: the shards' shapes do not fit together
    for position, (state, wanted) in enumerate(zip(signature.results, whole, strict=True)):
        held = [np.asarray(part[position]) for part in parts]
        got = gathered(held, state) if len({p.ndim for p in held}) == 1 else None
        if got is None or not close(got, wanted):
            return False
    return True


def extents(op: TensorOp, signature: Signature) -> list[int] | None:
    """The extents that the signature splits; None where it names a dimension there is not."""
    found = []
    pairs = [*zip(op.operands, signature.operands, strict=True)]
    pairs += zip(op.results, signature.results, strict=True)
    for value, state in pairs:
        split = dimension(state)
        if split is not None:
            found.append(value.type.shape[split])  # type: ignore[attr-defined]
    return found


def splits(op: TensorOp, signature: Signature, even: bool) -> list[int]:
    """The numbers of ranks to try: 2 and 3 where each has a part, all parts equal if `even`."""
    found = extents(op, signature) or []
    return [n for n in (2, 3) if all(e >= n and (not even or gcd(e, n) == n) for e in found)]


def drawings(case: Case, count: int) -> list[list[Array]]:
    """Operands to try; floats in float64."""
    random = np.random.default_rng(7)
    drawn = [[given.draw(random) for given in case.sample.inputs] for _ in range(count)]
    return [[a.astype(np.float64) if is_float_array(a) else a for a in one] for one in drawn]


def proved(
    op: TensorOp, signature: Signature, ranks: Sequence[int], drawn: Sequence[Sequence[Array]]
) -> bool:
    """Whether the signature holds for each of these numbers of ranks and all these operands."""
    random = np.random.default_rng(8)
    return all(holds(op, arrays, signature, n, random) for arrays in drawn for n in ranks)


def candidates(op: TensorOp) -> Iterator[Signature]:
    spaces = [states_of(value) for value in (*op.operands, *op.results)]
    count = len(op.operands)
    for states in product(*spaces):
        yield Signature(states[:count], states[count:])


def worth(case: Case, op: TensorOp) -> bool:
    """Has no extent of 1, where splits and reductions mean nothing, and not too many candidates."""
    values = (*op.operands, *op.results)
    plain = all(min(v.type.shape, default=2) > 1 for v in values)  # type: ignore[attr-defined]
    size = np.prod([len(states_of(value)) for value in values])
    return plain and bool(case.sample.inputs) and size <= MOST


def says_nothing(op: TensorOp, drawn: Sequence[Sequence[Array]]) -> bool:
    """Whether the results are always the same, as those of comparisons of random floats are."""
    first, *others = ([np.asarray(a).tobytes() for a in op.reference(*one)] for one in drawn)
    return all(other == first for other in others)


def repeats(name: str, signature: Signature) -> bool:
    """Whether a sliced or padded dimension is split, which holds where its pattern repeats."""
    return name in PATTERNS and signature.operands == signature.results


@pytest.mark.parametrize("name", [name for name in OPS if name not in WAIVED])
def test_derived_signatures_hold(name: str) -> None:
    tried = 0
    for case in cases_of(name):
        _, op = case.program()
        if 0 in [extent for type in case.types for extent in type.shape]:
            continue
        drawn = drawings(case, PROOFS)
        for signature in signatures(op):
            ranks = splits(op, signature, signature.even)
            assert proved(op, signature, ranks, drawn), f"{case}: {signature} for {ranks}"
            tried += len(ranks) > 0
    assert tried


@pytest.mark.parametrize("name", [name for name in OPS if name not in WAIVED])
def test_all_that_hold_are_derived(name: str) -> None:
    for case in cases_of(name):
        _, op = case.program()
        if not worth(case, op):
            continue
        drawn = drawings(case, REFUTATIONS)
        if says_nothing(op, drawn):
            continue
        known = {(s.operands, s.results) for s in signatures(op)}
        for candidate in candidates(op):
            if (candidate.operands, candidate.results) in known or repeats(name, candidate):
                continue
            ranks = splits(op, candidate, even=True)
            assert not ranks or not proved(op, candidate, ranks, drawn), f"{case}: {candidate}"


def test_what_is_waived_exists() -> None:
    assert set(WAIVED) <= set(OPS)
    print("\n".join(f"\n{name}: {reason}" for name, reason in WAIVED.items()))
