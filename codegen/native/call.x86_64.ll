; call.c as LLVM text, by clang 22.1.8; `make native` makes it anew.
; sources: a1687bf9ce2588c8217e9b7d7b02392e87a7c69c9e43727314b621ff114706d2
; text: 69f67802609984ee8767d737f0a4f82d2faacd53239b98a342977a61dc11deb5
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

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define hidden zeroext i1 @native_is_array(ptr noundef readonly captures(address_is_null) %0) local_unnamed_addr #1 {
  %2 = icmp eq ptr %0, null
  br i1 %2, label %8, label %3

3:                                                ; preds = %1
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %5 = load ptr, ptr %4, align 8
  %6 = load ptr, ptr @array_type, align 8
  %7 = icmp eq ptr %5, %6
  br label %8

8:                                                ; preds = %3, %1
  %9 = phi i1 [ false, %1 ], [ %7, %3 ]
  ret i1 %9
}

; Function Attrs: nounwind
define hidden noundef ptr @native_claim_block(ptr noundef captures(ret: address, provenance) %0) local_unnamed_addr #2 {
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
  tail call void @Py_IncRef(ptr noundef nonnull %36) #6
  %37 = getelementptr inbounds nuw i8, ptr %35, i64 16
  %38 = load i64, ptr %37, align 8
  %39 = add nsw i64 %38, 1
  store i64 %39, ptr %37, align 8
  br label %40

40:                                               ; preds = %27, %31, %34, %1
  %41 = phi ptr [ null, %1 ], [ %35, %34 ], [ null, %31 ], [ null, %27 ]
  ret ptr %41
}

declare void @Py_IncRef(ptr noundef) local_unnamed_addr #3

; Function Attrs: nounwind
define ptr @penstock_claim_block(ptr noundef captures(none) %0) local_unnamed_addr #2 {
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
  tail call void @Py_IncRef(ptr noundef nonnull %36) #6
  %37 = getelementptr inbounds nuw i8, ptr %35, i64 16
  %38 = load i64, ptr %37, align 8
  %39 = add nsw i64 %38, 1
  store i64 %39, ptr %37, align 8
  %40 = load ptr, ptr %35, align 8
  br label %42

41:                                               ; preds = %1, %31, %27
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #6
  br label %42

42:                                               ; preds = %41, %34
  %43 = phi ptr [ %40, %34 ], [ @_Py_NoneStruct, %41 ]
  ret ptr %43
}

; Function Attrs: nounwind
define hidden ptr @native_array(ptr noundef readonly captures(none) %0) local_unnamed_addr #2 {
  %2 = load ptr, ptr %0, align 8
  tail call void @Py_IncRef(ptr noundef %2) #6
  %3 = load ptr, ptr @new_array, align 8
  %4 = load ptr, ptr @array_type, align 8
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load i64, ptr %6, align 8
  %8 = trunc i64 %7 to i32
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load ptr, ptr %9, align 8
  %11 = tail call ptr %3(ptr noundef %4, ptr noundef %5, i32 noundef %8, ptr noundef %10, ptr noundef null, ptr noundef null, i32 noundef 0, ptr noundef null) #6
  ret ptr %11
}

; Function Attrs: nounwind
define hidden ptr @native_own(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1) local_unnamed_addr #2 {
  %3 = load ptr, ptr %0, align 8
  tail call void @Py_IncRef(ptr noundef %3) #6
  %4 = load ptr, ptr @new_array, align 8
  %5 = load ptr, ptr @array_type, align 8
  %6 = load ptr, ptr %0, align 8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = load i64, ptr %7, align 8
  %9 = trunc i64 %8 to i32
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %11 = load ptr, ptr %10, align 8
  %12 = tail call ptr %4(ptr noundef %5, ptr noundef %6, i32 noundef %9, ptr noundef %11, ptr noundef null, ptr noundef null, i32 noundef 0, ptr noundef null) #6
  %13 = icmp eq ptr %12, null
  br i1 %13, label %14, label %15

14:                                               ; preds = %2
  tail call void @PyErr_Clear() #6
  br label %26

