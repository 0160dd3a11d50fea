"""Call-outs: functions of the program that a compiled job calls in the middle of a step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGERS, STRING
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.flow.base import STORED, Array, Gradients, Input, Sample, TensorOp, tensor
from penstock.ir.opdef import attribute, operands, results
from penstock.ir.types import Type


class OutsideCall(Operation):
    """Base of ops that hand buffers to a function outside of the compiled job: ys = f(xs).

    At `loops` it is a call of a declared function, `symbol` and a number, with the buffers of the
    operands and the results. The declaration's attribute `key` says what the runtime must know.
    """

    properties = False

    symbol: ClassVar[str]
    key: ClassVar[str]
    """Empty: nothing."""
    keeps_variables: ClassVar[bool] = False
    """Whether it must come before all updates: where it fails, no variable has changed."""
    between_devices: ClassVar[bool] = False
    """Whether it is an end of a copy between devices, and no function of the program."""

    @property
    def awaited(self) -> Operation | None:
        """The op whose number its function has, if that is not one of its own."""
        return None

    def described(self) -> dict[str, Any]:
        """What the runtime must know of it, besides its number."""
        raise NotImplementedError


class Callout(OutsideCall):
    """Call a function of the program on the operands, at this point of each step: ys = f(xs).

        %y = "job.callout"(%x) {name = "scale"} : (tensor<3xf32>) -> tensor<3xf32>

    Shapes and elements: any tensors; the function must return arrays of exactly the types of the
    results. It has an effect: no pass removes, repeats or reorders it relative to other effects. A
    step ends where the function fails, and has then changed no variable. `missing` lists parameters
    of the function that get None. It has no gradient: `job.custom_gradient` gives it one.
    """

    name = "job.callout"
    xs = operands(TENSOR)
    ys = results(TENSOR)
    label = attribute(STRING, key="name")
    missing = attribute(INTEGERS, optional=True)

    symbol = "penstock_callout_"
    key = "job.callout"
    keeps_variables = True
    stops_gradients: ClassVar[bool] = False

    def described(self) -> dict[str, Any]:
        found: dict[str, Any] = {"name": self.label, "operands": len(self.operands)}
        return found | ({"missing": list(self.missing)} if self.missing else {})

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        """Fail: nothing is known of the function."""
        self.fail(
            f"the gradient of call-out {self.label!r} is needed, and it has none; state it with "
            "backward=, or stop gradients with flow.stop_gradient"
        )


class PureCallout(Callout):
    """A call-out whose function has no effect, and whose results depend on the operands alone.

        %y = "job.pure_callout"(%x) {name = "scale"} : (tensor<3xf32>) -> tensor<3xf32>

    Shapes and elements: as of `job.callout`. One that nothing uses is removed, and equal ones are
    called once.
    """

    name = "job.pure_callout"
    pure = True

    def verify(self) -> None:
        if not self.results:
            self.fail(f"call-out {self.label!r} is pure and has no results: expected some")


class GradientCallout(TensorOp):
    """The values themselves, whose gradients are replaced by a call-out: ys = xs.

        %y = "job.gradient_callout"(%x) {name = "clip"}

    Shapes: each y has the shape of its x. Elements: any. `grad` passes the gradients of ys to a
    `job.callout` of that name, whose results are the gradients of xs. Values without a gradient are
    `missing` there. Source: backward hooks, `torch.Tensor.register_hook`.

    >>> evaluate("job.gradient_callout", [1.5, 2.0], label="clip")
    array([1.5, 2. ], dtype=float32)
    """

    name = "job.gradient_callout"
    elements = STORED
    moves = True
    xs = operands(TENSOR)
    label = attribute(STRING, key="name")
    ys = results(TENSOR)
    waived: ClassVar[Mapping[str, str]] = {
        "differences": "its gradient is what a function of the program returns",
        "sbp": "it lowers to its operands, and its gradient is a function of whole tensors",
    }

    def infer(self) -> Sequence[Type]:
        return [value.type for value in self.xs]

    def reference(self, *arrays: Any, **_: Any) -> Sequence[Array]:
        return arrays

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        known = [gradient for gradient in gradients if gradient is not None]
        missing = [i for i, gradient in enumerate(gradients) if gradient is None]
        floats = [x for x in self.xs if ty.is_float(tensor(x).element)]
        made = b.create(Callout, known, types=[x.type for x in floats], label=self.label)
        made.missing = missing or None
        left = iter(made.results)
        return [next(left) if x in floats else None for x in self.xs]

    def lower(self, b: Builder) -> Sequence[Value]:
        return list(self.xs)

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        return [
            *(Sample((Input((3,), e),), {"label": "f"}) for e in STORED),
            *(Sample((Input(shape),), {"label": "f"}) for shape in ((), (0, 2), (2, 3))),
            Sample((Input((2, 3)), Input((2, 3))), {"label": "f"}),
        ]
