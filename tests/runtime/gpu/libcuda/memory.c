/* Memory: that of the device is the process's own, so that launches can be executed. */
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ALLOCATIONS = 4096, ALIGNMENT = 256 };

struct allocation {
    char *address;
    size_t size;
    bool is_host, is_live;
    int number;
};

static struct allocation allocations[MOST_ALLOCATIONS];
static int count, device_count, host_count;
static size_t total = (size_t)1 << 30, used;

static struct allocation *holding(const void *address, size_t size)
{
    const char *start = address;
    for (int i = 0; i < count; i++) {
        struct allocation *one = &allocations[i];
        if (one->is_live && start >= one->address && start + size <= one->address + one->size)
            return one;
    }
    return NULL;
}

const char *place(const void *address)
{
    static _Thread_local char names[4][32];
    static _Thread_local int next;
    char *name = names[next++ % 4];
    const struct allocation *one = holding(address, 0);
    if (!one)
        return "host";
    long offset = (const char *)address - one->address;
    int size = snprintf(name, 32, "%c%d", one->is_host ? 'h' : 'd', one->number);
    if (offset)
        snprintf(name + size, 32 - size, "+%ld", offset);
    return name;
}

bool is_on_device(const void *address, size_t size)
{
    const struct allocation *one = holding(address, size);
    return one && !one->is_host;
}

static void *allocate(size_t size, bool is_host)
{
    if (count == MOST_ALLOCATIONS || (!is_host && used + size > total))
        return NULL;
    char *address = aligned_alloc(ALIGNMENT, (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    /* Bytes that nobody has written are not zero. */
    memset(address, 0xA5, size);
    int number = is_host ? host_count++ : device_count++;
    allocations[count++] = (struct allocation){address, size, is_host, true, number};
    used += is_host ? 0 : size;
    return address;
}

static CUresult release(void *address, bool is_host)
{
    struct allocation *one = holding(address, 0);
    if (!one || one->is_host != is_host || one->address != (char *)address)
        return CUDA_ERROR_INVALID_VALUE;
    one->is_live = false;
    used -= is_host ? 0 : one->size;
    free(address);
    return CUDA_SUCCESS;
}

/* Set how many bytes the device has. */
EXPORT void penstock_test_memory(size_t bytes)
{
    total = bytes;
}

/* The bytes that are allocated on the device. */
EXPORT size_t penstock_test_used(void)
{
    return used;
}

/* The numbers of live allocations on the device and their extents, until one is out of range. */
EXPORT int penstock_test_allocation(int number, CUdeviceptr *address, size_t *size)
{
    if (number >= count)
        return 0;
    *address = (CUdeviceptr)allocations[number].address;
    *size = allocations[number].size;
    return allocations[number].is_live && !allocations[number].is_host ? 2 : 1;
}

EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size)
{
    CUresult failed = enter("cuMemAlloc", true);
    void *found = failed ? NULL : allocate(size, false);
    if (!failed && !found)
        failed = CUDA_ERROR_OUT_OF_MEMORY;
    if (failed)
        record("cuMemAlloc(%zu) -> error %d", size, failed);
    else
        record("cuMemAlloc(%zu) -> %s", size, place(found));
    *address = (CUdeviceptr)found;
    return failed;
}

EXPORT CUresult cuMemFree_v2(CUdeviceptr address)
{
    CUresult failed = enter("cuMemFree", true);
    record("cuMemFree(%s)", place((void *)address));
    return failed ? failed : release((void *)address, false);
}

EXPORT CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes)
{
    CUresult failed = enter("cuMemGetInfo", true);
    *free_bytes = total - used;
    *total_bytes = total;
    record("cuMemGetInfo()");
    return failed;
}

EXPORT CUresult cuMemHostAlloc(void **address, size_t size, uint32_t flags)
{
    CUresult failed = enter("cuMemHostAlloc", true);
    *address = failed ? NULL : allocate(size, true);
    record("cuMemHostAlloc(%zu, %u) -> %s", size, flags, *address ? place(*address) : "error");
    return failed;
}

EXPORT CUresult cuMemFreeHost(void *address)
{
    CUresult failed = enter("cuMemFreeHost", true);
    record("cuMemFreeHost(%s)", place(address));
    return failed ? failed : release(address, true);
}

EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr target, const void *source, size_t size)
{
    CUresult failed = enter("cuMemcpyHtoD", true);
    record("cuMemcpyHtoD(%s, %s, %zu)", place((void *)target), place(source), size);
    if (!failed && !is_on_device((void *)target, size))
        failed = CUDA_ERROR_INVALID_VALUE;
    if (!failed)
        memcpy((void *)target, source, size);
    return failed;
}

EXPORT CUresult cuMemcpyDtoH_v2(void *target, CUdeviceptr source, size_t size)
{
    CUresult failed = enter("cuMemcpyDtoH", true);
    record("cuMemcpyDtoH(%s, %s, %zu)", place(target), place((void *)source), size);
    if (!failed && !is_on_device((void *)source, size))
        failed = CUDA_ERROR_INVALID_VALUE;
    if (!failed)
        memcpy(target, (void *)source, size);
    return failed;
}

static CUresult copied(const char *function, void *target, const void *source, size_t size,
                       struct stream *stream, bool to_device, bool from_device)
{
    CUresult failed = enter(function, true);
    record("%s(%s, %s, %zu, s%d)", function, place(target), place(source), size, stream->number);
    if (failed)
        return failed;
    bool fits = (!to_device || is_on_device(target, size)) && (!from_device || is_on_device(source, size));
    /* What is copied in the background must be page-locked on the host. */
    bool is_locked = (to_device || holding(target, size)) && (from_device || holding(source, size));
    if (!fits || !is_locked)
        return CUDA_ERROR_INVALID_VALUE;
    struct operation operation = {.kind = COPY, .target = target, .source = source, .size = size};
    return issue(stream, &operation);
}

EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr target, const void *source, size_t size, struct stream *stream)
{
    return copied("cuMemcpyHtoDAsync", (void *)target, source, size, stream, true, false);
}

EXPORT CUresult cuMemcpyDtoHAsync_v2(void *target, CUdeviceptr source, size_t size, struct stream *stream)
{
    return copied("cuMemcpyDtoHAsync", target, (void *)source, size, stream, false, true);
}

EXPORT CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr target, CUdeviceptr source, size_t size, struct stream *stream)
{
    return copied("cuMemcpyDtoDAsync", (void *)target, (void *)source, size, stream, true, true);
}
