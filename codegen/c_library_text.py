"""The functions of a C library of jobs, as LLVM text: what is the same for all of them.

They choose the level of processor when the first step is made, start the thread pool, check
pointers, and call the entry of a job, all by tables that `codegen/c_library.py` writes. They
themselves run on any x86-64.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.codegen.buffers import ALIGNMENT
from penstock.codegen.host import LEVELS, MAKERS

__all__ = ["STATUS", "STATUSES", "TEXT", "needs"]

STATUSES = (
    ("OK", "done"),
    ("STOPPED", "the step was stopped"),
    ("PROCESSOR", "this processor lacks instructions that the code needs"),
    ("NULL", "a pointer is NULL"),
    ("MISALIGNED", "a pointer is not aligned as the header says"),
    ("MEMORY", "there is no memory for a workspace"),
    ("THREADS", "a number of threads, perhaps PENSTOCK_NUM_THREADS, is not one from 1 to 1024"),
    ("TAP", "there is no such tap"),
)
STATUS = {name: number for number, (name, _) in enumerate(STATUSES)}

# Bits of what CPUID says: leaf 1, ECX; leaf 7, EBX; leaf 80000001h, ECX; of XCR0, which says the
# registers that the system saves; and of subleaf 1 of leaf 7, EAX, which is 0 where there is none.
# Intel's manual, volume 1, chapter 20; volume 3, chapter 13. Last comes leaf 0, EBX, which begins
# the name of the maker.
_V2 = ((0, 9, 13, 19, 20, 23), (), (0,), (), ())
_V3 = ((12, 22, 27, 28, 29), (3, 5, 8), (5,), (1, 2), ())
_V4 = ((), (16, 17, 28, 30, 31), (), (5, 6, 7), ())
_BF16 = ((), (), (), (), (5,))
_BITS = {
    "x86-64-v2": (_V2,),
    "x86-64-v3": (_V2, _V3),
    "x86-64-v4": (_V2, _V3, _V4),
    "x86-64-v4-bf16": (_V2, _V3, _V4, _BF16),
}

TEXT = f"""\
%needs = type {{ i32, i32, i32, i32, i32, i32 }}
%context = type {{ ptr, ptr, ptr, ptr, ptr }}  ; tap, user, parallel_for, pool, poll
%watch = type {{ ptr, ptr, ptr, i64 }}         ; function, user, flags, how many
%job = type {{ ptr, ptr, i64,                  ; entries, one for each level; masks; arguments
              i64, i64, ptr }}                ; place and bytes of the arena; watch or null
%initial = type {{ i64, i64, ptr, i64 }}       ; offset, bytes, value, bytes of the value

@once = internal global i32 0
@status = internal global i32 0
@level = internal global i64 0
@pool = internal global ptr null
@variable = internal constant [21 x i8] c"PENSTOCK_NUM_THREADS\\00"

declare i32 @pthread_once(ptr, ptr)
declare ptr @getenv(ptr)
declare i64 @strtol(ptr, ptr, i32)
declare i32 @sched_getaffinity(i32, i64, ptr)
declare ptr @aligned_alloc(i64, i64)
declare void @free(ptr)
declare ptr @memcpy(ptr, ptr, i64)
declare ptr @memset(ptr, i32, i64)
declare ptr @penstock_pool()
declare void @penstock_resize(ptr, i32)
declare void @penstock_parallel_for(ptr, ptr, ptr, i64)

define internal {{ i32, i32, i32, i32 }} @asked(i32 %leaf, i32 %subleaf) #0 {{
  %answer = call {{ i32, i32, i32, i32 }} asm "cpuid",
      "={{ax}},={{bx}},={{cx}},={{dx}},{{ax}},{{cx}}"(i32 %leaf, i32 %subleaf)
  ret {{ i32, i32, i32, i32 }} %answer
}}

