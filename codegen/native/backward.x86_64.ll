; backward.c as LLVM text, by clang 22.1.8; `make native` makes it anew.
; sources: 38c8a2171d7e753df95bbc4c2439b0d8d49272e3601e50ee3ca927d6c1debb6e
; text: 01162f5b8e8b5bb832709add8ed33ac2679be1289a9c4b7a65de756bcbbc292c
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.object = type { i32, i32, ptr }
%struct.eager_setup = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, ptr, ptr, ptr, ptr, ptr, ptr, [19 x ptr] }
%struct.feed = type { ptr, i64, ptr, i64 }
%struct.pass = type { ptr, ptr, ptr, i32, i32, i32, ptr }
%struct.item = type { ptr, ptr, i64 }

@_Py_NotImplementedStruct = external global %struct.object, align 8
@native_mode_key = external hidden local_unnamed_addr global i32, align 4
@eager = external hidden local_unnamed_addr global %struct.eager_setup, align 8
@_Py_NoneStruct = external global %struct.object, align 8
@_Py_FalseStruct = external global %struct.object, align 8
@PyTuple_Type = external constant i8, align 1

; Function Attrs: nounwind
define ptr @penstock_eager_backward(ptr noundef readnone captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #0 {
  %4 = alloca [8 x ptr], align 16
  %5 = alloca %struct.feed, align 8
  %6 = alloca %struct.pass, align 8
  %7 = load ptr, ptr %1, align 8
  %8 = load i32, ptr @native_mode_key, align 4
  %9 = tail call ptr @pthread_getspecific(i32 noundef %8) #6
  %10 = ptrtoint ptr %9 to i64
  %11 = and i64 %10, 4294967295
  %12 = icmp eq i64 %11, 0
  br i1 %12, label %71, label %13

13:                                               ; preds = %3
  %14 = load ptr, ptr %1, align 8
  %15 = load ptr, ptr @eager, align 8
  %16 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %17 = load ptr, ptr %16, align 8
  %18 = icmp eq ptr %17, %15
  br i1 %18, label %22, label %19

19:                                               ; preds = %13
  %20 = tail call i32 @PyType_IsSubtype(ptr noundef %17, ptr noundef %15) #6
  %21 = icmp eq i32 %20, 0
  br i1 %21, label %71, label %22

22:                                               ; preds = %19, %13
  %23 = getelementptr inbounds nuw i8, ptr %14, i64 32
  %24 = load ptr, ptr %23, align 8
  %25 = tail call zeroext i1 @native_is_array(ptr noundef %24) #6
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
  %45 = load ptr, ptr @eager, align 8
  %46 = getelementptr inbounds nuw i8, ptr %40, i64 8
  %47 = load ptr, ptr %46, align 8
  %48 = icmp eq ptr %47, %45
  br i1 %48, label %52, label %49

49:                                               ; preds = %44
  %50 = tail call i32 @PyType_IsSubtype(ptr noundef %47, ptr noundef %45) #6
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
  %61 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
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
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #6
  br label %574

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
  %87 = load ptr, ptr @eager, align 8
  %88 = getelementptr inbounds nuw i8, ptr %74, i64 8
  %89 = load ptr, ptr %88, align 8
  %90 = icmp eq ptr %89, %87
  br i1 %90, label %94, label %91

91:                                               ; preds = %86
  %92 = tail call i32 @PyType_IsSubtype(ptr noundef %89, ptr noundef %87) #6
  %93 = icmp eq i32 %92, 0
  br i1 %93, label %135, label %94

94:                                               ; preds = %91, %86
  %95 = getelementptr inbounds nuw i8, ptr %74, i64 32
  %96 = load ptr, ptr %95, align 8
  %97 = tail call zeroext i1 @native_is_array(ptr noundef %96) #6
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
  %117 = load ptr, ptr @eager, align 8
  %118 = getelementptr inbounds nuw i8, ptr %112, i64 8
  %119 = load ptr, ptr %118, align 8
  %120 = icmp eq ptr %119, %117
  br i1 %120, label %124, label %121

121:                                              ; preds = %116
  %122 = tail call i32 @PyType_IsSubtype(ptr noundef %119, ptr noundef %117) #6
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
  %133 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %134 = icmp eq ptr %132, %133
  br i1 %134, label %136, label %135

135:                                              ; preds = %130, %124, %121, %110, %106, %102, %98, %94, %91
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #6
  br label %574

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
  br i1 %159, label %167, label %160, !llvm.loop !2

160:                                              ; preds = %157, %151
  %161 = phi i64 [ 0, %151 ], [ %158, %157 ]
  %162 = getelementptr inbounds nuw i64, ptr %153, i64 %161
  %163 = load i64, ptr %162, align 8
  %164 = getelementptr inbounds nuw i64, ptr %155, i64 %161
  %165 = load i64, ptr %164, align 8
  %166 = icmp eq i64 %163, %165
  br i1 %166, label %157, label %168

167:                                              ; preds = %157, %149
  tail call void @Py_IncRef(ptr noundef %137) #6
  br label %202

168:                                              ; preds = %160, %143, %136
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #6
  br label %574

169:                                              ; preds = %172
  %170 = add nuw nsw i64 %173, 1
  %171 = icmp eq i64 %170, %85
  br i1 %171, label %178, label %172, !llvm.loop !4

172:                                              ; preds = %169, %82
  %173 = phi i64 [ 0, %82 ], [ %170, %169 ]
  %174 = getelementptr inbounds nuw i64, ptr %84, i64 %173
  %175 = load i64, ptr %174, align 8
  %176 = icmp eq i64 %175, 1
  br i1 %176, label %169, label %177

177:                                              ; preds = %172
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #6
  br label %574

178:                                              ; preds = %169, %78
  %179 = getelementptr inbounds nuw i8, ptr %76, i64 56
  %180 = load ptr, ptr %179, align 8
  %181 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 128), align 8
  %182 = icmp eq ptr %180, %181
  %183 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 136), align 8
  %184 = icmp eq ptr %180, %183
  %185 = select i1 %182, i1 true, i1 %184
  br i1 %185, label %187, label %186

186:                                              ; preds = %178
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #6
  br label %574

187:                                              ; preds = %178
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #7
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
  %194 = call ptr @native_array(ptr noundef nonnull %5) #6
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
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #7
  br label %202

202:                                              ; preds = %167, %201
  %203 = phi ptr [ %194, %201 ], [ %137, %167 ]
  %204 = icmp eq ptr %203, null
  %205 = icmp eq ptr %203, @_Py_NotImplementedStruct
  %206 = or i1 %204, %205
  br i1 %206, label %574, label %207

207:                                              ; preds = %202
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #7
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %6, i8 0, i64 40, i1 false)
  %208 = getelementptr inbounds nuw i8, ptr %6, i64 40
  %209 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %210 = load ptr, ptr %209, align 8
  store ptr %210, ptr %208, align 8
  %211 = load ptr, ptr %68, align 8
  %212 = getelementptr inbounds nuw i8, ptr %7, i64 64
  %213 = load ptr, ptr %212, align 8
  %214 = call fastcc zeroext i1 @add_to(ptr noundef %6, ptr noundef %211, ptr noundef %213, ptr noundef nonnull %203) #8
  %215 = getelementptr inbounds nuw i8, ptr %6, i64 32
  %216 = load i32, ptr %215, align 8
  %217 = icmp ne i32 %216, 0
  %218 = select i1 %214, i1 %217, i1 false
  br i1 %218, label %219, label %543

219:                                              ; preds = %207
  %220 = getelementptr inbounds nuw i8, ptr %6, i64 16
  br label %221

