; eager.c as LLVM text, by clang 22.1.8; `make native` makes it anew.
; sources: d42829e92b260d5086cda6631252f4f47e18fb76154b0d6d9743cc04fcfab3e4
; text: a4b58af1aa6c2e0b30d8d3b7da6bef30bcfa83fea7bca3f15d1a9999f43245ef
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.eager_setup = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, ptr, ptr, ptr, ptr, ptr, ptr, [19 x ptr] }
%struct.object = type { i32, i32, ptr }
%struct.known = type { i64, i64, ptr }
%struct.told = type { ptr, i8 }
%struct.feed = type { ptr, i64, ptr, i64 }

@native_mode_key = hidden global i32 0, align 4
@next_way = internal unnamed_addr global i32 0, align 4
@eager = hidden local_unnamed_addr global %struct.eager_setup zeroinitializer, align 8
@_Py_FalseStruct = external global %struct.object, align 8
@penstock_eager_method.methods = internal unnamed_addr constant [19 x ptr] [ptr @method_0, ptr @method_1, ptr @method_2, ptr @method_3, ptr @method_4, ptr @method_5, ptr @method_6, ptr @method_7, ptr @method_8, ptr @method_9, ptr @method_10, ptr @method_11, ptr @method_12, ptr @method_13, ptr @method_14, ptr @method_15, ptr @method_16, ptr @method_17, ptr @method_18], align 16
@_Py_NoneStruct = external global %struct.object, align 8
@known = internal unnamed_addr global [1024 x [4 x %struct.known]] zeroinitializer, align 16
@PyFloat_Type = external constant i8, align 1
@PyLong_Type = external constant i8, align 1
@_Py_NotImplementedStruct = external global %struct.object, align 8
@_Py_TrueStruct = external global %struct.object, align 8
@told = internal unnamed_addr global [1024 x %struct.told] zeroinitializer, align 16

; Function Attrs: nounwind
define noundef nonnull ptr @penstock_eager_mode(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #0 {
  %4 = load i32, ptr @native_mode_key, align 4
  %5 = load ptr, ptr %1, align 8
  %6 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %5) #9
  %7 = tail call i32 @pthread_setspecific(i32 noundef %4, ptr noundef %6) #9
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  ret ptr @_Py_NoneStruct
}

declare i32 @pthread_setspecific(i32 noundef, ptr noundef) local_unnamed_addr #1

declare ptr @PyLong_AsVoidPtr(ptr noundef) local_unnamed_addr #1

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(read, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define hidden ptr @native_known_op(i64 noundef %0, i64 noundef %1) local_unnamed_addr #2 {
  %3 = lshr i64 %0, 8
  %4 = and i64 %3, 1023
  %5 = getelementptr inbounds nuw [4 x %struct.known], ptr @known, i64 %4
  %6 = load i64, ptr %5, align 16
  %7 = icmp eq i64 %6, %0
  br i1 %7, label %8, label %16

8:                                                ; preds = %2
  %9 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %10 = load i64, ptr %9, align 8
  %11 = icmp eq i64 %10, %1
  br i1 %11, label %12, label %16

12:                                               ; preds = %8
  %13 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %14 = load ptr, ptr %13, align 16
  %15 = icmp eq ptr %14, null
  br i1 %15, label %16, label %53

16:                                               ; preds = %2, %8, %12
  %17 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %18 = load i64, ptr %17, align 8
  %19 = icmp eq i64 %18, %0
  br i1 %19, label %20, label %28

20:                                               ; preds = %16
  %21 = getelementptr inbounds nuw i8, ptr %5, i64 32
  %22 = load i64, ptr %21, align 16
  %23 = icmp eq i64 %22, %1
  br i1 %23, label %24, label %28

24:                                               ; preds = %20
  %25 = getelementptr inbounds nuw i8, ptr %5, i64 40
  %26 = load ptr, ptr %25, align 8
  %27 = icmp eq ptr %26, null
  br i1 %27, label %28, label %53

28:                                               ; preds = %24, %20, %16
  %29 = getelementptr inbounds nuw i8, ptr %5, i64 48
  %30 = load i64, ptr %29, align 16
  %31 = icmp eq i64 %30, %0
  br i1 %31, label %32, label %40

32:                                               ; preds = %28
  %33 = getelementptr inbounds nuw i8, ptr %5, i64 56
  %34 = load i64, ptr %33, align 8
  %35 = icmp eq i64 %34, %1
  br i1 %35, label %36, label %40

36:                                               ; preds = %32
  %37 = getelementptr inbounds nuw i8, ptr %5, i64 64
  %38 = load ptr, ptr %37, align 16
  %39 = icmp eq ptr %38, null
  br i1 %39, label %40, label %53

40:                                               ; preds = %36, %32, %28
  %41 = getelementptr inbounds nuw i8, ptr %5, i64 72
  %42 = load i64, ptr %41, align 8
  %43 = icmp eq i64 %42, %0
  br i1 %43, label %44, label %52

44:                                               ; preds = %40
  %45 = getelementptr inbounds nuw i8, ptr %5, i64 80
  %46 = load i64, ptr %45, align 16
  %47 = icmp eq i64 %46, %1
  br i1 %47, label %48, label %52

48:                                               ; preds = %44
  %49 = getelementptr inbounds nuw i8, ptr %5, i64 88
  %50 = load ptr, ptr %49, align 8
  %51 = icmp eq ptr %50, null
  br i1 %51, label %52, label %53

52:                                               ; preds = %48, %44, %40
  br label %53

53:                                               ; preds = %52, %48, %36, %24, %12
  %54 = phi ptr [ null, %52 ], [ %14, %12 ], [ %26, %24 ], [ %50, %48 ], [ %38, %36 ]
  ret ptr %54
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #3

; Function Attrs: nounwind
define noundef nonnull ptr @penstock_eager_keep(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #0 {
  %4 = alloca i64, align 8
  %5 = load ptr, ptr %1, align 8
  %6 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %5) #9
  %7 = ptrtoint ptr %6 to i64
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #10
  %8 = mul i64 %7, -7046029254386353131
  %9 = lshr i64 %8, 32
  %10 = xor i64 %9, %8
  store i64 %10, ptr %4, align 8
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %12 = load ptr, ptr %11, align 8
  %13 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %12) #9
  %14 = icmp sgt i64 %2, 2
  br i1 %14, label %18, label %26

15:                                               ; preds = %18
  %16 = add nuw nsw i64 %19, 1
  %17 = icmp eq i64 %16, %2
  br i1 %17, label %24, label %18, !llvm.loop !2

18:                                               ; preds = %3, %15
  %19 = phi i64 [ %16, %15 ], [ 2, %3 ]
  %20 = getelementptr inbounds nuw ptr, ptr %1, i64 %19
  %21 = load ptr, ptr %20, align 8
  %22 = call fastcc i32 @mix_operand(ptr noundef %4, ptr noundef %21) #11
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %94, label %15

24:                                               ; preds = %15
  %25 = load i64, ptr %4, align 8
  br label %26

26:                                               ; preds = %24, %3
  %27 = phi i64 [ %25, %24 ], [ %10, %3 ]
  %28 = lshr i64 %27, 8
  %29 = and i64 %28, 1023
  %30 = getelementptr inbounds nuw [4 x %struct.known], ptr @known, i64 %29
  %31 = getelementptr inbounds nuw i8, ptr %30, i64 16
  %32 = load ptr, ptr %31, align 16
  %33 = icmp eq ptr %32, null
  br i1 %33, label %83, label %34

34:                                               ; preds = %26
  %35 = load i64, ptr %30, align 16
  %36 = icmp eq i64 %35, %27
  br i1 %36, label %37, label %41

37:                                               ; preds = %34
  %38 = getelementptr inbounds nuw i8, ptr %30, i64 8
  %39 = load i64, ptr %38, align 8
  %40 = icmp eq i64 %39, %7
  br i1 %40, label %83, label %41

41:                                               ; preds = %34, %37
  %42 = getelementptr inbounds nuw i8, ptr %30, i64 24
  %43 = getelementptr inbounds nuw i8, ptr %30, i64 40
  %44 = load ptr, ptr %43, align 8
  %45 = icmp eq ptr %44, null
  br i1 %45, label %83, label %46

46:                                               ; preds = %41
  %47 = load i64, ptr %42, align 8
  %48 = icmp eq i64 %47, %27
  br i1 %48, label %49, label %53

49:                                               ; preds = %46
  %50 = getelementptr inbounds nuw i8, ptr %30, i64 32
  %51 = load i64, ptr %50, align 16
  %52 = icmp eq i64 %51, %7
  br i1 %52, label %83, label %53

53:                                               ; preds = %49, %46
  %54 = getelementptr inbounds nuw i8, ptr %30, i64 48
  %55 = getelementptr inbounds nuw i8, ptr %30, i64 64
  %56 = load ptr, ptr %55, align 16
  %57 = icmp eq ptr %56, null
  br i1 %57, label %83, label %58

58:                                               ; preds = %53
  %59 = load i64, ptr %54, align 16
  %60 = icmp eq i64 %59, %27
  br i1 %60, label %61, label %65

61:                                               ; preds = %58
  %62 = getelementptr inbounds nuw i8, ptr %30, i64 56
  %63 = load i64, ptr %62, align 8
  %64 = icmp eq i64 %63, %7
  br i1 %64, label %83, label %65

65:                                               ; preds = %61, %58
  %66 = getelementptr inbounds nuw i8, ptr %30, i64 72
  %67 = getelementptr inbounds nuw i8, ptr %30, i64 88
  %68 = load ptr, ptr %67, align 8
  %69 = icmp eq ptr %68, null
  br i1 %69, label %83, label %70

70:                                               ; preds = %65
  %71 = load i64, ptr %66, align 8
  %72 = icmp eq i64 %71, %27
  br i1 %72, label %73, label %77

73:                                               ; preds = %70
  %74 = getelementptr inbounds nuw i8, ptr %30, i64 80
  %75 = load i64, ptr %74, align 16
  %76 = icmp eq i64 %75, %7
  br i1 %76, label %83, label %77

