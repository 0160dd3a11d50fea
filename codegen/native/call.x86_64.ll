; call.c as LLVM text, by clang 22.1.8; `make native` makes it anew.
; sources: a8dc24fda9909b2e13f55659cd76f95a1bb07e6d6bafd7fe946a56650543b9bc
; text: adf2852602a9494f2c4afffeab08f3fdf458a1417612fb6e3390b59faacc6fde
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.object = type { i32, i32, ptr }
%struct.feed = type { ptr, i64, ptr, i64 }
%struct.fetch = type { ptr, i64, ptr, i64, ptr }

@array_type = internal unnamed_addr global ptr null, align 8
@new_array = internal unnamed_addr global ptr null, align 8
@set_base = internal unnamed_addr global ptr null, align 8
@native_main_thread = hidden local_unnamed_addr global i64 0, align 8
@_Py_NoneStruct = external global %struct.object, align 8
@_Py_NotImplementedStruct = external global %struct.object, align 8

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define void @penstock_call_setup(ptr noundef %0, ptr noundef %1, ptr noundef %2, i64 noundef %3) local_unnamed_addr #0 {
  store ptr %0, ptr @array_type, align 8
  store ptr %1, ptr @new_array, align 8
  store ptr %2, ptr @set_base, align 8
  store i64 %3, ptr @native_main_thread, align 8
  ret void
}

; Function Attrs: nounwind
define hidden noundef ptr @native_claim_block(ptr noundef captures(ret: address, provenance) %0) local_unnamed_addr #1 {
  %2 = load i64, ptr %0, align 8
  %3 = add nsw i64 %2, 1
  store i64 %3, ptr %0, align 8
  %4 = and i64 %3, 1023
  %5 = icmp eq i64 %4, 0
  br i1 %5, label %40, label %6

6:                                                ; preds = %1
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = load ptr, ptr %7, align 8
  %9 = icmp eq ptr %8, null
  br i1 %9, label %13, label %10

10:                                               ; preds = %6
  %11 = load i32, ptr %8, align 8
  %12 = icmp eq i32 %11, 1
  br i1 %12, label %34, label %13

13:                                               ; preds = %6, %10
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = icmp eq ptr %15, null
  br i1 %16, label %20, label %17

17:                                               ; preds = %13
  %18 = load i32, ptr %15, align 8
  %19 = icmp eq i32 %18, 1
  br i1 %19, label %34, label %20

20:                                               ; preds = %17, %13
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %22 = load ptr, ptr %21, align 8
  %23 = icmp eq ptr %22, null
  br i1 %23, label %27, label %24

24:                                               ; preds = %20
  %25 = load i32, ptr %22, align 8
  %26 = icmp eq i32 %25, 1
  br i1 %26, label %34, label %27

27:                                               ; preds = %24, %20
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %29 = load ptr, ptr %28, align 8
  %30 = icmp eq ptr %29, null
  br i1 %30, label %40, label %31

31:                                               ; preds = %27
  %32 = load i32, ptr %29, align 8
  %33 = icmp eq i32 %32, 1
  br i1 %33, label %34, label %40

34:                                               ; preds = %31, %24, %17, %10
  %35 = phi ptr [ %7, %10 ], [ %14, %17 ], [ %21, %24 ], [ %28, %31 ]
  %36 = phi ptr [ %8, %10 ], [ %15, %17 ], [ %22, %24 ], [ %29, %31 ]
  tail call void @Py_IncRef(ptr noundef nonnull %36) #5
  %37 = getelementptr inbounds nuw i8, ptr %35, i64 16
  %38 = load i64, ptr %37, align 8
  %39 = add nsw i64 %38, 1
  store i64 %39, ptr %37, align 8
  br label %40

40:                                               ; preds = %27, %31, %34, %1
  %41 = phi ptr [ null, %1 ], [ %35, %34 ], [ null, %31 ], [ null, %27 ]
  ret ptr %41
}

declare void @Py_IncRef(ptr noundef) local_unnamed_addr #2

; Function Attrs: nounwind
define ptr @penstock_claim_block(ptr noundef captures(none) %0) local_unnamed_addr #1 {
  %2 = load i64, ptr %0, align 8
  %3 = add nsw i64 %2, 1
  store i64 %3, ptr %0, align 8
  %4 = and i64 %3, 1023
  %5 = icmp eq i64 %4, 0
  br i1 %5, label %41, label %6

6:                                                ; preds = %1
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = load ptr, ptr %7, align 8
  %9 = icmp eq ptr %8, null
  br i1 %9, label %13, label %10

