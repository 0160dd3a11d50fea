"""Layers and losses against NumPy in float64 and against known values."""

from math import erf, sqrt
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.nn.functional as F
from penstock import nn

X = np.array([[-3.5, -1.0, -0.25, 0.0], [0.25, 1.0, 3.5, 25.0]])
Array = np.ndarray[Any, Any]


def sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


ACTIVATIONS: dict[str, tuple[Any, Any]] = {
    "ReLU": (nn.ReLU(), lambda x: np.maximum(x, 0)),
    "ReLU6": (nn.ReLU6(), lambda x: np.clip(x, 0, 6)),
    "Sigmoid": (nn.Sigmoid(), sigmoid),
    "Tanh": (nn.Tanh(), np.tanh),
    "LogSigmoid": (nn.LogSigmoid(), lambda x: -np.log1p(np.exp(-x))),
    "SiLU": (nn.SiLU(), lambda x: x * sigmoid(x)),
    "GELU": (nn.GELU(), lambda x: x * (1 + np.vectorize(erf)(x / sqrt(2))) / 2),
    "Mish": (nn.Mish(), lambda x: x * np.tanh(np.log1p(np.exp(x)))),
    "ELU": (nn.ELU(0.5), lambda x: np.where(x > 0, x, 0.5 * np.expm1(x))),
    "CELU": (nn.CELU(0.5), lambda x: np.where(x > 0, x, 0.5 * np.expm1(x / 0.5))),
    "SELU": (
        nn.SELU(),
        lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x)),
    ),
    "LeakyReLU": (nn.LeakyReLU(0.1), lambda x: np.where(x > 0, x, 0.1 * x)),
    "PReLU": (nn.PReLU(4), lambda x: np.where(x > 0, x, 0.25 * x)),
    "Softplus": (nn.Softplus(2.0), lambda x: np.log1p(np.exp(2 * x)) / 2),
    "Softshrink": (nn.Softshrink(0.3), lambda x: np.sign(x) * np.maximum(np.abs(x) - 0.3, 0)),
    "Hardshrink": (nn.Hardshrink(0.3), lambda x: np.where(np.abs(x) <= 0.3, 0, x)),
    "Hardtanh": (nn.Hardtanh(-1, 2), lambda x: np.clip(x, -1, 2)),
    "Hardswish": (nn.Hardswish(), lambda x: x * np.clip(x + 3, 0, 6) / 6),
    "Hardsigmoid": (nn.Hardsigmoid(), lambda x: np.clip(x + 3, 0, 6) / 6),
    "Threshold": (nn.Threshold(0.1, 9.0), lambda x: np.where(x > 0.1, x, 9.0)),
    "Softmax": (nn.Softmax(1), lambda x: np.exp(x) / np.exp(x).sum(1, keepdims=True)),
    "LogSoftmax": (nn.LogSoftmax(1), lambda x: x - np.log(np.exp(x).sum(1, keepdims=True))),
}  # fmt: skip


def close(ours: Any, wanted: Any, tolerance: float = 1e-12) -> None:
    np.testing.assert_allclose(ours.numpy(), wanted, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name: str) -> None:
    layer, formula = ACTIVATIONS[name]
    x = flow.tensor(X, requires_grad=True)
    result = layer.double()(x)
    close(result, formula(X))
    result.sum().backward()
    assert x.grad is not None
    assert np.isfinite(x.grad.numpy()).all()


@pytest.mark.parametrize("name", ["relu", "hardshrink", "celu", "silu"])
def test_activations_in_place(name: str) -> None:
    function = getattr(F, name)
    x, y = (flow.tensor(X, requires_grad=True) for _ in range(2))
    inner, other = x * 2, y * 2
    result = function(inner, inplace=True)
    assert result is inner
    wanted = function(other)
    close(inner, wanted.numpy())
    (result * result).sum().backward()
    (wanted * wanted).sum().backward()
    assert x.grad is not None
    assert y.grad is not None
    close(x.grad, y.grad.numpy())
    with pytest.raises(RuntimeError, match="changes a leaf that requires gradients"):
        function(x, inplace=True)


