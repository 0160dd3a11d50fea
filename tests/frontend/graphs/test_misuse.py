"""Calls of graphs in other forms, copies of graphs, and handlers that do not fit."""

import copy
import pickle
from typing import Any

import pytest

import penstock as flow
from penstock import nn

X, Y = flow.ones(2, 3), flow.ones(2, 1)


class Fit(nn.Graph):
    def __init__(self) -> None:
        super().__init__()
        self.model = nn.Linear(3, 1)

    def build(self, x: Any, y: Any, *, scale: Any = None) -> Any:
        found = self.model(x) - y
        return found if scale is None else found * scale


def test_inputs_by_name_in_any_order() -> None:
    graph = Fit()
    wanted = graph(X, Y)
    compiled = graph._latest()
    for found in (graph(y=Y, x=X), graph(x=X, y=Y), graph(X, y=Y)):
        assert flow.equal(found, wanted)
    assert graph._latest() is compiled
    other = Fit()
    other.load_state_dict(graph.state_dict())
    assert flow.equal(other(y=Y, scale=flow.full((1,), 2.0), x=X), wanted * 2)
    seen: list[Any] = []
    other.watch("y", seen.append)
    other(y=Y, scale=flow.full((1,), 2.0), x=X)
    assert [array.shape for array in seen] == [(2, 1)]
    for args, named in (((X,), {}), ((X,), {"z": Y}), ((X, Y, X), {})):
        with pytest.raises((TypeError, ValueError), match=r"py:\d+: (build of )?graph 'Fit_\d+'"):
            graph(*args, **named)
    assert flow.equal(graph(X, Y), wanted)


@pytest.mark.parametrize("deed", [copy.copy, copy.deepcopy, pickle.dumps])
def test_graphs_are_not_copied(deed: Any) -> None:
    graph = Fit()
    with pytest.raises(TypeError, match=r"py:\d+: graph 'Fit_\d+' cannot be copied or pickled"):
        deed(graph)
    with pytest.raises(TypeError, match=r"py:\d+: module model of a graph cannot be copied"):
        deed(graph.model)
    assert graph(X, Y).shape == (2, 1)


@pytest.mark.parametrize("handler", [3, lambda a, b, c: None])
def test_handlers_that_do_not_fit(handler: Any) -> None:
    graph = Fit()
    before = graph(X, Y)
    with pytest.raises(TypeError, match=r"py:\d+: watch of graph 'Fit_\d+': a handler "):
        graph.watch("model.matmul", handler)
    pattern: Any = 3
    with pytest.raises(TypeError, match=r"py:\d+: watch of graph 'Fit_\d+': watch points must be"):
        graph.watch(pattern, print)
    assert flow.equal(graph(X, Y), before)
    seen: list[str] = []
    stop = graph.watch("model.matmul", lambda name, array: seen.append(name))
    graph(X, Y)
    stop()
    assert seen == ["model.matmul"]


@pytest.mark.parametrize(
    ("name", "instead"),
    [("parameters", "its modules"), ("eval", "eval")],
)
def test_what_graphs_lack(name: str, instead: str) -> None:
    graph = Fit()
    assert not hasattr(graph, name)
    with pytest.raises(AttributeError, match=rf"py:\d+: Fit has no '{name}'; .*{instead}"):
        getattr(graph, name)()


def test_graphs_have_one_batch_size(tmp_path: Any) -> None:
    graph = Fit()
    graph(X, Y)
    with pytest.raises(ValueError, match=r"py:\d+: job 'Fit_\d+' is a graph or the text of a st"):
        flow.save_artifact(tmp_path / "fit.pstk", graph, sizes=[1, 2])
