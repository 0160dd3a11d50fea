/* The layouts that native code shares with others: with Python modules of this package, with
 * CPython and NumPy, and between files of this folder.
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

/* ---- Jobs: codegen/jobs/describe.py, runtime/execution/taps.py ---- */

/* Bytes: codegen/memref_values.py. */
enum { ALIGNMENT = 64, ARRAY_ALIGNMENT = 16 };

typedef void task_function(void *closure, int64_t index);
typedef void parallel_for_function(void *pool, task_function *task, void *closure, int64_t count);

/* What a job gets beside its arguments. */
struct context {
    void (*tap)(void *user, int32_t id, void *data);
    void *user;
    parallel_for_function *parallel_for; /* null: tasks run on the caller's thread */
    void *pool;
    int32_t (*poll)(void *user); /* null: nothing stops a step */
    int32_t (*callout)(void *user, int32_t id, void **buffers); /* null: the job has no call-outs */
    /* The elements of `source` go to other ranks, theirs to `target`; not 0 if that failed. Null: the
     * job has one rank. */
    int32_t (*collective)(void *state, int32_t id, const void *source, void *target);
    void *state;
};
AT(context, tap, 0);
AT(context, user, 8);
AT(context, parallel_for, 16);
AT(context, pool, 24);
AT(context, poll, 32);
AT(context, callout, 40);
AT(context, collective, 48);
AT(context, state, 56);
SIZE(context, 64);

typedef int32_t entry_function(struct context *context, void **arguments);

/* ---- Calls from Python: runtime/native/native_call.py ---- */

/* What an array of a call must be, and where among the arguments its data goes. */
struct feed {
    void *dtype;
    int64_t rank;
    const int64_t *shape;
    int64_t place;
};
AT(feed, dtype, 0);
AT(feed, rank, 8);
AT(feed, shape, 16);
AT(feed, place, 24);
SIZE(feed, 32);

/* Memory for a large result; free if nobody but the ring refers to the owner. */
struct block {
    struct object *owner; /* or null */
    void *data;
    int64_t uses;
};
AT(block, owner, 0);
AT(block, data, 8);
AT(block, uses, 16);
SIZE(block, 24);

enum { BLOCKS = 4 };

struct ring {
    int64_t uses; /* negative: the ring has no blocks, and so many bytes of memory.c instead */
    struct block blocks[BLOCKS];
};
AT(ring, uses, 0);
AT(ring, blocks, 8);
SIZE(ring, 104);

/* What a result is. */
struct fetch {
    struct object *dtype;
    int64_t rank;
    const int64_t *shape;
    int64_t place;
    struct ring *ring; /* null for a small one, whose memory is NumPy's */
};
AT(fetch, dtype, 0);
AT(fetch, rank, 8);
AT(fetch, shape, 16);
AT(fetch, place, 24);
AT(fetch, ring, 32);
SIZE(fetch, 40);

struct tap {
    struct fetch blob;
    int64_t bytes;
    struct object *handlers; /* a tuple, or null */
    /* Where the job can store the blob twice, or nulls: the block that the next step fills, the
     * argument that holds its address, and the flag of the tap. */
    struct block *filled;
    void **slot;
    uint8_t *flag;
};
AT(tap, blob, 0);
AT(tap, bytes, 40);
AT(tap, handlers, 48);
AT(tap, filled, 56);
AT(tap, slot, 64);
AT(tap, flag, 72);
SIZE(tap, 80);

/* What taps and polls get as `user`. */
struct run {
    int64_t due; /* when to look for a signal, in nanoseconds; 0: not known yet */
    int32_t (*look)(struct run *run); /* how: whether to stop */
    void *state; /* Python's thread state if the run has no global lock */
    struct tap *taps;
    struct context *context;
    struct object *errors; /* a list: what handlers raised, each with its tap's number; or null */
    struct object *how;    /* what raises these */
    struct object *const *callouts; /* functions of the address of the buffers; or null */
};
AT(run, due, 0);
AT(run, look, 8);
AT(run, state, 16);
AT(run, taps, 24);
AT(run, context, 32);
AT(run, errors, 40);
AT(run, how, 48);
AT(run, callouts, 56);
SIZE(run, 64);

/* Who reads and changes the variables: runtime/store/readers_writer.py. */
struct gate {
    int64_t closed;
    int64_t readers;
    int64_t writers;
    int64_t thread;
    int64_t updating;
};
AT(gate, closed, 0);
AT(gate, readers, 8);
AT(gate, writers, 16);
AT(gate, thread, 24);
AT(gate, updating, 32);
SIZE(gate, 40);

