; call.c as LLVM text, by clang 22.1.8; `make native` makes it anew.
; sources: ad946e8b1ae9883178522fccef8c9177bb06a05d2f54cdb9ded1fa0822752369
; text: ee254f73861890f617a3f9f9ca44fb928080d9a77751638663a3ae3d9a1efd89
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

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read)
define hidden zeroext i1 @native_is_usual(ptr noundef readonly captures(none) %0) local_unnamed_addr #2 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %3 = load i32, ptr %2, align 8
  %4 = and i32 %3, 257
  %5 = icmp eq i32 %4, 257
  br i1 %5, label %6, label %12

6:                                                ; preds = %1
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %8 = load ptr, ptr %7, align 8
  %9 = ptrtoint ptr %8 to i64
  %10 = and i64 %9, 15
  %11 = icmp eq i64 %10, 0
  br label %12

12:                                               ; preds = %6, %1
  %13 = phi i1 [ false, %1 ], [ %11, %6 ]
  ret i1 %13
}

; Function Attrs: nounwind
define hidden noundef ptr @native_claim_block(ptr noundef captures(ret: address, provenance) %0) local_unnamed_addr #3 {
  %2 = load i64, ptr %0, align 8
  %3 = icmp slt i64 %2, 0
  br i1 %3, label %42, label %4

4:                                                ; preds = %1
  %5 = add nuw nsw i64 %2, 1
  store i64 %5, ptr %0, align 8
  %6 = and i64 %5, 1023
  %7 = icmp eq i64 %6, 0
  br i1 %7, label %42, label %8

8:                                                ; preds = %4
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = load ptr, ptr %9, align 8
  %11 = icmp eq ptr %10, null
  br i1 %11, label %15, label %12

12:                                               ; preds = %8
  %13 = load i32, ptr %10, align 8
  %14 = icmp eq i32 %13, 1
  br i1 %14, label %36, label %15

15:                                               ; preds = %8, %12
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %17 = load ptr, ptr %16, align 8
  %18 = icmp eq ptr %17, null
  br i1 %18, label %22, label %19

19:                                               ; preds = %15
  %20 = load i32, ptr %17, align 8
  %21 = icmp eq i32 %20, 1
  br i1 %21, label %36, label %22

22:                                               ; preds = %19, %15
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %24 = load ptr, ptr %23, align 8
  %25 = icmp eq ptr %24, null
  br i1 %25, label %29, label %26

26:                                               ; preds = %22
  %27 = load i32, ptr %24, align 8
  %28 = icmp eq i32 %27, 1
  br i1 %28, label %36, label %29

29:                                               ; preds = %26, %22
  %30 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %31 = load ptr, ptr %30, align 8
  %32 = icmp eq ptr %31, null
  br i1 %32, label %42, label %33

33:                                               ; preds = %29
  %34 = load i32, ptr %31, align 8
  %35 = icmp eq i32 %34, 1
  br i1 %35, label %36, label %42

36:                                               ; preds = %33, %26, %19, %12
  %37 = phi ptr [ %9, %12 ], [ %16, %19 ], [ %23, %26 ], [ %30, %33 ]
  %38 = phi ptr [ %10, %12 ], [ %17, %19 ], [ %24, %26 ], [ %31, %33 ]
  tail call void @Py_IncRef(ptr noundef nonnull %38) #7
  %39 = getelementptr inbounds nuw i8, ptr %37, i64 16
  %40 = load i64, ptr %39, align 8
  %41 = add nsw i64 %40, 1
  store i64 %41, ptr %39, align 8
  br label %42

42:                                               ; preds = %29, %33, %36, %1, %4
  %43 = phi ptr [ null, %4 ], [ null, %1 ], [ %37, %36 ], [ null, %33 ], [ null, %29 ]
  ret ptr %43
}

declare void @Py_IncRef(ptr noundef) local_unnamed_addr #4

; Function Attrs: nounwind
define ptr @penstock_claim_block(ptr noundef captures(none) %0) local_unnamed_addr #3 {
  %2 = load i64, ptr %0, align 8
  %3 = icmp slt i64 %2, 0
  br i1 %3, label %43, label %4

