; memory.c as LLVM text, by clang 22.1.8; `make native` makes it anew.
; sources: a771eb91533766cd5059c282d26220d9598d54edc35a148b6fafad208c2fee2b
; text: 91acda53c8b6c840cae8bcd2e48ad029ed53cd25a68b40d94ebbf25475a2f03f
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.block = type { ptr, ptr, i64 }

@PyCapsule_Type = external constant i8, align 1
@name = internal constant [16 x i8] c"penstock.memory\00", align 16
@requests = internal unnamed_addr global i64 0, align 8
@kept = internal unnamed_addr global i64 0, align 8
@freed = internal unnamed_addr global [512 x ptr] zeroinitializer, align 16

; Function Attrs: nounwind
define hidden zeroext i1 @native_is_memory(ptr noundef %0) local_unnamed_addr #0 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load ptr, ptr %2, align 8
  %4 = icmp eq ptr %3, @PyCapsule_Type
  br i1 %4, label %5, label %8

5:                                                ; preds = %1
  %6 = tail call i32 @PyCapsule_IsValid(ptr noundef nonnull %0, ptr noundef nonnull @name) #4
  %7 = icmp ne i32 %6, 0
  br label %8

8:                                                ; preds = %5, %1
  %9 = phi i1 [ false, %1 ], [ %7, %5 ]
  ret i1 %9
}

declare i32 @PyCapsule_IsValid(ptr noundef, ptr noundef) local_unnamed_addr #1

; Function Attrs: nounwind
define hidden ptr @native_recycled(ptr noundef %0, i64 noundef %1, ptr noundef %2) local_unnamed_addr #0 {
  %4 = alloca ptr, align 8
  %5 = alloca %struct.block, align 8
  %6 = load i64, ptr @requests, align 8
  %7 = add i64 %6, 1
  store i64 %7, ptr @requests, align 8
  %8 = and i64 %7, 1023
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %10, label %36

10:                                               ; preds = %3
  %11 = add i64 %6, -1023
  br label %12

12:                                               ; preds = %17, %10
  %13 = phi i64 [ 0, %10 ], [ %18, %17 ]
  %14 = getelementptr inbounds nuw i8, ptr @freed, i64 %13
  %15 = load ptr, ptr %14, align 8
  %16 = icmp eq ptr %15, null
  br i1 %16, label %17, label %20

17:                                               ; preds = %32, %12
  %18 = add nuw nsw i64 %13, 8
  %19 = icmp samesign ult i64 %13, 4088
  br i1 %19, label %12, label %36, !llvm.loop !2

20:                                               ; preds = %12, %32
  %21 = phi ptr [ %34, %32 ], [ %15, %12 ]
  %22 = phi ptr [ %33, %32 ], [ %14, %12 ]
  %23 = getelementptr inbounds nuw i8, ptr %21, i64 24
  %24 = load i64, ptr %23, align 8
  %25 = icmp ult i64 %24, %11
  br i1 %25, label %26, label %32, !llvm.loop !4

26:                                               ; preds = %20
  %27 = load ptr, ptr %21, align 8
  store ptr %27, ptr %22, align 8
  %28 = getelementptr inbounds nuw i8, ptr %21, i64 8
  %29 = load i64, ptr %28, align 8
  %30 = load i64, ptr @kept, align 8
  %31 = sub nsw i64 %30, %29
  store i64 %31, ptr @kept, align 8
  tail call void @free(ptr noundef nonnull %21) #4
  br label %32

32:                                               ; preds = %26, %20
  %33 = phi ptr [ %22, %26 ], [ %21, %20 ]
  %34 = load ptr, ptr %33, align 8
  %35 = icmp eq ptr %34, null
  br i1 %35, label %17, label %20

36:                                               ; preds = %17, %3
  %37 = add i64 %1, -1
  %38 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %37, i1 true)
  %39 = trunc nuw nsw i64 %38 to i32
  %40 = sub nsw i32 60, %39
  %41 = zext i32 %40 to i64
  %42 = lshr i64 %37, %41
  %43 = add i64 %42, 1
  %44 = shl i64 %43, %41
  %45 = shl nsw i32 %40, 3
  %46 = add nsw i32 %45, -8
  %47 = sext i32 %46 to i64
  %48 = add i64 %42, %47
  %49 = getelementptr inbounds ptr, ptr @freed, i64 %48
  %50 = load ptr, ptr %49, align 8
  %51 = icmp eq ptr %50, null
  br i1 %51, label %58, label %52