enum { NOTHING = 0, ONE = 1 }; /* forms of a result; else a tuple */

/* A job, as its calls need it. */
struct table {
    entry_function *entry;
    struct context *context;
    void **arguments;
    struct run *run;
    int64_t feed_count;
    const struct feed *feeds;
    int64_t fetch_count;
    const struct fetch *fetches;
    int64_t form;
    struct gate *gate;    /* null: the job has no variables */
    int64_t writes;       /* the number of a job that writes variables, or 0 */
    int64_t busy;         /* a run of this table is not over */
    int64_t ticks;        /* of the processor's clock that the last run took */
    struct object *slow;  /* what is called where something is unusual */
    int64_t watched;      /* handlers listen */
};
AT(table, entry, 0);
AT(table, context, 8);
AT(table, arguments, 16);
AT(table, run, 24);
AT(table, feed_count, 32);
AT(table, feeds, 40);
AT(table, fetch_count, 48);
AT(table, fetches, 56);
AT(table, form, 64);
AT(table, gate, 72);
AT(table, writes, 80);
AT(table, busy, 88);
AT(table, ticks, 96);
AT(table, slow, 104);
AT(table, watched, 112);
SIZE(table, 120);

/* ---- Ops on tensors: runtime/native/eager_call.py ---- */

/* How an array of certain strides is viewed as another array of the same elements. */
struct eager_view {
    struct eager_view *next;
    struct object *dtype; /* of both */
    int64_t rank;
    const int64_t *shape;
    const int64_t *strides;
    int64_t result_rank;
    const int64_t *result_shape;
    const int64_t *result_strides;
    int64_t offset; /* of the result's first element from the array's, in bytes */
};
AT(eager_view, next, 0);
AT(eager_view, dtype, 8);
AT(eager_view, rank, 16);
AT(eager_view, shape, 24);
AT(eager_view, strides, 32);
AT(eager_view, result_rank, 40);
AT(eager_view, result_shape, 48);
AT(eager_view, result_strides, 56);
AT(eager_view, offset, 64);
SIZE(eager_view, 72);

/* How to record an op for the operands that require gradients. */
struct eager_rule {
    struct eager_rule *next;
    int64_t wanted;        /* a bit for each of these operands */
    struct object *recipe; /* that a node keeps: this, as a ctypes structure */
    int64_t saved_count;
    const int64_t *saved; /* what backward reads: operands by their numbers, then the result */
    struct table *backward; /* takes what was saved, and the gradient of the result if it is read;
                             * null if there is nothing to compute, or it is not compiled yet */
    int64_t reads_gradient;
    int64_t computed;       /* results of `backward`; negative if Python must do it */
    int64_t gradient_count;
    const int64_t *gradients; /* for each an operand, and 0 for the gradient of the result or -1 for
                               * the next result of `backward` */
    struct eager_view *views; /* those of the gradient of the result that are the one result, where
                               * `backward` would compute nothing else */
};
AT(eager_rule, next, 0);
AT(eager_rule, wanted, 8);
AT(eager_rule, recipe, 16);
AT(eager_rule, saved_count, 24);
AT(eager_rule, saved, 32);
AT(eager_rule, backward, 40);
AT(eager_rule, reads_gradient, 48);
AT(eager_rule, computed, 56);
AT(eager_rule, gradient_count, 64);
AT(eager_rule, gradients, 72);
AT(eager_rule, views, 80);
SIZE(eager_rule, 88);

/* An op of one result that has a kernel, for operands of certain types and shapes; or one that is a
 * view of its operand. */
struct eager_op {
    struct table *table;  /* null for a view */
    struct object *owner; /* which keeps all of this */
    int64_t may_require_grad;
    struct eager_rule *rules;
    struct eager_view *views;
};
AT(eager_op, table, 0);
AT(eager_op, owner, 8);
AT(eager_op, may_require_grad, 16);
AT(eager_op, rules, 24);
AT(eager_op, views, 32);
SIZE(eager_op, 40);

struct eager_operator {
    int64_t number;      /* of the op's name */
    int64_t count;       /* of operands */
    int64_t reversed;    /* a method of the second operand */
    int64_t is_truth;    /* the bytes of its results are bools */
    struct object *slow; /* the method that does the rest, or null for a function */
    int64_t changes;     /* the first operand becomes the result */
};
AT(eager_operator, number, 0);
AT(eager_operator, count, 8);
AT(eager_operator, reversed, 16);
AT(eager_operator, is_truth, 24);
AT(eager_operator, slow, 32);
AT(eager_operator, changes, 40);
SIZE(eager_operator, 48);

