"""Attention and transformer layers: against NumPy in float64, against PyTorch, and misuse."""

import copy
import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import penstock as flow
import penstock.nn.functional as F

Array = npt.NDArray[Any]
F64 = 1e-12
TERMS = 2e-15
"""The error of a sum of 7 terms in f64, as a part of their sizes: 18 roundings of 2^-53 each, of
scores, exponentials, products, additions and quotients."""


def drawn(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed + sum(shape)).normal(size=shape)


def tensor(array: Array, grad: bool = False) -> flow.Tensor:
    return flow.tensor(array, requires_grad=grad)


def attention(
    q: Array, k: Array, v: Array, keep: Array | None = None, added: Any = 0.0,
    scale: float | None = None,
) -> Array:  # fmt: skip
    """The definition, row by row; rows without keys give 0."""
    scores = q @ np.swapaxes(k, -1, -2) * (scale or q.shape[-1] ** -0.5) + added
    if keep is not None:
        scores = np.where(keep, scores, -np.inf)
    most = scores.max(-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isinf(most), 0, most))
    total = powers.sum(-1, keepdims=True)
    result: Array = np.divide(powers, total, where=total > 0, out=np.zeros_like(powers)) @ v
    return result


class TestScaledDotProductAttention:
    @pytest.mark.parametrize("scale", [None, 0.3])
    @pytest.mark.parametrize("kind", ["none", "bools", "floats", "causal"])
    def test_is_its_definition(self, kind: str, scale: float | None) -> None:
        q, k, v = drawn(2, 3, 5, 4), drawn(2, 3, 7, 4), drawn(2, 3, 7, 6)
        keep, added, named = None, 0.0, {}
        if kind == "bools":
            keep = drawn(5, 7) > 0
            named = {"attn_mask": tensor(keep)}
        elif kind == "floats":
            added = drawn(2, 1, 5, 7)
            named = {"attn_mask": tensor(added)}
        elif kind == "causal":
            keep, named = np.tri(5, 7, dtype=bool), {"is_causal": True}
        got = F.scaled_dot_product_attention(tensor(q), tensor(k), tensor(v), scale=scale, **named)
        # Terms of both signs cancel, so errors are in proportion to their sizes.
        sizes = attention(q, k, np.abs(v), keep, added, scale)
        off = np.abs(got.numpy() - attention(q, k, v, keep, added, scale))
        assert (off <= TERMS * sizes).all()

    @pytest.mark.parametrize("floats", [False, True])
    def test_a_query_without_keys_gives_zeros_and_finite_gradients(self, floats: bool) -> None:
        q, k, v = (tensor(drawn(3, 4, seed=i), True) for i in range(3))
        keep = np.array([[1, 0, 1], [0, 0, 0], [1, 1, 1]], bool)
        mask = tensor(np.where(keep, 0.0, -np.inf) if floats else keep)
        y = F.scaled_dot_product_attention(q, k, v, mask)
        assert y[1].abs().max() == 0
        y.square().sum().backward()
        for x in (q, k, v):
            assert x.grad is not None
            assert x.grad.isfinite().all()
        assert q.grad[1].abs().max() == 0

    def test_heads_share_key_and_value(self) -> None:
        q, k, v = drawn(2, 6, 5, 4), drawn(2, 2, 7, 4), drawn(2, 2, 7, 3)
        got = F.scaled_dot_product_attention(tensor(q), tensor(k), tensor(v), enable_gqa=True)
        want = attention(q, k.repeat(3, 1), v.repeat(3, 1))
        np.testing.assert_allclose(got.numpy(), want, rtol=F64)

    def test_no_keys_and_no_queries(self) -> None:
        q, k = flow.ones(2, 3, 4), flow.ones(2, 0, 4)
        assert (F.scaled_dot_product_attention(q, k, flow.ones(2, 0, 5)).numpy() == 0).all()
        assert F.scaled_dot_product_attention(k, q, q).shape == (2, 0, 4)

    def test_dropout_scales_the_weights(self) -> None:
        x = flow.ones(1, 64, 64)
        flow.manual_seed(3)
        y = F.scaled_dot_product_attention(x, x, x, dropout_p=0.5)
        assert 0.8 < y.mean().item() < 1.2
        assert y.std().item() > 0

    def test_is_the_same_in_a_graph(self) -> None:
        x = tensor(drawn(2, 5, 4))

        class Attend(flow.nn.Graph):
            def build(self, x: Any) -> Any:
                return F.scaled_dot_product_attention(x, x, x, is_causal=True)

        want = F.scaled_dot_product_attention(x, x, x, is_causal=True)
        np.testing.assert_allclose(Attend()(x).numpy(), want.numpy(), rtol=F64)

    @pytest.mark.parametrize(
        ("shapes", "named", "text"),
        [
            (((3, 4), (3, 5), (3, 4)), {}, r"got \(3, 4\), \(3, 5\), \(3, 4\)"),
            (((3, 4), (3, 4), (2, 4)), {}, r"got \(3, 4\), \(3, 4\), \(2, 4\)"),
            (((4,), (3, 4), (3, 4)), {}, "rank 2 or more"),
            (((6, 3, 4), (4, 3, 4), (4, 3, 4)), {"enable_gqa": True}, "6 heads .* share 4"),
        ],
    )
    def test_misuse(self, shapes: Any, named: Any, text: str) -> None:
        tensors = [flow.ones(*shape) for shape in shapes]
        with pytest.raises(ValueError, match=rf"test_transformers.py:\d+: .*{text}"):
            F.scaled_dot_product_attention(*tensors, **named)

    def test_two_masks(self) -> None:
        x = flow.ones(3, 4)
        with pytest.raises(RuntimeError, match=r"test_transformers.py:\d+: .* got both"):
            F.scaled_dot_product_attention(x, x, x, flow.ones(3, 3), is_causal=True)


