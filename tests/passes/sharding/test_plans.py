"""Plans of random small jobs, compared with the best of all plans."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from random_graphs import LINKS, least_cost, problem_of
from test_choose import network

import penstock as flow
import penstock.typing as tp
from penstock.passes.sharding import axes, elimination, milp, repeats
from penstock.passes.sharding.greedy import choose_greedily
from penstock.passes.sharding.improve import alternatives
from penstock.passes.sharding.machine import Machine
from penstock.passes.sharding.problem import Instance, Problem
from penstock.passes.sharding.reading import Reader
from penstock.passes.sharding.work import Budget

needs_scipy = pytest.mark.skipif(not milp.available(), reason="SciPy is not installed")
SEEDS = [seed if seed < 15 else pytest.param(seed, marks=pytest.mark.long) for seed in range(200)]


@needs_scipy
@pytest.mark.parametrize("seed", SEEDS)
def test_linear_programs_find_the_best_plan(seed: int) -> None:
    instance = problem_of(seed).instance()
    solved = milp.solve(instance)
    assert solved.choice is not None
    assert solved.proven
    cost = instance.costs(solved.choice).seconds
    assert cost == pytest.approx(least_cost(instance), rel=1e-6)
    assert solved.bound <= cost * (1 + 1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_elimination_is_nearly_as_good(seed: int) -> None:
    instance = problem_of(seed).instance()
    plan = elimination.solve(instance)
    assert plan is not None
    cost, least = instance.costs(plan).seconds, least_cost(instance)
    assert least is not None
    assert least * (1 - 1e-9) <= cost <= least * 1.05


@needs_scipy
@pytest.mark.parametrize("seed", SEEDS[13:17])
def test_small_jobs_are_solved_on_two_axes_at_once(seed: int) -> None:
    problem = problem_of(seed, (2, 2), most=3)
    assert axes.joint_size(problem) <= axes.JOINT
    instance = problem.instance()
    least = least_cost(instance)
    solved = milp.solve(instance)
    assert solved.choice is not None
    assert least is None or instance.costs(solved.choice).seconds == pytest.approx(least, rel=1e-6)


@needs_scipy
@pytest.mark.parametrize("seed", SEEDS[14:17])
def test_one_axis_at_a_time_is_no_better_than_all_at_once(seed: int) -> None:
    problem = problem_of(seed, (2, 3), most=4)
    best = milp.solve(problem.instance())
    found = axes.solve_by_axes(problem, lambda each, *_: milp.solve(each).choice, Budget())
    assert found is not None
    assert best.choice is not None
    cost = found.costs([0] * len(found.nodes)).seconds
    least = problem.instance().costs(best.choice).seconds
    assert least * (1 - 1e-6) <= cost <= least * 1.25


@needs_scipy
@pytest.mark.parametrize("seed", SEEDS[12:20])
@pytest.mark.parametrize("solver", ["milp", "elimination"])
def test_less_memory_never_costs_less(seed: int, solver: str) -> None:
    problem = problem_of(seed)
    free = milp.solve(problem.instance()).choice
    assert free is not None
    costs = problem.instance().costs(free)
    last = costs.seconds
    for factor in (0.9, 0.7, 0.5, 0.05):
        instance = _limited(problem, costs.memory * factor).instance()
        plan = milp.solve(instance).choice if solver == "milp" else elimination.solve(instance)
        if plan is None:
            break
        found = instance.costs(plan)
        assert found.memory <= instance.machine.memory
        if solver == "milp":
            assert found.seconds >= last * (1 - 6e-3)
            last = found.seconds
    else:
        pytest.fail("a twentieth of the memory was enough")


def _limited(problem: Problem, memory: float) -> Problem:
    machine = problem.machine
    limited = Machine(machine.mesh, machine.links, machine.flops, machine.bandwidth, memory=memory)
    nodes, tensors = problem.nodes, problem.tensors
    for tensor in tensors:
        tensor.readers = []
    return Problem(nodes, tensors, limited)


@pytest.mark.parametrize("seed", SEEDS[10:20])
def test_no_single_change_makes_a_plan_of_elimination_cheaper(seed: int) -> None:
    instance = problem_of(seed).instance()
    plan = elimination.solve(instance)
    assert plan is not None
    for node, number in enumerate(plan):
        costs = alternatives(instance, plan, node)
        assert costs[number] <= min(costs) * (1 + 1e-9)


def test_a_value_may_have_more_readers_than_arrays_have_dimensions() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        y = total = flow.math.tanh(x)
        for number in range(2, 80):
            total = total + y * float(number)
        return total

    module = job.lower().modules["grad"]
    problem = Reader(module, Machine((2,), LINKS[:1], flops=1e12, bandwidth=50e9)).problem()
    options = problem.instance().options
    hub = next(number for number, node in enumerate(problem.nodes) if node.reads)
    one_each = [each if number == hub else each[:1] for number, each in enumerate(options)]
    plan = elimination.solve(Instance(problem, one_each))
    assert plan is not None
    assert not any(plan[:hub] + plan[hub + 1 :])


def test_without_work_elimination_keeps_to_small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    eliminate = elimination._Elimination.eliminate

    def noted(work: Any, node: int) -> Any:
        sizes.append(work.volumes[node])
        return eliminate(work, node)

    monkeypatch.setattr(elimination, "HASTY", 20)
    monkeypatch.setattr(elimination._Elimination, "eliminate", noted)
    instance = problem_of(5).instance()
    best = elimination.solve(instance)
    assert max(sizes) > 20
    sizes.clear()
    hasty = elimination.solve(instance, Budget(0.0))
    assert max(sizes) <= 20
    assert best is not None
    assert hasty is not None
    assert instance.costs(hasty).seconds >= instance.costs(best).seconds * (1 - 1e-9)


def test_without_time_the_plan_on_two_axes_is_the_greedy_one() -> None:
    problem = problem_of(15, (2, 2))
    found = axes.solve_by_axes(problem, lambda *_: None, Budget(0))
    assert found is not None
    joint = problem.instance()
    greedy = joint.costs(choose_greedily(joint)).seconds
    assert found.costs([0] * len(found.nodes)).seconds == pytest.approx(greedy)


def _repeated(mesh: tuple[int, ...]) -> Problem:
    """Five layers that are alike: some nodes have surroundings as others have."""
    module = network(4096, *[256] * 6, mesh=mesh)
    machine = Machine(mesh, LINKS[: len(mesh)], flops=1e12, bandwidth=50e9)
    return Reader(module, machine).problem()


@needs_scipy
def test_repeated_layers_bound_the_plan_from_below() -> None:
    """Relaxations of classes are relaxations: no class is so coarse that a plan costs less."""
    instance = _repeated((4,)).instance()
    best = milp.relax(instance)
    assert best.choice is not None
    least = instance.costs(best.choice).seconds
    assert best.bound <= least * (1 + 1e-6)
    every = repeats.distinct(instance)
    for rounds in (1, 2):
        classes = repeats.repeats(instance, rounds)
        assert len(classes.counts) < len(instance.nodes)
        assert classes.flows(instance) < every.flows(instance)
        found = milp.relax(instance, rounds=rounds)
        assert found.bound <= best.bound * (1 + 1e-6)
        assert found.choice is not None
        assert instance.costs(found.choice).seconds >= best.bound * (1 - 1e-6)
    solved = milp.solve(instance)
    assert solved.proven
    assert solved.choice is not None
    cost = instance.costs(solved.choice).seconds
    assert cost == pytest.approx(solved.bound, rel=1e-5)
    assert best.bound * (1 - 1e-6) <= cost <= least * (1 + 1e-6)


@needs_scipy
@pytest.mark.parametrize("seed", SEEDS[:8])
@pytest.mark.parametrize("rounds", [1, 3])
def test_relaxations_of_classes_bound_the_best_plan(seed: int, rounds: int) -> None:
    instance = problem_of(seed).instance()
    least = least_cost(instance)
    assert least is not None
    assert milp.relax(instance, rounds=rounds).bound <= least * (1 + 1e-6)


def test_no_plan_depends_on_a_clock() -> None:
    """Solvers count work. A limit of time, of ours or of SciPy's, would make plans differ."""
    room = Path(axes.__file__).parent
    clocks = re.compile(r"\btime\b.*import|import time\b|time_limit")
    assert [path.name for path in room.glob("*.py") if clocks.search(path.read_text())] == []
    assert "milp.py" in {path.name for path in room.glob("*.py")}


def test_a_budget_gives_the_iterations_that_its_work_allows() -> None:
    budget = Budget(3.0)
    before = budget.iterations(1000)
    budget.spend(2.0)
    assert budget.iterations(1000) == pytest.approx(before / 3, abs=1)
    budget.spend(2.0)
    assert budget.is_spent
