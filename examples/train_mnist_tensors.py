"""Trains a small convolutional network on handwritten digits as a module, eagerly.

    python examples/train_mnist_tensors.py [--data digits] [--epochs 1] [--batch-size 100]

The loop is one that a PyTorch user would write: a `Module`, a `DataLoader`, an optimizer.
"""

import argparse

import numpy as np

import penstock as flow
from penstock import nn
from penstock.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    """Two convolutions and two dense layers."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.classify = nn.Sequential(
            nn.Flatten(), nn.Linear(32 * 7 * 7, 128), nn.ReLU(), nn.Linear(128, 10)
        )

    def forward(self, images: flow.Tensor) -> flow.Tensor:
        logits: flow.Tensor = self.classify(self.features(images))
        return logits


def datasets(which: str) -> tuple[TensorDataset, TensorDataset]:
    """Images and labels to learn from, and others to test with."""
    is_shipped = which == "digits"
    both = flow.data.load_digits() if is_shipped else flow.data.load_mnist(out_dir=which)
    made = [
        TensorDataset(
            flow.tensor(np.concatenate(list(images))),
            flow.tensor(np.concatenate(list(labels)), dtype=flow.int64),
        )
        for images, labels in both
    ]
    return made[0], made[1]


def accuracy(model: Net, batches: DataLoader) -> float:
    """The share of images whose class the model tells."""
    right = total = 0
    model.eval()
    with flow.no_grad():
        for images, labels in batches:
            right += int((model(images).argmax(1) == labels).sum())
            total += len(labels)
    model.train()
    return right / total


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", default="digits", help="digits, or a folder with MNIST's files")
    options.add_argument("--epochs", type=int, default=2)
    options.add_argument("--batch-size", type=int, default=100)
    args = options.parse_args()
    flow.manual_seed(1)
    learn, test = datasets(args.data)
    model = Net()
    optimizer = flow.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    batches = DataLoader(learn, batch_size=args.batch_size, shuffle=True)
    for epoch in range(1, args.epochs + 1):
        for images, labels in batches:
            loss = criterion(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        found = accuracy(model, DataLoader(test, batch_size=args.batch_size))
        print(f"epoch {epoch}: last loss {loss.item():.4f}, accuracy {found:.2%}")


if __name__ == "__main__":
    main()
