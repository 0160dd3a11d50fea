"""Layers and functions equal PyTorch's, forward and backward, if it is installed."""

import warnings
from typing import Any

import numpy as np
import pytest

import penstock as flow

torch = pytest.importorskip("torch")

F64 = 1e-9
LOOSE = {"CELU": 1e-7, "Hardsigmoid": 1e-7}
"""Layers whose gradient PyTorch computes with constants of float32."""
OTHER_TEXT = {
    "PixelShuffle", "Softplus", "Upsample", "RMSNorm", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d",
    "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "GroupNorm", "LayerNorm",
}  # fmt: skip
"""Layers whose repr varies between versions of PyTorch, or with other attributes."""
IMAGE = (2, 4, 6, 5)
LAYERS: list[tuple[str, tuple[Any, ...], dict[str, Any], tuple[int, ...]]] = [
    ("ReLU", (), {}, (3, 4)),
    ("ReLU6", (), {}, (3, 4)),
    ("Sigmoid", (), {}, (3, 4)),
    ("Tanh", (), {}, (3, 4)),
    ("GELU", (), {}, (3, 4)),
    ("GELU", ("tanh",), {}, (3, 4)),
    ("SiLU", (), {}, (3, 4)),
    ("Mish", (), {}, (3, 4)),
    ("ELU", (0.7,), {}, (3, 4)),
    ("CELU", (0.7,), {}, (3, 4)),
    ("SELU", (), {}, (3, 4)),
    ("LeakyReLU", (0.2,), {}, (3, 4)),
    ("PReLU", (), {}, (3, 4)),
    ("PReLU", (4,), {}, (3, 4)),
    ("Softplus", (2.0, 1.0), {}, (3, 4)),
    ("Softshrink", (0.3,), {}, (3, 4)),
    ("Hardshrink", (0.3,), {}, (3, 4)),
    ("Hardtanh", (-0.5, 0.4), {}, (3, 4)),
    ("Hardswish", (), {}, (3, 4)),
    ("Hardsigmoid", (), {}, (3, 4)),
    ("Threshold", (0.1, 7.0), {}, (3, 4)),
    ("LogSigmoid", (), {}, (3, 4)),
    ("Softsign", (), {}, (3, 4)),
    ("Tanhshrink", (), {}, (3, 4)),
    ("GLU", (1,), {}, (3, 4)),
    ("Softmax", (1,), {}, (3, 4)),
    ("Softmax", (0,), {}, (3, 4)),
    ("LogSoftmax", (-1,), {}, (3, 4)),
    ("Softmin", (1,), {}, (3, 4)),
    ("Identity", (), {}, (3, 4)),
    ("Flatten", (), {}, IMAGE),
    ("Unflatten", (1, (2, 2)), {}, (3, 4)),
    ("Linear", (4, 3), {}, (3, 4)),
    ("Linear", (4, 3), {"bias": False}, (2, 3, 4)),
    ("Linear", (4, 3), {}, (4,)),
    ("Conv1d", (4, 6, 3), {"stride": 2, "padding": 1, "groups": 2}, (2, 4, 8)),
    ("Conv1d", (4, 6, 3), {}, (4, 8)),
    ("Conv2d", (4, 6, 3), {"padding": 1}, IMAGE),
    ("Conv2d", (4, 6, (3, 2)), {"stride": (2, 1), "dilation": (1, 2), "bias": False}, IMAGE),
    ("Conv2d", (4, 4, 3), {"padding": "same", "groups": 4}, IMAGE),
    ("Conv2d", (4, 2, 3), {"padding": 2, "padding_mode": "reflect"}, IMAGE),
    ("Conv2d", (4, 2, 3), {"padding": "same", "padding_mode": "circular"}, IMAGE),
    ("Conv2d", (4, 2, 2), {"padding": "same", "padding_mode": "replicate"}, IMAGE),
    ("Conv3d", (2, 3, 2), {"stride": 2, "padding": 1}, (1, 2, 4, 3, 4)),
    ("ConvTranspose1d", (4, 6, 3), {"stride": 2, "output_padding": 1}, (2, 4, 5)),
    ("ConvTranspose2d", (4, 6, 3), {"stride": 2, "padding": 1, "groups": 2}, IMAGE),
    ("ConvTranspose2d", (4, 2, 2), {"dilation": 3, "output_padding": 2, "padding": 1}, IMAGE),
    ("ConvTranspose3d", (2, 3, 2), {"stride": 2}, (1, 2, 2, 3, 2)),
    ("BatchNorm1d", (4,), {}, (3, 4)),
    ("BatchNorm1d", (4,), {"affine": False}, (3, 4, 2)),
    ("BatchNorm2d", (4,), {"momentum": None}, IMAGE),
    ("BatchNorm2d", (4,), {"track_running_stats": False}, IMAGE),
    ("BatchNorm3d", (2,), {}, (2, 2, 2, 3, 2)),
    ("InstanceNorm1d", (4,), {}, (2, 4, 5)),
    ("InstanceNorm2d", (4,), {"affine": True, "track_running_stats": True}, IMAGE),
    ("InstanceNorm3d", (2,), {}, (2, 2, 2, 3, 2)),
    ("GroupNorm", (2, 4), {}, IMAGE),
    ("LayerNorm", ((6, 5),), {}, IMAGE),
    ("LayerNorm", (4,), {"bias": False}, (3, 4)),
    ("RMSNorm", (4,), {"eps": 1e-5}, (3, 4)),
    ("MaxPool1d", (3,), {"stride": 2, "padding": 1}, (2, 4, 8)),
    ("MaxPool2d", (2,), {}, IMAGE),
    ("MaxPool2d", (3, 2, 1), {"ceil_mode": True}, IMAGE),
    ("MaxPool2d", (2,), {"dilation": 2, "stride": 1, "padding": 1}, IMAGE),
    ("MaxPool2d", (2,), {}, IMAGE[1:]),
    ("MaxPool3d", (2,), {"stride": 1}, (1, 2, 3, 3, 3)),
    ("AvgPool1d", (3,), {"stride": 2, "padding": 1}, (2, 4, 8)),
    ("AvgPool2d", (3, 2, 1), {"ceil_mode": True}, IMAGE),
    ("AvgPool2d", (3, 2, 1), {"ceil_mode": True, "count_include_pad": False}, IMAGE),
    ("AvgPool2d", (2,), {"divisor_override": 3}, IMAGE),
    ("AvgPool3d", (2,), {}, (1, 2, 4, 4, 4)),
    ("AdaptiveAvgPool1d", (3,), {}, (2, 4, 8)),
    ("AdaptiveAvgPool2d", ((3, None),), {}, IMAGE),
    ("AdaptiveAvgPool2d", (1,), {}, IMAGE),
    ("AdaptiveAvgPool2d", ((4, 7),), {}, IMAGE),
    ("AdaptiveAvgPool3d", (2,), {}, (1, 2, 4, 3, 5)),
    ("AdaptiveMaxPool1d", (3,), {}, (2, 4, 8)),
    ("AdaptiveMaxPool2d", ((4, 2),), {}, IMAGE),
    ("AdaptiveMaxPool3d", (2,), {}, (1, 2, 4, 3, 5)),
    ("ReflectionPad1d", ((2, 1),), {}, (2, 4, 8)),
    ("ReflectionPad2d", ((2, 1, 0, 3),), {}, IMAGE),
    ("ReplicationPad2d", ((2, 1, 0, 3),), {}, IMAGE),
    ("ReplicationPad3d", (1,), {}, (1, 2, 2, 3, 2)),
    ("CircularPad2d", ((2, 1, 0, 3),), {}, IMAGE),
    ("ConstantPad1d", ((2, -1), 3.5), {}, (2, 4, 8)),
    ("ZeroPad2d", ((1, 0, -1, 2),), {}, IMAGE),
    ("PixelShuffle", (2,), {}, (1, 8, 2, 3)),
    ("PixelUnshuffle", (2,), {}, (1, 2, 4, 6)),
    ("Upsample", (), {"scale_factor": 2}, (1, 2, 3)),
    ("Upsample", (), {"size": (4, 9)}, IMAGE),
    ("Upsample", (), {"scale_factor": 1.7, "mode": "bilinear"}, IMAGE),
    ("Upsample", (), {"size": (3, 7), "mode": "bilinear", "align_corners": True}, IMAGE),
    ("Upsample", (), {"scale_factor": 2.3, "mode": "linear"}, (1, 2, 3)),
    ("Upsample", (), {"scale_factor": 1.5, "mode": "bicubic"}, IMAGE),
    ("Upsample", (), {"size": (8, 3), "mode": "bicubic", "align_corners": True}, IMAGE),
    ("Upsample", (), {"scale_factor": 2, "mode": "trilinear"}, (1, 1, 2, 2, 3)),
    ("Upsample", (), {"size": (3, 2), "mode": "nearest-exact"}, IMAGE),
    ("Unfold", ((2, 3),), {"stride": 2, "padding": 1}, IMAGE),
    ("Fold", ((4, 5), (2, 3)), {"stride": 2, "padding": 1}, (2, 12, 9)),
]
LABELS = np.array([[1, 0, 3], [2, -100, 1]])
CHANCES = np.array([0.1, 0.9, 0.0, 1.0, 0.4])
SIGNS = np.array([1.0, -1.0, -1.0, 1.0, 1.0])
FIVE = np.array([0.3, 0.8, 0.1, 0.5, 0.95])
LOSSES: list[tuple[str, dict[str, Any], tuple[int, ...], tuple[Any, ...]]] = [
    ("mse_loss", {}, (5,), (FIVE,)),
    ("l1_loss", {"reduction": "sum"}, (5,), (FIVE,)),
    ("smooth_l1_loss", {"beta": 0.5}, (5,), (FIVE,)),
    ("huber_loss", {"delta": 0.3}, (5,), (FIVE,)),
    ("cross_entropy", {}, (2, 4, 3), (LABELS,)),
    ("cross_entropy", {"reduction": "none"}, (2, 4, 3), (LABELS,)),
    ("cross_entropy", {"label_smoothing": 0.2}, (2, 4, 3), (LABELS,)),
    ("cross_entropy", {"ignore_index": 1}, (2, 4, 3), (np.abs(LABELS) % 50 % 4,)),
    ("cross_entropy", {}, (5,), (np.array(3),)),
    ("cross_entropy", {}, (1, 5), (CHANCES[None],)),
    ("cross_entropy", {"label_smoothing": 0.1, "reduction": "sum"}, (1, 5), (CHANCES[None],)),
    ("nll_loss", {}, (2, 4, 3), (LABELS,)),
    ("nll_loss", {"reduction": "sum"}, (2, 4, 3), (LABELS,)),
    ("binary_cross_entropy_with_logits", {}, (5,), (CHANCES,)),
    ("kl_div", {"reduction": "batchmean"}, (5,), (CHANCES,)),
    ("kl_div", {"log_target": True, "reduction": "sum"}, (5,), (-CHANCES,)),
    ("poisson_nll_loss", {"full": True}, (5,), (CHANCES * 4,)),
    ("gaussian_nll_loss", {"full": True}, (5,), (FIVE, CHANCES + 0.1)),
    ("soft_margin_loss", {}, (5,), (SIGNS,)),
    ("margin_ranking_loss", {"margin": 0.2}, (5,), (FIVE, SIGNS)),
    ("hinge_embedding_loss", {}, (5,), (SIGNS,)),
    ("cosine_embedding_loss", {"margin": 0.1}, (2, 3), (FIVE[:3][None] * 2, SIGNS[:2])),
    ("triplet_margin_loss", {"swap": True}, (2, 5), (FIVE[None], SIGNS[None])),
    ("triplet_margin_loss", {"p": 3.0}, (2, 5), (FIVE[None], SIGNS[None])),
    ("cosine_similarity", {}, (2, 5), (FIVE[None],)),
    ("pairwise_distance", {"p": 1.0}, (2, 5), (FIVE[None],)),
    ("normalize", {"p": 3.0}, (2, 5), ()),
    ("softmax", {"dim": 1}, (2, 3, 2), ()),
]


