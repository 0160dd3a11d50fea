"""Blobs: the values in a job's body, known by shape and element type only.

A blob has no value while the job is traced. So it cannot decide an `if` or become an
array; the errors say what to use instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeGuard, cast

import numpy as np

from penstock.basics.checks import is_bool, is_integer, is_number
from penstock.basics.dtypes import DType, from_word
from penstock.basics.errors import did_you_mean, kind_of, located, untraceable
from penstock.basics.names import elsewhere
from penstock.distribute import Distribute, Distribution, check_distribute
from penstock.ir.attributes import DenseElementsAttr, attribute, python_value
from penstock.ir.core import Value
from penstock.ir.dialects import flow as _flow  # noqa: F401 - fills the registry of ops
from penstock.ir.dialects.job.sbp import HINT
from penstock.ir.dialects.job.views import MIRRORED
from penstock.ir.location import Location
from penstock.ir.opdef import registry
from penstock.ir.types import TensorType
from penstock.trace.base import Base
from penstock.trace.eager import Eager, eager_among
from penstock.trace.extents import Extent, extents_of, refusal
from penstock.trace.sharing import ParallelConf, batch_axis, parallel_conf, wanted_state
from penstock.trace.tracing import (
    PLACEMENT,
    Tensors,
    Trace,
    active_trace,
    current_trace,
    tensor_type,
)


class Blob(Base):
    """A value in a job's body while it is traced."""

    is_tensor_list = False
    """Whether a call returns it as a list of arrays, its parts along the first dimension."""

    micro_batches: tuple[Blob, ...]
    """Its values in the micro-batches of a call, if `flow.unpack` or `flow.repeat` gave it several;
    shape, element type and name are those of the first."""

    distribute: Distribute | None = None
    """How the program wants ranks to share it, if it said so."""

    __hash__ = object.__hash__

    def __init__(
        self,
        value: Value,
        name: str,
        trace: Trace,
        location: Location,
        extent: Extent | None = None,
        micro_batches: tuple[Blob, ...] = (),
    ) -> None:
        self.extent = extent
        self.micro_batches = micro_batches
        self.value = value
        self.name = name
        self.trace = trace
        self.location = location
        trace.note(self)

    @property
    def is_dynamic(self) -> bool:  # type: ignore[override]
        """Whether its extent is known only at run time; its shape is then the upper bound."""
        return self.extent is not None

    @property
    def is_local(self) -> bool:
        """Whether each rank has its own: a blob of the mirrored view."""
        return self.value in self.trace.local

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        return cast(TensorType, self.value.type).shape

    @property
    def dtype(self) -> DType:
        return from_word(str(cast(TensorType, self.value.type).element))

    @property
    def unique_name(self) -> str:
        """`op/out`, and `op/out:S0` or `op/out:B` where the program says how ranks share it."""
        if self.distribute is None or self.distribute.is_auto:
            return f"{self.name}/out"
        return f"{self.name}/out:{self.distribute.short}"

    @property
    def batch_axis(self) -> int | None:
        """The dimension along which there are samples; None for variables, sums over a batch and
        the like."""
        return batch_axis(self.trace, self.value)

    @property
    def split_axis(self) -> int | None:
        """The dimension along which the program wants ranks to share it, if it says so, and in one
        way on all of them."""
        return None if self.distribute is None else self.distribute.axis

    @property
    def parallel_conf(self) -> ParallelConf:
        """The devices that have it."""
        op = self.value.defining_op
        found = self.trace.module.attributes.get(PLACEMENT)
        if op is not None:
            found = op.attributes.get(PLACEMENT, found)
        return parallel_conf(None if found is None else python_value(found))

    def __repr__(self) -> str:
        return f"<blob {self.name} of {self.dtype} and shape {self.shape}>"

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: Any, **named: Any) -> Any:
        """NumPy's hook for ufuncs and for operators with arrays or NumPy scalars on the left."""
        words = _OPERATORS.get(ufunc.__name__)
        if words is None or method != "__call__" or named:
            called = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
            raise self._no_array(called)
        # A number in a comparison arrives as an array of rank 0.
        first, *rest = (
            operand[()] if isinstance(operand, np.ndarray) and operand.ndim == 0 else operand
            for operand in operands
        )
        if isinstance(first, Blob):
            return getattr(first, words[0])(*rest)
        return getattr(self, words[1])(first)

    def __array_function__(
        self, function: Any, types: object, operands: Sequence[Any], named: dict[str, Any]
    ) -> Any:
        """NumPy's hook for its other functions."""
        if function is np.shape:
            return self.shape
        if function is np.ndim:
            return len(self.shape)
        raise self._no_array(f"{function.__module__}.{function.__name__}".removeprefix("numpy."))

    def _no_array(self, called: str) -> TypeError:
        """The error for a NumPy function called with blobs; it names the function to use."""
        use = _NUMPYS.get(called) or elsewhere(called.rpartition(".")[2])
        return untraceable(
            TypeError,
            f"numpy.{called} takes arrays, got blob {self.name}, which has no value while the job "
            f"is traced; use {use or 'ops of flow'}",
        )

    def __copy__(self) -> Blob:
        return self

    def __format__(self, form: str) -> str:
        if not form:
            return str(self)
        raise untraceable(
            TypeError,
            f"blob {self.name} cannot be formatted with {kind_of(form)}, since it has no value "
            "while the job is traced; watch it with flow.watch, or return it from the job",
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"a blob has no {name!r}")
        if _load_methods():
            return getattr(self, name)
        use = elsewhere(name)
        advice = f"; {_METHODS.get(name, f'use {use}')}" if use or name in _METHODS else ""
        near = did_you_mean(name, ("name", *(w for w in dir(Blob) if not w.startswith("_"))))
        raise untraceable(AttributeError, f"blob {self.name} has no {name!r}{advice or near}")

    def with_distribute(self, distribute: Distribution) -> Blob:
        """This blob, in the state in which ops that read the result get it.

        On a mesh of several axes, `distribute` is a list of one for each.

        Raises a located TypeError or ValueError for anything but a distribution of such a blob.
        """
        return cast_states(self, check_distribute(distribute, "distribute of with_distribute"))

    def with_gradient_distribute(self, distribute: Distribution) -> Blob:
        """This blob, whose gradient by ops that read the result is in this state."""
        what = "distribute of with_gradient_distribute"
        return cast_states(self, None, check_distribute(distribute, what))

    def __add__(self, other: object) -> Blob:
        return binary("flow.add", self, other)

    def __radd__(self, other: object) -> Blob:
        return binary("flow.add", other, self)

    def __sub__(self, other: object) -> Blob:
        return binary("flow.subtract", self, other)

    def __rsub__(self, other: object) -> Blob:
        return binary("flow.subtract", other, self)

    def __mul__(self, other: object) -> Blob:
        return binary("flow.multiply", self, other)

    def __rmul__(self, other: object) -> Blob:
        return binary("flow.multiply", other, self)

    def __truediv__(self, other: object) -> Blob:
        return binary("flow.divide", self, other)

    def __rtruediv__(self, other: object) -> Blob:
        return binary("flow.divide", other, self)

    def __floordiv__(self, other: object) -> Blob:
        return binary("flow.floor_divide", self, other)

    def __rfloordiv__(self, other: object) -> Blob:
        return binary("flow.floor_divide", other, self)

    def __mod__(self, other: object) -> Blob:
        return binary("flow.floor_mod", self, other)

    def __rmod__(self, other: object) -> Blob:
        return binary("flow.floor_mod", other, self)

    def __divmod__(self, other: object) -> tuple[Blob, Blob]:
        return self // other, self % other

    def __rdivmod__(self, other: object) -> tuple[Blob, Blob]:
        return other // self, other % self

    def _change(self, op: str, other: object) -> Any:
        """`self op= other` where blobs stand for tensors; elsewhere Python makes a new blob."""
        tensors = self.trace.tensors
        if tensors is None:
            return NotImplemented
        return tensors.rebound(self, binary(op, self, other))

    def __iadd__(self, other: object) -> Any:
        return self._change("flow.add", other)

    def __isub__(self, other: object) -> Any:
        return self._change("flow.subtract", other)

    def __imul__(self, other: object) -> Any:
        return self._change("flow.multiply", other)

    def __itruediv__(self, other: object) -> Any:
        return self._change("flow.divide", other)

    def __ifloordiv__(self, other: object) -> Any:
        return self._change("flow.floor_divide", other)

    def __imod__(self, other: object) -> Any:
        return self._change("flow.floor_mod", other)

    def __setitem__(self, place: Any, value: object) -> None:
        tensors = self.trace.tensors
        if tensors is None or not tensors.changes_blobs:
            raise located(
                TypeError,
                f"blob {self.name} cannot be changed; make a new blob of it with ops of flow",
            )
        _load_methods()
        getattr(self, "_put")(place, value)  # noqa: B009

    def __neg__(self) -> Blob:
        return apply("flow.negative", self)[0]

    def __pos__(self) -> Blob:
        return self

    def __abs__(self) -> Blob:
        return apply("flow.abs", self)[0]

    def __eq__(self, other: object) -> Any:
        return binary("flow.equal", self, other)

    def __ne__(self, other: object) -> Any:
        return binary("flow.not_equal", self, other)

    def __lt__(self, other: object) -> Blob:
        return binary("flow.less", self, other)

    def __le__(self, other: object) -> Blob:
        return binary("flow.less_equal", self, other)

    def __gt__(self, other: object) -> Blob:
        return binary("flow.greater", self, other)

    def __ge__(self, other: object) -> Blob:
        return binary("flow.greater_equal", self, other)


