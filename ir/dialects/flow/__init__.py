"""`flow`: the tensor ops of the front end, one class each with everything known about it.

| room | families |
|---|---|
| `base`, `make`, `structured`, `constant` | what all ops share; writing ops; writing loops |
| `widening` | floats of 16 bits: computed in f32 |
| `elementwise`, `binary`, `kernel` | what families begin from; arithmetic of two operands |
| `pointwise/` | element by element: functions, activations, comparisons, logic |
| `reductions/` | sums along axes; products of matrices, and of any two tensors |
| `windows/` | what slides over what: convolutions, pools; gradients |
| `shapes/` | other shapes and orders; slices, padding |
| `indexing/` | labels; reading, adding and writing by indices; running sums |
| `compositions/` | softmax, losses and norms, written in other ops |
| `random_numbers/` | numbers drawn by place, step and seed |
| `sorting/` | ops that write their own loops: sorting and what rests on order |
"""

from __future__ import annotations

from penstock.ir.dialects.flow.base import Input, Sample, TensorOp, evaluate, instance
from penstock.ir.dialects.flow.binary import (
    Add,
    Divide,
    FloorDivide,
    FloorMod,
    Maximum,
    Minimum,
    Multiply,
    Pow,
    Subtract,
)
from penstock.ir.dialects.flow.compositions.cross_entropy import SigmoidCrossEntropy
from penstock.ir.dialects.flow.compositions.norm import LayerNorm, Normalization
from penstock.ir.dialects.flow.compositions.softmax import (
    LogSoftmax,
    ReduceLogsumexp,
    Softmax,
    SparseSoftmaxCrossEntropy,
)
from penstock.ir.dialects.flow.constant import Constant, Range
from penstock.ir.dialects.flow.indexing.gather import DimGather, Gather, GatherNd
from penstock.ir.dialects.flow.indexing.pick import OneHot, Pick
from penstock.ir.dialects.flow.indexing.scan import Cumsum
from penstock.ir.dialects.flow.indexing.scatter import (
    ScatterNd,
    TensorScatterNdAdd,
    TensorScatterNdUpdate,
)
from penstock.ir.dialects.flow.indexing.segment import DimScatterAdd, UnsortedSegmentSum
from penstock.ir.dialects.flow.pointwise.activations import (
    Elu,
    Gelu,
    Hardsigmoid,
    Hardswish,
    Hardtanh,
    LeakyRelu,
    LogSigmoid,
    Mish,
    Softplus,
    Swish,
)
from penstock.ir.dialects.flow.pointwise.angles import (
    Acos,
    Acosh,
    Asin,
    Asinh,
    Atan,
    Atan2,
    Atanh,
    Cos,
    Cosh,
    Sin,
    Sinh,
    Tan,
)
from penstock.ir.dialects.flow.pointwise.arithmetic import (
    Abs,
    Ceil,
    Floor,
    Identity,
    Negative,
    Reciprocal,
    ReciprocalNoNan,
    Relu,
    Rint,
    Rsqrt,
    Sign,
    Sqrt,
    Square,
    Xdivy,
    Xlogy,
)
from penstock.ir.dialects.flow.pointwise.compare import (
    Cast,
    Equal,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    NotEqual,
    Where,
)
from penstock.ir.dialects.flow.pointwise.exponentials import (
    Exp,
    Exp2,
    Expm1,
    Log,
    Log1p,
    Log2,
    Sigmoid,
    Tanh,
)
from penstock.ir.dialects.flow.pointwise.logic import (
    IsFinite,
    IsInf,
    IsNan,
    LogicalAnd,
    LogicalNot,
    LogicalOr,
    LogicalXor,
)
from penstock.ir.dialects.flow.pointwise.special import (
    Digamma,
    Erf,
    Erfc,
    Erfinv,
    Lgamma,
    Polygamma,
)
from penstock.ir.dialects.flow.random_numbers.random import (
    Bernoulli,
    RandomMask,
    RandomNormal,
    RandomTruncatedNormal,
    RandomUniform,
)
from penstock.ir.dialects.flow.reductions.contraction import Matmul
from penstock.ir.dialects.flow.reductions.einsum import Einsum
from penstock.ir.dialects.flow.reductions.extremes import Argmax, Argmin
from penstock.ir.dialects.flow.reductions.reduction import (
    ReduceMax,
    ReduceMean,
    ReduceMin,
    ReduceProd,
    ReduceSum,
)
from penstock.ir.dialects.flow.shapes.movement import BroadcastTo, Reshape, Roll, Transpose
from penstock.ir.dialects.flow.shapes.parts import Concat, Pad, Slice
from penstock.ir.dialects.flow.shapes.slice_update import SliceUpdate
from penstock.ir.dialects.flow.shapes.triangle import Tril
from penstock.ir.dialects.flow.sorting.argwhere import Argwhere
from penstock.ir.dialects.flow.sorting.nms import Nms
from penstock.ir.dialects.flow.sorting.sort import Sort, TopK
from penstock.ir.dialects.flow.sorting.unique import UniqueWithCounts
from penstock.ir.dialects.flow.windows.conv import Conv, ConvDataGrad, ConvWeightGrad
from penstock.ir.dialects.flow.windows.max_pool import MaxPool, MaxPoolGrad, MaxPoolPick
from penstock.ir.dialects.flow.windows.sum_pool import AvgPool, SumPool, SumPoolGrad

