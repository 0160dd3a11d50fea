"""A program for 4 ranks that prints what training on a mesh of 2 x 2 comes to."""

import numpy as np

import penstock as flow
import penstock.typing as tp

flow.config.cpu_device_num(4)
split, broadcast = flow.distribute.split, flow.distribute.broadcast
START = flow.random_uniform_initializer(-0.5, 0.5)


@flow.global_function(type="train")
def train(x: tp.Numpy.Placeholder((6, 5)), t: tp.Numpy.Placeholder((6, 4))) -> tp.Numpy:
    with flow.scope.placement("cpu", "0:0-3", (2, 2)):
        first = flow.get_variable(
            "a", (5, 8), initializer=START, distribute=[broadcast(), split(1)]
        )
        second = flow.get_variable(
            "b", (8, 4), initializer=START, distribute=[broadcast(), split(0)]
        )
        hidden = flow.math.tanh(flow.matmul(x.with_distribute([split(0), broadcast()]), first))
        y = flow.matmul(hidden.with_distribute([split(0), split(1)]), second)
    loss = flow.math.square(y - t)
    flow.optimizer.Adam(flow.optimizer.PiecewiseConstantScheduler([], [0.01])).minimize(loss)
    return loss


draw = np.random.default_rng(0)
x, t = (draw.standard_normal(shape).astype(np.float32) for shape in ((6, 5), (6, 4)))
for _ in range(3):
    print("loss", train(x, t).tobytes().hex(), flush=True)
for name, variable in sorted(flow.get_all_variables().items()):
    print("variable", name, variable.numpy().tobytes().hex(), flush=True)
