; pool.c as LLVM text, by clang 22.1.8; `make native` makes it anew.
; sources: 71056bac2ac44f3c5cbdf35ed5277a9a1d081ed877974eeb57f9662bb8482208
; text: 1b7f2c3e1d959ba4b4157bd8444e2414c72e6ca1984e843bcfee66809d50984c
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.anon = type { i64, [120 x i8], i32, i32, [120 x i8], i32, [124 x i8], i32, i32, [120 x i8] }
%struct.share = type { i64, ptr, ptr, i32, i32, [96 x i8] }
%struct.anon.0 = type { ptr, i64 }
%struct.attributes = type { [64 x i8] }
%struct.signals = type { [16 x i64] }

@size = internal unnamed_addr global i32 1, align 4
@patience = internal unnamed_addr global i32 0, align 4
@pool = internal global %struct.anon zeroinitializer, align 128
@.str = private unnamed_addr constant [9 x i8] c"penstock\00", align 1
@shares = internal global [1024 x %struct.share] zeroinitializer, align 128
@ended = internal unnamed_addr global i64 0, align 8
@spared = internal unnamed_addr global i64 0, align 8
@known = internal unnamed_addr global [256 x %struct.anon.0] zeroinitializer, align 16

; Function Attrs: nounwind
define void @penstock_parallel_for(ptr noundef readnone captures(none) %0, ptr noundef %1, ptr noundef %2, i64 noundef %3) local_unnamed_addr #0 {
  %5 = alloca i32, align 4
  %6 = load atomic i32, ptr @size monotonic, align 4
  %7 = icmp ugt i32 %6, 1
  %8 = add i64 %3, -2
  %9 = icmp ult i64 %8, 2147483646
  %10 = and i1 %9, %7
  br i1 %10, label %11, label %153

11:                                               ; preds = %4
  %12 = cmpxchg ptr getelementptr inbounds nuw (i8, ptr @pool, i64 384), i32 0, i32 1 acquire monotonic, align 128
  %13 = extractvalue { i32, i1 } %12, 1
  br i1 %13, label %14, label %155

14:                                               ; preds = %11
  %15 = trunc nuw nsw i64 %3 to i32
  %16 = load atomic i32, ptr @size monotonic, align 4
  %17 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 388) monotonic, align 4
  %18 = add i32 %17, 1
  %19 = icmp ult i32 %18, %16
  br i1 %19, label %20, label %26

20:                                               ; preds = %14
  %21 = load i32, ptr @patience, align 4
  %22 = icmp eq i32 %21, 0
  br i1 %22, label %25, label %23

23:                                               ; preds = %20
  %24 = add nsw i32 %21, -1
  store i32 %24, ptr @patience, align 4
  br label %26

25:                                               ; preds = %20
  tail call fastcc void @create_threads(i32 noundef %16) #10
  br label %26

26:                                               ; preds = %25, %23, %14
  %27 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 388) monotonic, align 4
  %28 = add i32 %27, 1
  %29 = tail call i32 @llvm.umin.i32(i32 %28, i32 %15)
  %30 = tail call i32 @llvm.umin.i32(i32 %29, i32 1024)
  %31 = tail call i64 @llvm.readcyclecounter()
  store atomic i32 %15, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 128) monotonic, align 128
  call void @llvm.lifetime.start.p0(ptr nonnull %5)
  call void @llvm.x86.sse.stmxcsr(ptr nonnull %5)
  %32 = load i32, ptr %5, align 4
  %33 = udiv i32 %15, %30
  %34 = urem i32 %15, %30
  %35 = zext nneg i32 %34 to i64
  %36 = zext nneg i32 %30 to i64
  %37 = and i64 %36, 1
  %38 = icmp eq i32 %29, 1
  br i1 %38, label %70, label %39

39:                                               ; preds = %26
  %40 = and i64 %36, 2046
  br label %41

