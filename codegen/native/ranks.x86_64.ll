; ranks.c as LLVM text, by clang 22.1.8; `make native` makes it anew.
; sources: cf3153d4270d465fae23621775c4d0ba1d86cfa0377105f63488bab27550b88e
; text: 7d4e2a585dd83894d581f60a88accb3d083b8526982a5ef37e1e7df8f57de472
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.signals = type { [16 x i64] }
%struct.time = type { i64, i64 }
%struct.work = type { ptr, ptr, ptr }
%struct.collective = type { i32, i32, i32, i32, i32, i32, i32, i32, ptr, ptr, ptr }
%struct.call = type { ptr, ptr, ptr, i32, i32 }
%struct.batch = type { ptr, i32 }

; Function Attrs: nounwind
define i32 @penstock_ranks_start(ptr noundef %0) local_unnamed_addr #0 {
  %2 = alloca %struct.signals, align 8
  %3 = alloca %struct.signals, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #3
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #3
  store <4 x i64> splat (i64 -1), ptr %2, align 8
  %4 = getelementptr inbounds nuw i8, ptr %2, i64 32
  store <4 x i64> splat (i64 -1), ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %2, i64 64
  store <4 x i64> splat (i64 -1), ptr %5, align 8
  %6 = getelementptr inbounds nuw i8, ptr %2, i64 96
  store <4 x i64> splat (i64 -1), ptr %6, align 8
  %7 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %2, ptr noundef nonnull %3) #7
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %9 = load ptr, ptr %8, align 8
  %10 = call i32 @pthread_create(ptr noundef %9, ptr noundef null, ptr noundef nonnull @serve, ptr noundef %0) #7
  %11 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %3, ptr noundef null) #7
  %12 = icmp eq i32 %10, 0
  %13 = zext i1 %12 to i32
  %14 = load ptr, ptr %8, align 8
  %15 = getelementptr inbounds nuw i8, ptr %14, i64 24
  store i32 %13, ptr %15, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #3
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #3
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
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 40
  %7 = getelementptr inbounds nuw i8, ptr %5, i64 36
  %8 = getelementptr inbounds nuw i8, ptr %5, i64 32
  %9 = getelementptr inbounds nuw i8, ptr %5, i64 48
  %10 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %12 = getelementptr inbounds nuw i8, ptr %5, i64 28
  %13 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %14 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %15 = getelementptr inbounds nuw i8, ptr %5, i64 44
  br label %16

16:                                               ; preds = %33, %1
  %17 = phi i32 [ 0, %1 ], [ %34, %33 ]
  %18 = load atomic i32, ptr %7 monotonic, align 4
  %19 = load atomic i32, ptr %8 acquire, align 8
  %20 = icmp eq i32 %18, %19
  br i1 %20, label %21, label %44

21:                                               ; preds = %16
  %22 = load atomic i32, ptr %6 acquire, align 8
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %24, label %69

24:                                               ; preds = %21
  %25 = add i32 %17, 1
  %26 = icmp ult i32 %25, 2000
  br i1 %26, label %27, label %35

27:                                               ; preds = %24
  %28 = add nsw i32 %17, 2
  %29 = icmp slt i32 %17, 198
  br i1 %29, label %30, label %31

30:                                               ; preds = %27
  call void @llvm.x86.sse2.pause()
  br label %33

31:                                               ; preds = %27
  %32 = call i32 @sched_yield() #7
  br label %33

33:                                               ; preds = %31, %30, %44, %43
  %34 = phi i32 [ 0, %44 ], [ %25, %43 ], [ %28, %31 ], [ %28, %30 ]
  br label %16

35:                                               ; preds = %24
  store atomic i32 1, ptr %15 seq_cst, align 4
  %36 = load atomic i32, ptr %8 seq_cst, align 8
  %37 = icmp eq i32 %36, %18
  br i1 %37, label %38, label %43

38:                                               ; preds = %35
  %39 = load atomic i32, ptr %6 seq_cst, align 8
  %40 = icmp eq i32 %39, 0
  br i1 %40, label %41, label %43

41:                                               ; preds = %38
  %42 = call i64 (i64, ...) @syscall(i64 noundef 202, ptr noundef nonnull %8, i32 noundef 128, i32 noundef %18, ptr noundef null) #7
  br label %43

43:                                               ; preds = %41, %38, %35
  store atomic i32 0, ptr %15 monotonic, align 4
  br label %33

44:                                               ; preds = %16
  %45 = and i32 %18, 63
  %46 = zext nneg i32 %45 to i64
  %47 = getelementptr inbounds nuw %struct.work, ptr %9, i64 %46
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #3
  %48 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #7
  %49 = load i64, ptr %3, align 8
  %50 = load i64, ptr %10, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #3
  %51 = load ptr, ptr %47, align 8
  %52 = getelementptr inbounds nuw i8, ptr %47, i64 8
  %53 = load ptr, ptr %52, align 8
  %54 = getelementptr inbounds nuw i8, ptr %47, i64 16
  %55 = load ptr, ptr %54, align 8
  %56 = call fastcc i32 @carry_out(ptr noundef %0, ptr noundef nonnull %11, ptr noundef %51, ptr noundef %53, ptr noundef %55) #8
  %57 = load i32, ptr %12, align 4
  %58 = or i32 %57, %56
  store i32 %58, ptr %12, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #3
  %59 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %2) #7
  %60 = load i64, ptr %2, align 8
  %61 = load i64, ptr %13, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #3
  %62 = load i64, ptr %14, align 8
  %63 = sub i64 %60, %49
  %64 = mul i64 %63, 1000000000
  %65 = sub i64 %61, %50
  %66 = add i64 %65, %64
  %67 = add i64 %66, %62
  store i64 %67, ptr %14, align 8
  %68 = add i32 %18, 1
  store atomic i32 %68, ptr %7 release, align 4
  br label %33

69:                                               ; preds = %21
  ret ptr null
}

; Function Attrs: nounwind
define void @penstock_ranks_stop(ptr noundef readonly captures(none) %0) local_unnamed_addr #0 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %5 = load i32, ptr %4, align 8
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %13, label %7

7:                                                ; preds = %1
  %8 = getelementptr inbounds nuw i8, ptr %3, i64 40
  store atomic i32 1, ptr %8 seq_cst, align 8
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 32
  %10 = tail call i64 (i64, ...) @syscall(i64 noundef 202, ptr noundef nonnull %9, i32 noundef 129, i32 noundef 1) #7
  %11 = load i64, ptr %3, align 8
  %12 = tail call i32 @pthread_join(i64 noundef %11, ptr noundef null) #7
  store i32 0, ptr %4, align 8
  br label %13

13:                                               ; preds = %1, %7
  ret void
}

declare i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: nounwind
define i32 @penstock_ranks_collective(ptr noundef readonly captures(none) %0, i32 noundef %1, ptr noundef %2, ptr noundef %3) local_unnamed_addr #0 {
  %5 = alloca %struct.time, align 16
  %6 = alloca %struct.time, align 16
  %7 = alloca %struct.time, align 16
  %8 = alloca %struct.time, align 16
  %9 = load ptr, ptr %0, align 8
  %10 = getelementptr inbounds nuw i8, ptr %9, i64 40
  %11 = load ptr, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %13 = load ptr, ptr %12, align 8
  %14 = and i32 %1, -1073741825
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds %struct.collective, ptr %13, i64 %15
  %17 = and i32 %1, 1073741824
  %18 = icmp eq i32 %17, 0
  br i1 %18, label %65, label %19

19:                                               ; preds = %4
  %20 = getelementptr inbounds nuw i8, ptr %11, i64 24
  %21 = load i32, ptr %20, align 8
  %22 = icmp eq i32 %21, 0
  br i1 %22, label %135, label %23

23:                                               ; preds = %19
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %25 = load ptr, ptr %24, align 8
  %26 = load i32, ptr %16, align 8
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds i32, ptr %25, i64 %27
  %29 = load i32, ptr %28, align 4
  %30 = getelementptr inbounds nuw i8, ptr %11, i64 36
  %31 = load atomic i32, ptr %30 acquire, align 4
  %32 = sub i32 %31, %29
  %33 = icmp sgt i32 %32, -1
  br i1 %33, label %62, label %34

34:                                               ; preds = %23
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #3
  %35 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %8) #7
  %36 = load <2 x i64>, ptr %8, align 16
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #3
  %37 = load atomic i32, ptr %30 acquire, align 4
  %38 = sub i32 %37, %29
  %39 = icmp slt i32 %38, 0
  br i1 %39, label %40, label %51

40:                                               ; preds = %34, %47
  %41 = phi i32 [ %42, %47 ], [ 0, %34 ]
  %42 = add i32 %41, 1
  %43 = icmp ult i32 %42, 200
  br i1 %43, label %44, label %45

44:                                               ; preds = %40
  call void @llvm.x86.sse2.pause()
  br label %47

45:                                               ; preds = %40
  %46 = call i32 @sched_yield() #7
  br label %47

47:                                               ; preds = %45, %44
  %48 = load atomic i32, ptr %30 acquire, align 4
  %49 = sub i32 %48, %29
  %50 = icmp slt i32 %49, 0
  br i1 %50, label %40, label %51, !llvm.loop !2

51:                                               ; preds = %47, %34
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #3
  %52 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %7) #7
  %53 = getelementptr inbounds nuw i8, ptr %11, i64 16
  %54 = load <2 x i64>, ptr %7, align 16
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #3
  %55 = load i64, ptr %53, align 8
  %56 = sub <2 x i64> %54, %36
  %57 = extractelement <2 x i64> %56, i64 0
  %58 = mul i64 %57, 1000000000
  %59 = extractelement <2 x i64> %56, i64 1
  %60 = add i64 %59, %58
  %61 = add i64 %60, %55
  store i64 %61, ptr %53, align 8
  br label %62

62:                                               ; preds = %23, %51
  %63 = getelementptr inbounds nuw i8, ptr %11, i64 28
  %64 = load i32, ptr %63, align 4
  br label %135

65:                                               ; preds = %4
  %66 = getelementptr inbounds nuw i8, ptr %16, i64 20
  %67 = load i32, ptr %66, align 4
  %68 = icmp eq i32 %67, 0
  br i1 %68, label %69, label %72

69:                                               ; preds = %65
  %70 = getelementptr inbounds nuw i8, ptr %9, i64 48
  %71 = tail call fastcc i32 @carry_out(ptr noundef nonnull %9, ptr noundef nonnull %70, ptr noundef nonnull %16, ptr noundef %2, ptr noundef %3) #8
  br label %135

72:                                               ; preds = %65
  %73 = getelementptr inbounds nuw i8, ptr %11, i64 24
  %74 = load i32, ptr %73, align 8
  %75 = icmp eq i32 %74, 0
  br i1 %75, label %76, label %79

76:                                               ; preds = %72
  %77 = getelementptr inbounds nuw i8, ptr %9, i64 96
  %78 = tail call fastcc i32 @carry_out(ptr noundef nonnull %9, ptr noundef nonnull %77, ptr noundef nonnull %16, ptr noundef %2, ptr noundef %3) #8
  br label %135

79:                                               ; preds = %72
  %80 = getelementptr inbounds nuw i8, ptr %11, i64 32
  %81 = load atomic i32, ptr %80 monotonic, align 8
  %82 = add i32 %81, -63
  %83 = getelementptr inbounds nuw i8, ptr %11, i64 36
  %84 = load atomic i32, ptr %83 acquire, align 4
  %85 = sub i32 %84, %82
  %86 = icmp sgt i32 %85, -1
  br i1 %86, label %115, label %87

87:                                               ; preds = %79
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #3
  %88 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %6) #7
  %89 = load <2 x i64>, ptr %6, align 16
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #3
  %90 = load atomic i32, ptr %83 acquire, align 4
  %91 = sub i32 %90, %82
  %92 = icmp slt i32 %91, 0
  br i1 %92, label %93, label %104

93:                                               ; preds = %87, %100
  %94 = phi i32 [ %95, %100 ], [ 0, %87 ]
  %95 = add i32 %94, 1
  %96 = icmp ult i32 %95, 200
  br i1 %96, label %97, label %98

97:                                               ; preds = %93
  call void @llvm.x86.sse2.pause()
  br label %100

98:                                               ; preds = %93
  %99 = call i32 @sched_yield() #7
  br label %100

100:                                              ; preds = %98, %97
  %101 = load atomic i32, ptr %83 acquire, align 4
  %102 = sub i32 %101, %82
  %103 = icmp slt i32 %102, 0
  br i1 %103, label %93, label %104, !llvm.loop !2

104:                                              ; preds = %100, %87
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #3
  %105 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #7
  %106 = getelementptr inbounds nuw i8, ptr %11, i64 16
  %107 = load <2 x i64>, ptr %5, align 16
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #3
  %108 = load i64, ptr %106, align 8
  %109 = sub <2 x i64> %107, %89
  %110 = extractelement <2 x i64> %109, i64 0
  %111 = mul i64 %110, 1000000000
  %112 = extractelement <2 x i64> %109, i64 1
  %113 = add i64 %112, %111
  %114 = add i64 %113, %108
  store i64 %114, ptr %106, align 8
  br label %115

115:                                              ; preds = %79, %104
  %116 = getelementptr inbounds nuw i8, ptr %11, i64 28
  %117 = load i32, ptr %116, align 4
  %118 = getelementptr inbounds nuw i8, ptr %11, i64 48
  %119 = and i32 %81, 63
  %120 = zext nneg i32 %119 to i64
  %121 = getelementptr inbounds nuw %struct.work, ptr %118, i64 %120
  store ptr %16, ptr %121, align 8
  %122 = getelementptr inbounds nuw i8, ptr %121, i64 8
  store ptr %2, ptr %122, align 8
  %123 = getelementptr inbounds nuw i8, ptr %121, i64 16
  store ptr %3, ptr %123, align 8
  %124 = add i32 %81, 1
  %125 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %126 = load ptr, ptr %125, align 8
  %127 = load i32, ptr %16, align 8
  %128 = sext i32 %127 to i64
  %129 = getelementptr inbounds i32, ptr %126, i64 %128
  store i32 %124, ptr %129, align 4
  store atomic i32 %124, ptr %80 seq_cst, align 8
  %130 = getelementptr inbounds nuw i8, ptr %11, i64 44
  %131 = load atomic i32, ptr %130 seq_cst, align 4
  %132 = icmp eq i32 %131, 0
  br i1 %132, label %135, label %133

133:                                              ; preds = %115
  %134 = call i64 (i64, ...) @syscall(i64 noundef 202, ptr noundef nonnull %80, i32 noundef 129, i32 noundef 1) #7
  br label %135

135:                                              ; preds = %133, %115, %62, %19, %76, %69
  %136 = phi i32 [ %71, %69 ], [ 0, %19 ], [ %78, %76 ], [ %64, %62 ], [ %117, %115 ], [ %117, %133 ]
  ret i32 %136
}

; Function Attrs: nounwind
define internal fastcc i32 @carry_out(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3, ptr noundef %4) unnamed_addr #0 {
  %6 = alloca %struct.time, align 8
  %7 = alloca %struct.call, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #3
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
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #3
  %18 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %6) #7
  %19 = load i64, ptr %6, align 8
  %20 = mul nsw i64 %19, 1000000000
  %21 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %22 = load i64, ptr %21, align 8
  %23 = add nsw i64 %20, %22
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #3
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
  call fastcc void @exchange(ptr noundef %7, ptr noundef %3, ptr noundef %25, ptr noundef %4, ptr noundef %25) #8
  br label %76

57:                                               ; preds = %5
  %58 = getelementptr inbounds nuw i8, ptr %2, i64 48
  %59 = load ptr, ptr %58, align 8
  call fastcc void @exchange(ptr noundef %7, ptr noundef %3, ptr noundef %25, ptr noundef %4, ptr noundef %59) #8
  br label %76

60:                                               ; preds = %5
  call fastcc void @reduce_parts(ptr noundef %7, ptr noundef %3, ptr noundef %25, ptr noundef %4, ptr noundef null) #8
  br label %76

61:                                               ; preds = %68, %49, %28
  %62 = phi i64 [ 0, %28 ], [ %51, %49 ], [ %73, %68 ]
  %63 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %64 = load i32, ptr %63, align 8
  %65 = sext i32 %64 to i64
  %66 = mul nsw i64 %62, %65
  %67 = getelementptr inbounds i8, ptr %4, i64 %66
  call fastcc void @reduce_parts(ptr noundef %7, ptr noundef %3, ptr noundef %25, ptr noundef %67, ptr noundef %4) #8
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
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #3
  ret i32 %77
}

; Function Attrs: nounwind
declare void @llvm.x86.sse2.pause() #3

declare i32 @sched_yield() local_unnamed_addr #2

declare i64 @syscall(i64 noundef, ...) local_unnamed_addr #2

declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: nounwind
define internal fastcc void @exchange(ptr noundef nonnull captures(none) %0, ptr noundef %1, ptr noundef readonly captures(none) %2, ptr noundef %3, ptr noundef readonly captures(none) %4) unnamed_addr #0 {
  %6 = alloca [256 x i8], align 16
  %7 = alloca i32, align 4
  %8 = alloca [256 x i8], align 16
  %9 = alloca i32, align 4
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %11 = load ptr, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %11, i64 24
  %13 = load i32, ptr %12, align 8
  %14 = icmp sgt i32 %13, 0
  br i1 %14, label %15, label %37

15:                                               ; preds = %5
  %16 = getelementptr inbounds nuw i8, ptr %11, i64 16
  %17 = load i32, ptr %16, align 8
  %18 = sext i32 %17 to i64
  %19 = zext nneg i32 %13 to i64
  %20 = and i64 %19, 1
  %21 = icmp eq i32 %13, 1
  br i1 %21, label %26, label %22

22:                                               ; preds = %15
  %23 = and i64 %19, 2147483646
  br label %47

24:                                               ; preds = %47
  %25 = icmp eq i64 %20, 0
  br i1 %25, label %37, label %26

26:                                               ; preds = %24, %15
  %27 = phi i64 [ 0, %15 ], [ %66, %24 ]
  %28 = phi i64 [ 0, %15 ], [ %65, %24 ]
  %29 = icmp ne i64 %20, 0
  tail call void @llvm.assume(i1 %29)
  %30 = getelementptr inbounds nuw i64, ptr %4, i64 %27
  %31 = load i64, ptr %30, align 8
  %32 = getelementptr inbounds nuw i64, ptr %2, i64 %27
  %33 = load i64, ptr %32, align 8
  %34 = tail call i64 @llvm.smax.i64(i64 %31, i64 %33)
  %35 = mul nsw i64 %34, %18
  %36 = tail call i64 @llvm.smax.i64(i64 %35, i64 %28)
  br label %37

37:                                               ; preds = %26, %24, %5
  %38 = phi i64 [ 0, %5 ], [ %65, %24 ], [ %36, %26 ]
  %39 = getelementptr inbounds nuw i8, ptr %11, i64 4
  %40 = load i32, ptr %39, align 4
  %41 = icmp eq i32 %40, 2
  %42 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %43 = getelementptr inbounds nuw i8, ptr %11, i64 28
  %44 = getelementptr inbounds nuw i8, ptr %11, i64 16
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 28
  br label %69

47:                                               ; preds = %47, %22
  %48 = phi i64 [ 0, %22 ], [ %66, %47 ]
  %49 = phi i64 [ 0, %22 ], [ %65, %47 ]
  %50 = phi i64 [ 0, %22 ], [ %67, %47 ]
  %51 = getelementptr inbounds nuw i64, ptr %4, i64 %48
  %52 = load i64, ptr %51, align 8
  %53 = getelementptr inbounds nuw i64, ptr %2, i64 %48
  %54 = load i64, ptr %53, align 8
  %55 = tail call i64 @llvm.smax.i64(i64 %52, i64 %54)
  %56 = mul nsw i64 %55, %18
  %57 = tail call i64 @llvm.smax.i64(i64 %56, i64 %49)
  %58 = or disjoint i64 %48, 1
  %59 = getelementptr inbounds nuw i64, ptr %4, i64 %58
  %60 = load i64, ptr %59, align 8
  %61 = getelementptr inbounds nuw i64, ptr %2, i64 %58
  %62 = load i64, ptr %61, align 8
  %63 = tail call i64 @llvm.smax.i64(i64 %60, i64 %62)
  %64 = mul nsw i64 %63, %18
  %65 = tail call i64 @llvm.smax.i64(i64 %64, i64 %57)
  %66 = add nuw nsw i64 %48, 2
  %67 = add i64 %50, 2
  %68 = icmp eq i64 %67, %23
  br i1 %68, label %24, label %47, !llvm.loop !8

69:                                               ; preds = %158, %37
  %70 = phi i1 [ true, %37 ], [ false, %158 ]
  %71 = phi i64 [ 0, %37 ], [ %161, %158 ]
  %72 = load ptr, ptr %42, align 8
  %73 = getelementptr inbounds nuw i8, ptr %72, i64 32
  %74 = load ptr, ptr %73, align 8
  %75 = load ptr, ptr %10, align 8
  %76 = getelementptr inbounds nuw i8, ptr %75, i64 24
  %77 = load i32, ptr %76, align 8
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds i64, ptr %74, i64 %78
  %80 = load i32, ptr %12, align 8
  %81 = icmp sgt i32 %80, 0
  br i1 %81, label %164, label %82

82:                                               ; preds = %69
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #3
  br label %158

83:                                               ; preds = %244
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #3
  %84 = icmp sgt i32 %246, 0
  br i1 %84, label %85, label %120

85:                                               ; preds = %83
  %86 = zext nneg i32 %246 to i64
  br label %87

87:                                               ; preds = %116, %85
  %88 = phi i64 [ 0, %85 ], [ %118, %116 ]
  %89 = phi i32 [ 0, %85 ], [ %117, %116 ]
  %90 = load i32, ptr %46, align 4
  %91 = icmp eq i32 %90, 0
  br i1 %91, label %92, label %120

92:                                               ; preds = %87
  call void @llvm.lifetime.start.p0(ptr nonnull %9) #3
  store i32 0, ptr %9, align 4
  %93 = getelementptr inbounds nuw i64, ptr %74, i64 %88
  br label %94

94:                                               ; preds = %112, %92
  %95 = phi i32 [ %89, %92 ], [ %107, %112 ]
  %96 = load ptr, ptr %0, align 8
  %97 = getelementptr inbounds nuw i8, ptr %96, i64 16
  %98 = load ptr, ptr %97, align 8
  %99 = call i32 %98(ptr noundef %93, ptr noundef nonnull %9, ptr noundef nonnull %8) #7
  %100 = load i32, ptr %46, align 4
  %101 = or i32 %100, %99
  store i32 %101, ptr %46, align 4
  %102 = icmp eq i32 %101, 0
  br i1 %102, label %103, label %115

103:                                              ; preds = %94
  %104 = load i32, ptr %9, align 4
  %105 = icmp eq i32 %104, 0
  br i1 %105, label %106, label %116

106:                                              ; preds = %103
  %107 = add i32 %95, 1
  %108 = icmp ult i32 %107, 200
  br i1 %108, label %109, label %110

109:                                              ; preds = %106
  call void @llvm.x86.sse2.pause()
  br label %112

110:                                              ; preds = %106
  %111 = call i32 @sched_yield() #7
  br label %112

112:                                              ; preds = %110, %109
  %113 = load i32, ptr %9, align 4
  %114 = icmp eq i32 %113, 0
  br i1 %114, label %94, label %116, !llvm.loop !9

115:                                              ; preds = %94
  call void @llvm.lifetime.end.p0(ptr nonnull %9) #3
  br label %120

116:                                              ; preds = %112, %103
  %117 = phi i32 [ %107, %112 ], [ %95, %103 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %9) #3
  %118 = add nuw nsw i64 %88, 1
  %119 = icmp eq i64 %118, %86
  br i1 %119, label %120, label %87, !llvm.loop !10

120:                                              ; preds = %87, %116, %83, %115
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #3
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #3
  %121 = icmp sgt i32 %245, 0
  br i1 %121, label %122, label %158

122:                                              ; preds = %120
  %123 = zext nneg i32 %245 to i64
  br label %124

124:                                              ; preds = %153, %122
  %125 = phi i64 [ 0, %122 ], [ %155, %153 ]
  %126 = phi i32 [ 0, %122 ], [ %154, %153 ]
  %127 = load i32, ptr %46, align 4
  %128 = icmp eq i32 %127, 0
  br i1 %128, label %129, label %157

129:                                              ; preds = %124
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #3
  store i32 0, ptr %7, align 4
  %130 = getelementptr inbounds nuw i64, ptr %79, i64 %125
  br label %131

131:                                              ; preds = %149, %129
  %132 = phi i32 [ %126, %129 ], [ %144, %149 ]
  %133 = load ptr, ptr %0, align 8
  %134 = getelementptr inbounds nuw i8, ptr %133, i64 16
  %135 = load ptr, ptr %134, align 8
  %136 = call i32 %135(ptr noundef %130, ptr noundef nonnull %7, ptr noundef nonnull %6) #7
  %137 = load i32, ptr %46, align 4
  %138 = or i32 %137, %136
  store i32 %138, ptr %46, align 4
  %139 = icmp eq i32 %138, 0
  br i1 %139, label %140, label %152

140:                                              ; preds = %131
  %141 = load i32, ptr %7, align 4
  %142 = icmp eq i32 %141, 0
  br i1 %142, label %143, label %153

143:                                              ; preds = %140
  %144 = add i32 %132, 1
  %145 = icmp ult i32 %144, 200
  br i1 %145, label %146, label %147

146:                                              ; preds = %143
  call void @llvm.x86.sse2.pause()
  br label %149

147:                                              ; preds = %143
  %148 = call i32 @sched_yield() #7
  br label %149

149:                                              ; preds = %147, %146
  %150 = load i32, ptr %7, align 4
  %151 = icmp eq i32 %150, 0
  br i1 %151, label %131, label %153, !llvm.loop !9

152:                                              ; preds = %131
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #3
  br label %157

153:                                              ; preds = %149, %140
  %154 = phi i32 [ %144, %149 ], [ %132, %140 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #3
  %155 = add nuw nsw i64 %125, 1
  %156 = icmp eq i64 %155, %123
  br i1 %156, label %158, label %124, !llvm.loop !10

157:                                              ; preds = %124, %152
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #3
  br label %254

158:                                              ; preds = %153, %82, %120
  %159 = load i32, ptr %46, align 4
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #3
  %160 = icmp eq i32 %159, 0
  %161 = add nuw nsw i64 %71, 1073741824
  %162 = icmp slt i64 %161, %38
  %163 = select i1 %160, i1 %162, i1 false
  br i1 %163, label %69, label %254, !llvm.loop !11

164:                                              ; preds = %69, %244
  %165 = phi i64 [ %250, %244 ], [ 0, %69 ]
  %166 = phi ptr [ %247, %244 ], [ %3, %69 ]
  %167 = phi ptr [ %249, %244 ], [ %1, %69 ]
  %168 = phi i32 [ %246, %244 ], [ 0, %69 ]
  %169 = phi i32 [ %245, %244 ], [ 0, %69 ]
  %170 = load i32, ptr %43, align 4
  %171 = sext i32 %170 to i64
  %172 = select i1 %41, i64 %171, i64 %165
  %173 = getelementptr inbounds i64, ptr %2, i64 %172
  %174 = load i64, ptr %173, align 8
  %175 = load i32, ptr %44, align 8
  %176 = sext i32 %175 to i64
  %177 = mul nsw i64 %174, %176
  %178 = getelementptr inbounds nuw i64, ptr %4, i64 %165
  %179 = load i64, ptr %178, align 8
  %180 = mul nsw i64 %179, %176
  %181 = zext i32 %170 to i64
  %182 = icmp eq i64 %165, %181
  br i1 %182, label %239, label %183

183:                                              ; preds = %164
  %184 = sub nsw i64 %180, %71
  %185 = icmp slt i64 %184, 1
  br i1 %185, label %209, label %186

186:                                              ; preds = %183
  %187 = call i64 @llvm.umin.i64(i64 %184, i64 1073741824)
  %188 = getelementptr inbounds nuw i8, ptr %166, i64 %71
  %189 = load ptr, ptr %0, align 8
  %190 = add nsw i32 %168, 1
  %191 = sext i32 %168 to i64
  %192 = getelementptr inbounds i64, ptr %74, i64 %191
  store i64 0, ptr %192, align 8
  %193 = getelementptr inbounds nuw i8, ptr %189, i64 8
  %194 = load ptr, ptr %193, align 8
  %195 = trunc nuw nsw i64 %187 to i32
  %196 = getelementptr inbounds nuw i8, ptr %189, i64 24
  %197 = load i64, ptr %196, align 8
  %198 = load ptr, ptr %10, align 8
  %199 = getelementptr inbounds nuw i8, ptr %198, i64 32
  %200 = load ptr, ptr %199, align 8
  %201 = getelementptr inbounds nuw i32, ptr %200, i64 %165
  %202 = load i32, ptr %201, align 4
  %203 = load i32, ptr %45, align 8
  %204 = load ptr, ptr %42, align 8
  %205 = load i64, ptr %204, align 8
  %206 = call i32 %194(ptr noundef %188, i32 noundef %195, i64 noundef %197, i32 noundef %202, i32 noundef %203, i64 noundef %205, ptr noundef nonnull %192) #7
  %207 = load i32, ptr %46, align 4
  %208 = or i32 %207, %206
  store i32 %208, ptr %46, align 4
  br label %209

209:                                              ; preds = %183, %186
  %210 = phi i32 [ %168, %183 ], [ %190, %186 ]
  %211 = sub nsw i64 %177, %71
  %212 = icmp slt i64 %211, 1
  br i1 %212, label %244, label %213

213:                                              ; preds = %209
  %214 = call i64 @llvm.umin.i64(i64 %211, i64 1073741824)
  %215 = getelementptr inbounds nuw i8, ptr %167, i64 %71
  %216 = load ptr, ptr %0, align 8
  %217 = add nsw i32 %169, 1
  %218 = sext i32 %169 to i64
  %219 = getelementptr inbounds i64, ptr %79, i64 %218
  store i64 0, ptr %219, align 8
  %220 = load ptr, ptr %42, align 8
  %221 = getelementptr inbounds nuw i8, ptr %220, i64 24
  %222 = load i64, ptr %221, align 8
  %223 = add nsw i64 %222, %214
  store i64 %223, ptr %221, align 8
  %224 = load ptr, ptr %216, align 8
  %225 = trunc nuw nsw i64 %214 to i32
  %226 = getelementptr inbounds nuw i8, ptr %216, i64 24
  %227 = load i64, ptr %226, align 8
  %228 = load ptr, ptr %10, align 8
  %229 = getelementptr inbounds nuw i8, ptr %228, i64 32
  %230 = load ptr, ptr %229, align 8
  %231 = getelementptr inbounds nuw i32, ptr %230, i64 %165
  %232 = load i32, ptr %231, align 4
  %233 = load i32, ptr %45, align 8
  %234 = load ptr, ptr %42, align 8
  %235 = load i64, ptr %234, align 8
  %236 = call i32 %224(ptr noundef %215, i32 noundef %225, i64 noundef %227, i32 noundef %232, i32 noundef %233, i64 noundef %235, ptr noundef nonnull %219) #7
  %237 = load i32, ptr %46, align 4
  %238 = or i32 %237, %236
  store i32 %238, ptr %46, align 4
  br label %244

239:                                              ; preds = %164
  %240 = icmp ne ptr %166, %167
  %241 = select i1 %70, i1 %240, i1 false
  br i1 %241, label %242, label %244

242:                                              ; preds = %239
  %243 = call ptr @memcpy(ptr noundef %166, ptr noundef %167, i64 noundef %180) #7
  br label %244

244:                                              ; preds = %213, %209, %239, %242
  %245 = phi i32 [ %169, %239 ], [ %169, %242 ], [ %169, %209 ], [ %217, %213 ]
  %246 = phi i32 [ %168, %239 ], [ %168, %242 ], [ %210, %209 ], [ %210, %213 ]
  %247 = getelementptr inbounds i8, ptr %166, i64 %180
  %248 = select i1 %41, i64 0, i64 %177
  %249 = getelementptr inbounds i8, ptr %167, i64 %248
  %250 = add nuw nsw i64 %165, 1
  %251 = load i32, ptr %12, align 8
  %252 = sext i32 %251 to i64
  %253 = icmp slt i64 %250, %252
  br i1 %253, label %164, label %83, !llvm.loop !12

254:                                              ; preds = %158, %157
  ret void
}

; Function Attrs: nounwind
define internal fastcc void @reduce_parts(ptr noundef nonnull captures(none) %0, ptr noundef %1, ptr noundef readonly captures(none) %2, ptr noundef %3, ptr noundef %4) unnamed_addr #0 {
  %6 = alloca [256 x i8], align 16
  %7 = alloca i32, align 4
  %8 = alloca [256 x i8], align 16
  %9 = alloca i32, align 4
  %10 = alloca [256 x i8], align 16
  %11 = alloca i32, align 4
  %12 = alloca [256 x i8], align 16
  %13 = alloca i32, align 4
  %14 = alloca [256 x i8], align 16
  %15 = alloca i32, align 4
  %16 = alloca [4096 x i8], align 64
  %17 = ptrtoint ptr %16 to i64
  %18 = alloca [256 x i8], align 16
  %19 = alloca i32, align 4
  %20 = alloca [256 x i8], align 16
  %21 = alloca i32, align 4
  %22 = alloca [2 x %struct.batch], align 16
  %23 = alloca [2 x %struct.batch], align 16
  %24 = alloca [2 x %struct.batch], align 16
  %25 = alloca [2 x %struct.batch], align 16
  %26 = alloca [4096 x ptr], align 16
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %28 = load ptr, ptr %27, align 8
  %29 = getelementptr inbounds nuw i8, ptr %28, i64 28
  %30 = load i32, ptr %29, align 4
  %31 = getelementptr inbounds nuw i8, ptr %28, i64 24
  %32 = load i32, ptr %31, align 8
  %33 = load ptr, ptr %0, align 8
  %34 = getelementptr inbounds nuw i8, ptr %33, i64 32
  %35 = load i64, ptr %34, align 8
  %36 = getelementptr inbounds nuw i8, ptr %28, i64 16
  %37 = load i32, ptr %36, align 8
  %38 = sext i32 %37 to i64
  %39 = sdiv i64 %35, %38
  %40 = icmp sgt i32 %32, 0
  %41 = getelementptr inbounds nuw i8, ptr %25, i64 16
  %42 = getelementptr inbounds nuw i8, ptr %24, i64 16
  %43 = getelementptr inbounds nuw i8, ptr %23, i64 16
  br i1 %40, label %44, label %80

44:                                               ; preds = %5
  %45 = add i64 %39, -1
  %46 = zext nneg i32 %32 to i64
  %47 = and i64 %46, 1
  %48 = icmp eq i32 %32, 1
  br i1 %48, label %71, label %49

49:                                               ; preds = %44
  %50 = and i64 %46, 2147483646
  br label %51

51:                                               ; preds = %51, %49
  %52 = phi i64 [ 0, %49 ], [ %66, %51 ]
  %53 = phi i64 [ 1, %49 ], [ %65, %51 ]
  %54 = phi i64 [ 0, %49 ], [ %67, %51 ]
  %55 = getelementptr inbounds nuw i64, ptr %2, i64 %52
  %56 = load i64, ptr %55, align 8
  %57 = add i64 %45, %56
  %58 = sdiv i64 %57, %39
  %59 = tail call i64 @llvm.smax.i64(i64 %58, i64 %53)
  %60 = getelementptr inbounds nuw i64, ptr %2, i64 %52
  %61 = getelementptr inbounds nuw i8, ptr %60, i64 8
  %62 = load i64, ptr %61, align 8
  %63 = add i64 %45, %62
  %64 = sdiv i64 %63, %39
  %65 = tail call i64 @llvm.smax.i64(i64 %64, i64 %59)
  %66 = add nuw nsw i64 %52, 2
  %67 = add i64 %54, 2
  %68 = icmp eq i64 %67, %50
  br i1 %68, label %69, label %51, !llvm.loop !13

69:                                               ; preds = %51
  %70 = icmp eq i64 %47, 0
  br i1 %70, label %80, label %71

71:                                               ; preds = %69, %44
  %72 = phi i64 [ 0, %44 ], [ %66, %69 ]
  %73 = phi i64 [ 1, %44 ], [ %65, %69 ]
  %74 = icmp ne i64 %47, 0
  call void @llvm.assume(i1 %74)
  %75 = getelementptr inbounds nuw i64, ptr %2, i64 %72
  %76 = load i64, ptr %75, align 8
  %77 = add i64 %45, %76
  %78 = sdiv i64 %77, %39
  %79 = tail call i64 @llvm.smax.i64(i64 %78, i64 %73)
  br label %80

