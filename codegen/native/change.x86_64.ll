; change.c as LLVM text, by clang 22.1.8; `make native` makes it anew.
; sources: ea9816bd0f576f760777bf97c7853bcbb13869fb5876d11a833cae87433608b9
; text: e4c2614a5d12423ff33bc7cd23a0459d02b4ad145f83f029c288760c8258c5c7
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.object = type { i32, i32, ptr }
%struct.eager_setup = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, ptr, ptr, ptr, ptr, ptr, ptr, ptr, [25 x ptr] }

@_Py_NoneStruct = external global %struct.object, align 8
@native_flags_key = external hidden local_unnamed_addr global i32, align 4
@_Py_TrueStruct = external global %struct.object, align 8
@eager = external hidden local_unnamed_addr global %struct.eager_setup, align 8
@_Py_NotImplementedStruct = external global %struct.object, align 8

; Function Attrs: nounwind
define hidden range(i32 -1, 2) i32 @native_overwrite(ptr noundef %0, ptr noundef readonly captures(none) %1) local_unnamed_addr #0 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %4 = load ptr, ptr %3, align 8
  %5 = icmp eq ptr %4, @_Py_NoneStruct
  %6 = select i1 %5, ptr %0, ptr %4
  %7 = tail call fastcc zeroext i1 @is_plain(ptr noundef %0, ptr noundef %6, ptr noundef %1) #5
  br i1 %7, label %8, label %268

8:                                                ; preds = %2
  tail call void @Py_IncRef(ptr noundef %6) #6
  %9 = tail call ptr @native_changes_of(ptr noundef %6) #6
  %10 = icmp eq ptr %9, null
  br i1 %10, label %264, label %11

11:                                               ; preds = %8
  tail call void @Py_IncRef(ptr noundef nonnull %9) #6
  %12 = tail call ptr @native_line() #6
  %13 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %14 = load ptr, ptr %13, align 8
  %15 = tail call i64 @PyLong_AsLongLong(ptr noundef %14) #6
  %16 = icmp eq ptr %12, null
  br i1 %16, label %262, label %17

17:                                               ; preds = %11
  %18 = tail call ptr @PyErr_Occurred() #6
  %19 = icmp eq ptr %18, null
  br i1 %19, label %20, label %260

20:                                               ; preds = %17
  %21 = add nsw i64 %15, 1
  %22 = tail call ptr @PyLong_FromLong(i64 noundef %21) #6
  %23 = icmp eq ptr %22, null
  br i1 %23, label %260, label %24

24:                                               ; preds = %20
  %25 = getelementptr inbounds nuw i8, ptr %6, i64 48
  %26 = load ptr, ptr %25, align 8
  %27 = icmp eq ptr %26, %9
  br i1 %27, label %28, label %258

28:                                               ; preds = %24
  %29 = tail call fastcc zeroext i1 @is_plain(ptr noundef nonnull %0, ptr noundef nonnull %6, ptr noundef %1) #5
  br i1 %29, label %30, label %258

30:                                               ; preds = %28
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %32 = load ptr, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %34 = load ptr, ptr %33, align 8
  %35 = getelementptr inbounds nuw i8, ptr %32, i64 24
  %36 = load i32, ptr %35, align 8
  %37 = icmp sgt i32 %36, 0
  br i1 %37, label %38, label %72

38:                                               ; preds = %30
  %39 = getelementptr inbounds nuw i8, ptr %32, i64 32
  %40 = load ptr, ptr %39, align 8
  %41 = zext nneg i32 %36 to i64
  %42 = icmp ult i32 %36, 4
  br i1 %42, label %61, label %43

43:                                               ; preds = %38
  %44 = and i64 %41, 2147483644
  br label %45

45:                                               ; preds = %45, %43
  %46 = phi i64 [ 0, %43 ], [ %55, %45 ]
  %47 = phi <2 x i64> [ splat (i64 1), %43 ], [ %53, %45 ]
  %48 = phi <2 x i64> [ splat (i64 1), %43 ], [ %54, %45 ]
  %49 = getelementptr inbounds nuw i64, ptr %40, i64 %46
  %50 = getelementptr inbounds nuw i8, ptr %49, i64 16
  %51 = load <2 x i64>, ptr %49, align 8
  %52 = load <2 x i64>, ptr %50, align 8
  %53 = mul <2 x i64> %51, %47
  %54 = mul <2 x i64> %52, %48
  %55 = add nuw i64 %46, 4
  %56 = icmp eq i64 %55, %44
  br i1 %56, label %57, label %45, !llvm.loop !2

57:                                               ; preds = %45
  %58 = mul <2 x i64> %54, %53
  %59 = tail call i64 @llvm.vector.reduce.mul.v2i64(<2 x i64> %58)
  %60 = icmp eq i64 %44, %41
  br i1 %60, label %72, label %61

61:                                               ; preds = %38, %57
  %62 = phi i64 [ 0, %38 ], [ %44, %57 ]
  %63 = phi i64 [ 1, %38 ], [ %59, %57 ]
  br label %64

64:                                               ; preds = %61, %64
  %65 = phi i64 [ %70, %64 ], [ %62, %61 ]
  %66 = phi i64 [ %69, %64 ], [ %63, %61 ]
  %67 = getelementptr inbounds nuw i64, ptr %40, i64 %65
  %68 = load i64, ptr %67, align 8
  %69 = mul nsw i64 %68, %66
  %70 = add nuw nsw i64 %65, 1
  %71 = icmp eq i64 %70, %41
  br i1 %71, label %72, label %64, !llvm.loop !6

