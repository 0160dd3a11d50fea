/* A backward from a tensor to all leaves, as `Tensor.backward` asks for: the usual case without any
 * Python code.
 *
 * It walks the graph of nodes, the largest number first, and runs the kernel of each. A node that
 * is unusual is a step in Python: one with hooks, of a user's function, or whose kernel is not
 * compiled yet. frontend/tensors/engine.py has the Python code. Whoever calls holds the global
 * lock, which guards everything here.
 */
#include "eager.h"

void *realloc(void *, size_t);
void free(void *);

/* A node that waits for its turn, or a leaf, with the sum of the gradients that reached it. */
struct item {
    struct object *target;
    struct object *gradient; /* an array; of a node of several results a dictionary of arrays */
    int64_t number;          /* of the node; negative for a leaf */
};

/* One backward. Items stay; `places` is a hash table of their indices, by target, and `heap` holds
 * those of nodes that wait, the largest number first. */
struct pass {
    struct item *items;
    int32_t *places;
    int32_t *heap;
    int32_t count, room, waiting;
    struct object *keep; /* True if nodes keep what they saved */
};

enum { EMPTY = -1, LEAF = -1, ROOM = 32 };

static inline int32_t *place_of(const struct pass *pass, const struct object *target)
{
    uint64_t mask = (uint64_t)pass->room * 2 - 1;
    uint64_t at = mixed(0, (uint64_t)(uintptr_t)target) & mask;
    while (pass->places[at] != EMPTY && pass->items[pass->places[at]].target != target)
        at = (at + 1) & mask;
    return &pass->places[at];
}

/* Make room for more items; false with an error set. */
static bool grow(struct pass *pass)
{
    int32_t room = pass->room ? pass->room * 2 : ROOM;
    size_t size = (size_t)room;
    struct item *items = realloc(pass->items, size * sizeof *items);
    if (items)
        pass->items = items;
    int32_t *heap = realloc(pass->heap, size * sizeof *heap);
    if (heap)
        pass->heap = heap;
    int32_t *places = realloc(pass->places, 2 * size * sizeof *places);
    if (places)
        pass->places = places;
    if (!items || !heap || !places || room < 0) {
        PyErr_NoMemory();
        return false;
    }
    pass->room = room;
    for (size_t i = 0; i < 2 * size; i++)
        places[i] = EMPTY;
    for (int32_t i = 0; i < pass->count; i++)
        *place_of(pass, items[i].target) = i;
    return true;
}

static inline bool is_before(const struct pass *pass, int32_t x, int32_t y)
{
    return pass->items[x].number > pass->items[y].number;
}

static inline void push(struct pass *pass, int32_t item)
{
    int32_t at = pass->waiting++;
    for (; at > 0 && is_before(pass, item, pass->heap[(at - 1) / 2]); at = (at - 1) / 2)
        pass->heap[at] = pass->heap[(at - 1) / 2];
    pass->heap[at] = item;
}

static inline int32_t pop(struct pass *pass)
{
    int32_t first = pass->heap[0], moved = pass->heap[--pass->waiting], at = 0;
    for (int32_t next = 1; next < pass->waiting; next = 2 * at + 1) {
        if (next + 1 < pass->waiting && is_before(pass, pass->heap[next + 1], pass->heap[next]))
            next++;
        if (!is_before(pass, pass->heap[next], moved))
            break;
        pass->heap[at] = pass->heap[next];
        at = next;
    }
    pass->heap[at] = moved;
    return first;
}

/* The rule of a node that native code made or could have made, of an op with one result; or null. */
static inline struct eager_rule *rule_of(const struct object *target)
{
    if (target->type != eager.op_node)
        return NULL;
    struct object *recipe = ((const struct node *)target)->recipe;
    if (!recipe || recipe->type != eager.recipe)
        return NULL;
    struct eager_rule *rule = ((struct ctypes_object *)recipe)->data;
    return rule->computed >= 0 ? rule : NULL;
}

