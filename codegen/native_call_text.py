"""The call of a job from Python, as LLVM text: one function for all jobs, driven by tables.

`penstock_call` is what CPython calls (METH_FASTCALL) with the arrays of a call. If all is as usual,
it checks them, makes the results, runs the job's entry and returns: no Python code runs. Whatever
is unusual it leaves to the slow path by returning NotImplemented, with nothing done: an array that
must be converted, or an error that must be told; memory that is wanting; another run of this table
that is not over; threads that wait for their turn at the variables.

What the tables hold stands in `runtime/native_call.py`; this text and that module change together.

NumPy's and Python's objects are read at the offsets that their ABIs fix: PyArrayObject_fields of
ndarraytypes.h, and the head of an object in builds that have a global lock.
"""

from __future__ import annotations

__all__ = ["TEXT"]

_SHORT = 30_000
"""Ticks of the processor's clock, some ten microseconds: a job whose last run took less keeps the
global lock, which others could not use in that time."""

_TRIM = 1023  # so many results, and the slow path has a look at what the ring holds

# Flags of NumPy's arrays: contiguous in C's order, aligned for their type, writeable.
_USUAL, _NEW = 0x101, 0x501

# What a function reads of %fetch, for which it makes an array, and where that is put.
_FIELDS = """\
  %dtype = load ptr, ptr %fetch
  %rank.at = getelementptr %fetch, ptr %fetch, i32 0, i32 1
  %rank = load i64, ptr %rank.at
  %rank.32 = trunc i64 %rank to i32
  %shape.at = getelementptr %fetch, ptr %fetch, i32 0, i32 2
  %shape = load ptr, ptr %shape.at
  %place.at = getelementptr %fetch, ptr %fetch, i32 0, i32 3
  %place = load i64, ptr %place.at
  %argument = getelementptr ptr, ptr %arguments, i64 %place
  %type = load ptr, ptr @array_type
  %new = load ptr, ptr @new_array
"""

