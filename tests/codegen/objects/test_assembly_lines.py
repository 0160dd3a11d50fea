"""The origin of each line of assembly in LLVM's text."""

import re

import pytest
from levels import fuses

import penstock as flow
import penstock.typing as tp
from penstock.codegen.jobs import assembly_lines as module
from penstock.codegen.jobs.assembly_lines import Assembling, assembly_lines
from penstock.codegen.objects.llvm import has_scalar_loops
from penstock.codegen.objects.units import split


@pytest.fixture(scope="module")
def program():  # type: ignore[no-untyped-def]
    flow.clear_default_session()

    @flow.global_function()
    def net(x: tp.Numpy.Placeholder((32, 64))) -> tp.Numpy:
        hidden = flow.layers.dense(x, 48, activation=flow.nn.relu, name="hidden")
        return flow.nn.softmax(flow.layers.dense(hidden, 24, name="output"))

    return net.compile().program


@pytest.fixture(scope="module")
def trained():  # type: ignore[no-untyped-def]
    """With kernels of all kinds: contractions, convolutions, rows, and scalar loops."""
    flow.clear_default_session()

    @flow.global_function(type="train")
    def train(
        x: tp.Numpy.Placeholder((4, 3, 8, 8)), labels: tp.Numpy.Placeholder((4,), dtype=flow.int32)
    ) -> tp.Numpy:
        y = flow.layers.conv2d(x, 20, 3, padding="SAME", activation=flow.nn.relu, name="conv")
        y = flow.nn.max_pool2d(y, 2, 2, "VALID")
        y = flow.layers.dense(flow.reshape(y, (4, -1)), 10, name="dense")
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, y)
        flow.optimizer.Adam(flow.optimizer.PiecewiseConstantScheduler([], [0.1])).minimize(loss)
        return flow.argsort(loss)

    return train.compile().program


def scalar_units(program):  # type: ignore[no-untyped-def]
    return [unit for unit in split(program.source.text) if has_scalar_loops(unit.text)]


def test_the_text_is_that_of_the_stage(program) -> None:  # type: ignore[no-untyped-def]
    found = assembly_lines(program.source, program.cpu)
    assert found.text == program.asm
    assert len(found.origins) == len(found.text.split("\n"))
    assert found.approximate == ()


def test_places_change_no_code(trained) -> None:  # type: ignore[no-untyped-def]
    found = assembly_lines(trained.source, trained.cpu)
    assert found.text == trained.asm
    loops = {unit.name[1:] for unit in scalar_units(trained)}
    assert loops
    assert set(found.approximate) <= loops


def test_instructions_come_from_plausible_lines(program) -> None:  # type: ignore[no-untyped-def]
    source = program.source
    found = assembly_lines(source, program.cpu)
    pairs = [
        (line, source.line(origin))
        for line, origin in zip(found.text.split("\n"), found.origins, strict=True)
        if re.match(r"\t[a-z]", line)
    ]
    assert sum(bool(text) for _, text in pairs) > 0.8 * len(pairs)
    multiply, written = (r"\tvfmadd", "fma|fmuladd") if fuses() else (r"\tmulps", "fmul")
    products = [text for line, text in pairs if re.match(multiply, line) and text]
    assert products
    assert [text for text in products if not re.search(written, text)] == []
    calls = {line.split()[1]: text for line, text in pairs if "\tcallq\t" in line and text}
    assert calls
    assert all(
        f"@{name.partition('@')[0]}(" in text for name, text in calls.items() if "*" not in name
    )


class _Kept:
    """A store in memory."""

    def __init__(self) -> None:
        self.entries: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        return self.entries.get(key)

    def put(self, key: str, payload: bytes) -> None:
        self.entries[key] = payload


def test_kernels_in_a_store_are_not_made_anew(trained, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    store = _Kept()
    found = []
    for _ in range(2):
        assembling = Assembling(trained.cpu, store)
        assembling.written("", trained.source.text.split("\n"))
        found.append(assembling.lines(trained.source))
        assembling.close()
        monkeypatch.setattr(module, "_assembled", None)  # The second time nothing is made.
    assert found[0].text == found[1].text == trained.asm
    assert found[0].origins == found[1].origins
    assert found[0].approximate == found[1].approximate
    assert len(store.entries) == len(split(trained.source.text))


def test_functions_begin_where_they_are_defined(program) -> None:  # type: ignore[no-untyped-def]
    units = split(program.source.text)
    assert len(units) > 1
    lines = program.source.text.split("\n")
    for unit in units:
        headers = [line for line in unit.text.split("\n") if line.startswith("define ")]
        assert len(headers) == len(unit.functions)
        for header, name in zip(headers, unit.functions, strict=True):
            (original,) = [
                line for line in lines if line.startswith("define ") and f" {name}(" in line
            ]
            assert header.count("(") == original.count("(")


def test_if_code_differs_only_the_function_is_known(program, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    plain = assembly_lines(program.source, program.cpu)
    monkeypatch.setattr(module, "_origins", lambda text, noted: None)
    found = assembly_lines(program.source, program.cpu)
    assert found.text == plain.text
    assert len(found.origins) == len(plain.origins)
    assert "the job itself" in found.approximate
    for line, origin in zip(found.text.split("\n"), found.origins, strict=True):
        if re.match(r"\t[a-z]", line):
            assert program.source.line(origin).startswith("define ")


def test_different_code_is_not_matched() -> None:
    plain = "f:\n\taddq\t$1, %rax\n\tretq\n"
    noted = "f:\n\t.loc\t1 7 0\n\taddq\t$1, %rax\n.Ltmp0:\n\t.loc\t1 8 0\n\tretq\n"
    assert module._origins(plain, noted) == [0, 7, 8]
    assert module._origins(plain, noted.replace("$1", "$2")) is None
    assert module._origins(plain, noted + "\tretq\n") is None
    assert module._origins(plain, noted.replace("\tretq\n", "")) is None
