"""`fuse-elementwise` does work linear in the length of a chain."""

from __future__ import annotations

import pytest

from penstock.ir.core import Operation
from penstock.ir.dialects import linalg
from penstock.ir.dialects.parsing import parse_module
from penstock.passes.analysis import generics
from penstock.passes.manager import run_pipeline

T = "tensor<4x8xf32>"


def work(monkeypatch: pytest.MonkeyPatch, turns: int) -> int:
    """How many ops fusion creates or removes for a chain of so many negations and sums."""
    lines = []
    value = "%x"
    for i in range(turns):
        lines.append(f'%t{i} = "flow.negative"({value}) : ({T}) -> {T}')
        lines.append(f'%s{i} = "flow.add"(%t{i}, %x) : ({T}, {T}) -> {T}')
        value = f"%s{i}"
    body = "\n".join(lines)
    module = parse_module(f"func.func @job(%x: {T}) -> {T} {{\n{body}\nreturn {value} : {T}\n}}")
    run_pipeline(module, "lower")
    done = 0

    def counted(name: str) -> None:
        plain = getattr(Operation, name)

        def method(op: Operation, *given: object, **named: object) -> object:
            nonlocal done
            done += 1
            return plain(op, *given, **named)

        patch.setattr(Operation, name, method)

    with monkeypatch.context() as patch:
        for name in ("__init__", "detach", "set_operand"):
            counted(name)
        run_pipeline(module, "fuse-elementwise")
    (op,) = [op for op in module.job.body if isinstance(op, linalg.Generic)]
    assert len(generics.sources(op)) == 2 * turns
    return done


def test_the_work_is_linear_in_the_length_of_a_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    short, long = work(monkeypatch, 40), work(monkeypatch, 80)
    assert 0 < short < long < 2.5 * short