15:                                               ; preds = %2
  %16 = getelementptr inbounds nuw i8, ptr %12, i64 16
  %17 = load ptr, ptr %16, align 8
  %18 = ptrtoint ptr %17 to i64
  %19 = and i64 %18, 15
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %22, label %21

21:                                               ; preds = %15
  tail call void @Py_DecRef(ptr noundef nonnull %12) #6
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

declare void @PyErr_Clear() local_unnamed_addr #3

declare void @Py_DecRef(ptr noundef) local_unnamed_addr #3

; Function Attrs: nounwind
define hidden ptr @native_wrap(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, ptr noundef readonly captures(none) %2) local_unnamed_addr #2 {
  %4 = load ptr, ptr %2, align 8
  %5 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %6 = load ptr, ptr %5, align 8
  %7 = load ptr, ptr %0, align 8
  tail call void @Py_IncRef(ptr noundef %7) #6
  %8 = load ptr, ptr @new_array, align 8
  %9 = load ptr, ptr @array_type, align 8
  %10 = load ptr, ptr %0, align 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %12 = load i64, ptr %11, align 8
  %13 = trunc i64 %12 to i32
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr %8(ptr noundef %9, ptr noundef %10, i32 noundef %13, ptr noundef %15, ptr noundef null, ptr noundef %6, i32 noundef 1281, ptr noundef null) #6
  %17 = icmp eq ptr %16, null
  br i1 %17, label %27, label %18

18:                                               ; preds = %3
  %19 = load ptr, ptr @set_base, align 8
  %20 = tail call i32 %19(ptr noundef nonnull %16, ptr noundef %4) #6
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
  tail call void @Py_DecRef(ptr noundef %28) #6
  tail call void @PyErr_Clear() #6
  br label %29

29:                                               ; preds = %27, %22
  %30 = phi ptr [ null, %27 ], [ %16, %22 ]
  ret ptr %30
}

; Function Attrs: nounwind
define hidden ptr @native_result(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1) local_unnamed_addr #2 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %4 = load ptr, ptr %3, align 8
  %5 = icmp eq ptr %4, null
  br i1 %5, label %6, label %30

6:                                                ; preds = %2
  %7 = load ptr, ptr %0, align 8
  tail call void @Py_IncRef(ptr noundef %7) #6
  %8 = load ptr, ptr @new_array, align 8
  %9 = load ptr, ptr @array_type, align 8
  %10 = load ptr, ptr %0, align 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %12 = load i64, ptr %11, align 8
  %13 = trunc i64 %12 to i32
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr %8(ptr noundef %9, ptr noundef %10, i32 noundef %13, ptr noundef %15, ptr noundef null, ptr noundef null, i32 noundef 0, ptr noundef null) #6
  %17 = icmp eq ptr %16, null
  br i1 %17, label %18, label %19

18:                                               ; preds = %6
  tail call void @PyErr_Clear() #6
  br label %94

19:                                               ; preds = %6
  %20 = getelementptr inbounds nuw i8, ptr %16, i64 16
  %21 = load ptr, ptr %20, align 8
  %22 = ptrtoint ptr %21 to i64
  %23 = and i64 %22, 15
  %24 = icmp eq i64 %23, 0
  br i1 %24, label %26, label %25

25:                                               ; preds = %19
  tail call void @Py_DecRef(ptr noundef nonnull %16) #6
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
  tail call void @Py_IncRef(ptr noundef nonnull %65) #6
  %66 = getelementptr inbounds nuw i8, ptr %64, i64 16
  %67 = load i64, ptr %66, align 8
  %68 = add nsw i64 %67, 1
  store i64 %68, ptr %66, align 8
  %69 = load ptr, ptr %64, align 8
  %70 = getelementptr inbounds nuw i8, ptr %64, i64 8
  %71 = load ptr, ptr %70, align 8
  %72 = load ptr, ptr %0, align 8
  tail call void @Py_IncRef(ptr noundef %72) #6
  %73 = load ptr, ptr @new_array, align 8
  %74 = load ptr, ptr @array_type, align 8
  %75 = load ptr, ptr %0, align 8
  %76 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %77 = load i64, ptr %76, align 8
  %78 = trunc i64 %77 to i32
  %79 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %80 = load ptr, ptr %79, align 8
  %81 = tail call ptr %73(ptr noundef %74, ptr noundef %75, i32 noundef %78, ptr noundef %80, ptr noundef null, ptr noundef %71, i32 noundef 1281, ptr noundef null) #6
  %82 = icmp eq ptr %81, null
  br i1 %82, label %92, label %83