77:                                               ; preds = %73, %70
  %78 = load i32, ptr @next_way, align 4
  %79 = add i32 %78, 1
  store i32 %79, ptr @next_way, align 4
  %80 = and i32 %78, 3
  %81 = zext nneg i32 %80 to i64
  %82 = getelementptr inbounds nuw %struct.known, ptr %30, i64 %81
  br label %83

83:                                               ; preds = %26, %37, %41, %49, %53, %61, %65, %73, %77
  %84 = phi ptr [ %82, %77 ], [ %30, %37 ], [ %30, %26 ], [ %42, %41 ], [ %42, %49 ], [ %54, %53 ], [ %54, %61 ], [ %66, %65 ], [ %66, %73 ]
  %85 = getelementptr inbounds nuw i8, ptr %84, i64 16
  %86 = load ptr, ptr %85, align 8
  %87 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %88 = load ptr, ptr %87, align 8
  tail call void @Py_IncRef(ptr noundef %88) #9
  store i64 %27, ptr %84, align 8
  %89 = getelementptr inbounds nuw i8, ptr %84, i64 8
  store i64 %7, ptr %89, align 8
  store ptr %13, ptr %85, align 8
  %90 = icmp eq ptr %86, null
  br i1 %90, label %94, label %91

91:                                               ; preds = %83
  %92 = getelementptr inbounds nuw i8, ptr %86, i64 8
  %93 = load ptr, ptr %92, align 8
  tail call void @Py_DecRef(ptr noundef %93) #9
  br label %94

94:                                               ; preds = %18, %83, %91
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #10
  ret ptr @_Py_NoneStruct
}

; Function Attrs: inlinehint nounwind
define internal fastcc range(i32 0, 4) i32 @mix_operand(ptr noundef nonnull captures(none) %0, ptr noundef readonly captures(none) %1) unnamed_addr #4 {
  %3 = load ptr, ptr @eager, align 8
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %5 = load ptr, ptr %4, align 8
  %6 = icmp eq ptr %5, %3
  br i1 %6, label %10, label %7

7:                                                ; preds = %2
  %8 = tail call i32 @PyType_IsSubtype(ptr noundef %5, ptr noundef %3) #9
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %107, label %10

10:                                               ; preds = %7, %2
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %12 = load ptr, ptr %11, align 8
  %13 = tail call zeroext i1 @native_is_array(ptr noundef %12) #9
  br i1 %13, label %14, label %107

14:                                               ; preds = %10
  %15 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %16 = load ptr, ptr %15, align 8
  %17 = icmp eq ptr %16, null
  br i1 %17, label %107, label %18

18:                                               ; preds = %14
  %19 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %20 = load ptr, ptr %19, align 8
  %21 = icmp eq ptr %20, null
  br i1 %21, label %107, label %22

22:                                               ; preds = %18
  %23 = getelementptr inbounds nuw i8, ptr %1, i64 64
  %24 = load ptr, ptr %23, align 8
  %25 = icmp eq ptr %24, null
  br i1 %25, label %107, label %26

26:                                               ; preds = %22
  %27 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %28 = load ptr, ptr %27, align 8
  %29 = icmp eq ptr %28, null
  br i1 %29, label %107, label %30

30:                                               ; preds = %26
  %31 = icmp eq ptr %28, @_Py_NoneStruct
  br i1 %31, label %40, label %32

32:                                               ; preds = %30
  %33 = load ptr, ptr @eager, align 8
  %34 = getelementptr inbounds nuw i8, ptr %28, i64 8
  %35 = load ptr, ptr %34, align 8
  %36 = icmp eq ptr %35, %33
  br i1 %36, label %40, label %37

37:                                               ; preds = %32
  %38 = tail call i32 @PyType_IsSubtype(ptr noundef %35, ptr noundef %33) #9
  %39 = icmp eq i32 %38, 0
  br i1 %39, label %107, label %40

40:                                               ; preds = %37, %32, %30
  %41 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %42 = load ptr, ptr %41, align 8
  %43 = icmp eq ptr %42, null
  br i1 %43, label %107, label %44

44:                                               ; preds = %40
  %45 = icmp eq ptr %42, @_Py_NoneStruct
  br i1 %45, label %51, label %46

46:                                               ; preds = %44
  %47 = getelementptr inbounds nuw i8, ptr %42, i64 8
  %48 = load ptr, ptr %47, align 8
  %49 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %50 = icmp eq ptr %48, %49
  br i1 %50, label %51, label %107

51:                                               ; preds = %44, %46
  %52 = load i64, ptr %0, align 8
  %53 = load ptr, ptr %11, align 8
  %54 = getelementptr inbounds nuw i8, ptr %53, i64 56
  %55 = load ptr, ptr %54, align 8
  %56 = ptrtoint ptr %55 to i64
  %57 = getelementptr inbounds nuw i8, ptr %53, i64 24
  %58 = load i32, ptr %57, align 8
  %59 = zext i32 %58 to i64
  %60 = add i64 %59, %56
  %61 = xor i64 %60, %52
  %62 = mul i64 %61, -7046029254386353131
  %63 = lshr i64 %62, 32
  %64 = xor i64 %63, %62
  %65 = icmp sgt i32 %58, 0
  br i1 %65, label %66, label %138

66:                                               ; preds = %51
  %67 = getelementptr inbounds nuw i8, ptr %53, i64 32
  %68 = load ptr, ptr %67, align 8
  %69 = and i64 %59, 3
  %70 = icmp ult i32 %58, 4
  br i1 %70, label %121, label %71

71:                                               ; preds = %66
  %72 = and i64 %59, 2147483644
  br label %73

73:                                               ; preds = %73, %71
  %74 = phi i64 [ 0, %71 ], [ %104, %73 ]
  %75 = phi i64 [ %64, %71 ], [ %103, %73 ]
  %76 = phi i64 [ 0, %71 ], [ %105, %73 ]
  %77 = getelementptr inbounds nuw i64, ptr %68, i64 %74
  %78 = load i64, ptr %77, align 8
  %79 = xor i64 %78, %75
  %80 = mul i64 %79, -7046029254386353131
  %81 = lshr i64 %80, 32
  %82 = getelementptr inbounds nuw i64, ptr %68, i64 %74
  %83 = getelementptr inbounds nuw i8, ptr %82, i64 8
  %84 = load i64, ptr %83, align 8
  %85 = xor i64 %81, %84
  %86 = xor i64 %85, %80
  %87 = mul i64 %86, -7046029254386353131
  %88 = lshr i64 %87, 32
  %89 = getelementptr inbounds nuw i64, ptr %68, i64 %74
  %90 = getelementptr inbounds nuw i8, ptr %89, i64 16
  %91 = load i64, ptr %90, align 8
  %92 = xor i64 %88, %91
  %93 = xor i64 %92, %87
  %94 = mul i64 %93, -7046029254386353131
  %95 = lshr i64 %94, 32
  %96 = getelementptr inbounds nuw i64, ptr %68, i64 %74
  %97 = getelementptr inbounds nuw i8, ptr %96, i64 24
  %98 = load i64, ptr %97, align 8
  %99 = xor i64 %95, %98
  %100 = xor i64 %99, %94
  %101 = mul i64 %100, -7046029254386353131
  %102 = lshr i64 %101, 32
  %103 = xor i64 %102, %101
  %104 = add nuw nsw i64 %74, 4
  %105 = add i64 %76, 4
  %106 = icmp eq i64 %105, %72
  br i1 %106, label %119, label %73, !llvm.loop !4

107:                                              ; preds = %10, %14, %18, %22, %26, %37, %40, %7, %46
  %108 = load ptr, ptr %4, align 8
  %109 = icmp eq ptr %108, @PyFloat_Type
  %110 = icmp eq ptr %108, @PyLong_Type
  %111 = select i1 %110, i32 2, i32 0
  %112 = select i1 %109, i32 1, i32 %111
  %113 = load i64, ptr %0, align 8
  %114 = zext nneg i32 %112 to i64
  %115 = xor i64 %113, %114
  %116 = mul i64 %115, -7046029254386353131
  %117 = lshr i64 %116, 32
  %118 = xor i64 %117, %116
  br label %138

119:                                              ; preds = %73
  %120 = icmp eq i64 %69, 0
  br i1 %120, label %138, label %121

121:                                              ; preds = %119, %66
  %122 = phi i64 [ 0, %66 ], [ %104, %119 ]
  %123 = phi i64 [ %64, %66 ], [ %103, %119 ]
  %124 = icmp ne i64 %69, 0
  tail call void @llvm.assume(i1 %124)
  br label %125

125:                                              ; preds = %125, %121
  %126 = phi i64 [ %122, %121 ], [ %135, %125 ]
  %127 = phi i64 [ %123, %121 ], [ %134, %125 ]
  %128 = phi i64 [ 0, %121 ], [ %136, %125 ]
  %129 = getelementptr inbounds nuw i64, ptr %68, i64 %126
  %130 = load i64, ptr %129, align 8
  %131 = xor i64 %130, %127
  %132 = mul i64 %131, -7046029254386353131
  %133 = lshr i64 %132, 32
  %134 = xor i64 %133, %132
  %135 = add nuw nsw i64 %126, 1
  %136 = add i64 %128, 1
  %137 = icmp eq i64 %136, %69
  br i1 %137, label %138, label %125, !llvm.loop !5

138:                                              ; preds = %119, %125, %51, %107
  %139 = phi i64 [ %118, %107 ], [ %64, %51 ], [ %103, %119 ], [ %134, %125 ]
  %140 = phi i32 [ %112, %107 ], [ 3, %51 ], [ 3, %125 ], [ 3, %119 ]
  store i64 %139, ptr %0, align 8
  ret i32 %140
}

declare void @Py_IncRef(ptr noundef) local_unnamed_addr #1

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #5

declare void @Py_DecRef(ptr noundef) local_unnamed_addr #1

; Function Attrs: nounwind
define hidden ptr @native_new_tensor(ptr noundef %0) local_unnamed_addr #0 {
  %2 = load ptr, ptr @eager, align 8
  %3 = tail call ptr @PyType_GenericAlloc(ptr noundef %2, i64 noundef 0) #9
  %4 = icmp eq ptr %3, null
  br i1 %4, label %5, label %6

5:                                                ; preds = %1
  tail call void @Py_DecRef(ptr noundef %0) #9
  br label %19

