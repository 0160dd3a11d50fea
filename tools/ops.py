"""Print the reference of ops, which is generated from their classes.

Examples:

    penstock ops                              every op of ours, one line each
    penstock ops flow.matmul                  the reference of one op
    penstock ops --markdown -o docs/ops.md    the whole reference, as a page
    penstock ops --mlir -o docs/mlir_ops.md   the ops of MLIR that lowered modules consist of
    penstock ops --status -o docs/status.md   which checks each op passes, and which are waived
    penstock ops --irdl -o ours.irdl.mlir     the description for mlir-opt --irdl-file=FILE
    penstock ops flow.matmul --check          run all tests of one op; without a name, of each
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

import penstock.ir.dialects  # noqa: F401 - defines the ops
from penstock import testing
from penstock.basics.errors import counted
from penstock.ir.builder import Builder
from penstock.ir.core import Operation
from penstock.ir.dialects import arith, linalg, tensor
from penstock.ir.dialects.flow.base import FLOATS, INTEGERS, Sample, TensorOp
from penstock.ir.dialects.func import Func
from penstock.ir.meaning.irdl import dialects, irdl_text
from penstock.ir.meaning.sbp_rules import signatures
from penstock.ir.opdef import registry
from penstock.ir.rewriting.lowering import lowered_copy
from penstock.ir.text.lexer import nearest_op
from penstock.ir.text.printer import print_module
from penstock.ir.types import TensorType, Type
from penstock.testing.cases import tensor_ops
from penstock.tools.project import status
from penstock.tools.shared.errors import InputError, UsageError
from penstock.tools.shared.texts import write_text


def _listed(types: Sequence[Type]) -> str:
    """Such as: f32, f64 and bf16."""
    *words, last = map(str, types)
    return f"{', '.join(words)} and {last}"


_HEAD = f"""\
# The operations

This page is made from the op classes in `ir/dialects/` by `make docs`; `penstock ops NAME` prints
one entry of it. [Another page](mlir_ops.md) lists the ops of MLIR.

Floats are {_listed(FLOATS)}, integers {_listed(INTEGERS)}. An i1,
which is false or true, takes a byte and is no number; comparisons give i8.

Every tensor op has a reference in NumPy, which its example shows. What else an entry says is
derived from the class, for the call that the entry shows:

- **Lowers to**: the ops it becomes at stage `fused`. Of each `linalg.generic` the kinds of its
  loops stand in brackets, then the scalar ops of its body; constants are left out.
- **Gradient**: the ops that its `grad` writes. They are tensor ops again, so gradients of gradients
  need nothing more.
- **Sharing** (SBP): how ranks may share the operands and what they then hold of the results.
  `S(i)`: each has a part along dimension i; `B`: each has the whole; `P`: the whole is the sum of
  what they have. Where parts are of whole blocks, the number of ranks must divide
  theirs. That all have everything (`B` throughout) is always possible and left out.
"""
_EVALUATE = ">>> from penstock.ir.dialects.flow import evaluate\n"
"""What the examples of ops begin with; `testing` gives it to those that do not say it."""

_UPSTREAM = """\
# Operations of MLIR

This page is made from the op classes in `ir/dialects/` by `make docs`. From stage `fused` on a
module consists of these ops. They are a part of MLIR's own dialects, with MLIR's names, meaning and
text: its documentation says the rest. [The reference](ops.md) has the others.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group()
    add = what.add_argument
    add("name", nargs="?", help="such as flow.matmul")
    add("--markdown", action="store_true", help="print the whole reference")
    add("--mlir", action="store_true", help="print the page of MLIR's ops")
    add("--status", action="store_true", help="print the status page: the checks of each op")
    add("--irdl", action="store_true", help="print the ops in IRDL, for MLIR's own tools")
    add = parser.add_argument
    add("--check", action="store_true", help="run the tests of the op, or of all: how many calls")
    add("-o", "--output", default="-", metavar="FILE", help="where to write (standard output)")


