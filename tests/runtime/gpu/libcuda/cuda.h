/* The part of CUDA's driver interface that the tests' library implements: types and error codes, with
 * the values of the CUDA Driver API's manual. */
#ifndef PENSTOCK_TESTS_CUDA_H
#define PENSTOCK_TESTS_CUDA_H

#include <stddef.h>
#include <stdint.h>

typedef int CUresult;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;

enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_INVALID_PTX = 218,
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
    CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
    CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904,
};

struct dim3 {
    uint32_t x, y, z;
};

struct launch_attribute {
    uint32_t id;
    uint32_t padding;
    union {
        struct dim3 cluster;
        char bytes[64];
    } value;
};

enum { ATTRIBUTE_CLUSTER = 4 };

struct launch_config {
    struct dim3 grid, block;
    uint32_t shared;
    void *stream;
    struct launch_attribute *attributes;
    uint32_t attribute_count;
};

#endif
