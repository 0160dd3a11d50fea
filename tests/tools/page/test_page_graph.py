"""The groups of the page's graph: phases, layers and kernels; and the work of lines."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import penstock as flow
import penstock.typing as tp
from penstock.ir.meaning.cost import Cost
from penstock.tools import cli
from penstock.tools.explore import explore, source_lines
from penstock.tools.page.data import page_data
from penstock.tools.page.graph import _handed_on
from penstock.tools.page.kernels import KernelNode
from penstock.tools.page.scopes import BACKWARD, FORWARD, OPTIMIZER, Scope, scopes_of


@pytest.fixture(scope="module")
def stages() -> Any:
    flow.clear_default_session()

    @flow.global_function(type="train")
    def net(
        x: tp.Numpy.Placeholder((6, 8)), labels: tp.Numpy.Placeholder((6,), dtype=flow.int32)
    ) -> tp.Numpy:
        with flow.scope.namespace("encoder"):
            for number in range(2):
                y = flow.layers.dense(x, 8, flow.math.gelu, name=f"layer{number}-up")
                x = x + flow.layers.dense(y, 8, name=f"layer{number}-down")
        scores = flow.layers.dense(x, 4, name="output")
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, scores)
        flow.optimizer.Adam(flow.optimizer.PiecewiseConstantScheduler([], [0.1])).minimize(loss)
        return loss

    lowered = net.lower()
    yield lowered
    flow.clear_default_session()


@pytest.fixture(scope="module")
def data(stages: Any) -> dict[str, Any]:
    return page_data(stages, "loops", source_lines, lambda text: None)


def test_each_op_belongs_to_a_phase_and_a_layer(stages: Any) -> None:
    module = stages.modules["placed"]
    found = scopes_of(module)
    body = [op for op in module.job.body if not op.terminator]
    assert len(found.ops) == len(body)
    phases = [scope.phase for scope in found.ops]
    loss = next(i for i, op in enumerate(body) if "cross_entropy" in op.name)
    assert phases[: loss + 1] == [FORWARD] * (loss + 1)
    assert {body[i].name for i, phase in enumerate(phases) if phase == OPTIMIZER} >= {"job.adam"}
    assert all(phase != FORWARD for phase in phases[loss + 1 :])
    for op, scope in zip(body, found.ops, strict=True):
        if scope.phase == FORWARD and op.results[0].name.startswith("encoder-layer1-up"):
            assert scope.layer == ("encoder", "layer1", "up")
    # `x + ...` has no name; its line is in the loop over layers.
    adds = [
        (op, scope) for op, scope in zip(body, found.ops, strict=True)
        if scope.phase == FORWARD and op.name == "flow.add" and "bias" not in op.results[0].name
    ]  # fmt: skip
    assert [scope.layer for _, scope in adds] == [("encoder", "layer0"), ("encoder", "layer1")]


def test_gradients_belong_to_the_layers_of_their_ops(stages: Any) -> None:
    """All layers share the lines of this loop."""
    module = stages.modules["placed"]
    found = scopes_of(module)
    body = [op for op in module.job.body if not op.terminator]
    wanted = {
        argument.name: scope.layer
        for argument, scope in zip(module.job.arguments, found.arguments, strict=True)
    }
    scope_of = {
        result: scope for op, scope in zip(body, found.ops, strict=True) for result in op.results
    }
    weights = [
        op for op in body if op.name == "job.adam" and op.operands[0].name.endswith("weight")
    ]
    assert len(weights) == 5
    for op in weights:
        gradient = op.operands[1]
        while gradient.defining_op.name != "flow.matmul":
            gradient = gradient.defining_op.operands[0]
        assert scope_of[gradient] == Scope(BACKWARD, wanted[op.operands[0].name])


def test_jobs_without_updates_have_one_phase() -> None:
    flow.clear_default_session()

    @flow.global_function()
    def net(x: tp.Numpy.Placeholder((6, 8))) -> tp.Numpy:
        return flow.math.tanh(flow.layers.dense(x, 8, name="one"))

    found = scopes_of(net.lower().modules["placed"])
    assert {scope.phase for scope in (*found.ops, *found.arguments, *found.results)} == {FORWARD}
    assert found.ops[0].layer == ("one",)
    assert found.ops[-1].layer == ()


def test_a_variable_without_a_layer_belongs_to_that_of_its_readers() -> None:
    """Such as tensors that a graph captures: they would crowd round the input."""
    flow.clear_default_session()

    @flow.global_function()
    def net(x: tp.Numpy.Placeholder((6, 8))) -> tp.Numpy:
        masks = [
            flow.get_variable(f"mask{number}", (6, 8), initializer=flow.ones_initializer())
            for number in range(3)
        ]
        for number in range(2):
            x = flow.layers.dense(x, 8, name=f"layer{number}-up")
            x = flow.math.multiply(x, masks[number], name=f"layer{number}-masked")
            x = flow.math.add(x, masks[2], name=f"layer{number}-added")
        return x

    job = net.lower().modules["placed"]
    found = dict(zip([a.name for a in job.job.arguments], scopes_of(job).arguments, strict=True))
    assert [found[f"mask{number}"].layer for number in range(3)] == [("layer0",), ("layer1",), ()]


def named(data: dict[str, Any], number: int = 0) -> list[str]:
    graph = data["graph"]
    return [
        graph["groups"][item[4]]["name"] if item[4] >= 0 else graph["nodes"][item[5]][0]
        for item in graph["groups"][number]["items"]
    ]


def test_a_job_is_first_folded_to_its_parts(data: dict[str, Any]) -> None:
    graph = data["graph"]
    top = named(data)
    assert set(top) >= {"encoder", "output", "backward", "optimizer", "x", "labels", "fetch 0"}
    assert len(top) <= 9
    groups = {group["name"]: number for number, group in enumerate(graph["groups"])}
    assert named(data, groups["encoder"]) == ["layer0", "layer1"]
    # The state of the optimizer is nowhere else.
    state = [n for n, node in enumerate(graph["nodes"]) if node[0].endswith(("-m", "-v"))]
    assert state
    inside = nodes_of(graph, groups["optimizer"])
    assert inside.issuperset(state)


def nodes_of(graph: dict[str, Any], number: int) -> set[int]:
    found = set()
    for item in graph["groups"][number]["items"]:
        found |= nodes_of(graph, item[4]) if item[4] >= 0 else {item[5]}
    return found


def test_each_node_is_in_one_group(data: dict[str, Any]) -> None:
    graph = data["graph"]
    items = [item for group in graph["groups"] for item in group["items"]]
    nodes = sorted(item[5] for item in items if item[4] < 0)
    assert nodes == list(range(len(graph["nodes"])))
    inner = sorted(item[4] for item in items if item[4] >= 0)
    assert inner == list(range(1, len(graph["groups"])))
    for number, group in enumerate(graph["groups"]):
        assert all(item[4] < 0 or item[4] > number for item in group["items"])
        if group["kind"] == "layer":
            assert len(group["items"]) > 1


def test_gradients_are_drawn_from_the_loss_alone(data: dict[str, Any]) -> None:
    graph = data["graph"]
    top = graph["groups"][0]
    names = named(data)
    ends = [(names[a], names[b]) for a, b, _ in top["edges"]]
    assert ("backward", "optimizer") in ends
    assert [a for a, b in ends if b == "backward"] == [
        name for name in names if ("labels", name) in ends
    ]
    assert ("encoder", "output") in ends


def test_lines_add_up_to_the_step(data: dict[str, Any]) -> None:
    cost = data["cost"]
    for amount in ("flops", "transcendentals", "read", "written"):
        assert sum(line[amount] for line in cost["lines"]) == cost["total"][amount] > 0
    # Each op by itself does more: products with the constant gradient of the loss, for example.
    assert sum(op["read"] for op in cost["ops"]) > cost["total"]["read"]


# -- profiles -------------------------------------------------------------------------------------

TIMES = {"unit": "us", "steps": 3, "kernels": {"tanh_0": 5}, "lines": {"net.py:5": 2.5}}
PROFILE = {"jobs": {"net": TIMES}, "peak": None}
SHOWN = {"unit": "us", "steps": 3, "kernels": {"tanh_0": 5.0}, "lines": {"net.py:5": 2.5}}


@pytest.fixture
def job_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    flow.clear_default_session()
    path = tmp_path / "net.py"
    path.write_text(
        "import penstock as flow\nimport penstock.typing as tp\n@flow.global_function()\n"
        "def net(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:\n    return flow.math.tanh(x)\n"
    )
    yield path
    flow.clear_default_session()


def test_a_profile_is_shown(job_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["profile", "net.py", "--steps", "2", "--threads", "1", "--json"]) == 0
    Path("times.json").write_text(capsys.readouterr().out)
    words = ["explore", "net.py", "--stop-after", "fused", "--profile", "times.json", "--json"]
    assert cli.main(words) == 0
    data = json.loads(capsys.readouterr().out)
    profile = data["profile"]
    assert set(profile["kernels"]) == {kernel["name"] for kernel in data["graph"]["kernels"]}
    path = data["files"][0]["path"]
    assert profile["lines"][f"{path}:5"] > 0
    assert all(time > 0 for time in profile["kernels"].values())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nothing", "times.json: expected what penstock profile --json prints: "),
        ("[]", "times.json: expected a profile, as penstock profile --json prints"),
        ('{"jobs": {}}', "times.json: expected a profile of net, got one of no job"),
        (json.dumps({"jobs": {"other": TIMES}}), "expected a profile of net, got one of other"),
        (json.dumps({"job": "other", **TIMES}), "expected a profile of net, got one of other"),
        (
            json.dumps({"job": "net", **TIMES, "unit": "s"}),
            "times.json: expected the us of each kernel and each line of net",
        ),
        (
            json.dumps({"job": "net", **TIMES, "lines": {"net.py:3": "long"}}),
            "times.json: expected the us of each kernel and each line of net",
        ),
        (
            json.dumps({"job": "net", **TIMES, "kernels": {"tanh_0": float("nan")}}),
            "times.json: expected the us of each kernel and each line of net",
        ),
    ],
)
def test_errors_of_profiles(
    text: str, said: str, job_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("times.json").write_text(text)
    words = ["--stop-after", "job", "--profile", "times.json", "--json"]
    assert cli.main(["explore", "net.py", *words]) == 1
    assert said in capsys.readouterr().err


def test_explore_takes_a_profile() -> None:
    @flow.global_function()
    def net(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        return flow.math.tanh(x)

    with pytest.raises(ValueError, match="expected a profile, as penstock"):
        explore(net, "job", profile={})
    page = explore(net, "job", profile=PROFILE)
    assert json.dumps(SHOWN, separators=(",", ":")) in page


def test_a_kernel_that_recomputes_an_op_reads_what_that_reads() -> None:
    # 0 -> 1 -> 2 -> 3, where 2 is in two kernels: it is shown in the first.
    kernels = [KernelNode("a", (1, 2), Cost()), KernelNode("b", (2, 3, 4), Cost())]
    home = {1: 0, 2: 0, 3: 1, 4: 1}
    edges = [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert list(_handed_on(edges, kernels, home)) == [(0, 1), (1, 2), (1, 3), (3, 4)]
