"""What devices fail with; here, so that nobody loads them to catch it."""

__all__ = ["DeviceError", "OutOfDeviceMemory"]


class DeviceError(RuntimeError):
    """A device cannot do what it is asked for; `loc` is the user's line, if it is known."""

    def __init__(self, text: str, loc: str = "") -> None:
        super().__init__(text)
        self.loc = loc


class OutOfDeviceMemory(DeviceError, MemoryError):
    """A device has not enough memory."""
