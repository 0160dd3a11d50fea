; eager.c as LLVM text, by clang 22.1.8; `make native` makes it anew.
; sources: b587836cf91c063cf0874484886617fcd4d779c5e71a07776bdce1edd18a951f
; text: eb702daee644bfb557513c0449a7b518aac5db5d96f07c80851319991b18181d
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.object = type { i32, i32, ptr }
%struct.eager_setup = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, ptr, ptr, ptr, ptr, ptr, ptr, [19 x ptr] }
%struct.known = type { i64, i64, ptr }
%struct.told = type { ptr, i8 }
%struct.feed = type { ptr, i64, ptr, i64 }
%struct.pass = type { ptr, ptr, ptr, i32, i32, i32, ptr }
%struct.item = type { ptr, ptr, i64 }

@mode_key = internal global i32 0, align 4
@next_way = internal unnamed_addr global i32 0, align 4
@_Py_NotImplementedStruct = external global %struct.object, align 8
@penstock_eager_method.methods = internal unnamed_addr constant [19 x ptr] [ptr @method_0, ptr @method_1, ptr @method_2, ptr @method_3, ptr @method_4, ptr @method_5, ptr @method_6, ptr @method_7, ptr @method_8, ptr @method_9, ptr @method_10, ptr @method_11, ptr @method_12, ptr @method_13, ptr @method_14, ptr @method_15, ptr @method_16, ptr @method_17, ptr @method_18], align 16
@setup = internal unnamed_addr global %struct.eager_setup zeroinitializer, align 8
@_Py_NoneStruct = external global %struct.object, align 8
@PyFloat_Type = external constant i8, align 1
@PyLong_Type = external constant i8, align 1
@known = internal unnamed_addr global [1024 x [4 x %struct.known]] zeroinitializer, align 16
@_Py_FalseStruct = external global %struct.object, align 8
@_Py_TrueStruct = external global %struct.object, align 8
@told = internal unnamed_addr global [1024 x %struct.told] zeroinitializer, align 16
@PyTuple_Type = external constant i8, align 1

; Function Attrs: nounwind
define noundef nonnull ptr @penstock_eager_mode(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #0 {
  %4 = load i32, ptr @mode_key, align 4
  %5 = load ptr, ptr %1, align 8
  %6 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %5) #8
  %7 = tail call i32 @pthread_setspecific(i32 noundef %4, ptr noundef %6) #8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #8
  ret ptr @_Py_NoneStruct
}

declare i32 @pthread_setspecific(i32 noundef, ptr noundef) local_unnamed_addr #1

declare ptr @PyLong_AsVoidPtr(ptr noundef) local_unnamed_addr #1

; Function Attrs: nounwind
define noundef nonnull ptr @penstock_eager_keep(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #0 {
  %4 = alloca i64, align 8
  %5 = load ptr, ptr %1, align 8
  %6 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %5) #8
  %7 = ptrtoint ptr %6 to i64
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #9
  %8 = mul i64 %7, -7046029254386353131
  %9 = lshr i64 %8, 32
  %10 = xor i64 %9, %8
  store i64 %10, ptr %4, align 8
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %12 = load ptr, ptr %11, align 8
  %13 = tail call ptr @PyLong_AsVoidPtr(ptr noundef %12) #8
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
  %22 = call fastcc i32 @mix_operand(ptr noundef %4, ptr noundef %21) #10
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
  tail call void @Py_IncRef(ptr noundef %88) #8
  store i64 %27, ptr %84, align 8
  %89 = getelementptr inbounds nuw i8, ptr %84, i64 8
  store i64 %7, ptr %89, align 8
  store ptr %13, ptr %85, align 8
  %90 = icmp eq ptr %86, null
  br i1 %90, label %94, label %91

91:                                               ; preds = %83
  %92 = getelementptr inbounds nuw i8, ptr %86, i64 8
  %93 = load ptr, ptr %92, align 8
  tail call void @Py_DecRef(ptr noundef %93) #8
  br label %94

94:                                               ; preds = %18, %83, %91
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #9
  ret ptr @_Py_NoneStruct
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

; Function Attrs: inlinehint nounwind
define internal fastcc range(i32 0, 4) i32 @mix_operand(ptr noundef nonnull captures(none) %0, ptr noundef readonly captures(none) %1) unnamed_addr #3 {
  %3 = load ptr, ptr @setup, align 8
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %5 = load ptr, ptr %4, align 8
  %6 = icmp eq ptr %5, %3
  br i1 %6, label %10, label %7

7:                                                ; preds = %2
  %8 = tail call i32 @PyType_IsSubtype(ptr noundef %5, ptr noundef %3) #8
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %107, label %10

10:                                               ; preds = %7, %2
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %12 = load ptr, ptr %11, align 8
  %13 = tail call zeroext i1 @native_is_array(ptr noundef %12) #8
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
  %33 = load ptr, ptr @setup, align 8
  %34 = getelementptr inbounds nuw i8, ptr %28, i64 8
  %35 = load ptr, ptr %34, align 8
  %36 = icmp eq ptr %35, %33
  br i1 %36, label %40, label %37

37:                                               ; preds = %32
  %38 = tail call i32 @PyType_IsSubtype(ptr noundef %35, ptr noundef %33) #8
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
  %49 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 32), align 8
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

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

declare void @Py_IncRef(ptr noundef) local_unnamed_addr #1

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #4

declare void @Py_DecRef(ptr noundef) local_unnamed_addr #1

; Function Attrs: nounwind
define ptr @penstock_eager_run(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #0 {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = icmp sgt i64 %2, 8
  br i1 %6, label %15, label %7

7:                                                ; preds = %3
  %8 = load i32, ptr @mode_key, align 4
  %9 = tail call ptr @pthread_getspecific(i32 noundef %8) #8
  %10 = ptrtoint ptr %9 to i64
  %11 = and i64 %10, 4294967295
  %12 = icmp eq i64 %11, 0
  br i1 %12, label %15, label %13

13:                                               ; preds = %7
  %14 = icmp sgt i64 %2, 0
  br i1 %14, label %16, label %72

15:                                               ; preds = %7, %3
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  br label %74

16:                                               ; preds = %13, %69
  %17 = phi i64 [ %70, %69 ], [ 0, %13 ]
  %18 = getelementptr inbounds nuw ptr, ptr %1, i64 %17
  %19 = load ptr, ptr %18, align 8
  %20 = load ptr, ptr @setup, align 8
  %21 = getelementptr inbounds nuw i8, ptr %19, i64 8
  %22 = load ptr, ptr %21, align 8
  %23 = icmp eq ptr %22, %20
  br i1 %23, label %27, label %24

24:                                               ; preds = %16
  %25 = tail call i32 @PyType_IsSubtype(ptr noundef %22, ptr noundef %20) #8
  %26 = icmp eq i32 %25, 0
  br i1 %26, label %68, label %27

27:                                               ; preds = %24, %16
  %28 = getelementptr inbounds nuw i8, ptr %19, i64 32
  %29 = load ptr, ptr %28, align 8
  %30 = tail call zeroext i1 @native_is_array(ptr noundef %29) #8
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
  %50 = load ptr, ptr @setup, align 8
  %51 = getelementptr inbounds nuw i8, ptr %45, i64 8
  %52 = load ptr, ptr %51, align 8
  %53 = icmp eq ptr %52, %50
  br i1 %53, label %57, label %54

54:                                               ; preds = %49
  %55 = tail call i32 @PyType_IsSubtype(ptr noundef %52, ptr noundef %50) #8
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
  %66 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 32), align 8
  %67 = icmp eq ptr %65, %66
  br i1 %67, label %69, label %68

68:                                               ; preds = %63, %24, %57, %54, %43, %39, %35, %31, %27
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  br label %74

69:                                               ; preds = %61, %63
  %70 = add nuw nsw i64 %17, 1
  %71 = icmp eq i64 %70, %2
  br i1 %71, label %72, label %16, !llvm.loop !7

72:                                               ; preds = %69, %13
  %73 = tail call fastcc ptr @run(ptr noundef %5, ptr noundef %1, i64 noundef %2, i1 noundef zeroext false) #10
  br label %74

74:                                               ; preds = %68, %72, %15
  %75 = phi ptr [ @_Py_NotImplementedStruct, %15 ], [ %73, %72 ], [ @_Py_NotImplementedStruct, %68 ]
  ret ptr %75
}

; Function Attrs: inlinehint nounwind
define internal fastcc ptr @run(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2, i1 noundef zeroext %3) unnamed_addr #3 {
  %5 = alloca [8 x ptr], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #9
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load ptr, ptr %6, align 8
  tail call void @Py_IncRef(ptr noundef %7) #8
  %8 = icmp sgt i64 %2, 0
  br i1 %8, label %15, label %9

9:                                                ; preds = %4
  %10 = load ptr, ptr %0, align 8
  %11 = call ptr @native_call(ptr noundef %10, ptr noundef nonnull %5, i64 noundef %2) #8
  br label %24

12:                                               ; preds = %15
  %13 = load ptr, ptr %0, align 8
  %14 = call ptr @native_call(ptr noundef %13, ptr noundef nonnull %5, i64 noundef %2) #8
  br label %29

15:                                               ; preds = %4, %15
  %16 = phi i64 [ %22, %15 ], [ 0, %4 ]
  %17 = getelementptr inbounds nuw ptr, ptr %1, i64 %16
  %18 = load ptr, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %18, i64 32
  %20 = load ptr, ptr %19, align 8
  tail call void @Py_IncRef(ptr noundef %20) #8
  %21 = getelementptr inbounds nuw ptr, ptr %5, i64 %16
  store ptr %20, ptr %21, align 8
  %22 = add nuw nsw i64 %16, 1
  %23 = icmp eq i64 %22, %2
  br i1 %23, label %12, label %15, !llvm.loop !8

24:                                               ; preds = %29, %9
  %25 = phi ptr [ %11, %9 ], [ %14, %29 ]
  %26 = icmp ne ptr %25, null
  %27 = icmp ne ptr %25, @_Py_NotImplementedStruct
  %28 = and i1 %26, %27
  br i1 %28, label %35, label %304

29:                                               ; preds = %12, %29
  %30 = phi i64 [ %33, %29 ], [ 0, %12 ]
  %31 = getelementptr inbounds nuw ptr, ptr %5, i64 %30
  %32 = load ptr, ptr %31, align 8
  call void @Py_DecRef(ptr noundef %32) #8
  %33 = add nuw nsw i64 %30, 1
  %34 = icmp eq i64 %33, %2
  br i1 %34, label %24, label %29, !llvm.loop !9

35:                                               ; preds = %24
  br i1 %3, label %36, label %42

36:                                               ; preds = %35
  %37 = getelementptr inbounds nuw i8, ptr %25, i64 56
  %38 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 152), align 8
  call void @Py_IncRef(ptr noundef %38) #8
  %39 = load ptr, ptr %37, align 8
  store ptr %38, ptr %37, align 8
  %40 = icmp eq ptr %39, null
  br i1 %40, label %42, label %41

41:                                               ; preds = %36
  call void @Py_DecRef(ptr noundef nonnull %39) #8
  br label %42

42:                                               ; preds = %41, %36, %35
  %43 = call fastcc ptr @new_tensor(ptr noundef nonnull %25) #10
  %44 = icmp eq ptr %43, null
  br i1 %44, label %304, label %45

45:                                               ; preds = %42
  %46 = load i32, ptr @mode_key, align 4
  %47 = call ptr @pthread_getspecific(i32 noundef %46) #8
  %48 = ptrtoint ptr %47 to i64
  %49 = and i64 %48, 4294967295
  %50 = icmp ne i64 %49, 2
  %51 = and i1 %8, %50
  br i1 %51, label %53, label %304

52:                                               ; preds = %78
  br i1 %80, label %83, label %284

53:                                               ; preds = %45, %78
  %54 = phi i64 [ %81, %78 ], [ 0, %45 ]
  %55 = phi i1 [ %80, %78 ], [ true, %45 ]
  %56 = phi i64 [ %70, %78 ], [ 0, %45 ]
  %57 = getelementptr inbounds nuw ptr, ptr %1, i64 %54
  %58 = load ptr, ptr %57, align 8
  %59 = getelementptr inbounds nuw i8, ptr %58, i64 24
  %60 = load ptr, ptr %59, align 8
  %61 = icmp eq ptr %60, @_Py_TrueStruct
  br i1 %61, label %67, label %62

62:                                               ; preds = %53
  %63 = getelementptr inbounds nuw i8, ptr %58, i64 72
  %64 = load ptr, ptr %63, align 8
  %65 = icmp ne ptr %64, @_Py_NoneStruct
  %66 = zext i1 %65 to i64
  br label %67

67:                                               ; preds = %62, %53
  %68 = phi i64 [ 1, %53 ], [ %66, %62 ]
  %69 = shl nuw i64 %68, %54
  %70 = or i64 %69, %56
  %71 = getelementptr inbounds nuw i8, ptr %58, i64 40
  %72 = load ptr, ptr %71, align 8
  %73 = icmp eq ptr %72, @_Py_NoneStruct
  br i1 %73, label %78, label %74

74:                                               ; preds = %67
  %75 = getelementptr inbounds nuw i8, ptr %72, i64 72
  %76 = load ptr, ptr %75, align 8
  %77 = icmp eq ptr %76, @_Py_NoneStruct
  br label %78

78:                                               ; preds = %74, %67
  %79 = phi i1 [ true, %67 ], [ %77, %74 ]
  %80 = select i1 %55, i1 %79, i1 false
  %81 = add nuw nsw i64 %54, 1
  %82 = icmp eq i64 %81, %2
  br i1 %82, label %52, label %53, !llvm.loop !10

83:                                               ; preds = %52
  %84 = icmp eq i64 %70, 0
  br i1 %84, label %304, label %85

85:                                               ; preds = %83
  %86 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %87 = load i64, ptr %86, align 8
  %88 = icmp eq i64 %87, 0
  br i1 %88, label %304, label %89

89:                                               ; preds = %85
  %90 = getelementptr inbounds nuw i8, ptr %0, i64 24
  br label %91

91:                                               ; preds = %95, %89
  %92 = phi ptr [ %90, %89 ], [ %93, %95 ]
  %93 = load ptr, ptr %92, align 8
  %94 = icmp eq ptr %93, null
  br i1 %94, label %284, label %95

95:                                               ; preds = %91
  %96 = getelementptr inbounds nuw i8, ptr %93, i64 8
  %97 = load i64, ptr %96, align 8
  %98 = icmp eq i64 %97, %70
  br i1 %98, label %99, label %91, !llvm.loop !11

99:                                               ; preds = %95
  %100 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 16), align 8
  %101 = call ptr @PyType_GenericAlloc(ptr noundef %100, i64 noundef 0) #8
  %102 = icmp eq ptr %101, null
  br i1 %102, label %300, label %103

103:                                              ; preds = %99
  call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #8
  %104 = getelementptr inbounds nuw i8, ptr %101, i64 32
  store ptr @_Py_NoneStruct, ptr %104, align 8
  call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #8
  %105 = getelementptr inbounds nuw i8, ptr %101, i64 40
  store ptr @_Py_NoneStruct, ptr %105, align 8
  %106 = getelementptr inbounds nuw i8, ptr %93, i64 16
  %107 = load ptr, ptr %106, align 8
  call void @Py_IncRef(ptr noundef %107) #8
  %108 = getelementptr inbounds nuw i8, ptr %101, i64 72
  store ptr %107, ptr %108, align 8
  %109 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 56), align 8
  %110 = call ptr @PyIter_Next(ptr noundef %109) #8
  %111 = getelementptr inbounds nuw i8, ptr %101, i64 56
  store ptr %110, ptr %111, align 8
  %112 = call ptr @PyTuple_New(i64 noundef %2) #8
  %113 = getelementptr inbounds nuw i8, ptr %101, i64 48
  store ptr %112, ptr %113, align 8
  %114 = load ptr, ptr %111, align 8
  %115 = icmp eq ptr %114, null
  %116 = icmp eq ptr %112, null
  %117 = select i1 %115, i1 true, i1 %116
  br i1 %117, label %299, label %118

118:                                              ; preds = %103
  %119 = call ptr @PyEval_GetFrame() #8
  %120 = icmp eq ptr %119, null
  br i1 %120, label %163, label %121

121:                                              ; preds = %118
  call void @Py_IncRef(ptr noundef nonnull %119) #8
  br label %122

122:                                              ; preds = %160, %121
  %123 = phi ptr [ %161, %160 ], [ %119, %121 ]
  %124 = call ptr @PyFrame_GetCode(ptr noundef nonnull %123) #8
  %125 = ptrtoint ptr %124 to i64
  %126 = lshr i64 %125, 5
  %127 = and i64 %126, 1023
  %128 = getelementptr inbounds nuw %struct.told, ptr @told, i64 %127
  %129 = load ptr, ptr %128, align 16
  %130 = icmp eq ptr %129, %124
  br i1 %130, label %143, label %131

131:                                              ; preds = %122
  %132 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 64), align 8
  %133 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %132, ptr noundef nonnull %123, ptr noundef null) #8
  %134 = icmp eq ptr %133, null
  br i1 %134, label %148, label %135

