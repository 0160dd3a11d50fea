"""GradOperation in its forms, of any order, in both modes; hooks that replace gradients."""

from typing import Any

import numpy as np
import pytest

import penstock.mindspore as ms
from penstock.mindspore import Parameter, ParameterTuple, Tensor, context, ms_function, nn, ops

MODES = pytest.mark.parametrize("mode", [context.PYNATIVE_MODE, context.GRAPH_MODE])


class Affine(nn.Cell):
    """x * w + y * v"""

    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0]))
        self.v = Parameter(Tensor([5.0, 7.0]))

    def construct(self, x: Tensor, y: Tensor) -> Any:
        return x * self.w + y * self.v


def numbers(nest: Any) -> Any:
    if isinstance(nest, tuple):
        return tuple(map(numbers, nest))
    return nest.asnumpy().tolist()


@MODES
def test_the_four_forms(mode: int) -> None:
    context.set_context(mode=mode)
    net = Affine()
    x, y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    w, v = [2.0, 3.0], [5.0, 7.0]
    weights = ParameterTuple(net.trainable_params())
    grad = ops.GradOperation
    assert numbers(grad()(net)(x, y)) == w
    assert numbers(grad(get_all=True)(net)(x, y)) == (w, v)
    by_list = grad(get_by_list=True)
    assert numbers(by_list(net, weights)(x, y)) == ([1.0, 2.0], [3.0, 4.0])
    assert numbers(by_list(net)(x, y)) == ([1.0, 2.0], [3.0, 4.0])
    assert numbers(by_list(net, weights[:1])(x, y)) == ([1.0, 2.0],)
    both = grad(get_all=True, get_by_list=True)(net, weights)
    assert numbers(both(x, y)) == ((w, v), ([1.0, 2.0], [3.0, 4.0]))
    sens = Tensor([10.0, 100.0])
    seeded = grad(get_all=True, sens_param=True)(net)
    assert numbers(seeded(x, y, sens)) == ([20.0, 300.0], [50.0, 700.0])
    all_ = grad(True, True, True)(net, weights)
    assert numbers(all_(x, y, sens))[1] == ([10.0, 200.0], [30.0, 400.0])


@MODES
def test_higher_orders(mode: int) -> None:
    context.set_context(mode=mode)

    class Cubic(nn.Cell):
        def construct(self, x: Tensor) -> Any:
            return x * x * x * x

    grad = ops.GradOperation()
    net = Cubic()
    x = Tensor([2.0])
    assert numbers(grad(net)(x)) == [32.0]
    assert numbers(grad(grad(net))(x)) == [48.0]
    assert numbers(grad(grad(grad(net)))(x)) == [48.0]
    inner = ms_function(lambda x: x * x * x)
    assert numbers(grad(grad(inner))(x)) == [12.0]


def test_the_gradient_of_a_gradient_by_a_weight() -> None:
    net = Affine()
    grad = ops.GradOperation()

    def of_x(x: Tensor, y: Tensor) -> Any:
        return grad(lambda x, y: net(x, y) * x)(x, y)

    found = ops.GradOperation(get_by_list=True)(of_x, net.trainable_params())
    # d/dw of d/dx (x w + y v) x = 2 x, and d/dv = y.
    assert numbers(found(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))) == ([2.0, 4.0], [3.0, 4.0])


@MODES
def test_integers_and_what_does_not_count_have_the_gradient_0(mode: int) -> None:
    context.set_context(mode=mode)

    class Some(nn.Cell):
        def construct(self, x: Tensor, y: Tensor, places: Tensor) -> Any:
            return ops.Gather()(x, places, 0)

    found = ops.GradOperation(get_all=True)(Some())(
        Tensor([1.0, 2.0]), Tensor([3.0]), Tensor([1], ms.int32)
    )
    assert numbers(found) == ([0.0, 1.0], [0.0], [0])


def test_only_the_input_itself_counts() -> None:
    x = Tensor([3.0])
    assert numbers(ops.GradOperation()(lambda z: z * x)(x)) == [3.0]


@MODES
def test_hooks_replace_gradients(mode: int) -> None:
    context.set_context(mode=mode)
    grad = ops.GradOperation(get_all=True)
    hook = ops.HookBackward(lambda grads: tuple(g * 10 for g in grads))

    def product(x: Tensor, y: Tensor) -> Any:
        x, y = hook(x, y)
        return x * y

    assert numbers(grad(product)(Tensor([2.0]), Tensor([3.0]))) == ([30.0], [20.0])
    relu = nn.ReLU()
    relu.register_backward_hook(lambda cell_id, before, after: (after[0] + before[0],))
    assert numbers(grad(relu)(Tensor([2.0]))) == ([2.0],)


def test_a_hook_is_given_the_id_of_its_cell() -> None:
    seen = []
    relu = nn.ReLU()
    relu.register_forward_pre_hook(lambda cell_id, inputs: seen.append(cell_id))
    relu(Tensor([1.0]))
    assert seen[0].startswith("ReLU(")


def test_handles_remove_their_own_hook_alone() -> None:
    seen: list[str] = []
    relu = nn.ReLU()
    first = relu.register_forward_hook(lambda *given: seen.append("first"))
    relu.register_forward_hook(lambda *given: seen.append("second"))
    relu(Tensor([1.0]))
    first.remove()
    relu(Tensor([1.0]))
    assert seen == ["first", "second", "second"]


def test_gradients_agree_with_differences() -> None:
    ms.set_seed(2)
    net = nn.SequentialCell(nn.Conv2d(1, 2, 3, stride=2, has_bias=True), nn.Tanh(), nn.Flatten(),
                            nn.Dense(8, 3, activation="sigmoid"))  # fmt: skip
    x = np.random.default_rng(5).normal(size=(1, 1, 4, 4)).astype(np.float32)
    (found,) = ops.GradOperation(get_all=True)(net)(Tensor(x))
    h = 1e-2
    for place in ((0, 0, 0, 0), (0, 0, 2, 3)):
        step = np.zeros_like(x)
        step[place] = h
        ahead, behind = (net(Tensor(x + s * step)).asnumpy().sum(dtype=np.float64) for s in (1, -1))
        assert found.asnumpy()[place] == pytest.approx((ahead - behind) / (2 * h), abs=2e-4)
