"""CUDA's driver: whether it can be used, and calls of it that raise one sentence.

Only this room uses `cuda.bindings`, and imports it when a program first asks for a GPU.
"""

from functools import cache
from typing import Any, NamedTuple

from penstock.runtime.device_error import DeviceError
from penstock.runtime.gpu.ptx_header import newest_ptx

__all__ = ["CallFailed", "Driver", "Status", "Traits", "status", "traits"]

NEEDED = 12000
"""The oldest version of the driver's interface: 12.0, the first with libraries."""
INSTALL = "install cuda-python, for example with pip install 'penstock[gpu]'"


# After these the context is unusable (CUDA Driver API, "Data types": each such error says so).
_LOST = frozenset({
    "CUDA_ERROR_ILLEGAL_ADDRESS", "CUDA_ERROR_LAUNCH_FAILED", "CUDA_ERROR_LAUNCH_TIMEOUT",
    "CUDA_ERROR_ASSERT", "CUDA_ERROR_HARDWARE_STACK_ERROR", "CUDA_ERROR_ILLEGAL_INSTRUCTION",
    "CUDA_ERROR_MISALIGNED_ADDRESS", "CUDA_ERROR_INVALID_ADDRESS_SPACE", "CUDA_ERROR_INVALID_PC",
    "CUDA_ERROR_ECC_UNCORRECTABLE", "CUDA_ERROR_NVLINK_UNCORRECTABLE", "CUDA_ERROR_CONTAINED",
    "CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA_ERROR_CONTEXT_IS_DESTROYED", "CUDA_ERROR_UNKNOWN",
    "CUDA_ERROR_EXTERNAL_DEVICE", "CUDA_ERROR_TENSOR_MEMORY_LEAK",
})  # fmt: skip


class CallFailed(DeviceError):
    """A call of the driver failed; `code` is the name of its error, such as
    `CUDA_ERROR_OUT_OF_MEMORY`."""

    def __init__(self, function: str, code: str, text: str) -> None:
        said = f" ({text})" if text else ""
        super().__init__(f"{function} of the CUDA driver failed with {code}{said}")
        self.code = code

    @property
    def is_final(self) -> bool:
        """Whether the context is unusable from now on."""
        return self.code in _LOST


class Driver:
    """Calls functions of the driver by name."""

    def __init__(self, bindings: Any) -> None:
        self.bindings = bindings
        self._success = bindings.CUresult.CUDA_SUCCESS

    def __call__(self, function: str, *arguments: Any) -> Any:
        """Call a function: nothing, its result, or a tuple of its results.

        Raises `CallFailed` if it returns an error, and DeviceError if the driver lacks it.
        """
        try:
            code, *results = getattr(self.bindings, function)(*arguments)
        except RuntimeError as error:
            raise DeviceError(f"the CUDA driver cannot call {function}: {_line(error)}") from None
        if code != self._success:
            raise CallFailed(function, self.name_of(code), self._text_of(code))
        if len(results) < 2:
            return results[0] if results else None
        return tuple(results)

    @staticmethod
    def name_of(code: Any) -> str:
        """The name of an error."""
        return str(getattr(code, "name", code))

    def _text_of(self, code: Any) -> str:
        try:
            _, text = self.bindings.cuGetErrorString(code)
        except RuntimeError:
            text = None
        return text.decode(errors="replace") if isinstance(text, bytes) else ""


class Status(NamedTuple):
    """Whether GPUs can be used: `reason` says why not, if there is none."""

    driver: Driver | None
    version: int = 0
    """Of the driver's interface, such as 13000 for 13.0."""
    devices: int = 0
    """The number of GPUs."""
    reason: str = ""


@cache
def status() -> Status:
    """The driver, started, and the number of GPUs; it raises nothing."""
    try:
        from cuda.bindings import driver as bindings
    except ImportError as error:
        return Status(None, reason=f"cuda-python cannot be imported ({_line(error)}); {INSTALL}")
    driver = Driver(bindings)
    try:
        (code,) = bindings.cuInit(0)
    except RuntimeError as error:  # without a driver, the first call raises
        return Status(None, reason=f"there is no NVIDIA driver ({_line(error)})")
    try:
        if driver.name_of(code) == "CUDA_ERROR_NO_DEVICE":
            return Status(None, reason="the NVIDIA driver finds no GPU")
        if driver.name_of(code) != "CUDA_SUCCESS":
            return Status(None, reason=f"the NVIDIA driver cannot start ({driver.name_of(code)})")
        version = driver("cuDriverGetVersion")
        if version < NEEDED:
            return Status(
                None,
                version,
                reason=f"the NVIDIA driver is for CUDA {_dotted(version)}, and {_dotted(NEEDED)} "
                "is needed: update it",
            )
        count = driver("cuDeviceGetCount")
    except DeviceError as error:
        return Status(None, reason=f"the NVIDIA driver cannot be used: {error}")
    if not count:
        return Status(None, version, reason="the NVIDIA driver finds no GPU")
    return Status(driver, version, count)


class Traits(NamedTuple):
    """What code for a GPU depends on."""

    handle: Any
    architecture: str
    """The newest one whose code it runs, such as `sm_90`."""
    processors: int
    """Its multiprocessors."""
    ptx: int
    """The newest version of PTX that the driver reads, times 10."""


@cache
def traits(number: int) -> Traits:
    """What is known of a GPU before it is used; DeviceError if the driver does not say."""
    found = status()
    if found.driver is None:
        raise DeviceError(found.reason)
    handle = found.driver("cuDeviceGet", number)
    kinds = found.driver.bindings.CUdevice_attribute
    words = "COMPUTE_CAPABILITY_MAJOR", "COMPUTE_CAPABILITY_MINOR", "MULTIPROCESSOR_COUNT"
    major, minor, processors = (
        found.driver("cuDeviceGetAttribute", getattr(kinds, f"CU_DEVICE_ATTRIBUTE_{word}"), handle)
        for word in words
    )
    version, revision = newest_ptx(found.version)
    return Traits(handle, f"sm_{major}{minor}", processors, 10 * version + revision)


def _dotted(version: int) -> str:
    return f"{version // 1000}.{version % 1000 // 10}"


def _line(error: BaseException) -> str:
    """The first line of an error, without the end of a sentence."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".: ")
