"""Where each op of a job belongs: to the forward ops, the backward ops or the optimizer, and there
to a layer.

Names say which layer: those of variables, such as `layer3-fc1-weight`; those that the user gave to
ops; and those of modules, such as `model.layers.3.fc1.matmul`. An op without such a name belongs to
the layer of the variable that it reads, or to what surrounds it; a backward op, to the layer of the
op whose gradient it computes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from penstock.ir.attributes import StringAttr, python_value
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.record import Record

FORWARD, BACKWARD, OPTIMIZER = PHASES = ("forward", "backward", "optimizer")
_PARTS = re.compile(r"[^./-]+")

Layer = tuple[str, ...]


class Scope(Record):
    """A phase, and the layer in it, outermost first."""

    phase: str = FORWARD
    layer: Layer = ()


class Scopes(Record):
    """The scopes of a job's ops, in the order of the body, of its arguments and of its results."""

    ops: tuple[Scope, ...]
    arguments: tuple[Scope, ...]
    results: tuple[Scope, ...]


def scopes_of(module: Module) -> Scopes:
    """The scopes of the ops, arguments and results of a module's job."""
    function = module.job
    body = [op for op in function.body if not op.terminator]
    variables = _names(map(function.argument_attributes, range(len(function.arguments))))
    updates = _names(map(function.result_attributes, range(len(function.type.results))), "update")
    layers = {v: _parts(n)[:-1] for v, n in zip(function.arguments, variables, strict=True) if n}
    phases = _phases(module, body, updates)
    found = _forward(body, phases, layers)
    _backward(body, phases, found)
    _constants(body, phases, found)
    ops = [Scope(phase, layer) for phase, layer in zip(phases, found, strict=True)]
    scope_of: dict[Value, Scope] = {
        result: scope for op, scope in zip(body, ops, strict=True) for result in op.results
    }
    arguments = tuple(
        _variable(a, layers[a], scope_of) if a in layers else Scope() for a in function.arguments
    )
    owner = dict(zip(variables, arguments, strict=True))
    results = tuple(
        Scope(
            scope_of.get(value, Scope()).phase,
            owner.get(name, Scope()).layer,
        ) if name else Scope()
        for name, value in zip(updates, _returned(module), strict=True)
    )  # fmt: skip
    return Scopes(tuple(ops), arguments, results)


def _names(entries: Iterable[Mapping[str, object]], role: str = "variable") -> list[str]:
    found = [attributes.get(f"job.{role}") for attributes in entries]
    return [name.value if isinstance(name, StringAttr) else "" for name in found]


def _parts(name: str) -> Layer:
    return tuple(_PARTS.findall(name))


def _returned(module: Module) -> Sequence[Value]:
    last = module.job.body.last
    return module.job.returned.operands if last is not None and last.terminator else ()


def _variable(variable: Value, layer: Layer, scope_of: Mapping[Value, Scope]) -> Scope:
    """The phase of a variable's first reader; without a layer in its name, its readers' layer."""
    readers = [scope_of[r] for user in variable.users() for r in user.results if r in scope_of]
    phase = next((p for p in PHASES if any(one.phase == p for one in readers)), FORWARD)
    layers = [one.layer for one in readers if one.phase == phase]
    return Scope(phase, layer or (reduce(_shared, layers) if layers else ()))


# -- phases -----------------------------------------------------------------------------------


def _phases(module: Module, body: Sequence[Operation], updates: Sequence[str]) -> list[str]:
    """Forward ops are those up to the last one that a result of the job needs, but for those that
    only later phases read.

    A job without updates of trainable variables has no other ops.
    """
    function = module.job
    trainable = {
        name.value
        for entry in map(function.argument_attributes, range(len(function.arguments)))
        if isinstance(name := entry.get("job.variable"), StringAttr)
        and "job.trainable" in entry
        and python_value(entry["job.trainable"])
    }
    returned = list(zip(_returned(module), updates, strict=False))
    number = {op: i for i, op in enumerate(body)}
    needed = _needed([v.defining_op for v, name in returned if not name], number)
    last = max((number[op] for op in needed), default=-1)
    if last < 0 or trainable.isdisjoint(updates):
        return [FORWARD] * len(body)
    phases = [FORWARD if i <= last else BACKWARD for i in range(len(body))]
    changed = {value for value, name in returned if name}
    for op in reversed(body[last + 1 :]):
        users = {user for result in op.results for user in result.users() if user in number}
        follows = bool(users) and all(
            phases[number[user]] == OPTIMIZER and user.location == op.location for user in users
        )
        if follows or not changed.isdisjoint(op.results):
            phases[number[op]] = OPTIMIZER
    # Copies between devices are made as soon as they can, and may be for later phases alone.
    for op in reversed(body[: last + 1]):
        later = [phases[number[u]] for r in op.results for u in r.users() if u in number]
        if op not in needed and later and FORWARD not in later:
            phases[number[op]] = min(later, key=PHASES.index)
    return phases


