"""Derived SBP signatures against brute force: references run on shards and are reassembled.

Every derived signature without exchanges inside the op must hold on 1 to 4 ranks, on uneven splits
too unless it says otherwise;
and every one that holds on even splits must have been derived. Ops may waive, with a reason, `sbp`,
if shards of the reference cannot be compared, and `sbp complete`, if more signatures with the same
states on both sides hold on even splits by chance, because a pattern repeats. Results may be
partial maxima and minima; that operands may be is proved where it was derived.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import product
from math import prod

import numpy as np

from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.job.sbp import states_of
from penstock.ir.dialects.job.sharding import is_partial
from penstock.ir.meaning.sbp_rules import SbpSignature, signatures
from penstock.ir.opdef import attribute
from penstock.ir.types import is_float
from penstock.testing.cases import Array, Case, cases_of, in_float64, is_float_array, trying
from penstock.testing.failures import Failure
from penstock.testing.variants import accepted, extents_of, with_extents

RANKS = (1, 2, 3, 4)
PROOFS, REFUTATIONS = 3, 24
"""How often a derived signature is tried, and the maximum for one that was not derived."""
MOST = 10_000
"""Calls with more candidate signatures are skipped; other calls cover the op."""
EXTENTS = ((5, 7, 6, 9), (4, 12, 8, 16))
"""Extents that split unevenly in every way, and evenly."""

EXTREMA = {"P(max)": np.maximum, "P(min)": np.minimum}
"""How the ranks' parts give the value."""

BOUNDS = {"float16": 2.0**-8, "bfloat16": 2.0**-5, "float32": 1e-5}
"""The tolerance of sums of rounded parts against the whole; 1e-8 for float64."""


@cache
def dimension(state: str) -> int | None:
    """The dimension that a state splits; None if it splits nothing."""
    return int(state[2:-1]) if state[0] == "S" else None


def scatter(array: Array, state: str, ranks: int, random: np.random.Generator) -> list[Array]:
    """The part of each rank; splits are balanced, earlier ranks have one more."""
    if state == "B":
        return [array] * ranks
    if state == "P":
        parts = [_noise(array, random) for _ in range(ranks - 1)]
        with np.errstate(over="ignore"):
            rest = array - sum(parts, np.zeros_like(array))
        return [*parts, np.asarray(rest, array.dtype)]
    if state in EXTREMA:
        bound = np.minimum if state == "P(max)" else np.maximum
        owner = random.integers(ranks, size=array.shape)
        return [
            np.where(owner == rank, array, bound(array, array[::-1] if array.ndim else array))
            for rank in range(ranks)
        ]
    split = dimension(state)
    assert split is not None
    return np.array_split(array, ranks, axis=split)


def _noise(array: Array, random: np.random.Generator) -> Array:
    if array.dtype.kind == "f":
        return np.asarray(random.standard_normal(array.shape))
    if array.dtype.kind == "b":
        return np.zeros_like(array)
    limits = np.iinfo(array.dtype)
    return np.asarray(
        random.integers(limits.min, limits.max, array.shape, array.dtype, endpoint=True)
    )


def gathered(parts: Sequence[Array], state: str) -> Array | None:
    """The whole that the ranks' parts represent; None if they represent none."""
    if state == "B":
        same = all(close(part, parts[0]) for part in parts)
        return parts[0] if same else None
    if state == "P":
        if len({part.shape for part in parts}) > 1:
            return None
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(sum(parts[1:], parts[0]), parts[0].dtype)
    if state in EXTREMA:
        same = len({part.shape for part in parts}) == 1
        return np.asarray(EXTREMA[state].reduce(parts), parts[0].dtype) if same else None
    split = dimension(state)
    assert split is not None
    if split >= parts[0].ndim or len({_without(part.shape, split) for part in parts}) > 1:
        return None
    whole = np.concatenate(parts, axis=split)
    balanced = [part.shape for part in np.array_split(whole, len(parts), axis=split)]
    return whole if balanced == [part.shape for part in parts] else None


def _without(shape: tuple[int, ...], split: int) -> tuple[int, ...]:
    return shape[:split] + shape[split + 1 :]


def close(got: Array, wanted: Array) -> bool:
    """Equal, up to the rounding of parts."""
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        return False
    if np.array_equal(got, wanted):
        return True
    if not is_float_array(got):
        return False
    bound = BOUNDS.get(got.dtype.name, 1e-8)
    got, wanted = got.astype(np.float64), wanted.astype(np.float64)
    return np.allclose(got, wanted, rtol=bound, atol=bound, equal_nan=True)