83:                                               ; preds = %63
  %84 = load ptr, ptr @set_base, align 8
  %85 = tail call i32 %84(ptr noundef nonnull %81, ptr noundef %69) #6
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
  tail call void @Py_DecRef(ptr noundef %93) #6
  tail call void @PyErr_Clear() #6
  br label %94

94:                                               ; preds = %56, %60, %30, %92, %87, %26, %25, %18
  %95 = phi ptr [ %81, %87 ], [ null, %25 ], [ null, %18 ], [ %16, %26 ], [ null, %92 ], [ null, %30 ], [ null, %60 ], [ null, %56 ]
  ret ptr %95
}

; Function Attrs: nounwind
define ptr @penstock_invoke(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #2 {
  %4 = load ptr, ptr %1, align 8
  %5 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %4) #6
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %7 = load ptr, ptr %6, align 8
  %8 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %7) #6
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %10 = load ptr, ptr %9, align 8
  %11 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %10) #6
  %12 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %13 = load ptr, ptr %12, align 8
  %14 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %13) #6
  %15 = tail call ptr @PyErr_Occurred() #6
  %16 = icmp eq ptr %15, null
  br i1 %16, label %17, label %36

17:                                               ; preds = %3
  %18 = tail call i64 @native_first_look() #6
  store i64 %18, ptr %14, align 8
  %19 = tail call ptr @PyEval_SaveThread() #6
  %20 = getelementptr inbounds nuw i8, ptr %14, i64 16
  store ptr %19, ptr %20, align 8
  %21 = tail call i32 %5(ptr noundef %8, ptr noundef %11) #6
  %22 = load ptr, ptr %20, align 8
  tail call void @PyEval_RestoreThread(ptr noundef %22) #6
  %23 = tail call zeroext i1 @native_failed(ptr noundef nonnull %14) #6
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
  tail call void @PyErr_SetInterrupt() #6
  %31 = tail call i32 @PyErr_CheckSignals() #6
  %32 = icmp eq i32 %31, 0
  br i1 %32, label %33, label %36

33:                                               ; preds = %30, %26, %24
  %34 = sext i32 %21 to i64
  %35 = tail call ptr @PyLong_FromLong(i64 noundef %34) #6
  br label %36

36:                                               ; preds = %33, %17, %30, %3
  %37 = phi ptr [ null, %3 ], [ %35, %33 ], [ null, %17 ], [ null, %30 ]
  ret ptr %37
}

declare ptr @PyLong_AsVoidPtr(ptr noundef) local_unnamed_addr #3

declare ptr @PyErr_Occurred() local_unnamed_addr #3

declare hidden zeroext i1 @native_failed(ptr noundef) local_unnamed_addr #3

declare hidden i32 @native_look(ptr noundef) #3

declare ptr @PyLong_FromLong(i64 noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define range(i32 0, 2) i32 @penstock_claim(ptr noundef captures(none) %0) local_unnamed_addr #4 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %3 = load i64, ptr %2, align 8
  %4 = icmp eq i64 %3, 0
  store i64 1, ptr %2, align 8
  %5 = zext i1 %4 to i32
  ret i32 %5
}

