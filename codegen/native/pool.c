/* The thread pool of a process: `parallel_for` of a job's context.
 *
 *     void parallel_for(
 *         void *pool, void (*task)(void *closure, int64_t i), void *closure, int64_t n)
 *
 * calls the task once for every index below n, on the calling thread and on the pool's, and returns
 * when all calls have. Such a call is a *region*. The indices are dealt out in turn, one to each
 * thread. As long as the number of threads and tasks stays the same, a thread gets the same indices
 * in every region, so its data stay in the caches of its core. A thread that has finished its own
 * tasks steals those of others, so a core with a busy neighbour delays only the task it is running.
 *
 * The tasks of one thread are its *share*. The ticket of a share is one 64-bit word: the number of
 * tasks (high half), and the next one to claim (low half). Adding one claims the task shown, or
 * finds that none is left. Everything a claimed task needs is written before the ticket, and stays
 * until all claimed tasks are done and counted. So a thread that arrives late at one region finds
 * nothing, or has claimed a task of the next one. Threads wait for the number of the region to
 * change, and use it as a futex to sleep.
 *
 * Threads are created by the first region that needs them. Between regions they spin, then yield
 * their core, then sleep. Waking them costs more than a little work is worth. So a region that was
 * short last time runs on the threads that are awake, until short regions become frequent. A second
 * caller, and a region inside a task, find the pool taken and run their tasks themselves. After a
 * fork the child has no threads and starts over. The threads block all signals, which are left to
 * the program's own threads. Tasks round and flush denormals as the calling thread does.
 *
 * This code must never be unloaded: threads may sleep in it until the process ends.
 */
#include "layouts.h"

enum {
    LINE = 128, /* bytes that different threads write lie this far apart: two cache lines */

    SHARES = 1024, /* at most; further threads only steal */

    PAUSES = 2000, /* of a caller that waits for the last tasks, before it yields */
    YIELDS = 200,  /* before it sleeps */

    PATIENCE = 1000, /* regions with too few threads, before more are asked of the system again */

    /* Sleepers that a caller wakes, and each of these in turn: one wake-up takes microseconds. */
    WAKES = 2,

    KNOWN_BITS = 8,
    KNOWN = 1 << KNOWN_BITS, /* regions whose work is remembered */

    /* Bytes, whatever the system's default is: twice the scratch memory that a task may use. */
    STACK = 2 << 20,
};

/* A region has fewer tasks: the low half of a ticket must also count the claims that come late. */
#define LARGEST ((int64_t)1 << 31)

/* Ticks of the processor's clock, 2 to 4 in a nanosecond. A thread that was woken may run on its
 * caller's core, so it soon yields. It sleeps only after longer than the usual time between two
 * steps, since waking it takes many times longer than a region. */
#define SPIN 20000u
#define LINGER 600000u

/* Ticks of work that make waking sleepers worth while. */
#define WORTH 200000u

/* ---- The C library and the system ---- */

enum { FUTEX = 202, FUTEX_WAIT_PRIVATE = 128, FUTEX_WAKE_PRIVATE = 129 };
enum { PRCTL = 157, PR_SET_NAME = 15 };
enum { SIG_SETMASK = 2, PTHREAD_CREATE_DETACHED = 1, EVERYONE = INT32_MAX };

/* No smaller than theirs; tests/native/drive_pool.c compares. */
typedef struct { _Alignas(16) char bytes[64]; } attributes;
typedef struct { uint64_t words[16]; } signals;

long syscall(long number, ...);
int sched_yield(void);
int pthread_create(unsigned long *, const attributes *, void *(*)(void *), void *);
int pthread_attr_init(attributes *);
int pthread_attr_setdetachstate(attributes *, int);
int pthread_attr_setstacksize(attributes *, size_t);
int pthread_attr_destroy(attributes *);
int pthread_sigmask(int, const signals *, signals *);
int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *);

/* ---- State ---- */

struct share {
    _Alignas(LINE) _Atomic uint64_t ticket;
    task_function *task;
    void *closure;
    uint32_t mxcsr;  /* of the caller: how tasks round */
    uint32_t stride; /* between the indices of the share's tasks */
};

static struct share shares[SHARES];

static struct {
    _Alignas(LINE) _Atomic uint64_t region;  /* its number (high half), its shares (low half) */
    _Alignas(LINE) _Atomic uint32_t undone;  /* tasks */
    _Atomic uint32_t waiting;                /* the caller sleeps until all are done */
    _Alignas(LINE) _Atomic uint32_t sleepers; /* threads that sleep between regions */
    _Alignas(LINE) _Atomic uint32_t taken;   /* by a caller */
    _Atomic uint32_t alive;                  /* threads, without callers */
} pool;

static _Atomic uint32_t size = 1; /* threads that a region may use, its caller included */

