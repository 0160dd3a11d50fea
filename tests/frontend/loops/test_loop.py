"""What stands around the steps of a training: `flow.train`, and the readers of files."""

from __future__ import annotations

import io
import itertools
import os
import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.train import progress


def test_means_count_elements() -> None:
    mean = flow.train.Mean()
    mean.update([np.float32([1, 2, 3]), np.float32([6])])
    mean.update(flow.tensor([8.0]))
    assert mean.value() == 4.0
    mean.reset()
    with pytest.raises(RuntimeError, match=r"test_loop.py:\d+: Mean got no batch"):
        mean.value()
    with pytest.raises(TypeError, match="takes numbers"):
        mean.update("loss")


def test_accuracy_of_the_top_classes() -> None:
    outputs = np.float32([[3, 2, 1], [1, 3, 2], [0, 0, 0]])
    labels = np.int64([0, 2, 1])
    found = []
    for top in (1, 2, 3):
        accuracy = flow.train.Accuracy(top)
        accuracy.update(outputs, labels)
        found.append(accuracy.value())
    assert found == [1 / 3, 1.0, 1.0]
    with pytest.raises(ValueError, match="as many integer labels"):
        flow.train.Accuracy().update(outputs, labels[:2])
    with pytest.raises(ValueError, match="got 1 arrays of outputs and 2 of labels"):
        flow.train.Accuracy().update([outputs], [labels, labels])


def test_stopping_waits_for_the_smallest() -> None:
    early = flow.train.EarlyStopping(2, mode="min", min_delta=0.1)
    found = [(early.update(value), early.stops) for value in (1.0, 0.95, float("nan"), 0.5)]
    assert found == [(True, False), (False, False), (False, True), (True, False)]
    again = flow.train.EarlyStopping(2, mode="min")
    again.load_state_dict(early.state_dict())
    assert again.best == 0.5
    with pytest.raises(ValueError, match="not the state_dict"):
        again.load_state_dict({"best": "x", "worse": 0})
    with pytest.raises(ValueError, match='must be "max" or "min"'):
        flow.train.EarlyStopping(1, mode="most")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_draws_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    # Reading a batch takes a second, and so does a step.
    seconds = itertools.count()
    monkeypatch.setattr(progress, "monotonic", lambda: float(next(seconds)))
    log, terminal = io.StringIO(), Terminal()
    for file in (log, terminal):
        batches = flow.train.Progress("abcd", "epoch 0", file=file)
        for number, _ in enumerate(batches):
            batches.show(loss=np.float32([number, number + 1]))
    bar = "=" * 20
    assert log.getvalue().startswith(f"epoch 0  4/4  [{bar}]  loss 3.5  ")
    assert log.getvalue().count("\n") == 1
    assert " steps/s  waiting " in log.getvalue()
    drawn = terminal.getvalue().split("\r")
    assert len(drawn) == 6
    assert drawn[1].startswith("epoch 0  0/4  [" + " " * 20 + "]")


def test_progress_without_a_length_that_ends_early() -> None:
    file = io.StringIO()
    steps = iter(flow.train.Progress(iter([1, 0]), file=file))
    found = [next(steps), next(steps)]
    steps.close()
    assert found == [1, 0]
    assert file.getvalue().startswith("1  ")


def test_curves_are_drawn(tmp_path: Path) -> None:
    curves = flow.train.Curves("<Run>")
    for step, loss in enumerate([4.0, float("nan"), 2.0, 1.0]):
        curves.add(step, loss=loss, flat=1.0)
    curves.add(4, huge=1e308)
    curves.add(5, huge=-1e308)
    path = tmp_path / "curves.html"
    curves.write(path)
    page = path.read_text()
    assert "&lt;Run&gt;" in page
    assert page.count("<svg") == 3
    assert "nan" not in page.split("<h1>")[1]
    assert page.count("M64.0 24.0") == 2  # the loss and the huge one begin at the top
    again = flow.train.Curves()
    again.load_state_dict(curves.state_dict())
    assert again.values("huge") == curves.values("huge")
    with pytest.raises(FileNotFoundError, match="cannot write"):
        curves.write(tmp_path / "missing" / "curves.html")


