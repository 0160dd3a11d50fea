"""SBP signatures, derived from the lowering of an op rather than listed by hand.

For one `linalg.generic` they follow from its maps, iterators and body:

- A parallel dimension may be split. Operands indexed by it are S there, all others are B. Operands
  read by windows that do not overlap are S too, in parts of whole windows.
- A reduction dimension may be split if the body accumulates into its output: by sums, maxima or
  minima. The result is P, P(max) or P(min).
- Operands may be P if the body is linear in them. The result is P. Operands may be P(max) or P(min)
  if the body moves them or reduces them alike.

A kernel declares its dimensions, and which of these may be split. Chains of generics, kernels and
views are searched for consistent states. If a view collapses or expands a dimension, splitting it
means splitting its outermost part evenly: the signature says what the number of ranks must divide.
Where no states are consistent, ranks may reduce what is partial inside the op, as in a softmax over
a split dimension: the signature says what they exchange.
`tests/conformance` checks signatures by sharding each op's reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import gcd
from typing import NamedTuple

from penstock.ir.affine import Binary, Dim, Expr
from penstock.ir.attributes import python_value
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, linalg
from penstock.ir.dialects import tensor as tensors
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.flow.kernel import Kernel, Labels
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.job.sbp import Box, states_of
from penstock.ir.dialects.job.sharding import axis_states, is_partial
from penstock.ir.facets import facet
from penstock.ir.meaning.linearity import FIXED, OTHER, accumulation, kinds_of, passes_on
from penstock.ir.rewriting.lowering import lowered_copy
from penstock.ir.types import TensorType

WHOLE, PARTIAL = "B", "P"
REDUCED = {"sum": PARTIAL, "max": "P(max)", "min": "P(min)"}
"""The state of what ranks have yet to reduce so."""
ANY = "?"
"""The state of a tensor whose elements are never read: any state will do."""


def split(dimension: int) -> str:
    """The state of a tensor split along a dimension."""
    return f"S({dimension})"


@dataclass(frozen=True, slots=True)
class SbpSignature:
    """A consistent assignment of states to operands and results."""

    operands: tuple[str, ...]
    results: tuple[str, ...]
    blocks: int = 0
    """The number of ranks must divide this, since splits are by whole blocks. 0 means no
    restriction: splits may be uneven."""
    exchanges: tuple[tuple[TensorType, str], ...] = ()
    """What ranks reduce inside the op, whole on each rank: its type and partial state."""

    def __str__(self) -> str:
        tail = f" (ranks divide {self.blocks})" if self.blocks else ""
        if self.exchanges:
            words = [f"{state} of {type}" for type, state in self.exchanges]
            tail += f" (reducing {' and '.join(words)})"
        return f"{', '.join(self.operands)} -> {', '.join(self.results)}{tail}"


def signatures(op: TensorOp) -> list[SbpSignature]:
    """Every signature that the op's lowering allows, those that hold for uneven splits first.

    >>> from penstock.ir.dialects.flow.base import instance
    >>> import numpy as np
    >>> a, b = np.zeros((2, 3), "f4"), np.zeros((3, 4), "f4")
    >>> for signature in signatures(instance("flow.matmul", a, b)):
    ...     print(signature)
    B, B -> B
    B, P -> P
    B, S(1) -> S(1)
    P, B -> P
    S(0), B -> S(0)
    S(1), S(0) -> P
    """
    if op.fixed_signatures:
        return [SbpSignature(*states) for states in op.fixed_signatures]
    function = lowered_copy(op)
    found = _derived(function, op.by_place, False)
    if any(
        isinstance(inner, linalg.Generic) and "reduction" in inner.iterator_types
        for inner in function.body
    ):
        known = {states for states, _ in found}
        more = _derived(function, op.by_place, True)
        found |= {states: facts for states, facts in more.items() if states[0] not in known}
    signatures = [SbpSignature(*states, *facts) for states, facts in found.items()]
    return sorted(signatures, key=lambda s: (s.blocks > 0, s.operands, s.results))


States = Mapping[Value, str]
Exchanged = tuple[tuple[TensorType, str], ...]
Derived = dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[int, Exchanged]]
"""From the states of operands and results to the restriction on ranks and to the exchanges."""


def _derived(function: Func, by_place: bool, exchanging: bool) -> Derived:
    """All consistent states of operands and results."""
    *ops, terminator = function.body
    found: Derived = {}
    rules = {inner: _rules(inner, by_place, exchanging) for inner in ops}
    for states, blocks, exchanged in _search(ops, rules, {}, 0, ()):
        free = [argument for argument in function.arguments if argument not in states]
        for chosen in product(*map(states_of, free)):
            whole = {**states, **dict(zip(free, chosen, strict=True))}
            operand_states, result_states = (
                tuple(whole[v] for v in vs) for vs in (function.arguments, terminator.operands)
            )
            # Of several derivations of the same states, keep the least restrictive.
            key, facts = (operand_states, result_states), (blocks, exchanged)
            found[key] = min(found.get(key, facts), facts, key=_restriction)
    return found


def _restriction(facts: tuple[int, Exchanged]) -> tuple[int, bool, int]:
    blocks, exchanged = facts
    return len(exchanged), blocks > 0, -blocks


class Rule(NamedTuple):
    """Consistent states of an op's uses and results."""

    used: tuple[str, ...]
    results: tuple[str, ...]
    blocks: int = 0
    """What the number of ranks must divide, or 0."""
    dimension: int | None = None
    """The dimension of the iterations, or of the kernel's space, that is split."""
    exchange: str = ""
    """The partial state of the results before ranks reduce them, if they do."""