def numbers(shape: tuple[int, ...], seed: int = 0) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).normal(size=shape)


def compare(ours: Any, theirs: Any, what: str, tolerance: float = F64) -> None:
    assert (ours is None) == (theirs is None), what
    if ours is not None:
        np.testing.assert_allclose(
            ours.numpy(), theirs.detach().numpy(), rtol=tolerance, atol=tolerance, err_msg=what
        )


def both(x: np.ndarray[Any, Any]) -> tuple[Any, Any]:
    grad = x.dtype.kind == "f"
    return flow.tensor(x, requires_grad=grad), torch.tensor(x, requires_grad=grad)


@pytest.mark.parametrize(
    ("name", "args", "named", "shape"), LAYERS, ids=[f"{i}-{c[0]}" for i, c in enumerate(LAYERS)]
)
def test_layer(
    name: str, args: tuple[Any, ...], named: dict[str, Any], shape: tuple[int, ...]
) -> None:
    theirs = getattr(torch.nn, name)(*args, **named).double()
    ours = getattr(flow.nn, name)(*args, **named).double()
    if name not in OTHER_TEXT:
        assert repr(ours) == repr(theirs)
    state = {key: value.numpy() for key, value in theirs.state_dict().items()}
    found = ours.load_state_dict(state)
    assert not found.missing_keys
    assert not found.unexpected_keys
    x, y = both(numbers(shape))
    result, wanted = ours(x), theirs(y)
    compare(result, wanted, "result")
    seed = numbers(tuple(wanted.shape), 1)
    result.backward(flow.tensor(seed))
    wanted.backward(torch.tensor(seed))
    compare(x.grad, y.grad, "gradient of the input", LOOSE.get(name, F64))
    for (key, mine), other in zip(ours.named_parameters(), theirs.parameters(), strict=True):
        compare(mine.grad, other.grad, f"gradient of {key}")
    for (key, mine), other in zip(ours.named_buffers(), theirs.buffers(), strict=True):
        compare(mine, other, key)
    compare(ours.eval()(x), theirs.eval()(y), "result of use")


