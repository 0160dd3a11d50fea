"""The numbers that MindSpore's PyNative notebooks print, from programs of our own."""

from typing import Any

import numpy as np
import pytest

import penstock.mindspore as ms
from penstock.mindspore import Parameter, Tensor, context, ms_function, nn, ops

Capture = pytest.CaptureFixture[str]
GRAD = ops.GradOperation(get_all=True)
ONE = "Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])"
TWO = "Tensor(shape=[1], dtype=Float32, value= [ 2.00000000e+00])"
ZERO = "Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])"


def ones(*shape: int) -> Tensor:
    return Tensor(np.ones(shape, np.float32))


def floats(*numbers: float) -> Tensor:
    return Tensor(np.array(numbers, np.float32))


class Rectified(nn.Cell):
    """relu(x + y), whose relu may have hooks."""

    def __init__(self) -> None:
        super().__init__()
        self.relu = nn.ReLU()

    def construct(self, x: Tensor, y: Tensor) -> Any:
        return self.relu(x + y)


def test_ops_functions_and_cells() -> None:
    class Product(nn.Cell):
        def construct(self, x: Tensor, y: Tensor) -> Any:
            return x * y

    x, y = floats(1, 2), floats(3, 5)
    assert str(ops.Add()(x, y).asnumpy()) == "[4. 7.]"
    assert str(ops.add(ops.add(x, y), x)) == "[5. 9.]"
    assert str(Product()(floats(1, 2, 3), floats(4, 5, 6))) == "[ 4. 10. 18.]"


def test_hook_backward_sees_the_gradient(capsys: Capture) -> None:
    hook = ops.HookBackward(lambda gradients: print(gradients))
    found = GRAD(lambda x, y: hook(x * y) * y)(Tensor(1, ms.float32), Tensor(2, ms.float32))
    four = "Tensor(shape=[], dtype=Float32, value= 4)"
    assert str(found) == f"({four}, {four})"
    assert capsys.readouterr().out == "(Tensor(shape=[], dtype=Float32, value= 2),)\n"


def test_forward_pre_hook(capsys: Capture) -> None:
    def show(cell_id: str, inputs: Any) -> Any:
        print(inputs)
        return inputs[0]

    net = Rectified()
    handle = net.relu.register_forward_pre_hook(show)
    assert str(net(ones(1), ones(1))) == "[2.]"
    assert str(GRAD(net)(ones(1), ones(1))) == f"({ONE}, {ONE})"
    assert capsys.readouterr().out == f"({TWO},)\n" * 2
    handle.remove()
    assert str(GRAD(net)(ones(1), ones(1))) == f"({ONE}, {ONE})"
    assert capsys.readouterr().out == ""
    net.relu.register_forward_pre_hook(lambda cell_id, inputs: ones(1))
    assert str(GRAD(net)(ones(1), ones(1))) == f"({ZERO}, {ZERO})"


def test_forward_hook(capsys: Capture) -> None:
    def double(cell_id: str, inputs: Any, outputs: Any) -> Any:
        print(inputs, outputs)
        return outputs + outputs

    net = Rectified()
    handle = net.relu.register_forward_hook(double)
    assert str(GRAD(net)(ones(1), ones(1))) == f"({TWO}, {TWO})"
    assert capsys.readouterr().out == f"({TWO},) [2.]\n"
    handle.remove()
    assert str(GRAD(net)(ones(1), ones(1))) == f"({ONE}, {ONE})"


def test_backward_hook_of_a_batch_norm(capsys: Capture) -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.conv = nn.Conv2d(1, 2, 2, padding=0, weight_init="ones", pad_mode="valid")
            self.bn = nn.BatchNorm2d(2, momentum=0.99, eps=0.00001, gamma_init="ones")
            self.relu = nn.ReLU()

        def construct(self, x: Tensor) -> Any:
            return self.relu(self.bn(self.conv(x)))

    net = Net()
    handle = net.bn.register_backward_hook(lambda cell_id, before, after: print(before, after))
    (found,) = GRAD(net)(ones(1, 1, 2, 2))
    line = "[ 1.99998999e+00,  1.99998999e+00]"
    head = "Tensor(shape=[1, 1, 2, 2], dtype=Float32, value=\n"
    assert repr(found) == f"{head}[[[{line},\n   {line}]]])"
    np.testing.assert_allclose(found.asnumpy(), np.full((1, 1, 2, 2), 1.99998999), rtol=1e-7)
    printed = capsys.readouterr().out
    assert printed.count("1.00000000e+00") == 2
    assert printed.count("9.99994993e-01") == 2
    handle.remove()
    np.testing.assert_array_equal(GRAD(net)(ones(1, 1, 2, 2))[0].asnumpy(), found.asnumpy())
    assert capsys.readouterr().out == ""


