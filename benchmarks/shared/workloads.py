"""The workloads: shapes, element types, initial values, and what one step includes.

Every peer's module has a function for each `kind` that it supports. The function makes the inputs
from the data below, in the peer's own arrays, and returns `step()`. `step()` does one unit of work
and returns when the result is ready.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Workload:
    """One line of the table.

    `flops` of a step, and the minimum bytes it must read and write: inputs once, outputs once.
    Either is 0 if it is no bound. One process measures one `group`.
    """

    id: str
    kind: str
    group: str
    flops: float = 0.0
    read: int = 0
    written: int = 0
    p: dict[str, Any] = field(default_factory=dict)
    quick: bool = False


# (m, k, n): square ones, and the matmuls of small models.
GEMM = [(n, n, n) for n in (64, 128, 256, 512, 1024, 2048)] + [
    (100, 784, 512), (100, 512, 10), (32, 512, 2048), (1024, 1024, 64)]  # fmt: skip
GEMM_BF16 = (512, 1024, 2048)
QUICK_GEMM = {(64, 64, 64), (512, 512, 512), (100, 784, 512)}
ROWS = (4096, 1024)
# ResNet's, with a batch of 8: name, channels, height and width, filters, window, stride, padding.
CONVOLUTIONS = [
    ("stem7x7s2", 3, 224, 64, 7, 2, 3), ("64x56k3", 64, 56, 64, 3, 1, 1),
    ("64x56k1-256", 64, 56, 256, 1, 1, 0), ("128x28k3", 128, 28, 128, 3, 1, 1),
    ("256x14k3", 256, 14, 256, 3, 1, 1), ("512x7k3", 512, 7, 512, 3, 1, 1),
]  # fmt: skip
SAMPLES = 8
EPSILON = 1e-5
MLP = (784, 512, 10)
BATCH = 100
LEARNING_RATE = 0.1
LENET = {"w1": (25, 32), "w2": (800, 64), "w3": (3136, 512), "w4": (512, 10)}
"""For each weight, how many terms a result sums, and how many outputs there are."""


def _gemm() -> Iterator[Workload]:
    for m, k, n in GEMM:
        name = f"w1.gemm.{m}x{k}x{n}"
        shape = {"m": m, "k": k, "n": n, "dtype": "float32"}
        quick = (m, k, n) in QUICK_GEMM
        yield Workload(name, "gemm", "w1.gemm", 2.0 * m * k * n, p=shape, quick=quick)
    for n in GEMM_BF16:
        name = f"w1.gemm_bf16.{n}x{n}x{n}"
        shape = {"m": n, "k": n, "n": n, "dtype": "bfloat16"}
        yield Workload(name, "gemm", "w1.gemm_bf16", 2.0 * n**3, p=shape)


ELEMENTS = {"f32": "float32", "bf16": "bfloat16", "f64": "float64"}


PRODUCT = re.compile(r"w1\.gemm(_ta|_tb)?(_f32|_bf16|_f64)?\.[1-9]\d*x[1-9]\d*x[1-9]\d*")


def chosen(name: str, kinds: Collection[str]) -> Workload:
    """The workload of that name, of one of these kinds; exits if there is none."""
    known = {w.id: w for w in WORKLOADS if w.kind in kinds}
    if name in known:
        return known[name]
    if PRODUCT.fullmatch(name):
        return product(name)
    sys.exit(f"there is no workload {name!r} here; there are {', '.join(known)}")


def product(name: str) -> Workload:
    """A matmul of any shape, by its name: w1.gemm_ta.256x784x512 has a transposed, 784 x 256, and
    w1.gemm_tb_bf16.256x784x512 the other factor, in another element type."""
    _, kind, extents = name.split(".")
    _, *words = kind.split("_")
    m, k, n = map(int, extents.split("x"))
    dtype = next((ELEMENTS[word] for word in words if word in ELEMENTS), "float32")
    turned = "".join(word[1] for word in words if word in ("ta", "tb"))
    shape = {"m": m, "k": k, "n": n, "dtype": dtype, "turned": turned}
    return Workload(name, "gemm", "w1.product", 2.0 * m * k * n, p=shape)


def _convolutions() -> Iterator[Workload]:
    """y of x and w; with "fwdbwd" also dx and dw of a given dy, without dx for three channels."""
    for name, c, h, f, k, stride, pad in CONVOLUTIONS:
        out = (h + 2 * pad - k) // stride + 1
        flops = 2.0 * SAMPLES * f * c * k * k * out * out
        for layout in ("nchw", "nhwc"):
            shape = {"c": c, "h": h, "f": f, "k": k, "stride": stride, "pad": pad, "out": out,
                     "layout": layout, "dx": c > 3}  # fmt: skip
            quick = name == "128x28k3"
            yield Workload(f"w2.fwd.{name}.{layout}", "conv_fwd", "w2", flops, p=shape, quick=quick)
            yield Workload(
                f"w2.fwdbwd.{name}.{layout}", "conv_fwdbwd", "w2", flops * (3 if c > 3 else 2),
                p=shape, quick=quick,
            )  # fmt: skip


def conv_shapes(w: Workload) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The shapes of x, w and y in the layout: w has its channels where x has."""
    p = w.p

    def shape(lead: int, channels: int, space: int) -> tuple[int, ...]:
        if p["layout"] == "nhwc":
            return lead, space, space, channels
        return lead, channels, space, space

    return (
        shape(SAMPLES, p["c"], p["h"]), shape(p["f"], p["c"], p["k"]),
        shape(SAMPLES, p["f"], p["out"]),
    )  # fmt: skip


