; taps.c as LLVM text, by clang 22.1.8; `make native` makes it anew.
; sources: ab63b01eaef2885d97e635b1104da9e2d20e45a9317856c6feba1d527aa99d6c
; text: 45ff1ead3813bba2efdec8bdbb1884487e8856b74712fe04ba6d8550538b3e67
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.time = type { i64, i64 }
%struct.copy = type { ptr, ptr, i64 }
%struct.tap = type { %struct.fetch, i64, ptr, ptr, ptr, ptr }
%struct.fetch = type { ptr, i64, ptr, i64, ptr }

@native_main_thread = external hidden local_unnamed_addr global i64, align 8

; Function Attrs: nounwind
define hidden noundef zeroext i1 @native_failed(ptr noundef readonly captures(none) %0) local_unnamed_addr #0 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %3 = load ptr, ptr %2, align 8
  %4 = icmp eq ptr %3, null
  br i1 %4, label %20, label %5

5:                                                ; preds = %1
  %6 = tail call i64 @PyList_Size(ptr noundef nonnull %3) #5
  %7 = icmp eq i64 %6, 0
  br i1 %7, label %20, label %8

8:                                                ; preds = %5
  %9 = tail call i32 @PyErr_CheckSignals() #5
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %12, label %11

11:                                               ; preds = %8
  tail call fastcc void @keep(ptr noundef nonnull readonly %0, i64 noundef -1) #6
  br label %12

12:                                               ; preds = %8, %11
  %13 = tail call ptr @PyList_GetSlice(ptr noundef nonnull %3, i64 noundef 0, i64 noundef 4611686018427387904) #5
  %14 = tail call i32 @PyList_SetSlice(ptr noundef nonnull %3, i64 noundef 0, i64 noundef 4611686018427387904, ptr noundef null) #5
  %15 = icmp eq ptr %13, null
  br i1 %15, label %20, label %16

16:                                               ; preds = %12
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %18 = load ptr, ptr %17, align 8
  %19 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %18, ptr noundef nonnull %13, ptr noundef null) #5
  tail call void @Py_DecRef(ptr noundef nonnull %13) #5
  br label %20

20:                                               ; preds = %12, %16, %1, %5
  %21 = phi i1 [ false, %1 ], [ false, %5 ], [ true, %16 ], [ true, %12 ]
  ret i1 %21
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare i64 @PyList_Size(ptr noundef) local_unnamed_addr #2

declare ptr @PyList_GetSlice(ptr noundef, i64 noundef, i64 noundef) local_unnamed_addr #2

declare i32 @PyList_SetSlice(ptr noundef, i64 noundef, i64 noundef, ptr noundef) local_unnamed_addr #2

declare ptr @PyObject_CallFunctionObjArgs(ptr noundef, ...) local_unnamed_addr #2

declare void @Py_DecRef(ptr noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nounwind
define hidden i32 @native_look(ptr noundef captures(none) %0) #0 {
  %2 = tail call i64 @PyThread_get_thread_ident() #5
  %3 = load i64, ptr @native_main_thread, align 8
  %4 = icmp eq i64 %2, %3
  br i1 %4, label %5, label %16

5:                                                ; preds = %1
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = icmp eq ptr %7, null
  br i1 %8, label %10, label %9

9:                                                ; preds = %5
  tail call void @PyEval_RestoreThread(ptr noundef nonnull %7) #5
  br label %10

10:                                               ; preds = %5, %9
  %11 = tail call i32 @PyOS_InterruptOccurred() #5
  %12 = load ptr, ptr %6, align 8
  %13 = icmp eq ptr %12, null
  br i1 %13, label %16, label %14

14:                                               ; preds = %10
  %15 = tail call ptr @PyEval_SaveThread() #5
  store ptr %15, ptr %6, align 8
  br label %16

16:                                               ; preds = %14, %10, %1
  %17 = phi i32 [ 0, %1 ], [ %11, %10 ], [ %11, %14 ]
  ret i32 %17
}

declare i64 @PyThread_get_thread_ident() local_unnamed_addr #2

declare i32 @PyOS_InterruptOccurred() local_unnamed_addr #2

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define noundef nonnull ptr @penstock_look() local_unnamed_addr #3 {
  ret ptr @native_look
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define noundef nonnull ptr @penstock_act() local_unnamed_addr #3 {
  ret ptr @act
}

