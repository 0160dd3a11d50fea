"""The error of the simulated device: one sentence that says what went wrong, and where."""

__all__ = ["SimulatorError"]


class SimulatorError(RuntimeError):
    """PTX that the simulator doesn't model, or a kernel that does what a GPU leaves undefined.

    `kernel`, `line` (of the PTX text), `source` (`file:line` of the user's program, from `.loc`),
    `block` and `thread` (coordinates in the grid and in the block) say where; each is None where it
    has no meaning.
    """

    def __init__(
        self,
        what: str,
        *,
        kernel: str | None = None,
        line: int | None = None,
        text: str | None = None,
        source: str | None = None,
        block: tuple[int, int, int] | None = None,
        thread: tuple[int, int, int] | None = None,
    ) -> None:
        self.kernel, self.line, self.source = kernel, line, source
        self.block, self.thread = block, thread
        self.what = what
        places = []
        if kernel is not None:
            places.append(f"kernel {kernel}")
        if block is not None:
            places.append(f"block {block}")
        if thread is not None:
            places.append(f"thread {thread}")
        if line is not None:
            places.append(f"PTX line {line}" + (f" `{text}`" if text else ""))
        if source is not None:
            places.append(f"from {source}")
        super().__init__(f"{', '.join(places)}: {what}" if places else what)
