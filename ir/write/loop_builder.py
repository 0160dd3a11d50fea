"""Writing loops on buffers by hand: what the kernels of tensor ops are written with.

    with b.share(rows, cycles) as row:                  tasks take the rows among them
        (total,) = b.fold(0, n, [zero], lambda i, sum: [scalars.add(b, sum, x[row, i])])
        y[row] = total

A `LoopBuilder` is a `Builder`, so that `penstock.ir.write.scalars` writes the arithmetic. Constants
stand once, first in the function. What a kernel needs besides its operands and results is workspace
in the arena of the job: nothing is allocated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar, Union, cast

from penstock.ir import types as ty
from penstock.ir.attributes import Attribute, IntegerAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Block, Operation, Region, Value
from penstock.ir.dialects import arith, memref, scf
from penstock.ir.dialects.func import Func
from penstock.ir.types import MemRefType, Type
from penstock.ir.write import scalars

Index = Union[Value, int]  # noqa: UP007
Indices = Union[Index, tuple[Index, ...]]  # noqa: UP007
O = TypeVar("O", bound=Operation)  # noqa: E741


class Buffer:
    """A buffer, or its part at some first subscripts: `x[i, j]` reads, `x.at(i)[j] = v` writes."""

    def __init__(self, b: LoopBuilder, value: Value, place: Sequence[Value] = ()) -> None:
        self.b = b
        self.value = value
        self.place = tuple(place)

    @property
    def type(self) -> MemRefType:
        """The type of the whole buffer."""
        return cast(MemRefType, self.value.type)

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents that are left to be subscripted."""
        return self.type.shape[len(self.place) :]

    @property
    def element(self) -> Type:
        return self.type.element

    def at(self, *indices: Index) -> Buffer:
        """The part at these subscripts."""
        return Buffer(self.b, self.value, [*self.place, *map(self.b.index, indices)])

    def reshaped(self, *shape: int) -> Buffer:
        """A whole buffer in another shape of as many elements, without a copy."""
        assert not self.place, "a part of a buffer keeps its shape"
        return Buffer(self.b, memref.reshaped(self.b, self.value, MemRefType(shape, self.element)))

    def __getitem__(self, index: Indices) -> Value:
        return self.b.create(memref.Load, self.value, self._subscripts(index)).result

    def __setitem__(self, index: Indices, element: Value) -> None:
        self.b.create(memref.Store, element, self.value, self._subscripts(index))

    def _subscripts(self, index: Indices) -> list[Value]:
        subscripts = index if isinstance(index, tuple) else (index,)
        return [*self.place, *map(self.b.index, subscripts)]


