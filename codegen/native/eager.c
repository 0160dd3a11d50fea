/* Ops on tensors, called from Python: the usual case without any Python code.
 *
 * An operator or function looks up the op's kernel by the element types and shapes of its operands.
 * If one is known, it runs the kernel, makes the result a tensor, and makes the node of the autograd
 * graph if an operand requires gradients. Everything else is left to the Python code that does the
 * same: a kernel that is not compiled yet, operands to be promoted, a mode that is not the usual
 * one.
 *
 * frontend/tensors/native.py sets this up; frontend/tensors/execute.py has the Python code. Whoever
 * calls holds the global lock, which guards everything here.
 */
#include "python.h"

enum {
    MOST = 8,     /* operands of an op that runs here */
    SETS = 1024,  /* of the table of known kernels, */
    WAYS = 4,     /* each with so many entries */
    CODES = 1024, /* of the user's program or ours, that are remembered */
};

/* Operands; no address of a dtype is as small as one of these. */
enum kind { OTHER, FLOAT, INTEGER, TENSOR };

struct known {
    uint64_t hash;
    int64_t number; /* of the operator: kernels for any count accept operands of another entry */
    struct eager_op *op; /* or null */
};

struct told {
    struct object *code; /* or null */
    bool ours;
};

static struct eager_setup setup;
static uint32_t mode_key;
static struct known known[SETS][WAYS];
static uint32_t next_way;
static struct told told[CODES];

int pthread_key_create(uint32_t *, void (*)(void *));
int pthread_setspecific(uint32_t, const void *);
void *pthread_getspecific(uint32_t);

void *realloc(void *, size_t);
void free(void *);

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
    if (!is_a(object, setup.tensor))
        return false;
    const struct tensor *tensor = (const struct tensor *)object;
    return native_is_array(tensor->array) && tensor->requires_grad && tensor->node && tensor->index
        && tensor->base && (is_none(tensor->base) || is_a(tensor->base, setup.tensor))
        && tensor->changes && (is_none(tensor->changes) || tensor->changes->type == setup.changes);
}

/* Put a value that the caller owns into the field of an object. */
static inline void put(struct object **field, struct object *value)
{
    struct object *old = *field;
    *field = value;
    if (old)
        Py_DecRef(old);
}

/* ---- Modes ---- */

/* (None, {mode}, 1): say how this thread records ops. */
EXPORT struct object *penstock_eager_mode(
    struct object *self, struct object *const *args, int64_t count)
{
    (void)self, (void)count;
    pthread_setspecific(mode_key, PyLong_AsVoidPtr(args[0]));
    return none();
}

static inline enum mode mode(void)
{
    return (enum mode)(uintptr_t)pthread_getspecific(mode_key);
}

/* ---- Known kernels ---- */

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

/* Mix in what tells an operand apart: the dtype and shape of a tensor, or that it is a number. */
static inline enum kind mix_operand(uint64_t *hash, const struct object *operand)
{
    if (is_tensor(operand)) {
        *hash = mixed_array(*hash, ((const struct tensor *)operand)->array);
        return TENSOR;
    }
    enum kind kind = operand->type == &PyFloat_Type ? FLOAT
        : operand->type == &PyLong_Type             ? INTEGER
                                                    : OTHER;
    *hash = mixed(*hash, (uint64_t)kind);
    return kind;
}

static inline struct known *set_of(uint64_t hash) { return known[hash >> 8 & (SETS - 1)]; }

static inline struct eager_op *find(uint64_t hash, int64_t number)
{
    struct known *set = set_of(hash);
    for (int i = 0; i < WAYS; i++)
        if (set[i].hash == hash && set[i].number == number && set[i].op)
            return set[i].op;
    return NULL;
}

/* (None, {number of the operator, address of the op, operands...}, count): let this operator run
 * this op on operands of these types and shapes. */