def run(arguments: argparse.Namespace) -> int:
    if sys.flags.optimize > 1:
        raise UsageError(
            "the reference is made from docstrings, which Python drops under -OO: run without it"
        )
    if arguments.check:
        if _page_named(arguments) or arguments.output != "-":
            raise UsageError("--check runs tests and writes no page: give it alone, or with a name")
        return _check(arguments.name)
    if arguments.name:
        text = entry(find_op(arguments.name))
    elif arguments.markdown:
        text = page()
    elif arguments.mlir:
        text = mlir_page()
    elif arguments.status:
        text = status.page()
    elif arguments.irdl:
        text = irdl_text()
    else:
        width = max(len(name) for name, _ in ours())
        text = "".join(f"{name:{width}}  {summary(cls)}\n" for name, cls in ours())
    write_text(arguments.output, text)
    return 0


def _page_named(arguments: argparse.Namespace) -> bool:
    pages = (arguments.markdown, arguments.mlir, arguments.status, arguments.irdl)
    return any(pages)


def _check(name: str | None) -> int:
    """Run all tests of an op, or of every tensor op, and print how many cases each tried."""
    named = tensor_ops() if name is None else {name: find_op(name)}
    totals: Counter[str] = Counter()
    failed = []
    for op, cls in named.items():
        if not issubclass(cls, TensorOp):
            raise InputError(f"{op} is not a tensor op, and only these have such tests")
        try:
            counts = testing.check(cls)
        except testing.Failure as failure:
            failed.append(op)
            print(f"{op}: FAILED: {failure}", flush=True)
        else:
            totals.update(counts)
            print(f"{op}: {sum(counts.values())}", flush=True)
    for what, count in totals.items():
        print(f"{what}: {count}")
    cases, bad = counted(sum(totals.values()), "case"), counted(len(failed), "failure")
    print(f"{counted(len(named), 'op')}, {cases}, {bad}")
    return int(bool(failed))


def find_op(name: str) -> type[Operation]:
    """The class of an op; InputError suggests the one that may be meant.

    >>> find_op("flow.relu").__name__
    'Relu'
    """
    if name in registry:
        return registry[name]
    near = nearest_op(name, registry)
    hint = f"did you mean {near}?" if near else "penstock ops lists those of ours"
    raise InputError(f"there is no op {name!r}: {hint}")


def ours() -> list[tuple[str, type[Operation]]]:
    """The ops that MLIR does not have, by name."""
    return [item for item in sorted(registry.items()) if _dialect(item[0]) in dialects()]


def summary(cls: type[Operation]) -> str:
    """The first line of an op's documentation.

    >>> summary(find_op("flow.add"))
    'Sum: z = x + y.'
    """
    return (inspect.getdoc(cls) or "").splitlines()[0]


def page() -> str:
    """The whole reference in Markdown."""
    return "\n".join([_HEAD, "".join(_index()), *(entry(cls) for _, cls in ours())])


def mlir_page() -> str:
    """The ops of MLIR in Markdown, a line each."""
    return "\n".join([_UPSTREAM, "\n\n".join(_upstream()) + "\n"])


def _dialect(name: str) -> str:
    return name.partition(".")[0]


def _index() -> Iterator[str]:
    for name, cls in ours():
        yield f"- [{name}](#{name.replace('.', '')}): {summary(cls)}\n"


def _upstream() -> Iterator[str]:
    rest = [item for item in sorted(registry.items()) if _dialect(item[0]) not in dialects()]
    for dialect, ops in groupby(rest, key=lambda item: _dialect(item[0])):
        rows = "\n".join(f"| `{name}` | {summary(cls)} |" for name, cls in ops)
        yield f"## {dialect}\n\n| op | meaning |\n|---|---|\n{rows}"


# -- one op ------------------------------------------------------------------------------------


def entry(cls: type[Operation]) -> str:
    """The reference of an op in Markdown: text, members, one call, what is derived from it."""
    prose, example = _split_doc(cls)
    parts = [f"## {cls.name}", prose, "\n".join(_members(cls))]
    if example:
        evaluate = "" if _EVALUATE in example else _EVALUATE
        parts.append(f"```pycon\n{evaluate}{example}\n```")
    if issubclass(cls, TensorOp):
        op = typical_call(cls)
        parts.append(f"```mlir\n{_call_text(op)}\n```")
        parts.append("\n".join([_lowering(op), _gradient(op), _sharing(op)]))
    return "\n\n".join(part for part in parts if part) + "\n"