_NO_VALUE = (
    "has no value while the job is traced",
    "use ops of flow, or return it from the job to get its array",
)

# What Python may ask of a value but a blob cannot do: the words for the error, and what to use.
_REFUSED = {
    "__bool__": (
        "has no truth value while the job is traced",
        "choose between values with flow.where(condition, x, y)",
    ),
    **dict.fromkeys(("__lshift__", "__rlshift__"), ("has no operator <<", "use x * 2**n")),
    **dict.fromkeys(
        ("__rshift__", "__rrshift__"), ("has no operator >>", "use flow.math.floordiv")
    ),
    "__round__": ("has no round()", "use flow.math.rint(x)"),
    "__floor__": ("has no floor()", "use flow.math.floor(x)"),
    "__ceil__": ("has no ceil()", "use flow.math.ceil(x)"),
    "__trunc__": ("has no trunc()", "use flow.math.floor(x) or flow.math.ceil(x)"),
    **dict.fromkeys(
        ("__reduce_ex__", "__deepcopy__"),
        (
            "cannot be pickled or copied: it is part of the job that is traced",
            "use the blob itself, or return it from the job to get its array",
        ),
    ),
    "__contains__": ("cannot be searched with in", "compare with == and reduce the result"),
    "__float__": _NO_VALUE,
    "__int__": _NO_VALUE,
    "__complex__": _NO_VALUE,
    "__bytes__": _NO_VALUE,
    "__delitem__": ("cannot be changed", "make a new blob of it with ops of flow"),
    "__index__": _NO_VALUE,
    "__array__": ("is not an array while the job is traced", _NO_VALUE[1]),
}


