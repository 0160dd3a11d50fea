"""Reproducers: files that rerun a failed pass on its own."""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import tempfile
from importlib import metadata
from pathlib import Path

import numpy as np

FAILED, RUN = "// failed:", "// run:"
"""Prefixes of the comment lines with the error and with the command that reproduces it."""


def folder() -> Path:
    """The folder for reproducers: PENSTOCK_REPRODUCER_DIR, else a temporary folder of this user.

    The temporary folder is private: no other user can read it or plant files in it.
    """
    chosen = os.environ.get("PENSTOCK_REPRODUCER_DIR")
    if chosen:
        path = Path(chosen)
        path.mkdir(parents=True, exist_ok=True)
        return path
    path = Path(tempfile.gettempdir()) / f"penstock-{os.getuid()}"
    path.mkdir(mode=0o700, exist_ok=True)
    state = path.lstat()
    if path.is_symlink() or state.st_uid != os.getuid() or state.st_mode & 0o077:
        return Path(tempfile.mkdtemp(prefix="penstock-"))
    return path


def versions() -> str:
    """The versions and the platform that a failure may depend on, in one line."""
    ours = metadata.version("penstock")
    return (
        f"penstock {ours}, Python {platform.python_version()}, NumPy {np.__version__}, "
        f"{platform.system()} {platform.machine()}"
    )


def write(text: str, pipeline: str, failed: str, error: str, fuel: int | None = None) -> Path:
    """Write the IR before the failed pass, and how to rerun the pass as comments.

    Identical failures share one file. The file is written atomically.
    """
    options = "" if fuel is None else f" --fuel {fuel}"
    body = (
        f"{FAILED} {error.splitlines()[0] if error else ''}\n"
        f"{RUN} penstock opt --pipeline {shlex.quote(pipeline)}{options} <this file>\n"
        f"// {versions()}\n"
        f"{text}"
    )
    digest = hashlib.sha256(body.encode()).hexdigest()[:10]
    target = folder() / f"{failed}-{digest}.mlir"
    replace_file(target, body)
    return target


def replace_file(target: Path, text: str) -> None:
    """Write a file atomically."""
    handle, unfinished = tempfile.mkstemp(dir=target.parent, suffix=".unfinished")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(unfinished, target)
    except OSError:
        Path(unfinished).unlink(missing_ok=True)
        raise
