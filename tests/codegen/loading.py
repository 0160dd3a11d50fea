"""Code of tests in this process."""

from typing import NamedTuple

from penstock.codegen.program import Program
from penstock.codegen.shared_object import shared_object
from penstock.runtime.shared_code import SharedCode, load_shared


class Loaded(NamedTuple):
    """Where the entry of code begins, and what the code lives as long as."""

    address: int
    code: SharedCode


def load_object(code: bytes, entry: str, *more: bytes) -> Loaded:
    """Link an object with what it calls, and load it."""
    loaded = load_shared(shared_object([code, *more], [entry]), entry)
    return Loaded(loaded.address(entry), loaded)


def load_program(program: Program) -> Loaded:
    """Load a job."""
    entry = program.description["entry"]
    loaded = load_shared(program.image, entry)
    return Loaded(loaded.address(entry), loaded)
