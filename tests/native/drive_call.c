/* Drives the native call and the taps, for a sanitizer to watch: `drive_call WHAT ROUNDS`.
 *
 * What they call of CPython and NumPy is here, as far as they need it: objects that are freed with
 * their last reference, a global lock that is a mutex, errors, signals that come now and then, and
 * allocations that fail now and then. So AddressSanitizer sees a reference that is wanting or left,
 * and ThreadSanitizer whatever is used without the global lock that needs it.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "python.h"

/* What taps.c declares for itself. */
_Static_assert(CLOCK_MONOTONIC_COARSE == 6 && sizeof(struct timespec) == 16, "clock_gettime");

/* What the two export, for other than C. */
void penstock_call_setup(const void *, new_array_function *, set_base_function *, uint64_t);
struct object *penstock_call(struct object *, struct object *const *, int64_t);
struct object *penstock_serve(
    struct object *, struct object *const *, int64_t, struct object *names);
struct object *penstock_invoke(struct object *, struct object *const *, int64_t);
struct object *penstock_claim_block(struct ring *);
int32_t penstock_claim(struct table *);
int32_t penstock_poll(struct run *);
int32_t (*penstock_look(void))(struct run *);
int32_t (*penstock_act(void))(struct run *);
void penstock_tap(struct run *, uint32_t, const void *);
int64_t penstock_eager_trim(int64_t);

enum { SIDE = 200, ELEMENTS = SIDE * SIDE, CALLERS = 4, HANDLERS = 3 };

static void fail(const char *what)
{
    fprintf(stderr, "wrong: %s\n", what);
    abort();
}

static void expect(int holds, const char *what)
{
    if (!holds)
        fail(what);
}

/* ---- Objects ---- */

const char PyCapsule_Type;
static const char array_kind, list_kind, number_kind, other_kind;

struct list { struct object head; int64_t size; struct object *items[64]; };
struct number { struct object head; int64_t value; };
struct callable { struct object head; struct object *(*call)(struct object *); };
struct capsule {
    struct object head;
    void *pointer;
    const char *name;
    void (*destroy)(struct object *);
};

struct object _Py_NoneStruct = {1 << 30, 0, &other_kind};
struct object _Py_NotImplementedStruct = {1 << 30, 0, &other_kind};
static struct object dtype = {1 << 30, 0, &other_kind};

static pthread_mutex_t global_lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t alive;                     /* objects */
static struct object *error;              /* that is set, guarded like all of these by the lock */
static unsigned random_state = 1, failing; /* one allocation of so many fails; 0: none does */
static unsigned interrupting;             /* one look of so many finds a signal */

static bool comes(unsigned once_in)
{
    random_state = random_state * 1664525u + 1013904223u;
    return once_in && (random_state >> 8) % once_in == 0;
}

static void *new(size_t size, const char *kind)
{
    struct object *made = calloc(1, size);
    made->references = 1;
    made->type = kind;
    alive++;
    return made;
}

static void set_error(void)
{
    expect(!error, "an error comes on top of another");
    error = new(sizeof *error, &other_kind);
}

void Py_IncRef(struct object *object) { object->references++; }

void Py_DecRef(struct object *object)
{
    if (--object->references)
        return;
    if (object->type == &array_kind) {
        struct array *array = (struct array *)object;
        if (array->base)
            Py_DecRef(array->base);
        else
            free(array->data);
        Py_DecRef(array->dtype);
    } else if (object->type == &PyCapsule_Type) {
        ((struct capsule *)object)->destroy(object);
    } else if (object->type == &list_kind) {
        struct list *list = (struct list *)object;
        for (int64_t i = 0; i < list->size; i++)
            Py_DecRef(list->items[i]);
    }
    alive--;
    free(object);
}

static const int64_t shape[2] = {SIDE, SIDE};