def _split_doc(cls: type[Operation]) -> tuple[str, str]:
    """The documentation's text, and its example."""
    text = inspect.getdoc(cls) or ""
    prose, mark, example = text.partition(">>>")
    return prose.strip(), (mark + example).strip()


def _members(cls: type[Operation]) -> Iterator[str]:
    """A table of what the op declares."""
    declared = cls.definition
    rows = [(_kind("operand", o.variadic), o.name, o.constraint.description, "")
            for o in declared.operands]  # fmt: skip
    for item in declared.attributes.values():
        default = item.default_attribute
        note = f", {default} by default" if default is not None else ""
        rows.append(("attribute", item.name, item.codec.description,
                     ", may be absent" if item.optional else note))  # fmt: skip
    rows += [("region", r.name, "", "") for r in declared.regions]
    rows += [(_kind("result", r.variadic), r.name, r.constraint.description, "")
             for r in declared.results]  # fmt: skip
    if rows:
        yield "| | name | |"
        yield "|---|---|---|"
    for kind, name, expected, note in rows:
        yield f"| {kind} | `{name}` | {expected}{note} |"


def _kind(word: str, variadic: bool) -> str:
    return f"{word}s, any number" if variadic else word


def typical_call(cls: type[TensorOp]) -> TensorOp:
    """The most telling sample: of matrices if the op takes them, and of different types."""
    return max((_call(cls, sample) for sample in cls.samples()), key=_shows)


def _call(cls: type[TensorOp], sample: Sample) -> TensorOp:
    """The op in a function of its own, on the function's arguments."""
    declared = cls.definition
    names = [group.name for group in declared.operands]
    types = [TensorType(operand.shape, operand.element) for operand in sample.inputs]
    function = Func.make("call", types, names=names)
    op = Builder.at_end(function.body).create(cls, *function.arguments, **sample.attributes)
    for group, result in zip(declared.results, op.results, strict=False):
        result.name = group.name
    return op


def _shows(op: TensorOp) -> tuple[int, int]:
    types = [v.type for v in (*op.operands, *op.results) if isinstance(v.type, TensorType)]
    matrices = sum(value.type.rank == 2 for value in op.operands)  # type: ignore[attr-defined]
    return matrices, len({type.element for type in types})


def _call_text(op: TensorOp) -> str:
    assert op.parent is not None
    return print_module(op.parent, locations=False).splitlines()[-2].strip()


def _lowering(op: TensorOp) -> str:
    names = [word for inner in lowered_copy(op).body if (word := _lowered_word(inner))]
    return f"- Lowers to: {_list(names) or 'nothing: the result is what the operand was'}."


def _lowered_word(op: Operation) -> str:
    if op.terminator or isinstance(op, arith.Constant | tensor.Empty):
        return ""
    if not isinstance(op, linalg.Generic):
        return f"`{op.name}`"
    scalars = [f"`{inner.name}`" for inner in op.body
               if not inner.terminator and not isinstance(inner, arith.Constant)]  # fmt: skip
    loops = ", ".join(op.iterator_types)
    return f"`linalg.generic` [{loops}]{' of ' + _list(scalars) if scalars else ''}"


def _gradient(op: TensorOp) -> str:
    if "grad" in type(op).waived:
        return f"- Gradient: none, since {type(op).waived['grad']}."
    assert op.block is not None
    seeds = [op.block.add_argument(result.type) for result in op.results]
    found = op.grad(Builder.at_end(op.block), seeds)
    ops = [f"`{inner.name}`" for inner in op.block
            if inner is not op and inner.operands]  # fmt: skip
    if all(part is None for part in found):
        return "- Gradient: nothing flows back."
    return f"- Gradient: {_list(ops) or 'that of the result, as it is'}."


def _sharing(op: TensorOp) -> str:
    if "sbp" in type(op).waived:
        return f"- Sharing: none, since {type(op).waived['sbp']}."
    found = [s for s in signatures(op) if set(s.operands + s.results) != {"B"}]
    return f"- Sharing: {'; '.join(f'`{s}`' for s in found) or 'none'}."


def _list(words: Sequence[str]) -> str:
    """The distinct words, separated by commas."""
    return ", ".join(dict.fromkeys(words))
