"""`flow.global_function`: job functions, traced when first needed and run as one native call."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MethodType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from penstock.artifacts.sources import OwnArrays, Source
from penstock.basics.checks import check_count
from penstock.basics.errors import function_location, kind_of, located
from penstock.basics.nest import rebuild
from penstock.basics.notices import tell_once
from penstock.functions.callouts import chosen
from penstock.ir.location import Location
from penstock.jobs.functions import (
    check_function,
    is_method,
    location_of,
    name_of,
)
from penstock.jobs.mirrored import Future, deliver_to_callback, local
from penstock.jobs.results import (
    Arrays,
    Callbacks,
    Nothing,
    TensorList,
    Tuples,
    Unannotated,
    check_result,
)
from penstock.jobs.session import Session, default_session, named
from penstock.jobs.signature import FeedForm, Signature, parse_signature
from penstock.jobs.tapped import Watch, check_watch, handlers_by_tap
from penstock.jobs.typed import Called, Decorator
from penstock.lowering.modules import Modules
from penstock.process.collection import no_collection
from penstock.process.forks import making
from penstock.process.imported_script import refuse_in_import
from penstock.process.steps import submit, wait_for_steps
from penstock.runtime import VariableStore
from penstock.runtime.artifacts.manifest import sized_name
from penstock.runtime.device_error import DeviceError
from penstock.runtime.execution.extents import Trim, trimmer
from penstock.runtime.execution.job import serve, unattached
from penstock.runtime.execution.points import Pattern
from penstock.runtime.execution.runnable import Form, Runnable
from penstock.runtime.memory import Refused
from penstock.runtime.mpi.launched import RanksDiffer
from penstock.scope import whole_run
from penstock.stages.job_cache import compile_stages
from penstock.stages.job_stages import Compiled, Lowered, Traced
from penstock.stages.native import prepare
from penstock.stages.observed import Step, handlers_by_name
from penstock.stages.on_device import on_line
from penstock.stages.ranks import Mirrored, own_rank, runnable
from penstock.tensors.modes import is_observed, mode, observed_by
from penstock.trace.blob import Blob, feed
from penstock.trace.by_rank import local_names, traces_of_ranks
from penstock.trace.job_config import FunctionConfig
from penstock.trace.read_feeds import next_batch
from penstock.trace.tracing import Trace, Tracing, Variable, active_trace
from penstock.typing import Placeholder

if TYPE_CHECKING:
    from penstock.runtime.profiling.profile import Profile

P = ParamSpec("P")
R = TypeVar("R")
Array = np.ndarray[Any, np.dtype[Any]]

RESERVED = "penstock_"
"""The prefix of functions that the runtime provides."""

MOST_SHAPES = 64
"""For how many shapes of arrays in lists code of a job is kept."""

_TYPES = ("train", "predict")

_ARRAY = Arrays("Numpy")


class JobFunction(Called[P, R]):
    """A decorated job function: call it with arrays, or inspect its stages.

    `trace()`, `lower()` and `compile()` make stages without starting the session.
    """

    __name__: str

    def __init__(
        self,
        function: Callable[..., R],
        type: str,
        config: FunctionConfig,
        session: Session,
        name: str = "",
        signature: Signature | None = None,
        of_ranks: Sequence[Signature] = (),
    ) -> None:
        functools.update_wrapper(self, function)
        self.__name__ = self.name = name or name_of(function)
        self.type = type
        self.signature = signature or parse_signature(function, self.name)
        self._forms = tuple((p.shape, p.is_tensor_list) for _, p in self.signature.feeds())
        self._of_ranks = of_ranks
        """The signatures of the ranks, where each has arrays of its own."""
        self._others: dict[tuple[tuple[FeedForm, ...], ...], JobFunction[P, R]] = {}
        """The same job for smaller arrays and tensor lists, by the forms of each rank's feeds."""
        self._function = function
        self._config = config
        self.session = session
        self._is_tracing = False
        self._trace: Trace | None = None
        self._rank_traces: list[Trace] = []
        """The traces of all ranks, if each runs the body on arrays of its own."""
        self._returned: Any = None
        self._local_results: frozenset[int] = frozenset()
        """The numbers of the results of which each rank has its own."""
        self._tensor_lists: set[int] = set()
        """The numbers of the results that are returned as lists of arrays."""
        self._traced: Traced | None = None
        self._modules: Modules | None = None
        self._lowered: Lowered | None = None
        self._compiled: Compiled | None = None
        self._handlers: dict[int, list[Callable[[Any], object]]] = {}
        self._watches: list[Watch] = []
        self._codes: dict[bool, Runnable] = {}
        """The machine code, and that with a tap for each named blob."""
        self._native = unattached
        self._trim: Trim | None = None
        self.executable: Runnable
        if signature is None:
            session.add(self)

    def __repr__(self) -> str:
        return f"<{self.type} job {self.name} ({self.signature.location.describe()})>"

    def _repr_html_(self) -> str:
        """The job in a notebook: what it takes and gives, and its stages if it was compiled."""
        from penstock.reports.summary import job_html

        given = [(name, str(p.dtype), str(p.shape)) for name, p in self.signature.feeds()]
        made = self._compiled or self._lowered or self._traced
        found = job_html(repr(self), given, str(self.signature.returns))
        return found if made is None else found + made._repr_html_()

    if not TYPE_CHECKING:

        def __call__(self, *args: object, **kwargs: object) -> R:
            """Run one step; takes arrays, returns what the return annotation says."""
            # `attach` replaces this method, except for jobs whose results need to be delivered.
            if not kwargs:
                results = self._native(*args)
                if results is not NotImplemented:
                    return self._deliver(results)
            return self._call(*args, **kwargs)

    def _call(self, *args: object, **kwargs: object) -> R:
        """A call that is the first one, unusual, or wrong."""
        trace = active_trace()
        if trace is not None:
            raise located(
                NotImplementedError,
                f"job {self.name!r} is called in the body of job {trace.job!r}; call jobs with "
                "arrays, outside of any body",
            )
        if self.type == "train":
            refuse_in_import(f"job {self.name!r} trains")
        job, values = self._bound(args, kwargs)
        return job._step(values)

    def _bound(
        self, args: tuple[object, ...], kwargs: dict[str, object]
    ) -> tuple[JobFunction[P, R], list[object]]:
        """The job for arguments of these forms, which has joined the session, and the arguments."""
        self._check_current()
        ranks = self._ranks
        values = self.signature.bind(args, kwargs, ranks)
        self.session.start(named(self), self)
        arrays = [value.array if isinstance(value, TensorList) else value for value in values]
        forms = tuple(self.signature.forms_of(values, rank) for rank in range(ranks))
        return self._of_forms(forms), arrays

    def step_of(self, *args: object, **kwargs: object) -> tuple[Modules, dict[str, Array]]:
        """What a call with these arguments would run, and on which arrays: its stages, and copies
        of feeds and variables by name. Records that the job reads from files are used up."""
        job, values = self._bound(args, kwargs)
        arrays = [*job._arrays(values), *job._decoded()]
        description = job.executable.description
        variables = dict(self.session.store.items())
        found = dict(zip([feed.name for feed in description.feeds], arrays, strict=True))
        found |= {one.name: variables[one.name] for one in description.variables}
        return job._stages(), found

    @property
    def _ranks(self) -> int:
        """How many ranks get arrays of their own; 1 if they share all feeds."""
        placement = (self._config.placement or whole_run()) if self.signature.is_mirrored else None
        return 1 if placement is None else placement.parallel_num

    def _of_forms(self, forms: tuple[tuple[FeedForm, ...], ...]) -> JobFunction[P, R]:
        """This job, or the same one for smaller arrays in lists, or for tensor lists.

        It shares the variables, and is compiled when it is first called.
        """
        if set(forms) == {self._forms}:
            return self
        job = self._others.get(forms)
        if job is None:
            own = [self.signature.of_forms(form) for form in forms]
            job = JobFunction(
                self._function, self.type, self._config, self.session, self.name, own[0], own
            )
            job._watches = self._watches
            self.session.start(named(self), job)
            self._others[forms] = job
            if len(self._others) > MOST_SHAPES:
                self.session.forget(self._others.pop(next(iter(self._others))))
        return job

    def _step(self, values: list[object]) -> R:
        # In this order, so that a rejected call uses up no records.
        arrays = [*self._arrays(values), *self._decoded()]
        if self._returns_at_once and not self.session.watches() and mode.observer is None:
            self.session.detach_all()
            # Copied, because the caller may change them before the step runs.
            copies = [array.copy() for array in arrays]
            future = submit(lambda: self._given(self._run(copies)))
            later: R = self._promised(future.result)
            return later
        wait_for_steps()
        delivered: R = self._deliver(self._run(arrays))
        if self._native is unattached:
            self.attach(self.session.store)
        return delivered

    def _run(self, arrays: Sequence[Array]) -> Sequence[Array]:
        code, store = self.executable, self.session.store
        with self._within_memory():
            if mode.observer is None:
                return code.run_accepted(arrays, store, self._handlers)
            step = Step(
                self._subject, self, self._stages(), handlers_by_name(code, self._handlers),
                store, lambda other, handlers: other.run_accepted(arrays, store, handlers),
                self.callouts,
            )  # fmt: skip
            return mode.observer.step(step)

    def trace(self) -> Traced:
        """Run the body once, recording its ops: stage `job`."""
        with making, no_collection():
            if self._is_tracing:
                raise located(
                    NotImplementedError,
                    f"the stages of job {self.name!r} were requested in its own body, which is "
                    "still being traced; request them outside of it",
                )
            if self._traced is None:
                self._is_tracing = True
                try:
                    self._trace = self._run_body()
                    if self._trace.local:
                        self._rank_traces = traces_of_ranks(self._trace, self._run_body)
                finally:
                    self._is_tracing = False
                self._traced = Traced(self.name, {"job": self._trace.module})
            return self._traced

    def lower(self) -> Lowered:
        """Differentiate, place, fuse and plan: stages `grad` to `loops`."""
        with making:
            if self._lowered is None:
                self._lowered = Lowered(self.name, dict(self._stages()))
            return self._lowered

    def compile(self) -> Compiled:
        """Generate machine code: stages `llvm` and `asm`."""
        with making, no_collection():
            if self._compiled is None:
                mirrored = self._mirrored()
                modules = own_rank(self.name, self._stages(), mirrored)
                compiled = compile_stages(self.name, modules, prepare)
                self._codes[False] = runnable(compiled, self.callouts, mirrored)
                self._follow(self._watches)
                self._trim = trimmer(self.executable.description.fetches)
                self._compiled = compiled
            return self._compiled

    def watch(self, pattern: Pattern, handler: Callable[..., object]) -> Callable[[], None]:
        """Call the handler with the blobs that match a pattern, in every step from now on.

        A pattern is the name of a blob, such as `hidden_matmul` or `hidden-weight/grad`, a glob
        over names, a line such as `train.py:21`, or a list of these. A handler with two parameters
        gets the blob's name and its array; one with one parameter gets the array. Call the result
        to stop.

        The first use compiles the job a second time, with a tap for each named blob; while anyone
        watches, that code runs. It computes the same bits. Without watches the usual code runs.
        Raises a located ValueError if nothing matches, and a located TypeError for a handler or a
        pattern of a wrong type.

        >>> import numpy as np
        >>> import penstock as flow
        >>> import penstock.typing as tp
        >>> flow.clear_default_session()
        >>> @flow.global_function()
        ... def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
        ...     return flow.math.exp(x, name="powers") + 1.0
        >>> stop = job.watch("powers", lambda name, array: print(name, array))
        >>> job(np.zeros(2, np.float32))
        powers [1. 1.]
        array([2., 2.], dtype=float32)
        >>> stop()
        """
        self._check_current()
        added = Watch(pattern, handler)
        with making:
            self.compile()
            check_watch(added, self._code(True).description, self._subject)
            self._follow([*self._watches, added])

        def stop() -> None:
            with making:
                self._follow([one for one in self._watches if one is not added])

        return stop

    def profile(self, *args: object, steps: int = 10, **kwargs: object) -> Profile:
        """Run steps with these arguments, and record where their time goes.

        They are real steps: those of a train job change its variables. Printing the result shows
        tables of kernels, of lines, of threads and of the arena. `flow.debug.profile()` records the
        calls in a `with` block.

        Raises a located error for what a call would raise, and for less than one step.
        """
        # Few programs need it.
        from penstock.stages.profiling import Profiler

        count = check_count(steps, "steps of profile")
        profiler = Profiler()
        with observed_by(profiler):
            self.detach()
            for _ in range(count):
                self._call(*args, **kwargs)
        return profiler.profile

    def _follow(self, watches: list[Watch]) -> None:
        """Watch blobs from the next call on, in this job and those made of it."""
        self._watches = watches
        if not self._codes:
            return
        self.executable = code = self._code(bool(watches))
        assert self._trace is not None
        own = self._trace.handlers
        self._handlers = handlers_by_tap(code.description, own, watches, self._subject)
        self.detach()
        for job in self._others.values():
            job._follow(watches)

    def _code(self, tapped: bool) -> Runnable:
        if tapped not in self._codes:
            mirrored = self._mirrored()
            with_taps = None if mirrored is None else mirrored.with_taps()
            modules = own_rank(self.name, self._stages().with_taps(), with_taps)
            stages = compile_stages(self.name, modules, prepare)
            self._codes[tapped] = runnable(stages, self.callouts, with_taps)
        return self._codes[tapped]

    @property
    def _subject(self) -> str:
        return f"job {self.name!r}"

    def attach(self, store: VariableStore) -> None:
        """Route ordinary calls through native code, on the variables of a session that has
        started."""
        # Only for plain arrays. Lists and nests are unpacked and checked first, and feeds that the
        # job reads from files are added.
        assert self._trace is not None
        if not self.signature.is_flat or self._trace.decoders or self._returns_at_once:
            return
        if is_observed():
            return
        form, is_delivered = self._native_form()
        with self._within_memory():
            call = self.executable.call(store, form, self._handlers)
        if call is not None:
            self._native = call
            if is_delivered:
                serve(self, JobFunction, self.executable.serve(self._call))

    def detach(self) -> None:
        """Go back to checking every call."""
        self._native = unattached
        serve(self, JobFunction, None)

    def variables(self) -> list[Variable]:
        """The variables that its body uses, in order."""
        self.trace()
        assert self._trace is not None
        return list(self._trace.variables.values())

    def source(self) -> Source:
        """The source for compiling it ahead of time, with its variables if the session has
        started."""
        return Source(
            self.name,
            lambda: Modules("job", self.trace().modules["job"]),
            lambda: {} if self.session.started is None else dict(self.session.store.items()),
            self,
            self._source_of_size,
            self._own_arrays,
        )

    def _source_of_size(self, size: int) -> Source:
        """The source of the same job for another batch size, under a name with that size."""
        made: JobFunction[P, R] = JobFunction(
            self._function, self.type, self._config, self.session, self.name,
            self.signature.of_size(size),
        )  # fmt: skip
        name = sized_name(self.name, size)

        def modules() -> Modules:
            module = made.trace().modules["job"]
            function = module.job
            module.sym_name = function.sym_name = name
            return Modules("job", module)

        return Source(name, modules, self.source().values, made, own_arrays=made._own_arrays)

    # -- internals ------------------------------------------------------------------------------

    def _stages(self) -> Modules:
        """The IR stages, made on demand."""
        traced = self.trace()
        if self._modules is None:
            self._modules = Modules("job", traced.modules["job"])
        return self._modules

    def _own_arrays(self) -> OwnArrays | None:
        """What ranks have of their own, if anything, for an artifact."""
        self.trace()
        if not self._rank_traces:
            return None
        first = self._rank_traces[0]
        modules = tuple(
            None if trace is first else Modules("job", trace.module, rank=rank)
            for rank, trace in enumerate(self._rank_traces)
        )
        feeds = tuple(n for n, p in self.signature.feeds() if p.kind != "Numpy")
        blobs = tuple(sorted(local_names(first)))
        return OwnArrays(modules, feeds, tuple(sorted(self._local_results)), blobs)

    def _mirrored(self) -> Mirrored | None:
        """What ranks have of their own, if anything."""
        first = self._stages()
        if not self._rank_traces:
            return None
        modules = [first]
        for rank, trace in enumerate(self._rank_traces[1:], 1):
            is_same = trace is self._rank_traces[0]
            own = modules[0].for_rank(rank) if is_same else Modules("job", trace.module, rank=rank)
            modules.append(own)
        return Mirrored(tuple(modules), self._local_results, local_names(self._rank_traces[0]))

    def _check_current(self) -> None:
        if self.session.closed:
            raise located(
                ValueError,
                f"job {self.name!r} ({self.signature.location.describe()}) belongs to the session "
                "that flow.clear_default_session() closed; define it again",
            )
        current = self.session.jobs[self.name]
        if current is not self:
            raise located(
                ValueError,
                f"job {self.name!r} ({self.signature.location.describe()}) was replaced by a later "
                f"job of its name ({current.signature.location.describe()}); rename one of them",
            )

    def _run_body(self, rank: int = 0) -> Trace:
        signature = self._of_ranks[rank] if self._of_ranks else self.signature
        location = signature.location
        placement = self._config.placement or whole_run()
        trace = Trace(self.name, self.type, location, self._config, placement=placement, rank=rank)
        shapes = {tuple(p.shape for _, p in one.feeds()) for one in self._of_ranks}
        trace.parts_are_even = len(shapes) <= 1
        trace.handlers_changed = lambda: self._follow(self._watches)
        with Tracing(trace):
            declared = signature.feeds()
            feeds = iter([_feed(trace, n, p, location) for n, p in declared])
            arguments = [
                rebuild(parameter.nest, lambda _: next(feeds)) for parameter in signature.parameters
            ]
            returned = signature.called(self._function, arguments)
            results = check_result(returned, signature.returns, self.name, location)
            if self.type == "train" and trace.minimized is None and not trace.differentiated:
                raise located(
                    ValueError,
                    f"train job {self.name!r} has no optimizer; call e.g. "
                    "flow.optimizer.SGD(lr=0.1).minimize(loss) in its body, ask for gradients with "
                    "flow.gradients(y, x), or make it a predict job",
                    location,
                )
            trace.finish(results)
        self._tensor_lists = {i for i, (_, blob) in enumerate(results) if blob.is_tensor_list}
        self._local_results = frozenset(i for i, (_, b) in enumerate(results) if b.is_local)
        numbers = iter(range(len(results)))
        self._returned = rebuild(returned, lambda leaf: None if leaf is None else next(numbers))
        return trace

    def _arrays(self, values: list[object]) -> list[Array]:
        """The arguments of a call as arrays of the right shape and dtype, or a located error."""
        assert self._trace is not None
        try:
            return self.executable.accept(values, len(self._trace.decoders))
        except (TypeError, ValueError) as error:
            raise located(type(error), str(error)) from None

    @contextmanager
    def _within_memory(self) -> Iterator[None]:
        try:
            yield
        except Refused as error:
            raise located(MemoryError, f"job {self.name!r}: {error}") from None
        except RanksDiffer as error:
            raise located(RanksDiffer, str(error)) from None
        except DeviceError as error:
            raise on_line(error) from None

    def _decoded(self) -> list[Array]:
        """The feeds that the job reads from files; they follow those of the signature."""
        assert self._trace is not None
        return next_batch(self._trace.decoders)

    def _native_form(self) -> tuple[Form, bool]:
        """How a native call returns the fetches, and whether the caller gets exactly that."""
        returns = self.signature.returns
        if isinstance(returns, Nothing):
            return "none", True
        if returns == _ARRAY:
            return "one", True
        flat = isinstance(returns, Tuples) and all(member == _ARRAY for member in returns.members)
        return "tuple", flat and self._returned == tuple(range(len(self._returned)))

    def _rebuilt(self, leaf: Callable[[int], Any]) -> Any:
        """The nest that the body returned, with `leaf(number)` in place of each blob."""
        return rebuild(self._returned, lambda number: None if number is None else leaf(number))

    def _deliver(self, results: Sequence[Array]) -> Any:
        delivered = self._given(results)
        return self._promised(lambda: delivered) if self._returns_at_once else delivered

    def _given(self, results: Sequence[Array]) -> Any:
        """The results in the form that the return annotation promises."""
        if self._trim is not None:
            results = self._trim(results)
        given: Sequence[Array | TensorList] = results
        if self._tensor_lists:
            given = [TensorList(r) if i in self._tensor_lists else r for i, r in enumerate(results)]
        returns = self.signature.returns
        if isinstance(returns, Unannotated):
            fetches = self.executable.description.fetches
            return self._rebuilt(lambda i: local(given[i], bool(fetches[i].extent)))
        return returns.deliver(self._rebuilt(given.__getitem__))

    @property
    def _returns_at_once(self) -> bool:
        """Whether a call gives something that waits for the results."""
        return isinstance(self.signature.returns, Unannotated | Callbacks)

    def _promised(self, result: Callable[[], Any]) -> Any:
        """What such a call gives."""
        if isinstance(self.signature.returns, Callbacks):
            return deliver_to_callback(self.name, result)
        return Future(self.name, result)

    @property
    def is_watched(self) -> bool:
        """Whether handlers or call-outs run in its steps, on the thread that calls it."""
        return bool(self._handlers or self.callouts)

    @property
    def callouts(self) -> Mapping[str, Any]:
        """The functions of its call-outs, by name."""
        return {} if self._trace is None else self._trace.callouts

    def called_functions(self) -> dict[str, Callable[..., Any]]:
        """The Python functions of arrays that it calls out to, by name: what a program that loads
        its artifact passes to `penstock.runtime.load(path, callouts=...)`."""
        described = self.compile().program.description
        return chosen(self.callouts, [one["name"] for one in described.get("callouts", ())])


