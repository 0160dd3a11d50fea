"""`flow.save_library`: jobs compiled ahead of time for C programs, as a library and its header."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from penstock.artifacts.ahead import Values, build, check_path, write_file
from penstock.artifacts.sources import AnyJob
from penstock.basics.errors import located
from penstock.lowering.user_cache import user_store
from penstock.runtime.artifacts.manifest import base_and_rank
from penstock.trace.tracing import relocating

__all__ = ["library_files", "save_library"]


def save_library(
    path: str | os.PathLike[str],
    *jobs: AnyJob,
    targets: Sequence[str] | None = None,
    variables: Values | None = None,
) -> None:
    """Compile jobs into a shared library for C programs, with a header beside it.

    `"build/mlp"` writes `build/libmlp.so` and `build/mlp.h`; a path that ends in `.so` names the
    library itself. The library depends only on libc and libm. Jobs, `targets` and `variables` are
    as for `flow.save_artifact`; the first step chooses the best processor level.

    Raises a located ValueError for jobs that do not fit together, unknown levels or variables, and
    failing passes.

    >>> import ctypes, os, tempfile
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def twice(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    ...     return x + x
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     flow.save_library(os.path.join(folder, "sums"), twice, targets=["x86-64-v2"])
    ...     print(*sorted(os.listdir(folder)))
    ...     library = ctypes.CDLL(os.path.join(folder, "libsums.so"))
    libsums.so sums.h
    >>> x, result = (ctypes.c_float * 3)(1, 2, 3), (ctypes.c_float * 3)()
    >>> library.sums_twice(x, result, None), list(result)
    (0, [2.0, 4.0, 6.0])
    """
    check_path(path, "save_library")
    for file, content in library_files(Path(path), jobs, targets, variables).items():
        write_file(file, content)


def library_files(
    path: Path,
    jobs: Sequence[AnyJob],
    targets: Sequence[str] | None = None,
    variables: Values | None = None,
) -> dict[Path, bytes]:
    """The library and the header that `save_library` writes, in this order, by path."""
    # Imported here because few programs need it.
    from penstock.codegen.clib.c_header import c_header
    from penstock.codegen.clib.c_interface import interface_of
    from penstock.codegen.clib.c_library import c_library

    built = build(jobs, targets, variables)
    file = path if path.suffix == ".so" else path.with_name(f"lib{path.name}.so")
    name = file.stem.removeprefix("lib")
    for program in next(iter(built.programs.values())):
        _refuse_callouts(program.description)
        _refuse_ranks(program.description)
    described = {
        level: [program.description for program in same] for level, same in built.programs.items()
    }
    interface = interface_of(name, file.name, described)
    with relocating():
        library = c_library(interface, built.programs, built.values, user_store())
    return {file: library, path.with_name(f"{name}.h"): c_header(interface).encode()}


def _refuse_ranks(description: Mapping[str, Any]) -> None:
    """Raise a located ValueError for a job that ranks share."""
    job, rank = base_and_rank(description["job"])
    if rank is not None:
        raise located(
            ValueError,
            f"job {job!r} has several ranks, and a C library runs in one process; place it on one, "
            "or use flow.save_artifact",
        )


def _refuse_callouts(description: Mapping[str, Any]) -> None:
    """Raise a located ValueError for a job that calls Python functions."""
    for callout in description.get("callouts", ()):
        where = f" ({callout['loc']})" if "loc" in callout else ""
        raise located(
            ValueError,
            f"job {description['job']!r} calls out to {callout['name']!r}{where}, a Python "
            "function, and a C library runs without Python; remove it, or use flow.save_artifact",
        )