80:                                               ; preds = %71, %69, %5
  %81 = phi i64 [ 1, %5 ], [ %65, %69 ], [ %79, %71 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %22) #3
  call void @llvm.lifetime.start.p0(ptr nonnull %23) #3
  call void @llvm.lifetime.start.p0(ptr nonnull %24) #3
  call void @llvm.lifetime.start.p0(ptr nonnull %25) #3
  %82 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %83 = load ptr, ptr %82, align 8
  %84 = getelementptr inbounds nuw i8, ptr %83, i64 32
  %85 = load ptr, ptr %84, align 8
  %86 = sext i32 %32 to i64
  store ptr %85, ptr %22, align 16
  %87 = getelementptr inbounds nuw i8, ptr %22, i64 8
  store i32 0, ptr %87, align 8
  %88 = shl nsw i64 %86, 4
  %89 = getelementptr inbounds i8, ptr %85, i64 %88
  store ptr %89, ptr %23, align 16
  %90 = getelementptr inbounds nuw i8, ptr %23, i64 8
  store i32 0, ptr %90, align 8
  %91 = shl nsw i64 %86, 5
  %92 = getelementptr inbounds i8, ptr %85, i64 %91
  store ptr %92, ptr %24, align 16
  %93 = getelementptr inbounds nuw i8, ptr %24, i64 8
  store i32 0, ptr %93, align 8
  %94 = mul nsw i64 %86, 48
  %95 = getelementptr inbounds i8, ptr %85, i64 %94
  store ptr %95, ptr %25, align 16
  %96 = getelementptr inbounds nuw i8, ptr %25, i64 8
  store i32 0, ptr %96, align 8
  %97 = getelementptr inbounds nuw i8, ptr %22, i64 16
  %98 = getelementptr inbounds i64, ptr %85, i64 %86
  store ptr %98, ptr %97, align 16
  %99 = getelementptr inbounds nuw i8, ptr %22, i64 24
  store i32 0, ptr %99, align 8
  %100 = getelementptr inbounds nuw i8, ptr %23, i64 16
  %101 = mul nsw i64 %86, 24
  %102 = getelementptr inbounds i8, ptr %85, i64 %101
  store ptr %102, ptr %100, align 16
  %103 = getelementptr inbounds nuw i8, ptr %23, i64 24
  store i32 0, ptr %103, align 8
  %104 = getelementptr inbounds nuw i8, ptr %24, i64 16
  %105 = mul nsw i64 %86, 40
  %106 = getelementptr inbounds i8, ptr %85, i64 %105
  store ptr %106, ptr %104, align 16
  %107 = getelementptr inbounds nuw i8, ptr %24, i64 24
  store i32 0, ptr %107, align 8
  %108 = getelementptr inbounds nuw i8, ptr %25, i64 16
  %109 = mul nsw i64 %86, 56
  %110 = getelementptr inbounds i8, ptr %85, i64 %109
  store ptr %110, ptr %108, align 16
  %111 = getelementptr inbounds nuw i8, ptr %25, i64 24
  store i32 0, ptr %111, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %26) #3
  %112 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %113 = sext i32 %30 to i64
  %114 = getelementptr inbounds i64, ptr %2, i64 %113
  %115 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %116 = icmp sgt i32 %30, 0
  %117 = getelementptr inbounds ptr, ptr %26, i64 %113
  %118 = getelementptr inbounds nuw i8, ptr %28, i64 8
  %119 = getelementptr inbounds nuw i8, ptr %28, i64 12
  %120 = icmp eq ptr %4, null
  %121 = zext i32 %30 to i64
  %122 = zext i32 %32 to i64
  %123 = zext nneg i32 %32 to i64
  %124 = zext nneg i32 %32 to i64
  %125 = icmp ult i32 %30, 4
  %126 = and i64 %121, 2147483644
  %127 = icmp eq i64 %126, %121
  %128 = icmp ult i32 %32, 4
  %129 = and i64 %122, 2147483644
  %130 = icmp eq i64 %129, %122
  br label %131

131:                                              ; preds = %80, %3576
  %132 = phi i64 [ 0, %80 ], [ %3577, %3576 ]
  %133 = load i32, ptr %112, align 4
  %134 = icmp eq i32 %133, 0
  br i1 %134, label %135, label %3579

135:                                              ; preds = %131
  %136 = trunc i64 %132 to i32
  %137 = and i32 %136, 1
  %138 = mul nsw i64 %132, %39
  %139 = icmp slt i64 %132, %81
  br i1 %139, label %140, label %279

140:                                              ; preds = %135
  %141 = and i64 %132, 1
  %142 = getelementptr inbounds nuw %struct.batch, ptr %23, i64 %141
  call void @llvm.lifetime.start.p0(ptr nonnull %20) #3
  %143 = getelementptr inbounds nuw i8, ptr %142, i64 8
  %144 = load i32, ptr %143, align 8
  %145 = icmp sgt i32 %144, 0
  br i1 %145, label %146, label %182

146:                                              ; preds = %140
  %147 = zext nneg i32 %144 to i64
  br label %148

148:                                              ; preds = %146, %178
  %149 = phi i64 [ %180, %178 ], [ 0, %146 ]
  %150 = phi i32 [ %179, %178 ], [ 0, %146 ]
  %151 = load i32, ptr %112, align 4
  %152 = icmp eq i32 %151, 0
  br i1 %152, label %153, label %182

153:                                              ; preds = %148
  call void @llvm.lifetime.start.p0(ptr nonnull %21) #3
  store i32 0, ptr %21, align 4
  %154 = load ptr, ptr %142, align 16
  %155 = getelementptr inbounds nuw i64, ptr %154, i64 %149
  br label %156

156:                                              ; preds = %174, %153
  %157 = phi i32 [ %150, %153 ], [ %169, %174 ]
  %158 = load ptr, ptr %0, align 8
  %159 = getelementptr inbounds nuw i8, ptr %158, i64 16
  %160 = load ptr, ptr %159, align 8
  %161 = call i32 %160(ptr noundef %155, ptr noundef nonnull %21, ptr noundef nonnull %20) #7
  %162 = load i32, ptr %112, align 4
  %163 = or i32 %162, %161
  store i32 %163, ptr %112, align 4
  %164 = icmp eq i32 %163, 0
  br i1 %164, label %165, label %177

165:                                              ; preds = %156
  %166 = load i32, ptr %21, align 4
  %167 = icmp eq i32 %166, 0
  br i1 %167, label %168, label %178

168:                                              ; preds = %165
  %169 = add i32 %157, 1
  %170 = icmp ult i32 %169, 200
  br i1 %170, label %171, label %172

171:                                              ; preds = %168
  call void @llvm.x86.sse2.pause()
  br label %174

172:                                              ; preds = %168
  %173 = call i32 @sched_yield() #7
  br label %174

174:                                              ; preds = %172, %171
  %175 = load i32, ptr %21, align 4
  %176 = icmp eq i32 %175, 0
  br i1 %176, label %156, label %178, !llvm.loop !9

177:                                              ; preds = %156
  call void @llvm.lifetime.end.p0(ptr nonnull %21) #3
  br label %183

178:                                              ; preds = %174, %165
  %179 = phi i32 [ %169, %174 ], [ %157, %165 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %21) #3
  %180 = add nuw nsw i64 %149, 1
  %181 = icmp eq i64 %180, %147
  br i1 %181, label %182, label %148, !llvm.loop !10

182:                                              ; preds = %178, %148, %140
  store i32 0, ptr %143, align 8
  br label %183

183:                                              ; preds = %177, %182
  %184 = phi i32 [ %144, %177 ], [ 0, %182 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %20) #3
  br i1 %40, label %185, label %279

185:                                              ; preds = %183
  %186 = getelementptr inbounds nuw %struct.batch, ptr %22, i64 %141
  %187 = mul nuw nsw i32 %137, %32
  %188 = getelementptr inbounds nuw i8, ptr %186, i64 8
  %189 = zext nneg i32 %187 to i64
  br label %190

190:                                              ; preds = %185, %272
  %191 = phi i32 [ %184, %185 ], [ %273, %272 ]
  %192 = phi i64 [ 0, %185 ], [ %274, %272 ]
  %193 = phi i64 [ 0, %185 ], [ %277, %272 ]
  %194 = icmp eq i64 %192, %121
  br i1 %194, label %272, label %195

195:                                              ; preds = %190
  %196 = load i64, ptr %114, align 8
  %197 = sub nsw i64 %196, %138
  %198 = call noundef i64 @llvm.smin.i64(i64 %197, i64 %39)
  %199 = getelementptr inbounds nuw i64, ptr %2, i64 %192
  %200 = load i64, ptr %199, align 8
  %201 = sub nsw i64 %200, %138
  %202 = call noundef i64 @llvm.smin.i64(i64 %201, i64 %39)
  %203 = load i32, ptr %36, align 8
  %204 = sext i32 %203 to i64
  %205 = mul nsw i64 %198, %204
  %206 = icmp slt i64 %205, 1
  br i1 %206, label %240, label %207

207:                                              ; preds = %195
  %208 = load ptr, ptr %82, align 8
  %209 = getelementptr inbounds nuw i8, ptr %208, i64 40
  %210 = load ptr, ptr %209, align 8
  %211 = load ptr, ptr %0, align 8
  %212 = getelementptr inbounds nuw i8, ptr %211, i64 32
  %213 = load i64, ptr %212, align 8
  %214 = add nuw nsw i64 %192, %189
  %215 = mul nsw i64 %213, %214
  %216 = getelementptr inbounds i8, ptr %210, i64 %215
  %217 = load ptr, ptr %186, align 16
  %218 = load i32, ptr %188, align 8
  %219 = add nsw i32 %218, 1
  store i32 %219, ptr %188, align 8
  %220 = sext i32 %218 to i64
  %221 = getelementptr inbounds i64, ptr %217, i64 %220
  store i64 0, ptr %221, align 8
  %222 = getelementptr inbounds nuw i8, ptr %211, i64 8
  %223 = load ptr, ptr %222, align 8
  %224 = trunc i64 %205 to i32
  %225 = getelementptr inbounds nuw i8, ptr %211, i64 24
  %226 = load i64, ptr %225, align 8
  %227 = load ptr, ptr %27, align 8
  %228 = getelementptr inbounds nuw i8, ptr %227, i64 32
  %229 = load ptr, ptr %228, align 8
  %230 = getelementptr inbounds nuw i32, ptr %229, i64 %192
  %231 = load i32, ptr %230, align 4
  %232 = load i32, ptr %115, align 8
  %233 = load ptr, ptr %82, align 8
  %234 = load i64, ptr %233, align 8
  %235 = call i32 %223(ptr noundef %216, i32 noundef %224, i64 noundef %226, i32 noundef %231, i32 noundef %232, i64 noundef %234, ptr noundef nonnull %221) #7
  %236 = load i32, ptr %112, align 4
  %237 = or i32 %236, %235
  store i32 %237, ptr %112, align 4
  %238 = load i32, ptr %36, align 8
  %239 = sext i32 %238 to i64
  br label %240

240:                                              ; preds = %195, %207
  %241 = phi i64 [ %204, %195 ], [ %239, %207 ]
  %242 = mul nsw i64 %202, %241
  %243 = icmp slt i64 %242, 1
  br i1 %243, label %272, label %244

244:                                              ; preds = %240
  %245 = add nsw i64 %193, %138
  %246 = mul nsw i64 %245, %241
  %247 = getelementptr inbounds i8, ptr %1, i64 %246
  %248 = load ptr, ptr %0, align 8
  %249 = load ptr, ptr %142, align 16
  %250 = add nuw nsw i32 %191, 1
  store i32 %250, ptr %143, align 8
  %251 = zext nneg i32 %191 to i64
  %252 = getelementptr inbounds nuw i64, ptr %249, i64 %251
  store i64 0, ptr %252, align 8
  %253 = load ptr, ptr %82, align 8
  %254 = getelementptr inbounds nuw i8, ptr %253, i64 24
  %255 = load i64, ptr %254, align 8
  %256 = add nsw i64 %255, %242
  store i64 %256, ptr %254, align 8
  %257 = load ptr, ptr %248, align 8
  %258 = trunc i64 %242 to i32
  %259 = getelementptr inbounds nuw i8, ptr %248, i64 24
  %260 = load i64, ptr %259, align 8
  %261 = load ptr, ptr %27, align 8
  %262 = getelementptr inbounds nuw i8, ptr %261, i64 32
  %263 = load ptr, ptr %262, align 8
  %264 = getelementptr inbounds nuw i32, ptr %263, i64 %192
  %265 = load i32, ptr %264, align 4
  %266 = load i32, ptr %115, align 8
  %267 = load ptr, ptr %82, align 8
  %268 = load i64, ptr %267, align 8
  %269 = call i32 %257(ptr noundef %247, i32 noundef %258, i64 noundef %260, i32 noundef %265, i32 noundef %266, i64 noundef %268, ptr noundef nonnull %252) #7
  %270 = load i32, ptr %112, align 4
  %271 = or i32 %270, %269
  store i32 %271, ptr %112, align 4
  br label %272

272:                                              ; preds = %244, %240, %190
  %273 = phi i32 [ %250, %244 ], [ %191, %240 ], [ %191, %190 ]
  %274 = add nuw nsw i64 %192, 1
  %275 = getelementptr inbounds nuw i64, ptr %2, i64 %192
  %276 = load i64, ptr %275, align 8
  %277 = add nsw i64 %276, %193
  %278 = icmp eq i64 %274, %122
  br i1 %278, label %279, label %190, !llvm.loop !14

279:                                              ; preds = %272, %183, %135
  %280 = icmp eq i64 %132, 0
  br i1 %280, label %3576, label %281

281:                                              ; preds = %279
  %282 = xor i32 %137, 1
  %283 = sub nsw i64 %138, %39
  %284 = zext nneg i32 %282 to i64
  %285 = getelementptr inbounds nuw %struct.batch, ptr %22, i64 %284
  call void @llvm.lifetime.start.p0(ptr nonnull %18) #3
  %286 = getelementptr inbounds nuw i8, ptr %285, i64 8
  %287 = load i32, ptr %286, align 8
  %288 = icmp sgt i32 %287, 0
  br i1 %288, label %289, label %325

289:                                              ; preds = %281
  %290 = zext nneg i32 %287 to i64
  br label %291

291:                                              ; preds = %289, %321
  %292 = phi i64 [ %323, %321 ], [ 0, %289 ]
  %293 = phi i32 [ %322, %321 ], [ 0, %289 ]
  %294 = load i32, ptr %112, align 4
  %295 = icmp eq i32 %294, 0
  br i1 %295, label %296, label %325

296:                                              ; preds = %291
  call void @llvm.lifetime.start.p0(ptr nonnull %19) #3
  store i32 0, ptr %19, align 4
  %297 = load ptr, ptr %285, align 16
  %298 = getelementptr inbounds nuw i64, ptr %297, i64 %292
  br label %299

299:                                              ; preds = %317, %296
  %300 = phi i32 [ %293, %296 ], [ %312, %317 ]
  %301 = load ptr, ptr %0, align 8
  %302 = getelementptr inbounds nuw i8, ptr %301, i64 16
  %303 = load ptr, ptr %302, align 8
  %304 = call i32 %303(ptr noundef %298, ptr noundef nonnull %19, ptr noundef nonnull %18) #7
  %305 = load i32, ptr %112, align 4
  %306 = or i32 %305, %304
  store i32 %306, ptr %112, align 4
  %307 = icmp eq i32 %306, 0
  br i1 %307, label %308, label %320

308:                                              ; preds = %299
  %309 = load i32, ptr %19, align 4
  %310 = icmp eq i32 %309, 0
  br i1 %310, label %311, label %321

311:                                              ; preds = %308
  %312 = add i32 %300, 1
  %313 = icmp ult i32 %312, 200
  br i1 %313, label %314, label %315

314:                                              ; preds = %311
  call void @llvm.x86.sse2.pause()
  br label %317

315:                                              ; preds = %311
  %316 = call i32 @sched_yield() #7
  br label %317

317:                                              ; preds = %315, %314
  %318 = load i32, ptr %19, align 4
  %319 = icmp eq i32 %318, 0
  br i1 %319, label %299, label %321, !llvm.loop !9

320:                                              ; preds = %299
  call void @llvm.lifetime.end.p0(ptr nonnull %19) #3
  br label %326

321:                                              ; preds = %317, %308
  %322 = phi i32 [ %312, %317 ], [ %300, %308 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %19) #3
  %323 = add nuw nsw i64 %292, 1
  %324 = icmp eq i64 %323, %290
  br i1 %324, label %325, label %291, !llvm.loop !10

325:                                              ; preds = %321, %291, %281
  store i32 0, ptr %286, align 8
  br label %326

326:                                              ; preds = %320, %325
  call void @llvm.lifetime.end.p0(ptr nonnull %18) #3
  %327 = load i64, ptr %114, align 8
  %328 = sub nsw i64 %327, %283
  %329 = call noundef i64 @llvm.smin.i64(i64 %328, i64 %39)
  br i1 %116, label %330, label %349

330:                                              ; preds = %326
  br i1 %125, label %346, label %331

331:                                              ; preds = %330, %331
  %332 = phi i64 [ %341, %331 ], [ 0, %330 ]
  %333 = phi <2 x i64> [ %339, %331 ], [ zeroinitializer, %330 ]
  %334 = phi <2 x i64> [ %340, %331 ], [ zeroinitializer, %330 ]
  %335 = getelementptr inbounds nuw i64, ptr %2, i64 %332
  %336 = getelementptr inbounds nuw i8, ptr %335, i64 16
  %337 = load <2 x i64>, ptr %335, align 8
  %338 = load <2 x i64>, ptr %336, align 8
  %339 = add <2 x i64> %337, %333
  %340 = add <2 x i64> %338, %334
  %341 = add nuw i64 %332, 4
  %342 = icmp eq i64 %341, %126
  br i1 %342, label %343, label %331, !llvm.loop !15

343:                                              ; preds = %331
  %344 = add <2 x i64> %340, %339
  %345 = call i64 @llvm.vector.reduce.add.v2i64(<2 x i64> %344)
  br i1 %127, label %349, label %346

346:                                              ; preds = %330, %343
  %347 = phi i64 [ 0, %330 ], [ %126, %343 ]
  %348 = phi i64 [ 0, %330 ], [ %345, %343 ]
  br label %385

349:                                              ; preds = %385, %343, %326
  %350 = phi i64 [ 0, %326 ], [ %345, %343 ], [ %390, %385 ]
  %351 = icmp sgt i64 %329, 0
  br i1 %351, label %352, label %3404

352:                                              ; preds = %349
  br i1 %40, label %353, label %393

353:                                              ; preds = %352
  %354 = load ptr, ptr %82, align 8
  %355 = getelementptr inbounds nuw i8, ptr %354, i64 40
  %356 = load ptr, ptr %355, align 8
  %357 = mul nuw nsw i32 %282, %32
  %358 = load ptr, ptr %0, align 8
  %359 = getelementptr inbounds nuw i8, ptr %358, i64 32
  %360 = load i64, ptr %359, align 8
  %361 = zext nneg i32 %357 to i64
  br i1 %128, label %383, label %362

362:                                              ; preds = %353
  %363 = insertelement <2 x i64> poison, i64 %360, i64 0
  %364 = shufflevector <2 x i64> %363, <2 x i64> poison, <2 x i32> zeroinitializer
  %365 = insertelement <2 x i64> poison, i64 %361, i64 0
  %366 = shufflevector <2 x i64> %365, <2 x i64> poison, <2 x i32> zeroinitializer
  %367 = add <2 x i64> splat (i64 2), %366
  br label %368

368:                                              ; preds = %368, %362
  %369 = phi i64 [ 0, %362 ], [ %379, %368 ]
  %370 = phi <2 x i64> [ <i64 0, i64 1>, %362 ], [ %380, %368 ]
  %371 = add nuw nsw <2 x i64> %370, %366
  %372 = add <2 x i64> %370, %367
  %373 = mul nsw <2 x i64> %364, %371
  %374 = mul nsw <2 x i64> %364, %372
  %375 = getelementptr inbounds i8, ptr %356, <2 x i64> %373
  %376 = getelementptr inbounds i8, ptr %356, <2 x i64> %374
  %377 = getelementptr inbounds nuw ptr, ptr %26, i64 %369
  %378 = getelementptr inbounds nuw i8, ptr %377, i64 16
  store <2 x ptr> %375, ptr %377, align 16
  store <2 x ptr> %376, ptr %378, align 16
  %379 = add nuw i64 %369, 4
  %380 = add <2 x i64> %370, splat (i64 4)
  %381 = icmp eq i64 %379, %129
  br i1 %381, label %382, label %368, !llvm.loop !16

382:                                              ; preds = %368
  br i1 %130, label %393, label %383

383:                                              ; preds = %353, %382
  %384 = phi i64 [ 0, %353 ], [ %129, %382 ]
  br label %3396

385:                                              ; preds = %346, %385
  %386 = phi i64 [ %391, %385 ], [ %347, %346 ]
  %387 = phi i64 [ %390, %385 ], [ %348, %346 ]
  %388 = getelementptr inbounds nuw i64, ptr %2, i64 %386
  %389 = load i64, ptr %388, align 8
  %390 = add nsw i64 %389, %387
  %391 = add nuw nsw i64 %386, 1
  %392 = icmp eq i64 %391, %121
  br i1 %392, label %349, label %385, !llvm.loop !17

393:                                              ; preds = %3396, %382, %352
  %394 = add nsw i64 %350, %283
  %395 = load i32, ptr %36, align 8
  %396 = sext i32 %395 to i64
  %397 = mul nsw i64 %394, %396
  %398 = getelementptr inbounds i8, ptr %1, i64 %397
  store ptr %398, ptr %117, align 8
  %399 = mul nsw i64 %283, %396
  %400 = getelementptr inbounds i8, ptr %3, i64 %399
  call void @llvm.lifetime.start.p0(ptr nonnull %16) #3
  %401 = load i32, ptr %31, align 8
  %402 = load i32, ptr %118, align 8
  %403 = icmp sgt i32 %401, 1
  %404 = zext nneg i32 %401 to i64
  %405 = load ptr, ptr %26, align 16
  %406 = ptrtoint ptr %405 to i64
  br label %407

407:                                              ; preds = %3391, %393
  %408 = phi i64 [ %3394, %3391 ], [ 0, %393 ]
  %409 = phi i64 [ %3392, %3391 ], [ 0, %393 ]
  %410 = shl i64 %408, 9
  %411 = sub i64 %329, %410
  %412 = call i64 @llvm.smin.i64(i64 %411, i64 512)
  %413 = shl i64 %408, 9
  %414 = sub i64 %329, %413
  %415 = call i64 @llvm.smin.i64(i64 %414, i64 512)
  %416 = shl i64 %408, 9
  %417 = sub i64 %329, %416
  %418 = call i64 @llvm.smin.i64(i64 %417, i64 512)
  %419 = shl i64 %408, 9
  %420 = sub i64 %329, %419
  %421 = call i64 @llvm.smin.i64(i64 %420, i64 512)
  %422 = shl i64 %408, 9
  %423 = sub i64 %329, %422
  %424 = call i64 @llvm.smin.i64(i64 %423, i64 512)
  %425 = shl i64 %408, 9
  %426 = sub i64 %329, %425
  %427 = call i64 @llvm.smin.i64(i64 %426, i64 512)
  %428 = shl i64 %408, 9
  %429 = sub i64 %329, %428
  %430 = call i64 @llvm.smin.i64(i64 %429, i64 512)
  %431 = shl i64 %408, 9
  %432 = sub i64 %329, %431
  %433 = call i64 @llvm.smin.i64(i64 %432, i64 512)
  %434 = shl i64 %408, 9
  %435 = sub i64 %329, %434
  %436 = call i64 @llvm.smin.i64(i64 %435, i64 512)
  %437 = shl i64 %408, 9
  %438 = sub i64 %329, %437
  %439 = call i64 @llvm.smin.i64(i64 %438, i64 512)
  %440 = shl i64 %408, 9
  %441 = sub i64 %329, %440
  %442 = call i64 @llvm.smin.i64(i64 %441, i64 512)
  %443 = shl i64 %408, 9
  %444 = sub i64 %329, %443
  %445 = call i64 @llvm.smin.i64(i64 %444, i64 512)
  %446 = shl i64 %408, 9
  %447 = sub i64 %329, %446
  %448 = call i64 @llvm.smin.i64(i64 %447, i64 512)
  %449 = shl i64 %408, 9
  %450 = sub i64 %329, %449
  %451 = call i64 @llvm.smin.i64(i64 %450, i64 512)
  %452 = shl i64 %408, 9
  %453 = sub i64 %329, %452
  %454 = call i64 @llvm.smin.i64(i64 %453, i64 512)
  %455 = shl i64 %408, 9
  %456 = sub i64 %329, %455
  %457 = call i64 @llvm.smin.i64(i64 %456, i64 512)
  %458 = shl i64 %408, 9
  %459 = sub i64 %329, %458
  %460 = call i64 @llvm.smin.i64(i64 %459, i64 512)
  %461 = shl i64 %408, 9
  %462 = sub i64 %329, %461
  %463 = call i64 @llvm.smin.i64(i64 %462, i64 512)
  %464 = shl i64 %408, 9
  %465 = sub i64 %329, %464
  %466 = call i64 @llvm.smin.i64(i64 %465, i64 512)
  %467 = shl i64 %408, 9
  %468 = sub i64 %329, %467
  %469 = call i64 @llvm.smin.i64(i64 %468, i64 512)
  %470 = shl i64 %408, 9
  %471 = sub i64 %329, %470
  %472 = call i64 @llvm.smin.i64(i64 %471, i64 512)
  %473 = shl i64 %408, 9
  %474 = sub i64 %329, %473
  %475 = call i64 @llvm.smin.i64(i64 %474, i64 512)
  %476 = shl i64 %408, 9
  %477 = sub i64 %329, %476
  %478 = call i64 @llvm.smin.i64(i64 %477, i64 512)
  %479 = shl i64 %408, 9
  %480 = sub i64 %329, %479
  %481 = call i64 @llvm.smin.i64(i64 %480, i64 512)
  %482 = shl i64 %408, 9
  %483 = sub i64 %329, %482
  %484 = call i64 @llvm.smin.i64(i64 %483, i64 512)
  %485 = shl i64 %408, 9
  %486 = sub i64 %329, %485
  %487 = call i64 @llvm.smin.i64(i64 %486, i64 512)
  %488 = shl i64 %408, 9
  %489 = sub i64 %329, %488
  %490 = call i64 @llvm.smin.i64(i64 %489, i64 512)
  %491 = shl i64 %408, 9
  %492 = sub i64 %329, %491
  %493 = call i64 @llvm.smin.i64(i64 %492, i64 512)
  %494 = shl i64 %408, 9
  %495 = sub i64 %329, %494
  %496 = call i64 @llvm.smin.i64(i64 %495, i64 512)
  %497 = shl i64 %408, 9
  %498 = sub i64 %329, %497
  %499 = call i64 @llvm.smin.i64(i64 %498, i64 512)
  %500 = shl i64 %408, 9
  %501 = sub i64 %329, %500
  %502 = call i64 @llvm.smin.i64(i64 %501, i64 512)
  %503 = shl i64 %502, 3
  %504 = getelementptr i8, ptr %16, i64 %503
  %505 = shl i64 %408, 9
  %506 = sub i64 %329, %505
  %507 = call i64 @llvm.smin.i64(i64 %506, i64 512)
  %508 = shl i64 %408, 9
  %509 = sub i64 %329, %508
  %510 = call i64 @llvm.smin.i64(i64 %509, i64 512)
  %511 = shl i64 %510, 3
  %512 = getelementptr i8, ptr %16, i64 %511
  %513 = shl i64 %408, 9
  %514 = sub i64 %329, %513
  %515 = call i64 @llvm.smin.i64(i64 %514, i64 512)
  %516 = shl i64 %408, 9
  %517 = sub i64 %329, %516
  %518 = call i64 @llvm.smin.i64(i64 %517, i64 512)
  %519 = shl i64 %518, 3
  %520 = getelementptr i8, ptr %16, i64 %519
  %521 = shl i64 %408, 9
  %522 = sub i64 %329, %521
  %523 = call i64 @llvm.smin.i64(i64 %522, i64 512)
  %524 = shl i64 %408, 9
  %525 = sub i64 %329, %524
  %526 = call i64 @llvm.smin.i64(i64 %525, i64 512)
  %527 = shl i64 %408, 9
  %528 = sub i64 %329, %527
  %529 = call i64 @llvm.smin.i64(i64 %528, i64 512)
  %530 = shl i64 %408, 9
  %531 = sub i64 %329, %530
  %532 = call i64 @llvm.smin.i64(i64 %531, i64 512)
  %533 = shl i64 %532, 2
  %534 = getelementptr i8, ptr %16, i64 %533
  %535 = shl i64 %408, 9
  %536 = sub i64 %329, %535
  %537 = call i64 @llvm.smin.i64(i64 %536, i64 512)
  %538 = shl i64 %408, 9
  %539 = sub i64 %329, %538
  %540 = call i64 @llvm.smin.i64(i64 %539, i64 512)
  %541 = shl i64 %540, 2
  %542 = getelementptr i8, ptr %16, i64 %541
  %543 = shl i64 %408, 9
  %544 = sub i64 %329, %543
  %545 = call i64 @llvm.smin.i64(i64 %544, i64 512)
  %546 = shl i64 %408, 9
  %547 = sub i64 %329, %546
  %548 = call i64 @llvm.smin.i64(i64 %547, i64 512)
  %549 = shl i64 %548, 2
  %550 = getelementptr i8, ptr %16, i64 %549
  %551 = shl i64 %408, 9
  %552 = sub i64 %329, %551
  %553 = call i64 @llvm.smin.i64(i64 %552, i64 512)
  %554 = shl i64 %408, 9
  %555 = sub i64 %329, %554
  %556 = call i64 @llvm.smin.i64(i64 %555, i64 512)
  %557 = shl i64 %408, 9
  %558 = sub i64 %329, %557
  %559 = call i64 @llvm.smin.i64(i64 %558, i64 512)
  %560 = shl i64 %408, 9
  %561 = sub i64 %329, %560
  %562 = call i64 @llvm.smin.i64(i64 %561, i64 512)
  %563 = getelementptr i8, ptr %16, i64 %562
  %564 = shl i64 %408, 9
  %565 = sub i64 %329, %564
  %566 = call i64 @llvm.smin.i64(i64 %565, i64 512)
  %567 = shl i64 %408, 9
  %568 = sub i64 %329, %567
  %569 = call i64 @llvm.smin.i64(i64 %568, i64 512)
  %570 = getelementptr i8, ptr %16, i64 %569
  %571 = shl i64 %408, 9
  %572 = sub i64 %329, %571
  %573 = call i64 @llvm.smin.i64(i64 %572, i64 512)
  %574 = shl i64 %408, 9
  %575 = sub i64 %329, %574
  %576 = call i64 @llvm.smin.i64(i64 %575, i64 512)
  %577 = getelementptr i8, ptr %16, i64 %576
  %578 = shl i64 %408, 9
  %579 = sub i64 %329, %578
  %580 = call i64 @llvm.smin.i64(i64 %579, i64 512)
  %581 = shl i64 %408, 9
  %582 = sub i64 %329, %581
  %583 = call i64 @llvm.smin.i64(i64 %582, i64 512)
  %584 = shl i64 %408, 9
  %585 = sub i64 %329, %584
  %586 = call i64 @llvm.smin.i64(i64 %585, i64 512)
  %587 = shl i64 %408, 9
  %588 = sub i64 %329, %587
  %589 = call i64 @llvm.smin.i64(i64 %588, i64 512)
  %590 = getelementptr i8, ptr %16, i64 %589
  %591 = shl i64 %408, 9
  %592 = sub i64 %329, %591
  %593 = call i64 @llvm.smin.i64(i64 %592, i64 512)
  %594 = shl i64 %408, 9
  %595 = sub i64 %329, %594
  %596 = call i64 @llvm.smin.i64(i64 %595, i64 512)
  %597 = getelementptr i8, ptr %16, i64 %596
  %598 = shl i64 %408, 9
  %599 = sub i64 %329, %598
  %600 = call i64 @llvm.smin.i64(i64 %599, i64 512)
  %601 = shl i64 %408, 9
  %602 = sub i64 %329, %601
  %603 = call i64 @llvm.smin.i64(i64 %602, i64 512)
  %604 = getelementptr i8, ptr %16, i64 %603
  %605 = shl i64 %408, 9
  %606 = sub i64 %329, %605
  %607 = call i64 @llvm.smin.i64(i64 %606, i64 512)
  %608 = shl i64 %408, 9
  %609 = sub i64 %329, %608
  %610 = call i64 @llvm.smin.i64(i64 %609, i64 512)
  %611 = shl i64 %408, 9
  %612 = sub i64 %329, %611
  %613 = call i64 @llvm.smin.i64(i64 %612, i64 512)
  %614 = shl i64 %613, 2
  %615 = getelementptr i8, ptr %16, i64 %614
  %616 = shl i64 %613, 1
  %617 = shl i64 %408, 9
  %618 = sub i64 %329, %617
  %619 = call i64 @llvm.smin.i64(i64 %618, i64 512)
  %620 = shl i64 %408, 9
  %621 = sub i64 %329, %620
  %622 = call i64 @llvm.smin.i64(i64 %621, i64 512)
  %623 = shl i64 %622, 2
  %624 = getelementptr i8, ptr %16, i64 %623
  %625 = shl i64 %622, 1
  %626 = shl i64 %408, 9
  %627 = sub i64 %329, %626
  %628 = call i64 @llvm.smin.i64(i64 %627, i64 512)
  %629 = shl i64 %408, 9
  %630 = sub i64 %329, %629
  %631 = call i64 @llvm.smin.i64(i64 %630, i64 512)
  %632 = shl i64 %631, 2
  %633 = getelementptr i8, ptr %16, i64 %632
  %634 = shl i64 %631, 1
  %635 = shl i64 %408, 9
  %636 = sub i64 %329, %635
  %637 = call i64 @llvm.smin.i64(i64 %636, i64 512)
  %638 = shl i64 %408, 9
  %639 = sub i64 %329, %638
  %640 = call i64 @llvm.smin.i64(i64 %639, i64 512)
  %641 = shl i64 %640, 2
  %642 = getelementptr i8, ptr %16, i64 %641
  %643 = shl i64 %640, 1
  %644 = shl i64 %408, 9
  %645 = sub i64 %329, %644
  %646 = call i64 @llvm.smin.i64(i64 %645, i64 512)
  %647 = shl i64 %408, 9
  %648 = sub i64 %329, %647
  %649 = call i64 @llvm.smin.i64(i64 %648, i64 512)
  %650 = shl i64 %408, 9
  %651 = sub i64 %329, %650
  %652 = call i64 @llvm.smin.i64(i64 %651, i64 512)
  %653 = shl i64 %652, 2
  %654 = getelementptr i8, ptr %16, i64 %653
  %655 = shl i64 %652, 1
  %656 = shl i64 %408, 9
  %657 = sub i64 %329, %656
  %658 = call i64 @llvm.smin.i64(i64 %657, i64 512)
  %659 = shl i64 %408, 9
  %660 = sub i64 %329, %659
  %661 = call i64 @llvm.smin.i64(i64 %660, i64 512)
  %662 = shl i64 %661, 2
  %663 = getelementptr i8, ptr %16, i64 %662
  %664 = shl i64 %661, 1
  %665 = shl i64 %408, 9
  %666 = sub i64 %329, %665
  %667 = call i64 @llvm.smin.i64(i64 %666, i64 512)
  %668 = shl i64 %408, 9
  %669 = sub i64 %329, %668
  %670 = call i64 @llvm.smin.i64(i64 %669, i64 512)
  %671 = shl i64 %670, 2
  %672 = getelementptr i8, ptr %16, i64 %671
  %673 = shl i64 %670, 1
  %674 = shl i64 %408, 9
  %675 = sub i64 %329, %674
  %676 = call i64 @llvm.smin.i64(i64 %675, i64 512)
  %677 = shl i64 %408, 9
  %678 = sub i64 %329, %677
  %679 = call i64 @llvm.smin.i64(i64 %678, i64 512)
  %680 = shl i64 %679, 2
  %681 = getelementptr i8, ptr %16, i64 %680
  %682 = shl i64 %679, 1
  %683 = shl i64 %408, 9
  %684 = sub i64 %329, %683
  %685 = call i64 @llvm.smin.i64(i64 %684, i64 512)
  %686 = shl i64 %408, 9
  %687 = sub i64 %329, %686
  %688 = call i64 @llvm.smin.i64(i64 %687, i64 512)
  %689 = shl i64 %408, 9
  %690 = sub i64 %329, %689
  %691 = call i64 @llvm.smin.i64(i64 %690, i64 512)
  %692 = shl i64 %408, 9
  %693 = sub i64 %329, %692
  %694 = call i64 @llvm.smin.i64(i64 %693, i64 512)
  %695 = shl i64 %694, 3
  %696 = getelementptr i8, ptr %16, i64 %695
  %697 = shl i64 %408, 9
  %698 = sub i64 %329, %697
  %699 = call i64 @llvm.smin.i64(i64 %698, i64 512)
  %700 = shl i64 %408, 9
  %701 = sub i64 %329, %700
  %702 = call i64 @llvm.smin.i64(i64 %701, i64 512)
  %703 = shl i64 %702, 3
  %704 = getelementptr i8, ptr %16, i64 %703
  %705 = shl i64 %408, 9
  %706 = sub i64 %329, %705
  %707 = call i64 @llvm.smin.i64(i64 %706, i64 512)
  %708 = shl i64 %408, 9
  %709 = sub i64 %329, %708
  %710 = call i64 @llvm.smin.i64(i64 %709, i64 512)
  %711 = shl i64 %710, 3
  %712 = getelementptr i8, ptr %16, i64 %711
  %713 = shl i64 %408, 9
  %714 = sub i64 %329, %713
  %715 = call i64 @llvm.smin.i64(i64 %714, i64 512)
  %716 = shl i64 %408, 9
  %717 = sub i64 %329, %716
  %718 = call i64 @llvm.smin.i64(i64 %717, i64 512)
  %719 = shl i64 %408, 9
  %720 = sub i64 %329, %719
  %721 = call i64 @llvm.smin.i64(i64 %720, i64 512)
  %722 = shl i64 %408, 9
  %723 = sub i64 %329, %722
  %724 = call i64 @llvm.smin.i64(i64 %723, i64 512)
  %725 = shl i64 %724, 2
  %726 = getelementptr i8, ptr %16, i64 %725
  %727 = shl i64 %408, 9
  %728 = sub i64 %329, %727
  %729 = call i64 @llvm.smin.i64(i64 %728, i64 512)
  %730 = shl i64 %408, 9
  %731 = sub i64 %329, %730
  %732 = call i64 @llvm.smin.i64(i64 %731, i64 512)
  %733 = shl i64 %732, 2
  %734 = getelementptr i8, ptr %16, i64 %733
  %735 = shl i64 %408, 9
  %736 = sub i64 %329, %735
  %737 = call i64 @llvm.smin.i64(i64 %736, i64 512)
  %738 = shl i64 %408, 9
  %739 = sub i64 %329, %738
  %740 = call i64 @llvm.smin.i64(i64 %739, i64 512)
  %741 = shl i64 %740, 2
  %742 = getelementptr i8, ptr %16, i64 %741
  %743 = shl i64 %408, 9
  %744 = sub i64 %329, %743
  %745 = call i64 @llvm.smin.i64(i64 %744, i64 512)
  %746 = sub nuw nsw i64 %329, %409
  %747 = call noundef i64 @llvm.smin.i64(i64 %746, i64 512)
  %748 = load i32, ptr %36, align 8
  %749 = sext i32 %748 to i64
  %750 = mul i64 %409, %749
  %751 = load i32, ptr %119, align 4
  switch i32 %751, label %3391 [
    i32 0, label %752
    i32 1, label %1056
    i32 2, label %1360
    i32 3, label %1727
    i32 4, label %2113
    i32 5, label %2478
    i32 6, label %2843
    i32 7, label %3117
  ]

752:                                              ; preds = %407
  %753 = getelementptr inbounds i8, ptr %405, i64 %750
  %754 = icmp ult i64 %718, 8
  br i1 %754, label %773, label %755

755:                                              ; preds = %752
  %756 = add i64 %750, %406
  %757 = sub i64 %17, %756
  %758 = icmp ult i64 %757, 32
  br i1 %758, label %773, label %759