4:                                                ; preds = %1
  %5 = add nuw nsw i64 %2, 1
  store i64 %5, ptr %0, align 8
  %6 = and i64 %5, 1023
  %7 = icmp eq i64 %6, 0
  br i1 %7, label %43, label %8

8:                                                ; preds = %4
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = load ptr, ptr %9, align 8
  %11 = icmp eq ptr %10, null
  br i1 %11, label %15, label %12

12:                                               ; preds = %8
  %13 = load i32, ptr %10, align 8
  %14 = icmp eq i32 %13, 1
  br i1 %14, label %36, label %15

15:                                               ; preds = %12, %8
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %17 = load ptr, ptr %16, align 8
  %18 = icmp eq ptr %17, null
  br i1 %18, label %22, label %19

19:                                               ; preds = %15
  %20 = load i32, ptr %17, align 8
  %21 = icmp eq i32 %20, 1
  br i1 %21, label %36, label %22

22:                                               ; preds = %19, %15
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %24 = load ptr, ptr %23, align 8
  %25 = icmp eq ptr %24, null
  br i1 %25, label %29, label %26

26:                                               ; preds = %22
  %27 = load i32, ptr %24, align 8
  %28 = icmp eq i32 %27, 1
  br i1 %28, label %36, label %29

29:                                               ; preds = %26, %22
  %30 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %31 = load ptr, ptr %30, align 8
  %32 = icmp eq ptr %31, null
  br i1 %32, label %43, label %33

33:                                               ; preds = %29
  %34 = load i32, ptr %31, align 8
  %35 = icmp eq i32 %34, 1
  br i1 %35, label %36, label %43

36:                                               ; preds = %33, %26, %19, %12
  %37 = phi ptr [ %9, %12 ], [ %16, %19 ], [ %23, %26 ], [ %30, %33 ]
  %38 = phi ptr [ %10, %12 ], [ %17, %19 ], [ %24, %26 ], [ %31, %33 ]
  tail call void @Py_IncRef(ptr noundef nonnull %38) #7
  %39 = getelementptr inbounds nuw i8, ptr %37, i64 16
  %40 = load i64, ptr %39, align 8
  %41 = add nsw i64 %40, 1
  store i64 %41, ptr %39, align 8
  %42 = load ptr, ptr %37, align 8
  br label %44

43:                                               ; preds = %4, %1, %33, %29
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #7
  br label %44

44:                                               ; preds = %43, %36
  %45 = phi ptr [ %42, %36 ], [ @_Py_NoneStruct, %43 ]
  ret ptr %45
}

; Function Attrs: nounwind
define hidden ptr @native_array(ptr noundef readonly captures(none) %0) local_unnamed_addr #3 {
  %2 = load ptr, ptr %0, align 8
  tail call void @Py_IncRef(ptr noundef %2) #7
  %3 = load ptr, ptr @new_array, align 8
  %4 = load ptr, ptr @array_type, align 8
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load i64, ptr %6, align 8
  %8 = trunc i64 %7 to i32
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load ptr, ptr %9, align 8
  %11 = tail call ptr %3(ptr noundef %4, ptr noundef %5, i32 noundef %8, ptr noundef %10, ptr noundef null, ptr noundef null, i32 noundef 0, ptr noundef null) #7
  ret ptr %11
}

; Function Attrs: nounwind
define hidden ptr @native_own(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1) local_unnamed_addr #3 {
  %3 = load ptr, ptr %0, align 8
  tail call void @Py_IncRef(ptr noundef %3) #7
  %4 = load ptr, ptr @new_array, align 8
  %5 = load ptr, ptr @array_type, align 8
  %6 = load ptr, ptr %0, align 8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = load i64, ptr %7, align 8
  %9 = trunc i64 %8 to i32
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %11 = load ptr, ptr %10, align 8
  %12 = tail call ptr %4(ptr noundef %5, ptr noundef %6, i32 noundef %9, ptr noundef %11, ptr noundef null, ptr noundef null, i32 noundef 0, ptr noundef null) #7
  %13 = icmp eq ptr %12, null
  br i1 %13, label %14, label %15

14:                                               ; preds = %2
  tail call void @PyErr_Clear() #7
  br label %26

