"""PyTorch, eager and with torch.compile."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

# Compiled kernels are kept for the rounds of one run, and removed with it.
os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", tempfile.mkdtemp(prefix="inductor-"))

import torch
import torch.nn.functional as F
from shared import workloads
from shared.workloads import Array, Workload

Step = Callable[[], Any]


def arrays(result: Any) -> list[Array]:
    """The arrays in memory order, channels last if that is their layout."""
    results = result if isinstance(result, tuple) else (result,)
    found = [value.detach().float() for value in results]
    last = torch.channels_last
    lies_so = [t.dim() == 4 and not t.is_contiguous() and t.is_contiguous(memory_format=last)
               for t in found]  # fmt: skip
    pairs = zip(found, lies_so, strict=True)
    return [(t.permute(0, 2, 3, 1) if so else t).numpy() for t, so in pairs]


def from_seed(shape: tuple[int, ...], seed: int = 0, dtype: Any = torch.float32) -> Any:
    return torch.from_numpy(workloads.normal(shape, seed)).to(dtype)


class Cases:
    """The steps, with each function passed through `jit`."""

    def __init__(self, jit: Callable[[Any], Any]) -> None:
        self.jit = jit

    def forward(self, function: Callable[..., Any], *feeds: Any) -> Step:
        """Calls without recording for autograd."""
        compiled = self.jit(function)

        def step() -> Any:
            with torch.no_grad():
                return compiled(*feeds)

        return step

    def gemm(self, w: Workload) -> Step:
        dtype = getattr(torch, w.p["dtype"])
        if dtype == torch.bfloat16 and not torch.cpu._is_avx512_bf16_supported():
            raise NotImplementedError("a product takes seconds without AVX-512's bf16")
        a = from_seed((w.p["m"], w.p["k"]), 1, dtype)
        b = from_seed((w.p["k"], w.p["n"]), 2, dtype)
        return self.forward(torch.mm, a, b)

    def conv_fwd(self, w: Workload) -> Step:
        x, weight, _ = conv_feeds(w)
        size = {"stride": w.p["stride"], "padding": w.p["pad"]}
        return self.forward(lambda x, w: F.conv2d(x, w, **size), x, weight)

    def conv_fwdbwd(self, w: Workload) -> Step:
        x, weight, dy = conv_feeds(w)
        weight.requires_grad_()
        x.requires_grad_(w.p["dx"])
        conv = self.jit(lambda x, k: F.conv2d(x, k, stride=w.p["stride"], padding=w.p["pad"]))
        wanted = (x, weight) if w.p["dx"] else (weight,)

        def step() -> Any:
            y = conv(x, weight)
            return (y, *torch.autograd.grad(y, wanted, dy))

        return step

    def chain(self, w: Workload) -> Step:
        def chain(x: Any) -> Any:
            return torch.tanh(1.1 * x + 0.3) * torch.sigmoid(x) + torch.relu(x - 0.2)

        return self.forward(chain, from_seed((w.p["n"],)))

    def softmax(self, w: Workload) -> Step:
        x = from_seed((w.p["m"], w.p["n"]))
        return self.forward(lambda x: torch.softmax(x, dim=-1), x)

    def layernorm_fwd(self, w: Workload) -> Step:
        n = w.p["n"]
        feeds = from_seed((w.p["m"], n), 1), from_seed((n,), 2), from_seed((n,), 3)
        return self.forward(lambda x, g, b: F.layer_norm(x, (n,), g, b, workloads.EPSILON), *feeds)

    def layernorm_fwdbwd(self, w: Workload) -> Step:
        n = w.p["n"]
        feeds = from_seed((w.p["m"], n), 1), from_seed((n,), 2), from_seed((n,), 3)
        dy = from_seed((w.p["m"], n), 4)
        for feed in feeds:
            feed.requires_grad_()
        norm = self.jit(lambda x, g, b: F.layer_norm(x, (n,), g, b, workloads.EPSILON))

        def step() -> Any:
            y = norm(*feeds)
            return (y, *torch.autograd.grad(y, feeds, dy))

        return step

    def linear_gelu(self, w: Workload) -> Step:
        m, k, n = w.p["m"], w.p["k"], w.p["n"]
        feeds = from_seed((m, k), 1), from_seed((k, n), 2), from_seed((n,), 3)
        return self.forward(
            lambda x, w, b: F.gelu(torch.addmm(b, x, w), approximate="tanh"), *feeds
        )

    def sum(self, w: Workload) -> Step:
        axis = w.p["axis"]
        return self.forward(lambda x: x.sum(dim=axis), from_seed((w.p["m"], w.p["n"])))

    def train_mlp(self, w: Workload, watched: str = "none") -> Step:
        model = network()
        watch(model, watched)
        images, labels = (torch.from_numpy(array) for array in workloads.mlp_batch())
        labels = labels.long()
        rate = workloads.LEARNING_RATE
        optimizer = torch.optim.SGD(model.parameters(), rate, fused=True)
        loss_of = self.jit(lambda x, y: F.cross_entropy(model(x), y))

        def step() -> float:
            optimizer.zero_grad(set_to_none=True)
            loss = loss_of(images, labels)
            loss.backward()
            optimizer.step()
            return float(loss.item())

        return step

    def train_lenet(self, w: Workload) -> Step:
        model = lenet()
        images, labels = (torch.from_numpy(array) for array in workloads.lenet_batch())
        labels = labels.long()
        optimizer = torch.optim.SGD(model.parameters(), workloads.LEARNING_RATE, fused=True)
        loss_of = self.jit(lambda x, y: F.cross_entropy(model(x), y))

        def step() -> float:
            optimizer.zero_grad(set_to_none=True)
            loss = loss_of(images, labels)
            loss.backward()
            optimizer.step()
            return float(loss.item())

        return step

    def tap_mlp(self, w: Workload) -> Step:
        return self.train_mlp(w, w.p["tap"])

    def infer_mlp(self, w: Workload) -> Step:
        model = network().eval()
        return self.forward(model, torch.from_numpy(workloads.mlp_batch(w.p["batch"])[0]))

    def add4_own(self, w: Workload) -> Step:
        return self.forward(torch.add, from_seed((4,), 1), from_seed((4,), 2))

    def add4_numpy(self, w: Workload) -> Step:
        x, y = workloads.normal((4,), 1), workloads.normal((4,), 2)
        add = self.jit(torch.add)
        return lambda: add(torch.from_numpy(x), torch.from_numpy(y))


def conv_feeds(w: Workload) -> list[Any]:
    """x, w and dy; torch's shapes have channels before space, in either memory format."""
    made = [from_seed(shape, seed) for seed, shape in enumerate(workloads.conv_shapes(w), start=1)]
    return [t.permute(0, 3, 1, 2) for t in made] if w.p["layout"] == "nhwc" else made


