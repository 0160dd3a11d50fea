"""Operands that do not fit an op give one located sentence: what, expected, got, what to do."""

from __future__ import annotations

from typing import Any

import pytest

import penstock.ir.dialects  # noqa: F401 - defines the ops
from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Block
from penstock.ir.diagnostics import IRError
from penstock.ir.location import FileLocation
from penstock.ir.opdef import registry
from penstock.ir.types import TensorType, Type


def f32(*shape: int) -> TensorType:
    return TensorType(shape, ty.f32)


def i32(*shape: int) -> TensorType:
    return TensorType(shape, ty.i32)


def refused(name: str, *types: Type, **attributes: Any) -> str:
    """The error of the op on operands of these types."""
    block = Block(types)
    b = Builder.at_end(block)
    b.location = FileLocation("train.py", 7)
    with pytest.raises(IRError) as caught:
        b.create(registry[name], *block.arguments, **attributes)
    text = str(caught.value)
    start = f"train.py:7: error: {name}: "
    assert text.startswith(start), text
    assert "\n" not in text
    assert all(not argument.uses for argument in block.arguments), "the failed op uses nothing"
    return text.removeprefix(start)


CASES: list[tuple[str, tuple[Type, ...], dict[str, Any], str]] = [
    ("flow.relu", (ty.f32,), {}, "expected tensors of known shape, got f32"),
    ("flow.relu", (TensorType((-1,), ty.f32),), {},
     "expected tensors of known shape, got tensor<?xf32>"),
    ("flow.exp", (i32(2),), {},
     "expected elements of type f32, f64, f16, bf16, got tensor<2xi32>: cast it first"),
    ("flow.add", (f32(2), i32(2)), {},
     "expected operands of one element type, got f32 and i32: cast one of them"),
    ("flow.add", (f32(2, 3), f32(2)), {},
     "shapes [2, 3] and [2] do not broadcast: expected extents that are equal or 1, counted from "
     "the right"),
    ("flow.where", (f32(2), f32(2), f32(2)), {},
     "expected a condition of integers, got tensor<2xf32>: compare it first"),
    ("flow.where", (i32(2), f32(2), i32(2)), {},
     "expected x and y of one element type, got f32 and i32"),
    ("flow.cast", (f32(2),), {"element": ty.index},
     "expected a target of type f32, f64, f16, bf16, i8, i16, i32, i64, ui8, i1, got index"),
    ("flow.matmul", (f32(2, 3), f32(4, 5)), {},
     "inner dimensions differ: tensor<2x3xf32> has 3 columns and tensor<4x5xf32> has 4 rows"),
    ("flow.matmul", (f32(2, 3), f32(3, 4)), {"transpose_b": True},
     "inner dimensions differ: tensor<2x3xf32> has 3 columns and tensor<3x4xf32>, transposed, has "
     "4 rows"),
    ("flow.matmul", (f32(3), f32(3, 4)), {},
     "expected matrices, of rank 2 or more, got tensor<3xf32> and tensor<3x4xf32>"),
    ("flow.matmul", (f32(2, 3), TensorType((3, 4), ty.f64)), {},
     "expected operands of one element type, got f32 and f64"),
    ("flow.matmul", (i32(2, 3), i32(3, 4)), {"alpha": 0.5},
     "expected a whole alpha from -2147483648 to 2147483647 for i32, got 0.5: cast the operands to "
     "a float first"),
    ("flow.matmul", (f32(2, 2, 3), f32(5, 3, 4)), {},
     "the dimensions before the last two do not broadcast: tensor<2x2x3xf32> and "
     "tensor<5x3x4xf32>"),
    ("flow.reduce_sum", (f32(2, 3),), {"axes": (2,)}, "expected each of axes from 0 to 1, got 2"),
    ("flow.reduce_sum", (f32(2, 3),), {"axes": (1, 0)},
     "expected ascending axes, each once, got [1, 0]"),
    ("flow.reduce_max", (f32(2, 0),), {"axes": (1,)},
     "expected at least one element along axes [1], got tensor<2x0xf32>"),
    ("flow.argmax", (f32(2),), {"axis": -1}, "expected axis from 0 to 0, got -1"),
    ("flow.reshape", (f32(2, 3),), {"shape": (4,)},
     "cannot reshape tensor<2x3xf32>, of 6 elements, to shape [4]: expected extents whose product "
     "is that number"),
    ("flow.reshape", (f32(2, 3),), {"shape": (-2, -3)},
     "expected extents of at least 0, got [-2, -3]"),
    ("flow.transpose", (f32(2, 3),), {"permutation": (0, 0)},
     "expected a permutation of the 2 dimensions of tensor<2x3xf32>, got [0, 0]"),
    ("flow.broadcast_to", (f32(2, 3),), {"shape": (2,)},
     "cannot broadcast tensor<2x3xf32> to shape [2]: expected extents that are equal or 1, counted "
     "from the right"),
    ("flow.broadcast_to", (f32(2, 3),), {"shape": (3, 3)}, "cannot broadcast"),
    ("flow.broadcast_to", (f32(2, 3),), {"shape": (-1, 2, 3)},
     "expected extents of at least 0, got [-1, 2, 3]"),
    ("flow.slice", (f32(4),), {"starts": (3,), "sizes": (2,), "steps": (1,)},
     "cannot take 2 elements from 3 in steps of 1 along dimension 0 of tensor<4xf32>: expected "
     "all of them to lie inside, and a nonzero step"),
    ("flow.slice", (f32(4),), {"starts": (), "sizes": (2,), "steps": (1,)},
     "expected 1 starts for tensor<4xf32>, got []"),
    ("flow.pad", (f32(4),), {"before": (-1,), "after": (0,), "inside": (0,)},
     "expected before to be 1 numbers of at least 0, got [-1]"),
    ("flow.pad", (i32(4),), {"before": (1,), "after": (0,), "inside": (0,), "value": 1.5},
     "expected a value that i32 can hold, got 1.5"),
    ("flow.tril", (TensorType((2, 2), ty.f16),), {"diagonal": 0, "fill": 1e6},
     "expected a fill that f16 can hold, got 1000000.0"),
    ("flow.concat", (f32(2, 3), f32(2, 4)), {"axis": 0},
     "expected tensors that differ along axis 0 alone, got tensor<2x3xf32> and tensor<2x4xf32>"),
    ("flow.concat", (f32(2), f32(2), f32(2)), {"axis": 0},
     "joins two tensors, got 3: join more of them one by one"),
    ("flow.pick", (f32(2, 3), i32(3)), {},
     "expected labels of shape [2] for tensor<2x3xf32>, got tensor<3xi32>"),
    ("flow.pick", (f32(2, 3), f32(2)), {}, "expected labels of integers, got tensor<2xf32>"),
    ("flow.one_hot", (i32(2),), {"depth": 0, "element": ty.f32},
     "expected a depth of at least 1, got 0"),
    ("flow.softmax", (f32(2, 3),), {"axis": 2}, "expected axis from 0 to 1, got 2"),
    ("flow.sparse_softmax_cross_entropy", (f32(2, 3), i32(2)), {},
     "labels and logits look swapped: got labels tensor<2x3xf32> and logits tensor<2xi32>, "
     "expected integer labels first and float logits second"),
    ("flow.sparse_softmax_cross_entropy", (f32(2), f32(2, 3)), {},
     "expected labels of integers, got tensor<2xf32>: cast them first"),
    ("flow.sparse_softmax_cross_entropy", (i32(3), f32(2, 3)), {},
     "expected labels of shape [2] for logits tensor<2x3xf32>, got tensor<3xi32>"),
    ("job.sgd", (f32(2), f32(3), f32()), {},
     "expected a gradient of the variable's type tensor<2xf32>, got tensor<3xf32>"),
    ("job.sgd", (f32(2), f32(2), f32(1)), {},
     "expected a rate of type tensor<f32> or tensor<f64>, got tensor<1xf32>"),
    ("job.momentum", (f32(2), f32(2), f32(), f32(1)), {},
     "expected a velocity of the variable's type tensor<2xf32>, got tensor<1xf32>"),
    ("job.learning_rate", (i32(),), {"schedule": {"kind": "cosine"}},
     "expected a step of type tensor<i64>, got tensor<i32>"),
    ("job.learning_rate", (TensorType((), ty.i64),), {"schedule": {"kind": "magic"}},
     "expected a schedule of kind piecewise_constant, "),
    ("job.learning_rate", (TensorType((), ty.i64),),
     {"schedule": {"kind": "cosine", "base_lr": 0.1, "step": 3}},
     "the cosine schedule: has no entry 'step': did you mean 'steps'?"),
    ("job.learning_rate", (TensorType((), ty.i64),),
     {"schedule": {"kind": "cosine", "base_lr": 0.1, "steps": 0, "alpha": 0.0}},
     "the cosine schedule: expected steps = a number of steps of at least 1, got 0"),
    ("job.learning_rate", (TensorType((), ty.i64),),
     {"schedule": {"kind": "piecewise_constant", "boundaries": [], "values": [0.1],
                   "warmup": {"kind": "linear", "steps": 3, "multiplier": 0.5}}},
     "the piecewise_constant schedule: expected base_lr = a number, got none"),
    ("job.learning_rate", (TensorType((), ty.i64),),
     {"schedule": {"kind": "piecewise_constant", "boundaries": [], "values": [0.1],
                   "base_lr": 0.1, "warmup": {"kind": "linear", "steps": 3}}},
     "the piecewise_constant schedule: its warmup: expected multiplier = a number, got none"),
    ("job.learning_rate", (TensorType((), ty.i64),),
     {"schedule": {"kind": "piecewise_constant", "boundaries": [5], "values": [0.1]}},
     "the piecewise_constant schedule: expected one boundary between each two of its pieces"),
    ("sbp.box", (f32(2),), {"source": "S(1)", "target": "B"},
     "cannot convert tensor<2xf32> from 'S(1)' to 'B': 'S(1)' splits dimension 1 of a tensor of"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "types", "attributes", "said"), CASES, ids=[f"{c[0]}-{i}" for i, c in enumerate(CASES)]
)
def test_error_messages(
    name: str, types: tuple[Type, ...], attributes: dict[str, Any], said: str
) -> None:
    assert refused(name, *types, **attributes).startswith(said)
