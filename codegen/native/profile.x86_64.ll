; profile.c as LLVM text, by clang 22.1.8; `make native` makes it anew.
; sources: cf559431fad0de025e0dd98a5f27b5cc6d007d590bae722a682afded27836015
; text: a0bcfb80634cfcfe833c9aeeca7f09eeaa50e4738c7769e339b9e57b0df25994
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.time = type { i64, i64 }
%struct.profile_record = type { i64, i64, i64, i32, i32 }
%struct.measured = type { ptr, ptr, ptr }

@measured_task.functions = internal unnamed_addr constant [64 x ptr] [ptr @measured_000, ptr @measured_001, ptr @measured_002, ptr @measured_003, ptr @measured_010, ptr @measured_011, ptr @measured_012, ptr @measured_013, ptr @measured_020, ptr @measured_021, ptr @measured_022, ptr @measured_023, ptr @measured_030, ptr @measured_031, ptr @measured_032, ptr @measured_033, ptr @measured_100, ptr @measured_101, ptr @measured_102, ptr @measured_103, ptr @measured_110, ptr @measured_111, ptr @measured_112, ptr @measured_113, ptr @measured_120, ptr @measured_121, ptr @measured_122, ptr @measured_123, ptr @measured_130, ptr @measured_131, ptr @measured_132, ptr @measured_133, ptr @measured_200, ptr @measured_201, ptr @measured_202, ptr @measured_203, ptr @measured_210, ptr @measured_211, ptr @measured_212, ptr @measured_213, ptr @measured_220, ptr @measured_221, ptr @measured_222, ptr @measured_223, ptr @measured_230, ptr @measured_231, ptr @measured_232, ptr @measured_233, ptr @measured_300, ptr @measured_301, ptr @measured_302, ptr @measured_303, ptr @measured_310, ptr @measured_311, ptr @measured_312, ptr @measured_313, ptr @measured_320, ptr @measured_321, ptr @measured_322, ptr @measured_323, ptr @measured_330, ptr @measured_331, ptr @measured_332, ptr @measured_333], align 16

; Function Attrs: nounwind
define hidden void @penstock_begin(ptr noundef readonly captures(none) %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = alloca %struct.time, align 8
  %4 = alloca %struct.time, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %6 = load ptr, ptr %5, align 8
  %7 = icmp eq ptr %6, @penstock_profile_parallel_for
  br i1 %7, label %8, label %33

8:                                                ; preds = %2
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %10 = load ptr, ptr %9, align 8
  %11 = icmp eq ptr %10, null
  br i1 %11, label %33, label %12

12:                                               ; preds = %8
  %13 = getelementptr inbounds nuw i8, ptr %10, i64 56
  store i32 %1, ptr %13, align 8
  %14 = icmp eq i32 %1, -1
  br i1 %14, label %15, label %22

15:                                               ; preds = %12
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #13
  %16 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #14
  %17 = load i64, ptr %4, align 8
  %18 = mul nsw i64 %17, 1000000000
  %19 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %20 = load i64, ptr %19, align 8
  %21 = add nsw i64 %18, %20
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #13
  br label %29

22:                                               ; preds = %12
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #13
  %23 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #14
  %24 = load i64, ptr %3, align 8
  %25 = mul nsw i64 %24, 1000000000
  %26 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %27 = load i64, ptr %26, align 8
  %28 = add nsw i64 %25, %27
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #13
  br label %29

29:                                               ; preds = %22, %15
  %30 = phi i64 [ 40, %15 ], [ 48, %22 ]
  %31 = phi i64 [ %21, %15 ], [ %28, %22 ]
  %32 = getelementptr inbounds nuw i8, ptr %10, i64 %30
  store i64 %31, ptr %32, align 8
  br label %33

33:                                               ; preds = %29, %2, %8
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nounwind
define hidden void @penstock_end(ptr noundef readonly captures(none) %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = alloca %struct.time, align 8
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = icmp eq ptr %5, @penstock_profile_parallel_for
  br i1 %6, label %7, label %38

7:                                                ; preds = %2
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %9 = load ptr, ptr %8, align 8
  %10 = icmp eq ptr %9, null
  br i1 %10, label %38, label %11

11:                                               ; preds = %7
  %12 = icmp eq i32 %1, -1
  %13 = select i1 %12, i64 40, i64 48
  %14 = getelementptr inbounds nuw i8, ptr %9, i64 %13
  %15 = load i64, ptr %14, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #13
  %16 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #14
  %17 = load i64, ptr %3, align 8
  %18 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %19 = load i64, ptr %18, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #13
  %20 = getelementptr inbounds nuw i8, ptr %9, i64 32
  %21 = atomicrmw add ptr %20, i64 1 monotonic, align 8
  %22 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %23 = load i64, ptr %22, align 8
  %24 = icmp slt i64 %21, %23
  br i1 %24, label %25, label %36

25:                                               ; preds = %11
  %26 = mul nsw i64 %17, 1000000000
  %27 = add nsw i64 %26, %19
  %28 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %29 = load ptr, ptr %28, align 8
  %30 = getelementptr inbounds %struct.profile_record, ptr %29, i64 %21
  %31 = tail call i64 asm "movq %fs:0, $0", "=r,~{dirflag},~{fpsr},~{flags}"() #15, !srcloc !2
  store i64 %15, ptr %30, align 8
  %32 = getelementptr inbounds nuw i8, ptr %30, i64 8
  store i64 %27, ptr %32, align 8
  %33 = getelementptr inbounds nuw i8, ptr %30, i64 16
  store i64 %31, ptr %33, align 8
  %34 = getelementptr inbounds nuw i8, ptr %30, i64 24
  store i32 %1, ptr %34, align 8
  %35 = getelementptr inbounds nuw i8, ptr %30, i64 28
  store i32 0, ptr %35, align 4
  br label %36

36:                                               ; preds = %11, %25
  %37 = getelementptr inbounds nuw i8, ptr %9, i64 56
  store i32 -1, ptr %37, align 8
  br label %38

38:                                               ; preds = %2, %7, %36
  ret void
}

; Function Attrs: nounwind
define void @penstock_profile_parallel_for(ptr noundef %0, ptr noundef %1, ptr noundef %2, i64 noundef %3) #0 {
  %5 = alloca %struct.time, align 8
  %6 = alloca %struct.time, align 8
  %7 = alloca %struct.measured, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #13
  store ptr %0, ptr %7, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 8
  store ptr %1, ptr %8, align 8
  %9 = getelementptr inbounds nuw i8, ptr %7, i64 16
  store ptr %2, ptr %9, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #13
  %10 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %6) #14
  %11 = load i64, ptr %6, align 8
  %12 = mul nsw i64 %11, 1000000000
  %13 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %14 = load i64, ptr %13, align 8
  %15 = add nsw i64 %12, %14
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #13
  %16 = load ptr, ptr %0, align 8
  %17 = icmp eq ptr %16, null
  br i1 %17, label %18, label %20

18:                                               ; preds = %4
  %19 = icmp sgt i64 %3, 0
  br i1 %19, label %28, label %32

20:                                               ; preds = %4
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %22 = load ptr, ptr %21, align 8
  %23 = ptrtoint ptr %1 to i64
  %24 = mul i64 %23, -7046029254386353131
  %25 = lshr i64 %24, 58
  %26 = getelementptr inbounds nuw ptr, ptr @measured_task.functions, i64 %25
  %27 = load ptr, ptr %26, align 8
  call void %16(ptr noundef %22, ptr noundef %27, ptr noundef nonnull %7, i64 noundef %3) #14
  br label %32

28:                                               ; preds = %18, %28
  %29 = phi i64 [ %30, %28 ], [ 0, %18 ]
  call fastcc void @measure(ptr noundef nonnull %7, i64 noundef %29) #16
  %30 = add nuw nsw i64 %29, 1
  %31 = icmp eq i64 %30, %3
  br i1 %31, label %32, label %28, !llvm.loop !3

32:                                               ; preds = %28, %18, %20
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %34 = load i32, ptr %33, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #13
  %35 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #14
  %36 = load i64, ptr %5, align 8
  %37 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %38 = load i64, ptr %37, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #13
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %40 = atomicrmw add ptr %39, i64 1 monotonic, align 8
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %42 = load i64, ptr %41, align 8
  %43 = icmp slt i64 %40, %42
  br i1 %43, label %44, label %55

44:                                               ; preds = %32
  %45 = mul nsw i64 %36, 1000000000
  %46 = add nsw i64 %45, %38
  %47 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %48 = load ptr, ptr %47, align 8
  %49 = getelementptr inbounds %struct.profile_record, ptr %48, i64 %40
  %50 = tail call i64 asm "movq %fs:0, $0", "=r,~{dirflag},~{fpsr},~{flags}"() #15, !srcloc !2
  store i64 %15, ptr %49, align 8
  %51 = getelementptr inbounds nuw i8, ptr %49, i64 8
  store i64 %46, ptr %51, align 8
  %52 = getelementptr inbounds nuw i8, ptr %49, i64 16
  store i64 %50, ptr %52, align 8
  %53 = getelementptr inbounds nuw i8, ptr %49, i64 24
  store i32 %34, ptr %53, align 8
  %54 = getelementptr inbounds nuw i8, ptr %49, i64 28
  store i32 2, ptr %54, align 4
  br label %55

55:                                               ; preds = %32, %44
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #13
  ret void
}

; Function Attrs: noinline nounwind
define internal fastcc void @measure(ptr noundef readonly captures(none) %0, i64 noundef %1) unnamed_addr #2 {
  %3 = alloca %struct.time, align 8
  %4 = alloca %struct.time, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #13
  %5 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #14
  %6 = load i64, ptr %4, align 8
  %7 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %8 = load i64, ptr %7, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #13
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = load ptr, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %12 = load ptr, ptr %11, align 8
  call void %10(ptr noundef %12, i64 noundef %1) #14
  %13 = load ptr, ptr %0, align 8
  %14 = getelementptr inbounds nuw i8, ptr %13, i64 56
  %15 = load i32, ptr %14, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #13
  %16 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #14
  %17 = load i64, ptr %3, align 8
  %18 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %19 = load i64, ptr %18, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #13
  %20 = getelementptr inbounds nuw i8, ptr %13, i64 32
  %21 = atomicrmw add ptr %20, i64 1 monotonic, align 8
  %22 = getelementptr inbounds nuw i8, ptr %13, i64 24
  %23 = load i64, ptr %22, align 8
  %24 = icmp slt i64 %21, %23
  br i1 %24, label %25, label %38

25:                                               ; preds = %2
  %26 = mul nsw i64 %17, 1000000000
  %27 = add nsw i64 %26, %19
  %28 = mul nsw i64 %6, 1000000000
  %29 = add nsw i64 %28, %8
  %30 = getelementptr inbounds nuw i8, ptr %13, i64 16
  %31 = load ptr, ptr %30, align 8
  %32 = getelementptr inbounds %struct.profile_record, ptr %31, i64 %21
  %33 = tail call i64 asm "movq %fs:0, $0", "=r,~{dirflag},~{fpsr},~{flags}"() #15, !srcloc !2
  store i64 %29, ptr %32, align 8
  %34 = getelementptr inbounds nuw i8, ptr %32, i64 8
  store i64 %27, ptr %34, align 8
  %35 = getelementptr inbounds nuw i8, ptr %32, i64 16
  store i64 %33, ptr %35, align 8
  %36 = getelementptr inbounds nuw i8, ptr %32, i64 24
  store i32 %15, ptr %36, align 8
  %37 = getelementptr inbounds nuw i8, ptr %32, i64 28
  store i32 1, ptr %37, align 4
  br label %38

38:                                               ; preds = %2, %25
  ret void
}

