"""`penstock tune`: its record, and when the record is used."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.basics.notices import forget
from penstock.lowering.tuned import VERSION, read
from penstock.lowering.user_cache import TUNED
from penstock.passes.costs.choice import Choice
from penstock.passes.costs.contraction_shape import Shape
from penstock.passes.costs.target import TARGETS
from penstock.passes.costs.tiling import fits, model, tiling_of
from penstock.passes.pipeline import PipelineError, parse_pipeline
from penstock.tools import cli

JOB = """import penstock as flow
import penstock.typing as tp

@flow.global_function()
def job(x: tp.Numpy.Placeholder((20, 33)), w: tp.Numpy.Placeholder((40, 33))) -> tp.Numpy:
    return flow.math.relu(flow.matmul(x, w, transpose_b=True))
"""
SHAPE = Shape(1, 20, 40, (33,), 4, True, lanes_ready=False, lanes_along_sum=True)
V3 = TARGETS["x86-64-v3"]


def lowered() -> str:
    flow.clear_default_session()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((20, 33)), w: tp.Numpy.Placeholder((40, 33))) -> tp.Numpy:
        return flow.math.relu(flow.matmul(x, w, transpose_b=True))

    return job.lower().as_text("loops")


def kept(path: Path, choice: str, version: str = VERSION) -> None:
    levels = {level: {str(SHAPE): choice} for level in TARGETS}
    path.write_text(json.dumps({"version": version, "levels": levels}))


def test_the_command_keeps_a_choice_for_each_shape(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, record = tmp_path / "job.py", tmp_path / "folder" / "tiles.json"
    record.parent.mkdir()
    file.write_text(JOB)
    assert cli.main(["tune", str(file), "--seconds", "0.001", "--json", "-o", str(record)]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["shape"] == str(SHAPE)
    assert found["tried"] > 5
    assert found["seconds"] <= found["model_seconds"]
    levels = read(record)
    assert levels is not None
    ((level, choices),) = levels.items()
    assert choices == {str(SHAPE): found["choice"]}
    assert fits(SHAPE, TARGETS[level], Choice.parse(found["choice"]))
    assert [path.name for path in record.parent.iterdir()] == ["tiles.json"]


def test_a_job_without_contractions_has_nothing_to_tune(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, record = tmp_path / "job.py", tmp_path / "tiles.json"
    file.write_text(JOB.replace("flow.matmul(x, w, transpose_b=True)", "x + 1"))
    assert cli.main(["tune", str(file), "-o", str(record)]) == 0
    said = "the job has no contraction, so there is nothing to tune; "
    assert capsys.readouterr().out == f"{said}{record} stays as it is\n"
    assert cli.main(["tune", str(file), "--json", "-o", str(record)]) == 0
    assert capsys.readouterr().out == "[]\n"
    assert not record.exists()


def test_the_record_is_used_only_on_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "tiles.json"
    kept(record, "1 16 scratch memory 1x2x2")
    monkeypatch.delenv(TUNED, raising=False)
    plain = lowered()
    assert "scf.forall" not in plain
    monkeypatch.setenv(TUNED, str(record))
    tuned = lowered()
    assert re.search(r"scf.forall \(.*\) in \(4\)", tuned)
    arrays = [np.random.default_rng(i).standard_normal((20 + 20 * i, 33)) for i in range(2)]
    values = [array.astype(np.float32) for array in arrays]
    one, other = (flow.compile(text)(*values) for text in (plain, tuned))
    assert one.tobytes() == other.tobytes()


def test_a_record_of_another_version_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    forget()
    record = tmp_path / "tiles.json"
    kept(record, "1 16 scratch memory 1x2x2", version="0.0.1 1")
    monkeypatch.setenv(TUNED, str(record))
    assert "scf.forall" not in lowered()
    assert "is of another version of penstock: tune again" in caplog.text


@pytest.mark.parametrize("value", ["true", "no/such.json"])
def test_a_missing_record(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TUNED, value)
    with pytest.raises(ValueError, match=f"PENSTOCK_TUNED names the file '{value}', which is not"):
        lowered()


@pytest.mark.parametrize("text", ["", "[]", "[" * 9999, '{"version": 3}', '{"levels": 1}'])
def test_malformed_records(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = tmp_path / "tiles.json"
    record.write_text(text)
    monkeypatch.setenv(TUNED, str(record))
    if text == '{"version": 3}':
        lowered()
        return
    with pytest.raises(
        ValueError,
        match=r"tiles.json is not a record of penstock tune: expected JSON " ".*; remove it",
    ):
        lowered()


def test_a_folder_is_not_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TUNED, str(tmp_path))
    with pytest.raises(ValueError, match=r"Is a directory; expected a record .*PENSTOCK_TUNED or"):
        lowered()


@pytest.mark.parametrize("whose", ["another user's", "anybody's"])
def test_a_record_in_the_cache_must_belong_to_the_user(
    whose: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "tiles.json"
    kept(record, "1 16 scratch memory 1x2x2")
    monkeypatch.setenv("PENSTOCK_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("PENSTOCK_CACHE", raising=False)
    monkeypatch.setenv(TUNED, "on")
    record.chmod(0o600)
    assert "scf.forall" in lowered()
    if whose == "anybody's":
        record.chmod(0o606)
        trouble = "may be written by other users"
    else:
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        trouble = f"belongs to user {os.getuid()}"
    with pytest.raises(ValueError, match=rf"tiles.json {trouble}: remove it, and tune again$"):
        lowered()


def test_an_invalid_choice_falls_back_to_the_model() -> None:
    """40,000 x 16 lanes of scratch exceed the limit of a task's stack."""
    shape = Shape(1, 20, 40, (40_000,), 4, rows_along_sum=True, lanes_ready=False)
    choice = Choice(2, 40_000, "memory", "scratch", (1, 1, 1))
    assert not fits(shape, V3, choice)
    tuned = V3.__class__(**{**V3.__dict__, "tiles": {str(shape): choice}})
    assert tiling_of(shape, tuned) == tiling_of(shape, V3)
    assert fits(shape, V3, model(shape, V3))


@pytest.mark.parametrize("words", ["", "2 16 memory panels", "2 16 here panels 1x1x1", "a b c d e"])
def test_malformed_choices_are_refused(words: str) -> None:
    from penstock.ir.dialects.parsing import parse_module

    (step,) = parse_pipeline(f'bufferize{{tiles="1x1x1-4 {words}"}}')
    with pytest.raises(PipelineError, match="option 'tiles' of pass 'bufferize'"):
        step.run(parse_module("func.func @job() { return }"))
