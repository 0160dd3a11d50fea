"""The workloads of the table of times on a GPU: one table, and the programs of each library.

A workload is data: which program, over tensors of which shapes, and how much work that is. Programs
read tensors that are on the GPU and write one that is there. Ours are jobs that assign to a
variable, so a step has no feeds and fetches one number; a peer is a function of its own tensors.
"""

from collections.abc import Callable, Iterator, Mapping
from math import prod
from typing import Any, NamedTuple

import numpy as np

import penstock as flow
import penstock.nn.functional as F
import penstock.typing as tp
from shared import networks

Shape = tuple[int, ...]
Program = Callable[..., Any]


class Workload(NamedTuple):
    """One row of the table."""

    name: str
    family: str
    """A key of FAMILIES, or of NETWORKS."""
    shapes: tuple[Shape, ...] = ()
    """Of the operands; of a network, its sizes."""
    dtype: str = "float32"
    work: float = 0.0
    """Operations of a step in floating point, or bytes that it must move; 0 for a network."""
    result: Shape = ()

    @property
    def moves(self) -> bool:
        """Whether the work is bytes."""
        return self.family in MOVING


class Family(NamedTuple):
    """A program in each library: ours over blobs, PyTorch's and JAX's over their tensors."""

    ours: Program
    torch: Program
    jax: Program
    precision: str = ""
    """The setting of our jobs for factors of float32."""
    trains: bool = False
    """Whether a step computes the gradients of the operands, too."""


def _jax_norm(jax: Any, x: Any, center: bool) -> Any:
    jnp = jax.numpy
    x = x - jnp.mean(x, -1, keepdims=True) if center else x
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5)


def _jax_attention(jax: Any, query: Any, key: Any, value: Any) -> Any:
    # JAX has the heads behind the positions.
    parts = (x.swapaxes(1, 2) for x in (query, key, value))
    return jax.nn.dot_product_attention(*parts).swapaxes(1, 2)


_ATTENTION: tuple[Program, Program, Program] = (
    F.scaled_dot_product_attention,
    lambda torch, q, k, v: torch.nn.functional.scaled_dot_product_attention(q, k, v),
    _jax_attention,
)

FAMILIES: Mapping[str, Family] = {
    "copy": Family(
        lambda x: x, lambda torch, x: x.clone(), lambda jax, x: jax.numpy.copy(x)
    ),
    "gemm bf16": Family(
        flow.matmul, lambda torch, x, y: x @ y, lambda jax, x, y: x @ y
    ),
    "gemm tf32": Family(
        flow.matmul, lambda torch, x, y: x @ y,
        lambda jax, x, y: jax.numpy.matmul(x, y, precision="tensorfloat32"), precision="tf32",
    ),
    "attention forward": Family(*_ATTENTION),
    "attention backward": Family(*_ATTENTION, trains=True),
    "elementwise": Family(
        lambda x, y: flow.math.relu(x + y), lambda torch, x, y: torch.relu(x + y),
        lambda jax, x, y: jax.nn.relu(x + y),
    ),
    "softmax": Family(
        flow.nn.softmax, lambda torch, x: torch.softmax(x, -1), lambda jax, x: jax.nn.softmax(x)
    ),
    "layer norm": Family(
        lambda x: F.layer_norm(x, (x.shape[-1],)),
        lambda torch, x: torch.nn.functional.layer_norm(x, (x.shape[-1],)),
        lambda jax, x: _jax_norm(jax, x, True),
    ),
    "RMS norm": Family(
        lambda x: F.rms_norm(x, (x.shape[-1],), eps=1e-5),
        lambda torch, x: torch.nn.functional.rms_norm(x, (x.shape[-1],), eps=1e-5),
        lambda jax, x: _jax_norm(jax, x, False),
    ),
}  # fmt: skip
MOVING = ("copy", "elementwise", "softmax", "layer norm", "RMS norm")
NORMS = ("layer norm", "RMS norm")

NETWORKS: Mapping[str, Callable[..., Any]] = {
    "MLP step": networks.mlp,
    "LeNet step": networks.lenet,
    "ResNet-50 step": networks.resnet50,
    "GPT step": networks.gpt,
}

# -- the table ------------------------------------------------------------------------------------