EXPORT struct object *penstock_eager_keep(
    struct object *self, struct object *const *args, int64_t count)
{
    (void)self;
    int64_t number = (int64_t)(uintptr_t)PyLong_AsVoidPtr(args[0]);
    uint64_t hash = mixed(0, (uint64_t)number);
    struct eager_op *op = PyLong_AsVoidPtr(args[1]);
    for (int64_t i = 2; i < count; i++)
        if (!mix_operand(&hash, args[i]))
            return none();
    struct known *entry = NULL, *set = set_of(hash);
    for (int i = 0; i < WAYS && !entry; i++)
        if (!set[i].op || (set[i].hash == hash && set[i].number == number))
            entry = &set[i];
    if (!entry)
        entry = &set[next_way++ % WAYS];
    struct eager_op *old = entry->op;
    Py_IncRef(op->owner);
    *entry = (struct known){hash, number, op};
    if (old)
        Py_DecRef(old->owner);
    return none();
}

/* ---- Objects ---- */

/* A new tensor that owns the array, which is taken over; null with an error set. */
static inline struct tensor *new_tensor(struct object *array)
{
    struct tensor *made = (struct tensor *)PyType_GenericAlloc(setup.tensor, 0);
    if (!made) {
        Py_DecRef(array);
        return NULL;
    }
    made->array = array;
    made->base = none();
    made->changes = none();
    made->grad = none();
    made->hooks = none();
    made->index = share(setup.zero);
    made->node = none();
    made->requires_grad = share(&_Py_FalseStruct);
    return made;
}

/* The changes of a tensor that is no view, borrowed; null with an error set. */
static inline struct object *changes_of(struct tensor *tensor)
{
    if (is_none(tensor->changes)) {
        struct changes *made = (struct changes *)PyType_GenericAlloc(setup.changes, 0);
        if (!made)
            return NULL;
        made->count = share(setup.zero);
        made->line = none();
        put(&tensor->changes, &made->head);
    }
    return tensor->changes;
}

/* ---- The user's line ---- */

/* Whether code of the frame is ours; negative with an error set. */
static inline int is_ours(struct object *code, struct object *frame)
{
    struct told *entry = &told[(uintptr_t)code >> 5 & (CODES - 1)];
    if (entry->code != code) {
        struct object *answer = PyObject_CallFunctionObjArgs(setup.is_ours, frame, NULL);
        if (!answer)
            return -1;
        bool ours = answer == &_Py_TrueStruct;
        Py_DecRef(answer);
        struct object *old = entry->code;
        Py_IncRef(code); /* which keeps its address */
        *entry = (struct told){code, ours};
        if (old)
            Py_DecRef(old);
        return ours;
    }
    return entry->ours;
}

/* Note in a node which line of the user's program runs; false with an error set. */
static inline bool locate(struct node *node)
{
    struct object *frame = PyEval_GetFrame();
    if (frame)
        Py_IncRef(frame);
    while (frame) {
        struct object *code = PyFrame_GetCode(frame);
        int ours = is_ours(code, frame);
        if (ours <= 0) {
            node->code = code;
            node->at = ours ? none() : PyLong_FromLong(setup.last_instruction(frame));
            Py_DecRef(frame);
            return ours == 0 && node->at;
        }
        struct object *back = PyFrame_GetBack(frame);
        Py_DecRef(code);
        Py_DecRef(frame);
        frame = back;
    }
    node->code = none();
    node->at = share(setup.zero);
    return true;
}

/* ---- Nodes ---- */

static inline bool requires_grad(const struct tensor *tensor)
{
    return tensor->requires_grad == &_Py_TrueStruct || !is_none(tensor->node);
}

/* Where the gradient of an operand goes; null with an error set. */
static inline struct object *edge_of(struct tensor *operand)
{
    if (is_none(operand->node))
        return share(requires_grad(operand) ? &operand->head : &_Py_NoneStruct);
    struct object *edge = PyTuple_New(2);
    if (edge) {
        PyTuple_SetItem(edge, 0, share(operand->node));
        PyTuple_SetItem(edge, 1, share(operand->index));
    }
    return edge;
}

/* How often the elements of a tensor that is no view had been changed, borrowed. */
static inline struct object *count_of(const struct tensor *root)
{
    struct object *changes = root->changes;
    return changes && changes->type == setup.changes ? ((struct changes *)changes)->count
                                                     : setup.zero;
}