6:                                                ; preds = %1
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 32
  store ptr %0, ptr %7, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %8 = getelementptr inbounds nuw i8, ptr %3, i64 40
  store ptr @_Py_NoneStruct, ptr %8, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 48
  store ptr @_Py_NoneStruct, ptr %9, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %10 = getelementptr inbounds nuw i8, ptr %3, i64 16
  store ptr @_Py_NoneStruct, ptr %10, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %11 = getelementptr inbounds nuw i8, ptr %3, i64 56
  store ptr @_Py_NoneStruct, ptr %11, align 8
  %12 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 48), align 8
  tail call void @Py_IncRef(ptr noundef %12) #9
  %13 = getelementptr inbounds nuw i8, ptr %3, i64 64
  store ptr %12, ptr %13, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %3, i64 72
  store ptr @_Py_NoneStruct, ptr %14, align 8
  %15 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 48), align 8
  tail call void @Py_IncRef(ptr noundef %15) #9
  %16 = getelementptr inbounds nuw i8, ptr %3, i64 80
  store ptr %15, ptr %16, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %17 = getelementptr inbounds nuw i8, ptr %3, i64 88
  store ptr @_Py_NoneStruct, ptr %17, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_FalseStruct) #9
  %18 = getelementptr inbounds nuw i8, ptr %3, i64 24
  store ptr @_Py_FalseStruct, ptr %18, align 8
  br label %19

19:                                               ; preds = %6, %5
  ret ptr %3
}

declare ptr @PyType_GenericAlloc(ptr noundef, i64 noundef) local_unnamed_addr #1

; Function Attrs: nounwind
define ptr @penstock_eager_run(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #0 {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = icmp sgt i64 %2, 8
  br i1 %6, label %15, label %7

7:                                                ; preds = %3
  %8 = load i32, ptr @native_mode_key, align 4
  %9 = tail call ptr @pthread_getspecific(i32 noundef %8) #9
  %10 = ptrtoint ptr %9 to i64
  %11 = and i64 %10, 4294967295
  %12 = icmp eq i64 %11, 0
  br i1 %12, label %15, label %13

13:                                               ; preds = %7
  %14 = icmp sgt i64 %2, 0
  br i1 %14, label %16, label %72

15:                                               ; preds = %7, %3
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %74

16:                                               ; preds = %13, %69
  %17 = phi i64 [ %70, %69 ], [ 0, %13 ]
  %18 = getelementptr inbounds nuw ptr, ptr %1, i64 %17
  %19 = load ptr, ptr %18, align 8
  %20 = load ptr, ptr @eager, align 8
  %21 = getelementptr inbounds nuw i8, ptr %19, i64 8
  %22 = load ptr, ptr %21, align 8
  %23 = icmp eq ptr %22, %20
  br i1 %23, label %27, label %24

24:                                               ; preds = %16
  %25 = tail call i32 @PyType_IsSubtype(ptr noundef %22, ptr noundef %20) #9
  %26 = icmp eq i32 %25, 0
  br i1 %26, label %68, label %27

27:                                               ; preds = %24, %16
  %28 = getelementptr inbounds nuw i8, ptr %19, i64 32
  %29 = load ptr, ptr %28, align 8
  %30 = tail call zeroext i1 @native_is_array(ptr noundef %29) #9
  br i1 %30, label %31, label %68

31:                                               ; preds = %27
  %32 = getelementptr inbounds nuw i8, ptr %19, i64 24
  %33 = load ptr, ptr %32, align 8
  %34 = icmp eq ptr %33, null
  br i1 %34, label %68, label %35

35:                                               ; preds = %31
  %36 = getelementptr inbounds nuw i8, ptr %19, i64 72
  %37 = load ptr, ptr %36, align 8
  %38 = icmp eq ptr %37, null
  br i1 %38, label %68, label %39

39:                                               ; preds = %35
  %40 = getelementptr inbounds nuw i8, ptr %19, i64 64
  %41 = load ptr, ptr %40, align 8
  %42 = icmp eq ptr %41, null
  br i1 %42, label %68, label %43

43:                                               ; preds = %39
  %44 = getelementptr inbounds nuw i8, ptr %19, i64 40
  %45 = load ptr, ptr %44, align 8
  %46 = icmp eq ptr %45, null
  br i1 %46, label %68, label %47

47:                                               ; preds = %43
  %48 = icmp eq ptr %45, @_Py_NoneStruct
  br i1 %48, label %57, label %49

49:                                               ; preds = %47
  %50 = load ptr, ptr @eager, align 8
  %51 = getelementptr inbounds nuw i8, ptr %45, i64 8
  %52 = load ptr, ptr %51, align 8
  %53 = icmp eq ptr %52, %50
  br i1 %53, label %57, label %54

54:                                               ; preds = %49
  %55 = tail call i32 @PyType_IsSubtype(ptr noundef %52, ptr noundef %50) #9
  %56 = icmp eq i32 %55, 0
  br i1 %56, label %68, label %57

57:                                               ; preds = %54, %49, %47
  %58 = getelementptr inbounds nuw i8, ptr %19, i64 48
  %59 = load ptr, ptr %58, align 8
  %60 = icmp eq ptr %59, null
  br i1 %60, label %68, label %61

61:                                               ; preds = %57
  %62 = icmp eq ptr %59, @_Py_NoneStruct
  br i1 %62, label %69, label %63

63:                                               ; preds = %61
  %64 = getelementptr inbounds nuw i8, ptr %59, i64 8
  %65 = load ptr, ptr %64, align 8
  %66 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %67 = icmp eq ptr %65, %66
  br i1 %67, label %69, label %68

68:                                               ; preds = %63, %24, %57, %54, %43, %39, %35, %31, %27
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %74

69:                                               ; preds = %61, %63
  %70 = add nuw nsw i64 %17, 1
  %71 = icmp eq i64 %70, %2
  br i1 %71, label %72, label %16, !llvm.loop !7

72:                                               ; preds = %69, %13
  %73 = tail call fastcc ptr @run(ptr noundef %5, ptr noundef %1, i64 noundef %2, i1 noundef zeroext false) #11
  br label %74

74:                                               ; preds = %68, %72, %15
  %75 = phi ptr [ @_Py_NotImplementedStruct, %15 ], [ %73, %72 ], [ @_Py_NotImplementedStruct, %68 ]
  ret ptr %75
}

; Function Attrs: inlinehint nounwind
define internal fastcc ptr @run(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2, i1 noundef zeroext %3) unnamed_addr #4 {
  %5 = alloca [8 x ptr], align 16
  %6 = alloca ptr, align 8
  %7 = alloca [8 x ptr], align 16
  %8 = load ptr, ptr %0, align 8
  %9 = icmp eq ptr %8, null
  br i1 %9, label %10, label %154

10:                                               ; preds = %4
  %11 = icmp eq i64 %2, 1
  br i1 %11, label %12, label %153

12:                                               ; preds = %10
  %13 = load ptr, ptr %1, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  store ptr %13, ptr %6, align 8
  %14 = getelementptr inbounds nuw i8, ptr %13, i64 40
  %15 = load ptr, ptr %14, align 8
  %16 = icmp eq ptr %15, @_Py_NoneStruct
  %17 = select i1 %16, ptr %13, ptr %15
  %18 = load ptr, ptr @eager, align 8
  %19 = getelementptr inbounds nuw i8, ptr %17, i64 8
  %20 = load ptr, ptr %19, align 8
  %21 = icmp eq ptr %20, %18
  br i1 %21, label %25, label %22

22:                                               ; preds = %12
  %23 = tail call i32 @PyType_IsSubtype(ptr noundef %20, ptr noundef %18) #9
  %24 = icmp eq i32 %23, 0
  br i1 %24, label %70, label %25

25:                                               ; preds = %22, %12
  %26 = getelementptr inbounds nuw i8, ptr %17, i64 32
  %27 = load ptr, ptr %26, align 8
  %28 = tail call zeroext i1 @native_is_array(ptr noundef %27) #9
  br i1 %28, label %29, label %70

29:                                               ; preds = %25
  %30 = getelementptr inbounds nuw i8, ptr %17, i64 24
  %31 = load ptr, ptr %30, align 8
  %32 = icmp eq ptr %31, null
  br i1 %32, label %70, label %33

33:                                               ; preds = %29
  %34 = getelementptr inbounds nuw i8, ptr %17, i64 72
  %35 = load ptr, ptr %34, align 8
  %36 = icmp eq ptr %35, null
  br i1 %36, label %70, label %37

37:                                               ; preds = %33
  %38 = getelementptr inbounds nuw i8, ptr %17, i64 64
  %39 = load ptr, ptr %38, align 8
  %40 = icmp eq ptr %39, null
  br i1 %40, label %70, label %41

41:                                               ; preds = %37
  %42 = getelementptr inbounds nuw i8, ptr %17, i64 40
  %43 = load ptr, ptr %42, align 8
  %44 = icmp eq ptr %43, null
  br i1 %44, label %70, label %45

45:                                               ; preds = %41
  %46 = icmp eq ptr %43, @_Py_NoneStruct
  br i1 %46, label %55, label %47

47:                                               ; preds = %45
  %48 = load ptr, ptr @eager, align 8
  %49 = getelementptr inbounds nuw i8, ptr %43, i64 8
  %50 = load ptr, ptr %49, align 8
  %51 = icmp eq ptr %50, %48
  br i1 %51, label %55, label %52

52:                                               ; preds = %47
  %53 = tail call i32 @PyType_IsSubtype(ptr noundef %50, ptr noundef %48) #9
  %54 = icmp eq i32 %53, 0
  br i1 %54, label %70, label %55

55:                                               ; preds = %52, %47, %45
  %56 = getelementptr inbounds nuw i8, ptr %17, i64 48
  %57 = load ptr, ptr %56, align 8
  %58 = icmp eq ptr %57, null
  br i1 %58, label %70, label %59

59:                                               ; preds = %55
  %60 = icmp eq ptr %57, @_Py_NoneStruct
  br i1 %60, label %66, label %61

61:                                               ; preds = %59
  %62 = getelementptr inbounds nuw i8, ptr %57, i64 8
  %63 = load ptr, ptr %62, align 8
  %64 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %65 = icmp eq ptr %63, %64
  br i1 %65, label %66, label %70