/* The rest belongs to the caller that has taken the pool. */
static uint32_t patience;
static struct { task_function *task; uint64_t work; } known[KNOWN];
static uint64_t ended;  /* when the last region was over */
static uint64_t spared; /* the recent work that no sleeper was woken for */

/* ---- Short names ---- */

static inline uint64_t ticks(void) { return __builtin_readcyclecounter(); }

static inline void spin(void) { __builtin_ia32_pause(); }

static inline uint32_t low(uint64_t word) { return (uint32_t)word; }

static inline uint32_t high(uint64_t word) { return (uint32_t)(word >> 32); }

static inline uint32_t at_most(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* The number after this one, of so many. */
static inline uint32_t after(uint32_t i, uint32_t count) { return i + 1 == count ? 0 : i + 1; }

/* The futex of sleeping threads: the region's number. Only the kernel reads it by this address. */
static inline void *number_futex(void) { return (char *)&pool.region + 4; }

static inline void futex_wait(void *word, uint32_t seen)
{
    syscall(FUTEX, word, FUTEX_WAIT_PRIVATE, seen, NULL);
}

static inline void futex_wake(void *word, uint32_t count)
{
    syscall(FUTEX, word, FUTEX_WAKE_PRIVATE, count);
}

/* ---- Running tasks ---- */

/* Claim and run tasks of a share until none is left; how many. */
static inline uint32_t run_share(struct share *share, uint32_t first)
{
    uint32_t done = 0;
    for (;;) {
        /* Acquire: see what deal() wrote before it released the ticket. Claims in between are
         * read-modify-writes, which continue its release sequence. */
        uint64_t ticket = atomic_fetch_add_explicit(&share->ticket, 1, memory_order_acquire);
        if (low(ticket) >= high(ticket))
            return done;
        uint64_t index = (uint64_t)low(ticket) * share->stride + first;
        __asm__ volatile("ldmxcsr %0" : : "m"(share->mxcsr));
        share->task(share->closure, (int64_t)index);
        done++;
    }
}

/* Count tasks as done; whether they were the last ones of the region. */
static inline bool count_done(uint32_t done)
{
    if (done == 0)
        return false;
    /* Sequentially consistent: it releases what the tasks wrote to the caller; and of this and the
     * load below, and the caller's store of `waiting` and load of `undone`, one sees the other. */
    if (atomic_fetch_sub_explicit(&pool.undone, done, memory_order_seq_cst) != done)
        return false;
    if (atomic_load_explicit(&pool.waiting, memory_order_seq_cst))
        futex_wake(&pool.undone, 1);
    return true;
}

/* Claim and run tasks until none is left, those of the thread's own share first. */
__attribute__((noinline)) static void drain(uint32_t thread, uint32_t count)
{
    if (count == 0)
        return;
    uint32_t own = thread % count;
    if (count_done(run_share(&shares[own], own)))
        return;
    for (uint32_t i = after(own, count); i != own; i = after(i, count)) {
        /* Look at others' tickets before claiming: a cache line that is only read stays with the
         * core that writes it. Relaxed: a claim looks again. */
        uint64_t ticket = atomic_load_explicit(&shares[i].ticket, memory_order_relaxed);
        if (low(ticket) < high(ticket) && count_done(run_share(&shares[i], i)))
            return;
    }
}

/* ---- The threads of the pool ---- */

/* Wake so many sleeping threads. */
static void wake(uint32_t count)
{
    /* Sequentially consistent: a thread that counts itself after this sees the new region. */
    uint32_t asleep = atomic_load_explicit(&pool.sleepers, memory_order_seq_cst);
    count = at_most(asleep, count);
    if (count)
        futex_wake(number_futex(), count);
}

/* Sleep until there is another region than the one with this number. */
static uint64_t sleep_until_next(uint32_t number)
{
    uint64_t region;
    do {
        /* Sequentially consistent: a caller that does not see this has announced its region
         * before, so the kernel finds another number and returns. */
        atomic_fetch_add_explicit(&pool.sleepers, 1, memory_order_seq_cst);
        futex_wait(number_futex(), number);
        atomic_fetch_sub_explicit(&pool.sleepers, 1, memory_order_seq_cst);
        /* Acquire: see what the caller wrote before it announced the region. */
        region = atomic_load_explicit(&pool.region, memory_order_acquire);
    } while (high(region) == number);
    /* Wake others in turn, if there may be tasks left for them. Relaxed: this only saves work. */
    if (atomic_load_explicit(&pool.undone, memory_order_relaxed))
        wake(WAKES);
    /* Acquire, as above: waking took so long that there may be a newer one. */
    return atomic_load_explicit(&pool.region, memory_order_acquire);
}

/* Wait for another region than the one with this number. */
static inline uint64_t next_region(uint32_t number)
{
    for (uint64_t since = ticks();;) {
        for (int i = 0; i < 32; i++) {
            /* Acquire: see what the caller wrote before it announced the region. */
            uint64_t region = atomic_load_explicit(&pool.region, memory_order_acquire);
            if (high(region) != number)
                return region;
            spin();
        }
        uint64_t waited = ticks() - since;
        if (waited >= LINGER)
            return sleep_until_next(number);
        if (waited >= SPIN)
            sched_yield();
    }
}

/* The main function of a thread, whose number counts from 1. */
static void *work(void *argument)
{
    uint32_t thread = (uint32_t)(uintptr_t)argument;
    uint32_t number = UINT32_MAX; /* of no region */
    syscall(PRCTL, PR_SET_NAME, "penstock");
    for (;;) {
        uint64_t region = next_region(number);
        number = high(region);
        /* Relaxed: the acquire of the region shows the size at its announcement, or a newer one. */
        if (thread >= atomic_load_explicit(&size, memory_order_relaxed))
            break;
        drain(thread, low(region));
    }
    /* Release: whoever sees this thread gone sees all it did. */
    atomic_fetch_sub_explicit(&pool.alive, 1, memory_order_release);
    return NULL;
}

/* Create the threads that are missing; the caller has taken the pool. */
__attribute__((noinline)) static void create_threads(uint32_t wanted)
{
    attributes detached;
    signals all, old;
    for (int i = 0; i < 16; i++)
        all.words[i] = UINT64_MAX;
    pthread_sigmask(SIG_SETMASK, &all, &old); /* threads inherit it */
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&detached, STACK);
    for (;;) {
        /* Relaxed, like the stores: only threads that are told to end change it meanwhile, and
         * none is while the pool is taken. */
        uint32_t alive = atomic_load_explicit(&pool.alive, memory_order_relaxed);
        if (alive + 1 >= wanted)
            break;
        unsigned long thread;
        void *number = (void *)(uintptr_t)(alive + 1);
        atomic_store_explicit(&pool.alive, alive + 1, memory_order_relaxed);
        if (pthread_create(&thread, &detached, work, number)) {
            /* The system has no more threads now: make do with fewer for a while. */
            atomic_store_explicit(&pool.alive, alive, memory_order_relaxed);
            patience = PATIENCE;
            break;
        }
    }
    pthread_attr_destroy(&detached);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* ---- Whether to wake sleepers ---- */

/* Where the work of a task's region is remembered. */
static inline uint64_t place_of(task_function *task)
{
    return (uint64_t)(uintptr_t)task * 0x9E3779B97F4A7C15u >> (64 - KNOWN_BITS);
}

/* Whether to wake sleepers for a region that begins now: not if it took little time before, and
 * they have not been spared for long. So work that comes only now and then stays on one thread. */
static inline bool is_worth_waking(task_function *task, uint64_t now)
{
    if (now - ended > LINGER)
        spared = 0;
    uint64_t place = place_of(task);
    return known[place].task != task || known[place].work > WORTH || spared > WORTH;
}

/* Remember the work of a region that is over, which so many threads were awake for. */
static inline void remember(task_function *task, uint64_t began, uint32_t threads, bool spares)
{
    uint64_t now = ticks(), work = (now - began) * threads, place = place_of(task);
    known[place].task = task;
    known[place].work = work;
    ended = now;
    spared = spares ? spared + work : 0;
}

/* ---- Regions ---- */

/* Announce a region of so many shares; the caller has taken the pool. */
static inline void announce(uint32_t count)
{
    /* Relaxed: only who has taken the pool changes it. */
    uint64_t region = atomic_load_explicit(&pool.region, memory_order_relaxed);
    uint64_t next = (uint64_t)(high(region) + 1) << 32 | count;
    /* Sequentially consistent: it releases the tickets; and of this and the caller's load of
     * `sleepers`, and a thread's count of itself and the kernel's look, one sees the other. */
    atomic_exchange_explicit(&pool.region, next, memory_order_seq_cst);
}

/* Deal out the tasks of a region to so many shares; the first ones may get one more. */
static inline void deal(task_function *task, void *closure, uint32_t n, uint32_t count)
{
    uint32_t mxcsr = __builtin_ia32_stmxcsr(), each = n / count, larger = n % count;
    for (uint32_t i = 0; i < count; i++) {
        struct share *share = &shares[i];
        share->task = task;
        share->closure = closure;
        share->mxcsr = mxcsr;
        share->stride = count;
        /* Release: who claims a task sees the above, and the number of undone tasks. */
        uint64_t ticket = (uint64_t)(each + (i < larger)) << 32;
        atomic_store_explicit(&share->ticket, ticket, memory_order_release);
    }
}

/* Return when all tasks of the region are done. */
static inline void wait(void)
{
    for (int i = 0; i < PAUSES + YIELDS; i++) {
        /* Acquire: see what the tasks wrote. */
        if (!atomic_load_explicit(&pool.undone, memory_order_acquire))
            return;
        if (i < PAUSES)
            spin();
        else
            sched_yield();
    }
    /* Sequentially consistent: see count_done(). */
    atomic_store_explicit(&pool.waiting, 1, memory_order_seq_cst);
    uint32_t undone;
    while ((undone = atomic_load_explicit(&pool.undone, memory_order_seq_cst)))
        futex_wait(&pool.undone, undone);
    /* Relaxed: who still sees 1 wakes nobody, which does no harm. */
    atomic_store_explicit(&pool.waiting, 0, memory_order_relaxed);
}

static inline bool take_pool(void)
{
    uint32_t expected = 0;
    /* Acquire: see what the last caller left. Relaxed where it fails: nothing is read then. */
    return atomic_compare_exchange_strong_explicit(
        &pool.taken, &expected, 1, memory_order_acquire, memory_order_relaxed);
}

static inline void give_back_pool(void)
{
    /* Release: the next caller sees what this one leaves. */
    atomic_store_explicit(&pool.taken, 0, memory_order_release);
}

/* The threads that a region can use, the caller included; missing ones are created. */
static inline uint32_t threads_for_region(void)
{
    /* Relaxed: both change only while the pool is taken. */
    uint32_t wanted = atomic_load_explicit(&size, memory_order_relaxed);
    if (atomic_load_explicit(&pool.alive, memory_order_relaxed) + 1 < wanted) {
        if (patience)
            patience--;
        else
            create_threads(wanted);
    }
    /* Relaxed, as above. */
    return atomic_load_explicit(&pool.alive, memory_order_relaxed) + 1;
}

/* Run a region on several threads; the caller has taken the pool. */
static inline void run_region(task_function *task, void *closure, uint32_t n)
{
    uint32_t threads = threads_for_region();
    uint32_t count = at_most(at_most(threads, SHARES), n);
    uint64_t began = ticks();
    /* Relaxed: the tickets release it. */
    atomic_store_explicit(&pool.undone, n, memory_order_relaxed);
    deal(task, closure, n, count);
    announce(count);
    /* Sequentially consistent: see announce(). */
    uint32_t asleep = atomic_load_explicit(&pool.sleepers, memory_order_seq_cst);
    bool spares = asleep && !is_worth_waking(task, began);
    if (asleep && !spares)
        wake(WAKES);
    drain(0, count);
    wait();
    remember(task, began, threads - asleep, spares);
}

EXPORT void penstock_parallel_for(void *ignored, task_function *task, void *closure, int64_t n)
{
    (void)ignored;
    /* Relaxed: who takes the pool looks again. */
    bool several = atomic_load_explicit(&size, memory_order_relaxed) > 1 && n > 1 && n < LARGEST;
    if (several && take_pool()) {
        run_region(task, closure, (uint32_t)n);
        give_back_pool();
    } else {
        for (int64_t i = 0; i < n; i++)
            task(closure, i);
    }
}

/* Set how many threads run a region, the caller included; surplus threads end at once. */
EXPORT void penstock_resize(void *ignored, uint32_t wanted)
{
    (void)ignored;
    while (!take_pool())
        sched_yield();
    /* Relaxed: the announcement and the release of the pool publish it. */
    atomic_store_explicit(&size, wanted, memory_order_relaxed);
    patience = 0;
    /* Acquire: see all that threads did which are gone. */
    if (atomic_load_explicit(&pool.alive, memory_order_acquire) >= wanted) {
        announce(0);
        wake(EVERYONE);
        do {
            sched_yield();
            /* Acquire, as above. */
        } while (atomic_load_explicit(&pool.alive, memory_order_acquire) >= wanted);
    }
    give_back_pool();
}

/* How many threads the pool has, without callers. */
EXPORT uint32_t penstock_alive(void *ignored)
{
    (void)ignored;
    /* Acquire: see all that threads did which are gone. */
    return atomic_load_explicit(&pool.alive, memory_order_acquire);
}

/* In the child of a fork: only the thread that forked is left. */
static void forget(void)
{
    /* Relaxed: there is no other thread. */
    atomic_store_explicit(&pool.region, 0, memory_order_relaxed);
    atomic_store_explicit(&pool.undone, 0, memory_order_relaxed);
    atomic_store_explicit(&pool.waiting, 0, memory_order_relaxed);
    atomic_store_explicit(&pool.sleepers, 0, memory_order_relaxed);
    atomic_store_explicit(&pool.taken, 0, memory_order_relaxed);
    atomic_store_explicit(&pool.alive, 0, memory_order_relaxed);
    patience = 0;
}

EXPORT void *penstock_pool(void)
{
    __register_atfork(NULL, NULL, forget, NULL);
    return &pool;
}
