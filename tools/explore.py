"""Show a job at every stage on one page: an HTML file that opens in a browser and loads nothing
else.

The page has the user's source, each stage through assembly, the graph of layers, kernels and ops,
the arena over time, costs, and what was fused or why not. Pointing at something in one view
highlights, in all others, what comes from the same user's lines. Search looks in all views, and the
page's address links to what is selected. With a profile, bars show measured times. In Python,
penstock.tools.explore.explore(job) returns the page.

Examples:

    penstock explore train.py:train_job -o report.html
    penstock explore step.mlir --stop-after loops -o step.html
    penstock explore train.py:train_job --profile times.json
    penstock explore train.py:train_job --ranks 4 -o plan.html
    penstock explore train.py:train_job --json -o report.json
"""

from __future__ import annotations

import argparse
import json
import linecache
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from penstock.ir.location import UNKNOWN
from penstock.lowering.modules import EVERY_STAGE, ON_GPU, Modules
from penstock.runtime.files import replace
from penstock.runtime.printable import printable
from penstock.stages.job_stages import Stages
from penstock.tools.page.data import Read, Tell, page_data
from penstock.tools.page.document import document
from penstock.tools.page.profiles import read_profile, times_of
from penstock.tools.shared.errors import UsageError, hint
from penstock.tools.shared.numbers import ranks_in
from penstock.tools.shared.progress import progress
from penstock.tools.shared.texts import LocatedText, read_text, stage_in, write_text

if TYPE_CHECKING:
    from penstock.runtime.profiling.profile import Profile
    from penstock.tools.shared.userfile import Job

_LARGEST_SOURCE = 4_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("job", metavar="FILE.py[:JOB] | FILE.mlir", help="a job, or a module at a stage to loops")
    add("-o", "--output", metavar="FILE", help="where to write (JOB.html beside here)")
    add("--stop-after", metavar="STAGE",
        help=f"the last stage to show: {', '.join(EVERY_STAGE)} (by default all)")  # fmt: skip
    add("--ranks", type=ranks_in, metavar="N", help="give the job the devices of so many ranks")
    add("--profile", metavar="FILE",
        help="show the times in this file, which penstock profile --json wrote")  # fmt: skip
    add("--json", action="store_true", help="write what the page says as JSON (standard output)")


def run(arguments: argparse.Namespace) -> int:
    stage = arguments.stop_after
    if stage is not None and stage not in EVERY_STAGE:
        raise UsageError(f"there is no stage {stage!r}: {hint(stage, EVERY_STAGE)}")
    with progress(f"exploring {arguments.job}") as tell:
        data = _data(arguments.job, stage, tell, arguments.ranks)
        if arguments.profile:
            data["profile"] = read_profile(arguments.profile, data["job"])
        text = json.dumps(data) + "\n" if arguments.json else document(data)
    output = arguments.output or ("-" if arguments.json else f"{_file_name(data['job'])}.html")
    if output == "-":
        write_text(output, text)
    else:
        replace(output, text.encode())
        size, count = f"{len(text.encode()):,} bytes", len(data["stages"])
        last = data["stages"][-1]["name"]
        print(printable(f"{output}: {data['job']}, {count} stages to {last}; {size}"))
    return 0


def explore(
    job: Job | Stages,
    stop_after: str | None = None,
    profile: Profile | Mapping[str, Any] | None = None,
) -> str:
    """The page of a job, or of its traced, lowered or compiled stages, up to a stage, or all.

    Bars show the times of a profile, such as `job.profile(x)` or its `to_dict()`. Raises ValueError
    for an unknown stage and for a profile of another job; `IRError` if a stage cannot be made.
    """
    if stop_after is not None and stop_after not in EVERY_STAGE:
        raise ValueError(f"a stage must be one of {', '.join(EVERY_STAGE)}, got {stop_after!r}")
    data = page_data(_stages(job, stop_after), stop_after, source_lines, lambda text: None)
    if profile is not None:
        data["profile"] = times_of(profile, data["job"])
    return document(data)


def _data(target: str, stage: str | None, tell: Tell, ranks: int | None) -> dict[str, Any]:
    from penstock import config
    from penstock.tools.shared.userfile import find_job, import_file, split_job, user_errors

    if target == "-" or target.endswith(".mlir"):
        if ranks is not None:
            raise UsageError(f"{target} has its number of ranks; leave out --ranks")
        return _data_of_text(target, stage, tell)
    if ranks is not None:
        config.cpu_device_num(ranks)
    file, name = split_job(target)
    path = Path(file)
    job = find_job(import_file(path), path, name)
    with user_errors(path):
        return page_data(_stages(job, stage), stage, source_lines, tell)


def _stages(job: Job | Stages, stop_after: str | None) -> Stages:
    """All stages of a job; missing ones are made on access."""
    stages = job if isinstance(job, Stages) else job.trace()
    first = next(iter(stages.modules))
    if stop_after in ON_GPU:
        return Stages(stages.job, Modules(first, stages.modules[first]).on_gpu())
    if isinstance(stages.modules, Modules) or "loops" in stages.modules:
        return stages
    return Stages(stages.job, Modules(first, stages.modules[first]))


def _data_of_text(path: str, stage: str | None, tell: Tell) -> dict[str, Any]:
    """The page data of a module in a file, which is its own source if it names no other."""
    from penstock.tools.shared.userfile import user_errors

    text, name = read_text(path)
    located = LocatedText(text, name)
    module = located.verified()
    # If the module has locations of its own, don't add the lines of its text.
    if any(op.location is not UNKNOWN and op.location not in located.spans for op in module.walk()):
        located.unlocate(module)
    first = stage_in(module, name)
    stages = _stages(Stages(module.job.sym_name, {first: module}), stage)
    order = stages.stages
    if stage in order and order.index(stage) < order.index(first):
        raise UsageError(f"{name} is at stage {first}, which comes after {stage}")
    lines = text.split("\n")
    near = _sources_near(Path(path))
    with user_errors(Path(path)):
        return page_data(stages, stage, lambda file: lines if file == name else near(file), tell)


def source_lines(file: str) -> Sequence[str] | None:
    """The lines of a file that was imported, or of a notebook cell."""
    return linecache.getlines(file) or None


def _sources_near(path: Path) -> Read:
    """A reader for the Python files that a module names, below its folder or the current one only.

    A foreign module may name any file, and the page may be shown to others.
    """
    folders = {Path.cwd().resolve(), path.resolve().parent}

    def read(file: str) -> Sequence[str] | None:
        found = Path(file).resolve()
        if found.suffix != ".py" or not any(f in found.parents for f in folders):
            return None
        if not found.is_file() or found.stat().st_size > _LARGEST_SOURCE:
            return None
        return found.read_text(encoding="utf-8", errors="replace").split("\n")

    return read


def _file_name(job: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in job)