221:                                              ; preds = %219, %538
  %222 = phi i32 [ %216, %219 ], [ %539, %538 ]
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
  br i1 %273, label %235, label %274, !llvm.loop !5

274:                                              ; preds = %269
  br label %275, !llvm.loop !5

275:                                              ; preds = %257, %274, %221
  %276 = phi i64 [ 0, %221 ], [ %259, %274 ], [ %268, %257 ]
  %277 = getelementptr inbounds i32, ptr %223, i64 %276
  store i32 %228, ptr %277, align 4
  %278 = sext i32 %224 to i64
  %279 = getelementptr inbounds %struct.item, ptr %230, i64 %278
  %280 = load ptr, ptr %279, align 8
  call void @Py_IncRef(ptr noundef %280) #6
  %281 = getelementptr inbounds nuw i8, ptr %279, i64 8
  %282 = load ptr, ptr %281, align 8
  store ptr null, ptr %281, align 8
  %283 = call i32 @PyErr_CheckSignals() #6
  %284 = icmp eq i32 %283, 0
  br i1 %284, label %285, label %538

285:                                              ; preds = %275
  %286 = getelementptr inbounds nuw i8, ptr %280, i64 8
  %287 = load ptr, ptr %286, align 8
  %288 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 16), align 8
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
  %297 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 24), align 8
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
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #7
  br label %425

306:                                              ; preds = %299
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #7
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
  %323 = call i64 @PyTuple_Size(ptr noundef nonnull %316) #6
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
  %335 = call ptr @PyTuple_GetItem(ptr noundef nonnull %316, i64 noundef %334) #6
  %336 = or disjoint i64 %334, 1
  %337 = call ptr @PyTuple_GetItem(ptr noundef nonnull %316, i64 noundef %336) #6
  %338 = or disjoint i64 %334, 2
  %339 = call ptr @PyTuple_GetItem(ptr noundef nonnull %316, i64 noundef %338) #6
  %340 = or disjoint i64 %334, 3
  %341 = call ptr @PyTuple_GetItem(ptr noundef nonnull %316, i64 noundef %340) #6
  %342 = icmp eq ptr %335, @_Py_NoneStruct
  br i1 %342, label %343, label %350

343:                                              ; preds = %332
  %344 = getelementptr inbounds nuw i8, ptr %339, i64 8
  %345 = load ptr, ptr %344, align 8
  %346 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %347 = icmp eq ptr %345, %346
  br i1 %347, label %348, label %425

348:                                              ; preds = %343
  %349 = getelementptr inbounds nuw i8, ptr %339, i64 16
  br label %416

350:                                              ; preds = %332
  %351 = load ptr, ptr @eager, align 8
  %352 = getelementptr inbounds nuw i8, ptr %335, i64 8
  %353 = load ptr, ptr %352, align 8
  %354 = icmp eq ptr %353, %351
  br i1 %354, label %358, label %355

355:                                              ; preds = %350
  %356 = call i32 @PyType_IsSubtype(ptr noundef %353, ptr noundef %351) #6
  %357 = icmp eq i32 %356, 0
  br i1 %357, label %425, label %358

358:                                              ; preds = %355, %350
  %359 = getelementptr inbounds nuw i8, ptr %335, i64 32
  %360 = load ptr, ptr %359, align 8
  %361 = call zeroext i1 @native_is_array(ptr noundef %360) #6
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
  %381 = load ptr, ptr @eager, align 8
  %382 = getelementptr inbounds nuw i8, ptr %376, i64 8
  %383 = load ptr, ptr %382, align 8
  %384 = icmp eq ptr %383, %381
  br i1 %384, label %388, label %385

385:                                              ; preds = %380
  %386 = call i32 @PyType_IsSubtype(ptr noundef %383, ptr noundef %381) #6
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
  %397 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
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
  %412 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %413 = icmp eq ptr %411, %412
  br i1 %413, label %414, label %416

414:                                              ; preds = %409
  %415 = getelementptr inbounds nuw i8, ptr %407, i64 16
  br label %416

416:                                              ; preds = %414, %409, %402, %348
  %417 = phi ptr [ %349, %348 ], [ %415, %414 ], [ getelementptr inbounds nuw (i8, ptr @eager, i64 48), %409 ], [ getelementptr inbounds nuw (i8, ptr @eager, i64 48), %402 ]
  %418 = load ptr, ptr %417, align 8
  %419 = icmp eq ptr %418, %341
  br i1 %419, label %420, label %425

420:                                              ; preds = %416
  %421 = getelementptr inbounds nuw ptr, ptr %4, i64 %333
  store ptr %337, ptr %421, align 8
  %422 = add nuw nsw i64 %333, 1
  %423 = load i64, ptr %324, align 8
  %424 = icmp slt i64 %422, %423
  br i1 %424, label %332, label %427, !llvm.loop !6

425:                                              ; preds = %416, %399, %394, %388, %385, %374, %370, %366, %362, %358, %355, %343, %322, %318, %314, %310, %306, %305
  %426 = call fastcc zeroext i1 @step_in_python(ptr noundef nonnull %6, ptr noundef %280, ptr noundef %282) #8
  br label %535

427:                                              ; preds = %420, %330
  %428 = phi i64 [ %325, %330 ], [ %423, %420 ]
  %429 = getelementptr inbounds ptr, ptr %4, i64 %428
  store ptr %282, ptr %429, align 8
  %430 = load ptr, ptr %315, align 8
  call void @Py_IncRef(ptr noundef %430) #6
  %431 = load ptr, ptr %291, align 8
  call void @Py_IncRef(ptr noundef %431) #6
  %432 = getelementptr inbounds nuw i8, ptr %280, i64 48
  %433 = load ptr, ptr %432, align 8
  call void @Py_IncRef(ptr noundef %433) #6
  %434 = load i64, ptr %302, align 8
  %435 = icmp eq i64 %434, 0
  br i1 %435, label %460, label %436

436:                                              ; preds = %427
  %437 = getelementptr inbounds nuw i8, ptr %301, i64 40
  %438 = load ptr, ptr %437, align 8
  %439 = icmp eq ptr %438, null
  br i1 %439, label %446, label %440

440:                                              ; preds = %436
  %441 = load i64, ptr %324, align 8
  %442 = getelementptr inbounds nuw i8, ptr %301, i64 48
  %443 = load i64, ptr %442, align 8
  %444 = add nsw i64 %443, %441
  %445 = call fastcc ptr @call(ptr noundef nonnull %438, ptr noundef %4, i64 noundef %444) #8
  br label %450

446:                                              ; preds = %436
  %447 = getelementptr inbounds nuw i8, ptr %301, i64 80
  %448 = load ptr, ptr %447, align 8
  %449 = call ptr @native_view(ptr noundef %448, ptr noundef %282) #6
  br label %450

450:                                              ; preds = %446, %440
  %451 = phi ptr [ %449, %446 ], [ %445, %440 ]
  %452 = icmp eq ptr %451, @_Py_NotImplementedStruct
  br i1 %452, label %453, label %455

453:                                              ; preds = %450
  %454 = call fastcc zeroext i1 @step_in_python(ptr noundef nonnull %6, ptr noundef nonnull %280, ptr noundef %282) #8
  br label %530

455:                                              ; preds = %450
  %456 = load i64, ptr %302, align 8
  %457 = icmp eq i64 %456, 0
  %458 = icmp ne ptr %451, null
  %459 = or i1 %458, %457
  br i1 %459, label %460, label %533

460:                                              ; preds = %455, %427
  %461 = phi ptr [ %451, %455 ], [ null, %427 ]
  %462 = load ptr, ptr %208, align 8
  %463 = icmp eq ptr %462, @_Py_FalseStruct
  br i1 %463, label %464, label %471

