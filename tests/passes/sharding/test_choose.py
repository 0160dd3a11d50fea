"""The pass `choose`: the plans it finds unaided for known networks, hints, and its errors."""

from typing import Any

import pytest
from random_graphs import random_module

import penstock as flow
import penstock.typing as tp
from penstock.ir.attributes import attribute, python_value
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.text.printer import print_module
from penstock.passes.sharding import milp
from penstock.passes.sharding.choose import Choose, machine_of

FAST = {"flops": 150e12, "bandwidth": 1.5e12}
RING = {**FAST, "links": ("5e-6:1e11",)}
MODES = [
    pytest.param(
        "optimal", marks=pytest.mark.skipif(not milp.available(), reason="SciPy is not installed")
    ),
    "eliminate",
]


def network(batch: int, *widths: int, mesh: tuple[int, ...] = (4,)) -> Module:
    """A training step of dense layers, with Adam, on a mesh of ranks."""

    @flow.global_function(type="train")
    def step(
        x: tp.Numpy.Placeholder((batch, widths[0])),
        labels: tp.Numpy.Placeholder((batch,), dtype=flow.int32),
    ) -> tp.Numpy:
        for number, width in enumerate(widths[1:], 1):
            activation = None if number == len(widths) - 1 else flow.nn.relu
            x = flow.layers.dense(
                x, width, activation, name=f"fc{number}",
                kernel_initializer=flow.glorot_uniform_initializer(),
            )  # fmt: skip
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, x)
        rates = flow.optimizer.PiecewiseConstantScheduler([], [0.001])
        flow.optimizer.Adam(rates).minimize(loss)
        return loss

    module = step.lower().modules["grad"]
    module.attributes["sbp.mesh"] = attribute(list(mesh))
    return module


def signatures(module: Module, name: str) -> list[str]:
    """The signatures of the ops of a name, as text."""
    return [
        f"{', '.join(found['operands'])} -> {', '.join(found['results'])}"
        for op in module.job.body
        if op.name == name
        for found in [python_value(op.attributes["sbp.signature"])]
    ]


def states(module: Module) -> dict[str, str]:
    entries = [module.job.argument_attributes(i) for i in range(len(module.job.arguments))]
    return {
        str(python_value(entry.get("job.variable") or entry["job.feed"])): str(
            python_value(entry["sbp.state"])
        )
        for entry in entries
    }


def plan(module: Module) -> dict[str, Any]:
    return dict(python_value(module.attributes["sbp.plan"]))


@pytest.mark.parametrize("mode", MODES)
def test_many_examples_and_few_weights_are_data_parallel(mode: Any) -> None:
    """Examples are split, and so are the optimizer's states and the weights (ZeRO)."""
    module = network(65536, 784, 512, 512, 64)
    Choose(mode=mode, **RING).run(module)
    products = signatures(module, "flow.matmul")
    assert products[:3] == ["S(0), B -> S(0)"] * 3
    assert sorted(products[3:]) == ["S(0), B -> S(0)"] * 2 + ["S(0), S(0) -> P"] * 3
    assert all("B" not in adam.partition(",")[0] for adam in signatures(module, "job.adam"))
    found = states(module)
    assert found["x"] == "S(0)"
    assert {found[f"fc2-weight{end}"][0] for end in ("", "-m", "-v")} == {"S"}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("ranks", [4, 64])
def test_few_examples_and_many_weights_are_split_as_megatron_does(mode: Any, ranks: int) -> None:
    """The first layer by columns, the second by rows: one sum in between, and no gradient moves.

    A greedy choice, which splits the examples, takes more than nine times as long.
    """
    module = network(64, 16384, 65536, 16384, mesh=(ranks,))
    Choose(mode=mode, **RING).run(module)
    # The weights are transposed operands: their rows are the columns of the product.
    assert signatures(module, "flow.matmul")[:2] == ["B, S(0) -> S(1)", "S(1), S(1) -> P"]
    found = states(module)
    assert (found["fc1-weight"], found["fc2-weight"]) == ("S(0)", "S(1)")
    best = plan(module)["seconds"]
    Choose(mode="greedy", **RING).run(module)
    assert signatures(module, "flow.matmul")[:2] == ["S(0), B -> S(0)"] * 2
    assert plan(module)["seconds"] > 9 * best