TEXT = f"""\
%feed = type {{ ptr, i64, ptr, i64 }}          ; dtype, dimensions, shape, place
%fetch = type {{ ptr, i64, ptr, i64, ptr }}    ; dtype, dimensions, shape, place, ring or null
%block = type {{ ptr, ptr, i64 }}              ; owner or null, data, uses
%ring = type {{ i64, [4 x %block] }}           ; uses, blocks
%gate = type {{ i64, i64, i64, i64, i64 }}     ; closed, readers, writers, thread, updating job
%run = type {{ i64, ptr, ptr,                 ; next look, how to look, thread state
              ptr, ptr, ptr, ptr }}            ; taps, context, errors, how to raise them
%tap = type {{ %fetch, i64, ptr,              ; what it shows, bytes, handlers or null
              ptr, ptr, ptr }}                 ; block that is filled, slot, flag: or nulls
%table = type {{ ptr, ptr, ptr, ptr,           ; entry, context, arguments, run
                i64, ptr, i64, ptr,           ; feeds, fetches
                i64, ptr, i64,                ; form, gate or null, number if it writes or 0
                i64, i64, ptr, i64 }}          ; busy, ticks of last run, slow path, watched

@array_type = internal global ptr null
@new_array = internal global ptr null
@set_base = internal global ptr null
@main_thread = internal global i64 0

@_Py_NotImplementedStruct = external global i8
@_Py_NoneStruct = external global i8

declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare void @PyErr_SetInterrupt()
declare i32 @PyErr_CheckSignals()
declare void @PyErr_Clear()
declare ptr @PyErr_Occurred()
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare i64 @PyTuple_Size(ptr)
declare ptr @PyTuple_GetItem(ptr, i64)
declare ptr @PyDict_New()
declare i32 @PyDict_SetItem(ptr, ptr, ptr)
declare ptr @PyObject_VectorcallDict(ptr, ptr, i64, ptr)
declare ptr @PyLong_AsVoidPtr(ptr)
declare ptr @PyLong_FromLong(i64)
declare i64 @PyThread_get_thread_ident()
declare i64 @llvm.readcyclecounter()

; What is looked up once; the main thread, which alone handles signals, may be another in a child.
define void @penstock_call_setup(ptr %array_type, ptr %new_array, ptr %set_base, i64 %main)
    nounwind {{
  store ptr %array_type, ptr @array_type
  store ptr %new_array, ptr @new_array
  store ptr %set_base, ptr @set_base
  store i64 %main, ptr @main_thread
  ret void
}}

; Whether an object is an array as the feed wants it; if so, its data becomes the argument.
define internal i1 @accept(ptr %feed, ptr %object, ptr %arguments) nounwind {{
entry:
  %type.at = getelementptr i8, ptr %object, i64 8
  %type = load ptr, ptr %type.at
  %array = load ptr, ptr @array_type
  %plain = icmp eq ptr %type, %array
  br i1 %plain, label %form, label %no
form:
  %dtype.at = getelementptr i8, ptr %object, i64 56
  %dtype = load ptr, ptr %dtype.at
  %dtype.wanted = load ptr, ptr %feed
  %dtype.fits = icmp eq ptr %dtype, %dtype.wanted
  %rank.at = getelementptr i8, ptr %object, i64 24
  %rank.32 = load i32, ptr %rank.at
  %rank = sext i32 %rank.32 to i64
  %rank.wanted.at = getelementptr %feed, ptr %feed, i32 0, i32 1
  %rank.wanted = load i64, ptr %rank.wanted.at
  %rank.fits = icmp eq i64 %rank, %rank.wanted
  %flags.at = getelementptr i8, ptr %object, i64 64
  %flags = load i32, ptr %flags.at
  %flags.usual = and i32 %flags, {_USUAL}
  %flags.fit = icmp eq i32 %flags.usual, {_USUAL}
  %data.at = getelementptr i8, ptr %object, i64 16
  %data = load ptr, ptr %data.at
  %address = ptrtoint ptr %data to i64
  %low = and i64 %address, 15
  %aligned = icmp eq i64 %low, 0
  %a = and i1 %dtype.fits, %rank.fits
  %b = and i1 %flags.fit, %aligned
  %c = and i1 %a, %b
  br i1 %c, label %shape, label %no
shape:
  %dimensions.at = getelementptr i8, ptr %object, i64 32
  %dimensions = load ptr, ptr %dimensions.at
  %wanted.at = getelementptr %feed, ptr %feed, i32 0, i32 2
  %wanted = load ptr, ptr %wanted.at
  br label %next
next:
  %i = phi i64 [ 0, %shape ], [ %i.next, %compare ]
  %more = icmp ult i64 %i, %rank
  br i1 %more, label %compare, label %yes
compare:
  %have.at = getelementptr i64, ptr %dimensions, i64 %i
  %have = load i64, ptr %have.at
  %want.at = getelementptr i64, ptr %wanted, i64 %i
  %want = load i64, ptr %want.at
  %i.next = add i64 %i, 1
  %same = icmp eq i64 %have, %want
  br i1 %same, label %next, label %no
yes:
  %place.at = getelementptr %feed, ptr %feed, i32 0, i32 3
  %place = load i64, ptr %place.at
  %argument = getelementptr ptr, ptr %arguments, i64 %place
  store ptr %data, ptr %argument
  ret i1 true
no:
  ret i1 false
}}

; A block of a ring that nobody else holds, with a reference more; null where there is none.
define internal ptr @claim_block(ptr %ring) nounwind {{
entry:
  %uses = load i64, ptr %ring
  %uses.next = add i64 %uses, 1
  store i64 %uses.next, ptr %ring
  %old = and i64 %uses.next, {_TRIM}
  %look = icmp eq i64 %old, 0
  br i1 %look, label %none, label %search
search:
  %i = phi i64 [ 0, %entry ], [ %i.next, %on ]
  %block = getelementptr %ring, ptr %ring, i32 0, i32 1, i64 %i
  %owner = load ptr, ptr %block
  %some = icmp ne ptr %owner, null
  br i1 %some, label %count, label %on
count:
  ; The low half of a reference count, which has no other half from Python 3.12 on.
  %references = load i32, ptr %owner
  %free = icmp eq i32 %references, 1
  br i1 %free, label %found, label %on
on:
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 4
  br i1 %more, label %search, label %none
found:
  call void @Py_IncRef(ptr %owner)
  %block.uses.at = getelementptr %block, ptr %block, i32 0, i32 2
  %block.uses = load i64, ptr %block.uses.at
  %block.uses.next = add i64 %block.uses, 1
  store i64 %block.uses.next, ptr %block.uses.at
  ret ptr %block
none:
  ret ptr null
}}

; For the slow path: the owner of a block that it may use, or None.
define ptr @penstock_claim_block(ptr %ring) nounwind {{
entry:
  %block = call ptr @claim_block(ptr %ring)
  %none = icmp eq ptr %block, null
  br i1 %none, label %nothing, label %found
nothing:
  call void @Py_IncRef(ptr @_Py_NoneStruct)
  ret ptr @_Py_NoneStruct
found:
  %owner = load ptr, ptr %block
  ret ptr %owner
}}

; A new array for a fetch in memory of NumPy's, whose data becomes the argument; null where there is
; no memory, or none that is aligned.
define internal ptr @own(ptr %fetch, ptr %arguments) nounwind {{
entry:
{_FIELDS}  call void @Py_IncRef(ptr %dtype)
  %array = call ptr %new(ptr %type, ptr %dtype, i32 %rank.32, ptr %shape,
                        ptr null, ptr null, i32 0, ptr null)
  %failed = icmp eq ptr %array, null
  br i1 %failed, label %clear, label %look
look:
  %data.at = getelementptr i8, ptr %array, i64 16
  %data = load ptr, ptr %data.at
  %address = ptrtoint ptr %data to i64
  %low = and i64 %address, 15
  %aligned = icmp eq i64 %low, 0
  br i1 %aligned, label %done, label %drop
done:
  store ptr %data, ptr %argument
  ret ptr %array
drop:
  call void @Py_DecRef(ptr %array)
  ret ptr null
clear:
  call void @PyErr_Clear()
  ret ptr null
}}

; The same in a block of the fetch's ring; null where none is free.
define internal ptr @borrow(ptr %fetch, ptr %arguments, ptr %ring) nounwind {{
entry:
  %block = call ptr @claim_block(ptr %ring)
  %none = icmp eq ptr %block, null
  br i1 %none, label %fail, label %found
found:
  %view = call ptr @wrap(ptr %fetch, ptr %arguments, ptr %block)
  ret ptr %view
fail:
  ret ptr null
}}

; The same in a block whose owner has a reference for it, which is taken over; null where it fails.
define internal ptr @wrap(ptr %fetch, ptr %arguments, ptr %block) nounwind {{
entry:
{_FIELDS}  %owner = load ptr, ptr %block
  %memory.at = getelementptr %block, ptr %block, i32 0, i32 1
  %memory = load ptr, ptr %memory.at
  call void @Py_IncRef(ptr %dtype)
  %view = call ptr %new(ptr %type, ptr %dtype, i32 %rank.32, ptr %shape,
                       ptr null, ptr %memory, i32 {_NEW}, ptr null)
  %no.view = icmp eq ptr %view, null
  br i1 %no.view, label %release, label %hold
hold:
  %set = load ptr, ptr @set_base
  %error = call i32 %set(ptr %view, ptr %owner)  ; takes the reference over
  %held = icmp eq i32 %error, 0
  br i1 %held, label %done, label %drop
done:
  store ptr %memory, ptr %argument
  ret ptr %view
drop:
  call void @Py_DecRef(ptr %view)
  br label %clear
release:
  call void @Py_DecRef(ptr %owner)
  br label %clear
clear:
  call void @PyErr_Clear()
  ret ptr null
}}

; A new array for a fetch, whose data becomes the argument; null where the slow path must help.
define internal ptr @result(ptr %fetch, ptr %arguments) nounwind {{
  %ring.at = getelementptr %fetch, ptr %fetch, i32 0, i32 4
  %ring = load ptr, ptr %ring.at
  %small = icmp eq ptr %ring, null
  br i1 %small, label %own, label %borrow
own:
  %array = call ptr @own(ptr %fetch, ptr %arguments)
  ret ptr %array
borrow:
  %view = call ptr @borrow(ptr %fetch, ptr %arguments, ptr %ring)
  ret ptr %view
}}

; Run an entry, without the global lock if asked so; gives its status.
define internal i32 @enter(ptr %job, ptr %context, ptr %arguments, ptr %run, i1 %free)
    nounwind {{
entry:
  %state.at = getelementptr %run, ptr %run, i32 0, i32 2
  br i1 %free, label %release, label %keep
release:
  %due = call i64 @first_look()
  store i64 %due, ptr %run
  %state = call ptr @PyEval_SaveThread()
  store ptr %state, ptr %state.at
  %status.free = call i32 %job(ptr %context, ptr %arguments)
  %state.now = load ptr, ptr %state.at
  call void @PyEval_RestoreThread(ptr %state.now)
  ret i32 %status.free
keep:
  store i64 0, ptr %run  ; the first poll asks for the time, to save the call that
  store ptr null, ptr %state.at
  %status = call i32 %job(ptr %context, ptr %arguments)
  ret i32 %status
}}

; Put SIGINT back and have Python act on it: whether a handler raised.
define internal i1 @interrupt() nounwind {{
  call void @PyErr_SetInterrupt()
  %error = call i32 @PyErr_CheckSignals()
  %raised = icmp ne i32 %error, 0
  ret i1 %raised
}}

; (self, {{entry, context, arguments, run}}, 4): one run of the slow path, as its status. If the run
; looked for signals by @look and was stopped, Python has acted on the signal.
define ptr @penstock_invoke(ptr %self, ptr %args, i64 %count) nounwind {{
entry:
  %a = load ptr, ptr %args
  %b.at = getelementptr ptr, ptr %args, i64 1
  %b = load ptr, ptr %b.at
  %c.at = getelementptr ptr, ptr %args, i64 2
  %c = load ptr, ptr %c.at
  %d.at = getelementptr ptr, ptr %args, i64 3
  %d = load ptr, ptr %d.at
  %job = call ptr @PyLong_AsVoidPtr(ptr %a)
  %context = call ptr @PyLong_AsVoidPtr(ptr %b)
  %arguments = call ptr @PyLong_AsVoidPtr(ptr %c)
  %run = call ptr @PyLong_AsVoidPtr(ptr %d)
  %wrong = call ptr @PyErr_Occurred()
  %right = icmp eq ptr %wrong, null
  br i1 %right, label %enter, label %raise
enter:
  %status = call i32 @enter(ptr %job, ptr %context, ptr %arguments, ptr %run, i1 true)
  %failed = call i1 @failed(ptr %run)
  br i1 %failed, label %raise, label %look
look:
  %stopped = icmp ne i32 %status, 0
  br i1 %stopped, label %why, label %done
why:
  %how.at = getelementptr %run, ptr %run, i32 0, i32 1
  %how = load ptr, ptr %how.at
  %ours = icmp eq ptr %how, @look
  br i1 %ours, label %act, label %done
act:
  %raised = call i1 @interrupt()
  br i1 %raised, label %raise, label %done
done:
  %status.64 = sext i32 %status to i64
  %object = call ptr @PyLong_FromLong(i64 %status.64)
  ret ptr %object
raise:
  ret ptr null
}}

; Claim a table, or give it back, with the global lock held: 1 if it is the caller's now.
define i32 @penstock_claim(ptr %table) nounwind {{
  %busy.at = getelementptr %table, ptr %table, i32 0, i32 11
  %busy = load i64, ptr %busy.at
  store i64 1, ptr %busy.at
  %free = icmp eq i64 %busy, 0
  %mine = zext i1 %free to i32
  ret i32 %mine
}}

; (self, arrays, how many): the call of a job. The table is where a ctypes object keeps its data.
define ptr @penstock_call(ptr %self, ptr %args, i64 %count) nounwind {{
entry:
  %table.at = getelementptr i8, ptr %self, i64 16
  %table = load ptr, ptr %table.at
  %feeds.count.at = getelementptr %table, ptr %table, i32 0, i32 4
  %feeds.count = load i64, ptr %feeds.count.at
  %counted = icmp eq i64 %count, %feeds.count
  %busy.at = getelementptr %table, ptr %table, i32 0, i32 11
  %busy = load i64, ptr %busy.at
  %idle = icmp eq i64 %busy, 0
  %may = and i1 %counted, %idle
  br i1 %may, label %begin, label %slow
begin:
  store i64 1, ptr %busy.at
  %arguments.at = getelementptr %table, ptr %table, i32 0, i32 2
  %arguments = load ptr, ptr %arguments.at
  %feeds.at = getelementptr %table, ptr %table, i32 0, i32 5
  %feeds = load ptr, ptr %feeds.at
  br label %feed.next
feed.next:
  %f = phi i64 [ 0, %begin ], [ %f.next, %feed.take ]
  %feeds.left = icmp ult i64 %f, %count
  br i1 %feeds.left, label %feed.take, label %results
feed.take:
  %feed = getelementptr %feed, ptr %feeds, i64 %f
  %object.at = getelementptr ptr, ptr %args, i64 %f
  %object = load ptr, ptr %object.at
  %f.next = add i64 %f, 1
  %accepted = call i1 @accept(ptr %feed, ptr %object, ptr %arguments)
  br i1 %accepted, label %feed.next, label %unbusy

results:
  %fetches.count.at = getelementptr %table, ptr %table, i32 0, i32 6
  %fetches.count = load i64, ptr %fetches.count.at
  %fetches.at = getelementptr %table, ptr %table, i32 0, i32 7
  %fetches = load ptr, ptr %fetches.at
  %form.at = getelementptr %table, ptr %table, i32 0, i32 8
  %form = load i64, ptr %form.at
  switch i64 %form, label %many [ i64 0, label %nothing
                                  i64 1, label %one ]
nothing:
  call void @Py_IncRef(ptr @_Py_NoneStruct)
  br label %at.gate
one:
  %array = call ptr @result(ptr %fetches, ptr %arguments)
  %array.failed = icmp eq ptr %array, null
  br i1 %array.failed, label %unbusy, label %at.gate
many:
  %tuple = call ptr @PyTuple_New(i64 %fetches.count)
  %tuple.failed = icmp eq ptr %tuple, null
  br i1 %tuple.failed, label %clear, label %member.next
clear:
  call void @PyErr_Clear()
  br label %unbusy
member.next:
  %m = phi i64 [ 0, %many ], [ %m.next, %member.put ]
  %members.left = icmp ult i64 %m, %fetches.count
  br i1 %members.left, label %member.make, label %at.gate
member.make:
  %fetch = getelementptr %fetch, ptr %fetches, i64 %m
  %member = call ptr @result(ptr %fetch, ptr %arguments)
  %member.failed = icmp eq ptr %member, null
  br i1 %member.failed, label %undo, label %member.put
member.put:
  %put = call i32 @PyTuple_SetItem(ptr %tuple, i64 %m, ptr %member)
  %m.next = add i64 %m, 1
  br label %member.next

at.gate:
  %result = phi ptr [ @_Py_NoneStruct, %nothing ], [ %array, %one ], [ %tuple, %member.next ]
  %gate.at = getelementptr %table, ptr %table, i32 0, i32 9
  %gate = load ptr, ptr %gate.at
  %writes.at = getelementptr %table, ptr %table, i32 0, i32 10
  %writes = load i64, ptr %writes.at
  %readers.at = getelementptr %gate, ptr %gate, i32 0, i32 1
  %writers.at = getelementptr %gate, ptr %gate, i32 0, i32 2
  %open = icmp eq ptr %gate, null
  br i1 %open, label %go, label %gate.look
gate.look:
  %closed = load i64, ptr %gate
  %readers = load i64, ptr %readers.at
  %writers = load i64, ptr %writers.at
  %barred = or i64 %closed, %writers
  %watched.at = getelementptr %table, ptr %table, i32 0, i32 14
  %watched.64 = load i64, ptr %watched.at
  %watched = icmp ne i64 %watched.64, 0
  %writer = icmp ne i64 %writes, 0
  ; Handlers may change variables, so their step is alone even if it only reads.
  %alone = or i1 %writer, %watched
  %readers.count = select i1 %alone, i64 %readers, i64 0
  %barred.too = or i64 %barred, %readers.count
  %free = icmp eq i64 %barred.too, 0
  br i1 %free, label %gate.pass, label %undo
gate.pass:
  %mine.at = select i1 %alone, ptr %writers.at, ptr %readers.at
  %inside = load i64, ptr %mine.at
  %inside.more = add i64 %inside, 1
  store i64 %inside.more, ptr %mine.at
  ; Who it is, for what its handlers do in Python.
  %ident = call i64 @PyThread_get_thread_ident()
  %thread = select i1 %watched, i64 %ident, i64 0
  %thread.at = getelementptr %gate, ptr %gate, i32 0, i32 3
  store i64 %thread, ptr %thread.at
  %updating = select i1 %watched, i64 %writes, i64 0
  %updating.at = getelementptr %gate, ptr %gate, i32 0, i32 4
  store i64 %updating, ptr %updating.at
  br label %go

go:
  %place.at = phi ptr [ null, %at.gate ], [ %mine.at, %gate.pass ]
  %ticks.at = getelementptr %table, ptr %table, i32 0, i32 12
  %ticks = load i64, ptr %ticks.at
  %long = icmp ugt i64 %ticks, {_SHORT}
  %job = load ptr, ptr %table
  %context.at = getelementptr %table, ptr %table, i32 0, i32 1
  %context = load ptr, ptr %context.at
  %run.at = getelementptr %table, ptr %table, i32 0, i32 3
  %run = load ptr, ptr %run.at
  %start = call i64 @llvm.readcyclecounter()
  %status = call i32 @enter(ptr %job, ptr %context, ptr %arguments, ptr %run, i1 %long)
  %end = call i64 @llvm.readcyclecounter()
  %took = sub i64 %end, %start
  store i64 %took, ptr %ticks.at
  %no.gate = icmp eq ptr %place.at, null
  br i1 %no.gate, label %over, label %leave
leave:
  %inside.now = load i64, ptr %place.at
  %inside.less = sub i64 %inside.now, 1
  store i64 %inside.less, ptr %place.at
  %thread.last = getelementptr %gate, ptr %gate, i32 0, i32 3
  store i64 0, ptr %thread.last
  %updating.last = getelementptr %gate, ptr %gate, i32 0, i32 4
  store i64 0, ptr %updating.last
  br label %over
over:
  ; Still busy: what is raised here may let signals' handlers and other threads call the job.
  %failed = call i1 @failed(ptr %run)
  store i64 0, ptr %busy.at
  br i1 %failed, label %drop, label %look
look:
  %finished = icmp eq i32 %status, 0
  br i1 %finished, label %done, label %stopped
done:
  ret ptr %result
stopped:
  call void @Py_DecRef(ptr %result)
  %raised = call i1 @interrupt()
  br i1 %raised, label %raise, label %slow
drop:
  call void @Py_DecRef(ptr %result)
  br label %raise
raise:
  ret ptr null

undo:
  %half = phi ptr [ %tuple, %member.make ], [ %result, %gate.look ]
  call void @Py_DecRef(ptr %half)
  br label %unbusy
unbusy:
  store i64 0, ptr %busy.at
  br label %slow
slow:
  call void @Py_IncRef(ptr @_Py_NotImplementedStruct)
  ret ptr @_Py_NotImplementedStruct
}}

; (self, arrays, how many, names of keywords or null): as @penstock_call, but what is unusual, and
; whatever has keywords, goes to the slow path from here, with the same arguments.
define ptr @penstock_serve(ptr %self, ptr %args, i64 %count, ptr %names) nounwind {{
entry:
  %plain = icmp eq ptr %names, null
  br i1 %plain, label %call, label %name
call:
  %result = call ptr @penstock_call(ptr %self, ptr %args, i64 %count)
  %left = icmp eq ptr %result, @_Py_NotImplementedStruct
  br i1 %left, label %pass, label %done
done:
  ret ptr %result
pass:
  call void @Py_DecRef(ptr %result)
  br label %slow
name:
  %keywords = call ptr @PyDict_New()
  %failed = icmp eq ptr %keywords, null
  br i1 %failed, label %raise, label %begin
begin:
  %named = call i64 @PyTuple_Size(ptr %names)
  %values = getelementptr ptr, ptr %args, i64 %count
  br label %next
next:
  %i = phi i64 [ 0, %begin ], [ %i.next, %put ]
  %more = icmp ult i64 %i, %named
  br i1 %more, label %put, label %slow
put:
  %name.i = call ptr @PyTuple_GetItem(ptr %names, i64 %i)
  %value.at = getelementptr ptr, ptr %values, i64 %i
  %value = load ptr, ptr %value.at
  %error = call i32 @PyDict_SetItem(ptr %keywords, ptr %name.i, ptr %value)
  %i.next = add i64 %i, 1
  %wrong = icmp ne i32 %error, 0
  br i1 %wrong, label %drop, label %next
slow:
  %given = phi ptr [ null, %pass ], [ %keywords, %next ]
  %table.at = getelementptr i8, ptr %self, i64 16
  %table = load ptr, ptr %table.at
  %slow.at = getelementptr %table, ptr %table, i32 0, i32 13
  %function = load ptr, ptr %slow.at
  %answer = call ptr @PyObject_VectorcallDict(ptr %function, ptr %args, i64 %count, ptr %given)
  %none = icmp eq ptr %given, null
  br i1 %none, label %answered, label %release
release:
  call void @Py_DecRef(ptr %given)
  br label %answered
answered:
  ret ptr %answer
drop:
  call void @Py_DecRef(ptr %keywords)
  br label %raise
raise:
  ret ptr null
}}
"""
