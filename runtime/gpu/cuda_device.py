"""A GPU under CUDA's driver."""

import ctypes
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.runtime.device_error import DeviceError, OutOfDeviceMemory
from penstock.runtime.gpu.backend import Array, Operation
from penstock.runtime.gpu.cuda_context import CudaContext
from penstock.runtime.gpu.cuda_graph import CudaGraph, OneByOne, runs_one_by_one
from penstock.runtime.gpu.driver import CallFailed
from penstock.runtime.gpu.launch_plan import DATA_TYPES, MAP_BYTES, SWIZZLES, Kernel, TensorMap
from penstock.runtime.gpu.ptx_header import misfit, read_header
from penstock.runtime.memory import address_of

__all__ = ["CudaCode", "CudaDevice"]

_ENCODE = "cuTensorMapEncodeTiled"
_ENCODE_SINCE = 12000
"""The version of CUDA that has it."""
MAP_ALIGNMENT = 64
"""What the address of a tensor map is a multiple of, while it is encoded."""
_INTERLEAVE_NONE, _PROMOTE_128, _FILL_ZERO = 0, 2, 0
_LOG_BYTES = 4096


class CudaDevice(CudaContext):
    """One GPU."""

    # -- memory -----------------------------------------------------------------------------------

    def allocate(self, size: int, what: str) -> int:
        self.enter()
        try:
            return int(self.call("cuMemAlloc", max(size, 1)))
        except OutOfDeviceMemory:
            free, total = self.call("cuMemGetInfo")
            raise OutOfDeviceMemory(
                f"{what} of {size:,} bytes cannot be allocated on {self.name} ({self.model}), "
                f"which has {free:,} of {total:,} bytes free: take smaller batches, or end "
                "what else uses the device"
            ) from None

    def free(self, address: int) -> None:
        self.release("cuMemFree", address)

    def host(self, size: int) -> Array:
        self.enter()
        try:
            address = int(self.call("cuMemHostAlloc", max(size, 1), 0))
        except OutOfDeviceMemory:
            raise OutOfDeviceMemory(
                f"{size:,} bytes on the host for copies to {self.name} ({self.model}) cannot be "
                "page-locked: take smaller batches, watch fewer blobs, or end what else uses memory"
            ) from None
        memory = (ctypes.c_uint8 * size).from_address(address)
        # Views of the array keep the ctypes object, whose end frees the memory.
        weakref.finalize(memory, self.release, "cuMemFreeHost", address).atexit = False
        return np.ctypeslib.as_array(memory)

    def write(self, address: int, array: Array) -> None:
        self.enter()
        if array.nbytes:
            self.call("cuMemcpyHtoD", address, address_of(array), array.nbytes)

    def read(self, address: int, array: Array) -> None:
        self.enter()
        if array.nbytes:
            self.call("cuMemcpyDtoH", address_of(array), address, array.nbytes)

    def tensor_map(self, map: TensorMap, address: int) -> bytes:
        # Through ctypes: the driver needs memory that is aligned to 64 bytes, and cuda-python has
        # it write into an object of its own that is aligned to 16.
        self.enter()
        found, _ = self.call("cuGetProcAddress", _ENCODE.encode(), _ENCODE_SINCE, 0)
        encode = ctypes.CFUNCTYPE(ctypes.c_int)(int(found))
        memory = ctypes.create_string_buffer(MAP_BYTES + MAP_ALIGNMENT)
        start = -(-ctypes.addressof(memory) // MAP_ALIGNMENT) * MAP_ALIGNMENT
        code = encode(
            ctypes.c_void_p(start),
            ctypes.c_int(DATA_TYPES[map.element]),
            ctypes.c_uint32(len(map.dims)),
            ctypes.c_void_p(address),
            _array(ctypes.c_uint64, map.dims),
            _array(ctypes.c_uint64, map.strides),
            _array(ctypes.c_uint32, map.box),
            _array(ctypes.c_uint32, [1] * len(map.box)),
            *(ctypes.c_int(n) for n in (_INTERLEAVE_NONE, SWIZZLES[map.swizzle])),
            *(ctypes.c_int(n) for n in (_PROMOTE_128, _FILL_ZERO)),
        )
        if code:
            raise DeviceError(
                f"{self.name} ({self.model}) refuses the tensor map of {map.element} of "
                f"{list(map.dims)} with boxes of {list(map.box)}: error {code} of {_ENCODE}"
            )
        return ctypes.string_at(start, MAP_BYTES)

    # -- code -------------------------------------------------------------------------------------

    def load(self, ptx: str, kernels: Mapping[str, Kernel], cubin: bytes = b"") -> "CudaCode":
        if cubin:
            self.enter()
            try:
                return CudaCode(self, cubin, kernels)
            except DeviceError:
                # Such as a driver older than the assembler, which reads PTX nevertheless.
                if self.lost:
                    raise
        try:
            wrong = misfit(read_header(ptx), self.architecture, self._version)
        except ValueError as error:
            wrong = str(error)
        if wrong:
            raise DeviceError(f"it cannot run on {self.name} ({self.model}): {wrong}")
        self.enter()
        return CudaCode(self, ptx.encode() + b"\0", kernels)


class CudaCode:
    """A library of kernels."""

    def __init__(self, device: CudaDevice, code: bytes, kernels: Mapping[str, Kernel]) -> None:
        """`code` is PTX that ends with a zero, or machine code."""
        self.device = device
        self.kernels = kernels
        bindings = device.driver.bindings
        option = bindings.CUjit_option
        log = bytes(_LOG_BYTES)
        options = [option.CU_JIT_ERROR_LOG_BUFFER, option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES]
        try:
            self.library = device.call(
                "cuLibraryLoadData", code, options, [log, _LOG_BYTES], 2, [], [], 0
            )
        except CallFailed as error:
            said = " ".join(log.split(b"\0")[0].decode(errors="replace").split())
            raise DeviceError(
                f"{device.name} ({device.model}) cannot load its PTX: {error}"
                + (f": {said[:400]}" if said else "")
            ) from None
        weakref.finalize(self, device.release, "cuLibraryUnload", self.library).atexit = False
        self.functions = {name: self._kernel(kernel) for name, kernel in kernels.items()}

    def _kernel(self, kernel: Kernel) -> Any:
        device, bindings = self.device, self.device.driver.bindings
        found = device.call("cuLibraryGetKernel", self.library, kernel.name.encode())
        if kernel.shared + kernel.dynamic > 48 * 1024:
            attribute = bindings.CUfunction_attribute
            kind = attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            self._set(kernel, "cuKernelSetAttribute", kind, kernel.dynamic, found, device.handle)
        return found

    def _set(self, kernel: Kernel, *call: Any) -> None:
        try:
            self.device.call(*call)
        except CallFailed as error:
            raise DeviceError(
                f"kernel {kernel.name!r} needs {kernel.shared + kernel.dynamic:,} bytes of shared "
                f"memory per block on {self.device.name} ({self.device.model}): {error}",
                kernel.loc,
            ) from None

    def prepare(self, operations: Sequence[Operation]) -> "CudaGraph | OneByOne":
        self.device.enter()
        made: Callable[..., CudaGraph | OneByOne] = CudaGraph
        if runs_one_by_one():
            made = OneByOne
        return made(self.device, self.kernels, self.functions, operations)


def _array(kind: Any, values: Sequence[int]) -> Any:
    return (kind * len(values))(*values)
