"""The LLVM text of the native runtime: made of the sources that are here, and needing no more."""

from __future__ import annotations

import re

import pytest

from penstock.codegen.native import native_text
from penstock.codegen.relocatable import read_relocatable
from penstock.codegen.resident import resident_objects
from penstock.tools import native

NEEDED = {
    "pool": {
        "__register_atfork", "pthread_attr_destroy", "pthread_attr_init",
        "pthread_attr_setdetachstate", "pthread_attr_setstacksize", "pthread_create",
        "pthread_sigmask", "sched_yield", "syscall",
    },
}  # fmt: skip
"""What each object needs of others; the compiler must not make up calls of its own."""

NAMES = sorted(native.SOURCES)


def test_every_text_is_known() -> None:
    assert set(NEEDED) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_text_was_made_of_the_sources_that_are_here(name: str) -> None:
    assert native.recorded(name)[1] == native.sources_digest(name), "run `make native`"


@pytest.mark.parametrize("name", NAMES)
def test_the_same_clang_makes_the_same_text(name: str) -> None:
    version = native.recorded(name)[0]
    if native.clang_version() != version:
        pytest.skip(f"clang {version} is not installed")
    assert native.made_text(name) == native_text(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_text_names_neither_machine_nor_compiler(name: str) -> None:
    _, _, text = native_text(name).partition("; sources: ")
    assert not re.search(r"source_filename|llvm\.ident|clang version|/|;\s*ModuleID", text)


@pytest.mark.parametrize("name", NAMES)
def test_an_object_needs_what_is_known(name: str) -> None:
    (code,) = resident_objects([native_text(name)])
    symbols = read_relocatable(code, name).symbols
    found = {symbol.name for symbol in symbols if symbol.is_global and symbol.section is None}
    assert found == NEEDED[name]
