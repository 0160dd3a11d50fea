; eager.c as LLVM text, by clang 22.1.8; `make native` makes it anew.
; sources: 6a876f6f03fc07f4c762032fa031230f1fe06d93bed6c07b48f987c2780b87a3
; text: 635b32ce2ec8b927b0e0ec8b6c2b3e6ed0747aa3d2a65c5f560a1faab94ccd9e
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.eager_setup = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, ptr, ptr, ptr, ptr, ptr, ptr, ptr, [25 x ptr] }
%struct.object = type { i32, i32, ptr }
%struct.known = type { i64, i64, ptr }
%struct.told = type { ptr, i8 }
%struct.feed = type { ptr, i64, ptr, i64 }

@native_flags_key = hidden global i32 0, align 4
@next_way = internal unnamed_addr global i32 0, align 4
@eager = hidden local_unnamed_addr global %struct.eager_setup zeroinitializer, align 8
@_Py_FalseStruct = external global %struct.object, align 8
@penstock_eager_method.methods = internal unnamed_addr constant [25 x ptr] [ptr @method_0, ptr @method_1, ptr @method_2, ptr @method_3, ptr @method_4, ptr @method_5, ptr @method_6, ptr @method_7, ptr @method_8, ptr @method_9, ptr @method_10, ptr @method_11, ptr @method_12, ptr @method_13, ptr @method_14, ptr @method_15, ptr @method_16, ptr @method_17, ptr @method_18, ptr @method_19, ptr @method_20, ptr @method_21, ptr @method_22, ptr @method_23, ptr @method_24], align 16
@known = internal unnamed_addr global [1024 x [4 x %struct.known]] zeroinitializer, align 16
@PyFloat_Type = external constant i8, align 1
@PyLong_Type = external constant i8, align 1
@_Py_NoneStruct = external global %struct.object, align 8
@told = internal unnamed_addr global [1024 x %struct.told] zeroinitializer, align 16
@_Py_TrueStruct = external global %struct.object, align 8
@_Py_NotImplementedStruct = external global %struct.object, align 8

; Function Attrs: nounwind
define ptr @penstock_eager_flags(ptr noundef readnone captures(none) %0, ptr noundef readnone captures(none) %1, i64 noundef %2) local_unnamed_addr #0 {
  %4 = load i32, ptr @native_flags_key, align 4
  %5 = tail call ptr @pthread_getspecific(i32 noundef %4) #9
  %6 = icmp eq ptr %5, null
  br i1 %6, label %7, label %20

7:                                                ; preds = %3
  %8 = tail call ptr @realloc(ptr noundef null, i64 noundef 3) #9
  %9 = icmp eq ptr %8, null
  br i1 %9, label %10, label %12

10:                                               ; preds = %7
  %11 = tail call ptr @PyErr_NoMemory() #9
  br label %24

12:                                               ; preds = %7
  store i8 0, ptr %8, align 1
  %13 = getelementptr inbounds nuw i8, ptr %8, i64 1
  store i8 0, ptr %13, align 1
  %14 = getelementptr inbounds nuw i8, ptr %8, i64 2
  store i8 1, ptr %14, align 1
  %15 = load i32, ptr @native_flags_key, align 4
  %16 = tail call i32 @pthread_setspecific(i32 noundef %15, ptr noundef nonnull %8) #9
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %20, label %18

18:                                               ; preds = %12
  tail call void @free(ptr noundef nonnull %8) #9
  %19 = tail call ptr @PyErr_NoMemory() #9
  br label %24

20:                                               ; preds = %12, %3
  %21 = phi ptr [ %5, %3 ], [ %8, %12 ]
  %22 = ptrtoint ptr %21 to i64
  %23 = tail call ptr @PyLong_FromLong(i64 noundef %22) #9
  br label %24

24:                                               ; preds = %20, %18, %10
  %25 = phi ptr [ %23, %20 ], [ %19, %18 ], [ %11, %10 ]
  ret ptr %25
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare ptr @pthread_getspecific(i32 noundef) local_unnamed_addr #2

declare ptr @realloc(ptr noundef, i64 noundef) local_unnamed_addr #2

declare ptr @PyErr_NoMemory() local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #3

declare i32 @pthread_setspecific(i32 noundef, ptr noundef) local_unnamed_addr #2

declare void @free(ptr noundef) #2

declare ptr @PyLong_FromLong(i64 noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(read, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define hidden ptr @native_known_op(i64 noundef %0, i64 noundef %1) local_unnamed_addr #4 {
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

declare ptr @PyLong_AsVoidPtr(ptr noundef) local_unnamed_addr #2

; Function Attrs: inlinehint nounwind
define internal fastcc range(i32 0, 4) i32 @mix_operand(ptr noundef nonnull captures(none) %0, ptr noundef readonly captures(none) %1) unnamed_addr #5 {
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

declare void @Py_IncRef(ptr noundef) local_unnamed_addr #2

declare void @Py_DecRef(ptr noundef) local_unnamed_addr #2

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
  %12 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 56), align 8
  tail call void @Py_IncRef(ptr noundef %12) #9
  %13 = getelementptr inbounds nuw i8, ptr %3, i64 64
  store ptr %12, ptr %13, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %14 = getelementptr inbounds nuw i8, ptr %3, i64 72
  store ptr @_Py_NoneStruct, ptr %14, align 8
  %15 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 56), align 8
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

declare ptr @PyType_GenericAlloc(ptr noundef, i64 noundef) local_unnamed_addr #2

; Function Attrs: nounwind
define hidden ptr @native_changes_of(ptr noundef captures(none) %0) local_unnamed_addr #0 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %3 = load ptr, ptr %2, align 8
  %4 = icmp eq ptr %3, @_Py_NoneStruct
  br i1 %4, label %5, label %17

5:                                                ; preds = %1
  %6 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %7 = tail call ptr @PyType_GenericAlloc(ptr noundef %6, i64 noundef 0) #9
  %8 = icmp eq ptr %7, null
  br i1 %8, label %17, label %9

9:                                                ; preds = %5
  %10 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 56), align 8
  tail call void @Py_IncRef(ptr noundef %10) #9
  %11 = getelementptr inbounds nuw i8, ptr %7, i64 16
  store ptr %10, ptr %11, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %12 = getelementptr inbounds nuw i8, ptr %7, i64 24
  store ptr @_Py_NoneStruct, ptr %12, align 8
  %13 = load ptr, ptr %2, align 8
  store ptr %7, ptr %2, align 8
  %14 = icmp eq ptr %13, null
  br i1 %14, label %17, label %15

15:                                               ; preds = %9
  tail call void @Py_DecRef(ptr noundef nonnull %13) #9
  %16 = load ptr, ptr %2, align 8
  br label %17

17:                                               ; preds = %1, %15, %9, %5
  %18 = phi ptr [ null, %5 ], [ %7, %9 ], [ %16, %15 ], [ %3, %1 ]
  ret ptr %18
}

; Function Attrs: nounwind
define hidden ptr @native_line() local_unnamed_addr #0 {
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 40), align 8
  %2 = tail call ptr @PyType_GenericAlloc(ptr noundef %1, i64 noundef 0) #9
  %3 = icmp eq ptr %2, null
  br i1 %3, label %9, label %4

4:                                                ; preds = %0
  %5 = getelementptr inbounds nuw i8, ptr %2, i64 24
  %6 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %7 = tail call fastcc zeroext i1 @locate(ptr noundef %5, ptr noundef %6) #11
  br i1 %7, label %9, label %8

8:                                                ; preds = %4
  tail call void @Py_DecRef(ptr noundef nonnull %2) #9
  br label %9

9:                                                ; preds = %0, %4, %8
  %10 = phi ptr [ null, %8 ], [ %2, %4 ], [ null, %0 ]
  ret ptr %10
}

; Function Attrs: inlinehint nounwind
define internal fastcc zeroext i1 @locate(ptr noundef nonnull writeonly captures(none) %0, ptr noundef nonnull captures(none) %1) unnamed_addr #5 {
  %3 = tail call ptr @PyEval_GetFrame() #9
  %4 = icmp eq ptr %3, null
  br i1 %4, label %43, label %5

5:                                                ; preds = %2
  tail call void @Py_IncRef(ptr noundef nonnull %3) #9
  br label %6

6:                                                ; preds = %5, %40
  %7 = phi ptr [ %41, %40 ], [ %3, %5 ]
  %8 = tail call ptr @PyFrame_GetCode(ptr noundef nonnull %7) #9
  %9 = ptrtoint ptr %8 to i64
  %10 = lshr i64 %9, 5
  %11 = and i64 %10, 1023
  %12 = getelementptr inbounds nuw %struct.told, ptr @told, i64 %11
  %13 = load ptr, ptr %12, align 16
  %14 = icmp eq ptr %13, %8
  br i1 %14, label %27, label %15