135:                                              ; preds = %131
  %136 = icmp eq ptr %133, @_Py_TrueStruct
  %137 = zext i1 %136 to i8
  call void @Py_DecRef(ptr noundef nonnull %133) #8
  %138 = load ptr, ptr %128, align 16
  call void @Py_IncRef(ptr noundef %124) #8
  store ptr %124, ptr %128, align 16
  %139 = getelementptr inbounds nuw i8, ptr %128, i64 8
  store i8 %137, ptr %139, align 8
  %140 = getelementptr inbounds nuw i8, ptr %128, i64 9
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(7) %140, i8 0, i64 7, i1 false)
  %141 = icmp eq ptr %138, null
  br i1 %141, label %147, label %142

142:                                              ; preds = %135
  call void @Py_DecRef(ptr noundef nonnull %138) #8
  br label %147

143:                                              ; preds = %122
  %144 = getelementptr inbounds nuw i8, ptr %128, i64 8
  %145 = load i8, ptr %144, align 8, !range !12, !noundef !13
  %146 = icmp eq i8 %145, 0
  br i1 %146, label %151, label %160

147:                                              ; preds = %142, %135
  br i1 %136, label %160, label %151

148:                                              ; preds = %131
  %149 = getelementptr inbounds nuw i8, ptr %101, i64 24
  store ptr %124, ptr %149, align 8
  call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #8
  %150 = getelementptr inbounds nuw i8, ptr %101, i64 16
  store ptr @_Py_NoneStruct, ptr %150, align 8
  call void @Py_DecRef(ptr noundef nonnull %123) #8
  br label %299

151:                                              ; preds = %147, %143
  %152 = getelementptr inbounds nuw i8, ptr %101, i64 24
  store ptr %124, ptr %152, align 8
  %153 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 120), align 8
  %154 = call i32 %153(ptr noundef nonnull %123) #8
  %155 = sext i32 %154 to i64
  %156 = call ptr @PyLong_FromLong(i64 noundef %155) #8
  %157 = getelementptr inbounds nuw i8, ptr %101, i64 16
  store ptr %156, ptr %157, align 8
  call void @Py_DecRef(ptr noundef nonnull %123) #8
  %158 = load ptr, ptr %157, align 8
  %159 = icmp eq ptr %158, null
  br i1 %159, label %299, label %167

160:                                              ; preds = %147, %143
  %161 = call ptr @PyFrame_GetBack(ptr noundef nonnull %123) #8
  call void @Py_DecRef(ptr noundef %124) #8
  call void @Py_DecRef(ptr noundef nonnull %123) #8
  %162 = icmp eq ptr %161, null
  br i1 %162, label %163, label %122, !llvm.loop !14

163:                                              ; preds = %160, %118
  call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #8
  %164 = getelementptr inbounds nuw i8, ptr %101, i64 24
  store ptr @_Py_NoneStruct, ptr %164, align 8
  %165 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 48), align 8
  call void @Py_IncRef(ptr noundef %165) #8
  %166 = getelementptr inbounds nuw i8, ptr %101, i64 16
  store ptr %165, ptr %166, align 8
  br label %167

167:                                              ; preds = %151, %163
  br label %169

168:                                              ; preds = %190
  br i1 %192, label %198, label %299

169:                                              ; preds = %167, %190
  %170 = phi i64 [ %195, %190 ], [ 0, %167 ]
  %171 = getelementptr inbounds nuw ptr, ptr %1, i64 %170
  %172 = load ptr, ptr %171, align 8
  %173 = getelementptr inbounds nuw i8, ptr %172, i64 72
  %174 = load ptr, ptr %173, align 8
  %175 = icmp eq ptr %174, @_Py_NoneStruct
  br i1 %175, label %176, label %181

176:                                              ; preds = %169
  %177 = getelementptr inbounds nuw i8, ptr %172, i64 24
  %178 = load ptr, ptr %177, align 8
  %179 = icmp eq ptr %178, @_Py_TrueStruct
  %180 = select i1 %179, ptr %172, ptr @_Py_NoneStruct
  call void @Py_IncRef(ptr noundef nonnull %180) #8
  br label %190

181:                                              ; preds = %169
  %182 = call ptr @PyTuple_New(i64 noundef 2) #8
  %183 = icmp eq ptr %182, null
  br i1 %183, label %190, label %184

184:                                              ; preds = %181
  %185 = load ptr, ptr %173, align 8
  call void @Py_IncRef(ptr noundef %185) #8
  %186 = call i32 @PyTuple_SetItem(ptr noundef nonnull %182, i64 noundef 0, ptr noundef %185) #8
  %187 = getelementptr inbounds nuw i8, ptr %172, i64 64
  %188 = load ptr, ptr %187, align 8
  call void @Py_IncRef(ptr noundef %188) #8
  %189 = call i32 @PyTuple_SetItem(ptr noundef nonnull %182, i64 noundef 1, ptr noundef %188) #8
  br label %190

190:                                              ; preds = %184, %181, %176
  %191 = phi ptr [ %180, %176 ], [ %182, %184 ], [ null, %181 ]
  %192 = icmp ne ptr %191, null
  %193 = load ptr, ptr %113, align 8
  %194 = call i32 @PyTuple_SetItem(ptr noundef %193, i64 noundef %170, ptr noundef %191) #8
  %195 = add nuw nsw i64 %170, 1
  %196 = icmp slt i64 %195, %2
  %197 = select i1 %192, i1 %196, i1 false
  br i1 %197, label %169, label %168, !llvm.loop !15

198:                                              ; preds = %168
  %199 = getelementptr inbounds nuw i8, ptr %93, i64 24
  %200 = load i64, ptr %199, align 8
  %201 = shl nsw i64 %200, 2
  %202 = call ptr @PyTuple_New(i64 noundef %201) #8
  %203 = icmp eq ptr %202, null
  br i1 %203, label %277, label %204

204:                                              ; preds = %198
  %205 = load i64, ptr %199, align 8
  %206 = icmp sgt i64 %205, 0
  br i1 %206, label %207, label %279

207:                                              ; preds = %204
  %208 = getelementptr inbounds nuw i8, ptr %93, i64 32
  %209 = getelementptr inbounds nuw i8, ptr %43, i64 48
  %210 = getelementptr inbounds nuw i8, ptr %43, i64 32
  br label %211

211:                                              ; preds = %259, %207
  %212 = phi i64 [ 0, %207 ], [ %273, %259 ]
  %213 = load ptr, ptr %208, align 8
  %214 = getelementptr inbounds nuw i64, ptr %213, i64 %212
  %215 = load i64, ptr %214, align 8
  %216 = icmp slt i64 %215, %2
  br i1 %216, label %217, label %236

217:                                              ; preds = %211
  %218 = getelementptr inbounds ptr, ptr %1, i64 %215
  %219 = load ptr, ptr %218, align 8
  %220 = getelementptr inbounds nuw i8, ptr %219, i64 40
  %221 = load ptr, ptr %220, align 8
  %222 = icmp eq ptr %221, @_Py_NoneStruct
  %223 = select i1 %222, ptr %219, ptr %221
  %224 = getelementptr inbounds nuw i8, ptr %219, i64 32
  %225 = load ptr, ptr %224, align 8
  %226 = getelementptr inbounds nuw i8, ptr %223, i64 48
  %227 = load ptr, ptr %226, align 8
  %228 = icmp eq ptr %227, null
  br i1 %228, label %259, label %229

229:                                              ; preds = %217
  %230 = getelementptr inbounds nuw i8, ptr %227, i64 8
  %231 = load ptr, ptr %230, align 8
  %232 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 32), align 8
  %233 = icmp eq ptr %231, %232
  br i1 %233, label %234, label %259

234:                                              ; preds = %229
  %235 = getelementptr inbounds nuw i8, ptr %227, i64 16
  br label %259

236:                                              ; preds = %211
  %237 = load ptr, ptr %209, align 8
  %238 = icmp eq ptr %237, @_Py_NoneStruct
  br i1 %238, label %239, label %251

239:                                              ; preds = %236
  %240 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 32), align 8
  %241 = call ptr @PyType_GenericAlloc(ptr noundef %240, i64 noundef 0) #8
  %242 = icmp eq ptr %241, null
  br i1 %242, label %276, label %243

243:                                              ; preds = %239
  %244 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 48), align 8
  call void @Py_IncRef(ptr noundef %244) #8
  %245 = getelementptr inbounds nuw i8, ptr %241, i64 16
  store ptr %244, ptr %245, align 8
  call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #8
  %246 = getelementptr inbounds nuw i8, ptr %241, i64 24
  store ptr @_Py_NoneStruct, ptr %246, align 8
  %247 = load ptr, ptr %209, align 8
  store ptr %241, ptr %209, align 8
  %248 = icmp eq ptr %247, null
  br i1 %248, label %257, label %249

249:                                              ; preds = %243
  call void @Py_DecRef(ptr noundef nonnull %247) #8
  %250 = load ptr, ptr %209, align 8
  br label %251

251:                                              ; preds = %249, %236
  %252 = phi ptr [ %237, %236 ], [ %250, %249 ]
  %253 = icmp eq ptr %252, null
  br i1 %253, label %276, label %254

254:                                              ; preds = %251
  %255 = load ptr, ptr %210, align 8
  %256 = getelementptr inbounds nuw i8, ptr %252, i64 16
  br label %259

257:                                              ; preds = %243
  %258 = load ptr, ptr %210, align 8
  br label %259

259:                                              ; preds = %257, %254, %234, %229, %217
  %260 = phi ptr [ %256, %254 ], [ %245, %257 ], [ %235, %234 ], [ getelementptr inbounds nuw (i8, ptr @setup, i64 48), %229 ], [ getelementptr inbounds nuw (i8, ptr @setup, i64 48), %217 ]
  %261 = phi ptr [ %252, %254 ], [ %241, %257 ], [ @_Py_NoneStruct, %234 ], [ @_Py_NoneStruct, %229 ], [ @_Py_NoneStruct, %217 ]
  %262 = phi ptr [ %255, %254 ], [ %258, %257 ], [ %225, %234 ], [ %225, %229 ], [ %225, %217 ]
  %263 = phi ptr [ @_Py_NoneStruct, %254 ], [ @_Py_NoneStruct, %257 ], [ %219, %234 ], [ %219, %229 ], [ %219, %217 ]
  %264 = load ptr, ptr %260, align 8
  %265 = shl nsw i64 %212, 2
  call void @Py_IncRef(ptr noundef nonnull %263) #8
  %266 = call i32 @PyTuple_SetItem(ptr noundef nonnull %202, i64 noundef %265, ptr noundef nonnull %263) #8
  %267 = or disjoint i64 %265, 1
  call void @Py_IncRef(ptr noundef %262) #8
  %268 = call i32 @PyTuple_SetItem(ptr noundef nonnull %202, i64 noundef %267, ptr noundef %262) #8
  %269 = or disjoint i64 %265, 2
  call void @Py_IncRef(ptr noundef nonnull %261) #8
  %270 = call i32 @PyTuple_SetItem(ptr noundef nonnull %202, i64 noundef %269, ptr noundef nonnull %261) #8
  %271 = or disjoint i64 %265, 3
  call void @Py_IncRef(ptr noundef %264) #8
  %272 = call i32 @PyTuple_SetItem(ptr noundef nonnull %202, i64 noundef %271, ptr noundef %264) #8
  %273 = add nuw nsw i64 %212, 1
  %274 = load i64, ptr %199, align 8
  %275 = icmp slt i64 %273, %274
  br i1 %275, label %211, label %279, !llvm.loop !16

276:                                              ; preds = %251, %239
  call void @Py_DecRef(ptr noundef nonnull %202) #8
  br label %277

277:                                              ; preds = %276, %198
  %278 = getelementptr inbounds nuw i8, ptr %101, i64 64
  store ptr null, ptr %278, align 8
  br label %299

279:                                              ; preds = %259, %204
  %280 = getelementptr inbounds nuw i8, ptr %101, i64 64
  store ptr %202, ptr %280, align 8
  %281 = getelementptr inbounds nuw i8, ptr %43, i64 72
  %282 = load ptr, ptr %281, align 8
  store ptr %101, ptr %281, align 8
  %283 = icmp eq ptr %282, null
  br i1 %283, label %304, label %301

284:                                              ; preds = %91, %52
  %285 = call ptr @PyTuple_New(i64 noundef %2) #8
  %286 = icmp eq ptr %285, null
  br i1 %286, label %300, label %292

287:                                              ; preds = %292
  %288 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 72), align 8
  %289 = load ptr, ptr %6, align 8
  %290 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %288, ptr noundef %289, ptr noundef nonnull %285, ptr noundef nonnull %43, ptr noundef null) #8
  call void @Py_DecRef(ptr noundef nonnull %285) #8
  %291 = icmp eq ptr %290, null
  br i1 %291, label %300, label %301

292:                                              ; preds = %284, %292
  %293 = phi i64 [ %297, %292 ], [ 0, %284 ]
  %294 = getelementptr inbounds nuw ptr, ptr %1, i64 %293
  %295 = load ptr, ptr %294, align 8
  call void @Py_IncRef(ptr noundef %295) #8
  %296 = call i32 @PyTuple_SetItem(ptr noundef nonnull %285, i64 noundef %293, ptr noundef %295) #8
  %297 = add nuw nsw i64 %293, 1
  %298 = icmp eq i64 %297, %2
  br i1 %298, label %287, label %292, !llvm.loop !17

299:                                              ; preds = %103, %168, %277, %148, %151
  call void @Py_DecRef(ptr noundef nonnull %101) #8
  br label %300

300:                                              ; preds = %284, %99, %287, %299
  br label %301

301:                                              ; preds = %287, %279, %300
  %302 = phi ptr [ %43, %300 ], [ %282, %279 ], [ %290, %287 ]
  %303 = phi ptr [ null, %300 ], [ %43, %279 ], [ %43, %287 ]
  call void @Py_DecRef(ptr noundef nonnull %302) #8
  br label %304

304:                                              ; preds = %301, %83, %85, %279, %45, %42, %24
  %305 = phi ptr [ %25, %24 ], [ %43, %85 ], [ %43, %83 ], [ null, %42 ], [ %43, %45 ], [ %43, %279 ], [ %303, %301 ]
  call void @Py_DecRef(ptr noundef %7) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #9
  ret ptr %305
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
  %10 = tail call fastcc ptr @apply(ptr noundef nonnull %5, ptr noundef %1, i64 noundef %2) #10
  br label %12

11:                                               ; preds = %3
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
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
  %7 = load i32, ptr @mode_key, align 4
  %8 = tail call ptr @pthread_getspecific(i32 noundef %7) #8
  %9 = ptrtoint ptr %8 to i64
  %10 = and i64 %9, 4294967295
  %11 = icmp eq i64 %10, 0
  br i1 %11, label %12, label %13

12:                                               ; preds = %3
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  br label %158

13:                                               ; preds = %3
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #9
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
  %24 = call fastcc i32 @mix_operand(ptr noundef %5, ptr noundef %23) #10
  %25 = icmp eq i32 %24, 0
  br i1 %25, label %26, label %27

26:                                               ; preds = %19
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  br label %156

27:                                               ; preds = %19
  %28 = icmp eq i32 %24, 3
  %29 = select i1 %28, i64 %20, i64 %21
  %30 = add nuw nsw i64 %21, 1
  %31 = icmp eq i64 %30, %2
  br i1 %31, label %32, label %19, !llvm.loop !18

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
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  br label %156

89:                                               ; preds = %48, %60, %84, %72
  %90 = phi ptr [ %74, %72 ], [ %86, %84 ], [ %62, %60 ], [ %50, %48 ]
  %91 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %92 = load i64, ptr %91, align 8
  %93 = icmp ne i64 %92, 0
  %94 = icmp slt i64 %38, 0
  br i1 %94, label %95, label %97

95:                                               ; preds = %89
  %96 = tail call fastcc ptr @run(ptr noundef nonnull %90, ptr noundef %1, i64 noundef %2, i1 noundef zeroext %93) #10
  br label %156

97:                                               ; preds = %89
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #9
  %98 = load <2 x ptr>, ptr %1, align 8
  store <2 x ptr> %98, ptr %6, align 16
  %99 = getelementptr inbounds nuw i8, ptr %90, i64 8
  %100 = load ptr, ptr %99, align 8
  tail call void @Py_IncRef(ptr noundef %100) #8
  %101 = getelementptr inbounds nuw ptr, ptr %1, i64 %38
  %102 = load ptr, ptr %101, align 8
  %103 = load ptr, ptr %90, align 8
  %104 = getelementptr inbounds nuw i8, ptr %103, i64 40
  %105 = load ptr, ptr %104, align 8
  %106 = getelementptr inbounds nuw %struct.feed, ptr %105, i64 %38
  %107 = getelementptr inbounds nuw i8, ptr %102, i64 8
  %108 = load ptr, ptr %107, align 8
  %109 = icmp eq ptr %108, @PyFloat_Type
  br i1 %109, label %110, label %112