; Function Attrs: nofree norecurse nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define void @penstock_probe_multiply_lanes4(ptr noundef readonly captures(none) %0, i64 noundef %1) local_unnamed_addr #3 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %4 = load float, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 36
  %6 = load float, ptr %5, align 4
  %7 = fadd float %6, 0.000000e+00
  %8 = insertelement <4 x float> poison, float %7, i64 0
  %9 = shufflevector <4 x float> %8, <4 x float> poison, <4 x i32> zeroinitializer
  %10 = fadd float %7, 1.000000e+00
  %11 = insertelement <4 x float> poison, float %10, i64 0
  %12 = shufflevector <4 x float> %11, <4 x float> poison, <4 x i32> zeroinitializer
  %13 = fadd float %7, 2.000000e+00
  %14 = insertelement <4 x float> poison, float %13, i64 0
  %15 = shufflevector <4 x float> %14, <4 x float> poison, <4 x i32> zeroinitializer
  %16 = fadd float %7, 3.000000e+00
  %17 = insertelement <4 x float> poison, float %16, i64 0
  %18 = shufflevector <4 x float> %17, <4 x float> poison, <4 x i32> zeroinitializer
  %19 = fadd float %7, 4.000000e+00
  %20 = insertelement <4 x float> poison, float %19, i64 0
  %21 = shufflevector <4 x float> %20, <4 x float> poison, <4 x i32> zeroinitializer
  %22 = fadd float %7, 5.000000e+00
  %23 = insertelement <4 x float> poison, float %22, i64 0
  %24 = shufflevector <4 x float> %23, <4 x float> poison, <4 x i32> zeroinitializer
  %25 = fadd float %7, 6.000000e+00
  %26 = insertelement <4 x float> poison, float %25, i64 0
  %27 = shufflevector <4 x float> %26, <4 x float> poison, <4 x i32> zeroinitializer
  %28 = fadd float %7, 7.000000e+00
  %29 = insertelement <4 x float> poison, float %28, i64 0
  %30 = shufflevector <4 x float> %29, <4 x float> poison, <4 x i32> zeroinitializer
  %31 = fadd float %7, 8.000000e+00
  %32 = insertelement <4 x float> poison, float %31, i64 0
  %33 = shufflevector <4 x float> %32, <4 x float> poison, <4 x i32> zeroinitializer
  %34 = fadd float %7, 9.000000e+00
  %35 = insertelement <4 x float> poison, float %34, i64 0
  %36 = shufflevector <4 x float> %35, <4 x float> poison, <4 x i32> zeroinitializer
  %37 = fadd float %7, 1.000000e+01
  %38 = insertelement <4 x float> poison, float %37, i64 0
  %39 = shufflevector <4 x float> %38, <4 x float> poison, <4 x i32> zeroinitializer
  %40 = fadd float %7, 1.100000e+01
  %41 = insertelement <4 x float> poison, float %40, i64 0
  %42 = shufflevector <4 x float> %41, <4 x float> poison, <4 x i32> zeroinitializer
  %43 = fadd float %4, 0.000000e+00
  %44 = insertelement <4 x float> poison, float %43, i64 0
  %45 = shufflevector <4 x float> %44, <4 x float> poison, <4 x i32> zeroinitializer
  %46 = load i64, ptr %0, align 8
  %47 = icmp sgt i64 %46, 0
  br i1 %47, label %48, label %62

48:                                               ; preds = %2, %121
  %49 = phi <4 x float> [ %118, %121 ], [ %42, %2 ]
  %50 = phi <4 x float> [ %117, %121 ], [ %39, %2 ]
  %51 = phi <4 x float> [ %116, %121 ], [ %36, %2 ]
  %52 = phi <4 x float> [ %115, %121 ], [ %33, %2 ]
  %53 = phi <4 x float> [ %114, %121 ], [ %30, %2 ]
  %54 = phi <4 x float> [ %113, %121 ], [ %27, %2 ]
  %55 = phi <4 x float> [ %112, %121 ], [ %24, %2 ]
  %56 = phi <4 x float> [ %111, %121 ], [ %21, %2 ]
  %57 = phi <4 x float> [ %110, %121 ], [ %18, %2 ]
  %58 = phi <4 x float> [ %109, %121 ], [ %15, %2 ]
  %59 = phi <4 x float> [ %108, %121 ], [ %12, %2 ]
  %60 = phi <4 x float> [ %107, %121 ], [ %9, %2 ]
  %61 = phi i64 [ %122, %121 ], [ 0, %2 ]
  br label %93

62:                                               ; preds = %121, %2
  %63 = phi <4 x float> [ %42, %2 ], [ %118, %121 ]
  %64 = phi <4 x float> [ %39, %2 ], [ %117, %121 ]
  %65 = phi <4 x float> [ %36, %2 ], [ %116, %121 ]
  %66 = phi <4 x float> [ %33, %2 ], [ %115, %121 ]
  %67 = phi <4 x float> [ %30, %2 ], [ %114, %121 ]
  %68 = phi <4 x float> [ %27, %2 ], [ %113, %121 ]
  %69 = phi <4 x float> [ %24, %2 ], [ %112, %121 ]
  %70 = phi <4 x float> [ %21, %2 ], [ %111, %121 ]
  %71 = phi <4 x float> [ %18, %2 ], [ %110, %121 ]
  %72 = phi <4 x float> [ %15, %2 ], [ %109, %121 ]
  %73 = phi <4 x float> [ %12, %2 ], [ %108, %121 ]
  %74 = phi <4 x float> [ %9, %2 ], [ %107, %121 ]
  %75 = fadd <4 x float> %73, %74
  %76 = fadd <4 x float> %72, %75
  %77 = fadd <4 x float> %71, %76
  %78 = fadd <4 x float> %70, %77
  %79 = fadd <4 x float> %69, %78
  %80 = fadd <4 x float> %68, %79
  %81 = fadd <4 x float> %67, %80
  %82 = fadd <4 x float> %66, %81
  %83 = fadd <4 x float> %65, %82
  %84 = fadd <4 x float> %64, %83
  %85 = fadd <4 x float> %63, %84
  %86 = shufflevector <4 x float> %85, <4 x float> poison, <4 x i32> <i32 1, i32 poison, i32 poison, i32 poison>
  %87 = fadd <4 x float> %85, %86
  %88 = extractelement <4 x float> %87, i64 0
  %89 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %90 = load ptr, ptr %89, align 8
  %91 = shl nsw i64 %1, 7
  %92 = getelementptr inbounds i8, ptr %90, i64 %91
  store float %88, ptr %92, align 4
  ret void

93:                                               ; preds = %48, %93
  %94 = phi <4 x float> [ %49, %48 ], [ %118, %93 ]
  %95 = phi <4 x float> [ %50, %48 ], [ %117, %93 ]
  %96 = phi <4 x float> [ %51, %48 ], [ %116, %93 ]
  %97 = phi <4 x float> [ %52, %48 ], [ %115, %93 ]
  %98 = phi <4 x float> [ %53, %48 ], [ %114, %93 ]
  %99 = phi <4 x float> [ %54, %48 ], [ %113, %93 ]
  %100 = phi <4 x float> [ %55, %48 ], [ %112, %93 ]
  %101 = phi <4 x float> [ %56, %48 ], [ %111, %93 ]
  %102 = phi <4 x float> [ %57, %48 ], [ %110, %93 ]
  %103 = phi <4 x float> [ %58, %48 ], [ %109, %93 ]
  %104 = phi <4 x float> [ %59, %48 ], [ %108, %93 ]
  %105 = phi <4 x float> [ %60, %48 ], [ %107, %93 ]
  %106 = phi i32 [ 0, %48 ], [ %119, %93 ]
  %107 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %105, <4 x float> %45, <4 x float> %9)
  %108 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %104, <4 x float> %45, <4 x float> %9)
  %109 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %103, <4 x float> %45, <4 x float> %9)
  %110 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %102, <4 x float> %45, <4 x float> %9)
  %111 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %101, <4 x float> %45, <4 x float> %9)
  %112 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %100, <4 x float> %45, <4 x float> %9)
  %113 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %99, <4 x float> %45, <4 x float> %9)
  %114 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %98, <4 x float> %45, <4 x float> %9)
  %115 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %97, <4 x float> %45, <4 x float> %9)
  %116 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %96, <4 x float> %45, <4 x float> %9)
  %117 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %95, <4 x float> %45, <4 x float> %9)
  %118 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %94, <4 x float> %45, <4 x float> %9)
  %119 = add nuw nsw i32 %106, 1
  %120 = icmp eq i32 %119, 4
  br i1 %120, label %121, label %93, !llvm.loop !5

121:                                              ; preds = %93
  %122 = add nuw nsw i64 %61, 1
  %123 = icmp eq i64 %122, %46
  br i1 %123, label %62, label %48, !llvm.loop !7
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x float> @llvm.fmuladd.v4f32(<4 x float>, <4 x float>, <4 x float>) #4

; Function Attrs: nofree norecurse nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define void @penstock_probe_multiply_doubles_lanes4(ptr noundef readonly captures(none) %0, i64 noundef %1) local_unnamed_addr #3 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %4 = load float, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 36
  %6 = load float, ptr %5, align 4
  %7 = fpext float %6 to double
  %8 = fadd double %7, 0.000000e+00
  %9 = insertelement <2 x double> poison, double %8, i64 0
  %10 = shufflevector <2 x double> %9, <2 x double> poison, <2 x i32> zeroinitializer
  %11 = fadd double %8, 1.000000e+00
  %12 = insertelement <2 x double> poison, double %11, i64 0
  %13 = shufflevector <2 x double> %12, <2 x double> poison, <2 x i32> zeroinitializer
  %14 = fadd double %8, 2.000000e+00
  %15 = insertelement <2 x double> poison, double %14, i64 0
  %16 = shufflevector <2 x double> %15, <2 x double> poison, <2 x i32> zeroinitializer
  %17 = fadd double %8, 3.000000e+00
  %18 = insertelement <2 x double> poison, double %17, i64 0
  %19 = shufflevector <2 x double> %18, <2 x double> poison, <2 x i32> zeroinitializer
  %20 = fadd double %8, 4.000000e+00
  %21 = insertelement <2 x double> poison, double %20, i64 0
  %22 = shufflevector <2 x double> %21, <2 x double> poison, <2 x i32> zeroinitializer
  %23 = fadd double %8, 5.000000e+00
  %24 = insertelement <2 x double> poison, double %23, i64 0
  %25 = shufflevector <2 x double> %24, <2 x double> poison, <2 x i32> zeroinitializer
  %26 = fadd double %8, 6.000000e+00
  %27 = insertelement <2 x double> poison, double %26, i64 0
  %28 = shufflevector <2 x double> %27, <2 x double> poison, <2 x i32> zeroinitializer
  %29 = fadd double %8, 7.000000e+00
  %30 = insertelement <2 x double> poison, double %29, i64 0
  %31 = shufflevector <2 x double> %30, <2 x double> poison, <2 x i32> zeroinitializer
  %32 = fadd double %8, 8.000000e+00
  %33 = insertelement <2 x double> poison, double %32, i64 0
  %34 = shufflevector <2 x double> %33, <2 x double> poison, <2 x i32> zeroinitializer
  %35 = fadd double %8, 9.000000e+00
  %36 = insertelement <2 x double> poison, double %35, i64 0
  %37 = shufflevector <2 x double> %36, <2 x double> poison, <2 x i32> zeroinitializer
  %38 = fadd double %8, 1.000000e+01
  %39 = insertelement <2 x double> poison, double %38, i64 0
  %40 = shufflevector <2 x double> %39, <2 x double> poison, <2 x i32> zeroinitializer
  %41 = fadd double %8, 1.100000e+01
  %42 = insertelement <2 x double> poison, double %41, i64 0
  %43 = shufflevector <2 x double> %42, <2 x double> poison, <2 x i32> zeroinitializer
  %44 = fpext float %4 to double
  %45 = fadd double %44, 0.000000e+00
  %46 = insertelement <2 x double> poison, double %45, i64 0
  %47 = shufflevector <2 x double> %46, <2 x double> poison, <2 x i32> zeroinitializer
  %48 = load i64, ptr %0, align 8
  %49 = icmp sgt i64 %48, 0
  br i1 %49, label %50, label %64