66:                                               ; preds = %61, %59
  %67 = getelementptr inbounds nuw i8, ptr %17, i64 88
  %68 = load ptr, ptr %67, align 8
  %69 = icmp eq ptr %68, null
  br i1 %69, label %70, label %71

70:                                               ; preds = %66, %61, %55, %52, %41, %37, %33, %29, %25, %22
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %151

71:                                               ; preds = %66
  %72 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %73 = load ptr, ptr %72, align 8
  tail call void @Py_IncRef(ptr noundef %73) #9
  tail call void @Py_IncRef(ptr noundef nonnull %17) #9
  %74 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %75 = load ptr, ptr %74, align 8
  %76 = getelementptr inbounds nuw i8, ptr %13, i64 32
  %77 = load ptr, ptr %76, align 8
  %78 = tail call ptr @native_view(ptr noundef %75, ptr noundef %77) #9
  %79 = icmp ne ptr %78, null
  %80 = icmp ne ptr %78, @_Py_NotImplementedStruct
  %81 = and i1 %79, %80
  br i1 %81, label %82, label %149

82:                                               ; preds = %71
  %83 = tail call ptr @native_new_tensor(ptr noundef nonnull %78) #11
  %84 = icmp eq ptr %83, null
  br i1 %84, label %149, label %85

85:                                               ; preds = %82
  %86 = load i32, ptr @native_mode_key, align 4
  %87 = tail call ptr @pthread_getspecific(i32 noundef %86) #9
  %88 = ptrtoint ptr %87 to i64
  %89 = and i64 %88, 4294967295
  %90 = icmp eq i64 %89, 2
  br i1 %90, label %91, label %122

91:                                               ; preds = %85
  %92 = load ptr, ptr %56, align 8
  %93 = icmp eq ptr %92, @_Py_NoneStruct
  br i1 %93, label %94, label %106

94:                                               ; preds = %91
  %95 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %96 = tail call ptr @PyType_GenericAlloc(ptr noundef %95, i64 noundef 0) #9
  %97 = icmp eq ptr %96, null
  br i1 %97, label %146, label %98

98:                                               ; preds = %94
  %99 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 48), align 8
  tail call void @Py_IncRef(ptr noundef %99) #9
  %100 = getelementptr inbounds nuw i8, ptr %96, i64 16
  store ptr %99, ptr %100, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %101 = getelementptr inbounds nuw i8, ptr %96, i64 24
  store ptr @_Py_NoneStruct, ptr %101, align 8
  %102 = load ptr, ptr %56, align 8
  store ptr %96, ptr %56, align 8
  %103 = icmp eq ptr %102, null
  br i1 %103, label %109, label %104

104:                                              ; preds = %98
  tail call void @Py_DecRef(ptr noundef nonnull %102) #9
  %105 = load ptr, ptr %56, align 8
  br label %106

106:                                              ; preds = %104, %91
  %107 = phi ptr [ %105, %104 ], [ %92, %91 ]
  %108 = icmp eq ptr %107, null
  br i1 %108, label %146, label %109

109:                                              ; preds = %106, %98
  %110 = phi ptr [ %107, %106 ], [ %96, %98 ]
  %111 = getelementptr inbounds nuw i8, ptr %83, i64 48
  tail call void @Py_IncRef(ptr noundef nonnull %110) #9
  %112 = load ptr, ptr %111, align 8
  store ptr %110, ptr %111, align 8
  %113 = icmp eq ptr %112, null
  br i1 %113, label %115, label %114

114:                                              ; preds = %109
  tail call void @Py_DecRef(ptr noundef nonnull %112) #9
  br label %115

115:                                              ; preds = %114, %109
  %116 = getelementptr inbounds nuw i8, ptr %83, i64 88
  %117 = load ptr, ptr %67, align 8
  %118 = icmp eq ptr %117, @_Py_NoneStruct
  %119 = select i1 %118, ptr %17, ptr %117
  tail call void @Py_IncRef(ptr noundef %119) #9
  %120 = load ptr, ptr %116, align 8
  store ptr %119, ptr %116, align 8
  %121 = icmp eq ptr %120, null
  br i1 %121, label %149, label %146

122:                                              ; preds = %85
  %123 = getelementptr inbounds nuw i8, ptr %83, i64 40
  tail call void @Py_IncRef(ptr noundef nonnull %17) #9
  %124 = load ptr, ptr %123, align 8
  store ptr %17, ptr %123, align 8
  %125 = icmp eq ptr %124, null
  br i1 %125, label %127, label %126

126:                                              ; preds = %122
  tail call void @Py_DecRef(ptr noundef nonnull %124) #9
  br label %127

127:                                              ; preds = %126, %122
  %128 = getelementptr inbounds nuw i8, ptr %83, i64 80
  %129 = load ptr, ptr %56, align 8
  %130 = icmp eq ptr %129, null
  br i1 %130, label %138, label %131

131:                                              ; preds = %127
  %132 = getelementptr inbounds nuw i8, ptr %129, i64 8
  %133 = load ptr, ptr %132, align 8
  %134 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %135 = icmp eq ptr %133, %134
  br i1 %135, label %136, label %138

136:                                              ; preds = %131
  %137 = getelementptr inbounds nuw i8, ptr %129, i64 16
  br label %138

138:                                              ; preds = %136, %131, %127
  %139 = phi ptr [ %137, %136 ], [ getelementptr inbounds nuw (i8, ptr @eager, i64 48), %131 ], [ getelementptr inbounds nuw (i8, ptr @eager, i64 48), %127 ]
  %140 = load ptr, ptr %139, align 8
  tail call void @Py_IncRef(ptr noundef %140) #9
  %141 = load ptr, ptr %128, align 8
  store ptr %140, ptr %128, align 8
  %142 = icmp eq ptr %141, null
  br i1 %142, label %144, label %143

143:                                              ; preds = %138
  tail call void @Py_DecRef(ptr noundef nonnull %141) #9
  br label %144

144:                                              ; preds = %143, %138
  %145 = call fastcc zeroext i1 @record(ptr noundef nonnull readonly %0, ptr noundef nonnull %6, i64 noundef 1, ptr noundef %83) #11
  br i1 %145, label %149, label %146

146:                                              ; preds = %144, %115, %106, %94
  %147 = phi ptr [ %120, %115 ], [ %83, %106 ], [ %83, %94 ], [ %83, %144 ]
  %148 = phi ptr [ %83, %115 ], [ null, %106 ], [ null, %94 ], [ null, %144 ]
  tail call void @Py_DecRef(ptr noundef nonnull %147) #9
  br label %149

149:                                              ; preds = %146, %144, %115, %82, %71
  %150 = phi ptr [ %78, %71 ], [ %83, %115 ], [ %83, %144 ], [ null, %82 ], [ %148, %146 ]
  tail call void @Py_DecRef(ptr noundef nonnull %17) #9
  tail call void @Py_DecRef(ptr noundef %73) #9
  br label %151

151:                                              ; preds = %70, %149
  %152 = phi ptr [ %150, %149 ], [ @_Py_NotImplementedStruct, %70 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  br label %249

153:                                              ; preds = %10
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %249

154:                                              ; preds = %4
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #10
  %155 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %156 = load ptr, ptr %155, align 8
  tail call void @Py_IncRef(ptr noundef %156) #9
  %157 = icmp sgt i64 %2, 0
  br i1 %157, label %215, label %158

158:                                              ; preds = %154
  %159 = load ptr, ptr %0, align 8
  br label %176

160:                                              ; preds = %215
  %161 = load ptr, ptr %0, align 8
  br label %163

162:                                              ; preds = %171
  br i1 %173, label %176, label %179

163:                                              ; preds = %160, %171
  %164 = phi i64 [ %174, %171 ], [ 0, %160 ]
  %165 = phi i1 [ %173, %171 ], [ true, %160 ]
  %166 = getelementptr inbounds nuw ptr, ptr %7, i64 %164
  %167 = load ptr, ptr %166, align 8
  %168 = tail call zeroext i1 @native_is_array(ptr noundef %167) #9
  br i1 %168, label %169, label %171

169:                                              ; preds = %163
  %170 = tail call zeroext i1 @native_is_usual(ptr noundef %167) #9
  br label %171

171:                                              ; preds = %169, %163
  %172 = phi i1 [ true, %163 ], [ %170, %169 ]
  %173 = and i1 %165, %172
  %174 = add nuw nsw i64 %164, 1
  %175 = icmp eq i64 %174, %2
  br i1 %175, label %162, label %163, !llvm.loop !8

176:                                              ; preds = %158, %162
  %177 = phi ptr [ %161, %162 ], [ %159, %158 ]
  %178 = call ptr @native_call(ptr noundef %177, ptr noundef nonnull %7, i64 noundef %2) #9
  br label %213

179:                                              ; preds = %162
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #10
  br label %180

180:                                              ; preds = %195, %179
  %181 = phi i64 [ %196, %195 ], [ 0, %179 ]
  %182 = getelementptr inbounds nuw ptr, ptr %7, i64 %181
  %183 = load ptr, ptr %182, align 8
  %184 = tail call zeroext i1 @native_is_array(ptr noundef %183) #9
  br i1 %184, label %185, label %187

185:                                              ; preds = %180
  %186 = tail call zeroext i1 @native_is_usual(ptr noundef %183) #9
  br i1 %186, label %187, label %188

187:                                              ; preds = %185, %180
  tail call void @Py_IncRef(ptr noundef %183) #9
  br label %191

188:                                              ; preds = %185
  %189 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 112), align 8
  %190 = tail call ptr %189(ptr noundef %183, i32 noundef 0) #9
  br label %191

191:                                              ; preds = %188, %187
  %192 = phi ptr [ %183, %187 ], [ %190, %188 ]
  %193 = getelementptr inbounds nuw ptr, ptr %5, i64 %181
  store ptr %192, ptr %193, align 8
  %194 = icmp eq ptr %192, null
  br i1 %194, label %198, label %195

195:                                              ; preds = %191
  %196 = add nuw nsw i64 %181, 1
  %197 = icmp eq i64 %196, %2
  br i1 %197, label %200, label %180, !llvm.loop !9

198:                                              ; preds = %191
  %199 = icmp eq i64 %181, %2
  br i1 %199, label %200, label %202

