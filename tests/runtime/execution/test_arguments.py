"""Every kind of argument: used as it is, converted, or refused with one sentence."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.runtime import Argument
from penstock.runtime.dtypes import numpy_dtype
from penstock.runtime.execution.arguments import accept
from penstock.runtime.memory import allocate

Array = np.ndarray[Any, Any]


def argument(shape: tuple[int, ...], dtype: str = "f32") -> Argument:
    return Argument("feed", "images", shape, dtype, loc="train.py:12")


def converted(value: object, shape: tuple[int, ...], dtype: str = "f32") -> Array:
    """The array that native code would read for this value."""
    target, _ = allocate(shape, numpy_dtype(dtype))
    np.copyto(target, accept(value, argument(shape, dtype), "train_job"))
    return target


def misaligned(array: Array) -> Array:
    """The same values at an address one byte past alignment."""
    block = np.zeros(array.nbytes + 1, np.uint8)[1:]
    odd: Array = np.ndarray(array.shape, array.dtype, block.data)
    odd[...] = array
    assert not odd.flags.aligned or array.size == 0
    return odd


def read_only(array: Array) -> Array:
    frozen = array.copy()
    frozen.flags.writeable = False
    return frozen


class Tagged(np.ndarray):  # type: ignore[type-arg]
    """A subclass whose operators give wrong results."""

    def __array_function__(self, *_: object, **__: object) -> object:
        raise AssertionError("the runtime must look at the memory alone")


LAYOUTS: dict[str, Callable[[Array], Array]] = {
    "as it is": lambda a: a,
    "float64": lambda a: a.astype(np.float64),
    "float16": lambda a: a.astype(np.float16),
    "big-endian": lambda a: a.astype(">f4"),
    "big-endian float64": lambda a: a.astype(">f8"),
    "bfloat16": lambda a: a.astype(numpy_dtype("bf16")),
    "long double": lambda a: a.astype(np.longdouble),
    "negative strides": lambda a: a[..., ::-1].copy()[..., ::-1] if a.ndim else a,
    "every second": lambda a: np.repeat(a, 2, axis=0)[::2] if a.ndim else a,
    "Fortran order": lambda a: np.asfortranarray(a) if a.ndim else a,
    "misaligned": misaligned,
    "misaligned big-endian": lambda a: misaligned(a.astype(">f4")),
    "read-only": read_only,
    "broadcast": lambda a: np.broadcast_to(a, (2, *a.shape))[1, ...],
    "a subclass": lambda a: a.view(Tagged),
    "a matrix": lambda a: a.view(np.matrix) if a.ndim == 2 else a,
}


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", [(), (5,), (3, 4), (2, 3, 4), (0,), (3, 0, 2)])
def test_layouts_are_converted(layout: str, shape: tuple[int, ...]) -> None:
    plain = np.arange(-3, np.prod(shape) - 3, dtype=np.float32).reshape(shape)
    value = LAYOUTS[layout](plain)
    assert np.array_equal(converted(value, shape), plain)


@pytest.mark.parametrize("source", ["f2", "f4", "f8", ">f2", ">f4", ">f8"])
@pytest.mark.parametrize("target", ["f16", "bf16", "f32", "f64"])
def test_floats_of_every_width(source: str, target: str) -> None:
    plain = np.array([0.0, -0.0, 1.5, -2.25, np.inf, -np.inf, np.nan], source)
    result = converted(plain, (7,), target)
    assert result.dtype == numpy_dtype(target)
    assert np.array_equal(result.astype(np.float64), plain.astype(np.float64), equal_nan=True)
    assert np.array_equal(np.signbit(result), np.signbit(plain))


@pytest.mark.parametrize("source", ["i1", "u1", "i2", ">i2", "i4", ">i4", "u4", "i8", ">i8", "u8"])
@pytest.mark.parametrize("target", ["i8", "i32", "i64", "ui8"])
def test_integers_whose_values_fit(source: str, target: str) -> None:
    plain = np.array([0, 1, 9, 127], source)
    assert converted(plain, (4,), target).tolist() == [0, 1, 9, 127]


def test_rounding_a_float_is_no_error() -> None:
    assert converted(np.array([0.1, 1e-60]), (2,)).tolist() == [float(np.float32(0.1)), 0.0]


def test_a_memory_map_is_an_array(tmp_path: Path) -> None:
    np.arange(4, dtype="<f4").tofile(tmp_path / "data")
    mapped = np.memmap(tmp_path / "data", "<f4", "r")
    assert converted(mapped, (4,)).tolist() == [0, 1, 2, 3]


ASKED = (
    "job 'train_job': parameter 'images' (train.py:12) expects a NumPy array of float32 and "
    "shape (2, 3), got "
)

REFUSED: list[tuple[object, type[Exception], str]] = [
    (None, TypeError, "None of type NoneType; convert it with numpy.asarray if that is meant"),
    ([[1.0] * 3] * 2, TypeError, "[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]] of type list; convert it"),
    ("images", TypeError, "'images' of type str; give its numbers"),
    (2.5, TypeError, "2.5 of type float; convert it"),
    (np.float32(2.5), TypeError, "np.float32(2.5) of type float32; convert it"),
    (list(range(99)), TypeError, "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11... of type list; convert"),
    (np.zeros((2, 3), object), TypeError, "an array of object; give one of numbers"),
    (np.zeros((2, 3), "U4"), TypeError, "an array of <U4; give one of numbers"),
    (np.zeros((2, 3), int), TypeError, "an array of int64; convert it with astype('float32') if"),
    (np.zeros((2, 3), bool), TypeError, "an array of bool; convert it with astype('float32')"),
    (np.zeros((2, 3), complex), TypeError, "an array of complex128; convert it with astype("),
    (np.zeros((2, 3), "M8[s]"), TypeError, "an array of datetime64[s]; give one of numbers"),
    (np.zeros((2, 3), [("a", "f4")]), TypeError, "an array of [('a', '<f4')]; give one of"),
    (
        np.zeros((3, 2), np.float32),
        ValueError,
        "shape (3, 2); a placeholder's shape is exact, so reshape the array or declare another sha",
    ),
    (np.zeros(6, np.float32), ValueError, "shape (6,); a placeholder's shape is exact"),
    (np.zeros((1, 2, 3), np.float32), ValueError, "shape (1, 2, 3); a placeholder's shape is"),
    (np.zeros((), np.float32), ValueError, "shape (); a placeholder's shape is exact"),
    (np.zeros((0, 3), np.float32), ValueError, "shape (0, 3); a placeholder's shape is exact"),
]


@pytest.mark.parametrize(("value", "error", "got"), REFUSED)
def test_error_messages(value: object, error: type[Exception], got: str) -> None:
    with pytest.raises(error, match="^" + re.escape(ASKED + got)):
        converted(value, (2, 3))


def test_a_float_instead_of_an_integer() -> None:
    with pytest.raises(
        TypeError, match=r"expects a NumPy array of int32 .* got an array of float6"
    ):
        converted(np.zeros((2, 3)), (2, 3), "i32")


@pytest.mark.parametrize(
    ("value", "dtype", "got"),
    [
        (np.array([3, 2**31]), "i32", "int64 with the value 2147483648, which int32 cannot hold"),
        (np.array([-129, 0]), "i8", "int64 with the value -129, which int8 cannot hold"),
        (np.array([-1, 0], np.int8), "ui8", "int8 with the value -1, which uint8 cannot hold"),
        (np.array([0, 2**63], np.uint64), "i64", "uint64 with the value 9223372036854775808, whic"),
        (np.array([1e39, 0]), "f32", "float64 with the value 1e+39, which float32 cannot hold"),
        (np.array([7e4, 0], np.float32), "f16", "float32 with the value 70000.0, which float16 c"),
        (np.array([0, -3.4e38]), "bf16", "float64 with the value -3.4e+38, which bfloat16 can"),
    ],
)
def test_a_value_that_does_not_fit(value: Array, dtype: str, got: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"got an array of {got}")):
        converted(value, (2,), dtype)


def test_a_parameter_without_a_location() -> None:
    with pytest.raises(TypeError, match="^job 'eval': parameter 'x' expects a NumPy array of floa"):
        accept(None, Argument("feed", "x", (1,), "f32"), "eval")


def test_an_array_that_is_updated_is_never_converted() -> None:
    asked = Argument("feed", "w", (2,), "f32", updated=True)
    array = np.ones(2, np.float32)
    assert accept(array, asked, "step") is array
    with pytest.raises(ValueError, match="to update, got float64; pass a copy of it"):
        accept(np.ones(2), asked, "step")
    array.flags.writeable = False
    with pytest.raises(ValueError, match="to update, got a read-only array; pass a copy of it"):
        accept(array, asked, "step")
