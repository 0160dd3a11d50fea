; ranks.c as LLVM text, by clang 22.1.8; `make native` makes it anew.
; sources: 58f365949b1c9190568bfd5d20e58d6f96152e30aeb194c6d78d705942f78a5d
; text: ac5ce3c7197d46cae98cf79bd1c73b5665dddb1ffe28e103b7af620596759779
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.time = type { i64, i64 }
%struct.signals = type { [16 x i64] }
%struct.work = type { ptr, ptr, ptr }
%struct.collective = type { i32, i32, i32, i32, i32, i32, i32, i32, i32, ptr, ptr, ptr }
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
  %7 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %2, ptr noundef nonnull %3) #9
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %9 = load ptr, ptr %8, align 8
  %10 = call i32 @pthread_create(ptr noundef %9, ptr noundef null, ptr noundef nonnull @serve, ptr noundef %0) #9
  %11 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %3, ptr noundef null) #9
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
  %2 = alloca %struct.time, align 16
  %3 = alloca %struct.time, align 16
  %4 = alloca %struct.time, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 40
  %8 = getelementptr inbounds nuw i8, ptr %6, i64 36
  %9 = getelementptr inbounds nuw i8, ptr %6, i64 32
  %10 = getelementptr inbounds nuw i8, ptr %6, i64 48
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %12 = getelementptr inbounds nuw i8, ptr %6, i64 28
  %13 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %15 = getelementptr inbounds nuw i8, ptr %6, i64 44
  br label %16

16:                                               ; preds = %75, %1
  %17 = phi i32 [ 0, %1 ], [ %76, %75 ]
  %18 = zext i32 %17 to i64
  br label %19

19:                                               ; preds = %16, %49
  %20 = load atomic i32, ptr %8 monotonic, align 4
  %21 = load atomic i32, ptr %9 acquire, align 8
  %22 = icmp eq i32 %20, %21
  br i1 %22, label %23, label %50

23:                                               ; preds = %19
  %24 = load atomic i32, ptr %7 acquire, align 8
  %25 = icmp eq i32 %24, 0
  br i1 %25, label %26, label %77

26:                                               ; preds = %23
  %27 = load i64, ptr %14, align 8
  %28 = add nsw i64 %27, 5
  %29 = icmp sgt i64 %28, %18
  br i1 %29, label %30, label %41

30:                                               ; preds = %26
  %31 = add i32 %17, 1
  %32 = zext i32 %31 to i64
  %33 = icmp sgt i64 %27, %32
  br i1 %33, label %34, label %35

34:                                               ; preds = %30
  call void @llvm.x86.sse2.pause()
  br label %75

35:                                               ; preds = %30
  %36 = icmp samesign ugt i64 %28, %32
  br i1 %36, label %37, label %39

37:                                               ; preds = %35
  %38 = call i32 @sched_yield() #9
  br label %75

39:                                               ; preds = %35
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #4
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %4, ptr noundef nonnull align 8 dereferenceable(16) @__const.relax.nap, i64 16, i1 false)
  %40 = call i32 @nanosleep(ptr noundef nonnull %4, ptr noundef null) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #4
  br label %75

41:                                               ; preds = %26
  store atomic i32 1, ptr %15 seq_cst, align 4
  %42 = load atomic i32, ptr %9 seq_cst, align 8
  %43 = icmp eq i32 %42, %20
  br i1 %43, label %44, label %49

44:                                               ; preds = %41
  %45 = load atomic i32, ptr %7 seq_cst, align 8
  %46 = icmp eq i32 %45, 0
  br i1 %46, label %47, label %49

47:                                               ; preds = %44
  %48 = call i64 (i64, ...) @syscall(i64 noundef 202, ptr noundef nonnull %9, i32 noundef 128, i32 noundef %20, ptr noundef null) #9
  br label %49

49:                                               ; preds = %47, %44, %41
  store atomic i32 0, ptr %15 monotonic, align 4
  br label %19

50:                                               ; preds = %19
  %51 = and i32 %20, 63
  %52 = zext nneg i32 %51 to i64
  %53 = getelementptr inbounds nuw %struct.work, ptr %10, i64 %52
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #4
  %54 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #9
  %55 = load <2 x i64>, ptr %3, align 16
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #4
  %56 = load ptr, ptr %53, align 8
  %57 = getelementptr inbounds nuw i8, ptr %53, i64 8
  %58 = load ptr, ptr %57, align 8
  %59 = getelementptr inbounds nuw i8, ptr %53, i64 16
  %60 = load ptr, ptr %59, align 8
  %61 = call fastcc i32 @carry_out(ptr noundef nonnull %0, ptr noundef nonnull %11, ptr noundef %56, ptr noundef %58, ptr noundef %60) #10
  %62 = icmp eq i32 %61, 0
  br i1 %62, label %64, label %63

63:                                               ; preds = %50
  store atomic i32 1, ptr %12 monotonic, align 4
  br label %64

64:                                               ; preds = %63, %50
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #4
  %65 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %2) #9
  %66 = load <2 x i64>, ptr %2, align 16
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #4
  %67 = load i64, ptr %13, align 8
  %68 = sub <2 x i64> %66, %55
  %69 = extractelement <2 x i64> %68, i64 0
  %70 = mul i64 %69, 1000000000
  %71 = extractelement <2 x i64> %68, i64 1
  %72 = add i64 %71, %70
  %73 = add i64 %72, %67
  store i64 %73, ptr %13, align 8
  %74 = add i32 %20, 1
  store atomic i32 %74, ptr %8 release, align 4
  br label %75

75:                                               ; preds = %64, %39, %34, %37
  %76 = phi i32 [ %31, %37 ], [ %31, %34 ], [ %31, %39 ], [ 0, %64 ]
  br label %16

77:                                               ; preds = %23
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
  %10 = tail call i64 (i64, ...) @syscall(i64 noundef 202, ptr noundef nonnull %9, i32 noundef 129, i32 noundef 1) #9
  %11 = load i64, ptr %3, align 8
  %12 = tail call i32 @pthread_join(i64 noundef %11, ptr noundef null) #9
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
  %26 = tail call fastcc i32 @await(ptr noundef nonnull %5, i32 noundef %25) #10
  br label %63

27:                                               ; preds = %4
  %28 = getelementptr inbounds nuw i8, ptr %12, i64 20
  %29 = load i32, ptr %28, align 4
  %30 = icmp eq i32 %29, 0
  br i1 %30, label %31, label %34

31:                                               ; preds = %27
  %32 = getelementptr inbounds nuw i8, ptr %5, i64 56
  %33 = tail call fastcc i32 @carry_out(ptr noundef nonnull %5, ptr noundef nonnull %32, ptr noundef nonnull %12, ptr noundef %2, ptr noundef %3) #10
  br label %63

34:                                               ; preds = %27
  %35 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %36 = load i32, ptr %35, align 8
  %37 = icmp eq i32 %36, 0
  br i1 %37, label %38, label %41

38:                                               ; preds = %34
  %39 = getelementptr inbounds nuw i8, ptr %5, i64 104
  %40 = tail call fastcc i32 @carry_out(ptr noundef nonnull %5, ptr noundef nonnull %39, ptr noundef nonnull %12, ptr noundef %2, ptr noundef %3) #10
  br label %63

41:                                               ; preds = %34
  %42 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %43 = load atomic i32, ptr %42 monotonic, align 8
  %44 = add i32 %43, -63
  %45 = tail call fastcc i32 @await(ptr noundef nonnull %5, i32 noundef %44) #10
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
  %62 = tail call i64 (i64, ...) @syscall(i64 noundef 202, ptr noundef nonnull %42, i32 noundef 129, i32 noundef 1) #9
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
  %13 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #9
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
  %23 = zext i32 %22 to i64
  %24 = load i64, ptr %19, align 8
  %25 = icmp sgt i64 %24, %23
  br i1 %25, label %26, label %27

26:                                               ; preds = %20
  call void @llvm.x86.sse2.pause()
  br label %34

27:                                               ; preds = %20
  %28 = add nsw i64 %24, 5
  %29 = icmp sgt i64 %28, %23
  br i1 %29, label %30, label %32

30:                                               ; preds = %27
  %31 = call i32 @sched_yield() #9
  br label %34

32:                                               ; preds = %27
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #4
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %4, ptr noundef nonnull align 8 dereferenceable(16) @__const.relax.nap, i64 16, i1 false)
  %33 = call i32 @nanosleep(ptr noundef nonnull %4, ptr noundef null) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #4
  br label %34

34:                                               ; preds = %26, %30, %32
  %35 = load atomic i32, ptr %8 acquire, align 4
  %36 = sub i32 %35, %1
  %37 = icmp slt i32 %36, 0
  br i1 %37, label %20, label %38, !llvm.loop !2

38:                                               ; preds = %34, %12
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #4
  %39 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #9
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
  %51 = load atomic i32, ptr %50 monotonic, align 4
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
  %11 = getelementptr inbounds nuw i8, ptr %2, i64 32
  %12 = load i32, ptr %11, align 8
  store i32 %12, ptr %10, align 8
  %13 = getelementptr inbounds nuw i8, ptr %7, i64 28
  store i32 0, ptr %13, align 4
  %14 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %15 = ptrtoint ptr %2 to i64
  store atomic i64 %15, ptr %14 monotonic, align 8
  %16 = getelementptr inbounds nuw i8, ptr %1, i64 16
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #4
  %17 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %6) #9
  %18 = load i64, ptr %6, align 8
  %19 = mul nsw i64 %18, 1000000000
  %20 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %21 = load i64, ptr %20, align 8
  %22 = add nsw i64 %19, %21
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #4
  store atomic i64 %22, ptr %16 release, align 8
  %23 = getelementptr inbounds nuw i8, ptr %2, i64 48
  %24 = load ptr, ptr %23, align 8
  %25 = getelementptr inbounds nuw i8, ptr %2, i64 4
  %26 = load i32, ptr %25, align 4
  switch i32 %26, label %27 [
    i32 2, label %55
    i32 3, label %56
    i32 1, label %59
  ]

27:                                               ; preds = %5
  %28 = getelementptr inbounds nuw i8, ptr %2, i64 28
  %29 = load i32, ptr %28, align 4
  %30 = icmp sgt i32 %29, 0
  br i1 %30, label %31, label %60

31:                                               ; preds = %27
  %32 = zext nneg i32 %29 to i64
  %33 = icmp ult i32 %29, 4
  br i1 %33, label %52, label %34

34:                                               ; preds = %31
  %35 = and i64 %32, 2147483644
  br label %36

36:                                               ; preds = %36, %34
  %37 = phi i64 [ 0, %34 ], [ %46, %36 ]
  %38 = phi <2 x i64> [ zeroinitializer, %34 ], [ %44, %36 ]
  %39 = phi <2 x i64> [ zeroinitializer, %34 ], [ %45, %36 ]
  %40 = getelementptr inbounds nuw i64, ptr %24, i64 %37
  %41 = getelementptr inbounds nuw i8, ptr %40, i64 16
  %42 = load <2 x i64>, ptr %40, align 8
  %43 = load <2 x i64>, ptr %41, align 8
  %44 = add <2 x i64> %42, %38
  %45 = add <2 x i64> %43, %39
  %46 = add nuw i64 %37, 4
  %47 = icmp eq i64 %46, %35
  br i1 %47, label %48, label %36, !llvm.loop !4

48:                                               ; preds = %36
  %49 = add <2 x i64> %45, %44
  %50 = call i64 @llvm.vector.reduce.add.v2i64(<2 x i64> %49)
  %51 = icmp eq i64 %35, %32
  br i1 %51, label %60, label %52

52:                                               ; preds = %31, %48
  %53 = phi i64 [ 0, %31 ], [ %35, %48 ]
  %54 = phi i64 [ 0, %31 ], [ %50, %48 ]
  br label %67

55:                                               ; preds = %5
  call fastcc void @exchange(ptr noundef %7, ptr noundef %3, ptr noundef %24, ptr noundef %4, ptr noundef %24) #10
  br label %75

56:                                               ; preds = %5
  %57 = getelementptr inbounds nuw i8, ptr %2, i64 56
  %58 = load ptr, ptr %57, align 8
  call fastcc void @exchange(ptr noundef %7, ptr noundef %3, ptr noundef %24, ptr noundef %4, ptr noundef %58) #10
  br label %75

59:                                               ; preds = %5
  call fastcc void @reduce_parts(ptr noundef %7, ptr noundef %3, ptr noundef %24, ptr noundef %4, ptr noundef null) #10
  br label %75

60:                                               ; preds = %67, %48, %27
  %61 = phi i64 [ 0, %27 ], [ %50, %48 ], [ %72, %67 ]
  %62 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %63 = load i32, ptr %62, align 8
  %64 = sext i32 %63 to i64
  %65 = mul nsw i64 %61, %64
  %66 = getelementptr inbounds i8, ptr %4, i64 %65
  call fastcc void @reduce_parts(ptr noundef %7, ptr noundef %3, ptr noundef %24, ptr noundef %66, ptr noundef %4) #10
  br label %75

67:                                               ; preds = %52, %67
  %68 = phi i64 [ %73, %67 ], [ %53, %52 ]
  %69 = phi i64 [ %72, %67 ], [ %54, %52 ]
  %70 = getelementptr inbounds nuw i64, ptr %24, i64 %68
  %71 = load i64, ptr %70, align 8
  %72 = add nsw i64 %71, %69
  %73 = add nuw nsw i64 %68, 1
  %74 = icmp eq i64 %73, %32
  br i1 %74, label %60, label %67, !llvm.loop !7

75:                                               ; preds = %56, %60, %59, %55
  store atomic i64 0, ptr %16 release, align 8
  %76 = load i32, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #4
  ret i32 %76
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
  call fastcc void @finish(ptr noundef %0, ptr noundef %6) #10
  call fastcc void @finish(ptr noundef %0, ptr noundef %7) #10
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
  %125 = getelementptr inbounds nuw i8, ptr %124, i64 40
  %126 = load ptr, ptr %125, align 8
  %127 = getelementptr inbounds nuw i32, ptr %126, i64 %91
  %128 = load i32, ptr %127, align 4
  %129 = load i32, ptr %45, align 8
  %130 = load ptr, ptr %40, align 8
  %131 = load i64, ptr %130, align 8
  %132 = tail call i32 %120(ptr noundef %114, i32 noundef %121, i64 noundef %123, i32 noundef %128, i32 noundef %129, i64 noundef %131, ptr noundef nonnull %118) #9
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
  %155 = getelementptr inbounds nuw i8, ptr %154, i64 40
  %156 = load ptr, ptr %155, align 8
  %157 = getelementptr inbounds nuw i32, ptr %156, i64 %91
  %158 = load i32, ptr %157, align 4
  %159 = load i32, ptr %45, align 8
  %160 = load ptr, ptr %40, align 8
  %161 = load i64, ptr %160, align 8
  %162 = tail call i32 %150(ptr noundef %141, i32 noundef %151, i64 noundef %153, i32 noundef %158, i32 noundef %159, i64 noundef %161, ptr noundef nonnull %145) #9
  %163 = load i32, ptr %46, align 4
  %164 = or i32 %163, %162
  store i32 %164, ptr %46, align 4
  br label %170

165:                                              ; preds = %90
  %166 = icmp ne ptr %92, %93
  %167 = select i1 %70, i1 %166, i1 false
  br i1 %167, label %168, label %170

168:                                              ; preds = %165
  %169 = tail call ptr @memcpy(ptr noundef %92, ptr noundef %93, i64 noundef %106) #9
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
  %7 = alloca [2 x %struct.batch], align 16
  %8 = alloca [2 x %struct.batch], align 16
  %9 = alloca [2 x %struct.batch], align 16
  %10 = alloca [2 x %struct.batch], align 16
  %11 = alloca [4096 x ptr], align 16
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %13 = load ptr, ptr %12, align 8
  %14 = getelementptr inbounds nuw i8, ptr %13, i64 28
  %15 = load i32, ptr %14, align 4
  %16 = getelementptr inbounds nuw i8, ptr %13, i64 24
  %17 = load i32, ptr %16, align 8
  %18 = load ptr, ptr %0, align 8
  %19 = getelementptr inbounds nuw i8, ptr %18, i64 32
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %13, i64 16
  %22 = load i32, ptr %21, align 8
  %23 = sext i32 %22 to i64
  %24 = sdiv i64 %20, %23
  %25 = icmp sgt i32 %17, 0
  br i1 %25, label %26, label %62

26:                                               ; preds = %5
  %27 = add i64 %24, -1
  %28 = zext nneg i32 %17 to i64
  %29 = and i64 %28, 1
  %30 = icmp eq i32 %17, 1
  br i1 %30, label %53, label %31

31:                                               ; preds = %26
  %32 = and i64 %28, 2147483646
  br label %33

33:                                               ; preds = %33, %31
  %34 = phi i64 [ 0, %31 ], [ %48, %33 ]
  %35 = phi i64 [ 1, %31 ], [ %47, %33 ]
  %36 = phi i64 [ 0, %31 ], [ %49, %33 ]
  %37 = getelementptr inbounds nuw i64, ptr %2, i64 %34
  %38 = load i64, ptr %37, align 8
  %39 = add i64 %27, %38
  %40 = sdiv i64 %39, %24
  %41 = tail call i64 @llvm.smax.i64(i64 %40, i64 %35)
  %42 = getelementptr inbounds nuw i64, ptr %2, i64 %34
  %43 = getelementptr inbounds nuw i8, ptr %42, i64 8
  %44 = load i64, ptr %43, align 8
  %45 = add i64 %27, %44
  %46 = sdiv i64 %45, %24
  %47 = tail call i64 @llvm.smax.i64(i64 %46, i64 %41)
  %48 = add nuw nsw i64 %34, 2
  %49 = add i64 %36, 2
  %50 = icmp eq i64 %49, %32
  br i1 %50, label %51, label %33, !llvm.loop !11

51:                                               ; preds = %33
  %52 = icmp eq i64 %29, 0
  br i1 %52, label %62, label %53

53:                                               ; preds = %51, %26
  %54 = phi i64 [ 0, %26 ], [ %48, %51 ]
  %55 = phi i64 [ 1, %26 ], [ %47, %51 ]
  %56 = icmp ne i64 %29, 0
  tail call void @llvm.assume(i1 %56)
  %57 = getelementptr inbounds nuw i64, ptr %2, i64 %54
  %58 = load i64, ptr %57, align 8
  %59 = add i64 %27, %58
  %60 = sdiv i64 %59, %24
  %61 = tail call i64 @llvm.smax.i64(i64 %60, i64 %55)
  br label %62

62:                                               ; preds = %53, %51, %5
  %63 = phi i64 [ 1, %5 ], [ %47, %51 ], [ %61, %53 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #4
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #4
  call void @llvm.lifetime.start.p0(ptr nonnull %9) #4
  call void @llvm.lifetime.start.p0(ptr nonnull %10) #4
  %64 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %65 = load ptr, ptr %64, align 8
  %66 = getelementptr inbounds nuw i8, ptr %65, i64 32
  %67 = load ptr, ptr %66, align 8
  %68 = sext i32 %17 to i64
  store ptr %67, ptr %7, align 16
  %69 = getelementptr inbounds nuw i8, ptr %7, i64 8
  store i32 0, ptr %69, align 8
  %70 = shl nsw i64 %68, 4
  %71 = getelementptr inbounds i8, ptr %67, i64 %70
  store ptr %71, ptr %8, align 16
  %72 = getelementptr inbounds nuw i8, ptr %8, i64 8
  store i32 0, ptr %72, align 8
  %73 = shl nsw i64 %68, 5
  %74 = getelementptr inbounds i8, ptr %67, i64 %73
  store ptr %74, ptr %9, align 16
  %75 = getelementptr inbounds nuw i8, ptr %9, i64 8
  store i32 0, ptr %75, align 8
  %76 = mul nsw i64 %68, 48
  %77 = getelementptr inbounds i8, ptr %67, i64 %76
  store ptr %77, ptr %10, align 16
  %78 = getelementptr inbounds nuw i8, ptr %10, i64 8
  store i32 0, ptr %78, align 8
  %79 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %80 = getelementptr inbounds i64, ptr %67, i64 %68
  store ptr %80, ptr %79, align 16
  %81 = getelementptr inbounds nuw i8, ptr %7, i64 24
  store i32 0, ptr %81, align 8
  %82 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %83 = mul nsw i64 %68, 24
  %84 = getelementptr inbounds i8, ptr %67, i64 %83
  store ptr %84, ptr %82, align 16
  %85 = getelementptr inbounds nuw i8, ptr %8, i64 24
  store i32 0, ptr %85, align 8
  %86 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %87 = mul nsw i64 %68, 40
  %88 = getelementptr inbounds i8, ptr %67, i64 %87
  store ptr %88, ptr %86, align 16
  %89 = getelementptr inbounds nuw i8, ptr %9, i64 24
  store i32 0, ptr %89, align 8
  %90 = getelementptr inbounds nuw i8, ptr %10, i64 16
  %91 = mul nsw i64 %68, 56
  %92 = getelementptr inbounds i8, ptr %67, i64 %91
  store ptr %92, ptr %90, align 16
  %93 = getelementptr inbounds nuw i8, ptr %10, i64 24
  store i32 0, ptr %93, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %11) #4
  %94 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %95 = sext i32 %15 to i64
  %96 = getelementptr inbounds i64, ptr %2, i64 %95
  %97 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %98 = icmp sgt i32 %15, 0
  %99 = getelementptr inbounds ptr, ptr %11, i64 %95
  %100 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %101 = getelementptr inbounds nuw i8, ptr %13, i64 12
  %102 = icmp eq ptr %4, null
  %103 = zext i32 %15 to i64
  %104 = zext i32 %17 to i64
  %105 = zext nneg i32 %17 to i64
  %106 = zext nneg i32 %17 to i64
  %107 = icmp ult i32 %15, 4
  %108 = and i64 %103, 2147483644
  %109 = icmp eq i64 %108, %103
  %110 = icmp ult i32 %17, 4
  %111 = and i64 %104, 2147483644
  %112 = icmp eq i64 %111, %104
  br label %113

113:                                              ; preds = %62, %2173
  %114 = phi i64 [ 0, %62 ], [ %2174, %2173 ]
  %115 = load i32, ptr %94, align 4
  %116 = icmp eq i32 %115, 0
  br i1 %116, label %118, label %117

117:                                              ; preds = %113, %2173
  call fastcc void @finish(ptr noundef %0, ptr noundef %8) #10
  call fastcc void @finish(ptr noundef %0, ptr noundef %9) #10
  call fastcc void @finish(ptr noundef %0, ptr noundef %10) #10
  call fastcc void @finish(ptr noundef %0, ptr noundef %82) #10
  call fastcc void @finish(ptr noundef %0, ptr noundef %86) #10
  call fastcc void @finish(ptr noundef %0, ptr noundef %90) #10
  call void @llvm.lifetime.end.p0(ptr nonnull %11) #4
  call void @llvm.lifetime.end.p0(ptr nonnull %10) #4
  call void @llvm.lifetime.end.p0(ptr nonnull %9) #4
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #4
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #4
  ret void

118:                                              ; preds = %113
  %119 = trunc i64 %114 to i32
  %120 = and i32 %119, 1
  %121 = mul nsw i64 %114, %24
  %122 = icmp slt i64 %114, %63
  br i1 %122, label %123, label %220

123:                                              ; preds = %118
  %124 = and i64 %114, 1
  %125 = getelementptr inbounds nuw %struct.batch, ptr %8, i64 %124
  call fastcc void @finish(ptr noundef %0, ptr noundef %125) #10
  br i1 %25, label %126, label %220

126:                                              ; preds = %123
  %127 = getelementptr inbounds nuw %struct.batch, ptr %7, i64 %124
  %128 = mul nuw nsw i32 %120, %17
  %129 = getelementptr inbounds nuw i8, ptr %127, i64 8
  %130 = getelementptr inbounds nuw i8, ptr %125, i64 8
  %131 = zext nneg i32 %128 to i64
  br label %132

132:                                              ; preds = %126, %214
  %133 = phi i64 [ 0, %126 ], [ %215, %214 ]
  %134 = phi i64 [ 0, %126 ], [ %218, %214 ]
  %135 = icmp eq i64 %133, %103
  br i1 %135, label %214, label %136