10:                                               ; preds = %6
  %11 = load i32, ptr %8, align 8
  %12 = icmp eq i32 %11, 1
  br i1 %12, label %34, label %13

13:                                               ; preds = %10, %6
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = icmp eq ptr %15, null
  br i1 %16, label %20, label %17

17:                                               ; preds = %13
  %18 = load i32, ptr %15, align 8
  %19 = icmp eq i32 %18, 1
  br i1 %19, label %34, label %20

20:                                               ; preds = %17, %13
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %22 = load ptr, ptr %21, align 8
  %23 = icmp eq ptr %22, null
  br i1 %23, label %27, label %24

24:                                               ; preds = %20
  %25 = load i32, ptr %22, align 8
  %26 = icmp eq i32 %25, 1
  br i1 %26, label %34, label %27

27:                                               ; preds = %24, %20
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %29 = load ptr, ptr %28, align 8
  %30 = icmp eq ptr %29, null
  br i1 %30, label %41, label %31

31:                                               ; preds = %27
  %32 = load i32, ptr %29, align 8
  %33 = icmp eq i32 %32, 1
  br i1 %33, label %34, label %41

34:                                               ; preds = %31, %24, %17, %10
  %35 = phi ptr [ %7, %10 ], [ %14, %17 ], [ %21, %24 ], [ %28, %31 ]
  %36 = phi ptr [ %8, %10 ], [ %15, %17 ], [ %22, %24 ], [ %29, %31 ]
  tail call void @Py_IncRef(ptr noundef nonnull %36) #5
  %37 = getelementptr inbounds nuw i8, ptr %35, i64 16
  %38 = load i64, ptr %37, align 8
  %39 = add nsw i64 %38, 1
  store i64 %39, ptr %37, align 8
  %40 = load ptr, ptr %35, align 8
  br label %42

41:                                               ; preds = %1, %31, %27
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #5
  br label %42

42:                                               ; preds = %41, %34
  %43 = phi ptr [ %40, %34 ], [ @_Py_NoneStruct, %41 ]
  ret ptr %43
}

; Function Attrs: nounwind
define hidden ptr @native_own(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1) local_unnamed_addr #1 {
  %3 = load ptr, ptr %0, align 8
  tail call void @Py_IncRef(ptr noundef %3) #5
  %4 = load ptr, ptr @new_array, align 8
  %5 = load ptr, ptr @array_type, align 8
  %6 = load ptr, ptr %0, align 8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = load i64, ptr %7, align 8
  %9 = trunc i64 %8 to i32
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %11 = load ptr, ptr %10, align 8
  %12 = tail call ptr %4(ptr noundef %5, ptr noundef %6, i32 noundef %9, ptr noundef %11, ptr noundef null, ptr noundef null, i32 noundef 0, ptr noundef null) #5
  %13 = icmp eq ptr %12, null
  br i1 %13, label %14, label %15

14:                                               ; preds = %2
  tail call void @PyErr_Clear() #5
  br label %26

15:                                               ; preds = %2
  %16 = getelementptr inbounds nuw i8, ptr %12, i64 16
  %17 = load ptr, ptr %16, align 8
  %18 = ptrtoint ptr %17 to i64
  %19 = and i64 %18, 15
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %22, label %21

21:                                               ; preds = %15
  tail call void @Py_DecRef(ptr noundef nonnull %12) #5
  br label %26

22:                                               ; preds = %15
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %24 = load i64, ptr %23, align 8
  %25 = getelementptr inbounds ptr, ptr %1, i64 %24
  store ptr %17, ptr %25, align 8
  br label %26

26:                                               ; preds = %21, %22, %14
  %27 = phi ptr [ null, %14 ], [ %12, %22 ], [ null, %21 ]
  ret ptr %27
}

declare void @PyErr_Clear() local_unnamed_addr #2

declare void @Py_DecRef(ptr noundef) local_unnamed_addr #2

; Function Attrs: nounwind
define hidden ptr @native_wrap(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, ptr noundef readonly captures(none) %2) local_unnamed_addr #1 {
  %4 = load ptr, ptr %2, align 8
  %5 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %6 = load ptr, ptr %5, align 8
  %7 = load ptr, ptr %0, align 8
  tail call void @Py_IncRef(ptr noundef %7) #5
  %8 = load ptr, ptr @new_array, align 8
  %9 = load ptr, ptr @array_type, align 8
  %10 = load ptr, ptr %0, align 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %12 = load i64, ptr %11, align 8
  %13 = trunc i64 %12 to i32
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr %8(ptr noundef %9, ptr noundef %10, i32 noundef %13, ptr noundef %15, ptr noundef null, ptr noundef %6, i32 noundef 1281, ptr noundef null) #5
  %17 = icmp eq ptr %16, null
  br i1 %17, label %27, label %18