def lenet() -> Any:
    values = workloads.lenet_parameters()
    layers: list[Any] = []
    for number, (channels, filters) in enumerate(((1, 32), (32, 64)), start=1):
        conv = torch.nn.Conv2d(channels, filters, 5, padding="same")
        conv.weight.data = torch.from_numpy(values[f"w{number}"])
        conv.bias.data = torch.from_numpy(values[f"b{number}"])
        layers += [conv, torch.nn.ReLU(), torch.nn.MaxPool2d(2)]
    layers.append(torch.nn.Flatten())
    for number in (3, 4):
        linear = torch.nn.Linear(*values[f"w{number}"].shape)
        linear.weight.data = torch.from_numpy(values[f"w{number}"].T.copy())
        linear.bias.data = torch.from_numpy(values[f"b{number}"])
        layers += [linear, torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


def network() -> Any:
    """The model as modules; torch stores a weight as (out, in)."""
    values = workloads.mlp_parameters()
    layers = []
    for weight, bias in (("w1", "b1"), ("w2", "b2")):
        linear = torch.nn.Linear(*values[weight].shape)
        linear.weight.data = torch.from_numpy(values[weight].T.copy())
        linear.bias.data = torch.from_numpy(values[bias])
        layers.append(linear)
    return torch.nn.Sequential(layers[0], torch.nn.ReLU(), layers[1])


def watch(model: Any, watched: str) -> None:
    """Register empty handlers for the hidden value and for its gradient."""

    def nothing(value: Array) -> None:
        pass

    def of_gradient(gradient: Any) -> None:
        nothing(gradient.numpy())

    def of_value(module: Any, feeds: Any, value: Any) -> None:
        nothing(value.detach().numpy())
        if watched == "fwdbwd":
            value.register_hook(of_gradient)

    if watched != "none":
        model[1].register_forward_hook(torch.compiler.disable(of_value))


def cases(peer: str, threads: int) -> dict[str, Callable[[Workload], Step]]:
    torch.set_num_threads(threads)
    chosen = Cases(torch.compile if peer == "torch-compile" else lambda function: function)
    kinds = (
        "gemm", "conv_fwd", "conv_fwdbwd", "train_lenet",
        "chain", "softmax", "layernorm_fwd", "layernorm_fwdbwd", "linear_gelu", "sum",
        "train_mlp", "tap_mlp", "infer_mlp", "add4_own", "add4_numpy",
    )  # fmt: skip
    return {kind: getattr(chosen, kind) for kind in kinds}