464:                                              ; preds = %460
  %465 = load i64, ptr %324, align 8
  %466 = icmp eq i64 %465, 0
  br i1 %466, label %471, label %467

467:                                              ; preds = %464
  call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #6
  %468 = load ptr, ptr %315, align 8
  store ptr @_Py_NoneStruct, ptr %315, align 8
  %469 = icmp eq ptr %468, null
  br i1 %469, label %471, label %470

470:                                              ; preds = %467
  call void @Py_DecRef(ptr noundef nonnull %468) #6
  br label %471

471:                                              ; preds = %470, %467, %464, %460
  %472 = getelementptr inbounds nuw i8, ptr %301, i64 64
  %473 = getelementptr inbounds nuw i8, ptr %301, i64 72
  %474 = load i64, ptr %472, align 8
  %475 = icmp slt i64 %474, 1
  br i1 %475, label %527, label %476

476:                                              ; preds = %471, %523
  %477 = phi i64 [ %496, %523 ], [ 0, %471 ]
  %478 = phi i64 [ %524, %523 ], [ 0, %471 ]
  %479 = load ptr, ptr %473, align 8
  %480 = shl nuw nsw i64 %478, 1
  %481 = getelementptr inbounds nuw i64, ptr %479, i64 %480
  %482 = load i64, ptr %481, align 8
  %483 = call ptr @PySequence_GetItem(ptr noundef %433, i64 noundef %482) #6
  %484 = load ptr, ptr %473, align 8
  %485 = getelementptr inbounds nuw i64, ptr %484, i64 %480
  %486 = getelementptr inbounds nuw i8, ptr %485, i64 8
  %487 = load i64, ptr %486, align 8
  %488 = icmp eq i64 %487, 0
  br i1 %488, label %495, label %489

489:                                              ; preds = %476
  %490 = load i64, ptr %302, align 8
  %491 = icmp eq i64 %490, 1
  br i1 %491, label %495, label %492

492:                                              ; preds = %489
  %493 = add nsw i64 %477, 1
  %494 = call ptr @PyTuple_GetItem(ptr noundef %461, i64 noundef %477) #6
  br label %495

495:                                              ; preds = %492, %489, %476
  %496 = phi i64 [ %493, %492 ], [ %477, %476 ], [ %477, %489 ]
  %497 = phi ptr [ %494, %492 ], [ %282, %476 ], [ %461, %489 ]
  %498 = icmp ne ptr %483, null
  %499 = icmp ne ptr %497, null
  %500 = select i1 %498, i1 %499, i1 false
  br i1 %500, label %501, label %519

501:                                              ; preds = %495
  %502 = icmp eq ptr %483, @_Py_NoneStruct
  br i1 %502, label %503, label %504

503:                                              ; preds = %501
  call void @Py_DecRef(ptr noundef nonnull @_Py_NoneStruct) #6
  br label %523

504:                                              ; preds = %501
  call void @Py_IncRef(ptr noundef nonnull %497) #6
  %505 = getelementptr inbounds nuw i8, ptr %483, i64 8
  %506 = load ptr, ptr %505, align 8
  %507 = icmp eq ptr %506, @PyTuple_Type
  br i1 %507, label %510, label %508

508:                                              ; preds = %504
  %509 = call fastcc zeroext i1 @add_to(ptr noundef nonnull %6, ptr noundef nonnull %483, ptr noundef null, ptr noundef nonnull %497) #8
  br label %519

510:                                              ; preds = %504
  %511 = call ptr @PyTuple_GetItem(ptr noundef nonnull %483, i64 noundef 0) #6
  %512 = call ptr @PyTuple_GetItem(ptr noundef nonnull %483, i64 noundef 1) #6
  %513 = icmp ne ptr %511, null
  %514 = icmp ne ptr %512, null
  %515 = select i1 %513, i1 %514, i1 false
  br i1 %515, label %516, label %518

516:                                              ; preds = %510
  %517 = call fastcc zeroext i1 @add_to(ptr noundef nonnull %6, ptr noundef nonnull %511, ptr noundef nonnull %512, ptr noundef nonnull %497) #8
  br label %519

518:                                              ; preds = %510
  call void @Py_DecRef(ptr noundef nonnull %497) #6
  br label %519

519:                                              ; preds = %518, %516, %508, %495
  %520 = phi i1 [ false, %495 ], [ %509, %508 ], [ %517, %516 ], [ false, %518 ]
  br i1 %498, label %521, label %522

521:                                              ; preds = %519
  call void @Py_DecRef(ptr noundef nonnull %483) #6
  br i1 %520, label %523, label %527

522:                                              ; preds = %519
  br i1 %520, label %523, label %527

523:                                              ; preds = %503, %522, %521
  %524 = add nuw nsw i64 %478, 1
  %525 = load i64, ptr %472, align 8
  %526 = icmp slt i64 %524, %525
  br i1 %526, label %476, label %527, !llvm.loop !7

527:                                              ; preds = %523, %521, %522, %471
  %528 = phi i1 [ true, %471 ], [ false, %522 ], [ false, %521 ], [ true, %523 ]
  %529 = icmp eq ptr %461, null
  br i1 %529, label %533, label %530

530:                                              ; preds = %527, %453
  %531 = phi i1 [ %454, %453 ], [ %528, %527 ]
  %532 = phi ptr [ @_Py_NotImplementedStruct, %453 ], [ %461, %527 ]
  call void @Py_DecRef(ptr noundef nonnull %532) #6
  br label %533

533:                                              ; preds = %530, %527, %455
  %534 = phi i1 [ %528, %527 ], [ %531, %530 ], [ false, %455 ]
  call void @Py_DecRef(ptr noundef %433) #6
  call void @Py_DecRef(ptr noundef %431) #6
  call void @Py_DecRef(ptr noundef %430) #6
  br label %535