/* The sum of two gradients, both of which are taken over; null with an error set. */
static struct object *sum(struct object *x, struct object *y)
{
    struct object *arrays[2] = {x, y}, *made = NULL;
    uint64_t hash = mixed(0, (uint64_t)eager.add);
    if (native_is_array(x) && native_is_array(y)) {
        struct eager_op *op = native_known_op(mixed_array(mixed_array(hash, x), y), eager.add);
        if (op) {
            struct object *owner = share(op->owner);
            made = call(op->table, arrays, 2);
            Py_DecRef(owner);
        }
    }
    if (!made ? !PyErr_Occurred() : made == &_Py_NotImplementedStruct) {
        if (made)
            Py_DecRef(made);
        made = PyObject_CallFunctionObjArgs(eager.sum, x, y, NULL);
    }
    Py_DecRef(x);
    Py_DecRef(y);
    return made;
}

/* Add a gradient, which is taken over, to that of a target's item; false with an error set. */
static bool add_to(
    struct pass *pass, struct object *target, struct object *index, struct object *gradient)
{
    int32_t *place = pass->room ? place_of(pass, target) : NULL;
    if (!place || *place == EMPTY) {
        int64_t number = LEAF;
        if (!is_a(target, eager.tensor)) {
            number = is_a(target, eager.node) && ((struct node *)target)->number
                ? PyLong_AsLongLong(((struct node *)target)->number)
                : LEAF;
            if (number < 0 && !PyErr_Occurred())
                PyErr_BadInternalCall();
        }
        if (PyErr_Occurred() || (pass->count == pass->room && !grow(pass))) {
            Py_DecRef(gradient);
            return false;
        }
        place = place_of(pass, target);
        *place = pass->count++;
        pass->items[*place] = (struct item){share(target), NULL, number};
    }
    int32_t at = *place;
    struct item *item = &pass->items[at];
    if (item->number >= 0 && !item->gradient)
        push(pass, at);
    if (item->number >= 0 && !rule_of(target)) {
        if (!item->gradient)
            item->gradient = PyDict_New();
        struct object *before =
            item->gradient ? PyDict_GetItem(item->gradient, index) : NULL;
        if (before)
            gradient = sum(share(before), gradient);
        bool done = item->gradient && gradient
            && !PyDict_SetItem(pass->items[at].gradient, index, gradient);
        if (gradient)
            Py_DecRef(gradient);
        return done;
    }
    struct object *before = item->gradient;
    if (before) {
        item->gradient = NULL;
        gradient = sum(before, gradient);
        item = &pass->items[at]; /* may have moved */
    }
    item->gradient = gradient;
    return gradient != NULL;
}

/* Add a gradient, which is taken over, along an edge; false with an error set. */
static bool follow(struct pass *pass, struct object *edge, struct object *gradient)
{
    if (edge->type != &PyTuple_Type)
        return add_to(pass, edge, NULL, gradient);
    struct object *target = PyTuple_GetItem(edge, 0), *index = PyTuple_GetItem(edge, 1);
    if (target && index)
        return add_to(pass, target, index, gradient);
    Py_DecRef(gradient);
    return false;
}

/* Add the gradients of a node's operands, from a list of arrays or None, along its edges; false
 * with an error set. */
static bool spread(struct pass *pass, struct object *edges, struct object *gradients)
{
    int64_t count = PySequence_Size(gradients);
    bool going = count >= 0;
    for (int64_t i = 0; going && i < count; i++) {
        struct object *gradient = PySequence_GetItem(gradients, i);
        struct object *edge = gradient ? PySequence_GetItem(edges, i) : NULL;
        going = edge != NULL;
        if (going && !is_none(edge) && !is_none(gradient))
            going = follow(pass, edge, share(gradient));
        if (gradient)
            Py_DecRef(gradient);
        if (edge)
            Py_DecRef(edge);
    }
    return going;
}

/* The arrays that a node's backward takes, borrowed from it; false if Python must see to it. */
static inline bool arguments_of(
    const struct node *node, const struct eager_rule *rule, struct object *gradient,
    struct object **arguments)
{
    struct object *saved = node->saved;
    if (!saved || saved->type != &PyTuple_Type || PyTuple_Size(saved) != 4 * rule->saved_count
        || rule->saved_count >= MOST)
        return false;
    for (int64_t i = 0; i < rule->saved_count; i++) {
        struct object *operand = PyTuple_GetItem(saved, 4 * i);
        struct object *array = PyTuple_GetItem(saved, 4 * i + 1);
        struct object *changes = PyTuple_GetItem(saved, 4 * i + 2);
        struct object *count = PyTuple_GetItem(saved, 4 * i + 3);
        struct object *now;
        if (is_none(operand)) {
            if (changes->type != eager.changes)
                return false;
            now = ((struct changes *)changes)->count;
        } else {
            if (!is_tensor(operand) || ((struct tensor *)operand)->array != array)
                return false;
            const struct tensor *tensor = (struct tensor *)operand;
            now = count_of(is_none(tensor->base) ? tensor : (struct tensor *)tensor->base);
        }
        if (now != count)
            return false;
        arguments[i] = array;
    }
    arguments[rule->saved_count] = gradient;
    return true;
}