759:                                              ; preds = %755
  %760 = and i64 %718, -8
  br label %761

761:                                              ; preds = %761, %759
  %762 = phi i64 [ 0, %759 ], [ %769, %761 ]
  %763 = getelementptr inbounds nuw float, ptr %753, i64 %762
  %764 = getelementptr inbounds nuw i8, ptr %763, i64 16
  %765 = load <4 x float>, ptr %763, align 4
  %766 = load <4 x float>, ptr %764, align 4
  %767 = getelementptr inbounds nuw float, ptr %16, i64 %762
  %768 = getelementptr inbounds nuw i8, ptr %767, i64 16
  store <4 x float> %765, ptr %767, align 32
  store <4 x float> %766, ptr %768, align 16
  %769 = add nuw i64 %762, 8
  %770 = icmp eq i64 %769, %760
  br i1 %770, label %771, label %761, !llvm.loop !18

771:                                              ; preds = %761
  %772 = icmp eq i64 %718, %760
  br i1 %772, label %809, label %773

773:                                              ; preds = %755, %752, %771
  %774 = phi i64 [ 0, %755 ], [ 0, %752 ], [ %760, %771 ]
  %775 = and i64 %421, 3
  %776 = icmp eq i64 %775, 0
  br i1 %776, label %786, label %777

777:                                              ; preds = %773, %777
  %778 = phi i64 [ %783, %777 ], [ %774, %773 ]
  %779 = phi i64 [ %784, %777 ], [ 0, %773 ]
  %780 = getelementptr inbounds nuw float, ptr %753, i64 %778
  %781 = load float, ptr %780, align 4
  %782 = getelementptr inbounds nuw float, ptr %16, i64 %778
  store float %781, ptr %782, align 4
  %783 = add nuw nsw i64 %778, 1
  %784 = add i64 %779, 1
  %785 = icmp eq i64 %784, %775
  br i1 %785, label %786, label %777, !llvm.loop !19

786:                                              ; preds = %777, %773
  %787 = phi i64 [ %774, %773 ], [ %783, %777 ]
  %788 = sub i64 %774, %421
  %789 = icmp ugt i64 %788, -4
  br i1 %789, label %809, label %790

790:                                              ; preds = %786, %790
  %791 = phi i64 [ %807, %790 ], [ %787, %786 ]
  %792 = getelementptr inbounds nuw float, ptr %753, i64 %791
  %793 = load float, ptr %792, align 4
  %794 = getelementptr inbounds nuw float, ptr %16, i64 %791
  store float %793, ptr %794, align 4
  %795 = add nuw nsw i64 %791, 1
  %796 = getelementptr inbounds nuw float, ptr %753, i64 %795
  %797 = load float, ptr %796, align 4
  %798 = getelementptr inbounds nuw float, ptr %16, i64 %795
  store float %797, ptr %798, align 4
  %799 = add nuw nsw i64 %791, 2
  %800 = getelementptr inbounds nuw float, ptr %753, i64 %799
  %801 = load float, ptr %800, align 4
  %802 = getelementptr inbounds nuw float, ptr %16, i64 %799
  store float %801, ptr %802, align 4
  %803 = add nuw nsw i64 %791, 3
  %804 = getelementptr inbounds nuw float, ptr %753, i64 %803
  %805 = load float, ptr %804, align 4
  %806 = getelementptr inbounds nuw float, ptr %16, i64 %803
  store float %805, ptr %806, align 4
  %807 = add nuw nsw i64 %791, 4
  %808 = icmp eq i64 %807, %747
  br i1 %808, label %809, label %790, !llvm.loop !21

809:                                              ; preds = %786, %790, %771
  br i1 %403, label %810, label %826

810:                                              ; preds = %809
  %811 = icmp ult i64 %721, 8
  %812 = and i64 %721, -8
  %813 = icmp eq i64 %721, %812
  %814 = and i64 %418, 1
  %815 = icmp eq i64 %814, 0
  %816 = icmp ult i64 %729, 8
  %817 = and i64 %729, -8
  %818 = icmp eq i64 %729, %817
  %819 = and i64 %415, 3
  %820 = icmp eq i64 %819, 0
  %821 = icmp ult i64 %737, 8
  %822 = and i64 %737, -8
  %823 = icmp eq i64 %737, %822
  %824 = and i64 %412, 1
  %825 = icmp eq i64 %824, 0
  br label %852

826:                                              ; preds = %1053, %809
  %827 = getelementptr inbounds i8, ptr %400, i64 %750
  %828 = icmp ult i64 %745, 8
  br i1 %828, label %843, label %829

829:                                              ; preds = %826
  %830 = and i64 %745, -8
  br label %831

831:                                              ; preds = %831, %829
  %832 = phi i64 [ 0, %829 ], [ %839, %831 ]
  %833 = getelementptr inbounds nuw float, ptr %16, i64 %832
  %834 = getelementptr inbounds nuw i8, ptr %833, i64 16
  %835 = load <4 x float>, ptr %833, align 32
  %836 = load <4 x float>, ptr %834, align 16
  %837 = getelementptr inbounds nuw float, ptr %827, i64 %832
  %838 = getelementptr inbounds nuw i8, ptr %837, i64 16
  store <4 x float> %835, ptr %837, align 4
  store <4 x float> %836, ptr %838, align 4
  %839 = add nuw i64 %832, 8
  %840 = icmp eq i64 %839, %830
  br i1 %840, label %841, label %831, !llvm.loop !22

841:                                              ; preds = %831
  %842 = icmp eq i64 %745, %830
  br i1 %842, label %3391, label %843

843:                                              ; preds = %826, %841
  %844 = phi i64 [ 0, %826 ], [ %830, %841 ]
  br label %845

845:                                              ; preds = %843, %845
  %846 = phi i64 [ %850, %845 ], [ %844, %843 ]
  %847 = getelementptr inbounds nuw float, ptr %16, i64 %846
  %848 = load float, ptr %847, align 4
  %849 = getelementptr inbounds nuw float, ptr %827, i64 %846
  store float %848, ptr %849, align 4
  %850 = add nuw nsw i64 %846, 1
  %851 = icmp eq i64 %850, %747
  br i1 %851, label %3391, label %845, !llvm.loop !23

852:                                              ; preds = %810, %1053
  %853 = phi i64 [ %1054, %1053 ], [ 1, %810 ]
  %854 = getelementptr inbounds nuw ptr, ptr %26, i64 %853
  %855 = load ptr, ptr %854, align 8
  %856 = getelementptr i8, ptr %855, i64 %750
  switch i32 %402, label %940 [
    i32 0, label %901
    i32 1, label %857
  ]

857:                                              ; preds = %852
  br i1 %811, label %885, label %858

858:                                              ; preds = %857
  %859 = getelementptr i8, ptr %855, i64 %750
  %860 = getelementptr i8, ptr %859, i64 %725
  %861 = icmp ult ptr %16, %860
  %862 = icmp ult ptr %856, %726
  %863 = and i1 %861, %862
  br i1 %863, label %885, label %864

864:                                              ; preds = %858, %864
  %865 = phi i64 [ %882, %864 ], [ 0, %858 ]
  %866 = getelementptr inbounds nuw float, ptr %16, i64 %865
  %867 = getelementptr inbounds nuw i8, ptr %866, i64 16
  %868 = load <4 x float>, ptr %866, align 32, !alias.scope !24, !noalias !27
  %869 = load <4 x float>, ptr %867, align 16, !alias.scope !24, !noalias !27
  %870 = getelementptr inbounds nuw float, ptr %856, i64 %865
  %871 = getelementptr inbounds nuw i8, ptr %870, i64 16
  %872 = load <4 x float>, ptr %870, align 4, !alias.scope !27
  %873 = load <4 x float>, ptr %871, align 4, !alias.scope !27
  %874 = fcmp oge <4 x float> %868, %872
  %875 = fcmp oge <4 x float> %869, %873
  %876 = fcmp uno <4 x float> %868, zeroinitializer
  %877 = fcmp uno <4 x float> %869, zeroinitializer
  %878 = or <4 x i1> %876, %874
  %879 = or <4 x i1> %877, %875
  %880 = select <4 x i1> %878, <4 x float> %868, <4 x float> %872
  %881 = select <4 x i1> %879, <4 x float> %869, <4 x float> %873
  store <4 x float> %880, ptr %866, align 32, !alias.scope !24, !noalias !27
  store <4 x float> %881, ptr %867, align 16, !alias.scope !24, !noalias !27
  %882 = add nuw i64 %865, 8
  %883 = icmp eq i64 %882, %812
  br i1 %883, label %884, label %864, !llvm.loop !29

884:                                              ; preds = %864
  br i1 %813, label %1053, label %885

885:                                              ; preds = %858, %857, %884
  %886 = phi i64 [ 0, %858 ], [ 0, %857 ], [ %812, %884 ]
  %887 = or disjoint i64 %886, 1
  br i1 %815, label %898, label %888

888:                                              ; preds = %885
  %889 = getelementptr inbounds nuw float, ptr %16, i64 %886
  %890 = load float, ptr %889, align 32
  %891 = getelementptr inbounds nuw float, ptr %856, i64 %886
  %892 = load float, ptr %891, align 4
  %893 = fcmp oge float %890, %892
  %894 = fcmp uno float %890, 0.000000e+00
  %895 = or i1 %894, %893
  %896 = select i1 %895, float %890, float %892
  store float %896, ptr %889, align 32
  %897 = or disjoint i64 %886, 1
  br label %898

898:                                              ; preds = %888, %885
  %899 = phi i64 [ %886, %885 ], [ %897, %888 ]
  %900 = icmp eq i64 %418, %887
  br i1 %900, label %1053, label %1011

901:                                              ; preds = %852
  br i1 %816, label %923, label %902

902:                                              ; preds = %901
  %903 = getelementptr i8, ptr %855, i64 %750
  %904 = getelementptr i8, ptr %903, i64 %733
  %905 = icmp ult ptr %16, %904
  %906 = icmp ult ptr %856, %734
  %907 = and i1 %905, %906
  br i1 %907, label %923, label %908

908:                                              ; preds = %902, %908
  %909 = phi i64 [ %920, %908 ], [ 0, %902 ]
  %910 = getelementptr inbounds nuw float, ptr %16, i64 %909
  %911 = getelementptr inbounds nuw i8, ptr %910, i64 16
  %912 = load <4 x float>, ptr %910, align 32, !alias.scope !30, !noalias !33
  %913 = load <4 x float>, ptr %911, align 16, !alias.scope !30, !noalias !33
  %914 = getelementptr inbounds nuw float, ptr %856, i64 %909
  %915 = getelementptr inbounds nuw i8, ptr %914, i64 16
  %916 = load <4 x float>, ptr %914, align 4, !alias.scope !33
  %917 = load <4 x float>, ptr %915, align 4, !alias.scope !33
  %918 = fadd <4 x float> %912, %916
  %919 = fadd <4 x float> %913, %917
  store <4 x float> %918, ptr %910, align 32, !alias.scope !30, !noalias !33
  store <4 x float> %919, ptr %911, align 16, !alias.scope !30, !noalias !33
  %920 = add nuw i64 %909, 8
  %921 = icmp eq i64 %920, %817
  br i1 %921, label %922, label %908, !llvm.loop !35

922:                                              ; preds = %908
  br i1 %818, label %1053, label %923

923:                                              ; preds = %902, %901, %922
  %924 = phi i64 [ 0, %902 ], [ 0, %901 ], [ %817, %922 ]
  br i1 %820, label %936, label %925

925:                                              ; preds = %923, %925
  %926 = phi i64 [ %933, %925 ], [ %924, %923 ]
  %927 = phi i64 [ %934, %925 ], [ 0, %923 ]
  %928 = getelementptr inbounds nuw float, ptr %16, i64 %926
  %929 = load float, ptr %928, align 4
  %930 = getelementptr inbounds nuw float, ptr %856, i64 %926
  %931 = load float, ptr %930, align 4
  %932 = fadd float %929, %931
  store float %932, ptr %928, align 4
  %933 = add nuw nsw i64 %926, 1
  %934 = add i64 %927, 1
  %935 = icmp eq i64 %934, %819
  br i1 %935, label %936, label %925, !llvm.loop !36

936:                                              ; preds = %925, %923
  %937 = phi i64 [ %924, %923 ], [ %933, %925 ]
  %938 = sub i64 %924, %415
  %939 = icmp ugt i64 %938, -4
  br i1 %939, label %1053, label %984

940:                                              ; preds = %852
  br i1 %821, label %968, label %941

941:                                              ; preds = %940
  %942 = getelementptr i8, ptr %855, i64 %750
  %943 = getelementptr i8, ptr %942, i64 %741
  %944 = icmp ult ptr %16, %943
  %945 = icmp ult ptr %856, %742
  %946 = and i1 %944, %945
  br i1 %946, label %968, label %947

947:                                              ; preds = %941, %947
  %948 = phi i64 [ %965, %947 ], [ 0, %941 ]
  %949 = getelementptr inbounds nuw float, ptr %16, i64 %948
  %950 = getelementptr inbounds nuw i8, ptr %949, i64 16
  %951 = load <4 x float>, ptr %949, align 32, !alias.scope !37, !noalias !40
  %952 = load <4 x float>, ptr %950, align 16, !alias.scope !37, !noalias !40
  %953 = getelementptr inbounds nuw float, ptr %856, i64 %948
  %954 = getelementptr inbounds nuw i8, ptr %953, i64 16
  %955 = load <4 x float>, ptr %953, align 4, !alias.scope !40
  %956 = load <4 x float>, ptr %954, align 4, !alias.scope !40
  %957 = fcmp ole <4 x float> %951, %955
  %958 = fcmp ole <4 x float> %952, %956
  %959 = fcmp uno <4 x float> %951, zeroinitializer
  %960 = fcmp uno <4 x float> %952, zeroinitializer
  %961 = or <4 x i1> %959, %957
  %962 = or <4 x i1> %960, %958
  %963 = select <4 x i1> %961, <4 x float> %951, <4 x float> %955
  %964 = select <4 x i1> %962, <4 x float> %952, <4 x float> %956
  store <4 x float> %963, ptr %949, align 32, !alias.scope !37, !noalias !40
  store <4 x float> %964, ptr %950, align 16, !alias.scope !37, !noalias !40
  %965 = add nuw i64 %948, 8
  %966 = icmp eq i64 %965, %822
  br i1 %966, label %967, label %947, !llvm.loop !42

967:                                              ; preds = %947
  br i1 %823, label %1053, label %968

968:                                              ; preds = %941, %940, %967
  %969 = phi i64 [ 0, %941 ], [ 0, %940 ], [ %822, %967 ]
  %970 = or disjoint i64 %969, 1
  br i1 %825, label %981, label %971

971:                                              ; preds = %968
  %972 = getelementptr inbounds nuw float, ptr %16, i64 %969
  %973 = load float, ptr %972, align 32
  %974 = getelementptr inbounds nuw float, ptr %856, i64 %969
  %975 = load float, ptr %974, align 4
  %976 = fcmp ole float %973, %975
  %977 = fcmp uno float %973, 0.000000e+00
  %978 = or i1 %977, %976
  %979 = select i1 %978, float %973, float %975
  store float %979, ptr %972, align 32
  %980 = or disjoint i64 %969, 1
  br label %981

981:                                              ; preds = %971, %968
  %982 = phi i64 [ %969, %968 ], [ %980, %971 ]
  %983 = icmp eq i64 %412, %970
  br i1 %983, label %1053, label %1032

984:                                              ; preds = %936, %984
  %985 = phi i64 [ %1009, %984 ], [ %937, %936 ]
  %986 = getelementptr inbounds nuw float, ptr %16, i64 %985
  %987 = load float, ptr %986, align 4
  %988 = getelementptr inbounds nuw float, ptr %856, i64 %985
  %989 = load float, ptr %988, align 4
  %990 = fadd float %987, %989
  store float %990, ptr %986, align 4
  %991 = add nuw nsw i64 %985, 1
  %992 = getelementptr inbounds nuw float, ptr %16, i64 %991
  %993 = load float, ptr %992, align 4
  %994 = getelementptr inbounds nuw float, ptr %856, i64 %991
  %995 = load float, ptr %994, align 4
  %996 = fadd float %993, %995
  store float %996, ptr %992, align 4
  %997 = add nuw nsw i64 %985, 2
  %998 = getelementptr inbounds nuw float, ptr %16, i64 %997
  %999 = load float, ptr %998, align 4
  %1000 = getelementptr inbounds nuw float, ptr %856, i64 %997
  %1001 = load float, ptr %1000, align 4
  %1002 = fadd float %999, %1001
  store float %1002, ptr %998, align 4
  %1003 = add nuw nsw i64 %985, 3
  %1004 = getelementptr inbounds nuw float, ptr %16, i64 %1003
  %1005 = load float, ptr %1004, align 4
  %1006 = getelementptr inbounds nuw float, ptr %856, i64 %1003
  %1007 = load float, ptr %1006, align 4
  %1008 = fadd float %1005, %1007
  store float %1008, ptr %1004, align 4
  %1009 = add nuw nsw i64 %985, 4
  %1010 = icmp eq i64 %1009, %747
  br i1 %1010, label %1053, label %984, !llvm.loop !43

1011:                                             ; preds = %898, %1011
  %1012 = phi i64 [ %1030, %1011 ], [ %899, %898 ]
  %1013 = getelementptr inbounds nuw float, ptr %16, i64 %1012
  %1014 = load float, ptr %1013, align 4
  %1015 = getelementptr inbounds nuw float, ptr %856, i64 %1012
  %1016 = load float, ptr %1015, align 4
  %1017 = fcmp oge float %1014, %1016
  %1018 = fcmp uno float %1014, 0.000000e+00
  %1019 = or i1 %1018, %1017
  %1020 = select i1 %1019, float %1014, float %1016
  store float %1020, ptr %1013, align 4
  %1021 = add nuw nsw i64 %1012, 1
  %1022 = getelementptr inbounds nuw float, ptr %16, i64 %1021
  %1023 = load float, ptr %1022, align 4
  %1024 = getelementptr inbounds nuw float, ptr %856, i64 %1021
  %1025 = load float, ptr %1024, align 4
  %1026 = fcmp oge float %1023, %1025
  %1027 = fcmp uno float %1023, 0.000000e+00
  %1028 = or i1 %1027, %1026
  %1029 = select i1 %1028, float %1023, float %1025
  store float %1029, ptr %1022, align 4
  %1030 = add nuw nsw i64 %1012, 2
  %1031 = icmp eq i64 %1030, %747
  br i1 %1031, label %1053, label %1011, !llvm.loop !44

1032:                                             ; preds = %981, %1032
  %1033 = phi i64 [ %1051, %1032 ], [ %982, %981 ]
  %1034 = getelementptr inbounds nuw float, ptr %16, i64 %1033
  %1035 = load float, ptr %1034, align 4
  %1036 = getelementptr inbounds nuw float, ptr %856, i64 %1033
  %1037 = load float, ptr %1036, align 4
  %1038 = fcmp ole float %1035, %1037
  %1039 = fcmp uno float %1035, 0.000000e+00
  %1040 = or i1 %1039, %1038
  %1041 = select i1 %1040, float %1035, float %1037
  store float %1041, ptr %1034, align 4
  %1042 = add nuw nsw i64 %1033, 1
  %1043 = getelementptr inbounds nuw float, ptr %16, i64 %1042
  %1044 = load float, ptr %1043, align 4
  %1045 = getelementptr inbounds nuw float, ptr %856, i64 %1042
  %1046 = load float, ptr %1045, align 4
  %1047 = fcmp ole float %1044, %1046
  %1048 = fcmp uno float %1044, 0.000000e+00
  %1049 = or i1 %1048, %1047
  %1050 = select i1 %1049, float %1044, float %1046
  store float %1050, ptr %1043, align 4
  %1051 = add nuw nsw i64 %1033, 2
  %1052 = icmp eq i64 %1051, %747
  br i1 %1052, label %1053, label %1032, !llvm.loop !45

1053:                                             ; preds = %898, %1011, %936, %984, %981, %1032, %884, %922, %967
  %1054 = add nuw nsw i64 %853, 1
  %1055 = icmp eq i64 %1054, %404
  br i1 %1055, label %826, label %852, !llvm.loop !46

1056:                                             ; preds = %407
  %1057 = getelementptr inbounds i8, ptr %405, i64 %750
  %1058 = icmp ult i64 %688, 4
  br i1 %1058, label %1077, label %1059

1059:                                             ; preds = %1056
  %1060 = add i64 %750, %406
  %1061 = sub i64 %17, %1060
  %1062 = icmp ult i64 %1061, 32
  br i1 %1062, label %1077, label %1063

1063:                                             ; preds = %1059
  %1064 = and i64 %688, -4
  br label %1065

1065:                                             ; preds = %1065, %1063
  %1066 = phi i64 [ 0, %1063 ], [ %1073, %1065 ]
  %1067 = getelementptr inbounds nuw double, ptr %1057, i64 %1066
  %1068 = getelementptr inbounds nuw i8, ptr %1067, i64 16
  %1069 = load <2 x double>, ptr %1067, align 8
  %1070 = load <2 x double>, ptr %1068, align 8
  %1071 = getelementptr inbounds nuw double, ptr %16, i64 %1066
  %1072 = getelementptr inbounds nuw i8, ptr %1071, i64 16
  store <2 x double> %1069, ptr %1071, align 32
  store <2 x double> %1070, ptr %1072, align 16
  %1073 = add nuw i64 %1066, 4
  %1074 = icmp eq i64 %1073, %1064
  br i1 %1074, label %1075, label %1065, !llvm.loop !47

1075:                                             ; preds = %1065
  %1076 = icmp eq i64 %688, %1064
  br i1 %1076, label %1113, label %1077

1077:                                             ; preds = %1059, %1056, %1075
  %1078 = phi i64 [ 0, %1059 ], [ 0, %1056 ], [ %1064, %1075 ]
  %1079 = and i64 %433, 3
  %1080 = icmp eq i64 %1079, 0
  br i1 %1080, label %1090, label %1081

1081:                                             ; preds = %1077, %1081
  %1082 = phi i64 [ %1087, %1081 ], [ %1078, %1077 ]
  %1083 = phi i64 [ %1088, %1081 ], [ 0, %1077 ]
  %1084 = getelementptr inbounds nuw double, ptr %1057, i64 %1082
  %1085 = load double, ptr %1084, align 8
  %1086 = getelementptr inbounds nuw double, ptr %16, i64 %1082
  store double %1085, ptr %1086, align 8
  %1087 = add nuw nsw i64 %1082, 1
  %1088 = add i64 %1083, 1
  %1089 = icmp eq i64 %1088, %1079
  br i1 %1089, label %1090, label %1081, !llvm.loop !48

1090:                                             ; preds = %1081, %1077
  %1091 = phi i64 [ %1078, %1077 ], [ %1087, %1081 ]
  %1092 = sub i64 %1078, %433
  %1093 = icmp ugt i64 %1092, -4
  br i1 %1093, label %1113, label %1094

1094:                                             ; preds = %1090, %1094
  %1095 = phi i64 [ %1111, %1094 ], [ %1091, %1090 ]
  %1096 = getelementptr inbounds nuw double, ptr %1057, i64 %1095
  %1097 = load double, ptr %1096, align 8
  %1098 = getelementptr inbounds nuw double, ptr %16, i64 %1095
  store double %1097, ptr %1098, align 8
  %1099 = add nuw nsw i64 %1095, 1
  %1100 = getelementptr inbounds nuw double, ptr %1057, i64 %1099
  %1101 = load double, ptr %1100, align 8
  %1102 = getelementptr inbounds nuw double, ptr %16, i64 %1099
  store double %1101, ptr %1102, align 8
  %1103 = add nuw nsw i64 %1095, 2
  %1104 = getelementptr inbounds nuw double, ptr %1057, i64 %1103
  %1105 = load double, ptr %1104, align 8
  %1106 = getelementptr inbounds nuw double, ptr %16, i64 %1103
  store double %1105, ptr %1106, align 8
  %1107 = add nuw nsw i64 %1095, 3
  %1108 = getelementptr inbounds nuw double, ptr %1057, i64 %1107
  %1109 = load double, ptr %1108, align 8
  %1110 = getelementptr inbounds nuw double, ptr %16, i64 %1107
  store double %1109, ptr %1110, align 8
  %1111 = add nuw nsw i64 %1095, 4
  %1112 = icmp eq i64 %1111, %747
  br i1 %1112, label %1113, label %1094, !llvm.loop !49

1113:                                             ; preds = %1090, %1094, %1075
  br i1 %403, label %1114, label %1130

1114:                                             ; preds = %1113
  %1115 = icmp ult i64 %691, 4
  %1116 = and i64 %691, -4
  %1117 = icmp eq i64 %691, %1116
  %1118 = and i64 %430, 1
  %1119 = icmp eq i64 %1118, 0
  %1120 = icmp ult i64 %699, 4
  %1121 = and i64 %699, -4
  %1122 = icmp eq i64 %699, %1121
  %1123 = and i64 %427, 3
  %1124 = icmp eq i64 %1123, 0
  %1125 = icmp ult i64 %707, 4
  %1126 = and i64 %707, -4
  %1127 = icmp eq i64 %707, %1126
  %1128 = and i64 %424, 1
  %1129 = icmp eq i64 %1128, 0
  br label %1156

1130:                                             ; preds = %1357, %1113
  %1131 = getelementptr inbounds i8, ptr %400, i64 %750
  %1132 = icmp ult i64 %715, 4
  br i1 %1132, label %1147, label %1133

1133:                                             ; preds = %1130
  %1134 = and i64 %715, -4
  br label %1135

1135:                                             ; preds = %1135, %1133
  %1136 = phi i64 [ 0, %1133 ], [ %1143, %1135 ]
  %1137 = getelementptr inbounds nuw double, ptr %16, i64 %1136
  %1138 = getelementptr inbounds nuw i8, ptr %1137, i64 16
  %1139 = load <2 x double>, ptr %1137, align 32
  %1140 = load <2 x double>, ptr %1138, align 16
  %1141 = getelementptr inbounds nuw double, ptr %1131, i64 %1136
  %1142 = getelementptr inbounds nuw i8, ptr %1141, i64 16
  store <2 x double> %1139, ptr %1141, align 8
  store <2 x double> %1140, ptr %1142, align 8
  %1143 = add nuw i64 %1136, 4
  %1144 = icmp eq i64 %1143, %1134
  br i1 %1144, label %1145, label %1135, !llvm.loop !50

1145:                                             ; preds = %1135
  %1146 = icmp eq i64 %715, %1134
  br i1 %1146, label %3391, label %1147

1147:                                             ; preds = %1130, %1145
  %1148 = phi i64 [ 0, %1130 ], [ %1134, %1145 ]
  br label %1149

1149:                                             ; preds = %1147, %1149
  %1150 = phi i64 [ %1154, %1149 ], [ %1148, %1147 ]
  %1151 = getelementptr inbounds nuw double, ptr %16, i64 %1150
  %1152 = load double, ptr %1151, align 8
  %1153 = getelementptr inbounds nuw double, ptr %1131, i64 %1150
  store double %1152, ptr %1153, align 8
  %1154 = add nuw nsw i64 %1150, 1
  %1155 = icmp eq i64 %1154, %747
  br i1 %1155, label %3391, label %1149, !llvm.loop !51

1156:                                             ; preds = %1114, %1357
  %1157 = phi i64 [ %1358, %1357 ], [ 1, %1114 ]
  %1158 = getelementptr inbounds nuw ptr, ptr %26, i64 %1157
  %1159 = load ptr, ptr %1158, align 8
  %1160 = getelementptr i8, ptr %1159, i64 %750
  switch i32 %402, label %1244 [
    i32 0, label %1205
    i32 1, label %1161
  ]

1161:                                             ; preds = %1156
  br i1 %1115, label %1189, label %1162

1162:                                             ; preds = %1161
  %1163 = getelementptr i8, ptr %1159, i64 %750
  %1164 = getelementptr i8, ptr %1163, i64 %695
  %1165 = icmp ult ptr %16, %1164
  %1166 = icmp ult ptr %1160, %696
  %1167 = and i1 %1165, %1166
  br i1 %1167, label %1189, label %1168

1168:                                             ; preds = %1162, %1168
  %1169 = phi i64 [ %1186, %1168 ], [ 0, %1162 ]
  %1170 = getelementptr inbounds nuw double, ptr %16, i64 %1169
  %1171 = getelementptr inbounds nuw i8, ptr %1170, i64 16
  %1172 = load <2 x double>, ptr %1170, align 32, !alias.scope !52, !noalias !55
  %1173 = load <2 x double>, ptr %1171, align 16, !alias.scope !52, !noalias !55
  %1174 = getelementptr inbounds nuw double, ptr %1160, i64 %1169
  %1175 = getelementptr inbounds nuw i8, ptr %1174, i64 16
  %1176 = load <2 x double>, ptr %1174, align 8, !alias.scope !55
  %1177 = load <2 x double>, ptr %1175, align 8, !alias.scope !55
  %1178 = fcmp oge <2 x double> %1172, %1176
  %1179 = fcmp oge <2 x double> %1173, %1177
  %1180 = fcmp uno <2 x double> %1172, zeroinitializer
  %1181 = fcmp uno <2 x double> %1173, zeroinitializer
  %1182 = or <2 x i1> %1180, %1178
  %1183 = or <2 x i1> %1181, %1179
  %1184 = select <2 x i1> %1182, <2 x double> %1172, <2 x double> %1176
  %1185 = select <2 x i1> %1183, <2 x double> %1173, <2 x double> %1177
  store <2 x double> %1184, ptr %1170, align 32, !alias.scope !52, !noalias !55
  store <2 x double> %1185, ptr %1171, align 16, !alias.scope !52, !noalias !55
  %1186 = add nuw i64 %1169, 4
  %1187 = icmp eq i64 %1186, %1116
  br i1 %1187, label %1188, label %1168, !llvm.loop !57

1188:                                             ; preds = %1168
  br i1 %1117, label %1357, label %1189

1189:                                             ; preds = %1162, %1161, %1188
  %1190 = phi i64 [ 0, %1162 ], [ 0, %1161 ], [ %1116, %1188 ]
  %1191 = or disjoint i64 %1190, 1
  br i1 %1119, label %1202, label %1192

1192:                                             ; preds = %1189
  %1193 = getelementptr inbounds nuw double, ptr %16, i64 %1190
  %1194 = load double, ptr %1193, align 32
  %1195 = getelementptr inbounds nuw double, ptr %1160, i64 %1190
  %1196 = load double, ptr %1195, align 8
  %1197 = fcmp oge double %1194, %1196
  %1198 = fcmp uno double %1194, 0.000000e+00
  %1199 = or i1 %1198, %1197
  %1200 = select i1 %1199, double %1194, double %1196
  store double %1200, ptr %1193, align 32
  %1201 = or disjoint i64 %1190, 1
  br label %1202

1202:                                             ; preds = %1192, %1189
  %1203 = phi i64 [ %1190, %1189 ], [ %1201, %1192 ]
  %1204 = icmp eq i64 %430, %1191
  br i1 %1204, label %1357, label %1315

1205:                                             ; preds = %1156
  br i1 %1120, label %1227, label %1206

1206:                                             ; preds = %1205
  %1207 = getelementptr i8, ptr %1159, i64 %750
  %1208 = getelementptr i8, ptr %1207, i64 %703
  %1209 = icmp ult ptr %16, %1208
  %1210 = icmp ult ptr %1160, %704
  %1211 = and i1 %1209, %1210
  br i1 %1211, label %1227, label %1212

1212:                                             ; preds = %1206, %1212
  %1213 = phi i64 [ %1224, %1212 ], [ 0, %1206 ]
  %1214 = getelementptr inbounds nuw double, ptr %16, i64 %1213
  %1215 = getelementptr inbounds nuw i8, ptr %1214, i64 16
  %1216 = load <2 x double>, ptr %1214, align 32, !alias.scope !58, !noalias !61
  %1217 = load <2 x double>, ptr %1215, align 16, !alias.scope !58, !noalias !61
  %1218 = getelementptr inbounds nuw double, ptr %1160, i64 %1213
  %1219 = getelementptr inbounds nuw i8, ptr %1218, i64 16
  %1220 = load <2 x double>, ptr %1218, align 8, !alias.scope !61
  %1221 = load <2 x double>, ptr %1219, align 8, !alias.scope !61
  %1222 = fadd <2 x double> %1216, %1220
  %1223 = fadd <2 x double> %1217, %1221
  store <2 x double> %1222, ptr %1214, align 32, !alias.scope !58, !noalias !61
  store <2 x double> %1223, ptr %1215, align 16, !alias.scope !58, !noalias !61
  %1224 = add nuw i64 %1213, 4
  %1225 = icmp eq i64 %1224, %1121
  br i1 %1225, label %1226, label %1212, !llvm.loop !63

1226:                                             ; preds = %1212
  br i1 %1122, label %1357, label %1227

1227:                                             ; preds = %1206, %1205, %1226
  %1228 = phi i64 [ 0, %1206 ], [ 0, %1205 ], [ %1121, %1226 ]
  br i1 %1124, label %1240, label %1229

1229:                                             ; preds = %1227, %1229
  %1230 = phi i64 [ %1237, %1229 ], [ %1228, %1227 ]
  %1231 = phi i64 [ %1238, %1229 ], [ 0, %1227 ]
  %1232 = getelementptr inbounds nuw double, ptr %16, i64 %1230
  %1233 = load double, ptr %1232, align 8
  %1234 = getelementptr inbounds nuw double, ptr %1160, i64 %1230
  %1235 = load double, ptr %1234, align 8
  %1236 = fadd double %1233, %1235
  store double %1236, ptr %1232, align 8
  %1237 = add nuw nsw i64 %1230, 1
  %1238 = add i64 %1231, 1
  %1239 = icmp eq i64 %1238, %1123
  br i1 %1239, label %1240, label %1229, !llvm.loop !64

1240:                                             ; preds = %1229, %1227
  %1241 = phi i64 [ %1228, %1227 ], [ %1237, %1229 ]
  %1242 = sub i64 %1228, %427
  %1243 = icmp ugt i64 %1242, -4
  br i1 %1243, label %1357, label %1288

1244:                                             ; preds = %1156
  br i1 %1125, label %1272, label %1245

1245:                                             ; preds = %1244
  %1246 = getelementptr i8, ptr %1159, i64 %750
  %1247 = getelementptr i8, ptr %1246, i64 %711
  %1248 = icmp ult ptr %16, %1247
  %1249 = icmp ult ptr %1160, %712
  %1250 = and i1 %1248, %1249
  br i1 %1250, label %1272, label %1251

1251:                                             ; preds = %1245, %1251
  %1252 = phi i64 [ %1269, %1251 ], [ 0, %1245 ]
  %1253 = getelementptr inbounds nuw double, ptr %16, i64 %1252
  %1254 = getelementptr inbounds nuw i8, ptr %1253, i64 16
  %1255 = load <2 x double>, ptr %1253, align 32, !alias.scope !65, !noalias !68
  %1256 = load <2 x double>, ptr %1254, align 16, !alias.scope !65, !noalias !68
  %1257 = getelementptr inbounds nuw double, ptr %1160, i64 %1252
  %1258 = getelementptr inbounds nuw i8, ptr %1257, i64 16
  %1259 = load <2 x double>, ptr %1257, align 8, !alias.scope !68
  %1260 = load <2 x double>, ptr %1258, align 8, !alias.scope !68
  %1261 = fcmp ole <2 x double> %1255, %1259
  %1262 = fcmp ole <2 x double> %1256, %1260
  %1263 = fcmp uno <2 x double> %1255, zeroinitializer
  %1264 = fcmp uno <2 x double> %1256, zeroinitializer
  %1265 = or <2 x i1> %1263, %1261
  %1266 = or <2 x i1> %1264, %1262
  %1267 = select <2 x i1> %1265, <2 x double> %1255, <2 x double> %1259
  %1268 = select <2 x i1> %1266, <2 x double> %1256, <2 x double> %1260
  store <2 x double> %1267, ptr %1253, align 32, !alias.scope !65, !noalias !68
  store <2 x double> %1268, ptr %1254, align 16, !alias.scope !65, !noalias !68
  %1269 = add nuw i64 %1252, 4
  %1270 = icmp eq i64 %1269, %1126
  br i1 %1270, label %1271, label %1251, !llvm.loop !70

1271:                                             ; preds = %1251
  br i1 %1127, label %1357, label %1272

1272:                                             ; preds = %1245, %1244, %1271
  %1273 = phi i64 [ 0, %1245 ], [ 0, %1244 ], [ %1126, %1271 ]
  %1274 = or disjoint i64 %1273, 1
  br i1 %1129, label %1285, label %1275

1275:                                             ; preds = %1272
  %1276 = getelementptr inbounds nuw double, ptr %16, i64 %1273
  %1277 = load double, ptr %1276, align 32
  %1278 = getelementptr inbounds nuw double, ptr %1160, i64 %1273
  %1279 = load double, ptr %1278, align 8
  %1280 = fcmp ole double %1277, %1279
  %1281 = fcmp uno double %1277, 0.000000e+00
  %1282 = or i1 %1281, %1280
  %1283 = select i1 %1282, double %1277, double %1279
  store double %1283, ptr %1276, align 32
  %1284 = or disjoint i64 %1273, 1
  br label %1285

1285:                                             ; preds = %1275, %1272
  %1286 = phi i64 [ %1273, %1272 ], [ %1284, %1275 ]
  %1287 = icmp eq i64 %424, %1274
  br i1 %1287, label %1357, label %1336

1288:                                             ; preds = %1240, %1288
  %1289 = phi i64 [ %1313, %1288 ], [ %1241, %1240 ]
  %1290 = getelementptr inbounds nuw double, ptr %16, i64 %1289
  %1291 = load double, ptr %1290, align 8
  %1292 = getelementptr inbounds nuw double, ptr %1160, i64 %1289
  %1293 = load double, ptr %1292, align 8
  %1294 = fadd double %1291, %1293
  store double %1294, ptr %1290, align 8
  %1295 = add nuw nsw i64 %1289, 1
  %1296 = getelementptr inbounds nuw double, ptr %16, i64 %1295
  %1297 = load double, ptr %1296, align 8
  %1298 = getelementptr inbounds nuw double, ptr %1160, i64 %1295
  %1299 = load double, ptr %1298, align 8
  %1300 = fadd double %1297, %1299
  store double %1300, ptr %1296, align 8
  %1301 = add nuw nsw i64 %1289, 2
  %1302 = getelementptr inbounds nuw double, ptr %16, i64 %1301
  %1303 = load double, ptr %1302, align 8
  %1304 = getelementptr inbounds nuw double, ptr %1160, i64 %1301
  %1305 = load double, ptr %1304, align 8
  %1306 = fadd double %1303, %1305
  store double %1306, ptr %1302, align 8
  %1307 = add nuw nsw i64 %1289, 3
  %1308 = getelementptr inbounds nuw double, ptr %16, i64 %1307
  %1309 = load double, ptr %1308, align 8
  %1310 = getelementptr inbounds nuw double, ptr %1160, i64 %1307
  %1311 = load double, ptr %1310, align 8
  %1312 = fadd double %1309, %1311
  store double %1312, ptr %1308, align 8
  %1313 = add nuw nsw i64 %1289, 4
  %1314 = icmp eq i64 %1313, %747
  br i1 %1314, label %1357, label %1288, !llvm.loop !71

