/* What the functions of a C library of jobs have in common; codegen/clib/c_library.py writes the
 * rest.
 *
 * The first step chooses the level of code by what the processor says of itself, and starts the
 * thread pool. Each step checks its pointers, finds memory for the arena, and runs the entry of its
 * job. This file is compiled for any x86-64, since it runs before the processor is known.
 */
#include "layouts.h"

enum { MOST_THREADS = 1024, AFFINITY_WORDS = 128 };

int pthread_once(int *, void (*)(void));
char *getenv(const char *);
long strtol(const char *, char **, int);
int sched_getaffinity(int, size_t, uint64_t *);
void *aligned_alloc(size_t, size_t);
void free(void *);
void *memcpy(void *restrict, const void *restrict, size_t);
void *memset(void *, int, size_t);

/* Written by set_up() alone; pthread_once() orders that before all reads. */
static int once;
static int32_t trouble;
static int64_t level;
static void *pool;

/* ---- The processor ---- */

struct registers { uint32_t a, b, c, d; };

static inline struct registers cpuid(uint32_t leaf, uint32_t subleaf)
{
    struct registers said;
    __asm__("cpuid" : "=a"(said.a), "=b"(said.b), "=c"(said.c), "=d"(said.d)
            : "a"(leaf), "c"(subleaf));
    return said;
}

/* XCR0: the registers that the system saves. It may be read if bit 27 of leaf 1 is set. */
static inline uint32_t saved_registers(uint32_t leaf_1)
{
    uint32_t low = 0, high = 0;
    if (leaf_1 & 1u << 27)
        __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static inline bool fits(const uint32_t *have, const struct needs *needs)
{
    for (int i = 0; i < WORDS; i++)
        if ((have[i] & needs->words[i]) != needs->words[i])
            return false;
    return true;
}

/* The best level for this processor; -1 if it runs none. */
static inline int64_t best_level(void)
{
    uint32_t leaf_1 = cpuid(1, 0).c;
    uint32_t have[WORDS] = {
        leaf_1, cpuid(7, 0).b, cpuid(0x80000001, 0).c, saved_registers(leaf_1), cpuid(7, 1).a,
        cpuid(0, 0).b,
    };
    int64_t found = library_levels - 1;
    while (found >= 0 && !fits(have, &library_needs[found]))
        found--;
    return found;
}

/* ---- Threads ---- */

/* How many CPUs this process may use. */
static inline uint32_t processors(void)
{
    uint64_t mask[AFFINITY_WORDS];
    memset(mask, 0, sizeof mask);
    sched_getaffinity(0, sizeof mask, mask);
    uint32_t count = 0;
    for (int i = 0; i < AFFINITY_WORDS; i++)
        count += (uint32_t)__builtin_popcountll(mask[i]);
    if (count == 0)
        return 1;
    return count < MOST_THREADS ? count : MOST_THREADS;
}

/* How many threads the environment asks for; 0 for what is no such number. */
static inline uint32_t wanted_threads(void)
{
    const char *text = getenv("PENSTOCK_NUM_THREADS");
    if (!text)
        return processors();
    if (*text < '0' || *text > '9')
        return 0;
    char *end;
    long number = strtol(text, &end, 10);
    return *end || number < 1 || number > MOST_THREADS ? 0 : (uint32_t)number;
}

/* ---- The first step, and every step ---- */

static void set_up(void)
{
    level = best_level();
    uint32_t threads = level < 0 ? 0 : wanted_threads();
    if (threads == 0) {
        trouble = level < 0 ? PROCESSOR : THREADS;
        return;
    }
    pool = penstock_pool();
    penstock_resize(pool, threads);
}

static inline int32_t ready(void)
{
    pthread_once(&once, set_up);
    return trouble;
}

int32_t library_set_threads(uint32_t number)
{
    int32_t status = ready();
    if (status)
        return status;
    if (number < 1 || number > MOST_THREADS)
        return THREADS;
    penstock_resize(pool, number);
    return OK;
}

/* Whether pointers are there, and aligned. */
static inline int32_t check(const struct job *job, void *const *arguments)
{
    for (int64_t i = 0; i < job->arguments; i++) {
        if (job->masks[i] < 0)
            continue;
        if (!arguments[i])
            return NULL_POINTER;
        if ((uintptr_t)arguments[i] & (uintptr_t)job->masks[i])
            return MISALIGNED;
    }
    return OK;
}

/* A step, whose arguments are there but for the arena; that is the workspace, if there is one. */
int32_t library_step(const struct job *job, void **arguments, void *workspace)
{
    int32_t status = ready();
    if (!status)
        status = check(job, arguments);
    if (status)
        return status;
    void *own = NULL;
    if (job->arena >= 0) {
        if ((uintptr_t)workspace % ALIGNMENT)
            return MISALIGNED;
        if (!workspace) {
            own = workspace = aligned_alloc(ALIGNMENT, (size_t)job->bytes);
            if (!own)
                return MEMORY;
        }
        arguments[job->arena] = workspace;
    }
    const struct watch *watch = job->watch;
    struct context context = {
        watch->function, watch->user, penstock_parallel_for, pool, NULL, NULL, NULL, NULL};
    status = job->entries[level](&context, arguments);
    free(own);
    return status;
}

/* Show a blob to a function from now on; for null, no longer. */
int32_t library_watch(
    struct watch *watch, uint32_t tap, void (*function)(void *, int32_t, void *), void *user)
{
    if (tap >= watch->count)
        return TAP;
    watch->flags[tap] = function != NULL;
    if (function) {
        watch->function = function;
        watch->user = user;
    }
    return OK;
}

/* Place variables in memory, and write their first values. */
int32_t library_initialize(
    void **variables, void *memory, int64_t count, const struct initial *initials)
{
    if (!variables || !memory)
        return NULL_POINTER;
    if ((uintptr_t)memory % ALIGNMENT)
        return MISALIGNED;
    for (int64_t i = 0; i < count; i++) {
        const struct initial *initial = &initials[i];
        char *to = (char *)memory + initial->offset;
        variables[i] = to;
        for (int64_t left = initial->bytes; left;) {
            int64_t size = left < initial->unit ? left : initial->unit;
            memcpy(to, initial->value, (size_t)size);
            to += size;
            left -= size;
        }
    }
    return OK;
}
