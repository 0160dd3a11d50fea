"""penstock: every workload as a job, called with NumPy arrays and returning them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from shared import workloads
from shared.workloads import EPSILON, LEARNING_RATE, MLP, Array, Workload

import penstock as flow
import penstock.typing as tp

Step = Callable[[], Any]

# Load our lazily imported names with the module, as peers load theirs.
for _name in ("compile", "global_function", "get_variable", "layers", "nn", "optimizer"):
    getattr(flow, _name)

GELU_SCALE = (2 / np.pi) ** 0.5
_jobs: list[Any] = []


def arrays(result: Any) -> list[Array]:
    return list(result) if isinstance(result, tuple) else [result]


def define(
    body: Callable[..., Any], feeds: dict[str, Any], returns: Any, type: str = "predict"
) -> Any:
    """A job with this body, these placeholders and this return annotation."""
    body.__annotations__ = {**feeds, "return": returns}
    job = flow.global_function(type=type)(body)
    _jobs.append(job)
    return job


def defined_last() -> Any:
    return _jobs[-1]


def fresh_session() -> None:
    """Start a new session, so that each workload runs as if it were the only one."""
    flow.clear_default_session()
    _jobs.clear()


def floats(*shape: int) -> Any:
    return tp.Numpy.Placeholder(shape, dtype=flow.float)


def gemm(w: Workload) -> Step:
    fresh_session()
    return product(w)


def product(w: Workload) -> Step:
    """A step of a matmul; variants that differ in more than shape share a session."""
    m, k, n, turned = w.p["m"], w.p["k"], w.p["n"], w.p.get("turned", "")
    a, b = workloads.normal((m, k), 1), workloads.normal((k, n), 2)
    a, b = (np.ascontiguousarray(x.T if s in turned else x) for x, s in ((a, "a"), (b, "b")))
    dtype, element = flow.float, w.p["dtype"]
    if element == "bfloat16":
        import ml_dtypes

        dtype, element = flow.bfloat16, ml_dtypes.bfloat16
    elif element == "float64":
        dtype = flow.double
    a, b = a.astype(element, copy=False), b.astype(element, copy=False)

    def gemm(a, b):
        return flow.matmul(a, b, transpose_a="a" in turned, transpose_b="b" in turned)

    gemm.__name__ = w.id.split(".")[1]
    feeds = {
        "a": tp.Numpy.Placeholder(a.shape, dtype=dtype),
        "b": tp.Numpy.Placeholder(b.shape, dtype=dtype),
    }
    job = define(gemm, feeds, tp.Numpy)
    return lambda: job(a, b)


def _convolution(w: Workload) -> tuple[Any, list[Array]]:
    """The job of a convolution, with gradients if requested, and its feeds."""
    p, shapes = w.p, workloads.conv_shapes(w)
    feeds = [workloads.normal(shape, seed) for seed, shape in enumerate(shapes, start=1)]
    space = [[0, 0], *[[p["pad"]] * 2] * 2]
    space.insert(1 if p["layout"] == "nchw" else 3, [0, 0])

    def conv(x, w):
        return flow.nn.conv2d(x, w, p["stride"], space, p["layout"].upper())

    if w.kind == "conv_fwd":
        given = {"x": floats(*shapes[0]), "w": floats(*shapes[1])}
        return define(conv, given, tp.Numpy), feeds[:2]
    _jobs.append(flow.compile(_gradients(w, *shapes)))
    return defined_last(), feeds


def _gradients(workload: Workload, *shapes: tuple[int, ...]) -> str:
    """A module as text: a convolution of padded data, and its gradients by data and weights."""
    p, last = workload.p, workload.p["layout"] == "nhwc"

    def list_of(numbers: Iterable[int]) -> str:
        return f"array<i64: {', '.join(map(str, numbers))}>"

    def tensor(shape: Iterable[int]) -> str:
        return f"tensor<{''.join(f'{n}x' for n in shape)}f32>"

    around = [0, p["pad"], p["pad"], 0] if last else [0, 0, p["pad"], p["pad"]]
    padded = [n + 2 * more for n, more in zip(shapes[0], around, strict=True)]
    x, w, y, xp = map(tensor, (*shapes, padded))
    window = (
        f"strides = {list_of([p['stride']] * 2)}, dilations = {list_of([1, 1])}, "
        f"channels_last = {str(last).lower()}"
    )
    ends = f"before = {list_of(around)}, after = {list_of(around)}, inside = {list_of([0] * 4)}"
    lines = [
        f'%xp = "flow.pad"(%x) {{{ends}}} : ({x}) -> {xp}',
        f'%y = "flow.conv"(%xp, %w) {{{window}}} : ({xp}, {w}) -> {y}',
        f'%dw = "flow.conv_weight_grad"(%xp, %dy) {{{window}, shape = {list_of(shapes[1])}}} '
        f": ({xp}, {y}) -> {w}",
    ]
    made = [("%y", y), ("%dw", w)]
    if p["dx"]:
        lines += [
            f'%dxp = "flow.conv_data_grad"(%dy, %w) {{{window}, shape = {list_of(padded)}}} '
            f": ({y}, {w}) -> {xp}",
            f'%dx = "flow.slice"(%dxp) {{starts = {list_of(around)}, '
            f"sizes = {list_of(shapes[0])}, steps = {list_of([1] * 4)}}} : ({xp}) -> {x}",
        ]
        made.insert(1, ("%dx", x))
    results = ", ".join(f'{type} {{job.fetch = "{i}"}}' for i, (_, type) in enumerate(made))
    names, types = (", ".join(words) for words in zip(*made, strict=True))
    body = "\n    ".join(lines)
    return f"""module attributes {{job.type = "predict"}} {{
  func.func @convolution(%x: {x} {{job.feed = "x"}}, %w: {w} {{job.feed = "w"}},
                         %dy: {y} {{job.feed = "dy"}}) -> ({results}) {{
    {body}
    return {names} : {types}
  }}
}}"""


def conv(w: Workload) -> Step:
    fresh_session()
    job, feeds = _convolution(w)
    return lambda: job(*feeds)


def chain(w: Workload) -> Step:
    fresh_session()
    x = workloads.normal((w.p["n"],))

    def chain(x):
        left = flow.math.tanh(1.1 * x + 0.3) * flow.math.sigmoid(x)
        return left + flow.math.relu(x - 0.2)

    job = define(chain, {"x": floats(*x.shape)}, tp.Numpy)
    return lambda: job(x)


def softmax(w: Workload) -> Step:
    fresh_session()
    x = workloads.normal((w.p["m"], w.p["n"]))

    def softmax(x):
        return flow.nn.softmax(x)

    job = define(softmax, {"x": floats(*x.shape)}, tp.Numpy)
    return lambda: job(x)


def _normalized(x: Any) -> tuple[Any, Any]:
    """(x - mean) / deviation over the last axis, and one over the deviation."""
    mean = flow.math.reduce_mean(x, axis=-1, keepdims=True)
    centred = x - mean
    variance = flow.math.reduce_mean(flow.math.square(centred), axis=-1, keepdims=True)
    scale = flow.math.rsqrt(variance + EPSILON)
    return centred * scale, scale


def layernorm_fwd(w: Workload) -> Step:
    fresh_session()
    m, n = w.p["m"], w.p["n"]
    feeds = workloads.normal((m, n), 1), workloads.normal((n,), 2), workloads.normal((n,), 3)

    def layernorm(x, gamma, beta):
        return _normalized(x)[0] * gamma + beta

    shapes = {"x": floats(m, n), "gamma": floats(n), "beta": floats(n)}
    job = define(layernorm, shapes, tp.Numpy)
    return lambda: job(*feeds)


def layernorm_fwdbwd(w: Workload) -> Step:
    """The gradients are explicit: with g = dy gamma and z the normalized x,

    dx = scale (g - mean(g) - z mean(g z)), dgamma = sum(dy z), dbeta = sum(dy).
    """
    fresh_session()
    m, n = w.p["m"], w.p["n"]
    feeds = (
        workloads.normal((m, n), 1), workloads.normal((n,), 2), workloads.normal((n,), 3),
        workloads.normal((m, n), 4),
    )  # fmt: skip

    def layernorm(x, gamma, beta, dy):
        z, scale = _normalized(x)
        g = dy * gamma
        mean_g = flow.math.reduce_mean(g, axis=-1, keepdims=True)
        mean_gz = flow.math.reduce_mean(g * z, axis=-1, keepdims=True)
        dx = scale * (g - mean_g - z * mean_gz)
        dgamma = flow.math.reduce_sum(dy * z, axis=0)
        return z * gamma + beta, dx, dgamma, flow.math.reduce_sum(dy, axis=0)

    shapes = {"x": floats(m, n), "gamma": floats(n), "beta": floats(n), "dy": floats(m, n)}
    job = define(layernorm, shapes, tuple[tp.Numpy, tp.Numpy, tp.Numpy, tp.Numpy])
    return lambda: job(*feeds)


def linear_gelu(w: Workload) -> Step:
    fresh_session()
    m, k, n = w.p["m"], w.p["k"], w.p["n"]
    feeds = workloads.normal((m, k), 1), workloads.normal((k, n), 2), workloads.normal((n,), 3)

    def linear_gelu(x, weight, bias):
        z = flow.matmul(x, weight) + bias
        inner = float(GELU_SCALE) * (z + 0.044715 * (z * z * z))
        return 0.5 * z * (1.0 + flow.math.tanh(inner))

    shapes = {"x": floats(m, k), "weight": floats(k, n), "bias": floats(n)}
    job = define(linear_gelu, shapes, tp.Numpy)
    return lambda: job(*feeds)


def sum_(w: Workload) -> Step:
    fresh_session()
    x, axis = workloads.normal((w.p["m"], w.p["n"])), w.p["axis"]

    def total(x):
        return flow.math.reduce_sum(x, axis=axis)

    job = define(total, {"x": floats(*x.shape)}, tp.Numpy)
    return lambda: job(x)


def network(images: Any, name: str) -> tuple[Any, Any]:
    """The hidden values (batch, 512) and the logits (batch, 10)."""
    _, hidden, classes = MLP
    start = flow.zeros_initializer()
    values = flow.layers.dense(
        images, hidden, activation=flow.nn.relu, kernel_initializer=start, name=f"{name}-1"
    )
    logits = flow.layers.dense(values, classes, kernel_initializer=start, name=f"{name}-2")
    return values, logits


def load_parameters(name: str) -> None:
    """Set the variables of `network` to their initial values; dense stores weights as (out, in)."""
    values = workloads.mlp_parameters()
    flow.load_variables(
        {
            f"{name}-1-weight": np.ascontiguousarray(values["w1"].T),
            f"{name}-1-bias": values["b1"],
            f"{name}-2-weight": np.ascontiguousarray(values["w2"].T),
            f"{name}-2-bias": values["b2"],
        }
    )


def define_training(name: str, tap: str = "none") -> Any:
    def train(images, labels):
        hidden, logits = network(images, name)
        if tap != "none":
            flow.watch(hidden, empty_handler)
        if tap == "fwdbwd":
            flow.watch_diff(hidden, empty_handler)
        losses = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [LEARNING_RATE])
        flow.optimizer.SGD(rate, momentum=0).minimize(losses)
        return flow.math.reduce_mean(losses)

    train.__name__ = name
    labels = tp.Numpy.Placeholder((workloads.BATCH,), dtype=flow.int32)
    return define(
        train, {"images": floats(workloads.BATCH, MLP[0]), "labels": labels}, tp.Numpy, "train"
    )


def empty_handler(value: tp.Numpy) -> None:
    """A handler that does nothing, to measure the cost of calling it."""


empty_handler.__annotations__ = {"value": tp.Numpy, "return": None}


def train_mlp(w: Workload) -> Step:
    fresh_session()
    job = define_training("train")
    load_parameters("train")
    images, labels = workloads.mlp_batch()
    return lambda: job(images, labels).item()


def train_lenet(w: Workload) -> Step:
    fresh_session()

    def lenet(images, labels):
        start, value = flow.zeros_initializer(), images
        for number, filters in ((1, 32), (2, 64)):
            value = flow.layers.conv2d(
                value, filters, 5, padding="SAME_UPPER", activation=flow.nn.relu,
                kernel_initializer=start, name=f"{number}",
            )  # fmt: skip
            value = flow.nn.max_pool2d(value, 2, 2, "VALID")
        value = flow.reshape(value, (workloads.BATCH, -1))
        value = flow.layers.dense(
            value, 512, activation=flow.nn.relu, kernel_initializer=start, name="3"
        )
        logits = flow.layers.dense(value, MLP[2], kernel_initializer=start, name="4")
        losses = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [LEARNING_RATE])
        flow.optimizer.SGD(rate, momentum=0).minimize(losses)
        return flow.math.reduce_mean(losses)

    images, labels = workloads.lenet_batch()
    feeds = {
        "images": floats(*images.shape),
        "labels": tp.Numpy.Placeholder(labels.shape, dtype=flow.int32),
    }
    job = define(lenet, feeds, tp.Numpy, "train")
    values = workloads.lenet_parameters()
    for name in ("w3", "w4"):
        values[name] = np.ascontiguousarray(values[name].T)
    words = {"w": "weight", "b": "bias"}
    flow.load_variables({f"{key[1]}-{words[key[0]]}": value for key, value in values.items()})
    return lambda: job(images, labels).item()


def tap_mlp(w: Workload) -> Step:
    """The three jobs share a session, since they are timed in turn."""
    name = f"tap_{w.p['tap']}"
    if not any(job.name == name for job in _jobs):
        fresh_session()
        for tap in ("none", "fwd", "fwdbwd"):
            define_training(f"tap_{tap}", tap)
    job = next(job for job in _jobs if job.name == name)
    load_parameters(name)
    images, labels = workloads.mlp_batch()
    return lambda: job(images, labels).item()


def infer_mlp(w: Workload) -> Step:
    fresh_session()
    images, _ = workloads.mlp_batch(w.p["batch"])

    def infer(images):
        return network(images, "infer")[1]

    job = define(infer, {"images": floats(*images.shape)}, tp.Numpy)
    load_parameters("infer")
    return lambda: job(images)


def add4(w: Workload) -> Step:
    fresh_session()
    x, y = workloads.normal((4,), 1), workloads.normal((4,), 2)

    def add(x, y):
        return x + y

    job = define(add, {"x": floats(4), "y": floats(4)}, tp.Numpy)
    return lambda: job(x, y)


def cases(peer: str, threads: int) -> dict[str, Callable[[Workload], Step]]:
    return {
        "gemm": gemm, "conv_fwd": conv, "conv_fwdbwd": conv, "train_lenet": train_lenet,
        "chain": chain, "softmax": softmax, "layernorm_fwd": layernorm_fwd,
        "layernorm_fwdbwd": layernorm_fwdbwd, "linear_gelu": linear_gelu, "sum": sum_,
        "train_mlp": train_mlp, "infer_mlp": infer_mlp, "add4_numpy": add4, "tap_mlp": tap_mlp,
    }  # fmt: skip


def facts() -> Iterator[tuple[str, str, float, str]]:
    """The size of the arena, if the step measured last is the training step."""
    for job in _jobs:
        if job.name == "train":
            arena = job.compile().program.description["arena"]["bytes"]
            yield "w4.train.mlp", "arena", arena, "bytes"