110:                                              ; preds = %97
  %111 = tail call double @PyFloat_AsDouble(ptr noundef nonnull %102) #8
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #9
  store i32 0, ptr %4, align 4
  br label %116

112:                                              ; preds = %97
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #9
  store i32 0, ptr %4, align 4
  %113 = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %102, ptr noundef nonnull %4) #8
  %114 = load i32, ptr %4, align 4
  %115 = icmp eq i32 %114, 0
  br i1 %115, label %116, label %143

116:                                              ; preds = %112, %110
  %117 = phi i64 [ 0, %110 ], [ %113, %112 ]
  %118 = phi double [ %111, %110 ], [ 0.000000e+00, %112 ]
  %119 = call ptr @native_array(ptr noundef %106) #8
  %120 = icmp eq ptr %119, null
  br i1 %120, label %143, label %121

121:                                              ; preds = %116
  %122 = getelementptr inbounds nuw i8, ptr %119, i64 16
  %123 = load ptr, ptr %122, align 8
  %124 = load ptr, ptr %106, align 8
  %125 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 128), align 8
  %126 = icmp eq ptr %124, %125
  br i1 %126, label %127, label %131

127:                                              ; preds = %121
  %128 = fptrunc double %118 to float
  %129 = sitofp i64 %117 to float
  %130 = select i1 %109, float %128, float %129
  store float %130, ptr %123, align 4
  br label %144

131:                                              ; preds = %121
  %132 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 136), align 8
  %133 = icmp eq ptr %124, %132
  br i1 %133, label %134, label %137

134:                                              ; preds = %131
  %135 = sitofp i64 %117 to double
  %136 = select i1 %109, double %118, double %135
  store double %136, ptr %123, align 8
  br label %144

137:                                              ; preds = %131
  %138 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 144), align 8
  %139 = icmp eq ptr %124, %138
  br i1 %139, label %140, label %142

140:                                              ; preds = %137
  %141 = trunc i64 %117 to i32
  store i32 %141, ptr %123, align 4
  br label %144

142:                                              ; preds = %137
  store i64 %117, ptr %123, align 8
  br label %144

143:                                              ; preds = %112, %116
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #9
  br label %150

144:                                              ; preds = %127, %134, %140, %142
  %145 = call fastcc ptr @new_tensor(ptr noundef nonnull %119) #10
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #9
  %146 = icmp eq ptr %145, null
  br i1 %146, label %150, label %147

147:                                              ; preds = %144
  %148 = getelementptr inbounds nuw ptr, ptr %6, i64 %38
  store ptr %145, ptr %148, align 8
  %149 = call fastcc ptr @run(ptr noundef nonnull %90, ptr noundef nonnull %6, i64 noundef %2, i1 noundef zeroext %93) #10
  call void @Py_DecRef(ptr noundef nonnull %145) #8
  br label %154

150:                                              ; preds = %143, %144
  %151 = call ptr @PyErr_Occurred() #8
  %152 = icmp eq ptr %151, null
  br i1 %152, label %153, label %154

153:                                              ; preds = %150
  call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  br label %154

154:                                              ; preds = %150, %153, %147
  %155 = phi ptr [ %149, %147 ], [ null, %150 ], [ @_Py_NotImplementedStruct, %153 ]
  call void @Py_DecRef(ptr noundef %100) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #9
  br label %156

156:                                              ; preds = %26, %88, %154, %95
  %157 = phi ptr [ @_Py_NotImplementedStruct, %26 ], [ @_Py_NotImplementedStruct, %88 ], [ %96, %95 ], [ %155, %154 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #9
  br label %158

158:                                              ; preds = %156, %12
  %159 = phi ptr [ @_Py_NotImplementedStruct, %12 ], [ %157, %156 ]
  ret ptr %159
}

; Function Attrs: nounwind
define ptr @penstock_eager_backward(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #0 {
  %4 = alloca [8 x ptr], align 16
  %5 = alloca %struct.feed, align 8
  %6 = alloca %struct.pass, align 8
  %7 = load ptr, ptr %1, align 8
  %8 = load i32, ptr @mode_key, align 4
  %9 = tail call ptr @pthread_getspecific(i32 noundef %8) #8
  %10 = ptrtoint ptr %9 to i64
  %11 = and i64 %10, 4294967295
  %12 = icmp eq i64 %11, 0
  br i1 %12, label %71, label %13

13:                                               ; preds = %3
  %14 = load ptr, ptr %1, align 8
  %15 = load ptr, ptr @setup, align 8
  %16 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %17 = load ptr, ptr %16, align 8
  %18 = icmp eq ptr %17, %15
  br i1 %18, label %22, label %19

19:                                               ; preds = %13
  %20 = tail call i32 @PyType_IsSubtype(ptr noundef %17, ptr noundef %15) #8
  %21 = icmp eq i32 %20, 0
  br i1 %21, label %71, label %22

22:                                               ; preds = %19, %13
  %23 = getelementptr inbounds nuw i8, ptr %14, i64 32
  %24 = load ptr, ptr %23, align 8
  %25 = tail call zeroext i1 @native_is_array(ptr noundef %24) #8
  br i1 %25, label %26, label %71

26:                                               ; preds = %22
  %27 = getelementptr inbounds nuw i8, ptr %14, i64 24
  %28 = load ptr, ptr %27, align 8
  %29 = icmp eq ptr %28, null
  br i1 %29, label %71, label %30

30:                                               ; preds = %26
  %31 = getelementptr inbounds nuw i8, ptr %14, i64 72
  %32 = load ptr, ptr %31, align 8
  %33 = icmp eq ptr %32, null
  br i1 %33, label %71, label %34

34:                                               ; preds = %30
  %35 = getelementptr inbounds nuw i8, ptr %14, i64 64
  %36 = load ptr, ptr %35, align 8
  %37 = icmp eq ptr %36, null
  br i1 %37, label %71, label %38

38:                                               ; preds = %34
  %39 = getelementptr inbounds nuw i8, ptr %14, i64 40
  %40 = load ptr, ptr %39, align 8
  %41 = icmp eq ptr %40, null
  br i1 %41, label %71, label %42

42:                                               ; preds = %38
  %43 = icmp eq ptr %40, @_Py_NoneStruct
  br i1 %43, label %52, label %44

44:                                               ; preds = %42
  %45 = load ptr, ptr @setup, align 8
  %46 = getelementptr inbounds nuw i8, ptr %40, i64 8
  %47 = load ptr, ptr %46, align 8
  %48 = icmp eq ptr %47, %45
  br i1 %48, label %52, label %49

49:                                               ; preds = %44
  %50 = tail call i32 @PyType_IsSubtype(ptr noundef %47, ptr noundef %45) #8
  %51 = icmp eq i32 %50, 0
  br i1 %51, label %71, label %52

52:                                               ; preds = %49, %44, %42
  %53 = getelementptr inbounds nuw i8, ptr %14, i64 48
  %54 = load ptr, ptr %53, align 8
  %55 = icmp eq ptr %54, null
  br i1 %55, label %71, label %56

56:                                               ; preds = %52
  %57 = icmp eq ptr %54, @_Py_NoneStruct
  br i1 %57, label %63, label %58

58:                                               ; preds = %56
  %59 = getelementptr inbounds nuw i8, ptr %54, i64 8
  %60 = load ptr, ptr %59, align 8
  %61 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 32), align 8
  %62 = icmp eq ptr %60, %61
  br i1 %62, label %63, label %71

63:                                               ; preds = %56, %58
  %64 = getelementptr inbounds nuw i8, ptr %7, i64 40
  %65 = load ptr, ptr %64, align 8
  %66 = icmp eq ptr %65, @_Py_NoneStruct
  br i1 %66, label %67, label %71

67:                                               ; preds = %63
  %68 = getelementptr inbounds nuw i8, ptr %7, i64 72
  %69 = load ptr, ptr %68, align 8
  %70 = icmp eq ptr %69, @_Py_NoneStruct
  br i1 %70, label %71, label %72

71:                                               ; preds = %22, %26, %30, %34, %38, %49, %52, %19, %67, %63, %58, %3
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  br label %569

72:                                               ; preds = %67
  %73 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %74 = load ptr, ptr %73, align 8
  %75 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %76 = load ptr, ptr %75, align 8
  %77 = icmp eq ptr %74, @_Py_NoneStruct
  br i1 %77, label %78, label %86

78:                                               ; preds = %72
  %79 = getelementptr inbounds nuw i8, ptr %76, i64 24
  %80 = load i32, ptr %79, align 8
  %81 = icmp sgt i32 %80, 0
  br i1 %81, label %82, label %178

82:                                               ; preds = %78
  %83 = getelementptr inbounds nuw i8, ptr %76, i64 32
  %84 = load ptr, ptr %83, align 8
  %85 = zext nneg i32 %80 to i64
  br label %172

86:                                               ; preds = %72
  %87 = load ptr, ptr @setup, align 8
  %88 = getelementptr inbounds nuw i8, ptr %74, i64 8
  %89 = load ptr, ptr %88, align 8
  %90 = icmp eq ptr %89, %87
  br i1 %90, label %94, label %91

91:                                               ; preds = %86
  %92 = tail call i32 @PyType_IsSubtype(ptr noundef %89, ptr noundef %87) #8
  %93 = icmp eq i32 %92, 0
  br i1 %93, label %135, label %94

94:                                               ; preds = %91, %86
  %95 = getelementptr inbounds nuw i8, ptr %74, i64 32
  %96 = load ptr, ptr %95, align 8
  %97 = tail call zeroext i1 @native_is_array(ptr noundef %96) #8
  br i1 %97, label %98, label %135

98:                                               ; preds = %94
  %99 = getelementptr inbounds nuw i8, ptr %74, i64 24
  %100 = load ptr, ptr %99, align 8
  %101 = icmp eq ptr %100, null
  br i1 %101, label %135, label %102

102:                                              ; preds = %98
  %103 = getelementptr inbounds nuw i8, ptr %74, i64 72
  %104 = load ptr, ptr %103, align 8
  %105 = icmp eq ptr %104, null
  br i1 %105, label %135, label %106

106:                                              ; preds = %102
  %107 = getelementptr inbounds nuw i8, ptr %74, i64 64
  %108 = load ptr, ptr %107, align 8
  %109 = icmp eq ptr %108, null
  br i1 %109, label %135, label %110

110:                                              ; preds = %106
  %111 = getelementptr inbounds nuw i8, ptr %74, i64 40
  %112 = load ptr, ptr %111, align 8
  %113 = icmp eq ptr %112, null
  br i1 %113, label %135, label %114

114:                                              ; preds = %110
  %115 = icmp eq ptr %112, @_Py_NoneStruct
  br i1 %115, label %124, label %116

116:                                              ; preds = %114
  %117 = load ptr, ptr @setup, align 8
  %118 = getelementptr inbounds nuw i8, ptr %112, i64 8
  %119 = load ptr, ptr %118, align 8
  %120 = icmp eq ptr %119, %117
  br i1 %120, label %124, label %121

121:                                              ; preds = %116
  %122 = tail call i32 @PyType_IsSubtype(ptr noundef %119, ptr noundef %117) #8
  %123 = icmp eq i32 %122, 0
  br i1 %123, label %135, label %124

124:                                              ; preds = %121, %116, %114
  %125 = getelementptr inbounds nuw i8, ptr %74, i64 48
  %126 = load ptr, ptr %125, align 8
  %127 = icmp eq ptr %126, null
  br i1 %127, label %135, label %128

128:                                              ; preds = %124
  %129 = icmp eq ptr %126, @_Py_NoneStruct
  br i1 %129, label %136, label %130

130:                                              ; preds = %128
  %131 = getelementptr inbounds nuw i8, ptr %126, i64 8
  %132 = load ptr, ptr %131, align 8
  %133 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 32), align 8
  %134 = icmp eq ptr %132, %133
  br i1 %134, label %136, label %135

135:                                              ; preds = %130, %124, %121, %110, %106, %102, %98, %94, %91
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  br label %569

136:                                              ; preds = %130, %128
  %137 = load ptr, ptr %95, align 8
  %138 = getelementptr inbounds nuw i8, ptr %76, i64 56
  %139 = load ptr, ptr %138, align 8
  %140 = getelementptr inbounds nuw i8, ptr %137, i64 56
  %141 = load ptr, ptr %140, align 8
  %142 = icmp eq ptr %139, %141
  br i1 %142, label %143, label %168

143:                                              ; preds = %136
  %144 = getelementptr inbounds nuw i8, ptr %76, i64 24
  %145 = load i32, ptr %144, align 8
  %146 = getelementptr inbounds nuw i8, ptr %137, i64 24
  %147 = load i32, ptr %146, align 8
  %148 = icmp eq i32 %145, %147
  br i1 %148, label %149, label %168

149:                                              ; preds = %143
  %150 = icmp slt i32 %145, 1
  br i1 %150, label %167, label %151

151:                                              ; preds = %149
  %152 = getelementptr inbounds nuw i8, ptr %76, i64 32
  %153 = load ptr, ptr %152, align 8
  %154 = getelementptr inbounds nuw i8, ptr %137, i64 32
  %155 = load ptr, ptr %154, align 8
  %156 = zext nneg i32 %145 to i64
  br label %160

157:                                              ; preds = %160
  %158 = add nuw nsw i64 %161, 1
  %159 = icmp eq i64 %158, %156
  br i1 %159, label %167, label %160, !llvm.loop !19

160:                                              ; preds = %157, %151
  %161 = phi i64 [ 0, %151 ], [ %158, %157 ]
  %162 = getelementptr inbounds nuw i64, ptr %153, i64 %161
  %163 = load i64, ptr %162, align 8
  %164 = getelementptr inbounds nuw i64, ptr %155, i64 %161
  %165 = load i64, ptr %164, align 8
  %166 = icmp eq i64 %163, %165
  br i1 %166, label %157, label %168

167:                                              ; preds = %157, %149
  tail call void @Py_IncRef(ptr noundef %137) #8
  br label %202

168:                                              ; preds = %160, %143, %136
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  br label %569

169:                                              ; preds = %172
  %170 = add nuw nsw i64 %173, 1
  %171 = icmp eq i64 %170, %85
  br i1 %171, label %178, label %172, !llvm.loop !20

172:                                              ; preds = %169, %82
  %173 = phi i64 [ 0, %82 ], [ %170, %169 ]
  %174 = getelementptr inbounds nuw i64, ptr %84, i64 %173
  %175 = load i64, ptr %174, align 8
  %176 = icmp eq i64 %175, 1
  br i1 %176, label %169, label %177

177:                                              ; preds = %172
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  br label %569

178:                                              ; preds = %169, %78
  %179 = getelementptr inbounds nuw i8, ptr %76, i64 56
  %180 = load ptr, ptr %179, align 8
  %181 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 128), align 8
  %182 = icmp eq ptr %180, %181
  %183 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 136), align 8
  %184 = icmp eq ptr %180, %183
  %185 = select i1 %182, i1 true, i1 %184
  br i1 %185, label %187, label %186

186:                                              ; preds = %178
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  br label %569

187:                                              ; preds = %178
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #9
  store ptr %180, ptr %5, align 8
  %188 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %189 = sext i32 %80 to i64
  store i64 %189, ptr %188, align 8
  %190 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %191 = getelementptr inbounds nuw i8, ptr %76, i64 32
  %192 = load ptr, ptr %191, align 8
  store ptr %192, ptr %190, align 8
  %193 = getelementptr inbounds nuw i8, ptr %5, i64 24
  store i64 0, ptr %193, align 8
  %194 = call ptr @native_array(ptr noundef nonnull %5) #8
  %195 = icmp eq ptr %194, null
  br i1 %195, label %201, label %196

196:                                              ; preds = %187
  %197 = getelementptr inbounds nuw i8, ptr %194, i64 16
  %198 = load ptr, ptr %197, align 8
  br i1 %182, label %199, label %200

199:                                              ; preds = %196
  store float 1.000000e+00, ptr %198, align 4
  br label %201

200:                                              ; preds = %196
  store double 1.000000e+00, ptr %198, align 8
  br label %201

201:                                              ; preds = %200, %199, %187
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #9
  br label %202

202:                                              ; preds = %167, %201
  %203 = phi ptr [ %194, %201 ], [ %137, %167 ]
  %204 = icmp eq ptr %203, null
  %205 = icmp eq ptr %203, @_Py_NotImplementedStruct
  %206 = or i1 %204, %205
  br i1 %206, label %569, label %207

207:                                              ; preds = %202
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #9
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %6, i8 0, i64 40, i1 false)
  %208 = getelementptr inbounds nuw i8, ptr %6, i64 40
  %209 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %210 = load ptr, ptr %209, align 8
  store ptr %210, ptr %208, align 8
  %211 = load ptr, ptr %68, align 8
  %212 = getelementptr inbounds nuw i8, ptr %7, i64 64
  %213 = load ptr, ptr %212, align 8
  %214 = call fastcc zeroext i1 @add_to(ptr noundef %6, ptr noundef %211, ptr noundef %213, ptr noundef nonnull %203) #10
  %215 = getelementptr inbounds nuw i8, ptr %6, i64 32
  %216 = load i32, ptr %215, align 8
  %217 = icmp ne i32 %216, 0
  %218 = select i1 %214, i1 %217, i1 false
  br i1 %218, label %219, label %538

