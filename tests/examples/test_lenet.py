"""LeNet: the program in examples/, and its first steps compared with PyTorch's from the same
weights."""

import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

ROOT = Path(__file__).resolve().parents[2]
LENET = ROOT / "examples" / "lenet.py"
STEPS = 20


def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(LENET), *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, text=True, capture_output=True, check=False)


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(LENET.parent))
    flow.clear_default_session()
    yield importlib.import_module("lenet")
    sys.modules.pop("lenet", None)


def test_it_trains_saves_evaluates_and_classifies(tmp_path: Path) -> None:
    images = pytest.importorskip("PIL.Image")
    trained = run("train", "--data", "digits", "--save", "net", "--epochs", "4", cwd=tmp_path)
    assert trained.returncode == 0, trained.stderr
    (accuracy,) = re.findall(r"^test accuracy: ([\d.]+) %$", trained.stdout, re.M)
    assert float(accuracy) >= 95
    again = run("train", "--data", "digits", "--save", "net", cwd=tmp_path)
    assert again.returncode == 1
    assert "net is there already" in again.stderr
    evaluated = run("evaluate", "net", "--data", "digits", cwd=tmp_path)
    assert evaluated.stdout == f"test accuracy: {accuracy} %\n", evaluated.stderr
    _, (pixels, labels) = flow.data.load_digits(100, 100)
    right = 0
    for place in range(3):
        grey = (255 * pixels[0, place, 0]).round().astype(np.uint8)
        images.fromarray(grey).save(tmp_path / "digit.png")
        named = run("test", "net", "digit.png", "--data", "digits", cwd=tmp_path)
        assert named.returncode == 0, named.stderr
        assert re.fullmatch(r"(\d: [\d.]+ %\n){3}", named.stdout)
        right += named.stdout.startswith(f"{labels[0, place]}:")
    assert right >= 2
    torn = tmp_path / "torn.png"
    torn.write_bytes((tmp_path / "digit.png").read_bytes()[:40])
    for wrong in ("torn.png", "absent.png"):
        refused = run("test", "net", wrong, "--data", "digits", cwd=tmp_path)
        assert refused.returncode == 1
        assert refused.stderr.startswith(f"{wrong} is no image that can be read"), refused.stderr


def losses_of_torch(torch: Any, values: dict[str, Any], batches: Any) -> list[float]:
    """The mean losses of gradient descent from these values."""
    functional = torch.nn.functional
    w = {name: torch.tensor(value, requires_grad=True) for name, value in values.items()}

    def layer(kind: Any, x: Any, name: str, **options: Any) -> Any:
        return kind(x, w[f"{name}-weight"], w[f"{name}-bias"], **options)

    found = []
    for images, labels in batches:
        x = torch.tensor(images)
        for name in ("conv1", "conv2"):
            x = torch.relu(layer(functional.conv2d, x, name, padding=2))
            x = functional.max_pool2d(x, 2)
        x = torch.relu(layer(functional.linear, x.flatten(1), "hidden"))
        logits = layer(functional.linear, x, "output")
        loss = functional.cross_entropy(logits, torch.tensor(labels.astype(np.int64)))
        loss.backward()
        found.append(loss.item())
        with torch.no_grad():
            for value in w.values():
                value -= 0.01 * value.grad
                value.grad = None
    return found


@pytest.mark.numbers
def test_its_first_losses_equal_those_of_torch(example: ModuleType) -> None:
    torch = pytest.importorskip("torch")

    @flow.global_function(type="train")
    def step(
        images: tp.Numpy.Placeholder((100, 1, 28, 28)),  # type: ignore[valid-type]
        labels: tp.Numpy.Placeholder((100,), dtype=flow.int32),  # type: ignore[valid-type]
    ) -> tp.Numpy:
        logits = example.lenet(images, rate=0)
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.01])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    (images, labels), _ = flow.data.load_digits(100, 100)
    batches = [(images[i % len(images)], labels[i % len(images)]) for i in range(STEPS)]
    names = [f"{layer}-{kind}" for layer in ("conv1", "conv2", "hidden", "output")
             for kind in ("weight", "bias")]  # fmt: skip
    variables = flow.get_all_variables()
    values = {name: variables[name].numpy() for name in names}
    ours = [float(step(*batch).mean()) for batch in batches]
    theirs = losses_of_torch(torch, values, batches)
    assert ours[-1] < ours[0]
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-4)
