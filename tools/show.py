"""Print the contents of an artifact without executing any of it.

This prints a summary that fits a screen: the processor levels that there is code for, and of each
job the signature, some variables and the number of blobs that can be watched. --all prints all of
it, and every member of the file with its size. Sums and seals are checked first.
In Python, penstock.runtime.open_artifact(path) reads one, and penstock.tools.show.summary returns
what --json prints.

Examples:

    penstock show train.pstk
    penstock show train.pstk --all
    penstock show train.pstk --json
    penstock show train.pstk --stage fused
    penstock show train.pstk --why hidden_bias_add
    penstock show both.pstk --job train_job --stage loops --target x86-64-v2 -o loops.mlir
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from penstock.runtime.artifacts.artifact_file import ArtifactFile, open_artifact
from penstock.runtime.artifacts.manifest import (
    PLATFORM,
    Manifest,
    base_and_rank,
    base_and_size,
    cubin_member,
    gpu_members,
)
from penstock.runtime.description import Argument, Buffer, Callout, Description, Tap
from penstock.runtime.execution.points import matching, refusal
from penstock.runtime.printable import printable
from penstock.tools.shared.errors import InputError, UsageError, hint
from penstock.tools.shared.places import take_job
from penstock.tools.shared.texts import write_text

_KNOWN = ("place", "name", "offset", "bytes", "sharing", "again")
"""What a report may say of a blob."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("artifact", metavar="FILE.pstk[:JOB]")
    add("--stage", metavar="STAGE", help="print the text of a stage instead")
    add(
        "--why",
        metavar="PATTERN",
        help="explain what became of blobs, by name, glob or line: kernels, memory, live ranges, "
        "and how ranks share them",
    )
    add("--job", metavar="JOB", help="the job, if there are several")
    add("--target", metavar="LEVEL", help="the processor level to show (the highest there is)")
    add("--all", action="store_true", help="print all variables, watch points and members")
    add("--json", action="store_true", help="print as JSON what is in the file")
    add("-o", "--output", default="-", metavar="FILE", help="where to write (standard output)")


def run(arguments: argparse.Namespace) -> int:
    if arguments.stage and (arguments.json or arguments.why):
        raise UsageError("--stage cannot be combined with --why or --json: give one of them")
    take_job(arguments)
    file = open_artifact(arguments.artifact)
    if arguments.stage:
        text = _stage(file, arguments.stage, arguments.job, arguments.target)
    elif arguments.why:
        found = why(file, arguments.why, arguments.job, arguments.target)
        if arguments.json:
            text = json.dumps(found if len(found) > 1 else found[0], indent=2) + "\n"
        else:
            text = "\n".join(
                "".join(f"{printable(line)}\n" for line in _sentences(each)) for each in found
            )
    elif arguments.json:
        text = json.dumps(summary(file), indent=2) + "\n"
    else:
        text = "".join(
            f"{printable(line)}\n"
            for line in _lines(file, arguments.job, arguments.target, arguments.all)
        )
    write_text(arguments.output, text)
    return 0


def summary(file: ArtifactFile) -> dict[str, Any]:
    """The contents of an artifact, as plain JSON values."""
    manifest = file.manifest
    return {
        "file": file.source,
        "bytes": file.size,
        "sha256": file.sha256,
        "format": manifest.entries["format"],
        "abi": manifest.entries["abi"],
        "penstock": manifest.penstock,
        "platform": PLATFORM,
        "targets": list(manifest.targets),
        **({"gpu": manifest.entries["gpu"]} if "gpu" in manifest.entries else {}),
        "sizes": _sizes(manifest),
        "jobs": [_job(file, name) for name in manifest.jobs],
        "members": {
            name: {
                "bytes": member.size,
                "stored": len(member.data),
                "sha256": member.sha256,
            }
            for name, member in file.members.items()
        },
    }


