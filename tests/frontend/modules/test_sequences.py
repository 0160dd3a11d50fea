"""Sequences of different lengths, padded and packed, against PyTorch."""

from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock import nn
from penstock.nn.utils import rnn

LENGTHS = [3, 5, 1, 5]


def drawn(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).standard_normal(shape)


def test_padding_and_packing() -> None:
    torch = pytest.importorskip("torch")
    theirs: Any = pytest.importorskip("torch.nn.utils.rnn")
    arrays = [drawn(n, 2) for n in LENGTHS]
    found = []
    for library, module in ((flow, rnn), (torch, theirs)):
        given = [library.tensor(a) for a in arrays]
        padded = module.pad_sequence(given, padding_value=-1.0)
        first = module.pad_sequence(given, batch_first=True, padding_side="left")
        packed = module.pack_padded_sequence(padded, library.tensor(LENGTHS), enforce_sorted=False)
        again, lengths = module.pad_packed_sequence(packed, True, 7.0, total_length=6)
        found.append([padded, first, *packed, again, lengths, *module.unpack_sequence(packed)])
    for mine, other in zip(*found, strict=True):
        np.testing.assert_array_equal(mine.numpy(), other.numpy())


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("with_state", [False, True])
def test_recurrent_layers(kind: str, bidirectional: bool, with_state: bool) -> None:
    torch = pytest.importorskip("torch")
    theirs: Any = pytest.importorskip("torch.nn.utils.rnn")
    mine = getattr(nn, kind)(2, 3, 2, bidirectional=bidirectional).double()
    other = getattr(torch.nn, kind)(2, 3, 2, bidirectional=bidirectional).double()
    other.load_state_dict({n: torch.tensor(p.detach().numpy()) for n, p in mine.named_parameters()})
    arrays = [drawn(n, 2) for n in LENGTHS]
    found: list[Any] = []
    for library, module, layer in ((flow, rnn, mine), (torch, theirs, other)):
        given = [library.tensor(a, requires_grad=True) for a in arrays]
        state: Any = library.tensor(drawn(4 if bidirectional else 2, 4, 3))
        if kind == "LSTM":
            state = (state, state * 2)
        packed = module.pack_sequence(given, enforce_sorted=False)
        made, ends = layer(packed, state if with_state else None)
        padded, _ = module.pad_packed_sequence(made)
        end = ends if isinstance(ends, tuple) else (ends,)
        loss = (padded * padded).sum() + sum((one * one * one).sum() for one in end)
        loss.backward()
        found.append([padded, *end, *(one.grad for one in given)])
        found[-1] += [p.grad for p in layer.parameters()]
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a.detach().numpy(), b.detach().numpy(), rtol=1e-9, atol=1e-12)


def test_packed_equals_each_by_itself() -> None:
    layer = nn.GRU(2, 3, bidirectional=True).double()
    given = [flow.tensor(drawn(n, 2)) for n in LENGTHS]
    made, last = layer(rnn.pack_sequence(given, enforce_sorted=False))
    for i, (one, whole) in enumerate(zip(rnn.unpack_sequence(made), given, strict=True)):
        alone, end = layer(whole)
        np.testing.assert_allclose(one.detach().numpy(), alone.detach().numpy(), rtol=1e-12)
        np.testing.assert_allclose(last[:, i].detach().numpy(), end.detach().numpy(), rtol=1e-12)


def test_misuse() -> None:
    padded = flow.ones(3, 2, 4)
    with pytest.raises(ValueError, match=r"sequences\.py:\d+: .*sorted, the longest first, got"):
        rnn.pack_padded_sequence(padded, [1, 3])
    with pytest.raises(ValueError, match="must lie from 1 to 3, got"):
        rnn.pack_padded_sequence(padded, [4, 3])
    with pytest.raises(ValueError, match="must be 2 ints"):
        rnn.pack_padded_sequence(padded, [3])
    packed = rnn.pack_padded_sequence(padded, [3, 2])
    with pytest.raises(ValueError, match="total_length of .* at least the longest sequence's, 3"):
        rnn.pad_packed_sequence(packed, total_length=2)
    with pytest.raises(ValueError, match="takes at least one sequence"):
        rnn.pad_sequence([])
    with pytest.raises(ValueError, match="alike but for their steps"):
        rnn.pad_sequence([flow.ones(2, 3), flow.ones(2, 4)])
    with pytest.raises(ValueError, match="2 dimensions, the last of 3, got"):
        nn.GRU(3, 2)(packed)


