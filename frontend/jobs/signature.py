"""The signature of a job function: its parameters, read once at decoration."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from math import prod
from typing import Any, TypeVar

import numpy as np

from penstock.basics.dtypes import DType, float32
from penstock.basics.errors import counted, did_you_mean, kind_of, located, shown
from penstock.basics.nest import is_nest, items, leaves, rebuild
from penstock.basics.notices import tell_once
from penstock.ir.location import Location
from penstock.ir.record import Record
from penstock.jobs.feeding import array_of
from penstock.jobs.functions import location_of, name_of, signature_of
from penstock.jobs.results import Spec, TensorList, parse_return
from penstock.runtime.parts import Parts
from penstock.trace.blob import Blob
from penstock.typing import KINDS, Placeholder, make_placeholder, marks_of

R = TypeVar("R")


FeedForm = tuple[tuple[int, ...], bool]
"""The shape of a feed, and whether it is passed as a tensor list."""


class Parameter(Record):
    """One parameter: a placeholder, or a tuple (list, dict) of them."""

    name: str
    nest: Any
    is_keyword: bool = False
    """Whether it is passed by name only."""

    def feeds(self) -> Iterator[tuple[str, Placeholder]]:
        """The placeholders in order, each with its feed's name: `x`, or `x/0` inside a nest."""
        if isinstance(self.nest, Placeholder):
            yield self.name, self.nest
            return
        for path, placeholder in leaves(self.nest):
            yield f"{self.name}/{path}", placeholder


class Signature(Record):
    """A job function's parameters and return annotation."""

    job: str
    location: Location
    parameters: tuple[Parameter, ...]
    returns: Spec

    def feeds(self) -> list[tuple[str, Placeholder]]:
        return [feed for parameter in self.parameters for feed in parameter.feeds()]

    def bind(
        self, args: Sequence[object], kwargs: dict[str, object], ranks: int = 1
    ) -> list[object]:
        """One array or tensor list per feed, in order, from the arguments of a call, or the arrays
        of several ranks; shapes are not checked."""
        values: list[object] = []
        for parameter, value in zip(self.parameters, self._ordered(args, kwargs), strict=True):
            what = f"job {self.job!r}: parameter {parameter.name!r}"
            _bind(what, parameter.nest, value, values, ranks)
        return values

    @cached_property
    def is_mirrored(self) -> bool:
        """Whether each device gets an array of its own for some parameter."""
        return any(placeholder.kind != "Numpy" for _, placeholder in self.feeds())

    @cached_property
    def is_flat(self) -> bool:
        """Whether every parameter is one array, and may be passed by position."""
        return not any(parameter.is_keyword for parameter in self.parameters) and all(
            isinstance(parameter.nest, Placeholder) and parameter.nest.kind == "Numpy"
            for parameter in self.parameters
        )

    def forms_of(self, values: Sequence[object], rank: int = 0) -> tuple[FeedForm, ...]:
        """The forms of the feeds of a rank in a call: arrays in lists may be smaller than
        placeholders."""
        return tuple(
            _form_of(value[rank] if isinstance(value, Parts) else value, placeholder)
            for value, (_, placeholder) in zip(values, self.feeds(), strict=True)
        )

    def of_forms(self, forms: Sequence[FeedForm]) -> Signature:
        """This signature with feeds of these forms."""
        remaining = iter(forms)
        parameters = tuple(
            Parameter(p.name, _reshaped(p.nest, remaining), p.is_keyword) for p in self.parameters
        )
        return Signature(self.job, self.location, parameters, self.returns)

    def of_size(self, size: int) -> Signature:
        """This signature for a batch of this size; a located ValueError without a batch."""
        feeds = [placeholder for _, placeholder in self.feeds()]
        if all(placeholder.batch_axis is None for placeholder in feeds):
            raise located(
                ValueError,
                f"job {self.job!r} has no placeholder with a batch_axis, so it has no batch sizes; "
                "leave out sizes",
                self.location,
            )
        return self.of_forms([(_of_size(p.shape, p.batch_axis, size), False) for p in feeds])

    def called(self, function: Callable[..., R], values: Sequence[object]) -> R:
        """Call the function with these values of its parameters."""
        pairs = list(zip(self.parameters, values, strict=True))
        args = [value for parameter, value in pairs if not parameter.is_keyword]
        return function(*args, **{p.name: value for p, value in pairs if p.is_keyword})

    def _ordered(self, args: Sequence[object], kwargs: dict[str, object]) -> list[object]:
        """One value for each parameter."""
        places = [parameter.name for parameter in self.parameters if not parameter.is_keyword]
        names = [parameter.name for parameter in self.parameters]
        passed = dict(zip(places, args, strict=False))
        for name in kwargs:
            if name not in names:
                raise self._misgiven(f"got the keyword {name}{did_you_mean(name, names)}")
            if name in passed:
                raise self._misgiven(f"got {name} twice")
        passed |= kwargs
        if len(args) > len(places) or len(passed) != len(names):
            by_name = "".join(f", {name}=" for name in kwargs)
            raise self._misgiven(f"got {len(args)}{by_name}")
        return [passed[name] for name in names]

    def _misgiven(self, got: str) -> TypeError:
        shown = [f"{p.name}=" if p.is_keyword else p.name for p in self.parameters]
        return located(
            TypeError,
            f"job {self.job!r} takes {counted(len(shown), 'argument')} "
            f"({', '.join(shown) or 'none'}), {got}",
        )