; XCR0, which may be asked for where bit 27 of leaf 1 says so.
define internal i32 @saved(i32 %leaf.1) #0 {{
  %bit = and i32 %leaf.1, {1 << 27}
  %may = icmp ne i32 %bit, 0
  br i1 %may, label %ask, label %no
ask:
  %answer = call {{ i32, i32 }} asm "xgetbv", "={{ax}},={{dx}},{{cx}}"(i32 0)
  %low = extractvalue {{ i32, i32 }} %answer, 0
  ret i32 %low
no:
  ret i32 0
}}

; Whether what is there has all that is needed.
define internal i1 @fits(ptr %have, ptr %needs) #0 {{
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.next, %on ]
  %have.at = getelementptr i32, ptr %have, i64 %i
  %need.at = getelementptr i32, ptr %needs, i64 %i
  %has = load i32, ptr %have.at
  %need = load i32, ptr %need.at
  %both = and i32 %has, %need
  %same = icmp eq i32 %both, %need
  br i1 %same, label %on, label %no
on:
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 6
  br i1 %more, label %next, label %yes
yes:
  ret i1 true
no:
  ret i1 false
}}

; The number of the best level for this processor, counted from 0; -1 where there is none.
define internal i64 @best() #0 {{
entry:
  %have = alloca %needs
  %have.1 = getelementptr %needs, ptr %have, i32 0, i32 1
  %have.2 = getelementptr %needs, ptr %have, i32 0, i32 2
  %have.3 = getelementptr %needs, ptr %have, i32 0, i32 3
  %have.4 = getelementptr %needs, ptr %have, i32 0, i32 4
  %have.5 = getelementptr %needs, ptr %have, i32 0, i32 5
  %said.1 = call {{ i32, i32, i32, i32 }} @asked(i32 1, i32 0)
  %one = extractvalue {{ i32, i32, i32, i32 }} %said.1, 2
  %said.7 = call {{ i32, i32, i32, i32 }} @asked(i32 7, i32 0)
  %seven = extractvalue {{ i32, i32, i32, i32 }} %said.7, 1
  %said.more = call {{ i32, i32, i32, i32 }} @asked(i32 {0x80000001 - (1 << 32)}, i32 0)
  %more = extractvalue {{ i32, i32, i32, i32 }} %said.more, 2
  %said.71 = call {{ i32, i32, i32, i32 }} @asked(i32 7, i32 1)
  %second = extractvalue {{ i32, i32, i32, i32 }} %said.71, 0
  %said.0 = call {{ i32, i32, i32, i32 }} @asked(i32 0, i32 0)
  %maker = extractvalue {{ i32, i32, i32, i32 }} %said.0, 1
  %registers = call i32 @saved(i32 %one)
  store i32 %one, ptr %have
  store i32 %seven, ptr %have.1
  store i32 %more, ptr %have.2
  store i32 %registers, ptr %have.3
  store i32 %second, ptr %have.4
  store i32 %maker, ptr %have.5
  br label %try
try:
  %i = phi i64 [ LEVELS, %entry ], [ %i.next, %look ]
  %i.next = sub i64 %i, 1
  %none = icmp slt i64 %i.next, 0
  br i1 %none, label %done, label %look
look:
  %needs = getelementptr %needs, ptr @needs, i64 %i.next
  %fits = call i1 @fits(ptr %have, ptr %needs)
  br i1 %fits, label %done, label %try
done:
  ret i64 %i.next
}}

; How many CPUs this process may use.
define internal i32 @processors() #0 {{
entry:
  %mask = alloca [128 x i64], align 16
  %cleared = call ptr @memset(ptr %mask, i32 0, i64 1024)
  %error = call i32 @sched_getaffinity(i32 0, i64 1024, ptr %mask)
  br label %word
word:
  %i = phi i64 [ 0, %entry ], [ %i.next, %on ]
  %sum = phi i32 [ 0, %entry ], [ %count, %on ]
  %word.at = getelementptr i64, ptr %mask, i64 %i
  %word.whole = load i64, ptr %word.at
  br label %bit
