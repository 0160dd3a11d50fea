"""CTC: losses against the sum over all alignments, and decoding, on tensors and in a job."""

import itertools
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock import nn

F = nn.functional


def log_softmax(x: Any) -> Any:
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def losses(x: Any, labels: Any, sizes: Any, lengths: Any, blank: int = 0) -> Any:
    """By definition: the probability of every path that collapses to the labels."""
    found = []
    for n, (size, length) in enumerate(zip(sizes, lengths, strict=True)):
        total = 0.0
        for path in itertools.product(range(x.shape[2]), repeat=int(size)):
            merged = [c for c, _ in itertools.groupby(path) if c != blank]
            if merged == list(labels[n][:length]):
                total += np.exp(sum(x[t, n, c] for t, c in enumerate(path)))
        found.append(-np.log(total) if total else np.inf)
    return np.array(found)


X = log_softmax(np.random.default_rng(3).standard_normal((5, 4, 3)))
LABELS = np.array([[1, 2, 1], [2, 2, 0], [1, 1, 1], [2, 1, 2]])
SIZES, LENGTHS = np.array([5, 4, 3, 5]), np.array([3, 2, 3, 0])


def test_losses_by_definition() -> None:
    wanted = losses(X, LABELS, SIZES, LENGTHS)
    assert np.isinf(wanted[2])  # three equal labels need five steps
    given = flow.tensor(LABELS), SIZES.tolist(), flow.tensor(LENGTHS)
    x = flow.tensor(X)
    np.testing.assert_allclose(F.ctc_loss(x, *given, reduction="none").numpy(), wanted, rtol=1e-12)
    finite = np.where(np.isinf(wanted), 0, wanted)
    mean = F.ctc_loss(x, *given, zero_infinity=True)
    np.testing.assert_allclose(mean.item(), (finite / np.maximum(LENGTHS, 1)).mean(), rtol=1e-12)
    row = np.concatenate([labels[:n] for labels, n in zip(LABELS, LENGTHS, strict=True)])
    total = flow.ctc_loss(x, flow.tensor(row), SIZES, LENGTHS, reduction="sum", zero_infinity=True)
    np.testing.assert_allclose(total.item(), finite.sum(), rtol=1e-12)


def test_gradients_are_differences() -> None:
    x = flow.tensor(X, requires_grad=True)
    given = flow.tensor(LABELS), flow.tensor(SIZES), LENGTHS.tolist()
    F.ctc_loss(x, *given, reduction="sum", zero_infinity=True).backward()
    rng = np.random.default_rng(5)
    for _ in range(12):
        place = tuple(int(rng.integers(n)) for n in X.shape)
        step = np.zeros_like(X)
        step[place] = 1e-6
        pair = [losses(X + sign * step, LABELS, SIZES, LENGTHS) for sign in (1, -1)]
        slope = sum(
            np.where(np.isinf(one), 0, one).sum() * s for one, s in zip(pair, (1, -1), strict=True)
        )
        np.testing.assert_allclose(x.grad.numpy()[place], slope / 2e-6, rtol=1e-6, atol=1e-8)


def test_in_a_job() -> None:
    flow.clear_default_session()

    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((5, 4, 3)),
        labels: tp.Numpy.Placeholder((4, 3), flow.int32),
        sizes: tp.Numpy.Placeholder((4,), flow.int32),
        lengths: tp.Numpy.Placeholder((4,), flow.int32),
    ) -> tp.Numpy:
        return flow.ctc_loss(x, labels, sizes, lengths, reduction="none")

    whole = [one.astype(np.int32) for one in (LABELS, SIZES, LENGTHS)]
    found = job(X.astype(np.float32), *whole)
    np.testing.assert_allclose(found, losses(X, LABELS, SIZES, LENGTHS), rtol=1e-5)


@pytest.mark.parametrize("merge", [True, False])
def test_greedy_decoding(merge: bool) -> None:
    labels = np.zeros((4, 5), np.int64)
    costs = np.zeros((4, 1))
    for n, size in enumerate(SIZES):
        best = X[:size, n].argmax(1)
        costs[n] = -X[:size, n].max(1).sum()
        path = [c for c, _ in itertools.groupby(best)] if merge else best
        kept = [c for c in path if c != 2]
        labels[n, : len(kept)] = kept
    found, cost = F.ctc_greedy_decoder(flow.tensor(X), flow.tensor(SIZES), merge)
    np.testing.assert_array_equal(found.numpy(), labels)
    np.testing.assert_allclose(cost.numpy(), costs, rtol=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"targets": flow.tensor([[1, 3, 1]] * 4)},
            r"must differ and lie from 0 to 2, got blank 0",
        ),
        ({"input_lengths": [6, 1, 1, 1]}, r"input_lengths of F.ctc_loss must be at most 5"),
        ({"target_lengths": [1, 1]}, r"target_lengths of F.ctc_loss must be 4 ints"),
        ({"blank": 3}, r"blank of F.ctc_loss must lie from 0 to 2, got 3"),
        ({"targets": flow.ones(9).long()}, r"or be one row of all labels, 8 by target_lengths"),
    ],
)
def test_misuse(change: Any, message: str) -> None:
    given: dict[str, Any] = {
        "targets": flow.tensor(LABELS), "input_lengths": SIZES, "target_lengths": LENGTHS,
    }  # fmt: skip
    with pytest.raises(ValueError, match=rf"test_alignment\.py:\d+: .*{message}"):
        F.ctc_loss(flow.tensor(X), **{**given, **change})
