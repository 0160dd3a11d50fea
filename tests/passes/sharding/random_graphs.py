"""Random training steps of a few ops, and the least cost of their placement by trying all."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import attribute
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.func import Func, Return
from penstock.ir.meaning.boxing import Link
from penstock.ir.types import TensorType
from penstock.passes.sharding.machine import Machine
from penstock.passes.sharding.problem import Instance, Problem
from penstock.passes.sharding.reading import Reader

EXTENTS = (2, 4, 6, 64, 256, 2048)
LINKS = (Link(1e-6, 20e9), Link(1e-7, 2e9))


def random_module(seed: int, most: int = 8, least: int = 3) -> Module:
    """A job of `least` to `most` ops on two feeds and a variable, which one of the ops may
    update."""
    draw = random.Random(seed)
    rows, inner, columns = (draw.choice(EXTENTS) for _ in range(3))
    types = [
        TensorType(shape, ty.f32) for shape in ((rows, inner), (rows, inner), (inner, columns))
    ]
    function = Func.make("step", types, names=["x", "y", "w"])
    b = Builder.at_end(function.body)
    values: list[Value] = list(function.arguments)
    for _ in range(draw.randint(least, most)):
        values.append(_random_op(b, draw, values))
    new = [value for value in values[3:-1] if value.type is types[2]][-1:]
    b.create(Return, [values[-1], *new])
    function.update_type()
    function.set_all_argument_attributes(
        [{"job.feed": "x"}, {"job.feed": "y"}, {"job.variable": "w"}]
    )
    function.set_all_result_attributes([{"job.fetch": "0"}, {"job.update": "w"}][: 1 + len(new)])
    module = Module.empty("step")
    module.body.append(function)
    module.attributes["sbp.mesh"] = attribute([draw.choice((2, 3, 4))])
    return module


def _random_op(b: Builder, draw: random.Random, values: list[Value]) -> Value:
    """One more op on values that fit together, mostly late ones."""
    ops: list[Callable[[Value], Value | None]] = [
        lambda x: make.unary(b, draw.choice(("relu", "negative")), x),
        lambda x: _paired(b, draw, values, x),
        lambda x: _multiplied(b, draw, values, x),
        lambda x: _multiplied(b, draw, values, x),
        lambda x: make.reduce(b, "sum", x, [draw.randrange(2)]) if tensor(x).rank == 2 else None,
        lambda x: make.transpose(b, x, (1, 0)) if tensor(x).rank == 2 else None,
    ]
    while True:
        made = draw.choice(ops)(draw.choice(values[-4:] if draw.random() < 0.7 else values))
        if made is not None:
            return made


def _paired(b: Builder, draw: random.Random, values: list[Value], x: Value) -> Value:
    y = draw.choice([value for value in values if value.type is x.type])
    return draw.choice((make.add, make.multiply))(b, x, y)


def _multiplied(b: Builder, draw: random.Random, values: list[Value], x: Value) -> Value | None:
    if tensor(x).rank != 2:
        return None
    ways = [
        (y, first, second)
        for y in values
        if tensor(y).rank == 2
        for first, second in itertools.product((False, True), repeat=2)
        if tensor(x).shape[not first] == tensor(y).shape[second]
    ]
    if not ways:
        return None
    y, first, second = draw.choice(ways)
    return make.matmul(b, x, y, transpose_a=first, transpose_b=second)


def problem_of(seed: int, mesh: tuple[int, ...] | None = None, most: int = 8) -> Problem:
    """The problem of a random module on a machine where computing and sending take as long."""
    draw = random.Random(seed)
    mesh = mesh or (draw.choice((2, 3, 4)),)
    machine = Machine(mesh, LINKS[: len(mesh)], flops=draw.choice((1e10, 1e12)), bandwidth=50e9)
    return Reader(random_module(seed, most), machine).problem()


def least_cost(instance: Instance, largest: int = 20_000_000) -> float | None:
    """The least cost of all plans, by adding the costs of all of them up in one array; None if
    there are too many.

    An axis of the array is a node. A feed takes what suits its readers best, so it needs no axis.
    """
    axes: dict[int, int] = {}
    feeds = set()
    for number, node in enumerate(instance.nodes):
        if node.reads:
            axes[number] = len(axes)
        elif len(instance.options[number]) > 1:
            feeds.add(number)
    sizes = [len(instance.options[number]) for number in axes]
    if prod(sizes) > largest:
        return None
    total = np.zeros(sizes)
    for number, axis in axes.items():
        seconds = np.array([option.seconds for option in instance.options[number]])
        total += seconds.reshape([-1 if i == axis else 1 for i in range(len(sizes))])
    for number in range(len(instance.tensors)):
        total += _conversions(instance, number, axes, feeds)
    return float(total.min())


def _conversions(instance: Instance, number: int, axes: dict[int, int], feeds: set[int]) -> Any:
    """The cost of converting a tensor, over the nodes that make and read it."""
    tensor = instance.tensors[number]
    nodes = sorted(
        {node for node in (tensor.maker, *(r for r, _ in tensor.readers)) if node in axes}
    )
    free = [tensor.maker] if tensor.maker in feeds else []
    counts = [len(instance.options[node]) for node in nodes]
    costs = np.zeros(counts)
    for place in itertools.product(*map(range, counts)):
        chosen = dict(zip(nodes, place, strict=True))
        costs[place] = min(
            _converted(instance, number, {**chosen, **dict(zip(free, option, strict=True))})
            for option in itertools.product(*(range(len(instance.options[f])) for f in free))
        )
    return costs.reshape([counts[nodes.index(n)] if n in nodes else 1 for n in axes])


def _converted(instance: Instance, number: int, chosen: dict[int, int]) -> float:
    tensor = instance.tensors[number]
    made = instance.options[tensor.maker][chosen.get(tensor.maker, 0)].results[tensor.place]
    wanted = {instance.options[n][chosen[n]].operands[place] for n, place in tensor.readers}
    return sum(instance.convert(number, made, state) for state in wanted)
