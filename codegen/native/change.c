/* Changes of tensors in place: the usual case without any Python code.
 *
 * The elements of a tensor are overwritten by as many others of their type, or all by one, and no
 * gradient flows through that. Everything else is left to frontend/tensors/inplace.py. Whoever calls
 * holds the global lock.
 */
#include "eager.h"

enum { WRITEABLE = 0x400 }; /* of NumPy's flags */

void *memmove(void *, const void *, size_t);

/* The bytes of an element; 0 for those that are left to Python. */
static inline int64_t width_of(const void *dtype)
{
    if (dtype == eager.float32 || dtype == eager.int32)
        return 4;
    if (dtype == eager.float64 || dtype == eager.int64)
        return 8;
    return dtype == eager.boolean ? 1 : 0;
}

static inline int64_t count_elements(const struct array *array)
{
    int64_t count = 1;
    for (int32_t i = 0; i < array->rank; i++)
        count *= array->dimensions[i];
    return count;
}

/* Whether nothing is to be converted, checked or recorded. */
static bool is_plain(struct tensor *target, const struct tensor *root, struct tensor *value)
{
    if (!is_tensor(&target->head) || !is_tensor(&root->head) || !is_tensor(&value->head)
        || root_of(target) != root || !is_none(value->node))
        return false;
    if (flags()->records
        && (requires_grad(root) || requires_grad(value) || root->unseen_base != &_Py_NoneStruct
            || !is_none(root_of(value)->node)))
        return false;
    const struct array *to = (const struct array *)target->array;
    const struct array *from = (const struct array *)value->array;
    if (!native_is_usual(&to->head) || !native_is_usual(&from->head) || to->dtype != from->dtype
        || !(to->flags & WRITEABLE) || !width_of(to->dtype))
        return false;
    bool fits = to->rank == from->rank || from->rank == 0;
    for (int32_t i = 0; fits && i < from->rank; i++)
        fits = to->dimensions[i] == from->dimensions[i];
    return fits;
}

static inline void copy(const struct array *to, const struct array *from)
{
    int64_t count = count_elements(to), width = width_of(to->dtype);
    if (from->rank == to->rank)
        memmove(to->data, from->data, (size_t)(count * width));
    else if (width == 4)
        for (int64_t i = 0; i < count; i++)
            ((uint32_t *)to->data)[i] = *(const uint32_t *)from->data;
    else if (width == 8)
        for (int64_t i = 0; i < count; i++)
            ((uint64_t *)to->data)[i] = *(const uint64_t *)from->data;
    else
        for (int64_t i = 0; i < count; i++)
            ((uint8_t *)to->data)[i] = *(const uint8_t *)from->data;
}

/* Overwrite the elements of a tensor, and note that they were: 1 if done, 0 with nothing done if
 * Python must do it, negative with an error set. */
int native_overwrite(struct tensor *target, struct tensor *value)
{
    struct tensor *root = root_of(target);
    if (!is_plain(target, root, value))
        return 0;
    Py_IncRef(&root->head);
    struct changes *changes = (struct changes *)native_changes_of(root);
    struct object *line = NULL, *count = NULL;
    if (changes) {
        Py_IncRef(&changes->head);
        line = native_line();
        long long before = PyLong_AsLongLong(changes->count);
        if (line && !PyErr_Occurred())
            count = PyLong_FromLong(before + 1);
    }
    int done = -1;
    /* What was made may have run the collector, and that any code. */
    if (count)
        done = root->changes == &changes->head && is_plain(target, root, value);
    if (done > 0) {
        copy((const struct array *)target->array, (const struct array *)value->array);
        put(&changes->count, share(count));
        put(&changes->line, share(line));
    }
    struct object *const made[] = {count, line, changes ? &changes->head : NULL, &root->head};
    for (int i = 0; i < 4; i++)
        if (made[i])
            Py_DecRef(made[i]);
    return done;
}

/* (None, {target, value}, 2): overwrite a tensor and give it, or NotImplemented if Python must. */
EXPORT struct object *penstock_eager_assign(
    struct object *self, struct object *const *args, int64_t count)
{
    (void)self, (void)count;
    if (is_unusual() || !is_tensor(args[0]) || !is_tensor(args[1]))
        return not_here();
    int done = native_overwrite((struct tensor *)args[0], (struct tensor *)args[1]);
    return done > 0 ? share(args[0]) : done ? NULL : not_here();
}