15:                                               ; preds = %2
  %16 = getelementptr inbounds nuw i8, ptr %12, i64 16
  %17 = load ptr, ptr %16, align 8
  %18 = ptrtoint ptr %17 to i64
  %19 = and i64 %18, 15
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %22, label %21

21:                                               ; preds = %15
  tail call void @Py_DecRef(ptr noundef nonnull %12) #7
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

declare void @PyErr_Clear() local_unnamed_addr #4

declare void @Py_DecRef(ptr noundef) local_unnamed_addr #4

; Function Attrs: nounwind
define hidden ptr @native_wrap(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, ptr noundef readonly captures(none) %2) local_unnamed_addr #3 {
  %4 = load ptr, ptr %2, align 8
  %5 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %6 = load ptr, ptr %5, align 8
  %7 = load ptr, ptr %0, align 8
  tail call void @Py_IncRef(ptr noundef %7) #7
  %8 = load ptr, ptr @new_array, align 8
  %9 = load ptr, ptr @array_type, align 8
  %10 = load ptr, ptr %0, align 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %12 = load i64, ptr %11, align 8
  %13 = trunc i64 %12 to i32
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr %8(ptr noundef %9, ptr noundef %10, i32 noundef %13, ptr noundef %15, ptr noundef null, ptr noundef %6, i32 noundef 1281, ptr noundef null) #7
  %17 = icmp eq ptr %16, null
  br i1 %17, label %27, label %18

18:                                               ; preds = %3
  %19 = load ptr, ptr @set_base, align 8
  %20 = tail call i32 %19(ptr noundef nonnull %16, ptr noundef %4) #7
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
  tail call void @Py_DecRef(ptr noundef %28) #7
  tail call void @PyErr_Clear() #7
  br label %29

29:                                               ; preds = %27, %22
  %30 = phi ptr [ null, %27 ], [ %16, %22 ]
  ret ptr %30
}

; Function Attrs: nounwind
define hidden ptr @native_result(ptr noundef %0, ptr noundef %1) local_unnamed_addr #3 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %4 = load ptr, ptr %3, align 8
  %5 = icmp eq ptr %4, null
  br i1 %5, label %6, label %30

6:                                                ; preds = %2
  %7 = load ptr, ptr %0, align 8
  tail call void @Py_IncRef(ptr noundef %7) #7
  %8 = load ptr, ptr @new_array, align 8
  %9 = load ptr, ptr @array_type, align 8
  %10 = load ptr, ptr %0, align 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %12 = load i64, ptr %11, align 8
  %13 = trunc i64 %12 to i32
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr %8(ptr noundef %9, ptr noundef %10, i32 noundef %13, ptr noundef %15, ptr noundef null, ptr noundef null, i32 noundef 0, ptr noundef null) #7
  %17 = icmp eq ptr %16, null
  br i1 %17, label %18, label %19

18:                                               ; preds = %6
  tail call void @PyErr_Clear() #7
  br label %99

19:                                               ; preds = %6
  %20 = getelementptr inbounds nuw i8, ptr %16, i64 16
  %21 = load ptr, ptr %20, align 8
  %22 = ptrtoint ptr %21 to i64
  %23 = and i64 %22, 15
  %24 = icmp eq i64 %23, 0
  br i1 %24, label %26, label %25

25:                                               ; preds = %19
  tail call void @Py_DecRef(ptr noundef nonnull %16) #7
  br label %99

26:                                               ; preds = %19
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %28 = load i64, ptr %27, align 8
  %29 = getelementptr inbounds ptr, ptr %1, i64 %28
  store ptr %21, ptr %29, align 8
  br label %99

30:                                               ; preds = %2
  %31 = load i64, ptr %4, align 8
  %32 = icmp slt i64 %31, 0
  br i1 %32, label %33, label %36

33:                                               ; preds = %30
  %34 = sub nsw i64 0, %31
  %35 = tail call ptr @native_recycled(ptr noundef nonnull %0, i64 noundef %34, ptr noundef %1) #7
  br label %99

36:                                               ; preds = %30
  %37 = add nuw nsw i64 %31, 1
  store i64 %37, ptr %4, align 8
  %38 = and i64 %37, 1023
  %39 = icmp eq i64 %38, 0
  br i1 %39, label %99, label %40

