"""The thread pool of a process, as LLVM text: `parallel_for` of a job's context.

    void parallel_for(void *pool, void (*task)(void *closure, int64_t i), void *closure, int64_t n)

calls the task once for every index below n, on the calling thread and on the pool's, and returns
when all calls have. Each thread has indices of its own, as far apart as there are threads, and the
same ones whenever as many threads share out as many tasks: what it read and wrote the last time
lies in the caches of its core. When these are done it takes those of others, so a thread that a
busy neighbour holds up keeps nobody waiting but for the task that it is at.

The tasks of one thread are its *share*, whose ticket is 64 bits wide: how many there are (32 bits),
and which of them is the next to claim (32). Whoever adds one to it has claimed the task it shows,
or learned that none is left. What a claim needs is written before the ticket, and stays until all
claims have been done and counted: so who comes late to one region finds nothing, or has claimed a
task of the next. Threads wait for the number of the region, and as a futex sleep on it.

Threads are made by the first region that wants them. Between regions they spin, then offer their
processor to others, then sleep. To wake them takes longer than little work, so a region that took
little the last time makes do with who is awake, until such ones come often. A second caller, and a
region inside a task, find the pool taken and run their tasks themselves. After a fork the child has
no threads, and begins anew. Signals are left to the program's own threads, and tasks round and
flush as the caller's thread does.

The code must never be unloaded: threads may sleep in it until the process ends.
"""

from __future__ import annotations

__all__ = ["TEXT"]

# Of the processor's clock, which ticks 2 to 4 times a nanosecond. A thread that was woken may have
# displaced its caller, so it soon offers the processor to others; but it sleeps only after what
# often lies between two steps, for to wake it takes many times longer than a region.
_SPIN = 20_000
_LINGER = 600_000

_SHARES = 1024  # at most; threads beyond have none of their own

_LARGEST = 2**31
"""Tasks of a region are fewer: a ticket's 32 bits must also hold the claims that come too late."""

_PAUSES = 2000  # of a caller that waits for the last tasks, before it offers its processor
_OFFERS = 200  # of its processor, before it sleeps

_PATIENCE = 1000
"""Regions that make do with fewer threads, before the system that refused one is asked again."""

_WAKES = 2
"""Sleepers that a caller wakes, and each of these in turn: a wake-up takes microseconds."""

_WORTH = 200_000
"""Ticks of work from which on sleepers are woken for it."""

_KNOWN_BITS = 8
_KNOWN = 1 << _KNOWN_BITS  # regions whose work is known

_STACK = 2 << 20
"""Bytes of a thread's stack, whatever the system gives: twice what a task may have of scratch."""

# Numbers of the system: futex, its private operations, prctl, SIG_SETMASK, a detached thread.
_FUTEX, _WAIT, _WAKE, _EVERYONE = 202, 128, 129, 2**31 - 1
_PRCTL, _SET_NAME, _SETMASK, _DETACHED = 157, 15, 2, 1