219:                                              ; preds = %207
  %220 = getelementptr inbounds nuw i8, ptr %6, i64 16
  br label %221

221:                                              ; preds = %219, %533
  %222 = phi i32 [ %216, %219 ], [ %534, %533 ]
  %223 = load ptr, ptr %220, align 8
  %224 = load i32, ptr %223, align 4
  %225 = add nsw i32 %222, -1
  store i32 %225, ptr %215, align 8
  %226 = sext i32 %225 to i64
  %227 = getelementptr inbounds i32, ptr %223, i64 %226
  %228 = load i32, ptr %227, align 4
  %229 = icmp sgt i32 %222, 2
  %230 = load ptr, ptr %6, align 8
  br i1 %229, label %231, label %275

231:                                              ; preds = %221
  %232 = sext i32 %228 to i64
  %233 = getelementptr inbounds %struct.item, ptr %230, i64 %232
  %234 = getelementptr inbounds nuw i8, ptr %233, i64 16
  br label %235

235:                                              ; preds = %269, %231
  %236 = phi i32 [ 1, %231 ], [ %272, %269 ]
  %237 = phi i32 [ 0, %231 ], [ %258, %269 ]
  %238 = add nsw i32 %236, 1
  %239 = icmp slt i32 %238, %225
  br i1 %239, label %240, label %257

240:                                              ; preds = %235
  %241 = sext i32 %238 to i64
  %242 = getelementptr inbounds i32, ptr %223, i64 %241
  %243 = load i32, ptr %242, align 4
  %244 = sext i32 %236 to i64
  %245 = getelementptr inbounds i32, ptr %223, i64 %244
  %246 = load i32, ptr %245, align 4
  %247 = sext i32 %243 to i64
  %248 = getelementptr inbounds %struct.item, ptr %230, i64 %247
  %249 = getelementptr inbounds nuw i8, ptr %248, i64 16
  %250 = load i64, ptr %249, align 8
  %251 = sext i32 %246 to i64
  %252 = getelementptr inbounds %struct.item, ptr %230, i64 %251
  %253 = getelementptr inbounds nuw i8, ptr %252, i64 16
  %254 = load i64, ptr %253, align 8
  %255 = icmp sgt i64 %250, %254
  %256 = select i1 %255, i32 %238, i32 %236
  br label %257

257:                                              ; preds = %240, %235
  %258 = phi i32 [ %236, %235 ], [ %256, %240 ]
  %259 = sext i32 %258 to i64
  %260 = getelementptr inbounds i32, ptr %223, i64 %259
  %261 = load i32, ptr %260, align 4
  %262 = sext i32 %261 to i64
  %263 = getelementptr inbounds %struct.item, ptr %230, i64 %262
  %264 = getelementptr inbounds nuw i8, ptr %263, i64 16
  %265 = load i64, ptr %264, align 8
  %266 = load i64, ptr %234, align 8
  %267 = icmp sgt i64 %265, %266
  %268 = sext i32 %237 to i64
  br i1 %267, label %269, label %275

269:                                              ; preds = %257
  %270 = getelementptr inbounds i32, ptr %223, i64 %268
  store i32 %261, ptr %270, align 4
  %271 = shl nsw i32 %258, 1
  %272 = or disjoint i32 %271, 1
  %273 = icmp slt i32 %272, %225
  br i1 %273, label %235, label %274, !llvm.loop !21

274:                                              ; preds = %269
  br label %275, !llvm.loop !21

275:                                              ; preds = %257, %274, %221
  %276 = phi i64 [ 0, %221 ], [ %259, %274 ], [ %268, %257 ]
  %277 = getelementptr inbounds i32, ptr %223, i64 %276
  store i32 %228, ptr %277, align 4
  %278 = sext i32 %224 to i64
  %279 = getelementptr inbounds %struct.item, ptr %230, i64 %278
  %280 = load ptr, ptr %279, align 8
  call void @Py_IncRef(ptr noundef %280) #8
  %281 = getelementptr inbounds nuw i8, ptr %279, i64 8
  %282 = load ptr, ptr %281, align 8
  store ptr null, ptr %281, align 8
  %283 = call i32 @PyErr_CheckSignals() #8
  %284 = icmp eq i32 %283, 0
  br i1 %284, label %285, label %533

285:                                              ; preds = %275
  %286 = getelementptr inbounds nuw i8, ptr %280, i64 8
  %287 = load ptr, ptr %286, align 8
  %288 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 16), align 8
  %289 = icmp eq ptr %287, %288
  br i1 %289, label %290, label %305

290:                                              ; preds = %285
  %291 = getelementptr inbounds nuw i8, ptr %280, i64 72
  %292 = load ptr, ptr %291, align 8
  %293 = icmp eq ptr %292, null
  br i1 %293, label %305, label %294

294:                                              ; preds = %290
  %295 = getelementptr inbounds nuw i8, ptr %292, i64 8
  %296 = load ptr, ptr %295, align 8
  %297 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 24), align 8
  %298 = icmp eq ptr %296, %297
  br i1 %298, label %299, label %305

299:                                              ; preds = %294
  %300 = getelementptr inbounds nuw i8, ptr %292, i64 16
  %301 = load ptr, ptr %300, align 8
  %302 = getelementptr inbounds nuw i8, ptr %301, i64 56
  %303 = load i64, ptr %302, align 8
  %304 = icmp sgt i64 %303, -1
  br i1 %304, label %306, label %305

305:                                              ; preds = %299, %294, %290, %285
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #9
  br label %425

306:                                              ; preds = %299
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #9
  %307 = getelementptr inbounds nuw i8, ptr %280, i64 32
  %308 = load ptr, ptr %307, align 8
  %309 = icmp eq ptr %308, @_Py_NoneStruct
  br i1 %309, label %310, label %425

310:                                              ; preds = %306
  %311 = getelementptr inbounds nuw i8, ptr %280, i64 40
  %312 = load ptr, ptr %311, align 8
  %313 = icmp eq ptr %312, @_Py_NoneStruct
  br i1 %313, label %314, label %425

314:                                              ; preds = %310
  %315 = getelementptr inbounds nuw i8, ptr %280, i64 64
  %316 = load ptr, ptr %315, align 8
  %317 = icmp eq ptr %316, null
  br i1 %317, label %425, label %318

318:                                              ; preds = %314
  %319 = getelementptr inbounds nuw i8, ptr %316, i64 8
  %320 = load ptr, ptr %319, align 8
  %321 = icmp eq ptr %320, @PyTuple_Type
  br i1 %321, label %322, label %425

322:                                              ; preds = %318
  %323 = call i64 @PyTuple_Size(ptr noundef nonnull %316) #8
  %324 = getelementptr inbounds nuw i8, ptr %301, i64 24
  %325 = load i64, ptr %324, align 8
  %326 = shl nsw i64 %325, 2
  %327 = icmp ne i64 %323, %326
  %328 = icmp sgt i64 %325, 7
  %329 = or i1 %328, %327
  br i1 %329, label %425, label %330

330:                                              ; preds = %322
  %331 = icmp sgt i64 %325, 0
  br i1 %331, label %332, label %427

332:                                              ; preds = %330, %420
  %333 = phi i64 [ %422, %420 ], [ 0, %330 ]
  %334 = shl nsw i64 %333, 2
  %335 = call ptr @PyTuple_GetItem(ptr noundef nonnull %316, i64 noundef %334) #8
  %336 = or disjoint i64 %334, 1
  %337 = call ptr @PyTuple_GetItem(ptr noundef nonnull %316, i64 noundef %336) #8
  %338 = or disjoint i64 %334, 2
  %339 = call ptr @PyTuple_GetItem(ptr noundef nonnull %316, i64 noundef %338) #8
  %340 = or disjoint i64 %334, 3
  %341 = call ptr @PyTuple_GetItem(ptr noundef nonnull %316, i64 noundef %340) #8
  %342 = icmp eq ptr %335, @_Py_NoneStruct
  br i1 %342, label %343, label %350

343:                                              ; preds = %332
  %344 = getelementptr inbounds nuw i8, ptr %339, i64 8
  %345 = load ptr, ptr %344, align 8
  %346 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 32), align 8
  %347 = icmp eq ptr %345, %346
  br i1 %347, label %348, label %425

348:                                              ; preds = %343
  %349 = getelementptr inbounds nuw i8, ptr %339, i64 16
  br label %416

350:                                              ; preds = %332
  %351 = load ptr, ptr @setup, align 8
  %352 = getelementptr inbounds nuw i8, ptr %335, i64 8
  %353 = load ptr, ptr %352, align 8
  %354 = icmp eq ptr %353, %351
  br i1 %354, label %358, label %355

355:                                              ; preds = %350
  %356 = call i32 @PyType_IsSubtype(ptr noundef %353, ptr noundef %351) #8
  %357 = icmp eq i32 %356, 0
  br i1 %357, label %425, label %358

358:                                              ; preds = %355, %350
  %359 = getelementptr inbounds nuw i8, ptr %335, i64 32
  %360 = load ptr, ptr %359, align 8
  %361 = call zeroext i1 @native_is_array(ptr noundef %360) #8
  br i1 %361, label %362, label %425

362:                                              ; preds = %358
  %363 = getelementptr inbounds nuw i8, ptr %335, i64 24
  %364 = load ptr, ptr %363, align 8
  %365 = icmp eq ptr %364, null
  br i1 %365, label %425, label %366

366:                                              ; preds = %362
  %367 = getelementptr inbounds nuw i8, ptr %335, i64 72
  %368 = load ptr, ptr %367, align 8
  %369 = icmp eq ptr %368, null
  br i1 %369, label %425, label %370

370:                                              ; preds = %366
  %371 = getelementptr inbounds nuw i8, ptr %335, i64 64
  %372 = load ptr, ptr %371, align 8
  %373 = icmp eq ptr %372, null
  br i1 %373, label %425, label %374

374:                                              ; preds = %370
  %375 = getelementptr inbounds nuw i8, ptr %335, i64 40
  %376 = load ptr, ptr %375, align 8
  %377 = icmp eq ptr %376, null
  br i1 %377, label %425, label %378

378:                                              ; preds = %374
  %379 = icmp eq ptr %376, @_Py_NoneStruct
  br i1 %379, label %388, label %380

380:                                              ; preds = %378
  %381 = load ptr, ptr @setup, align 8
  %382 = getelementptr inbounds nuw i8, ptr %376, i64 8
  %383 = load ptr, ptr %382, align 8
  %384 = icmp eq ptr %383, %381
  br i1 %384, label %388, label %385

385:                                              ; preds = %380
  %386 = call i32 @PyType_IsSubtype(ptr noundef %383, ptr noundef %381) #8
  %387 = icmp eq i32 %386, 0
  br i1 %387, label %425, label %388

388:                                              ; preds = %385, %380, %378
  %389 = getelementptr inbounds nuw i8, ptr %335, i64 48
  %390 = load ptr, ptr %389, align 8
  %391 = icmp eq ptr %390, null
  br i1 %391, label %425, label %392

392:                                              ; preds = %388
  %393 = icmp eq ptr %390, @_Py_NoneStruct
  br i1 %393, label %399, label %394

394:                                              ; preds = %392
  %395 = getelementptr inbounds nuw i8, ptr %390, i64 8
  %396 = load ptr, ptr %395, align 8
  %397 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 32), align 8
  %398 = icmp eq ptr %396, %397
  br i1 %398, label %399, label %425

399:                                              ; preds = %394, %392
  %400 = load ptr, ptr %359, align 8
  %401 = icmp eq ptr %400, %337
  br i1 %401, label %402, label %425

402:                                              ; preds = %399
  %403 = load ptr, ptr %375, align 8
  %404 = icmp eq ptr %403, @_Py_NoneStruct
  %405 = select i1 %404, ptr %335, ptr %403
  %406 = getelementptr inbounds nuw i8, ptr %405, i64 48
  %407 = load ptr, ptr %406, align 8
  %408 = icmp eq ptr %407, null
  br i1 %408, label %416, label %409

409:                                              ; preds = %402
  %410 = getelementptr inbounds nuw i8, ptr %407, i64 8
  %411 = load ptr, ptr %410, align 8
  %412 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 32), align 8
  %413 = icmp eq ptr %411, %412
  br i1 %413, label %414, label %416

414:                                              ; preds = %409
  %415 = getelementptr inbounds nuw i8, ptr %407, i64 16
  br label %416

416:                                              ; preds = %414, %409, %402, %348
  %417 = phi ptr [ %349, %348 ], [ %415, %414 ], [ getelementptr inbounds nuw (i8, ptr @setup, i64 48), %409 ], [ getelementptr inbounds nuw (i8, ptr @setup, i64 48), %402 ]
  %418 = load ptr, ptr %417, align 8
  %419 = icmp eq ptr %418, %341
  br i1 %419, label %420, label %425

420:                                              ; preds = %416
  %421 = getelementptr inbounds nuw ptr, ptr %4, i64 %333
  store ptr %337, ptr %421, align 8
  %422 = add nuw nsw i64 %333, 1
  %423 = load i64, ptr %324, align 8
  %424 = icmp slt i64 %422, %423
  br i1 %424, label %332, label %427, !llvm.loop !22

425:                                              ; preds = %416, %399, %394, %388, %385, %374, %370, %366, %362, %358, %355, %343, %322, %318, %314, %310, %306, %305
  %426 = call fastcc zeroext i1 @step_in_python(ptr noundef nonnull %6, ptr noundef %280, ptr noundef %282) #10
  br label %530

427:                                              ; preds = %420, %330
  %428 = phi i64 [ %325, %330 ], [ %423, %420 ]
  %429 = getelementptr inbounds ptr, ptr %4, i64 %428
  store ptr %282, ptr %429, align 8
  %430 = load ptr, ptr %315, align 8
  call void @Py_IncRef(ptr noundef %430) #8
  %431 = load ptr, ptr %291, align 8
  call void @Py_IncRef(ptr noundef %431) #8
  %432 = getelementptr inbounds nuw i8, ptr %280, i64 48
  %433 = load ptr, ptr %432, align 8
  call void @Py_IncRef(ptr noundef %433) #8
  %434 = load i64, ptr %302, align 8
  %435 = icmp eq i64 %434, 0
  br i1 %435, label %455, label %436

436:                                              ; preds = %427
  %437 = getelementptr inbounds nuw i8, ptr %301, i64 40
  %438 = load ptr, ptr %437, align 8
  %439 = icmp eq ptr %438, null
  br i1 %439, label %440, label %441

440:                                              ; preds = %436
  call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  br label %448

441:                                              ; preds = %436
  %442 = load i64, ptr %324, align 8
  %443 = getelementptr inbounds nuw i8, ptr %301, i64 48
  %444 = load i64, ptr %443, align 8
  %445 = add nsw i64 %444, %442
  %446 = call ptr @native_call(ptr noundef nonnull %438, ptr noundef nonnull %4, i64 noundef %445) #8
  %447 = icmp eq ptr %446, @_Py_NotImplementedStruct
  br i1 %447, label %448, label %450

448:                                              ; preds = %441, %440
  %449 = call fastcc zeroext i1 @step_in_python(ptr noundef nonnull %6, ptr noundef nonnull %280, ptr noundef %282) #10
  br label %525

450:                                              ; preds = %441
  %451 = load i64, ptr %302, align 8
  %452 = icmp eq i64 %451, 0
  %453 = icmp ne ptr %446, null
  %454 = or i1 %453, %452
  br i1 %454, label %455, label %528

455:                                              ; preds = %450, %427
  %456 = phi ptr [ %446, %450 ], [ null, %427 ]
  %457 = load ptr, ptr %208, align 8
  %458 = icmp eq ptr %457, @_Py_FalseStruct
  br i1 %458, label %459, label %466

459:                                              ; preds = %455
  %460 = load i64, ptr %324, align 8
  %461 = icmp eq i64 %460, 0
  br i1 %461, label %466, label %462

462:                                              ; preds = %459
  call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #8
  %463 = load ptr, ptr %315, align 8
  store ptr @_Py_NoneStruct, ptr %315, align 8
  %464 = icmp eq ptr %463, null
  br i1 %464, label %466, label %465

465:                                              ; preds = %462
  call void @Py_DecRef(ptr noundef nonnull %463) #8
  br label %466

466:                                              ; preds = %465, %462, %459, %455
  %467 = getelementptr inbounds nuw i8, ptr %301, i64 64
  %468 = getelementptr inbounds nuw i8, ptr %301, i64 72
  %469 = load i64, ptr %467, align 8
  %470 = icmp slt i64 %469, 1
  br i1 %470, label %522, label %471

