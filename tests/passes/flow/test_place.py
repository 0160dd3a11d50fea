"""Placement on the only rank, and the errors of jobs that cannot be placed."""

from __future__ import annotations

import pytest

from penstock.ir.attributes import attribute, python_value
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify
from penstock.passes.flow.place import Place, device_of, devices_of

CPU = {"device": "cpu", "ranks": ["0:0"]}


def program(scope: str = "", default: str = "") -> Module:
    return parse_module(f"""
    module @m attributes {{job.type = "predict"{default}}} {{
      func.func @m(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {{
        %0 = "flow.add"(%x, %y) {{{scope}}} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
            loc("train.py":5:0)
        "job.watch"(%0) {{name = "sum"}} : (tensor<2xf32>) -> ()
        func.return %0 : tensor<2xf32>
      }}
    }}""")


def placed(scope: str = "", default: str = "") -> Module:
    module = program(scope, default)
    Place().run(module)
    verify(module)
    return module


@pytest.mark.parametrize(
    "scope",
    [
        "",
        'job.placement = {device = "cpu", ranks = ["0:0"]}',
        'job.placement = {device = "cpu", ranks = ["0:0-0"]}',
    ],
)
def test_one_rank(scope: str) -> None:
    module = placed(scope)
    add, watch, _ = module.job.body
    assert python_value(module.attributes["sbp.ranks"]) == 1
    for op in (add, watch):
        assert python_value(op.attributes["sbp.placement"]) == CPU
        assert "job.placement" not in op.attributes
    assert python_value(add.attributes["sbp.signature"]) == {
        "operands": ["B", "B"],
        "results": ["B"],
    }


def test_several_ranks() -> None:
    module = placed('job.placement = {device = "cpu", ranks = ["0:0-1", "1:3"]}')
    add, watch, _ = module.job.body
    assert python_value(module.attributes["sbp.ranks"]) == 3
    assert python_value(module.attributes["sbp.mesh"]) == [3]
    for op in (add, watch):
        ranks = python_value(op.attributes["sbp.placement"])["ranks"]
        assert ranks == ["0:0", "0:1", "1:3"]


def test_an_op_on_other_ranks_fails() -> None:
    with pytest.raises(IRError) as caught:
        placed(
            'job.placement = {device = "cpu", ranks = ["0:2"]}',
            ', job.placement = {device = "cpu", ranks = ["0:0-1"]}',
        )
    assert "is placed on 1 rank, 0:2, and the job on 2 ranks, 0:0, 0:1" in str(caught.value)


def test_an_op_on_some_ranks_is_of_a_group() -> None:
    module = placed(
        'job.placement = {device = "cpu", ranks = ["0:1"]}',
        ', job.placement = {device = "cpu", ranks = ["0:0-1"]}',
    )
    add, watch, _ = module.job.body
    assert python_value(add.attributes["sbp.placement"])["ranks"] == ["0:1"]
    assert python_value(add.attributes["sbp.group"]) == 1
    assert "sbp.group" not in watch.attributes
    assert python_value(module.attributes["sbp.groups"]) == [
        {"ranks": [0, 1], "mesh": [2]},
        {"ranks": [1], "mesh": [1]},
    ]


def test_all_ranks_compute_ops_of_the_mirrored_view() -> None:
    text = print_module(
        program(
            'job.placement = {device = "cpu", ranks = ["0:1"]}',
            ', job.placement = {device = "cpu", ranks = ["0:0-1"]}',
        )
    )
    module = parse_module(text.replace("%x: tensor<2xf32>", "%x: tensor<2xf32> {sbp.mirrored}"))
    Place().run(module)
    add, *_ = module.job.body
    assert python_value(add.attributes["sbp.placement"])["ranks"] == ["0:0", "0:1"]
    assert python_value(add.attributes["sbp.hint"]) == ["B"]
    assert "sbp.groups" not in module.attributes


def test_ops_without_a_placement_get_that_of_the_module() -> None:
    module = placed(default=', job.placement = {device = "cpu", ranks = ["1:2"]}')
    add, *_ = module.job.body
    assert python_value(add.attributes["sbp.placement"]) == {"device": "cpu", "ranks": ["1:2"]}
    assert "job.placement" not in module.attributes