__all__ = [
    "Abs",
    "Acos",
    "Acosh",
    "Add",
    "Argmax",
    "Argmin",
    "Argwhere",
    "Asin",
    "Asinh",
    "Atan",
    "Atan2",
    "Atanh",
    "AvgPool",
    "Bernoulli",
    "BroadcastTo",
    "Cast",
    "Ceil",
    "Concat",
    "Constant",
    "Conv",
    "ConvDataGrad",
    "ConvWeightGrad",
    "Cos",
    "Cosh",
    "Cumsum",
    "Digamma",
    "DimGather",
    "DimScatterAdd",
    "Divide",
    "Einsum",
    "Elu",
    "Equal",
    "Erf",
    "Erfc",
    "Erfinv",
    "Exp",
    "Exp2",
    "Expm1",
    "Floor",
    "FloorDivide",
    "FloorMod",
    "Gather",
    "GatherNd",
    "Gelu",
    "Greater",
    "GreaterEqual",
    "Hardsigmoid",
    "Hardswish",
    "Hardtanh",
    "Identity",
    "Input",
    "IsFinite",
    "IsInf",
    "IsNan",
    "LayerNorm",
    "LeakyRelu",
    "Less",
    "LessEqual",
    "Lgamma",
    "Log",
    "Log1p",
    "Log2",
    "LogSigmoid",
    "LogSoftmax",
    "LogicalAnd",
    "LogicalNot",
    "LogicalOr",
    "LogicalXor",
    "Matmul",
    "MaxPool",
    "MaxPoolGrad",
    "MaxPoolPick",
    "Maximum",
    "Minimum",
    "Mish",
    "Multiply",
    "Negative",
    "Nms",
    "Normalization",
    "NotEqual",
    "OneHot",
    "Pad",
    "Pick",
    "Polygamma",
    "Pow",
    "RandomMask",
    "RandomNormal",
    "RandomTruncatedNormal",
    "RandomUniform",
    "Range",
    "Reciprocal",
    "ReciprocalNoNan",
    "ReduceLogsumexp",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceProd",
    "ReduceSum",
    "Relu",
    "Reshape",
    "Rint",
    "Roll",
    "Rsqrt",
    "Sample",
    "ScatterNd",
    "Sigmoid",
    "SigmoidCrossEntropy",
    "Sign",
    "Sin",
    "Sinh",
    "Slice",
    "SliceUpdate",
    "Softmax",
    "Softplus",
    "Sort",
    "SparseSoftmaxCrossEntropy",
    "Sqrt",
    "Square",
    "Subtract",
    "SumPool",
    "SumPoolGrad",
    "Swish",
    "Tan",
    "Tanh",
    "TensorOp",
    "TensorScatterNdAdd",
    "TensorScatterNdUpdate",
    "TopK",
    "Transpose",
    "Tril",
    "UniqueWithCounts",
    "UnsortedSegmentSum",
    "Where",
    "Xdivy",
    "Xlogy",
    "evaluate",
    "instance",
]
