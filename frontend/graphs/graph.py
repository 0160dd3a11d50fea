"""`flow.nn.Graph`: a network as a job, trained or evaluated by native calls."""

from __future__ import annotations

import functools
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from penstock.artifacts.sources import Source
from penstock.basics.checks import check_count, check_integer
from penstock.basics.errors import kind_of, located, user_location
from penstock.graphs.blocks import GraphModule
from penstock.graphs.building import build, by_position
from penstock.graphs.compiled import CompiledGraph
from penstock.graphs.config import GraphConfig
from penstock.graphs.debugging import Debug
from penstock.graphs.forms import Form, difference, form_of
from penstock.graphs.printing import graph_lines
from penstock.graphs.scalers import Scaler
from penstock.graphs.state import (
    LoadedGraph,
    load,
    load_rest,
    runtime_state,
    share,
    state_of,
)
from penstock.graphs.training import check_learner
from penstock.ir.location import Location
from penstock.jobs.functions import location_of
from penstock.jobs.tapped import Watch
from penstock.nn.hooks.calls import hooks_of
from penstock.nn.modules.module import Module
from penstock.process.collection import no_collection
from penstock.process.forks import making
from penstock.process.imported_script import refuse_in_import
from penstock.runtime.execution.points import Pattern
from penstock.stages.job_stages import Compiled, Lowered, Traced
from penstock.tensors.modes import observed_by
from penstock.trace.tracing import Variable, active_trace

if TYPE_CHECKING:
    from penstock.runtime.profiling.profile import Profile

_MOST = 64
"""The most forms of inputs and states of modules for which code is kept."""


_ELSEWHERE = {
    "parameters": "its modules have parameters",
    "train": "its modules have train() and eval(), which it follows",
    "eval": "its modules have train() and eval(), which it follows",
}
"""What graphs lack, and where to find it."""


class _Traces:
    """`graph.trace(*inputs)`, and `@flow.nn.Graph.trace` for a function."""

    def __get__(self, graph: Graph | None, owner: type[Graph]) -> Any:
        return owner._of_function if graph is None else graph._traced


