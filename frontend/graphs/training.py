"""What a graph learns by: gradients of its losses, and the updates of its optimizers."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from penstock.basics.checks import check_number
from penstock.basics.dtypes import float64, int64
from penstock.basics.errors import kind_of, located
from penstock.graphs.lifting import GraphLifting, Loss
from penstock.graphs.scalers import GradScaler
from penstock.ir.attributes import python_value
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.func import Func, Return
from penstock.ir.location import Location
from penstock.ir.record import Record
from penstock.ir.types import TensorType, f64, i64
from penstock.ir.write import scalars
from penstock.optim.clipping import clipped
from penstock.optim.formulas import Number, Ops
from penstock.optim.optimizer import NativeOptimizer
from penstock.optim.schedules import LRScheduler
from penstock.optim.updates import Part, updated
from penstock.tensor_functions.calls import as_type
from penstock.tensors.tensor import Tensor
from penstock.trace.blob import Blob, apply, constant_blob
from penstock.trace.tracing import Trace, relocating

Gradients = dict[Value, Value]


class Learner(Record, eq=False):
    """An optimizer of a graph, and the schedule of its rate."""

    optimizer: NativeOptimizer
    schedule: Any
    location: Location

    def tensors(self) -> list[Tensor]:
        """Its parameters."""
        return [p for group in self.optimizer.param_groups for p in group.parameters]

    def form(self) -> Any:
        """All that its updates depend on but rates and state; code is compiled for it."""
        clips = [_limit(group) for group in self.optimizer.param_groups]
        options = [
            [(k, v) for k, v in group.options.items() if k not in ("lr", "initial_lr")]
            for group in self.optimizer.param_groups
        ]
        return repr((self.optimizer.rules(), clips, options))


class Names(Record):
    """The names of a learner's variables: the step, and the rate of each group."""

    step: str
    rates: list[str]


def _limit(group: Any) -> tuple[float, float] | None:
    """The largest norm of a group's gradients, and the order of the norm, if they are clipped."""
    if "clip_grad_max_norm" not in group or "clip_grad_norm_type" not in group:
        return None
    order = group["clip_grad_norm_type"]
    return (
        check_number(group["clip_grad_max_norm"], "clip_grad_max_norm"),
        check_number(float("inf") if order == "inf" else order, "clip_grad_norm_type"),
    )


def gradients_of(
    trace: Trace, losses: Sequence[Loss], roots: Sequence[Value], share: float, scale: Blob | None
) -> Gradients:
    """The sum of the gradients of the losses by each root, as `backward` of each in turn adds.

    Each loss counts by `share`, and by the scale.
    """
    from penstock.passes.flow.autodiff import backward

    b = trace.builder
    total: Gradients = {}
    for loss in losses:
        b.location = loss.location
        type = tensor(loss.value)
        if loss.gradient is None:
            seed = make.full(b, share, type.shape, type.element)
        else:
            # Behind all that the loss is computed from.
            seed = apply("flow.identity", Blob(loss.gradient, "", trace, loss.location))[0].value
            if share != 1:
                seed = make.multiply(b, seed, share)
        if scale is not None:
            seed = make.multiply(b, seed, make.cast(b, scale.value, type.element))
        with relocating():
            found = backward(b, {trace.routed(loss.value): seed}, roots)
        _name(trace, found)
        for root in roots:
            if root in found:
                known = total.get(root)
                total[root] = found[root] if known is None else make.add(b, known, found[root])
    return total


def depend(roots: Sequence[Value], values: Sequence[Value]) -> bool:
    """Whether gradients flow from one of the values to one of the roots."""
    from penstock.passes.flow.autodiff import dependent

    return not dependent(roots).isdisjoint(values)


def unscaled(trace: Trace, gradients: Gradients, scale: Blob) -> Gradients:
    """Gradients divided by the scale."""
    b = trace.builder
    return {
        root: make.divide(b, gradient, make.cast(b, scale.value, tensor(gradient).element))
        for root, gradient in gradients.items()
    }


