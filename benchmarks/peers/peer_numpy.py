"""NumPy: matmuls, chains, reductions, and a handwritten training step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from shared import workloads
from shared.workloads import Array, Workload

Step = Callable[[], Any]


def arrays(result: Any) -> list[Array]:
    return [result]


def gemm(w: Workload) -> Step:
    a = workloads.normal((w.p["m"], w.p["k"]), 1)
    b = workloads.normal((w.p["k"], w.p["n"]), 2)
    return lambda: np.matmul(a, b)


def chain(w: Workload) -> Step:
    x = workloads.normal((w.p["n"],))
    one, a, b, c = (np.float32(value) for value in (1, 1.1, 0.3, 0.2))
    return lambda: np.tanh(a * x + b) / (one + np.exp(-x)) + np.maximum(x - c, 0)


def softmax(w: Workload) -> Step:
    x = workloads.normal((w.p["m"], w.p["n"]))

    def step() -> Array:
        powers = np.exp(x - x.max(axis=1, keepdims=True))
        powers /= powers.sum(axis=1, keepdims=True)
        return powers

    return step


def sum_(w: Workload) -> Step:
    x, axis = workloads.normal((w.p["m"], w.p["n"])), w.p["axis"]
    return lambda: x.sum(axis=axis)


def train_mlp(w: Workload) -> Step:
    images, labels = workloads.mlp_batch()
    values = workloads.mlp_parameters()
    rows, rate = np.arange(len(images)), np.float32(workloads.LEARNING_RATE)

    def step() -> float:
        hidden = np.maximum(images @ values["w1"] + values["b1"], 0)
        logits = hidden @ values["w2"] + values["b2"]
        logits -= logits.max(axis=1, keepdims=True)
        gradient = np.exp(logits)
        total = gradient.sum(axis=1, keepdims=True)
        loss = (np.log(total[:, 0]) - logits[rows, labels]).mean()
        gradient /= total
        gradient[rows, labels] -= 1
        gradient /= np.float32(len(images))
        inner = (gradient @ values["w2"].T) * (hidden > 0)
        for name, change in (
            ("w2", hidden.T @ gradient),
            ("b2", gradient.sum(axis=0)),
            ("w1", images.T @ inner),
            ("b1", inner.sum(axis=0)),
        ):
            values[name] -= rate * change
        return float(loss)

    return step


def infer_mlp(w: Workload) -> Step:
    images, _ = workloads.mlp_batch(w.p["batch"])
    v = workloads.mlp_parameters()
    return lambda: np.maximum(images @ v["w1"] + v["b1"], 0) @ v["w2"] + v["b2"]


def add4(w: Workload) -> Step:
    x, y = workloads.normal((4,), 1), workloads.normal((4,), 2)
    return lambda: np.add(x, y)


def cases(peer: str, threads: int) -> dict[str, Callable[[Workload], Step]]:
    return {
        "gemm": _float_only(gemm), "chain": chain, "softmax": softmax, "sum": sum_,
        "train_mlp": train_mlp, "infer_mlp": infer_mlp, "add4_own": add4,
    }  # fmt: skip


def _float_only(make: Callable[[Workload], Step]) -> Callable[[Workload], Step]:
    def checked(w: Workload) -> Step:
        if w.p["dtype"] != "float32":
            raise NotImplementedError("NumPy has no bfloat16")
        return make(w)

    return checked
