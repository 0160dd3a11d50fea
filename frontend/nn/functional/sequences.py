"""Sequences of different lengths: padded, packed step by step, and aligned with labels."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np

from penstock.basics.checks import check_flag, check_integer, check_number, is_integer
from penstock.basics.dtypes import bool_, int64
from penstock.basics.errors import kind_of, located
from penstock.nn.functional.reducing import check_reduction
from penstock.tensor_functions.calls import as_type, constant, either, op, pair, part, reshaped
from penstock.tensor_functions.pointwise import add, div, where
from penstock.tensor_functions.reductions import amax, argmax, cumsum, mean
from penstock.tensor_functions.reductions import any as any_of
from penstock.tensor_functions.reductions import sum as sum_of
from penstock.tensor_functions.selecting import gather, index_select, scatter
from penstock.tensor_functions.shapes import cat, narrow, select, stack, transpose
from penstock.tensors.creation import full
from penstock.tensors.tensor import Tensor, check_tensor, wrap
from penstock.trace.blob import Blob

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
    alignment is possible, the loss is infinite, or 0 with `zero_infinity`, and its gradient 0; so
    it is in a job or graph for blobs of labels or lengths out of range, of which tensors raise a
    located ValueError. Graves et al., "Connectionist temporal classification", 2006.

    >>> import penstock as flow
    >>> x = flow.full((2, 1, 2), 0.5).log()
    >>> loss = flow.nn.functional.ctc_loss(x, flow.tensor([[1]]), [2], [1])
    >>> round(loss.exp().item(), 4)  # 1 / (3 of 4 alignments)
    1.3333
    """
    what = "F.ctc_loss"
    x, labels = either(log_probs, what), either(targets, what)
    if not x.dtype.is_float or labels.dtype.is_float or len(x.shape) not in (2, 3):
        raise located(
            ValueError,
            f"{what} takes log_probs of floats [steps, n, classes] and targets of integers, got "
            f"{x.dtype} of shape {tuple(x.shape)} and {labels.dtype}",
        )
    is_one = len(x.shape) == 2
    if is_one:
        x = reshaped(x, [x.shape[0], 1, x.shape[1]])
    steps, _, classes = x.shape
    void = check_integer(blank, f"blank of {what}")
    if not 0 <= void < classes:
        raise located(ValueError, f"blank of {what} must lie from 0 to {classes - 1}, got {void}")
    check_reduction(reduction, what)
    sizes = _counts(input_lengths, x, steps, f"input_lengths of {what}")
    rows, lengths = _label_rows(labels, target_lengths, x, what)
    _check_labels(rows, lengths, classes, void, what)
    loss, fits = _alignments(x, rows, lengths, sizes, void)
    is_possible = pair("flow.less_equal", loss, -_NEVER / 2)
    nothing = 0.0 if check_flag(zero_infinity, f"zero_infinity of {what}") else float("inf")
    loss = cast(Tensor, where(pair("flow.logical_and", is_possible, fits), loss, nothing))
    if reduction == "mean":
        return mean(div(loss, as_type(pair("flow.maximum", lengths, 1), x.dtype)))
    if reduction == "sum":
        return sum_of(loss)
    return reshaped(loss, []) if is_one else loss


def _counts(given: Lengths, x: Tensor, most: int, what: str) -> Tensor:
    """Numbers from 0 to `most` as a tensor of int64; those of a blob are not checked."""
    count = x.shape[1]
    if isinstance(given, Blob):
        blob = either(given, what)
        if not blob.dtype.is_integer or prod(blob.shape) != count or len(blob.shape) > 1:
            raise located(
                ValueError,
                f"{what} must be {count} ints, got {blob.dtype} of shape {tuple(blob.shape)}",
            )
        return as_type(reshaped(blob, [count]), int64)
    found = np.atleast_1d(given.array if isinstance(given, Tensor) else np.asarray(given, np.int64))
    if found.dtype.kind not in "iu" or found.shape != (count,) or (found < 0).any():
        raise located(
            ValueError, f"{what} must be {count} ints of at least 0, got {kind_of(given)}"
        )
    if count and found.max() > most:
        raise located(ValueError, f"{what} must be at most {most}, got {found.tolist()}")
    if isinstance(given, Tensor):
        return as_type(reshaped(given, [count]), int64)
    return constant(found.astype(np.int64), x)


