"""Jobs and calls that type checkers accept."""

from typing import Annotated, Any

import numpy as np

import penstock as flow
import penstock.typing as tp

Array = np.ndarray[Any, np.dtype[Any]]
Rows = Annotated[flow.Blob, tp.Numpy.Placeholder((4, 8))]
Result = Annotated[flow.Blob, tp.Numpy]


def layer(x: flow.Blob) -> flow.Blob:
    w = flow.get_variable("w", (8, 8), initializer=flow.ones_initializer())
    return 1 - flow.relu(flow.matmul(x, w) / 2)


@flow.global_function(type="train")
def train(x: Rows, target: Rows) -> Result:
    loss: flow.Blob = flow.math.square(layer(x) - target)
    flow.optimizer.SGD(flow.optimizer.PiecewiseConstantScheduler([], [0.1]), momentum=0).minimize(
        loss
    )
    return loss


@flow.global_function()
def pair(x: Rows) -> tuple[Result, Result]:
    return x, flow.tanh(x)


@flow.global_function()
def named(x: Rows, *, y: Rows) -> dict[str, Result]:
    return {"x": x, "y": y}


@flow.global_function()
def nothing(x: Rows) -> None:
    flow.watch(x)


@flow.global_function()
def constant() -> list[Result]:
    return [flow.ones((2,))]


@flow.global_function()
def in_list(x: Rows) -> Annotated[Any, tp.ListNumpy]:
    return x


@flow.global_function()
def later(x: Annotated[flow.Blob, tp.ListNumpy.Placeholder((4, 8))]) -> Result:
    return x


@flow.global_function()
def nested(x: tuple[Rows, Rows]) -> Annotated[Any, tp.Bundle[tp.Numpy]]:
    return {"sum": x[0] + x[1]}


class Model:
    @flow.global_function()
    def twice(self, x: Rows) -> Result:
        return x * 2


array = np.ones((4, 8), np.float32)
loss: Array = train(array, array)
loss = train(array, target=array)
loss = train(x=array, target=array)
first, second = pair(array)
total: Array = first + second
by_name: dict[str, Array] = named(x=array, y=array)
nothing(flow.tensor(array))
ones: list[Array] = constant()
(inner,) = in_list(array)
loss = later([array])
added = nested((array, array))["sum"]
loss = Model().twice(array)
text: str = train.compile().as_text("job")