def small_step(model: Any, optimizer: Any) -> float:
    loss = (model(flow.nn.functional.dropout(flow.ones(4, 3))) ** 2).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return float(loss.item())


def parts() -> dict[str, Any]:
    flow.manual_seed(3)
    model = flow.nn.Linear(3, 2)
    return {"model": model, "optimizer": flow.optim.Adam(model.parameters(), lr=0.1)}


def test_modules_go_on_with_the_same_bits(tmp_path: Path) -> None:
    flow.clear_default_session()
    first = parts()
    kept = flow.train.Checkpoints(tmp_path / "run", mode="min", **first)
    assert kept.resume() == {}
    small_step(**first)
    assert kept.save(2.0, epoch=0)
    straight = [small_step(**first) for _ in range(3)]
    assert not kept.save(3.0, epoch=1)

    second = parts()
    resumed = flow.train.Checkpoints(tmp_path / "run", mode="min", **second)
    assert resumed.resume() == {"epoch": 1}
    assert resumed.best == 2.0
    assert resumed.load("best") == {"epoch": 0}
    assert [small_step(**second) for _ in range(3)] == straight
    assert sorted(os.listdir(tmp_path / "run")) == ["best.safetensors", "last.safetensors"]


def test_variables_of_jobs_are_kept(tmp_path: Path) -> None:
    flow.clear_default_session()

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        w = flow.get_variable("w", (3,), initializer=flow.ones_initializer())
        loss = flow.math.square(x * w)
        flow.optimizer.Adam(flow.optimizer.PiecewiseConstantScheduler([], [0.1])).minimize(loss)
        return loss

    x = np.ones((2, 3), np.float32)
    early = flow.train.EarlyStopping(2)
    kept = flow.train.Checkpoints(tmp_path, early=early)
    train(x)
    early.update(1.0)
    kept.save(1.0, epoch=4)
    straight = [train(x) for _ in range(2)]
    early.update(0.5)
    assert kept.load("last") == {"epoch": 4}
    assert not early.update(1.0)
    assert all(np.array_equal(train(x), one) for one in straight)
    flow.clear_default_session()


def test_what_is_not_a_checkpoint_is_refused(tmp_path: Path) -> None:
    flow.clear_default_session()
    model = flow.nn.Linear(2, 1)
    kept = flow.train.Checkpoints(tmp_path, model=model)
    with pytest.raises(FileNotFoundError, match=r"test_loop.py:\d+: "):
        kept.load("best")
    flow.save({"numbers": {}}, kept.path("best"))
    with pytest.raises(ValueError, match="was not written by Checkpoints"):
        kept.load("best")
    kept.save()
    with pytest.raises(ValueError, match="has the parts model, and these Checkpoints have none"):
        flow.train.Checkpoints(tmp_path).resume()
    with pytest.raises(TypeError, match="model of Checkpoints must be a module"):
        flow.train.Checkpoints(tmp_path, model=3)
    with pytest.raises(ValueError, match='expected "last" or "best"'):
        kept.path("first")  # type: ignore[arg-type]


TABLES = {
    "": "has no column",
    "a,kind\n": "has no rows",
    "a,kind\n1,x\n2\n": "line 3: expected 2 cells as in the first line, got 1",
    "a,kind\n1,x\n,y\n": "line 3: column a must have numbers, got the string",
    "a,kinds\n1,x\n": 'has no column "kind", only a, kinds; did you mean "kinds"',
    "a;kind\n1;x\n": "may be separated by another character: delimiter=';'",
    'a,kind\n1,"x\n': "is not a CSV file",
}


@pytest.mark.parametrize("text", TABLES)
def test_a_table_that_cannot_be_read_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=re.escape(TABLES[text])):
        flow.data.read_csv(path, label="kind")