471:                                              ; preds = %466, %518
  %472 = phi i64 [ %491, %518 ], [ 0, %466 ]
  %473 = phi i64 [ %519, %518 ], [ 0, %466 ]
  %474 = load ptr, ptr %468, align 8
  %475 = shl nuw nsw i64 %473, 1
  %476 = getelementptr inbounds nuw i64, ptr %474, i64 %475
  %477 = load i64, ptr %476, align 8
  %478 = call ptr @PySequence_GetItem(ptr noundef %433, i64 noundef %477) #8
  %479 = load ptr, ptr %468, align 8
  %480 = getelementptr inbounds nuw i64, ptr %479, i64 %475
  %481 = getelementptr inbounds nuw i8, ptr %480, i64 8
  %482 = load i64, ptr %481, align 8
  %483 = icmp eq i64 %482, 0
  br i1 %483, label %490, label %484

484:                                              ; preds = %471
  %485 = load i64, ptr %302, align 8
  %486 = icmp eq i64 %485, 1
  br i1 %486, label %490, label %487

487:                                              ; preds = %484
  %488 = add nsw i64 %472, 1
  %489 = call ptr @PyTuple_GetItem(ptr noundef %456, i64 noundef %472) #8
  br label %490

490:                                              ; preds = %487, %484, %471
  %491 = phi i64 [ %488, %487 ], [ %472, %471 ], [ %472, %484 ]
  %492 = phi ptr [ %489, %487 ], [ %282, %471 ], [ %456, %484 ]
  %493 = icmp ne ptr %478, null
  %494 = icmp ne ptr %492, null
  %495 = select i1 %493, i1 %494, i1 false
  br i1 %495, label %496, label %514

496:                                              ; preds = %490
  %497 = icmp eq ptr %478, @_Py_NoneStruct
  br i1 %497, label %498, label %499

498:                                              ; preds = %496
  call void @Py_DecRef(ptr noundef nonnull @_Py_NoneStruct) #8
  br label %518

499:                                              ; preds = %496
  call void @Py_IncRef(ptr noundef nonnull %492) #8
  %500 = getelementptr inbounds nuw i8, ptr %478, i64 8
  %501 = load ptr, ptr %500, align 8
  %502 = icmp eq ptr %501, @PyTuple_Type
  br i1 %502, label %505, label %503

503:                                              ; preds = %499
  %504 = call fastcc zeroext i1 @add_to(ptr noundef nonnull %6, ptr noundef nonnull %478, ptr noundef null, ptr noundef nonnull %492) #10
  br label %514

505:                                              ; preds = %499
  %506 = call ptr @PyTuple_GetItem(ptr noundef nonnull %478, i64 noundef 0) #8
  %507 = call ptr @PyTuple_GetItem(ptr noundef nonnull %478, i64 noundef 1) #8
  %508 = icmp ne ptr %506, null
  %509 = icmp ne ptr %507, null
  %510 = select i1 %508, i1 %509, i1 false
  br i1 %510, label %511, label %513

511:                                              ; preds = %505
  %512 = call fastcc zeroext i1 @add_to(ptr noundef nonnull %6, ptr noundef nonnull %506, ptr noundef nonnull %507, ptr noundef nonnull %492) #10
  br label %514

513:                                              ; preds = %505
  call void @Py_DecRef(ptr noundef nonnull %492) #8
  br label %514

514:                                              ; preds = %513, %511, %503, %490
  %515 = phi i1 [ false, %490 ], [ %504, %503 ], [ %512, %511 ], [ false, %513 ]
  br i1 %493, label %516, label %517

516:                                              ; preds = %514
  call void @Py_DecRef(ptr noundef nonnull %478) #8
  br i1 %515, label %518, label %522

517:                                              ; preds = %514
  br i1 %515, label %518, label %522

518:                                              ; preds = %498, %517, %516
  %519 = add nuw nsw i64 %473, 1
  %520 = load i64, ptr %467, align 8
  %521 = icmp slt i64 %519, %520
  br i1 %521, label %471, label %522, !llvm.loop !23

522:                                              ; preds = %518, %516, %517, %466
  %523 = phi i1 [ true, %466 ], [ false, %517 ], [ false, %516 ], [ true, %518 ]
  %524 = icmp eq ptr %456, null
  br i1 %524, label %528, label %525

525:                                              ; preds = %522, %448
  %526 = phi i1 [ %449, %448 ], [ %523, %522 ]
  %527 = phi ptr [ @_Py_NotImplementedStruct, %448 ], [ %456, %522 ]
  call void @Py_DecRef(ptr noundef nonnull %527) #8
  br label %528

528:                                              ; preds = %525, %522, %450
  %529 = phi i1 [ %523, %522 ], [ %526, %525 ], [ false, %450 ]
  call void @Py_DecRef(ptr noundef %433) #8
  call void @Py_DecRef(ptr noundef %431) #8
  call void @Py_DecRef(ptr noundef %430) #8
  br label %530

530:                                              ; preds = %425, %528
  %531 = phi i1 [ %529, %528 ], [ %426, %425 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #9
  %532 = load i32, ptr %215, align 8
  br label %533

533:                                              ; preds = %530, %275
  %534 = phi i32 [ %225, %275 ], [ %532, %530 ]
  %535 = phi i1 [ false, %275 ], [ %531, %530 ]
  call void @Py_DecRef(ptr noundef %282) #8
  call void @Py_DecRef(ptr noundef %280) #8
  %536 = icmp ne i32 %534, 0
  %537 = select i1 %535, i1 %536, i1 false
  br i1 %537, label %221, label %538, !llvm.loop !24

538:                                              ; preds = %533, %207
  %539 = phi i1 [ %214, %207 ], [ %535, %533 ]
  br i1 %539, label %540, label %542

540:                                              ; preds = %538
  %541 = call fastcc zeroext i1 @finish(ptr noundef %6) #10
  br label %542

542:                                              ; preds = %540, %538
  %543 = phi i1 [ false, %538 ], [ %541, %540 ]
  %544 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %545 = load i32, ptr %544, align 8
  %546 = icmp sgt i32 %545, 0
  %547 = load ptr, ptr %6, align 8
  br i1 %546, label %548, label %550

548:                                              ; preds = %542
  %549 = zext nneg i32 %545 to i64
  br label %555

550:                                              ; preds = %563, %542
  call void @free(ptr noundef %547) #8
  %551 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %552 = load ptr, ptr %551, align 8
  call void @free(ptr noundef %552) #8
  %553 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %554 = load ptr, ptr %553, align 8
  call void @free(ptr noundef %554) #8
  br i1 %543, label %566, label %567

555:                                              ; preds = %548, %563
  %556 = phi i64 [ 0, %548 ], [ %564, %563 ]
  %557 = getelementptr inbounds nuw %struct.item, ptr %547, i64 %556
  %558 = load ptr, ptr %557, align 8
  call void @Py_DecRef(ptr noundef %558) #8
  %559 = getelementptr inbounds nuw i8, ptr %557, i64 8
  %560 = load ptr, ptr %559, align 8
  %561 = icmp eq ptr %560, null
  br i1 %561, label %563, label %562

562:                                              ; preds = %555
  call void @Py_DecRef(ptr noundef nonnull %560) #8
  br label %563

563:                                              ; preds = %555, %562
  %564 = add nuw nsw i64 %556, 1
  %565 = icmp eq i64 %564, %549
  br i1 %565, label %550, label %555, !llvm.loop !25

566:                                              ; preds = %550
  call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #8
  br label %567

567:                                              ; preds = %550, %566
  %568 = phi ptr [ @_Py_NoneStruct, %566 ], [ null, %550 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #9
  br label %569

569:                                              ; preds = %186, %135, %177, %168, %567, %202, %71
  %570 = phi ptr [ @_Py_NotImplementedStruct, %71 ], [ %568, %567 ], [ %203, %202 ], [ @_Py_NotImplementedStruct, %168 ], [ @_Py_NotImplementedStruct, %177 ], [ @_Py_NotImplementedStruct, %135 ], [ @_Py_NotImplementedStruct, %186 ]
  ret ptr %570
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #5

; Function Attrs: nounwind
define internal fastcc zeroext i1 @add_to(ptr noundef nonnull captures(none) %0, ptr noundef %1, ptr noundef %2, ptr noundef %3) unnamed_addr #0 {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %6 = load i32, ptr %5, align 4
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %44, label %8

8:                                                ; preds = %4
  %9 = sext i32 %6 to i64
  %10 = shl nsw i64 %9, 1
  %11 = add nsw i64 %10, -1
  %12 = ptrtoint ptr %1 to i64
  %13 = mul i64 %12, -7046029254386353131
  %14 = lshr i64 %13, 32
  %15 = xor i64 %14, %13
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %17 = load ptr, ptr %16, align 8
  %18 = and i64 %11, %15
  %19 = getelementptr inbounds nuw i32, ptr %17, i64 %18
  %20 = load i32, ptr %19, align 4
  %21 = icmp eq i32 %20, -1
  br i1 %21, label %39, label %22

22:                                               ; preds = %8
  %23 = load ptr, ptr %0, align 8
  br label %24

24:                                               ; preds = %31, %22
  %25 = phi i32 [ %20, %22 ], [ %35, %31 ]
  %26 = phi i64 [ %18, %22 ], [ %33, %31 ]
  %27 = sext i32 %25 to i64
  %28 = getelementptr inbounds %struct.item, ptr %23, i64 %27
  %29 = load ptr, ptr %28, align 8
  %30 = icmp eq ptr %29, %1
  br i1 %30, label %37, label %31

31:                                               ; preds = %24
  %32 = add i64 %26, 1
  %33 = and i64 %32, %11
  %34 = getelementptr inbounds nuw i32, ptr %17, i64 %33
  %35 = load i32, ptr %34, align 4
  %36 = icmp eq i32 %35, -1
  br i1 %36, label %39, label %24, !llvm.loop !26

37:                                               ; preds = %24
  %38 = icmp eq ptr %17, null
  br i1 %38, label %44, label %39

39:                                               ; preds = %31, %8, %37
  %40 = phi i64 [ %26, %37 ], [ %18, %8 ], [ %33, %31 ]
  %41 = getelementptr inbounds nuw i32, ptr %17, i64 %40
  %42 = load i32, ptr %41, align 4
  %43 = icmp eq i32 %42, -1
  br i1 %43, label %44, label %216

44:                                               ; preds = %4, %39, %37
  %45 = load ptr, ptr @setup, align 8
  %46 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %47 = load ptr, ptr %46, align 8
  %48 = icmp eq ptr %47, %45
  br i1 %48, label %71, label %49

49:                                               ; preds = %44
  %50 = tail call i32 @PyType_IsSubtype(ptr noundef %47, ptr noundef %45) #8
  %51 = icmp eq i32 %50, 0
  br i1 %51, label %52, label %71

52:                                               ; preds = %49
  %53 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 8), align 8
  %54 = load ptr, ptr %46, align 8
  %55 = icmp eq ptr %54, %53
  br i1 %55, label %59, label %56

56:                                               ; preds = %52
  %57 = tail call i32 @PyType_IsSubtype(ptr noundef %54, ptr noundef %53) #8
  %58 = icmp eq i32 %57, 0
  br i1 %58, label %66, label %59

59:                                               ; preds = %52, %56
  %60 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %61 = load ptr, ptr %60, align 8
  %62 = icmp eq ptr %61, null
  br i1 %62, label %66, label %63

63:                                               ; preds = %59
  %64 = tail call i64 @PyLong_AsLongLong(ptr noundef nonnull %61) #8
  %65 = icmp slt i64 %64, 0
  br i1 %65, label %66, label %71

66:                                               ; preds = %56, %59, %63
  %67 = phi i64 [ %64, %63 ], [ -1, %59 ], [ -1, %56 ]
  %68 = tail call ptr @PyErr_Occurred() #8
  %69 = icmp eq ptr %68, null
  br i1 %69, label %70, label %71

70:                                               ; preds = %66
  tail call void @PyErr_BadInternalCall() #8
  br label %71

71:                                               ; preds = %44, %63, %66, %70, %49
  %72 = phi i64 [ -1, %49 ], [ %67, %66 ], [ %67, %70 ], [ %64, %63 ], [ -1, %44 ]
  %73 = tail call ptr @PyErr_Occurred() #8
  %74 = icmp eq ptr %73, null
  br i1 %74, label %75, label %174

75:                                               ; preds = %71
  %76 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %77 = load i32, ptr %76, align 8
  %78 = load i32, ptr %5, align 4
  %79 = icmp eq i32 %77, %78
  br i1 %79, label %80, label %175

80:                                               ; preds = %75
  %81 = icmp eq i32 %77, 0
  %82 = shl nsw i32 %77, 1
  %83 = select i1 %81, i32 32, i32 %82
  %84 = sext i32 %83 to i64
  %85 = load ptr, ptr %0, align 8
  %86 = mul nsw i64 %84, 24
  %87 = tail call ptr @realloc(ptr noundef %85, i64 noundef %86) #8
  %88 = icmp ne ptr %87, null
  br i1 %88, label %89, label %90

89:                                               ; preds = %80
  store ptr %87, ptr %0, align 8
  br label %90

90:                                               ; preds = %89, %80
  %91 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %92 = load ptr, ptr %91, align 8
  %93 = shl nsw i64 %84, 2
  %94 = tail call ptr @realloc(ptr noundef %92, i64 noundef %93) #8
  %95 = icmp ne ptr %94, null
  br i1 %95, label %96, label %97

96:                                               ; preds = %90
  store ptr %94, ptr %91, align 8
  br label %97

97:                                               ; preds = %96, %90
  %98 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %99 = load ptr, ptr %98, align 8
  %100 = shl nsw i64 %84, 1
  %101 = shl nsw i64 %84, 3
  %102 = tail call ptr @realloc(ptr noundef %99, i64 noundef %101) #8
  %103 = icmp eq ptr %102, null
  br i1 %103, label %172, label %104

104:                                              ; preds = %97
  store ptr %102, ptr %98, align 8
  %105 = icmp sgt i32 %83, -1
  %106 = and i1 %105, %95
  %107 = and i1 %88, %106
  br i1 %107, label %108, label %172

108:                                              ; preds = %104
  store i32 %83, ptr %5, align 4
  %109 = icmp eq i32 %83, 0
  br i1 %109, label %124, label %110

110:                                              ; preds = %108
  %111 = icmp ult i64 %100, 8
  br i1 %111, label %122, label %112

112:                                              ; preds = %110
  %113 = and i64 %100, 4294967288
  br label %114

114:                                              ; preds = %114, %112
  %115 = phi i64 [ 0, %112 ], [ %118, %114 ]
  %116 = getelementptr inbounds nuw i32, ptr %102, i64 %115
  %117 = getelementptr inbounds nuw i8, ptr %116, i64 16
  store <4 x i32> splat (i32 -1), ptr %116, align 4
  store <4 x i32> splat (i32 -1), ptr %117, align 4
  %118 = add nuw i64 %115, 8
  %119 = icmp eq i64 %118, %113
  br i1 %119, label %120, label %114, !llvm.loop !27

120:                                              ; preds = %114
  %121 = icmp eq i64 %100, %113
  br i1 %121, label %124, label %122

122:                                              ; preds = %110, %120
  %123 = phi i64 [ 0, %110 ], [ %113, %120 ]
  br label %127

124:                                              ; preds = %127, %120, %108
  %125 = load i32, ptr %76, align 8
  %126 = icmp sgt i32 %125, 0
  br i1 %126, label %132, label %175

127:                                              ; preds = %122, %127
  %128 = phi i64 [ %130, %127 ], [ %123, %122 ]
  %129 = getelementptr inbounds nuw i32, ptr %102, i64 %128
  store i32 -1, ptr %129, align 4
  %130 = add nuw nsw i64 %128, 1
  %131 = icmp eq i64 %130, %100
  br i1 %131, label %124, label %127, !llvm.loop !30

132:                                              ; preds = %124, %164
  %133 = phi i64 [ %168, %164 ], [ 0, %124 ]
  %134 = getelementptr inbounds nuw %struct.item, ptr %87, i64 %133
  %135 = load ptr, ptr %134, align 8
  %136 = load i32, ptr %5, align 4
  %137 = sext i32 %136 to i64
  %138 = shl nsw i64 %137, 1
  %139 = add nsw i64 %138, -1
  %140 = ptrtoint ptr %135 to i64
  %141 = mul i64 %140, -7046029254386353131
  %142 = lshr i64 %141, 32
  %143 = xor i64 %142, %141
  %144 = load ptr, ptr %98, align 8
  %145 = and i64 %143, %139
  %146 = getelementptr inbounds nuw i32, ptr %144, i64 %145
  %147 = load i32, ptr %146, align 4
  %148 = icmp eq i32 %147, -1
  br i1 %148, label %164, label %149

149:                                              ; preds = %132
  %150 = load ptr, ptr %0, align 8
  br label %151

151:                                              ; preds = %158, %149
  %152 = phi i32 [ %147, %149 ], [ %162, %158 ]
  %153 = phi i64 [ %145, %149 ], [ %160, %158 ]
  %154 = sext i32 %152 to i64
  %155 = getelementptr inbounds %struct.item, ptr %150, i64 %154
  %156 = load ptr, ptr %155, align 8
  %157 = icmp eq ptr %156, %135
  br i1 %157, label %164, label %158

158:                                              ; preds = %151
  %159 = add i64 %153, 1
  %160 = and i64 %159, %139
  %161 = getelementptr inbounds nuw i32, ptr %144, i64 %160
  %162 = load i32, ptr %161, align 4
  %163 = icmp eq i32 %162, -1
  br i1 %163, label %164, label %151, !llvm.loop !26

164:                                              ; preds = %158, %151, %132
  %165 = phi i64 [ %145, %132 ], [ %160, %158 ], [ %153, %151 ]
  %166 = getelementptr inbounds nuw i32, ptr %144, i64 %165
  %167 = trunc nuw nsw i64 %133 to i32
  store i32 %167, ptr %166, align 4
  %168 = add nuw nsw i64 %133, 1
  %169 = load i32, ptr %76, align 8
  %170 = sext i32 %169 to i64
  %171 = icmp slt i64 %168, %170
  br i1 %171, label %132, label %175, !llvm.loop !31

172:                                              ; preds = %97, %104
  %173 = tail call ptr @PyErr_NoMemory() #8
  br label %174

174:                                              ; preds = %172, %71
  tail call void @Py_DecRef(ptr noundef %3) #8
  br label %323

175:                                              ; preds = %164, %124, %75
  %176 = phi i32 [ %77, %75 ], [ %125, %124 ], [ %169, %164 ]
  %177 = load i32, ptr %5, align 4
  %178 = sext i32 %177 to i64
  %179 = shl nsw i64 %178, 1
  %180 = add nsw i64 %179, -1
  %181 = ptrtoint ptr %1 to i64
  %182 = mul i64 %181, -7046029254386353131
  %183 = lshr i64 %182, 32
  %184 = xor i64 %183, %182
  %185 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %186 = load ptr, ptr %185, align 8
  %187 = and i64 %180, %184
  %188 = getelementptr inbounds nuw i32, ptr %186, i64 %187
  %189 = load i32, ptr %188, align 4
  %190 = icmp eq i32 %189, -1
  br i1 %190, label %206, label %191

191:                                              ; preds = %175
  %192 = load ptr, ptr %0, align 8
  br label %193

193:                                              ; preds = %200, %191
  %194 = phi i32 [ %189, %191 ], [ %204, %200 ]
  %195 = phi i64 [ %187, %191 ], [ %202, %200 ]
  %196 = sext i32 %194 to i64
  %197 = getelementptr inbounds %struct.item, ptr %192, i64 %196
  %198 = load ptr, ptr %197, align 8
  %199 = icmp eq ptr %198, %1
  br i1 %199, label %206, label %200

200:                                              ; preds = %193
  %201 = add i64 %195, 1
  %202 = and i64 %201, %180
  %203 = getelementptr inbounds nuw i32, ptr %186, i64 %202
  %204 = load i32, ptr %203, align 4
  %205 = icmp eq i32 %204, -1
  br i1 %205, label %206, label %193, !llvm.loop !26

206:                                              ; preds = %193, %200, %175
  %207 = phi i64 [ %187, %175 ], [ %195, %193 ], [ %202, %200 ]
  %208 = getelementptr inbounds nuw i32, ptr %186, i64 %207
  %209 = add nsw i32 %176, 1
  store i32 %209, ptr %76, align 8
  store i32 %176, ptr %208, align 4
  %210 = load ptr, ptr %0, align 8
  %211 = sext i32 %176 to i64
  %212 = getelementptr inbounds %struct.item, ptr %210, i64 %211
  tail call void @Py_IncRef(ptr noundef %1) #8
  store ptr %1, ptr %212, align 8
  %213 = getelementptr inbounds nuw i8, ptr %212, i64 8
  store ptr null, ptr %213, align 8
  %214 = getelementptr inbounds nuw i8, ptr %212, i64 16
  store i64 %72, ptr %214, align 8
  %215 = load i32, ptr %208, align 4
  br label %216

216:                                              ; preds = %206, %39
  %217 = phi i32 [ %215, %206 ], [ %42, %39 ]
  %218 = load ptr, ptr %0, align 8
  %219 = sext i32 %217 to i64
  %220 = getelementptr inbounds %struct.item, ptr %218, i64 %219
  %221 = getelementptr inbounds nuw i8, ptr %220, i64 16
  %222 = load i64, ptr %221, align 8
  %223 = icmp sgt i64 %222, -1
  br i1 %223, label %224, label %310

224:                                              ; preds = %216
  %225 = getelementptr inbounds nuw i8, ptr %220, i64 8
  %226 = load ptr, ptr %225, align 8
  %227 = icmp eq ptr %226, null
  br i1 %227, label %228, label %262

228:                                              ; preds = %224
  %229 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %230 = load i32, ptr %229, align 8
  %231 = add nsw i32 %230, 1
  store i32 %231, ptr %229, align 8
  %232 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %233 = icmp sgt i32 %230, 0
  br i1 %233, label %234, label %255

234:                                              ; preds = %228, %251
  %235 = phi i32 [ %238, %251 ], [ %230, %228 ]
  %236 = load ptr, ptr %232, align 8
  %237 = add nsw i32 %235, -1
  %238 = lshr i32 %237, 1
  %239 = zext nneg i32 %238 to i64
  %240 = getelementptr inbounds nuw i32, ptr %236, i64 %239
  %241 = load i32, ptr %240, align 4
  %242 = load ptr, ptr %0, align 8
  %243 = getelementptr inbounds %struct.item, ptr %242, i64 %219
  %244 = getelementptr inbounds nuw i8, ptr %243, i64 16
  %245 = load i64, ptr %244, align 8
  %246 = sext i32 %241 to i64
  %247 = getelementptr inbounds %struct.item, ptr %242, i64 %246
  %248 = getelementptr inbounds nuw i8, ptr %247, i64 16
  %249 = load i64, ptr %248, align 8
  %250 = icmp sgt i64 %245, %249
  br i1 %250, label %251, label %255

251:                                              ; preds = %234
  %252 = zext nneg i32 %235 to i64
  %253 = getelementptr inbounds nuw i32, ptr %236, i64 %252
  store i32 %241, ptr %253, align 4
  %254 = icmp eq i32 %238, 0
  br i1 %254, label %255, label %234, !llvm.loop !32

255:                                              ; preds = %251, %234, %228
  %256 = phi i32 [ %230, %228 ], [ %235, %234 ], [ 0, %251 ]
  %257 = load ptr, ptr %232, align 8
  %258 = sext i32 %256 to i64
  %259 = getelementptr inbounds i32, ptr %257, i64 %258
  store i32 %217, ptr %259, align 4
  %260 = load i64, ptr %221, align 8
  %261 = icmp sgt i64 %260, -1
  br i1 %261, label %262, label %310

262:                                              ; preds = %224, %255
  %263 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %264 = load ptr, ptr %263, align 8
  %265 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 16), align 8
  %266 = icmp eq ptr %264, %265
  br i1 %266, label %267, label %282

