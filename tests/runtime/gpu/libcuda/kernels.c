/* Libraries of PTX, kernels, and launches. */
#include "state.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct library {
    int number;
    char *ptx;
};

static int libraries;

/* The bytes of a type such as ".u64". */
static uint32_t width(const char *type)
{
    while (*type && !isdigit((unsigned char)*type))
        type++;
    return atoi(type) / 8;
}

/* Read one declaration: `.param .align 64 .b8 name[128]` or `.param .u64 .ptr .global name`. */
static bool read_parameter(char *text, struct kernel *kernel)
{
    uint32_t align = 0, bytes = 0, elements = 1;
    bool is_pointer = false;
    for (char *save, *word = strtok_r(text, " \t\n", &save); word; word = strtok_r(NULL, " \t\n", &save)) {
        if (!strcmp(word, ".ptr"))
            is_pointer = true;
        else if (!strcmp(word, ".align")) {
            uint32_t found = atoi(strtok_r(NULL, " \t\n", &save));
            align = is_pointer ? align : found;
        } else if (*word == '.' && !bytes)
            bytes = width(word);
        else if (strchr(word, '['))
            elements = atoi(strchr(word, '[') + 1);
    }
    align = align ? align : bytes;
    if (!bytes || kernel->parameter_count == MOST_PARAMETERS)
        return false;
    uint32_t offset = (kernel->bytes + align - 1) / align * align;
    kernel->parameters[kernel->parameter_count++] = (struct parameter){offset, bytes * elements};
    kernel->bytes = offset + bytes * elements;
    return true;
}

bool find_kernel(const char *ptx, const char *name, struct kernel *kernel)
{
    size_t size = strlen(name);
    for (const char *at = ptx; (at = strstr(at, ".entry")); at++) {
        const char *start = at + strlen(".entry");
        start += strspn(start, " \t\n");
        if (strncmp(start, name, size) || (start[size] != '(' && !isspace((unsigned char)start[size])))
            continue;
        *kernel = (struct kernel){.ptx = ptx, .dynamic = 48 * 1024};
        snprintf(kernel->name, sizeof kernel->name, "%s", name);
        const char *open = strchr(start, '('), *body = strchr(start, '{');
        if (!open || (body && body < open))
            return true; /* no parameters */
        char *list = strndup(open + 1, strchr(open, ')') - open - 1), *rest = list;
        bool is_read = true;
        for (char *one; (one = strsep(&rest, ","));) {
            char *word = strstr(one, ".param");
            is_read &= !word || read_parameter(word + strlen(".param"), kernel);
        }
        free(list);
        return is_read;
    }
    return false;
}

/* The PTX in machine code of the tests' assembler, which must be for this device; NULL in other code. */
static const char *assembled(const unsigned char *code, CUresult *failed)
{
    /* Offsets in the header, and in a section's. */
    enum { FLAGS = 48, SECTIONS = 40, COUNT = 60, NAMES = 62, SECTION = 64, CONTENT = 24 };
    uint64_t table, names, at;
    uint32_t flags, name;
    uint16_t count, last;
    memcpy(&table, code + SECTIONS, sizeof table);
    memcpy(&flags, code + FLAGS, sizeof flags);
    memcpy(&count, code + COUNT, sizeof count);
    memcpy(&last, code + NAMES, sizeof last);
    memcpy(&names, code + table + last * SECTION + CONTENT, sizeof names);
    int own = setting("PENSTOCK_TEST_CAPABILITY", 90), made = flags >> 8 & 0xff;
    *failed = made / 10 != own / 10 || made > own ? CUDA_ERROR_NO_BINARY_FOR_GPU : CUDA_SUCCESS;
    for (uint16_t i = 0; i < count; i++) {
        memcpy(&name, code + table + i * SECTION, sizeof name);
        memcpy(&at, code + table + i * SECTION + CONTENT, sizeof at);
        if (!strcmp((const char *)code + names + name, ".penstock.ptx"))
            return (const char *)code + at;
    }
    *failed = CUDA_ERROR_INVALID_IMAGE;
    return NULL;
}

EXPORT CUresult cuLibraryLoadData(struct library **found, const void *code, int *options, void **values,
                                  uint32_t count, void *library_options, void **library_values,
                                  uint32_t library_count)
{
    enum { ERROR_LOG = 5 };
    (void)library_options, (void)library_values, (void)library_count;
    CUresult failed = enter("cuLibraryLoadData", true);
    bool is_assembled = !memcmp(code, "\x7f" "ELF", 4);
    if (is_assembled) {
        CUresult misfit;
        code = assembled(code, &misfit);
        failed = failed ? failed : misfit;
        record("cuLibraryLoadData(machine code, %u options)", count);
    } else {
        record("cuLibraryLoadData(%zu bytes of PTX, %u options)", strlen(code), count);
    }
    for (uint32_t i = 0; failed && i < count; i++)
        if (options[i] == ERROR_LOG)
            snprintf(values[i], 64, "ptxas application ptx input, line 7; error");
    if (failed)
        return failed;
    *found = calloc(1, sizeof **found);
    **found = (struct library){libraries++, strdup(code)};
    return CUDA_SUCCESS;
}

EXPORT CUresult cuLibraryUnload(struct library *library)
{
    CUresult failed = enter("cuLibraryUnload", true);
    record("cuLibraryUnload(l%d)", library->number);
    return failed;
}

