; ranks.c as LLVM text, by clang 22.1.8; `make native` makes it anew.
; sources: 192141be355e6e9cca6befbd0c4b67b7c44993f8a6d32ef327c9322726d11a8d
; text: 82acf684f345628541957a53ff23d800c0605aa28ee6e76c066b8b0929d3c372
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.time = type { i64, i64 }
%struct.signals = type { [16 x i64] }
%struct.work = type { ptr, ptr, ptr }
%struct.collective = type { i32, i32, i32, i32, i32, i32, i32, i32, ptr, ptr, ptr }
%struct.call = type { ptr, ptr, ptr, i32, i32 }
%struct.batch = type { ptr, i32 }

@__const.relax.nap = private unnamed_addr constant %struct.time { i64 0, i64 50000 }, align 8

; Function Attrs: nounwind
define i32 @penstock_ranks_start(ptr noundef %0) local_unnamed_addr #0 {
  %2 = alloca %struct.signals, align 8
  %3 = alloca %struct.signals, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #4
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #4
  store <4 x i64> splat (i64 -1), ptr %2, align 8
  %4 = getelementptr inbounds nuw i8, ptr %2, i64 32
  store <4 x i64> splat (i64 -1), ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %2, i64 64
  store <4 x i64> splat (i64 -1), ptr %5, align 8
  %6 = getelementptr inbounds nuw i8, ptr %2, i64 96
  store <4 x i64> splat (i64 -1), ptr %6, align 8
  %7 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %2, ptr noundef nonnull %3) #8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %9 = load ptr, ptr %8, align 8
  %10 = call i32 @pthread_create(ptr noundef %9, ptr noundef null, ptr noundef nonnull @serve, ptr noundef %0) #8
  %11 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %3, ptr noundef null) #8
  %12 = icmp eq i32 %10, 0
  %13 = zext i1 %12 to i32
  %14 = load ptr, ptr %8, align 8
  %15 = getelementptr inbounds nuw i8, ptr %14, i64 24
  store i32 %13, ptr %15, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #4
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #4
  ret i32 %10
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare i32 @pthread_sigmask(i32 noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: nounwind
define internal noalias noundef ptr @serve(ptr noundef %0) #0 {
  %2 = alloca %struct.time, align 8
  %3 = alloca %struct.time, align 8
  %4 = alloca %struct.time, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 40
  %8 = getelementptr inbounds nuw i8, ptr %6, i64 36
  %9 = getelementptr inbounds nuw i8, ptr %6, i64 32
  %10 = getelementptr inbounds nuw i8, ptr %6, i64 48
  %11 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %13 = getelementptr inbounds nuw i8, ptr %6, i64 28
  %14 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %15 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %17 = getelementptr inbounds nuw i8, ptr %6, i64 44
  br label %18

18:                                               ; preds = %77, %1
  %19 = phi i32 [ 0, %1 ], [ %78, %77 ]
  %20 = zext i32 %19 to i64
  br label %21

21:                                               ; preds = %18, %51
  %22 = load atomic i32, ptr %8 monotonic, align 4
  %23 = load atomic i32, ptr %9 acquire, align 8
  %24 = icmp eq i32 %22, %23
  br i1 %24, label %25, label %52

25:                                               ; preds = %21
  %26 = load atomic i32, ptr %7 acquire, align 8
  %27 = icmp eq i32 %26, 0
  br i1 %27, label %28, label %79

28:                                               ; preds = %25
  %29 = load i64, ptr %16, align 8
  %30 = add nsw i64 %29, 200
  %31 = icmp sgt i64 %30, %20
  br i1 %31, label %32, label %43

32:                                               ; preds = %28
  %33 = add i32 %19, 1
  %34 = icmp ult i32 %33, 200
  br i1 %34, label %35, label %36

35:                                               ; preds = %32
  call void @llvm.x86.sse2.pause()
  br label %77

36:                                               ; preds = %32
  %37 = zext i32 %33 to i64
  %38 = icmp samesign ugt i64 %30, %37
  br i1 %38, label %39, label %41

39:                                               ; preds = %36
  %40 = call i32 @sched_yield() #8
  br label %77

41:                                               ; preds = %36
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #4
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %4, ptr noundef nonnull align 8 dereferenceable(16) @__const.relax.nap, i64 16, i1 false)
  %42 = call i32 @nanosleep(ptr noundef nonnull %4, ptr noundef null) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #4
  br label %77

43:                                               ; preds = %28
  store atomic i32 1, ptr %17 seq_cst, align 4
  %44 = load atomic i32, ptr %9 seq_cst, align 8
  %45 = icmp eq i32 %44, %22
  br i1 %45, label %46, label %51

46:                                               ; preds = %43
  %47 = load atomic i32, ptr %7 seq_cst, align 8
  %48 = icmp eq i32 %47, 0
  br i1 %48, label %49, label %51

49:                                               ; preds = %46
  %50 = call i64 (i64, ...) @syscall(i64 noundef 202, ptr noundef nonnull %9, i32 noundef 128, i32 noundef %22, ptr noundef null) #8
  br label %51

51:                                               ; preds = %49, %46, %43
  store atomic i32 0, ptr %17 monotonic, align 4
  br label %21

52:                                               ; preds = %21
  %53 = and i32 %22, 63
  %54 = zext nneg i32 %53 to i64
  %55 = getelementptr inbounds nuw %struct.work, ptr %10, i64 %54
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #4
  %56 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #8
  %57 = load i64, ptr %3, align 8
  %58 = load i64, ptr %11, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #4
  %59 = load ptr, ptr %55, align 8
  %60 = getelementptr inbounds nuw i8, ptr %55, i64 8
  %61 = load ptr, ptr %60, align 8
  %62 = getelementptr inbounds nuw i8, ptr %55, i64 16
  %63 = load ptr, ptr %62, align 8
  %64 = call fastcc i32 @carry_out(ptr noundef nonnull %0, ptr noundef nonnull %12, ptr noundef %59, ptr noundef %61, ptr noundef %63) #9
  %65 = load i32, ptr %13, align 4
  %66 = or i32 %65, %64
  store i32 %66, ptr %13, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #4
  %67 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %2) #8
  %68 = load i64, ptr %2, align 8
  %69 = load i64, ptr %14, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #4
  %70 = load i64, ptr %15, align 8
  %71 = sub i64 %68, %57
  %72 = mul i64 %71, 1000000000
  %73 = sub i64 %69, %58
  %74 = add i64 %73, %72
  %75 = add i64 %74, %70
  store i64 %75, ptr %15, align 8
  %76 = add i32 %22, 1
  store atomic i32 %76, ptr %8 release, align 4
  br label %77

77:                                               ; preds = %52, %41, %35, %39
  %78 = phi i32 [ %33, %39 ], [ %33, %35 ], [ %33, %41 ], [ 0, %52 ]
  br label %18

79:                                               ; preds = %25
  ret ptr null
}

; Function Attrs: nounwind
define void @penstock_ranks_stop(ptr noundef readonly captures(none) %0) local_unnamed_addr #0 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %5 = load i32, ptr %4, align 8
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %13, label %7

7:                                                ; preds = %1
  %8 = getelementptr inbounds nuw i8, ptr %3, i64 40
  store atomic i32 1, ptr %8 seq_cst, align 8
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 32
  %10 = tail call i64 (i64, ...) @syscall(i64 noundef 202, ptr noundef nonnull %9, i32 noundef 129, i32 noundef 1) #8
  %11 = load i64, ptr %3, align 8
  %12 = tail call i32 @pthread_join(i64 noundef %11, ptr noundef null) #8
  store i32 0, ptr %4, align 8
  br label %13

13:                                               ; preds = %1, %7
  ret void
}

declare i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: nounwind
define i32 @penstock_ranks_collective(ptr noundef readonly captures(none) %0, i32 noundef %1, ptr noundef %2, ptr noundef %3) local_unnamed_addr #0 {
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 48
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %9 = load ptr, ptr %8, align 8
  %10 = and i32 %1, -1073741825
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds %struct.collective, ptr %9, i64 %11
  %13 = and i32 %1, 1073741824
  %14 = icmp eq i32 %13, 0
  br i1 %14, label %27, label %15

15:                                               ; preds = %4
  %16 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %17 = load i32, ptr %16, align 8
  %18 = icmp eq i32 %17, 0
  br i1 %18, label %63, label %19

19:                                               ; preds = %15
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %21 = load ptr, ptr %20, align 8
  %22 = load i32, ptr %12, align 8
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds i32, ptr %21, i64 %23
  %25 = load i32, ptr %24, align 4
  %26 = tail call fastcc i32 @await(ptr noundef nonnull %5, i32 noundef %25) #9
  br label %63

27:                                               ; preds = %4
  %28 = getelementptr inbounds nuw i8, ptr %12, i64 20
  %29 = load i32, ptr %28, align 4
  %30 = icmp eq i32 %29, 0
  br i1 %30, label %31, label %34

31:                                               ; preds = %27
  %32 = getelementptr inbounds nuw i8, ptr %5, i64 56
  %33 = tail call fastcc i32 @carry_out(ptr noundef nonnull %5, ptr noundef nonnull %32, ptr noundef nonnull %12, ptr noundef %2, ptr noundef %3) #9
  br label %63

34:                                               ; preds = %27
  %35 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %36 = load i32, ptr %35, align 8
  %37 = icmp eq i32 %36, 0
  br i1 %37, label %38, label %41

38:                                               ; preds = %34
  %39 = getelementptr inbounds nuw i8, ptr %5, i64 104
  %40 = tail call fastcc i32 @carry_out(ptr noundef nonnull %5, ptr noundef nonnull %39, ptr noundef nonnull %12, ptr noundef %2, ptr noundef %3) #9
  br label %63

41:                                               ; preds = %34
  %42 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %43 = load atomic i32, ptr %42 monotonic, align 8
  %44 = add i32 %43, -63
  %45 = tail call fastcc i32 @await(ptr noundef nonnull %5, i32 noundef %44) #9
  %46 = getelementptr inbounds nuw i8, ptr %7, i64 48
  %47 = and i32 %43, 63
  %48 = zext nneg i32 %47 to i64
  %49 = getelementptr inbounds nuw %struct.work, ptr %46, i64 %48
  store ptr %12, ptr %49, align 8
  %50 = getelementptr inbounds nuw i8, ptr %49, i64 8
  store ptr %2, ptr %50, align 8
  %51 = getelementptr inbounds nuw i8, ptr %49, i64 16
  store ptr %3, ptr %51, align 8
  %52 = add i32 %43, 1
  %53 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %54 = load ptr, ptr %53, align 8
  %55 = load i32, ptr %12, align 8
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds i32, ptr %54, i64 %56
  store i32 %52, ptr %57, align 4
  store atomic i32 %52, ptr %42 seq_cst, align 8
  %58 = getelementptr inbounds nuw i8, ptr %7, i64 44
  %59 = load atomic i32, ptr %58 seq_cst, align 4
  %60 = icmp eq i32 %59, 0
  br i1 %60, label %63, label %61

61:                                               ; preds = %41
  %62 = tail call i64 (i64, ...) @syscall(i64 noundef 202, ptr noundef nonnull %42, i32 noundef 129, i32 noundef 1) #8
  br label %63

63:                                               ; preds = %61, %41, %19, %15, %38, %31
  %64 = phi i32 [ %33, %31 ], [ 0, %15 ], [ %40, %38 ], [ %26, %19 ], [ %45, %41 ], [ %45, %61 ]
  ret i32 %64
}

; Function Attrs: nounwind
define internal fastcc i32 @await(ptr noundef readonly captures(none) %0, i32 noundef %1) unnamed_addr #0 {
  %3 = alloca %struct.time, align 16
  %4 = alloca %struct.time, align 8
  %5 = alloca %struct.time, align 16
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 36
  %9 = load atomic i32, ptr %8 acquire, align 4
  %10 = sub i32 %9, %1
  %11 = icmp sgt i32 %10, -1
  br i1 %11, label %49, label %12

12:                                               ; preds = %2
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #4
  %13 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #8
  %14 = load <2 x i64>, ptr %5, align 16
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #4
  %15 = load atomic i32, ptr %8 acquire, align 4
  %16 = sub i32 %15, %1
  %17 = icmp slt i32 %16, 0
  br i1 %17, label %18, label %38

18:                                               ; preds = %12
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 40
  br label %20

20:                                               ; preds = %18, %34
  %21 = phi i32 [ 0, %18 ], [ %22, %34 ]
  %22 = add i32 %21, 1
  %23 = icmp ult i32 %22, 200
  br i1 %23, label %24, label %25

24:                                               ; preds = %20
  call void @llvm.x86.sse2.pause()
  br label %34

25:                                               ; preds = %20
  %26 = zext i32 %22 to i64
  %27 = load i64, ptr %19, align 8
  %28 = add nsw i64 %27, 200
  %29 = icmp sgt i64 %28, %26
  br i1 %29, label %30, label %32

30:                                               ; preds = %25
  %31 = call i32 @sched_yield() #8
  br label %34

32:                                               ; preds = %25
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #4
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %4, ptr noundef nonnull align 8 dereferenceable(16) @__const.relax.nap, i64 16, i1 false)
  %33 = call i32 @nanosleep(ptr noundef nonnull %4, ptr noundef null) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #4
  br label %34

34:                                               ; preds = %24, %30, %32
  %35 = load atomic i32, ptr %8 acquire, align 4
  %36 = sub i32 %35, %1
  %37 = icmp slt i32 %36, 0
  br i1 %37, label %20, label %38, !llvm.loop !2

38:                                               ; preds = %34, %12
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #4
  %39 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #8
  %40 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %41 = load <2 x i64>, ptr %3, align 16
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #4
  %42 = load i64, ptr %40, align 8
  %43 = sub <2 x i64> %41, %14
  %44 = extractelement <2 x i64> %43, i64 0
  %45 = mul i64 %44, 1000000000
  %46 = extractelement <2 x i64> %43, i64 1
  %47 = add i64 %46, %45
  %48 = add i64 %47, %42
  store i64 %48, ptr %40, align 8
  br label %49

49:                                               ; preds = %2, %38
  %50 = getelementptr inbounds nuw i8, ptr %7, i64 28
  %51 = load i32, ptr %50, align 4
  ret i32 %51
}

; Function Attrs: nounwind
define internal fastcc i32 @carry_out(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3, ptr noundef %4) unnamed_addr #0 {
  %6 = alloca %struct.time, align 8
  %7 = alloca %struct.call, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #4
  store ptr %0, ptr %7, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 8
  store ptr %1, ptr %8, align 8
  %9 = getelementptr inbounds nuw i8, ptr %7, i64 16
  store ptr %2, ptr %9, align 8
  %10 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %11 = load i32, ptr %2, align 8
  %12 = srem i32 %11, 16000
  %13 = shl nsw i32 %12, 1
  store i32 %13, ptr %10, align 8
  %14 = getelementptr inbounds nuw i8, ptr %7, i64 28
  store i32 0, ptr %14, align 4
  %15 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %16 = ptrtoint ptr %2 to i64
  store atomic i64 %16, ptr %15 monotonic, align 8
  %17 = getelementptr inbounds nuw i8, ptr %1, i64 16
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #4
  %18 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %6) #8
  %19 = load i64, ptr %6, align 8
  %20 = mul nsw i64 %19, 1000000000
  %21 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %22 = load i64, ptr %21, align 8
  %23 = add nsw i64 %20, %22
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #4
  store atomic i64 %23, ptr %17 release, align 8
  %24 = getelementptr inbounds nuw i8, ptr %2, i64 40
  %25 = load ptr, ptr %24, align 8
  %26 = getelementptr inbounds nuw i8, ptr %2, i64 4
  %27 = load i32, ptr %26, align 4
  switch i32 %27, label %28 [
    i32 2, label %56
    i32 3, label %57
    i32 1, label %60
  ]

28:                                               ; preds = %5
  %29 = getelementptr inbounds nuw i8, ptr %2, i64 28
  %30 = load i32, ptr %29, align 4
  %31 = icmp sgt i32 %30, 0
  br i1 %31, label %32, label %61

32:                                               ; preds = %28
  %33 = zext nneg i32 %30 to i64
  %34 = icmp ult i32 %30, 4
  br i1 %34, label %53, label %35

35:                                               ; preds = %32
  %36 = and i64 %33, 2147483644
  br label %37

37:                                               ; preds = %37, %35
  %38 = phi i64 [ 0, %35 ], [ %47, %37 ]
  %39 = phi <2 x i64> [ zeroinitializer, %35 ], [ %45, %37 ]
  %40 = phi <2 x i64> [ zeroinitializer, %35 ], [ %46, %37 ]
  %41 = getelementptr inbounds nuw i64, ptr %25, i64 %38
  %42 = getelementptr inbounds nuw i8, ptr %41, i64 16
  %43 = load <2 x i64>, ptr %41, align 8
  %44 = load <2 x i64>, ptr %42, align 8
  %45 = add <2 x i64> %43, %39
  %46 = add <2 x i64> %44, %40
  %47 = add nuw i64 %38, 4
  %48 = icmp eq i64 %47, %36
  br i1 %48, label %49, label %37, !llvm.loop !4

49:                                               ; preds = %37
  %50 = add <2 x i64> %46, %45
  %51 = call i64 @llvm.vector.reduce.add.v2i64(<2 x i64> %50)
  %52 = icmp eq i64 %36, %33
  br i1 %52, label %61, label %53

53:                                               ; preds = %32, %49
  %54 = phi i64 [ 0, %32 ], [ %36, %49 ]
  %55 = phi i64 [ 0, %32 ], [ %51, %49 ]
  br label %68

56:                                               ; preds = %5
  call fastcc void @exchange(ptr noundef %7, ptr noundef %3, ptr noundef %25, ptr noundef %4, ptr noundef %25) #9
  br label %76

57:                                               ; preds = %5
  %58 = getelementptr inbounds nuw i8, ptr %2, i64 48
  %59 = load ptr, ptr %58, align 8
  call fastcc void @exchange(ptr noundef %7, ptr noundef %3, ptr noundef %25, ptr noundef %4, ptr noundef %59) #9
  br label %76

60:                                               ; preds = %5
  call fastcc void @reduce_parts(ptr noundef %7, ptr noundef %3, ptr noundef %25, ptr noundef %4, ptr noundef null) #9
  br label %76

61:                                               ; preds = %68, %49, %28
  %62 = phi i64 [ 0, %28 ], [ %51, %49 ], [ %73, %68 ]
  %63 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %64 = load i32, ptr %63, align 8
  %65 = sext i32 %64 to i64
  %66 = mul nsw i64 %62, %65
  %67 = getelementptr inbounds i8, ptr %4, i64 %66
  call fastcc void @reduce_parts(ptr noundef %7, ptr noundef %3, ptr noundef %25, ptr noundef %67, ptr noundef %4) #9
  br label %76

68:                                               ; preds = %53, %68
  %69 = phi i64 [ %74, %68 ], [ %54, %53 ]
  %70 = phi i64 [ %73, %68 ], [ %55, %53 ]
  %71 = getelementptr inbounds nuw i64, ptr %25, i64 %69
  %72 = load i64, ptr %71, align 8
  %73 = add nsw i64 %72, %70
  %74 = add nuw nsw i64 %69, 1
  %75 = icmp eq i64 %74, %33
  br i1 %75, label %61, label %68, !llvm.loop !7

76:                                               ; preds = %57, %61, %60, %56
  store atomic i64 0, ptr %17 release, align 8
  %77 = load i32, ptr %14, align 4
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #4
  ret i32 %77
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #3

; Function Attrs: nounwind
declare void @llvm.x86.sse2.pause() #4

declare i32 @sched_yield() local_unnamed_addr #2

declare i32 @nanosleep(ptr noundef, ptr noundef) local_unnamed_addr #2

declare i64 @syscall(i64 noundef, ...) local_unnamed_addr #2

declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: nounwind
define internal fastcc void @exchange(ptr noundef nonnull captures(none) %0, ptr noundef %1, ptr noundef readonly captures(none) %2, ptr noundef %3, ptr noundef readonly captures(none) %4) unnamed_addr #0 {
  %6 = alloca %struct.batch, align 8
  %7 = alloca %struct.batch, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %11 = load i32, ptr %10, align 8
  %12 = icmp sgt i32 %11, 0
  br i1 %12, label %13, label %35

13:                                               ; preds = %5
  %14 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %15 = load i32, ptr %14, align 8
  %16 = sext i32 %15 to i64
  %17 = zext nneg i32 %11 to i64
  %18 = and i64 %17, 1
  %19 = icmp eq i32 %11, 1
  br i1 %19, label %24, label %20

20:                                               ; preds = %13
  %21 = and i64 %17, 2147483646
  br label %47

22:                                               ; preds = %47
  %23 = icmp eq i64 %18, 0
  br i1 %23, label %35, label %24

24:                                               ; preds = %22, %13
  %25 = phi i64 [ 0, %13 ], [ %66, %22 ]
  %26 = phi i64 [ 0, %13 ], [ %65, %22 ]
  %27 = icmp ne i64 %18, 0
  tail call void @llvm.assume(i1 %27)
  %28 = getelementptr inbounds nuw i64, ptr %4, i64 %25
  %29 = load i64, ptr %28, align 8
  %30 = getelementptr inbounds nuw i64, ptr %2, i64 %25
  %31 = load i64, ptr %30, align 8
  %32 = tail call i64 @llvm.smax.i64(i64 %29, i64 %31)
  %33 = mul nsw i64 %32, %16
  %34 = tail call i64 @llvm.smax.i64(i64 %33, i64 %26)
  br label %35

35:                                               ; preds = %24, %22, %5
  %36 = phi i64 [ 0, %5 ], [ %65, %22 ], [ %34, %24 ]
  %37 = getelementptr inbounds nuw i8, ptr %9, i64 4
  %38 = load i32, ptr %37, align 4
  %39 = icmp eq i32 %38, 2
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %41 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %42 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %43 = getelementptr inbounds nuw i8, ptr %9, i64 28
  %44 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 28
  br label %69

47:                                               ; preds = %47, %20
  %48 = phi i64 [ 0, %20 ], [ %66, %47 ]
  %49 = phi i64 [ 0, %20 ], [ %65, %47 ]
  %50 = phi i64 [ 0, %20 ], [ %67, %47 ]
  %51 = getelementptr inbounds nuw i64, ptr %4, i64 %48
  %52 = load i64, ptr %51, align 8
  %53 = getelementptr inbounds nuw i64, ptr %2, i64 %48
  %54 = load i64, ptr %53, align 8
  %55 = tail call i64 @llvm.smax.i64(i64 %52, i64 %54)
  %56 = mul nsw i64 %55, %16
  %57 = tail call i64 @llvm.smax.i64(i64 %56, i64 %49)
  %58 = or disjoint i64 %48, 1
  %59 = getelementptr inbounds nuw i64, ptr %4, i64 %58
  %60 = load i64, ptr %59, align 8
  %61 = getelementptr inbounds nuw i64, ptr %2, i64 %58
  %62 = load i64, ptr %61, align 8
  %63 = tail call i64 @llvm.smax.i64(i64 %60, i64 %62)
  %64 = mul nsw i64 %63, %16
  %65 = tail call i64 @llvm.smax.i64(i64 %64, i64 %57)
  %66 = add nuw nsw i64 %48, 2
  %67 = add i64 %50, 2
  %68 = icmp eq i64 %67, %21
  br i1 %68, label %22, label %47, !llvm.loop !8

69:                                               ; preds = %82, %35
  %70 = phi i1 [ true, %35 ], [ false, %82 ]
  %71 = phi i64 [ 0, %35 ], [ %87, %82 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #4
  %72 = load ptr, ptr %40, align 8
  %73 = getelementptr inbounds nuw i8, ptr %72, i64 32
  %74 = load ptr, ptr %73, align 8
  %75 = load ptr, ptr %8, align 8
  %76 = getelementptr inbounds nuw i8, ptr %75, i64 24
  store ptr %74, ptr %6, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #4
  %77 = load i32, ptr %76, align 8
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds i64, ptr %74, i64 %78
  store ptr %79, ptr %7, align 8
  %80 = load i32, ptr %10, align 8
  %81 = icmp sgt i32 %80, 0
  br i1 %81, label %90, label %82

82:                                               ; preds = %170, %69
  %83 = phi i32 [ 0, %69 ], [ %171, %170 ]
  %84 = phi i32 [ 0, %69 ], [ %172, %170 ]
  store i32 %84, ptr %41, align 8
  store i32 %83, ptr %42, align 8
  call fastcc void @finish(ptr noundef %0, ptr noundef %6) #9
  call fastcc void @finish(ptr noundef %0, ptr noundef %7) #9
  %85 = load i32, ptr %46, align 4
  %86 = icmp eq i32 %85, 0
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #4
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #4
  %87 = add nuw nsw i64 %71, 1073741824
  %88 = icmp slt i64 %87, %36
  %89 = select i1 %86, i1 %88, i1 false
  br i1 %89, label %69, label %180, !llvm.loop !9

90:                                               ; preds = %69, %170
  %91 = phi i64 [ %176, %170 ], [ 0, %69 ]
  %92 = phi ptr [ %173, %170 ], [ %3, %69 ]
  %93 = phi ptr [ %175, %170 ], [ %1, %69 ]
  %94 = phi i32 [ %172, %170 ], [ 0, %69 ]
  %95 = phi i32 [ %171, %170 ], [ 0, %69 ]
  %96 = load i32, ptr %43, align 4
  %97 = sext i32 %96 to i64
  %98 = select i1 %39, i64 %97, i64 %91
  %99 = getelementptr inbounds i64, ptr %2, i64 %98
  %100 = load i64, ptr %99, align 8
  %101 = load i32, ptr %44, align 8
  %102 = sext i32 %101 to i64
  %103 = mul nsw i64 %100, %102
  %104 = getelementptr inbounds nuw i64, ptr %4, i64 %91
  %105 = load i64, ptr %104, align 8
  %106 = mul nsw i64 %105, %102
  %107 = zext i32 %96 to i64
  %108 = icmp eq i64 %91, %107
  br i1 %108, label %165, label %109

109:                                              ; preds = %90
  %110 = sub nsw i64 %106, %71
  %111 = icmp slt i64 %110, 1
  br i1 %111, label %135, label %112

112:                                              ; preds = %109
  %113 = tail call i64 @llvm.umin.i64(i64 %110, i64 1073741824)
  %114 = getelementptr inbounds nuw i8, ptr %92, i64 %71
  %115 = load ptr, ptr %0, align 8
  %116 = add nsw i32 %94, 1
  %117 = sext i32 %94 to i64
  %118 = getelementptr inbounds i64, ptr %74, i64 %117
  store i64 0, ptr %118, align 8
  %119 = getelementptr inbounds nuw i8, ptr %115, i64 8
  %120 = load ptr, ptr %119, align 8
  %121 = trunc nuw nsw i64 %113 to i32
  %122 = getelementptr inbounds nuw i8, ptr %115, i64 24
  %123 = load i64, ptr %122, align 8
  %124 = load ptr, ptr %8, align 8
  %125 = getelementptr inbounds nuw i8, ptr %124, i64 32
  %126 = load ptr, ptr %125, align 8
  %127 = getelementptr inbounds nuw i32, ptr %126, i64 %91
  %128 = load i32, ptr %127, align 4
  %129 = load i32, ptr %45, align 8
  %130 = load ptr, ptr %40, align 8
  %131 = load i64, ptr %130, align 8
  %132 = tail call i32 %120(ptr noundef %114, i32 noundef %121, i64 noundef %123, i32 noundef %128, i32 noundef %129, i64 noundef %131, ptr noundef nonnull %118) #8
  %133 = load i32, ptr %46, align 4
  %134 = or i32 %133, %132
  store i32 %134, ptr %46, align 4
  br label %135

135:                                              ; preds = %109, %112
  %136 = phi i32 [ %94, %109 ], [ %116, %112 ]
  %137 = sub nsw i64 %103, %71
  %138 = icmp slt i64 %137, 1
  br i1 %138, label %170, label %139

139:                                              ; preds = %135
  %140 = tail call i64 @llvm.umin.i64(i64 %137, i64 1073741824)
  %141 = getelementptr inbounds nuw i8, ptr %93, i64 %71
  %142 = load ptr, ptr %0, align 8
  %143 = add nsw i32 %95, 1
  %144 = sext i32 %95 to i64
  %145 = getelementptr inbounds i64, ptr %79, i64 %144
  store i64 0, ptr %145, align 8
  %146 = load ptr, ptr %40, align 8
  %147 = getelementptr inbounds nuw i8, ptr %146, i64 24
  %148 = load i64, ptr %147, align 8
  %149 = add nsw i64 %148, %140
  store i64 %149, ptr %147, align 8
  %150 = load ptr, ptr %142, align 8
  %151 = trunc nuw nsw i64 %140 to i32
  %152 = getelementptr inbounds nuw i8, ptr %142, i64 24
  %153 = load i64, ptr %152, align 8
  %154 = load ptr, ptr %8, align 8
  %155 = getelementptr inbounds nuw i8, ptr %154, i64 32
  %156 = load ptr, ptr %155, align 8
  %157 = getelementptr inbounds nuw i32, ptr %156, i64 %91
  %158 = load i32, ptr %157, align 4
  %159 = load i32, ptr %45, align 8
  %160 = load ptr, ptr %40, align 8
  %161 = load i64, ptr %160, align 8
  %162 = tail call i32 %150(ptr noundef %141, i32 noundef %151, i64 noundef %153, i32 noundef %158, i32 noundef %159, i64 noundef %161, ptr noundef nonnull %145) #8
  %163 = load i32, ptr %46, align 4
  %164 = or i32 %163, %162
  store i32 %164, ptr %46, align 4
  br label %170

165:                                              ; preds = %90
  %166 = icmp ne ptr %92, %93
  %167 = select i1 %70, i1 %166, i1 false
  br i1 %167, label %168, label %170

168:                                              ; preds = %165
  %169 = tail call ptr @memcpy(ptr noundef %92, ptr noundef %93, i64 noundef %106) #8
  br label %170

170:                                              ; preds = %139, %135, %165, %168
  %171 = phi i32 [ %143, %139 ], [ %95, %135 ], [ %95, %165 ], [ %95, %168 ]
  %172 = phi i32 [ %136, %139 ], [ %136, %135 ], [ %94, %165 ], [ %94, %168 ]
  %173 = getelementptr inbounds i8, ptr %92, i64 %106
  %174 = select i1 %39, i64 0, i64 %103
  %175 = getelementptr inbounds i8, ptr %93, i64 %174
  %176 = add nuw nsw i64 %91, 1
  %177 = load i32, ptr %10, align 8
  %178 = sext i32 %177 to i64
  %179 = icmp slt i64 %176, %178
  br i1 %179, label %90, label %82, !llvm.loop !10

180:                                              ; preds = %82
  ret void
}

; Function Attrs: nounwind
define internal fastcc void @reduce_parts(ptr noundef nonnull captures(none) %0, ptr noundef %1, ptr noundef readonly captures(none) %2, ptr noundef %3, ptr noundef %4) unnamed_addr #0 {
  %6 = alloca [4096 x i8], align 64
  %7 = ptrtoint ptr %6 to i64
  %8 = alloca [2 x %struct.batch], align 16
  %9 = alloca [2 x %struct.batch], align 16
  %10 = alloca [2 x %struct.batch], align 16
  %11 = alloca [2 x %struct.batch], align 16
  %12 = alloca [4096 x ptr], align 16
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %14 = load ptr, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %14, i64 28
  %16 = load i32, ptr %15, align 4
  %17 = getelementptr inbounds nuw i8, ptr %14, i64 24
  %18 = load i32, ptr %17, align 8
  %19 = load ptr, ptr %0, align 8
  %20 = getelementptr inbounds nuw i8, ptr %19, i64 32
  %21 = load i64, ptr %20, align 8
  %22 = getelementptr inbounds nuw i8, ptr %14, i64 16
  %23 = load i32, ptr %22, align 8
  %24 = sext i32 %23 to i64
  %25 = sdiv i64 %21, %24
  %26 = icmp sgt i32 %18, 0
  br i1 %26, label %27, label %63

27:                                               ; preds = %5
  %28 = add i64 %25, -1
  %29 = zext nneg i32 %18 to i64
  %30 = and i64 %29, 1
  %31 = icmp eq i32 %18, 1
  br i1 %31, label %54, label %32

32:                                               ; preds = %27
  %33 = and i64 %29, 2147483646
  br label %34

34:                                               ; preds = %34, %32
  %35 = phi i64 [ 0, %32 ], [ %49, %34 ]
  %36 = phi i64 [ 1, %32 ], [ %48, %34 ]
  %37 = phi i64 [ 0, %32 ], [ %50, %34 ]
  %38 = getelementptr inbounds nuw i64, ptr %2, i64 %35
  %39 = load i64, ptr %38, align 8
  %40 = add i64 %28, %39
  %41 = sdiv i64 %40, %25
  %42 = tail call i64 @llvm.smax.i64(i64 %41, i64 %36)
  %43 = getelementptr inbounds nuw i64, ptr %2, i64 %35
  %44 = getelementptr inbounds nuw i8, ptr %43, i64 8
  %45 = load i64, ptr %44, align 8
  %46 = add i64 %28, %45
  %47 = sdiv i64 %46, %25
  %48 = tail call i64 @llvm.smax.i64(i64 %47, i64 %42)
  %49 = add nuw nsw i64 %35, 2
  %50 = add i64 %37, 2
  %51 = icmp eq i64 %50, %33
  br i1 %51, label %52, label %34, !llvm.loop !11

52:                                               ; preds = %34
  %53 = icmp eq i64 %30, 0
  br i1 %53, label %63, label %54

54:                                               ; preds = %52, %27
  %55 = phi i64 [ 0, %27 ], [ %49, %52 ]
  %56 = phi i64 [ 1, %27 ], [ %48, %52 ]
  %57 = icmp ne i64 %30, 0
  call void @llvm.assume(i1 %57)
  %58 = getelementptr inbounds nuw i64, ptr %2, i64 %55
  %59 = load i64, ptr %58, align 8
  %60 = add i64 %28, %59
  %61 = sdiv i64 %60, %25
  %62 = tail call i64 @llvm.smax.i64(i64 %61, i64 %56)
  br label %63

63:                                               ; preds = %54, %52, %5
  %64 = phi i64 [ 1, %5 ], [ %48, %52 ], [ %62, %54 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #4
  call void @llvm.lifetime.start.p0(ptr nonnull %9) #4
  call void @llvm.lifetime.start.p0(ptr nonnull %10) #4
  call void @llvm.lifetime.start.p0(ptr nonnull %11) #4
  %65 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %66 = load ptr, ptr %65, align 8
  %67 = getelementptr inbounds nuw i8, ptr %66, i64 32
  %68 = load ptr, ptr %67, align 8
  %69 = sext i32 %18 to i64
  store ptr %68, ptr %8, align 16
  %70 = getelementptr inbounds nuw i8, ptr %8, i64 8
  store i32 0, ptr %70, align 8
  %71 = shl nsw i64 %69, 4
  %72 = getelementptr inbounds i8, ptr %68, i64 %71
  store ptr %72, ptr %9, align 16
  %73 = getelementptr inbounds nuw i8, ptr %9, i64 8
  store i32 0, ptr %73, align 8
  %74 = shl nsw i64 %69, 5
  %75 = getelementptr inbounds i8, ptr %68, i64 %74
  store ptr %75, ptr %10, align 16
  %76 = getelementptr inbounds nuw i8, ptr %10, i64 8
  store i32 0, ptr %76, align 8
  %77 = mul nsw i64 %69, 48
  %78 = getelementptr inbounds i8, ptr %68, i64 %77
  store ptr %78, ptr %11, align 16
  %79 = getelementptr inbounds nuw i8, ptr %11, i64 8
  store i32 0, ptr %79, align 8
  %80 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %81 = getelementptr inbounds i64, ptr %68, i64 %69
  store ptr %81, ptr %80, align 16
  %82 = getelementptr inbounds nuw i8, ptr %8, i64 24
  store i32 0, ptr %82, align 8
  %83 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %84 = mul nsw i64 %69, 24
  %85 = getelementptr inbounds i8, ptr %68, i64 %84
  store ptr %85, ptr %83, align 16
  %86 = getelementptr inbounds nuw i8, ptr %9, i64 24
  store i32 0, ptr %86, align 8
  %87 = getelementptr inbounds nuw i8, ptr %10, i64 16
  %88 = mul nsw i64 %69, 40
  %89 = getelementptr inbounds i8, ptr %68, i64 %88
  store ptr %89, ptr %87, align 16
  %90 = getelementptr inbounds nuw i8, ptr %10, i64 24
  store i32 0, ptr %90, align 8
  %91 = getelementptr inbounds nuw i8, ptr %11, i64 16
  %92 = mul nsw i64 %69, 56
  %93 = getelementptr inbounds i8, ptr %68, i64 %92
  store ptr %93, ptr %91, align 16
  %94 = getelementptr inbounds nuw i8, ptr %11, i64 24
  store i32 0, ptr %94, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %12) #4
  %95 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %96 = sext i32 %16 to i64
  %97 = getelementptr inbounds i64, ptr %2, i64 %96
  %98 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %99 = icmp sgt i32 %16, 0
  %100 = getelementptr inbounds ptr, ptr %12, i64 %96
  %101 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %102 = getelementptr inbounds nuw i8, ptr %14, i64 12
  %103 = icmp eq ptr %4, null
  %104 = zext i32 %16 to i64
  %105 = zext i32 %18 to i64
  %106 = zext nneg i32 %18 to i64
  %107 = zext nneg i32 %18 to i64
  %108 = icmp ult i32 %16, 4
  %109 = and i64 %104, 2147483644
  %110 = icmp eq i64 %109, %104
  %111 = icmp ult i32 %18, 4
  %112 = and i64 %105, 2147483644
  %113 = icmp eq i64 %112, %105
  br label %114

114:                                              ; preds = %63, %3800
  %115 = phi i64 [ 0, %63 ], [ %3801, %3800 ]
  %116 = load i32, ptr %95, align 4
  %117 = icmp eq i32 %116, 0
  br i1 %117, label %119, label %118

118:                                              ; preds = %114, %3800
  call fastcc void @finish(ptr noundef %0, ptr noundef %9) #9
  call fastcc void @finish(ptr noundef %0, ptr noundef %10) #9
  call fastcc void @finish(ptr noundef %0, ptr noundef %11) #9
  call fastcc void @finish(ptr noundef %0, ptr noundef %83) #9
  call fastcc void @finish(ptr noundef %0, ptr noundef %87) #9
  call fastcc void @finish(ptr noundef %0, ptr noundef %91) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %12) #4
  call void @llvm.lifetime.end.p0(ptr nonnull %11) #4
  call void @llvm.lifetime.end.p0(ptr nonnull %10) #4
  call void @llvm.lifetime.end.p0(ptr nonnull %9) #4
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #4
  ret void

119:                                              ; preds = %114
  %120 = trunc i64 %115 to i32
  %121 = and i32 %120, 1
  %122 = mul nsw i64 %115, %25
  %123 = icmp slt i64 %115, %64
  br i1 %123, label %124, label %221

124:                                              ; preds = %119
  %125 = and i64 %115, 1
  %126 = getelementptr inbounds nuw %struct.batch, ptr %9, i64 %125
  call fastcc void @finish(ptr noundef %0, ptr noundef %126) #9
  br i1 %26, label %127, label %221

127:                                              ; preds = %124
  %128 = getelementptr inbounds nuw %struct.batch, ptr %8, i64 %125
  %129 = mul nuw nsw i32 %121, %18
  %130 = getelementptr inbounds nuw i8, ptr %128, i64 8
  %131 = getelementptr inbounds nuw i8, ptr %126, i64 8
  %132 = zext nneg i32 %129 to i64
  br label %133

133:                                              ; preds = %127, %215
  %134 = phi i64 [ 0, %127 ], [ %216, %215 ]
  %135 = phi i64 [ 0, %127 ], [ %219, %215 ]
  %136 = icmp eq i64 %134, %104
  br i1 %136, label %215, label %137

137:                                              ; preds = %133
  %138 = load i64, ptr %97, align 8
  %139 = sub nsw i64 %138, %122
  %140 = tail call noundef i64 @llvm.smin.i64(i64 %139, i64 %25)
  %141 = getelementptr inbounds nuw i64, ptr %2, i64 %134
  %142 = load i64, ptr %141, align 8
  %143 = sub nsw i64 %142, %122
  %144 = tail call noundef i64 @llvm.smin.i64(i64 %143, i64 %25)
  %145 = load i32, ptr %22, align 8
  %146 = sext i32 %145 to i64
  %147 = mul nsw i64 %140, %146
  %148 = icmp slt i64 %147, 1
  br i1 %148, label %182, label %149

149:                                              ; preds = %137
  %150 = load ptr, ptr %65, align 8
  %151 = getelementptr inbounds nuw i8, ptr %150, i64 40
  %152 = load ptr, ptr %151, align 8
  %153 = load ptr, ptr %0, align 8
  %154 = getelementptr inbounds nuw i8, ptr %153, i64 32
  %155 = load i64, ptr %154, align 8
  %156 = add nuw nsw i64 %134, %132
  %157 = mul nsw i64 %155, %156
  %158 = getelementptr inbounds i8, ptr %152, i64 %157
  %159 = load ptr, ptr %128, align 16
  %160 = load i32, ptr %130, align 8
  %161 = add nsw i32 %160, 1
  store i32 %161, ptr %130, align 8
  %162 = sext i32 %160 to i64
  %163 = getelementptr inbounds i64, ptr %159, i64 %162
  store i64 0, ptr %163, align 8
  %164 = getelementptr inbounds nuw i8, ptr %153, i64 8
  %165 = load ptr, ptr %164, align 8
  %166 = trunc i64 %147 to i32
  %167 = getelementptr inbounds nuw i8, ptr %153, i64 24
  %168 = load i64, ptr %167, align 8
  %169 = load ptr, ptr %13, align 8
  %170 = getelementptr inbounds nuw i8, ptr %169, i64 32
  %171 = load ptr, ptr %170, align 8
  %172 = getelementptr inbounds nuw i32, ptr %171, i64 %134
  %173 = load i32, ptr %172, align 4
  %174 = load i32, ptr %98, align 8
  %175 = load ptr, ptr %65, align 8
  %176 = load i64, ptr %175, align 8
  %177 = tail call i32 %165(ptr noundef %158, i32 noundef %166, i64 noundef %168, i32 noundef %173, i32 noundef %174, i64 noundef %176, ptr noundef nonnull %163) #8
  %178 = load i32, ptr %95, align 4
  %179 = or i32 %178, %177
  store i32 %179, ptr %95, align 4
  %180 = load i32, ptr %22, align 8
  %181 = sext i32 %180 to i64
  br label %182

182:                                              ; preds = %137, %149
  %183 = phi i64 [ %146, %137 ], [ %181, %149 ]
  %184 = mul nsw i64 %144, %183
  %185 = icmp slt i64 %184, 1
  br i1 %185, label %215, label %186

186:                                              ; preds = %182
  %187 = add nsw i64 %135, %122
  %188 = mul nsw i64 %187, %183
  %189 = getelementptr inbounds i8, ptr %1, i64 %188
  %190 = load ptr, ptr %0, align 8
  %191 = load ptr, ptr %126, align 16
  %192 = load i32, ptr %131, align 8
  %193 = add nsw i32 %192, 1
  store i32 %193, ptr %131, align 8
  %194 = sext i32 %192 to i64
  %195 = getelementptr inbounds i64, ptr %191, i64 %194
  store i64 0, ptr %195, align 8
  %196 = load ptr, ptr %65, align 8
  %197 = getelementptr inbounds nuw i8, ptr %196, i64 24
  %198 = load i64, ptr %197, align 8
  %199 = add nsw i64 %198, %184
  store i64 %199, ptr %197, align 8
  %200 = load ptr, ptr %190, align 8
  %201 = trunc i64 %184 to i32
  %202 = getelementptr inbounds nuw i8, ptr %190, i64 24
  %203 = load i64, ptr %202, align 8
  %204 = load ptr, ptr %13, align 8
  %205 = getelementptr inbounds nuw i8, ptr %204, i64 32
  %206 = load ptr, ptr %205, align 8
  %207 = getelementptr inbounds nuw i32, ptr %206, i64 %134
  %208 = load i32, ptr %207, align 4
  %209 = load i32, ptr %98, align 8
  %210 = load ptr, ptr %65, align 8
  %211 = load i64, ptr %210, align 8
  %212 = tail call i32 %200(ptr noundef %189, i32 noundef %201, i64 noundef %203, i32 noundef %208, i32 noundef %209, i64 noundef %211, ptr noundef nonnull %195) #8
  %213 = load i32, ptr %95, align 4
  %214 = or i32 %213, %212
  store i32 %214, ptr %95, align 4
  br label %215

215:                                              ; preds = %186, %182, %133
  %216 = add nuw nsw i64 %134, 1
  %217 = getelementptr inbounds nuw i64, ptr %2, i64 %134
  %218 = load i64, ptr %217, align 8
  %219 = add nsw i64 %218, %135
  %220 = icmp eq i64 %216, %105
  br i1 %220, label %221, label %133, !llvm.loop !12

221:                                              ; preds = %215, %124, %119
  %222 = icmp eq i64 %115, 0
  br i1 %222, label %3800, label %223

223:                                              ; preds = %221
  %224 = xor i32 %121, 1
  %225 = sub nsw i64 %122, %25
  %226 = zext nneg i32 %224 to i64
  %227 = getelementptr inbounds nuw %struct.batch, ptr %8, i64 %226
  call fastcc void @finish(ptr noundef %0, ptr noundef %227) #9
  %228 = load i64, ptr %97, align 8
  %229 = sub nsw i64 %228, %225
  %230 = tail call noundef i64 @llvm.smin.i64(i64 %229, i64 %25)
  br i1 %99, label %231, label %250

231:                                              ; preds = %223
  br i1 %108, label %247, label %232

232:                                              ; preds = %231, %232
  %233 = phi i64 [ %242, %232 ], [ 0, %231 ]
  %234 = phi <2 x i64> [ %240, %232 ], [ zeroinitializer, %231 ]
  %235 = phi <2 x i64> [ %241, %232 ], [ zeroinitializer, %231 ]
  %236 = getelementptr inbounds nuw i64, ptr %2, i64 %233
  %237 = getelementptr inbounds nuw i8, ptr %236, i64 16
  %238 = load <2 x i64>, ptr %236, align 8
  %239 = load <2 x i64>, ptr %237, align 8
  %240 = add <2 x i64> %238, %234
  %241 = add <2 x i64> %239, %235
  %242 = add nuw i64 %233, 4
  %243 = icmp eq i64 %242, %109
  br i1 %243, label %244, label %232, !llvm.loop !13

244:                                              ; preds = %232
  %245 = add <2 x i64> %241, %240
  %246 = call i64 @llvm.vector.reduce.add.v2i64(<2 x i64> %245)
  br i1 %110, label %250, label %247

247:                                              ; preds = %231, %244
  %248 = phi i64 [ 0, %231 ], [ %109, %244 ]
  %249 = phi i64 [ 0, %231 ], [ %246, %244 ]
  br label %286

250:                                              ; preds = %286, %244, %223
  %251 = phi i64 [ 0, %223 ], [ %246, %244 ], [ %291, %286 ]
  %252 = icmp sgt i64 %230, 0
  br i1 %252, label %253, label %3712

253:                                              ; preds = %250
  br i1 %26, label %254, label %294

254:                                              ; preds = %253
  %255 = load ptr, ptr %65, align 8
  %256 = getelementptr inbounds nuw i8, ptr %255, i64 40
  %257 = load ptr, ptr %256, align 8
  %258 = mul nuw nsw i32 %224, %18
  %259 = load ptr, ptr %0, align 8
  %260 = getelementptr inbounds nuw i8, ptr %259, i64 32
  %261 = load i64, ptr %260, align 8
  %262 = zext nneg i32 %258 to i64
  br i1 %111, label %284, label %263

263:                                              ; preds = %254
  %264 = insertelement <2 x i64> poison, i64 %261, i64 0
  %265 = shufflevector <2 x i64> %264, <2 x i64> poison, <2 x i32> zeroinitializer
  %266 = insertelement <2 x i64> poison, i64 %262, i64 0
  %267 = shufflevector <2 x i64> %266, <2 x i64> poison, <2 x i32> zeroinitializer
  %268 = add <2 x i64> splat (i64 2), %267
  br label %269

269:                                              ; preds = %269, %263
  %270 = phi i64 [ 0, %263 ], [ %280, %269 ]
  %271 = phi <2 x i64> [ <i64 0, i64 1>, %263 ], [ %281, %269 ]
  %272 = add nuw nsw <2 x i64> %271, %267
  %273 = add <2 x i64> %271, %268
  %274 = mul nsw <2 x i64> %265, %272
  %275 = mul nsw <2 x i64> %265, %273
  %276 = getelementptr inbounds i8, ptr %257, <2 x i64> %274
  %277 = getelementptr inbounds i8, ptr %257, <2 x i64> %275
  %278 = getelementptr inbounds nuw ptr, ptr %12, i64 %270
  %279 = getelementptr inbounds nuw i8, ptr %278, i64 16
  store <2 x ptr> %276, ptr %278, align 16
  store <2 x ptr> %277, ptr %279, align 16
  %280 = add nuw i64 %270, 4
  %281 = add <2 x i64> %271, splat (i64 4)
  %282 = icmp eq i64 %280, %112
  br i1 %282, label %283, label %269, !llvm.loop !14

283:                                              ; preds = %269
  br i1 %113, label %294, label %284

284:                                              ; preds = %254, %283
  %285 = phi i64 [ 0, %254 ], [ %112, %283 ]
  br label %3704

286:                                              ; preds = %247, %286
  %287 = phi i64 [ %292, %286 ], [ %248, %247 ]
  %288 = phi i64 [ %291, %286 ], [ %249, %247 ]
  %289 = getelementptr inbounds nuw i64, ptr %2, i64 %287
  %290 = load i64, ptr %289, align 8
  %291 = add nsw i64 %290, %288
  %292 = add nuw nsw i64 %287, 1
  %293 = icmp eq i64 %292, %104
  br i1 %293, label %250, label %286, !llvm.loop !15

294:                                              ; preds = %3704, %283, %253
  %295 = add nsw i64 %251, %225
  %296 = load i32, ptr %22, align 8
  %297 = sext i32 %296 to i64
  %298 = mul nsw i64 %295, %297
  %299 = getelementptr inbounds i8, ptr %1, i64 %298
  store ptr %299, ptr %100, align 8
  %300 = mul nsw i64 %225, %297
  %301 = getelementptr inbounds i8, ptr %3, i64 %300
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #4
  %302 = load i32, ptr %17, align 8
  %303 = load i32, ptr %101, align 8
  %304 = icmp sgt i32 %302, 1
  %305 = zext nneg i32 %302 to i64
  %306 = load ptr, ptr %12, align 16
  %307 = ptrtoint ptr %306 to i64
  br label %308

308:                                              ; preds = %3699, %294
  %309 = phi i64 [ %3702, %3699 ], [ 0, %294 ]
  %310 = phi i64 [ %3700, %3699 ], [ 0, %294 ]
  %311 = shl i64 %309, 9
  %312 = sub i64 %230, %311
  %313 = call i64 @llvm.smin.i64(i64 %312, i64 512)
  %314 = shl i64 %309, 9
  %315 = sub i64 %230, %314
  %316 = call i64 @llvm.smin.i64(i64 %315, i64 512)
  %317 = shl i64 %309, 9
  %318 = sub i64 %230, %317
  %319 = call i64 @llvm.smin.i64(i64 %318, i64 512)
  %320 = shl i64 %309, 9
  %321 = sub i64 %230, %320
  %322 = call i64 @llvm.smin.i64(i64 %321, i64 512)
  %323 = shl i64 %309, 9
  %324 = sub i64 %230, %323
  %325 = call i64 @llvm.smin.i64(i64 %324, i64 512)
  %326 = shl i64 %309, 9
  %327 = sub i64 %230, %326
  %328 = call i64 @llvm.smin.i64(i64 %327, i64 512)
  %329 = shl i64 %309, 9
  %330 = sub i64 %230, %329
  %331 = call i64 @llvm.smin.i64(i64 %330, i64 512)
  %332 = shl i64 %309, 9
  %333 = sub i64 %230, %332
  %334 = call i64 @llvm.smin.i64(i64 %333, i64 512)
  %335 = shl i64 %309, 9
  %336 = sub i64 %230, %335
  %337 = call i64 @llvm.smin.i64(i64 %336, i64 512)
  %338 = shl i64 %309, 9
  %339 = sub i64 %230, %338
  %340 = call i64 @llvm.smin.i64(i64 %339, i64 512)
  %341 = shl i64 %309, 9
  %342 = sub i64 %230, %341
  %343 = call i64 @llvm.smin.i64(i64 %342, i64 512)
  %344 = shl i64 %309, 9
  %345 = sub i64 %230, %344
  %346 = call i64 @llvm.smin.i64(i64 %345, i64 512)
  %347 = shl i64 %309, 9
  %348 = sub i64 %230, %347
  %349 = call i64 @llvm.smin.i64(i64 %348, i64 512)
  %350 = shl i64 %309, 9
  %351 = sub i64 %230, %350
  %352 = call i64 @llvm.smin.i64(i64 %351, i64 512)
  %353 = shl i64 %309, 9
  %354 = sub i64 %230, %353
  %355 = call i64 @llvm.smin.i64(i64 %354, i64 512)
  %356 = shl i64 %309, 9
  %357 = sub i64 %230, %356
  %358 = call i64 @llvm.smin.i64(i64 %357, i64 512)
  %359 = shl i64 %309, 9
  %360 = sub i64 %230, %359
  %361 = call i64 @llvm.smin.i64(i64 %360, i64 512)
  %362 = shl i64 %309, 9
  %363 = sub i64 %230, %362
  %364 = call i64 @llvm.smin.i64(i64 %363, i64 512)
  %365 = shl i64 %309, 9
  %366 = sub i64 %230, %365
  %367 = call i64 @llvm.smin.i64(i64 %366, i64 512)
  %368 = shl i64 %309, 9
  %369 = sub i64 %230, %368
  %370 = call i64 @llvm.smin.i64(i64 %369, i64 512)
  %371 = shl i64 %309, 9
  %372 = sub i64 %230, %371
  %373 = call i64 @llvm.smin.i64(i64 %372, i64 512)
  %374 = shl i64 %309, 9
  %375 = sub i64 %230, %374
  %376 = call i64 @llvm.smin.i64(i64 %375, i64 512)
  %377 = shl i64 %309, 9
  %378 = sub i64 %230, %377
  %379 = call i64 @llvm.smin.i64(i64 %378, i64 512)
  %380 = shl i64 %309, 9
  %381 = sub i64 %230, %380
  %382 = call i64 @llvm.smin.i64(i64 %381, i64 512)
  %383 = shl i64 %309, 9
  %384 = sub i64 %230, %383
  %385 = call i64 @llvm.smin.i64(i64 %384, i64 512)
  %386 = shl i64 %309, 9
  %387 = sub i64 %230, %386
  %388 = call i64 @llvm.smin.i64(i64 %387, i64 512)
  %389 = shl i64 %309, 9
  %390 = sub i64 %230, %389
  %391 = call i64 @llvm.smin.i64(i64 %390, i64 512)
  %392 = shl i64 %309, 9
  %393 = sub i64 %230, %392
  %394 = call i64 @llvm.smin.i64(i64 %393, i64 512)
  %395 = shl i64 %309, 9
  %396 = sub i64 %230, %395
  %397 = call i64 @llvm.smin.i64(i64 %396, i64 512)
  %398 = shl i64 %309, 9
  %399 = sub i64 %230, %398
  %400 = call i64 @llvm.smin.i64(i64 %399, i64 512)
  %401 = shl i64 %309, 9
  %402 = sub i64 %230, %401
  %403 = call i64 @llvm.smin.i64(i64 %402, i64 512)
  %404 = shl i64 %309, 9
  %405 = sub i64 %230, %404
  %406 = call i64 @llvm.smin.i64(i64 %405, i64 512)
  %407 = shl i64 %309, 9
  %408 = sub i64 %230, %407
  %409 = call i64 @llvm.smin.i64(i64 %408, i64 512)
  %410 = shl i64 %309, 9
  %411 = sub i64 %230, %410
  %412 = call i64 @llvm.smin.i64(i64 %411, i64 512)
  %413 = shl i64 %309, 9
  %414 = sub i64 %230, %413
  %415 = call i64 @llvm.smin.i64(i64 %414, i64 512)
  %416 = shl i64 %415, 3
  %417 = getelementptr i8, ptr %6, i64 %416
  %418 = shl i64 %309, 9
  %419 = sub i64 %230, %418
  %420 = call i64 @llvm.smin.i64(i64 %419, i64 512)
  %421 = shl i64 %309, 9
  %422 = sub i64 %230, %421
  %423 = call i64 @llvm.smin.i64(i64 %422, i64 512)
  %424 = shl i64 %423, 3
  %425 = getelementptr i8, ptr %6, i64 %424
  %426 = shl i64 %309, 9
  %427 = sub i64 %230, %426
  %428 = call i64 @llvm.smin.i64(i64 %427, i64 512)
  %429 = shl i64 %309, 9
  %430 = sub i64 %230, %429
  %431 = call i64 @llvm.smin.i64(i64 %430, i64 512)
  %432 = shl i64 %431, 3
  %433 = getelementptr i8, ptr %6, i64 %432
  %434 = shl i64 %309, 9
  %435 = sub i64 %230, %434
  %436 = call i64 @llvm.smin.i64(i64 %435, i64 512)
  %437 = shl i64 %309, 9
  %438 = sub i64 %230, %437
  %439 = call i64 @llvm.smin.i64(i64 %438, i64 512)
  %440 = shl i64 %309, 9
  %441 = sub i64 %230, %440
  %442 = call i64 @llvm.smin.i64(i64 %441, i64 512)
  %443 = shl i64 %309, 9
  %444 = sub i64 %230, %443
  %445 = call i64 @llvm.smin.i64(i64 %444, i64 512)
  %446 = shl i64 %445, 2
  %447 = getelementptr i8, ptr %6, i64 %446
  %448 = shl i64 %309, 9
  %449 = sub i64 %230, %448
  %450 = call i64 @llvm.smin.i64(i64 %449, i64 512)
  %451 = shl i64 %309, 9
  %452 = sub i64 %230, %451
  %453 = call i64 @llvm.smin.i64(i64 %452, i64 512)
  %454 = shl i64 %453, 2
  %455 = getelementptr i8, ptr %6, i64 %454
  %456 = shl i64 %309, 9
  %457 = sub i64 %230, %456
  %458 = call i64 @llvm.smin.i64(i64 %457, i64 512)
  %459 = shl i64 %309, 9
  %460 = sub i64 %230, %459
  %461 = call i64 @llvm.smin.i64(i64 %460, i64 512)
  %462 = shl i64 %461, 2
  %463 = getelementptr i8, ptr %6, i64 %462
  %464 = shl i64 %309, 9
  %465 = sub i64 %230, %464
  %466 = call i64 @llvm.smin.i64(i64 %465, i64 512)
  %467 = shl i64 %309, 9
  %468 = sub i64 %230, %467
  %469 = call i64 @llvm.smin.i64(i64 %468, i64 512)
  %470 = shl i64 %309, 9
  %471 = sub i64 %230, %470
  %472 = call i64 @llvm.smin.i64(i64 %471, i64 512)
  %473 = shl i64 %309, 9
  %474 = sub i64 %230, %473
  %475 = call i64 @llvm.smin.i64(i64 %474, i64 512)
  %476 = shl i64 %475, 1
  %477 = getelementptr i8, ptr %6, i64 %476
  %478 = shl i64 %309, 9
  %479 = sub i64 %230, %478
  %480 = call i64 @llvm.smin.i64(i64 %479, i64 512)
  %481 = shl i64 %309, 9
  %482 = sub i64 %230, %481
  %483 = call i64 @llvm.smin.i64(i64 %482, i64 512)
  %484 = shl i64 %483, 1
  %485 = getelementptr i8, ptr %6, i64 %484
  %486 = shl i64 %309, 9
  %487 = sub i64 %230, %486
  %488 = call i64 @llvm.smin.i64(i64 %487, i64 512)
  %489 = shl i64 %309, 9
  %490 = sub i64 %230, %489
  %491 = call i64 @llvm.smin.i64(i64 %490, i64 512)
  %492 = shl i64 %491, 1
  %493 = getelementptr i8, ptr %6, i64 %492
  %494 = shl i64 %309, 9
  %495 = sub i64 %230, %494
  %496 = call i64 @llvm.smin.i64(i64 %495, i64 512)
  %497 = shl i64 %309, 9
  %498 = sub i64 %230, %497
  %499 = call i64 @llvm.smin.i64(i64 %498, i64 512)
  %500 = shl i64 %309, 9
  %501 = sub i64 %230, %500
  %502 = call i64 @llvm.smin.i64(i64 %501, i64 512)
  %503 = shl i64 %309, 9
  %504 = sub i64 %230, %503
  %505 = call i64 @llvm.smin.i64(i64 %504, i64 512)
  %506 = getelementptr i8, ptr %6, i64 %505
  %507 = shl i64 %309, 9
  %508 = sub i64 %230, %507
  %509 = call i64 @llvm.smin.i64(i64 %508, i64 512)
  %510 = shl i64 %309, 9
  %511 = sub i64 %230, %510
  %512 = call i64 @llvm.smin.i64(i64 %511, i64 512)
  %513 = getelementptr i8, ptr %6, i64 %512
  %514 = shl i64 %309, 9
  %515 = sub i64 %230, %514
  %516 = call i64 @llvm.smin.i64(i64 %515, i64 512)
  %517 = shl i64 %309, 9
  %518 = sub i64 %230, %517
  %519 = call i64 @llvm.smin.i64(i64 %518, i64 512)
  %520 = getelementptr i8, ptr %6, i64 %519
  %521 = shl i64 %309, 9
  %522 = sub i64 %230, %521
  %523 = call i64 @llvm.smin.i64(i64 %522, i64 512)
  %524 = shl i64 %309, 9
  %525 = sub i64 %230, %524
  %526 = call i64 @llvm.smin.i64(i64 %525, i64 512)
  %527 = shl i64 %309, 9
  %528 = sub i64 %230, %527
  %529 = call i64 @llvm.smin.i64(i64 %528, i64 512)
  %530 = shl i64 %309, 9
  %531 = sub i64 %230, %530
  %532 = call i64 @llvm.smin.i64(i64 %531, i64 512)
  %533 = getelementptr i8, ptr %6, i64 %532
  %534 = shl i64 %309, 9
  %535 = sub i64 %230, %534
  %536 = call i64 @llvm.smin.i64(i64 %535, i64 512)
  %537 = shl i64 %309, 9
  %538 = sub i64 %230, %537
  %539 = call i64 @llvm.smin.i64(i64 %538, i64 512)
  %540 = getelementptr i8, ptr %6, i64 %539
  %541 = shl i64 %309, 9
  %542 = sub i64 %230, %541
  %543 = call i64 @llvm.smin.i64(i64 %542, i64 512)
  %544 = shl i64 %309, 9
  %545 = sub i64 %230, %544
  %546 = call i64 @llvm.smin.i64(i64 %545, i64 512)
  %547 = getelementptr i8, ptr %6, i64 %546
  %548 = shl i64 %309, 9
  %549 = sub i64 %230, %548
  %550 = call i64 @llvm.smin.i64(i64 %549, i64 512)
  %551 = shl i64 %309, 9
  %552 = sub i64 %230, %551
  %553 = call i64 @llvm.smin.i64(i64 %552, i64 512)
  %554 = shl i64 %309, 9
  %555 = sub i64 %230, %554
  %556 = call i64 @llvm.smin.i64(i64 %555, i64 512)
  %557 = shl i64 %556, 2
  %558 = getelementptr i8, ptr %6, i64 %557
  %559 = shl i64 %556, 1
  %560 = shl i64 %309, 9
  %561 = sub i64 %230, %560
  %562 = call i64 @llvm.smin.i64(i64 %561, i64 512)
  %563 = shl i64 %309, 9
  %564 = sub i64 %230, %563
  %565 = call i64 @llvm.smin.i64(i64 %564, i64 512)
  %566 = shl i64 %565, 2
  %567 = getelementptr i8, ptr %6, i64 %566
  %568 = shl i64 %565, 1
  %569 = shl i64 %309, 9
  %570 = sub i64 %230, %569
  %571 = call i64 @llvm.smin.i64(i64 %570, i64 512)
  %572 = shl i64 %309, 9
  %573 = sub i64 %230, %572
  %574 = call i64 @llvm.smin.i64(i64 %573, i64 512)
  %575 = shl i64 %574, 2
  %576 = getelementptr i8, ptr %6, i64 %575
  %577 = shl i64 %574, 1
  %578 = shl i64 %309, 9
  %579 = sub i64 %230, %578
  %580 = call i64 @llvm.smin.i64(i64 %579, i64 512)
  %581 = shl i64 %309, 9
  %582 = sub i64 %230, %581
  %583 = call i64 @llvm.smin.i64(i64 %582, i64 512)
  %584 = shl i64 %583, 2
  %585 = getelementptr i8, ptr %6, i64 %584
  %586 = shl i64 %583, 1
  %587 = shl i64 %309, 9
  %588 = sub i64 %230, %587
  %589 = call i64 @llvm.smin.i64(i64 %588, i64 512)
  %590 = shl i64 %309, 9
  %591 = sub i64 %230, %590
  %592 = call i64 @llvm.smin.i64(i64 %591, i64 512)
  %593 = shl i64 %309, 9
  %594 = sub i64 %230, %593
  %595 = call i64 @llvm.smin.i64(i64 %594, i64 512)
  %596 = shl i64 %595, 2
  %597 = getelementptr i8, ptr %6, i64 %596
  %598 = shl i64 %595, 1
  %599 = shl i64 %309, 9
  %600 = sub i64 %230, %599
  %601 = call i64 @llvm.smin.i64(i64 %600, i64 512)
  %602 = shl i64 %309, 9
  %603 = sub i64 %230, %602
  %604 = call i64 @llvm.smin.i64(i64 %603, i64 512)
  %605 = shl i64 %604, 2
  %606 = getelementptr i8, ptr %6, i64 %605
  %607 = shl i64 %604, 1
  %608 = shl i64 %309, 9
  %609 = sub i64 %230, %608
  %610 = call i64 @llvm.smin.i64(i64 %609, i64 512)
  %611 = shl i64 %309, 9
  %612 = sub i64 %230, %611
  %613 = call i64 @llvm.smin.i64(i64 %612, i64 512)
  %614 = shl i64 %613, 2
  %615 = getelementptr i8, ptr %6, i64 %614
  %616 = shl i64 %613, 1
  %617 = shl i64 %309, 9
  %618 = sub i64 %230, %617
  %619 = call i64 @llvm.smin.i64(i64 %618, i64 512)
  %620 = shl i64 %309, 9
  %621 = sub i64 %230, %620
  %622 = call i64 @llvm.smin.i64(i64 %621, i64 512)
  %623 = shl i64 %622, 2
  %624 = getelementptr i8, ptr %6, i64 %623
  %625 = shl i64 %622, 1
  %626 = shl i64 %309, 9
  %627 = sub i64 %230, %626
  %628 = call i64 @llvm.smin.i64(i64 %627, i64 512)
  %629 = shl i64 %309, 9
  %630 = sub i64 %230, %629
  %631 = call i64 @llvm.smin.i64(i64 %630, i64 512)
  %632 = shl i64 %309, 9
  %633 = sub i64 %230, %632
  %634 = call i64 @llvm.smin.i64(i64 %633, i64 512)
  %635 = shl i64 %309, 9
  %636 = sub i64 %230, %635
  %637 = call i64 @llvm.smin.i64(i64 %636, i64 512)
  %638 = shl i64 %637, 3
  %639 = getelementptr i8, ptr %6, i64 %638
  %640 = shl i64 %309, 9
  %641 = sub i64 %230, %640
  %642 = call i64 @llvm.smin.i64(i64 %641, i64 512)
  %643 = shl i64 %309, 9
  %644 = sub i64 %230, %643
  %645 = call i64 @llvm.smin.i64(i64 %644, i64 512)
  %646 = shl i64 %645, 3
  %647 = getelementptr i8, ptr %6, i64 %646
  %648 = shl i64 %309, 9
  %649 = sub i64 %230, %648
  %650 = call i64 @llvm.smin.i64(i64 %649, i64 512)
  %651 = shl i64 %309, 9
  %652 = sub i64 %230, %651
  %653 = call i64 @llvm.smin.i64(i64 %652, i64 512)
  %654 = shl i64 %653, 3
  %655 = getelementptr i8, ptr %6, i64 %654
  %656 = shl i64 %309, 9
  %657 = sub i64 %230, %656
  %658 = call i64 @llvm.smin.i64(i64 %657, i64 512)
  %659 = shl i64 %309, 9
  %660 = sub i64 %230, %659
  %661 = call i64 @llvm.smin.i64(i64 %660, i64 512)
  %662 = shl i64 %309, 9
  %663 = sub i64 %230, %662
  %664 = call i64 @llvm.smin.i64(i64 %663, i64 512)
  %665 = shl i64 %309, 9
  %666 = sub i64 %230, %665
  %667 = call i64 @llvm.smin.i64(i64 %666, i64 512)
  %668 = shl i64 %667, 2
  %669 = getelementptr i8, ptr %6, i64 %668
  %670 = shl i64 %309, 9
  %671 = sub i64 %230, %670
  %672 = call i64 @llvm.smin.i64(i64 %671, i64 512)
  %673 = shl i64 %309, 9
  %674 = sub i64 %230, %673
  %675 = call i64 @llvm.smin.i64(i64 %674, i64 512)
  %676 = shl i64 %675, 2
  %677 = getelementptr i8, ptr %6, i64 %676
  %678 = shl i64 %309, 9
  %679 = sub i64 %230, %678
  %680 = call i64 @llvm.smin.i64(i64 %679, i64 512)
  %681 = shl i64 %309, 9
  %682 = sub i64 %230, %681
  %683 = call i64 @llvm.smin.i64(i64 %682, i64 512)
  %684 = shl i64 %683, 2
  %685 = getelementptr i8, ptr %6, i64 %684
  %686 = shl i64 %309, 9
  %687 = sub i64 %230, %686
  %688 = call i64 @llvm.smin.i64(i64 %687, i64 512)
  %689 = sub nuw nsw i64 %230, %310
  %690 = tail call noundef i64 @llvm.smin.i64(i64 %689, i64 512)
  %691 = load i32, ptr %22, align 8
  %692 = sext i32 %691 to i64
  %693 = mul i64 %310, %692
  %694 = load i32, ptr %102, align 4
  switch i32 %694, label %3699 [
    i32 0, label %695
    i32 1, label %999
    i32 2, label %1303
    i32 3, label %1670
    i32 4, label %2056
    i32 5, label %2421
    i32 8, label %2786
    i32 6, label %3151
    i32 7, label %3425
  ]

695:                                              ; preds = %308
  %696 = getelementptr inbounds i8, ptr %306, i64 %693
  %697 = icmp ult i64 %661, 8
  br i1 %697, label %716, label %698

698:                                              ; preds = %695
  %699 = add i64 %693, %307
  %700 = sub i64 %7, %699
  %701 = icmp ult i64 %700, 32
  br i1 %701, label %716, label %702

702:                                              ; preds = %698
  %703 = and i64 %661, -8
  br label %704

704:                                              ; preds = %704, %702
  %705 = phi i64 [ 0, %702 ], [ %712, %704 ]
  %706 = getelementptr inbounds nuw float, ptr %696, i64 %705
  %707 = getelementptr inbounds nuw i8, ptr %706, i64 16
  %708 = load <4 x float>, ptr %706, align 4
  %709 = load <4 x float>, ptr %707, align 4
  %710 = getelementptr inbounds nuw float, ptr %6, i64 %705
  %711 = getelementptr inbounds nuw i8, ptr %710, i64 16
  store <4 x float> %708, ptr %710, align 32
  store <4 x float> %709, ptr %711, align 16
  %712 = add nuw i64 %705, 8
  %713 = icmp eq i64 %712, %703
  br i1 %713, label %714, label %704, !llvm.loop !16

714:                                              ; preds = %704
  %715 = icmp eq i64 %661, %703
  br i1 %715, label %752, label %716

716:                                              ; preds = %698, %695, %714
  %717 = phi i64 [ 0, %698 ], [ 0, %695 ], [ %703, %714 ]
  %718 = and i64 %322, 3
  %719 = icmp eq i64 %718, 0
  br i1 %719, label %729, label %720

720:                                              ; preds = %716, %720
  %721 = phi i64 [ %726, %720 ], [ %717, %716 ]
  %722 = phi i64 [ %727, %720 ], [ 0, %716 ]
  %723 = getelementptr inbounds nuw float, ptr %696, i64 %721
  %724 = load float, ptr %723, align 4
  %725 = getelementptr inbounds nuw float, ptr %6, i64 %721
  store float %724, ptr %725, align 4
  %726 = add nuw nsw i64 %721, 1
  %727 = add i64 %722, 1
  %728 = icmp eq i64 %727, %718
  br i1 %728, label %729, label %720, !llvm.loop !17

729:                                              ; preds = %720, %716
  %730 = phi i64 [ %717, %716 ], [ %726, %720 ]
  %731 = sub i64 %717, %322
  %732 = icmp ugt i64 %731, -4
  br i1 %732, label %752, label %733

733:                                              ; preds = %729, %733
  %734 = phi i64 [ %750, %733 ], [ %730, %729 ]
  %735 = getelementptr inbounds nuw float, ptr %696, i64 %734
  %736 = load float, ptr %735, align 4
  %737 = getelementptr inbounds nuw float, ptr %6, i64 %734
  store float %736, ptr %737, align 4
  %738 = add nuw nsw i64 %734, 1
  %739 = getelementptr inbounds nuw float, ptr %696, i64 %738
  %740 = load float, ptr %739, align 4
  %741 = getelementptr inbounds nuw float, ptr %6, i64 %738
  store float %740, ptr %741, align 4
  %742 = add nuw nsw i64 %734, 2
  %743 = getelementptr inbounds nuw float, ptr %696, i64 %742
  %744 = load float, ptr %743, align 4
  %745 = getelementptr inbounds nuw float, ptr %6, i64 %742
  store float %744, ptr %745, align 4
  %746 = add nuw nsw i64 %734, 3
  %747 = getelementptr inbounds nuw float, ptr %696, i64 %746
  %748 = load float, ptr %747, align 4
  %749 = getelementptr inbounds nuw float, ptr %6, i64 %746
  store float %748, ptr %749, align 4
  %750 = add nuw nsw i64 %734, 4
  %751 = icmp eq i64 %750, %690
  br i1 %751, label %752, label %733, !llvm.loop !19

752:                                              ; preds = %729, %733, %714
  br i1 %304, label %753, label %769

753:                                              ; preds = %752
  %754 = icmp ult i64 %664, 8
  %755 = and i64 %664, -8
  %756 = icmp eq i64 %664, %755
  %757 = and i64 %319, 1
  %758 = icmp eq i64 %757, 0
  %759 = icmp ult i64 %672, 8
  %760 = and i64 %672, -8
  %761 = icmp eq i64 %672, %760
  %762 = and i64 %316, 3
  %763 = icmp eq i64 %762, 0
  %764 = icmp ult i64 %680, 8
  %765 = and i64 %680, -8
  %766 = icmp eq i64 %680, %765
  %767 = and i64 %313, 1
  %768 = icmp eq i64 %767, 0
  br label %795

769:                                              ; preds = %996, %752
  %770 = getelementptr inbounds i8, ptr %301, i64 %693
  %771 = icmp ult i64 %688, 8
  br i1 %771, label %786, label %772

772:                                              ; preds = %769
  %773 = and i64 %688, -8
  br label %774

774:                                              ; preds = %774, %772
  %775 = phi i64 [ 0, %772 ], [ %782, %774 ]
  %776 = getelementptr inbounds nuw float, ptr %6, i64 %775
  %777 = getelementptr inbounds nuw i8, ptr %776, i64 16
  %778 = load <4 x float>, ptr %776, align 32
  %779 = load <4 x float>, ptr %777, align 16
  %780 = getelementptr inbounds nuw float, ptr %770, i64 %775
  %781 = getelementptr inbounds nuw i8, ptr %780, i64 16
  store <4 x float> %778, ptr %780, align 4
  store <4 x float> %779, ptr %781, align 4
  %782 = add nuw i64 %775, 8
  %783 = icmp eq i64 %782, %773
  br i1 %783, label %784, label %774, !llvm.loop !20

784:                                              ; preds = %774
  %785 = icmp eq i64 %688, %773
  br i1 %785, label %3699, label %786

786:                                              ; preds = %769, %784
  %787 = phi i64 [ 0, %769 ], [ %773, %784 ]
  br label %788

788:                                              ; preds = %786, %788
  %789 = phi i64 [ %793, %788 ], [ %787, %786 ]
  %790 = getelementptr inbounds nuw float, ptr %6, i64 %789
  %791 = load float, ptr %790, align 4
  %792 = getelementptr inbounds nuw float, ptr %770, i64 %789
  store float %791, ptr %792, align 4
  %793 = add nuw nsw i64 %789, 1
  %794 = icmp eq i64 %793, %690
  br i1 %794, label %3699, label %788, !llvm.loop !21

795:                                              ; preds = %753, %996
  %796 = phi i64 [ %997, %996 ], [ 1, %753 ]
  %797 = getelementptr inbounds nuw ptr, ptr %12, i64 %796
  %798 = load ptr, ptr %797, align 8
  %799 = getelementptr i8, ptr %798, i64 %693
  switch i32 %303, label %883 [
    i32 0, label %844
    i32 1, label %800
  ]

800:                                              ; preds = %795
  br i1 %754, label %828, label %801

801:                                              ; preds = %800
  %802 = getelementptr i8, ptr %798, i64 %693
  %803 = getelementptr i8, ptr %802, i64 %668
  %804 = icmp ult ptr %6, %803
  %805 = icmp ult ptr %799, %669
  %806 = and i1 %804, %805
  br i1 %806, label %828, label %807

807:                                              ; preds = %801, %807
  %808 = phi i64 [ %825, %807 ], [ 0, %801 ]
  %809 = getelementptr inbounds nuw float, ptr %6, i64 %808
  %810 = getelementptr inbounds nuw i8, ptr %809, i64 16
  %811 = load <4 x float>, ptr %809, align 32, !alias.scope !22, !noalias !25
  %812 = load <4 x float>, ptr %810, align 16, !alias.scope !22, !noalias !25
  %813 = getelementptr inbounds nuw float, ptr %799, i64 %808
  %814 = getelementptr inbounds nuw i8, ptr %813, i64 16
  %815 = load <4 x float>, ptr %813, align 4, !alias.scope !25
  %816 = load <4 x float>, ptr %814, align 4, !alias.scope !25
  %817 = fcmp oge <4 x float> %811, %815
  %818 = fcmp oge <4 x float> %812, %816
  %819 = fcmp uno <4 x float> %811, zeroinitializer
  %820 = fcmp uno <4 x float> %812, zeroinitializer
  %821 = or <4 x i1> %819, %817
  %822 = or <4 x i1> %820, %818
  %823 = select <4 x i1> %821, <4 x float> %811, <4 x float> %815
  %824 = select <4 x i1> %822, <4 x float> %812, <4 x float> %816
  store <4 x float> %823, ptr %809, align 32, !alias.scope !22, !noalias !25
  store <4 x float> %824, ptr %810, align 16, !alias.scope !22, !noalias !25
  %825 = add nuw i64 %808, 8
  %826 = icmp eq i64 %825, %755
  br i1 %826, label %827, label %807, !llvm.loop !27

827:                                              ; preds = %807
  br i1 %756, label %996, label %828

828:                                              ; preds = %801, %800, %827
  %829 = phi i64 [ 0, %801 ], [ 0, %800 ], [ %755, %827 ]
  %830 = or disjoint i64 %829, 1
  br i1 %758, label %841, label %831

831:                                              ; preds = %828
  %832 = getelementptr inbounds nuw float, ptr %6, i64 %829
  %833 = load float, ptr %832, align 32
  %834 = getelementptr inbounds nuw float, ptr %799, i64 %829
  %835 = load float, ptr %834, align 4
  %836 = fcmp oge float %833, %835
  %837 = fcmp uno float %833, 0.000000e+00
  %838 = or i1 %837, %836
  %839 = select i1 %838, float %833, float %835
  store float %839, ptr %832, align 32
  %840 = or disjoint i64 %829, 1
  br label %841

841:                                              ; preds = %831, %828
  %842 = phi i64 [ %829, %828 ], [ %840, %831 ]
  %843 = icmp eq i64 %319, %830
  br i1 %843, label %996, label %954

844:                                              ; preds = %795
  br i1 %759, label %866, label %845

845:                                              ; preds = %844
  %846 = getelementptr i8, ptr %798, i64 %693
  %847 = getelementptr i8, ptr %846, i64 %676
  %848 = icmp ult ptr %6, %847
  %849 = icmp ult ptr %799, %677
  %850 = and i1 %848, %849
  br i1 %850, label %866, label %851

851:                                              ; preds = %845, %851
  %852 = phi i64 [ %863, %851 ], [ 0, %845 ]
  %853 = getelementptr inbounds nuw float, ptr %6, i64 %852
  %854 = getelementptr inbounds nuw i8, ptr %853, i64 16
  %855 = load <4 x float>, ptr %853, align 32, !alias.scope !28, !noalias !31
  %856 = load <4 x float>, ptr %854, align 16, !alias.scope !28, !noalias !31
  %857 = getelementptr inbounds nuw float, ptr %799, i64 %852
  %858 = getelementptr inbounds nuw i8, ptr %857, i64 16
  %859 = load <4 x float>, ptr %857, align 4, !alias.scope !31
  %860 = load <4 x float>, ptr %858, align 4, !alias.scope !31
  %861 = fadd <4 x float> %855, %859
  %862 = fadd <4 x float> %856, %860
  store <4 x float> %861, ptr %853, align 32, !alias.scope !28, !noalias !31
  store <4 x float> %862, ptr %854, align 16, !alias.scope !28, !noalias !31
  %863 = add nuw i64 %852, 8
  %864 = icmp eq i64 %863, %760
  br i1 %864, label %865, label %851, !llvm.loop !33

865:                                              ; preds = %851
  br i1 %761, label %996, label %866

866:                                              ; preds = %845, %844, %865
  %867 = phi i64 [ 0, %845 ], [ 0, %844 ], [ %760, %865 ]
  br i1 %763, label %879, label %868

868:                                              ; preds = %866, %868
  %869 = phi i64 [ %876, %868 ], [ %867, %866 ]
  %870 = phi i64 [ %877, %868 ], [ 0, %866 ]
  %871 = getelementptr inbounds nuw float, ptr %6, i64 %869
  %872 = load float, ptr %871, align 4
  %873 = getelementptr inbounds nuw float, ptr %799, i64 %869
  %874 = load float, ptr %873, align 4
  %875 = fadd float %872, %874
  store float %875, ptr %871, align 4
  %876 = add nuw nsw i64 %869, 1
  %877 = add i64 %870, 1
  %878 = icmp eq i64 %877, %762
  br i1 %878, label %879, label %868, !llvm.loop !34

879:                                              ; preds = %868, %866
  %880 = phi i64 [ %867, %866 ], [ %876, %868 ]
  %881 = sub i64 %867, %316
  %882 = icmp ugt i64 %881, -4
  br i1 %882, label %996, label %927

883:                                              ; preds = %795
  br i1 %764, label %911, label %884

884:                                              ; preds = %883
  %885 = getelementptr i8, ptr %798, i64 %693
  %886 = getelementptr i8, ptr %885, i64 %684
  %887 = icmp ult ptr %6, %886
  %888 = icmp ult ptr %799, %685
  %889 = and i1 %887, %888
  br i1 %889, label %911, label %890

890:                                              ; preds = %884, %890
  %891 = phi i64 [ %908, %890 ], [ 0, %884 ]
  %892 = getelementptr inbounds nuw float, ptr %6, i64 %891
  %893 = getelementptr inbounds nuw i8, ptr %892, i64 16
  %894 = load <4 x float>, ptr %892, align 32, !alias.scope !35, !noalias !38
  %895 = load <4 x float>, ptr %893, align 16, !alias.scope !35, !noalias !38
  %896 = getelementptr inbounds nuw float, ptr %799, i64 %891
  %897 = getelementptr inbounds nuw i8, ptr %896, i64 16
  %898 = load <4 x float>, ptr %896, align 4, !alias.scope !38
  %899 = load <4 x float>, ptr %897, align 4, !alias.scope !38
  %900 = fcmp ole <4 x float> %894, %898
  %901 = fcmp ole <4 x float> %895, %899
  %902 = fcmp uno <4 x float> %894, zeroinitializer
  %903 = fcmp uno <4 x float> %895, zeroinitializer
  %904 = or <4 x i1> %902, %900
  %905 = or <4 x i1> %903, %901
  %906 = select <4 x i1> %904, <4 x float> %894, <4 x float> %898
  %907 = select <4 x i1> %905, <4 x float> %895, <4 x float> %899
  store <4 x float> %906, ptr %892, align 32, !alias.scope !35, !noalias !38
  store <4 x float> %907, ptr %893, align 16, !alias.scope !35, !noalias !38
  %908 = add nuw i64 %891, 8
  %909 = icmp eq i64 %908, %765
  br i1 %909, label %910, label %890, !llvm.loop !40

910:                                              ; preds = %890
  br i1 %766, label %996, label %911

911:                                              ; preds = %884, %883, %910
  %912 = phi i64 [ 0, %884 ], [ 0, %883 ], [ %765, %910 ]
  %913 = or disjoint i64 %912, 1
  br i1 %768, label %924, label %914

914:                                              ; preds = %911
  %915 = getelementptr inbounds nuw float, ptr %6, i64 %912
  %916 = load float, ptr %915, align 32
  %917 = getelementptr inbounds nuw float, ptr %799, i64 %912
  %918 = load float, ptr %917, align 4
  %919 = fcmp ole float %916, %918
  %920 = fcmp uno float %916, 0.000000e+00
  %921 = or i1 %920, %919
  %922 = select i1 %921, float %916, float %918
  store float %922, ptr %915, align 32
  %923 = or disjoint i64 %912, 1
  br label %924

924:                                              ; preds = %914, %911
  %925 = phi i64 [ %912, %911 ], [ %923, %914 ]
  %926 = icmp eq i64 %313, %913
  br i1 %926, label %996, label %975

927:                                              ; preds = %879, %927
  %928 = phi i64 [ %952, %927 ], [ %880, %879 ]
  %929 = getelementptr inbounds nuw float, ptr %6, i64 %928
  %930 = load float, ptr %929, align 4
  %931 = getelementptr inbounds nuw float, ptr %799, i64 %928
  %932 = load float, ptr %931, align 4
  %933 = fadd float %930, %932
  store float %933, ptr %929, align 4
  %934 = add nuw nsw i64 %928, 1
  %935 = getelementptr inbounds nuw float, ptr %6, i64 %934
  %936 = load float, ptr %935, align 4
  %937 = getelementptr inbounds nuw float, ptr %799, i64 %934
  %938 = load float, ptr %937, align 4
  %939 = fadd float %936, %938
  store float %939, ptr %935, align 4
  %940 = add nuw nsw i64 %928, 2
  %941 = getelementptr inbounds nuw float, ptr %6, i64 %940
  %942 = load float, ptr %941, align 4
  %943 = getelementptr inbounds nuw float, ptr %799, i64 %940
  %944 = load float, ptr %943, align 4
  %945 = fadd float %942, %944
  store float %945, ptr %941, align 4
  %946 = add nuw nsw i64 %928, 3
  %947 = getelementptr inbounds nuw float, ptr %6, i64 %946
  %948 = load float, ptr %947, align 4
  %949 = getelementptr inbounds nuw float, ptr %799, i64 %946
  %950 = load float, ptr %949, align 4
  %951 = fadd float %948, %950
  store float %951, ptr %947, align 4
  %952 = add nuw nsw i64 %928, 4
  %953 = icmp eq i64 %952, %690
  br i1 %953, label %996, label %927, !llvm.loop !41

954:                                              ; preds = %841, %954
  %955 = phi i64 [ %973, %954 ], [ %842, %841 ]
  %956 = getelementptr inbounds nuw float, ptr %6, i64 %955
  %957 = load float, ptr %956, align 4
  %958 = getelementptr inbounds nuw float, ptr %799, i64 %955
  %959 = load float, ptr %958, align 4
  %960 = fcmp oge float %957, %959
  %961 = fcmp uno float %957, 0.000000e+00
  %962 = or i1 %961, %960
  %963 = select i1 %962, float %957, float %959
  store float %963, ptr %956, align 4
  %964 = add nuw nsw i64 %955, 1
  %965 = getelementptr inbounds nuw float, ptr %6, i64 %964
  %966 = load float, ptr %965, align 4
  %967 = getelementptr inbounds nuw float, ptr %799, i64 %964
  %968 = load float, ptr %967, align 4
  %969 = fcmp oge float %966, %968
  %970 = fcmp uno float %966, 0.000000e+00
  %971 = or i1 %970, %969
  %972 = select i1 %971, float %966, float %968
  store float %972, ptr %965, align 4
  %973 = add nuw nsw i64 %955, 2
  %974 = icmp eq i64 %973, %690
  br i1 %974, label %996, label %954, !llvm.loop !42

975:                                              ; preds = %924, %975
  %976 = phi i64 [ %994, %975 ], [ %925, %924 ]
  %977 = getelementptr inbounds nuw float, ptr %6, i64 %976
  %978 = load float, ptr %977, align 4
  %979 = getelementptr inbounds nuw float, ptr %799, i64 %976
  %980 = load float, ptr %979, align 4
  %981 = fcmp ole float %978, %980
  %982 = fcmp uno float %978, 0.000000e+00
  %983 = or i1 %982, %981
  %984 = select i1 %983, float %978, float %980
  store float %984, ptr %977, align 4
  %985 = add nuw nsw i64 %976, 1
  %986 = getelementptr inbounds nuw float, ptr %6, i64 %985
  %987 = load float, ptr %986, align 4
  %988 = getelementptr inbounds nuw float, ptr %799, i64 %985
  %989 = load float, ptr %988, align 4
  %990 = fcmp ole float %987, %989
  %991 = fcmp uno float %987, 0.000000e+00
  %992 = or i1 %991, %990
  %993 = select i1 %992, float %987, float %989
  store float %993, ptr %986, align 4
  %994 = add nuw nsw i64 %976, 2
  %995 = icmp eq i64 %994, %690
  br i1 %995, label %996, label %975, !llvm.loop !43

996:                                              ; preds = %841, %954, %879, %927, %924, %975, %827, %865, %910
  %997 = add nuw nsw i64 %796, 1
  %998 = icmp eq i64 %997, %305
  br i1 %998, label %769, label %795, !llvm.loop !44

999:                                              ; preds = %308
  %1000 = getelementptr inbounds i8, ptr %306, i64 %693
  %1001 = icmp ult i64 %631, 4
  br i1 %1001, label %1020, label %1002

1002:                                             ; preds = %999
  %1003 = add i64 %693, %307
  %1004 = sub i64 %7, %1003
  %1005 = icmp ult i64 %1004, 32
  br i1 %1005, label %1020, label %1006

1006:                                             ; preds = %1002
  %1007 = and i64 %631, -4
  br label %1008

1008:                                             ; preds = %1008, %1006
  %1009 = phi i64 [ 0, %1006 ], [ %1016, %1008 ]
  %1010 = getelementptr inbounds nuw double, ptr %1000, i64 %1009
  %1011 = getelementptr inbounds nuw i8, ptr %1010, i64 16
  %1012 = load <2 x double>, ptr %1010, align 8
  %1013 = load <2 x double>, ptr %1011, align 8
  %1014 = getelementptr inbounds nuw double, ptr %6, i64 %1009
  %1015 = getelementptr inbounds nuw i8, ptr %1014, i64 16
  store <2 x double> %1012, ptr %1014, align 32
  store <2 x double> %1013, ptr %1015, align 16
  %1016 = add nuw i64 %1009, 4
  %1017 = icmp eq i64 %1016, %1007
  br i1 %1017, label %1018, label %1008, !llvm.loop !45

1018:                                             ; preds = %1008
  %1019 = icmp eq i64 %631, %1007
  br i1 %1019, label %1056, label %1020

1020:                                             ; preds = %1002, %999, %1018
  %1021 = phi i64 [ 0, %1002 ], [ 0, %999 ], [ %1007, %1018 ]
  %1022 = and i64 %334, 3
  %1023 = icmp eq i64 %1022, 0
  br i1 %1023, label %1033, label %1024

1024:                                             ; preds = %1020, %1024
  %1025 = phi i64 [ %1030, %1024 ], [ %1021, %1020 ]
  %1026 = phi i64 [ %1031, %1024 ], [ 0, %1020 ]
  %1027 = getelementptr inbounds nuw double, ptr %1000, i64 %1025
  %1028 = load double, ptr %1027, align 8
  %1029 = getelementptr inbounds nuw double, ptr %6, i64 %1025
  store double %1028, ptr %1029, align 8
  %1030 = add nuw nsw i64 %1025, 1
  %1031 = add i64 %1026, 1
  %1032 = icmp eq i64 %1031, %1022
  br i1 %1032, label %1033, label %1024, !llvm.loop !46

1033:                                             ; preds = %1024, %1020
  %1034 = phi i64 [ %1021, %1020 ], [ %1030, %1024 ]
  %1035 = sub i64 %1021, %334
  %1036 = icmp ugt i64 %1035, -4
  br i1 %1036, label %1056, label %1037

1037:                                             ; preds = %1033, %1037
  %1038 = phi i64 [ %1054, %1037 ], [ %1034, %1033 ]
  %1039 = getelementptr inbounds nuw double, ptr %1000, i64 %1038
  %1040 = load double, ptr %1039, align 8
  %1041 = getelementptr inbounds nuw double, ptr %6, i64 %1038
  store double %1040, ptr %1041, align 8
  %1042 = add nuw nsw i64 %1038, 1
  %1043 = getelementptr inbounds nuw double, ptr %1000, i64 %1042
  %1044 = load double, ptr %1043, align 8
  %1045 = getelementptr inbounds nuw double, ptr %6, i64 %1042
  store double %1044, ptr %1045, align 8
  %1046 = add nuw nsw i64 %1038, 2
  %1047 = getelementptr inbounds nuw double, ptr %1000, i64 %1046
  %1048 = load double, ptr %1047, align 8
  %1049 = getelementptr inbounds nuw double, ptr %6, i64 %1046
  store double %1048, ptr %1049, align 8
  %1050 = add nuw nsw i64 %1038, 3
  %1051 = getelementptr inbounds nuw double, ptr %1000, i64 %1050
  %1052 = load double, ptr %1051, align 8
  %1053 = getelementptr inbounds nuw double, ptr %6, i64 %1050
  store double %1052, ptr %1053, align 8
  %1054 = add nuw nsw i64 %1038, 4
  %1055 = icmp eq i64 %1054, %690
  br i1 %1055, label %1056, label %1037, !llvm.loop !47

1056:                                             ; preds = %1033, %1037, %1018
  br i1 %304, label %1057, label %1073

1057:                                             ; preds = %1056
  %1058 = icmp ult i64 %634, 4
  %1059 = and i64 %634, -4
  %1060 = icmp eq i64 %634, %1059
  %1061 = and i64 %331, 1
  %1062 = icmp eq i64 %1061, 0
  %1063 = icmp ult i64 %642, 4
  %1064 = and i64 %642, -4
  %1065 = icmp eq i64 %642, %1064
  %1066 = and i64 %328, 3
  %1067 = icmp eq i64 %1066, 0
  %1068 = icmp ult i64 %650, 4
  %1069 = and i64 %650, -4
  %1070 = icmp eq i64 %650, %1069
  %1071 = and i64 %325, 1
  %1072 = icmp eq i64 %1071, 0
  br label %1099

1073:                                             ; preds = %1300, %1056
  %1074 = getelementptr inbounds i8, ptr %301, i64 %693
  %1075 = icmp ult i64 %658, 4
  br i1 %1075, label %1090, label %1076

1076:                                             ; preds = %1073
  %1077 = and i64 %658, -4
  br label %1078

1078:                                             ; preds = %1078, %1076
  %1079 = phi i64 [ 0, %1076 ], [ %1086, %1078 ]
  %1080 = getelementptr inbounds nuw double, ptr %6, i64 %1079
  %1081 = getelementptr inbounds nuw i8, ptr %1080, i64 16
  %1082 = load <2 x double>, ptr %1080, align 32
  %1083 = load <2 x double>, ptr %1081, align 16
  %1084 = getelementptr inbounds nuw double, ptr %1074, i64 %1079
  %1085 = getelementptr inbounds nuw i8, ptr %1084, i64 16
  store <2 x double> %1082, ptr %1084, align 8
  store <2 x double> %1083, ptr %1085, align 8
  %1086 = add nuw i64 %1079, 4
  %1087 = icmp eq i64 %1086, %1077
  br i1 %1087, label %1088, label %1078, !llvm.loop !48

1088:                                             ; preds = %1078
  %1089 = icmp eq i64 %658, %1077
  br i1 %1089, label %3699, label %1090

1090:                                             ; preds = %1073, %1088
  %1091 = phi i64 [ 0, %1073 ], [ %1077, %1088 ]
  br label %1092

1092:                                             ; preds = %1090, %1092
  %1093 = phi i64 [ %1097, %1092 ], [ %1091, %1090 ]
  %1094 = getelementptr inbounds nuw double, ptr %6, i64 %1093
  %1095 = load double, ptr %1094, align 8
  %1096 = getelementptr inbounds nuw double, ptr %1074, i64 %1093
  store double %1095, ptr %1096, align 8
  %1097 = add nuw nsw i64 %1093, 1
  %1098 = icmp eq i64 %1097, %690
  br i1 %1098, label %3699, label %1092, !llvm.loop !49

1099:                                             ; preds = %1057, %1300
  %1100 = phi i64 [ %1301, %1300 ], [ 1, %1057 ]
  %1101 = getelementptr inbounds nuw ptr, ptr %12, i64 %1100
  %1102 = load ptr, ptr %1101, align 8
  %1103 = getelementptr i8, ptr %1102, i64 %693
  switch i32 %303, label %1187 [
    i32 0, label %1148
    i32 1, label %1104
  ]

1104:                                             ; preds = %1099
  br i1 %1058, label %1132, label %1105

1105:                                             ; preds = %1104
  %1106 = getelementptr i8, ptr %1102, i64 %693
  %1107 = getelementptr i8, ptr %1106, i64 %638
  %1108 = icmp ult ptr %6, %1107
  %1109 = icmp ult ptr %1103, %639
  %1110 = and i1 %1108, %1109
  br i1 %1110, label %1132, label %1111

1111:                                             ; preds = %1105, %1111
  %1112 = phi i64 [ %1129, %1111 ], [ 0, %1105 ]
  %1113 = getelementptr inbounds nuw double, ptr %6, i64 %1112
  %1114 = getelementptr inbounds nuw i8, ptr %1113, i64 16
  %1115 = load <2 x double>, ptr %1113, align 32, !alias.scope !50, !noalias !53
  %1116 = load <2 x double>, ptr %1114, align 16, !alias.scope !50, !noalias !53
  %1117 = getelementptr inbounds nuw double, ptr %1103, i64 %1112
  %1118 = getelementptr inbounds nuw i8, ptr %1117, i64 16
  %1119 = load <2 x double>, ptr %1117, align 8, !alias.scope !53
  %1120 = load <2 x double>, ptr %1118, align 8, !alias.scope !53
  %1121 = fcmp oge <2 x double> %1115, %1119
  %1122 = fcmp oge <2 x double> %1116, %1120
  %1123 = fcmp uno <2 x double> %1115, zeroinitializer
  %1124 = fcmp uno <2 x double> %1116, zeroinitializer
  %1125 = or <2 x i1> %1123, %1121
  %1126 = or <2 x i1> %1124, %1122
  %1127 = select <2 x i1> %1125, <2 x double> %1115, <2 x double> %1119
  %1128 = select <2 x i1> %1126, <2 x double> %1116, <2 x double> %1120
  store <2 x double> %1127, ptr %1113, align 32, !alias.scope !50, !noalias !53
  store <2 x double> %1128, ptr %1114, align 16, !alias.scope !50, !noalias !53
  %1129 = add nuw i64 %1112, 4
  %1130 = icmp eq i64 %1129, %1059
  br i1 %1130, label %1131, label %1111, !llvm.loop !55

1131:                                             ; preds = %1111
  br i1 %1060, label %1300, label %1132

1132:                                             ; preds = %1105, %1104, %1131
  %1133 = phi i64 [ 0, %1105 ], [ 0, %1104 ], [ %1059, %1131 ]
  %1134 = or disjoint i64 %1133, 1
  br i1 %1062, label %1145, label %1135

1135:                                             ; preds = %1132
  %1136 = getelementptr inbounds nuw double, ptr %6, i64 %1133
  %1137 = load double, ptr %1136, align 32
  %1138 = getelementptr inbounds nuw double, ptr %1103, i64 %1133
  %1139 = load double, ptr %1138, align 8
  %1140 = fcmp oge double %1137, %1139
  %1141 = fcmp uno double %1137, 0.000000e+00
  %1142 = or i1 %1141, %1140
  %1143 = select i1 %1142, double %1137, double %1139
  store double %1143, ptr %1136, align 32
  %1144 = or disjoint i64 %1133, 1
  br label %1145

1145:                                             ; preds = %1135, %1132
  %1146 = phi i64 [ %1133, %1132 ], [ %1144, %1135 ]
  %1147 = icmp eq i64 %331, %1134
  br i1 %1147, label %1300, label %1258

1148:                                             ; preds = %1099
  br i1 %1063, label %1170, label %1149

1149:                                             ; preds = %1148
  %1150 = getelementptr i8, ptr %1102, i64 %693
  %1151 = getelementptr i8, ptr %1150, i64 %646
  %1152 = icmp ult ptr %6, %1151
  %1153 = icmp ult ptr %1103, %647
  %1154 = and i1 %1152, %1153
  br i1 %1154, label %1170, label %1155

1155:                                             ; preds = %1149, %1155
  %1156 = phi i64 [ %1167, %1155 ], [ 0, %1149 ]
  %1157 = getelementptr inbounds nuw double, ptr %6, i64 %1156
  %1158 = getelementptr inbounds nuw i8, ptr %1157, i64 16
  %1159 = load <2 x double>, ptr %1157, align 32, !alias.scope !56, !noalias !59
  %1160 = load <2 x double>, ptr %1158, align 16, !alias.scope !56, !noalias !59
  %1161 = getelementptr inbounds nuw double, ptr %1103, i64 %1156
  %1162 = getelementptr inbounds nuw i8, ptr %1161, i64 16
  %1163 = load <2 x double>, ptr %1161, align 8, !alias.scope !59
  %1164 = load <2 x double>, ptr %1162, align 8, !alias.scope !59
  %1165 = fadd <2 x double> %1159, %1163
  %1166 = fadd <2 x double> %1160, %1164
  store <2 x double> %1165, ptr %1157, align 32, !alias.scope !56, !noalias !59
  store <2 x double> %1166, ptr %1158, align 16, !alias.scope !56, !noalias !59
  %1167 = add nuw i64 %1156, 4
  %1168 = icmp eq i64 %1167, %1064
  br i1 %1168, label %1169, label %1155, !llvm.loop !61

1169:                                             ; preds = %1155
  br i1 %1065, label %1300, label %1170

1170:                                             ; preds = %1149, %1148, %1169
  %1171 = phi i64 [ 0, %1149 ], [ 0, %1148 ], [ %1064, %1169 ]
  br i1 %1067, label %1183, label %1172

1172:                                             ; preds = %1170, %1172
  %1173 = phi i64 [ %1180, %1172 ], [ %1171, %1170 ]
  %1174 = phi i64 [ %1181, %1172 ], [ 0, %1170 ]
  %1175 = getelementptr inbounds nuw double, ptr %6, i64 %1173
  %1176 = load double, ptr %1175, align 8
  %1177 = getelementptr inbounds nuw double, ptr %1103, i64 %1173
  %1178 = load double, ptr %1177, align 8
  %1179 = fadd double %1176, %1178
  store double %1179, ptr %1175, align 8
  %1180 = add nuw nsw i64 %1173, 1
  %1181 = add i64 %1174, 1
  %1182 = icmp eq i64 %1181, %1066
  br i1 %1182, label %1183, label %1172, !llvm.loop !62

1183:                                             ; preds = %1172, %1170
  %1184 = phi i64 [ %1171, %1170 ], [ %1180, %1172 ]
  %1185 = sub i64 %1171, %328
  %1186 = icmp ugt i64 %1185, -4
  br i1 %1186, label %1300, label %1231

1187:                                             ; preds = %1099
  br i1 %1068, label %1215, label %1188

1188:                                             ; preds = %1187
  %1189 = getelementptr i8, ptr %1102, i64 %693
  %1190 = getelementptr i8, ptr %1189, i64 %654
  %1191 = icmp ult ptr %6, %1190
  %1192 = icmp ult ptr %1103, %655
  %1193 = and i1 %1191, %1192
  br i1 %1193, label %1215, label %1194

1194:                                             ; preds = %1188, %1194
  %1195 = phi i64 [ %1212, %1194 ], [ 0, %1188 ]
  %1196 = getelementptr inbounds nuw double, ptr %6, i64 %1195
  %1197 = getelementptr inbounds nuw i8, ptr %1196, i64 16
  %1198 = load <2 x double>, ptr %1196, align 32, !alias.scope !63, !noalias !66
  %1199 = load <2 x double>, ptr %1197, align 16, !alias.scope !63, !noalias !66
  %1200 = getelementptr inbounds nuw double, ptr %1103, i64 %1195
  %1201 = getelementptr inbounds nuw i8, ptr %1200, i64 16
  %1202 = load <2 x double>, ptr %1200, align 8, !alias.scope !66
  %1203 = load <2 x double>, ptr %1201, align 8, !alias.scope !66
  %1204 = fcmp ole <2 x double> %1198, %1202
  %1205 = fcmp ole <2 x double> %1199, %1203
  %1206 = fcmp uno <2 x double> %1198, zeroinitializer
  %1207 = fcmp uno <2 x double> %1199, zeroinitializer
  %1208 = or <2 x i1> %1206, %1204
  %1209 = or <2 x i1> %1207, %1205
  %1210 = select <2 x i1> %1208, <2 x double> %1198, <2 x double> %1202
  %1211 = select <2 x i1> %1209, <2 x double> %1199, <2 x double> %1203
  store <2 x double> %1210, ptr %1196, align 32, !alias.scope !63, !noalias !66
  store <2 x double> %1211, ptr %1197, align 16, !alias.scope !63, !noalias !66
  %1212 = add nuw i64 %1195, 4
  %1213 = icmp eq i64 %1212, %1069
  br i1 %1213, label %1214, label %1194, !llvm.loop !68

1214:                                             ; preds = %1194
  br i1 %1070, label %1300, label %1215

1215:                                             ; preds = %1188, %1187, %1214
  %1216 = phi i64 [ 0, %1188 ], [ 0, %1187 ], [ %1069, %1214 ]
  %1217 = or disjoint i64 %1216, 1
  br i1 %1072, label %1228, label %1218

1218:                                             ; preds = %1215
  %1219 = getelementptr inbounds nuw double, ptr %6, i64 %1216
  %1220 = load double, ptr %1219, align 32
  %1221 = getelementptr inbounds nuw double, ptr %1103, i64 %1216
  %1222 = load double, ptr %1221, align 8
  %1223 = fcmp ole double %1220, %1222
  %1224 = fcmp uno double %1220, 0.000000e+00
  %1225 = or i1 %1224, %1223
  %1226 = select i1 %1225, double %1220, double %1222
  store double %1226, ptr %1219, align 32
  %1227 = or disjoint i64 %1216, 1
  br label %1228

1228:                                             ; preds = %1218, %1215
  %1229 = phi i64 [ %1216, %1215 ], [ %1227, %1218 ]
  %1230 = icmp eq i64 %325, %1217
  br i1 %1230, label %1300, label %1279

1231:                                             ; preds = %1183, %1231
  %1232 = phi i64 [ %1256, %1231 ], [ %1184, %1183 ]
  %1233 = getelementptr inbounds nuw double, ptr %6, i64 %1232
  %1234 = load double, ptr %1233, align 8
  %1235 = getelementptr inbounds nuw double, ptr %1103, i64 %1232
  %1236 = load double, ptr %1235, align 8
  %1237 = fadd double %1234, %1236
  store double %1237, ptr %1233, align 8
  %1238 = add nuw nsw i64 %1232, 1
  %1239 = getelementptr inbounds nuw double, ptr %6, i64 %1238
  %1240 = load double, ptr %1239, align 8
  %1241 = getelementptr inbounds nuw double, ptr %1103, i64 %1238
  %1242 = load double, ptr %1241, align 8
  %1243 = fadd double %1240, %1242
  store double %1243, ptr %1239, align 8
  %1244 = add nuw nsw i64 %1232, 2
  %1245 = getelementptr inbounds nuw double, ptr %6, i64 %1244
  %1246 = load double, ptr %1245, align 8
  %1247 = getelementptr inbounds nuw double, ptr %1103, i64 %1244
  %1248 = load double, ptr %1247, align 8
  %1249 = fadd double %1246, %1248
  store double %1249, ptr %1245, align 8
  %1250 = add nuw nsw i64 %1232, 3
  %1251 = getelementptr inbounds nuw double, ptr %6, i64 %1250
  %1252 = load double, ptr %1251, align 8
  %1253 = getelementptr inbounds nuw double, ptr %1103, i64 %1250
  %1254 = load double, ptr %1253, align 8
  %1255 = fadd double %1252, %1254
  store double %1255, ptr %1251, align 8
  %1256 = add nuw nsw i64 %1232, 4
  %1257 = icmp eq i64 %1256, %690
  br i1 %1257, label %1300, label %1231, !llvm.loop !69

1258:                                             ; preds = %1145, %1258
  %1259 = phi i64 [ %1277, %1258 ], [ %1146, %1145 ]
  %1260 = getelementptr inbounds nuw double, ptr %6, i64 %1259
  %1261 = load double, ptr %1260, align 8
  %1262 = getelementptr inbounds nuw double, ptr %1103, i64 %1259
  %1263 = load double, ptr %1262, align 8
  %1264 = fcmp oge double %1261, %1263
  %1265 = fcmp uno double %1261, 0.000000e+00
  %1266 = or i1 %1265, %1264
  %1267 = select i1 %1266, double %1261, double %1263
  store double %1267, ptr %1260, align 8
  %1268 = add nuw nsw i64 %1259, 1
  %1269 = getelementptr inbounds nuw double, ptr %6, i64 %1268
  %1270 = load double, ptr %1269, align 8
  %1271 = getelementptr inbounds nuw double, ptr %1103, i64 %1268
  %1272 = load double, ptr %1271, align 8
  %1273 = fcmp oge double %1270, %1272
  %1274 = fcmp uno double %1270, 0.000000e+00
  %1275 = or i1 %1274, %1273
  %1276 = select i1 %1275, double %1270, double %1272
  store double %1276, ptr %1269, align 8
  %1277 = add nuw nsw i64 %1259, 2
  %1278 = icmp eq i64 %1277, %690
  br i1 %1278, label %1300, label %1258, !llvm.loop !70

1279:                                             ; preds = %1228, %1279
  %1280 = phi i64 [ %1298, %1279 ], [ %1229, %1228 ]
  %1281 = getelementptr inbounds nuw double, ptr %6, i64 %1280
  %1282 = load double, ptr %1281, align 8
  %1283 = getelementptr inbounds nuw double, ptr %1103, i64 %1280
  %1284 = load double, ptr %1283, align 8
  %1285 = fcmp ole double %1282, %1284
  %1286 = fcmp uno double %1282, 0.000000e+00
  %1287 = or i1 %1286, %1285
  %1288 = select i1 %1287, double %1282, double %1284
  store double %1288, ptr %1281, align 8
  %1289 = add nuw nsw i64 %1280, 1
  %1290 = getelementptr inbounds nuw double, ptr %6, i64 %1289
  %1291 = load double, ptr %1290, align 8
  %1292 = getelementptr inbounds nuw double, ptr %1103, i64 %1289
  %1293 = load double, ptr %1292, align 8
  %1294 = fcmp ole double %1291, %1293
  %1295 = fcmp uno double %1291, 0.000000e+00
  %1296 = or i1 %1295, %1294
  %1297 = select i1 %1296, double %1291, double %1293
  store double %1297, ptr %1290, align 8
  %1298 = add nuw nsw i64 %1280, 2
  %1299 = icmp eq i64 %1298, %690
  br i1 %1299, label %1300, label %1279, !llvm.loop !71

1300:                                             ; preds = %1145, %1258, %1183, %1231, %1228, %1279, %1131, %1169, %1214
  %1301 = add nuw nsw i64 %1100, 1
  %1302 = icmp eq i64 %1301, %305
  br i1 %1302, label %1073, label %1099, !llvm.loop !72

1303:                                             ; preds = %308
  %1304 = getelementptr inbounds i8, ptr %306, i64 %693
  %1305 = icmp ult i64 %592, 8
  br i1 %1305, label %1352, label %1306

1306:                                             ; preds = %1303
  %1307 = getelementptr i8, ptr %306, i64 %693
  %1308 = getelementptr i8, ptr %1307, i64 %598
  %1309 = icmp ult ptr %6, %1308
  %1310 = icmp ult ptr %1304, %597
  %1311 = and i1 %1309, %1310
  br i1 %1311, label %1352, label %1312

1312:                                             ; preds = %1306
  %1313 = and i64 %592, -8
  br label %1314

1314:                                             ; preds = %1314, %1312
  %1315 = phi i64 [ 0, %1312 ], [ %1348, %1314 ]
  %1316 = getelementptr inbounds nuw i16, ptr %1304, i64 %1315
  %1317 = getelementptr inbounds nuw i8, ptr %1316, i64 8
  %1318 = load <4 x i16>, ptr %1316, align 2, !alias.scope !73
  %1319 = load <4 x i16>, ptr %1317, align 2, !alias.scope !73
  %1320 = zext <4 x i16> %1318 to <4 x i32>
  %1321 = zext <4 x i16> %1319 to <4 x i32>
  %1322 = shl nuw nsw <4 x i32> %1320, splat (i32 13)
  %1323 = shl nuw nsw <4 x i32> %1321, splat (i32 13)
  %1324 = and <4 x i32> %1322, splat (i32 268427264)
  %1325 = and <4 x i32> %1323, splat (i32 268427264)
  %1326 = bitcast <4 x i32> %1324 to <4 x float>
  %1327 = bitcast <4 x i32> %1325 to <4 x float>
  %1328 = fmul <4 x float> %1326, splat (float 0x46F0000000000000)
  %1329 = fmul <4 x float> %1327, splat (float 0x46F0000000000000)
  %1330 = bitcast <4 x float> %1328 to <4 x i32>
  %1331 = bitcast <4 x float> %1329 to <4 x i32>
  %1332 = and <4 x i32> %1320, splat (i32 31744)
  %1333 = and <4 x i32> %1321, splat (i32 31744)
  %1334 = icmp eq <4 x i32> %1332, splat (i32 31744)
  %1335 = icmp eq <4 x i32> %1333, splat (i32 31744)
  %1336 = or <4 x i32> %1330, splat (i32 2139095040)
  %1337 = or <4 x i32> %1331, splat (i32 2139095040)
  %1338 = select <4 x i1> %1334, <4 x i32> %1336, <4 x i32> %1330
  %1339 = select <4 x i1> %1335, <4 x i32> %1337, <4 x i32> %1331
  %1340 = sext <4 x i16> %1318 to <4 x i32>
  %1341 = sext <4 x i16> %1319 to <4 x i32>
  %1342 = and <4 x i32> %1340, splat (i32 -2147483648)
  %1343 = and <4 x i32> %1341, splat (i32 -2147483648)
  %1344 = or <4 x i32> %1338, %1342
  %1345 = or <4 x i32> %1339, %1343
  %1346 = getelementptr inbounds nuw float, ptr %6, i64 %1315
  %1347 = getelementptr inbounds nuw i8, ptr %1346, i64 16
  store <4 x i32> %1344, ptr %1346, align 32, !alias.scope !76, !noalias !73
  store <4 x i32> %1345, ptr %1347, align 16, !alias.scope !76, !noalias !73
  %1348 = add nuw i64 %1315, 8
  %1349 = icmp eq i64 %1348, %1313
  br i1 %1349, label %1350, label %1314, !llvm.loop !78

1350:                                             ; preds = %1314
  %1351 = icmp eq i64 %592, %1313
  br i1 %1351, label %1374, label %1352

1352:                                             ; preds = %1306, %1303, %1350
  %1353 = phi i64 [ 0, %1306 ], [ 0, %1303 ], [ %1313, %1350 ]
  br label %1354

1354:                                             ; preds = %1352, %1354
  %1355 = phi i64 [ %1372, %1354 ], [ %1353, %1352 ]
  %1356 = getelementptr inbounds nuw i16, ptr %1304, i64 %1355
  %1357 = load i16, ptr %1356, align 2
  %1358 = zext i16 %1357 to i32
  %1359 = shl nuw nsw i32 %1358, 13
  %1360 = and i32 %1359, 268427264
  %1361 = bitcast i32 %1360 to float
  %1362 = fmul float %1361, 0x46F0000000000000
  %1363 = bitcast float %1362 to i32
  %1364 = and i32 %1358, 31744
  %1365 = icmp eq i32 %1364, 31744
  %1366 = or i32 %1363, 2139095040
  %1367 = select i1 %1365, i32 %1366, i32 %1363
  %1368 = sext i16 %1357 to i32
  %1369 = and i32 %1368, -2147483648
  %1370 = or i32 %1367, %1369
  %1371 = getelementptr inbounds nuw float, ptr %6, i64 %1355
  store i32 %1370, ptr %1371, align 4
  %1372 = add nuw nsw i64 %1355, 1
  %1373 = icmp eq i64 %1372, %690
  br i1 %1373, label %1374, label %1354, !llvm.loop !79

1374:                                             ; preds = %1354, %1350
  br i1 %304, label %1375, label %1385

1375:                                             ; preds = %1374
  %1376 = icmp ult i64 %601, 4
  %1377 = and i64 %601, -4
  %1378 = icmp eq i64 %601, %1377
  %1379 = icmp ult i64 %610, 8
  %1380 = and i64 %610, -8
  %1381 = icmp eq i64 %610, %1380
  %1382 = icmp ult i64 %619, 4
  %1383 = and i64 %619, -4
  %1384 = icmp eq i64 %619, %1383
  br label %1463

1385:                                             ; preds = %1667, %1374
  %1386 = getelementptr inbounds i8, ptr %301, i64 %693
  %1387 = icmp ult i64 %628, 4
  br i1 %1387, label %1423, label %1388

1388:                                             ; preds = %1385
  %1389 = and i64 %628, -4
  br label %1390

1390:                                             ; preds = %1390, %1388
  %1391 = phi i64 [ 0, %1388 ], [ %1419, %1390 ]
  %1392 = getelementptr inbounds nuw float, ptr %6, i64 %1391
  %1393 = load <4 x float>, ptr %1392, align 16
  %1394 = bitcast <4 x float> %1393 to <4 x i32>
  %1395 = lshr <4 x i32> %1394, splat (i32 16)
  %1396 = and <4 x i32> %1395, splat (i32 32768)
  %1397 = call <4 x float> @llvm.fabs.v4f32(<4 x float> %1393)
  %1398 = bitcast <4 x float> %1397 to <4 x i32>
  %1399 = icmp samesign ult <4 x i32> %1398, splat (i32 2139095041)
  %1400 = lshr <4 x i32> %1398, splat (i32 13)
  %1401 = and <4 x i32> %1400, splat (i32 1)
  %1402 = add nuw nsw <4 x i32> %1398, splat (i32 134221823)
  %1403 = add nuw nsw <4 x i32> %1402, %1401
  %1404 = lshr <4 x i32> %1403, splat (i32 13)
  %1405 = icmp samesign ult <4 x i32> %1398, splat (i32 947912704)
  %1406 = fadd <4 x float> %1397, splat (float 5.000000e-01)
  %1407 = bitcast <4 x float> %1406 to <4 x i32>
  %1408 = add nsw <4 x i32> %1398, splat (i32 -1199566848)
  %1409 = icmp ult <4 x i32> %1408, splat (i32 939528193)
  %1410 = trunc nuw <4 x i32> %1396 to <4 x i16>
  %1411 = or disjoint <4 x i16> %1410, splat (i16 31744)
  %1412 = or disjoint <4 x i16> %1410, splat (i16 32256)
  %1413 = select <4 x i1> %1405, <4 x i32> %1407, <4 x i32> %1404
  %1414 = or <4 x i32> %1396, %1413
  %1415 = trunc <4 x i32> %1414 to <4 x i16>
  %1416 = select <4 x i1> %1409, <4 x i16> %1411, <4 x i16> %1415
  %1417 = select <4 x i1> %1399, <4 x i16> %1416, <4 x i16> %1412
  %1418 = getelementptr inbounds nuw i16, ptr %1386, i64 %1391
  store <4 x i16> %1417, ptr %1418, align 2
  %1419 = add nuw i64 %1391, 4
  %1420 = icmp eq i64 %1419, %1389
  br i1 %1420, label %1421, label %1390, !llvm.loop !80

1421:                                             ; preds = %1390
  %1422 = icmp eq i64 %628, %1389
  br i1 %1422, label %3699, label %1423

1423:                                             ; preds = %1385, %1421
  %1424 = phi i64 [ 0, %1385 ], [ %1389, %1421 ]
  br label %1425

1425:                                             ; preds = %1423, %1458
  %1426 = phi i64 [ %1461, %1458 ], [ %1424, %1423 ]
  %1427 = getelementptr inbounds nuw float, ptr %6, i64 %1426
  %1428 = load float, ptr %1427, align 4
  %1429 = bitcast float %1428 to i32
  %1430 = lshr i32 %1429, 16
  %1431 = and i32 %1430, 32768
  %1432 = tail call float @llvm.fabs.f32(float %1428)
  %1433 = bitcast float %1432 to i32
  %1434 = icmp samesign ugt i32 %1433, 2139095040
  br i1 %1434, label %1435, label %1438

1435:                                             ; preds = %1425
  %1436 = trunc nuw i32 %1431 to i16
  %1437 = or disjoint i16 %1436, 32256
  br label %1458

1438:                                             ; preds = %1425
  %1439 = icmp samesign ugt i32 %1433, 1199566847
  br i1 %1439, label %1440, label %1443

1440:                                             ; preds = %1438
  %1441 = trunc nuw i32 %1431 to i16
  %1442 = or disjoint i16 %1441, 31744
  br label %1458

1443:                                             ; preds = %1438
  %1444 = icmp samesign ult i32 %1433, 947912704
  br i1 %1444, label %1445, label %1450

1445:                                             ; preds = %1443
  %1446 = fadd float %1432, 5.000000e-01
  %1447 = bitcast float %1446 to i32
  %1448 = or i32 %1431, %1447
  %1449 = trunc i32 %1448 to i16
  br label %1458

1450:                                             ; preds = %1443
  %1451 = lshr i32 %1433, 13
  %1452 = and i32 %1451, 1
  %1453 = add nuw nsw i32 %1433, 134221823
  %1454 = add nuw nsw i32 %1453, %1452
  %1455 = lshr i32 %1454, 13
  %1456 = or i32 %1455, %1431
  %1457 = trunc i32 %1456 to i16
  br label %1458

1458:                                             ; preds = %1450, %1445, %1440, %1435
  %1459 = phi i16 [ %1437, %1435 ], [ %1442, %1440 ], [ %1449, %1445 ], [ %1457, %1450 ]
  %1460 = getelementptr inbounds nuw i16, ptr %1386, i64 %1426
  store i16 %1459, ptr %1460, align 2
  %1461 = add nuw nsw i64 %1426, 1
  %1462 = icmp eq i64 %1461, %690
  br i1 %1462, label %3699, label %1425, !llvm.loop !81

1463:                                             ; preds = %1375, %1667
  %1464 = phi i64 [ %1668, %1667 ], [ 1, %1375 ]
  %1465 = getelementptr inbounds nuw ptr, ptr %12, i64 %1464
  %1466 = load ptr, ptr %1465, align 8
  %1467 = getelementptr i8, ptr %1466, i64 %693
  switch i32 %303, label %1556 [
    i32 0, label %1504
    i32 1, label %1468
  ]

1468:                                             ; preds = %1463
  br i1 %1376, label %1502, label %1469

1469:                                             ; preds = %1468
  %1470 = getelementptr i8, ptr %1466, i64 %693
  %1471 = getelementptr i8, ptr %1470, i64 %607
  %1472 = icmp ult ptr %6, %1471
  %1473 = icmp ult ptr %1467, %606
  %1474 = and i1 %1472, %1473
  br i1 %1474, label %1502, label %1475

1475:                                             ; preds = %1469, %1475
  %1476 = phi i64 [ %1499, %1475 ], [ 0, %1469 ]
  %1477 = getelementptr inbounds nuw float, ptr %6, i64 %1476
  %1478 = load <4 x float>, ptr %1477, align 16, !alias.scope !82, !noalias !85
  %1479 = getelementptr inbounds nuw i16, ptr %1467, i64 %1476
  %1480 = load <4 x i16>, ptr %1479, align 2, !alias.scope !85
  %1481 = zext <4 x i16> %1480 to <4 x i32>
  %1482 = shl nuw nsw <4 x i32> %1481, splat (i32 13)
  %1483 = and <4 x i32> %1482, splat (i32 268427264)
  %1484 = bitcast <4 x i32> %1483 to <4 x float>
  %1485 = fmul <4 x float> %1484, splat (float 0x46F0000000000000)
  %1486 = bitcast <4 x float> %1485 to <4 x i32>
  %1487 = and <4 x i32> %1481, splat (i32 31744)
  %1488 = icmp eq <4 x i32> %1487, splat (i32 31744)
  %1489 = or <4 x i32> %1486, splat (i32 2139095040)
  %1490 = select <4 x i1> %1488, <4 x i32> %1489, <4 x i32> %1486
  %1491 = sext <4 x i16> %1480 to <4 x i32>
  %1492 = and <4 x i32> %1491, splat (i32 -2147483648)
  %1493 = or <4 x i32> %1490, %1492
  %1494 = bitcast <4 x i32> %1493 to <4 x float>
  %1495 = fcmp oge <4 x float> %1478, %1494
  %1496 = fcmp uno <4 x float> %1478, zeroinitializer
  %1497 = or <4 x i1> %1496, %1495
  %1498 = select <4 x i1> %1497, <4 x float> %1478, <4 x float> %1494
  store <4 x float> %1498, ptr %1477, align 16, !alias.scope !82, !noalias !85
  %1499 = add nuw i64 %1476, 4
  %1500 = icmp eq i64 %1499, %1377
  br i1 %1500, label %1501, label %1475, !llvm.loop !87

1501:                                             ; preds = %1475
  br i1 %1378, label %1667, label %1502

1502:                                             ; preds = %1469, %1468, %1501
  %1503 = phi i64 [ 0, %1469 ], [ 0, %1468 ], [ %1377, %1501 ]
  br label %1615

1504:                                             ; preds = %1463
  br i1 %1379, label %1554, label %1505

1505:                                             ; preds = %1504
  %1506 = getelementptr i8, ptr %1466, i64 %693
  %1507 = getelementptr i8, ptr %1506, i64 %616
  %1508 = icmp ult ptr %6, %1507
  %1509 = icmp ult ptr %1467, %615
  %1510 = and i1 %1508, %1509
  br i1 %1510, label %1554, label %1511

1511:                                             ; preds = %1505, %1511
  %1512 = phi i64 [ %1551, %1511 ], [ 0, %1505 ]
  %1513 = getelementptr inbounds nuw float, ptr %6, i64 %1512
  %1514 = getelementptr inbounds nuw i8, ptr %1513, i64 16
  %1515 = load <4 x float>, ptr %1513, align 32, !alias.scope !88, !noalias !91
  %1516 = load <4 x float>, ptr %1514, align 16, !alias.scope !88, !noalias !91
  %1517 = getelementptr inbounds nuw i16, ptr %1467, i64 %1512
  %1518 = getelementptr inbounds nuw i8, ptr %1517, i64 8
  %1519 = load <4 x i16>, ptr %1517, align 2, !alias.scope !91
  %1520 = load <4 x i16>, ptr %1518, align 2, !alias.scope !91
  %1521 = zext <4 x i16> %1519 to <4 x i32>
  %1522 = zext <4 x i16> %1520 to <4 x i32>
  %1523 = shl nuw nsw <4 x i32> %1521, splat (i32 13)
  %1524 = shl nuw nsw <4 x i32> %1522, splat (i32 13)
  %1525 = and <4 x i32> %1523, splat (i32 268427264)
  %1526 = and <4 x i32> %1524, splat (i32 268427264)
  %1527 = bitcast <4 x i32> %1525 to <4 x float>
  %1528 = bitcast <4 x i32> %1526 to <4 x float>
  %1529 = fmul <4 x float> %1527, splat (float 0x46F0000000000000)
  %1530 = fmul <4 x float> %1528, splat (float 0x46F0000000000000)
  %1531 = bitcast <4 x float> %1529 to <4 x i32>
  %1532 = bitcast <4 x float> %1530 to <4 x i32>
  %1533 = and <4 x i32> %1521, splat (i32 31744)
  %1534 = and <4 x i32> %1522, splat (i32 31744)
  %1535 = icmp eq <4 x i32> %1533, splat (i32 31744)
  %1536 = icmp eq <4 x i32> %1534, splat (i32 31744)
  %1537 = or <4 x i32> %1531, splat (i32 2139095040)
  %1538 = or <4 x i32> %1532, splat (i32 2139095040)
  %1539 = select <4 x i1> %1535, <4 x i32> %1537, <4 x i32> %1531
  %1540 = select <4 x i1> %1536, <4 x i32> %1538, <4 x i32> %1532
  %1541 = sext <4 x i16> %1519 to <4 x i32>
  %1542 = sext <4 x i16> %1520 to <4 x i32>
  %1543 = and <4 x i32> %1541, splat (i32 -2147483648)
  %1544 = and <4 x i32> %1542, splat (i32 -2147483648)
  %1545 = or <4 x i32> %1539, %1543
  %1546 = or <4 x i32> %1540, %1544
  %1547 = bitcast <4 x i32> %1545 to <4 x float>
  %1548 = bitcast <4 x i32> %1546 to <4 x float>
  %1549 = fadd <4 x float> %1515, %1547
  %1550 = fadd <4 x float> %1516, %1548
  store <4 x float> %1549, ptr %1513, align 32, !alias.scope !88, !noalias !91
  store <4 x float> %1550, ptr %1514, align 16, !alias.scope !88, !noalias !91
  %1551 = add nuw i64 %1512, 8
  %1552 = icmp eq i64 %1551, %1380
  br i1 %1552, label %1553, label %1511, !llvm.loop !93

1553:                                             ; preds = %1511
  br i1 %1381, label %1667, label %1554

1554:                                             ; preds = %1505, %1504, %1553
  %1555 = phi i64 [ 0, %1505 ], [ 0, %1504 ], [ %1380, %1553 ]
  br label %1592

1556:                                             ; preds = %1463
  br i1 %1382, label %1590, label %1557

1557:                                             ; preds = %1556
  %1558 = getelementptr i8, ptr %1466, i64 %693
  %1559 = getelementptr i8, ptr %1558, i64 %625
  %1560 = icmp ult ptr %6, %1559
  %1561 = icmp ult ptr %1467, %624
  %1562 = and i1 %1560, %1561
  br i1 %1562, label %1590, label %1563

1563:                                             ; preds = %1557, %1563
  %1564 = phi i64 [ %1587, %1563 ], [ 0, %1557 ]
  %1565 = getelementptr inbounds nuw float, ptr %6, i64 %1564
  %1566 = load <4 x float>, ptr %1565, align 16, !alias.scope !94, !noalias !97
  %1567 = getelementptr inbounds nuw i16, ptr %1467, i64 %1564
  %1568 = load <4 x i16>, ptr %1567, align 2, !alias.scope !97
  %1569 = zext <4 x i16> %1568 to <4 x i32>
  %1570 = shl nuw nsw <4 x i32> %1569, splat (i32 13)
  %1571 = and <4 x i32> %1570, splat (i32 268427264)
  %1572 = bitcast <4 x i32> %1571 to <4 x float>
  %1573 = fmul <4 x float> %1572, splat (float 0x46F0000000000000)
  %1574 = bitcast <4 x float> %1573 to <4 x i32>
  %1575 = and <4 x i32> %1569, splat (i32 31744)
  %1576 = icmp eq <4 x i32> %1575, splat (i32 31744)
  %1577 = or <4 x i32> %1574, splat (i32 2139095040)
  %1578 = select <4 x i1> %1576, <4 x i32> %1577, <4 x i32> %1574
  %1579 = sext <4 x i16> %1568 to <4 x i32>
  %1580 = and <4 x i32> %1579, splat (i32 -2147483648)
  %1581 = or <4 x i32> %1578, %1580
  %1582 = bitcast <4 x i32> %1581 to <4 x float>
  %1583 = fcmp ole <4 x float> %1566, %1582
  %1584 = fcmp uno <4 x float> %1566, zeroinitializer
  %1585 = or <4 x i1> %1584, %1583
  %1586 = select <4 x i1> %1585, <4 x float> %1566, <4 x float> %1582
  store <4 x float> %1586, ptr %1565, align 16, !alias.scope !94, !noalias !97
  %1587 = add nuw i64 %1564, 4
  %1588 = icmp eq i64 %1587, %1383
  br i1 %1588, label %1589, label %1563, !llvm.loop !99

1589:                                             ; preds = %1563
  br i1 %1384, label %1667, label %1590

1590:                                             ; preds = %1557, %1556, %1589
  %1591 = phi i64 [ 0, %1557 ], [ 0, %1556 ], [ %1383, %1589 ]
  br label %1641

1592:                                             ; preds = %1554, %1592
  %1593 = phi i64 [ %1613, %1592 ], [ %1555, %1554 ]
  %1594 = getelementptr inbounds nuw float, ptr %6, i64 %1593
  %1595 = load float, ptr %1594, align 4
  %1596 = getelementptr inbounds nuw i16, ptr %1467, i64 %1593
  %1597 = load i16, ptr %1596, align 2
  %1598 = zext i16 %1597 to i32
  %1599 = shl nuw nsw i32 %1598, 13
  %1600 = and i32 %1599, 268427264
  %1601 = bitcast i32 %1600 to float
  %1602 = fmul float %1601, 0x46F0000000000000
  %1603 = bitcast float %1602 to i32
  %1604 = and i32 %1598, 31744
  %1605 = icmp eq i32 %1604, 31744
  %1606 = or i32 %1603, 2139095040
  %1607 = select i1 %1605, i32 %1606, i32 %1603
  %1608 = sext i16 %1597 to i32
  %1609 = and i32 %1608, -2147483648
  %1610 = or i32 %1607, %1609
  %1611 = bitcast i32 %1610 to float
  %1612 = fadd float %1595, %1611
  store float %1612, ptr %1594, align 4
  %1613 = add nuw nsw i64 %1593, 1
  %1614 = icmp eq i64 %1613, %690
  br i1 %1614, label %1667, label %1592, !llvm.loop !100

1615:                                             ; preds = %1502, %1615
  %1616 = phi i64 [ %1639, %1615 ], [ %1503, %1502 ]
  %1617 = getelementptr inbounds nuw float, ptr %6, i64 %1616
  %1618 = load float, ptr %1617, align 4
  %1619 = getelementptr inbounds nuw i16, ptr %1467, i64 %1616
  %1620 = load i16, ptr %1619, align 2
  %1621 = zext i16 %1620 to i32
  %1622 = shl nuw nsw i32 %1621, 13
  %1623 = and i32 %1622, 268427264
  %1624 = bitcast i32 %1623 to float
  %1625 = fmul float %1624, 0x46F0000000000000
  %1626 = bitcast float %1625 to i32
  %1627 = and i32 %1621, 31744
  %1628 = icmp eq i32 %1627, 31744
  %1629 = or i32 %1626, 2139095040
  %1630 = select i1 %1628, i32 %1629, i32 %1626
  %1631 = sext i16 %1620 to i32
  %1632 = and i32 %1631, -2147483648
  %1633 = or i32 %1630, %1632
  %1634 = bitcast i32 %1633 to float
  %1635 = fcmp oge float %1618, %1634
  %1636 = fcmp uno float %1618, 0.000000e+00
  %1637 = or i1 %1636, %1635
  %1638 = select i1 %1637, float %1618, float %1634
  store float %1638, ptr %1617, align 4
  %1639 = add nuw nsw i64 %1616, 1
  %1640 = icmp eq i64 %1639, %690
  br i1 %1640, label %1667, label %1615, !llvm.loop !101

1641:                                             ; preds = %1590, %1641
  %1642 = phi i64 [ %1665, %1641 ], [ %1591, %1590 ]
  %1643 = getelementptr inbounds nuw float, ptr %6, i64 %1642
  %1644 = load float, ptr %1643, align 4
  %1645 = getelementptr inbounds nuw i16, ptr %1467, i64 %1642
  %1646 = load i16, ptr %1645, align 2
  %1647 = zext i16 %1646 to i32
  %1648 = shl nuw nsw i32 %1647, 13
  %1649 = and i32 %1648, 268427264
  %1650 = bitcast i32 %1649 to float
  %1651 = fmul float %1650, 0x46F0000000000000
  %1652 = bitcast float %1651 to i32
  %1653 = and i32 %1647, 31744
  %1654 = icmp eq i32 %1653, 31744
  %1655 = or i32 %1652, 2139095040
  %1656 = select i1 %1654, i32 %1655, i32 %1652
  %1657 = sext i16 %1646 to i32
  %1658 = and i32 %1657, -2147483648
  %1659 = or i32 %1656, %1658
  %1660 = bitcast i32 %1659 to float
  %1661 = fcmp ole float %1644, %1660
  %1662 = fcmp uno float %1644, 0.000000e+00
  %1663 = or i1 %1662, %1661
  %1664 = select i1 %1663, float %1644, float %1660
  store float %1664, ptr %1643, align 4
  %1665 = add nuw nsw i64 %1642, 1
  %1666 = icmp eq i64 %1665, %690
  br i1 %1666, label %1667, label %1641, !llvm.loop !102

1667:                                             ; preds = %1615, %1592, %1641, %1501, %1553, %1589
  %1668 = add nuw nsw i64 %1464, 1
  %1669 = icmp eq i64 %1668, %305
  br i1 %1669, label %1385, label %1463, !llvm.loop !103

1670:                                             ; preds = %308
  %1671 = getelementptr inbounds i8, ptr %306, i64 %693
  %1672 = icmp ult i64 %553, 8
  br i1 %1672, label %1697, label %1673

1673:                                             ; preds = %1670
  %1674 = getelementptr i8, ptr %306, i64 %693
  %1675 = getelementptr i8, ptr %1674, i64 %559
  %1676 = icmp ult ptr %6, %1675
  %1677 = icmp ult ptr %1671, %558
  %1678 = and i1 %1676, %1677
  br i1 %1678, label %1697, label %1679

1679:                                             ; preds = %1673
  %1680 = and i64 %553, -8
  br label %1681

1681:                                             ; preds = %1681, %1679
  %1682 = phi i64 [ 0, %1679 ], [ %1693, %1681 ]
  %1683 = getelementptr inbounds nuw i16, ptr %1671, i64 %1682
  %1684 = getelementptr inbounds nuw i8, ptr %1683, i64 8
  %1685 = load <4 x i16>, ptr %1683, align 2, !alias.scope !104
  %1686 = load <4 x i16>, ptr %1684, align 2, !alias.scope !104
  %1687 = zext <4 x i16> %1685 to <4 x i32>
  %1688 = zext <4 x i16> %1686 to <4 x i32>
  %1689 = shl nuw <4 x i32> %1687, splat (i32 16)
  %1690 = shl nuw <4 x i32> %1688, splat (i32 16)
  %1691 = getelementptr inbounds nuw float, ptr %6, i64 %1682
  %1692 = getelementptr inbounds nuw i8, ptr %1691, i64 16
  store <4 x i32> %1689, ptr %1691, align 32, !alias.scope !107, !noalias !104
  store <4 x i32> %1690, ptr %1692, align 16, !alias.scope !107, !noalias !104
  %1693 = add nuw i64 %1682, 8
  %1694 = icmp eq i64 %1693, %1680
  br i1 %1694, label %1695, label %1681, !llvm.loop !109

1695:                                             ; preds = %1681
  %1696 = icmp eq i64 %553, %1680
  br i1 %1696, label %1743, label %1697

1697:                                             ; preds = %1673, %1670, %1695
  %1698 = phi i64 [ 0, %1673 ], [ 0, %1670 ], [ %1680, %1695 ]
  %1699 = and i64 %346, 3
  %1700 = icmp eq i64 %1699, 0
  br i1 %1700, label %1712, label %1701

1701:                                             ; preds = %1697, %1701
  %1702 = phi i64 [ %1709, %1701 ], [ %1698, %1697 ]
  %1703 = phi i64 [ %1710, %1701 ], [ 0, %1697 ]
  %1704 = getelementptr inbounds nuw i16, ptr %1671, i64 %1702
  %1705 = load i16, ptr %1704, align 2
  %1706 = zext i16 %1705 to i32
  %1707 = shl nuw i32 %1706, 16
  %1708 = getelementptr inbounds nuw float, ptr %6, i64 %1702
  store i32 %1707, ptr %1708, align 4
  %1709 = add nuw nsw i64 %1702, 1
  %1710 = add i64 %1703, 1
  %1711 = icmp eq i64 %1710, %1699
  br i1 %1711, label %1712, label %1701, !llvm.loop !110

1712:                                             ; preds = %1701, %1697
  %1713 = phi i64 [ %1698, %1697 ], [ %1709, %1701 ]
  %1714 = sub i64 %1698, %346
  %1715 = icmp ugt i64 %1714, -4
  br i1 %1715, label %1743, label %1716

1716:                                             ; preds = %1712, %1716
  %1717 = phi i64 [ %1741, %1716 ], [ %1713, %1712 ]
  %1718 = getelementptr inbounds nuw i16, ptr %1671, i64 %1717
  %1719 = load i16, ptr %1718, align 2
  %1720 = zext i16 %1719 to i32
  %1721 = shl nuw i32 %1720, 16
  %1722 = getelementptr inbounds nuw float, ptr %6, i64 %1717
  store i32 %1721, ptr %1722, align 4
  %1723 = add nuw nsw i64 %1717, 1
  %1724 = getelementptr inbounds nuw i16, ptr %1671, i64 %1723
  %1725 = load i16, ptr %1724, align 2
  %1726 = zext i16 %1725 to i32
  %1727 = shl nuw i32 %1726, 16
  %1728 = getelementptr inbounds nuw float, ptr %6, i64 %1723
  store i32 %1727, ptr %1728, align 4
  %1729 = add nuw nsw i64 %1717, 2
  %1730 = getelementptr inbounds nuw i16, ptr %1671, i64 %1729
  %1731 = load i16, ptr %1730, align 2
  %1732 = zext i16 %1731 to i32
  %1733 = shl nuw i32 %1732, 16
  %1734 = getelementptr inbounds nuw float, ptr %6, i64 %1729
  store i32 %1733, ptr %1734, align 4
  %1735 = add nuw nsw i64 %1717, 3
  %1736 = getelementptr inbounds nuw i16, ptr %1671, i64 %1735
  %1737 = load i16, ptr %1736, align 2
  %1738 = zext i16 %1737 to i32
  %1739 = shl nuw i32 %1738, 16
  %1740 = getelementptr inbounds nuw float, ptr %6, i64 %1735
  store i32 %1739, ptr %1740, align 4
  %1741 = add nuw nsw i64 %1717, 4
  %1742 = icmp eq i64 %1741, %690
  br i1 %1742, label %1743, label %1716, !llvm.loop !111

1743:                                             ; preds = %1712, %1716, %1695
  br i1 %304, label %1744, label %1760

1744:                                             ; preds = %1743
  %1745 = icmp ult i64 %562, 8
  %1746 = and i64 %562, -8
  %1747 = icmp eq i64 %562, %1746
  %1748 = and i64 %343, 1
  %1749 = icmp eq i64 %1748, 0
  %1750 = icmp ult i64 %571, 8
  %1751 = and i64 %571, -8
  %1752 = icmp eq i64 %571, %1751
  %1753 = and i64 %340, 1
  %1754 = icmp eq i64 %1753, 0
  %1755 = icmp ult i64 %580, 8
  %1756 = and i64 %580, -8
  %1757 = icmp eq i64 %580, %1756
  %1758 = and i64 %337, 1
  %1759 = icmp eq i64 %1758, 0
  br label %1823

1760:                                             ; preds = %2053, %1743
  %1761 = getelementptr inbounds i8, ptr %301, i64 %693
  %1762 = icmp ult i64 %589, 8
  br i1 %1762, label %1799, label %1763

1763:                                             ; preds = %1760
  %1764 = and i64 %589, -8
  br label %1765

1765:                                             ; preds = %1765, %1763
  %1766 = phi i64 [ 0, %1763 ], [ %1795, %1765 ]
  %1767 = getelementptr inbounds nuw float, ptr %6, i64 %1766
  %1768 = getelementptr inbounds nuw i8, ptr %1767, i64 16
  %1769 = load <4 x float>, ptr %1767, align 32
  %1770 = load <4 x float>, ptr %1768, align 16
  %1771 = fcmp uno <4 x float> %1769, zeroinitializer
  %1772 = fcmp uno <4 x float> %1770, zeroinitializer
  %1773 = bitcast <4 x float> %1769 to <4 x i32>
  %1774 = bitcast <4 x float> %1770 to <4 x i32>
  %1775 = add <4 x i32> %1773, splat (i32 32767)
  %1776 = add <4 x i32> %1774, splat (i32 32767)
  %1777 = lshr <4 x i32> %1773, splat (i32 16)
  %1778 = lshr <4 x i32> %1774, splat (i32 16)
  %1779 = and <4 x i32> %1777, splat (i32 1)
  %1780 = and <4 x i32> %1778, splat (i32 1)
  %1781 = add <4 x i32> %1775, %1779
  %1782 = add <4 x i32> %1776, %1780
  %1783 = lshr <4 x i32> %1781, splat (i32 16)
  %1784 = lshr <4 x i32> %1782, splat (i32 16)
  %1785 = trunc nuw <4 x i32> %1783 to <4 x i16>
  %1786 = trunc nuw <4 x i32> %1784 to <4 x i16>
  %1787 = trunc nuw <4 x i32> %1777 to <4 x i16>
  %1788 = or <4 x i16> %1787, splat (i16 64)
  %1789 = trunc nuw <4 x i32> %1778 to <4 x i16>
  %1790 = or <4 x i16> %1789, splat (i16 64)
  %1791 = select <4 x i1> %1771, <4 x i16> %1788, <4 x i16> %1785
  %1792 = select <4 x i1> %1772, <4 x i16> %1790, <4 x i16> %1786
  %1793 = getelementptr inbounds nuw i16, ptr %1761, i64 %1766
  %1794 = getelementptr inbounds nuw i8, ptr %1793, i64 8
  store <4 x i16> %1791, ptr %1793, align 2
  store <4 x i16> %1792, ptr %1794, align 2
  %1795 = add nuw i64 %1766, 8
  %1796 = icmp eq i64 %1795, %1764
  br i1 %1796, label %1797, label %1765, !llvm.loop !112

1797:                                             ; preds = %1765
  %1798 = icmp eq i64 %589, %1764
  br i1 %1798, label %3699, label %1799

1799:                                             ; preds = %1760, %1797
  %1800 = phi i64 [ 0, %1760 ], [ %1764, %1797 ]
  br label %1801

1801:                                             ; preds = %1799, %1818
  %1802 = phi i64 [ %1821, %1818 ], [ %1800, %1799 ]
  %1803 = getelementptr inbounds nuw float, ptr %6, i64 %1802
  %1804 = load float, ptr %1803, align 4
  %1805 = fcmp uno float %1804, 0.000000e+00
  %1806 = bitcast float %1804 to i32
  br i1 %1805, label %1807, label %1811

1807:                                             ; preds = %1801
  %1808 = lshr i32 %1806, 16
  %1809 = trunc nuw i32 %1808 to i16
  %1810 = or i16 %1809, 64
  br label %1818

1811:                                             ; preds = %1801
  %1812 = add i32 %1806, 32767
  %1813 = lshr i32 %1806, 16
  %1814 = and i32 %1813, 1
  %1815 = add i32 %1812, %1814
  %1816 = lshr i32 %1815, 16
  %1817 = trunc nuw i32 %1816 to i16
  br label %1818

1818:                                             ; preds = %1811, %1807
  %1819 = phi i16 [ %1810, %1807 ], [ %1817, %1811 ]
  %1820 = getelementptr inbounds nuw i16, ptr %1761, i64 %1802
  store i16 %1819, ptr %1820, align 2
  %1821 = add nuw nsw i64 %1802, 1
  %1822 = icmp eq i64 %1821, %690
  br i1 %1822, label %3699, label %1801, !llvm.loop !113

1823:                                             ; preds = %1744, %2053
  %1824 = phi i64 [ %2054, %2053 ], [ 1, %1744 ]
  %1825 = getelementptr inbounds nuw ptr, ptr %12, i64 %1824
  %1826 = load ptr, ptr %1825, align 8
  %1827 = getelementptr i8, ptr %1826, i64 %693
  switch i32 %303, label %1925 [
    i32 0, label %1881
    i32 1, label %1828
  ]

1828:                                             ; preds = %1823
  br i1 %1745, label %1862, label %1829

1829:                                             ; preds = %1828
  %1830 = getelementptr i8, ptr %1826, i64 %693
  %1831 = getelementptr i8, ptr %1830, i64 %568
  %1832 = icmp ult ptr %6, %1831
  %1833 = icmp ult ptr %1827, %567
  %1834 = and i1 %1832, %1833
  br i1 %1834, label %1862, label %1835

1835:                                             ; preds = %1829, %1835
  %1836 = phi i64 [ %1859, %1835 ], [ 0, %1829 ]
  %1837 = getelementptr inbounds nuw float, ptr %6, i64 %1836
  %1838 = getelementptr inbounds nuw i8, ptr %1837, i64 16
  %1839 = load <4 x float>, ptr %1837, align 32, !alias.scope !114, !noalias !117
  %1840 = load <4 x float>, ptr %1838, align 16, !alias.scope !114, !noalias !117
  %1841 = getelementptr inbounds nuw i16, ptr %1827, i64 %1836
  %1842 = getelementptr inbounds nuw i8, ptr %1841, i64 8
  %1843 = load <4 x i16>, ptr %1841, align 2, !alias.scope !117
  %1844 = load <4 x i16>, ptr %1842, align 2, !alias.scope !117
  %1845 = zext <4 x i16> %1843 to <4 x i32>
  %1846 = zext <4 x i16> %1844 to <4 x i32>
  %1847 = shl nuw <4 x i32> %1845, splat (i32 16)
  %1848 = shl nuw <4 x i32> %1846, splat (i32 16)
  %1849 = bitcast <4 x i32> %1847 to <4 x float>
  %1850 = bitcast <4 x i32> %1848 to <4 x float>
  %1851 = fcmp oge <4 x float> %1839, %1849
  %1852 = fcmp oge <4 x float> %1840, %1850
  %1853 = fcmp uno <4 x float> %1839, zeroinitializer
  %1854 = fcmp uno <4 x float> %1840, zeroinitializer
  %1855 = or <4 x i1> %1853, %1851
  %1856 = or <4 x i1> %1854, %1852
  %1857 = select <4 x i1> %1855, <4 x float> %1839, <4 x float> %1849
  %1858 = select <4 x i1> %1856, <4 x float> %1840, <4 x float> %1850
  store <4 x float> %1857, ptr %1837, align 32, !alias.scope !114, !noalias !117
  store <4 x float> %1858, ptr %1838, align 16, !alias.scope !114, !noalias !117
  %1859 = add nuw i64 %1836, 8
  %1860 = icmp eq i64 %1859, %1746
  br i1 %1860, label %1861, label %1835, !llvm.loop !119

1861:                                             ; preds = %1835
  br i1 %1747, label %2053, label %1862

1862:                                             ; preds = %1829, %1828, %1861
  %1863 = phi i64 [ 0, %1829 ], [ 0, %1828 ], [ %1746, %1861 ]
  %1864 = or disjoint i64 %1863, 1
  br i1 %1749, label %1878, label %1865

1865:                                             ; preds = %1862
  %1866 = getelementptr inbounds nuw float, ptr %6, i64 %1863
  %1867 = load float, ptr %1866, align 32
  %1868 = getelementptr inbounds nuw i16, ptr %1827, i64 %1863
  %1869 = load i16, ptr %1868, align 2
  %1870 = zext i16 %1869 to i32
  %1871 = shl nuw i32 %1870, 16
  %1872 = bitcast i32 %1871 to float
  %1873 = fcmp oge float %1867, %1872
  %1874 = fcmp uno float %1867, 0.000000e+00
  %1875 = or i1 %1874, %1873
  %1876 = select i1 %1875, float %1867, float %1872
  store float %1876, ptr %1866, align 32
  %1877 = or disjoint i64 %1863, 1
  br label %1878

1878:                                             ; preds = %1865, %1862
  %1879 = phi i64 [ %1863, %1862 ], [ %1877, %1865 ]
  %1880 = icmp eq i64 %343, %1864
  br i1 %1880, label %2053, label %1999

1881:                                             ; preds = %1823
  br i1 %1750, label %1909, label %1882

1882:                                             ; preds = %1881
  %1883 = getelementptr i8, ptr %1826, i64 %693
  %1884 = getelementptr i8, ptr %1883, i64 %577
  %1885 = icmp ult ptr %6, %1884
  %1886 = icmp ult ptr %1827, %576
  %1887 = and i1 %1885, %1886
  br i1 %1887, label %1909, label %1888

1888:                                             ; preds = %1882, %1888
  %1889 = phi i64 [ %1906, %1888 ], [ 0, %1882 ]
  %1890 = getelementptr inbounds nuw float, ptr %6, i64 %1889
  %1891 = getelementptr inbounds nuw i8, ptr %1890, i64 16
  %1892 = load <4 x float>, ptr %1890, align 32, !alias.scope !120, !noalias !123
  %1893 = load <4 x float>, ptr %1891, align 16, !alias.scope !120, !noalias !123
  %1894 = getelementptr inbounds nuw i16, ptr %1827, i64 %1889
  %1895 = getelementptr inbounds nuw i8, ptr %1894, i64 8
  %1896 = load <4 x i16>, ptr %1894, align 2, !alias.scope !123
  %1897 = load <4 x i16>, ptr %1895, align 2, !alias.scope !123
  %1898 = zext <4 x i16> %1896 to <4 x i32>
  %1899 = zext <4 x i16> %1897 to <4 x i32>
  %1900 = shl nuw <4 x i32> %1898, splat (i32 16)
  %1901 = shl nuw <4 x i32> %1899, splat (i32 16)
  %1902 = bitcast <4 x i32> %1900 to <4 x float>
  %1903 = bitcast <4 x i32> %1901 to <4 x float>
  %1904 = fadd <4 x float> %1892, %1902
  %1905 = fadd <4 x float> %1893, %1903
  store <4 x float> %1904, ptr %1890, align 32, !alias.scope !120, !noalias !123
  store <4 x float> %1905, ptr %1891, align 16, !alias.scope !120, !noalias !123
  %1906 = add nuw i64 %1889, 8
  %1907 = icmp eq i64 %1906, %1751
  br i1 %1907, label %1908, label %1888, !llvm.loop !125

1908:                                             ; preds = %1888
  br i1 %1752, label %2053, label %1909

1909:                                             ; preds = %1882, %1881, %1908
  %1910 = phi i64 [ 0, %1882 ], [ 0, %1881 ], [ %1751, %1908 ]
  %1911 = or disjoint i64 %1910, 1
  br i1 %1754, label %1922, label %1912

1912:                                             ; preds = %1909
  %1913 = getelementptr inbounds nuw float, ptr %6, i64 %1910
  %1914 = load float, ptr %1913, align 32
  %1915 = getelementptr inbounds nuw i16, ptr %1827, i64 %1910
  %1916 = load i16, ptr %1915, align 2
  %1917 = zext i16 %1916 to i32
  %1918 = shl nuw i32 %1917, 16
  %1919 = bitcast i32 %1918 to float
  %1920 = fadd float %1914, %1919
  store float %1920, ptr %1913, align 32
  %1921 = or disjoint i64 %1910, 1
  br label %1922

1922:                                             ; preds = %1912, %1909
  %1923 = phi i64 [ %1910, %1909 ], [ %1921, %1912 ]
  %1924 = icmp eq i64 %340, %1911
  br i1 %1924, label %2053, label %1978

1925:                                             ; preds = %1823
  br i1 %1755, label %1959, label %1926

1926:                                             ; preds = %1925
  %1927 = getelementptr i8, ptr %1826, i64 %693
  %1928 = getelementptr i8, ptr %1927, i64 %586
  %1929 = icmp ult ptr %6, %1928
  %1930 = icmp ult ptr %1827, %585
  %1931 = and i1 %1929, %1930
  br i1 %1931, label %1959, label %1932

1932:                                             ; preds = %1926, %1932
  %1933 = phi i64 [ %1956, %1932 ], [ 0, %1926 ]
  %1934 = getelementptr inbounds nuw float, ptr %6, i64 %1933
  %1935 = getelementptr inbounds nuw i8, ptr %1934, i64 16
  %1936 = load <4 x float>, ptr %1934, align 32, !alias.scope !126, !noalias !129
  %1937 = load <4 x float>, ptr %1935, align 16, !alias.scope !126, !noalias !129
  %1938 = getelementptr inbounds nuw i16, ptr %1827, i64 %1933
  %1939 = getelementptr inbounds nuw i8, ptr %1938, i64 8
  %1940 = load <4 x i16>, ptr %1938, align 2, !alias.scope !129
  %1941 = load <4 x i16>, ptr %1939, align 2, !alias.scope !129
  %1942 = zext <4 x i16> %1940 to <4 x i32>
  %1943 = zext <4 x i16> %1941 to <4 x i32>
  %1944 = shl nuw <4 x i32> %1942, splat (i32 16)
  %1945 = shl nuw <4 x i32> %1943, splat (i32 16)
  %1946 = bitcast <4 x i32> %1944 to <4 x float>
  %1947 = bitcast <4 x i32> %1945 to <4 x float>
  %1948 = fcmp ole <4 x float> %1936, %1946
  %1949 = fcmp ole <4 x float> %1937, %1947
  %1950 = fcmp uno <4 x float> %1936, zeroinitializer
  %1951 = fcmp uno <4 x float> %1937, zeroinitializer
  %1952 = or <4 x i1> %1950, %1948
  %1953 = or <4 x i1> %1951, %1949
  %1954 = select <4 x i1> %1952, <4 x float> %1936, <4 x float> %1946
  %1955 = select <4 x i1> %1953, <4 x float> %1937, <4 x float> %1947
  store <4 x float> %1954, ptr %1934, align 32, !alias.scope !126, !noalias !129
  store <4 x float> %1955, ptr %1935, align 16, !alias.scope !126, !noalias !129
  %1956 = add nuw i64 %1933, 8
  %1957 = icmp eq i64 %1956, %1756
  br i1 %1957, label %1958, label %1932, !llvm.loop !131

1958:                                             ; preds = %1932
  br i1 %1757, label %2053, label %1959

1959:                                             ; preds = %1926, %1925, %1958
  %1960 = phi i64 [ 0, %1926 ], [ 0, %1925 ], [ %1756, %1958 ]
  %1961 = or disjoint i64 %1960, 1
  br i1 %1759, label %1975, label %1962

1962:                                             ; preds = %1959
  %1963 = getelementptr inbounds nuw float, ptr %6, i64 %1960
  %1964 = load float, ptr %1963, align 32
  %1965 = getelementptr inbounds nuw i16, ptr %1827, i64 %1960
  %1966 = load i16, ptr %1965, align 2
  %1967 = zext i16 %1966 to i32
  %1968 = shl nuw i32 %1967, 16
  %1969 = bitcast i32 %1968 to float
  %1970 = fcmp ole float %1964, %1969
  %1971 = fcmp uno float %1964, 0.000000e+00
  %1972 = or i1 %1971, %1970
  %1973 = select i1 %1972, float %1964, float %1969
  store float %1973, ptr %1963, align 32
  %1974 = or disjoint i64 %1960, 1
  br label %1975

1975:                                             ; preds = %1962, %1959
  %1976 = phi i64 [ %1960, %1959 ], [ %1974, %1962 ]
  %1977 = icmp eq i64 %337, %1961
  br i1 %1977, label %2053, label %2026

1978:                                             ; preds = %1922, %1978
  %1979 = phi i64 [ %1997, %1978 ], [ %1923, %1922 ]
  %1980 = getelementptr inbounds nuw float, ptr %6, i64 %1979
  %1981 = load float, ptr %1980, align 4
  %1982 = getelementptr inbounds nuw i16, ptr %1827, i64 %1979
  %1983 = load i16, ptr %1982, align 2
  %1984 = zext i16 %1983 to i32
  %1985 = shl nuw i32 %1984, 16
  %1986 = bitcast i32 %1985 to float
  %1987 = fadd float %1981, %1986
  store float %1987, ptr %1980, align 4
  %1988 = add nuw nsw i64 %1979, 1
  %1989 = getelementptr inbounds nuw float, ptr %6, i64 %1988
  %1990 = load float, ptr %1989, align 4
  %1991 = getelementptr inbounds nuw i16, ptr %1827, i64 %1988
  %1992 = load i16, ptr %1991, align 2
  %1993 = zext i16 %1992 to i32
  %1994 = shl nuw i32 %1993, 16
  %1995 = bitcast i32 %1994 to float
  %1996 = fadd float %1990, %1995
  store float %1996, ptr %1989, align 4
  %1997 = add nuw nsw i64 %1979, 2
  %1998 = icmp eq i64 %1997, %690
  br i1 %1998, label %2053, label %1978, !llvm.loop !132

1999:                                             ; preds = %1878, %1999
  %2000 = phi i64 [ %2024, %1999 ], [ %1879, %1878 ]
  %2001 = getelementptr inbounds nuw float, ptr %6, i64 %2000
  %2002 = load float, ptr %2001, align 4
  %2003 = getelementptr inbounds nuw i16, ptr %1827, i64 %2000
  %2004 = load i16, ptr %2003, align 2
  %2005 = zext i16 %2004 to i32
  %2006 = shl nuw i32 %2005, 16
  %2007 = bitcast i32 %2006 to float
  %2008 = fcmp oge float %2002, %2007
  %2009 = fcmp uno float %2002, 0.000000e+00
  %2010 = or i1 %2009, %2008
  %2011 = select i1 %2010, float %2002, float %2007
  store float %2011, ptr %2001, align 4
  %2012 = add nuw nsw i64 %2000, 1
  %2013 = getelementptr inbounds nuw float, ptr %6, i64 %2012
  %2014 = load float, ptr %2013, align 4
  %2015 = getelementptr inbounds nuw i16, ptr %1827, i64 %2012
  %2016 = load i16, ptr %2015, align 2
  %2017 = zext i16 %2016 to i32
  %2018 = shl nuw i32 %2017, 16
  %2019 = bitcast i32 %2018 to float
  %2020 = fcmp oge float %2014, %2019
  %2021 = fcmp uno float %2014, 0.000000e+00
  %2022 = or i1 %2021, %2020
  %2023 = select i1 %2022, float %2014, float %2019
  store float %2023, ptr %2013, align 4
  %2024 = add nuw nsw i64 %2000, 2
  %2025 = icmp eq i64 %2024, %690
  br i1 %2025, label %2053, label %1999, !llvm.loop !133

2026:                                             ; preds = %1975, %2026
  %2027 = phi i64 [ %2051, %2026 ], [ %1976, %1975 ]
  %2028 = getelementptr inbounds nuw float, ptr %6, i64 %2027
  %2029 = load float, ptr %2028, align 4
  %2030 = getelementptr inbounds nuw i16, ptr %1827, i64 %2027
  %2031 = load i16, ptr %2030, align 2
  %2032 = zext i16 %2031 to i32
  %2033 = shl nuw i32 %2032, 16
  %2034 = bitcast i32 %2033 to float
  %2035 = fcmp ole float %2029, %2034
  %2036 = fcmp uno float %2029, 0.000000e+00
  %2037 = or i1 %2036, %2035
  %2038 = select i1 %2037, float %2029, float %2034
  store float %2038, ptr %2028, align 4
  %2039 = add nuw nsw i64 %2027, 1
  %2040 = getelementptr inbounds nuw float, ptr %6, i64 %2039
  %2041 = load float, ptr %2040, align 4
  %2042 = getelementptr inbounds nuw i16, ptr %1827, i64 %2039
  %2043 = load i16, ptr %2042, align 2
  %2044 = zext i16 %2043 to i32
  %2045 = shl nuw i32 %2044, 16
  %2046 = bitcast i32 %2045 to float
  %2047 = fcmp ole float %2041, %2046
  %2048 = fcmp uno float %2041, 0.000000e+00
  %2049 = or i1 %2048, %2047
  %2050 = select i1 %2049, float %2041, float %2046
  store float %2050, ptr %2040, align 4
  %2051 = add nuw nsw i64 %2027, 2
  %2052 = icmp eq i64 %2051, %690
  br i1 %2052, label %2053, label %2026, !llvm.loop !134

2053:                                             ; preds = %1878, %1999, %1922, %1978, %1975, %2026, %1861, %1908, %1958
  %2054 = add nuw nsw i64 %1824, 1
  %2055 = icmp eq i64 %2054, %305
  br i1 %2055, label %1760, label %1823, !llvm.loop !135

2056:                                             ; preds = %308
  %2057 = getelementptr inbounds i8, ptr %306, i64 %693
  %2058 = icmp ult i64 %526, 4
  br i1 %2058, label %2094, label %2059

2059:                                             ; preds = %2056
  %2060 = add i64 %693, %307
  %2061 = sub i64 %7, %2060
  %2062 = icmp ult i64 %2061, 32
  br i1 %2062, label %2094, label %2063

2063:                                             ; preds = %2059
  %2064 = icmp ult i64 %526, 32
  br i1 %2064, label %2082, label %2065

2065:                                             ; preds = %2063
  %2066 = and i64 %526, 28
  %2067 = and i64 %526, -32
  br label %2068

2068:                                             ; preds = %2068, %2065
  %2069 = phi i64 [ 0, %2065 ], [ %2076, %2068 ]
  %2070 = getelementptr inbounds nuw i8, ptr %2057, i64 %2069
  %2071 = getelementptr inbounds nuw i8, ptr %2070, i64 16
  %2072 = load <16 x i8>, ptr %2070, align 1
  %2073 = load <16 x i8>, ptr %2071, align 1
  %2074 = getelementptr inbounds nuw i8, ptr %6, i64 %2069
  %2075 = getelementptr inbounds nuw i8, ptr %2074, i64 16
  store <16 x i8> %2072, ptr %2074, align 32
  store <16 x i8> %2073, ptr %2075, align 16
  %2076 = add nuw i64 %2069, 32
  %2077 = icmp eq i64 %2076, %2067
  br i1 %2077, label %2078, label %2068, !llvm.loop !136

2078:                                             ; preds = %2068
  %2079 = icmp eq i64 %526, %2067
  br i1 %2079, label %2130, label %2080

2080:                                             ; preds = %2078
  %2081 = icmp eq i64 %2066, 0
  br i1 %2081, label %2094, label %2082, !prof !137

2082:                                             ; preds = %2063, %2080
  %2083 = phi i64 [ %2067, %2080 ], [ 0, %2063 ]
  %2084 = and i64 %526, -4
  br label %2085

2085:                                             ; preds = %2085, %2082
  %2086 = phi i64 [ %2083, %2082 ], [ %2090, %2085 ]
  %2087 = getelementptr inbounds nuw i8, ptr %2057, i64 %2086
  %2088 = load <4 x i8>, ptr %2087, align 1
  %2089 = getelementptr inbounds nuw i8, ptr %6, i64 %2086
  store <4 x i8> %2088, ptr %2089, align 4
  %2090 = add nuw i64 %2086, 4
  %2091 = icmp eq i64 %2090, %2084
  br i1 %2091, label %2092, label %2085, !llvm.loop !138

2092:                                             ; preds = %2085
  %2093 = icmp eq i64 %526, %2084
  br i1 %2093, label %2130, label %2094

2094:                                             ; preds = %2059, %2056, %2080, %2092
  %2095 = phi i64 [ 0, %2056 ], [ 0, %2059 ], [ %2067, %2080 ], [ %2084, %2092 ]
  %2096 = and i64 %358, 3
  %2097 = icmp eq i64 %2096, 0
  br i1 %2097, label %2107, label %2098

2098:                                             ; preds = %2094, %2098
  %2099 = phi i64 [ %2104, %2098 ], [ %2095, %2094 ]
  %2100 = phi i64 [ %2105, %2098 ], [ 0, %2094 ]
  %2101 = getelementptr inbounds nuw i8, ptr %2057, i64 %2099
  %2102 = load i8, ptr %2101, align 1
  %2103 = getelementptr inbounds nuw i8, ptr %6, i64 %2099
  store i8 %2102, ptr %2103, align 1
  %2104 = add nuw nsw i64 %2099, 1
  %2105 = add i64 %2100, 1
  %2106 = icmp eq i64 %2105, %2096
  br i1 %2106, label %2107, label %2098, !llvm.loop !139

2107:                                             ; preds = %2098, %2094
  %2108 = phi i64 [ %2095, %2094 ], [ %2104, %2098 ]
  %2109 = sub i64 %2095, %358
  %2110 = icmp ugt i64 %2109, -4
  br i1 %2110, label %2130, label %2111

2111:                                             ; preds = %2107, %2111
  %2112 = phi i64 [ %2128, %2111 ], [ %2108, %2107 ]
  %2113 = getelementptr inbounds nuw i8, ptr %2057, i64 %2112
  %2114 = load i8, ptr %2113, align 1
  %2115 = getelementptr inbounds nuw i8, ptr %6, i64 %2112
  store i8 %2114, ptr %2115, align 1
  %2116 = add nuw nsw i64 %2112, 1
  %2117 = getelementptr inbounds nuw i8, ptr %2057, i64 %2116
  %2118 = load i8, ptr %2117, align 1
  %2119 = getelementptr inbounds nuw i8, ptr %6, i64 %2116
  store i8 %2118, ptr %2119, align 1
  %2120 = add nuw nsw i64 %2112, 2
  %2121 = getelementptr inbounds nuw i8, ptr %2057, i64 %2120
  %2122 = load i8, ptr %2121, align 1
  %2123 = getelementptr inbounds nuw i8, ptr %6, i64 %2120
  store i8 %2122, ptr %2123, align 1
  %2124 = add nuw nsw i64 %2112, 3
  %2125 = getelementptr inbounds nuw i8, ptr %2057, i64 %2124
  %2126 = load i8, ptr %2125, align 1
  %2127 = getelementptr inbounds nuw i8, ptr %6, i64 %2124
  store i8 %2126, ptr %2127, align 1
  %2128 = add nuw nsw i64 %2112, 4
  %2129 = icmp eq i64 %2128, %690
  br i1 %2129, label %2130, label %2111, !llvm.loop !140

2130:                                             ; preds = %2107, %2111, %2092, %2078
  br i1 %304, label %2131, label %2162

2131:                                             ; preds = %2130
  %2132 = icmp ult i64 %529, 4
  %2133 = icmp ult i64 %529, 32
  %2134 = and i64 %529, 28
  %2135 = and i64 %529, -32
  %2136 = icmp eq i64 %529, %2135
  %2137 = icmp eq i64 %2134, 0
  %2138 = and i64 %529, -4
  %2139 = icmp eq i64 %529, %2138
  %2140 = and i64 %355, 1
  %2141 = icmp eq i64 %2140, 0
  %2142 = icmp ult i64 %536, 4
  %2143 = icmp ult i64 %536, 32
  %2144 = and i64 %536, 28
  %2145 = and i64 %536, -32
  %2146 = icmp eq i64 %536, %2145
  %2147 = icmp eq i64 %2144, 0
  %2148 = and i64 %536, -4
  %2149 = icmp eq i64 %536, %2148
  %2150 = and i64 %352, 3
  %2151 = icmp eq i64 %2150, 0
  %2152 = icmp ult i64 %543, 4
  %2153 = icmp ult i64 %543, 32
  %2154 = and i64 %543, 28
  %2155 = and i64 %543, -32
  %2156 = icmp eq i64 %543, %2155
  %2157 = icmp eq i64 %2154, 0
  %2158 = and i64 %543, -4
  %2159 = icmp eq i64 %543, %2158
  %2160 = and i64 %349, 1
  %2161 = icmp eq i64 %2160, 0
  br label %2205

2162:                                             ; preds = %2418, %2130
  %2163 = getelementptr inbounds i8, ptr %301, i64 %693
  %2164 = icmp ult i64 %550, 4
  br i1 %2164, label %2196, label %2165

2165:                                             ; preds = %2162
  %2166 = icmp ult i64 %550, 32
  br i1 %2166, label %2184, label %2167

2167:                                             ; preds = %2165
  %2168 = and i64 %550, 28
  %2169 = and i64 %550, -32
  br label %2170

2170:                                             ; preds = %2170, %2167
  %2171 = phi i64 [ 0, %2167 ], [ %2178, %2170 ]
  %2172 = getelementptr inbounds nuw i8, ptr %6, i64 %2171
  %2173 = getelementptr inbounds nuw i8, ptr %2172, i64 16
  %2174 = load <16 x i8>, ptr %2172, align 32
  %2175 = load <16 x i8>, ptr %2173, align 16
  %2176 = getelementptr inbounds nuw i8, ptr %2163, i64 %2171
  %2177 = getelementptr inbounds nuw i8, ptr %2176, i64 16
  store <16 x i8> %2174, ptr %2176, align 1
  store <16 x i8> %2175, ptr %2177, align 1
  %2178 = add nuw i64 %2171, 32
  %2179 = icmp eq i64 %2178, %2169
  br i1 %2179, label %2180, label %2170, !llvm.loop !141

2180:                                             ; preds = %2170
  %2181 = icmp eq i64 %550, %2169
  br i1 %2181, label %3699, label %2182

2182:                                             ; preds = %2180
  %2183 = icmp eq i64 %2168, 0
  br i1 %2183, label %2196, label %2184, !prof !137

2184:                                             ; preds = %2165, %2182
  %2185 = phi i64 [ %2169, %2182 ], [ 0, %2165 ]
  %2186 = and i64 %550, -4
  br label %2187

2187:                                             ; preds = %2187, %2184
  %2188 = phi i64 [ %2185, %2184 ], [ %2192, %2187 ]
  %2189 = getelementptr inbounds nuw i8, ptr %6, i64 %2188
  %2190 = load <4 x i8>, ptr %2189, align 4
  %2191 = getelementptr inbounds nuw i8, ptr %2163, i64 %2188
  store <4 x i8> %2190, ptr %2191, align 1
  %2192 = add nuw i64 %2188, 4
  %2193 = icmp eq i64 %2192, %2186
  br i1 %2193, label %2194, label %2187, !llvm.loop !142

2194:                                             ; preds = %2187
  %2195 = icmp eq i64 %550, %2186
  br i1 %2195, label %3699, label %2196

2196:                                             ; preds = %2162, %2182, %2194
  %2197 = phi i64 [ 0, %2162 ], [ %2169, %2182 ], [ %2186, %2194 ]
  br label %2198

2198:                                             ; preds = %2196, %2198
  %2199 = phi i64 [ %2203, %2198 ], [ %2197, %2196 ]
  %2200 = getelementptr inbounds nuw i8, ptr %6, i64 %2199
  %2201 = load i8, ptr %2200, align 1
  %2202 = getelementptr inbounds nuw i8, ptr %2163, i64 %2199
  store i8 %2201, ptr %2202, align 1
  %2203 = add nuw nsw i64 %2199, 1
  %2204 = icmp eq i64 %2203, %690
  br i1 %2204, label %3699, label %2198, !llvm.loop !143

2205:                                             ; preds = %2131, %2418
  %2206 = phi i64 [ %2419, %2418 ], [ 1, %2131 ]
  %2207 = getelementptr inbounds nuw ptr, ptr %12, i64 %2206
  %2208 = load ptr, ptr %2207, align 8
  %2209 = getelementptr i8, ptr %2208, i64 %693
  switch i32 %303, label %2312 [
    i32 0, label %2259
    i32 1, label %2210
  ]

2210:                                             ; preds = %2205
  br i1 %2132, label %2246, label %2211

2211:                                             ; preds = %2210
  %2212 = getelementptr i8, ptr %2208, i64 %532
  %2213 = getelementptr i8, ptr %2212, i64 %693
  %2214 = icmp ult ptr %6, %2213
  %2215 = icmp ult ptr %2209, %533
  %2216 = and i1 %2214, %2215
  br i1 %2216, label %2246, label %2217

2217:                                             ; preds = %2211
  br i1 %2133, label %2234, label %2218

2218:                                             ; preds = %2217, %2218
  %2219 = phi i64 [ %2230, %2218 ], [ 0, %2217 ]
  %2220 = getelementptr inbounds nuw i8, ptr %6, i64 %2219
  %2221 = getelementptr inbounds nuw i8, ptr %2220, i64 16
  %2222 = load <16 x i8>, ptr %2220, align 32, !alias.scope !144, !noalias !147
  %2223 = load <16 x i8>, ptr %2221, align 16, !alias.scope !144, !noalias !147
  %2224 = getelementptr inbounds nuw i8, ptr %2209, i64 %2219
  %2225 = getelementptr inbounds nuw i8, ptr %2224, i64 16
  %2226 = load <16 x i8>, ptr %2224, align 1, !alias.scope !147
  %2227 = load <16 x i8>, ptr %2225, align 1, !alias.scope !147
  %2228 = call <16 x i8> @llvm.smax.v16i8(<16 x i8> %2222, <16 x i8> %2226)
  %2229 = call <16 x i8> @llvm.smax.v16i8(<16 x i8> %2223, <16 x i8> %2227)
  store <16 x i8> %2228, ptr %2220, align 32, !alias.scope !144, !noalias !147
  store <16 x i8> %2229, ptr %2221, align 16, !alias.scope !144, !noalias !147
  %2230 = add nuw i64 %2219, 32
  %2231 = icmp eq i64 %2230, %2135
  br i1 %2231, label %2232, label %2218, !llvm.loop !149

2232:                                             ; preds = %2218
  br i1 %2136, label %2418, label %2233

2233:                                             ; preds = %2232
  br i1 %2137, label %2246, label %2234, !prof !137

2234:                                             ; preds = %2217, %2233
  %2235 = phi i64 [ %2135, %2233 ], [ 0, %2217 ]
  br label %2236

2236:                                             ; preds = %2236, %2234
  %2237 = phi i64 [ %2235, %2234 ], [ %2243, %2236 ]
  %2238 = getelementptr inbounds nuw i8, ptr %6, i64 %2237
  %2239 = load <4 x i8>, ptr %2238, align 4, !alias.scope !144, !noalias !147
  %2240 = getelementptr inbounds nuw i8, ptr %2209, i64 %2237
  %2241 = load <4 x i8>, ptr %2240, align 1, !alias.scope !147
  %2242 = call <4 x i8> @llvm.smax.v4i8(<4 x i8> %2239, <4 x i8> %2241)
  store <4 x i8> %2242, ptr %2238, align 4, !alias.scope !144, !noalias !147
  %2243 = add nuw i64 %2237, 4
  %2244 = icmp eq i64 %2243, %2138
  br i1 %2244, label %2245, label %2236, !llvm.loop !150

2245:                                             ; preds = %2236
  br i1 %2139, label %2418, label %2246

2246:                                             ; preds = %2211, %2210, %2233, %2245
  %2247 = phi i64 [ 0, %2210 ], [ 0, %2211 ], [ %2135, %2233 ], [ %2138, %2245 ]
  %2248 = or disjoint i64 %2247, 1
  br i1 %2141, label %2256, label %2249

2249:                                             ; preds = %2246
  %2250 = getelementptr inbounds nuw i8, ptr %6, i64 %2247
  %2251 = load i8, ptr %2250, align 4
  %2252 = getelementptr inbounds nuw i8, ptr %2209, i64 %2247
  %2253 = load i8, ptr %2252, align 1
  %2254 = tail call i8 @llvm.smax.i8(i8 %2251, i8 %2253)
  store i8 %2254, ptr %2250, align 4
  %2255 = or disjoint i64 %2247, 1
  br label %2256

2256:                                             ; preds = %2249, %2246
  %2257 = phi i64 [ %2247, %2246 ], [ %2255, %2249 ]
  %2258 = icmp eq i64 %355, %2248
  br i1 %2258, label %2418, label %2388

2259:                                             ; preds = %2205
  br i1 %2142, label %2295, label %2260

2260:                                             ; preds = %2259
  %2261 = getelementptr i8, ptr %2208, i64 %539
  %2262 = getelementptr i8, ptr %2261, i64 %693
  %2263 = icmp ult ptr %6, %2262
  %2264 = icmp ult ptr %2209, %540
  %2265 = and i1 %2263, %2264
  br i1 %2265, label %2295, label %2266

2266:                                             ; preds = %2260
  br i1 %2143, label %2283, label %2267

2267:                                             ; preds = %2266, %2267
  %2268 = phi i64 [ %2279, %2267 ], [ 0, %2266 ]
  %2269 = getelementptr inbounds nuw i8, ptr %6, i64 %2268
  %2270 = getelementptr inbounds nuw i8, ptr %2269, i64 16
  %2271 = load <16 x i8>, ptr %2269, align 32, !alias.scope !151, !noalias !154
  %2272 = load <16 x i8>, ptr %2270, align 16, !alias.scope !151, !noalias !154
  %2273 = getelementptr inbounds nuw i8, ptr %2209, i64 %2268
  %2274 = getelementptr inbounds nuw i8, ptr %2273, i64 16
  %2275 = load <16 x i8>, ptr %2273, align 1, !alias.scope !154
  %2276 = load <16 x i8>, ptr %2274, align 1, !alias.scope !154
  %2277 = add <16 x i8> %2275, %2271
  %2278 = add <16 x i8> %2276, %2272
  store <16 x i8> %2277, ptr %2269, align 32, !alias.scope !151, !noalias !154
  store <16 x i8> %2278, ptr %2270, align 16, !alias.scope !151, !noalias !154
  %2279 = add nuw i64 %2268, 32
  %2280 = icmp eq i64 %2279, %2145
  br i1 %2280, label %2281, label %2267, !llvm.loop !156

2281:                                             ; preds = %2267
  br i1 %2146, label %2418, label %2282

2282:                                             ; preds = %2281
  br i1 %2147, label %2295, label %2283, !prof !137

2283:                                             ; preds = %2266, %2282
  %2284 = phi i64 [ %2145, %2282 ], [ 0, %2266 ]
  br label %2285

2285:                                             ; preds = %2285, %2283
  %2286 = phi i64 [ %2284, %2283 ], [ %2292, %2285 ]
  %2287 = getelementptr inbounds nuw i8, ptr %6, i64 %2286
  %2288 = load <4 x i8>, ptr %2287, align 4, !alias.scope !151, !noalias !154
  %2289 = getelementptr inbounds nuw i8, ptr %2209, i64 %2286
  %2290 = load <4 x i8>, ptr %2289, align 1, !alias.scope !154
  %2291 = add <4 x i8> %2290, %2288
  store <4 x i8> %2291, ptr %2287, align 4, !alias.scope !151, !noalias !154
  %2292 = add nuw i64 %2286, 4
  %2293 = icmp eq i64 %2292, %2148
  br i1 %2293, label %2294, label %2285, !llvm.loop !157

2294:                                             ; preds = %2285
  br i1 %2149, label %2418, label %2295

2295:                                             ; preds = %2260, %2259, %2282, %2294
  %2296 = phi i64 [ 0, %2259 ], [ 0, %2260 ], [ %2145, %2282 ], [ %2148, %2294 ]
  br i1 %2151, label %2308, label %2297

2297:                                             ; preds = %2295, %2297
  %2298 = phi i64 [ %2305, %2297 ], [ %2296, %2295 ]
  %2299 = phi i64 [ %2306, %2297 ], [ 0, %2295 ]
  %2300 = getelementptr inbounds nuw i8, ptr %6, i64 %2298
  %2301 = load i8, ptr %2300, align 1
  %2302 = getelementptr inbounds nuw i8, ptr %2209, i64 %2298
  %2303 = load i8, ptr %2302, align 1
  %2304 = add i8 %2303, %2301
  store i8 %2304, ptr %2300, align 1
  %2305 = add nuw nsw i64 %2298, 1
  %2306 = add i64 %2299, 1
  %2307 = icmp eq i64 %2306, %2150
  br i1 %2307, label %2308, label %2297, !llvm.loop !158

2308:                                             ; preds = %2297, %2295
  %2309 = phi i64 [ %2296, %2295 ], [ %2305, %2297 ]
  %2310 = sub i64 %2296, %352
  %2311 = icmp ugt i64 %2310, -4
  br i1 %2311, label %2418, label %2361

2312:                                             ; preds = %2205
  br i1 %2152, label %2348, label %2313

2313:                                             ; preds = %2312
  %2314 = getelementptr i8, ptr %2208, i64 %546
  %2315 = getelementptr i8, ptr %2314, i64 %693
  %2316 = icmp ult ptr %6, %2315
  %2317 = icmp ult ptr %2209, %547
  %2318 = and i1 %2316, %2317
  br i1 %2318, label %2348, label %2319

2319:                                             ; preds = %2313
  br i1 %2153, label %2336, label %2320

2320:                                             ; preds = %2319, %2320
  %2321 = phi i64 [ %2332, %2320 ], [ 0, %2319 ]
  %2322 = getelementptr inbounds nuw i8, ptr %6, i64 %2321
  %2323 = getelementptr inbounds nuw i8, ptr %2322, i64 16
  %2324 = load <16 x i8>, ptr %2322, align 32, !alias.scope !159, !noalias !162
  %2325 = load <16 x i8>, ptr %2323, align 16, !alias.scope !159, !noalias !162
  %2326 = getelementptr inbounds nuw i8, ptr %2209, i64 %2321
  %2327 = getelementptr inbounds nuw i8, ptr %2326, i64 16
  %2328 = load <16 x i8>, ptr %2326, align 1, !alias.scope !162
  %2329 = load <16 x i8>, ptr %2327, align 1, !alias.scope !162
  %2330 = call <16 x i8> @llvm.smin.v16i8(<16 x i8> %2324, <16 x i8> %2328)
  %2331 = call <16 x i8> @llvm.smin.v16i8(<16 x i8> %2325, <16 x i8> %2329)
  store <16 x i8> %2330, ptr %2322, align 32, !alias.scope !159, !noalias !162
  store <16 x i8> %2331, ptr %2323, align 16, !alias.scope !159, !noalias !162
  %2332 = add nuw i64 %2321, 32
  %2333 = icmp eq i64 %2332, %2155
  br i1 %2333, label %2334, label %2320, !llvm.loop !164

2334:                                             ; preds = %2320
  br i1 %2156, label %2418, label %2335

2335:                                             ; preds = %2334
  br i1 %2157, label %2348, label %2336, !prof !137

2336:                                             ; preds = %2319, %2335
  %2337 = phi i64 [ %2155, %2335 ], [ 0, %2319 ]
  br label %2338

2338:                                             ; preds = %2338, %2336
  %2339 = phi i64 [ %2337, %2336 ], [ %2345, %2338 ]
  %2340 = getelementptr inbounds nuw i8, ptr %6, i64 %2339
  %2341 = load <4 x i8>, ptr %2340, align 4, !alias.scope !159, !noalias !162
  %2342 = getelementptr inbounds nuw i8, ptr %2209, i64 %2339
  %2343 = load <4 x i8>, ptr %2342, align 1, !alias.scope !162
  %2344 = call <4 x i8> @llvm.smin.v4i8(<4 x i8> %2341, <4 x i8> %2343)
  store <4 x i8> %2344, ptr %2340, align 4, !alias.scope !159, !noalias !162
  %2345 = add nuw i64 %2339, 4
  %2346 = icmp eq i64 %2345, %2158
  br i1 %2346, label %2347, label %2338, !llvm.loop !165

2347:                                             ; preds = %2338
  br i1 %2159, label %2418, label %2348

2348:                                             ; preds = %2313, %2312, %2335, %2347
  %2349 = phi i64 [ 0, %2312 ], [ 0, %2313 ], [ %2155, %2335 ], [ %2158, %2347 ]
  %2350 = or disjoint i64 %2349, 1
  br i1 %2161, label %2358, label %2351

2351:                                             ; preds = %2348
  %2352 = getelementptr inbounds nuw i8, ptr %6, i64 %2349
  %2353 = load i8, ptr %2352, align 4
  %2354 = getelementptr inbounds nuw i8, ptr %2209, i64 %2349
  %2355 = load i8, ptr %2354, align 1
  %2356 = tail call i8 @llvm.smin.i8(i8 %2353, i8 %2355)
  store i8 %2356, ptr %2352, align 4
  %2357 = or disjoint i64 %2349, 1
  br label %2358

2358:                                             ; preds = %2351, %2348
  %2359 = phi i64 [ %2349, %2348 ], [ %2357, %2351 ]
  %2360 = icmp eq i64 %349, %2350
  br i1 %2360, label %2418, label %2403

2361:                                             ; preds = %2308, %2361
  %2362 = phi i64 [ %2386, %2361 ], [ %2309, %2308 ]
  %2363 = getelementptr inbounds nuw i8, ptr %6, i64 %2362
  %2364 = load i8, ptr %2363, align 1
  %2365 = getelementptr inbounds nuw i8, ptr %2209, i64 %2362
  %2366 = load i8, ptr %2365, align 1
  %2367 = add i8 %2366, %2364
  store i8 %2367, ptr %2363, align 1
  %2368 = add nuw nsw i64 %2362, 1
  %2369 = getelementptr inbounds nuw i8, ptr %6, i64 %2368
  %2370 = load i8, ptr %2369, align 1
  %2371 = getelementptr inbounds nuw i8, ptr %2209, i64 %2368
  %2372 = load i8, ptr %2371, align 1
  %2373 = add i8 %2372, %2370
  store i8 %2373, ptr %2369, align 1
  %2374 = add nuw nsw i64 %2362, 2
  %2375 = getelementptr inbounds nuw i8, ptr %6, i64 %2374
  %2376 = load i8, ptr %2375, align 1
  %2377 = getelementptr inbounds nuw i8, ptr %2209, i64 %2374
  %2378 = load i8, ptr %2377, align 1
  %2379 = add i8 %2378, %2376
  store i8 %2379, ptr %2375, align 1
  %2380 = add nuw nsw i64 %2362, 3
  %2381 = getelementptr inbounds nuw i8, ptr %6, i64 %2380
  %2382 = load i8, ptr %2381, align 1
  %2383 = getelementptr inbounds nuw i8, ptr %2209, i64 %2380
  %2384 = load i8, ptr %2383, align 1
  %2385 = add i8 %2384, %2382
  store i8 %2385, ptr %2381, align 1
  %2386 = add nuw nsw i64 %2362, 4
  %2387 = icmp eq i64 %2386, %690
  br i1 %2387, label %2418, label %2361, !llvm.loop !166

2388:                                             ; preds = %2256, %2388
  %2389 = phi i64 [ %2401, %2388 ], [ %2257, %2256 ]
  %2390 = getelementptr inbounds nuw i8, ptr %6, i64 %2389
  %2391 = load i8, ptr %2390, align 1
  %2392 = getelementptr inbounds nuw i8, ptr %2209, i64 %2389
  %2393 = load i8, ptr %2392, align 1
  %2394 = tail call i8 @llvm.smax.i8(i8 %2391, i8 %2393)
  store i8 %2394, ptr %2390, align 1
  %2395 = add nuw nsw i64 %2389, 1
  %2396 = getelementptr inbounds nuw i8, ptr %6, i64 %2395
  %2397 = load i8, ptr %2396, align 1
  %2398 = getelementptr inbounds nuw i8, ptr %2209, i64 %2395
  %2399 = load i8, ptr %2398, align 1
  %2400 = tail call i8 @llvm.smax.i8(i8 %2397, i8 %2399)
  store i8 %2400, ptr %2396, align 1
  %2401 = add nuw nsw i64 %2389, 2
  %2402 = icmp eq i64 %2401, %690
  br i1 %2402, label %2418, label %2388, !llvm.loop !167

2403:                                             ; preds = %2358, %2403
  %2404 = phi i64 [ %2416, %2403 ], [ %2359, %2358 ]
  %2405 = getelementptr inbounds nuw i8, ptr %6, i64 %2404
  %2406 = load i8, ptr %2405, align 1
  %2407 = getelementptr inbounds nuw i8, ptr %2209, i64 %2404
  %2408 = load i8, ptr %2407, align 1
  %2409 = tail call i8 @llvm.smin.i8(i8 %2406, i8 %2408)
  store i8 %2409, ptr %2405, align 1
  %2410 = add nuw nsw i64 %2404, 1
  %2411 = getelementptr inbounds nuw i8, ptr %6, i64 %2410
  %2412 = load i8, ptr %2411, align 1
  %2413 = getelementptr inbounds nuw i8, ptr %2209, i64 %2410
  %2414 = load i8, ptr %2413, align 1
  %2415 = tail call i8 @llvm.smin.i8(i8 %2412, i8 %2414)
  store i8 %2415, ptr %2411, align 1
  %2416 = add nuw nsw i64 %2404, 2
  %2417 = icmp eq i64 %2416, %690
  br i1 %2417, label %2418, label %2403, !llvm.loop !168

2418:                                             ; preds = %2256, %2388, %2308, %2361, %2358, %2403, %2232, %2245, %2281, %2294, %2334, %2347
  %2419 = add nuw nsw i64 %2206, 1
  %2420 = icmp eq i64 %2419, %305
  br i1 %2420, label %2162, label %2205, !llvm.loop !169

2421:                                             ; preds = %308
  %2422 = getelementptr inbounds i8, ptr %306, i64 %693
  %2423 = icmp ult i64 %499, 4
  br i1 %2423, label %2459, label %2424

2424:                                             ; preds = %2421
  %2425 = add i64 %693, %307
  %2426 = sub i64 %7, %2425
  %2427 = icmp ult i64 %2426, 32
  br i1 %2427, label %2459, label %2428

2428:                                             ; preds = %2424
  %2429 = icmp ult i64 %499, 32
  br i1 %2429, label %2447, label %2430

2430:                                             ; preds = %2428
  %2431 = and i64 %499, 28
  %2432 = and i64 %499, -32
  br label %2433

2433:                                             ; preds = %2433, %2430
  %2434 = phi i64 [ 0, %2430 ], [ %2441, %2433 ]
  %2435 = getelementptr inbounds nuw i8, ptr %2422, i64 %2434
  %2436 = getelementptr inbounds nuw i8, ptr %2435, i64 16
  %2437 = load <16 x i8>, ptr %2435, align 1
  %2438 = load <16 x i8>, ptr %2436, align 1
  %2439 = getelementptr inbounds nuw i8, ptr %6, i64 %2434
  %2440 = getelementptr inbounds nuw i8, ptr %2439, i64 16
  store <16 x i8> %2437, ptr %2439, align 32
  store <16 x i8> %2438, ptr %2440, align 16
  %2441 = add nuw i64 %2434, 32
  %2442 = icmp eq i64 %2441, %2432
  br i1 %2442, label %2443, label %2433, !llvm.loop !170

2443:                                             ; preds = %2433
  %2444 = icmp eq i64 %499, %2432
  br i1 %2444, label %2495, label %2445

2445:                                             ; preds = %2443
  %2446 = icmp eq i64 %2431, 0
  br i1 %2446, label %2459, label %2447, !prof !137

2447:                                             ; preds = %2428, %2445
  %2448 = phi i64 [ %2432, %2445 ], [ 0, %2428 ]
  %2449 = and i64 %499, -4
  br label %2450

2450:                                             ; preds = %2450, %2447
  %2451 = phi i64 [ %2448, %2447 ], [ %2455, %2450 ]
  %2452 = getelementptr inbounds nuw i8, ptr %2422, i64 %2451
  %2453 = load <4 x i8>, ptr %2452, align 1
  %2454 = getelementptr inbounds nuw i8, ptr %6, i64 %2451
  store <4 x i8> %2453, ptr %2454, align 4
  %2455 = add nuw i64 %2451, 4
  %2456 = icmp eq i64 %2455, %2449
  br i1 %2456, label %2457, label %2450, !llvm.loop !171

2457:                                             ; preds = %2450
  %2458 = icmp eq i64 %499, %2449
  br i1 %2458, label %2495, label %2459

2459:                                             ; preds = %2424, %2421, %2445, %2457
  %2460 = phi i64 [ 0, %2421 ], [ 0, %2424 ], [ %2432, %2445 ], [ %2449, %2457 ]
  %2461 = and i64 %370, 3
  %2462 = icmp eq i64 %2461, 0
  br i1 %2462, label %2472, label %2463

2463:                                             ; preds = %2459, %2463
  %2464 = phi i64 [ %2469, %2463 ], [ %2460, %2459 ]
  %2465 = phi i64 [ %2470, %2463 ], [ 0, %2459 ]
  %2466 = getelementptr inbounds nuw i8, ptr %2422, i64 %2464
  %2467 = load i8, ptr %2466, align 1
  %2468 = getelementptr inbounds nuw i8, ptr %6, i64 %2464
  store i8 %2467, ptr %2468, align 1
  %2469 = add nuw nsw i64 %2464, 1
  %2470 = add i64 %2465, 1
  %2471 = icmp eq i64 %2470, %2461
  br i1 %2471, label %2472, label %2463, !llvm.loop !172

2472:                                             ; preds = %2463, %2459
  %2473 = phi i64 [ %2460, %2459 ], [ %2469, %2463 ]
  %2474 = sub i64 %2460, %370
  %2475 = icmp ugt i64 %2474, -4
  br i1 %2475, label %2495, label %2476

2476:                                             ; preds = %2472, %2476
  %2477 = phi i64 [ %2493, %2476 ], [ %2473, %2472 ]
  %2478 = getelementptr inbounds nuw i8, ptr %2422, i64 %2477
  %2479 = load i8, ptr %2478, align 1
  %2480 = getelementptr inbounds nuw i8, ptr %6, i64 %2477
  store i8 %2479, ptr %2480, align 1
  %2481 = add nuw nsw i64 %2477, 1
  %2482 = getelementptr inbounds nuw i8, ptr %2422, i64 %2481
  %2483 = load i8, ptr %2482, align 1
  %2484 = getelementptr inbounds nuw i8, ptr %6, i64 %2481
  store i8 %2483, ptr %2484, align 1
  %2485 = add nuw nsw i64 %2477, 2
  %2486 = getelementptr inbounds nuw i8, ptr %2422, i64 %2485
  %2487 = load i8, ptr %2486, align 1
  %2488 = getelementptr inbounds nuw i8, ptr %6, i64 %2485
  store i8 %2487, ptr %2488, align 1
  %2489 = add nuw nsw i64 %2477, 3
  %2490 = getelementptr inbounds nuw i8, ptr %2422, i64 %2489
  %2491 = load i8, ptr %2490, align 1
  %2492 = getelementptr inbounds nuw i8, ptr %6, i64 %2489
  store i8 %2491, ptr %2492, align 1
  %2493 = add nuw nsw i64 %2477, 4
  %2494 = icmp eq i64 %2493, %690
  br i1 %2494, label %2495, label %2476, !llvm.loop !173

2495:                                             ; preds = %2472, %2476, %2457, %2443
  br i1 %304, label %2496, label %2527

2496:                                             ; preds = %2495
  %2497 = icmp ult i64 %502, 4
  %2498 = icmp ult i64 %502, 32
  %2499 = and i64 %502, 28
  %2500 = and i64 %502, -32
  %2501 = icmp eq i64 %502, %2500
  %2502 = icmp eq i64 %2499, 0
  %2503 = and i64 %502, -4
  %2504 = icmp eq i64 %502, %2503
  %2505 = and i64 %367, 1
  %2506 = icmp eq i64 %2505, 0
  %2507 = icmp ult i64 %509, 4
  %2508 = icmp ult i64 %509, 32
  %2509 = and i64 %509, 28
  %2510 = and i64 %509, -32
  %2511 = icmp eq i64 %509, %2510
  %2512 = icmp eq i64 %2509, 0
  %2513 = and i64 %509, -4
  %2514 = icmp eq i64 %509, %2513
  %2515 = and i64 %364, 3
  %2516 = icmp eq i64 %2515, 0
  %2517 = icmp ult i64 %516, 4
  %2518 = icmp ult i64 %516, 32
  %2519 = and i64 %516, 28
  %2520 = and i64 %516, -32
  %2521 = icmp eq i64 %516, %2520
  %2522 = icmp eq i64 %2519, 0
  %2523 = and i64 %516, -4
  %2524 = icmp eq i64 %516, %2523
  %2525 = and i64 %361, 1
  %2526 = icmp eq i64 %2525, 0
  br label %2570

2527:                                             ; preds = %2783, %2495
  %2528 = getelementptr inbounds i8, ptr %301, i64 %693
  %2529 = icmp ult i64 %523, 4
  br i1 %2529, label %2561, label %2530

2530:                                             ; preds = %2527
  %2531 = icmp ult i64 %523, 32
  br i1 %2531, label %2549, label %2532

2532:                                             ; preds = %2530
  %2533 = and i64 %523, 28
  %2534 = and i64 %523, -32
  br label %2535

2535:                                             ; preds = %2535, %2532
  %2536 = phi i64 [ 0, %2532 ], [ %2543, %2535 ]
  %2537 = getelementptr inbounds nuw i8, ptr %6, i64 %2536
  %2538 = getelementptr inbounds nuw i8, ptr %2537, i64 16
  %2539 = load <16 x i8>, ptr %2537, align 32
  %2540 = load <16 x i8>, ptr %2538, align 16
  %2541 = getelementptr inbounds nuw i8, ptr %2528, i64 %2536
  %2542 = getelementptr inbounds nuw i8, ptr %2541, i64 16
  store <16 x i8> %2539, ptr %2541, align 1
  store <16 x i8> %2540, ptr %2542, align 1
  %2543 = add nuw i64 %2536, 32
  %2544 = icmp eq i64 %2543, %2534
  br i1 %2544, label %2545, label %2535, !llvm.loop !174

2545:                                             ; preds = %2535
  %2546 = icmp eq i64 %523, %2534
  br i1 %2546, label %3699, label %2547

2547:                                             ; preds = %2545
  %2548 = icmp eq i64 %2533, 0
  br i1 %2548, label %2561, label %2549, !prof !137

2549:                                             ; preds = %2530, %2547
  %2550 = phi i64 [ %2534, %2547 ], [ 0, %2530 ]
  %2551 = and i64 %523, -4
  br label %2552

2552:                                             ; preds = %2552, %2549
  %2553 = phi i64 [ %2550, %2549 ], [ %2557, %2552 ]
  %2554 = getelementptr inbounds nuw i8, ptr %6, i64 %2553
  %2555 = load <4 x i8>, ptr %2554, align 4
  %2556 = getelementptr inbounds nuw i8, ptr %2528, i64 %2553
  store <4 x i8> %2555, ptr %2556, align 1
  %2557 = add nuw i64 %2553, 4
  %2558 = icmp eq i64 %2557, %2551
  br i1 %2558, label %2559, label %2552, !llvm.loop !175

2559:                                             ; preds = %2552
  %2560 = icmp eq i64 %523, %2551
  br i1 %2560, label %3699, label %2561

2561:                                             ; preds = %2527, %2547, %2559
  %2562 = phi i64 [ 0, %2527 ], [ %2534, %2547 ], [ %2551, %2559 ]
  br label %2563

2563:                                             ; preds = %2561, %2563
  %2564 = phi i64 [ %2568, %2563 ], [ %2562, %2561 ]
  %2565 = getelementptr inbounds nuw i8, ptr %6, i64 %2564
  %2566 = load i8, ptr %2565, align 1
  %2567 = getelementptr inbounds nuw i8, ptr %2528, i64 %2564
  store i8 %2566, ptr %2567, align 1
  %2568 = add nuw nsw i64 %2564, 1
  %2569 = icmp eq i64 %2568, %690
  br i1 %2569, label %3699, label %2563, !llvm.loop !176

2570:                                             ; preds = %2496, %2783
  %2571 = phi i64 [ %2784, %2783 ], [ 1, %2496 ]
  %2572 = getelementptr inbounds nuw ptr, ptr %12, i64 %2571
  %2573 = load ptr, ptr %2572, align 8
  %2574 = getelementptr i8, ptr %2573, i64 %693
  switch i32 %303, label %2677 [
    i32 0, label %2624
    i32 1, label %2575
  ]

2575:                                             ; preds = %2570
  br i1 %2497, label %2611, label %2576

2576:                                             ; preds = %2575
  %2577 = getelementptr i8, ptr %2573, i64 %505
  %2578 = getelementptr i8, ptr %2577, i64 %693
  %2579 = icmp ult ptr %6, %2578
  %2580 = icmp ult ptr %2574, %506
  %2581 = and i1 %2579, %2580
  br i1 %2581, label %2611, label %2582

2582:                                             ; preds = %2576
  br i1 %2498, label %2599, label %2583

2583:                                             ; preds = %2582, %2583
  %2584 = phi i64 [ %2595, %2583 ], [ 0, %2582 ]
  %2585 = getelementptr inbounds nuw i8, ptr %6, i64 %2584
  %2586 = getelementptr inbounds nuw i8, ptr %2585, i64 16
  %2587 = load <16 x i8>, ptr %2585, align 32, !alias.scope !177, !noalias !180
  %2588 = load <16 x i8>, ptr %2586, align 16, !alias.scope !177, !noalias !180
  %2589 = getelementptr inbounds nuw i8, ptr %2574, i64 %2584
  %2590 = getelementptr inbounds nuw i8, ptr %2589, i64 16
  %2591 = load <16 x i8>, ptr %2589, align 1, !alias.scope !180
  %2592 = load <16 x i8>, ptr %2590, align 1, !alias.scope !180
  %2593 = call <16 x i8> @llvm.umax.v16i8(<16 x i8> %2587, <16 x i8> %2591)
  %2594 = call <16 x i8> @llvm.umax.v16i8(<16 x i8> %2588, <16 x i8> %2592)
  store <16 x i8> %2593, ptr %2585, align 32, !alias.scope !177, !noalias !180
  store <16 x i8> %2594, ptr %2586, align 16, !alias.scope !177, !noalias !180
  %2595 = add nuw i64 %2584, 32
  %2596 = icmp eq i64 %2595, %2500
  br i1 %2596, label %2597, label %2583, !llvm.loop !182

2597:                                             ; preds = %2583
  br i1 %2501, label %2783, label %2598

2598:                                             ; preds = %2597
  br i1 %2502, label %2611, label %2599, !prof !137

2599:                                             ; preds = %2582, %2598
  %2600 = phi i64 [ %2500, %2598 ], [ 0, %2582 ]
  br label %2601

2601:                                             ; preds = %2601, %2599
  %2602 = phi i64 [ %2600, %2599 ], [ %2608, %2601 ]
  %2603 = getelementptr inbounds nuw i8, ptr %6, i64 %2602
  %2604 = load <4 x i8>, ptr %2603, align 4, !alias.scope !177, !noalias !180
  %2605 = getelementptr inbounds nuw i8, ptr %2574, i64 %2602
  %2606 = load <4 x i8>, ptr %2605, align 1, !alias.scope !180
  %2607 = call <4 x i8> @llvm.umax.v4i8(<4 x i8> %2604, <4 x i8> %2606)
  store <4 x i8> %2607, ptr %2603, align 4, !alias.scope !177, !noalias !180
  %2608 = add nuw i64 %2602, 4
  %2609 = icmp eq i64 %2608, %2503
  br i1 %2609, label %2610, label %2601, !llvm.loop !183

2610:                                             ; preds = %2601
  br i1 %2504, label %2783, label %2611

2611:                                             ; preds = %2576, %2575, %2598, %2610
  %2612 = phi i64 [ 0, %2575 ], [ 0, %2576 ], [ %2500, %2598 ], [ %2503, %2610 ]
  %2613 = or disjoint i64 %2612, 1
  br i1 %2506, label %2621, label %2614

2614:                                             ; preds = %2611
  %2615 = getelementptr inbounds nuw i8, ptr %6, i64 %2612
  %2616 = load i8, ptr %2615, align 4
  %2617 = getelementptr inbounds nuw i8, ptr %2574, i64 %2612
  %2618 = load i8, ptr %2617, align 1
  %2619 = tail call i8 @llvm.umax.i8(i8 %2616, i8 %2618)
  store i8 %2619, ptr %2615, align 4
  %2620 = or disjoint i64 %2612, 1
  br label %2621

2621:                                             ; preds = %2614, %2611
  %2622 = phi i64 [ %2612, %2611 ], [ %2620, %2614 ]
  %2623 = icmp eq i64 %367, %2613
  br i1 %2623, label %2783, label %2753

2624:                                             ; preds = %2570
  br i1 %2507, label %2660, label %2625

2625:                                             ; preds = %2624
  %2626 = getelementptr i8, ptr %2573, i64 %512
  %2627 = getelementptr i8, ptr %2626, i64 %693
  %2628 = icmp ult ptr %6, %2627
  %2629 = icmp ult ptr %2574, %513
  %2630 = and i1 %2628, %2629
  br i1 %2630, label %2660, label %2631

2631:                                             ; preds = %2625
  br i1 %2508, label %2648, label %2632

2632:                                             ; preds = %2631, %2632
  %2633 = phi i64 [ %2644, %2632 ], [ 0, %2631 ]
  %2634 = getelementptr inbounds nuw i8, ptr %6, i64 %2633
  %2635 = getelementptr inbounds nuw i8, ptr %2634, i64 16
  %2636 = load <16 x i8>, ptr %2634, align 32, !alias.scope !184, !noalias !187
  %2637 = load <16 x i8>, ptr %2635, align 16, !alias.scope !184, !noalias !187
  %2638 = getelementptr inbounds nuw i8, ptr %2574, i64 %2633
  %2639 = getelementptr inbounds nuw i8, ptr %2638, i64 16
  %2640 = load <16 x i8>, ptr %2638, align 1, !alias.scope !187
  %2641 = load <16 x i8>, ptr %2639, align 1, !alias.scope !187
  %2642 = add <16 x i8> %2640, %2636
  %2643 = add <16 x i8> %2641, %2637
  store <16 x i8> %2642, ptr %2634, align 32, !alias.scope !184, !noalias !187
  store <16 x i8> %2643, ptr %2635, align 16, !alias.scope !184, !noalias !187
  %2644 = add nuw i64 %2633, 32
  %2645 = icmp eq i64 %2644, %2510
  br i1 %2645, label %2646, label %2632, !llvm.loop !189

2646:                                             ; preds = %2632
  br i1 %2511, label %2783, label %2647

2647:                                             ; preds = %2646
  br i1 %2512, label %2660, label %2648, !prof !137

2648:                                             ; preds = %2631, %2647
  %2649 = phi i64 [ %2510, %2647 ], [ 0, %2631 ]
  br label %2650

2650:                                             ; preds = %2650, %2648
  %2651 = phi i64 [ %2649, %2648 ], [ %2657, %2650 ]
  %2652 = getelementptr inbounds nuw i8, ptr %6, i64 %2651
  %2653 = load <4 x i8>, ptr %2652, align 4, !alias.scope !184, !noalias !187
  %2654 = getelementptr inbounds nuw i8, ptr %2574, i64 %2651
  %2655 = load <4 x i8>, ptr %2654, align 1, !alias.scope !187
  %2656 = add <4 x i8> %2655, %2653
  store <4 x i8> %2656, ptr %2652, align 4, !alias.scope !184, !noalias !187
  %2657 = add nuw i64 %2651, 4
  %2658 = icmp eq i64 %2657, %2513
  br i1 %2658, label %2659, label %2650, !llvm.loop !190

2659:                                             ; preds = %2650
  br i1 %2514, label %2783, label %2660

2660:                                             ; preds = %2625, %2624, %2647, %2659
  %2661 = phi i64 [ 0, %2624 ], [ 0, %2625 ], [ %2510, %2647 ], [ %2513, %2659 ]
  br i1 %2516, label %2673, label %2662

2662:                                             ; preds = %2660, %2662
  %2663 = phi i64 [ %2670, %2662 ], [ %2661, %2660 ]
  %2664 = phi i64 [ %2671, %2662 ], [ 0, %2660 ]
  %2665 = getelementptr inbounds nuw i8, ptr %6, i64 %2663
  %2666 = load i8, ptr %2665, align 1
  %2667 = getelementptr inbounds nuw i8, ptr %2574, i64 %2663
  %2668 = load i8, ptr %2667, align 1
  %2669 = add i8 %2668, %2666
  store i8 %2669, ptr %2665, align 1
  %2670 = add nuw nsw i64 %2663, 1
  %2671 = add i64 %2664, 1
  %2672 = icmp eq i64 %2671, %2515
  br i1 %2672, label %2673, label %2662, !llvm.loop !191

2673:                                             ; preds = %2662, %2660
  %2674 = phi i64 [ %2661, %2660 ], [ %2670, %2662 ]
  %2675 = sub i64 %2661, %364
  %2676 = icmp ugt i64 %2675, -4
  br i1 %2676, label %2783, label %2726

2677:                                             ; preds = %2570
  br i1 %2517, label %2713, label %2678

2678:                                             ; preds = %2677
  %2679 = getelementptr i8, ptr %2573, i64 %519
  %2680 = getelementptr i8, ptr %2679, i64 %693
  %2681 = icmp ult ptr %6, %2680
  %2682 = icmp ult ptr %2574, %520
  %2683 = and i1 %2681, %2682
  br i1 %2683, label %2713, label %2684

2684:                                             ; preds = %2678
  br i1 %2518, label %2701, label %2685

2685:                                             ; preds = %2684, %2685
  %2686 = phi i64 [ %2697, %2685 ], [ 0, %2684 ]
  %2687 = getelementptr inbounds nuw i8, ptr %6, i64 %2686
  %2688 = getelementptr inbounds nuw i8, ptr %2687, i64 16
  %2689 = load <16 x i8>, ptr %2687, align 32, !alias.scope !192, !noalias !195
  %2690 = load <16 x i8>, ptr %2688, align 16, !alias.scope !192, !noalias !195
  %2691 = getelementptr inbounds nuw i8, ptr %2574, i64 %2686
  %2692 = getelementptr inbounds nuw i8, ptr %2691, i64 16
  %2693 = load <16 x i8>, ptr %2691, align 1, !alias.scope !195
  %2694 = load <16 x i8>, ptr %2692, align 1, !alias.scope !195
  %2695 = call <16 x i8> @llvm.umin.v16i8(<16 x i8> %2689, <16 x i8> %2693)
  %2696 = call <16 x i8> @llvm.umin.v16i8(<16 x i8> %2690, <16 x i8> %2694)
  store <16 x i8> %2695, ptr %2687, align 32, !alias.scope !192, !noalias !195
  store <16 x i8> %2696, ptr %2688, align 16, !alias.scope !192, !noalias !195
  %2697 = add nuw i64 %2686, 32
  %2698 = icmp eq i64 %2697, %2520
  br i1 %2698, label %2699, label %2685, !llvm.loop !197

2699:                                             ; preds = %2685
  br i1 %2521, label %2783, label %2700

2700:                                             ; preds = %2699
  br i1 %2522, label %2713, label %2701, !prof !137

2701:                                             ; preds = %2684, %2700
  %2702 = phi i64 [ %2520, %2700 ], [ 0, %2684 ]
  br label %2703

2703:                                             ; preds = %2703, %2701
  %2704 = phi i64 [ %2702, %2701 ], [ %2710, %2703 ]
  %2705 = getelementptr inbounds nuw i8, ptr %6, i64 %2704
  %2706 = load <4 x i8>, ptr %2705, align 4, !alias.scope !192, !noalias !195
  %2707 = getelementptr inbounds nuw i8, ptr %2574, i64 %2704
  %2708 = load <4 x i8>, ptr %2707, align 1, !alias.scope !195
  %2709 = call <4 x i8> @llvm.umin.v4i8(<4 x i8> %2706, <4 x i8> %2708)
  store <4 x i8> %2709, ptr %2705, align 4, !alias.scope !192, !noalias !195
  %2710 = add nuw i64 %2704, 4
  %2711 = icmp eq i64 %2710, %2523
  br i1 %2711, label %2712, label %2703, !llvm.loop !198

2712:                                             ; preds = %2703
  br i1 %2524, label %2783, label %2713

2713:                                             ; preds = %2678, %2677, %2700, %2712
  %2714 = phi i64 [ 0, %2677 ], [ 0, %2678 ], [ %2520, %2700 ], [ %2523, %2712 ]
  %2715 = or disjoint i64 %2714, 1
  br i1 %2526, label %2723, label %2716

2716:                                             ; preds = %2713
  %2717 = getelementptr inbounds nuw i8, ptr %6, i64 %2714
  %2718 = load i8, ptr %2717, align 4
  %2719 = getelementptr inbounds nuw i8, ptr %2574, i64 %2714
  %2720 = load i8, ptr %2719, align 1
  %2721 = tail call i8 @llvm.umin.i8(i8 %2718, i8 %2720)
  store i8 %2721, ptr %2717, align 4
  %2722 = or disjoint i64 %2714, 1
  br label %2723

2723:                                             ; preds = %2716, %2713
  %2724 = phi i64 [ %2714, %2713 ], [ %2722, %2716 ]
  %2725 = icmp eq i64 %361, %2715
  br i1 %2725, label %2783, label %2768

2726:                                             ; preds = %2673, %2726
  %2727 = phi i64 [ %2751, %2726 ], [ %2674, %2673 ]
  %2728 = getelementptr inbounds nuw i8, ptr %6, i64 %2727
  %2729 = load i8, ptr %2728, align 1
  %2730 = getelementptr inbounds nuw i8, ptr %2574, i64 %2727
  %2731 = load i8, ptr %2730, align 1
  %2732 = add i8 %2731, %2729
  store i8 %2732, ptr %2728, align 1
  %2733 = add nuw nsw i64 %2727, 1
  %2734 = getelementptr inbounds nuw i8, ptr %6, i64 %2733
  %2735 = load i8, ptr %2734, align 1
  %2736 = getelementptr inbounds nuw i8, ptr %2574, i64 %2733
  %2737 = load i8, ptr %2736, align 1
  %2738 = add i8 %2737, %2735
  store i8 %2738, ptr %2734, align 1
  %2739 = add nuw nsw i64 %2727, 2
  %2740 = getelementptr inbounds nuw i8, ptr %6, i64 %2739
  %2741 = load i8, ptr %2740, align 1
  %2742 = getelementptr inbounds nuw i8, ptr %2574, i64 %2739
  %2743 = load i8, ptr %2742, align 1
  %2744 = add i8 %2743, %2741
  store i8 %2744, ptr %2740, align 1
  %2745 = add nuw nsw i64 %2727, 3
  %2746 = getelementptr inbounds nuw i8, ptr %6, i64 %2745
  %2747 = load i8, ptr %2746, align 1
  %2748 = getelementptr inbounds nuw i8, ptr %2574, i64 %2745
  %2749 = load i8, ptr %2748, align 1
  %2750 = add i8 %2749, %2747
  store i8 %2750, ptr %2746, align 1
  %2751 = add nuw nsw i64 %2727, 4
  %2752 = icmp eq i64 %2751, %690
  br i1 %2752, label %2783, label %2726, !llvm.loop !199

2753:                                             ; preds = %2621, %2753
  %2754 = phi i64 [ %2766, %2753 ], [ %2622, %2621 ]
  %2755 = getelementptr inbounds nuw i8, ptr %6, i64 %2754
  %2756 = load i8, ptr %2755, align 1
  %2757 = getelementptr inbounds nuw i8, ptr %2574, i64 %2754
  %2758 = load i8, ptr %2757, align 1
  %2759 = tail call i8 @llvm.umax.i8(i8 %2756, i8 %2758)
  store i8 %2759, ptr %2755, align 1
  %2760 = add nuw nsw i64 %2754, 1
  %2761 = getelementptr inbounds nuw i8, ptr %6, i64 %2760
  %2762 = load i8, ptr %2761, align 1
  %2763 = getelementptr inbounds nuw i8, ptr %2574, i64 %2760
  %2764 = load i8, ptr %2763, align 1
  %2765 = tail call i8 @llvm.umax.i8(i8 %2762, i8 %2764)
  store i8 %2765, ptr %2761, align 1
  %2766 = add nuw nsw i64 %2754, 2
  %2767 = icmp eq i64 %2766, %690
  br i1 %2767, label %2783, label %2753, !llvm.loop !200

2768:                                             ; preds = %2723, %2768
  %2769 = phi i64 [ %2781, %2768 ], [ %2724, %2723 ]
  %2770 = getelementptr inbounds nuw i8, ptr %6, i64 %2769
  %2771 = load i8, ptr %2770, align 1
  %2772 = getelementptr inbounds nuw i8, ptr %2574, i64 %2769
  %2773 = load i8, ptr %2772, align 1
  %2774 = tail call i8 @llvm.umin.i8(i8 %2771, i8 %2773)
  store i8 %2774, ptr %2770, align 1
  %2775 = add nuw nsw i64 %2769, 1
  %2776 = getelementptr inbounds nuw i8, ptr %6, i64 %2775
  %2777 = load i8, ptr %2776, align 1
  %2778 = getelementptr inbounds nuw i8, ptr %2574, i64 %2775
  %2779 = load i8, ptr %2778, align 1
  %2780 = tail call i8 @llvm.umin.i8(i8 %2777, i8 %2779)
  store i8 %2780, ptr %2776, align 1
  %2781 = add nuw nsw i64 %2769, 2
  %2782 = icmp eq i64 %2781, %690
  br i1 %2782, label %2783, label %2768, !llvm.loop !201

2783:                                             ; preds = %2621, %2753, %2673, %2726, %2723, %2768, %2597, %2610, %2646, %2659, %2699, %2712
  %2784 = add nuw nsw i64 %2571, 1
  %2785 = icmp eq i64 %2784, %305
  br i1 %2785, label %2527, label %2570, !llvm.loop !202

2786:                                             ; preds = %308
  %2787 = getelementptr inbounds i8, ptr %306, i64 %693
  %2788 = icmp ult i64 %469, 4
  br i1 %2788, label %2824, label %2789

2789:                                             ; preds = %2786
  %2790 = add i64 %693, %307
  %2791 = sub i64 %7, %2790
  %2792 = icmp ult i64 %2791, 32
  br i1 %2792, label %2824, label %2793

2793:                                             ; preds = %2789
  %2794 = icmp ult i64 %469, 16
  br i1 %2794, label %2812, label %2795

2795:                                             ; preds = %2793
  %2796 = and i64 %469, 12
  %2797 = and i64 %469, -16
  br label %2798

2798:                                             ; preds = %2798, %2795
  %2799 = phi i64 [ 0, %2795 ], [ %2806, %2798 ]
  %2800 = getelementptr inbounds nuw i16, ptr %2787, i64 %2799
  %2801 = getelementptr inbounds nuw i8, ptr %2800, i64 16
  %2802 = load <8 x i16>, ptr %2800, align 2
  %2803 = load <8 x i16>, ptr %2801, align 2
  %2804 = getelementptr inbounds nuw i16, ptr %6, i64 %2799
  %2805 = getelementptr inbounds nuw i8, ptr %2804, i64 16
  store <8 x i16> %2802, ptr %2804, align 32
  store <8 x i16> %2803, ptr %2805, align 16
  %2806 = add nuw i64 %2799, 16
  %2807 = icmp eq i64 %2806, %2797
  br i1 %2807, label %2808, label %2798, !llvm.loop !203

2808:                                             ; preds = %2798
  %2809 = icmp eq i64 %469, %2797
  br i1 %2809, label %2860, label %2810

2810:                                             ; preds = %2808
  %2811 = icmp eq i64 %2796, 0
  br i1 %2811, label %2824, label %2812, !prof !204

2812:                                             ; preds = %2793, %2810
  %2813 = phi i64 [ %2797, %2810 ], [ 0, %2793 ]
  %2814 = and i64 %469, -4
  br label %2815

2815:                                             ; preds = %2815, %2812
  %2816 = phi i64 [ %2813, %2812 ], [ %2820, %2815 ]
  %2817 = getelementptr inbounds nuw i16, ptr %2787, i64 %2816
  %2818 = load <4 x i16>, ptr %2817, align 2
  %2819 = getelementptr inbounds nuw i16, ptr %6, i64 %2816
  store <4 x i16> %2818, ptr %2819, align 8
  %2820 = add nuw i64 %2816, 4
  %2821 = icmp eq i64 %2820, %2814
  br i1 %2821, label %2822, label %2815, !llvm.loop !205

2822:                                             ; preds = %2815
  %2823 = icmp eq i64 %469, %2814
  br i1 %2823, label %2860, label %2824

2824:                                             ; preds = %2789, %2786, %2810, %2822
  %2825 = phi i64 [ 0, %2786 ], [ 0, %2789 ], [ %2797, %2810 ], [ %2814, %2822 ]
  %2826 = and i64 %382, 3
  %2827 = icmp eq i64 %2826, 0
  br i1 %2827, label %2837, label %2828

2828:                                             ; preds = %2824, %2828
  %2829 = phi i64 [ %2834, %2828 ], [ %2825, %2824 ]
  %2830 = phi i64 [ %2835, %2828 ], [ 0, %2824 ]
  %2831 = getelementptr inbounds nuw i16, ptr %2787, i64 %2829
  %2832 = load i16, ptr %2831, align 2
  %2833 = getelementptr inbounds nuw i16, ptr %6, i64 %2829
  store i16 %2832, ptr %2833, align 2
  %2834 = add nuw nsw i64 %2829, 1
  %2835 = add i64 %2830, 1
  %2836 = icmp eq i64 %2835, %2826
  br i1 %2836, label %2837, label %2828, !llvm.loop !206

2837:                                             ; preds = %2828, %2824
  %2838 = phi i64 [ %2825, %2824 ], [ %2834, %2828 ]
  %2839 = sub i64 %2825, %382
  %2840 = icmp ugt i64 %2839, -4
  br i1 %2840, label %2860, label %2841

2841:                                             ; preds = %2837, %2841
  %2842 = phi i64 [ %2858, %2841 ], [ %2838, %2837 ]
  %2843 = getelementptr inbounds nuw i16, ptr %2787, i64 %2842
  %2844 = load i16, ptr %2843, align 2
  %2845 = getelementptr inbounds nuw i16, ptr %6, i64 %2842
  store i16 %2844, ptr %2845, align 2
  %2846 = add nuw nsw i64 %2842, 1
  %2847 = getelementptr inbounds nuw i16, ptr %2787, i64 %2846
  %2848 = load i16, ptr %2847, align 2
  %2849 = getelementptr inbounds nuw i16, ptr %6, i64 %2846
  store i16 %2848, ptr %2849, align 2
  %2850 = add nuw nsw i64 %2842, 2
  %2851 = getelementptr inbounds nuw i16, ptr %2787, i64 %2850
  %2852 = load i16, ptr %2851, align 2
  %2853 = getelementptr inbounds nuw i16, ptr %6, i64 %2850
  store i16 %2852, ptr %2853, align 2
  %2854 = add nuw nsw i64 %2842, 3
  %2855 = getelementptr inbounds nuw i16, ptr %2787, i64 %2854
  %2856 = load i16, ptr %2855, align 2
  %2857 = getelementptr inbounds nuw i16, ptr %6, i64 %2854
  store i16 %2856, ptr %2857, align 2
  %2858 = add nuw nsw i64 %2842, 4
  %2859 = icmp eq i64 %2858, %690
  br i1 %2859, label %2860, label %2841, !llvm.loop !207

2860:                                             ; preds = %2837, %2841, %2822, %2808
  br i1 %304, label %2861, label %2892

2861:                                             ; preds = %2860
  %2862 = icmp ult i64 %472, 4
  %2863 = icmp ult i64 %472, 16
  %2864 = and i64 %472, 12
  %2865 = and i64 %472, -16
  %2866 = icmp eq i64 %472, %2865
  %2867 = icmp eq i64 %2864, 0
  %2868 = and i64 %472, -4
  %2869 = icmp eq i64 %472, %2868
  %2870 = and i64 %379, 1
  %2871 = icmp eq i64 %2870, 0
  %2872 = icmp ult i64 %480, 4
  %2873 = icmp ult i64 %480, 16
  %2874 = and i64 %480, 12
  %2875 = and i64 %480, -16
  %2876 = icmp eq i64 %480, %2875
  %2877 = icmp eq i64 %2874, 0
  %2878 = and i64 %480, -4
  %2879 = icmp eq i64 %480, %2878
  %2880 = and i64 %376, 3
  %2881 = icmp eq i64 %2880, 0
  %2882 = icmp ult i64 %488, 4
  %2883 = icmp ult i64 %488, 16
  %2884 = and i64 %488, 12
  %2885 = and i64 %488, -16
  %2886 = icmp eq i64 %488, %2885
  %2887 = icmp eq i64 %2884, 0
  %2888 = and i64 %488, -4
  %2889 = icmp eq i64 %488, %2888
  %2890 = and i64 %373, 1
  %2891 = icmp eq i64 %2890, 0
  br label %2935

2892:                                             ; preds = %3148, %2860
  %2893 = getelementptr inbounds i8, ptr %301, i64 %693
  %2894 = icmp ult i64 %496, 4
  br i1 %2894, label %2926, label %2895

2895:                                             ; preds = %2892
  %2896 = icmp ult i64 %496, 16
  br i1 %2896, label %2914, label %2897

2897:                                             ; preds = %2895
  %2898 = and i64 %496, 12
  %2899 = and i64 %496, -16
  br label %2900

2900:                                             ; preds = %2900, %2897
  %2901 = phi i64 [ 0, %2897 ], [ %2908, %2900 ]
  %2902 = getelementptr inbounds nuw i16, ptr %6, i64 %2901
  %2903 = getelementptr inbounds nuw i8, ptr %2902, i64 16
  %2904 = load <8 x i16>, ptr %2902, align 32
  %2905 = load <8 x i16>, ptr %2903, align 16
  %2906 = getelementptr inbounds nuw i16, ptr %2893, i64 %2901
  %2907 = getelementptr inbounds nuw i8, ptr %2906, i64 16
  store <8 x i16> %2904, ptr %2906, align 2
  store <8 x i16> %2905, ptr %2907, align 2
  %2908 = add nuw i64 %2901, 16
  %2909 = icmp eq i64 %2908, %2899
  br i1 %2909, label %2910, label %2900, !llvm.loop !208

2910:                                             ; preds = %2900
  %2911 = icmp eq i64 %496, %2899
  br i1 %2911, label %3699, label %2912

2912:                                             ; preds = %2910
  %2913 = icmp eq i64 %2898, 0
  br i1 %2913, label %2926, label %2914, !prof !204

2914:                                             ; preds = %2895, %2912
  %2915 = phi i64 [ %2899, %2912 ], [ 0, %2895 ]
  %2916 = and i64 %496, -4
  br label %2917

2917:                                             ; preds = %2917, %2914
  %2918 = phi i64 [ %2915, %2914 ], [ %2922, %2917 ]
  %2919 = getelementptr inbounds nuw i16, ptr %6, i64 %2918
  %2920 = load <4 x i16>, ptr %2919, align 8
  %2921 = getelementptr inbounds nuw i16, ptr %2893, i64 %2918
  store <4 x i16> %2920, ptr %2921, align 2
  %2922 = add nuw i64 %2918, 4
  %2923 = icmp eq i64 %2922, %2916
  br i1 %2923, label %2924, label %2917, !llvm.loop !209

2924:                                             ; preds = %2917
  %2925 = icmp eq i64 %496, %2916
  br i1 %2925, label %3699, label %2926

2926:                                             ; preds = %2892, %2912, %2924
  %2927 = phi i64 [ 0, %2892 ], [ %2899, %2912 ], [ %2916, %2924 ]
  br label %2928

2928:                                             ; preds = %2926, %2928
  %2929 = phi i64 [ %2933, %2928 ], [ %2927, %2926 ]
  %2930 = getelementptr inbounds nuw i16, ptr %6, i64 %2929
  %2931 = load i16, ptr %2930, align 2
  %2932 = getelementptr inbounds nuw i16, ptr %2893, i64 %2929
  store i16 %2931, ptr %2932, align 2
  %2933 = add nuw nsw i64 %2929, 1
  %2934 = icmp eq i64 %2933, %690
  br i1 %2934, label %3699, label %2928, !llvm.loop !210

2935:                                             ; preds = %2861, %3148
  %2936 = phi i64 [ %3149, %3148 ], [ 1, %2861 ]
  %2937 = getelementptr inbounds nuw ptr, ptr %12, i64 %2936
  %2938 = load ptr, ptr %2937, align 8
  %2939 = getelementptr i8, ptr %2938, i64 %693
  switch i32 %303, label %3042 [
    i32 0, label %2989
    i32 1, label %2940
  ]

2940:                                             ; preds = %2935
  br i1 %2862, label %2976, label %2941

2941:                                             ; preds = %2940
  %2942 = getelementptr i8, ptr %2938, i64 %693
  %2943 = getelementptr i8, ptr %2942, i64 %476
  %2944 = icmp ult ptr %6, %2943
  %2945 = icmp ult ptr %2939, %477
  %2946 = and i1 %2944, %2945
  br i1 %2946, label %2976, label %2947

2947:                                             ; preds = %2941
  br i1 %2863, label %2964, label %2948

2948:                                             ; preds = %2947, %2948
  %2949 = phi i64 [ %2960, %2948 ], [ 0, %2947 ]
  %2950 = getelementptr inbounds nuw i16, ptr %6, i64 %2949
  %2951 = getelementptr inbounds nuw i8, ptr %2950, i64 16
  %2952 = load <8 x i16>, ptr %2950, align 32, !alias.scope !211, !noalias !214
  %2953 = load <8 x i16>, ptr %2951, align 16, !alias.scope !211, !noalias !214
  %2954 = getelementptr inbounds nuw i16, ptr %2939, i64 %2949
  %2955 = getelementptr inbounds nuw i8, ptr %2954, i64 16
  %2956 = load <8 x i16>, ptr %2954, align 2, !alias.scope !214
  %2957 = load <8 x i16>, ptr %2955, align 2, !alias.scope !214
  %2958 = call <8 x i16> @llvm.smax.v8i16(<8 x i16> %2952, <8 x i16> %2956)
  %2959 = call <8 x i16> @llvm.smax.v8i16(<8 x i16> %2953, <8 x i16> %2957)
  store <8 x i16> %2958, ptr %2950, align 32, !alias.scope !211, !noalias !214
  store <8 x i16> %2959, ptr %2951, align 16, !alias.scope !211, !noalias !214
  %2960 = add nuw i64 %2949, 16
  %2961 = icmp eq i64 %2960, %2865
  br i1 %2961, label %2962, label %2948, !llvm.loop !216

2962:                                             ; preds = %2948
  br i1 %2866, label %3148, label %2963

2963:                                             ; preds = %2962
  br i1 %2867, label %2976, label %2964, !prof !204

2964:                                             ; preds = %2947, %2963
  %2965 = phi i64 [ %2865, %2963 ], [ 0, %2947 ]
  br label %2966

2966:                                             ; preds = %2966, %2964
  %2967 = phi i64 [ %2965, %2964 ], [ %2973, %2966 ]
  %2968 = getelementptr inbounds nuw i16, ptr %6, i64 %2967
  %2969 = load <4 x i16>, ptr %2968, align 8, !alias.scope !211, !noalias !214
  %2970 = getelementptr inbounds nuw i16, ptr %2939, i64 %2967
  %2971 = load <4 x i16>, ptr %2970, align 2, !alias.scope !214
  %2972 = call <4 x i16> @llvm.smax.v4i16(<4 x i16> %2969, <4 x i16> %2971)
  store <4 x i16> %2972, ptr %2968, align 8, !alias.scope !211, !noalias !214
  %2973 = add nuw i64 %2967, 4
  %2974 = icmp eq i64 %2973, %2868
  br i1 %2974, label %2975, label %2966, !llvm.loop !217

2975:                                             ; preds = %2966
  br i1 %2869, label %3148, label %2976

2976:                                             ; preds = %2941, %2940, %2963, %2975
  %2977 = phi i64 [ 0, %2940 ], [ 0, %2941 ], [ %2865, %2963 ], [ %2868, %2975 ]
  %2978 = or disjoint i64 %2977, 1
  br i1 %2871, label %2986, label %2979

2979:                                             ; preds = %2976
  %2980 = getelementptr inbounds nuw i16, ptr %6, i64 %2977
  %2981 = load i16, ptr %2980, align 8
  %2982 = getelementptr inbounds nuw i16, ptr %2939, i64 %2977
  %2983 = load i16, ptr %2982, align 2
  %2984 = tail call i16 @llvm.smax.i16(i16 %2981, i16 %2983)
  store i16 %2984, ptr %2980, align 8
  %2985 = or disjoint i64 %2977, 1
  br label %2986

2986:                                             ; preds = %2979, %2976
  %2987 = phi i64 [ %2977, %2976 ], [ %2985, %2979 ]
  %2988 = icmp eq i64 %379, %2978
  br i1 %2988, label %3148, label %3118

2989:                                             ; preds = %2935
  br i1 %2872, label %3025, label %2990

2990:                                             ; preds = %2989
  %2991 = getelementptr i8, ptr %2938, i64 %693
  %2992 = getelementptr i8, ptr %2991, i64 %484
  %2993 = icmp ult ptr %6, %2992
  %2994 = icmp ult ptr %2939, %485
  %2995 = and i1 %2993, %2994
  br i1 %2995, label %3025, label %2996

2996:                                             ; preds = %2990
  br i1 %2873, label %3013, label %2997

2997:                                             ; preds = %2996, %2997
  %2998 = phi i64 [ %3009, %2997 ], [ 0, %2996 ]
  %2999 = getelementptr inbounds nuw i16, ptr %6, i64 %2998
  %3000 = getelementptr inbounds nuw i8, ptr %2999, i64 16
  %3001 = load <8 x i16>, ptr %2999, align 32, !alias.scope !218, !noalias !221
  %3002 = load <8 x i16>, ptr %3000, align 16, !alias.scope !218, !noalias !221
  %3003 = getelementptr inbounds nuw i16, ptr %2939, i64 %2998
  %3004 = getelementptr inbounds nuw i8, ptr %3003, i64 16
  %3005 = load <8 x i16>, ptr %3003, align 2, !alias.scope !221
  %3006 = load <8 x i16>, ptr %3004, align 2, !alias.scope !221
  %3007 = add <8 x i16> %3005, %3001
  %3008 = add <8 x i16> %3006, %3002
  store <8 x i16> %3007, ptr %2999, align 32, !alias.scope !218, !noalias !221
  store <8 x i16> %3008, ptr %3000, align 16, !alias.scope !218, !noalias !221
  %3009 = add nuw i64 %2998, 16
  %3010 = icmp eq i64 %3009, %2875
  br i1 %3010, label %3011, label %2997, !llvm.loop !223

3011:                                             ; preds = %2997
  br i1 %2876, label %3148, label %3012

3012:                                             ; preds = %3011
  br i1 %2877, label %3025, label %3013, !prof !204

3013:                                             ; preds = %2996, %3012
  %3014 = phi i64 [ %2875, %3012 ], [ 0, %2996 ]
  br label %3015

3015:                                             ; preds = %3015, %3013
  %3016 = phi i64 [ %3014, %3013 ], [ %3022, %3015 ]
  %3017 = getelementptr inbounds nuw i16, ptr %6, i64 %3016
  %3018 = load <4 x i16>, ptr %3017, align 8, !alias.scope !218, !noalias !221
  %3019 = getelementptr inbounds nuw i16, ptr %2939, i64 %3016
  %3020 = load <4 x i16>, ptr %3019, align 2, !alias.scope !221
  %3021 = add <4 x i16> %3020, %3018
  store <4 x i16> %3021, ptr %3017, align 8, !alias.scope !218, !noalias !221
  %3022 = add nuw i64 %3016, 4
  %3023 = icmp eq i64 %3022, %2878
  br i1 %3023, label %3024, label %3015, !llvm.loop !224

3024:                                             ; preds = %3015
  br i1 %2879, label %3148, label %3025

3025:                                             ; preds = %2990, %2989, %3012, %3024
  %3026 = phi i64 [ 0, %2989 ], [ 0, %2990 ], [ %2875, %3012 ], [ %2878, %3024 ]
  br i1 %2881, label %3038, label %3027

3027:                                             ; preds = %3025, %3027
  %3028 = phi i64 [ %3035, %3027 ], [ %3026, %3025 ]
  %3029 = phi i64 [ %3036, %3027 ], [ 0, %3025 ]
  %3030 = getelementptr inbounds nuw i16, ptr %6, i64 %3028
  %3031 = load i16, ptr %3030, align 2
  %3032 = getelementptr inbounds nuw i16, ptr %2939, i64 %3028
  %3033 = load i16, ptr %3032, align 2
  %3034 = add i16 %3033, %3031
  store i16 %3034, ptr %3030, align 2
  %3035 = add nuw nsw i64 %3028, 1
  %3036 = add i64 %3029, 1
  %3037 = icmp eq i64 %3036, %2880
  br i1 %3037, label %3038, label %3027, !llvm.loop !225

3038:                                             ; preds = %3027, %3025
  %3039 = phi i64 [ %3026, %3025 ], [ %3035, %3027 ]
  %3040 = sub i64 %3026, %376
  %3041 = icmp ugt i64 %3040, -4
  br i1 %3041, label %3148, label %3091

3042:                                             ; preds = %2935
  br i1 %2882, label %3078, label %3043

3043:                                             ; preds = %3042
  %3044 = getelementptr i8, ptr %2938, i64 %693
  %3045 = getelementptr i8, ptr %3044, i64 %492
  %3046 = icmp ult ptr %6, %3045
  %3047 = icmp ult ptr %2939, %493
  %3048 = and i1 %3046, %3047
  br i1 %3048, label %3078, label %3049

3049:                                             ; preds = %3043
  br i1 %2883, label %3066, label %3050

3050:                                             ; preds = %3049, %3050
  %3051 = phi i64 [ %3062, %3050 ], [ 0, %3049 ]
  %3052 = getelementptr inbounds nuw i16, ptr %6, i64 %3051
  %3053 = getelementptr inbounds nuw i8, ptr %3052, i64 16
  %3054 = load <8 x i16>, ptr %3052, align 32, !alias.scope !226, !noalias !229
  %3055 = load <8 x i16>, ptr %3053, align 16, !alias.scope !226, !noalias !229
  %3056 = getelementptr inbounds nuw i16, ptr %2939, i64 %3051
  %3057 = getelementptr inbounds nuw i8, ptr %3056, i64 16
  %3058 = load <8 x i16>, ptr %3056, align 2, !alias.scope !229
  %3059 = load <8 x i16>, ptr %3057, align 2, !alias.scope !229
  %3060 = call <8 x i16> @llvm.smin.v8i16(<8 x i16> %3054, <8 x i16> %3058)
  %3061 = call <8 x i16> @llvm.smin.v8i16(<8 x i16> %3055, <8 x i16> %3059)
  store <8 x i16> %3060, ptr %3052, align 32, !alias.scope !226, !noalias !229
  store <8 x i16> %3061, ptr %3053, align 16, !alias.scope !226, !noalias !229
  %3062 = add nuw i64 %3051, 16
  %3063 = icmp eq i64 %3062, %2885
  br i1 %3063, label %3064, label %3050, !llvm.loop !231

3064:                                             ; preds = %3050
  br i1 %2886, label %3148, label %3065

3065:                                             ; preds = %3064
  br i1 %2887, label %3078, label %3066, !prof !204

3066:                                             ; preds = %3049, %3065
  %3067 = phi i64 [ %2885, %3065 ], [ 0, %3049 ]
  br label %3068

3068:                                             ; preds = %3068, %3066
  %3069 = phi i64 [ %3067, %3066 ], [ %3075, %3068 ]
  %3070 = getelementptr inbounds nuw i16, ptr %6, i64 %3069
  %3071 = load <4 x i16>, ptr %3070, align 8, !alias.scope !226, !noalias !229
  %3072 = getelementptr inbounds nuw i16, ptr %2939, i64 %3069
  %3073 = load <4 x i16>, ptr %3072, align 2, !alias.scope !229
  %3074 = call <4 x i16> @llvm.smin.v4i16(<4 x i16> %3071, <4 x i16> %3073)
  store <4 x i16> %3074, ptr %3070, align 8, !alias.scope !226, !noalias !229
  %3075 = add nuw i64 %3069, 4
  %3076 = icmp eq i64 %3075, %2888
  br i1 %3076, label %3077, label %3068, !llvm.loop !232

3077:                                             ; preds = %3068
  br i1 %2889, label %3148, label %3078

3078:                                             ; preds = %3043, %3042, %3065, %3077
  %3079 = phi i64 [ 0, %3042 ], [ 0, %3043 ], [ %2885, %3065 ], [ %2888, %3077 ]
  %3080 = or disjoint i64 %3079, 1
  br i1 %2891, label %3088, label %3081

3081:                                             ; preds = %3078
  %3082 = getelementptr inbounds nuw i16, ptr %6, i64 %3079
  %3083 = load i16, ptr %3082, align 8
  %3084 = getelementptr inbounds nuw i16, ptr %2939, i64 %3079
  %3085 = load i16, ptr %3084, align 2
  %3086 = tail call i16 @llvm.smin.i16(i16 %3083, i16 %3085)
  store i16 %3086, ptr %3082, align 8
  %3087 = or disjoint i64 %3079, 1
  br label %3088

3088:                                             ; preds = %3081, %3078
  %3089 = phi i64 [ %3079, %3078 ], [ %3087, %3081 ]
  %3090 = icmp eq i64 %373, %3080
  br i1 %3090, label %3148, label %3133

3091:                                             ; preds = %3038, %3091
  %3092 = phi i64 [ %3116, %3091 ], [ %3039, %3038 ]
  %3093 = getelementptr inbounds nuw i16, ptr %6, i64 %3092
  %3094 = load i16, ptr %3093, align 2
  %3095 = getelementptr inbounds nuw i16, ptr %2939, i64 %3092
  %3096 = load i16, ptr %3095, align 2
  %3097 = add i16 %3096, %3094
  store i16 %3097, ptr %3093, align 2
  %3098 = add nuw nsw i64 %3092, 1
  %3099 = getelementptr inbounds nuw i16, ptr %6, i64 %3098
  %3100 = load i16, ptr %3099, align 2
  %3101 = getelementptr inbounds nuw i16, ptr %2939, i64 %3098
  %3102 = load i16, ptr %3101, align 2
  %3103 = add i16 %3102, %3100
  store i16 %3103, ptr %3099, align 2
  %3104 = add nuw nsw i64 %3092, 2
  %3105 = getelementptr inbounds nuw i16, ptr %6, i64 %3104
  %3106 = load i16, ptr %3105, align 2
  %3107 = getelementptr inbounds nuw i16, ptr %2939, i64 %3104
  %3108 = load i16, ptr %3107, align 2
  %3109 = add i16 %3108, %3106
  store i16 %3109, ptr %3105, align 2
  %3110 = add nuw nsw i64 %3092, 3
  %3111 = getelementptr inbounds nuw i16, ptr %6, i64 %3110
  %3112 = load i16, ptr %3111, align 2
  %3113 = getelementptr inbounds nuw i16, ptr %2939, i64 %3110
  %3114 = load i16, ptr %3113, align 2
  %3115 = add i16 %3114, %3112
  store i16 %3115, ptr %3111, align 2
  %3116 = add nuw nsw i64 %3092, 4
  %3117 = icmp eq i64 %3116, %690
  br i1 %3117, label %3148, label %3091, !llvm.loop !233

3118:                                             ; preds = %2986, %3118
  %3119 = phi i64 [ %3131, %3118 ], [ %2987, %2986 ]
  %3120 = getelementptr inbounds nuw i16, ptr %6, i64 %3119
  %3121 = load i16, ptr %3120, align 2
  %3122 = getelementptr inbounds nuw i16, ptr %2939, i64 %3119
  %3123 = load i16, ptr %3122, align 2
  %3124 = tail call i16 @llvm.smax.i16(i16 %3121, i16 %3123)
  store i16 %3124, ptr %3120, align 2
  %3125 = add nuw nsw i64 %3119, 1
  %3126 = getelementptr inbounds nuw i16, ptr %6, i64 %3125
  %3127 = load i16, ptr %3126, align 2
  %3128 = getelementptr inbounds nuw i16, ptr %2939, i64 %3125
  %3129 = load i16, ptr %3128, align 2
  %3130 = tail call i16 @llvm.smax.i16(i16 %3127, i16 %3129)
  store i16 %3130, ptr %3126, align 2
  %3131 = add nuw nsw i64 %3119, 2
  %3132 = icmp eq i64 %3131, %690
  br i1 %3132, label %3148, label %3118, !llvm.loop !234

3133:                                             ; preds = %3088, %3133
  %3134 = phi i64 [ %3146, %3133 ], [ %3089, %3088 ]
  %3135 = getelementptr inbounds nuw i16, ptr %6, i64 %3134
  %3136 = load i16, ptr %3135, align 2
  %3137 = getelementptr inbounds nuw i16, ptr %2939, i64 %3134
  %3138 = load i16, ptr %3137, align 2
  %3139 = tail call i16 @llvm.smin.i16(i16 %3136, i16 %3138)
  store i16 %3139, ptr %3135, align 2
  %3140 = add nuw nsw i64 %3134, 1
  %3141 = getelementptr inbounds nuw i16, ptr %6, i64 %3140
  %3142 = load i16, ptr %3141, align 2
  %3143 = getelementptr inbounds nuw i16, ptr %2939, i64 %3140
  %3144 = load i16, ptr %3143, align 2
  %3145 = tail call i16 @llvm.smin.i16(i16 %3142, i16 %3144)
  store i16 %3145, ptr %3141, align 2
  %3146 = add nuw nsw i64 %3134, 2
  %3147 = icmp eq i64 %3146, %690
  br i1 %3147, label %3148, label %3133, !llvm.loop !235

3148:                                             ; preds = %2986, %3118, %3038, %3091, %3088, %3133, %2962, %2975, %3011, %3024, %3064, %3077
  %3149 = add nuw nsw i64 %2936, 1
  %3150 = icmp eq i64 %3149, %305
  br i1 %3150, label %2892, label %2935, !llvm.loop !236

3151:                                             ; preds = %308
  %3152 = getelementptr inbounds i8, ptr %306, i64 %693
  %3153 = icmp ult i64 %439, 8
  br i1 %3153, label %3172, label %3154

3154:                                             ; preds = %3151
  %3155 = add i64 %693, %307
  %3156 = sub i64 %7, %3155
  %3157 = icmp ult i64 %3156, 32
  br i1 %3157, label %3172, label %3158

3158:                                             ; preds = %3154
  %3159 = and i64 %439, -8
  br label %3160

3160:                                             ; preds = %3160, %3158
  %3161 = phi i64 [ 0, %3158 ], [ %3168, %3160 ]
  %3162 = getelementptr inbounds nuw i32, ptr %3152, i64 %3161
  %3163 = getelementptr inbounds nuw i8, ptr %3162, i64 16
  %3164 = load <4 x i32>, ptr %3162, align 4
  %3165 = load <4 x i32>, ptr %3163, align 4
  %3166 = getelementptr inbounds nuw i32, ptr %6, i64 %3161
  %3167 = getelementptr inbounds nuw i8, ptr %3166, i64 16
  store <4 x i32> %3164, ptr %3166, align 32
  store <4 x i32> %3165, ptr %3167, align 16
  %3168 = add nuw i64 %3161, 8
  %3169 = icmp eq i64 %3168, %3159
  br i1 %3169, label %3170, label %3160, !llvm.loop !237

3170:                                             ; preds = %3160
  %3171 = icmp eq i64 %439, %3159
  br i1 %3171, label %3208, label %3172

3172:                                             ; preds = %3154, %3151, %3170
  %3173 = phi i64 [ 0, %3154 ], [ 0, %3151 ], [ %3159, %3170 ]
  %3174 = and i64 %394, 3
  %3175 = icmp eq i64 %3174, 0
  br i1 %3175, label %3185, label %3176

3176:                                             ; preds = %3172, %3176
  %3177 = phi i64 [ %3182, %3176 ], [ %3173, %3172 ]
  %3178 = phi i64 [ %3183, %3176 ], [ 0, %3172 ]
  %3179 = getelementptr inbounds nuw i32, ptr %3152, i64 %3177
  %3180 = load i32, ptr %3179, align 4
  %3181 = getelementptr inbounds nuw i32, ptr %6, i64 %3177
  store i32 %3180, ptr %3181, align 4
  %3182 = add nuw nsw i64 %3177, 1
  %3183 = add i64 %3178, 1
  %3184 = icmp eq i64 %3183, %3174
  br i1 %3184, label %3185, label %3176, !llvm.loop !238

3185:                                             ; preds = %3176, %3172
  %3186 = phi i64 [ %3173, %3172 ], [ %3182, %3176 ]
  %3187 = sub i64 %3173, %394
  %3188 = icmp ugt i64 %3187, -4
  br i1 %3188, label %3208, label %3189

3189:                                             ; preds = %3185, %3189
  %3190 = phi i64 [ %3206, %3189 ], [ %3186, %3185 ]
  %3191 = getelementptr inbounds nuw i32, ptr %3152, i64 %3190
  %3192 = load i32, ptr %3191, align 4
  %3193 = getelementptr inbounds nuw i32, ptr %6, i64 %3190
  store i32 %3192, ptr %3193, align 4
  %3194 = add nuw nsw i64 %3190, 1
  %3195 = getelementptr inbounds nuw i32, ptr %3152, i64 %3194
  %3196 = load i32, ptr %3195, align 4
  %3197 = getelementptr inbounds nuw i32, ptr %6, i64 %3194
  store i32 %3196, ptr %3197, align 4
  %3198 = add nuw nsw i64 %3190, 2
  %3199 = getelementptr inbounds nuw i32, ptr %3152, i64 %3198
  %3200 = load i32, ptr %3199, align 4
  %3201 = getelementptr inbounds nuw i32, ptr %6, i64 %3198
  store i32 %3200, ptr %3201, align 4
  %3202 = add nuw nsw i64 %3190, 3
  %3203 = getelementptr inbounds nuw i32, ptr %3152, i64 %3202
  %3204 = load i32, ptr %3203, align 4
  %3205 = getelementptr inbounds nuw i32, ptr %6, i64 %3202
  store i32 %3204, ptr %3205, align 4
  %3206 = add nuw nsw i64 %3190, 4
  %3207 = icmp eq i64 %3206, %690
  br i1 %3207, label %3208, label %3189, !llvm.loop !239

3208:                                             ; preds = %3185, %3189, %3170
  br i1 %304, label %3209, label %3225

3209:                                             ; preds = %3208
  %3210 = icmp ult i64 %442, 8
  %3211 = and i64 %442, -8
  %3212 = icmp eq i64 %442, %3211
  %3213 = and i64 %391, 1
  %3214 = icmp eq i64 %3213, 0
  %3215 = icmp ult i64 %450, 8
  %3216 = and i64 %450, -8
  %3217 = icmp eq i64 %450, %3216
  %3218 = and i64 %388, 3
  %3219 = icmp eq i64 %3218, 0
  %3220 = icmp ult i64 %458, 8
  %3221 = and i64 %458, -8
  %3222 = icmp eq i64 %458, %3221
  %3223 = and i64 %385, 1
  %3224 = icmp eq i64 %3223, 0
  br label %3251

3225:                                             ; preds = %3422, %3208
  %3226 = getelementptr inbounds i8, ptr %301, i64 %693
  %3227 = icmp ult i64 %466, 8
  br i1 %3227, label %3242, label %3228

3228:                                             ; preds = %3225
  %3229 = and i64 %466, -8
  br label %3230

3230:                                             ; preds = %3230, %3228
  %3231 = phi i64 [ 0, %3228 ], [ %3238, %3230 ]
  %3232 = getelementptr inbounds nuw i32, ptr %6, i64 %3231
  %3233 = getelementptr inbounds nuw i8, ptr %3232, i64 16
  %3234 = load <4 x i32>, ptr %3232, align 32
  %3235 = load <4 x i32>, ptr %3233, align 16
  %3236 = getelementptr inbounds nuw i32, ptr %3226, i64 %3231
  %3237 = getelementptr inbounds nuw i8, ptr %3236, i64 16
  store <4 x i32> %3234, ptr %3236, align 4
  store <4 x i32> %3235, ptr %3237, align 4
  %3238 = add nuw i64 %3231, 8
  %3239 = icmp eq i64 %3238, %3229
  br i1 %3239, label %3240, label %3230, !llvm.loop !240

3240:                                             ; preds = %3230
  %3241 = icmp eq i64 %466, %3229
  br i1 %3241, label %3699, label %3242

3242:                                             ; preds = %3225, %3240
  %3243 = phi i64 [ 0, %3225 ], [ %3229, %3240 ]
  br label %3244

3244:                                             ; preds = %3242, %3244
  %3245 = phi i64 [ %3249, %3244 ], [ %3243, %3242 ]
  %3246 = getelementptr inbounds nuw i32, ptr %6, i64 %3245
  %3247 = load i32, ptr %3246, align 4
  %3248 = getelementptr inbounds nuw i32, ptr %3226, i64 %3245
  store i32 %3247, ptr %3248, align 4
  %3249 = add nuw nsw i64 %3245, 1
  %3250 = icmp eq i64 %3249, %690
  br i1 %3250, label %3699, label %3244, !llvm.loop !241

3251:                                             ; preds = %3209, %3422
  %3252 = phi i64 [ %3423, %3422 ], [ 1, %3209 ]
  %3253 = getelementptr inbounds nuw ptr, ptr %12, i64 %3252
  %3254 = load ptr, ptr %3253, align 8
  %3255 = getelementptr i8, ptr %3254, i64 %693
  switch i32 %303, label %3330 [
    i32 0, label %3291
    i32 1, label %3256
  ]

3256:                                             ; preds = %3251
  br i1 %3210, label %3278, label %3257

3257:                                             ; preds = %3256
  %3258 = getelementptr i8, ptr %3254, i64 %693
  %3259 = getelementptr i8, ptr %3258, i64 %446
  %3260 = icmp ult ptr %6, %3259
  %3261 = icmp ult ptr %3255, %447
  %3262 = and i1 %3260, %3261
  br i1 %3262, label %3278, label %3263

3263:                                             ; preds = %3257, %3263
  %3264 = phi i64 [ %3275, %3263 ], [ 0, %3257 ]
  %3265 = getelementptr inbounds nuw i32, ptr %6, i64 %3264
  %3266 = getelementptr inbounds nuw i8, ptr %3265, i64 16
  %3267 = load <4 x i32>, ptr %3265, align 32, !alias.scope !242, !noalias !245
  %3268 = load <4 x i32>, ptr %3266, align 16, !alias.scope !242, !noalias !245
  %3269 = getelementptr inbounds nuw i32, ptr %3255, i64 %3264
  %3270 = getelementptr inbounds nuw i8, ptr %3269, i64 16
  %3271 = load <4 x i32>, ptr %3269, align 4, !alias.scope !245
  %3272 = load <4 x i32>, ptr %3270, align 4, !alias.scope !245
  %3273 = call <4 x i32> @llvm.smax.v4i32(<4 x i32> %3267, <4 x i32> %3271)
  %3274 = call <4 x i32> @llvm.smax.v4i32(<4 x i32> %3268, <4 x i32> %3272)
  store <4 x i32> %3273, ptr %3265, align 32, !alias.scope !242, !noalias !245
  store <4 x i32> %3274, ptr %3266, align 16, !alias.scope !242, !noalias !245
  %3275 = add nuw i64 %3264, 8
  %3276 = icmp eq i64 %3275, %3211
  br i1 %3276, label %3277, label %3263, !llvm.loop !247

3277:                                             ; preds = %3263
  br i1 %3212, label %3422, label %3278

3278:                                             ; preds = %3257, %3256, %3277
  %3279 = phi i64 [ 0, %3257 ], [ 0, %3256 ], [ %3211, %3277 ]
  %3280 = or disjoint i64 %3279, 1
  br i1 %3214, label %3288, label %3281

3281:                                             ; preds = %3278
  %3282 = getelementptr inbounds nuw i32, ptr %6, i64 %3279
  %3283 = load i32, ptr %3282, align 32
  %3284 = getelementptr inbounds nuw i32, ptr %3255, i64 %3279
  %3285 = load i32, ptr %3284, align 4
  %3286 = tail call i32 @llvm.smax.i32(i32 %3283, i32 %3285)
  store i32 %3286, ptr %3282, align 32
  %3287 = or disjoint i64 %3279, 1
  br label %3288

3288:                                             ; preds = %3281, %3278
  %3289 = phi i64 [ %3279, %3278 ], [ %3287, %3281 ]
  %3290 = icmp eq i64 %391, %3280
  br i1 %3290, label %3422, label %3392

3291:                                             ; preds = %3251
  br i1 %3215, label %3313, label %3292

3292:                                             ; preds = %3291
  %3293 = getelementptr i8, ptr %3254, i64 %693
  %3294 = getelementptr i8, ptr %3293, i64 %454
  %3295 = icmp ult ptr %6, %3294
  %3296 = icmp ult ptr %3255, %455
  %3297 = and i1 %3295, %3296
  br i1 %3297, label %3313, label %3298

3298:                                             ; preds = %3292, %3298
  %3299 = phi i64 [ %3310, %3298 ], [ 0, %3292 ]
  %3300 = getelementptr inbounds nuw i32, ptr %6, i64 %3299
  %3301 = getelementptr inbounds nuw i8, ptr %3300, i64 16
  %3302 = load <4 x i32>, ptr %3300, align 32, !alias.scope !248, !noalias !251
  %3303 = load <4 x i32>, ptr %3301, align 16, !alias.scope !248, !noalias !251
  %3304 = getelementptr inbounds nuw i32, ptr %3255, i64 %3299
  %3305 = getelementptr inbounds nuw i8, ptr %3304, i64 16
  %3306 = load <4 x i32>, ptr %3304, align 4, !alias.scope !251
  %3307 = load <4 x i32>, ptr %3305, align 4, !alias.scope !251
  %3308 = add <4 x i32> %3306, %3302
  %3309 = add <4 x i32> %3307, %3303
  store <4 x i32> %3308, ptr %3300, align 32, !alias.scope !248, !noalias !251
  store <4 x i32> %3309, ptr %3301, align 16, !alias.scope !248, !noalias !251
  %3310 = add nuw i64 %3299, 8
  %3311 = icmp eq i64 %3310, %3216
  br i1 %3311, label %3312, label %3298, !llvm.loop !253

3312:                                             ; preds = %3298
  br i1 %3217, label %3422, label %3313

3313:                                             ; preds = %3292, %3291, %3312
  %3314 = phi i64 [ 0, %3292 ], [ 0, %3291 ], [ %3216, %3312 ]
  br i1 %3219, label %3326, label %3315

3315:                                             ; preds = %3313, %3315
  %3316 = phi i64 [ %3323, %3315 ], [ %3314, %3313 ]
  %3317 = phi i64 [ %3324, %3315 ], [ 0, %3313 ]
  %3318 = getelementptr inbounds nuw i32, ptr %6, i64 %3316
  %3319 = load i32, ptr %3318, align 4
  %3320 = getelementptr inbounds nuw i32, ptr %3255, i64 %3316
  %3321 = load i32, ptr %3320, align 4
  %3322 = add i32 %3321, %3319
  store i32 %3322, ptr %3318, align 4
  %3323 = add nuw nsw i64 %3316, 1
  %3324 = add i64 %3317, 1
  %3325 = icmp eq i64 %3324, %3218
  br i1 %3325, label %3326, label %3315, !llvm.loop !254

3326:                                             ; preds = %3315, %3313
  %3327 = phi i64 [ %3314, %3313 ], [ %3323, %3315 ]
  %3328 = sub i64 %3314, %388
  %3329 = icmp ugt i64 %3328, -4
  br i1 %3329, label %3422, label %3365

3330:                                             ; preds = %3251
  br i1 %3220, label %3352, label %3331

3331:                                             ; preds = %3330
  %3332 = getelementptr i8, ptr %3254, i64 %693
  %3333 = getelementptr i8, ptr %3332, i64 %462
  %3334 = icmp ult ptr %6, %3333
  %3335 = icmp ult ptr %3255, %463
  %3336 = and i1 %3334, %3335
  br i1 %3336, label %3352, label %3337

3337:                                             ; preds = %3331, %3337
  %3338 = phi i64 [ %3349, %3337 ], [ 0, %3331 ]
  %3339 = getelementptr inbounds nuw i32, ptr %6, i64 %3338
  %3340 = getelementptr inbounds nuw i8, ptr %3339, i64 16
  %3341 = load <4 x i32>, ptr %3339, align 32, !alias.scope !255, !noalias !258
  %3342 = load <4 x i32>, ptr %3340, align 16, !alias.scope !255, !noalias !258
  %3343 = getelementptr inbounds nuw i32, ptr %3255, i64 %3338
  %3344 = getelementptr inbounds nuw i8, ptr %3343, i64 16
  %3345 = load <4 x i32>, ptr %3343, align 4, !alias.scope !258
  %3346 = load <4 x i32>, ptr %3344, align 4, !alias.scope !258
  %3347 = call <4 x i32> @llvm.smin.v4i32(<4 x i32> %3341, <4 x i32> %3345)
  %3348 = call <4 x i32> @llvm.smin.v4i32(<4 x i32> %3342, <4 x i32> %3346)
  store <4 x i32> %3347, ptr %3339, align 32, !alias.scope !255, !noalias !258
  store <4 x i32> %3348, ptr %3340, align 16, !alias.scope !255, !noalias !258
  %3349 = add nuw i64 %3338, 8
  %3350 = icmp eq i64 %3349, %3221
  br i1 %3350, label %3351, label %3337, !llvm.loop !260

3351:                                             ; preds = %3337
  br i1 %3222, label %3422, label %3352

3352:                                             ; preds = %3331, %3330, %3351
  %3353 = phi i64 [ 0, %3331 ], [ 0, %3330 ], [ %3221, %3351 ]
  %3354 = or disjoint i64 %3353, 1
  br i1 %3224, label %3362, label %3355

3355:                                             ; preds = %3352
  %3356 = getelementptr inbounds nuw i32, ptr %6, i64 %3353
  %3357 = load i32, ptr %3356, align 32
  %3358 = getelementptr inbounds nuw i32, ptr %3255, i64 %3353
  %3359 = load i32, ptr %3358, align 4
  %3360 = tail call i32 @llvm.smin.i32(i32 %3357, i32 %3359)
  store i32 %3360, ptr %3356, align 32
  %3361 = or disjoint i64 %3353, 1
  br label %3362

3362:                                             ; preds = %3355, %3352
  %3363 = phi i64 [ %3353, %3352 ], [ %3361, %3355 ]
  %3364 = icmp eq i64 %385, %3354
  br i1 %3364, label %3422, label %3407

3365:                                             ; preds = %3326, %3365
  %3366 = phi i64 [ %3390, %3365 ], [ %3327, %3326 ]
  %3367 = getelementptr inbounds nuw i32, ptr %6, i64 %3366
  %3368 = load i32, ptr %3367, align 4
  %3369 = getelementptr inbounds nuw i32, ptr %3255, i64 %3366
  %3370 = load i32, ptr %3369, align 4
  %3371 = add i32 %3370, %3368
  store i32 %3371, ptr %3367, align 4
  %3372 = add nuw nsw i64 %3366, 1
  %3373 = getelementptr inbounds nuw i32, ptr %6, i64 %3372
  %3374 = load i32, ptr %3373, align 4
  %3375 = getelementptr inbounds nuw i32, ptr %3255, i64 %3372
  %3376 = load i32, ptr %3375, align 4
  %3377 = add i32 %3376, %3374
  store i32 %3377, ptr %3373, align 4
  %3378 = add nuw nsw i64 %3366, 2
  %3379 = getelementptr inbounds nuw i32, ptr %6, i64 %3378
  %3380 = load i32, ptr %3379, align 4
  %3381 = getelementptr inbounds nuw i32, ptr %3255, i64 %3378
  %3382 = load i32, ptr %3381, align 4
  %3383 = add i32 %3382, %3380
  store i32 %3383, ptr %3379, align 4
  %3384 = add nuw nsw i64 %3366, 3
  %3385 = getelementptr inbounds nuw i32, ptr %6, i64 %3384
  %3386 = load i32, ptr %3385, align 4
  %3387 = getelementptr inbounds nuw i32, ptr %3255, i64 %3384
  %3388 = load i32, ptr %3387, align 4
  %3389 = add i32 %3388, %3386
  store i32 %3389, ptr %3385, align 4
  %3390 = add nuw nsw i64 %3366, 4
  %3391 = icmp eq i64 %3390, %690
  br i1 %3391, label %3422, label %3365, !llvm.loop !261

3392:                                             ; preds = %3288, %3392
  %3393 = phi i64 [ %3405, %3392 ], [ %3289, %3288 ]
  %3394 = getelementptr inbounds nuw i32, ptr %6, i64 %3393
  %3395 = load i32, ptr %3394, align 4
  %3396 = getelementptr inbounds nuw i32, ptr %3255, i64 %3393
  %3397 = load i32, ptr %3396, align 4
  %3398 = tail call i32 @llvm.smax.i32(i32 %3395, i32 %3397)
  store i32 %3398, ptr %3394, align 4
  %3399 = add nuw nsw i64 %3393, 1
  %3400 = getelementptr inbounds nuw i32, ptr %6, i64 %3399
  %3401 = load i32, ptr %3400, align 4
  %3402 = getelementptr inbounds nuw i32, ptr %3255, i64 %3399
  %3403 = load i32, ptr %3402, align 4
  %3404 = tail call i32 @llvm.smax.i32(i32 %3401, i32 %3403)
  store i32 %3404, ptr %3400, align 4
  %3405 = add nuw nsw i64 %3393, 2
  %3406 = icmp eq i64 %3405, %690
  br i1 %3406, label %3422, label %3392, !llvm.loop !262

3407:                                             ; preds = %3362, %3407
  %3408 = phi i64 [ %3420, %3407 ], [ %3363, %3362 ]
  %3409 = getelementptr inbounds nuw i32, ptr %6, i64 %3408
  %3410 = load i32, ptr %3409, align 4
  %3411 = getelementptr inbounds nuw i32, ptr %3255, i64 %3408
  %3412 = load i32, ptr %3411, align 4
  %3413 = tail call i32 @llvm.smin.i32(i32 %3410, i32 %3412)
  store i32 %3413, ptr %3409, align 4
  %3414 = add nuw nsw i64 %3408, 1
  %3415 = getelementptr inbounds nuw i32, ptr %6, i64 %3414
  %3416 = load i32, ptr %3415, align 4
  %3417 = getelementptr inbounds nuw i32, ptr %3255, i64 %3414
  %3418 = load i32, ptr %3417, align 4
  %3419 = tail call i32 @llvm.smin.i32(i32 %3416, i32 %3418)
  store i32 %3419, ptr %3415, align 4
  %3420 = add nuw nsw i64 %3408, 2
  %3421 = icmp eq i64 %3420, %690
  br i1 %3421, label %3422, label %3407, !llvm.loop !263

3422:                                             ; preds = %3288, %3392, %3326, %3365, %3362, %3407, %3277, %3312, %3351
  %3423 = add nuw nsw i64 %3252, 1
  %3424 = icmp eq i64 %3423, %305
  br i1 %3424, label %3225, label %3251, !llvm.loop !264

3425:                                             ; preds = %308
  %3426 = getelementptr inbounds i8, ptr %306, i64 %693
  %3427 = icmp ult i64 %409, 4
  br i1 %3427, label %3446, label %3428

3428:                                             ; preds = %3425
  %3429 = add i64 %693, %307
  %3430 = sub i64 %7, %3429
  %3431 = icmp ult i64 %3430, 32
  br i1 %3431, label %3446, label %3432

3432:                                             ; preds = %3428
  %3433 = and i64 %409, -4
  br label %3434

3434:                                             ; preds = %3434, %3432
  %3435 = phi i64 [ 0, %3432 ], [ %3442, %3434 ]
  %3436 = getelementptr inbounds nuw i64, ptr %3426, i64 %3435
  %3437 = getelementptr inbounds nuw i8, ptr %3436, i64 16
  %3438 = load <2 x i64>, ptr %3436, align 8
  %3439 = load <2 x i64>, ptr %3437, align 8
  %3440 = getelementptr inbounds nuw i64, ptr %6, i64 %3435
  %3441 = getelementptr inbounds nuw i8, ptr %3440, i64 16
  store <2 x i64> %3438, ptr %3440, align 32
  store <2 x i64> %3439, ptr %3441, align 16
  %3442 = add nuw i64 %3435, 4
  %3443 = icmp eq i64 %3442, %3433
  br i1 %3443, label %3444, label %3434, !llvm.loop !265

3444:                                             ; preds = %3434
  %3445 = icmp eq i64 %409, %3433
  br i1 %3445, label %3482, label %3446

3446:                                             ; preds = %3428, %3425, %3444
  %3447 = phi i64 [ 0, %3428 ], [ 0, %3425 ], [ %3433, %3444 ]
  %3448 = and i64 %406, 3
  %3449 = icmp eq i64 %3448, 0
  br i1 %3449, label %3459, label %3450

3450:                                             ; preds = %3446, %3450
  %3451 = phi i64 [ %3456, %3450 ], [ %3447, %3446 ]
  %3452 = phi i64 [ %3457, %3450 ], [ 0, %3446 ]
  %3453 = getelementptr inbounds nuw i64, ptr %3426, i64 %3451
  %3454 = load i64, ptr %3453, align 8
  %3455 = getelementptr inbounds nuw i64, ptr %6, i64 %3451
  store i64 %3454, ptr %3455, align 8
  %3456 = add nuw nsw i64 %3451, 1
  %3457 = add i64 %3452, 1
  %3458 = icmp eq i64 %3457, %3448
  br i1 %3458, label %3459, label %3450, !llvm.loop !266

3459:                                             ; preds = %3450, %3446
  %3460 = phi i64 [ %3447, %3446 ], [ %3456, %3450 ]
  %3461 = sub i64 %3447, %406
  %3462 = icmp ugt i64 %3461, -4
  br i1 %3462, label %3482, label %3463

3463:                                             ; preds = %3459, %3463
  %3464 = phi i64 [ %3480, %3463 ], [ %3460, %3459 ]
  %3465 = getelementptr inbounds nuw i64, ptr %3426, i64 %3464
  %3466 = load i64, ptr %3465, align 8
  %3467 = getelementptr inbounds nuw i64, ptr %6, i64 %3464
  store i64 %3466, ptr %3467, align 8
  %3468 = add nuw nsw i64 %3464, 1
  %3469 = getelementptr inbounds nuw i64, ptr %3426, i64 %3468
  %3470 = load i64, ptr %3469, align 8
  %3471 = getelementptr inbounds nuw i64, ptr %6, i64 %3468
  store i64 %3470, ptr %3471, align 8
  %3472 = add nuw nsw i64 %3464, 2
  %3473 = getelementptr inbounds nuw i64, ptr %3426, i64 %3472
  %3474 = load i64, ptr %3473, align 8
  %3475 = getelementptr inbounds nuw i64, ptr %6, i64 %3472
  store i64 %3474, ptr %3475, align 8
  %3476 = add nuw nsw i64 %3464, 3
  %3477 = getelementptr inbounds nuw i64, ptr %3426, i64 %3476
  %3478 = load i64, ptr %3477, align 8
  %3479 = getelementptr inbounds nuw i64, ptr %6, i64 %3476
  store i64 %3478, ptr %3479, align 8
  %3480 = add nuw nsw i64 %3464, 4
  %3481 = icmp eq i64 %3480, %690
  br i1 %3481, label %3482, label %3463, !llvm.loop !267

3482:                                             ; preds = %3459, %3463, %3444
  br i1 %304, label %3483, label %3499

3483:                                             ; preds = %3482
  %3484 = icmp ult i64 %412, 4
  %3485 = and i64 %412, -4
  %3486 = icmp eq i64 %412, %3485
  %3487 = and i64 %403, 1
  %3488 = icmp eq i64 %3487, 0
  %3489 = icmp ult i64 %420, 4
  %3490 = and i64 %420, -4
  %3491 = icmp eq i64 %420, %3490
  %3492 = and i64 %400, 3
  %3493 = icmp eq i64 %3492, 0
  %3494 = icmp ult i64 %428, 4
  %3495 = and i64 %428, -4
  %3496 = icmp eq i64 %428, %3495
  %3497 = and i64 %397, 1
  %3498 = icmp eq i64 %3497, 0
  br label %3525

3499:                                             ; preds = %3696, %3482
  %3500 = getelementptr inbounds i8, ptr %301, i64 %693
  %3501 = icmp ult i64 %436, 4
  br i1 %3501, label %3516, label %3502

3502:                                             ; preds = %3499
  %3503 = and i64 %436, -4
  br label %3504

3504:                                             ; preds = %3504, %3502
  %3505 = phi i64 [ 0, %3502 ], [ %3512, %3504 ]
  %3506 = getelementptr inbounds nuw i64, ptr %6, i64 %3505
  %3507 = getelementptr inbounds nuw i8, ptr %3506, i64 16
  %3508 = load <2 x i64>, ptr %3506, align 32
  %3509 = load <2 x i64>, ptr %3507, align 16
  %3510 = getelementptr inbounds nuw i64, ptr %3500, i64 %3505
  %3511 = getelementptr inbounds nuw i8, ptr %3510, i64 16
  store <2 x i64> %3508, ptr %3510, align 8
  store <2 x i64> %3509, ptr %3511, align 8
  %3512 = add nuw i64 %3505, 4
  %3513 = icmp eq i64 %3512, %3503
  br i1 %3513, label %3514, label %3504, !llvm.loop !268

3514:                                             ; preds = %3504
  %3515 = icmp eq i64 %436, %3503
  br i1 %3515, label %3699, label %3516

3516:                                             ; preds = %3499, %3514
  %3517 = phi i64 [ 0, %3499 ], [ %3503, %3514 ]
  br label %3518

3518:                                             ; preds = %3516, %3518
  %3519 = phi i64 [ %3523, %3518 ], [ %3517, %3516 ]
  %3520 = getelementptr inbounds nuw i64, ptr %6, i64 %3519
  %3521 = load i64, ptr %3520, align 8
  %3522 = getelementptr inbounds nuw i64, ptr %3500, i64 %3519
  store i64 %3521, ptr %3522, align 8
  %3523 = add nuw nsw i64 %3519, 1
  %3524 = icmp eq i64 %3523, %690
  br i1 %3524, label %3699, label %3518, !llvm.loop !269

3525:                                             ; preds = %3483, %3696
  %3526 = phi i64 [ %3697, %3696 ], [ 1, %3483 ]
  %3527 = getelementptr inbounds nuw ptr, ptr %12, i64 %3526
  %3528 = load ptr, ptr %3527, align 8
  %3529 = getelementptr i8, ptr %3528, i64 %693
  switch i32 %303, label %3604 [
    i32 0, label %3565
    i32 1, label %3530
  ]

3530:                                             ; preds = %3525
  br i1 %3484, label %3552, label %3531

3531:                                             ; preds = %3530
  %3532 = getelementptr i8, ptr %3528, i64 %693
  %3533 = getelementptr i8, ptr %3532, i64 %416
  %3534 = icmp ult ptr %6, %3533
  %3535 = icmp ult ptr %3529, %417
  %3536 = and i1 %3534, %3535
  br i1 %3536, label %3552, label %3537

3537:                                             ; preds = %3531, %3537
  %3538 = phi i64 [ %3549, %3537 ], [ 0, %3531 ]
  %3539 = getelementptr inbounds nuw i64, ptr %6, i64 %3538
  %3540 = getelementptr inbounds nuw i8, ptr %3539, i64 16
  %3541 = load <2 x i64>, ptr %3539, align 32, !alias.scope !270, !noalias !273
  %3542 = load <2 x i64>, ptr %3540, align 16, !alias.scope !270, !noalias !273
  %3543 = getelementptr inbounds nuw i64, ptr %3529, i64 %3538
  %3544 = getelementptr inbounds nuw i8, ptr %3543, i64 16
  %3545 = load <2 x i64>, ptr %3543, align 8, !alias.scope !273
  %3546 = load <2 x i64>, ptr %3544, align 8, !alias.scope !273
  %3547 = call <2 x i64> @llvm.smax.v2i64(<2 x i64> %3541, <2 x i64> %3545)
  %3548 = call <2 x i64> @llvm.smax.v2i64(<2 x i64> %3542, <2 x i64> %3546)
  store <2 x i64> %3547, ptr %3539, align 32, !alias.scope !270, !noalias !273
  store <2 x i64> %3548, ptr %3540, align 16, !alias.scope !270, !noalias !273
  %3549 = add nuw i64 %3538, 4
  %3550 = icmp eq i64 %3549, %3485
  br i1 %3550, label %3551, label %3537, !llvm.loop !275

3551:                                             ; preds = %3537
  br i1 %3486, label %3696, label %3552

3552:                                             ; preds = %3531, %3530, %3551
  %3553 = phi i64 [ 0, %3531 ], [ 0, %3530 ], [ %3485, %3551 ]
  %3554 = or disjoint i64 %3553, 1
  br i1 %3488, label %3562, label %3555

3555:                                             ; preds = %3552
  %3556 = getelementptr inbounds nuw i64, ptr %6, i64 %3553
  %3557 = load i64, ptr %3556, align 32
  %3558 = getelementptr inbounds nuw i64, ptr %3529, i64 %3553
  %3559 = load i64, ptr %3558, align 8
  %3560 = tail call i64 @llvm.smax.i64(i64 %3557, i64 %3559)
  store i64 %3560, ptr %3556, align 32
  %3561 = or disjoint i64 %3553, 1
  br label %3562

3562:                                             ; preds = %3555, %3552
  %3563 = phi i64 [ %3553, %3552 ], [ %3561, %3555 ]
  %3564 = icmp eq i64 %403, %3554
  br i1 %3564, label %3696, label %3666

3565:                                             ; preds = %3525
  br i1 %3489, label %3587, label %3566

3566:                                             ; preds = %3565
  %3567 = getelementptr i8, ptr %3528, i64 %693
  %3568 = getelementptr i8, ptr %3567, i64 %424
  %3569 = icmp ult ptr %6, %3568
  %3570 = icmp ult ptr %3529, %425
  %3571 = and i1 %3569, %3570
  br i1 %3571, label %3587, label %3572

3572:                                             ; preds = %3566, %3572
  %3573 = phi i64 [ %3584, %3572 ], [ 0, %3566 ]
  %3574 = getelementptr inbounds nuw i64, ptr %6, i64 %3573
  %3575 = getelementptr inbounds nuw i8, ptr %3574, i64 16
  %3576 = load <2 x i64>, ptr %3574, align 32, !alias.scope !276, !noalias !279
  %3577 = load <2 x i64>, ptr %3575, align 16, !alias.scope !276, !noalias !279
  %3578 = getelementptr inbounds nuw i64, ptr %3529, i64 %3573
  %3579 = getelementptr inbounds nuw i8, ptr %3578, i64 16
  %3580 = load <2 x i64>, ptr %3578, align 8, !alias.scope !279
  %3581 = load <2 x i64>, ptr %3579, align 8, !alias.scope !279
  %3582 = add <2 x i64> %3580, %3576
  %3583 = add <2 x i64> %3581, %3577
  store <2 x i64> %3582, ptr %3574, align 32, !alias.scope !276, !noalias !279
  store <2 x i64> %3583, ptr %3575, align 16, !alias.scope !276, !noalias !279
  %3584 = add nuw i64 %3573, 4
  %3585 = icmp eq i64 %3584, %3490
  br i1 %3585, label %3586, label %3572, !llvm.loop !281

3586:                                             ; preds = %3572
  br i1 %3491, label %3696, label %3587

3587:                                             ; preds = %3566, %3565, %3586
  %3588 = phi i64 [ 0, %3566 ], [ 0, %3565 ], [ %3490, %3586 ]
  br i1 %3493, label %3600, label %3589

3589:                                             ; preds = %3587, %3589
  %3590 = phi i64 [ %3597, %3589 ], [ %3588, %3587 ]
  %3591 = phi i64 [ %3598, %3589 ], [ 0, %3587 ]
  %3592 = getelementptr inbounds nuw i64, ptr %6, i64 %3590
  %3593 = load i64, ptr %3592, align 8
  %3594 = getelementptr inbounds nuw i64, ptr %3529, i64 %3590
  %3595 = load i64, ptr %3594, align 8
  %3596 = add i64 %3595, %3593
  store i64 %3596, ptr %3592, align 8
  %3597 = add nuw nsw i64 %3590, 1
  %3598 = add i64 %3591, 1
  %3599 = icmp eq i64 %3598, %3492
  br i1 %3599, label %3600, label %3589, !llvm.loop !282

3600:                                             ; preds = %3589, %3587
  %3601 = phi i64 [ %3588, %3587 ], [ %3597, %3589 ]
  %3602 = sub i64 %3588, %400
  %3603 = icmp ugt i64 %3602, -4
  br i1 %3603, label %3696, label %3639

3604:                                             ; preds = %3525
  br i1 %3494, label %3626, label %3605

3605:                                             ; preds = %3604
  %3606 = getelementptr i8, ptr %3528, i64 %693
  %3607 = getelementptr i8, ptr %3606, i64 %432
  %3608 = icmp ult ptr %6, %3607
  %3609 = icmp ult ptr %3529, %433
  %3610 = and i1 %3608, %3609
  br i1 %3610, label %3626, label %3611

3611:                                             ; preds = %3605, %3611
  %3612 = phi i64 [ %3623, %3611 ], [ 0, %3605 ]
  %3613 = getelementptr inbounds nuw i64, ptr %6, i64 %3612
  %3614 = getelementptr inbounds nuw i8, ptr %3613, i64 16
  %3615 = load <2 x i64>, ptr %3613, align 32, !alias.scope !283, !noalias !286
  %3616 = load <2 x i64>, ptr %3614, align 16, !alias.scope !283, !noalias !286
  %3617 = getelementptr inbounds nuw i64, ptr %3529, i64 %3612
  %3618 = getelementptr inbounds nuw i8, ptr %3617, i64 16
  %3619 = load <2 x i64>, ptr %3617, align 8, !alias.scope !286
  %3620 = load <2 x i64>, ptr %3618, align 8, !alias.scope !286
  %3621 = call <2 x i64> @llvm.smin.v2i64(<2 x i64> %3615, <2 x i64> %3619)
  %3622 = call <2 x i64> @llvm.smin.v2i64(<2 x i64> %3616, <2 x i64> %3620)
  store <2 x i64> %3621, ptr %3613, align 32, !alias.scope !283, !noalias !286
  store <2 x i64> %3622, ptr %3614, align 16, !alias.scope !283, !noalias !286
  %3623 = add nuw i64 %3612, 4
  %3624 = icmp eq i64 %3623, %3495
  br i1 %3624, label %3625, label %3611, !llvm.loop !288

3625:                                             ; preds = %3611
  br i1 %3496, label %3696, label %3626

3626:                                             ; preds = %3605, %3604, %3625
  %3627 = phi i64 [ 0, %3605 ], [ 0, %3604 ], [ %3495, %3625 ]
  %3628 = or disjoint i64 %3627, 1
  br i1 %3498, label %3636, label %3629

3629:                                             ; preds = %3626
  %3630 = getelementptr inbounds nuw i64, ptr %6, i64 %3627
  %3631 = load i64, ptr %3630, align 32
  %3632 = getelementptr inbounds nuw i64, ptr %3529, i64 %3627
  %3633 = load i64, ptr %3632, align 8
  %3634 = tail call i64 @llvm.smin.i64(i64 %3631, i64 %3633)
  store i64 %3634, ptr %3630, align 32
  %3635 = or disjoint i64 %3627, 1
  br label %3636

3636:                                             ; preds = %3629, %3626
  %3637 = phi i64 [ %3627, %3626 ], [ %3635, %3629 ]
  %3638 = icmp eq i64 %397, %3628
  br i1 %3638, label %3696, label %3681

3639:                                             ; preds = %3600, %3639
  %3640 = phi i64 [ %3664, %3639 ], [ %3601, %3600 ]
  %3641 = getelementptr inbounds nuw i64, ptr %6, i64 %3640
  %3642 = load i64, ptr %3641, align 8
  %3643 = getelementptr inbounds nuw i64, ptr %3529, i64 %3640
  %3644 = load i64, ptr %3643, align 8
  %3645 = add i64 %3644, %3642
  store i64 %3645, ptr %3641, align 8
  %3646 = add nuw nsw i64 %3640, 1
  %3647 = getelementptr inbounds nuw i64, ptr %6, i64 %3646
  %3648 = load i64, ptr %3647, align 8
  %3649 = getelementptr inbounds nuw i64, ptr %3529, i64 %3646
  %3650 = load i64, ptr %3649, align 8
  %3651 = add i64 %3650, %3648
  store i64 %3651, ptr %3647, align 8
  %3652 = add nuw nsw i64 %3640, 2
  %3653 = getelementptr inbounds nuw i64, ptr %6, i64 %3652
  %3654 = load i64, ptr %3653, align 8
  %3655 = getelementptr inbounds nuw i64, ptr %3529, i64 %3652
  %3656 = load i64, ptr %3655, align 8
  %3657 = add i64 %3656, %3654
  store i64 %3657, ptr %3653, align 8
  %3658 = add nuw nsw i64 %3640, 3
  %3659 = getelementptr inbounds nuw i64, ptr %6, i64 %3658
  %3660 = load i64, ptr %3659, align 8
  %3661 = getelementptr inbounds nuw i64, ptr %3529, i64 %3658
  %3662 = load i64, ptr %3661, align 8
  %3663 = add i64 %3662, %3660
  store i64 %3663, ptr %3659, align 8
  %3664 = add nuw nsw i64 %3640, 4
  %3665 = icmp eq i64 %3664, %690
  br i1 %3665, label %3696, label %3639, !llvm.loop !289

3666:                                             ; preds = %3562, %3666
  %3667 = phi i64 [ %3679, %3666 ], [ %3563, %3562 ]
  %3668 = getelementptr inbounds nuw i64, ptr %6, i64 %3667
  %3669 = load i64, ptr %3668, align 8
  %3670 = getelementptr inbounds nuw i64, ptr %3529, i64 %3667
  %3671 = load i64, ptr %3670, align 8
  %3672 = tail call i64 @llvm.smax.i64(i64 %3669, i64 %3671)
  store i64 %3672, ptr %3668, align 8
  %3673 = add nuw nsw i64 %3667, 1
  %3674 = getelementptr inbounds nuw i64, ptr %6, i64 %3673
  %3675 = load i64, ptr %3674, align 8
  %3676 = getelementptr inbounds nuw i64, ptr %3529, i64 %3673
  %3677 = load i64, ptr %3676, align 8
  %3678 = tail call i64 @llvm.smax.i64(i64 %3675, i64 %3677)
  store i64 %3678, ptr %3674, align 8
  %3679 = add nuw nsw i64 %3667, 2
  %3680 = icmp eq i64 %3679, %690
  br i1 %3680, label %3696, label %3666, !llvm.loop !290

3681:                                             ; preds = %3636, %3681
  %3682 = phi i64 [ %3694, %3681 ], [ %3637, %3636 ]
  %3683 = getelementptr inbounds nuw i64, ptr %6, i64 %3682
  %3684 = load i64, ptr %3683, align 8
  %3685 = getelementptr inbounds nuw i64, ptr %3529, i64 %3682
  %3686 = load i64, ptr %3685, align 8
  %3687 = tail call i64 @llvm.smin.i64(i64 %3684, i64 %3686)
  store i64 %3687, ptr %3683, align 8
  %3688 = add nuw nsw i64 %3682, 1
  %3689 = getelementptr inbounds nuw i64, ptr %6, i64 %3688
  %3690 = load i64, ptr %3689, align 8
  %3691 = getelementptr inbounds nuw i64, ptr %3529, i64 %3688
  %3692 = load i64, ptr %3691, align 8
  %3693 = tail call i64 @llvm.smin.i64(i64 %3690, i64 %3692)
  store i64 %3693, ptr %3689, align 8
  %3694 = add nuw nsw i64 %3682, 2
  %3695 = icmp eq i64 %3694, %690
  br i1 %3695, label %3696, label %3681, !llvm.loop !291

3696:                                             ; preds = %3562, %3666, %3600, %3639, %3636, %3681, %3551, %3586, %3625
  %3697 = add nuw nsw i64 %3526, 1
  %3698 = icmp eq i64 %3697, %305
  br i1 %3698, label %3499, label %3525, !llvm.loop !292

3699:                                             ; preds = %3518, %3244, %2928, %2563, %2198, %1818, %1458, %1092, %788, %3514, %3240, %2910, %2924, %2545, %2559, %2180, %2194, %1797, %1421, %1088, %784, %308
  %3700 = add nuw nsw i64 %310, 512
  %3701 = icmp samesign ult i64 %3700, %230
  %3702 = add i64 %309, 1
  br i1 %3701, label %308, label %3703, !llvm.loop !293

3703:                                             ; preds = %3699
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #4
  br label %3712

3704:                                             ; preds = %284, %3704
  %3705 = phi i64 [ %3710, %3704 ], [ %285, %284 ]
  %3706 = add nuw nsw i64 %3705, %262
  %3707 = mul nsw i64 %261, %3706
  %3708 = getelementptr inbounds i8, ptr %257, i64 %3707
  %3709 = getelementptr inbounds nuw ptr, ptr %12, i64 %3705
  store ptr %3708, ptr %3709, align 8
  %3710 = add nuw nsw i64 %3705, 1
  %3711 = icmp eq i64 %3710, %106
  br i1 %3711, label %294, label %3704, !llvm.loop !294

3712:                                             ; preds = %3703, %250
  br i1 %103, label %3800, label %3713

3713:                                             ; preds = %3712
  %3714 = getelementptr inbounds nuw %struct.batch, ptr %10, i64 %226
  call fastcc void @finish(ptr noundef %0, ptr noundef %3714) #9
  %3715 = getelementptr inbounds nuw %struct.batch, ptr %11, i64 %226
  call fastcc void @finish(ptr noundef %0, ptr noundef %3715) #9
  br i1 %26, label %3716, label %3800

3716:                                             ; preds = %3713
  %3717 = getelementptr inbounds nuw i8, ptr %3714, i64 8
  %3718 = getelementptr inbounds nuw i8, ptr %3715, i64 8
  br label %3719

3719:                                             ; preds = %3716, %3794
  %3720 = phi i64 [ 0, %3716 ], [ %3795, %3794 ]
  %3721 = phi i64 [ 0, %3716 ], [ %3798, %3794 ]
  %3722 = icmp eq i64 %3720, %104
  br i1 %3722, label %3794, label %3723

3723:                                             ; preds = %3719
  %3724 = getelementptr inbounds nuw i64, ptr %2, i64 %3720
  %3725 = load i64, ptr %3724, align 8
  %3726 = sub nsw i64 %3725, %225
  %3727 = tail call noundef i64 @llvm.smin.i64(i64 %3726, i64 %25)
  %3728 = load i32, ptr %22, align 8
  %3729 = sext i32 %3728 to i64
  %3730 = mul nsw i64 %3727, %3729
  %3731 = icmp slt i64 %3730, 1
  br i1 %3731, label %3761, label %3732

3732:                                             ; preds = %3723
  %3733 = add nsw i64 %3721, %225
  %3734 = mul nsw i64 %3733, %3729
  %3735 = getelementptr inbounds i8, ptr %4, i64 %3734
  %3736 = load ptr, ptr %0, align 8
  %3737 = load ptr, ptr %3714, align 16
  %3738 = load i32, ptr %3717, align 8
  %3739 = add nsw i32 %3738, 1
  store i32 %3739, ptr %3717, align 8
  %3740 = sext i32 %3738 to i64
  %3741 = getelementptr inbounds i64, ptr %3737, i64 %3740
  store i64 0, ptr %3741, align 8
  %3742 = getelementptr inbounds nuw i8, ptr %3736, i64 8
  %3743 = load ptr, ptr %3742, align 8
  %3744 = trunc i64 %3730 to i32
  %3745 = getelementptr inbounds nuw i8, ptr %3736, i64 24
  %3746 = load i64, ptr %3745, align 8
  %3747 = load ptr, ptr %13, align 8
  %3748 = getelementptr inbounds nuw i8, ptr %3747, i64 32
  %3749 = load ptr, ptr %3748, align 8
  %3750 = getelementptr inbounds nuw i32, ptr %3749, i64 %3720
  %3751 = load i32, ptr %3750, align 4
  %3752 = load i32, ptr %98, align 8
  %3753 = add nsw i32 %3752, 1
  %3754 = load ptr, ptr %65, align 8
  %3755 = load i64, ptr %3754, align 8
  %3756 = tail call i32 %3743(ptr noundef nonnull %3735, i32 noundef %3744, i64 noundef %3746, i32 noundef %3751, i32 noundef %3753, i64 noundef %3755, ptr noundef nonnull %3741) #8
  %3757 = load i32, ptr %95, align 4
  %3758 = or i32 %3757, %3756
  store i32 %3758, ptr %95, align 4
  %3759 = load i32, ptr %22, align 8
  %3760 = sext i32 %3759 to i64
  br label %3761

3761:                                             ; preds = %3723, %3732
  %3762 = phi i64 [ %3729, %3723 ], [ %3760, %3732 ]
  %3763 = mul nsw i64 %230, %3762
  %3764 = icmp slt i64 %3763, 1
  br i1 %3764, label %3794, label %3765

3765:                                             ; preds = %3761
  %3766 = mul nsw i64 %225, %3762
  %3767 = getelementptr inbounds i8, ptr %3, i64 %3766
  %3768 = load ptr, ptr %0, align 8
  %3769 = load ptr, ptr %3715, align 16
  %3770 = load i32, ptr %3718, align 8
  %3771 = add nsw i32 %3770, 1
  store i32 %3771, ptr %3718, align 8
  %3772 = sext i32 %3770 to i64
  %3773 = getelementptr inbounds i64, ptr %3769, i64 %3772
  store i64 0, ptr %3773, align 8
  %3774 = load ptr, ptr %65, align 8
  %3775 = getelementptr inbounds nuw i8, ptr %3774, i64 24
  %3776 = load i64, ptr %3775, align 8
  %3777 = add nsw i64 %3776, %3763
  store i64 %3777, ptr %3775, align 8
  %3778 = load ptr, ptr %3768, align 8
  %3779 = trunc i64 %3763 to i32
  %3780 = getelementptr inbounds nuw i8, ptr %3768, i64 24
  %3781 = load i64, ptr %3780, align 8
  %3782 = load ptr, ptr %13, align 8
  %3783 = getelementptr inbounds nuw i8, ptr %3782, i64 32
  %3784 = load ptr, ptr %3783, align 8
  %3785 = getelementptr inbounds nuw i32, ptr %3784, i64 %3720
  %3786 = load i32, ptr %3785, align 4
  %3787 = load i32, ptr %98, align 8
  %3788 = add nsw i32 %3787, 1
  %3789 = load ptr, ptr %65, align 8
  %3790 = load i64, ptr %3789, align 8
  %3791 = tail call i32 %3778(ptr noundef %3767, i32 noundef %3779, i64 noundef %3781, i32 noundef %3786, i32 noundef %3788, i64 noundef %3790, ptr noundef nonnull %3773) #8
  %3792 = load i32, ptr %95, align 4
  %3793 = or i32 %3792, %3791
  store i32 %3793, ptr %95, align 4
  br label %3794

3794:                                             ; preds = %3765, %3761, %3719
  %3795 = add nuw nsw i64 %3720, 1
  %3796 = getelementptr inbounds nuw i64, ptr %2, i64 %3720
  %3797 = load i64, ptr %3796, align 8
  %3798 = add nsw i64 %3797, %3721
  %3799 = icmp eq i64 %3795, %107
  br i1 %3799, label %3800, label %3719, !llvm.loop !295

3800:                                             ; preds = %3794, %3713, %3712, %221
  %3801 = add nuw i64 %115, 1
  %3802 = icmp eq i64 %115, %64
  br i1 %3802, label %118, label %114, !llvm.loop !296
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #2

; Function Attrs: nounwind
define internal fastcc void @finish(ptr noundef nonnull captures(none) %0, ptr noundef nonnull captures(none) %1) unnamed_addr #0 {
  %3 = alloca %struct.time, align 8
  %4 = alloca [256 x i8], align 16
  %5 = alloca i32, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #4
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %7 = load i32, ptr %6, align 8
  %8 = icmp sgt i32 %7, 0
  br i1 %8, label %9, label %54

9:                                                ; preds = %2
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 28
  br label %11

11:                                               ; preds = %9, %49
  %12 = phi i64 [ 0, %9 ], [ %50, %49 ]
  %13 = load i32, ptr %10, align 4
  %14 = icmp eq i32 %13, 0
  br i1 %14, label %15, label %54

15:                                               ; preds = %11
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #4
  store i32 0, ptr %5, align 4
  br label %16

16:                                               ; preds = %15, %46
  %17 = phi i32 [ 0, %15 ], [ %32, %46 ]
  %18 = load ptr, ptr %0, align 8
  %19 = getelementptr inbounds nuw i8, ptr %18, i64 16
  %20 = load ptr, ptr %19, align 8
  %21 = load ptr, ptr %1, align 8
  %22 = getelementptr inbounds nuw i64, ptr %21, i64 %12
  %23 = call i32 %20(ptr noundef %22, ptr noundef nonnull %5, ptr noundef nonnull %4) #8
  %24 = load i32, ptr %10, align 4
  %25 = or i32 %24, %23
  store i32 %25, ptr %10, align 4
  %26 = icmp eq i32 %25, 0
  br i1 %26, label %28, label %27

27:                                               ; preds = %16
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #4
  br label %55

28:                                               ; preds = %16
  %29 = load i32, ptr %5, align 4
  %30 = icmp eq i32 %29, 0
  br i1 %30, label %31, label %49

31:                                               ; preds = %28
  %32 = add i32 %17, 1
  %33 = icmp ult i32 %32, 200
  br i1 %33, label %34, label %35

34:                                               ; preds = %31
  call void @llvm.x86.sse2.pause()
  br label %46

35:                                               ; preds = %31
  %36 = load ptr, ptr %0, align 8
  %37 = zext i32 %32 to i64
  %38 = getelementptr inbounds nuw i8, ptr %36, i64 40
  %39 = load i64, ptr %38, align 8
  %40 = add nsw i64 %39, 200
  %41 = icmp sgt i64 %40, %37
  br i1 %41, label %42, label %44

42:                                               ; preds = %35
  %43 = call i32 @sched_yield() #8
  br label %46

44:                                               ; preds = %35
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #4
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %3, ptr noundef nonnull align 8 dereferenceable(16) @__const.relax.nap, i64 16, i1 false)
  %45 = call i32 @nanosleep(ptr noundef nonnull %3, ptr noundef null) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #4
  br label %46

46:                                               ; preds = %44, %42, %34
  %47 = load i32, ptr %5, align 4
  %48 = icmp eq i32 %47, 0
  br i1 %48, label %16, label %49, !llvm.loop !297

49:                                               ; preds = %28, %46
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #4
  %50 = add nuw nsw i64 %12, 1
  %51 = load i32, ptr %6, align 8
  %52 = sext i32 %51 to i64
  %53 = icmp slt i64 %50, %52
  br i1 %53, label %11, label %54, !llvm.loop !298

54:                                               ; preds = %11, %49, %2
  store i32 0, ptr %6, align 8
  br label %55

55:                                               ; preds = %27, %54
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #4
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fabs.f32(float) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i8 @llvm.smax.i8(i8, i8) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i8 @llvm.smin.i8(i8, i8) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i8 @llvm.umax.i8(i8, i8) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i8 @llvm.umin.i8(i8, i8) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i16 @llvm.smax.i16(i16, i16) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i16 @llvm.smin.i16(i16, i16) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.vector.reduce.add.v2i64(<2 x i64>) #6

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #7

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x float> @llvm.fabs.v4f32(<4 x float>) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x i8> @llvm.smin.v16i8(<16 x i8>, <16 x i8>) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i8> @llvm.smin.v4i8(<4 x i8>, <4 x i8>) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x i8> @llvm.smax.v16i8(<16 x i8>, <16 x i8>) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i8> @llvm.smax.v4i8(<4 x i8>, <4 x i8>) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x i8> @llvm.umin.v16i8(<16 x i8>, <16 x i8>) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i8> @llvm.umin.v4i8(<4 x i8>, <4 x i8>) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x i8> @llvm.umax.v16i8(<16 x i8>, <16 x i8>) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i8> @llvm.umax.v4i8(<4 x i8>, <4 x i8>) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x i16> @llvm.smin.v8i16(<8 x i16>, <8 x i16>) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i16> @llvm.smin.v4i16(<4 x i16>, <4 x i16>) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x i16> @llvm.smax.v8i16(<8 x i16>, <8 x i16>) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i16> @llvm.smax.v4i16(<4 x i16>, <4 x i16>) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i32> @llvm.smin.v4i32(<4 x i32>, <4 x i32>) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i32> @llvm.smax.v4i32(<4 x i32>, <4 x i32>) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <2 x i64> @llvm.smin.v2i64(<2 x i64>, <2 x i64>) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <2 x i64> @llvm.smax.v2i64(<2 x i64>, <2 x i64>) #5

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nounwind }
attributes #5 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #8 = { nobuiltin nounwind "no-builtins" }
attributes #9 = { nobuiltin "no-builtins" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.mustprogress"}
!4 = distinct !{!4, !3, !5, !6}
!5 = !{!"llvm.loop.isvectorized", i32 1}
!6 = !{!"llvm.loop.unroll.runtime.disable"}
!7 = distinct !{!7, !3, !6, !5}
!8 = distinct !{!8, !3}
!9 = distinct !{!9, !3}
!10 = distinct !{!10, !3}
!11 = distinct !{!11, !3}
!12 = distinct !{!12, !3}
!13 = distinct !{!13, !3, !5, !6}
!14 = distinct !{!14, !3, !5, !6}
!15 = distinct !{!15, !3, !6, !5}
!16 = distinct !{!16, !3, !5, !6}
!17 = distinct !{!17, !18}
!18 = !{!"llvm.loop.unroll.disable"}
!19 = distinct !{!19, !3, !5}
!20 = distinct !{!20, !3, !5, !6}
!21 = distinct !{!21, !3, !6, !5}
!22 = !{!23}
!23 = distinct !{!23, !24}
!24 = distinct !{!24, !"LVerDomain"}
!25 = !{!26}
!26 = distinct !{!26, !24}
!27 = distinct !{!27, !3, !5, !6}
!28 = !{!29}
!29 = distinct !{!29, !30}
!30 = distinct !{!30, !"LVerDomain"}
!31 = !{!32}
!32 = distinct !{!32, !30}
!33 = distinct !{!33, !3, !5, !6}
!34 = distinct !{!34, !18}
!35 = !{!36}
!36 = distinct !{!36, !37}
!37 = distinct !{!37, !"LVerDomain"}
!38 = !{!39}
!39 = distinct !{!39, !37}
!40 = distinct !{!40, !3, !5, !6}
!41 = distinct !{!41, !3, !5}
!42 = distinct !{!42, !3, !5}
!43 = distinct !{!43, !3, !5}
!44 = distinct !{!44, !3}
!45 = distinct !{!45, !3, !5, !6}
!46 = distinct !{!46, !18}
!47 = distinct !{!47, !3, !5}
!48 = distinct !{!48, !3, !5, !6}
!49 = distinct !{!49, !3, !6, !5}
!50 = !{!51}
!51 = distinct !{!51, !52}
!52 = distinct !{!52, !"LVerDomain"}
!53 = !{!54}
!54 = distinct !{!54, !52}
!55 = distinct !{!55, !3, !5, !6}
!56 = !{!57}
!57 = distinct !{!57, !58}
!58 = distinct !{!58, !"LVerDomain"}
!59 = !{!60}
!60 = distinct !{!60, !58}
!61 = distinct !{!61, !3, !5, !6}
!62 = distinct !{!62, !18}
!63 = !{!64}
!64 = distinct !{!64, !65}
!65 = distinct !{!65, !"LVerDomain"}
!66 = !{!67}
!67 = distinct !{!67, !65}
!68 = distinct !{!68, !3, !5, !6}
!69 = distinct !{!69, !3, !5}
!70 = distinct !{!70, !3, !5}
!71 = distinct !{!71, !3, !5}
!72 = distinct !{!72, !3}
!73 = !{!74}
!74 = distinct !{!74, !75}
!75 = distinct !{!75, !"LVerDomain"}
!76 = !{!77}
!77 = distinct !{!77, !75}
!78 = distinct !{!78, !3, !5, !6}
!79 = distinct !{!79, !3, !5}
!80 = distinct !{!80, !3, !5, !6}
!81 = distinct !{!81, !3, !6, !5}
!82 = !{!83}
!83 = distinct !{!83, !84}
!84 = distinct !{!84, !"LVerDomain"}
!85 = !{!86}
!86 = distinct !{!86, !84}
!87 = distinct !{!87, !3, !5, !6}
!88 = !{!89}
!89 = distinct !{!89, !90}
!90 = distinct !{!90, !"LVerDomain"}
!91 = !{!92}
!92 = distinct !{!92, !90}
!93 = distinct !{!93, !3, !5, !6}
!94 = !{!95}
!95 = distinct !{!95, !96}
!96 = distinct !{!96, !"LVerDomain"}
!97 = !{!98}
!98 = distinct !{!98, !96}
!99 = distinct !{!99, !3, !5, !6}
!100 = distinct !{!100, !3, !5}
!101 = distinct !{!101, !3, !5}
!102 = distinct !{!102, !3, !5}
!103 = distinct !{!103, !3}
!104 = !{!105}
!105 = distinct !{!105, !106}
!106 = distinct !{!106, !"LVerDomain"}
!107 = !{!108}
!108 = distinct !{!108, !106}
!109 = distinct !{!109, !3, !5, !6}
!110 = distinct !{!110, !18}
!111 = distinct !{!111, !3, !5}
!112 = distinct !{!112, !3, !5, !6}
!113 = distinct !{!113, !3, !6, !5}
!114 = !{!115}
!115 = distinct !{!115, !116}
!116 = distinct !{!116, !"LVerDomain"}
!117 = !{!118}
!118 = distinct !{!118, !116}
!119 = distinct !{!119, !3, !5, !6}
!120 = !{!121}
!121 = distinct !{!121, !122}
!122 = distinct !{!122, !"LVerDomain"}
!123 = !{!124}
!124 = distinct !{!124, !122}
!125 = distinct !{!125, !3, !5, !6}
!126 = !{!127}
!127 = distinct !{!127, !128}
!128 = distinct !{!128, !"LVerDomain"}
!129 = !{!130}
!130 = distinct !{!130, !128}
!131 = distinct !{!131, !3, !5, !6}
!132 = distinct !{!132, !3, !5}
!133 = distinct !{!133, !3, !5}
!134 = distinct !{!134, !3, !5}
!135 = distinct !{!135, !3}
!136 = distinct !{!136, !3, !5, !6}
!137 = !{!"branch_weights", i32 4, i32 28}
!138 = distinct !{!138, !3, !5, !6}
!139 = distinct !{!139, !18}
!140 = distinct !{!140, !3, !5}
!141 = distinct !{!141, !3, !5, !6}
!142 = distinct !{!142, !3, !5, !6}
!143 = distinct !{!143, !3, !6, !5}
!144 = !{!145}
!145 = distinct !{!145, !146}
!146 = distinct !{!146, !"LVerDomain"}
!147 = !{!148}
!148 = distinct !{!148, !146}
!149 = distinct !{!149, !3, !5, !6}
!150 = distinct !{!150, !3, !5, !6}
!151 = !{!152}
!152 = distinct !{!152, !153}
!153 = distinct !{!153, !"LVerDomain"}
!154 = !{!155}
!155 = distinct !{!155, !153}
!156 = distinct !{!156, !3, !5, !6}
!157 = distinct !{!157, !3, !5, !6}
!158 = distinct !{!158, !18}
!159 = !{!160}
!160 = distinct !{!160, !161}
!161 = distinct !{!161, !"LVerDomain"}
!162 = !{!163}
!163 = distinct !{!163, !161}
!164 = distinct !{!164, !3, !5, !6}
!165 = distinct !{!165, !3, !5, !6}
!166 = distinct !{!166, !3, !5}
!167 = distinct !{!167, !3, !5}
!168 = distinct !{!168, !3, !5}
!169 = distinct !{!169, !3}
!170 = distinct !{!170, !3, !5, !6}
!171 = distinct !{!171, !3, !5, !6}
!172 = distinct !{!172, !18}
!173 = distinct !{!173, !3, !5}
!174 = distinct !{!174, !3, !5, !6}
!175 = distinct !{!175, !3, !5, !6}
!176 = distinct !{!176, !3, !6, !5}
!177 = !{!178}
!178 = distinct !{!178, !179}
!179 = distinct !{!179, !"LVerDomain"}
!180 = !{!181}
!181 = distinct !{!181, !179}
!182 = distinct !{!182, !3, !5, !6}
!183 = distinct !{!183, !3, !5, !6}
!184 = !{!185}
!185 = distinct !{!185, !186}
!186 = distinct !{!186, !"LVerDomain"}
!187 = !{!188}
!188 = distinct !{!188, !186}
!189 = distinct !{!189, !3, !5, !6}
!190 = distinct !{!190, !3, !5, !6}
!191 = distinct !{!191, !18}
!192 = !{!193}
!193 = distinct !{!193, !194}
!194 = distinct !{!194, !"LVerDomain"}
!195 = !{!196}
!196 = distinct !{!196, !194}
!197 = distinct !{!197, !3, !5, !6}
!198 = distinct !{!198, !3, !5, !6}
!199 = distinct !{!199, !3, !5}
!200 = distinct !{!200, !3, !5}
!201 = distinct !{!201, !3, !5}
!202 = distinct !{!202, !3}
!203 = distinct !{!203, !3, !5, !6}
!204 = !{!"branch_weights", i32 4, i32 12}
!205 = distinct !{!205, !3, !5, !6}
!206 = distinct !{!206, !18}
!207 = distinct !{!207, !3, !5}
!208 = distinct !{!208, !3, !5, !6}
!209 = distinct !{!209, !3, !5, !6}
!210 = distinct !{!210, !3, !6, !5}
!211 = !{!212}
!212 = distinct !{!212, !213}
!213 = distinct !{!213, !"LVerDomain"}
!214 = !{!215}
!215 = distinct !{!215, !213}
!216 = distinct !{!216, !3, !5, !6}
!217 = distinct !{!217, !3, !5, !6}
!218 = !{!219}
!219 = distinct !{!219, !220}
!220 = distinct !{!220, !"LVerDomain"}
!221 = !{!222}
!222 = distinct !{!222, !220}
!223 = distinct !{!223, !3, !5, !6}
!224 = distinct !{!224, !3, !5, !6}
!225 = distinct !{!225, !18}
!226 = !{!227}
!227 = distinct !{!227, !228}
!228 = distinct !{!228, !"LVerDomain"}
!229 = !{!230}
!230 = distinct !{!230, !228}
!231 = distinct !{!231, !3, !5, !6}
!232 = distinct !{!232, !3, !5, !6}
!233 = distinct !{!233, !3, !5}
!234 = distinct !{!234, !3, !5}
!235 = distinct !{!235, !3, !5}
!236 = distinct !{!236, !3}
!237 = distinct !{!237, !3, !5, !6}
!238 = distinct !{!238, !18}
!239 = distinct !{!239, !3, !5}
!240 = distinct !{!240, !3, !5, !6}
!241 = distinct !{!241, !3, !6, !5}
!242 = !{!243}
!243 = distinct !{!243, !244}
!244 = distinct !{!244, !"LVerDomain"}
!245 = !{!246}
!246 = distinct !{!246, !244}
!247 = distinct !{!247, !3, !5, !6}
!248 = !{!249}
!249 = distinct !{!249, !250}
!250 = distinct !{!250, !"LVerDomain"}
!251 = !{!252}
!252 = distinct !{!252, !250}
!253 = distinct !{!253, !3, !5, !6}
!254 = distinct !{!254, !18}
!255 = !{!256}
!256 = distinct !{!256, !257}
!257 = distinct !{!257, !"LVerDomain"}
!258 = !{!259}
!259 = distinct !{!259, !257}
!260 = distinct !{!260, !3, !5, !6}
!261 = distinct !{!261, !3, !5}
!262 = distinct !{!262, !3, !5}
!263 = distinct !{!263, !3, !5}
!264 = distinct !{!264, !3}
!265 = distinct !{!265, !3, !5, !6}
!266 = distinct !{!266, !18}
!267 = distinct !{!267, !3, !5}
!268 = distinct !{!268, !3, !5, !6}
!269 = distinct !{!269, !3, !6, !5}
!270 = !{!271}
!271 = distinct !{!271, !272}
!272 = distinct !{!272, !"LVerDomain"}
!273 = !{!274}
!274 = distinct !{!274, !272}
!275 = distinct !{!275, !3, !5, !6}
!276 = !{!277}
!277 = distinct !{!277, !278}
!278 = distinct !{!278, !"LVerDomain"}
!279 = !{!280}
!280 = distinct !{!280, !278}
!281 = distinct !{!281, !3, !5, !6}
!282 = distinct !{!282, !18}
!283 = !{!284}
!284 = distinct !{!284, !285}
!285 = distinct !{!285, !"LVerDomain"}
!286 = !{!287}
!287 = distinct !{!287, !285}
!288 = distinct !{!288, !3, !5, !6}
!289 = distinct !{!289, !3, !5}
!290 = distinct !{!290, !3, !5}
!291 = distinct !{!291, !3, !5}
!292 = distinct !{!292, !3}
!293 = distinct !{!293, !3}
!294 = distinct !{!294, !3, !6, !5}
!295 = distinct !{!295, !3}
!296 = distinct !{!296, !3}
!297 = distinct !{!297, !3}
!298 = distinct !{!298, !3}
