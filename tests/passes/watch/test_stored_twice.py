"""What is watched and large is stored twice: by which groups, where, and what comes there."""

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
    """For what is run here op by op."""
    assert stored_twice.LEAST_SHOWN_BYTES == 1 << 16
    monkeypatch.setattr(stored_twice, "LEAST_SHOWN_BYTES", 4 * LARGE * LARGE)
    monkeypatch.setattr(stored_twice, "is_shared", lambda group: True)


def module(body: str, returned: str, side: int = LARGE) -> Module:
    """A job of matrices, which stand as `T`."""
    text = f"""func.func @job(%x: T {{job.feed = "x"}}, %w: T {{job.variable = "w"}})
        -> (T {{job.fetch = "0"}}, T {{job.update = "w"}}) {{
          {body}
          return {returned} : T, T
        }}"""
    return parse_module(text.replace("T", f"tensor<{side}x{side}xf32>"))


def op(result: str, name: str, *operands: str) -> str:
    given = ", ".join(f"%{operand}" for operand in operands)
    return f'%{result} = "flow.{name}"({given}) : ({", ".join("T" for _ in operands)}) -> T\n'


def watch(name: str, value: str = "") -> str:
    return f'"job.watch"(%{value or name}) {{name = "{name}"}} : (T) -> ()\n'


def twice(before: Module, option: str = "{twice}") -> Module:
    made = lowered(before, f"{FUSED},bufferize{option}")
    verify(made)
    assert parse_module(print_module(made)).job.type is made.job.type
    return made


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
def test_it_is_the_same_step_whoever_listens(before: Module, flag: int) -> None:
    """With flag 3, a later buffer lies where the handler has been shown something."""
    made = twice(before)
    assert len(shown(made)) == 2
    arrays = arguments(before, 1)
    named, watched = in_order(before, arrays)
    taps: list[tuple[str, Array]] = []
    listen = (lambda name, array: taps.append((name, array))) if flag else None
    kernels: list[str] = []
    given = named_inputs(before, arrays)
    results = run_job(made, given, listen, kernels=kernels, flag=flag)
    for name, array in named.items():
        assert same_bits(results[name], array)
    assert [name for name, _ in taps] == ([name for name, _ in watched] if flag else [])
    for (_, got), (_, wanted) in zip(taps, watched if flag else [], strict=True):
        assert same_bits(got, wanted)
    stored = [kernel for kernel in kernels if kernel.endswith("_twice")]
    assert len(stored) == (2 if flag > 1 else 0)


@pytest.mark.parametrize("flag", [0, 1, 2, 3])
def test_values_that_only_handlers_read_are_stored_once(flag: int) -> None:
    """Also where one thread makes it, of which another value would be copied."""
    before = module(op("a", "matmul", "x", "w") + watch("a") + op("b", "exp", "w"), "%b, %w")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored_twice, "is_shared", lambda group: False)
        made = twice(before)
    assert shown(made) == ["a"]
    (place,) = (o for o in made.job.body if isinstance(o, arith.Select))
    readers = [user for user, _ in place.result.uses]
    assert [type(user) for user in readers] == [func.Call, memref.Cast]
    arrays = arguments(before, 1)
    named, watched = in_order(before, arrays)
    taps: list[tuple[str, Array]] = []
    kernels: list[str] = []
    listen = (lambda name, array: taps.append((name, array))) if flag else None
    results = run_job(made, named_inputs(before, arrays), listen, kernels=kernels, flag=flag)
    assert all(same_bits(results[name], array) for name, array in named.items())
    assert [name for name, _ in taps] == ["a"] * (flag > 0)
    assert all(same_bits(taps[0][1], watched[0][1]) for _ in taps)
    assert not any(kernel.endswith("_twice") for kernel in kernels)


def test_groups_store_and_nothing_is_copied_or_added_to_the_arena() -> None:
    made, plain = twice(PRODUCTS), twice(PRODUCTS, "")
    assert shown(made) == ["a", "b"]
    assert not shown(plain)
    assert not [op for op in made.walk() if isinstance(op, memref.Copy)]
    (bytes_, *_), (before, *_) = facts(made), facts(plain)
    assert bytes_["job.arena"] == before["job.arena"] > 0
    # Of a, the place of c; of b, none: what is left is the result's.
    (chosen,) = (op for op in made.job.walk() if isinstance(op, arith.Select))
    assert isinstance(chosen.true_value.defining_op, memref.View)
    # Flags that a tap may change are not said to be nobody else's.
    assert "llvm.noalias" not in facts(made)[-1]


def test_what_is_stored_twice_differs_in_nothing_but_its_stores() -> None:
    made = twice(PRODUCTS)
    functions = {f.sym_name: f for f in made.functions()}
    branch = next(o for o in made.job.body if isinstance(o, scf.If) and o.else_block is not None)
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
        # In place of the variable, which it need not write all of.
        module(op("a", "add", "w", "x") + watch("a"), "%x, %a"),
    ],
    ids=["small", "arguments", "in place"],
)
def test_values_that_are_still_copied(before: Module) -> None:
    made = twice(before)
    assert not shown(made)
    assert print_module(made) == print_module(twice(before, ""))


def test_a_value_under_two_names_is_stored_for_the_first() -> None:
    made = twice(module(op("a", "matmul", "x", "w") + watch("a") + watch("again", "a"), "%a, %w"))
    assert shown(made) == ["a"]


def test_equal_groups_share_one_that_stores_twice() -> None:
    body = op("a", "matmul", "x", "w") + watch("a") + op("b", "matmul", "a", "w") + watch("b")
    made = twice(module(body + op("c", "matmul", "b", "a"), "%c, %w"))
    assert shown(made) == ["a", "b"]
    names = [f.sym_name for f in made.functions() if f.sym_name.endswith("_twice")]
    assert len(names) == 1


def test_values_made_by_one_thread_are_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    before = [module(op("a", "matmul", "x", "w") + watch("a"), "%a, %w", n) for n in (128, 256)]
    for each in before:
        made = twice(each)
        groups = [f for f in made.functions() if f is not made.job]
        shared = any(isinstance(o, scf.Forall) for f in groups for o in f.walk())
        assert bool(shown(made)) is shared
    assert shown(made)