def test_linear_layers() -> None:
    layer = nn.Linear(4, 3).double()
    x = flow.tensor(X)
    close(layer(x), X @ layer.weight.numpy().T + layer.bias.numpy())
    assert layer(flow.tensor(X[0])).shape == (3,)
    assert layer(flow.tensor(X[None])).shape == (1, 2, 3)
    assert np.abs(layer.weight.numpy()).max() <= 0.5
    with pytest.raises(ValueError, match=r"got shapes \(2, 2\) and \(3, 4\)"):
        layer(flow.ones(2, 2, dtype=flow.float64))
    with pytest.raises(ValueError, match="in_features of flow.nn.Linear must be an int"):
        nn.Linear(-1, 2)


def windows(x: Array, k: int) -> Array:
    return np.lib.stride_tricks.sliding_window_view(x, (k, k), (2, 3))


def test_convolutions() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 3, 5, 4))
    layer = nn.Conv2d(3, 2, 2, padding=1, stride=2).double()
    around = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    seen = windows(around, 2)[:, :, ::2, ::2]
    wanted = np.einsum("nchwij,fcij->nfhw", seen, layer.weight.numpy())
    close(layer(flow.tensor(x)), wanted + layer.bias.numpy()[:, None, None])
    assert layer(flow.tensor(x[0])).shape == (2, 3, 3)
    turned = nn.ConvTranspose2d(2, 3, 2, stride=2, padding=1, bias=False).double()
    y = rng.normal(size=wanted.shape)
    with flow.no_grad():
        turned.weight.copy_(layer.weight)
    result = turned(flow.tensor(y), output_size=(5, 4)).numpy()
    # It is the transpose of the convolution without bias.
    assert np.isclose((result * x).sum(), (y * wanted).sum())


def test_batch_norm_without_momentum_averages_all_batches_in_its_own_type() -> None:
    layer = nn.BatchNorm1d(3, momentum=None).double()
    batches = np.random.default_rng(1).normal(size=(4, 5, 3))
    for batch in batches:
        layer(flow.tensor(batch))
    for running, seen in (
        (layer.running_mean, batches.mean(1)), (layer.running_var, batches.var(1, ddof=1)),
    ):  # fmt: skip
        np.testing.assert_allclose(running.numpy(), seen.mean(0), rtol=1e-14)


def test_normalizations() -> None:
    x = np.random.default_rng(0).normal(size=(4, 2, 3))
    layer = nn.BatchNorm1d(2).double()
    mean, variance = x.mean((0, 2), keepdims=True), x.var((0, 2), keepdims=True)
    close(layer(flow.tensor(x)), (x - mean) / np.sqrt(variance + 1e-5))
    close(layer.running_mean, 0.1 * mean.ravel())
    close(layer.running_var, 0.9 + 0.1 * variance.ravel() * 12 / 11)
    moved = x - 0.1 * mean
    close(layer.eval()(flow.tensor(x)), moved / np.sqrt(0.9 + 0.1 * variance * 12 / 11 + 1e-5))
    with pytest.raises(ValueError, match="more than one value for each channel"):
        layer.train()(flow.ones(1, 2, dtype=flow.float64))
    with pytest.raises(ValueError, match="BatchNorm2d takes an input of 4 dimensions"):
        nn.BatchNorm2d(2)(flow.tensor(x))
    norm = nn.LayerNorm((2, 3)).double()
    mean, variance = x.mean((1, 2), keepdims=True), x.var((1, 2), keepdims=True)
    close(norm(flow.tensor(x)), (x - mean) / np.sqrt(variance + 1e-5))
    close(nn.GroupNorm(1, 2).double()(flow.tensor(x)), (x - mean) / np.sqrt(variance + 1e-5))
    root = nn.RMSNorm(3, eps=0.0).double()
    close(root(flow.tensor(x)), x / np.sqrt((x * x).mean(-1, keepdims=True)))
    close(nn.RMSLayerNorm(3, eps=0.0).double()(flow.tensor(x)), root(flow.tensor(x)).numpy())


