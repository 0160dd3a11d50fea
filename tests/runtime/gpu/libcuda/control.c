/* What tests ask of the library: its log, failures, the launcher. */
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CUresult lost;
int order;
_Thread_local void *current_context;

enum { AT_ONCE = 1, LATE = 2 };

static char *text;
static size_t length, capacity;
static char failing[64];
static CUresult failure;
static int calls_before_failure;
static int stickiness;
static CUresult unnoticed; /* that the device is lost, as whoever waits for it will learn */

typedef int (*launcher)(const char *kernel, const char *ptx, const uint32_t *extents,
                        const void *arguments, uint32_t size);
static launcher launch_with;

void record(const char *format, ...)
{
    char line[512];
    va_list values;
    va_start(values, format);
    int size = vsnprintf(line, sizeof line, format, values);
    va_end(values);
    if (length + size + 2 > capacity) {
        capacity = 2 * (length + size + 2);
        text = realloc(text, capacity);
    }
    memcpy(text + length, line, size);
    length += size;
    text[length++] = '\n';
    text[length] = 0;
}

CUresult enter(const char *function, bool needs_context)
{
    if (unnoticed && strstr(function, "Synchronize"))
        lost = unnoticed;
    if (lost)
        return lost;
    if (failure && !strcmp(function, failing) && calls_before_failure-- == 0) {
        CUresult found = failure;
        failure = 0;
        if (stickiness == AT_ONCE)
            lost = found;
        else if (stickiness == LATE)
            unnoticed = found;
        return found;
    }
    return needs_context && !current_context ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

bool is_broken(void)
{
    return lost || unnoticed;
}

CUresult perform(const struct operation *operation)
{
    if (is_broken())
        return CUDA_ERROR_LAUNCH_FAILED;
    if (operation->kind == COPY) {
        memmove(operation->target, operation->source, operation->size);
        return CUDA_SUCCESS;
    }
    const struct launch *launch = &operation->launch;
    const struct dim3 grid = launch->grid, block = launch->block, cluster = launch->cluster;
    uint32_t extents[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z,
                          cluster.x, cluster.y, cluster.z, launch->shared};
    CUresult failed = enter("launch", false);
    if (!failed && launch_with)
        failed = launch_with(launch->kernel->name, launch->kernel->ptx, extents, launch->arguments,
                             launch->kernel->bytes);
    if (failed && !is_broken())
        lost = failed;
    return failed;
}

/* The log so far. */
EXPORT const char *penstock_test_log(void)
{
    return text ? text : "";
}

EXPORT void penstock_test_clear(void)
{
    length = 0;
    if (text)
        *text = 0;
}

/* Have a function fail after so many calls: once; or for ever, as if the device were lost, from the next
 * call on, or from the next one that waits for the device. A launch that runs is called "launch". */
EXPORT void penstock_test_fail(const char *function, int code, int after, int sticky)
{
    snprintf(failing, sizeof failing, "%s", function);
    failure = code;
    calls_before_failure = after;
    stickiness = sticky;
}

/* End what `penstock_test_fail` began. */
EXPORT void penstock_test_recover(void)
{
    lost = unnoticed = failure = 0;
}

/* What executes launches: it returns an error code. */
EXPORT void penstock_test_launch_with(launcher function)
{
    launch_with = function;
}

EXPORT void penstock_test_order(int late)
{
    order = late;
}
