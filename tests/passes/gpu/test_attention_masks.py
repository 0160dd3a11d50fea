"""Attention with masks and with groups of heads that share keys: values, faults, and whole jobs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from scheduled_jobs import Array, ops_of, schedule
from test_attention import KINDS, TYPES, Case
from test_attention_by_warpgroups import compiled, errors, scheduled

import penstock as flow
import penstock.typing as tp
from penstock.codegen.gpu.assembler import assemble, ptxas_path
from penstock.ir.dialects import arith
from penstock.lowering.modules import Modules
from penstock.passes.gpu.attention.attention_tile import AttentionTile

LOWEST = float(np.finfo(np.float32).min)


def case(
    type: str, shape: tuple[int, ...], causal: bool, batch: tuple[int, ...], group: int,
    mask: tuple[int, ...] | None, element: Any = np.bool_, fill: float = -np.inf,
) -> Case:  # fmt: skip
    """A call with a mask drawn at random; its first query, if they differ, reads no key."""
    made: Array | None = None
    if mask is not None:
        draw = np.random.default_rng(7)
        made = (draw.random(mask) < 0.6).astype(np.float32)
        made[..., 0] = 1
        if len(mask) > 1 and mask[-2] > 1:
            made[..., 0, :] = 0
        if np.dtype(element).kind not in "iub":
            drawn = draw.standard_normal(mask)
            made = np.where(made > 0, drawn, fill).astype(element)
    return Case(
        type, shape, causal, batch, group, None if made is None else made.astype(element), fill
    )


CASES: Sequence[Any] = (
    # type, queries, keys, features and width of values, causal, batch, group; mask, element, fill
    (("f32", (5, 7, 4, 6), False, (2, 3), 1, (2, 1, 5, 7), np.float32, -np.inf), "eager"),
    (("f32", (18, 35, 32, 32), True, (2, 2), 2, (35,), np.int8, -2.0), "lazy"),
    (("f16", (40, 70, 32, 48), False, (2, 4), 4, (2, 1, 1, 70), np.bool_, -np.inf), "random:1"),
    (("bf16", (37, 33, 64, 64), True, (1, 4), 2, (37, 33), np.float32, LOWEST), "lazy"),
    (("bf16", (33, 20, 128, 128), False, (2,), 1, (2, 33, 1), TYPES["bf16"], -np.inf), "eager"),
    (("f16", (20, 40, 16, 16), True, (6,), 3, None), "eager"),
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("call", "order"), CASES)
def test_values(call: Sequence[Any], order: str, kind: str) -> None:
    made = case(*call)
    made.check(kind, made.module(kind), order)


BY_WARPGROUPS: Sequence[Any] = (
    (("bf16", (128, 150, 64, 64), False, (1, 2), 2, (128, 150), np.float32, LOWEST), "lazy"),
    (("f16", (20, 40, 16, 16), True, (2, 2), 2, (2, 1, 1, 40), np.bool_), "random:1"),
    *(pytest.param(*given, marks=pytest.mark.long) for given in (
        (("bf16", (200, 300, 128, 128), True, (1, 2), 1, (2, 200, 1), np.float32), "eager"),
        (("f16", (130, 256, 128, 128), False, (4,), 4, (256,), np.int8, -2.0), "random:2"),
    )),
)  # fmt: skip


@pytest.mark.parametrize(("call", "order"), BY_WARPGROUPS)
def test_values_by_warpgroups(call: Sequence[Any], order: str) -> None:
    made = case(*call)
    module = scheduled(made)
    assert "warpgroups" in schedule(ops_of(module)[0])
    assert max(errors(made, compiled(module), order)) <= 1


@pytest.mark.parametrize(
    ("width", "causal"),
    [(128, True)]
    + [
        pytest.param(w, c, marks=pytest.mark.long)
        for w, c in ((64, True), (64, False), (128, False))
    ],
)
def test_warpgroups_have_no_spills(width: int, causal: bool) -> None:
    path = ptxas_path()
    if path is None:
        pytest.skip("ptxas is not installed (NVIDIA's CUDA toolkit)")
    made = case("bf16", (256, 200, width, width), causal, (1, 2), 2, (2, 256, 200), np.float32)
    assembly = assemble(compiled(scheduled(made)).ptx, "sm_90a", path)
    (used,) = assembly.usage.values()
    assert (used.registers, used.stack, used.spill_stores) == (168, 0, 0)
    assert not assembly.warnings, "products run one after another"


def _own_matrix(self: AttentionTile, value: Any) -> Any:
    """The first matrix for all."""
    return [self.writer.index(0)] if self.op.rows else []


def _unmasked(self: AttentionTile, product: Any, row: Any, column: Any) -> Any:
    return self.f(arith.MulF, product, self.number(self.op.scale))


FAULTS: dict[str, tuple[int, str, str, Callable[..., Any]]] = {
    "another head's keys": (2, KINDS[0], "lead_of", _own_matrix),
    "scores without the mask": (3, KINDS[0], "score_of", _unmasked),
    "the mask is not in gradients": (3, KINDS[2], "score_of", _unmasked),
    "gradients of replaced scores": (1, KINDS[1], "passes", AttentionTile.is_seen),
}


@pytest.mark.parametrize("name", FAULTS)
def test_planted_faults_are_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    number, kind, method, fault = FAULTS[name]
    made = case(*CASES[number][0])
    monkeypatch.setattr(AttentionTile, method, fault)
    with pytest.raises(AssertionError):
        made.check(kind, made.module(kind))


def attending(device: str, heads: int, masks: str) -> Any:
    """A train job of four heads of queries, which share some of keys, with one or two masks."""

    @flow.global_function(type="train")
    def attend(
        x: tp.Numpy.Placeholder((1, 6, 8)), mask: tp.Numpy.Placeholder((1, 1, 1, 6))
    ) -> tp.Numpy:
        def product(name: str, heads: int) -> Any:
            drawn = flow.random_uniform_initializer(-0.5, 0.5)
            w = flow.get_variable(name, shape=(8, heads * 8), initializer=drawn)
            y = flow.reshape(flow.matmul(x, w), (1, 6, heads, 8))
            return flow.transpose(y, (0, 2, 1, 3))

        def repeated(y: Any) -> Any:
            wide = flow.broadcast_to(
                flow.reshape(y, (1, heads, 1, 6, 8)), (1, heads, 4 // heads, 6, 8)
            )
            return flow.reshape(wide, (1, 4, 6, 8))

        with flow.scope.placement(device, "0:0"):
            q, k, v = product("q", 4), *(product(name, heads) for name in "kv")
            if heads > 1:
                k, v = repeated(k), repeated(v)
            scores = flow.matmul(q, k, transpose_b=True) * 8**-0.5
            if masks == "added":
                scores = flow.math.tril(scores + mask, fill_value=-np.inf)
            else:
                lowest = flow.constant(-1e9, dtype=flow.float32)
                scores = flow.where(flow.cast(mask, flow.int8), scores, lowest)
            y = flow.matmul(flow.nn.softmax(scores), v)
            loss = flow.math.reduce_sum(y * y, axis=3)
            rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
            flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    return attend


@pytest.mark.parametrize(("heads", "masks"), [(2, "added"), (1, "replaced")])
def test_a_step_updates_as_on_the_cpu(heads: int, masks: str) -> None:
    """Where all is one op on the simulated GPU, and single ones on the CPU."""
    found: list[dict[str, Array]] = []
    draw = np.random.default_rng(1)
    x = draw.standard_normal((1, 6, 8)).astype(np.float32)
    mask = np.asarray([1, 0, 1, 1, 0, 1], np.float32).reshape(1, 1, 1, 6)
    for device in ("cpu", "gpu-sim"):
        flow.clear_default_session()
        job = attending(device, heads, masks)
        seen = {"loss": np.asarray(job(x, mask))}
        seen |= {f"new {name}": each.numpy() for name, each in flow.get_all_variables().items()}
        found.append(seen)
    ops = Modules("job", job.lower().modules["job"])["fused"].walk()
    assert [op.name for op in ops if "attention" in op.name] == [f"flow.{kind}" for kind in KINDS]
    for name, value in found[0].items():
        np.testing.assert_allclose(found[1][name], value, 1e-4, 1e-6, err_msg=name)