72:                                               ; preds = %64, %57, %30
  %73 = phi i64 [ 1, %30 ], [ %59, %57 ], [ %69, %64 ]
  %74 = getelementptr inbounds nuw i8, ptr %32, i64 56
  %75 = load ptr, ptr %74, align 8
  %76 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 144), align 8
  %77 = icmp eq ptr %75, %76
  %78 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 160), align 8
  %79 = icmp eq ptr %75, %78
  %80 = select i1 %77, i1 true, i1 %79
  br i1 %80, label %91, label %81

81:                                               ; preds = %72
  %82 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 152), align 8
  %83 = icmp eq ptr %75, %82
  %84 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 168), align 8
  %85 = icmp eq ptr %75, %84
  %86 = select i1 %83, i1 true, i1 %85
  br i1 %86, label %91, label %87

87:                                               ; preds = %81
  %88 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 176), align 8
  %89 = icmp eq ptr %75, %88
  %90 = zext i1 %89 to i64
  br label %91

91:                                               ; preds = %87, %81, %72
  %92 = phi i64 [ %90, %87 ], [ 4, %72 ], [ 8, %81 ]
  %93 = getelementptr inbounds nuw i8, ptr %34, i64 24
  %94 = load i32, ptr %93, align 8
  %95 = icmp eq i32 %94, %36
  br i1 %95, label %96, label %103

96:                                               ; preds = %91
  %97 = getelementptr inbounds nuw i8, ptr %32, i64 16
  %98 = load ptr, ptr %97, align 8
  %99 = getelementptr inbounds nuw i8, ptr %34, i64 16
  %100 = load ptr, ptr %99, align 8
  %101 = mul nsw i64 %92, %73
  %102 = tail call ptr @memmove(ptr noundef %98, ptr noundef %100, i64 noundef %101) #6
  br label %249

103:                                              ; preds = %91
  %104 = icmp sgt i64 %73, 0
  switch i64 %92, label %121 [
    i64 4, label %113
    i64 8, label %105
  ]

105:                                              ; preds = %103
  br i1 %104, label %106, label %249

106:                                              ; preds = %105
  %107 = getelementptr inbounds nuw i8, ptr %34, i64 16
  %108 = getelementptr inbounds nuw i8, ptr %32, i64 16
  %109 = and i64 %73, 3
  %110 = icmp ult i64 %73, 4
  br i1 %110, label %236, label %111

111:                                              ; preds = %106
  %112 = and i64 %73, 9223372036854775804
  br label %154

113:                                              ; preds = %103
  br i1 %104, label %114, label %249

114:                                              ; preds = %113
  %115 = getelementptr inbounds nuw i8, ptr %34, i64 16
  %116 = getelementptr inbounds nuw i8, ptr %32, i64 16
  %117 = and i64 %73, 3
  %118 = icmp ult i64 %73, 4
  br i1 %118, label %221, label %119

119:                                              ; preds = %114
  %120 = and i64 %73, 9223372036854775804
  br label %129

121:                                              ; preds = %103
  br i1 %104, label %122, label %249

122:                                              ; preds = %121
  %123 = getelementptr inbounds nuw i8, ptr %34, i64 16
  %124 = getelementptr inbounds nuw i8, ptr %32, i64 16
  %125 = and i64 %73, 3
  %126 = icmp ult i64 %73, 4
  br i1 %126, label %206, label %127

127:                                              ; preds = %122
  %128 = and i64 %73, 9223372036854775804
  br label %179

129:                                              ; preds = %129, %119
  %130 = phi i64 [ 0, %119 ], [ %151, %129 ]
  %131 = phi i64 [ 0, %119 ], [ %152, %129 ]
  %132 = load ptr, ptr %115, align 8
  %133 = load i32, ptr %132, align 4
  %134 = load ptr, ptr %116, align 8
  %135 = getelementptr inbounds nuw i32, ptr %134, i64 %130
  store i32 %133, ptr %135, align 4
  %136 = load ptr, ptr %115, align 8
  %137 = load i32, ptr %136, align 4
  %138 = load ptr, ptr %116, align 8
  %139 = getelementptr inbounds nuw i32, ptr %138, i64 %130
  %140 = getelementptr inbounds nuw i8, ptr %139, i64 4
  store i32 %137, ptr %140, align 4
  %141 = load ptr, ptr %115, align 8
  %142 = load i32, ptr %141, align 4
  %143 = load ptr, ptr %116, align 8
  %144 = getelementptr inbounds nuw i32, ptr %143, i64 %130
  %145 = getelementptr inbounds nuw i8, ptr %144, i64 8
  store i32 %142, ptr %145, align 4
  %146 = load ptr, ptr %115, align 8
  %147 = load i32, ptr %146, align 4
  %148 = load ptr, ptr %116, align 8
  %149 = getelementptr inbounds nuw i32, ptr %148, i64 %130
  %150 = getelementptr inbounds nuw i8, ptr %149, i64 12
  store i32 %147, ptr %150, align 4
  %151 = add nuw nsw i64 %130, 4
  %152 = add i64 %131, 4
  %153 = icmp eq i64 %152, %120
  br i1 %153, label %219, label %129, !llvm.loop !7