50:                                               ; preds = %2, %124
  %51 = phi <2 x double> [ %121, %124 ], [ %43, %2 ]
  %52 = phi <2 x double> [ %120, %124 ], [ %40, %2 ]
  %53 = phi <2 x double> [ %119, %124 ], [ %37, %2 ]
  %54 = phi <2 x double> [ %118, %124 ], [ %34, %2 ]
  %55 = phi <2 x double> [ %117, %124 ], [ %31, %2 ]
  %56 = phi <2 x double> [ %116, %124 ], [ %28, %2 ]
  %57 = phi <2 x double> [ %115, %124 ], [ %25, %2 ]
  %58 = phi <2 x double> [ %114, %124 ], [ %22, %2 ]
  %59 = phi <2 x double> [ %113, %124 ], [ %19, %2 ]
  %60 = phi <2 x double> [ %112, %124 ], [ %16, %2 ]
  %61 = phi <2 x double> [ %111, %124 ], [ %13, %2 ]
  %62 = phi <2 x double> [ %110, %124 ], [ %10, %2 ]
  %63 = phi i64 [ %125, %124 ], [ 0, %2 ]
  br label %96

64:                                               ; preds = %124, %2
  %65 = phi <2 x double> [ %43, %2 ], [ %121, %124 ]
  %66 = phi <2 x double> [ %40, %2 ], [ %120, %124 ]
  %67 = phi <2 x double> [ %37, %2 ], [ %119, %124 ]
  %68 = phi <2 x double> [ %34, %2 ], [ %118, %124 ]
  %69 = phi <2 x double> [ %31, %2 ], [ %117, %124 ]
  %70 = phi <2 x double> [ %28, %2 ], [ %116, %124 ]
  %71 = phi <2 x double> [ %25, %2 ], [ %115, %124 ]
  %72 = phi <2 x double> [ %22, %2 ], [ %114, %124 ]
  %73 = phi <2 x double> [ %19, %2 ], [ %113, %124 ]
  %74 = phi <2 x double> [ %16, %2 ], [ %112, %124 ]
  %75 = phi <2 x double> [ %13, %2 ], [ %111, %124 ]
  %76 = phi <2 x double> [ %10, %2 ], [ %110, %124 ]
  %77 = fadd <2 x double> %75, %76
  %78 = fadd <2 x double> %74, %77
  %79 = fadd <2 x double> %73, %78
  %80 = fadd <2 x double> %72, %79
  %81 = fadd <2 x double> %71, %80
  %82 = fadd <2 x double> %70, %81
  %83 = fadd <2 x double> %69, %82
  %84 = fadd <2 x double> %68, %83
  %85 = fadd <2 x double> %67, %84
  %86 = fadd <2 x double> %66, %85
  %87 = fadd <2 x double> %65, %86
  %88 = shufflevector <2 x double> %87, <2 x double> poison, <2 x i32> <i32 1, i32 poison>
  %89 = fadd <2 x double> %87, %88
  %90 = extractelement <2 x double> %89, i64 0
  %91 = fptrunc double %90 to float
  %92 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %93 = load ptr, ptr %92, align 8
  %94 = shl nsw i64 %1, 7
  %95 = getelementptr inbounds i8, ptr %93, i64 %94
  store float %91, ptr %95, align 4
  ret void

96:                                               ; preds = %50, %96
  %97 = phi <2 x double> [ %51, %50 ], [ %121, %96 ]
  %98 = phi <2 x double> [ %52, %50 ], [ %120, %96 ]
  %99 = phi <2 x double> [ %53, %50 ], [ %119, %96 ]
  %100 = phi <2 x double> [ %54, %50 ], [ %118, %96 ]
  %101 = phi <2 x double> [ %55, %50 ], [ %117, %96 ]
  %102 = phi <2 x double> [ %56, %50 ], [ %116, %96 ]
  %103 = phi <2 x double> [ %57, %50 ], [ %115, %96 ]
  %104 = phi <2 x double> [ %58, %50 ], [ %114, %96 ]
  %105 = phi <2 x double> [ %59, %50 ], [ %113, %96 ]
  %106 = phi <2 x double> [ %60, %50 ], [ %112, %96 ]
  %107 = phi <2 x double> [ %61, %50 ], [ %111, %96 ]
  %108 = phi <2 x double> [ %62, %50 ], [ %110, %96 ]
  %109 = phi i32 [ 0, %50 ], [ %122, %96 ]
  %110 = tail call <2 x double> @llvm.fmuladd.v2f64(<2 x double> %108, <2 x double> %47, <2 x double> %10)
  %111 = tail call <2 x double> @llvm.fmuladd.v2f64(<2 x double> %107, <2 x double> %47, <2 x double> %10)
  %112 = tail call <2 x double> @llvm.fmuladd.v2f64(<2 x double> %106, <2 x double> %47, <2 x double> %10)
  %113 = tail call <2 x double> @llvm.fmuladd.v2f64(<2 x double> %105, <2 x double> %47, <2 x double> %10)
  %114 = tail call <2 x double> @llvm.fmuladd.v2f64(<2 x double> %104, <2 x double> %47, <2 x double> %10)
  %115 = tail call <2 x double> @llvm.fmuladd.v2f64(<2 x double> %103, <2 x double> %47, <2 x double> %10)
  %116 = tail call <2 x double> @llvm.fmuladd.v2f64(<2 x double> %102, <2 x double> %47, <2 x double> %10)
  %117 = tail call <2 x double> @llvm.fmuladd.v2f64(<2 x double> %101, <2 x double> %47, <2 x double> %10)
  %118 = tail call <2 x double> @llvm.fmuladd.v2f64(<2 x double> %100, <2 x double> %47, <2 x double> %10)
  %119 = tail call <2 x double> @llvm.fmuladd.v2f64(<2 x double> %99, <2 x double> %47, <2 x double> %10)
  %120 = tail call <2 x double> @llvm.fmuladd.v2f64(<2 x double> %98, <2 x double> %47, <2 x double> %10)
  %121 = tail call <2 x double> @llvm.fmuladd.v2f64(<2 x double> %97, <2 x double> %47, <2 x double> %10)
  %122 = add nuw nsw i32 %109, 1
  %123 = icmp eq i32 %122, 4
  br i1 %123, label %124, label %96, !llvm.loop !8

124:                                              ; preds = %96
  %125 = add nuw nsw i64 %63, 1
  %126 = icmp eq i64 %125, %48
  br i1 %126, label %64, label %50, !llvm.loop !9
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <2 x double> @llvm.fmuladd.v2f64(<2 x double>, <2 x double>, <2 x double>) #4

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define void @penstock_probe_read_lanes4(ptr noundef readonly captures(none) %0, i64 noundef %1) local_unnamed_addr #5 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %4 = load i64, ptr %3, align 8
  %5 = sdiv i64 %4, 16
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = mul nsw i64 %4, %1
  %9 = getelementptr inbounds i8, ptr %7, i64 %8
  %10 = load i64, ptr %0, align 8
  %11 = icmp sgt i64 %10, 0
  br i1 %11, label %12, label %32

12:                                               ; preds = %2
  %13 = icmp slt i64 %4, 128
  br label %14

14:                                               ; preds = %12, %78
  %15 = phi <4 x float> [ zeroinitializer, %12 ], [ %79, %78 ]
  %16 = phi <4 x float> [ zeroinitializer, %12 ], [ %80, %78 ]
  %17 = phi <4 x float> [ zeroinitializer, %12 ], [ %81, %78 ]
  %18 = phi <4 x float> [ zeroinitializer, %12 ], [ %82, %78 ]
  %19 = phi <4 x float> [ zeroinitializer, %12 ], [ %83, %78 ]
  %20 = phi <4 x float> [ zeroinitializer, %12 ], [ %84, %78 ]
  %21 = phi <4 x float> [ zeroinitializer, %12 ], [ %85, %78 ]
  %22 = phi <4 x float> [ zeroinitializer, %12 ], [ %86, %78 ]
  %23 = phi i64 [ 0, %12 ], [ %87, %78 ]
  br i1 %13, label %78, label %41

24:                                               ; preds = %78
  %25 = fadd <4 x float> %85, %86
  %26 = fadd <4 x float> %84, %25
  %27 = fadd <4 x float> %83, %26
  %28 = fadd <4 x float> %82, %27
  %29 = fadd <4 x float> %81, %28
  %30 = fadd <4 x float> %80, %29
  %31 = fadd <4 x float> %79, %30
  br label %32

32:                                               ; preds = %24, %2
  %33 = phi <4 x float> [ %31, %24 ], [ zeroinitializer, %2 ]
  %34 = shufflevector <4 x float> %33, <4 x float> poison, <4 x i32> <i32 1, i32 poison, i32 poison, i32 poison>
  %35 = fadd <4 x float> %33, %34
  %36 = extractelement <4 x float> %35, i64 0
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %38 = load ptr, ptr %37, align 8
  %39 = shl nsw i64 %1, 7
  %40 = getelementptr inbounds i8, ptr %38, i64 %39
  store float %36, ptr %40, align 4
  ret void

41:                                               ; preds = %14, %41
  %42 = phi <4 x float> [ %75, %41 ], [ %15, %14 ]
  %43 = phi <4 x float> [ %72, %41 ], [ %16, %14 ]
  %44 = phi <4 x float> [ %69, %41 ], [ %17, %14 ]
  %45 = phi <4 x float> [ %66, %41 ], [ %18, %14 ]
  %46 = phi <4 x float> [ %63, %41 ], [ %19, %14 ]
  %47 = phi <4 x float> [ %60, %41 ], [ %20, %14 ]
  %48 = phi <4 x float> [ %57, %41 ], [ %21, %14 ]
  %49 = phi <4 x float> [ %54, %41 ], [ %22, %14 ]
  %50 = phi i64 [ %76, %41 ], [ 8, %14 ]
  %51 = phi i64 [ %50, %41 ], [ 0, %14 ]
  %52 = getelementptr inbounds nuw <4 x float>, ptr %9, i64 %51
  %53 = load <4 x float>, ptr %52, align 16
  %54 = fadd <4 x float> %53, %49
  %55 = getelementptr inbounds nuw i8, ptr %52, i64 16
  %56 = load <4 x float>, ptr %55, align 16
  %57 = fadd <4 x float> %56, %48
  %58 = getelementptr inbounds nuw i8, ptr %52, i64 32
  %59 = load <4 x float>, ptr %58, align 16
  %60 = fadd <4 x float> %59, %47
  %61 = getelementptr inbounds nuw i8, ptr %52, i64 48
  %62 = load <4 x float>, ptr %61, align 16
  %63 = fadd <4 x float> %62, %46
  %64 = getelementptr inbounds nuw i8, ptr %52, i64 64
  %65 = load <4 x float>, ptr %64, align 16
  %66 = fadd <4 x float> %65, %45
  %67 = getelementptr inbounds nuw i8, ptr %52, i64 80
  %68 = load <4 x float>, ptr %67, align 16
  %69 = fadd <4 x float> %68, %44
  %70 = getelementptr inbounds nuw i8, ptr %52, i64 96
  %71 = load <4 x float>, ptr %70, align 16
  %72 = fadd <4 x float> %71, %43
  %73 = getelementptr inbounds nuw i8, ptr %52, i64 112
  %74 = load <4 x float>, ptr %73, align 16
  %75 = fadd <4 x float> %74, %42
  %76 = add nuw nsw i64 %50, 8
  %77 = icmp sgt i64 %76, %5
  br i1 %77, label %78, label %41, !llvm.loop !10

78:                                               ; preds = %41, %14
  %79 = phi <4 x float> [ %15, %14 ], [ %75, %41 ]
  %80 = phi <4 x float> [ %16, %14 ], [ %72, %41 ]
  %81 = phi <4 x float> [ %17, %14 ], [ %69, %41 ]
  %82 = phi <4 x float> [ %18, %14 ], [ %66, %41 ]
  %83 = phi <4 x float> [ %19, %14 ], [ %63, %41 ]
  %84 = phi <4 x float> [ %20, %14 ], [ %60, %41 ]
  %85 = phi <4 x float> [ %21, %14 ], [ %57, %41 ]
  %86 = phi <4 x float> [ %22, %14 ], [ %54, %41 ]
  %87 = add nuw nsw i64 %23, 1
  %88 = icmp eq i64 %87, %10
  br i1 %88, label %24, label %14, !llvm.loop !11
}

