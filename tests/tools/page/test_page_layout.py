"""The layout of graphs: layers, order, no overlaps, and linear work."""

import random
from itertools import pairwise

import pytest

from penstock.tools.page.layout import LONGEST, Layout, layered

WIDTH, HEIGHT = 80.0, 30.0


def laid_out(count: int, edges: list[tuple[int, int]]) -> Layout:
    return layered([(WIDTH, HEIGHT)] * count, edges)


def random_edges(count: int, seed: int) -> list[tuple[int, int]]:
    chooser = random.Random(seed)
    return [
        (chooser.randrange(max(0, i - 40), i), i)
        for i in range(1, count)
        for _ in range(chooser.randrange(3))
    ]


def test_empty_graph_and_single_node() -> None:
    empty = laid_out(0, [])
    assert (list(empty.x), list(empty.layers), empty.width, empty.height) == ([], [], 0, 0)
    one = laid_out(1, [])
    assert (list(one.x), list(one.y), one.width, one.height) == ([0], [0], WIDTH, HEIGHT)


def test_a_chain_is_a_column() -> None:
    chain = laid_out(6, [(i, i + 1) for i in range(5)])
    assert len(set(chain.x)) == 1
    assert list(chain.y) == sorted(set(chain.y))


@pytest.mark.parametrize("seed", range(6))
def test_edges_go_down_and_nothing_overlaps(seed: int) -> None:
    edges = random_edges(200, seed)
    layout = laid_out(200, edges)
    assert all(layout.y[a] < layout.y[b] for a, b in edges)
    assert sorted(n for row in layout.layers for n in row) == list(range(len(layout.x)))
    for row in layout.layers:
        nodes = [n for n in row if n < 200]
        for left, right in pairwise(nodes):
            assert layout.x[left] + WIDTH <= layout.x[right] + 0.11
    assert min(layout.x) == 0
    assert max(x + WIDTH for x in layout.x[:200]) <= layout.width + 0.11


def test_side_nodes_do_not_bend_a_chain() -> None:
    """Weights beside each step of a long chain, as in a deep network."""
    steps = 300
    edges = [(i, i + 1) for i in range(steps - 1)]
    edges += [(steps + 2 * i + k, i) for i in range(steps) for k in (0, 1)]
    layout = laid_out(3 * steps, edges)
    assert layout.width < 8 * WIDTH


def test_side_nodes_may_start_chains() -> None:
    """Updates of weights beside each step of a long backward chain."""
    steps = 300
    edges = [(i, i + 1) for i in range(steps - 1)]
    for i in range(steps):
        branch = steps + 4 * i
        edges += [(i, branch), (branch, branch + 1), (i, branch + 2), (branch + 2, branch + 3)]
    layout = laid_out(5 * steps, edges)
    assert layout.width < 12 * WIDTH


def test_sources_are_placed_next_to_their_reader() -> None:
    chain = [(i, i + 1) for i in range(9)]
    layout = laid_out(11, [*chain, (10, 9)])
    assert layout.y[10] == layout.y[8]


def test_edges_are_routed_around_nodes() -> None:
    layout = laid_out(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    assert [len(bends) for bends in layout.bends] == [0, 0, 0, 2]
    for bend in layout.bends[3]:
        (row,) = [row for row in layout.layers if bend in row]
        (node,) = [n for n in row if n < 4]
        assert not layout.x[node] <= layout.x[bend] <= layout.x[node] + WIDTH


def test_a_long_edge_has_no_bends() -> None:
    count = LONGEST + 3
    chain = [(i, i + 1) for i in range(count - 1)]
    assert laid_out(count, [*chain, (0, count - 1)]).bends[-1] == []


def test_cycles_and_double_edges() -> None:
    layout = laid_out(3, [(0, 1), (0, 1), (1, 2), (2, 0), (1, 1)])
    assert list(layout.y[:3]) == sorted(set(layout.y[:3]))


def test_crossings_are_removed() -> None:
    layout = laid_out(6, [(0, 5), (1, 4), (2, 3)])
    order = [layout.x[n] for n in (0, 1, 2)]
    assert [layout.x[n] for n in (5, 4, 3)] == order


def test_the_work_is_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    from penstock.tools.page import layout as module

    packed = 0
    pack = module._pack

    def counting(row, *rest):  # type: ignore[no-untyped-def]
        nonlocal packed
        packed += len(row)
        pack(row, *rest)

    monkeypatch.setattr(module, "_pack", counting)
    for count in (500, 2000):
        packed = 0
        edges = [(0, i) for i in range(1, count)] + [(i, i + 1) for i in range(count - 1)]
        laid_out(count, edges)
        assert packed <= (module.MOVES + 1) * (count + LONGEST * len(edges))
        assert packed <= 60 * count
