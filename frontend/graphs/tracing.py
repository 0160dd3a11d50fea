"""The trace of a graph: its `build` runs once, with blobs in place of its inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import Any

from penstock.basics.errors import kind_of, located
from penstock.basics.nest import leaves, rebuild
from penstock.ir.attributes import attribute
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.job.sbp import HINT
from penstock.ir.opdef import registry
from penstock.ir.record import Record
from penstock.ir.types import Type, f32
from penstock.nn.modules.module import Module
from penstock.sbp import partial_sum
from penstock.tensors.device import Layout, layout_of
from penstock.tensors.shared import described, is_shared, joined_state
from penstock.tensors.tensor import Tensor
from penstock.trace.blob import Blob, apply, offer_methods
from penstock.trace.tracing import PLACEMENT, OpT
from penstock.trace.views import NotingTrace


class Call(Record, frozen=False):
    """A call of a module in `build`: what it was given, what it returned, and its ops."""

    inputs: list[tuple[str, Any]]
    outputs: list[tuple[str, Any]] = field(default_factory=list)
    ops: list[Operation] = field(default_factory=list)
    """Those of the module itself, without those of modules that it calls."""
    before: Operation | None = None
    """The last op before the call."""
    last: Operation | None = None
    """The last op of the call; None while it runs."""


class GraphTrace(NotingTrace, frozen=False):
    """A trace that knows which module an op belongs to; ops are named after it."""

    scopes: list[str] = field(default_factory=list)
    """The modules whose `forward` runs, from the outside in."""
    calls: dict[str, list[Call]] = field(default_factory=dict)
    """The calls of each module, by its name; those of the graph under the empty name."""
    narrow: Type | None = None
    """The 16-bit type of contractions of f32 operands, under mixed precision."""
    told: Callable[[Operation | str], None] = lambda what: None
    """Prints that an op is made or a module is called, if asked to."""

    layout: Layout | None = None
    """That of a global tensor on several ranks: they share the graph."""

    def share(self, tensor: Tensor, value: Value, what: str) -> None:
        """Let ranks share the graph if they share this tensor, whose blob has this value.

        Raises a located ValueError for tensors on different ranks.
        """
        layout = tensor.layout
        if layout is None or not is_shared(layout):
            return
        self._be_on(layout, what)
        if partial_sum not in layout.sbp:
            self.mark(value, {HINT: joined_state(layout)})

    def _be_on(self, layout: Layout, what: str) -> None:
        """Have the ranks of a layout share the graph."""
        if self.layout is None:
            self.layout = layout
            self.module.attributes[PLACEMENT] = attribute(described(layout))
        elif self.layout.placement != layout.placement:
            raise located(
                ValueError,
                f"graph {self.job!r} has {what} on {layout.placement} and others on "
                f"{self.layout.placement}; convert one with to_global",
            )

    def converted(self, x: Blob, placement: Any, sbp: Any, grad_sbp: Any) -> Blob:
        """x as ranks share it by a signature, and its gradient by another; None leaves either to
        the compiler."""
        what = "to_global"
        if placement is None and self.layout is not None:
            placement = self.layout.placement
        rank, every = len(x.shape), [(sbp, what), (grad_sbp, f"grad_sbp of {what}")]
        given = [None if s is None else layout_of(placement, s, rank, w) for s, w in every]
        found = [layout for layout in given if layout is not None and is_shared(layout)]
        for layout in found:
            self._be_on(layout, f"blob {x.name}")
        if not found:
            return x
        state, back = (None if one is None else joined_state(one) for one in given)
        options = {} if back is None else {"gradient": back}
        made = apply("sbp.cast", x, what=what, **options)[0]
        maker = made.value.defining_op
        if state is not None and maker is not None:
            maker.attributes[HINT] = attribute([state])
        return made

    @property
    def scope(self) -> str:
        """The name of the innermost module that is called."""
        return self.scopes[-1] if self.scopes else ""

    def fresh(self, name: str) -> str:
        return super().fresh(f"{self.scope}.{name}" if self.scope else name)

    def next_name(self, name: str) -> str:
        return super().next_name(f"{self.scope}.{name}" if self.scope else name)

    def create(self, op: type[OpT], *operands: Value | Sequence[Value], **attributes: Any) -> OpT:
        if self.narrow is not None and issubclass(op, TensorOp) and op.narrows:
            return self._narrowed(self.narrow, op, operands, attributes)
        return self._as_given(op, operands, attributes)

    def _as_given(self, op: type[OpT], operands: Sequence[Any], attributes: dict[str, Any]) -> OpT:
        made = super().create(op, *operands, **attributes)
        self.calls.setdefault(self.scope, [Call([])])[-1].ops.append(made)
        self.told(made)
        return made

    def _narrowed(
        self, element: Type, op: type[OpT], operands: Sequence[Any], attributes: dict[str, Any]
    ) -> OpT:
        """The op on operands rounded to 16 bits, its result widened again."""
        if any(tensor(value).element is not f32 for value in operands):
            return self._as_given(op, operands, attributes)
        casting: Any = registry["flow.cast"]
        narrow = [self.create(casting, value, element=element).results[0] for value in operands]
        made = self._as_given(op, narrow, attributes)
        wide: OpT = self.create(casting, made.results[0], element=f32)
        return wide

    @contextmanager
    def following(self, modules: Mapping[str, Module]) -> Iterator[None]:
        """Know in which of these modules ops are made, by their names."""
        hooked = {module: module.__dict__["_hooked"] for module in modules.values()}
        handles = []
        for name, module in modules.items():
            handles.append(
                module.register_forward_pre_hook(
                    self._entered(name), prepend=True, with_kwargs=True, traced=True
                )
            )
            handles.append(module.register_forward_hook(self._left(name), traced=True))
        try:
            yield
        finally:
            self.scopes.clear()
            for handle in handles:
                handle.remove()
            for module, was in hooked.items():
                module.__dict__["_hooked"] = was

    def _entered(self, name: str) -> Callable[..., None]:
        def enter(module: Module, args: Any, named: Any) -> None:
            self.told(f"module {name} ({type(module).__name__}) is called")
            self.scopes.append(name)
            given = list(leaves((*args, *named.values())))
            made = Call(given, before=self.function.body.last)
            self.calls.setdefault(name, []).append(made)

        return enter

    def _left(self, name: str) -> Callable[..., None]:
        def leave(module: Module, args: Any, output: Any) -> None:
            if self.scopes and self.scopes[-1] == name:
                self.scopes.pop()
            call = self.calls[name][-1]
            call.outputs.extend([] if output is None else leaves(output))
            call.last = self.function.body.last

        return leave


def _to_global(
    self: Blob, placement: Any = None, sbp: Any = None, *, grad_sbp: Any = None,
    check_meta: bool = True, copy: bool = False,
) -> Blob:  # fmt: skip
    """The blob in the state of a signature, with its gradient in that of `grad_sbp`.

    Either may be left out; the compiler then chooses. The values are the same. Raises a located
    error outside of a graph, for signatures that don't fit, and for other ranks than the graph's.
    """
    if not isinstance(self.trace, GraphTrace):
        raise located(
            NotImplementedError,
            f"to_global of blob {self.name} is for nn.Graph; in a job, use "
            "flow.parallel_cast(x, distribute=..., gradient_distribute=...)",
        )
    if sbp is None and not grad_sbp:
        raise located(ValueError, f"to_global of blob {self.name} takes an sbp, or a grad_sbp")
    return self.trace.converted(self, placement, sbp, grad_sbp or None)


offer_methods(lambda: {"to_global": _to_global})


class Returned(Record):
    """What `build` returned: a nest with the number of a result in place of each tensor."""

    nest: Any
    blobs: list[Blob]


class Plain(Record):
    """A value among inputs or outputs that is not a tensor."""

    value: Any


def returned(nest: Any, trace: GraphTrace, blob: Callable[[Tensor], Blob]) -> Returned:
    """Split the result of `build` into its tensors and the rest."""
    blobs: list[Blob] = []

    def leaf(value: Any) -> Any:
        if isinstance(value, Tensor):
            value = blob(value)
        if not isinstance(value, Blob):
            if not isinstance(value, int | float | str | bool | None):
                raise located(
                    TypeError,
                    f"build of graph {trace.job!r} returns tensors, plain values, and tuples, "
                    f"lists and dicts of these, got {kind_of(value)}",
                    trace.location,
                )
            return Plain(value)
        blobs.append(value)
        return len(blobs) - 1

    try:
        made = rebuild(nest, leaf)
    except RecursionError:
        raise located(
            ValueError,
            f"build of graph {trace.job!r} returns a nest that contains itself",
            trace.location,
        ) from None
    return Returned(made, blobs)
