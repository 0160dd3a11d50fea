"""Corners of gradients and numbers, equal to PyTorch's."""

from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

torch: Any = pytest.importorskip("torch")
BOTH = (flow, torch)


def same(function: Any) -> None:
    """The function of a library gives the same tensors, or None, for both."""
    mine, theirs = (function(library) for library in BOTH)
    for a, b in zip(mine, theirs, strict=True):
        if b is None:
            assert a is None
            continue
        assert str(a.dtype).partition(".")[2] == str(b.dtype).partition(".")[2]
        np.testing.assert_allclose(a.detach().numpy(), b.detach().numpy(), rtol=1e-6)


def grads(library: Any, function: Any, *arrays: Any) -> list[Any]:
    leaves = [library.tensor(a, requires_grad=True) for a in arrays]
    function(*leaves).sum().backward()
    return [leaf.grad for leaf in leaves]


@pytest.mark.parametrize("name", ["maximum", "minimum", "logaddexp"])
def test_equal_operands_share_the_gradient(name: str) -> None:
    x, y = [1.0, 2.0, 3.0, np.nan, 1.0], [1.0, 5.0, 0.0, 1.0, np.nan]
    same(lambda library: grads(library, getattr(library, name), x, y))
    same(lambda library: grads(library, getattr(library, name), [[1.0], [2.0]], [1.0, 2.0]))


def test_equal_operands_share_the_gradient_in_jobs() -> None:
    Pair: Any = tp.Numpy.Placeholder((2,))

    @flow.global_function()
    def job(x: Pair, y: Pair) -> tuple[tp.Numpy, tp.Numpy]:
        return tuple(flow.gradients(flow.math.maximum(x, y), [x, y]))

    by_x, by_y = job(np.array([1, 2], np.float32), np.array([1, 3], np.float32))
    np.testing.assert_array_equal(by_x, [0.5, 0])
    np.testing.assert_array_equal(by_y, [0.5, 1])


@pytest.mark.parametrize("name", ["sign", "floor", "ceil", "round", "trunc", "frac"])
def test_steps_have_the_gradient_0(name: str) -> None:
    same(lambda library: grads(library, getattr(library, name), [1.5, -2.0]))


def test_logarithms_of_sums_of_infinities() -> None:
    inf = float("inf")
    x, y = [inf, -inf, 1.0, inf], [inf, -inf, inf, -inf]
    same(lambda library: [library.logaddexp(library.tensor(x), library.tensor(y))])


def _clamped_by_tensors(x: Any) -> Any:
    return x.clamp(x.detach() * 0 - 0.5, x.detach() * 0 + 0.5)


NEAR_NAN = {
    "relu": lambda f, x: x.relu(),
    "relu6": lambda f, x: f.relu6(x),
    "hardtanh": lambda f, x: f.hardtanh(x),
    "elu": lambda f, x: f.elu(x),
    "selu": lambda f, x: f.selu(x),
    "celu": lambda f, x: f.celu(x, 0.5),
    "softshrink": lambda f, x: f.softshrink(x),
    "clamp": lambda f, x: x.clamp(-0.5, 0.5),
    "clamp_min": lambda f, x: x.clamp(min=0.0),
    "clamp by tensors": lambda f, x: _clamped_by_tensors(x),
    "max": lambda f, x: x.max(),
    "min": lambda f, x: x.min(),
    "max along": lambda f, x: x.max(1)[0],
    "median": lambda f, x: x.median(),
}


@pytest.mark.parametrize("name", NEAR_NAN)
def test_gradients_at_nan(name: str) -> None:
    rows = [[np.nan, 1.0, -1.0], [0.0, np.nan, np.nan]]

    def both(library: Any) -> Any:
        x = library.tensor(rows, requires_grad=True)
        made = NEAR_NAN[name](library.nn.functional, x)
        made.sum().backward()
        return [made, x.grad]

    same(both)