136:                                              ; preds = %132
  %137 = load i64, ptr %96, align 8
  %138 = sub nsw i64 %137, %121
  %139 = tail call noundef i64 @llvm.smin.i64(i64 %138, i64 %24)
  %140 = getelementptr inbounds nuw i64, ptr %2, i64 %133
  %141 = load i64, ptr %140, align 8
  %142 = sub nsw i64 %141, %121
  %143 = tail call noundef i64 @llvm.smin.i64(i64 %142, i64 %24)
  %144 = load i32, ptr %21, align 8
  %145 = sext i32 %144 to i64
  %146 = mul nsw i64 %139, %145
  %147 = icmp slt i64 %146, 1
  br i1 %147, label %181, label %148

148:                                              ; preds = %136
  %149 = load ptr, ptr %64, align 8
  %150 = getelementptr inbounds nuw i8, ptr %149, i64 40
  %151 = load ptr, ptr %150, align 8
  %152 = load ptr, ptr %0, align 8
  %153 = getelementptr inbounds nuw i8, ptr %152, i64 32
  %154 = load i64, ptr %153, align 8
  %155 = add nuw nsw i64 %133, %131
  %156 = mul nsw i64 %154, %155
  %157 = getelementptr inbounds i8, ptr %151, i64 %156
  %158 = load ptr, ptr %127, align 16
  %159 = load i32, ptr %129, align 8
  %160 = add nsw i32 %159, 1
  store i32 %160, ptr %129, align 8
  %161 = sext i32 %159 to i64
  %162 = getelementptr inbounds i64, ptr %158, i64 %161
  store i64 0, ptr %162, align 8
  %163 = getelementptr inbounds nuw i8, ptr %152, i64 8
  %164 = load ptr, ptr %163, align 8
  %165 = trunc i64 %146 to i32
  %166 = getelementptr inbounds nuw i8, ptr %152, i64 24
  %167 = load i64, ptr %166, align 8
  %168 = load ptr, ptr %12, align 8
  %169 = getelementptr inbounds nuw i8, ptr %168, i64 40
  %170 = load ptr, ptr %169, align 8
  %171 = getelementptr inbounds nuw i32, ptr %170, i64 %133
  %172 = load i32, ptr %171, align 4
  %173 = load i32, ptr %97, align 8
  %174 = load ptr, ptr %64, align 8
  %175 = load i64, ptr %174, align 8
  %176 = tail call i32 %164(ptr noundef %157, i32 noundef %165, i64 noundef %167, i32 noundef %172, i32 noundef %173, i64 noundef %175, ptr noundef nonnull %162) #9
  %177 = load i32, ptr %94, align 4
  %178 = or i32 %177, %176
  store i32 %178, ptr %94, align 4
  %179 = load i32, ptr %21, align 8
  %180 = sext i32 %179 to i64
  br label %181

181:                                              ; preds = %136, %148
  %182 = phi i64 [ %145, %136 ], [ %180, %148 ]
  %183 = mul nsw i64 %143, %182
  %184 = icmp slt i64 %183, 1
  br i1 %184, label %214, label %185

185:                                              ; preds = %181
  %186 = add nsw i64 %134, %121
  %187 = mul nsw i64 %186, %182
  %188 = getelementptr inbounds i8, ptr %1, i64 %187
  %189 = load ptr, ptr %0, align 8
  %190 = load ptr, ptr %125, align 16
  %191 = load i32, ptr %130, align 8
  %192 = add nsw i32 %191, 1
  store i32 %192, ptr %130, align 8
  %193 = sext i32 %191 to i64
  %194 = getelementptr inbounds i64, ptr %190, i64 %193
  store i64 0, ptr %194, align 8
  %195 = load ptr, ptr %64, align 8
  %196 = getelementptr inbounds nuw i8, ptr %195, i64 24
  %197 = load i64, ptr %196, align 8
  %198 = add nsw i64 %197, %183
  store i64 %198, ptr %196, align 8
  %199 = load ptr, ptr %189, align 8
  %200 = trunc i64 %183 to i32
  %201 = getelementptr inbounds nuw i8, ptr %189, i64 24
  %202 = load i64, ptr %201, align 8
  %203 = load ptr, ptr %12, align 8
  %204 = getelementptr inbounds nuw i8, ptr %203, i64 40
  %205 = load ptr, ptr %204, align 8
  %206 = getelementptr inbounds nuw i32, ptr %205, i64 %133
  %207 = load i32, ptr %206, align 4
  %208 = load i32, ptr %97, align 8
  %209 = load ptr, ptr %64, align 8
  %210 = load i64, ptr %209, align 8
  %211 = tail call i32 %199(ptr noundef %188, i32 noundef %200, i64 noundef %202, i32 noundef %207, i32 noundef %208, i64 noundef %210, ptr noundef nonnull %194) #9
  %212 = load i32, ptr %94, align 4
  %213 = or i32 %212, %211
  store i32 %213, ptr %94, align 4
  br label %214

214:                                              ; preds = %185, %181, %132
  %215 = add nuw nsw i64 %133, 1
  %216 = getelementptr inbounds nuw i64, ptr %2, i64 %133
  %217 = load i64, ptr %216, align 8
  %218 = add nsw i64 %217, %134
  %219 = icmp eq i64 %215, %104
  br i1 %219, label %220, label %132, !llvm.loop !12

220:                                              ; preds = %214, %123, %118
  %221 = icmp eq i64 %114, 0
  br i1 %221, label %2173, label %222

222:                                              ; preds = %220
  %223 = xor i32 %120, 1
  %224 = sub nsw i64 %121, %24
  %225 = zext nneg i32 %223 to i64
  %226 = getelementptr inbounds nuw %struct.batch, ptr %7, i64 %225
  call fastcc void @finish(ptr noundef %0, ptr noundef %226) #10
  %227 = load i64, ptr %96, align 8
  %228 = sub nsw i64 %227, %224
  %229 = tail call noundef i64 @llvm.smin.i64(i64 %228, i64 %24)
  br i1 %98, label %230, label %249

230:                                              ; preds = %222
  br i1 %107, label %246, label %231

231:                                              ; preds = %230, %231
  %232 = phi i64 [ %241, %231 ], [ 0, %230 ]
  %233 = phi <2 x i64> [ %239, %231 ], [ zeroinitializer, %230 ]
  %234 = phi <2 x i64> [ %240, %231 ], [ zeroinitializer, %230 ]
  %235 = getelementptr inbounds nuw i64, ptr %2, i64 %232
  %236 = getelementptr inbounds nuw i8, ptr %235, i64 16
  %237 = load <2 x i64>, ptr %235, align 8
  %238 = load <2 x i64>, ptr %236, align 8
  %239 = add <2 x i64> %237, %233
  %240 = add <2 x i64> %238, %234
  %241 = add nuw i64 %232, 4
  %242 = icmp eq i64 %241, %108
  br i1 %242, label %243, label %231, !llvm.loop !13

243:                                              ; preds = %231
  %244 = add <2 x i64> %240, %239
  %245 = tail call i64 @llvm.vector.reduce.add.v2i64(<2 x i64> %244)
  br i1 %109, label %249, label %246

246:                                              ; preds = %230, %243
  %247 = phi i64 [ 0, %230 ], [ %108, %243 ]
  %248 = phi i64 [ 0, %230 ], [ %245, %243 ]
  br label %285

249:                                              ; preds = %285, %243, %222
  %250 = phi i64 [ 0, %222 ], [ %245, %243 ], [ %290, %285 ]
  %251 = icmp sgt i64 %229, 0
  br i1 %251, label %252, label %2085

252:                                              ; preds = %249
  br i1 %25, label %253, label %293

253:                                              ; preds = %252
  %254 = load ptr, ptr %64, align 8
  %255 = getelementptr inbounds nuw i8, ptr %254, i64 40
  %256 = load ptr, ptr %255, align 8
  %257 = mul nuw nsw i32 %223, %17
  %258 = load ptr, ptr %0, align 8
  %259 = getelementptr inbounds nuw i8, ptr %258, i64 32
  %260 = load i64, ptr %259, align 8
  %261 = zext nneg i32 %257 to i64
  br i1 %110, label %283, label %262

262:                                              ; preds = %253
  %263 = insertelement <2 x i64> poison, i64 %260, i64 0
  %264 = shufflevector <2 x i64> %263, <2 x i64> poison, <2 x i32> zeroinitializer
  %265 = insertelement <2 x i64> poison, i64 %261, i64 0
  %266 = shufflevector <2 x i64> %265, <2 x i64> poison, <2 x i32> zeroinitializer
  %267 = add <2 x i64> splat (i64 2), %266
  br label %268

268:                                              ; preds = %268, %262
  %269 = phi i64 [ 0, %262 ], [ %279, %268 ]
  %270 = phi <2 x i64> [ <i64 0, i64 1>, %262 ], [ %280, %268 ]
  %271 = add nuw nsw <2 x i64> %270, %266
  %272 = add <2 x i64> %270, %267
  %273 = mul nsw <2 x i64> %264, %271
  %274 = mul nsw <2 x i64> %264, %272
  %275 = getelementptr inbounds i8, ptr %256, <2 x i64> %273
  %276 = getelementptr inbounds i8, ptr %256, <2 x i64> %274
  %277 = getelementptr inbounds nuw ptr, ptr %11, i64 %269
  %278 = getelementptr inbounds nuw i8, ptr %277, i64 16
  store <2 x ptr> %275, ptr %277, align 16
  store <2 x ptr> %276, ptr %278, align 16
  %279 = add nuw i64 %269, 4
  %280 = add <2 x i64> %270, splat (i64 4)
  %281 = icmp eq i64 %279, %111
  br i1 %281, label %282, label %268, !llvm.loop !14

282:                                              ; preds = %268
  br i1 %112, label %293, label %283

283:                                              ; preds = %253, %282
  %284 = phi i64 [ 0, %253 ], [ %111, %282 ]
  br label %2077

285:                                              ; preds = %246, %285
  %286 = phi i64 [ %291, %285 ], [ %247, %246 ]
  %287 = phi i64 [ %290, %285 ], [ %248, %246 ]
  %288 = getelementptr inbounds nuw i64, ptr %2, i64 %286
  %289 = load i64, ptr %288, align 8
  %290 = add nsw i64 %289, %287
  %291 = add nuw nsw i64 %286, 1
  %292 = icmp eq i64 %291, %103
  br i1 %292, label %249, label %285, !llvm.loop !15

293:                                              ; preds = %2077, %282, %252
  %294 = add nsw i64 %250, %224
  %295 = load i32, ptr %21, align 8
  %296 = sext i32 %295 to i64
  %297 = mul nsw i64 %294, %296
  %298 = getelementptr inbounds i8, ptr %1, i64 %297
  store ptr %298, ptr %99, align 8
  %299 = mul nsw i64 %224, %296
  %300 = getelementptr inbounds i8, ptr %3, i64 %299
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #4
  %301 = load i32, ptr %16, align 8
  %302 = load i32, ptr %100, align 8
  %303 = icmp sgt i32 %301, 1
  %304 = zext nneg i32 %301 to i64
  %305 = load ptr, ptr %11, align 16
  br label %306

306:                                              ; preds = %2072, %293
  %307 = phi i64 [ %2075, %2072 ], [ 0, %293 ]
  %308 = phi i64 [ %2073, %2072 ], [ 0, %293 ]
  %309 = shl i64 %307, 9
  %310 = sub i64 %229, %309
  %311 = tail call i64 @llvm.smin.i64(i64 %310, i64 512)
  %312 = shl i64 %307, 9
  %313 = sub i64 %229, %312
  %314 = tail call i64 @llvm.smin.i64(i64 %313, i64 512)
  %315 = shl i64 %307, 9
  %316 = sub i64 %229, %315
  %317 = tail call i64 @llvm.smin.i64(i64 %316, i64 512)
  %318 = shl i64 %307, 9
  %319 = sub i64 %229, %318
  %320 = tail call i64 @llvm.smin.i64(i64 %319, i64 512)
  %321 = shl i64 %307, 9
  %322 = sub i64 %229, %321
  %323 = tail call i64 @llvm.smin.i64(i64 %322, i64 512)
  %324 = shl i64 %307, 9
  %325 = sub i64 %229, %324
  %326 = tail call i64 @llvm.smin.i64(i64 %325, i64 512)
  %327 = shl i64 %307, 9
  %328 = sub i64 %229, %327
  %329 = tail call i64 @llvm.smin.i64(i64 %328, i64 512)
  %330 = shl i64 %307, 9
  %331 = sub i64 %229, %330
  %332 = tail call i64 @llvm.smin.i64(i64 %331, i64 512)
  %333 = shl i64 %307, 9
  %334 = sub i64 %229, %333
  %335 = tail call i64 @llvm.smin.i64(i64 %334, i64 512)
  %336 = shl i64 %307, 9
  %337 = sub i64 %229, %336
  %338 = tail call i64 @llvm.smin.i64(i64 %337, i64 512)
  %339 = shl i64 %307, 9
  %340 = sub i64 %229, %339
  %341 = tail call i64 @llvm.smin.i64(i64 %340, i64 512)
  %342 = shl i64 %307, 9
  %343 = sub i64 %229, %342
  %344 = tail call i64 @llvm.smin.i64(i64 %343, i64 512)
  %345 = shl i64 %307, 9
  %346 = sub i64 %229, %345
  %347 = tail call i64 @llvm.smin.i64(i64 %346, i64 512)
  %348 = shl i64 %307, 9
  %349 = sub i64 %229, %348
  %350 = tail call i64 @llvm.smin.i64(i64 %349, i64 512)
  %351 = shl i64 %307, 9
  %352 = sub i64 %229, %351
  %353 = tail call i64 @llvm.smin.i64(i64 %352, i64 512)
  %354 = shl i64 %307, 9
  %355 = sub i64 %229, %354
  %356 = tail call i64 @llvm.smin.i64(i64 %355, i64 512)
  %357 = shl i64 %307, 9
  %358 = sub i64 %229, %357
  %359 = tail call i64 @llvm.smin.i64(i64 %358, i64 512)
  %360 = shl i64 %307, 9
  %361 = sub i64 %229, %360
  %362 = tail call i64 @llvm.smin.i64(i64 %361, i64 512)
  %363 = shl i64 %307, 9
  %364 = sub i64 %229, %363
  %365 = tail call i64 @llvm.smin.i64(i64 %364, i64 512)
  %366 = shl i64 %307, 9
  %367 = sub i64 %229, %366
  %368 = tail call i64 @llvm.smin.i64(i64 %367, i64 512)
  %369 = shl i64 %307, 9
  %370 = sub i64 %229, %369
  %371 = tail call i64 @llvm.smin.i64(i64 %370, i64 512)
  %372 = shl i64 %307, 9
  %373 = sub i64 %229, %372
  %374 = tail call i64 @llvm.smin.i64(i64 %373, i64 512)
  %375 = shl i64 %307, 9
  %376 = sub i64 %229, %375
  %377 = tail call i64 @llvm.smin.i64(i64 %376, i64 512)
  %378 = shl i64 %307, 9
  %379 = sub i64 %229, %378
  %380 = tail call i64 @llvm.smin.i64(i64 %379, i64 512)
  %381 = shl i64 %307, 9
  %382 = sub i64 %229, %381
  %383 = tail call i64 @llvm.smin.i64(i64 %382, i64 512)
  %384 = shl i64 %307, 9
  %385 = sub i64 %229, %384
  %386 = tail call i64 @llvm.smin.i64(i64 %385, i64 512)
  %387 = shl i64 %307, 9
  %388 = sub i64 %229, %387
  %389 = tail call i64 @llvm.smin.i64(i64 %388, i64 512)
  %390 = shl i64 %307, 9
  %391 = sub i64 %229, %390
  %392 = tail call i64 @llvm.smin.i64(i64 %391, i64 512)
  %393 = shl i64 %307, 9
  %394 = sub i64 %229, %393
  %395 = tail call i64 @llvm.smin.i64(i64 %394, i64 512)
  %396 = shl i64 %307, 9
  %397 = sub i64 %229, %396
  %398 = tail call i64 @llvm.smin.i64(i64 %397, i64 512)
  %399 = shl i64 %307, 9
  %400 = sub i64 %229, %399
  %401 = tail call i64 @llvm.smin.i64(i64 %400, i64 512)
  %402 = shl i64 %307, 9
  %403 = sub i64 %229, %402
  %404 = tail call i64 @llvm.smin.i64(i64 %403, i64 512)
  %405 = shl i64 %307, 9
  %406 = sub i64 %229, %405
  %407 = tail call i64 @llvm.smin.i64(i64 %406, i64 512)
  %408 = shl i64 %307, 9
  %409 = sub i64 %229, %408
  %410 = tail call i64 @llvm.smin.i64(i64 %409, i64 512)
  %411 = shl i64 %307, 9
  %412 = sub i64 %229, %411
  %413 = tail call i64 @llvm.smin.i64(i64 %412, i64 512)
  %414 = shl i64 %307, 9
  %415 = sub i64 %229, %414
  %416 = tail call i64 @llvm.smin.i64(i64 %415, i64 512)
  %417 = shl i64 %307, 9
  %418 = sub i64 %229, %417
  %419 = tail call i64 @llvm.smin.i64(i64 %418, i64 512)
  %420 = shl i64 %307, 9
  %421 = sub i64 %229, %420
  %422 = tail call i64 @llvm.smin.i64(i64 %421, i64 512)
  %423 = shl i64 %307, 9
  %424 = sub i64 %229, %423
  %425 = tail call i64 @llvm.smin.i64(i64 %424, i64 512)
  %426 = shl i64 %307, 9
  %427 = sub i64 %229, %426
  %428 = tail call i64 @llvm.smin.i64(i64 %427, i64 512)
  %429 = shl i64 %307, 9
  %430 = sub i64 %229, %429
  %431 = tail call i64 @llvm.smin.i64(i64 %430, i64 512)
  %432 = shl i64 %307, 9
  %433 = sub i64 %229, %432
  %434 = tail call i64 @llvm.smin.i64(i64 %433, i64 512)
  %435 = shl i64 %307, 9
  %436 = sub i64 %229, %435
  %437 = tail call i64 @llvm.smin.i64(i64 %436, i64 512)
  %438 = shl i64 %307, 9
  %439 = sub i64 %229, %438
  %440 = tail call i64 @llvm.smin.i64(i64 %439, i64 512)
  %441 = shl i64 %307, 9
  %442 = sub i64 %229, %441
  %443 = tail call i64 @llvm.smin.i64(i64 %442, i64 512)
  %444 = sub nuw nsw i64 %229, %308
  %445 = tail call noundef i64 @llvm.smin.i64(i64 %444, i64 512)
  %446 = load i32, ptr %21, align 8
  %447 = sext i32 %446 to i64
  %448 = mul nsw i64 %308, %447
  %449 = load i32, ptr %101, align 4
  switch i32 %449, label %2072 [
    i32 0, label %450
    i32 1, label %593
    i32 2, label %736
    i32 3, label %1044
    i32 4, label %1235
    i32 5, label %1457
    i32 8, label %1679
    i32 6, label %1810
    i32 7, label %1941
  ]

450:                                              ; preds = %306
  %451 = getelementptr inbounds i8, ptr %305, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !16)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !19)
  %452 = icmp ult i64 %431, 4
  br i1 %452, label %464, label %453

453:                                              ; preds = %450
  %454 = and i64 %431, -4
  br label %455

455:                                              ; preds = %455, %453
  %456 = phi i64 [ 0, %453 ], [ %460, %455 ]
  %457 = getelementptr inbounds nuw float, ptr %451, i64 %456
  %458 = load <4 x float>, ptr %457, align 4, !alias.scope !19, !noalias !16
  %459 = getelementptr inbounds nuw float, ptr %6, i64 %456
  store <4 x float> %458, ptr %459, align 16, !alias.scope !16, !noalias !19
  %460 = add nuw i64 %456, 4
  %461 = icmp eq i64 %460, %454
  br i1 %461, label %462, label %455, !llvm.loop !21

462:                                              ; preds = %455
  %463 = icmp eq i64 %431, %454
  br i1 %463, label %473, label %464

464:                                              ; preds = %450, %462
  %465 = phi i64 [ 0, %450 ], [ %454, %462 ]
  br label %466

466:                                              ; preds = %464, %466
  %467 = phi i64 [ %471, %466 ], [ %465, %464 ]
  %468 = getelementptr inbounds nuw float, ptr %451, i64 %467
  %469 = load float, ptr %468, align 4, !alias.scope !19, !noalias !16
  %470 = getelementptr inbounds nuw float, ptr %6, i64 %467
  store float %469, ptr %470, align 4, !alias.scope !16, !noalias !19
  %471 = add nuw nsw i64 %467, 1
  %472 = icmp eq i64 %471, %445
  br i1 %472, label %473, label %466, !llvm.loop !23

473:                                              ; preds = %466, %462
  br i1 %303, label %474, label %484

474:                                              ; preds = %473
  %475 = icmp ult i64 %434, 4
  %476 = and i64 %434, -4
  %477 = icmp eq i64 %434, %476
  %478 = icmp ult i64 %437, 4
  %479 = and i64 %437, -4
  %480 = icmp eq i64 %437, %479
  %481 = icmp ult i64 %440, 4
  %482 = and i64 %440, -4
  %483 = icmp eq i64 %440, %482
  br label %507

484:                                              ; preds = %590, %473
  %485 = getelementptr inbounds i8, ptr %300, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !24)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !27)
  %486 = icmp ult i64 %443, 4
  br i1 %486, label %498, label %487

487:                                              ; preds = %484
  %488 = and i64 %443, -4
  br label %489

489:                                              ; preds = %489, %487
  %490 = phi i64 [ 0, %487 ], [ %494, %489 ]
  %491 = getelementptr inbounds nuw float, ptr %6, i64 %490
  %492 = load <4 x float>, ptr %491, align 16, !alias.scope !27, !noalias !24
  %493 = getelementptr inbounds nuw float, ptr %485, i64 %490
  store <4 x float> %492, ptr %493, align 4, !alias.scope !24, !noalias !27
  %494 = add nuw i64 %490, 4
  %495 = icmp eq i64 %494, %488
  br i1 %495, label %496, label %489, !llvm.loop !29

496:                                              ; preds = %489
  %497 = icmp eq i64 %443, %488
  br i1 %497, label %2072, label %498

498:                                              ; preds = %484, %496
  %499 = phi i64 [ 0, %484 ], [ %488, %496 ]
  br label %500

500:                                              ; preds = %498, %500
  %501 = phi i64 [ %505, %500 ], [ %499, %498 ]
  %502 = getelementptr inbounds nuw float, ptr %6, i64 %501
  %503 = load float, ptr %502, align 4, !alias.scope !27, !noalias !24
  %504 = getelementptr inbounds nuw float, ptr %485, i64 %501
  store float %503, ptr %504, align 4, !alias.scope !24, !noalias !27
  %505 = add nuw nsw i64 %501, 1
  %506 = icmp eq i64 %505, %445
  br i1 %506, label %2072, label %500, !llvm.loop !30

507:                                              ; preds = %474, %590
  %508 = phi i64 [ %591, %590 ], [ 1, %474 ]
  %509 = getelementptr inbounds nuw ptr, ptr %11, i64 %508
  %510 = load ptr, ptr %509, align 8
  %511 = getelementptr inbounds i8, ptr %510, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !31)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !34)
  switch i32 %302, label %541 [
    i32 0, label %528
    i32 1, label %512
  ]

512:                                              ; preds = %507
  br i1 %475, label %526, label %513

513:                                              ; preds = %512, %513
  %514 = phi i64 [ %523, %513 ], [ 0, %512 ]
  %515 = getelementptr inbounds nuw float, ptr %6, i64 %514
  %516 = load <4 x float>, ptr %515, align 16, !alias.scope !31, !noalias !34
  %517 = getelementptr inbounds nuw float, ptr %511, i64 %514
  %518 = load <4 x float>, ptr %517, align 4, !alias.scope !34, !noalias !31
  %519 = fcmp oge <4 x float> %516, %518
  %520 = fcmp uno <4 x float> %516, zeroinitializer
  %521 = or <4 x i1> %520, %519
  %522 = select <4 x i1> %521, <4 x float> %516, <4 x float> %518
  store <4 x float> %522, ptr %515, align 16, !alias.scope !31, !noalias !34
  %523 = add nuw i64 %514, 4
  %524 = icmp eq i64 %523, %476
  br i1 %524, label %525, label %513, !llvm.loop !36

