"""Runs jobs whose ops are on groups of ranks; prints what they compute.

The words of the command line are the number of ranks and a folder for a checkpoint. In a process
of its own it prints the same.
"""

import sys
from hashlib import sha256
from itertools import product
from typing import Any

import numpy as np

import penstock as flow
import penstock.typing as tp
from penstock.runtime.mpi.launched import launch

RANKS, FOLDER = int(sys.argv[1]), sys.argv[2]
PAIRS = {2: [("0:0", "0:1")], 4: [("0:0-1", "0:2-3"), ("0:3", "0:0-2"), ("0:1-3", "0:0-1")]}
STATES: dict[str, Any] = {
    "S(0)": flow.distribute.split(0),
    "S(1)": flow.distribute.split(1),
    "B": flow.distribute.broadcast(),
}
X = np.random.default_rng(0).integers(-4, 5, (7, 5)).astype(np.float32)


def converted(first: str, second: str) -> bool:
    """Whether each state of one group reaches each state of the other."""

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(X.shape)) -> tp.Numpy:
        found = []
        for before, after in product([*STATES, "P"], STATES):
            with flow.scope.placement("cpu", first):
                if before == "P":
                    left = flow.identity(x).with_distribute(flow.distribute.split(1))
                    y = flow.matmul(left, x, transpose_b=True)
                else:
                    y = flow.math.negative(x).with_distribute(STATES[before])
            with flow.scope.placement("cpu", second):
                y = flow.math.square(y).with_distribute(STATES[after])
                found.append(flow.math.reduce_sum(y * (len(found) + 1.0)))
        return flow.stack(found)

    wanted = [(X**2).sum() if n < 9 else ((X @ X.T) ** 2).sum() for n in range(12)]
    made = job(X)
    return made.ravel().tolist() == [float(total) * (n + 1) for n, total in enumerate(wanted)]


def trained(first: str, second: str) -> str:
    """A digest of what a job learns that trains a layer on each group."""

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((7, 5))) -> tp.Numpy:
        start = flow.random_normal_initializer(stddev=0.5, seed=1)
        with flow.scope.placement("cpu", first):
            h = flow.layers.dense(x, 8, flow.math.tanh, kernel_initializer=start, name="a")
            h = flow.nn.dropout(h, 0.1, seed=3)
        with flow.scope.placement("cpu", second):
            loss = flow.math.square(flow.layers.dense(h, 3, kernel_initializer=start, name="b"))
        flow.optimizer.SGD(lr=0.1, momentum=0.9).minimize(loss)
        return loss

    losses = [train(X).tobytes() for _ in range(3)]
    variables = flow.get_all_variables()
    values = [variables[name].numpy().tobytes() for name in sorted(variables)]
    return sha256(b"".join([*losses, *values])).hexdigest()


lines = []
for pair in PAIRS[RANKS]:
    flow.config.cpu_device_num(RANKS)
    lines.append(f"{pair}: {converted(*pair)}, {trained(*pair)}")
    flow.checkpoint.save(f"{FOLDER}{len(lines)}")
    flow.clear_default_session()
run = launch()
if run is None or run.rank == 0:
    print("\n".join(lines))