40:                                               ; preds = %36
  %41 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %42 = load ptr, ptr %41, align 8
  %43 = icmp eq ptr %42, null
  br i1 %43, label %47, label %44

44:                                               ; preds = %40
  %45 = load i32, ptr %42, align 8
  %46 = icmp eq i32 %45, 1
  br i1 %46, label %68, label %47

47:                                               ; preds = %44, %40
  %48 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %49 = load ptr, ptr %48, align 8
  %50 = icmp eq ptr %49, null
  br i1 %50, label %54, label %51

51:                                               ; preds = %47
  %52 = load i32, ptr %49, align 8
  %53 = icmp eq i32 %52, 1
  br i1 %53, label %68, label %54

54:                                               ; preds = %51, %47
  %55 = getelementptr inbounds nuw i8, ptr %4, i64 56
  %56 = load ptr, ptr %55, align 8
  %57 = icmp eq ptr %56, null
  br i1 %57, label %61, label %58

58:                                               ; preds = %54
  %59 = load i32, ptr %56, align 8
  %60 = icmp eq i32 %59, 1
  br i1 %60, label %68, label %61

61:                                               ; preds = %58, %54
  %62 = getelementptr inbounds nuw i8, ptr %4, i64 80
  %63 = load ptr, ptr %62, align 8
  %64 = icmp eq ptr %63, null
  br i1 %64, label %99, label %65

65:                                               ; preds = %61
  %66 = load i32, ptr %63, align 8
  %67 = icmp eq i32 %66, 1
  br i1 %67, label %68, label %99

68:                                               ; preds = %65, %58, %51, %44
  %69 = phi ptr [ %41, %44 ], [ %48, %51 ], [ %55, %58 ], [ %62, %65 ]
  %70 = phi ptr [ %42, %44 ], [ %49, %51 ], [ %56, %58 ], [ %63, %65 ]
  tail call void @Py_IncRef(ptr noundef nonnull %70) #7
  %71 = getelementptr inbounds nuw i8, ptr %69, i64 16
  %72 = load i64, ptr %71, align 8
  %73 = add nsw i64 %72, 1
  store i64 %73, ptr %71, align 8
  %74 = load ptr, ptr %69, align 8
  %75 = getelementptr inbounds nuw i8, ptr %69, i64 8
  %76 = load ptr, ptr %75, align 8
  %77 = load ptr, ptr %0, align 8
  tail call void @Py_IncRef(ptr noundef %77) #7
  %78 = load ptr, ptr @new_array, align 8
  %79 = load ptr, ptr @array_type, align 8
  %80 = load ptr, ptr %0, align 8
  %81 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %82 = load i64, ptr %81, align 8
  %83 = trunc i64 %82 to i32
  %84 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %85 = load ptr, ptr %84, align 8
  %86 = tail call ptr %78(ptr noundef %79, ptr noundef %80, i32 noundef %83, ptr noundef %85, ptr noundef null, ptr noundef %76, i32 noundef 1281, ptr noundef null) #7
  %87 = icmp eq ptr %86, null
  br i1 %87, label %97, label %88

88:                                               ; preds = %68
  %89 = load ptr, ptr @set_base, align 8
  %90 = tail call i32 %89(ptr noundef nonnull %86, ptr noundef %74) #7
  %91 = icmp eq i32 %90, 0
  br i1 %91, label %92, label %97

92:                                               ; preds = %88
  %93 = load ptr, ptr %75, align 8
  %94 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %95 = load i64, ptr %94, align 8
  %96 = getelementptr inbounds ptr, ptr %1, i64 %95
  store ptr %93, ptr %96, align 8
  br label %99

97:                                               ; preds = %88, %68
  %98 = phi ptr [ %74, %68 ], [ %86, %88 ]
  tail call void @Py_DecRef(ptr noundef %98) #7
  tail call void @PyErr_Clear() #7
  br label %99

99:                                               ; preds = %65, %61, %36, %97, %92, %26, %25, %18, %33
  %100 = phi ptr [ %35, %33 ], [ %86, %92 ], [ null, %25 ], [ null, %18 ], [ %16, %26 ], [ null, %97 ], [ null, %36 ], [ null, %61 ], [ null, %65 ]
  ret ptr %100
}

