import ctypes
import gc
import os
import resource
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from penstock.codegen.link.shared_object import shared_object
from penstock.codegen.objects import llvm
from penstock.codegen.writer import LLVMText
from penstock.runtime.native import shared_code
from penstock.runtime.native.shared_code import SharedCode, load_shared


def code_of(number: int) -> bytes:
    """A shared object whose `answer` returns a number."""
    text = f"define i32 @answer() nounwind {{ ret i32 {number} }}\n"
    return shared_object([llvm.compile_object(LLVMText(text, ()), "x86-64-v2")], ["answer"])


def answer(code: SharedCode) -> int:
    return int(ctypes.CFUNCTYPE(ctypes.c_int)(code.address("answer"))())


def mapped(name: str) -> int:
    return Path("/proc/self/maps").read_text().count(name)


def test_symbols_of_many_objects_are_distinct() -> None:
    """Each is loaded from a file descriptor whose number is reused at once."""
    codes = [load_shared(code_of(number), "many") for number in range(40)]
    assert [answer(code) for code in codes] == list(range(40))


def test_loading_the_same_bytes_twice_gives_two_objects() -> None:
    image = code_of(3)
    first, second = load_shared(image, "one"), load_shared(image, "two")
    assert first.address("answer") != second.address("answer")


def test_file_descriptors_do_not_leak() -> None:
    before = len(os.listdir("/proc/self/fd"))
    kept = [load_shared(code_of(number), "descriptor") for number in range(5)]
    assert len(os.listdir("/proc/self/fd")) == before
    assert answer(kept[4]) == 4


def test_code_is_unloaded_with_its_object() -> None:
    code = load_shared(code_of(1), "going")
    assert mapped("penstock going") > 0
    del code
    gc.collect()
    assert mapped("penstock going") == 0


def test_no_page_is_written_and_run() -> None:
    code = load_shared(code_of(1), "rights")
    rights = [
        line.split()[1]
        for line in Path("/proc/self/maps").read_text().splitlines()
        if "penstock rights" in line
    ]
    assert answer(code) == 1
    assert "r-xp" in rights
    assert not [right for right in rights if "w" in right and "x" in right]
    # Even addresses are read-only by now.
    assert not [right for right in rights if "w" in right]


@pytest.mark.parametrize("symbol", ["exp", "system", "_DYNAMIC", "nothing", "", "not a name"])
def test_only_its_own_exports_are_found(symbol: str) -> None:
    """Not the symbols of its dependencies."""
    code = load_shared(code_of(1), "mine")
    with pytest.raises(ValueError, match=rf"the code mine has no symbol '{symbol}'; build it"):
        code.address(symbol)


@pytest.mark.parametrize("size", [0, 1, 63])
def test_other_files_are_refused(size: int) -> None:
    with pytest.raises(OSError, match=r"^the code torn cannot be loaded: [^/]*$"):
        load_shared(code_of(1)[:size], "torn")


def test_an_image_that_is_cut_off_is_refused() -> None:
    """The linker would map the missing part, and the first access would crash with SIGBUS."""
    image = code_of(1)
    refused = []
    for size in range(64, len(image), 61):
        try:
            code = load_shared(image[:size], "cut")
        except OSError as error:
            refused.append(str(error))
        else:
            # Only unmapped data is missing: the debugging tables after all segments.
            assert len(image) - size < 2000
            assert answer(code) == 1
    assert len(refused) > 5
    assert all(text.startswith("the code cut cannot be loaded: ") for text in refused)


def test_a_limit_on_the_size_of_files_is_named() -> None:
    image = code_of(1)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, hard))
    try:
        with pytest.raises(OSError, match="cannot be loaded: the limit on .*ulimit -f") as caught:
            load_shared(image, "large")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert str(caught.value).endswith(f"allow at least {len(image):,} bytes")


def test_missing_dependencies_are_refused() -> None:
    text = "declare i32 @penstock_missing()\ndefine i32 @answer() nounwind {\n"
    text += "  %a = call i32 @penstock_missing()\n  ret i32 %a\n}\n"
    image = shared_object([llvm.compile_object(LLVMText(text, ()), "x86-64-v2")], ["answer"])
    with pytest.raises(OSError, match="undefined symbol: penstock_missing"):
        load_shared(image, "wanting")


@pytest.mark.parametrize("name", ["größe" * 60, "a/b\n c", "\udcff", ""])
def test_names_with_any_characters(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_code, "_in_folder", None)  # memory does
    assert answer(load_shared(code_of(5), name)) == 5


def test_loading_without_memfd(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(1, "not permitted")

    monkeypatch.setattr(os, "memfd_create", refuse)
    folder = tmp_path / "ä \udcff"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    codes = [load_shared(code_of(number), "file") for number in range(3)]
    assert [answer(code) for code in codes] == [0, 1, 2]
    assert not list(folder.iterdir())


def test_threads_load_at_the_same_time() -> None:
    images = [code_of(number) for number in range(8)]
    found: dict[int, int] = {}

    def load(number: int) -> None:
        found[number] = answer(load_shared(images[number], "thread"))

    threads = [threading.Thread(target=load, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: number for number in range(8)}


def test_code_stays_loaded_at_process_exit(tmp_path: Path) -> None:
    """A thread may be executing it until the end."""
    (tmp_path / "code.so").write_bytes(code_of(7))
    program = """
import atexit, ctypes, sys
from penstock.runtime.native.shared_code import load_shared
code = load_shared(open(sys.argv[1], "rb").read(), "last")
answer = ctypes.CFUNCTYPE(ctypes.c_int)(code.address("answer"))
atexit.register(lambda: print(answer()))
atexit._run_exitfuncs(); print(answer())
"""
    command = [sys.executable, "-c", program, str(tmp_path / "code.so")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "7\n7\n"