52:                                               ; preds = %36
  %53 = load ptr, ptr %50, align 8
  store ptr %53, ptr %49, align 8
  %54 = getelementptr inbounds nuw i8, ptr %50, i64 8
  %55 = load i64, ptr %54, align 8
  %56 = load i64, ptr @kept, align 8
  %57 = sub nsw i64 %56, %55
  store i64 %57, ptr @kept, align 8
  br label %75

58:                                               ; preds = %36
  %59 = add i64 %44, 64
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #5
  store ptr null, ptr %4, align 8
  %60 = icmp ult i64 %59, 2097152
  %61 = select i1 %60, i64 64, i64 2097152
  %62 = call i32 @posix_memalign(ptr noundef nonnull %4, i64 noundef %61, i64 noundef %59) #4
  %63 = icmp eq i32 %62, 0
  br i1 %63, label %65, label %64

64:                                               ; preds = %58
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #5
  br label %98

65:                                               ; preds = %58
  %66 = icmp ugt i64 %59, 2097151
  br i1 %66, label %67, label %71

67:                                               ; preds = %65
  %68 = load ptr, ptr %4, align 8
  %69 = and i64 %59, -2097152
  %70 = call i32 @madvise(ptr noundef %68, i64 noundef %69, i32 noundef 14) #4
  br label %71

71:                                               ; preds = %65, %67
  %72 = load ptr, ptr %4, align 8
  %73 = getelementptr inbounds nuw i8, ptr %72, i64 8
  store i64 %44, ptr %73, align 8
  %74 = getelementptr inbounds nuw i8, ptr %72, i64 16
  store i64 %48, ptr %74, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #5
  br label %75

75:                                               ; preds = %71, %52
  %76 = phi ptr [ %50, %52 ], [ %72, %71 ]
  %77 = call ptr @PyCapsule_New(ptr noundef nonnull %76, ptr noundef nonnull @name, ptr noundef nonnull @destroy) #4
  %78 = icmp eq ptr %77, null
  br i1 %78, label %79, label %93

79:                                               ; preds = %75
  call void @PyErr_Clear() #4
  %80 = load i64, ptr @kept, align 8
  %81 = getelementptr inbounds nuw i8, ptr %76, i64 8
  %82 = load i64, ptr %81, align 8
  %83 = add nsw i64 %82, %80
  %84 = icmp sgt i64 %83, 67108864
  br i1 %84, label %85, label %86

85:                                               ; preds = %79
  call void @free(ptr noundef nonnull %76) #4
  br label %98

86:                                               ; preds = %79
  store i64 %83, ptr @kept, align 8
  %87 = load i64, ptr @requests, align 8
  %88 = getelementptr inbounds nuw i8, ptr %76, i64 24
  store i64 %87, ptr %88, align 8
  %89 = getelementptr inbounds nuw i8, ptr %76, i64 16
  %90 = load i64, ptr %89, align 8
  %91 = getelementptr inbounds ptr, ptr @freed, i64 %90
  %92 = load ptr, ptr %91, align 8
  store ptr %92, ptr %76, align 8
  store ptr %76, ptr %91, align 8
  br label %98

93:                                               ; preds = %75
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #5
  store ptr %77, ptr %5, align 8
  %94 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %95 = getelementptr inbounds nuw i8, ptr %76, i64 64
  store ptr %95, ptr %94, align 8
  %96 = getelementptr inbounds nuw i8, ptr %5, i64 16
  store i64 0, ptr %96, align 8
  %97 = call ptr @native_wrap(ptr noundef %0, ptr noundef %2, ptr noundef nonnull %5) #4
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #5
  br label %98

98:                                               ; preds = %86, %85, %64, %93
  %99 = phi ptr [ null, %86 ], [ %97, %93 ], [ null, %64 ], [ null, %85 ]
  ret ptr %99
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