@pytest.mark.parametrize(
    ("name", "named", "shape", "others"), LOSSES, ids=[f"{i}-{c[0]}" for i, c in enumerate(LOSSES)]
)
def test_loss(
    name: str, named: dict[str, Any], shape: tuple[int, ...], others: tuple[Any, ...]
) -> None:
    x, y = both(numbers(shape))
    pairs = [(flow.tensor(other), torch.tensor(other)) for other in map(np.asarray, others)]
    ours = getattr(flow.nn.functional, name)(x, *(p for p, _ in pairs), **named)
    theirs = getattr(torch.nn.functional, name)(y, *(p for _, p in pairs), **named)
    compare(ours, theirs, "result")
    if theirs.ndim:
        ours, theirs = (ours * ours).sum(), (theirs * theirs).sum()
    ours.backward()
    theirs.backward()
    compare(x.grad, y.grad, "gradient of the input")


@pytest.mark.parametrize("name", ["cross_entropy", "nll_loss"])
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_weights_of_classes(name: str, reduction: str) -> None:
    (x, y), (w, v) = both(numbers((2, 4, 3))), both(np.array([0.5, 2.0, 1.0, 3.0]))
    ours = getattr(flow.nn.functional, name)(x, flow.tensor(LABELS), w, reduction=reduction)
    theirs = getattr(torch.nn.functional, name)(
        y, torch.tensor(LABELS), v.detach(), reduction=reduction
    )
    compare(ours, theirs, "result")
    ours.sum().backward()
    theirs.sum().backward()
    compare(x.grad, y.grad, "gradient")


