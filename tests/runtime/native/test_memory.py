"""Memory for native code is aligned, whatever its size and shape."""

import sys

import numpy as np
import pytest

from penstock.runtime.dtypes import DTYPE_WORDS, KINDS, dtype_word, kind_of, numpy_dtype
from penstock.runtime.memory import address_of, allocate


@pytest.mark.parametrize("dtype", [numpy_dtype(word) for word in DTYPE_WORDS], ids=DTYPE_WORDS)
@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,), (7,), (33, 5), (100, 784)])
@pytest.mark.parametrize("alignment", [64, 4096])
def test_allocated_arrays_are_aligned(
    shape: tuple[int, ...], dtype: np.dtype, alignment: int
) -> None:
    array, address = allocate(shape, dtype, alignment)
    assert (array.shape, array.dtype) == (shape, dtype)
    assert array.flags.c_contiguous
    assert array.flags.writeable
    assert address % alignment == 0
    assert address == address_of(array) == array.ctypes.data
    array[...] = 1
    assert (array == 1).all()


def test_out_of_memory() -> None:
    with pytest.raises(MemoryError, match=r"^a buffer needs 4,611,686,018,427,387,904 bytes"):
        allocate((2**62,), np.dtype(np.int8))


def test_the_address_of_an_array_that_exports_no_writable_buffer() -> None:
    array = np.arange(12.0).reshape(3, 4)
    frozen = array.copy()
    frozen.flags.writeable = False
    for odd in (frozen, array[::-1], array[:, ::2], array.astype(numpy_dtype("bf16")), array[:0]):
        assert address_of(odd) == odd.ctypes.data


def test_words_and_types() -> None:
    for word in DTYPE_WORDS:
        dtype = numpy_dtype(word)
        assert dtype_word(dtype) == word
        assert kind_of(dtype) == KINDS[word]
    assert [KINDS[word] for word in ("bf16", "ui8", "i1")] == ["float", "integer", "bool"]
    assert dtype_word(np.dtype(">i8")) == "i64"
    assert kind_of(np.dtype(np.uint16)) == "integer"
    assert kind_of(np.dtype(bool)) == "bool"
    assert kind_of(np.dtype(object)) == "object"
    assert kind_of(np.dtype(complex)) == "complex128"


def test_unknown_word_and_type() -> None:
    with pytest.raises(ValueError, match=r"^unknown data type 'f8': expected one of f16, bf16, "):
        numpy_dtype("f8")
    with pytest.raises(ValueError, match=r"^arrays of uint16 have no data type here: expected on"):
        dtype_word(np.dtype(np.uint16))


def test_a_kind_is_found_without_ml_dtypes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ml_dtypes", raising=False)
    assert kind_of(np.dtype(np.float32)) == "float"
    assert kind_of(np.dtype("V2")) == "void16"
