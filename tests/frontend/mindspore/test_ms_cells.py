"""Recurrent cells, channels last, and functions of nests."""

from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.mindspore as ms
from penstock.mindspore import ParameterTuple, Tensor, context, ms_function, nn, ops

MODES = pytest.mark.parametrize("mode", [context.PYNATIVE_MODE, context.GRAPH_MODE])
RNG = np.random.default_rng(0)


def floats(*shape: int) -> Tensor:
    return Tensor(RNG.normal(size=shape).astype(np.float32))


def close(x: Any, y: Any) -> None:
    np.testing.assert_allclose(x.asnumpy(), y.asnumpy(), rtol=1e-5, atol=1e-6)


def first(x: Any) -> Any:
    """Channels in the second place."""
    return x.transpose(0, 3, 1, 2)


@MODES
@pytest.mark.parametrize("name", ["RNN", "LSTM", "GRU"])
def test_recurrent_cells_are_those_of_penstock(name: str, mode: int) -> None:
    context.set_context(mode=mode)
    x = floats(2, 5, 3)
    cell = getattr(nn, name)(3, 4, num_layers=2, bidirectional=True, batch_first=True)
    module = getattr(flow.nn, name)(3, 4, num_layers=2, bidirectional=True, batch_first=True)
    module.load_state_dict({one.name: one.inner.detach() for one in cell.get_parameters()})
    output, state = cell(x)
    wanted, last = module(x.inner)
    close(output, Tensor(wanted.numpy()))
    close(
        state[0] if name == "LSTM" else state, Tensor((last[0] if name == "LSTM" else last).numpy())
    )
    weights = ParameterTuple(cell.trainable_params())
    found = ops.GradOperation(get_by_list=True)(lambda x: cell(x)[0].sum(), weights)(x)
    wanted.sum().backward()
    for one, parameter in zip(found, module.parameters(), strict=True):
        close(one, Tensor(parameter.grad.numpy()))
    with pytest.raises(ValueError, match=r"py:\d+: seq_length of .* must be None"):
        cell(x, None, Tensor([5, 4]))


@MODES
def test_recurrent_cells_for_one_step(mode: int) -> None:
    context.set_context(mode=mode)
    x, h = floats(2, 3), floats(2, 4)
    assert nn.RNNCell(3, 4, nonlinearity="relu")(x, h).shape == (2, 4)
    assert nn.GRUCell(3, 4, has_bias=False)(x, h).shape == (2, 4)
    hidden, cell = nn.LSTMCell(3, 4)(x, (h, h))
    assert hidden.shape == cell.shape == (2, 4)


@MODES
@pytest.mark.parametrize("pad_mode", ["same", "valid"])
def test_channels_last(pad_mode: str, mode: int) -> None:
    context.set_context(mode=mode)
    x, weight = floats(2, 6, 5, 3), floats(4, 3, 2, 3)
    last = {"pad_mode": pad_mode, "data_format": "NHWC"}
    made = ops.Conv2D(4, (3, 2), stride=2, **last)(x, weight)
    close(first(made), ops.Conv2D(4, (3, 2), stride=2, pad_mode=pad_mode)(first(x), first(weight)))
    for pool in (nn.MaxPool2d, nn.AvgPool2d):
        close(first(pool(3, 2, **last)(x)), pool(3, 2, pad_mode)(first(x)))
    conv = nn.Conv2d(3, 4, 3, has_bias=True, bias_init="ones", **last)
    other = nn.Conv2d(3, 4, 3, pad_mode=pad_mode, has_bias=True, bias_init="ones")
    other.weight.set_data(first(conv.weight))
    close(first(conv(x)), other(first(x)))
    norms = nn.BatchNorm2d(3, data_format="NHWC"), nn.BatchNorm2d(3)
    for training in (True, False):
        found, wanted = (norm.set_train(training) for norm in norms)
        close(first(found(x)), wanted(first(x)))
        close(found.moving_variance, wanted.moving_variance)
    made, *_ = ops.BatchNorm(True, data_format="NHWC")(x, *[floats(3)] * 4)
    assert made.shape == x.shape


def test_functions_of_nests() -> None:
    x, y = Tensor([1.0]), Tensor([2.0])
    add = ops.HyperMap(ops.add)
    nests = (x, (y, [x])), (y, (y, [y]))
    for call in (add, ms_function(lambda a, b: add(a, b))):
        one, (two, (three,)) = call(*nests)
        assert [float(n) for n in (one, two, three)] == [3.0, 4.0, 3.0]
    assert isinstance(ops.Map()(ops.add, [x], [y]), list)
    with pytest.raises(ValueError, match=r"py:\d+: HyperMap\(\) takes nests of one length"):
        add((x, y), (x,))
    with pytest.raises(TypeError, match=r"py:\d+: Map\(\) takes tuples or lists of tensors, got a"):
        ops.Map()(ops.add, x, y)

    clip = ops.MultitypeFuncGraph("clip")

    @clip.register("Number", "Tensor")
    def clip_to(most: float, gradient: Tensor) -> Any:
        return ops.minimum(gradient, most)

    assert [float(one) for one in ops.HyperMap()(lambda g: clip(1.5, g), (x, y))] == [1.0, 1.5]
    with pytest.raises(
        TypeError, match=r"py:\d+: 'clip' is registered for \(Number, Tensor\), got"
    ):
        clip(x, x)
    with pytest.raises(ValueError, match=r"py:\d+: register of 'clip' takes types such as"):
        clip.register("Tensors")
    with pytest.raises(TypeError, match=r"register of 'clip' takes a function of 1 arguments"):
        clip.register("Tensor")(lambda x, y: x)


def test_int16() -> None:
    x = Tensor([1, 2], ms.int16)
    assert repr(x + x) == "Tensor(shape=[2], dtype=Int16, value= [2, 4])"
    assert ms_function(lambda x: x * x)(x).dtype == ms.int16