1315:                                             ; preds = %1202, %1315
  %1316 = phi i64 [ %1334, %1315 ], [ %1203, %1202 ]
  %1317 = getelementptr inbounds nuw double, ptr %16, i64 %1316
  %1318 = load double, ptr %1317, align 8
  %1319 = getelementptr inbounds nuw double, ptr %1160, i64 %1316
  %1320 = load double, ptr %1319, align 8
  %1321 = fcmp oge double %1318, %1320
  %1322 = fcmp uno double %1318, 0.000000e+00
  %1323 = or i1 %1322, %1321
  %1324 = select i1 %1323, double %1318, double %1320
  store double %1324, ptr %1317, align 8
  %1325 = add nuw nsw i64 %1316, 1
  %1326 = getelementptr inbounds nuw double, ptr %16, i64 %1325
  %1327 = load double, ptr %1326, align 8
  %1328 = getelementptr inbounds nuw double, ptr %1160, i64 %1325
  %1329 = load double, ptr %1328, align 8
  %1330 = fcmp oge double %1327, %1329
  %1331 = fcmp uno double %1327, 0.000000e+00
  %1332 = or i1 %1331, %1330
  %1333 = select i1 %1332, double %1327, double %1329
  store double %1333, ptr %1326, align 8
  %1334 = add nuw nsw i64 %1316, 2
  %1335 = icmp eq i64 %1334, %747
  br i1 %1335, label %1357, label %1315, !llvm.loop !72

1336:                                             ; preds = %1285, %1336
  %1337 = phi i64 [ %1355, %1336 ], [ %1286, %1285 ]
  %1338 = getelementptr inbounds nuw double, ptr %16, i64 %1337
  %1339 = load double, ptr %1338, align 8
  %1340 = getelementptr inbounds nuw double, ptr %1160, i64 %1337
  %1341 = load double, ptr %1340, align 8
  %1342 = fcmp ole double %1339, %1341
  %1343 = fcmp uno double %1339, 0.000000e+00
  %1344 = or i1 %1343, %1342
  %1345 = select i1 %1344, double %1339, double %1341
  store double %1345, ptr %1338, align 8
  %1346 = add nuw nsw i64 %1337, 1
  %1347 = getelementptr inbounds nuw double, ptr %16, i64 %1346
  %1348 = load double, ptr %1347, align 8
  %1349 = getelementptr inbounds nuw double, ptr %1160, i64 %1346
  %1350 = load double, ptr %1349, align 8
  %1351 = fcmp ole double %1348, %1350
  %1352 = fcmp uno double %1348, 0.000000e+00
  %1353 = or i1 %1352, %1351
  %1354 = select i1 %1353, double %1348, double %1350
  store double %1354, ptr %1347, align 8
  %1355 = add nuw nsw i64 %1337, 2
  %1356 = icmp eq i64 %1355, %747
  br i1 %1356, label %1357, label %1336, !llvm.loop !73

1357:                                             ; preds = %1202, %1315, %1240, %1288, %1285, %1336, %1188, %1226, %1271
  %1358 = add nuw nsw i64 %1157, 1
  %1359 = icmp eq i64 %1358, %404
  br i1 %1359, label %1130, label %1156, !llvm.loop !74

1360:                                             ; preds = %407
  %1361 = getelementptr inbounds i8, ptr %405, i64 %750
  %1362 = icmp ult i64 %649, 8
  br i1 %1362, label %1409, label %1363

1363:                                             ; preds = %1360
  %1364 = getelementptr i8, ptr %405, i64 %750
  %1365 = getelementptr i8, ptr %1364, i64 %655
  %1366 = icmp ult ptr %16, %1365
  %1367 = icmp ult ptr %1361, %654
  %1368 = and i1 %1366, %1367
  br i1 %1368, label %1409, label %1369

1369:                                             ; preds = %1363
  %1370 = and i64 %649, -8
  br label %1371

1371:                                             ; preds = %1371, %1369
  %1372 = phi i64 [ 0, %1369 ], [ %1405, %1371 ]
  %1373 = getelementptr inbounds nuw i16, ptr %1361, i64 %1372
  %1374 = getelementptr inbounds nuw i8, ptr %1373, i64 8
  %1375 = load <4 x i16>, ptr %1373, align 2, !alias.scope !75
  %1376 = load <4 x i16>, ptr %1374, align 2, !alias.scope !75
  %1377 = zext <4 x i16> %1375 to <4 x i32>
  %1378 = zext <4 x i16> %1376 to <4 x i32>
  %1379 = shl nuw nsw <4 x i32> %1377, splat (i32 13)
  %1380 = shl nuw nsw <4 x i32> %1378, splat (i32 13)
  %1381 = and <4 x i32> %1379, splat (i32 268427264)
  %1382 = and <4 x i32> %1380, splat (i32 268427264)
  %1383 = bitcast <4 x i32> %1381 to <4 x float>
  %1384 = bitcast <4 x i32> %1382 to <4 x float>
  %1385 = fmul <4 x float> %1383, splat (float 0x46F0000000000000)
  %1386 = fmul <4 x float> %1384, splat (float 0x46F0000000000000)
  %1387 = bitcast <4 x float> %1385 to <4 x i32>
  %1388 = bitcast <4 x float> %1386 to <4 x i32>
  %1389 = and <4 x i32> %1377, splat (i32 31744)
  %1390 = and <4 x i32> %1378, splat (i32 31744)
  %1391 = icmp eq <4 x i32> %1389, splat (i32 31744)
  %1392 = icmp eq <4 x i32> %1390, splat (i32 31744)
  %1393 = or <4 x i32> %1387, splat (i32 2139095040)
  %1394 = or <4 x i32> %1388, splat (i32 2139095040)
  %1395 = select <4 x i1> %1391, <4 x i32> %1393, <4 x i32> %1387
  %1396 = select <4 x i1> %1392, <4 x i32> %1394, <4 x i32> %1388
  %1397 = sext <4 x i16> %1375 to <4 x i32>
  %1398 = sext <4 x i16> %1376 to <4 x i32>
  %1399 = and <4 x i32> %1397, splat (i32 -2147483648)
  %1400 = and <4 x i32> %1398, splat (i32 -2147483648)
  %1401 = or <4 x i32> %1395, %1399
  %1402 = or <4 x i32> %1396, %1400
  %1403 = getelementptr inbounds nuw float, ptr %16, i64 %1372
  %1404 = getelementptr inbounds nuw i8, ptr %1403, i64 16
  store <4 x i32> %1401, ptr %1403, align 32, !alias.scope !78, !noalias !75
  store <4 x i32> %1402, ptr %1404, align 16, !alias.scope !78, !noalias !75
  %1405 = add nuw i64 %1372, 8
  %1406 = icmp eq i64 %1405, %1370
  br i1 %1406, label %1407, label %1371, !llvm.loop !80

1407:                                             ; preds = %1371
  %1408 = icmp eq i64 %649, %1370
  br i1 %1408, label %1431, label %1409

1409:                                             ; preds = %1363, %1360, %1407
  %1410 = phi i64 [ 0, %1363 ], [ 0, %1360 ], [ %1370, %1407 ]
  br label %1411

1411:                                             ; preds = %1409, %1411
  %1412 = phi i64 [ %1429, %1411 ], [ %1410, %1409 ]
  %1413 = getelementptr inbounds nuw i16, ptr %1361, i64 %1412
  %1414 = load i16, ptr %1413, align 2
  %1415 = zext i16 %1414 to i32
  %1416 = shl nuw nsw i32 %1415, 13
  %1417 = and i32 %1416, 268427264
  %1418 = bitcast i32 %1417 to float
  %1419 = fmul float %1418, 0x46F0000000000000
  %1420 = bitcast float %1419 to i32
  %1421 = and i32 %1415, 31744
  %1422 = icmp eq i32 %1421, 31744
  %1423 = or i32 %1420, 2139095040
  %1424 = select i1 %1422, i32 %1423, i32 %1420
  %1425 = sext i16 %1414 to i32
  %1426 = and i32 %1425, -2147483648
  %1427 = or i32 %1424, %1426
  %1428 = getelementptr inbounds nuw float, ptr %16, i64 %1412
  store i32 %1427, ptr %1428, align 4
  %1429 = add nuw nsw i64 %1412, 1
  %1430 = icmp eq i64 %1429, %747
  br i1 %1430, label %1431, label %1411, !llvm.loop !81

1431:                                             ; preds = %1411, %1407
  br i1 %403, label %1432, label %1442

1432:                                             ; preds = %1431
  %1433 = icmp ult i64 %658, 4
  %1434 = and i64 %658, -4
  %1435 = icmp eq i64 %658, %1434
  %1436 = icmp ult i64 %667, 8
  %1437 = and i64 %667, -8
  %1438 = icmp eq i64 %667, %1437
  %1439 = icmp ult i64 %676, 4
  %1440 = and i64 %676, -4
  %1441 = icmp eq i64 %676, %1440
  br label %1520

1442:                                             ; preds = %1724, %1431
  %1443 = getelementptr inbounds i8, ptr %400, i64 %750
  %1444 = icmp ult i64 %685, 4
  br i1 %1444, label %1480, label %1445

1445:                                             ; preds = %1442
  %1446 = and i64 %685, -4
  br label %1447

1447:                                             ; preds = %1447, %1445
  %1448 = phi i64 [ 0, %1445 ], [ %1476, %1447 ]
  %1449 = getelementptr inbounds nuw float, ptr %16, i64 %1448
  %1450 = load <4 x float>, ptr %1449, align 16
  %1451 = bitcast <4 x float> %1450 to <4 x i32>
  %1452 = lshr <4 x i32> %1451, splat (i32 16)
  %1453 = and <4 x i32> %1452, splat (i32 32768)
  %1454 = call <4 x float> @llvm.fabs.v4f32(<4 x float> %1450)
  %1455 = bitcast <4 x float> %1454 to <4 x i32>
  %1456 = icmp samesign ult <4 x i32> %1455, splat (i32 2139095041)
  %1457 = lshr <4 x i32> %1455, splat (i32 13)
  %1458 = and <4 x i32> %1457, splat (i32 1)
  %1459 = add nuw nsw <4 x i32> %1455, splat (i32 134221823)
  %1460 = add nuw nsw <4 x i32> %1459, %1458
  %1461 = lshr <4 x i32> %1460, splat (i32 13)
  %1462 = icmp samesign ult <4 x i32> %1455, splat (i32 947912704)
  %1463 = fadd <4 x float> %1454, splat (float 5.000000e-01)
  %1464 = bitcast <4 x float> %1463 to <4 x i32>
  %1465 = add nsw <4 x i32> %1455, splat (i32 -1199566848)
  %1466 = icmp ult <4 x i32> %1465, splat (i32 939528193)
  %1467 = trunc nuw <4 x i32> %1453 to <4 x i16>
  %1468 = or disjoint <4 x i16> %1467, splat (i16 31744)
  %1469 = or disjoint <4 x i16> %1467, splat (i16 32256)
  %1470 = select <4 x i1> %1462, <4 x i32> %1464, <4 x i32> %1461
  %1471 = or <4 x i32> %1453, %1470
  %1472 = trunc <4 x i32> %1471 to <4 x i16>
  %1473 = select <4 x i1> %1466, <4 x i16> %1468, <4 x i16> %1472
  %1474 = select <4 x i1> %1456, <4 x i16> %1473, <4 x i16> %1469
  %1475 = getelementptr inbounds nuw i16, ptr %1443, i64 %1448
  store <4 x i16> %1474, ptr %1475, align 2
  %1476 = add nuw i64 %1448, 4
  %1477 = icmp eq i64 %1476, %1446
  br i1 %1477, label %1478, label %1447, !llvm.loop !82

1478:                                             ; preds = %1447
  %1479 = icmp eq i64 %685, %1446
  br i1 %1479, label %3391, label %1480

1480:                                             ; preds = %1442, %1478
  %1481 = phi i64 [ 0, %1442 ], [ %1446, %1478 ]
  br label %1482

1482:                                             ; preds = %1480, %1515
  %1483 = phi i64 [ %1518, %1515 ], [ %1481, %1480 ]
  %1484 = getelementptr inbounds nuw float, ptr %16, i64 %1483
  %1485 = load float, ptr %1484, align 4
  %1486 = bitcast float %1485 to i32
  %1487 = lshr i32 %1486, 16
  %1488 = and i32 %1487, 32768
  %1489 = call float @llvm.fabs.f32(float %1485)
  %1490 = bitcast float %1489 to i32
  %1491 = icmp samesign ugt i32 %1490, 2139095040
  br i1 %1491, label %1492, label %1495

1492:                                             ; preds = %1482
  %1493 = trunc nuw i32 %1488 to i16
  %1494 = or disjoint i16 %1493, 32256
  br label %1515

1495:                                             ; preds = %1482
  %1496 = icmp samesign ugt i32 %1490, 1199566847
  br i1 %1496, label %1497, label %1500

1497:                                             ; preds = %1495
  %1498 = trunc nuw i32 %1488 to i16
  %1499 = or disjoint i16 %1498, 31744
  br label %1515

1500:                                             ; preds = %1495
  %1501 = icmp samesign ult i32 %1490, 947912704
  br i1 %1501, label %1502, label %1507

1502:                                             ; preds = %1500
  %1503 = fadd float %1489, 5.000000e-01
  %1504 = bitcast float %1503 to i32
  %1505 = or i32 %1488, %1504
  %1506 = trunc i32 %1505 to i16
  br label %1515

1507:                                             ; preds = %1500
  %1508 = lshr i32 %1490, 13
  %1509 = and i32 %1508, 1
  %1510 = add nuw nsw i32 %1490, 134221823
  %1511 = add nuw nsw i32 %1510, %1509
  %1512 = lshr i32 %1511, 13
  %1513 = or i32 %1512, %1488
  %1514 = trunc i32 %1513 to i16
  br label %1515

1515:                                             ; preds = %1507, %1502, %1497, %1492
  %1516 = phi i16 [ %1494, %1492 ], [ %1499, %1497 ], [ %1506, %1502 ], [ %1514, %1507 ]
  %1517 = getelementptr inbounds nuw i16, ptr %1443, i64 %1483
  store i16 %1516, ptr %1517, align 2
  %1518 = add nuw nsw i64 %1483, 1
  %1519 = icmp eq i64 %1518, %747
  br i1 %1519, label %3391, label %1482, !llvm.loop !83

1520:                                             ; preds = %1432, %1724
  %1521 = phi i64 [ %1725, %1724 ], [ 1, %1432 ]
  %1522 = getelementptr inbounds nuw ptr, ptr %26, i64 %1521
  %1523 = load ptr, ptr %1522, align 8
  %1524 = getelementptr i8, ptr %1523, i64 %750
  switch i32 %402, label %1613 [
    i32 0, label %1561
    i32 1, label %1525
  ]

1525:                                             ; preds = %1520
  br i1 %1433, label %1559, label %1526

1526:                                             ; preds = %1525
  %1527 = getelementptr i8, ptr %1523, i64 %750
  %1528 = getelementptr i8, ptr %1527, i64 %664
  %1529 = icmp ult ptr %16, %1528
  %1530 = icmp ult ptr %1524, %663
  %1531 = and i1 %1529, %1530
  br i1 %1531, label %1559, label %1532

1532:                                             ; preds = %1526, %1532
  %1533 = phi i64 [ %1556, %1532 ], [ 0, %1526 ]
  %1534 = getelementptr inbounds nuw float, ptr %16, i64 %1533
  %1535 = load <4 x float>, ptr %1534, align 16, !alias.scope !84, !noalias !87
  %1536 = getelementptr inbounds nuw i16, ptr %1524, i64 %1533
  %1537 = load <4 x i16>, ptr %1536, align 2, !alias.scope !87
  %1538 = zext <4 x i16> %1537 to <4 x i32>
  %1539 = shl nuw nsw <4 x i32> %1538, splat (i32 13)
  %1540 = and <4 x i32> %1539, splat (i32 268427264)
  %1541 = bitcast <4 x i32> %1540 to <4 x float>
  %1542 = fmul <4 x float> %1541, splat (float 0x46F0000000000000)
  %1543 = bitcast <4 x float> %1542 to <4 x i32>
  %1544 = and <4 x i32> %1538, splat (i32 31744)
  %1545 = icmp eq <4 x i32> %1544, splat (i32 31744)
  %1546 = or <4 x i32> %1543, splat (i32 2139095040)
  %1547 = select <4 x i1> %1545, <4 x i32> %1546, <4 x i32> %1543
  %1548 = sext <4 x i16> %1537 to <4 x i32>
  %1549 = and <4 x i32> %1548, splat (i32 -2147483648)
  %1550 = or <4 x i32> %1547, %1549
  %1551 = bitcast <4 x i32> %1550 to <4 x float>
  %1552 = fcmp oge <4 x float> %1535, %1551
  %1553 = fcmp uno <4 x float> %1535, zeroinitializer
  %1554 = or <4 x i1> %1553, %1552
  %1555 = select <4 x i1> %1554, <4 x float> %1535, <4 x float> %1551
  store <4 x float> %1555, ptr %1534, align 16, !alias.scope !84, !noalias !87
  %1556 = add nuw i64 %1533, 4
  %1557 = icmp eq i64 %1556, %1434
  br i1 %1557, label %1558, label %1532, !llvm.loop !89

1558:                                             ; preds = %1532
  br i1 %1435, label %1724, label %1559

1559:                                             ; preds = %1526, %1525, %1558
  %1560 = phi i64 [ 0, %1526 ], [ 0, %1525 ], [ %1434, %1558 ]
  br label %1672

1561:                                             ; preds = %1520
  br i1 %1436, label %1611, label %1562

1562:                                             ; preds = %1561
  %1563 = getelementptr i8, ptr %1523, i64 %750
  %1564 = getelementptr i8, ptr %1563, i64 %673
  %1565 = icmp ult ptr %16, %1564
  %1566 = icmp ult ptr %1524, %672
  %1567 = and i1 %1565, %1566
  br i1 %1567, label %1611, label %1568

1568:                                             ; preds = %1562, %1568
  %1569 = phi i64 [ %1608, %1568 ], [ 0, %1562 ]
  %1570 = getelementptr inbounds nuw float, ptr %16, i64 %1569
  %1571 = getelementptr inbounds nuw i8, ptr %1570, i64 16
  %1572 = load <4 x float>, ptr %1570, align 32, !alias.scope !90, !noalias !93
  %1573 = load <4 x float>, ptr %1571, align 16, !alias.scope !90, !noalias !93
  %1574 = getelementptr inbounds nuw i16, ptr %1524, i64 %1569
  %1575 = getelementptr inbounds nuw i8, ptr %1574, i64 8
  %1576 = load <4 x i16>, ptr %1574, align 2, !alias.scope !93
  %1577 = load <4 x i16>, ptr %1575, align 2, !alias.scope !93
  %1578 = zext <4 x i16> %1576 to <4 x i32>
  %1579 = zext <4 x i16> %1577 to <4 x i32>
  %1580 = shl nuw nsw <4 x i32> %1578, splat (i32 13)
  %1581 = shl nuw nsw <4 x i32> %1579, splat (i32 13)
  %1582 = and <4 x i32> %1580, splat (i32 268427264)
  %1583 = and <4 x i32> %1581, splat (i32 268427264)
  %1584 = bitcast <4 x i32> %1582 to <4 x float>
  %1585 = bitcast <4 x i32> %1583 to <4 x float>
  %1586 = fmul <4 x float> %1584, splat (float 0x46F0000000000000)
  %1587 = fmul <4 x float> %1585, splat (float 0x46F0000000000000)
  %1588 = bitcast <4 x float> %1586 to <4 x i32>
  %1589 = bitcast <4 x float> %1587 to <4 x i32>
  %1590 = and <4 x i32> %1578, splat (i32 31744)
  %1591 = and <4 x i32> %1579, splat (i32 31744)
  %1592 = icmp eq <4 x i32> %1590, splat (i32 31744)
  %1593 = icmp eq <4 x i32> %1591, splat (i32 31744)
  %1594 = or <4 x i32> %1588, splat (i32 2139095040)
  %1595 = or <4 x i32> %1589, splat (i32 2139095040)
  %1596 = select <4 x i1> %1592, <4 x i32> %1594, <4 x i32> %1588
  %1597 = select <4 x i1> %1593, <4 x i32> %1595, <4 x i32> %1589
  %1598 = sext <4 x i16> %1576 to <4 x i32>
  %1599 = sext <4 x i16> %1577 to <4 x i32>
  %1600 = and <4 x i32> %1598, splat (i32 -2147483648)
  %1601 = and <4 x i32> %1599, splat (i32 -2147483648)
  %1602 = or <4 x i32> %1596, %1600
  %1603 = or <4 x i32> %1597, %1601
  %1604 = bitcast <4 x i32> %1602 to <4 x float>
  %1605 = bitcast <4 x i32> %1603 to <4 x float>
  %1606 = fadd <4 x float> %1572, %1604
  %1607 = fadd <4 x float> %1573, %1605
  store <4 x float> %1606, ptr %1570, align 32, !alias.scope !90, !noalias !93
  store <4 x float> %1607, ptr %1571, align 16, !alias.scope !90, !noalias !93
  %1608 = add nuw i64 %1569, 8
  %1609 = icmp eq i64 %1608, %1437
  br i1 %1609, label %1610, label %1568, !llvm.loop !95

1610:                                             ; preds = %1568
  br i1 %1438, label %1724, label %1611

1611:                                             ; preds = %1562, %1561, %1610
  %1612 = phi i64 [ 0, %1562 ], [ 0, %1561 ], [ %1437, %1610 ]
  br label %1649

1613:                                             ; preds = %1520
  br i1 %1439, label %1647, label %1614

1614:                                             ; preds = %1613
  %1615 = getelementptr i8, ptr %1523, i64 %750
  %1616 = getelementptr i8, ptr %1615, i64 %682
  %1617 = icmp ult ptr %16, %1616
  %1618 = icmp ult ptr %1524, %681
  %1619 = and i1 %1617, %1618
  br i1 %1619, label %1647, label %1620

1620:                                             ; preds = %1614, %1620
  %1621 = phi i64 [ %1644, %1620 ], [ 0, %1614 ]
  %1622 = getelementptr inbounds nuw float, ptr %16, i64 %1621
  %1623 = load <4 x float>, ptr %1622, align 16, !alias.scope !96, !noalias !99
  %1624 = getelementptr inbounds nuw i16, ptr %1524, i64 %1621
  %1625 = load <4 x i16>, ptr %1624, align 2, !alias.scope !99
  %1626 = zext <4 x i16> %1625 to <4 x i32>
  %1627 = shl nuw nsw <4 x i32> %1626, splat (i32 13)
  %1628 = and <4 x i32> %1627, splat (i32 268427264)
  %1629 = bitcast <4 x i32> %1628 to <4 x float>
  %1630 = fmul <4 x float> %1629, splat (float 0x46F0000000000000)
  %1631 = bitcast <4 x float> %1630 to <4 x i32>
  %1632 = and <4 x i32> %1626, splat (i32 31744)
  %1633 = icmp eq <4 x i32> %1632, splat (i32 31744)
  %1634 = or <4 x i32> %1631, splat (i32 2139095040)
  %1635 = select <4 x i1> %1633, <4 x i32> %1634, <4 x i32> %1631
  %1636 = sext <4 x i16> %1625 to <4 x i32>
  %1637 = and <4 x i32> %1636, splat (i32 -2147483648)
  %1638 = or <4 x i32> %1635, %1637
  %1639 = bitcast <4 x i32> %1638 to <4 x float>
  %1640 = fcmp ole <4 x float> %1623, %1639
  %1641 = fcmp uno <4 x float> %1623, zeroinitializer
  %1642 = or <4 x i1> %1641, %1640
  %1643 = select <4 x i1> %1642, <4 x float> %1623, <4 x float> %1639
  store <4 x float> %1643, ptr %1622, align 16, !alias.scope !96, !noalias !99
  %1644 = add nuw i64 %1621, 4
  %1645 = icmp eq i64 %1644, %1440
  br i1 %1645, label %1646, label %1620, !llvm.loop !101

1646:                                             ; preds = %1620
  br i1 %1441, label %1724, label %1647

1647:                                             ; preds = %1614, %1613, %1646
  %1648 = phi i64 [ 0, %1614 ], [ 0, %1613 ], [ %1440, %1646 ]
  br label %1698

1649:                                             ; preds = %1611, %1649
  %1650 = phi i64 [ %1670, %1649 ], [ %1612, %1611 ]
  %1651 = getelementptr inbounds nuw float, ptr %16, i64 %1650
  %1652 = load float, ptr %1651, align 4
  %1653 = getelementptr inbounds nuw i16, ptr %1524, i64 %1650
  %1654 = load i16, ptr %1653, align 2
  %1655 = zext i16 %1654 to i32
  %1656 = shl nuw nsw i32 %1655, 13
  %1657 = and i32 %1656, 268427264
  %1658 = bitcast i32 %1657 to float
  %1659 = fmul float %1658, 0x46F0000000000000
  %1660 = bitcast float %1659 to i32
  %1661 = and i32 %1655, 31744
  %1662 = icmp eq i32 %1661, 31744
  %1663 = or i32 %1660, 2139095040
  %1664 = select i1 %1662, i32 %1663, i32 %1660
  %1665 = sext i16 %1654 to i32
  %1666 = and i32 %1665, -2147483648
  %1667 = or i32 %1664, %1666
  %1668 = bitcast i32 %1667 to float
  %1669 = fadd float %1652, %1668
  store float %1669, ptr %1651, align 4
  %1670 = add nuw nsw i64 %1650, 1
  %1671 = icmp eq i64 %1670, %747
  br i1 %1671, label %1724, label %1649, !llvm.loop !102

1672:                                             ; preds = %1559, %1672
  %1673 = phi i64 [ %1696, %1672 ], [ %1560, %1559 ]
  %1674 = getelementptr inbounds nuw float, ptr %16, i64 %1673
  %1675 = load float, ptr %1674, align 4
  %1676 = getelementptr inbounds nuw i16, ptr %1524, i64 %1673
  %1677 = load i16, ptr %1676, align 2
  %1678 = zext i16 %1677 to i32
  %1679 = shl nuw nsw i32 %1678, 13
  %1680 = and i32 %1679, 268427264
  %1681 = bitcast i32 %1680 to float
  %1682 = fmul float %1681, 0x46F0000000000000
  %1683 = bitcast float %1682 to i32
  %1684 = and i32 %1678, 31744
  %1685 = icmp eq i32 %1684, 31744
  %1686 = or i32 %1683, 2139095040
  %1687 = select i1 %1685, i32 %1686, i32 %1683
  %1688 = sext i16 %1677 to i32
  %1689 = and i32 %1688, -2147483648
  %1690 = or i32 %1687, %1689
  %1691 = bitcast i32 %1690 to float
  %1692 = fcmp oge float %1675, %1691
  %1693 = fcmp uno float %1675, 0.000000e+00
  %1694 = or i1 %1693, %1692
  %1695 = select i1 %1694, float %1675, float %1691
  store float %1695, ptr %1674, align 4
  %1696 = add nuw nsw i64 %1673, 1
  %1697 = icmp eq i64 %1696, %747
  br i1 %1697, label %1724, label %1672, !llvm.loop !103

1698:                                             ; preds = %1647, %1698
  %1699 = phi i64 [ %1722, %1698 ], [ %1648, %1647 ]
  %1700 = getelementptr inbounds nuw float, ptr %16, i64 %1699
  %1701 = load float, ptr %1700, align 4
  %1702 = getelementptr inbounds nuw i16, ptr %1524, i64 %1699
  %1703 = load i16, ptr %1702, align 2
  %1704 = zext i16 %1703 to i32
  %1705 = shl nuw nsw i32 %1704, 13
  %1706 = and i32 %1705, 268427264
  %1707 = bitcast i32 %1706 to float
  %1708 = fmul float %1707, 0x46F0000000000000
  %1709 = bitcast float %1708 to i32
  %1710 = and i32 %1704, 31744
  %1711 = icmp eq i32 %1710, 31744
  %1712 = or i32 %1709, 2139095040
  %1713 = select i1 %1711, i32 %1712, i32 %1709
  %1714 = sext i16 %1703 to i32
  %1715 = and i32 %1714, -2147483648
  %1716 = or i32 %1713, %1715
  %1717 = bitcast i32 %1716 to float
  %1718 = fcmp ole float %1701, %1717
  %1719 = fcmp uno float %1701, 0.000000e+00
  %1720 = or i1 %1719, %1718
  %1721 = select i1 %1720, float %1701, float %1717
  store float %1721, ptr %1700, align 4
  %1722 = add nuw nsw i64 %1699, 1
  %1723 = icmp eq i64 %1722, %747
  br i1 %1723, label %1724, label %1698, !llvm.loop !104

1724:                                             ; preds = %1672, %1649, %1698, %1558, %1610, %1646
  %1725 = add nuw nsw i64 %1521, 1
  %1726 = icmp eq i64 %1725, %404
  br i1 %1726, label %1442, label %1520, !llvm.loop !105

1727:                                             ; preds = %407
  %1728 = getelementptr inbounds i8, ptr %405, i64 %750
  %1729 = icmp ult i64 %610, 8
  br i1 %1729, label %1754, label %1730

1730:                                             ; preds = %1727
  %1731 = getelementptr i8, ptr %405, i64 %750
  %1732 = getelementptr i8, ptr %1731, i64 %616
  %1733 = icmp ult ptr %16, %1732
  %1734 = icmp ult ptr %1728, %615
  %1735 = and i1 %1733, %1734
  br i1 %1735, label %1754, label %1736

1736:                                             ; preds = %1730
  %1737 = and i64 %610, -8
  br label %1738

1738:                                             ; preds = %1738, %1736
  %1739 = phi i64 [ 0, %1736 ], [ %1750, %1738 ]
  %1740 = getelementptr inbounds nuw i16, ptr %1728, i64 %1739
  %1741 = getelementptr inbounds nuw i8, ptr %1740, i64 8
  %1742 = load <4 x i16>, ptr %1740, align 2, !alias.scope !106
  %1743 = load <4 x i16>, ptr %1741, align 2, !alias.scope !106
  %1744 = zext <4 x i16> %1742 to <4 x i32>
  %1745 = zext <4 x i16> %1743 to <4 x i32>
  %1746 = shl nuw <4 x i32> %1744, splat (i32 16)
  %1747 = shl nuw <4 x i32> %1745, splat (i32 16)
  %1748 = getelementptr inbounds nuw float, ptr %16, i64 %1739
  %1749 = getelementptr inbounds nuw i8, ptr %1748, i64 16
  store <4 x i32> %1746, ptr %1748, align 32, !alias.scope !109, !noalias !106
  store <4 x i32> %1747, ptr %1749, align 16, !alias.scope !109, !noalias !106
  %1750 = add nuw i64 %1739, 8
  %1751 = icmp eq i64 %1750, %1737
  br i1 %1751, label %1752, label %1738, !llvm.loop !111

1752:                                             ; preds = %1738
  %1753 = icmp eq i64 %610, %1737
  br i1 %1753, label %1800, label %1754

1754:                                             ; preds = %1730, %1727, %1752
  %1755 = phi i64 [ 0, %1730 ], [ 0, %1727 ], [ %1737, %1752 ]
  %1756 = and i64 %445, 3
  %1757 = icmp eq i64 %1756, 0
  br i1 %1757, label %1769, label %1758

1758:                                             ; preds = %1754, %1758
  %1759 = phi i64 [ %1766, %1758 ], [ %1755, %1754 ]
  %1760 = phi i64 [ %1767, %1758 ], [ 0, %1754 ]
  %1761 = getelementptr inbounds nuw i16, ptr %1728, i64 %1759
  %1762 = load i16, ptr %1761, align 2
  %1763 = zext i16 %1762 to i32
  %1764 = shl nuw i32 %1763, 16
  %1765 = getelementptr inbounds nuw float, ptr %16, i64 %1759
  store i32 %1764, ptr %1765, align 4
  %1766 = add nuw nsw i64 %1759, 1
  %1767 = add i64 %1760, 1
  %1768 = icmp eq i64 %1767, %1756
  br i1 %1768, label %1769, label %1758, !llvm.loop !112

1769:                                             ; preds = %1758, %1754
  %1770 = phi i64 [ %1755, %1754 ], [ %1766, %1758 ]
  %1771 = sub i64 %1755, %445
  %1772 = icmp ugt i64 %1771, -4
  br i1 %1772, label %1800, label %1773

1773:                                             ; preds = %1769, %1773
  %1774 = phi i64 [ %1798, %1773 ], [ %1770, %1769 ]
  %1775 = getelementptr inbounds nuw i16, ptr %1728, i64 %1774
  %1776 = load i16, ptr %1775, align 2
  %1777 = zext i16 %1776 to i32
  %1778 = shl nuw i32 %1777, 16
  %1779 = getelementptr inbounds nuw float, ptr %16, i64 %1774
  store i32 %1778, ptr %1779, align 4
  %1780 = add nuw nsw i64 %1774, 1
  %1781 = getelementptr inbounds nuw i16, ptr %1728, i64 %1780
  %1782 = load i16, ptr %1781, align 2
  %1783 = zext i16 %1782 to i32
  %1784 = shl nuw i32 %1783, 16
  %1785 = getelementptr inbounds nuw float, ptr %16, i64 %1780
  store i32 %1784, ptr %1785, align 4
  %1786 = add nuw nsw i64 %1774, 2
  %1787 = getelementptr inbounds nuw i16, ptr %1728, i64 %1786
  %1788 = load i16, ptr %1787, align 2
  %1789 = zext i16 %1788 to i32
  %1790 = shl nuw i32 %1789, 16
  %1791 = getelementptr inbounds nuw float, ptr %16, i64 %1786
  store i32 %1790, ptr %1791, align 4
  %1792 = add nuw nsw i64 %1774, 3
  %1793 = getelementptr inbounds nuw i16, ptr %1728, i64 %1792
  %1794 = load i16, ptr %1793, align 2
  %1795 = zext i16 %1794 to i32
  %1796 = shl nuw i32 %1795, 16
  %1797 = getelementptr inbounds nuw float, ptr %16, i64 %1792
  store i32 %1796, ptr %1797, align 4
  %1798 = add nuw nsw i64 %1774, 4
  %1799 = icmp eq i64 %1798, %747
  br i1 %1799, label %1800, label %1773, !llvm.loop !113

1800:                                             ; preds = %1769, %1773, %1752
  br i1 %403, label %1801, label %1817

1801:                                             ; preds = %1800
  %1802 = icmp ult i64 %619, 8
  %1803 = and i64 %619, -8
  %1804 = icmp eq i64 %619, %1803
  %1805 = and i64 %442, 1
  %1806 = icmp eq i64 %1805, 0
  %1807 = icmp ult i64 %628, 8
  %1808 = and i64 %628, -8
  %1809 = icmp eq i64 %628, %1808
  %1810 = and i64 %439, 1
  %1811 = icmp eq i64 %1810, 0
  %1812 = icmp ult i64 %637, 8
  %1813 = and i64 %637, -8
  %1814 = icmp eq i64 %637, %1813
  %1815 = and i64 %436, 1
  %1816 = icmp eq i64 %1815, 0
  br label %1880

1817:                                             ; preds = %2110, %1800
  %1818 = getelementptr inbounds i8, ptr %400, i64 %750
  %1819 = icmp ult i64 %646, 8
  br i1 %1819, label %1856, label %1820

1820:                                             ; preds = %1817
  %1821 = and i64 %646, -8
  br label %1822

1822:                                             ; preds = %1822, %1820
  %1823 = phi i64 [ 0, %1820 ], [ %1852, %1822 ]
  %1824 = getelementptr inbounds nuw float, ptr %16, i64 %1823
  %1825 = getelementptr inbounds nuw i8, ptr %1824, i64 16
  %1826 = load <4 x float>, ptr %1824, align 32
  %1827 = load <4 x float>, ptr %1825, align 16
  %1828 = fcmp uno <4 x float> %1826, zeroinitializer
  %1829 = fcmp uno <4 x float> %1827, zeroinitializer
  %1830 = bitcast <4 x float> %1826 to <4 x i32>
  %1831 = bitcast <4 x float> %1827 to <4 x i32>
  %1832 = add <4 x i32> %1830, splat (i32 32767)
  %1833 = add <4 x i32> %1831, splat (i32 32767)
  %1834 = lshr <4 x i32> %1830, splat (i32 16)
  %1835 = lshr <4 x i32> %1831, splat (i32 16)
  %1836 = and <4 x i32> %1834, splat (i32 1)
  %1837 = and <4 x i32> %1835, splat (i32 1)
  %1838 = add <4 x i32> %1832, %1836
  %1839 = add <4 x i32> %1833, %1837
  %1840 = lshr <4 x i32> %1838, splat (i32 16)
  %1841 = lshr <4 x i32> %1839, splat (i32 16)
  %1842 = trunc nuw <4 x i32> %1840 to <4 x i16>
  %1843 = trunc nuw <4 x i32> %1841 to <4 x i16>
  %1844 = trunc nuw <4 x i32> %1834 to <4 x i16>
  %1845 = or <4 x i16> %1844, splat (i16 64)
  %1846 = trunc nuw <4 x i32> %1835 to <4 x i16>
  %1847 = or <4 x i16> %1846, splat (i16 64)
  %1848 = select <4 x i1> %1828, <4 x i16> %1845, <4 x i16> %1842
  %1849 = select <4 x i1> %1829, <4 x i16> %1847, <4 x i16> %1843
  %1850 = getelementptr inbounds nuw i16, ptr %1818, i64 %1823
  %1851 = getelementptr inbounds nuw i8, ptr %1850, i64 8
  store <4 x i16> %1848, ptr %1850, align 2
  store <4 x i16> %1849, ptr %1851, align 2
  %1852 = add nuw i64 %1823, 8
  %1853 = icmp eq i64 %1852, %1821
  br i1 %1853, label %1854, label %1822, !llvm.loop !114