41:                                               ; preds = %41, %39
  %42 = phi i64 [ 0, %39 ], [ %65, %41 ]
  %43 = phi i64 [ 0, %39 ], [ %66, %41 ]
  %44 = getelementptr inbounds nuw %struct.share, ptr @shares, i64 %42
  %45 = getelementptr inbounds nuw i8, ptr %44, i64 8
  store ptr %1, ptr %45, align 8
  %46 = getelementptr inbounds nuw i8, ptr %44, i64 16
  store ptr %2, ptr %46, align 16
  %47 = getelementptr inbounds nuw i8, ptr %44, i64 24
  store i32 %32, ptr %47, align 8
  %48 = getelementptr inbounds nuw i8, ptr %44, i64 28
  store i32 %30, ptr %48, align 4
  %49 = icmp samesign ult i64 %42, %35
  %50 = zext i1 %49 to i32
  %51 = add nuw i32 %33, %50
  %52 = zext i32 %51 to i64
  %53 = shl nuw i64 %52, 32
  store atomic i64 %53, ptr %44 release, align 128
  %54 = or disjoint i64 %42, 1
  %55 = getelementptr inbounds nuw %struct.share, ptr @shares, i64 %54
  %56 = getelementptr inbounds nuw i8, ptr %55, i64 8
  store ptr %1, ptr %56, align 8
  %57 = getelementptr inbounds nuw i8, ptr %55, i64 16
  store ptr %2, ptr %57, align 16
  %58 = getelementptr inbounds nuw i8, ptr %55, i64 24
  store i32 %32, ptr %58, align 8
  %59 = getelementptr inbounds nuw i8, ptr %55, i64 28
  store i32 %30, ptr %59, align 4
  %60 = icmp samesign ult i64 %54, %35
  %61 = zext i1 %60 to i32
  %62 = add nuw i32 %33, %61
  %63 = zext i32 %62 to i64
  %64 = shl nuw i64 %63, 32
  store atomic i64 %64, ptr %55 release, align 128
  %65 = add nuw nsw i64 %42, 2
  %66 = add i64 %43, 2
  %67 = icmp eq i64 %66, %40
  br i1 %67, label %68, label %41, !llvm.loop !2

68:                                               ; preds = %41
  %69 = icmp eq i64 %37, 0
  br i1 %69, label %83, label %70

70:                                               ; preds = %68, %26
  %71 = phi i64 [ 0, %26 ], [ %65, %68 ]
  %72 = icmp ne i64 %37, 0
  call void @llvm.assume(i1 %72)
  %73 = getelementptr inbounds nuw %struct.share, ptr @shares, i64 %71
  %74 = getelementptr inbounds nuw i8, ptr %73, i64 8
  store ptr %1, ptr %74, align 8
  %75 = getelementptr inbounds nuw i8, ptr %73, i64 16
  store ptr %2, ptr %75, align 16
  %76 = getelementptr inbounds nuw i8, ptr %73, i64 24
  store i32 %32, ptr %76, align 8
  %77 = getelementptr inbounds nuw i8, ptr %73, i64 28
  store i32 %30, ptr %77, align 4
  %78 = icmp samesign ult i64 %71, %35
  %79 = zext i1 %78 to i32
  %80 = add nuw i32 %33, %79
  %81 = zext i32 %80 to i64
  %82 = shl nuw i64 %81, 32
  store atomic i64 %82, ptr %73 release, align 128
  br label %83

83:                                               ; preds = %68, %70
  call void @llvm.lifetime.end.p0(ptr nonnull %5)
  %84 = load atomic i64, ptr @pool monotonic, align 128
  %85 = and i64 %84, -4294967296
  %86 = add i64 %85, 4294967296
  %87 = or disjoint i64 %86, %36
  %88 = atomicrmw xchg ptr @pool, i64 %87 seq_cst, align 128
  %89 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) seq_cst, align 128
  %90 = icmp eq i32 %89, 0
  br i1 %90, label %116, label %91

