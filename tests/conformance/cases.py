"""Every tensor op of our dialects with its calls, for the tests beside this."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

import penstock.ir.dialects  # noqa: F401 - defines the ops
from penstock.ir.codecs import TYPE
from penstock.ir.dialects.flow.base import Sample, TensorOp
from penstock.testing import cases
from penstock.testing.cases import Case, tensor_ops
from penstock.testing.native import derived_cases
from penstock.testing.variants import CORNERS

__all__ = ["OPS", "all_cases", "cases_of", "representative"]

OPS: dict[str, type[TensorOp]] = tensor_ops()


def cases_of(name: str) -> list[Case]:
    """The calls that the class itself provides."""
    return cases.cases_of(OPS[name])


def all_cases() -> Iterator[Case]:
    """Those, and the calls of other shapes and dtypes that are made from them."""
    for name, cls in OPS.items():
        yield from cases_of(name)
        yield from derived_cases(cls)


def representative(cls: type[TensorOp]) -> list[Sample]:
    """A part of the op's samples that has every feature that any of them has.

    Ops of a family list the same samples. The choice differs from op to op, so that the family
    tries nearly all of them.
    """
    samples = cls.samples()
    features = [_features(cls, sample) for sample in samples]
    order = sorted(range(len(samples)), key=lambda i: crc32(f"{cls.name} {i}".encode()))
    missing = {feature for each in features for feature in each}
    chosen = []
    while missing:
        best = max(order, key=lambda i: len(features[i] & missing))
        chosen.append(best)
        missing -= features[best]
    return [samples[i] for i in sorted(chosen)]


def _features(cls: type[TensorOp], sample: Sample) -> set[object]:
    """The dtypes, ranks, classes of shapes and attributes of a call. Each empty shape counts."""
    shapes = tuple(given.shape for given in sample.inputs)
    attributes = cls.definition.attributes
    types = [str(v) for name, v in sample.attributes.items() if attributes[name].codec is TYPE]
    corners = [corner for corner, holds in CORNERS.items() if holds(shapes)]
    return {
        ("dtypes", *(str(given.element) for given in sample.inputs), *types),
        ("ranks", *(min(len(shape), 3) for shape in shapes)),
        *((corner, shapes if corner == "size 0" else ()) for corner in corners),
        *((name, repr(value)) for name, value in sample.attributes.items() if not types),
    }