; Function Attrs: nounwind
define internal range(i32 0, 2) i32 @act(ptr noundef captures(none) %0) #0 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %3 = load ptr, ptr %2, align 8
  %4 = icmp eq ptr %3, null
  br i1 %4, label %6, label %5

5:                                                ; preds = %1
  tail call void @PyEval_RestoreThread(ptr noundef nonnull %3) #5
  br label %6

6:                                                ; preds = %1, %5
  %7 = tail call i32 @PyErr_CheckSignals() #5
  %8 = icmp ne i32 %7, 0
  br i1 %8, label %9, label %10

9:                                                ; preds = %6
  tail call fastcc void @keep(ptr noundef nonnull readonly %0, i64 noundef -1) #6
  br label %10

10:                                               ; preds = %6, %9
  %11 = load ptr, ptr %2, align 8
  %12 = icmp eq ptr %11, null
  br i1 %12, label %15, label %13

13:                                               ; preds = %10
  %14 = tail call ptr @PyEval_SaveThread() #5
  store ptr %14, ptr %2, align 8
  br label %15

15:                                               ; preds = %10, %13
  %16 = zext i1 %8 to i32
  ret i32 %16
}

; Function Attrs: nounwind
define hidden range(i64 -9223372036804775808, -9223372036854775808) i64 @native_first_look() local_unnamed_addr #0 {
  %1 = alloca %struct.time, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %1) #7
  %2 = call i32 @clock_gettime(i32 noundef 6, ptr noundef nonnull %1) #5
  %3 = load i64, ptr %1, align 8
  %4 = mul nsw i64 %3, 1000000000
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %6 = load i64, ptr %5, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %1) #7
  %7 = add i64 %6, 50000000
  %8 = add i64 %7, %4
  ret i64 %8
}

; Function Attrs: nounwind
define i32 @penstock_poll(ptr noundef %0) local_unnamed_addr #0 {
  %2 = alloca %struct.time, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #7
  %3 = call i32 @clock_gettime(i32 noundef 6, ptr noundef nonnull %2) #5
  %4 = load i64, ptr %2, align 8
  %5 = mul nsw i64 %4, 1000000000
  %6 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %7 = load i64, ptr %6, align 8
  %8 = add nsw i64 %5, %7
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #7
  %9 = load i64, ptr %0, align 8
  %10 = icmp slt i64 %8, %9
  br i1 %10, label %18, label %11

11:                                               ; preds = %1
  %12 = add nsw i64 %8, 50000000
  store i64 %12, ptr %0, align 8
  %13 = icmp eq i64 %9, 0
  br i1 %13, label %18, label %14

14:                                               ; preds = %11
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %16 = load ptr, ptr %15, align 8
  %17 = call i32 %16(ptr noundef nonnull %0) #5
  br label %18

18:                                               ; preds = %14, %11, %1
  %19 = phi i32 [ 0, %1 ], [ %17, %14 ], [ 0, %11 ]
  ret i32 %19
}

; Function Attrs: nounwind
define void @penstock_tap(ptr noundef captures(none) %0, i32 noundef %1, ptr noundef %2) local_unnamed_addr #0 {
  %4 = alloca %struct.copy, align 8
  %5 = alloca ptr, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = icmp eq ptr %7, null
  br i1 %8, label %10, label %9

9:                                                ; preds = %3
  tail call void @PyEval_RestoreThread(ptr noundef nonnull %7) #5
  br label %10

10:                                               ; preds = %3, %9
  %11 = tail call i32 @PyErr_CheckSignals() #5
  %12 = icmp eq i32 %11, 0
  br i1 %12, label %14, label %13

13:                                               ; preds = %10
  tail call fastcc void @keep(ptr noundef nonnull readonly %0, i64 noundef -1) #6
  br label %14

14:                                               ; preds = %10, %13
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %16 = load ptr, ptr %15, align 8
  %17 = zext i32 %1 to i64
  %18 = getelementptr inbounds nuw %struct.tap, ptr %16, i64 %17
  %19 = getelementptr inbounds nuw i8, ptr %18, i64 48
  %20 = load ptr, ptr %19, align 8
  %21 = icmp eq ptr %20, null
  br i1 %21, label %157, label %22