91:                                               ; preds = %83
  %92 = load i64, ptr @ended, align 8
  %93 = sub i64 %31, %92
  %94 = icmp ugt i64 %93, 600000
  br i1 %94, label %95, label %96

95:                                               ; preds = %91
  store i64 0, ptr @spared, align 8
  br label %96

96:                                               ; preds = %95, %91
  %97 = ptrtoint ptr %1 to i64
  %98 = mul i64 %97, -7046029254386353131
  %99 = lshr i64 %98, 56
  %100 = getelementptr inbounds nuw %struct.anon.0, ptr @known, i64 %99
  %101 = load ptr, ptr %100, align 16
  %102 = icmp eq ptr %101, %1
  br i1 %102, label %103, label %110

103:                                              ; preds = %96
  %104 = getelementptr inbounds nuw i8, ptr %100, i64 8
  %105 = load i64, ptr %104, align 8
  %106 = icmp ult i64 %105, 200001
  %107 = load i64, ptr @spared, align 8
  %108 = icmp ult i64 %107, 200001
  %109 = select i1 %106, i1 %108, i1 false
  br i1 %109, label %116, label %110

110:                                              ; preds = %103, %96
  %111 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) seq_cst, align 128
  %112 = icmp eq i32 %111, 0
  br i1 %112, label %116, label %113

113:                                              ; preds = %110
  %114 = call noundef i32 @llvm.umin.i32(i32 %111, i32 2)
  %115 = call i64 (i64, ...) @syscall(i64 noundef 202, ptr noundef nonnull getelementptr inbounds nuw (i8, ptr @pool, i64 4), i32 noundef 129, i32 noundef range(i32 1, 0) %114) #11
  br label %116

116:                                              ; preds = %113, %110, %103, %83
  %117 = phi i1 [ false, %113 ], [ true, %103 ], [ false, %110 ], [ false, %83 ]
  call fastcc void @drain(i32 noundef 0, i32 noundef %30) #10
  br label %118

118:                                              ; preds = %127, %116
  %119 = phi i32 [ 0, %116 ], [ %128, %127 ]
  %120 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 128) acquire, align 128
  %121 = icmp eq i32 %120, 0
  br i1 %121, label %139, label %122

122:                                              ; preds = %118
  %123 = icmp samesign ult i32 %119, 2000
  br i1 %123, label %124, label %125

124:                                              ; preds = %122
  call void @llvm.x86.sse2.pause()
  br label %127

125:                                              ; preds = %122
  %126 = call i32 @sched_yield() #11
  br label %127

127:                                              ; preds = %125, %124
  %128 = add nuw nsw i32 %119, 1
  %129 = icmp eq i32 %128, 2200
  br i1 %129, label %130, label %118, !llvm.loop !4

130:                                              ; preds = %127
  store atomic i32 1, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 132) seq_cst, align 4
  %131 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 128) seq_cst, align 128
  %132 = icmp eq i32 %131, 0
  br i1 %132, label %138, label %133

133:                                              ; preds = %130, %133
  %134 = phi i32 [ %136, %133 ], [ %131, %130 ]
  %135 = call i64 (i64, ...) @syscall(i64 noundef 202, ptr noundef nonnull getelementptr inbounds nuw (i8, ptr @pool, i64 128), i32 noundef 128, i32 noundef %134, ptr noundef null) #11
  %136 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 128) seq_cst, align 128
  %137 = icmp eq i32 %136, 0
  br i1 %137, label %138, label %133, !llvm.loop !5

138:                                              ; preds = %133, %130
  store atomic i32 0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 132) monotonic, align 4
  br label %139