154:                                              ; preds = %154, %111
  %155 = phi i64 [ 0, %111 ], [ %176, %154 ]
  %156 = phi i64 [ 0, %111 ], [ %177, %154 ]
  %157 = load ptr, ptr %107, align 8
  %158 = load i64, ptr %157, align 8
  %159 = load ptr, ptr %108, align 8
  %160 = getelementptr inbounds nuw i64, ptr %159, i64 %155
  store i64 %158, ptr %160, align 8
  %161 = load ptr, ptr %107, align 8
  %162 = load i64, ptr %161, align 8
  %163 = load ptr, ptr %108, align 8
  %164 = getelementptr inbounds nuw i64, ptr %163, i64 %155
  %165 = getelementptr inbounds nuw i8, ptr %164, i64 8
  store i64 %162, ptr %165, align 8
  %166 = load ptr, ptr %107, align 8
  %167 = load i64, ptr %166, align 8
  %168 = load ptr, ptr %108, align 8
  %169 = getelementptr inbounds nuw i64, ptr %168, i64 %155
  %170 = getelementptr inbounds nuw i8, ptr %169, i64 16
  store i64 %167, ptr %170, align 8
  %171 = load ptr, ptr %107, align 8
  %172 = load i64, ptr %171, align 8
  %173 = load ptr, ptr %108, align 8
  %174 = getelementptr inbounds nuw i64, ptr %173, i64 %155
  %175 = getelementptr inbounds nuw i8, ptr %174, i64 24
  store i64 %172, ptr %175, align 8
  %176 = add nuw nsw i64 %155, 4
  %177 = add i64 %156, 4
  %178 = icmp eq i64 %177, %112
  br i1 %178, label %234, label %154, !llvm.loop !8

179:                                              ; preds = %179, %127
  %180 = phi i64 [ 0, %127 ], [ %201, %179 ]
  %181 = phi i64 [ 0, %127 ], [ %202, %179 ]
  %182 = load ptr, ptr %123, align 8
  %183 = load i8, ptr %182, align 1
  %184 = load ptr, ptr %124, align 8
  %185 = getelementptr inbounds nuw i8, ptr %184, i64 %180
  store i8 %183, ptr %185, align 1
  %186 = load ptr, ptr %123, align 8
  %187 = load i8, ptr %186, align 1
  %188 = load ptr, ptr %124, align 8
  %189 = getelementptr inbounds nuw i8, ptr %188, i64 %180
  %190 = getelementptr inbounds nuw i8, ptr %189, i64 1
  store i8 %187, ptr %190, align 1
  %191 = load ptr, ptr %123, align 8
  %192 = load i8, ptr %191, align 1
  %193 = load ptr, ptr %124, align 8
  %194 = getelementptr inbounds nuw i8, ptr %193, i64 %180
  %195 = getelementptr inbounds nuw i8, ptr %194, i64 2
  store i8 %192, ptr %195, align 1
  %196 = load ptr, ptr %123, align 8
  %197 = load i8, ptr %196, align 1
  %198 = load ptr, ptr %124, align 8
  %199 = getelementptr inbounds nuw i8, ptr %198, i64 %180
  %200 = getelementptr inbounds nuw i8, ptr %199, i64 3
  store i8 %197, ptr %200, align 1
  %201 = add nuw nsw i64 %180, 4
  %202 = add i64 %181, 4
  %203 = icmp eq i64 %202, %128
  br i1 %203, label %204, label %179, !llvm.loop !9

204:                                              ; preds = %179
  %205 = icmp eq i64 %125, 0
  br i1 %205, label %249, label %206

206:                                              ; preds = %204, %122
  %207 = phi i64 [ 0, %122 ], [ %201, %204 ]
  %208 = icmp ne i64 %125, 0
  tail call void @llvm.assume(i1 %208)
  br label %209

209:                                              ; preds = %209, %206
  %210 = phi i64 [ %207, %206 ], [ %216, %209 ]
  %211 = phi i64 [ 0, %206 ], [ %217, %209 ]
  %212 = load ptr, ptr %123, align 8
  %213 = load i8, ptr %212, align 1
  %214 = load ptr, ptr %124, align 8
  %215 = getelementptr inbounds nuw i8, ptr %214, i64 %210
  store i8 %213, ptr %215, align 1
  %216 = add nuw nsw i64 %210, 1
  %217 = add i64 %211, 1
  %218 = icmp eq i64 %217, %125
  br i1 %218, label %249, label %209, !llvm.loop !10

219:                                              ; preds = %129
  %220 = icmp eq i64 %117, 0
  br i1 %220, label %249, label %221

221:                                              ; preds = %219, %114
  %222 = phi i64 [ 0, %114 ], [ %151, %219 ]
  %223 = icmp ne i64 %117, 0
  tail call void @llvm.assume(i1 %223)
  br label %224

224:                                              ; preds = %224, %221
  %225 = phi i64 [ %222, %221 ], [ %231, %224 ]
  %226 = phi i64 [ 0, %221 ], [ %232, %224 ]
  %227 = load ptr, ptr %115, align 8
  %228 = load i32, ptr %227, align 4
  %229 = load ptr, ptr %116, align 8
  %230 = getelementptr inbounds nuw i32, ptr %229, i64 %225
  store i32 %228, ptr %230, align 4
  %231 = add nuw nsw i64 %225, 1
  %232 = add i64 %226, 1
  %233 = icmp eq i64 %232, %117
  br i1 %233, label %249, label %224, !llvm.loop !12

234:                                              ; preds = %154
  %235 = icmp eq i64 %109, 0
  br i1 %235, label %249, label %236

236:                                              ; preds = %234, %106
  %237 = phi i64 [ 0, %106 ], [ %176, %234 ]
  %238 = icmp ne i64 %109, 0
  tail call void @llvm.assume(i1 %238)
  br label %239

239:                                              ; preds = %239, %236
  %240 = phi i64 [ %237, %236 ], [ %246, %239 ]
  %241 = phi i64 [ 0, %236 ], [ %247, %239 ]
  %242 = load ptr, ptr %107, align 8
  %243 = load i64, ptr %242, align 8
  %244 = load ptr, ptr %108, align 8
  %245 = getelementptr inbounds nuw i64, ptr %244, i64 %240
  store i64 %243, ptr %245, align 8
  %246 = add nuw nsw i64 %240, 1
  %247 = add i64 %241, 1
  %248 = icmp eq i64 %247, %109
  br i1 %248, label %249, label %239, !llvm.loop !13