declare hidden ptr @native_recycled(ptr noundef, i64 noundef, ptr noundef) local_unnamed_addr #4

; Function Attrs: nounwind
define hidden ptr @native_view(ptr noundef readonly captures(address_is_null) %0, ptr noundef %1) local_unnamed_addr #3 {
  %3 = icmp eq ptr %0, null
  br i1 %3, label %56, label %4

4:                                                ; preds = %2
  %5 = icmp eq ptr %1, null
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %7 = load ptr, ptr @array_type, align 8
  %8 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 32
  br label %12

12:                                               ; preds = %4, %53
  %13 = phi ptr [ %0, %4 ], [ %54, %53 ]
  br i1 %5, label %53, label %14

14:                                               ; preds = %12
  %15 = load ptr, ptr %6, align 8
  %16 = icmp eq ptr %15, %7
  br i1 %16, label %17, label %53

17:                                               ; preds = %14
  %18 = load ptr, ptr %8, align 8
  %19 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %20 = load ptr, ptr %19, align 8
  %21 = icmp eq ptr %18, %20
  br i1 %21, label %22, label %53

22:                                               ; preds = %17
  %23 = load i32, ptr %9, align 8
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds nuw i8, ptr %13, i64 16
  %26 = load i64, ptr %25, align 8
  %27 = icmp eq i64 %26, %24
  br i1 %27, label %28, label %53

28:                                               ; preds = %22
  %29 = icmp slt i32 %23, 1
  br i1 %29, label %57, label %30

30:                                               ; preds = %28
  %31 = load ptr, ptr %11, align 8
  %32 = getelementptr inbounds nuw i8, ptr %13, i64 24
  %33 = load ptr, ptr %32, align 8
  %34 = getelementptr inbounds nuw i8, ptr %13, i64 32
  br label %38

35:                                               ; preds = %45
  %36 = add nuw nsw i64 %39, 1
  %37 = icmp eq i64 %36, %24
  br i1 %37, label %57, label %38, !llvm.loop !2

38:                                               ; preds = %35, %30
  %39 = phi i64 [ 0, %30 ], [ %36, %35 ]
  %40 = getelementptr inbounds nuw i64, ptr %31, i64 %39
  %41 = load i64, ptr %40, align 8
  %42 = getelementptr inbounds nuw i64, ptr %33, i64 %39
  %43 = load i64, ptr %42, align 8
  %44 = icmp eq i64 %41, %43
  br i1 %44, label %45, label %53

45:                                               ; preds = %38
  %46 = load ptr, ptr %10, align 8
  %47 = getelementptr inbounds nuw i64, ptr %46, i64 %39
  %48 = load i64, ptr %47, align 8
  %49 = load ptr, ptr %34, align 8
  %50 = getelementptr inbounds nuw i64, ptr %49, i64 %39
  %51 = load i64, ptr %50, align 8
  %52 = icmp eq i64 %48, %51
  br i1 %52, label %35, label %53

53:                                               ; preds = %38, %45, %17, %22, %12, %14
  %54 = load ptr, ptr %13, align 8
  %55 = icmp eq ptr %54, null
  br i1 %55, label %56, label %12, !llvm.loop !4

56:                                               ; preds = %53, %2
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #7
  br label %84

57:                                               ; preds = %28, %35
  %58 = getelementptr inbounds nuw i8, ptr %13, i64 8
  tail call void @Py_IncRef(ptr noundef %20) #7
  %59 = load ptr, ptr @new_array, align 8
  %60 = load ptr, ptr @array_type, align 8
  %61 = load ptr, ptr %58, align 8
  %62 = getelementptr inbounds nuw i8, ptr %13, i64 40
  %63 = load i64, ptr %62, align 8
  %64 = trunc i64 %63 to i32
  %65 = getelementptr inbounds nuw i8, ptr %13, i64 48
  %66 = load ptr, ptr %65, align 8
  %67 = getelementptr inbounds nuw i8, ptr %13, i64 56
  %68 = load ptr, ptr %67, align 8
  %69 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %70 = load ptr, ptr %69, align 8
  %71 = getelementptr inbounds nuw i8, ptr %13, i64 64
  %72 = load i64, ptr %71, align 8
  %73 = getelementptr inbounds i8, ptr %70, i64 %72
  %74 = getelementptr inbounds nuw i8, ptr %1, i64 64
  %75 = load i32, ptr %74, align 8
  %76 = and i32 %75, 1024
  %77 = tail call ptr %59(ptr noundef %60, ptr noundef %61, i32 noundef %64, ptr noundef %66, ptr noundef %68, ptr noundef %73, i32 noundef %76, ptr noundef null) #7
  %78 = icmp eq ptr %77, null
  br i1 %78, label %84, label %79

