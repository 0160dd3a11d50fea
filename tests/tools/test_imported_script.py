"""Commands that import a file for its jobs do not train, and leave its checkpoints alone."""

from pathlib import Path

import pytest

from penstock.tools import cli

JOBS = """
import numpy as np
import penstock as flow
import penstock.typing as tp

@flow.global_function(type="train")
def train_job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
    w = flow.get_variable("w", (2,), initializer=flow.ones_initializer())
    loss = x * w
    flow.optimizer.SGD(flow.optimizer.PiecewiseConstantScheduler([], [0.1]), momentum=0).minimize(
        loss)
    return loss

@flow.global_function()
def predict_job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
    return x * flow.get_variable("w", (2,), initializer=flow.ones_initializer())

X = np.ones(2, np.float32)
"""

TENSORS = """
w = flow.tensor([1.0], requires_grad=True)
(w * w).sum().backward()
flow.optim.SGD([w], lr=0.1).step()
"""

GRAPH = """
class Step(flow.nn.Graph):
    def __init__(self):
        super().__init__()
        self.model = flow.nn.Linear(2, 1)
        self.add_optimizer(flow.optim.SGD(self.model.parameters(), lr=0.1))

    def build(self, x):
        loss = self.model(x).sum()
        loss.backward()
        return loss

step = Step()
step(flow.ones(1, 2))
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", ["compile", "explore", "dump"])
@pytest.mark.parametrize(
    ("lines", "what"),
    [
        ("train_job(X)\nopen('ran', 'w')", "job 'train_job' trains"),
        ("flow.checkpoint.save('saved')", "flow.checkpoint.save writes a checkpoint"),
        (TENSORS, "an optimizer trains"),
        (GRAPH + "step(flow.ones(1, 2))", " trains for a second step"),
    ],
    ids=["job", "checkpoint", "tensors", "graph"],
)
def test_a_file_that_trains_is_refused(
    command: str, lines: str, what: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "train.py").write_text(JOBS + lines + "\n")
    assert cli.main([command, "train.py:predict_job"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    line = len((JOBS + lines).splitlines()) - ("ran" in lines)
    assert f"train.py:{line}: " in captured.err
    assert f"{what} while train.py is only imported" in captured.err
    assert '"__main__":, or run the whole file first with --run-script' in captured.err
    assert [path.name for path in folder.iterdir() if path.name != "__pycache__"] == ["train.py"]


def test_a_file_that_trains_runs_where_that_is_wanted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "train.py").write_text(JOBS + "train_job(X)\n")
    assert cli.main(["compile", "train.py:predict_job", "--run-script", "-o", "a.pstk"]) == 0
    assert cli.main(["compile", "train.py:predict_job", "-o", "b.pstk"]) == 1


GUARDED = 'if __name__ == "__main__": train_job(X)'


@pytest.mark.parametrize("lines", ["predict_job(X)", GRAPH, GUARDED])
def test_other_files_are_imported(lines: str, folder: Path) -> None:
    (folder / "train.py").write_text(JOBS + lines + "\n")
    assert cli.main(["dump", "train.py:predict_job", "--stage", "job", "-o", "job.mlir"]) == 0
