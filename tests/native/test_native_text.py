"""The LLVM text of the native runtime is up to date and has only known dependencies."""

from __future__ import annotations

import re

import pytest

from penstock.codegen.link.relocatable import read_relocatable
from penstock.codegen.native import native_text
from penstock.codegen.objects.resident import resident_objects
from penstock.tools.project import native

NEEDED = {
    "pool": {
        "__register_atfork", "pthread_attr_destroy", "pthread_attr_init",
        "pthread_attr_setdetachstate", "pthread_attr_setstacksize", "pthread_create",
        "pthread_sigmask", "sched_yield", "syscall",
    },
    "call": {
        "PyDict_New", "PyDict_SetItem", "PyErr_CheckSignals", "PyErr_Clear", "PyErr_Occurred",
        "PyErr_SetInterrupt", "PyEval_RestoreThread", "PyEval_SaveThread", "PyLong_AsVoidPtr",
        "PyLong_FromLong", "PyObject_VectorcallDict", "PyThread_get_thread_ident",
        "PyTuple_GetItem", "PyTuple_New", "PyTuple_SetItem", "PyTuple_Size", "Py_DecRef",
        "Py_IncRef", "_Py_NoneStruct", "_Py_NotImplementedStruct", "native_failed",
        "native_first_look", "native_look", "native_recycled",
    },
    "memory": {
        "PyCapsule_GetPointer", "PyCapsule_IsValid", "PyCapsule_New", "PyCapsule_Type",
        "PyErr_Clear", "free", "madvise", "native_wrap", "posix_memalign",
    },
    "eager": {
        "PyErr_NoMemory", "PyErr_Occurred", "PyEval_GetFrame", "PyFloat_AsDouble",
        "PyFloat_Type", "PyFrame_GetBack", "PyFrame_GetCode", "PyIter_Next",
        "PyLong_AsLongLongAndOverflow",
        "PyLong_AsVoidPtr", "PyLong_FromLong", "PyLong_Type", "PyObject_CallFunctionObjArgs",
        "PyTuple_New", "PyTuple_SetItem", "PyType_GenericAlloc", "PyType_IsSubtype", "Py_DecRef",
        "Py_IncRef", "_Py_FalseStruct", "_Py_NoneStruct", "_Py_NotImplementedStruct",
        "_Py_TrueStruct", "free", "memcpy", "native_array", "native_call", "native_is_array",
        "native_is_usual", "native_overwrite", "native_view", "pthread_getspecific",
        "pthread_key_create", "pthread_setspecific", "realloc",
    },
    "change": {
        "PyErr_Occurred", "PyLong_AsLongLong", "PyLong_FromLong", "PyType_IsSubtype", "Py_DecRef",
        "Py_IncRef", "_Py_NoneStruct", "_Py_NotImplementedStruct", "_Py_TrueStruct", "eager",
        "memmove", "native_changes_of", "native_flags_key", "native_is_array", "native_is_usual",
        "native_line", "pthread_getspecific",
    },
    "backward": {
        "PyDict_GetItem", "PyDict_New", "PyDict_SetItem", "PyErr_BadInternalCall",
        "PyErr_CheckSignals", "PyErr_NoMemory", "PyErr_Occurred", "PyList_Append", "PyList_New",
        "PyLong_AsLongLong", "PyObject_CallFunctionObjArgs", "PySequence_GetItem",
        "PySequence_Size", "PyTuple_GetItem", "PyTuple_New", "PyTuple_SetItem", "PyTuple_Size",
        "PyTuple_Type", "PyType_IsSubtype", "Py_DecRef", "Py_IncRef", "_Py_FalseStruct",
        "_Py_NoneStruct", "_Py_NotImplementedStruct", "eager", "free", "native_array",
        "native_call", "native_is_array", "native_is_memory", "native_is_usual",
        "native_known_op", "native_flags_key", "native_new_tensor", "native_view",
        "pthread_getspecific", "realloc",
    },
    "ranks": {
        "clock_gettime", "memcpy", "nanosleep", "pthread_create", "pthread_join",
        "pthread_sigmask", "sched_yield", "syscall",
    },
    "profile": {"clock_gettime"},
    "library": {
        "aligned_alloc", "free", "getenv", "library.levels", "library.needs", "memcpy", "memset",
        "penstock_parallel_for", "penstock_pool", "penstock_resize", "pthread_once",
        "sched_getaffinity", "strtol",
    },
    "taps": {
        "PyErr_CheckSignals", "PyErr_Fetch", "PyErr_NoMemory", "PyErr_NormalizeException",
        "PyEval_RestoreThread", "PyEval_SaveThread", "PyException_SetTraceback", "PyList_Append",
        "PyList_GetSlice", "PyList_SetSlice", "PyList_Size", "PyLong_FromLong",
        "PyLong_FromVoidPtr", "PyOS_InterruptOccurred", "PyObject_CallFunctionObjArgs",
        "PyThread_get_thread_ident", "PyTuple_GetItem", "PyTuple_Size", "Py_DecRef", "Py_IncRef",
        "clock_gettime", "memcpy", "native_claim_block", "native_main_thread", "native_own",
        "native_result", "native_wrap",
    },
}  # fmt: skip
"""The undefined symbols of each object; the compiler must not introduce others."""

NAMES = sorted(native.SOURCES)


def test_every_text_is_known() -> None:
    assert set(NEEDED) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_text_is_compiled_from_the_current_sources(name: str) -> None:
    assert native.recorded(name)[1] == native.sources_digest(name), "run `make native`"


@pytest.mark.parametrize("name", NAMES)
def test_a_text_is_unmodified_output_of_clang(name: str) -> None:
    assert native.recorded(name)[2] == native.text_digest(native_text(name))


@pytest.mark.parametrize("name", NAMES)
def test_the_same_clang_writes_the_same_text(name: str) -> None:
    version = native.recorded(name)[0]
    if native.clang_version() != version:
        pytest.skip(f"clang {version} is not installed")
    assert native.made_text(name) == native_text(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_text_names_neither_machine_nor_compiler(name: str) -> None:
    _, _, text = native_text(name).partition("; sources: ")
    assert not re.search(r"source_filename|llvm\.ident|clang version|/|;\s*ModuleID", text)


def test_the_code_that_selects_the_level_runs_on_any_processor() -> None:
    processors = set(re.findall(r'"target-cpu"="([^"]*)"', native_text("library")))
    assert processors == {"x86-64"}


@pytest.mark.parametrize("name", NAMES)
def test_objects_need_only_known_symbols(name: str) -> None:
    (code,) = resident_objects([native_text(name)])
    symbols = read_relocatable(code, name).symbols
    found = {symbol.name for symbol in symbols if symbol.is_global and symbol.section is None}
    assert found == NEEDED[name]
