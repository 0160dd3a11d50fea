/* The collectives of a job on ranks of MPI: `collective` of a job's context.
 *
 * Each collective is made of messages between two ranks, for which MPI is called by address. So the
 * same text serves all libraries, whose handles are ints or pointers: 64 bits serve for both. What a
 * rank sends is what `Collective.sent` of runtime/collective.py says. Reductions take the ranks in their
 * order, and round 16-bit floats once, so the bits of results depend on nothing else.
 *
 * An all-reduce is a reduce-scatter and an all-gather of balanced parts, in chunks: while a chunk is
 * summed, the next one is on its way. MPI's own would copy more often, and sum without vectors.
 *
 * A rank that waits gives up its core after a while, since another rank may need it. Collectives that the
 * description defers are left to a thread, if there is a core for one, with a communicator of its own;
 * the job waits for them where it needs the target. runtime/mpi/engine.py fills the structures.
 */
#include "layouts.h"

enum {
    FUTEX = 202, FUTEX_WAIT_PRIVATE = 128, FUTEX_WAKE_PRIVATE = 129,
    CLOCK_MONOTONIC = 1,
    SIG_SETMASK = 2,

    STATUS = 256,   /* bytes: more than any library's MPI_Status */
    BLOCK = 512,    /* elements that are reduced at once */
    LONGEST = 1 << 30, /* bytes of a message */
    YIELDS = 5,     /* of a rank that waits, before it sleeps */
    NAP = 50000,    /* nanoseconds */
};

typedef struct { _Alignas(16) char bytes[64]; } attributes;
typedef struct { uint64_t words[16]; } signals;
struct time { int64_t seconds, nanoseconds; };

long syscall(long number, ...);
int sched_yield(void);
int clock_gettime(int, struct time *);
int nanosleep(const struct time *, struct time *);
int pthread_create(unsigned long *, const attributes *, void *(*)(void *), void *);
int pthread_join(unsigned long, void **);
int pthread_sigmask(int, const signals *, signals *);
void *memcpy(void *restrict, const void *restrict, size_t);

/* ---- Messages ---- */

/* The pending messages of one purpose: `count` requests of the stream's, from `first` on. */
struct batch {
    int64_t *requests;
    int32_t count;
};

struct call {
    const struct ranks *ranks;
    struct stream *stream;
    const struct collective *what;
    int32_t tag;
    int32_t failed;
};

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* A rank that has waited for long sleeps for a while: whoever has slept runs before others that only
 * yield, so the core goes to the rank that everyone waits for. If other programs run too, a yield
 * costs their time slices, and a sleep does not: so ranks that have a core each yield late. */
static inline void relax(const struct ranks *ranks, uint32_t *pauses)
{
    if (++*pauses < ranks->patience) {
        __builtin_ia32_pause();
    } else if (*pauses < ranks->patience + YIELDS) {
        sched_yield();
    } else {
        struct time nap = {0, NAP};
        nanosleep(&nap, NULL);
    }
}

static inline void begin_send(
    struct call *call, struct batch *batch, const void *from, int64_t bytes, int32_t place, int phase)
{
    if (bytes <= 0)
        return;
    const struct ranks *ranks = call->ranks;
    int64_t *request = &batch->requests[batch->count++];
    *request = 0;
    call->stream->sent += bytes;
    call->failed |= ranks->isend(
        from, (int32_t)bytes, ranks->byte, call->what->ranks[place], call->tag + phase,
        call->stream->comm, request);
}

static inline void begin_receive(
    struct call *call, struct batch *batch, void *to, int64_t bytes, int32_t place, int phase)
{
    if (bytes <= 0)
        return;
    const struct ranks *ranks = call->ranks;
    int64_t *request = &batch->requests[batch->count++];
    *request = 0;
    call->failed |= ranks->irecv(
        to, (int32_t)bytes, ranks->byte, call->what->ranks[place], call->tag + phase,
        call->stream->comm, request);
}