; Function Attrs: nofree norecurse nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define void @penstock_probe_multiply_lanes8(ptr noundef readonly captures(none) %0, i64 noundef %1) local_unnamed_addr #6 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %4 = load float, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 36
  %6 = load float, ptr %5, align 4
  %7 = fadd float %6, 0.000000e+00
  %8 = insertelement <8 x float> poison, float %7, i64 0
  %9 = shufflevector <8 x float> %8, <8 x float> poison, <8 x i32> zeroinitializer
  %10 = fadd float %7, 1.000000e+00
  %11 = insertelement <8 x float> poison, float %10, i64 0
  %12 = shufflevector <8 x float> %11, <8 x float> poison, <8 x i32> zeroinitializer
  %13 = fadd float %7, 2.000000e+00
  %14 = insertelement <8 x float> poison, float %13, i64 0
  %15 = shufflevector <8 x float> %14, <8 x float> poison, <8 x i32> zeroinitializer
  %16 = fadd float %7, 3.000000e+00
  %17 = insertelement <8 x float> poison, float %16, i64 0
  %18 = shufflevector <8 x float> %17, <8 x float> poison, <8 x i32> zeroinitializer
  %19 = fadd float %7, 4.000000e+00
  %20 = insertelement <8 x float> poison, float %19, i64 0
  %21 = shufflevector <8 x float> %20, <8 x float> poison, <8 x i32> zeroinitializer
  %22 = fadd float %7, 5.000000e+00
  %23 = insertelement <8 x float> poison, float %22, i64 0
  %24 = shufflevector <8 x float> %23, <8 x float> poison, <8 x i32> zeroinitializer
  %25 = fadd float %7, 6.000000e+00
  %26 = insertelement <8 x float> poison, float %25, i64 0
  %27 = shufflevector <8 x float> %26, <8 x float> poison, <8 x i32> zeroinitializer
  %28 = fadd float %7, 7.000000e+00
  %29 = insertelement <8 x float> poison, float %28, i64 0
  %30 = shufflevector <8 x float> %29, <8 x float> poison, <8 x i32> zeroinitializer
  %31 = fadd float %7, 8.000000e+00
  %32 = insertelement <8 x float> poison, float %31, i64 0
  %33 = shufflevector <8 x float> %32, <8 x float> poison, <8 x i32> zeroinitializer
  %34 = fadd float %7, 9.000000e+00
  %35 = insertelement <8 x float> poison, float %34, i64 0
  %36 = shufflevector <8 x float> %35, <8 x float> poison, <8 x i32> zeroinitializer
  %37 = fadd float %7, 1.000000e+01
  %38 = insertelement <8 x float> poison, float %37, i64 0
  %39 = shufflevector <8 x float> %38, <8 x float> poison, <8 x i32> zeroinitializer
  %40 = fadd float %7, 1.100000e+01
  %41 = insertelement <8 x float> poison, float %40, i64 0
  %42 = shufflevector <8 x float> %41, <8 x float> poison, <8 x i32> zeroinitializer
  %43 = fadd float %4, 0.000000e+00
  %44 = insertelement <8 x float> poison, float %43, i64 0
  %45 = shufflevector <8 x float> %44, <8 x float> poison, <8 x i32> zeroinitializer
  %46 = load i64, ptr %0, align 8
  %47 = icmp sgt i64 %46, 0
  br i1 %47, label %48, label %62

48:                                               ; preds = %2, %121
  %49 = phi <8 x float> [ %118, %121 ], [ %42, %2 ]
  %50 = phi <8 x float> [ %117, %121 ], [ %39, %2 ]
  %51 = phi <8 x float> [ %116, %121 ], [ %36, %2 ]
  %52 = phi <8 x float> [ %115, %121 ], [ %33, %2 ]
  %53 = phi <8 x float> [ %114, %121 ], [ %30, %2 ]
  %54 = phi <8 x float> [ %113, %121 ], [ %27, %2 ]
  %55 = phi <8 x float> [ %112, %121 ], [ %24, %2 ]
  %56 = phi <8 x float> [ %111, %121 ], [ %21, %2 ]
  %57 = phi <8 x float> [ %110, %121 ], [ %18, %2 ]
  %58 = phi <8 x float> [ %109, %121 ], [ %15, %2 ]
  %59 = phi <8 x float> [ %108, %121 ], [ %12, %2 ]
  %60 = phi <8 x float> [ %107, %121 ], [ %9, %2 ]
  %61 = phi i64 [ %122, %121 ], [ 0, %2 ]
  br label %93

62:                                               ; preds = %121, %2
  %63 = phi <8 x float> [ %42, %2 ], [ %118, %121 ]
  %64 = phi <8 x float> [ %39, %2 ], [ %117, %121 ]
  %65 = phi <8 x float> [ %36, %2 ], [ %116, %121 ]
  %66 = phi <8 x float> [ %33, %2 ], [ %115, %121 ]
  %67 = phi <8 x float> [ %30, %2 ], [ %114, %121 ]
  %68 = phi <8 x float> [ %27, %2 ], [ %113, %121 ]
  %69 = phi <8 x float> [ %24, %2 ], [ %112, %121 ]
  %70 = phi <8 x float> [ %21, %2 ], [ %111, %121 ]
  %71 = phi <8 x float> [ %18, %2 ], [ %110, %121 ]
  %72 = phi <8 x float> [ %15, %2 ], [ %109, %121 ]
  %73 = phi <8 x float> [ %12, %2 ], [ %108, %121 ]
  %74 = phi <8 x float> [ %9, %2 ], [ %107, %121 ]
  %75 = fadd <8 x float> %73, %74
  %76 = fadd <8 x float> %72, %75
  %77 = fadd <8 x float> %71, %76
  %78 = fadd <8 x float> %70, %77
  %79 = fadd <8 x float> %69, %78
  %80 = fadd <8 x float> %68, %79
  %81 = fadd <8 x float> %67, %80
  %82 = fadd <8 x float> %66, %81
  %83 = fadd <8 x float> %65, %82
  %84 = fadd <8 x float> %64, %83
  %85 = fadd <8 x float> %63, %84
  %86 = shufflevector <8 x float> %85, <8 x float> poison, <8 x i32> <i32 1, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %87 = fadd <8 x float> %85, %86
  %88 = extractelement <8 x float> %87, i64 0
  %89 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %90 = load ptr, ptr %89, align 8
  %91 = shl nsw i64 %1, 7
  %92 = getelementptr inbounds i8, ptr %90, i64 %91
  store float %88, ptr %92, align 4
  ret void

93:                                               ; preds = %48, %93
  %94 = phi <8 x float> [ %49, %48 ], [ %118, %93 ]
  %95 = phi <8 x float> [ %50, %48 ], [ %117, %93 ]
  %96 = phi <8 x float> [ %51, %48 ], [ %116, %93 ]
  %97 = phi <8 x float> [ %52, %48 ], [ %115, %93 ]
  %98 = phi <8 x float> [ %53, %48 ], [ %114, %93 ]
  %99 = phi <8 x float> [ %54, %48 ], [ %113, %93 ]
  %100 = phi <8 x float> [ %55, %48 ], [ %112, %93 ]
  %101 = phi <8 x float> [ %56, %48 ], [ %111, %93 ]
  %102 = phi <8 x float> [ %57, %48 ], [ %110, %93 ]
  %103 = phi <8 x float> [ %58, %48 ], [ %109, %93 ]
  %104 = phi <8 x float> [ %59, %48 ], [ %108, %93 ]
  %105 = phi <8 x float> [ %60, %48 ], [ %107, %93 ]
  %106 = phi i32 [ 0, %48 ], [ %119, %93 ]
  %107 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %105, <8 x float> %45, <8 x float> %9)
  %108 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %104, <8 x float> %45, <8 x float> %9)
  %109 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %103, <8 x float> %45, <8 x float> %9)
  %110 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %102, <8 x float> %45, <8 x float> %9)
  %111 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %101, <8 x float> %45, <8 x float> %9)
  %112 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %100, <8 x float> %45, <8 x float> %9)
  %113 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %99, <8 x float> %45, <8 x float> %9)
  %114 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %98, <8 x float> %45, <8 x float> %9)
  %115 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %97, <8 x float> %45, <8 x float> %9)
  %116 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %96, <8 x float> %45, <8 x float> %9)
  %117 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %95, <8 x float> %45, <8 x float> %9)
  %118 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %94, <8 x float> %45, <8 x float> %9)
  %119 = add nuw nsw i32 %106, 1
  %120 = icmp eq i32 %119, 4
  br i1 %120, label %121, label %93, !llvm.loop !12

121:                                              ; preds = %93
  %122 = add nuw nsw i64 %61, 1
  %123 = icmp eq i64 %122, %46
  br i1 %123, label %62, label %48, !llvm.loop !13
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x float> @llvm.fmuladd.v8f32(<8 x float>, <8 x float>, <8 x float>) #4

; Function Attrs: nofree norecurse nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define void @penstock_probe_multiply_doubles_lanes8(ptr noundef readonly captures(none) %0, i64 noundef %1) local_unnamed_addr #6 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %4 = load float, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 36
  %6 = load float, ptr %5, align 4
  %7 = fpext float %6 to double
  %8 = fadd double %7, 0.000000e+00
  %9 = insertelement <4 x double> poison, double %8, i64 0
  %10 = shufflevector <4 x double> %9, <4 x double> poison, <4 x i32> zeroinitializer
  %11 = fadd double %8, 1.000000e+00
  %12 = insertelement <4 x double> poison, double %11, i64 0
  %13 = shufflevector <4 x double> %12, <4 x double> poison, <4 x i32> zeroinitializer
  %14 = fadd double %8, 2.000000e+00
  %15 = insertelement <4 x double> poison, double %14, i64 0
  %16 = shufflevector <4 x double> %15, <4 x double> poison, <4 x i32> zeroinitializer
  %17 = fadd double %8, 3.000000e+00
  %18 = insertelement <4 x double> poison, double %17, i64 0
  %19 = shufflevector <4 x double> %18, <4 x double> poison, <4 x i32> zeroinitializer
  %20 = fadd double %8, 4.000000e+00
  %21 = insertelement <4 x double> poison, double %20, i64 0
  %22 = shufflevector <4 x double> %21, <4 x double> poison, <4 x i32> zeroinitializer
  %23 = fadd double %8, 5.000000e+00
  %24 = insertelement <4 x double> poison, double %23, i64 0
  %25 = shufflevector <4 x double> %24, <4 x double> poison, <4 x i32> zeroinitializer
  %26 = fadd double %8, 6.000000e+00
  %27 = insertelement <4 x double> poison, double %26, i64 0
  %28 = shufflevector <4 x double> %27, <4 x double> poison, <4 x i32> zeroinitializer
  %29 = fadd double %8, 7.000000e+00
  %30 = insertelement <4 x double> poison, double %29, i64 0
  %31 = shufflevector <4 x double> %30, <4 x double> poison, <4 x i32> zeroinitializer
  %32 = fadd double %8, 8.000000e+00
  %33 = insertelement <4 x double> poison, double %32, i64 0
  %34 = shufflevector <4 x double> %33, <4 x double> poison, <4 x i32> zeroinitializer
  %35 = fadd double %8, 9.000000e+00
  %36 = insertelement <4 x double> poison, double %35, i64 0
  %37 = shufflevector <4 x double> %36, <4 x double> poison, <4 x i32> zeroinitializer
  %38 = fadd double %8, 1.000000e+01
  %39 = insertelement <4 x double> poison, double %38, i64 0
  %40 = shufflevector <4 x double> %39, <4 x double> poison, <4 x i32> zeroinitializer
  %41 = fadd double %8, 1.100000e+01
  %42 = insertelement <4 x double> poison, double %41, i64 0
  %43 = shufflevector <4 x double> %42, <4 x double> poison, <4 x i32> zeroinitializer
  %44 = fpext float %4 to double
  %45 = fadd double %44, 0.000000e+00
  %46 = insertelement <4 x double> poison, double %45, i64 0
  %47 = shufflevector <4 x double> %46, <4 x double> poison, <4 x i32> zeroinitializer
  %48 = load i64, ptr %0, align 8
  %49 = icmp sgt i64 %48, 0
  br i1 %49, label %50, label %64

