"""The user's cache of compiled code: its location, and whether this process may write to it."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.basics.errors import located
from penstock.basics.notices import tell_once
from penstock.ir import LOADED_AT

if TYPE_CHECKING:
    from penstock.codegen.cache import Store

TUNED = "PENSTOCK_TUNED"
"""The environment variable that selects the tiles measured by `penstock tune`."""
_COMPILER = ("penstock.ir", "penstock.passes", "penstock.codegen")
"""The packages that turn a job's text into code; the frontend only makes that text."""


def user_store() -> Store | None:
    """The user's cache of compiled code; None if it is off.

    `PENSTOCK_CACHE_DIR` names its folder; `PENSTOCK_CACHE=off` disables it. Raises a located
    ValueError for a value other than off and on.
    """
    folder = cache_folder()
    return None if folder is None else _store(folder)


def cache_folder() -> Path | None:
    """The folder of the user's cache; None and errors are as for `user_store`."""
    from penstock.codegen.cache import user_folder

    try:
        return user_folder(os.environ)
    except ValueError as error:
        raise located(ValueError, str(error)) from None


@cache
def _store(folder: Path) -> Store | None:
    from penstock.codegen.cache import Store

    try:
        compiler_digest()
    except FileNotFoundError:
        # Without sources there is no way to tell versions of the compiler apart.
        return None
    # Checked after the digest, so that the digest is of the sources that were loaded.
    if has_changed():
        return None
    return Store(folder, lambda text: tell_once(f"cache {folder}", text))


def has_changed() -> bool:
    """Whether the compiler's sources changed since this process loaded them; reported once.

    Code compiled by such a process belongs to neither the old version nor the new one.
    """
    from penstock.codegen.cache import sources_changed

    changed = sources_changed(_sources(), LOADED_AT)
    if changed:
        tell_once(
            "sources",
            "the sources of penstock changed after this program loaded it, so what it compiles "
            "from here on is not kept; start it anew",
        )
    return changed


@cache
def _sources() -> list[str]:
    from penstock.codegen.cache import source_paths

    return source_paths(_COMPILER)


@cache
def compiler_digest() -> str:
    from penstock.codegen.cache import source_digest
    from penstock.codegen.host import version

    return source_digest(["penstock.ir", "penstock.passes"]) + version()
