/* The driver, one device of compute capability 9.0, and its context. */
#define _GNU_SOURCE
#include "state.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern _Thread_local void *current_context;
static bool is_started;
static char context[1];

int setting(const char *name, int usual)
{
    const char *said = getenv(name);
    return said ? atoi(said) : usual;
}

EXPORT CUresult cuInit(uint32_t flags)
{
    record("cuInit(%u)", flags);
    CUresult failed = setting("PENSTOCK_TEST_INIT", 0);
    is_started = !failed;
    return failed;
}

EXPORT CUresult cuDriverGetVersion(int *version)
{
    *version = setting("PENSTOCK_TEST_VERSION", 13000);
    record("cuDriverGetVersion() -> %d", *version);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetCount(int *found)
{
    *found = setting("PENSTOCK_TEST_DEVICES", 1);
    record("cuDeviceGetCount() -> %d", *found);
    return is_started ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int number)
{
    record("cuDeviceGet(%d)", number);
    *device = number;
    return number < setting("PENSTOCK_TEST_DEVICES", 1) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

EXPORT CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
    record("cuDeviceGetName(%d)", device);
    snprintf(name, size, "Test GPU");
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device)
{
    enum { PROCESSORS = 16, MAJOR = 75, MINOR = 76 };
    int capability = setting("PENSTOCK_TEST_CAPABILITY", 90);
    if (attribute != MAJOR && attribute != MINOR && attribute != PROCESSORS)
        return CUDA_ERROR_INVALID_VALUE;
    *value = attribute == MAJOR ? capability / 10 : capability % 10;
    if (attribute == PROCESSORS)
        *value = setting("PENSTOCK_TEST_PROCESSORS", 132);
    record("cuDeviceGetAttribute(%d, %d) -> %d", attribute, device, *value);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRetain(void **found, CUdevice device)
{
    CUresult failed = enter("cuDevicePrimaryCtxRetain", false);
    record("cuDevicePrimaryCtxRetain(%d)", device);
    *found = context;
    return failed;
}

EXPORT CUresult cuCtxSetCurrent(void *wanted)
{
    CUresult failed = enter("cuCtxSetCurrent", false);
    /* Not in the log: it is called before everything. */
    current_context = wanted;
    return failed;
}

EXPORT CUresult cuGetErrorString(CUresult error, const char **text)
{
    *text = error == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory"
            : error == CUDA_ERROR_ILLEGAL_ADDRESS ? "an illegal memory access was encountered"
                                                  : "an error of the test's driver";
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGetErrorName(CUresult error, const char **text)
{
    (void)error;
    *text = "CUDA_ERROR";
    return CUDA_SUCCESS;
}

/* The address of a function by its name in the manual, which has no suffix of a version. */
EXPORT CUresult cuGetProcAddress_v2(const char *name, void **found, int version, uint64_t flags, int *status)
{
    char suffixed[128];
    (void)flags;
    snprintf(suffixed, sizeof suffixed, "%s_v2", name);
    Dl_info here;
    dladdr((void *)cuInit, &here);
    void *library = dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    *found = dlsym(library, suffixed);
    if (!*found)
        *found = dlsym(library, name);
    if (version > setting("PENSTOCK_TEST_VERSION", 13000))
        *found = NULL;
    if (status)
        *status = *found ? 0 : 1;
    return *found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
