"""Loading any corrupted artifact raises ArtifactError, quickly, in little memory, and executes and
writes nothing.

`PENSTOCK_ARTIFACT_FLIPS` and `PENSTOCK_ARTIFACT_MUTATIONS` set larger counts.
"""

import copy
import io
import json
import os
import random
import sys
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

import pytest
from effort import calls

import penstock.runtime
from penstock.runtime import ArtifactError, open_artifact
from penstock.runtime.artifacts.archive import Member, deflated, pack, parse, stored
from penstock.runtime.artifacts.manifest import (
    MANIFEST,
    SEAL,
    VARIABLES,
    Manifest,
    canonical,
    seal_of,
)

TRUNCATIONS = 64
FLIPS = int(os.environ.get("PENSTOCK_ARTIFACT_FLIPS", "125"))
MUTATIONS = int(os.environ.get("PENSTOCK_ARTIFACT_MUTATIONS", "50"))
SEED = int(os.environ.get("PENSTOCK_FUZZ_SEED", "0"))
CALLS = 1
"""The most function calls per byte of a file."""
ROOM = 64 << 20

Refused = Callable[[bytes], str]
Members = dict[str, bytes]

_FORBIDDEN = ("ctypes.dlopen", "exec", "compile", "os.system", "os.exec", "os.posix_spawn")
_FORBIDDEN_ROOTS = ("subprocess", "socket")


class _Watch:
    """Audited actions of the process; audit hooks cannot be removed."""

    on = False
    installed = False
    seen: ClassVar[list[str]] = []

    @classmethod
    def hook(cls, event: str, arguments: tuple[Any, ...]) -> None:
        # dlopen of the process itself: it frees code of another test.
        if not cls.on or (event == "ctypes.dlopen" and arguments[0] is None):
            return
        root = event.partition(".")[0]
        # Opening a file for writing has no audit event of its own.
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & 3
        if event in _FORBIDDEN or root in _FORBIDDEN_ROOTS or writes or event == "os.rename":
            cls.seen.append(f"{event} {arguments!r}"[:200])


@pytest.fixture(scope="module")
def refused(both: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Refused]:
    """Loads bytes as an artifact, which must be refused; returns the message without the path."""
    folder = tmp_path_factory.mktemp("attacked")
    path = folder / "attacked.pstk"
    # Everything is imported, the helpers are installed, and no garbage collection unloads code
    # meanwhile.
    sound = penstock.runtime.load(both)
    if not _Watch.installed:
        sys.addaudithook(_Watch.hook)
        _Watch.installed = True

    def attacked() -> pytest.ExceptionInfo[ArtifactError]:
        with pytest.raises(ArtifactError) as caught:
            penstock.runtime.load(path)
        return caught

    def load(data: bytes) -> str:
        path.write_bytes(data)
        _Watch.seen = []
        tracemalloc.start()
        _Watch.on = True
        try:
            caught, count = calls(attacked)
        finally:
            _Watch.on = False
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        assert not _Watch.seen
        assert count <= CALLS * len(data) + 100_000
        assert peak <= 2 * len(data) + ROOM
        assert [entry.name for entry in folder.iterdir()] == [path.name]
        text = str(caught.value)
        assert text.startswith(f"{path}: ")
        assert "\n" not in text
        return text.removeprefix(f"{path}: ")

    yield load
    assert sound
    path.unlink()


@pytest.fixture(scope="module")
def data(both: Path) -> bytes:
    return both.read_bytes()


@pytest.fixture
def members(both: Path) -> Members:
    """The members of the artifact, for tests to change."""
    file = open_artifact(both)
    return {name: file.content(name) for name in file.members}


def signed(data: bytes) -> bytes:
    """The file with a correct digest in its last 64 bytes."""
    return data[:-64] + sha256(data[:-64]).hexdigest().encode()


def packed(members: Members) -> bytes:
    """A file with these members and recomputed hashes in the manifest."""
    entries = json.loads(members[MANIFEST])
    entries["members"] = {
        name: {"bytes": len(content), "sha256": deflated(content).sha256}
        for name, content in members.items()
        if name not in (MANIFEST, VARIABLES)
    }
    return archive({**members, MANIFEST: canonical(entries)})