18:                                               ; preds = %3
  %19 = load ptr, ptr @set_base, align 8
  %20 = tail call i32 %19(ptr noundef nonnull %16, ptr noundef %4) #5
  %21 = icmp eq i32 %20, 0
  br i1 %21, label %22, label %27

22:                                               ; preds = %18
  %23 = load ptr, ptr %5, align 8
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %25 = load i64, ptr %24, align 8
  %26 = getelementptr inbounds ptr, ptr %1, i64 %25
  store ptr %23, ptr %26, align 8
  br label %29

27:                                               ; preds = %18, %3
  %28 = phi ptr [ %4, %3 ], [ %16, %18 ]
  tail call void @Py_DecRef(ptr noundef %28) #5
  tail call void @PyErr_Clear() #5
  br label %29

29:                                               ; preds = %27, %22
  %30 = phi ptr [ null, %27 ], [ %16, %22 ]
  ret ptr %30
}

; Function Attrs: nounwind
define hidden ptr @native_result(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1) local_unnamed_addr #1 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %4 = load ptr, ptr %3, align 8
  %5 = icmp eq ptr %4, null
  br i1 %5, label %6, label %30

6:                                                ; preds = %2
  %7 = load ptr, ptr %0, align 8
  tail call void @Py_IncRef(ptr noundef %7) #5
  %8 = load ptr, ptr @new_array, align 8
  %9 = load ptr, ptr @array_type, align 8
  %10 = load ptr, ptr %0, align 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %12 = load i64, ptr %11, align 8
  %13 = trunc i64 %12 to i32
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr %8(ptr noundef %9, ptr noundef %10, i32 noundef %13, ptr noundef %15, ptr noundef null, ptr noundef null, i32 noundef 0, ptr noundef null) #5
  %17 = icmp eq ptr %16, null
  br i1 %17, label %18, label %19

18:                                               ; preds = %6
  tail call void @PyErr_Clear() #5
  br label %94

19:                                               ; preds = %6
  %20 = getelementptr inbounds nuw i8, ptr %16, i64 16
  %21 = load ptr, ptr %20, align 8
  %22 = ptrtoint ptr %21 to i64
  %23 = and i64 %22, 15
  %24 = icmp eq i64 %23, 0
  br i1 %24, label %26, label %25

25:                                               ; preds = %19
  tail call void @Py_DecRef(ptr noundef nonnull %16) #5
  br label %94

26:                                               ; preds = %19
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %28 = load i64, ptr %27, align 8
  %29 = getelementptr inbounds ptr, ptr %1, i64 %28
  store ptr %21, ptr %29, align 8
  br label %94

30:                                               ; preds = %2
  %31 = load i64, ptr %4, align 8
  %32 = add nsw i64 %31, 1
  store i64 %32, ptr %4, align 8
  %33 = and i64 %32, 1023
  %34 = icmp eq i64 %33, 0
  br i1 %34, label %94, label %35

35:                                               ; preds = %30
  %36 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %37 = load ptr, ptr %36, align 8
  %38 = icmp eq ptr %37, null
  br i1 %38, label %42, label %39

39:                                               ; preds = %35
  %40 = load i32, ptr %37, align 8
  %41 = icmp eq i32 %40, 1
  br i1 %41, label %63, label %42

42:                                               ; preds = %39, %35
  %43 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %44 = load ptr, ptr %43, align 8
  %45 = icmp eq ptr %44, null
  br i1 %45, label %49, label %46

46:                                               ; preds = %42
  %47 = load i32, ptr %44, align 8
  %48 = icmp eq i32 %47, 1
  br i1 %48, label %63, label %49

49:                                               ; preds = %46, %42
  %50 = getelementptr inbounds nuw i8, ptr %4, i64 56
  %51 = load ptr, ptr %50, align 8
  %52 = icmp eq ptr %51, null
  br i1 %52, label %56, label %53

53:                                               ; preds = %49
  %54 = load i32, ptr %51, align 8
  %55 = icmp eq i32 %54, 1
  br i1 %55, label %63, label %56

56:                                               ; preds = %53, %49
  %57 = getelementptr inbounds nuw i8, ptr %4, i64 80
  %58 = load ptr, ptr %57, align 8
  %59 = icmp eq ptr %58, null
  br i1 %59, label %94, label %60

60:                                               ; preds = %56
  %61 = load i32, ptr %58, align 8
  %62 = icmp eq i32 %61, 1
  br i1 %62, label %63, label %94