22:                                               ; preds = %14
  %23 = getelementptr inbounds nuw i8, ptr %18, i64 56
  %24 = load ptr, ptr %23, align 8
  tail call void @Py_IncRef(ptr noundef nonnull %20) #5
  %25 = icmp eq ptr %24, null
  br i1 %25, label %28, label %26

26:                                               ; preds = %22
  %27 = load ptr, ptr %24, align 8
  tail call void @Py_IncRef(ptr noundef %27) #5
  br label %28

28:                                               ; preds = %26, %22
  %29 = tail call i64 @PyTuple_Size(ptr noundef nonnull %20) #5
  %30 = icmp sgt i64 %29, 0
  br i1 %30, label %31, label %85

31:                                               ; preds = %28
  %32 = getelementptr inbounds nuw i8, ptr %18, i64 40
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %34 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %35 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %36 = icmp eq i64 %29, 1
  br i1 %36, label %39, label %37

37:                                               ; preds = %31
  %38 = add nsw i64 %29, -2
  br label %86

39:                                               ; preds = %122, %31
  %40 = phi i64 [ 0, %31 ], [ %89, %122 ]
  %41 = call ptr @PyTuple_GetItem(ptr noundef nonnull %20, i64 noundef %40) #5
  %42 = add nuw nsw i64 %40, 1
  %43 = icmp eq i64 %42, %29
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #7
  %44 = load ptr, ptr %23, align 8
  %45 = icmp ne ptr %44, null
  %46 = select i1 %43, i1 %45, i1 false
  br i1 %46, label %47, label %51

47:                                               ; preds = %39
  store ptr null, ptr %23, align 8
  %48 = load ptr, ptr %44, align 8
  call void @Py_IncRef(ptr noundef %48) #5
  %49 = call ptr @native_wrap(ptr noundef nonnull %18, ptr noundef nonnull %5, ptr noundef nonnull %44) #5
  %50 = icmp eq ptr %49, null
  br i1 %50, label %51, label %74

51:                                               ; preds = %47, %39
  %52 = call ptr @native_result(ptr noundef nonnull %18, ptr noundef nonnull %5) #5
  %53 = icmp eq ptr %52, null
  br i1 %53, label %54, label %57

54:                                               ; preds = %51
  %55 = call ptr @native_own(ptr noundef nonnull %18, ptr noundef nonnull %5) #5
  %56 = icmp eq ptr %55, null
  br i1 %56, label %76, label %57

57:                                               ; preds = %54, %51
  %58 = phi ptr [ %55, %54 ], [ %52, %51 ]
  %59 = load ptr, ptr %5, align 8
  %60 = load i64, ptr %32, align 8
  %61 = load ptr, ptr %33, align 8
  %62 = getelementptr inbounds nuw i8, ptr %61, i64 16
  %63 = load ptr, ptr %62, align 8
  %64 = icmp ne ptr %63, null
  %65 = icmp sgt i64 %60, 65536
  %66 = and i1 %65, %64
  br i1 %66, label %69, label %67

67:                                               ; preds = %57
  %68 = call ptr @memcpy(ptr noundef %59, ptr noundef %2, i64 noundef %60) #5
  br label %74

69:                                               ; preds = %57
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #7
  store ptr %59, ptr %4, align 8
  store ptr %2, ptr %34, align 8
  store i64 %60, ptr %35, align 8
  %70 = getelementptr inbounds nuw i8, ptr %61, i64 24
  %71 = load ptr, ptr %70, align 8
  %72 = add nuw nsw i64 %60, 32767
  %73 = lshr i64 %72, 15
  call void %63(ptr noundef %71, ptr noundef nonnull @copy_part, ptr noundef nonnull %4, i64 noundef %73) #5
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #7
  br label %74

74:                                               ; preds = %69, %67, %47
  %75 = phi ptr [ %58, %67 ], [ %58, %69 ], [ %49, %47 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #7
  br label %79

76:                                               ; preds = %54
  %77 = call ptr @PyErr_NoMemory() #5
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #7
  %78 = icmp eq ptr %77, null
  br i1 %78, label %84, label %79

79:                                               ; preds = %76, %74
  %80 = phi ptr [ %75, %74 ], [ %77, %76 ]
  %81 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %41, ptr noundef nonnull %80, ptr noundef null) #5
  call void @Py_DecRef(ptr noundef nonnull %80) #5
  %82 = icmp eq ptr %81, null
  br i1 %82, label %84, label %83