139:                                              ; preds = %118, %138
  %140 = sub i32 %28, %89
  %141 = call i64 @llvm.readcyclecounter()
  %142 = sub i64 %141, %31
  %143 = zext i32 %140 to i64
  %144 = mul i64 %142, %143
  %145 = ptrtoint ptr %1 to i64
  %146 = mul i64 %145, -7046029254386353131
  %147 = lshr i64 %146, 56
  %148 = getelementptr inbounds nuw %struct.anon.0, ptr @known, i64 %147
  store ptr %1, ptr %148, align 16
  %149 = getelementptr inbounds nuw i8, ptr %148, i64 8
  store i64 %144, ptr %149, align 8
  store i64 %141, ptr @ended, align 8
  %150 = load i64, ptr @spared, align 8
  %151 = add i64 %150, %144
  %152 = select i1 %117, i64 %151, i64 0
  store i64 %152, ptr @spared, align 8
  store atomic i32 0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 384) release, align 128
  br label %160

153:                                              ; preds = %4
  %154 = icmp sgt i64 %3, 0
  br i1 %154, label %155, label %160

155:                                              ; preds = %11, %153
  br label %156

156:                                              ; preds = %155, %156
  %157 = phi i64 [ %158, %156 ], [ 0, %155 ]
  tail call void %1(ptr noundef %2, i64 noundef %157) #11
  %158 = add nuw nsw i64 %157, 1
  %159 = icmp eq i64 %158, %3
  br i1 %159, label %160, label %156, !llvm.loop !6

160:                                              ; preds = %156, %153, %139
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nounwind
define void @penstock_resize(ptr noundef readnone captures(none) %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = cmpxchg ptr getelementptr inbounds nuw (i8, ptr @pool, i64 384), i32 0, i32 1 acquire monotonic, align 128
  %4 = extractvalue { i32, i1 } %3, 1
  br i1 %4, label %9, label %5

5:                                                ; preds = %2, %5
  %6 = tail call i32 @sched_yield() #11
  %7 = cmpxchg ptr getelementptr inbounds nuw (i8, ptr @pool, i64 384), i32 0, i32 1 acquire monotonic, align 128
  %8 = extractvalue { i32, i1 } %7, 1
  br i1 %8, label %9, label %5, !llvm.loop !7

9:                                                ; preds = %5, %2
  store atomic i32 %1, ptr @size monotonic, align 4
  store i32 0, ptr @patience, align 4
  %10 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 388) acquire, align 4
  %11 = icmp ult i32 %10, %1
  br i1 %11, label %27, label %12

12:                                               ; preds = %9
  %13 = load atomic i64, ptr @pool monotonic, align 128
  %14 = and i64 %13, -4294967296
  %15 = add i64 %14, 4294967296
  %16 = atomicrmw xchg ptr @pool, i64 %15 seq_cst, align 128
  %17 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) seq_cst, align 128
  %18 = icmp eq i32 %17, 0
  br i1 %18, label %22, label %19

19:                                               ; preds = %12
  %20 = tail call noundef i32 @llvm.umin.i32(i32 %17, i32 2147483647)
  %21 = tail call i64 (i64, ...) @syscall(i64 noundef 202, ptr noundef nonnull getelementptr inbounds nuw (i8, ptr @pool, i64 4), i32 noundef 129, i32 noundef range(i32 1, 0) %20) #11
  br label %22

22:                                               ; preds = %12, %19
  br label %23

23:                                               ; preds = %22, %23
  %24 = tail call i32 @sched_yield() #11
  %25 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 388) acquire, align 4
  %26 = icmp ult i32 %25, %1
  br i1 %26, label %27, label %23, !llvm.loop !8

27:                                               ; preds = %23, %9
  store atomic i32 0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 384) release, align 128
  ret void
}

declare i32 @sched_yield() local_unnamed_addr #2

; Function Attrs: mustprogress nofree norecurse nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define i32 @penstock_alive(ptr noundef readnone captures(none) %0) local_unnamed_addr #3 {
  %2 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 388) acquire, align 4
  ret i32 %2
}

