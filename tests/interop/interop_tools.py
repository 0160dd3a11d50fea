"""Finding external tools that check our text."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

PACKAGES = {
    "mlir-opt-22": "Debian package mlir-22-tools",
    "mlir-runner-22": "Debian package mlir-22-tools",
    "chromium": "Debian package chromium",
    "xdsl-opt": "extra dev, Python 3.11 or later",
}


def require(tool: str) -> str:
    """The path of a tool. If it is missing, the test is skipped, or fails with
    PENSTOCK_REQUIRE_INTEROP=1.
    """
    beside = str(Path(sys.executable).parent)
    found = shutil.which(tool) or shutil.which(tool, path=beside)
    if found is not None:
        return found
    reason = f"{tool} is not installed ({PACKAGES[tool]})"
    if os.environ.get("PENSTOCK_REQUIRE_INTEROP") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def xdsl_opt(text: str, folder: Path, *flags: str) -> str:
    """The output of `xdsl-opt` for a module; raises xDSL's exceptions. It runs in this process,
    since starting a new one would take longer than the work.
    """
    require("xdsl-opt")
    from xdsl.xdsl_opt_main import xDSLOptMain

    file = folder / "module.mlir"
    file.write_text(text)
    printed = StringIO()
    with redirect_stdout(printed):
        xDSLOptMain(args=[str(file), *flags]).run()
    return printed.getvalue()
