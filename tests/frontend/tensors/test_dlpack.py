"""DLPack of bfloat16, which NumPy's does not know."""

import ctypes
from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock.basics.dlpack import _kind_of


class Other:
    """An object of another library that exports what a tensor does."""

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor

    def __dlpack__(self, **named: Any) -> Any:
        return self.tensor.__dlpack__(**named)

    def __dlpack_device__(self) -> Any:
        return self.tensor.__dlpack_device__()


def test_both_ways_without_copying() -> None:
    x = flow.arange(12).reshape(3, 4).bfloat16()
    for part in (x, x[:, 1:], x.t(), flow.zeros(0, 3).bfloat16()):
        found = flow.from_dlpack(Other(part))
        assert (found.dtype, found.shape) == (flow.bfloat16, part.shape)
        assert found.tolist() == part.tolist()
    flow.from_dlpack(Other(x))[0, 0] = 7
    assert x[0, 0].item() == 7


def test_the_label_in_the_capsule() -> None:
    x = flow.ones(2)
    for tensor, code, bits in ((x, 2, 32), (x.half(), 2, 16), (x.bfloat16(), 4, 16)):
        for named in ({}, {"max_version": (1, 0)}):
            kind = _kind_of(tensor.__dlpack__(**named))
            assert (kind.code, kind.bits, kind.lanes) == (code, bits, 1)
    assert ctypes.sizeof(kind) == 4


def test_capsules_that_nobody_takes_free_the_array() -> None:
    import weakref

    array = np.ones(3, np.float32)
    tensor = flow.from_numpy(array).bfloat16()
    kept = weakref.ref(tensor.array)
    capsule = tensor.__dlpack__()
    del tensor
    assert kept() is not None or capsule is not None
    del capsule
    assert kept() is None


def test_with_pytorch() -> None:
    torch = pytest.importorskip("torch")
    x = flow.arange(6).reshape(2, 3).bfloat16()
    theirs = torch.from_dlpack(x)
    assert theirs.dtype is torch.bfloat16
    theirs[0, 0] = 5
    assert x[0, 0].item() == 5
    part = torch.arange(6.0).bfloat16().reshape(2, 3)[:, 1:]
    mine = flow.from_dlpack(part)
    assert (mine.dtype, mine.stride(), mine.tolist()) == (flow.bfloat16, (3, 1), [[1, 2], [4, 5]])
    with pytest.raises(TypeError, match=r"flow.from_dlpack takes an object that exports DLPack"):
        flow.from_dlpack(torch.zeros(2, dtype=torch.float8_e4m3fn))
