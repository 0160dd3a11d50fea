/* Memory for large results of ops on tensors, which is used again once nothing refers to it.
 *
 * The system's page faults would cost more than many an op. Freed memory is kept in lists by size
 * class, eight to each doubling, up to `KEPT` bytes in all. What no op asked for while others asked
 * `SWEEP` to twice as many times is given back to the system.
 *
 * An array over such memory has a capsule as its base, and so has everything made of the array. The
 * global lock guards everything here.
 */
#include "python.h"

enum {
    KEPT = 1 << 26,
    SWEEP = 1024,
    STEPS = 8, /* classes of a doubling */
    CLASSES = 64 * STEPS,
    HEAD = ALIGNMENT,
    HUGE = 1 << 21, /* a huge page; fewer TLB misses */
    ADVICE = 14,    /* MADV_HUGEPAGE of Linux */
};

/* At the start of each piece of memory, ahead of the elements. */
struct memory {
    struct memory *next; /* that is free */
    int64_t bytes;       /* of elements */
    int64_t class;
    uint64_t freed; /* when: the number of requests until then */
};
_Static_assert(sizeof(struct memory) <= HEAD, "the head holds it");

static const char name[] = "penstock.memory";
static struct memory *freed[CLASSES];
static int64_t kept; /* bytes in these lists */
static uint64_t requests;

int posix_memalign(void **, size_t alignment, size_t);
int madvise(void *, size_t, int);
void free(void *);

bool native_is_memory(const struct object *object)
{
    return object->type == &PyCapsule_Type && PyCapsule_IsValid(object, name);
}

/* The class of so many bytes, at least `STEPS`, which become those of the class. */
static inline int64_t class_of(int64_t *bytes)
{
    uint64_t last = (uint64_t)*bytes - 1;
    int shift = 60 - __builtin_clzll(last); /* so that four bits are left */
    *bytes = (int64_t)((last >> shift) + 1) << shift;
    return shift * STEPS + (int64_t)(last >> shift) - STEPS;
}

/* Give back what has been kept since before that moment. */
static void sweep(uint64_t before)
{
    for (struct memory **list = freed; list < freed + CLASSES; list++)
        for (struct memory **place = list; *place;) {
            struct memory *memory = *place;
            if (memory->freed >= before) {
                place = &memory->next;
                continue;
            }
            *place = memory->next;
            kept -= memory->bytes;
            free(memory);
        }
}

/* Memory of so many bytes at least, not initialised; null if the system refuses. */
static inline struct memory *take(int64_t bytes)
{
    if (++requests % SWEEP == 0)
        sweep(requests - SWEEP);
    int64_t class = class_of(&bytes);
    struct memory *memory = freed[class];
    if (memory) {
        freed[class] = memory->next;
        kept -= memory->bytes;
        return memory;
    }
    size_t size = (size_t)bytes + HEAD;
    void *made = NULL;
    if (posix_memalign(&made, size < HUGE ? ALIGNMENT : HUGE, size))
        return NULL;
    if (size >= HUGE) /* the rest stays on small pages */
        madvise(made, size - size % HUGE, ADVICE);
    memory = made;
    memory->bytes = bytes;
    memory->class = class;
    return memory;
}

static inline void give_back(struct memory *memory)
{
    if (kept + memory->bytes > KEPT) {
        free(memory);
        return;
    }
    kept += memory->bytes;
    memory->freed = requests;
    memory->next = freed[memory->class];
    freed[memory->class] = memory;
}

static void destroy(struct object *capsule) { give_back(PyCapsule_GetPointer(capsule, name)); }

/* A new array in such memory, whose data becomes the argument; null if that fails. */
struct object *native_recycled(const struct fetch *fetch, int64_t bytes, void **arguments)
{
    struct memory *memory = take(bytes);
    if (!memory)
        return NULL;
    struct object *capsule = PyCapsule_New(memory, name, destroy);
    if (!capsule) {
        PyErr_Clear();
        give_back(memory);
        return NULL;
    }
    const struct block block = {capsule, (char *)memory + HEAD, 0};
    return native_wrap(fetch, arguments, &block);
}

/* How many bytes are kept, after giving back what has been kept since before the last `requests`
 * requests. */
EXPORT int64_t penstock_eager_trim(int64_t last)
{
    sweep((uint64_t)last > requests ? 0 : requests - (uint64_t)last + 1);
    return kept;
}