def archive(members: Members) -> bytes:
    """A file with these members, whatever their headers say."""
    return pack({n: (stored if n == VARIABLES else deflated)(c) for n, c in members.items()})


def test_the_unmodified_artifact_is_valid(both: Path, members: Members, data: bytes) -> None:
    assert packed(members) == data == signed(data)
    assert list(parse(data, "")) == list(members)


def test_truncated_files(refused: Refused, data: bytes) -> None:
    for number in range(TRUNCATIONS):
        text = refused(data[: len(data) * number // TRUNCATIONS])
        assert "is not an artifact" in text or "is cut short" in text


def test_flipped_bits(refused: Refused, data: bytes) -> None:
    choose = random.Random(SEED)
    for _ in range(FLIPS):
        bit = choose.randrange(8 * len(data))
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        refused(bytes(flipped))


def test_flipped_bits_with_a_recomputed_digest(
    refused: Refused, data: bytes, members: Members, tmp_path: Path
) -> None:
    choose = random.Random(SEED)
    end = data.index(members[VARIABLES])  # other values are valid, too
    for _ in range(FLIPS // 5):
        bit = choose.randrange(8 * end)
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        refused(signed(bytes(flipped)))


def mutated(value: Any, choose: random.Random) -> Any:
    """A JSON value with one change somewhere in it."""
    if isinstance(value, dict) and value and choose.random() < 0.9:
        name = choose.choice(list(value))
        change = choose.random()
        if change < 0.1:
            del value[name]
        elif change < 0.2:
            value[choose.choice(["", "format", "../a", name + "x", name.upper()])] = value.pop(name)
        else:
            value[name] = mutated(value[name], choose)
        return value
    if isinstance(value, list) and value and choose.random() < 0.9:
        place = choose.randrange(len(value))
        change = choose.random()
        if change < 0.1:
            del value[place]
        elif change < 0.2:
            value.insert(place, copy.deepcopy(choose.choice(value)))
        else:
            value[place] = mutated(value[place], choose)
        return value
    near: list[Any] = [value + n for n in (-1, 1, 1 << 32, 1 << 60)] if type(value) is int else []
    if isinstance(value, str):
        near = [value + "x", value[:-1], value.swapcase(), value[::-1], "/etc/passwd", "../../a"]
    return choose.choice(
        [*near, None, True, -1, 0, 1, 1e308, float("nan"), 1 << 63, 1 << 70, "", [], {}, [[]]]
    )


@pytest.mark.parametrize("recomputed", [False, True], ids=["as it is", "recomputed"])
def test_mutated_manifests(
    refused: Refused, members: Members, data: bytes, recomputed: bool
) -> None:
    entries = json.loads(members[MANIFEST])
    choose = random.Random(SEED)
    done = 0
    while done < MUTATIONS:
        changed = copy.deepcopy(entries)
        for _ in range(choose.choice([1, 1, 1, 2, 5])):
            changed = mutated(changed, choose)
        text = canonical(changed)
        if text == members[MANIFEST]:
            continue
        whole = archive({**members, MANIFEST: text})
        refused(whole if recomputed else whole[:-64] + data[-64:])
        done += 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "is an artifact of format 2, and this penstock reads formats up to 1"),
        ({"abi": 99}, "was compiled for ABI 99, and this penstock runs ABI 3; compile the job"),
        ({"platform": "aarch64_linux"}, "was compiled for 'aarch64_linux', and this penstock runs"),
        ({"targets": ["x86-64-v9"]}, "targets must be some of x86-64-v2, x86-64-v3, x86-64-v4"),
        ({"jobs": []}, "jobs must be at least one job, got []"),
    ],
)
def test_other_versions_and_machines(
    refused: Refused, members: Members, change: dict[str, Any], message: str
) -> None:
    text = canonical({**json.loads(members[MANIFEST]), **change})
    assert message in refused(archive({**members, MANIFEST: text}))


def test_a_newer_format_with_another_trailer(refused: Refused, data: bytes) -> None:
    newer = data.replace(b"penstock artifact 1 sha256 ", b"penstock artifact 27 blake3 ")
    assert "is an artifact of format 27" in refused(newer)