; Function Attrs: nounwind
define hidden ptr @native_call(ptr noundef captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #2 {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %5 = load i64, ptr %4, align 8
  %6 = icmp eq i64 %2, %5
  br i1 %6, label %7, label %189

7:                                                ; preds = %3
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %9 = load i64, ptr %8, align 8
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %11, label %189

11:                                               ; preds = %7
  store i64 1, ptr %8, align 8
  %12 = icmp sgt i64 %2, 0
  br i1 %12, label %13, label %73

13:                                               ; preds = %11
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %16 = load ptr, ptr @array_type, align 8
  br label %17

17:                                               ; preds = %13, %67
  %18 = phi i64 [ 0, %13 ], [ %71, %67 ]
  %19 = load ptr, ptr %14, align 8
  %20 = getelementptr inbounds nuw %struct.feed, ptr %19, i64 %18
  %21 = getelementptr inbounds nuw ptr, ptr %1, i64 %18
  %22 = load ptr, ptr %21, align 8
  %23 = load ptr, ptr %15, align 8
  %24 = getelementptr inbounds nuw i8, ptr %22, i64 8
  %25 = load ptr, ptr %24, align 8
  %26 = icmp eq ptr %25, %16
  br i1 %26, label %27, label %188

27:                                               ; preds = %17
  %28 = getelementptr inbounds nuw i8, ptr %22, i64 56
  %29 = load ptr, ptr %28, align 8
  %30 = load ptr, ptr %20, align 8
  %31 = icmp eq ptr %29, %30
  br i1 %31, label %32, label %188

32:                                               ; preds = %27
  %33 = getelementptr inbounds nuw i8, ptr %22, i64 24
  %34 = load i32, ptr %33, align 8
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds nuw i8, ptr %20, i64 8
  %37 = load i64, ptr %36, align 8
  %38 = icmp eq i64 %37, %35
  br i1 %38, label %39, label %188

39:                                               ; preds = %32
  %40 = getelementptr inbounds nuw i8, ptr %22, i64 64
  %41 = load i32, ptr %40, align 8
  %42 = and i32 %41, 257
  %43 = icmp eq i32 %42, 257
  br i1 %43, label %44, label %188

44:                                               ; preds = %39
  %45 = getelementptr inbounds nuw i8, ptr %22, i64 16
  %46 = load ptr, ptr %45, align 8
  %47 = ptrtoint ptr %46 to i64
  %48 = and i64 %47, 15
  %49 = icmp eq i64 %48, 0
  br i1 %49, label %50, label %188

50:                                               ; preds = %44
  %51 = icmp sgt i32 %34, 0
  br i1 %51, label %52, label %67

52:                                               ; preds = %50
  %53 = getelementptr inbounds nuw i8, ptr %22, i64 32
  %54 = load ptr, ptr %53, align 8
  %55 = getelementptr inbounds nuw i8, ptr %20, i64 16
  %56 = load ptr, ptr %55, align 8
  br label %60

57:                                               ; preds = %60
  %58 = add nuw nsw i64 %61, 1
  %59 = icmp eq i64 %58, %35
  br i1 %59, label %67, label %60, !llvm.loop !2

60:                                               ; preds = %57, %52
  %61 = phi i64 [ 0, %52 ], [ %58, %57 ]
  %62 = getelementptr inbounds nuw i64, ptr %54, i64 %61
  %63 = load i64, ptr %62, align 8
  %64 = getelementptr inbounds nuw i64, ptr %56, i64 %61
  %65 = load i64, ptr %64, align 8
  %66 = icmp eq i64 %63, %65
  br i1 %66, label %57, label %188

67:                                               ; preds = %57, %50
  %68 = getelementptr inbounds nuw i8, ptr %20, i64 24
  %69 = load i64, ptr %68, align 8
  %70 = getelementptr inbounds ptr, ptr %23, i64 %69
  store ptr %46, ptr %70, align 8
  %71 = add nuw nsw i64 %18, 1
  %72 = icmp eq i64 %71, %2
  br i1 %72, label %73, label %17, !llvm.loop !4

73:                                               ; preds = %67, %11
  %74 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %75 = load i64, ptr %74, align 8
  switch i64 %75, label %77 [
    i64 0, label %76
    i64 1, label %102
  ]

76:                                               ; preds = %73
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #6
  br label %109

77:                                               ; preds = %73
  %78 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %79 = load i64, ptr %78, align 8
  %80 = tail call ptr @PyTuple_New(i64 noundef %79) #6
  %81 = icmp eq ptr %80, null
  br i1 %81, label %88, label %82

82:                                               ; preds = %77
  %83 = load i64, ptr %78, align 8
  %84 = icmp sgt i64 %83, 0
  br i1 %84, label %85, label %109

85:                                               ; preds = %82
  %86 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %87 = getelementptr inbounds nuw i8, ptr %0, i64 16
  br label %89

88:                                               ; preds = %77
  tail call void @PyErr_Clear() #6
  br label %188

89:                                               ; preds = %97, %85
  %90 = phi i64 [ 0, %85 ], [ %99, %97 ]
  %91 = load ptr, ptr %86, align 8
  %92 = getelementptr inbounds nuw %struct.fetch, ptr %91, i64 %90
  %93 = load ptr, ptr %87, align 8
  %94 = tail call ptr @native_result(ptr noundef %92, ptr noundef %93) #7
  %95 = icmp eq ptr %94, null
  br i1 %95, label %96, label %97

96:                                               ; preds = %89
  tail call void @Py_DecRef(ptr noundef nonnull %80) #6
  br label %188

97:                                               ; preds = %89
  %98 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %80, i64 noundef %90, ptr noundef nonnull %94) #6
  %99 = add nuw nsw i64 %90, 1
  %100 = load i64, ptr %78, align 8
  %101 = icmp slt i64 %99, %100
  br i1 %101, label %89, label %109, !llvm.loop !5

