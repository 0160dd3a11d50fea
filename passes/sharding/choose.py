"""Pass `choose`: the SBP signature of each op on several ranks, at the least cost of a step."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, Literal, NoReturn

from penstock.ir.attributes import attribute, python_value
from penstock.ir.core import Operation, Value
from penstock.ir.diagnostics import Diagnostic, TooLarge
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.job.sbp import GROUPS, HINT, MACHINE, MESH, SIGNATURE, STATE
from penstock.ir.meaning.boxing import Link
from penstock.passes.base import Order, Pass
from penstock.passes.placement.bucket import BUCKET_BYTES
from penstock.passes.placement.local.states import memory_of, memory_targets
from penstock.passes.sharding import axes, elimination, greedy, milp, repeats
from penstock.passes.sharding.by_group import choose_by_group
from penstock.passes.sharding.machine import Machine
from penstock.passes.sharding.problem import Instance, Problem
from penstock.passes.sharding.reading import Moved, Reader
from penstock.passes.sharding.relaxation import AxisInstance
from penstock.passes.sharding.work import Budget

PLAN = "sbp.plan"
"""An attribute of the module: what the plan costs."""


class Choose(Pass):
    """Give each op the signature, and each feed and variable the state, that cost least together.

        %y = "flow.matmul"(%x, %w) ...
    ->
        %y = "flow.matmul"(%x, %w) {sbp.signature = {operands = ["S(0)", "B"], results = ["S(0)"]}}

    Costs are seconds of a step on the machine that the options describe. `links` has latency and
    bandwidth of each axis of the mesh, as in "5e-6:1e9"; the last one stands for the rest. `memory`
    limits what a rank holds, in bytes; 0 is the limit of the module, if any: the `parts` of
    `job.memory_targets`, or else `job.memory`. States of `sbp.hint` are kept. With SciPy, the plan
    is optimal on a mesh of one axis; without it, nearly so. `mode=greedy` chooses as OneFlow v0.3.4
    does. The module says in `sbp.plan` what the plan costs. If ops are on several groups of ranks,
    each group's are chosen by themselves. Modules of one rank stay as they are.
    """

    name = "choose"
    for_ranks = True
    before: ClassVar[Order] = {
        "box": "conversions follow from signatures",
        "localize": "parts follow from signatures",
        "lower": None,
    }
    after: ClassVar[Order] = {"place": "it says which ranks there are", "autodiff": None}

    mode: Literal["optimal", "eliminate", "greedy"] = "optimal"
    memory: float = 0.0
    flops: float = 50e9
    bandwidth: float = 10e9
    overhead: float = 2e-6
    links: tuple[str, ...] = ()
    bucket: float = BUCKET_BYTES
    seconds: float = 20.0

    def run(self, module: Module) -> None:
        found = module.attributes.get(MESH)
        mesh = tuple(python_value(found)) if found is not None else (1,)
        if math.prod(mesh) == 1:
            return
        if GROUPS in module.attributes:
            choose_by_group(module, self._place, self._machine(module, mesh).links)
            return
        self._place(module, {})

    def _place(self, module: Module, moved: Moved) -> None:
        """Place a module whose ops are all on all of its ranks; moving values costs this much."""
        mesh = tuple(python_value(module.attributes[MESH]))
        reader = Reader(module, self._machine(module, mesh), moved)
        problem = reader.problem()
        reader.check(problem)
        instance, choice, facts = self._chosen(module, problem)
        _write(reader, instance, choice)
        module.attributes[PLAN] = attribute(facts)
        module.attributes[MACHINE] = attribute(described(problem.machine))

    def _machine(self, module: Module, mesh: tuple[int, ...]) -> Machine:
        """The machine that the options describe."""
        links = []
        for text in self.links or (f"{Link().latency}:{Link().bandwidth}",):
            latency, _, bandwidth = text.partition(":")
            try:
                links.append(Link(float(latency), float(bandwidth), self.bandwidth))
            except ValueError:
                module.fail(
                    "pass choose: a link is its latency in seconds and its bandwidth in bytes per "
                    f'second, as in "5e-6:1e9", got {text!r}'
                )
        links += links[-1:] * (len(mesh) - len(links))
        return Machine(
            mesh, tuple(links[: len(mesh)]), self.flops, self.bandwidth, self.overhead, self.bucket,
            self.memory or _memory_of(module),
        )  # fmt: skip

    def _chosen(
        self, module: Module, problem: Problem
    ) -> tuple[Instance, list[int], dict[str, Any]]:
        """The options, the plan, and what to say about it."""
        one_axis = len(problem.machine.mesh) == 1
        size = axes.joint_size(problem)
        together = one_axis or size <= axes.JOINT
        facts: dict[str, Any] = {"solver": "greedy"}
        if self.mode == "greedy":
            instance = problem.instance()
            choice: list[int] | None = greedy.choose_greedily(instance)
        elif self.mode == "optimal" and milp.available():
            instance, choice, facts = self._optimal(problem, together)
        else:
            facts = {"solver": "elimination"}
            instance, choice = _eliminated(problem, one_axis, size, self.seconds)
        if self.mode != "greedy" and together and not facts.get("proven"):
            instance, choice, facts = _or_greedy(problem, instance, choice, facts)
        if choice is None:
            _fail_for_memory(module, problem)
        costs = instance.costs(choice)
        if problem.machine.memory and costs.memory > problem.machine.memory:
            _fail_for_memory(module, problem)
        facts |= {"seconds": costs.seconds, "compute": costs.compute, "memory": costs.memory}
        return instance, choice, facts

    def _optimal(
        self, problem: Problem, together: bool
    ) -> tuple[Instance, list[int] | None, dict[str, Any]]:
        facts: dict[str, Any] = {"solver": "milp"}
        if together:
            instance = problem.instance()
            solved = milp.solve(instance, Budget(self.seconds))
            facts |= {"bound": solved.bound, "proven": solved.proven}
            return instance, solved.choice, facts
        joint = problem.instance()
        relaxed = _relaxed(joint, Budget(self.seconds))
        if relaxed.proven:
            return joint, relaxed.choice, {**facts, "bound": relaxed.bound, "proven": True}
        # HiGHS runs without the interpreter's lock: the bound takes another core.
        with ThreadPoolExecutor(1) as pool:
            apart = pool.submit(_apart, problem, joint, relaxed.bound, Budget(self.seconds))
            instance, choice = _planned(problem, _turned, together, Budget(self.seconds))
            bound = apart.result()
        least = math.inf if choice is None else instance.costs(choice).seconds
        if relaxed.choice is not None and joint.costs(relaxed.choice).seconds < least:
            instance, choice = joint, relaxed.choice
            least = joint.costs(relaxed.choice).seconds
        proven = least <= bound * (1 + milp.EXACT)
        return instance, choice, {**facts, "bound": bound, "proven": proven}


def _memory_of(module: Module) -> int:
    """The bytes of a rank within which to choose, by the estimate; 0 for no limit."""
    targets = memory_targets(module)
    return memory_of(module) if targets is None else targets.parts


def _or_greedy(
    problem: Problem, instance: Instance, choice: list[int] | None, facts: dict[str, Any]
) -> tuple[Instance, list[int] | None, dict[str, Any]]:
    """The greedy plan, if no other one was found with the work allowed, or only a dearer one."""
    joint = problem.instance()
    plan = greedy.choose_greedily(joint)
    costs = joint.costs(plan)
    if 0 < joint.memory < costs.memory:
        return instance, choice, facts
    if choice is not None and instance.costs(choice).seconds <= costs.seconds:
        return instance, choice, facts
    return joint, plan, {**facts, "solver": "greedy"}


def _relaxed(joint: Instance, budget: Budget) -> milp.Solved:
    """The relaxation on all axes at once, rounded; without a choice if that takes too much work, or
    memory."""
    rounds = axes.relaxed_rounds(joint)
    if rounds is None:
        return milp.Solved(None, 0.0, False)
    found = milp.relax(joint, budget, rounds)
    if found.choice is not None:
        costs = joint.costs(found.choice)
        if 0 < joint.memory < costs.memory:
            found.choice = None
        else:
            found.proven = costs.seconds <= found.bound * (1 + milp.EXACT)
    return found


def _apart(problem: Problem, joint: Instance, known: float, budget: Budget) -> float:
    """A bound that no plan on a mesh is below: the known one, or if that is 0, the sum of those of
    the axes, each for itself."""
    if known:
        return known
    parts = [AxisInstance(problem, joint, axis) for axis in range(len(problem.machine.mesh))]
    return sum(milp.least(part, budget, axes.APART) for part in parts)


def _turned(instance: Instance, budget: Budget, gap: float) -> list[int] | None:
    """A good plan where another axis is chosen later: that of a relaxation if layers repeat enough
    for it to be close, otherwise one of elimination, which takes less work than a whole one."""
    if not gap:
        return milp.solve(instance, budget).choice
    if gap < axes.FIRST and not repeats.are_many(instance):
        return elimination.solve(instance, budget)
    found = milp.solve(instance, budget, gap, search=False)
    if found.choice is None:
        return None
    least = instance.costs(found.choice).seconds
    if least <= found.bound * (1 + gap):
        return found.choice
    other = elimination.solve(instance, budget)
    return found.choice if other is None or instance.costs(other).seconds >= least else other


def _planned(
    problem: Problem,
    solver: axes.Solver,
    together: bool,
    budget: Budget,
) -> tuple[Instance, list[int] | None]:
    if together:
        instance = problem.instance()
        return instance, solver(instance, budget, milp.EXACT)
    found = axes.solve_by_axes(problem, solver, budget)
    if found is None:
        return problem.instance(), None
    return found, [0] * len(found.nodes)


def _eliminated(
    problem: Problem, one_axis: bool, size: int, seconds: float
) -> tuple[Instance, list[int] | None]:
    """The better of the plans on all axes at once and on one at a time."""

    def solver(each: Instance, budget: Budget, _: float) -> list[int] | None:
        return elimination.solve(each, budget)

    together = one_axis or size <= axes.ELIMINATED
    found = [
        _planned(problem, solver, each, Budget(seconds)) for each in sorted({together, one_axis})
    ]
    plans = [(instance.costs(plan).seconds, i) for i, (instance, plan) in enumerate(found) if plan]
    return found[min(plans)[1]] if plans else found[0]


def _fail_for_memory(module: Module, problem: Problem) -> NoReturn:
    limit, ranks = problem.machine.memory, math.prod(problem.machine.mesh)
    least, peak = problem.instance().least_memory()
    what = (
        f"no placement of job {module.job.sym_name!r} on {ranks} ranks was found that takes "
        f"{limit:,.0f} bytes of a rank or less: its values take at least {least:,} at "
        f"{problem.nodes[peak].label}; give it more ranks or memory"
    )
    raise TooLarge(Diagnostic(what, module.job.location))


def described(machine: Machine) -> dict[str, Any]:
    """A machine as an attribute; `machine_of` reads it back."""
    links = [[link.latency, link.bandwidth, link.copies] for link in machine.links]
    fields = ("flops", "bandwidth", "overhead", "bucket", "memory")
    return {"links": links, **{name: float(getattr(machine, name)) for name in fields}}


def machine_of(module: Module) -> Machine | None:
    """The machine that a module was placed for, or None."""
    known, mesh = module.attributes.get(MACHINE), module.attributes.get(MESH)
    if known is None or mesh is None:
        return None
    facts = python_value(known)
    links = tuple(Link(*link) for link in facts.pop("links"))
    return Machine(tuple(python_value(mesh)), links, **facts)


def _write(reader: Reader, instance: Instance, choice: list[int]) -> None:
    """Write the signatures of ops and the states of arguments."""
    states: dict[Value, str] = {}
    for origin, options, number in zip(reader.origins, instance.options, choice, strict=True):
        option = options[number]
        if isinstance(origin, Operation):
            signature = {"operands": list(option.operands), "results": list(option.results)}
            origin.attributes[SIGNATURE] = attribute(signature)
            origin.attributes.pop(HINT, None)
        elif isinstance(origin, Value):
            states[origin] = option.results[0]
    every = []
    for place, argument in enumerate(reader.function.arguments):
        entries: dict[str, Any] = {**reader.function.argument_attributes(place)}
        entries.pop(HINT, None)
        every.append({**entries, STATE: states[argument]})
    reader.function.set_all_argument_attributes(every)
