"""Every tensor op of our dialects with its calls, for the tests in this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sampling

import penstock.ir.dialects  # noqa: F401 - defines the ops
from penstock.ir.codecs import TYPE
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.flow.elementwise import Elementwise
from penstock.testing import cases
from penstock.testing.cases import Case, tensor_ops
from penstock.testing.native import derived_cases
from penstock.testing.variants import CORNERS

__all__ = ["OPS", "all_cases", "cases_of", "representative", "written"]

OPS: dict[str, type[TensorOp]] = tensor_ops()


def cases_of(name: str) -> list[Case]:
    """The calls that the class itself provides."""
    return cases.cases_of(OPS[name])


def all_cases() -> Iterator[Case]:
    """These calls (in the short form, a part of them) and calls of other shapes and dtypes derived
    from them.
    """
    for cls in OPS.values():
        yield from cases.cases_of(cls) if sampling.IS_LONG else representative(cls)
        yield from derived_cases(cls)


def representative(cls: type[TensorOp]) -> list[Case]:
    """A subset of the op's calls that has every feature of the whole.

    Elementwise ops list the same calls; the subset differs from op to op, so that together they
    cover all. Other ops try each of their shapes.
    """
    return _sampled(cls, _features)


def written(cls: type[TensorOp]) -> list[Case]:
    """A part of the op's calls that has every dtype, rank and attribute: what differs in text."""
    return _sampled(cls, _words)


def _sampled(cls: type[TensorOp], features: Callable[[Case], set[object]]) -> list[Case]:
    calls = cases.cases_of(cls)
    chosen = sampling.representative([features(call) for call in calls], seed=cls.name)
    return [calls[i] for i in sorted(chosen)]


def _words(call: Case) -> set[object]:
    ranks = {("rank", min(len(shape), 2)) for shape in call.shapes}
    attributes = {(name, type(value)) for name, value in call.sample.attributes.items()}
    return {*ranks, *(str(given.element) for given in call.sample.inputs), *attributes}


def _features(call: Case) -> set[object]:
    """The dtypes, shapes and attributes of a call; of an elementwise op the classes of shapes."""
    cls, sample = call.cls, call.sample
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
