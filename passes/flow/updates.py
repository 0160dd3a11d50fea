"""From gradients to variable updates: averaging, regularisation, clipping, optimizer steps.

The order, per variable:
1. Divide by the number of elements of one loss, and undo the loss scale.
2. Add the regularizer's gradient, l1 * sign(w) + l2 * w.
3. Scale by min(1, clip_norm / norm). The global norm is the root of the sum of the squares of all
   gradients (Pascanu, Mikolov and Bengio, "On the difficulty of training recurrent neural
   networks", 2013).
4. Emit the optimizer's update. With `indexed_rows`, rows that no index touched stay as they are.

16-bit gradients are widened to f32 for these steps, since neither the number of elements nor a sum
of squares need fit into f16.
"""

from __future__ import annotations

from typing import Any

from penstock.ir import types as ty
from penstock.ir.attributes import Attribute, python_value
from penstock.ir.attributes import attribute as to_attribute
from penstock.ir.builder import Builder
from penstock.ir.core import BlockArgument, Value
from penstock.ir.diagnostics import Diagnostic, IRError
from penstock.ir.dialects import job
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import HALVES, tensor
from penstock.ir.dialects.func import Func
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars
from penstock.passes.flow.indexed_rows import touched_rows


class JobVariables:
    """The variables of a job (the arguments with `job.variable`), and their new values."""

    def __init__(self, function: Func) -> None:
        self.function = function
        self.entries: dict[Value, dict[str, Attribute]] = {}
        self._named: dict[str, BlockArgument] = {}
        for position, argument in enumerate(function.body.arguments):
            entry = function.argument_attributes(position)
            if "job.variable" in entry:
                self.entries[argument] = entry
                self._named.setdefault(self.name(argument), argument)
        self.updates: dict[str, Value] = {}

    @property
    def job(self) -> str:
        """The name of the job in names of variables, without a batch size behind an `@` and a rank
        behind a `#`: jobs of all sizes count the same steps."""
        return self.function.sym_name.partition("#")[0].partition("@")[0]

    @property
    def trainable(self) -> list[Value]:
        """The trainable variables, in argument order."""
        return [
            value
            for value, entry in self.entries.items()
            if "job.trainable" in entry and python_value(entry["job.trainable"])
        ]

    def name(self, value: Value) -> str:
        """The name of a variable."""
        return str(python_value(self.entries[value]["job.variable"]))

    def fact(self, value: Value, key: str) -> Any:
        """An attribute of a variable as a Python value; None if absent."""
        found = self.entries[value].get(key)
        return None if found is None else python_value(found)

    def find_or_add(self, name: str, type: TensorType, start: float = 0) -> Value:
        """The variable with this name, or a new one with this initial value."""
        known = self._named.get(name)
        if known is not None:
            kind = "trainable " if self.fact(known, "job.trainable") else ""
            if known.type is not type or kind:
                what = (
                    f'variable "{name}" is kept for the optimizer: expected {type} that is not '
                    f"trainable, got {kind}{known.type}: rename it"
                )
                raise IRError(Diagnostic(what, known.location))
            return known
        argument = self.function.body.add_argument(type, name, self.function.location)
        number = float(start) if ty.is_float(type.element) else int(start)
        initializer = {"kind": "constant", "value": number}
        facts = {"job.variable": name, "job.initializer": initializer, "job.trainable": False}
        self.entries[argument] = {key: to_attribute(fact) for key, fact in facts.items()}
        self._named[name] = argument
        return argument

    def set(self, value: Value, new: Value) -> None:
        """Set the value that a variable has after the step."""
        self.updates[self.name(value)] = new

    def mark(self) -> None:
        """Write the attributes of new arguments and results. The function's type is up to date."""
        function = self.function
        function.set_all_argument_attributes(
            [
                self.entries.get(argument) or function.argument_attributes(position)
                for position, argument in enumerate(function.arguments)
            ]
        )
        first = len(function.returned.operands) - len(self.updates)
        results = [function.result_attributes(position) for position in range(first)]
        results += [{"job.update": to_attribute(name)} for name in self.updates]
        function.set_all_result_attributes(results)