525:                                              ; preds = %513
  br i1 %477, label %590, label %526

526:                                              ; preds = %512, %525
  %527 = phi i64 [ 0, %512 ], [ %476, %525 ]
  br label %566

528:                                              ; preds = %507
  br i1 %478, label %539, label %529

529:                                              ; preds = %528, %529
  %530 = phi i64 [ %536, %529 ], [ 0, %528 ]
  %531 = getelementptr inbounds nuw float, ptr %6, i64 %530
  %532 = load <4 x float>, ptr %531, align 16, !alias.scope !31, !noalias !34
  %533 = getelementptr inbounds nuw float, ptr %511, i64 %530
  %534 = load <4 x float>, ptr %533, align 4, !alias.scope !34, !noalias !31
  %535 = fadd <4 x float> %532, %534
  store <4 x float> %535, ptr %531, align 16, !alias.scope !31, !noalias !34
  %536 = add nuw i64 %530, 4
  %537 = icmp eq i64 %536, %479
  br i1 %537, label %538, label %529, !llvm.loop !37

538:                                              ; preds = %529
  br i1 %480, label %590, label %539

539:                                              ; preds = %528, %538
  %540 = phi i64 [ 0, %528 ], [ %479, %538 ]
  br label %557

541:                                              ; preds = %507
  br i1 %481, label %555, label %542

542:                                              ; preds = %541, %542
  %543 = phi i64 [ %552, %542 ], [ 0, %541 ]
  %544 = getelementptr inbounds nuw float, ptr %6, i64 %543
  %545 = load <4 x float>, ptr %544, align 16, !alias.scope !31, !noalias !34
  %546 = getelementptr inbounds nuw float, ptr %511, i64 %543
  %547 = load <4 x float>, ptr %546, align 4, !alias.scope !34, !noalias !31
  %548 = fcmp ole <4 x float> %545, %547
  %549 = fcmp uno <4 x float> %545, zeroinitializer
  %550 = or <4 x i1> %549, %548
  %551 = select <4 x i1> %550, <4 x float> %545, <4 x float> %547
  store <4 x float> %551, ptr %544, align 16, !alias.scope !31, !noalias !34
  %552 = add nuw i64 %543, 4
  %553 = icmp eq i64 %552, %482
  br i1 %553, label %554, label %542, !llvm.loop !38

554:                                              ; preds = %542
  br i1 %483, label %590, label %555

555:                                              ; preds = %541, %554
  %556 = phi i64 [ 0, %541 ], [ %482, %554 ]
  br label %578

557:                                              ; preds = %539, %557
  %558 = phi i64 [ %564, %557 ], [ %540, %539 ]
  %559 = getelementptr inbounds nuw float, ptr %6, i64 %558
  %560 = load float, ptr %559, align 4, !alias.scope !31, !noalias !34
  %561 = getelementptr inbounds nuw float, ptr %511, i64 %558
  %562 = load float, ptr %561, align 4, !alias.scope !34, !noalias !31
  %563 = fadd float %560, %562
  store float %563, ptr %559, align 4, !alias.scope !31, !noalias !34
  %564 = add nuw nsw i64 %558, 1
  %565 = icmp eq i64 %564, %445
  br i1 %565, label %590, label %557, !llvm.loop !39

566:                                              ; preds = %526, %566
  %567 = phi i64 [ %576, %566 ], [ %527, %526 ]
  %568 = getelementptr inbounds nuw float, ptr %6, i64 %567
  %569 = load float, ptr %568, align 4, !alias.scope !31, !noalias !34
  %570 = getelementptr inbounds nuw float, ptr %511, i64 %567
  %571 = load float, ptr %570, align 4, !alias.scope !34, !noalias !31
  %572 = fcmp oge float %569, %571
  %573 = fcmp uno float %569, 0.000000e+00
  %574 = or i1 %573, %572
  %575 = select i1 %574, float %569, float %571
  store float %575, ptr %568, align 4, !alias.scope !31, !noalias !34
  %576 = add nuw nsw i64 %567, 1
  %577 = icmp eq i64 %576, %445
  br i1 %577, label %590, label %566, !llvm.loop !40

578:                                              ; preds = %555, %578
  %579 = phi i64 [ %588, %578 ], [ %556, %555 ]
  %580 = getelementptr inbounds nuw float, ptr %6, i64 %579
  %581 = load float, ptr %580, align 4, !alias.scope !31, !noalias !34
  %582 = getelementptr inbounds nuw float, ptr %511, i64 %579
  %583 = load float, ptr %582, align 4, !alias.scope !34, !noalias !31
  %584 = fcmp ole float %581, %583
  %585 = fcmp uno float %581, 0.000000e+00
  %586 = or i1 %585, %584
  %587 = select i1 %586, float %581, float %583
  store float %587, ptr %580, align 4, !alias.scope !31, !noalias !34
  %588 = add nuw nsw i64 %579, 1
  %589 = icmp eq i64 %588, %445
  br i1 %589, label %590, label %578, !llvm.loop !41

590:                                              ; preds = %566, %557, %578, %525, %538, %554
  %591 = add nuw nsw i64 %508, 1
  %592 = icmp eq i64 %591, %304
  br i1 %592, label %484, label %507, !llvm.loop !42

593:                                              ; preds = %306
  %594 = getelementptr inbounds i8, ptr %305, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !43)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !46)
  %595 = icmp ult i64 %416, 2
  br i1 %595, label %607, label %596

596:                                              ; preds = %593
  %597 = and i64 %416, -2
  br label %598

598:                                              ; preds = %598, %596
  %599 = phi i64 [ 0, %596 ], [ %603, %598 ]
  %600 = getelementptr inbounds nuw double, ptr %594, i64 %599
  %601 = load <2 x double>, ptr %600, align 8, !alias.scope !46, !noalias !43
  %602 = getelementptr inbounds nuw double, ptr %6, i64 %599
  store <2 x double> %601, ptr %602, align 16, !alias.scope !43, !noalias !46
  %603 = add nuw i64 %599, 2
  %604 = icmp eq i64 %603, %597
  br i1 %604, label %605, label %598, !llvm.loop !48

605:                                              ; preds = %598
  %606 = icmp eq i64 %416, %597
  br i1 %606, label %616, label %607

607:                                              ; preds = %593, %605
  %608 = phi i64 [ 0, %593 ], [ %597, %605 ]
  br label %609

609:                                              ; preds = %607, %609
  %610 = phi i64 [ %614, %609 ], [ %608, %607 ]
  %611 = getelementptr inbounds nuw double, ptr %594, i64 %610
  %612 = load double, ptr %611, align 8, !alias.scope !46, !noalias !43
  %613 = getelementptr inbounds nuw double, ptr %6, i64 %610
  store double %612, ptr %613, align 8, !alias.scope !43, !noalias !46
  %614 = add nuw nsw i64 %610, 1
  %615 = icmp eq i64 %614, %445
  br i1 %615, label %616, label %609, !llvm.loop !49

616:                                              ; preds = %609, %605
  br i1 %303, label %617, label %627

617:                                              ; preds = %616
  %618 = icmp ult i64 %419, 2
  %619 = and i64 %419, -2
  %620 = icmp eq i64 %419, %619
  %621 = icmp ult i64 %422, 2
  %622 = and i64 %422, -2
  %623 = icmp eq i64 %422, %622
  %624 = icmp ult i64 %425, 2
  %625 = and i64 %425, -2
  %626 = icmp eq i64 %425, %625
  br label %650

627:                                              ; preds = %733, %616
  %628 = getelementptr inbounds i8, ptr %300, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !50)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !53)
  %629 = icmp ult i64 %428, 2
  br i1 %629, label %641, label %630

630:                                              ; preds = %627
  %631 = and i64 %428, -2
  br label %632

632:                                              ; preds = %632, %630
  %633 = phi i64 [ 0, %630 ], [ %637, %632 ]
  %634 = getelementptr inbounds nuw double, ptr %6, i64 %633
  %635 = load <2 x double>, ptr %634, align 16, !alias.scope !53, !noalias !50
  %636 = getelementptr inbounds nuw double, ptr %628, i64 %633
  store <2 x double> %635, ptr %636, align 8, !alias.scope !50, !noalias !53
  %637 = add nuw i64 %633, 2
  %638 = icmp eq i64 %637, %631
  br i1 %638, label %639, label %632, !llvm.loop !55

639:                                              ; preds = %632
  %640 = icmp eq i64 %428, %631
  br i1 %640, label %2072, label %641

641:                                              ; preds = %627, %639
  %642 = phi i64 [ 0, %627 ], [ %631, %639 ]
  br label %643

643:                                              ; preds = %641, %643
  %644 = phi i64 [ %648, %643 ], [ %642, %641 ]
  %645 = getelementptr inbounds nuw double, ptr %6, i64 %644
  %646 = load double, ptr %645, align 8, !alias.scope !53, !noalias !50
  %647 = getelementptr inbounds nuw double, ptr %628, i64 %644
  store double %646, ptr %647, align 8, !alias.scope !50, !noalias !53
  %648 = add nuw nsw i64 %644, 1
  %649 = icmp eq i64 %648, %445
  br i1 %649, label %2072, label %643, !llvm.loop !56

650:                                              ; preds = %617, %733
  %651 = phi i64 [ %734, %733 ], [ 1, %617 ]
  %652 = getelementptr inbounds nuw ptr, ptr %11, i64 %651
  %653 = load ptr, ptr %652, align 8
  %654 = getelementptr inbounds i8, ptr %653, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !57)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !60)
  switch i32 %302, label %684 [
    i32 0, label %671
    i32 1, label %655
  ]

655:                                              ; preds = %650
  br i1 %618, label %669, label %656

656:                                              ; preds = %655, %656
  %657 = phi i64 [ %666, %656 ], [ 0, %655 ]
  %658 = getelementptr inbounds nuw double, ptr %6, i64 %657
  %659 = load <2 x double>, ptr %658, align 16, !alias.scope !57, !noalias !60
  %660 = getelementptr inbounds nuw double, ptr %654, i64 %657
  %661 = load <2 x double>, ptr %660, align 8, !alias.scope !60, !noalias !57
  %662 = fcmp oge <2 x double> %659, %661
  %663 = fcmp uno <2 x double> %659, zeroinitializer
  %664 = or <2 x i1> %663, %662
  %665 = select <2 x i1> %664, <2 x double> %659, <2 x double> %661
  store <2 x double> %665, ptr %658, align 16, !alias.scope !57, !noalias !60
  %666 = add nuw i64 %657, 2
  %667 = icmp eq i64 %666, %619
  br i1 %667, label %668, label %656, !llvm.loop !62

668:                                              ; preds = %656
  br i1 %620, label %733, label %669

669:                                              ; preds = %655, %668
  %670 = phi i64 [ 0, %655 ], [ %619, %668 ]
  br label %709

671:                                              ; preds = %650
  br i1 %621, label %682, label %672

672:                                              ; preds = %671, %672
  %673 = phi i64 [ %679, %672 ], [ 0, %671 ]
  %674 = getelementptr inbounds nuw double, ptr %6, i64 %673
  %675 = load <2 x double>, ptr %674, align 16, !alias.scope !57, !noalias !60
  %676 = getelementptr inbounds nuw double, ptr %654, i64 %673
  %677 = load <2 x double>, ptr %676, align 8, !alias.scope !60, !noalias !57
  %678 = fadd <2 x double> %675, %677
  store <2 x double> %678, ptr %674, align 16, !alias.scope !57, !noalias !60
  %679 = add nuw i64 %673, 2
  %680 = icmp eq i64 %679, %622
  br i1 %680, label %681, label %672, !llvm.loop !63

681:                                              ; preds = %672
  br i1 %623, label %733, label %682

682:                                              ; preds = %671, %681
  %683 = phi i64 [ 0, %671 ], [ %622, %681 ]
  br label %700

684:                                              ; preds = %650
  br i1 %624, label %698, label %685

685:                                              ; preds = %684, %685
  %686 = phi i64 [ %695, %685 ], [ 0, %684 ]
  %687 = getelementptr inbounds nuw double, ptr %6, i64 %686
  %688 = load <2 x double>, ptr %687, align 16, !alias.scope !57, !noalias !60
  %689 = getelementptr inbounds nuw double, ptr %654, i64 %686
  %690 = load <2 x double>, ptr %689, align 8, !alias.scope !60, !noalias !57
  %691 = fcmp ole <2 x double> %688, %690
  %692 = fcmp uno <2 x double> %688, zeroinitializer
  %693 = or <2 x i1> %692, %691
  %694 = select <2 x i1> %693, <2 x double> %688, <2 x double> %690
  store <2 x double> %694, ptr %687, align 16, !alias.scope !57, !noalias !60
  %695 = add nuw i64 %686, 2
  %696 = icmp eq i64 %695, %625
  br i1 %696, label %697, label %685, !llvm.loop !64

697:                                              ; preds = %685
  br i1 %626, label %733, label %698

698:                                              ; preds = %684, %697
  %699 = phi i64 [ 0, %684 ], [ %625, %697 ]
  br label %721

700:                                              ; preds = %682, %700
  %701 = phi i64 [ %707, %700 ], [ %683, %682 ]
  %702 = getelementptr inbounds nuw double, ptr %6, i64 %701
  %703 = load double, ptr %702, align 8, !alias.scope !57, !noalias !60
  %704 = getelementptr inbounds nuw double, ptr %654, i64 %701
  %705 = load double, ptr %704, align 8, !alias.scope !60, !noalias !57
  %706 = fadd double %703, %705
  store double %706, ptr %702, align 8, !alias.scope !57, !noalias !60
  %707 = add nuw nsw i64 %701, 1
  %708 = icmp eq i64 %707, %445
  br i1 %708, label %733, label %700, !llvm.loop !65

709:                                              ; preds = %669, %709
  %710 = phi i64 [ %719, %709 ], [ %670, %669 ]
  %711 = getelementptr inbounds nuw double, ptr %6, i64 %710
  %712 = load double, ptr %711, align 8, !alias.scope !57, !noalias !60
  %713 = getelementptr inbounds nuw double, ptr %654, i64 %710
  %714 = load double, ptr %713, align 8, !alias.scope !60, !noalias !57
  %715 = fcmp oge double %712, %714
  %716 = fcmp uno double %712, 0.000000e+00
  %717 = or i1 %716, %715
  %718 = select i1 %717, double %712, double %714
  store double %718, ptr %711, align 8, !alias.scope !57, !noalias !60
  %719 = add nuw nsw i64 %710, 1
  %720 = icmp eq i64 %719, %445
  br i1 %720, label %733, label %709, !llvm.loop !66

721:                                              ; preds = %698, %721
  %722 = phi i64 [ %731, %721 ], [ %699, %698 ]
  %723 = getelementptr inbounds nuw double, ptr %6, i64 %722
  %724 = load double, ptr %723, align 8, !alias.scope !57, !noalias !60
  %725 = getelementptr inbounds nuw double, ptr %654, i64 %722
  %726 = load double, ptr %725, align 8, !alias.scope !60, !noalias !57
  %727 = fcmp ole double %724, %726
  %728 = fcmp uno double %724, 0.000000e+00
  %729 = or i1 %728, %727
  %730 = select i1 %729, double %724, double %726
  store double %730, ptr %723, align 8, !alias.scope !57, !noalias !60
  %731 = add nuw nsw i64 %722, 1
  %732 = icmp eq i64 %731, %445
  br i1 %732, label %733, label %721, !llvm.loop !67

733:                                              ; preds = %709, %700, %721, %668, %681, %697
  %734 = add nuw nsw i64 %651, 1
  %735 = icmp eq i64 %734, %304
  br i1 %735, label %627, label %650, !llvm.loop !68

736:                                              ; preds = %306
  %737 = getelementptr inbounds i8, ptr %305, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !69)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !72)
  %738 = icmp ult i64 %401, 4
  br i1 %738, label %763, label %739

739:                                              ; preds = %736
  %740 = and i64 %401, -4
  br label %741

741:                                              ; preds = %741, %739
  %742 = phi i64 [ 0, %739 ], [ %759, %741 ]
  %743 = getelementptr inbounds nuw i16, ptr %737, i64 %742
  %744 = load <4 x i16>, ptr %743, align 2, !alias.scope !72, !noalias !69
  %745 = zext <4 x i16> %744 to <4 x i32>
  %746 = shl nuw nsw <4 x i32> %745, splat (i32 13)
  %747 = and <4 x i32> %746, splat (i32 268427264)
  %748 = bitcast <4 x i32> %747 to <4 x float>
  %749 = fmul <4 x float> %748, splat (float 0x46F0000000000000)
  %750 = bitcast <4 x float> %749 to <4 x i32>
  %751 = and <4 x i32> %745, splat (i32 31744)
  %752 = icmp eq <4 x i32> %751, splat (i32 31744)
  %753 = or <4 x i32> %750, splat (i32 2139095040)
  %754 = select <4 x i1> %752, <4 x i32> %753, <4 x i32> %750
  %755 = sext <4 x i16> %744 to <4 x i32>
  %756 = and <4 x i32> %755, splat (i32 -2147483648)
  %757 = or <4 x i32> %754, %756
  %758 = getelementptr inbounds nuw float, ptr %6, i64 %742
  store <4 x i32> %757, ptr %758, align 16, !alias.scope !69, !noalias !72
  %759 = add nuw i64 %742, 4
  %760 = icmp eq i64 %759, %740
  br i1 %760, label %761, label %741, !llvm.loop !74

761:                                              ; preds = %741
  %762 = icmp eq i64 %401, %740
  br i1 %762, label %785, label %763

763:                                              ; preds = %736, %761
  %764 = phi i64 [ 0, %736 ], [ %740, %761 ]
  br label %765

765:                                              ; preds = %763, %765
  %766 = phi i64 [ %783, %765 ], [ %764, %763 ]
  %767 = getelementptr inbounds nuw i16, ptr %737, i64 %766
  %768 = load i16, ptr %767, align 2, !alias.scope !72, !noalias !69
  %769 = zext i16 %768 to i32
  %770 = shl nuw nsw i32 %769, 13
  %771 = and i32 %770, 268427264
  %772 = bitcast i32 %771 to float
  %773 = fmul float %772, 0x46F0000000000000
  %774 = bitcast float %773 to i32
  %775 = and i32 %769, 31744
  %776 = icmp eq i32 %775, 31744
  %777 = or i32 %774, 2139095040
  %778 = select i1 %776, i32 %777, i32 %774
  %779 = sext i16 %768 to i32
  %780 = and i32 %779, -2147483648
  %781 = or i32 %778, %780
  %782 = getelementptr inbounds nuw float, ptr %6, i64 %766
  store i32 %781, ptr %782, align 4, !alias.scope !69, !noalias !72
  %783 = add nuw nsw i64 %766, 1
  %784 = icmp eq i64 %783, %445
  br i1 %784, label %785, label %765, !llvm.loop !75

785:                                              ; preds = %765, %761
  br i1 %303, label %786, label %796

786:                                              ; preds = %785
  %787 = icmp ult i64 %404, 4
  %788 = and i64 %404, -4
  %789 = icmp eq i64 %404, %788
  %790 = icmp ult i64 %407, 4
  %791 = and i64 %407, -4
  %792 = icmp eq i64 %407, %791
  %793 = icmp ult i64 %410, 4
  %794 = and i64 %410, -4
  %795 = icmp eq i64 %410, %794
  br label %874

796:                                              ; preds = %1041, %785
  %797 = getelementptr inbounds i8, ptr %300, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !76)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !79)
  %798 = icmp ult i64 %413, 4
  br i1 %798, label %834, label %799

799:                                              ; preds = %796
  %800 = and i64 %413, -4
  br label %801

801:                                              ; preds = %801, %799
  %802 = phi i64 [ 0, %799 ], [ %830, %801 ]
  %803 = getelementptr inbounds nuw float, ptr %6, i64 %802
  %804 = load <4 x float>, ptr %803, align 16, !alias.scope !79, !noalias !76
  %805 = bitcast <4 x float> %804 to <4 x i32>
  %806 = lshr <4 x i32> %805, splat (i32 16)
  %807 = and <4 x i32> %806, splat (i32 32768)
  %808 = tail call <4 x float> @llvm.fabs.v4f32(<4 x float> %804)
  %809 = bitcast <4 x float> %808 to <4 x i32>
  %810 = icmp samesign ult <4 x i32> %809, splat (i32 2139095041)
  %811 = lshr <4 x i32> %809, splat (i32 13)
  %812 = and <4 x i32> %811, splat (i32 1)
  %813 = add nuw nsw <4 x i32> %809, splat (i32 134221823)
  %814 = add nuw nsw <4 x i32> %813, %812
  %815 = lshr <4 x i32> %814, splat (i32 13)
  %816 = icmp samesign ult <4 x i32> %809, splat (i32 947912704)
  %817 = fadd <4 x float> %808, splat (float 5.000000e-01)
  %818 = bitcast <4 x float> %817 to <4 x i32>
  %819 = add nsw <4 x i32> %809, splat (i32 -1199566848)
  %820 = icmp ult <4 x i32> %819, splat (i32 939528193)
  %821 = trunc nuw <4 x i32> %807 to <4 x i16>
  %822 = or disjoint <4 x i16> %821, splat (i16 31744)
  %823 = or disjoint <4 x i16> %821, splat (i16 32256)
  %824 = select <4 x i1> %816, <4 x i32> %818, <4 x i32> %815
  %825 = or <4 x i32> %807, %824
  %826 = trunc <4 x i32> %825 to <4 x i16>
  %827 = select <4 x i1> %820, <4 x i16> %822, <4 x i16> %826
  %828 = select <4 x i1> %810, <4 x i16> %827, <4 x i16> %823
  %829 = getelementptr inbounds nuw i16, ptr %797, i64 %802
  store <4 x i16> %828, ptr %829, align 2, !alias.scope !76, !noalias !79
  %830 = add nuw i64 %802, 4
  %831 = icmp eq i64 %830, %800
  br i1 %831, label %832, label %801, !llvm.loop !81

832:                                              ; preds = %801
  %833 = icmp eq i64 %413, %800
  br i1 %833, label %2072, label %834

834:                                              ; preds = %796, %832
  %835 = phi i64 [ 0, %796 ], [ %800, %832 ]
  br label %836

836:                                              ; preds = %834, %869
  %837 = phi i64 [ %872, %869 ], [ %835, %834 ]
  %838 = getelementptr inbounds nuw float, ptr %6, i64 %837
  %839 = load float, ptr %838, align 4, !alias.scope !79, !noalias !76
  %840 = bitcast float %839 to i32
  %841 = lshr i32 %840, 16
  %842 = and i32 %841, 32768
  %843 = tail call float @llvm.fabs.f32(float %839)
  %844 = bitcast float %843 to i32
  %845 = icmp samesign ugt i32 %844, 2139095040
  br i1 %845, label %846, label %849

846:                                              ; preds = %836
  %847 = trunc nuw i32 %842 to i16
  %848 = or disjoint i16 %847, 32256
  br label %869

849:                                              ; preds = %836
  %850 = icmp samesign ugt i32 %844, 1199566847
  br i1 %850, label %851, label %854

851:                                              ; preds = %849
  %852 = trunc nuw i32 %842 to i16
  %853 = or disjoint i16 %852, 31744
  br label %869

854:                                              ; preds = %849
  %855 = icmp samesign ult i32 %844, 947912704
  br i1 %855, label %856, label %861

856:                                              ; preds = %854
  %857 = fadd float %843, 5.000000e-01
  %858 = bitcast float %857 to i32
  %859 = or i32 %842, %858
  %860 = trunc i32 %859 to i16
  br label %869

861:                                              ; preds = %854
  %862 = lshr i32 %844, 13
  %863 = and i32 %862, 1
  %864 = add nuw nsw i32 %844, 134221823
  %865 = add nuw nsw i32 %864, %863
  %866 = lshr i32 %865, 13
  %867 = or i32 %866, %842
  %868 = trunc i32 %867 to i16
  br label %869

