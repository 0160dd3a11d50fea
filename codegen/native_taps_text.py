"""What a running job calls back, as LLVM text beside the native call: taps, and polls for Ctrl-C.

`penstock_tap` gives each handler of a tap an array of its own, to keep or to change. The last one
gets the block that the job has filled while it made the value, where there is such, which may be
all that holds it; the others get copies, which the threads of the pool make together if they are
large. What a handler raises is kept in a list with the tap's number, and so is, with the number -1,
what a signal's handler raises that had to wait for a tap. When the step is over and all that it
held is given back, `@failed` has the runtime raise it.

`penstock_poll` is what a job asks between kernels while no variable has changed. Every 50
milliseconds, counted from the beginning of a step unless such steps are short, it asks further, and
what it is told the entry returns:

    @look  in a step that nobody watches, whether SIGINT has come. If so, the note of it is taken
           away from Python, and when the step has ended put back, and Python told to act on it. If
           the signal's handler raises, so does the call. If not, the step begins anew.
    @act   in a watched step, in which Python runs anyhow, whether a signal's handler raised.

All of it runs on the thread of the call, which has no global lock if the run has a thread state.
"""

from __future__ import annotations

__all__ = ["TEXT"]

_PERIOD = 50_000_000  # nanoseconds between two looks for a signal
_CLOCK_MONOTONIC_COARSE = 6

_PART = 1 << 15
"""Bytes that one task copies; what is no more than two of these one thread copies."""