class Graph:
    """A network that is compiled as one job: subclass it, and define `build`.

    Modules assigned to attributes are the graph's. The first call runs `build` once with stand-ins
    for its inputs, and compiles the ops that it makes; later calls run native code. Parameters and
    buffers are the modules' own tensors: a step changes them, and reads what other code assigned.
    With `add_optimizer`, and `loss.backward()` in `build`, a call is a whole training step.

    Later inputs must have the types and shapes of the first; see `with_dynamic_input_shape`.

    >>> import penstock as flow
    >>> class Double(flow.nn.Graph):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.layer = flow.nn.ReLU()
    ...     def build(self, x):
    ...         return self.layer(x) * 2
    >>> Double()(flow.tensor([-1.0, 1.0]))
    tensor([0., 2.], dtype=penstock.float32)
    """

    _child_init_cnt: ClassVar[Counter[str]] = Counter()

    def __init__(
        self, *, debug_v_level: int = -1, debug_ranks: int | list[int] | None = None,
        debug_max_py_stack_depth: int = 2, debug_only_user_py_stack: bool = True,
        debug_op_repr_with_py_stack: bool = False, enable_get_runtime_state_dict: bool = False,
    ) -> None:  # fmt: skip
        held: dict[str, Any] = self.__dict__
        kind = type(self).__name__
        held["_name"] = f"{kind}_{Graph._child_init_cnt[kind]}"
        Graph._child_init_cnt[kind] += 1
        held["_blocks"], held["_block_configs"] = {}, {}
        held["config"] = GraphConfig()
        held["_learners"] = []
        held["_variants"] = OrderedDict()
        held["_most"], held["_is_dynamic"] = 1, False
        held["_lock"] = threading.RLock()
        held["_to_load"] = {}
        held["_scaler"] = None
        held["_generators"], held["_watches"], held["_held"] = {}, [], None
        held["_loaded"] = None
        held["_debug"] = Debug()
        self.debug(
            debug_v_level, ranks=debug_ranks, max_py_stack_depth=debug_max_py_stack_depth,
            only_user_py_stack=debug_only_user_py_stack,
            op_repr_with_py_stack=debug_op_repr_with_py_stack,
        )  # fmt: skip

    # -- what subclasses define -------------------------------------------------------------------

    def build(self, *args: Any, **named: Any) -> Any:
        """The computation of a call; subclasses define it."""
        raise located(
            NotImplementedError, f"{type(self).__name__} has no build(); define what it computes"
        )

    def __setattr__(self, name: str, value: Any) -> None:
        if "_blocks" not in self.__dict__:
            raise located(
                AttributeError,
                f"call super().__init__() in {type(self).__name__}.__init__ before anything is "
                "assigned to the graph",
            )
        if isinstance(value, GraphModule):
            value = value.origin
        if not isinstance(value, Module):
            self._blocks.pop(name, None)
            super().__setattr__(name, value)
            return
        if hasattr(type(self), name) or name in ("config",):
            raise located(KeyError, f"{type(self).__name__} has another attribute {name!r}")
        self.__dict__.pop(name, None)
        self._blocks[name] = GraphModule(name, "", value, self._block_configs)

    def __getattr__(self, name: str) -> Any:
        blocks = self.__dict__.get("_blocks")
        if blocks is None and not name.startswith("__"):
            raise located(
                AttributeError,
                f"call super().__init__() in {type(self).__name__}.__init__ before the graph is "
                "used",
            )
        if blocks and name in blocks:
            return blocks[name]
        if name.startswith("__"):
            raise AttributeError(name)
        if name in _ELSEWHERE:
            raise located(
                AttributeError, f"{type(self).__name__} has no {name!r}; {_ELSEWHERE[name]}"
            )
        from penstock.basics.errors import did_you_mean

        known = [*(blocks or ()), *(word for word in dir(self) if not word.startswith("_"))]
        raise located(
            AttributeError, f"{type(self).__name__} has no {name!r}{did_you_mean(name, known)}"
        )

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise located(
            TypeError,
            f"graph {self.name!r} cannot be copied or pickled; make another graph of its modules, "
            "and load its state_dict()",
        )

    def __delattr__(self, name: str) -> None:
        if name in self._blocks:
            del self._blocks[name]
        else:
            super().__delattr__(name)

    # -- calls ------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **named: Any) -> Any:
        if active_trace() is not None:
            raise located(
                NotImplementedError,
                f"graph {self.name!r} is called in the body of another graph or job; call its "
                "modules instead",
            )
        with self._lock:
            if named:
                args, named = by_position(self, args, named)
            form = form_of(args, named)
            if self._loaded is not None:
                return self._loaded.step(self.name, form.tensors)
            return self._variant(form, args, named).step(form.tensors)

    def _variant(self, form: Form, args: Sequence[Any], named: Mapping[str, Any]) -> CompiledGraph:
        state = self._state()
        try:
            found: CompiledGraph | None = self._variants.get((form.key, state))
        except TypeError:
            raise located(
                TypeError,
                f"inputs of graph {self.name!r} are tensors, plain values, and nests of these; "
                "one of them is neither",
            ) from None
        if found is None or not found.built.fits():
            if found is None and not self._is_dynamic:
                self._check_form(form)
            with making, no_collection():
                found = build(self, form, args, named)
            load_rest(self, found)
            found.watch(self._watches)
            self._generators.update(dict.fromkeys(found.built.lifting.generators))
            self.__dict__["_held"] = None
            state = self._state()
            self._variants[form.key, state] = found
            while len(self._variants) > self._most:
                self._variants.popitem(last=False)
            return found
        # The first call says what the inputs are; a command that imports the file may need it.
        if self.training:
            refuse_in_import(f"graph {self.name!r} trains for a second step")
        if len(self._variants) > 1:
            self._variants.move_to_end((form.key, state))
        return found

    def _check_form(self, form: Form) -> None:
        for (key, _), variant in self._variants.items():
            found = difference(key, form.key, variant.built.inputs)
            if found:
                raise located(
                    ValueError,
                    f"graph {self.name!r} was compiled for other inputs: {found}; make another "
                    "graph, or decorate __init__ with "
                    "@flow.nn.Graph.with_dynamic_input_shape()",
                )

    def _state(self) -> Any:
        """All but the inputs that the code depends on."""
        held = self._held
        if held is None:
            held = self.__dict__["_held"] = [(one, vars(one)) for one in self._modules().values()]
        flags: list[Any] = []
        for module, own in held:
            flags.append(own["training"])
            for parameter in own["_parameters"].values():
                if parameter is not None:
                    flags += (id(parameter), parameter._requires_grad, bool(parameter.hooks))
            flags += map(id, own["_buffers"].values())
            flags += map(id, own["_modules"].values())
            if own["_hooked"]:
                flags.append(hooks_of(module))
        seeds = tuple(generator._seed for generator in self._generators)
        checkpoints = frozenset(
            key for key, config in self._block_configs.items() if config.activation_checkpointing
        )
        learners = tuple(learner.form() for learner in self._learners)
        scaler = None if self._scaler is None else self._scaler.form()
        return tuple(flags), seeds, checkpoints, learners, self.config.form(), scaler

    def _modules(self) -> dict[str, Module]:
        """All modules by name, each once."""
        found: dict[str, Module] = {}
        seen: set[int] = set()
        for name, block in self._blocks.items():
            for below, module in block.origin.named_modules(prefix=name):
                if id(module) not in seen:
                    seen.add(id(module))
                    found[below] = module
        return found

    # -- training ---------------------------------------------------------------------------------

    def add_optimizer(self, optim: Any, *, lr_sch: Any = None, is_sparse: bool = False) -> None:
        """Learn by this optimizer of `flow.optim` what `build` calls `backward` on.

        A call then clips gradients as the groups say (`clip_grad_max_norm`), updates, and steps
        `lr_sch`, a schedule of this optimizer. The state is the optimizer's own, so steps of the
        graph and of the optimizer may alternate. `is_sparse` is accepted and changes nothing.
        """
        learner = check_learner(optim, lr_sch, user_location())
        known = {id(p) for one in self._learners for p in one.tensors()}
        if any(id(p) in known for p in learner.tensors()):
            raise located(
                ValueError,
                f"an optimizer of graph {self.name!r} has one of these parameters already; give "
                "each parameter to one",
            )
        self._learners.append(learner)
        self.config._train(True)

    def set_grad_scaler(self, grad_scaler: Any = None) -> None:
        """Scale losses by `flow.amp.GradScaler(...)` or `flow.amp.StaticGradScaler(factor)`.

        Gradients are divided by the scale before they are clipped. Small gradients of 16-bit floats
        then keep their bits.
        """
        if not isinstance(grad_scaler, Scaler):
            raise located(
                TypeError,
                "set_grad_scaler takes a flow.amp.GradScaler or flow.amp.StaticGradScaler, got "
                f"{kind_of(grad_scaler)}",
            )
        self.__dict__["_scaler"] = grad_scaler

    # -- what it is -------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The class's name, with a number for each of its graphs."""
        name: str = self._name
        return name

    @property
    def is_compiled(self) -> bool:
        """Whether it was traced, by a call or by `trace`."""
        return bool(self._variants) or self._loaded is not None

    @property
    def training(self) -> bool:
        """Whether it has an optimizer."""
        config: GraphConfig = self.config
        return config.training

    @property
    def type(self) -> str:
        """The kind of job: "train" or "predict"."""
        return "train" if self._learners else "predict"

    @property
    def location(self) -> Location:
        """Where `build` was written."""
        return location_of(type(self).build)

    def debug(
        self, v_level: int = -1, *, ranks: int | list[int] | None = None,
        max_py_stack_depth: int = 2, only_user_py_stack: bool = True,
        op_repr_with_py_stack: bool = False,
    ) -> None:  # fmt: skip
        """Print what happens while the graph is traced and compiled.

        Level -1 prints nothing, 0 the stages and warnings, 1 also each call of a module, 2 also
        each op, 3 also operands and results of ops. `ranks` are those that print, -1 for all;
        rank 0 by default. With `op_repr_with_py_stack`, `repr` shows the ops with their lines.
        """
        self.__dict__["_debug"] = Debug.of(
            v_level, ranks, max_py_stack_depth, only_user_py_stack, op_repr_with_py_stack
        )

    def __repr__(self) -> str:
        return "\n".join(graph_lines(self, self._latest()))

    # -- state ------------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """The state of each module under its attribute's name, and what training keeps.

        That is, after the first call: the steps of optimizers, schedules and random generators, the
        optimizers' slots, such as `model.weight-m`, and tensors of no module. Tensors share their
        elements.
        """
        return state_of(self)

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True) -> None:
        """Continue from a `state_dict` of a graph with the same modules and optimizers.

        Before the first call, the state of training is loaded when the graph is traced.
        """
        load(self, state_dict, strict)

    def runtime_state_dict(self) -> dict[str, Any]:
        """The compiled graph for the inputs of the last call, with all its values, for `flow.save`.

        It is an artifact, with the names of the inputs and the form of the outputs. It needs
        neither the modules nor `build` to run.

        >>> import penstock as flow
        >>> class Twice(flow.nn.Graph):
        ...     def build(self, x):
        ...         return x * 2
        >>> graph, other = Twice(), flow.nn.Graph()
        >>> x = flow.ones(2)
        >>> y = graph(x)
        >>> other.load_runtime_state_dict(graph.runtime_state_dict())
        >>> other(x)
        tensor([2., 2.], dtype=penstock.float32)
        """
        with self._lock:
            known: LoadedGraph | None = self._loaded
            if known is not None:
                return known.state()
            return runtime_state(self, self._of((), {}))

    def load_runtime_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Let calls run a compiled graph, from `runtime_state_dict` of this graph or another one.

        Its values are its own: steps change none of this graph's modules.
        """
        with self._lock:
            self.__dict__["_loaded"] = LoadedGraph(self.name, state_dict)

    def enable_shared(self, mode: bool = True) -> None:
        """Accepted: any graph can be shared."""

    def share_from(self, shared_graph: Graph) -> None:
        """Let the parameters and buffers of its modules be those of another graph's modules.

        Both graphs have modules of the same names and shapes.
        """
        share(self, shared_graph)

    def _latest(self) -> CompiledGraph | None:
        return next(reversed(self._variants.values()), None)

    # -- a graph is a job -------------------------------------------------------------------------

    trace = _Traces()

    def _traced(self, *args: Any, **named: Any) -> Traced:
        """Run `build` for inputs of this form, or return the last such run: stage `job`."""
        return self._of(args, named).trace()

    def lower(self, *args: Any, **named: Any) -> Lowered:
        """Fuse and plan: stages `job` to `loops`, for inputs as in `trace`."""
        return self._of(args, named).lower()

    def compile(self, *args: Any, **named: Any) -> Compiled:
        """Generate machine code: all stages, for inputs as in `trace`."""
        return self._of(args, named).compile()

    _compile = compile

    def watch(self, pattern: Pattern, handler: Callable[..., object]) -> Callable[[], None]:
        """Call the handler with the blobs that match a pattern, in every step.

        A pattern is the name of a blob, such as `model.0.matmul` or `model.0.weight/grad`, a glob
        over names, a line such as `train.py:21`, or a list of these. A handler with two parameters
        gets the name and the array. Call the result to stop. The graph must have been traced; code
        with taps is compiled once.
        """
        with self._lock:
            latest = self._of((), {})
            added = Watch(pattern, handler)
            watches = [*self._watches, added]
            latest.watch(watches, added)
            self._follow(watches)

        def stop() -> None:
            with self._lock:
                self._follow([one for one in self._watches if one is not added])

        return stop

    def profile(self, *args: Any, steps: int = 10, **named: Any) -> Profile:
        """Run steps with these arguments, and record where their time goes.

        They are real steps: those of a graph with an optimizer train. Printing the result shows
        tables of kernels, of lines, of threads and of the arena. Raises what a call raises, and a
        located ValueError for less than one step.
        """
        # Few programs need it.
        from penstock.stages.profiling import Profiler

        count = check_count(steps, "steps of profile")
        profiler = Profiler()
        with observed_by(profiler):
            for _ in range(count):
                self(*args, **named)
        return profiler.profile

    def _follow(self, watches: list[Watch]) -> None:
        self.__dict__["_watches"] = watches
        for variant in self._variants.values():
            variant.watch(watches)

    def called_functions(self) -> dict[str, Callable[..., Any]]:
        """The Python functions that its job calls out to, by name: those of its hooks, for
        `penstock.runtime.load(path, callouts=...)`."""
        return self._of((), {}).called_functions()

    def variables(self) -> list[Variable]:
        """The variables of its job."""
        return self._of((), {}).variables()

    def source(self) -> Source:
        """The source for compiling it ahead of time, with the values that the tensors have."""
        variant = self._of((), {})
        return Source(self.name, variant.with_schedules, variant.all_values, variant)

    def _of(self, args: Sequence[Any], named: Mapping[str, Any]) -> CompiledGraph:
        with self._lock:
            if args or named:
                given, others = by_position(self, args, named)
                return self._variant(form_of(given, others), given, others)
            latest = self._latest()
            if latest is None:
                raise located(
                    ValueError,
                    f"graph {self.name!r} has not been traced, so the shapes of its inputs are not "
                    "known; call it, or its trace(...), with inputs first",
                )
            return latest

    @staticmethod
    def _of_function(function: Callable[..., Any]) -> Callable[..., Any]:
        """A function, or a module, whose calls run as a graph."""
        if not callable(function):
            raise located(TypeError, f"Graph.trace takes a function, got {kind_of(function)}")

        class Traced(Graph):
            def __init__(self) -> None:
                super().__init__()
                self.__dict__["_is_dynamic"], self.__dict__["_most"] = True, _MOST
                if isinstance(function, Module):
                    self.module = function

            def build(self, *args: Any, **named: Any) -> Any:
                return function(*args, **named)

        Traced.__name__ = getattr(function, "__name__", type(function).__name__)
        graph = Traced()

        def call(*args: Any, **named: Any) -> Any:
            return graph(*args, **named)

        if not isinstance(function, Module):
            functools.update_wrapper(call, function)
        call.graph = graph  # type: ignore[attr-defined]
        return call

    @staticmethod
    def with_dynamic_input_shape(*, size: int = 10, enable_shared: bool = True) -> Any:
        """Decorates `__init__` of a graph whose inputs may have several shapes.

        Code is compiled for each form of inputs, and kept for the last `size`. The graphs share
        tensors and the optimizers' state.

        >>> import penstock as flow
        >>> class Twice(flow.nn.Graph):
        ...     @flow.nn.Graph.with_dynamic_input_shape(size=4)
        ...     def __init__(self):
        ...         super().__init__()
        ...     def build(self, x):
        ...         return x * 2
        >>> twice = Twice()
        >>> [twice(flow.ones(n)).sum().item() for n in (1, 2)]
        [2.0, 4.0]
        """
        if check_integer(size, "size of with_dynamic_input_shape") < 2:
            raise located(
                ValueError, f"size of with_dynamic_input_shape must be at least 2, got {size}"
            )

        def decorate(init: Callable[..., None]) -> Callable[..., None]:
            @functools.wraps(init)
            def dynamic(self: Graph, *args: Any, **named: Any) -> None:
                init(self, *args, **named)
                self.__dict__["_is_dynamic"], self.__dict__["_most"] = True, int(size)

            return dynamic

        return decorate