102:                                              ; preds = %73
  %103 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %104 = load ptr, ptr %103, align 8
  %105 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %106 = load ptr, ptr %105, align 8
  %107 = tail call ptr @native_result(ptr noundef %104, ptr noundef %106) #7
  %108 = icmp eq ptr %107, null
  br i1 %108, label %188, label %109

109:                                              ; preds = %97, %82, %76, %102
  %110 = phi ptr [ %107, %102 ], [ @_Py_NoneStruct, %76 ], [ %80, %82 ], [ %80, %97 ]
  %111 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %112 = load ptr, ptr %111, align 8
  %113 = icmp eq ptr %112, null
  br i1 %113, label %147, label %114

114:                                              ; preds = %109
  %115 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %116 = load i64, ptr %115, align 8
  %117 = icmp ne i64 %116, 0
  %118 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %119 = load i64, ptr %118, align 8
  %120 = icmp ne i64 %119, 0
  %121 = select i1 %120, i1 true, i1 %117
  %122 = load i64, ptr %112, align 8
  %123 = getelementptr inbounds nuw i8, ptr %112, i64 16
  %124 = load i64, ptr %123, align 8
  %125 = or i64 %124, %122
  br i1 %121, label %126, label %129

126:                                              ; preds = %114
  %127 = getelementptr inbounds nuw i8, ptr %112, i64 8
  %128 = load i64, ptr %127, align 8
  br label %129

129:                                              ; preds = %126, %114
  %130 = phi i64 [ %128, %126 ], [ 0, %114 ]
  %131 = or i64 %125, %130
  %132 = icmp eq i64 %131, 0
  br i1 %132, label %133, label %187

133:                                              ; preds = %129
  %134 = getelementptr inbounds nuw i8, ptr %112, i64 8
  %135 = select i1 %121, ptr %123, ptr %134
  %136 = load i64, ptr %135, align 8
  %137 = add nsw i64 %136, 1
  store i64 %137, ptr %135, align 8
  br i1 %117, label %138, label %142

138:                                              ; preds = %133
  %139 = tail call i64 @PyThread_get_thread_ident() #6
  %140 = getelementptr inbounds nuw i8, ptr %112, i64 24
  store i64 %139, ptr %140, align 8
  %141 = load i64, ptr %118, align 8
  br label %144

142:                                              ; preds = %133
  %143 = getelementptr inbounds nuw i8, ptr %112, i64 24
  store i64 0, ptr %143, align 8
  br label %144

144:                                              ; preds = %138, %142
  %145 = phi i64 [ %141, %138 ], [ 0, %142 ]
  %146 = getelementptr inbounds nuw i8, ptr %112, i64 32
  store i64 %145, ptr %146, align 8
  br label %147

