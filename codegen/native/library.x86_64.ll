; library.c as LLVM text, by clang 22.1.8; `make native` makes it anew.
; sources: c26601ca3754ee132299e1efc03f3e335ac6051181ba8fb0ba6f55afc3c76802
; text: c076f47064dc92daf571e08e11660bef6c841dab1d680fcdb91d6662c2c49770
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.needs = type { [6 x i32] }
%struct.context = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr }
%struct.initial = type { i64, i64, ptr, i64 }

@pool = internal unnamed_addr global ptr null, align 8
@level = internal unnamed_addr global i64 0, align 8
@once = internal global i32 0, align 4
@trouble = internal unnamed_addr global i32 0, align 4
@library.levels = external hidden local_unnamed_addr constant i64, align 8
@library.needs = external hidden local_unnamed_addr constant [0 x %struct.needs], align 4
@.str = private unnamed_addr constant [21 x i8] c"PENSTOCK_NUM_THREADS\00", align 1

; Function Attrs: nounwind
define hidden range(i32 0, 7) i32 @library.set_threads(i32 noundef %0) local_unnamed_addr #0 {
  %2 = tail call i32 @pthread_once(ptr noundef nonnull @once, ptr noundef nonnull @set_up) #6
  %3 = load i32, ptr @trouble, align 4
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %5, label %10

5:                                                ; preds = %1
  %6 = add i32 %0, -1025
  %7 = icmp ult i32 %6, -1024
  br i1 %7, label %10, label %8

8:                                                ; preds = %5
  %9 = load ptr, ptr @pool, align 8
  tail call void @penstock_resize(ptr noundef %9, i32 noundef %0) #6
  br label %10