; Function Attrs: nounwind
define noundef nonnull ptr @penstock_pool() local_unnamed_addr #0 {
  %1 = tail call i32 @__register_atfork(ptr noundef null, ptr noundef null, ptr noundef nonnull @forget, ptr noundef null) #11
  ret ptr @pool
}

declare i32 @__register_atfork(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nofree norecurse nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal void @forget() #3 {
  store atomic i64 0, ptr @pool monotonic, align 128
  store atomic i32 0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 128) monotonic, align 128
  store atomic i32 0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 132) monotonic, align 4
  store atomic i32 0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) monotonic, align 128
  store atomic i32 0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 384) monotonic, align 128
  store atomic i32 0, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 388) monotonic, align 4
  store i32 0, ptr @patience, align 4
  ret void
}

; Function Attrs: noinline nounwind
define internal fastcc void @drain(i32 noundef %0, i32 noundef %1) unnamed_addr #4 {
  %3 = icmp eq i32 %1, 0
  br i1 %3, label %98, label %4

4:                                                ; preds = %2
  %5 = urem i32 %0, %1
  %6 = zext i32 %5 to i64
  %7 = getelementptr inbounds nuw %struct.share, ptr @shares, i64 %6
  %8 = atomicrmw add ptr %7, i64 1 acquire, align 128
  %9 = trunc i64 %8 to i32
  %10 = lshr i64 %8, 32
  %11 = trunc nuw i64 %10 to i32
  %12 = icmp ult i32 %9, %11
  br i1 %12, label %13, label %42

13:                                               ; preds = %4
  %14 = getelementptr inbounds nuw i8, ptr %7, i64 28
  %15 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %16 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %17 = getelementptr inbounds nuw i8, ptr %7, i64 16
  br label %18

18:                                               ; preds = %18, %13
  %19 = phi i64 [ %8, %13 ], [ %29, %18 ]
  %20 = phi i32 [ 0, %13 ], [ %28, %18 ]
  %21 = and i64 %19, 4294967295
  %22 = load i32, ptr %14, align 4
  %23 = zext i32 %22 to i64
  %24 = mul nuw i64 %21, %23
  %25 = add nuw i64 %24, %6
  tail call void asm sideeffect "ldmxcsr $0", "*m,~{dirflag},~{fpsr},~{flags}"(ptr nonnull elementtype(i32) %15) #5, !srcloc !9
  %26 = load ptr, ptr %16, align 8
  %27 = load ptr, ptr %17, align 16
  tail call void %26(ptr noundef %27, i64 noundef %25) #11
  %28 = add i32 %20, 1
  %29 = atomicrmw add ptr %7, i64 1 acquire, align 128
  %30 = trunc i64 %29 to i32
  %31 = lshr i64 %29, 32
  %32 = trunc nuw i64 %31 to i32
  %33 = icmp ult i32 %30, %32
  br i1 %33, label %18, label %34

34:                                               ; preds = %18
  %35 = icmp eq i32 %28, 0
  br i1 %35, label %42, label %36

36:                                               ; preds = %34
  %37 = atomicrmw sub ptr getelementptr inbounds nuw (i8, ptr @pool, i64 128), i32 %28 seq_cst, align 128
  %38 = icmp eq i32 %37, %28
  br i1 %38, label %39, label %42

39:                                               ; preds = %36
  %40 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 132) seq_cst, align 4
  %41 = icmp eq i32 %40, 0
  br i1 %41, label %98, label %96

42:                                               ; preds = %4, %36, %34
  %43 = add nuw i32 %5, 1
  %44 = icmp eq i32 %43, %1
  %45 = select i1 %44, i32 0, i32 %43
  %46 = icmp eq i32 %45, %5
  br i1 %46, label %98, label %47

