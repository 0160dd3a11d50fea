"""`to_global` in `build` of a graph that ranks share: states of values and of their gradients."""

import re
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.runtime.ranks.ranked_job import RankedJob

S0, S1, B, P = flow.sbp.split(0), flow.sbp.split(1), flow.sbp.broadcast, flow.sbp.partial_sum
STATES = {"S(0)": S0, "S(1)": S1, "B": B, "P": P}
R = np.random.default_rng(5)
X = R.standard_normal((7, 3)).astype(np.float32)
W = R.standard_normal((3, 5)).astype(np.float32)


@pytest.fixture(autouse=True)
def three_ranks(session: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RankedJob, "is_meant", True)
    flow.config.cpu_device_num(3)


def placement() -> Any:
    return flow.placement("cpu", [0, 1, 2])


class Converting(flow.nn.Graph):
    """A step of SGD on the sum of exp(x w), whose product and weight are converted."""

    def __init__(self, **given: Any) -> None:
        super().__init__()
        whole = flow.tensor(W).to_global(placement(), B)
        self.model = flow.nn.ParameterList([flow.nn.Parameter(whole)])
        self.add_optimizer(flow.optim.SGD(self.model.parameters(), lr=0.5))
        self.given = given

    def build(self, x: Any) -> Any:
        (weight,) = self.model.parameters()
        if "weight" in self.given:
            weight = weight.to_global(sbp=B, grad_sbp=self.given["weight"])
        product = x @ weight
        if {"sbp", "grad_sbp"} & self.given.keys():
            product = product.to_global(
                self.given.get("placement"), self.given.get("sbp"),
                grad_sbp=self.given.get("grad_sbp"),
            )  # fmt: skip
        loss = product.exp().sum()
        loss.backward()
        return loss


def feed() -> Any:
    return flow.tensor(X).to_global(placement(), B)


def check(graph: Converting) -> str:
    """Compare a step with NumPy in float64; returns the text of stage `placed`."""
    loss = graph(feed()).numpy()
    raised = np.exp(X.astype(np.float64) @ W)
    np.testing.assert_allclose(loss, raised.sum(), rtol=1e-5)
    (weight,) = graph.model.parameters()
    np.testing.assert_allclose(weight.numpy(), W - 0.5 * X.T @ raised, rtol=1e-4, atol=1e-4)
    text: str = graph.lower().as_text("placed")
    return text


def casts(text: str) -> list[str]:
    """The states that conversions in `build` make, in order."""
    return re.findall(r'"sbp\.cast".*?results = \["([^"]*)"\]', text)


@pytest.mark.parametrize(
    ("forward", "backward"),
    [("S(0)", "S(1)"), ("S(1)", "B"), ("B", "S(0)"), ("B", "P"), ("P", "S(1)"), ("S(0)", "P")],
)
def test_values_and_gradients_are_in_the_states_asked_for(forward: str, backward: str) -> None:
    text = check(Converting(sbp=STATES[forward], grad_sbp=STATES[backward]))
    assert casts(text) == [forward, backward]


def test_the_state_of_a_gradient_alone() -> None:
    text = check(Converting(grad_sbp=S1))
    assert casts(text)[-1] == "S(1)"
    assert not casts(check(Converting()))


def test_parameters_are_converted() -> None:
    # Of 3 and 5 elements for three ranks.
    assert casts(check(Converting(weight=S1))) == ["B", "S(1)"]


def test_meshes_have_a_state_on_each_axis() -> None:
    flow.config.cpu_device_num(4)

    class OnMesh(flow.nn.Graph):
        def build(self, x: Any) -> Any:
            return (x @ flow.tensor(W)).to_global(sbp=[S0, B]).exp()

    mesh = flow.placement("cpu", [[0, 1], [2, 3]])
    graph = OnMesh()
    found = graph(flow.tensor(X).to_global(mesh, [B, B])).numpy()
    np.testing.assert_allclose(found, np.exp(X @ W), rtol=1e-5)
    assert casts(graph.lower().as_text("placed")) == ["S(0), B"]


def test_conversions_that_do_not_fit_are_refused() -> None:
    others = flow.placement("cpu", [0, 1])
    with pytest.raises(ValueError, match=r"and others on .*; convert one with to_global"):
        Converting(sbp=S0, placement=others)(feed())
    with pytest.raises(ValueError, match="cannot be split along dim 2"):
        Converting(sbp=B, grad_sbp=flow.sbp.split(2))(feed())

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3, 3))) -> tp.Numpy:  # type: ignore[valid-type]
        return x.to_global(sbp=B)

    with pytest.raises(NotImplementedError, match=r"is for nn.Graph; in a job, use flow.parallel_"):
        job.trace()