SQUARES = (512, 1024, 2048, 4096, 8192, 16384)
TOKENS = (16, 64, 256, 1024, 2048, 8192)
LAYERS = ((6144, 4096), (4096, 4096), (28672, 4096), (4096, 14336))
"""Results and features of the four products of a decoder layer of 8 billion parameters."""
BF16_SHAPES = (
    *((n, n, n) for n in SQUARES),
    *((tokens, n, k) for n, k in LAYERS for tokens in TOKENS),
)
TF32_SHAPES = tuple((n, n, n) for n in (1024, 2048, 4096, 8192))
HEADS = ((1, 16, 16384, 64), (1, 16, 16384, 128), (4, 16, 4096, 64), (4, 16, 4096, 128))
"""Batch, heads, positions and features of attention."""
ROWS = ((32768, 1024), (8192, 8192), (1024, 65536))
STEPS: Mapping[str, Shape] = {
    "MLP step": (512, 784, 512, 512, 64),
    "LeNet step": (512, 28, 32),
    "ResNet-50 step": (64, 224, 1000, 64),
    "GPT step": (4, 8, 1024, 1024, 16, 50304),
}
"""The sizes of the networks: the arguments of `shared.networks`."""
_SMALL: Mapping[str, Shape] = {
    "MLP step": (4, 16, 16, 8), "LeNet step": (1, 8, 2), "ResNet-50 step": (1, 32, 8, 2),
    "GPT step": (1, 1, 8, 16, 2, 32),
}  # fmt: skip


def workloads(shrink: int = 1) -> list[Workload]:
    """The rows of the table, each once. Extents but 1 are divided by `shrink`, down to 16.

    With a shrink above 1, networks have the sizes of a test, whatever it is.
    """
    return list(dict.fromkeys(_rows(shrink)))