static struct object *new_array(
    const void *type, struct object *kind, int rank, const int64_t *dimensions,
    const int64_t *strides, void *data, int flags, struct object *like)
{
    expect(type == &array_kind && !strides && !like && rank == 2, "an odd array");
    if (comes(failing)) {
        Py_DecRef(kind);
        set_error();
        return NULL;
    }
    struct array *made = new(sizeof *made, &array_kind);
    made->data = data ? data : aligned_alloc(64, ELEMENTS * sizeof(float));
    made->rank = rank;
    made->dimensions = dimensions;
    made->dtype = kind;
    made->flags = data ? flags : 0x501;
    if (data)
        made->base = &_Py_NoneStruct, Py_IncRef(made->base);
    return &made->head;
}

static int set_base(struct object *array, struct object *base)
{
    if (comes(failing)) {
        Py_DecRef(base);
        set_error();
        return -1;
    }
    Py_DecRef(((struct array *)array)->base);
    ((struct array *)array)->base = base;
    return 0;
}

static struct object *an_array(void)
{
    unsigned before = failing;
    failing = 0;
    Py_IncRef(&dtype);
    struct object *made = new_array(&array_kind, &dtype, 2, shape, NULL, NULL, 0, NULL);
    failing = before;
    return made;
}

static float *data_of(struct object *array) { return ((struct array *)array)->data; }

/* ---- Functions of CPython ---- */

struct object *PyCapsule_New(void *pointer, const char *name, void (*destroy)(struct object *))
{
    if (comes(failing)) {
        set_error();
        return NULL;
    }
    struct capsule *made = new(sizeof *made, &PyCapsule_Type);
    made->pointer = pointer;
    made->name = name;
    made->destroy = destroy;
    return &made->head;
}

int PyCapsule_IsValid(const struct object *object, const char *name)
{
    return object->type == &PyCapsule_Type && ((const struct capsule *)object)->name == name;
}

void *PyCapsule_GetPointer(struct object *object, const char *name)
{
    expect(PyCapsule_IsValid(object, name), "a capsule of another kind");
    return ((struct capsule *)object)->pointer;
}

void *PyEval_SaveThread(void)
{
    pthread_mutex_unlock(&global_lock);
    return &global_lock;
}

void PyEval_RestoreThread(void *state)
{
    expect(state == &global_lock, "a thread state is not what it was");
    pthread_mutex_lock(&global_lock);
}

unsigned long PyThread_get_thread_ident(void) { return (unsigned long)pthread_self(); }

int PyOS_InterruptOccurred(void) { return comes(interrupting); }
void PyErr_SetInterrupt(void) {}

int PyErr_CheckSignals(void)
{
    if (error || !comes(interrupting))
        return 0;
    set_error();
    return -1;
}

struct object *PyErr_Occurred(void) { return error; }

void PyErr_Clear(void)
{
    if (error)
        Py_DecRef(error);
    error = NULL;
}

struct object *PyErr_NoMemory(void)
{
    set_error();
    return NULL;
}

void PyErr_Fetch(struct object **type, struct object **value, struct object **trace)
{
    expect(error != NULL, "an error is fetched that is not set");
    *type = new(sizeof **type, &other_kind);
    *value = error;
    *trace = comes(2) ? new(sizeof **trace, &other_kind) : NULL;
    error = NULL;
}

void PyErr_NormalizeException(struct object **type, struct object **value, struct object **trace)
{
    expect(*type && *value && trace, "no exception to normalize");
}

int PyException_SetTraceback(struct object *value, struct object *trace)
{
    return value && trace ? 0 : -1;
}

void *PyLong_AsVoidPtr(struct object *number)
{
    return (void *)(uintptr_t)((struct number *)number)->value;
}

struct object *PyLong_FromLong(long value)
{
    struct number *made = new(sizeof *made, &number_kind);
    made->value = value;
    return &made->head;
}

struct object *PyLong_FromVoidPtr(void *value) { return PyLong_FromLong((long)value); }

static int64_t size_of(struct object *list) { return ((struct list *)list)->size; }

struct object *PyTuple_New(int64_t size)
{
    if (comes(failing)) {
        set_error();
        return NULL;
    }
    expect(size <= 64, "a tuple is too long for this driver");
    return new(sizeof(struct list), &list_kind);
}