def _needed(roots: Iterable[Operation | None], number: Mapping[Operation, int]) -> set[Operation]:
    waiting = [op for op in roots if op is not None and op in number]
    seen = set(waiting)
    while waiting:
        for value in waiting.pop().operands:
            op = value.defining_op
            if op is not None and op in number and op not in seen:
                seen.add(op)
                waiting.append(op)
    return seen


# -- layers -----------------------------------------------------------------------------------


def _forward(
    body: Sequence[Operation], phases: Sequence[str], layers: Mapping[Value, Layer]
) -> list[Layer]:
    """The layers of forward ops; others get that of their name or of the variable they read."""
    known = {layer[:end] for layer in layers.values() for end in range(1, len(layer) + 1)}
    named = [_named(op, layers, known) for op in body]
    count = sum(phase == FORWARD for phase in phases)
    following: list[Layer | None] = [None] * (count + 1)
    where: list[object] = [None] * (count + 1)  # the location of the named op that follows
    for i in reversed(range(count)):
        known_here = named[i] is not None
        following[i] = named[i] if known_here else following[i + 1]
        where[i] = body[i].location if known_here else where[i + 1]
    looped = _looped(body[:count], named[:count])
    found: list[Layer] = []
    before: Layer = ()
    for i, op in enumerate(body):
        own = named[i]
        if own is not None:
            before = own or before
        elif i < count:
            after = following[i] or ()
            own = after if op.location == where[i] else _shared(before, after)
            for end in range(len(before), len(own), -1):
                if len(looped[op.location, before[: end - 1]]) > 1:
                    own = before[:end]
                    break
        found.append(own or ())
    return found


def _looped(
    body: Sequence[Operation], named: Sequence[Layer | None]
) -> dict[tuple[object, Layer], set[str]]:
    """For locations of unnamed ops and outer layers, the inner ones that they follow.

    A line that follows several is in a loop over them, and an op there belongs to the one before.
    """
    found: dict[tuple[object, Layer], set[str]] = {}
    before: Layer = ()
    for op, layer in zip(body, named, strict=True):
        if layer is None:
            for end, part in enumerate(before):
                found.setdefault((op.location, before[:end]), set()).add(part)
        else:
            before = layer or before
    return found


def _named(op: Operation, layers: Mapping[Value, Layer], known: set[Layer]) -> Layer | None:
    """The layer that a name states: that of the op, or of a variable it reads; None if none."""
    name = next((result.name for result in op.results if result.name), "")
    parts = _parts(name)
    if "." in name:
        return parts[:-1]
    for end in range(len(parts), 0, -1):
        stem = parts[end - 1]
        for cut in (len(stem), *(m.start() for m in re.finditer("_", stem))):
            if (*parts[: end - 1], stem[:cut]) in known:
                return (*parts[: end - 1], stem[:cut])
    return next((layers[value] for value in op.operands if value in layers), None)


def _shared(one: Layer, other: Layer) -> Layer:
    end = 0
    while end < min(len(one), len(other)) and one[end] == other[end]:
        end += 1
    return one[:end]


def _backward(body: Sequence[Operation], phases: Sequence[str], found: list[Layer]) -> None:
    """Give backward ops the layers of the forward ops whose gradients they compute.

    These come last op first, and a backward op has the location of its forward op. Of several such
    ops it is the last one that shares a value with it and is not after that of the previous one.
    """
    at: dict[object, list[int]] = {}
    sharing: dict[tuple[Value, object], list[int]] = {}
    for i, op in enumerate(body):
        if phases[i] == FORWARD:
            at.setdefault(op.location, []).append(i)
            for value in dict.fromkeys((*op.operands, *op.results)):
                sharing.setdefault((value, op.location), []).append(i)
    position = len(body)
    for i, op in enumerate(body):
        if phases[i] != BACKWARD:
            continue
        near = [sharing.get((value, op.location), ()) for value in op.operands]
        chosen = max((_last(numbers, position) for numbers in near), default=-1)
        if chosen < 0:
            chosen = _last(at.get(op.location, ()), position)
        if chosen >= 0:
            position = chosen
            found[i] = found[i] or found[chosen]


def _constants(body: Sequence[Operation], phases: list[str], found: list[Layer]) -> None:
    """Put constants to their first reader; one that no layer names may have been made anywhere."""
    number = {op: i for i, op in enumerate(body)}
    for i in reversed(range(len(body))):
        if body[i].pure and not body[i].operands:
            users = [number[u] for r in body[i].results for u in r.users() if u in number]
            if users:
                phases[i], found[i] = phases[min(users)], found[min(users)]


def _last(numbers: Sequence[int], most: int) -> int:
    """The last of ascending numbers that is not more than this; -1 if there is none."""
    end = bisect_right(numbers, most)
    return numbers[end - 1] if end else -1