# Operators by NumPy's names: the method if the blob is on the left, and on the right.
_OPERATORS = {
    "add": ("__add__", "__radd__"),
    "subtract": ("__sub__", "__rsub__"),
    "multiply": ("__mul__", "__rmul__"),
    "divide": ("__truediv__", "__rtruediv__"),
    "remainder": ("__mod__", "__rmod__"),
    "equal": ("__eq__", "__eq__"),
    "not_equal": ("__ne__", "__ne__"),
    "less": ("__lt__", "__gt__"),
    "less_equal": ("__le__", "__ge__"),
    "greater": ("__gt__", "__lt__"),
    "greater_equal": ("__ge__", "__le__"),
    "power": ("__pow__", "__rpow__"),
    "floor_divide": ("__floordiv__", "__rfloordiv__"),
    "divmod": ("__divmod__", "__rdivmod__"),
    "matmul": ("__matmul__", "__rmatmul__"),
    "bitwise_and": ("__and__", "__rand__"),
    "bitwise_or": ("__or__", "__ror__"),
    "bitwise_xor": ("__xor__", "__rxor__"),
}

# What to use instead of NumPy functions, if there is no function of the same name.
_NUMPYS = {
    "add.reduce": "flow.math.reduce_sum",
    "multiply.reduce": "flow.math.reduce_prod",
    "maximum.reduce": "flow.math.reduce_max",
    "minimum.reduce": "flow.math.reduce_min",
    "logical_or.reduce": "flow.math.reduce_any",
    "logical_and.reduce": "flow.math.reduce_all",
    "add.accumulate": "flow.cumsum",
    "isnan": "flow.math.is_nan",
    "isinf": "flow.math.is_inf",
    "isfinite": "flow.math.is_finite",
    "amax": "flow.math.reduce_max",
    "amin": "flow.math.reduce_min",
    "var": "flow.math.reduce_variance",
    "linalg.norm": "flow.math.reduce_euclidean_norm",
    **dict.fromkeys(("swapaxes", "moveaxis"), "flow.transpose"),
    **dict.fromkeys(("concatenate", "hstack", "vstack", "append"), "flow.concat"),
    **dict.fromkeys(("dot", "inner", "vdot"), "flow.matmul"),
    **dict.fromkeys(("tensordot", "outer", "kron"), "flow.einsum"),
    "take": "flow.gather",
    "copy": "flow.identity",
}