class Trial:
    """An op with one set of operands; results of shards are cached across signatures."""

    def __init__(self, op: TensorOp, arrays: Sequence[Array], seed: int) -> None:
        self.op = op
        self.arrays = arrays
        self.random = np.random.default_rng([8, seed])
        self._parts: dict[tuple[object, ...], list[list[Array]] | None] = {}
        self._fits: dict[tuple[object, ...], bool] = {}
        """Whether the parts of one result represent it in a state."""

    @cached_property
    def whole(self) -> list[Array]:
        """The results; lazy, since most candidates are refuted before all trials need theirs."""
        return self._reference(self.op, self.arrays)

    def holds(self, signature: SbpSignature, ranks: int) -> bool:
        """Whether this number of ranks, each with its shards, compute parts of the whole."""
        parts = self._computed(signature, ranks)
        return parts is not None and all(
            self._represent(parts, position, state)
            for position, state in enumerate(signature.results)
        )

    def _represent(self, parts: list[list[Array]], position: int, state: str) -> bool:
        """Whether the ranks' parts of one result represent the whole in this state."""
        key = id(parts), position, state
        found = self._fits.get(key)
        if found is None:
            held = [part[position] for part in parts]
            got = gathered(held, state) if len({p.ndim for p in held}) == 1 else None
            found = got is not None and close(got, self.whole[position])
            self._fits[key] = found
        return found

    def with_operand(self, position: int, array: Array) -> list[Array]:
        """The whole results with another array for one operand."""
        arrays = [*self.arrays]
        arrays[position] = array
        return self._reference(self.op, arrays)

    def _computed(self, signature: SbpSignature, ranks: int) -> list[list[Array]] | None:
        """The results of each rank; None if the shards' shapes do not fit together."""
        told = self.op.result_shape or self.op.by_place
        split = dimension(signature.results[0]) if told else None
        key = (signature.operands, ranks, split)
        if key not in self._parts:
            self._parts[key] = self._run(signature, ranks)
        return self._parts[key]

    def _run(self, signature: SbpSignature, ranks: int) -> list[list[Array]] | None:
        pairs = zip(self.arrays, signature.operands, strict=True)
        shards = [scatter(array, state, ranks, self.random) for array, state in pairs]
        try:
            return [
                self._reference(
                    _local(self.op, signature.results, ranks, r), [s[r] for s in shards]
                )
                for r in range(ranks)
            ]
        except (IndexError, ValueError):
            return None  # NumPy rejects the shapes

    @staticmethod
    def _reference(op: TensorOp, arrays: Sequence[Array]) -> list[Array]:
        with np.errstate(all="ignore"):
            return [np.asarray(result) for result in op.reference(*arrays)]


def _local(op: TensorOp, states: Sequence[str], ranks: int, rank: int) -> TensorOp:
    """The op as this rank runs it: an attribute that repeats the result's shape gets the shape of
    the part, and an op whose elements depend on their place gets the part's origin."""
    if not op.result_shape and not op.by_place:
        return op
    copy = op.clone()
    assert isinstance(copy, TensorOp)
    shape, origin = list(op.out.shape), [0] * op.out.rank
    split = dimension(states[0])
    if split is not None:
        part = np.array_split(np.arange(shape[split]), ranks)[rank]
        shape[split], origin[split] = len(part), int(part[0]) if len(part) else 0
    told: dict[str, Sequence[int]] = {op.result_shape: shape} if op.result_shape else {}
    told |= {"origin": origin, "whole": op.out.shape} if op.by_place else {}
    for name, value in told.items():
        member = getattr(type(op), name)
        assert isinstance(member, attribute)
        member.__set__(copy, value)
    return copy


def splits(op: TensorOp, signature: SbpSignature, blocks: int = 0, even: bool = False) -> list[int]:
    """The numbers of ranks to try: those that give each rank a part, equal parts if `even`, or
    whole blocks."""
    found = []
    pairs = [*zip(op.operands, signature.operands, strict=True)]
    pairs += zip(op.results, signature.results, strict=True)
    for value, state in pairs:
        split = dimension(state)
        if split is not None:
            found.append(value.type.shape[split])  # type: ignore[attr-defined]
    return _counts(tuple(found), blocks, even)


@cache
def _counts(extents: tuple[int, ...], blocks: int, even: bool) -> list[int]:
    """The same for extents that are split."""
    return [
        n
        for n in RANKS
        if blocks % n == 0 and all(e >= n and (not even or e % n == 0) for e in extents)
    ]


def trials(case: Case, count: int) -> list[Trial]:
    """The call with several sets of operands; floats in float64."""
    random = np.random.default_rng(7)
    drawn = [[operand.draw(random) for operand in case.sample.inputs] for _ in range(count)]
    with trying(case):
        return [Trial(case.op, in_float64(one), seed) for seed, one in enumerate(drawn)]