15:                                               ; preds = %6
  %16 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 72), align 8
  %17 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %16, ptr noundef nonnull %7, ptr noundef null) #9
  %18 = icmp eq ptr %17, null
  br i1 %18, label %32, label %19

19:                                               ; preds = %15
  %20 = icmp eq ptr %17, @_Py_TrueStruct
  %21 = zext i1 %20 to i8
  tail call void @Py_DecRef(ptr noundef nonnull %17) #9
  %22 = load ptr, ptr %12, align 16
  tail call void @Py_IncRef(ptr noundef %8) #9
  store ptr %8, ptr %12, align 16
  %23 = getelementptr inbounds nuw i8, ptr %12, i64 8
  store i8 %21, ptr %23, align 8
  %24 = getelementptr inbounds nuw i8, ptr %12, i64 9
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(7) %24, i8 0, i64 7, i1 false)
  %25 = icmp eq ptr %22, null
  br i1 %25, label %31, label %26

26:                                               ; preds = %19
  tail call void @Py_DecRef(ptr noundef nonnull %22) #9
  br label %31

27:                                               ; preds = %6
  %28 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %29 = load i8, ptr %28, align 8, !range !7, !noundef !8
  %30 = icmp eq i8 %29, 0
  br i1 %30, label %33, label %40

31:                                               ; preds = %19, %26
  br i1 %20, label %40, label %33

32:                                               ; preds = %15
  store ptr %8, ptr %0, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  store ptr @_Py_NoneStruct, ptr %1, align 8
  tail call void @Py_DecRef(ptr noundef nonnull %7) #9
  br label %45

33:                                               ; preds = %27, %31
  store ptr %8, ptr %0, align 8
  %34 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 136), align 8
  %35 = tail call i32 %34(ptr noundef nonnull %7) #9
  %36 = sext i32 %35 to i64
  %37 = tail call ptr @PyLong_FromLong(i64 noundef %36) #9
  store ptr %37, ptr %1, align 8
  tail call void @Py_DecRef(ptr noundef nonnull %7) #9
  %38 = load ptr, ptr %1, align 8
  %39 = icmp ne ptr %38, null
  br label %45

40:                                               ; preds = %27, %31
  %41 = tail call ptr @PyFrame_GetBack(ptr noundef nonnull %7) #9
  tail call void @Py_DecRef(ptr noundef %8) #9
  tail call void @Py_DecRef(ptr noundef nonnull %7) #9
  %42 = icmp eq ptr %41, null
  br i1 %42, label %43, label %6, !llvm.loop !9

43:                                               ; preds = %40, %2
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  store ptr @_Py_NoneStruct, ptr %0, align 8
  %44 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 56), align 8
  tail call void @Py_IncRef(ptr noundef %44) #9
  store ptr %44, ptr %1, align 8
  br label %45

45:                                               ; preds = %32, %33, %43
  %46 = phi i1 [ true, %43 ], [ %39, %33 ], [ false, %32 ]
  ret i1 %46
}

; Function Attrs: nounwind
define ptr @penstock_eager_run(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #0 {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = icmp sgt i64 %2, 8
  br i1 %6, label %17, label %7

7:                                                ; preds = %3
  %8 = load i32, ptr @native_flags_key, align 4
  %9 = tail call ptr @pthread_getspecific(i32 noundef %8) #9
  %10 = icmp eq ptr %9, null
  br i1 %10, label %17, label %11

11:                                               ; preds = %7
  %12 = getelementptr inbounds nuw i8, ptr %9, i64 2
  %13 = load i8, ptr %12, align 1
  %14 = icmp eq i8 %13, 0
  br i1 %14, label %15, label %17

15:                                               ; preds = %11
  %16 = icmp sgt i64 %2, 0
  br i1 %16, label %18, label %74

17:                                               ; preds = %7, %11, %3
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %76

18:                                               ; preds = %15, %71
  %19 = phi i64 [ %72, %71 ], [ 0, %15 ]
  %20 = getelementptr inbounds nuw ptr, ptr %1, i64 %19
  %21 = load ptr, ptr %20, align 8
  %22 = load ptr, ptr @eager, align 8
  %23 = getelementptr inbounds nuw i8, ptr %21, i64 8
  %24 = load ptr, ptr %23, align 8
  %25 = icmp eq ptr %24, %22
  br i1 %25, label %29, label %26

26:                                               ; preds = %18
  %27 = tail call i32 @PyType_IsSubtype(ptr noundef %24, ptr noundef %22) #9
  %28 = icmp eq i32 %27, 0
  br i1 %28, label %70, label %29

29:                                               ; preds = %26, %18
  %30 = getelementptr inbounds nuw i8, ptr %21, i64 32
  %31 = load ptr, ptr %30, align 8
  %32 = tail call zeroext i1 @native_is_array(ptr noundef %31) #9
  br i1 %32, label %33, label %70

33:                                               ; preds = %29
  %34 = getelementptr inbounds nuw i8, ptr %21, i64 24
  %35 = load ptr, ptr %34, align 8
  %36 = icmp eq ptr %35, null
  br i1 %36, label %70, label %37

37:                                               ; preds = %33
  %38 = getelementptr inbounds nuw i8, ptr %21, i64 72
  %39 = load ptr, ptr %38, align 8
  %40 = icmp eq ptr %39, null
  br i1 %40, label %70, label %41

41:                                               ; preds = %37
  %42 = getelementptr inbounds nuw i8, ptr %21, i64 64
  %43 = load ptr, ptr %42, align 8
  %44 = icmp eq ptr %43, null
  br i1 %44, label %70, label %45

45:                                               ; preds = %41
  %46 = getelementptr inbounds nuw i8, ptr %21, i64 40
  %47 = load ptr, ptr %46, align 8
  %48 = icmp eq ptr %47, null
  br i1 %48, label %70, label %49

49:                                               ; preds = %45
  %50 = icmp eq ptr %47, @_Py_NoneStruct
  br i1 %50, label %59, label %51

51:                                               ; preds = %49
  %52 = load ptr, ptr @eager, align 8
  %53 = getelementptr inbounds nuw i8, ptr %47, i64 8
  %54 = load ptr, ptr %53, align 8
  %55 = icmp eq ptr %54, %52
  br i1 %55, label %59, label %56

56:                                               ; preds = %51
  %57 = tail call i32 @PyType_IsSubtype(ptr noundef %54, ptr noundef %52) #9
  %58 = icmp eq i32 %57, 0
  br i1 %58, label %70, label %59

59:                                               ; preds = %56, %51, %49
  %60 = getelementptr inbounds nuw i8, ptr %21, i64 48
  %61 = load ptr, ptr %60, align 8
  %62 = icmp eq ptr %61, null
  br i1 %62, label %70, label %63

63:                                               ; preds = %59
  %64 = icmp eq ptr %61, @_Py_NoneStruct
  br i1 %64, label %71, label %65

65:                                               ; preds = %63
  %66 = getelementptr inbounds nuw i8, ptr %61, i64 8
  %67 = load ptr, ptr %66, align 8
  %68 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %69 = icmp eq ptr %67, %68
  br i1 %69, label %71, label %70

70:                                               ; preds = %65, %26, %59, %56, %45, %41, %37, %33, %29
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %76

71:                                               ; preds = %63, %65
  %72 = add nuw nsw i64 %19, 1
  %73 = icmp eq i64 %72, %2
  br i1 %73, label %74, label %18, !llvm.loop !10

74:                                               ; preds = %71, %15
  %75 = tail call fastcc ptr @run(ptr noundef %5, ptr noundef %1, i64 noundef %2, i1 noundef zeroext false) #11
  br label %76

76:                                               ; preds = %70, %74, %17
  %77 = phi ptr [ @_Py_NotImplementedStruct, %17 ], [ %75, %74 ], [ @_Py_NotImplementedStruct, %70 ]
  ret ptr %77
}

; Function Attrs: inlinehint nounwind
define internal fastcc ptr @run(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2, i1 noundef zeroext %3) unnamed_addr #5 {
  %5 = alloca [8 x ptr], align 16
  %6 = alloca ptr, align 8
  %7 = alloca [8 x ptr], align 16
  %8 = load ptr, ptr %0, align 8
  %9 = icmp eq ptr %8, null
  br i1 %9, label %10, label %153

10:                                               ; preds = %4
  %11 = icmp eq i64 %2, 1
  br i1 %11, label %12, label %152

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
  br label %150

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
  br i1 %81, label %82, label %148

82:                                               ; preds = %71
  %83 = tail call ptr @native_new_tensor(ptr noundef nonnull %78) #11
  %84 = icmp eq ptr %83, null
  br i1 %84, label %148, label %85