# Attributes of other libraries' tensors that blobs lack, if there is no function of the same name.
_METHODS = {
    **dict.fromkeys(
        ("numpy", "item", "tolist", "data"),
        "return it from the job to get its array",
    ),
    **dict.fromkeys(
        ("fill", "fill_", "copy_", "zero_", "set"),
        "give a variable its next value with flow.assign(variable, value)",
    ),
    "grad": "use flow.gradients(y, x), or watch it with flow.watch_diff(x)",
}


def _refusal(deed: str, advice: str) -> Callable[..., NoReturn]:
    def refuse(self: Blob, *args: object, **named: object) -> NoReturn:
        raise untraceable(TypeError, f"blob {self.name} {deed}; {advice}")

    return refuse


for _method, _words in _REFUSED.items():
    setattr(Blob, _method, _refusal(*_words))

_offered: list[Callable[[], Mapping[str, Any]]] = []


def offer_methods(load: Callable[[], Mapping[str, Any]]) -> None:
    """Let blobs have the methods that `load` gives, which is called when the first one is used.

    They are functions of several ops, and most jobs need none of them.
    """
    _offered.append(load)


def _load_methods() -> bool:
    """Whether blobs have methods that they had not before."""
    if not _offered:
        return False
    for load in _offered:
        for name, method in load().items():
            setattr(Blob, name, method)
    _offered.clear()
    return True


def _later(name: str) -> Callable[..., Any]:
    def method(self: Blob, *args: object) -> Any:
        _load_methods()
        return getattr(self, name)(*args)

    return method


# Operators that are functions of several ops.
for _method in (
    *("__getitem__", "__iter__", "__len__", "__pow__", "__rpow__", "__matmul__", "__rmatmul__"),
    *("__and__", "__rand__", "__or__", "__ror__", "__xor__", "__rxor__", "__invert__"),
):
    setattr(Blob, _method, _later(_method))


def feed(
    trace: Trace,
    name: str,
    shape: Sequence[int],
    dtype: DType,
    location: Location,
    is_local: bool = False,
) -> Blob:
    """A new argument of a job that each call provides; `name` gets a number if it is taken."""
    label = trace.fresh(name)
    facts: dict[str, Any] = {"job.feed": label}
    value = trace.argument(
        label, shape, dtype, location, facts | {MIRRORED: True} if is_local else facts
    )
    if is_local:
        trace.local.add(value)
    return Blob(value, label, trace, location)


def _tensors() -> Tensors | None:
    """How tensors become blobs, where the body that is traced computes with them."""
    trace = active_trace()
    return None if trace is None else trace.tensors


def check_blob(value: object, what: str) -> Blob:
    """`value` if it is a blob of the job being traced, or a tensor, otherwise a located error."""
    if isinstance(value, Eager):
        tensors = _tensors()
        return cast(Blob, value if tensors is None else tensors.blob(value))
    if isinstance(value, Blob) and active_trace() is None:
        raise located(
            NotImplementedError,
            f"{what} was given blob {value.name} of {value.trace.job!r}, whose body has run; what "
            "runs in a step, such as a hook, computes with its arguments alone",
        )
    trace = current_trace(what)
    if not isinstance(value, Blob):
        advice = (
            "; make it a parameter of the job, or, if its elements are alike, write flow.constant"
            if isinstance(value, np.ndarray)
            else ""
        )
        raise located(TypeError, f"{what} takes blobs, got {kind_of(value)}{advice}")
    if value.trace is not trace:
        raise located(
            ValueError,
            f"{what} was given blob {value.name} of job {value.trace.job!r} "
            f"({value.location.describe()}) in the body of job {trace.job!r}; return it from the "
            "one job and pass its array to the other",
        )
    return value


