"""Compile jobs ahead of time, into one file that runs without the compiler.

The file is an artifact. It contains code for several processor levels, of which loading selects the
best that the machine has, the text of every stage, and the variables. `penstock show` prints its
contents and `penstock run` runs it. In Python, penstock.runtime.load("train.pstk")(images, labels)
runs it, and flow.save_artifact(path, *jobs) writes one.

For C programs, --emit so,header writes a shared library, which needs no runtime, and its header,
like flow.save_library(path, *jobs).

Examples:

    penstock compile train.py:train_job -o train.pstk
    penstock compile train.py:train_job,predict_job -o both.pstk --target x86-64-v3
    penstock compile train.py:predict_job --target native
    penstock compile train.py -o all.pstk --load-variables checkpoint
    penstock compile train.py:train_job --stop-after fused -o fused.mlir
    penstock compile --from fused.mlir -o train.pstk
    penstock compile train.py --emit so,header -o build/train
    penstock compile train.py:predict_job --sizes 1,8,32 -o predict.pstk
    penstock compile train.py --ranks 4 -o train.pstk
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from penstock import config
from penstock.artifacts.ahead import Values, levels_for, name_of, rank_counts, stage_text
from penstock.artifacts.artifact import artifact_bytes
from penstock.artifacts.library import library_files
from penstock.artifacts.sources import AnyJob
from penstock.ir.verify.verifier import verify
from penstock.lowering.modules import EVERY_STAGE, Modules, target_level
from penstock.runtime.artifacts.artifact_error import ArtifactError
from penstock.runtime.artifacts.artifact_file import ArtifactFile, open_artifact
from penstock.runtime.artifacts.manifest import LEVELS
from penstock.runtime.files import replace
from penstock.runtime.printable import printable
from penstock.tools.shared.errors import InputError, UsageError, hint
from penstock.tools.shared.numbers import ranks_in
from penstock.tools.shared.progress import progress
from penstock.tools.shared.texts import LocatedText, read_text, stage_in, write_text
from penstock.tools.shared.userfile import find_jobs, import_file, split_jobs, user_errors

_KINDS = ("artifact", "so", "header")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("jobs", nargs="?", metavar="FILE.py[:JOB,...]", help="all jobs of the file, or those named")
    add("--from", dest="text", metavar="FILE.mlir", help="take a job from the text of a stage")
    add("-o", "--output", metavar="FILE", help="where to write (FILE.pstk beside here)")
    add(
        "--target",
        action="append",
        metavar="LEVEL",
        help="x86-64-v2, x86-64-v3, x86-64-v4 or x86-64-v4-bf16, or native, that which this "
        "machine runs code for; several with commas (the first three, and the last one where "
        "products of bfloat16 use it)",
    )
    add(
        "--emit",
        metavar="KINDS",
        default="artifact",
        help="artifact, or for C programs so, header or both with a comma; then -o build/train is "
        "for build/libtrain.so and build/train.h (artifact)",
    )
    add(
        "--sizes",
        metavar="SIZES",
        help="compile each job for these batch sizes, with commas; calls select one by their "
        "arrays (that of the placeholders)",
    )
    add(
        "--profile",
        action="store_true",
        help="compile counters in, so that penstock run --profile tells where time goes",
    )
    add(
        "--gpu",
        action="append",
        metavar="ARCH[,ARCH]",
        help="compile for GPUs, too, such as sm_80 and sm_90; sm_80 is always among them",
    )
    add(
        "--cubin",
        action="append",
        metavar="ARCH[,ARCH]",
        help="have machine code for GPUs of these architectures, too, which needs NVIDIA's ptxas",
    )
    add("--ranks", type=ranks_in, metavar="N", help="give jobs the devices of so many ranks")
    add("--stop-after", metavar="STAGE", help="write the text of that stage instead")
    add(
        "--load-variables",
        metavar="PATH",
        help="start with the values in a checkpoint, a safetensors file or an artifact",
    )
    add("--json", action="store_true", help="print as JSON what was written")


def run(arguments: argparse.Namespace) -> int:
    start = time.perf_counter()
    if bool(arguments.jobs) == bool(arguments.text):
        raise UsageError("give either a file of jobs, or the text of one job with --from FILE.mlir")
    targets = _targets(arguments.target)
    if arguments.stop_after:
        _check_stop(arguments.stop_after, targets)
    emit = _kinds(arguments)
    sizes = _sizes(arguments, emit)
    if emit != ["artifact"] or arguments.stop_after:
        _check_artifact_only(arguments)
    file, names = (arguments.text, []) if arguments.text else split_jobs(arguments.jobs)
    output = arguments.output or Path(file).stem + (".pstk" if emit == ["artifact"] else "")
    with progress(f"compiling {file}"):
        jobs = _from_text(file) if arguments.text else _from_file(file, names, arguments.ranks)
        with user_errors(Path(file)):
            if arguments.stop_after:
                text = _text(jobs, arguments.stop_after, targets)
            else:
                levels = levels_for(jobs, targets)
                files = _compiled(arguments, output, emit, jobs, levels, sizes)
    if arguments.stop_after:
        write_text(arguments.output or "-", text)
        return 0
    before = None if arguments.output else _artifact(output)
    for path, data in files.items():
        _write(path, data)
    if before:
        _tell_lost(before, open_artifact(output))
    ranks = rank_counts(jobs)
    for kind, (path, data) in zip(emit, files.items(), strict=True):
        described = {
            kind: path,
            "bytes": len(data),
            "jobs": [name_of(job) for job in jobs],
            "targets": list(levels),
            **({"sizes": sizes} if sizes else {}),
            **({"ranks": ranks} if any(count > 1 for count in ranks.values()) else {}),
            "seconds": round(time.perf_counter() - start, 3),
        }
        if path != "-":
            told = json.dumps(described) if arguments.json else _sentence(path, described)
            print(printable(told))
    return 0


def _check_artifact_only(arguments: argparse.Namespace) -> None:
    """Refuse what only an artifact can have."""
    for given, what, kind in (
        (arguments.profile, "--profile", "counters"),
        (arguments.gpu, "--gpu", "code for GPUs"),
        (arguments.cubin, "--cubin", "code for GPUs"),
    ):
        if given:
            raise UsageError(f"only an artifact can have {kind}: leave out {what}")


def _kinds(arguments: argparse.Namespace) -> list[str]:
    """The kinds of files to write, in the order in which they are made."""
    words = arguments.emit.split(",")
    for kind in words:
        if kind not in _KINDS:
            raise UsageError(f"there is no {kind!r} to emit: {hint(kind, _KINDS)}")
    if "artifact" in words and len(words) > 1:
        raise UsageError(
            "an artifact cannot be written with other files: emit either artifact, or so and header"
        )
    if words != ["artifact"] and (arguments.output == "-" or arguments.stop_after):
        raise UsageError(
            "a library and its header are always written to files, in whole: leave out "
            + ("--stop-after" if arguments.stop_after else "-o -")
        )
    return [kind for kind in _KINDS if kind in words]


def _compiled(
    arguments: argparse.Namespace,
    output: str,
    emit: Sequence[str],
    jobs: Sequence[AnyJob],
    targets: Sequence[str],
    sizes: Sequence[int] | None,
) -> dict[str, bytes]:
    """The files to write, by path."""
    variables: Values | None = arguments.load_variables
    if emit == ["artifact"]:
        gpus = [word for entry in arguments.gpu or () for word in entry.split(",")]
        cubins = [word for entry in arguments.cubin or () for word in entry.split(",")]
        profile = arguments.profile
        made = artifact_bytes(jobs, targets, variables, sizes, profile, gpus, cubins)
        return {output: made}
    library = library_files(Path(output), jobs, targets, variables)
    named = zip(_KINDS[1:], library.items(), strict=True)
    return {str(path): data for kind, (path, data) in named if kind in emit}


def _sizes(arguments: argparse.Namespace, emit: Sequence[str]) -> list[int] | None:
    """The requested batch sizes, in order; None for that of the placeholders."""
    if arguments.sizes is None:
        return None
    words = arguments.sizes.split(",")
    if not all(word.isascii() and word.isdigit() and 0 < int(word) < 2**40 for word in words):
        raise UsageError(f"--sizes takes batch sizes such as 1,8,32, got {arguments.sizes!r}")
    found = sorted(map(int, words))
    if len(set(found)) < len(found):
        raise UsageError(f"--sizes takes each size once, got {arguments.sizes!r}")
    for given, what in (
        (emit != ["artifact"], "a C library"),
        (arguments.stop_after, "the text of a stage"),
        (arguments.text, "a job given as text"),
    ):
        if given:
            raise UsageError(f"{what} has one batch size: leave out --sizes")
    return found


def _targets(names: Sequence[str] | None) -> list[str] | None:
    """The requested levels; None for all."""
    words = [word for entry in names or () for word in entry.split(",")]
    levels = [target_level() if word == "native" else word for word in words]
    for level in levels:
        if level not in LEVELS:
            # All names look alike, so the closest may well not be the one that was meant.
            known = ", ".join((*LEVELS, "native"))
            raise UsageError(f"there is no target {level!r}: there are {known}")
    return levels or None


def _check_stop(stage: str, targets: Sequence[str] | None) -> None:
    if stage not in EVERY_STAGE:
        raise UsageError(f"there is no stage {stage!r}: {hint(stage, EVERY_STAGE)}")
    if targets and len(set(targets)) > 1:
        raise UsageError("the text of a stage is for one processor level: give one --target")


def _from_file(file: str, names: Sequence[str], ranks: int | None) -> list[AnyJob]:
    """The jobs of a file, which have the devices of so many ranks."""
    path = Path(file)
    if ranks is not None:
        config.cpu_device_num(ranks)
    return list(find_jobs(import_file(path), path, names))


def _from_text(path: str) -> list[AnyJob]:
    """The job in the text of a stage from `job` to `loops`."""
    text, source = read_text(path)
    module = LocatedText(text, source).parse()
    verify(module)
    return [Modules(stage_in(module, source), module)]


def _text(jobs: Sequence[AnyJob], stage: str, targets: Sequence[str] | None) -> str:
    if len(jobs) > 1:
        names = ", :".join(name_of(job) for job in jobs)
        raise InputError(f"the text of a stage is of one job: add one of :{names}")
    return stage_text(jobs[0], stage, targets[0] if targets else target_level())


def _write(path: str, data: bytes) -> None:
    if path == "-":
        sys.stdout.buffer.write(data)
    else:
        replace(path, data)


def _artifact(path: str) -> ArtifactFile | None:
    """The existing artifact at the default path, if there is one."""
    try:
        return open_artifact(path) if Path(path).exists() else None
    except ArtifactError:
        return None


def _tell_lost(old: ArtifactFile, new: ArtifactFile) -> None:
    """Say what a replaced artifact had that the new one lacks: jobs, and values of variables."""
    lost = [f"job {job!r}" for job in old.manifest.jobs if job not in new.manifest.jobs]
    now = new.variables()
    if any(
        name not in now or value.tobytes() != now[name].tobytes()
        for name, value in old.variables().items()
    ):
        lost.append("the values of its variables")
    if lost:
        print(
            printable(
                f"{new.source}: replaced an artifact, of which are gone: {', '.join(lost)}; "
                "-o FILE writes to another"
            ),
            file=sys.stderr,
        )


def _sentence(path: str, described: Mapping[str, Any]) -> str:
    ranks, targets = described.get("ranks", {}), ", ".join(described["targets"])
    jobs = ", ".join(
        f"{name} of {ranks[name]} ranks" if ranks.get(name, 1) > 1 else name
        for name in described["jobs"]
    )
    if "sizes" in described:
        jobs += f" of batch sizes {', '.join(map(str, described['sizes']))}"
    size, seconds = f"{described['bytes']:,} bytes", f"{described['seconds']:.2f} s"
    return f"{path}: {jobs} for {targets}; {size}, {seconds}"