869:                                              ; preds = %861, %856, %851, %846
  %870 = phi i16 [ %848, %846 ], [ %853, %851 ], [ %860, %856 ], [ %868, %861 ]
  %871 = getelementptr inbounds nuw i16, ptr %797, i64 %837
  store i16 %870, ptr %871, align 2, !alias.scope !76, !noalias !79
  %872 = add nuw nsw i64 %837, 1
  %873 = icmp eq i64 %872, %445
  br i1 %873, label %2072, label %836, !llvm.loop !82

874:                                              ; preds = %786, %1041
  %875 = phi i64 [ %1042, %1041 ], [ 1, %786 ]
  %876 = getelementptr inbounds nuw ptr, ptr %11, i64 %875
  %877 = load ptr, ptr %876, align 8
  %878 = getelementptr inbounds i8, ptr %877, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !83)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !86)
  switch i32 %302, label %936 [
    i32 0, label %909
    i32 1, label %879
  ]

879:                                              ; preds = %874
  br i1 %787, label %907, label %880

880:                                              ; preds = %879, %880
  %881 = phi i64 [ %904, %880 ], [ 0, %879 ]
  %882 = getelementptr inbounds nuw float, ptr %6, i64 %881
  %883 = load <4 x float>, ptr %882, align 16, !alias.scope !83, !noalias !86
  %884 = getelementptr inbounds nuw i16, ptr %878, i64 %881
  %885 = load <4 x i16>, ptr %884, align 2, !alias.scope !86, !noalias !83
  %886 = zext <4 x i16> %885 to <4 x i32>
  %887 = shl nuw nsw <4 x i32> %886, splat (i32 13)
  %888 = and <4 x i32> %887, splat (i32 268427264)
  %889 = bitcast <4 x i32> %888 to <4 x float>
  %890 = fmul <4 x float> %889, splat (float 0x46F0000000000000)
  %891 = bitcast <4 x float> %890 to <4 x i32>
  %892 = and <4 x i32> %886, splat (i32 31744)
  %893 = icmp eq <4 x i32> %892, splat (i32 31744)
  %894 = or <4 x i32> %891, splat (i32 2139095040)
  %895 = select <4 x i1> %893, <4 x i32> %894, <4 x i32> %891
  %896 = sext <4 x i16> %885 to <4 x i32>
  %897 = and <4 x i32> %896, splat (i32 -2147483648)
  %898 = or <4 x i32> %895, %897
  %899 = bitcast <4 x i32> %898 to <4 x float>
  %900 = fcmp oge <4 x float> %883, %899
  %901 = fcmp uno <4 x float> %883, zeroinitializer
  %902 = or <4 x i1> %901, %900
  %903 = select <4 x i1> %902, <4 x float> %883, <4 x float> %899
  store <4 x float> %903, ptr %882, align 16, !alias.scope !83, !noalias !86
  %904 = add nuw i64 %881, 4
  %905 = icmp eq i64 %904, %788
  br i1 %905, label %906, label %880, !llvm.loop !88

906:                                              ; preds = %880
  br i1 %789, label %1041, label %907

907:                                              ; preds = %879, %906
  %908 = phi i64 [ 0, %879 ], [ %788, %906 ]
  br label %989

909:                                              ; preds = %874
  br i1 %790, label %934, label %910

910:                                              ; preds = %909, %910
  %911 = phi i64 [ %931, %910 ], [ 0, %909 ]
  %912 = getelementptr inbounds nuw float, ptr %6, i64 %911
  %913 = load <4 x float>, ptr %912, align 16, !alias.scope !83, !noalias !86
  %914 = getelementptr inbounds nuw i16, ptr %878, i64 %911
  %915 = load <4 x i16>, ptr %914, align 2, !alias.scope !86, !noalias !83
  %916 = zext <4 x i16> %915 to <4 x i32>
  %917 = shl nuw nsw <4 x i32> %916, splat (i32 13)
  %918 = and <4 x i32> %917, splat (i32 268427264)
  %919 = bitcast <4 x i32> %918 to <4 x float>
  %920 = fmul <4 x float> %919, splat (float 0x46F0000000000000)
  %921 = bitcast <4 x float> %920 to <4 x i32>
  %922 = and <4 x i32> %916, splat (i32 31744)
  %923 = icmp eq <4 x i32> %922, splat (i32 31744)
  %924 = or <4 x i32> %921, splat (i32 2139095040)
  %925 = select <4 x i1> %923, <4 x i32> %924, <4 x i32> %921
  %926 = sext <4 x i16> %915 to <4 x i32>
  %927 = and <4 x i32> %926, splat (i32 -2147483648)
  %928 = or <4 x i32> %925, %927
  %929 = bitcast <4 x i32> %928 to <4 x float>
  %930 = fadd <4 x float> %913, %929
  store <4 x float> %930, ptr %912, align 16, !alias.scope !83, !noalias !86
  %931 = add nuw i64 %911, 4
  %932 = icmp eq i64 %931, %791
  br i1 %932, label %933, label %910, !llvm.loop !89

933:                                              ; preds = %910
  br i1 %792, label %1041, label %934

934:                                              ; preds = %909, %933
  %935 = phi i64 [ 0, %909 ], [ %791, %933 ]
  br label %966

936:                                              ; preds = %874
  br i1 %793, label %964, label %937

937:                                              ; preds = %936, %937
  %938 = phi i64 [ %961, %937 ], [ 0, %936 ]
  %939 = getelementptr inbounds nuw float, ptr %6, i64 %938
  %940 = load <4 x float>, ptr %939, align 16, !alias.scope !83, !noalias !86
  %941 = getelementptr inbounds nuw i16, ptr %878, i64 %938
  %942 = load <4 x i16>, ptr %941, align 2, !alias.scope !86, !noalias !83
  %943 = zext <4 x i16> %942 to <4 x i32>
  %944 = shl nuw nsw <4 x i32> %943, splat (i32 13)
  %945 = and <4 x i32> %944, splat (i32 268427264)
  %946 = bitcast <4 x i32> %945 to <4 x float>
  %947 = fmul <4 x float> %946, splat (float 0x46F0000000000000)
  %948 = bitcast <4 x float> %947 to <4 x i32>
  %949 = and <4 x i32> %943, splat (i32 31744)
  %950 = icmp eq <4 x i32> %949, splat (i32 31744)
  %951 = or <4 x i32> %948, splat (i32 2139095040)
  %952 = select <4 x i1> %950, <4 x i32> %951, <4 x i32> %948
  %953 = sext <4 x i16> %942 to <4 x i32>
  %954 = and <4 x i32> %953, splat (i32 -2147483648)
  %955 = or <4 x i32> %952, %954
  %956 = bitcast <4 x i32> %955 to <4 x float>
  %957 = fcmp ole <4 x float> %940, %956
  %958 = fcmp uno <4 x float> %940, zeroinitializer
  %959 = or <4 x i1> %958, %957
  %960 = select <4 x i1> %959, <4 x float> %940, <4 x float> %956
  store <4 x float> %960, ptr %939, align 16, !alias.scope !83, !noalias !86
  %961 = add nuw i64 %938, 4
  %962 = icmp eq i64 %961, %794
  br i1 %962, label %963, label %937, !llvm.loop !90

963:                                              ; preds = %937
  br i1 %795, label %1041, label %964

964:                                              ; preds = %936, %963
  %965 = phi i64 [ 0, %936 ], [ %794, %963 ]
  br label %1015

966:                                              ; preds = %934, %966
  %967 = phi i64 [ %987, %966 ], [ %935, %934 ]
  %968 = getelementptr inbounds nuw float, ptr %6, i64 %967
  %969 = load float, ptr %968, align 4, !alias.scope !83, !noalias !86
  %970 = getelementptr inbounds nuw i16, ptr %878, i64 %967
  %971 = load i16, ptr %970, align 2, !alias.scope !86, !noalias !83
  %972 = zext i16 %971 to i32
  %973 = shl nuw nsw i32 %972, 13
  %974 = and i32 %973, 268427264
  %975 = bitcast i32 %974 to float
  %976 = fmul float %975, 0x46F0000000000000
  %977 = bitcast float %976 to i32
  %978 = and i32 %972, 31744
  %979 = icmp eq i32 %978, 31744
  %980 = or i32 %977, 2139095040
  %981 = select i1 %979, i32 %980, i32 %977
  %982 = sext i16 %971 to i32
  %983 = and i32 %982, -2147483648
  %984 = or i32 %981, %983
  %985 = bitcast i32 %984 to float
  %986 = fadd float %969, %985
  store float %986, ptr %968, align 4, !alias.scope !83, !noalias !86
  %987 = add nuw nsw i64 %967, 1
  %988 = icmp eq i64 %987, %445
  br i1 %988, label %1041, label %966, !llvm.loop !91

989:                                              ; preds = %907, %989
  %990 = phi i64 [ %1013, %989 ], [ %908, %907 ]
  %991 = getelementptr inbounds nuw float, ptr %6, i64 %990
  %992 = load float, ptr %991, align 4, !alias.scope !83, !noalias !86
  %993 = getelementptr inbounds nuw i16, ptr %878, i64 %990
  %994 = load i16, ptr %993, align 2, !alias.scope !86, !noalias !83
  %995 = zext i16 %994 to i32
  %996 = shl nuw nsw i32 %995, 13
  %997 = and i32 %996, 268427264
  %998 = bitcast i32 %997 to float
  %999 = fmul float %998, 0x46F0000000000000
  %1000 = bitcast float %999 to i32
  %1001 = and i32 %995, 31744
  %1002 = icmp eq i32 %1001, 31744
  %1003 = or i32 %1000, 2139095040
  %1004 = select i1 %1002, i32 %1003, i32 %1000
  %1005 = sext i16 %994 to i32
  %1006 = and i32 %1005, -2147483648
  %1007 = or i32 %1004, %1006
  %1008 = bitcast i32 %1007 to float
  %1009 = fcmp oge float %992, %1008
  %1010 = fcmp uno float %992, 0.000000e+00
  %1011 = or i1 %1010, %1009
  %1012 = select i1 %1011, float %992, float %1008
  store float %1012, ptr %991, align 4, !alias.scope !83, !noalias !86
  %1013 = add nuw nsw i64 %990, 1
  %1014 = icmp eq i64 %1013, %445
  br i1 %1014, label %1041, label %989, !llvm.loop !92

1015:                                             ; preds = %964, %1015
  %1016 = phi i64 [ %1039, %1015 ], [ %965, %964 ]
  %1017 = getelementptr inbounds nuw float, ptr %6, i64 %1016
  %1018 = load float, ptr %1017, align 4, !alias.scope !83, !noalias !86
  %1019 = getelementptr inbounds nuw i16, ptr %878, i64 %1016
  %1020 = load i16, ptr %1019, align 2, !alias.scope !86, !noalias !83
  %1021 = zext i16 %1020 to i32
  %1022 = shl nuw nsw i32 %1021, 13
  %1023 = and i32 %1022, 268427264
  %1024 = bitcast i32 %1023 to float
  %1025 = fmul float %1024, 0x46F0000000000000
  %1026 = bitcast float %1025 to i32
  %1027 = and i32 %1021, 31744
  %1028 = icmp eq i32 %1027, 31744
  %1029 = or i32 %1026, 2139095040
  %1030 = select i1 %1028, i32 %1029, i32 %1026
  %1031 = sext i16 %1020 to i32
  %1032 = and i32 %1031, -2147483648
  %1033 = or i32 %1030, %1032
  %1034 = bitcast i32 %1033 to float
  %1035 = fcmp ole float %1018, %1034
  %1036 = fcmp uno float %1018, 0.000000e+00
  %1037 = or i1 %1036, %1035
  %1038 = select i1 %1037, float %1018, float %1034
  store float %1038, ptr %1017, align 4, !alias.scope !83, !noalias !86
  %1039 = add nuw nsw i64 %1016, 1
  %1040 = icmp eq i64 %1039, %445
  br i1 %1040, label %1041, label %1015, !llvm.loop !93

1041:                                             ; preds = %989, %966, %1015, %906, %933, %963
  %1042 = add nuw nsw i64 %875, 1
  %1043 = icmp eq i64 %1042, %304
  br i1 %1043, label %796, label %874, !llvm.loop !94

1044:                                             ; preds = %306
  %1045 = getelementptr inbounds i8, ptr %305, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !95)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !98)
  %1046 = icmp ult i64 %386, 4
  br i1 %1046, label %1060, label %1047

1047:                                             ; preds = %1044
  %1048 = and i64 %386, -4
  br label %1049

1049:                                             ; preds = %1049, %1047
  %1050 = phi i64 [ 0, %1047 ], [ %1056, %1049 ]
  %1051 = getelementptr inbounds nuw i16, ptr %1045, i64 %1050
  %1052 = load <4 x i16>, ptr %1051, align 2, !alias.scope !98, !noalias !95
  %1053 = zext <4 x i16> %1052 to <4 x i32>
  %1054 = shl nuw <4 x i32> %1053, splat (i32 16)
  %1055 = getelementptr inbounds nuw float, ptr %6, i64 %1050
  store <4 x i32> %1054, ptr %1055, align 16, !alias.scope !95, !noalias !98
  %1056 = add nuw i64 %1050, 4
  %1057 = icmp eq i64 %1056, %1048
  br i1 %1057, label %1058, label %1049, !llvm.loop !100

1058:                                             ; preds = %1049
  %1059 = icmp eq i64 %386, %1048
  br i1 %1059, label %1071, label %1060

1060:                                             ; preds = %1044, %1058
  %1061 = phi i64 [ 0, %1044 ], [ %1048, %1058 ]
  br label %1062

1062:                                             ; preds = %1060, %1062
  %1063 = phi i64 [ %1069, %1062 ], [ %1061, %1060 ]
  %1064 = getelementptr inbounds nuw i16, ptr %1045, i64 %1063
  %1065 = load i16, ptr %1064, align 2, !alias.scope !98, !noalias !95
  %1066 = zext i16 %1065 to i32
  %1067 = shl nuw i32 %1066, 16
  %1068 = getelementptr inbounds nuw float, ptr %6, i64 %1063
  store i32 %1067, ptr %1068, align 4, !alias.scope !95, !noalias !98
  %1069 = add nuw nsw i64 %1063, 1
  %1070 = icmp eq i64 %1069, %445
  br i1 %1070, label %1071, label %1062, !llvm.loop !101

1071:                                             ; preds = %1062, %1058
  br i1 %303, label %1072, label %1082

1072:                                             ; preds = %1071
  %1073 = icmp ult i64 %389, 4
  %1074 = and i64 %389, -4
  %1075 = icmp eq i64 %389, %1074
  %1076 = icmp ult i64 %392, 4
  %1077 = and i64 %392, -4
  %1078 = icmp eq i64 %392, %1077
  %1079 = icmp ult i64 %395, 4
  %1080 = and i64 %395, -4
  %1081 = icmp eq i64 %395, %1080
  br label %1131

1082:                                             ; preds = %1232, %1071
  %1083 = getelementptr inbounds i8, ptr %300, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !102)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !105)
  %1084 = icmp ult i64 %398, 4
  br i1 %1084, label %1107, label %1085

1085:                                             ; preds = %1082
  %1086 = and i64 %398, -4
  br label %1087

1087:                                             ; preds = %1087, %1085
  %1088 = phi i64 [ 0, %1085 ], [ %1103, %1087 ]
  %1089 = getelementptr inbounds nuw float, ptr %6, i64 %1088
  %1090 = load <4 x float>, ptr %1089, align 16, !alias.scope !105, !noalias !102
  %1091 = fcmp uno <4 x float> %1090, zeroinitializer
  %1092 = bitcast <4 x float> %1090 to <4 x i32>
  %1093 = add <4 x i32> %1092, splat (i32 32767)
  %1094 = lshr <4 x i32> %1092, splat (i32 16)
  %1095 = and <4 x i32> %1094, splat (i32 1)
  %1096 = add <4 x i32> %1093, %1095
  %1097 = lshr <4 x i32> %1096, splat (i32 16)
  %1098 = trunc nuw <4 x i32> %1097 to <4 x i16>
  %1099 = trunc nuw <4 x i32> %1094 to <4 x i16>
  %1100 = or <4 x i16> %1099, splat (i16 64)
  %1101 = select <4 x i1> %1091, <4 x i16> %1100, <4 x i16> %1098
  %1102 = getelementptr inbounds nuw i16, ptr %1083, i64 %1088
  store <4 x i16> %1101, ptr %1102, align 2, !alias.scope !102, !noalias !105
  %1103 = add nuw i64 %1088, 4
  %1104 = icmp eq i64 %1103, %1086
  br i1 %1104, label %1105, label %1087, !llvm.loop !107

1105:                                             ; preds = %1087
  %1106 = icmp eq i64 %398, %1086
  br i1 %1106, label %2072, label %1107

1107:                                             ; preds = %1082, %1105
  %1108 = phi i64 [ 0, %1082 ], [ %1086, %1105 ]
  br label %1109

1109:                                             ; preds = %1107, %1126
  %1110 = phi i64 [ %1129, %1126 ], [ %1108, %1107 ]
  %1111 = getelementptr inbounds nuw float, ptr %6, i64 %1110
  %1112 = load float, ptr %1111, align 4, !alias.scope !105, !noalias !102
  %1113 = fcmp uno float %1112, 0.000000e+00
  %1114 = bitcast float %1112 to i32
  br i1 %1113, label %1115, label %1119

1115:                                             ; preds = %1109
  %1116 = lshr i32 %1114, 16
  %1117 = trunc nuw i32 %1116 to i16
  %1118 = or i16 %1117, 64
  br label %1126

1119:                                             ; preds = %1109
  %1120 = add i32 %1114, 32767
  %1121 = lshr i32 %1114, 16
  %1122 = and i32 %1121, 1
  %1123 = add i32 %1120, %1122
  %1124 = lshr i32 %1123, 16
  %1125 = trunc nuw i32 %1124 to i16
  br label %1126

1126:                                             ; preds = %1119, %1115
  %1127 = phi i16 [ %1118, %1115 ], [ %1125, %1119 ]
  %1128 = getelementptr inbounds nuw i16, ptr %1083, i64 %1110
  store i16 %1127, ptr %1128, align 2, !alias.scope !102, !noalias !105
  %1129 = add nuw nsw i64 %1110, 1
  %1130 = icmp eq i64 %1129, %445
  br i1 %1130, label %2072, label %1109, !llvm.loop !108

1131:                                             ; preds = %1072, %1232
  %1132 = phi i64 [ %1233, %1232 ], [ 1, %1072 ]
  %1133 = getelementptr inbounds nuw ptr, ptr %11, i64 %1132
  %1134 = load ptr, ptr %1133, align 8
  %1135 = getelementptr inbounds i8, ptr %1134, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !109)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !112)
  switch i32 %302, label %1171 [
    i32 0, label %1155
    i32 1, label %1136
  ]

1136:                                             ; preds = %1131
  br i1 %1073, label %1153, label %1137

1137:                                             ; preds = %1136, %1137
  %1138 = phi i64 [ %1150, %1137 ], [ 0, %1136 ]
  %1139 = getelementptr inbounds nuw float, ptr %6, i64 %1138
  %1140 = load <4 x float>, ptr %1139, align 16, !alias.scope !109, !noalias !112
  %1141 = getelementptr inbounds nuw i16, ptr %1135, i64 %1138
  %1142 = load <4 x i16>, ptr %1141, align 2, !alias.scope !112, !noalias !109
  %1143 = zext <4 x i16> %1142 to <4 x i32>
  %1144 = shl nuw <4 x i32> %1143, splat (i32 16)
  %1145 = bitcast <4 x i32> %1144 to <4 x float>
  %1146 = fcmp oge <4 x float> %1140, %1145
  %1147 = fcmp uno <4 x float> %1140, zeroinitializer
  %1148 = or <4 x i1> %1147, %1146
  %1149 = select <4 x i1> %1148, <4 x float> %1140, <4 x float> %1145
  store <4 x float> %1149, ptr %1139, align 16, !alias.scope !109, !noalias !112
  %1150 = add nuw i64 %1138, 4
  %1151 = icmp eq i64 %1150, %1074
  br i1 %1151, label %1152, label %1137, !llvm.loop !114

1152:                                             ; preds = %1137
  br i1 %1075, label %1232, label %1153

1153:                                             ; preds = %1136, %1152
  %1154 = phi i64 [ 0, %1136 ], [ %1074, %1152 ]
  br label %1202

1155:                                             ; preds = %1131
  br i1 %1076, label %1169, label %1156

1156:                                             ; preds = %1155, %1156
  %1157 = phi i64 [ %1166, %1156 ], [ 0, %1155 ]
  %1158 = getelementptr inbounds nuw float, ptr %6, i64 %1157
  %1159 = load <4 x float>, ptr %1158, align 16, !alias.scope !109, !noalias !112
  %1160 = getelementptr inbounds nuw i16, ptr %1135, i64 %1157
  %1161 = load <4 x i16>, ptr %1160, align 2, !alias.scope !112, !noalias !109
  %1162 = zext <4 x i16> %1161 to <4 x i32>
  %1163 = shl nuw <4 x i32> %1162, splat (i32 16)
  %1164 = bitcast <4 x i32> %1163 to <4 x float>
  %1165 = fadd <4 x float> %1159, %1164
  store <4 x float> %1165, ptr %1158, align 16, !alias.scope !109, !noalias !112
  %1166 = add nuw i64 %1157, 4
  %1167 = icmp eq i64 %1166, %1077
  br i1 %1167, label %1168, label %1156, !llvm.loop !115

1168:                                             ; preds = %1156
  br i1 %1078, label %1232, label %1169

1169:                                             ; preds = %1155, %1168
  %1170 = phi i64 [ 0, %1155 ], [ %1077, %1168 ]
  br label %1190

1171:                                             ; preds = %1131
  br i1 %1079, label %1188, label %1172

1172:                                             ; preds = %1171, %1172
  %1173 = phi i64 [ %1185, %1172 ], [ 0, %1171 ]
  %1174 = getelementptr inbounds nuw float, ptr %6, i64 %1173
  %1175 = load <4 x float>, ptr %1174, align 16, !alias.scope !109, !noalias !112
  %1176 = getelementptr inbounds nuw i16, ptr %1135, i64 %1173
  %1177 = load <4 x i16>, ptr %1176, align 2, !alias.scope !112, !noalias !109
  %1178 = zext <4 x i16> %1177 to <4 x i32>
  %1179 = shl nuw <4 x i32> %1178, splat (i32 16)
  %1180 = bitcast <4 x i32> %1179 to <4 x float>
  %1181 = fcmp ole <4 x float> %1175, %1180
  %1182 = fcmp uno <4 x float> %1175, zeroinitializer
  %1183 = or <4 x i1> %1182, %1181
  %1184 = select <4 x i1> %1183, <4 x float> %1175, <4 x float> %1180
  store <4 x float> %1184, ptr %1174, align 16, !alias.scope !109, !noalias !112
  %1185 = add nuw i64 %1173, 4
  %1186 = icmp eq i64 %1185, %1080
  br i1 %1186, label %1187, label %1172, !llvm.loop !116

1187:                                             ; preds = %1172
  br i1 %1081, label %1232, label %1188

1188:                                             ; preds = %1171, %1187
  %1189 = phi i64 [ 0, %1171 ], [ %1080, %1187 ]
  br label %1217

1190:                                             ; preds = %1169, %1190
  %1191 = phi i64 [ %1200, %1190 ], [ %1170, %1169 ]
  %1192 = getelementptr inbounds nuw float, ptr %6, i64 %1191
  %1193 = load float, ptr %1192, align 4, !alias.scope !109, !noalias !112
  %1194 = getelementptr inbounds nuw i16, ptr %1135, i64 %1191
  %1195 = load i16, ptr %1194, align 2, !alias.scope !112, !noalias !109
  %1196 = zext i16 %1195 to i32
  %1197 = shl nuw i32 %1196, 16
  %1198 = bitcast i32 %1197 to float
  %1199 = fadd float %1193, %1198
  store float %1199, ptr %1192, align 4, !alias.scope !109, !noalias !112
  %1200 = add nuw nsw i64 %1191, 1
  %1201 = icmp eq i64 %1200, %445
  br i1 %1201, label %1232, label %1190, !llvm.loop !117

