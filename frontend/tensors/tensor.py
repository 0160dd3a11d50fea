"""The tensor: an array with numbers, and what is known of it for gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from penstock.basics.dtypes import ALL, DType
from penstock.basics.errors import did_you_mean, kind_of, located
from penstock.tensors.device import CPU, Device
from penstock.trace.eager import Eager

if TYPE_CHECKING:
    from penstock.tensors.graph import Line, Node

Array = np.ndarray[Any, Any]

DTYPES: dict[np.dtype[Any], DType] = {dtype.numpy: dtype for dtype in ALL}
"""The element types by NumPy's."""


class Size(tuple[int, ...]):
    """The shape of a tensor: a tuple of extents.

    >>> import penstock as flow
    >>> flow.ones(2, 3).shape
    penstock.Size([2, 3])
    >>> flow.ones(2, 3).shape.numel()
    6
    """

    def __repr__(self) -> str:
        return f"penstock.Size({list(self)})"

    def numel(self) -> int:
        """How many elements a tensor of this shape has."""
        count = 1
        for extent in self:
            count *= extent
        return count

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        return Size(found) if isinstance(place, slice) else found

    def __add__(self, other: Any) -> Size:
        return Size(tuple(self) + tuple(other))


class Changes:
    """The changes in place of the elements that a tensor shares with its views."""

    __slots__ = ("count", "line")

    def __init__(self) -> None:
        self.count = 0
        self.line: Line | None = None
        """Of the last change."""


