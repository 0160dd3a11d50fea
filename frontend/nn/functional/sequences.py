"""Sequences of different lengths: padded, packed step by step, and aligned with labels."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from penstock.basics.checks import check_flag, check_integer, check_number, is_integer
from penstock.basics.errors import kind_of, located
from penstock.nn.functional.reducing import check_reduction
from penstock.tensor_functions.calls import op, pair, part, reshaped
from penstock.tensor_functions.pointwise import add, div, where
from penstock.tensor_functions.reductions import mean
from penstock.tensor_functions.reductions import sum as sum_of
from penstock.tensor_functions.selecting import gather, index_select
from penstock.tensor_functions.shapes import cat, narrow, stack, transpose
from penstock.tensors.creation import full
from penstock.tensors.tensor import Tensor, check_tensor, wrap

Lengths = Tensor | Sequence[int]


class PackedSequence(NamedTuple):
    """Sequences packed step by step: all first elements, all second ones, and so on.

    The sequences are sorted by length, the longest first. `batch_sizes` has the number of sequences
    that reach each step. `sorted_indices` has the place of each sorted sequence in the batch,
    `unsorted_indices` the inverse; both are None for a batch that was sorted.
    """

    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None = None
    unsorted_indices: Tensor | None = None

    def to(self, *args: Any, **named: Any) -> PackedSequence:
        """The sequences with their elements converted: see `Tensor.to`."""
        return self._replace(data=self.data.to(*args, **named))

    @property
    def sizes(self) -> list[int]:
        """`batch_sizes` as ints."""
        return [int(size) for size in self.batch_sizes.array]


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The permutation that undoes this one."""
    if permutation is None:
        return None
    given = check_tensor(permutation, "invert_permutation").array
    made = np.empty_like(given)
    made[given] = np.arange(given.size, dtype=given.dtype)
    return wrap(made)


def _lengths_of(lengths: Lengths, count: int, longest: int, what: str) -> np.ndarray[Any, Any]:
    given = lengths.array if isinstance(lengths, Tensor) else np.asarray(lengths)
    if given.dtype.kind not in "iu" or given.shape != (count,):
        raise located(
            ValueError,
            f"lengths of {what} must be {count} ints, one for each sequence, got "
            f"{kind_of(lengths)}",
        )
    if count and not (int(given.min()) >= 1 and int(given.max()) <= longest):
        raise located(
            ValueError,
            f"lengths of {what} must lie from 1 to {longest}, got {given.tolist()}",
        )
    return given.astype(np.int64)


