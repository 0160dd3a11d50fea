"""JAX on the CPU: everything through jax.jit, donating the old parameters."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from shared import workloads
from shared.workloads import Array, Workload

Step = Callable[[], Any]


def arrays(result: Any) -> list[Array]:
    return [np.asarray(value, np.float32) for value in jax.tree.leaves(result)]


def from_seed(shape: tuple[int, ...], seed: int = 0, dtype: Any = jnp.float32) -> Any:
    return jnp.asarray(workloads.normal(shape, seed), dtype)


def called(function: Callable[..., Any], *feeds: Any) -> Step:
    compiled = jax.jit(function)
    return lambda: jax.block_until_ready(compiled(*feeds))


def gemm(w: Workload) -> Step:
    m, k, n, dtype = w.p["m"], w.p["k"], w.p["n"], w.p["dtype"]
    return called(jnp.matmul, from_seed((m, k), 1, dtype), from_seed((k, n), 2, dtype))


def _conv(w: Workload) -> Callable[..., Any]:
    layout = w.p["layout"].upper()
    weight = "OIHW" if layout == "NCHW" else "OHWI"

    def conv(x: Any, k: Any) -> Any:
        return jax.lax.conv_general_dilated(
            x, k, (w.p["stride"],) * 2, [(w.p["pad"],) * 2] * 2,
            dimension_numbers=(layout, weight, layout),
        )  # fmt: skip

    return conv


def conv_fwd(w: Workload) -> Step:
    x, k, _ = workloads.conv_shapes(w)
    return called(_conv(w), from_seed(x, 1), from_seed(k, 2))


def conv_fwdbwd(w: Workload) -> Step:
    conv = _conv(w)

    def both(x: Any, k: Any, dy: Any) -> Any:
        y, back = jax.vjp(conv, x, k)
        dx, dk = back(dy)
        return (y, dx, dk) if w.p["dx"] else (y, dk)

    shapes = enumerate(workloads.conv_shapes(w), start=1)
    return called(both, *(from_seed(shape, seed) for seed, shape in shapes))


def chain(w: Workload) -> Step:
    def chain(x: Any) -> Any:
        return jnp.tanh(1.1 * x + 0.3) * jax.nn.sigmoid(x) + jax.nn.relu(x - 0.2)

    return called(chain, from_seed((w.p["n"],)))


def softmax(w: Workload) -> Step:
    return called(jax.nn.softmax, from_seed((w.p["m"], w.p["n"])))


def layer_norm(x: Any, gamma: Any, beta: Any) -> Any:
    centred = x - x.mean(-1, keepdims=True)
    variance = jnp.square(centred).mean(-1, keepdims=True)
    return centred * jax.lax.rsqrt(variance + workloads.EPSILON) * gamma + beta


def layernorm_fwd(w: Workload) -> Step:
    n = w.p["n"]
    return called(layer_norm, from_seed((w.p["m"], n), 1), from_seed((n,), 2), from_seed((n,), 3))


def layernorm_fwdbwd(w: Workload) -> Step:
    m, n = w.p["m"], w.p["n"]

    def both(x: Any, gamma: Any, beta: Any, dy: Any) -> Any:
        y, back = jax.vjp(layer_norm, x, gamma, beta)
        return (y, *back(dy))

    return called(
        both, from_seed((m, n), 1), from_seed((n,), 2), from_seed((n,), 3), from_seed((m, n), 4)
    )


def linear_gelu(w: Workload) -> Step:
    m, k, n = w.p["m"], w.p["k"], w.p["n"]
    return called(
        lambda x, w, b: jax.nn.gelu(x @ w + b, approximate=True),
        from_seed((m, k), 1),
        from_seed((k, n), 2),
        from_seed((n,), 3),
    )


def sum_(w: Workload) -> Step:
    axis = w.p["axis"]
    return called(lambda x: x.sum(axis), from_seed((w.p["m"], w.p["n"])))


def network(values: Any, images: Any, watch: Callable[[Any], Any] = lambda hidden: hidden) -> Any:
    """The logits; `watch` gets the hidden values and returns a replacement."""
    hidden = watch(jax.nn.relu(images @ values["w1"] + values["b1"]))
    return hidden @ values["w2"] + values["b2"]


def nothing(value: Any) -> None:
    """An empty handler."""


@jax.custom_vjp
def watch_gradient(hidden: Any) -> Any:
    return hidden


def _backward(_: None, gradient: Any) -> tuple[Any]:
    jax.debug.callback(nothing, gradient)
    return (gradient,)


watch_gradient.defvjp(lambda hidden: (hidden, None), _backward)


def watched_by(tap: str) -> Callable[[Any], Any]:
    def watch(hidden: Any) -> Any:
        if tap != "none":
            jax.debug.callback(nothing, hidden)
        return watch_gradient(hidden) if tap == "fwdbwd" else hidden

    return watch


def updated(values: Any, images: Any, labels: Any, tap: str = "none") -> tuple[Any, Any]:
    """The loss, and the parameters after one step of SGD."""

    def loss_of(values: Any) -> Any:
        logits = network(values, images, watched_by(tap))
        picked = jnp.take_along_axis(logits, labels[:, None], axis=1)[:, 0]
        return (jax.nn.logsumexp(logits, axis=1) - picked).mean()

    loss, slopes = jax.value_and_grad(loss_of)(values)
    rate = workloads.LEARNING_RATE
    return loss, jax.tree.map(lambda old, slope: old - rate * slope, values, slopes)


def train_mlp(w: Workload, tap: str = "none") -> Step:
    values = {name: jnp.asarray(value) for name, value in workloads.mlp_parameters().items()}
    batch = [jnp.asarray(array) for array in workloads.mlp_batch()]
    compiled = jax.jit(functools.partial(updated, tap=tap), donate_argnums=0)

    def step() -> float:
        nonlocal values
        loss, values = compiled(values, *batch)
        return float(loss)

    return step


def tap_mlp(w: Workload) -> Step:
    return train_mlp(w, w.p["tap"])


def infer_mlp(w: Workload) -> Step:
    images = jnp.asarray(workloads.mlp_batch(w.p["batch"])[0])
    values = {name: jnp.asarray(value) for name, value in workloads.mlp_parameters().items()}
    return called(network, values, images)


def add4_own(w: Workload) -> Step:
    return called(jnp.add, from_seed((4,), 1), from_seed((4,), 2))


def add4_numpy(w: Workload) -> Step:
    return called(jnp.add, workloads.normal((4,), 1), workloads.normal((4,), 2))


def cases(peer: str, threads: int) -> dict[str, Callable[[Workload], Step]]:
    return {
        "conv_fwd": conv_fwd, "conv_fwdbwd": conv_fwdbwd,
        "gemm": gemm, "chain": chain, "softmax": softmax, "layernorm_fwd": layernorm_fwd,
        "layernorm_fwdbwd": layernorm_fwdbwd, "linear_gelu": linear_gelu, "sum": sum_,
        "train_mlp": train_mlp, "tap_mlp": tap_mlp, "infer_mlp": infer_mlp, "add4_own": add4_own,
        "add4_numpy": add4_numpy,
    }  # fmt: skip