class Choice(NamedTuple):
    """A rule, or what a view does, where the states of some values are known."""

    bound: tuple[tuple[Value, str], ...]
    """The states of previously unassigned values."""
    rule: Rule


def inner_rules(
    function: Func, signature: SbpSignature, ranks: int, by_place: bool = False
) -> tuple[dict[Value, str], dict[Operation, Rule]] | None:
    """The states of the values of a lowered op, and the rule that each of its ops follows, for one
    of its signatures; None if this number of ranks cannot share it so.

    The state of values whose elements are never read is `ANY`.
    """
    *ops, terminator = function.body
    states = dict(zip(function.arguments, signature.operands, strict=True))
    wanted: dict[Value, str] = {}
    for value, state in zip(terminator.operands, signature.results, strict=True):
        if wanted.setdefault(value, state) != state:
            return None
    if any(states.get(value, state) != state for value, state in wanted.items()):
        return None
    for exchanging in (False, True):
        rules = {inner: _rules(inner, by_place, exchanging) for inner in ops}
        found = _assigned(ops, rules, states, wanted, ranks)
        if found is not None:
            return found
    return None


def _assigned(
    ops: Sequence[Operation], rules: Rules, states: dict[Value, str], wanted: States, ranks: int
) -> tuple[dict[Value, str], dict[Operation, Rule]] | None:
    """The first consistent assignment that gives some values the states that are wanted."""
    if not ops:
        return states, {}
    op = ops[0]
    for bound, rule in _choices(op, rules, states):
        results: dict[Value, str] = dict(zip(op.results, rule.results, strict=True))
        fits = all(state in (ANY, wanted.get(v, state)) for v, state in results.items())
        if rule.blocks % ranks or not fits:
            continue
        found = _assigned(ops[1:], rules, {**states, **dict(bound), **results}, wanted, ranks)
        if found is not None:
            found[1][op] = rule
            return found
    return None