83:                                               ; preds = %79
  call void @Py_DecRef(ptr noundef nonnull %81) #5
  br label %85

84:                                               ; preds = %79, %76
  call fastcc void @keep(ptr noundef %0, i64 noundef %17) #6
  br label %85

85:                                               ; preds = %83, %84, %28
  call void @Py_DecRef(ptr noundef nonnull %20) #5
  br i1 %25, label %124, label %128

86:                                               ; preds = %122, %37
  %87 = phi i64 [ 0, %37 ], [ %89, %122 ]
  %88 = call ptr @PyTuple_GetItem(ptr noundef nonnull %20, i64 noundef %87) #5
  %89 = add nuw nsw i64 %87, 1
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #7
  %90 = call ptr @native_result(ptr noundef nonnull %18, ptr noundef nonnull %5) #5
  %91 = icmp eq ptr %90, null
  br i1 %91, label %92, label %95

92:                                               ; preds = %86
  %93 = call ptr @native_own(ptr noundef nonnull %18, ptr noundef nonnull %5) #5
  %94 = icmp eq ptr %93, null
  br i1 %94, label %113, label %95

95:                                               ; preds = %92, %86
  %96 = phi ptr [ %93, %92 ], [ %90, %86 ]
  %97 = load ptr, ptr %5, align 8
  %98 = load i64, ptr %32, align 8
  %99 = load ptr, ptr %33, align 8
  %100 = getelementptr inbounds nuw i8, ptr %99, i64 16
  %101 = load ptr, ptr %100, align 8
  %102 = icmp ne ptr %101, null
  %103 = icmp sgt i64 %98, 65536
  %104 = and i1 %103, %102
  br i1 %104, label %105, label %110

105:                                              ; preds = %95
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #7
  store ptr %97, ptr %4, align 8
  store ptr %2, ptr %34, align 8
  store i64 %98, ptr %35, align 8
  %106 = getelementptr inbounds nuw i8, ptr %99, i64 24
  %107 = load ptr, ptr %106, align 8
  %108 = add nuw nsw i64 %98, 32767
  %109 = lshr i64 %108, 15
  call void %101(ptr noundef %107, ptr noundef nonnull @copy_part, ptr noundef nonnull %4, i64 noundef %109) #5
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #7
  br label %112

110:                                              ; preds = %95
  %111 = call ptr @memcpy(ptr noundef %97, ptr noundef %2, i64 noundef %98) #5
  br label %112

112:                                              ; preds = %110, %105
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #7
  br label %116

113:                                              ; preds = %92
  %114 = call ptr @PyErr_NoMemory() #5
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #7
  %115 = icmp eq ptr %114, null
  br i1 %115, label %121, label %116

116:                                              ; preds = %113, %112
  %117 = phi ptr [ %96, %112 ], [ %114, %113 ]
  %118 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %88, ptr noundef nonnull %117, ptr noundef null) #5
  call void @Py_DecRef(ptr noundef nonnull %117) #5
  %119 = icmp eq ptr %118, null
  br i1 %119, label %121, label %120

120:                                              ; preds = %116
  call void @Py_DecRef(ptr noundef nonnull %118) #5
  br label %122

121:                                              ; preds = %113, %116
  call fastcc void @keep(ptr noundef %0, i64 noundef %17) #6
  br label %122

122:                                              ; preds = %120, %121
  %123 = icmp eq i64 %87, %38
  br i1 %123, label %39, label %86, !llvm.loop !2

124:                                              ; preds = %85
  %125 = getelementptr inbounds nuw i8, ptr %18, i64 64
  %126 = load ptr, ptr %125, align 8
  %127 = icmp eq ptr %126, null
  br i1 %127, label %157, label %137

128:                                              ; preds = %85
  %129 = load ptr, ptr %24, align 8
  call void @Py_DecRef(ptr noundef %129) #5
  %130 = getelementptr inbounds nuw i8, ptr %18, i64 64
  %131 = load ptr, ptr %130, align 8
  %132 = icmp eq ptr %131, null
  br i1 %132, label %157, label %133

133:                                              ; preds = %128
  %134 = load ptr, ptr %24, align 8
  %135 = load i32, ptr %134, align 8
  %136 = icmp eq i32 %135, 1
  br i1 %136, label %146, label %137