1202:                                             ; preds = %1153, %1202
  %1203 = phi i64 [ %1215, %1202 ], [ %1154, %1153 ]
  %1204 = getelementptr inbounds nuw float, ptr %6, i64 %1203
  %1205 = load float, ptr %1204, align 4, !alias.scope !109, !noalias !112
  %1206 = getelementptr inbounds nuw i16, ptr %1135, i64 %1203
  %1207 = load i16, ptr %1206, align 2, !alias.scope !112, !noalias !109
  %1208 = zext i16 %1207 to i32
  %1209 = shl nuw i32 %1208, 16
  %1210 = bitcast i32 %1209 to float
  %1211 = fcmp oge float %1205, %1210
  %1212 = fcmp uno float %1205, 0.000000e+00
  %1213 = or i1 %1212, %1211
  %1214 = select i1 %1213, float %1205, float %1210
  store float %1214, ptr %1204, align 4, !alias.scope !109, !noalias !112
  %1215 = add nuw nsw i64 %1203, 1
  %1216 = icmp eq i64 %1215, %445
  br i1 %1216, label %1232, label %1202, !llvm.loop !118

1217:                                             ; preds = %1188, %1217
  %1218 = phi i64 [ %1230, %1217 ], [ %1189, %1188 ]
  %1219 = getelementptr inbounds nuw float, ptr %6, i64 %1218
  %1220 = load float, ptr %1219, align 4, !alias.scope !109, !noalias !112
  %1221 = getelementptr inbounds nuw i16, ptr %1135, i64 %1218
  %1222 = load i16, ptr %1221, align 2, !alias.scope !112, !noalias !109
  %1223 = zext i16 %1222 to i32
  %1224 = shl nuw i32 %1223, 16
  %1225 = bitcast i32 %1224 to float
  %1226 = fcmp ole float %1220, %1225
  %1227 = fcmp uno float %1220, 0.000000e+00
  %1228 = or i1 %1227, %1226
  %1229 = select i1 %1228, float %1220, float %1225
  store float %1229, ptr %1219, align 4, !alias.scope !109, !noalias !112
  %1230 = add nuw nsw i64 %1218, 1
  %1231 = icmp eq i64 %1230, %445
  br i1 %1231, label %1232, label %1217, !llvm.loop !119

1232:                                             ; preds = %1202, %1190, %1217, %1152, %1168, %1187
  %1233 = add nuw nsw i64 %1132, 1
  %1234 = icmp eq i64 %1233, %304
  br i1 %1234, label %1082, label %1131, !llvm.loop !120

1235:                                             ; preds = %306
  %1236 = getelementptr inbounds i8, ptr %305, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !121)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !124)
  %1237 = icmp ult i64 %371, 4
  br i1 %1237, label %1266, label %1238

1238:                                             ; preds = %1235
  %1239 = icmp ult i64 %371, 16
  br i1 %1239, label %1254, label %1240

1240:                                             ; preds = %1238
  %1241 = and i64 %371, 12
  %1242 = and i64 %371, -16
  br label %1243

1243:                                             ; preds = %1243, %1240
  %1244 = phi i64 [ 0, %1240 ], [ %1248, %1243 ]
  %1245 = getelementptr inbounds nuw i8, ptr %1236, i64 %1244
  %1246 = load <16 x i8>, ptr %1245, align 1, !alias.scope !124, !noalias !121
  %1247 = getelementptr inbounds nuw i8, ptr %6, i64 %1244
  store <16 x i8> %1246, ptr %1247, align 16, !alias.scope !121, !noalias !124
  %1248 = add nuw i64 %1244, 16
  %1249 = icmp eq i64 %1248, %1242
  br i1 %1249, label %1250, label %1243, !llvm.loop !126

1250:                                             ; preds = %1243
  %1251 = icmp eq i64 %371, %1242
  br i1 %1251, label %1275, label %1252

1252:                                             ; preds = %1250
  %1253 = icmp eq i64 %1241, 0
  br i1 %1253, label %1266, label %1254, !prof !127

1254:                                             ; preds = %1238, %1252
  %1255 = phi i64 [ %1242, %1252 ], [ 0, %1238 ]
  %1256 = and i64 %371, -4
  br label %1257

1257:                                             ; preds = %1257, %1254
  %1258 = phi i64 [ %1255, %1254 ], [ %1262, %1257 ]
  %1259 = getelementptr inbounds nuw i8, ptr %1236, i64 %1258
  %1260 = load <4 x i8>, ptr %1259, align 1, !alias.scope !124, !noalias !121
  %1261 = getelementptr inbounds nuw i8, ptr %6, i64 %1258
  store <4 x i8> %1260, ptr %1261, align 4, !alias.scope !121, !noalias !124
  %1262 = add nuw i64 %1258, 4
  %1263 = icmp eq i64 %1262, %1256
  br i1 %1263, label %1264, label %1257, !llvm.loop !128

1264:                                             ; preds = %1257
  %1265 = icmp eq i64 %371, %1256
  br i1 %1265, label %1275, label %1266

1266:                                             ; preds = %1235, %1252, %1264
  %1267 = phi i64 [ 0, %1235 ], [ %1242, %1252 ], [ %1256, %1264 ]
  br label %1268

1268:                                             ; preds = %1266, %1268
  %1269 = phi i64 [ %1273, %1268 ], [ %1267, %1266 ]
  %1270 = getelementptr inbounds nuw i8, ptr %1236, i64 %1269
  %1271 = load i8, ptr %1270, align 1, !alias.scope !124, !noalias !121
  %1272 = getelementptr inbounds nuw i8, ptr %6, i64 %1269
  store i8 %1271, ptr %1272, align 1, !alias.scope !121, !noalias !124
  %1273 = add nuw nsw i64 %1269, 1
  %1274 = icmp eq i64 %1273, %445
  br i1 %1274, label %1275, label %1268, !llvm.loop !129

1275:                                             ; preds = %1268, %1264, %1250
  br i1 %303, label %1276, label %1301

1276:                                             ; preds = %1275
  %1277 = icmp ult i64 %374, 4
  %1278 = icmp ult i64 %374, 16
  %1279 = and i64 %374, 12
  %1280 = and i64 %374, -16
  %1281 = icmp eq i64 %374, %1280
  %1282 = icmp eq i64 %1279, 0
  %1283 = and i64 %374, -4
  %1284 = icmp eq i64 %374, %1283
  %1285 = icmp ult i64 %377, 4
  %1286 = icmp ult i64 %377, 16
  %1287 = and i64 %377, 12
  %1288 = and i64 %377, -16
  %1289 = icmp eq i64 %377, %1288
  %1290 = icmp eq i64 %1287, 0
  %1291 = and i64 %377, -4
  %1292 = icmp eq i64 %377, %1291
  %1293 = icmp ult i64 %380, 4
  %1294 = icmp ult i64 %380, 16
  %1295 = and i64 %380, 12
  %1296 = and i64 %380, -16
  %1297 = icmp eq i64 %380, %1296
  %1298 = icmp eq i64 %1295, 0
  %1299 = and i64 %380, -4
  %1300 = icmp eq i64 %380, %1299
  br label %1341

1301:                                             ; preds = %1454, %1275
  %1302 = getelementptr inbounds i8, ptr %300, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !130)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !133)
  %1303 = icmp ult i64 %383, 4
  br i1 %1303, label %1332, label %1304

1304:                                             ; preds = %1301
  %1305 = icmp ult i64 %383, 16
  br i1 %1305, label %1320, label %1306

1306:                                             ; preds = %1304
  %1307 = and i64 %383, 12
  %1308 = and i64 %383, -16
  br label %1309

1309:                                             ; preds = %1309, %1306
  %1310 = phi i64 [ 0, %1306 ], [ %1314, %1309 ]
  %1311 = getelementptr inbounds nuw i8, ptr %6, i64 %1310
  %1312 = load <16 x i8>, ptr %1311, align 16, !alias.scope !133, !noalias !130
  %1313 = getelementptr inbounds nuw i8, ptr %1302, i64 %1310
  store <16 x i8> %1312, ptr %1313, align 1, !alias.scope !130, !noalias !133
  %1314 = add nuw i64 %1310, 16
  %1315 = icmp eq i64 %1314, %1308
  br i1 %1315, label %1316, label %1309, !llvm.loop !135

1316:                                             ; preds = %1309
  %1317 = icmp eq i64 %383, %1308
  br i1 %1317, label %2072, label %1318

1318:                                             ; preds = %1316
  %1319 = icmp eq i64 %1307, 0
  br i1 %1319, label %1332, label %1320, !prof !127

1320:                                             ; preds = %1304, %1318
  %1321 = phi i64 [ %1308, %1318 ], [ 0, %1304 ]
  %1322 = and i64 %383, -4
  br label %1323

1323:                                             ; preds = %1323, %1320
  %1324 = phi i64 [ %1321, %1320 ], [ %1328, %1323 ]
  %1325 = getelementptr inbounds nuw i8, ptr %6, i64 %1324
  %1326 = load <4 x i8>, ptr %1325, align 4, !alias.scope !133, !noalias !130
  %1327 = getelementptr inbounds nuw i8, ptr %1302, i64 %1324
  store <4 x i8> %1326, ptr %1327, align 1, !alias.scope !130, !noalias !133
  %1328 = add nuw i64 %1324, 4
  %1329 = icmp eq i64 %1328, %1322
  br i1 %1329, label %1330, label %1323, !llvm.loop !136

1330:                                             ; preds = %1323
  %1331 = icmp eq i64 %383, %1322
  br i1 %1331, label %2072, label %1332

1332:                                             ; preds = %1301, %1318, %1330
  %1333 = phi i64 [ 0, %1301 ], [ %1308, %1318 ], [ %1322, %1330 ]
  br label %1334

1334:                                             ; preds = %1332, %1334
  %1335 = phi i64 [ %1339, %1334 ], [ %1333, %1332 ]
  %1336 = getelementptr inbounds nuw i8, ptr %6, i64 %1335
  %1337 = load i8, ptr %1336, align 1, !alias.scope !133, !noalias !130
  %1338 = getelementptr inbounds nuw i8, ptr %1302, i64 %1335
  store i8 %1337, ptr %1338, align 1, !alias.scope !130, !noalias !133
  %1339 = add nuw nsw i64 %1335, 1
  %1340 = icmp eq i64 %1339, %445
  br i1 %1340, label %2072, label %1334, !llvm.loop !137

1341:                                             ; preds = %1276, %1454
  %1342 = phi i64 [ %1455, %1454 ], [ 1, %1276 ]
  %1343 = getelementptr inbounds nuw ptr, ptr %11, i64 %1342
  %1344 = load ptr, ptr %1343, align 8
  %1345 = getelementptr inbounds i8, ptr %1344, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !138)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !141)
  switch i32 %302, label %1400 [
    i32 0, label %1373
    i32 1, label %1346
  ]

1346:                                             ; preds = %1341
  br i1 %1277, label %1371, label %1347

1347:                                             ; preds = %1346
  br i1 %1278, label %1359, label %1348

1348:                                             ; preds = %1347, %1348
  %1349 = phi i64 [ %1355, %1348 ], [ 0, %1347 ]
  %1350 = getelementptr inbounds nuw i8, ptr %6, i64 %1349
  %1351 = load <16 x i8>, ptr %1350, align 16, !alias.scope !138, !noalias !141
  %1352 = getelementptr inbounds nuw i8, ptr %1345, i64 %1349
  %1353 = load <16 x i8>, ptr %1352, align 1, !alias.scope !141, !noalias !138
  %1354 = tail call <16 x i8> @llvm.smax.v16i8(<16 x i8> %1351, <16 x i8> %1353)
  store <16 x i8> %1354, ptr %1350, align 16, !alias.scope !138, !noalias !141
  %1355 = add nuw i64 %1349, 16
  %1356 = icmp eq i64 %1355, %1280
  br i1 %1356, label %1357, label %1348, !llvm.loop !143

1357:                                             ; preds = %1348
  br i1 %1281, label %1454, label %1358

1358:                                             ; preds = %1357
  br i1 %1282, label %1371, label %1359, !prof !127

1359:                                             ; preds = %1347, %1358
  %1360 = phi i64 [ %1280, %1358 ], [ 0, %1347 ]
  br label %1361

1361:                                             ; preds = %1361, %1359
  %1362 = phi i64 [ %1360, %1359 ], [ %1368, %1361 ]
  %1363 = getelementptr inbounds nuw i8, ptr %6, i64 %1362
  %1364 = load <4 x i8>, ptr %1363, align 4, !alias.scope !138, !noalias !141
  %1365 = getelementptr inbounds nuw i8, ptr %1345, i64 %1362
  %1366 = load <4 x i8>, ptr %1365, align 1, !alias.scope !141, !noalias !138
  %1367 = tail call <4 x i8> @llvm.smax.v4i8(<4 x i8> %1364, <4 x i8> %1366)
  store <4 x i8> %1367, ptr %1363, align 4, !alias.scope !138, !noalias !141
  %1368 = add nuw i64 %1362, 4
  %1369 = icmp eq i64 %1368, %1283
  br i1 %1369, label %1370, label %1361, !llvm.loop !144

1370:                                             ; preds = %1361
  br i1 %1284, label %1454, label %1371

1371:                                             ; preds = %1346, %1358, %1370
  %1372 = phi i64 [ 0, %1346 ], [ %1280, %1358 ], [ %1283, %1370 ]
  br label %1436

1373:                                             ; preds = %1341
  br i1 %1285, label %1398, label %1374

1374:                                             ; preds = %1373
  br i1 %1286, label %1386, label %1375

1375:                                             ; preds = %1374, %1375
  %1376 = phi i64 [ %1382, %1375 ], [ 0, %1374 ]
  %1377 = getelementptr inbounds nuw i8, ptr %6, i64 %1376
  %1378 = load <16 x i8>, ptr %1377, align 16, !alias.scope !138, !noalias !141
  %1379 = getelementptr inbounds nuw i8, ptr %1345, i64 %1376
  %1380 = load <16 x i8>, ptr %1379, align 1, !alias.scope !141, !noalias !138
  %1381 = add <16 x i8> %1380, %1378
  store <16 x i8> %1381, ptr %1377, align 16, !alias.scope !138, !noalias !141
  %1382 = add nuw i64 %1376, 16
  %1383 = icmp eq i64 %1382, %1288
  br i1 %1383, label %1384, label %1375, !llvm.loop !145

1384:                                             ; preds = %1375
  br i1 %1289, label %1454, label %1385

1385:                                             ; preds = %1384
  br i1 %1290, label %1398, label %1386, !prof !127

1386:                                             ; preds = %1374, %1385
  %1387 = phi i64 [ %1288, %1385 ], [ 0, %1374 ]
  br label %1388

1388:                                             ; preds = %1388, %1386
  %1389 = phi i64 [ %1387, %1386 ], [ %1395, %1388 ]
  %1390 = getelementptr inbounds nuw i8, ptr %6, i64 %1389
  %1391 = load <4 x i8>, ptr %1390, align 4, !alias.scope !138, !noalias !141
  %1392 = getelementptr inbounds nuw i8, ptr %1345, i64 %1389
  %1393 = load <4 x i8>, ptr %1392, align 1, !alias.scope !141, !noalias !138
  %1394 = add <4 x i8> %1393, %1391
  store <4 x i8> %1394, ptr %1390, align 4, !alias.scope !138, !noalias !141
  %1395 = add nuw i64 %1389, 4
  %1396 = icmp eq i64 %1395, %1291
  br i1 %1396, label %1397, label %1388, !llvm.loop !146

1397:                                             ; preds = %1388
  br i1 %1292, label %1454, label %1398

1398:                                             ; preds = %1373, %1385, %1397
  %1399 = phi i64 [ 0, %1373 ], [ %1288, %1385 ], [ %1291, %1397 ]
  br label %1427

1400:                                             ; preds = %1341
  br i1 %1293, label %1425, label %1401

1401:                                             ; preds = %1400
  br i1 %1294, label %1413, label %1402

1402:                                             ; preds = %1401, %1402
  %1403 = phi i64 [ %1409, %1402 ], [ 0, %1401 ]
  %1404 = getelementptr inbounds nuw i8, ptr %6, i64 %1403
  %1405 = load <16 x i8>, ptr %1404, align 16, !alias.scope !138, !noalias !141
  %1406 = getelementptr inbounds nuw i8, ptr %1345, i64 %1403
  %1407 = load <16 x i8>, ptr %1406, align 1, !alias.scope !141, !noalias !138
  %1408 = tail call <16 x i8> @llvm.smin.v16i8(<16 x i8> %1405, <16 x i8> %1407)
  store <16 x i8> %1408, ptr %1404, align 16, !alias.scope !138, !noalias !141
  %1409 = add nuw i64 %1403, 16
  %1410 = icmp eq i64 %1409, %1296
  br i1 %1410, label %1411, label %1402, !llvm.loop !147

1411:                                             ; preds = %1402
  br i1 %1297, label %1454, label %1412

1412:                                             ; preds = %1411
  br i1 %1298, label %1425, label %1413, !prof !127

1413:                                             ; preds = %1401, %1412
  %1414 = phi i64 [ %1296, %1412 ], [ 0, %1401 ]
  br label %1415

1415:                                             ; preds = %1415, %1413
  %1416 = phi i64 [ %1414, %1413 ], [ %1422, %1415 ]
  %1417 = getelementptr inbounds nuw i8, ptr %6, i64 %1416
  %1418 = load <4 x i8>, ptr %1417, align 4, !alias.scope !138, !noalias !141
  %1419 = getelementptr inbounds nuw i8, ptr %1345, i64 %1416
  %1420 = load <4 x i8>, ptr %1419, align 1, !alias.scope !141, !noalias !138
  %1421 = tail call <4 x i8> @llvm.smin.v4i8(<4 x i8> %1418, <4 x i8> %1420)
  store <4 x i8> %1421, ptr %1417, align 4, !alias.scope !138, !noalias !141
  %1422 = add nuw i64 %1416, 4
  %1423 = icmp eq i64 %1422, %1299
  br i1 %1423, label %1424, label %1415, !llvm.loop !148

1424:                                             ; preds = %1415
  br i1 %1300, label %1454, label %1425

1425:                                             ; preds = %1400, %1412, %1424
  %1426 = phi i64 [ 0, %1400 ], [ %1296, %1412 ], [ %1299, %1424 ]
  br label %1445

1427:                                             ; preds = %1398, %1427
  %1428 = phi i64 [ %1434, %1427 ], [ %1399, %1398 ]
  %1429 = getelementptr inbounds nuw i8, ptr %6, i64 %1428
  %1430 = load i8, ptr %1429, align 1, !alias.scope !138, !noalias !141
  %1431 = getelementptr inbounds nuw i8, ptr %1345, i64 %1428
  %1432 = load i8, ptr %1431, align 1, !alias.scope !141, !noalias !138
  %1433 = add i8 %1432, %1430
  store i8 %1433, ptr %1429, align 1, !alias.scope !138, !noalias !141
  %1434 = add nuw nsw i64 %1428, 1
  %1435 = icmp eq i64 %1434, %445
  br i1 %1435, label %1454, label %1427, !llvm.loop !149

1436:                                             ; preds = %1371, %1436
  %1437 = phi i64 [ %1443, %1436 ], [ %1372, %1371 ]
  %1438 = getelementptr inbounds nuw i8, ptr %6, i64 %1437
  %1439 = load i8, ptr %1438, align 1, !alias.scope !138, !noalias !141
  %1440 = getelementptr inbounds nuw i8, ptr %1345, i64 %1437
  %1441 = load i8, ptr %1440, align 1, !alias.scope !141, !noalias !138
  %1442 = tail call i8 @llvm.smax.i8(i8 %1439, i8 %1441)
  store i8 %1442, ptr %1438, align 1, !alias.scope !138, !noalias !141
  %1443 = add nuw nsw i64 %1437, 1
  %1444 = icmp eq i64 %1443, %445
  br i1 %1444, label %1454, label %1436, !llvm.loop !150

1445:                                             ; preds = %1425, %1445
  %1446 = phi i64 [ %1452, %1445 ], [ %1426, %1425 ]
  %1447 = getelementptr inbounds nuw i8, ptr %6, i64 %1446
  %1448 = load i8, ptr %1447, align 1, !alias.scope !138, !noalias !141
  %1449 = getelementptr inbounds nuw i8, ptr %1345, i64 %1446
  %1450 = load i8, ptr %1449, align 1, !alias.scope !141, !noalias !138
  %1451 = tail call i8 @llvm.smin.i8(i8 %1448, i8 %1450)
  store i8 %1451, ptr %1447, align 1, !alias.scope !138, !noalias !141
  %1452 = add nuw nsw i64 %1446, 1
  %1453 = icmp eq i64 %1452, %445
  br i1 %1453, label %1454, label %1445, !llvm.loop !151

1454:                                             ; preds = %1436, %1427, %1445, %1357, %1370, %1384, %1397, %1411, %1424
  %1455 = add nuw nsw i64 %1342, 1
  %1456 = icmp eq i64 %1455, %304
  br i1 %1456, label %1301, label %1341, !llvm.loop !152

1457:                                             ; preds = %306
  %1458 = getelementptr inbounds i8, ptr %305, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !153)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !156)
  %1459 = icmp ult i64 %356, 4
  br i1 %1459, label %1488, label %1460

1460:                                             ; preds = %1457
  %1461 = icmp ult i64 %356, 16
  br i1 %1461, label %1476, label %1462

1462:                                             ; preds = %1460
  %1463 = and i64 %356, 12
  %1464 = and i64 %356, -16
  br label %1465

1465:                                             ; preds = %1465, %1462
  %1466 = phi i64 [ 0, %1462 ], [ %1470, %1465 ]
  %1467 = getelementptr inbounds nuw i8, ptr %1458, i64 %1466
  %1468 = load <16 x i8>, ptr %1467, align 1, !alias.scope !156, !noalias !153
  %1469 = getelementptr inbounds nuw i8, ptr %6, i64 %1466
  store <16 x i8> %1468, ptr %1469, align 16, !alias.scope !153, !noalias !156
  %1470 = add nuw i64 %1466, 16
  %1471 = icmp eq i64 %1470, %1464
  br i1 %1471, label %1472, label %1465, !llvm.loop !158

1472:                                             ; preds = %1465
  %1473 = icmp eq i64 %356, %1464
  br i1 %1473, label %1497, label %1474

1474:                                             ; preds = %1472
  %1475 = icmp eq i64 %1463, 0
  br i1 %1475, label %1488, label %1476, !prof !127

1476:                                             ; preds = %1460, %1474
  %1477 = phi i64 [ %1464, %1474 ], [ 0, %1460 ]
  %1478 = and i64 %356, -4
  br label %1479

1479:                                             ; preds = %1479, %1476
  %1480 = phi i64 [ %1477, %1476 ], [ %1484, %1479 ]
  %1481 = getelementptr inbounds nuw i8, ptr %1458, i64 %1480
  %1482 = load <4 x i8>, ptr %1481, align 1, !alias.scope !156, !noalias !153
  %1483 = getelementptr inbounds nuw i8, ptr %6, i64 %1480
  store <4 x i8> %1482, ptr %1483, align 4, !alias.scope !153, !noalias !156
  %1484 = add nuw i64 %1480, 4
  %1485 = icmp eq i64 %1484, %1478
  br i1 %1485, label %1486, label %1479, !llvm.loop !159

1486:                                             ; preds = %1479
  %1487 = icmp eq i64 %356, %1478
  br i1 %1487, label %1497, label %1488

1488:                                             ; preds = %1457, %1474, %1486
  %1489 = phi i64 [ 0, %1457 ], [ %1464, %1474 ], [ %1478, %1486 ]
  br label %1490