def adapt(
    trace: Trace, lifting: GraphLifting, scaler: GradScaler, gradients: Gradients,
    names: Sequence[str],
) -> str:  # fmt: skip
    """Skip the updates of these variables if a gradient is not finite, and adapt the scale.

    Returns the name of the variable that counts skipped steps.
    """
    b = trace.builder
    finite: Value | None = None
    for gradient in gradients.values():
        fine = make.compare(
            b, "less_equal", make.unary(b, "abs", gradient),
            scalars.LARGEST[tensor(gradient).element],
        )  # fmt: skip
        fine = make.reduce(b, "min", fine, range(tensor(fine).rank))
        finite = fine if finite is None else make.minimum(b, finite, fine)
    assert finite is not None, "there are gradients"
    first = {name: variable.blob.value for name, variable in trace.variables.items()}
    for name in names:
        lifting.update(name, make.where(b, finite, trace.updates[name].value, first[name]))
    (scale_name, scale), (good_name, good) = map(
        lifting.variable, (scaler.scale, scaler.good_steps)
    )
    more = make.add(b, good, 1)
    grows = make.compare(b, "greater_equal", more, scaler.growth_interval)
    most = scalars.LARGEST[tensor(scale).element]
    larger = make.minimum(b, make.multiply(b, scale, scaler.growth_factor), most)
    kept = make.where(b, grows, larger, scale)
    smaller = make.multiply(b, scale, scaler.backoff_factor)
    lifting.update(scale_name, make.where(b, finite, kept, smaller))
    lifting.update(good_name, make.where(b, finite, make.where(b, grows, 0, more), 0))
    skipped = lifting.own_variable(f"System-Train-SkippedSteps-{trace.job}", int64)
    bad = make.subtract(b, 1, make.cast(b, finite, i64))
    lifting.update(skipped.name, make.add(b, skipped.value, bad))
    return skipped.name


def _name(trace: Trace, gradients: Gradients) -> None:
    """Name the gradients of named values, so that they can be watched."""
    for value, gradient in gradients.items():
        if value.name and not gradient.name and gradient.defining_op is not None:
            gradient.name = Trace.fresh(trace, f"{value.name}/grad")


def learn(
    trace: Trace, lifting: GraphLifting, learners: Sequence[Learner], gradients: Gradients
) -> list[Names]:
    """Append the updates of all learners; returns the names of the variables that they keep."""
    return [
        _update(trace, lifting, learner, number, gradients)
        for number, learner in enumerate(learners)
    ]


def _update(
    trace: Trace, lifting: GraphLifting, learner: Learner, number: int, gradients: Gradients
) -> Names:
    optimizer, suffix = learner.optimizer, f"-{number}" if number else ""
    counter = lifting.own_variable(f"System-Train-TrainStep-{trace.job}{suffix}", int64)
    rates = [
        lifting.own_variable(
            f"System-Train-LearningRate-{trace.job}{suffix}" + (f"-group{i}" if i else ""), float64
        )
        for i in range(len(optimizer.param_groups))
    ]
    taken = apply("flow.add", counter, constant_blob(1, (), counter.dtype, "a step"))[0]
    wide: Any = as_type(taken, float64)

    def learns(parameter: Tensor) -> bool:
        value = lifting.first(parameter)
        return value is not None and value in gradients

    parts = optimizer.parts(wide, learns, rates)
    own = _clipped(trace, learner, lifting, learns, gradients)
    for part in parts:
        _apply(trace, lifting, learner, part, own)
    lifting.update(counter.name, taken.value)
    return Names(counter.name, [rate.name for rate in rates])


def _clipped(
    trace: Trace, learner: Learner, lifting: GraphLifting, learns: Any, gradients: Gradients
) -> Gradients:
    """The gradients, clipped by the options of each group."""
    made = dict(gradients)
    b = trace.builder
    b.location = learner.location
    for group in learner.optimizer.param_groups:
        clip = _limit(group)
        values = [lifting.first(p) for p in group.parameters if learns(p)]
        if clip is None or not values:
            continue
        limit = constant_blob(clip[0], (), float64, "clip_grad_max_norm").value
        _, *scaled = clipped(b, limit, clip[1], [made[v] for v in values if v is not None])
        made |= {v: s for v, s in zip(values, scaled, strict=True) if v is not None}
    return made


def _apply(
    trace: Trace, lifting: GraphLifting, learner: Learner, part: Part, gradients: Gradients
) -> None:
    given = [
        as_type(n, part.number_type).value
        if isinstance(n, Blob)
        else constant_blob(n, (), part.number_type, "").value
        for n in part.numbers
    ]
    changed: list[str] = []
    variables: list[Value] = []
    for parameter, state in zip(part.parameters, part.states, strict=True):
        name, value = lifting.variable(parameter)
        kept = []
        for one, word in zip(state, part.rule.update.state.values(), strict=True):
            lifting.name(one, f"{name}-{word}")
            kept.append(lifting.variable(one))
        changed += [name, *(own for own, _ in kept)]
        given.append(gradients[value])
        variables += [value, *(own for _, own in kept)]
    trace.builder.location = learner.location
    values = updated(trace.builder, part, iter(given), iter(variables))
    for name, value in zip(changed, values, strict=True):
        lifting.update(name, value)