147:                                              ; preds = %144, %109
  %148 = phi ptr [ %135, %144 ], [ null, %109 ]
  %149 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %150 = load i64, ptr %149, align 8
  %151 = icmp ugt i64 %150, 30000
  %152 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %153 = load ptr, ptr %152, align 8
  %154 = tail call i64 @llvm.readcyclecounter()
  %155 = load ptr, ptr %0, align 8
  %156 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %157 = load ptr, ptr %156, align 8
  %158 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %159 = load ptr, ptr %158, align 8
  br i1 %151, label %163, label %160

160:                                              ; preds = %147
  store i64 0, ptr %153, align 8
  %161 = getelementptr inbounds nuw i8, ptr %153, i64 16
  store ptr null, ptr %161, align 8
  %162 = tail call i32 %155(ptr noundef %157, ptr noundef %159) #6
  br label %169

163:                                              ; preds = %147
  %164 = tail call i64 @native_first_look() #6
  store i64 %164, ptr %153, align 8
  %165 = tail call ptr @PyEval_SaveThread() #6
  %166 = getelementptr inbounds nuw i8, ptr %153, i64 16
  store ptr %165, ptr %166, align 8
  %167 = tail call i32 %155(ptr noundef %157, ptr noundef %159) #6
  %168 = load ptr, ptr %166, align 8
  tail call void @PyEval_RestoreThread(ptr noundef %168) #6
  br label %169

169:                                              ; preds = %160, %163
  %170 = phi i32 [ %167, %163 ], [ %162, %160 ]
  %171 = tail call i64 @llvm.readcyclecounter()
  %172 = sub i64 %171, %154
  store i64 %172, ptr %149, align 8
  %173 = icmp eq ptr %148, null
  br i1 %173, label %179, label %174

174:                                              ; preds = %169
  %175 = load i64, ptr %148, align 8
  %176 = add nsw i64 %175, -1
  store i64 %176, ptr %148, align 8
  %177 = getelementptr inbounds nuw i8, ptr %112, i64 32
  store i64 0, ptr %177, align 8
  %178 = getelementptr inbounds nuw i8, ptr %112, i64 24
  store i64 0, ptr %178, align 8
  br label %179

179:                                              ; preds = %174, %169
  %180 = tail call zeroext i1 @native_failed(ptr noundef nonnull %153) #6
  store i64 0, ptr %8, align 8
  %181 = icmp ne i32 %170, 0
  %182 = select i1 %180, i1 true, i1 %181
  br i1 %182, label %183, label %190

183:                                              ; preds = %179
  tail call void @Py_DecRef(ptr noundef nonnull %110) #6
  br i1 %180, label %190, label %184

184:                                              ; preds = %183
  tail call void @PyErr_SetInterrupt() #6
  %185 = tail call i32 @PyErr_CheckSignals() #6
  %186 = icmp eq i32 %185, 0
  br i1 %186, label %189, label %190

187:                                              ; preds = %129
  tail call void @Py_DecRef(ptr noundef nonnull %110) #6
  br label %188

188:                                              ; preds = %32, %39, %44, %27, %17, %60, %88, %96, %102, %187
  store i64 0, ptr %8, align 8
  br label %189

189:                                              ; preds = %184, %3, %7, %188
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #6
  br label %190

190:                                              ; preds = %189, %179, %183, %184
  %191 = phi ptr [ null, %183 ], [ null, %184 ], [ %110, %179 ], [ @_Py_NotImplementedStruct, %189 ]
  ret ptr %191
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare i64 @llvm.readcyclecounter() #5

; Function Attrs: nounwind
define ptr @penstock_call(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #2 {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = tail call ptr @native_call(ptr noundef %5, ptr noundef %1, i64 noundef %2) #7
  ret ptr %6
}

; Function Attrs: nounwind
define ptr @penstock_serve(ptr noundef readonly captures(none) %0, ptr noundef %1, i64 noundef %2, ptr noundef %3) local_unnamed_addr #2 {
  %5 = icmp eq ptr %3, null
  br i1 %5, label %23, label %6

