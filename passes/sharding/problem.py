"""The choice of a placement as a problem: nodes that each choose an option, and tensors that cost
a conversion where their producer's state is not what a reader wants.

The objective is the time of a step: each op for itself, plus each conversion, once for all readers
that want the same state. Overlap of the two is not modelled. Memory is what is live at each point
of the program: tensors from their producer to their last reader, variables always, and what is
converted from the first reader that may want it to the last one.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from penstock.ir.dialects.job.sharding import local_shape
from penstock.passes.sharding.kinds import Allowed, Form, Kind, Option
from penstock.passes.sharding.machine import Machine, conversion


class Node:
    """What chooses one of its kind's options: an op, an argument or a fetched result."""

    def __init__(self, label: str, kind: Kind, reads: Sequence[int], makes: Sequence[int]) -> None:
        self.label = label
        self.kind = kind
        self.reads = tuple(reads)
        """The tensors that are the operands."""
        self.makes = tuple(makes)
        """The tensors that are the results."""
        self.allowed: Allowed | None = None
        """The signatures that the user's hints leave on each axis; None for all."""
        self.in_place = False
        """Whether its results may overwrite operands that nothing reads later."""
        self.hint: tuple[str, ...] = ()
        """The states that the user wants for the results."""
        self.moved: list[Mapping[str, float] | None] = []
        """The seconds that it takes to send each result to, or from, other groups of ranks, by its
        state; None or nothing where that costs nothing."""

    def options(self, machine: Machine, allowed: Allowed | None = None) -> list[Option]:
        """The options among these signatures, or among those that hints leave."""
        found = self.kind.options(machine, self.allowed if allowed is None else allowed)
        for place, seconds in enumerate(self.moved):
            if seconds is not None:
                found = [o._replace(seconds=o.seconds + seconds[o.results[place]]) for o in found]
        return found


class Tensor:
    """A value, with what makes and what reads it."""

    def __init__(self, form: Form, maker: int, place: int) -> None:
        self.form = form
        self.maker = maker
        """The number of a node."""
        self.place = place
        """Its place among the results of that node."""
        self.readers: list[tuple[int, int]] = []
        """Nodes and the places among their operands."""
        self.bucketed = False
        """Whether it is a weight or its gradient, whose conversions share messages with others."""
        self.kept = False
        """Whether it is a variable, which takes memory at all times."""
        self.given = False
        """Whether it is a feed, of which each rank gets the whole."""
        self.alive = (0, 0)
        """The first and the last node at which it takes memory; none if the last is -1."""


class Problem:
    """The nodes of a job, in program order, its tensors, and the machine."""

    def __init__(self, nodes: Sequence[Node], tensors: Sequence[Tensor], machine: Machine) -> None:
        self.nodes = list(nodes)
        self.tensors = list(tensors)
        self.machine = machine
        for number, node in enumerate(self.nodes):
            for place, read in enumerate(node.reads):
                self.tensors[read].readers.append((number, place))
        for tensor in self.tensors:
            last = [n for n, _ in tensor.readers if n > tensor.maker]
            tensor.alive = tensor.maker, max(last, default=tensor.maker)
            if tensor.kept or tensor.given:
                tensor.alive = 0, len(self.nodes) - 1
            elif len(last) < len(tensor.readers):
                # A variable gets its new value in place.
                tensor.alive = 0, -1
        for node in self.nodes:
            if node.in_place:
                self._overwrite(node)

    def _overwrite(self, node: Node) -> None:
        """End the life of an operand before the node whose result takes its place."""
        forms = {self.tensors[number].form for number in node.makes}
        for number in node.reads:
            tensor, place = self.tensors[number], self.tensors[node.makes[0]].maker
            if tensor.form in forms and tensor.alive == (tensor.maker, place):
                tensor.alive = tensor.maker, place - 1
                return

    def instance(self, allowed: Sequence[Allowed | None] | None = None) -> Instance:
        """The problem with these signatures allowed; without, what hints leave on all axes."""
        if allowed is None:
            allowed = [node.allowed for node in self.nodes]
        pairs = zip(self.nodes, allowed, strict=True)
        return Instance(self, [node.options(self.machine, each) for node, each in pairs])


class Converted(NamedTuple):
    """A conversion of a plan."""

    tensor: int
    source: str
    target: str
    seconds: float


class Costs(NamedTuple):
    """What a plan costs."""

    seconds: float
    compute: float
    """The part of the seconds that the ops take."""
    memory: int
    """Bytes of a rank where most is live."""
    peak: int
    """The node where this is."""
    conversions: list[Converted]