267:                                              ; preds = %262
  %268 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %269 = load ptr, ptr %268, align 8
  %270 = icmp eq ptr %269, null
  br i1 %270, label %282, label %271

271:                                              ; preds = %267
  %272 = getelementptr inbounds nuw i8, ptr %269, i64 8
  %273 = load ptr, ptr %272, align 8
  %274 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 24), align 8
  %275 = icmp eq ptr %273, %274
  br i1 %275, label %276, label %282

276:                                              ; preds = %271
  %277 = getelementptr inbounds nuw i8, ptr %269, i64 16
  %278 = load ptr, ptr %277, align 8
  %279 = getelementptr inbounds nuw i8, ptr %278, i64 56
  %280 = load i64, ptr %279, align 8
  %281 = icmp sgt i64 %280, -1
  br i1 %281, label %310, label %282

282:                                              ; preds = %262, %276, %271, %267
  %283 = load ptr, ptr %225, align 8
  %284 = icmp eq ptr %283, null
  br i1 %284, label %285, label %288

285:                                              ; preds = %282
  %286 = tail call ptr @PyDict_New() #8
  store ptr %286, ptr %225, align 8
  %287 = icmp eq ptr %286, null
  br i1 %287, label %294, label %288

288:                                              ; preds = %282, %285
  %289 = phi ptr [ %286, %285 ], [ %283, %282 ]
  %290 = tail call ptr @PyDict_GetItem(ptr noundef nonnull %289, ptr noundef %2) #8
  %291 = icmp eq ptr %290, null
  br i1 %291, label %294, label %292

292:                                              ; preds = %288
  tail call void @Py_IncRef(ptr noundef nonnull %290) #8
  %293 = tail call fastcc ptr @sum(ptr noundef nonnull %290, ptr noundef %3) #10
  br label %294

294:                                              ; preds = %285, %292, %288
  %295 = phi ptr [ %293, %292 ], [ %3, %288 ], [ %3, %285 ]
  %296 = load ptr, ptr %225, align 8
  %297 = icmp ne ptr %296, null
  %298 = icmp ne ptr %295, null
  %299 = select i1 %297, i1 %298, i1 false
  br i1 %299, label %300, label %307

300:                                              ; preds = %294
  %301 = load ptr, ptr %0, align 8
  %302 = getelementptr inbounds %struct.item, ptr %301, i64 %219
  %303 = getelementptr inbounds nuw i8, ptr %302, i64 8
  %304 = load ptr, ptr %303, align 8
  %305 = tail call i32 @PyDict_SetItem(ptr noundef %304, ptr noundef %2, ptr noundef nonnull %295) #8
  %306 = icmp eq i32 %305, 0
  br label %308

307:                                              ; preds = %294
  br i1 %298, label %308, label %323

308:                                              ; preds = %300, %307
  %309 = phi i1 [ %306, %300 ], [ false, %307 ]
  tail call void @Py_DecRef(ptr noundef nonnull %295) #8
  br label %323

310:                                              ; preds = %216, %276, %255
  %311 = getelementptr inbounds nuw i8, ptr %220, i64 8
  %312 = load ptr, ptr %311, align 8
  %313 = icmp eq ptr %312, null
  br i1 %313, label %317, label %314

314:                                              ; preds = %310
  store ptr null, ptr %311, align 8
  %315 = tail call fastcc ptr @sum(ptr noundef nonnull %312, ptr noundef %3) #10
  %316 = load ptr, ptr %0, align 8
  br label %317

317:                                              ; preds = %314, %310
  %318 = phi ptr [ %316, %314 ], [ %218, %310 ]
  %319 = phi ptr [ %315, %314 ], [ %3, %310 ]
  %320 = getelementptr inbounds %struct.item, ptr %318, i64 %219
  %321 = getelementptr inbounds nuw i8, ptr %320, i64 8
  store ptr %319, ptr %321, align 8
  %322 = icmp ne ptr %319, null
  br label %323

323:                                              ; preds = %317, %308, %307, %174
  %324 = phi i1 [ false, %174 ], [ %322, %317 ], [ %309, %308 ], [ false, %307 ]
  ret i1 %324
}

declare i32 @PyErr_CheckSignals() local_unnamed_addr #1

; Function Attrs: nounwind
define internal fastcc zeroext i1 @finish(ptr noundef nonnull readonly captures(none) %0) unnamed_addr #0 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %3 = load i32, ptr %2, align 8
  %4 = icmp sgt i32 %3, 0
  br i1 %4, label %8, label %5

5:                                                ; preds = %81, %1
  %6 = load i32, ptr %2, align 8
  %7 = icmp sgt i32 %6, 0
  br i1 %7, label %86, label %213

8:                                                ; preds = %1, %81
  %9 = phi i64 [ %82, %81 ], [ 0, %1 ]
  %10 = load ptr, ptr %0, align 8
  %11 = getelementptr inbounds nuw %struct.item, ptr %10, i64 %9
  %12 = getelementptr inbounds nuw i8, ptr %11, i64 16
  %13 = load i64, ptr %12, align 8
  %14 = icmp slt i64 %13, 0
  br i1 %14, label %15, label %81

15:                                               ; preds = %8
  %16 = load ptr, ptr %11, align 8
  %17 = getelementptr inbounds nuw i8, ptr %16, i64 16
  %18 = load ptr, ptr %17, align 8
  %19 = icmp eq ptr %18, null
  br i1 %19, label %148, label %20

20:                                               ; preds = %15
  %21 = icmp eq ptr %18, @_Py_NoneStruct
  br i1 %21, label %71, label %22

22:                                               ; preds = %20
  %23 = load ptr, ptr @setup, align 8
  %24 = getelementptr inbounds nuw i8, ptr %18, i64 8
  %25 = load ptr, ptr %24, align 8
  %26 = icmp eq ptr %25, %23
  br i1 %26, label %30, label %27

27:                                               ; preds = %22
  %28 = tail call i32 @PyType_IsSubtype(ptr noundef %25, ptr noundef %23) #8
  %29 = icmp eq i32 %28, 0
  br i1 %29, label %148, label %30

30:                                               ; preds = %27, %22
  %31 = getelementptr inbounds nuw i8, ptr %18, i64 32
  %32 = load ptr, ptr %31, align 8
  %33 = tail call zeroext i1 @native_is_array(ptr noundef %32) #8
  br i1 %33, label %34, label %148

34:                                               ; preds = %30
  %35 = getelementptr inbounds nuw i8, ptr %18, i64 24
  %36 = load ptr, ptr %35, align 8
  %37 = icmp eq ptr %36, null
  br i1 %37, label %148, label %38

38:                                               ; preds = %34
  %39 = getelementptr inbounds nuw i8, ptr %18, i64 72
  %40 = load ptr, ptr %39, align 8
  %41 = icmp eq ptr %40, null
  br i1 %41, label %148, label %42

42:                                               ; preds = %38
  %43 = getelementptr inbounds nuw i8, ptr %18, i64 64
  %44 = load ptr, ptr %43, align 8
  %45 = icmp eq ptr %44, null
  br i1 %45, label %148, label %46

46:                                               ; preds = %42
  %47 = getelementptr inbounds nuw i8, ptr %18, i64 40
  %48 = load ptr, ptr %47, align 8
  %49 = icmp eq ptr %48, null
  br i1 %49, label %148, label %50

50:                                               ; preds = %46
  %51 = icmp eq ptr %48, @_Py_NoneStruct
  br i1 %51, label %60, label %52

52:                                               ; preds = %50
  %53 = load ptr, ptr @setup, align 8
  %54 = getelementptr inbounds nuw i8, ptr %48, i64 8
  %55 = load ptr, ptr %54, align 8
  %56 = icmp eq ptr %55, %53
  br i1 %56, label %60, label %57

57:                                               ; preds = %52
  %58 = tail call i32 @PyType_IsSubtype(ptr noundef %55, ptr noundef %53) #8
  %59 = icmp eq i32 %58, 0
  br i1 %59, label %148, label %60

60:                                               ; preds = %57, %52, %50
  %61 = getelementptr inbounds nuw i8, ptr %18, i64 48
  %62 = load ptr, ptr %61, align 8
  %63 = icmp eq ptr %62, null
  br i1 %63, label %148, label %64

64:                                               ; preds = %60
  %65 = icmp eq ptr %62, @_Py_NoneStruct
  br i1 %65, label %71, label %66

66:                                               ; preds = %64
  %67 = getelementptr inbounds nuw i8, ptr %62, i64 8
  %68 = load ptr, ptr %67, align 8
  %69 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 32), align 8
  %70 = icmp eq ptr %68, %69
  br i1 %70, label %71, label %148

71:                                               ; preds = %64, %66, %20
  %72 = getelementptr inbounds nuw i8, ptr %16, i64 56
  %73 = load ptr, ptr %72, align 8
  %74 = icmp eq ptr %73, @_Py_NoneStruct
  br i1 %74, label %75, label %148

75:                                               ; preds = %71
  %76 = load ptr, ptr %0, align 8
  %77 = getelementptr inbounds nuw %struct.item, ptr %76, i64 %9
  %78 = getelementptr inbounds nuw i8, ptr %77, i64 8
  %79 = load ptr, ptr %78, align 8
  %80 = tail call zeroext i1 @native_is_array(ptr noundef %79) #8
  br i1 %80, label %81, label %148

81:                                               ; preds = %8, %75
  %82 = add nuw nsw i64 %9, 1
  %83 = load i32, ptr %2, align 8
  %84 = sext i32 %83 to i64
  %85 = icmp slt i64 %82, %84
  br i1 %85, label %8, label %5, !llvm.loop !33

86:                                               ; preds = %5, %143
  %87 = phi i64 [ %144, %143 ], [ 0, %5 ]
  %88 = load ptr, ptr %0, align 8
  %89 = getelementptr inbounds nuw %struct.item, ptr %88, i64 %87
  %90 = getelementptr inbounds nuw i8, ptr %89, i64 16
  %91 = load i64, ptr %90, align 8
  %92 = icmp slt i64 %91, 0
  br i1 %92, label %93, label %143

93:                                               ; preds = %86
  %94 = load ptr, ptr %89, align 8
  %95 = getelementptr inbounds nuw i8, ptr %94, i64 16
  %96 = getelementptr inbounds nuw i8, ptr %89, i64 8
  br label %97

97:                                               ; preds = %140, %93
  %98 = load ptr, ptr %95, align 8
  tail call void @Py_IncRef(ptr noundef %98) #8
  %99 = icmp eq ptr %98, @_Py_NoneStruct
  br i1 %99, label %100, label %122