def candidates(op: TensorOp) -> Iterator[SbpSignature]:
    """Every combination of states. Maxima and minima are results, if they are not the same on all
    ranks."""
    spaces = [states_of(value) for value in op.operands]
    spaces += [[*states_of(value), *EXTREMA] for value in op.results]
    count = len(op.operands)
    for states in product(*spaces):
        yield SbpSignature(states[:count], states[count:])


def _worth(case: Case, op: TensorOp) -> bool:
    """Whether the call has no operand of extent 1 (where splits and reductions are trivial), no
    empty result, and not too many candidates."""
    values = (*op.operands, *op.results)
    plain = all(min(tensor(v).shape, default=2) > 1 for v in op.operands)
    plain &= all(tensor(v).count > 0 for v in op.results)
    size = prod(len(states_of(value)) for value in values)
    return plain and bool(case.sample.inputs) and size <= MOST


def _says_nothing(tried: Sequence[Trial]) -> bool:
    """Whether the results do not depend on an operand, so that it may be in any state: a slice
    update may overwrite all of it. Random floats are hardly ever equal."""
    first = tried[0]
    wanted = [array.tobytes() for array in first.whole]
    for i in range(len(first.arrays)):
        changed = (first.with_operand(i, trial.arrays[i]) for trial in tried[1:])
        if all([array.tobytes() for array in results] == wanted for results in changed):
            return True
    return False


def shared_cases(cls: type[TensorOp]) -> list[Case]:
    """The class's calls, those with extents of 1 also with 2 instead, and two with extents that
    split unevenly and evenly."""
    own = cases_of(cls)
    found = list(own)
    for number, case in enumerate(own):
        if any(1 in shape for shape in case.shapes):
            larger = with_extents(cls, case.sample, {1: 2})
            extended = accepted(cls, 3_000_010 + number, larger)
            found += [extended] if isinstance(extended, Case) else []
    first = max(own, key=lambda case: len(case.shapes[0]) if case.shapes else 0, default=None)
    for number, wanted in enumerate(EXTENTS if first and first.shapes else ()):
        assert first is not None
        new = dict(zip(extents_of(cls, first.sample), wanted, strict=False))
        extended = accepted(cls, 3_000_000 + number, with_extents(cls, first.sample, new))
        if isinstance(extended, Case):
            found.append(extended)
    return found


def _different(cases: Sequence[Case]) -> Iterator[tuple[Case, list[SbpSignature]]]:
    """The calls with their derived signatures, without duplicates of the same numbers: all floats
    are tried in float64."""
    seen = set()
    for case in cases:
        elements = tuple("float" if is_float(t.element) else t.element for t in case.types)
        with trying(case):
            derived = signatures(case.op)
        key = (case.shapes, str(case.sample.attributes), elements, tuple(derived))
        if key not in seen:
            seen.add(key)
            yield case, derived


def check_derived_signatures(cls: type[TensorOp]) -> int:
    """Each derived signature holds on 1 to 4 ranks; returns how many calls were tried."""
    tried = 0
    for case, derived in _different(shared_cases(cls)):
        if 0 in [extent for shape in case.shapes for extent in shape]:
            continue
        drawn = trials(case, PROOFS)
        for signature in derived:
            # The reference of shards exchanges nothing: compiled ops prove these signatures.
            for ranks in (
                () if signature.exchanges else splits(case.op, signature, signature.blocks)
            ):
                if not all(trial.holds(signature, ranks) for trial in drawn):
                    raise Failure(f"{case}: the derived {signature} does not hold on {ranks} ranks")
                tried += 1
    if not tried:
        raise Failure(
            f"{cls.name}: no call could be split across ranks: list larger ones in `samples`"
        )
    return tried


def check_signatures_are_complete(cls: type[TensorOp]) -> int:
    """Whatever holds on even splits is derived; returns how many candidates were refuted."""
    refuted = 0
    for case, derived in _different(shared_cases(cls)):
        if not _worth(case, case.op):
            continue
        drawn = trials(case, REFUTATIONS)
        if _says_nothing(drawn):
            continue
        known = {(s.operands, s.results) for s in derived}
        for candidate in candidates(case.op):
            if (candidate.operands, candidate.results) in known:
                continue
            same = tuple("B" if state in EXTREMA else state for state in candidate.results)
            if same != candidate.results and (candidate.operands, same) in known:
                continue
            if "sbp complete" in cls.waived and len({*candidate.operands, *same} - {"B"}) == 1:
                continue
            if "sbp sums" in cls.waived and any(map(is_partial, candidate.results)):
                continue
            ranks = [n for n in splits(case.op, candidate, even=True) if n > 1]
            if ranks and all(trial.holds(candidate, n) for trial in drawn for n in ranks):
                raise Failure(f"{case}: {candidate} holds on even splits and is not derived")
            refuted += 1
    return refuted