enum { OPERATORS = 25 };

/* How a thread records ops. Python sets these fields; each store is one instruction of native code, so
 * no signal comes between a store and the other's view of it. */
struct flags {
    uint8_t records;
    uint8_t detached;
    uint8_t is_unusual; /* ops are left to Python */
};
AT(flags, records, 0);
AT(flags, detached, 1);
AT(flags, is_unusual, 2);
SIZE(flags, 3);

typedef struct object *copy_array_function(struct object *, int order); /* PyArray_NewCopy */

struct eager_setup {
    void *tensor; /* types */
    void *node;
    void *op_node;
    void *recipe;
    void *changes;
    void *line;
    void *allocation;
    struct object *zero;
    struct object *numbers; /* the iterator of numbers of nodes */
    struct object *is_ours; /* functions */
    struct object *record;
    struct object *step;
    struct object *sum;
    struct object *finish;
    struct object *assign;
    int64_t add; /* the number of the op that adds */
    copy_array_function *copy_array;
    int (*last_instruction)(struct object *frame);
    const void *float32; /* NumPy's dtypes */
    const void *float64;
    const void *int32;
    const void *int64;
    struct object *boolean;
    struct eager_operator *operators[OPERATORS];
};
AT(eager_setup, tensor, 0);
AT(eager_setup, node, 8);
AT(eager_setup, op_node, 16);
AT(eager_setup, recipe, 24);
AT(eager_setup, changes, 32);
AT(eager_setup, line, 40);
AT(eager_setup, allocation, 48);
AT(eager_setup, zero, 56);
AT(eager_setup, numbers, 64);
AT(eager_setup, is_ours, 72);
AT(eager_setup, record, 80);
AT(eager_setup, step, 88);
AT(eager_setup, sum, 96);
AT(eager_setup, finish, 104);
AT(eager_setup, assign, 112);
AT(eager_setup, add, 120);
AT(eager_setup, copy_array, 128);
AT(eager_setup, last_instruction, 136);
AT(eager_setup, float32, 144);
AT(eager_setup, float64, 152);
AT(eager_setup, int32, 160);
AT(eager_setup, int64, 168);
AT(eager_setup, boolean, 176);
AT(eager_setup, operators, 184);
SIZE(eager_setup, 384);

/* ---- Jobs on ranks of MPI: runtime/mpi/engine.py ---- */

enum { MOST_RANKS = 4096, WORKS = 64, AWAITED = 1 << 30 };
enum { ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, ALL_TO_ALL }; /* kinds */
enum { REDUCE_SUM, REDUCE_MAX, REDUCE_MIN };
enum {
    ELEMENT_F32, ELEMENT_F64, ELEMENT_F16, ELEMENT_BF16, ELEMENT_I8, ELEMENT_U8, ELEMENT_I32,
    ELEMENT_I64, ELEMENT_I16,
};

/* A collective of a job: runtime/collective.py. */
struct collective {
    int32_t id;
    int32_t kind;
    int32_t reduction;
    int32_t element;
    int32_t bytes; /* of an element */
    int32_t deferred; /* the job waits for it later */
    int32_t count; /* of the ranks of its group */
    int32_t place; /* of this one among them */
    int32_t tag; /* of its first phase's messages */
    const int32_t *ranks;
    const int64_t *counts; /* for an all-reduce, of balanced parts */
    const int64_t *receives;
};
AT(collective, id, 0);
AT(collective, kind, 4);
AT(collective, reduction, 8);
AT(collective, element, 12);
AT(collective, bytes, 16);
AT(collective, deferred, 20);
AT(collective, count, 24);
AT(collective, place, 28);
AT(collective, tag, 32);
AT(collective, ranks, 40);
AT(collective, counts, 48);
AT(collective, receives, 56);
SIZE(collective, 64);

/* What one thread uses of MPI. */
struct stream {
    int64_t comm;
    const struct collective *what; /* the last one that began */
    int64_t since; /* when it did, in nanoseconds; 0 if it is done */
    int64_t sent; /* bytes */
    int64_t *requests; /* eight for each rank */
    char *scratch; /* two chunks for each rank */
};
AT(stream, comm, 0);
AT(stream, what, 8);
AT(stream, since, 16);
AT(stream, sent, 24);
AT(stream, requests, 32);
AT(stream, scratch, 40);
SIZE(stream, 48);

struct work {
    const struct collective *what;
    const char *source;
    char *target;
};
AT(work, what, 0);
AT(work, source, 8);
AT(work, target, 16);
SIZE(work, 24);