50:                                               ; preds = %2, %124
  %51 = phi <4 x double> [ %121, %124 ], [ %43, %2 ]
  %52 = phi <4 x double> [ %120, %124 ], [ %40, %2 ]
  %53 = phi <4 x double> [ %119, %124 ], [ %37, %2 ]
  %54 = phi <4 x double> [ %118, %124 ], [ %34, %2 ]
  %55 = phi <4 x double> [ %117, %124 ], [ %31, %2 ]
  %56 = phi <4 x double> [ %116, %124 ], [ %28, %2 ]
  %57 = phi <4 x double> [ %115, %124 ], [ %25, %2 ]
  %58 = phi <4 x double> [ %114, %124 ], [ %22, %2 ]
  %59 = phi <4 x double> [ %113, %124 ], [ %19, %2 ]
  %60 = phi <4 x double> [ %112, %124 ], [ %16, %2 ]
  %61 = phi <4 x double> [ %111, %124 ], [ %13, %2 ]
  %62 = phi <4 x double> [ %110, %124 ], [ %10, %2 ]
  %63 = phi i64 [ %125, %124 ], [ 0, %2 ]
  br label %96

64:                                               ; preds = %124, %2
  %65 = phi <4 x double> [ %43, %2 ], [ %121, %124 ]
  %66 = phi <4 x double> [ %40, %2 ], [ %120, %124 ]
  %67 = phi <4 x double> [ %37, %2 ], [ %119, %124 ]
  %68 = phi <4 x double> [ %34, %2 ], [ %118, %124 ]
  %69 = phi <4 x double> [ %31, %2 ], [ %117, %124 ]
  %70 = phi <4 x double> [ %28, %2 ], [ %116, %124 ]
  %71 = phi <4 x double> [ %25, %2 ], [ %115, %124 ]
  %72 = phi <4 x double> [ %22, %2 ], [ %114, %124 ]
  %73 = phi <4 x double> [ %19, %2 ], [ %113, %124 ]
  %74 = phi <4 x double> [ %16, %2 ], [ %112, %124 ]
  %75 = phi <4 x double> [ %13, %2 ], [ %111, %124 ]
  %76 = phi <4 x double> [ %10, %2 ], [ %110, %124 ]
  %77 = fadd <4 x double> %75, %76
  %78 = fadd <4 x double> %74, %77
  %79 = fadd <4 x double> %73, %78
  %80 = fadd <4 x double> %72, %79
  %81 = fadd <4 x double> %71, %80
  %82 = fadd <4 x double> %70, %81
  %83 = fadd <4 x double> %69, %82
  %84 = fadd <4 x double> %68, %83
  %85 = fadd <4 x double> %67, %84
  %86 = fadd <4 x double> %66, %85
  %87 = fadd <4 x double> %65, %86
  %88 = shufflevector <4 x double> %87, <4 x double> poison, <4 x i32> <i32 1, i32 poison, i32 poison, i32 poison>
  %89 = fadd <4 x double> %87, %88
  %90 = extractelement <4 x double> %89, i64 0
  %91 = fptrunc double %90 to float
  %92 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %93 = load ptr, ptr %92, align 8
  %94 = shl nsw i64 %1, 7
  %95 = getelementptr inbounds i8, ptr %93, i64 %94
  store float %91, ptr %95, align 4
  ret void

96:                                               ; preds = %50, %96
  %97 = phi <4 x double> [ %51, %50 ], [ %121, %96 ]
  %98 = phi <4 x double> [ %52, %50 ], [ %120, %96 ]
  %99 = phi <4 x double> [ %53, %50 ], [ %119, %96 ]
  %100 = phi <4 x double> [ %54, %50 ], [ %118, %96 ]
  %101 = phi <4 x double> [ %55, %50 ], [ %117, %96 ]
  %102 = phi <4 x double> [ %56, %50 ], [ %116, %96 ]
  %103 = phi <4 x double> [ %57, %50 ], [ %115, %96 ]
  %104 = phi <4 x double> [ %58, %50 ], [ %114, %96 ]
  %105 = phi <4 x double> [ %59, %50 ], [ %113, %96 ]
  %106 = phi <4 x double> [ %60, %50 ], [ %112, %96 ]
  %107 = phi <4 x double> [ %61, %50 ], [ %111, %96 ]
  %108 = phi <4 x double> [ %62, %50 ], [ %110, %96 ]
  %109 = phi i32 [ 0, %50 ], [ %122, %96 ]
  %110 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %108, <4 x double> %47, <4 x double> %10)
  %111 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %107, <4 x double> %47, <4 x double> %10)
  %112 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %106, <4 x double> %47, <4 x double> %10)
  %113 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %105, <4 x double> %47, <4 x double> %10)
  %114 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %104, <4 x double> %47, <4 x double> %10)
  %115 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %103, <4 x double> %47, <4 x double> %10)
  %116 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %102, <4 x double> %47, <4 x double> %10)
  %117 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %101, <4 x double> %47, <4 x double> %10)
  %118 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %100, <4 x double> %47, <4 x double> %10)
  %119 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %99, <4 x double> %47, <4 x double> %10)
  %120 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %98, <4 x double> %47, <4 x double> %10)
  %121 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %97, <4 x double> %47, <4 x double> %10)
  %122 = add nuw nsw i32 %109, 1
  %123 = icmp eq i32 %122, 4
  br i1 %123, label %124, label %96, !llvm.loop !14

124:                                              ; preds = %96
  %125 = add nuw nsw i64 %63, 1
  %126 = icmp eq i64 %125, %48
  br i1 %126, label %64, label %50, !llvm.loop !15
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x double> @llvm.fmuladd.v4f64(<4 x double>, <4 x double>, <4 x double>) #4

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define void @penstock_probe_read_lanes8(ptr noundef readonly captures(none) %0, i64 noundef %1) local_unnamed_addr #7 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %4 = load i64, ptr %3, align 8
  %5 = sdiv i64 %4, 32
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = mul nsw i64 %4, %1
  %9 = getelementptr inbounds i8, ptr %7, i64 %8
  %10 = load i64, ptr %0, align 8
  %11 = icmp sgt i64 %10, 0
  br i1 %11, label %12, label %32

12:                                               ; preds = %2
  %13 = icmp slt i64 %4, 256
  br label %14

14:                                               ; preds = %12, %78
  %15 = phi <8 x float> [ zeroinitializer, %12 ], [ %79, %78 ]
  %16 = phi <8 x float> [ zeroinitializer, %12 ], [ %80, %78 ]
  %17 = phi <8 x float> [ zeroinitializer, %12 ], [ %81, %78 ]
  %18 = phi <8 x float> [ zeroinitializer, %12 ], [ %82, %78 ]
  %19 = phi <8 x float> [ zeroinitializer, %12 ], [ %83, %78 ]
  %20 = phi <8 x float> [ zeroinitializer, %12 ], [ %84, %78 ]
  %21 = phi <8 x float> [ zeroinitializer, %12 ], [ %85, %78 ]
  %22 = phi <8 x float> [ zeroinitializer, %12 ], [ %86, %78 ]
  %23 = phi i64 [ 0, %12 ], [ %87, %78 ]
  br i1 %13, label %78, label %41

24:                                               ; preds = %78
  %25 = fadd <8 x float> %85, %86
  %26 = fadd <8 x float> %84, %25
  %27 = fadd <8 x float> %83, %26
  %28 = fadd <8 x float> %82, %27
  %29 = fadd <8 x float> %81, %28
  %30 = fadd <8 x float> %80, %29
  %31 = fadd <8 x float> %79, %30
  br label %32

32:                                               ; preds = %24, %2
  %33 = phi <8 x float> [ %31, %24 ], [ zeroinitializer, %2 ]
  %34 = shufflevector <8 x float> %33, <8 x float> poison, <8 x i32> <i32 1, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %35 = fadd <8 x float> %33, %34
  %36 = extractelement <8 x float> %35, i64 0
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %38 = load ptr, ptr %37, align 8
  %39 = shl nsw i64 %1, 7
  %40 = getelementptr inbounds i8, ptr %38, i64 %39
  store float %36, ptr %40, align 4
  ret void

41:                                               ; preds = %14, %41
  %42 = phi <8 x float> [ %75, %41 ], [ %15, %14 ]
  %43 = phi <8 x float> [ %72, %41 ], [ %16, %14 ]
  %44 = phi <8 x float> [ %69, %41 ], [ %17, %14 ]
  %45 = phi <8 x float> [ %66, %41 ], [ %18, %14 ]
  %46 = phi <8 x float> [ %63, %41 ], [ %19, %14 ]
  %47 = phi <8 x float> [ %60, %41 ], [ %20, %14 ]
  %48 = phi <8 x float> [ %57, %41 ], [ %21, %14 ]
  %49 = phi <8 x float> [ %54, %41 ], [ %22, %14 ]
  %50 = phi i64 [ %76, %41 ], [ 8, %14 ]
  %51 = phi i64 [ %50, %41 ], [ 0, %14 ]
  %52 = getelementptr inbounds nuw <8 x float>, ptr %9, i64 %51
  %53 = load <8 x float>, ptr %52, align 32
  %54 = fadd <8 x float> %53, %49
  %55 = getelementptr inbounds nuw i8, ptr %52, i64 32
  %56 = load <8 x float>, ptr %55, align 32
  %57 = fadd <8 x float> %56, %48
  %58 = getelementptr inbounds nuw i8, ptr %52, i64 64
  %59 = load <8 x float>, ptr %58, align 32
  %60 = fadd <8 x float> %59, %47
  %61 = getelementptr inbounds nuw i8, ptr %52, i64 96
  %62 = load <8 x float>, ptr %61, align 32
  %63 = fadd <8 x float> %62, %46
  %64 = getelementptr inbounds nuw i8, ptr %52, i64 128
  %65 = load <8 x float>, ptr %64, align 32
  %66 = fadd <8 x float> %65, %45
  %67 = getelementptr inbounds nuw i8, ptr %52, i64 160
  %68 = load <8 x float>, ptr %67, align 32
  %69 = fadd <8 x float> %68, %44
  %70 = getelementptr inbounds nuw i8, ptr %52, i64 192
  %71 = load <8 x float>, ptr %70, align 32
  %72 = fadd <8 x float> %71, %43
  %73 = getelementptr inbounds nuw i8, ptr %52, i64 224
  %74 = load <8 x float>, ptr %73, align 32
  %75 = fadd <8 x float> %74, %42
  %76 = add nuw nsw i64 %50, 8
  %77 = icmp sgt i64 %76, %5
  br i1 %77, label %78, label %41, !llvm.loop !16

78:                                               ; preds = %41, %14
  %79 = phi <8 x float> [ %15, %14 ], [ %75, %41 ]
  %80 = phi <8 x float> [ %16, %14 ], [ %72, %41 ]
  %81 = phi <8 x float> [ %17, %14 ], [ %69, %41 ]
  %82 = phi <8 x float> [ %18, %14 ], [ %66, %41 ]
  %83 = phi <8 x float> [ %19, %14 ], [ %63, %41 ]
  %84 = phi <8 x float> [ %20, %14 ], [ %60, %41 ]
  %85 = phi <8 x float> [ %21, %14 ], [ %57, %41 ]
  %86 = phi <8 x float> [ %22, %14 ], [ %54, %41 ]
  %87 = add nuw nsw i64 %23, 1
  %88 = icmp eq i64 %87, %10
  br i1 %88, label %24, label %14, !llvm.loop !17
}