249:                                              ; preds = %234, %239, %219, %224, %204, %209, %96, %105, %113, %121
  tail call void @Py_IncRef(ptr noundef nonnull %22) #6
  %250 = load ptr, ptr %13, align 8
  store ptr %22, ptr %13, align 8
  %251 = icmp eq ptr %250, null
  br i1 %251, label %253, label %252

252:                                              ; preds = %249
  tail call void @Py_DecRef(ptr noundef nonnull %250) #6
  br label %253

253:                                              ; preds = %249, %252
  %254 = getelementptr inbounds nuw i8, ptr %9, i64 24
  tail call void @Py_IncRef(ptr noundef nonnull %12) #6
  %255 = load ptr, ptr %254, align 8
  store ptr %12, ptr %254, align 8
  %256 = icmp eq ptr %255, null
  br i1 %256, label %258, label %257

257:                                              ; preds = %253
  tail call void @Py_DecRef(ptr noundef nonnull %255) #6
  br label %258

258:                                              ; preds = %24, %257, %253, %28
  %259 = phi i32 [ 1, %257 ], [ 0, %28 ], [ 1, %253 ], [ 0, %24 ]
  tail call void @Py_DecRef(ptr noundef nonnull %22) #6
  br label %260

260:                                              ; preds = %258, %20, %17
  %261 = phi i32 [ %259, %258 ], [ -1, %20 ], [ -1, %17 ]
  tail call void @Py_DecRef(ptr noundef nonnull %12) #6
  br label %262

262:                                              ; preds = %11, %260
  %263 = phi i32 [ %261, %260 ], [ -1, %11 ]
  tail call void @Py_DecRef(ptr noundef nonnull %9) #6
  br label %264

264:                                              ; preds = %8, %262
  %265 = phi i32 [ %263, %262 ], [ -1, %8 ]
  %266 = icmp eq ptr %6, null
  br i1 %266, label %268, label %267

267:                                              ; preds = %264
  tail call void @Py_DecRef(ptr noundef nonnull %6) #6
  br label %268

268:                                              ; preds = %264, %267, %2
  %269 = phi i32 [ 0, %2 ], [ %265, %267 ], [ %265, %264 ]
  ret i32 %269
}

; Function Attrs: nounwind
define internal fastcc noundef zeroext i1 @is_plain(ptr noundef readonly captures(address) %0, ptr noundef readonly captures(address) %1, ptr noundef readonly captures(none) %2) unnamed_addr #0 {
  %4 = load ptr, ptr @eager, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %6 = load ptr, ptr %5, align 8
  %7 = icmp eq ptr %6, %4
  br i1 %7, label %11, label %8

8:                                                ; preds = %3
  %9 = tail call i32 @PyType_IsSubtype(ptr noundef %6, ptr noundef %4) #6
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %243, label %11

11:                                               ; preds = %8, %3
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %13 = load ptr, ptr %12, align 8
  %14 = tail call zeroext i1 @native_is_array(ptr noundef %13) #6
  br i1 %14, label %15, label %243

15:                                               ; preds = %11
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %17 = load ptr, ptr %16, align 8
  %18 = icmp eq ptr %17, null
  br i1 %18, label %243, label %19

19:                                               ; preds = %15
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %21 = load ptr, ptr %20, align 8
  %22 = icmp eq ptr %21, null
  br i1 %22, label %243, label %23

23:                                               ; preds = %19
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %25 = load ptr, ptr %24, align 8
  %26 = icmp eq ptr %25, null
  br i1 %26, label %243, label %27

27:                                               ; preds = %23
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %29 = load ptr, ptr %28, align 8
  %30 = icmp eq ptr %29, null
  br i1 %30, label %243, label %31

31:                                               ; preds = %27
  %32 = icmp eq ptr %29, @_Py_NoneStruct
  br i1 %32, label %41, label %33

33:                                               ; preds = %31
  %34 = load ptr, ptr @eager, align 8
  %35 = getelementptr inbounds nuw i8, ptr %29, i64 8
  %36 = load ptr, ptr %35, align 8
  %37 = icmp eq ptr %36, %34
  br i1 %37, label %41, label %38

38:                                               ; preds = %33
  %39 = tail call i32 @PyType_IsSubtype(ptr noundef %36, ptr noundef %34) #6
  %40 = icmp eq i32 %39, 0
  br i1 %40, label %243, label %41

41:                                               ; preds = %38, %33, %31
  %42 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %43 = load ptr, ptr %42, align 8
  %44 = icmp eq ptr %43, null
  br i1 %44, label %243, label %45

45:                                               ; preds = %41
  %46 = icmp eq ptr %43, @_Py_NoneStruct
  br i1 %46, label %52, label %47

47:                                               ; preds = %45
  %48 = getelementptr inbounds nuw i8, ptr %43, i64 8
  %49 = load ptr, ptr %48, align 8
  %50 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %51 = icmp eq ptr %49, %50
  br i1 %51, label %52, label %243

52:                                               ; preds = %45, %47
  %53 = load ptr, ptr @eager, align 8
  %54 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %55 = load ptr, ptr %54, align 8
  %56 = icmp eq ptr %55, %53
  br i1 %56, label %60, label %57

57:                                               ; preds = %52
  %58 = tail call i32 @PyType_IsSubtype(ptr noundef %55, ptr noundef %53) #6
  %59 = icmp eq i32 %58, 0
  br i1 %59, label %243, label %60

60:                                               ; preds = %57, %52
  %61 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %62 = load ptr, ptr %61, align 8
  %63 = tail call zeroext i1 @native_is_array(ptr noundef %62) #6
  br i1 %63, label %64, label %243