/* Run a node's backward in Python; false with an error set. */
static bool step_in_python(struct pass *pass, struct object *target, struct object *gradient)
{
    struct object *found =
        PyObject_CallFunctionObjArgs(eager.step, target, gradient, pass->keep, NULL);
    if (!found)
        return false;
    struct object *edges = share(((struct node *)target)->edges);
    bool done = edges && spread(pass, edges, found);
    if (edges)
        Py_DecRef(edges);
    Py_DecRef(found);
    return done;
}

/* Run a node's backward, and add the gradients of its operands; false with an error set. */
static bool step(struct pass *pass, struct object *target, struct object *gradient)
{
    struct node *node = (struct node *)target;
    const struct eager_rule *rule = rule_of(target);
    struct object *arguments[MOST], *made = NULL;
    if (!rule || !is_none(node->hooks) || !is_none(node->kept)
        || !arguments_of(node, rule, gradient, arguments))
        return step_in_python(pass, target, gradient);
    struct object *saved = share(node->saved), *recipe = share(node->recipe);
    struct object *edges = share(node->edges);
    if (rule->computed)
        made = rule->backward
            ? call(rule->backward, arguments, rule->saved_count + rule->reads_gradient)
            : native_view(rule->views, gradient);
    bool done = true;
    if (made == &_Py_NotImplementedStruct) {
        done = step_in_python(pass, target, gradient);
    } else if (rule->computed && !made) {
        done = false;
    } else {
        if (pass->keep == &_Py_FalseStruct && rule->saved_count)
            put(&node->saved, none());
        int64_t next = 0;
        for (int64_t i = 0; done && i < rule->gradient_count; i++) {
            struct object *edge = PySequence_GetItem(edges, rule->gradients[2 * i]);
            struct object *found = rule->gradients[2 * i + 1] == 0 ? gradient
                : rule->computed == 1                              ? made
                                      : PyTuple_GetItem(made, next++);
            done = edge && found && (is_none(edge) || follow(pass, edge, share(found)));
            if (edge)
                Py_DecRef(edge);
        }
    }
    if (made)
        Py_DecRef(made);
    Py_DecRef(edges);
    Py_DecRef(recipe);
    Py_DecRef(saved);
    return done;
}

/* Whether nobody else can reach the elements of an array that the caller has one reference to. */
static inline bool is_alone(const struct object *array)
{
    while (array->references == 1) {
        const struct object *base = ((const struct array *)array)->base;
        if (!base || base->type == eager.allocation || native_is_memory(base))
            return true;
        if (!native_is_array(base))
            return false;
        array = base;
    }
    return false;
}

/* A gradient of the pass for a tensor to keep, a new reference: itself, or a copy if somebody else
 * has its elements too, or if they are not contiguous; null with an error set. */
static inline struct object *own(const struct item *item)
{
    struct object *gradient = item->gradient;
    bool is_fit = !native_is_array(gradient) || (native_is_usual(gradient) && is_alone(gradient));
    return is_fit ? share(gradient) : eager.copy_array(gradient, 0);
}

/* The pass no longer needs the gradient of an item. */
static inline void drop(struct item *item)
{
    struct object *gradient = item->gradient;
    item->gradient = NULL;
    Py_DecRef(gradient);
}

/* Add the gradient of a leaf without hooks to what it has; false with an error set. */
static bool accumulate(struct item *item)
{
    struct tensor *leaf = (struct tensor *)item->target;
    for (;;) {
        struct object *before = share(leaf->grad);
        struct object *array = is_none(before)
            ? own(item)
            : sum(share(((struct tensor *)before)->array), share(item->gradient));
        struct tensor *total = array ? native_new_tensor(array) : NULL;
        /* By another thread, or by what the collector of garbage called. */
        bool changed = leaf->grad != before;
        if (total && !changed) {
            put(&leaf->grad, &total->head);
            drop(item);
        } else if (total) {
            Py_DecRef(&total->head);
        }
        Py_DecRef(before);
        if (!total || !changed)
            return total != NULL;
    }
}

