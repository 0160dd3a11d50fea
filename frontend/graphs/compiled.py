"""A graph for inputs of one form: its stages, its code, and its variables, which are tensors."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

import numpy as np

from penstock.basics.errors import located
from penstock.basics.nest import rebuild
from penstock.functions.callouts import chosen
from penstock.graphs.lifting import GraphLifting
from penstock.graphs.tracing import GraphTrace, Plain, Returned
from penstock.graphs.training import Learner, Names, append_schedules, schedule_steps
from penstock.ir.dialects import builtin as ir
from penstock.ir.record import Record
from penstock.jobs.tapped import Watch, check_watch, handlers_by_tap
from penstock.lowering.modules import Modules
from penstock.nn.modules.module import Module
from penstock.process.collection import no_collection
from penstock.process.forks import making
from penstock.runtime import VariableStore
from penstock.runtime.description import Argument
from penstock.runtime.execution.frame import ARRAY_ALIGNMENT
from penstock.runtime.execution.runnable import Runnable
from penstock.runtime.execution.taps import Handlers
from penstock.runtime.memory import Refused, address_of
from penstock.runtime.mpi.launched import RanksDiffer
from penstock.stages.job_cache import compile_stages
from penstock.stages.job_stages import Compiled, Lowered, Traced
from penstock.stages.native import prepare
from penstock.stages.observed import Step, handlers_by_name
from penstock.stages.ranks import own_rank, runnable
from penstock.tensor_functions.blob_indexing import is_truth
from penstock.tensors.execute import truth
from penstock.tensors.graph import users_line
from penstock.tensors.inplace import check_writable
from penstock.tensors.modes import Observer, mode
from penstock.tensors.shared import gather_parts, whole_on
from penstock.tensors.tensor import Tensor, wrap
from penstock.trace.tracing import Variable

Array = np.ndarray[Any, Any]


class Staged(Record):
    """A variable whose tensor native code cannot use in place: copied before and after a step."""

    tensor: Tensor
    array: Array
    """The tensor's array when it was bound."""
    copy: Array
    updated: bool


class Built(Record, eq=False):
    """What tracing a graph made."""

    trace: GraphTrace
    lifting: GraphLifting
    inputs: list[str]
    outputs: Returned
    learners: Sequence[Learner]
    names: Sequence[Names]
    skipped: str | None
    """The variable that counts steps whose gradients were not finite."""
    modules: Sequence[Module]
    """Kept, since the graph tells its forms apart by the ids of modules."""
    kept: Sequence[Callable[[], bool]]
    """Whether modules that the body calls, but the graph does not have, are as they were."""

    def fits(self) -> bool:
        """Whether what tracing read beside the inputs and the graph's modules is the same."""
        return self.lifting.has_read_these() and all(is_kept() for is_kept in self.kept)


