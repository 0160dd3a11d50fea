"""What goes between groups of ranks is part of the cost of a plan."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from math import inf

import pytest

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr, attribute, python_value
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.func import Func, Return
from penstock.ir.dialects.job.sbp import GROUP, GROUPS, MESH, RANKS, SIGNATURE
from penstock.ir.meaning.boxing import Link
from penstock.ir.types import TensorType
from penstock.passes.placement.local.groups import Group, Groups, described
from penstock.passes.placement.local.transfers import Move
from penstock.passes.placement.moves import seconds
from penstock.passes.sharding.choose import Choose
from penstock.passes.sharding.kinds import Kinds, Option, form_of
from penstock.passes.sharding.machine import Machine, conversion

WHOLE, FIRST, SECOND = (Group(ranks, (len(ranks),)) for ranks in ((0, 1, 2, 3), (0, 1), (2, 3)))
BYTES = Link(0.0, 1.0, inf)
"""A link whose seconds are bytes."""
LINK = Link(1e-6, 1e9)
MACHINE = Machine((2,), (LINK,), flops=1e11, bandwidth=1e10)


@pytest.mark.parametrize(
    ("states", "sent"),
    [
        (("S(0)", "S(0)"), 32),
        (("S(0)", "S(1)"), 32),
        (("B", "S(0)"), 64),
        (("S(0)", "B"), 32 + 32),
        (("P", "S(0)"), 32 + 32),
        (("P", "B"), 32 + 32 + 32),
    ],
)
def test_a_move_takes_as_long_as_what_the_busiest_rank_sends(
    states: tuple[str, str], sent: int
) -> None:
    """A tensor of 64 bytes: scattered in the first group, sent, gathered in the second."""
    type = TensorType((4, 4), ty.f32)
    assert seconds(type, states, FIRST, SECOND, BYTES) == pytest.approx(sent)
    move = Move(type, states, FIRST, SECOND)
    first, second = (max(map(move.sent, group.ranks)) for group in (FIRST, SECOND))
    assert first + second == sent
    assert seconds(type, states, FIRST, SECOND, Link(1.0, 1e30, 1e30)) >= 1.0


def test_what_all_ranks_have_moves_for_nothing() -> None:
    type = TensorType((4, 4), ty.f32)
    assert seconds(type, ("B", "S(0)"), WHOLE, SECOND, BYTES) == 0


def chain(rows: int, inner: int, columns: int) -> Module:
    """Two products, the second one and its relu on other ranks than the first."""
    shapes = (rows, inner), (inner, columns), (columns, rows)
    function = Func.make("step", [TensorType(shape, ty.f32) for shape in shapes], names=[*"xwv"])
    x, w, v = function.arguments
    b = Builder.at_end(function.body)
    h = make.matmul(b, x, w)
    y = make.unary(b, "relu", make.matmul(b, h, v))
    b.create(Return, [y])
    function.update_type()
    function.set_all_argument_attributes([{"job.feed": name} for name in "xwv"])
    function.set_all_result_attributes([{"job.fetch": "0"}])
    module = Module.empty("step")
    module.body.append(function)
    module.attributes |= {
        RANKS: IntegerAttr(4),
        MESH: attribute([4]),
        GROUPS: described([WHOLE, FIRST, SECOND]),
    }
    for op, number in zip(function.body, (1, 2, 2), strict=False):
        op.attributes[GROUP] = IntegerAttr(number)
    return module


class Plans:
    """All plans of a chain, and their costs, by the definition of these."""

    def __init__(self, module: Module) -> None:
        self.job = module.job
        self.groups = Groups(module)
        self.of = self.groups.of_values()
        self.ops = [op for op in module.job.body if not op.terminator]
        kinds = Kinds()
        self.options = [kinds.of_op(op).options(MACHINE) for op in self.ops]

    def cost(self, chosen: tuple[Option, ...]) -> float:
        total = sum(option.seconds for option in chosen)
        states = dict.fromkeys(self.job.arguments, "B")
        wanted: dict[tuple[Value, int], list[str]] = defaultdict(list)
        for op, option in zip(self.ops, chosen, strict=True):
            states.update(zip(op.results, option.results, strict=True))
            for value, state in zip(op.operands, option.operands, strict=True):
                wanted[value, self.groups.of(op)].append(state)
        for value in self.job.returned.operands:
            wanted[value, 0].append("B")
        for (value, taker), (first, *rest) in wanted.items():
            type, made = tensor(value), states[value]
            if self.of[value] != taker:
                every = self.groups.every
                total += seconds(type, (made, first), every[self.of[value]], every[taker], LINK)
                made = first
            for state in {first, *rest} - {made}:
                total += conversion(MACHINE, *form_of(type), made, state)
        return total

    def chosen(self, op: Operation, options: list[Option]) -> Option:
        found = python_value(op.attributes[SIGNATURE])
        states = tuple(found["operands"]), tuple(found["results"])
        return next(option for option in options if (option.operands, option.results) == states)


@pytest.mark.parametrize("rows", [4, 64, 512])
@pytest.mark.parametrize("columns", [4, 512])
def test_plans_of_two_groups_equal_brute_force(rows: int, columns: int) -> None:
    module = chain(rows, 64, columns)
    Choose(mode="eliminate", flops=1e11, bandwidth=1e10, links=("1e-6:1e9",)).run(module)
    plans = Plans(module)
    pairs = zip(plans.ops, plans.options, strict=True)
    own = plans.cost(tuple(plans.chosen(op, options) for op, options in pairs))
    assert own == pytest.approx(min(map(plans.cost, product(*plans.options))), rel=1e-9)