63:                                               ; preds = %60, %53, %46, %39
  %64 = phi ptr [ %36, %39 ], [ %43, %46 ], [ %50, %53 ], [ %57, %60 ]
  %65 = phi ptr [ %37, %39 ], [ %44, %46 ], [ %51, %53 ], [ %58, %60 ]
  tail call void @Py_IncRef(ptr noundef nonnull %65) #5
  %66 = getelementptr inbounds nuw i8, ptr %64, i64 16
  %67 = load i64, ptr %66, align 8
  %68 = add nsw i64 %67, 1
  store i64 %68, ptr %66, align 8
  %69 = load ptr, ptr %64, align 8
  %70 = getelementptr inbounds nuw i8, ptr %64, i64 8
  %71 = load ptr, ptr %70, align 8
  %72 = load ptr, ptr %0, align 8
  tail call void @Py_IncRef(ptr noundef %72) #5
  %73 = load ptr, ptr @new_array, align 8
  %74 = load ptr, ptr @array_type, align 8
  %75 = load ptr, ptr %0, align 8
  %76 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %77 = load i64, ptr %76, align 8
  %78 = trunc i64 %77 to i32
  %79 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %80 = load ptr, ptr %79, align 8
  %81 = tail call ptr %73(ptr noundef %74, ptr noundef %75, i32 noundef %78, ptr noundef %80, ptr noundef null, ptr noundef %71, i32 noundef 1281, ptr noundef null) #5
  %82 = icmp eq ptr %81, null
  br i1 %82, label %92, label %83

83:                                               ; preds = %63
  %84 = load ptr, ptr @set_base, align 8
  %85 = tail call i32 %84(ptr noundef nonnull %81, ptr noundef %69) #5
  %86 = icmp eq i32 %85, 0
  br i1 %86, label %87, label %92

87:                                               ; preds = %83
  %88 = load ptr, ptr %70, align 8
  %89 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %90 = load i64, ptr %89, align 8
  %91 = getelementptr inbounds ptr, ptr %1, i64 %90
  store ptr %88, ptr %91, align 8
  br label %94

92:                                               ; preds = %83, %63
  %93 = phi ptr [ %69, %63 ], [ %81, %83 ]
  tail call void @Py_DecRef(ptr noundef %93) #5
  tail call void @PyErr_Clear() #5
  br label %94

94:                                               ; preds = %56, %60, %30, %92, %87, %26, %25, %18
  %95 = phi ptr [ %81, %87 ], [ null, %25 ], [ null, %18 ], [ %16, %26 ], [ null, %92 ], [ null, %30 ], [ null, %60 ], [ null, %56 ]
  ret ptr %95
}

; Function Attrs: nounwind
define ptr @penstock_invoke(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #1 {
  %4 = load ptr, ptr %1, align 8
  %5 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %4) #5
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %7 = load ptr, ptr %6, align 8
  %8 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %7) #5
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %10 = load ptr, ptr %9, align 8
  %11 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %10) #5
  %12 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %13 = load ptr, ptr %12, align 8
  %14 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %13) #5
  %15 = tail call ptr @PyErr_Occurred() #5
  %16 = icmp eq ptr %15, null
  br i1 %16, label %17, label %36

17:                                               ; preds = %3
  %18 = tail call i64 @native_first_look() #5
  store i64 %18, ptr %14, align 8
  %19 = tail call ptr @PyEval_SaveThread() #5
  %20 = getelementptr inbounds nuw i8, ptr %14, i64 16
  store ptr %19, ptr %20, align 8
  %21 = tail call i32 %5(ptr noundef %8, ptr noundef %11) #5
  %22 = load ptr, ptr %20, align 8
  tail call void @PyEval_RestoreThread(ptr noundef %22) #5
  %23 = tail call zeroext i1 @native_failed(ptr noundef nonnull %14) #5
  br i1 %23, label %36, label %24

24:                                               ; preds = %17
  %25 = icmp eq i32 %21, 0
  br i1 %25, label %33, label %26

26:                                               ; preds = %24
  %27 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %28 = load ptr, ptr %27, align 8
  %29 = icmp eq ptr %28, @native_look
  br i1 %29, label %30, label %33

30:                                               ; preds = %26
  tail call void @PyErr_SetInterrupt() #5
  %31 = tail call i32 @PyErr_CheckSignals() #5
  %32 = icmp eq i32 %31, 0
  br i1 %32, label %33, label %36