535:                                              ; preds = %425, %533
  %536 = phi i1 [ %534, %533 ], [ %426, %425 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #7
  %537 = load i32, ptr %215, align 8
  br label %538

538:                                              ; preds = %535, %275
  %539 = phi i32 [ %225, %275 ], [ %537, %535 ]
  %540 = phi i1 [ false, %275 ], [ %536, %535 ]
  call void @Py_DecRef(ptr noundef %282) #6
  call void @Py_DecRef(ptr noundef %280) #6
  %541 = icmp ne i32 %539, 0
  %542 = select i1 %540, i1 %541, i1 false
  br i1 %542, label %221, label %543, !llvm.loop !8

543:                                              ; preds = %538, %207
  %544 = phi i1 [ %214, %207 ], [ %540, %538 ]
  br i1 %544, label %545, label %547

545:                                              ; preds = %543
  %546 = call fastcc zeroext i1 @finish(ptr noundef %6) #8
  br label %547

547:                                              ; preds = %545, %543
  %548 = phi i1 [ false, %543 ], [ %546, %545 ]
  %549 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %550 = load i32, ptr %549, align 8
  %551 = icmp sgt i32 %550, 0
  %552 = load ptr, ptr %6, align 8
  br i1 %551, label %553, label %555

553:                                              ; preds = %547
  %554 = zext nneg i32 %550 to i64
  br label %560

555:                                              ; preds = %568, %547
  call void @free(ptr noundef %552) #6
  %556 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %557 = load ptr, ptr %556, align 8
  call void @free(ptr noundef %557) #6
  %558 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %559 = load ptr, ptr %558, align 8
  call void @free(ptr noundef %559) #6
  br i1 %548, label %571, label %572

560:                                              ; preds = %553, %568
  %561 = phi i64 [ 0, %553 ], [ %569, %568 ]
  %562 = getelementptr inbounds nuw %struct.item, ptr %552, i64 %561
  %563 = load ptr, ptr %562, align 8
  call void @Py_DecRef(ptr noundef %563) #6
  %564 = getelementptr inbounds nuw i8, ptr %562, i64 8
  %565 = load ptr, ptr %564, align 8
  %566 = icmp eq ptr %565, null
  br i1 %566, label %568, label %567

567:                                              ; preds = %560
  call void @Py_DecRef(ptr noundef nonnull %565) #6
  br label %568

568:                                              ; preds = %560, %567
  %569 = add nuw nsw i64 %561, 1
  %570 = icmp eq i64 %569, %554
  br i1 %570, label %555, label %560, !llvm.loop !9

571:                                              ; preds = %555
  call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #6
  br label %572

572:                                              ; preds = %555, %571
  %573 = phi ptr [ @_Py_NoneStruct, %571 ], [ null, %555 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #7
  br label %574

574:                                              ; preds = %186, %135, %177, %168, %572, %202, %71
  %575 = phi ptr [ @_Py_NotImplementedStruct, %71 ], [ %573, %572 ], [ %203, %202 ], [ @_Py_NotImplementedStruct, %168 ], [ @_Py_NotImplementedStruct, %177 ], [ @_Py_NotImplementedStruct, %135 ], [ @_Py_NotImplementedStruct, %186 ]
  ret ptr %575
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #2

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
  br i1 %36, label %39, label %24, !llvm.loop !10

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
  %45 = load ptr, ptr @eager, align 8
  %46 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %47 = load ptr, ptr %46, align 8
  %48 = icmp eq ptr %47, %45
  br i1 %48, label %71, label %49

49:                                               ; preds = %44
  %50 = tail call i32 @PyType_IsSubtype(ptr noundef %47, ptr noundef %45) #6
  %51 = icmp eq i32 %50, 0
  br i1 %51, label %52, label %71

52:                                               ; preds = %49
  %53 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 8), align 8
  %54 = load ptr, ptr %46, align 8
  %55 = icmp eq ptr %54, %53
  br i1 %55, label %59, label %56

56:                                               ; preds = %52
  %57 = tail call i32 @PyType_IsSubtype(ptr noundef %54, ptr noundef %53) #6
  %58 = icmp eq i32 %57, 0
  br i1 %58, label %66, label %59

59:                                               ; preds = %52, %56
  %60 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %61 = load ptr, ptr %60, align 8
  %62 = icmp eq ptr %61, null
  br i1 %62, label %66, label %63

63:                                               ; preds = %59
  %64 = tail call i64 @PyLong_AsLongLong(ptr noundef nonnull %61) #6
  %65 = icmp slt i64 %64, 0
  br i1 %65, label %66, label %71

66:                                               ; preds = %56, %59, %63
  %67 = phi i64 [ %64, %63 ], [ -1, %59 ], [ -1, %56 ]
  %68 = tail call ptr @PyErr_Occurred() #6
  %69 = icmp eq ptr %68, null
  br i1 %69, label %70, label %71

70:                                               ; preds = %66
  tail call void @PyErr_BadInternalCall() #6
  br label %71

71:                                               ; preds = %44, %63, %66, %70, %49
  %72 = phi i64 [ -1, %49 ], [ %67, %66 ], [ %67, %70 ], [ %64, %63 ], [ -1, %44 ]
  %73 = tail call ptr @PyErr_Occurred() #6
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
  %87 = tail call ptr @realloc(ptr noundef %85, i64 noundef %86) #6
  %88 = icmp ne ptr %87, null
  br i1 %88, label %89, label %90

89:                                               ; preds = %80
  store ptr %87, ptr %0, align 8
  br label %90

90:                                               ; preds = %89, %80
  %91 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %92 = load ptr, ptr %91, align 8
  %93 = shl nsw i64 %84, 2
  %94 = tail call ptr @realloc(ptr noundef %92, i64 noundef %93) #6
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
  %102 = tail call ptr @realloc(ptr noundef %99, i64 noundef %101) #6
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
  br i1 %119, label %120, label %114, !llvm.loop !11

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
  br i1 %131, label %124, label %127, !llvm.loop !14

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
  br i1 %163, label %164, label %151, !llvm.loop !10

164:                                              ; preds = %158, %151, %132
  %165 = phi i64 [ %145, %132 ], [ %160, %158 ], [ %153, %151 ]
  %166 = getelementptr inbounds nuw i32, ptr %144, i64 %165
  %167 = trunc nuw nsw i64 %133 to i32
  store i32 %167, ptr %166, align 4
  %168 = add nuw nsw i64 %133, 1
  %169 = load i32, ptr %76, align 8
  %170 = sext i32 %169 to i64
  %171 = icmp slt i64 %168, %170
  br i1 %171, label %132, label %175, !llvm.loop !15

172:                                              ; preds = %97, %104
  %173 = tail call ptr @PyErr_NoMemory() #6
  br label %174

174:                                              ; preds = %172, %71
  tail call void @Py_DecRef(ptr noundef %3) #6
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
  br i1 %205, label %206, label %193, !llvm.loop !10

206:                                              ; preds = %193, %200, %175
  %207 = phi i64 [ %187, %175 ], [ %195, %193 ], [ %202, %200 ]
  %208 = getelementptr inbounds nuw i32, ptr %186, i64 %207
  %209 = add nsw i32 %176, 1
  store i32 %209, ptr %76, align 8
  store i32 %176, ptr %208, align 4
  %210 = load ptr, ptr %0, align 8
  %211 = sext i32 %176 to i64
  %212 = getelementptr inbounds %struct.item, ptr %210, i64 %211
  tail call void @Py_IncRef(ptr noundef %1) #6
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
  br i1 %254, label %255, label %234, !llvm.loop !16

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
  %265 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 16), align 8
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
  %274 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 24), align 8
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
  %286 = tail call ptr @PyDict_New() #6
  store ptr %286, ptr %225, align 8
  %287 = icmp eq ptr %286, null
  br i1 %287, label %294, label %288

288:                                              ; preds = %282, %285
  %289 = phi ptr [ %286, %285 ], [ %283, %282 ]
  %290 = tail call ptr @PyDict_GetItem(ptr noundef nonnull %289, ptr noundef %2) #6
  %291 = icmp eq ptr %290, null
  br i1 %291, label %294, label %292

292:                                              ; preds = %288
  tail call void @Py_IncRef(ptr noundef nonnull %290) #6
  %293 = tail call fastcc ptr @sum(ptr noundef nonnull %290, ptr noundef %3) #8
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
  %305 = tail call i32 @PyDict_SetItem(ptr noundef %304, ptr noundef %2, ptr noundef nonnull %295) #6
  %306 = icmp eq i32 %305, 0
  br label %308

307:                                              ; preds = %294
  br i1 %298, label %308, label %323

308:                                              ; preds = %300, %307
  %309 = phi i1 [ %306, %300 ], [ false, %307 ]
  tail call void @Py_DecRef(ptr noundef nonnull %295) #6
  br label %323

310:                                              ; preds = %216, %276, %255
  %311 = getelementptr inbounds nuw i8, ptr %220, i64 8
  %312 = load ptr, ptr %311, align 8
  %313 = icmp eq ptr %312, null
  br i1 %313, label %317, label %314

314:                                              ; preds = %310
  store ptr null, ptr %311, align 8
  %315 = tail call fastcc ptr @sum(ptr noundef nonnull %312, ptr noundef %3) #8
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