6:                                                ; preds = %4
  %7 = getelementptr inbounds ptr, ptr %1, i64 %2
  %8 = tail call ptr @PyDict_New() #6
  %9 = icmp eq ptr %8, null
  br i1 %9, label %40, label %10

10:                                               ; preds = %6
  %11 = tail call i64 @PyTuple_Size(ptr noundef nonnull %3) #6
  %12 = icmp sgt i64 %11, 0
  br i1 %12, label %16, label %29

13:                                               ; preds = %16
  %14 = add nuw nsw i64 %17, 1
  %15 = icmp eq i64 %14, %11
  br i1 %15, label %29, label %16, !llvm.loop !6

16:                                               ; preds = %10, %13
  %17 = phi i64 [ %14, %13 ], [ 0, %10 ]
  %18 = tail call ptr @PyTuple_GetItem(ptr noundef nonnull %3, i64 noundef %17) #6
  %19 = getelementptr inbounds nuw ptr, ptr %7, i64 %17
  %20 = load ptr, ptr %19, align 8
  %21 = tail call i32 @PyDict_SetItem(ptr noundef nonnull %8, ptr noundef %18, ptr noundef %20) #6
  %22 = icmp eq i32 %21, 0
  br i1 %22, label %13, label %37

23:                                               ; preds = %4
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %25 = load ptr, ptr %24, align 8
  %26 = tail call ptr @native_call(ptr noundef %25, ptr noundef readonly %1, i64 noundef %2) #7
  %27 = icmp eq ptr %26, @_Py_NotImplementedStruct
  br i1 %27, label %28, label %40

28:                                               ; preds = %23
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #6
  br label %29

29:                                               ; preds = %13, %10, %28
  %30 = phi ptr [ null, %28 ], [ %8, %10 ], [ %8, %13 ]
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %32 = load ptr, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %32, i64 104
  %34 = load ptr, ptr %33, align 8
  %35 = tail call ptr @PyObject_VectorcallDict(ptr noundef %34, ptr noundef %1, i64 noundef %2, ptr noundef %30) #6
  %36 = icmp eq ptr %30, null
  br i1 %36, label %40, label %37

37:                                               ; preds = %16, %29
  %38 = phi ptr [ %30, %29 ], [ %8, %16 ]
  %39 = phi ptr [ %35, %29 ], [ null, %16 ]
  tail call void @Py_DecRef(ptr noundef nonnull %38) #6
  br label %40

40:                                               ; preds = %37, %6, %23, %29
  %41 = phi ptr [ %35, %29 ], [ %26, %23 ], [ null, %6 ], [ %39, %37 ]
  ret ptr %41
}

declare ptr @PyObject_VectorcallDict(ptr noundef, ptr noundef, i64 noundef, ptr noundef) local_unnamed_addr #3

declare hidden i64 @native_first_look() local_unnamed_addr #3

declare ptr @PyEval_SaveThread() local_unnamed_addr #3

declare void @PyEval_RestoreThread(ptr noundef) local_unnamed_addr #3

declare void @PyErr_SetInterrupt() local_unnamed_addr #3

declare i32 @PyErr_CheckSignals() local_unnamed_addr #3

declare ptr @PyTuple_New(i64 noundef) local_unnamed_addr #3

declare i32 @PyTuple_SetItem(ptr noundef, i64 noundef, ptr noundef) local_unnamed_addr #3

declare i64 @PyThread_get_thread_ident() local_unnamed_addr #3

declare ptr @PyDict_New() local_unnamed_addr #3

declare i64 @PyTuple_Size(ptr noundef) local_unnamed_addr #3

declare i32 @PyDict_SetItem(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #3

declare ptr @PyTuple_GetItem(ptr noundef, i64 noundef) local_unnamed_addr #3

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind willreturn memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #2 = { nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #3 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #6 = { nobuiltin nounwind "no-builtins" }
attributes #7 = { nobuiltin "no-builtins" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.mustprogress"}
!4 = distinct !{!4, !3}
!5 = distinct !{!5, !3}
!6 = distinct !{!6, !3}
