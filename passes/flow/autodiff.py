"""Pass `autodiff`: replace a loss to minimize by gradients and variable updates.

Reverse-mode differentiation over the ops of the job (Griewank and Walther, "Evaluating
derivatives", 2008, chapter 3). Each op's `grad` emits its backward ops, in reverse program order,
so gradients accumulate in the same order on every run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import ClassVar

from penstock.ir import types as ty
from penstock.ir.attributes import Attribute, StringAttr, attribute, python_value
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import job
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import make, widening
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.func import Func
from penstock.ir.write import scalars
from penstock.passes.base import Order, Pass
from penstock.passes.flow.place import SCOPE
from penstock.passes.flow.updates import DynamicLossScale, JobVariables, update

WITHOUT_GRADIENT = "job.without_gradient"
"""Module attribute with the labels of the `job.watch_diff`s of a job without a loss."""


_INHERITED = {job.RECOMPUTE: job.GRADIENT_OF, SCOPE: SCOPE}
"""What gradients have of an attribute of their op."""


class Autodiff(Pass):
    """Replace `job.minimize` by the backward ops, the learning rate and one update per variable.

        job.minimize %loss {optimizer = {kind = "sgd"}, schedule = {...}}
        return %loss
    ->
        %ones = flow.constant dense<1.0>
        ...                                  the `grad` of each op, last op first
        %mean = flow.divide %dw, %count      %count: the number of elements of one loss
        %rate = job.learning_rate %step {schedule = {...}}
        %new = job.sgd %w, %mean, %rate
        %next = flow.add %step, %one
        return %loss, %new, %next            results {job.update = "w"}, ...

    Gradients are placed as their op. `job.watch_diff` becomes a `job.watch` of the gradient of the
    sum of the losses. If a value is `job.watchable`, its gradient is watchable as `NAME/grad`.
    """

    name = "autodiff"
    required = True
    before: ClassVar[Order] = {"lower": "generics have no gradients"}

    def run(self, module: Module) -> None:
        function = module.job
        found = [op for op in function.body if isinstance(op, job.Minimize)]
        if len(found) > 1:
            found[1].fail("a job can have one minimize, and this is the second")
        if found:
            if job.MEMORY in module.attributes:
                for op in function.body:
                    op.attributes.setdefault(job.RECOMPUTE, job.IF_NEEDED)
            _differentiate(module, function, found[0])
        elif module.attributes.get("job.type") is StringAttr("train") and not _learns(function):
            function.fail(
                f"train job @{function.sym_name} has nothing to learn: give its loss to an "
                "optimizer's minimize"
            )
        lost = [op for op in function.body if isinstance(op, job.WatchDiff)]
        if lost:
            module.attributes[WITHOUT_GRADIENT] = attribute([op.label for op in lost])
            for op in lost:
                op.erase()


def _learns(function: Func) -> bool:
    """Whether the job already updates a trainable variable, as in a module of a later stage."""
    results = range(len(function.type.results))
    changed = {function.result_attributes(i).get("job.update") for i in results} - {None}
    entries = [function.argument_attributes(i) for i in range(len(function.arguments))]
    # A bufferized job with an arena has no results: it writes to its arguments.
    return any("job.arena" in entry for entry in entries) or any(
        entry.get("job.variable") in changed and python_value(entry["job.trainable"])
        for entry in entries
        if "job.trainable" in entry
    )


def _differentiate(module: Module, function: Func, minimize: job.Minimize) -> None:
    b = Builder.ahead_of(function.returned)
    b.location = minimize.location
    variables = JobVariables(function)
    watched = [op for op in function.body if isinstance(op, job.WatchDiff)]
    fixed = float(minimize.optimizer.get("loss_scale", 1.0))
    losses = Counter(minimize.losses)
    empty = [value.type for value in losses if tensor(value).count == 0]
    if empty:
        minimize.fail(f"expected a loss of at least one element, got {empty[0]}")
    for value, times in losses.items():
        largest = scalars.LARGEST[tensor(value).element] / times
        if fixed > largest:
            minimize.fail(
                f"expected a loss_scale that a gradient of {tensor(value).element} can hold, at "
                f"most {largest:g}, got {fixed:g}"
            )
    ones = {
        v: make.full(b, fixed * times, tensor(v).shape, tensor(v).element)
        for v, times in losses.items()
    }
    following = minimize.optimizer.get("dynamic_loss_scale")
    scale = None if following is None else DynamicLossScale(variables, following)
    if scale is not None:
        ones = {v: _times(b, one, scale.scale) for v, one in ones.items()}
    roots = [*variables.trainable, *(op.value for op in watched)]
    gradients = backward(b, ones, roots, watched)
    _mark_gradients(b, function, gradients, losses)
    reached = [v for v in variables.trainable if v in gradients]
    if not reached:
        minimize.fail("the loss depends on no trainable variable: there is nothing to learn")
    update(b, variables, {v: gradients[v] for v in reached}, minimize, scale)
    minimize.erase()
    function.update_type()
    variables.mark()


def _times(b: Builder, ones: Value, scale: Value) -> Value:
    """The loss scale, broadcast to the shape of the ones."""
    type = tensor(ones)
    return make.broadcast_to(b, make.cast(b, scale, type.element), type.shape)


def backward(
    b: Builder,
    seeds: dict[Value, Value],
    roots: Iterable[Value],
    watched: Sequence[job.WatchDiff] = (),
) -> dict[Value, Value]:
    """The gradients of the roots, and of all values between the roots and the seeded values.

    `seeds` maps each start value to its gradient. All are defined in the block whose end `b`
    inserts at. Ops that depend on no root are skipped. Each op of `watched` is replaced by a watch
    of its value's gradient as soon as that gradient is complete, or by a watch of zeros if the
    value has no gradient.
    """
    path = dependent(roots)
    gradients: dict[Value, Value] = {}
    outer = b.location
    for value, seed in seeds.items():
        _accumulate(b, gradients, value, seed)
    waiting = _by_value(watched)
    last = b.before.previous if b.before is not None else b.block.last
    stop = next(iter(seeds.values())).defining_op
    op = stop.previous if stop is not None else last
    while op is not None:
        before = op.previous
        for result in op.results:
            _show(b, waiting, gradients, result)
        if isinstance(op, TensorOp | job.Callout) and any(r in gradients for r in op.results):
            b.location = op.location
            _through(b, op, gradients, path)
        op = before
    for value in list(waiting):
        _show(b, waiting, gradients, value)
    for value, ops in list(waiting.items()):
        b.location = ops[0].location
        zeros = make.full(b, 0.0, tensor(value).shape, tensor(value).element)
        _show(b, waiting, {value: zeros}, value)
    b.location = outer
    return gradients


def dependent(roots: Iterable[Value]) -> set[Value]:
    """The roots and all values that tensor ops compute from them, unless they are detached."""
    path = set(roots)
    waiting = list(path)
    while waiting:
        for user in waiting.pop().users():
            if isinstance(user, TensorOp | job.Callout) and not stops(user):
                new = [result for result in user.results if result not in path]
                path.update(new)
                waiting.extend(new)
    return path


def stops(op: TensorOp | job.Callout) -> bool:
    """Whether no gradient passes from its results to its operands: because of what the op is, or
    because the program detached it."""
    return op.stops_gradients or job.DETACHED in op.attributes


def _through(
    b: Builder, op: TensorOp | job.Callout, gradients: dict[Value, Value], path: set[Value]
) -> None:
    """Propagate the gradients of an op's results to its operands."""
    # Also if a result is a root: the operands' gradients do not depend on who watches.
    if stops(op):
        return
    wanted = [v in path and ty.is_float(tensor(v).element) for v in op.operands]
    if not any(wanted):
        return
    last = b.before.previous if b.before is not None else b.block.last
    seeds = [gradients.get(result) for result in op.results]
    parts = op.grad(b, seeds) if isinstance(op, job.Callout) else widening.gradients(op, b, seeds)
    for value, part, use in zip(op.operands, parts, wanted, strict=True):
        if part is not None and use:
            if part.type is not value.type:
                op.fail(f"gave a gradient of {part.type} for an operand of {value.type}")
            _accumulate(b, gradients, value, part)
    _erase_unused(b, last, {gradients[v] for v in op.operands if v in gradients})
    facts = {name: op.attributes[key] for key, name in _INHERITED.items() if key in op.attributes}
    if facts:
        _mark(b, last, facts)