/* Wait for the messages of a batch. */
static void finish(struct call *call, struct batch *batch)
{
    _Alignas(16) char status[STATUS];
    uint32_t pauses = 0;
    for (int32_t i = 0; i < batch->count && !call->failed; i++) {
        int32_t done = 0;
        while (!done) {
            call->failed |= call->ranks->test(&batch->requests[i], &done, status);
            if (call->failed)
                return;
            if (!done)
                relax(call->ranks, &pauses);
        }
        pauses = 0;
    }
    batch->count = 0;
}

/* A batch of the stream, one of eight. */
static inline struct batch batch_of(const struct call *call, int32_t number)
{
    return (struct batch){call->stream->requests + number * call->what->count, 0};
}

/* ---- Reductions ---- */

static inline float from_bf16(uint16_t bits)
{
    union { uint32_t bits; float value; } wide = {(uint32_t)bits << 16};
    return wide.value;
}

static inline uint16_t to_bf16(float value)
{
    union { float value; uint32_t bits; } wide = {value};
    if (value != value)
        return (uint16_t)(wide.bits >> 16 | 0x40);
    return (uint16_t)((wide.bits + 0x7fff + (wide.bits >> 16 & 1)) >> 16);
}

/* By a product that scales denormals too. */
static inline float from_f16(uint16_t bits)
{
    union { uint32_t bits; float value; } wide = {(uint32_t)(bits & 0x7fff) << 13};
    wide.value *= 0x1p112f;
    if ((bits & 0x7c00) == 0x7c00)
        wide.bits |= 0x7f800000;
    wide.bits |= (uint32_t)(bits & 0x8000) << 16;
    return wide.value;
}

/* Denormals are rounded by the sum with a number whose last bit is theirs. */
static inline uint16_t to_f16(float value)
{
    union { float value; uint32_t bits; } wide = {value};
    uint32_t sign = wide.bits >> 16 & 0x8000, bits = wide.bits & 0x7fffffff;
    if (bits > 0x7f800000)
        return (uint16_t)(sign | 0x7e00);
    if (bits >= 0x477ff000)
        return (uint16_t)(sign | 0x7c00);
    wide.bits = bits;
    if (bits < 0x38800000) {
        wide.value += 0.5f;
        return (uint16_t)(sign | (wide.bits - 0x3f000000));
    }
    return (uint16_t)(sign | (bits + 0xfff + (bits >> 13 & 1) - 0x38000000) >> 13);
}

/* As NumPy: NaN is greater and less than all. */
#define SUM(a, b) (a + b)
#define GREATER(a, b) (a >= b || a != a ? a : b)
#define LESS(a, b) (a <= b || a != a ? a : b)

/* Vectors suffice: unrolled as well, the text would be several times as long. */
#define ONCE _Pragma("clang loop unroll(disable) interleave_count(1)")

#define LOOP(operation) \
    ONCE for (int64_t i = 0; i < count; i++) \
        into[i] = operation(into[i], WIDE(from[i]))

#define REDUCER(name, element, wide) \
    static void first_##name(void *restrict to, const void *restrict source, int64_t count) \
    { \
        wide *into = to; \
        const element *from = source; \
        ONCE for (int64_t i = 0; i < count; i++) \
            into[i] = WIDE(from[i]); \
    } \
    static void next_##name( \
        void *restrict to, const void *restrict source, int64_t count, int32_t reduction) \
    { \
        wide *into = to; \
        const element *from = source; \
        if (reduction == REDUCE_SUM) \
            LOOP(SUM); \
        else if (reduction == REDUCE_MAX) \
            LOOP(GREATER); \
        else \
            LOOP(LESS); \
    } \
    static void last_##name(void *restrict to, const void *restrict source, int64_t count) \
    { \
        element *into = to; \
        const wide *from = source; \
        ONCE for (int64_t i = 0; i < count; i++) \
            into[i] = NARROW(from[i]); \
    }