def model_and_inputs(**named: Any) -> tuple[Any, list[flow.Tensor]]:
    flow.manual_seed(0)
    model = flow.nn.MultiheadAttention(8, 2, batch_first=True, dtype=flow.float64, **named)
    sizes = (8, named.get("kdim", 8), named.get("vdim", 8))
    lengths = (5, 7, 7)
    return model, [tensor(drawn(3, *two)) for two in zip(lengths, sizes, strict=True)]


def numpys(model: Any) -> dict[str, Array]:
    return {name: value.numpy() for name, value in model.state_dict().items()}


class TestMultiheadAttention:
    @pytest.mark.parametrize("named", [{}, {"kdim": 6, "vdim": 4}, {"bias": False}])
    def test_is_its_definition(self, named: dict[str, Any]) -> None:
        model, inputs = model_and_inputs(**named)
        state = numpys(model)
        if named.get("kdim"):
            weights = [state[f"{x}_proj_weight"] for x in "qkv"]
        else:
            weights = np.split(state["in_proj_weight"], 3)
        biases = np.split(state.get("in_proj_bias", np.zeros(24)), 3)
        heads = [
            (x.numpy() @ w.T + b).reshape(3, -1, 2, 4).swapaxes(1, 2)
            for x, w, b in zip(inputs, weights, biases, strict=True)
        ]
        want = attention(*heads).swapaxes(1, 2).reshape(3, 5, 8) @ state["out_proj.weight"].T
        want = want + state.get("out_proj.bias", 0.0)
        got, attended = model(*inputs)
        np.testing.assert_allclose(got.numpy(), want, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(attended.sum(-1).numpy(), np.ones((3, 5)), rtol=F64)
        without, nothing = model(*inputs, need_weights=False)
        assert nothing is None
        assert (without.numpy() == got.numpy()).all()

    def test_layouts_agree(self) -> None:
        model, inputs = model_and_inputs()
        want, weights = model(*inputs, average_attn_weights=False)
        assert weights.shape == (3, 2, 5, 7)
        alone, _ = model(*(x[1] for x in inputs))
        np.testing.assert_allclose(alone.numpy(), want[1].numpy(), rtol=1e-9)
        model.batch_first = False
        got, _ = model(*(x.transpose(0, 1) for x in inputs))
        np.testing.assert_allclose(got.transpose(0, 1).numpy(), want.numpy(), rtol=1e-9)

    def test_masks_hide_keys(self) -> None:
        model, (q, k, v) = model_and_inputs()
        pads = flow.zeros(3, 7, dtype=flow.bool)
        pads[:, 4:] = True
        want, _ = model(q, k[:, :4], v[:, :4])
        got, weights = model(q, k, v, key_padding_mask=pads)
        np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-9)
        assert (weights[..., 4:] == 0).all()
        hidden = pads[0].expand(5, 7)
        for mask in (hidden, hidden.expand(6, 5, 7), flow.where(hidden, -np.inf, 0.0)):
            again, _ = model(q, k, v, attn_mask=mask)
            np.testing.assert_allclose(again.numpy(), want.numpy(), rtol=1e-9)
        _, weights = model(q, k, v, is_causal=True)
        assert (weights.numpy()[:, ~np.tri(5, 7, dtype=bool)] == 0).all()

    def test_more_keys_are_attended(self) -> None:
        model, inputs = model_and_inputs(add_bias_kv=True, add_zero_attn=True)
        got, weights = model(*inputs, key_padding_mask=flow.zeros(3, 7, dtype=flow.bool))
        assert weights.shape == (3, 5, 9)
        got.sum().backward()
        assert (model.bias_k.grad.abs() > 0).any()

    @pytest.mark.parametrize(
        ("call", "text"),
        [
            (lambda m, x: m(x, x, x[..., :7]), "8, 8 and 8 features"),
            (lambda m, x: m(x[0], x, x), "of rank 3"),
            (lambda m, x: m(x, x, x, flow.zeros(3, 4)), r"shape \(3, 5\), got \(3, 4\)"),
            (lambda m, x: m(x, x, x, attn_mask=flow.zeros(5, 4)), r"\(5, 5\) or \(6, 5, 5\)"),
            (lambda m, x: flow.nn.MultiheadAttention(8, 3), "multiple of num_heads, got 8 and 3"),
        ],
    )
    def test_misuse(self, call: Any, text: str) -> None:
        model = flow.nn.MultiheadAttention(8, 2, batch_first=True)
        with pytest.raises(ValueError, match=rf"test_transformers.py:\d+: .*{text}"):
            call(model, flow.ones(3, 5, 8))