79:                                               ; preds = %57
  tail call void @Py_IncRef(ptr noundef nonnull %1) #7
  %80 = load ptr, ptr @set_base, align 8
  %81 = tail call i32 %80(ptr noundef nonnull %77, ptr noundef nonnull %1) #7
  %82 = icmp eq i32 %81, 0
  br i1 %82, label %84, label %83

83:                                               ; preds = %79
  tail call void @Py_DecRef(ptr noundef nonnull %77) #7
  br label %84

84:                                               ; preds = %83, %57, %79, %56
  %85 = phi ptr [ @_Py_NotImplementedStruct, %56 ], [ null, %83 ], [ null, %57 ], [ %77, %79 ]
  ret ptr %85
}

; Function Attrs: nounwind
define ptr @penstock_invoke(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #3 {
  %4 = load ptr, ptr %1, align 8
  %5 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %4) #7
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %7 = load ptr, ptr %6, align 8
  %8 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %7) #7
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %10 = load ptr, ptr %9, align 8
  %11 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %10) #7
  %12 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %13 = load ptr, ptr %12, align 8
  %14 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %13) #7
  %15 = tail call ptr @PyErr_Occurred() #7
  %16 = icmp eq ptr %15, null
  br i1 %16, label %17, label %36

17:                                               ; preds = %3
  %18 = tail call i64 @native_first_look() #7
  store i64 %18, ptr %14, align 8
  %19 = tail call ptr @PyEval_SaveThread() #7
  %20 = getelementptr inbounds nuw i8, ptr %14, i64 16
  store ptr %19, ptr %20, align 8
  %21 = tail call i32 %5(ptr noundef %8, ptr noundef %11) #7
  %22 = load ptr, ptr %20, align 8
  tail call void @PyEval_RestoreThread(ptr noundef %22) #7
  %23 = tail call zeroext i1 @native_failed(ptr noundef nonnull %14) #7
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
  tail call void @PyErr_SetInterrupt() #7
  %31 = tail call i32 @PyErr_CheckSignals() #7
  %32 = icmp eq i32 %31, 0
  br i1 %32, label %33, label %36

33:                                               ; preds = %30, %26, %24
  %34 = sext i32 %21 to i64
  %35 = tail call ptr @PyLong_FromLong(i64 noundef %34) #7
  br label %36

36:                                               ; preds = %33, %17, %30, %3
  %37 = phi ptr [ null, %3 ], [ %35, %33 ], [ null, %17 ], [ null, %30 ]
  ret ptr %37
}

declare ptr @PyLong_AsVoidPtr(ptr noundef) local_unnamed_addr #4

declare ptr @PyErr_Occurred() local_unnamed_addr #4

declare hidden zeroext i1 @native_failed(ptr noundef) local_unnamed_addr #4

declare hidden i32 @native_look(ptr noundef) #4

declare ptr @PyLong_FromLong(i64 noundef) local_unnamed_addr #4

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define range(i32 0, 2) i32 @penstock_claim(ptr noundef captures(none) %0) local_unnamed_addr #5 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %3 = load i64, ptr %2, align 8
  %4 = icmp eq i64 %3, 0
  store i64 1, ptr %2, align 8
  %5 = zext i1 %4 to i32
  ret i32 %5
}