def _rules(
    op: Operation, by_place: bool, exchanging: bool
) -> tuple[Sequence[Value], Sequence[Rule]]:
    """The values that an op uses, and its rules, with those by which ranks reduce results at once
    if they are `exchanging`. Views have none; theirs follow from extents."""
    match op:
        case linalg.Generic():
            used, rules = _used(op), generic_rules(op, by_place)
            if exchanging:
                rules += [rule for one in rules for rule in _exchanging(one)]
        case Kernel():
            used, rules = list(op.operands), list(kernel_rules(op))
        case Box():
            used, rules = [op.x], list(_box_rules(op))
        case _:
            return (), ()
    spaces = [_states_of(value) for value in (*used, *op.results)]
    return used, [
        rule
        for rule in rules
        if all(s in space for s, space in zip((*rule.used, *rule.results), spaces, strict=True))
    ]


Rules = Mapping[Operation, tuple[Sequence[Value], Sequence[Rule]]]


def _states_of(value: Value) -> list[str]:
    """The possible states of a value inside an op: with maxima and minima of numbers."""
    found = states_of(value)
    return [*found, *REDUCED.values()] if PARTIAL in found else found


def _exchanging(rule: Rule) -> Iterator[Rule]:
    """A rule by which ranks reduce the results of this one, if it splits a reduction."""
    (state, *others) = dict.fromkeys(rule.results)
    if rule.dimension is not None and is_partial(state) and not others:
        whole = (WHOLE,) * len(rule.results)
        yield rule._replace(results=whole, exchange=state)


def _box_rules(op: Box) -> Iterator[Rule]:
    """What ranks on another axis exchange may have any state that a rank's part of it keeps."""
    for state in _states_of(op.x):
        if not is_partial(state) or state in axis_states(op.source):
            yield Rule((state,), (state,))


def _search(
    ops: Sequence[Operation],
    rules: Rules,
    states: dict[Value, str],
    blocks: int,
    exchanged: Exchanged,
) -> Iterator[tuple[dict[Value, str], int, Exchanged]]:
    """All consistent assignments of states to the values that the ops use and define."""
    if not ops:
        yield states, blocks, exchanged
        return
    op = ops[0]
    # Rules that differ only in how they use values of any state lead to the same states.
    found = [
        (bound, rule.results, rule.blocks, rule.exchange)
        for bound, rule in _choices(op, rules, states)
    ]
    for bound, results, more, exchange in dict.fromkeys(found):
        chosen = dict(states)
        chosen.update(bound)
        chosen.update(zip(op.results, results, strict=True))
        sent = tuple((tensor(value), exchange) for value in op.results if exchange)
        yield from _search(ops[1:], rules, chosen, gcd(blocks, more), exchanged + sent)


def _choices(op: Operation, rules: Rules, states: States) -> Iterator[Choice]:
    """The possible states of the results of one lowered op, and what ranks must divide, or 0."""
    match op:
        case tensors.Empty():
            yield Choice((), Rule((), (ANY,)))
        case arith.Constant():
            yield Choice((), Rule((), (WHOLE,)))
        case tensors.CollapseShape() | tensors.ExpandShape():
            if op.source in states:
                yield from _view_choices(op, states[op.source], ())
            else:
                for state in _states_of(op.source):
                    yield from _view_choices(op, state, ((op.source, state),))
        case linalg.Generic() | Kernel() | Box():
            yield from _fitting(*rules[op], states)
        case _:
            op.fail("has no SBP rule: expected what tensor ops lower to")


def _fitting(used: Sequence[Value], rules: Iterable[Rule], states: States) -> Iterator[Choice]:
    """The rules that are consistent with the states so far. Unassigned values match any state."""
    for rule in rules:
        bound: dict[Value, str] = {}
        for value, state in zip(used, rule.used, strict=True):
            bound_state = states.get(value) or bound.setdefault(value, state)
            if bound_state not in (state, ANY):
                break
        else:
            yield Choice(tuple(bound.items()), rule)