def _fusion() -> Iterator[Workload]:
    def rows(name: str, kind: str, reads: int, writes: int, quick: bool = False) -> Workload:
        m, n = ROWS
        size, shape = 4 * m * n, {"m": m, "n": n}
        return Workload(name, kind, "w3", 0, reads * size, writes * size, shape, quick)

    for label, n in (("64K", 1 << 16), ("16M", 1 << 24)):
        yield Workload(
            f"w3.chain.{label}", "chain", "w3", 0, 4 * n, 4 * n, {"n": n}, quick=True
        )  # tanh(1.1 x + 0.3) * sigmoid(x) + relu(x - 0.2)
    yield rows("w3.softmax.4096x1024", "softmax", 1, 1, quick=True)
    yield rows("w3.layernorm.fwd.4096x1024", "layernorm_fwd", 1, 1)
    # y, dx, dgamma and dbeta from x, gamma, beta and a given dy
    yield rows("w3.layernorm.fwdbwd.4096x1024", "layernorm_fwdbwd", 2, 2, quick=True)
    m, k, n = 512, 1024, 4096  # 0.5 z (1 + tanh(sqrt(2 / pi) (z + 0.044715 z^3))), z = x w + b
    shape = {"m": m, "k": k, "n": n}
    yield Workload("w3.linear_gelu.512x1024x4096", "linear_gelu", "w3", 2.0 * m * k * n, p=shape)
    for axis in (0, 1):
        shape = {"m": 4096, "n": 4096, "axis": axis}
        name = f"w3.sum.axis{axis}.4096x4096"
        yield Workload(name, "sum", "w3", 0, 4 * 4096 * 4096, 0, shape, quick=axis == 0)


def _models() -> Iterator[Workload]:
    wide, hidden, classes = MLP
    products = 2.0 * BATCH * (wide * hidden + hidden * classes)
    # forward, dw of both layers, dx of the second
    train = 2 * products + 2.0 * BATCH * hidden * classes
    # Forward, backward and SGD; the step returns the mean loss as a Python float.
    yield Workload("w4.train.mlp", "train_mlp", "w4.train.mlp", train, quick=True)
    # LeNet with windows of 5 x 5, 32 and 64 filters, and 512 hidden values, of images 28 x 28.
    first, second = 2.0 * BATCH * 28 * 28 * 25 * 32, 2.0 * BATCH * 14 * 14 * 25 * 32 * 64
    dense = 2.0 * BATCH * (LENET["w3"][1] * (7 * 7 * 64) + 512 * classes)
    lenet = 2 * first + 3 * (second + dense)
    yield Workload("w4.train.lenet", "train_lenet", "w4.train.lenet", lenet)
    for batch in (1, BATCH):
        name = f"w4.infer.mlp.b{batch}"
        flops = products * batch / BATCH
        yield Workload(name, "infer_mlp", "w4.infer.mlp", flops, p={"batch": batch})


def _calls() -> Iterator[Workload]:
    """z = x + y of shape (4,): measures the call."""
    yield Workload("w5.add4.numpy_in", "add4_numpy", "w5", quick=True)
    yield Workload("w5.add4.own_arrays", "add4_own", "w5", quick=True)


def _taps() -> Iterator[Workload]:
    """The MLP step with an empty handler of the (100, 512) hidden value, and of its gradient."""
    for tap in ("none", "fwd", "fwdbwd"):
        yield Workload(f"w7.tap.{tap}", "tap_mlp", "w7", p={"tap": tap}, quick=True)


WORKLOADS = [*_gemm(), *_convolutions(), *_fusion(), *_models(), *_calls(), *_taps()]
TOGETHER = {"w7"}
"""Groups whose steps are timed in turn, sample by sample, because their differences matter."""


COUNTED = {"w3"}
"""Groups whose arithmetic is not only the multiply-adds of matmuls: their instructions are
counted."""


def normal(shape: tuple[int, ...], seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)


def mlp_parameters() -> dict[str, Array]:
    """w1 (784, 512), b1, w2 (512, 10), b2, for multiplication from the right; the biases are 0."""
    return {name: value.copy() for name, value in _drawn_parameters().items()}


@cache
def _drawn_parameters() -> dict[str, Array]:
    random = np.random.default_rng(42)
    wide, hidden, classes = MLP

    def weight(rows: int, columns: int, variance: float) -> Array:
        drawn = random.standard_normal((rows, columns), dtype=np.float32)
        return drawn * np.float32(variance**0.5)

    return {
        "w1": weight(wide, hidden, 2 / wide),
        "b1": np.zeros(hidden, np.float32),
        "w2": weight(hidden, classes, 1 / hidden),
        "b2": np.zeros(classes, np.float32),
    }


@cache
def mlp_batch(batch: int = BATCH) -> tuple[Array, Array]:
    labels = np.random.default_rng(2).integers(0, MLP[2], batch).astype(np.int32)
    return normal((batch, MLP[0]), 1), labels


def lenet_parameters() -> dict[str, Array]:
    """Weights (filters, channels, 5, 5) and, of dense layers, (inputs, outputs); biases are 0."""
    random = np.random.default_rng(42)
    shapes = {"w1": (32, 1, 5, 5), "w2": (64, 32, 5, 5), "w3": (3136, 512), "w4": (512, 10)}
    made = {}
    for number, (name, (inputs, outputs)) in enumerate(LENET.items(), start=1):
        drawn = random.standard_normal(shapes[name], dtype=np.float32)
        made[name] = drawn * np.float32((2 / inputs) ** 0.5)
        made[f"b{number}"] = np.zeros(outputs, np.float32)
    return made


@cache
def lenet_batch() -> tuple[Array, Array]:
    labels = np.random.default_rng(2).integers(0, MLP[2], BATCH).astype(np.int32)
    return normal((BATCH, 1, 28, 28), 1), labels