bit:
  %left = phi i64 [ %word.whole, %word ], [ %less, %one ]
  %count = phi i32 [ %sum, %word ], [ %count.next, %one ]
  %some = icmp ne i64 %left, 0
  br i1 %some, label %one, label %on
one:
  %below = sub i64 %left, 1
  %less = and i64 %left, %below
  %count.next = add i32 %count, 1
  br label %bit
on:
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 128
  br i1 %more, label %word, label %done
done:
  %none = icmp eq i32 %count, 0
  %few = select i1 %none, i32 1, i32 %count
  %many = icmp ugt i32 %few, 1024
  %found = select i1 %many, i32 1024, i32 %few
  ret i32 %found
}}

; How many threads the environment asks for; 0 where it says nonsense.
define internal i32 @threads() #0 {{
entry:
  %end.at = alloca ptr
  %text = call ptr @getenv(ptr @variable)
  %unset = icmp eq ptr %text, null
  br i1 %unset, label %default, label %read
default:
  %processors = call i32 @processors()
  ret i32 %processors
read:
  %first = load i8, ptr %text
  %from.0 = sub i8 %first, {ord("0")}
  %digit = icmp ult i8 %from.0, 10
  br i1 %digit, label %parse, label %wrong
parse:
  %number = call i64 @strtol(ptr %text, ptr %end.at, i32 10)
  %end = load ptr, ptr %end.at
  %last = load i8, ptr %end
  %whole = icmp eq i8 %last, 0
  %from.1 = sub i64 %number, 1
  %within = icmp ult i64 %from.1, 1024
  %good = and i1 %whole, %within
  br i1 %good, label %done, label %wrong
done:
  %number.32 = trunc i64 %number to i32
  ret i32 %number.32
wrong:
  ret i32 0
}}

; Once: what is the same for all steps.
define internal void @prepare() #0 {{
  %level = call i64 @best()
  %none = icmp slt i64 %level, 0
  br i1 %none, label %old, label %count
old:
  store i32 {STATUS["PROCESSOR"]}, ptr @status
  ret void
count:
  store i64 %level, ptr @level
  %threads = call i32 @threads()
  %wrong = icmp eq i32 %threads, 0
  br i1 %wrong, label %nonsense, label %begin
nonsense:
  store i32 {STATUS["THREADS"]}, ptr @status
  ret void
begin:
  %pool = call ptr @penstock_pool()
  call void @penstock_resize(ptr %pool, i32 %threads)
  store ptr %pool, ptr @pool
  ret void
}}

define internal i32 @ready() #0 {{
  %error = call i32 @pthread_once(ptr @once, ptr @prepare)
  %status = load i32, ptr @status
  ret i32 %status
}}

define internal i32 @set_threads(i32 %number) #0 {{
  %status = call i32 @ready()
  %fine = icmp eq i32 %status, 0
  br i1 %fine, label %look, label %done
look:
  %from.1 = sub i32 %number, 1
  %within = icmp ult i32 %from.1, 1024
  br i1 %within, label %set, label %done
set:
  %pool = load ptr, ptr @pool
  call void @penstock_resize(ptr %pool, i32 %number)
  ret i32 0
done:
  %found = phi i32 [ %status, %0 ], [ {STATUS["THREADS"]}, %look ]
  ret i32 %found
}}

; Whether pointers are there, and at multiples of what the masks say.
define internal i32 @checked(ptr %job, ptr %arguments) #0 {{
entry:
  %masks.at = getelementptr %job, ptr %job, i32 0, i32 1
  %masks = load ptr, ptr %masks.at
  %count.at = getelementptr %job, ptr %job, i32 0, i32 2
  %count = load i64, ptr %count.at
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.next, %on ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %look, label %good
look:
  %i.next = add i64 %i, 1
  %mask.at = getelementptr i64, ptr %masks, i64 %i
  %mask = load i64, ptr %mask.at
  %pointer.at = getelementptr ptr, ptr %arguments, i64 %i
  %pointer = load i64, ptr %pointer.at
  %any = icmp slt i64 %mask, 0
  br i1 %any, label %on, label %there