1854:                                             ; preds = %1822
  %1855 = icmp eq i64 %646, %1821
  br i1 %1855, label %3391, label %1856

1856:                                             ; preds = %1817, %1854
  %1857 = phi i64 [ 0, %1817 ], [ %1821, %1854 ]
  br label %1858

1858:                                             ; preds = %1856, %1875
  %1859 = phi i64 [ %1878, %1875 ], [ %1857, %1856 ]
  %1860 = getelementptr inbounds nuw float, ptr %16, i64 %1859
  %1861 = load float, ptr %1860, align 4
  %1862 = fcmp uno float %1861, 0.000000e+00
  %1863 = bitcast float %1861 to i32
  br i1 %1862, label %1864, label %1868

1864:                                             ; preds = %1858
  %1865 = lshr i32 %1863, 16
  %1866 = trunc nuw i32 %1865 to i16
  %1867 = or i16 %1866, 64
  br label %1875

1868:                                             ; preds = %1858
  %1869 = add i32 %1863, 32767
  %1870 = lshr i32 %1863, 16
  %1871 = and i32 %1870, 1
  %1872 = add i32 %1869, %1871
  %1873 = lshr i32 %1872, 16
  %1874 = trunc nuw i32 %1873 to i16
  br label %1875

1875:                                             ; preds = %1868, %1864
  %1876 = phi i16 [ %1867, %1864 ], [ %1874, %1868 ]
  %1877 = getelementptr inbounds nuw i16, ptr %1818, i64 %1859
  store i16 %1876, ptr %1877, align 2
  %1878 = add nuw nsw i64 %1859, 1
  %1879 = icmp eq i64 %1878, %747
  br i1 %1879, label %3391, label %1858, !llvm.loop !115

1880:                                             ; preds = %1801, %2110
  %1881 = phi i64 [ %2111, %2110 ], [ 1, %1801 ]
  %1882 = getelementptr inbounds nuw ptr, ptr %26, i64 %1881
  %1883 = load ptr, ptr %1882, align 8
  %1884 = getelementptr i8, ptr %1883, i64 %750
  switch i32 %402, label %1982 [
    i32 0, label %1938
    i32 1, label %1885
  ]

1885:                                             ; preds = %1880
  br i1 %1802, label %1919, label %1886

1886:                                             ; preds = %1885
  %1887 = getelementptr i8, ptr %1883, i64 %750
  %1888 = getelementptr i8, ptr %1887, i64 %625
  %1889 = icmp ult ptr %16, %1888
  %1890 = icmp ult ptr %1884, %624
  %1891 = and i1 %1889, %1890
  br i1 %1891, label %1919, label %1892

1892:                                             ; preds = %1886, %1892
  %1893 = phi i64 [ %1916, %1892 ], [ 0, %1886 ]
  %1894 = getelementptr inbounds nuw float, ptr %16, i64 %1893
  %1895 = getelementptr inbounds nuw i8, ptr %1894, i64 16
  %1896 = load <4 x float>, ptr %1894, align 32, !alias.scope !116, !noalias !119
  %1897 = load <4 x float>, ptr %1895, align 16, !alias.scope !116, !noalias !119
  %1898 = getelementptr inbounds nuw i16, ptr %1884, i64 %1893
  %1899 = getelementptr inbounds nuw i8, ptr %1898, i64 8
  %1900 = load <4 x i16>, ptr %1898, align 2, !alias.scope !119
  %1901 = load <4 x i16>, ptr %1899, align 2, !alias.scope !119
  %1902 = zext <4 x i16> %1900 to <4 x i32>
  %1903 = zext <4 x i16> %1901 to <4 x i32>
  %1904 = shl nuw <4 x i32> %1902, splat (i32 16)
  %1905 = shl nuw <4 x i32> %1903, splat (i32 16)
  %1906 = bitcast <4 x i32> %1904 to <4 x float>
  %1907 = bitcast <4 x i32> %1905 to <4 x float>
  %1908 = fcmp oge <4 x float> %1896, %1906
  %1909 = fcmp oge <4 x float> %1897, %1907
  %1910 = fcmp uno <4 x float> %1896, zeroinitializer
  %1911 = fcmp uno <4 x float> %1897, zeroinitializer
  %1912 = or <4 x i1> %1910, %1908
  %1913 = or <4 x i1> %1911, %1909
  %1914 = select <4 x i1> %1912, <4 x float> %1896, <4 x float> %1906
  %1915 = select <4 x i1> %1913, <4 x float> %1897, <4 x float> %1907
  store <4 x float> %1914, ptr %1894, align 32, !alias.scope !116, !noalias !119
  store <4 x float> %1915, ptr %1895, align 16, !alias.scope !116, !noalias !119
  %1916 = add nuw i64 %1893, 8
  %1917 = icmp eq i64 %1916, %1803
  br i1 %1917, label %1918, label %1892, !llvm.loop !121

1918:                                             ; preds = %1892
  br i1 %1804, label %2110, label %1919

1919:                                             ; preds = %1886, %1885, %1918
  %1920 = phi i64 [ 0, %1886 ], [ 0, %1885 ], [ %1803, %1918 ]
  %1921 = or disjoint i64 %1920, 1
  br i1 %1806, label %1935, label %1922

1922:                                             ; preds = %1919
  %1923 = getelementptr inbounds nuw float, ptr %16, i64 %1920
  %1924 = load float, ptr %1923, align 32
  %1925 = getelementptr inbounds nuw i16, ptr %1884, i64 %1920
  %1926 = load i16, ptr %1925, align 2
  %1927 = zext i16 %1926 to i32
  %1928 = shl nuw i32 %1927, 16
  %1929 = bitcast i32 %1928 to float
  %1930 = fcmp oge float %1924, %1929
  %1931 = fcmp uno float %1924, 0.000000e+00
  %1932 = or i1 %1931, %1930
  %1933 = select i1 %1932, float %1924, float %1929
  store float %1933, ptr %1923, align 32
  %1934 = or disjoint i64 %1920, 1
  br label %1935

1935:                                             ; preds = %1922, %1919
  %1936 = phi i64 [ %1920, %1919 ], [ %1934, %1922 ]
  %1937 = icmp eq i64 %442, %1921
  br i1 %1937, label %2110, label %2056

1938:                                             ; preds = %1880
  br i1 %1807, label %1966, label %1939

1939:                                             ; preds = %1938
  %1940 = getelementptr i8, ptr %1883, i64 %750
  %1941 = getelementptr i8, ptr %1940, i64 %634
  %1942 = icmp ult ptr %16, %1941
  %1943 = icmp ult ptr %1884, %633
  %1944 = and i1 %1942, %1943
  br i1 %1944, label %1966, label %1945

1945:                                             ; preds = %1939, %1945
  %1946 = phi i64 [ %1963, %1945 ], [ 0, %1939 ]
  %1947 = getelementptr inbounds nuw float, ptr %16, i64 %1946
  %1948 = getelementptr inbounds nuw i8, ptr %1947, i64 16
  %1949 = load <4 x float>, ptr %1947, align 32, !alias.scope !122, !noalias !125
  %1950 = load <4 x float>, ptr %1948, align 16, !alias.scope !122, !noalias !125
  %1951 = getelementptr inbounds nuw i16, ptr %1884, i64 %1946
  %1952 = getelementptr inbounds nuw i8, ptr %1951, i64 8
  %1953 = load <4 x i16>, ptr %1951, align 2, !alias.scope !125
  %1954 = load <4 x i16>, ptr %1952, align 2, !alias.scope !125
  %1955 = zext <4 x i16> %1953 to <4 x i32>
  %1956 = zext <4 x i16> %1954 to <4 x i32>
  %1957 = shl nuw <4 x i32> %1955, splat (i32 16)
  %1958 = shl nuw <4 x i32> %1956, splat (i32 16)
  %1959 = bitcast <4 x i32> %1957 to <4 x float>
  %1960 = bitcast <4 x i32> %1958 to <4 x float>
  %1961 = fadd <4 x float> %1949, %1959
  %1962 = fadd <4 x float> %1950, %1960
  store <4 x float> %1961, ptr %1947, align 32, !alias.scope !122, !noalias !125
  store <4 x float> %1962, ptr %1948, align 16, !alias.scope !122, !noalias !125
  %1963 = add nuw i64 %1946, 8
  %1964 = icmp eq i64 %1963, %1808
  br i1 %1964, label %1965, label %1945, !llvm.loop !127

1965:                                             ; preds = %1945
  br i1 %1809, label %2110, label %1966

1966:                                             ; preds = %1939, %1938, %1965
  %1967 = phi i64 [ 0, %1939 ], [ 0, %1938 ], [ %1808, %1965 ]
  %1968 = or disjoint i64 %1967, 1
  br i1 %1811, label %1979, label %1969

1969:                                             ; preds = %1966
  %1970 = getelementptr inbounds nuw float, ptr %16, i64 %1967
  %1971 = load float, ptr %1970, align 32
  %1972 = getelementptr inbounds nuw i16, ptr %1884, i64 %1967
  %1973 = load i16, ptr %1972, align 2
  %1974 = zext i16 %1973 to i32
  %1975 = shl nuw i32 %1974, 16
  %1976 = bitcast i32 %1975 to float
  %1977 = fadd float %1971, %1976
  store float %1977, ptr %1970, align 32
  %1978 = or disjoint i64 %1967, 1
  br label %1979

1979:                                             ; preds = %1969, %1966
  %1980 = phi i64 [ %1967, %1966 ], [ %1978, %1969 ]
  %1981 = icmp eq i64 %439, %1968
  br i1 %1981, label %2110, label %2035

1982:                                             ; preds = %1880
  br i1 %1812, label %2016, label %1983

1983:                                             ; preds = %1982
  %1984 = getelementptr i8, ptr %1883, i64 %750
  %1985 = getelementptr i8, ptr %1984, i64 %643
  %1986 = icmp ult ptr %16, %1985
  %1987 = icmp ult ptr %1884, %642
  %1988 = and i1 %1986, %1987
  br i1 %1988, label %2016, label %1989

1989:                                             ; preds = %1983, %1989
  %1990 = phi i64 [ %2013, %1989 ], [ 0, %1983 ]
  %1991 = getelementptr inbounds nuw float, ptr %16, i64 %1990
  %1992 = getelementptr inbounds nuw i8, ptr %1991, i64 16
  %1993 = load <4 x float>, ptr %1991, align 32, !alias.scope !128, !noalias !131
  %1994 = load <4 x float>, ptr %1992, align 16, !alias.scope !128, !noalias !131
  %1995 = getelementptr inbounds nuw i16, ptr %1884, i64 %1990
  %1996 = getelementptr inbounds nuw i8, ptr %1995, i64 8
  %1997 = load <4 x i16>, ptr %1995, align 2, !alias.scope !131
  %1998 = load <4 x i16>, ptr %1996, align 2, !alias.scope !131
  %1999 = zext <4 x i16> %1997 to <4 x i32>
  %2000 = zext <4 x i16> %1998 to <4 x i32>
  %2001 = shl nuw <4 x i32> %1999, splat (i32 16)
  %2002 = shl nuw <4 x i32> %2000, splat (i32 16)
  %2003 = bitcast <4 x i32> %2001 to <4 x float>
  %2004 = bitcast <4 x i32> %2002 to <4 x float>
  %2005 = fcmp ole <4 x float> %1993, %2003
  %2006 = fcmp ole <4 x float> %1994, %2004
  %2007 = fcmp uno <4 x float> %1993, zeroinitializer
  %2008 = fcmp uno <4 x float> %1994, zeroinitializer
  %2009 = or <4 x i1> %2007, %2005
  %2010 = or <4 x i1> %2008, %2006
  %2011 = select <4 x i1> %2009, <4 x float> %1993, <4 x float> %2003
  %2012 = select <4 x i1> %2010, <4 x float> %1994, <4 x float> %2004
  store <4 x float> %2011, ptr %1991, align 32, !alias.scope !128, !noalias !131
  store <4 x float> %2012, ptr %1992, align 16, !alias.scope !128, !noalias !131
  %2013 = add nuw i64 %1990, 8
  %2014 = icmp eq i64 %2013, %1813
  br i1 %2014, label %2015, label %1989, !llvm.loop !133

2015:                                             ; preds = %1989
  br i1 %1814, label %2110, label %2016

2016:                                             ; preds = %1983, %1982, %2015
  %2017 = phi i64 [ 0, %1983 ], [ 0, %1982 ], [ %1813, %2015 ]
  %2018 = or disjoint i64 %2017, 1
  br i1 %1816, label %2032, label %2019

2019:                                             ; preds = %2016
  %2020 = getelementptr inbounds nuw float, ptr %16, i64 %2017
  %2021 = load float, ptr %2020, align 32
  %2022 = getelementptr inbounds nuw i16, ptr %1884, i64 %2017
  %2023 = load i16, ptr %2022, align 2
  %2024 = zext i16 %2023 to i32
  %2025 = shl nuw i32 %2024, 16
  %2026 = bitcast i32 %2025 to float
  %2027 = fcmp ole float %2021, %2026
  %2028 = fcmp uno float %2021, 0.000000e+00
  %2029 = or i1 %2028, %2027
  %2030 = select i1 %2029, float %2021, float %2026
  store float %2030, ptr %2020, align 32
  %2031 = or disjoint i64 %2017, 1
  br label %2032

2032:                                             ; preds = %2019, %2016
  %2033 = phi i64 [ %2017, %2016 ], [ %2031, %2019 ]
  %2034 = icmp eq i64 %436, %2018
  br i1 %2034, label %2110, label %2083

2035:                                             ; preds = %1979, %2035
  %2036 = phi i64 [ %2054, %2035 ], [ %1980, %1979 ]
  %2037 = getelementptr inbounds nuw float, ptr %16, i64 %2036
  %2038 = load float, ptr %2037, align 4
  %2039 = getelementptr inbounds nuw i16, ptr %1884, i64 %2036
  %2040 = load i16, ptr %2039, align 2
  %2041 = zext i16 %2040 to i32
  %2042 = shl nuw i32 %2041, 16
  %2043 = bitcast i32 %2042 to float
  %2044 = fadd float %2038, %2043
  store float %2044, ptr %2037, align 4
  %2045 = add nuw nsw i64 %2036, 1
  %2046 = getelementptr inbounds nuw float, ptr %16, i64 %2045
  %2047 = load float, ptr %2046, align 4
  %2048 = getelementptr inbounds nuw i16, ptr %1884, i64 %2045
  %2049 = load i16, ptr %2048, align 2
  %2050 = zext i16 %2049 to i32
  %2051 = shl nuw i32 %2050, 16
  %2052 = bitcast i32 %2051 to float
  %2053 = fadd float %2047, %2052
  store float %2053, ptr %2046, align 4
  %2054 = add nuw nsw i64 %2036, 2
  %2055 = icmp eq i64 %2054, %747
  br i1 %2055, label %2110, label %2035, !llvm.loop !134

2056:                                             ; preds = %1935, %2056
  %2057 = phi i64 [ %2081, %2056 ], [ %1936, %1935 ]
  %2058 = getelementptr inbounds nuw float, ptr %16, i64 %2057
  %2059 = load float, ptr %2058, align 4
  %2060 = getelementptr inbounds nuw i16, ptr %1884, i64 %2057
  %2061 = load i16, ptr %2060, align 2
  %2062 = zext i16 %2061 to i32
  %2063 = shl nuw i32 %2062, 16
  %2064 = bitcast i32 %2063 to float
  %2065 = fcmp oge float %2059, %2064
  %2066 = fcmp uno float %2059, 0.000000e+00
  %2067 = or i1 %2066, %2065
  %2068 = select i1 %2067, float %2059, float %2064
  store float %2068, ptr %2058, align 4
  %2069 = add nuw nsw i64 %2057, 1
  %2070 = getelementptr inbounds nuw float, ptr %16, i64 %2069
  %2071 = load float, ptr %2070, align 4
  %2072 = getelementptr inbounds nuw i16, ptr %1884, i64 %2069
  %2073 = load i16, ptr %2072, align 2
  %2074 = zext i16 %2073 to i32
  %2075 = shl nuw i32 %2074, 16
  %2076 = bitcast i32 %2075 to float
  %2077 = fcmp oge float %2071, %2076
  %2078 = fcmp uno float %2071, 0.000000e+00
  %2079 = or i1 %2078, %2077
  %2080 = select i1 %2079, float %2071, float %2076
  store float %2080, ptr %2070, align 4
  %2081 = add nuw nsw i64 %2057, 2
  %2082 = icmp eq i64 %2081, %747
  br i1 %2082, label %2110, label %2056, !llvm.loop !135

2083:                                             ; preds = %2032, %2083
  %2084 = phi i64 [ %2108, %2083 ], [ %2033, %2032 ]
  %2085 = getelementptr inbounds nuw float, ptr %16, i64 %2084
  %2086 = load float, ptr %2085, align 4
  %2087 = getelementptr inbounds nuw i16, ptr %1884, i64 %2084
  %2088 = load i16, ptr %2087, align 2
  %2089 = zext i16 %2088 to i32
  %2090 = shl nuw i32 %2089, 16
  %2091 = bitcast i32 %2090 to float
  %2092 = fcmp ole float %2086, %2091
  %2093 = fcmp uno float %2086, 0.000000e+00
  %2094 = or i1 %2093, %2092
  %2095 = select i1 %2094, float %2086, float %2091
  store float %2095, ptr %2085, align 4
  %2096 = add nuw nsw i64 %2084, 1
  %2097 = getelementptr inbounds nuw float, ptr %16, i64 %2096
  %2098 = load float, ptr %2097, align 4
  %2099 = getelementptr inbounds nuw i16, ptr %1884, i64 %2096
  %2100 = load i16, ptr %2099, align 2
  %2101 = zext i16 %2100 to i32
  %2102 = shl nuw i32 %2101, 16
  %2103 = bitcast i32 %2102 to float
  %2104 = fcmp ole float %2098, %2103
  %2105 = fcmp uno float %2098, 0.000000e+00
  %2106 = or i1 %2105, %2104
  %2107 = select i1 %2106, float %2098, float %2103
  store float %2107, ptr %2097, align 4
  %2108 = add nuw nsw i64 %2084, 2
  %2109 = icmp eq i64 %2108, %747
  br i1 %2109, label %2110, label %2083, !llvm.loop !136

2110:                                             ; preds = %1935, %2056, %1979, %2035, %2032, %2083, %1918, %1965, %2015
  %2111 = add nuw nsw i64 %1881, 1
  %2112 = icmp eq i64 %2111, %404
  br i1 %2112, label %1817, label %1880, !llvm.loop !137

2113:                                             ; preds = %407
  %2114 = getelementptr inbounds i8, ptr %405, i64 %750
  %2115 = icmp ult i64 %583, 4
  br i1 %2115, label %2151, label %2116

2116:                                             ; preds = %2113
  %2117 = add i64 %750, %406
  %2118 = sub i64 %17, %2117
  %2119 = icmp ult i64 %2118, 32
  br i1 %2119, label %2151, label %2120

2120:                                             ; preds = %2116
  %2121 = icmp ult i64 %583, 32
  br i1 %2121, label %2139, label %2122

2122:                                             ; preds = %2120
  %2123 = and i64 %583, 28
  %2124 = and i64 %583, -32
  br label %2125

2125:                                             ; preds = %2125, %2122
  %2126 = phi i64 [ 0, %2122 ], [ %2133, %2125 ]
  %2127 = getelementptr inbounds nuw i8, ptr %2114, i64 %2126
  %2128 = getelementptr inbounds nuw i8, ptr %2127, i64 16
  %2129 = load <16 x i8>, ptr %2127, align 1
  %2130 = load <16 x i8>, ptr %2128, align 1
  %2131 = getelementptr inbounds nuw i8, ptr %16, i64 %2126
  %2132 = getelementptr inbounds nuw i8, ptr %2131, i64 16
  store <16 x i8> %2129, ptr %2131, align 32
  store <16 x i8> %2130, ptr %2132, align 16
  %2133 = add nuw i64 %2126, 32
  %2134 = icmp eq i64 %2133, %2124
  br i1 %2134, label %2135, label %2125, !llvm.loop !138

2135:                                             ; preds = %2125
  %2136 = icmp eq i64 %583, %2124
  br i1 %2136, label %2187, label %2137

2137:                                             ; preds = %2135
  %2138 = icmp eq i64 %2123, 0
  br i1 %2138, label %2151, label %2139, !prof !139

2139:                                             ; preds = %2120, %2137
  %2140 = phi i64 [ %2124, %2137 ], [ 0, %2120 ]
  %2141 = and i64 %583, -4
  br label %2142

2142:                                             ; preds = %2142, %2139
  %2143 = phi i64 [ %2140, %2139 ], [ %2147, %2142 ]
  %2144 = getelementptr inbounds nuw i8, ptr %2114, i64 %2143
  %2145 = load <4 x i8>, ptr %2144, align 1
  %2146 = getelementptr inbounds nuw i8, ptr %16, i64 %2143
  store <4 x i8> %2145, ptr %2146, align 4
  %2147 = add nuw i64 %2143, 4
  %2148 = icmp eq i64 %2147, %2141
  br i1 %2148, label %2149, label %2142, !llvm.loop !140

2149:                                             ; preds = %2142
  %2150 = icmp eq i64 %583, %2141
  br i1 %2150, label %2187, label %2151

2151:                                             ; preds = %2116, %2113, %2137, %2149
  %2152 = phi i64 [ 0, %2113 ], [ 0, %2116 ], [ %2124, %2137 ], [ %2141, %2149 ]
  %2153 = and i64 %457, 3
  %2154 = icmp eq i64 %2153, 0
  br i1 %2154, label %2164, label %2155

2155:                                             ; preds = %2151, %2155
  %2156 = phi i64 [ %2161, %2155 ], [ %2152, %2151 ]
  %2157 = phi i64 [ %2162, %2155 ], [ 0, %2151 ]
  %2158 = getelementptr inbounds nuw i8, ptr %2114, i64 %2156
  %2159 = load i8, ptr %2158, align 1
  %2160 = getelementptr inbounds nuw i8, ptr %16, i64 %2156
  store i8 %2159, ptr %2160, align 1
  %2161 = add nuw nsw i64 %2156, 1
  %2162 = add i64 %2157, 1
  %2163 = icmp eq i64 %2162, %2153
  br i1 %2163, label %2164, label %2155, !llvm.loop !141

2164:                                             ; preds = %2155, %2151
  %2165 = phi i64 [ %2152, %2151 ], [ %2161, %2155 ]
  %2166 = sub i64 %2152, %457
  %2167 = icmp ugt i64 %2166, -4
  br i1 %2167, label %2187, label %2168

2168:                                             ; preds = %2164, %2168
  %2169 = phi i64 [ %2185, %2168 ], [ %2165, %2164 ]
  %2170 = getelementptr inbounds nuw i8, ptr %2114, i64 %2169
  %2171 = load i8, ptr %2170, align 1
  %2172 = getelementptr inbounds nuw i8, ptr %16, i64 %2169
  store i8 %2171, ptr %2172, align 1
  %2173 = add nuw nsw i64 %2169, 1
  %2174 = getelementptr inbounds nuw i8, ptr %2114, i64 %2173
  %2175 = load i8, ptr %2174, align 1
  %2176 = getelementptr inbounds nuw i8, ptr %16, i64 %2173
  store i8 %2175, ptr %2176, align 1
  %2177 = add nuw nsw i64 %2169, 2
  %2178 = getelementptr inbounds nuw i8, ptr %2114, i64 %2177
  %2179 = load i8, ptr %2178, align 1
  %2180 = getelementptr inbounds nuw i8, ptr %16, i64 %2177
  store i8 %2179, ptr %2180, align 1
  %2181 = add nuw nsw i64 %2169, 3
  %2182 = getelementptr inbounds nuw i8, ptr %2114, i64 %2181
  %2183 = load i8, ptr %2182, align 1
  %2184 = getelementptr inbounds nuw i8, ptr %16, i64 %2181
  store i8 %2183, ptr %2184, align 1
  %2185 = add nuw nsw i64 %2169, 4
  %2186 = icmp eq i64 %2185, %747
  br i1 %2186, label %2187, label %2168, !llvm.loop !142

2187:                                             ; preds = %2164, %2168, %2149, %2135
  br i1 %403, label %2188, label %2219

2188:                                             ; preds = %2187
  %2189 = icmp ult i64 %586, 4
  %2190 = icmp ult i64 %586, 32
  %2191 = and i64 %586, 28
  %2192 = and i64 %586, -32
  %2193 = icmp eq i64 %586, %2192
  %2194 = icmp eq i64 %2191, 0
  %2195 = and i64 %586, -4
  %2196 = icmp eq i64 %586, %2195
  %2197 = and i64 %454, 1
  %2198 = icmp eq i64 %2197, 0
  %2199 = icmp ult i64 %593, 4
  %2200 = icmp ult i64 %593, 32
  %2201 = and i64 %593, 28
  %2202 = and i64 %593, -32
  %2203 = icmp eq i64 %593, %2202
  %2204 = icmp eq i64 %2201, 0
  %2205 = and i64 %593, -4
  %2206 = icmp eq i64 %593, %2205
  %2207 = and i64 %451, 3
  %2208 = icmp eq i64 %2207, 0
  %2209 = icmp ult i64 %600, 4
  %2210 = icmp ult i64 %600, 32
  %2211 = and i64 %600, 28
  %2212 = and i64 %600, -32
  %2213 = icmp eq i64 %600, %2212
  %2214 = icmp eq i64 %2211, 0
  %2215 = and i64 %600, -4
  %2216 = icmp eq i64 %600, %2215
  %2217 = and i64 %448, 1
  %2218 = icmp eq i64 %2217, 0
  br label %2262

2219:                                             ; preds = %2475, %2187
  %2220 = getelementptr inbounds i8, ptr %400, i64 %750
  %2221 = icmp ult i64 %607, 4
  br i1 %2221, label %2253, label %2222

2222:                                             ; preds = %2219
  %2223 = icmp ult i64 %607, 32
  br i1 %2223, label %2241, label %2224

2224:                                             ; preds = %2222
  %2225 = and i64 %607, 28
  %2226 = and i64 %607, -32
  br label %2227

2227:                                             ; preds = %2227, %2224
  %2228 = phi i64 [ 0, %2224 ], [ %2235, %2227 ]
  %2229 = getelementptr inbounds nuw i8, ptr %16, i64 %2228
  %2230 = getelementptr inbounds nuw i8, ptr %2229, i64 16
  %2231 = load <16 x i8>, ptr %2229, align 32
  %2232 = load <16 x i8>, ptr %2230, align 16
  %2233 = getelementptr inbounds nuw i8, ptr %2220, i64 %2228
  %2234 = getelementptr inbounds nuw i8, ptr %2233, i64 16
  store <16 x i8> %2231, ptr %2233, align 1
  store <16 x i8> %2232, ptr %2234, align 1
  %2235 = add nuw i64 %2228, 32
  %2236 = icmp eq i64 %2235, %2226
  br i1 %2236, label %2237, label %2227, !llvm.loop !143

2237:                                             ; preds = %2227
  %2238 = icmp eq i64 %607, %2226
  br i1 %2238, label %3391, label %2239

2239:                                             ; preds = %2237
  %2240 = icmp eq i64 %2225, 0
  br i1 %2240, label %2253, label %2241, !prof !139

2241:                                             ; preds = %2222, %2239
  %2242 = phi i64 [ %2226, %2239 ], [ 0, %2222 ]
  %2243 = and i64 %607, -4
  br label %2244

2244:                                             ; preds = %2244, %2241
  %2245 = phi i64 [ %2242, %2241 ], [ %2249, %2244 ]
  %2246 = getelementptr inbounds nuw i8, ptr %16, i64 %2245
  %2247 = load <4 x i8>, ptr %2246, align 4
  %2248 = getelementptr inbounds nuw i8, ptr %2220, i64 %2245
  store <4 x i8> %2247, ptr %2248, align 1
  %2249 = add nuw i64 %2245, 4
  %2250 = icmp eq i64 %2249, %2243
  br i1 %2250, label %2251, label %2244, !llvm.loop !144

2251:                                             ; preds = %2244
  %2252 = icmp eq i64 %607, %2243
  br i1 %2252, label %3391, label %2253

2253:                                             ; preds = %2219, %2239, %2251
  %2254 = phi i64 [ 0, %2219 ], [ %2226, %2239 ], [ %2243, %2251 ]
  br label %2255

2255:                                             ; preds = %2253, %2255
  %2256 = phi i64 [ %2260, %2255 ], [ %2254, %2253 ]
  %2257 = getelementptr inbounds nuw i8, ptr %16, i64 %2256
  %2258 = load i8, ptr %2257, align 1
  %2259 = getelementptr inbounds nuw i8, ptr %2220, i64 %2256
  store i8 %2258, ptr %2259, align 1
  %2260 = add nuw nsw i64 %2256, 1
  %2261 = icmp eq i64 %2260, %747
  br i1 %2261, label %3391, label %2255, !llvm.loop !145

2262:                                             ; preds = %2188, %2475
  %2263 = phi i64 [ %2476, %2475 ], [ 1, %2188 ]
  %2264 = getelementptr inbounds nuw ptr, ptr %26, i64 %2263
  %2265 = load ptr, ptr %2264, align 8
  %2266 = getelementptr i8, ptr %2265, i64 %750
  switch i32 %402, label %2369 [
    i32 0, label %2316
    i32 1, label %2267
  ]

2267:                                             ; preds = %2262
  br i1 %2189, label %2303, label %2268

2268:                                             ; preds = %2267
  %2269 = getelementptr i8, ptr %2265, i64 %589
  %2270 = getelementptr i8, ptr %2269, i64 %750
  %2271 = icmp ult ptr %16, %2270
  %2272 = icmp ult ptr %2266, %590
  %2273 = and i1 %2271, %2272
  br i1 %2273, label %2303, label %2274

2274:                                             ; preds = %2268
  br i1 %2190, label %2291, label %2275

2275:                                             ; preds = %2274, %2275
  %2276 = phi i64 [ %2287, %2275 ], [ 0, %2274 ]
  %2277 = getelementptr inbounds nuw i8, ptr %16, i64 %2276
  %2278 = getelementptr inbounds nuw i8, ptr %2277, i64 16
  %2279 = load <16 x i8>, ptr %2277, align 32, !alias.scope !146, !noalias !149
  %2280 = load <16 x i8>, ptr %2278, align 16, !alias.scope !146, !noalias !149
  %2281 = getelementptr inbounds nuw i8, ptr %2266, i64 %2276
  %2282 = getelementptr inbounds nuw i8, ptr %2281, i64 16
  %2283 = load <16 x i8>, ptr %2281, align 1, !alias.scope !149
  %2284 = load <16 x i8>, ptr %2282, align 1, !alias.scope !149
  %2285 = call <16 x i8> @llvm.smax.v16i8(<16 x i8> %2279, <16 x i8> %2283)
  %2286 = call <16 x i8> @llvm.smax.v16i8(<16 x i8> %2280, <16 x i8> %2284)
  store <16 x i8> %2285, ptr %2277, align 32, !alias.scope !146, !noalias !149
  store <16 x i8> %2286, ptr %2278, align 16, !alias.scope !146, !noalias !149
  %2287 = add nuw i64 %2276, 32
  %2288 = icmp eq i64 %2287, %2192
  br i1 %2288, label %2289, label %2275, !llvm.loop !151

2289:                                             ; preds = %2275
  br i1 %2193, label %2475, label %2290

2290:                                             ; preds = %2289
  br i1 %2194, label %2303, label %2291, !prof !139

2291:                                             ; preds = %2274, %2290
  %2292 = phi i64 [ %2192, %2290 ], [ 0, %2274 ]
  br label %2293

2293:                                             ; preds = %2293, %2291
  %2294 = phi i64 [ %2292, %2291 ], [ %2300, %2293 ]
  %2295 = getelementptr inbounds nuw i8, ptr %16, i64 %2294
  %2296 = load <4 x i8>, ptr %2295, align 4, !alias.scope !146, !noalias !149
  %2297 = getelementptr inbounds nuw i8, ptr %2266, i64 %2294
  %2298 = load <4 x i8>, ptr %2297, align 1, !alias.scope !149
  %2299 = call <4 x i8> @llvm.smax.v4i8(<4 x i8> %2296, <4 x i8> %2298)
  store <4 x i8> %2299, ptr %2295, align 4, !alias.scope !146, !noalias !149
  %2300 = add nuw i64 %2294, 4
  %2301 = icmp eq i64 %2300, %2195
  br i1 %2301, label %2302, label %2293, !llvm.loop !152

2302:                                             ; preds = %2293
  br i1 %2196, label %2475, label %2303

2303:                                             ; preds = %2268, %2267, %2290, %2302
  %2304 = phi i64 [ 0, %2267 ], [ 0, %2268 ], [ %2192, %2290 ], [ %2195, %2302 ]
  %2305 = or disjoint i64 %2304, 1
  br i1 %2198, label %2313, label %2306

2306:                                             ; preds = %2303
  %2307 = getelementptr inbounds nuw i8, ptr %16, i64 %2304
  %2308 = load i8, ptr %2307, align 4
  %2309 = getelementptr inbounds nuw i8, ptr %2266, i64 %2304
  %2310 = load i8, ptr %2309, align 1
  %2311 = call i8 @llvm.smax.i8(i8 %2308, i8 %2310)
  store i8 %2311, ptr %2307, align 4
  %2312 = or disjoint i64 %2304, 1
  br label %2313

2313:                                             ; preds = %2306, %2303
  %2314 = phi i64 [ %2304, %2303 ], [ %2312, %2306 ]
  %2315 = icmp eq i64 %454, %2305
  br i1 %2315, label %2475, label %2445

2316:                                             ; preds = %2262
  br i1 %2199, label %2352, label %2317

2317:                                             ; preds = %2316
  %2318 = getelementptr i8, ptr %2265, i64 %596
  %2319 = getelementptr i8, ptr %2318, i64 %750
  %2320 = icmp ult ptr %16, %2319
  %2321 = icmp ult ptr %2266, %597
  %2322 = and i1 %2320, %2321
  br i1 %2322, label %2352, label %2323

2323:                                             ; preds = %2317
  br i1 %2200, label %2340, label %2324

2324:                                             ; preds = %2323, %2324
  %2325 = phi i64 [ %2336, %2324 ], [ 0, %2323 ]
  %2326 = getelementptr inbounds nuw i8, ptr %16, i64 %2325
  %2327 = getelementptr inbounds nuw i8, ptr %2326, i64 16
  %2328 = load <16 x i8>, ptr %2326, align 32, !alias.scope !153, !noalias !156
  %2329 = load <16 x i8>, ptr %2327, align 16, !alias.scope !153, !noalias !156
  %2330 = getelementptr inbounds nuw i8, ptr %2266, i64 %2325
  %2331 = getelementptr inbounds nuw i8, ptr %2330, i64 16
  %2332 = load <16 x i8>, ptr %2330, align 1, !alias.scope !156
  %2333 = load <16 x i8>, ptr %2331, align 1, !alias.scope !156
  %2334 = add <16 x i8> %2332, %2328
  %2335 = add <16 x i8> %2333, %2329
  store <16 x i8> %2334, ptr %2326, align 32, !alias.scope !153, !noalias !156
  store <16 x i8> %2335, ptr %2327, align 16, !alias.scope !153, !noalias !156
  %2336 = add nuw i64 %2325, 32
  %2337 = icmp eq i64 %2336, %2202
  br i1 %2337, label %2338, label %2324, !llvm.loop !158

2338:                                             ; preds = %2324
  br i1 %2203, label %2475, label %2339

2339:                                             ; preds = %2338
  br i1 %2204, label %2352, label %2340, !prof !139

2340:                                             ; preds = %2323, %2339
  %2341 = phi i64 [ %2202, %2339 ], [ 0, %2323 ]
  br label %2342

2342:                                             ; preds = %2342, %2340
  %2343 = phi i64 [ %2341, %2340 ], [ %2349, %2342 ]
  %2344 = getelementptr inbounds nuw i8, ptr %16, i64 %2343
  %2345 = load <4 x i8>, ptr %2344, align 4, !alias.scope !153, !noalias !156
  %2346 = getelementptr inbounds nuw i8, ptr %2266, i64 %2343
  %2347 = load <4 x i8>, ptr %2346, align 1, !alias.scope !156
  %2348 = add <4 x i8> %2347, %2345
  store <4 x i8> %2348, ptr %2344, align 4, !alias.scope !153, !noalias !156
  %2349 = add nuw i64 %2343, 4
  %2350 = icmp eq i64 %2349, %2205
  br i1 %2350, label %2351, label %2342, !llvm.loop !159

2351:                                             ; preds = %2342
  br i1 %2206, label %2475, label %2352

2352:                                             ; preds = %2317, %2316, %2339, %2351
  %2353 = phi i64 [ 0, %2316 ], [ 0, %2317 ], [ %2202, %2339 ], [ %2205, %2351 ]
  br i1 %2208, label %2365, label %2354

2354:                                             ; preds = %2352, %2354
  %2355 = phi i64 [ %2362, %2354 ], [ %2353, %2352 ]
  %2356 = phi i64 [ %2363, %2354 ], [ 0, %2352 ]
  %2357 = getelementptr inbounds nuw i8, ptr %16, i64 %2355
  %2358 = load i8, ptr %2357, align 1
  %2359 = getelementptr inbounds nuw i8, ptr %2266, i64 %2355
  %2360 = load i8, ptr %2359, align 1
  %2361 = add i8 %2360, %2358
  store i8 %2361, ptr %2357, align 1
  %2362 = add nuw nsw i64 %2355, 1
  %2363 = add i64 %2356, 1
  %2364 = icmp eq i64 %2363, %2207
  br i1 %2364, label %2365, label %2354, !llvm.loop !160

2365:                                             ; preds = %2354, %2352
  %2366 = phi i64 [ %2353, %2352 ], [ %2362, %2354 ]
  %2367 = sub i64 %2353, %451
  %2368 = icmp ugt i64 %2367, -4
  br i1 %2368, label %2475, label %2418

2369:                                             ; preds = %2262
  br i1 %2209, label %2405, label %2370

2370:                                             ; preds = %2369
  %2371 = getelementptr i8, ptr %2265, i64 %603
  %2372 = getelementptr i8, ptr %2371, i64 %750
  %2373 = icmp ult ptr %16, %2372
  %2374 = icmp ult ptr %2266, %604
  %2375 = and i1 %2373, %2374
  br i1 %2375, label %2405, label %2376

2376:                                             ; preds = %2370
  br i1 %2210, label %2393, label %2377