def update(
    b: Builder,
    variables: JobVariables,
    gradients: dict[Value, Value],
    minimize: job.Minimize,
    scale: DynamicLossScale | None,
) -> None:
    """Insert the ops from the gradients to the variables' new values, and return the new values."""
    optimizer, function = minimize.optimizer, variables.function
    loss = tensor(minimize.losses[0])
    divisor = (minimize.elements or loss.count) * float(optimizer.get("loss_scale", 1.0))
    touched = {
        variable: _touched(b, variables.name(variable), gradient, minimize)
        for variable, gradient in gradients.items()
        if variables.name(variable) in optimizer.get("indexed_rows", ())
    }
    ready = {
        variable: _divided(b, make.cast(b, gradient, _wide(gradient)), divisor)
        for variable, gradient in gradients.items()
    }
    if scale is not None:
        ready = scale.undone(b, ready)
    ready = {
        variable: _penalized(b, variables, variable, gradient)
        for variable, gradient in ready.items()
    }
    if "clip_norm" in optimizer:
        ready = clipped(b, ready, float(optimizer["clip_norm"]))
    counter = variables.find_or_add(
        f"System-Train-TrainStep-{variables.job}", TensorType((), ty.i64)
    )
    rate = _rate(b, function, minimize, counter)
    numbers = minimize.update.numbers_for(b, rate, counter, optimizer)
    for variable, gradient in ready.items():
        _step(b, variables, variable, gradient, numbers, minimize, touched.get(variable))
    if scale is not None:
        scale.keep_or_skip(b, variables)
    variables.set(counter, make.add(b, counter, 1))
    function.returned.operands = [*function.returned.operands, *variables.updates.values()]


def _rate(b: Builder, function: Func, minimize: job.Minimize, counter: Value) -> Value:
    """The step's learning rate: from the schedule, or from the job's own `job.rate`."""
    rates = [op for op in function.body if isinstance(op, job.Rate)]
    if not minimize.has_custom_rate:
        if rates:
            rates[0].fail('the schedule is not of kind "custom", so this rate is unused')
        return b.create(job.LearningRate, counter, schedule=minimize.schedule).result
    if len(rates) != 1:
        minimize.fail(f'expected one job.rate for a schedule of kind "custom", got {len(rates)}')
    rate = rates[0].rate
    rates[0].erase()
    return rate


class DynamicLossScale:
    """Dynamic loss scale: a factor on the gradients that adapts to overflow.

    It adds two variables to the job: the scale and a counter of good steps. If a gradient is not
    finite, the step is skipped: only these two and the step counter change, and the scale is
    divided by `multiplier`, down to 1. After `increment_period` good steps the scale is multiplied
    by it, as long as it stays finite. Source: Micikevicius et al., "Mixed precision training",
    2018.
    """

    def __init__(self, variables: JobVariables, options: dict[str, Any]) -> None:
        name = f"System-Train-DynamicLossScale-{variables.job}"
        self.options = options
        self.scale = variables.find_or_add(
            f"{name}-LossScale", TensorType((), ty.f32), float(options["initial"])
        )
        self.good = variables.find_or_add(f"{name}-GoodStepCounter", TensorType((), ty.i64))
        self.finite: Value | None = None
        """Whether all gradients are finite; set by `undone`."""

    def undone(self, b: Builder, gradients: dict[Value, Value]) -> dict[Value, Value]:
        """Divide the gradients by the scale, and compute whether they are finite."""
        scaled = {}
        for variable, gradient in gradients.items():
            element = tensor(gradient).element
            scaled[variable] = make.divide(b, gradient, make.cast(b, self.scale, element))
            limit = scalars.LARGEST[element]
            fine = make.compare(b, "less_equal", make.unary(b, "abs", gradient), limit)
            fine = make.reduce(b, "min", fine, range(tensor(fine).rank))
            self.finite = fine if self.finite is None else make.minimum(b, self.finite, fine)
        return scaled

    def keep_or_skip(self, b: Builder, variables: JobVariables) -> None:
        """Keep the old value of each variable if a gradient is not finite, and adapt the scale."""
        assert self.finite is not None, "undone comes first"
        for old in variables.entries:
            new = variables.updates.get(variables.name(old))
            if new is not None:
                variables.set(old, make.where(b, self.finite, new, old))
        multiplier = float(self.options["multiplier"])
        good = make.add(b, self.good, 1)
        grows = make.compare(b, "greater_equal", good, self.options["increment_period"])
        most = scalars.LARGEST[ty.f32]
        larger = make.minimum(b, make.multiply(b, self.scale, multiplier), most)
        smaller = make.maximum(b, make.divide(b, self.scale, multiplier), 1)
        kept = make.where(b, grows, larger, self.scale)
        variables.set(self.scale, make.where(b, self.finite, kept, smaller))
        counted = make.where(b, grows, 0, good)
        variables.set(self.good, make.where(b, self.finite, counted, 0))


