/* What a running job calls back when Python called it: taps, call-outs, and polls for Ctrl-C.
 *
 * `penstock_tap` gives each handler of a tap an array of its own, to keep or to change. The last
 * one gets the block that the job has filled while it computed the value, if there is one; the
 * others get copies, which the threads of the pool make together if they are large. What a handler
 * raises is kept in a list with the tap's number. With the number -1, the list also gets what the
 * handler of a signal raises that had to wait for a tap. When the step is over and has given
 * everything back, `native_failed` raises it.
 *
 * `penstock_callout` calls a function of the program, which reads and fills buffers. If it raises, or
 * the handler of a signal did before, the job returns at once; it has changed no variable. What was
 * raised is in the list, with the number CALLED less that of the call-out.
 *
 * `penstock_poll` is what a job calls between kernels as long as no variable has changed. Every 50
 * milliseconds, counted from the beginning of a step unless such steps are short, it looks further;
 * the entry returns what it finds:
 *
 *     native_look  in a step that nobody watches, whether SIGINT has come. If so, Python's note of
 *                  it is cleared; when the step has ended, it is set again and Python acts on it.
 *                  If the handler of the signal raises, so does the call. If not, the step is
 *                  repeated.
 *     act          in a watched step, in which Python runs anyway, whether a signal's handler
 *                  raised.
 *
 * All of this runs on the thread of the call. If the run has a thread state, that thread does not
 * hold the global lock.
 */
#include "python.h"

enum {
    /* Bytes that one task copies; up to twice as many are copied by one thread. */
    PART = 1 << 15,

    SIGNALLED = -1, /* in place of a tap's number */
    CALLED = -2,    /* less the number of a call-out, also in its place */

    /* What the flag of a tap says: the job need not store the value twice; it shall; it shall, and
     * may use that block further. */
    COPIED = 1,
    FILLED = 2,
    KEPT = 3,
};

#define PERIOD INT64_C(50000000) /* nanoseconds between two looks for a signal */
#define ALL (INT64_C(1) << 62)   /* beyond the end of any list */

struct time { int64_t seconds, nanoseconds; };
enum { CLOCK_MONOTONIC_COARSE = 6 };

int clock_gettime(int, struct time *);
void *memcpy(void *restrict, const void *restrict, size_t);

/* ---- The global lock ---- */

/* Take the global lock, unless the run has it. */
static inline void lock(struct run *run)
{
    if (run->state)
        PyEval_RestoreThread(run->state);
}

/* Undo `lock`. */
static inline void unlock(struct run *run)
{
    if (run->state)
        run->state = PyEval_SaveThread();
}

/* ---- Errors ---- */

/* Keep the exception that is set, with the number of the tap whose handler raised it. */
static void keep(struct run *run, long tap)
{
    struct object *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (trace) {
        PyException_SetTraceback(value, trace);
        Py_DecRef(trace);
    }
    PyList_Append(run->errors, value);
    struct object *number = PyLong_FromLong(tap);
    PyList_Append(run->errors, number);
    Py_DecRef(number);
    Py_DecRef(value);
    Py_DecRef(type);
}

/* Let signals be handled that have come, and keep what is raised; whether anything was. */
static bool handle_signals(struct run *run)
{
    if (!PyErr_CheckSignals())
        return false;
    keep(run, SIGNALLED);
    return true;
}

/* After a run, raise what was kept; whether there was anything. */
bool native_failed(struct run *run)
{
    struct object *errors = run->errors;
    if (!errors || !PyList_Size(errors))
        return false;
    handle_signals(run);
    struct object *kept = PyList_GetSlice(errors, 0, ALL);
    PyList_SetSlice(errors, 0, ALL, NULL);
    if (kept) {
        PyObject_CallFunctionObjArgs(run->how, kept, NULL);
        Py_DecRef(kept);
    }
    return true;
}

/* ---- Polls ---- */

int32_t native_look(struct run *run)
{
    if (PyThread_get_thread_ident() != native_main_thread)
        return 0;
    lock(run);
    int came = PyOS_InterruptOccurred();
    unlock(run);
    return came;
}

static int32_t act(struct run *run)
{
    lock(run);
    bool raised = handle_signals(run);
    unlock(run);
    return raised;
}

/* The addresses of these two, for Python. */
EXPORT int32_t (*penstock_look(void))(struct run *) { return native_look; }
EXPORT int32_t (*penstock_act(void))(struct run *) { return act; }

static inline int64_t now(void)
{
    struct time time;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return time.seconds * 1000000000 + time.nanoseconds;
}