def test_a_shape_that_the_code_was_not_compiled_for(refused: Refused, members: Members) -> None:
    entries = json.loads(members[MANIFEST])
    entries["jobs"][0]["arguments"][1]["shape"] = [400, 5]
    text = refused(packed({**members, MANIFEST: canonical(entries)}))
    assert "was not compiled with this manifest" in text


def test_a_lone_surrogate_in_the_name_of_a_job(refused: Refused, members: Members) -> None:
    text = members[MANIFEST].replace(b'"train_job"', b'"\\ud800"')
    message = refused(archive({**members, MANIFEST: text}))
    assert "the name of a job must be text of up to 255 letters, got '\\ud800'" in message


class Counted(dict[str, Any]):
    """A dict that counts lookups in all such dicts."""

    asked = 0

    def __getitem__(self, key: str) -> Any:
        Counted.asked += 1
        return super().__getitem__(key)


def test_descriptions_are_looked_up_in_constant_time(members: Members) -> None:
    """A small file may have thousands of them."""
    entries = json.loads(members[MANIFEST])
    names = [f"job_{number}" for number in range(1000)]
    (level,) = entries["targets"]
    entries["jobs"] = [Counted(entries["jobs"][0], job=name) for name in names]
    entries["arenas"] = {level: {name: {"align": 64, "bytes": 0} for name in names}}
    manifest = Manifest(entries)
    Counted.asked = 0
    assert [manifest.description(name, level).job for name in names] == names
    assert Counted.asked <= len(names)


@pytest.mark.parametrize("key", ["type", "penstock", "platform", "job"])
def test_long_values_are_not_shown_whole(refused: Refused, members: Members, key: str) -> None:
    entries = json.loads(members[MANIFEST])
    place = entries["jobs"][0] if key in ("type", "job") else entries
    place[key] = "a\n" * 1_000_000
    assert len(refused(archive({**members, MANIFEST: canonical(entries)}))) < 500


def sealed(members: Members, entries: dict[str, Any]) -> bytes:
    """A file with this manifest and correct hashes, whose code belongs to it."""
    seal = seal_of(entries)
    found = {**members, MANIFEST: canonical(entries)}
    for name, content in members.items():
        if SEAL in content:
            at = content.index(SEAL)
            found[name] = content[:at] + seal + content[at + len(seal) :]
    return packed(found)


@pytest.mark.parametrize("size", [1 << 48, 1 << 60, 1 << 70])
@pytest.mark.parametrize("place", ["arena", "feed", "fetch", "tap", "rank"])
def test_absurd_sizes_are_malformed(
    refused: Refused, members: Members, place: str, size: int
) -> None:
    entries = json.loads(members[MANIFEST])
    job = entries["jobs"][0]
    if place == "arena":
        for jobs in entries["arenas"].values():
            jobs[job["job"]]["bytes"] = size
    elif place == "tap":
        job["taps"][0]["shape"] = [size]
    else:
        role = "feed" if place == "rank" else place
        chosen = next(argument for argument in job["arguments"] if argument["role"] == role)
        chosen["shape"] = [1] * 100 if place == "rank" else [0, size]
    assert "is malformed" in refused(sealed(members, entries))


def test_more_memory_than_available(both: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise MemoryError("Unable to allocate 8 EiB")

    monkeypatch.setattr(penstock.runtime.artifacts.artifact.VariableStore, "ensure", refuse)
    with pytest.raises(ArtifactError, match=r"both\.pstk: .* need more memory than there is"):
        penstock.runtime.load(both)


def test_changed_text_of_a_stage(refused: Refused, members: Members) -> None:
    name = "stages/train_job/fused.mlir"
    assert "was not compiled" in refused(packed({**members, name: members[name] + b"\n"}))


def test_invalid_code(members: Members, tmp_path: Path) -> None:
    name = next(name for name in members if name.startswith("code/x86"))
    seal = members[name][members[name].index(b"penstock sealed") :][:48]
    (tmp_path / "a.pstk").write_bytes(packed({**members, name: b"\x7fELF" + seal}))
    with pytest.raises(ArtifactError, match=r"a\.pstk: cannot be loaded: the code code/x86-64"):
        penstock.runtime.load(tmp_path / "a.pstk")


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b"[" * 900 + b"]" * 900,
        b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
        b"[" + b"[]," * 3_000_000 + b"[]]",
        b"[" + b"1," * 5_000_000 + b"1]",
        b'"' + b"a" * (20 << 20) + b'"',
        b'"' + b"a" * 1_000_000,
        b"1" * 1_000_000,
        b'{"format":1,"format":2}',
        b"\xff\xfe",
    ],
    ids=range(14),
)
def test_invalid_manifests(refused: Refused, members: Members, text: bytes) -> None:
    assert "manifest" in refused(archive({**members, MANIFEST: text}))


