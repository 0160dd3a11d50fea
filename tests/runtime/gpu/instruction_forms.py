"""Recordings of what a device does with each form of instruction that kernels have.

    python tests/runtime/gpu/instruction_forms.py --list docs/gpu_forms.md
    python tests/runtime/gpu/instruction_forms.py --device gpu

The first writes the list of forms. The second runs all recorders on a GPU, family by family, each
in a process of its own that has a minute: a family that fails or hangs costs no other one. Results
are compared with what the manual says, with the simulated device, and with the recording of an
earlier run in the folder `recorded`, which is made if there is none, as soon as its family has run;
such files are compared for ever by `test_instruction_forms.py`. `--device gpu-sim` does the same
with the simulated device in the GPU's place, and needs `--folder`: its results confirm nothing.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import arithmetic_forms
import copy_forms
import matrix_forms
import memory_forms
import numpy as np
from recorder import Array, Recorder, RuntimeTarget, SimulatorTarget, Target, difference, run

from penstock.runtime.device_error import DeviceError
from penstock.runtime.gpu import devices

FAMILIES: dict[str, tuple[Recorder, ...]] = {
    **copy_forms.FAMILIES,
    **matrix_forms.FAMILIES,
    **memory_forms.FAMILIES,
    **arithmetic_forms.FAMILIES,
}
"""Recorders that are one module, loaded and recorded together; what is least certain first."""
RECORDERS = {one.name: one for family in FAMILIES.values() for one in family}
FORMS = frozenset(form for one in RECORDERS.values() for form in one.forms)
"""All forms that have a recorder."""
RECORDED = Path(__file__).parent / "recorded"
SECONDS = 60.0
"""How long a family may take."""


def wrong_results(found: Mapping[str, Array]) -> list[str]:
    """What differs from the manual, where recorders say what they must write."""
    wrong = []
    wanted: dict[str, Mapping[str, Array]] = {}
    for key, values in found.items():
        name, _, output = key.partition("|")
        one = RECORDERS[name]
        if one.expected is None:
            continue
        if name not in wanted:
            wanted[name] = one.expected(one.inputs())
        said = wanted[name][output].reshape(-1).view(values.dtype)
        wrong.append(difference(one, output, values, said, "the manual has"))
    return [text for text in wrong if text]


def differences(ours: Mapping[str, Array], theirs: Mapping[str, Array]) -> list[str]:
    """What differs from a recording; nothing if they agree."""
    found = []
    for key in ours:
        name, _, output = key.partition("|")
        if key in theirs:
            found.append(
                difference(RECORDERS[name], output, ours[key], theirs[key], "a device has")
            )
    return [text for text in found if text]


def path_of(folder: Path, arch: str, family: str) -> Path:
    """Where a family is recorded."""
    return folder / arch / f"{family.replace(' ', '_')}.npz"


def record(found: Mapping[str, Array], path: Path) -> dict[str, Array]:
    """Add results to a file, which keeps those that it has; what it had."""
    known = load(path) if path.exists() else {}
    if set(found) <= set(known):
        return known
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}")
    with temporary.open("wb") as out:
        np.savez_compressed(out, **{**found, **known})  # type: ignore[arg-type]
    temporary.rename(path)
    return known


def load(path: Path) -> dict[str, Array]:
    """A recording."""
    with np.load(path) as recorded:
        return {key: recorded[key] for key in recorded.files}


def run_what_runs(target: Target, family: str) -> tuple[dict[str, Array], list[str]]:
    """The results of a family, and what failed: if the device refuses its module, each recorder is
    one of its own."""
    try:
        return run(target, FAMILIES[family]), []
    except DeviceError:
        pass
    found: dict[str, Array] = {}
    failed = []
    for one in FAMILIES[family]:
        try:
            found |= run(target, [one])
        except DeviceError as error:
            failed.append(f"{one.name}: {error}")
    return found, failed


# -- the list ------------------------------------------------------------------------------------


def listing(folder: Path = RECORDED) -> str:
    """The page of forms, in Markdown: which of them a device has confirmed."""
    keys = {key for path in sorted(folder.glob("*/*.npz")) for key in load(path)}
    confirmed = {key.partition("|")[0] for key in keys}
    proved = {form for name in confirmed & set(RECORDERS) for form in RECORDERS[name].forms}
    rest = sorted(FORMS - proved)
    told = {form for one in RECORDERS.values() if one.expected for form in one.forms}
    lines = [
        "# Instruction forms of the simulated GPU",
        "",
        "`make docs` makes this page. The simulated GPU models these forms of instructions by the",
        "manual, NVIDIA's PTX ISA 9.0. Each has a recorder in `tests/runtime/gpu`, a small kernel",
        "whose results can be recorded on a device by `instruction_forms.py`; the simulator is",
        "compared with that. Tests refuse kernels with forms that have none.",
        "",
        f"{len(FORMS)} forms in {len(RECORDERS)} recorders: {len(FORMS) - len(rest)} confirmed by "
        f"a recording of a device, {len(rest)} resting on the manual alone.",
        "",
        "Resting on the manual alone; of those in italics, tests also compute what the manual says",
        "without the simulator:",
        "",
    ]
    families: dict[str, list[str]] = {}
    for form in rest:
        text = f"*`{form}`*" if form in told else f"`{form}`"
        families.setdefault(form.partition(".")[0], []).append(text)
    lines += [f"- {', '.join(names)}" for _, names in sorted(families.items())]
    return "\n".join(lines) + "\n"


# -- the command ---------------------------------------------------------------------------------


def check_family(kind: str, family: str, folder: Path) -> int:
    """Run a family on a device, and say how it compares; how many differences there are."""
    target = RuntimeTarget(devices.device(kind))
    skipped = [one for one in FAMILIES[family] if not one.runs_on(target.arch)]
    count = len(FAMILIES[family]) - len(skipped)
    if skipped:
        needed = sorted({one.arch for one in skipped})
        print(f"{family}: {len(skipped)} recorders need {', '.join(needed)}, not {target.arch}")
    if not count:
        return 0
    found, failed = run_what_runs(target, family)
    path = path_of(folder, target.arch, family)
    known = record(found, path)
    simulated = run(SimulatorTarget(checks=()), FAMILIES[family])
    wrong = {
        "what runs": failed,
        "the manual": wrong_results(found),
        "the simulated device": differences(simulated, found),
        "its recording": differences(found, known),
    }
    what = "compared with" if known else "recorded in"
    total = sum(map(len, wrong.values()))
    count -= len(failed)
    print(f"{family}: {count} recorders ran on {kind} ({target.arch}), {what} {path}", flush=True)
    for of, texts in wrong.items():
        if texts:
            print(f"{family}: {len(texts)} differences from {of}")
            for text in texts:
                print(f"  {text}")
    return total


def check_families(kind: str, families: Iterable[str], folder: Path, seconds: float) -> list[str]:
    """Run families, each in a process of its own; what went wrong, a sentence each."""
    return [text for name in families if (text := _checked(kind, name, folder, seconds))]


def _checked(kind: str, family: str, folder: Path, seconds: float) -> str:
    command = [sys.executable, __file__, "--device", kind, "--folder", str(folder), "--here"]
    try:
        code = subprocess.run([*command, "--only", family], check=False, timeout=seconds).returncode
    except subprocess.TimeoutExpired:
        return f"{family}: nothing after {seconds:g} s; its process was ended"
    return "" if code == 0 else f"{family}: failed, as said above"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--list", type=Path, metavar="FILE", help="write the list of forms")
    add("--device", choices=devices.KINDS, help="run all recorders there")
    add("--folder", type=Path, help="of recordings (the tests' own, for a GPU)")
    add("--only", action="append", choices=FAMILIES, metavar="FAMILY", help="only this family")
    add("--seconds", type=float, default=SECONDS, help="for each family (60)")
    add("--here", action="store_true", help="in this process")
    given = parser.parse_args(arguments)
    if given.device and given.folder is None and given.device != "gpu":
        parser.error("the simulated device confirms nothing: --folder says where it is recorded")
    return given


def main(arguments: Sequence[str] | None = None) -> int:
    given = parse(arguments)
    if given.list:
        given.list.write_text(listing())
    if not given.device:
        return 0
    reason = devices.why_not(given.device)
    if reason:
        sys.exit(f"there is no device {given.device} 0:0: {reason}")
    families, folder = given.only or list(FAMILIES), given.folder or RECORDED
    if given.here:
        try:
            return 1 if sum(check_family(given.device, each, folder) for each in families) else 0
        except DeviceError as error:
            sys.exit(f"{', '.join(families)}: {error}")
    failed = check_families(given.device, families, folder, given.seconds)
    print(f"{len(families) - len(failed)} of {len(families)} families of forms agree")
    print(*failed, sep="\n", end="\n" if failed else "")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