def test_weights_of_probabilities() -> None:
    for name, start in (
        ("binary_cross_entropy", FIVE),
        ("binary_cross_entropy_with_logits", SIGNS),
    ):
        (x, y), (t, s), (w, v) = both(start), both(CHANCES), both(FIVE)
        ours = getattr(flow.nn.functional, name)(x, t, w)
        theirs = getattr(torch.nn.functional, name)(y, s.detach(), v.detach())
        compare(ours, theirs, name)
        ours.backward()
        theirs.backward()
        compare(x.grad, y.grad, f"gradient of {name}")
    ours = flow.nn.functional.binary_cross_entropy_with_logits(x, t, pos_weight=w)
    theirs = torch.nn.functional.binary_cross_entropy_with_logits(y, s, pos_weight=v.detach())
    compare(ours, theirs, "pos_weight")


@pytest.mark.parametrize("named", [{}, {"dilation": 2, "padding": 1}, {"ceil_mode": True}])
def test_indices_of_max_pools(named: dict[str, Any]) -> None:
    x, y = both(numbers(IMAGE))
    ours = flow.nn.functional.max_pool2d(x, 2, return_indices=True, **named)
    theirs = torch.nn.functional.max_pool2d(y, 2, return_indices=True, **named)
    np.testing.assert_array_equal(ours[1].numpy(), theirs[1].numpy())
    if not named:
        back = flow.nn.MaxUnpool2d(2)(*ours, output_size=IMAGE[2:])
        other = torch.nn.MaxUnpool2d(2)(*theirs, output_size=IMAGE[2:])
        compare(back, other, "unpooled")
        (back * back).sum().backward()
        (other * other).sum().backward()
        compare(x.grad, y.grad, "gradient")
    ours = flow.nn.functional.adaptive_max_pool2d(x, 4, return_indices=True)
    theirs = torch.nn.functional.adaptive_max_pool2d(y, 4, return_indices=True)
    np.testing.assert_array_equal(ours[1].numpy(), theirs[1].numpy())


