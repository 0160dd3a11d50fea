"""Repeated layers: nodes and tensors that look alike to some distance, as one.

Classes are refined as in the test of Weisfeiler and Leman for isomorphic graphs: tensors are of one
class if their makers and readers are, and nodes stay in one class if what they read and make does.
There are as many classes as a few layers have nodes, whatever the depth of the network.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from penstock.passes.sharding.problem import Instance

MANY = 4
"""How many nodes there are of each class where nodes are like many others."""


class Slot:
    """Readers of the tensors of a class that are of one class, too, and read at the same place."""

    def __init__(self, reader: int, place: int) -> None:
        self.reader = reader
        """One of the nodes."""
        self.place = place
        """Which of its operands the tensor is."""
        self.readers: Counter[int] = Counter()
        """How many readers are of the class of each leader."""


class Alike:
    """Tensors of one class."""

    def __init__(self, tensor: int) -> None:
        self.tensor = tensor
        """One of them."""
        self.makers: Counter[int] = Counter()
        """How many are made by nodes of the class of each leader."""
        self.slots: dict[object, Slot] = {}
        """Their readers."""


class Repeats:
    """Classes of an instance's nodes and tensors."""

    def __init__(
        self,
        instance: Instance,
        nodes: Sequence[int],
        tensors: Sequence[int],
        readers: Sequence[int],
    ) -> None:
        """Nodes and tensors with equal numbers are of one class. Nodes of a class have equal
        options, and read and make tensors of the same classes. Readers of a tensor with equal
        numbers are taken together."""
        first: dict[int, int] = {}
        for number, each in enumerate(nodes):
            first.setdefault(each, number)
        self.leaders = [first[each] for each in nodes]
        """Of each node, the first one of its class."""
        self.counts = Counter(self.leaders)
        """The number of nodes in the class of each leader."""
        self.tensors: list[Alike] = []
        """The classes of tensors."""
        found: dict[int, Alike] = {}
        for number, (each, tensor) in enumerate(zip(tensors, instance.tensors, strict=True)):
            if each not in found:
                found[each] = Alike(number)
                self.tensors.append(found[each])
            alike = found[each]
            alike.makers[self.leaders[tensor.maker]] += 1
            for reader, place in tensor.readers:
                slot = alike.slots.setdefault((readers[reader], place), Slot(reader, place))
                slot.readers[self.leaders[reader]] += 1

    def flows(self, instance: Instance) -> int:
        """How often a reader wants some state of a tensor that may be made in some state."""
        total = 0
        for alike in self.tensors:
            of = instance.tensors[alike.tensor]
            made = {option.results[of.place] for option in instance.options[of.maker]}
            for slot in alike.slots.values():
                options = instance.options[slot.reader]
                total += len(made) * len({option.operands[slot.place] for option in options})
        return total


def distinct(instance: Instance) -> Repeats:
    """Each node and each tensor in a class of its own."""
    nodes = range(len(instance.nodes))
    return Repeats(instance, nodes, range(len(instance.tensors)), nodes)


def are_many(instance: Instance) -> bool:
    """Whether most nodes are like others around them, so that these can be solved as one."""
    return MANY * repeats(instance, 2).flows(instance) <= distinct(instance).flows(instance)


def repeats(instance: Instance, rounds: int) -> Repeats:
    """The classes after this many rounds of refinement."""
    facts = [(of.form, of.bucketed, of.kept) for of in instance.tensors]
    nodes = _numbered(
        (id(options), *(facts[tensor] for tensor in (*node.reads, *node.makes)))
        for node, options in zip(instance.nodes, instance.options, strict=True)
    )
    for _ in range(rounds):
        readers = nodes
        tensors = _numbered(
            (
                facts[number],
                tensor.place,
                readers[tensor.maker],
                *sorted((readers[reader], place) for reader, place in tensor.readers),
            )
            for number, tensor in enumerate(instance.tensors)
        )
        nodes = _numbered(
            (readers[number], *(tensors[tensor] for tensor in (*node.reads, *node.makes)))
            for number, node in enumerate(instance.nodes)
        )
    return Repeats(instance, nodes, tensors, readers)


def _numbered(facts: Iterable[object]) -> list[int]:
    known: dict[object, int] = {}
    return [known.setdefault(each, len(known)) for each in facts]
