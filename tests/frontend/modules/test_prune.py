"""Pruning of parameters, against PyTorch."""

from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock import nn
from penstock.nn.utils import prune


def layers(other: Any) -> tuple[Any, Any]:
    """The same layer twice: ours, and that of PyTorch."""
    random = np.random.default_rng(0)
    weight = random.standard_normal((4, 3, 2, 2)).astype(np.float32)
    bias = random.standard_normal(4).astype(np.float32)
    made = []
    for library in (flow, other):
        layer = library.nn.Conv2d(3, 4, 2)
        layer.load_state_dict({"weight": library.tensor(weight), "bias": library.tensor(bias)})
        made.append(layer)
    return made[0], made[1]


def same_state(mine: Any, theirs: Any) -> None:
    states = mine.state_dict(), theirs.state_dict()
    assert sorted(states[0]) == sorted(states[1])
    for name, value in states[0].items():
        np.testing.assert_array_equal(value.numpy(), states[1][name].numpy())
    np.testing.assert_array_equal(mine.weight.detach().numpy(), theirs.weight.detach().numpy())


def test_against_pytorch() -> None:
    torch = pytest.importorskip("torch")
    theirs_prune: Any = pytest.importorskip("torch.nn.utils.prune")
    for steps in (
        [("l1_unstructured", {"amount": 0.3})],
        [("l1_unstructured", {"amount": 5}), ("l1_unstructured", {"amount": 0.5})],
        [("ln_structured", {"amount": 0.5, "n": 2, "dim": 0})],
        [("ln_structured", {"amount": 1, "n": 1, "dim": 1}), ("l1_unstructured", {"amount": 4})],
        [("ln_structured", {"amount": 1, "n": 2, "dim": 0})] * 2,
        [("identity", {})],
    ):
        mine, theirs = layers(torch)
        for name, named in steps:
            assert getattr(prune, name)(mine, "weight", **named) is mine
            getattr(theirs_prune, name)(theirs, "weight", **named)
        same_state(mine, theirs)
        x = np.random.default_rng(1).standard_normal((2, 3, 5, 5)).astype(np.float32)
        for layer, library in ((mine, flow), (theirs, torch)):
            layer(library.tensor(x)).sum().backward()
        np.testing.assert_allclose(
            mine.weight_orig.grad.numpy(), theirs.weight_orig.grad.numpy(), atol=1e-4
        )
        assert prune.is_pruned(mine)
        prune.remove(mine, "weight")
        theirs_prune.remove(theirs, "weight")
        same_state(mine, theirs)
        assert not prune.is_pruned(mine)
        assert isinstance(mine.weight, nn.Parameter)


def test_masks_and_all_parameters_together() -> None:
    torch = pytest.importorskip("torch")
    theirs_prune: Any = pytest.importorskip("torch.nn.utils.prune")
    mine, theirs = layers(torch)
    mask = np.random.default_rng(2).integers(0, 2, (4, 3, 2, 2)).astype(np.float32)
    prune.custom_from_mask(mine, "weight", flow.tensor(mask))
    theirs_prune.custom_from_mask(theirs, "weight", torch.tensor(mask))
    same_state(mine, theirs)
    for module, library in ((mine, prune), (theirs, theirs_prune)):
        pairs = [(module, "weight"), (module, "bias")]
        library.global_unstructured(pairs, library.L1Unstructured, amount=10)
    same_state(mine, theirs)
    np.testing.assert_array_equal(mine.bias_mask.numpy(), theirs.bias_mask.numpy())


def test_training_keeps_zeros() -> None:
    layer = nn.Linear(4, 2)
    prune.random_unstructured(layer, "weight", amount=3)
    zeros = layer.weight_mask == 0
    assert zeros.sum().item() == 3
    optimizer = flow.optim.SGD(layer.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        layer(flow.ones(5, 4)).square().mean().backward()
        assert (layer.weight_orig.grad[zeros] == 0).all()
        optimizer.step()
    layer(flow.ones(1, 4))
    assert (layer.weight[zeros] == 0).all()


def test_methods_by_themselves() -> None:
    pruned = prune.L1Unstructured(amount=2).prune(flow.tensor([3.0, -1.0, 2.0]))
    assert pruned.tolist() == [3.0, 0.0, 0.0]
    layer = prune.random_structured(nn.Linear(6, 4), "weight", amount=0.5, dim=0)
    assert sorted(layer.weight_mask.sum(1).tolist()) == [0, 0, 6, 6]
    scores = flow.tensor([[1.0, 2.0], [4.0, 3.0]])
    layer = prune.l1_unstructured(nn.Linear(2, 2), "weight", 1, importance_scores=scores)
    assert layer.weight_mask.tolist() == [[0, 1], [1, 1]]
    container = prune.L1Unstructured.apply(layer, "weight", 1)
    assert isinstance(container, prune.PruningContainer)
    assert len(container) == 2
    assert prune._compute_nparams_toprune(0.5, 5) == 2


@pytest.mark.parametrize(
    ("amount", "kind", "message"),
    [
        (-1, ValueError, "an int of at least 0, or a float in"),
        (1.5, ValueError, "got 1.5"),
        ("a", TypeError, "must be a number"),
        (100, ValueError, "that are left, 4, got 100"),
    ],
)
def test_wrong_amounts(amount: Any, kind: type[Exception], message: str) -> None:
    layer = nn.Linear(2, 2)
    with pytest.raises(kind, match=rf"test_prune\.py:\d+: .*{message}"):
        prune.l1_unstructured(layer, "weight", amount)
    assert sorted(layer.state_dict()) == ["bias", "weight"]


def test_other_misuse() -> None:
    with pytest.raises(AttributeError, match="a module with parameter 'wait'"):
        prune.identity(nn.Linear(2, 2), "wait")
    with pytest.raises(ValueError, match="parameter 'weight' of .* was not pruned"):
        prune.remove(nn.Linear(2, 2), "weight")
    with pytest.raises(ValueError, match="slices of tensors of at least 2 dimensions"):
        prune.ln_structured(nn.Linear(2, 2), "bias", 1, 2, 0)
    pairs = [(nn.Linear(2, 2), "weight")]
    with pytest.raises(TypeError, match="takes unstructured methods, got RandomStructured"):
        prune.global_unstructured(pairs, prune.RandomStructured, amount=1)
    with pytest.raises(ValueError, match=r"mask of .* must have shape \(2,\), got \(3,\)"):
        prune.custom_from_mask(nn.Linear(2, 2), "bias", flow.ones(3))
