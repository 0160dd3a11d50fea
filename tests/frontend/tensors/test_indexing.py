"""Parts of tensors are NumPy's parts of arrays, read and written, and gradients flow through."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock as flow

Array = np.ndarray[Any, Any]
BASIC: list[Any] = [
    0, -1, (1, 2), (slice(None), 1), (slice(0, 2), slice(1, None, 2)), (Ellipsis, 0),
    (0, Ellipsis, -1), (None, 1), (slice(None), None), (1, 2, 3), slice(3, 1), (slice(2, 0, -1),),
    (Ellipsis,), (), (0, None, Ellipsis, None), slice(-2, None),
]  # fmt: skip
ADVANCED: list[Any] = [
    [0, 2], ([0, 1], [1, 2]), (slice(None), [3, 0]), ([2], slice(None), [1, 1]),
    (np.array([[0, 1], [2, 0]]),), (Ellipsis, [0, -1]), (slice(1, 3), [2, 0], slice(0, 2)),
    (np.array([True, False, True]),), ([0, 2, 1], None, [1, 1, 0]),
]  # fmt: skip


def _array() -> Array:
    return np.arange(3 * 4 * 5, dtype=np.float32).reshape(3, 4, 5)


def _as_tensors(place: Any) -> Any:
    if isinstance(place, tuple):
        return tuple(_as_tensors(one) for one in place)
    return flow.tensor(place) if isinstance(place, np.ndarray) else place


@pytest.mark.parametrize("place", [*BASIC, *ADVANCED], ids=str)
def test_reading(place: Any) -> None:
    x = flow.tensor(_array(), requires_grad=True)
    part = x[_as_tensors(place)]
    wanted = _array()[place]
    assert part.shape == wanted.shape
    np.testing.assert_array_equal(part.numpy(), wanted)
    weights = np.random.default_rng(1).standard_normal(wanted.shape).astype(np.float32)
    part.backward(flow.tensor(weights))
    exact = np.zeros((3, 4, 5))
    np.add.at(exact, place, weights)
    np.testing.assert_allclose(x.grad.numpy(), exact, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("place", [*BASIC, *ADVANCED], ids=str)
def test_writing(place: Any) -> None:
    wanted = _array()
    wanted[place] = -1
    x = flow.tensor(_array())
    x[_as_tensors(place)] = -1
    np.testing.assert_array_equal(x.numpy(), wanted)
    values = np.random.default_rng(2).standard_normal(wanted[place].shape).astype(np.float32)
    wanted[place] = values
    x[_as_tensors(place)] = flow.tensor(values)
    # Of places named twice, it is not said whose value stays.
    if str(place) != "([2], slice(None, None, None), [1, 1])":
        np.testing.assert_array_equal(x.numpy(), wanted)


def test_numbers_and_slices_are_views() -> None:
    x = flow.zeros(3, 4)
    row = x[1]
    row[2] = 5
    x[0, ::2] = 7
    assert x.tolist() == [[7, 0, 7, 0], [0, 0, 5, 0], [0, 0, 0, 0]]
    assert row.tolist() == [0, 0, 5, 0]
    assert x[[0]].sum().item() == 14
    x[[0]][0, 1] = 9  # a copy is changed
    assert x[0, 1].item() == 0


def test_masks() -> None:
    x = flow.tensor([[1.0, -2.0], [3.0, -4.0]])
    assert x[x < 0].tolist() == [-2, -4]
    x[x < 0] = 0
    assert x.tolist() == [[1, 0], [3, 0]]
    x[x > 1] += 1
    assert x.tolist() == [[1, 0], [4, 0]]
    assert x[flow.zeros(2, 2) > 0].shape == (0,)


@pytest.mark.parametrize(
    ("place", "kind", "message"),
    [
        (3, IndexError, "index 3 is outside of dimension 0"),
        ((0, 0, 0, 0), IndexError, "an index of 4 dimensions is too long"),
        ([5], IndexError, "index 5 is outside of dimension 0"),
        (1.5, TypeError, "a tensor is indexed by ints"),
        ("a", TypeError, "got the string"),
        ((Ellipsis, Ellipsis), IndexError, r"only one Ellipsis"),
        (np.array([True, False]), IndexError, r"a mask of shape \(2,\) does not fit"),
        (([0, 1], [0, 1, 2]), IndexError, "do not broadcast"),
    ],
)
def test_what_is_no_index(place: Any, kind: type[Exception], message: str) -> None:
    x = flow.tensor(_array())
    with pytest.raises(kind, match=message) as caught:
        x[place]
    assert str(caught.value).startswith(("tests/", "/"))
    with pytest.raises(kind, match=message):
        x[place] = 0
    np.testing.assert_array_equal(x.numpy(), _array())
