"""The container of artifacts, as zip tools and as the runtime read it."""

import io
import zipfile
from hashlib import sha256

import pytest

from penstock.runtime.artifacts import archive
from penstock.runtime.artifacts.archive import deflated, inflated, pack, parse, stored
from penstock.runtime.artifacts.artifact_error import ArtifactError

MEMBERS = {
    "manifest.json": deflated(b'{"a":1}' * 100),
    "code/x86-64-v2.so": deflated(bytes(range(256)) * 40),
    "stages/gr%C3%B6/job.mlir": deflated(b"module {}\n" * 50),
    "short": deflated(b"ab"),
    "empty": deflated(b""),
    "variables.safetensors": stored(b"\0" * 1000),
}


def test_zip_tools_read_it() -> None:
    with zipfile.ZipFile(io.BytesIO(pack(MEMBERS))) as file:
        assert file.testzip() is None
        assert file.namelist() == list(MEMBERS)
        assert file.read("manifest.json") == b'{"a":1}' * 100
        assert file.read("variables.safetensors") == bytes(1000)
        assert file.getinfo("variables.safetensors").compress_type == zipfile.ZIP_STORED
        assert file.getinfo("short").date_time == (1980, 1, 1, 0, 0, 0)
        assert file.getinfo("short").external_attr >> 16 == 0o100644


def test_archives_round_trip() -> None:
    data = pack(MEMBERS)
    found = parse(data, "a file")
    assert list(found) == list(MEMBERS)
    for name, member in found.items():
        assert member.is_compressed == MEMBERS[name].is_compressed
        assert member.sha256 == MEMBERS[name].sha256
        assert inflated(name, member, "a file") == inflated(name, MEMBERS[name], "")
    assert pack(found) == data


def test_the_digest_is_at_the_end() -> None:
    data = pack(MEMBERS)
    assert data[-64:].decode() == sha256(data[:-64]).hexdigest()
    assert data[:-64].endswith(b"penstock artifact 1 sha256 ")


def test_members_are_compressed_only_if_that_saves_space() -> None:
    assert deflated(b"a" * 100).is_compressed
    assert not deflated(b"ab").is_compressed
    assert not stored(b"a" * 100).is_compressed
    assert not deflated(bytes(archive.LARGEST_INFLATED + 1)).is_compressed


def test_a_file_that_would_be_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "LARGEST_FILE", (1 << 20) + 1000)
    with pytest.raises(ValueError, match="an artifact holds at most 4 GiB"):
        pack({"a": stored(bytes(900)), "b": stored(bytes(900))})


def test_content_that_is_not_what_it_declares() -> None:
    member = deflated(b"a" * 100)
    for size in (0, 99, 101, 1 << 20):
        with pytest.raises(ArtifactError, match=f"x: .* not of the {size} bytes it declares"):
            inflated("x", member._replace(size=size), "x")
    with pytest.raises(ArtifactError, match=r"x: .* cannot be inflated \(Error -3"):
        inflated("x", member._replace(data=b"\xff" * 10), "x")