200:                                              ; preds = %195, %198
  %201 = call ptr @native_call(ptr noundef %161, ptr noundef nonnull %5, i64 noundef %2) #9
  br label %202

202:                                              ; preds = %200, %198
  %203 = phi i64 [ %2, %200 ], [ %181, %198 ]
  %204 = phi ptr [ %201, %200 ], [ null, %198 ]
  %205 = icmp eq i64 %203, 0
  br i1 %205, label %212, label %206

206:                                              ; preds = %202, %206
  %207 = phi i64 [ %208, %206 ], [ %203, %202 ]
  %208 = add nsw i64 %207, -1
  %209 = getelementptr inbounds ptr, ptr %5, i64 %208
  %210 = load ptr, ptr %209, align 8
  call void @Py_DecRef(ptr noundef %210) #9
  %211 = icmp eq i64 %208, 0
  br i1 %211, label %212, label %206, !llvm.loop !10

212:                                              ; preds = %206, %202
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #10
  br label %213

213:                                              ; preds = %176, %212
  %214 = phi ptr [ %178, %176 ], [ %204, %212 ]
  br i1 %157, label %228, label %224

215:                                              ; preds = %154, %215
  %216 = phi i64 [ %222, %215 ], [ 0, %154 ]
  %217 = getelementptr inbounds nuw ptr, ptr %1, i64 %216
  %218 = load ptr, ptr %217, align 8
  %219 = getelementptr inbounds nuw i8, ptr %218, i64 32
  %220 = load ptr, ptr %219, align 8
  tail call void @Py_IncRef(ptr noundef %220) #9
  %221 = getelementptr inbounds nuw ptr, ptr %7, i64 %216
  store ptr %220, ptr %221, align 8
  %222 = add nuw nsw i64 %216, 1
  %223 = icmp eq i64 %222, %2
  br i1 %223, label %160, label %215, !llvm.loop !11

224:                                              ; preds = %228, %213
  %225 = icmp ne ptr %214, null
  %226 = icmp ne ptr %214, @_Py_NotImplementedStruct
  %227 = and i1 %225, %226
  br i1 %227, label %234, label %247

228:                                              ; preds = %213, %228
  %229 = phi i64 [ %232, %228 ], [ 0, %213 ]
  %230 = getelementptr inbounds nuw ptr, ptr %7, i64 %229
  %231 = load ptr, ptr %230, align 8
  call void @Py_DecRef(ptr noundef %231) #9
  %232 = add nuw nsw i64 %229, 1
  %233 = icmp eq i64 %232, %2
  br i1 %233, label %224, label %228, !llvm.loop !12

234:                                              ; preds = %224
  br i1 %3, label %235, label %241

235:                                              ; preds = %234
  %236 = getelementptr inbounds nuw i8, ptr %214, i64 56
  %237 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 152), align 8
  call void @Py_IncRef(ptr noundef %237) #9
  %238 = load ptr, ptr %236, align 8
  store ptr %237, ptr %236, align 8
  %239 = icmp eq ptr %238, null
  br i1 %239, label %241, label %240

240:                                              ; preds = %235
  call void @Py_DecRef(ptr noundef nonnull %238) #9
  br label %241

241:                                              ; preds = %240, %235, %234
  %242 = call ptr @native_new_tensor(ptr noundef nonnull %214) #11
  %243 = icmp eq ptr %242, null
  br i1 %243, label %247, label %244

244:                                              ; preds = %241
  %245 = call fastcc zeroext i1 @record(ptr noundef nonnull %0, ptr noundef %1, i64 noundef %2, ptr noundef %242) #11
  br i1 %245, label %247, label %246

246:                                              ; preds = %244
  call void @Py_DecRef(ptr noundef nonnull %242) #9
  br label %247

247:                                              ; preds = %241, %244, %246, %224
  %248 = phi ptr [ %214, %224 ], [ %242, %244 ], [ null, %246 ], [ null, %241 ]
  call void @Py_DecRef(ptr noundef %156) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #10
  br label %249

249:                                              ; preds = %151, %153, %247
  %250 = phi ptr [ %248, %247 ], [ %152, %151 ], [ @_Py_NotImplementedStruct, %153 ]
  ret ptr %250
}

; Function Attrs: nounwind
define ptr @penstock_eager_apply(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #0 {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %7 = load i64, ptr %6, align 8
  %8 = icmp eq i64 %2, %7
  br i1 %8, label %9, label %11

9:                                                ; preds = %3
  %10 = tail call fastcc ptr @apply(ptr noundef nonnull %5, ptr noundef %1, i64 noundef %2) #11
  br label %12

11:                                               ; preds = %3
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %12

12:                                               ; preds = %11, %9
  %13 = phi ptr [ %10, %9 ], [ @_Py_NotImplementedStruct, %11 ]
  ret ptr %13
}

; Function Attrs: nounwind
define internal fastcc ptr @apply(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) unnamed_addr #0 {
  %4 = alloca i32, align 4
  %5 = alloca i64, align 8
  %6 = alloca [2 x ptr], align 16
  %7 = load i32, ptr @native_mode_key, align 4
  %8 = tail call ptr @pthread_getspecific(i32 noundef %7) #9
  %9 = ptrtoint ptr %8 to i64
  %10 = and i64 %9, 4294967295
  %11 = icmp eq i64 %10, 0
  br i1 %11, label %12, label %13

12:                                               ; preds = %3
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %162

13:                                               ; preds = %3
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #10
  %14 = load i64, ptr %0, align 8
  %15 = mul i64 %14, -7046029254386353131
  %16 = lshr i64 %15, 32
  %17 = xor i64 %16, %15
  store i64 %17, ptr %5, align 8
  %18 = icmp sgt i64 %2, 0
  br i1 %18, label %19, label %35

19:                                               ; preds = %13, %27
  %20 = phi i64 [ %29, %27 ], [ -1, %13 ]
  %21 = phi i64 [ %30, %27 ], [ 0, %13 ]
  %22 = getelementptr inbounds nuw ptr, ptr %1, i64 %21
  %23 = load ptr, ptr %22, align 8
  %24 = call fastcc i32 @mix_operand(ptr noundef %5, ptr noundef %23) #11
  %25 = icmp eq i32 %24, 0
  br i1 %25, label %26, label %27

26:                                               ; preds = %19
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %160

27:                                               ; preds = %19
  %28 = icmp eq i32 %24, 3
  %29 = select i1 %28, i64 %20, i64 %21
  %30 = add nuw nsw i64 %21, 1
  %31 = icmp eq i64 %30, %2
  br i1 %31, label %32, label %19, !llvm.loop !13

32:                                               ; preds = %27
  %33 = load i64, ptr %5, align 8
  %34 = load i64, ptr %0, align 8
  br label %35

35:                                               ; preds = %32, %13
  %36 = phi i64 [ %14, %13 ], [ %34, %32 ]
  %37 = phi i64 [ %17, %13 ], [ %33, %32 ]
  %38 = phi i64 [ -1, %13 ], [ %29, %32 ]
  %39 = lshr i64 %37, 8
  %40 = and i64 %39, 1023
  %41 = getelementptr inbounds nuw [4 x %struct.known], ptr @known, i64 %40
  %42 = load i64, ptr %41, align 16
  %43 = icmp eq i64 %42, %37
  br i1 %43, label %44, label %52

44:                                               ; preds = %35
  %45 = getelementptr inbounds nuw i8, ptr %41, i64 8
  %46 = load i64, ptr %45, align 8
  %47 = icmp eq i64 %46, %36
  br i1 %47, label %48, label %52

48:                                               ; preds = %44
  %49 = getelementptr inbounds nuw i8, ptr %41, i64 16
  %50 = load ptr, ptr %49, align 16
  %51 = icmp eq ptr %50, null
  br i1 %51, label %52, label %89

52:                                               ; preds = %48, %44, %35
  %53 = getelementptr inbounds nuw i8, ptr %41, i64 24
  %54 = load i64, ptr %53, align 8
  %55 = icmp eq i64 %54, %37
  br i1 %55, label %56, label %64

56:                                               ; preds = %52
  %57 = getelementptr inbounds nuw i8, ptr %41, i64 32
  %58 = load i64, ptr %57, align 16
  %59 = icmp eq i64 %58, %36
  br i1 %59, label %60, label %64

60:                                               ; preds = %56
  %61 = getelementptr inbounds nuw i8, ptr %41, i64 40
  %62 = load ptr, ptr %61, align 8
  %63 = icmp eq ptr %62, null
  br i1 %63, label %64, label %89

64:                                               ; preds = %60, %56, %52
  %65 = getelementptr inbounds nuw i8, ptr %41, i64 48
  %66 = load i64, ptr %65, align 16
  %67 = icmp eq i64 %66, %37
  br i1 %67, label %68, label %76

68:                                               ; preds = %64
  %69 = getelementptr inbounds nuw i8, ptr %41, i64 56
  %70 = load i64, ptr %69, align 8
  %71 = icmp eq i64 %70, %36
  br i1 %71, label %72, label %76

72:                                               ; preds = %68
  %73 = getelementptr inbounds nuw i8, ptr %41, i64 64
  %74 = load ptr, ptr %73, align 16
  %75 = icmp eq ptr %74, null
  br i1 %75, label %76, label %89

76:                                               ; preds = %72, %68, %64
  %77 = getelementptr inbounds nuw i8, ptr %41, i64 72
  %78 = load i64, ptr %77, align 8
  %79 = icmp eq i64 %78, %37
  br i1 %79, label %80, label %88

80:                                               ; preds = %76
  %81 = getelementptr inbounds nuw i8, ptr %41, i64 80
  %82 = load i64, ptr %81, align 16
  %83 = icmp eq i64 %82, %36
  br i1 %83, label %84, label %88

84:                                               ; preds = %80
  %85 = getelementptr inbounds nuw i8, ptr %41, i64 88
  %86 = load ptr, ptr %85, align 8
  %87 = icmp eq ptr %86, null
  br i1 %87, label %88, label %89

88:                                               ; preds = %84, %80, %76
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %160