/* When a step that begins now shall look for a signal for the first time. */
int64_t native_first_look(void)
{
    return now() + PERIOD;
}

EXPORT int32_t penstock_poll(struct run *run)
{
    int64_t time = now(), due = run->due;
    if (time < due)
        return 0;
    run->due = time + PERIOD;
    return due ? run->look(run) : 0;
}

/* ---- Taps ---- */

struct copy { char *to; const char *from; int64_t bytes; };

static void copy_part(void *closure, int64_t i)
{
    const struct copy *copy = closure;
    int64_t start = i * PART, left = copy->bytes - start;
    memcpy(copy->to + start, copy->from + start, (size_t)(left < PART ? left : PART));
}

static inline void copy_blob(struct run *run, void *to, const void *from, int64_t bytes)
{
    const struct context *context = run->context;
    if (context->parallel_for && bytes > 2 * PART) {
        struct copy copy = {to, from, bytes};
        context->parallel_for(context->pool, copy_part, &copy, (bytes + PART - 1) / PART);
    } else {
        memcpy(to, from, (size_t)bytes);
    }
}

/* Have the next step fill a block that nobody holds, if there is one and the job can: the one that
 * was shown, which the rest of this step may use as well, or another one. */
static inline void prepare(struct tap *tap, struct block *shown)
{
    if (!tap->slot)
        return;
    struct block *next = shown;
    uint8_t state = KEPT;
    if (!shown || shown->owner->references != 1) {
        next = native_claim_block(tap->blob.ring);
        state = next ? FILLED : COPIED;
        if (next)
            Py_DecRef(next->owner); /* the ring's own reference keeps it */
    }
    if (next)
        *tap->slot = next->data;
    tap->filled = next;
    *tap->flag = state;
}

/* A new array with the blob: the block that the job has filled, or a copy; null with an error set
 * if there is no memory. */
static inline struct object *shown_array(
    struct run *run, struct tap *tap, const void *data, bool is_last)
{
    void *memory; /* the only argument: the place of a tap's blob is 0 */
    struct block *filled = tap->filled;
    if (is_last && filled) {
        tap->filled = NULL;
        Py_IncRef(filled->owner);
        struct object *array = native_wrap(&tap->blob, &memory, filled);
        if (array)
            return array;
    }
    struct object *array = native_result(&tap->blob, &memory);
    if (!array)
        array = native_own(&tap->blob, &memory);
    if (!array)
        return PyErr_NoMemory();
    copy_blob(run, memory, data, tap->bytes);
    return array;
}

/* Call a handler with the blob; whether it returned. */
static inline bool show(
    struct run *run, struct tap *tap, struct object *handler, const void *data, bool is_last)
{
    struct object *array = shown_array(run, tap, data, is_last);
    if (!array)
        return false;
    struct object *answer = PyObject_CallFunctionObjArgs(handler, array, NULL);
    Py_DecRef(array);
    if (answer)
        Py_DecRef(answer);
    return answer;
}

/* What a job calls where the flag of a tap is up. */
EXPORT void penstock_tap(struct run *run, uint32_t id, const void *data)
{
    lock(run);
    handle_signals(run);
    struct tap *tap = &run->taps[id];
    struct object *handlers = tap->handlers;
    if (handlers) {
        struct block *shown = tap->filled;
        Py_IncRef(handlers);
        if (shown)
            Py_IncRef(shown->owner); /* or a copy would be made there */
        int64_t count = PyTuple_Size(handlers);
        for (int64_t i = 0; i < count; i++)
            if (!show(run, tap, PyTuple_GetItem(handlers, i), data, i + 1 == count))
                keep(run, (long)id);
        Py_DecRef(handlers);
        if (shown)
            Py_DecRef(shown->owner);
        prepare(tap, shown);
    }
    unlock(run);
}

/* ---- Call-outs ---- */

/* What a job calls at a call-out: whether the step must end. */
EXPORT int32_t penstock_callout(struct run *run, uint32_t id, void **buffers)
{
    lock(run);
    bool failed = handle_signals(run);
    if (!failed) {
        struct object *address = PyLong_FromVoidPtr(buffers);
        struct object *answer = NULL;
        if (address) {
            answer = PyObject_CallFunctionObjArgs(run->callouts[id], address, NULL);
            Py_DecRef(address);
        }
        failed = !answer;
        if (answer)
            Py_DecRef(answer);
        else
            keep(run, CALLED - (long)id);
    }
    unlock(run);
    return failed;
}