@pytest.mark.parametrize(
    ("scope", "said"),
    [
        (
            '{device = "cpu", ranks = ["0:0-1", "0:1"]}',
            "is placed on 0:0, 0:1, 0:1: name each rank once",
        ),
        (
            '{device = "tpu", ranks = ["0:0"]}',
            'is placed on "tpu": expected "cpu", "gpu" or "gpu-sim"',
        ),
        (
            '{device = "gpu", ranks = ["0:0-1"]}',
            "is placed on 2 ranks, 0:0, 0:1: a job runs on one GPU, so place it on one",
        ),
        (
            '{device = "cpu", ranks = ["zero"]}',
            'expected ranks like "0:0" or "0:0-3", got \'zero\'',
        ),
        (
            '{device = "cpu", ranks = ["0:0-2"], mesh = [2, 2]}',
            "is placed on 3 ranks: expected as many as the mesh [2, 2] has",
        ),
        ('{device = "cpu", ranks = []}', "expected a placement like"),
        ('"cpu"', "expected a placement like"),
    ],
)
def test_invalid_placements(scope: str, said: str) -> None:
    with pytest.raises(IRError) as caught:
        placed(f"job.placement = {scope}")
    assert str(caught.value).startswith("train.py:5: error: flow.add: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_second_run_changes_nothing() -> None:
    module = placed()
    before = str(module.job.body.first.attributes)  # type: ignore[union-attr]
    Place().run(module)
    assert str(module.job.body.first.attributes) == before  # type: ignore[union-attr]


def test_placing_again_changes_nothing() -> None:
    module = placed('job.placement = {device = "cpu", ranks = ["1:2"]}')
    text = print_module(module)
    Place().run(module)
    assert print_module(module) == text
    assert '"1:2"' in text


def test_a_job_on_a_gpu_is_wholly_there() -> None:
    gpu = '{device = "gpu-sim", ranks = ["0:0"]}'
    for module in (program(f"job.placement = {gpu}"), program(default=f", job.placement = {gpu}")):
        assert device_of(module) == "gpu-sim 0:0"
        Place().run(module)
        assert device_of(module) == python_value(module.attributes["job.device"]) == "gpu-sim 0:0"
        add, watch, _ = module.job.body
        for op in (add, watch):
            assert python_value(op.attributes["sbp.placement"])["device"] == "gpu-sim"
    assert device_of(program()) == device_of(placed()) == ""


@pytest.mark.parametrize("default", ['{device = "cpu", ranks = ["0:0"]}', "scope"])
def test_a_job_partly_on_a_gpu(default: str) -> None:
    gpu, cpu = (f'{{device = "{kind}", ranks = ["0:0"]}}' for kind in ("gpu", "cpu"))
    module = program(f"job.placement = {gpu}", f", job.placement = {cpu}")
    if default == "scope":
        module = program(f"job.placement = {gpu}")
        list(module.job.body)[1].attributes["job.placement"] = attribute(
            {"device": "cpu", "ranks": ["0:0"]}
        )
    assert device_of(module) == ""
    assert devices_of(module) == ["cpu 0:0", "gpu 0:0"]
    Place().run(module)
    assert devices_of(module) == ["cpu 0:0", "gpu 0:0"]
    # What shows a value is where the value is.
    add, watch, _ = module.job.body
    places = [python_value(op.attributes["sbp.placement"])["device"] for op in (add, watch)]
    assert places == ["gpu", "gpu"]


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (
            '{device = "gpu", ranks = ["0:1"]}',
            r'on "gpu" 0:1, and flow.add .* runs on one GPU, and',
        ),
        ('{device = "cpu", ranks = ["0:0-1"]}', r"on 2 ranks of the CPU, and flow.add .* has one"),
    ],
)
def test_a_job_on_a_gpu_and_what_it_cannot_be_on(place: str, said: str) -> None:
    module = program('job.placement = {device = "gpu", ranks = ["0:0"]}')
    other = program(f"job.placement = {place}")
    scope = next(iter(other.job.body)).attributes["job.placement"]
    list(module.job.body)[1].attributes["job.placement"] = scope
    for check in (device_of, Place().run):
        with pytest.raises(IRError, match=said):
            check(module)