int PyTuple_SetItem(struct object *tuple, int64_t i, struct object *item)
{
    expect(i == size_of(tuple), "a tuple is filled out of order");
    ((struct list *)tuple)->items[((struct list *)tuple)->size++] = item;
    return 0;
}

int64_t PyTuple_Size(struct object *tuple) { return size_of(tuple); }

struct object *PyTuple_GetItem(struct object *tuple, int64_t i)
{
    return ((struct list *)tuple)->items[i];
}

int64_t PyList_Size(struct object *list) { return size_of(list); }

int PyList_Append(struct object *list, struct object *item)
{
    Py_IncRef(item);
    expect(size_of(list) < 64, "a list is too long for this driver");
    ((struct list *)list)->items[((struct list *)list)->size++] = item;
    return 0;
}

struct object *PyList_GetSlice(struct object *list, int64_t low, int64_t high)
{
    expect(low == 0 && high > size_of(list), "a slice is not the whole list");
    struct object *made = new(sizeof(struct list), &list_kind);
    for (int64_t i = 0; i < size_of(list); i++)
        PyList_Append(made, ((struct list *)list)->items[i]);
    return made;
}

int PyList_SetSlice(struct object *list, int64_t low, int64_t high, struct object *items)
{
    expect(low == 0 && high > size_of(list) && !items, "a list is not emptied");
    while (size_of(list))
        Py_DecRef(((struct list *)list)->items[--((struct list *)list)->size]);
    return 0;
}

struct object *PyDict_New(void) { return new(sizeof(struct list), &list_kind); }

int PyDict_SetItem(struct object *dict, struct object *key, struct object *value)
{
    if (comes(failing)) {
        set_error();
        return -1;
    }
    return PyList_Append(dict, key) + PyList_Append(dict, value);
}

struct object *PyObject_CallFunctionObjArgs(struct object *callable, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, callable);
    struct object *argument = __builtin_va_arg(arguments, struct object *);
    expect(!__builtin_va_arg(arguments, struct object *), "more than one argument");
    __builtin_va_end(arguments);
    expect(!error, "a function is called with an error set");
    return ((struct callable *)callable)->call(argument);
}

static int64_t slow_calls;

struct object *PyObject_VectorcallDict(
    struct object *callable, struct object *const *args, uint64_t count, struct object *keywords)
{
    expect(callable->type == &other_kind && args && count <= 2, "an odd call of the slow path");
    slow_calls += keywords ? size_of(keywords) / 2 : 1;
    Py_IncRef(&_Py_NoneStruct);
    return &_Py_NoneStruct;
}

/* ---- Jobs ---- */

static void *pool; /* of pool.c */

/* result = feed + 1, shown by a tap, with polls; 0, or what a poll says. */
static int32_t job(struct context *context, void **arguments)
{
    const float *feed = arguments[0];
    float *result = arguments[1], *second = arguments[2];
    const uint8_t *flag = arguments[4];
    struct run *run = context->user;
    for (int i = 0; i < 3; i++) {
        run->due = 1; /* as if it were long ago */
        int32_t stop = context->poll(run);
        if (stop)
            return stop;
    }
    float *blob = *flag > 1 ? arguments[3] : second;
    for (int i = 0; i < ELEMENTS; i++)
        result[i] = second[i] = blob[i] = feed[i] + 1;
    if (*flag)
        context->tap(run, 0, blob);
    return 0;
}

/* A table of this job, and all that it points to. */
struct instance {
    struct table table;
    struct ctypes_object self;
    struct run run;
    struct context context;
    struct feed feed;
    struct fetch fetches[2];
    struct ring rings[3];
    struct tap tap;
    void *arguments[5];
    uint8_t flag;
    struct callable slow;
};

static void call_tap(void *run, int32_t id, void *data) { penstock_tap(run, (uint32_t)id, data); }
static int32_t call_poll(void *run) { return penstock_poll(run); }

static struct object *raise(struct object *kept)
{
    expect(size_of(kept) && size_of(kept) % 2 == 0, "errors come with numbers");
    set_error();
    return NULL;
}