85:                                               ; preds = %82
  %86 = load i32, ptr @native_flags_key, align 4
  %87 = tail call ptr @pthread_getspecific(i32 noundef %86) #9
  %88 = load i8, ptr %87, align 1
  %89 = icmp eq i8 %88, 0
  br i1 %89, label %90, label %121

90:                                               ; preds = %85
  %91 = load ptr, ptr %56, align 8
  %92 = icmp eq ptr %91, @_Py_NoneStruct
  br i1 %92, label %93, label %105

93:                                               ; preds = %90
  %94 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %95 = tail call ptr @PyType_GenericAlloc(ptr noundef %94, i64 noundef 0) #9
  %96 = icmp eq ptr %95, null
  br i1 %96, label %145, label %97

97:                                               ; preds = %93
  %98 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 56), align 8
  tail call void @Py_IncRef(ptr noundef %98) #9
  %99 = getelementptr inbounds nuw i8, ptr %95, i64 16
  store ptr %98, ptr %99, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %100 = getelementptr inbounds nuw i8, ptr %95, i64 24
  store ptr @_Py_NoneStruct, ptr %100, align 8
  %101 = load ptr, ptr %56, align 8
  store ptr %95, ptr %56, align 8
  %102 = icmp eq ptr %101, null
  br i1 %102, label %108, label %103

103:                                              ; preds = %97
  tail call void @Py_DecRef(ptr noundef nonnull %101) #9
  %104 = load ptr, ptr %56, align 8
  br label %105

105:                                              ; preds = %103, %90
  %106 = phi ptr [ %104, %103 ], [ %91, %90 ]
  %107 = icmp eq ptr %106, null
  br i1 %107, label %145, label %108

108:                                              ; preds = %105, %97
  %109 = phi ptr [ %106, %105 ], [ %95, %97 ]
  %110 = getelementptr inbounds nuw i8, ptr %83, i64 48
  tail call void @Py_IncRef(ptr noundef nonnull %109) #9
  %111 = load ptr, ptr %110, align 8
  store ptr %109, ptr %110, align 8
  %112 = icmp eq ptr %111, null
  br i1 %112, label %114, label %113

113:                                              ; preds = %108
  tail call void @Py_DecRef(ptr noundef nonnull %111) #9
  br label %114

114:                                              ; preds = %113, %108
  %115 = getelementptr inbounds nuw i8, ptr %83, i64 88
  %116 = load ptr, ptr %67, align 8
  %117 = icmp eq ptr %116, @_Py_NoneStruct
  %118 = select i1 %117, ptr %17, ptr %116
  tail call void @Py_IncRef(ptr noundef %118) #9
  %119 = load ptr, ptr %115, align 8
  store ptr %118, ptr %115, align 8
  %120 = icmp eq ptr %119, null
  br i1 %120, label %148, label %145

121:                                              ; preds = %85
  %122 = getelementptr inbounds nuw i8, ptr %83, i64 40
  tail call void @Py_IncRef(ptr noundef nonnull %17) #9
  %123 = load ptr, ptr %122, align 8
  store ptr %17, ptr %122, align 8
  %124 = icmp eq ptr %123, null
  br i1 %124, label %126, label %125

125:                                              ; preds = %121
  tail call void @Py_DecRef(ptr noundef nonnull %123) #9
  br label %126

126:                                              ; preds = %125, %121
  %127 = getelementptr inbounds nuw i8, ptr %83, i64 80
  %128 = load ptr, ptr %56, align 8
  %129 = icmp eq ptr %128, null
  br i1 %129, label %137, label %130

130:                                              ; preds = %126
  %131 = getelementptr inbounds nuw i8, ptr %128, i64 8
  %132 = load ptr, ptr %131, align 8
  %133 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %134 = icmp eq ptr %132, %133
  br i1 %134, label %135, label %137

135:                                              ; preds = %130
  %136 = getelementptr inbounds nuw i8, ptr %128, i64 16
  br label %137

137:                                              ; preds = %135, %130, %126
  %138 = phi ptr [ %136, %135 ], [ getelementptr inbounds nuw (i8, ptr @eager, i64 56), %130 ], [ getelementptr inbounds nuw (i8, ptr @eager, i64 56), %126 ]
  %139 = load ptr, ptr %138, align 8
  tail call void @Py_IncRef(ptr noundef %139) #9
  %140 = load ptr, ptr %127, align 8
  store ptr %139, ptr %127, align 8
  %141 = icmp eq ptr %140, null
  br i1 %141, label %143, label %142

142:                                              ; preds = %137
  tail call void @Py_DecRef(ptr noundef nonnull %140) #9
  br label %143

143:                                              ; preds = %142, %137
  %144 = call fastcc zeroext i1 @record(ptr noundef nonnull readonly %0, ptr noundef nonnull %6, i64 noundef 1, ptr noundef %83) #11
  br i1 %144, label %148, label %145

145:                                              ; preds = %143, %114, %105, %93
  %146 = phi ptr [ %119, %114 ], [ %83, %105 ], [ %83, %93 ], [ %83, %143 ]
  %147 = phi ptr [ %83, %114 ], [ null, %105 ], [ null, %93 ], [ null, %143 ]
  tail call void @Py_DecRef(ptr noundef nonnull %146) #9
  br label %148

148:                                              ; preds = %145, %143, %114, %82, %71
  %149 = phi ptr [ %78, %71 ], [ %83, %114 ], [ %83, %143 ], [ null, %82 ], [ %147, %145 ]
  tail call void @Py_DecRef(ptr noundef nonnull %17) #9
  tail call void @Py_DecRef(ptr noundef %73) #9
  br label %150

150:                                              ; preds = %70, %148
  %151 = phi ptr [ %149, %148 ], [ @_Py_NotImplementedStruct, %70 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  br label %248

152:                                              ; preds = %10
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %248

153:                                              ; preds = %4
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #10
  %154 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %155 = load ptr, ptr %154, align 8
  tail call void @Py_IncRef(ptr noundef %155) #9
  %156 = icmp sgt i64 %2, 0
  br i1 %156, label %214, label %157

157:                                              ; preds = %153
  %158 = load ptr, ptr %0, align 8
  br label %175

159:                                              ; preds = %214
  %160 = load ptr, ptr %0, align 8
  br label %162

161:                                              ; preds = %170
  br i1 %172, label %175, label %178

162:                                              ; preds = %159, %170
  %163 = phi i64 [ %173, %170 ], [ 0, %159 ]
  %164 = phi i1 [ %172, %170 ], [ true, %159 ]
  %165 = getelementptr inbounds nuw ptr, ptr %7, i64 %163
  %166 = load ptr, ptr %165, align 8
  %167 = tail call zeroext i1 @native_is_array(ptr noundef %166) #9
  br i1 %167, label %168, label %170

168:                                              ; preds = %162
  %169 = tail call zeroext i1 @native_is_usual(ptr noundef %166) #9
  br label %170

170:                                              ; preds = %168, %162
  %171 = phi i1 [ true, %162 ], [ %169, %168 ]
  %172 = and i1 %164, %171
  %173 = add nuw nsw i64 %163, 1
  %174 = icmp eq i64 %173, %2
  br i1 %174, label %161, label %162, !llvm.loop !11

175:                                              ; preds = %157, %161
  %176 = phi ptr [ %160, %161 ], [ %158, %157 ]
  %177 = call ptr @native_call(ptr noundef %176, ptr noundef nonnull %7, i64 noundef %2) #9
  br label %212

178:                                              ; preds = %161
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #10
  br label %179

179:                                              ; preds = %194, %178
  %180 = phi i64 [ %195, %194 ], [ 0, %178 ]
  %181 = getelementptr inbounds nuw ptr, ptr %7, i64 %180
  %182 = load ptr, ptr %181, align 8
  %183 = tail call zeroext i1 @native_is_array(ptr noundef %182) #9
  br i1 %183, label %184, label %186

184:                                              ; preds = %179
  %185 = tail call zeroext i1 @native_is_usual(ptr noundef %182) #9
  br i1 %185, label %186, label %187

186:                                              ; preds = %184, %179
  tail call void @Py_IncRef(ptr noundef %182) #9
  br label %190

187:                                              ; preds = %184
  %188 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 128), align 8
  %189 = tail call ptr %188(ptr noundef %182, i32 noundef 0) #9
  br label %190

190:                                              ; preds = %187, %186
  %191 = phi ptr [ %182, %186 ], [ %189, %187 ]
  %192 = getelementptr inbounds nuw ptr, ptr %5, i64 %180
  store ptr %191, ptr %192, align 8
  %193 = icmp eq ptr %191, null
  br i1 %193, label %197, label %194

194:                                              ; preds = %190
  %195 = add nuw nsw i64 %180, 1
  %196 = icmp eq i64 %195, %2
  br i1 %196, label %199, label %179, !llvm.loop !12

