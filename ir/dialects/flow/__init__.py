"""`flow`: the tensor ops of the front end, one class each with everything known about it.

| room | families |
|---|---|
| `base`, `make`, `structured` | what all ops share; writing ops; writing loops |
| `widening` | floats of 16 bits: computed in f32 |
| `elementwise`, `unary`, `functions`, `angles`, `special`, `activations` | element by element |
| `binary`, `pairs`, `compare`, `logic` | of several operands, with broadcasting |
| `reduction`, `extremes` | sums and their like along axes |
| `contraction`, `einsum` | products of matrices, and of any two tensors |
| `window`, `conv`, `pool`, `max_pool`, `sum_pool` | what slides over what; gradients |
| `movement`, `parts`, `slice_update`, `triangle` | other shapes and orders; slices, padding |
| `pick`, `gather` | labels; reading by indices |
| `scattering`, `scatter`, `segment`, `scan` | adding and writing by indices; running sums |
| `softmax`, `cross_entropy`, `norm` | compositions of the others |
| `random`, `philox`, `quantile` | numbers drawn by place, step and seed |
| `kernel`, `sort`, `unique`, `argwhere`, `nms` | ops that write their own loops |
| `records`, `merge_sort`, `radix_sort` | the loops of sorting |
"""

from __future__ import annotations

from penstock.ir.dialects.flow.activations import (
    Elu,
    Hardsigmoid,
    Hardswish,
    Hardtanh,
    LeakyRelu,
    LogSigmoid,
    Mish,
    Softplus,
    Swish,
)
from penstock.ir.dialects.flow.angles import (
    Acos,
    Acosh,
    Asin,
    Asinh,
    Atan,
    Atanh,
    Cosh,
    Sinh,
    Tan,
)
from penstock.ir.dialects.flow.argwhere import Argwhere
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
from penstock.ir.dialects.flow.compare import (
    Cast,
    Equal,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    NotEqual,
    Where,
)
from penstock.ir.dialects.flow.constant import Constant, Range
from penstock.ir.dialects.flow.contraction import Matmul
from penstock.ir.dialects.flow.conv import Conv, ConvDataGrad, ConvWeightGrad
from penstock.ir.dialects.flow.cross_entropy import SigmoidCrossEntropy
from penstock.ir.dialects.flow.einsum import Einsum
from penstock.ir.dialects.flow.extremes import Argmax, Argmin
from penstock.ir.dialects.flow.functions import (
    Cos,
    Erf,
    Exp,
    Exp2,
    Expm1,
    Gelu,
    Log,
    Log1p,
    Log2,
    Sigmoid,
    Sin,
    Tanh,
)
from penstock.ir.dialects.flow.gather import DimGather, Gather, GatherNd
from penstock.ir.dialects.flow.logic import (
    IsFinite,
    IsInf,
    IsNan,
    LogicalAnd,
    LogicalNot,
    LogicalOr,
    LogicalXor,
)
from penstock.ir.dialects.flow.max_pool import MaxPool, MaxPoolGrad, MaxPoolPick
from penstock.ir.dialects.flow.movement import BroadcastTo, Reshape, Roll, Transpose
from penstock.ir.dialects.flow.nms import Nms
from penstock.ir.dialects.flow.norm import LayerNorm, Normalization
from penstock.ir.dialects.flow.pairs import (
    Atan2,
    Xdivy,
    Xlogy,
)
from penstock.ir.dialects.flow.parts import Concat, Pad, Slice
from penstock.ir.dialects.flow.pick import OneHot, Pick
from penstock.ir.dialects.flow.random import (
    Bernoulli,
    RandomMask,
    RandomNormal,
    RandomTruncatedNormal,
    RandomUniform,
)
from penstock.ir.dialects.flow.reduction import (
    ReduceMax,
    ReduceMean,
    ReduceMin,
    ReduceProd,
    ReduceSum,
)
from penstock.ir.dialects.flow.scan import Cumsum
from penstock.ir.dialects.flow.scatter import (
    ScatterNd,
    TensorScatterNdAdd,
    TensorScatterNdUpdate,
)
from penstock.ir.dialects.flow.segment import DimScatterAdd, UnsortedSegmentSum
from penstock.ir.dialects.flow.slice_update import SliceUpdate
from penstock.ir.dialects.flow.softmax import (
    LogSoftmax,
    ReduceLogsumexp,
    Softmax,
    SparseSoftmaxCrossEntropy,
)
from penstock.ir.dialects.flow.sort import Sort, TopK
from penstock.ir.dialects.flow.special import (
    Digamma,
    Erfc,
    Erfinv,
    Lgamma,
    Polygamma,
)
from penstock.ir.dialects.flow.sum_pool import AvgPool, SumPool, SumPoolGrad
from penstock.ir.dialects.flow.triangle import Tril
from penstock.ir.dialects.flow.unary import (
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
)
from penstock.ir.dialects.flow.unique import UniqueWithCounts

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
