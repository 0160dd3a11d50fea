"""Invalid calls of a job in every form: as defined, from text, from an artifact."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from misuse_rules import MODULE

import penstock as flow
import penstock.runtime
import penstock.typing as tp
from penstock.lowering.modules import target_level

X = np.ones((4, 5), np.float32)
HUGE = np.full((4, 5), 1e300)
"""Float64 numbers that float32 cannot hold."""


def defined(folder: Path) -> Any:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 5))) -> tp.Numpy:
        return flow.nn.relu(x)

    return job


def loaded_text(folder: Path) -> Any:
    return flow.compile(MODULE)


def artifact(folder: Path) -> Any:
    flow.save_artifact(folder / "called.pstk", flow.compile(MODULE), targets=[target_level()])
    return penstock.runtime.load(folder / "called.pstk")["job"]


def whole_artifact(folder: Path) -> Any:
    artifact(folder)
    return penstock.runtime.load(folder / "called.pstk")


def rebuilt(folder: Path) -> Any:
    artifact(folder)
    return penstock.runtime.load(folder / "called.pstk", rebuild=True)["job"]


FORMS: list[Callable[[Path], Any]] = [defined, loaded_text, artifact, whole_artifact, rebuilt]
CALLS: list[tuple[tuple[Any, ...], type[Exception], str]] = [
    ((X[:, :4],), ValueError, "float32 and shape (4, 5), got shape (4, 4)"),
    ((X.T,), ValueError, "got shape (5, 4)"),
    ((X[:0],), ValueError, "got shape (0, 5)"),
    ((X[0],), ValueError, "got shape (5,)"),
    ((X[None],), ValueError, "got shape (1, 4, 5)"),
    ((np.float32(1),), TypeError, "of type float32"),
    ((np.ones((), np.float32),), ValueError, "got shape ()"),
    ((X.astype(np.int32),), TypeError, "got an array of int32; convert it with astype"),
    ((X.astype(bool),), TypeError, "got an array of bool"),
    ((X.astype(np.complex64),), TypeError, "got an array of complex64"),
    ((X.astype("M8[s]"),), TypeError, "got an array of datetime64[s]"),
    ((np.full((4, 5), "word"),), TypeError, "got an array of <U4"),
    ((np.full((4, 5), None),), TypeError, "got an array of object"),
    ((HUGE,), ValueError, "which float32 cannot hold"),
    ((np.zeros((4, 5), [("a", "f4")]),), TypeError, "got an array of [('a', '<f4')]"),
    ((np.ma.masked_array(X, X == 0),), TypeError, "got a masked array"),
    ((None,), TypeError, "got None of type NoneType"),
    (("words",), TypeError, "of type str"),
    ((X.tolist(),), TypeError, "of type list"),
    ((3,), TypeError, "got 3 of type int"),
    ((X.tobytes(),), TypeError, "of type bytes"),
    ((memoryview(X),), TypeError, "of type memoryview"),
    ((object(),), TypeError, "of type object"),
    ((), TypeError, "takes 1 a"),
    ((X, X), TypeError, "takes 1 a"),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("given", "kind", "part"), CALLS, ids=range(len(CALLS)))
def test_a_wrong_call(
    form: Callable[[Path], Any],
    given: tuple[Any, ...],
    kind: type[Exception],
    part: str,
    tmp_path: Path,
) -> None:
    job = form(tmp_path)
    if form is defined and given and isinstance(given[0], list):
        job(*given)  # a job of Python takes lists
        return
    if form is defined and isinstance(given[0] if given else None, int | np.float32):
        kind, part = ValueError, "got shape ()"  # and numbers, as arrays of rank 0
    check(lambda: job(*given), kind, part)
    # The refused call has left nothing behind.
    np.testing.assert_array_equal(job(X), X)


@pytest.mark.parametrize("form", FORMS)
def test_a_wrong_name(form: Callable[[Path], Any], tmp_path: Path) -> None:
    job = form(tmp_path)
    check(lambda: job(y=X), TypeError, "(x)")
    if form is not defined:
        check(lambda: job(xs=X), TypeError, 'got xs=; did you mean "x"?')
    check(lambda: job(X, x=X), TypeError, "(x)")


def check(call: Callable[[], object], kind: type[Exception], part: str) -> None:
    """One sentence, which names the job."""
    with pytest.raises(kind) as caught:
        call()
    text = str(caught.value)
    assert caught.type is kind
    assert part in text, text
    assert "job" in text, text
    assert "\n" not in text
    assert len(text) < 400, text


WATCHING: list[tuple[Any, Any, type[Exception]]] = [
    ("nope", len, ValueError),
    ("[", len, ValueError),
    ("", len, ValueError),
    ("x.py:0", len, ValueError),
    (None, len, (TypeError, ValueError)),
    (3, len, (TypeError, ValueError)),
    ([], len, ValueError),
]  # fmt: skip


async def waits(x: Any) -> None:
    raise AssertionError("nobody awaits it")


@pytest.mark.parametrize("form", FORMS[1:])
def test_watching_with_a_coroutine(form: Callable[[Path], Any], tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="plain function, .* does not run"):
        form(tmp_path).watch("*", waits)


@pytest.mark.parametrize("form", FORMS[1:])
@pytest.mark.parametrize(("pattern", "handler", "kind"), WATCHING)
def test_watching_unknown_names(
    form: Callable[[Path], Any], pattern: Any, handler: Any, kind: Any, tmp_path: Path
) -> None:
    job = form(tmp_path)
    with pytest.raises(kind, match="watch point|pattern|names"):
        job.watch(pattern, handler)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("none.pstk", "cannot be read"),
        ("folder", "folder: "),
        ("short-job.pstk", "short-job.pstk: "),
        ("junk", "junk: "),
        ("empty", "empty: "),
        ("x.npy", "x.npy: "),
    ],
)
def test_loading_files_that_are_not_artifacts(place: Path, name: str, part: str) -> None:
    for rebuild in (False, True):
        with pytest.raises(penstock.runtime.ArtifactError) as caught:
            penstock.runtime.load(name, rebuild=rebuild)
        assert part in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(penstock.runtime.ArtifactError, match=name):
        penstock.runtime.open_artifact(name)


def test_unknown_jobs(tmp_path: Path) -> None:
    loaded = whole_artifact(tmp_path)
    for look in (loaded.jobs.__getitem__, loaded.__getitem__):
        with pytest.raises(KeyError, match=r"called.pstk has the jobs job, got 'jib'"):
            look("jib")