def _view_choices(
    op: tensors.CollapseShape | tensors.ExpandShape,
    state: str,
    bound: tuple[tuple[Value, str], ...],
) -> Iterator[Choice]:
    """A split goes to the outermost of the dimensions that a dimension is joined of."""
    if state in (WHOLE, ANY) or is_partial(state):
        yield Choice(bound, Rule((state,), (state,)))
        return
    joins = isinstance(op, tensors.CollapseShape)
    long, short = (op.source, op.view) if joins else (op.view, op.source)
    groups: list[list[int]] = python_value(op.reassociation)
    for joined, group in enumerate(groups):
        extents = tensor(long).shape
        outer = next((d for d in group if extents[d] != 1), group[0] if group else None)
        if outer is None:
            continue
        source, view = (outer, joined) if joins else (joined, outer)
        if state == split(source):
            apart = extents[outer] == tensor(short).shape[joined]
            yield Choice(bound, Rule((state,), (split(view),), 0 if apart else extents[outer]))


def _used(op: linalg.Generic) -> list[Value]:
    """Operands, then the tensors that the body reads by index, without duplicates."""
    extracted = [i.operands[0] for i in op.body if isinstance(i, tensors.Extract)]
    return list(dict.fromkeys([*op.operands, *extracted]))


def generic_rules(op: linalg.Generic, by_place: bool = False) -> list[Rule]:
    """The consistent states of a generic's uses and results.

    With `by_place`, a rank computes with the global indices of its elements.
    """
    used = _used(op)
    rules = [Rule((WHOLE,) * len(used), (WHOLE,) * len(op.results))]
    for d in range(len(op.iterator_types)):
        rule = _split_rule(op, used, d, by_place)
        if rule is not None:
            rules.append(rule)
    rules += _partial_rules(op, used)
    return rules


def _split_rule(
    op: linalg.Generic, used: Sequence[Value], dimension: int, by_place: bool
) -> Rule | None:
    """The rule for splitting one iteration dimension, if it can be split."""
    found: dict[Value, str] = {}
    blocks = 0
    places = _extract_places(op, dimension, by_place)
    for value, place, more in [*_map_places(op, dimension), *((v, p, 0) for v, p in places)]:
        state = WHOLE if place is None else split(place) if place >= 0 else None
        if state is None or found.setdefault(value, state) != state:
            return None
        blocks = gcd(blocks, more)
    results = tuple(found[value] for value in op.outputs)
    if WHOLE not in results:
        return Rule(tuple(found[v] for v in used), results, blocks, dimension)
    reduction = accumulation(op) if op.iterator_types[dimension] == "reduction" else None
    if reduction is None or set(results) != {WHOLE}:
        return None
    if reduction == "sum":
        found.update(dict.fromkeys(op.outputs, PARTIAL))
    partial = (REDUCED[reduction],) * len(op.results)
    return Rule(tuple(found[v] for v in used), partial, blocks, dimension)


def _map_places(op: linalg.Generic, dimension: int) -> Iterator[tuple[Value, int | None, int]]:
    """Where each operand is indexed by the dimension: None for nowhere, -1 for in no way that can
    be split; and what the number of ranks must divide.
    """
    triples = zip(op.body.arguments, op.operands, op.indexing_maps, strict=True)
    for argument, value, map in triples:
        found = [i for i, expr in enumerate(map.results) if dimension in expr.dims()]
        # An input used for its shape alone has the shape of an attribute, equal on all ranks.
        shape_alone = not argument.uses and argument.index < len(op.inputs)
        if shape_alone and found:
            yield value, -1, 0
            continue
        if len(found) != 1:
            yield value, -1 if found else None, 0
            continue
        (place,) = found
        extent = tensor(value).shape[place]
        blocks = _blocks(map.results[place], dimension, op.extents, extent)
        yield value, -1 if blocks is None else place, blocks or 0