1490:                                             ; preds = %1488, %1490
  %1491 = phi i64 [ %1495, %1490 ], [ %1489, %1488 ]
  %1492 = getelementptr inbounds nuw i8, ptr %1458, i64 %1491
  %1493 = load i8, ptr %1492, align 1, !alias.scope !156, !noalias !153
  %1494 = getelementptr inbounds nuw i8, ptr %6, i64 %1491
  store i8 %1493, ptr %1494, align 1, !alias.scope !153, !noalias !156
  %1495 = add nuw nsw i64 %1491, 1
  %1496 = icmp eq i64 %1495, %445
  br i1 %1496, label %1497, label %1490, !llvm.loop !160

1497:                                             ; preds = %1490, %1486, %1472
  br i1 %303, label %1498, label %1523

1498:                                             ; preds = %1497
  %1499 = icmp ult i64 %359, 4
  %1500 = icmp ult i64 %359, 16
  %1501 = and i64 %359, 12
  %1502 = and i64 %359, -16
  %1503 = icmp eq i64 %359, %1502
  %1504 = icmp eq i64 %1501, 0
  %1505 = and i64 %359, -4
  %1506 = icmp eq i64 %359, %1505
  %1507 = icmp ult i64 %362, 4
  %1508 = icmp ult i64 %362, 16
  %1509 = and i64 %362, 12
  %1510 = and i64 %362, -16
  %1511 = icmp eq i64 %362, %1510
  %1512 = icmp eq i64 %1509, 0
  %1513 = and i64 %362, -4
  %1514 = icmp eq i64 %362, %1513
  %1515 = icmp ult i64 %365, 4
  %1516 = icmp ult i64 %365, 16
  %1517 = and i64 %365, 12
  %1518 = and i64 %365, -16
  %1519 = icmp eq i64 %365, %1518
  %1520 = icmp eq i64 %1517, 0
  %1521 = and i64 %365, -4
  %1522 = icmp eq i64 %365, %1521
  br label %1563

1523:                                             ; preds = %1676, %1497
  %1524 = getelementptr inbounds i8, ptr %300, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !161)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !164)
  %1525 = icmp ult i64 %368, 4
  br i1 %1525, label %1554, label %1526

1526:                                             ; preds = %1523
  %1527 = icmp ult i64 %368, 16
  br i1 %1527, label %1542, label %1528

1528:                                             ; preds = %1526
  %1529 = and i64 %368, 12
  %1530 = and i64 %368, -16
  br label %1531

1531:                                             ; preds = %1531, %1528
  %1532 = phi i64 [ 0, %1528 ], [ %1536, %1531 ]
  %1533 = getelementptr inbounds nuw i8, ptr %6, i64 %1532
  %1534 = load <16 x i8>, ptr %1533, align 16, !alias.scope !164, !noalias !161
  %1535 = getelementptr inbounds nuw i8, ptr %1524, i64 %1532
  store <16 x i8> %1534, ptr %1535, align 1, !alias.scope !161, !noalias !164
  %1536 = add nuw i64 %1532, 16
  %1537 = icmp eq i64 %1536, %1530
  br i1 %1537, label %1538, label %1531, !llvm.loop !166

1538:                                             ; preds = %1531
  %1539 = icmp eq i64 %368, %1530
  br i1 %1539, label %2072, label %1540

1540:                                             ; preds = %1538
  %1541 = icmp eq i64 %1529, 0
  br i1 %1541, label %1554, label %1542, !prof !127

1542:                                             ; preds = %1526, %1540
  %1543 = phi i64 [ %1530, %1540 ], [ 0, %1526 ]
  %1544 = and i64 %368, -4
  br label %1545

1545:                                             ; preds = %1545, %1542
  %1546 = phi i64 [ %1543, %1542 ], [ %1550, %1545 ]
  %1547 = getelementptr inbounds nuw i8, ptr %6, i64 %1546
  %1548 = load <4 x i8>, ptr %1547, align 4, !alias.scope !164, !noalias !161
  %1549 = getelementptr inbounds nuw i8, ptr %1524, i64 %1546
  store <4 x i8> %1548, ptr %1549, align 1, !alias.scope !161, !noalias !164
  %1550 = add nuw i64 %1546, 4
  %1551 = icmp eq i64 %1550, %1544
  br i1 %1551, label %1552, label %1545, !llvm.loop !167

1552:                                             ; preds = %1545
  %1553 = icmp eq i64 %368, %1544
  br i1 %1553, label %2072, label %1554

1554:                                             ; preds = %1523, %1540, %1552
  %1555 = phi i64 [ 0, %1523 ], [ %1530, %1540 ], [ %1544, %1552 ]
  br label %1556

1556:                                             ; preds = %1554, %1556
  %1557 = phi i64 [ %1561, %1556 ], [ %1555, %1554 ]
  %1558 = getelementptr inbounds nuw i8, ptr %6, i64 %1557
  %1559 = load i8, ptr %1558, align 1, !alias.scope !164, !noalias !161
  %1560 = getelementptr inbounds nuw i8, ptr %1524, i64 %1557
  store i8 %1559, ptr %1560, align 1, !alias.scope !161, !noalias !164
  %1561 = add nuw nsw i64 %1557, 1
  %1562 = icmp eq i64 %1561, %445
  br i1 %1562, label %2072, label %1556, !llvm.loop !168

1563:                                             ; preds = %1498, %1676
  %1564 = phi i64 [ %1677, %1676 ], [ 1, %1498 ]
  %1565 = getelementptr inbounds nuw ptr, ptr %11, i64 %1564
  %1566 = load ptr, ptr %1565, align 8
  %1567 = getelementptr inbounds i8, ptr %1566, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !169)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !172)
  switch i32 %302, label %1622 [
    i32 0, label %1595
    i32 1, label %1568
  ]

1568:                                             ; preds = %1563
  br i1 %1499, label %1593, label %1569

1569:                                             ; preds = %1568
  br i1 %1500, label %1581, label %1570

1570:                                             ; preds = %1569, %1570
  %1571 = phi i64 [ %1577, %1570 ], [ 0, %1569 ]
  %1572 = getelementptr inbounds nuw i8, ptr %6, i64 %1571
  %1573 = load <16 x i8>, ptr %1572, align 16, !alias.scope !169, !noalias !172
  %1574 = getelementptr inbounds nuw i8, ptr %1567, i64 %1571
  %1575 = load <16 x i8>, ptr %1574, align 1, !alias.scope !172, !noalias !169
  %1576 = tail call <16 x i8> @llvm.umax.v16i8(<16 x i8> %1573, <16 x i8> %1575)
  store <16 x i8> %1576, ptr %1572, align 16, !alias.scope !169, !noalias !172
  %1577 = add nuw i64 %1571, 16
  %1578 = icmp eq i64 %1577, %1502
  br i1 %1578, label %1579, label %1570, !llvm.loop !174

1579:                                             ; preds = %1570
  br i1 %1503, label %1676, label %1580

1580:                                             ; preds = %1579
  br i1 %1504, label %1593, label %1581, !prof !127

1581:                                             ; preds = %1569, %1580
  %1582 = phi i64 [ %1502, %1580 ], [ 0, %1569 ]
  br label %1583

1583:                                             ; preds = %1583, %1581
  %1584 = phi i64 [ %1582, %1581 ], [ %1590, %1583 ]
  %1585 = getelementptr inbounds nuw i8, ptr %6, i64 %1584
  %1586 = load <4 x i8>, ptr %1585, align 4, !alias.scope !169, !noalias !172
  %1587 = getelementptr inbounds nuw i8, ptr %1567, i64 %1584
  %1588 = load <4 x i8>, ptr %1587, align 1, !alias.scope !172, !noalias !169
  %1589 = tail call <4 x i8> @llvm.umax.v4i8(<4 x i8> %1586, <4 x i8> %1588)
  store <4 x i8> %1589, ptr %1585, align 4, !alias.scope !169, !noalias !172
  %1590 = add nuw i64 %1584, 4
  %1591 = icmp eq i64 %1590, %1505
  br i1 %1591, label %1592, label %1583, !llvm.loop !175

1592:                                             ; preds = %1583
  br i1 %1506, label %1676, label %1593

1593:                                             ; preds = %1568, %1580, %1592
  %1594 = phi i64 [ 0, %1568 ], [ %1502, %1580 ], [ %1505, %1592 ]
  br label %1658

1595:                                             ; preds = %1563
  br i1 %1507, label %1620, label %1596

1596:                                             ; preds = %1595
  br i1 %1508, label %1608, label %1597

1597:                                             ; preds = %1596, %1597
  %1598 = phi i64 [ %1604, %1597 ], [ 0, %1596 ]
  %1599 = getelementptr inbounds nuw i8, ptr %6, i64 %1598
  %1600 = load <16 x i8>, ptr %1599, align 16, !alias.scope !169, !noalias !172
  %1601 = getelementptr inbounds nuw i8, ptr %1567, i64 %1598
  %1602 = load <16 x i8>, ptr %1601, align 1, !alias.scope !172, !noalias !169
  %1603 = add <16 x i8> %1602, %1600
  store <16 x i8> %1603, ptr %1599, align 16, !alias.scope !169, !noalias !172
  %1604 = add nuw i64 %1598, 16
  %1605 = icmp eq i64 %1604, %1510
  br i1 %1605, label %1606, label %1597, !llvm.loop !176

1606:                                             ; preds = %1597
  br i1 %1511, label %1676, label %1607

1607:                                             ; preds = %1606
  br i1 %1512, label %1620, label %1608, !prof !127

1608:                                             ; preds = %1596, %1607
  %1609 = phi i64 [ %1510, %1607 ], [ 0, %1596 ]
  br label %1610

1610:                                             ; preds = %1610, %1608
  %1611 = phi i64 [ %1609, %1608 ], [ %1617, %1610 ]
  %1612 = getelementptr inbounds nuw i8, ptr %6, i64 %1611
  %1613 = load <4 x i8>, ptr %1612, align 4, !alias.scope !169, !noalias !172
  %1614 = getelementptr inbounds nuw i8, ptr %1567, i64 %1611
  %1615 = load <4 x i8>, ptr %1614, align 1, !alias.scope !172, !noalias !169
  %1616 = add <4 x i8> %1615, %1613
  store <4 x i8> %1616, ptr %1612, align 4, !alias.scope !169, !noalias !172
  %1617 = add nuw i64 %1611, 4
  %1618 = icmp eq i64 %1617, %1513
  br i1 %1618, label %1619, label %1610, !llvm.loop !177

1619:                                             ; preds = %1610
  br i1 %1514, label %1676, label %1620

1620:                                             ; preds = %1595, %1607, %1619
  %1621 = phi i64 [ 0, %1595 ], [ %1510, %1607 ], [ %1513, %1619 ]
  br label %1649

1622:                                             ; preds = %1563
  br i1 %1515, label %1647, label %1623

1623:                                             ; preds = %1622
  br i1 %1516, label %1635, label %1624

1624:                                             ; preds = %1623, %1624
  %1625 = phi i64 [ %1631, %1624 ], [ 0, %1623 ]
  %1626 = getelementptr inbounds nuw i8, ptr %6, i64 %1625
  %1627 = load <16 x i8>, ptr %1626, align 16, !alias.scope !169, !noalias !172
  %1628 = getelementptr inbounds nuw i8, ptr %1567, i64 %1625
  %1629 = load <16 x i8>, ptr %1628, align 1, !alias.scope !172, !noalias !169
  %1630 = tail call <16 x i8> @llvm.umin.v16i8(<16 x i8> %1627, <16 x i8> %1629)
  store <16 x i8> %1630, ptr %1626, align 16, !alias.scope !169, !noalias !172
  %1631 = add nuw i64 %1625, 16
  %1632 = icmp eq i64 %1631, %1518
  br i1 %1632, label %1633, label %1624, !llvm.loop !178

1633:                                             ; preds = %1624
  br i1 %1519, label %1676, label %1634

1634:                                             ; preds = %1633
  br i1 %1520, label %1647, label %1635, !prof !127

1635:                                             ; preds = %1623, %1634
  %1636 = phi i64 [ %1518, %1634 ], [ 0, %1623 ]
  br label %1637

1637:                                             ; preds = %1637, %1635
  %1638 = phi i64 [ %1636, %1635 ], [ %1644, %1637 ]
  %1639 = getelementptr inbounds nuw i8, ptr %6, i64 %1638
  %1640 = load <4 x i8>, ptr %1639, align 4, !alias.scope !169, !noalias !172
  %1641 = getelementptr inbounds nuw i8, ptr %1567, i64 %1638
  %1642 = load <4 x i8>, ptr %1641, align 1, !alias.scope !172, !noalias !169
  %1643 = tail call <4 x i8> @llvm.umin.v4i8(<4 x i8> %1640, <4 x i8> %1642)
  store <4 x i8> %1643, ptr %1639, align 4, !alias.scope !169, !noalias !172
  %1644 = add nuw i64 %1638, 4
  %1645 = icmp eq i64 %1644, %1521
  br i1 %1645, label %1646, label %1637, !llvm.loop !179

1646:                                             ; preds = %1637
  br i1 %1522, label %1676, label %1647

1647:                                             ; preds = %1622, %1634, %1646
  %1648 = phi i64 [ 0, %1622 ], [ %1518, %1634 ], [ %1521, %1646 ]
  br label %1667

1649:                                             ; preds = %1620, %1649
  %1650 = phi i64 [ %1656, %1649 ], [ %1621, %1620 ]
  %1651 = getelementptr inbounds nuw i8, ptr %6, i64 %1650
  %1652 = load i8, ptr %1651, align 1, !alias.scope !169, !noalias !172
  %1653 = getelementptr inbounds nuw i8, ptr %1567, i64 %1650
  %1654 = load i8, ptr %1653, align 1, !alias.scope !172, !noalias !169
  %1655 = add i8 %1654, %1652
  store i8 %1655, ptr %1651, align 1, !alias.scope !169, !noalias !172
  %1656 = add nuw nsw i64 %1650, 1
  %1657 = icmp eq i64 %1656, %445
  br i1 %1657, label %1676, label %1649, !llvm.loop !180

1658:                                             ; preds = %1593, %1658
  %1659 = phi i64 [ %1665, %1658 ], [ %1594, %1593 ]
  %1660 = getelementptr inbounds nuw i8, ptr %6, i64 %1659
  %1661 = load i8, ptr %1660, align 1, !alias.scope !169, !noalias !172
  %1662 = getelementptr inbounds nuw i8, ptr %1567, i64 %1659
  %1663 = load i8, ptr %1662, align 1, !alias.scope !172, !noalias !169
  %1664 = tail call i8 @llvm.umax.i8(i8 %1661, i8 %1663)
  store i8 %1664, ptr %1660, align 1, !alias.scope !169, !noalias !172
  %1665 = add nuw nsw i64 %1659, 1
  %1666 = icmp eq i64 %1665, %445
  br i1 %1666, label %1676, label %1658, !llvm.loop !181

1667:                                             ; preds = %1647, %1667
  %1668 = phi i64 [ %1674, %1667 ], [ %1648, %1647 ]
  %1669 = getelementptr inbounds nuw i8, ptr %6, i64 %1668
  %1670 = load i8, ptr %1669, align 1, !alias.scope !169, !noalias !172
  %1671 = getelementptr inbounds nuw i8, ptr %1567, i64 %1668
  %1672 = load i8, ptr %1671, align 1, !alias.scope !172, !noalias !169
  %1673 = tail call i8 @llvm.umin.i8(i8 %1670, i8 %1672)
  store i8 %1673, ptr %1669, align 1, !alias.scope !169, !noalias !172
  %1674 = add nuw nsw i64 %1668, 1
  %1675 = icmp eq i64 %1674, %445
  br i1 %1675, label %1676, label %1667, !llvm.loop !182

1676:                                             ; preds = %1658, %1649, %1667, %1579, %1592, %1606, %1619, %1633, %1646
  %1677 = add nuw nsw i64 %1564, 1
  %1678 = icmp eq i64 %1677, %304
  br i1 %1678, label %1523, label %1563, !llvm.loop !183

1679:                                             ; preds = %306
  %1680 = getelementptr inbounds i8, ptr %305, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !184)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !187)
  %1681 = icmp ult i64 %341, 8
  br i1 %1681, label %1693, label %1682

1682:                                             ; preds = %1679
  %1683 = and i64 %341, -8
  br label %1684

1684:                                             ; preds = %1684, %1682
  %1685 = phi i64 [ 0, %1682 ], [ %1689, %1684 ]
  %1686 = getelementptr inbounds nuw i16, ptr %1680, i64 %1685
  %1687 = load <8 x i16>, ptr %1686, align 2, !alias.scope !187, !noalias !184
  %1688 = getelementptr inbounds nuw i16, ptr %6, i64 %1685
  store <8 x i16> %1687, ptr %1688, align 16, !alias.scope !184, !noalias !187
  %1689 = add nuw i64 %1685, 8
  %1690 = icmp eq i64 %1689, %1683
  br i1 %1690, label %1691, label %1684, !llvm.loop !189

1691:                                             ; preds = %1684
  %1692 = icmp eq i64 %341, %1683
  br i1 %1692, label %1702, label %1693

1693:                                             ; preds = %1679, %1691
  %1694 = phi i64 [ 0, %1679 ], [ %1683, %1691 ]
  br label %1695

1695:                                             ; preds = %1693, %1695
  %1696 = phi i64 [ %1700, %1695 ], [ %1694, %1693 ]
  %1697 = getelementptr inbounds nuw i16, ptr %1680, i64 %1696
  %1698 = load i16, ptr %1697, align 2, !alias.scope !187, !noalias !184
  %1699 = getelementptr inbounds nuw i16, ptr %6, i64 %1696
  store i16 %1698, ptr %1699, align 2, !alias.scope !184, !noalias !187
  %1700 = add nuw nsw i64 %1696, 1
  %1701 = icmp eq i64 %1700, %445
  br i1 %1701, label %1702, label %1695, !llvm.loop !190

1702:                                             ; preds = %1695, %1691
  br i1 %303, label %1703, label %1713

1703:                                             ; preds = %1702
  %1704 = icmp ult i64 %344, 8
  %1705 = and i64 %344, -8
  %1706 = icmp eq i64 %344, %1705
  %1707 = icmp ult i64 %347, 8
  %1708 = and i64 %347, -8
  %1709 = icmp eq i64 %347, %1708
  %1710 = icmp ult i64 %350, 8
  %1711 = and i64 %350, -8
  %1712 = icmp eq i64 %350, %1711
  br label %1736

1713:                                             ; preds = %1807, %1702
  %1714 = getelementptr inbounds i8, ptr %300, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !191)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !194)
  %1715 = icmp ult i64 %353, 8
  br i1 %1715, label %1727, label %1716

1716:                                             ; preds = %1713
  %1717 = and i64 %353, -8
  br label %1718

1718:                                             ; preds = %1718, %1716
  %1719 = phi i64 [ 0, %1716 ], [ %1723, %1718 ]
  %1720 = getelementptr inbounds nuw i16, ptr %6, i64 %1719
  %1721 = load <8 x i16>, ptr %1720, align 16, !alias.scope !194, !noalias !191
  %1722 = getelementptr inbounds nuw i16, ptr %1714, i64 %1719
  store <8 x i16> %1721, ptr %1722, align 2, !alias.scope !191, !noalias !194
  %1723 = add nuw i64 %1719, 8
  %1724 = icmp eq i64 %1723, %1717
  br i1 %1724, label %1725, label %1718, !llvm.loop !196

1725:                                             ; preds = %1718
  %1726 = icmp eq i64 %353, %1717
  br i1 %1726, label %2072, label %1727

1727:                                             ; preds = %1713, %1725
  %1728 = phi i64 [ 0, %1713 ], [ %1717, %1725 ]
  br label %1729

1729:                                             ; preds = %1727, %1729
  %1730 = phi i64 [ %1734, %1729 ], [ %1728, %1727 ]
  %1731 = getelementptr inbounds nuw i16, ptr %6, i64 %1730
  %1732 = load i16, ptr %1731, align 2, !alias.scope !194, !noalias !191
  %1733 = getelementptr inbounds nuw i16, ptr %1714, i64 %1730
  store i16 %1732, ptr %1733, align 2, !alias.scope !191, !noalias !194
  %1734 = add nuw nsw i64 %1730, 1
  %1735 = icmp eq i64 %1734, %445
  br i1 %1735, label %2072, label %1729, !llvm.loop !197

1736:                                             ; preds = %1703, %1807
  %1737 = phi i64 [ %1808, %1807 ], [ 1, %1703 ]
  %1738 = getelementptr inbounds nuw ptr, ptr %11, i64 %1737
  %1739 = load ptr, ptr %1738, align 8
  %1740 = getelementptr inbounds i8, ptr %1739, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !198)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !201)
  switch i32 %302, label %1767 [
    i32 0, label %1754
    i32 1, label %1741
  ]

1741:                                             ; preds = %1736
  br i1 %1704, label %1752, label %1742

1742:                                             ; preds = %1741, %1742
  %1743 = phi i64 [ %1749, %1742 ], [ 0, %1741 ]
  %1744 = getelementptr inbounds nuw i16, ptr %6, i64 %1743
  %1745 = load <8 x i16>, ptr %1744, align 16, !alias.scope !198, !noalias !201
  %1746 = getelementptr inbounds nuw i16, ptr %1740, i64 %1743
  %1747 = load <8 x i16>, ptr %1746, align 2, !alias.scope !201, !noalias !198
  %1748 = tail call <8 x i16> @llvm.smax.v8i16(<8 x i16> %1745, <8 x i16> %1747)
  store <8 x i16> %1748, ptr %1744, align 16, !alias.scope !198, !noalias !201
  %1749 = add nuw i64 %1743, 8
  %1750 = icmp eq i64 %1749, %1705
  br i1 %1750, label %1751, label %1742, !llvm.loop !203

1751:                                             ; preds = %1742
  br i1 %1706, label %1807, label %1752

1752:                                             ; preds = %1741, %1751
  %1753 = phi i64 [ 0, %1741 ], [ %1705, %1751 ]
  br label %1789

1754:                                             ; preds = %1736
  br i1 %1707, label %1765, label %1755

1755:                                             ; preds = %1754, %1755
  %1756 = phi i64 [ %1762, %1755 ], [ 0, %1754 ]
  %1757 = getelementptr inbounds nuw i16, ptr %6, i64 %1756
  %1758 = load <8 x i16>, ptr %1757, align 16, !alias.scope !198, !noalias !201
  %1759 = getelementptr inbounds nuw i16, ptr %1740, i64 %1756
  %1760 = load <8 x i16>, ptr %1759, align 2, !alias.scope !201, !noalias !198
  %1761 = add <8 x i16> %1760, %1758
  store <8 x i16> %1761, ptr %1757, align 16, !alias.scope !198, !noalias !201
  %1762 = add nuw i64 %1756, 8
  %1763 = icmp eq i64 %1762, %1708
  br i1 %1763, label %1764, label %1755, !llvm.loop !204

1764:                                             ; preds = %1755
  br i1 %1709, label %1807, label %1765

1765:                                             ; preds = %1754, %1764
  %1766 = phi i64 [ 0, %1754 ], [ %1708, %1764 ]
  br label %1780

1767:                                             ; preds = %1736
  br i1 %1710, label %1778, label %1768

1768:                                             ; preds = %1767, %1768
  %1769 = phi i64 [ %1775, %1768 ], [ 0, %1767 ]
  %1770 = getelementptr inbounds nuw i16, ptr %6, i64 %1769
  %1771 = load <8 x i16>, ptr %1770, align 16, !alias.scope !198, !noalias !201
  %1772 = getelementptr inbounds nuw i16, ptr %1740, i64 %1769
  %1773 = load <8 x i16>, ptr %1772, align 2, !alias.scope !201, !noalias !198
  %1774 = tail call <8 x i16> @llvm.smin.v8i16(<8 x i16> %1771, <8 x i16> %1773)
  store <8 x i16> %1774, ptr %1770, align 16, !alias.scope !198, !noalias !201
  %1775 = add nuw i64 %1769, 8
  %1776 = icmp eq i64 %1775, %1711
  br i1 %1776, label %1777, label %1768, !llvm.loop !205

1777:                                             ; preds = %1768
  br i1 %1712, label %1807, label %1778

1778:                                             ; preds = %1767, %1777
  %1779 = phi i64 [ 0, %1767 ], [ %1711, %1777 ]
  br label %1798

