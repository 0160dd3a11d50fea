"""Has this machine look like one whose processor has no AVX-512, to Penstock and to NumPy.

`make avx2` puts this folder on PYTHONPATH, so every Python process that tests start is told the
same. Native code that is loaded must then be free of AVX-512: what is found is an error.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.abc import Loader
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

NAME = "znver3"
FLAGS = (
    "fpu sse sse2 cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3 avx avx2 bmi1 bmi2 f16c fma abm movbe"
)
os.environ["NPY_DISABLE_CPU_FEATURES"] = "X86_V4 AVX512_ICL AVX512_SPR"
os.environ["OPENBLAS_CORETYPE"] = "Zen"


def _host(module: Any) -> None:
    real = module.host_features

    def features() -> str:
        has = real().split(",")
        return ",".join(f"-{one[1:]}" if one.startswith("+avx512") else one for one in has)

    module.host_cpu = lambda: NAME
    module.host_features = features
    module._maker = lambda: "AuthenticAMD"


def _processor(module: Any) -> None:
    module._cpuinfo = lambda: f"vendor_id\t: AuthenticAMD\nflags\t\t: {FLAGS}\n"


def _shared_code(module: Any) -> None:
    load = module.load_shared

    def checked(image: bytes, *more: Any) -> Any:
        with tempfile.NamedTemporaryFile(suffix=".so", buffering=0) as file:
            if file.write(image) < len(image):  # a test limits files; loading says so
                return load(image, *more)
            command = ["objdump", "-d", "--no-show-raw-insn", file.name]
            text = subprocess.run(
                command, capture_output=True, text=True, errors="replace", check=False
            ).stdout
        for line in text.splitlines():
            if "%zmm" in line or "%k1" in line or "{%k" in line:
                raise RuntimeError(f"code of AVX-512 is loaded: {line.strip()}")
        return load(image, *more)

    module.load_shared = checked


CHANGES: dict[str, Callable[[Any], None]] = {
    "penstock.codegen.host": _host,
    "penstock.runtime.native.processor": _processor,
    "penstock.runtime.native.shared_code": _shared_code,
}


class _Changed(Loader):
    """Loads a module and then changes it."""

    def __init__(self, loader: Loader, change: Callable[[Any], None]) -> None:
        self.loader, self.change = loader, change

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self.loader.exec_module(module)
        self.change(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)


class _Finder:
    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name not in CHANGES:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Changed(spec.loader, CHANGES[name])
        return spec


sys.meta_path.insert(0, _Finder)
