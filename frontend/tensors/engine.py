"""The backward engine: runs the recorded nodes in reverse order."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from penstock.basics.errors import function_location, kind_of, located, name_of
from penstock.basics.numbers import summary
from penstock.process.forks import making
from penstock.tensors import native
from penstock.tensors.execute import add, cast_to, refresh, run
from penstock.tensors.graph import Array, Gradients, Node, OpNode
from penstock.tensors.modes import mode, set_grad_enabled
from penstock.tensors.tensor import Tensor, wrap


def backward(
    outputs: Sequence[Tensor],
    seeds: Sequence[Tensor | None],
    retain_graph: bool | None,
    create_graph: bool,
    inputs: Sequence[Tensor] | None,
    what: str,
) -> None:
    """Add the gradients of the outputs, weighted by the seeds, to `grad` of the leaves.

    With `inputs`, only the `grad` of these tensors changes, whether they are leaves or not.
    """
    keep = create_graph if retain_graph is None else retain_graph
    if len(outputs) == 1 and inputs is None and not create_graph:
        done = native.backward(outputs[0], seeds[0], bool(keep))
        if done is not NotImplemented:
            return
        mode.tell()
    _refresh(outputs, inputs)
    before = mode.records
    try:
        mode.flags.records = create_graph
        _backward(_Pass(keep, create_graph), outputs, seeds, inputs, what)
    finally:
        mode.flags.records = before


def _backward(
    pass_: _Pass,
    outputs: Sequence[Tensor],
    seeds: Sequence[Tensor | None],
    inputs: Sequence[Tensor] | None,
    what: str,
) -> None:
    pass_.start(outputs, seeds, what)
    pass_.run(inputs)
    if inputs is None:
        found = pass_.finished()
    else:
        each = {id(one): one for one in inputs}.values()
        captured = [(one, pass_.captured(one)) for one in each if not one.retains_grad]
        found = [(one, gradient) for one, gradient in captured if gradient is not None]
    for leaf, gradient in found:
        pass_.accumulate(leaf, gradient)


def step(node: Node, given: Any, keep: bool) -> list[Array | None]:
    """The gradients of a node's operands, for native code that leaves the node to Python.

    `given` is the gradient of the result, or a dictionary of those by the number of the result.
    """
    results = {0: given} if isinstance(given, np.ndarray) else given
    gradients: list[Tensor | None] = [None] * node.results
    for index, gradient in results.items():
        gradients[index] = wrap(gradient)
    before = mode.records
    try:
        mode.flags.records = False
        if node.is_watched:
            pass_ = _Pass(keep, False)
            pass_.hold(results.values())
            pass_.hook_and_keep(node, gradients)
        found = node.backward(gradients, keep=keep, record=False)
    finally:
        mode.flags.records = before
    return [None if gradient is None else gradient.array for gradient in found]


def sum_of(x: Array, y: Array) -> Array:
    """The sum of two gradients."""
    return add(wrap(x), wrap(y)).array


def finish(leaves: Sequence[tuple[Tensor, Array]]) -> None:
    """Add gradients, which nobody else holds, to those of leaves, after the hooks of these."""
    before = mode.records
    try:
        mode.flags.records = False
        pass_ = _Pass(False, False)
        found = [(leaf, pass_.hooked(leaf, wrap(gradient))) for leaf, gradient in leaves]
        for leaf, gradient in found:
            pass_.accumulate(leaf, gradient)
    finally:
        mode.flags.records = before


def _refresh(outputs: Sequence[Tensor], inputs: Sequence[Tensor] | None) -> None:
    """Reconnect views whose base was changed in place, recording how."""
    for one in (*outputs, *(inputs or ())):
        if one.base is not None:
            with set_grad_enabled(True):
                refresh(one)


def gradients_of(
    outputs: Sequence[Tensor],
    inputs: Sequence[Tensor],
    seeds: Sequence[Tensor | None],
    retain_graph: bool | None,
    create_graph: bool,
    what: str,
) -> list[Tensor | None]:
    """The gradients of the inputs, without changing their `grad`; None for an unused input."""
    _refresh(outputs, inputs)
    keep = create_graph if retain_graph is None else retain_graph
    before = mode.records
    try:
        mode.flags.records = create_graph
        pass_ = _Pass(keep, create_graph)
        pass_.start(outputs, seeds, what)
        pass_.run(inputs)
        return [pass_.captured(one) for one in inputs]
    finally:
        mode.flags.records = before


class _Pass:
    """One backward pass."""

    def __init__(self, keep: bool, record: bool) -> None:
        self._keep = keep
        self._record = record
        self._waiting: list[tuple[int, Node]] = []
        self._gradients: dict[Node, list[Tensor | None]] = {}
        self._leaves: dict[int, tuple[Tensor, Tensor]] = {}
        self._captured: dict[tuple[Node, int], Tensor] = {}
        self._wanted: set[tuple[Node, int]] = set()
        # The arrays of gradients that the user may hold: those that the user gave, those that hooks
        # were given, and those that tensors keep.
        self._held: set[int] = set()
        self._finished: dict[int, Tensor] = {}

    def start(self, outputs: Sequence[Tensor], seeds: Sequence[Tensor | None], what: str) -> None:
        for output, seed in zip(outputs, seeds, strict=True):
            if not output.requires_grad:
                raise located(
                    RuntimeError,
                    f"{what} needs a tensor that depends on one that requires gradients, and this "
                    f"one, of shape {tuple(output.shape)}, does not; set requires_grad=True",
                )
            if seed is None:
                if output.array.size != 1:
                    raise located(
                        RuntimeError,
                        f"{what} of a tensor of shape {tuple(output.shape)} needs a gradient of "
                        "that shape; pass one, or reduce the tensor to one element, with x.sum()",
                    )
                seed = wrap(np.ones(output.array.shape, output.array.dtype))
            elif not isinstance(seed, Tensor):
                raise located(
                    TypeError, f"gradient of {what} must be a tensor, got {kind_of(seed)}"
                )
            elif seed.array.shape != output.array.shape:
                raise located(
                    RuntimeError,
                    f"gradient of {what} must have shape {tuple(output.shape)}, got "
                    f"{tuple(seed.shape)}",
                )
            self._held.add(id(seed.array))
            seed = cast_to(seed, output.array.dtype)
            edge = output if output.node is None else (output.node, output.index)
            self._add(edge, seed)

    def _add(self, edge: Tensor | tuple[Node, int], gradient: Tensor) -> None:
        if isinstance(edge, Tensor):
            known = self._leaves.get(id(edge))
            total = gradient if known is None else self.sum(known[1], gradient)
            self._leaves[id(edge)] = edge, total
            return
        node, index = edge
        found = self._gradients.get(node)
        if found is None:
            found = self._gradients[node] = [None] * node.results
            heapq.heappush(self._waiting, (-node.number, node))
        before = found[index]
        found[index] = gradient if before is None else self.sum(before, gradient)

    def sum(self, x: Tensor, y: Tensor) -> Tensor:
        return add(x, y)

    def run(self, inputs: Iterable[Tensor] | None) -> None:
        """Run backward to the leaves; with `inputs`, only along paths that reach an input."""
        useful: set[Node] | None = None
        if inputs is not None:
            leaves = {id(one) for one in inputs if one.node is None}
            self._wanted = {(one.node, one.index) for one in inputs if one.node is not None}
            useful = self._leading(leaves)
        while self._waiting:
            _, node = heapq.heappop(self._waiting)
            gradients = self._gradients.pop(node)
            if node.is_watched or self._wanted:
                self.hook_and_keep(node, gradients)
            if useful is None or node in useful:
                saved = node.kept_values() if mode.observer is not None else ()
                found = node.backward(gradients, keep=self._keep, record=self._record)
                if not isinstance(node, OpNode):  # the user's function may keep what it gave
                    self._held.update(id(g.array) for g in found if g is not None)
                if mode.detects_anomaly:
                    check_finite(node, found)
                if mode.observer is not None:
                    mode.observer.backward(node, saved, gradients, found)
                for edge, gradient in zip(node.edges, found, strict=True):
                    if edge is not None and gradient is not None:
                        self._add(edge, gradient)

    def hold(self, arrays: Iterable[Array]) -> None:
        """Copy these arrays before a tensor keeps them: others may have them, too."""
        self._held.update(map(id, arrays))

    def hook_and_keep(self, node: Node, gradients: list[Tensor | None]) -> None:
        """Call the hooks of a node's results; keep gradients for `retain_grad` and `inputs`."""
        for index, gradient in enumerate(gradients):
            if gradient is None:
                continue
            for hook in list(node.hooks_of(index).values()):
                gradient = gradients[index] = self._through(hook, gradient)
            tensor = node.kept(index)
            if tensor is not None:
                self.accumulate(tensor, gradient)
            if (node, index) in self._wanted:
                self._captured[node, index] = gradient

    def _leading(self, leaves: set[int]) -> set[Node]:
        """The nodes from which backward reaches a wanted leaf or a wanted result."""
        order: list[Node] = []
        seen: set[Node] = set()
        stack = [node for _, node in self._waiting]
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            order.append(node)
            stack += [edge[0] for edge in node.edges if isinstance(edge, tuple)]
        useful: set[Node] = set()
        wanted = {node for node, _ in self._wanted}
        for node in sorted(order, key=lambda one: one.number):
            for edge in node.edges:
                if isinstance(edge, Tensor):
                    leads = id(edge) in leaves
                else:
                    leads = edge is not None and (edge[0] in useful or edge[0] in wanted)
                if leads:
                    useful.add(node)
                    break
        return useful

    def finished(self) -> list[tuple[Tensor, Tensor]]:
        """Each leaf with its gradient, after the leaf's hooks."""
        return [(leaf, self.hooked(leaf, gradient)) for leaf, gradient in self._leaves.values()]

    def hooked(self, leaf: Tensor, gradient: Tensor) -> Tensor:
        """The gradient of a leaf after its hooks, which are called once per pass."""
        if not leaf.hooks:
            return gradient
        found = self._finished.get(id(leaf))
        if found is None:
            for hook in list(leaf.hooks.values()):
                gradient = self._through(hook, gradient)
            found = self._finished[id(leaf)] = gradient
        return found

    def captured(self, one: Tensor) -> Tensor | None:
        """The gradient of an input; None if the outputs do not depend on it."""
        if one.node is not None:
            return self._captured.get((one.node, one.index))
        known = self._leaves.get(id(one))
        return None if known is None else self.hooked(*known)

    def _through(self, hook: Any, gradient: Tensor) -> Tensor:
        self._held.add(id(gradient.array))
        made = hooked(hook, gradient)
        self._held.add(id(made.array))
        return made

    def accumulate(self, tensor: Tensor, gradient: Tensor) -> None:
        """Add a gradient to `grad` of a tensor, which other threads may add to as well."""
        with making:
            while True:
                known = tensor._grad
                total = self._own(gradient) if known is None else self.sum(known, gradient)
                # Native code adds without this lock; no thread takes over between these two lines.
                if tensor._grad is known:
                    tensor._grad = total
                    return

    def _own(self, gradient: Tensor) -> Tensor:
        """The gradient, or a copy of it where somebody else may hold its elements."""
        place = id(gradient.array)
        if place not in self._held and gradient.base is None and not _is_view(gradient.array):
            self._held.add(place)
            return gradient
        if self._record:
            return run("flow.identity", [gradient], {})[0]
        return wrap(gradient.array.copy())


