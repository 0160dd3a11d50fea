/* Drives what C libraries of jobs have in common, for a sanitizer to watch: `drive_library WHAT
 * ROUNDS`. The tables, which Python writes for a library, are here those of a small job.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "layouts.h"

/* What library.c declares for itself. */
_Static_assert(sizeof(pthread_once_t) == sizeof(int) && PTHREAD_ONCE_INIT == 0, "pthread_once");

enum { COUNT = 5000, CALLERS = 6, UNKNOWN = 3 };

static void expect(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "wrong: %s\n", what);
    abort();
}

struct rows { const float *weight; float *room, *result; };

static void compute(void *closure, int64_t i)
{
    struct rows *rows = closure;
    rows->room[i] = rows->weight[i % 16] + (float)i;
    rows->result[i] = rows->room[i];
}

static uint8_t flags[2];

/* weight, result, arena */
static int32_t entry(struct context *context, void **arguments)
{
    struct rows rows = {arguments[0], arguments[2], arguments[1]};
    context->parallel_for(context->pool, compute, &rows, COUNT);
    if (flags[1])
        context->tap(context->user, 1, rows.result);
    return 0;
}

static int32_t no_entry(struct context *context, void **arguments)
{
    (void)context, (void)arguments;
    abort();
}

/* The second level needs what no processor has. */
const int64_t library_levels = 2;
const struct needs library_needs[2] = {{{0}}, {{1, 1, 1, 1, 1, 0x21212121}}};

static entry_function *const entries[2] = {entry, no_entry};
static const int64_t masks[3] = {ALIGNMENT - 1, ARRAY_ALIGNMENT - 1, -1};
static struct watch watch = {NULL, NULL, flags, 2};
static const struct job job = {entries, masks, 3, 2, COUNT * 4 + 64 - COUNT * 4 % 64, &watch};

static const float one = 1, many[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const struct initial initials[2] = {{0, 64, &one, 4}, {64, 60, many, 64}};

static _Alignas(64) float memory[64];
static void *variables[2];

static int32_t step(float *result, float *room)
{
    void *arguments[3] = {variables[1], result, NULL};
    return library_step(&job, arguments, room);
}

static void check(float *result, float *room)
{
    memset(result, 0, COUNT * sizeof(float));
    expect(step(result, room) == OK, "a step fails");
    for (int i = 0; i < COUNT; i += 77)
        expect(result[i] == (float)(i % 16 == 15 ? 0 : i % 16) + (float)i, "a result is wrong");
}

static void *call(void *argument)
{
    _Alignas(64) static _Thread_local float result[COUNT], room[COUNT + 16];
    for (int i = 0; i < *(int *)argument; i++) {
        check(result, i % 2 ? room : NULL);
        if (i % 3 == 0)
            expect(library_set_threads(1 + (unsigned)i % 5) == OK, "the pool is not resized");
    }
    return NULL;
}

/* The first steps of all threads begin at once, and the pool changes meanwhile. */
static void callers(int rounds)
{
    pthread_t threads[CALLERS];
    for (int i = 0; i < CALLERS; i++)
        expect(!pthread_create(&threads[i], NULL, call, &rounds), "no thread");
    for (int i = 0; i < CALLERS; i++)
        pthread_join(threads[i], NULL);
}

static int shown;

static void show(void *user, int32_t id, void *data)
{
    expect(user == &shown && id == 1 && ((float *)data)[COUNT - 1] > 0, "a blob is not as it is");
    shown++;
}

/* Errors are statuses; a blob is shown as long as somebody watches. */
static void statuses(int rounds)
{
    _Alignas(64) static float result[COUNT], room[COUNT + 16];
    void *arguments[3] = {NULL, result, NULL};
    expect(library_step(&job, arguments, room) == NULL_POINTER, "NULL is taken");
    expect(step(result + 1, room) == MISALIGNED, "a misaligned array is taken");
    expect(step(result, room + 1) == MISALIGNED, "a misaligned workspace is taken");
    expect(library_initialize(NULL, memory, 2, initials) == NULL_POINTER, "NULL is taken");
    expect(library_initialize(variables, memory + 1, 2, initials) == MISALIGNED, "misaligned");
    expect(library_set_threads(0) == THREADS && library_set_threads(1025) == THREADS, "threads");
    expect(library_watch(&watch, 2, show, &shown) == TAP, "a tap that is none is watched");
    for (int i = 0; i < rounds; i++) {
        expect(library_watch(&watch, 1, i % 2 ? show : NULL, &shown) == OK, "a tap is refused");
        check(result, room);
        expect(shown == (i + 1) / 2, "a blob is shown to nobody, or to somebody else");
    }
    library_watch(&watch, 1, NULL, NULL);
}

static void children(int rounds)
{
    _Alignas(64) static float result[COUNT];
    for (int i = 0; i < rounds; i++) {
        check(result, NULL);
        pid_t child = fork();
        if (child == 0) {
            check(result, NULL);
            _exit(0);
        }
        int status;
        expect(waitpid(child, &status, 0) == child && status == 0, "a child failed");
    }
}

static const struct { const char *name; void (*run)(int rounds); } ways[] = {
    {"callers", callers}, {"statuses", statuses}, {"forking", children},
};

int main(int count, char **arguments)
{
    setenv("PENSTOCK_NUM_THREADS", "3", 1);
    expect(library_initialize(variables, memory, 2, initials) == OK, "no variables");
    expect(memory[15] == 1 && memory[30] == 14 && memory[31] == 0, "variables start otherwise");
    for (size_t i = 0; count == 3 && i < sizeof ways / sizeof *ways; i++)
        if (!strcmp(arguments[1], ways[i].name)) {
            ways[i].run(atoi(arguments[2]));
            printf("%s %s done\n", arguments[1], arguments[2]);
            return 0;
        }
    expect(0, "expected a way to drive the library, and a number of rounds");
}