64:                                               ; preds = %60
  %65 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %66 = load ptr, ptr %65, align 8
  %67 = icmp eq ptr %66, null
  br i1 %67, label %243, label %68

68:                                               ; preds = %64
  %69 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %70 = load ptr, ptr %69, align 8
  %71 = icmp eq ptr %70, null
  br i1 %71, label %243, label %72

72:                                               ; preds = %68
  %73 = getelementptr inbounds nuw i8, ptr %1, i64 64
  %74 = load ptr, ptr %73, align 8
  %75 = icmp eq ptr %74, null
  br i1 %75, label %243, label %76

76:                                               ; preds = %72
  %77 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %78 = load ptr, ptr %77, align 8
  %79 = icmp eq ptr %78, null
  br i1 %79, label %243, label %80

80:                                               ; preds = %76
  %81 = icmp eq ptr %78, @_Py_NoneStruct
  br i1 %81, label %90, label %82

82:                                               ; preds = %80
  %83 = load ptr, ptr @eager, align 8
  %84 = getelementptr inbounds nuw i8, ptr %78, i64 8
  %85 = load ptr, ptr %84, align 8
  %86 = icmp eq ptr %85, %83
  br i1 %86, label %90, label %87

87:                                               ; preds = %82
  %88 = tail call i32 @PyType_IsSubtype(ptr noundef %85, ptr noundef %83) #6
  %89 = icmp eq i32 %88, 0
  br i1 %89, label %243, label %90

90:                                               ; preds = %87, %82, %80
  %91 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %92 = load ptr, ptr %91, align 8
  %93 = icmp eq ptr %92, null
  br i1 %93, label %243, label %94

94:                                               ; preds = %90
  %95 = icmp eq ptr %92, @_Py_NoneStruct
  br i1 %95, label %101, label %96

96:                                               ; preds = %94
  %97 = getelementptr inbounds nuw i8, ptr %92, i64 8
  %98 = load ptr, ptr %97, align 8
  %99 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %100 = icmp eq ptr %98, %99
  br i1 %100, label %101, label %243

101:                                              ; preds = %94, %96
  %102 = load ptr, ptr @eager, align 8
  %103 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %104 = load ptr, ptr %103, align 8
  %105 = icmp eq ptr %104, %102
  br i1 %105, label %109, label %106

106:                                              ; preds = %101
  %107 = tail call i32 @PyType_IsSubtype(ptr noundef %104, ptr noundef %102) #6
  %108 = icmp eq i32 %107, 0
  br i1 %108, label %243, label %109

109:                                              ; preds = %106, %101
  %110 = getelementptr inbounds nuw i8, ptr %2, i64 32
  %111 = load ptr, ptr %110, align 8
  %112 = tail call zeroext i1 @native_is_array(ptr noundef %111) #6
  br i1 %112, label %113, label %243

113:                                              ; preds = %109
  %114 = getelementptr inbounds nuw i8, ptr %2, i64 24
  %115 = load ptr, ptr %114, align 8
  %116 = icmp eq ptr %115, null
  br i1 %116, label %243, label %117

117:                                              ; preds = %113
  %118 = getelementptr inbounds nuw i8, ptr %2, i64 72
  %119 = load ptr, ptr %118, align 8
  %120 = icmp eq ptr %119, null
  br i1 %120, label %243, label %121

121:                                              ; preds = %117
  %122 = getelementptr inbounds nuw i8, ptr %2, i64 64
  %123 = load ptr, ptr %122, align 8
  %124 = icmp eq ptr %123, null
  br i1 %124, label %243, label %125

125:                                              ; preds = %121
  %126 = getelementptr inbounds nuw i8, ptr %2, i64 40
  %127 = load ptr, ptr %126, align 8
  %128 = icmp eq ptr %127, null
  br i1 %128, label %243, label %129

129:                                              ; preds = %125
  %130 = icmp eq ptr %127, @_Py_NoneStruct
  br i1 %130, label %139, label %131

131:                                              ; preds = %129
  %132 = load ptr, ptr @eager, align 8
  %133 = getelementptr inbounds nuw i8, ptr %127, i64 8
  %134 = load ptr, ptr %133, align 8
  %135 = icmp eq ptr %134, %132
  br i1 %135, label %139, label %136

136:                                              ; preds = %131
  %137 = tail call i32 @PyType_IsSubtype(ptr noundef %134, ptr noundef %132) #6
  %138 = icmp eq i32 %137, 0
  br i1 %138, label %243, label %139

139:                                              ; preds = %136, %131, %129
  %140 = getelementptr inbounds nuw i8, ptr %2, i64 48
  %141 = load ptr, ptr %140, align 8
  %142 = icmp eq ptr %141, null
  br i1 %142, label %243, label %143

143:                                              ; preds = %139
  %144 = icmp eq ptr %141, @_Py_NoneStruct
  br i1 %144, label %150, label %145

145:                                              ; preds = %143
  %146 = getelementptr inbounds nuw i8, ptr %141, i64 8
  %147 = load ptr, ptr %146, align 8
  %148 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %149 = icmp eq ptr %147, %148
  br i1 %149, label %150, label %243

150:                                              ; preds = %143, %145
  %151 = load ptr, ptr %28, align 8
  %152 = icmp eq ptr %151, @_Py_NoneStruct
  %153 = select i1 %152, ptr %0, ptr %151
  %154 = icmp eq ptr %153, %1
  br i1 %154, label %155, label %243

155:                                              ; preds = %150
  %156 = load ptr, ptr %118, align 8
  %157 = icmp eq ptr %156, @_Py_NoneStruct
  br i1 %157, label %158, label %243