197:                                              ; preds = %190
  %198 = icmp eq i64 %180, %2
  br i1 %198, label %199, label %201

199:                                              ; preds = %194, %197
  %200 = call ptr @native_call(ptr noundef %160, ptr noundef nonnull %5, i64 noundef %2) #9
  br label %201

201:                                              ; preds = %199, %197
  %202 = phi i64 [ %2, %199 ], [ %180, %197 ]
  %203 = phi ptr [ %200, %199 ], [ null, %197 ]
  %204 = icmp eq i64 %202, 0
  br i1 %204, label %211, label %205

205:                                              ; preds = %201, %205
  %206 = phi i64 [ %207, %205 ], [ %202, %201 ]
  %207 = add nsw i64 %206, -1
  %208 = getelementptr inbounds ptr, ptr %5, i64 %207
  %209 = load ptr, ptr %208, align 8
  call void @Py_DecRef(ptr noundef %209) #9
  %210 = icmp eq i64 %207, 0
  br i1 %210, label %211, label %205, !llvm.loop !13

211:                                              ; preds = %205, %201
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #10
  br label %212

212:                                              ; preds = %175, %211
  %213 = phi ptr [ %177, %175 ], [ %203, %211 ]
  br i1 %156, label %227, label %223

214:                                              ; preds = %153, %214
  %215 = phi i64 [ %221, %214 ], [ 0, %153 ]
  %216 = getelementptr inbounds nuw ptr, ptr %1, i64 %215
  %217 = load ptr, ptr %216, align 8
  %218 = getelementptr inbounds nuw i8, ptr %217, i64 32
  %219 = load ptr, ptr %218, align 8
  tail call void @Py_IncRef(ptr noundef %219) #9
  %220 = getelementptr inbounds nuw ptr, ptr %7, i64 %215
  store ptr %219, ptr %220, align 8
  %221 = add nuw nsw i64 %215, 1
  %222 = icmp eq i64 %221, %2
  br i1 %222, label %159, label %214, !llvm.loop !14

223:                                              ; preds = %227, %212
  %224 = icmp ne ptr %213, null
  %225 = icmp ne ptr %213, @_Py_NotImplementedStruct
  %226 = and i1 %224, %225
  br i1 %226, label %233, label %246

227:                                              ; preds = %212, %227
  %228 = phi i64 [ %231, %227 ], [ 0, %212 ]
  %229 = getelementptr inbounds nuw ptr, ptr %7, i64 %228
  %230 = load ptr, ptr %229, align 8
  call void @Py_DecRef(ptr noundef %230) #9
  %231 = add nuw nsw i64 %228, 1
  %232 = icmp eq i64 %231, %2
  br i1 %232, label %223, label %227, !llvm.loop !15

233:                                              ; preds = %223
  br i1 %3, label %234, label %240

234:                                              ; preds = %233
  %235 = getelementptr inbounds nuw i8, ptr %213, i64 56
  %236 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 176), align 8
  call void @Py_IncRef(ptr noundef %236) #9
  %237 = load ptr, ptr %235, align 8
  store ptr %236, ptr %235, align 8
  %238 = icmp eq ptr %237, null
  br i1 %238, label %240, label %239

239:                                              ; preds = %234
  call void @Py_DecRef(ptr noundef nonnull %237) #9
  br label %240

240:                                              ; preds = %239, %234, %233
  %241 = call ptr @native_new_tensor(ptr noundef nonnull %213) #11
  %242 = icmp eq ptr %241, null
  br i1 %242, label %246, label %243

243:                                              ; preds = %240
  %244 = call fastcc zeroext i1 @record(ptr noundef nonnull %0, ptr noundef %1, i64 noundef %2, ptr noundef %241) #11
  br i1 %244, label %246, label %245

245:                                              ; preds = %243
  call void @Py_DecRef(ptr noundef nonnull %241) #9
  br label %246

246:                                              ; preds = %240, %243, %245, %223
  %247 = phi ptr [ %213, %223 ], [ %241, %243 ], [ null, %245 ], [ null, %240 ]
  call void @Py_DecRef(ptr noundef %155) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #10
  br label %248

248:                                              ; preds = %150, %152, %246
  %249 = phi ptr [ %247, %246 ], [ %151, %150 ], [ @_Py_NotImplementedStruct, %152 ]
  ret ptr %249
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
  %7 = load i32, ptr @native_flags_key, align 4
  %8 = tail call ptr @pthread_getspecific(i32 noundef %7) #9
  %9 = icmp eq ptr %8, null
  br i1 %9, label %14, label %10

10:                                               ; preds = %3
  %11 = getelementptr inbounds nuw i8, ptr %8, i64 2
  %12 = load i8, ptr %11, align 1
  %13 = icmp eq i8 %12, 0
  br i1 %13, label %15, label %14

14:                                               ; preds = %3, %10
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %164

15:                                               ; preds = %10
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #10
  %16 = load i64, ptr %0, align 8
  %17 = mul i64 %16, -7046029254386353131
  %18 = lshr i64 %17, 32
  %19 = xor i64 %18, %17
  store i64 %19, ptr %5, align 8
  %20 = icmp sgt i64 %2, 0
  br i1 %20, label %21, label %37

21:                                               ; preds = %15, %29
  %22 = phi i64 [ %31, %29 ], [ -1, %15 ]
  %23 = phi i64 [ %32, %29 ], [ 0, %15 ]
  %24 = getelementptr inbounds nuw ptr, ptr %1, i64 %23
  %25 = load ptr, ptr %24, align 8
  %26 = call fastcc i32 @mix_operand(ptr noundef %5, ptr noundef %25) #11
  %27 = icmp eq i32 %26, 0
  br i1 %27, label %28, label %29

28:                                               ; preds = %21
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %162

29:                                               ; preds = %21
  %30 = icmp eq i32 %26, 3
  %31 = select i1 %30, i64 %22, i64 %23
  %32 = add nuw nsw i64 %23, 1
  %33 = icmp eq i64 %32, %2
  br i1 %33, label %34, label %21, !llvm.loop !16

34:                                               ; preds = %29
  %35 = load i64, ptr %5, align 8
  %36 = load i64, ptr %0, align 8
  br label %37

37:                                               ; preds = %34, %15
  %38 = phi i64 [ %16, %15 ], [ %36, %34 ]
  %39 = phi i64 [ %19, %15 ], [ %35, %34 ]
  %40 = phi i64 [ -1, %15 ], [ %31, %34 ]
  %41 = lshr i64 %39, 8
  %42 = and i64 %41, 1023
  %43 = getelementptr inbounds nuw [4 x %struct.known], ptr @known, i64 %42
  %44 = load i64, ptr %43, align 16
  %45 = icmp eq i64 %44, %39
  br i1 %45, label %46, label %54

46:                                               ; preds = %37
  %47 = getelementptr inbounds nuw i8, ptr %43, i64 8
  %48 = load i64, ptr %47, align 8
  %49 = icmp eq i64 %48, %38
  br i1 %49, label %50, label %54

50:                                               ; preds = %46
  %51 = getelementptr inbounds nuw i8, ptr %43, i64 16
  %52 = load ptr, ptr %51, align 16
  %53 = icmp eq ptr %52, null
  br i1 %53, label %54, label %91

54:                                               ; preds = %50, %46, %37
  %55 = getelementptr inbounds nuw i8, ptr %43, i64 24
  %56 = load i64, ptr %55, align 8
  %57 = icmp eq i64 %56, %39
  br i1 %57, label %58, label %66

58:                                               ; preds = %54
  %59 = getelementptr inbounds nuw i8, ptr %43, i64 32
  %60 = load i64, ptr %59, align 16
  %61 = icmp eq i64 %60, %38
  br i1 %61, label %62, label %66

62:                                               ; preds = %58
  %63 = getelementptr inbounds nuw i8, ptr %43, i64 40
  %64 = load ptr, ptr %63, align 8
  %65 = icmp eq ptr %64, null
  br i1 %65, label %66, label %91

66:                                               ; preds = %62, %58, %54
  %67 = getelementptr inbounds nuw i8, ptr %43, i64 48
  %68 = load i64, ptr %67, align 16
  %69 = icmp eq i64 %68, %39
  br i1 %69, label %70, label %78

70:                                               ; preds = %66
  %71 = getelementptr inbounds nuw i8, ptr %43, i64 56
  %72 = load i64, ptr %71, align 8
  %73 = icmp eq i64 %72, %38
  br i1 %73, label %74, label %78

74:                                               ; preds = %70
  %75 = getelementptr inbounds nuw i8, ptr %43, i64 64
  %76 = load ptr, ptr %75, align 16
  %77 = icmp eq ptr %76, null
  br i1 %77, label %78, label %91

