"""The record of `penstock tune`: the tiles that ran fastest on this machine.

Jobs use it only if the environment says so: `PENSTOCK_TUNED=on` reads the record in the user's
cache; any other value but `off` is the path of a record.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from penstock.basics.errors import located
from penstock.basics.notices import tell_once
from penstock.lowering.user_cache import TUNED, cache_folder

VERSION = f"{version('penstock')} 1"
"""Penstock's version, and that of the format: tiles of other versions may mean something else."""


def default_path() -> Path:
    """The default path of the record.

    Raises a located ValueError if the user has no cache, or if the record there may not be the
    user's own (the rule for all cache entries).
    """
    from penstock.codegen.cache import distrust

    folder = cache_folder()
    if folder is None:
        raise located(
            ValueError, "there is no cache to keep the tuning record in: name a file instead"
        )
    path = folder / "tiles.json"
    with contextlib.suppress(FileNotFoundError):
        trouble = distrust(os.stat(path))
        if trouble:
            raise located(ValueError, f"{path} {trouble}: remove it, and tune again")
    return path


def selected_record() -> Path | None:
    """The path that the environment selects; a located ValueError if there is no such file."""
    chosen = os.environ.get(TUNED, "")
    if chosen.lower() in ("", "off", "0"):
        return None
    if chosen.lower() in ("on", "1"):
        return default_path()
    if not os.path.exists(chosen):
        raise located(
            ValueError,
            f"{TUNED} names the file {chosen!r}, which is not there; set it to on for the record "
            "in the cache, to the path of one that penstock tune wrote, or to off",
        )
    return Path(chosen)


def entries(level: str) -> list[str]:
    """The selected record's choices for a processor level, by shape.

    A record of another version has none, since its tiles may mean something else.
    """
    path = selected_record()
    if path is None:
        return []
    if not path.exists():
        tell_once(f"tiles {path}", f"{path} is not there yet: run penstock tune")
        return []
    record = read(path)
    if record is None:
        tell_once(f"tiles {path}", f"{path} is of another version of penstock: tune again")
        return []
    return [f"{shape} {choice}" for shape, choice in sorted(record.get(level, {}).items())]


def read(path: Path) -> dict[str, dict[str, str]] | None:
    """For each level, the choice for each shape; empty if there is no file, None for another
    version.

    Raises a located ValueError for a file that is not a record.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise located(
            ValueError,
            f"{path}: cannot be read: {error.strerror}; expected a record of penstock tune, which "
            f"{TUNED} or --output names",
        ) from None
    except UnicodeDecodeError:
        text = ""
    from penstock.passes.costs.choice import Choice

    try:
        found: Any = json.loads(text)
        if found["version"] != VERSION:
            return None
        return {
            str(level): {str(shape): str(Choice.parse(choice)) for shape, choice in choices.items()}
            for level, choices in found["levels"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise located(
            ValueError,
            f"{path} is not a record of penstock tune: expected JSON with a version and, under "
            "levels, for each level the choice for each shape; remove it, and tune again",
        ) from None


def add(path: Path, level: str, choices: Mapping[str, str]) -> None:
    """Merge choices into the record, atomically; they replace older ones of the same shapes.

    Its folder must exist.
    """
    record = read(path) or {}
    record[level] = {**record.get(level, {}), **choices}
    text = json.dumps({"version": VERSION, "levels": record}, indent=1, sort_keys=True)
    descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=".tiles-")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
