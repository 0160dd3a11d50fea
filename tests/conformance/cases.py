"""Every tensor op of our dialects with its calls, for the tests beside this."""

from __future__ import annotations

from collections.abc import Iterator

import sampling

import penstock.ir.dialects  # noqa: F401 - defines the ops
from penstock.ir.codecs import TYPE
from penstock.ir.dialects.flow.base import Sample, TensorOp
from penstock.ir.dialects.flow.elementwise import Elementwise
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

    Elementwise ops list the same samples. The choice differs from op to op, so that together they
    try all of them. Other ops try each of their shapes.
    """
    samples = cls.samples()
    features = [_features(cls, sample) for sample in samples]
    return [samples[i] for i in sorted(sampling.representative(features, seed=cls.name))]


def _features(cls: type[TensorOp], sample: Sample) -> set[object]:
    """The dtypes, shapes and attributes of a call; of an elementwise op the classes of shapes."""
    shapes = tuple(given.shape for given in sample.inputs)
    attributes = cls.definition.attributes
    types = [str(v) for name, v in sample.attributes.items() if attributes[name].codec is TYPE]
    corners = [corner for corner, holds in CORNERS.items() if holds(shapes)]
    return {
        ("dtypes", *(str(given.element) for given in sample.inputs), *types),
        shapes if not issubclass(cls, Elementwise) else tuple(min(len(one), 3) for one in shapes),
        *((corner, shapes if corner == "size 0" else ()) for corner in corners),
        *((name, repr(value)) for name, value in sample.attributes.items() if not types),
    }
