/* The call of a job from Python: one function for all jobs, driven by tables.
 *
 * CPython calls `penstock_call` (METH_FASTCALL) with the arrays of a call. In the usual case it
 * checks them, creates the results, runs the job's entry and returns; no Python code runs. It
 * leaves everything else to the slow path, by returning NotImplemented with nothing done: an array
 * that must be converted, an error to report, a lack of memory, a run of this table that is not
 * over, threads that wait for their turn at the variables.
 *
 * runtime/native/native_call.py fills the tables. Whoever calls holds the global lock, which guards
 * them; so nothing here is atomic.
 */
#include "python.h"

/* Ticks of the processor's clock, some ten microseconds. A job whose last run took less keeps the
 * global lock, since others could do nothing in so little time. */
#define SHORT 30000u

enum {
    TRIM = 1023, /* after so many results, the slow path looks at what the ring holds */

    /* Flags of NumPy's arrays: C-contiguous, aligned, writeable. */
    USUAL = 0x101,
    NEW = 0x501,
    WRITEABLE = 0x400,
};

static const void *array_type;
static new_array_function *new_array;
static set_base_function *set_base;
uint64_t native_main_thread;

/* What is looked up once. In the child of a fork another thread may be the main one, which alone
 * handles signals. */
EXPORT void penstock_call_setup(
    const void *type, new_array_function *new, set_base_function *set, uint64_t main)
{
    array_type = type;
    new_array = new;
    set_base = set;
    native_main_thread = main;
}

static inline bool is_aligned(const void *data) { return (uintptr_t)data % ARRAY_ALIGNMENT == 0; }

bool native_is_array(const struct object *object) { return object && object->type == array_type; }

/* Whether an array's elements are where kernels take them. */
bool native_is_usual(const struct object *object)
{
    const struct array *array = (const struct array *)object;
    return (array->flags & USUAL) == USUAL && is_aligned(array->data);
}

/* Whether an object is an array as the feed wants it; if so, its data becomes the argument. */
static inline bool accept(const struct feed *feed, struct object *object, void **arguments)
{
    if (object->type != array_type)
        return false;
    const struct array *array = (const struct array *)object;
    if (array->dtype != feed->dtype || array->rank != feed->rank
        || !native_is_usual(object))
        return false;
    for (int64_t i = 0; i < feed->rank; i++)
        if (array->dimensions[i] != feed->shape[i])
            return false;
    arguments[feed->place] = array->data;
    return true;
}

/* ---- Results ---- */

/* A block of a ring that nobody else holds, with one more reference; null if there is none. */
struct block *native_claim_block(struct ring *ring)
{
    if (ring->uses < 0 || (++ring->uses & TRIM) == 0)
        return NULL;
    for (struct block *block = ring->blocks; block < ring->blocks + BLOCKS; block++)
        if (block->owner && block->owner->references == 1) {
            Py_IncRef(block->owner);
            block->uses++;
            return block;
        }
    return NULL;
}

/* For the slow path: the owner of a block that it may use, or None. */
EXPORT struct object *penstock_claim_block(struct ring *ring)
{
    struct block *block = native_claim_block(ring);
    if (block)
        return block->owner;
    Py_IncRef(&_Py_NoneStruct);
    return &_Py_NoneStruct;
}

static inline struct object *create(const struct fetch *fetch, void *data, int flags)
{
    Py_IncRef(fetch->dtype);
    return new_array(
        array_type, fetch->dtype, (int)fetch->rank, fetch->shape, NULL, data, flags, NULL);
}

/* A new array of that dtype and shape, in NumPy's memory; null with an error set. */
struct object *native_array(const struct feed *feed)
{
    Py_IncRef(feed->dtype);
    return new_array(array_type, feed->dtype, (int)feed->rank, feed->shape, NULL, NULL, 0, NULL);
}

/* A new array in NumPy's memory, whose data becomes the argument; null if there is no memory, or
 * none that is aligned. */
struct object *native_own(const struct fetch *fetch, void **arguments)
{
    struct object *array = create(fetch, NULL, 0);
    if (!array) {
        PyErr_Clear();
        return NULL;
    }
    void *data = ((struct array *)array)->data;
    if (!is_aligned(data)) {
        Py_DecRef(array);
        return NULL;
    }
    arguments[fetch->place] = data;
    return array;
}

