"""Large watched values are stored twice: which groups store them, where, and with which
contents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from loops_interpreter import run_job
from tensor_programs import FUSED, arguments, in_order, lowered, named_inputs, same_bits

from penstock.ir.attributes import python_value
from penstock.ir.dialects import arith, func, memref, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify
from penstock.passes.buffers import stored_twice

Array = np.ndarray[Any, Any]
LARGE, SMALL = 24, 16


@pytest.fixture(autouse=True)
def matrices_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat the small matrices here as large; the interpreter is slow."""
    assert stored_twice.LEAST_SHOWN_BYTES == 1 << 16
    monkeypatch.setattr(stored_twice, "LEAST_SHOWN_BYTES", 4 * LARGE * LARGE)
    monkeypatch.setattr(stored_twice, "is_shared", lambda group: True)


def module(body: str, returned: str, side: int = LARGE) -> Module:
    """A job of matrices; `T` stands for their type."""
    text = f"""func.func @job(%x: T {{job.feed = "x"}}, %w: T {{job.variable = "w"}})
        -> (T {{job.fetch = "0"}}, T {{job.update = "w"}}) {{
          {body}
          return {returned} : T, T
        }}"""
    return parse_module(text.replace("T", f"tensor<{side}x{side}xf32>"))


def op(result: str, name: str, *operands: str) -> str:
    named = ", ".join(f"%{operand}" for operand in operands)
    return f'%{result} = "flow.{name}"({named}) : ({", ".join("T" for _ in operands)}) -> T\n'


def watch(name: str, value: str = "") -> str:
    return f'"job.watch"(%{value or name}) {{name = "{name}"}} : (T) -> ()\n'


def twice(before: Module, option: str = "{twice}") -> Module:
    module = lowered(before, f"{FUSED},bufferize{option}")
    verify(module)
    assert parse_module(print_module(module)).job.type is module.job.type
    return module


def facts(made: Module) -> list[dict[str, Any]]:
    entries = map(made.job.argument_attributes, range(len(made.job.arguments)))
    return [{key: python_value(value) for key, value in entry.items()} for entry in entries]


def shown(made: Module) -> list[str]:
    return [entry["job.shown"] for entry in facts(made) if "job.shown" in entry]


PRODUCTS = module(
    op("a", "matmul", "x", "w") + watch("a") + op("b", "matmul", "a", "x") + watch("b")
    + op("c", "matmul", "b", "a") + op("d", "matmul", "c", "b"),
    "%d, %c",
)  # fmt: skip
CHAIN = module(
    op("a", "exp", "x") + watch("a") + op("b", "matmul", "a", "w") + op("g", "tanh", "b")
    + watch("g") + op("c", "matmul", "g", "a") + op("d", "add", "c", "w"),
    "%g, %d",
)  # fmt: skip


@pytest.mark.parametrize("before", [PRODUCTS, CHAIN])
@pytest.mark.parametrize("flag", [0, 1, 2, 3])
def test_results_do_not_depend_on_who_listens(before: Module, flag: int) -> None:
    """With flag 3, a later buffer reuses the memory that a handler has seen."""
    result = twice(before)
    assert len(shown(result)) == 2
    arrays = arguments(before, 1)
    named, watched = in_order(before, arrays)
    taps: list[tuple[str, Array]] = []
    listen = (lambda name, array: taps.append((name, array))) if flag else None
    kernels: list[str] = []
    passed = named_inputs(before, arrays)
    results = run_job(result, passed, listen, kernels=kernels, flag=flag)
    for name, array in named.items():
        assert same_bits(results[name], array)
    assert [name for name, _ in taps] == ([name for name, _ in watched] if flag else [])
    for (_, got), (_, wanted) in zip(taps, watched if flag else [], strict=True):
        assert same_bits(got, wanted)
    stored = [kernel for kernel in kernels if kernel.endswith("_twice")]
    assert len(stored) == (2 if flag > 1 else 0)


