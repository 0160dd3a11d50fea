"""Initializes a new variable as its initializer specifies.

Random values come from a Philox generator keyed by the initializer's seed and the variable's name,
so a variable starts with the same bits in every run and process, independent of the order in which
the variables of a program are made.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

__all__ = ["checked", "initialize"]

Array = np.ndarray[Any, Any]
Draw = Callable[[int], Array]

# The options of each kind; `seed` is allowed for all.
_OPTIONS = {
    "constant": ("value",),
    "random_uniform": ("minval", "maxval"),
    "random_normal": ("mean", "stddev"),
    "truncated_normal": ("mean", "stddev"),
    "variance_scaling": ("scale", "mode", "distribution", "data_format"),
}

# Options that may be left out, with their values.
_DEFAULTS = {"variance_scaling": {"data_format": "NCHW"}}

# Options that are words; all others are numbers.
_WORDS = {
    "mode": ("fan_in", "fan_out", "fan_avg"),
    "distribution": ("truncated_normal", "random_normal", "random_uniform"),
    "data_format": ("NCHW", "NHWC"),
}

# The standard deviation of a unit normal whose values beyond +-2 are redrawn.
_TRUNCATED_STDDEV = 0.87962566103423978

# Values drawn at once: bounds the float64 scratch for a large variable.
_CHUNK = 1 << 20


def initialize(
    array: Array,
    name: str,
    initializer: Mapping[str, Any] | None,
    whole: tuple[int, ...] | None = None,
    place: tuple[slice, ...] = (),
) -> None:
    """Fill a C-contiguous array in place; ValueError for an invalid initializer.

    With `whole`, the array is the part at `place` of a variable of that shape. It gets the bits
    that it has in the whole variable, and the rest takes no memory.

    >>> weight = np.empty((2, 2), np.float32)
    >>> initialize(weight, "weight", {"kind": "constant", "value": 0.5})
    >>> weight.tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    kind, seed, options = checked(array.dtype, name, initializer)
    if kind == "constant":
        array[...] = options["value"]
        return
    if not array.size:
        return
    shape = array.shape if whole is None else whole
    place = place if whole is not None else tuple(slice(0, extent) for extent in shape)
    draw = _draw(_generator(seed, name), array.dtype, shape, kind, **options)
    size = math.prod(shape)
    end = 1 + int(np.ravel_multi_index([part.stop - 1 for part in place], shape)) if shape else 1
    for start in range(0, end, _CHUNK):
        # Of a fixed size: how many numbers a chunk takes depends on its redrawn values.
        _put(draw(min(_CHUNK, size - start)), start, array, shape, place)


def _put(
    values: Array, start: int, part: Array, shape: tuple[int, ...], place: tuple[slice, ...]
) -> None:
    """Put consecutive elements of a tensor of this shape, from `start` on, into its part at a
    place, as far as they are in it."""
    if not shape:
        part[...] = values[0]
        return
    size = math.prod(shape[1:])
    first, inside = divmod(start, size)
    own = place[0]
    if inside or len(values) < size:  # some of one row, and what follows
        count = min(len(values), size - inside)
        if own.start <= first < own.stop:
            _put(values[:count], inside, part[first - own.start, ...], shape[1:], place[1:])
        if count < len(values):
            _put(values[count:], start + count, part, shape, place)
        return
    rows = len(values) // size
    low, high = max(first, own.start), min(first + rows, own.stop)
    if low < high:
        whole_rows = values[: rows * size].reshape(rows, *shape[1:])
        here = (slice(low - first, high - first), *place[1:])
        part[low - own.start : high - own.start] = whole_rows[here]
    if rows * size < len(values):
        _put(values[rows * size :], start + rows * size, part, shape, place)


def checked(
    dtype: "np.dtype[Any]", name: str, initializer: Mapping[str, Any] | None
) -> tuple[str, int, dict[str, Any]]:
    """The kind, the seed and the options of an initializer of a variable of this type.

    Raises ValueError if it is invalid, or cannot make such values.
    """
    kind, seed, options = _parsed(name, initializer)
    if kind == "constant":
        options["value"] = _constant(dtype, name, options["value"])
    elif dtype.kind in "iu" and kind != "random_uniform":
        raise ValueError(
            f"variable {name!r} holds {dtype}, which initializer {kind!r} cannot draw; "
            "use a constant or random_uniform initializer, or a floating point variable"
        )
    elif dtype.kind in "iu":
        _check_whole(dtype, name, **options)
    return kind, seed, options


