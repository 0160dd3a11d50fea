"""The tensor: a NumPy array, and the state that autograd keeps for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn, TypeVar

import numpy as np

from penstock.basics.checks import check_takes
from penstock.basics.dlpack import exported
from penstock.basics.dtypes import ALL, DType, check_dtype, float32
from penstock.basics.errors import did_you_mean, kind_of, located
from penstock.sbp import Signature
from penstock.tensors.device import CPU, ONE_RANK, Device, Layout, Placement, layout_of
from penstock.trace.eager import Eager

Array = np.ndarray[Any, Any]
TensorT = TypeVar("TensorT", bound="Tensor")

DTYPES: dict[np.dtype[Any], DType] = {dtype.numpy: dtype for dtype in ALL}
"""Maps NumPy's dtypes to ours."""


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
        """The number of elements of a tensor of this shape."""
        count = 1
        for extent in self:
            count *= extent
        return count

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        return Size(found) if isinstance(place, slice) else found

    def __add__(self, other: Any) -> Size:
        return Size(tuple(self) + tuple(other))


class Actions:
    """Functions that tensors call, but whose modules import `Tensor`; filled in when
    `penstock.tensors` is imported."""

    add_hook: Callable[..., Any]
    assign: Callable[..., Tensor]
    array_of: Callable[..., Array]
    backward: Callable[..., None]
    binary: Callable[..., Tensor]
    differentiable_result: Callable[..., Any]
    finish: Callable[..., None]
    get: Callable[..., Tensor]
    note_made: Callable[..., None]
    put: Callable[..., None]
    read: Callable[..., None]
    refresh: Callable[..., None]
    replay: Callable[..., list[Tensor]]
    reread: Callable[..., None]
    run_checked: Callable[..., list[Tensor]]
    shown: Callable[..., str]
    size_of: Callable[..., tuple[int, ...]]
    step: Callable[..., list[Array | None]]
    sum: Callable[..., Array]


actions = Actions()


class Changes:
    """Counts in-place changes of the elements that a tensor shares with its views."""

    __slots__ = ("count", "line")  # as in codegen/native/layouts.h

    def __init__(self) -> None:
        self.count = 0
        self.line: Any = None
        """The `graph.Line` of the last change."""