def test_pools() -> None:
    x = np.random.default_rng(0).normal(size=(1, 2, 4, 4))
    seen = windows(x, 2)[:, :, ::2, ::2]
    close(nn.MaxPool2d(2)(flow.tensor(x)), seen.max((4, 5)))
    close(nn.AvgPool2d(2)(flow.tensor(x)), seen.mean((4, 5)))
    close(nn.AdaptiveAvgPool2d(2)(flow.tensor(x)), seen.mean((4, 5)))
    close(nn.AdaptiveMaxPool2d(2)(flow.tensor(x)), seen.max((4, 5)))
    thirds = nn.AdaptiveAvgPool2d((3, 1))(flow.tensor(x)).numpy()
    rows = [x[:, :, a:b].mean((2, 3)) for a, b in ((0, 2), (1, 3), (2, 4))]
    np.testing.assert_allclose(thirds[..., 0], np.stack(rows, 2), rtol=1e-12)
    largest, places = F.max_pool2d(flow.tensor(x), 2, return_indices=True)
    np.testing.assert_array_equal(x.reshape(2, 16)[[[0], [1]], places.numpy().reshape(2, 4)],
                                  largest.numpy().reshape(2, 4))  # fmt: skip
    with pytest.raises(ValueError, match="padding of F.max_pool2d must be at most half"):
        F.max_pool2d(flow.tensor(x), 2, padding=2)


def test_padding() -> None:
    x = np.arange(12.0).reshape(1, 1, 3, 4)
    for mode, word in (("reflect", "reflect"), ("replicate", "edge"), ("circular", "wrap")):
        wanted = np.pad(x, ((0, 0), (0, 0), (0, 2), (1, 2)), word)  # type: ignore[call-overload]
        close(F.pad(flow.tensor(x), (1, 2, 0, 2), mode), wanted)
    close(F.pad(flow.tensor(x), (-1, 1), value=7.0)[..., -1], np.full((1, 1, 3), 7.0))
    with pytest.raises(ValueError, match='mode="reflect" must be at most 3 along a dimension of 4'):
        F.pad(flow.tensor(x), (4, 0), "reflect")