#define WIDE(x) (x)
#define NARROW(x) (x)
REDUCER(f32, float, float)
REDUCER(f64, double, double)
#undef SUM
/* Sums of integers wrap. */
#define SUM(a, b) ((__typeof__(a))((uint64_t)a + (uint64_t)b))
REDUCER(i8, int8_t, int8_t)
REDUCER(u8, uint8_t, uint8_t)
REDUCER(i16, int16_t, int16_t)
REDUCER(i32, int32_t, int32_t)
REDUCER(i64, int64_t, int64_t)
#undef SUM
#define SUM(a, b) (a + b)
#undef WIDE
#undef NARROW
#define WIDE(x) from_bf16(x)
#define NARROW(x) to_bf16(x)
REDUCER(bf16, uint16_t, float)
#undef WIDE
#undef NARROW
#define WIDE(x) from_f16(x)
#define NARROW(x) to_f16(x)
REDUCER(f16, uint16_t, float)

#define CASE(number, name) \
    case number: \
        first_##name(sum, sources[0] + from, count); \
        for (int32_t i = 1; i < ranks; i++) \
            next_##name(sum, sources[i] + from, count, reduction); \
        last_##name(target + from, sum, count); \
        break

/* The reduction of so many elements of the sources, one of each rank in their order; the target may be
 * one of them. */
static void reduce(
    const struct collective *what, char *target, const char *const *sources, int64_t elements)
{
    _Alignas(64) char sum[8 * BLOCK];
    int32_t ranks = what->count, reduction = what->reduction;
    for (int64_t start = 0; start < elements; start += BLOCK) {
        int64_t count = least(elements - start, BLOCK), from = start * what->bytes;
        switch (what->element) {
            CASE(ELEMENT_F32, f32);
            CASE(ELEMENT_F64, f64);
            CASE(ELEMENT_F16, f16);
            CASE(ELEMENT_BF16, bf16);
            CASE(ELEMENT_I8, i8);
            CASE(ELEMENT_U8, u8);
            CASE(ELEMENT_I16, i16);
            CASE(ELEMENT_I32, i32);
            CASE(ELEMENT_I64, i64);
        }
    }
}

/* ---- Collectives ---- */

/* Send each rank its part of the source, and receive its part of the target; parts follow each other.
 * A null pointer for the bytes of parts means that each rank gets the same, the whole. */
static void exchange(
    struct call *call, const char *source, const int64_t *sent, char *target,
    const int64_t *received)
{
    const struct collective *what = call->what;
    int64_t longest = 0;
    for (int32_t i = 0; i < what->count; i++) {
        int64_t bytes = (received[i] > sent[i] ? received[i] : sent[i]) * what->bytes;
        longest = bytes > longest ? bytes : longest;
    }
    bool is_gather = what->kind == ALL_GATHER;
    for (int64_t done = 0; done < longest || done == 0; done += LONGEST) {
        struct batch receives = batch_of(call, 0), sends = batch_of(call, 1);
        const char *from = source;
        char *to = target;
        for (int32_t i = 0; i < what->count; i++) {
            int64_t out = (is_gather ? sent[what->place] : sent[i]) * what->bytes;
            int64_t in = received[i] * what->bytes;
            if (i != what->place) {
                begin_receive(call, &receives, to + done, least(in - done, LONGEST), i, 0);
                begin_send(call, &sends, from + done, least(out - done, LONGEST), i, 0);
            } else if (done == 0 && to != from) {
                memcpy(to, from, (size_t)in);
            }
            to += in;
            from += is_gather ? 0 : out;
        }
        finish(call, &receives);
        finish(call, &sends);
        if (call->failed)
            return;
    }
}

/* A reduce-scatter of parts, of which this rank's goes to `mine`, and then, for an all-reduce, an
 * all-gather of them to `whole`. */