def check_single(value: object, what: str, where: Location | None = None) -> Blob:
    """`value` if it is a blob of the job being traced with one value per call, otherwise an
    error."""
    blob = check_blob(value, what)
    if blob.micro_batches:
        raise located(
            ValueError,
            f"{what} must have one value in a call, but blob {blob.name} has "
            f"{len(blob.micro_batches)}; join them with flow.pack or flow.acc",
            where,
        )
    return blob


def check_static(value: object, what: str) -> Blob:
    """`value` if it is a blob of the job being traced with a static shape, otherwise an error."""
    blob = check_blob(value, what)
    if blob.extent is not None:
        raise refusal(blob, blob.extent, what)
    return blob


def apply(
    op: str,
    *operands: Blob | Sequence[Blob],
    name: str | None = None,
    what: str = "",
    **attributes: Any,
) -> list[Blob]:
    """Append an op, by name, to the current job and return its results as blobs.

    `what` is the public name, for errors. Raises a located ValueError if operands or attributes do
    not fit the op. Given tensors, the op runs now and its results are tensors.
    """
    what = what or op
    eager = eager_among(operands)
    if eager is not None:
        if _tensors() is None:
            return eager.run_op(op, operands, what, attributes)
        operands = tuple(
            [check_blob(member, what) for member in operand]
            if isinstance(operand, list | tuple)
            else check_blob(operand, what)
            for operand in operands
        )
    trace = current_trace(what)
    if name is not None and not isinstance(name, str):
        raise located(TypeError, f"name of {what} must be a string, got {kind_of(name)}")
    if trace.tensors is not None and len(operands) == 1 and isinstance(operands[0], Blob):
        operands = (trace.tensors.floats(op, operands[0], what),)
    values = [
        [check_blob(member, what).value for member in operand]
        if isinstance(operand, tuple | list)
        else check_blob(operand, what).value
        for operand in operands
    ]
    members = [
        m for operand in operands for m in ([operand] if isinstance(operand, Blob) else operand)
    ]
    if any(member.micro_batches for member in members):
        return in_each_micro_batch(
            lambda *parts: apply(op, *parts, name=name, what=what, **attributes), operands, what
        )
    created = trace.create(registry[op], *values, **attributes)
    extents = extents_of(created, members, what)
    label = trace.fresh(name or op.partition(".")[2])
    created.results[0].name = label
    names = [label, *(f"{label}/{i}" for i in range(1, len(created.results)))]
    return [
        Blob(result, name, trace, created.location, extent)
        for result, name, extent in zip(created.results, names, extents, strict=True)
    ]


def in_each_micro_batch(
    call: Callable[..., list[Blob]], operands: Sequence[Blob | Sequence[Blob]], what: str
) -> list[Blob]:
    """Apply `call` to the operands' values in each micro-batch; the results have as many.

    An operand with one value has it in each micro-batch. Raises a located ValueError if operands
    have different numbers of micro-batches.
    """
    members = [m for one in operands for m in ([one] if isinstance(one, Blob) else one)]
    counts = {len(blob.micro_batches): blob for blob in members if blob.micro_batches}
    if len(counts) > 1:
        first, second = (f"{blob.name} of {count}" for count, blob in [*counts.items()][:2])
        raise located(
            ValueError,
            f"{what} takes blobs with equally many micro-batches, got blobs {first} and {second}; "
            "join those of one with flow.pack or flow.acc, or repeat the other with flow.repeat",
        )

    def at(operand: Blob | Sequence[Blob], i: int) -> Blob | list[Blob]:
        if not isinstance(operand, Blob):
            return [blob.micro_batches[i] if blob.micro_batches else blob for blob in operand]
        return operand.micro_batches[i] if operand.micro_batches else operand

    (count,) = counts
    rows = [call(*(at(operand, i) for operand in operands)) for i in range(count)]
    return [in_micro_batches(values) for values in zip(*rows, strict=True)]


def in_micro_batches(values: Sequence[Blob]) -> Blob:
    """A blob with these values, one per micro-batch; a single value is returned as it is."""
    first = values[0]
    if len(values) == 1:
        return first
    return Blob(first.value, first.name, first.trace, first.location, first.extent, tuple(values))