def _is_view(array: Array) -> bool:
    """Whether others may have the elements, or they are not contiguous."""
    return isinstance(array.base, np.ndarray) or not array.flags.c_contiguous


def check_finite(node: Node, gradients: Gradients) -> None:
    """Raise a located RuntimeError if a gradient that a node returns has NaN or infinity."""
    for operand, gradient in enumerate(gradients):
        if gradient is None or node.edges[operand] is None:
            continue
        found = summary(gradient.array)
        if not found.is_finite:
            raise located(
                RuntimeError,
                f"{node.name()} of {node.line.describe()} computes for operand {operand} a "
                f"gradient that is not finite: {found.count()}; look at what that line computes "
                "there",
            )


def hooked(hook: Any, gradient: Tensor) -> Tensor:
    """The gradient after a hook, which must keep its shape."""
    made = hook(gradient)
    if made is None:
        return gradient
    like = gradient.array.shape, gradient.array.dtype
    if not isinstance(made, Tensor) or (made.array.shape, made.array.dtype) != like:
        is_tensor = isinstance(made, Tensor)
        got = f"{made.dtype} of shape {tuple(made.shape)}" if is_tensor else kind_of(made)
        raise located(
            RuntimeError,
            f"hook {name_of(hook)} must return None or a gradient of {gradient.dtype} of shape "
            f"{tuple(gradient.shape)}, got {got}",
            function_location(hook),
        )
    return made