78:                                               ; preds = %74, %70, %66
  %79 = getelementptr inbounds nuw i8, ptr %43, i64 72
  %80 = load i64, ptr %79, align 8
  %81 = icmp eq i64 %80, %39
  br i1 %81, label %82, label %90

82:                                               ; preds = %78
  %83 = getelementptr inbounds nuw i8, ptr %43, i64 80
  %84 = load i64, ptr %83, align 16
  %85 = icmp eq i64 %84, %38
  br i1 %85, label %86, label %90

86:                                               ; preds = %82
  %87 = getelementptr inbounds nuw i8, ptr %43, i64 88
  %88 = load ptr, ptr %87, align 8
  %89 = icmp eq ptr %88, null
  br i1 %89, label %90, label %91

90:                                               ; preds = %86, %82, %78
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %162

91:                                               ; preds = %50, %62, %86, %74
  %92 = phi ptr [ %76, %74 ], [ %88, %86 ], [ %64, %62 ], [ %52, %50 ]
  %93 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %94 = load i64, ptr %93, align 8
  %95 = icmp ne i64 %94, 0
  %96 = icmp slt i64 %40, 0
  br i1 %96, label %97, label %99

97:                                               ; preds = %91
  %98 = tail call fastcc ptr @run(ptr noundef nonnull %92, ptr noundef %1, i64 noundef %2, i1 noundef zeroext %95) #11
  br label %162

99:                                               ; preds = %91
  %100 = load ptr, ptr %92, align 8
  %101 = icmp eq ptr %100, null
  br i1 %101, label %102, label %103

102:                                              ; preds = %99
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %162

103:                                              ; preds = %99
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #10
  %104 = load <2 x ptr>, ptr %1, align 8
  store <2 x ptr> %104, ptr %6, align 16
  %105 = getelementptr inbounds nuw i8, ptr %92, i64 8
  %106 = load ptr, ptr %105, align 8
  tail call void @Py_IncRef(ptr noundef %106) #9
  %107 = getelementptr inbounds nuw ptr, ptr %1, i64 %40
  %108 = load ptr, ptr %107, align 8
  %109 = load ptr, ptr %92, align 8
  %110 = getelementptr inbounds nuw i8, ptr %109, i64 40
  %111 = load ptr, ptr %110, align 8
  %112 = getelementptr inbounds nuw %struct.feed, ptr %111, i64 %40
  %113 = getelementptr inbounds nuw i8, ptr %108, i64 8
  %114 = load ptr, ptr %113, align 8
  %115 = icmp eq ptr %114, @PyFloat_Type
  br i1 %115, label %116, label %118

116:                                              ; preds = %103
  %117 = tail call double @PyFloat_AsDouble(ptr noundef nonnull %108) #9
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #10
  store i32 0, ptr %4, align 4
  br label %122

118:                                              ; preds = %103
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #10
  store i32 0, ptr %4, align 4
  %119 = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %108, ptr noundef nonnull %4) #9
  %120 = load i32, ptr %4, align 4
  %121 = icmp eq i32 %120, 0
  br i1 %121, label %122, label %149

122:                                              ; preds = %118, %116
  %123 = phi i64 [ 0, %116 ], [ %119, %118 ]
  %124 = phi double [ %117, %116 ], [ 0.000000e+00, %118 ]
  %125 = call ptr @native_array(ptr noundef %112) #9
  %126 = icmp eq ptr %125, null
  br i1 %126, label %149, label %127

127:                                              ; preds = %122
  %128 = getelementptr inbounds nuw i8, ptr %125, i64 16
  %129 = load ptr, ptr %128, align 8
  %130 = load ptr, ptr %112, align 8
  %131 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 144), align 8
  %132 = icmp eq ptr %130, %131
  br i1 %132, label %133, label %137

133:                                              ; preds = %127
  %134 = fptrunc double %124 to float
  %135 = sitofp i64 %123 to float
  %136 = select i1 %115, float %134, float %135
  store float %136, ptr %129, align 4
  br label %150

137:                                              ; preds = %127
  %138 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 152), align 8
  %139 = icmp eq ptr %130, %138
  br i1 %139, label %140, label %143

140:                                              ; preds = %137
  %141 = sitofp i64 %123 to double
  %142 = select i1 %115, double %124, double %141
  store double %142, ptr %129, align 8
  br label %150

143:                                              ; preds = %137
  %144 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 160), align 8
  %145 = icmp eq ptr %130, %144
  br i1 %145, label %146, label %148

146:                                              ; preds = %143
  %147 = trunc i64 %123 to i32
  store i32 %147, ptr %129, align 4
  br label %150

148:                                              ; preds = %143
  store i64 %123, ptr %129, align 8
  br label %150

149:                                              ; preds = %118, %122
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #10
  br label %156

150:                                              ; preds = %133, %140, %146, %148
  %151 = call ptr @native_new_tensor(ptr noundef nonnull %125) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #10
  %152 = icmp eq ptr %151, null
  br i1 %152, label %156, label %153

153:                                              ; preds = %150
  %154 = getelementptr inbounds nuw ptr, ptr %6, i64 %40
  store ptr %151, ptr %154, align 8
  %155 = call fastcc ptr @run(ptr noundef nonnull %92, ptr noundef nonnull %6, i64 noundef %2, i1 noundef zeroext %95) #11
  call void @Py_DecRef(ptr noundef nonnull %151) #9
  br label %160

156:                                              ; preds = %149, %150
  %157 = call ptr @PyErr_Occurred() #9
  %158 = icmp eq ptr %157, null
  br i1 %158, label %159, label %160

159:                                              ; preds = %156
  call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  br label %160

160:                                              ; preds = %156, %159, %153
  %161 = phi ptr [ %155, %153 ], [ null, %156 ], [ @_Py_NotImplementedStruct, %159 ]
  call void @Py_DecRef(ptr noundef %106) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #10
  br label %162

162:                                              ; preds = %28, %90, %160, %102, %97
  %163 = phi ptr [ @_Py_NotImplementedStruct, %28 ], [ @_Py_NotImplementedStruct, %90 ], [ %98, %97 ], [ %161, %160 ], [ @_Py_NotImplementedStruct, %102 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #10
  br label %164

164:                                              ; preds = %162, %14
  %165 = phi ptr [ @_Py_NotImplementedStruct, %14 ], [ %163, %162 ]
  ret ptr %165
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define ptr @penstock_eager_method(i64 noundef %0) local_unnamed_addr #6 {
  %2 = getelementptr inbounds ptr, ptr @penstock_eager_method.methods, i64 %0
  %3 = load ptr, ptr %2, align 8
  ret ptr %3
}

; Function Attrs: nounwind
define internal ptr @method_0(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 184), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_1(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 192), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_2(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 200), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_3(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 208), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_4(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 216), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_5(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 224), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_6(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 232), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_7(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 240), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_8(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 248), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_9(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 256), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_10(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 264), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_11(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 272), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_12(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 280), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_13(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 288), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_14(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 296), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_15(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 304), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_16(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 312), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_17(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 320), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_18(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 328), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_19(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 336), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_20(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 344), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_21(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 352), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_22(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 360), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_23(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 368), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define internal ptr @method_24(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 376), align 8
  %4 = tail call fastcc ptr @operate(ptr noundef %3, ptr noundef %0, ptr noundef %1) #11
  ret ptr %4
}

; Function Attrs: nounwind
define void @penstock_eager_setup(ptr noundef readonly captures(none) %0) local_unnamed_addr #0 {
  %2 = load ptr, ptr @eager, align 8
  %3 = icmp eq ptr %2, null
  br i1 %3, label %4, label %6

4:                                                ; preds = %1
  %5 = tail call i32 @pthread_key_create(ptr noundef nonnull @native_flags_key, ptr noundef nonnull @free) #9
  br label %6

6:                                                ; preds = %4, %1
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(384) @eager, ptr noundef nonnull align 8 dereferenceable(384) %0, i64 384, i1 false)
  ret void
}

declare i32 @pthread_key_create(ptr noundef, ptr noundef) local_unnamed_addr #2

declare ptr @PyEval_GetFrame() local_unnamed_addr #2

declare ptr @PyFrame_GetCode(ptr noundef) local_unnamed_addr #2

declare ptr @PyFrame_GetBack(ptr noundef) local_unnamed_addr #2

declare ptr @PyObject_CallFunctionObjArgs(ptr noundef, ...) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #7

declare hidden zeroext i1 @native_is_array(ptr noundef) local_unnamed_addr #2

