"""What is recorded of the ops that ran, so that gradients can flow back through them.

Each op that ran on a tensor that requires gradients leaves a node. A node refers to the nodes that
made its operands, or to the operand itself where that is a leaf.
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
from penstock.ir.location import UNKNOWN, FileLocation, Location, shown_file
from penstock.tensors.kernels import OneOp
from penstock.tensors.tensor import Tensor, wrap

Array = np.ndarray[Any, Any]
Gradients = Sequence[Tensor | None]
Hook = Callable[[Tensor], Any]

_numbers = itertools.count()
_hooks = itertools.count()
_ours: dict[CodeType, bool] = {}


class Line:
    """A line of the user's program; its text is made only when an error needs it."""

    __slots__ = ("_code", "_line")

    def __init__(self) -> None:
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and _is_ours(frame):
            frame = frame.f_back
        self._code = None if frame is None else frame.f_code
        self._line = 0 if frame is None else frame.f_lineno

    @property
    def location(self) -> Location:
        if self._code is None:
            return UNKNOWN
        return FileLocation(shown_file(self._code.co_filename), self._line)

    def describe(self) -> str:
        return self.location.describe()


def _is_ours(frame: FrameType) -> bool:
    found = _ours.get(frame.f_code)
    if found is None:
        house = str(frame.f_globals.get("__name__", ""))
        is_doctest = frame.f_code.co_filename.startswith("<doctest")
        found = _ours[frame.f_code] = house.startswith("penstock.") and not is_doctest
    return found


class Node:
    """The backward of something that was run; `edges` lead to what made its operands."""

    edges: tuple[Tensor | tuple[Node, int] | None, ...] = ()
    """For each operand the node and which of its results, or the tensor if that is a leaf; None
    where no gradient is wanted."""
    results = 1

    def __init__(self) -> None:
        self.number = next(_numbers)
        self.line = Line()
        self.hooks: dict[int, dict[int, Hook]] = {}
        """Of each result, by the number of its handle."""
        self._kept: dict[int, weakref.ref[Tensor]] = {}

    def backward(self, gradients: Gradients, *, keep: bool, record: bool) -> Gradients:
        """The gradients of the operands from those of the results; with `keep`, once more later.

        With `record`, what is computed is recorded itself.
        """
        raise NotImplementedError

    def name(self) -> str:
        """What it is the backward of, as `grad_fn` shows it."""
        raise NotImplementedError

    def keep(self, tensor: Tensor) -> None:
        """Put the gradient of this result into its `grad`."""
        self._kept[tensor.index] = weakref.ref(tensor)

    def kept(self, index: int) -> Tensor | None:
        """The tensor that keeps the gradient of this result."""
        found = self._kept.get(index)
        return None if found is None else found()

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """For each operand what made it, and which of that's results it is."""
        return tuple(
            (Accumulate(edge), 0) if isinstance(edge, Tensor) else edge or (None, 0)
            for edge in self.edges
        )

    def __repr__(self) -> str:
        return f"<{self.name()} of {self.line.describe()}>"


class Accumulate:
    """The end of a graph: what adds gradients up in `grad` of a leaf."""

    def __init__(self, variable: Tensor) -> None:
        self.variable = variable

    def name(self) -> str:
        return "accumulate_grad"

    def __repr__(self) -> str:
        return f"<{self.name()}>"


class Saved:
    """A value that a backward reads, and how often it had been changed when it was saved."""

    __slots__ = ("array", "changes", "count", "tensor")

    def __init__(self, tensor: Tensor, is_result: bool) -> None:
        # A node that kept its own results would live for ever.
        self.tensor = None if is_result else tensor
        self.array = tensor.array
        self.changes = tensor.all_changes
        self.count = self.changes.count


class OpNode(Node):
    """The backward of an op."""

    def __init__(
        self, op: OneOp, operands: Sequence[Tensor], results: Sequence[Tensor],
        wanted: tuple[bool, ...],
    ) -> None:  # fmt: skip
        super().__init__()
        self.op = op
        self.wanted = wanted
        self.edges = tuple(
            (operand.node, operand.index) if operand.node is not None else operand if want else None
            for operand, want in zip(operands, wanted, strict=True)
        )
        self.results = len(results)
        self._all: list[Saved | None] | None = self._saved(operands, results)

    def _saved(
        self, operands: Sequence[Tensor], results: Sequence[Tensor]
    ) -> list[Saved | None] | None:
        count = len(operands)
        seeded = tuple(self.op.may_require_grad)
        try:
            read = self.op.backward(self.wanted, seeded).saved
        except (ValueError, MemoryError) as error:
            self._refused: Exception | None = error
            return None
        self._refused = None
        found: list[Saved | None] = [None] * (count + len(results))
        for i in read:
            is_result = i >= count
            found[i] = Saved(results[i - count] if is_result else operands[i], is_result)
        return found

    def name(self) -> str:
        return f"{self.op.name.partition('.')[2]}_backward"

    def backward(self, gradients: Gradients, *, keep: bool, record: bool) -> Gradients:
        if self._refused is not None:
            raise self._refused
        if self._all is None:
            raise located(
                RuntimeError,
                f"backward goes through {self.op.name} of {self.line.describe()} a second time, "
                "and what it saved was freed by the first; pass retain_graph=True there",
            )
        seeded = tuple(g is not None for g in gradients)
        rule = self.op.backward(self.wanted, seeded)
        found: list[Tensor | None] = [None] * len(self.edges)
        if rule.kernel is not None:
            saved = [self._read(i) for i in rule.saved]
            seeds = [g for g in (gradients[i] for i in rule.read) if g is not None]
            if record:
                from penstock.tensors.execute import replay

                made = replay(rule.kernel.function, [*saved, *seeds])
            else:
                made = [wrap(a) for a in rule.kernel(*(t.array for t in (*saved, *seeds)))]
        left = iter(made if rule.kernel is not None else ())
        for operand, seed in rule.gives:
            found[operand] = next(left) if seed == -1 else gradients[seed]
        if not keep:
            self._all = None
        return found

    def _read(self, i: int) -> Tensor:
        assert self._all is not None
        saved = self._all[i]
        assert saved is not None, "what a rule for fewer seeds reads, that for all reads, too"
        if saved.changes.count != saved.count:
            line = saved.changes.line
            by = "" if line is None else f", by {line.describe()}"
            raise located(
                RuntimeError,
                f"backward of {self.op.name} of {self.line.describe()} needs a tensor of shape "
                f"{saved.array.shape} that was changed in place since{by}; change a clone of it",
            )
        if saved.tensor is not None:
            return saved.tensor
        result = wrap(saved.array)
        result.node, result.index = self, i - len(self.edges)
        return result


class Handle:
    """What takes a hook away again."""

    def __init__(self, hooks: dict[int, Any], number: int) -> None:
        self._hooks = hooks
        self._number = number

    def remove(self) -> None:
        """Do not call the hook any more; a second time does nothing."""
        self._hooks.pop(self._number, None)

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def new_handle(hooks: dict[int, Any], hook: Any) -> Handle:
    """Add a hook to others, and give the handle that removes it."""
    number = next(_hooks)
    hooks[number] = hook
    return Handle(hooks, number)


def add_hook(tensor: Tensor, hook: Hook) -> Handle:
    """Call a function with the gradient of this tensor."""
    if tensor.node is not None:
        return new_handle(tensor.node.hooks.setdefault(tensor.index, {}), hook)
    if tensor.hooks is None:
        tensor.hooks = {}
    return new_handle(tensor.hooks, hook)