1780:                                             ; preds = %1765, %1780
  %1781 = phi i64 [ %1787, %1780 ], [ %1766, %1765 ]
  %1782 = getelementptr inbounds nuw i16, ptr %6, i64 %1781
  %1783 = load i16, ptr %1782, align 2, !alias.scope !198, !noalias !201
  %1784 = getelementptr inbounds nuw i16, ptr %1740, i64 %1781
  %1785 = load i16, ptr %1784, align 2, !alias.scope !201, !noalias !198
  %1786 = add i16 %1785, %1783
  store i16 %1786, ptr %1782, align 2, !alias.scope !198, !noalias !201
  %1787 = add nuw nsw i64 %1781, 1
  %1788 = icmp eq i64 %1787, %445
  br i1 %1788, label %1807, label %1780, !llvm.loop !206

1789:                                             ; preds = %1752, %1789
  %1790 = phi i64 [ %1796, %1789 ], [ %1753, %1752 ]
  %1791 = getelementptr inbounds nuw i16, ptr %6, i64 %1790
  %1792 = load i16, ptr %1791, align 2, !alias.scope !198, !noalias !201
  %1793 = getelementptr inbounds nuw i16, ptr %1740, i64 %1790
  %1794 = load i16, ptr %1793, align 2, !alias.scope !201, !noalias !198
  %1795 = tail call i16 @llvm.smax.i16(i16 %1792, i16 %1794)
  store i16 %1795, ptr %1791, align 2, !alias.scope !198, !noalias !201
  %1796 = add nuw nsw i64 %1790, 1
  %1797 = icmp eq i64 %1796, %445
  br i1 %1797, label %1807, label %1789, !llvm.loop !207

1798:                                             ; preds = %1778, %1798
  %1799 = phi i64 [ %1805, %1798 ], [ %1779, %1778 ]
  %1800 = getelementptr inbounds nuw i16, ptr %6, i64 %1799
  %1801 = load i16, ptr %1800, align 2, !alias.scope !198, !noalias !201
  %1802 = getelementptr inbounds nuw i16, ptr %1740, i64 %1799
  %1803 = load i16, ptr %1802, align 2, !alias.scope !201, !noalias !198
  %1804 = tail call i16 @llvm.smin.i16(i16 %1801, i16 %1803)
  store i16 %1804, ptr %1800, align 2, !alias.scope !198, !noalias !201
  %1805 = add nuw nsw i64 %1799, 1
  %1806 = icmp eq i64 %1805, %445
  br i1 %1806, label %1807, label %1798, !llvm.loop !208

1807:                                             ; preds = %1789, %1780, %1798, %1751, %1764, %1777
  %1808 = add nuw nsw i64 %1737, 1
  %1809 = icmp eq i64 %1808, %304
  br i1 %1809, label %1713, label %1736, !llvm.loop !209

1810:                                             ; preds = %306
  %1811 = getelementptr inbounds i8, ptr %305, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !210)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !213)
  %1812 = icmp ult i64 %326, 4
  br i1 %1812, label %1824, label %1813

1813:                                             ; preds = %1810
  %1814 = and i64 %326, -4
  br label %1815

1815:                                             ; preds = %1815, %1813
  %1816 = phi i64 [ 0, %1813 ], [ %1820, %1815 ]
  %1817 = getelementptr inbounds nuw i32, ptr %1811, i64 %1816
  %1818 = load <4 x i32>, ptr %1817, align 4, !alias.scope !213, !noalias !210
  %1819 = getelementptr inbounds nuw i32, ptr %6, i64 %1816
  store <4 x i32> %1818, ptr %1819, align 16, !alias.scope !210, !noalias !213
  %1820 = add nuw i64 %1816, 4
  %1821 = icmp eq i64 %1820, %1814
  br i1 %1821, label %1822, label %1815, !llvm.loop !215

1822:                                             ; preds = %1815
  %1823 = icmp eq i64 %326, %1814
  br i1 %1823, label %1833, label %1824

1824:                                             ; preds = %1810, %1822
  %1825 = phi i64 [ 0, %1810 ], [ %1814, %1822 ]
  br label %1826

1826:                                             ; preds = %1824, %1826
  %1827 = phi i64 [ %1831, %1826 ], [ %1825, %1824 ]
  %1828 = getelementptr inbounds nuw i32, ptr %1811, i64 %1827
  %1829 = load i32, ptr %1828, align 4, !alias.scope !213, !noalias !210
  %1830 = getelementptr inbounds nuw i32, ptr %6, i64 %1827
  store i32 %1829, ptr %1830, align 4, !alias.scope !210, !noalias !213
  %1831 = add nuw nsw i64 %1827, 1
  %1832 = icmp eq i64 %1831, %445
  br i1 %1832, label %1833, label %1826, !llvm.loop !216

1833:                                             ; preds = %1826, %1822
  br i1 %303, label %1834, label %1844

1834:                                             ; preds = %1833
  %1835 = icmp ult i64 %329, 4
  %1836 = and i64 %329, -4
  %1837 = icmp eq i64 %329, %1836
  %1838 = icmp ult i64 %332, 4
  %1839 = and i64 %332, -4
  %1840 = icmp eq i64 %332, %1839
  %1841 = icmp ult i64 %335, 4
  %1842 = and i64 %335, -4
  %1843 = icmp eq i64 %335, %1842
  br label %1867

1844:                                             ; preds = %1938, %1833
  %1845 = getelementptr inbounds i8, ptr %300, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !217)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !220)
  %1846 = icmp ult i64 %338, 4
  br i1 %1846, label %1858, label %1847

1847:                                             ; preds = %1844
  %1848 = and i64 %338, -4
  br label %1849

1849:                                             ; preds = %1849, %1847
  %1850 = phi i64 [ 0, %1847 ], [ %1854, %1849 ]
  %1851 = getelementptr inbounds nuw i32, ptr %6, i64 %1850
  %1852 = load <4 x i32>, ptr %1851, align 16, !alias.scope !220, !noalias !217
  %1853 = getelementptr inbounds nuw i32, ptr %1845, i64 %1850
  store <4 x i32> %1852, ptr %1853, align 4, !alias.scope !217, !noalias !220
  %1854 = add nuw i64 %1850, 4
  %1855 = icmp eq i64 %1854, %1848
  br i1 %1855, label %1856, label %1849, !llvm.loop !222

1856:                                             ; preds = %1849
  %1857 = icmp eq i64 %338, %1848
  br i1 %1857, label %2072, label %1858

1858:                                             ; preds = %1844, %1856
  %1859 = phi i64 [ 0, %1844 ], [ %1848, %1856 ]
  br label %1860

1860:                                             ; preds = %1858, %1860
  %1861 = phi i64 [ %1865, %1860 ], [ %1859, %1858 ]
  %1862 = getelementptr inbounds nuw i32, ptr %6, i64 %1861
  %1863 = load i32, ptr %1862, align 4, !alias.scope !220, !noalias !217
  %1864 = getelementptr inbounds nuw i32, ptr %1845, i64 %1861
  store i32 %1863, ptr %1864, align 4, !alias.scope !217, !noalias !220
  %1865 = add nuw nsw i64 %1861, 1
  %1866 = icmp eq i64 %1865, %445
  br i1 %1866, label %2072, label %1860, !llvm.loop !223

1867:                                             ; preds = %1834, %1938
  %1868 = phi i64 [ %1939, %1938 ], [ 1, %1834 ]
  %1869 = getelementptr inbounds nuw ptr, ptr %11, i64 %1868
  %1870 = load ptr, ptr %1869, align 8
  %1871 = getelementptr inbounds i8, ptr %1870, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !224)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !227)
  switch i32 %302, label %1898 [
    i32 0, label %1885
    i32 1, label %1872
  ]

1872:                                             ; preds = %1867
  br i1 %1835, label %1883, label %1873

1873:                                             ; preds = %1872, %1873
  %1874 = phi i64 [ %1880, %1873 ], [ 0, %1872 ]
  %1875 = getelementptr inbounds nuw i32, ptr %6, i64 %1874
  %1876 = load <4 x i32>, ptr %1875, align 16, !alias.scope !224, !noalias !227
  %1877 = getelementptr inbounds nuw i32, ptr %1871, i64 %1874
  %1878 = load <4 x i32>, ptr %1877, align 4, !alias.scope !227, !noalias !224
  %1879 = tail call <4 x i32> @llvm.smax.v4i32(<4 x i32> %1876, <4 x i32> %1878)
  store <4 x i32> %1879, ptr %1875, align 16, !alias.scope !224, !noalias !227
  %1880 = add nuw i64 %1874, 4
  %1881 = icmp eq i64 %1880, %1836
  br i1 %1881, label %1882, label %1873, !llvm.loop !229

1882:                                             ; preds = %1873
  br i1 %1837, label %1938, label %1883

1883:                                             ; preds = %1872, %1882
  %1884 = phi i64 [ 0, %1872 ], [ %1836, %1882 ]
  br label %1920

1885:                                             ; preds = %1867
  br i1 %1838, label %1896, label %1886

1886:                                             ; preds = %1885, %1886
  %1887 = phi i64 [ %1893, %1886 ], [ 0, %1885 ]
  %1888 = getelementptr inbounds nuw i32, ptr %6, i64 %1887
  %1889 = load <4 x i32>, ptr %1888, align 16, !alias.scope !224, !noalias !227
  %1890 = getelementptr inbounds nuw i32, ptr %1871, i64 %1887
  %1891 = load <4 x i32>, ptr %1890, align 4, !alias.scope !227, !noalias !224
  %1892 = add <4 x i32> %1891, %1889
  store <4 x i32> %1892, ptr %1888, align 16, !alias.scope !224, !noalias !227
  %1893 = add nuw i64 %1887, 4
  %1894 = icmp eq i64 %1893, %1839
  br i1 %1894, label %1895, label %1886, !llvm.loop !230

1895:                                             ; preds = %1886
  br i1 %1840, label %1938, label %1896

1896:                                             ; preds = %1885, %1895
  %1897 = phi i64 [ 0, %1885 ], [ %1839, %1895 ]
  br label %1911

1898:                                             ; preds = %1867
  br i1 %1841, label %1909, label %1899

1899:                                             ; preds = %1898, %1899
  %1900 = phi i64 [ %1906, %1899 ], [ 0, %1898 ]
  %1901 = getelementptr inbounds nuw i32, ptr %6, i64 %1900
  %1902 = load <4 x i32>, ptr %1901, align 16, !alias.scope !224, !noalias !227
  %1903 = getelementptr inbounds nuw i32, ptr %1871, i64 %1900
  %1904 = load <4 x i32>, ptr %1903, align 4, !alias.scope !227, !noalias !224
  %1905 = tail call <4 x i32> @llvm.smin.v4i32(<4 x i32> %1902, <4 x i32> %1904)
  store <4 x i32> %1905, ptr %1901, align 16, !alias.scope !224, !noalias !227
  %1906 = add nuw i64 %1900, 4
  %1907 = icmp eq i64 %1906, %1842
  br i1 %1907, label %1908, label %1899, !llvm.loop !231

1908:                                             ; preds = %1899
  br i1 %1843, label %1938, label %1909

1909:                                             ; preds = %1898, %1908
  %1910 = phi i64 [ 0, %1898 ], [ %1842, %1908 ]
  br label %1929

1911:                                             ; preds = %1896, %1911
  %1912 = phi i64 [ %1918, %1911 ], [ %1897, %1896 ]
  %1913 = getelementptr inbounds nuw i32, ptr %6, i64 %1912
  %1914 = load i32, ptr %1913, align 4, !alias.scope !224, !noalias !227
  %1915 = getelementptr inbounds nuw i32, ptr %1871, i64 %1912
  %1916 = load i32, ptr %1915, align 4, !alias.scope !227, !noalias !224
  %1917 = add i32 %1916, %1914
  store i32 %1917, ptr %1913, align 4, !alias.scope !224, !noalias !227
  %1918 = add nuw nsw i64 %1912, 1
  %1919 = icmp eq i64 %1918, %445
  br i1 %1919, label %1938, label %1911, !llvm.loop !232

1920:                                             ; preds = %1883, %1920
  %1921 = phi i64 [ %1927, %1920 ], [ %1884, %1883 ]
  %1922 = getelementptr inbounds nuw i32, ptr %6, i64 %1921
  %1923 = load i32, ptr %1922, align 4, !alias.scope !224, !noalias !227
  %1924 = getelementptr inbounds nuw i32, ptr %1871, i64 %1921
  %1925 = load i32, ptr %1924, align 4, !alias.scope !227, !noalias !224
  %1926 = tail call i32 @llvm.smax.i32(i32 %1923, i32 %1925)
  store i32 %1926, ptr %1922, align 4, !alias.scope !224, !noalias !227
  %1927 = add nuw nsw i64 %1921, 1
  %1928 = icmp eq i64 %1927, %445
  br i1 %1928, label %1938, label %1920, !llvm.loop !233

1929:                                             ; preds = %1909, %1929
  %1930 = phi i64 [ %1936, %1929 ], [ %1910, %1909 ]
  %1931 = getelementptr inbounds nuw i32, ptr %6, i64 %1930
  %1932 = load i32, ptr %1931, align 4, !alias.scope !224, !noalias !227
  %1933 = getelementptr inbounds nuw i32, ptr %1871, i64 %1930
  %1934 = load i32, ptr %1933, align 4, !alias.scope !227, !noalias !224
  %1935 = tail call i32 @llvm.smin.i32(i32 %1932, i32 %1934)
  store i32 %1935, ptr %1931, align 4, !alias.scope !224, !noalias !227
  %1936 = add nuw nsw i64 %1930, 1
  %1937 = icmp eq i64 %1936, %445
  br i1 %1937, label %1938, label %1929, !llvm.loop !234

1938:                                             ; preds = %1920, %1911, %1929, %1882, %1895, %1908
  %1939 = add nuw nsw i64 %1868, 1
  %1940 = icmp eq i64 %1939, %304
  br i1 %1940, label %1844, label %1867, !llvm.loop !235

1941:                                             ; preds = %306
  %1942 = getelementptr inbounds i8, ptr %305, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !236)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !239)
  %1943 = icmp ult i64 %311, 2
  br i1 %1943, label %1955, label %1944

1944:                                             ; preds = %1941
  %1945 = and i64 %311, -2
  br label %1946

1946:                                             ; preds = %1946, %1944
  %1947 = phi i64 [ 0, %1944 ], [ %1951, %1946 ]
  %1948 = getelementptr inbounds nuw i64, ptr %1942, i64 %1947
  %1949 = load <2 x i64>, ptr %1948, align 8, !alias.scope !239, !noalias !236
  %1950 = getelementptr inbounds nuw i64, ptr %6, i64 %1947
  store <2 x i64> %1949, ptr %1950, align 16, !alias.scope !236, !noalias !239
  %1951 = add nuw i64 %1947, 2
  %1952 = icmp eq i64 %1951, %1945
  br i1 %1952, label %1953, label %1946, !llvm.loop !241

1953:                                             ; preds = %1946
  %1954 = icmp eq i64 %311, %1945
  br i1 %1954, label %1964, label %1955

1955:                                             ; preds = %1941, %1953
  %1956 = phi i64 [ 0, %1941 ], [ %1945, %1953 ]
  br label %1957

1957:                                             ; preds = %1955, %1957
  %1958 = phi i64 [ %1962, %1957 ], [ %1956, %1955 ]
  %1959 = getelementptr inbounds nuw i64, ptr %1942, i64 %1958
  %1960 = load i64, ptr %1959, align 8, !alias.scope !239, !noalias !236
  %1961 = getelementptr inbounds nuw i64, ptr %6, i64 %1958
  store i64 %1960, ptr %1961, align 8, !alias.scope !236, !noalias !239
  %1962 = add nuw nsw i64 %1958, 1
  %1963 = icmp eq i64 %1962, %445
  br i1 %1963, label %1964, label %1957, !llvm.loop !242

1964:                                             ; preds = %1957, %1953
  br i1 %303, label %1965, label %1975

1965:                                             ; preds = %1964
  %1966 = icmp ult i64 %314, 2
  %1967 = and i64 %314, -2
  %1968 = icmp eq i64 %314, %1967
  %1969 = icmp ult i64 %317, 2
  %1970 = and i64 %317, -2
  %1971 = icmp eq i64 %317, %1970
  %1972 = icmp ult i64 %320, 2
  %1973 = and i64 %320, -2
  %1974 = icmp eq i64 %320, %1973
  br label %1998

1975:                                             ; preds = %2069, %1964
  %1976 = getelementptr inbounds i8, ptr %300, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !243)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !246)
  %1977 = icmp ult i64 %323, 2
  br i1 %1977, label %1989, label %1978

1978:                                             ; preds = %1975
  %1979 = and i64 %323, -2
  br label %1980

1980:                                             ; preds = %1980, %1978
  %1981 = phi i64 [ 0, %1978 ], [ %1985, %1980 ]
  %1982 = getelementptr inbounds nuw i64, ptr %6, i64 %1981
  %1983 = load <2 x i64>, ptr %1982, align 16, !alias.scope !246, !noalias !243
  %1984 = getelementptr inbounds nuw i64, ptr %1976, i64 %1981
  store <2 x i64> %1983, ptr %1984, align 8, !alias.scope !243, !noalias !246
  %1985 = add nuw i64 %1981, 2
  %1986 = icmp eq i64 %1985, %1979
  br i1 %1986, label %1987, label %1980, !llvm.loop !248

1987:                                             ; preds = %1980
  %1988 = icmp eq i64 %323, %1979
  br i1 %1988, label %2072, label %1989

1989:                                             ; preds = %1975, %1987
  %1990 = phi i64 [ 0, %1975 ], [ %1979, %1987 ]
  br label %1991

1991:                                             ; preds = %1989, %1991
  %1992 = phi i64 [ %1996, %1991 ], [ %1990, %1989 ]
  %1993 = getelementptr inbounds nuw i64, ptr %6, i64 %1992
  %1994 = load i64, ptr %1993, align 8, !alias.scope !246, !noalias !243
  %1995 = getelementptr inbounds nuw i64, ptr %1976, i64 %1992
  store i64 %1994, ptr %1995, align 8, !alias.scope !243, !noalias !246
  %1996 = add nuw nsw i64 %1992, 1
  %1997 = icmp eq i64 %1996, %445
  br i1 %1997, label %2072, label %1991, !llvm.loop !249

1998:                                             ; preds = %1965, %2069
  %1999 = phi i64 [ %2070, %2069 ], [ 1, %1965 ]
  %2000 = getelementptr inbounds nuw ptr, ptr %11, i64 %1999
  %2001 = load ptr, ptr %2000, align 8
  %2002 = getelementptr inbounds i8, ptr %2001, i64 %448
  tail call void @llvm.experimental.noalias.scope.decl(metadata !250)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !253)
  switch i32 %302, label %2029 [
    i32 0, label %2016
    i32 1, label %2003
  ]

2003:                                             ; preds = %1998
  br i1 %1966, label %2014, label %2004

2004:                                             ; preds = %2003, %2004
  %2005 = phi i64 [ %2011, %2004 ], [ 0, %2003 ]
  %2006 = getelementptr inbounds nuw i64, ptr %6, i64 %2005
  %2007 = load <2 x i64>, ptr %2006, align 16, !alias.scope !250, !noalias !253
  %2008 = getelementptr inbounds nuw i64, ptr %2002, i64 %2005
  %2009 = load <2 x i64>, ptr %2008, align 8, !alias.scope !253, !noalias !250
  %2010 = tail call <2 x i64> @llvm.smax.v2i64(<2 x i64> %2007, <2 x i64> %2009)
  store <2 x i64> %2010, ptr %2006, align 16, !alias.scope !250, !noalias !253
  %2011 = add nuw i64 %2005, 2
  %2012 = icmp eq i64 %2011, %1967
  br i1 %2012, label %2013, label %2004, !llvm.loop !255

2013:                                             ; preds = %2004
  br i1 %1968, label %2069, label %2014

2014:                                             ; preds = %2003, %2013
  %2015 = phi i64 [ 0, %2003 ], [ %1967, %2013 ]
  br label %2051

2016:                                             ; preds = %1998
  br i1 %1969, label %2027, label %2017

2017:                                             ; preds = %2016, %2017
  %2018 = phi i64 [ %2024, %2017 ], [ 0, %2016 ]
  %2019 = getelementptr inbounds nuw i64, ptr %6, i64 %2018
  %2020 = load <2 x i64>, ptr %2019, align 16, !alias.scope !250, !noalias !253
  %2021 = getelementptr inbounds nuw i64, ptr %2002, i64 %2018
  %2022 = load <2 x i64>, ptr %2021, align 8, !alias.scope !253, !noalias !250
  %2023 = add <2 x i64> %2022, %2020
  store <2 x i64> %2023, ptr %2019, align 16, !alias.scope !250, !noalias !253
  %2024 = add nuw i64 %2018, 2
  %2025 = icmp eq i64 %2024, %1970
  br i1 %2025, label %2026, label %2017, !llvm.loop !256

2026:                                             ; preds = %2017
  br i1 %1971, label %2069, label %2027

2027:                                             ; preds = %2016, %2026
  %2028 = phi i64 [ 0, %2016 ], [ %1970, %2026 ]
  br label %2042

2029:                                             ; preds = %1998
  br i1 %1972, label %2040, label %2030

2030:                                             ; preds = %2029, %2030
  %2031 = phi i64 [ %2037, %2030 ], [ 0, %2029 ]
  %2032 = getelementptr inbounds nuw i64, ptr %6, i64 %2031
  %2033 = load <2 x i64>, ptr %2032, align 16, !alias.scope !250, !noalias !253
  %2034 = getelementptr inbounds nuw i64, ptr %2002, i64 %2031
  %2035 = load <2 x i64>, ptr %2034, align 8, !alias.scope !253, !noalias !250
  %2036 = tail call <2 x i64> @llvm.smin.v2i64(<2 x i64> %2033, <2 x i64> %2035)
  store <2 x i64> %2036, ptr %2032, align 16, !alias.scope !250, !noalias !253
  %2037 = add nuw i64 %2031, 2
  %2038 = icmp eq i64 %2037, %1973
  br i1 %2038, label %2039, label %2030, !llvm.loop !257

2039:                                             ; preds = %2030
  br i1 %1974, label %2069, label %2040

2040:                                             ; preds = %2029, %2039
  %2041 = phi i64 [ 0, %2029 ], [ %1973, %2039 ]
  br label %2060

2042:                                             ; preds = %2027, %2042
  %2043 = phi i64 [ %2049, %2042 ], [ %2028, %2027 ]
  %2044 = getelementptr inbounds nuw i64, ptr %6, i64 %2043
  %2045 = load i64, ptr %2044, align 8, !alias.scope !250, !noalias !253
  %2046 = getelementptr inbounds nuw i64, ptr %2002, i64 %2043
  %2047 = load i64, ptr %2046, align 8, !alias.scope !253, !noalias !250
  %2048 = add i64 %2047, %2045
  store i64 %2048, ptr %2044, align 8, !alias.scope !250, !noalias !253
  %2049 = add nuw nsw i64 %2043, 1
  %2050 = icmp eq i64 %2049, %445
  br i1 %2050, label %2069, label %2042, !llvm.loop !258

2051:                                             ; preds = %2014, %2051
  %2052 = phi i64 [ %2058, %2051 ], [ %2015, %2014 ]
  %2053 = getelementptr inbounds nuw i64, ptr %6, i64 %2052
  %2054 = load i64, ptr %2053, align 8, !alias.scope !250, !noalias !253
  %2055 = getelementptr inbounds nuw i64, ptr %2002, i64 %2052
  %2056 = load i64, ptr %2055, align 8, !alias.scope !253, !noalias !250
  %2057 = tail call i64 @llvm.smax.i64(i64 %2054, i64 %2056)
  store i64 %2057, ptr %2053, align 8, !alias.scope !250, !noalias !253
  %2058 = add nuw nsw i64 %2052, 1
  %2059 = icmp eq i64 %2058, %445
  br i1 %2059, label %2069, label %2051, !llvm.loop !259