33:                                               ; preds = %30, %26, %24
  %34 = sext i32 %21 to i64
  %35 = tail call ptr @PyLong_FromLong(i64 noundef %34) #5
  br label %36

36:                                               ; preds = %33, %17, %30, %3
  %37 = phi ptr [ null, %3 ], [ %35, %33 ], [ null, %17 ], [ null, %30 ]
  ret ptr %37
}

declare ptr @PyLong_AsVoidPtr(ptr noundef) local_unnamed_addr #2

declare ptr @PyErr_Occurred() local_unnamed_addr #2

declare hidden zeroext i1 @native_failed(ptr noundef) local_unnamed_addr #2

declare hidden i32 @native_look(ptr noundef) #2

declare ptr @PyLong_FromLong(i64 noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define range(i32 0, 2) i32 @penstock_claim(ptr noundef captures(none) %0) local_unnamed_addr #3 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %3 = load i64, ptr %2, align 8
  %4 = icmp eq i64 %3, 0
  store i64 1, ptr %2, align 8
  %5 = zext i1 %4 to i32
  ret i32 %5
}

; Function Attrs: nounwind
define ptr @penstock_call(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #1 {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 32
  %7 = load i64, ptr %6, align 8
  %8 = icmp eq i64 %2, %7
  br i1 %8, label %9, label %191

9:                                                ; preds = %3
  %10 = getelementptr inbounds nuw i8, ptr %5, i64 88
  %11 = load i64, ptr %10, align 8
  %12 = icmp eq i64 %11, 0
  br i1 %12, label %13, label %191

13:                                               ; preds = %9
  store i64 1, ptr %10, align 8
  %14 = icmp sgt i64 %2, 0
  br i1 %14, label %15, label %75

15:                                               ; preds = %13
  %16 = getelementptr inbounds nuw i8, ptr %5, i64 40
  %17 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %18 = load ptr, ptr @array_type, align 8
  br label %19

19:                                               ; preds = %15, %69
  %20 = phi i64 [ 0, %15 ], [ %73, %69 ]
  %21 = load ptr, ptr %16, align 8
  %22 = getelementptr inbounds nuw %struct.feed, ptr %21, i64 %20
  %23 = getelementptr inbounds nuw ptr, ptr %1, i64 %20
  %24 = load ptr, ptr %23, align 8
  %25 = load ptr, ptr %17, align 8
  %26 = getelementptr inbounds nuw i8, ptr %24, i64 8
  %27 = load ptr, ptr %26, align 8
  %28 = icmp eq ptr %27, %18
  br i1 %28, label %29, label %190

29:                                               ; preds = %19
  %30 = getelementptr inbounds nuw i8, ptr %24, i64 56
  %31 = load ptr, ptr %30, align 8
  %32 = load ptr, ptr %22, align 8
  %33 = icmp eq ptr %31, %32
  br i1 %33, label %34, label %190

34:                                               ; preds = %29
  %35 = getelementptr inbounds nuw i8, ptr %24, i64 24
  %36 = load i32, ptr %35, align 8
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds nuw i8, ptr %22, i64 8
  %39 = load i64, ptr %38, align 8
  %40 = icmp eq i64 %39, %37
  br i1 %40, label %41, label %190

41:                                               ; preds = %34
  %42 = getelementptr inbounds nuw i8, ptr %24, i64 64
  %43 = load i32, ptr %42, align 8
  %44 = and i32 %43, 257
  %45 = icmp eq i32 %44, 257
  br i1 %45, label %46, label %190

46:                                               ; preds = %41
  %47 = getelementptr inbounds nuw i8, ptr %24, i64 16
  %48 = load ptr, ptr %47, align 8
  %49 = ptrtoint ptr %48 to i64
  %50 = and i64 %49, 15
  %51 = icmp eq i64 %50, 0
  br i1 %51, label %52, label %190

52:                                               ; preds = %46
  %53 = icmp sgt i32 %36, 0
  br i1 %53, label %54, label %69

54:                                               ; preds = %52
  %55 = getelementptr inbounds nuw i8, ptr %24, i64 32
  %56 = load ptr, ptr %55, align 8
  %57 = getelementptr inbounds nuw i8, ptr %22, i64 16
  %58 = load ptr, ptr %57, align 8
  br label %62

59:                                               ; preds = %62
  %60 = add nuw nsw i64 %63, 1
  %61 = icmp eq i64 %60, %37
  br i1 %61, label %69, label %62, !llvm.loop !2

62:                                               ; preds = %59, %54
  %63 = phi i64 [ 0, %54 ], [ %60, %59 ]
  %64 = getelementptr inbounds nuw i64, ptr %56, i64 %63
  %65 = load i64, ptr %64, align 8
  %66 = getelementptr inbounds nuw i64, ptr %58, i64 %63
  %67 = load i64, ptr %66, align 8
  %68 = icmp eq i64 %65, %67
  br i1 %68, label %59, label %190

69:                                               ; preds = %59, %52
  %70 = getelementptr inbounds nuw i8, ptr %22, i64 24
  %71 = load i64, ptr %70, align 8
  %72 = getelementptr inbounds ptr, ptr %25, i64 %71
  store ptr %48, ptr %72, align 8
  %73 = add nuw nsw i64 %20, 1
  %74 = icmp eq i64 %73, %2
  br i1 %74, label %75, label %19, !llvm.loop !4

75:                                               ; preds = %69, %13
  %76 = getelementptr inbounds nuw i8, ptr %5, i64 64
  %77 = load i64, ptr %76, align 8
  switch i64 %77, label %79 [
    i64 0, label %78
    i64 1, label %104
  ]

78:                                               ; preds = %75
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #5
  br label %111

79:                                               ; preds = %75
  %80 = getelementptr inbounds nuw i8, ptr %5, i64 48
  %81 = load i64, ptr %80, align 8
  %82 = tail call ptr @PyTuple_New(i64 noundef %81) #5
  %83 = icmp eq ptr %82, null
  br i1 %83, label %90, label %84

84:                                               ; preds = %79
  %85 = load i64, ptr %80, align 8
  %86 = icmp sgt i64 %85, 0
  br i1 %86, label %87, label %111

87:                                               ; preds = %84
  %88 = getelementptr inbounds nuw i8, ptr %5, i64 56
  %89 = getelementptr inbounds nuw i8, ptr %5, i64 16
  br label %91

90:                                               ; preds = %79
  tail call void @PyErr_Clear() #5
  br label %190

91:                                               ; preds = %99, %87
  %92 = phi i64 [ 0, %87 ], [ %101, %99 ]
  %93 = load ptr, ptr %88, align 8
  %94 = getelementptr inbounds nuw %struct.fetch, ptr %93, i64 %92
  %95 = load ptr, ptr %89, align 8
  %96 = tail call ptr @native_result(ptr noundef %94, ptr noundef %95) #6
  %97 = icmp eq ptr %96, null
  br i1 %97, label %98, label %99

98:                                               ; preds = %91
  tail call void @Py_DecRef(ptr noundef nonnull %82) #5
  br label %190

99:                                               ; preds = %91
  %100 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %82, i64 noundef %92, ptr noundef nonnull %96) #5
  %101 = add nuw nsw i64 %92, 1
  %102 = load i64, ptr %80, align 8
  %103 = icmp slt i64 %101, %102
  br i1 %103, label %91, label %111, !llvm.loop !5