def _blocks(expr: Expr, dimension: int, extents: Sequence[int], extent: int) -> int | None:
    """What ranks must divide for a split of the dimension to split what is indexed: 0 for nothing
    where it is the index, and its extent where steps are so large that windows do not overlap.

    None where the parts would overlap, or there is more than all windows.
    """
    if expr == Dim(dimension):
        return 0
    if 0 in extents or not isinstance(expr, Binary) or expr.kind not in "+*":
        return None
    origin = expr.evaluate([0] * len(extents))
    step = expr.evaluate([int(d == dimension) for d in range(len(extents))]) - origin
    reach = expr.evaluate([n - 1 if d != dimension else 0 for d, n in enumerate(extents)])
    if origin or reach >= step or extent != step * extents[dimension]:
        return None
    return extents[dimension] if step > 1 else 0


def _extract_places(
    op: linalg.Generic, dimension: int, by_place: bool
) -> Iterator[tuple[Value, int | None]]:
    """The same for tensors read by position, all along it; a position used otherwise forbids the
    split, unless ranks know it."""
    positions = {
        inner.results[0]
        for inner in op.body
        if isinstance(inner, linalg.Index) and inner.dim == dimension
    }
    for inner in op.body:
        here = [i for i, value in enumerate(inner.operands) if value in positions]
        if isinstance(inner, tensors.Extract):
            source = inner.operands[0]
            place = None if not here else here[0] - 1 if len(here) == 1 else -1
            if place is not None and tensor(source).shape[place] != op.extents[dimension]:
                place = -1
            yield source, place
        elif here and not by_place:
            yield op.operands[-1], -1


def _partial_rules(op: linalg.Generic, used: Sequence[Value]) -> Iterator[Rule]:
    """The rules for partial operands: results linear in sums are partial, too, and so is what
    passes on maxima or minima."""
    outputs = set(op.outputs)
    inputs = [value for value in used if value not in outputs]
    for count in range(len(inputs) + 1):
        for chosen in combinations(inputs, count):
            partial = {*chosen, *outputs}
            kinds = kinds_of(op, partial)
            if OTHER not in kinds and set(kinds) != {FIXED}:
                results = tuple(WHOLE if kind == FIXED else PARTIAL for kind in kinds)
                states = dict(zip(op.outputs, results, strict=True))
                states.update(dict.fromkeys(chosen, PARTIAL))
                yield Rule(tuple(states.get(v, WHOLE) for v in used), results)
        for reduction in ("max", "min") if chosen else ():
            kinds = passes_on(op, partial.difference(outputs), reduction)
            if OTHER in kinds or set(kinds) == {FIXED}:
                continue
            state = REDUCED[reduction]
            results = tuple(WHOLE if kind == FIXED else state for kind in kinds)
            yield Rule(tuple(state if v in chosen else WHOLE for v in used), results)


def kernel_rules(op: Kernel) -> list[Rule]:
    """The consistent states of a kernel's operands and results, from its declaration."""
    with facet(op, "space"):
        space = op.space()
    count = len(op.results)
    rules = [Rule((WHOLE,) * len(op.operands), (WHOLE,) * count)]
    named = {d for labels in (*space.operands, *space.results) for d in labels if d is not None}
    for d in sorted(named):
        operands = tuple(_labelled(labels, d) for labels in space.operands)
        results = tuple(_labelled(labels, d) for labels in space.results)
        if d in space.sums:
            parts = (PARTIAL if i in space.added else state for i, state in enumerate(operands))
            rules.append(Rule(tuple(parts), (PARTIAL,) * count, 0, d))
        elif WHOLE not in results:
            rules.append(Rule(operands, results, 0, d))
    if space.linear:
        partial = range(len(op.operands))
        states = tuple(PARTIAL if i in space.linear else WHOLE for i in partial)
        rules.append(Rule(states, (PARTIAL,) * count))
    return rules


def _labelled(labels: Labels, dimension: int) -> str:
    """The state of a tensor with these dimensions if one of them is split."""
    return split(list(labels).index(dimension)) if dimension in labels else WHOLE