def _mark(b: Builder, since: Operation | None, facts: Mapping[str, Attribute]) -> None:
    """Add attributes to the ops inserted after `since`."""
    op = b.before.previous if b.before is not None else b.block.last
    while op is not None and op is not since:
        op.attributes.update(facts)
        op = op.previous


def _accumulate(b: Builder, gradients: dict[Value, Value], value: Value, part: Value) -> None:
    known = gradients.get(value)
    gradients[value] = part if known is None else make.add(b, known, part)


def _erase_unused(b: Builder, since: Operation | None, kept: set[Value]) -> None:
    """Erase the unused ops inserted after `since`, except those that define a value of `kept`."""
    op = b.before.previous if b.before is not None else b.block.last
    while op is not None and op is not since:
        before = op.previous
        if op.pure and op.is_unused and not any(result in kept for result in op.results):
            op.erase()
        op = before


def _mark_gradients(
    b: Builder, function: Func, gradients: dict[Value, Value], losses: Container[Value]
) -> None:
    """Make the gradients of watchable values watchable, except those of the losses."""
    taken = {op.label for op in function.body if isinstance(op, job.Watch | job.WatchDiff)}
    for op in [op for op in function.body if isinstance(op, job.Watchable)]:
        gradient, name = gradients.get(op.value), f"{op.label}/grad"
        if gradient is not None and name not in taken and op.value not in losses:
            with b.at(op.location):
                b.create(job.Watchable, gradient, label=name)


def _by_value(watched: Sequence[job.WatchDiff]) -> dict[Value, list[job.WatchDiff]]:
    found: dict[Value, list[job.WatchDiff]] = {}
    for op in watched:
        found.setdefault(op.value, []).append(op)
    return found


def _show(
    b: Builder,
    waiting: dict[Value, list[job.WatchDiff]],
    gradients: dict[Value, Value],
    value: Value,
) -> None:
    """Replace the `job.watch_diff`s of a value whose gradient is complete by watches of it."""
    gradient = gradients.get(value)
    if gradient is None:
        return
    for op in waiting.pop(value, ()):
        with b.at(op.location):
            watch = b.create(job.Watch, gradient, label=op.label)
        watch.attributes = {**op.attributes}
        op.erase()
