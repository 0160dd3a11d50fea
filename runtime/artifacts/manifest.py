"""The manifest of an artifact: its contents, its targets, and what binds its parts together.

It is JSON in canonical form, with sorted keys and no spaces, so equal contents are equal bytes. Its
*seal* is a digest of everything in it except the sums of code. The code members contain the seal,
so native code is never called through a description that it was not compiled with. The seal does
not cover the values of variables, which change.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from penstock.runtime.artifacts.archive import FORMAT
from penstock.runtime.artifacts.artifact_error import ArtifactError
from penstock.runtime.artifacts.ranks_fit import Own, misfit
from penstock.runtime.description import ABI, Description, shown
from penstock.runtime.native import processor

__all__ = [
    "LEVELS",
    "MANIFEST",
    "NATIVES",
    "RANKS",
    "VARIABLES",
    "Manifest",
    "code_member",
    "cubin_member",
    "gpu_members",
    "stage_member",
]

MANIFEST = "manifest.json"
VARIABLES = "variables.safetensors"
NATIVES = "code/native.so"
"""The thread pool and the native call, for a process that has none yet."""
RANKS = "code/ranks.so"
"""The exchange between ranks over MPI, in a file with jobs of several ranks."""
LEVELS = tuple(processor.LEVELS)
"""Processor levels; each also runs the code of those before it."""
PLATFORM = "x86_64-linux"

SEAL = b"penstock sealed\0"
"""Precedes the seal in a code member, so that it is found without loading the code."""

# Maximum size of a manifest or a report, checked before parsing; a value takes under 200 bytes.
_LARGEST = 4 << 20
_MOST_VALUES = 200_000

_HALVES = re.compile("[\ud800-\udfff]")
_STAGES = ("job", "grad", "placed", "fused", "loops")
_ARCHITECTURE = re.compile(r"sm_[1-9][0-9]{1,2}[af]?")
_DEVICE = re.compile(r"gpu 0:[0-9]{1,2}|gpu-sim 0:0")
_KEYS = ("abi", "arenas", "format", "jobs", "members", "penstock", "platform", "stages", "targets")


def code_member(level: str) -> str:
    """The member with the jobs' code for a processor level."""
    return f"code/{level}.so"


def stage_member(job: str, stage: str, level: str) -> str:
    """The member with the text of a job at a stage; at `loops` each level has its own.

    >>> stage_member("train_job", "loops", "x86-64-v3")
    'stages/train_job/loops.x86-64-v3.mlir'
    """
    return f"stages/{in_member(job)}/{stage}{f'.{level}' if stage == 'loops' else ''}.mlir"


def report_member(job: str, level: str) -> str:
    """The member that says how each blob of a job is computed and stored."""
    return f"reports/{in_member(job)}.{level}.json"


def gpu_members(job: str, architecture: str) -> tuple[str, str, str]:
    """The members of a job for GPUs: its description with the launch plan, its constants, its code.

    >>> gpu_members("train_job", "sm_80")[2]
    'gpu/train_job.sm_80.ptx'
    """
    stem = f"gpu/{in_member(job)}.{architecture}"
    return f"{stem}.json", f"{stem}.constants", f"{stem}.ptx"


def cubin_member(job: str, architecture: str) -> str:
    """The member with machine code for GPUs of an architecture."""
    return f"gpu/{in_member(job)}.{architecture}.cubin"


def in_member(name: str) -> str:
    """A name as it appears in member names, which are ASCII.

    >>> in_member("größe")
    'gr%C3%B6%C3%9Fe'
    """
    return "".join(
        letter if letter.isascii() and (letter.isalnum() or letter == "_") else
        "".join(f"%{byte:02X}" for byte in letter.encode())
        for letter in name
    )  # fmt: skip


def sized_name(job: str, size: int) -> str:
    """The name of a job for a batch size.

    >>> sized_name("predict_job", 8)
    'predict_job@8'
    """
    return f"{job}@{size}"


def base_and_size(name: str) -> tuple[str, int | None]:
    """The name of a job without its batch size, and that size, if it has one.

    >>> base_and_size("predict_job@8"), base_and_size("predict_job")
    (('predict_job', 8), ('predict_job', None))
    """
    base, size = _base_and_number(name, "@")
    return (base, size) if size else (name, None)