/* For each value that backward reads: the operand or None, its array, None or the changes of the
 * result, and how often it had been changed. Null with an error set. */
static struct object *saved_of(
    const struct eager_rule *rule, struct tensor *const *operands, int64_t count,
    struct tensor *result)
{
    struct object *saved = PyTuple_New(4 * rule->saved_count);
    if (!saved)
        return NULL;
    for (int64_t i = 0; i < rule->saved_count; i++) {
        int64_t place = rule->saved[i];
        struct object *values[4];
        if (place < count) {
            struct tensor *operand = operands[place];
            struct tensor *root =
                is_none(operand->base) ? operand : (struct tensor *)operand->base;
            values[0] = &operand->head;
            values[1] = operand->array;
            values[2] = &_Py_NoneStruct;
            values[3] = count_of(root);
        } else {
            struct object *changes = changes_of(result);
            if (!changes) {
                Py_DecRef(saved);
                return NULL;
            }
            values[0] = &_Py_NoneStruct;
            values[1] = result->array;
            values[2] = changes;
            values[3] = ((struct changes *)changes)->count;
        }
        for (int j = 0; j < 4; j++)
            PyTuple_SetItem(saved, 4 * i + j, share(values[j]));
    }
    return saved;
}

/* Make the node of a result; false with an error set. */
static bool make_node(
    const struct eager_rule *rule, struct tensor *const *operands, int64_t count,
    struct tensor *result)
{
    struct node *node = (struct node *)PyType_GenericAlloc(setup.op_node, 0);
    if (!node)
        return false;
    node->hooks = none();
    node->kept = none();
    node->recipe = share(rule->recipe);
    node->number = PyIter_Next(setup.numbers);
    node->edges = PyTuple_New(count);
    bool made = node->number && node->edges && locate(node);
    for (int64_t i = 0; made && i < count; i++) {
        struct object *edge = edge_of(operands[i]);
        made = edge != NULL;
        PyTuple_SetItem(node->edges, i, edge);
    }
    if (made)
        node->saved = saved_of(rule, operands, count, result);
    if (!made || !node->saved) {
        Py_DecRef(&node->head);
        return false;
    }
    put(&result->node, &node->head);
    return true;
}

/* Have Python record an op; false with an error set. */
static bool record_in_python(
    const struct eager_op *op, struct tensor *const *operands, int64_t count,
    struct tensor *result)
{
    struct object *tuple = PyTuple_New(count);
    if (!tuple)
        return false;
    for (int64_t i = 0; i < count; i++)
        PyTuple_SetItem(tuple, i, share(&operands[i]->head));
    struct object *done =
        PyObject_CallFunctionObjArgs(setup.record, op->owner, tuple, &result->head, NULL);
    Py_DecRef(tuple);
    if (done)
        Py_DecRef(done);
    return done != NULL;
}

/* Let gradients of the result flow to those operands that require them; false with an error set. */
static inline bool record(
    const struct eager_op *op, struct tensor *const *operands, int64_t count,
    struct tensor *result)
{
    if (mode() == SILENT)
        return true;
    int64_t wanted = 0;
    bool plain = true;
    for (int64_t i = 0; i < count; i++) {
        wanted |= (int64_t)requires_grad(operands[i]) << i;
        /* A view whose base was changed must be read again. */
        const struct tensor *base = (const struct tensor *)operands[i]->base;
        plain &= is_none(&base->head) || base->node == &_Py_NoneStruct;
    }
    if (plain) {
        if (!wanted || !op->may_require_grad)
            return true;
        for (const struct eager_rule *rule = op->rules; rule; rule = rule->next)
            if (rule->wanted == wanted)
                return make_node(rule, operands, count, result);
    }
    return record_in_python(op, operands, count, result);
}

/* ---- Calls ---- */