137:                                              ; preds = %124, %133
  %138 = phi ptr [ %130, %133 ], [ %125, %124 ]
  %139 = getelementptr inbounds nuw i8, ptr %18, i64 32
  %140 = load ptr, ptr %139, align 8
  %141 = call ptr @native_claim_block(ptr noundef %140) #5
  %142 = icmp eq ptr %141, null
  br i1 %142, label %152, label %143

143:                                              ; preds = %137
  %144 = load ptr, ptr %141, align 8
  call void @Py_DecRef(ptr noundef %144) #5
  %145 = load ptr, ptr %138, align 8
  br label %146

146:                                              ; preds = %143, %133
  %147 = phi ptr [ %131, %133 ], [ %145, %143 ]
  %148 = phi ptr [ %24, %133 ], [ %141, %143 ]
  %149 = phi i8 [ 3, %133 ], [ 2, %143 ]
  %150 = getelementptr inbounds nuw i8, ptr %148, i64 8
  %151 = load ptr, ptr %150, align 8
  store ptr %151, ptr %147, align 8
  br label %152

152:                                              ; preds = %146, %137
  %153 = phi i8 [ %149, %146 ], [ 1, %137 ]
  %154 = phi ptr [ %148, %146 ], [ null, %137 ]
  store ptr %154, ptr %23, align 8
  %155 = getelementptr inbounds nuw i8, ptr %18, i64 72
  %156 = load ptr, ptr %155, align 8
  store i8 %153, ptr %156, align 1
  br label %157

157:                                              ; preds = %152, %124, %128, %14
  %158 = load ptr, ptr %6, align 8
  %159 = icmp eq ptr %158, null
  br i1 %159, label %162, label %160

160:                                              ; preds = %157
  %161 = call ptr @PyEval_SaveThread() #5
  store ptr %161, ptr %6, align 8
  br label %162

162:                                              ; preds = %157, %160
  ret void
}

declare void @Py_IncRef(ptr noundef) local_unnamed_addr #2

declare i64 @PyTuple_Size(ptr noundef) local_unnamed_addr #2

declare ptr @PyTuple_GetItem(ptr noundef, i64 noundef) local_unnamed_addr #2

; Function Attrs: nounwind
define internal fastcc void @keep(ptr noundef readonly captures(none) %0, i64 noundef range(i64 -4294967297, 4294967296) %1) unnamed_addr #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #7
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #7
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #7
  call void @PyErr_Fetch(ptr noundef nonnull %3, ptr noundef nonnull %4, ptr noundef nonnull %5) #5
  call void @PyErr_NormalizeException(ptr noundef nonnull %3, ptr noundef nonnull %4, ptr noundef nonnull %5) #5
  %6 = load ptr, ptr %5, align 8
  %7 = icmp eq ptr %6, null
  br i1 %7, label %12, label %8

8:                                                ; preds = %2
  %9 = load ptr, ptr %4, align 8
  %10 = call i32 @PyException_SetTraceback(ptr noundef %9, ptr noundef nonnull %6) #5
  %11 = load ptr, ptr %5, align 8
  call void @Py_DecRef(ptr noundef %11) #5
  br label %12

12:                                               ; preds = %8, %2
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %14 = load ptr, ptr %13, align 8
  %15 = load ptr, ptr %4, align 8
  %16 = call i32 @PyList_Append(ptr noundef %14, ptr noundef %15) #5
  %17 = call ptr @PyLong_FromLong(i64 noundef %1) #5
  %18 = load ptr, ptr %13, align 8
  %19 = call i32 @PyList_Append(ptr noundef %18, ptr noundef %17) #5
  call void @Py_DecRef(ptr noundef %17) #5
  %20 = load ptr, ptr %4, align 8
  call void @Py_DecRef(ptr noundef %20) #5
  %21 = load ptr, ptr %3, align 8
  call void @Py_DecRef(ptr noundef %21) #5
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #7
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #7
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #7
  ret void
}

; Function Attrs: nounwind
define range(i32 0, 2) i32 @penstock_callout(ptr noundef captures(none) %0, i32 noundef %1, ptr noundef %2) local_unnamed_addr #0 {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = icmp eq ptr %5, null
  br i1 %6, label %8, label %7

