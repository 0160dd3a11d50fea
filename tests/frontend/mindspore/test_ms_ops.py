"""Every row of the table of ops, against NumPy in float64."""

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock.mindspore as ms
from penstock.mindspore import Tensor, ops
from penstock.mindspore.ops.table import TABLE, rows, snake
from penstock.mindspore.rows import rows_of

RNG = np.random.default_rng(3)
X = RNG.uniform(-2, 2, (2, 3)).astype(np.float32)
Y = RNG.uniform(0.5, 2, (2, 3)).astype(np.float32)
P = RNG.uniform(0.1, 0.9, (2, 3)).astype(np.float32)
S = RNG.normal(size=(3, 3)).astype(np.float32)
ROWS = np.array([1, 0], np.int32)
IMAGE = RNG.normal(size=(1, 2, 4, 5)).astype(np.float32)
KERNEL = RNG.normal(size=(3, 2, 2, 3)).astype(np.float32)
C = [RNG.uniform(0.5, 2, 2).astype(np.float32) for _ in range(4)]
ERF = np.vectorize(math.erf)

Reference = Callable[..., Any]


def wide(x: Any) -> Any:
    """Arrays of floats in float64."""
    if isinstance(x, tuple | list):
        return type(x)(wide(one) for one in x)
    return x.astype(np.float64) if isinstance(x, np.ndarray) and x.dtype.kind == "f" else x


def softmax(x: Any, axis: int = -1) -> Any:
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def gelu(x: Any) -> Any:
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def selu(x: Any) -> Any:
    alpha, scale = 1.6732632423543772, 1.0507009873554805
    return scale * np.where(x > 0, x, alpha * np.expm1(x))


def scattered(x: Any, indices: Any, updates: Any, adds: float = 1.0) -> Any:
    out = x.copy()
    for place, update in zip(indices, updates, strict=True):
        out[tuple(place)] += adds * update
    return out


def updated(x: Any, indices: Any, updates: Any) -> Any:
    out = x.copy()
    for place, update in zip(indices, updates, strict=True):
        out[tuple(place)] = update
    return out