def pack_padded_sequence(
    input: Tensor, lengths: Lengths, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Pack padded sequences, without their padding.

    `input` is [steps, n, ...], or [n, steps, ...] with `batch_first`; `lengths` has n numbers of at
    least 1. Raises a located ValueError if they do not fall, unless `enforce_sorted` is False.

    >>> import penstock as flow
    >>> from penstock.nn.utils.rnn import pack_padded_sequence
    >>> packed = pack_padded_sequence(flow.tensor([[1, 4], [2, 5], [3, 0]]), [3, 2])
    >>> packed.data, packed.batch_sizes
    (tensor([1, 4, 2, 5, 3], dtype=penstock.int64), tensor([2, 2, 1], dtype=penstock.int64))
    """
    what = "pack_padded_sequence"
    x = check_tensor(input, what)
    if len(x.shape) < 2:
        raise located(
            ValueError, f"{what} takes a tensor [steps, n, ...], got shape {tuple(x.shape)}"
        )
    if batch_first:
        x = transpose(x, 0, 1)
    steps, count = x.shape[:2]
    counts = _lengths_of(lengths, count, steps, what)
    if not count:
        raise located(ValueError, f"{what} takes at least one sequence, got none")
    order: Tensor | None = None
    if not enforce_sorted:
        places = np.argsort(-counts, kind="stable")
        order, counts = wrap(places), counts[places]
        x = index_select(x, 1, order)
    elif (np.diff(counts) > 0).any():
        raise located(
            ValueError,
            f"lengths of {what} must be sorted, the longest first, got {counts.tolist()}; pass "
            "enforce_sorted=False to have the sequences sorted",
        )
    sizes = [int((counts > step).sum()) for step in range(int(counts[0]))]
    rows = [narrow(x[step], 0, 0, size) for step, size in enumerate(sizes)]
    return PackedSequence(
        cat(rows, 0), wrap(np.array(sizes, np.int64)), order, invert_permutation(order)
    )


def _parts(sequence: PackedSequence) -> list[Tensor]:
    """The elements of each step."""
    starts = np.cumsum([0, *sequence.sizes])
    return [
        narrow(sequence.data, 0, int(start), size)
        for start, size in zip(starts, sequence.sizes, strict=False)
    ]


def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Tensor, Tensor]:
    """The padded sequences, in the order before they were packed, and their lengths."""
    what = "pad_packed_sequence"
    if not isinstance(sequence, PackedSequence):
        raise located(TypeError, f"{what} takes a PackedSequence, got {kind_of(sequence)}")
    sizes = sequence.sizes
    steps = len(sizes) if total_length is None else total_length
    if not is_integer(steps) or steps < len(sizes):
        raise located(
            ValueError,
            f"total_length of {what} must be at least the longest sequence's, {len(sizes)}, got "
            f"{kind_of(total_length)}",
        )
    rows = []
    for step in _parts(sequence):
        rest = [sizes[0] - step.shape[0], *step.shape[1:]]
        rows.append(cat([step, full(rest, padding_value, dtype=step.dtype)]) if rest[0] else step)
    empty = [full(list(rows[0].shape), padding_value, dtype=rows[0].dtype)]
    padded = stack(rows + empty * (steps - len(sizes)))
    lengths = np.array([sum(size > i for size in sizes) for i in range(sizes[0])], np.int64)
    if sequence.unsorted_indices is not None:
        padded = index_select(padded, 1, sequence.unsorted_indices)
        lengths = lengths[sequence.unsorted_indices.array]
    return transpose(padded, 0, 1) if batch_first else padded, wrap(lengths)


def pad_sequence(
    sequences: Sequence[Tensor],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """Sequences [steps, ...] stacked to [longest, n, ...], the shorter ones padded.

    With `batch_first` the result is [n, longest, ...]. `padding_side` is "right" or "left".
    """
    what = "pad_sequence"
    given = [check_tensor(one, what) for one in sequences]
    if not given:
        raise located(ValueError, f"{what} takes at least one sequence, got none")
    check_number(padding_value, f"padding_value of {what}")
    if padding_side not in ("right", "left"):
        raise located(
            ValueError,
            f'padding_side of {what} must be "right" or "left", got {kind_of(padding_side)}',
        )
    rest = given[0].shape[1:]
    for one in given:
        if not one.shape or one.shape[1:] != rest:
            raise located(
                ValueError,
                f"{what} takes sequences [steps, ...] that are alike but for their steps, got "
                f"shapes {tuple(given[0].shape)} and {tuple(one.shape)}",
            )
    longest = max(one.shape[0] for one in given)
    rows = []
    for one in given:
        padding = full([longest - one.shape[0], *rest], padding_value, dtype=one.dtype)
        parts = [one, padding] if padding_side == "right" else [padding, one]
        rows.append(cat(parts) if padding.shape[0] else one)
    return stack(rows, 0 if batch_first else 1)


def unpad_sequence(
    padded_sequences: Tensor, lengths: Lengths, batch_first: bool = False
) -> list[Tensor]:
    """Padded sequences as a list of tensors without padding."""
    what = "unpad_sequence"
    x = check_tensor(padded_sequences, what)
    x = x if batch_first else transpose(x, 0, 1)
    counts = _lengths_of(lengths, x.shape[0], x.shape[1], what)
    return [narrow(x[i], 0, 0, int(count)) for i, count in enumerate(counts)]


def pack_sequence(sequences: Sequence[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Pack a list of sequences [steps, ...]: see `pack_padded_sequence`."""
    padded = pad_sequence(sequences)
    return pack_padded_sequence(
        padded, [one.shape[0] for one in sequences], enforce_sorted=enforce_sorted
    )


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """Packed sequences as a list of tensors, in the order before they were packed."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)


# -- connectionist temporal classification ------------------------------------------------------

_NEVER = -1e30
"""The logarithm of the probability of what is impossible, for which infinity has no gradient."""


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Lengths,
    target_lengths: Lengths,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """Minus the logarithm of the probability of all alignments of the steps with the labels.

    `log_probs` is [steps, n, classes] or [steps, classes]. `targets` is [n, most labels], or one
    row of all labels. The mean is that of the losses divided by `target_lengths`. Where no
    alignment is possible, the loss is infinite, or 0 with `zero_infinity`, and its gradient 0.
    Graves et al., "Connectionist temporal classification", 2006.

    >>> import penstock as flow
    >>> x = flow.full((2, 1, 2), 0.5).log()
    >>> loss = flow.nn.functional.ctc_loss(x, flow.tensor([[1]]), [2], [1])
    >>> round(loss.exp().item(), 4)  # 1 / (3 of 4 alignments)
    1.3333
    """
    what = "F.ctc_loss"
    x, labels = check_tensor(log_probs, what), check_tensor(targets, what)
    if not x.dtype.is_float or labels.dtype.is_float or len(x.shape) not in (2, 3):
        raise located(
            ValueError,
            f"{what} takes log_probs of floats [steps, n, classes] and targets of integers, got "
            f"{x.dtype} of shape {tuple(x.shape)} and {labels.dtype}",
        )
    is_one = len(x.shape) == 2
    if is_one:
        x = reshaped(x, [x.shape[0], 1, x.shape[1]])
    steps, count, classes = x.shape
    sizes = _counts(input_lengths, count, steps, f"input_lengths of {what}")
    rows = _label_rows(labels, target_lengths, count, what)
    void = check_integer(blank, f"blank of {what}")
    found = [label for row in rows for label in row]
    if not 0 <= void < classes or any(not 0 <= one < classes or one == void for one in found):
        raise located(
            ValueError,
            f"blank and targets of {what} must differ and lie from 0 to {classes - 1}, got blank "
            f"{void} and targets {found[:20]}",
        )
    check_reduction(reduction, what)
    loss = _alignments(x, rows, sizes, void)
    is_impossible = pair("flow.greater", loss, -_NEVER / 2)
    nothing = 0.0 if check_flag(zero_infinity, f"zero_infinity of {what}") else float("inf")
    loss = cast(Tensor, where(is_impossible, nothing, loss))
    if reduction == "mean":
        lengths = np.array([max(len(row), 1) for row in rows], loss.array.dtype)
        return mean(div(loss, wrap(lengths)))
    if reduction == "sum":
        return sum_of(loss)
    return reshaped(loss, []) if is_one else loss


def _counts(given: Lengths, count: int, most: int, what: str) -> list[int]:
    found = np.atleast_1d(given.array if isinstance(given, Tensor) else np.asarray(given, np.int64))
    if found.dtype.kind not in "iu" or found.shape != (count,) or (found < 0).any():
        raise located(
            ValueError, f"{what} must be {count} ints of at least 0, got {kind_of(given)}"
        )
    if count and found.max() > most:
        raise located(ValueError, f"{what} must be at most {most}, got {found.tolist()}")
    return [int(one) for one in found]


def _label_rows(labels: Tensor, lengths: Lengths, count: int, what: str) -> list[list[int]]:
    """The labels of each sequence."""
    given = labels.array
    if given.ndim == 2 and given.shape[0] == count:
        sizes = _counts(lengths, count, given.shape[1], f"target_lengths of {what}")
        return [row[:size].tolist() for row, size in zip(given, sizes, strict=True)]
    sizes = _counts(lengths, count, given.size, f"target_lengths of {what}")
    if given.ndim != 1 or sum(sizes) != given.size:
        raise located(
            ValueError,
            f"targets of {what} must have shape ({count}, most labels), or be one row of all "
            f"labels, {sum(sizes)} by target_lengths, got shape {tuple(given.shape)}",
        )
    starts = np.cumsum([0, *sizes])
    return [given[i:j].tolist() for i, j in itertools.pairwise(starts)]


def _alignments(x: Tensor, rows: list[list[int]], sizes: list[int], blank: int) -> Tensor:
    """Minus the logarithm of the probability of the rows, by the forward algorithm.

    Position 2 i + 1 of a row stands for its label i, even positions for blanks. A step stays at a
    position, or advances by one, or by two from a label to another one.
    """
    steps, count, _ = x.shape
    width = 2 * max(map(len, rows), default=0) + 1
    classes = np.full((count, width), blank, np.int64)
    for at, row in zip(classes, rows, strict=True):
        at[1 : 2 * len(row) : 2] = row
    jumps = np.zeros((count, width), np.bool_)
    jumps[:, 3::2] = classes[:, 3::2] != classes[:, 1:-2:2]
    places = np.broadcast_to(classes, (steps, count, width)).copy()
    emitted = gather(x, 2, wrap(places))
    never = full([count, 2], _NEVER, dtype=x.dtype)
    begin = wrap(np.broadcast_to(np.arange(width) == 0, (count, width)).copy())
    state = where(begin, full([count, width], 0.0, dtype=x.dtype), _NEVER)
    for t in range(steps):
        padded = cat([never, state], 1)
        jumped = where(wrap(jumps), part(padded, 1, 0, width), _NEVER)
        # Before the first step, position 0 stands for the first blank and the first label alike.
        moved = part(padded, 1, 1, width)
        new = add(_log_sum(state, moved, jumped), emitted[t])
        state = new if t < min(sizes) else where(_going(sizes, t, width), new, state)
    ends = np.array([[2 * len(row), max(2 * len(row) - 1, 0)] for row in rows], np.int64)
    last = gather(state, 1, wrap(ends))
    first, second = part(last, 1, 0, 1), part(last, 1, 1, 1)
    has_labels = wrap(np.array([[bool(row)] for row in rows]))
    total = _log_sum(first, where(has_labels, second, _NEVER))
    return op("flow.negative", reshaped(total, [count]))


def _going(sizes: list[int], step: int, width: int) -> Tensor:
    """Whether a sequence has this step, for each position."""
    going = np.array(sizes)[:, None] > step
    return wrap(np.repeat(going, width, 1))


def _log_sum(*logs: Tensor) -> Tensor:
    """The logarithm of the sum of numbers given by their logarithms."""
    largest = logs[0]
    for one in logs[1:]:
        largest = pair("flow.maximum", largest, one)
    largest = largest.detach()  # It cancels out.
    total: Any = None
    for one in logs:
        powers = op("flow.exp", pair("flow.subtract", one, largest))
        total = powers if total is None else add(total, powers)
    return add(op("flow.log", total), largest)
