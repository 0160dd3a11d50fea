"""What devices fail with; here, so that nobody loads them to catch it."""

__all__ = ["DeviceError", "OutOfDeviceMemory"]


class DeviceError(RuntimeError):
    """A device cannot do what it is asked for; `loc` is the user's line, if it is known."""

    def __init__(self, text: str, loc: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.loc = loc

    def __str__(self) -> str:
        return f"{self.text} (at {self.loc})" if self.loc else self.text

    def within(self, what: str) -> "DeviceError":
        """The same error, in a job that is named."""
        kind = OutOfDeviceMemory if isinstance(self, OutOfDeviceMemory) else DeviceError
        return kind(f"{what}: {self.text}", self.loc)


class OutOfDeviceMemory(DeviceError, MemoryError):
    """A device has not enough memory."""