class CompiledGraph:
    """A graph traced for inputs of one form; it is compiled at the first step."""

    def __init__(self, built: Built, tell: Callable[[int, str], None]) -> None:
        self.built = built
        self._tell = tell
        self.name = built.trace.job
        self.type = built.trace.job_type
        self.truths = [is_truth(blob.value) for blob in built.outputs.blobs]
        """Which of its results are bools."""
        built.trace.handlers_changed = self._rebind
        self._traced = Traced(self.name, {"job": built.trace.module})
        self._modules = Modules("job", built.trace.module)
        self._compiled: Compiled | None = None
        self._executable: Runnable | None = None
        self._watches: list[Watch] = []
        self._tensors = list(built.lifting.tensors.values())
        self._arrays: list[Array] = []
        """The arrays of the tensors, as bound; a tensor may get another."""
        self._is_bound = False
        self._staged: list[Staged] = []
        self._draws: dict[str, int] = {}
        """The steps of random generators before a step, by the names of their variables."""
        self._own: dict[str, Array] = {}
        """The variables that are not tensors."""
        self._changed: list[Tensor] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        """Where the arrays of changed tensors begin and end, in order."""
        self._call: Callable[..., Any] = lambda *arrays: NotImplemented
        self._store = VariableStore()
        self._handlers: dict[int, list[Callable[[Any], object]]] = {}

    def _rebind(self) -> None:
        """Look up variables and handlers again, before the next step."""
        self._is_bound = False

    # -- stages ---------------------------------------------------------------------------------

    def trace(self) -> Traced:
        """Stage `job`."""
        return self._traced

    def lower(self) -> Lowered:
        """Stages `grad` to `loops`."""
        with making:
            return Lowered(self.name, dict(self._modules))

    def compile(self) -> Compiled:
        """All stages."""
        with making, no_collection():
            if self._compiled is None:
                self._tell(0, f"(GRAPH:{self.name}) starts to compile.")
                modules = own_rank(self.name, self._modules, None)
                self._compiled = compile_stages(self.name, modules, prepare)
                self._tell(0, f"(GRAPH:{self.name}) is compiled.")
            return self._compiled

    def _code(self) -> Runnable:
        """The machine code: with a tap for each named blob where some are watched."""
        if self._executable is None:
            callouts = self.built.trace.callouts
            if self._watches:
                modules = own_rank(self.name, self._modules.with_taps(), None)
                tapped = compile_stages(self.name, modules, prepare)
                self._executable = runnable(tapped, callouts)
            else:
                self._executable = runnable(self.compile(), callouts)
        return self._executable

    def watch(self, watches: Sequence[Watch], added: Watch | None = None) -> None:
        """Call handlers with the blobs that match their patterns, in every step.

        Raises what `check_watch` does of `added`, one of the watches, which then stay as they were.
        """
        if not self._watches and not watches:
            return
        before, code = self._watches, self._executable
        self._watches = list(watches)
        if not before or not watches:
            self._executable = None
        self._is_bound = False
        try:
            made = self._code()
            if added is not None:
                check_watch(added, made.description, self._subject)
        except BaseException:
            self._watches, self._executable = before, code
            raise

    @property
    def _subject(self) -> str:
        return f"graph {self.name!r}"

    @property
    def modules(self) -> Modules:
        return self._modules

    def with_schedules(self) -> Modules:
        """The stages for an artifact: a step also sets the rates of the next one."""
        if not schedule_steps(self.built.learners, self.built.names):
            return self._modules
        module = cast(ir.Module, self.built.trace.module.clone())
        append_schedules(module, self.built.learners, self.built.names)
        return Modules("job", module)

    def all_values(self) -> Mapping[str, Array]:
        """Copies of the variables of `with_schedules`."""
        steps = schedule_steps(self.built.learners, self.built.names)
        counts = {name: np.array(step, np.int64) for name, step in steps.items()}
        return {**self.values(), **counts}

    def called_functions(self) -> dict[str, Callable[..., Any]]:
        """The functions of its call-outs, by name."""
        described = self.compile().program.description
        names = [one["name"] for one in described.get("callouts", ())]
        return chosen(self.built.trace.callouts, names)

    def variables(self) -> list[Variable]:
        """The variables of the job."""
        return list(self.built.trace.variables.values())

    # -- variables ------------------------------------------------------------------------------

    def _bind(self) -> None:
        """Let the variables be the arrays that the tensors have now."""
        code = self._code()
        own = self.built.trace.handlers
        self._handlers = handlers_by_tap(code.description, own, self._watches, self._subject)
        store = VariableStore()
        tensors = self.built.lifting.tensors
        self._staged, self._own, self._changed = [], {}, []
        self._arrays = [tensor.array for tensor in self._tensors]
        self._is_bound = True
        updated = self.built.trace.updates
        changed = [tensors[name].array for name in updated if name in tensors]
        for argument in code.description.variables:
            held = tensors.get(argument.name)
            if held is None:
                self._own[argument.name] = store.ensure(argument, self.name)
                continue
            is_updated = argument.name in updated
            if is_updated:
                self._changed.append(held)
            array = self._usable(held, argument, is_updated, changed)
            store.share(argument, self.name, array)
        spans = sorted((address_of(t.array), t.array.nbytes) for t in self._changed)
        self._starts = [start for start, _ in spans]
        self._ends = [start + size for start, size in spans]
        self._store = store
        try:
            call = code.call(store, "tuple", self._handlers)
        except Refused as error:
            raise located(MemoryError, f"graph {self.name!r}: {error}") from None
        self._call = call or (lambda *arrays: NotImplemented)

    def _usable(
        self, tensor: Tensor, argument: Argument, updated: bool, changed: Sequence[Array]
    ) -> Array:
        """The tensor's array where native code can use it in place, else a copy."""
        array = tensor.array
        if (array.shape, tensor.dtype.word) != (argument.shape, argument.dtype):
            raise located(
                ValueError,
                f"tensor {argument.name!r} of graph {self.name!r} was {argument.dtype} of shape "
                f"{argument.shape} and is now {tensor.dtype.word} of shape {array.shape}; make "
                "another graph",
            )
        if updated:
            check_writable(tensor, f"an update of {argument.name!r} in graph {self.name!r}")
        others = [other for other in changed if other is not array]
        overlaps = any(np.may_share_memory(array, other) for other in others)
        if updated and overlaps:
            raise located(
                RuntimeError,
                f"graph {self.name!r} updates {argument.name!r}, which shares elements with "
                "another tensor that it updates; use one tensor for both",
            )
        fits = array.flags.c_contiguous and address_of(array) % ARRAY_ALIGNMENT == 0
        if fits and not overlaps:
            return array
        copy = np.ascontiguousarray(array).copy().reshape(array.shape)
        self._staged.append(Staged(tensor, array, copy, updated))
        return copy

    def values(self) -> Mapping[str, Array]:
        """Copies of the variables' values."""
        self._prepare()
        for staged in self._staged:
            np.copyto(staged.copy, staged.array)
        self._begin()
        return dict(self._store.items())

    def _prepare(self) -> None:
        arrays = self._arrays
        if not self._is_bound or any(
            tensor.array is not array for tensor, array in zip(self._tensors, arrays, strict=True)
        ):
            self._bind()

    # -- steps ----------------------------------------------------------------------------------

    def step(self, tensors: Sequence[Tensor]) -> Any:
        """Run a step, and return what `build` returned, with tensors."""
        self._prepare()
        for staged in self._staged:
            np.copyto(staged.copy, staged.array)
        self._begin()
        arrays = [self._apart(tensor.array) for tensor in tensors]
        try:
            for generator, (_, draws) in self.built.lifting.generators.items():
                generator._step += draws  # What the step calls out to draws other numbers.
            if mode.observer is not None:
                results = self._observed(mode.observer, arrays)
            else:
                results = self._call(*arrays)
            if results is NotImplemented:
                results = self._slowly(arrays)
        finally:
            self._finish()
        outputs = [wrap(array) for array in results]
        layout = self.built.trace.layout
        if layout is not None:
            for changed in self._changed:
                gather_parts(changed)
            for output in outputs:
                output.layout = whole_on(layout)
        for i, is_truth_ in enumerate(self.truths):
            if is_truth_:
                outputs[i] = truth(outputs[i])
        return rebuild(
            self.built.outputs.nest,
            lambda leaf: leaf.value if isinstance(leaf, Plain) else outputs[leaf],
        )

    def _slowly(self, arrays: Sequence[Array]) -> Sequence[Array]:
        return self._run(self._code(), self._handlers, arrays)

    def _observed(self, observer: Observer, arrays: Sequence[Array]) -> Sequence[Array]:
        """Have an observer run the step."""
        handlers = handlers_by_name(self._code(), self._handlers)
        run = partial(self._run, arrays=arrays)
        callouts = self.built.trace.callouts
        return observer.step(
            Step(self._subject, self, self._modules, handlers, self._store, run, callouts)
        )

    def _run(self, code: Runnable, handlers: Handlers, arrays: Sequence[Array]) -> Sequence[Array]:
        given = [np.require(array, requirements="C").reshape(array.shape) for array in arrays]
        try:
            return code.run(given, self._store, handlers)
        except Refused as error:
            raise located(MemoryError, f"graph {self.name!r}: {error}") from None
        except RanksDiffer as error:
            raise located(RanksDiffer, str(error)) from None

    def _apart(self, array: Array) -> Array:
        """An input; a copy of it if the step would overwrite it as a variable."""
        if self._changed:
            start = address_of(array)
            place = bisect_right(self._ends, start)
            if place < len(self._ends) and self._starts[place] < start + array.nbytes:
                return array.copy()
            if not array.flags.c_contiguous:
                shared = any(np.may_share_memory(array, one.array) for one in self._changed)
                return array.copy() if shared else array
        return array

    def _begin(self) -> None:
        """Set the variables that follow Python's state: steps, rates, random generators."""
        own, built = self._own, self.built
        for learner, names in zip(built.learners, built.names, strict=True):
            optimizer = learner.optimizer
            own[names.step][...] = optimizer.state.get("step", 0)
            for group, name in zip(optimizer.param_groups, names.rates, strict=True):
                if name in own:
                    own[name][...] = group["lr"]
        if built.skipped is not None:
            own[built.skipped][...] = 0
        for generator, (blob, _) in built.lifting.generators.items():
            own[blob.name][...] = self._draws[blob.name] = generator._step

    def _finish(self) -> None:
        """Note in Python's state that a step has run, if it has."""
        own, built = self._own, self.built
        if not self._has_run():
            for generator, (blob, _) in built.lifting.generators.items():
                generator._step = self._draws[blob.name]
            return
        for staged in self._staged:
            if staged.updated:
                np.copyto(staged.array, staged.copy)
        line = users_line() if self._changed else None
        for tensor in self._changed:
            changes = tensor.all_changes
            changes.count += 1
            changes.line = line
        for learner, names in zip(built.learners, built.names, strict=True):
            learner.optimizer.state["step"] = int(own[names.step])
            if learner.schedule is not None:
                learner.schedule.step()

    def _has_run(self) -> bool:
        """Whether the step is complete: a signal may end it before it changes anything."""
        own, built = self._own, self.built
        for learner, names in zip(built.learners, built.names, strict=True):
            if own[names.step] != learner.optimizer.state.get("step", 0):
                return True
        if built.skipped is not None:
            return bool(own[built.skipped] != 0)
        for blob, _ in built.lifting.generators.values():
            if own[blob.name] != self._draws[blob.name]:
                return True
        return not built.learners and not built.lifting.generators
