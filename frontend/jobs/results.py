"""Results of a job function: its return annotation, checked and applied.

A `Spec` is a return annotation. `check` compares it with the body's return value; `deliver` puts
arrays into the promised form.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from penstock.basics.errors import kind_of, located, shown
from penstock.basics.nest import items, leaves, rebuild
from penstock.ir.location import Location
from penstock.ir.record import Record
from penstock.runtime.parts import Parts
from penstock.tensors.tensor import Tensor
from penstock.trace.blob import Blob, check_single
from penstock.typing import KINDS, Bundle, Callback, Numpy, marks_of

Array = Any


class Body(Record):
    """The job, for errors."""

    job: str
    location: Location
    annotation: Spec

    def mismatch(self, value: object, wanted: str, path: str) -> NoReturn:
        place = f" at {path}" if path else ""
        raise located(
            TypeError,
            f"job {self.job!r} is annotated -> {self.annotation}, so its body must return "
            f"{wanted}{place}, got {kind_of(value)}",
            self.location,
        )


class Spec:
    """Base of return annotations; `str(spec)` is the annotation."""

    def check(self, value: object, body: Body, path: str = "") -> None:
        """Raise a located TypeError unless the body returned a `value` of this form."""
        raise NotImplementedError

    def deliver(self, nest: Any) -> Any:
        """Convert the body's nest, with arrays as leaves, to what the caller gets."""
        raise NotImplementedError


class Unannotated(Spec, Record):
    """No annotation: any return value is allowed, and a call returns a future."""

    def __str__(self) -> str:
        return "nothing"

    def check(self, value: object, body: Body, path: str = "") -> None:
        pass

    def deliver(self, nest: Any) -> Any:
        return nest


class Nothing(Spec, Record):
    """`-> None`"""

    def __str__(self) -> str:
        return "None"

    def check(self, value: object, body: Body, path: str = "") -> None:
        if value is not None:
            body.mismatch(value, "nothing", path)

    def deliver(self, nest: Any) -> Any:
        return None


class TensorList(Record):
    """The array of a tensor list; annotations of lists split it into its parts."""

    array: Array

    @property
    def parts(self) -> list[Array]:
        return [self.array[i : i + 1] for i in range(len(self.array))]


class Arrays(Spec, Record):
    """`-> tp.Numpy`, `tp.ListNumpy` or `tp.ListListNumpy`"""

    kind: str

    def __str__(self) -> str:
        return self.kind

    def check(self, value: object, body: Body, path: str = "") -> None:
        if not isinstance(value, Blob):
            body.mismatch(value, "a blob", path)
        if value.is_local and self.kind == "Numpy":
            raise located(
                AssertionError,
                f"job {body.job!r} is annotated -> {body.annotation}, and each rank has a blob "
                f"{value.name} of its own; annotate it tp.ListNumpy",
                body.location,
            )
        if value.is_dynamic and self.kind == "Numpy":
            place = f" at {path}" if path else ""
            raise located(
                AssertionError,
                f"job {body.job!r} is annotated -> {body.annotation}, and blob {value.name}{place} "
                f"is dynamic, of shape {value.shape} at most; annotate it tp.ListNumpy",
                body.location,
            )

    def deliver(self, nest: Any) -> Any:
        if isinstance(nest, Parts):
            return list(nest) if self.kind == "ListNumpy" else [[part] for part in nest]
        if isinstance(nest, TensorList):
            if self.kind == "ListListNumpy":
                return [nest.parts]
            nest = nest.array
        if self.kind == "Numpy":
            return nest
        return [nest] if self.kind == "ListNumpy" else [[nest]]


class Tuples(Spec, Record):
    members: tuple[Spec, ...]

    def __str__(self) -> str:
        return f"Tuple[{', '.join(map(str, self.members))}]"

    def check(self, value: object, body: Body, path: str = "") -> None:
        if type(value) is not tuple or len(value) != len(self.members):
            body.mismatch(value, f"a tuple of {len(self.members)}", path)
        for (key, member), spec in zip(items(value), self.members, strict=True):
            spec.check(member, body, f"{path}[{key}]")

    def deliver(self, nest: Any) -> Any:
        return tuple(spec.deliver(value) for spec, value in zip(self.members, nest, strict=True))


class Lists(Spec, Record):
    member: Spec

    def __str__(self) -> str:
        return f"List[{self.member}]"

    def check(self, value: object, body: Body, path: str = "") -> None:
        if type(value) is not list:
            body.mismatch(value, "a list", path)
        for key, member in items(value):
            self.member.check(member, body, f"{path}[{key}]")

    def deliver(self, nest: Any) -> Any:
        return [self.member.deliver(value) for value in nest]