def test_spaces_in_a_manifest(refused: Refused, members: Members) -> None:
    text = json.dumps(json.loads(members[MANIFEST]), sort_keys=True).encode()
    assert "not JSON as penstock writes it" in refused(archive({**members, MANIFEST: text}))


def safetensors_bytes(header: object, body: bytes = b"") -> bytes:
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


@pytest.mark.parametrize(
    "values",
    [
        b"",
        b"\xff" * 8,
        (1 << 60).to_bytes(8, "little") + b"{}",
        safetensors_bytes([]),
        safetensors_bytes({}),
        safetensors_bytes({"x": {}}),
        safetensors_bytes({"x": {"dtype": "F32", "shape": [1 << 60], "data_offsets": [0, 4]}}),
        safetensors_bytes({"x": {"dtype": "F32", "shape": [1], "data_offsets": [-4, 0]}}),
        safetensors_bytes({"x": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}),
        safetensors_bytes({"x": {"dtype": "F32", "shape": [1 << 20] * 8, "data_offsets": [0, 4]}}),
        safetensors_bytes({"x": {"dtype": "C64", "shape": [], "data_offsets": [0, 4]}}, b"1234"),
        safetensors_bytes({"x": {"dtype": [], "shape": {}, "data_offsets": 3}}),
        safetensors_bytes({"x": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}, b"1234"),
        b"\x10\0\0\0\0\0\0\0" + b"[" * 16,
    ],
    ids=range(14),
)
def test_values_that_do_not_match_the_job(
    refused: Refused, members: Members, values: bytes
) -> None:
    refused(packed({**members, VARIABLES: values}))