/* Deferred collectives, of which some are done. */
struct queue {
    unsigned long thread;
    int64_t busy; /* nanoseconds that they took */
    int64_t waited; /* nanoseconds that jobs have waited for them */
    int32_t runs;
    _Atomic int32_t failed;
    _Atomic uint32_t begun;
    _Atomic uint32_t done;
    _Atomic uint32_t closed;
    _Atomic uint32_t sleeps;
    struct work works[WORKS];
};
AT(queue, thread, 0);
AT(queue, busy, 8);
AT(queue, waited, 16);
AT(queue, runs, 24);
AT(queue, failed, 28);
AT(queue, begun, 32);
AT(queue, done, 36);
AT(queue, closed, 40);
AT(queue, sleeps, 44);
AT(queue, works, 48);
SIZE(queue, 1584);

typedef int32_t isend_function(
    const void *, int32_t count, int64_t type, int32_t rank, int32_t tag, int64_t comm, int64_t *);
typedef int32_t irecv_function(
    void *, int32_t count, int64_t type, int32_t rank, int32_t tag, int64_t comm, int64_t *);
typedef int32_t test_function(int64_t *request, int32_t *done, void *status);

/* MPI, as this process has it. */
struct ranks {
    isend_function *isend;
    irecv_function *irecv;
    test_function *test;
    int64_t byte;
    int64_t chunk; /* bytes */
    int64_t patience; /* pauses of one that waits, before it gives up its core */
    struct queue *queue;
    struct stream streams[2]; /* of jobs, and of the thread for deferred collectives */
};
AT(ranks, isend, 0);
AT(ranks, irecv, 8);
AT(ranks, test, 16);
AT(ranks, byte, 24);
AT(ranks, chunk, 32);
AT(ranks, patience, 40);
AT(ranks, queue, 48);
AT(ranks, streams, 56);
SIZE(ranks, 152);

/* `state` of a job's context. */
struct joined {
    struct ranks *ranks;
    const struct collective *collectives;
    uint32_t *numbers; /* of deferred collectives in the queue */
};
AT(joined, ranks, 0);
AT(joined, collectives, 8);
AT(joined, numbers, 16);
SIZE(joined, 24);

/* ---- CPython's and NumPy's objects, in builds that have a global lock ---- */

struct object {
    uint32_t references; /* the low half of the count, which is all of it from Python 3.12 on */
    uint32_t more;
    const void *type;
};
AT(object, references, 0);
AT(object, type, 8);

/* PyArrayObject_fields of NumPy's ndarraytypes.h. */
struct array {
    struct object head;
    void *data;
    int32_t rank;
    const int64_t *dimensions;
    const int64_t *strides;
    struct object *base;
    struct object *dtype;
    int32_t flags;
};
AT(array, data, 16);
AT(array, rank, 24);
AT(array, dimensions, 32);
AT(array, strides, 40);
AT(array, base, 48);
AT(array, dtype, 56);
AT(array, flags, 64);

/* Instances of classes with `__slots__`, which CPython puts in alphabetical order:
 * frontend/tensors/tensor.py, frontend/tensors/graph.py. */
struct tensor {
    struct object head;
    struct object *grad;
    struct object *requires_grad;
    struct object *array;
    struct object *base;
    struct object *changes;
    struct object *hooks;
    struct object *index;
    struct object *node;
    struct object *seen;
    struct object *unseen_base;
};
AT(tensor, grad, 16);
AT(tensor, requires_grad, 24);
AT(tensor, array, 32);
AT(tensor, base, 40);
AT(tensor, changes, 48);
AT(tensor, hooks, 56);
AT(tensor, index, 64);
AT(tensor, node, 72);
AT(tensor, seen, 80);
AT(tensor, unseen_base, 88);

struct changes {
    struct object head;
    struct object *count;
    struct object *line;
};
AT(changes, count, 16);
AT(changes, line, 24);

struct line {
    struct object head;
    struct object *at;
    struct object *code;
};
AT(line, at, 16);
AT(line, code, 24);

struct node {
    struct object head;
    struct object *at;
    struct object *code;
    struct object *hooks;
    struct object *kept;
    struct object *edges;
    struct object *number;
    struct object *saved;
    struct object *recipe;
};
AT(node, at, 16);
AT(node, code, 24);
AT(node, hooks, 32);
AT(node, kept, 40);
AT(node, edges, 48);
AT(node, number, 56);
AT(node, saved, 64);
AT(node, recipe, 72);

/* An instance of a ctypes structure: CDataObject of CPython's ctypes.h. */
struct ctypes_object {
    struct object head;
    void *data;
};
AT(ctypes_object, data, 16);