@pytest.mark.parametrize("flag", [0, 1, 2, 3])
def test_values_that_only_handlers_read_are_stored_once(flag: int) -> None:
    """Even if one thread computes it, where another kind of value would be copied."""
    before = module(op("a", "matmul", "x", "w") + watch("a") + op("b", "exp", "w"), "%b, %w")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored_twice, "is_shared", lambda group: False)
        result = twice(before)
    assert shown(result) == ["a"]
    (place,) = (o for o in result.job.body if isinstance(o, arith.Select))
    readers = [user for user, _ in place.result.uses]
    assert [type(user) for user in readers] == [func.Call, memref.Cast]
    arrays = arguments(before, 1)
    named, watched = in_order(before, arrays)
    taps: list[tuple[str, Array]] = []
    kernels: list[str] = []
    listen = (lambda name, array: taps.append((name, array))) if flag else None
    results = run_job(result, named_inputs(before, arrays), listen, kernels=kernels, flag=flag)
    assert all(same_bits(results[name], array) for name, array in named.items())
    assert [name for name, _ in taps] == ["a"] * (flag > 0)
    assert all(same_bits(taps[0][1], watched[0][1]) for _ in taps)
    assert not any(kernel.endswith("_twice") for kernel in kernels)


def test_groups_store_and_nothing_is_copied_or_added_to_the_arena() -> None:
    result, plain = twice(PRODUCTS), twice(PRODUCTS, "")
    assert shown(result) == ["a", "b"]
    assert not shown(plain)
    assert not [op for op in result.walk() if isinstance(op, memref.Copy)]
    (bytes_, *_), (before, *_) = facts(result), facts(plain)
    assert bytes_["job.arena"] == before["job.arena"] > 0
    # The copy of `a` reuses c's buffer; `b` has no copy: the rest of the arena is the result's.
    (chosen,) = (op for op in result.job.walk() if isinstance(op, arith.Select))
    assert isinstance(chosen.true_value.defining_op, memref.View)
    # Flags, which a tap may change, are not `noalias`.
    assert "llvm.noalias" not in facts(result)[-1]


def test_groups_that_store_twice_differ_only_in_stores() -> None:
    result = twice(PRODUCTS)
    functions = {f.sym_name: f for f in result.functions()}
    branch = next(o for o in result.job.body if isinstance(o, scf.If) and o.else_block is not None)
    names = []
    for block in (branch.then_block, branch.else_block):
        assert block is not None
        (call,) = (o for o in block if isinstance(o, func.Call))
        names.append(call.callee)
    stored, once = (functions[name] for name in names)
    added = list(stored.walk())
    kinds = [type(o) for o in once.walk()]
    stores = {type(user) for user, _ in stored.arguments[-1].uses}
    assert len(added) > len(kinds)
    assert stores <= {memref.Store, memref.SubView} | {
        kind for kind in kinds if "store" in kind.name or "write" in kind.name
    }
    assert len(added) - len(kinds) == len(stored.arguments[-1].uses)


@pytest.mark.parametrize(
    "before",
    [
        module(op("a", "matmul", "x", "w") + watch("a"), "%a, %w", SMALL),
        module(watch("x") + watch("w") + op("a", "matmul", "x", "w"), "%a, %w"),
        # In place of the variable, which it may write only in part.
        module(op("a", "add", "w", "x") + watch("a"), "%x, %a"),
    ],
    ids=["small", "arguments", "in place"],
)
def test_values_that_are_copied_instead(before: Module) -> None:
    result = twice(before)
    assert not shown(result)
    assert print_module(result) == print_module(twice(before, ""))


def test_a_value_with_two_names_is_stored_for_the_first() -> None:
    result = twice(module(op("a", "matmul", "x", "w") + watch("a") + watch("again", "a"), "%a, %w"))
    assert shown(result) == ["a"]


def test_equal_groups_share_a_function_that_stores_twice() -> None:
    body = op("a", "matmul", "x", "w") + watch("a") + op("b", "matmul", "a", "w") + watch("b")
    result = twice(module(body + op("c", "matmul", "b", "a"), "%c, %w"))
    assert shown(result) == ["a", "b"]
    names = [f.sym_name for f in result.functions() if f.sym_name.endswith("_twice")]
    assert len(names) == 1


def test_values_computed_by_one_thread_are_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    before = [module(op("a", "matmul", "x", "w") + watch("a"), "%a, %w", n) for n in (128, 256)]
    for each in before:
        result = twice(each)
        groups = [f for f in result.functions() if f is not result.job]
        shared = any(isinstance(o, scf.Forall) for f in groups for o in f.walk())
        assert bool(shown(result)) is shared
    assert shown(result)