def test_an_embedding() -> None:
    theirs = torch.nn.Embedding(5, 3, padding_idx=1, max_norm=1.0).double()
    ours = flow.nn.Embedding(5, 3, padding_idx=1, max_norm=1.0).double()
    ours.load_state_dict({"weight": theirs.weight.detach().numpy().copy()})
    places = np.array([[0, 1], [4, 0]])
    result, wanted = ours(flow.tensor(places)), theirs(torch.tensor(places))
    compare(result, wanted, "result")
    (result * result).sum().backward()
    (wanted * wanted).sum().backward()
    compare(ours.weight.grad, theirs.weight.grad, "gradient")
    compare(ours.weight, theirs.weight, "what max_norm leaves")


@pytest.mark.parametrize("order", [2.0, 1.0, float("inf"), float("-inf"), 0.0, -1.0, 3.5])
def test_norms_of_gradients(order: float) -> None:
    pairs = [both(numbers((3, 4), seed)) for seed in range(2)]
    for mine, other in pairs:
        (mine * mine).sum().backward()
        (other * other).sum().backward()
    ours = flow.nn.utils.clip_grad_norm_([p for p, _ in pairs], 1.5, order)
    theirs = torch.nn.utils.clip_grad_norm_([p for _, p in pairs], 1.5, order)
    compare(ours, theirs, "norm")
    for mine, other in pairs:
        compare(mine.grad, other.grad, "gradient")


def test_weight_norm() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = torch.nn.utils.weight_norm(torch.nn.Linear(3, 2).double())
    ours = flow.nn.utils.weight_norm(flow.nn.Linear(3, 2).double())
    ours.load_state_dict({key: value.numpy() for key, value in theirs.state_dict().items()})
    x, y = both(numbers((4, 3)))
    ours(x).sum().backward()
    theirs(y).sum().backward()
    for key in ("weight_g", "weight_v"):
        compare(getattr(ours, key).grad, getattr(theirs, key).grad, key)


@pytest.mark.parametrize("kind", ["Linear", "ConvTranspose1d"])
def test_spectral_norm(kind: str) -> None:
    sizes, shape = ((3, 2), (4, 3)) if kind == "Linear" else ((3, 2, 2), (4, 3, 5))
    layer = getattr(torch.nn, kind)(*sizes).double()
    theirs = torch.nn.utils.spectral_norm(layer, n_power_iterations=2)
    ours = flow.nn.utils.spectral_norm(getattr(flow.nn, kind)(*sizes).double(), "weight", 2)
    ours.load_state_dict({key: value.numpy() for key, value in theirs.state_dict().items()})
    x, y = both(numbers(shape))
    for train in (True, True, False):
        ours.train(train)
        theirs.train(train)
        mine, other = ours(x), theirs(y)
        compare(mine, other, "result")
        (mine * mine).sum().backward()
        (other * other).sum().backward()
        compare(ours.weight_orig.grad, theirs.weight_orig.grad, "gradient")
        compare(ours.weight_u, theirs.weight_u, "vector")
    flow.nn.utils.remove_spectral_norm(ours)
    compare(ours(x), theirs(y), "result")
    assert sorted(ours.state_dict()) == ["bias", "weight"]