declare i32 @PyErr_CheckSignals() local_unnamed_addr #3

declare void @Py_DecRef(ptr noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nounwind
define internal fastcc zeroext i1 @finish(ptr noundef nonnull readonly captures(none) %0) unnamed_addr #0 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %3 = load i32, ptr %2, align 8
  %4 = icmp sgt i32 %3, 0
  br i1 %4, label %8, label %5

5:                                                ; preds = %81, %1
  %6 = load i32, ptr %2, align 8
  %7 = icmp sgt i32 %6, 0
  br i1 %7, label %86, label %221

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
  br i1 %19, label %152, label %20

20:                                               ; preds = %15
  %21 = icmp eq ptr %18, @_Py_NoneStruct
  br i1 %21, label %71, label %22

22:                                               ; preds = %20
  %23 = load ptr, ptr @eager, align 8
  %24 = getelementptr inbounds nuw i8, ptr %18, i64 8
  %25 = load ptr, ptr %24, align 8
  %26 = icmp eq ptr %25, %23
  br i1 %26, label %30, label %27

27:                                               ; preds = %22
  %28 = tail call i32 @PyType_IsSubtype(ptr noundef %25, ptr noundef %23) #6
  %29 = icmp eq i32 %28, 0
  br i1 %29, label %152, label %30

30:                                               ; preds = %27, %22
  %31 = getelementptr inbounds nuw i8, ptr %18, i64 32
  %32 = load ptr, ptr %31, align 8
  %33 = tail call zeroext i1 @native_is_array(ptr noundef %32) #6
  br i1 %33, label %34, label %152

34:                                               ; preds = %30
  %35 = getelementptr inbounds nuw i8, ptr %18, i64 24
  %36 = load ptr, ptr %35, align 8
  %37 = icmp eq ptr %36, null
  br i1 %37, label %152, label %38

38:                                               ; preds = %34
  %39 = getelementptr inbounds nuw i8, ptr %18, i64 72
  %40 = load ptr, ptr %39, align 8
  %41 = icmp eq ptr %40, null
  br i1 %41, label %152, label %42

42:                                               ; preds = %38
  %43 = getelementptr inbounds nuw i8, ptr %18, i64 64
  %44 = load ptr, ptr %43, align 8
  %45 = icmp eq ptr %44, null
  br i1 %45, label %152, label %46

46:                                               ; preds = %42
  %47 = getelementptr inbounds nuw i8, ptr %18, i64 40
  %48 = load ptr, ptr %47, align 8
  %49 = icmp eq ptr %48, null
  br i1 %49, label %152, label %50

50:                                               ; preds = %46
  %51 = icmp eq ptr %48, @_Py_NoneStruct
  br i1 %51, label %60, label %52

52:                                               ; preds = %50
  %53 = load ptr, ptr @eager, align 8
  %54 = getelementptr inbounds nuw i8, ptr %48, i64 8
  %55 = load ptr, ptr %54, align 8
  %56 = icmp eq ptr %55, %53
  br i1 %56, label %60, label %57

57:                                               ; preds = %52
  %58 = tail call i32 @PyType_IsSubtype(ptr noundef %55, ptr noundef %53) #6
  %59 = icmp eq i32 %58, 0
  br i1 %59, label %152, label %60

60:                                               ; preds = %57, %52, %50
  %61 = getelementptr inbounds nuw i8, ptr %18, i64 48
  %62 = load ptr, ptr %61, align 8
  %63 = icmp eq ptr %62, null
  br i1 %63, label %152, label %64

64:                                               ; preds = %60
  %65 = icmp eq ptr %62, @_Py_NoneStruct
  br i1 %65, label %71, label %66

66:                                               ; preds = %64
  %67 = getelementptr inbounds nuw i8, ptr %62, i64 8
  %68 = load ptr, ptr %67, align 8
  %69 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %70 = icmp eq ptr %68, %69
  br i1 %70, label %71, label %152

71:                                               ; preds = %64, %66, %20
  %72 = getelementptr inbounds nuw i8, ptr %16, i64 56
  %73 = load ptr, ptr %72, align 8
  %74 = icmp eq ptr %73, @_Py_NoneStruct
  br i1 %74, label %75, label %152

75:                                               ; preds = %71
  %76 = load ptr, ptr %0, align 8
  %77 = getelementptr inbounds nuw %struct.item, ptr %76, i64 %9
  %78 = getelementptr inbounds nuw i8, ptr %77, i64 8
  %79 = load ptr, ptr %78, align 8
  %80 = tail call zeroext i1 @native_is_array(ptr noundef %79) #6
  br i1 %80, label %81, label %152

81:                                               ; preds = %8, %75
  %82 = add nuw nsw i64 %9, 1
  %83 = load i32, ptr %2, align 8
  %84 = sext i32 %83 to i64
  %85 = icmp slt i64 %82, %84
  br i1 %85, label %8, label %5, !llvm.loop !17

86:                                               ; preds = %5, %147
  %87 = phi i64 [ %148, %147 ], [ 0, %5 ]
  %88 = load ptr, ptr %0, align 8
  %89 = getelementptr inbounds nuw %struct.item, ptr %88, i64 %87
  %90 = getelementptr inbounds nuw i8, ptr %89, i64 16
  %91 = load i64, ptr %90, align 8
  %92 = icmp slt i64 %91, 0
  br i1 %92, label %93, label %147

93:                                               ; preds = %86
  %94 = load ptr, ptr %89, align 8
  %95 = getelementptr inbounds nuw i8, ptr %94, i64 16
  %96 = getelementptr inbounds nuw i8, ptr %89, i64 8
  br label %97

97:                                               ; preds = %144, %93
  %98 = load ptr, ptr %95, align 8
  tail call void @Py_IncRef(ptr noundef %98) #6
  %99 = icmp eq ptr %98, @_Py_NoneStruct
  br i1 %99, label %100, label %126

100:                                              ; preds = %97
  %101 = load ptr, ptr %96, align 8
  %102 = tail call zeroext i1 @native_is_array(ptr noundef %101) #6
  br i1 %102, label %103, label %122

103:                                              ; preds = %100
  %104 = tail call zeroext i1 @native_is_usual(ptr noundef %101) #6
  br i1 %104, label %105, label %123

105:                                              ; preds = %103, %120
  %106 = phi ptr [ %111, %120 ], [ %101, %103 ]
  %107 = load i32, ptr %106, align 8
  %108 = icmp eq i32 %107, 1
  br i1 %108, label %109, label %123

109:                                              ; preds = %105
  %110 = getelementptr inbounds nuw i8, ptr %106, i64 48
  %111 = load ptr, ptr %110, align 8
  %112 = icmp eq ptr %111, null
  br i1 %112, label %122, label %113

113:                                              ; preds = %109
  %114 = getelementptr inbounds nuw i8, ptr %111, i64 8
  %115 = load ptr, ptr %114, align 8
  %116 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 40), align 8
  %117 = icmp eq ptr %115, %116
  br i1 %117, label %122, label %118

118:                                              ; preds = %113
  %119 = tail call zeroext i1 @native_is_memory(ptr noundef nonnull %111) #6
  br i1 %119, label %122, label %120

120:                                              ; preds = %118
  %121 = tail call zeroext i1 @native_is_array(ptr noundef nonnull %111) #6
  br i1 %121, label %105, label %123

122:                                              ; preds = %118, %113, %109, %100
  tail call void @Py_IncRef(ptr noundef %101) #6
  br label %131

123:                                              ; preds = %120, %105, %103
  %124 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 112), align 8
  %125 = tail call ptr %124(ptr noundef %101, i32 noundef 0) #6
  br label %131