static void reduce_parts(
    struct call *call, const char *source, const int64_t *parts, char *mine, char *whole)
{
    const struct collective *what = call->what;
    int32_t place = what->place, count = what->count;
    int64_t chunk = call->ranks->chunk / what->bytes, rounds = 1;
    for (int32_t i = 0; i < count; i++) {
        int64_t own = (parts[i] + chunk - 1) / chunk;
        rounds = own > rounds ? own : rounds;
    }
    struct batch receives[2], sends[2], gathered[2], spread[2];
    for (int32_t i = 0; i < 2; i++) {
        receives[i] = batch_of(call, i);
        sends[i] = batch_of(call, 2 + i);
        gathered[i] = batch_of(call, 4 + i);
        spread[i] = batch_of(call, 6 + i);
    }
    const char *sources[MOST_RANKS];
    for (int64_t round = 0; round <= rounds && !call->failed; round++) {
        int32_t half = (int32_t)(round & 1);
        int64_t first = round * chunk;
        if (round < rounds) {
            finish(call, &sends[half]);
            int64_t start = 0;
            for (int32_t i = 0; i < count; start += parts[i++]) {
                if (i == place)
                    continue;
                char *room = call->stream->scratch + (half * count + i) * call->ranks->chunk;
                int64_t in = least(parts[place] - first, chunk), out = least(parts[i] - first, chunk);
                begin_receive(call, &receives[half], room, in * what->bytes, i, 0);
                begin_send(
                    call, &sends[half], source + (start + first) * what->bytes, out * what->bytes, i,
                    0);
            }
        }
        if (round == 0)
            continue;
        half = 1 - half;
        first -= chunk;
        finish(call, &receives[half]);
        int64_t elements = least(parts[place] - first, chunk), start = 0;
        for (int32_t i = 0; i < place; i++)
            start += parts[i];
        if (elements > 0) {
            for (int32_t i = 0; i < count; i++)
                sources[i] = call->stream->scratch + (half * count + i) * call->ranks->chunk;
            sources[place] = source + (start + first) * what->bytes;
            reduce(what, mine + first * what->bytes, sources, elements);
        }
        if (!whole)
            continue;
        finish(call, &gathered[half]);
        finish(call, &spread[half]);
        start = 0;
        for (int32_t i = 0; i < count; start += parts[i++]) {
            if (i == place)
                continue;
            int64_t in = least(parts[i] - first, chunk);
            char *to = whole + (start + first) * what->bytes;
            begin_receive(call, &gathered[half], to, in * what->bytes, i, 1);
            const char *from = mine + first * what->bytes;
            begin_send(call, &spread[half], from, elements * what->bytes, i, 1);
        }
    }
    for (int32_t i = 0; i < 2; i++) {
        finish(call, &sends[i]);
        finish(call, &gathered[i]);
        finish(call, &spread[i]);
    }
}

static int64_t now(void)
{
    struct time time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.seconds * 1000000000 + time.nanoseconds;
}

static int32_t carry_out(
    const struct ranks *ranks, struct stream *stream, const struct collective *what,
    const char *source, char *target)
{
    struct call call = {ranks, stream, what, what->tag, 0};
    __atomic_store_n(&stream->what, what, __ATOMIC_RELAXED);
    __atomic_store_n(&stream->since, now(), __ATOMIC_RELEASE);
    const int64_t *parts = what->counts;
    if (what->kind == ALL_GATHER) {
        exchange(&call, source, parts, target, parts);
    } else if (what->kind == ALL_TO_ALL) {
        exchange(&call, source, parts, target, what->receives);
    } else if (what->kind == REDUCE_SCATTER) {
        reduce_parts(&call, source, parts, target, NULL);
    } else {
        int64_t start = 0;
        for (int32_t i = 0; i < what->place; i++)
            start += parts[i];
        reduce_parts(&call, source, parts, target + start * what->bytes, target);
    }
    __atomic_store_n(&stream->since, 0, __ATOMIC_RELEASE);
    return call.failed;
}

/* ---- The thread of deferred collectives ---- */

static inline void futex_wait(_Atomic uint32_t *word, uint32_t seen)
{
    syscall(FUTEX, word, FUTEX_WAIT_PRIVATE, seen, NULL);
}

static inline void futex_wake(_Atomic uint32_t *word)
{
    syscall(FUTEX, word, FUTEX_WAKE_PRIVATE, 1);
}