def schedule_steps(learners: Sequence[Learner], names: Sequence[Names]) -> dict[str, int]:
    """The steps of schedules, by the names of the variables that hold them in artifacts."""
    return {
        _schedule_name(own): learner.schedule.last_step
        for learner, own in zip(learners, names, strict=True)
        if learner.schedule is not None
    }


def _schedule_name(names: Names) -> str:
    return names.step.replace("TrainStep", "Schedule", 1)


def append_schedules(module: Module, learners: Sequence[Learner], names: Sequence[Names]) -> None:
    """Let a job set the rates of the next step, as the schedules do after each step.

    Raises a located NotImplementedError for a schedule whose rates are not formulas of the step.
    """
    for learner, own in zip(learners, names, strict=True):
        schedule = learner.schedule
        if schedule is None:
            continue
        if not isinstance(schedule, LRScheduler) or not schedule.has_formulas:
            raise located(
                NotImplementedError,
                f"an artifact of job {module.job.sym_name!r} cannot compute the rates of "
                f"{type(schedule).__name__}, which runs Python code; add the optimizer without "
                f"lr_sch, and set the variable {own.rates[0]} before each step",
            )
        name = _schedule_name(own)
        _append_schedule(module.job, schedule, name, own.rates, learner.location)


def _append_schedule(
    function: Func, schedule: LRScheduler, name: str, rates: Sequence[str], location: Location
) -> None:
    arguments = range(len(function.arguments))
    marks: list[Any] = [function.argument_attributes(i) for i in arguments]
    roles: list[Any] = [
        function.result_attributes(i) for i in range(len(function.returned.operands))
    ]
    known = {python_value(mark["job.variable"]) for mark in marks if "job.variable" in mark}
    last = function.body.add_argument(TensorType((), i64), name)
    first = {"kind": "constant", "value": schedule.last_step}
    marks.append(
        {"job.variable": name, "job.initializer": first, "job.trainable": False}
    )  # fmt: skip
    b = Builder.ahead_of(function.returned)
    b.location = location
    step = make.add(b, last, 1)
    number = Number(b, make.cast(b, step, f64))
    ops = Ops(number)
    found = schedule.formulas(ops, list(schedule.base_lrs), number)
    updates = [(rate, ops.value(n)) for rate, n in zip(rates, found, strict=True) if rate in known]
    updates.append((name, step))
    operands = [*function.returned.operands, *(value for _, value in updates)]
    function.returned.erase()
    Builder.at_end(function.body).create(Return, operands)
    function.update_type()
    function.set_all_argument_attributes(marks)
    function.set_all_result_attributes([*roles, *({"job.update": word} for word, _ in updates)])


def check_learner(optimizer: object, schedule: object, location: Location) -> Learner:
    """The learner for the arguments of `add_optimizer`, or a located TypeError or ValueError."""
    from penstock.optim.optimizer import Optimizer

    what = "add_optimizer"
    if not isinstance(optimizer, Optimizer):
        raise located(
            TypeError, f"{what} takes an optimizer of flow.optim, got {kind_of(optimizer)}"
        )
    if not isinstance(optimizer, NativeOptimizer):
        raise located(
            TypeError,
            f"{what} takes an optimizer whose step is made of update ops, such as flow.optim.SGD, "
            f"got {kind_of(optimizer)}, whose step is Python code",
        )
    if schedule is not None:
        if not hasattr(schedule, "step") or not hasattr(schedule, "optimizer"):
            raise located(
                TypeError,
                f"lr_sch of {what} takes a schedule of flow.optim.lr_scheduler, got "
                f"{kind_of(schedule)}",
            )
        if schedule.optimizer is not optimizer:
            raise located(
                ValueError,
                f"lr_sch of {what} must be a schedule of the optimizer that is added; this one "
                "belongs to another",
            )
        try:
            inspect.signature(schedule.step).bind()
        except TypeError:
            raise located(
                ValueError,
                f"lr_sch of {what} must be a schedule of steps alone, got {kind_of(schedule)}, "
                "whose step takes more; call it in the program, behind the graph",
            ) from None
    return Learner(optimizer, schedule, location)
