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
#include "eager.h"

enum {
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

struct eager_setup eager;
uint32_t native_flags_key;
static struct known known[SETS][WAYS];
static uint32_t next_way;
static struct told told[CODES];

int pthread_key_create(uint32_t *, void (*)(void *));
int pthread_setspecific(uint32_t, const void *);

void *realloc(void *, size_t);
void free(void *);

/* ---- Modes ---- */

/* (None, {}, 0): the address of this thread's flags, which live as long as the thread. */
EXPORT struct object *penstock_eager_flags(
    struct object *self, struct object *const *args, int64_t count)
{
    (void)self, (void)args, (void)count;
    struct flags *found = pthread_getspecific(native_flags_key);
    if (!found) {
        found = realloc(NULL, sizeof *found);
        if (!found)
            return PyErr_NoMemory();
        *found = (struct flags){.is_unusual = true};
        if (pthread_setspecific(native_flags_key, found)) {
            free(found);
            return PyErr_NoMemory();
        }
    }
    return PyLong_FromLong((long)(uintptr_t)found);
}

/* ---- Known kernels ---- */

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

struct eager_op *native_known_op(uint64_t hash, int64_t number)
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
struct tensor *native_new_tensor(struct object *array)
{
    struct tensor *made = (struct tensor *)PyType_GenericAlloc(eager.tensor, 0);
    if (!made) {
        Py_DecRef(array);
        return NULL;
    }
    made->array = array;
    made->base = none();
    made->changes = none();
    made->grad = none();
    made->hooks = none();
    made->index = share(eager.zero);
    made->node = none();
    made->seen = share(eager.zero);
    made->unseen_base = none();
    made->requires_grad = share(&_Py_FalseStruct);
    return made;
}

/* The changes of a tensor that is no view, borrowed; null with an error set. */
struct object *native_changes_of(struct tensor *tensor)
{
    if (is_none(tensor->changes)) {
        struct changes *made = (struct changes *)PyType_GenericAlloc(eager.changes, 0);
        if (!made)
            return NULL;
        made->count = share(eager.zero);
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
        struct object *answer = PyObject_CallFunctionObjArgs(eager.is_ours, frame, NULL);
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

/* The user's code that runs, and the place in it; false with an error set. */
static inline bool locate(struct object **user, struct object **at)
{
    struct object *frame = PyEval_GetFrame();
    if (frame)
        Py_IncRef(frame);
    while (frame) {
        struct object *code = PyFrame_GetCode(frame);
        int ours = is_ours(code, frame);
        if (ours <= 0) {
            *user = code;
            *at = ours ? none() : PyLong_FromLong(eager.last_instruction(frame));
            Py_DecRef(frame);
            return ours == 0 && *at;
        }
        struct object *back = PyFrame_GetBack(frame);
        Py_DecRef(code);
        Py_DecRef(frame);
        frame = back;
    }
    *user = none();
    *at = share(eager.zero);
    return true;
}

/* The line of the user's program that runs; null with an error set. */
struct object *native_line(void)
{
    struct line *line = (struct line *)PyType_GenericAlloc(eager.line, 0);
    if (line && !locate(&line->code, &line->at)) {
        Py_DecRef(&line->head);
        return NULL;
    }
    return line ? &line->head : NULL;
}

/* ---- Nodes ---- */

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
            values[0] = &operand->head;
            values[1] = operand->array;
            values[2] = &_Py_NoneStruct;
            values[3] = count_of(root_of(operand));
        } else {
            struct object *changes = native_changes_of(result);
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
    struct node *node = (struct node *)PyType_GenericAlloc(eager.op_node, 0);
    if (!node)
        return false;
    node->hooks = none();
    node->kept = none();
    node->recipe = share(rule->recipe);
    node->number = PyIter_Next(eager.numbers);
    node->edges = PyTuple_New(count);
    bool made = node->number && node->edges && locate(&node->code, &node->at);
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
        PyObject_CallFunctionObjArgs(eager.record, op->owner, tuple, &result->head, NULL);
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
    if (!flags()->records)
        return true;
    int64_t wanted = 0;
    bool plain = true;
    for (int64_t i = 0; i < count; i++) {
        wanted |= (int64_t)requires_grad(operands[i]) << i;
        /* A view whose base was changed must be read again. */
        const struct tensor *base = (const struct tensor *)operands[i]->base;
        plain &= is_none(&base->head) || base->node == &_Py_NoneStruct
            || operands[i]->seen == count_of(base);
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

/* A view of a tensor: the result, null with an error set, or NotImplemented with nothing done. */
static struct object *view(struct eager_op *op, struct tensor *operand)
{
    struct tensor *root = root_of(operand);
    if (!is_tensor(&root->head) || !root->unseen_base)
        return not_here();
    struct object *owner = share(op->owner);
    Py_IncRef(&root->head);
    struct object *made = native_view(op->views, operand->array);
    if (made && made != &_Py_NotImplementedStruct) {
        struct tensor *result = native_new_tensor(made);
        made = result ? &result->head : NULL;
        bool done = result != NULL;
        if (done && !flags()->records) { /* no gradient reaches it through the base */
            struct object *changes = native_changes_of(root);
            done = changes != NULL;
            if (done) {
                put(&result->changes, share(changes));
                put(&result->unseen_base,
                    share(is_none(root->unseen_base) ? &root->head : root->unseen_base));
            }
        } else if (done) {
            put(&result->base, share(&root->head));
            put(&result->seen, share(count_of(root)));
            done = record(op, &operand, 1, result);
        }
        if (!done && made) {
            Py_DecRef(made);
            made = NULL;
        }
    }
    Py_DecRef(&root->head);
    Py_DecRef(owner);
    return made;
}

/* Run an op on tensors: the result, null with an error set, or NotImplemented with nothing done. */
static inline struct object *run(
    struct eager_op *op, struct tensor *const *operands, int64_t count, bool is_truth)
{
    if (!op->table)
        return count == 1 ? view(op, operands[0]) : not_here();
    struct object *arrays[MOST];
    struct object *owner = share(op->owner);
    for (int64_t i = 0; i < count; i++)
        arrays[i] = share(operands[i]->array);
    struct object *made = call(op->table, arrays, count);
    for (int64_t i = 0; i < count; i++)
        Py_DecRef(arrays[i]);
    if (made && made != &_Py_NotImplementedStruct) {
        if (is_truth) /* 0 and 1 are bools already */
            put(&((struct array *)made)->dtype, share(eager.boolean));
        struct tensor *result = native_new_tensor(made);
        made = result ? &result->head : NULL;
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
    if (count > MOST || is_unusual())
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
    if (feed->dtype == eager.float32)
        *(float *)data = is_float ? (float)real : (float)whole;
    else if (feed->dtype == eager.float64)
        *(double *)data = is_float ? real : (double)whole;
    else if (feed->dtype == eager.int32)
        *(int32_t *)data = (int32_t)whole;
    else
        *(int64_t *)data = whole;
    struct tensor *made = native_new_tensor(array);
    return made ? &made->head : NULL;
}

/* Run an operator on operands, one of which may be a number, if it is known for these: the result,
 * null with an error set, or NotImplemented with nothing done. */
static struct object *apply(
    struct eager_operator *operator, struct object *const *operands, int64_t count)
{
    if (is_unusual())
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
    struct eager_op *op = native_known_op(hash, operator->number);
    if (!op)
        return not_here();
    bool is_truth = operator->is_truth != 0;
    if (number < 0)
        return run(op, (struct tensor *const *)operands, count, is_truth);
    if (!op->table)
        return not_here();
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

/* An operator that changes its first operand, known to be a tensor if there is a result. */
static inline struct object *change(struct object *x, struct object *result)
{
    int done = 0;
    if (result && is_tensor(x) && is_tensor(result))
        done = native_overwrite((struct tensor *)x, (struct tensor *)result);
    struct object *changed = NULL;
    if (result && done >= 0)
        changed = done ? share(x) : PyObject_CallFunctionObjArgs(eager.assign, x, result, NULL);
    if (result)
        Py_DecRef(result);
    return changed;
}

/* An operator of two operands, as a method of tensors. */
static inline struct object *operate(
    struct eager_operator *operator, struct object *x, struct object *y)
{
    struct object *operands[2] = {operator->reversed ? y : x, operator->reversed ? x : y};
    struct object *result = apply(operator, operands, 2);
    if (result != &_Py_NotImplementedStruct)
        return operator->changes ? change(x, result) : result;
    Py_DecRef(result);
    return PyObject_CallFunctionObjArgs(operator->slow, x, y, NULL);
}

/* ---- Operators ---- */

#define METHOD(i) \
    static struct object *method_##i(struct object *x, struct object *y) \
    { \
        return operate(eager.operators[i], x, y); \
    }
METHOD(0) METHOD(1) METHOD(2) METHOD(3) METHOD(4) METHOD(5) METHOD(6) METHOD(7) METHOD(8) METHOD(9)
METHOD(10) METHOD(11) METHOD(12) METHOD(13) METHOD(14) METHOD(15) METHOD(16) METHOD(17) METHOD(18)
METHOD(19) METHOD(20) METHOD(21) METHOD(22) METHOD(23) METHOD(24)
#undef METHOD

/* The method of an operator, by its place in the eager. */
EXPORT struct object *(*penstock_eager_method(int64_t i))(struct object *, struct object *)
{
#define METHOD(i) method_##i
    static struct object *(*const methods[OPERATORS])(struct object *, struct object *) = {
        METHOD(0), METHOD(1), METHOD(2), METHOD(3), METHOD(4), METHOD(5), METHOD(6), METHOD(7),
        METHOD(8), METHOD(9), METHOD(10), METHOD(11), METHOD(12), METHOD(13), METHOD(14),
        METHOD(15), METHOD(16), METHOD(17), METHOD(18), METHOD(19), METHOD(20), METHOD(21),
        METHOD(22), METHOD(23), METHOD(24),
    };
#undef METHOD
    return methods[i];
}

/* What is looked up once. */
EXPORT void penstock_eager_setup(const struct eager_setup *given)
{
    if (!eager.tensor)
        pthread_key_create(&native_flags_key, free);
    eager = *given;
}