/* Carry out what is queued, in its order, until the queue is closed. */
static void *serve(void *argument)
{
    struct ranks *ranks = argument;
    struct queue *queue = ranks->queue;
    uint32_t pauses = 0;
    for (;;) {
        uint32_t done = atomic_load_explicit(&queue->done, memory_order_relaxed);
        uint32_t begun = atomic_load_explicit(&queue->begun, memory_order_acquire);
        if (done == begun) {
            if (atomic_load_explicit(&queue->closed, memory_order_acquire))
                return NULL;
            if (pauses < ranks->patience + YIELDS) {
                relax(ranks, &pauses);
                continue;
            }
            atomic_store_explicit(&queue->sleeps, 1, memory_order_seq_cst);
            if (atomic_load_explicit(&queue->begun, memory_order_seq_cst) == begun
                && !atomic_load_explicit(&queue->closed, memory_order_seq_cst))
                futex_wait(&queue->begun, begun);
            atomic_store_explicit(&queue->sleeps, 0, memory_order_relaxed);
            continue;
        }
        pauses = 0;
        const struct work *work = &queue->works[done % WORKS];
        int64_t start = now();
        if (carry_out(ranks, &ranks->streams[1], work->what, work->source, work->target))
            atomic_store_explicit(&queue->failed, 1, memory_order_relaxed);
        queue->busy += now() - start;
        atomic_store_explicit(&queue->done, done + 1, memory_order_release);
    }
}

static void wake(struct queue *queue)
{
    if (atomic_load_explicit(&queue->sleeps, memory_order_seq_cst))
        futex_wake(&queue->begun);
}

/* Wait until so many works are done; whether one failed. */
static int32_t await(const struct ranks *ranks, uint32_t number)
{
    struct queue *queue = ranks->queue;
    uint32_t pauses = 0;
    if ((int32_t)(atomic_load_explicit(&queue->done, memory_order_acquire) - number) >= 0)
        return atomic_load_explicit(&queue->failed, memory_order_relaxed);
    int64_t start = now();
    while ((int32_t)(atomic_load_explicit(&queue->done, memory_order_acquire) - number) < 0)
        relax(ranks, &pauses);
    queue->waited += now() - start;
    return atomic_load_explicit(&queue->failed, memory_order_relaxed);
}

/* Start the thread: 0 unless the system refuses. */
EXPORT int32_t penstock_ranks_start(struct ranks *ranks)
{
    signals all, before;
    for (int i = 0; i < 16; i++)
        all.words[i] = UINT64_MAX;
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int status = pthread_create(&ranks->queue->thread, NULL, serve, ranks);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    ranks->queue->runs = status == 0;
    return status;
}

/* End the thread, once it has done its work. */
EXPORT void penstock_ranks_stop(struct ranks *ranks)
{
    struct queue *queue = ranks->queue;
    if (!queue->runs)
        return;
    atomic_store_explicit(&queue->closed, 1, memory_order_seq_cst);
    futex_wake(&queue->begun);
    pthread_join(queue->thread, NULL);
    queue->runs = 0;
}

/* ---- What jobs call ---- */

EXPORT int32_t penstock_ranks_collective(
    struct joined *job, int32_t id, const void *source, void *target)
{
    struct ranks *ranks = job->ranks;
    struct queue *queue = ranks->queue;
    const struct collective *what = &job->collectives[id & ~AWAITED];
    if (id & AWAITED)
        return queue->runs ? await(ranks, job->numbers[what->id]) : 0;
    if (!what->deferred)
        return carry_out(ranks, &ranks->streams[0], what, source, target);
    if (!queue->runs)
        return carry_out(ranks, &ranks->streams[1], what, source, target);
    uint32_t number = atomic_load_explicit(&queue->begun, memory_order_relaxed);
    int32_t failed = await(ranks, number - WORKS + 1);
    queue->works[number % WORKS] = (struct work){what, source, target};
    job->numbers[what->id] = number + 1;
    atomic_store_explicit(&queue->begun, number + 1, memory_order_seq_cst);
    wake(queue);
    return failed;
}