_PLAIN = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_require_annotations = False


def enable_typing_check(val: bool = True) -> None:
    """Make missing annotations of job functions and watch handlers an error."""
    global _require_annotations
    if type(val) is not bool:
        raise located(TypeError, f"enable_typing_check takes a bool, got {kind_of(val)}")
    _require_annotations = val


def annotations_required() -> bool:
    return _require_annotations


def parse_signature(function: Callable[..., Any], name: str = "") -> Signature:
    """Read and check the parameters and the return annotation of a job function."""
    job, location = name or name_of(function), location_of(function)
    found = signature_of(function, f"job {job!r}", location)
    parameters = list(found.parameters.values())
    annotations = {p.name: p.annotation for p in parameters if p.annotation is not p.empty}
    if found.return_annotation is not found.empty:
        annotations["return"] = found.return_annotation
    for parameter in parameters:
        if parameter.kind not in _PLAIN:
            raise located(
                TypeError,
                f"job {job!r} may only have plain parameters, none that is starred or stands "
                f"before a /, got {str(parameter).split(':')[0]}",
                location,
            )
    annotated = [parameter.name for parameter in parameters if parameter.name in annotations]
    if annotated and len(annotated) != len(parameters):
        bare = next(p.name for p in parameters if p.name not in annotations)
        raise located(
            NotImplementedError,
            f"all parameters of job {job!r} must be annotated, or none: {bare} is not",
            location,
        )
    if _require_annotations:
        _check_all_annotated(job, parameters, annotations, location)
    read = _from_annotation if annotated else _from_default
    return Signature(
        job,
        location,
        tuple(read(job, parameter, annotations, location) for parameter in parameters),
        parse_return(job, annotations, location),
    )


def _check_all_annotated(
    job: str,
    parameters: list[inspect.Parameter],
    annotations: dict[str, object],
    location: Location,
) -> None:
    missing = [p.name for p in parameters if p.name not in annotations]
    if "return" not in annotations:
        missing.append("the return value")
    if missing:
        raise located(
            NotImplementedError,
            f"job {job!r} must be annotated throughout, because the typing check is on: "
            f"{missing[0]} is not",
            location,
        )


def _from_annotation(
    job: str, parameter: inspect.Parameter, annotations: dict[str, object], location: Location
) -> Parameter:
    if parameter.default is not inspect.Parameter.empty:
        raise located(
            TypeError,
            f"parameter {parameter.name} of job {job!r} is annotated, so it must have no default",
            location,
        )
    nest = _placeholders(annotations[parameter.name], job, parameter.name, location)
    return Parameter(parameter.name, nest, parameter.kind is parameter.KEYWORD_ONLY)