def ranked_name(job: str, rank: int) -> str:
    """The name of one rank of a job of several.

    >>> ranked_name("train_job", 1)
    'train_job#1'
    """
    return f"{job}#{rank}"


def base_and_rank(name: str) -> tuple[str, int | None]:
    """The name of a job without its rank, and that rank, if it has several.

    >>> base_and_rank("predict_job@8#0"), base_and_rank("predict_job@8")
    (('predict_job@8', 0), ('predict_job@8', None))
    """
    return _base_and_number(name, "#")


def _base_and_number(name: str, mark: str) -> tuple[str, int | None]:
    base, found, digits = name.rpartition(mark)
    is_number = found and base and digits.isascii() and digits.isdigit() and len(digits) < 19
    return (base, int(digits)) if is_number and str(int(digits)) == digits else (name, None)


class Manifest:
    """A parsed and checked manifest."""

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self.entries = entries
        self.penstock: str = entries["penstock"]
        """The version that compiled it."""
        self.targets: tuple[str, ...] = tuple(entries["targets"])
        """The processor levels that it has code for, in the order of `LEVELS`."""
        self.jobs: tuple[str, ...] = tuple(job["job"] for job in entries["jobs"])
        gpu: Mapping[str, Any] = entries.get("gpu") or {"architectures": {}, "devices": {}}
        self.devices: Mapping[str, str] = gpu["devices"]
        """The devices of jobs that are placed on a GPU, such as `gpu 0:0`."""
        self.architectures: Mapping[str, Sequence[str]] = gpu["architectures"]
        """The architectures of GPUs that jobs have code for."""
        self.cubins: Mapping[str, Sequence[str]] = gpu.get("cubins", {})
        """Those of them that jobs have machine code for."""
        self._described = {job["job"]: job for job in entries["jobs"]}
        self._descriptions: dict[tuple[str, str], Description] = {}

    def description(self, job: str, level: str) -> Description:
        """The description of a job as compiled for a level; ValueError if it is malformed."""
        if (job, level) not in self._descriptions:
            entry = {**self._described[job], "arena": self.entries["arenas"][level][job]}
            self._descriptions[job, level] = Description.from_dict(entry)
        return self._descriptions[job, level]

    @property
    def ranks(self) -> Mapping[str, Sequence[str]]:
        """Of each job of several ranks, the names of these, in order."""
        found: dict[str, list[str]] = {}
        for name in self.jobs:
            base, rank = base_and_rank(name)
            if rank is not None:
                found.setdefault(base, []).append(name)
        return found

    def own(self, job: str) -> Own:
        """What ranks of a job have of their own; nothing unless it is of the mirrored view."""
        found = self.entries.get("mirrored", {}).get(job)
        if found is None:
            return Own()
        return Own(*(frozenset(found[word]) for word in ("feeds", "results", "blobs")))

    def stages(self, job: str) -> tuple[str, ...]:
        """The stages of a job whose text is in the file."""
        return tuple(self.entries["stages"][job])

    @property
    def members(self) -> Mapping[str, Mapping[str, Any]]:
        """Sizes of the other members except the variables, and sums of their bytes in the file."""
        members: Mapping[str, Mapping[str, Any]] = self.entries["members"]
        return members

    def seal(self) -> bytes:
        """The seal, with its marker, that the code members contain."""
        return seal_of(self.entries)


def seal_of(entries: Mapping[str, Any]) -> bytes:
    """The marker and the digest that code members carry as `penstock_seal`."""
    from hashlib import sha256

    members = entries["members"].items()
    sealed = {name: member for name, member in members if not name.startswith("code/")}
    return SEAL + sha256(canonical({**entries, "members": sealed})).digest()


