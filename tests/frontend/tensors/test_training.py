"""A network of modules learns as PyTorch's: from the same weights, the same losses."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import penstock as flow
from penstock.utils.data import DataLoader

EXAMPLES = Path(__file__).parents[3] / "examples"


def test_losses_beside_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import train_mnist_tensors as example

    flow.manual_seed(1)
    model = example.Net()
    features = [
        torch.nn.Conv2d(1, 16, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        torch.nn.Conv2d(16, 32, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
    ]  # fmt: skip
    classify = [
        torch.nn.Flatten(), torch.nn.Linear(32 * 7 * 7, 128), torch.nn.ReLU(),
        torch.nn.Linear(128, 10),
    ]  # fmt: skip
    other = torch.nn.ModuleDict(
        {"features": torch.nn.Sequential(*features), "classify": torch.nn.Sequential(*classify)}
    )
    weights = {name: torch.tensor(one.numpy()) for name, one in model.state_dict().items()}
    other.load_state_dict(weights)
    learn, _ = example.datasets("digits")
    mine = flow.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    theirs = torch.optim.SGD(other.parameters(), lr=0.1, momentum=0.9)
    losses: list[tuple[float, float]] = []
    batches = DataLoader(learn, batch_size=50)
    while len(losses) < 20:
        for images, labels in batches:
            loss = flow.nn.CrossEntropyLoss()(model(images), labels)
            mine.zero_grad()
            loss.backward()
            mine.step()
            logits = other["classify"](other["features"](torch.tensor(images.numpy())))
            wanted = torch.nn.CrossEntropyLoss()(logits, torch.tensor(labels.numpy()))
            theirs.zero_grad()
            wanted.backward()
            theirs.step()
            losses.append((loss.item(), wanted.item()))
            if len(losses) == 20:
                break
    ours, torchs = np.array(losses).T
    # float32 on both sides, whose roundings differ: the loss is about 2.
    assert np.abs(ours - torchs).max() < 1e-5


def test_learns_digits(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setattr(sys, "argv", ["train_mnist_tensors.py", "--epochs", "4"])
    import train_mnist_tensors as example

    example.main()
    last = capsys.readouterr().out.splitlines()[-1]
    assert float(last.rpartition(" ")[2].rstrip("%")) > 70
