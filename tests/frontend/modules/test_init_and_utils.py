"""`nn.init` and `nn.utils`: initial values, gradient clipping, parameters as a vector, weight
norm."""

from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock import nn
from penstock.nn import init


def test_random_initial_values() -> None:
    flow.manual_seed(1)
    x = flow.empty(64, 128)
    assert init.uniform_(x, -2.0, 3.0) is x
    values = x.numpy()
    assert values.min() >= -2
    assert values.max() < 3
    assert abs(values.mean() - 0.5) < 0.1
    values = init.normal_(x, 1.0, 2.0).numpy()
    assert abs(values.mean() - 1) < 0.1
    assert abs(values.std() - 2) < 0.1
    values = init.trunc_normal_(x, 0.0, 1.0, -0.5, 1.0).numpy()
    assert values.min() >= -0.5
    assert values.max() <= 1
    assert abs(values.mean() - 0.2) < 0.1
    assert np.abs(init.xavier_uniform_(x).numpy()).max() <= np.sqrt(6 / 192)
    assert abs(init.xavier_normal_(x).numpy().std() - np.sqrt(2 / 192)) < 0.01
    assert np.abs(init.kaiming_uniform_(x, mode="fan_out").numpy()).max() <= np.sqrt(6 / 64)
    assert abs(init.kaiming_normal_(x, nonlinearity="relu").numpy().std() - 0.125) < 0.01
    zeros = (init.sparse_(x, 0.25).numpy() == 0).sum(0)
    assert (zeros == 16).all()
    flow.manual_seed(1)
    first = flow.nn.Linear(3, 2).weight.tolist()
    flow.manual_seed(1)
    assert flow.nn.Linear(3, 2).weight.tolist() == first


