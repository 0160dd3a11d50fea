"""The user's cache of compiled code: where it is, and whether this process may write to it."""

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
"""The environment variable that asks for tiles that `penstock tune` has measured."""
_COMPILER = ("penstock.ir", "penstock.passes", "penstock.codegen")
"""What makes code of the text of a job; the frontend, which makes that text, is no part."""


def user_store() -> Store | None:
    """The user's cache of compiled code; None where it is off.

    `PENSTOCK_CACHE_DIR` names its folder, and `PENSTOCK_CACHE=off` does without. Raises a located
    ValueError where that is neither off nor on.
    """
    folder = cache_folder()
    return None if folder is None else _store(folder)


def cache_folder() -> Path | None:
    """Where the user's cache is; None and errors as of `user_store`."""
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
        # Without its sources, one version of the compiler is not told from another.
        return None
    # Looked at after the digest, so that this is of the sources that were loaded.
    if has_changed():
        return None
    return Store(folder, lambda text: tell_once(f"cache {folder}", text))


def has_changed() -> bool:
    """Whether the compiler's sources are no longer those that this process loaded; told once.

    What it makes is neither what the old version makes nor what the new one does.
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