89:                                               ; preds = %48, %60, %84, %72
  %90 = phi ptr [ %74, %72 ], [ %86, %84 ], [ %62, %60 ], [ %50, %48 ]
  %91 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %92 = load i64, ptr %91, align 8
  %93 = icmp ne i64 %92, 0
  %94 = icmp slt i64 %38, 0
  br i1 %94, label %95, label %97

95:                                               ; preds = %89
  %96 = tail call fastcc ptr @run(ptr noundef nonnull %90, ptr noundef %1, i64 noundef %2, i1 noundef zeroext %93) #11
  br label %160

97:                                               ; preds = %89
  %98 = load ptr, ptr %90, align 8
  %99 = icmp eq ptr %98, null
  br i1 %99, label %100, label %101

100:                                              ; preds = %97
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %160

101:                                              ; preds = %97
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #10
  %102 = load <2 x ptr>, ptr %1, align 8
  store <2 x ptr> %102, ptr %6, align 16
  %103 = getelementptr inbounds nuw i8, ptr %90, i64 8
  %104 = load ptr, ptr %103, align 8
  tail call void @Py_IncRef(ptr noundef %104) #9
  %105 = getelementptr inbounds nuw ptr, ptr %1, i64 %38
  %106 = load ptr, ptr %105, align 8
  %107 = load ptr, ptr %90, align 8
  %108 = getelementptr inbounds nuw i8, ptr %107, i64 40
  %109 = load ptr, ptr %108, align 8
  %110 = getelementptr inbounds nuw %struct.feed, ptr %109, i64 %38
  %111 = getelementptr inbounds nuw i8, ptr %106, i64 8
  %112 = load ptr, ptr %111, align 8
  %113 = icmp eq ptr %112, @PyFloat_Type
  br i1 %113, label %114, label %116

114:                                              ; preds = %101
  %115 = tail call double @PyFloat_AsDouble(ptr noundef nonnull %106) #9
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #10
  store i32 0, ptr %4, align 4
  br label %120

116:                                              ; preds = %101
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #10
  store i32 0, ptr %4, align 4
  %117 = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %106, ptr noundef nonnull %4) #9
  %118 = load i32, ptr %4, align 4
  %119 = icmp eq i32 %118, 0
  br i1 %119, label %120, label %147

120:                                              ; preds = %116, %114
  %121 = phi i64 [ 0, %114 ], [ %117, %116 ]
  %122 = phi double [ %115, %114 ], [ 0.000000e+00, %116 ]
  %123 = call ptr @native_array(ptr noundef %110) #9
  %124 = icmp eq ptr %123, null
  br i1 %124, label %147, label %125

125:                                              ; preds = %120
  %126 = getelementptr inbounds nuw i8, ptr %123, i64 16
  %127 = load ptr, ptr %126, align 8
  %128 = load ptr, ptr %110, align 8
  %129 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 128), align 8
  %130 = icmp eq ptr %128, %129
  br i1 %130, label %131, label %135

131:                                              ; preds = %125
  %132 = fptrunc double %122 to float
  %133 = sitofp i64 %121 to float
  %134 = select i1 %113, float %132, float %133
  store float %134, ptr %127, align 4
  br label %148

135:                                              ; preds = %125
  %136 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 136), align 8
  %137 = icmp eq ptr %128, %136
  br i1 %137, label %138, label %141

138:                                              ; preds = %135
  %139 = sitofp i64 %121 to double
  %140 = select i1 %113, double %122, double %139
  store double %140, ptr %127, align 8
  br label %148

141:                                              ; preds = %135
  %142 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 144), align 8
  %143 = icmp eq ptr %128, %142
  br i1 %143, label %144, label %146

144:                                              ; preds = %141
  %145 = trunc i64 %121 to i32
  store i32 %145, ptr %127, align 4
  br label %148

146:                                              ; preds = %141
  store i64 %121, ptr %127, align 8
  br label %148

147:                                              ; preds = %116, %120
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #10
  br label %154

148:                                              ; preds = %131, %138, %144, %146
  %149 = call ptr @native_new_tensor(ptr noundef nonnull %123) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #10
  %150 = icmp eq ptr %149, null
  br i1 %150, label %154, label %151

151:                                              ; preds = %148
  %152 = getelementptr inbounds nuw ptr, ptr %6, i64 %38
  store ptr %149, ptr %152, align 8
  %153 = call fastcc ptr @run(ptr noundef nonnull %90, ptr noundef nonnull %6, i64 noundef %2, i1 noundef zeroext %93) #11
  call void @Py_DecRef(ptr noundef nonnull %149) #9
  br label %158

154:                                              ; preds = %147, %148
  %155 = call ptr @PyErr_Occurred() #9
  %156 = icmp eq ptr %155, null
  br i1 %156, label %157, label %158

157:                                              ; preds = %154
  call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %158

158:                                              ; preds = %154, %157, %151
  %159 = phi ptr [ %153, %151 ], [ null, %154 ], [ @_Py_NotImplementedStruct, %157 ]
  call void @Py_DecRef(ptr noundef %104) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #10
  br label %160

160:                                              ; preds = %26, %88, %158, %100, %95
  %161 = phi ptr [ @_Py_NotImplementedStruct, %26 ], [ @_Py_NotImplementedStruct, %88 ], [ %96, %95 ], [ %159, %158 ], [ @_Py_NotImplementedStruct, %100 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #10
  br label %162

162:                                              ; preds = %160, %12
  %163 = phi ptr [ @_Py_NotImplementedStruct, %12 ], [ %161, %160 ]
  ret ptr %163
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define ptr @penstock_eager_method(i64 noundef %0) local_unnamed_addr #6 {
  %2 = getelementptr inbounds ptr, ptr @penstock_eager_method.methods, i64 %0
  %3 = load ptr, ptr %2, align 8
  ret ptr %3
}

; Function Attrs: nounwind
define internal ptr @method_0(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 160), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_1(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 168), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_2(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 176), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_3(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 184), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_4(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 192), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_5(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 200), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_6(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 208), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_7(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 216), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_8(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 224), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_9(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 232), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_10(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 240), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_11(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 248), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_12(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 256), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_13(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 264), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_14(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 272), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_15(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 280), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_16(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 288), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_17(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 296), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_18(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 304), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #9
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret ptr %18
}

; Function Attrs: nounwind
define void @penstock_eager_setup(ptr noundef readonly captures(none) %0) local_unnamed_addr #0 {
  %2 = load ptr, ptr @eager, align 8
  %3 = icmp eq ptr %2, null
  br i1 %3, label %4, label %6

4:                                                ; preds = %1
  %5 = tail call i32 @pthread_key_create(ptr noundef nonnull @native_mode_key, ptr noundef null) #9
  br label %6

6:                                                ; preds = %4, %1
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(312) @eager, ptr noundef nonnull align 8 dereferenceable(312) %0, i64 312, i1 false)
  ret void
}

declare i32 @pthread_key_create(ptr noundef, ptr noundef) local_unnamed_addr #1

declare ptr @pthread_getspecific(i32 noundef) local_unnamed_addr #1

declare hidden zeroext i1 @native_is_array(ptr noundef) local_unnamed_addr #1

declare i32 @PyType_IsSubtype(ptr noundef, ptr noundef) local_unnamed_addr #1

; Function Attrs: inlinehint nounwind
define internal fastcc noundef zeroext i1 @record(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2, ptr noundef nonnull %3) unnamed_addr #4 {
  %5 = load i32, ptr @native_mode_key, align 4
  %6 = tail call ptr @pthread_getspecific(i32 noundef %5) #9
  %7 = ptrtoint ptr %6 to i64
  %8 = and i64 %7, 4294967295
  %9 = icmp ne i64 %8, 2
  %10 = icmp sgt i64 %2, 0
  %11 = and i1 %9, %10
  br i1 %11, label %12, label %281

12:                                               ; preds = %4
  %13 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  br label %15

14:                                               ; preds = %56
  br i1 %58, label %61, label %262

15:                                               ; preds = %12, %56
  %16 = phi i64 [ 0, %12 ], [ %59, %56 ]
  %17 = phi i1 [ true, %12 ], [ %58, %56 ]
  %18 = phi i64 [ 0, %12 ], [ %32, %56 ]
  %19 = getelementptr inbounds nuw ptr, ptr %1, i64 %16
  %20 = load ptr, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %20, i64 24
  %22 = load ptr, ptr %21, align 8
  %23 = icmp eq ptr %22, @_Py_TrueStruct
  br i1 %23, label %29, label %24

24:                                               ; preds = %15
  %25 = getelementptr inbounds nuw i8, ptr %20, i64 72
  %26 = load ptr, ptr %25, align 8
  %27 = icmp ne ptr %26, @_Py_NoneStruct
  %28 = zext i1 %27 to i64
  br label %29

29:                                               ; preds = %15, %24
  %30 = phi i64 [ 1, %15 ], [ %28, %24 ]
  %31 = shl nuw i64 %30, %16
  %32 = or i64 %31, %18
  %33 = getelementptr inbounds nuw i8, ptr %20, i64 40
  %34 = load ptr, ptr %33, align 8
  %35 = icmp eq ptr %34, @_Py_NoneStruct
  br i1 %35, label %56, label %36

36:                                               ; preds = %29
  %37 = getelementptr inbounds nuw i8, ptr %34, i64 72
  %38 = load ptr, ptr %37, align 8
  %39 = icmp eq ptr %38, @_Py_NoneStruct
  br i1 %39, label %56, label %40

40:                                               ; preds = %36
  %41 = getelementptr inbounds nuw i8, ptr %20, i64 80
  %42 = load ptr, ptr %41, align 8
  %43 = getelementptr inbounds nuw i8, ptr %34, i64 48
  %44 = load ptr, ptr %43, align 8
  %45 = icmp eq ptr %44, null
  br i1 %45, label %52, label %46

46:                                               ; preds = %40
  %47 = getelementptr inbounds nuw i8, ptr %44, i64 8
  %48 = load ptr, ptr %47, align 8
  %49 = icmp eq ptr %48, %13
  br i1 %49, label %50, label %52

50:                                               ; preds = %46
  %51 = getelementptr inbounds nuw i8, ptr %44, i64 16
  br label %52

