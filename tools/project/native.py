"""Compiles the C sources of the native runtime to the LLVM text that is shipped; developers run it.

Run `python -m penstock.tools.project.native`, or `make native`, after a change to the C sources. It
needs clang of the LLVM version that llvmlite has. The text records the digest of its sources and
the version of clang; it names no path, so the same clang makes the same text everywhere.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from penstock.codegen.native import ARCHITECTURE, FOLDER

CLANG = "clang-22"
SOURCES = {
    "pool": "x86-64-v2",
    "call": "x86-64-v2",
    "taps": "x86-64-v2",
    "memory": "x86-64-v2",
    "eager": "x86-64-v2",
    "change": "x86-64-v2",
    "backward": "x86-64-v2",
    "ranks": "x86-64-v2",
    "profile": "x86-64-v2",
    "library": "x86-64",
}
"""Each source, and the processor that it asks for."""

STRICT = (
    *("-std=c17", "-Werror", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow"),
    *("-Wstrict-prototypes", "-Wcast-qual", "-Watomic-implicit-seq-cst"),
)
"""The language, and what is an error in it; each atomic operation has to name its order."""
FREESTANDING = ("-ffreestanding", "-fno-builtin", "-nostdlibinc")
"""No header of the system is read, and the compiler makes up no calls to the C library."""

_OPTIONS = (
    *STRICT,
    *FREESTANDING,
    f"--target={ARCHITECTURE}-unknown-linux-gnu",
    "-O2",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-ident",
    "-fno-strict-aliasing",
    "-fno-stack-protector",
    "-fcf-protection=none",
    "-fno-asynchronous-unwind-tables",
    "-S",
    "-emit-llvm",
)
_HEAD = """\
; {name}.c as LLVM text, by clang {version}; `make native` makes it anew.
; sources: {digest}
; text: {text}
"""
_RECORDED = re.compile(
    r"; \w+\.c as LLVM text, by clang (\S+);.*\n; sources: ([0-9a-f]{64})\n; text: ([0-9a-f]{64})\n"
)
_VERSION = re.compile(r"clang version (\S+)")
_DROPPED = re.compile(r"(?:; ModuleID = |source_filename = |!llvm\.ident = ).*\n")


def clang_version() -> str:
    """The version of the clang that is installed, such as 22.1.8; empty where none is."""
    if shutil.which(CLANG) is None:
        return ""
    told = subprocess.run([CLANG, "--version"], capture_output=True, text=True, check=True).stdout
    found = _VERSION.search(told)
    return found[1] if found else ""


def text_path(name: str) -> Path:
    """Where the text of a source is."""
    return Path(FOLDER, f"{name}.{ARCHITECTURE}.ll")


def recorded(name: str) -> tuple[str, str, str]:
    """The version of clang that made the text, and the digests of its sources and of the text."""
    found = _RECORDED.match(text_path(name).read_text(encoding="ascii"))
    return (found[1], found[2], found[3]) if found else ("", "", "")


def text_digest(text: str) -> str:
    """The digest of a text, without its head."""
    return sha256(_RECORDED.sub("", text, count=1).encode()).hexdigest()


def sources_digest(name: str) -> str:
    """The digest of a source and of the headers, which stands in its text."""
    digest = sha256(" ".join(_options(name)).encode())
    for path in (Path(FOLDER, f"{name}.c"), *sorted(Path(FOLDER).glob("*.h"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def made_text(name: str) -> str:
    """The LLVM text that clang makes of a source now. Raises CalledProcessError where it fails."""
    command = [CLANG, *_options(name), f"{name}.c", "-o", "-"]
    run = subprocess.run(command, cwd=FOLDER, stdout=subprocess.PIPE, text=True, check=True)
    text = _without_ident(run.stdout)
    head = _HEAD.format(
        name=name, version=clang_version(), digest=sources_digest(name), text=text_digest(text)
    )
    return head + text


def _options(name: str) -> tuple[str, ...]:
    return (*_OPTIONS, f"-march={SOURCES[name]}", "-mtune=generic")


def _without_ident(text: str) -> str:
    """The text without the names of the file and the compiler."""
    ident = re.search(r"^!llvm\.ident = !\{(!\d+)\}\n", text, re.MULTILINE)
    if ident is not None:
        text = re.sub(rf"^{ident[1]} = .*\n", "", text, flags=re.MULTILINE)
    return _DROPPED.sub("", text)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="penstock.tools.project.native", description=__doc__)
    parser.parse_args(arguments)
    version = clang_version()
    if not version:
        print(f"the native runtime is C, and {CLANG} is not installed: apt-get install {CLANG}")
        return 1
    for name in SOURCES:
        text_path(name).write_text(made_text(name), encoding="ascii")
        print(f"{text_path(name).name} by clang {version}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
