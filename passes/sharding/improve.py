"""Changes of single nodes: what each would cost, and plans that none of them makes cheaper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from penstock.passes.sharding.problem import Instance

SWEEPS = 8


def local_cost(instance: Instance, plan: Sequence[int], node: int) -> float:
    """The seconds of an op and of all conversions of its operands and results."""
    of = instance.nodes[node]
    total = instance.options[node][plan[node]].seconds
    for tensor in dict.fromkeys((*of.reads, *of.makes)):
        made, wanted = instance.states(plan, tensor)
        total += sum(instance.convert(tensor, made, state) for state in wanted)
    return total


def alternatives(instance: Instance, plan: Sequence[int], node: int) -> list[float]:
    """For each option of a node, its local cost while all others stay as they are."""
    changed = list(plan)
    found = []
    for number in range(len(instance.options[node])):
        changed[node] = number
        found.append(local_cost(instance, changed, node))
    return found


def _changes(instance: Instance, plan: Sequence[int], node: int) -> list[float]:
    """As `alternatives`, less what is the same for all options: the conversions that only other
    nodes want."""
    of, options = instance.nodes[node], instance.options[node]
    if len({*of.reads, *of.makes}) < len(of.reads) + len(of.makes):
        return alternatives(instance, plan, node)
    found = [option.seconds for option in options]
    for place, number in enumerate(of.reads):
        seconds = _of_reader(instance, plan, node, number)
        for i, option in enumerate(options):
            found[i] += seconds(option.operands[place])
    for place, number in enumerate(of.makes):
        seconds = _of_maker(instance, plan, number)
        for i, option in enumerate(options):
            found[i] += seconds(option.results[place])
    return found


def _of_reader(
    instance: Instance, plan: Sequence[int], node: int, number: int
) -> Callable[[str], float]:
    """The seconds of the conversion of a tensor that a node wants in some state, if no other reader
    wants it so."""
    tensor = instance.tensors[number]
    made = instance.options[tensor.maker][plan[tensor.maker]].results[tensor.place]
    known = {made: 0.0}
    for reader, at in tensor.readers:
        if reader != node:
            known[instance.options[reader][plan[reader]].operands[at]] = 0.0

    def seconds(state: str) -> float:
        if state not in known:
            known[state] = instance.convert(number, made, state)
        return known[state]

    return seconds


def _of_maker(instance: Instance, plan: Sequence[int], number: int) -> Callable[[str], float]:
    """The seconds of the conversions of a tensor that is made in some state."""
    readers = instance.tensors[number].readers
    wanted = dict.fromkeys(instance.options[r][plan[r]].operands[at] for r, at in readers)
    known: dict[str, float] = {}

    def seconds(state: str) -> float:
        if state not in known:
            others = (each for each in wanted if each != state)
            known[state] = sum(instance.convert(number, state, each) for each in others)
        return known[state]

    return seconds


def improved(
    instance: Instance,
    plan: Sequence[int],
    prices: Sequence[Sequence[float]],
    nodes: Iterable[int] | None = None,
) -> list[int]:
    """The plan after the changes of single nodes that lower its cost. `prices` are added to the
    cost of each node's options. `nodes` are those that may change first, all by default; then
    their neighbours may."""
    plan = list(plan)
    todo = set(range(len(plan)) if nodes is None else nodes)
    for _ in range(SWEEPS):
        again: set[int] = set()
        for node in sorted(todo):
            if len(instance.options[node]) == 1:
                continue
            pairs = zip(_changes(instance, plan, node), prices[node], strict=True)
            costs = [cost + price for cost, price in pairs]
            best = min(range(len(costs)), key=costs.__getitem__)
            if costs[best] < costs[plan[node]] * (1 - 1e-12):
                plan[node] = best
                again |= _neighbours(instance, node)
        todo = again
        if not todo:
            break
    return plan


def _neighbours(instance: Instance, node: int) -> set[int]:
    """The nodes that share a tensor with this one."""
    of = instance.nodes[node]
    tensors = [instance.tensors[number] for number in (*of.reads, *of.makes)]
    readers = {reader for tensor in tensors for reader, _ in tensor.readers}
    return readers | {tensor.maker for tensor in tensors}
