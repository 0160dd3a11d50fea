"""Training on ranks of one machine, beside PyTorch's DDP with gloo in the same run.

    python benchmarks/ranks.py                    as many ranks as cores, half as many, and one
    python benchmarks/ranks.py --ranks 1,2,4 --models mlp --rounds 5
    python benchmarks/ranks.py --ranks 2 --unpinned    any rank may use any core
    python benchmarks/ranks.py --collectives      all-reduce of ours beside that of the MPI library

All peers train the same network from the same values on the same batch, whose size doesn't depend
on the number of ranks, and their losses must agree. Of ours, `chosen` has the plan that costs
least, and `data parallel` what DDP does: a part of the batch on each rank, and all variables. The
rest is chosen there, too. Where an activation of the batch is smaller than the gradient of a
weight, ranks gather that instead, each computes a part of the gradient and of the new weight, and
they gather the weight: on 2 ranks, the MLP sends 14.17 MB in a step, and summed gradients would be
16.79 MB. Each rank computes on one thread, so half as many ranks as cores leave a core to each
rank's communication.

A round starts each peer once, in turn; the table has medians of all rounds with the least and the
greatest, and `to DDP` is the median of the rounds' ratios of throughput. `CPU` is the time that
rank 0 keeps cores busy in a step, waits included. `hidden` is the share of the time of deferred
collectives for which no step waited; without a core for their thread, steps may wait for longer
than they take, which is 0. `sent` are the bytes that a rank sends to others in a step.
Without torch its rows are left out. Let nothing else run meanwhile.
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
from time import perf_counter, process_time
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

import penstock as flow
import penstock.typing as tp
from penstock.tools.launch.mpiexec import mpiexec, share

MLP = {"batch": 512, "width": 1024, "layers": 4}
GPT = {"batch": 16, "tokens": 64, "width": 256, "heads": 4, "layers": 2, "words": 1024}
WARM = 3
SIZES = (4, 4096, 65536, 1 << 20, 16 << 20, 64 << 20)
"""Bytes of the all-reduces that are measured."""


START = flow.random_normal_initializer(stddev=0.03)
"""What layers are declared with; all peers then get the values of `drawn`."""


class Hints(NamedTuple):
    """How our jobs are shared: nothing is said if `data` is False."""

    data: bool

    def batch(self, x: Any) -> Any:
        return x.with_distribute(flow.distribute.split(0)) if self.data else x

    @property
    def variable(self) -> Any:
        return flow.distribute.broadcast() if self.data else None


def drawn(name: str, shape: tuple[int, ...]) -> Any:
    """The first value of a weight."""
    random = np.random.default_rng(crc32(name.encode()))
    return random.standard_normal(shape, np.float32) * np.float32(0.03)


def mlp_data() -> tuple[Any, Any]:
    shape = MLP["batch"], MLP["width"]
    x, t = (np.random.default_rng(i).standard_normal(shape, np.float32) for i in range(2))
    return x, t


def gpt_data() -> tuple[Any, Any]:
    random = np.random.default_rng(0)
    shape = GPT["batch"], GPT["tokens"]
    ids, labels = (random.integers(0, GPT["words"], shape).astype(np.int32) for _ in range(2))
    return ids, labels


DATA = {"mlp": mlp_data, "gpt": gpt_data}
SAMPLES = {"mlp": MLP["batch"], "gpt": GPT["batch"]}


def ours_mlp(ranks: int, hints: Hints) -> Callable[..., Any]:
    """A step of our job, given a batch."""
    flow.config.cpu_device_num(ranks)
    shape = MLP["batch"], MLP["width"]

    @flow.global_function(type="train")
    def step(x: tp.Numpy.Placeholder(shape), t: tp.Numpy.Placeholder(shape)) -> tp.Numpy:
        y = hints.batch(x)
        for layer in range(MLP["layers"]):
            last = layer == MLP["layers"] - 1
            y = flow.layers.dense(
                y, MLP["width"], activation=None if last else flow.nn.relu,
                kernel_initializer=START, model_distribute=hints.variable, name=f"fc{layer}",
            )  # fmt: skip
        loss = flow.math.reduce_mean(flow.math.square(y - t))
        flow.optimizer.SGD(constant(0.01), momentum=0.9).minimize(loss)
        return loss

    return step


def constant(rate: float) -> Any:
    return flow.optimizer.PiecewiseConstantScheduler([], [rate])


def ours_gpt(ranks: int, hints: Hints) -> Callable[..., Any]:
    flow.config.cpu_device_num(ranks)
    batch, tokens, width, heads = (GPT[word] for word in ("batch", "tokens", "width", "heads"))

    def dense(x: Any, units: int, name: str, activation: Any = None) -> Any:
        return flow.layers.dense(
            x, units, activation=activation, kernel_initializer=START,
            model_distribute=hints.variable, name=name,
        )  # fmt: skip

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
        labels: tp.Numpy.Placeholder((batch, tokens), dtype=flow.int32),
    ) -> tp.Numpy:
        table = flow.get_variable(
            "words-weight", (GPT["words"], width), initializer=START,
            distribute=hints.variable,
        )  # fmt: skip
        x = flow.reshape(flow.gather(table, hints.batch(ids)), (batch * tokens, width))
        for i in range(GPT["layers"]):
            x = x + attention(flow.layers.layer_norm(x, name=f"norm{i}"), f"layer{i}")
            y = flow.layers.layer_norm(x, name=f"norm{i}b")
            x = x + dense(dense(y, 4 * width, f"up{i}", flow.math.gelu), width, f"down{i}")
        logits = dense(flow.layers.layer_norm(x, name="norm"), GPT["words"], "logits")
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
            flow.reshape(labels, (batch * tokens,)), logits
        )
        flow.optimizer.SGD(constant(0.01), momentum=0.9).minimize(loss)
        return loss

    return step


def torch_mlp(torch: Any) -> tuple[Any, dict[str, tuple[str, ...]], Any]:
    """A module, the names of ours for each of its weights, and the loss."""
    nn = torch.nn
    layers: list[Any] = []
    for _ in range(MLP["layers"]):
        layers += [nn.Linear(MLP["width"], MLP["width"]), nn.ReLU()]
    names = {f"{2 * layer}.weight": (f"fc{layer}-weight",) for layer in range(MLP["layers"])}
    return nn.Sequential(*layers[:-1]), names, nn.MSELoss()


def torch_gpt(torch: Any) -> tuple[Any, dict[str, tuple[str, ...]], Any]:
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

    names: dict[str, tuple[str, ...]] = {
        "table.weight": ("words-weight",), "logits.weight": ("logits-weight",)
    }  # fmt: skip
    for i in range(GPT["layers"]):
        names[f"layers.{i}.qkv.weight"] = tuple(f"layer{i}-{part}-weight" for part in "qkv")
        names[f"layers.{i}.out.weight"] = (f"layer{i}-out-weight",)
        names[f"layers.{i}.up.weight"] = (f"up{i}-weight",)
        names[f"layers.{i}.down.weight"] = (f"down{i}-weight",)
    loss = nn.CrossEntropyLoss()
    return Model(), names, lambda logits, labels: loss(logits, labels.flatten().long())


MODELS = {"mlp": (ours_mlp, torch_mlp), "gpt": (ours_gpt, torch_gpt)}


# -- what a rank runs ----------------------------------------------------------------------------


def timed(step: Callable[[], Any], steps: int) -> tuple[float, float]:
    """The median of the seconds that steps take, and the mean of their processor time."""
    for _ in range(WARM):
        step()
    seconds = []
    busy = process_time()
    for _ in range(steps):
        start = perf_counter()
        step()
        seconds.append(perf_counter() - start)
    return median(seconds), (process_time() - busy) / steps


def run_ours(model: str, ranks: int, steps: int, hints: Hints) -> None:
    from penstock.runtime.mpi.engine import engine
    from penstock.runtime.mpi.world import world

    call, batch = MODELS[model][0](ranks, hints), DATA[model]()
    weights = {
        name: drawn(name, variable.shape)
        for name, variable in flow.get_all_variables().items()
        if name.endswith("-weight")
    }
    flow.load_variables(weights)
    losses = [float(np.mean(call(*batch)))]

    def step() -> None:
        losses[1:] = [call(*batch)]

    joined = world()
    if joined is None:
        seconds, busy = timed(step, steps)
        tell(seconds=seconds, busy=busy, losses=[losses[0], float(np.mean(losses[1]))])
        return
    over = engine(joined, bytes)  # there since the first step
    before, spent = over.sent, over.overlap
    seconds, busy = timed(step, steps)
    deferred, waited = (b - a for a, b in zip(spent, over.overlap, strict=True))
    if joined.rank == 0:
        tell(
            seconds=seconds, busy=busy, losses=[losses[0], float(np.mean(losses[1]))],
            sent=(over.sent - before) / (steps + WARM),
            hidden=max(0.0, 1 - waited / deferred) if deferred else None,
        )  # fmt: skip


def run_torch(model: str, rank: int, ranks: int, steps: int, meeting: str) -> None:
    import torch
    import torch.distributed as dist

    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=ranks)
    module, names, loss = MODELS[model][1](torch)
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            if name in names:
                parts = len(names[name])
                shape = parameter.shape[0] // parts, parameter.shape[1]
                whole = np.concatenate([drawn(one, shape) for one in names[name]])
                parameter.copy_(torch.from_numpy(whole))
            elif name.endswith("bias"):
                parameter.zero_()
    shared = torch.nn.parallel.DistributedDataParallel(module) if ranks > 1 else module
    update = torch.optim.SGD(module.parameters(), lr=0.01, momentum=0.9)
    each = SAMPLES[model] // ranks
    own_batch = slice(rank * each, (rank + 1) * each)
    x, t = (torch.from_numpy(array[own_batch].copy()) for array in DATA[model]())

    def step() -> Any:
        update.zero_grad()
        found = loss(shared(x), t)
        found.backward()
        update.step()
        return found.detach()

    def mean(found: Any) -> float:
        dist.all_reduce(found)
        return float(found) / ranks

    losses = [mean(step())]

    def keep() -> None:
        losses[1:] = [step()]

    seconds, busy = timed(keep, steps)
    losses[1] = mean(losses[1])
    if rank == 0:
        tell(seconds=seconds, busy=busy, losses=losses)
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
        ours, _ = timed(lambda: function(exchange.state, number, *addresses), steps)  # noqa: B023
        assert (target == joined.ranks).all()
        theirs, _ = timed(lambda: joined.mpi.COMM_WORLD.Allreduce(source, target), steps)  # noqa: B023
        if joined.rank == 0:
            tell(bytes=size, ours=1e6 * ours, theirs=1e6 * theirs)


def tell(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)


# -- starting ranks ------------------------------------------------------------------------------

ONE_THREAD = dict.fromkeys(
    ("PENSTOCK_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
)


def start_ours(words: list[str], ranks: int, pinned: bool) -> list[dict[str, Any]]:
    """What rank 0 of a run tells."""
    launcher = []
    if ranks > 1 and pinned:
        launcher = [sys.executable, "-m", "penstock.tools.cli", "run", "--ranks", str(ranks)]
    elif ranks > 1:
        # A rank whose core nobody chose has those of the machine.
        launcher = [mpiexec(), "-n", str(ranks), sys.executable, "-m", "penstock.tools.launch"]
    command = [*(launcher or [sys.executable]), str(Path(__file__)), *words]
    run = subprocess.run(
        command, env=os.environ | ONE_THREAD, stdout=subprocess.PIPE, text=True, check=True
    )
    return [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]


def start_torch(words: list[str], ranks: int, pinned: bool) -> list[dict[str, Any]]:
    cores = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        variables = os.environ | ONE_THREAD | {"GLOO_SOCKET_IFNAME": "lo"}
        started = []
        for rank in range(ranks):
            own = share(cores, rank, ranks) if pinned and ranks > 1 else cores
            command = [
                "taskset", "-c", ",".join(map(str, own)), sys.executable, str(Path(__file__)),
                *words, "--rank", str(rank), "--meeting", f"{folder}/meeting",
            ]  # fmt: skip
            out = subprocess.PIPE if rank == 0 else subprocess.DEVNULL
            started.append(subprocess.Popen(command, env=variables, stdout=out, text=True))
        printed, _ = started[0].communicate()
        codes = [one.wait() for one in started]
    if any(codes):
        raise SystemExit(f"torch ended with {codes}")
    return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]


DDP = "torch DDP, gloo"
PEERS = {
    "penstock, chosen": (start_ours, "ours"),
    "penstock, data parallel": (start_ours, "data"),
    DDP: (start_torch, "torch"),
}
CLOSE = 1e-3
"""The relative difference of losses up to which peers compute the same."""


def compare(counts: list[int], models: list[str], rounds: int, steps: int, pinned: bool) -> None:
    peers = [peer for peer in PEERS if peer != DDP or find_spec("torch") is not None]
    print(f"load before: {loads()}\n", flush=True)
    print(
        "| model | ranks | peer | ms a step | samples/s | to one rank | to DDP | CPU ms | hidden "
        "| MB sent | losses |"
    )
    print("|" + "---|" * 11)
    for model in models:
        found: dict[tuple[int, str], list[dict[str, Any]]] = {}
        for number in range(rounds):
            for ranks in counts:
                able = [one for one in peers if ranks > 1 or "data" not in one]
                for peer in able if number % 2 == 0 else reversed(able):
                    start, kind = PEERS[peer]
                    words = ["--child", kind, "--models", model]
                    words += ["--ranks", str(ranks), "--steps", str(steps)]
                    told = start(words, ranks, pinned)[-1]
                    found.setdefault((ranks, peer), []).append(told)
        expected = found[counts[0], peers[0]][0]["losses"]
        for ranks, peer in sorted(found, key=lambda key: (key[0], peers.index(key[1]))):
            told = found[ranks, peer]
            alone = found.get((1, peers[0] if "data" in peer else peer), [])
            print(row(model, ranks, peer, told, alone, found.get((ranks, DDP), [])), flush=True)
            for one in told:
                if not np.allclose(one["losses"], expected, rtol=CLOSE):
                    raise SystemExit(f"{peer}: losses are {one['losses']}, expected {expected}")
    print(f"\nload after: {loads()}")


Told = list[dict[str, Any]]


def row(model: str, ranks: int, peer: str, told: Told, alone: Told, torch: Told) -> str:
    """A line of the table; `alone` and `torch` are of the same rounds."""
    seconds = [one["seconds"] for one in told]

    def faster(than: Told) -> str:
        if not than:
            return "-"
        ratios = [b["seconds"] / a for a, b in zip(seconds, than, strict=True)]
        return f"{median(ratios):.2f}x ({min(ratios):.2f}-{max(ratios):.2f})"

    def each(fact: str, text: str, scale: float = 1.0) -> str:
        values = [one[fact] for one in told if one.get(fact) is not None]
        return text.format(scale * median(values)) if values else "-"

    spread = f"{1e3 * median(seconds):.1f} ({1e3 * min(seconds):.1f}-{1e3 * max(seconds):.1f})"
    first, last = told[0]["losses"]
    words = (
        model, str(ranks), peer, spread, f"{SAMPLES[model] / median(seconds):.0f}",
        faster(alone) if ranks > 1 else "-", "-" if peer == DDP else faster(torch),
        each("busy", "{:.1f}", 1e3), each("hidden", "{:.0%}"), each("sent", "{:.2f}", 1e-6),
        f"{first:.5f}, {last:.5f}",
    )  # fmt: skip
    return "| " + " | ".join(words) + " |"


def loads() -> str:
    return " ".join(f"{load:.2f}" for load in os.getloadavg())


def main() -> None:
    cores = len(os.sched_getaffinity(0))
    usual = ",".join(map(str, sorted({1, max(1, cores // 2), cores})))
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ranks", default=usual, help=f"numbers of ranks ({usual})")
    parser.add_argument("--models", default="mlp,gpt")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each (3)")
    parser.add_argument("--steps", type=int, default=20, help="timed steps of a run (20)")
    parser.add_argument("--unpinned", action="store_true", help="let ranks use all cores")
    parser.add_argument("--collectives", action="store_true")
    parser.add_argument("--child", choices=("ours", "data", "torch"), help=argparse.SUPPRESS)
    parser.add_argument("--rank", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--meeting", help=argparse.SUPPRESS)
    options = parser.parse_args()
    counts = [int(word) for word in options.ranks.split(",")]
    if options.child and options.collectives:
        run_collectives()
    elif options.child in ("ours", "data"):
        run_ours(options.models, counts[0], options.steps, Hints(options.child == "data"))
    elif options.child == "torch":
        run_torch(options.models, options.rank, counts[0], options.steps, options.meeting)
    elif options.collectives:
        print("| ranks | bytes | ours, us | MPI_Allreduce, us |\n|---|---|---|---|")
        for ranks in [count for count in counts if count > 1]:
            for one in start_ours(["--child", "ours", "--collectives"], ranks, pinned=True):
                print(f"| {ranks} | {one['bytes']} | {one['ours']:.1f} | {one['theirs']:.1f} |")
    else:
        pinned = not options.unpinned
        compare(counts, options.models.split(","), options.rounds, options.steps, pinned)


if __name__ == "__main__":
    main()