/* ---- C libraries of jobs: codegen/clib/c_library.py writes these as LLVM text ---- */

/* The names have a dot, which no function of a library has. */
#define LIBRARY(name) __asm__("library." #name)

/* What calls return; codegen/native/library.py has their texts. */
enum status { OK, STOPPED, PROCESSOR, NULL_POINTER, MISALIGNED, MEMORY, THREADS, TAP };

enum { WORDS = 6 };

/* What a level needs of a processor: bits of CPUID and XCR0, and the maker; see library.py. */
struct needs {
    uint32_t words[WORDS];
};
AT(needs, words, 0);
SIZE(needs, 24);

struct watch {
    void (*function)(void *user, int32_t id, void *data);
    void *user;
    uint8_t *flags;
    int64_t count; /* of taps */
};
AT(watch, function, 0);
AT(watch, user, 8);
AT(watch, flags, 16);
AT(watch, count, 24);
SIZE(watch, 32);

struct job {
    entry_function *const *entries; /* one for each level */
    const int64_t *masks; /* bits that each argument must not have; negative: it may be null */
    int64_t arguments;
    int64_t arena; /* its number among the arguments; negative: there is none */
    int64_t bytes; /* of the arena */
    struct watch *watch;
};
AT(job, entries, 0);
AT(job, masks, 8);
AT(job, arguments, 16);
AT(job, arena, 24);
AT(job, bytes, 32);
AT(job, watch, 40);
SIZE(job, 48);

/* What a variable starts with: a value that is repeated to fill it. */
struct initial {
    int64_t offset;
    int64_t bytes;
    const void *value;
    int64_t unit; /* bytes of the value */
};
AT(initial, offset, 0);
AT(initial, bytes, 8);
AT(initial, value, 16);
AT(initial, unit, 24);
SIZE(initial, 32);

#pragma GCC visibility push(hidden)
extern const int64_t library_levels LIBRARY(levels);
extern const struct needs library_needs[] LIBRARY(needs);

int32_t library_step(const struct job *, void **arguments, void *workspace) LIBRARY(step);
int32_t library_watch(
    struct watch *, uint32_t tap, void (*)(void *, int32_t, void *), void *user) LIBRARY(watch);
int32_t library_set_threads(uint32_t) LIBRARY(set_threads);
int32_t library_initialize(
    void **variables, void *memory, int64_t count, const struct initial *) LIBRARY(initialize);
#pragma GCC visibility pop

/* ---- Profiles: runtime/profiling/recorder.py, runtime/profiling/peak.py ---- */

/* When a thread ran a step, a call of a kernel, its parallel region, or a task of that. */
struct profile_record {
    int64_t begin; /* nanoseconds of the monotonic clock */
    int64_t end;
    uint64_t thread;
    int32_t kernel;
    int32_t kind;
};
AT(profile_record, begin, 0);
AT(profile_record, end, 8);
AT(profile_record, thread, 16);
AT(profile_record, kernel, 24);
AT(profile_record, kind, 28);
SIZE(profile_record, 32);

/* What is recorded of one step at a time. */
struct profile {
    parallel_for_function *parallel_for; /* of the pool that tasks run on; null for none */
    void *pool;
    struct profile_record *records;
    int64_t capacity;
    _Atomic int64_t count; /* of records, with those beyond the capacity */
    int64_t step_began;
    int64_t began;  /* the kernel that runs */
    int32_t kernel; /* its number */
};
AT(profile, parallel_for, 0);
AT(profile, pool, 8);
AT(profile, records, 16);
AT(profile, capacity, 24);
AT(profile, count, 32);
AT(profile, step_began, 40);
AT(profile, began, 48);
AT(profile, kernel, 56);
SIZE(profile, 64);

/* How much a task does that measures the processor's peak. */
struct probe {
    int64_t rounds;
    int64_t bytes; /* of each task's part of the data */
    const char *data;
    float *sums; /* 32 for each task, the first of which is written */
    float factor;
    float term;
};
AT(probe, rounds, 0);
AT(probe, bytes, 8);
AT(probe, data, 16);
AT(probe, sums, 24);
AT(probe, factor, 32);
AT(probe, term, 36);
SIZE(probe, 40);

/* ---- The thread pool: pool.c ---- */

EXPORT void *penstock_pool(void);
EXPORT void penstock_resize(void *pool, uint32_t size);
EXPORT void penstock_parallel_for(void *pool, task_function *task, void *closure, int64_t count);
EXPORT uint32_t penstock_alive(void *pool);
