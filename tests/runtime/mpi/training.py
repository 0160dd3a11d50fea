"""A program for ranks: trains a job with split variables, saves it, and loads what it is given.

It takes the number of ranks, the folder to save to, and perhaps the one to load from; in a process
of its own all ranks run in lock step.
"""

import sys

import numpy as np

import penstock as flow
import penstock.typing as tp
from penstock.runtime.mpi.launched import launch

ranks, folder, *others = sys.argv[1:]
flow.config.cpu_device_num(int(ranks))
random = flow.random_uniform_initializer(-1, 1)


def variable(name, shape, axis):
    return flow.get_variable(
        name, shape, initializer=random, distribute=flow.distribute.split(axis)
    )


@flow.global_function(type="train")
def train(x: tp.Numpy.Placeholder((6, 4))) -> tp.Numpy:
    with flow.scope.placement("cpu", f"0:0-{int(ranks) - 1}"):
        hidden = flow.nn.relu(flow.matmul(x, variable("w", (4, 5), 1)))
        bias = flow.get_variable("b", (3,), initializer=random)
        loss = flow.math.reduce_mean(
            flow.math.square(flow.matmul(hidden, variable("v", (5, 3), 0)) + bias)
        )
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate, momentum=0.9).minimize(loss)
        return loss


@flow.global_function()
def read() -> tp.Numpy:
    return flow.get_variable("w", (4, 5), initializer=random)


def shown(losses):
    values = {name: v.numpy() for name, v in flow.get_all_variables().items()}
    flow.checkpoint.save(folder) if not others else None
    assert np.array_equal(read(), values["w"])
    sums = {name: float(value.sum(dtype=np.float64)) for name, value in sorted(values.items())}
    return [loss.tobytes().hex() for loss in losses], sums


x = np.random.default_rng(1).integers(-4, 5, (6, 4)).astype(np.float32)
if others:
    flow.load_variables(flow.checkpoint.get(others[0]))
    print(*shown([]))
else:
    losses = [train(x) for _ in range(2)]
    first = flow.get_all_variables()["w"].numpy()
    flow.load_variables({"w": first})  # sets the whole, so parts are read from it again
    losses.append(train(x))
    flow.checkpoint.save(folder + "-early")
    if launch() is None or launch().rank == 0:
        print(*shown(losses))
    else:
        shown(losses)
