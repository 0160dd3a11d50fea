/* Drives the thread pool, for a sanitizer to watch: `drive_pool WHAT ROUNDS`.
 *
 * Tasks write plain memory, not atomics: if the pool orders a task, its caller or the next region
 * wrongly, ThreadSanitizer reports a race.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "layouts.h"

/* What pool.c declares for itself. */
_Static_assert(sizeof(pthread_attr_t) <= 64 && _Alignof(pthread_attr_t) <= 16, "attributes");
_Static_assert(sizeof(sigset_t) == 128, "signals");
_Static_assert(sizeof(pthread_t) == sizeof(unsigned long), "threads");
_Static_assert(SYS_futex == 202 && SYS_prctl == 157 && PR_SET_NAME == 15, "system calls");
_Static_assert(SIG_SETMASK == 2 && PTHREAD_CREATE_DETACHED == 1, "constants");

enum { LARGE = 1000, CALLERS = 4, MOST = 16 };

void throw_and_catch(void (*before)(void *), void *argument); /* throws.cpp */

static void *pool;

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

static void rest(long microseconds)
{
    struct timespec time = {0, microseconds * 1000};
    nanosleep(&time, NULL);
}

static void count(void *counts, int64_t i)
{
    ((int *)counts)[i]++;
}

/* Every index once, region after region. */
static void check_regions(int64_t n, int rounds)
{
    int counts[LARGE + 1] = {0};
    for (int i = 0; i < rounds; i++)
        penstock_parallel_for(pool, count, counts, n);
    for (int64_t i = 0; i < n; i++)
        expect(counts[i] == rounds, "an index was not called once in each region");
    expect(counts[n] == 0, "an index was called that is too large");
}

static void regions(int rounds)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 16, 17, LARGE};
    for (unsigned threads = 1; threads <= MOST; threads++) {
        penstock_resize(pool, threads);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            check_regions(sizes[k], rounds);
        expect(penstock_alive(pool) == threads - 1, "the pool has another number of threads");
    }
}

/* Regions so far apart that threads have gone to sleep. */
static void sleeping(int rounds)
{
    penstock_resize(pool, 4);
    for (int i = 0; i < rounds; i++) {
        check_regions(LARGE, 3);
        rest(2000);
    }
}

struct rows { int (*counts)[LARGE]; int64_t n; };

static void count_row(void *closure, int64_t i)
{
    struct rows *rows = closure;
    penstock_parallel_for(pool, count, rows->counts[i], rows->n);
}

static void nested(int rounds)
{
    static int counts[32][LARGE];
    struct rows rows = {counts, LARGE / 10};
    for (unsigned threads = 1; threads <= MOST; threads += 3) {
        memset(counts, 0, sizeof counts);
        penstock_resize(pool, threads);
        for (int i = 0; i < rounds; i++)
            penstock_parallel_for(pool, count_row, &rows, 32);
        for (int i = 0; i < 32; i++)
            for (int k = 0; k < LARGE; k++)
                expect(counts[i][k] == (k < rows.n ? rounds : 0), "a nested region is wrong");
    }
}

static void nested_region(void *argument)
{
    (void)argument;
    check_regions(20, 1);
}

static void throw_now_and_then(void *counts, int64_t i)
{
    if (i % 3 == 0)
        throw_and_catch(nested_region, NULL);
    count(counts, i);
}

/* Tasks throw exceptions and catch them, on all threads, with regions of their own in between. */
static void throwing(int rounds)
{
    int counts[LARGE] = {0};
    penstock_resize(pool, 8);
    for (int i = 0; i < rounds; i++)
        penstock_parallel_for(pool, throw_now_and_then, counts, LARGE);
    for (int i = 0; i < LARGE; i++)
        expect(counts[i] == rounds, "a task that throws was not called once");
}

struct caller { int rounds; int64_t n; };

static void *call(void *argument)
{
    struct caller *caller = argument;
    for (int i = 0; i < caller->rounds; i++)
        check_regions(caller->n, 3);
    return NULL;
}

/* Callers side by side, while the pool is shut down and set up again. */
static void resizing(int rounds)
{
    static const unsigned sizes[] = {2, 16, 1, 8, 3, 1};
    pthread_t threads[CALLERS];
    struct caller callers[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (struct caller){rounds, 2 + 40 * i};
        expect(!pthread_create(&threads[i], NULL, call, &callers[i]), "no thread");
    }
    for (int i = 0; i < rounds; i++) {
        penstock_resize(pool, sizes[i % 6]);
        rest(100);
    }
    for (int i = 0; i < CALLERS; i++)
        pthread_join(threads[i], NULL);
    penstock_resize(pool, 1);
    expect(penstock_alive(pool) == 0, "threads are left after shutdown");
}

static void *call_for_ever(void *argument)
{
    (void)argument;
    for (;;)
        check_regions(LARGE, 10);
    return NULL;
}

/* The process ends in the middle of regions. */
static void exiting(int rounds)
{
    pthread_t thread;
    penstock_resize(pool, 4);
    expect(!pthread_create(&thread, NULL, call_for_ever, NULL), "no thread");
    pthread_detach(thread);
    rest(1000L * (rounds < 100 ? rounds : 100));
}

/* Children begin anew, whatever their parents' threads were at. */
static void forking(int rounds)
{
    pthread_t thread;
    penstock_resize(pool, 4);
    expect(!pthread_create(&thread, NULL, call_for_ever, NULL), "no thread");
    pthread_detach(thread);
    for (int i = 0; i < rounds; i++) {
        pid_t child = fork();
        if (child == 0) {
            expect(penstock_alive(pool) == 0, "a child has threads");
            check_regions(LARGE, 10);
            expect(penstock_alive(pool) == 3, "a child has no threads of its own");
            _exit(0);
        }
        int status;
        expect(waitpid(child, &status, 0) == child && status == 0, "a child failed");
    }
}

static pthread_t program;
static volatile sig_atomic_t came;

static void note(int signal)
{
    (void)signal;
    if (!pthread_equal(pthread_self(), program))
        abort();
    came++;
}

/* Signals come all the time, and only the program's own thread handles them. */
static void interrupted(int rounds)
{
    struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = note};
    program = pthread_self();
    penstock_resize(pool, 4);
    expect(!sigaction(SIGALRM, &action, NULL) && !setitimer(ITIMER_REAL, &often, NULL), "no timer");
    for (int i = 0; i < rounds; i++) {
        check_regions(LARGE, 10);
        rest(500);
    }
    while (!came)
        check_regions(LARGE, 10);
    setitimer(ITIMER_REAL, &never, NULL);
}

static const struct { const char *name; void (*run)(int rounds); } ways[] = {
    {"regions", regions}, {"sleeping", sleeping}, {"nested", nested}, {"throwing", throwing},
    {"resizing", resizing}, {"exiting", exiting}, {"forking", forking},
    {"interrupted", interrupted},
};

int main(int count, char **arguments)
{
    pool = penstock_pool();
    for (size_t i = 0; count == 3 && i < sizeof ways / sizeof *ways; i++)
        if (!strcmp(arguments[1], ways[i].name)) {
            ways[i].run(atoi(arguments[2]));
            printf("%s %s done\n", arguments[1], arguments[2]);
            fflush(stdout);
            exit(0);
        }
    fail("expected a way to drive the pool, and a number of rounds");
}