static struct callable raising = {{1 << 30, 0, &other_kind}, raise};

static void set_up(struct instance *it, struct gate *gate, int64_t writes)
{
    memset(it, 0, sizeof *it);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            struct block *block = &it->rings[i].blocks[k];
            block->owner = an_array();
            block->data = data_of(block->owner);
        }
    it->feed = (struct feed){&dtype, 2, shape, 0};
    for (int i = 0; i < 2; i++)
        it->fetches[i] = (struct fetch){&dtype, 2, shape, 1 + i, i ? NULL : &it->rings[i]};
    it->tap.blob = (struct fetch){&dtype, 2, shape, 0, &it->rings[2]};
    it->tap.bytes = ELEMENTS * sizeof(float);
    it->tap.slot = &it->arguments[3];
    it->tap.flag = &it->flag;
    it->context = (struct context){
        call_tap, &it->run, penstock_parallel_for, pool, call_poll, NULL, NULL, NULL};
    it->run.look = penstock_look();
    it->run.taps = &it->tap;
    it->run.context = &it->context;
    it->run.how = &raising.head;
    it->arguments[4] = &it->flag;
    it->slow.head = (struct object){1 << 30, 0, &other_kind};
    it->table = (struct table){
        .entry = job, .context = &it->context, .arguments = it->arguments, .run = &it->run,
        .feed_count = 1, .feeds = &it->feed, .fetch_count = 2, .fetches = it->fetches, .form = 2,
        .gate = gate, .writes = writes, .slow = &it->slow.head,
    };
    it->self = (struct ctypes_object){{1 << 30, 0, &other_kind}, &it->table};
}

static void tear_down(struct instance *it)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < BLOCKS; k++)
            if (it->rings[i].blocks[k].owner)
                Py_DecRef(it->rings[i].blocks[k].owner);
    if (it->run.errors)
        Py_DecRef(it->run.errors);
    if (it->tap.handlers)
        Py_DecRef(it->tap.handlers);
}

/* One call: whether it was native. */
static bool call(struct instance *it, struct object *feed)
{
    struct object *result = penstock_call(&it->self.head, &feed, 1);
    bool native = result && result != &_Py_NotImplementedStruct;
    if (native) {
        struct list *pair = (struct list *)result;
        expect(pair->size == 2, "a job has two results");
        for (int i = 0; i < ELEMENTS; i += 999)
            expect(data_of(pair->items[0])[i] == data_of(feed)[i] + 1
                && data_of(pair->items[1])[i] == data_of(feed)[i] + 1, "a result is wrong");
    }
    expect(!result == (error != NULL), "an error is set where nothing is returned, and only there");
    PyErr_Clear();
    if (result)
        Py_DecRef(result);
    return native;
}

/* ---- Ways ---- */

/* Calls as usual, and with memory that is wanting or signals that come. */
static void calling(int rounds)
{
    struct instance it;
    set_up(&it, NULL, 0);
    struct object *feed = an_array(), *name = PyLong_FromLong(1);
    int64_t native = 0;
    for (int i = 0; i < rounds * 8; i++) {
        failing = i % 2 ? 5 : 0;
        interrupting = i % 3 ? 9 : 0;
        it.table.ticks = i % 5 ? 0 : 1 << 20;
        native += call(&it, feed);
    }
    expect(native > 0, "no call was native");
    failing = interrupting = 0;
    expect(call(&it, feed), "a usual call is not native");

    /* What is unusual. */
    struct array *array = (struct array *)feed;
    expect(penstock_claim(&it.table) == 1 && penstock_claim(&it.table) == 0, "claimed twice");
    expect(!call(&it, feed), "a busy table is called");
    it.table.busy = 0;
    array->flags = 0;
    expect(!call(&it, feed), "an odd array is taken");
    array->flags = 0x501;
    expect(!call(&it, name) && !it.table.busy, "a number is taken");

    /* Through penstock_serve, by name and else. */
    struct object *names = PyTuple_New(1), *pair[2] = {feed, feed};
    Py_IncRef(name);
    PyTuple_SetItem(names, 0, name);
    slow_calls = 0;
    for (int i = 0; i < rounds; i++) {
        failing = i % 2 ? 2 : 0;
        struct object *answer = penstock_serve(&it.self.head, pair, 1, i % 3 ? names : NULL);
        expect(answer || error, "no answer and no error");
        PyErr_Clear();
        if (answer)
            Py_DecRef(answer);
    }
    failing = 0;
    expect(slow_calls > 0, "the slow path was never called");
    Py_DecRef(names);
    Py_DecRef(name);

    struct object *owner = penstock_claim_block(&it.rings[0]);
    Py_DecRef(owner);
    tear_down(&it);
    Py_DecRef(feed);
}