10:                                               ; preds = %5, %1, %8
  %11 = phi i32 [ 0, %8 ], [ %3, %1 ], [ 6, %5 ]
  ret i32 %11
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @penstock_resize(ptr noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nounwind
define hidden i32 @library.step(ptr noundef readonly captures(none) %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr #0 {
  %4 = alloca %struct.context, align 16
  %5 = tail call i32 @pthread_once(ptr noundef nonnull @once, ptr noundef nonnull @set_up) #6
  %6 = load i32, ptr @trouble, align 4
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %8, label %67

8:                                                ; preds = %3
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load i64, ptr %9, align 8
  %11 = icmp sgt i64 %10, 0
  br i1 %11, label %12, label %31

12:                                               ; preds = %8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %14 = load ptr, ptr %13, align 8
  br label %15

15:                                               ; preds = %28, %12
  %16 = phi i64 [ 0, %12 ], [ %29, %28 ]
  %17 = getelementptr inbounds nuw i64, ptr %14, i64 %16
  %18 = load i64, ptr %17, align 8
  %19 = icmp slt i64 %18, 0
  br i1 %19, label %28, label %20

20:                                               ; preds = %15
  %21 = getelementptr inbounds nuw ptr, ptr %1, i64 %16
  %22 = load ptr, ptr %21, align 8
  %23 = icmp eq ptr %22, null
  br i1 %23, label %67, label %24

24:                                               ; preds = %20
  %25 = ptrtoint ptr %22 to i64
  %26 = and i64 %18, %25
  %27 = icmp eq i64 %26, 0
  br i1 %27, label %28, label %67

28:                                               ; preds = %24, %15
  %29 = add nuw nsw i64 %16, 1
  %30 = icmp eq i64 %29, %10
  br i1 %30, label %31, label %15, !llvm.loop !2

31:                                               ; preds = %28, %8
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %33 = load i64, ptr %32, align 8
  %34 = icmp sgt i64 %33, -1
  br i1 %34, label %35, label %53

35:                                               ; preds = %31
  %36 = ptrtoint ptr %2 to i64
  %37 = and i64 %36, 63
  %38 = icmp eq i64 %37, 0
  br i1 %38, label %39, label %67

39:                                               ; preds = %35
  %40 = icmp eq ptr %2, null
  br i1 %40, label %41, label %48

41:                                               ; preds = %39
  %42 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %43 = load i64, ptr %42, align 8
  %44 = tail call ptr @aligned_alloc(i64 noundef 64, i64 noundef %43) #6
  %45 = icmp eq ptr %44, null
  br i1 %45, label %67, label %46

46:                                               ; preds = %41
  %47 = load i64, ptr %32, align 8
  br label %48

48:                                               ; preds = %46, %39
  %49 = phi i64 [ %33, %39 ], [ %47, %46 ]
  %50 = phi ptr [ %2, %39 ], [ %44, %46 ]
  %51 = phi ptr [ null, %39 ], [ %44, %46 ]
  %52 = getelementptr inbounds ptr, ptr %1, i64 %49
  store ptr %50, ptr %52, align 8
  br label %53

53:                                               ; preds = %48, %31
  %54 = phi ptr [ %51, %48 ], [ null, %31 ]
  %55 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %56 = load ptr, ptr %55, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #7
  %57 = load <2 x ptr>, ptr %56, align 8
  store <2 x ptr> %57, ptr %4, align 16
  %58 = getelementptr inbounds nuw i8, ptr %4, i64 16
  store ptr @penstock_parallel_for, ptr %58, align 16
  %59 = getelementptr inbounds nuw i8, ptr %4, i64 24
  %60 = load ptr, ptr @pool, align 8
  store ptr %60, ptr %59, align 8
  %61 = getelementptr inbounds nuw i8, ptr %4, i64 32
  store <4 x ptr> zeroinitializer, ptr %61, align 16
  %62 = load ptr, ptr %0, align 8
  %63 = load i64, ptr @level, align 8
  %64 = getelementptr inbounds ptr, ptr %62, i64 %63
  %65 = load ptr, ptr %64, align 8
  %66 = call i32 %65(ptr noundef nonnull %4, ptr noundef %1) #6
  call void @free(ptr noundef %54) #6
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #7
  br label %67

67:                                               ; preds = %24, %20, %3, %53, %35, %41
  %68 = phi i32 [ 5, %41 ], [ 4, %35 ], [ %66, %53 ], [ %6, %3 ], [ 3, %20 ], [ 4, %24 ]
  ret i32 %68
}

declare ptr @aligned_alloc(i64 noundef, i64 noundef) local_unnamed_addr #2

declare void @penstock_parallel_for(ptr noundef, ptr noundef, ptr noundef, i64 noundef) #2

declare void @free(ptr noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define hidden range(i32 0, 8) i32 @library.watch(ptr noundef captures(none) %0, i32 noundef %1, ptr noundef %2, ptr noundef %3) local_unnamed_addr #3 {
  %5 = zext i32 %1 to i64
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %7 = load i64, ptr %6, align 8
  %8 = icmp sgt i64 %7, %5
  br i1 %8, label %9, label %17

9:                                                ; preds = %4
  %10 = icmp ne ptr %2, null
  %11 = zext i1 %10 to i8
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %13 = load ptr, ptr %12, align 8
  %14 = getelementptr inbounds nuw i8, ptr %13, i64 %5
  store i8 %11, ptr %14, align 1
  br i1 %10, label %15, label %17

15:                                               ; preds = %9
  store ptr %2, ptr %0, align 8
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store ptr %3, ptr %16, align 8
  br label %17

17:                                               ; preds = %9, %15, %4
  %18 = phi i32 [ 7, %4 ], [ 0, %15 ], [ 0, %9 ]
  ret i32 %18
}

; Function Attrs: nounwind
define hidden range(i32 0, 5) i32 @library.initialize(ptr noundef writeonly captures(address_is_null) %0, ptr noundef %1, i64 noundef %2, ptr noundef readonly captures(none) %3) local_unnamed_addr #0 {
  %5 = icmp ne ptr %0, null
  %6 = icmp ne ptr %1, null
  %7 = and i1 %5, %6
  br i1 %7, label %8, label %39

8:                                                ; preds = %4
  %9 = ptrtoint ptr %1 to i64
  %10 = and i64 %9, 63
  %11 = icmp eq i64 %10, 0
  br i1 %11, label %12, label %39

12:                                               ; preds = %8
  %13 = icmp sgt i64 %2, 0
  br i1 %13, label %14, label %39

14:                                               ; preds = %12, %26
  %15 = phi i64 [ %27, %26 ], [ 0, %12 ]
  %16 = getelementptr inbounds nuw %struct.initial, ptr %3, i64 %15
  %17 = load i64, ptr %16, align 8
  %18 = getelementptr inbounds i8, ptr %1, i64 %17
  %19 = getelementptr inbounds nuw ptr, ptr %0, i64 %15
  store ptr %18, ptr %19, align 8
  %20 = getelementptr inbounds nuw i8, ptr %16, i64 8
  %21 = load i64, ptr %20, align 8
  %22 = icmp eq i64 %21, 0
  br i1 %22, label %26, label %23

23:                                               ; preds = %14
  %24 = getelementptr inbounds nuw i8, ptr %16, i64 24
  %25 = getelementptr inbounds nuw i8, ptr %16, i64 16
  br label %29

26:                                               ; preds = %29, %14
  %27 = add nuw nsw i64 %15, 1
  %28 = icmp eq i64 %27, %2
  br i1 %28, label %39, label %14, !llvm.loop !4

29:                                               ; preds = %23, %29
  %30 = phi i64 [ %21, %23 ], [ %37, %29 ]
  %31 = phi ptr [ %18, %23 ], [ %36, %29 ]
  %32 = load i64, ptr %24, align 8
  %33 = tail call i64 @llvm.smin.i64(i64 %30, i64 %32)
  %34 = load ptr, ptr %25, align 8
  %35 = tail call ptr @memcpy(ptr noundef %31, ptr noundef %34, i64 noundef %33) #6
  %36 = getelementptr inbounds i8, ptr %31, i64 %33
  %37 = sub nsw i64 %30, %33
  %38 = icmp eq i64 %37, 0
  br i1 %38, label %26, label %29, !llvm.loop !5

39:                                               ; preds = %26, %12, %8, %4
  %40 = phi i32 [ 3, %4 ], [ 4, %8 ], [ 0, %12 ], [ 0, %26 ]
  ret i32 %40
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #2

declare i32 @pthread_once(ptr noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: nounwind
define internal void @set_up() #0 {
  %1 = alloca [128 x i64], align 16
  %2 = alloca ptr, align 8
  %3 = tail call { i32, i32, i32, i32 } asm "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"(i32 1, i32 0) #8, !srcloc !6
  %4 = extractvalue { i32, i32, i32, i32 } %3, 2
  %5 = tail call { i32, i32, i32, i32 } asm "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"(i32 7, i32 0) #8, !srcloc !6
  %6 = extractvalue { i32, i32, i32, i32 } %5, 1
  %7 = tail call { i32, i32, i32, i32 } asm "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"(i32 -2147483647, i32 0) #8, !srcloc !6
  %8 = extractvalue { i32, i32, i32, i32 } %7, 2
  %9 = and i32 %4, 134217728
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %14, label %11

11:                                               ; preds = %0
  %12 = tail call { i32, i32 } asm "xgetbv", "={ax},={dx},{cx},~{dirflag},~{fpsr},~{flags}"(i32 0) #8, !srcloc !7
  %13 = extractvalue { i32, i32 } %12, 0
  br label %14

14:                                               ; preds = %11, %0
  %15 = phi i32 [ %13, %11 ], [ 0, %0 ]
  %16 = tail call { i32, i32, i32, i32 } asm "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"(i32 7, i32 1) #8, !srcloc !6
  %17 = extractvalue { i32, i32, i32, i32 } %16, 0
  %18 = tail call { i32, i32, i32, i32 } asm "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"(i32 0, i32 0) #8, !srcloc !6
  %19 = extractvalue { i32, i32, i32, i32 } %18, 1
  %20 = load i64, ptr @library.levels, align 8
  %21 = add nsw i64 %20, -1
  %22 = icmp sgt i64 %20, 0
  br i1 %22, label %23, label %57

23:                                               ; preds = %14, %54
  %24 = phi i64 [ %55, %54 ], [ %21, %14 ]
  %25 = getelementptr inbounds nuw %struct.needs, ptr @library.needs, i64 %24
  %26 = load i32, ptr %25, align 4
  %27 = and i32 %26, %4
  %28 = icmp eq i32 %27, %26
  br i1 %28, label %29, label %54

29:                                               ; preds = %23
  %30 = getelementptr inbounds nuw i8, ptr %25, i64 4
  %31 = load i32, ptr %30, align 4
  %32 = and i32 %31, %6
  %33 = icmp eq i32 %32, %31
  br i1 %33, label %34, label %54

34:                                               ; preds = %29
  %35 = getelementptr inbounds nuw i8, ptr %25, i64 8
  %36 = load i32, ptr %35, align 4
  %37 = and i32 %36, %8
  %38 = icmp eq i32 %37, %36
  br i1 %38, label %39, label %54

39:                                               ; preds = %34
  %40 = getelementptr inbounds nuw i8, ptr %25, i64 12
  %41 = load i32, ptr %40, align 4
  %42 = and i32 %41, %15
  %43 = icmp eq i32 %42, %41
  br i1 %43, label %44, label %54

44:                                               ; preds = %39
  %45 = getelementptr inbounds nuw i8, ptr %25, i64 16
  %46 = load i32, ptr %45, align 4
  %47 = and i32 %46, %17
  %48 = icmp eq i32 %47, %46
  br i1 %48, label %49, label %54

49:                                               ; preds = %44
  %50 = getelementptr inbounds nuw i8, ptr %25, i64 20
  %51 = load i32, ptr %50, align 4
  %52 = and i32 %51, %19
  %53 = icmp eq i32 %52, %51
  br i1 %53, label %59, label %54

54:                                               ; preds = %49, %44, %39, %34, %29, %23
  %55 = add nsw i64 %24, -1
  %56 = icmp sgt i64 %24, 0
  br i1 %56, label %23, label %57, !llvm.loop !8

57:                                               ; preds = %54, %14
  %58 = phi i64 [ %21, %14 ], [ -1, %54 ]
  store i64 %58, ptr @level, align 8
  br label %100

59:                                               ; preds = %49
  store i64 %24, ptr @level, align 8
  %60 = tail call ptr @getenv(ptr noundef nonnull @.str) #6
  %61 = icmp eq ptr %60, null
  br i1 %61, label %62, label %85

62:                                               ; preds = %59
  call void @llvm.lifetime.start.p0(ptr nonnull %1) #7
  %63 = call ptr @memset(ptr noundef nonnull %1, i32 noundef 0, i64 noundef 1024) #6
  %64 = call i32 @sched_getaffinity(i32 noundef 0, i64 noundef 1024, ptr noundef nonnull %1) #6
  br label %65

65:                                               ; preds = %65, %62
  %66 = phi i64 [ 0, %62 ], [ %79, %65 ]
  %67 = phi <2 x i32> [ zeroinitializer, %62 ], [ %77, %65 ]
  %68 = phi <2 x i32> [ zeroinitializer, %62 ], [ %78, %65 ]
  %69 = getelementptr inbounds nuw i64, ptr %1, i64 %66
  %70 = getelementptr inbounds nuw i8, ptr %69, i64 16
  %71 = load <2 x i64>, ptr %69, align 16
  %72 = load <2 x i64>, ptr %70, align 16
  %73 = call range(i64 0, 65) <2 x i64> @llvm.ctpop.v2i64(<2 x i64> %71)
  %74 = call range(i64 0, 65) <2 x i64> @llvm.ctpop.v2i64(<2 x i64> %72)
  %75 = trunc nuw nsw <2 x i64> %73 to <2 x i32>
  %76 = trunc nuw nsw <2 x i64> %74 to <2 x i32>
  %77 = add <2 x i32> %67, %75
  %78 = add <2 x i32> %68, %76
  %79 = add nuw i64 %66, 4
  %80 = icmp eq i64 %79, 128
  br i1 %80, label %81, label %65, !llvm.loop !9

81:                                               ; preds = %65
  %82 = add <2 x i32> %78, %77
  %83 = call i32 @llvm.vector.reduce.add.v2i32(<2 x i32> %82)
  %84 = icmp eq i32 %83, 0
  call void @llvm.lifetime.end.p0(ptr nonnull %1) #7
  br i1 %84, label %104, label %98

85:                                               ; preds = %59
  %86 = load i8, ptr %60, align 1
  %87 = add i8 %86, -58
  %88 = icmp ult i8 %87, -10
  br i1 %88, label %100, label %89

89:                                               ; preds = %85
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #7
  %90 = call i64 @strtol(ptr noundef nonnull %60, ptr noundef nonnull %2, i32 noundef 10) #6
  %91 = load ptr, ptr %2, align 8
  %92 = load i8, ptr %91, align 1
  %93 = icmp ne i8 %92, 0
  %94 = add i64 %90, -1025
  %95 = icmp ult i64 %94, -1024
  %96 = select i1 %93, i1 true, i1 %95
  %97 = trunc nuw nsw i64 %90 to i32
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #7
  br i1 %96, label %100, label %104

98:                                               ; preds = %81
  %99 = call i32 @llvm.umin.i32(i32 %83, i32 1024)
  br label %104

100:                                              ; preds = %89, %85, %57
  %101 = load i64, ptr @level, align 8
  %102 = icmp slt i64 %101, 0
  %103 = select i1 %102, i32 2, i32 6
  store i32 %103, ptr @trouble, align 4
  br label %107

104:                                              ; preds = %98, %81, %89
  %105 = phi i32 [ %99, %98 ], [ %97, %89 ], [ 1, %81 ]
  %106 = call ptr @penstock_pool() #6
  store ptr %106, ptr @pool, align 8
  call void @penstock_resize(ptr noundef %106, i32 noundef %105) #6
  br label %107

107:                                              ; preds = %104, %100
  ret void
}

declare ptr @penstock_pool() local_unnamed_addr #2

declare ptr @getenv(ptr noundef) local_unnamed_addr #2

declare i64 @strtol(ptr noundef, ptr noundef, i32 noundef) local_unnamed_addr #2

declare ptr @memset(ptr noundef, i32 noundef, i64 noundef) local_unnamed_addr #2

declare i32 @sched_getaffinity(i32 noundef, i64 noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umin.i32(i32, i32) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <2 x i64> @llvm.ctpop.v2i64(<2 x i64>) #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.vector.reduce.add.v2i32(<2 x i32>) #5

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nobuiltin nounwind "no-builtins" }
attributes #7 = { nounwind }
attributes #8 = { nounwind memory(none) }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.mustprogress"}
!4 = distinct !{!4, !3}
!5 = distinct !{!5, !3}
!6 = !{i64 1137}
!7 = !{i64 1487}
!8 = distinct !{!8, !3}
!9 = distinct !{!9, !3, !10, !11}
!10 = !{!"llvm.loop.isvectorized", i32 1}
!11 = !{!"llvm.loop.unroll.runtime.disable"}
