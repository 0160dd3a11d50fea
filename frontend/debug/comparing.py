"""`flow.debug.compare`: the eager and the compiled run of a function, compared op by op."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.basics.checks import check_flag, is_number
from penstock.basics.errors import counted, kind_of, located
from penstock.debug.points import Point, points_of
from penstock.debug.recording import Event
from penstock.debug.replaying import epsilon, plain_module, replay
from penstock.debug.subjects import Eager, Subject, subject_of
from penstock.debug.tapped import argument_name
from penstock.ir.dialects import job
from penstock.ir.dialects.builtin import Module
from penstock.ir.record import Record
from penstock.runtime import VariableStore
from penstock.stages.job_cache import compile_stages
from penstock.stages.native import loaded, prepare

Array = np.ndarray[Any, Any]

FACTOR = 64
"""How many times the measured effect of one rounding per op a difference may be."""
SAMPLES = 2
"""How often that effect is measured."""


class Row(Record):
    """A result of an op, in the compiled run and in the eager one."""

    op: str
    """The name of the op, such as "flow.exp"; empty for a result of the function."""
    name: str
    location: str
    phase: str
    """"forward", "backward", "update" or "result"."""
    against: str
    """What it is compared with: "tensors", the function's own run, or "op by op", a run of the
    traced ops, each by the kernel of tensors."""
    dtype: str
    shape: tuple[int, ...]
    has_same_bits: bool
    difference: float
    """The largest absolute difference; infinite where only one is NaN or infinite."""
    allowed: float
    """The difference that rounding explains."""
    first: tuple[int, ...] | None
    """The index of the first element that differs by more."""
    compiled: float | None
    """That element in the compiled run."""
    eager: float | None
    """That element in the eager run."""
    is_traced_so: bool = False
    """Whether the traced ops, one by one, compute what the compiled code does."""

    @property
    def ok(self) -> bool:
        """Whether rounding explains the difference."""
        return self.first is None


class Comparison(Record):
    """The compiled and the eager run of a function, op by op; prints as a table."""

    subject: str
    location: str
    rows: tuple[Row, ...]
    """Forward ops in program order, the results of the function, and all other ops."""

    @property
    def first(self) -> Row | None:
        """The first row that rounding does not explain; None if there is none."""
        return next((row for row in self.rows if not row.ok), None)

    @property
    def ok(self) -> bool:
        """Whether rounding explains all differences."""
        return self.first is None

    def __str__(self) -> str:
        return "\n".join([self._sentence(), *_table(self.rows)])

    def _sentence(self) -> str:
        row = self.first
        if row is None:
            ops = [row for row in self.rows if row.op]
            same = sum(row.has_same_bits for row in ops)
            phases = [row.phase for row in ops]
            parts = [f"{phases.count(p)} {p}" for p in dict.fromkeys(phases)]
            return (
                f"{self.location}: {self.subject}: {counted(len(ops), 'result')} of ops "
                f"({', '.join(parts)}), {same} of them with the same bits; rounding explains the "
                "rest"
            )
        what = f"{row.op} of blob {row.name}" if row.op else f"result {row.name}"
        advice = (
            "the traced ops compute the same, so the body does something else when it is traced"
            if row.is_traced_so
            else "penstock bisect finds the pass"
        )
        return (
            f"{row.location}: {what} in {self.subject} is the first that differs from the eager "
            f"run: by {row.difference:.3g}, where rounding explains {row.allowed:.3g}; at "
            f"{list(row.first or ())} it is {row.compiled:.9g} and not {row.eager:.9g}; {advice}"
        )


def compare(
    function: Any,
    *inputs: Any,
    backward: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    **named: Any,
) -> Comparison:
    """Run a function eagerly and compiled, and compare the results of all ops.

    `function` is a function of tensors or a module, compiled or not, a `flow.nn.Graph`, or a job
    function; the inputs are those of a call. The compiled run is one job with a tap for each op. A
    function and the `build` of a graph also run on tensors; where these have a result of the same
    op, line, type and shape, it is compared with that. All others, and all those of job functions,
    are compared with a run of the traced ops, each by the kernel of tensors. The backward of a
    function starts from random gradients of its results. Tensors, variables, optimizers and random
    generators stay as they were.

    A difference is explained if it is at most 64 times the effect of one rounding per op, which is
    measured by running the ops twice more with every result changed by a rounding, plus 8 units in
    the last place of the largest element. `rtol`, relative to the largest element, and `atol` state
    another bound.

    Raises a located TypeError for what cannot be compared.

    >>> import penstock as flow
    >>> def norm(x):
    ...     return (x * x).sum().sqrt()
    >>> found = flow.debug.compare(norm, flow.tensor([3.0, 4.0]))
    >>> found.ok, [row.op for row in found.rows if row.phase == "forward"]
    (True, ['flow.multiply', 'flow.reduce_sum', 'flow.sqrt'])
    """
    check_flag(backward, "backward of flow.debug.compare")
    for word, bound in (("rtol", rtol), ("atol", atol)):
        if bound is not None and not (is_number(bound) and bound >= 0):
            raise located(
                ValueError,
                f"{word} of flow.debug.compare must be a number of at least 0, got "
                f"{kind_of(bound)}",
            )
    subject = subject_of(function, inputs, named, backward)
    return _Run(subject, rtol, atol).compared()


class _Run:
    def __init__(self, subject: Subject, rtol: float | None, atol: float | None) -> None:
        self._subject = subject
        self._bounds = None if rtol is None and atol is None else (rtol or 0.0, atol or 0.0)
        self._module = plain_module(subject.modules)
        self._points = points_of(self._module)

    def compared(self) -> Comparison:
        subject = self._subject
        seen, results = self._compiled()
        function = self._module.job
        given = [
            subject.arguments[argument_name(function, i)] for i in range(len(function.arguments))
        ]
        plain = replay(self._module, given)
        noisy = [
            replay(self._module, given, np.random.default_rng(seed)) for seed in range(SAMPLES)
        ]
        allowed = {
            label: self._allowed(array, [one[label] for one in noisy])
            for label, array in plain.items()
        }
        eager = subject.eager()
        own = {} if eager is None else self._matched(eager, plain)
        rows = []
        for label, point in self._points.items():
            if point.op and point.operands and label in seen:
                rows.append(self._row(point, seen[label], plain[label], own.get(label), allowed))
        forward = [row for row in rows if row.phase == "forward"]
        others = [row for row in rows if row.phase != "forward"]
        own_results = [] if eager is None else self._results(eager, results, plain, allowed)
        every = (*forward, *own_results, *others)
        return Comparison(subject.name, subject.location.describe(), every)

    def _compiled(self) -> tuple[dict[str, Array], Sequence[Array]]:
        """The values of the watch points in a compiled run, and its results."""
        modules = self._subject.modules.with_taps("every")
        name = modules[modules.first].job.sym_name
        code = loaded(compile_stages(name, modules, prepare).program)
        description, arrays = code.description, self._subject.arguments
        store = VariableStore()
        for variable in description.variables:
            store.ensure(variable, description.job, arrays[variable.name])
        feeds = [
            np.array(arrays[feed.name], order="C", copy=True) for feed in description.feeds
        ]  # fmt: skip
        seen: dict[str, Array] = {}

        def keep(label: str) -> Any:
            return lambda array: seen.update({label: array})

        handlers = {tap.id: [keep(tap.name)] for tap in description.taps}
        results = code.run(feeds, store, handlers)
        return seen, results

    def _matched(self, eager: Eager, plain: Mapping[str, Array]) -> dict[str, Array]:
        """The values that tensors had, by label."""
        found: dict[str, Array] = {}
        events: dict[str, Event] = {}
        for label, point in self._points.items():
            if point.phase == "forward" and point.op:
                array = plain[label]
                event = eager.recorder.take(
                    (point.op, point.location, array.dtype.name, array.shape)
                )
                if event is not None:
                    found[label], events[label] = event.array, event
        for label, event in events.items():
            gradient = eager.recorder.gradient(event)
            known = plain.get(f"{label}/grad")
            if gradient is not None and known is not None and gradient.shape == known.shape:
                found[f"{label}/grad"] = gradient
        return found

    def _row(
        self, point: Point, compiled: Array, plain: Array, own: Array | None,
        allowed: Mapping[str, float],
    ) -> Row:  # fmt: skip
        bound = allowed[point.label]
        name = "" if point.label.startswith(f"{point.op}:") else point.label
        against = "op by op" if own is None else "tensors"
        eager = plain if own is None else own
        row = _row(point.op, name, point.location, point.phase, against, compiled, eager, bound)
        if row.ok or own is None:
            return row
        is_same = _difference(compiled, plain, bound)[1] is None
        return Row(**{**_fields(row), "is_traced_so": is_same})

    def _results(
        self, eager: Eager, results: Sequence[Array], plain: Mapping[str, Array],
        allowed: Mapping[str, float],
    ) -> Iterator[Row]:  # fmt: skip
        labels = _labels(self._module)
        location = self._subject.location.describe()
        for i, (compiled, wanted) in enumerate(zip(results, eager.results, strict=False)):
            label = labels.get(self._module.job.returned.operands[i], "")
            bound = allowed.get(label, 0.0)
            row = _row("", str(i), location, "result", "tensors", compiled, wanted, bound)
            if not row.ok and label in plain:
                is_same = _difference(compiled, plain[label], bound)[1] is None
                row = Row(**{**_fields(row), "is_traced_so": is_same})
            yield row

    def _allowed(self, array: Array, noisy: Sequence[Array]) -> float:
        """The difference that rounding explains."""
        wide = array.astype(np.float64)
        finite = wide[np.isfinite(wide)]
        largest = float(np.abs(finite).max()) if finite.size else 0.0
        if self._bounds is not None:
            return self._bounds[0] * largest + self._bounds[1]
        effect = max(_difference(one, array, np.inf)[0] for one in noisy)
        return FACTOR * effect + 8 * epsilon(array.dtype) * largest


def _fields(row: Row) -> dict[str, Any]:
    return {name: getattr(row, name) for name in Row._fields}


def _labels(module: Module) -> dict[Any, str]:
    found: dict[Any, str] = {}
    for op in module.job.body:
        if isinstance(op, job.Watch | job.Watchable):
            found.setdefault(op.value, op.label)
    return found


def _row(
    op: str, name: str, location: str, phase: str, against: str, compiled: Array, eager: Array,
    allowed: float,
) -> Row:  # fmt: skip
    dtype, shape = compiled.dtype.name, compiled.shape
    if compiled.shape != eager.shape:
        return Row(
            op, name, location, phase, against, dtype, shape, False, np.inf, allowed, (), 0.0, 0.0
        )
    same = compiled.dtype == eager.dtype and compiled.tobytes() == eager.tobytes()
    difference, first = (0.0, None) if same else _difference(compiled, eager, allowed)
    pair = (None, None) if first is None else (float(compiled[first]), float(eager[first]))
    return Row(
        op, name, location, phase, against, dtype, shape, same, difference, allowed, first, *pair
    )


def _difference(
    compiled: Array, eager: Array, allowed: float
) -> tuple[float, tuple[int, ...] | None]:
    """The largest difference, and the index of the first that is larger than allowed."""
    if not compiled.size:
        return 0.0, None
    x, y = compiled.astype(np.float64), eager.astype(np.float64)
    with np.errstate(all="ignore"):
        apart = np.where((x == y) | (np.isnan(x) & np.isnan(y)), 0.0, np.abs(x - y))
    apart = np.where(np.isnan(apart), np.inf, apart)
    over = apart > allowed
    first = tuple(int(i) for i in np.unravel_index(int(np.argmax(over)), over.shape))
    return float(apart.max()), first if over.any() else None


def _table(rows: Sequence[Row]) -> list[str]:
    """The largest differences by op and line."""
    groups: dict[tuple[str, str, str, str], list[Row]] = {}
    for row in rows:
        if row.op:
            groups.setdefault((row.location, row.op, row.phase, row.against), []).append(row)
    cells = [("line", "op", "phase", "against", "results", "same bits", "difference", "allowed")]
    for (location, op, phase, against), members in groups.items():
        largest = max(members, key=lambda row: (not row.ok, row.difference))
        cells.append(
            (
                location, op, phase, against, str(len(members)),
                str(sum(row.has_same_bits for row in members)), f"{largest.difference:.3g}",
                f"{largest.allowed:.3g}" + ("" if largest.ok else " <"),
            )
        )  # fmt: skip
    widths = [max(len(line[i]) for line in cells) for i in range(len(cells[0]))]
    return ["  ".join(map(str.ljust, line, widths)).rstrip() for line in cells]
