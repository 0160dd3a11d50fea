"""Train a network of two layers on images of ten classes, and measure how often it is right.

Importing this file defines the two jobs and does no more; `penstock dump
examples/train_mnist.py:train_job --stage fused` shows one of them on its way to machine code.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Annotated

import numpy as np

import penstock as flow
import penstock.typing as tp
from penstock.data import Batches

BATCH_SIZE = 100
STAGES = ("job", "grad", "placed", "fused", "loops", "llvm", "asm")
LINES_SHOWN = 40

# To bodies of jobs these are blobs, to callers arrays; editors and type checkers know both.
Images = Annotated[flow.Blob, tp.Numpy.Placeholder((BATCH_SIZE, 1, 28, 28), dtype=flow.float)]
Result = Annotated[flow.Blob, tp.Numpy]

config = flow.function_config()
config.default_data_type(flow.float)


def network(images: flow.Blob) -> flow.Blob:
    """Logits `(batch, 10)` of images `(batch, 1, 28, 28)`; the jobs share the variables by name."""
    initializer = flow.truncated_normal(0.1)
    pixels = flow.reshape(images, [images.shape[0], -1])
    hidden = flow.layers.dense(
        pixels, 512, activation=flow.nn.relu, kernel_initializer=initializer, name="hidden"
    )
    return flow.layers.dense(hidden, 10, kernel_initializer=initializer, name="output")


@flow.global_function(type="train", function_config=config)
def train_job(
    images: Images, labels: Annotated[flow.Blob, tp.Numpy.Placeholder((BATCH_SIZE,), flow.int32)]
) -> Result:
    with flow.scope.placement("cpu", "0:0"):
        logits = network(images)
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
    lr_scheduler = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
    flow.optimizer.SGD(lr_scheduler, momentum=0).minimize(loss)
    return loss


@flow.global_function(type="predict", function_config=config)
def predict_job(images: Images) -> Result:
    with flow.scope.placement("cpu", "0:0"):
        return network(images)


def load(data: str) -> tuple[str, Batches, Batches]:
    """What the images are, the train set and the test set."""
    if data == "digits":
        source = "the handwritten digits that ship with penstock"
        return source, *flow.data.load_digits(BATCH_SIZE, BATCH_SIZE)
    folder = "." if data == "auto" else data
    source = str(flow.data.find_mnist(folder))
    return source, *flow.data.load_mnist(BATCH_SIZE, BATCH_SIZE, out_dir=folder)


def progress(epoch: int, batches: int) -> Iterator[int]:
    """Count through an epoch's batches with a bar that is redrawn where the output is a screen."""
    on_screen = sys.stdout.isatty()
    for batch in range(batches):
        if on_screen:
            done = 40 * (batch + 1) // batches
            print(f"\repoch {epoch} [{'#' * done:40}] {batch + 1}/{batches}", end="", flush=True)
        yield batch
    if on_screen:
        print("\r" + " " * 79 + "\r", end="")


def train(images: np.ndarray, labels: np.ndarray, epochs: int) -> None:
    for epoch in range(1, epochs + 1):
        start = time.perf_counter()
        losses = [
            train_job(images[batch], labels[batch]).mean() for batch in progress(epoch, len(images))
        ]
        seconds = time.perf_counter() - start
        print(f"epoch {epoch}: loss {np.mean(losses):.4f}, {seconds:.1f} s", flush=True)


def accuracy(images: np.ndarray, labels: np.ndarray) -> float:
    """The part of the images, 0 to 1, for which the largest logit is the label's."""
    right = [
        predict_job(batch).argmax(axis=1) == truth
        for batch, truth in zip(images, labels, strict=True)
    ]
    return float(np.mean(right))


def show(stage: str, full: bool) -> None:
    lines = train_job.compile().as_text(stage=stage).splitlines()
    shown = lines if full else lines[:LINES_SHOWN]
    print(f"\ntrain_job at the stage {stage!r}, {len(shown)} of {len(lines)} lines:\n")
    print("\n".join(line if full or len(line) <= 120 else f"{line[:117]}..." for line in shown))


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train a small network and measure it.")
    parser.add_argument("--epochs", type=int, help="default: 3, or 40 for the small digits set")
    parser.add_argument(
        "--data", default="auto", help="auto, digits, or a FOLDER with MNIST's files"
    )
    parser.add_argument("--save", metavar="FOLDER", help="keep the variables there")
    parser.add_argument(
        "--stage", choices=STAGES, help="print this stage of the train job at the end"
    )
    parser.add_argument("--full", action="store_true", help="print the whole of it")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    try:
        source, train_set, test_set = load(options.data)
    except (FileNotFoundError, ValueError) as error:
        sys.exit(str(error))
    print(f"{len(train_set[0])} batches of {BATCH_SIZE} from {source}")
    epochs = options.epochs or (3 if len(train_set[0]) >= 100 else 40)
    try:
        train(*train_set, epochs)
    except KeyboardInterrupt:
        # No step is ever left half done, so the variables can be used.
        print("\ninterrupted: training ends here")
    print(f"test accuracy: {100 * accuracy(*test_set):.2f} %")
    if options.save:
        flow.checkpoint.save(options.save)
        print(f"variables saved in {options.save}")
    if options.stage:
        show(options.stage, options.full)


if __name__ == "__main__":
    main()
