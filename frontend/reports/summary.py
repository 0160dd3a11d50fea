"""The summary of a job's stages in a notebook: a few lines and short tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from penstock.ir.attributes import StringAttr
from penstock.ir.dialects.builtin import Module
from penstock.ir.meaning.cost import bytes_of
from penstock.ir.text.tables import quantity
from penstock.reports.costs import Costs
from penstock.reports.memory_map import MemoryMap
from penstock.reports.tables import html_table

__all__ = ["job_html", "summary_html"]

_LINES_SHOWN = 8
_ARGUMENTS = {"job.feed": "feed", "job.variable": "variable"}


def job_html(title: str, parameters: Sequence[Sequence[str]], returns: str) -> str:
    """An HTML fragment of a job: its parameters with their dtypes and shapes, and its result."""
    table = html_table("Parameters", ("name", "dtype", "shape"), parameters, 3)
    return f"<p><b>{escape(title)}</b> -> {escape(returns)}</p>{table}"


def summary_html(
    job: str,
    modules: Mapping[str, Module],
    stages: Sequence[str],
    costs: Costs,
    memory: MemoryMap | None,
) -> str:
    """An HTML fragment of a job's signature, stages, costs and memory, with all text escaped."""
    first = next(iter(modules.values()))
    kind = first.attributes.get("job.type")
    title = f"{kind.value} job {job}" if isinstance(kind, StringAttr) else job
    parts = [f"<p><b>{escape(title)}</b>: {escape(_facts(stages, costs, memory))}</p>"]
    signature = list(_signature(first))
    if signature:
        parts.append(html_table("Signature", ("name", "role", "type", "bytes"), signature, 3))
    sizes = [(stage, f"{sum(1 for _ in module.walk()):,}") for stage, module in modules.items()]
    parts.append(html_table("Stages", ("stage", "ops"), sizes))
    costliest = sorted(costs.lines().items(), key=lambda item: -item[1].flops)
    rows = [(place, quantity(c.flops), quantity(c.bytes)) for place, c in costliest[:_LINES_SHOWN]]
    if rows:
        more = len(costliest) - len(rows)
        caption = f"Costs by line, {more} lines more" if more > 0 else "Costs by line"
        parts.append(html_table(caption, ("line", "flops", "bytes"), rows))
    return "".join(parts)


def _facts(stages: Sequence[str], costs: Costs, memory: MemoryMap | None) -> str:
    total = costs.total
    facts = f"{quantity(total.flops)} flops, {quantity(total.bytes)} bytes a step"
    if memory is not None:
        facts += f"; arena {memory.arena:,} bytes, of which {memory.peak:,} are in use at once"
    return f"{facts}; stages {', '.join(stages)}"


def _signature(module: Module) -> Iterator[Sequence[str]]:
    job = module.job
    for i, argument in enumerate(job.arguments):
        attributes = job.argument_attributes(i)
        for key, role in _ARGUMENTS.items():
            name = attributes.get(key)
            if isinstance(name, StringAttr):
                yield name.value, role, str(argument.type), quantity(bytes_of([argument]))
    for i, type in enumerate(job.type.results):
        name = job.result_attributes(i).get("job.fetch")
        if isinstance(name, StringAttr):
            yield name.value, "fetch", str(type), quantity(bytes_of([job.returned.operands[i]]))
