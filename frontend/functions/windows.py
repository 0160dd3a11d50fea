"""Arguments of convolutions and pools: layouts, strides, dilations and padding."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.basics.checks import is_integer
from penstock.basics.errors import kind_of, located
from penstock.trace.blob import Blob, apply

LETTERS = {1: "W", 2: "HW", 3: "DHW"}
"""The spatial dimensions of each layout, by number."""
WORDS = ("SAME", "SAME_UPPER", "SAME_LOWER", "VALID")

Numbers = int | Sequence[int]
"""One number for all spatial dimensions, or one for each."""
Padding = str | Sequence[int | Sequence[int]]
"""A word, or a number or (before, after) for each dimension, samples and channels included."""
Pairs = list[tuple[int, int]]
"""The padding (before, after) of each spatial dimension."""


def check_rank(blob: Blob, space: int, word: str, what: str) -> None:
    """Raise a located ValueError unless there are dimensions for samples, channels and space."""
    if len(blob.shape) != space + 2:
        raise located(
            ValueError,
            f"{what} takes {word} of {space + 2} dimensions, {space} of them spatial, got shape "
            f"{blob.shape}",
        )


def channels_come_last(data_format: object, space: int, what: str) -> bool:
    """Whether a layout has the channels last ("NHWC"), not before the spatial dimensions."""
    letters = LETTERS[space]
    first, last = f"NC{letters}", f"N{letters}C"
    layout = data_format.upper() if isinstance(data_format, str) else ""
    if layout not in (first, last):
        raise located(
            ValueError,
            f'data_format of {what} must be "{first}" or "{last}", got {kind_of(data_format)}',
        )
    return layout == last


def integers_from(least: int, values: Sequence[object]) -> list[int] | None:
    """The given numbers as ints; None if one is not an int or is too small."""
    found = [int(number) for number in values if is_integer(number) and number >= least]
    return found if len(found) == len(values) else None


def shown(value: object) -> str:
    """The given value for an error; short lists of ints are shown in full."""
    if isinstance(value, list | tuple) and len(value) < 8 and all(map(is_integer, value)):
        return str(list(value))
    return kind_of(value)


def numbers_of(value: object, space: int, word: str, what: str) -> list[int]:
    """A number of at least 1 for each spatial dimension, from one int or a list."""
    listed = list(value) if isinstance(value, list | tuple) else [value] * space
    if len(listed) == 1:
        listed *= space
    numbers = integers_from(1, listed)
    if numbers is None or len(numbers) != space:
        some = "one" if space == 1 else f"{space} of them"
        raise located(
            ValueError,
            f"{word} of {what} must be an int of at least 1 or a list of {some}, "
            f"got {shown(value)}",
        )
    return numbers


def space_of(shape: Sequence[int], channels_last: bool) -> list[int]:
    """The spatial extents of a shape in a layout."""
    return list(shape[1:-1] if channels_last else shape[2:])


def padding_of(
    value: object,
    shape: Sequence[int],
    channels_last: bool,
    reach: Sequence[int],
    strides: Sequence[int],
    what: str,
) -> Pairs:
    """The padding of each spatial dimension; `reach` is the window's extent including dilation.

    "VALID" pads nothing. "SAME" makes the result's extent ceil(extent / stride); if the padding is
    odd, the extra element comes after ("SAME_UPPER") or before ("SAME_LOWER", and plain "SAME").
    """
    if isinstance(value, str) and value.upper() in WORDS:
        word = value.upper()
        extents = zip(space_of(shape, channels_last), reach, strides, strict=True)
        if word == "VALID":
            return [(0, 0) for _ in extents]
        needed = [max(0, (-(-n // step) - 1) * step + size - n) for n, size, step in extents]
        pairs = [(total // 2, total - total // 2) for total in needed]
        return pairs if word == "SAME_UPPER" else [(after, before) for before, after in pairs]
    if not isinstance(value, list | tuple) or len(value) != len(shape):
        raise _no_padding(value, shape, what)
    pairs = [_pair(entry, value, shape, what) for entry in value]
    rest = [pairs[0], pairs[-1] if channels_last else pairs[1]]
    if rest != [(0, 0)] * 2:
        raise located(
            ValueError,
            f"padding of {what} must be 0 for samples and channels, got {list(value)} for shape "
            f"{tuple(shape)}",
        )
    return pairs[1:-1] if channels_last else pairs[2:]


def _pair(entry: object, value: object, shape: Sequence[int], what: str) -> tuple[int, int]:
    """(before, after), from a pair or one number for both."""
    both = list(entry) if isinstance(entry, list | tuple) else [entry, entry]
    numbers = integers_from(0, both)
    if numbers is None or len(numbers) != 2:
        raise _no_padding(value, shape, what)
    return numbers[0], numbers[1]


def _no_padding(value: object, shape: Sequence[int], what: str) -> ValueError:
    words = ", ".join(f'"{word}"' for word in WORDS)
    return located(
        ValueError,
        f"padding of {what} must be one of {words}, or a list with a number or (before, after) of "
        f"at least 0 for each of the {len(shape)} dimensions, got {shown(value)}",
    )


def padded(blob: Blob, pairs: Pairs, channels_last: bool, value: float, what: str) -> Blob:
    """Pad the spatial dimensions of a blob with a constant; the blob itself if there is no
    padding."""
    if not any(map(any, pairs)):
        return blob
    rim = [(0, 0), *pairs, (0, 0)] if channels_last else [(0, 0), (0, 0), *pairs]
    before, after = zip(*rim, strict=True)
    inside = [0] * len(rim)
    return apply(
        "flow.pad", blob, what=what,
        before=list(before), after=list(after), inside=inside, value=value,
    )[0]  # fmt: skip


def last_windows(
    space: Sequence[int], window: Sequence[int], strides: Sequence[int], pairs: Pairs
) -> Pairs:
    """Padding with as much more behind as lets a last window that begins ahead of the end fit."""
    found = []
    for n, size, step, (before, after) in zip(space, window, strides, pairs, strict=True):
        count = max(0, -(-(n + before + after - size) // step)) + 1
        if (count - 1) * step >= n + before:
            count -= 1
        found.append((before, max(after, (count - 1) * step + size - n - before)))
    return found