there:
  %null = icmp eq i64 %pointer, 0
  br i1 %null, label %missing, label %aligned
aligned:
  %low = and i64 %pointer, %mask
  %fits = icmp eq i64 %low, 0
  br i1 %fits, label %on, label %astray
on:
  br label %next
good:
  ret i32 0
missing:
  ret i32 {STATUS["NULL"]}
astray:
  ret i32 {STATUS["MISALIGNED"]}
}}

; A step: its arguments are there but for the arena, which is the workspace.
define internal i32 @step(ptr %job, ptr %arguments, ptr %given) #0 {{
entry:
  %context = alloca %context
  %status.ready = call i32 @ready()
  %is.ready = icmp eq i32 %status.ready, 0
  br i1 %is.ready, label %check, label %no
check:
  %status.arguments = call i32 @checked(ptr %job, ptr %arguments)
  %sound = icmp eq i32 %status.arguments, 0
  br i1 %sound, label %room, label %no
no:
  %status.no = phi i32 [ %status.ready, %entry ], [ %status.arguments, %check ]
  ret i32 %status.no
room:
  %place.at = getelementptr %job, ptr %job, i32 0, i32 3
  %place = load i64, ptr %place.at
  %bytes.at = getelementptr %job, ptr %job, i32 0, i32 4
  %bytes = load i64, ptr %bytes.at
  %none = icmp slt i64 %place, 0
  br i1 %none, label %run, label %look
look:
  %address = ptrtoint ptr %given to i64
  %low = and i64 %address, {ALIGNMENT - 1}
  %aligned = icmp eq i64 %low, 0
  br i1 %aligned, label %find, label %astray
astray:
  ret i32 {STATUS["MISALIGNED"]}
find:
  %is.given = icmp ne ptr %given, null
  br i1 %is.given, label %put, label %make
make:
  %made = call ptr @aligned_alloc(i64 {ALIGNMENT}, i64 %bytes)
  %failed = icmp eq ptr %made, null
  br i1 %failed, label %full, label %put
full:
  ret i32 {STATUS["MEMORY"]}
put:
  %own = phi ptr [ null, %find ], [ %made, %make ]
  %arena = phi ptr [ %given, %find ], [ %made, %make ]
  %arena.at = getelementptr ptr, ptr %arguments, i64 %place
  store ptr %arena, ptr %arena.at
  br label %run
run:
  %to.free = phi ptr [ null, %room ], [ %own, %put ]
  %watch.at = getelementptr %job, ptr %job, i32 0, i32 5
  %watch = load ptr, ptr %watch.at
  %function = load ptr, ptr %watch
  %user.at = getelementptr %watch, ptr %watch, i32 0, i32 1
  %user = load ptr, ptr %user.at
  %pool = load ptr, ptr @pool
  %context.1 = getelementptr %context, ptr %context, i32 0, i32 1
  %context.2 = getelementptr %context, ptr %context, i32 0, i32 2
  %context.3 = getelementptr %context, ptr %context, i32 0, i32 3
  %context.4 = getelementptr %context, ptr %context, i32 0, i32 4
  store ptr %function, ptr %context
  store ptr %user, ptr %context.1
  store ptr @penstock_parallel_for, ptr %context.2
  store ptr %pool, ptr %context.3
  store ptr null, ptr %context.4
  %entries = load ptr, ptr %job
  %level = load i64, ptr @level
  %entry.at = getelementptr ptr, ptr %entries, i64 %level
  %function.step = load ptr, ptr %entry.at
  %status = call i32 %function.step(ptr %context, ptr %arguments)
  call void @free(ptr %to.free)
  ret i32 %status
}}

