"""LeNet on images of ten classes: train and save it, evaluate what was saved, name one image.

    python examples/lenet.py train --save ../lenet        two convolutions, two dense layers, Adam
    python examples/lenet.py evaluate ../lenet           how often it is right on the test set
    python examples/lenet.py test ../lenet shirt.png     what it takes one image file for

The three jobs share their variables by name. An image file is a PNG, JPEG or whatever else Pillow
opens (`pip install "penstock[images]"`), of any size, brighter than its background.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np

import penstock as flow
import penstock.typing as tp
from penstock.data import Batches

BATCH_SIZE = 100
CLOTHES = (
    "T-shirt", "trousers", "pullover", "dress", "coat",
    "sandal", "shirt", "sneaker", "bag", "ankle boot",
)  # fmt: skip

Images = Annotated[flow.Blob, tp.Numpy.Placeholder((BATCH_SIZE, 1, 28, 28), dtype=flow.float)]
Result = Annotated[flow.Blob, tp.Numpy]

config = flow.function_config()
config.default_data_type(flow.float)


def lenet(images: flow.Blob, rate: float = 0.5) -> flow.Blob:
    """Logits `(batch, 10)` of images `(batch, 1, 28, 28)`, 0 to 1; `rate` is that of dropout."""
    initializer = flow.xavier_uniform_initializer()
    layer: dict[str, Any] = {"kernel_initializer": initializer, "activation": flow.nn.relu}
    maps = flow.layers.conv2d(images, 32, 5, padding="SAME", name="conv1", **layer)
    maps = flow.nn.max_pool2d(maps, ksize=2, strides=2, padding="SAME", data_format="NCHW")
    maps = flow.layers.conv2d(maps, 64, 5, padding="SAME", name="conv2", **layer)
    maps = flow.nn.max_pool2d(maps, ksize=2, strides=2, padding="SAME", data_format="NCHW")
    pixels = flow.reshape(maps, [maps.shape[0], -1])
    hidden = flow.layers.dense(pixels, 512, name="hidden", **layer)
    # In jobs that predict, dropout passes on what it is given.
    hidden = flow.nn.dropout(hidden, rate)
    return flow.layers.dense(hidden, 10, kernel_initializer=initializer, name="output")


@flow.global_function(type="train", function_config=config)
def train_job(
    images: Images, labels: Annotated[flow.Blob, tp.Numpy.Placeholder((BATCH_SIZE,), flow.int32)]
) -> Result:
    loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, lenet(images))
    lr_scheduler = flow.optimizer.PiecewiseConstantScheduler([], [0.001])
    flow.optimizer.Adam(lr_scheduler, do_bias_correction=True).minimize(loss)
    return loss


@flow.global_function(type="predict", function_config=config)
def eval_job(images: Images) -> Result:
    return lenet(images)


@flow.global_function(type="predict", function_config=config)
def test_job(
    image: Annotated[flow.Blob, tp.Numpy.Placeholder((1, 1, 28, 28), dtype=flow.float)],
) -> Result:
    return flow.nn.softmax(lenet(image))


def load(data: str) -> tuple[Batches, Batches]:
    """The batches of the train set and of the test set, each images and labels."""
    if data == "digits":
        return flow.data.load_digits(BATCH_SIZE, BATCH_SIZE)
    return flow.data.load_mnist(BATCH_SIZE, BATCH_SIZE, out_dir="." if data == "auto" else data)


def train(options: argparse.Namespace) -> None:
    if Path(options.save).exists():
        sys.exit(f"{options.save} is there already; choose another name for --save")
    (images, labels), test_set = load(options.data)
    order = np.random.default_rng(options.seed)
    for epoch in range(1, options.epochs + 1):
        start = time.perf_counter()
        batches = order.permutation(len(images))
        losses = [train_job(images[batch], labels[batch]).mean() for batch in batches]
        seconds = time.perf_counter() - start
        print(f"epoch {epoch}: loss {np.mean(losses):.4f}, {seconds:.1f} s", flush=True)
    print(f"test accuracy: {100 * accuracy(*test_set):.2f} %")
    flow.checkpoint.save(options.save)
    print(f"variables saved in {options.save}")


def accuracy(images: np.ndarray, labels: np.ndarray) -> float:
    """The part of the images, 0 to 1, for which the largest logit is the label's."""
    right = [
        eval_job(batch).argmax(axis=1) == truth for batch, truth in zip(images, labels, strict=True)
    ]
    return float(np.mean(right))


def evaluate(options: argparse.Namespace) -> None:
    flow.load_variables(flow.checkpoint.get(options.saved))
    _, test_set = load(options.data)
    print(f"test accuracy: {100 * accuracy(*test_set):.2f} %")


def read_image(path: str) -> np.ndarray:
    """The image in a file, grey, from 0 to 1 and of shape (1, 1, 28, 28)."""
    try:
        from PIL import Image
    except ImportError:
        sys.exit('reading image files needs Pillow: pip install "penstock[images]"')
    try:
        with Image.open(path) as image:
            grey = image.convert("L").resize((28, 28))
    except OSError as error:
        sys.exit(f"{path} is no image that can be read: {error}")
    return np.asarray(grey, np.float32).reshape(1, 1, 28, 28) / 255


def test(options: argparse.Namespace) -> None:
    flow.load_variables(flow.checkpoint.get(options.saved))
    (chances,) = test_job(read_image(options.image))
    names = [str(digit) for digit in range(10)] if options.data == "digits" else CLOTHES
    for place in np.argsort(-chances)[:3]:
        print(f"{names[place]}: {100 * chances[place]:.1f} %")


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train LeNet, evaluate it, and use it.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (
        ("train", "train it and save its variables"),
        ("evaluate", "measure saved variables on the test set"),
        ("test", "say what an image file shows"),
    ):
        command = commands.add_parser(name, help=what, description=what)
        command.set_defaults(run=globals()[name])
        command.add_argument(
            "--data", default="auto", help="auto, digits, or a FOLDER with MNIST's files"
        )
        if name == "train":
            command.add_argument("--save", metavar="FOLDER", required=True)
            command.add_argument("--epochs", type=int, default=5)
            command.add_argument("--seed", type=int, default=0, help="of the order of batches")
        else:
            command.add_argument("saved", metavar="FOLDER", help="the variables")
        if name == "test":
            command.add_argument("image", metavar="IMAGE")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    try:
        options.run(options)
    except (AssertionError, FileNotFoundError, ValueError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