126:                                              ; preds = %97
  %127 = getelementptr inbounds nuw i8, ptr %98, i64 32
  %128 = load ptr, ptr %127, align 8
  tail call void @Py_IncRef(ptr noundef %128) #6
  %129 = load ptr, ptr %96, align 8
  tail call void @Py_IncRef(ptr noundef %129) #6
  %130 = tail call fastcc ptr @sum(ptr noundef %128, ptr noundef %129) #8
  br label %131

131:                                              ; preds = %126, %123, %122
  %132 = phi ptr [ %130, %126 ], [ %101, %122 ], [ %125, %123 ]
  %133 = icmp eq ptr %132, null
  br i1 %133, label %218, label %134

134:                                              ; preds = %131
  %135 = tail call ptr @native_new_tensor(ptr noundef nonnull %132) #6
  %136 = load ptr, ptr %95, align 8
  %137 = icmp ne ptr %136, %98
  %138 = icmp eq ptr %135, null
  %139 = select i1 %138, i1 true, i1 %137
  br i1 %139, label %143, label %140

140:                                              ; preds = %134
  store ptr %135, ptr %95, align 8
  %141 = icmp eq ptr %98, null
  br i1 %141, label %145, label %142

142:                                              ; preds = %140
  tail call void @Py_DecRef(ptr noundef nonnull %136) #6
  br label %145

143:                                              ; preds = %134
  br i1 %138, label %218, label %144

144:                                              ; preds = %143
  tail call void @Py_DecRef(ptr noundef nonnull %135) #6
  tail call void @Py_DecRef(ptr noundef %98) #6
  br i1 %137, label %97, label %147

145:                                              ; preds = %140, %142
  %146 = load ptr, ptr %96, align 8
  store ptr null, ptr %96, align 8
  tail call void @Py_DecRef(ptr noundef %146) #6
  tail call void @Py_DecRef(ptr noundef %98) #6
  br label %147

147:                                              ; preds = %144, %145, %86
  %148 = add nuw nsw i64 %87, 1
  %149 = load i32, ptr %2, align 8
  %150 = sext i32 %149 to i64
  %151 = icmp slt i64 %148, %150
  br i1 %151, label %86, label %221

152:                                              ; preds = %30, %34, %38, %42, %46, %57, %60, %27, %15, %66, %71, %75
  %153 = tail call ptr @PyList_New(i64 noundef 0) #6
  %154 = icmp eq ptr %153, null
  br i1 %154, label %221, label %155

155:                                              ; preds = %152
  %156 = load i32, ptr %2, align 8
  %157 = icmp sgt i32 %156, 0
  br i1 %157, label %158, label %211

158:                                              ; preds = %155, %206
  %159 = phi i64 [ %207, %206 ], [ 0, %155 ]
  %160 = load ptr, ptr %0, align 8
  %161 = getelementptr inbounds nuw %struct.item, ptr %160, i64 %159
  %162 = getelementptr inbounds nuw i8, ptr %161, i64 16
  %163 = load i64, ptr %162, align 8
  %164 = icmp sgt i64 %163, -1
  br i1 %164, label %206, label %165

165:                                              ; preds = %158
  %166 = tail call ptr @PyTuple_New(i64 noundef 2) #6
  %167 = icmp eq ptr %166, null
  %168 = getelementptr inbounds nuw i8, ptr %161, i64 8
  %169 = load ptr, ptr %168, align 8
  br i1 %167, label %202, label %170

170:                                              ; preds = %165
  %171 = tail call zeroext i1 @native_is_array(ptr noundef %169) #6
  br i1 %171, label %172, label %191

172:                                              ; preds = %170
  %173 = tail call zeroext i1 @native_is_usual(ptr noundef %169) #6
  br i1 %173, label %174, label %192

174:                                              ; preds = %172, %189
  %175 = phi ptr [ %180, %189 ], [ %169, %172 ]
  %176 = load i32, ptr %175, align 8
  %177 = icmp eq i32 %176, 1
  br i1 %177, label %178, label %192

178:                                              ; preds = %174
  %179 = getelementptr inbounds nuw i8, ptr %175, i64 48
  %180 = load ptr, ptr %179, align 8
  %181 = icmp eq ptr %180, null
  br i1 %181, label %191, label %182

182:                                              ; preds = %178
  %183 = getelementptr inbounds nuw i8, ptr %180, i64 8
  %184 = load ptr, ptr %183, align 8
  %185 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 40), align 8
  %186 = icmp eq ptr %184, %185
  br i1 %186, label %191, label %187

187:                                              ; preds = %182
  %188 = tail call zeroext i1 @native_is_memory(ptr noundef nonnull %180) #6
  br i1 %188, label %191, label %189

189:                                              ; preds = %187
  %190 = tail call zeroext i1 @native_is_array(ptr noundef nonnull %180) #6
  br i1 %190, label %174, label %192

191:                                              ; preds = %187, %182, %178, %170
  tail call void @Py_IncRef(ptr noundef %169) #6
  br label %195

192:                                              ; preds = %189, %174, %172
  %193 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 112), align 8
  %194 = tail call ptr %193(ptr noundef %169, i32 noundef 0) #6
  br label %195

195:                                              ; preds = %191, %192
  %196 = phi ptr [ %194, %192 ], [ %169, %191 ]
  %197 = load ptr, ptr %161, align 8
  tail call void @Py_IncRef(ptr noundef %197) #6
  %198 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %166, i64 noundef 0, ptr noundef %197) #6
  %199 = tail call i32 @PyTuple_SetItem(ptr noundef nonnull %166, i64 noundef 1, ptr noundef %196) #6
  %200 = icmp eq ptr %196, null
  %201 = load ptr, ptr %168, align 8
  store ptr null, ptr %168, align 8
  tail call void @Py_DecRef(ptr noundef %201) #6
  br i1 %200, label %215, label %203

202:                                              ; preds = %165
  store ptr null, ptr %168, align 8
  br label %215

203:                                              ; preds = %195
  %204 = tail call i32 @PyList_Append(ptr noundef nonnull %153, ptr noundef nonnull %166) #6
  %205 = icmp eq i32 %204, 0
  tail call void @Py_DecRef(ptr noundef nonnull %166) #6
  br i1 %205, label %206, label %218

206:                                              ; preds = %158, %203
  %207 = add nuw nsw i64 %159, 1
  %208 = load i32, ptr %2, align 8
  %209 = sext i32 %208 to i64
  %210 = icmp slt i64 %207, %209
  br i1 %210, label %158, label %211, !llvm.loop !18

211:                                              ; preds = %206, %155
  %212 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 96), align 8
  %213 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %212, ptr noundef nonnull %153, ptr noundef null) #6
  %214 = icmp eq ptr %213, null
  br i1 %214, label %218, label %215

215:                                              ; preds = %195, %202, %211
  %216 = phi ptr [ %213, %211 ], [ %169, %202 ], [ %166, %195 ]
  %217 = phi i1 [ true, %211 ], [ false, %202 ], [ false, %195 ]
  tail call void @Py_DecRef(ptr noundef %216) #6
  br label %218

218:                                              ; preds = %143, %131, %203, %215, %211
  %219 = phi ptr [ %153, %211 ], [ %153, %215 ], [ %153, %203 ], [ %98, %131 ], [ %98, %143 ]
  %220 = phi i1 [ false, %211 ], [ %217, %215 ], [ false, %203 ], [ false, %131 ], [ false, %143 ]
  tail call void @Py_DecRef(ptr noundef %219) #6
  br label %221

