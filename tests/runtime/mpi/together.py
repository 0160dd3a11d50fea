"""A program for ranks that prints what a graph, a job from text and large variables come to.

It takes the number of ranks; in a process of its own all ranks run in lock step.
"""

import sys

import numpy as np

import penstock as flow
import penstock.typing as tp
from penstock import nn
from penstock.passes.sharding.choose import Choose

flow.config.cpu_device_num(int(sys.argv[1]))
rank = flow.env.get_rank()
if rank:
    # The plan is that of rank 0, so others never solve.
    Choose.run = None  # type: ignore[assignment]


def memory(what: str) -> int:
    """Bytes of this process: RssAnon, which are no file's, or VmHWM, the most so far."""
    with open("/proc/self/status") as file:
        line = next(line for line in file if line.startswith(what))
    return 1024 * int(line.split()[1])


cpu, sbp = flow.placement("cpu", list(range(int(sys.argv[1])))), flow.sbp
flow.manual_seed(0)
net = nn.Linear(4, 6).to_global(placement=cpu, sbp=sbp.broadcast)
net.weight = nn.Parameter(net.weight.to_global(sbp=sbp.split(0)))
optimizer = flow.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)


class Graph(nn.Graph):
    def __init__(self) -> None:
        super().__init__()
        self.net = net
        self.add_optimizer(optimizer)

    def build(self, x):
        loss = net(x).tanh().sum()
        loss.backward()
        return loss


graph = Graph()
x = flow.ones(8, 4, placement=cpu, sbp=sbp.split(0))
for step in range(3):
    loss = graph(x).numpy()
    print("graph", loss.tobytes().hex(), net.weight.numpy().tobytes().hex(), flush=True)
    if step == 1:
        with flow.no_grad():
            net.weight.mul_(0.5)


@flow.global_function()
def product(x: tp.Numpy.Placeholder((6, 4)), y: tp.Numpy.Placeholder((4, 5))) -> tp.Numpy:
    return flow.matmul(x.with_distribute(flow.distribute.split(1)), y)


a, b = np.arange(24, dtype=np.float32).reshape(6, 4), np.ones((4, 5), np.float32)
print("text", flow.compile(product.trace().as_text("job"))(a, b).tolist(), flush=True)

shapes = []


def largest_first(x):
    shapes.append(x.shape)
    return np.sort(x, axis=0)[::-1].copy()


@flow.global_function()
def calling(x: tp.Numpy.Placeholder((5, 3))) -> tp.Numpy:
    y = flow.math.tanh(x.with_distribute(flow.distribute.split(0)))
    return flow.callout(largest_first, y) * 2.0


c = np.arange(15, dtype=np.float32).reshape(5, 3) / 15
print("callout", calling(c).tobytes().hex(), set(shapes), flush=True)

EXTENT = 2048


@flow.global_function(type="train")
def large(x: tp.Numpy.Placeholder((2, EXTENT))) -> tp.Numpy:
    start = flow.random_uniform_initializer(-0.01, 0.01)
    split = flow.distribute.split(0)
    weight = flow.get_variable("large", (EXTENT, EXTENT), initializer=start, distribute=split)
    loss = flow.math.reduce_mean(flow.matmul(x, weight))
    flow.optimizer.Adam(flow.optimizer.PiecewiseConstantScheduler([], [0.001])).minimize(loss)
    return loss


x = np.ones((2, EXTENT), np.float32)
large.compile()
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # VmHWM begins anew
before, most = memory("RssAnon"), memory("VmHWM")
for _ in range(2):
    large(x)
taken, whole = memory("RssAnon") - before, 3 * 4 * EXTENT**2
most = memory("VmHWM") - most
values = {name: v.numpy() for name, v in flow.get_all_variables().items()}
print("large", float(values["large"].sum(dtype=np.float64)), flush=True)
print("taken", taken / whole, most / whole, flush=True)