def windows(x: Any, size: tuple[int, int], stride: int, same: bool, fill: float) -> Any:
    """The windows of an image: (N, C, rows, columns, height, width)."""
    if same:
        sides = []
        for extent, k in zip(x.shape[2:], size, strict=True):
            whole = max((-(-extent // stride) - 1) * stride + k - extent, 0)
            sides.append((whole // 2, whole - whole // 2))
        x = np.pad(x, [(0, 0), (0, 0), *sides], constant_values=fill)
    found = np.lib.stride_tricks.sliding_window_view(x, size, (2, 3))
    return found[:, :, ::stride, ::stride]


def conv(x: Any, w: Any, stride: int = 1, same: bool = False) -> Any:
    return np.einsum("nchwij,ocij->nohw", windows(x, w.shape[2:], stride, same, 0), w)


def layer_norm(x: Any, gamma: Any, beta: Any) -> Any:
    mean, var = x.mean(1, keepdims=True), x.var(1, keepdims=True)
    return (x - mean) / np.sqrt(var + 1e-7) * gamma + beta, mean, var


def batch_norm(x: Any, scale: Any, bias: Any, mean: Any, var: Any) -> Any:
    a, b, c, d = (one.reshape(1, -1, 1, 1) for one in (scale, bias, mean, var))
    return (x - c) / np.sqrt(d + 1e-5) * a + b, mean, var, mean, var


def entropy(x: Any, y: Any) -> Any:
    return np.maximum(x, 0) - x * y + np.log1p(np.exp(-np.abs(x)))


UNARY: dict[str, Reference] = {
    "Abs": np.abs, "Sign": np.sign, "Square": np.square, "Neg": np.negative, "Floor": np.floor,
    "Ceil": np.ceil, "Rint": np.rint, "Round": np.round, "Trunc": np.trunc, "Exp": np.exp,
    "Expm1": np.expm1, "Exp2": np.exp2, "Tanh": np.tanh, "Sin": np.sin, "Cos": np.cos,
    "Tan": np.tan, "Atan": np.arctan, "Sinh": np.sinh, "Cosh": np.cosh, "Asinh": np.arcsinh,
    "Identity": lambda x: x, "StopGradient": lambda x: x, "IsNan": np.isnan, "IsInf": np.isinf,
    "IsFinite": np.isfinite, "ReLU": lambda x: np.maximum(x, 0),
    "ReLU6": lambda x: np.clip(x, 0, 6), "ReLUV2": lambda x: (np.maximum(x, 0), x > 0),
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)), "LogSigmoid": lambda x: -np.log1p(np.exp(-x)),
    "Softplus": lambda x: np.log1p(np.exp(x)), "Softsign": lambda x: x / (1 + np.abs(x)),
    "Mish": lambda x: x * np.tanh(np.log1p(np.exp(x))), "GeLU": gelu, "SeLU": selu,
    "FastGeLU": lambda x: x / (1 + np.exp(-1.702 * np.abs(x))) * np.exp(0.851 * (x - np.abs(x))),
    "Swish": lambda x: x / (1 + np.exp(-x)), "HSigmoid": lambda x: np.clip((x + 3) / 6, 0, 1),
    "HSwish": lambda x: x * np.clip((x + 3) / 6, 0, 1), "Erf": ERF, "Erfc": lambda x: 1 - ERF(x),
    "Softmax": softmax, "LogSoftmax": lambda x: np.log(softmax(x)),
    "L2Loss": lambda x: (x * x).sum() / 2, "OnesLike": np.ones_like, "ZerosLike": np.zeros_like,
    "LeakyReLU": lambda x: np.where(x > 0, x, 0.2 * x), "Elu": lambda x: np.where(
        x > 0, x, np.expm1(x)), "SoftShrink": lambda x: np.sign(x) * np.maximum(np.abs(x) - 0.5, 0),
    "HShrink": lambda x: np.where(np.abs(x) > 0.5, x, 0), "HardTanh": lambda x: np.clip(x, -1, 1),
    "ReciprocalNoNan": lambda x: 1 / x, "Reciprocal": lambda x: 1 / x,
    "Shape": lambda x: x.shape, "DynamicShape": lambda x: np.array(x.shape), "Rank": np.ndim,
    "Size": np.size, "Flatten": lambda x: x.reshape(2, -1), "Tril": np.tril, "Triu": np.triu,
}  # fmt: skip
"""Ops of X."""
POSITIVE: dict[str, Reference] = {
    "Sqrt": np.sqrt, "Rsqrt": lambda x: 1 / np.sqrt(x), "Log": np.log, "Log1p": np.log1p,
    "Log2": np.log2, "Asin": np.arcsin, "Acos": np.arccos, "Atanh": np.arctanh,
    "Lgamma": np.vectorize(math.lgamma),
    "Digamma": lambda x: (np.vectorize(math.lgamma)(x + 1e-5) - np.vectorize(math.lgamma)(
        x - 1e-5)) / 2e-5, "Erfinv": None, "Acosh": None,
}  # fmt: skip
"""Ops of P, between 0 and 1; those without a reference have a case of their own below."""
BINARY: dict[str, Reference] = {
    "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide, "Pow": None,
    "Maximum": np.maximum, "Minimum": np.minimum, "FloorDiv": np.floor_divide, "FloorMod": np.mod,
    "Mod": np.fmod, "TruncateMod": np.fmod, "TruncateDiv": lambda x, y: np.trunc(x / y),
    "Atan2": np.arctan2, "SquaredDifference": lambda x, y: (x - y) ** 2,
    "DivNoNan": np.divide, "Xdivy": np.divide, "Xlogy": lambda x, y: x * np.log(y),
    "Equal": np.equal, "NotEqual": np.not_equal, "Less": np.less, "LessEqual": np.less_equal,
    "Greater": np.greater, "GreaterEqual": np.greater_equal, "ApproximateEqual": lambda x, y:
        np.abs(x - y) < 1e-5, "IsClose": np.isclose, "AbsGrad": lambda x, dy: np.sign(x) * dy,
    "EqualCount": lambda x, y: np.array([(x == y).sum()]),
    "SigmoidCrossEntropyWithLogits": entropy,
    "SmoothL1Loss": lambda x, y: np.where(np.abs(x - y) < 1, (x - y) ** 2 / 2, np.abs(x - y) - 0.5),
}  # fmt: skip
"""Ops of X and Y."""

T = Tensor
CASES: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "Erfinv": (lambda: ops.Erf()(ops.Erfinv()(T(P))), lambda: P),
    "Acosh": (lambda: ops.Acosh()(T(P + 1)), lambda: np.arccosh(wide(P + np.float32(1)))),
    "Pow": (lambda: ops.Pow()(T(Y), 2.5), lambda: wide(Y) ** 2.5),
    "LogicalAnd": (lambda: ops.LogicalAnd()(T(X > 0), T(Y > 1)), lambda: (X > 0) & (Y > 1)),
    "LogicalOr": (lambda: ops.LogicalOr()(T(X > 0), T(Y > 1)), lambda: (X > 0) | (Y > 1)),
    "LogicalXor": (lambda: ops.LogicalXor()(T(X > 0), T(Y > 1)), lambda: (X > 0) ^ (Y > 1)),
    "LogicalNot": (lambda: ops.LogicalNot()(T(X > 0)), lambda: X <= 0),
    "BitwiseAnd": (lambda: ops.BitwiseAnd()(T([6]), T([3])), lambda: [2]),
    "BitwiseOr": (lambda: ops.BitwiseOr()(T([6]), T([3])), lambda: [7]),
    "BitwiseXor": (lambda: ops.BitwiseXor()(T([6]), T([3])), lambda: [5]),
    "Invert": (lambda: ops.Invert()(T([6])), lambda: [-7]),
    "PReLU": (lambda: ops.PReLU()(T(X), T([0.1, 0.2, 0.3])),
              lambda: np.where(X > 0, X, X * np.array([0.1, 0.2, 0.3]))),
    "Lerp": (lambda: ops.Lerp()(T(X), T(Y), T(P)), lambda: X + wide(P) * (wide(Y) - X)),
    "Addcmul": (lambda: ops.Addcmul()(T(X), T(Y), T(P), T(2.0)), lambda: X + 2 * wide(Y) * P),
    "Addcdiv": (lambda: ops.Addcdiv()(T(X), T(Y), T(P), T(2.0)), lambda: X + 2 * wide(Y) / P),
    "LinSpace": (lambda: ops.LinSpace()(T(1.0), T(2.0), 5), lambda: np.linspace(1, 2, 5)),
    "Range": (lambda: ops.Range()(1, 9, 3), lambda: np.arange(1, 9, 3)),
    "AddN": (lambda: ops.AddN()([T(X), T(Y), T(P)]), lambda: wide(X) + Y + P),
    "AccumulateNV2": (lambda: ops.AccumulateNV2()([T(X), T(Y)]), lambda: wide(X) + Y),
    "Cast": (lambda: ops.Cast()(T(X), ms.int32), lambda: X.astype(np.int32)),
    "Select": (lambda: ops.Select()(T(X > 0), T(X), T(Y)), lambda: np.where(X > 0, X, Y)),
    "MaskedFill": (lambda: ops.MaskedFill()(T(X), T(X > 0), 9.0), lambda: np.where(X > 0, 9, X)),
    "MaskedSelect": (lambda: ops.MaskedSelect()(T(X), T(X > 0)), lambda: X[X > 0]),
    "MatMul": (lambda: ops.MatMul(transpose_b=True)(T(X), T(Y)), lambda: wide(X) @ wide(Y).T),
    "BatchMatMul": (lambda: ops.BatchMatMul(transpose_a=True)(T(X[None]), T(Y[None])),
                    lambda: (wide(X).T @ wide(Y))[None]),
    "BiasAdd": (lambda: ops.BiasAdd()(T(IMAGE), T(C[0])),
                lambda: IMAGE + wide(C[0]).reshape(1, 2, 1, 1)),
    "Einsum": (lambda: ops.Einsum("ij,kj->ik")((T(X), T(Y))), lambda: wide(X) @ wide(Y).T),
    "TensorDot": (lambda: ops.TensorDot()(T(X), T(Y), 2), lambda: (wide(X) * Y).sum()),
    "MatrixInverse": (lambda: ops.MatrixInverse()(T(S)), lambda: np.linalg.inv(wide(S))),
    "Cross": (lambda: ops.Cross()(T(X), T(Y)), lambda: np.cross(wide(X), wide(Y))),
    "ReduceSum": (lambda: ops.ReduceSum(True)(T(X), 1), lambda: wide(X).sum(1, keepdims=True)),
    "ReduceMean": (lambda: ops.ReduceMean()(T(X)), lambda: wide(X).mean()),
    "ReduceMax": (lambda: ops.ReduceMax()(T(X), (0,)), lambda: X.max(0)),
    "ReduceMin": (lambda: ops.ReduceMin()(T(X), -1), lambda: X.min(-1)),
    "ReduceProd": (lambda: ops.ReduceProd()(T(X), (0, 1)), lambda: wide(X).prod()),
    "ReduceAll": (lambda: ops.ReduceAll()(T(X > -1), 0), lambda: (X > -1).all(0)),
    "ReduceAny": (lambda: ops.ReduceAny()(T(X > 1), 0), lambda: (X > 1).any(0)),
    "ReduceStd": (lambda: ops.ReduceStd(1)(T(X)),
                  lambda: (wide(X).std(1, ddof=1), wide(X).mean(1))),
    "LogSumExp": (lambda: ops.LogSumExp()(T(X), 1), lambda: np.log(np.exp(wide(X)).sum(1))),
    "Argmax": (lambda: ops.Argmax()(T(X)), lambda: X.argmax(-1)),
    "Argmin": (lambda: ops.Argmin(0)(T(X)), lambda: X.argmin(0)),
    "ArgMaxWithValue": (lambda: ops.ArgMaxWithValue(1)(T(X)), lambda: (X.argmax(1), X.max(1))),
    "ArgMinWithValue": (lambda: ops.ArgMinWithValue(0, True)(T(X)),
                        lambda: (X.argmin(0)[None], X.min(0)[None])),
    "CumSum": (lambda: ops.CumSum(reverse=True)(T(X), 1),
               lambda: wide(X)[:, ::-1].cumsum(1)[:, ::-1]),
    "CumProd": (lambda: ops.CumProd()(T(X), 0), lambda: wide(X).cumprod(0)),
    "L2Normalize": (lambda: ops.L2Normalize(1)(T(X)),
                    lambda: X / np.sqrt(np.maximum((wide(X) ** 2).sum(1, keepdims=True), 1e-4))),
    "LpNorm": (lambda: ops.LpNorm(1)(T(X)), lambda: np.linalg.norm(wide(X), axis=1)),
    "DType": (lambda: str(ops.DType()(T(X))), lambda: "Float32"),
    "Reshape": (lambda: ops.Reshape()(T(X), (3, -1)), lambda: X.reshape(3, 2)),
    "ExpandDims": (lambda: ops.ExpandDims()(T(X), 1), lambda: X[:, None]),
    "Squeeze": (lambda: ops.Squeeze(0)(T(X[None])), lambda: X),
    "Transpose": (lambda: ops.Transpose()(T(X), (1, 0)), lambda: X.T),
    "Concat": (lambda: ops.Concat(1)((T(X), T(Y))), lambda: np.concatenate([X, Y], 1)),
    "Stack": (lambda: ops.Stack(1)((T(X), T(Y))), lambda: np.stack([X, Y], 1)),
    "Unstack": (lambda: ops.Unstack()(T(X)), lambda: tuple(X)),
    "Split": (lambda: ops.Split(1, 3)(T(X)), lambda: tuple(np.split(X, 3, 1))),
    "Tile": (lambda: ops.Tile()(T(X), (2, 1)), lambda: np.tile(X, (2, 1))),
    "BroadcastTo": (lambda: ops.BroadcastTo((2, 2, 3))(T(X)), lambda: np.stack([X, X])),
    "ExpandAs": (lambda: ops.ExpandAs()(T(X[:1]), T(X)), lambda: np.stack([X[0], X[0]])),
    "Pad": (lambda: ops.Pad(((1, 0), (0, 2)))(T(X)), lambda: np.pad(X, ((1, 0), (0, 2)))),
    "MirrorPad": (lambda: ops.MirrorPad()(T(X), ((0, 1), (2, 1))),
                  lambda: np.pad(X, ((0, 1), (2, 1)), "reflect")),
    "Slice": (lambda: ops.Slice()(T(X), (0, 1), (2, 2)), lambda: X[:, 1:3]),
    "StridedSlice": (lambda: ops.StridedSlice()(T(X), (0, 0), (2, 3), (1, 2)), lambda: X[:, ::2]),
    "ReverseV2": (lambda: ops.ReverseV2([1])(T(X)), lambda: X[:, ::-1]),
    "Roll": (lambda: ops.Roll(1, 1)(T(X)), lambda: np.roll(X, 1, 1)),
    "Meshgrid": (lambda: ops.Meshgrid()((T(X[0]), T(Y[0, :2]))),
                 lambda: tuple(np.meshgrid(X[0], Y[0, :2]))),
    "Diag": (lambda: ops.Diag()(T(X[0])), lambda: np.diag(X[0])),
    "DiagPart": (lambda: ops.DiagPart()(T(S)), lambda: np.diag(S)),
    "Fill": (lambda: ops.Fill()(ms.float32, (2,), 3), lambda: [3, 3]),
    "Ones": (lambda: ops.Ones()((2, 1), ms.int32), lambda: [[1], [1]]),
    "Zeros": (lambda: ops.Zeros()((2,), ms.float32), lambda: [0, 0]),
    "Eye": (lambda: ops.Eye()(2, 3, ms.float32), lambda: np.eye(2, 3)),
    "ScalarToTensor": (lambda: ops.ScalarToTensor()(2), lambda: 2.0),
    "Gather": (lambda: ops.Gather()(T(X), T(ROWS), 1), lambda: X[:, ROWS]),
    "EmbeddingLookup": (lambda: ops.EmbeddingLookup()(T(X), T(ROWS + 2), 2), lambda: X[ROWS]),
    "GatherD": (lambda: ops.GatherD()(T(X), 1, T(ROWS[:, None])),
                lambda: np.take_along_axis(X, ROWS[:, None], 1)),
    "GatherNd": (lambda: ops.GatherNd()(T(X), T(np.array([[1, 2], [0, 0]], np.int32))),
                 lambda: X[[1, 0], [2, 0]]),
    "ScatterNd": (lambda: ops.ScatterNd()(T(ROWS[:, None]), T(X), (3, 3)),
                  lambda: scattered(np.zeros((3, 3)), ROWS[:, None], X)),
    "TensorScatterUpdate": (lambda: ops.TensorScatterUpdate()(T(X), T(ROWS[:1, None]), T(Y[:1])),
                            lambda: updated(X, ROWS[:1, None], Y[:1])),
    "TensorScatterAdd": (lambda: ops.TensorScatterAdd()(T(X), T(ROWS[:, None]), T(Y)),
                         lambda: scattered(wide(X), ROWS[:, None], Y)),
    "TensorScatterSub": (lambda: ops.TensorScatterSub()(T(X), T(ROWS[:, None]), T(Y)),
                         lambda: scattered(wide(X), ROWS[:, None], Y, -1)),
    "IndexAdd": (lambda: ops.IndexAdd(0)(T(X), T(ROWS), T(Y)), lambda: wide(X) + Y[::-1]),
    "UnsortedSegmentSum": (lambda: ops.UnsortedSegmentSum()(T(X), T(np.array([1, 1])), 2),
                           lambda: np.stack([np.zeros(3), wide(X).sum(0)])),
    "OneHot": (lambda: ops.OneHot(0)(T(ROWS), 3, T(5.0), T(-1.0)),
               lambda: np.where(np.eye(3)[:, ROWS] == 1, 5, -1)),
    "Sort": (lambda: ops.Sort(1, True)(T(X)), lambda: (-np.sort(-X, 1), np.argsort(-X, 1))),
    "TopK": (lambda: ops.TopK()(T(X), 2), lambda: (-np.sort(-X, 1)[:, :2], np.argsort(-X)[:, :2])),
    "InTopK": (lambda: ops.InTopK(1)(T(X), T(X.argmax(1).astype(np.int32))), lambda: [True, True]),
    "Unique": (lambda: ops.Unique()(T([3, 1, 3])), lambda: ([1, 3], [1, 0, 1])),
    "Nonzero": (lambda: ops.Nonzero()(T(X > 0)), lambda: np.argwhere(X > 0)),
    "Conv2D": (lambda: ops.Conv2D(3, (2, 3), pad_mode="same", stride=2)(T(IMAGE), T(KERNEL)),
               lambda: conv(wide(IMAGE), wide(KERNEL), 2, True)),
    "MaxPool": (lambda: ops.MaxPool(2, 2, "same")(T(IMAGE)),
                lambda: windows(IMAGE, (2, 2), 2, True, -np.inf).max((-2, -1))),
    "AvgPool": (lambda: ops.AvgPool(2, 2, "same")(T(IMAGE)),
                lambda: np.nanmean(windows(wide(IMAGE), (2, 2), 2, True, np.nan), (-2, -1))),
    "AdaptiveAvgPool2D": (lambda: ops.AdaptiveAvgPool2D(1)(T(IMAGE)),
                          lambda: wide(IMAGE).mean((2, 3), keepdims=True)),
    "LayerNorm": (lambda: ops.LayerNorm()(T(X), T(Y[0]), T(P[0])),
                  lambda: layer_norm(wide(X), Y[0], P[0])),
    "BatchNorm": (lambda: ops.BatchNorm()(T(IMAGE), *map(T, C)),
                  lambda: batch_norm(wide(IMAGE), *C)),
    "ResizeNearestNeighbor": (lambda: ops.ResizeNearestNeighbor((8, 10))(T(IMAGE)),
                              lambda: IMAGE.repeat(2, 2).repeat(2, 3)),
    "ResizeBilinear": (lambda: ops.ResizeBilinear((2, 5))(T(IMAGE)),
                       lambda: (wide(IMAGE)[:, :, ::2] + IMAGE[:, :, 1::2]) / 2),
    "SoftmaxCrossEntropyWithLogits": (
        lambda: ops.SoftmaxCrossEntropyWithLogits()(T(X), T(P)),
        lambda: (-(P * np.log(softmax(wide(X)))).sum(1), softmax(wide(X)) - P)),
    "SparseSoftmaxCrossEntropyWithLogits": (
        lambda: ops.SparseSoftmaxCrossEntropyWithLogits()(T(X), T(ROWS)),
        lambda: -np.log(softmax(wide(X)))[[0, 1], ROWS].mean()),
    "BCEWithLogitsLoss": (lambda: ops.BCEWithLogitsLoss("none")(T(X), T(P), T(Y), T(Y * 0 + 1)),
                          lambda: entropy(wide(X), P) * Y),
    "BinaryCrossEntropy": (lambda: ops.BinaryCrossEntropy("sum")(T(P), T(Y / 3)), lambda: -(
        Y / 3 * np.log(wide(P)) + (1 - Y / 3) * np.log(1 - wide(P))).sum()),
    "NLLLoss": (lambda: ops.NLLLoss("sum")(T(X), T(np.array([1, 0])), T(Y[0])),
                lambda: (-X[0, 1] * Y[0, 1] - X[1, 0] * Y[0, 0], Y[0, :2].sum())),
    "KLDivLoss": (lambda: ops.KLDivLoss("sum")(T(X), T(P)),
                  lambda: (P * (np.log(wide(P)) - X)).sum()),
    "Depend": (lambda: ops.Depend()(T(X), T(Y)), lambda: X),
}  # fmt: skip
RANDOM = {"StandardNormal", "UniformReal", "UniformInt", "Dropout"}


def of_tables() -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    found = dict(CASES)
    for table, given in ((UNARY, (X,)), (POSITIVE, (P,)), (BINARY, (X, Y))):
        for name, reference in table.items():
            if reference is not None:
                found[name] = (
                    lambda name=name, given=given: getattr(ops, name)()(*map(T, given)),
                    lambda reference=reference, given=given: reference(*wide(given)),
                )
    return found


def check(got: Any, wanted: Any) -> None:
    if isinstance(wanted, tuple) and isinstance(got, tuple):
        assert len(got) == len(wanted)
        for one, other in zip(got, wanted, strict=True):
            check(one, other)
    elif isinstance(got, Tensor):
        np.testing.assert_allclose(got.asnumpy(), wanted, rtol=2e-5, atol=2e-6)
        assert got.shape == np.shape(wanted)
    else:
        assert got == wanted


ALL = of_tables()


@pytest.mark.parametrize("name", ALL)
def test_op_agrees_with_numpy(name: str) -> None:
    run, reference = ALL[name]
    check(run(), reference())


def test_each_row_of_the_table_has_a_case() -> None:
    wanted = [row.names[0] for row in rows_of(TABLE)]
    assert [name for name in wanted if name not in ALL and name not in RANDOM] == []
    assert rows()["exp"].names == ("Exp", "exp")  # Elementwise ops come from the registry.


def test_functions_take_options_behind_the_operands() -> None:
    assert ops.matmul(T(X), T(Y), transpose_b=True).shape == (2, 2)
    check(ops.softmax(T(X), 0), softmax(wide(X), 0))
    check(ops.reduce_sum(T(X), (0,), keep_dims=True), wide(X).sum(0, keepdims=True))
    assert snake("BatchMatMul") == "batch_mat_mul"


def test_primitives_are_classes_with_their_options() -> None:
    op = ops.MatMul(transpose_b=True)
    assert isinstance(op, ops.MatMul)
    assert isinstance(op, ops.Primitive)
    assert op.transpose_b is True
    assert repr(op) == "Prim[MatMul]<transpose_a=False, transpose_b=True>"
    assert ops.operations.Add is ops.Add
    assert inspect.isfunction(ops.add)


def test_random_ops_follow_the_seed() -> None:
    def draw() -> list[Any]:
        ms.set_seed(4)
        found = [ops.StandardNormal()((3,)), ops.UniformReal()((3,))]
        found.append(ops.UniformInt()((50,), T(2), T(5)))
        return [one.asnumpy() for one in (*found, *ops.Dropout(0.5)(T(Y)))]

    first, second = draw(), draw()
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, other)
    assert set(first[2].tolist()) == {2, 3, 4}
    np.testing.assert_allclose(first[3], Y * first[4] * 2)
    assert ms.get_seed() == 4
