"""The trace of a job: its body runs once, and every op it calls is recorded.

A `Trace` builds the module of stage `job`: one function whose arguments are feeds and variables and
whose results are fetches.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from math import prod
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from penstock.basics.dtypes import DType
from penstock.basics.errors import located, user_location
from penstock.ir.attributes import StringAttr, attribute, element_type
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.diagnostics import IRError, OutOfMemory
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func, Return
from penstock.ir.location import UNKNOWN, Location
from penstock.ir.record import Record
from penstock.ir.types import TensorType
from penstock.scope import FreshScopes, current_placement

if TYPE_CHECKING:
    from penstock.trace.blob import Blob
    from penstock.trace.job_config import FunctionConfig
    from penstock.trace.read_feeds import Decoder

Handler = Callable[[Any], object]
OpT = TypeVar("OpT", bound=Operation)

MOST_ELEMENTS = 2**40
"""Of one blob: beyond it, a shape is a mistake."""

PLACEMENT = "job.placement"
"""The attribute of an op, or of the module, that says where it runs."""


class Variable(Record, frozen=False):
    """A variable the job uses: its blob, and what becomes of its argument's attributes."""

    name: str
    blob: Blob
    attributes: dict[str, Any]
    location: Location
    given: dict[str, Any] = field(default_factory=dict)
    """The attributes the program itself chose, by their word: initializer, regularizer, trainable.

    Jobs that share a variable must agree in these; what was left to a default gives way.
    """


class Update(Record):
    """The new value of a variable, and the line that gives it."""

    value: Value
    location: Location


class Tensors(Protocol):
    """What `flow.jit` makes of the tensors that a body computes with."""

    def blob(self, tensor: Any) -> Blob:
        """The blob that stands for a tensor."""
        ...

    def promoted(self, op: str, x: Any, y: Any, what: str) -> tuple[Blob, Blob]:
        """Two operands, one of which may be a number, as blobs of the type they have in common."""
        ...


class Trace(Record, frozen=False):
    """What the body of one job has done so far."""

    job: str
    job_type: str
    location: Location
    config: FunctionConfig
    variables: dict[str, Variable] = field(default_factory=dict)
    handlers: dict[str, list[Handler]] = field(default_factory=dict)
    """The handlers of each watch point, by its name."""
    updates: dict[str, Update] = field(default_factory=dict)
    """What the body itself gives variables for the next step, by their names."""
    added: list[Blob] = field(default_factory=list)
    """Losses that were added one by one."""
    minimized: Location | None = None
    """Where an optimizer's `minimize` was called."""
    differentiated: bool = False
    """Whether gradients were asked for as blobs."""
    names: dict[str, int] = field(default_factory=dict)
    tensors: Tensors | None = None
    """How tensors become blobs, where the body is that of a function of tensors."""

    def __post_init__(self) -> None:
        self.module = Module.empty(self.job)
        self.module.attributes["job.type"] = StringAttr(self.job_type)
        if self.config.placement is not None:
            self.module.attributes[PLACEMENT] = attribute(self.config.placement.describe())
        self.function = Func.make(self.job, ())
        self.function.location = self.location
        self.module.body.append(self.function)
        self.builder = Builder.at_end(self.function.body)
        self.decoders: list[Decoder] = []
        """What the job reads from files itself, in the order of their feeds behind all others."""
        self._marks: list[dict[str, Any]] = []

    def fresh(self, name: str) -> str:
        """`name`, with a number behind it where the job has one of that name."""
        count = self.names.get(name, 0)
        self.names[name] = count + 1
        return name if count == 0 else self.fresh(f"{name}_{count}")

    def next_name(self, name: str) -> str:
        """What `fresh` would give."""
        while count := self.names.get(name, 0):
            name = f"{name}_{count}"
        return name

    def value_named(self, name: str) -> Value | None:
        """The feed, variable or result of an op that has this name; None where none has."""
        made = (result for op in self.function.body for result in op.results)
        values = (*self.function.arguments, *made)
        return next((value for value in values if value.name == name), None)

    def argument(
        self,
        name: str,
        shape: Sequence[int],
        dtype: DType,
        location: Location,
        attributes: dict[str, Any],
    ) -> Value:
        """A new argument of the job's function, whose attributes say what it is."""
        made = self.function.body.add_argument(tensor_type(shape, dtype), name, location)
        self._marks.append(attributes)
        return made

    def create(self, op: type[OpT], *operands: Value | Sequence[Value], **attributes: Any) -> OpT:
        """Append an op at the user's line, placed as the scopes entered say.

        Raises a located ValueError where operands and attributes do not fit.
        """
        self.builder.location = user_location()
        try:
            made = self.builder.create(op, *operands, **attributes)
            made.verify()
        except IRError as error:
            raise relocated(error) from error.__cause__
        except ValueError as error:  # an attribute that holds no such number
            raise located(ValueError, f"{op.name}: {error}") from None
        for result in made.results:
            if isinstance(result.type, TensorType):
                _check_size(result.type, op.name)
        placement = current_placement()
        if placement is not None:
            made.attributes[PLACEMENT] = attribute(placement.describe())
        return made

    def finish(self, results: Sequence[tuple[str, Blob]]) -> None:
        """End the function: return the fetches, and say what its arguments and results are.

        Behind the others it returns how far those extend whose extent a run decides.
        """
        self.builder.location = self.location
        fetches: list[dict[str, Any]] = [{"job.fetch": path} for path, _ in results]
        values = [blob.value for _, blob in results]
        for fetch, (path, blob) in zip(list(fetches), results, strict=True):
            if blob.extent is not None:
                name = f"{path}/extent"
                while name in {known["job.fetch"] for known in fetches}:
                    name += "_"
                fetch |= {"job.extent": name, "job.dimension": blob.extent.dimension}
                fetches.append({"job.fetch": name})
                values.append(blob.extent.count)
        updates = [update.value for update in self.updates.values()]
        if self.job_type == "train" and self.minimized is None:
            # It computes gradients and learns nothing: it changes no variable.
            self.module.attributes["job.type"] = StringAttr("predict")
        self.builder.create(Return, [*values, *updates])
        self.function.update_type()
        self.function.set_all_argument_attributes(self._marks)
        changes = [{"job.update": name} for name in self.updates]
        self.function.set_all_result_attributes([*fetches, *changes])