def test_probabilities_of_0_and_1() -> None:
    p, z = [0.0, 1.0, 0.0, 1.0, 0.5, 1e-30], [0.0, 1.0, 1.0, 0.0, 1.0, 1.0]

    def both(library: Any) -> Any:
        x, y = library.tensor(p, requires_grad=True), library.tensor(z)
        loss = library.nn.functional.binary_cross_entropy(x, y, reduction="none")
        loss.sum().backward()
        return [loss, x.grad]

    same(both)


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8"])
def test_powers_of_integers_wrap_around(dtype: str) -> None:
    bases, exponents = [3, 5, 7, 1, 0, 2, 255, 2**31 - 1], [41, 0, 9, 77, 0, 63, 3, 2]
    if not dtype.startswith("u"):
        bases, exponents = [*bases, -7, -1, -1, 2, 1], [*exponents, 41, -3, -4, -1, -9]

    def both(library: Any) -> Any:
        kind = getattr(library, dtype)
        x, y = (library.tensor(n).to(kind) for n in (bases, exponents))
        return [x**y, x[:8] ** y[:8, None], 3**y, x**19, x.to(kind) ** y.to(library.int64)]

    same(both)


def test_powers_of_integers_in_jobs() -> None:
    Few: Any = tp.Numpy.Placeholder((3,), dtype=flow.int64)

    @flow.global_function()
    def job(x: Few, y: Few) -> tp.Numpy:
        return x**y

    wanted = torch.tensor([3, -7, 2]) ** torch.tensor([40, 39, -1])
    got = job(np.array([3, -7, 2]), np.array([40, 39, -1]))
    np.testing.assert_array_equal(got, wanted.numpy())


def test_the_gradient_of_a_grid_of_nearest_pixels_is_0() -> None:
    def both(library: Any) -> Any:
        grid = library.tensor([[[[0.1, 0.2], [9.0, -0.4]]]], requires_grad=True)
        x = library.arange(16.0).reshape(1, 1, 4, 4)
        found = library.nn.functional.grid_sample(x, grid, mode="nearest", align_corners=False)
        found.sum().backward()
        return [found, grid.grad]

    same(both)


@pytest.mark.parametrize("sides", [(-1, 2), (1, -2), (-2, -2), (-1, 2, 1, -2), (-3, 2), (2, -3)])
def test_circular_padding_of_cropped_images(sides: tuple[int, ...]) -> None:
    def both(library: Any) -> Any:
        x = library.arange(20.0).reshape(1, 4, 5)
        return [library.nn.functional.pad(x, sides, mode="circular")]

    same(both)


def test_more_circular_padding_than_is_left() -> None:
    with pytest.raises(ValueError, match=r"pytorch\.py:\d+: .* at most 1 along .* got -4 and 2"):
        flow.nn.functional.pad(flow.ones(1, 1, 5), (-4, 2), mode="circular")


def test_types_of_unique() -> None:
    same(
        lambda library: library.unique(
            library.tensor([3, 1, 3]), return_inverse=True, return_counts=True
        )
    )


@pytest.mark.parametrize(("name", "instead"), [
    ("linalg.svd", "numpy.linalg has them"), ("optim.FTRL", "flow.optim.Adagrad adapts"),
])  # fmt: skip
def test_names_that_are_not_offered(name: str, instead: str) -> None:
    house, word = name.split(".")
    with pytest.raises(
        AttributeError, match=rf"h\.py:\d+: flow.{house} has no '{word}': .*{instead}"
    ):
        getattr(getattr(flow, house), word)


def test_norms_by_singular_values_are_not_offered() -> None:
    for order in (2, -2, "nuc"):
        with pytest.raises(ValueError, match=r"pytorch\.py:\d+: .*numpy\.linalg\.svd"):
            flow.linalg.matrix_norm(flow.eye(2), order)


@pytest.mark.parametrize("name", ["isnan", "isinf", "isfinite"])
@pytest.mark.parametrize("dtype", ["int64", "int8", "uint8", "bool", "float32"])
def test_finite_integers(name: str, dtype: str) -> None:
    same(
        lambda library: [
            getattr(library, name)(library.tensor([0, 1], dtype=getattr(library, dtype)))
        ]
    )


def test_means_of_no_elements() -> None:
    same(
        lambda library: [
            library.zeros(0).mean(),
            library.zeros(2, 0, 3).mean(1),
            library.zeros(2, 0).mean(1, keepdim=True),
            library.zeros(0, 2).mean(1),
        ]
    )
    same(lambda library: grads(library, lambda x: x.mean(0), np.zeros((0, 2), np.float32)))


def test_norms_of_zeros() -> None:
    same(lambda library: grads(library, lambda x: x.norm(), [0.0, 0.0]))
    same(lambda library: grads(library, lambda x: x.norm(dim=1), [[0.0, 0.0], [3.0, 4.0]]))