221:                                              ; preds = %147, %5, %218, %152
  %222 = phi i1 [ false, %152 ], [ %220, %218 ], [ true, %5 ], [ true, %147 ]
  ret i1 %222
}

declare void @free(ptr noundef) local_unnamed_addr #3

declare ptr @pthread_getspecific(i32 noundef) local_unnamed_addr #3

declare hidden zeroext i1 @native_is_array(ptr noundef) local_unnamed_addr #3

declare i32 @PyType_IsSubtype(ptr noundef, ptr noundef) local_unnamed_addr #3

declare hidden ptr @native_array(ptr noundef) local_unnamed_addr #3

declare i64 @PyLong_AsLongLong(ptr noundef) local_unnamed_addr #3

declare ptr @PyErr_Occurred() local_unnamed_addr #3

declare void @PyErr_BadInternalCall() local_unnamed_addr #3

declare ptr @PyDict_New() local_unnamed_addr #3

declare ptr @PyDict_GetItem(ptr noundef, ptr noundef) local_unnamed_addr #3

; Function Attrs: nounwind
define internal fastcc ptr @sum(ptr noundef %0, ptr noundef %1) unnamed_addr #0 {
  %3 = alloca [2 x ptr], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #7
  store ptr %0, ptr %3, align 16
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store ptr %1, ptr %4, align 8
  %5 = load i64, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 104), align 8
  %6 = mul i64 %5, -7046029254386353131
  %7 = lshr i64 %6, 32
  %8 = tail call zeroext i1 @native_is_array(ptr noundef %0) #6
  br i1 %8, label %9, label %170

9:                                                ; preds = %2
  %10 = tail call zeroext i1 @native_is_array(ptr noundef %1) #6
  br i1 %10, label %11, label %170

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
  br i1 %65, label %66, label %32, !llvm.loop !19

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
  br i1 %84, label %85, label %72, !llvm.loop !20

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
  br i1 %139, label %140, label %106, !llvm.loop !19

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
  br i1 %158, label %159, label %146, !llvm.loop !22

159:                                              ; preds = %140, %146, %85
  %160 = phi i64 [ %97, %85 ], [ %136, %140 ], [ %155, %146 ]
  %161 = load i64, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 104), align 8
  %162 = tail call ptr @native_known_op(i64 noundef %160, i64 noundef %161) #6
  %163 = icmp eq ptr %162, null
  br i1 %163, label %170, label %164

164:                                              ; preds = %159
  %165 = getelementptr inbounds nuw i8, ptr %162, i64 8
  %166 = load ptr, ptr %165, align 8
  tail call void @Py_IncRef(ptr noundef %166) #6
  %167 = load ptr, ptr %162, align 8
  %168 = call fastcc ptr @call(ptr noundef %167, ptr noundef %3, i64 noundef 2) #8
  call void @Py_DecRef(ptr noundef %166) #6
  %169 = icmp eq ptr %168, null
  br i1 %169, label %170, label %173

170:                                              ; preds = %159, %9, %2, %164
  %171 = call ptr @PyErr_Occurred() #6
  %172 = icmp eq ptr %171, null
  br i1 %172, label %176, label %179

173:                                              ; preds = %164
  %174 = icmp eq ptr %168, @_Py_NotImplementedStruct
  br i1 %174, label %175, label %179

175:                                              ; preds = %173
  call void @Py_DecRef(ptr noundef nonnull @_Py_NotImplementedStruct) #6
  br label %176

176:                                              ; preds = %170, %175
  %177 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 88), align 8
  %178 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %177, ptr noundef %0, ptr noundef %1, ptr noundef null) #6
  br label %179

179:                                              ; preds = %176, %173, %170
  %180 = phi ptr [ %178, %176 ], [ %168, %173 ], [ null, %170 ]
  call void @Py_DecRef(ptr noundef %0) #6
  call void @Py_DecRef(ptr noundef %1) #6
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #7
  ret ptr %180
}

declare i32 @PyDict_SetItem(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #3

declare ptr @realloc(ptr noundef, i64 noundef) local_unnamed_addr #3

declare ptr @PyErr_NoMemory() local_unnamed_addr #3

declare hidden ptr @native_known_op(i64 noundef, i64 noundef) local_unnamed_addr #3

; Function Attrs: inlinehint nounwind
define internal fastcc ptr @call(ptr noundef %0, ptr noundef nonnull %1, i64 noundef %2) unnamed_addr #4 {
  %4 = alloca [8 x ptr], align 16
  %5 = icmp sgt i64 %2, 0
  br i1 %5, label %7, label %20

6:                                                ; preds = %15
  br i1 %17, label %20, label %22

7:                                                ; preds = %3, %15
  %8 = phi i64 [ %18, %15 ], [ 0, %3 ]
  %9 = phi i1 [ %17, %15 ], [ true, %3 ]
  %10 = getelementptr inbounds nuw ptr, ptr %1, i64 %8
  %11 = load ptr, ptr %10, align 8
  %12 = tail call zeroext i1 @native_is_array(ptr noundef %11) #6
  br i1 %12, label %13, label %15

13:                                               ; preds = %7
  %14 = tail call zeroext i1 @native_is_usual(ptr noundef %11) #6
  br label %15

15:                                               ; preds = %7, %13
  %16 = phi i1 [ true, %7 ], [ %14, %13 ]
  %17 = and i1 %9, %16
  %18 = add nuw nsw i64 %8, 1
  %19 = icmp eq i64 %18, %2
  br i1 %19, label %6, label %7, !llvm.loop !23

20:                                               ; preds = %3, %6
  %21 = tail call ptr @native_call(ptr noundef %0, ptr noundef nonnull %1, i64 noundef %2) #6
  br label %57

22:                                               ; preds = %6
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #7
  br label %23

23:                                               ; preds = %22, %38
  %24 = phi i64 [ %39, %38 ], [ 0, %22 ]
  %25 = getelementptr inbounds nuw ptr, ptr %1, i64 %24
  %26 = load ptr, ptr %25, align 8
  %27 = tail call zeroext i1 @native_is_array(ptr noundef %26) #6
  br i1 %27, label %28, label %30

28:                                               ; preds = %23
  %29 = tail call zeroext i1 @native_is_usual(ptr noundef %26) #6
  br i1 %29, label %30, label %31

30:                                               ; preds = %23, %28
  tail call void @Py_IncRef(ptr noundef %26) #6
  br label %34

31:                                               ; preds = %28
  %32 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 112), align 8
  %33 = tail call ptr %32(ptr noundef %26, i32 noundef 0) #6
  br label %34

34:                                               ; preds = %31, %30
  %35 = phi ptr [ %26, %30 ], [ %33, %31 ]
  %36 = getelementptr inbounds nuw ptr, ptr %4, i64 %24
  store ptr %35, ptr %36, align 8
  %37 = icmp eq ptr %35, null
  br i1 %37, label %41, label %38

38:                                               ; preds = %34
  %39 = add nuw nsw i64 %24, 1
  %40 = icmp eq i64 %39, %2
  br i1 %40, label %43, label %23, !llvm.loop !24

41:                                               ; preds = %34
  %42 = icmp eq i64 %24, %2
  br i1 %42, label %43, label %46

43:                                               ; preds = %38, %41
  %44 = phi i64 [ %24, %41 ], [ %2, %38 ]
  %45 = call ptr @native_call(ptr noundef %0, ptr noundef nonnull %4, i64 noundef %2) #6
  br label %46

46:                                               ; preds = %43, %41
  %47 = phi i64 [ %44, %43 ], [ %24, %41 ]
  %48 = phi ptr [ %45, %43 ], [ null, %41 ]
  %49 = icmp eq i64 %47, 0
  br i1 %49, label %56, label %50

