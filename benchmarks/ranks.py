"""Training on ranks of one machine, beside PyTorch's DDP with gloo in the same run.

    python benchmarks/ranks.py                    as many ranks as cores, half as many, and one
    python benchmarks/ranks.py --ranks 1,2,4 --models mlp --rounds 5
    python benchmarks/ranks.py --collectives      all-reduce of ours beside that of the MPI library

The whole batch is the same for any number of ranks. Each rank computes on one thread, of both
peers, so half as many ranks as cores leave a core to each rank's communication. `hidden` is the
share of the time of deferred collectives for which no step waited; `sent` are the bytes that a rank
sends to others in a step. Without torch its rows are left out. Let nothing else run meanwhile.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

import penstock as flow
import penstock.typing as tp

MLP = {"batch": 512, "width": 1024, "layers": 4}
GPT = {"batch": 16, "tokens": 64, "width": 256, "heads": 4, "layers": 2, "words": 1024}
WARM = 3
SIZES = (4, 4096, 65536, 1 << 20, 16 << 20, 64 << 20)
"""Bytes of the all-reduces that are measured."""


def ours_mlp(ranks: int) -> tuple[Callable[[], Any], int]:
    """A step of our job, and the number of samples in a batch."""
    flow.config.cpu_device_num(ranks)
    shape = MLP["batch"], MLP["width"]

    @flow.global_function(type="train")
    def step(x: tp.Numpy.Placeholder(shape), t: tp.Numpy.Placeholder(shape)) -> tp.Numpy:
        y = x
        for layer in range(MLP["layers"]):
            last = layer == MLP["layers"] - 1
            y = flow.layers.dense(
                y, MLP["width"], activation=None if last else flow.nn.relu,
                kernel_initializer=flow.random_normal_initializer(stddev=0.03), name=f"fc{layer}",
            )  # fmt: skip
        loss = flow.math.reduce_mean(flow.math.square(y - t))
        flow.optimizer.SGD(constant(0.01), momentum=0.9).minimize(loss)
        return loss

    x, t = (np.random.default_rng(i).standard_normal(shape, np.float32) for i in range(2))
    return lambda: step(x, t), MLP["batch"]


def constant(rate: float) -> Any:
    return flow.optimizer.PiecewiseConstantScheduler([], [rate])


def ours_gpt(ranks: int) -> tuple[Callable[[], Any], int]:
    flow.config.cpu_device_num(ranks)
    batch, tokens, width, heads = (GPT[word] for word in ("batch", "tokens", "width", "heads"))

    def dense(x: Any, units: int, name: str, activation: Any = None) -> Any:
        random = flow.random_normal_initializer(stddev=0.02)
        return flow.layers.dense(
            x, units, activation=activation, kernel_initializer=random, name=name
        )

    def attention(x: Any, name: str) -> Any:
        def part(what: str) -> Any:
            y = flow.reshape(dense(x, width, f"{name}-{what}"), (batch, tokens, heads, -1))
            return flow.transpose(y, (0, 2, 1, 3))

        queries, keys, values = map(part, "qkv")
        scores = flow.matmul(queries, keys, transpose_b=True) * (width // heads) ** -0.5
        y = flow.transpose(flow.matmul(flow.nn.softmax(scores), values), (0, 2, 1, 3))
        return dense(flow.reshape(y, (batch * tokens, width)), width, f"{name}-out")

    @flow.global_function(type="train")
    def step(
        ids: tp.Numpy.Placeholder((batch, tokens), dtype=flow.int32),
        labels: tp.Numpy.Placeholder((batch * tokens,), dtype=flow.int32),
    ) -> tp.Numpy:
        random = flow.random_normal_initializer(stddev=0.02)
        table = flow.get_variable("words", (GPT["words"], width), initializer=random)
        x = flow.reshape(flow.gather(table, ids), (batch * tokens, width))
        for i in range(GPT["layers"]):
            x = x + attention(flow.layers.layer_norm(x, name=f"norm{i}"), f"layer{i}")
            y = flow.layers.layer_norm(x, name=f"norm{i}b")
            x = x + dense(dense(y, 4 * width, f"up{i}", flow.math.gelu), width, f"down{i}")
        logits = dense(flow.layers.layer_norm(x, name="norm"), GPT["words"], "logits")
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        flow.optimizer.SGD(constant(0.01), momentum=0.9).minimize(loss)
        return loss

    random = np.random.default_rng(0)
    ids = random.integers(0, GPT["words"], (batch, tokens)).astype(np.int32)
    labels = random.integers(0, GPT["words"], batch * tokens).astype(np.int32)
    return lambda: step(ids, labels), batch


def torch_mlp(torch: Any) -> tuple[Any, Callable[[int, int], tuple[Any, Any]], Any]:
    """A module, a function that gives each rank its inputs and targets, and the loss."""
    nn = torch.nn
    layers: list[Any] = []
    for _ in range(MLP["layers"]):
        layers += [nn.Linear(MLP["width"], MLP["width"]), nn.ReLU()]

    def data(rank: int, ranks: int) -> tuple[Any, Any]:
        shape = MLP["batch"] // ranks, MLP["width"]
        return torch.randn(shape), torch.randn(shape)

    return nn.Sequential(*layers[:-1]), data, nn.MSELoss()


def torch_gpt(torch: Any) -> tuple[Any, Callable[[int, int], tuple[Any, Any]], Any]:
    nn, functional = torch.nn, torch.nn.functional
    width, heads, words = GPT["width"], GPT["heads"], GPT["words"]

    class Layer(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x: Any) -> Any:
            batch, tokens, _ = x.shape
            parts = self.qkv(self.first(x)).reshape(batch, tokens, 3, heads, -1)
            queries, keys, values = parts.permute(2, 0, 3, 1, 4)
            y = functional.scaled_dot_product_attention(queries, keys, values)
            x = x + self.out(y.transpose(1, 2).reshape(batch, tokens, width))
            return x + self.down(functional.gelu(self.up(self.second(x))))

    class Model(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.table = nn.Embedding(words, width)
            self.layers = nn.Sequential(*(Layer() for _ in range(GPT["layers"])))
            self.norm, self.logits = nn.LayerNorm(width), nn.Linear(width, words)

        def forward(self, ids: Any) -> Any:
            return self.logits(self.norm(self.layers(self.table(ids)))).flatten(0, 1)

    def data(rank: int, ranks: int) -> tuple[Any, Any]:
        shape = GPT["batch"] // ranks, GPT["tokens"]
        return torch.randint(words, shape), torch.randint(words, (shape[0] * shape[1],))

    return Model(), data, nn.CrossEntropyLoss()


MODELS = {"mlp": (ours_mlp, torch_mlp), "gpt": (ours_gpt, torch_gpt)}


# -- what a rank runs ----------------------------------------------------------------------------


def timed(step: Callable[[], Any], steps: int) -> float:
    """The median of the seconds that steps take."""
    for _ in range(WARM):
        step()
    seconds = []
    for _ in range(steps):
        start = perf_counter()
        step()
        seconds.append(perf_counter() - start)
    return median(seconds)


def run_ours(model: str, ranks: int, steps: int) -> None:
    from penstock.runtime.mpi.engine import engine
    from penstock.runtime.mpi.world import world

    step, samples = MODELS[model][0](ranks)
    joined = world()
    if joined is None:
        tell(seconds=timed(step, steps), samples=samples)
        return
    step()
    over = engine(joined, bytes)  # there since the first step
    before, busy = over.sent, over.overlap
    seconds = timed(step, steps)
    busy = tuple(b - a for a, b in zip(busy, over.overlap, strict=True))
    if joined.rank == 0:
        sent = (over.sent - before) / (steps + WARM)
        hidden = 1 - busy[1] / busy[0] if busy[0] else None
        tell(seconds=seconds, samples=samples, sent=sent, hidden=hidden)


def run_torch(model: str, rank: int, ranks: int, steps: int, meeting: str) -> None:
    import torch
    import torch.distributed as dist

    torch.set_num_threads(1)
    torch.manual_seed(0)
    dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=ranks)
    module, data, loss = MODELS[model][1](torch)
    shared = torch.nn.parallel.DistributedDataParallel(module) if ranks > 1 else module
    update = torch.optim.SGD(module.parameters(), lr=0.01, momentum=0.9)
    x, t = data(rank, ranks)

    def step() -> None:
        update.zero_grad()
        loss(shared(x), t).backward()
        update.step()

    seconds = timed(step, steps)
    if rank == 0:
        tell(seconds=seconds, samples=(MLP if model == "mlp" else GPT)["batch"])
    dist.destroy_process_group()


def run_collectives() -> None:
    """All-reduces of our native code, and of the MPI library, of floats."""
    import ctypes

    from penstock.codegen.jobs.helpers import ranks_library
    from penstock.lowering.user_cache import user_store
    from penstock.runtime.collective import Collective
    from penstock.runtime.mpi.engine import engine
    from penstock.runtime.mpi.world import world

    joined = world()
    assert joined is not None
    over = engine(joined, lambda: ranks_library(user_store()))
    every = tuple(range(joined.ranks))
    described = [
        Collective(i, "all_reduce", every, (n // 4,), (n // 4, n // 4), "f32", "sum")
        for i, n in enumerate(SIZES)
    ]
    exchange = over.exchange(described, "benchmark")
    kind = ctypes.CFUNCTYPE(
        ctypes.c_int32, *[ctypes.c_void_p, ctypes.c_int32], *[ctypes.c_void_p] * 2
    )
    function = kind(exchange.function)
    for number, size in enumerate(SIZES):
        source, target = np.ones(size // 4, np.float32), np.empty(size // 4, np.float32)
        steps = max(5, min(500, (32 << 20) // size))
        addresses = source.ctypes.data, target.ctypes.data
        ours = timed(lambda: function(exchange.state, number, *addresses), steps)  # noqa: B023
        assert (target == joined.ranks).all()
        theirs = timed(lambda: joined.mpi.COMM_WORLD.Allreduce(source, target), steps)  # noqa: B023
        if joined.rank == 0:
            tell(bytes=size, ours=1e6 * ours, theirs=1e6 * theirs)


def tell(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)


# -- starting ranks ------------------------------------------------------------------------------

ONE_THREAD = dict.fromkeys(
    ("PENSTOCK_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
)


def start_ours(words: list[str], ranks: int) -> list[dict[str, Any]]:
    """What rank 0 of a run tells."""
    launcher = ["-m", "penstock.tools.cli", "run", "--ranks", str(ranks)] if ranks > 1 else []
    command = [sys.executable, *launcher, str(Path(__file__)), *words]
    run = subprocess.run(
        command, env=os.environ | ONE_THREAD, stdout=subprocess.PIPE, text=True, check=True
    )
    return [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]


def start_torch(words: list[str], ranks: int) -> list[dict[str, Any]]:
    cores = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        variables = os.environ | ONE_THREAD | {"GLOO_SOCKET_IFNAME": "lo"}
        started = []
        for rank in range(ranks):
            share = cores[rank * len(cores) // ranks : (rank + 1) * len(cores) // ranks] or cores
            command = [
                "taskset", "-c", ",".join(map(str, share)), sys.executable, str(Path(__file__)),
                *words, "--rank", str(rank), "--meeting", f"{folder}/meeting",
            ]  # fmt: skip
            out = subprocess.PIPE if rank == 0 else subprocess.DEVNULL
            started.append(subprocess.Popen(command, env=variables, stdout=out, text=True))
        printed, _ = started[0].communicate()
        codes = [one.wait() for one in started]
    if any(codes):
        raise SystemExit(f"torch ended with {codes}")
    return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]


def compare(counts: list[int], models: list[str], rounds: int, steps: int) -> None:
    peers: dict[str, Callable[[list[str], int], list[dict[str, Any]]]] = {"penstock": start_ours}
    if find_spec("torch") is not None:
        peers["torch DDP, gloo"] = start_torch
    print("| model | ranks | peer | ms a step | samples/s | to one rank | hidden | MB sent |")
    print("|---|---|---|---|---|---|---|---|")
    for model in models:
        found: dict[tuple[int, str], list[dict[str, Any]]] = {}
        for _ in range(rounds):
            for ranks in counts:
                for peer, start in peers.items():
                    kind = "ours" if start is start_ours else "torch"
                    words = ["--child", kind, "--models", model]
                    words += ["--ranks", str(ranks), "--steps", str(steps)]
                    found.setdefault((ranks, peer), []).append(start(words, ranks)[-1])
        alone = {
            peer: min(one["seconds"] for one in found[1, peer]) for peer in peers if 1 in counts
        }
        for (ranks, peer), told in found.items():
            best = min(told, key=lambda one: one["seconds"])
            seconds = best["seconds"]
            scaled = f"{alone[peer] / seconds:.2f}x" if peer in alone else "-"
            hidden = "-" if best.get("hidden") is None else f"{best['hidden']:.0%}"
            sent = f"{best['sent'] / 1e6:.2f}" if "sent" in best else "-"
            print(
                f"| {model} | {ranks} | {peer} | {1e3 * seconds:.2f} | "
                f"{best['samples'] / seconds:.0f} | {scaled} | {hidden} | {sent} |",
                flush=True,
            )


def main() -> None:
    cores = len(os.sched_getaffinity(0))
    usual = ",".join(map(str, sorted({1, max(1, cores // 2), cores})))
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ranks", default=usual, help=f"numbers of ranks ({usual})")
    parser.add_argument("--models", default="mlp,gpt")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each, of which the best (3)")
    parser.add_argument("--steps", type=int, default=20, help="timed steps of a run (20)")
    parser.add_argument("--collectives", action="store_true")
    parser.add_argument("--child", choices=("ours", "torch"), help=argparse.SUPPRESS)
    parser.add_argument("--rank", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--meeting", help=argparse.SUPPRESS)
    options = parser.parse_args()
    counts = [int(word) for word in options.ranks.split(",")]
    if options.child and options.collectives:
        run_collectives()
    elif options.child == "ours":
        run_ours(options.models, counts[0], options.steps)
    elif options.child == "torch":
        run_torch(options.models, options.rank, counts[0], options.steps, options.meeting)
    elif options.collectives:
        print("| ranks | bytes | ours, us | MPI_Allreduce, us |\n|---|---|---|---|")
        for ranks in [count for count in counts if count > 1]:
            for one in start_ours(["--child", "ours", "--collectives"], ranks):
                print(f"| {ranks} | {one['bytes']} | {one['ours']:.1f} | {one['theirs']:.1f} |")
    else:
        compare(counts, options.models.split(","), options.rounds, options.steps)


if __name__ == "__main__":
    main()
