"""The autograd graph: a node for each op that ran on a tensor that requires gradients.

The edges of a node lead to the nodes that made its operands, or to operands that are leaves.
"""

from __future__ import annotations

import itertools
import sys
import weakref
from collections.abc import Callable, Sequence
from types import CodeType, FrameType
from typing import Any

import numpy as np

from penstock.basics.errors import located
from penstock.basics.recent import MOST
from penstock.ir.location import UNKNOWN, FileLocation, Location, shown_file
from penstock.tensors.kernels import OneOp, Recipe
from penstock.tensors.tensor import Tensor, actions, wrap

Array = np.ndarray[Any, Any]
Gradients = Sequence[Tensor | None]
Hook = Callable[[Tensor], Any]

numbers = itertools.count()
_hooks = itertools.count()
_ours: dict[int, tuple[bool, CodeType]] = {}
"""Whether a code object belongs to this package, by its id. Keeping the object keeps the id."""


class Line:
    """A line of the user's program; its number and text are found only when an error needs them."""

    __slots__ = ("_at", "_code")

    def __init__(self, code: CodeType | None, at: int) -> None:
        self._code = code
        self._at = at

    @property
    def location(self) -> Location:
        if self._code is None:
            return UNKNOWN
        for start, stop, line in self._code.co_lines():
            if start <= self._at < stop and line is not None:
                return FileLocation(shown_file(self._code.co_filename), line)
        return FileLocation(shown_file(self._code.co_filename), self._code.co_firstlineno)

    def describe(self) -> str:
        return self.location.describe()


def users_place() -> tuple[CodeType | None, int]:
    """The user's code that runs, and the offset of its current instruction."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        is_ours, code = _ours.get(id(frame.f_code)) or _noted(frame)
        if not is_ours:
            return code, frame.f_lasti
        frame = frame.f_back
    return None, 0


def users_line() -> Line:
    """The line of the user's program that runs."""
    return Line(*users_place())


def is_ours(frame: FrameType) -> bool:
    """Whether a frame runs code of this package."""
    return (_ours.get(id(frame.f_code)) or _noted(frame))[0]


def _noted(frame: FrameType) -> tuple[bool, CodeType]:
    code = frame.f_code
    house = str(frame.f_globals.get("__name__", ""))
    is_doctest = code.co_filename.startswith("<doctest")
    if len(_ours) > MOST:  # a program may make code without end
        _ours.clear()
    found = _ours[id(code)] = house.startswith("penstock.") and not is_doctest, code
    return found


class Node:
    """A node of the graph: the backward of an op or of a user's function."""

    # codegen/native/eager.c fills and reads these; layouts.h has them in the same order.
    __slots__ = ("_at", "_code", "_hooks", "_kept", "edges", "number")

    edges: Sequence[Tensor | tuple[Node, int] | None]
    """For each operand: the node that made it and the index of the result, or the tensor if it is
    a leaf, or None if it needs no gradient."""
    number: int
    """Larger than those of the nodes that it depends on."""
    _hooks: dict[int, dict[int, Hook]] | None
    _kept: dict[int, weakref.ref[Tensor]] | None

    def __init__(self) -> None:
        self.number = next(numbers)
        self._code, self._at = users_place()
        self._hooks = self._kept = None
        self.edges = ()

    @property
    def line(self) -> Line:
        """The user's line that ran the op."""
        return Line(self._code, self._at)

    @property
    def results(self) -> int:
        """How many results the op has."""
        return 1

    def hooks_of(self, index: int) -> dict[int, Hook]:
        """The hooks of a result, keyed by the numbers of their handles."""
        if self._hooks is None:
            self._hooks = {}
        return self._hooks.setdefault(index, {})

    @property
    def is_watched(self) -> bool:
        """Whether a result has hooks, or keeps its gradient."""
        return self._hooks is not None or self._kept is not None

    def backward(self, gradients: Gradients, *, keep: bool, record: bool) -> Gradients:
        """The gradients of the operands from those of the results.

        `keep` keeps what is saved for another backward; `record` records the computation itself.
        """
        raise NotImplementedError

    def kept_values(self) -> Sequence[tuple[str, Array]]:
        """The values that its backward reads, and what they are; none once they are freed."""
        return ()

    def name(self) -> str:
        """The name that `grad_fn` shows, such as "exp_backward"."""
        raise NotImplementedError

    def keep(self, tensor: Tensor) -> None:
        """Put the gradient of this result into its `grad`."""
        if self._kept is None:
            self._kept = {}
        self._kept[tensor.index] = weakref.ref(tensor)

    def kept(self, index: int) -> Tensor | None:
        """The tensor that keeps the gradient of this result."""
        found = None if self._kept is None else self._kept.get(index)
        return None if found is None else found()

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """For each operand, the node that made it and the index among that node's results."""
        return tuple(
            (Accumulate(edge), 0) if isinstance(edge, Tensor) else edge or (None, 0)
            for edge in self.edges
        )

    def __repr__(self) -> str:
        return f"<{self.name()} of {self.line.describe()}>"


class Accumulate:
    """A sink of the graph: accumulates gradients in `grad` of a leaf."""

    def __init__(self, variable: Tensor) -> None:
        self.variable = variable

    def name(self) -> str:
        return "accumulate_grad"

    def __repr__(self) -> str:
        return f"<{self.name()}>"


Saved = tuple[Any, ...]


