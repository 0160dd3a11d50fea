"""Kernels of single ops in the disk cache: found without making the function that they compile."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.ir import types as ty
from penstock.ir.types import TensorType
from penstock.lowering.user_cache import user_store
from penstock.tensors import kernels
from penstock.tensors.kernels import OneOp

Operands = Sequence[TensorType | Sequence[TensorType]]


def of(*shape: int, element: Any = ty.f32) -> TensorType:
    return TensorType(shape, element)


CONV = {"strides": [1, 1], "dilations": [1, 1], "channels_last": False}
OPS: list[tuple[str, Operands, dict[str, Any]]] = [
    ("flow.matmul", [of(3, 5), of(5, 4)], {}),
    ("flow.matmul", [of(5, 3), of(5, 3)], {"transpose_b": True}),
    ("flow.conv", [of(1, 2, 6, 6), of(3, 2, 3, 3)], CONV),
    ("flow.sort", [of(7)], {"descending": True}),
]


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PENSTOCK_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("PENSTOCK_CACHE", raising=False)
    if user_store() is None:
        pytest.skip("the sources have changed since this process loaded them")
    return tmp_path


def computed(name: str, operands: Operands, attributes: dict[str, Any]) -> list[bytes]:
    op = OneOp(name, operands, attributes)
    random = np.random.default_rng(0)
    arrays = [random.standard_normal(type.shape).astype(np.float32) for type in op.types]
    return [made.tobytes() for made in op.kernel(*arrays)]


@pytest.mark.parametrize("number", range(len(OPS)))
def test_no_function_is_made(number: int, stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = computed(*OPS[number])
    assert any(stored.iterdir())
    monkeypatch.setattr(kernels, "function_of", None)
    assert computed(*OPS[number]) == expected


def test_all_that_a_kernel_depends_on_is_in_the_key() -> None:
    forms: list[tuple[str, Operands, dict[str, Any]]] = [
        *OPS,
        ("flow.matmul", [of(3, 5), of(5, 6)], {}),
        ("flow.matmul", [of(3, 5, element=ty.f64), of(5, 4, element=ty.f64)], {}),
        ("flow.matmul", [of(3, 3), of(3, 3)], {}),
        ("flow.matmul", [of(3, 3), of(3, 3)], {"transpose_b": True}),
        ("flow.matmul", [of(3, 3), of(3, 3)], {"transpose_a": True}),
        ("flow.sort", [of(7)], {"descending": False}),
        ("flow.sort", [of(7, element=ty.i32)], {"descending": False}),
        ("flow.conv", [of(1, 2, 6, 6), of(3, 2, 3, 3)], {**CONV, "strides": [2, 2]}),
        ("flow.concat", [[of(2, 3), of(2, 3)]], {"axis": 0}),
        ("flow.concat", [[of(2, 3), of(2, 3)]], {"axis": 1}),
    ]
    keys = [tuple(OneOp(*form).described()) for form in forms]
    assert all(keys)
    assert len(set(keys)) == len(forms)
    assert keys == [tuple(OneOp(*form).described()) for form in forms]


def test_ops_of_other_packages_are_known_by_their_text(monkeypatch: pytest.MonkeyPatch) -> None:
    op = OneOp(*OPS[0])
    assert op.described()
    monkeypatch.setattr(type(op.operation), "__module__", "somebody.else")
    assert not op.described()