def test_embeddings() -> None:
    table = nn.Embedding(4, 2, padding_idx=-1)
    assert table.weight.numpy()[3].tolist() == [0.0, 0.0]
    places = flow.tensor([[0, 3], [3, 1]])
    result = table(places)
    np.testing.assert_array_equal(result.numpy(), table.weight.numpy()[places.numpy()])
    result.sum().backward()
    assert table.weight.grad.tolist() == [[1.0, 1.0], [1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]
    with pytest.raises(IndexError, match=r"each index of F.embedding must lie in \[0, 4\), got 4"):
        table(flow.tensor([4]))


def test_dropout() -> None:
    flow.manual_seed(3)
    x = flow.ones(64, 32, requires_grad=True)
    layer = nn.Dropout(0.25)
    y = layer(x)
    values = np.unique(y.numpy())
    np.testing.assert_allclose(values, [0, 4 / 3], rtol=1e-6)
    assert 0.6 < (y.numpy() > 0).mean() < 0.9
    y.sum().backward()
    assert x.grad is not None
    np.testing.assert_array_equal(x.grad.numpy(), y.numpy())
    assert layer.eval()(x) is x
    assert F.dropout(x, 1.0).numpy().max() == 0
    whole = F.dropout2d(flow.ones(8, 8, 2, 2)).numpy().reshape(64, 4)
    assert (whole == whole[:, :1]).all()
    assert 0 < (whole[:, 0] > 0).sum() < 64
    flow.manual_seed(3)
    np.testing.assert_array_equal(nn.Dropout(0.25)(flow.ones(64, 32)).numpy(), y.numpy())
    with pytest.raises(ValueError, match=r"p of flow.nn.Dropout must lie in \[0, 1\], got 2"):
        nn.Dropout(2)


def test_losses() -> None:
    x, y = X, X[::-1].copy()
    a, b = flow.tensor(x), flow.tensor(y)
    close(nn.MSELoss()(a, b), ((x - y) ** 2).mean())
    close(nn.L1Loss("sum")(a, b), np.abs(x - y).sum())
    far = np.abs(x - y)
    close(nn.SmoothL1Loss("none")(a, b), np.where(far < 1, far**2 / 2, far - 0.5))
    chances = np.array([0.1, 0.9, 0.0, 1.0])
    labels = np.array([0.0, 1.0, 1.0, 0.0])
    wanted = -(labels * np.log(np.maximum(chances, np.exp(-100)))
               + (1 - labels) * np.log(np.maximum(1 - chances, np.exp(-100))))  # fmt: skip
    close(nn.BCELoss(reduction="none")(flow.tensor(chances), flow.tensor(labels)), wanted)
    logits = flow.tensor(x[0])
    close(nn.BCEWithLogitsLoss()(logits, flow.tensor(labels)),
          (np.log1p(np.exp(x[0])) - labels * x[0]).mean())  # fmt: skip
    with pytest.raises(RuntimeError, match=r"takes an input of probabilities in \[0, 1\]"):
        nn.BCELoss()(a, b)
    with pytest.raises(ValueError, match='reduction of flow.nn.MSELoss must be "mean", "sum"'):
        nn.MSELoss(reduction="avg")
    with pytest.raises(ValueError, match=r"of one shape, got \(2, 4\) and \(3,\)"):
        nn.MSELoss()(a, flow.ones(3))


def test_losses_of_classes() -> None:
    logits = np.random.default_rng(0).normal(size=(3, 4))
    chances = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    labels = np.array([2, -100, 0])
    x, y = flow.tensor(logits, requires_grad=True), flow.tensor(labels)
    each = -np.array([chances[0, 2], 0, chances[2, 0]])
    close(nn.CrossEntropyLoss(reduction="none")(x, y), each)
    loss = nn.CrossEntropyLoss()(x, y)
    close(loss, each.sum() / 2)
    loss.backward()
    slope = np.exp(chances)
    slope[[0, 2], [2, 0]] -= 1
    slope[1] = 0
    assert x.grad is not None
    close(x.grad, slope / 2)
    close(nn.NLLLoss()(flow.tensor(chances), y), each.sum() / 2)
    weights = np.array([1.0, 2.0, 3.0, 4.0])
    weighted = nn.CrossEntropyLoss(flow.tensor(weights))(x, y)
    close(weighted, (3 * each[0] + each[2]) / 4)
    with pytest.raises(
        IndexError, match=r"each target of F.cross_entropy must lie in \[0, 4\), got 4"
    ):
        F.cross_entropy(x, flow.tensor([0, 4, 1]))
    with pytest.raises(
        ValueError, match=r"a target \(3,\) for an input of shape \(3, 4\), got \(2,\)"
    ):
        F.cross_entropy(x, flow.tensor([0, 1]))
    result = F.sparse_softmax_cross_entropy(flow.tensor([2, 1, 0]), flow.tensor(logits))
    close(result, -chances[np.arange(3), [2, 1, 0]])
    with pytest.raises(IndexError, match=r"must lie in \[0, 4\), got -100"):
        F.sparse_softmax_cross_entropy(y, x)


def test_resized_images() -> None:
    x = np.arange(6.0).reshape(1, 1, 2, 3)
    result = nn.Upsample(scale_factor=2)(flow.tensor(x))
    close(result, x.repeat(2, 2).repeat(2, 3))
    wide = F.interpolate(flow.tensor(x[:, 0]), size=5, mode="linear", align_corners=True)
    close(wide[0, 0], [0.0, 0.5, 1.0, 1.5, 2.0])
    shuffled = nn.PixelShuffle(2)(flow.tensor(np.arange(8.0).reshape(1, 4, 1, 2)))
    close(shuffled, [[[[0, 2, 1, 3], [4, 6, 5, 7]]]])
    columns = nn.Unfold(2)(flow.tensor(x))
    close(columns, [[[0, 1], [1, 2], [3, 4], [4, 5]]])
    close(nn.Fold((2, 3), 2)(columns), [[[[0, 2, 2], [3, 8, 5]]]])


def test_a_name_with_two_meanings() -> None:
    """It is the legacy function in the body of a job, and the layer elsewhere."""
    import penstock.typing as tp

    flow.clear_default_session()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,)), y: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
        return nn.MSELoss(x, y, reduction="sum")

    x, y = np.array([1, 2], np.float32), np.array([3, 5], np.float32)
    assert job(x, y).tolist() == [13.0]
    assert nn.MSELoss(reduction="sum")(flow.tensor(x), flow.tensor(y)).item() == 13.0
    assert issubclass(nn.MSELoss, nn.Module)


def test_a_network_trains() -> None:
    flow.manual_seed(0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(32, 4)).astype(np.float32)
    labels = flow.tensor((x[:, 0] * x[:, 1] > 0).astype(np.int64))
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
    losses = []
    for _ in range(30):
        loss = F.cross_entropy(model(flow.tensor(x)), labels)
        model.zero_grad(set_to_none=True)
        loss.backward()
        with flow.no_grad():
            for parameter in model.parameters():
                parameter -= 0.5 * parameter.grad
        losses.append(loss.item())
    assert losses[-1] < 0.7 * losses[0]