; Function Attrs: nofree norecurse nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define void @penstock_probe_multiply_lanes16(ptr noundef readonly captures(none) %0, i64 noundef %1) local_unnamed_addr #8 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %4 = load float, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 36
  %6 = load float, ptr %5, align 4
  %7 = fadd float %6, 0.000000e+00
  %8 = insertelement <16 x float> poison, float %7, i64 0
  %9 = shufflevector <16 x float> %8, <16 x float> poison, <16 x i32> zeroinitializer
  %10 = fadd float %7, 1.000000e+00
  %11 = insertelement <16 x float> poison, float %10, i64 0
  %12 = shufflevector <16 x float> %11, <16 x float> poison, <16 x i32> zeroinitializer
  %13 = fadd float %7, 2.000000e+00
  %14 = insertelement <16 x float> poison, float %13, i64 0
  %15 = shufflevector <16 x float> %14, <16 x float> poison, <16 x i32> zeroinitializer
  %16 = fadd float %7, 3.000000e+00
  %17 = insertelement <16 x float> poison, float %16, i64 0
  %18 = shufflevector <16 x float> %17, <16 x float> poison, <16 x i32> zeroinitializer
  %19 = fadd float %7, 4.000000e+00
  %20 = insertelement <16 x float> poison, float %19, i64 0
  %21 = shufflevector <16 x float> %20, <16 x float> poison, <16 x i32> zeroinitializer
  %22 = fadd float %7, 5.000000e+00
  %23 = insertelement <16 x float> poison, float %22, i64 0
  %24 = shufflevector <16 x float> %23, <16 x float> poison, <16 x i32> zeroinitializer
  %25 = fadd float %7, 6.000000e+00
  %26 = insertelement <16 x float> poison, float %25, i64 0
  %27 = shufflevector <16 x float> %26, <16 x float> poison, <16 x i32> zeroinitializer
  %28 = fadd float %7, 7.000000e+00
  %29 = insertelement <16 x float> poison, float %28, i64 0
  %30 = shufflevector <16 x float> %29, <16 x float> poison, <16 x i32> zeroinitializer
  %31 = fadd float %7, 8.000000e+00
  %32 = insertelement <16 x float> poison, float %31, i64 0
  %33 = shufflevector <16 x float> %32, <16 x float> poison, <16 x i32> zeroinitializer
  %34 = fadd float %7, 9.000000e+00
  %35 = insertelement <16 x float> poison, float %34, i64 0
  %36 = shufflevector <16 x float> %35, <16 x float> poison, <16 x i32> zeroinitializer
  %37 = fadd float %7, 1.000000e+01
  %38 = insertelement <16 x float> poison, float %37, i64 0
  %39 = shufflevector <16 x float> %38, <16 x float> poison, <16 x i32> zeroinitializer
  %40 = fadd float %7, 1.100000e+01
  %41 = insertelement <16 x float> poison, float %40, i64 0
  %42 = shufflevector <16 x float> %41, <16 x float> poison, <16 x i32> zeroinitializer
  %43 = fadd float %4, 0.000000e+00
  %44 = insertelement <16 x float> poison, float %43, i64 0
  %45 = shufflevector <16 x float> %44, <16 x float> poison, <16 x i32> zeroinitializer
  %46 = load i64, ptr %0, align 8
  %47 = icmp sgt i64 %46, 0
  br i1 %47, label %48, label %62

48:                                               ; preds = %2, %121
  %49 = phi <16 x float> [ %118, %121 ], [ %42, %2 ]
  %50 = phi <16 x float> [ %117, %121 ], [ %39, %2 ]
  %51 = phi <16 x float> [ %116, %121 ], [ %36, %2 ]
  %52 = phi <16 x float> [ %115, %121 ], [ %33, %2 ]
  %53 = phi <16 x float> [ %114, %121 ], [ %30, %2 ]
  %54 = phi <16 x float> [ %113, %121 ], [ %27, %2 ]
  %55 = phi <16 x float> [ %112, %121 ], [ %24, %2 ]
  %56 = phi <16 x float> [ %111, %121 ], [ %21, %2 ]
  %57 = phi <16 x float> [ %110, %121 ], [ %18, %2 ]
  %58 = phi <16 x float> [ %109, %121 ], [ %15, %2 ]
  %59 = phi <16 x float> [ %108, %121 ], [ %12, %2 ]
  %60 = phi <16 x float> [ %107, %121 ], [ %9, %2 ]
  %61 = phi i64 [ %122, %121 ], [ 0, %2 ]
  br label %93

62:                                               ; preds = %121, %2
  %63 = phi <16 x float> [ %42, %2 ], [ %118, %121 ]
  %64 = phi <16 x float> [ %39, %2 ], [ %117, %121 ]
  %65 = phi <16 x float> [ %36, %2 ], [ %116, %121 ]
  %66 = phi <16 x float> [ %33, %2 ], [ %115, %121 ]
  %67 = phi <16 x float> [ %30, %2 ], [ %114, %121 ]
  %68 = phi <16 x float> [ %27, %2 ], [ %113, %121 ]
  %69 = phi <16 x float> [ %24, %2 ], [ %112, %121 ]
  %70 = phi <16 x float> [ %21, %2 ], [ %111, %121 ]
  %71 = phi <16 x float> [ %18, %2 ], [ %110, %121 ]
  %72 = phi <16 x float> [ %15, %2 ], [ %109, %121 ]
  %73 = phi <16 x float> [ %12, %2 ], [ %108, %121 ]
  %74 = phi <16 x float> [ %9, %2 ], [ %107, %121 ]
  %75 = fadd <16 x float> %73, %74
  %76 = fadd <16 x float> %72, %75
  %77 = fadd <16 x float> %71, %76
  %78 = fadd <16 x float> %70, %77
  %79 = fadd <16 x float> %69, %78
  %80 = fadd <16 x float> %68, %79
  %81 = fadd <16 x float> %67, %80
  %82 = fadd <16 x float> %66, %81
  %83 = fadd <16 x float> %65, %82
  %84 = fadd <16 x float> %64, %83
  %85 = fadd <16 x float> %63, %84
  %86 = shufflevector <16 x float> %85, <16 x float> poison, <16 x i32> <i32 1, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %87 = fadd <16 x float> %85, %86
  %88 = extractelement <16 x float> %87, i64 0
  %89 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %90 = load ptr, ptr %89, align 8
  %91 = shl nsw i64 %1, 7
  %92 = getelementptr inbounds i8, ptr %90, i64 %91
  store float %88, ptr %92, align 4
  ret void

93:                                               ; preds = %48, %93
  %94 = phi <16 x float> [ %49, %48 ], [ %118, %93 ]
  %95 = phi <16 x float> [ %50, %48 ], [ %117, %93 ]
  %96 = phi <16 x float> [ %51, %48 ], [ %116, %93 ]
  %97 = phi <16 x float> [ %52, %48 ], [ %115, %93 ]
  %98 = phi <16 x float> [ %53, %48 ], [ %114, %93 ]
  %99 = phi <16 x float> [ %54, %48 ], [ %113, %93 ]
  %100 = phi <16 x float> [ %55, %48 ], [ %112, %93 ]
  %101 = phi <16 x float> [ %56, %48 ], [ %111, %93 ]
  %102 = phi <16 x float> [ %57, %48 ], [ %110, %93 ]
  %103 = phi <16 x float> [ %58, %48 ], [ %109, %93 ]
  %104 = phi <16 x float> [ %59, %48 ], [ %108, %93 ]
  %105 = phi <16 x float> [ %60, %48 ], [ %107, %93 ]
  %106 = phi i32 [ 0, %48 ], [ %119, %93 ]
  %107 = tail call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %105, <16 x float> %45, <16 x float> %9)
  %108 = tail call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %104, <16 x float> %45, <16 x float> %9)
  %109 = tail call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %103, <16 x float> %45, <16 x float> %9)
  %110 = tail call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %102, <16 x float> %45, <16 x float> %9)
  %111 = tail call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %101, <16 x float> %45, <16 x float> %9)
  %112 = tail call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %100, <16 x float> %45, <16 x float> %9)
  %113 = tail call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %99, <16 x float> %45, <16 x float> %9)
  %114 = tail call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %98, <16 x float> %45, <16 x float> %9)
  %115 = tail call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %97, <16 x float> %45, <16 x float> %9)
  %116 = tail call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %96, <16 x float> %45, <16 x float> %9)
  %117 = tail call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %95, <16 x float> %45, <16 x float> %9)
  %118 = tail call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %94, <16 x float> %45, <16 x float> %9)
  %119 = add nuw nsw i32 %106, 1
  %120 = icmp eq i32 %119, 4
  br i1 %120, label %121, label %93, !llvm.loop !18

121:                                              ; preds = %93
  %122 = add nuw nsw i64 %61, 1
  %123 = icmp eq i64 %122, %46
  br i1 %123, label %62, label %48, !llvm.loop !19
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x float> @llvm.fmuladd.v16f32(<16 x float>, <16 x float>, <16 x float>) #4

; Function Attrs: nofree norecurse nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define void @penstock_probe_multiply_doubles_lanes16(ptr noundef readonly captures(none) %0, i64 noundef %1) local_unnamed_addr #8 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %4 = load float, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 36
  %6 = load float, ptr %5, align 4
  %7 = fpext float %6 to double
  %8 = fadd double %7, 0.000000e+00
  %9 = insertelement <8 x double> poison, double %8, i64 0
  %10 = shufflevector <8 x double> %9, <8 x double> poison, <8 x i32> zeroinitializer
  %11 = fadd double %8, 1.000000e+00
  %12 = insertelement <8 x double> poison, double %11, i64 0
  %13 = shufflevector <8 x double> %12, <8 x double> poison, <8 x i32> zeroinitializer
  %14 = fadd double %8, 2.000000e+00
  %15 = insertelement <8 x double> poison, double %14, i64 0
  %16 = shufflevector <8 x double> %15, <8 x double> poison, <8 x i32> zeroinitializer
  %17 = fadd double %8, 3.000000e+00
  %18 = insertelement <8 x double> poison, double %17, i64 0
  %19 = shufflevector <8 x double> %18, <8 x double> poison, <8 x i32> zeroinitializer
  %20 = fadd double %8, 4.000000e+00
  %21 = insertelement <8 x double> poison, double %20, i64 0
  %22 = shufflevector <8 x double> %21, <8 x double> poison, <8 x i32> zeroinitializer
  %23 = fadd double %8, 5.000000e+00
  %24 = insertelement <8 x double> poison, double %23, i64 0
  %25 = shufflevector <8 x double> %24, <8 x double> poison, <8 x i32> zeroinitializer
  %26 = fadd double %8, 6.000000e+00
  %27 = insertelement <8 x double> poison, double %26, i64 0
  %28 = shufflevector <8 x double> %27, <8 x double> poison, <8 x i32> zeroinitializer
  %29 = fadd double %8, 7.000000e+00
  %30 = insertelement <8 x double> poison, double %29, i64 0
  %31 = shufflevector <8 x double> %30, <8 x double> poison, <8 x i32> zeroinitializer
  %32 = fadd double %8, 8.000000e+00
  %33 = insertelement <8 x double> poison, double %32, i64 0
  %34 = shufflevector <8 x double> %33, <8 x double> poison, <8 x i32> zeroinitializer
  %35 = fadd double %8, 9.000000e+00
  %36 = insertelement <8 x double> poison, double %35, i64 0
  %37 = shufflevector <8 x double> %36, <8 x double> poison, <8 x i32> zeroinitializer
  %38 = fadd double %8, 1.000000e+01
  %39 = insertelement <8 x double> poison, double %38, i64 0
  %40 = shufflevector <8 x double> %39, <8 x double> poison, <8 x i32> zeroinitializer
  %41 = fadd double %8, 1.100000e+01
  %42 = insertelement <8 x double> poison, double %41, i64 0
  %43 = shufflevector <8 x double> %42, <8 x double> poison, <8 x i32> zeroinitializer
  %44 = fpext float %4 to double
  %45 = fadd double %44, 0.000000e+00
  %46 = insertelement <8 x double> poison, double %45, i64 0
  %47 = shufflevector <8 x double> %46, <8 x double> poison, <8 x i32> zeroinitializer
  %48 = load i64, ptr %0, align 8
  %49 = icmp sgt i64 %48, 0
  br i1 %49, label %50, label %64