2060:                                             ; preds = %2040, %2060
  %2061 = phi i64 [ %2067, %2060 ], [ %2041, %2040 ]
  %2062 = getelementptr inbounds nuw i64, ptr %6, i64 %2061
  %2063 = load i64, ptr %2062, align 8, !alias.scope !250, !noalias !253
  %2064 = getelementptr inbounds nuw i64, ptr %2002, i64 %2061
  %2065 = load i64, ptr %2064, align 8, !alias.scope !253, !noalias !250
  %2066 = tail call i64 @llvm.smin.i64(i64 %2063, i64 %2065)
  store i64 %2066, ptr %2062, align 8, !alias.scope !250, !noalias !253
  %2067 = add nuw nsw i64 %2061, 1
  %2068 = icmp eq i64 %2067, %445
  br i1 %2068, label %2069, label %2060, !llvm.loop !260

2069:                                             ; preds = %2051, %2042, %2060, %2013, %2026, %2039
  %2070 = add nuw nsw i64 %1999, 1
  %2071 = icmp eq i64 %2070, %304
  br i1 %2071, label %1975, label %1998, !llvm.loop !261

2072:                                             ; preds = %1991, %1860, %1729, %1556, %1334, %1126, %869, %643, %500, %1987, %1856, %1725, %1538, %1552, %1316, %1330, %1105, %832, %639, %496, %306
  %2073 = add nuw nsw i64 %308, 512
  %2074 = icmp samesign ult i64 %2073, %229
  %2075 = add i64 %307, 1
  br i1 %2074, label %306, label %2076, !llvm.loop !262

2076:                                             ; preds = %2072
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #4
  br label %2085

2077:                                             ; preds = %283, %2077
  %2078 = phi i64 [ %2083, %2077 ], [ %284, %283 ]
  %2079 = add nuw nsw i64 %2078, %261
  %2080 = mul nsw i64 %260, %2079
  %2081 = getelementptr inbounds i8, ptr %256, i64 %2080
  %2082 = getelementptr inbounds nuw ptr, ptr %11, i64 %2078
  store ptr %2081, ptr %2082, align 8
  %2083 = add nuw nsw i64 %2078, 1
  %2084 = icmp eq i64 %2083, %105
  br i1 %2084, label %293, label %2077, !llvm.loop !263

2085:                                             ; preds = %2076, %249
  br i1 %102, label %2173, label %2086

2086:                                             ; preds = %2085
  %2087 = getelementptr inbounds nuw %struct.batch, ptr %9, i64 %225
  call fastcc void @finish(ptr noundef %0, ptr noundef %2087) #10
  %2088 = getelementptr inbounds nuw %struct.batch, ptr %10, i64 %225
  call fastcc void @finish(ptr noundef %0, ptr noundef %2088) #10
  br i1 %25, label %2089, label %2173

2089:                                             ; preds = %2086
  %2090 = getelementptr inbounds nuw i8, ptr %2087, i64 8
  %2091 = getelementptr inbounds nuw i8, ptr %2088, i64 8
  br label %2092

2092:                                             ; preds = %2089, %2167
  %2093 = phi i64 [ 0, %2089 ], [ %2168, %2167 ]
  %2094 = phi i64 [ 0, %2089 ], [ %2171, %2167 ]
  %2095 = icmp eq i64 %2093, %103
  br i1 %2095, label %2167, label %2096

2096:                                             ; preds = %2092
  %2097 = getelementptr inbounds nuw i64, ptr %2, i64 %2093
  %2098 = load i64, ptr %2097, align 8
  %2099 = sub nsw i64 %2098, %224
  %2100 = tail call noundef i64 @llvm.smin.i64(i64 %2099, i64 %24)
  %2101 = load i32, ptr %21, align 8
  %2102 = sext i32 %2101 to i64
  %2103 = mul nsw i64 %2100, %2102
  %2104 = icmp slt i64 %2103, 1
  br i1 %2104, label %2134, label %2105

2105:                                             ; preds = %2096
  %2106 = add nsw i64 %2094, %224
  %2107 = mul nsw i64 %2106, %2102
  %2108 = getelementptr inbounds i8, ptr %4, i64 %2107
  %2109 = load ptr, ptr %0, align 8
  %2110 = load ptr, ptr %2087, align 16
  %2111 = load i32, ptr %2090, align 8
  %2112 = add nsw i32 %2111, 1
  store i32 %2112, ptr %2090, align 8
  %2113 = sext i32 %2111 to i64
  %2114 = getelementptr inbounds i64, ptr %2110, i64 %2113
  store i64 0, ptr %2114, align 8
  %2115 = getelementptr inbounds nuw i8, ptr %2109, i64 8
  %2116 = load ptr, ptr %2115, align 8
  %2117 = trunc i64 %2103 to i32
  %2118 = getelementptr inbounds nuw i8, ptr %2109, i64 24
  %2119 = load i64, ptr %2118, align 8
  %2120 = load ptr, ptr %12, align 8
  %2121 = getelementptr inbounds nuw i8, ptr %2120, i64 40
  %2122 = load ptr, ptr %2121, align 8
  %2123 = getelementptr inbounds nuw i32, ptr %2122, i64 %2093
  %2124 = load i32, ptr %2123, align 4
  %2125 = load i32, ptr %97, align 8
  %2126 = add nsw i32 %2125, 1
  %2127 = load ptr, ptr %64, align 8
  %2128 = load i64, ptr %2127, align 8
  %2129 = tail call i32 %2116(ptr noundef nonnull %2108, i32 noundef %2117, i64 noundef %2119, i32 noundef %2124, i32 noundef %2126, i64 noundef %2128, ptr noundef nonnull %2114) #9
  %2130 = load i32, ptr %94, align 4
  %2131 = or i32 %2130, %2129
  store i32 %2131, ptr %94, align 4
  %2132 = load i32, ptr %21, align 8
  %2133 = sext i32 %2132 to i64
  br label %2134

2134:                                             ; preds = %2096, %2105
  %2135 = phi i64 [ %2102, %2096 ], [ %2133, %2105 ]
  %2136 = mul nsw i64 %229, %2135
  %2137 = icmp slt i64 %2136, 1
  br i1 %2137, label %2167, label %2138

2138:                                             ; preds = %2134
  %2139 = mul nsw i64 %224, %2135
  %2140 = getelementptr inbounds i8, ptr %3, i64 %2139
  %2141 = load ptr, ptr %0, align 8
  %2142 = load ptr, ptr %2088, align 16
  %2143 = load i32, ptr %2091, align 8
  %2144 = add nsw i32 %2143, 1
  store i32 %2144, ptr %2091, align 8
  %2145 = sext i32 %2143 to i64
  %2146 = getelementptr inbounds i64, ptr %2142, i64 %2145
  store i64 0, ptr %2146, align 8
  %2147 = load ptr, ptr %64, align 8
  %2148 = getelementptr inbounds nuw i8, ptr %2147, i64 24
  %2149 = load i64, ptr %2148, align 8
  %2150 = add nsw i64 %2149, %2136
  store i64 %2150, ptr %2148, align 8
  %2151 = load ptr, ptr %2141, align 8
  %2152 = trunc i64 %2136 to i32
  %2153 = getelementptr inbounds nuw i8, ptr %2141, i64 24
  %2154 = load i64, ptr %2153, align 8
  %2155 = load ptr, ptr %12, align 8
  %2156 = getelementptr inbounds nuw i8, ptr %2155, i64 40
  %2157 = load ptr, ptr %2156, align 8
  %2158 = getelementptr inbounds nuw i32, ptr %2157, i64 %2093
  %2159 = load i32, ptr %2158, align 4
  %2160 = load i32, ptr %97, align 8
  %2161 = add nsw i32 %2160, 1
  %2162 = load ptr, ptr %64, align 8
  %2163 = load i64, ptr %2162, align 8
  %2164 = tail call i32 %2151(ptr noundef %2140, i32 noundef %2152, i64 noundef %2154, i32 noundef %2159, i32 noundef %2161, i64 noundef %2163, ptr noundef nonnull %2146) #9
  %2165 = load i32, ptr %94, align 4
  %2166 = or i32 %2165, %2164
  store i32 %2166, ptr %94, align 4
  br label %2167

2167:                                             ; preds = %2138, %2134, %2092
  %2168 = add nuw nsw i64 %2093, 1
  %2169 = getelementptr inbounds nuw i64, ptr %2, i64 %2093
  %2170 = load i64, ptr %2169, align 8
  %2171 = add nsw i64 %2170, %2094
  %2172 = icmp eq i64 %2168, %106
  br i1 %2172, label %2173, label %2092, !llvm.loop !264

2173:                                             ; preds = %2167, %2086, %2085, %220
  %2174 = add nuw i64 %114, 1
  %2175 = icmp eq i64 %114, %63
  br i1 %2175, label %117, label %113, !llvm.loop !265
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
  %17 = phi i32 [ 0, %15 ], [ %33, %46 ]
  %18 = load ptr, ptr %0, align 8
  %19 = getelementptr inbounds nuw i8, ptr %18, i64 16
  %20 = load ptr, ptr %19, align 8
  %21 = load ptr, ptr %1, align 8
  %22 = getelementptr inbounds nuw i64, ptr %21, i64 %12
  %23 = call i32 %20(ptr noundef %22, ptr noundef nonnull %5, ptr noundef nonnull %4) #9
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
  %32 = load ptr, ptr %0, align 8
  %33 = add i32 %17, 1
  %34 = zext i32 %33 to i64
  %35 = getelementptr inbounds nuw i8, ptr %32, i64 40
  %36 = load i64, ptr %35, align 8
  %37 = icmp sgt i64 %36, %34
  br i1 %37, label %38, label %39

38:                                               ; preds = %31
  call void @llvm.x86.sse2.pause()
  br label %46

39:                                               ; preds = %31
  %40 = add nsw i64 %36, 5
  %41 = icmp sgt i64 %40, %34
  br i1 %41, label %42, label %44

42:                                               ; preds = %39
  %43 = call i32 @sched_yield() #9
  br label %46

44:                                               ; preds = %39
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #4
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %3, ptr noundef nonnull align 8 dereferenceable(16) @__const.relax.nap, i64 16, i1 false)
  %45 = call i32 @nanosleep(ptr noundef nonnull %3, ptr noundef null) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #4
  br label %46

46:                                               ; preds = %44, %42, %38
  %47 = load i32, ptr %5, align 4
  %48 = icmp eq i32 %47, 0
  br i1 %48, label %16, label %49, !llvm.loop !266

49:                                               ; preds = %28, %46
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #4
  %50 = add nuw nsw i64 %12, 1
  %51 = load i32, ptr %6, align 8
  %52 = sext i32 %51 to i64
  %53 = icmp slt i64 %50, %52
  br i1 %53, label %11, label %54, !llvm.loop !267

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

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #6

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.vector.reduce.add.v2i64(<2 x i64>) #7

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #8

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
declare <8 x i16> @llvm.smax.v8i16(<8 x i16>, <8 x i16>) #5

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
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #7 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #8 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #9 = { nobuiltin nounwind "no-builtins" }
attributes #10 = { nobuiltin "no-builtins" }

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
!16 = !{!17}
!17 = distinct !{!17, !18, !"first_f32: argument 0"}
!18 = distinct !{!18, !"first_f32"}
!19 = !{!20}
!20 = distinct !{!20, !18, !"first_f32: argument 1"}
!21 = distinct !{!21, !3, !22, !5, !6}
!22 = !{!"llvm.loop.unroll.disable"}
!23 = distinct !{!23, !3, !22, !6, !5}
!24 = !{!25}
!25 = distinct !{!25, !26, !"last_f32: argument 0"}
!26 = distinct !{!26, !"last_f32"}
!27 = !{!28}
!28 = distinct !{!28, !26, !"last_f32: argument 1"}
!29 = distinct !{!29, !3, !22, !5, !6}
!30 = distinct !{!30, !3, !22, !6, !5}
!31 = !{!32}
!32 = distinct !{!32, !33, !"next_f32: argument 0"}
!33 = distinct !{!33, !"next_f32"}
!34 = !{!35}
!35 = distinct !{!35, !33, !"next_f32: argument 1"}
!36 = distinct !{!36, !3, !22, !5, !6}
!37 = distinct !{!37, !3, !22, !5, !6}
!38 = distinct !{!38, !3, !22, !5, !6}
!39 = distinct !{!39, !3, !22, !6, !5}
!40 = distinct !{!40, !3, !22, !6, !5}
!41 = distinct !{!41, !3, !22, !6, !5}
!42 = distinct !{!42, !3}
!43 = !{!44}
!44 = distinct !{!44, !45, !"first_f64: argument 0"}
!45 = distinct !{!45, !"first_f64"}
!46 = !{!47}
!47 = distinct !{!47, !45, !"first_f64: argument 1"}
!48 = distinct !{!48, !3, !22, !5, !6}
!49 = distinct !{!49, !3, !22, !6, !5}
!50 = !{!51}
!51 = distinct !{!51, !52, !"last_f64: argument 0"}
!52 = distinct !{!52, !"last_f64"}
!53 = !{!54}
!54 = distinct !{!54, !52, !"last_f64: argument 1"}
!55 = distinct !{!55, !3, !22, !5, !6}
!56 = distinct !{!56, !3, !22, !6, !5}
!57 = !{!58}
!58 = distinct !{!58, !59, !"next_f64: argument 0"}
!59 = distinct !{!59, !"next_f64"}
!60 = !{!61}
!61 = distinct !{!61, !59, !"next_f64: argument 1"}
!62 = distinct !{!62, !3, !22, !5, !6}
!63 = distinct !{!63, !3, !22, !5, !6}
!64 = distinct !{!64, !3, !22, !5, !6}
!65 = distinct !{!65, !3, !22, !6, !5}
!66 = distinct !{!66, !3, !22, !6, !5}
!67 = distinct !{!67, !3, !22, !6, !5}
!68 = distinct !{!68, !3}
!69 = !{!70}
!70 = distinct !{!70, !71, !"first_f16: argument 0"}
!71 = distinct !{!71, !"first_f16"}
!72 = !{!73}
!73 = distinct !{!73, !71, !"first_f16: argument 1"}
!74 = distinct !{!74, !3, !22, !5, !6}
!75 = distinct !{!75, !3, !22, !6, !5}
!76 = !{!77}
!77 = distinct !{!77, !78, !"last_f16: argument 0"}
!78 = distinct !{!78, !"last_f16"}
!79 = !{!80}
!80 = distinct !{!80, !78, !"last_f16: argument 1"}
!81 = distinct !{!81, !3, !22, !5, !6}
!82 = distinct !{!82, !3, !22, !6, !5}
!83 = !{!84}
!84 = distinct !{!84, !85, !"next_f16: argument 0"}
!85 = distinct !{!85, !"next_f16"}
!86 = !{!87}
!87 = distinct !{!87, !85, !"next_f16: argument 1"}
!88 = distinct !{!88, !3, !22, !5, !6}
!89 = distinct !{!89, !3, !22, !5, !6}
!90 = distinct !{!90, !3, !22, !5, !6}
!91 = distinct !{!91, !3, !22, !6, !5}
!92 = distinct !{!92, !3, !22, !6, !5}
!93 = distinct !{!93, !3, !22, !6, !5}
!94 = distinct !{!94, !3}
!95 = !{!96}
!96 = distinct !{!96, !97, !"first_bf16: argument 0"}
!97 = distinct !{!97, !"first_bf16"}
!98 = !{!99}
!99 = distinct !{!99, !97, !"first_bf16: argument 1"}
!100 = distinct !{!100, !3, !22, !5, !6}
!101 = distinct !{!101, !3, !22, !6, !5}
!102 = !{!103}
!103 = distinct !{!103, !104, !"last_bf16: argument 0"}
!104 = distinct !{!104, !"last_bf16"}
!105 = !{!106}
!106 = distinct !{!106, !104, !"last_bf16: argument 1"}
!107 = distinct !{!107, !3, !22, !5, !6}
!108 = distinct !{!108, !3, !22, !6, !5}
!109 = !{!110}
!110 = distinct !{!110, !111, !"next_bf16: argument 0"}
!111 = distinct !{!111, !"next_bf16"}
!112 = !{!113}
!113 = distinct !{!113, !111, !"next_bf16: argument 1"}
!114 = distinct !{!114, !3, !22, !5, !6}
!115 = distinct !{!115, !3, !22, !5, !6}
!116 = distinct !{!116, !3, !22, !5, !6}
!117 = distinct !{!117, !3, !22, !6, !5}
!118 = distinct !{!118, !3, !22, !6, !5}
!119 = distinct !{!119, !3, !22, !6, !5}
!120 = distinct !{!120, !3}
!121 = !{!122}
!122 = distinct !{!122, !123, !"first_i8: argument 0"}
!123 = distinct !{!123, !"first_i8"}
!124 = !{!125}
!125 = distinct !{!125, !123, !"first_i8: argument 1"}
!126 = distinct !{!126, !3, !22, !5, !6}
!127 = !{!"branch_weights", i32 4, i32 12}
!128 = distinct !{!128, !3, !22, !5, !6}
!129 = distinct !{!129, !3, !22, !6, !5}
!130 = !{!131}
!131 = distinct !{!131, !132, !"last_i8: argument 0"}
!132 = distinct !{!132, !"last_i8"}
!133 = !{!134}
!134 = distinct !{!134, !132, !"last_i8: argument 1"}
!135 = distinct !{!135, !3, !22, !5, !6}
!136 = distinct !{!136, !3, !22, !5, !6}
!137 = distinct !{!137, !3, !22, !6, !5}
!138 = !{!139}
!139 = distinct !{!139, !140, !"next_i8: argument 0"}
!140 = distinct !{!140, !"next_i8"}
!141 = !{!142}
!142 = distinct !{!142, !140, !"next_i8: argument 1"}
!143 = distinct !{!143, !3, !22, !5, !6}
!144 = distinct !{!144, !3, !22, !5, !6}
!145 = distinct !{!145, !3, !22, !5, !6}
!146 = distinct !{!146, !3, !22, !5, !6}
!147 = distinct !{!147, !3, !22, !5, !6}
!148 = distinct !{!148, !3, !22, !5, !6}
!149 = distinct !{!149, !3, !22, !6, !5}
!150 = distinct !{!150, !3, !22, !6, !5}
!151 = distinct !{!151, !3, !22, !6, !5}
!152 = distinct !{!152, !3}
!153 = !{!154}
!154 = distinct !{!154, !155, !"first_u8: argument 0"}
!155 = distinct !{!155, !"first_u8"}
!156 = !{!157}
!157 = distinct !{!157, !155, !"first_u8: argument 1"}
!158 = distinct !{!158, !3, !22, !5, !6}
!159 = distinct !{!159, !3, !22, !5, !6}
!160 = distinct !{!160, !3, !22, !6, !5}
!161 = !{!162}
!162 = distinct !{!162, !163, !"last_u8: argument 0"}
!163 = distinct !{!163, !"last_u8"}
!164 = !{!165}
!165 = distinct !{!165, !163, !"last_u8: argument 1"}
!166 = distinct !{!166, !3, !22, !5, !6}
!167 = distinct !{!167, !3, !22, !5, !6}
!168 = distinct !{!168, !3, !22, !6, !5}
!169 = !{!170}
!170 = distinct !{!170, !171, !"next_u8: argument 0"}
!171 = distinct !{!171, !"next_u8"}
!172 = !{!173}
!173 = distinct !{!173, !171, !"next_u8: argument 1"}
!174 = distinct !{!174, !3, !22, !5, !6}
!175 = distinct !{!175, !3, !22, !5, !6}
!176 = distinct !{!176, !3, !22, !5, !6}
!177 = distinct !{!177, !3, !22, !5, !6}
!178 = distinct !{!178, !3, !22, !5, !6}
!179 = distinct !{!179, !3, !22, !5, !6}
!180 = distinct !{!180, !3, !22, !6, !5}
!181 = distinct !{!181, !3, !22, !6, !5}
!182 = distinct !{!182, !3, !22, !6, !5}
!183 = distinct !{!183, !3}
!184 = !{!185}
!185 = distinct !{!185, !186, !"first_i16: argument 0"}
!186 = distinct !{!186, !"first_i16"}
!187 = !{!188}
!188 = distinct !{!188, !186, !"first_i16: argument 1"}
!189 = distinct !{!189, !3, !22, !5, !6}
!190 = distinct !{!190, !3, !22, !6, !5}
!191 = !{!192}
!192 = distinct !{!192, !193, !"last_i16: argument 0"}
!193 = distinct !{!193, !"last_i16"}
!194 = !{!195}
!195 = distinct !{!195, !193, !"last_i16: argument 1"}
!196 = distinct !{!196, !3, !22, !5, !6}
!197 = distinct !{!197, !3, !22, !6, !5}
!198 = !{!199}
!199 = distinct !{!199, !200, !"next_i16: argument 0"}
!200 = distinct !{!200, !"next_i16"}
!201 = !{!202}
!202 = distinct !{!202, !200, !"next_i16: argument 1"}
!203 = distinct !{!203, !3, !22, !5, !6}
!204 = distinct !{!204, !3, !22, !5, !6}
!205 = distinct !{!205, !3, !22, !5, !6}
!206 = distinct !{!206, !3, !22, !6, !5}
!207 = distinct !{!207, !3, !22, !6, !5}
!208 = distinct !{!208, !3, !22, !6, !5}
!209 = distinct !{!209, !3}
!210 = !{!211}
!211 = distinct !{!211, !212, !"first_i32: argument 0"}
!212 = distinct !{!212, !"first_i32"}
!213 = !{!214}
!214 = distinct !{!214, !212, !"first_i32: argument 1"}
!215 = distinct !{!215, !3, !22, !5, !6}
!216 = distinct !{!216, !3, !22, !6, !5}
!217 = !{!218}
!218 = distinct !{!218, !219, !"last_i32: argument 0"}
!219 = distinct !{!219, !"last_i32"}
!220 = !{!221}
!221 = distinct !{!221, !219, !"last_i32: argument 1"}
!222 = distinct !{!222, !3, !22, !5, !6}
!223 = distinct !{!223, !3, !22, !6, !5}
!224 = !{!225}
!225 = distinct !{!225, !226, !"next_i32: argument 0"}
!226 = distinct !{!226, !"next_i32"}
!227 = !{!228}
!228 = distinct !{!228, !226, !"next_i32: argument 1"}
!229 = distinct !{!229, !3, !22, !5, !6}
!230 = distinct !{!230, !3, !22, !5, !6}
!231 = distinct !{!231, !3, !22, !5, !6}
!232 = distinct !{!232, !3, !22, !6, !5}
!233 = distinct !{!233, !3, !22, !6, !5}
!234 = distinct !{!234, !3, !22, !6, !5}
!235 = distinct !{!235, !3}
!236 = !{!237}
!237 = distinct !{!237, !238, !"first_i64: argument 0"}
!238 = distinct !{!238, !"first_i64"}
!239 = !{!240}
!240 = distinct !{!240, !238, !"first_i64: argument 1"}
!241 = distinct !{!241, !3, !22, !5, !6}
!242 = distinct !{!242, !3, !22, !6, !5}
!243 = !{!244}
!244 = distinct !{!244, !245, !"last_i64: argument 0"}
!245 = distinct !{!245, !"last_i64"}
!246 = !{!247}
!247 = distinct !{!247, !245, !"last_i64: argument 1"}
!248 = distinct !{!248, !3, !22, !5, !6}
!249 = distinct !{!249, !3, !22, !6, !5}
!250 = !{!251}
!251 = distinct !{!251, !252, !"next_i64: argument 0"}
!252 = distinct !{!252, !"next_i64"}
!253 = !{!254}
!254 = distinct !{!254, !252, !"next_i64: argument 1"}
!255 = distinct !{!255, !3, !22, !5, !6}
!256 = distinct !{!256, !3, !22, !5, !6}
!257 = distinct !{!257, !3, !22, !5, !6}
!258 = distinct !{!258, !3, !22, !6, !5}
!259 = distinct !{!259, !3, !22, !6, !5}
!260 = distinct !{!260, !3, !22, !6, !5}
!261 = distinct !{!261, !3}
!262 = distinct !{!262, !3}
!263 = distinct !{!263, !3, !6, !5}
!264 = distinct !{!264, !3}
!265 = distinct !{!265, !3}
!266 = distinct !{!266, !3}
!267 = distinct !{!267, !3}