def _sizes(manifest: Manifest) -> dict[str, list[int]]:
    """The batch sizes of each job that is compiled for several."""
    found: dict[str, list[int]] = {}
    for name in manifest.jobs:
        base, size = base_and_size(name)
        if size is not None:
            found.setdefault(base, []).append(size)
    return {name: sorted(sizes) for name, sizes in found.items()}


def _job(file: ArtifactFile, name: str) -> dict[str, Any]:
    described = {level: file.description(name, level) for level in file.manifest.targets}
    plain = next(iter(described.values())).to_dict()
    return {
        "job": name,
        "type": plain["type"],
        "arguments": [entry for entry in plain["arguments"] if "name" in entry],
        "taps": plain["taps"],
        "callouts": plain.get("callouts", []),
        "arena": {level: each.arena_bytes for level, each in described.items()},
        "stages": list(file.manifest.stages(name)),
    }


def _stage(file: ArtifactFile, stage: str, job: str | None, target: str | None) -> str:
    name, level = _job_of(file, job), _level_of(file, target)
    stages = file.manifest.stages(name)
    if stage not in stages:
        raise UsageError(f"job {name!r} has no stage {stage!r} here: {hint(stage, stages)}")
    return file.stage(name, stage, level)


def why(
    file: ArtifactFile, pattern: str, job: str | None = None, level: str | None = None
) -> list[dict[str, Any]]:
    """How the blobs that match a pattern are computed and stored, in a job compiled for a level.

    Each is a dict of plain JSON values: `kernels` compute it and `readers` read it, each with its
    step, from 1. A blob that is kept has a `place`: feed, variable, fetch, or the arena at
    `offset`, where it is live from step `first` to step `last`.
    """
    job, level = _job_of(file, job), _level_of(file, level)
    taps = file.description(job, level).taps
    wrong = refusal(f"{file.source}: job {job!r}", taps, pattern)
    if wrong:
        raise InputError(wrong)
    report = file.report(job, level)
    where = {"job": job, "target": level}
    return [_became(tap, report, where) for tap in matching(taps, pattern)]


def _became(tap: Tap, report: Mapping[str, Any], where: Mapping[str, str]) -> dict[str, Any]:
    name = tap.name
    blob, kernels = report["blobs"][name], report["kernels"]
    numbers = [*blob["made"], *blob["read"]]
    found: dict[str, Any] = {
        "blob": name,
        "dtype": tap.dtype,
        "shape": list(tap.shape),
        "loc": tap.loc,
        **where,
        "how": tap.how,
        "steps": len(kernels),
        "kernels": [{"step": n + 1, **kernels[n]} for n in blob["made"]],
        "readers": [{"step": n + 1, **kernels[n]} for n in blob["read"]],
        **{key: blob[key] for key in _KNOWN if key in blob},
    }
    if blob.get("place") == "arena" and numbers:
        found |= {"first": min(numbers) + 1, "last": max(numbers) + 1}
    return found


def _sentences(found: Mapping[str, Any]) -> Sequence[str]:
    """The result of `why`, for people."""
    steps = found["steps"]
    place, lines = found.get("place"), []
    shape = ", ".join(map(str, found["shape"]))
    lines.append(f"{found['blob']}: {found['dtype']}[{shape}] of {found['loc']}")
    all_of_it = "1 kernel" if steps == 1 else f"{steps} kernels"
    lines.append(f"in job {found['job']} for {found['target']}, a step of {all_of_it}")
    for kernel in found["kernels"]:
        ops = ", ".join(kernel["ops"])
        where = ", ".join(kernel["lines"])
        lines.append(f"computed by kernel {kernel['step']}, {kernel['name']}: {ops} of {where}")
    if place == "arena":
        end = found["offset"] + found["bytes"]
        life = f"live from kernel {found['first']} to kernel {found['last']}"
        lines.append(f"kept in the arena, bytes {found['offset']:,} to {end:,}, {life}")
    elif place:
        lines.append(f"kept in the {place} {found['name']}, {found['bytes']:,} bytes")
    else:
        lines.append(f"not kept: fused away; {found['how']} while anybody watches it")
    if "again" in found:
        facts = found["again"]
        lines.append(
            f"computed again for gradients, for a limit of memory: {facts['ops']} such ops take "
            f"{1e6 * facts['seconds']:,.1f} us, and {facts['after']:,} bytes are needed, not "
            f"{facts['before']:,}"
        )
    for kernel in found["readers"]:
        lines.append(f"used by kernel {kernel['step']}, {kernel['name']}")
    return [*lines, *(_shared(found["sharing"]) if "sharing" in found else ())]