static struct object *kept[4];

/* Keeps some of the arrays for a while, changes all, and raises now and then. */
static struct object *handle(struct object *array)
{
    for (int i = 1; i < ELEMENTS; i += 999)
        expect(data_of(array)[i] == data_of(array)[0], "a blob is shown that is not whole");
    data_of(array)[0] = -1;
    struct object **place = &kept[random_state % 4];
    if (*place)
        Py_DecRef(*place);
    *place = NULL;
    if (comes(2)) {
        Py_IncRef(array);
        *place = array;
    }
    if (comes(4)) {
        set_error();
        return NULL;
    }
    Py_IncRef(&_Py_NoneStruct);
    return &_Py_NoneStruct;
}

static struct callable handling = {{1 << 30, 0, &other_kind}, handle};

static void listen(struct instance *it)
{
    it->run.errors = new(sizeof(struct list), &list_kind);
    it->tap.handlers = new(sizeof(struct list), &list_kind);
    for (int i = 0; i < HANDLERS; i++)
        PyList_Append(it->tap.handlers, &handling.head);
    it->run.look = penstock_act();
    it->table.watched = 1;
    it->flag = 1;
}

/* Watched calls, whose handlers keep arrays and raise. */
static void watching(int rounds)
{
    struct instance it;
    struct gate gate = {0};
    set_up(&it, &gate, 7);
    listen(&it);
    struct object *feed = an_array();
    for (int i = 0; i < ELEMENTS; i++)
        data_of(feed)[i] = 0;
    int64_t native = 0;
    for (int i = 0; i < rounds * 8; i++) {
        failing = i % 2 ? 9 : 0;
        interrupting = i % 3 ? 9 : 0;
        it.table.ticks = i % 5 ? 0 : 1 << 20;
        native += call(&it, feed);
        expect(!gate.writers && !gate.readers && !gate.thread && !gate.updating, "a gate stays");
    }
    expect(native > 0, "no call was native");

    /* The same by the slow path. */
    struct object *addresses[4];
    void *values[] = {(void *)(uintptr_t)job, &it.context, it.arguments, &it.run};
    for (int i = 0; i < 4; i++)
        addresses[i] = PyLong_FromLong((long)(uintptr_t)values[i]);
    for (int i = 0; i < rounds; i++) {
        it.arguments[0] = data_of(feed);
        it.arguments[1] = it.rings[0].blocks[0].data;
        it.arguments[2] = it.rings[1].blocks[0].data;
        struct object *status = penstock_invoke(NULL, addresses, 4);
        expect(!status == (error != NULL), "an error is set where nothing is returned");
        PyErr_Clear();
        if (status)
            Py_DecRef(status);
    }
    failing = interrupting = 0;
    for (int i = 0; i < 4; i++) {
        Py_DecRef(addresses[i]);
        if (kept[i])
            Py_DecRef(kept[i]);
        kept[i] = NULL;
    }
    tear_down(&it);
    Py_DecRef(feed);
}

static struct gate shared_gate;
static struct instance shared;
static int64_t natively;

static void *call_on(void *argument)
{
    struct instance own;
    int rounds = *(int *)argument;
    pthread_mutex_lock(&global_lock);
    set_up(&own, &shared_gate, (int64_t)pthread_self() % 2 ? 3 : 0);
    struct object *feed = an_array();
    for (int i = 0; i < rounds * 8; i++) {
        struct instance *it = i % 2 ? &own : &shared;
        if (!it->table.busy)
            it->table.ticks = 1 << 20; /* or it would keep the lock */
        natively += call(it, feed);
        PyEval_RestoreThread(PyEval_SaveThread());
    }
    tear_down(&own);
    Py_DecRef(feed);
    pthread_mutex_unlock(&global_lock);
    return NULL;
}