def tensor_type(shape: Sequence[int], dtype: DType) -> TensorType:
    """The IR type of a blob."""
    made = TensorType(tuple(shape), element_type(dtype.numpy))
    _check_size(made, "a blob")
    return made


def _check_size(made: TensorType, what: str) -> None:
    if prod(made.shape) > MOST_ELEMENTS:
        raise located(
            ValueError,
            f"{what} of shape {made.shape} has more elements than any machine can hold; "
            "choose smaller dimensions",
        )


class _Traces(threading.local):
    def __init__(self) -> None:
        self.stack: list[Trace] = []


_traces = _Traces()


class Tracing:
    """`with Tracing(trace):` the body of that job runs; scopes entered outside do not count."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._scopes = FreshScopes()

    def __enter__(self) -> Trace:
        self._scopes.__enter__()
        _traces.stack.append(self._trace)
        view = self._trace.config.logical_view
        if view is not None:
            view.__enter__()
        return self._trace

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _traces.stack.pop()
        self._scopes.__exit__(kind, error, trace)


def active_trace() -> Trace | None:
    """The trace of the job whose body is running on this thread."""
    return _traces.stack[-1] if _traces.stack else None


def current_trace(what: str) -> Trace:
    """The trace `what` belongs to; NotImplementedError outside the body of a job."""
    trace = active_trace()
    if trace is None:
        raise located(
            NotImplementedError,
            f"no available function found: {what} works inside the body of a job function only; "
            "put it into a function decorated with @flow.global_function(), or give it tensors, "
            "made with flow.tensor(x)",
        )
    return trace


@contextmanager
def relocating() -> Iterator[None]:
    """Raise what `relocated` makes of an IR error."""
    try:
        yield
    except IRError as error:
        raise relocated(error) from None


def relocated(error: IRError) -> Exception:
    """The first finding of an IR error, as a ValueError at the line of the op it is about, the
    user's where it is about none, or as a MemoryError where that was short."""
    finding = error.diagnostics[0]
    where = finding.where if isinstance(finding.where, Location) else UNKNOWN
    kind = MemoryError if isinstance(error, OutOfMemory) else ValueError
    return located(kind, finding.message, None if where is UNKNOWN else where)