TEXT = f"""\
declare i32 @PyOS_InterruptOccurred()
declare void @PyErr_Fetch(ptr, ptr, ptr)
declare void @PyErr_NormalizeException(ptr, ptr, ptr)
declare ptr @PyErr_NoMemory()
declare i32 @PyException_SetTraceback(ptr, ptr)
declare i64 @PyList_Size(ptr)
declare i32 @PyList_Append(ptr, ptr)
declare ptr @PyList_GetSlice(ptr, i64, i64)
declare i32 @PyList_SetSlice(ptr, i64, i64, ptr)
declare ptr @PyObject_CallFunctionObjArgs(ptr, ...)
declare i32 @clock_gettime(i32, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.umin.i64(i64, i64)

; Have the global lock, which the run may be without.
define internal void @lock(ptr %run) nounwind {{
  %state.at = getelementptr %run, ptr %run, i32 0, i32 2
  %state = load ptr, ptr %state.at
  %locked = icmp eq ptr %state, null
  br i1 %locked, label %done, label %take
take:
  call void @PyEval_RestoreThread(ptr %state)
  ret void
done:
  ret void
}}

; Be again as before @lock.
define internal void @unlock(ptr %run) nounwind {{
  %state.at = getelementptr %run, ptr %run, i32 0, i32 2
  %state = load ptr, ptr %state.at
  %locked = icmp eq ptr %state, null
  br i1 %locked, label %done, label %give
give:
  %state.new = call ptr @PyEval_SaveThread()
  store ptr %state.new, ptr %state.at
  ret void
done:
  ret void
}}

define internal i32 @look(ptr %run) nounwind {{
  %thread = call i64 @PyThread_get_thread_ident()
  %main = load i64, ptr @main_thread
  %handles = icmp eq i64 %thread, %main
  br i1 %handles, label %ask, label %no
ask:
  call void @lock(ptr %run)
  %came = call i32 @PyOS_InterruptOccurred()
  call void @unlock(ptr %run)
  ret i32 %came
no:
  ret i32 0
}}

define internal i32 @act(ptr %run) nounwind {{
  call void @lock(ptr %run)
  %raised = call i1 @signals(ptr %run)
  call void @unlock(ptr %run)
  %stop = zext i1 %raised to i32
  ret i32 %stop
}}

define ptr @penstock_look() nounwind {{ ret ptr @look }}
define ptr @penstock_act() nounwind {{ ret ptr @act }}

define internal i64 @now() nounwind {{
  %time = alloca [2 x i64]
  %error = call i32 @clock_gettime(i32 {_CLOCK_MONOTONIC_COARSE}, ptr %time)
  %seconds = load i64, ptr %time
  %rest.at = getelementptr i64, ptr %time, i64 1
  %rest = load i64, ptr %rest.at
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %rest
  ret i64 %now
}}

; When a step that begins now is to look for a signal for the first time.
define internal i64 @first_look() nounwind {{
  %now = call i64 @now()
  %due = add i64 %now, {_PERIOD}
  ret i64 %due
}}

define i32 @penstock_poll(ptr %run) nounwind {{
entry:
  %now = call i64 @now()
  %due = load i64, ptr %run
  %early = icmp slt i64 %now, %due
  br i1 %early, label %on, label %set
set:
  %next = add i64 %now, {_PERIOD}
  store i64 %next, ptr %run
  %first = icmp eq i64 %due, 0
  br i1 %first, label %on, label %ask
ask:
  %how.at = getelementptr %run, ptr %run, i32 0, i32 1
  %how = load ptr, ptr %how.at
  %stop = call i32 %how(ptr %run)
  ret i32 %stop
on:
  ret i32 0
}}

; Keep the exception that is set, with the number of the tap whose handler raised it.
define internal void @keep(ptr %run, i64 %tap) nounwind {{
entry:
  %type.at = alloca ptr
  %value.at = alloca ptr
  %trace.at = alloca ptr
  call void @PyErr_Fetch(ptr %type.at, ptr %value.at, ptr %trace.at)
  call void @PyErr_NormalizeException(ptr %type.at, ptr %value.at, ptr %trace.at)
  %type = load ptr, ptr %type.at
  %value = load ptr, ptr %value.at
  %trace = load ptr, ptr %trace.at
  %errors.at = getelementptr %run, ptr %run, i32 0, i32 5
  %errors = load ptr, ptr %errors.at
  %no.trace = icmp eq ptr %trace, null
  br i1 %no.trace, label %append, label %set
set:
  %set.error = call i32 @PyException_SetTraceback(ptr %value, ptr %trace)
  call void @Py_DecRef(ptr %trace)
  br label %append
append:
  %value.error = call i32 @PyList_Append(ptr %errors, ptr %value)
  %number = call ptr @PyLong_FromLong(i64 %tap)
  %number.error = call i32 @PyList_Append(ptr %errors, ptr %number)
  call void @Py_DecRef(ptr %number)
  call void @Py_DecRef(ptr %value)
  call void @Py_DecRef(ptr %type)
  ret void
}}

; Let signals be handled that have come, and keep what is raised; whether anything was.
define internal i1 @signals(ptr %run) nounwind {{
  %error = call i32 @PyErr_CheckSignals()
  %raised = icmp ne i32 %error, 0
  br i1 %raised, label %keep, label %done
keep:
  call void @keep(ptr %run, i64 -1)
  ret i1 true
done:
  ret i1 false
}}

; After a run, whether something was kept; then it is raised.
define internal i1 @failed(ptr %run) nounwind {{
  %errors.at = getelementptr %run, ptr %run, i32 0, i32 5
  %errors = load ptr, ptr %errors.at
  %watched = icmp ne ptr %errors, null
  br i1 %watched, label %count, label %no
count:
  %size = call i64 @PyList_Size(ptr %errors)
  %some = icmp ne i64 %size, 0
  br i1 %some, label %take, label %no
take:
  %late = call i1 @signals(ptr %run)
  %kept = call ptr @PyList_GetSlice(ptr %errors, i64 0, i64 {2**62})
  %emptied = call i32 @PyList_SetSlice(ptr %errors, i64 0, i64 {2**62}, ptr null)
  %no.memory = icmp eq ptr %kept, null
  br i1 %no.memory, label %yes, label %raise
raise:
  %how.at = getelementptr %run, ptr %run, i32 0, i32 6
  %how = load ptr, ptr %how.at
  %never = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %how, ptr %kept, ptr null)
  call void @Py_DecRef(ptr %kept)
  br label %yes
yes:
  ret i1 true
no:
  ret i1 false
}}

; {{to, from, bytes}}, the number of a part
define internal void @copy_part(ptr %closure, i64 %i) nounwind {{
  %from.at = getelementptr ptr, ptr %closure, i64 1
  %bytes.at = getelementptr i64, ptr %closure, i64 2
  %to = load ptr, ptr %closure
  %from = load ptr, ptr %from.at
  %bytes = load i64, ptr %bytes.at
  %start = mul i64 %i, {_PART}
  %left = sub i64 %bytes, %start
  %size = call i64 @llvm.umin.i64(i64 %left, i64 {_PART})
  %to.part = getelementptr i8, ptr %to, i64 %start
  %from.part = getelementptr i8, ptr %from, i64 %start
  call void @llvm.memcpy.p0.p0.i64(ptr %to.part, ptr %from.part, i64 %size, i1 false)
  ret void
}}

define internal void @copy(ptr %run, ptr %to, ptr %from, i64 %bytes) nounwind {{
entry:
  %closure = alloca [3 x i64]
  %context.at = getelementptr %run, ptr %run, i32 0, i32 4
  %context = load ptr, ptr %context.at
  %parallel_for.at = getelementptr ptr, ptr %context, i64 2
  %parallel_for = load ptr, ptr %parallel_for.at
  %pool.at = getelementptr ptr, ptr %context, i64 3
  %pool = load ptr, ptr %pool.at
  %shared = icmp ne ptr %parallel_for, null
  %large = icmp ugt i64 %bytes, {2 * _PART}
  %share = and i1 %shared, %large
  br i1 %share, label %together, label %alone
together:
  %from.at = getelementptr ptr, ptr %closure, i64 1
  %bytes.at = getelementptr i64, ptr %closure, i64 2
  store ptr %to, ptr %closure
  store ptr %from, ptr %from.at
  store i64 %bytes, ptr %bytes.at
  %more = add i64 %bytes, {_PART - 1}
  %parts = udiv i64 %more, {_PART}
  call void %parallel_for(ptr %pool, ptr @copy_part, ptr %closure, i64 %parts)
  ret void
alone:
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  ret void
}}

; Have the next step fill a block that nobody holds, if there is one and the job can: that which was
; shown, of which this step may make further use, or another one.
define internal void @prepare(ptr %tap, ptr %shown) nounwind {{
entry:
  %slot.at = getelementptr %tap, ptr %tap, i32 0, i32 4
  %slot = load ptr, ptr %slot.at
  %never = icmp eq ptr %slot, null
  br i1 %never, label %done, label %look
look:
  %some = icmp ne ptr %shown, null
  br i1 %some, label %count, label %find
count:
  %owner = load ptr, ptr %shown
  %references = load i32, ptr %owner
  %back = icmp eq i32 %references, 1
  br i1 %back, label %fill, label %find
find:
  %ring.at = getelementptr %tap, ptr %tap, i32 0, i32 0, i32 4
  %ring = load ptr, ptr %ring.at
  %other = call ptr @claim_block(ptr %ring)
  %none = icmp eq ptr %other, null
  br i1 %none, label %set, label %leave
leave:
  %other.owner = load ptr, ptr %other
  call void @Py_DecRef(ptr %other.owner)  ; the ring's own reference keeps it
  br label %fill
fill:
  %block = phi ptr [ %shown, %count ], [ %other, %leave ]
  %value = phi i8 [ 3, %count ], [ 2, %leave ]
  %data.at = getelementptr %block, ptr %block, i32 0, i32 1
  %data = load ptr, ptr %data.at
  store ptr %data, ptr %slot
  br label %set
set:
  %next = phi ptr [ null, %find ], [ %block, %fill ]
  %state = phi i8 [ 1, %find ], [ %value, %fill ]
  %filled.at = getelementptr %tap, ptr %tap, i32 0, i32 3
  store ptr %next, ptr %filled.at
  %flag.at = getelementptr %tap, ptr %tap, i32 0, i32 5
  %flag = load ptr, ptr %flag.at
  store i8 %state, ptr %flag
  br label %done
done:
  ret void
}}

; What a job calls where a tap's flag is up.
define void @penstock_tap(ptr %run, i32 %id, ptr %data) nounwind {{
entry:
  %memory.at = alloca ptr
  call void @lock(ptr %run)
  %raised = call i1 @signals(ptr %run)
  %number = zext i32 %id to i64
  %taps.at = getelementptr %run, ptr %run, i32 0, i32 3
  %taps = load ptr, ptr %taps.at
  %tap = getelementptr %tap, ptr %taps, i64 %number
  %bytes.at = getelementptr %tap, ptr %tap, i32 0, i32 1
  %bytes = load i64, ptr %bytes.at
  %handlers.at = getelementptr %tap, ptr %tap, i32 0, i32 2
  %handlers = load ptr, ptr %handlers.at
  %nobody = icmp eq ptr %handlers, null
  br i1 %nobody, label %done, label %begin
begin:
  call void @Py_IncRef(ptr %handlers)
  %count = call i64 @PyTuple_Size(ptr %handlers)
  %filled.at = getelementptr %tap, ptr %tap, i32 0, i32 3
  %shown = load ptr, ptr %filled.at
  %is.shown = icmp ne ptr %shown, null
  br i1 %is.shown, label %hold, label %next
hold:
  %shown.owner = load ptr, ptr %shown
  call void @Py_IncRef(ptr %shown.owner)  ; or a copy would lie there
  br label %next
next:
  %i = phi i64 [ 0, %begin ], [ 0, %hold ], [ %i.next, %on ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %make, label %end
make:
  %i.next = add i64 %i, 1
  %last = icmp eq i64 %i.next, %count
  %filled = load ptr, ptr %filled.at
  %some = icmp ne ptr %filled, null
  %fills = and i1 %last, %some
  br i1 %fills, label %take, label %new
take:
  store ptr null, ptr %filled.at
  %filled.owner = load ptr, ptr %filled
  call void @Py_IncRef(ptr %filled.owner)
  %taken = call ptr @wrap(ptr %tap, ptr %memory.at, ptr %filled)
  %lost = icmp eq ptr %taken, null
  br i1 %lost, label %new, label %hand
new:
  %first = call ptr @result(ptr %tap, ptr %memory.at)
  %none = icmp eq ptr %first, null
  br i1 %none, label %again, label %show
again:
  %second = call ptr @own(ptr %tap, ptr %memory.at)
  %none.at.all = icmp eq ptr %second, null
  br i1 %none.at.all, label %wanting, label %show
wanting:
  %unset = call ptr @PyErr_NoMemory()
  br label %keep
show:
  %copied = phi ptr [ %first, %new ], [ %second, %again ]
  %memory = load ptr, ptr %memory.at
  call void @copy(ptr %run, ptr %memory, ptr %data, i64 %bytes)
  br label %hand
hand:
  %array = phi ptr [ %taken, %take ], [ %copied, %show ]
  %handler = call ptr @PyTuple_GetItem(ptr %handlers, i64 %i)
  %answer = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(
      ptr %handler, ptr %array, ptr null)
  call void @Py_DecRef(ptr %array)
  %failed = icmp eq ptr %answer, null
  br i1 %failed, label %keep, label %drop
drop:
  call void @Py_DecRef(ptr %answer)
  br label %on
keep:
  call void @keep(ptr %run, i64 %number)
  br label %on
on:
  br label %next
end:
  call void @Py_DecRef(ptr %handlers)
  br i1 %is.shown, label %release, label %ready
release:
  %held = load ptr, ptr %shown
  call void @Py_DecRef(ptr %held)
  br label %ready
ready:
  call void @prepare(ptr %tap, ptr %shown)
  br label %done
done:
  call void @unlock(ptr %run)
  ret void
}}
"""