/* Callers on several threads, of one table and of several, at the same variables. */
static void threads(int rounds)
{
    pthread_t callers[CALLERS];
    set_up(&shared, &shared_gate, 0);
    interrupting = 50;
    PyEval_SaveThread();
    for (int i = 0; i < CALLERS; i++)
        expect(!pthread_create(&callers[i], NULL, call_on, &rounds), "no thread");
    for (int i = 0; i < CALLERS; i++)
        pthread_join(callers[i], NULL);
    PyEval_RestoreThread(&global_lock);
    interrupting = 0;
    expect(natively > 0, "no call was native");
    expect(!shared_gate.readers && !shared_gate.writers, "somebody is left at the variables");
    tear_down(&shared);
}

/* Results in recycled memory: as many as a program holds, of two sizes; sometimes memory is wanting. */
static void recycling(int rounds)
{
    enum { HELD = 16, BYTES = ELEMENTS * sizeof(float) };
    struct instance it;
    set_up(&it, NULL, 0);
    it.rings[0].uses = -(int64_t)BYTES;
    it.rings[1].uses = -(int64_t)BYTES * 40; /* of whole huge pages */
    it.fetches[1].ring = &it.rings[1];
    struct object *held[HELD] = {NULL}, *feed = an_array();
    for (int i = 0; i < rounds * 40; i++) {
        failing = i % 3 ? 0 : 6;
        data_of(feed)[0] = data_of(feed)[ELEMENTS - 1] = (float)i;
        struct object *result = penstock_call(&it.self.head, &feed, 1);
        expect(result && !error, "a call is left with an error");
        struct object **place = &held[i % HELD];
        if (*place && (*place)->type == &list_kind) {
            struct object *const *pair = ((struct list *)*place)->items;
            const float *first = data_of(pair[0]), *second = data_of(pair[1]);
            float expected = second[0];
            expect((uintptr_t)first % 64 == 0 && first[0] == expected
                && first[ELEMENTS - 1] == expected && second[ELEMENTS - 1] == expected,
                "a result that is held was overwritten");
            expect(native_is_memory(((struct array *)pair[0])->base), "other memory");
        }
        if (*place)
            Py_DecRef(*place);
        *place = result;
        expect(it.rings[0].uses == -(int64_t)BYTES && !native_claim_block(&it.rings[0]),
            "the ring has blocks");
    }
    expect(penstock_eager_trim(1 << 30) <= 1 << 26, "more is kept than the bound says");
    for (int i = 0; i < HELD; i++)
        if (held[i])
            Py_DecRef(held[i]);
    int64_t kept = penstock_eager_trim(1 << 30);
    expect(kept > 0 && kept <= 1 << 26, "what is freed is not kept");
    expect(penstock_eager_trim(0) == 0, "something is kept");
    Py_DecRef(feed);
    it.rings[0].uses = it.rings[1].uses = 0;
    tear_down(&it);
}

static const struct { const char *name; void (*run)(int rounds); } ways[] = {
    {"calling", calling}, {"watching", watching}, {"recycling", recycling}, {"threads", threads},
};

int main(int count, char **arguments)
{
    pool = penstock_pool();
    penstock_resize(pool, 3);
    pthread_mutex_lock(&global_lock);
    penstock_call_setup(&array_kind, new_array, set_base, (uint64_t)pthread_self());
    for (size_t i = 0; count == 3 && i < sizeof ways / sizeof *ways; i++)
        if (!strcmp(arguments[1], ways[i].name)) {
            ways[i].run(atoi(arguments[2]));
            expect(alive == 0, "objects are left");
            printf("%s %s done\n", arguments[1], arguments[2]);
            return 0;
        }
    fail("expected a way to drive the call, and a number of rounds");
}
