"""One op of your own, in one class: used in a job, learned through, tested, shown.

Run it as it is, or compile its job ahead of time: penstock compile examples/own_op.py
"""

from typing import Annotated

import numpy as np

import penstock as flow
import penstock.typing as tp
from penstock.ir import scalars
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.elementwise import FloatUnary


class Softsign(FloatUnary):
    """A squashing function: y = x / (1 + |x|).

    Shapes: y has the shape of x. Elements: floats. Source: Bergstra et al., "Quadratic polynomials
    learn better image features", 2009.

    >>> from penstock.ir.dialects.flow import evaluate
    >>> evaluate("mine.softsign", [-1.0, 0.0, 3.0])
    array([-0.5 ,  0.  ,  0.75], dtype=float32)
    """

    name = "mine.softsign"
    formula = staticmethod(lambda x: x / (1 + np.abs(x)))

    def scalar(self, b: Builder, x: Value) -> Value:
        """The element of y from that of x: the kernel."""
        one = scalars.constant(b, 1, x.type)
        return scalars.div(b, x, scalars.add(b, one, scalars.absolute(b, x)))

    def derivative(self, b: Builder) -> Value:
        """dy/dx = (1 - |y|) squared, in tensor ops."""
        rest = make.subtract(b, 1, make.unary(b, "abs", self.y))
        return make.unary(b, "square", rest)


Rows = Annotated[flow.Blob, tp.Numpy.Placeholder((4, 3))]
Result = Annotated[flow.Blob, tp.Numpy]


@flow.global_function(type="train")
def train_job(x: Rows) -> Result:
    weight = flow.get_variable("weight", (3,), initializer=flow.constant_initializer(0.5))
    y: flow.Blob = flow.call_op(Softsign, x * weight, name="squashed")
    rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
    flow.optimizer.SGD(rate, momentum=0).minimize(flow.math.square(y - 0.25))
    return y


@flow.global_function()
def predict_job(x: Rows) -> Result:
    y: flow.Blob = flow.call_op("mine.softsign", x)
    return y


if __name__ == "__main__":
    from penstock.testing import check

    x = np.linspace(-2, 2, 12, dtype=np.float32).reshape(4, 3)
    print("before and after a step:", *(train_job(x)[0].round(3) for _ in range(2)))
    counts = check(Softsign)
    print(f"{len(counts)} checks tried {sum(counts.values())} calls, gradients and signatures")
    text = predict_job.lower().ptx()
    print("PTX:", next(line for line in text.splitlines() if ".entry" in line))