/* Run an op on tensors: the result, null with an error set, or NotImplemented with nothing done. */
static inline struct object *run(
    struct eager_op *op, struct tensor *const *operands, int64_t count, bool is_truth)
{
    struct object *arrays[MOST];
    struct object *owner = share(op->owner);
    for (int64_t i = 0; i < count; i++)
        arrays[i] = share(operands[i]->array);
    struct object *made = native_call(op->table, arrays, count);
    for (int64_t i = 0; i < count; i++)
        Py_DecRef(arrays[i]);
    if (made && made != &_Py_NotImplementedStruct) {
        if (is_truth) /* 0 and 1 are bools already */
            put(&((struct array *)made)->dtype, share(setup.boolean));
        struct tensor *result = new_tensor(made);
        made = &result->head;
        if (result && !record(op, operands, count, result)) {
            Py_DecRef(made);
            made = NULL;
        }
    }
    Py_DecRef(owner);
    return made;
}

/* (self, tensors, count): run an op whose kernel is known. `self` is the op, a ctypes structure. */
EXPORT struct object *penstock_eager_run(
    struct object *self, struct object *const *args, int64_t count)
{
    struct eager_op *op = ((struct ctypes_object *)self)->data;
    if (count > MOST || mode() == UNUSUAL)
        return not_here();
    for (int64_t i = 0; i < count; i++)
        if (!is_tensor(args[i]))
            return not_here();
    return run(op, (struct tensor *const *)args, count, false);
}

/* A number as the kernel takes it, a new tensor; null if that is left to Python, perhaps with an
 * error set. */
static struct object *number_tensor(struct object *number, const struct feed *feed)
{
    bool is_float = number->type == &PyFloat_Type;
    double real = is_float ? PyFloat_AsDouble(number) : 0;
    int overflow = 0;
    int64_t whole = is_float ? 0 : PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow)
        return NULL;
    struct object *array = native_array(feed);
    if (!array)
        return NULL;
    void *data = ((struct array *)array)->data;
    if (feed->dtype == setup.float32)
        *(float *)data = is_float ? (float)real : (float)whole;
    else if (feed->dtype == setup.float64)
        *(double *)data = is_float ? real : (double)whole;
    else if (feed->dtype == setup.int32)
        *(int32_t *)data = (int32_t)whole;
    else
        *(int64_t *)data = whole;
    struct tensor *made = new_tensor(array);
    return made ? &made->head : NULL;
}

/* Run an operator on operands, one of which may be a number, if it is known for these: the result,
 * null with an error set, or NotImplemented with nothing done. */
static struct object *apply(
    struct eager_operator *operator, struct object *const *operands, int64_t count)
{
    if (mode() == UNUSUAL)
        return not_here();
    uint64_t hash = mixed(0, (uint64_t)operator->number);
    int64_t number = -1;
    for (int64_t i = 0; i < count; i++) {
        enum kind kind = mix_operand(&hash, operands[i]);
        if (kind == OTHER)
            return not_here();
        if (kind != TENSOR)
            number = i;
    }
    struct eager_op *op = find(hash, operator->number);
    if (!op)
        return not_here();
    bool is_truth = operator->is_truth != 0;
    if (number < 0)
        return run(op, (struct tensor *const *)operands, count, is_truth);
    struct object *tensors[2] = {operands[0], operands[1]}, *result = NULL;
    struct object *owner = share(op->owner); /* what the collector calls may evict the op */
    struct object *made = number_tensor(operands[number], &op->table->feeds[number]);
    if (made) {
        tensors[number] = made;
        result = run(op, (struct tensor *const *)tensors, count, is_truth);
        Py_DecRef(made);
    } else if (!PyErr_Occurred()) {
        result = not_here();
    }
    Py_DecRef(owner);
    return result;
}

/* (self, operands, count): a function of tensors, without attributes; NotImplemented if Python must
 * do it. `self` is the operator, a ctypes structure. */
EXPORT struct object *penstock_eager_apply(
    struct object *self, struct object *const *args, int64_t count)
{
    struct eager_operator *operator = ((struct ctypes_object *)self)->data;
    return count == operator->count ? apply(operator, args, count) : not_here();
}

/* An operator of two operands, as a method of tensors. */
static inline struct object *operate(
    struct eager_operator *operator, struct object *x, struct object *y)
{
    struct object *operands[2] = {operator->reversed ? y : x, operator->reversed ? x : y};
    struct object *result = apply(operator, operands, 2);
    if (result != &_Py_NotImplementedStruct)
        return result;
    Py_DecRef(result);
    return PyObject_CallFunctionObjArgs(operator->slow, x, y, NULL);
}