158:                                              ; preds = %155
  %159 = load i32, ptr @native_flags_key, align 4
  %160 = tail call ptr @pthread_getspecific(i32 noundef %159) #6
  %161 = load i8, ptr %160, align 1
  %162 = icmp eq i8 %161, 0
  br i1 %162, label %186, label %163

163:                                              ; preds = %158
  %164 = load ptr, ptr %65, align 8
  %165 = icmp eq ptr %164, @_Py_TrueStruct
  br i1 %165, label %243, label %166

166:                                              ; preds = %163
  %167 = load ptr, ptr %69, align 8
  %168 = icmp eq ptr %167, @_Py_NoneStruct
  br i1 %168, label %169, label %243

169:                                              ; preds = %166
  %170 = load ptr, ptr %114, align 8
  %171 = icmp eq ptr %170, @_Py_TrueStruct
  br i1 %171, label %243, label %172

172:                                              ; preds = %169
  %173 = load ptr, ptr %118, align 8
  %174 = icmp eq ptr %173, @_Py_NoneStruct
  br i1 %174, label %175, label %243

175:                                              ; preds = %172
  %176 = getelementptr inbounds nuw i8, ptr %1, i64 88
  %177 = load ptr, ptr %176, align 8
  %178 = icmp eq ptr %177, @_Py_NoneStruct
  br i1 %178, label %179, label %243

179:                                              ; preds = %175
  %180 = load ptr, ptr %126, align 8
  %181 = icmp eq ptr %180, @_Py_NoneStruct
  %182 = select i1 %181, ptr %2, ptr %180
  %183 = getelementptr inbounds nuw i8, ptr %182, i64 72
  %184 = load ptr, ptr %183, align 8
  %185 = icmp eq ptr %184, @_Py_NoneStruct
  br i1 %185, label %186, label %243

186:                                              ; preds = %179, %158
  %187 = load ptr, ptr %12, align 8
  %188 = load ptr, ptr %110, align 8
  %189 = tail call zeroext i1 @native_is_usual(ptr noundef %187) #6
  br i1 %189, label %190, label %243

190:                                              ; preds = %186
  %191 = tail call zeroext i1 @native_is_usual(ptr noundef %188) #6
  br i1 %191, label %192, label %243

192:                                              ; preds = %190
  %193 = getelementptr inbounds nuw i8, ptr %187, i64 56
  %194 = load ptr, ptr %193, align 8
  %195 = getelementptr inbounds nuw i8, ptr %188, i64 56
  %196 = load ptr, ptr %195, align 8
  %197 = icmp eq ptr %194, %196
  br i1 %197, label %198, label %243

198:                                              ; preds = %192
  %199 = getelementptr inbounds nuw i8, ptr %187, i64 64
  %200 = load i32, ptr %199, align 8
  %201 = and i32 %200, 1024
  %202 = icmp eq i32 %201, 0
  br i1 %202, label %243, label %203

203:                                              ; preds = %198
  %204 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 144), align 8
  %205 = icmp eq ptr %194, %204
  %206 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 160), align 8
  %207 = icmp eq ptr %194, %206
  %208 = select i1 %205, i1 true, i1 %207
  br i1 %208, label %218, label %209

209:                                              ; preds = %203
  %210 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 152), align 8
  %211 = icmp eq ptr %194, %210
  %212 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 168), align 8
  %213 = icmp eq ptr %194, %212
  %214 = select i1 %211, i1 true, i1 %213
  %215 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 176), align 8
  %216 = icmp eq ptr %194, %215
  %217 = select i1 %214, i1 true, i1 %216
  br i1 %217, label %218, label %243

218:                                              ; preds = %209, %203
  %219 = getelementptr inbounds nuw i8, ptr %187, i64 24
  %220 = load i32, ptr %219, align 8
  %221 = getelementptr inbounds nuw i8, ptr %188, i64 24
  %222 = load i32, ptr %221, align 8
  %223 = icmp eq i32 %220, %222
  %224 = icmp eq i32 %222, 0
  %225 = or i1 %223, %224
  br i1 %225, label %226, label %243

226:                                              ; preds = %218
  %227 = getelementptr inbounds nuw i8, ptr %187, i64 32
  %228 = getelementptr inbounds nuw i8, ptr %188, i64 32
  %229 = tail call i32 @llvm.smax.i32(i32 %222, i32 0)
  %230 = zext nneg i32 %229 to i64
  br label %231

231:                                              ; preds = %226, %234
  %232 = phi i64 [ 0, %226 ], [ %242, %234 ]
  %233 = icmp eq i64 %232, %230
  br i1 %233, label %243, label %234

234:                                              ; preds = %231
  %235 = load ptr, ptr %227, align 8
  %236 = getelementptr inbounds nuw i64, ptr %235, i64 %232
  %237 = load i64, ptr %236, align 8
  %238 = load ptr, ptr %228, align 8
  %239 = getelementptr inbounds nuw i64, ptr %238, i64 %232
  %240 = load i64, ptr %239, align 8
  %241 = icmp eq i64 %237, %240
  %242 = add nuw nsw i64 %232, 1
  br i1 %241, label %231, label %243, !llvm.loop !14

243:                                              ; preds = %231, %234, %218, %209, %169, %163, %109, %113, %117, %121, %125, %136, %139, %106, %60, %64, %68, %72, %76, %87, %90, %57, %11, %15, %19, %23, %27, %38, %41, %8, %198, %192, %190, %186, %166, %172, %175, %179, %47, %96, %145, %150, %155
  %244 = phi i1 [ false, %166 ], [ false, %47 ], [ false, %155 ], [ false, %150 ], [ false, %145 ], [ false, %96 ], [ false, %179 ], [ false, %175 ], [ false, %172 ], [ false, %186 ], [ false, %209 ], [ false, %198 ], [ false, %192 ], [ false, %190 ], [ false, %113 ], [ false, %169 ], [ false, %163 ], [ false, %11 ], [ false, %60 ], [ false, %109 ], [ false, %8 ], [ false, %41 ], [ false, %38 ], [ false, %27 ], [ false, %23 ], [ false, %19 ], [ false, %15 ], [ false, %57 ], [ false, %90 ], [ false, %87 ], [ false, %76 ], [ false, %72 ], [ false, %68 ], [ false, %64 ], [ false, %106 ], [ false, %139 ], [ false, %136 ], [ false, %125 ], [ false, %121 ], [ false, %117 ], [ false, %218 ], [ %233, %234 ], [ %233, %231 ]
  ret i1 %244
}