def _placeholders(annotation: object, job: str, name: str, location: Location) -> Any:
    """A placeholder, or a tuple of them from `Tuple[...]`, at any depth."""
    found = _in_marks(annotation)
    if isinstance(found, Placeholder):
        return found
    members = typing.get_args(annotation)
    if typing.get_origin(annotation) is tuple and members and Ellipsis not in members:
        return tuple(_placeholders(member, job, name, location) for member in members)
    advice = "a placeholder such as tp.Numpy.Placeholder((100,), dtype=flow.float)"
    if isinstance(annotation, type) and annotation in KINDS:
        advice = f"tp.{KINDS[annotation]}.Placeholder(shape, dtype=flow.float)"
    raise located(
        NotImplementedError,
        f"invalid annotation of parameter {name} of job {job!r} found, {shown(annotation)}; "
        f"write {advice}, or a Tuple[...] of placeholders; for type checkers "
        "Annotated[flow.Blob, tp.Numpy.Placeholder(...)]",
        location,
    )


def _in_marks(annotation: object) -> object:
    """The placeholder in `Annotated[flow.Blob, placeholder]`; another annotation as it is."""
    kind, marks = marks_of(annotation)
    found = [mark for mark in marks if isinstance(mark, Placeholder)]
    return found[0] if kind in (Blob, Any) and len(found) == 1 else annotation


def _from_default(
    job: str, parameter: inspect.Parameter, annotations: dict[str, object], location: Location
) -> Parameter:
    default = parameter.default
    if is_nest(default):
        good = all(isinstance(leaf, Placeholder) for _, leaf in leaves(default))
    else:
        good = isinstance(default, Placeholder)
    if not good:
        raise located(
            NotImplementedError,
            f"parameter {parameter.name} of job {job!r} needs an annotation such as "
            "tp.Numpy.Placeholder((100,), dtype=flow.float)",
            location,
        )
    return Parameter(parameter.name, default, parameter.kind is parameter.KEYWORD_ONLY)


def _tensor_def(name: str, kind: str, shape: Any, dtype: DType, batch_axis: int | None) -> Any:
    tell_once(name, f"flow.{name} is deprecated; annotate with tp.{kind}.Placeholder(...) instead")
    return make_placeholder(
        kind, tuple(shape) if isinstance(shape, list) else shape, dtype, batch_axis
    )


def FixedTensorDef(shape: Sequence[int], dtype: DType = float32, batch_axis: int | None = 0) -> Any:
    """The default of an unannotated parameter that takes an ndarray. Deprecated."""
    return _tensor_def("FixedTensorDef", "Numpy", shape, dtype, batch_axis)


def MirroredTensorDef(
    shape: Sequence[int], dtype: DType = float32, batch_axis: int | None = 0
) -> Any:
    """The default of an unannotated parameter that takes a list of one ndarray. Deprecated."""
    return _tensor_def("MirroredTensorDef", "ListNumpy", shape, dtype, batch_axis)


def MirroredTensorListDef(
    shape: Sequence[int], dtype: DType = float32, batch_axis: int | None = 0
) -> Any:
    """The default of an unannotated parameter that takes a list of lists. Deprecated."""
    return _tensor_def("MirroredTensorListDef", "ListListNumpy", shape, dtype, batch_axis)


def _of_size(shape: tuple[int, ...], axis: int | None, size: int) -> tuple[int, ...]:
    return tuple(size if d == axis else extent for d, extent in enumerate(shape))


def _reshaped(nest: Any, forms: Iterator[FeedForm]) -> Any:
    def reshaped(placeholder: Placeholder) -> Placeholder:
        shape, is_list = next(forms)
        p = placeholder
        return Placeholder(p.kind, shape, p.dtype, p.batch_axis, is_list)

    return rebuild(nest, reshaped)


def _bind(what: str, nest: Any, value: object, values: list[object], ranks: int) -> None:
    if isinstance(nest, Placeholder):
        is_mirrored = ranks > 1 and nest.kind != "Numpy"
        values.append(
            _parts(what, nest, value, ranks) if is_mirrored else _unwrap(what, nest, value)
        )
        return
    if isinstance(nest, dict):
        fits = isinstance(value, dict) and set(value) == set(nest)
        wanted = f"a dict with the keys {', '.join(map(str, nest))}"
    else:
        fits = isinstance(value, tuple | list) and len(value) == len(nest)
        wanted = f"a tuple of {len(nest)}"
    if not fits:
        raise located(TypeError, f"{what} takes {wanted}, got {kind_of(value)}")
    if isinstance(nest, dict) and isinstance(value, dict):
        value = {key: value[key] for key in nest}
    for (_, inner), (_, member) in zip(items(nest), items(value), strict=True):
        _bind(what, inner, member, values, ranks)


