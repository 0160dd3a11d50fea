/* What a job that was compiled to be profiled calls: it records when kernels and tasks ran.
 *
 * Only such jobs contain this code. The job calls `penstock_begin` and `penstock_end` around itself
 * and around each of its kernels. Nothing is recorded unless a profile is attached: then the
 * context's `parallel_for` is `penstock_profile_parallel_for`, and its `pool` the profile, which has
 * the pool's own function. So kernels are the same code whether or not they are profiled.
 *
 * Each call of a kernel, each of its regions of parallel tasks and each task becomes a record, with
 * its thread. A task costs two reads of the clock and one atomic addition. Records that find no room
 * are counted but not kept.
 *
 * `penstock_probe` functions are tasks, too. They multiply and add, or read memory, as fast as the
 * processor does, which tells the peak that kernels are compared with.
 */
#include "layouts.h"

struct time { int64_t seconds, nanoseconds; };
enum { CLOCK_MONOTONIC = 1 };

int clock_gettime(int, struct time *);

/* ---- Records ---- */

enum { STEP = -1 }; /* in place of a kernel's number */
enum { KERNEL = 0, TASK = 1, REGION = 2 };

static inline int64_t now(void)
{
    struct time time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.seconds * INT64_C(1000000000) + time.nanoseconds;
}

/* The address of what belongs to this thread alone, which tells threads apart. */
static inline uint64_t this_thread(void)
{
    uint64_t found;
    __asm__("movq %%fs:0, %0" : "=r"(found));
    return found;
}

static void add(struct profile *profile, int32_t kernel, int32_t kind, int64_t begin, int64_t end)
{
    int64_t place = atomic_fetch_add_explicit(&profile->count, 1, memory_order_relaxed);
    if (place < profile->capacity)
        profile->records[place] = (struct profile_record){ begin, end, this_thread(), kernel, kind };
}

/* ---- Kernels ---- */

EXPORT void penstock_profile_parallel_for(void *, task_function *, void *, int64_t);

static inline struct profile *attached(const struct context *context)
{
    return context->parallel_for == penstock_profile_parallel_for ? context->pool : NULL;
}

void penstock_begin(struct context *context, int32_t kernel)
{
    struct profile *profile = attached(context);
    if (!profile)
        return;
    profile->kernel = kernel;
    if (kernel == STEP)
        profile->step_began = now();
    else
        profile->began = now();
}

void penstock_end(struct context *context, int32_t kernel)
{
    struct profile *profile = attached(context);
    if (!profile)
        return;
    add(profile, kernel, KERNEL, kernel == STEP ? profile->step_began : profile->began, now());
    profile->kernel = STEP;
}

/* ---- Tasks ---- */

struct measured {
    struct profile *profile;
    task_function *task;
    void *closure;
};

static __attribute__((noinline)) void measure(void *closure, int64_t index)
{
    const struct measured *measured = closure;
    int64_t begin = now();
    measured->task(measured->closure, index);
    add(measured->profile, measured->profile->kernel, TASK, begin, now());
}

/* The pool remembers by a task's address how much work a region was. So there are several functions
 * that do the same, and tasks of one address use one of them. */
#define MEASURED(n) static void measured_##n(void *c, int64_t i) { measure(c, i); }
#define FOUR(what, n) what(n##0) what(n##1) what(n##2) what(n##3)
#define SIXTEEN(what, n) FOUR(what, n##0) FOUR(what, n##1) FOUR(what, n##2) FOUR(what, n##3)
#define ALL(what) SIXTEEN(what, 0) SIXTEEN(what, 1) SIXTEEN(what, 2) SIXTEEN(what, 3)
#define NAMED(n) measured_##n,

ALL(MEASURED)

static task_function *measured_task(task_function *task)
{
    static task_function *const functions[] = { ALL(NAMED) };
    return functions[(uint64_t)(uintptr_t)task * UINT64_C(0x9E3779B97F4A7C15) >> 58];
}

