"""A program for ranks whose solvers draw plans, each rank other ones, with hashes of its own.

It trains on arrays of 4 and 2 samples, and a second job on parts of a batch of 5; rank 0 prints.
"""

import os
import sys

import numpy as np

import penstock as flow
import penstock.typing as tp
from penstock.passes.sharding.choose import Choose
from penstock.runtime.mpi.launched import launch

found = launch()
rank = 0 if found is None else found.rank
if os.environ.get("PYTHONHASHSEED") != str(rank + 1):
    # Python reads it when it starts.
    os.environ["PYTHONHASHSEED"] = str(rank + 1)
    os.execv(sys.executable, [sys.executable, *sys.argv])

flow.config.cpu_device_num(2)
numbers = np.random.default_rng(rank)


def drawn(self, module, problem):
    instance = problem.instance()
    choice = [int(numbers.integers(len(options))) for options in instance.options]
    return instance, choice, {"solver": "greedy"}


Choose._chosen = drawn
start = flow.random_normal_initializer(0.0, 0.5)
rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
config = flow.function_config()
config.default_logical_view(flow.scope.mirrored_view())


@flow.global_function(type="train", function_config=config)
def mirrored(x: tp.ListNumpy.Placeholder((4, 3))) -> tp.ListNumpy:
    y = flow.layers.dense(x, 2, name="one", kernel_initializer=start)
    loss = flow.math.reduce_mean(flow.math.square(y))
    flow.optimizer.SGD(rate, momentum=0.9).minimize(loss)
    return loss


@flow.global_function(type="train")
def mapped(x: tp.Numpy.Placeholder((5, 3))) -> tp.Numpy:
    y = flow.layers.dense(x, 4, name="two", kernel_initializer=start)
    y = flow.advanced.distribute_map(y, lambda part: flow.math.tanh(part))
    flow.optimizer.SGD(rate, momentum=0.9).minimize(y)
    return y


draw = np.random.default_rng(7)
xs = [draw.integers(-4, 5, (size, 3)).astype(np.float32) for size in (4, 2, 5)]
made = [[part.tolist() for part in mirrored(xs[:2])] for _ in range(2)]
made.append([mapped(xs[2]).tolist() for _ in range(2)])
if rank == 0:
    print(made)
