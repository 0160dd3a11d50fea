"""The workloads of the table of times on a GPU in PyTorch and in JAX, where these are installed."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from shared.gpu_workloads import FAMILIES, NETWORKS, Workload, batch_of

Step = Callable[[], Any]


def library(name: str) -> tuple[Any, str]:
    """PyTorch or JAX, or None and why it has no times: it is missing, or finds no GPU."""
    # JAX would take most of the memory for itself.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    try:
        found = importlib.import_module(name)
    except ModuleNotFoundError:
        return None, f"{name} is not installed"
    except Exception as error:  # such as one of its libraries that is missing
        return None, f"{name} cannot be imported: {last_line(error)}"
    try:
        has_gpu = found.cuda.is_available() if name == "torch" else found.devices("gpu")
    except Exception as error:
        return None, f"{name} finds no GPU: {last_line(error)}"
    return (found, "") if has_gpu else (None, f"{name} finds no GPU")


def last_line(error: Exception) -> str:
    """The last line of an error's text, or its type."""
    return (str(error).strip().splitlines() or [type(error).__name__])[-1]


def torch_step(torch: Any, workload: Workload, device: str = "cuda") -> Step | None:
    """PyTorch's step, compared with ours: it waits until the device is done."""
    wait = torch.cuda.synchronize if device == "cuda" else lambda: None
    if workload.family in NETWORKS:
        model = _torch_model(torch, workload)
        return None if model is None else _torch_training(torch, model, workload, device)
    family = FAMILIES[workload.family]
    torch.backends.cuda.matmul.allow_tf32 = family.precision == "tf32"
    dtype = getattr(torch, workload.dtype)
    tensors = [
        (torch.rand(shape, device=device) * 2 - 1).to(dtype).requires_grad_(family.trains)
        for shape in workload.shapes
    ]

    def step() -> None:
        made = family.torch(torch, *tensors)
        if family.trains:
            torch.autograd.grad(made.float().sum(), tensors)
        wait()

    return step


def _torch_training(torch: Any, model: Any, workload: Workload, device: str) -> Step:
    model = model.to(device)
    optimizer = torch.optim.Adam(model.parameters())
    inputs, labels = (torch.from_numpy(array).to(device) for array in batch_of(workload))

    def step() -> float:
        optimizer.zero_grad(set_to_none=True)
        scores = model(inputs)
        rows = scores.reshape(-1, scores.shape[-1])
        loss = torch.nn.functional.cross_entropy(rows, labels.long())
        loss.backward()
        optimizer.step()
        return float(loss.item())

    return step


def _torch_model(torch: Any, workload: Workload) -> Any:
    """The network in PyTorch; None for ResNet-50 without torchvision."""
    nn, sizes = torch.nn, workload.shapes[0]
    if workload.family == "MLP step":
        layers: list[Any] = []
        for before, after in pairwise(sizes[1:]):
            layers += [nn.Linear(before, after), nn.ReLU()]
        return nn.Sequential(*layers[:-1])
    if workload.family == "LeNet step":
        width = sizes[2]
        return nn.Sequential(
            nn.Conv2d(1, width, 5, padding=2, bias=False), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 5, padding=2, bias=False), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.LazyLinear(16 * width), nn.ReLU(),
            nn.Linear(16 * width, 10),
        )  # fmt: skip
    if workload.family == "GPT step":
        return _torch_gpt(torch, *sizes)
    try:
        models = importlib.import_module("torchvision.models")
    except ImportError:
        return None
    return models.resnet50()


def _torch_gpt(
    torch: Any, layers: int, batch: int, tokens: int, width: int, heads: int, words: int
) -> Any:
    """`shared.networks.gpt`: attention over all positions, unscaled."""
    nn, functional = torch.nn, torch.nn.functional

    class Layer(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.before, self.after = nn.LayerNorm(width), nn.LayerNorm(width)
            self.parts = nn.ModuleList(nn.Linear(width, width) for _ in range(3))
            self.out = nn.Linear(width, width)
            self.widen, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x: Any) -> Any:
            y = self.before(x)
            query, key, value = (
                part(y).reshape(batch, tokens, heads, width // heads).transpose(1, 2)
                for part in self.parts
            )
            y = functional.scaled_dot_product_attention(query, key, value, scale=1.0)
            x = x + self.out(y.transpose(1, 2).reshape(batch, tokens, width))
            return x + self.narrow(functional.gelu(self.widen(self.after(x))))

    return nn.Sequential(
        nn.Embedding(words, width), *(Layer() for _ in range(layers)), nn.LayerNorm(width),
        nn.Linear(width, words),
    )  # fmt: skip


def jax_step(jax: Any, workload: Workload) -> Step | None:
    """JAX's step, compiled; None for networks."""
    if workload.family in NETWORKS:
        return None
    family = FAMILIES[workload.family]
    numbers = jax.random.split(jax.random.PRNGKey(0), len(workload.shapes))
    tensors = [
        jax.random.uniform(number, shape, workload.dtype, -1, 1)
        for number, shape in zip(numbers, workload.shapes, strict=True)
    ]

    def made(*operands: Any) -> Any:
        return family.jax(jax, *operands)

    def loss(*operands: Any) -> Any:
        return made(*operands).astype("float32").sum()

    places = tuple(range(len(tensors)))
    step = jax.jit(jax.grad(loss, places) if family.trains else made)
    return lambda: jax.block_until_ready(step(*tensors))