declare i32 @PyType_IsSubtype(ptr noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: inlinehint nounwind
define internal fastcc noundef zeroext i1 @record(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2, ptr noundef nonnull %3) unnamed_addr #5 {
  %5 = load i32, ptr @native_flags_key, align 4
  %6 = tail call ptr @pthread_getspecific(i32 noundef %5) #9
  %7 = load i8, ptr %6, align 1
  %8 = icmp ne i8 %7, 0
  %9 = icmp sgt i64 %2, 0
  %10 = and i1 %8, %9
  br i1 %10, label %11, label %234

11:                                               ; preds = %4
  %12 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  br label %14

13:                                               ; preds = %55
  br i1 %57, label %60, label %215

14:                                               ; preds = %11, %55
  %15 = phi i64 [ 0, %11 ], [ %58, %55 ]
  %16 = phi i1 [ true, %11 ], [ %57, %55 ]
  %17 = phi i64 [ 0, %11 ], [ %31, %55 ]
  %18 = getelementptr inbounds nuw ptr, ptr %1, i64 %15
  %19 = load ptr, ptr %18, align 8
  %20 = getelementptr inbounds nuw i8, ptr %19, i64 24
  %21 = load ptr, ptr %20, align 8
  %22 = icmp eq ptr %21, @_Py_TrueStruct
  br i1 %22, label %28, label %23

23:                                               ; preds = %14
  %24 = getelementptr inbounds nuw i8, ptr %19, i64 72
  %25 = load ptr, ptr %24, align 8
  %26 = icmp ne ptr %25, @_Py_NoneStruct
  %27 = zext i1 %26 to i64
  br label %28

28:                                               ; preds = %14, %23
  %29 = phi i64 [ 1, %14 ], [ %27, %23 ]
  %30 = shl nuw i64 %29, %15
  %31 = or i64 %30, %17
  %32 = getelementptr inbounds nuw i8, ptr %19, i64 40
  %33 = load ptr, ptr %32, align 8
  %34 = icmp eq ptr %33, @_Py_NoneStruct
  br i1 %34, label %55, label %35

35:                                               ; preds = %28
  %36 = getelementptr inbounds nuw i8, ptr %33, i64 72
  %37 = load ptr, ptr %36, align 8
  %38 = icmp eq ptr %37, @_Py_NoneStruct
  br i1 %38, label %55, label %39

39:                                               ; preds = %35
  %40 = getelementptr inbounds nuw i8, ptr %19, i64 80
  %41 = load ptr, ptr %40, align 8
  %42 = getelementptr inbounds nuw i8, ptr %33, i64 48
  %43 = load ptr, ptr %42, align 8
  %44 = icmp eq ptr %43, null
  br i1 %44, label %51, label %45

45:                                               ; preds = %39
  %46 = getelementptr inbounds nuw i8, ptr %43, i64 8
  %47 = load ptr, ptr %46, align 8
  %48 = icmp eq ptr %47, %12
  br i1 %48, label %49, label %51

49:                                               ; preds = %45
  %50 = getelementptr inbounds nuw i8, ptr %43, i64 16
  br label %51

51:                                               ; preds = %39, %45, %49
  %52 = phi ptr [ %50, %49 ], [ getelementptr inbounds nuw (i8, ptr @eager, i64 56), %45 ], [ getelementptr inbounds nuw (i8, ptr @eager, i64 56), %39 ]
  %53 = load ptr, ptr %52, align 8
  %54 = icmp eq ptr %41, %53
  br label %55

55:                                               ; preds = %51, %35, %28
  %56 = phi i1 [ true, %35 ], [ true, %28 ], [ %54, %51 ]
  %57 = select i1 %16, i1 %56, i1 false
  %58 = add nuw nsw i64 %15, 1
  %59 = icmp eq i64 %58, %2
  br i1 %59, label %13, label %14, !llvm.loop !17

60:                                               ; preds = %13
  %61 = icmp eq i64 %31, 0
  br i1 %61, label %234, label %62

62:                                               ; preds = %60
  %63 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %64 = load i64, ptr %63, align 8
  %65 = icmp eq i64 %64, 0
  br i1 %65, label %234, label %66

66:                                               ; preds = %62
  %67 = getelementptr inbounds nuw i8, ptr %0, i64 24
  br label %68

68:                                               ; preds = %72, %66
  %69 = phi ptr [ %67, %66 ], [ %70, %72 ]
  %70 = load ptr, ptr %69, align 8
  %71 = icmp eq ptr %70, null
  br i1 %71, label %215, label %72

72:                                               ; preds = %68
  %73 = getelementptr inbounds nuw i8, ptr %70, i64 8
  %74 = load i64, ptr %73, align 8
  %75 = icmp eq i64 %74, %31
  br i1 %75, label %76, label %68, !llvm.loop !18

76:                                               ; preds = %72
  %77 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 16), align 8
  %78 = tail call ptr @PyType_GenericAlloc(ptr noundef %77, i64 noundef 0) #9
  %79 = icmp eq ptr %78, null
  br i1 %79, label %234, label %80

80:                                               ; preds = %76
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %81 = getelementptr inbounds nuw i8, ptr %78, i64 32
  store ptr @_Py_NoneStruct, ptr %81, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %82 = getelementptr inbounds nuw i8, ptr %78, i64 40
  store ptr @_Py_NoneStruct, ptr %82, align 8
  %83 = getelementptr inbounds nuw i8, ptr %70, i64 16
  %84 = load ptr, ptr %83, align 8
  tail call void @Py_IncRef(ptr noundef %84) #9
  %85 = getelementptr inbounds nuw i8, ptr %78, i64 72
  store ptr %84, ptr %85, align 8
  %86 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 64), align 8
  %87 = tail call ptr @PyIter_Next(ptr noundef %86) #9
  %88 = getelementptr inbounds nuw i8, ptr %78, i64 56
  store ptr %87, ptr %88, align 8
  %89 = tail call ptr @PyTuple_New(i64 noundef %2) #9
  %90 = getelementptr inbounds nuw i8, ptr %78, i64 48
  store ptr %89, ptr %90, align 8
  %91 = load ptr, ptr %88, align 8
  %92 = icmp eq ptr %91, null
  %93 = icmp eq ptr %89, null
  %94 = select i1 %92, i1 true, i1 %93
  br i1 %94, label %231, label %95

95:                                               ; preds = %80
  %96 = getelementptr inbounds nuw i8, ptr %78, i64 24
  %97 = getelementptr inbounds nuw i8, ptr %78, i64 16
  %98 = tail call fastcc zeroext i1 @locate(ptr noundef %96, ptr noundef %97) #11
  br i1 %98, label %100, label %231

99:                                               ; preds = %121
  br i1 %123, label %129, label %231

100:                                              ; preds = %95, %121
  %101 = phi i64 [ %126, %121 ], [ 0, %95 ]
  %102 = getelementptr inbounds nuw ptr, ptr %1, i64 %101
  %103 = load ptr, ptr %102, align 8
  %104 = getelementptr inbounds nuw i8, ptr %103, i64 72
  %105 = load ptr, ptr %104, align 8
  %106 = icmp eq ptr %105, @_Py_NoneStruct
  br i1 %106, label %107, label %112

107:                                              ; preds = %100
  %108 = getelementptr inbounds nuw i8, ptr %103, i64 24
  %109 = load ptr, ptr %108, align 8
  %110 = icmp eq ptr %109, @_Py_TrueStruct
  %111 = select i1 %110, ptr %103, ptr @_Py_NoneStruct
  tail call void @Py_IncRef(ptr noundef nonnull %111) #9
  br label %121

112:                                              ; preds = %100
  %113 = tail call ptr @PyTuple_New(i64 noundef 2) #9
  %114 = icmp eq ptr %113, null
  br i1 %114, label %121, label %115

115:                                              ; preds = %112
  %116 = load ptr, ptr %104, align 8
  tail call void @Py_IncRef(ptr noundef %116) #9
  %117 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %113, i64 noundef 0, ptr noundef %116) #9
  %118 = getelementptr inbounds nuw i8, ptr %103, i64 64
  %119 = load ptr, ptr %118, align 8
  tail call void @Py_IncRef(ptr noundef %119) #9
  %120 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %113, i64 noundef 1, ptr noundef %119) #9
  br label %121

121:                                              ; preds = %115, %112, %107
  %122 = phi ptr [ %111, %107 ], [ %113, %115 ], [ null, %112 ]
  %123 = icmp ne ptr %122, null
  %124 = load ptr, ptr %90, align 8
  %125 = tail call i32 @PyTuple_SetItem(ptr noundef %124, i64 noundef %101, ptr noundef %122) #9
  %126 = add nuw nsw i64 %101, 1
  %127 = icmp slt i64 %126, %2
  %128 = select i1 %123, i1 %127, i1 false
  br i1 %128, label %100, label %99, !llvm.loop !19