/* A new array in a block, whose data becomes the argument; null if that fails. The caller's
 * reference to the owner is taken over. */
struct object *native_wrap(
    const struct fetch *fetch, void **arguments, const struct block *block)
{
    struct object *owner = block->owner;
    struct object *view = create(fetch, block->data, NEW);
    if (!view)
        Py_DecRef(owner);
    else if (set_base(view, owner)) {
        Py_DecRef(view);
        view = NULL;
    }
    if (view)
        arguments[fetch->place] = block->data;
    else
        PyErr_Clear();
    return view;
}

/* A new array for a result, whose data becomes the argument; null if the slow path must help. */
struct object *native_result(const struct fetch *fetch, void **arguments)
{
    if (!fetch->ring)
        return native_own(fetch, arguments);
    if (fetch->ring->uses < 0)
        return native_recycled(fetch, -fetch->ring->uses, arguments);
    struct block *block = native_claim_block(fetch->ring);
    return block ? native_wrap(fetch, arguments, block) : NULL;
}

/* What a call returns, as new arrays; null if the slow path must help. */
static inline struct object *results(const struct table *table)
{
    if (table->form == NOTHING) {
        Py_IncRef(&_Py_NoneStruct);
        return &_Py_NoneStruct;
    }
    if (table->form == ONE)
        return native_result(table->fetches, table->arguments);
    struct object *tuple = PyTuple_New(table->fetch_count);
    if (!tuple) {
        PyErr_Clear();
        return NULL;
    }
    for (int64_t i = 0; i < table->fetch_count; i++) {
        struct object *array = native_result(&table->fetches[i], table->arguments);
        if (!array) {
            Py_DecRef(tuple);
            return NULL;
        }
        PyTuple_SetItem(tuple, i, array);
    }
    return tuple;
}

/* ---- Views ---- */

static inline bool is_viewed_by(const struct eager_view *view, const struct array *array)
{
    if (array->dtype != view->dtype || array->rank != view->rank)
        return false;
    for (int64_t i = 0; i < view->rank; i++)
        if (array->dimensions[i] != view->shape[i] || array->strides[i] != view->strides[i])
            return false;
    return true;
}

/* The array by the first of these views that is for its shape and strides: a new reference, null
 * with an error set, or NotImplemented where there is none. */
struct object *native_view(const struct eager_view *view, struct object *object)
{
    const struct array *array = (const struct array *)object;
    while (view && !(native_is_array(object) && is_viewed_by(view, array)))
        view = view->next;
    if (!view) {
        Py_IncRef(&_Py_NotImplementedStruct);
        return &_Py_NotImplementedStruct;
    }
    Py_IncRef(view->dtype);
    struct object *made = new_array(
        array_type, view->dtype, (int)view->result_rank, view->result_shape, view->result_strides,
        (char *)array->data + view->offset, array->flags & WRITEABLE, NULL);
    if (!made)
        return NULL;
    Py_IncRef(object);
    if (!set_base(made, object))
        return made;
    Py_DecRef(made);
    return NULL;
}

/* ---- Runs ---- */

/* Run an entry, without the global lock if so asked; its status. */
static inline int32_t enter(
    entry_function *entry, struct context *context, void **arguments, struct run *run,
    bool unlocked)
{
    if (!unlocked) {
        run->due = 0; /* the first poll asks for the time, to save the call that */
        run->state = NULL;
        return entry(context, arguments);
    }
    run->due = native_first_look();
    run->state = PyEval_SaveThread();
    int32_t status = entry(context, arguments);
    PyEval_RestoreThread(run->state); /* taps may have changed it */
    return status;
}

/* Put SIGINT back and have Python act on it: whether a handler raised. */
static inline bool interrupt(void)
{
    PyErr_SetInterrupt();
    return PyErr_CheckSignals() != 0;
}

/* (self, {entry, context, arguments, run}, 4): a run of the slow path; its status. If `native_look`
 * stopped it for a signal, Python has acted on the signal. */
EXPORT struct object *penstock_invoke(
    struct object *self, struct object *const *args, int64_t count)
{
    (void)self, (void)count;
    entry_function *entry = (entry_function *)(uintptr_t)PyLong_AsVoidPtr(args[0]);
    struct context *context = PyLong_AsVoidPtr(args[1]);
    void **arguments = PyLong_AsVoidPtr(args[2]);
    struct run *run = PyLong_AsVoidPtr(args[3]);
    if (PyErr_Occurred())
        return NULL;
    int32_t status = enter(entry, context, arguments, run, true);
    if (native_failed(run))
        return NULL;
    if (status && run->look == native_look && interrupt())
        return NULL;
    return PyLong_FromLong(status);
}

