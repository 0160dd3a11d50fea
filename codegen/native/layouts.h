/* The layouts that native code shares with others: with Python modules of this package, with CPython
 * and NumPy, and between files of this folder.
 *
 * `AT(struct, field, offset)` and `SIZE(struct, bytes)` are checked here when this is compiled, and
 * against the Python side by tests/native/test_layouts.py. CPython's and NumPy's structures are
 * declared here instead of taken from their headers: what is declared is the same in all versions
 * that are supported, so one text serves them all.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AT(type, field, offset) \
    _Static_assert(offsetof(struct type, field) == (offset), #type "." #field)
#define SIZE(type, bytes) _Static_assert(sizeof(struct type) == (bytes), #type)

/* All else is hidden: only these names leave the shared object. */
#define EXPORT __attribute__((visibility("default")))

/* ---- Jobs: codegen/describe.py, runtime/taps.py ---- */

typedef void task_function(void *closure, int64_t index);
typedef void parallel_for_function(void *pool, task_function *task, void *closure, int64_t count);

/* What a job gets beside its arguments. */
struct context {
    void (*tap)(void *user, int32_t id, void *data);
    void *user;
    parallel_for_function *parallel_for; /* null: tasks run on the caller's thread */
    void *pool;
    int32_t (*poll)(void *user); /* null: nothing stops a step */
};
AT(context, tap, 0);
AT(context, user, 8);
AT(context, parallel_for, 16);
AT(context, pool, 24);
AT(context, poll, 32);
SIZE(context, 40);

typedef int32_t entry_function(struct context *context, void **arguments);

/* ---- The thread pool: pool.c ---- */

EXPORT void *penstock_pool(void);
EXPORT void penstock_resize(void *pool, uint32_t size);
EXPORT void penstock_parallel_for(void *pool, task_function *task, void *closure, int64_t count);
EXPORT uint32_t penstock_alive(void *pool);