50:                                               ; preds = %2, %124
  %51 = phi <8 x double> [ %121, %124 ], [ %43, %2 ]
  %52 = phi <8 x double> [ %120, %124 ], [ %40, %2 ]
  %53 = phi <8 x double> [ %119, %124 ], [ %37, %2 ]
  %54 = phi <8 x double> [ %118, %124 ], [ %34, %2 ]
  %55 = phi <8 x double> [ %117, %124 ], [ %31, %2 ]
  %56 = phi <8 x double> [ %116, %124 ], [ %28, %2 ]
  %57 = phi <8 x double> [ %115, %124 ], [ %25, %2 ]
  %58 = phi <8 x double> [ %114, %124 ], [ %22, %2 ]
  %59 = phi <8 x double> [ %113, %124 ], [ %19, %2 ]
  %60 = phi <8 x double> [ %112, %124 ], [ %16, %2 ]
  %61 = phi <8 x double> [ %111, %124 ], [ %13, %2 ]
  %62 = phi <8 x double> [ %110, %124 ], [ %10, %2 ]
  %63 = phi i64 [ %125, %124 ], [ 0, %2 ]
  br label %96

64:                                               ; preds = %124, %2
  %65 = phi <8 x double> [ %43, %2 ], [ %121, %124 ]
  %66 = phi <8 x double> [ %40, %2 ], [ %120, %124 ]
  %67 = phi <8 x double> [ %37, %2 ], [ %119, %124 ]
  %68 = phi <8 x double> [ %34, %2 ], [ %118, %124 ]
  %69 = phi <8 x double> [ %31, %2 ], [ %117, %124 ]
  %70 = phi <8 x double> [ %28, %2 ], [ %116, %124 ]
  %71 = phi <8 x double> [ %25, %2 ], [ %115, %124 ]
  %72 = phi <8 x double> [ %22, %2 ], [ %114, %124 ]
  %73 = phi <8 x double> [ %19, %2 ], [ %113, %124 ]
  %74 = phi <8 x double> [ %16, %2 ], [ %112, %124 ]
  %75 = phi <8 x double> [ %13, %2 ], [ %111, %124 ]
  %76 = phi <8 x double> [ %10, %2 ], [ %110, %124 ]
  %77 = fadd <8 x double> %75, %76
  %78 = fadd <8 x double> %74, %77
  %79 = fadd <8 x double> %73, %78
  %80 = fadd <8 x double> %72, %79
  %81 = fadd <8 x double> %71, %80
  %82 = fadd <8 x double> %70, %81
  %83 = fadd <8 x double> %69, %82
  %84 = fadd <8 x double> %68, %83
  %85 = fadd <8 x double> %67, %84
  %86 = fadd <8 x double> %66, %85
  %87 = fadd <8 x double> %65, %86
  %88 = shufflevector <8 x double> %87, <8 x double> poison, <8 x i32> <i32 1, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %89 = fadd <8 x double> %87, %88
  %90 = extractelement <8 x double> %89, i64 0
  %91 = fptrunc double %90 to float
  %92 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %93 = load ptr, ptr %92, align 8
  %94 = shl nsw i64 %1, 7
  %95 = getelementptr inbounds i8, ptr %93, i64 %94
  store float %91, ptr %95, align 4
  ret void

96:                                               ; preds = %50, %96
  %97 = phi <8 x double> [ %51, %50 ], [ %121, %96 ]
  %98 = phi <8 x double> [ %52, %50 ], [ %120, %96 ]
  %99 = phi <8 x double> [ %53, %50 ], [ %119, %96 ]
  %100 = phi <8 x double> [ %54, %50 ], [ %118, %96 ]
  %101 = phi <8 x double> [ %55, %50 ], [ %117, %96 ]
  %102 = phi <8 x double> [ %56, %50 ], [ %116, %96 ]
  %103 = phi <8 x double> [ %57, %50 ], [ %115, %96 ]
  %104 = phi <8 x double> [ %58, %50 ], [ %114, %96 ]
  %105 = phi <8 x double> [ %59, %50 ], [ %113, %96 ]
  %106 = phi <8 x double> [ %60, %50 ], [ %112, %96 ]
  %107 = phi <8 x double> [ %61, %50 ], [ %111, %96 ]
  %108 = phi <8 x double> [ %62, %50 ], [ %110, %96 ]
  %109 = phi i32 [ 0, %50 ], [ %122, %96 ]
  %110 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %108, <8 x double> %47, <8 x double> %10)
  %111 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %107, <8 x double> %47, <8 x double> %10)
  %112 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %106, <8 x double> %47, <8 x double> %10)
  %113 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %105, <8 x double> %47, <8 x double> %10)
  %114 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %104, <8 x double> %47, <8 x double> %10)
  %115 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %103, <8 x double> %47, <8 x double> %10)
  %116 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %102, <8 x double> %47, <8 x double> %10)
  %117 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %101, <8 x double> %47, <8 x double> %10)
  %118 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %100, <8 x double> %47, <8 x double> %10)
  %119 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %99, <8 x double> %47, <8 x double> %10)
  %120 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %98, <8 x double> %47, <8 x double> %10)
  %121 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %97, <8 x double> %47, <8 x double> %10)
  %122 = add nuw nsw i32 %109, 1
  %123 = icmp eq i32 %122, 4
  br i1 %123, label %124, label %96, !llvm.loop !20

124:                                              ; preds = %96
  %125 = add nuw nsw i64 %63, 1
  %126 = icmp eq i64 %125, %48
  br i1 %126, label %64, label %50, !llvm.loop !21
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x double> @llvm.fmuladd.v8f64(<8 x double>, <8 x double>, <8 x double>) #4

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define void @penstock_probe_read_lanes16(ptr noundef readonly captures(none) %0, i64 noundef %1) local_unnamed_addr #9 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %4 = load i64, ptr %3, align 8
  %5 = sdiv i64 %4, 64
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = mul nsw i64 %4, %1
  %9 = getelementptr inbounds i8, ptr %7, i64 %8
  %10 = load i64, ptr %0, align 8
  %11 = icmp sgt i64 %10, 0
  br i1 %11, label %12, label %32

12:                                               ; preds = %2
  %13 = icmp slt i64 %4, 512
  br label %14

14:                                               ; preds = %12, %78
  %15 = phi <16 x float> [ zeroinitializer, %12 ], [ %79, %78 ]
  %16 = phi <16 x float> [ zeroinitializer, %12 ], [ %80, %78 ]
  %17 = phi <16 x float> [ zeroinitializer, %12 ], [ %81, %78 ]
  %18 = phi <16 x float> [ zeroinitializer, %12 ], [ %82, %78 ]
  %19 = phi <16 x float> [ zeroinitializer, %12 ], [ %83, %78 ]
  %20 = phi <16 x float> [ zeroinitializer, %12 ], [ %84, %78 ]
  %21 = phi <16 x float> [ zeroinitializer, %12 ], [ %85, %78 ]
  %22 = phi <16 x float> [ zeroinitializer, %12 ], [ %86, %78 ]
  %23 = phi i64 [ 0, %12 ], [ %87, %78 ]
  br i1 %13, label %78, label %41

24:                                               ; preds = %78
  %25 = fadd <16 x float> %85, %86
  %26 = fadd <16 x float> %84, %25
  %27 = fadd <16 x float> %83, %26
  %28 = fadd <16 x float> %82, %27
  %29 = fadd <16 x float> %81, %28
  %30 = fadd <16 x float> %80, %29
  %31 = fadd <16 x float> %79, %30
  br label %32

32:                                               ; preds = %24, %2
  %33 = phi <16 x float> [ %31, %24 ], [ zeroinitializer, %2 ]
  %34 = shufflevector <16 x float> %33, <16 x float> poison, <16 x i32> <i32 1, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %35 = fadd <16 x float> %33, %34
  %36 = extractelement <16 x float> %35, i64 0
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %38 = load ptr, ptr %37, align 8
  %39 = shl nsw i64 %1, 7
  %40 = getelementptr inbounds i8, ptr %38, i64 %39
  store float %36, ptr %40, align 4
  ret void

41:                                               ; preds = %14, %41
  %42 = phi <16 x float> [ %75, %41 ], [ %15, %14 ]
  %43 = phi <16 x float> [ %72, %41 ], [ %16, %14 ]
  %44 = phi <16 x float> [ %69, %41 ], [ %17, %14 ]
  %45 = phi <16 x float> [ %66, %41 ], [ %18, %14 ]
  %46 = phi <16 x float> [ %63, %41 ], [ %19, %14 ]
  %47 = phi <16 x float> [ %60, %41 ], [ %20, %14 ]
  %48 = phi <16 x float> [ %57, %41 ], [ %21, %14 ]
  %49 = phi <16 x float> [ %54, %41 ], [ %22, %14 ]
  %50 = phi i64 [ %76, %41 ], [ 8, %14 ]
  %51 = phi i64 [ %50, %41 ], [ 0, %14 ]
  %52 = getelementptr inbounds nuw <16 x float>, ptr %9, i64 %51
  %53 = load <16 x float>, ptr %52, align 64
  %54 = fadd <16 x float> %53, %49
  %55 = getelementptr inbounds nuw i8, ptr %52, i64 64
  %56 = load <16 x float>, ptr %55, align 64
  %57 = fadd <16 x float> %56, %48
  %58 = getelementptr inbounds nuw i8, ptr %52, i64 128
  %59 = load <16 x float>, ptr %58, align 64
  %60 = fadd <16 x float> %59, %47
  %61 = getelementptr inbounds nuw i8, ptr %52, i64 192
  %62 = load <16 x float>, ptr %61, align 64
  %63 = fadd <16 x float> %62, %46
  %64 = getelementptr inbounds nuw i8, ptr %52, i64 256
  %65 = load <16 x float>, ptr %64, align 64
  %66 = fadd <16 x float> %65, %45
  %67 = getelementptr inbounds nuw i8, ptr %52, i64 320
  %68 = load <16 x float>, ptr %67, align 64
  %69 = fadd <16 x float> %68, %44
  %70 = getelementptr inbounds nuw i8, ptr %52, i64 384
  %71 = load <16 x float>, ptr %70, align 64
  %72 = fadd <16 x float> %71, %43
  %73 = getelementptr inbounds nuw i8, ptr %52, i64 448
  %74 = load <16 x float>, ptr %73, align 64
  %75 = fadd <16 x float> %74, %42
  %76 = add nuw nsw i64 %50, 8
  %77 = icmp sgt i64 %76, %5
  br i1 %77, label %78, label %41, !llvm.loop !22

78:                                               ; preds = %41, %14
  %79 = phi <16 x float> [ %15, %14 ], [ %75, %41 ]
  %80 = phi <16 x float> [ %16, %14 ], [ %72, %41 ]
  %81 = phi <16 x float> [ %17, %14 ], [ %69, %41 ]
  %82 = phi <16 x float> [ %18, %14 ], [ %66, %41 ]
  %83 = phi <16 x float> [ %19, %14 ], [ %63, %41 ]
  %84 = phi <16 x float> [ %20, %14 ], [ %60, %41 ]
  %85 = phi <16 x float> [ %21, %14 ], [ %57, %41 ]
  %86 = phi <16 x float> [ %22, %14 ], [ %54, %41 ]
  %87 = add nuw nsw i64 %23, 1
  %88 = icmp eq i64 %87, %10
  br i1 %88, label %24, label %14, !llvm.loop !23
}

