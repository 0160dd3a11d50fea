/* Streams, events, and graphs captured from streams. */
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STREAMS = 64 };

static struct stream *every_stream[MOST_STREAMS];
static int streams, events, graphs;

static void add(struct nodes *set, int number)
{
    for (int i = 0; i < set->count; i++)
        if (set->numbers[i] == number)
            return;
    if (set->count < MOST_DEPENDENCIES)
        set->numbers[set->count++] = number;
}

CUresult issue(struct stream *stream, struct operation *operation)
{
    struct graph *graph = stream->capturing;
    if (!graph) {
        CUresult failed = perform(operation);
        /* As on a device, an error of what runs is found by whoever waits. */
        return is_broken() ? CUDA_SUCCESS : failed;
    }
    operation->dependency_count = stream->last.count;
    memcpy(operation->dependencies, stream->last.numbers, sizeof operation->dependencies);
    if (graph->count == graph->capacity) {
        graph->capacity = graph->capacity ? 2 * graph->capacity : 16;
        graph->operations = realloc(graph->operations, graph->capacity * sizeof *operation);
    }
    graph->operations[graph->count] = *operation;
    stream->last = (struct nodes){{graph->count}, 1};
    graph->count++;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamCreate(struct stream **stream, uint32_t flags)
{
    CUresult failed = enter("cuStreamCreate", true);
    *stream = calloc(1, sizeof **stream);
    (*stream)->number = streams;
    if (streams == MOST_STREAMS)
        return CUDA_ERROR_OUT_OF_MEMORY;
    every_stream[streams++] = *stream;
    record("cuStreamCreate(%u) -> s%d", flags, (*stream)->number);
    return failed;
}

EXPORT CUresult cuStreamSynchronize(struct stream *stream)
{
    CUresult failed = enter("cuStreamSynchronize", true);
    record("cuStreamSynchronize(s%d)", stream->number);
    return !failed && stream->capturing ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : failed;
}

EXPORT CUresult cuStreamBeginCapture_v2(struct stream *stream, int mode)
{
    CUresult failed = enter("cuStreamBeginCapture", true);
    record("cuStreamBeginCapture(s%d, %d)", stream->number, mode);
    if (failed)
        return failed;
    stream->capturing = calloc(1, sizeof *stream->capturing);
    stream->capturing->number = graphs++;
    stream->is_origin = true;
    stream->last.count = 0;
    return CUDA_SUCCESS;
}

static bool reaches(const struct graph *graph, int from, int to)
{
    if (from == to)
        return true;
    const struct operation *node = &graph->operations[from];
    for (int i = 0; i < node->dependency_count; i++)
        if (reaches(graph, node->dependencies[i], to))
            return true;
    return false;
}

static bool is_joined(const struct stream *stream)
{
    for (int node = 0; node < stream->capturing->count; node++) {
        bool is_found = false;
        for (int i = 0; i < stream->last.count; i++)
            is_found |= reaches(stream->capturing, stream->last.numbers[i], node);
        if (!is_found)
            return false;
    }
    return true;
}

EXPORT CUresult cuStreamEndCapture(struct stream *stream, struct graph **graph)
{
    CUresult failed = enter("cuStreamEndCapture", true);
    if (!stream->capturing || !stream->is_origin)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (!failed && !is_joined(stream))
        failed = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    *graph = failed ? NULL : stream->capturing;
    record("cuStreamEndCapture(s%d) -> g%d, %d nodes", stream->number, stream->capturing->number,
           stream->capturing->count);
    struct graph *ended = stream->capturing;
    for (int i = 0; i < streams; i++)
        if (every_stream[i]->capturing == ended)
            every_stream[i]->capturing = NULL;
    stream->is_origin = false;
    return failed;
}

EXPORT CUresult cuEventCreate(struct event **event, uint32_t flags)
{
    CUresult failed = enter("cuEventCreate", true);
    *event = calloc(1, sizeof **event);
    (*event)->number = events++;
    record("cuEventCreate(%u) -> e%d", flags, (*event)->number);
    return failed;
}

EXPORT CUresult cuEventDestroy_v2(struct event *event)
{
    CUresult failed = enter("cuEventDestroy", true);
    record("cuEventDestroy(e%d)", event->number);
    free(event);
    return failed;
}

EXPORT CUresult cuEventRecord(struct event *event, struct stream *stream)
{
    CUresult failed = enter("cuEventRecord", true);
    record("cuEventRecord(e%d, s%d)", event->number, stream->number);
    event->capturing = stream->capturing;
    event->last = stream->last;
    return failed;
}

EXPORT CUresult cuEventSynchronize(struct event *event)
{
    CUresult failed = enter("cuEventSynchronize", true);
    record("cuEventSynchronize(e%d)", event->number);
    return !failed && event->capturing ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : failed;
}

EXPORT CUresult cuStreamWaitEvent(struct stream *stream, struct event *event, uint32_t flags)
{
    CUresult failed = enter("cuStreamWaitEvent", true);
    record("cuStreamWaitEvent(s%d, e%d, %u)", stream->number, event->number, flags);
    if (failed || !event->capturing)
        return failed;
    if (stream->capturing != event->capturing) {
        stream->capturing = event->capturing;
        stream->last.count = 0;
    }
    for (int i = 0; i < event->last.count; i++)
        add(&stream->last, event->last.numbers[i]);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphInstantiateWithFlags(struct graph **launched, struct graph *graph, uint64_t flags)
{
    CUresult failed = enter("cuGraphInstantiate", true);
    record("cuGraphInstantiate(g%d, %lu)", graph->number, (unsigned long)flags);
    *launched = malloc(sizeof **launched);
    **launched = *graph;
    size_t size = graph->count * sizeof *graph->operations;
    (*launched)->operations = memcpy(malloc(size ? size : 1), graph->operations ? graph->operations : (void *)"", size);
    return failed;
}

EXPORT CUresult cuGraphDestroy(struct graph *graph)
{
    CUresult failed = enter("cuGraphDestroy", true);
    record("cuGraphDestroy(g%d)", graph->number);
    free(graph->operations);
    free(graph);
    return failed;
}

EXPORT CUresult cuGraphExecDestroy(struct graph *launched)
{
    CUresult failed = enter("cuGraphExecDestroy", true);
    record("cuGraphExecDestroy(g%d)", launched->number);
    free(launched->operations);
    free(launched);
    return failed;
}

/* Whether a node may run: all that it depends on have. */
static bool is_ready(const struct operation *node, const bool *done)
{
    for (int i = 0; i < node->dependency_count; i++)
        if (!done[node->dependencies[i]])
            return false;
    return true;
}

/* Run all nodes, each when it may: the first captured first, or the last one. */
EXPORT CUresult cuGraphLaunch(struct graph *launched, struct stream *stream)
{
    CUresult failed = enter("cuGraphLaunch", true);
    record("cuGraphLaunch(g%d, s%d)", launched->number, stream->number);
    bool *done = calloc(launched->count + 1, sizeof *done);
    for (int run = 0; !failed && run < launched->count; run++) {
        int chosen = -1;
        for (int i = 0; i < launched->count; i++)
            if (!done[i] && is_ready(&launched->operations[i], done) && (order || chosen < 0))
                chosen = i;
        failed = perform(&launched->operations[chosen]);
        done[chosen] = true;
    }
    free(done);
    return failed && !is_broken() ? failed : CUDA_SUCCESS;
}