class OpNode(Node):
    """The backward of an op."""

    __slots__ = ("__weakref__", "_saved", "recipe")

    recipe: Recipe
    _saved: Saved | None
    """Four entries for each value that backward reads: the operand, or None for a result; its
    array; the changes of a result, or None; how often the elements had been changed. A node that
    kept its own results would live for ever."""

    def __init__(
        self, recipe: Recipe, operands: Sequence[Tensor], results: Sequence[Tensor]
    ) -> None:
        super().__init__()
        self.recipe = recipe
        self.edges = [
            (operand.node, operand.index)
            if operand.node is not None
            else operand
            if operand._requires_grad
            else None
            for operand in operands
        ]
        saved: list[Any] = []
        count = len(operands)
        for i in recipe.places:
            if i < count:
                operand = operands[i]
                changes = operand.root.changes
                saved += operand, operand.array, None, 0 if changes is None else changes.count
            else:
                made = results[i - count].all_changes
                saved += None, results[i - count].array, made, made.count
        self._saved = tuple(saved)

    @property
    def op(self) -> OneOp:
        """The op that ran."""
        return self.recipe.op

    @property
    def results(self) -> int:
        return self.recipe.results

    def kept_values(self) -> Sequence[tuple[str, Array]]:
        kept, count = self._saved or (), len(self.edges)
        names = [f"operand {i}" if i < count else "the result" for i in self.recipe.places]
        return list(zip(names, kept[1::4], strict=False))

    def name(self) -> str:
        return f"{self.op.name.partition('.')[2]}_backward"

    def backward(self, gradients: Gradients, *, keep: bool, record: bool) -> Gradients:
        rule = self.recipe.rule
        if isinstance(rule, Exception):
            raise rule.with_traceback(None)  # which holds what earlier raises left there
        if self._saved is None:
            raise located(
                RuntimeError,
                f"backward goes through {self.op.name} of {self.line.describe()} a second time, "
                "but the first backward freed what it saved; pass retain_graph=True to the first",
            )
        if None in gradients:
            rule = self.op.backward(self.recipe.wants, tuple(g is not None for g in gradients))
        found: list[Tensor | None] = [None] * len(self.edges)
        made: Sequence[Tensor] = ()
        if rule.kernel is not None:
            given = [self._read(i) for i in rule.saved]
            given += [g for g in (gradients[i] for i in rule.read) if g is not None]
            if record:
                made = actions.replay(rule.kernel.function, given)
            else:
                arrays = [one.array for one in given]
                results = rule.kernel(*arrays)
                made = [wrap(array) for array in results]
                if self.recipe.backward is None:
                    self.recipe.link(arrays, results)
        left = iter(made)
        for operand, seed in rule.gradients:
            found[operand] = next(left) if seed == -1 else gradients[seed]
        if not keep and self._saved:
            self._saved = None
        return found

    def keep_old(self, root: Tensor) -> None:
        """Copy the saved operands that share elements with `root`, which is about to change."""
        if not self._saved:
            return
        saved = list(self._saved)
        for i in range(0, len(saved), 4):
            tensor, array, _, count = saved[i : i + 4]
            if tensor is not None and tensor.root is root:
                old = stand_in(tensor, array.copy())
                same = count == (0 if root.changes is None else root.changes.count)
                saved[i : i + 4] = old, old.array, None, 0 if same else -1
        self._saved = tuple(saved)

    def _read(self, place: int) -> Tensor:
        """The saved operand or result at that place."""
        assert self._saved is not None
        number = self.recipe.places.index(place)
        values = self._saved[4 * number : 4 * number + 4]
        tensor: Tensor
        tensor, array, changes, count = values
        if values[0] is None:
            tensor = wrap(array)
            tensor.node, tensor.index = self, place - len(self.edges)
        else:
            changes = tensor.root.changes
            if tensor.array is not array:  # x.data was set since
                tensor = stand_in(tensor, array)
        if changes is not None and changes.count != count:
            line = changes.line
            by = "" if line is None else f", by {line.describe()}"
            raise located(
                RuntimeError,
                f"backward of {self.op.name} of {self.line.describe()} needs a tensor of shape "
                f"{tuple(tensor.shape)} that was changed in place since{by}; change a clone of it",
            )
        return tensor


def stand_in(tensor: Tensor, array: Array) -> Tensor:
    """A tensor of other elements whose gradient flows to where that of `tensor` does now."""
    made = wrap(array)
    made.node, made.index = tensor.node, tensor.index
    if tensor._requires_grad and tensor.node is None:
        made.node = Passing(tensor)
    return made


class Passing(Node):
    """Hands gradients on to a leaf, from a tensor that stands for it."""

    def __init__(self, leaf: Tensor) -> None:
        super().__init__()
        self.edges = [leaf]

    def name(self) -> str:
        return "identity_backward"

    def backward(self, gradients: Gradients, *, keep: bool, record: bool) -> Gradients:
        return gradients


class Handle:
    """Returned when a hook is added; `remove` takes the hook away again."""

    def __init__(self, hooks: dict[int, Any], number: int) -> None:
        self._hooks = hooks
        self._number = number

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        self._hooks.pop(self._number, None)

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def new_handle(hooks: dict[int, Any], hook: Any) -> Handle:
    """Add a hook, and return the handle that removes it."""
    number = next(_hooks)
    hooks[number] = hook
    return Handle(hooks, number)


def add_hook(tensor: Tensor, hook: Hook) -> Handle:
    """Call a function with the gradient of this tensor."""
    if tensor.node is not None:
        return new_handle(tensor.node.hooks_of(tensor.index), hook)
    if tensor.hooks is None:
        tensor.hooks = {}
    return new_handle(tensor.hooks, hook)