; Function Attrs: nounwind
define hidden ptr @native_call(ptr noundef captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #3 {
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
  br i1 %59, label %67, label %60, !llvm.loop !5

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
  br i1 %72, label %73, label %17, !llvm.loop !6

73:                                               ; preds = %67, %11
  %74 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %75 = load i64, ptr %74, align 8
  switch i64 %75, label %77 [
    i64 0, label %76
    i64 1, label %102
  ]

76:                                               ; preds = %73
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #7
  br label %109

77:                                               ; preds = %73
  %78 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %79 = load i64, ptr %78, align 8
  %80 = tail call ptr @PyTuple_New(i64 noundef %79) #7
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
  tail call void @PyErr_Clear() #7
  br label %188

89:                                               ; preds = %97, %85
  %90 = phi i64 [ 0, %85 ], [ %99, %97 ]
  %91 = load ptr, ptr %86, align 8
  %92 = getelementptr inbounds nuw %struct.fetch, ptr %91, i64 %90
  %93 = load ptr, ptr %87, align 8
  %94 = tail call ptr @native_result(ptr noundef %92, ptr noundef %93) #8
  %95 = icmp eq ptr %94, null
  br i1 %95, label %96, label %97

96:                                               ; preds = %89
  tail call void @Py_DecRef(ptr noundef nonnull %80) #7
  br label %188

97:                                               ; preds = %89
  %98 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %80, i64 noundef %90, ptr noundef nonnull %94) #7
  %99 = add nuw nsw i64 %90, 1
  %100 = load i64, ptr %78, align 8
  %101 = icmp slt i64 %99, %100
  br i1 %101, label %89, label %109, !llvm.loop !7

102:                                              ; preds = %73
  %103 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %104 = load ptr, ptr %103, align 8
  %105 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %106 = load ptr, ptr %105, align 8
  %107 = tail call ptr @native_result(ptr noundef %104, ptr noundef %106) #8
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
  %139 = tail call i64 @PyThread_get_thread_ident() #7
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
  %162 = tail call i32 %155(ptr noundef %157, ptr noundef %159) #7
  br label %169

163:                                              ; preds = %147
  %164 = tail call i64 @native_first_look() #7
  store i64 %164, ptr %153, align 8
  %165 = tail call ptr @PyEval_SaveThread() #7
  %166 = getelementptr inbounds nuw i8, ptr %153, i64 16
  store ptr %165, ptr %166, align 8
  %167 = tail call i32 %155(ptr noundef %157, ptr noundef %159) #7
  %168 = load ptr, ptr %166, align 8
  tail call void @PyEval_RestoreThread(ptr noundef %168) #7
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
  %180 = tail call zeroext i1 @native_failed(ptr noundef nonnull %153) #7
  store i64 0, ptr %8, align 8
  %181 = icmp ne i32 %170, 0
  %182 = select i1 %180, i1 true, i1 %181
  br i1 %182, label %183, label %190

183:                                              ; preds = %179
  tail call void @Py_DecRef(ptr noundef nonnull %110) #7
  br i1 %180, label %190, label %184

184:                                              ; preds = %183
  tail call void @PyErr_SetInterrupt() #7
  %185 = tail call i32 @PyErr_CheckSignals() #7
  %186 = icmp eq i32 %185, 0
  br i1 %186, label %189, label %190

187:                                              ; preds = %129
  tail call void @Py_DecRef(ptr noundef nonnull %110) #7
  br label %188

188:                                              ; preds = %27, %32, %44, %39, %17, %60, %88, %96, %102, %187
  store i64 0, ptr %8, align 8
  br label %189

189:                                              ; preds = %184, %3, %7, %188
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #7
  br label %190

190:                                              ; preds = %189, %179, %183, %184
  %191 = phi ptr [ null, %183 ], [ null, %184 ], [ %110, %179 ], [ @_Py_NotImplementedStruct, %189 ]
  ret ptr %191
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare i64 @llvm.readcyclecounter() #6

; Function Attrs: nounwind
define ptr @penstock_call(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #3 {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = tail call ptr @native_call(ptr noundef %5, ptr noundef %1, i64 noundef %2) #8
  ret ptr %6
}

; Function Attrs: nounwind
define ptr @penstock_serve(ptr noundef readonly captures(none) %0, ptr noundef %1, i64 noundef %2, ptr noundef %3) local_unnamed_addr #3 {
  %5 = icmp eq ptr %3, null
  br i1 %5, label %23, label %6