class LoopBuilder(Builder):
    """Appends loops to a function on buffers.

    `tasks_for(cycles)` says how many tasks share so much work, by sizes alone. `width` is how many
    tasks take as long as one: the threads of a GPU, which may write to one cache line.
    """

    def __init__(self, function: Func, tasks_for: Callable[[int], int], width: int = 1) -> None:
        super().__init__(function.body)
        self.function = function
        self.tasks_for = tasks_for
        self.width = width
        self.workspaces: list[Value] = []
        """The arguments of the function that are workspace."""
        self._constants: dict[Attribute, Value] = {}
        self._task: tuple[Value, int] | None = None
        """Inside tasks, which one it is, and of how many."""

    # -- values ---------------------------------------------------------------------------------

    def insert(self, op: O) -> O:
        if not isinstance(op, arith.Constant):
            return super().insert(op)
        known = self._constants.get(op.value)
        if known is None:
            self._insert_first(op)
            known = self._constants[op.value] = op.result
        return cast(O, known.defining_op)

    def _insert_first(self, op: Operation) -> None:
        """Behind the constants that stand first in the function."""
        block = self.function.body
        last = list(self._constants.values())[-1:]
        following = last[0].defining_op.next if last and last[0].defining_op else block.first
        if following is None:
            block.append(op)
        else:
            block.insert_before(following, op)

    def index(self, value: Index) -> Value:
        """A number as a value; a value as it is."""
        if isinstance(value, Value):
            return value
        return self.create(arith.Constant, value=IntegerAttr(value, ty.index)).result

    def subscript(self, value: Value) -> Value:
        """An integer as an index."""
        return scalars.cast(self, value, ty.index)

    # -- loops ----------------------------------------------------------------------------------

    @contextmanager
    def loop(self, lower: Index, upper: Index, step: Index = 1, name: str = "i") -> Iterator[Value]:
        """A loop that carries nothing; gives its index."""
        bounds = [self.index(lower), self.index(upper), self.index(step)]
        region = scf.For.code_for((), name)
        self.insert(scf.For(bounds, None, {}, [region], self.location))
        block = region.blocks[0]
        with self.inside(block):
            yield block.arguments[0]
            self.create(scf.Yield, [])

    def fold(
        self,
        lower: Index,
        upper: Index,
        initial: Sequence[Value],
        body: Callable[..., Sequence[Value]],
        step: Index = 1,
        name: str = "i",
    ) -> Sequence[Value]:
        """A loop that carries values from turn to turn: `body(i, *values)` gives the next ones."""
        bounds = [self.index(lower), self.index(upper), self.index(step)]
        region = scf.For.code_for(initial, name)
        loop = self.insert(scf.For([*bounds, *initial], None, {}, [region], self.location))
        block = region.blocks[0]
        with self.inside(block):
            self.create(scf.Yield, list(body(*block.arguments)))
        return loop.results

    @contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        """What is done where an i1 holds."""
        then = Block()
        self.create(scf.If, condition, types=[], regions=[Region(then), Region()])
        with self.inside(then):
            yield
            self.create(scf.Yield, [])

    def choose(
        self,
        condition: Value,
        then: Callable[[], Sequence[Value]],
        otherwise: Callable[[], Sequence[Value]],
    ) -> Sequence[Value]:
        """The values of one of two branches, of which one alone runs."""
        blocks = Block(), Block()
        types: list[Type] = []
        for block, write in zip(blocks, (then, otherwise), strict=True):
            with self.inside(block):
                values = list(write())
                self.create(scf.Yield, values)
            types = [value.type for value in values]
        return self.create(
            scf.If, condition, types=types, regions=list(map(Region, blocks))
        ).results

    # -- tasks ----------------------------------------------------------------------------------

    @contextmanager
    def tasks(self, count: int, name: str = "task") -> Iterator[Value]:
        """Tasks 0 to `count`, which may run at the same time; gives the number of the task.

        None may write what another one reads or writes. What is written between tasks and other
        tasks is there for these.
        """
        assert self._task is None, "tasks have no tasks of their own"
        if count == 1:
            yield self.index(0)
            return
        forall = self.insert(scf.Forall.over([count], [name], self.location))
        (number,) = forall.inductions
        self._task = number, count
        with self.inside(forall.body):
            yield number
            self.insert(scf.InParallel.bare(self.location))
        self._task = None

    @contextmanager
    def share(self, count: int, cycles: int, name: str = "row") -> Iterator[Value]:
        """Pieces 0 to `count` of work, each by itself; gives the number of the piece.

        `cycles` is what all of it takes, roughly: where that is worth it, tasks take neighbouring
        pieces, as many as sizes alone decide. So results are the same for any number of threads.
        """
        wanted = min(count, self.tasks_for(cycles)) if count else 1
        each = -(-count // wanted)
        tasks = -(-count // each) if each else 1
        with self.tasks(tasks) as task:
            if tasks == 1:
                lower, upper = self.index(0), self.index(count)
            else:
                lower = scalars.mul(self, task, self.index(each))
                upper = scalars.add(self, lower, self.index(each))
                if count % each:
                    upper = scalars.minimum(self, upper, self.index(count))
            with self.loop(lower, upper, name=name) as piece:
                yield piece

    def workspace(self, *shape: int, element: Type) -> Buffer:
        """Memory of the arena whose contents are not known; inside tasks, for each its own."""
        if self._task is not None:
            shape = (self._task[1], *shape)
        argument = self.function.body.add_argument(MemRefType(shape, element), "workspace")
        self.workspaces.append(argument)
        return Buffer(self, argument, [] if self._task is None else [self._task[0]])