def _parts(what: str, placeholder: Placeholder, value: object, ranks: int) -> Parts:
    """One array for each rank. Their shapes may differ, but not the number of their dimensions."""
    if not isinstance(value, tuple | list) or len(value) != ranks:
        raise located(
            TypeError,
            f"{what} takes a list of {ranks} arrays, one for each rank, got "
            + (f"{len(value)}" if isinstance(value, tuple | list) else kind_of(value)),
        )
    arrays = Parts(_unwrap(what, placeholder, [one]) for one in value)
    for word, facts in (
        ("number of dimensions", [np.ndim(one) for one in arrays if isinstance(one, np.ndarray)]),
        ("type", [str(one.dtype) for one in arrays if isinstance(one, np.ndarray)]),
    ):
        if len(set(facts)) > 1:
            got = ", ".join(map(str, facts))
            raise located(TypeError, f"{what} takes arrays of one {word} for all ranks, got {got}")
    bound = prod(placeholder.shape)
    for index, one in enumerate(arrays):
        if isinstance(one, TensorList):
            raise located(
                NotImplementedError,
                f"{what} takes one array for each of {ranks} ranks, got a tensor list at index "
                f"{index}; join its arrays",
            )
        if isinstance(one, np.ndarray) and one.ndim == len(placeholder.shape) and not one.size:
            raise located(
                ValueError,
                f"{what} takes an array of at least one element for each rank, got shape "
                f"{one.shape} at index {index}; leave out this call, or give the rank a sample",
            )
        if isinstance(one, np.ndarray) and (one.ndim != len(placeholder.shape) or one.size > bound):
            raise located(
                ValueError,
                f"{what} takes arrays of {len(placeholder.shape)} dimensions and at most {bound} "
                f"elements, as {placeholder.shape} has, got shape {one.shape} at index {index}",
            )
    return arrays


def _unwrap(what: str, placeholder: Placeholder, value: object) -> object:
    """The one array inside the lists that ListNumpy and ListListNumpy require, or a tensor list."""
    depth = ("Numpy", "ListNumpy", "ListListNumpy").index(placeholder.kind)
    for level in range(depth):
        if level == 1 and isinstance(value, tuple | list) and len(value) > 1 and placeholder.shape:
            return _joined(what, value, placeholder.shape)
        if not isinstance(value, tuple | list) or len(value) != 1:
            form = "a list of one array" if depth == 1 else "a list of one list of one array"
            raise located(
                TypeError,
                f"{what} takes {form}, for its one device, got {kind_of(value)}",
            )
        value = value[0]
    return array_of(value, placeholder, what)


def _joined(what: str, parts: Sequence[object], shape: tuple[int, ...]) -> TensorList:
    """Join the arrays of a tensor list, each of one shape (1, ...) and one dtype."""
    first = parts[0]
    rest = first.shape[1:] if isinstance(first, np.ndarray) and first.ndim else shape[1:]
    wanted = (1, *rest) if len(rest) == len(shape) - 1 else (1, *shape[1:])
    dtypes = set()
    got = "" if 0 < len(parts) * prod(wanted) <= prod(shape) else f"{len(parts)}"
    for index, part in enumerate(parts):
        if not isinstance(part, np.ndarray) or part.shape != wanted:
            got = f"{kind_of(part)} at index {index}"
            break
        dtypes.add(part.dtype)
    if len(dtypes) > 1:
        # Joining different dtypes would promote them to a third one and round some values.
        got = got or " and ".join(sorted(map(str, dtypes)))
    if got:
        raise located(
            TypeError,
            f"{what} takes one array of shape {shape}, or as a tensor list at most "
            f"{counted(shape[0], 'array')} of one type and of shape {(1, *shape[1:])}, got {got}; "
            "pad arrays of a list to one shape, or pass one array",
        )
    return TensorList(np.concatenate(parts))  # type: ignore[arg-type]


def _form_of(value: object, placeholder: Placeholder) -> FeedForm:
    """The form of a value that a list gave and that is smaller, else the placeholder's."""
    bound = placeholder.shape
    if isinstance(value, TensorList):
        return value.array.shape, True
    if placeholder.kind == "Numpy" or not isinstance(value, np.ndarray):
        return bound, False
    fits = value.ndim == len(bound) and 0 < value.size <= prod(bound)
    return value.shape if fits else bound, False