6:                                                ; preds = %4
  %7 = getelementptr inbounds ptr, ptr %1, i64 %2
  %8 = tail call ptr @PyDict_New() #7
  %9 = icmp eq ptr %8, null
  br i1 %9, label %40, label %10

10:                                               ; preds = %6
  %11 = tail call i64 @PyTuple_Size(ptr noundef nonnull %3) #7
  %12 = icmp sgt i64 %11, 0
  br i1 %12, label %16, label %29

13:                                               ; preds = %16
  %14 = add nuw nsw i64 %17, 1
  %15 = icmp eq i64 %14, %11
  br i1 %15, label %29, label %16, !llvm.loop !8

16:                                               ; preds = %10, %13
  %17 = phi i64 [ %14, %13 ], [ 0, %10 ]
  %18 = tail call ptr @PyTuple_GetItem(ptr noundef nonnull %3, i64 noundef %17) #7
  %19 = getelementptr inbounds nuw ptr, ptr %7, i64 %17
  %20 = load ptr, ptr %19, align 8
  %21 = tail call i32 @PyDict_SetItem(ptr noundef nonnull %8, ptr noundef %18, ptr noundef %20) #7
  %22 = icmp eq i32 %21, 0
  br i1 %22, label %13, label %37

23:                                               ; preds = %4
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %25 = load ptr, ptr %24, align 8
  %26 = tail call ptr @native_call(ptr noundef %25, ptr noundef readonly %1, i64 noundef %2) #8
  %27 = icmp eq ptr %26, @_Py_NotImplementedStruct
  br i1 %27, label %28, label %40

28:                                               ; preds = %23
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #7
  br label %29

29:                                               ; preds = %13, %10, %28
  %30 = phi ptr [ null, %28 ], [ %8, %10 ], [ %8, %13 ]
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %32 = load ptr, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %32, i64 104
  %34 = load ptr, ptr %33, align 8
  %35 = tail call ptr @PyObject_VectorcallDict(ptr noundef %34, ptr noundef %1, i64 noundef %2, ptr noundef %30) #7
  %36 = icmp eq ptr %30, null
  br i1 %36, label %40, label %37

37:                                               ; preds = %16, %29
  %38 = phi ptr [ %30, %29 ], [ %8, %16 ]
  %39 = phi ptr [ %35, %29 ], [ null, %16 ]
  tail call void @Py_DecRef(ptr noundef nonnull %38) #7
  br label %40

40:                                               ; preds = %37, %6, %23, %29
  %41 = phi ptr [ %35, %29 ], [ %26, %23 ], [ null, %6 ], [ %39, %37 ]
  ret ptr %41
}

declare ptr @PyObject_VectorcallDict(ptr noundef, ptr noundef, i64 noundef, ptr noundef) local_unnamed_addr #4

declare hidden i64 @native_first_look() local_unnamed_addr #4

declare ptr @PyEval_SaveThread() local_unnamed_addr #4

declare void @PyEval_RestoreThread(ptr noundef) local_unnamed_addr #4

declare void @PyErr_SetInterrupt() local_unnamed_addr #4

declare i32 @PyErr_CheckSignals() local_unnamed_addr #4

declare ptr @PyTuple_New(i64 noundef) local_unnamed_addr #4

declare i32 @PyTuple_SetItem(ptr noundef, i64 noundef, ptr noundef) local_unnamed_addr #4

declare i64 @PyThread_get_thread_ident() local_unnamed_addr #4

declare ptr @PyDict_New() local_unnamed_addr #4

declare i64 @PyTuple_Size(ptr noundef) local_unnamed_addr #4

declare i32 @PyDict_SetItem(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #4

declare ptr @PyTuple_GetItem(ptr noundef, i64 noundef) local_unnamed_addr #4

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind willreturn memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #4 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #6 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #7 = { nobuiltin nounwind "no-builtins" }
attributes #8 = { nobuiltin "no-builtins" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.mustprogress"}
!4 = distinct !{!4, !3}
!5 = distinct !{!5, !3}
!6 = distinct !{!6, !3}
!7 = distinct !{!7, !3}
!8 = distinct !{!8, !3}