class TestLayers:
    def test_encoder_repeats_its_layer(self) -> None:
        layer = flow.nn.TransformerEncoderLayer(8, 2, 16, 0.0, "gelu", batch_first=True)
        model = flow.nn.TransformerEncoder(layer, 2, flow.nn.LayerNorm(8))
        x = flow.randn(3, 5, 8)
        want = model.norm(model.layers[1](model.layers[0](x)))
        assert (model(x).numpy() == want.numpy()).all()
        assert model.layers[0].linear1.weight is not model.layers[1].linear1.weight

    def test_a_causal_mask_hides_later_positions(self) -> None:
        flow.manual_seed(1)
        model = flow.nn.Transformer(8, 2, 1, 2, 16, 0.0, batch_first=True).eval()
        src, tgt = flow.randn(3, 5, 8), flow.randn(3, 6, 8)
        changed = tgt.clone()
        changed[:, 4:] += 1
        mask = model.generate_square_subsequent_mask(6)
        one, other = (model(src, t, tgt_mask=mask).numpy() for t in (tgt, changed))
        np.testing.assert_allclose(one[:, :4], other[:, :4], rtol=1e-5)
        assert np.abs(one[:, 4:] - other[:, 4:]).max() > 0.1
        assert (model(src, tgt, tgt_is_causal=True).numpy() == one).all()

    def test_trains_in_a_graph_as_eagerly(self) -> None:
        flow.manual_seed(2)
        layer = flow.nn.TransformerEncoderLayer(8, 2, 16, 0.0, norm_first=True, batch_first=True)
        eager = flow.nn.TransformerEncoder(layer, 2)
        model = copy.deepcopy(eager)
        x = flow.randn(3, 5, 8)

        class Step(flow.nn.Graph):
            def __init__(self) -> None:
                super().__init__()
                self.model = model
                self.add_optimizer(flow.optim.SGD(model.parameters(), lr=0.1))

            def build(self, x: Any) -> Any:
                loss = self.model(x, is_causal=True).square().mean()
                loss.backward()
                return loss

        step, sgd = Step(), flow.optim.SGD(eager.parameters(), lr=0.1)
        for _ in range(3):
            loss = eager(x, is_causal=True).square().mean()
            sgd.zero_grad()
            loss.backward()
            sgd.step()
            # Fused bodies round elsewhere; a step multiplies the difference by less than 2.
            np.testing.assert_allclose(step(x).item(), loss.item(), rtol=1e-5)

    def test_misuse(self) -> None:
        with pytest.raises(ValueError, match=r"test_transformers.py:\d+: activation of .*tanh"):
            flow.nn.TransformerEncoderLayer(8, 2, activation="tanh")
        with pytest.raises(TypeError, match=r"test_transformers.py:\d+: .* takes a layer to copy"):
            flow.nn.TransformerEncoder(3, 2)  # type: ignore[arg-type]