def test_greedy_is_data_parallel_with_whole_weights() -> None:
    module = network(64, 32, 32, 16)
    Choose(mode="greedy").run(module)
    assert signatures(module, "flow.matmul")[:2] == ["S(0), B -> S(0)"] * 2
    assert set(states(module).values()) == {"S(0)", "B"}
    assert plan(module)["solver"] == "greedy"


@pytest.mark.parametrize("mode", MODES)
def test_two_axes_have_a_state_each(mode: Any) -> None:
    module = network(256, 512, 1024, 512, mesh=(2, 2))
    Choose(mode=mode, links=("1e-5:1e9", "1e-6:1e10")).run(module)
    assert all(state.count(",") == 1 for state in states(module).values())
    machine = machine_of(module)
    assert machine is not None
    assert [link.latency for link in machine.links] == [1e-5, 1e-6]


@pytest.mark.parametrize("mode", MODES)
def test_hints_are_kept(mode: Any) -> None:
    module = network(64, 32, 32, 16)
    hint(module, "fc1-weight", "S(1)")
    product = next(op for op in module.job.body if op.name == "flow.matmul")
    product.attributes["sbp.hint"] = attribute(["P"])
    Choose(mode=mode).run(module)
    assert states(module)["fc1-weight"] == "S(1)"
    assert signatures(module, "flow.matmul")[0].endswith("-> P")
    assert "sbp.hint" not in print_module(module)


def hint(module: Module, variable: str, state: str) -> None:
    for place in range(len(module.job.arguments)):
        entries = module.job.argument_attributes(place)
        if python_value(entries.get("job.variable", attribute(""))) == variable:
            module.job.set_argument_attributes(place, {**entries, "sbp.hint": state})


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("S(2)", "fc1-weight cannot be hinted: 'S(2)' splits dimension 2 of a tensor of rank 2"),
        (
            "P",
            r"fc1-weight cannot be P on a mesh of 4 ranks: it can be B; S\(0\); S\(1\); take one",
        ),
        ("B, B", "fc1-weight cannot be hinted: 'B, B' has the states of 2 axes, the mesh has 1"),
    ],
)
def test_hints_that_cannot_be(state: str, expected: str) -> None:
    module = network(64, 32, 32, 16)
    hint(module, "fc1-weight", state)
    with pytest.raises(IRError, match=expected.replace("'S(2)'", r"'S\(2\)'")):
        Choose().run(module)


@pytest.mark.parametrize("mode", MODES)
def test_memory_that_is_not_enough(mode: Any) -> None:
    module = network(64, 32, 32, 16)
    expected = (
        r"no placement of job 'step' on 4 ranks was found that takes 5,000 bytes of a rank or less:"
        r" its values take at least [\d,]+ at [\w.-]+; give it more ranks or memory"
    )
    with pytest.raises(IRError, match=expected):
        Choose(mode=mode, memory=5000).run(module)


@pytest.mark.parametrize("mode", MODES)
def test_states_of_optimizers_are_split_where_memory_asks_for_it(mode: Any) -> None:
    """With slow copies the weights stay whole, until they don't fit."""
    module = network(8, 64, 256, 64, mesh=(2,))
    Choose(mode=mode, links=("1:1",)).run(module)
    free = plan(module)["memory"]
    assert states(module)["fc1-weight-m"] == "B"
    Choose(mode=mode, links=("1:1",), memory=0.8 * free).run(module)
    assert plan(module)["memory"] <= 0.8 * free
    assert "S" in states(module)["fc1-weight-m"] + states(module)["fc2-weight-m"]


@pytest.mark.skipif(not milp.available(), reason="SciPy is not installed")
def test_where_no_plan_is_found_it_is_the_greedy_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(milp, "solve", lambda *_: milp.Solved(None, 0.0, False))
    module = network(64, 32, 32, 16)
    Choose().run(module)
    assert plan(module)["solver"] == "greedy"
    assert plan(module)["proven"] is False


def test_one_rank_stays_as_it_is() -> None:
    module = random_module(1)
    module.attributes["sbp.mesh"] = attribute([1])
    text = print_module(module)
    Choose().run(module)
    assert print_module(module) == text


def test_a_malformed_link() -> None:
    with pytest.raises(IRError, match="as in \"5e-6:1e9\", got 'fast'"):
        Choose(links=("fast",)).run(random_module(1))