class Tensor(Eager):
    """An array of numbers that ops run on eagerly, and through which gradients flow.

    `flow.tensor(data)` makes one of numbers, lists and arrays, and `flow.Tensor(2, 3)` one of that
    shape whose elements are 0. Tensors made by ops that move nothing, such as `reshape` and
    slicing, share their elements with the tensor they are made of.

    >>> import penstock as flow
    >>> x = flow.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([[2., 4.],
            [6., 8.]], dtype=penstock.float32)
    """

    # Defaults, so that a new tensor needs no more than its array.
    _requires_grad = False
    _grad: Tensor | None = None
    node: Node | None = None
    """The op that made it, where that is recorded."""
    index = 0
    """Which result of that op it is."""
    base: Tensor | None = None
    """The tensor it is a view of."""
    changes: Changes | None = None
    """Of its elements, in place; made when first asked for, and none of a view."""
    seen = 0
    """Of a view: how many changes there had been when `node` was set."""
    hooks: dict[int, Callable[[Tensor], Any]] | None = None
    retains_grad = False
    array: Array

    def __init__(self, *data: Any, dtype: DType | None = None, device: Any = None) -> None:
        from penstock.tensors.creation import array_of, size_of

        if len(data) == 1 and not isinstance(data[0], int | Size):
            self.array = array_of(data[0], dtype, "flow.Tensor", default=True)
        else:
            given = dtype.numpy if dtype is not None else np.dtype(np.float32)
            self.array = np.zeros(size_of(data, "flow.Tensor"), given)

    # -- what it is ---------------------------------------------------------------------------

    name = "of tensors"
    trace = None

    @property
    def shape(self) -> Size:
        return Size(self.array.shape)

    @property
    def dtype(self) -> DType:
        return DTYPES[self.array.dtype]

    @property
    def device(self) -> Device:
        return CPU

    @property
    def ndim(self) -> int:
        return self.array.ndim

    @property
    def is_local(self) -> bool:
        return True

    is_global = is_cuda = is_sparse = False
    is_cpu = True

    @property
    def root(self) -> Tensor:
        """The tensor whose elements these are: itself, or the base of a view."""
        return self if self.base is None else self.base

    @property
    def all_changes(self) -> Changes:
        """The changes of its elements, through whichever view."""
        root = self.root
        if root.changes is None:
            root.changes = Changes()
        return root.changes

    @property
    def _version(self) -> int:
        return self.all_changes.count

    # -- gradients ----------------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        if self.base is not None and self.base.node is not None:
            from penstock.tensors.execute import refresh

            refresh(self)
        return self._requires_grad or self.node is not None

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        self.requires_grad_(wanted)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Record ops on it for gradients, or stop doing so; gives itself."""
        if not isinstance(requires_grad, bool):
            raise located(
                TypeError, f"requires_grad must be True or False, got {kind_of(requires_grad)}"
            )
        if self.node is not None:
            if requires_grad:
                return self
            raise located(
                RuntimeError,
                "only leaf tensors can stop requiring gradients, and this one was made by "
                f"{self.node.name()}; use x.detach()",
            )
        if requires_grad and not self.dtype.is_float:
            raise located(
                RuntimeError,
                f"only tensors of floats can require gradients, got {self.dtype}; "
                "cast it first, with x.float()",
            )
        self._requires_grad = requires_grad
        return self

    @property
    def is_leaf(self) -> bool:
        return self.node is None

    @property
    def grad(self) -> Tensor | None:
        """The gradient that `backward` summed up here, of its shape; None before."""
        return self._grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            if not isinstance(value, Tensor):
                raise located(TypeError, f"grad must be a tensor or None, got {kind_of(value)}")
            if value.shape != self.shape or value.dtype != self.dtype:
                raise located(
                    RuntimeError,
                    f"grad of a tensor of {self.dtype} and shape {tuple(self.shape)} must be "
                    f"alike, got {value.dtype} and shape {tuple(value.shape)}",
                )
        self._grad = value

    @property
    def grad_fn(self) -> Node | None:
        """The backward of the op that made it; None for a leaf."""
        from penstock.tensors.execute import refresh

        refresh(self)
        return self.node

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Sequence[Tensor] | None = None,
    ) -> None:
        """Add the gradients of this tensor to `grad` of the leaves it depends on.

        `gradient` weights its elements, and may be left out where it has one element.
        """
        from penstock.tensors.engine import backward

        backward([self], [gradient], retain_graph, create_graph, inputs, "backward")

    def retain_grad(self) -> None:
        """Keep its gradient in `grad` although it is no leaf."""
        if not self.requires_grad:
            raise located(
                RuntimeError, "retain_grad is for tensors that require gradients, and this has none"
            )
        if self.node is not None:
            self.retains_grad = True
            self.node.keep(self)

    def register_hook(self, hook: Callable[[Tensor], Any]) -> Any:
        """Call `hook` with the gradient of this tensor; what it returns, if any, replaces it.

        Gives a handle with `remove()`.
        """
        from penstock.tensors.graph import add_hook

        if not self.requires_grad:
            raise located(
                RuntimeError, "a hook needs a gradient, and this tensor requires none; "
                "set x.requires_grad = True first"
            )  # fmt: skip
        return add_hook(self, hook)

    def detach(self) -> Tensor:
        """A tensor that shares its elements, through which no gradient flows."""
        made = wrap(self.array)
        made.changes = self.all_changes
        return made

    @property
    def data(self) -> Tensor:
        return self.detach()

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise located(TypeError, f"data must be a tensor, got {kind_of(value)}")
        self.array = value.array

    # -- its numbers --------------------------------------------------------------------------

    def numpy(self) -> Array:
        """Its elements as an array that shares their memory."""
        return self.array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        found = self.array if dtype is None else self.array.astype(dtype, copy=False)
        return found.copy() if copy and found is self.array else found

    __array_priority__ = 1000

    def __dlpack__(self, **named: Any) -> Any:
        if self.requires_grad:
            raise located(
                BufferError, "a tensor that requires gradients cannot be exported; use x.detach()"
            )
        return self.array.__dlpack__(**named)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def item(self) -> Any:
        """The number of a tensor of one element."""
        if self.array.size != 1:
            raise located(
                ValueError,
                f"only a tensor of one element is a number, got shape {tuple(self.shape)}",
            )
        return self.array.reshape(())[()].item()

    def tolist(self) -> Any:
        """Its elements as nested lists of Python's numbers."""
        if self.dtype.word == "bf16":
            return self.array.astype(np.float32).tolist()
        return self.array.tolist()

    def __bool__(self) -> bool:
        if self.array.size != 1:
            raise located(
                RuntimeError,
                f"a tensor of shape {tuple(self.shape)} is neither true nor false; "
                "use x.any() or x.all()",
            )
        return bool(self.array.reshape(())[()])

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __index__(self) -> int:
        if self.dtype.is_float:
            raise located(TypeError, f"only a tensor of integers is an index, got {self.dtype}")
        return int(self.item())

    def __len__(self) -> int:
        if self.array.ndim == 0:
            raise located(TypeError, "a tensor of rank 0 has no len()")
        return len(self.array)

    def __iter__(self) -> Iterator[Tensor]:
        if self.array.ndim == 0:
            raise located(TypeError, "a tensor of rank 0 cannot be iterated over")
        return (self[i] for i in range(len(self.array)))

    def __contains__(self, value: object) -> bool:
        other = value.array if isinstance(value, Tensor) else value
        return bool(np.any(self.array == other))

    def __repr__(self) -> str:
        from penstock.tensors.printing import shown

        return shown(self)

    def __format__(self, form: str) -> str:
        return format(self.item(), form) if form and self.array.ndim == 0 else str(self)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(repr(self))}</pre>"

    def __copy__(self) -> Tensor:
        return self.detach().requires_grad_(self._requires_grad)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        made = self.__class__.__new__(self.__class__)
        memo[id(self)] = made
        made.__dict__.update({k: v for k, v in self.__dict__.items() if k not in _OWN})
        made.array = self.array.copy()
        made._requires_grad = self.requires_grad
        if self._grad is not None:
            made._grad = self._grad.__deepcopy__(memo)
        return made

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise located(
            TypeError, "tensors are not pickled; use flow.save(x, path) and flow.load(path)"
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        near = did_you_mean(name, (word for word in dir(type(self)) if not word.startswith("_")))
        raise located(AttributeError, f"a tensor has no {name!r}{near}")

    # -- ops ----------------------------------------------------------------------------------

    def run_op(
        self, op: str, operands: Sequence[Any], what: str, attributes: dict[str, Any]
    ) -> list[Any]:
        from penstock.tensors.execute import run_checked

        return run_checked(op, operands, what, attributes)

    def run_binary(self, op: str, x: object, y: object, what: str) -> Tensor:
        from penstock.tensors.execute import binary

        return binary(op, x, y, what)

    def __getitem__(self, place: Any) -> Tensor:
        from penstock.tensors.indexing import get

        return get(self, place)

    def __setitem__(self, place: Any, value: Any) -> None:
        from penstock.tensors.indexing import put

        put(self, place, value)


_OWN = ("array", "_grad", "node", "index", "base", "changes", "seen", "hooks")


def wrap(array: Array) -> Tensor:
    """A tensor with the elements of this array, in its memory."""
    made = Tensor.__new__(Tensor)
    made.array = array
    return made


def check_tensor(value: object, what: str) -> Tensor:
    """`value` if it is a tensor, else a located TypeError."""
    if not isinstance(value, Tensor):
        advice = "; use flow.tensor(x)" if isinstance(value, np.ndarray | list | tuple) else ""
        raise located(TypeError, f"{what} takes tensors, got {kind_of(value)}{advice}")
    return value
