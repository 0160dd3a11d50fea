"""How the tensors of a graph become variables of its job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from penstock.basics.dtypes import DType, int64
from penstock.basics.errors import located, user_location
from penstock.graphs.tracing import GraphTrace
from penstock.ir.core import Value
from penstock.ir.location import Location
from penstock.ir.record import Record
from penstock.jobs.lifting import Lifting, fitted
from penstock.tensor_functions.blob_hooks import Form, gate_value, in_turn
from penstock.tensors.tensor import Tensor
from penstock.trace.blob import Blob, apply, check_blob, constant_blob
from penstock.trace.tracing import AssignedValue, Trace, Variable


class Loss(Record):
    """What `backward` was called on."""

    value: Value
    gradient: Value | None
    location: Location


class GraphLifting(Lifting):
    """Captured tensors become variables of the job, and in-place changes become their updates.

    `names` has the names of tensors by id; `learned` the parameters that optimizers change.
    """

    changes_blobs = True
    _trace: GraphTrace

    def __init__(
        self, trace: GraphTrace, names: Mapping[int, str], learned: Sequence[Tensor]
    ) -> None:
        super().__init__(trace)
        self._names = dict(names)
        self._learned = learned
        self.tensors: dict[str, Tensor] = {}
        """The tensors that are variables, by name."""
        self._first: dict[int, tuple[str, Blob]] = {}
        """The name and the value at the start of the step, by the tensor's id."""
        self.losses: list[Loss] = []
        self.changed_own: list[tuple[Tensor, str, Location]] = []
        """The tensors that the body makes and then changes, how, and where."""
        self.generators: dict[Any, tuple[Blob, int]] = {}
        """For each random generator the blob of its step, and the number of draws."""

    def name(self, tensor: Tensor, name: str) -> None:
        """Give a tensor the name of its variable, unless it has one."""
        self._names.setdefault(id(tensor), name)

    def is_made(self, tensor: Tensor) -> bool:
        return id(tensor) not in self._names and super().is_made(tensor)

    def first(self, tensor: Tensor) -> Value | None:
        """The variable of a tensor; None if the body doesn't use it."""
        found = self._first.get(id(tensor))
        return None if found is None else found[1].value

    def variable(self, tensor: Tensor) -> tuple[str, Value]:
        """The name and the value of a tensor's variable, which is made if there is none."""
        self.blob(tensor)
        name, blob = self._first[id(tensor)]
        return name, blob.value

    def _argument(self, tensor: Tensor) -> Blob:
        self._refuse_gradient(tensor)
        unnamed = "constant" if self.is_made(tensor) else "free_tensor"
        wanted = self._names.get(id(tensor), unnamed)
        name = Trace.fresh(self._trace, wanted)
        attributes = {
            "job.variable": name,
            "job.initializer": {"kind": "constant", "value": 0},
            "job.trainable": any(tensor is one for one in self._learned),
            "job.array": True,
        }
        location = user_location()
        shape = tensor.array.shape
        value = self._trace.argument(name, shape, tensor.dtype, location, attributes)
        blob = Blob(value, name, self._trace, location)
        self._trace.variables[name] = Variable(name, blob, attributes, location)
        self.tensors[name] = tensor
        self._trace.share(tensor, value, name)
        self._first[id(tensor)] = name, blob
        current = Blob(value, name, self._trace, location)
        self._place(tensor, current)
        return current

    def _refuse_gradient(self, tensor: Tensor) -> None:
        """Raise a located RuntimeError for the `grad` of a parameter that the graph updates."""
        for parameter in self._learned:
            if parameter._grad is tensor:
                name = self._names.get(id(parameter), "a parameter")
                raise located(
                    RuntimeError,
                    f"build of graph {self._trace.job!r} reads grad of {name}, which eager code "
                    "computed; get the gradient of this step with flow.gradients(loss, parameter)",
                )

    def own_variable(self, name: str, dtype: DType) -> Blob:
        """A variable of rank 0 that is not a tensor's: the graph sets it before a step."""
        label = Trace.fresh(self._trace, name)
        attributes = {
            "job.variable": label,
            "job.initializer": {"kind": "constant", "value": 0 if dtype.is_integer else 0.0},
            "job.trainable": False,
        }
        location = user_location()
        value = self._trace.argument(label, (), dtype, location, attributes)
        blob = Blob(value, label, self._trace, location)
        self._trace.variables[label] = Variable(label, blob, attributes, location)
        return blob

    def update(self, name: str, value: Value) -> None:
        """Give a variable its value after the step."""
        self._trace.updates[name] = AssignedValue(value, user_location())

    def gate_parameters(self) -> None:
        """Call the hooks for gradients of tensors that are variables."""
        for name, first in self._first.values():
            tensor = self.tensors[name]
            if tensor.hooks:
                form = Form.of(first)
                seen = in_turn(tensor.hooks, form, name)
                gate_value(self._trace, first.value, seen, form, f"{name}/hook")

    def needs_gradient(self, value: Value) -> bool:
        from penstock.passes.flow.autodiff import dependent

        roots = [
            first.value for name, first in self._first.values() if self.tensors[name].requires_grad
        ]
        return value in dependent(roots)

    # -- what the body does ---------------------------------------------------------------------

    def assigned(self, target: Any, value: Any, what: str) -> Any:
        made = fitted(target, value, what)
        blob = target if isinstance(target, Blob) else self._changing(target, what)
        self._change(blob, made, what)
        return target

    def put(self, target: Tensor, place: Any, value: Any) -> None:
        self._changing(target, "an assignment to x[...]")[place] = value

    def _changing(self, target: Tensor, what: str) -> Blob:
        """The blob of a tensor that is changed, unless it is a view made elsewhere."""
        is_own = id(target) in self._blobs and id(target) not in self._first
        if target.base is not None and not is_own:
            raise located(
                RuntimeError,
                f"{what} changes a view of a tensor in build of graph {self._trace.job!r}; change "
                "the whole tensor, or make the view in build",
            )
        return self.blob(target)

    @property
    def _place_of_body(self) -> str:
        return f"in build of graph {self._trace.job!r}"

    def _fixed(self) -> set[int]:
        return {id(first) for _, first in self._first.values()}

    def _update(self, changed: Value, what: str) -> None:
        """Let the variable that has this value from now on have it after the step."""
        for name, _ in self._first.values():
            tensor = self.tensors[name]
            if self.blob(tensor).value is not changed:
                continue
            if self.is_made(tensor):
                self.changed_own.append((tensor, what, user_location()))
            else:
                self.update(name, changed)

    def next_draw(self, generator: Any) -> Blob:
        found = self.generators.get(generator)
        if found is None:
            found = self.own_variable(f"System-Random-Step-{self._trace.job}", int64), 0
        base, draws = found
        self.generators[generator] = base, draws + 1
        if not draws:
            return base
        return apply("flow.add", base, constant_blob(draws, (), int64, "a draw"))[0]

    def advance_generators(self) -> None:
        """Let the step of each random generator move by its draws."""
        for base, draws in self.generators.values():
            drawn = constant_blob(draws, (), int64, "a draw")
            self.update(base.name, apply("flow.add", base, drawn)[0].value)

    def backward(self, loss: Blob, gradient: Any) -> None:
        if not self._learned:
            raise located(
                RuntimeError,
                f"build of graph {self._trace.job!r} calls backward, but the graph has no "
                "optimizer; call self.add_optimizer(optimizer) in __init__",
            )
        if loss.shape not in ((), (1,)):
            raise located(
                RuntimeError,
                f"backward in build of graph {self._trace.job!r} takes a loss of one element, got "
                f"shape {tuple(loss.shape)}; reduce it with loss.mean() or loss.sum()",
            )
        if not loss.dtype.is_float:
            raise located(RuntimeError, f"a loss must be a float, got {loss.dtype}")
        seed = None if gradient is None else check_blob(gradient, "gradient of backward")
        if seed is not None and (seed.shape, seed.dtype) != (loss.shape, loss.dtype):
            raise located(
                RuntimeError,
                f"gradient of backward must be {loss.dtype} of shape {tuple(loss.shape)}, got "
                f"{seed.dtype} of shape {tuple(seed.shape)}",
            )
        value = None if seed is None else seed.value
        self.losses.append(Loss(loss.value, value, user_location()))
