"""Watch a value inside a job: relu over five numbers, printed on the way in and on the way out."""

from typing import Annotated

import numpy as np

import penstock as flow
import penstock.typing as tp


def show_input(blob: tp.Numpy) -> None:
    print("in: ", blob)


def show_output(blob: tp.Numpy) -> None:
    print("out:", blob)


@flow.global_function()
def relu_job(x: Annotated[flow.Blob, tp.Numpy.Placeholder((5,), dtype=flow.float)]) -> None:
    y = flow.nn.relu(x)
    flow.watch(x, show_input)
    flow.watch(y, show_output)


if __name__ == "__main__":
    relu_job(np.array([-2, -1, 0, 1, 2], dtype=np.float32))
