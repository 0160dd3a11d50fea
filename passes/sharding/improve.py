"""Changes of single nodes: what each would cost, and plans that none of them makes cheaper."""

from __future__ import annotations

from collections.abc import Sequence

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


def improved(
    instance: Instance, plan: Sequence[int], prices: Sequence[Sequence[float]]
) -> list[int]:
    """The plan after the changes of single nodes that lower its cost. `prices` are added to the
    cost of each node's options."""
    plan = list(plan)
    todo = set(range(len(plan)))
    for _ in range(SWEEPS):
        again: set[int] = set()
        for node in sorted(todo):
            if len(instance.options[node]) == 1:
                continue
            pairs = zip(alternatives(instance, plan, node), prices[node], strict=True)
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