2377:                                             ; preds = %2376, %2377
  %2378 = phi i64 [ %2389, %2377 ], [ 0, %2376 ]
  %2379 = getelementptr inbounds nuw i8, ptr %16, i64 %2378
  %2380 = getelementptr inbounds nuw i8, ptr %2379, i64 16
  %2381 = load <16 x i8>, ptr %2379, align 32, !alias.scope !161, !noalias !164
  %2382 = load <16 x i8>, ptr %2380, align 16, !alias.scope !161, !noalias !164
  %2383 = getelementptr inbounds nuw i8, ptr %2266, i64 %2378
  %2384 = getelementptr inbounds nuw i8, ptr %2383, i64 16
  %2385 = load <16 x i8>, ptr %2383, align 1, !alias.scope !164
  %2386 = load <16 x i8>, ptr %2384, align 1, !alias.scope !164
  %2387 = call <16 x i8> @llvm.smin.v16i8(<16 x i8> %2381, <16 x i8> %2385)
  %2388 = call <16 x i8> @llvm.smin.v16i8(<16 x i8> %2382, <16 x i8> %2386)
  store <16 x i8> %2387, ptr %2379, align 32, !alias.scope !161, !noalias !164
  store <16 x i8> %2388, ptr %2380, align 16, !alias.scope !161, !noalias !164
  %2389 = add nuw i64 %2378, 32
  %2390 = icmp eq i64 %2389, %2212
  br i1 %2390, label %2391, label %2377, !llvm.loop !166

2391:                                             ; preds = %2377
  br i1 %2213, label %2475, label %2392

2392:                                             ; preds = %2391
  br i1 %2214, label %2405, label %2393, !prof !139

2393:                                             ; preds = %2376, %2392
  %2394 = phi i64 [ %2212, %2392 ], [ 0, %2376 ]
  br label %2395

2395:                                             ; preds = %2395, %2393
  %2396 = phi i64 [ %2394, %2393 ], [ %2402, %2395 ]
  %2397 = getelementptr inbounds nuw i8, ptr %16, i64 %2396
  %2398 = load <4 x i8>, ptr %2397, align 4, !alias.scope !161, !noalias !164
  %2399 = getelementptr inbounds nuw i8, ptr %2266, i64 %2396
  %2400 = load <4 x i8>, ptr %2399, align 1, !alias.scope !164
  %2401 = call <4 x i8> @llvm.smin.v4i8(<4 x i8> %2398, <4 x i8> %2400)
  store <4 x i8> %2401, ptr %2397, align 4, !alias.scope !161, !noalias !164
  %2402 = add nuw i64 %2396, 4
  %2403 = icmp eq i64 %2402, %2215
  br i1 %2403, label %2404, label %2395, !llvm.loop !167

2404:                                             ; preds = %2395
  br i1 %2216, label %2475, label %2405

2405:                                             ; preds = %2370, %2369, %2392, %2404
  %2406 = phi i64 [ 0, %2369 ], [ 0, %2370 ], [ %2212, %2392 ], [ %2215, %2404 ]
  %2407 = or disjoint i64 %2406, 1
  br i1 %2218, label %2415, label %2408

2408:                                             ; preds = %2405
  %2409 = getelementptr inbounds nuw i8, ptr %16, i64 %2406
  %2410 = load i8, ptr %2409, align 4
  %2411 = getelementptr inbounds nuw i8, ptr %2266, i64 %2406
  %2412 = load i8, ptr %2411, align 1
  %2413 = call i8 @llvm.smin.i8(i8 %2410, i8 %2412)
  store i8 %2413, ptr %2409, align 4
  %2414 = or disjoint i64 %2406, 1
  br label %2415

2415:                                             ; preds = %2408, %2405
  %2416 = phi i64 [ %2406, %2405 ], [ %2414, %2408 ]
  %2417 = icmp eq i64 %448, %2407
  br i1 %2417, label %2475, label %2460

2418:                                             ; preds = %2365, %2418
  %2419 = phi i64 [ %2443, %2418 ], [ %2366, %2365 ]
  %2420 = getelementptr inbounds nuw i8, ptr %16, i64 %2419
  %2421 = load i8, ptr %2420, align 1
  %2422 = getelementptr inbounds nuw i8, ptr %2266, i64 %2419
  %2423 = load i8, ptr %2422, align 1
  %2424 = add i8 %2423, %2421
  store i8 %2424, ptr %2420, align 1
  %2425 = add nuw nsw i64 %2419, 1
  %2426 = getelementptr inbounds nuw i8, ptr %16, i64 %2425
  %2427 = load i8, ptr %2426, align 1
  %2428 = getelementptr inbounds nuw i8, ptr %2266, i64 %2425
  %2429 = load i8, ptr %2428, align 1
  %2430 = add i8 %2429, %2427
  store i8 %2430, ptr %2426, align 1
  %2431 = add nuw nsw i64 %2419, 2
  %2432 = getelementptr inbounds nuw i8, ptr %16, i64 %2431
  %2433 = load i8, ptr %2432, align 1
  %2434 = getelementptr inbounds nuw i8, ptr %2266, i64 %2431
  %2435 = load i8, ptr %2434, align 1
  %2436 = add i8 %2435, %2433
  store i8 %2436, ptr %2432, align 1
  %2437 = add nuw nsw i64 %2419, 3
  %2438 = getelementptr inbounds nuw i8, ptr %16, i64 %2437
  %2439 = load i8, ptr %2438, align 1
  %2440 = getelementptr inbounds nuw i8, ptr %2266, i64 %2437
  %2441 = load i8, ptr %2440, align 1
  %2442 = add i8 %2441, %2439
  store i8 %2442, ptr %2438, align 1
  %2443 = add nuw nsw i64 %2419, 4
  %2444 = icmp eq i64 %2443, %747
  br i1 %2444, label %2475, label %2418, !llvm.loop !168

2445:                                             ; preds = %2313, %2445
  %2446 = phi i64 [ %2458, %2445 ], [ %2314, %2313 ]
  %2447 = getelementptr inbounds nuw i8, ptr %16, i64 %2446
  %2448 = load i8, ptr %2447, align 1
  %2449 = getelementptr inbounds nuw i8, ptr %2266, i64 %2446
  %2450 = load i8, ptr %2449, align 1
  %2451 = call i8 @llvm.smax.i8(i8 %2448, i8 %2450)
  store i8 %2451, ptr %2447, align 1
  %2452 = add nuw nsw i64 %2446, 1
  %2453 = getelementptr inbounds nuw i8, ptr %16, i64 %2452
  %2454 = load i8, ptr %2453, align 1
  %2455 = getelementptr inbounds nuw i8, ptr %2266, i64 %2452
  %2456 = load i8, ptr %2455, align 1
  %2457 = call i8 @llvm.smax.i8(i8 %2454, i8 %2456)
  store i8 %2457, ptr %2453, align 1
  %2458 = add nuw nsw i64 %2446, 2
  %2459 = icmp eq i64 %2458, %747
  br i1 %2459, label %2475, label %2445, !llvm.loop !169

2460:                                             ; preds = %2415, %2460
  %2461 = phi i64 [ %2473, %2460 ], [ %2416, %2415 ]
  %2462 = getelementptr inbounds nuw i8, ptr %16, i64 %2461
  %2463 = load i8, ptr %2462, align 1
  %2464 = getelementptr inbounds nuw i8, ptr %2266, i64 %2461
  %2465 = load i8, ptr %2464, align 1
  %2466 = call i8 @llvm.smin.i8(i8 %2463, i8 %2465)
  store i8 %2466, ptr %2462, align 1
  %2467 = add nuw nsw i64 %2461, 1
  %2468 = getelementptr inbounds nuw i8, ptr %16, i64 %2467
  %2469 = load i8, ptr %2468, align 1
  %2470 = getelementptr inbounds nuw i8, ptr %2266, i64 %2467
  %2471 = load i8, ptr %2470, align 1
  %2472 = call i8 @llvm.smin.i8(i8 %2469, i8 %2471)
  store i8 %2472, ptr %2468, align 1
  %2473 = add nuw nsw i64 %2461, 2
  %2474 = icmp eq i64 %2473, %747
  br i1 %2474, label %2475, label %2460, !llvm.loop !170

2475:                                             ; preds = %2313, %2445, %2365, %2418, %2415, %2460, %2289, %2302, %2338, %2351, %2391, %2404
  %2476 = add nuw nsw i64 %2263, 1
  %2477 = icmp eq i64 %2476, %404
  br i1 %2477, label %2219, label %2262, !llvm.loop !171

2478:                                             ; preds = %407
  %2479 = getelementptr inbounds i8, ptr %405, i64 %750
  %2480 = icmp ult i64 %556, 4
  br i1 %2480, label %2516, label %2481

2481:                                             ; preds = %2478
  %2482 = add i64 %750, %406
  %2483 = sub i64 %17, %2482
  %2484 = icmp ult i64 %2483, 32
  br i1 %2484, label %2516, label %2485

2485:                                             ; preds = %2481
  %2486 = icmp ult i64 %556, 32
  br i1 %2486, label %2504, label %2487

2487:                                             ; preds = %2485
  %2488 = and i64 %556, 28
  %2489 = and i64 %556, -32
  br label %2490

2490:                                             ; preds = %2490, %2487
  %2491 = phi i64 [ 0, %2487 ], [ %2498, %2490 ]
  %2492 = getelementptr inbounds nuw i8, ptr %2479, i64 %2491
  %2493 = getelementptr inbounds nuw i8, ptr %2492, i64 16
  %2494 = load <16 x i8>, ptr %2492, align 1
  %2495 = load <16 x i8>, ptr %2493, align 1
  %2496 = getelementptr inbounds nuw i8, ptr %16, i64 %2491
  %2497 = getelementptr inbounds nuw i8, ptr %2496, i64 16
  store <16 x i8> %2494, ptr %2496, align 32
  store <16 x i8> %2495, ptr %2497, align 16
  %2498 = add nuw i64 %2491, 32
  %2499 = icmp eq i64 %2498, %2489
  br i1 %2499, label %2500, label %2490, !llvm.loop !172

2500:                                             ; preds = %2490
  %2501 = icmp eq i64 %556, %2489
  br i1 %2501, label %2552, label %2502

2502:                                             ; preds = %2500
  %2503 = icmp eq i64 %2488, 0
  br i1 %2503, label %2516, label %2504, !prof !139

2504:                                             ; preds = %2485, %2502
  %2505 = phi i64 [ %2489, %2502 ], [ 0, %2485 ]
  %2506 = and i64 %556, -4
  br label %2507

2507:                                             ; preds = %2507, %2504
  %2508 = phi i64 [ %2505, %2504 ], [ %2512, %2507 ]
  %2509 = getelementptr inbounds nuw i8, ptr %2479, i64 %2508
  %2510 = load <4 x i8>, ptr %2509, align 1
  %2511 = getelementptr inbounds nuw i8, ptr %16, i64 %2508
  store <4 x i8> %2510, ptr %2511, align 4
  %2512 = add nuw i64 %2508, 4
  %2513 = icmp eq i64 %2512, %2506
  br i1 %2513, label %2514, label %2507, !llvm.loop !173

2514:                                             ; preds = %2507
  %2515 = icmp eq i64 %556, %2506
  br i1 %2515, label %2552, label %2516

2516:                                             ; preds = %2481, %2478, %2502, %2514
  %2517 = phi i64 [ 0, %2478 ], [ 0, %2481 ], [ %2489, %2502 ], [ %2506, %2514 ]
  %2518 = and i64 %469, 3
  %2519 = icmp eq i64 %2518, 0
  br i1 %2519, label %2529, label %2520

2520:                                             ; preds = %2516, %2520
  %2521 = phi i64 [ %2526, %2520 ], [ %2517, %2516 ]
  %2522 = phi i64 [ %2527, %2520 ], [ 0, %2516 ]
  %2523 = getelementptr inbounds nuw i8, ptr %2479, i64 %2521
  %2524 = load i8, ptr %2523, align 1
  %2525 = getelementptr inbounds nuw i8, ptr %16, i64 %2521
  store i8 %2524, ptr %2525, align 1
  %2526 = add nuw nsw i64 %2521, 1
  %2527 = add i64 %2522, 1
  %2528 = icmp eq i64 %2527, %2518
  br i1 %2528, label %2529, label %2520, !llvm.loop !174

2529:                                             ; preds = %2520, %2516
  %2530 = phi i64 [ %2517, %2516 ], [ %2526, %2520 ]
  %2531 = sub i64 %2517, %469
  %2532 = icmp ugt i64 %2531, -4
  br i1 %2532, label %2552, label %2533

2533:                                             ; preds = %2529, %2533
  %2534 = phi i64 [ %2550, %2533 ], [ %2530, %2529 ]
  %2535 = getelementptr inbounds nuw i8, ptr %2479, i64 %2534
  %2536 = load i8, ptr %2535, align 1
  %2537 = getelementptr inbounds nuw i8, ptr %16, i64 %2534
  store i8 %2536, ptr %2537, align 1
  %2538 = add nuw nsw i64 %2534, 1
  %2539 = getelementptr inbounds nuw i8, ptr %2479, i64 %2538
  %2540 = load i8, ptr %2539, align 1
  %2541 = getelementptr inbounds nuw i8, ptr %16, i64 %2538
  store i8 %2540, ptr %2541, align 1
  %2542 = add nuw nsw i64 %2534, 2
  %2543 = getelementptr inbounds nuw i8, ptr %2479, i64 %2542
  %2544 = load i8, ptr %2543, align 1
  %2545 = getelementptr inbounds nuw i8, ptr %16, i64 %2542
  store i8 %2544, ptr %2545, align 1
  %2546 = add nuw nsw i64 %2534, 3
  %2547 = getelementptr inbounds nuw i8, ptr %2479, i64 %2546
  %2548 = load i8, ptr %2547, align 1
  %2549 = getelementptr inbounds nuw i8, ptr %16, i64 %2546
  store i8 %2548, ptr %2549, align 1
  %2550 = add nuw nsw i64 %2534, 4
  %2551 = icmp eq i64 %2550, %747
  br i1 %2551, label %2552, label %2533, !llvm.loop !175

2552:                                             ; preds = %2529, %2533, %2514, %2500
  br i1 %403, label %2553, label %2584

2553:                                             ; preds = %2552
  %2554 = icmp ult i64 %559, 4
  %2555 = icmp ult i64 %559, 32
  %2556 = and i64 %559, 28
  %2557 = and i64 %559, -32
  %2558 = icmp eq i64 %559, %2557
  %2559 = icmp eq i64 %2556, 0
  %2560 = and i64 %559, -4
  %2561 = icmp eq i64 %559, %2560
  %2562 = and i64 %466, 1
  %2563 = icmp eq i64 %2562, 0
  %2564 = icmp ult i64 %566, 4
  %2565 = icmp ult i64 %566, 32
  %2566 = and i64 %566, 28
  %2567 = and i64 %566, -32
  %2568 = icmp eq i64 %566, %2567
  %2569 = icmp eq i64 %2566, 0
  %2570 = and i64 %566, -4
  %2571 = icmp eq i64 %566, %2570
  %2572 = and i64 %463, 3
  %2573 = icmp eq i64 %2572, 0
  %2574 = icmp ult i64 %573, 4
  %2575 = icmp ult i64 %573, 32
  %2576 = and i64 %573, 28
  %2577 = and i64 %573, -32
  %2578 = icmp eq i64 %573, %2577
  %2579 = icmp eq i64 %2576, 0
  %2580 = and i64 %573, -4
  %2581 = icmp eq i64 %573, %2580
  %2582 = and i64 %460, 1
  %2583 = icmp eq i64 %2582, 0
  br label %2627

2584:                                             ; preds = %2840, %2552
  %2585 = getelementptr inbounds i8, ptr %400, i64 %750
  %2586 = icmp ult i64 %580, 4
  br i1 %2586, label %2618, label %2587

2587:                                             ; preds = %2584
  %2588 = icmp ult i64 %580, 32
  br i1 %2588, label %2606, label %2589

2589:                                             ; preds = %2587
  %2590 = and i64 %580, 28
  %2591 = and i64 %580, -32
  br label %2592

2592:                                             ; preds = %2592, %2589
  %2593 = phi i64 [ 0, %2589 ], [ %2600, %2592 ]
  %2594 = getelementptr inbounds nuw i8, ptr %16, i64 %2593
  %2595 = getelementptr inbounds nuw i8, ptr %2594, i64 16
  %2596 = load <16 x i8>, ptr %2594, align 32
  %2597 = load <16 x i8>, ptr %2595, align 16
  %2598 = getelementptr inbounds nuw i8, ptr %2585, i64 %2593
  %2599 = getelementptr inbounds nuw i8, ptr %2598, i64 16
  store <16 x i8> %2596, ptr %2598, align 1
  store <16 x i8> %2597, ptr %2599, align 1
  %2600 = add nuw i64 %2593, 32
  %2601 = icmp eq i64 %2600, %2591
  br i1 %2601, label %2602, label %2592, !llvm.loop !176

2602:                                             ; preds = %2592
  %2603 = icmp eq i64 %580, %2591
  br i1 %2603, label %3391, label %2604

2604:                                             ; preds = %2602
  %2605 = icmp eq i64 %2590, 0
  br i1 %2605, label %2618, label %2606, !prof !139

2606:                                             ; preds = %2587, %2604
  %2607 = phi i64 [ %2591, %2604 ], [ 0, %2587 ]
  %2608 = and i64 %580, -4
  br label %2609

2609:                                             ; preds = %2609, %2606
  %2610 = phi i64 [ %2607, %2606 ], [ %2614, %2609 ]
  %2611 = getelementptr inbounds nuw i8, ptr %16, i64 %2610
  %2612 = load <4 x i8>, ptr %2611, align 4
  %2613 = getelementptr inbounds nuw i8, ptr %2585, i64 %2610
  store <4 x i8> %2612, ptr %2613, align 1
  %2614 = add nuw i64 %2610, 4
  %2615 = icmp eq i64 %2614, %2608
  br i1 %2615, label %2616, label %2609, !llvm.loop !177

2616:                                             ; preds = %2609
  %2617 = icmp eq i64 %580, %2608
  br i1 %2617, label %3391, label %2618

2618:                                             ; preds = %2584, %2604, %2616
  %2619 = phi i64 [ 0, %2584 ], [ %2591, %2604 ], [ %2608, %2616 ]
  br label %2620

2620:                                             ; preds = %2618, %2620
  %2621 = phi i64 [ %2625, %2620 ], [ %2619, %2618 ]
  %2622 = getelementptr inbounds nuw i8, ptr %16, i64 %2621
  %2623 = load i8, ptr %2622, align 1
  %2624 = getelementptr inbounds nuw i8, ptr %2585, i64 %2621
  store i8 %2623, ptr %2624, align 1
  %2625 = add nuw nsw i64 %2621, 1
  %2626 = icmp eq i64 %2625, %747
  br i1 %2626, label %3391, label %2620, !llvm.loop !178

2627:                                             ; preds = %2553, %2840
  %2628 = phi i64 [ %2841, %2840 ], [ 1, %2553 ]
  %2629 = getelementptr inbounds nuw ptr, ptr %26, i64 %2628
  %2630 = load ptr, ptr %2629, align 8
  %2631 = getelementptr i8, ptr %2630, i64 %750
  switch i32 %402, label %2734 [
    i32 0, label %2681
    i32 1, label %2632
  ]

2632:                                             ; preds = %2627
  br i1 %2554, label %2668, label %2633

2633:                                             ; preds = %2632
  %2634 = getelementptr i8, ptr %2630, i64 %562
  %2635 = getelementptr i8, ptr %2634, i64 %750
  %2636 = icmp ult ptr %16, %2635
  %2637 = icmp ult ptr %2631, %563
  %2638 = and i1 %2636, %2637
  br i1 %2638, label %2668, label %2639

2639:                                             ; preds = %2633
  br i1 %2555, label %2656, label %2640

2640:                                             ; preds = %2639, %2640
  %2641 = phi i64 [ %2652, %2640 ], [ 0, %2639 ]
  %2642 = getelementptr inbounds nuw i8, ptr %16, i64 %2641
  %2643 = getelementptr inbounds nuw i8, ptr %2642, i64 16
  %2644 = load <16 x i8>, ptr %2642, align 32, !alias.scope !179, !noalias !182
  %2645 = load <16 x i8>, ptr %2643, align 16, !alias.scope !179, !noalias !182
  %2646 = getelementptr inbounds nuw i8, ptr %2631, i64 %2641
  %2647 = getelementptr inbounds nuw i8, ptr %2646, i64 16
  %2648 = load <16 x i8>, ptr %2646, align 1, !alias.scope !182
  %2649 = load <16 x i8>, ptr %2647, align 1, !alias.scope !182
  %2650 = call <16 x i8> @llvm.umax.v16i8(<16 x i8> %2644, <16 x i8> %2648)
  %2651 = call <16 x i8> @llvm.umax.v16i8(<16 x i8> %2645, <16 x i8> %2649)
  store <16 x i8> %2650, ptr %2642, align 32, !alias.scope !179, !noalias !182
  store <16 x i8> %2651, ptr %2643, align 16, !alias.scope !179, !noalias !182
  %2652 = add nuw i64 %2641, 32
  %2653 = icmp eq i64 %2652, %2557
  br i1 %2653, label %2654, label %2640, !llvm.loop !184

2654:                                             ; preds = %2640
  br i1 %2558, label %2840, label %2655

2655:                                             ; preds = %2654
  br i1 %2559, label %2668, label %2656, !prof !139

2656:                                             ; preds = %2639, %2655
  %2657 = phi i64 [ %2557, %2655 ], [ 0, %2639 ]
  br label %2658

2658:                                             ; preds = %2658, %2656
  %2659 = phi i64 [ %2657, %2656 ], [ %2665, %2658 ]
  %2660 = getelementptr inbounds nuw i8, ptr %16, i64 %2659
  %2661 = load <4 x i8>, ptr %2660, align 4, !alias.scope !179, !noalias !182
  %2662 = getelementptr inbounds nuw i8, ptr %2631, i64 %2659
  %2663 = load <4 x i8>, ptr %2662, align 1, !alias.scope !182
  %2664 = call <4 x i8> @llvm.umax.v4i8(<4 x i8> %2661, <4 x i8> %2663)
  store <4 x i8> %2664, ptr %2660, align 4, !alias.scope !179, !noalias !182
  %2665 = add nuw i64 %2659, 4
  %2666 = icmp eq i64 %2665, %2560
  br i1 %2666, label %2667, label %2658, !llvm.loop !185

2667:                                             ; preds = %2658
  br i1 %2561, label %2840, label %2668

2668:                                             ; preds = %2633, %2632, %2655, %2667
  %2669 = phi i64 [ 0, %2632 ], [ 0, %2633 ], [ %2557, %2655 ], [ %2560, %2667 ]
  %2670 = or disjoint i64 %2669, 1
  br i1 %2563, label %2678, label %2671

2671:                                             ; preds = %2668
  %2672 = getelementptr inbounds nuw i8, ptr %16, i64 %2669
  %2673 = load i8, ptr %2672, align 4
  %2674 = getelementptr inbounds nuw i8, ptr %2631, i64 %2669
  %2675 = load i8, ptr %2674, align 1
  %2676 = call i8 @llvm.umax.i8(i8 %2673, i8 %2675)
  store i8 %2676, ptr %2672, align 4
  %2677 = or disjoint i64 %2669, 1
  br label %2678

2678:                                             ; preds = %2671, %2668
  %2679 = phi i64 [ %2669, %2668 ], [ %2677, %2671 ]
  %2680 = icmp eq i64 %466, %2670
  br i1 %2680, label %2840, label %2810

2681:                                             ; preds = %2627
  br i1 %2564, label %2717, label %2682

2682:                                             ; preds = %2681
  %2683 = getelementptr i8, ptr %2630, i64 %569
  %2684 = getelementptr i8, ptr %2683, i64 %750
  %2685 = icmp ult ptr %16, %2684
  %2686 = icmp ult ptr %2631, %570
  %2687 = and i1 %2685, %2686
  br i1 %2687, label %2717, label %2688

2688:                                             ; preds = %2682
  br i1 %2565, label %2705, label %2689

2689:                                             ; preds = %2688, %2689
  %2690 = phi i64 [ %2701, %2689 ], [ 0, %2688 ]
  %2691 = getelementptr inbounds nuw i8, ptr %16, i64 %2690
  %2692 = getelementptr inbounds nuw i8, ptr %2691, i64 16
  %2693 = load <16 x i8>, ptr %2691, align 32, !alias.scope !186, !noalias !189
  %2694 = load <16 x i8>, ptr %2692, align 16, !alias.scope !186, !noalias !189
  %2695 = getelementptr inbounds nuw i8, ptr %2631, i64 %2690
  %2696 = getelementptr inbounds nuw i8, ptr %2695, i64 16
  %2697 = load <16 x i8>, ptr %2695, align 1, !alias.scope !189
  %2698 = load <16 x i8>, ptr %2696, align 1, !alias.scope !189
  %2699 = add <16 x i8> %2697, %2693
  %2700 = add <16 x i8> %2698, %2694
  store <16 x i8> %2699, ptr %2691, align 32, !alias.scope !186, !noalias !189
  store <16 x i8> %2700, ptr %2692, align 16, !alias.scope !186, !noalias !189
  %2701 = add nuw i64 %2690, 32
  %2702 = icmp eq i64 %2701, %2567
  br i1 %2702, label %2703, label %2689, !llvm.loop !191

2703:                                             ; preds = %2689
  br i1 %2568, label %2840, label %2704

2704:                                             ; preds = %2703
  br i1 %2569, label %2717, label %2705, !prof !139

2705:                                             ; preds = %2688, %2704
  %2706 = phi i64 [ %2567, %2704 ], [ 0, %2688 ]
  br label %2707

2707:                                             ; preds = %2707, %2705
  %2708 = phi i64 [ %2706, %2705 ], [ %2714, %2707 ]
  %2709 = getelementptr inbounds nuw i8, ptr %16, i64 %2708
  %2710 = load <4 x i8>, ptr %2709, align 4, !alias.scope !186, !noalias !189
  %2711 = getelementptr inbounds nuw i8, ptr %2631, i64 %2708
  %2712 = load <4 x i8>, ptr %2711, align 1, !alias.scope !189
  %2713 = add <4 x i8> %2712, %2710
  store <4 x i8> %2713, ptr %2709, align 4, !alias.scope !186, !noalias !189
  %2714 = add nuw i64 %2708, 4
  %2715 = icmp eq i64 %2714, %2570
  br i1 %2715, label %2716, label %2707, !llvm.loop !192

2716:                                             ; preds = %2707
  br i1 %2571, label %2840, label %2717

2717:                                             ; preds = %2682, %2681, %2704, %2716
  %2718 = phi i64 [ 0, %2681 ], [ 0, %2682 ], [ %2567, %2704 ], [ %2570, %2716 ]
  br i1 %2573, label %2730, label %2719

2719:                                             ; preds = %2717, %2719
  %2720 = phi i64 [ %2727, %2719 ], [ %2718, %2717 ]
  %2721 = phi i64 [ %2728, %2719 ], [ 0, %2717 ]
  %2722 = getelementptr inbounds nuw i8, ptr %16, i64 %2720
  %2723 = load i8, ptr %2722, align 1
  %2724 = getelementptr inbounds nuw i8, ptr %2631, i64 %2720
  %2725 = load i8, ptr %2724, align 1
  %2726 = add i8 %2725, %2723
  store i8 %2726, ptr %2722, align 1
  %2727 = add nuw nsw i64 %2720, 1
  %2728 = add i64 %2721, 1
  %2729 = icmp eq i64 %2728, %2572
  br i1 %2729, label %2730, label %2719, !llvm.loop !193

2730:                                             ; preds = %2719, %2717
  %2731 = phi i64 [ %2718, %2717 ], [ %2727, %2719 ]
  %2732 = sub i64 %2718, %463
  %2733 = icmp ugt i64 %2732, -4
  br i1 %2733, label %2840, label %2783

2734:                                             ; preds = %2627
  br i1 %2574, label %2770, label %2735

2735:                                             ; preds = %2734
  %2736 = getelementptr i8, ptr %2630, i64 %576
  %2737 = getelementptr i8, ptr %2736, i64 %750
  %2738 = icmp ult ptr %16, %2737
  %2739 = icmp ult ptr %2631, %577
  %2740 = and i1 %2738, %2739
  br i1 %2740, label %2770, label %2741

2741:                                             ; preds = %2735
  br i1 %2575, label %2758, label %2742

2742:                                             ; preds = %2741, %2742
  %2743 = phi i64 [ %2754, %2742 ], [ 0, %2741 ]
  %2744 = getelementptr inbounds nuw i8, ptr %16, i64 %2743
  %2745 = getelementptr inbounds nuw i8, ptr %2744, i64 16
  %2746 = load <16 x i8>, ptr %2744, align 32, !alias.scope !194, !noalias !197
  %2747 = load <16 x i8>, ptr %2745, align 16, !alias.scope !194, !noalias !197
  %2748 = getelementptr inbounds nuw i8, ptr %2631, i64 %2743
  %2749 = getelementptr inbounds nuw i8, ptr %2748, i64 16
  %2750 = load <16 x i8>, ptr %2748, align 1, !alias.scope !197
  %2751 = load <16 x i8>, ptr %2749, align 1, !alias.scope !197
  %2752 = call <16 x i8> @llvm.umin.v16i8(<16 x i8> %2746, <16 x i8> %2750)
  %2753 = call <16 x i8> @llvm.umin.v16i8(<16 x i8> %2747, <16 x i8> %2751)
  store <16 x i8> %2752, ptr %2744, align 32, !alias.scope !194, !noalias !197
  store <16 x i8> %2753, ptr %2745, align 16, !alias.scope !194, !noalias !197
  %2754 = add nuw i64 %2743, 32
  %2755 = icmp eq i64 %2754, %2577
  br i1 %2755, label %2756, label %2742, !llvm.loop !199

2756:                                             ; preds = %2742
  br i1 %2578, label %2840, label %2757

2757:                                             ; preds = %2756
  br i1 %2579, label %2770, label %2758, !prof !139

2758:                                             ; preds = %2741, %2757
  %2759 = phi i64 [ %2577, %2757 ], [ 0, %2741 ]
  br label %2760

2760:                                             ; preds = %2760, %2758
  %2761 = phi i64 [ %2759, %2758 ], [ %2767, %2760 ]
  %2762 = getelementptr inbounds nuw i8, ptr %16, i64 %2761
  %2763 = load <4 x i8>, ptr %2762, align 4, !alias.scope !194, !noalias !197
  %2764 = getelementptr inbounds nuw i8, ptr %2631, i64 %2761
  %2765 = load <4 x i8>, ptr %2764, align 1, !alias.scope !197
  %2766 = call <4 x i8> @llvm.umin.v4i8(<4 x i8> %2763, <4 x i8> %2765)
  store <4 x i8> %2766, ptr %2762, align 4, !alias.scope !194, !noalias !197
  %2767 = add nuw i64 %2761, 4
  %2768 = icmp eq i64 %2767, %2580
  br i1 %2768, label %2769, label %2760, !llvm.loop !200

2769:                                             ; preds = %2760
  br i1 %2581, label %2840, label %2770

2770:                                             ; preds = %2735, %2734, %2757, %2769
  %2771 = phi i64 [ 0, %2734 ], [ 0, %2735 ], [ %2577, %2757 ], [ %2580, %2769 ]
  %2772 = or disjoint i64 %2771, 1
  br i1 %2583, label %2780, label %2773

2773:                                             ; preds = %2770
  %2774 = getelementptr inbounds nuw i8, ptr %16, i64 %2771
  %2775 = load i8, ptr %2774, align 4
  %2776 = getelementptr inbounds nuw i8, ptr %2631, i64 %2771
  %2777 = load i8, ptr %2776, align 1
  %2778 = call i8 @llvm.umin.i8(i8 %2775, i8 %2777)
  store i8 %2778, ptr %2774, align 4
  %2779 = or disjoint i64 %2771, 1
  br label %2780

2780:                                             ; preds = %2773, %2770
  %2781 = phi i64 [ %2771, %2770 ], [ %2779, %2773 ]
  %2782 = icmp eq i64 %460, %2772
  br i1 %2782, label %2840, label %2825

2783:                                             ; preds = %2730, %2783
  %2784 = phi i64 [ %2808, %2783 ], [ %2731, %2730 ]
  %2785 = getelementptr inbounds nuw i8, ptr %16, i64 %2784
  %2786 = load i8, ptr %2785, align 1
  %2787 = getelementptr inbounds nuw i8, ptr %2631, i64 %2784
  %2788 = load i8, ptr %2787, align 1
  %2789 = add i8 %2788, %2786
  store i8 %2789, ptr %2785, align 1
  %2790 = add nuw nsw i64 %2784, 1
  %2791 = getelementptr inbounds nuw i8, ptr %16, i64 %2790
  %2792 = load i8, ptr %2791, align 1
  %2793 = getelementptr inbounds nuw i8, ptr %2631, i64 %2790
  %2794 = load i8, ptr %2793, align 1
  %2795 = add i8 %2794, %2792
  store i8 %2795, ptr %2791, align 1
  %2796 = add nuw nsw i64 %2784, 2
  %2797 = getelementptr inbounds nuw i8, ptr %16, i64 %2796
  %2798 = load i8, ptr %2797, align 1
  %2799 = getelementptr inbounds nuw i8, ptr %2631, i64 %2796
  %2800 = load i8, ptr %2799, align 1
  %2801 = add i8 %2800, %2798
  store i8 %2801, ptr %2797, align 1
  %2802 = add nuw nsw i64 %2784, 3
  %2803 = getelementptr inbounds nuw i8, ptr %16, i64 %2802
  %2804 = load i8, ptr %2803, align 1
  %2805 = getelementptr inbounds nuw i8, ptr %2631, i64 %2802
  %2806 = load i8, ptr %2805, align 1
  %2807 = add i8 %2806, %2804
  store i8 %2807, ptr %2803, align 1
  %2808 = add nuw nsw i64 %2784, 4
  %2809 = icmp eq i64 %2808, %747
  br i1 %2809, label %2840, label %2783, !llvm.loop !201

2810:                                             ; preds = %2678, %2810
  %2811 = phi i64 [ %2823, %2810 ], [ %2679, %2678 ]
  %2812 = getelementptr inbounds nuw i8, ptr %16, i64 %2811
  %2813 = load i8, ptr %2812, align 1
  %2814 = getelementptr inbounds nuw i8, ptr %2631, i64 %2811
  %2815 = load i8, ptr %2814, align 1
  %2816 = call i8 @llvm.umax.i8(i8 %2813, i8 %2815)
  store i8 %2816, ptr %2812, align 1
  %2817 = add nuw nsw i64 %2811, 1
  %2818 = getelementptr inbounds nuw i8, ptr %16, i64 %2817
  %2819 = load i8, ptr %2818, align 1
  %2820 = getelementptr inbounds nuw i8, ptr %2631, i64 %2817
  %2821 = load i8, ptr %2820, align 1
  %2822 = call i8 @llvm.umax.i8(i8 %2819, i8 %2821)
  store i8 %2822, ptr %2818, align 1
  %2823 = add nuw nsw i64 %2811, 2
  %2824 = icmp eq i64 %2823, %747
  br i1 %2824, label %2840, label %2810, !llvm.loop !202

2825:                                             ; preds = %2780, %2825
  %2826 = phi i64 [ %2838, %2825 ], [ %2781, %2780 ]
  %2827 = getelementptr inbounds nuw i8, ptr %16, i64 %2826
  %2828 = load i8, ptr %2827, align 1
  %2829 = getelementptr inbounds nuw i8, ptr %2631, i64 %2826
  %2830 = load i8, ptr %2829, align 1
  %2831 = call i8 @llvm.umin.i8(i8 %2828, i8 %2830)
  store i8 %2831, ptr %2827, align 1
  %2832 = add nuw nsw i64 %2826, 1
  %2833 = getelementptr inbounds nuw i8, ptr %16, i64 %2832
  %2834 = load i8, ptr %2833, align 1
  %2835 = getelementptr inbounds nuw i8, ptr %2631, i64 %2832
  %2836 = load i8, ptr %2835, align 1
  %2837 = call i8 @llvm.umin.i8(i8 %2834, i8 %2836)
  store i8 %2837, ptr %2833, align 1
  %2838 = add nuw nsw i64 %2826, 2
  %2839 = icmp eq i64 %2838, %747
  br i1 %2839, label %2840, label %2825, !llvm.loop !203

2840:                                             ; preds = %2678, %2810, %2730, %2783, %2780, %2825, %2654, %2667, %2703, %2716, %2756, %2769
  %2841 = add nuw nsw i64 %2628, 1
  %2842 = icmp eq i64 %2841, %404
  br i1 %2842, label %2584, label %2627, !llvm.loop !204

2843:                                             ; preds = %407
  %2844 = getelementptr inbounds i8, ptr %405, i64 %750
  %2845 = icmp ult i64 %526, 8
  br i1 %2845, label %2864, label %2846

2846:                                             ; preds = %2843
  %2847 = add i64 %750, %406
  %2848 = sub i64 %17, %2847
  %2849 = icmp ult i64 %2848, 32
  br i1 %2849, label %2864, label %2850

2850:                                             ; preds = %2846
  %2851 = and i64 %526, -8
  br label %2852

2852:                                             ; preds = %2852, %2850
  %2853 = phi i64 [ 0, %2850 ], [ %2860, %2852 ]
  %2854 = getelementptr inbounds nuw i32, ptr %2844, i64 %2853
  %2855 = getelementptr inbounds nuw i8, ptr %2854, i64 16
  %2856 = load <4 x i32>, ptr %2854, align 4
  %2857 = load <4 x i32>, ptr %2855, align 4
  %2858 = getelementptr inbounds nuw i32, ptr %16, i64 %2853
  %2859 = getelementptr inbounds nuw i8, ptr %2858, i64 16
  store <4 x i32> %2856, ptr %2858, align 32
  store <4 x i32> %2857, ptr %2859, align 16
  %2860 = add nuw i64 %2853, 8
  %2861 = icmp eq i64 %2860, %2851
  br i1 %2861, label %2862, label %2852, !llvm.loop !205

2862:                                             ; preds = %2852
  %2863 = icmp eq i64 %526, %2851
  br i1 %2863, label %2900, label %2864

2864:                                             ; preds = %2846, %2843, %2862
  %2865 = phi i64 [ 0, %2846 ], [ 0, %2843 ], [ %2851, %2862 ]
  %2866 = and i64 %481, 3
  %2867 = icmp eq i64 %2866, 0
  br i1 %2867, label %2877, label %2868