47:                                               ; preds = %42, %91
  %48 = phi i32 [ %94, %91 ], [ %45, %42 ]
  %49 = zext i32 %48 to i64
  %50 = getelementptr inbounds nuw %struct.share, ptr @shares, i64 %49
  %51 = load atomic i64, ptr %50 monotonic, align 128
  %52 = trunc i64 %51 to i32
  %53 = lshr i64 %51, 32
  %54 = trunc nuw i64 %53 to i32
  %55 = icmp ult i32 %52, %54
  br i1 %55, label %56, label %91

56:                                               ; preds = %47
  %57 = atomicrmw add ptr %50, i64 1 acquire, align 128
  %58 = trunc i64 %57 to i32
  %59 = lshr i64 %57, 32
  %60 = trunc nuw i64 %59 to i32
  %61 = icmp ult i32 %58, %60
  br i1 %61, label %62, label %91

62:                                               ; preds = %56
  %63 = getelementptr inbounds nuw i8, ptr %50, i64 28
  %64 = getelementptr inbounds nuw i8, ptr %50, i64 24
  %65 = getelementptr inbounds nuw i8, ptr %50, i64 8
  %66 = getelementptr inbounds nuw i8, ptr %50, i64 16
  br label %67

67:                                               ; preds = %67, %62
  %68 = phi i64 [ %57, %62 ], [ %78, %67 ]
  %69 = phi i32 [ 0, %62 ], [ %77, %67 ]
  %70 = and i64 %68, 4294967295
  %71 = load i32, ptr %63, align 4
  %72 = zext i32 %71 to i64
  %73 = mul nuw i64 %70, %72
  %74 = add nuw i64 %73, %49
  tail call void asm sideeffect "ldmxcsr $0", "*m,~{dirflag},~{fpsr},~{flags}"(ptr nonnull elementtype(i32) %64) #5, !srcloc !9
  %75 = load ptr, ptr %65, align 8
  %76 = load ptr, ptr %66, align 16
  tail call void %75(ptr noundef %76, i64 noundef %74) #11
  %77 = add i32 %69, 1
  %78 = atomicrmw add ptr %50, i64 1 acquire, align 128
  %79 = trunc i64 %78 to i32
  %80 = lshr i64 %78, 32
  %81 = trunc nuw i64 %80 to i32
  %82 = icmp ult i32 %79, %81
  br i1 %82, label %67, label %83

83:                                               ; preds = %67
  %84 = icmp eq i32 %77, 0
  br i1 %84, label %91, label %85

85:                                               ; preds = %83
  %86 = atomicrmw sub ptr getelementptr inbounds nuw (i8, ptr @pool, i64 128), i32 %77 seq_cst, align 128
  %87 = icmp eq i32 %86, %77
  br i1 %87, label %88, label %91

88:                                               ; preds = %85
  %89 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 132) seq_cst, align 4
  %90 = icmp eq i32 %89, 0
  br i1 %90, label %98, label %96

91:                                               ; preds = %56, %83, %85, %47
  %92 = add i32 %48, 1
  %93 = icmp eq i32 %92, %1
  %94 = select i1 %93, i32 0, i32 %92
  %95 = icmp eq i32 %94, %5
  br i1 %95, label %98, label %47, !llvm.loop !10

96:                                               ; preds = %88, %39
  %97 = tail call i64 (i64, ...) @syscall(i64 noundef 202, ptr noundef nonnull getelementptr inbounds nuw (i8, ptr @pool, i64 128), i32 noundef 129, i32 noundef 1) #11
  br label %98

98:                                               ; preds = %91, %96, %42, %88, %39, %2
  ret void
}