TEXT = f"""\
; Each on cache lines of its own, for different threads write them.
%pool = type {{ i64, [120 x i8],                ; 0: region: its number, and how many shares it has
               i32, i32, [120 x i8],           ; 2: tasks undone; caller sleeps
               i32, [124 x i8],                ; 5: sleeping threads
               i32, i32, [120 x i8] }}         ; 7: taken; threads alive
%share = type {{ i64, ptr, ptr, i32, i32, [96 x i8] }}  ; ticket, task, closure, MXCSR, stride
@shares = internal global [{_SHARES} x %share] zeroinitializer, align 128
@pool = internal global %pool zeroinitializer, align 128
@size = internal global i32 1
@patience = internal global i32 0  ; regions that go by before threads are asked for again
@known = internal global [{_KNOWN} x [2 x i64]] zeroinitializer  ; a task, and its region's work
@ended = internal global i64 0  ; when the last region was over
@spared = internal global i64 0  ; the work of late that no sleeper was woken for
@name = internal constant [9 x i8] c"penstock\\00"

@region = internal alias i64, ptr @pool
@number = internal alias i32, getelementptr (i8, ptr @pool, i64 4)
@undone = internal alias i32, getelementptr (%pool, ptr @pool, i32 0, i32 2)
@waiting = internal alias i32, getelementptr (%pool, ptr @pool, i32 0, i32 3)
@sleepers = internal alias i32, getelementptr (%pool, ptr @pool, i32 0, i32 5)
@taken = internal alias i32, getelementptr (%pool, ptr @pool, i32 0, i32 7)
@alive = internal alias i32, getelementptr (%pool, ptr @pool, i32 0, i32 8)

declare i64 @syscall(i64, ...)
declare i32 @sched_yield()
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_attr_init(ptr)
declare i32 @pthread_attr_setdetachstate(ptr, i32)
declare i32 @pthread_attr_setstacksize(ptr, i64)
declare i32 @pthread_attr_destroy(ptr)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @__register_atfork(ptr, ptr, ptr, ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.x86.sse2.pause()
declare void @llvm.x86.sse.stmxcsr(ptr)
declare void @llvm.x86.sse.ldmxcsr(ptr)
declare i64 @llvm.readcyclecounter()
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.umax.i32(i32, i32)

; Claim and run tasks until none is left, those of the thread's own share first.
define internal void @drain(i32 %thread, i32 %shares) noinline nounwind {{
entry:
  %none = icmp eq i32 %shares, 0
  br i1 %none, label %done, label %begin
begin:
  %own = urem i32 %thread, %shares
  %own.share = getelementptr %share, ptr @shares, i32 %own
  br label %claim
claim:
  %r = phi i32 [ %own, %begin ], [ %r.next, %look ], [ %r, %run ]
  %share = phi ptr [ %own.share, %begin ], [ %share.next, %look ], [ %share, %run ]
  %count = phi i32 [ 0, %begin ], [ 0, %look ], [ %count.next, %run ]
  %ticket = atomicrmw add ptr %share, i64 1 acq_rel
  %turn = and i64 %ticket, 4294967295
  %turns = lshr i64 %ticket, 32
  %claimed = icmp ult i64 %turn, %turns
  br i1 %claimed, label %run, label %leave
run:
  %task.at = getelementptr %share, ptr %share, i32 0, i32 1
  %closure.at = getelementptr %share, ptr %share, i32 0, i32 2
  %mxcsr.at = getelementptr %share, ptr %share, i32 0, i32 3
  %stride.at = getelementptr %share, ptr %share, i32 0, i32 4
  %task = load ptr, ptr %task.at
  %closure = load ptr, ptr %closure.at
  %stride = load i32, ptr %stride.at
  %stride.64 = zext i32 %stride to i64
  %r.64 = zext i32 %r to i64
  %offset = mul i64 %turn, %stride.64
  %index = add i64 %offset, %r.64
  call void @llvm.x86.sse.ldmxcsr(ptr %mxcsr.at)
  call void %task(ptr %closure, i64 %index)
  %count.next = add i32 %count, 1
  br label %claim
leave:
  %some = icmp ne i32 %count, 0
  br i1 %some, label %settle, label %next
settle:
  %undone = atomicrmw sub ptr @undone, i32 %count seq_cst
  %last = icmp eq i32 %undone, %count
  br i1 %last, label %finish, label %next
finish:
  %waiting = load atomic i32, ptr @waiting seq_cst, align 4
  %sleeps = icmp ne i32 %waiting, 0
  br i1 %sleeps, label %wake, label %done
wake:
  %woken = call i64 (i64, ...) @syscall(i64 {_FUTEX}, ptr @undone, i32 {_WAKE}, i32 1)
  br label %done
next:
  %r.last = phi i32 [ %r, %leave ], [ %r, %settle ], [ %r.next, %look ]
  %r.after = add i32 %r.last, 1
  %wraps = icmp eq i32 %r.after, %shares
  %r.next = select i1 %wraps, i32 0, i32 %r.after
  %more = icmp ne i32 %r.next, %own
  br i1 %more, label %look, label %done
look:
  ; A line that is only read stays with who writes to it.
  %share.next = getelementptr %share, ptr @shares, i32 %r.next
  %seen = load atomic i64, ptr %share.next monotonic, align 8
  %seen.next = trunc i64 %seen to i32
  %seen.high = lshr i64 %seen, 32
  %seen.end = trunc i64 %seen.high to i32
  %left = icmp ult i32 %seen.next, %seen.end
  br i1 %left, label %claim, label %next
done:
  ret void
}}

; The life of a thread of the pool, whose number counts from 1.
define internal ptr @work(ptr %argument) nounwind {{
entry:
  %number.64 = ptrtoint ptr %argument to i64
  %number = trunc i64 %number.64 to i32
  %named = call i64 (i64, ...) @syscall(i64 {_PRCTL}, i32 {_SET_NAME}, ptr @name)
  br label %rest
rest:
  %known = phi i32 [ -1, %entry ], [ %news, %part ]
  %since = call i64 @llvm.readcyclecounter()
  br label %look
look:
  %k = phi i32 [ 0, %rest ], [ %k.next, %pause ], [ 0, %linger ], [ 0, %offer ]
  %now = load atomic i32, ptr @number acquire, align 4
  %fresh = icmp ne i32 %now, %known
  br i1 %fresh, label %wake, label %pause
pause:
  call void @llvm.x86.sse2.pause()
  %k.next = add i32 %k, 1
  %again = icmp ult i32 %k.next, 32
  br i1 %again, label %look, label %judge
judge:
  %clock = call i64 @llvm.readcyclecounter()
  %spun = sub i64 %clock, %since
  %spins = icmp ult i64 %spun, {_SPIN}
  br i1 %spins, label %linger, label %tire
linger:
  br label %look
tire:
  %lingers = icmp ult i64 %spun, {_LINGER}
  br i1 %lingers, label %offer, label %sleep
offer:
  %offered = call i32 @sched_yield()
  br label %look
sleep:
  %more = atomicrmw add ptr @sleepers, i32 1 seq_cst
  call i64 (i64, ...) @syscall(i64 {_FUTEX}, ptr @number, i32 {_WAIT}, i32 %known, ptr null)
  %fewer = atomicrmw sub ptr @sleepers, i32 1 seq_cst
  %woke = load atomic i32, ptr @number acquire, align 4
  %roused = icmp ne i32 %woke, %known
  br i1 %roused, label %rouse, label %sleep
rouse:
  ; Wake others in turn, while there may be something left for them to do.
  %undone = load atomic i32, ptr @undone monotonic, align 4
  %work = icmp ne i32 %undone, 0
  %wakes = select i1 %work, i32 {_WAKES}, i32 0
  call void @wake(i32 %wakes)
  br label %wake
wake:
  %region = load atomic i64, ptr @region acquire, align 8
  %shares = trunc i64 %region to i32
  %news.64 = lshr i64 %region, 32
  %news = trunc i64 %news.64 to i32
  %size = load atomic i32, ptr @size acquire, align 4
  %spare = icmp uge i32 %number, %size
  br i1 %spare, label %leave, label %part
part:
  call void @drain(i32 %number, i32 %shares)
  br label %rest
leave:
  %gone = atomicrmw sub ptr @alive, i32 1 release
  ret ptr null
}}

; In the child of a fork: no thread but the caller is left.
define internal void @forget() nounwind {{
  call void @llvm.memset.p0.i64(ptr @pool, i8 0, i64 512, i1 false)
  store i32 0, ptr @patience
  ret void
}}

; Make the threads that the size asks for; the caller has taken the pool.
define internal void @hire(i32 %size) noinline nounwind {{
entry:
  %thread = alloca i64
  %attributes = alloca [64 x i8], align 16
  %all = alloca [128 x i8], align 16
  %old = alloca [128 x i8], align 16
  call void @llvm.memset.p0.i64(ptr %all, i8 -1, i64 128, i1 false)
  %blocked = call i32 @pthread_sigmask(i32 {_SETMASK}, ptr %all, ptr %old)
  %made = call i32 @pthread_attr_init(ptr %attributes)
  %set = call i32 @pthread_attr_setdetachstate(ptr %attributes, i32 {_DETACHED})
  %sized = call i32 @pthread_attr_setstacksize(ptr %attributes, i64 {_STACK})
  br label %next
next:
  %alive = load atomic i32, ptr @alive monotonic, align 4
  %number = add i32 %alive, 1
  %wanted = icmp ult i32 %number, %size
  br i1 %wanted, label %create, label %done
create:
  store atomic i32 %number, ptr @alive monotonic, align 4
  %number.64 = zext i32 %number to i64
  %argument = inttoptr i64 %number.64 to ptr
  %error = call i32 @pthread_create(ptr %thread, ptr %attributes, ptr @work, ptr %argument)
  %works = icmp eq i32 %error, 0
  br i1 %works, label %next, label %refused
refused:
  ; The system gives no more now: make do with these for a while.
  store atomic i32 %alive, ptr @alive monotonic, align 4
  store i32 {_PATIENCE}, ptr @patience
  br label %done
done:
  %destroyed = call i32 @pthread_attr_destroy(ptr %attributes)
  %restored = call i32 @pthread_sigmask(i32 {_SETMASK}, ptr %old, ptr null)
  ret void
}}

; Wake so many sleeping threads.
define internal void @wake(i32 %number) nounwind {{
  %sleepers = load atomic i32, ptr @sleepers seq_cst, align 4
  %number.now = call i32 @llvm.umin.i32(i32 %sleepers, i32 %number)
  %some = icmp ne i32 %number.now, 0
  br i1 %some, label %wake, label %done
wake:
  %woken = call i64 (i64, ...) @syscall(i64 {_FUTEX}, ptr @number, i32 {_WAKE}, i32 %number.now)
  br label %done
done:
  ret void
}}

; What is known of a task's region: its task, its work.
define internal ptr @known_of(ptr %task) nounwind {{
  %address = ptrtoint ptr %task to i64
  %mixed = mul i64 %address, -7046029254386353131  ; 2**64 by the golden ratio
  %place = lshr i64 %mixed, {64 - _KNOWN_BITS}
  %entry = getelementptr [2 x i64], ptr @known, i64 %place
  ret ptr %entry
}}

; Whether to wake sleepers for a region that begins now: not if it took little the last time, and
; they have not been spared for long. Then what is called now and then stays on one thread.
define internal i1 @is_worth(ptr %task, i64 %now) nounwind {{
  %ended = load i64, ptr @ended
  %pause = sub i64 %now, %ended
  %rested = icmp ugt i64 %pause, {_LINGER}
  %before = load i64, ptr @spared
  %spared = select i1 %rested, i64 0, i64 %before
  store i64 %spared, ptr @spared
  %entry = call ptr @known_of(ptr %task)
  %work.at = getelementptr i64, ptr %entry, i64 1
  %known = load ptr, ptr %entry
  %work = load i64, ptr %work.at
  %other = icmp ne ptr %known, %task
  %much = icmp ugt i64 %work, {_WORTH}
  %often = icmp ugt i64 %spared, {_WORTH}
  %worth = or i1 %much, %often
  %wakes = or i1 %other, %worth
  ret i1 %wakes
}}

; Note the work of a region that is over, which so many threads began.
define internal void @note(ptr %task, i64 %began, i32 %threads, i1 %spares) nounwind {{
  %now = call i64 @llvm.readcyclecounter()
  %ticks = sub i64 %now, %began
  %threads.64 = zext i32 %threads to i64
  %work = mul i64 %ticks, %threads.64
  %entry = call ptr @known_of(ptr %task)
  %work.at = getelementptr i64, ptr %entry, i64 1
  store ptr %task, ptr %entry
  store i64 %work, ptr %work.at
  store i64 %now, ptr @ended
  %before = load i64, ptr @spared
  %after = add i64 %before, %work
  %spared = select i1 %spares, i64 %after, i64 0
  store i64 %spared, ptr @spared
  ret void
}}

; Announce a region of so many shares; the caller has taken the pool, and wakes whom it wants.
define internal void @announce(i64 %shares) nounwind {{
  %region = load atomic i64, ptr @region monotonic, align 8
  %number = lshr i64 %region, 32
  %next = add i64 %number, 1
  %high = shl i64 %next, 32
  %new = or i64 %high, %shares
  %replaced = atomicrmw xchg ptr @region, i64 %new seq_cst
  ret void
}}

; Deal out the tasks of a region to so many shares, the first ones with one more than the others.
define internal void @deal(ptr %task, ptr %closure, i64 %n, i64 %shares) nounwind {{
entry:
  %mode = alloca i32
  call void @llvm.x86.sse.stmxcsr(ptr %mode)
  %mxcsr = load i32, ptr %mode
  %tasks = udiv i64 %n, %shares
  %larger = urem i64 %n, %shares
  %stride = trunc i64 %shares to i32
  br label %next
next:
  %r = phi i64 [ 0, %entry ], [ %r.next, %next ]
  %is.larger = icmp ult i64 %r, %larger
  %more = zext i1 %is.larger to i64
  %count = add i64 %tasks, %more
  %share = getelementptr %share, ptr @shares, i64 %r
  %task.at = getelementptr %share, ptr %share, i32 0, i32 1
  %closure.at = getelementptr %share, ptr %share, i32 0, i32 2
  %mxcsr.at = getelementptr %share, ptr %share, i32 0, i32 3
  %stride.at = getelementptr %share, ptr %share, i32 0, i32 4
  store ptr %task, ptr %task.at
  store ptr %closure, ptr %closure.at
  store i32 %mxcsr, ptr %mxcsr.at
  store i32 %stride, ptr %stride.at
  %ticket = shl i64 %count, 32
  store atomic i64 %ticket, ptr %share release, align 8
  %r.next = add i64 %r, 1
  %others = icmp ult i64 %r.next, %shares
  br i1 %others, label %next, label %done
done:
  ret void
}}

; Return when the tasks of the region are done.
define internal void @wait() nounwind {{
entry:
  br label %look
look:
  %k = phi i32 [ 0, %entry ], [ %k.next, %pause ]
  %undone = load atomic i32, ptr @undone acquire, align 4
  %over = icmp eq i32 %undone, 0
  br i1 %over, label %done, label %pause
pause:
  call void @llvm.x86.sse2.pause()
  %k.next = add i32 %k, 1
  %spins = icmp ult i32 %k.next, {_PAUSES}
  br i1 %spins, label %look, label %offer
offer:
  %o = phi i32 [ 0, %pause ], [ %o.next, %still ]
  %offered = call i32 @sched_yield()
  %late = load atomic i32, ptr @undone acquire, align 4
  %over.now = icmp eq i32 %late, 0
  br i1 %over.now, label %done, label %still
still:
  %o.next = add i32 %o, 1
  %offers = icmp ult i32 %o.next, {_OFFERS}
  br i1 %offers, label %offer, label %sleep
sleep:
  store atomic i32 1, ptr @waiting seq_cst, align 4
  br label %check
check:
  %left = load atomic i32, ptr @undone seq_cst, align 4
  %over.at.last = icmp eq i32 %left, 0
  br i1 %over.at.last, label %woke, label %doze
doze:
  %slept = call i64 (i64, ...) @syscall(i64 {_FUTEX}, ptr @undone, i32 {_WAIT}, i32 %left, ptr null)
  br label %check
woke:
  store atomic i32 0, ptr @waiting monotonic, align 4
  br label %done
done:
  ret void
}}

; Every task on the calling thread, in order.
define internal void @alone(ptr %task, ptr %closure, i64 %n) nounwind {{
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %next, label %done
next:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  call void %task(ptr %closure, i64 %i)
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %next, label %done
done:
  ret void
}}

define void @penstock_parallel_for(ptr %pool, ptr %task, ptr %closure, i64 %n) nounwind {{
entry:
  %size = load atomic i32, ptr @size acquire, align 4
  %threads = icmp ugt i32 %size, 1
  %more = sub i64 %n, 2
  %several = icmp ult i64 %more, {_LARGEST - 2}
  %share = and i1 %threads, %several
  br i1 %share, label %take, label %alone
take:
  %taken = cmpxchg ptr @taken, i32 0, i32 1 acquire monotonic
  %mine = extractvalue {{ i32, i1 }} %taken, 1
  br i1 %mine, label %count, label %alone
alone:
  call void @alone(ptr %task, ptr %closure, i64 %n)
  ret void
count:
  ; Read again: it changes only while the pool is taken.
  %size.now = load atomic i32, ptr @size monotonic, align 4
  %alive = load atomic i32, ptr @alive monotonic, align 4
  %all = add i32 %alive, 1
  %few = icmp ult i32 %all, %size.now
  br i1 %few, label %want, label %begin
want:
  %patience = load i32, ptr @patience
  %less = sub i32 %patience, 1
  %waits = icmp ne i32 %patience, 0
  br i1 %waits, label %spare, label %hire
spare:
  store i32 %less, ptr @patience
  br label %begin
hire:
  call void @hire(i32 %size.now)
  br label %begin
begin:
  %alive.now = load atomic i32, ptr @alive monotonic, align 4
  %all.now = add i32 %alive.now, 1
  %most = call i32 @llvm.umin.i32(i32 %all.now, i32 {_SHARES})
  %n.32 = trunc i64 %n to i32
  %shares = call i32 @llvm.umin.i32(i32 %most, i32 %n.32)
  %shares.64 = zext i32 %shares to i64
  %began = call i64 @llvm.readcyclecounter()
  store atomic i32 %n.32, ptr @undone monotonic, align 4
  call void @deal(ptr %task, ptr %closure, i64 %n, i64 %shares.64)
  call void @announce(i64 %shares.64)
  %asleep = load atomic i32, ptr @sleepers seq_cst, align 4
  %sleeps = icmp ne i32 %asleep, 0
  br i1 %sleeps, label %judge, label %run
judge:
  %worth = call i1 @is_worth(ptr %task, i64 %began)
  br i1 %worth, label %rouse, label %run
rouse:
  call void @wake(i32 {_WAKES})
  br label %run
run:
  %spares = phi i1 [ false, %begin ], [ true, %judge ], [ false, %rouse ]
  call void @drain(i32 0, i32 %shares)
  call void @wait()
  %awake = sub i32 %all.now, %asleep
  %least = call i32 @llvm.umax.i32(i32 %awake, i32 1)
  call void @note(ptr %task, i64 %began, i32 %least, i1 %spares)
  store atomic i32 0, ptr @taken release, align 4
  ret void
}}

; Set how many threads run a region, the caller's included; those that are too many end at once.
define void @penstock_resize(ptr %pool, i32 %size) nounwind {{
entry:
  br label %take
take:
  %taken = cmpxchg ptr @taken, i32 0, i32 1 acquire monotonic
  %mine = extractvalue {{ i32, i1 }} %taken, 1
  br i1 %mine, label %set, label %wait
wait:
  %offered = call i32 @sched_yield()
  br label %take
set:
  store atomic i32 %size, ptr @size release, align 4
  store i32 0, ptr @patience
  %alive = load atomic i32, ptr @alive acquire, align 4
  %many = icmp uge i32 %alive, %size
  br i1 %many, label %dismiss, label %done
dismiss:
  call void @announce(i64 0)
  call void @wake(i32 {_EVERYONE})
  br label %look
look:
  %offered.too = call i32 @sched_yield()
  %left = load atomic i32, ptr @alive acquire, align 4
  %still = icmp uge i32 %left, %size
  br i1 %still, label %look, label %done
done:
  store atomic i32 0, ptr @taken release, align 4
  ret void
}}

; How many threads the pool has beside the callers'.
define i32 @penstock_alive(ptr %pool) nounwind {{
  %alive = load atomic i32, ptr @alive acquire, align 4
  ret i32 %alive
}}

define ptr @penstock_pool() nounwind {{
  %registered = call i32 @__register_atfork(ptr null, ptr null, ptr @forget, ptr null)
  ret ptr @pool
}}
"""