declare void @Py_IncRef(ptr noundef) local_unnamed_addr #1

declare hidden ptr @native_changes_of(ptr noundef) local_unnamed_addr #1

declare hidden ptr @native_line() local_unnamed_addr #1

declare i64 @PyLong_AsLongLong(ptr noundef) local_unnamed_addr #1

declare ptr @PyErr_Occurred() local_unnamed_addr #1

declare ptr @PyLong_FromLong(i64 noundef) local_unnamed_addr #1

declare void @Py_DecRef(ptr noundef) local_unnamed_addr #1

; Function Attrs: nounwind
define noundef ptr @penstock_eager_assign(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #0 {
  %4 = load i32, ptr @native_flags_key, align 4
  %5 = tail call ptr @pthread_getspecific(i32 noundef %4) #6
  %6 = icmp eq ptr %5, null
  br i1 %6, label %121, label %7

7:                                                ; preds = %3
  %8 = getelementptr inbounds nuw i8, ptr %5, i64 2
  %9 = load i8, ptr %8, align 1
  %10 = icmp eq i8 %9, 0
  br i1 %10, label %11, label %121

11:                                               ; preds = %7
  %12 = load ptr, ptr %1, align 8
  %13 = load ptr, ptr @eager, align 8
  %14 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %15 = load ptr, ptr %14, align 8
  %16 = icmp eq ptr %15, %13
  br i1 %16, label %20, label %17

17:                                               ; preds = %11
  %18 = tail call i32 @PyType_IsSubtype(ptr noundef %15, ptr noundef %13) #6
  %19 = icmp eq i32 %18, 0
  br i1 %19, label %121, label %20

20:                                               ; preds = %17, %11
  %21 = getelementptr inbounds nuw i8, ptr %12, i64 32
  %22 = load ptr, ptr %21, align 8
  %23 = tail call zeroext i1 @native_is_array(ptr noundef %22) #6
  br i1 %23, label %24, label %121

24:                                               ; preds = %20
  %25 = getelementptr inbounds nuw i8, ptr %12, i64 24
  %26 = load ptr, ptr %25, align 8
  %27 = icmp eq ptr %26, null
  br i1 %27, label %121, label %28

28:                                               ; preds = %24
  %29 = getelementptr inbounds nuw i8, ptr %12, i64 72
  %30 = load ptr, ptr %29, align 8
  %31 = icmp eq ptr %30, null
  br i1 %31, label %121, label %32

32:                                               ; preds = %28
  %33 = getelementptr inbounds nuw i8, ptr %12, i64 64
  %34 = load ptr, ptr %33, align 8
  %35 = icmp eq ptr %34, null
  br i1 %35, label %121, label %36

36:                                               ; preds = %32
  %37 = getelementptr inbounds nuw i8, ptr %12, i64 40
  %38 = load ptr, ptr %37, align 8
  %39 = icmp eq ptr %38, null
  br i1 %39, label %121, label %40

40:                                               ; preds = %36
  %41 = icmp eq ptr %38, @_Py_NoneStruct
  br i1 %41, label %50, label %42

42:                                               ; preds = %40
  %43 = load ptr, ptr @eager, align 8
  %44 = getelementptr inbounds nuw i8, ptr %38, i64 8
  %45 = load ptr, ptr %44, align 8
  %46 = icmp eq ptr %45, %43
  br i1 %46, label %50, label %47

47:                                               ; preds = %42
  %48 = tail call i32 @PyType_IsSubtype(ptr noundef %45, ptr noundef %43) #6
  %49 = icmp eq i32 %48, 0
  br i1 %49, label %121, label %50

50:                                               ; preds = %47, %42, %40
  %51 = getelementptr inbounds nuw i8, ptr %12, i64 48
  %52 = load ptr, ptr %51, align 8
  %53 = icmp eq ptr %52, null
  br i1 %53, label %121, label %54

54:                                               ; preds = %50
  %55 = icmp eq ptr %52, @_Py_NoneStruct
  br i1 %55, label %61, label %56

56:                                               ; preds = %54
  %57 = getelementptr inbounds nuw i8, ptr %52, i64 8
  %58 = load ptr, ptr %57, align 8
  %59 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %60 = icmp eq ptr %58, %59
  br i1 %60, label %61, label %121

61:                                               ; preds = %54, %56
  %62 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %63 = load ptr, ptr %62, align 8
  %64 = load ptr, ptr @eager, align 8
  %65 = getelementptr inbounds nuw i8, ptr %63, i64 8
  %66 = load ptr, ptr %65, align 8
  %67 = icmp eq ptr %66, %64
  br i1 %67, label %71, label %68

68:                                               ; preds = %61
  %69 = tail call i32 @PyType_IsSubtype(ptr noundef %66, ptr noundef %64) #6
  %70 = icmp eq i32 %69, 0
  br i1 %70, label %121, label %71

71:                                               ; preds = %68, %61
  %72 = getelementptr inbounds nuw i8, ptr %63, i64 32
  %73 = load ptr, ptr %72, align 8
  %74 = tail call zeroext i1 @native_is_array(ptr noundef %73) #6
  br i1 %74, label %75, label %121

75:                                               ; preds = %71
  %76 = getelementptr inbounds nuw i8, ptr %63, i64 24
  %77 = load ptr, ptr %76, align 8
  %78 = icmp eq ptr %77, null
  br i1 %78, label %121, label %79

79:                                               ; preds = %75
  %80 = getelementptr inbounds nuw i8, ptr %63, i64 72
  %81 = load ptr, ptr %80, align 8
  %82 = icmp eq ptr %81, null
  br i1 %82, label %121, label %83

83:                                               ; preds = %79
  %84 = getelementptr inbounds nuw i8, ptr %63, i64 64
  %85 = load ptr, ptr %84, align 8
  %86 = icmp eq ptr %85, null
  br i1 %86, label %121, label %87

87:                                               ; preds = %83
  %88 = getelementptr inbounds nuw i8, ptr %63, i64 40
  %89 = load ptr, ptr %88, align 8
  %90 = icmp eq ptr %89, null
  br i1 %90, label %121, label %91

91:                                               ; preds = %87
  %92 = icmp eq ptr %89, @_Py_NoneStruct
  br i1 %92, label %101, label %93

93:                                               ; preds = %91
  %94 = load ptr, ptr @eager, align 8
  %95 = getelementptr inbounds nuw i8, ptr %89, i64 8
  %96 = load ptr, ptr %95, align 8
  %97 = icmp eq ptr %96, %94
  br i1 %97, label %101, label %98

98:                                               ; preds = %93
  %99 = tail call i32 @PyType_IsSubtype(ptr noundef %96, ptr noundef %94) #6
  %100 = icmp eq i32 %99, 0
  br i1 %100, label %121, label %101

101:                                              ; preds = %98, %93, %91
  %102 = getelementptr inbounds nuw i8, ptr %63, i64 48
  %103 = load ptr, ptr %102, align 8
  %104 = icmp eq ptr %103, null
  br i1 %104, label %121, label %105

105:                                              ; preds = %101
  %106 = icmp eq ptr %103, @_Py_NoneStruct
  br i1 %106, label %112, label %107

107:                                              ; preds = %105
  %108 = getelementptr inbounds nuw i8, ptr %103, i64 8
  %109 = load ptr, ptr %108, align 8
  %110 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %111 = icmp eq ptr %109, %110
  br i1 %111, label %112, label %121

112:                                              ; preds = %105, %107
  %113 = load ptr, ptr %1, align 8
  %114 = load ptr, ptr %62, align 8
  %115 = tail call i32 @native_overwrite(ptr noundef %113, ptr noundef %114) #5
  %116 = icmp sgt i32 %115, 0
  br i1 %116, label %117, label %119

117:                                              ; preds = %112
  %118 = load ptr, ptr %1, align 8
  br label %121

119:                                              ; preds = %112
  %120 = icmp eq i32 %115, 0
  br i1 %120, label %121, label %123

121:                                              ; preds = %119, %7, %56, %107, %3, %17, %50, %47, %36, %32, %28, %24, %20, %68, %101, %98, %87, %83, %79, %75, %71, %117
  %122 = phi ptr [ %118, %117 ], [ @_Py_NotImplementedStruct, %7 ], [ @_Py_NotImplementedStruct, %71 ], [ @_Py_NotImplementedStruct, %75 ], [ @_Py_NotImplementedStruct, %79 ], [ @_Py_NotImplementedStruct, %83 ], [ @_Py_NotImplementedStruct, %87 ], [ @_Py_NotImplementedStruct, %98 ], [ @_Py_NotImplementedStruct, %101 ], [ @_Py_NotImplementedStruct, %68 ], [ @_Py_NotImplementedStruct, %20 ], [ @_Py_NotImplementedStruct, %24 ], [ @_Py_NotImplementedStruct, %28 ], [ @_Py_NotImplementedStruct, %32 ], [ @_Py_NotImplementedStruct, %36 ], [ @_Py_NotImplementedStruct, %47 ], [ @_Py_NotImplementedStruct, %50 ], [ @_Py_NotImplementedStruct, %17 ], [ @_Py_NotImplementedStruct, %3 ], [ @_Py_NotImplementedStruct, %107 ], [ @_Py_NotImplementedStruct, %56 ], [ @_Py_NotImplementedStruct, %119 ]
  tail call void @Py_IncRef(ptr noundef %122) #6
  br label %123

123:                                              ; preds = %121, %119
  %124 = phi ptr [ null, %119 ], [ %122, %121 ]
  ret ptr %124
}

declare hidden zeroext i1 @native_is_usual(ptr noundef) local_unnamed_addr #1

declare ptr @pthread_getspecific(i32 noundef) local_unnamed_addr #1

declare ptr @memmove(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #1

declare hidden zeroext i1 @native_is_array(ptr noundef) local_unnamed_addr #1

declare i32 @PyType_IsSubtype(ptr noundef, ptr noundef) local_unnamed_addr #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.vector.reduce.mul.v2i64(<2 x i64>) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #4

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #1 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #5 = { nobuiltin "no-builtins" }
attributes #6 = { nobuiltin nounwind "no-builtins" }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = distinct !{!2, !3, !4, !5}
!3 = !{!"llvm.loop.mustprogress"}
!4 = !{!"llvm.loop.isvectorized", i32 1}
!5 = !{!"llvm.loop.unroll.runtime.disable"}
!6 = distinct !{!6, !3, !5, !4}
!7 = distinct !{!7, !3}
!8 = distinct !{!8, !3}
!9 = distinct !{!9, !3}
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.unroll.disable"}
!12 = distinct !{!12, !11}
!13 = distinct !{!13, !11}
!14 = distinct !{!14, !3}