7:                                                ; preds = %3
  tail call void @PyEval_RestoreThread(ptr noundef nonnull %5) #5
  br label %8

8:                                                ; preds = %3, %7
  %9 = tail call i32 @PyErr_CheckSignals() #5
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %12, label %11

11:                                               ; preds = %8
  tail call fastcc void @keep(ptr noundef nonnull readonly %0, i64 noundef -1) #6
  br label %29

12:                                               ; preds = %8
  %13 = tail call ptr @PyLong_FromVoidPtr(ptr noundef %2) #5
  %14 = icmp eq ptr %13, null
  br i1 %14, label %15, label %17

15:                                               ; preds = %12
  %16 = zext i32 %1 to i64
  br label %26

17:                                               ; preds = %12
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %19 = load ptr, ptr %18, align 8
  %20 = zext i32 %1 to i64
  %21 = getelementptr inbounds nuw ptr, ptr %19, i64 %20
  %22 = load ptr, ptr %21, align 8
  %23 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %22, ptr noundef nonnull %13, ptr noundef null) #5
  tail call void @Py_DecRef(ptr noundef nonnull %13) #5
  %24 = icmp eq ptr %23, null
  br i1 %24, label %26, label %25

25:                                               ; preds = %17
  tail call void @Py_DecRef(ptr noundef nonnull %23) #5
  br label %29

26:                                               ; preds = %15, %17
  %27 = phi i64 [ %16, %15 ], [ %20, %17 ]
  %28 = sub nuw nsw i64 -2, %27
  tail call fastcc void @keep(ptr noundef nonnull %0, i64 noundef %28) #6
  br label %29

29:                                               ; preds = %11, %25, %26
  %30 = phi i32 [ 1, %11 ], [ 1, %26 ], [ 0, %25 ]
  %31 = load ptr, ptr %4, align 8
  %32 = icmp eq ptr %31, null
  br i1 %32, label %35, label %33

33:                                               ; preds = %29
  %34 = tail call ptr @PyEval_SaveThread() #5
  store ptr %34, ptr %4, align 8
  br label %35

35:                                               ; preds = %29, %33
  ret i32 %30
}

declare ptr @PyLong_FromVoidPtr(ptr noundef) local_unnamed_addr #2

declare i32 @PyErr_CheckSignals() local_unnamed_addr #2

declare void @PyEval_RestoreThread(ptr noundef) local_unnamed_addr #2

declare ptr @PyEval_SaveThread() local_unnamed_addr #2

declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr #2

declare hidden ptr @native_wrap(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

declare hidden ptr @native_result(ptr noundef, ptr noundef) local_unnamed_addr #2

declare hidden ptr @native_own(ptr noundef, ptr noundef) local_unnamed_addr #2

declare ptr @PyErr_NoMemory() local_unnamed_addr #2

; Function Attrs: nounwind
define internal void @copy_part(ptr noundef readonly captures(none) %0, i64 noundef %1) #0 {
  %3 = shl nsw i64 %1, 15
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %5 = load i64, ptr %4, align 8
  %6 = sub nsw i64 %5, %3
  %7 = load ptr, ptr %0, align 8
  %8 = getelementptr inbounds i8, ptr %7, i64 %3
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = load ptr, ptr %9, align 8
  %11 = getelementptr inbounds i8, ptr %10, i64 %3
  %12 = tail call i64 @llvm.smin.i64(i64 %6, i64 32768)
  %13 = tail call ptr @memcpy(ptr noundef %8, ptr noundef %11, i64 noundef %12) #5
  ret void
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #2

declare void @PyErr_Fetch(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

declare void @PyErr_NormalizeException(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

declare i32 @PyException_SetTraceback(ptr noundef, ptr noundef) local_unnamed_addr #2

declare i32 @PyList_Append(ptr noundef, ptr noundef) local_unnamed_addr #2

declare ptr @PyLong_FromLong(i64 noundef) local_unnamed_addr #2

declare hidden ptr @native_claim_block(ptr noundef) local_unnamed_addr #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #4

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nobuiltin nounwind "no-builtins" }
attributes #6 = { nobuiltin "no-builtins" }
attributes #7 = { nounwind }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = distinct !{!2, !3, !4}
!3 = !{!"llvm.loop.mustprogress"}
!4 = !{!"llvm.loop.peeled.count", i32 1}