; Function Attrs: noinline nounwind
define internal fastcc void @create_threads(i32 noundef %0) unnamed_addr #4 {
  %2 = alloca %struct.attributes, align 16
  %3 = alloca %struct.signals, align 8
  %4 = alloca %struct.signals, align 8
  %5 = alloca i64, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #5
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #5
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #5
  store <4 x i64> splat (i64 -1), ptr %3, align 8
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 32
  store <4 x i64> splat (i64 -1), ptr %6, align 8
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 64
  store <4 x i64> splat (i64 -1), ptr %7, align 8
  %8 = getelementptr inbounds nuw i8, ptr %3, i64 96
  store <4 x i64> splat (i64 -1), ptr %8, align 8
  %9 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %3, ptr noundef nonnull %4) #11
  %10 = call i32 @pthread_attr_init(ptr noundef nonnull %2) #11
  %11 = call i32 @pthread_attr_setdetachstate(ptr noundef nonnull %2, i32 noundef 1) #11
  %12 = call i32 @pthread_attr_setstacksize(ptr noundef nonnull %2, i64 noundef 2097152) #11
  %13 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 388) monotonic, align 4
  %14 = add i32 %13, 1
  %15 = icmp ult i32 %14, %0
  br i1 %15, label %16, label %32

16:                                               ; preds = %1
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #5
  %17 = zext i32 %14 to i64
  %18 = inttoptr i64 %17 to ptr
  store atomic i32 %14, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 388) monotonic, align 4
  %19 = call i32 @pthread_create(ptr noundef nonnull %5, ptr noundef nonnull %2, ptr noundef nonnull @work, ptr noundef %18) #11
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %28, label %26

21:                                               ; preds = %28
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #5
  %22 = zext i32 %30 to i64
  %23 = inttoptr i64 %22 to ptr
  store atomic i32 %30, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 388) monotonic, align 4
  %24 = call i32 @pthread_create(ptr noundef nonnull %5, ptr noundef nonnull %2, ptr noundef nonnull @work, ptr noundef %23) #11
  %25 = icmp eq i32 %24, 0
  br i1 %25, label %28, label %26

26:                                               ; preds = %21, %16
  %27 = phi i32 [ %13, %16 ], [ %29, %21 ]
  store atomic i32 %27, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 388) monotonic, align 4
  store i32 1000, ptr @patience, align 4
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #5
  br label %32

28:                                               ; preds = %16, %21
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #5
  %29 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 388) monotonic, align 4
  %30 = add i32 %29, 1
  %31 = icmp ult i32 %30, %0
  br i1 %31, label %21, label %32

32:                                               ; preds = %28, %1, %26
  %33 = call i32 @pthread_attr_destroy(ptr noundef nonnull %2) #11
  %34 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %4, ptr noundef null) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #5
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #5
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #5
  ret void
}

declare i32 @pthread_sigmask(i32 noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

declare i32 @pthread_attr_init(ptr noundef) local_unnamed_addr #2

declare i32 @pthread_attr_setdetachstate(ptr noundef, i32 noundef) local_unnamed_addr #2

declare i32 @pthread_attr_setstacksize(ptr noundef, i64 noundef) local_unnamed_addr #2

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: nounwind
define internal noalias noundef ptr @work(ptr noundef %0) #0 {
  %2 = ptrtoint ptr %0 to i64
  %3 = trunc i64 %2 to i32
  %4 = tail call i64 (i64, ...) @syscall(i64 noundef 157, i32 noundef 15, ptr noundef nonnull @.str) #11
  br label %5

5:                                                ; preds = %50, %1
  %6 = phi i32 [ -1, %1 ], [ %52, %50 ]
  %7 = tail call i64 @llvm.readcyclecounter()
  br label %8

8:                                                ; preds = %17, %5
  %9 = phi i32 [ 0, %5 ], [ %18, %17 ]
  %10 = load atomic i64, ptr @pool acquire, align 128
  %11 = lshr i64 %10, 32
  %12 = trunc nuw i64 %11 to i32
  %13 = icmp eq i32 %6, %12
  br i1 %13, label %14, label %46

14:                                               ; preds = %8
  tail call void @llvm.x86.sse2.pause()
  %15 = add nuw nsw i32 %9, 1
  %16 = icmp eq i32 %15, 32
  br i1 %16, label %19, label %17

17:                                               ; preds = %14, %44, %42
  %18 = phi i32 [ %15, %14 ], [ 0, %44 ], [ 0, %42 ]
  br label %8, !llvm.loop !11

19:                                               ; preds = %14
  %20 = tail call i64 @llvm.readcyclecounter()
  %21 = sub i64 %20, %7
  %22 = icmp ult i64 %21, 600000
  br i1 %22, label %42, label %23

23:                                               ; preds = %19, %23
  %24 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256), i32 1 seq_cst, align 128
  %25 = tail call i64 (i64, ...) @syscall(i64 noundef 202, ptr noundef nonnull getelementptr inbounds nuw (i8, ptr @pool, i64 4), i32 noundef 128, i32 noundef %6, ptr noundef null) #11
  %26 = atomicrmw sub ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256), i32 1 seq_cst, align 128
  %27 = load atomic i64, ptr @pool acquire, align 128
  %28 = lshr i64 %27, 32
  %29 = trunc nuw i64 %28 to i32
  %30 = icmp eq i32 %6, %29
  br i1 %30, label %23, label %31, !llvm.loop !12