104:                                              ; preds = %75
  %105 = getelementptr inbounds nuw i8, ptr %5, i64 56
  %106 = load ptr, ptr %105, align 8
  %107 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %108 = load ptr, ptr %107, align 8
  %109 = tail call ptr @native_result(ptr noundef %106, ptr noundef %108) #6
  %110 = icmp eq ptr %109, null
  br i1 %110, label %190, label %111

111:                                              ; preds = %99, %84, %78, %104
  %112 = phi ptr [ %109, %104 ], [ @_Py_NoneStruct, %78 ], [ %82, %84 ], [ %82, %99 ]
  %113 = getelementptr inbounds nuw i8, ptr %5, i64 72
  %114 = load ptr, ptr %113, align 8
  %115 = icmp eq ptr %114, null
  br i1 %115, label %149, label %116

116:                                              ; preds = %111
  %117 = getelementptr inbounds nuw i8, ptr %5, i64 112
  %118 = load i64, ptr %117, align 8
  %119 = icmp ne i64 %118, 0
  %120 = getelementptr inbounds nuw i8, ptr %5, i64 80
  %121 = load i64, ptr %120, align 8
  %122 = icmp ne i64 %121, 0
  %123 = select i1 %122, i1 true, i1 %119
  %124 = load i64, ptr %114, align 8
  %125 = getelementptr inbounds nuw i8, ptr %114, i64 16
  %126 = load i64, ptr %125, align 8
  %127 = or i64 %126, %124
  br i1 %123, label %128, label %131

128:                                              ; preds = %116
  %129 = getelementptr inbounds nuw i8, ptr %114, i64 8
  %130 = load i64, ptr %129, align 8
  br label %131

131:                                              ; preds = %128, %116
  %132 = phi i64 [ %130, %128 ], [ 0, %116 ]
  %133 = or i64 %127, %132
  %134 = icmp eq i64 %133, 0
  br i1 %134, label %135, label %189