/* ---- Backward ---- */

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
    if (target->type != setup.op_node)
        return NULL;
    struct object *recipe = ((const struct node *)target)->recipe;
    if (!recipe || recipe->type != setup.recipe)
        return NULL;
    struct eager_rule *rule = ((struct ctypes_object *)recipe)->data;
    return rule->computed >= 0 ? rule : NULL;
}

/* The sum of two gradients, both of which are taken over; null with an error set. */
static struct object *sum(struct object *x, struct object *y)
{
    struct object *arrays[2] = {x, y}, *made = NULL;
    uint64_t hash = mixed(0, (uint64_t)setup.add);
    if (native_is_array(x) && native_is_array(y)) {
        struct eager_op *op = find(mixed_array(mixed_array(hash, x), y), setup.add);
        if (op) {
            struct object *owner = share(op->owner);
            made = native_call(op->table, arrays, 2);
            Py_DecRef(owner);
        }
    }
    if (!made ? !PyErr_Occurred() : made == &_Py_NotImplementedStruct) {
        if (made)
            Py_DecRef(made);
        made = PyObject_CallFunctionObjArgs(setup.sum, x, y, NULL);
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
        if (!is_a(target, setup.tensor)) {
            number = is_a(target, setup.node) && ((struct node *)target)->number
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
            if (changes->type != setup.changes)
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
        PyObject_CallFunctionObjArgs(setup.step, target, gradient, pass->keep, NULL);
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
            ? native_call(rule->backward, arguments, rule->saved_count + rule->reads_gradient)
            : not_here();
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
        if (!base || base->type == setup.allocation)
            return true;
        if (!native_is_array(base))
            return false;
        array = base;
    }
    return false;
}

/* A gradient of the pass for a tensor to keep, a new reference: itself, or a copy if somebody else
 * has its elements too; null with an error set. */
static inline struct object *own(const struct item *item)
{
    struct object *gradient = item->gradient;
    return !native_is_array(gradient) || is_alone(gradient) ? share(gradient)
                                                            : setup.copy_array(gradient, 0);
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
        struct tensor *total = array ? new_tensor(array) : NULL;
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
        done ? PyObject_CallFunctionObjArgs(setup.finish, leaves, NULL) : NULL;
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
    bool is_float = array->dtype == setup.float32;
    if (!is_float && array->dtype != setup.float64)
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
    if (mode() == UNUSUAL || !is_tensor(args[0]) || !is_none(output->base)
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

/* ---- Operators ---- */

#define METHOD(i) \
    static struct object *method_##i(struct object *x, struct object *y) \
    { \
        return operate(setup.operators[i], x, y); \
    }
METHOD(0) METHOD(1) METHOD(2) METHOD(3) METHOD(4) METHOD(5) METHOD(6) METHOD(7) METHOD(8) METHOD(9)
METHOD(10) METHOD(11) METHOD(12) METHOD(13) METHOD(14) METHOD(15) METHOD(16) METHOD(17) METHOD(18)
#undef METHOD

/* The method of an operator, by its place in the setup. */
EXPORT struct object *(*penstock_eager_method(int64_t i))(struct object *, struct object *)
{
#define METHOD(i) method_##i
    static struct object *(*const methods[OPERATORS])(struct object *, struct object *) = {
        METHOD(0), METHOD(1), METHOD(2), METHOD(3), METHOD(4), METHOD(5), METHOD(6), METHOD(7),
        METHOD(8), METHOD(9), METHOD(10), METHOD(11), METHOD(12), METHOD(13), METHOD(14),
        METHOD(15), METHOD(16), METHOD(17), METHOD(18),
    };
#undef METHOD
    return methods[i];
}

/* What is looked up once. */
EXPORT void penstock_eager_setup(const struct eager_setup *given)
{
    if (!setup.tensor)
        pthread_key_create(&mode_key, NULL);
    setup = *given;
}