def zipped(*entries: tuple[zipfile.ZipInfo | str, bytes], comment: bool = True) -> bytes:
    """A zip file of the standard library, with our comment and a correct digest at the end."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.comment = b"penstock artifact 1 sha256 " + b"0" * 64 if comment else b""
        for name, content in entries:
            archive.writestr(name, content)
    return signed(file.getvalue()) if comment else file.getvalue()


def link() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("manifest.json")
    info.external_attr = 0o120777 << 16
    return info


@pytest.mark.parametrize(
    "name",
    [
        "../a",
        "/a",
        "a/../../b",
        "a/./b",
        "a//b",
        "a/",
        "..",
        "a\\b",
        "a\0b",
        "a\nb",
        "",
        "ä",
        "a" * 300,
    ],
    ids=range(13),
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_names_that_escape_the_folder(refused: Refused, members: Members, name: str) -> None:
    honest = ("code/a", b"content")
    if name:
        assert "damaged" in refused(zipped(honest, (name, b"content")))
    # The same in a file of our format, except for that name.
    if 0 < len(name.encode()) < 255:
        data = archive({"m" * len(name.encode()): b"content"})
        refused(signed(data.replace(b"m" * len(name.encode()), name.encode())))
    with pytest.raises(ValueError, match="a member cannot be called"):
        archive({name: b"content"})


@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
def test_zip_files_of_other_writers(refused: Refused, members: Members) -> None:
    everything = list(members.items())
    assert "cut short, or a zip file that penstock did not write" in refused(
        zipped(*everything, comment=False)
    )
    refused(zipped(*everything))
    refused(zipped((link(), b"/etc/passwd")))
    refused(zipped(("manifest.json", b"{}"), ("manifest.json", b"{}")))


def test_two_members_of_one_name(refused: Refused, members: Members) -> None:
    data = archive({"member-a": b"content", "member-b": b"content"})
    assert "two members" in refused(signed(data.replace(b"member-b", b"member-a")))


def changed(data: bytes, find: bytes, offset: int, value: int, size: int = 4) -> bytes:
    """Each record of a kind with one number changed, and the digest recomputed."""
    result = bytearray(data)
    at = result.find(find)
    while at >= 0:
        result[at + offset : at + offset + size] = value.to_bytes(size, "little")
        at = result.find(find, at + 4)
    return signed(bytes(result))


LOCAL, CENTRAL, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"


@pytest.mark.parametrize("value", [0, 1, 0xFFFF_FFFE, 0xFFFF_FFFF, 1 << 31])
@pytest.mark.parametrize(
    ("record", "offset"),
    [
        (LOCAL, 14), (LOCAL, 18), (LOCAL, 22), (CENTRAL, 16), (CENTRAL, 20), (CENTRAL, 24),
        (CENTRAL, 38), (CENTRAL, 42), (END, 8), (END, 12), (END, 16),
    ],
)  # fmt: skip
def test_numbers_in_headers(refused: Refused, record: bytes, offset: int, value: int) -> None:
    data = archive({MANIFEST: b"{}", "code/a": b"content"})
    damaged = changed(data, record, offset, value)
    if damaged != data:
        assert "damaged" in refused(damaged)


def test_sizes_in_both_headers(refused: Refused) -> None:
    data = archive({MANIFEST: b"{}", "code/a": b"content" * 100})
    for size in (0, 6, 7 * 99, 0xFFFF_FFFF):
        both = changed(changed(data, LOCAL, 22, size), CENTRAL, 24, size)
        assert "damaged" in refused(both)


def test_a_zip_bomb(refused: Refused, members: Members) -> None:
    """A gigabyte of zeros in a megabyte, with declared sizes up to the limit of the directory and
    beyond.
    """
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    # Data that ends in a full flush can be repeated.
    block = deflater.compress(bytes(1 << 20)) + deflater.flush(zlib.Z_FULL_FLUSH)
    zeros = 1024 * block + deflater.flush()
    for name in (MANIFEST, "code/native.so", "code/bomb"):
        for declared in (1, 7, 1 << 20, 15 << 20, (1 << 30) - 1, 1 << 30):
            bomb = Member(8, 0, declared, zeros)
            entries = json.loads(members[MANIFEST])
            entries["members"][name] = {"bytes": declared, "sha256": bomb.sha256}
            whole = {**members, MANIFEST: canonical(entries)}
            packed = {n: (stored if n == VARIABLES else deflated)(c) for n, c in whole.items()}
            refused(pack({**packed, name: bomb}))


def test_bytes_outside_of_members(refused: Refused, data: bytes) -> None:
    end = data.rindex(END)
    refused(b"#!/bin/sh\n" + data)
    refused(data + b"\0")
    refused(signed(data[:end] + b"\0" + data[end:]))
    refused(signed(b"\0" * 4 + data))


def test_two_files_in_one(refused: Refused, data: bytes) -> None:
    assert "damaged" in refused(signed(data + data))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"PK\x05\x06" + bytes(18), bytes(1 << 20)])
def test_files_that_are_not_artifacts(refused: Refused, content: bytes) -> None:
    text = refused(content)
    assert "is not an artifact" in text or "is cut short" in text


def test_paths_that_are_not_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, reason in [
        (tmp_path / "none", "cannot be read: No such file or directory"),
        (tmp_path, "cannot be read: Is a directory"),
        (Path("/dev/zero"), "is not a file"),
        (tmp_path / "pipe", "is not a file"),
    ]:
        with pytest.raises(ArtifactError, match=reason):
            penstock.runtime.load(path)


@pytest.mark.parametrize("name", ["a\0b", "a\udcff\ud800"])
def test_a_path_that_no_file_can_have(name: str) -> None:
    with pytest.raises(ArtifactError, match=r"^'a.*': cannot be read: file names cannot have"):
        penstock.runtime.load(name)
