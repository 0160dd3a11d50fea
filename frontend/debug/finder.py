"""`flow.debug.nonfinite`: stops at the first op that makes a NaN or Inf."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from types import TracebackType
from typing import Any

import numpy as np

from penstock.basics.checks import check_flag
from penstock.basics.errors import kind_of, located, of_user
from penstock.basics.numbers import Summary, summary
from penstock.debug.findings import Nonfinite, NonfiniteError, Operand
from penstock.debug.loaded_steps import observing_loaded
from penstock.debug.points import Point
from penstock.debug.tapped import TappedCode, handlers_of, loaded_code, tapped_code
from penstock.jobs.functions import name_of
from penstock.jobs.session import default_session
from penstock.loaded.loading import LoadedJob
from penstock.process.forks import making
from penstock.runtime import VariableStore
from penstock.runtime.execution import job as loaded
from penstock.runtime.execution.points import returns_at_once
from penstock.runtime.execution.taps import Handlers
from penstock.stages.observed import Call, Step, handlers_by_name
from penstock.tensors.graph import Node, users_line
from penstock.tensors.kernels import OneOp
from penstock.tensors.modes import observed_by
from penstock.tensors.tensor import Tensor

Array = np.ndarray[Any, Any]
Handler = Callable[[Nonfinite], object]


class nonfinite:
    """Stop at the first op that makes a NaN or Inf, in a `with` block or from `start` to `stop`.

    While it is on, each op on tensors, each backward and each update of this thread is checked.
    Calls of jobs, graphs, functions of `flow.jit` and jobs of artifacts run code that shows the
    value of each op; an artifact shows its named blobs and their gradients. A computation whose
    result has NaN or infinite elements raises a `NonfiniteError`, whose `finding` is a `Nonfinite`:
    the op, the user's line, how many elements are NaN and Inf, the index of the first, and the
    ranges of the operands. A step of compiled code completes before it raises, and its variables
    are then set back.

    `handler` is called with the `Nonfinite` instead: of the first such op, and of later ones whose
    operands are all finite. Without `infinite`, only NaN counts, for programs that mask with
    infinity. It is a tool for debugging: ops leave the native path, and each job is compiled once
    more, with a tap for each op.

    >>> import penstock as flow
    >>> x = flow.tensor([4.0, 0.0])
    >>> with flow.debug.nonfinite():
    ...     try:
    ...         flow.log(x) + 1
    ...     except flow.debug.NonfiniteError as error:
    ...         print(error.finding.op, error.finding.summary.count())
    flow.log 0 NaN and 1 Inf of 2, the first, -inf, at [1]
    """

    def __init__(self, handler: Handler | None = None, *, infinite: bool = True) -> None:
        if handler is not None:
            _check_handler(handler)
        self._handler = handler
        self._infinite = check_flag(infinite, "infinite of flow.debug.nonfinite")
        self._running: ExitStack | None = None

    def start(self) -> None:
        """Check what this thread computes from now on."""
        if self._running is not None:
            raise located(RuntimeError, "this flow.debug.nonfinite has started; stop it first")
        with ExitStack() as stack:
            stack.enter_context(observing_loaded())  # left last, when it may be the last observer
            stack.enter_context(observed_by(_Finder(self._handler, self._infinite)))
            with making:
                default_session().detach_all()
            self._running = stack.pop_all()

    def stop(self) -> None:
        """Check no longer; a second call does nothing."""
        running, self._running = self._running, None
        if running is not None:
            running.close()

    def __enter__(self) -> nonfinite:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def _check_handler(handler: object) -> None:
    """Raise a located TypeError for what cannot be called with one finding."""
    what = "the handler of flow.debug.nonfinite"
    if not callable(handler) or returns_at_once(handler):
        raise located(TypeError, f"{what} must be a plain function, got {kind_of(handler)}")
    with suppress(ValueError):  # a builtin without a signature
        try:
            inspect.signature(handler).bind(None)
        except TypeError:
            raise located(
                TypeError,
                f"{what} takes one argument, the finding, which {name_of(handler)} does not",
            ) from None


class _Finder:
    """The observer of a thread that looks for values that are not finite."""

    def __init__(self, handler: Handler | None, infinite: bool) -> None:
        self._handler = handler
        self._infinite = infinite
        self._has_found = False

    # -- tensors --------------------------------------------------------------------------------

    def op(self, op: OneOp, operands: Sequence[Tensor], results: Sequence[Tensor]) -> None:
        for result in results:
            found = self._summary(result.array)
            if found is not None:
                read = [
                    self._operand(f"operand {i}", one.array, one.node)
                    for i, one in enumerate(operands)
                ]
                self._report("forward", op.name, users_line().describe(), found, read)

    def backward(
        self, node: Node, saved: Sequence[tuple[str, Array]], gradients: Sequence[Tensor | None],
        made: Sequence[Tensor | None],
    ) -> None:  # fmt: skip
        for edge, gradient in zip(node.edges, made, strict=True):
            found = None if edge is None or gradient is None else self._summary(gradient.array)
            if found is not None:
                read = [self._operand(name, array) for name, array in saved]
                read += [
                    self._operand("the gradient of the result", one.array)
                    for one in gradients
                    if one is not None
                ]
                self._report("backward", node.name(), node.line.describe(), found, read)

    def assigned(self, target: Tensor, value: Tensor) -> None:
        """The value was examined when an op made it."""

    def update(self, op: str, before: Sequence[Array], after: Sequence[Array]) -> None:
        for array in after:
            found = self._summary(array)
            if found is not None:
                states = [f"state {i}" for i in range(len(before) - 2)]
                names = ["the parameter", *states, "its gradient"]
                read = [self._operand(n, a) for n, a in zip(names, before, strict=True)]
                self._report("update", op, users_line().describe(), found, read)

    def _summary(self, array: Array) -> Summary | None:
        """The summary of floats that are not finite."""
        if array.dtype.kind in "iub":
            return None
        found = summary(array, self._infinite)
        return None if found.is_finite else found

    def _operand(self, name: str, array: Array, node: Node | None = None) -> Operand:
        where = "" if node is None else node.line.describe()
        return Operand(name, where, summary(array, self._infinite))

    # -- compiled code --------------------------------------------------------------------------

    def step(self, step: Step) -> Sequence[Array]:
        code = tapped_code(step)
        run = partial(step.run, code.executable)
        return self._step(step.subject, code, step.handlers, step.store, run)

    def loaded(self, job: loaded.Job, run: loaded.Run) -> Sequence[Array]:
        """Run a step of a job of an artifact, or of `flow.compile`."""
        own = handlers_by_name(job.executable, job.handlers)
        subject = f"job {job.name!r}"
        if isinstance(job, LoadedJob) and job.stages.modules.first == "job":
            return self.step(Step(subject, job, job.stages.modules, own, job.store, run))
        return self._step(subject, loaded_code(job), own, job.store, partial(run, job.executable))

    def _step(
        self, subject: str, code: TappedCode, own: Mapping[str, Sequence[Call]],
        store: VariableStore, run: Callable[[Handlers], Sequence[Array]],
    ) -> Sequence[Array]:  # fmt: skip
        seen: dict[str, Summary] = {}

        def look(label: str, array: Array) -> None:
            if label not in seen or seen[label].is_finite:
                seen[label] = summary(array, self._infinite)

        changes = code.executable.description.updates_variables and self._handler is None
        before = dict(store.items()) if changes else {}
        results = run(handlers_of(code.executable, own, look))
        try:
            for point in code.points.values():
                if point.is_float and point.label in seen and not seen[point.label].is_finite:
                    self._report_point(subject, code, point, seen)
        except NonfiniteError:
            store.load(before)
            raise
        return results

    def _report_point(
        self, subject: str, code: TappedCode, point: Point, seen: Mapping[str, Summary]
    ) -> None:
        read = []
        for name in point.operands:
            made = code.points.get(name)
            read.append(Operand(name, "" if made is None else made.location, seen.get(name)))
        name = "" if point.label.startswith(f"{point.op}:") else point.label
        found = seen[point.label]
        self._report(point.phase, point.op, point.location, found, read, name, subject)

    def _report(
        self, phase: str, op: str, location: str, found: Summary, operands: Sequence[Operand],
        name: str = "", subject: str = "",
    ) -> None:  # fmt: skip
        finding = Nonfinite(op, name, location, phase, subject, found, tuple(operands))
        if self._has_found and self._handler is not None and not finding.is_origin:
            return
        self._has_found = True
        if self._handler is None:
            raise of_user(NonfiniteError(finding))
        self._handler(finding)
