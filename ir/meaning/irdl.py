"""The IRDL description of our dialects, generated from the op classes.

With it stock `mlir-opt --irdl-file=FILE` verifies modules with our ops (MLIR documentation,
"IRDL dialect"). It states operands, results and declared attributes; what `infer` and `verify`
check beyond that is ours alone.
"""

from __future__ import annotations

import penstock.ir.dialects  # noqa: F401 - defines the ops
from penstock.ir.core import Operation
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.opdef import registry

OURS = ("flow", "job", "sbp")
"""The dialects that upstream does not have."""


def irdl_text() -> str:
    """One `irdl.dialect` per dialect of ours, with every op of it.

    >>> print("\\n".join(irdl_text().splitlines()[:7]))
    irdl.dialect @flow {
      irdl.operation @abs {
        %x = irdl.base "!builtin.tensor"
        %y = irdl.base "!builtin.tensor"
        irdl.operands(x: %x)
        irdl.results(y: %y)
      }
    """
    return "".join(_dialect(name) for name in dialects())


def dialects() -> list[str]:
    """The names of the dialects that upstream does not have: ours, and those of users' ops."""
    users = {name.partition(".")[0] for name, cls in registry.items() if issubclass(cls, TensorOp)}
    return [*OURS, *sorted(users - set(OURS))]


def _dialect(dialect: str) -> str:
    prefix = f"{dialect}."
    ops = [cls for name, cls in sorted(registry.items()) if name.startswith(prefix)]
    body = "".join(_operation(cls) for cls in ops)
    return f"irdl.dialect @{dialect} {{\n{body}}}\n"


def _operation(cls: type[Operation]) -> str:
    definition = cls.definition
    operands = [(o.name, o.variadic, o.constraint.irdl) for o in definition.operands]
    results = [(r.name, r.variadic, r.constraint.irdl) for r in definition.results]
    attributes = [(a.name, a.codec.irdl) for a in definition.attributes.values() if not a.optional]
    # One constraint each: two members that share one must have the same type or value.
    lines = [f"%{name} = {text}" for name, _, text in (*operands, *results)]
    lines += [f"%attribute_{name} = {text}" for name, text in attributes]
    if attributes:
        entries = ", ".join(f'"{name}" = %attribute_{name}' for name, _ in attributes)
        lines.append(f"irdl.attributes {{{entries}}}")
    for keyword, members in (("operands", operands), ("results", results)):
        entries = ", ".join(
            f"{name}: {'variadic ' if variadic else ''}%{name}" for name, variadic, _ in members
        )
        if entries:
            lines.append(f"irdl.{keyword}({entries})")
    body = "".join(f"    {line}\n" for line in lines)
    return f"  irdl.operation @{cls.name.partition('.')[2]} {{\n{body}  }}\n"
