"""The plan of launches: what the host does in a step."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from gpu_modules import ROWS

from penstock.codegen.cache import Store
from penstock.codegen.gpu.launches import launch_plan
from penstock.codegen.gpu.program import compile_gpu
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.parsing import parse_module
from penstock.runtime.description import Description
from penstock.runtime.gpu.launch_plan import read_plan

GROUP = [
    {"launch": "double", "arguments": [["argument", 1, 0], ["arena", 128]], "loc": "job.py:2"},
    {
        "launch": "sums",
        "arguments": [["arena", 128], ["constant", 0], ["arena", 4224], ["value", b"\5\0\0\0"]],
        "loc": "job.py:7",
    },
]


def test_the_plan_of_a_job() -> None:
    plan = launch_plan(parse_module(ROWS))
    constants = plan.pop("constants")
    assert constants == b"".join(
        bytes.fromhex(word)
        for word in ("0000803f", "00000040", "00004040", "00008040", "0000a040", "0000c040",
                     "0000e040", "00000041")
    )  # fmt: skip
    assert plan["arena"] == 8192
    assert plan["steps"] == [
        *GROUP,
        {"when": [0], "steps": [
            {"tap": 0, "source": ["arena", 128], "bytes": 4096, "element": "f32",
             "shape": [4, 256]},
        ]},
        {"when": [0, 1], "steps": GROUP},
        {"copy": [["arena", 4224], ["argument", 2, 0], 16]},
    ]  # fmt: skip
    # How many bytes each kernel may reach from its addresses, and whether it writes them.
    pointers = {
        name: [
            {"offset": 8 * i, "size": 8, "align": 8, "bytes": size, "written": written}
            for i, (size, written) in enumerate(reached)
        ]
        for name, reached in {
            "double": [(4096, False), (4096, True)],
            "sums": [(4096, False), (32, False), (16, True)],
        }.items()
    }
    sizes = {"block": [64, 1, 1], "grid": [4, 1, 1], "dynamic": 0, "cluster": [1, 1, 1]}
    assert plan["kernels"] == {
        "double": {**sizes, "shared": 0, "parameters": pointers["double"], "loc": "job.py:2"},
        "sums": {
            **sizes, "shared": 8,
            "parameters": [*pointers["sums"], {"offset": 24, "size": 4, "align": 4}],
        },
    }  # fmt: skip


def test_a_compiled_job(tmp_path: Path) -> None:
    store = Store(tmp_path / "cache", print)
    program = compile_gpu(parse_module(ROWS), store=store)
    assert [a["role"] for a in program.description["arguments"]] == [
        "arena", "feed", "fetch", "taps"
    ]  # fmt: skip
    assert set(program.plan["kernels"]) == set(re.findall(r"\.entry (\w+)", program.ptx))
    read = read_plan(program.plan, Description.from_dict(program.description))
    assert read.arena == 8192
    again = compile_gpu(parse_module(ROWS), store=store)
    assert (again.ptx, again.plan) == (program.ptx, program.plan)


REFUSED = {
    "an op on the host": (
        ("    memref.copy %part,", "    %q = memref.load %part[%c0] : memref<4xf32>\n"
                                   "    memref.copy %part,"),
        "memref.load: has no place in a plan of launches: the host decides by the flags",
    ),
    "a view that is not aligned": (
        ("%c128 = arith.constant 128", "%c128 = arith.constant 132"),
        "passes byte 132 of a buffer as argument 1 of @double, which promises an alignment of 64",
    ),
    "another function": (
        ("func.func private @penstock_tap_f32", "func.func private @other"),
        "@other has no body, and only taps come from outside of a job on a GPU",
    ),
    "arithmetic on the host": (
        ("    memref.copy %part,", "    %q = arith.addi %c0, %c1 : index\n    memref.copy %part,"),
        "arith.addi: has no place in a plan of launches: expected views, calls, launches",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_no_plan_can_express(case: str) -> None:
    (old, new), message = REFUSED[case]
    assert old in ROWS
    text = ROWS.replace(old, new).replace("call @penstock_tap_f32", "call @other") if (
        case == "another function") else ROWS.replace(old, new)  # fmt: skip
    with pytest.raises(IRError, match=re.escape(message)):
        launch_plan(parse_module(text))


def test_two_sizes_of_one_kernel_are_refused() -> None:
    text = ROWS.replace(
        "kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = "
        "array<i32: 4, 1, 1>} {\n      %c4",
        "kernel attributes {known_block_size = array<i32: 64, 1, 1>} {\n      %c4",
    )
    lines = text.split("\n")
    place = next(i for i, line in enumerate(lines) if "gpu.launch_func @kernels::@double" in line)
    lines.insert(place, lines[place].replace("blocks in (%c4", "blocks in (%c1"))
    with pytest.raises(IRError, match="launches @double with other sizes than another launch"):
        launch_plan(parse_module("\n".join(lines)))