2868:                                             ; preds = %2864, %2868
  %2869 = phi i64 [ %2874, %2868 ], [ %2865, %2864 ]
  %2870 = phi i64 [ %2875, %2868 ], [ 0, %2864 ]
  %2871 = getelementptr inbounds nuw i32, ptr %2844, i64 %2869
  %2872 = load i32, ptr %2871, align 4
  %2873 = getelementptr inbounds nuw i32, ptr %16, i64 %2869
  store i32 %2872, ptr %2873, align 4
  %2874 = add nuw nsw i64 %2869, 1
  %2875 = add i64 %2870, 1
  %2876 = icmp eq i64 %2875, %2866
  br i1 %2876, label %2877, label %2868, !llvm.loop !206

2877:                                             ; preds = %2868, %2864
  %2878 = phi i64 [ %2865, %2864 ], [ %2874, %2868 ]
  %2879 = sub i64 %2865, %481
  %2880 = icmp ugt i64 %2879, -4
  br i1 %2880, label %2900, label %2881

2881:                                             ; preds = %2877, %2881
  %2882 = phi i64 [ %2898, %2881 ], [ %2878, %2877 ]
  %2883 = getelementptr inbounds nuw i32, ptr %2844, i64 %2882
  %2884 = load i32, ptr %2883, align 4
  %2885 = getelementptr inbounds nuw i32, ptr %16, i64 %2882
  store i32 %2884, ptr %2885, align 4
  %2886 = add nuw nsw i64 %2882, 1
  %2887 = getelementptr inbounds nuw i32, ptr %2844, i64 %2886
  %2888 = load i32, ptr %2887, align 4
  %2889 = getelementptr inbounds nuw i32, ptr %16, i64 %2886
  store i32 %2888, ptr %2889, align 4
  %2890 = add nuw nsw i64 %2882, 2
  %2891 = getelementptr inbounds nuw i32, ptr %2844, i64 %2890
  %2892 = load i32, ptr %2891, align 4
  %2893 = getelementptr inbounds nuw i32, ptr %16, i64 %2890
  store i32 %2892, ptr %2893, align 4
  %2894 = add nuw nsw i64 %2882, 3
  %2895 = getelementptr inbounds nuw i32, ptr %2844, i64 %2894
  %2896 = load i32, ptr %2895, align 4
  %2897 = getelementptr inbounds nuw i32, ptr %16, i64 %2894
  store i32 %2896, ptr %2897, align 4
  %2898 = add nuw nsw i64 %2882, 4
  %2899 = icmp eq i64 %2898, %747
  br i1 %2899, label %2900, label %2881, !llvm.loop !207

2900:                                             ; preds = %2877, %2881, %2862
  br i1 %403, label %2901, label %2917

2901:                                             ; preds = %2900
  %2902 = icmp ult i64 %529, 8
  %2903 = and i64 %529, -8
  %2904 = icmp eq i64 %529, %2903
  %2905 = and i64 %478, 1
  %2906 = icmp eq i64 %2905, 0
  %2907 = icmp ult i64 %537, 8
  %2908 = and i64 %537, -8
  %2909 = icmp eq i64 %537, %2908
  %2910 = and i64 %475, 3
  %2911 = icmp eq i64 %2910, 0
  %2912 = icmp ult i64 %545, 8
  %2913 = and i64 %545, -8
  %2914 = icmp eq i64 %545, %2913
  %2915 = and i64 %472, 1
  %2916 = icmp eq i64 %2915, 0
  br label %2943

2917:                                             ; preds = %3114, %2900
  %2918 = getelementptr inbounds i8, ptr %400, i64 %750
  %2919 = icmp ult i64 %553, 8
  br i1 %2919, label %2934, label %2920

2920:                                             ; preds = %2917
  %2921 = and i64 %553, -8
  br label %2922

2922:                                             ; preds = %2922, %2920
  %2923 = phi i64 [ 0, %2920 ], [ %2930, %2922 ]
  %2924 = getelementptr inbounds nuw i32, ptr %16, i64 %2923
  %2925 = getelementptr inbounds nuw i8, ptr %2924, i64 16
  %2926 = load <4 x i32>, ptr %2924, align 32
  %2927 = load <4 x i32>, ptr %2925, align 16
  %2928 = getelementptr inbounds nuw i32, ptr %2918, i64 %2923
  %2929 = getelementptr inbounds nuw i8, ptr %2928, i64 16
  store <4 x i32> %2926, ptr %2928, align 4
  store <4 x i32> %2927, ptr %2929, align 4
  %2930 = add nuw i64 %2923, 8
  %2931 = icmp eq i64 %2930, %2921
  br i1 %2931, label %2932, label %2922, !llvm.loop !208

2932:                                             ; preds = %2922
  %2933 = icmp eq i64 %553, %2921
  br i1 %2933, label %3391, label %2934

2934:                                             ; preds = %2917, %2932
  %2935 = phi i64 [ 0, %2917 ], [ %2921, %2932 ]
  br label %2936

2936:                                             ; preds = %2934, %2936
  %2937 = phi i64 [ %2941, %2936 ], [ %2935, %2934 ]
  %2938 = getelementptr inbounds nuw i32, ptr %16, i64 %2937
  %2939 = load i32, ptr %2938, align 4
  %2940 = getelementptr inbounds nuw i32, ptr %2918, i64 %2937
  store i32 %2939, ptr %2940, align 4
  %2941 = add nuw nsw i64 %2937, 1
  %2942 = icmp eq i64 %2941, %747
  br i1 %2942, label %3391, label %2936, !llvm.loop !209

2943:                                             ; preds = %2901, %3114
  %2944 = phi i64 [ %3115, %3114 ], [ 1, %2901 ]
  %2945 = getelementptr inbounds nuw ptr, ptr %26, i64 %2944
  %2946 = load ptr, ptr %2945, align 8
  %2947 = getelementptr i8, ptr %2946, i64 %750
  switch i32 %402, label %3022 [
    i32 0, label %2983
    i32 1, label %2948
  ]

2948:                                             ; preds = %2943
  br i1 %2902, label %2970, label %2949

2949:                                             ; preds = %2948
  %2950 = getelementptr i8, ptr %2946, i64 %750
  %2951 = getelementptr i8, ptr %2950, i64 %533
  %2952 = icmp ult ptr %16, %2951
  %2953 = icmp ult ptr %2947, %534
  %2954 = and i1 %2952, %2953
  br i1 %2954, label %2970, label %2955

2955:                                             ; preds = %2949, %2955
  %2956 = phi i64 [ %2967, %2955 ], [ 0, %2949 ]
  %2957 = getelementptr inbounds nuw i32, ptr %16, i64 %2956
  %2958 = getelementptr inbounds nuw i8, ptr %2957, i64 16
  %2959 = load <4 x i32>, ptr %2957, align 32, !alias.scope !210, !noalias !213
  %2960 = load <4 x i32>, ptr %2958, align 16, !alias.scope !210, !noalias !213
  %2961 = getelementptr inbounds nuw i32, ptr %2947, i64 %2956
  %2962 = getelementptr inbounds nuw i8, ptr %2961, i64 16
  %2963 = load <4 x i32>, ptr %2961, align 4, !alias.scope !213
  %2964 = load <4 x i32>, ptr %2962, align 4, !alias.scope !213
  %2965 = call <4 x i32> @llvm.smax.v4i32(<4 x i32> %2959, <4 x i32> %2963)
  %2966 = call <4 x i32> @llvm.smax.v4i32(<4 x i32> %2960, <4 x i32> %2964)
  store <4 x i32> %2965, ptr %2957, align 32, !alias.scope !210, !noalias !213
  store <4 x i32> %2966, ptr %2958, align 16, !alias.scope !210, !noalias !213
  %2967 = add nuw i64 %2956, 8
  %2968 = icmp eq i64 %2967, %2903
  br i1 %2968, label %2969, label %2955, !llvm.loop !215

2969:                                             ; preds = %2955
  br i1 %2904, label %3114, label %2970

2970:                                             ; preds = %2949, %2948, %2969
  %2971 = phi i64 [ 0, %2949 ], [ 0, %2948 ], [ %2903, %2969 ]
  %2972 = or disjoint i64 %2971, 1
  br i1 %2906, label %2980, label %2973

2973:                                             ; preds = %2970
  %2974 = getelementptr inbounds nuw i32, ptr %16, i64 %2971
  %2975 = load i32, ptr %2974, align 32
  %2976 = getelementptr inbounds nuw i32, ptr %2947, i64 %2971
  %2977 = load i32, ptr %2976, align 4
  %2978 = call i32 @llvm.smax.i32(i32 %2975, i32 %2977)
  store i32 %2978, ptr %2974, align 32
  %2979 = or disjoint i64 %2971, 1
  br label %2980

2980:                                             ; preds = %2973, %2970
  %2981 = phi i64 [ %2971, %2970 ], [ %2979, %2973 ]
  %2982 = icmp eq i64 %478, %2972
  br i1 %2982, label %3114, label %3084

2983:                                             ; preds = %2943
  br i1 %2907, label %3005, label %2984

2984:                                             ; preds = %2983
  %2985 = getelementptr i8, ptr %2946, i64 %750
  %2986 = getelementptr i8, ptr %2985, i64 %541
  %2987 = icmp ult ptr %16, %2986
  %2988 = icmp ult ptr %2947, %542
  %2989 = and i1 %2987, %2988
  br i1 %2989, label %3005, label %2990

2990:                                             ; preds = %2984, %2990
  %2991 = phi i64 [ %3002, %2990 ], [ 0, %2984 ]
  %2992 = getelementptr inbounds nuw i32, ptr %16, i64 %2991
  %2993 = getelementptr inbounds nuw i8, ptr %2992, i64 16
  %2994 = load <4 x i32>, ptr %2992, align 32, !alias.scope !216, !noalias !219
  %2995 = load <4 x i32>, ptr %2993, align 16, !alias.scope !216, !noalias !219
  %2996 = getelementptr inbounds nuw i32, ptr %2947, i64 %2991
  %2997 = getelementptr inbounds nuw i8, ptr %2996, i64 16
  %2998 = load <4 x i32>, ptr %2996, align 4, !alias.scope !219
  %2999 = load <4 x i32>, ptr %2997, align 4, !alias.scope !219
  %3000 = add <4 x i32> %2998, %2994
  %3001 = add <4 x i32> %2999, %2995
  store <4 x i32> %3000, ptr %2992, align 32, !alias.scope !216, !noalias !219
  store <4 x i32> %3001, ptr %2993, align 16, !alias.scope !216, !noalias !219
  %3002 = add nuw i64 %2991, 8
  %3003 = icmp eq i64 %3002, %2908
  br i1 %3003, label %3004, label %2990, !llvm.loop !221

3004:                                             ; preds = %2990
  br i1 %2909, label %3114, label %3005

3005:                                             ; preds = %2984, %2983, %3004
  %3006 = phi i64 [ 0, %2984 ], [ 0, %2983 ], [ %2908, %3004 ]
  br i1 %2911, label %3018, label %3007

3007:                                             ; preds = %3005, %3007
  %3008 = phi i64 [ %3015, %3007 ], [ %3006, %3005 ]
  %3009 = phi i64 [ %3016, %3007 ], [ 0, %3005 ]
  %3010 = getelementptr inbounds nuw i32, ptr %16, i64 %3008
  %3011 = load i32, ptr %3010, align 4
  %3012 = getelementptr inbounds nuw i32, ptr %2947, i64 %3008
  %3013 = load i32, ptr %3012, align 4
  %3014 = add i32 %3013, %3011
  store i32 %3014, ptr %3010, align 4
  %3015 = add nuw nsw i64 %3008, 1
  %3016 = add i64 %3009, 1
  %3017 = icmp eq i64 %3016, %2910
  br i1 %3017, label %3018, label %3007, !llvm.loop !222

3018:                                             ; preds = %3007, %3005
  %3019 = phi i64 [ %3006, %3005 ], [ %3015, %3007 ]
  %3020 = sub i64 %3006, %475
  %3021 = icmp ugt i64 %3020, -4
  br i1 %3021, label %3114, label %3057

3022:                                             ; preds = %2943
  br i1 %2912, label %3044, label %3023

3023:                                             ; preds = %3022
  %3024 = getelementptr i8, ptr %2946, i64 %750
  %3025 = getelementptr i8, ptr %3024, i64 %549
  %3026 = icmp ult ptr %16, %3025
  %3027 = icmp ult ptr %2947, %550
  %3028 = and i1 %3026, %3027
  br i1 %3028, label %3044, label %3029

3029:                                             ; preds = %3023, %3029
  %3030 = phi i64 [ %3041, %3029 ], [ 0, %3023 ]
  %3031 = getelementptr inbounds nuw i32, ptr %16, i64 %3030
  %3032 = getelementptr inbounds nuw i8, ptr %3031, i64 16
  %3033 = load <4 x i32>, ptr %3031, align 32, !alias.scope !223, !noalias !226
  %3034 = load <4 x i32>, ptr %3032, align 16, !alias.scope !223, !noalias !226
  %3035 = getelementptr inbounds nuw i32, ptr %2947, i64 %3030
  %3036 = getelementptr inbounds nuw i8, ptr %3035, i64 16
  %3037 = load <4 x i32>, ptr %3035, align 4, !alias.scope !226
  %3038 = load <4 x i32>, ptr %3036, align 4, !alias.scope !226
  %3039 = call <4 x i32> @llvm.smin.v4i32(<4 x i32> %3033, <4 x i32> %3037)
  %3040 = call <4 x i32> @llvm.smin.v4i32(<4 x i32> %3034, <4 x i32> %3038)
  store <4 x i32> %3039, ptr %3031, align 32, !alias.scope !223, !noalias !226
  store <4 x i32> %3040, ptr %3032, align 16, !alias.scope !223, !noalias !226
  %3041 = add nuw i64 %3030, 8
  %3042 = icmp eq i64 %3041, %2913
  br i1 %3042, label %3043, label %3029, !llvm.loop !228

3043:                                             ; preds = %3029
  br i1 %2914, label %3114, label %3044

3044:                                             ; preds = %3023, %3022, %3043
  %3045 = phi i64 [ 0, %3023 ], [ 0, %3022 ], [ %2913, %3043 ]
  %3046 = or disjoint i64 %3045, 1
  br i1 %2916, label %3054, label %3047

3047:                                             ; preds = %3044
  %3048 = getelementptr inbounds nuw i32, ptr %16, i64 %3045
  %3049 = load i32, ptr %3048, align 32
  %3050 = getelementptr inbounds nuw i32, ptr %2947, i64 %3045
  %3051 = load i32, ptr %3050, align 4
  %3052 = call i32 @llvm.smin.i32(i32 %3049, i32 %3051)
  store i32 %3052, ptr %3048, align 32
  %3053 = or disjoint i64 %3045, 1
  br label %3054

3054:                                             ; preds = %3047, %3044
  %3055 = phi i64 [ %3045, %3044 ], [ %3053, %3047 ]
  %3056 = icmp eq i64 %472, %3046
  br i1 %3056, label %3114, label %3099

3057:                                             ; preds = %3018, %3057
  %3058 = phi i64 [ %3082, %3057 ], [ %3019, %3018 ]
  %3059 = getelementptr inbounds nuw i32, ptr %16, i64 %3058
  %3060 = load i32, ptr %3059, align 4
  %3061 = getelementptr inbounds nuw i32, ptr %2947, i64 %3058
  %3062 = load i32, ptr %3061, align 4
  %3063 = add i32 %3062, %3060
  store i32 %3063, ptr %3059, align 4
  %3064 = add nuw nsw i64 %3058, 1
  %3065 = getelementptr inbounds nuw i32, ptr %16, i64 %3064
  %3066 = load i32, ptr %3065, align 4
  %3067 = getelementptr inbounds nuw i32, ptr %2947, i64 %3064
  %3068 = load i32, ptr %3067, align 4
  %3069 = add i32 %3068, %3066
  store i32 %3069, ptr %3065, align 4
  %3070 = add nuw nsw i64 %3058, 2
  %3071 = getelementptr inbounds nuw i32, ptr %16, i64 %3070
  %3072 = load i32, ptr %3071, align 4
  %3073 = getelementptr inbounds nuw i32, ptr %2947, i64 %3070
  %3074 = load i32, ptr %3073, align 4
  %3075 = add i32 %3074, %3072
  store i32 %3075, ptr %3071, align 4
  %3076 = add nuw nsw i64 %3058, 3
  %3077 = getelementptr inbounds nuw i32, ptr %16, i64 %3076
  %3078 = load i32, ptr %3077, align 4
  %3079 = getelementptr inbounds nuw i32, ptr %2947, i64 %3076
  %3080 = load i32, ptr %3079, align 4
  %3081 = add i32 %3080, %3078
  store i32 %3081, ptr %3077, align 4
  %3082 = add nuw nsw i64 %3058, 4
  %3083 = icmp eq i64 %3082, %747
  br i1 %3083, label %3114, label %3057, !llvm.loop !229

3084:                                             ; preds = %2980, %3084
  %3085 = phi i64 [ %3097, %3084 ], [ %2981, %2980 ]
  %3086 = getelementptr inbounds nuw i32, ptr %16, i64 %3085
  %3087 = load i32, ptr %3086, align 4
  %3088 = getelementptr inbounds nuw i32, ptr %2947, i64 %3085
  %3089 = load i32, ptr %3088, align 4
  %3090 = call i32 @llvm.smax.i32(i32 %3087, i32 %3089)
  store i32 %3090, ptr %3086, align 4
  %3091 = add nuw nsw i64 %3085, 1
  %3092 = getelementptr inbounds nuw i32, ptr %16, i64 %3091
  %3093 = load i32, ptr %3092, align 4
  %3094 = getelementptr inbounds nuw i32, ptr %2947, i64 %3091
  %3095 = load i32, ptr %3094, align 4
  %3096 = call i32 @llvm.smax.i32(i32 %3093, i32 %3095)
  store i32 %3096, ptr %3092, align 4
  %3097 = add nuw nsw i64 %3085, 2
  %3098 = icmp eq i64 %3097, %747
  br i1 %3098, label %3114, label %3084, !llvm.loop !230

3099:                                             ; preds = %3054, %3099
  %3100 = phi i64 [ %3112, %3099 ], [ %3055, %3054 ]
  %3101 = getelementptr inbounds nuw i32, ptr %16, i64 %3100
  %3102 = load i32, ptr %3101, align 4
  %3103 = getelementptr inbounds nuw i32, ptr %2947, i64 %3100
  %3104 = load i32, ptr %3103, align 4
  %3105 = call i32 @llvm.smin.i32(i32 %3102, i32 %3104)
  store i32 %3105, ptr %3101, align 4
  %3106 = add nuw nsw i64 %3100, 1
  %3107 = getelementptr inbounds nuw i32, ptr %16, i64 %3106
  %3108 = load i32, ptr %3107, align 4
  %3109 = getelementptr inbounds nuw i32, ptr %2947, i64 %3106
  %3110 = load i32, ptr %3109, align 4
  %3111 = call i32 @llvm.smin.i32(i32 %3108, i32 %3110)
  store i32 %3111, ptr %3107, align 4
  %3112 = add nuw nsw i64 %3100, 2
  %3113 = icmp eq i64 %3112, %747
  br i1 %3113, label %3114, label %3099, !llvm.loop !231

3114:                                             ; preds = %2980, %3084, %3018, %3057, %3054, %3099, %2969, %3004, %3043
  %3115 = add nuw nsw i64 %2944, 1
  %3116 = icmp eq i64 %3115, %404
  br i1 %3116, label %2917, label %2943, !llvm.loop !232

3117:                                             ; preds = %407
  %3118 = getelementptr inbounds i8, ptr %405, i64 %750
  %3119 = icmp ult i64 %496, 4
  br i1 %3119, label %3138, label %3120

3120:                                             ; preds = %3117
  %3121 = add i64 %750, %406
  %3122 = sub i64 %17, %3121
  %3123 = icmp ult i64 %3122, 32
  br i1 %3123, label %3138, label %3124

3124:                                             ; preds = %3120
  %3125 = and i64 %496, -4
  br label %3126

3126:                                             ; preds = %3126, %3124
  %3127 = phi i64 [ 0, %3124 ], [ %3134, %3126 ]
  %3128 = getelementptr inbounds nuw i64, ptr %3118, i64 %3127
  %3129 = getelementptr inbounds nuw i8, ptr %3128, i64 16
  %3130 = load <2 x i64>, ptr %3128, align 8
  %3131 = load <2 x i64>, ptr %3129, align 8
  %3132 = getelementptr inbounds nuw i64, ptr %16, i64 %3127
  %3133 = getelementptr inbounds nuw i8, ptr %3132, i64 16
  store <2 x i64> %3130, ptr %3132, align 32
  store <2 x i64> %3131, ptr %3133, align 16
  %3134 = add nuw i64 %3127, 4
  %3135 = icmp eq i64 %3134, %3125
  br i1 %3135, label %3136, label %3126, !llvm.loop !233

3136:                                             ; preds = %3126
  %3137 = icmp eq i64 %496, %3125
  br i1 %3137, label %3174, label %3138

3138:                                             ; preds = %3120, %3117, %3136
  %3139 = phi i64 [ 0, %3120 ], [ 0, %3117 ], [ %3125, %3136 ]
  %3140 = and i64 %493, 3
  %3141 = icmp eq i64 %3140, 0
  br i1 %3141, label %3151, label %3142

3142:                                             ; preds = %3138, %3142
  %3143 = phi i64 [ %3148, %3142 ], [ %3139, %3138 ]
  %3144 = phi i64 [ %3149, %3142 ], [ 0, %3138 ]
  %3145 = getelementptr inbounds nuw i64, ptr %3118, i64 %3143
  %3146 = load i64, ptr %3145, align 8
  %3147 = getelementptr inbounds nuw i64, ptr %16, i64 %3143
  store i64 %3146, ptr %3147, align 8
  %3148 = add nuw nsw i64 %3143, 1
  %3149 = add i64 %3144, 1
  %3150 = icmp eq i64 %3149, %3140
  br i1 %3150, label %3151, label %3142, !llvm.loop !234

3151:                                             ; preds = %3142, %3138
  %3152 = phi i64 [ %3139, %3138 ], [ %3148, %3142 ]
  %3153 = sub i64 %3139, %493
  %3154 = icmp ugt i64 %3153, -4
  br i1 %3154, label %3174, label %3155

3155:                                             ; preds = %3151, %3155
  %3156 = phi i64 [ %3172, %3155 ], [ %3152, %3151 ]
  %3157 = getelementptr inbounds nuw i64, ptr %3118, i64 %3156
  %3158 = load i64, ptr %3157, align 8
  %3159 = getelementptr inbounds nuw i64, ptr %16, i64 %3156
  store i64 %3158, ptr %3159, align 8
  %3160 = add nuw nsw i64 %3156, 1
  %3161 = getelementptr inbounds nuw i64, ptr %3118, i64 %3160
  %3162 = load i64, ptr %3161, align 8
  %3163 = getelementptr inbounds nuw i64, ptr %16, i64 %3160
  store i64 %3162, ptr %3163, align 8
  %3164 = add nuw nsw i64 %3156, 2
  %3165 = getelementptr inbounds nuw i64, ptr %3118, i64 %3164
  %3166 = load i64, ptr %3165, align 8
  %3167 = getelementptr inbounds nuw i64, ptr %16, i64 %3164
  store i64 %3166, ptr %3167, align 8
  %3168 = add nuw nsw i64 %3156, 3
  %3169 = getelementptr inbounds nuw i64, ptr %3118, i64 %3168
  %3170 = load i64, ptr %3169, align 8
  %3171 = getelementptr inbounds nuw i64, ptr %16, i64 %3168
  store i64 %3170, ptr %3171, align 8
  %3172 = add nuw nsw i64 %3156, 4
  %3173 = icmp eq i64 %3172, %747
  br i1 %3173, label %3174, label %3155, !llvm.loop !235

3174:                                             ; preds = %3151, %3155, %3136
  br i1 %403, label %3175, label %3191

3175:                                             ; preds = %3174
  %3176 = icmp ult i64 %499, 4
  %3177 = and i64 %499, -4
  %3178 = icmp eq i64 %499, %3177
  %3179 = and i64 %490, 1
  %3180 = icmp eq i64 %3179, 0
  %3181 = icmp ult i64 %507, 4
  %3182 = and i64 %507, -4
  %3183 = icmp eq i64 %507, %3182
  %3184 = and i64 %487, 3
  %3185 = icmp eq i64 %3184, 0
  %3186 = icmp ult i64 %515, 4
  %3187 = and i64 %515, -4
  %3188 = icmp eq i64 %515, %3187
  %3189 = and i64 %484, 1
  %3190 = icmp eq i64 %3189, 0
  br label %3217

3191:                                             ; preds = %3388, %3174
  %3192 = getelementptr inbounds i8, ptr %400, i64 %750
  %3193 = icmp ult i64 %523, 4
  br i1 %3193, label %3208, label %3194

3194:                                             ; preds = %3191
  %3195 = and i64 %523, -4
  br label %3196

3196:                                             ; preds = %3196, %3194
  %3197 = phi i64 [ 0, %3194 ], [ %3204, %3196 ]
  %3198 = getelementptr inbounds nuw i64, ptr %16, i64 %3197
  %3199 = getelementptr inbounds nuw i8, ptr %3198, i64 16
  %3200 = load <2 x i64>, ptr %3198, align 32
  %3201 = load <2 x i64>, ptr %3199, align 16
  %3202 = getelementptr inbounds nuw i64, ptr %3192, i64 %3197
  %3203 = getelementptr inbounds nuw i8, ptr %3202, i64 16
  store <2 x i64> %3200, ptr %3202, align 8
  store <2 x i64> %3201, ptr %3203, align 8
  %3204 = add nuw i64 %3197, 4
  %3205 = icmp eq i64 %3204, %3195
  br i1 %3205, label %3206, label %3196, !llvm.loop !236

3206:                                             ; preds = %3196
  %3207 = icmp eq i64 %523, %3195
  br i1 %3207, label %3391, label %3208

3208:                                             ; preds = %3191, %3206
  %3209 = phi i64 [ 0, %3191 ], [ %3195, %3206 ]
  br label %3210

3210:                                             ; preds = %3208, %3210
  %3211 = phi i64 [ %3215, %3210 ], [ %3209, %3208 ]
  %3212 = getelementptr inbounds nuw i64, ptr %16, i64 %3211
  %3213 = load i64, ptr %3212, align 8
  %3214 = getelementptr inbounds nuw i64, ptr %3192, i64 %3211
  store i64 %3213, ptr %3214, align 8
  %3215 = add nuw nsw i64 %3211, 1
  %3216 = icmp eq i64 %3215, %747
  br i1 %3216, label %3391, label %3210, !llvm.loop !237

3217:                                             ; preds = %3175, %3388
  %3218 = phi i64 [ %3389, %3388 ], [ 1, %3175 ]
  %3219 = getelementptr inbounds nuw ptr, ptr %26, i64 %3218
  %3220 = load ptr, ptr %3219, align 8
  %3221 = getelementptr i8, ptr %3220, i64 %750
  switch i32 %402, label %3296 [
    i32 0, label %3257
    i32 1, label %3222
  ]

3222:                                             ; preds = %3217
  br i1 %3176, label %3244, label %3223

3223:                                             ; preds = %3222
  %3224 = getelementptr i8, ptr %3220, i64 %750
  %3225 = getelementptr i8, ptr %3224, i64 %503
  %3226 = icmp ult ptr %16, %3225
  %3227 = icmp ult ptr %3221, %504
  %3228 = and i1 %3226, %3227
  br i1 %3228, label %3244, label %3229

3229:                                             ; preds = %3223, %3229
  %3230 = phi i64 [ %3241, %3229 ], [ 0, %3223 ]
  %3231 = getelementptr inbounds nuw i64, ptr %16, i64 %3230
  %3232 = getelementptr inbounds nuw i8, ptr %3231, i64 16
  %3233 = load <2 x i64>, ptr %3231, align 32, !alias.scope !238, !noalias !241
  %3234 = load <2 x i64>, ptr %3232, align 16, !alias.scope !238, !noalias !241
  %3235 = getelementptr inbounds nuw i64, ptr %3221, i64 %3230
  %3236 = getelementptr inbounds nuw i8, ptr %3235, i64 16
  %3237 = load <2 x i64>, ptr %3235, align 8, !alias.scope !241
  %3238 = load <2 x i64>, ptr %3236, align 8, !alias.scope !241
  %3239 = call <2 x i64> @llvm.smax.v2i64(<2 x i64> %3233, <2 x i64> %3237)
  %3240 = call <2 x i64> @llvm.smax.v2i64(<2 x i64> %3234, <2 x i64> %3238)
  store <2 x i64> %3239, ptr %3231, align 32, !alias.scope !238, !noalias !241
  store <2 x i64> %3240, ptr %3232, align 16, !alias.scope !238, !noalias !241
  %3241 = add nuw i64 %3230, 4
  %3242 = icmp eq i64 %3241, %3177
  br i1 %3242, label %3243, label %3229, !llvm.loop !243

3243:                                             ; preds = %3229
  br i1 %3178, label %3388, label %3244

3244:                                             ; preds = %3223, %3222, %3243
  %3245 = phi i64 [ 0, %3223 ], [ 0, %3222 ], [ %3177, %3243 ]
  %3246 = or disjoint i64 %3245, 1
  br i1 %3180, label %3254, label %3247

3247:                                             ; preds = %3244
  %3248 = getelementptr inbounds nuw i64, ptr %16, i64 %3245
  %3249 = load i64, ptr %3248, align 32
  %3250 = getelementptr inbounds nuw i64, ptr %3221, i64 %3245
  %3251 = load i64, ptr %3250, align 8
  %3252 = call i64 @llvm.smax.i64(i64 %3249, i64 %3251)
  store i64 %3252, ptr %3248, align 32
  %3253 = or disjoint i64 %3245, 1
  br label %3254

3254:                                             ; preds = %3247, %3244
  %3255 = phi i64 [ %3245, %3244 ], [ %3253, %3247 ]
  %3256 = icmp eq i64 %490, %3246
  br i1 %3256, label %3388, label %3358

3257:                                             ; preds = %3217
  br i1 %3181, label %3279, label %3258

3258:                                             ; preds = %3257
  %3259 = getelementptr i8, ptr %3220, i64 %750
  %3260 = getelementptr i8, ptr %3259, i64 %511
  %3261 = icmp ult ptr %16, %3260
  %3262 = icmp ult ptr %3221, %512
  %3263 = and i1 %3261, %3262
  br i1 %3263, label %3279, label %3264

3264:                                             ; preds = %3258, %3264
  %3265 = phi i64 [ %3276, %3264 ], [ 0, %3258 ]
  %3266 = getelementptr inbounds nuw i64, ptr %16, i64 %3265
  %3267 = getelementptr inbounds nuw i8, ptr %3266, i64 16
  %3268 = load <2 x i64>, ptr %3266, align 32, !alias.scope !244, !noalias !247
  %3269 = load <2 x i64>, ptr %3267, align 16, !alias.scope !244, !noalias !247
  %3270 = getelementptr inbounds nuw i64, ptr %3221, i64 %3265
  %3271 = getelementptr inbounds nuw i8, ptr %3270, i64 16
  %3272 = load <2 x i64>, ptr %3270, align 8, !alias.scope !247
  %3273 = load <2 x i64>, ptr %3271, align 8, !alias.scope !247
  %3274 = add <2 x i64> %3272, %3268
  %3275 = add <2 x i64> %3273, %3269
  store <2 x i64> %3274, ptr %3266, align 32, !alias.scope !244, !noalias !247
  store <2 x i64> %3275, ptr %3267, align 16, !alias.scope !244, !noalias !247
  %3276 = add nuw i64 %3265, 4
  %3277 = icmp eq i64 %3276, %3182
  br i1 %3277, label %3278, label %3264, !llvm.loop !249

3278:                                             ; preds = %3264
  br i1 %3183, label %3388, label %3279

3279:                                             ; preds = %3258, %3257, %3278
  %3280 = phi i64 [ 0, %3258 ], [ 0, %3257 ], [ %3182, %3278 ]
  br i1 %3185, label %3292, label %3281

3281:                                             ; preds = %3279, %3281
  %3282 = phi i64 [ %3289, %3281 ], [ %3280, %3279 ]
  %3283 = phi i64 [ %3290, %3281 ], [ 0, %3279 ]
  %3284 = getelementptr inbounds nuw i64, ptr %16, i64 %3282
  %3285 = load i64, ptr %3284, align 8
  %3286 = getelementptr inbounds nuw i64, ptr %3221, i64 %3282
  %3287 = load i64, ptr %3286, align 8
  %3288 = add i64 %3287, %3285
  store i64 %3288, ptr %3284, align 8
  %3289 = add nuw nsw i64 %3282, 1
  %3290 = add i64 %3283, 1
  %3291 = icmp eq i64 %3290, %3184
  br i1 %3291, label %3292, label %3281, !llvm.loop !250

3292:                                             ; preds = %3281, %3279
  %3293 = phi i64 [ %3280, %3279 ], [ %3289, %3281 ]
  %3294 = sub i64 %3280, %487
  %3295 = icmp ugt i64 %3294, -4
  br i1 %3295, label %3388, label %3331

3296:                                             ; preds = %3217
  br i1 %3186, label %3318, label %3297

3297:                                             ; preds = %3296
  %3298 = getelementptr i8, ptr %3220, i64 %750
  %3299 = getelementptr i8, ptr %3298, i64 %519
  %3300 = icmp ult ptr %16, %3299
  %3301 = icmp ult ptr %3221, %520
  %3302 = and i1 %3300, %3301
  br i1 %3302, label %3318, label %3303

3303:                                             ; preds = %3297, %3303
  %3304 = phi i64 [ %3315, %3303 ], [ 0, %3297 ]
  %3305 = getelementptr inbounds nuw i64, ptr %16, i64 %3304
  %3306 = getelementptr inbounds nuw i8, ptr %3305, i64 16
  %3307 = load <2 x i64>, ptr %3305, align 32, !alias.scope !251, !noalias !254
  %3308 = load <2 x i64>, ptr %3306, align 16, !alias.scope !251, !noalias !254
  %3309 = getelementptr inbounds nuw i64, ptr %3221, i64 %3304
  %3310 = getelementptr inbounds nuw i8, ptr %3309, i64 16
  %3311 = load <2 x i64>, ptr %3309, align 8, !alias.scope !254
  %3312 = load <2 x i64>, ptr %3310, align 8, !alias.scope !254
  %3313 = call <2 x i64> @llvm.smin.v2i64(<2 x i64> %3307, <2 x i64> %3311)
  %3314 = call <2 x i64> @llvm.smin.v2i64(<2 x i64> %3308, <2 x i64> %3312)
  store <2 x i64> %3313, ptr %3305, align 32, !alias.scope !251, !noalias !254
  store <2 x i64> %3314, ptr %3306, align 16, !alias.scope !251, !noalias !254
  %3315 = add nuw i64 %3304, 4
  %3316 = icmp eq i64 %3315, %3187
  br i1 %3316, label %3317, label %3303, !llvm.loop !256

3317:                                             ; preds = %3303
  br i1 %3188, label %3388, label %3318

3318:                                             ; preds = %3297, %3296, %3317
  %3319 = phi i64 [ 0, %3297 ], [ 0, %3296 ], [ %3187, %3317 ]
  %3320 = or disjoint i64 %3319, 1
  br i1 %3190, label %3328, label %3321

3321:                                             ; preds = %3318
  %3322 = getelementptr inbounds nuw i64, ptr %16, i64 %3319
  %3323 = load i64, ptr %3322, align 32
  %3324 = getelementptr inbounds nuw i64, ptr %3221, i64 %3319
  %3325 = load i64, ptr %3324, align 8
  %3326 = call i64 @llvm.smin.i64(i64 %3323, i64 %3325)
  store i64 %3326, ptr %3322, align 32
  %3327 = or disjoint i64 %3319, 1
  br label %3328

3328:                                             ; preds = %3321, %3318
  %3329 = phi i64 [ %3319, %3318 ], [ %3327, %3321 ]
  %3330 = icmp eq i64 %484, %3320
  br i1 %3330, label %3388, label %3373

3331:                                             ; preds = %3292, %3331
  %3332 = phi i64 [ %3356, %3331 ], [ %3293, %3292 ]
  %3333 = getelementptr inbounds nuw i64, ptr %16, i64 %3332
  %3334 = load i64, ptr %3333, align 8
  %3335 = getelementptr inbounds nuw i64, ptr %3221, i64 %3332
  %3336 = load i64, ptr %3335, align 8
  %3337 = add i64 %3336, %3334
  store i64 %3337, ptr %3333, align 8
  %3338 = add nuw nsw i64 %3332, 1
  %3339 = getelementptr inbounds nuw i64, ptr %16, i64 %3338
  %3340 = load i64, ptr %3339, align 8
  %3341 = getelementptr inbounds nuw i64, ptr %3221, i64 %3338
  %3342 = load i64, ptr %3341, align 8
  %3343 = add i64 %3342, %3340
  store i64 %3343, ptr %3339, align 8
  %3344 = add nuw nsw i64 %3332, 2
  %3345 = getelementptr inbounds nuw i64, ptr %16, i64 %3344
  %3346 = load i64, ptr %3345, align 8
  %3347 = getelementptr inbounds nuw i64, ptr %3221, i64 %3344
  %3348 = load i64, ptr %3347, align 8
  %3349 = add i64 %3348, %3346
  store i64 %3349, ptr %3345, align 8
  %3350 = add nuw nsw i64 %3332, 3
  %3351 = getelementptr inbounds nuw i64, ptr %16, i64 %3350
  %3352 = load i64, ptr %3351, align 8
  %3353 = getelementptr inbounds nuw i64, ptr %3221, i64 %3350
  %3354 = load i64, ptr %3353, align 8
  %3355 = add i64 %3354, %3352
  store i64 %3355, ptr %3351, align 8
  %3356 = add nuw nsw i64 %3332, 4
  %3357 = icmp eq i64 %3356, %747
  br i1 %3357, label %3388, label %3331, !llvm.loop !257