def test_one_tensor_is_copied() -> None:
    x = flow.zeros(2)
    flow.cat([x]).add_(1)
    flow.stack([x]).add_(1)
    assert x.tolist() == [0, 0]


# -- CTC ------------------------------------------------------------------------------------------

TARGETS = np.array([[1, 2, 2, 3], [3, 1, 0, 0], [2, 2, 0, 0], [0, 0, 0, 0]])
COUNTS = [4, 2, 2, 0]


def by_enumeration(log_probs: Any, labels: list[int]) -> float:
    """The loss by its definition: over all paths that collapse to the labels."""
    steps, classes = log_probs.shape
    total = 0.0
    for number in range(classes**steps):
        path = [number // classes**t % classes for t in range(steps)]
        kept = [c for i, c in enumerate(path) if i == 0 or c != path[i - 1]]
        if [c for c in kept if c] == labels:
            total += np.exp(sum(log_probs[t, c] for t, c in enumerate(path)))
    return float(-np.log(total))


@pytest.mark.parametrize("labels", [[], [1], [1, 2], [2, 2]])
def test_ctc_by_its_definition(labels: list[int]) -> None:
    x = flow.tensor(drawn(4, 3)).log_softmax(-1)
    targets = flow.tensor(np.array(labels, np.int64))
    loss = nn.functional.ctc_loss(x, targets, [4], [len(labels)], reduction="none")
    np.testing.assert_allclose(loss.item(), by_enumeration(x.numpy(), labels), rtol=1e-12)


@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.parametrize("in_one_row", [False, True])
def test_ctc_against_pytorch(reduction: str, in_one_row: bool) -> None:
    torch = pytest.importorskip("torch")
    sizes = [9, 7, 3, 5]
    targets = TARGETS
    if in_one_row:
        targets = np.concatenate([row[:n] for row, n in zip(TARGETS, COUNTS, strict=True)])
    found = []
    for library in (flow, torch):
        x = library.tensor(drawn(9, 4, 5), requires_grad=True)
        criterion = library.nn.CTCLoss(reduction=reduction)
        rows = library.tensor(targets)
        loss = criterion(x.log_softmax(-1), rows, library.tensor(sizes), library.tensor(COUNTS))
        (loss * loss).sum().backward()
        found.append([loss.detach(), x.grad])
    for mine, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(mine.numpy(), theirs.numpy(), rtol=1e-9, atol=1e-12)


def test_ctc_where_no_alignment_is_possible() -> None:
    x = flow.tensor(drawn(2, 1, 4), requires_grad=True)
    args = (flow.tensor([[1, 1]]), [2], [2])
    assert nn.functional.ctc_loss(x.log_softmax(-1), *args).item() == np.inf
    loss = nn.functional.ctc_loss(x.log_softmax(-1), *args, zero_infinity=True)
    loss.backward()
    assert loss.item() == 0
    assert (x.grad == 0).all()


def test_ctc_misuse() -> None:
    x = flow.zeros(3, 1, 2)
    with pytest.raises(ValueError, match="must differ and lie from 0 to 1, got blank 0"):
        nn.functional.ctc_loss(x, flow.tensor([[2]]), [3], [1])
    with pytest.raises(ValueError, match=r"input_lengths of .* must be at most 3, got \[4\]"):
        nn.functional.ctc_loss(x, flow.tensor([[1]]), [4], [1])
    with pytest.raises(ValueError, match="or be one row of all labels, 1 by target_lengths"):
        nn.functional.ctc_loss(x, flow.tensor([1, 1]), [3], [1])
