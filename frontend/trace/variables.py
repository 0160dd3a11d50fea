"""Variables of a job: by name, shared between layers and between jobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from penstock.basics.checks import check_flag
from penstock.basics.dtypes import DType, check_dtype, float32, int64
from penstock.basics.errors import kind_of, located, user_location
from penstock.distribute import Distribution, check_distribute
from penstock.ir.dialects.job.sbp import HINT
from penstock.regularizers import Regularizer
from penstock.scope import prefixed
from penstock.trace.blob import Blob, apply, check_blob, check_single, constant_blob
from penstock.trace.initializers import Initializer, check_seed, constant_initializer
from penstock.trace.sharing import wanted_state
from penstock.trace.tracing import AssignedValue, Trace, Variable, current_trace
from penstock.typing import check_shape


def get_variable(
    name: str,
    shape: Sequence[int] | None = None,
    dtype: DType | None = float32,
    initializer: Initializer | None = None,
    regularizer: Regularizer | None = None,
    trainable: bool | None = None,
    model_name: str | None = None,
    random_seed: int | None = None,
    distribute: Distribution | None = None,
    reuse: bool = True,
) -> Blob:
    """The variable of that name, with the prefixes of the active namespaces.

    Within a job, one name is one blob; jobs that use the name share its value. A new variable needs
    a shape, and an initializer unless the job's config has a default. Float variables are trainable
    unless `trainable=False`; integers never are. `distribute` says how ranks share the variable,
    `flow.distribute.split(0)` or `broadcast()`, or a list of one for each axis of a mesh; by
    default the compiler chooses. Raises TypeError or ValueError if the name is in use for something
    else, or is used again with `reuse=False`.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job() -> tp.Numpy:
    ...     with flow.scope.namespace("model"):
    ...         return flow.get_variable("w", (2,), initializer=flow.ones_initializer())
    >>> job()
    array([1., 1.], dtype=float32)
    >>> list(flow.get_all_variables())
    ['model-w']
    """
    trace = current_trace("flow.get_variable")
    if not isinstance(name, str) or not name:
        raise located(TypeError, f"a variable needs a name that is not empty, got {kind_of(name)}")
    what = f"variable {prefixed(name)}"
    check_flag(reuse, f"reuse of {what}")
    known = trace.variables.get(prefixed(name))
    chosen: dict[str, Any] = {}
    if initializer is not None:
        chosen["initializer"] = _initializer(trace, initializer, random_seed, what)
    if regularizer is not None:
        chosen["regularizer"] = _regularizer(regularizer, what)
    if trainable is not None:
        check_flag(trainable, f"trainable of {what}")
        chosen["trainable"] = trainable
    chosen |= _distribution(distribute, what)
    if known is not None:
        return _again(trace, known, shape, dtype, reuse, chosen)
    if not isinstance(shape, tuple | list):
        raise located(
            TypeError, f"{what} is new, so it needs a shape: a list or tuple, got {kind_of(shape)}"
        )
    element = _element(trace, dtype, what)
    if trainable and element.is_integer:
        raise located(TypeError, f"{what} of {element} cannot be trainable; only floats can")
    attributes = {
        "job.variable": prefixed(name),
        "job.initializer": chosen.get("initializer")
        or _initializer(trace, initializer, random_seed, what),
        "job.trainable": chosen.get("trainable", element.is_float),
    }
    if regularizer is not None:
        attributes["job.regularizer"] = chosen["regularizer"]
    extents = check_shape(tuple(shape), what)
    return _declare(trace, prefixed(name), extents, element, attributes, chosen)


def layer_variable(
    name: str,
    shape: Sequence[int],
    dtype: DType,
    initializer: Initializer | None,
    regularizer: Regularizer | None,
    trainable: bool,
    first: float = 0.0,
    distribute: Distribution | None = None,
) -> Blob:
    """A new variable of a layer, initialised to `first` unless the program chose an initializer."""
    start = constant_initializer(first) if initializer is None else initializer
    blob = get_variable(
        name, shape, dtype, start, regularizer, trainable, distribute=distribute, reuse=False
    )
    chosen = blob.trace.variables[prefixed(name)].given
    if initializer is None:
        del chosen["initializer"]
    if trainable:
        del chosen["trainable"]
    return blob


def assign(ref: Blob, value: Blob, dtype: DType | None = None, name: str | None = None) -> None:
    """Assign to a variable after the step; reads within the step give the old value.

    `ref` is the result of `flow.get_variable`; `value`, and `dtype` if given, must match its shape
    and element type. A train job cannot assign to a variable that it learns.

    Raises a located TypeError or ValueError for invalid arguments.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def count() -> tp.Numpy:
    ...     calls = flow.get_variable("calls", (1,), initializer=flow.zeros_initializer())
    ...     flow.assign(calls, calls + 1)
    ...     return calls
    >>> count(), count()
    (array([0.], dtype=float32), array([1.], dtype=float32))
    """
    what = "flow.assign"
    ref, value = check_blob(ref, what), check_single(value, f"the value of {what}")
    trace, location = ref.trace, user_location()
    if name is not None and not isinstance(name, str):
        raise located(TypeError, f"name of {what} must be a string, got {kind_of(name)}")
    found = next((v for v in trace.variables.values() if v.blob.value is ref.value), None)
    if found is None:
        raise located(
            ValueError, f"{what} takes a variable first, got blob {ref.name}: see flow.get_variable"
        )
    wanted = ref.dtype if dtype is None else check_dtype(dtype, f"the dtype of {what}")
    if (value.shape, value.dtype, wanted) != (ref.shape, ref.dtype, ref.dtype):
        raise located(
            ValueError,
            f"variable {found.name} is {ref.dtype} of shape {ref.shape}, and {what} was given "
            f"{value.dtype if wanted is ref.dtype else wanted} of shape {value.shape}; cast or "
            "reshape it first",
        )
    if trace.job_type == "train" and found.attributes["job.trainable"]:
        raise located(
            ValueError,
            f"variable {found.name} is learned in job {trace.job!r}, so {what} cannot change it; "
            "make it with trainable=False",
        )
    known = trace.updates.get(found.name)
    if known is not None:
        raise located(
            ValueError,
            f"variable {found.name} has its new value from {known.location.describe()} already; "
            f"assign it once in a job",
        )
    if value.is_local:
        value = mean_of_ranks(value, what)
    trace.updates[found.name] = AssignedValue(value.value, location)


def mean_of_ranks(x: Blob, what: str) -> Blob:
    """The mean of what each rank has, which all share. Raises a located TypeError for integers."""
    if not x.dtype.is_float:
        raise located(
            TypeError,
            f"{what} takes a value that all ranks share, and each has its own {x.name} of "
            f"{x.dtype}, which has no mean; cast it to floats first",
        )
    share = apply("flow.divide", x, constant_blob(x.trace.ranks, (), x.dtype, what), what=what)[0]
    return apply("sbp.from_local", share, name=f"{x.name}_mean", what=what)[0]


def step_counter() -> Blob:
    """The number of steps that the job has run, as an int64 of rank 0.

    It is the variable `System-Random-Step-<job>`, to which every step of the job adds 1, in predict
    jobs too. Random draws depend on it.
    """
    trace = current_trace("the step of a job")
    name = f"System-Random-Step-{trace.job}"
    known = trace.variables.get(name)
    if known is not None:
        return check_blob(known.blob, "the step of a job")
    start = {"kind": "constant", "value": 0}
    attributes = {"job.variable": name, "job.initializer": start, "job.trainable": False}
    counter = _declare(trace, name, (), int64, attributes, {})
    one = constant_blob(1, (), int64, "the step of a job")
    following = apply("flow.add", counter, one, what="the step of a job")[0]
    assign(counter, following)
    return counter


def _declare(
    trace: Trace,
    name: str,
    shape: tuple[int, ...],
    dtype: DType,
    attributes: dict[str, Any],
    chosen: dict[str, Any],
) -> Blob:
    location, distribute = user_location(), chosen.get("distribute")
    state = wanted_state(distribute, shape, f"distribute of variable {name}", "it")
    if state is not None and trace.ranks > 1:
        attributes[HINT] = state
    value = trace.argument(name, shape, dtype, location, attributes)
    # A feed may have the same name; watch points are distinguished by the blob's.
    blob = Blob(value, trace.fresh(name), trace, location)
    blob.distribute = distribute
    trace.variables[name] = Variable(name, blob, attributes, location, chosen)
    return blob


def _distribution(distribute: Distribution | None, what: str) -> dict[str, Any]:
    """What a program says of how ranks share a variable, if it says so."""
    if distribute is None:
        return {}
    found = check_distribute(distribute, f"distribute of {what}")
    return {} if found.is_auto else {"distribute": found}


def _element(trace: Trace, dtype: DType | None, what: str) -> DType:
    if dtype is None:
        return trace.config.data_type or float32
    return check_dtype(dtype, f"the dtype of {what}")


def _again(
    trace: Trace,
    known: Variable,
    shape: Sequence[int] | None,
    dtype: DType | None,
    reuse: bool,
    chosen: dict[str, Any],
) -> Blob:
    what, place = f"variable {known.name}", known.location.describe()
    if not reuse:
        raise located(
            ValueError,
            f"{what} already exists in job {trace.job!r}, made at {place}; "
            "give each layer a name of its own",
        )
    element = known.blob.dtype if dtype is None else check_dtype(dtype, f"the dtype of {what}")
    wanted = known.blob.shape if shape is None else check_shape(tuple(shape), what)
    if (wanted, element) != (known.blob.shape, known.blob.dtype):
        raise located(
            ValueError,
            f"{what} is requested as {element} of shape {wanted}, but {place} made it "
            f"{known.blob.dtype} of shape {known.blob.shape}; declare it the same way, or rename "
            "one",
        )
    for word, wish in chosen.items():
        held = known.given.get(word, known.attributes.get(f"job.{word}"))
        if wish != held:
            raise located(
                ValueError,
                f"{what} is requested with {word} {described(wish)}, but {place} made it with "
                f"{described(held)}; declare it the same way, or leave it out here",
            )
    return check_blob(known.blob, what)


def described(value: object) -> str:
    """An initializer, a regularizer or a flag, for an error."""
    if not isinstance(value, dict):
        return repr(value)
    words = [f"{key}={entry}" for key, entry in value.items() if key != "kind"]
    return f"{value.get('kind', '')}({', '.join(words)})"


class Declaring(Protocol):
    """The part of a job that concerns its variables."""

    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str: ...
    def variables(self) -> Sequence[Variable]: ...


def check_shared_variables(jobs: Sequence[Declaring]) -> None:
    """Check that jobs that use one variable declare it the same."""
    known: dict[str, tuple[str, Variable]] = {}
    choices: dict[str, dict[str, tuple[str, str, Any]]] = {}
    for job in jobs:
        for variable in job.variables():
            other, first = known.setdefault(variable.name, (job.name, variable))
            mine, theirs = variable.blob, first.blob
            if (mine.shape, mine.dtype) != (theirs.shape, theirs.dtype):
                raise located(
                    ValueError,
                    f"variable {variable.name} is {mine.dtype} of shape {mine.shape} in job "
                    f"{job.name!r}, but job {other!r} ({first.location.describe()}) made it "
                    f"{theirs.dtype} of shape {theirs.shape}; declare it the same in both, or "
                    "rename one",
                    variable.location,
                )
            # A job that leaves something to a default takes another job's choice, in any order.
            chosen = choices.setdefault(variable.name, {})
            for word, wish in variable.given.items():
                # Predict jobs need not repeat the training attributes of train jobs.
                key = f"{word} in a {job.type} job" if word == "trainable" else word
                whose, place, held = chosen.setdefault(
                    key, (job.name, variable.location.describe(), wish)
                )
                if wish != held:
                    raise located(
                        ValueError,
                        f"variable {variable.name} has {word} {described(wish)} in job "
                        f"{job.name!r}, but job {whose!r} ({place}) gives it {described(held)}; "
                        "declare it the same in both, or leave it out in one",
                        variable.location,
                    )


def _initializer(
    trace: Trace, initializer: Initializer | None, seed: int | None, what: str
) -> Initializer:
    initial = trace.config.initializer if initializer is None else initializer
    if initial is None:
        raise located(
            ValueError,
            f"{what} needs an initializer such as flow.zeros_initializer(), or a default one by "
            "default_initializer_conf of the job's config",
        )
    if not isinstance(initial, dict) or "kind" not in initial:
        raise located(
            TypeError,
            f"{what} needs an initializer such as flow.zeros_initializer(), got {kind_of(initial)}",
        )
    return initial if seed is None else {**initial, "seed": check_seed(seed)}


def _regularizer(regularizer: Regularizer, what: str) -> Regularizer:
    if not isinstance(regularizer, dict) or set(regularizer) != {"l1", "l2"}:
        raise located(
            TypeError,
            f"{what} needs a regularizer such as flow.regularizers.l2(0.01), "
            f"got {kind_of(regularizer)}",
        )
    return regularizer