def test_fixed_initial_values() -> None:
    assert init.ones_(flow.empty(2)).tolist() == [1.0, 1.0]
    assert init.zeros_(flow.empty(2)).tolist() == [0.0, 0.0]
    assert init.eye_(flow.empty(2, 3)).tolist() == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    assert init.dirac_(flow.empty(2, 2, 3)).tolist() == [
        [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    ]  # fmt: skip
    rows = init.orthogonal_(flow.empty(3, 5, dtype=flow.float64), 2.0).numpy()
    np.testing.assert_allclose(rows @ rows.T, 4 * np.eye(3), atol=1e-12)
    parameter = nn.Parameter(flow.empty(2))
    init.constant_(parameter, 0.5)
    assert parameter.tolist() == [0.5, 0.5]
    assert parameter.is_leaf
    assert init.calculate_gain("leaky_relu", 1.0) == 1.0


def test_errors_of_init() -> None:
    with pytest.raises(
        ValueError, match="xavier_uniform_ takes a tensor of two dimensions or more"
    ):
        init.xavier_uniform_(flow.empty(3))
    with pytest.raises(TypeError, match="uniform_ fills tensors of floats, got flow.int64"):
        init.uniform_(flow.tensor([1]))
    with pytest.raises(ValueError, match='no gain is known of .*"rellu"; did you mean "relu"'):
        init.calculate_gain("rellu")
    with pytest.raises(ValueError, match='mode of .* must be "fan_in" or "fan_out"'):
        init.kaiming_normal_(flow.empty(2, 2), mode="in")
    with pytest.raises(
        AttributeError, match='flow.nn.init has no .unifrom_.; did you mean "uniform_"'
    ):
        _ = init.unifrom_


def with_gradients(*gradients: list[float]) -> list[Any]:
    results = []
    for gradient in gradients:
        parameter = nn.Parameter(flow.zeros(len(gradient)))
        parameter.grad = flow.tensor(gradient)
        results.append(parameter)
    return results


def test_clipped_gradients() -> None:
    parameters = with_gradients([3.0], [0.0, -4.0])
    assert nn.utils.clip_grad_norm_(parameters, 10.0).item() == 5.0
    assert parameters[0].grad.tolist() == [3.0]
    assert nn.utils.clip_grad_norm_(parameters, 1.0, "inf").item() == 4.0
    np.testing.assert_allclose(parameters[1].grad.numpy(), [0.0, -1.0], rtol=1e-6)
    nn.utils.clip_grad_value_(parameters, 0.25)
    assert parameters[0].grad.tolist() == [0.25]
    assert parameters[1].grad.tolist() == [0.0, -0.25]
    parameters = with_gradients([3.0], [0.0, 0.0], [1.0, -4.0])
    for order, wanted in (
        (0, 2.0),
        ("-inf", 0.0),
        (-1, 0.0),
        (3.5, (3**3.5 + 1 + 4**3.5) ** (1 / 3.5)),
    ):
        made = nn.utils.clip_grad_norm_(parameters, 10.0, order)
        np.testing.assert_allclose(made.item(), wanted, rtol=1e-6)
    with pytest.raises(ValueError, match="norm_type of clip_grad_norm_ must be a number, got nan"):
        nn.utils.clip_grad_norm_(parameters, 1.0, float("nan"))
    with pytest.raises(RuntimeError, match="the norm of the gradients is inf"):
        nn.utils.clip_grad_norm_(with_gradients([np.inf]), 1.0, error_if_nonfinite=True)
    assert nn.utils.clip_grad_norm_([], 1.0).item() == 0.0


def test_parameters_as_a_vector() -> None:
    layer = nn.Linear(2, 1)
    vector = nn.utils.parameters_to_vector(layer.parameters())
    assert vector.shape == (3,)
    nn.utils.vector_to_parameters(flow.tensor([1.0, 2.0, 3.0]), layer.parameters())
    assert layer.weight.tolist() == [[1.0, 2.0]]
    assert layer.bias.tolist() == [3.0]
    with pytest.raises(ValueError, match="takes a vector of 3 elements"):
        nn.utils.vector_to_parameters(vector[:2], layer.parameters())


def test_weight_norm() -> None:
    layer = nn.Linear(2, 1, bias=False)
    nn.utils.vector_to_parameters(flow.tensor([3.0, 4.0]), layer.parameters())
    nn.utils.weight_norm(layer)
    whole = nn.utils.weight_norm(nn.Linear(2, 1), dim=-1)
    assert whole.weight_g.shape == ()
    assert layer.weight_g.tolist() == [[5.0]]
    with flow.no_grad():
        layer.weight_g.fill_(10.0)
    assert layer(flow.tensor([1.0, 1.0])).tolist() == [14.0]
    nn.utils.remove_weight_norm(layer)
    assert [name for name, _ in layer.named_parameters()] == ["weight"]
    assert layer(flow.tensor([1.0, 1.0])).tolist() == [14.0]
    with pytest.raises(ValueError, match="is not made by weight_norm"):
        nn.utils.remove_weight_norm(layer)


def test_spectral_norm() -> None:
    weight = np.array([[3.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    layer = nn.Linear(3, 2, bias=False).double()
    layer.load_state_dict({"weight": weight})
    assert nn.utils.spectral_norm(layer, n_power_iterations=40) is layer
    x = flow.eye(3, dtype=flow.float64)
    largest = np.linalg.svd(weight)[1].max()
    np.testing.assert_allclose(layer(x).numpy(), (weight / largest).T, atol=1e-12)
    before = layer.weight_u.tolist()
    layer.eval()(x)
    assert layer.weight_u.tolist() == before


def test_spectral_norm_in_a_graph() -> None:
    eager, layer = (nn.utils.spectral_norm(nn.Linear(3, 2).double()) for _ in range(2))
    layer.load_state_dict(eager.state_dict())

    class Graph(nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.layer = layer

        def build(self, x: flow.Tensor) -> flow.Tensor:
            made: flow.Tensor = self.layer(x)
            return made

    graph, x = Graph(), flow.ones(4, 3, dtype=flow.float64)
    for _ in range(3):
        np.testing.assert_allclose(graph(x).numpy(), eager(x).detach().numpy(), rtol=1e-12)
        np.testing.assert_allclose(layer.weight_u.numpy(), eager.weight_u.numpy(), rtol=1e-12)


def test_misuse_of_spectral_norm() -> None:
    for deed, words in (
        (lambda: nn.utils.spectral_norm(nn.ReLU()), "takes a module with parameter 'weight'"),
        (lambda: nn.utils.spectral_norm(nn.Linear(1, 1), n_power_iterations=0), "positive int"),
        (lambda: nn.utils.spectral_norm(nn.Linear(1, 1), dim=2), r"must lie in \[-2, 2\), got 2"),
        (lambda: nn.utils.remove_spectral_norm(nn.Linear(1, 1)), "is not made by spectral_norm"),
    ):
        with pytest.raises((ValueError, IndexError), match=rf"_utils\.py:\d+: .*{words}"):
            deed()


def test_a_sequence() -> None:
    layer = nn.LSTM(2, 3).double()
    weights = [parameter.numpy() for parameter in layer.parameters()]
    x = np.random.default_rng(0).normal(size=(4, 1, 2))
    h = c = np.zeros((1, 3))
    outputs = []
    for step in x:
        gates = step @ weights[0].T + h @ weights[1].T + weights[2] + weights[3]
        i, f, o = (1 / (1 + np.exp(-gates[:, a : a + 3])) for a in (0, 3, 9))
        c = f * c + i * np.tanh(gates[:, 6:9])
        h = o * np.tanh(c)
        outputs.append(h)
    result, (last, cell) = layer(flow.tensor(x))
    np.testing.assert_allclose(result.detach().numpy(), outputs, rtol=1e-12)
    np.testing.assert_allclose(last.detach().numpy()[0], h, rtol=1e-12)
    np.testing.assert_allclose(cell.detach().numpy()[0], c, rtol=1e-12)
    with pytest.raises(ValueError, match=r"the state of flow.nn.LSTM must have shape \(1, 1, 3\)"):
        layer(flow.tensor(x), (flow.zeros(1, 3), flow.zeros(1, 3)))
    with pytest.raises(ValueError, match="LSTM takes an input of 2 or 3 dimensions, the last of 2"):
        layer(flow.zeros(4, 1, 5))


def test_grids() -> None:
    still = flow.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]], dtype=flow.float64)
    x = np.arange(6.0).reshape(1, 1, 2, 3)
    grid = nn.functional.affine_grid(still, (1, 1, 2, 3))
    np.testing.assert_allclose(grid.numpy()[0, 0, :, 0], [-2 / 3, 0, 2 / 3], atol=1e-12)
    result = nn.functional.grid_sample(flow.tensor(x), grid)
    np.testing.assert_allclose(result.numpy(), x, atol=1e-12)
    moved = nn.functional.grid_sample(
        flow.tensor(x), grid + flow.tensor([2 / 3, 0.0], dtype=flow.float64)
    )
    np.testing.assert_allclose(moved.numpy()[0, 0], [[1, 2, 0], [4, 5, 0]], atol=1e-12)
    edge = nn.functional.grid_sample(flow.tensor(x), grid * 3, "nearest", "border")
    np.testing.assert_allclose(edge.numpy()[0, 0], [[0, 1, 2], [3, 4, 5]], atol=1e-12)
