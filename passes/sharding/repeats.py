"""Repeated layers, solved once: nodes that look alike to some distance take the same option.

Colours are refined as in the test of Weisfeiler and Leman for isomorphic graphs: two nodes have the
same colour if they have the same options, and their neighbours had the same colours in the round
before. The graph of the colours has the size of a few layers, whatever the depth of the network.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.passes.sharding.problem import Instance, Node, Problem, Tensor

ROUNDS = 8
"""How far apart differences of the graph may be that nodes of one colour may have around them."""


def colours(instance: Instance) -> list[int]:
    """The colour of each node, numbered by first appearance."""
    tensors = instance.tensors
    facts: list[object] = [
        (id(options), tuple((tensors[t].bucketed, tensors[t].kept) for t in node.makes))
        for node, options in zip(instance.nodes, instance.options, strict=True)
    ]
    found = _numbered(facts)
    for _ in range(ROUNDS):
        before = found
        facts = [
            (
                before[number],
                tuple((before[tensors[t].maker], tensors[t].place) for t in node.reads),
                tuple(
                    tuple(sorted((before[reader], place) for reader, place in tensors[t].readers))
                    for t in node.makes
                ),
            )
            for number, node in enumerate(instance.nodes)
        ]
        found = _numbered(facts)
        if max(found) == max(before):
            break
    return found


def _numbered(facts: Sequence[object]) -> list[int]:
    known: dict[object, int] = {}
    return [known.setdefault(each, len(known)) for each in facts]


class Tied(Instance):
    """An instance in which all nodes of a colour choose the same option.

    The first node of each colour stands for the others: costs are as many times its own. So plans
    are those of the whole instance, and their costs nearly so.
    """

    def __init__(self, instance: Instance) -> None:
        self.colours = colours(instance)
        first: dict[int, int] = {}
        counts: list[int] = []
        for number, colour in enumerate(self.colours):
            if first.setdefault(colour, number) == number:
                counts.append(0)
            counts[colour] += 1
        makes: dict[int, int] = {}
        for number in first.values():
            for tensor in instance.nodes[number].makes:
                makes[tensor] = len(makes)
        nodes, tensors = [], []
        for colour, number in first.items():
            of = instance.nodes[number]
            reads = []
            for tensor in of.reads:
                known = instance.tensors[tensor]
                maker = first[self.colours[known.maker]]
                reads.append(makes[instance.nodes[maker].makes[known.place]])
            nodes.append(Node(of.label, of.kind, reads, [makes[tensor] for tensor in of.makes]))
            for place, tensor in enumerate(of.makes):
                tensors.append(Tensor(instance.tensors[tensor].form, colour, place))
                tensors[-1].bucketed = instance.tensors[tensor].bucketed
        options = [
            [each._replace(seconds=each.seconds * counts[colour]) for each in instance.options[n]]
            for colour, n in first.items()
        ]
        self.whole = instance
        self._originals = list(makes)
        self._counts = [counts[tensor.maker] for tensor in tensors]
        super().__init__(Problem(nodes, tensors, instance.machine), options)
        self._seconds = [{} for _ in tensors]

    def conversion(self, tensor: int, source: str, target: str) -> float:
        """The seconds of the conversions of all tensors that this one stands for."""
        own = self.whole.convert(self._originals[tensor], source, target)
        return own * self._counts[tensor]

    def spread(self, plan: Sequence[int]) -> list[int]:
        """The plan of the whole instance."""
        return [plan[colour] for colour in self.colours]