52:                                               ; preds = %40, %46, %50
  %53 = phi ptr [ %51, %50 ], [ getelementptr inbounds nuw (i8, ptr @eager, i64 48), %46 ], [ getelementptr inbounds nuw (i8, ptr @eager, i64 48), %40 ]
  %54 = load ptr, ptr %53, align 8
  %55 = icmp eq ptr %42, %54
  br label %56

56:                                               ; preds = %52, %36, %29
  %57 = phi i1 [ true, %36 ], [ true, %29 ], [ %55, %52 ]
  %58 = select i1 %17, i1 %57, i1 false
  %59 = add nuw nsw i64 %16, 1
  %60 = icmp eq i64 %59, %2
  br i1 %60, label %14, label %15, !llvm.loop !14

61:                                               ; preds = %14
  %62 = icmp eq i64 %32, 0
  br i1 %62, label %281, label %63

63:                                               ; preds = %61
  %64 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %65 = load i64, ptr %64, align 8
  %66 = icmp eq i64 %65, 0
  br i1 %66, label %281, label %67

67:                                               ; preds = %63
  %68 = getelementptr inbounds nuw i8, ptr %0, i64 24
  br label %69

69:                                               ; preds = %73, %67
  %70 = phi ptr [ %68, %67 ], [ %71, %73 ]
  %71 = load ptr, ptr %70, align 8
  %72 = icmp eq ptr %71, null
  br i1 %72, label %262, label %73

73:                                               ; preds = %69
  %74 = getelementptr inbounds nuw i8, ptr %71, i64 8
  %75 = load i64, ptr %74, align 8
  %76 = icmp eq i64 %75, %32
  br i1 %76, label %77, label %69, !llvm.loop !15

77:                                               ; preds = %73
  %78 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 16), align 8
  %79 = tail call ptr @PyType_GenericAlloc(ptr noundef %78, i64 noundef 0) #9
  %80 = icmp eq ptr %79, null
  br i1 %80, label %281, label %81

81:                                               ; preds = %77
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %82 = getelementptr inbounds nuw i8, ptr %79, i64 32
  store ptr @_Py_NoneStruct, ptr %82, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %83 = getelementptr inbounds nuw i8, ptr %79, i64 40
  store ptr @_Py_NoneStruct, ptr %83, align 8
  %84 = getelementptr inbounds nuw i8, ptr %71, i64 16
  %85 = load ptr, ptr %84, align 8
  tail call void @Py_IncRef(ptr noundef %85) #9
  %86 = getelementptr inbounds nuw i8, ptr %79, i64 72
  store ptr %85, ptr %86, align 8
  %87 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 56), align 8
  %88 = tail call ptr @PyIter_Next(ptr noundef %87) #9
  %89 = getelementptr inbounds nuw i8, ptr %79, i64 56
  store ptr %88, ptr %89, align 8
  %90 = tail call ptr @PyTuple_New(i64 noundef %2) #9
  %91 = getelementptr inbounds nuw i8, ptr %79, i64 48
  store ptr %90, ptr %91, align 8
  %92 = load ptr, ptr %89, align 8
  %93 = icmp eq ptr %92, null
  %94 = icmp eq ptr %90, null
  %95 = select i1 %93, i1 true, i1 %94
  br i1 %95, label %278, label %96

96:                                               ; preds = %81
  %97 = tail call ptr @PyEval_GetFrame() #9
  %98 = icmp eq ptr %97, null
  br i1 %98, label %142, label %99

99:                                               ; preds = %96
  tail call void @Py_IncRef(ptr noundef nonnull %97) #9
  br label %100

100:                                              ; preds = %139, %99
  %101 = phi ptr [ %140, %139 ], [ %97, %99 ]
  %102 = tail call ptr @PyFrame_GetCode(ptr noundef nonnull %101) #9
  %103 = ptrtoint ptr %102 to i64
  %104 = lshr i64 %103, 5
  %105 = and i64 %104, 1023
  %106 = getelementptr inbounds nuw %struct.told, ptr @told, i64 %105
  %107 = load ptr, ptr %106, align 16
  %108 = icmp eq ptr %107, %102
  br i1 %108, label %121, label %109

109:                                              ; preds = %100
  %110 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 64), align 8
  %111 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %110, ptr noundef nonnull %101, ptr noundef null) #9
  %112 = icmp eq ptr %111, null
  br i1 %112, label %126, label %113

113:                                              ; preds = %109
  %114 = icmp eq ptr %111, @_Py_TrueStruct
  %115 = zext i1 %114 to i8
  tail call void @Py_DecRef(ptr noundef nonnull %111) #9
  %116 = load ptr, ptr %106, align 16
  tail call void @Py_IncRef(ptr noundef %102) #9
  store ptr %102, ptr %106, align 16
  %117 = getelementptr inbounds nuw i8, ptr %106, i64 8
  store i8 %115, ptr %117, align 8
  %118 = getelementptr inbounds nuw i8, ptr %106, i64 9
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(7) %118, i8 0, i64 7, i1 false)
  %119 = icmp eq ptr %116, null
  br i1 %119, label %125, label %120

120:                                              ; preds = %113
  tail call void @Py_DecRef(ptr noundef nonnull %116) #9
  br label %125

121:                                              ; preds = %100
  %122 = getelementptr inbounds nuw i8, ptr %106, i64 8
  %123 = load i8, ptr %122, align 8, !range !16, !noundef !17
  %124 = icmp eq i8 %123, 0
  br i1 %124, label %129, label %139

125:                                              ; preds = %120, %113
  br i1 %114, label %139, label %129

126:                                              ; preds = %109
  %127 = getelementptr inbounds nuw i8, ptr %79, i64 24
  store ptr %102, ptr %127, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %128 = getelementptr inbounds nuw i8, ptr %79, i64 16
  store ptr @_Py_NoneStruct, ptr %128, align 8
  tail call void @Py_DecRef(ptr noundef nonnull %101) #9
  br label %278

129:                                              ; preds = %125, %121
  %130 = getelementptr inbounds nuw i8, ptr %79, i64 24
  store ptr %102, ptr %130, align 8
  %131 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 120), align 8
  %132 = tail call i32 %131(ptr noundef nonnull %101) #9
  %133 = sext i32 %132 to i64
  %134 = tail call ptr @PyLong_FromLong(i64 noundef %133) #9
  %135 = getelementptr inbounds nuw i8, ptr %79, i64 16
  store ptr %134, ptr %135, align 8
  tail call void @Py_DecRef(ptr noundef nonnull %101) #9
  %136 = load ptr, ptr %135, align 8
  %137 = icmp eq ptr %136, null
  br i1 %137, label %278, label %138

138:                                              ; preds = %142, %129
  br label %147

139:                                              ; preds = %125, %121
  %140 = tail call ptr @PyFrame_GetBack(ptr noundef nonnull %101) #9
  tail call void @Py_DecRef(ptr noundef %102) #9
  tail call void @Py_DecRef(ptr noundef nonnull %101) #9
  %141 = icmp eq ptr %140, null
  br i1 %141, label %142, label %100, !llvm.loop !18

142:                                              ; preds = %139, %96
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %143 = getelementptr inbounds nuw i8, ptr %79, i64 24
  store ptr @_Py_NoneStruct, ptr %143, align 8
  %144 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 48), align 8
  tail call void @Py_IncRef(ptr noundef %144) #9
  %145 = getelementptr inbounds nuw i8, ptr %79, i64 16
  store ptr %144, ptr %145, align 8
  br label %138

146:                                              ; preds = %168
  br i1 %170, label %176, label %278

147:                                              ; preds = %138, %168
  %148 = phi i64 [ %173, %168 ], [ 0, %138 ]
  %149 = getelementptr inbounds nuw ptr, ptr %1, i64 %148
  %150 = load ptr, ptr %149, align 8
  %151 = getelementptr inbounds nuw i8, ptr %150, i64 72
  %152 = load ptr, ptr %151, align 8
  %153 = icmp eq ptr %152, @_Py_NoneStruct
  br i1 %153, label %154, label %159

154:                                              ; preds = %147
  %155 = getelementptr inbounds nuw i8, ptr %150, i64 24
  %156 = load ptr, ptr %155, align 8
  %157 = icmp eq ptr %156, @_Py_TrueStruct
  %158 = select i1 %157, ptr %150, ptr @_Py_NoneStruct
  tail call void @Py_IncRef(ptr noundef nonnull %158) #9
  br label %168

159:                                              ; preds = %147
  %160 = tail call ptr @PyTuple_New(i64 noundef 2) #9
  %161 = icmp eq ptr %160, null
  br i1 %161, label %168, label %162

162:                                              ; preds = %159
  %163 = load ptr, ptr %151, align 8
  tail call void @Py_IncRef(ptr noundef %163) #9
  %164 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %160, i64 noundef 0, ptr noundef %163) #9
  %165 = getelementptr inbounds nuw i8, ptr %150, i64 64
  %166 = load ptr, ptr %165, align 8
  tail call void @Py_IncRef(ptr noundef %166) #9
  %167 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %160, i64 noundef 1, ptr noundef %166) #9
  br label %168

168:                                              ; preds = %162, %159, %154
  %169 = phi ptr [ %158, %154 ], [ %160, %162 ], [ null, %159 ]
  %170 = icmp ne ptr %169, null
  %171 = load ptr, ptr %91, align 8
  %172 = tail call i32 @PyTuple_SetItem(ptr noundef %171, i64 noundef %148, ptr noundef %169) #9
  %173 = add nuw nsw i64 %148, 1
  %174 = icmp slt i64 %173, %2
  %175 = select i1 %170, i1 %174, i1 false
  br i1 %175, label %147, label %146, !llvm.loop !19

176:                                              ; preds = %146
  %177 = getelementptr inbounds nuw i8, ptr %71, i64 24
  %178 = load i64, ptr %177, align 8
  %179 = shl nsw i64 %178, 2
  %180 = tail call ptr @PyTuple_New(i64 noundef %179) #9
  %181 = icmp eq ptr %180, null
  br i1 %181, label %255, label %182

182:                                              ; preds = %176
  %183 = load i64, ptr %177, align 8
  %184 = icmp sgt i64 %183, 0
  br i1 %184, label %185, label %257

185:                                              ; preds = %182
  %186 = getelementptr inbounds nuw i8, ptr %71, i64 32
  %187 = getelementptr inbounds nuw i8, ptr %3, i64 48
  %188 = getelementptr inbounds nuw i8, ptr %3, i64 32
  br label %189