def canonical(value: object) -> bytes:
    """The canonical text of a JSON value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def read_manifest(text: bytes, source: str) -> Manifest:
    """The manifest in these bytes, checked as far as it alone allows.

    Raises ArtifactError if it is malformed, or is for another version or another platform.
    """
    entries = _parsed(text, source)
    check = _Check(source)
    number = entries.get("format")
    if type(number) is int and number > FORMAT:
        raise ArtifactError(
            f"{source}: is an artifact of format {shown(number)}, and this penstock reads formats "
            f"up to {FORMAT}; update penstock, or compile the job again with this version"
        )
    check.that(number == FORMAT and type(number) is int, "format", f"{FORMAT}", number)
    optional: dict[str, Any] = {"gpu": None, "mirrored": {}}
    check.keys({**optional, **entries}, (*_KEYS, *optional), "the manifest")
    if entries["abi"] != ABI:
        raise ArtifactError(
            f"{source}: was compiled for ABI {shown(entries['abi'])}, and this penstock runs ABI "
            f"{ABI}; compile the job again with this version, or load it with rebuild=True"
        )
    if entries["platform"] != PLATFORM:
        raise ArtifactError(
            f"{source}: was compiled for {shown(entries['platform'])}, and this penstock runs on "
            f"{PLATFORM}; compile the job again for {PLATFORM}"
        )
    check.that(isinstance(entries["penstock"], str), "penstock", "a version", entries["penstock"])
    targets = check.strings(entries["targets"], "targets")
    known = [level for level in LEVELS if level in targets]
    check.that(known == targets and bool(known), "targets", f"some of {', '.join(LEVELS)}", targets)
    jobs = check.mappings(entries["jobs"], "jobs")
    check.that(bool(jobs), "jobs", "at least one job", jobs)
    for job in jobs:
        check.that("arena" not in job, "a job", "without an arena of its own", job)
        name = job.get("job")
        check.that(_is_name(name), "the name of a job", "text of up to 255 letters", name)
    names = [job["job"] for job in jobs]
    check.that(len(set(names)) == len(names), "the names of jobs", "different", names)
    stages = check.mapping(entries["stages"], "stages")
    check.keys(stages, names, "stages")
    for name in names:
        found = check.strings(stages[name], f"the stages of {shown(name)}")
        check.that(found == [s for s in _STAGES if s in found], "stages", "in order", found)
    arenas = check.mapping(entries["arenas"], "arenas")
    check.keys(arenas, targets, "arenas")
    for level in targets:
        check.keys(check.mapping(arenas[level], "an arena"), names, f"the arenas of {level}")
    _check_members(check, check.mapping(entries["members"], "members"))
    _check_gpu(check, entries.get("gpu"), names)
    _check_mirrored(check, check.mapping(entries.get("mirrored", {}), "mirrored"))
    manifest = Manifest(entries)
    for level in targets:
        for name in names:
            try:
                manifest.description(name, level)
            except ValueError as error:
                raise ArtifactError(f"{source}: {error}") from None
    _check_ranks(check, manifest)
    return manifest


def _check_ranks(check: "_Check", manifest: Manifest) -> None:
    """Check that the ranks of a job are all there and fit together."""
    for job, names in manifest.ranks.items():
        what = f"the ranks of job {shown(job)}"
        expected = [ranked_name(job, rank) for rank in range(len(names))]
        check.that(list(names) == expected and len(names) > 1, what, "0, 1, 2 and so on", names)
        check.that(job not in manifest.jobs, what, "there instead of the job itself", job)
        for level in manifest.targets:
            found = misfit([manifest.description(name, level) for name in names], manifest.own(job))
            check.that(not found, what, "parts of one job", found)
    for job in manifest.entries.get("mirrored", {}):
        check.that(job in manifest.ranks, "mirrored", "of jobs of several ranks", job)


def check_size(text: bytes, what: str) -> None:
    """Refuse JSON that would take much more memory parsed than as text.

    Raises ArtifactError.
    """
    values = text.count(b",") + text.count(b"{") + text.count(b"[")
    if len(text) > _LARGEST or values > _MOST_VALUES:
        raise ArtifactError(
            f"{what} has {len(text)} bytes with {values} values, more than an artifact's may have; "
            "make or copy it again"
        )


def _parsed(text: bytes, source: str) -> Mapping[str, Any]:
    check_size(text, f"{source}: its manifest")
    try:
        entries = json.loads(text)
        is_canonical = canonical(entries) == text
    except (ValueError, RecursionError):
        entries, is_canonical = None, False
    if not is_canonical or not isinstance(entries, dict):
        raise ArtifactError(
            f"{source}: its manifest is not JSON as penstock writes it; make or copy it again"
        )
    return entries


def _is_name(name: object) -> bool:
    # JSON can escape lone surrogates, which UTF-8 cannot encode.
    return isinstance(name, str) and len(name) <= 255 and not _HALVES.search(name)


def _check_gpu(check: "_Check", entry: Any, jobs: Sequence[str]) -> None:
    """Check what it says of GPUs, if it says anything."""
    if entry is None:
        return
    gpu = check.mapping(entry, "gpu")
    check.keys({"cubins": {}, **gpu}, ("architectures", "cubins", "devices"), "gpu")
    devices = check.mapping(gpu["devices"], "devices")
    architectures = check.mapping(gpu["architectures"], "architectures")
    known = [job for job in architectures if job in jobs]
    check.that(len(known) == len(architectures), "architectures", "those of jobs", known)
    for job, names in architectures.items():
        found = check.strings(names, f"the architectures of {shown(job)}")
        fits = found == sorted(set(found)) and all(map(_ARCHITECTURE.fullmatch, found))
        check.that(bool(found) and fits, "architectures", "like sm_80, each once", found)
    for job, names in check.mapping(gpu.get("cubins", {}), "cubins").items():
        found = check.strings(names, f"the cubins of {shown(job)}")
        fits = found == [name for name in architectures.get(job, ()) if name in found]
        check.that(bool(found) and fits, "cubins", "some of a job's architectures", found)
    for job, device in devices.items():
        fits = isinstance(device, str) and _DEVICE.fullmatch(device) is not None
        check.that(fits and job in architectures, f"the device of {shown(job)}", "a GPU", device)


def _check_mirrored(check: "_Check", mirrored: Mapping[str, Any]) -> None:
    """Check what it says of arrays that each rank has for itself, as far as that alone allows."""
    for job, entry in mirrored.items():
        what = f"the arrays of each rank of {shown(job)}"
        own = check.mapping(entry, what)
        check.keys(own, ("blobs", "feeds", "results"), what)
        check.strings(own["blobs"], f"the blobs of {what}")
        check.strings(own["feeds"], f"the feeds of {what}")
        numbers = own["results"]
        fits = isinstance(numbers, list) and all(type(n) is int and n >= 0 for n in numbers)
        check.that(fits, f"the results of {what}", "a list of numbers", numbers)


def _check_members(check: "_Check", members: Mapping[str, Any]) -> None:
    for name, member in members.items():
        what = f"member {shown(name)}"
        check.keys(check.mapping(member, what), ("bytes", "sha256"), what)
        size, digest = member["bytes"], member["sha256"]
        check.that(type(size) is int and size >= 0, f"the bytes of {what}", "a number", size)
        check.that(isinstance(digest, str), f"the sha256 of {what}", "a string", digest)


class _Check:
    """Checks a file's manifest and reports what is wrong."""

    def __init__(self, source: str) -> None:
        self.source = source

    def that(self, holds: bool, what: str, expected: str, got: object) -> None:
        if not holds:
            raise ArtifactError(
                f"{self.source}: its manifest is malformed: {what} must be {expected}, got "
                f"{shown(got)}; make or copy it again"
            )

    def keys(self, value: Mapping[str, Any], expected: Iterable[str], what: str) -> None:
        names = sorted(expected)
        holds = sorted(value) == names
        self.that(holds, f"the keys of {what}", shown(names), sorted(value))

    def mapping(self, value: Any, what: str) -> Mapping[str, Any]:
        self.that(isinstance(value, dict), what, "an object", value)
        found: Mapping[str, Any] = value
        return found

    def mappings(self, value: Any, what: str) -> list[Mapping[str, Any]]:
        self.that(isinstance(value, list), what, "a list", value)
        return [self.mapping(entry, f"an entry of {what}") for entry in value]

    def strings(self, value: Any, what: str) -> list[str]:
        fits = isinstance(value, list) and all(isinstance(entry, str) for entry in value)
        self.that(fits, what, "a list of strings", value)
        found: list[str] = value
        return found
