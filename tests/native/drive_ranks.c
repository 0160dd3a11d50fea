/* Drives the collectives of jobs on ranks, for a sanitizer to watch: `drive_ranks WHAT ROUNDS`. The
 * ranks are threads of this process, and what stands for MPI copies from one to the other. Each rank
 * may have a thread of deferred collectives too.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layouts.h"

int32_t penstock_ranks_collective(struct joined *, int32_t, const void *, void *);
int32_t penstock_ranks_start(struct ranks *);
void penstock_ranks_stop(struct ranks *);

enum { RANKS = 3, PART = 700, WHOLE = RANKS * PART, CHUNK = 256, KINDS = 4, MANY = WORKS + 12 };

static void expect(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "wrong: %s\n", what);
    abort();
}

/* ---- In place of MPI ---- */

/* A send or a receive that waits for the other. A communicator's number is 2 * rank + its stream. */
struct message {
    struct message *next;
    char *data;
    int bytes, from, to, tag, stream, is_send, is_done;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct message *pending;

static int matches(const struct message *a, const struct message *b)
{
    return a->is_send != b->is_send && a->from == b->from && a->to == b->to && a->tag == b->tag
        && a->stream == b->stream;
}

static int32_t post(struct message made, int64_t *request)
{
    struct message *own = malloc(sizeof *own);
    *own = made;
    pthread_mutex_lock(&lock);
    struct message **place = &pending;
    while (*place && !matches(*place, own))
        place = &(*place)->next;
    struct message *other = *place;
    if (other) {
        expect(own->bytes == other->bytes, "messages of unequal lengths meet");
        struct message *from = own->is_send ? own : other, *to = own->is_send ? other : own;
        memcpy(to->data, from->data, (size_t)own->bytes);
        own->is_done = other->is_done = 1;
        *place = other->next;
    } else {
        *place = own;
    }
    pthread_mutex_unlock(&lock);
    *request = (int64_t)own;
    return 0;
}

static int32_t send_to(
    const void *data, int32_t count, int64_t type, int32_t rank, int32_t tag, int64_t comm,
    int64_t *request)
{
    (void)type;
    return post(
        (struct message){NULL, (char *)(uintptr_t)data, count, (int)comm / 2, rank, tag,
                         (int)comm % 2, 1, 0}, request);
}

static int32_t receive_from(
    void *data, int32_t count, int64_t type, int32_t rank, int32_t tag, int64_t comm,
    int64_t *request)
{
    (void)type;
    return post(
        (struct message){NULL, data, count, rank, (int)comm / 2, tag, (int)comm % 2, 0, 0}, request);
}

static int32_t test(int64_t *request, int32_t *done, void *status)
{
    (void)status;
    struct message *message = (struct message *)*request;
    pthread_mutex_lock(&lock);
    *done = message->is_done;
    pthread_mutex_unlock(&lock);
    if (*done)
        free(message);
    return 0;
}

/* ---- A rank ---- */

static const int32_t everyone[RANKS] = {0, 1, 2};
static const int64_t parts[RANKS] = {PART, PART, PART};
static int rounds, has_thread, is_deferred;

struct rank {
    int number;
    struct ranks ranks;
    struct queue queue;
    int64_t requests[2][8 * RANKS];
    char scratch[2][2 * RANKS * CHUNK];
    struct collective collectives[MANY];
    uint32_t numbers[MANY];
    float source[MANY][WHOLE], target[MANY][WHOLE];
};

static float value(int rank, int number, int i) { return (float)((rank + 1) * 100 + number + i % 7); }

static void check(const struct rank *rank, int number)
{
    const float *target = rank->target[number];
    int kind = number % KINDS, mine = rank->number * PART;
    int count = kind == REDUCE_SCATTER ? PART : WHOLE;
    for (int i = 0; i < count; i += 13) {
        int part = i / PART, offset = kind == REDUCE_SCATTER ? mine : 0;
        float sum = 0;
        for (int other = 0; other < RANKS; other++)
            sum += value(other, number, i + offset);
        float expected = kind == ALL_GATHER ? value(part, number, i % PART)
            : kind == ALL_TO_ALL ? value(part, number, mine + i % PART) : sum;
        expect(target[i] == expected, "an element is wrong");
    }
}

static void *run(void *argument)
{
    struct rank *rank = argument;
    struct joined joined = {&rank->ranks, rank->collectives, rank->numbers};
    rank->ranks = (struct ranks){send_to, receive_from, test, 0, CHUNK, 20, &rank->queue, {{0}}};
    for (int i = 0; i < 2; i++) {
        struct stream *stream = &rank->ranks.streams[i];
        stream->comm = 2 * rank->number + i;
        stream->requests = rank->requests[i];
        stream->scratch = rank->scratch[i];
    }
    for (int i = 0; i < MANY; i++)
        rank->collectives[i] = (struct collective){
            i, i % KINDS, REDUCE_SUM, ELEMENT_F32, 4, is_deferred && i % 5 != 0, RANKS, rank->number, 2 * i,
            everyone, parts, parts};
    for (int round = 0; round < rounds; round++) {
        rank->queue.closed = 0;
        if (has_thread)
            expect(!penstock_ranks_start(&rank->ranks), "no thread");
        for (int i = 0; i < MANY; i++) {
            for (int k = 0; k < WHOLE; k++)
                rank->source[i][k] = value(rank->number, i, k);
            memset(rank->target[i], 0, sizeof rank->target[i]);
            expect(!penstock_ranks_collective(&joined, i, rank->source[i], rank->target[i]), "fails");
        }
        for (int i = 0; i < MANY; i++) {
            if (rank->collectives[i].deferred)
                expect(!penstock_ranks_collective(&joined, i | AWAITED, NULL, NULL), "fails");
            check(rank, i);
        }
        penstock_ranks_stop(&rank->ranks);
    }
    return NULL;
}

int main(int count, char **words)
{
    if (count != 3)
        return 2;
    rounds = atoi(words[2]);
    is_deferred = strcmp(words[1], "exchanging") != 0;
    has_thread = strcmp(words[1], "deferring") == 0;
    struct rank *every = calloc(RANKS, sizeof *every);
    pthread_t threads[RANKS];
    for (int i = 0; i < RANKS; i++) {
        every[i].number = i;
        expect(!pthread_create(&threads[i], NULL, run, &every[i]), "no thread");
    }
    for (int i = 0; i < RANKS; i++)
        pthread_join(threads[i], NULL);
    expect(!pending, "a message is left");
    free(every);
    printf("%s %s done\n", words[1], words[2]);
    return 0;
}