135:                                              ; preds = %131
  %136 = getelementptr inbounds nuw i8, ptr %114, i64 8
  %137 = select i1 %123, ptr %125, ptr %136
  %138 = load i64, ptr %137, align 8
  %139 = add nsw i64 %138, 1
  store i64 %139, ptr %137, align 8
  br i1 %119, label %140, label %144

140:                                              ; preds = %135
  %141 = tail call i64 @PyThread_get_thread_ident() #5
  %142 = getelementptr inbounds nuw i8, ptr %114, i64 24
  store i64 %141, ptr %142, align 8
  %143 = load i64, ptr %120, align 8
  br label %146

144:                                              ; preds = %135
  %145 = getelementptr inbounds nuw i8, ptr %114, i64 24
  store i64 0, ptr %145, align 8
  br label %146

146:                                              ; preds = %140, %144
  %147 = phi i64 [ %143, %140 ], [ 0, %144 ]
  %148 = getelementptr inbounds nuw i8, ptr %114, i64 32
  store i64 %147, ptr %148, align 8
  br label %149

149:                                              ; preds = %146, %111
  %150 = phi ptr [ %137, %146 ], [ null, %111 ]
  %151 = getelementptr inbounds nuw i8, ptr %5, i64 96
  %152 = load i64, ptr %151, align 8
  %153 = icmp ugt i64 %152, 30000
  %154 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %155 = load ptr, ptr %154, align 8
  %156 = tail call i64 @llvm.readcyclecounter()
  %157 = load ptr, ptr %5, align 8
  %158 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %159 = load ptr, ptr %158, align 8
  %160 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %161 = load ptr, ptr %160, align 8
  br i1 %153, label %165, label %162

162:                                              ; preds = %149
  store i64 0, ptr %155, align 8
  %163 = getelementptr inbounds nuw i8, ptr %155, i64 16
  store ptr null, ptr %163, align 8
  %164 = tail call i32 %157(ptr noundef %159, ptr noundef %161) #5
  br label %171

165:                                              ; preds = %149
  %166 = tail call i64 @native_first_look() #5
  store i64 %166, ptr %155, align 8
  %167 = tail call ptr @PyEval_SaveThread() #5
  %168 = getelementptr inbounds nuw i8, ptr %155, i64 16
  store ptr %167, ptr %168, align 8
  %169 = tail call i32 %157(ptr noundef %159, ptr noundef %161) #5
  %170 = load ptr, ptr %168, align 8
  tail call void @PyEval_RestoreThread(ptr noundef %170) #5
  br label %171

171:                                              ; preds = %162, %165
  %172 = phi i32 [ %169, %165 ], [ %164, %162 ]
  %173 = tail call i64 @llvm.readcyclecounter()
  %174 = sub i64 %173, %156
  store i64 %174, ptr %151, align 8
  %175 = icmp eq ptr %150, null
  br i1 %175, label %181, label %176

176:                                              ; preds = %171
  %177 = load i64, ptr %150, align 8
  %178 = add nsw i64 %177, -1
  store i64 %178, ptr %150, align 8
  %179 = getelementptr inbounds nuw i8, ptr %114, i64 32
  store i64 0, ptr %179, align 8
  %180 = getelementptr inbounds nuw i8, ptr %114, i64 24
  store i64 0, ptr %180, align 8
  br label %181

181:                                              ; preds = %176, %171
  %182 = tail call zeroext i1 @native_failed(ptr noundef nonnull %155) #5
  store i64 0, ptr %10, align 8
  %183 = icmp ne i32 %172, 0
  %184 = select i1 %182, i1 true, i1 %183
  br i1 %184, label %185, label %192

185:                                              ; preds = %181
  tail call void @Py_DecRef(ptr noundef nonnull %112) #5
  br i1 %182, label %192, label %186

186:                                              ; preds = %185
  tail call void @PyErr_SetInterrupt() #5
  %187 = tail call i32 @PyErr_CheckSignals() #5
  %188 = icmp eq i32 %187, 0
  br i1 %188, label %191, label %192

189:                                              ; preds = %131
  tail call void @Py_DecRef(ptr noundef nonnull %112) #5
  br label %190

190:                                              ; preds = %34, %41, %46, %29, %19, %62, %90, %98, %104, %189
  store i64 0, ptr %10, align 8
  br label %191

191:                                              ; preds = %186, %3, %9, %190
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #5
  br label %192