def test_tables_number_their_classes(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("\ufeffkind;a;b\r\n10;1;2\r\n\r\n9;3;1e-3\r\n", encoding="utf-8")
    table = flow.data.read_csv(path, label="kind", delimiter=";")
    assert table.classes == ("9", "10")
    assert table.y is not None
    assert table.y.tolist() == [1, 0]
    assert np.array_equal(table.x, np.float32([[1, 2], [3, 1e-3]]))
    whole = flow.data.read_csv(path, delimiter=";")
    assert whole.y is None
    assert whole.x.shape == (2, 3)
    assert whole.columns == ("kind", "a", "b")
    with pytest.raises(FileNotFoundError, match="cannot read"):
        flow.data.read_csv(tmp_path / "missing.csv")


def test_images_come_from_folders(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    for name, grey in (("dog", 255), ("cat", 51)):
        (tmp_path / name).mkdir()
        image.new("L", (4, 2), grey).save(tmp_path / name / "1.png")
    (tmp_path / "cat" / "note.txt").write_text("no image")
    images = flow.data.ImageFolder(tmp_path, size=(2, 4), mode="L")
    assert images.classes == ["cat", "dog"]
    assert len(images) == 2
    pixels, label = images[0]
    assert label == 0
    assert np.array_equal(pixels, np.full((1, 2, 4), np.float32(51) / 255))
    loader = flow.utils.data.DataLoader(images, batch_size=2)
    batch, labels = next(iter(loader))
    assert tuple(batch.shape) == (2, 1, 2, 4)
    assert labels.tolist() == [0, 1]
    (tmp_path / "cat" / "1.png").write_bytes(b"\x89PNG broken")
    with pytest.raises(ValueError, match="is not an image that can be read"):
        images[0]
    (tmp_path / "none").mkdir()
    with pytest.raises(ValueError, match="found no images in folders"):
        flow.data.ImageFolder(tmp_path / "none", size=(2, 2))


def test_checkpoints_are_replaced_on_request(tmp_path: Path) -> None:
    flow.clear_default_session()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1,))) -> tp.Numpy:
        return x

    place = tmp_path / "kept"
    for value in (1, 2):
        flow.checkpoint.save(place, {"w": np.float32([value])}, overwrite=True)
    assert flow.checkpoint.get(place)["w"].numpy().tolist() == [2.0]
    assert os.listdir(tmp_path) == ["kept"]
    with pytest.raises(ValueError, match="already exists; save into a new folder, or pass"):
        flow.checkpoint.save(place, {"w": np.float32([3])})
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep")
    with pytest.raises(ValueError, match="is not a checkpoint, so it is not replaced"):
        flow.checkpoint.save(tmp_path / "mine", {"w": np.float32([3])}, overwrite=True)
    flow.clear_default_session()


def events(folder: Path) -> list[Any]:
    """The events in the files of a folder, whose records have lengths and checksums around them."""
    event = pytest.importorskip("tensorboardX.proto.event_pb2").Event
    found = []
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        while data:
            (length,) = struct.unpack("<Q", data[:8])
            found.append(event.FromString(data[12 : 12 + length]))
            data = data[16 + length :]
    return found


def test_summaries_of_programs_and_jobs(tmp_path: Path) -> None:
    pytest.importorskip("tensorboardX")
    flow.clear_default_session()

    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((2, 3)), step: tp.Numpy.Placeholder((1,), dtype=flow.int64)
    ) -> tp.Numpy:
        y = flow.nn.relu(x)
        flow.summary.scalar(y, step, "relu")
        flow.summary.histogram(y, step, "spread")
        return y

    with pytest.raises(RuntimeError, match="call flow.summary.create_summary_writer first"):
        flow.summary.scalar(1.0, 0, "loss")
    flow.summary.create_summary_writer(tmp_path)
    flow.summary.scalar(flow.tensor([1.0, 2.0]), 7, "loss")
    flow.summary.text("hello", 0, "note")
    for i in range(2):
        job(np.full((2, 3), i, np.float32), np.int64([i]))
    flow.summary.flush_summary_writer()
    values = [(one.step, v.tag, v) for one in events(tmp_path) for v in one.summary.value]
    scalars = [(step, tag, v.simple_value) for step, tag, v in values if tag in ("loss", "relu")]
    assert scalars == [(7, "loss", 1.5), (0, "relu", 0.0), (1, "relu", 1.0)]
    assert [v.histo.num for _, tag, v in values if tag == "spread"] == [6.0, 6.0]
    with pytest.raises(TypeError, match="step of flow.summary.scalar must be one integer"):
        flow.summary.scalar(1.0, 0.5, "loss")
    with pytest.raises(ValueError, match="takes finite numbers"):
        flow.summary.histogram(np.float32([np.nan]), 0, "spread")
    flow.clear_default_session()