50:                                               ; preds = %46, %50
  %51 = phi i64 [ %52, %50 ], [ %47, %46 ]
  %52 = add nsw i64 %51, -1
  %53 = getelementptr inbounds ptr, ptr %4, i64 %52
  %54 = load ptr, ptr %53, align 8
  call void @Py_DecRef(ptr noundef %54) #6
  %55 = icmp eq i64 %52, 0
  br i1 %55, label %56, label %50, !llvm.loop !25

56:                                               ; preds = %50, %46
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #7
  br label %57

57:                                               ; preds = %56, %20
  %58 = phi ptr [ %21, %20 ], [ %48, %56 ]
  ret ptr %58
}

declare ptr @PyObject_CallFunctionObjArgs(ptr noundef, ...) local_unnamed_addr #3

declare hidden ptr @native_call(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #3

declare hidden zeroext i1 @native_is_usual(ptr noundef) local_unnamed_addr #3

declare void @Py_IncRef(ptr noundef) local_unnamed_addr #3

; Function Attrs: nounwind
define internal fastcc zeroext i1 @step_in_python(ptr noundef nonnull captures(none) %0, ptr noundef %1, ptr noundef %2) unnamed_addr #0 {
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 80), align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %6 = load ptr, ptr %5, align 8
  %7 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr noundef %4, ptr noundef %1, ptr noundef %2, ptr noundef %6, ptr noundef null) #6
  %8 = icmp eq ptr %7, null
  br i1 %8, label %53, label %9

9:                                                ; preds = %3
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %11 = load ptr, ptr %10, align 8
  tail call void @Py_IncRef(ptr noundef %11) #6
  %12 = icmp eq ptr %11, null
  br i1 %12, label %51, label %13

13:                                               ; preds = %9
  %14 = tail call i64 @PySequence_Size(ptr noundef nonnull %7) #6
  %15 = icmp sgt i64 %14, -1
  %16 = icmp sgt i64 %14, 0
  br i1 %16, label %17, label %49

17:                                               ; preds = %13, %44
  %18 = phi i64 [ %46, %44 ], [ 0, %13 ]
  %19 = tail call ptr @PySequence_GetItem(ptr noundef nonnull %7, i64 noundef %18) #6
  %20 = icmp eq ptr %19, null
  br i1 %20, label %49, label %21

21:                                               ; preds = %17
  %22 = tail call ptr @PySequence_GetItem(ptr noundef nonnull %11, i64 noundef %18) #6
  %23 = icmp eq ptr %22, null
  br i1 %23, label %43, label %24

24:                                               ; preds = %21
  %25 = icmp eq ptr %22, @_Py_NoneStruct
  %26 = icmp eq ptr %19, @_Py_NoneStruct
  %27 = or i1 %26, %25
  br i1 %27, label %44, label %28

28:                                               ; preds = %24
  tail call void @Py_IncRef(ptr noundef nonnull %19) #6
  %29 = getelementptr inbounds nuw i8, ptr %22, i64 8
  %30 = load ptr, ptr %29, align 8
  %31 = icmp eq ptr %30, @PyTuple_Type
  br i1 %31, label %34, label %32

32:                                               ; preds = %28
  %33 = tail call fastcc zeroext i1 @add_to(ptr noundef nonnull %0, ptr noundef nonnull %22, ptr noundef null, ptr noundef nonnull %19) #8
  br label %44

34:                                               ; preds = %28
  %35 = tail call ptr @PyTuple_GetItem(ptr noundef nonnull %22, i64 noundef 0) #6
  %36 = tail call ptr @PyTuple_GetItem(ptr noundef nonnull %22, i64 noundef 1) #6
  %37 = icmp ne ptr %35, null
  %38 = icmp ne ptr %36, null
  %39 = select i1 %37, i1 %38, i1 false
  br i1 %39, label %40, label %42

40:                                               ; preds = %34
  %41 = tail call fastcc zeroext i1 @add_to(ptr noundef nonnull %0, ptr noundef nonnull %35, ptr noundef nonnull %36, ptr noundef nonnull %19) #8
  br label %44

42:                                               ; preds = %34
  tail call void @Py_DecRef(ptr noundef nonnull %19) #6
  br label %44

43:                                               ; preds = %21
  tail call void @Py_DecRef(ptr noundef nonnull %19) #6
  br label %49

44:                                               ; preds = %42, %40, %32, %24
  %45 = phi i1 [ true, %24 ], [ false, %42 ], [ %33, %32 ], [ %41, %40 ]
  tail call void @Py_DecRef(ptr noundef nonnull %19) #6
  tail call void @Py_DecRef(ptr noundef nonnull %22) #6
  %46 = add nuw nsw i64 %18, 1
  %47 = icmp slt i64 %46, %14
  %48 = select i1 %45, i1 %47, i1 false
  br i1 %48, label %17, label %49, !llvm.loop !26

49:                                               ; preds = %17, %44, %13, %43
  %50 = phi i1 [ %15, %13 ], [ false, %43 ], [ false, %17 ], [ %45, %44 ]
  tail call void @Py_DecRef(ptr noundef nonnull %11) #6
  br label %51

51:                                               ; preds = %9, %49
  %52 = phi i1 [ %50, %49 ], [ false, %9 ]
  tail call void @Py_DecRef(ptr noundef nonnull %7) #6
  br label %53

53:                                               ; preds = %3, %51
  %54 = phi i1 [ %52, %51 ], [ false, %3 ]
  ret i1 %54
}

declare hidden ptr @native_view(ptr noundef, ptr noundef) local_unnamed_addr #3

declare ptr @PySequence_GetItem(ptr noundef, i64 noundef) local_unnamed_addr #3

declare ptr @PyTuple_GetItem(ptr noundef, i64 noundef) local_unnamed_addr #3

declare i64 @PyTuple_Size(ptr noundef) local_unnamed_addr #3

declare i64 @PySequence_Size(ptr noundef) local_unnamed_addr #3

declare ptr @PyList_New(i64 noundef) local_unnamed_addr #3

declare ptr @PyTuple_New(i64 noundef) local_unnamed_addr #3

declare i32 @PyTuple_SetItem(ptr noundef, i64 noundef, ptr noundef) local_unnamed_addr #3

declare i32 @PyList_Append(ptr noundef, ptr noundef) local_unnamed_addr #3

declare hidden ptr @native_new_tensor(ptr noundef) local_unnamed_addr #3

declare hidden zeroext i1 @native_is_memory(ptr noundef) local_unnamed_addr #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #5

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #3 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #4 = { inlinehint nounwind "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v2" "target-features"="+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87" "tune-cpu"="generic" }
attributes #5 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #6 = { nobuiltin nounwind "no-builtins" }
attributes #7 = { nounwind }
attributes #8 = { nobuiltin "no-builtins" }

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
!9 = distinct !{!9, !3}
!10 = distinct !{!10, !3}
!11 = distinct !{!11, !3, !12, !13}
!12 = !{!"llvm.loop.isvectorized", i32 1}
!13 = !{!"llvm.loop.unroll.runtime.disable"}
!14 = distinct !{!14, !3, !13, !12}
!15 = distinct !{!15, !3}
!16 = distinct !{!16, !3}
!17 = distinct !{!17, !3}
!18 = distinct !{!18, !3}
!19 = distinct !{!19, !3}
!20 = distinct !{!20, !21}
!21 = !{!"llvm.loop.unroll.disable"}
!22 = distinct !{!22, !21}
!23 = distinct !{!23, !3}
!24 = distinct !{!24, !3}
!25 = distinct !{!25, !3}
!26 = distinct !{!26, !3}