192:                                              ; preds = %191, %181, %185, %186
  %193 = phi ptr [ null, %185 ], [ null, %186 ], [ %112, %181 ], [ @_Py_NotImplementedStruct, %191 ]
  ret ptr %193
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare i64 @llvm.readcyclecounter() #4

; Function Attrs: nounwind
define ptr @penstock_serve(ptr noundef readonly captures(none) %0, ptr noundef %1, i64 noundef %2, ptr noundef %3) local_unnamed_addr #1 {
  %5 = icmp eq ptr %3, null
  br i1 %5, label %23, label %6

6:                                                ; preds = %4
  %7 = getelementptr inbounds ptr, ptr %1, i64 %2
  %8 = tail call ptr @PyDict_New() #5
  %9 = icmp eq ptr %8, null
  br i1 %9, label %38, label %10

10:                                               ; preds = %6
  %11 = tail call i64 @PyTuple_Size(ptr noundef nonnull %3) #5
  %12 = icmp sgt i64 %11, 0
  br i1 %12, label %16, label %27

13:                                               ; preds = %16
  %14 = add nuw nsw i64 %17, 1
  %15 = icmp eq i64 %14, %11
  br i1 %15, label %27, label %16, !llvm.loop !6

16:                                               ; preds = %10, %13
  %17 = phi i64 [ %14, %13 ], [ 0, %10 ]
  %18 = tail call ptr @PyTuple_GetItem(ptr noundef nonnull %3, i64 noundef %17) #5
  %19 = getelementptr inbounds nuw ptr, ptr %7, i64 %17
  %20 = load ptr, ptr %19, align 8
  %21 = tail call i32 @PyDict_SetItem(ptr noundef nonnull %8, ptr noundef %18, ptr noundef %20) #5
  %22 = icmp eq i32 %21, 0
  br i1 %22, label %13, label %35

23:                                               ; preds = %4
  %24 = tail call ptr @penstock_call(ptr noundef %0, ptr noundef %1, i64 noundef %2) #6
  %25 = icmp eq ptr %24, @_Py_NotImplementedStruct
  br i1 %25, label %26, label %38

26:                                               ; preds = %23
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #5
  br label %27

27:                                               ; preds = %13, %10, %26
  %28 = phi ptr [ null, %26 ], [ %8, %10 ], [ %8, %13 ]
  %29 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %30 = load ptr, ptr %29, align 8
  %31 = getelementptr inbounds nuw i8, ptr %30, i64 104
  %32 = load ptr, ptr %31, align 8
  %33 = tail call ptr @PyObject_VectorcallDict(ptr noundef %32, ptr noundef %1, i64 noundef %2, ptr noundef %28) #5
  %34 = icmp eq ptr %28, null
  br i1 %34, label %38, label %35

35:                                               ; preds = %16, %27
  %36 = phi ptr [ %28, %27 ], [ %8, %16 ]
  %37 = phi ptr [ %33, %27 ], [ null, %16 ]
  tail call void @Py_DecRef(ptr noundef nonnull %36) #5
  br label %38

38:                                               ; preds = %35, %6, %23, %27
  %39 = phi ptr [ %33, %27 ], [ %24, %23 ], [ null, %6 ], [ %37, %35 ]
  ret ptr %39
}

declare ptr @PyObject_VectorcallDict(ptr noundef, ptr noundef, i64 noundef, ptr noundef) local_unnamed_addr #2

declare hidden i64 @native_first_look() local_unnamed_addr #2

declare ptr @PyEval_SaveThread() local_unnamed_addr #2

declare void @PyEval_RestoreThread(ptr noundef) local_unnamed_addr #2

declare void @PyErr_SetInterrupt() local_unnamed_addr #2

declare i32 @PyErr_CheckSignals() local_unnamed_addr #2

declare ptr @PyTuple_New(i64 noundef) local_unnamed_addr #2

declare i32 @PyTuple_SetItem(ptr noundef, i64 noundef, ptr noundef) local_unnamed_addr #2

declare i64 @PyThread_get_thread_ident() local_unnamed_addr #2

declare ptr @PyDict_New() local_unnamed_addr #2

declare i64 @PyTuple_Size(ptr noundef) local_unnamed_addr #2

declare i32 @PyDict_SetItem(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

declare ptr @PyTuple_GetItem(ptr noundef, i64 noundef) local_unnamed_addr #2

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #1 = { nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #2 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #5 = { nobuiltin nounwind "no-builtins" }
attributes #6 = { nobuiltin "no-builtins" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.mustprogress"}
!4 = distinct !{!4, !3}
!5 = distinct !{!5, !3}
!6 = distinct !{!6, !3}