31:                                               ; preds = %23
  %32 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 128) monotonic, align 128
  %33 = icmp eq i32 %32, 0
  br i1 %33, label %40, label %34

34:                                               ; preds = %31
  %35 = load atomic i32, ptr getelementptr inbounds nuw (i8, ptr @pool, i64 256) seq_cst, align 128
  %36 = icmp eq i32 %35, 0
  br i1 %36, label %40, label %37

37:                                               ; preds = %34
  %38 = tail call noundef i32 @llvm.umin.i32(i32 %35, i32 2)
  %39 = tail call i64 (i64, ...) @syscall(i64 noundef 202, ptr noundef nonnull getelementptr inbounds nuw (i8, ptr @pool, i64 4), i32 noundef 129, i32 noundef range(i32 1, 0) %38) #11
  br label %40

40:                                               ; preds = %37, %34, %31
  %41 = load atomic i64, ptr @pool acquire, align 128
  br label %46

42:                                               ; preds = %19
  %43 = icmp samesign ugt i64 %21, 19999
  br i1 %43, label %44, label %17

44:                                               ; preds = %42
  %45 = tail call i32 @sched_yield() #11
  br label %17

46:                                               ; preds = %8, %40
  %47 = phi i64 [ %41, %40 ], [ %10, %8 ]
  %48 = load atomic i32, ptr @size monotonic, align 4
  %49 = icmp ugt i32 %48, %3
  br i1 %49, label %50, label %54

50:                                               ; preds = %46
  %51 = lshr i64 %47, 32
  %52 = trunc nuw i64 %51 to i32
  %53 = trunc i64 %47 to i32
  tail call fastcc void @drain(i32 noundef %3, i32 noundef %53) #10
  br label %5

54:                                               ; preds = %46
  %55 = atomicrmw sub ptr getelementptr inbounds nuw (i8, ptr @pool, i64 388), i32 1 release, align 4
  ret ptr null
}

declare i32 @pthread_attr_destroy(ptr noundef) local_unnamed_addr #2

declare i64 @syscall(i64 noundef, ...) local_unnamed_addr #2

; Function Attrs: nounwind
declare void @llvm.x86.sse2.pause() #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare i64 @llvm.readcyclecounter() #6

; Function Attrs: nounwind memory(argmem: write)
declare void @llvm.x86.sse.stmxcsr(ptr) #7

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umin.i32(i32, i32) #8

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #9

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nofree norecurse nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #4 = { noinline nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind }
attributes #6 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #7 = { nounwind memory(argmem: write) }
attributes #8 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #9 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #10 = { nobuiltin "no-builtins" }
attributes #11 = { nobuiltin nounwind "no-builtins" }

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
!9 = !{i64 6796}
!10 = distinct !{!10, !3}
!11 = distinct !{!11, !3}
!12 = distinct !{!12, !3}
