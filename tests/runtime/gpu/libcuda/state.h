/* What the parts of the library share: the log, failures on demand, memory, kernels and graphs. */
#ifndef PENSTOCK_TESTS_STATE_H
#define PENSTOCK_TESTS_STATE_H

#include <stdarg.h>
#include <stdbool.h>

#include "cuda.h"

#define EXPORT __attribute__((visibility("default")))

enum { MOST_PARAMETERS = 64, MOST_DEPENDENCIES = 64 };

struct parameter {
    uint32_t offset, size;
};

struct kernel {
    char name[256];
    const char *ptx;
    uint32_t parameter_count, bytes;
    struct parameter parameters[MOST_PARAMETERS];
    uint32_t dynamic; /* the most dynamic shared memory that is allowed */
};

struct launch {
    const struct kernel *kernel;
    struct dim3 grid, block, cluster;
    uint32_t shared;
    unsigned char arguments[4096];
};

/* One node of a graph, or one operation on a stream. */
struct operation {
    enum { COPY, LAUNCH } kind;
    void *target;
    const void *source;
    size_t size;
    struct launch launch;
    int dependencies[MOST_DEPENDENCIES], dependency_count;
};

struct nodes {
    int numbers[MOST_DEPENDENCIES], count;
};

struct graph {
    int number, count, capacity;
    struct operation *operations;
};

struct stream {
    int number;
    struct graph *capturing;
    bool is_origin;
    struct nodes last;
};

struct event {
    int number;
    struct graph *capturing;
    struct nodes last;
};

/* Enter a call: its error if it is to fail, the device is lost, or this thread has no context. */
CUresult enter(const char *function, bool needs_context);
/* A number in the environment. */
int setting(const char *name, int usual);
/* Write one line of the log. */
void record(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The name of an address in the log: d0+256, h1, or host. */
const char *place(const void *address);
/* Whether so many bytes at an address are in one allocation on the device. */
bool is_on_device(const void *address, size_t size);
/* Whether the device is lost, also if nobody has noticed. */
bool is_broken(void);
/* Run an operation; an error of the launcher loses the device. */
CUresult perform(const struct operation *operation);
/* Record an operation in the graph that the stream captures, or perform it. */
CUresult issue(struct stream *stream, struct operation *operation);
/* Read the parameters of a kernel from PTX; false if there is no such kernel. */
bool find_kernel(const char *ptx, const char *name, struct kernel *kernel);
/* The error of a device that is lost, or 0. */
extern CUresult lost;
/* With 1, graphs run operations as late as their dependencies allow, else in the order of capture. */
extern int order;

#endif