class Dicts(Spec, Record):
    key: type[Any]
    member: Spec

    def __str__(self) -> str:
        return f"Dict[{self.key.__name__}, {self.member}]"

    def check(self, value: object, body: Body, path: str = "") -> None:
        if type(value) is not dict:
            body.mismatch(value, "a dict", path)
        for key, member in value.items():
            if type(key) is not self.key:
                body.mismatch(key, f"{self.key.__name__} keys", path)
            self.member.check(member, body, f"{path}[{key!r}]")

    def deliver(self, nest: Any) -> Any:
        return {key: self.member.deliver(value) for key, value in nest.items()}


class Bundles(Spec, Record):
    member: Arrays

    def __str__(self) -> str:
        return f"Bundle[{self.member}]"

    def check(self, value: object, body: Body, path: str = "") -> None:
        for place, leaf in leaves(value):
            self.member.check(leaf, body, f"{path}[{place}]")

    def deliver(self, nest: Any) -> Any:
        return rebuild(nest, self.member.deliver)


class Callbacks(Spec, Record):
    member: Spec

    def __str__(self) -> str:
        return f"Callback[{self.member}]"

    def check(self, value: object, body: Body, path: str = "") -> None:
        self.member.check(value, body, path)

    def deliver(self, nest: Any) -> Any:
        return self.member.deliver(nest)


def parse_return(job: str, annotations: Mapping[str, object], location: Location) -> Spec:
    """The spec of a job's return annotation."""
    if "return" not in annotations:
        return Unannotated()
    found: Spec | None
    annotation = _unmarked(annotations["return"])
    if annotation is None or annotation is type(None):
        return Nothing()
    if typing.get_origin(annotation) is Callback:
        inner = _parse(typing.get_args(annotation)[0])
        found = None if inner is None else Callbacks(inner)
    else:
        found = _parse(annotation)
    if found is None:
        raise located(
            NotImplementedError,
            f"invalid return annotation of job {job!r} found, {shown(annotation)}; write tp.Numpy, "
            "tp.ListNumpy, tp.ListListNumpy, a Tuple, List or Dict of these, tp.Bundle[...], "
            "tp.Callback[...] or None; for type checkers Annotated[flow.Blob, tp.Numpy], and "
            "Annotated[Any, ...] for those that are not one array",
            location,
        )
    return found


def _unmarked(annotation: object) -> object:
    """What `Annotated[flow.Blob, tp.Numpy]` or `Annotated[Any, ...]` says the caller gets."""
    kind, marks = marks_of(annotation)
    if len(marks) == 1 and (kind is Any or (kind in (Blob, Tensor) and marks[0] is Numpy)):
        return marks[0]
    return annotation


def _parse(annotation: object) -> Spec | None:
    """The spec of an annotation; None if the annotation is not of that form."""
    annotation = _unmarked(annotation)
    if isinstance(annotation, type) and annotation in KINDS:
        return Arrays(KINDS[annotation])
    form = _FORMS.get(typing.get_origin(annotation))
    members = typing.get_args(annotation)
    return form(members) if form is not None and members else None


def _tuple(members: tuple[Any, ...]) -> Spec | None:
    specs = [_parse(member) for member in members]
    known = tuple(spec for spec in specs if spec is not None)
    return Tuples(known) if known and len(known) == len(specs) else None


def _list(members: tuple[Any, ...]) -> Spec | None:
    spec = _parse(members[0])
    return None if spec is None else Lists(spec)


def _dict(members: tuple[Any, ...]) -> Spec | None:
    key, member = members
    spec = _parse(member)
    return Dicts(key, spec) if isinstance(key, type) and spec is not None else None


def _bundle(members: tuple[Any, ...]) -> Spec | None:
    spec = _parse(members[0])
    return Bundles(spec) if isinstance(spec, Arrays) else None


_FORMS: dict[Any, Callable[[tuple[Any, ...]], Spec | None]] = {
    tuple: _tuple,
    list: _list,
    dict: _dict,
    Bundle: _bundle,
}


def check_result(value: object, spec: Spec, job: str, location: Location) -> list[tuple[str, Blob]]:
    """The body's return value as named blobs, checked against the annotation."""
    if value is None and isinstance(spec, Nothing | Unannotated):
        return []
    body = Body(job, location, spec)
    try:
        spec.check(value, body)
        found = list(leaves(value))
    except RecursionError:
        raise located(
            ValueError,
            f"job {job!r} returns a nest that contains itself; return one without cycles",
            location,
        ) from None
    named: dict[str, Blob] = {}
    for path, leaf in found:
        if not isinstance(leaf, Blob):
            raise located(
                NotImplementedError,
                f"job {job!r} may return blobs, tuples, lists and dicts of blobs, or None, "
                f"got {kind_of(leaf)} at {path}",
                location,
            )
        if path in named:
            raise located(
                ValueError, f'job {job!r} returns two values under the name "{path}"', location
            )
        named[path] = check_single(leaf, f"what job {job!r} returns", location)
    return list(named.items())