declare ptr @PyCapsule_New(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #1

; Function Attrs: nounwind
define internal void @destroy(ptr noundef %0) #0 {
  %2 = tail call ptr @PyCapsule_GetPointer(ptr noundef %0, ptr noundef nonnull @name) #4
  %3 = load i64, ptr @kept, align 8
  %4 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add nsw i64 %5, %3
  %7 = icmp sgt i64 %6, 67108864
  br i1 %7, label %8, label %9

8:                                                ; preds = %1
  tail call void @free(ptr noundef nonnull %2) #4
  br label %16

9:                                                ; preds = %1
  store i64 %6, ptr @kept, align 8
  %10 = load i64, ptr @requests, align 8
  %11 = getelementptr inbounds nuw i8, ptr %2, i64 24
  store i64 %10, ptr %11, align 8
  %12 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %13 = load i64, ptr %12, align 8
  %14 = getelementptr inbounds ptr, ptr @freed, i64 %13
  %15 = load ptr, ptr %14, align 8
  store ptr %15, ptr %2, align 8
  store ptr %2, ptr %14, align 8
  br label %16

16:                                               ; preds = %8, %9
  ret void
}

declare void @PyErr_Clear() local_unnamed_addr #1

declare hidden ptr @native_wrap(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

; Function Attrs: nounwind
define i64 @penstock_eager_trim(i64 noundef %0) local_unnamed_addr #0 {
  %2 = load i64, ptr @requests, align 8
  %3 = icmp ule i64 %0, %2
  %4 = sub i64 %2, %0
  %5 = add i64 %4, 1
  br label %6

6:                                                ; preds = %11, %1
  %7 = phi i64 [ 0, %1 ], [ %12, %11 ]
  %8 = getelementptr inbounds nuw i8, ptr @freed, i64 %7
  %9 = load ptr, ptr %8, align 8
  %10 = icmp eq ptr %9, null
  br i1 %10, label %11, label %14

11:                                               ; preds = %27, %6
  %12 = add nuw nsw i64 %7, 8
  %13 = icmp samesign ult i64 %7, 4088
  br i1 %13, label %6, label %31, !llvm.loop !2

14:                                               ; preds = %6, %27
  %15 = phi ptr [ %29, %27 ], [ %9, %6 ]
  %16 = phi ptr [ %28, %27 ], [ %8, %6 ]
  %17 = getelementptr inbounds nuw i8, ptr %15, i64 24
  %18 = load i64, ptr %17, align 8
  %19 = icmp ugt i64 %5, %18
  %20 = select i1 %3, i1 %19, i1 false
  br i1 %20, label %21, label %27, !llvm.loop !4

21:                                               ; preds = %14
  %22 = load ptr, ptr %15, align 8
  store ptr %22, ptr %16, align 8
  %23 = getelementptr inbounds nuw i8, ptr %15, i64 8
  %24 = load i64, ptr %23, align 8
  %25 = load i64, ptr @kept, align 8
  %26 = sub nsw i64 %25, %24
  store i64 %26, ptr @kept, align 8
  tail call void @free(ptr noundef nonnull %15) #4
  br label %27

27:                                               ; preds = %21, %14
  %28 = phi ptr [ %16, %21 ], [ %15, %14 ]
  %29 = load ptr, ptr %28, align 8
  %30 = icmp eq ptr %29, null
  br i1 %30, label %11, label %14

31:                                               ; preds = %11
  %32 = load i64, ptr @kept, align 8
  ret i64 %32
}

declare i32 @posix_memalign(ptr noundef, i64 noundef, i64 noundef) local_unnamed_addr #1

declare i32 @madvise(ptr noundef, i64 noundef, i32 noundef) local_unnamed_addr #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.ctlz.i64(i64, i1 immarg) #3

declare ptr @PyCapsule_GetPointer(ptr noundef, ptr noundef) local_unnamed_addr #1

declare void @free(ptr noundef) local_unnamed_addr #1

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #1 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nobuiltin nounwind "no-builtins" }
attributes #5 = { nounwind }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.mustprogress"}
!4 = distinct !{!4, !3}