/* Claim a table: 1 if it is the caller's now. */
EXPORT int32_t penstock_claim(struct table *table)
{
    bool free = table->busy == 0;
    table->busy = 1;
    return free;
}

/* Count a run among the readers or writers of the variables: where, or null if it must wait. */
static inline int64_t *pass(struct gate *gate, const struct table *table)
{
    /* Handlers may change variables, so a watched step is alone even if it only reads. */
    bool watched = table->watched != 0, alone = table->writes || watched;
    if (gate->closed | gate->writers | (alone ? gate->readers : 0))
        return NULL;
    int64_t *inside = alone ? &gate->writers : &gate->readers;
    ++*inside;
    /* Who it is, for what its handlers do in Python. */
    gate->thread = watched ? (int64_t)PyThread_get_thread_ident() : 0;
    gate->updating = watched ? table->writes : 0;
    return inside;
}

static inline struct object *left_to_the_slow_path(void)
{
    Py_IncRef(&_Py_NotImplementedStruct);
    return &_Py_NotImplementedStruct;
}

/* The call of a job with these arrays: a new reference to what it returns, null with an error set, or
 * NotImplemented with nothing done. */
struct object *native_call(struct table *table, struct object *const *args, int64_t count)
{
    if (count != table->feed_count || table->busy)
        return left_to_the_slow_path();
    table->busy = 1;
    struct object *result = NULL;
    for (int64_t i = 0; i < count; i++)
        if (!accept(&table->feeds[i], args[i], table->arguments))
            goto slow;
    result = results(table);
    if (!result)
        goto slow;
    struct gate *gate = table->gate;
    int64_t *inside = NULL;
    if (gate) {
        inside = pass(gate, table);
        if (!inside)
            goto slow;
    }

    bool is_long = (uint64_t)table->ticks > SHORT;
    struct run *run = table->run;
    uint64_t start = __builtin_readcyclecounter();
    int32_t status = enter(table->entry, table->context, table->arguments, run, is_long);
    table->ticks = (int64_t)(__builtin_readcyclecounter() - start);
    if (inside) {
        --*inside;
        gate->thread = gate->updating = 0;
    }
    /* Still busy: raising may let handlers of signals and other threads call the job. */
    bool failed = native_failed(run);
    table->busy = 0;
    if (!failed && !status)
        return result;
    Py_DecRef(result);
    return failed || interrupt() ? NULL : left_to_the_slow_path();

slow:
    if (result)
        Py_DecRef(result);
    table->busy = 0;
    return left_to_the_slow_path();
}

/* (self, arrays, how many): the call of a job. `self` is the table, a ctypes structure. */
EXPORT struct object *penstock_call(struct object *self, struct object *const *args, int64_t count)
{
    return native_call(((struct ctypes_object *)self)->data, args, count);
}

/* The keywords of a call as a dictionary; null with an error set if there is no memory. */
static inline struct object *named(struct object *names, struct object *const *values)
{
    struct object *keywords = PyDict_New();
    int64_t count = keywords ? PyTuple_Size(names) : 0;
    for (int64_t i = 0; i < count; i++)
        if (PyDict_SetItem(keywords, PyTuple_GetItem(names, i), values[i])) {
            Py_DecRef(keywords);
            return NULL;
        }
    return keywords;
}

/* (self, arrays, how many, names of keywords or null): as `penstock_call`, but whatever is unusual
 * or has keywords goes to the slow path from here, with the same arguments. */
EXPORT struct object *penstock_serve(
    struct object *self, struct object *const *args, int64_t count, struct object *names)
{
    struct object *keywords = NULL;
    if (names) {
        keywords = named(names, args + count);
        if (!keywords)
            return NULL;
    } else {
        struct object *result = penstock_call(self, args, count);
        if (result != &_Py_NotImplementedStruct)
            return result;
        Py_DecRef(result);
    }
    struct table *table = ((struct ctypes_object *)self)->data;
    struct object *answer = PyObject_VectorcallDict(table->slow, args, (uint64_t)count, keywords);
    if (keywords)
        Py_DecRef(keywords);
    return answer;
}
