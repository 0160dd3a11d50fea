"""Uses of blobs as Python or NumPy values: each error names an alternative."""

import copy
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Rows = tp.Numpy.Placeholder((4, 5))
Use = Callable[[Any], object]
MISUSES: dict[str, tuple[Use, str]] = {
    "sum": (lambda x: np.sum(x), "numpy.sum takes arrays, got blob x, which has no value while "
            "the job is traced; use flow.sum"),
    "prod": (lambda x: np.prod(x), "use flow.prod"),
    "max": (lambda x: np.max(x), "use flow.max"),
    "any": (lambda x: np.any(x), "use flow.any"),
    "mean": (lambda x: np.mean(x), "numpy.mean takes arrays, got blob x, which has no value "
             "while the job is traced; use flow.mean"),
    "reduce": (lambda x: np.add.reduce(x), "numpy.add.reduce takes arrays, got blob x, which has no"
               " value while the job is traced; use flow.math.reduce_sum"),
    "where of an array": (lambda x: np.ones((4, 5)).sum(where=x), "use flow.math.reduce_sum"),
    "concatenate": (lambda x: np.concatenate([x, x]), "use flow.concat"),
    "transpose of NumPy": (lambda x: np.transpose(x), "use flow.transpose"),
    "argmax": (lambda x: np.argmax(x), "use flow.argmax"),
    "where": (lambda x: np.where(x > 0, x, x), "use flow.where"),
    "dot": (lambda x: np.dot(x, x), "use flow.matmul"),
    "norm": (lambda x: np.linalg.norm(x), "numpy.linalg.norm takes arrays"),
    "isnan": (lambda x: np.isnan(x), "use flow.math.is_nan"),
    "hypot": (lambda x: np.hypot(x, x), "use ops of flow"),
    "out": (lambda x: np.add(x, x, out=np.zeros((4, 5))), "use flow.add"),
    "transpose": (lambda x: flow.transpose(x, 0, 1), "perm of flow.transpose must be a list of all "
                  "dimensions, got 0; write flow.transpose(x, [0, ...])"),
    "pickle": (lambda x: pickle.dumps(x), "blob x cannot be pickled or copied: it is part of the "
               "job that is traced; use the blob itself, or return it"),
    "deepcopy": (lambda x: copy.deepcopy([x]), "blob x cannot be pickled or copied"),
    "format": (lambda x: f"{x:.2f}", 'blob x cannot be formatted with the string ".2f", since it '
               "has no value while the job is traced; watch it with flow.watch, or return it"),
    "width": (lambda x: f"{x:>10}", 'cannot be formatted with the string ">10"'),
    "floor": (lambda x: math.floor(x), "blob x has no floor(); use flow.math.floor(x)"),
    "ceil": (lambda x: math.ceil(x), "blob x has no ceil(); use flow.math.ceil(x)"),
    "trunc": (lambda x: math.trunc(x), "blob x has no trunc()"),
    "complex": (lambda x: complex(x), "blob x has no value"),
    "bytes": (lambda x: bytes(x), "blob x has no value"),
    "shift": (lambda x: x << 2, "blob x has no operator <<"),
    "einsum": (lambda x: flow.einsum("é" * 3000, x), "flow.einsum takes an equation of letters"),
    "terms": (lambda x: flow.einsum("ab," * 1000 + "->a", x), "flow.einsum takes a blob for each"),
    "long list": (lambda x: flow.transpose(x, [0] * 3000), "expected a permutation of the 2 dim"),
    "long word": (lambda x: flow.sort(x, direction="D" * 4000), "DDDD ... DDDD"),
    "long name": (lambda x: getattr(x, "q" * 4000), "blob x has no 'qqq"),
    "unprintable": (lambda x: flow.sort(x, direction="\0\n\x1b"), 'the string "\\x00\\n\\x1b"'),
}  # fmt: skip


@pytest.mark.parametrize("name", MISUSES)
def test_use(name: str) -> None:
    use, said = MISUSES[name]

    @flow.global_function()
    def job(x: Rows) -> tp.Numpy:
        use(x)
        return x

    place = rf"^tests/error/jobs/test_blob_misuse.py:{use.__code__.co_firstlineno}: "
    with pytest.raises((TypeError, ValueError, AttributeError), match=place) as caught:
        job.trace()
    assert said in str(caught.value)
    assert len(str(caught.value)) < 1000
    assert "\n" not in str(caught.value)


def test_what_a_blob_can_do() -> None:
    @flow.global_function()
    def job(x: Rows) -> tp.Numpy:
        assert np.shape(x) == (4, 5)
        assert np.ndim(x) == 2
        assert copy.copy(x) is x
        assert f"{x}" == str(x)
        return x

    job.trace()


@pytest.mark.parametrize("path", ["\0", "a\0b", "\ud800"])
def test_a_path_that_is_not_a_valid_file_name(path: str, tmp_path: Path) -> None:
    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.get_variable("w", (2,), initializer=flow.ones_initializer())

    job()
    place = r"^tests/error/jobs/test_blob_misuse.py:\d+: "
    for save in (
        lambda: flow.checkpoint.save(path),
        lambda: flow.save_artifact(path, job),
        lambda: flow.save_library(path, job),
    ):
        with pytest.raises(ValueError, match=place + ".* must be a path of characters that file"):
            save()
    with pytest.raises(ValueError, match=place + "flow.compile cannot read"):
        flow.compile(path)


@pytest.mark.parametrize("key", [3, None, (1, 2), b"w"])
def test_an_invalid_name(key: object) -> None:
    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.get_variable("w", (2,), initializer=flow.ones_initializer())

    place = r"^tests/error/jobs/test_blob_misuse.py:\d+: "
    with pytest.raises(
        TypeError, match=place + "load_variables takes a dict of values by name, got"
    ):
        flow.load_variables({key: np.ones(2, np.float32)})  # type: ignore[dict-item]
