"""Nothing that a planted fault compiles may be found again."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from penstock.tensors import any_count, kernels
from penstock.tensors.recent import Recent


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[], None]]:
    """Compile everything anew in this test, and keep none of it; its result forgets again."""

    def forget() -> None:
        for module, name in (
            (kernels, "_ops"), (any_count, "_jobs"), (any_count, "_row_jobs"),
        ):  # fmt: skip
            monkeypatch.setattr(module, name, Recent())

    monkeypatch.setenv("PENSTOCK_CACHE", "off")
    monkeypatch.setenv("PENSTOCK_REPRODUCER_DIR", str(tmp_path))
    forget()
    yield forget
    monkeypatch.undo()