129:                                              ; preds = %99
  %130 = getelementptr inbounds nuw i8, ptr %70, i64 24
  %131 = load i64, ptr %130, align 8
  %132 = shl nsw i64 %131, 2
  %133 = tail call ptr @PyTuple_New(i64 noundef %132) #9
  %134 = icmp eq ptr %133, null
  br i1 %134, label %208, label %135

135:                                              ; preds = %129
  %136 = load i64, ptr %130, align 8
  %137 = icmp sgt i64 %136, 0
  br i1 %137, label %138, label %210

138:                                              ; preds = %135
  %139 = getelementptr inbounds nuw i8, ptr %70, i64 32
  %140 = getelementptr inbounds nuw i8, ptr %3, i64 48
  %141 = getelementptr inbounds nuw i8, ptr %3, i64 32
  br label %142

142:                                              ; preds = %190, %138
  %143 = phi i64 [ 0, %138 ], [ %204, %190 ]
  %144 = load ptr, ptr %139, align 8
  %145 = getelementptr inbounds nuw i64, ptr %144, i64 %143
  %146 = load i64, ptr %145, align 8
  %147 = icmp slt i64 %146, %2
  br i1 %147, label %148, label %167

148:                                              ; preds = %142
  %149 = getelementptr inbounds ptr, ptr %1, i64 %146
  %150 = load ptr, ptr %149, align 8
  %151 = getelementptr inbounds nuw i8, ptr %150, i64 32
  %152 = load ptr, ptr %151, align 8
  %153 = getelementptr inbounds nuw i8, ptr %150, i64 40
  %154 = load ptr, ptr %153, align 8
  %155 = icmp eq ptr %154, @_Py_NoneStruct
  %156 = select i1 %155, ptr %150, ptr %154
  %157 = getelementptr inbounds nuw i8, ptr %156, i64 48
  %158 = load ptr, ptr %157, align 8
  %159 = icmp eq ptr %158, null
  br i1 %159, label %190, label %160

160:                                              ; preds = %148
  %161 = getelementptr inbounds nuw i8, ptr %158, i64 8
  %162 = load ptr, ptr %161, align 8
  %163 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %164 = icmp eq ptr %162, %163
  br i1 %164, label %165, label %190

165:                                              ; preds = %160
  %166 = getelementptr inbounds nuw i8, ptr %158, i64 16
  br label %190

167:                                              ; preds = %142
  %168 = load ptr, ptr %140, align 8
  %169 = icmp eq ptr %168, @_Py_NoneStruct
  br i1 %169, label %170, label %182

170:                                              ; preds = %167
  %171 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %172 = tail call ptr @PyType_GenericAlloc(ptr noundef %171, i64 noundef 0) #9
  %173 = icmp eq ptr %172, null
  br i1 %173, label %207, label %174

174:                                              ; preds = %170
  %175 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 56), align 8
  tail call void @Py_IncRef(ptr noundef %175) #9
  %176 = getelementptr inbounds nuw i8, ptr %172, i64 16
  store ptr %175, ptr %176, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #9
  %177 = getelementptr inbounds nuw i8, ptr %172, i64 24
  store ptr @_Py_NoneStruct, ptr %177, align 8
  %178 = load ptr, ptr %140, align 8
  store ptr %172, ptr %140, align 8
  %179 = icmp eq ptr %178, null
  br i1 %179, label %188, label %180

180:                                              ; preds = %174
  tail call void @Py_DecRef(ptr noundef nonnull %178) #9
  %181 = load ptr, ptr %140, align 8
  br label %182

182:                                              ; preds = %180, %167
  %183 = phi ptr [ %168, %167 ], [ %181, %180 ]
  %184 = icmp eq ptr %183, null
  br i1 %184, label %207, label %185

185:                                              ; preds = %182
  %186 = load ptr, ptr %141, align 8
  %187 = getelementptr inbounds nuw i8, ptr %183, i64 16
  br label %190

188:                                              ; preds = %174
  %189 = load ptr, ptr %141, align 8
  br label %190

190:                                              ; preds = %188, %185, %165, %160, %148
  %191 = phi ptr [ %187, %185 ], [ %176, %188 ], [ %166, %165 ], [ getelementptr inbounds nuw (i8, ptr @eager, i64 56), %160 ], [ getelementptr inbounds nuw (i8, ptr @eager, i64 56), %148 ]
  %192 = phi ptr [ %183, %185 ], [ %172, %188 ], [ @_Py_NoneStruct, %165 ], [ @_Py_NoneStruct, %160 ], [ @_Py_NoneStruct, %148 ]
  %193 = phi ptr [ %186, %185 ], [ %189, %188 ], [ %152, %165 ], [ %152, %160 ], [ %152, %148 ]
  %194 = phi ptr [ @_Py_NoneStruct, %185 ], [ @_Py_NoneStruct, %188 ], [ %150, %165 ], [ %150, %160 ], [ %150, %148 ]
  %195 = load ptr, ptr %191, align 8
  %196 = shl nsw i64 %143, 2
  tail call void @Py_IncRef(ptr noundef nonnull %194) #9
  %197 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %133, i64 noundef %196, ptr noundef nonnull %194) #9
  %198 = or disjoint i64 %196, 1
  tail call void @Py_IncRef(ptr noundef %193) #9
  %199 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %133, i64 noundef %198, ptr noundef %193) #9
  %200 = or disjoint i64 %196, 2
  tail call void @Py_IncRef(ptr noundef nonnull %192) #9
  %201 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %133, i64 noundef %200, ptr noundef nonnull %192) #9
  %202 = or disjoint i64 %196, 3
  tail call void @Py_IncRef(ptr noundef %195) #9
  %203 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %133, i64 noundef %202, ptr noundef %195) #9
  %204 = add nuw nsw i64 %143, 1
  %205 = load i64, ptr %130, align 8
  %206 = icmp slt i64 %204, %205
  br i1 %206, label %142, label %210, !llvm.loop !20

207:                                              ; preds = %182, %170
  tail call void @Py_DecRef(ptr noundef nonnull %133) #9
  br label %208

208:                                              ; preds = %207, %129
  %209 = getelementptr inbounds nuw i8, ptr %78, i64 64
  store ptr null, ptr %209, align 8
  br label %231

210:                                              ; preds = %190, %135
  %211 = getelementptr inbounds nuw i8, ptr %78, i64 64
  store ptr %133, ptr %211, align 8
  %212 = getelementptr inbounds nuw i8, ptr %3, i64 72
  %213 = load ptr, ptr %212, align 8
  store ptr %78, ptr %212, align 8
  %214 = icmp eq ptr %213, null
  br i1 %214, label %234, label %231

215:                                              ; preds = %68, %13
  %216 = tail call ptr @PyTuple_New(i64 noundef %2) #9
  %217 = icmp eq ptr %216, null
  br i1 %217, label %234, label %224

218:                                              ; preds = %224
  %219 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 80), align 8
  %220 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %221 = load ptr, ptr %220, align 8
  %222 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %219, ptr noundef %221, ptr noundef nonnull %216, ptr noundef nonnull %3, ptr noundef null) #9
  tail call void @Py_DecRef(ptr noundef nonnull %216) #9
  %223 = icmp eq ptr %222, null
  br i1 %223, label %234, label %231

224:                                              ; preds = %215, %224
  %225 = phi i64 [ %229, %224 ], [ 0, %215 ]
  %226 = getelementptr inbounds nuw ptr, ptr %1, i64 %225
  %227 = load ptr, ptr %226, align 8
  tail call void @Py_IncRef(ptr noundef %227) #9
  %228 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %216, i64 noundef %225, ptr noundef %227) #9
  %229 = add nuw nsw i64 %225, 1
  %230 = icmp eq i64 %229, %2
  br i1 %230, label %218, label %224, !llvm.loop !21

231:                                              ; preds = %95, %218, %99, %210, %208, %80
  %232 = phi ptr [ %78, %80 ], [ %78, %99 ], [ %222, %218 ], [ %213, %210 ], [ %78, %208 ], [ %78, %95 ]
  %233 = phi i1 [ false, %80 ], [ false, %99 ], [ true, %218 ], [ true, %210 ], [ false, %208 ], [ false, %95 ]
  tail call void @Py_DecRef(ptr noundef nonnull %232) #9
  br label %234

234:                                              ; preds = %231, %76, %210, %218, %215, %62, %60, %4
  %235 = phi i1 [ true, %4 ], [ %233, %231 ], [ true, %210 ], [ true, %62 ], [ true, %60 ], [ false, %218 ], [ false, %76 ], [ false, %215 ]
  ret i1 %235
}

declare hidden ptr @native_view(ptr noundef, ptr noundef) local_unnamed_addr #2