def test_random_slopes() -> None:
    x = flow.tensor(X)
    layer = nn.RReLU(0.1, 0.3)
    close(layer.eval()(x), np.where(X > 0, X, 0.2 * X))
    slopes = layer.train()(x).numpy()[X < 0] / X[X < 0]
    assert ((slopes >= 0.1) & (slopes < 0.3)).all()
    assert len(set(slopes.tolist())) == 3


def test_one_rank_is_all_ranks() -> None:
    model = nn.Sequential(nn.BatchNorm1d(2), nn.Sequential(nn.BatchNorm2d(3).eval()))
    result = nn.SyncBatchNorm.convert_sync_batchnorm(model)
    assert result is model
    assert isinstance(result[0], nn.SyncBatchNorm)
    assert not result[1][0].training
    assert result[0](flow.randn(4, 2)).shape == (4, 2)
    assert [name for name, _ in result.named_parameters()][:2] == ["0.weight", "0.bias"]


def test_import_paths() -> None:
    from penstock.nn.common_types import _size_2_t
    from penstock.nn.parameter import Parameter

    assert Parameter is nn.Parameter
    assert nn.parameter.Parameter is nn.Parameter
    assert _size_2_t == int | tuple[int, int]


def test_deformable_convolutions() -> None:
    F = flow.nn.functional
    rng = np.random.default_rng(1)
    x, w, b = (rng.standard_normal(s) for s in ((2, 4, 6, 5), (4, 2, 2, 3), (4,)))
    offset = rng.standard_normal((2, 2 * 2 * 6, 3, 3)) * 1.5
    mask = rng.random((2, 2 * 6, 3, 3))
    stride, padding, dilation = (2, 1), (0, 1), (1, 2)

    def pixel(image: Any, row: float, column: float) -> float:
        total = 0.0
        for r in (int(np.floor(row)), int(np.floor(row)) + 1):
            for c in (int(np.floor(column)), int(np.floor(column)) + 1):
                if 0 <= r < 6 and 0 <= c < 5:
                    total += image[r, c] * (1 - abs(row - r)) * (1 - abs(column - c))
        return total

    def convolved(x: Any, offset: Any, w: Any, b: Any, mask: Any) -> Any:
        y = np.zeros((2, 4, 3, 3)) + b[:, None, None]
        for n, o, r, q, i, k, m in np.ndindex(2, 4, 3, 3, 2, 2, 3):
            channel = o // 2 * 2 + i
            at = channel // 2 * 6 + k * 3 + m
            row = r * 2 + k + offset[n, 2 * at, r, q]
            column = q - 1 + m * 2 + offset[n, 2 * at + 1, r, q]
            y[n, o, r, q] += pixel(x[n, channel], row, column) * mask[n, at, r, q] * w[o, i, k, m]
        return y

    arrays = [x, offset, w, b, mask]
    given = [flow.tensor(a, requires_grad=True) for a in arrays]
    made = F.deform_conv2d(*given[:4], stride, padding, dilation, given[4])
    np.testing.assert_allclose(made.detach().numpy(), convolved(*arrays), rtol=1e-9)
    slopes = rng.standard_normal(made.shape)
    (made * flow.tensor(slopes)).sum().backward()
    for number, array in enumerate(arrays):
        place = tuple(int(rng.integers(n)) for n in array.shape)
        pair = []
        for step in (1e-6, -1e-6):
            moved = [a.copy() for a in arrays]
            moved[number][place] += step
            pair.append((convolved(*moved) * slopes).sum())
        slope = (pair[0] - pair[1]) / 2e-6
        np.testing.assert_allclose(given[number].grad.numpy()[place], slope, rtol=1e-5, atol=1e-7)
    with pytest.raises(ValueError, match=r"offset of F.deform_conv2d must have shape \(2, 24, 3"):
        F.deform_conv2d(given[0], given[1][:1], *given[2:4], stride, padding, dilation)
    with pytest.raises(ValueError, match=r"takes \[n, channels, height, width\] and a weight"):
        F.deform_conv2d(given[0], given[1], given[2][0])
