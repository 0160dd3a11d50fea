"""A failure as a file that runs alone: `python FILE` ends with an error as long as it is there.

The file holds the smallest program that was found, its numbers and what is expected, so neither the
test nor PyTorch is needed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from penstock.basics.dtypes import DType
from penstock.ir.attributes import numpy_dtype
from penstock.ir.types import FloatType, IntegerType
from penstock.nn.modules.module import Module
from penstock.passes.reproducer import folder, replace_file, versions
from penstock.tensors.tensor import Tensor
from penstock.testing.duals.program import (
    Assignment,
    Attribute,
    Call,
    Given,
    Root,
    Source,
    Variable,
    used,
)
from penstock.testing.duals.run import Run

Array = np.ndarray[Any, Any]


class Unprintable(Exception):
    """A value that cannot be written as Python code."""


def written(name: str, what: str, lines: Sequence[str]) -> Path:
    """Write a file that runs these lines; equal failures share one."""
    text = "\n".join([f'"""{_quoted(what)}', "", versions(), '"""', "", *lines, ""])
    digest = hashlib.sha256(text.encode()).hexdigest()[:10]
    word = "".join(c if c.isalnum() or c in "._" else "-" for c in name).strip("-.") or "autotest"
    path = folder() / f"{word}-{digest}.py"
    replace_file(path, text)
    return path


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', "'''")


# -- values --------------------------------------------------------------------------------------


def code_of(value: Any) -> str:
    """A value or an expression as Python code; raises Unprintable."""
    match value:
        case Root():
            return "flow"
        case Variable():
            return f"v{value.number}"
        case Attribute():
            return f"{code_of(value.of)}.{value.name}"
        case Given():
            return code_of(value.value)
        case tuple() | list() | dict() | slice():
            return _nest(value)
        case Tensor():
            return f"flow.tensor({array_code(value.array)})"
        case np.ndarray():
            return array_code(value)
    return _plain(value)


def _nest(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{k!r}: {code_of(v)}' for k, v in value.items())}}}"
    if isinstance(value, slice):
        return f"slice({code_of(value.start)}, {code_of(value.stop)}, {code_of(value.step)})"
    inner = ", ".join(map(code_of, value))
    if isinstance(value, list):
        return f"[{inner}]"
    return f"({inner},)" if len(value) == 1 else f"({inner})"


def _plain(value: Any) -> str:
    if isinstance(value, DType):
        return f"flow.{value.word}"
    if isinstance(value, FloatType | IntegerType):
        return f"element_type(np.dtype({numpy_dtype(value).name!r}))"
    if value is Ellipsis:
        return "..."
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return f'float("{value}")'
    if value is None or isinstance(value, bool | int | float | complex | str):
        return repr(value)
    text = repr(value)
    if text.startswith("penstock.") and text.count("\n") == 0:
        return text.replace("penstock.", "flow.")
    raise Unprintable(text)


def array_code(array: Array) -> str:
    """An array as Python code."""
    if array.dtype.name == "bfloat16":
        return f"{array_code(array.astype(np.float32))}.astype(ml_dtypes.bfloat16)"
    flat = array.ravel()
    if flat.size > 8 and (flat == flat[0]).all():
        return f"np.full({array.shape}, {code_of(flat[0])}, {array.dtype.name!r})"
    numbers = ", ".join(_plain(one) for one in flat.tolist())
    made = f"np.array([{numbers}], {array.dtype.name!r})"
    return made if array.ndim == 1 else f"{made}.reshape({array.shape})"


def _imports(lines: Sequence[str]) -> list[str]:
    text = "\n".join(lines)
    found = []
    if "ml_dtypes." in text:
        found.append("import ml_dtypes")
    if "np." in text:
        found.append("import numpy as np")
    if "flow." in text:
        found.append("import penstock as flow")
    if "element_type(" in text:
        found.append("from penstock.ir.attributes import element_type")
    if "check_call(" in text:
        found.append("from penstock.testing import check_call")
    return [*found, ""]


# -- programs ------------------------------------------------------------------------------------


def op_lines(
    name: str, operands: Sequence[Any], attributes: Mapping[str, Any], gradients: bool
) -> list[str]:
    """Lines that compare an op with its reference."""
    lines = [
        "check_call(", f"    {name!r},", f"    {code_of(list(operands))},",
        f"    {code_of(dict(attributes))},", f"    gradients={gradients},", ")",
    ]  # fmt: skip
    return [*_imports(lines), *lines]


def statement_lines(statement: Any) -> list[str]:
    """A statement of a program as Python code."""
    if isinstance(statement, Source):
        more = ", requires_grad=True" if statement.requires_grad else ""
        return [f"v{statement.result.number} = flow.tensor({array_code(statement.array)}{more})"]
    if isinstance(statement, Assignment):
        return [f"{code_of(statement.target)} = {code_of(statement.value)}"]
    result = f"v{statement.result.number}"
    if statement.is_source:
        return [f"{result} = flow.tensor({array_code(statement.made)})"]
    words = [code_of(one) for one in statement.args]
    words += [f"{name}={code_of(one)}" for name, one in statement.named.items()]
    lines = [f"{result} = {code_of(statement.target)}({', '.join(words)})"]
    if isinstance(statement.made, Module):
        state = {n: Given(t) for n, t in statement.made.state_dict().items()}
        if state:
            lines.append(f"{result}.load_state_dict({code_of(state)})")
    return lines


def needed(run: Run, wanted: set[int], last: int | None = None) -> list[Any]:
    """The statements that these variables depend on, with the changes in place of what they use."""
    end = len(run.statements) if last is None else last + 1
    found: list[Any] = []
    for statement in reversed(run.statements[:end]):
        makes = None if isinstance(statement, Assignment) else statement.result.number
        inputs = _inputs(statement)
        if makes in wanted or (_changes(statement) and wanted & inputs):
            found.append(statement)
            wanted |= inputs
    return found[::-1]


def _inputs(statement: Any) -> set[int]:
    if isinstance(statement, Source):
        return set()
    if isinstance(statement, Assignment):
        return set(used(statement.target, statement.value))
    return set(used(statement.target, statement.args, dict(statement.named)))


def _changes(statement: Any) -> bool:
    """Whether a statement may change what it is given."""
    if isinstance(statement, Assignment):
        return True
    if not isinstance(statement, Call) or not isinstance(statement.target, Attribute):
        return False
    name = statement.target.name
    is_operator = name.startswith("__i") or name == "__setitem__"
    is_module = name in ("train", "eval", "zero_grad", "requires_grad_", "load_state_dict")
    return is_operator or is_module or (name.endswith("_") and not name.endswith("__"))


def result_lines(
    run: Run, number: int, value: str, expected: Array, rtol: float, atol: float
) -> list[str]:
    """Lines that compare a variable, or a part of it, `value`, with what is expected."""
    lines = [line for s in needed(run, {number}) for line in statement_lines(s)]
    lines += comparison(f"{value}.numpy()", expected, rtol, atol)
    return [*_imports(lines), *lines]


def comparison(got: str, expected: Array, rtol: float, atol: float) -> list[str]:
    """Lines that raise an error unless these numbers, and their shape, are as expected."""
    return [
        f"expected = {array_code(expected)}",
        f"got = {got}",
        "assert got.shape == expected.shape, (got.shape, expected.shape)",
        f"np.testing.assert_allclose(got.astype('float64'), expected, {rtol}, {atol})",
    ]


def type_lines(run: Run, number: int, value: str, expected: str) -> list[str]:
    """Lines that compare the type of a variable with the expected one."""
    lines = [line for s in needed(run, {number}) for line in statement_lines(s)]
    lines.append(f"assert {value}.numpy().dtype.name == {expected!r}, {value}.dtype")
    return [*_imports(lines), *lines]


def gradient_lines(
    run: Run, outputs: Sequence[tuple[Any, Array]], expression: str, number: int, expected: Array,
    rtol: float, atol: float,
) -> list[str]:  # fmt: skip
    """Lines that compare a gradient with what is expected."""
    wanted = {number, *used([one for one, _ in outputs])}
    lines = [line for s in needed(run, wanted) for line in statement_lines(s)]
    for output, seed in outputs:
        lines.append(f"{code_of(output)}.backward(flow.tensor({array_code(seed)}))")
    lines.append(f"assert {expression}.grad is not None")
    lines += comparison(f"{expression}.grad.numpy()", expected, rtol, atol)
    return [*_imports(lines), *lines]


def graph_lines(
    statements: Sequence[Any], inputs: Mapping[int, Array], outputs: Sequence[Any],
    seeds: Sequence[tuple[Any, Array]], leaves: Sequence[int], bound: float,
) -> list[str]:  # fmt: skip
    """Lines that compare a function as a graph with the same function run eagerly."""
    names = [f"v{number}" for number in inputs]
    others = [s for s in statements if not _is_input(s, inputs)]
    modules = [s for s in others if isinstance(s, Call) and isinstance(s.made, Module)]
    body = [f"    {line}" for s in others if s not in modules for line in statement_lines(s)]
    results = "".join(f"{code_of(one)}, " for one in outputs)
    lines = [line for s in modules for line in statement_lines(s)]
    lines += [f"def program({', '.join(names)}):", *body]
    if seeds and leaves:
        ys = ", ".join(code_of(one) for one, _ in seeds)
        xs = ", ".join(f"v{number}" for number in leaves)
        weights = ", ".join(f"flow.tensor({array_code(seed)})" for _, seed in seeds)
        lines.append(f"    slopes = flow.autograd.grad([{ys}], [{xs}], [{weights}])")
        results += "*slopes"
    lines += [f"    return ({results})", "", ""]
    lines += ["def inputs():", "    return ["]
    for number, array in inputs.items():
        more = ", requires_grad=True" if number in leaves else ""
        lines.append(f"        flow.tensor({array_code(array)}{more}),")
    lines += [
        "    ]", "", "", "class Program(flow.nn.Graph):", "    def build(self, *given):",
        "        return program(*given)", "", "",
        "for eager, graph in zip(program(*inputs()), Program()(*inputs())):",
        "    x, y = (one.numpy().astype('float64') for one in (eager, graph))",
        f"    np.testing.assert_allclose(y, x, 0, {bound!r})",
    ]  # fmt: skip
    return [*_imports(lines), *lines]


def _is_input(statement: Any, inputs: Mapping[int, Array]) -> bool:
    return not isinstance(statement, Assignment) and statement.result.number in inputs