def _shared(found: Mapping[str, Any]) -> Sequence[str]:
    """How ranks share a blob's op, and what each alternative would cost."""
    rows = found["alternatives"]
    own = next(row["seconds"] for row in rows if row["chosen"])
    second = next((row["signature"] for row in rows if not row["chosen"]), None)
    lines = [f"shared among ranks as {found['signature']}"]
    if second is not None:
        lines.append(f"boxing saved: {found['saved']:,} bytes a rank against {second}")
    for row in rows:
        more = "chosen" if row["chosen"] else f"{1e6 * (row['seconds'] - own):+,.1f} us"
        lines.append(
            f"  {row['signature']}: {more}; {1e6 * row['op']:,.1f} us of computing, "
            f"{row['bytes']:,} bytes a rank"
        )
    return lines


def _job_of(file: ArtifactFile, name: str | None) -> str:
    """The job of a name; of one on several ranks, that of rank 0."""
    jobs = _jobs_of(file, name)
    first = [job for job in jobs if not base_and_rank(job)[1]]
    if len(first) > 1:
        raise UsageError(f"{file.source} has the jobs {', '.join(first)}: name one with --job")
    return (first or jobs)[0]


def _jobs_of(file: ArtifactFile, name: str | None) -> Sequence[str]:
    """The jobs of a name, which may be without batch size and rank; without a name, all."""
    jobs = file.manifest.jobs
    found = [job for job in jobs if name in (None, job, *_shorter(job))]
    if not found:
        bases = list(dict.fromkeys(_shorter(job)[-1] for job in jobs))
        raise InputError(f"{file.source}: there is no job {name!r}: {hint(name or '', bases)}")
    return found


def _shorter(job: str) -> tuple[str, str]:
    """The name of a job without its rank, and without its batch size too."""
    sized, _ = base_and_rank(job)
    return sized, base_and_size(sized)[0]


def _level_of(file: ArtifactFile, target: str | None) -> str:
    targets = file.manifest.targets
    if target is not None and target not in targets:
        raise InputError(f"{file.source}: has no code for {target!r}: {hint(target, targets)}")
    return target or targets[-1]


def _lines(file: ArtifactFile, job: str | None, target: str | None, whole: bool) -> Iterator[str]:
    """The contents of the file, for people; unless `whole`, at most a screen of them."""
    manifest = file.manifest
    level = _level_of(file, target)
    yield f"{file.source}: {file.size:,} bytes, sha256 {file.sha256}"
    form = f"format {manifest.entries['format']}, ABI {manifest.entries['abi']}"
    yield f"by penstock {manifest.penstock} for {PLATFORM}, {form}"
    yield f"targets: {', '.join(manifest.targets)}"
    for name, architectures in manifest.architectures.items():
        where = f", placed on {manifest.devices[name]}" if name in manifest.devices else ""
        yield f"GPUs: {name} for {', '.join(architectures)}{where}"
        yield from _gpu_sizes(file, name)
    for name, sizes in _sizes(manifest).items():
        yield f"batch sizes of {name}: {', '.join(map(str, sizes))}"
    jobs = _jobs_of(file, job)
    shown = jobs if whole else jobs[:_JOBS_SHOWN]
    most = None if whole else _ROWS_SHOWN if len(shown) == 1 else 1
    for name in shown:
        yield ""
        yield from _job_lines(file.description(name, level), manifest.stages(name), level, most)
    yield ""
    if whole:
        yield "members:"
        yield from _members(file)
    else:
        if len(jobs) > len(shown):
            yield f"{len(jobs) - len(shown)} more jobs: {', '.join(jobs[len(shown) :])}"
        yield f"{len(file.members)} members; --all prints everything"