CASES: list[tuple[str, tuple[Any, ...], dict[str, Any], list[tuple[int, ...]], dict[str, Any]]] = [
    ("MultiheadAttention", (8, 2), {}, [(5, 3, 8), (7, 3, 8), (7, 3, 8)], {}),
    ("MultiheadAttention", (8, 4), {"kdim": 6, "vdim": 5, "add_bias_kv": True},
     [(5, 3, 8), (7, 3, 6), (7, 3, 5)], {"average_attn_weights": False}),
    ("MultiheadAttention", (8, 2), {"add_zero_attn": True}, [(5, 8), (7, 8), (7, 8)],
     {"attn_mask": np.triu(np.ones((5, 7), bool), 1)}),
    ("TransformerEncoderLayer", (8, 2, 16, 0.0), {}, [(5, 3, 8)], {}),
    ("TransformerEncoderLayer", (8, 2, 16, 0.0, "gelu"), {"norm_first": True, "bias": False},
     [(5, 3, 8)], {"src_key_padding_mask": np.arange(15).reshape(3, 5) % 4 == 1}),
    ("TransformerDecoderLayer", (8, 2, 16, 0.0), {}, [(5, 3, 8), (7, 3, 8)],
     {"tgt_mask": np.triu(np.full((5, 5), -np.inf), 1)}),
    ("Transformer", (8, 2, 2, 2, 16, 0.0), {"batch_first": True}, [(3, 5, 8), (3, 6, 8)], {}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_against_pytorch(case: Any) -> None:
    torch = pytest.importorskip("torch")
    name, args, options, shapes, named = case
    theirs = getattr(torch.nn, name)(*args, **options, dtype=torch.float64)
    ours = getattr(flow.nn, name)(*args, **options, dtype=flow.float64)
    state = {k: flow.tensor(v.detach().numpy()) for k, v in theirs.state_dict().items()}
    assert [(k, tuple(v.shape)) for k, v in ours.state_dict().items()] == [
        (k, tuple(v.shape)) for k, v in state.items()
    ]
    ours.load_state_dict(state)
    arrays = [drawn(*shape) for shape in shapes]
    x, y = ([make(a).requires_grad_() for a in arrays] for make in (tensor, torch.tensor))
    got = ours(*x, **{k: tensor(v) for k, v in named.items()})
    want = theirs(*y, **{k: torch.tensor(v) for k, v in named.items()})
    for g, w in zip(*(r if isinstance(r, tuple) else (r,) for r in (got, want)), strict=True):
        np.testing.assert_allclose(g.detach().numpy(), w.detach().numpy(), rtol=1e-9, atol=1e-12)
    for r in (got, want):
        (r[0] if isinstance(r, tuple) else r).square().sum().backward()
    pairs = [*zip(x, y, strict=True), *zip(ours.parameters(), theirs.parameters(), strict=True)]
    for g, w in pairs:
        np.testing.assert_allclose(g.grad.numpy(), w.grad.numpy(), rtol=1e-8, atol=1e-10)


def test_a_causal_mask_is_shown_as_pytorch_has_it() -> None:
    mask = flow.nn.Transformer.generate_square_subsequent_mask(3)
    assert re.findall(r"-inf|0\.", repr(mask)) == ["0.", "-inf", "-inf"] + ["0."] * 2 + ["-inf"] + (
        ["0."] * 3
    )