100:                                              ; preds = %97
  %101 = load ptr, ptr %96, align 8
  %102 = tail call zeroext i1 @native_is_array(ptr noundef %101) #8
  br i1 %102, label %103, label %118

103:                                              ; preds = %100, %116
  %104 = phi ptr [ %109, %116 ], [ %101, %100 ]
  %105 = load i32, ptr %104, align 8
  %106 = icmp eq i32 %105, 1
  br i1 %106, label %107, label %119

107:                                              ; preds = %103
  %108 = getelementptr inbounds nuw i8, ptr %104, i64 48
  %109 = load ptr, ptr %108, align 8
  %110 = icmp eq ptr %109, null
  br i1 %110, label %118, label %111

111:                                              ; preds = %107
  %112 = getelementptr inbounds nuw i8, ptr %109, i64 8
  %113 = load ptr, ptr %112, align 8
  %114 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 40), align 8
  %115 = icmp eq ptr %113, %114
  br i1 %115, label %118, label %116

116:                                              ; preds = %111
  %117 = tail call zeroext i1 @native_is_array(ptr noundef nonnull %109) #8
  br i1 %117, label %103, label %119

118:                                              ; preds = %111, %107, %100
  tail call void @Py_IncRef(ptr noundef %101) #8
  br label %127

119:                                              ; preds = %116, %103
  %120 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 112), align 8
  %121 = tail call ptr %120(ptr noundef %101, i32 noundef 0) #8
  br label %127

122:                                              ; preds = %97
  %123 = getelementptr inbounds nuw i8, ptr %98, i64 32
  %124 = load ptr, ptr %123, align 8
  tail call void @Py_IncRef(ptr noundef %124) #8
  %125 = load ptr, ptr %96, align 8
  tail call void @Py_IncRef(ptr noundef %125) #8
  %126 = tail call fastcc ptr @sum(ptr noundef %124, ptr noundef %125) #10
  br label %127

127:                                              ; preds = %122, %119, %118
  %128 = phi ptr [ %126, %122 ], [ %101, %118 ], [ %121, %119 ]
  %129 = icmp eq ptr %128, null
  br i1 %129, label %210, label %130

130:                                              ; preds = %127
  %131 = tail call fastcc ptr @new_tensor(ptr noundef nonnull %128) #10
  %132 = load ptr, ptr %95, align 8
  %133 = icmp ne ptr %132, %98
  %134 = icmp eq ptr %131, null
  %135 = select i1 %134, i1 true, i1 %133
  br i1 %135, label %139, label %136

136:                                              ; preds = %130
  store ptr %131, ptr %95, align 8
  %137 = icmp eq ptr %98, null
  br i1 %137, label %141, label %138

138:                                              ; preds = %136
  tail call void @Py_DecRef(ptr noundef nonnull %132) #8
  br label %141

139:                                              ; preds = %130
  br i1 %134, label %210, label %140

140:                                              ; preds = %139
  tail call void @Py_DecRef(ptr noundef nonnull %131) #8
  tail call void @Py_DecRef(ptr noundef %98) #8
  br i1 %133, label %97, label %143

141:                                              ; preds = %136, %138
  %142 = load ptr, ptr %96, align 8
  store ptr null, ptr %96, align 8
  tail call void @Py_DecRef(ptr noundef %142) #8
  tail call void @Py_DecRef(ptr noundef %98) #8
  br label %143

143:                                              ; preds = %140, %141, %86
  %144 = add nuw nsw i64 %87, 1
  %145 = load i32, ptr %2, align 8
  %146 = sext i32 %145 to i64
  %147 = icmp slt i64 %144, %146
  br i1 %147, label %86, label %213

148:                                              ; preds = %30, %34, %38, %42, %46, %57, %60, %27, %15, %66, %71, %75
  %149 = tail call ptr @PyList_New(i64 noundef 0) #8
  %150 = icmp eq ptr %149, null
  br i1 %150, label %213, label %151

151:                                              ; preds = %148
  %152 = load i32, ptr %2, align 8
  %153 = icmp sgt i32 %152, 0
  br i1 %153, label %154, label %203

154:                                              ; preds = %151, %198
  %155 = phi i64 [ %199, %198 ], [ 0, %151 ]
  %156 = load ptr, ptr %0, align 8
  %157 = getelementptr inbounds nuw %struct.item, ptr %156, i64 %155
  %158 = getelementptr inbounds nuw i8, ptr %157, i64 16
  %159 = load i64, ptr %158, align 8
  %160 = icmp sgt i64 %159, -1
  br i1 %160, label %198, label %161

161:                                              ; preds = %154
  %162 = tail call ptr @PyTuple_New(i64 noundef 2) #8
  %163 = icmp eq ptr %162, null
  %164 = getelementptr inbounds nuw i8, ptr %157, i64 8
  %165 = load ptr, ptr %164, align 8
  br i1 %163, label %194, label %166

166:                                              ; preds = %161
  %167 = tail call zeroext i1 @native_is_array(ptr noundef %165) #8
  br i1 %167, label %168, label %183

168:                                              ; preds = %166, %181
  %169 = phi ptr [ %174, %181 ], [ %165, %166 ]
  %170 = load i32, ptr %169, align 8
  %171 = icmp eq i32 %170, 1
  br i1 %171, label %172, label %184

172:                                              ; preds = %168
  %173 = getelementptr inbounds nuw i8, ptr %169, i64 48
  %174 = load ptr, ptr %173, align 8
  %175 = icmp eq ptr %174, null
  br i1 %175, label %183, label %176

176:                                              ; preds = %172
  %177 = getelementptr inbounds nuw i8, ptr %174, i64 8
  %178 = load ptr, ptr %177, align 8
  %179 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 40), align 8
  %180 = icmp eq ptr %178, %179
  br i1 %180, label %183, label %181

181:                                              ; preds = %176
  %182 = tail call zeroext i1 @native_is_array(ptr noundef nonnull %174) #8
  br i1 %182, label %168, label %184

183:                                              ; preds = %176, %172, %166
  tail call void @Py_IncRef(ptr noundef %165) #8
  br label %187

184:                                              ; preds = %181, %168
  %185 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 112), align 8
  %186 = tail call ptr %185(ptr noundef %165, i32 noundef 0) #8
  br label %187

187:                                              ; preds = %183, %184
  %188 = phi ptr [ %186, %184 ], [ %165, %183 ]
  %189 = load ptr, ptr %157, align 8
  tail call void @Py_IncRef(ptr noundef %189) #8
  %190 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %162, i64 noundef 0, ptr noundef %189) #8
  %191 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %162, i64 noundef 1, ptr noundef %188) #8
  %192 = icmp eq ptr %188, null
  %193 = load ptr, ptr %164, align 8
  store ptr null, ptr %164, align 8
  tail call void @Py_DecRef(ptr noundef %193) #8
  br i1 %192, label %207, label %195

194:                                              ; preds = %161
  store ptr null, ptr %164, align 8
  br label %207

195:                                              ; preds = %187
  %196 = tail call i32 @PyList_Append(ptr noundef nonnull %149, ptr noundef nonnull %162) #8
  %197 = icmp eq i32 %196, 0
  tail call void @Py_DecRef(ptr noundef nonnull %162) #8
  br i1 %197, label %198, label %210

198:                                              ; preds = %154, %195
  %199 = add nuw nsw i64 %155, 1
  %200 = load i32, ptr %2, align 8
  %201 = sext i32 %200 to i64
  %202 = icmp slt i64 %199, %201
  br i1 %202, label %154, label %203, !llvm.loop !34

203:                                              ; preds = %198, %151
  %204 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 96), align 8
  %205 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %204, ptr noundef nonnull %149, ptr noundef null) #8
  %206 = icmp eq ptr %205, null
  br i1 %206, label %210, label %207

207:                                              ; preds = %187, %194, %203
  %208 = phi ptr [ %205, %203 ], [ %165, %194 ], [ %162, %187 ]
  %209 = phi i1 [ true, %203 ], [ false, %194 ], [ false, %187 ]
  tail call void @Py_DecRef(ptr noundef %208) #8
  br label %210

210:                                              ; preds = %139, %127, %195, %207, %203
  %211 = phi ptr [ %149, %203 ], [ %149, %207 ], [ %149, %195 ], [ %98, %127 ], [ %98, %139 ]
  %212 = phi i1 [ false, %203 ], [ %209, %207 ], [ false, %195 ], [ false, %127 ], [ false, %139 ]
  tail call void @Py_DecRef(ptr noundef %211) #8
  br label %213

213:                                              ; preds = %143, %5, %210, %148
  %214 = phi i1 [ false, %148 ], [ %212, %210 ], [ true, %5 ], [ true, %143 ]
  ret i1 %214
}

declare void @free(ptr noundef) local_unnamed_addr #1

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define ptr @penstock_eager_method(i64 noundef %0) local_unnamed_addr #6 {
  %2 = getelementptr inbounds ptr, ptr @penstock_eager_method.methods, i64 %0
  %3 = load ptr, ptr %2, align 8
  ret ptr %3
}

; Function Attrs: nounwind
define internal ptr @method_0(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 160), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_1(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 168), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_2(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 176), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_3(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 184), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_4(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 192), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_5(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 200), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_6(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 208), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_7(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 216), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_8(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 224), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_9(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 232), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_10(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 240), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_11(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 248), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_12(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 256), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_13(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 264), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_14(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 272), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_15(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 280), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_16(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 288), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_17(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 296), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define internal ptr @method_18(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca [2 x ptr], align 16
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 304), align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  %8 = select i1 %7, ptr %0, ptr %1
  store ptr %8, ptr %3, align 16
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = select i1 %7, ptr %1, ptr %0
  store ptr %10, ptr %9, align 8
  %11 = call fastcc ptr @apply(ptr noundef readonly %4, ptr noundef nonnull %3, i64 noundef 2) #10
  %12 = icmp eq ptr %11, @_Py_NotImplementedStruct
  br i1 %12, label %13, label %17

13:                                               ; preds = %2
  tail call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 32
  %15 = load ptr, ptr %14, align 8
  %16 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %15, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %17

17:                                               ; preds = %2, %13
  %18 = phi ptr [ %16, %13 ], [ %11, %2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %18
}

; Function Attrs: nounwind
define void @penstock_eager_setup(ptr noundef readonly captures(none) %0) local_unnamed_addr #0 {
  %2 = load ptr, ptr @setup, align 8
  %3 = icmp eq ptr %2, null
  br i1 %3, label %4, label %6

4:                                                ; preds = %1
  %5 = tail call i32 @pthread_key_create(ptr noundef nonnull @mode_key, ptr noundef null) #8
  br label %6

6:                                                ; preds = %4, %1
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(312) @setup, ptr noundef nonnull align 8 dereferenceable(312) %0, i64 312, i1 false)
  ret void
}

declare i32 @pthread_key_create(ptr noundef, ptr noundef) local_unnamed_addr #1

declare ptr @pthread_getspecific(i32 noundef) local_unnamed_addr #1

declare hidden zeroext i1 @native_is_array(ptr noundef) local_unnamed_addr #1

declare i32 @PyType_IsSubtype(ptr noundef, ptr noundef) local_unnamed_addr #1

declare hidden ptr @native_call(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #1

; Function Attrs: inlinehint nounwind
define internal fastcc ptr @new_tensor(ptr noundef %0) unnamed_addr #3 {
  %2 = load ptr, ptr @setup, align 8
  %3 = tail call ptr @PyType_GenericAlloc(ptr noundef %2, i64 noundef 0) #8
  %4 = icmp eq ptr %3, null
  br i1 %4, label %5, label %6

5:                                                ; preds = %1
  tail call void @Py_DecRef(ptr noundef %0) #8
  br label %16

6:                                                ; preds = %1
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 32
  store ptr %0, ptr %7, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #8
  %8 = getelementptr inbounds nuw i8, ptr %3, i64 40
  store ptr @_Py_NoneStruct, ptr %8, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #8
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 48
  store ptr @_Py_NoneStruct, ptr %9, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #8
  %10 = getelementptr inbounds nuw i8, ptr %3, i64 16
  store ptr @_Py_NoneStruct, ptr %10, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #8
  %11 = getelementptr inbounds nuw i8, ptr %3, i64 56
  store ptr @_Py_NoneStruct, ptr %11, align 8
  %12 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 48), align 8
  tail call void @Py_IncRef(ptr noundef %12) #8
  %13 = getelementptr inbounds nuw i8, ptr %3, i64 64
  store ptr %12, ptr %13, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #8
  %14 = getelementptr inbounds nuw i8, ptr %3, i64 72
  store ptr @_Py_NoneStruct, ptr %14, align 8
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_FalseStruct) #8
  %15 = getelementptr inbounds nuw i8, ptr %3, i64 24
  store ptr @_Py_FalseStruct, ptr %15, align 8
  br label %16

16:                                               ; preds = %6, %5
  ret ptr %3
}

declare ptr @PyType_GenericAlloc(ptr noundef, i64 noundef) local_unnamed_addr #1

declare ptr @PyIter_Next(ptr noundef) local_unnamed_addr #1

declare ptr @PyTuple_New(i64 noundef) local_unnamed_addr #1

declare i32 @PyTuple_SetItem(ptr noundef, i64 noundef, ptr noundef) local_unnamed_addr #1

declare ptr @PyEval_GetFrame() local_unnamed_addr #1

declare ptr @PyFrame_GetCode(ptr noundef) local_unnamed_addr #1

declare ptr @PyLong_FromLong(i64 noundef) local_unnamed_addr #1

declare ptr @PyFrame_GetBack(ptr noundef) local_unnamed_addr #1

declare ptr @PyObject_CallFunctionObjArgs(ptr noundef, ...) local_unnamed_addr #1

declare ptr @PyErr_Occurred() local_unnamed_addr #1

declare double @PyFloat_AsDouble(ptr noundef) local_unnamed_addr #1

declare i64 @PyLong_AsLongLongAndOverflow(ptr noundef, ptr noundef) local_unnamed_addr #1

declare hidden ptr @native_array(ptr noundef) local_unnamed_addr #1

declare i64 @PyLong_AsLongLong(ptr noundef) local_unnamed_addr #1

declare void @PyErr_BadInternalCall() local_unnamed_addr #1

declare ptr @PyDict_New() local_unnamed_addr #1

declare ptr @PyDict_GetItem(ptr noundef, ptr noundef) local_unnamed_addr #1

; Function Attrs: nounwind
define internal fastcc ptr @sum(ptr noundef %0, ptr noundef %1) unnamed_addr #0 {
  %3 = alloca [2 x ptr], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #9
  store ptr %0, ptr %3, align 16
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store ptr %1, ptr %4, align 8
  %5 = load i64, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 104), align 8
  %6 = mul i64 %5, -7046029254386353131
  %7 = lshr i64 %6, 32
  %8 = tail call zeroext i1 @native_is_array(ptr noundef %0) #8
  br i1 %8, label %9, label %218

9:                                                ; preds = %2
  %10 = tail call zeroext i1 @native_is_array(ptr noundef %1) #8
  br i1 %10, label %11, label %218

11:                                               ; preds = %9
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %13 = load ptr, ptr %12, align 8
  %14 = ptrtoint ptr %13 to i64
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %16 = load i32, ptr %15, align 8
  %17 = zext i32 %16 to i64
  %18 = add i64 %17, %14
  %19 = xor i64 %7, %18
  %20 = xor i64 %19, %6
  %21 = mul i64 %20, -7046029254386353131
  %22 = lshr i64 %21, 32
  %23 = xor i64 %22, %21
  %24 = icmp sgt i32 %16, 0
  br i1 %24, label %25, label %85

25:                                               ; preds = %11
  %26 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %27 = load ptr, ptr %26, align 8
  %28 = and i64 %17, 3
  %29 = icmp ult i32 %16, 4
  br i1 %29, label %68, label %30

30:                                               ; preds = %25
  %31 = and i64 %17, 2147483644
  br label %32

32:                                               ; preds = %32, %30
  %33 = phi i64 [ 0, %30 ], [ %63, %32 ]
  %34 = phi i64 [ %23, %30 ], [ %62, %32 ]
  %35 = phi i64 [ 0, %30 ], [ %64, %32 ]
  %36 = getelementptr inbounds nuw i64, ptr %27, i64 %33
  %37 = load i64, ptr %36, align 8
  %38 = xor i64 %37, %34
  %39 = mul i64 %38, -7046029254386353131
  %40 = lshr i64 %39, 32
  %41 = getelementptr inbounds nuw i64, ptr %27, i64 %33
  %42 = getelementptr inbounds nuw i8, ptr %41, i64 8
  %43 = load i64, ptr %42, align 8
  %44 = xor i64 %40, %43
  %45 = xor i64 %44, %39
  %46 = mul i64 %45, -7046029254386353131
  %47 = lshr i64 %46, 32
  %48 = getelementptr inbounds nuw i64, ptr %27, i64 %33
  %49 = getelementptr inbounds nuw i8, ptr %48, i64 16
  %50 = load i64, ptr %49, align 8
  %51 = xor i64 %47, %50
  %52 = xor i64 %51, %46
  %53 = mul i64 %52, -7046029254386353131
  %54 = lshr i64 %53, 32
  %55 = getelementptr inbounds nuw i64, ptr %27, i64 %33
  %56 = getelementptr inbounds nuw i8, ptr %55, i64 24
  %57 = load i64, ptr %56, align 8
  %58 = xor i64 %54, %57
  %59 = xor i64 %58, %53
  %60 = mul i64 %59, -7046029254386353131
  %61 = lshr i64 %60, 32
  %62 = xor i64 %61, %60
  %63 = add nuw nsw i64 %33, 4
  %64 = add i64 %35, 4
  %65 = icmp eq i64 %64, %31
  br i1 %65, label %66, label %32, !llvm.loop !4