; From now on a blob is shown to a function, or, for null, no more.
define internal i32 @watch(ptr %watch, i32 %tap, ptr %function, ptr %user) #0 {{
  %count.at = getelementptr %watch, ptr %watch, i32 0, i32 3
  %count = load i64, ptr %count.at
  %number = zext i32 %tap to i64
  %there = icmp ult i64 %number, %count
  br i1 %there, label %look, label %none
none:
  ret i32 {STATUS["TAP"]}
look:
  %flags.at = getelementptr %watch, ptr %watch, i32 0, i32 2
  %flags = load ptr, ptr %flags.at
  %flag = getelementptr i8, ptr %flags, i64 %number
  %listens = icmp ne ptr %function, null
  %up = zext i1 %listens to i8
  store i8 %up, ptr %flag
  br i1 %listens, label %keep, label %done
keep:
  %user.at = getelementptr %watch, ptr %watch, i32 0, i32 1
  store ptr %function, ptr %watch
  store ptr %user, ptr %user.at
  br label %done
done:
  ret i32 0
}}

; Place variables in memory, and write their first values.
define internal i32 @initialize(ptr %variables, ptr %memory, i64 %count, ptr %initials) #0 {{
entry:
  %no.table = icmp eq ptr %variables, null
  %no.memory = icmp eq ptr %memory, null
  %missing = or i1 %no.table, %no.memory
  br i1 %missing, label %null, label %look
null:
  ret i32 {STATUS["NULL"]}
look:
  %address = ptrtoint ptr %memory to i64
  %low = and i64 %address, {ALIGNMENT - 1}
  %aligned = icmp eq i64 %low, 0
  br i1 %aligned, label %next, label %astray
astray:
  ret i32 {STATUS["MISALIGNED"]}
next:
  %i = phi i64 [ 0, %look ], [ %i.next, %fill ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %place, label %done
place:
  %i.next = add i64 %i, 1
  %initial = getelementptr %initial, ptr %initials, i64 %i
  %offset = load i64, ptr %initial
  %bytes.at = getelementptr %initial, ptr %initial, i32 0, i32 1
  %bytes = load i64, ptr %bytes.at
  %value.at = getelementptr %initial, ptr %initial, i32 0, i32 2
  %value = load ptr, ptr %value.at
  %unit.at = getelementptr %initial, ptr %initial, i32 0, i32 3
  %unit = load i64, ptr %unit.at
  %to = getelementptr i8, ptr %memory, i64 %offset
  %variable.at = getelementptr ptr, ptr %variables, i64 %i
  store ptr %to, ptr %variable.at
  br label %fill
fill:
  %written = phi i64 [ 0, %place ], [ %written.next, %copy ]
  %rest = sub i64 %bytes, %written
  %some = icmp ne i64 %rest, 0
  br i1 %some, label %copy, label %next
copy:
  %short = icmp ult i64 %rest, %unit
  %size = select i1 %short, i64 %rest, i64 %unit
  %to.rest = getelementptr i8, ptr %to, i64 %written
  %copied = call ptr @memcpy(ptr %to.rest, ptr %value, i64 %size)
  %written.next = add i64 %written, %size
  br label %fill
done:
  ret i32 0
}}

attributes #0 = {{ nounwind "target-cpu"="x86-64" }}
"""


def needs(levels: Sequence[str]) -> str:
    """The table of what each of these levels asks of a processor, which `TEXT` reads.

    A level by which one maker's processors gain asks for that one, if there is the level below.
    """
    rows, names = [], list(LEVELS)
    for level in levels:
        words = [sum(1 << bit for bits in _BITS[level] for bit in bits[word]) for word in range(5)]
        may_choose = level in MAKERS and names[names.index(level) - 1] in levels
        maker = MAKERS[level][:4] if may_choose else ""
        words.append(int.from_bytes(maker.encode(), "little"))
        rows.append("%needs { " + ", ".join(f"i32 {word}" for word in words) + " }")
    return f"@needs = internal constant [{len(levels)} x %needs] [ {', '.join(rows)} ]\n"