def test_the_backward_hook_sees_the_cell_without_its_forward_hooks(capsys: Capture) -> None:
    net = Rectified()
    net.relu.register_forward_pre_hook(lambda cell_id, inputs: print("before", inputs))
    net.relu.register_forward_hook(lambda cell_id, inputs, out: (print("after", out), out + out)[1])
    net.relu.register_backward_hook(lambda cell_id, given, made: print(given, made))
    assert str(GRAD(net)(ones(1), ones(1))) == f"({TWO}, {TWO})"
    assert capsys.readouterr().out == f"before ({TWO},)\nafter [2.]\n({TWO},) ({TWO},)\n"


@pytest.mark.parametrize("mode", [context.PYNATIVE_MODE, context.GRAPH_MODE])
def test_bprop_replaces_the_derivative(mode: int) -> None:
    class Net(nn.Cell):
        def construct(self, x: Tensor, y: Tensor) -> Any:
            return x * y * y

        def bprop(self, x: Tensor, y: Tensor, out: Tensor, dout: Tensor) -> Any:
            return x + y, x * y

    context.set_context(mode=mode)
    found = GRAD(Net())(Tensor(1, ms.float32), Tensor(2, ms.float32))
    assert str(found) == (
        "(Tensor(shape=[], dtype=Float32, value= 3), Tensor(shape=[], dtype=Float32, value= 2))"
    )


def test_compiled_cells_among_others() -> None:
    class Twice(nn.Cell):
        def construct(self, x: Tensor) -> Any:
            x = x + x
            return x + x

    class Power(nn.Cell):
        @ms_function
        def construct(self, x: Tensor) -> Any:
            x = x * x
            return x * x

    twice = Twice()
    assert twice(Power()(twice(ones(3, 3)))).asnumpy().tolist() == [[1024.0] * 3] * 3


def test_ms_function() -> None:
    @ms_function
    def total(x: Tensor, y: Tensor) -> Any:
        return ops.add(x, y)

    class Total(nn.Cell):
        @ms_function
        def construct(self, x: Tensor, y: Tensor) -> Any:
            return x + y

    x, y = floats(1, 2, 3), floats(4, 5, 6)
    assert str(total(x, y)) == "[5. 7. 9.]"
    net = Total()
    assert [str(one) for one in GRAD(net)(x, y)] == ["[1. 1. 1.]"] * 2
    assert str(net(x, y)) == "[5. 7. 9.]"


def test_what_a_compiled_body_does_not_change() -> None:
    class Shifted(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.value = 5

        @ms_function
        def construct(self, x: Tensor) -> Any:
            return self.value + x

    net = Shifted()
    assert str(net(floats(1, 2, 3))) == "[6. 7. 8.]"
    net.value = 1
    assert str(net(floats(1, 2, 3))) == "[6. 7. 8.]"


def test_arrays_and_tensors_in_a_compiled_body() -> None:
    class Numbers(nn.Cell):
        def construct(self) -> Any:
            return Tensor(np.array([1, 2, 3]))

    context.set_context(mode=context.GRAPH_MODE)
    assert str(Numbers()()) == "[1 2 3]"


def test_a_gradient_within_a_cell() -> None:
    class Scaled(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.matmul = ops.MatMul()
            self.z = Parameter(floats(1.0), name="z")

        def construct(self, x: Tensor, y: Tensor) -> Any:
            return self.matmul(x * self.z, y)

    class Gradient(nn.Cell):
        def __init__(self, net: nn.Cell) -> None:
            super().__init__()
            self.net = net
            self.grad = ops.GradOperation()

        def construct(self, x: Tensor, y: Tensor) -> Any:
            return self.grad(self.net)(x, y)

    x = Tensor([[0.8, 0.6, 0.2], [1.8, 1.3, 1.1]], ms.float32)
    y = Tensor([[0.11, 3.3, 1.1], [1.1, 0.2, 1.4], [1.1, 2.2, 0.3]], ms.float32)
    wanted = "[[4.5099998 2.7       3.6000001]\n [4.5099998 2.7       3.6000001]]"
    assert str(Gradient(Scaled())(x, y)) == wanted
    context.set_context(mode=context.GRAPH_MODE)
    assert str(Gradient(Scaled())(x, y)) == wanted


def test_python_decides_by_the_data() -> None:
    class Added(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.z = Parameter(floats(1.0), name="z")

        def construct(self, x: Tensor) -> Any:
            while x.sum() < 12:
                x = x + self.z
            return x if x[0] > 1 else -x

    assert str(Added()(floats(1, 2, 3))) == "[3. 4. 5.]"