def _label_rows(labels: Tensor, lengths: Lengths, x: Tensor, what: str) -> tuple[Tensor, Tensor]:
    """The labels of each sequence, [n, most labels], and how many they are."""
    shape, count, about = tuple(labels.shape), x.shape[1], f"target_lengths of {what}"
    if len(shape) == 2 and shape[0] == count:
        return as_type(labels, int64), _counts(lengths, x, shape[1], about)
    found: Any = _counts(lengths, x, prod(shape), about)
    total = int(found.array.sum()) if isinstance(found, Tensor) else prod(shape)
    if len(shape) != 1 or total != shape[0]:
        by_lengths = "" if total == prod(shape) else f", {total} by target_lengths"
        raise located(
            ValueError,
            f"targets of {what} must have shape ({count}, most labels), or be one row of all "
            f"labels{by_lengths}, got shape {shape}",
        )
    most = int(found.array.max(initial=0)) if isinstance(found, Tensor) else shape[0]
    ends = cumsum(found, 0)
    starts = reshaped(pair("flow.subtract", ends, found), [count, 1])
    places = pair("flow.add", starts, constant(np.arange(most, dtype=np.int64)[None], x))
    # Those beyond a sequence's labels are another's, or outside of the row, which reads 0.
    return op("flow.gather", as_type(labels, int64), places, axis=0), found


def _check_labels(rows: Any, lengths: Any, classes: int, blank: int, what: str) -> None:
    """Raise a located ValueError for a label that is no class, or the blank."""
    if not (isinstance(rows, Tensor) and isinstance(lengths, Tensor)):
        return
    most = rows.shape[1]
    found = rows.array[np.arange(most) < lengths.array[:, None]]
    if ((found < 0) | (found >= classes) | (found == blank)).any():
        raise located(
            ValueError,
            f"blank and targets of {what} must differ and lie from 0 to {classes - 1}, got blank "
            f"{blank} and targets {found[:20].tolist()}",
        )


def _alignments(
    x: Tensor, labels: Tensor, lengths: Tensor, sizes: Tensor, blank: int
) -> tuple[Tensor, Tensor]:
    """Minus the logarithm of the probability of the labels, by the forward algorithm, and whether
    labels and lengths are in range.

    Position 2 i + 1 of a row stands for its label i, even positions for blanks. A step stays at a
    position, or advances by one, or by two from a label to another one.
    """
    steps, count, number = x.shape
    most, column = labels.shape[1], reshaped(lengths, [count, 1])
    width = 2 * most + 1
    counted = pair("flow.less", constant(np.arange(most, dtype=np.int64)[None], x), column)
    known = _between(labels, 0, number - 1)
    known = pair("flow.logical_and", known, pair("flow.not_equal", labels, blank))
    rows = where(pair("flow.logical_and", counted, known), labels, blank)
    blanks = constant(np.full((count, most), blank, np.int64), x)
    between = reshaped(stack([blanks, rows], 2), [count, 2 * most])
    classes = cat([between, constant(np.full((count, 1), blank, np.int64), x)], 1)
    places = op("flow.broadcast_to", classes, shape=[steps, count, width])
    emitted = gather(x, 2, places)
    state = constant(
        np.where(np.broadcast_to(np.arange(width) == 0, (count, width)), 0.0, _NEVER).astype(
            x.dtype.numpy
        ),
        x,
    )
    never = constant(np.full((count, 2), _NEVER, x.dtype.numpy), x)
    jumps = _jumps(rows, count, most)
    shortest = int(sizes.array.min(initial=steps)) if isinstance(sizes, Tensor) else 0
    limits = reshaped(sizes, [count, 1])
    for t in range(steps):
        padded = cat([never, state], 1)
        jumped = where(jumps, part(padded, 1, 0, width), _NEVER)
        # Before the first step, position 0 stands for the first blank and the first label alike.
        moved = part(padded, 1, 1, width)
        new = add(_log_sum(state, moved, jumped), select(emitted, 0, t))
        going = op("flow.broadcast_to", pair("flow.greater", limits, t), shape=[count, width])
        state = new if t < shortest else where(going, new, state)
    last = pair("flow.multiply", column, 2)
    first = gather(state, 1, _clipped(last, width))
    second = gather(state, 1, _clipped(pair("flow.subtract", last, 1), width))
    total = _log_sum(first, where(pair("flow.greater", column, 0), second, _NEVER))
    fits = pair("flow.logical_and", _between(lengths, 0, most), _between(sizes, 0, steps))
    wrong = pair("flow.logical_and", counted, op("flow.logical_not", known))
    right = op("flow.logical_not", any_of(wrong, 1))
    return op("flow.negative", reshaped(total, [count])), pair("flow.logical_and", fits, right)