def _feed(trace: Trace, name: str, placeholder: Placeholder, location: Location) -> Blob:
    is_local = placeholder.kind != "Numpy" and trace.ranks > 1
    made = feed(trace, name, placeholder.shape, placeholder.dtype, location, is_local)
    made.is_tensor_list = placeholder.is_tensor_list
    trace.batch_axes[made.value] = placeholder.batch_axis
    return made


def global_function(
    type: str = "predict", function_config: FunctionConfig | None = None
) -> Decorator:
    """Turn a function into a job: its body describes a network over placeholders.

    `type` is "predict" or "train"; the body of a train job calls an optimizer's `minimize`.
    Decoration only checks the parameters and the return annotation.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def twice(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    ...     return x + x
    >>> twice(np.array([1, 2, 3], np.float32))
    array([2., 4., 6.], dtype=float32)
    """
    if isinstance(type, FunctionConfig):
        tell_once(
            "global_function",
            "a config as first argument of flow.global_function is deprecated; write "
            'flow.global_function(type="train", function_config=...) instead',
        )
        function_config = type
        type = "train" if function_config.trains else "predict"
    if callable(type):
        raise located(
            TypeError,
            "flow.global_function was used as a decorator without being called; write "
            "@flow.global_function() with parentheses",
            function_location(type),
        )
    if type not in _TYPES:
        raise located(
            ValueError,
            f'the type of flow.global_function must be "train" or "predict", got {kind_of(type)}',
        )
    if function_config is not None and not isinstance(function_config, FunctionConfig):
        raise located(
            TypeError,
            "function_config of flow.global_function takes flow.function_config(), "
            f"got {kind_of(function_config)}",
        )
    # Cloned, so that two jobs with the same config object do not share later settings.
    config = FunctionConfig() if function_config is None else function_config.clone()

    def decorate(function: Callable[..., Any]) -> Any:
        check_function(function)
        name = name_of(function)
        if name.startswith(RESERVED):
            raise located(
                ValueError,
                f"a job cannot be called {name}: names that begin with {RESERVED} "
                "belong to the functions that a compiled job calls; choose another",
                location_of(function),
            )
        if inspect.isfunction(function) and is_method(function):
            return JobMethod(function, type, config)
        return JobFunction(function, type, config, default_session())

    return decorate


class JobMethod:
    """A job defined in a class: each object has one of its own, made when it is first used.

    That of the first object has the method's name; those of others have numbers behind it.
    """

    def __init__(self, function: Callable[..., Any], type: str, config: FunctionConfig) -> None:
        self.__doc__ = function.__doc__
        self._function = function
        self._type = type
        self._config = config

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        name = self._function.__qualname__
        owner, _, method = name.rpartition(".")
        raise located(
            TypeError,
            f"job {name} is a method: call it on an object, {owner}(...).{method}(...)",
        )

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        if instance is None:
            return self
        session = default_session()
        kept = vars(instance).setdefault("_penstock_jobs", {})
        bound = kept.get(self._function)
        if bound is None or bound.session is not session:
            name = _free(name_of(self._function), session.jobs)
            method = MethodType(self._function, instance)
            bound = kept[self._function] = JobFunction(
                method, self._type, self._config, session, name
            )
        return bound


def _free(name: str, taken: Container[str]) -> str:
    """The name, or where it is taken, that with a number behind it."""
    numbered = (f"{name}_{count}" for count in itertools.count(2))
    return next(word for word in itertools.chain((name,), numbered) if word not in taken)
