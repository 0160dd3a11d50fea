"""The trace of a job: its body runs once, and every op it calls is recorded.

A `Trace` builds the module of stage `job`: one function whose arguments are feeds and variables and
whose results are fetches.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from itertools import chain, count
from math import prod
from types import TracebackType
from typing import Any, Protocol, TypeVar

from penstock.basics.dtypes import DType
from penstock.basics.errors import located, user_location
from penstock.basics.notices import tell_once
from penstock.ir.attributes import Attribute, IntegerAttr, StringAttr, attribute, element_type
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.diagnostics import IRError, OutOfMemory
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.func import Func, Return
from penstock.ir.dialects.job import DETACHED, MEMORY, RECOMPUTE, OutputGradient
from penstock.ir.dialects.job.views import FromLocal, ToLocal
from penstock.ir.location import UNKNOWN, Location
from penstock.ir.record import Record
from penstock.ir.types import TensorType
from penstock.scope import Config, FreshScopes, Placement, current_placement, current_segment
from penstock.trace.extents import Extending
from penstock.trace.job_config import FunctionConfig
from penstock.trace.read_feeds import Decoder

Handler = Callable[[Any], object]
OpT = TypeVar("OpT", bound=Operation)

MOST_ELEMENTS = 2**40
"""The most elements of a blob; a larger shape is a mistake."""

PLACEMENT = "job.placement"
"""The attribute with the placement of an op or the module."""
PRECISION = "job.float32_matmul_precision"
"""The attribute of a module that says in what precision a GPU multiplies float32."""


class Recorded(Extending, Protocol):
    """What a trace knows of a blob."""

    @property
    def value(self) -> Value: ...
    @property
    def dtype(self) -> DType: ...


class Variable(Record, frozen=False):
    """A variable that the job uses: its blob, and the attributes of its argument."""

    name: str
    blob: Recorded
    attributes: dict[str, Any]
    location: Location
    given: dict[str, Any] = field(default_factory=dict)
    """The attributes that the program chose itself, by name: initializer, regularizer, trainable.

    Jobs that share a variable must agree on these; a default yields to a choice.
    """


class AssignedValue(Record):
    """The new value of a variable, and the line that assigns it."""

    value: Value
    location: Location


class Tensors(Protocol):
    """What `flow.jit` and graphs make of the tensors that a body computes with."""

    @property
    def detached(self) -> bool:
        """Whether no gradient flows through ops, as in `flow.no_grad`."""
        ...

    changes_blobs: bool
    """Whether blobs may be changed in place, as the tensors that they stand for."""

    def blob(self, tensor: Any) -> Recorded:
        """The blob that stands for a tensor."""
        ...

    def result(self, tensor: Any) -> Recorded | None:
        """The blob of a tensor that an op of the body made; None for others."""
        ...

    def made(self, tensor: Any) -> None:
        """Note a tensor that the body itself makes from numbers: it is the same in each call."""
        ...

    def read(self, tensor: Any) -> None:
        """Note that the body reads the numbers of a tensor: once they change, it is traced anew."""
        ...

    def floats(self, op: str, operand: Any, what: str) -> Any:
        """The operand of an op of floats, converted if it has integers."""
        ...

    def promoted(self, op: str, x: Any, y: Any, what: str) -> tuple[Recorded, Recorded]:
        """Two operands, one of which may be a number, as blobs of the type they have in common."""
        ...

    def assigned(self, target: Any, value: Any, what: str) -> Any:
        """Change a tensor or blob in place; returns it."""
        ...

    def put(self, target: Any, place: Any, value: Any) -> None:
        """`target[place] = value` for a tensor, if it changes blobs."""
        ...

    def rebound(self, target: Any, value: Any) -> Any:
        """`target op= other`, where `value` is the result of the op; returns the target."""
        ...

    def next_draw(self, generator: Any) -> Recorded:
        """The step of the next draw of a generator."""
        ...

    def backward(self, loss: Any, gradient: Any) -> None:
        """Note that a blob is a loss."""
        ...

    def needs_gradient(self, value: Value) -> bool:
        """Whether it depends on a tensor that requires gradients, as far as the body has run."""
        ...


class Trace(Record, frozen=False):
    """The job's body as recorded so far."""

    job: str
    job_type: str
    location: Location
    config: FunctionConfig
    variables: dict[str, Variable] = field(default_factory=dict)
    handlers: dict[str, list[Handler]] = field(default_factory=dict)
    """The handlers of each watch point, by name."""
    handlers_changed: Callable[[], object] = lambda: None
    """Called when handlers were removed, so that code that is compiled calls them no more."""
    callouts: dict[str, Any] = field(default_factory=dict)
    """The functions of the job's call-outs, by name, or `Recording`s of these."""
    called: dict[int, Callable[[], Callable[[], bool]]] = field(default_factory=dict)
    """For each module that the body calls, by its id, what makes the check, once the body has run,
    that the module has stayed the same."""
    gradient_hooks: dict[Value, dict[int, Any]] = field(default_factory=dict)
    """The hooks for gradients of values, by the numbers of their handles."""
    gates: list[tuple[Value, Operation]] = field(default_factory=list)
    """The ops that values pass for these hooks; `route_gates` lets all users read their results."""
    observes: bool = True
    """Whether handlers can watch its blobs."""
    updates: dict[str, AssignedValue] = field(default_factory=dict)
    """The values that the body assigns to variables for the next step, by name."""
    segments: dict[Config, int] = field(default_factory=dict)
    """The numbers of the scopes whose ops are computed again for gradients."""
    added: list[Recorded] = field(default_factory=list)
    """Losses added one by one."""
    minimized: Location | None = None
    """Where an optimizer's `minimize` was called."""
    differentiated: bool = False
    """Whether gradients were asked for as blobs."""
    names: dict[str, int] = field(default_factory=dict)
    tensors: Tensors | None = None
    """How tensors become blobs, where the body is that of a function of tensors."""
    placement: Placement | None = None
    """The devices of ops outside of any placement scope; None for the first CPU rank."""
    rank: int = 0
    """Of a body that each rank runs on arrays of its own, the rank whose trace this is."""
    parts_are_even: bool = True
    """Whether the arrays of all ranks have the same shapes."""
    depends_on_rank: bool = False
    """Whether the trace of another rank differs, though its arrays have the same shapes."""
    local: set[Value] = field(default_factory=set)
    """Values of which each rank has its own: those of the mirrored view."""
    clones: dict[Value, Value] = field(default_factory=dict)
    """What ranks read of values that they share, where they compute of their own."""
    batch_axes: dict[Value, int | None] = field(default_factory=dict)
    """The dimension of each feed along which there are samples."""

    def __post_init__(self) -> None:
        self.module = Module.empty(self.job)
        self.module.attributes["job.type"] = StringAttr(self.job_type)
        if self.placement is not None:
            self.module.attributes[PLACEMENT] = attribute(self.placement.describe())
        precision = self.config.precision
        if precision is not None:
            self.module.attributes[PRECISION] = StringAttr(precision)
        if self.config.memory is not None:
            self.module.attributes[MEMORY] = IntegerAttr(self.config.memory)
        self.function = Func.make(self.job, ())
        self.function.location = self.location
        self.module.body.append(self.function)
        self.builder = Builder.at_end(self.function.body)
        self.decoders: list[Decoder] = []
        """The feeds that the job reads from files, in order; they follow all others."""
        self._marks: list[dict[str, Any]] = []
        self._made_in: dict[Value, Placement] = {}
        self._meshes: set[Attribute] = set()
        """Placements on all devices of the job, in a mesh of several axes."""
        """The innermost placements where variables were made."""
        self.seeds: list[OutputGradient] = []
        """The ops that stand for the gradients of blobs with a custom gradient."""

    def note(self, blob: Recorded) -> None:
        """Know of a new blob."""

    @property
    def ranks(self) -> int:
        """On how many ranks an op runs that is appended here."""
        placement = current_placement() or self.placement
        return 1 if placement is None else placement.parallel_num

    def fresh(self, name: str) -> str:
        """`name`, with a number appended if the job already has it."""
        count = self.names.get(name, 0)
        self.names[name] = count + 1
        return name if count == 0 else Trace.fresh(self, f"{name}_{count}")

    def fresh_point(self, name: str) -> str:
        """`name`, with a number behind it if a watch point has it."""
        points = chain([name], (f"{name}_{number}" for number in count(2)))
        return next(point for point in points if point not in self.handlers)

    def next_name(self, name: str) -> str:
        """The name that `fresh` would return."""
        while count := self.names.get(name, 0):
            name = f"{name}_{count}"
        return name

    def value_named(self, name: str) -> Value | None:
        """The feed, variable or op result with this name; None if there is none."""
        results = (result for op in self.function.body for result in op.results)
        values = (*self.function.arguments, *results)
        return next((value for value in values if value.name == name), None)

    def argument(
        self,
        name: str,
        shape: Sequence[int],
        dtype: DType,
        location: Location,
        attributes: dict[str, Any],
    ) -> Value:
        """A new argument of the job's function; its attributes state its role."""
        argument = self.function.body.add_argument(tensor_type(shape, dtype), name, location)
        self._marks.append(attributes)
        made_in = current_placement()
        if made_in is not None and "job.variable" in attributes:
            self._made_in[argument] = made_in
        return argument

    def mark(self, value: Value, attributes: dict[str, Any]) -> None:
        """Add attributes to an argument of the job's function."""
        self._marks[self.function.arguments.index(value)] |= attributes

    def create(self, op: type[OpT], *operands: Value | Sequence[Value], **attributes: Any) -> OpT:
        """Append an op at the user's line, with the placement of the active scopes.

        Raises a located ValueError if operands or attributes do not fit.
        """
        self.builder.location = user_location()
        try:
            if self.local:
                operands = self._in_one_view(operands)
            created = self.builder.create(op, *operands, **attributes)
            created.verify()
        except IRError as error:
            raise relocated(error) from error.__cause__
        except ValueError as error:  # a number that the attribute cannot hold
            raise located(ValueError, f"{op.name}: {error}") from None
        for result in created.results:
            if isinstance(result.type, TensorType):
                _check_size(result.type, op.name)
        self._place(created, current_placement())
        segment = current_segment()
        if segment is not None:
            number = self.segments.setdefault(segment, len(self.segments))
            created.attributes[RECOMPUTE] = attribute(number)
        if self.tensors is not None and self.tensors.detached:
            created.attributes[DETACHED] = attribute(True)
        if op is not FromLocal and not self.local.isdisjoint(created.operands):
            self.local.update(created.results)
        return created

    def _place(self, created: Operation, placement: Placement | None) -> None:
        """Place an op where the active scopes say."""
        if placement is not None:
            created.attributes[PLACEMENT] = described = attribute(placement.describe())
            if placement.hierarchy and self._is_whole(placement):
                self._meshes.add(described)
            self._tell_of_part(placement)
        self._place_variables(created, placement)

    def _place_variables(self, reader: Operation, placement: Placement | None) -> None:
        """Note where variables are that are read on another kind of device."""
        for value in reader.operands:
            made_in = self._made_in.get(value)
            if made_in is None or placement is None:
                continue
            if made_in.device_tag != placement.device_tag:
                self.mark(value, {PLACEMENT: attribute(made_in.describe())})

    def _is_whole(self, placement: Placement) -> bool:
        """Whether a placement has all devices of the job, in their order."""
        whole = self.placement
        return whole is not None and list(placement.each()) == list(whole.each())

    def _tell_of_part(self, placement: Placement) -> None:
        """Say that ops on some ranks of the job run on all of them, in the mirrored view."""
        whole = self.placement
        if self.local and whole is not None and set(placement.each()) < set(whole.each()):
            tell_once(
                f"{placement} in {self.job}",
                f"{placement}: all {whole.parallel_num} ranks of job {self.job!r} compute the ops "
                f"that it places on {placement.parallel_num} of them, so values are the same",
            )

    def _place_others(self) -> None:
        """If some ops are on some of the devices, place the others on all, so that what the
        compiler inserts can be told from them."""
        ops = [op for op in self.function.body if isinstance(op, TensorOp)]
        self._take_mesh(ops)
        default = self.module.attributes.get(PLACEMENT)
        if default is not None and any(
            op.attributes.get(PLACEMENT, default) != default for op in ops
        ):
            for op in ops:
                op.attributes.setdefault(PLACEMENT, default)

    def _take_mesh(self, ops: Sequence[Operation]) -> None:
        """If ops arrange all devices of the job in one mesh, arrange them so for the others."""
        whole = self.placement
        if whole is None or whole.hierarchy:
            return
        found = {op.attributes[PLACEMENT] for op in ops if PLACEMENT in op.attributes}
        meshes = {mesh for mesh in found if mesh in self._meshes}
        if len(meshes) != 1:
            return
        (mesh,) = meshes
        self.module.attributes[PLACEMENT] = mesh
        for op in ops:
            if op.attributes.get(PLACEMENT) == mesh:
                del op.attributes[PLACEMENT]

    def _in_one_view(
        self, operands: Sequence[Value | Sequence[Value]]
    ) -> tuple[Value | Sequence[Value], ...]:
        """The operands of an op; if any is local, all others as each rank has them."""
        flat = [v for one in operands for v in ([one] if isinstance(one, Value) else one)]
        if self.local.isdisjoint(flat):
            return tuple(operands)
        return tuple(
            self.cloned(one) if isinstance(one, Value) else [self.cloned(v) for v in one]
            for one in operands
        )

    def cloned(self, value: Value) -> Value:
        """What each rank has of a value that all share; a local value itself."""
        if value in self.local:
            return value
        if value not in self.clones:
            self.clones[value] = clone = self.builder.create(ToLocal, value).result
            self.local.add(clone)
        return self.clones[value]

    def route_gates(self) -> None:
        """Let gradients pass the gates of values with hooks; done before gradients are taken."""
        for value, gate in self.gates:
            for user, position in list(value.uses):
                if user is not gate:
                    user.set_operand(position, gate.results[0])

    def routed(self, value: Value) -> Value:
        """The value behind the gate of this one; itself if it has none."""
        return next((gate.results[0] for one, gate in self.gates if one is value), value)

    def finish(self, results: Sequence[tuple[str, Recorded]]) -> None:
        """Complete the function: return the fetches, and state the roles of arguments and results.

        The extents of dynamic fetches are returned last.
        """
        self.route_gates()
        self._place_others()
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
        with relocating():
            for seed in self.seeds:
                seed.check_uses()
        self.function.update_type()
        self.function.set_all_argument_attributes(self._marks)
        changes = [{"job.update": name} for name in self.updates]
        self.function.set_all_result_attributes([*fetches, *changes])