; Function Attrs: nofree norecurse nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define void @penstock_probe_multiply_pairs_lanes16(ptr noundef readonly captures(none) %0, i64 noundef %1) local_unnamed_addr #10 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 36
  %4 = load float, ptr %3, align 4
  %5 = fadd float %4, 0.000000e+00
  %6 = insertelement <16 x float> poison, float %5, i64 0
  %7 = shufflevector <16 x float> %6, <16 x float> poison, <16 x i32> zeroinitializer
  %8 = fadd float %5, 1.000000e+00
  %9 = insertelement <16 x float> poison, float %8, i64 0
  %10 = shufflevector <16 x float> %9, <16 x float> poison, <16 x i32> zeroinitializer
  %11 = fadd float %5, 2.000000e+00
  %12 = insertelement <16 x float> poison, float %11, i64 0
  %13 = shufflevector <16 x float> %12, <16 x float> poison, <16 x i32> zeroinitializer
  %14 = fadd float %5, 3.000000e+00
  %15 = insertelement <16 x float> poison, float %14, i64 0
  %16 = shufflevector <16 x float> %15, <16 x float> poison, <16 x i32> zeroinitializer
  %17 = fadd float %5, 4.000000e+00
  %18 = insertelement <16 x float> poison, float %17, i64 0
  %19 = shufflevector <16 x float> %18, <16 x float> poison, <16 x i32> zeroinitializer
  %20 = fadd float %5, 5.000000e+00
  %21 = insertelement <16 x float> poison, float %20, i64 0
  %22 = shufflevector <16 x float> %21, <16 x float> poison, <16 x i32> zeroinitializer
  %23 = fadd float %5, 6.000000e+00
  %24 = insertelement <16 x float> poison, float %23, i64 0
  %25 = shufflevector <16 x float> %24, <16 x float> poison, <16 x i32> zeroinitializer
  %26 = fadd float %5, 7.000000e+00
  %27 = insertelement <16 x float> poison, float %26, i64 0
  %28 = shufflevector <16 x float> %27, <16 x float> poison, <16 x i32> zeroinitializer
  %29 = fadd float %5, 8.000000e+00
  %30 = insertelement <16 x float> poison, float %29, i64 0
  %31 = shufflevector <16 x float> %30, <16 x float> poison, <16 x i32> zeroinitializer
  %32 = fadd float %5, 9.000000e+00
  %33 = insertelement <16 x float> poison, float %32, i64 0
  %34 = shufflevector <16 x float> %33, <16 x float> poison, <16 x i32> zeroinitializer
  %35 = fadd float %5, 1.000000e+01
  %36 = insertelement <16 x float> poison, float %35, i64 0
  %37 = shufflevector <16 x float> %36, <16 x float> poison, <16 x i32> zeroinitializer
  %38 = fadd float %5, 1.100000e+01
  %39 = insertelement <16 x float> poison, float %38, i64 0
  %40 = shufflevector <16 x float> %39, <16 x float> poison, <16 x i32> zeroinitializer
  %41 = load i64, ptr %0, align 8
  %42 = icmp sgt i64 %41, 0
  br i1 %42, label %43, label %65

43:                                               ; preds = %2
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %45 = load float, ptr %44, align 8
  %46 = fadd float %45, 0.000000e+00
  %47 = insertelement <16 x float> poison, float %46, i64 0
  %48 = shufflevector <16 x float> %47, <16 x float> poison, <16 x i32> zeroinitializer
  %49 = bitcast <16 x float> %48 to <32 x bfloat>
  %50 = bitcast <16 x float> %7 to <32 x bfloat>
  br label %51

51:                                               ; preds = %43, %124
  %52 = phi <16 x float> [ %40, %43 ], [ %121, %124 ]
  %53 = phi <16 x float> [ %37, %43 ], [ %120, %124 ]
  %54 = phi <16 x float> [ %34, %43 ], [ %119, %124 ]
  %55 = phi <16 x float> [ %31, %43 ], [ %118, %124 ]
  %56 = phi <16 x float> [ %28, %43 ], [ %117, %124 ]
  %57 = phi <16 x float> [ %25, %43 ], [ %116, %124 ]
  %58 = phi <16 x float> [ %22, %43 ], [ %115, %124 ]
  %59 = phi <16 x float> [ %19, %43 ], [ %114, %124 ]
  %60 = phi <16 x float> [ %16, %43 ], [ %113, %124 ]
  %61 = phi <16 x float> [ %13, %43 ], [ %112, %124 ]
  %62 = phi <16 x float> [ %10, %43 ], [ %111, %124 ]
  %63 = phi <16 x float> [ %7, %43 ], [ %110, %124 ]
  %64 = phi i64 [ 0, %43 ], [ %125, %124 ]
  br label %96

65:                                               ; preds = %124, %2
  %66 = phi <16 x float> [ %40, %2 ], [ %121, %124 ]
  %67 = phi <16 x float> [ %37, %2 ], [ %120, %124 ]
  %68 = phi <16 x float> [ %34, %2 ], [ %119, %124 ]
  %69 = phi <16 x float> [ %31, %2 ], [ %118, %124 ]
  %70 = phi <16 x float> [ %28, %2 ], [ %117, %124 ]
  %71 = phi <16 x float> [ %25, %2 ], [ %116, %124 ]
  %72 = phi <16 x float> [ %22, %2 ], [ %115, %124 ]
  %73 = phi <16 x float> [ %19, %2 ], [ %114, %124 ]
  %74 = phi <16 x float> [ %16, %2 ], [ %113, %124 ]
  %75 = phi <16 x float> [ %13, %2 ], [ %112, %124 ]
  %76 = phi <16 x float> [ %10, %2 ], [ %111, %124 ]
  %77 = phi <16 x float> [ %7, %2 ], [ %110, %124 ]
  %78 = fadd <16 x float> %76, %77
  %79 = fadd <16 x float> %75, %78
  %80 = fadd <16 x float> %74, %79
  %81 = fadd <16 x float> %73, %80
  %82 = fadd <16 x float> %72, %81
  %83 = fadd <16 x float> %71, %82
  %84 = fadd <16 x float> %70, %83
  %85 = fadd <16 x float> %69, %84
  %86 = fadd <16 x float> %68, %85
  %87 = fadd <16 x float> %67, %86
  %88 = fadd <16 x float> %66, %87
  %89 = shufflevector <16 x float> %88, <16 x float> poison, <16 x i32> <i32 1, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %90 = fadd <16 x float> %88, %89
  %91 = extractelement <16 x float> %90, i64 0
  %92 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %93 = load ptr, ptr %92, align 8
  %94 = shl nsw i64 %1, 7
  %95 = getelementptr inbounds i8, ptr %93, i64 %94
  store float %91, ptr %95, align 4
  ret void

96:                                               ; preds = %51, %96
  %97 = phi <16 x float> [ %52, %51 ], [ %121, %96 ]
  %98 = phi <16 x float> [ %53, %51 ], [ %120, %96 ]
  %99 = phi <16 x float> [ %54, %51 ], [ %119, %96 ]
  %100 = phi <16 x float> [ %55, %51 ], [ %118, %96 ]
  %101 = phi <16 x float> [ %56, %51 ], [ %117, %96 ]
  %102 = phi <16 x float> [ %57, %51 ], [ %116, %96 ]
  %103 = phi <16 x float> [ %58, %51 ], [ %115, %96 ]
  %104 = phi <16 x float> [ %59, %51 ], [ %114, %96 ]
  %105 = phi <16 x float> [ %60, %51 ], [ %113, %96 ]
  %106 = phi <16 x float> [ %61, %51 ], [ %112, %96 ]
  %107 = phi <16 x float> [ %62, %51 ], [ %111, %96 ]
  %108 = phi <16 x float> [ %63, %51 ], [ %110, %96 ]
  %109 = phi i32 [ 0, %51 ], [ %122, %96 ]
  %110 = tail call <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float> %108, <32 x bfloat> %49, <32 x bfloat> %50)
  %111 = tail call <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float> %107, <32 x bfloat> %49, <32 x bfloat> %50)
  %112 = tail call <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float> %106, <32 x bfloat> %49, <32 x bfloat> %50)
  %113 = tail call <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float> %105, <32 x bfloat> %49, <32 x bfloat> %50)
  %114 = tail call <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float> %104, <32 x bfloat> %49, <32 x bfloat> %50)
  %115 = tail call <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float> %103, <32 x bfloat> %49, <32 x bfloat> %50)
  %116 = tail call <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float> %102, <32 x bfloat> %49, <32 x bfloat> %50)
  %117 = tail call <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float> %101, <32 x bfloat> %49, <32 x bfloat> %50)
  %118 = tail call <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float> %100, <32 x bfloat> %49, <32 x bfloat> %50)
  %119 = tail call <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float> %99, <32 x bfloat> %49, <32 x bfloat> %50)
  %120 = tail call <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float> %98, <32 x bfloat> %49, <32 x bfloat> %50)
  %121 = tail call <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float> %97, <32 x bfloat> %49, <32 x bfloat> %50)
  %122 = add nuw nsw i32 %109, 1
  %123 = icmp eq i32 %122, 4
  br i1 %123, label %124, label %96, !llvm.loop !24

124:                                              ; preds = %96
  %125 = add nuw nsw i64 %64, 1
  %126 = icmp eq i64 %125, %41
  br i1 %126, label %65, label %51, !llvm.loop !25
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(none)
declare <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float>, <32 x bfloat>, <32 x bfloat>) #11

declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr #12

; Function Attrs: nounwind
define internal void @measured_000(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_001(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_002(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_003(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_010(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_011(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_012(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_013(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_020(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_021(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_022(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_023(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_030(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_031(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_032(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_033(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_100(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_101(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_102(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_103(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_110(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_111(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_112(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_113(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_120(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_121(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_122(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_123(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_130(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_131(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_132(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_133(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_200(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_201(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_202(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_203(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_210(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_211(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_212(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_213(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_220(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_221(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_222(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_223(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_230(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_231(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_232(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_233(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_300(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_301(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_302(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_303(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_310(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_311(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_312(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_313(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_320(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_321(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_322(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_323(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_330(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_331(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_332(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

; Function Attrs: nounwind
define internal void @measured_333(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  tail call fastcc void @measure(ptr noundef %0, i64 noundef %1) #16
  ret void
}

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { noinline nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #3 = { nofree norecurse nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #6 = { nofree norecurse nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+avx,+avx2,+cmov,+crc32,+cx16,+cx8,+fma,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87,+xsave" "tune-cpu"="generic" }
attributes #7 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+avx,+avx2,+cmov,+crc32,+cx16,+cx8,+fma,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87,+xsave" "tune-cpu"="generic" }
attributes #8 = { nofree norecurse nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+avx,+avx2,+avx512f,+cmov,+crc32,+cx16,+cx8,+f16c,+fma,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87,+xsave" "tune-cpu"="generic" }
attributes #9 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+avx,+avx2,+avx512f,+cmov,+crc32,+cx16,+cx8,+f16c,+fma,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87,+xsave" "tune-cpu"="generic" }
attributes #10 = { nofree norecurse nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="512" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+avx,+avx2,+avx512bf16,+avx512bw,+avx512f,+cmov,+crc32,+cx16,+cx8,+f16c,+fma,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87,+xsave" "tune-cpu"="generic" }
attributes #11 = { mustprogress nocallback nofree nosync nounwind willreturn memory(none) }
attributes #12 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #13 = { nounwind }
attributes #14 = { nobuiltin nounwind "no-builtins" }
attributes #15 = { nounwind memory(none) }
attributes #16 = { nobuiltin "no-builtins" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i64 1491}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.mustprogress"}
!5 = distinct !{!5, !4, !6}
!6 = !{!"llvm.loop.unroll.disable"}
!7 = distinct !{!7, !4}
!8 = distinct !{!8, !4, !6}
!9 = distinct !{!9, !4}
!10 = distinct !{!10, !4}
!11 = distinct !{!11, !4}
!12 = distinct !{!12, !4, !6}
!13 = distinct !{!13, !4}
!14 = distinct !{!14, !4, !6}
!15 = distinct !{!15, !4}
!16 = distinct !{!16, !4}
!17 = distinct !{!17, !4}
!18 = distinct !{!18, !4, !6}
!19 = distinct !{!19, !4}
!20 = distinct !{!20, !4, !6}
!21 = distinct !{!21, !4}
!22 = distinct !{!22, !4}
!23 = distinct !{!23, !4}
!24 = distinct !{!24, !4, !6}
!25 = distinct !{!25, !4}