189:                                              ; preds = %237, %185
  %190 = phi i64 [ 0, %185 ], [ %251, %237 ]
  %191 = load ptr, ptr %186, align 8
  %192 = getelementptr inbounds nuw i64, ptr %191, i64 %190
  %193 = load i64, ptr %192, align 8
  %194 = icmp slt i64 %193, %2
  br i1 %194, label %195, label %214

195:                                              ; preds = %189
  %196 = getelementptr inbounds ptr, ptr %1, i64 %193
  %197 = load ptr, ptr %196, align 8
  %198 = getelementptr inbounds nuw i8, ptr %197, i64 40
  %199 = load ptr, ptr %198, align 8
  %200 = icmp eq ptr %199, @_Py_NoneStruct
  %201 = select i1 %200, ptr %197, ptr %199
  %202 = getelementptr inbounds nuw i8, ptr %197, i64 32
  %203 = load ptr, ptr %202, align 8
  %204 = getelementptr inbounds nuw i8, ptr %201, i64 48
  %205 = load ptr, ptr %204, align 8
  %206 = icmp eq ptr %205, null
  br i1 %206, label %237, label %207

207:                                              ; preds = %195
  %208 = getelementptr inbounds nuw i8, ptr %205, i64 8
  %209 = load ptr, ptr %208, align 8
  %210 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %211 = icmp eq ptr %209, %210
  br i1 %211, label %212, label %237

212:                                              ; preds = %207
  %213 = getelementptr inbounds nuw i8, ptr %205, i64 16
  br label %237

214:                                              ; preds = %189
  %215 = load ptr, ptr %187, align 8
  %216 = icmp eq ptr %215, @_Py_NoneStruct
  br i1 %216, label %217, label %229

217:                                              ; preds = %214
  %218 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %219 = tail call ptr @PyType_GenericAlloc(ptr noundef %218, i64 noundef 0) #9
  %220 = icmp eq ptr %219, null
  br i1 %220, label %254, label %221

221:                                              ; preds = %217
  %222 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 48), align 8
  tail call void @Py_IncRef(ptr noundef %222) #9
  %223 = getelementptr inbounds nuw i8, ptr %219, i64 16
  store ptr %222, ptr %223, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %224 = getelementptr inbounds nuw i8, ptr %219, i64 24
  store ptr @_Py_NoneStruct, ptr %224, align 8
  %225 = load ptr, ptr %187, align 8
  store ptr %219, ptr %187, align 8
  %226 = icmp eq ptr %225, null
  br i1 %226, label %235, label %227

227:                                              ; preds = %221
  tail call void @Py_DecRef(ptr noundef nonnull %225) #9
  %228 = load ptr, ptr %187, align 8
  br label %229

229:                                              ; preds = %227, %214
  %230 = phi ptr [ %215, %214 ], [ %228, %227 ]
  %231 = icmp eq ptr %230, null
  br i1 %231, label %254, label %232

232:                                              ; preds = %229
  %233 = load ptr, ptr %188, align 8
  %234 = getelementptr inbounds nuw i8, ptr %230, i64 16
  br label %237

235:                                              ; preds = %221
  %236 = load ptr, ptr %188, align 8
  br label %237

237:                                              ; preds = %235, %232, %212, %207, %195
  %238 = phi ptr [ %234, %232 ], [ %223, %235 ], [ %213, %212 ], [ getelementptr inbounds nuw (i8, ptr @eager, i64 48), %207 ], [ getelementptr inbounds nuw (i8, ptr @eager, i64 48), %195 ]
  %239 = phi ptr [ %230, %232 ], [ %219, %235 ], [ @_Py_NoneStruct, %212 ], [ @_Py_NoneStruct, %207 ], [ @_Py_NoneStruct, %195 ]
  %240 = phi ptr [ %233, %232 ], [ %236, %235 ], [ %203, %212 ], [ %203, %207 ], [ %203, %195 ]
  %241 = phi ptr [ @_Py_NoneStruct, %232 ], [ @_Py_NoneStruct, %235 ], [ %197, %212 ], [ %197, %207 ], [ %197, %195 ]
  %242 = load ptr, ptr %238, align 8
  %243 = shl nsw i64 %190, 2
  tail call void @Py_IncRef(ptr noundef nonnull %241) #9
  %244 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %180, i64 noundef %243, ptr noundef nonnull %241) #9
  %245 = or disjoint i64 %243, 1
  tail call void @Py_IncRef(ptr noundef %240) #9
  %246 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %180, i64 noundef %245, ptr noundef %240) #9
  %247 = or disjoint i64 %243, 2
  tail call void @Py_IncRef(ptr noundef nonnull %239) #9
  %248 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %180, i64 noundef %247, ptr noundef nonnull %239) #9
  %249 = or disjoint i64 %243, 3
  tail call void @Py_IncRef(ptr noundef %242) #9
  %250 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %180, i64 noundef %249, ptr noundef %242) #9
  %251 = add nuw nsw i64 %190, 1
  %252 = load i64, ptr %177, align 8
  %253 = icmp slt i64 %251, %252
  br i1 %253, label %189, label %257, !llvm.loop !20

254:                                              ; preds = %229, %217
  tail call void @Py_DecRef(ptr noundef nonnull %180) #9
  br label %255

255:                                              ; preds = %254, %176
  %256 = getelementptr inbounds nuw i8, ptr %79, i64 64
  store ptr null, ptr %256, align 8
  br label %278

257:                                              ; preds = %237, %182
  %258 = getelementptr inbounds nuw i8, ptr %79, i64 64
  store ptr %180, ptr %258, align 8
  %259 = getelementptr inbounds nuw i8, ptr %3, i64 72
  %260 = load ptr, ptr %259, align 8
  store ptr %79, ptr %259, align 8
  %261 = icmp eq ptr %260, null
  br i1 %261, label %281, label %278

262:                                              ; preds = %69, %14
  %263 = tail call ptr @PyTuple_New(i64 noundef %2) #9
  %264 = icmp eq ptr %263, null
  br i1 %264, label %281, label %271

265:                                              ; preds = %271
  %266 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 72), align 8
  %267 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %268 = load ptr, ptr %267, align 8
  %269 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %266, ptr noundef %268, ptr noundef nonnull %263, ptr noundef nonnull %3, ptr noundef null) #9
  tail call void @Py_DecRef(ptr noundef nonnull %263) #9
  %270 = icmp eq ptr %269, null
  br i1 %270, label %281, label %278

271:                                              ; preds = %262, %271
  %272 = phi i64 [ %276, %271 ], [ 0, %262 ]
  %273 = getelementptr inbounds nuw ptr, ptr %1, i64 %272
  %274 = load ptr, ptr %273, align 8
  tail call void @Py_IncRef(ptr noundef %274) #9
  %275 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %263, i64 noundef %272, ptr noundef %274) #9
  %276 = add nuw nsw i64 %272, 1
  %277 = icmp eq i64 %276, %2
  br i1 %277, label %265, label %271, !llvm.loop !21

278:                                              ; preds = %129, %265, %146, %126, %257, %255, %81
  %279 = phi ptr [ %79, %81 ], [ %79, %146 ], [ %260, %257 ], [ %79, %255 ], [ %79, %126 ], [ %269, %265 ], [ %79, %129 ]
  %280 = phi i1 [ false, %81 ], [ false, %146 ], [ true, %257 ], [ false, %255 ], [ false, %126 ], [ true, %265 ], [ false, %129 ]
  tail call void @Py_DecRef(ptr noundef nonnull %279) #9
  br label %281

281:                                              ; preds = %278, %77, %257, %265, %262, %63, %61, %4
  %282 = phi i1 [ true, %4 ], [ true, %257 ], [ false, %77 ], [ true, %63 ], [ true, %61 ], [ false, %265 ], [ false, %262 ], [ %280, %278 ]
  ret i1 %282
}

declare hidden ptr @native_view(ptr noundef, ptr noundef) local_unnamed_addr #1

declare hidden ptr @native_call(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #1

declare hidden zeroext i1 @native_is_usual(ptr noundef) local_unnamed_addr #1

declare ptr @PyIter_Next(ptr noundef) local_unnamed_addr #1

declare ptr @PyTuple_New(i64 noundef) local_unnamed_addr #1

declare i32 @PyTuple_SetItem(ptr noundef, i64 noundef, ptr noundef) local_unnamed_addr #1

declare ptr @PyEval_GetFrame() local_unnamed_addr #1

declare ptr @PyFrame_GetCode(ptr noundef) local_unnamed_addr #1

declare ptr @PyLong_FromLong(i64 noundef) local_unnamed_addr #1

declare ptr @PyFrame_GetBack(ptr noundef) local_unnamed_addr #1

declare ptr @PyObject_CallFunctionObjArgs(ptr noundef, ...) local_unnamed_addr #1

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #7

declare ptr @PyErr_Occurred() local_unnamed_addr #1

declare double @PyFloat_AsDouble(ptr noundef) local_unnamed_addr #1

declare i64 @PyLong_AsLongLongAndOverflow(ptr noundef, ptr noundef) local_unnamed_addr #1

declare hidden ptr @native_array(ptr noundef) local_unnamed_addr #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #8

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #1 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nofree norecurse nosync nounwind willreturn memory(read, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { inlinehint nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #6 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #7 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #8 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #9 = { nobuiltin nounwind "no-builtins" }
attributes #10 = { nounwind }
attributes #11 = { nobuiltin "no-builtins" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.mustprogress"}
!4 = distinct !{!4, !3}
!5 = distinct !{!5, !6}
!6 = !{!"llvm.loop.unroll.disable"}
!7 = distinct !{!7, !3}
!8 = distinct !{!8, !3}
!9 = distinct !{!9, !3}
!10 = distinct !{!10, !3}
!11 = distinct !{!11, !3}
!12 = distinct !{!12, !3}
!13 = distinct !{!13, !3}
!14 = distinct !{!14, !3}
!15 = distinct !{!15, !3}
!16 = !{i8 0, i8 2}
!17 = !{}
!18 = distinct !{!18, !3}
!19 = distinct !{!19, !3}
!20 = distinct !{!20, !3}
!21 = distinct !{!21, !3}