def tensor_type(shape: Sequence[int], dtype: DType) -> TensorType:
    """The IR type of a blob."""
    type = TensorType(tuple(shape), element_type(dtype.numpy))
    _check_size(type, "a blob")
    return type


def _check_size(type: TensorType, what: str) -> None:
    if prod(type.shape) > MOST_ELEMENTS:
        raise located(
            ValueError,
            f"{what} of shape {type.shape} has more elements than any machine can hold; "
            "choose smaller dimensions",
        )


class _Traces(threading.local):
    def __init__(self) -> None:
        self.stack: list[Trace] = []


_traces = _Traces()


class Tracing:
    """`with Tracing(trace):` runs the body of that job; scopes entered outside do not apply."""

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
    """The trace of the job whose body runs on this thread."""
    return _traces.stack[-1] if _traces.stack else None


def current_trace(what: str) -> Trace:
    """The current trace, for `what`; NotImplementedError outside the body of a job."""
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
    """Raise an IR error as `relocated` converts it."""
    try:
        yield
    except IRError as error:
        raise relocated(error) from None


def relocated(error: IRError) -> Exception:
    """An IR error's first finding, as a ValueError at the line of its op, or at the user's current
    line if it has no op; or as a MemoryError, if memory ran out."""
    finding = error.diagnostics[0]
    where = finding.where if isinstance(finding.where, Location) else UNKNOWN
    kind = MemoryError if isinstance(error, OutOfMemory) else ValueError
    return located(kind, finding.message, None if where is UNKNOWN else where)