66:                                               ; preds = %32
  %67 = icmp eq i64 %28, 0
  br i1 %67, label %85, label %68

68:                                               ; preds = %66, %25
  %69 = phi i64 [ 0, %25 ], [ %63, %66 ]
  %70 = phi i64 [ %23, %25 ], [ %62, %66 ]
  %71 = icmp ne i64 %28, 0
  tail call void @llvm.assume(i1 %71)
  br label %72

72:                                               ; preds = %72, %68
  %73 = phi i64 [ %69, %68 ], [ %82, %72 ]
  %74 = phi i64 [ %70, %68 ], [ %81, %72 ]
  %75 = phi i64 [ 0, %68 ], [ %83, %72 ]
  %76 = getelementptr inbounds nuw i64, ptr %27, i64 %73
  %77 = load i64, ptr %76, align 8
  %78 = xor i64 %77, %74
  %79 = mul i64 %78, -7046029254386353131
  %80 = lshr i64 %79, 32
  %81 = xor i64 %80, %79
  %82 = add nuw nsw i64 %73, 1
  %83 = add i64 %75, 1
  %84 = icmp eq i64 %83, %28
  br i1 %84, label %85, label %72, !llvm.loop !35

85:                                               ; preds = %66, %72, %11
  %86 = phi i64 [ %23, %11 ], [ %62, %66 ], [ %81, %72 ]
  %87 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %88 = load ptr, ptr %87, align 8
  %89 = ptrtoint ptr %88 to i64
  %90 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %91 = load i32, ptr %90, align 8
  %92 = zext i32 %91 to i64
  %93 = add i64 %92, %89
  %94 = xor i64 %93, %86
  %95 = mul i64 %94, -7046029254386353131
  %96 = lshr i64 %95, 32
  %97 = xor i64 %96, %95
  %98 = icmp sgt i32 %91, 0
  br i1 %98, label %99, label %159

99:                                               ; preds = %85
  %100 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %101 = load ptr, ptr %100, align 8
  %102 = and i64 %92, 3
  %103 = icmp ult i32 %91, 4
  br i1 %103, label %142, label %104

104:                                              ; preds = %99
  %105 = and i64 %92, 2147483644
  br label %106

106:                                              ; preds = %106, %104
  %107 = phi i64 [ 0, %104 ], [ %137, %106 ]
  %108 = phi i64 [ %97, %104 ], [ %136, %106 ]
  %109 = phi i64 [ 0, %104 ], [ %138, %106 ]
  %110 = getelementptr inbounds nuw i64, ptr %101, i64 %107
  %111 = load i64, ptr %110, align 8
  %112 = xor i64 %111, %108
  %113 = mul i64 %112, -7046029254386353131
  %114 = lshr i64 %113, 32
  %115 = getelementptr inbounds nuw i64, ptr %101, i64 %107
  %116 = getelementptr inbounds nuw i8, ptr %115, i64 8
  %117 = load i64, ptr %116, align 8
  %118 = xor i64 %114, %117
  %119 = xor i64 %118, %113
  %120 = mul i64 %119, -7046029254386353131
  %121 = lshr i64 %120, 32
  %122 = getelementptr inbounds nuw i64, ptr %101, i64 %107
  %123 = getelementptr inbounds nuw i8, ptr %122, i64 16
  %124 = load i64, ptr %123, align 8
  %125 = xor i64 %121, %124
  %126 = xor i64 %125, %120
  %127 = mul i64 %126, -7046029254386353131
  %128 = lshr i64 %127, 32
  %129 = getelementptr inbounds nuw i64, ptr %101, i64 %107
  %130 = getelementptr inbounds nuw i8, ptr %129, i64 24
  %131 = load i64, ptr %130, align 8
  %132 = xor i64 %128, %131
  %133 = xor i64 %132, %127
  %134 = mul i64 %133, -7046029254386353131
  %135 = lshr i64 %134, 32
  %136 = xor i64 %135, %134
  %137 = add nuw nsw i64 %107, 4
  %138 = add i64 %109, 4
  %139 = icmp eq i64 %138, %105
  br i1 %139, label %140, label %106, !llvm.loop !4

140:                                              ; preds = %106
  %141 = icmp eq i64 %102, 0
  br i1 %141, label %159, label %142

142:                                              ; preds = %140, %99
  %143 = phi i64 [ 0, %99 ], [ %137, %140 ]
  %144 = phi i64 [ %97, %99 ], [ %136, %140 ]
  %145 = icmp ne i64 %102, 0
  tail call void @llvm.assume(i1 %145)
  br label %146

146:                                              ; preds = %146, %142
  %147 = phi i64 [ %143, %142 ], [ %156, %146 ]
  %148 = phi i64 [ %144, %142 ], [ %155, %146 ]
  %149 = phi i64 [ 0, %142 ], [ %157, %146 ]
  %150 = getelementptr inbounds nuw i64, ptr %101, i64 %147
  %151 = load i64, ptr %150, align 8
  %152 = xor i64 %151, %148
  %153 = mul i64 %152, -7046029254386353131
  %154 = lshr i64 %153, 32
  %155 = xor i64 %154, %153
  %156 = add nuw nsw i64 %147, 1
  %157 = add i64 %149, 1
  %158 = icmp eq i64 %157, %102
  br i1 %158, label %159, label %146, !llvm.loop !36

159:                                              ; preds = %140, %146, %85
  %160 = phi i64 [ %97, %85 ], [ %136, %140 ], [ %155, %146 ]
  %161 = load i64, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 104), align 8
  %162 = lshr i64 %160, 8
  %163 = and i64 %162, 1023
  %164 = getelementptr inbounds nuw [4 x %struct.known], ptr @known, i64 %163
  %165 = load i64, ptr %164, align 16
  %166 = icmp eq i64 %165, %160
  br i1 %166, label %167, label %175

167:                                              ; preds = %159
  %168 = getelementptr inbounds nuw i8, ptr %164, i64 8
  %169 = load i64, ptr %168, align 8
  %170 = icmp eq i64 %169, %161
  br i1 %170, label %171, label %175

171:                                              ; preds = %167
  %172 = getelementptr inbounds nuw i8, ptr %164, i64 16
  %173 = load ptr, ptr %172, align 16
  %174 = icmp eq ptr %173, null
  br i1 %174, label %175, label %211

175:                                              ; preds = %171, %167, %159
  %176 = getelementptr inbounds nuw i8, ptr %164, i64 24
  %177 = load i64, ptr %176, align 8
  %178 = icmp eq i64 %177, %160
  br i1 %178, label %179, label %187

179:                                              ; preds = %175
  %180 = getelementptr inbounds nuw i8, ptr %164, i64 32
  %181 = load i64, ptr %180, align 16
  %182 = icmp eq i64 %181, %161
  br i1 %182, label %183, label %187

183:                                              ; preds = %179
  %184 = getelementptr inbounds nuw i8, ptr %164, i64 40
  %185 = load ptr, ptr %184, align 8
  %186 = icmp eq ptr %185, null
  br i1 %186, label %187, label %211

187:                                              ; preds = %183, %179, %175
  %188 = getelementptr inbounds nuw i8, ptr %164, i64 48
  %189 = load i64, ptr %188, align 16
  %190 = icmp eq i64 %189, %160
  br i1 %190, label %191, label %199

191:                                              ; preds = %187
  %192 = getelementptr inbounds nuw i8, ptr %164, i64 56
  %193 = load i64, ptr %192, align 8
  %194 = icmp eq i64 %193, %161
  br i1 %194, label %195, label %199

195:                                              ; preds = %191
  %196 = getelementptr inbounds nuw i8, ptr %164, i64 64
  %197 = load ptr, ptr %196, align 16
  %198 = icmp eq ptr %197, null
  br i1 %198, label %199, label %211

199:                                              ; preds = %195, %191, %187
  %200 = getelementptr inbounds nuw i8, ptr %164, i64 72
  %201 = load i64, ptr %200, align 8
  %202 = icmp eq i64 %201, %160
  br i1 %202, label %203, label %218

203:                                              ; preds = %199
  %204 = getelementptr inbounds nuw i8, ptr %164, i64 80
  %205 = load i64, ptr %204, align 16
  %206 = icmp eq i64 %205, %161
  br i1 %206, label %207, label %218

207:                                              ; preds = %203
  %208 = getelementptr inbounds nuw i8, ptr %164, i64 88
  %209 = load ptr, ptr %208, align 8
  %210 = icmp eq ptr %209, null
  br i1 %210, label %218, label %211

211:                                              ; preds = %195, %207, %183, %171
  %212 = phi ptr [ %197, %195 ], [ %209, %207 ], [ %185, %183 ], [ %173, %171 ]
  %213 = getelementptr inbounds nuw i8, ptr %212, i64 8
  %214 = load ptr, ptr %213, align 8
  tail call void @Py_IncRef(ptr noundef %214) #8
  %215 = load ptr, ptr %212, align 8
  %216 = call ptr @native_call(ptr noundef %215, ptr noundef nonnull %3, i64 noundef 2) #8
  call void @Py_DecRef(ptr noundef %214) #8
  %217 = icmp eq ptr %216, null
  br i1 %217, label %218, label %221

218:                                              ; preds = %207, %203, %199, %9, %2, %211
  %219 = call ptr @PyErr_Occurred() #8
  %220 = icmp eq ptr %219, null
  br i1 %220, label %224, label %227

221:                                              ; preds = %211
  %222 = icmp eq ptr %216, @_Py_NotImplementedStruct
  br i1 %222, label %223, label %227

223:                                              ; preds = %221
  call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #8
  br label %224

224:                                              ; preds = %218, %223
  %225 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 88), align 8
  %226 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %225, ptr noundef %0, ptr noundef %1, ptr noundef null) #8
  br label %227

227:                                              ; preds = %224, %221, %218
  %228 = phi ptr [ %226, %224 ], [ %216, %221 ], [ null, %218 ]
  call void @Py_DecRef(ptr noundef %0) #8
  call void @Py_DecRef(ptr noundef %1) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #9
  ret ptr %228
}

declare i32 @PyDict_SetItem(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #1

declare ptr @realloc(ptr noundef, i64 noundef) local_unnamed_addr #1

declare ptr @PyErr_NoMemory() local_unnamed_addr #1

; Function Attrs: nounwind
define internal fastcc zeroext i1 @step_in_python(ptr noundef nonnull captures(none) %0, ptr noundef %1, ptr noundef %2) unnamed_addr #0 {
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @setup, i64 80), align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %6 = load ptr, ptr %5, align 8
  %7 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %4, ptr noundef %1, ptr noundef %2, ptr noundef %6, ptr noundef null) #8
  %8 = icmp eq ptr %7, null
  br i1 %8, label %53, label %9

9:                                                ; preds = %3
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %11 = load ptr, ptr %10, align 8
  tail call void @Py_IncRef(ptr noundef %11) #8
  %12 = icmp eq ptr %11, null
  br i1 %12, label %51, label %13

13:                                               ; preds = %9
  %14 = tail call i64 @PySequence_Size(ptr noundef nonnull %7) #8
  %15 = icmp sgt i64 %14, -1
  %16 = icmp sgt i64 %14, 0
  br i1 %16, label %17, label %49

17:                                               ; preds = %13, %44
  %18 = phi i64 [ %46, %44 ], [ 0, %13 ]
  %19 = tail call ptr @PySequence_GetItem(ptr noundef nonnull %7, i64 noundef %18) #8
  %20 = icmp eq ptr %19, null
  br i1 %20, label %49, label %21

21:                                               ; preds = %17
  %22 = tail call ptr @PySequence_GetItem(ptr noundef nonnull %11, i64 noundef %18) #8
  %23 = icmp eq ptr %22, null
  br i1 %23, label %43, label %24

24:                                               ; preds = %21
  %25 = icmp eq ptr %22, @_Py_NoneStruct
  %26 = icmp eq ptr %19, @_Py_NoneStruct
  %27 = or i1 %26, %25
  br i1 %27, label %44, label %28

28:                                               ; preds = %24
  tail call void @Py_IncRef(ptr noundef nonnull %19) #8
  %29 = getelementptr inbounds nuw i8, ptr %22, i64 8
  %30 = load ptr, ptr %29, align 8
  %31 = icmp eq ptr %30, @PyTuple_Type
  br i1 %31, label %34, label %32

32:                                               ; preds = %28
  %33 = tail call fastcc zeroext i1 @add_to(ptr noundef nonnull %0, ptr noundef nonnull %22, ptr noundef null, ptr noundef nonnull %19) #10
  br label %44

34:                                               ; preds = %28
  %35 = tail call ptr @PyTuple_GetItem(ptr noundef nonnull %22, i64 noundef 0) #8
  %36 = tail call ptr @PyTuple_GetItem(ptr noundef nonnull %22, i64 noundef 1) #8
  %37 = icmp ne ptr %35, null
  %38 = icmp ne ptr %36, null
  %39 = select i1 %37, i1 %38, i1 false
  br i1 %39, label %40, label %42

40:                                               ; preds = %34
  %41 = tail call fastcc zeroext i1 @add_to(ptr noundef nonnull %0, ptr noundef nonnull %35, ptr noundef nonnull %36, ptr noundef nonnull %19) #10
  br label %44

42:                                               ; preds = %34
  tail call void @Py_DecRef(ptr noundef nonnull %19) #8
  br label %44

43:                                               ; preds = %21
  tail call void @Py_DecRef(ptr noundef nonnull %19) #8
  br label %49

44:                                               ; preds = %42, %40, %32, %24
  %45 = phi i1 [ true, %24 ], [ false, %42 ], [ %33, %32 ], [ %41, %40 ]
  tail call void @Py_DecRef(ptr noundef nonnull %19) #8
  tail call void @Py_DecRef(ptr noundef nonnull %22) #8
  %46 = add nuw nsw i64 %18, 1
  %47 = icmp slt i64 %46, %14
  %48 = select i1 %45, i1 %47, i1 false
  br i1 %48, label %17, label %49, !llvm.loop !37

49:                                               ; preds = %17, %44, %13, %43
  %50 = phi i1 [ %15, %13 ], [ false, %43 ], [ false, %17 ], [ %45, %44 ]
  tail call void @Py_DecRef(ptr noundef nonnull %11) #8
  br label %51

51:                                               ; preds = %9, %49
  %52 = phi i1 [ %50, %49 ], [ false, %9 ]
  tail call void @Py_DecRef(ptr noundef nonnull %7) #8
  br label %53

53:                                               ; preds = %3, %51
  %54 = phi i1 [ %52, %51 ], [ false, %3 ]
  ret i1 %54
}

declare ptr @PySequence_GetItem(ptr noundef, i64 noundef) local_unnamed_addr #1

declare ptr @PyTuple_GetItem(ptr noundef, i64 noundef) local_unnamed_addr #1

declare i64 @PyTuple_Size(ptr noundef) local_unnamed_addr #1

declare i64 @PySequence_Size(ptr noundef) local_unnamed_addr #1

declare ptr @PyList_New(i64 noundef) local_unnamed_addr #1

declare i32 @PyList_Append(ptr noundef, ptr noundef) local_unnamed_addr #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #7

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #1 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { inlinehint nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #5 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #6 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #7 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #8 = { nobuiltin nounwind "no-builtins" }
attributes #9 = { nounwind }
attributes #10 = { nobuiltin "no-builtins" }

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
!12 = !{i8 0, i8 2}
!13 = !{}
!14 = distinct !{!14, !3}
!15 = distinct !{!15, !3}
!16 = distinct !{!16, !3}
!17 = distinct !{!17, !3}
!18 = distinct !{!18, !3}
!19 = distinct !{!19, !3}
!20 = distinct !{!20, !3}
!21 = distinct !{!21, !3}
!22 = distinct !{!22, !3}
!23 = distinct !{!23, !3}
!24 = distinct !{!24, !3}
!25 = distinct !{!25, !3}
!26 = distinct !{!26, !3}
!27 = distinct !{!27, !3, !28, !29}
!28 = !{!"llvm.loop.isvectorized", i32 1}
!29 = !{!"llvm.loop.unroll.runtime.disable"}
!30 = distinct !{!30, !3, !29, !28}
!31 = distinct !{!31, !3}
!32 = distinct !{!32, !3}
!33 = distinct !{!33, !3}
!34 = distinct !{!34, !3}
!35 = distinct !{!35, !6}
!36 = distinct !{!36, !6}
!37 = distinct !{!37, !3}