def test_batches_of_weights() -> None:
    def jacobian(library: Any) -> Any:
        x, w = (library.tensor(a, requires_grad=True) for a in ([1.0, 2.0], [3.0, 4.0]))
        found = library.autograd.grad(
            [x * x * w, x + 1], [x, w], [library.eye(2), library.ones(2, 2)],
            create_graph=True, is_grads_batched=True,
        )  # fmt: skip
        again = library.autograd.grad(found[0].sum(), [x, w])
        return [*found, *again]

    same(jacobian)
    x = flow.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match=r"like_pytorch\.py:\d+: .*got shapes \[None\]"):
        flow.autograd.grad((x * x).sum(), x, is_grads_batched=True)
    seeds = [flow.ones(2, 2), flow.ones(3, 2)]
    with pytest.raises(RuntimeError, match="must have one first extent"):
        flow.autograd.grad([x * x, x * 2], x, seeds, is_grads_batched=True)


@pytest.mark.parametrize("of_a_leaf", [True, False])
def test_views_made_within_no_grad(of_a_leaf: bool) -> None:
    x = flow.tensor([1.0, 2.0], requires_grad=True)
    x = x if of_a_leaf else x * 1.0
    with flow.no_grad():
        view = x[:1]
        view.mul_(2)
        view[0].add_(1)
    assert x.tolist() == [3.0, 2.0]
    for change in (lambda: view.mul_(2), lambda: view[0].add_(1), lambda: view.view(1).zero_()):
        with pytest.raises(RuntimeError, match=r"pytorch\.py:\d+: .*a view that was made within"):
            change()
    assert x.tolist() == [3.0, 2.0]


def test_views_of_constants_made_within_no_grad() -> None:
    x = flow.tensor([1.0, 2.0])
    with flow.no_grad():
        view = x[:1]
    view.mul_(2)
    assert x.tolist() == [2.0, 2.0]
    with pytest.raises(RuntimeError, match="a view that was made within flow.no_grad"):
        view.mul_(flow.tensor([3.0], requires_grad=True))


def test_types_of_gradients() -> None:
    class Wide(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1.0

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient.double()

    x = flow.ones(2, requires_grad=True)
    Wide.apply(x).sum().backward()
    assert x.grad.dtype is flow.float32
    y = x * 2
    y.register_hook(lambda gradient: gradient.double())
    with pytest.raises(RuntimeError, match=r"a gradient of .*float32 of shape \(2,\), got .*64"):
        y.sum().backward()


def test_data_of_views() -> None:
    def viewed(library: Any) -> Any:
        x = library.tensor([1.0, 2.0], requires_grad=True)
        y = x * 1
        y.data = library.tensor([5.0, 6.0])
        view = y[:1]
        view.mul_(3)
        (y * y).sum().backward()
        z = library.tensor([1.0, 2.0])
        old = z[:1]
        z.data = library.tensor([5.0, 6.0])
        old.add_(10)
        return [y, view, x.grad, z, old]

    same(viewed)


DTYPES = ["float32", "float64", "float16", "int8", "uint8", "int32", "int64", "bool"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_memory_is_shared_with_pytorch(dtype: str) -> None:
    mine = flow.zeros(2, 3, dtype=getattr(flow, dtype))
    theirs = torch.from_dlpack(mine.t())
    theirs[2, 0] = 1
    assert mine[0, 2].item() == 1
    assert (theirs.shape, theirs.dtype) == ((3, 2), getattr(torch, dtype))
    whole = torch.zeros(2, 3, dtype=getattr(torch, dtype))
    part = flow.from_dlpack(whole[:, 1:])
    part[1, 0] = 1
    assert whole[1, 1].item() == 1
    assert (tuple(part.shape), part.dtype) == ((2, 2), getattr(flow, dtype))
    assert torch.from_dlpack(flow.zeros(0, 3)).shape == (0, 3)


def test_jit_refuses_steps_of_optimizers() -> None:
    w = flow.nn.Parameter(flow.ones(2))
    w.grad = flow.ones(2)
    optimizer = flow.optim.SGD([w], lr=0.1)
    for deed in (optimizer.step, optimizer.zero_grad):

        @flow.jit
        def changes(x: Any, deed: Any = deed) -> Any:
            deed()
            return x * 2

        with pytest.raises(RuntimeError, match=r"of an optimizer is called while a function is"):
            changes(flow.ones(2))
    assert w.tolist() == w.grad.tolist() == [1, 1]
