"""Hand-written modules at stage `gpu`, for tests."""

from __future__ import annotations

from pathlib import Path

ROWS = (Path(__file__).parent / "gpu" / "rows.mlir").read_text()
"""Two kernels, `y[b] = sum(exp(2 x[b, :])) * scale[b] + 5`, a constant and two taps."""


def kernel(
    body: str,
    arguments: str = "",
    block: tuple[int, int, int] = (32, 1, 1),
    grid: tuple[int, int, int] = (1, 1, 1),
    buffers: str = "",
    use: str = "",
) -> str:
    """A module with one kernel `k`; it stores the indices that `use` names into `%out`."""
    arguments = arguments or f"%out: memref<{max(len(use), 1)}xindex>"
    stores = "".join(
        f"%at{i} = arith.constant {i} : index "
        f"memref.store %{name}, %out[%at{i}] : memref<{len(use)}xindex> "
        for i, name in enumerate(use)
    )
    sizes = [f"array<i32: {', '.join(map(str, each))}>" for each in (block, grid)]
    return (
        "module attributes {gpu.container_module} { gpu.module @kernels { "
        f"gpu.func @k({arguments}) {buffers} kernel attributes {{known_block_size = {sizes[0]}, "
        f"known_grid_size = {sizes[1]}}} {{ {body} {stores} gpu.return }} }} }}"
    )