3358:                                             ; preds = %3254, %3358
  %3359 = phi i64 [ %3371, %3358 ], [ %3255, %3254 ]
  %3360 = getelementptr inbounds nuw i64, ptr %16, i64 %3359
  %3361 = load i64, ptr %3360, align 8
  %3362 = getelementptr inbounds nuw i64, ptr %3221, i64 %3359
  %3363 = load i64, ptr %3362, align 8
  %3364 = call i64 @llvm.smax.i64(i64 %3361, i64 %3363)
  store i64 %3364, ptr %3360, align 8
  %3365 = add nuw nsw i64 %3359, 1
  %3366 = getelementptr inbounds nuw i64, ptr %16, i64 %3365
  %3367 = load i64, ptr %3366, align 8
  %3368 = getelementptr inbounds nuw i64, ptr %3221, i64 %3365
  %3369 = load i64, ptr %3368, align 8
  %3370 = call i64 @llvm.smax.i64(i64 %3367, i64 %3369)
  store i64 %3370, ptr %3366, align 8
  %3371 = add nuw nsw i64 %3359, 2
  %3372 = icmp eq i64 %3371, %747
  br i1 %3372, label %3388, label %3358, !llvm.loop !258

3373:                                             ; preds = %3328, %3373
  %3374 = phi i64 [ %3386, %3373 ], [ %3329, %3328 ]
  %3375 = getelementptr inbounds nuw i64, ptr %16, i64 %3374
  %3376 = load i64, ptr %3375, align 8
  %3377 = getelementptr inbounds nuw i64, ptr %3221, i64 %3374
  %3378 = load i64, ptr %3377, align 8
  %3379 = call i64 @llvm.smin.i64(i64 %3376, i64 %3378)
  store i64 %3379, ptr %3375, align 8
  %3380 = add nuw nsw i64 %3374, 1
  %3381 = getelementptr inbounds nuw i64, ptr %16, i64 %3380
  %3382 = load i64, ptr %3381, align 8
  %3383 = getelementptr inbounds nuw i64, ptr %3221, i64 %3380
  %3384 = load i64, ptr %3383, align 8
  %3385 = call i64 @llvm.smin.i64(i64 %3382, i64 %3384)
  store i64 %3385, ptr %3381, align 8
  %3386 = add nuw nsw i64 %3374, 2
  %3387 = icmp eq i64 %3386, %747
  br i1 %3387, label %3388, label %3373, !llvm.loop !259

3388:                                             ; preds = %3254, %3358, %3292, %3331, %3328, %3373, %3243, %3278, %3317
  %3389 = add nuw nsw i64 %3218, 1
  %3390 = icmp eq i64 %3389, %404
  br i1 %3390, label %3191, label %3217, !llvm.loop !260

3391:                                             ; preds = %3210, %2936, %2620, %2255, %1875, %1515, %1149, %845, %3206, %2932, %2602, %2616, %2237, %2251, %1854, %1478, %1145, %841, %407
  %3392 = add nuw nsw i64 %409, 512
  %3393 = icmp samesign ult i64 %3392, %329
  %3394 = add i64 %408, 1
  br i1 %3393, label %407, label %3395, !llvm.loop !261

3395:                                             ; preds = %3391
  call void @llvm.lifetime.end.p0(ptr nonnull %16) #3
  br label %3404

3396:                                             ; preds = %383, %3396
  %3397 = phi i64 [ %3402, %3396 ], [ %384, %383 ]
  %3398 = add nuw nsw i64 %3397, %361
  %3399 = mul nsw i64 %360, %3398
  %3400 = getelementptr inbounds i8, ptr %356, i64 %3399
  %3401 = getelementptr inbounds nuw ptr, ptr %26, i64 %3397
  store ptr %3400, ptr %3401, align 8
  %3402 = add nuw nsw i64 %3397, 1
  %3403 = icmp eq i64 %3402, %123
  br i1 %3403, label %393, label %3396, !llvm.loop !262

3404:                                             ; preds = %3395, %349
  br i1 %120, label %3576, label %3405

3405:                                             ; preds = %3404
  %3406 = getelementptr inbounds nuw %struct.batch, ptr %24, i64 %284
  call void @llvm.lifetime.start.p0(ptr nonnull %14) #3
  %3407 = getelementptr inbounds nuw i8, ptr %3406, i64 8
  %3408 = load i32, ptr %3407, align 8
  %3409 = icmp sgt i32 %3408, 0
  br i1 %3409, label %3410, label %3446

3410:                                             ; preds = %3405
  %3411 = zext nneg i32 %3408 to i64
  br label %3412

3412:                                             ; preds = %3410, %3442
  %3413 = phi i64 [ %3444, %3442 ], [ 0, %3410 ]
  %3414 = phi i32 [ %3443, %3442 ], [ 0, %3410 ]
  %3415 = load i32, ptr %112, align 4
  %3416 = icmp eq i32 %3415, 0
  br i1 %3416, label %3417, label %3446

3417:                                             ; preds = %3412
  call void @llvm.lifetime.start.p0(ptr nonnull %15) #3
  store i32 0, ptr %15, align 4
  %3418 = load ptr, ptr %3406, align 16
  %3419 = getelementptr inbounds nuw i64, ptr %3418, i64 %3413
  br label %3420

3420:                                             ; preds = %3438, %3417
  %3421 = phi i32 [ %3414, %3417 ], [ %3433, %3438 ]
  %3422 = load ptr, ptr %0, align 8
  %3423 = getelementptr inbounds nuw i8, ptr %3422, i64 16
  %3424 = load ptr, ptr %3423, align 8
  %3425 = call i32 %3424(ptr noundef %3419, ptr noundef nonnull %15, ptr noundef nonnull %14) #7
  %3426 = load i32, ptr %112, align 4
  %3427 = or i32 %3426, %3425
  store i32 %3427, ptr %112, align 4
  %3428 = icmp eq i32 %3427, 0
  br i1 %3428, label %3429, label %3441

3429:                                             ; preds = %3420
  %3430 = load i32, ptr %15, align 4
  %3431 = icmp eq i32 %3430, 0
  br i1 %3431, label %3432, label %3442

3432:                                             ; preds = %3429
  %3433 = add i32 %3421, 1
  %3434 = icmp ult i32 %3433, 200
  br i1 %3434, label %3435, label %3436

3435:                                             ; preds = %3432
  call void @llvm.x86.sse2.pause()
  br label %3438

3436:                                             ; preds = %3432
  %3437 = call i32 @sched_yield() #7
  br label %3438

3438:                                             ; preds = %3436, %3435
  %3439 = load i32, ptr %15, align 4
  %3440 = icmp eq i32 %3439, 0
  br i1 %3440, label %3420, label %3442, !llvm.loop !9

3441:                                             ; preds = %3420
  call void @llvm.lifetime.end.p0(ptr nonnull %15) #3
  br label %3447

3442:                                             ; preds = %3438, %3429
  %3443 = phi i32 [ %3433, %3438 ], [ %3421, %3429 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %15) #3
  %3444 = add nuw nsw i64 %3413, 1
  %3445 = icmp eq i64 %3444, %3411
  br i1 %3445, label %3446, label %3412, !llvm.loop !10

3446:                                             ; preds = %3442, %3412, %3405
  store i32 0, ptr %3407, align 8
  br label %3447

3447:                                             ; preds = %3441, %3446
  %3448 = phi i32 [ %3408, %3441 ], [ 0, %3446 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %14) #3
  %3449 = getelementptr inbounds nuw %struct.batch, ptr %25, i64 %284
  call void @llvm.lifetime.start.p0(ptr nonnull %12) #3
  %3450 = getelementptr inbounds nuw i8, ptr %3449, i64 8
  %3451 = load i32, ptr %3450, align 8
  %3452 = icmp sgt i32 %3451, 0
  br i1 %3452, label %3453, label %3489

3453:                                             ; preds = %3447
  %3454 = zext nneg i32 %3451 to i64
  br label %3455

3455:                                             ; preds = %3453, %3485
  %3456 = phi i64 [ %3487, %3485 ], [ 0, %3453 ]
  %3457 = phi i32 [ %3486, %3485 ], [ 0, %3453 ]
  %3458 = load i32, ptr %112, align 4
  %3459 = icmp eq i32 %3458, 0
  br i1 %3459, label %3460, label %3489

3460:                                             ; preds = %3455
  call void @llvm.lifetime.start.p0(ptr nonnull %13) #3
  store i32 0, ptr %13, align 4
  %3461 = load ptr, ptr %3449, align 16
  %3462 = getelementptr inbounds nuw i64, ptr %3461, i64 %3456
  br label %3463

3463:                                             ; preds = %3481, %3460
  %3464 = phi i32 [ %3457, %3460 ], [ %3476, %3481 ]
  %3465 = load ptr, ptr %0, align 8
  %3466 = getelementptr inbounds nuw i8, ptr %3465, i64 16
  %3467 = load ptr, ptr %3466, align 8
  %3468 = call i32 %3467(ptr noundef %3462, ptr noundef nonnull %13, ptr noundef nonnull %12) #7
  %3469 = load i32, ptr %112, align 4
  %3470 = or i32 %3469, %3468
  store i32 %3470, ptr %112, align 4
  %3471 = icmp eq i32 %3470, 0
  br i1 %3471, label %3472, label %3484

3472:                                             ; preds = %3463
  %3473 = load i32, ptr %13, align 4
  %3474 = icmp eq i32 %3473, 0
  br i1 %3474, label %3475, label %3485

3475:                                             ; preds = %3472
  %3476 = add i32 %3464, 1
  %3477 = icmp ult i32 %3476, 200
  br i1 %3477, label %3478, label %3479

3478:                                             ; preds = %3475
  call void @llvm.x86.sse2.pause()
  br label %3481

3479:                                             ; preds = %3475
  %3480 = call i32 @sched_yield() #7
  br label %3481

3481:                                             ; preds = %3479, %3478
  %3482 = load i32, ptr %13, align 4
  %3483 = icmp eq i32 %3482, 0
  br i1 %3483, label %3463, label %3485, !llvm.loop !9

3484:                                             ; preds = %3463
  call void @llvm.lifetime.end.p0(ptr nonnull %13) #3
  br label %3490

3485:                                             ; preds = %3481, %3472
  %3486 = phi i32 [ %3476, %3481 ], [ %3464, %3472 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %13) #3
  %3487 = add nuw nsw i64 %3456, 1
  %3488 = icmp eq i64 %3487, %3454
  br i1 %3488, label %3489, label %3455, !llvm.loop !10

3489:                                             ; preds = %3485, %3455, %3447
  store i32 0, ptr %3450, align 8
  br label %3490

3490:                                             ; preds = %3484, %3489
  %3491 = phi i32 [ %3451, %3484 ], [ 0, %3489 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %12) #3
  br i1 %40, label %3492, label %3576

3492:                                             ; preds = %3490, %3568
  %3493 = phi i32 [ %3569, %3568 ], [ %3491, %3490 ]
  %3494 = phi i32 [ %3570, %3568 ], [ %3448, %3490 ]
  %3495 = phi i64 [ %3571, %3568 ], [ 0, %3490 ]
  %3496 = phi i64 [ %3574, %3568 ], [ 0, %3490 ]
  %3497 = icmp eq i64 %3495, %121
  br i1 %3497, label %3568, label %3498

3498:                                             ; preds = %3492
  %3499 = getelementptr inbounds nuw i64, ptr %2, i64 %3495
  %3500 = load i64, ptr %3499, align 8
  %3501 = sub nsw i64 %3500, %283
  %3502 = call noundef i64 @llvm.smin.i64(i64 %3501, i64 %39)
  %3503 = load i32, ptr %36, align 8
  %3504 = sext i32 %3503 to i64
  %3505 = mul nsw i64 %3502, %3504
  %3506 = icmp slt i64 %3505, 1
  br i1 %3506, label %3535, label %3507

3507:                                             ; preds = %3498
  %3508 = add nsw i64 %3496, %283
  %3509 = mul nsw i64 %3508, %3504
  %3510 = getelementptr inbounds i8, ptr %4, i64 %3509
  %3511 = load ptr, ptr %0, align 8
  %3512 = load ptr, ptr %3406, align 16
  %3513 = add nuw nsw i32 %3494, 1
  store i32 %3513, ptr %3407, align 8
  %3514 = zext nneg i32 %3494 to i64
  %3515 = getelementptr inbounds nuw i64, ptr %3512, i64 %3514
  store i64 0, ptr %3515, align 8
  %3516 = getelementptr inbounds nuw i8, ptr %3511, i64 8
  %3517 = load ptr, ptr %3516, align 8
  %3518 = trunc i64 %3505 to i32
  %3519 = getelementptr inbounds nuw i8, ptr %3511, i64 24
  %3520 = load i64, ptr %3519, align 8
  %3521 = load ptr, ptr %27, align 8
  %3522 = getelementptr inbounds nuw i8, ptr %3521, i64 32
  %3523 = load ptr, ptr %3522, align 8
  %3524 = getelementptr inbounds nuw i32, ptr %3523, i64 %3495
  %3525 = load i32, ptr %3524, align 4
  %3526 = load i32, ptr %115, align 8
  %3527 = add nsw i32 %3526, 1
  %3528 = load ptr, ptr %82, align 8
  %3529 = load i64, ptr %3528, align 8
  %3530 = call i32 %3517(ptr noundef nonnull %3510, i32 noundef %3518, i64 noundef %3520, i32 noundef %3525, i32 noundef %3527, i64 noundef %3529, ptr noundef nonnull %3515) #7
  %3531 = load i32, ptr %112, align 4
  %3532 = or i32 %3531, %3530
  store i32 %3532, ptr %112, align 4
  %3533 = load i32, ptr %36, align 8
  %3534 = sext i32 %3533 to i64
  br label %3535

3535:                                             ; preds = %3498, %3507
  %3536 = phi i64 [ %3504, %3498 ], [ %3534, %3507 ]
  %3537 = phi i32 [ %3494, %3498 ], [ %3513, %3507 ]
  %3538 = mul nsw i64 %329, %3536
  %3539 = icmp slt i64 %3538, 1
  br i1 %3539, label %3568, label %3540

3540:                                             ; preds = %3535
  %3541 = mul nsw i64 %283, %3536
  %3542 = getelementptr inbounds i8, ptr %3, i64 %3541
  %3543 = load ptr, ptr %0, align 8
  %3544 = load ptr, ptr %3449, align 16
  %3545 = add nuw nsw i32 %3493, 1
  store i32 %3545, ptr %3450, align 8
  %3546 = zext nneg i32 %3493 to i64
  %3547 = getelementptr inbounds nuw i64, ptr %3544, i64 %3546
  store i64 0, ptr %3547, align 8
  %3548 = load ptr, ptr %82, align 8
  %3549 = getelementptr inbounds nuw i8, ptr %3548, i64 24
  %3550 = load i64, ptr %3549, align 8
  %3551 = add nsw i64 %3550, %3538
  store i64 %3551, ptr %3549, align 8
  %3552 = load ptr, ptr %3543, align 8
  %3553 = trunc i64 %3538 to i32
  %3554 = getelementptr inbounds nuw i8, ptr %3543, i64 24
  %3555 = load i64, ptr %3554, align 8
  %3556 = load ptr, ptr %27, align 8
  %3557 = getelementptr inbounds nuw i8, ptr %3556, i64 32
  %3558 = load ptr, ptr %3557, align 8
  %3559 = getelementptr inbounds nuw i32, ptr %3558, i64 %3495
  %3560 = load i32, ptr %3559, align 4
  %3561 = load i32, ptr %115, align 8
  %3562 = add nsw i32 %3561, 1
  %3563 = load ptr, ptr %82, align 8
  %3564 = load i64, ptr %3563, align 8
  %3565 = call i32 %3552(ptr noundef %3542, i32 noundef %3553, i64 noundef %3555, i32 noundef %3560, i32 noundef %3562, i64 noundef %3564, ptr noundef nonnull %3547) #7
  %3566 = load i32, ptr %112, align 4
  %3567 = or i32 %3566, %3565
  store i32 %3567, ptr %112, align 4
  br label %3568

3568:                                             ; preds = %3540, %3535, %3492
  %3569 = phi i32 [ %3545, %3540 ], [ %3493, %3535 ], [ %3493, %3492 ]
  %3570 = phi i32 [ %3537, %3540 ], [ %3537, %3535 ], [ %3494, %3492 ]
  %3571 = add nuw nsw i64 %3495, 1
  %3572 = getelementptr inbounds nuw i64, ptr %2, i64 %3495
  %3573 = load i64, ptr %3572, align 8
  %3574 = add nsw i64 %3573, %3496
  %3575 = icmp eq i64 %3571, %124
  br i1 %3575, label %3576, label %3492, !llvm.loop !263

3576:                                             ; preds = %3568, %3490, %3404, %279
  %3577 = add nuw i64 %132, 1
  %3578 = icmp eq i64 %132, %81
  br i1 %3578, label %3579, label %131, !llvm.loop !264

3579:                                             ; preds = %131, %3576
  br label %3581

3580:                                             ; preds = %3708
  call void @llvm.lifetime.end.p0(ptr nonnull %26) #3
  call void @llvm.lifetime.end.p0(ptr nonnull %25) #3
  call void @llvm.lifetime.end.p0(ptr nonnull %24) #3
  call void @llvm.lifetime.end.p0(ptr nonnull %23) #3
  call void @llvm.lifetime.end.p0(ptr nonnull %22) #3
  ret void

3581:                                             ; preds = %3579, %3708
  %3582 = phi i1 [ false, %3708 ], [ true, %3579 ]
  %3583 = phi ptr [ %41, %3708 ], [ %25, %3579 ]
  %3584 = phi ptr [ %42, %3708 ], [ %24, %3579 ]
  %3585 = phi ptr [ %43, %3708 ], [ %23, %3579 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %10) #3
  %3586 = getelementptr inbounds nuw i8, ptr %3585, i64 8
  %3587 = load i32, ptr %3586, align 8
  %3588 = icmp sgt i32 %3587, 0
  br i1 %3588, label %3589, label %3625

3589:                                             ; preds = %3581
  %3590 = zext nneg i32 %3587 to i64
  br label %3591

3591:                                             ; preds = %3621, %3589
  %3592 = phi i64 [ 0, %3589 ], [ %3623, %3621 ]
  %3593 = phi i32 [ 0, %3589 ], [ %3622, %3621 ]
  %3594 = load i32, ptr %112, align 4
  %3595 = icmp eq i32 %3594, 0
  br i1 %3595, label %3596, label %3625

3596:                                             ; preds = %3591
  call void @llvm.lifetime.start.p0(ptr nonnull %11) #3
  store i32 0, ptr %11, align 4
  %3597 = load ptr, ptr %3585, align 16
  %3598 = getelementptr inbounds nuw i64, ptr %3597, i64 %3592
  br label %3599

3599:                                             ; preds = %3617, %3596
  %3600 = phi i32 [ %3593, %3596 ], [ %3612, %3617 ]
  %3601 = load ptr, ptr %0, align 8
  %3602 = getelementptr inbounds nuw i8, ptr %3601, i64 16
  %3603 = load ptr, ptr %3602, align 8
  %3604 = call i32 %3603(ptr noundef %3598, ptr noundef nonnull %11, ptr noundef nonnull %10) #7
  %3605 = load i32, ptr %112, align 4
  %3606 = or i32 %3605, %3604
  store i32 %3606, ptr %112, align 4
  %3607 = icmp eq i32 %3606, 0
  br i1 %3607, label %3608, label %3620

3608:                                             ; preds = %3599
  %3609 = load i32, ptr %11, align 4
  %3610 = icmp eq i32 %3609, 0
  br i1 %3610, label %3611, label %3621

3611:                                             ; preds = %3608
  %3612 = add i32 %3600, 1
  %3613 = icmp ult i32 %3612, 200
  br i1 %3613, label %3614, label %3615

3614:                                             ; preds = %3611
  call void @llvm.x86.sse2.pause()
  br label %3617

3615:                                             ; preds = %3611
  %3616 = call i32 @sched_yield() #7
  br label %3617

3617:                                             ; preds = %3615, %3614
  %3618 = load i32, ptr %11, align 4
  %3619 = icmp eq i32 %3618, 0
  br i1 %3619, label %3599, label %3621, !llvm.loop !9

3620:                                             ; preds = %3599
  call void @llvm.lifetime.end.p0(ptr nonnull %11) #3
  br label %3626

3621:                                             ; preds = %3617, %3608
  %3622 = phi i32 [ %3612, %3617 ], [ %3600, %3608 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %11) #3
  %3623 = add nuw nsw i64 %3592, 1
  %3624 = icmp eq i64 %3623, %3590
  br i1 %3624, label %3625, label %3591, !llvm.loop !10

3625:                                             ; preds = %3621, %3591, %3581
  store i32 0, ptr %3586, align 8
  br label %3626

3626:                                             ; preds = %3620, %3625
  call void @llvm.lifetime.end.p0(ptr nonnull %10) #3
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #3
  %3627 = getelementptr inbounds nuw i8, ptr %3584, i64 8
  %3628 = load i32, ptr %3627, align 8
  %3629 = icmp sgt i32 %3628, 0
  br i1 %3629, label %3630, label %3666

3630:                                             ; preds = %3626
  %3631 = zext nneg i32 %3628 to i64
  br label %3632

3632:                                             ; preds = %3662, %3630
  %3633 = phi i64 [ 0, %3630 ], [ %3664, %3662 ]
  %3634 = phi i32 [ 0, %3630 ], [ %3663, %3662 ]
  %3635 = load i32, ptr %112, align 4
  %3636 = icmp eq i32 %3635, 0
  br i1 %3636, label %3637, label %3666

3637:                                             ; preds = %3632
  call void @llvm.lifetime.start.p0(ptr nonnull %9) #3
  store i32 0, ptr %9, align 4
  %3638 = load ptr, ptr %3584, align 16
  %3639 = getelementptr inbounds nuw i64, ptr %3638, i64 %3633
  br label %3640

3640:                                             ; preds = %3658, %3637
  %3641 = phi i32 [ %3634, %3637 ], [ %3653, %3658 ]
  %3642 = load ptr, ptr %0, align 8
  %3643 = getelementptr inbounds nuw i8, ptr %3642, i64 16
  %3644 = load ptr, ptr %3643, align 8
  %3645 = call i32 %3644(ptr noundef %3639, ptr noundef nonnull %9, ptr noundef nonnull %8) #7
  %3646 = load i32, ptr %112, align 4
  %3647 = or i32 %3646, %3645
  store i32 %3647, ptr %112, align 4
  %3648 = icmp eq i32 %3647, 0
  br i1 %3648, label %3649, label %3661

3649:                                             ; preds = %3640
  %3650 = load i32, ptr %9, align 4
  %3651 = icmp eq i32 %3650, 0
  br i1 %3651, label %3652, label %3662

3652:                                             ; preds = %3649
  %3653 = add i32 %3641, 1
  %3654 = icmp ult i32 %3653, 200
  br i1 %3654, label %3655, label %3656

3655:                                             ; preds = %3652
  call void @llvm.x86.sse2.pause()
  br label %3658

3656:                                             ; preds = %3652
  %3657 = call i32 @sched_yield() #7
  br label %3658

3658:                                             ; preds = %3656, %3655
  %3659 = load i32, ptr %9, align 4
  %3660 = icmp eq i32 %3659, 0
  br i1 %3660, label %3640, label %3662, !llvm.loop !9

3661:                                             ; preds = %3640
  call void @llvm.lifetime.end.p0(ptr nonnull %9) #3
  br label %3667

3662:                                             ; preds = %3658, %3649
  %3663 = phi i32 [ %3653, %3658 ], [ %3641, %3649 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %9) #3
  %3664 = add nuw nsw i64 %3633, 1
  %3665 = icmp eq i64 %3664, %3631
  br i1 %3665, label %3666, label %3632, !llvm.loop !10

3666:                                             ; preds = %3662, %3632, %3626
  store i32 0, ptr %3627, align 8
  br label %3667

3667:                                             ; preds = %3661, %3666
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #3
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #3
  %3668 = getelementptr inbounds nuw i8, ptr %3583, i64 8
  %3669 = load i32, ptr %3668, align 8
  %3670 = icmp sgt i32 %3669, 0
  br i1 %3670, label %3671, label %3707

3671:                                             ; preds = %3667
  %3672 = zext nneg i32 %3669 to i64
  br label %3673

3673:                                             ; preds = %3703, %3671
  %3674 = phi i64 [ 0, %3671 ], [ %3705, %3703 ]
  %3675 = phi i32 [ 0, %3671 ], [ %3704, %3703 ]
  %3676 = load i32, ptr %112, align 4
  %3677 = icmp eq i32 %3676, 0
  br i1 %3677, label %3678, label %3707

3678:                                             ; preds = %3673
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #3
  store i32 0, ptr %7, align 4
  %3679 = load ptr, ptr %3583, align 16
  %3680 = getelementptr inbounds nuw i64, ptr %3679, i64 %3674
  br label %3681

3681:                                             ; preds = %3699, %3678
  %3682 = phi i32 [ %3675, %3678 ], [ %3694, %3699 ]
  %3683 = load ptr, ptr %0, align 8
  %3684 = getelementptr inbounds nuw i8, ptr %3683, i64 16
  %3685 = load ptr, ptr %3684, align 8
  %3686 = call i32 %3685(ptr noundef %3680, ptr noundef nonnull %7, ptr noundef nonnull %6) #7
  %3687 = load i32, ptr %112, align 4
  %3688 = or i32 %3687, %3686
  store i32 %3688, ptr %112, align 4
  %3689 = icmp eq i32 %3688, 0
  br i1 %3689, label %3690, label %3702

3690:                                             ; preds = %3681
  %3691 = load i32, ptr %7, align 4
  %3692 = icmp eq i32 %3691, 0
  br i1 %3692, label %3693, label %3703

3693:                                             ; preds = %3690
  %3694 = add i32 %3682, 1
  %3695 = icmp ult i32 %3694, 200
  br i1 %3695, label %3696, label %3697

3696:                                             ; preds = %3693
  call void @llvm.x86.sse2.pause()
  br label %3699

3697:                                             ; preds = %3693
  %3698 = call i32 @sched_yield() #7
  br label %3699

3699:                                             ; preds = %3697, %3696
  %3700 = load i32, ptr %7, align 4
  %3701 = icmp eq i32 %3700, 0
  br i1 %3701, label %3681, label %3703, !llvm.loop !9

3702:                                             ; preds = %3681
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #3
  br label %3708

3703:                                             ; preds = %3699, %3690
  %3704 = phi i32 [ %3694, %3699 ], [ %3682, %3690 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #3
  %3705 = add nuw nsw i64 %3674, 1
  %3706 = icmp eq i64 %3705, %3672
  br i1 %3706, label %3707, label %3673, !llvm.loop !10

3707:                                             ; preds = %3703, %3673, %3667
  store i32 0, ptr %3668, align 8
  br label %3708

3708:                                             ; preds = %3702, %3707
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #3
  br i1 %3582, label %3581, label %3580, !llvm.loop !265
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fabs.f32(float) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i8 @llvm.smax.i8(i8, i8) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i8 @llvm.smin.i8(i8, i8) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i8 @llvm.umax.i8(i8, i8) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i8 @llvm.umin.i8(i8, i8) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.vector.reduce.add.v2i64(<2 x i64>) #5

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #6

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x float> @llvm.fabs.v4f32(<4 x float>) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x i8> @llvm.smin.v16i8(<16 x i8>, <16 x i8>) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i8> @llvm.smin.v4i8(<4 x i8>, <4 x i8>) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x i8> @llvm.smax.v16i8(<16 x i8>, <16 x i8>) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i8> @llvm.smax.v4i8(<4 x i8>, <4 x i8>) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x i8> @llvm.umin.v16i8(<16 x i8>, <16 x i8>) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i8> @llvm.umin.v4i8(<4 x i8>, <4 x i8>) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x i8> @llvm.umax.v16i8(<16 x i8>, <16 x i8>) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i8> @llvm.umax.v4i8(<4 x i8>, <4 x i8>) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i32> @llvm.smin.v4i32(<4 x i32>, <4 x i32>) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i32> @llvm.smax.v4i32(<4 x i32>, <4 x i32>) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <2 x i64> @llvm.smin.v2i64(<2 x i64>, <2 x i64>) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <2 x i64> @llvm.smax.v2i64(<2 x i64>, <2 x i64>) #4

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #7 = { nobuiltin nounwind "no-builtins" }
attributes #8 = { nobuiltin "no-builtins" }

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
!13 = distinct !{!13, !3}
!14 = distinct !{!14, !3}
!15 = distinct !{!15, !3, !5, !6}
!16 = distinct !{!16, !3, !5, !6}
!17 = distinct !{!17, !3, !6, !5}
!18 = distinct !{!18, !3, !5, !6}
!19 = distinct !{!19, !20}
!20 = !{!"llvm.loop.unroll.disable"}
!21 = distinct !{!21, !3, !5}
!22 = distinct !{!22, !3, !5, !6}
!23 = distinct !{!23, !3, !6, !5}
!24 = !{!25}
!25 = distinct !{!25, !26}
!26 = distinct !{!26, !"LVerDomain"}
!27 = !{!28}
!28 = distinct !{!28, !26}
!29 = distinct !{!29, !3, !5, !6}
!30 = !{!31}
!31 = distinct !{!31, !32}
!32 = distinct !{!32, !"LVerDomain"}
!33 = !{!34}
!34 = distinct !{!34, !32}
!35 = distinct !{!35, !3, !5, !6}
!36 = distinct !{!36, !20}
!37 = !{!38}
!38 = distinct !{!38, !39}
!39 = distinct !{!39, !"LVerDomain"}
!40 = !{!41}
!41 = distinct !{!41, !39}
!42 = distinct !{!42, !3, !5, !6}
!43 = distinct !{!43, !3, !5}
!44 = distinct !{!44, !3, !5}
!45 = distinct !{!45, !3, !5}
!46 = distinct !{!46, !3}
!47 = distinct !{!47, !3, !5, !6}
!48 = distinct !{!48, !20}
!49 = distinct !{!49, !3, !5}
!50 = distinct !{!50, !3, !5, !6}
!51 = distinct !{!51, !3, !6, !5}
!52 = !{!53}
!53 = distinct !{!53, !54}
!54 = distinct !{!54, !"LVerDomain"}
!55 = !{!56}
!56 = distinct !{!56, !54}
!57 = distinct !{!57, !3, !5, !6}
!58 = !{!59}
!59 = distinct !{!59, !60}
!60 = distinct !{!60, !"LVerDomain"}
!61 = !{!62}
!62 = distinct !{!62, !60}
!63 = distinct !{!63, !3, !5, !6}
!64 = distinct !{!64, !20}
!65 = !{!66}
!66 = distinct !{!66, !67}
!67 = distinct !{!67, !"LVerDomain"}
!68 = !{!69}
!69 = distinct !{!69, !67}
!70 = distinct !{!70, !3, !5, !6}
!71 = distinct !{!71, !3, !5}
!72 = distinct !{!72, !3, !5}
!73 = distinct !{!73, !3, !5}
!74 = distinct !{!74, !3}
!75 = !{!76}
!76 = distinct !{!76, !77}
!77 = distinct !{!77, !"LVerDomain"}
!78 = !{!79}
!79 = distinct !{!79, !77}
!80 = distinct !{!80, !3, !5, !6}
!81 = distinct !{!81, !3, !5}
!82 = distinct !{!82, !3, !5, !6}
!83 = distinct !{!83, !3, !6, !5}
!84 = !{!85}
!85 = distinct !{!85, !86}
!86 = distinct !{!86, !"LVerDomain"}
!87 = !{!88}
!88 = distinct !{!88, !86}
!89 = distinct !{!89, !3, !5, !6}
!90 = !{!91}
!91 = distinct !{!91, !92}
!92 = distinct !{!92, !"LVerDomain"}
!93 = !{!94}
!94 = distinct !{!94, !92}
!95 = distinct !{!95, !3, !5, !6}
!96 = !{!97}
!97 = distinct !{!97, !98}
!98 = distinct !{!98, !"LVerDomain"}
!99 = !{!100}
!100 = distinct !{!100, !98}
!101 = distinct !{!101, !3, !5, !6}
!102 = distinct !{!102, !3, !5}
!103 = distinct !{!103, !3, !5}
!104 = distinct !{!104, !3, !5}
!105 = distinct !{!105, !3}
!106 = !{!107}
!107 = distinct !{!107, !108}
!108 = distinct !{!108, !"LVerDomain"}
!109 = !{!110}
!110 = distinct !{!110, !108}
!111 = distinct !{!111, !3, !5, !6}
!112 = distinct !{!112, !20}
!113 = distinct !{!113, !3, !5}
!114 = distinct !{!114, !3, !5, !6}
!115 = distinct !{!115, !3, !6, !5}
!116 = !{!117}
!117 = distinct !{!117, !118}
!118 = distinct !{!118, !"LVerDomain"}
!119 = !{!120}
!120 = distinct !{!120, !118}
!121 = distinct !{!121, !3, !5, !6}
!122 = !{!123}
!123 = distinct !{!123, !124}
!124 = distinct !{!124, !"LVerDomain"}
!125 = !{!126}
!126 = distinct !{!126, !124}
!127 = distinct !{!127, !3, !5, !6}
!128 = !{!129}
!129 = distinct !{!129, !130}
!130 = distinct !{!130, !"LVerDomain"}
!131 = !{!132}
!132 = distinct !{!132, !130}
!133 = distinct !{!133, !3, !5, !6}
!134 = distinct !{!134, !3, !5}
!135 = distinct !{!135, !3, !5}
!136 = distinct !{!136, !3, !5}
!137 = distinct !{!137, !3}
!138 = distinct !{!138, !3, !5, !6}
!139 = !{!"branch_weights", i32 4, i32 28}
!140 = distinct !{!140, !3, !5, !6}
!141 = distinct !{!141, !20}
!142 = distinct !{!142, !3, !5}
!143 = distinct !{!143, !3, !5, !6}
!144 = distinct !{!144, !3, !5, !6}
!145 = distinct !{!145, !3, !6, !5}
!146 = !{!147}
!147 = distinct !{!147, !148}
!148 = distinct !{!148, !"LVerDomain"}
!149 = !{!150}
!150 = distinct !{!150, !148}
!151 = distinct !{!151, !3, !5, !6}
!152 = distinct !{!152, !3, !5, !6}
!153 = !{!154}
!154 = distinct !{!154, !155}
!155 = distinct !{!155, !"LVerDomain"}
!156 = !{!157}
!157 = distinct !{!157, !155}
!158 = distinct !{!158, !3, !5, !6}
!159 = distinct !{!159, !3, !5, !6}
!160 = distinct !{!160, !20}
!161 = !{!162}
!162 = distinct !{!162, !163}
!163 = distinct !{!163, !"LVerDomain"}
!164 = !{!165}
!165 = distinct !{!165, !163}
!166 = distinct !{!166, !3, !5, !6}
!167 = distinct !{!167, !3, !5, !6}
!168 = distinct !{!168, !3, !5}
!169 = distinct !{!169, !3, !5}
!170 = distinct !{!170, !3, !5}
!171 = distinct !{!171, !3}
!172 = distinct !{!172, !3, !5, !6}
!173 = distinct !{!173, !3, !5, !6}
!174 = distinct !{!174, !20}
!175 = distinct !{!175, !3, !5}
!176 = distinct !{!176, !3, !5, !6}
!177 = distinct !{!177, !3, !5, !6}
!178 = distinct !{!178, !3, !6, !5}
!179 = !{!180}
!180 = distinct !{!180, !181}
!181 = distinct !{!181, !"LVerDomain"}
!182 = !{!183}
!183 = distinct !{!183, !181}
!184 = distinct !{!184, !3, !5, !6}
!185 = distinct !{!185, !3, !5, !6}
!186 = !{!187}
!187 = distinct !{!187, !188}
!188 = distinct !{!188, !"LVerDomain"}
!189 = !{!190}
!190 = distinct !{!190, !188}
!191 = distinct !{!191, !3, !5, !6}
!192 = distinct !{!192, !3, !5, !6}
!193 = distinct !{!193, !20}
!194 = !{!195}
!195 = distinct !{!195, !196}
!196 = distinct !{!196, !"LVerDomain"}
!197 = !{!198}
!198 = distinct !{!198, !196}
!199 = distinct !{!199, !3, !5, !6}
!200 = distinct !{!200, !3, !5, !6}
!201 = distinct !{!201, !3, !5}
!202 = distinct !{!202, !3, !5}
!203 = distinct !{!203, !3, !5}
!204 = distinct !{!204, !3}
!205 = distinct !{!205, !3, !5, !6}
!206 = distinct !{!206, !20}
!207 = distinct !{!207, !3, !5}
!208 = distinct !{!208, !3, !5, !6}
!209 = distinct !{!209, !3, !6, !5}
!210 = !{!211}
!211 = distinct !{!211, !212}
!212 = distinct !{!212, !"LVerDomain"}
!213 = !{!214}
!214 = distinct !{!214, !212}
!215 = distinct !{!215, !3, !5, !6}
!216 = !{!217}
!217 = distinct !{!217, !218}
!218 = distinct !{!218, !"LVerDomain"}
!219 = !{!220}
!220 = distinct !{!220, !218}
!221 = distinct !{!221, !3, !5, !6}
!222 = distinct !{!222, !20}
!223 = !{!224}
!224 = distinct !{!224, !225}
!225 = distinct !{!225, !"LVerDomain"}
!226 = !{!227}
!227 = distinct !{!227, !225}
!228 = distinct !{!228, !3, !5, !6}
!229 = distinct !{!229, !3, !5}
!230 = distinct !{!230, !3, !5}
!231 = distinct !{!231, !3, !5}
!232 = distinct !{!232, !3}
!233 = distinct !{!233, !3, !5, !6}
!234 = distinct !{!234, !20}
!235 = distinct !{!235, !3, !5}
!236 = distinct !{!236, !3, !5, !6}
!237 = distinct !{!237, !3, !6, !5}
!238 = !{!239}
!239 = distinct !{!239, !240}
!240 = distinct !{!240, !"LVerDomain"}
!241 = !{!242}
!242 = distinct !{!242, !240}
!243 = distinct !{!243, !3, !5, !6}
!244 = !{!245}
!245 = distinct !{!245, !246}
!246 = distinct !{!246, !"LVerDomain"}
!247 = !{!248}
!248 = distinct !{!248, !246}
!249 = distinct !{!249, !3, !5, !6}
!250 = distinct !{!250, !20}
!251 = !{!252}
!252 = distinct !{!252, !253}
!253 = distinct !{!253, !"LVerDomain"}
!254 = !{!255}
!255 = distinct !{!255, !253}
!256 = distinct !{!256, !3, !5, !6}
!257 = distinct !{!257, !3, !5}
!258 = distinct !{!258, !3, !5}
!259 = distinct !{!259, !3, !5}
!260 = distinct !{!260, !3}
!261 = distinct !{!261, !3}
!262 = distinct !{!262, !3, !6, !5}
!263 = distinct !{!263, !3}
!264 = distinct !{!264, !3}
!265 = distinct !{!265, !3}