def _parsed(name: str, initializer: Mapping[str, Any] | None) -> tuple[str, int, dict[str, Any]]:
    """The kind, the seed and the options of an initializer."""
    if initializer is None:
        raise ValueError(
            f"variable {name!r} has no initializer; give it one, or load a value for it first"
        )
    options = dict(initializer)
    kind = options.pop("kind", None)
    if kind not in _OPTIONS:
        raise ValueError(
            f"variable {name!r} has the unknown initializer kind {kind!r}; "
            f"expected one of {', '.join(_OPTIONS)}"
        )
    seed = options.pop("seed", 0)
    options = {**_DEFAULTS.get(kind, {}), **options}
    if sorted(options) != sorted(_OPTIONS[kind]) or type(seed) is not int:
        raise ValueError(
            f"initializer {kind!r} of variable {name!r} takes {', '.join(_OPTIONS[kind])} and an "
            f"integer seed, got {dict(initializer)!r}; correct the initializer"
        )
    for option, value in options.items():
        if option in _WORDS:
            holds, expected = value in _WORDS[option], f"one of {', '.join(_WORDS[option])}"
        else:
            holds, expected = type(value) in (int, float), "a number"
        if option in ("stddev", "scale"):
            holds, expected = holds and value >= 0, "a number of at least 0"
        if not holds:
            raise ValueError(
                f"option {option!r} of initializer {kind!r} of variable {name!r} must be "
                f"{expected}, got {value!r}; correct the initializer"
            )
    return kind, seed, options


def _constant(dtype: "np.dtype[Any]", name: str, value: int | float) -> int | float:
    """A value that an array of this type can hold."""
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        fits = float(value).is_integer() and limits.min <= value <= limits.max
        value = int(value) if fits else value
    else:
        with np.errstate(over="ignore"):
            fits = bool(np.isfinite(dtype.type(value))) or not math.isfinite(value)
    if not fits:
        raise ValueError(
            f"variable {name!r} holds {dtype}, which cannot be {value!r}; "
            "choose a value in its range or another data type"
        )
    return value


def _check_whole(dtype: "np.dtype[Any]", name: str, minval: float, maxval: float) -> None:
    """Refuse bounds between which no integer of this type lies."""
    limits = np.iinfo(dtype)
    bounded = limits.min <= minval <= maxval <= limits.max + 1
    if not bounded or math.ceil(minval) == math.ceil(maxval):
        raise ValueError(
            f"variable {name!r} holds {dtype}, of which initializer 'random_uniform' draws "
            f"none in [{minval}, {maxval}); choose other bounds or another data type"
        )


def _generator(seed: int, name: str) -> "np.random.Generator":
    # numpy.random and hashlib take longer to load than the whole runtime, so import them here.
    import hashlib

    digest = hashlib.sha256(f"{seed}:{name}".encode()).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(digest[:16], "little")))


def _draw(
    generator: "np.random.Generator",
    dtype: "np.dtype[Any]",
    shape: tuple[int, ...],
    kind: str,
    **options: Any,
) -> Draw:
    if kind == "variance_scaling":
        return _scaled(generator, shape, **options)
    if kind == "random_uniform" and dtype.kind in "iu":
        return _whole(generator, **options)
    if kind == "random_uniform":
        return _uniform(generator, **options)
    if kind == "random_normal":
        return _normal(generator, **options)
    return _truncated_normal(generator, **options)


def _uniform(generator: "np.random.Generator", minval: float, maxval: float) -> Draw:
    return lambda size: minval + (maxval - minval) * generator.random(size)


def _whole(generator: "np.random.Generator", minval: float, maxval: float) -> Draw:
    """Uniform integers in [minval, maxval)."""
    low, high = math.ceil(minval), math.ceil(maxval)
    return lambda size: generator.integers(low, high, size)


def _normal(generator: "np.random.Generator", mean: float, stddev: float) -> Draw:
    return lambda size: mean + stddev * generator.standard_normal(size)


def _truncated_normal(generator: "np.random.Generator", mean: float, stddev: float) -> Draw:
    """A normal distribution, redrawing values beyond two standard deviations."""

    def draw(size: int) -> Array:
        values = generator.standard_normal(size)
        outside = np.flatnonzero(np.abs(values) > 2)
        while outside.size:
            values[outside] = generator.standard_normal(outside.size)
            outside = outside[np.abs(values[outside]) > 2]
        return mean + stddev * values

    return draw


def _scaled(
    generator: "np.random.Generator",
    shape: tuple[int, ...],
    scale: float,
    mode: str,
    distribution: str,
    data_format: str,
) -> Draw:
    """Variance `scale / fan`, where the fan counts the connections of a unit.

    fan_in is the product of dimensions 1 and up, fan_out is dimension 0 times the spatial
    dimensions, fan_avg is their mean. The spatial dimensions are 2 and up, with NHWC all but the
    first and the last.
    """
    spatial = shape[2:] if data_format == "NCHW" else shape[1:-1]
    fan_in = math.prod(shape[1:])
    fan_out = math.prod(shape[:1]) * math.prod(spatial)
    fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[mode]
    stddev = math.sqrt(scale / max(1, fan))
    if distribution == "random_normal":
        return _normal(generator, 0.0, stddev)
    if distribution == "random_uniform":
        limit = math.sqrt(3) * stddev
        return _uniform(generator, -limit, limit)
    return _truncated_normal(generator, 0.0, stddev / _TRUNCATED_STDDEV)