@pytest.mark.parametrize("aligned", [True, False])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
def test_grids(aligned: bool, padding: str) -> None:
    theta = np.array([[[0.9, 0.3, 0.2], [-0.4, 1.4, 0.1]]])
    (x, y), (t, s) = both(numbers((1, 2, 4, 5))), both(theta)
    ours = flow.nn.functional.affine_grid(t, (1, 2, 3, 4), aligned)
    theirs = torch.nn.functional.affine_grid(s, (1, 2, 3, 4), aligned)
    compare(ours, theirs, "grid")
    for mode in ("bilinear", "nearest", "bicubic"):
        result = flow.nn.functional.grid_sample(x, ours, mode, padding, aligned)
        wanted = torch.nn.functional.grid_sample(y, theirs, mode, padding, aligned)
        compare(result, wanted, mode)
        (result * result).sum().backward(retain_graph=True)
        (wanted * wanted).sum().backward(retain_graph=True)
        compare(x.grad, y.grad, f"gradient of the input, {mode}")
        compare(t.grad, s.grad, f"gradient of theta, {mode}")


def test_solid_grids() -> None:
    (x, y), (t, s) = both(numbers((1, 2, 2, 3, 2))), both(numbers((1, 3, 4)))
    ours = flow.nn.functional.affine_grid(t, (1, 2, 2, 2, 2))
    theirs = torch.nn.functional.affine_grid(s, (1, 2, 2, 2, 2), False)
    result = flow.nn.functional.grid_sample(x, ours)
    wanted = torch.nn.functional.grid_sample(y, theirs, align_corners=False)
    compare(result, wanted, "result")
    result.sum().backward()
    wanted.sum().backward()
    compare(x.grad, y.grad, "gradient of the input")
    compare(t.grad, s.grad, "gradient of theta")


@pytest.mark.parametrize("name", ["RNN", "LSTM", "GRU"])
@pytest.mark.parametrize("named", [{}, {"bidirectional": True, "batch_first": True, "bias": False}])
def test_sequences(name: str, named: dict[str, Any]) -> None:
    theirs = getattr(torch.nn, name)(3, 2, num_layers=2, **named).double()
    ours = getattr(flow.nn, name)(3, 2, num_layers=2, **named).double()
    compare_sequences(name, ours, theirs)


def test_projected_states() -> None:
    named: dict[str, Any] = {"num_layers": 2, "bidirectional": True, "proj_size": 2}
    theirs, ours = torch.nn.LSTM(3, 4, **named).double(), flow.nn.LSTM(3, 4, **named).double()
    compare_sequences("LSTM", ours, theirs)
    with pytest.raises(ValueError, match="proj_size of flow.nn.LSTM must be 0, or for LSTM less"):
        flow.nn.LSTM(3, 4, proj_size=4)
    with pytest.raises(ValueError, match="proj_size of flow.nn.GRU must be 0"):
        flow.nn.GRU(3, 4, proj_size=2)


def compare_sequences(name: str, ours: Any, theirs: Any) -> None:
    assert repr(ours) == repr(theirs)
    ours.load_state_dict({key: value.numpy() for key, value in theirs.state_dict().items()})
    (x, y) = both(numbers((4, 3, 3)))
    result, wanted = ours(x), theirs(y)
    compare(result[0], wanted[0], "outputs")
    ends = (result[1], wanted[1]) if name == "LSTM" else ((result[1],), (wanted[1],))
    for mine, other in zip(*ends, strict=True):
        compare(mine, other, "last states")
    (result[0].sum() + ends[0][-1].sum()).backward()
    (wanted[0].sum() + ends[1][-1].sum()).backward()
    compare(x.grad, y.grad, "gradient of the input")
    for (key, mine), other in zip(ours.named_parameters(), theirs.parameters(), strict=True):
        compare(mine.grad, other.grad, f"gradient of {key}")
    compare(ours(x[0])[0], theirs(y[0])[0], "outputs of one sample")


@pytest.mark.parametrize("name", ["RNNCell", "LSTMCell", "GRUCell"])
def test_cells(name: str) -> None:
    theirs = getattr(torch.nn, name)(3, 2).double()
    ours = getattr(flow.nn, name)(3, 2).double()
    ours.load_state_dict({key: value.numpy() for key, value in theirs.state_dict().items()})
    (x, y), (h, g) = both(numbers((4, 3))), both(numbers((4, 2), 1))
    states = ((h, h), (g, g)) if name == "LSTMCell" else (h, g)
    result, wanted = ours(x, states[0]), theirs(y, states[1])
    last = (result[1], wanted[1]) if name == "LSTMCell" else (result, wanted)
    compare(*last, "state")
    last[0].sum().backward()
    last[1].sum().backward()
    compare(h.grad, g.grad, "gradient of the state")