def _rows(shrink: int) -> Iterator[Workload]:

    def less(shape: Shape) -> Shape:
        return tuple(n if n == 1 else max(min(n, 16), n // shrink) for n in shape)

    for rows in ROWS:
        yield _moving("copy", less(rows))
    for kind, dtype, shapes in (
        ("gemm bf16", "bfloat16", BF16_SHAPES), ("gemm tf32", "float32", TF32_SHAPES),
    ):  # fmt: skip
        for shape in shapes:
            m, n, k = less(shape)
            yield Workload(
                f"{kind} {m}x{n}x{k}", kind, ((m, k), (k, n)), dtype, 2.0 * m * n * k, (m, n)
            )
    for kind, products in (("attention forward", 2), ("attention backward", 7)):
        for shape in HEADS:
            batch, heads, positions, features = found = (*shape[:2], *less(shape[2:]))
            # The backward pass has five products, and follows the two of the forward pass.
            work = 2.0 * products * batch * heads * positions * positions * features
            name = f"{kind} {'x'.join(map(str, found[:3]))} D{features}"
            yield Workload(name, kind, (found,) * 3, "bfloat16", work, found)
    for kind in MOVING[1:]:
        for rows in ROWS:
            yield _moving(kind, less(rows), 2 if kind == "elementwise" else 1)
    for name, sizes in STEPS.items():
        yield Workload(name, name, (_SMALL[name] if shrink > 1 else sizes,))


def _moving(kind: str, shape: Shape, count: int = 1) -> Workload:
    """A workload that reads some tensors and writes one."""
    name = f"{kind} {'x'.join(map(str, shape))}"
    return Workload(name, kind, (shape,) * count, "float32", 4.0 * prod(shape) * (count + 1), shape)


# -- ours -----------------------------------------------------------------------------------------


def our_step(workload: Workload, device: str) -> Callable[[], Any]:
    """A step of our job on a device, such as "gpu". Variables of earlier jobs are dropped."""
    flow.clear_default_session()
    config = flow.function_config()
    config.default_placement_scope(flow.scope.placement(device, "0:0"))
    if workload.family in NETWORKS:
        network = NETWORKS[workload.family](*workload.shapes[0], config=config)
        batch = batch_of(workload)
        return lambda: network(*batch)
    return _trained(workload, config) if FAMILIES[workload.family].trains else _made(
        workload, config
    )  # fmt: skip


def _operands(workload: Workload) -> list[Any]:
    initial = flow.random_uniform_initializer(-1, 1)
    dtype = getattr(flow, workload.dtype)
    return [
        flow.get_variable(f"x{number}", shape, dtype=dtype, initializer=initial)
        for number, shape in enumerate(workload.shapes)
    ]


def _made(workload: Workload, config: Any) -> Callable[[], Any]:
    family = FAMILIES[workload.family]
    if family.precision:
        config.float32_matmul_precision(family.precision)

    @flow.global_function(function_config=config)
    def step() -> tp.Numpy:
        zeros = flow.zeros_initializer()
        dtype = getattr(flow, workload.dtype)
        made = family.ours(*_operands(workload))
        flow.assign(flow.get_variable("y", workload.result, dtype=dtype, initializer=zeros), made)
        return flow.math.relu(flow.get_variable("number", (1,), initializer=zeros))

    return step


def _trained(workload: Workload, config: Any) -> Callable[[], Any]:
    """A step that updates the operands by the gradients of a sum: of rate 0, so they stay."""

    @flow.global_function(type="train", function_config=config)
    def step() -> tp.Numpy:
        made = FAMILIES[workload.family].ours(*_operands(workload))
        loss = flow.math.reduce_sum(flow.cast(made, flow.float))
        rates = flow.optimizer.PiecewiseConstantScheduler([], [0.0])
        flow.optimizer.SGD(rates, momentum=0).minimize(loss)
        return loss

    return step


def batch_of(workload: Workload) -> tuple[np.ndarray[Any, Any], ...]:
    """Inputs and labels of a network's step."""
    sizes, random = workload.shapes[0], np.random.default_rng(3)
    if workload.family == "GPT step":
        _, batch, tokens, _, _, words = sizes
        ids = random.integers(0, words, (batch, tokens)).astype(np.int32)
        return ids, random.integers(0, words, batch * tokens).astype(np.int32)
    extent = sizes[1]
    shape, classes = {
        "MLP step": ((extent,), sizes[-1]),
        "LeNet step": ((1, extent, extent), 10),
        "ResNet-50 step": ((3, extent, extent), sizes[2]),
    }[workload.family]
    inputs = random.standard_normal((sizes[0], *shape)).astype(np.float32)
    return inputs, random.integers(0, classes, sizes[0]).astype(np.int32)


# -- whether it is right --------------------------------------------------------------------------

TOLERANCES = {"gemm tf32": 2.0**-8, "bfloat16": 2.0**-6, "float32": 1e-4}
"""By family, else by dtype: of a part of the largest magnitude among what is compared."""
_CHECKED = 8
"""Rows of a result that are compared; of products, so many by eight times so many elements."""


def wrong_result(workload: Workload) -> str:
    """What is wrong with what our last step wrote, in some rows; nothing if it is right, or if it
    is of a family whose result is not kept: of gradients, and of networks."""
    if workload.family in NETWORKS or FAMILIES[workload.family].trains:
        return ""
    variables = flow.get_all_variables()
    names = [*(f"x{number}" for number in range(len(workload.shapes))), "y"]
    *operands, result = (variables[name].numpy() for name in names)
    found, wanted = _compared(workload.family, operands, result)
    limit = TOLERANCES.get(workload.family, TOLERANCES[workload.dtype])
    off = np.abs(found.astype(np.float64) - wanted)
    off = np.where(np.isnan(off), np.inf, off) / np.abs(wanted).max()
    return f"results are off by {off.max():.2g} of the largest" if off.max() > limit else ""


def _compared(
    family: str, operands: list[Any], result: Any
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Some of what was computed, and what is right in float64."""
    draw = np.random.default_rng(5)

    def some(extent: int, count: int = _CHECKED) -> Any:
        return np.unique(np.append(draw.integers(0, extent, count), (0, extent - 1)))

    if family.startswith("gemm"):
        rows, columns = some(result.shape[0]), some(result.shape[1], 8 * _CHECKED)
        left, right = operands[0][rows], operands[1][:, columns]
        wanted = left.astype(np.float64) @ right.astype(np.float64)
        return result[np.ix_(rows, columns)], wanted
    if family == "attention forward":
        query, key, value = (x.reshape(-1, *x.shape[2:]) for x in operands)
        heads, rows = some(len(query), 2), some(query.shape[1])
        q, k, v = (x[heads].astype(np.float64) for x in (query[:, rows], key, value))
        scores = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1])
        return result.reshape(query.shape)[np.ix_(heads, rows)], _softmax(scores) @ v
    rows = some(len(result))
    x, *others = (each[rows].astype(np.float64) for each in operands)
    return result[rows], _REFERENCES[family](x, *others)


def _softmax(x: Any) -> Any:
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def _norm(x: Any) -> Any:
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)


_REFERENCES: Mapping[str, Program] = {
    "copy": lambda x: x,
    "elementwise": lambda x, y: np.maximum(x + y, 0),
    "softmax": _softmax,
    "layer norm": lambda x: _norm(x - x.mean(-1, keepdims=True)),
    "RMS norm": _norm,
}