/* Add the gradients of leaves to what they have; false with an error set. */
static bool finish(struct pass *pass)
{
    bool plain = true;
    for (int32_t i = 0; plain && i < pass->count; i++)
        if (pass->items[i].number < 0) {
            const struct tensor *leaf = (struct tensor *)pass->items[i].target;
            plain = leaf->grad && (is_none(leaf->grad) || is_tensor(leaf->grad))
                && leaf->hooks == &_Py_NoneStruct && native_is_array(pass->items[i].gradient);
        }
    for (int32_t i = 0; plain && i < pass->count; i++)
        if (pass->items[i].number < 0 && !accumulate(&pass->items[i]))
            return false;
    if (plain)
        return true;
    struct object *leaves = PyList_New(0);
    bool done = leaves != NULL;
    for (int32_t i = 0; done && i < pass->count; i++) {
        struct item *item = &pass->items[i];
        if (item->number >= 0)
            continue;
        struct object *pair = PyTuple_New(2), *array = pair ? own(item) : NULL;
        if (pair) {
            PyTuple_SetItem(pair, 0, share(item->target));
            PyTuple_SetItem(pair, 1, array);
        }
        drop(item);
        done = array && !PyList_Append(leaves, pair);
        if (pair)
            Py_DecRef(pair);
    }
    struct object *result =
        done ? PyObject_CallFunctionObjArgs(eager.finish, leaves, NULL) : NULL;
    if (result)
        Py_DecRef(result);
    if (leaves)
        Py_DecRef(leaves);
    return result != NULL;
}

/* Whether two arrays have the same dtype and shape. */
static inline bool are_alike(const struct array *x, const struct array *y)
{
    if (x->dtype != y->dtype || x->rank != y->rank)
        return false;
    for (int32_t i = 0; i < x->rank; i++)
        if (x->dimensions[i] != y->dimensions[i])
            return false;
    return true;
}

/* The gradient that backward begins with, a new reference; null with an error set, or NotImplemented
 * where Python must see to it. */
static struct object *seed_of(const struct tensor *output, struct object *given)
{
    const struct array *array = (const struct array *)output->array;
    if (!is_none(given)) {
        if (!is_tensor(given))
            return not_here();
        struct object *seed = ((struct tensor *)given)->array;
        return are_alike(array, (struct array *)seed) ? share(seed) : not_here();
    }
    for (int32_t i = 0; i < array->rank; i++)
        if (array->dimensions[i] != 1)
            return not_here();
    bool is_float = array->dtype == eager.float32;
    if (!is_float && array->dtype != eager.float64)
        return not_here();
    const struct feed feed = {array->dtype, array->rank, array->dimensions, 0};
    struct object *seed = native_array(&feed);
    if (seed) {
        void *data = ((struct array *)seed)->data;
        if (is_float)
            *(float *)data = 1;
        else
            *(double *)data = 1;
    }
    return seed;
}

/* (None, {output, seed or None, whether to keep what was saved}, 3): a backward from a tensor to all
 * leaves; NotImplemented with nothing done if Python must do it. */
EXPORT struct object *penstock_eager_backward(
    struct object *self, struct object *const *args, int64_t count)
{
    (void)self, (void)count;
    struct tensor *output = (struct tensor *)args[0];
    if (is_unusual() || !is_tensor(args[0]) || !is_none(output->base)
        || is_none(output->node))
        return not_here();
    struct object *seed = seed_of(output, args[1]);
    if (!seed || seed == &_Py_NotImplementedStruct)
        return seed;
    struct pass pass = {.keep = args[2]};
    bool going = add_to(&pass, output->node, output->index, seed);
    while (going && pass.waiting) {
        int32_t at = pop(&pass);
        struct object *target = share(pass.items[at].target);
        struct object *gradient = pass.items[at].gradient;
        pass.items[at].gradient = NULL;
        going = !PyErr_CheckSignals() && step(&pass, target, gradient);
        Py_DecRef(gradient);
        Py_DecRef(target);
    }
    going = going && finish(&pass);
    for (int32_t i = 0; i < pass.count; i++) {
        Py_DecRef(pass.items[i].target);
        if (pass.items[i].gradient)
            Py_DecRef(pass.items[i].gradient);
    }
    free(pass.items);
    free(pass.places);
    free(pass.heap);
    return going ? none() : NULL;
}