class Instance:
    """A problem with the options that each node may choose."""

    def __init__(self, problem: Problem, options: Sequence[list[Option]]) -> None:
        self.problem = problem
        self.nodes = problem.nodes
        self.tensors = problem.tensors
        self.machine = problem.machine
        self.memory = problem.machine.memory
        """The bytes of a rank that a plan may take, 0 for no limit."""
        self.options = list(options)
        known: dict[tuple[Form, bool], dict[tuple[str, str], float]] = {}
        self._seconds = [known.setdefault((of.form, of.bucketed), {}) for of in problem.tensors]
        """Of each tensor, the seconds of conversions; equal tensors share them."""

    def convert(self, tensor: int, source: str, target: str) -> float:
        """The seconds that a conversion takes."""
        known = self._seconds[tensor]
        seconds = known.get((source, target))
        if seconds is None:
            seconds = known[source, target] = self.conversion(tensor, source, target)
        return seconds

    def conversion(self, tensor: int, source: str, target: str) -> float:
        """As `convert`, computed anew."""
        of = self.tensors[tensor]
        return conversion(self.machine, *of.form, source, target, of.bucketed)

    def bytes_of(self, tensor: int, state: str) -> int:
        """The bytes of a rank's part."""
        shape, itemsize = self.tensors[tensor].form
        if self.tensors[tensor].given:
            return math.prod(shape) * itemsize
        return math.prod(local_shape(shape, state, self.machine.mesh)) * itemsize

    def copy_alive(self, tensor: int, state: str) -> tuple[int, int]:
        """From the first to the last reader that may want a tensor in this state."""
        wanting = [
            number
            for number, place in self.tensors[tensor].readers
            if any(option.operands[place] == state for option in self.options[number])
        ]
        return min(wanting), max(wanting)

    def states(self, choice: Sequence[int], tensor: int) -> tuple[str, set[str]]:
        """The state in which a tensor is made, and the others that its readers want."""
        of = self.tensors[tensor]
        made = self.options[of.maker][choice[of.maker]].results[of.place]
        wanted = {self.options[n][choice[n]].operands[place] for n, place in of.readers}
        return made, wanted - {made}

    def conversions(self, choice: Sequence[int]) -> Iterator[Converted]:
        """The conversions of a plan: one for all readers that want a state."""
        for number in range(len(self.tensors)):
            made, wanted = self.states(choice, number)
            for state in sorted(wanted):
                yield Converted(number, made, state, self.convert(number, made, state))

    def costs(self, choice: Sequence[int]) -> Costs:
        """What a plan costs, by the definition of the objective."""
        compute = math.fsum(
            options[number].seconds for options, number in zip(self.options, choice, strict=True)
        )
        conversions = list(self.conversions(choice))
        profile = self.profile(choice, conversions)
        peak = max(range(len(profile)), key=profile.__getitem__, default=0)
        return Costs(
            compute + math.fsum(each.seconds for each in conversions),
            compute,
            profile[peak] if profile else 0,
            peak,
            conversions,
        )

    def least_memory(self) -> tuple[int, int]:
        """The bytes of a rank that every plan takes, and the node at which it does: each tensor in
        the state in which its part is smallest, without conversions."""
        profile = [0] * (len(self.nodes) + 1)
        for number, tensor in enumerate(self.tensors):
            states = {option.results[tensor.place] for option in self.options[tensor.maker]}
            size = min(self.bytes_of(number, state) for state in states)
            profile[tensor.alive[0]] += size
            profile[tensor.alive[1] + 1] -= size
        profile = list(accumulate(profile))
        peak = max(range(len(self.nodes)), key=profile.__getitem__)
        return profile[peak], peak

    def profile(self, choice: Sequence[int], conversions: Sequence[Converted]) -> list[int]:
        """The bytes that are live at each node."""
        change = [0] * (len(self.nodes) + 1)

        def live(span: tuple[int, int], size: int) -> None:
            change[span[0]] += size
            change[span[1] + 1] -= size

        for number, tensor in enumerate(self.tensors):
            made, _ = self.states(choice, number)
            live(tensor.alive, self.bytes_of(number, made))
        for each in conversions:
            span = self.copy_alive(each.tensor, each.target)
            live(span, self.bytes_of(each.tensor, each.target))
        return list(accumulate(change[:-1]))


def grouped(options: Sequence[Option], side: str, place: int) -> Mapping[str, list[int]]:
    """The options by the state that they have at a place of `operands` or `results`."""
    found: dict[str, list[int]] = defaultdict(list)
    for number, option in enumerate(options):
        found[getattr(option, side)[place]].append(number)
    return found