def _wide(gradient: Value) -> Type:
    """The element type in which a gradient is averaged, regularised and clipped."""
    element = tensor(gradient).element
    return ty.f32 if element in HALVES else element


def _divided(b: Builder, gradient: Value, divisor: float) -> Value:
    return gradient if divisor == 1 else make.divide(b, gradient, divisor)


def _penalized(b: Builder, variables: JobVariables, variable: Value, gradient: Value) -> Value:
    """Add the gradient of the variable's regularizer."""
    penalty = variables.fact(variable, "job.regularizer") or {}
    value = make.cast(b, variable, tensor(gradient).element) if penalty else variable
    if penalty.get("l1"):
        pull = make.multiply(b, make.unary(b, "sign", value), penalty["l1"])
        gradient = make.add(b, gradient, pull)
    if penalty.get("l2"):
        gradient = make.add(b, gradient, make.multiply(b, value, penalty["l2"]))
    return gradient


def clipped(b: Builder, gradients: dict[Value, Value], limit: float) -> dict[Value, Value]:
    """Scale all gradients down if their global norm exceeds the limit.

    The sum of squares is computed in the widest of their types.
    """
    elements = [tensor(gradient).element for gradient in gradients.values()]
    widest = max(elements, key=ty.byte_width)
    total: Value | None = None
    for gradient in gradients.values():
        axes = range(tensor(gradient).rank)
        part = make.reduce(b, "sum", make.unary(b, "square", gradient), axes)
        part = make.cast(b, part, widest)
        total = part if total is None else make.add(b, total, part)
    assert total is not None, "there is at least one gradient"
    share = make.minimum(b, make.divide(b, limit, make.unary(b, "sqrt", total)), 1)
    return {
        variable: make.multiply(b, gradient, make.cast(b, share, tensor(gradient).element))
        for variable, gradient in gradients.items()
    }


def _step(
    b: Builder,
    variables: JobVariables,
    variable: Value,
    gradient: Value,
    numbers: list[Value],
    minimize: job.Minimize,
    touched: Value | None,
) -> None:
    """Update one variable and its optimizer state, or only the rows that were touched."""
    cls, optimizer = minimize.update, minimize.optimizer
    name, type = variables.name(variable), tensor(variable)
    state = [variables.find_or_add(f"{name}-{kept}", type) for kept in cls.state.values()]
    own = {key: optimizer[key] for key in cls.definition.attributes if key in optimizer}
    if "weight_decay" in own:
        own["weight_decay"] = _decay(name, optimizer)
    cast_gradient = make.cast(b, gradient, type.element)
    update = b.create(cls, variable, cast_gradient, *numbers, *state, **own)
    for old, new in zip((variable, *state), update.results, strict=True):
        variables.set(old, new if touched is None else make.where(b, touched, new, old))


def _touched(b: Builder, name: str, gradient: Value, minimize: job.Minimize) -> Value:
    """Whether indices touched each row of a variable that `indexed_rows` names."""
    if not minimize.update.is_elementwise():
        minimize.fail(
            f"indexed_rows needs an update that works element by element, got kind = "
            f"{minimize.update.kind!r}"
        )
    found = touched_rows(b, gradient)
    if found is None:
        minimize.fail(
            f'indexed_rows has variable "{name}", and its gradient does not come from indices '
            "alone, such as those of flow.gather: leave it out"
        )
    return found


def _decay(name: str, optimizer: dict[str, Any]) -> float:
    """The weight decay of a variable, subject to the include and exclude words for its name."""
    decay = float(optimizer.get("weight_decay", 0.0))
    includes, excludes = (
        optimizer.get(f"weight_decay_{which}") for which in ("includes", "excludes")
    )
    if includes is not None and not any(word in name for word in includes):
        return 0.0
    if excludes and any(word in name for word in excludes):
        return 0.0
    return decay
