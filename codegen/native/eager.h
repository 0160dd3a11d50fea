/* What eager.c, change.c and backward.c share: the setup, and what they ask objects of CPython.
 *
 * Whoever calls holds the global lock, which guards everything here.
 */
#pragma once

#include "python.h"

enum { MOST = 8 }; /* operands of an op that runs here */

#pragma GCC visibility push(hidden)

extern struct eager_setup eager;
extern uint32_t native_flags_key;
struct eager_op *native_known_op(uint64_t hash, int64_t number); /* or null */
struct tensor *native_new_tensor(struct object *array);
struct object *native_changes_of(struct tensor *root); /* borrowed; null with an error set */
struct object *native_line(void);
int native_overwrite(struct tensor *target, struct tensor *value);

#pragma GCC visibility pop

void *pthread_getspecific(uint32_t);

static inline struct object *share(struct object *object)
{
    Py_IncRef(object);
    return object;
}

static inline struct object *none(void) { return share(&_Py_NoneStruct); }

static inline struct object *not_here(void) { return share(&_Py_NotImplementedStruct); }

static inline bool is_none(const struct object *object) { return object == &_Py_NoneStruct; }

static inline bool is_a(const struct object *object, const void *type)
{
    return object->type == type || PyType_IsSubtype(object->type, type);
}

/* Whether an object is a tensor whose fields are what they should be: programs can set them. */
static inline bool is_tensor(const struct object *object)
{
    if (!is_a(object, eager.tensor))
        return false;
    const struct tensor *tensor = (const struct tensor *)object;
    return native_is_array(tensor->array) && tensor->requires_grad && tensor->node && tensor->index
        && tensor->base && (is_none(tensor->base) || is_a(tensor->base, eager.tensor))
        && tensor->changes && (is_none(tensor->changes) || tensor->changes->type == eager.changes);
}

static inline bool requires_grad(const struct tensor *tensor)
{
    return tensor->requires_grad == &_Py_TrueStruct || !is_none(tensor->node);
}

/* The tensor that owns the elements of another one. */
static inline struct tensor *root_of(struct tensor *tensor)
{
    return (struct tensor *)(is_none(tensor->base) ? &tensor->head : tensor->base);
}

/* Put a value that the caller owns into the field of an object. */
static inline void put(struct object **field, struct object *value)
{
    struct object *old = *field;
    *field = value;
    if (old)
        Py_DecRef(old);
}

/* Those of this thread; null if it has not asked for them. */
static inline const struct flags *flags(void) { return pthread_getspecific(native_flags_key); }

static inline bool is_unusual(void)
{
    const struct flags *found = flags();
    return !found || found->is_unusual;
}

static inline uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

static inline uint64_t mixed_array(uint64_t hash, const struct object *object)
{
    const struct array *array = (const struct array *)object;
    hash = mixed(hash, (uint64_t)(uintptr_t)array->dtype + (uint64_t)(uint32_t)array->rank);
    for (int32_t i = 0; i < array->rank; i++)
        hash = mixed(hash, (uint64_t)array->dimensions[i]);
    return hash;
}

/* How often the elements of a tensor that is no view had been changed, borrowed. */
static inline struct object *count_of(const struct tensor *root)
{
    struct object *changes = root->changes;
    return changes && changes->type == eager.changes ? ((struct changes *)changes)->count
                                                     : eager.zero;
}

/* Whether an array is as kernels take it. */
static inline bool is_usual(const struct object *object)
{
    return !native_is_array(object) || native_is_usual(object);
}

/* The call of a kernel with arrays of any strides, which the caller holds, as `native_call`. */
static inline struct object *call(
    struct table *table, struct object *const *arrays, int64_t count)
{
    bool plain = true;
    for (int64_t i = 0; i < count; i++)
        plain &= is_usual(arrays[i]);
    if (plain)
        return native_call(table, arrays, count);
    struct object *given[MOST], *made = NULL;
    int64_t done = 0;
    for (; done < count; done++) {
        struct object *array = arrays[done];
        given[done] = is_usual(array) ? share(array) : eager.copy_array(array, 0);
        if (!given[done])
            break;
    }
    if (done == count)
        made = native_call(table, given, count);
    while (done--)
        Py_DecRef(given[done]);
    return made;
}