declare hidden ptr @native_call(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #2

declare hidden zeroext i1 @native_is_usual(ptr noundef) local_unnamed_addr #2

declare ptr @PyIter_Next(ptr noundef) local_unnamed_addr #2

declare ptr @PyTuple_New(i64 noundef) local_unnamed_addr #2

declare i32 @PyTuple_SetItem(ptr noundef, i64 noundef, ptr noundef) local_unnamed_addr #2

declare ptr @PyErr_Occurred() local_unnamed_addr #2

declare double @PyFloat_AsDouble(ptr noundef) local_unnamed_addr #2

declare i64 @PyLong_AsLongLongAndOverflow(ptr noundef, ptr noundef) local_unnamed_addr #2

declare hidden ptr @native_array(ptr noundef) local_unnamed_addr #2

; Function Attrs: inlinehint nounwind
define internal fastcc ptr @operate(ptr noundef readonly captures(none) %0, ptr noundef %1, ptr noundef %2) unnamed_addr #5 {
  %4 = alloca [2 x ptr], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #10
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %1, ptr %2
  store ptr %8, ptr %4, align 16
  %9 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %10 = select i1 %7, ptr %2, ptr %1
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef %0, ptr noundef nonnull %4, i64 noundef 2) #11
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %128, label %13

13:                                               ; preds = %3
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %15 = load i64, ptr %14, align 8
  %16 = icmp eq i64 %15, 0
  br i1 %16, label %132, label %17

17:                                               ; preds = %13
  %18 = icmp eq ptr %11, null
  br i1 %18, label %132, label %19

19:                                               ; preds = %17
  %20 = load ptr, ptr @eager, align 8
  %21 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %22 = load ptr, ptr %21, align 8
  %23 = icmp eq ptr %22, %20
  br i1 %23, label %27, label %24

24:                                               ; preds = %19
  %25 = tail call i32 @PyType_IsSubtype(ptr noundef %22, ptr noundef %20) #9
  %26 = icmp eq i32 %25, 0
  br i1 %26, label %123, label %27

27:                                               ; preds = %24, %19
  %28 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %29 = load ptr, ptr %28, align 8
  %30 = tail call zeroext i1 @native_is_array(ptr noundef %29) #9
  br i1 %30, label %31, label %123

31:                                               ; preds = %27
  %32 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %33 = load ptr, ptr %32, align 8
  %34 = icmp eq ptr %33, null
  br i1 %34, label %123, label %35

35:                                               ; preds = %31
  %36 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %37 = load ptr, ptr %36, align 8
  %38 = icmp eq ptr %37, null
  br i1 %38, label %123, label %39

39:                                               ; preds = %35
  %40 = getelementptr inbounds nuw i8, ptr %1, i64 64
  %41 = load ptr, ptr %40, align 8
  %42 = icmp eq ptr %41, null
  br i1 %42, label %123, label %43

43:                                               ; preds = %39
  %44 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %45 = load ptr, ptr %44, align 8
  %46 = icmp eq ptr %45, null
  br i1 %46, label %123, label %47

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
  br i1 %56, label %123, label %57

57:                                               ; preds = %54, %49, %47
  %58 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %59 = load ptr, ptr %58, align 8
  %60 = icmp eq ptr %59, null
  br i1 %60, label %123, label %61

61:                                               ; preds = %57
  %62 = icmp eq ptr %59, @_Py_NoneStruct
  br i1 %62, label %68, label %63

63:                                               ; preds = %61
  %64 = getelementptr inbounds nuw i8, ptr %59, i64 8
  %65 = load ptr, ptr %64, align 8
  %66 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %67 = icmp eq ptr %65, %66
  br i1 %67, label %68, label %123

68:                                               ; preds = %63, %61
  %69 = load ptr, ptr @eager, align 8
  %70 = getelementptr inbounds nuw i8, ptr %11, i64 8
  %71 = load ptr, ptr %70, align 8
  %72 = icmp eq ptr %71, %69
  br i1 %72, label %76, label %73

73:                                               ; preds = %68
  %74 = tail call i32 @PyType_IsSubtype(ptr noundef %71, ptr noundef %69) #9
  %75 = icmp eq i32 %74, 0
  br i1 %75, label %123, label %76

76:                                               ; preds = %73, %68
  %77 = getelementptr inbounds nuw i8, ptr %11, i64 32
  %78 = load ptr, ptr %77, align 8
  %79 = tail call zeroext i1 @native_is_array(ptr noundef %78) #9
  br i1 %79, label %80, label %123

80:                                               ; preds = %76
  %81 = getelementptr inbounds nuw i8, ptr %11, i64 24
  %82 = load ptr, ptr %81, align 8
  %83 = icmp eq ptr %82, null
  br i1 %83, label %123, label %84

84:                                               ; preds = %80
  %85 = getelementptr inbounds nuw i8, ptr %11, i64 72
  %86 = load ptr, ptr %85, align 8
  %87 = icmp eq ptr %86, null
  br i1 %87, label %123, label %88

88:                                               ; preds = %84
  %89 = getelementptr inbounds nuw i8, ptr %11, i64 64
  %90 = load ptr, ptr %89, align 8
  %91 = icmp eq ptr %90, null
  br i1 %91, label %123, label %92

92:                                               ; preds = %88
  %93 = getelementptr inbounds nuw i8, ptr %11, i64 40
  %94 = load ptr, ptr %93, align 8
  %95 = icmp eq ptr %94, null
  br i1 %95, label %123, label %96

96:                                               ; preds = %92
  %97 = icmp eq ptr %94, @_Py_NoneStruct
  br i1 %97, label %106, label %98

98:                                               ; preds = %96
  %99 = load ptr, ptr @eager, align 8
  %100 = getelementptr inbounds nuw i8, ptr %94, i64 8
  %101 = load ptr, ptr %100, align 8
  %102 = icmp eq ptr %101, %99
  br i1 %102, label %106, label %103

103:                                              ; preds = %98
  %104 = tail call i32 @PyType_IsSubtype(ptr noundef %101, ptr noundef %99) #9
  %105 = icmp eq i32 %104, 0
  br i1 %105, label %123, label %106

106:                                              ; preds = %103, %98, %96
  %107 = getelementptr inbounds nuw i8, ptr %11, i64 48
  %108 = load ptr, ptr %107, align 8
  %109 = icmp eq ptr %108, null
  br i1 %109, label %123, label %110

110:                                              ; preds = %106
  %111 = icmp eq ptr %108, @_Py_NoneStruct
  br i1 %111, label %117, label %112

112:                                              ; preds = %110
  %113 = getelementptr inbounds nuw i8, ptr %108, i64 8
  %114 = load ptr, ptr %113, align 8
  %115 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %116 = icmp eq ptr %114, %115
  br i1 %116, label %117, label %123

117:                                              ; preds = %112, %110
  %118 = tail call i32 @native_overwrite(ptr noundef nonnull %1, ptr noundef nonnull %11) #9
  %119 = icmp sgt i32 %118, -1
  br i1 %119, label %120, label %126

120:                                              ; preds = %117
  %121 = icmp eq i32 %118, 0
  br i1 %121, label %123, label %122

122:                                              ; preds = %120
  tail call void @Py_IncRef(ptr noundef nonnull %1) #9
  br label %126

123:                                              ; preds = %120, %112, %106, %103, %92, %88, %84, %80, %76, %73, %63, %57, %54, %43, %39, %35, %31, %27, %24
  %124 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 112), align 8
  %125 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %124, ptr noundef nonnull %1, ptr noundef nonnull %11, ptr noundef null) #9
  br label %126

126:                                              ; preds = %123, %122, %117
  %127 = phi ptr [ %125, %123 ], [ %1, %122 ], [ null, %117 ]
  tail call void @Py_DecRef(ptr noundef nonnull %11) #9
  br label %132

128:                                              ; preds = %3
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #9
  %129 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %130 = load ptr, ptr %129, align 8
  %131 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %130, ptr noundef %1, ptr noundef %2, ptr noundef null) #9
  br label %132

132:                                              ; preds = %126, %17, %13, %128
  %133 = phi ptr [ %131, %128 ], [ %11, %13 ], [ %127, %126 ], [ null, %17 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #10
  ret ptr %133
}

declare hidden i32 @native_overwrite(ptr noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #8

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { mustprogress nofree norecurse nosync nounwind willreturn memory(read, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #5 = { inlinehint nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
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
!7 = !{i8 0, i8 2}
!8 = !{}
!9 = distinct !{!9, !3}
!10 = distinct !{!10, !3}
!11 = distinct !{!11, !3}
!12 = distinct !{!12, !3}
!13 = distinct !{!13, !3}
!14 = distinct !{!14, !3}
!15 = distinct !{!15, !3}
!16 = distinct !{!16, !3}
!17 = distinct !{!17, !3}
!18 = distinct !{!18, !3}
!19 = distinct !{!19, !3}
!20 = distinct !{!20, !3}
!21 = distinct !{!21, !3}
