"""Print a stage of a job that a Python file defines; the file is imported, not run.

Examples:

    penstock dump train.py:train_job --stage fused
    penstock dump relu.py --stage asm -o relu.s
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, cast

from penstock.ir.dialects.builtin import Module
from penstock.ir.text.printer import print_module
from penstock.passes.manager import run_pipeline
from penstock.tools.shared.errors import UsageError, hint
from penstock.tools.shared.texts import write_text
from penstock.tools.shared.userfile import find_job, import_file, split_job, user_errors

if TYPE_CHECKING:
    from penstock.tools.shared.userfile import Job


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("job", metavar="FILE.py[:JOB]", help="the job, if the file defines several")
    add(
        "--stage",
        metavar="STAGE",
        default="fused",
        help="job, grad, placed, fused (default), loops, llvm or asm; for a GPU, which none is "
        "needed for: scheduled, gpu or ptx",
    )
    add("--generic", action="store_true", help="no custom forms")
    add("--no-locations", action="store_true", help="omit loc(...)")
    add("-o", "--output", default="-", metavar="FILE", help="where to write (standard output)")


def run(arguments: argparse.Namespace) -> int:
    from penstock.lowering.modules import EVERY_STAGE

    if arguments.stage not in EVERY_STAGE:
        advice = hint(arguments.stage, EVERY_STAGE)
        raise UsageError(f"there is no stage {arguments.stage!r}: {advice}")
    file, name = split_job(arguments.job)
    path = Path(file)
    job = find_job(import_file(path), path, name)
    with user_errors(path):
        text = stage_text(job, arguments.stage, arguments.generic, not arguments.no_locations)
    write_text(arguments.output, text)
    return 0


def stage_text(job: Job, stage: str, generic: bool, locations: bool) -> str:
    """The text of one stage; later stages are not made."""
    from penstock.lowering.modules import (
        ON_GPU,
        PIPELINES,
        STAGES,
        Modules,
        device_of,
        parts_of,
        pipeline_of,
    )

    if stage in ON_GPU:
        modules = Modules("job", job.trace().modules["job"]).on_gpu()
        if stage == "ptx":
            return modules.gpu_program().ptx
        return print_module(modules[stage], generic, locations)
    if stage != "job" and stage not in PIPELINES:
        return job.compile().as_text(stage)
    module = job.trace().modules["job"]
    part = next(iter(parts_of(module)), "")
    on_gpu = not part and bool(device_of(module))
    for step in STAGES[1 : STAGES.index(stage) + 1]:
        module = cast(Module, module.clone())
        run_pipeline(module, pipeline_of(step, part=part, on_gpu=on_gpu))
    return print_module(module, generic, locations)