_JOBS_SHOWN = 3
_ROWS_SHOWN = 3


def _gpu_sizes(file: ArtifactFile, job: str) -> Iterator[str]:
    """What the code of a job for GPUs takes, of each architecture."""
    manifest = file.manifest
    for arch in manifest.architectures[job]:
        sizes = [f"{file.members[gpu_members(job, arch)[-1]].size:,} bytes of PTX"]
        if arch in manifest.cubins.get(job, ()):
            size = file.members[cubin_member(job, arch)].size
            sizes.append(f"{size:,} bytes of machine code")
        yield f"  {arch}: {', '.join(sizes)}"


def _members(file: ArtifactFile) -> Iterator[str]:
    rows = [
        (name, f"{member.size:,}", f"{len(member.data):,}", member.sha256[:16])
        for name, member in file.members.items()
    ]
    yield from _table(rows, numbers=(1, 2), head=("name", "bytes", "in file", "sha256"))


def _job_lines(
    described: Description, stages: Sequence[str], level: str, most: int | None
) -> Iterator[str]:
    """A job; of arguments at most so many of each kind."""
    yield f"{described.type} job {described.job}"
    yield f"  stages: {', '.join(stages)}; arena: {described.arena_bytes:,} bytes at {level}"
    arguments = [argument for argument in described.arguments if argument.name]
    for role in ("feed", "variable", "fetch"):
        rows = [_row(argument) for argument in arguments if argument.role == role]
        yield from _table(rows[:most])
        if len(rows) > len(rows[:most]):
            yield f"  ... {len(rows) - len(rows[:most])} more, {len(rows)} in all"
    if described.taps:
        names = [tap.name for tap in described.taps]
        some = "" if most is None else f" {', '.join(names[:_ROWS_SHOWN])}"
        more = ", ..." if most is not None and len(names) > _ROWS_SHOWN else ""
        yield f"  {len(names)} watch points:{some}{more}"
        if most is None:
            yield from _table([_point(tap) for tap in described.taps], indent=4)
    if described.callouts:
        yield f"  {len(described.callouts)} call-outs, to be passed to load as callouts=:"
        yield from _table([_called(callout) for callout in described.callouts][:most], indent=4)


def _called(callout: Callout) -> tuple[str, ...]:
    """A call-out: its name, parameters and results, and its line."""
    given = [_form(buffer) for buffer in callout.operands]
    for place in callout.missing:
        given.insert(place, "None")
    made = [_form(buffer) for buffer in callout.results]
    return callout.name, f"({', '.join(given)}) -> ({', '.join(made)})", callout.loc


def _row(argument: Argument) -> tuple[str, ...]:
    trainable = "trainable" if argument.trainable else ""
    return argument.role, argument.name, _form(argument), argument.loc, trainable


def _point(tap: Tap) -> tuple[str, ...]:
    return tap.name, _form(tap), tap.loc, tap.how


def _form(of: Argument | Buffer | Tap) -> str:
    return f"{of.dtype}[{', '.join(map(str, of.shape))}]"


def _table(
    rows: Sequence[Sequence[str]],
    numbers: Sequence[int] = (),
    head: Sequence[str] = (),
    indent: int = 2,
) -> Iterator[str]:
    """Aligned columns; columns of numbers are right-aligned."""
    lines = [head, *rows] if head else rows
    if not rows:
        return
    widths = [max(len(line[i]) for line in lines) for i in range(len(rows[0]))]
    for line in lines:
        cells = [
            cell.rjust(width) if i in numbers else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        yield f"{' ' * indent}{'  '.join(cells)}".rstrip()