def _between(x: Tensor, low: int, high: int) -> Tensor:
    """Whether each number lies from `low` to `high`."""
    above, below = pair("flow.greater_equal", x, low), pair("flow.less_equal", x, high)
    return pair("flow.logical_and", above, below)


def _clipped(places: Tensor, extent: int) -> Tensor:
    """Indices moved into a dimension of this extent."""
    return pair("flow.minimum", pair("flow.maximum", places, 0), extent - 1)


def _jumps(rows: Tensor, count: int, most: int) -> Tensor:
    """At which positions a step may advance by two: at labels that differ from the one before."""
    no = constant(np.zeros((count, 1), np.bool_), rows)
    if most < 2:
        return op("flow.broadcast_to", no, shape=[count, 2 * most + 1])
    differ = pair("flow.not_equal", part(rows, 1, 1, most - 1), part(rows, 1, 0, most - 1))
    labels = cat([no, as_type(differ, bool_)], 1)
    blanks = constant(np.zeros((count, most), np.bool_), rows)
    return cat([reshaped(stack([blanks, labels], 2), [count, 2 * most]), no], 1)


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


def ctc_greedy_decoder(
    log_probs: Tensor, input_lengths: Lengths, merge_repeated: bool = True
) -> tuple[Tensor, Tensor]:
    """The labels of the most probable class of each step, without blanks.

    `log_probs` is [steps, n, classes], of which the last class is the blank. With `merge_repeated`,
    a class counts once for several steps in a row. Returns the labels, int64 [n, steps], followed
    by zeros, and minus the sum of the largest logarithms, [n, 1].

    >>> import penstock as flow
    >>> rows = [[0.9, 0.0, 0.1], [0.8, 0.2, 0.0], [0.1, 0.2, 0.7], [0.0, 0.9, 0.1]]
    >>> x = flow.tensor(rows).reshape(4, 1, 3)
    >>> labels, cost = flow.nn.functional.ctc_greedy_decoder(x, [4])
    >>> labels, round(cost.item(), 4)
    (tensor([[0, 1, 0, 0]], dtype=penstock.int64), -3.3)
    """
    what = "F.ctc_greedy_decoder"
    x = either(log_probs, what)
    if not x.dtype.is_float or len(x.shape) != 3 or not x.shape[2]:
        raise located(
            ValueError,
            f"{what} takes log_probs of floats [steps, n, classes], got {x.dtype} of shape "
            f"{tuple(x.shape)}",
        )
    steps, count, classes = x.shape
    sizes = reshaped(_counts(input_lengths, x, steps, f"input_lengths of {what}"), [1, count])
    best, largest = argmax(x, 2), amax(x, 2)
    order = constant(np.arange(steps, dtype=np.int64)[:, None], x)
    has_step = pair("flow.less", order, sizes)
    kept = pair("flow.logical_and", has_step, pair("flow.not_equal", best, classes - 1))
    if check_flag(merge_repeated, f"merge_repeated of {what}") and steps:
        before = constant(np.full((1, count), -1, np.int64), x)
        differs = pair("flow.not_equal", best, cat([before, part(best, 0, 0, steps - 1)]))
        kept = pair("flow.logical_and", kept, differs)
    ahead = pair("flow.subtract", cumsum(as_type(kept, int64), 0), 1)
    places = transpose(where(kept, ahead, steps), 0, 1)
    rows = constant(np.zeros((count, steps + 1), np.int64), x)  # the last column is for the rest
    labels = part(scatter(rows, 1, places, transpose(best, 0, 1)), 1, 0, steps)
    total = sum_of(where(has_step, largest, 0.0), 0)
    return labels, op("flow.negative", reshaped(total, [count, 1]))