EXPORT void penstock_profile_parallel_for(
    void *pool, task_function *task, void *closure, int64_t count)
{
    struct profile *profile = pool;
    struct measured measured = { profile, task, closure };
    int64_t begin = now();
    if (profile->parallel_for)
        profile->parallel_for(profile->pool, measured_task(task), &measured, count);
    else
        for (int64_t index = 0; index < count; index++)
            measure(&measured, index);
    add(profile, profile->kernel, REGION, begin, now());
}

/* ---- The peak ---- */

enum { CHAINS = 12 }; /* of additions that don't wait for each other; more than any processor needs */

/* `STEP_OF(sum)` again and again. Sums are not shared by threads; they depend on all that was
 * computed. */
#define MULTIPLY(symbol, vector, scalar, features, STEP_OF)                               \
    __attribute__((target(features))) EXPORT void penstock_probe_##symbol(                \
        void *closure, int64_t index)                                                     \
    {                                                                                     \
        const struct probe *probe = closure;                                              \
        vector sums[CHAINS], factor = { 0 }, term = { 0 };                                \
        factor += (scalar)probe->factor;                                                  \
        term += (scalar)probe->term;                                                      \
        for (int i = 0; i < CHAINS; i++)                                                  \
            sums[i] = term + (scalar)i;                                                   \
        for (int64_t round = 0; round < probe->rounds; round++)                           \
            _Pragma("clang loop unroll(disable)") for (int part = 0; part < 4; part++)    \
                _Pragma("clang loop unroll(full)") for (int i = 0; i < CHAINS; i++)       \
                    sums[i] = STEP_OF(sums[i]);                                           \
        for (int i = 1; i < CHAINS; i++)                                                  \
            sums[0] += sums[i];                                                           \
        probe->sums[index * 32] = (float)(sums[0][0] + sums[0][1]);                       \
    }

#define READ(name, features)                                                              \
    __attribute__((target(features))) EXPORT void penstock_probe_read_##name(             \
        void *closure, int64_t index)                                                     \
    {                                                                                     \
        const struct probe *probe = closure;                                              \
        int64_t length = probe->bytes / (int64_t)sizeof(name);                            \
        const name *data = (const name *)(const void *)(probe->data + index * probe->bytes); \
        name sums[8] = { { 0 } };                                                         \
        for (int64_t round = 0; round < probe->rounds; round++)                           \
            for (int64_t at = 0; at + 8 <= length; at += 8)                               \
                _Pragma("clang loop unroll(full)") for (int i = 0; i < 8; i++)            \
                    sums[i] += data[at + i];                                              \
        for (int i = 1; i < 8; i++)                                                       \
            sums[0] += sums[i];                                                           \
        probe->sums[index * 32] = sums[0][0] + sums[0][1];                                \
    }

#define MULTIPLIED(sum) (sum) * factor + term

#define PROBES(name, doubles, width, features)                                            \
    typedef float name __attribute__((vector_size(width)));                               \
    typedef double doubles __attribute__((vector_size(width)));                           \
    MULTIPLY(multiply_##name, name, float, features, MULTIPLIED)                          \
    MULTIPLY(multiply_doubles_##name, doubles, double, features, MULTIPLIED)              \
    READ(name, features)

PROBES(lanes4, doubles2, 16, "sse2")
PROBES(lanes8, doubles4, 32, "avx2,fma")
PROBES(lanes16, doubles8, 64, "avx512f")

/* Pairs of bf16: both products are added to an f32. Any bits that are no NaN will do as factors. */
typedef __bf16 pairs __attribute__((vector_size(64)));
#define PAIRED(sum) __builtin_ia32_dpbf16ps_512(sum, (pairs)factor, (pairs)term)

MULTIPLY(multiply_pairs_lanes16, lanes16, float, "avx512f,avx512bf16", PAIRED)