def is_element(value: object, dtype: DType) -> TypeGuard[float]:
    """Whether a plain value can be used as a blob of this type: a number; for bools True, False, 1
    or 0."""
    if dtype.is_bool:
        return is_bool(value) or (is_integer(value) and value in (0, 1))
    return is_number(value)


def cast_states(
    x: Blob,
    distribute: Distribution | None = None,
    gradient: Distribution | None = None,
    name: str | None = None,
) -> Blob:
    """x, and its gradient, in the states that a program wants. On one rank, they have only one.

    Raises a located ValueError for a split of a dimension that x does not have.
    """
    holder = f"blob {x.name}"
    state = wanted_state(distribute, x.shape, f"distribute of {holder}", holder)
    back = wanted_state(gradient, x.shape, f"gradient_distribute of {holder}", holder)
    if x.trace.ranks > 1 and (state or back):
        options = {} if back is None else {"gradient": back}
        label = name or f"{x.name}_cast"
        x = apply("sbp.cast", x, name=label, what="distribute", **options)[0]
        for one in x.micro_batches or (x,):
            if state is not None and one.value.defining_op is not None:
                one.value.defining_op.attributes[HINT] = attribute([state])
    elif name is not None:
        x = apply("flow.identity", x, name=name, what="flow.parallel_cast")[0]
    view = Blob(x.value, x.name, x.trace, x.location, x.extent, x.micro_batches)
    view.distribute = (
        x.distribute if distribute is None else check_distribute(distribute, "distribute")
    )
    return view


def constant_blob(
    value: float, shape: Sequence[int], dtype: DType, what: str, name: str | None = None
) -> Blob:
    """A blob whose elements are all `value`, which the element type must be able to hold."""
    elements = DenseElementsAttr.of(_element(value, dtype, what), tensor_type(shape, dtype))
    return apply("flow.constant", name=name, what=what, value=elements)[0]


def fill_of(value: object, dtype: DType, what: str) -> float:
    """`value` as a number of this element type, without loss; `what` is the argument's name."""
    if not is_number(value) and not is_element(value, dtype):
        raise located(TypeError, f"{what} must be a number, got {kind_of(value)}")
    _element(value, dtype, what)
    return int(value) if dtype.is_integer else float(value)


def _element(value: float, dtype: DType, what: str) -> np.ndarray[Any, np.dtype[Any]]:
    """The number in that element type: exact for integers, and finite if it was finite."""
    if dtype.is_bool:
        return np.asarray(value, dtype.numpy)
    beyond = False
    if dtype.is_integer:
        limits = np.iinfo(dtype.numpy)
        if not is_integer(value) and not float(value).is_integer():
            raise located(
                TypeError,
                f"{what} got {value} with {dtype} blobs; cast them first, or give an int",
            )
        number: float = int(value)
        beyond = not limits.min <= number <= limits.max
    else:
        try:
            number = float(value)
        except OverflowError:
            number, beyond = math.inf, True
    if not beyond:
        with np.errstate(over="ignore"):
            array = np.asarray(number).astype(dtype.numpy)
        # NumPy's isfinite does not support bfloat16.
        beyond = math.isfinite(number) and not math.isfinite(float(array))
    if beyond:
        huge = is_integer(value) and abs(value) >= 2**64  # Python may refuse to print it
        raise located(
            ValueError,
            f"{what} got {'a number' if huge else value}, which {dtype} cannot hold; "
            "choose another number, or a wider element type",
        )
    return array


def binary(op: str, x: object, y: object, name: str | None = None, what: str = "") -> Blob:
    """Apply an elementwise op to two blobs, or to a blob and a number."""
    what = what or op
    eager, tensors = eager_among((x, y)), _tensors()
    if tensors is not None:
        x, y = tensors.promoted(op, x, y, what)
    elif eager is not None:
        return cast(Blob, eager.run_binary(op, x, y, what))
    for one in (x, y):
        if isinstance(one, Blob):
            check_blob(one, what)
    if isinstance(x, Blob) and is_element(y, x.dtype):
        y = constant_blob(y, (), x.dtype, what)
    elif isinstance(y, Blob) and is_element(x, y.dtype):
        x = constant_blob(x, (), y.dtype, what)
    left, right = check_blob(x, what), check_blob(y, what)
    return apply(op, left, right, name=name, what=what)[0]