class Tensor(Eager):
    """An array of numbers on which ops run eagerly, and through which gradients flow.

    `flow.tensor(data)` makes a tensor from numbers, lists or arrays; `flow.Tensor(2, 3)` makes one
    of that shape, filled with 0, and `flow.Tensor(data)` a copy of the data as floats. Ops that
    only change the view, such as `reshape` and slicing, return a tensor that shares its elements
    with the operand.

    >>> import penstock as flow
    >>> x = flow.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([[2., 4.],
            [6., 8.]], dtype=penstock.float32)
    """

    # codegen/native/eager.c fills and reads these; layouts.h has them in the same order.
    __slots__ = (
        "__dict__", "__weakref__",
        "_grad", "_requires_grad", "array", "base", "changes", "hooks", "index", "node", "seen",
        "unseen_base",
    )  # fmt: skip

    _grad: Tensor | None
    _requires_grad: bool
    array: Array
    base: Tensor | None
    """If it is a view, the tensor that owns the elements."""
    unseen_base: Tensor | None
    """If it is a view made within `no_grad`, the tensor that owns the elements."""
    changes: Changes | None
    """The in-place changes of its elements, created on first use; always None for a view."""
    hooks: dict[int, Callable[[Tensor], Any]] | None
    index: int
    """Its index among the results of the op that made it."""
    node: Any
    """The `graph.Node` of the op that made it, if the op was recorded."""
    seen: int
    """If it is a view, the base's count of changes when `node` was set."""
    retains_grad = False
    layout: Layout | None = None
    """Where it is, if it is global. Results of ops on one rank are not: it holds everything."""

    def __new__(cls: type[TensorT], *data: Any, **named: Any) -> TensorT:
        made = object.__new__(cls)
        made._grad = made.base = made.unseen_base = None
        made.changes = made.hooks = made.node = None
        made._requires_grad = False
        made.index = made.seen = 0
        return made

    def __init__(
        self, *data: Any, dtype: DType | None = None, device: Any = None,
        placement: Any = None, sbp: Any = None,
    ) -> None:  # fmt: skip
        if len(data) == 1 and not isinstance(data[0], int | Size):
            self.array = actions.array_of(data[0], dtype, "flow.Tensor", default=True)
            if isinstance(data[0], np.ndarray) and np.may_share_memory(self.array, data[0]):
                self.array = self.array.copy()
        else:
            given = (float32 if dtype is None else check_dtype(dtype, "dtype")).numpy
            self.array = np.zeros(actions.size_of(data, "flow.Tensor"), given)
        actions.note_made(self)
        if placement is not None or sbp is not None:
            self.layout = layout_of(placement, sbp, self.array.ndim, "flow.Tensor")

    # -- what it is ---------------------------------------------------------------------------

    name = "of tensors"
    trace: Any = None

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
    def is_global(self) -> bool:
        """Whether it was made global, with a placement."""
        return self.layout is not None

    @property
    def is_local(self) -> bool:
        return self.layout is None

    @property
    def placement(self) -> Placement:
        """The placement that it was given; by default rank 0 of the CPU."""
        return (self.layout or ONE_RANK).placement

    @property
    def sbp(self) -> tuple[Signature, ...]:
        """The signatures that it was given; by default `flow.sbp.broadcast`."""
        return (self.layout or ONE_RANK).sbp

    is_cuda = is_sparse = False
    is_cpu = True

    @property
    def root(self) -> Tensor:
        """The tensor that owns the elements: itself, or the base of a view."""
        return self if self.base is None else self.base

    @property
    def all_changes(self) -> Changes:
        """The changes of its elements through any view."""
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
            actions.refresh(self)
        return self._requires_grad or self.node is not None

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        self.requires_grad_(wanted)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Record ops on it for gradients, or stop doing so. Returns the tensor itself."""
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
        """The gradient that `backward` has accumulated, of the tensor's shape; None before."""
        if self._grad is not None and self.layout is not None and self._grad.layout is None:
            self._grad.layout = self.layout
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
    def grad_fn(self) -> Any:
        """The backward of the op that made it; None for a leaf."""
        actions.refresh(self)
        return self.node

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Sequence[Tensor] | None = None,
    ) -> None:
        """Add the gradients of this tensor to `grad` of the leaves it depends on.

        `gradient` weights the elements; it is optional for a tensor of one element.
        """
        actions.backward([self], [gradient], retain_graph, create_graph, inputs, "backward")

    def retain_grad(self) -> None:
        """Keep its gradient in `grad`, although it is not a leaf."""
        if not self.requires_grad:
            raise located(
                RuntimeError,
                "retain_grad needs a tensor that requires gradients, and this one "
                "does not; set x.requires_grad = True first",
            )
        if self.node is not None:
            self.retains_grad = True
            self.node.keep(self)

    def register_hook(self, hook: Callable[[Tensor], Any]) -> Any:
        """Call `hook` with the gradient of this tensor; a tensor it returns replaces the gradient.

        Returns a handle with `remove()`.
        """
        check_takes(hook, ("gradient",), "register_hook")
        blob = actions.differentiable_result(self)
        if blob is not None:
            return blob.register_hook(hook)
        if not self.requires_grad:
            raise located(
                RuntimeError, "a hook needs a tensor that requires gradients, and this one does "
                "not; set x.requires_grad = True first"
            )  # fmt: skip
        return actions.add_hook(self, hook)

    def detach(self) -> Tensor:
        """A tensor that shares its elements, through which no gradient flows."""
        made = wrap(self.array)
        made.changes = self.all_changes
        if self.layout is not None:
            made.layout = self.layout
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
        actions.read(self)
        return self.array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        actions.read(self)
        found = self.array if dtype is None else self.array.astype(dtype, copy=False)
        return found.copy() if copy and found is self.array else found

    __array_priority__ = 1000

    def __dlpack__(self, **named: Any) -> Any:
        if self.requires_grad:
            raise located(
                BufferError, "a tensor that requires gradients cannot be exported; use x.detach()"
            )
        actions.read(self)
        return exported(self.array, named)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def item(self) -> Any:
        """The only element, as a number of Python."""
        if self.array.size != 1:
            raise located(
                ValueError,
                f"only a tensor of one element is a number, got shape {tuple(self.shape)}",
            )
        actions.read(self)
        return self.array.reshape(())[()].item()

    def tolist(self) -> Any:
        """Its elements as nested lists of Python numbers."""
        actions.read(self)
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
        actions.read(self)
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
        return actions.shown(self)

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
        made.__dict__.update(self.__dict__)
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
        return actions.run_checked(op, operands, what, attributes)

    def run_binary(self, op: str, x: object, y: object, what: str) -> Tensor:
        return actions.binary(op, x, y, what)

    def __getitem__(self, place: Any) -> Tensor:
        return actions.get(self, place)

    def __setitem__(self, place: Any, value: Any) -> None:
        actions.put(self, place, value)


def wrap(array: Array) -> Tensor:
    """A tensor that shares this array's memory."""
    made = Tensor.__new__(Tensor)
    made.array = array
    return made


def check_tensor(value: object, what: str) -> Tensor:
    """`value` if it is a tensor, else a located TypeError."""
    if not isinstance(value, Tensor):
        advice = "; use flow.tensor(x)" if isinstance(value, np.ndarray | list | tuple) else ""
        raise located(TypeError, f"{what} takes tensors, got {kind_of(value)}{advice}")
    return value