EXPORT CUresult cuLibraryGetKernel(struct kernel **found, struct library *library, const char *name)
{
    CUresult failed = enter("cuLibraryGetKernel", true);
    record("cuLibraryGetKernel(l%d, %s)", library->number, name);
    if (failed)
        return failed;
    *found = calloc(1, sizeof **found);
    return find_kernel(library->ptx, name, *found) ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

EXPORT CUresult cuKernelSetAttribute(int attribute, int value, struct kernel *kernel, CUdevice device)
{
    enum { MAX_DYNAMIC = 8, MOST = 227 * 1024 };
    CUresult failed = enter("cuKernelSetAttribute", true);
    record("cuKernelSetAttribute(%d, %d, %s, %d)", attribute, value, kernel->name, device);
    if (!failed && (attribute != MAX_DYNAMIC || value > MOST))
        failed = CUDA_ERROR_INVALID_VALUE;
    if (!failed)
        kernel->dynamic = value;
    return failed;
}

/* Encode a tensor map in the format of the simulated device. */
EXPORT CUresult cuTensorMapEncodeTiled(void *map, int type, uint32_t rank, void *address, const uint64_t *extents,
                                       const uint64_t *strides, const uint32_t *box, const uint32_t *steps,
                                       int interleave, int swizzle, int promotion, int fill)
{
    enum { MAP_BYTES = 128, MOST_RANK = 5, F16 = 6, F32 = 7, BF16 = 9 };
    struct __attribute__((packed)) {
        char magic[8];
        uint64_t address, extents[MOST_RANK], strides[MOST_RANK - 1];
        uint16_t box[MOST_RANK];
        uint8_t steps[MOST_RANK], type, rank, swizzle, promotion, fill, interleave;
    } made = {.magic = "PSTKTMAP", .address = (uintptr_t)address, .type = type, .rank = rank, .swizzle = swizzle,
              .promotion = promotion, .fill = fill, .interleave = interleave};
    CUresult failed = enter("cuTensorMapEncodeTiled", true);
    size_t width = type == F32 ? 4 : 2;
    bool fits = (type == F16 || type == F32 || type == BF16) && rank >= 2 && rank <= MOST_RANK && swizzle >= 1 && swizzle <= 3;
    fits = fits && !((uintptr_t)map % 64) && !((uintptr_t)address % 16) && !interleave && !fill;
    size_t last = width;
    for (uint32_t i = 0; fits && i < rank; i++) {
        made.extents[i] = extents[i], made.box[i] = box[i], made.steps[i] = steps[i];
        fits = extents[i] && box[i] && box[i] <= 256 && steps[i] == 1;
        if (i)
            made.strides[i - 1] = strides[i - 1], fits = fits && !(strides[i - 1] % 16);
        last += (extents[i] - 1) * (i ? strides[i - 1] : width);
    }
    fits = fits && box[0] * width <= 16u << swizzle && is_on_device(address, last);
    record("cuTensorMapEncodeTiled(%d, %s, %u dimensions, box %u %u, swizzle %d)", type, place(address), rank,
           fits ? box[0] : 0, fits ? box[1] : 0, swizzle);
    if (failed || !fits)
        return failed ? failed : CUDA_ERROR_INVALID_VALUE;
    memset(map, 0, MAP_BYTES);
    memcpy(map, &made, sizeof made);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuLaunchKernelEx(const struct launch_config *config, struct kernel *kernel, void **parameters,
                                 void **extra)
{
    CUresult failed = enter("cuLaunchKernelEx", true);
    struct stream *stream = config->stream;
    struct operation operation = {.kind = LAUNCH};
    struct launch *launch = &operation.launch;
    *launch = (struct launch){kernel, config->grid, config->block, {1, 1, 1}, config->shared, {0}};
    for (uint32_t i = 0; i < config->attribute_count; i++)
        if (config->attributes[i].id == ATTRIBUTE_CLUSTER)
            launch->cluster = config->attributes[i].value.cluster;
    char shown[512];
    int size = 0;
    *shown = 0;
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        struct parameter one = kernel->parameters[i];
        memcpy(launch->arguments + one.offset, parameters[i], one.size);
        void *pointer = NULL;
        if (one.size == sizeof pointer)
            memcpy(&pointer, parameters[i], sizeof pointer);
        if (pointer && is_on_device(pointer, 0))
            size += snprintf(shown + size, sizeof shown - size, ", %s", place(pointer));
        else
            size += snprintf(shown + size, sizeof shown - size, ", %u bytes", one.size);
    }
    const struct dim3 g = config->grid, b = config->block, c = launch->cluster;
    record("cuLaunchKernelEx(%s, grid %u %u %u, block %u %u %u, cluster %u %u %u, shared %u, s%d%s)", kernel->name,
           g.x, g.y, g.z, b.x, b.y, b.z, c.x, c.y, c.z, config->shared, stream->number, shown);
    bool fits = g.x && g.y && g.z && b.x && b.y && b.z && b.x * b.y * b.z <= 1024;
    if (!failed && (!fits || config->shared > kernel->dynamic || extra))
        failed = CUDA_ERROR_INVALID_VALUE;
    return failed ? failed : issue(stream, &operation);
}
