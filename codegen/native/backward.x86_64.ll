; backward.c as LLVM text, by clang 22.1.8; `make native` makes it anew.
; sources: 9032a3b155a405f7afa14fe8e1cc2a8f19fadb256912f07cf6fc1fe968d4d9f0
; text: 8e06fd4f248cc69ecea57617def8f30a239f75a77a243844c33d06cd1fb8d271
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.object = type { i32, i32, ptr }
%struct.eager_setup = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, ptr, ptr, ptr, ptr, ptr, ptr, ptr, [25 x ptr] }
%struct.feed = type { ptr, i64, ptr, i64 }
%struct.pass = type { ptr, ptr, ptr, i32, i32, i32, ptr }
%struct.item = type { ptr, ptr, i64 }

@_Py_NotImplementedStruct = external global %struct.object, align 8
@native_flags_key = external hidden local_unnamed_addr global i32, align 4
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
  %8 = load i32, ptr @native_flags_key, align 4
  %9 = tail call ptr @pthread_getspecific(i32 noundef %8) #6
  %10 = icmp eq ptr %9, null
  br i1 %10, label %73, label %11

11:                                               ; preds = %3
  %12 = getelementptr inbounds nuw i8, ptr %9, i64 2
  %13 = load i8, ptr %12, align 1
  %14 = icmp eq i8 %13, 0
  br i1 %14, label %15, label %73

15:                                               ; preds = %11
  %16 = load ptr, ptr %1, align 8
  %17 = load ptr, ptr @eager, align 8
  %18 = getelementptr inbounds nuw i8, ptr %16, i64 8
  %19 = load ptr, ptr %18, align 8
  %20 = icmp eq ptr %19, %17
  br i1 %20, label %24, label %21

21:                                               ; preds = %15
  %22 = tail call i32 @PyType_IsSubtype(ptr noundef %19, ptr noundef %17) #6
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %73, label %24

24:                                               ; preds = %21, %15
  %25 = getelementptr inbounds nuw i8, ptr %16, i64 32
  %26 = load ptr, ptr %25, align 8
  %27 = tail call zeroext i1 @native_is_array(ptr noundef %26) #6
  br i1 %27, label %28, label %73

28:                                               ; preds = %24
  %29 = getelementptr inbounds nuw i8, ptr %16, i64 24
  %30 = load ptr, ptr %29, align 8
  %31 = icmp eq ptr %30, null
  br i1 %31, label %73, label %32

32:                                               ; preds = %28
  %33 = getelementptr inbounds nuw i8, ptr %16, i64 72
  %34 = load ptr, ptr %33, align 8
  %35 = icmp eq ptr %34, null
  br i1 %35, label %73, label %36

36:                                               ; preds = %32
  %37 = getelementptr inbounds nuw i8, ptr %16, i64 64
  %38 = load ptr, ptr %37, align 8
  %39 = icmp eq ptr %38, null
  br i1 %39, label %73, label %40

40:                                               ; preds = %36
  %41 = getelementptr inbounds nuw i8, ptr %16, i64 40
  %42 = load ptr, ptr %41, align 8
  %43 = icmp eq ptr %42, null
  br i1 %43, label %73, label %44

44:                                               ; preds = %40
  %45 = icmp eq ptr %42, @_Py_NoneStruct
  br i1 %45, label %54, label %46

46:                                               ; preds = %44
  %47 = load ptr, ptr @eager, align 8
  %48 = getelementptr inbounds nuw i8, ptr %42, i64 8
  %49 = load ptr, ptr %48, align 8
  %50 = icmp eq ptr %49, %47
  br i1 %50, label %54, label %51

51:                                               ; preds = %46
  %52 = tail call i32 @PyType_IsSubtype(ptr noundef %49, ptr noundef %47) #6
  %53 = icmp eq i32 %52, 0
  br i1 %53, label %73, label %54

54:                                               ; preds = %51, %46, %44
  %55 = getelementptr inbounds nuw i8, ptr %16, i64 48
  %56 = load ptr, ptr %55, align 8
  %57 = icmp eq ptr %56, null
  br i1 %57, label %73, label %58

58:                                               ; preds = %54
  %59 = icmp eq ptr %56, @_Py_NoneStruct
  br i1 %59, label %65, label %60

60:                                               ; preds = %58
  %61 = getelementptr inbounds nuw i8, ptr %56, i64 8
  %62 = load ptr, ptr %61, align 8
  %63 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %64 = icmp eq ptr %62, %63
  br i1 %64, label %65, label %73

65:                                               ; preds = %58, %60
  %66 = getelementptr inbounds nuw i8, ptr %7, i64 40
  %67 = load ptr, ptr %66, align 8
  %68 = icmp eq ptr %67, @_Py_NoneStruct
  br i1 %68, label %69, label %73

69:                                               ; preds = %65
  %70 = getelementptr inbounds nuw i8, ptr %7, i64 72
  %71 = load ptr, ptr %70, align 8
  %72 = icmp eq ptr %71, @_Py_NoneStruct
  br i1 %72, label %73, label %74

73:                                               ; preds = %24, %28, %32, %36, %40, %51, %54, %21, %3, %69, %65, %60, %11
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #6
  br label %576

74:                                               ; preds = %69
  %75 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %76 = load ptr, ptr %75, align 8
  %77 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %78 = load ptr, ptr %77, align 8
  %79 = icmp eq ptr %76, @_Py_NoneStruct
  br i1 %79, label %80, label %88

80:                                               ; preds = %74
  %81 = getelementptr inbounds nuw i8, ptr %78, i64 24
  %82 = load i32, ptr %81, align 8
  %83 = icmp sgt i32 %82, 0
  br i1 %83, label %84, label %180

84:                                               ; preds = %80
  %85 = getelementptr inbounds nuw i8, ptr %78, i64 32
  %86 = load ptr, ptr %85, align 8
  %87 = zext nneg i32 %82 to i64
  br label %174

88:                                               ; preds = %74
  %89 = load ptr, ptr @eager, align 8
  %90 = getelementptr inbounds nuw i8, ptr %76, i64 8
  %91 = load ptr, ptr %90, align 8
  %92 = icmp eq ptr %91, %89
  br i1 %92, label %96, label %93

93:                                               ; preds = %88
  %94 = tail call i32 @PyType_IsSubtype(ptr noundef %91, ptr noundef %89) #6
  %95 = icmp eq i32 %94, 0
  br i1 %95, label %137, label %96

96:                                               ; preds = %93, %88
  %97 = getelementptr inbounds nuw i8, ptr %76, i64 32
  %98 = load ptr, ptr %97, align 8
  %99 = tail call zeroext i1 @native_is_array(ptr noundef %98) #6
  br i1 %99, label %100, label %137

100:                                              ; preds = %96
  %101 = getelementptr inbounds nuw i8, ptr %76, i64 24
  %102 = load ptr, ptr %101, align 8
  %103 = icmp eq ptr %102, null
  br i1 %103, label %137, label %104

104:                                              ; preds = %100
  %105 = getelementptr inbounds nuw i8, ptr %76, i64 72
  %106 = load ptr, ptr %105, align 8
  %107 = icmp eq ptr %106, null
  br i1 %107, label %137, label %108

108:                                              ; preds = %104
  %109 = getelementptr inbounds nuw i8, ptr %76, i64 64
  %110 = load ptr, ptr %109, align 8
  %111 = icmp eq ptr %110, null
  br i1 %111, label %137, label %112

112:                                              ; preds = %108
  %113 = getelementptr inbounds nuw i8, ptr %76, i64 40
  %114 = load ptr, ptr %113, align 8
  %115 = icmp eq ptr %114, null
  br i1 %115, label %137, label %116

116:                                              ; preds = %112
  %117 = icmp eq ptr %114, @_Py_NoneStruct
  br i1 %117, label %126, label %118

118:                                              ; preds = %116
  %119 = load ptr, ptr @eager, align 8
  %120 = getelementptr inbounds nuw i8, ptr %114, i64 8
  %121 = load ptr, ptr %120, align 8
  %122 = icmp eq ptr %121, %119
  br i1 %122, label %126, label %123

123:                                              ; preds = %118
  %124 = tail call i32 @PyType_IsSubtype(ptr noundef %121, ptr noundef %119) #6
  %125 = icmp eq i32 %124, 0
  br i1 %125, label %137, label %126

126:                                              ; preds = %123, %118, %116
  %127 = getelementptr inbounds nuw i8, ptr %76, i64 48
  %128 = load ptr, ptr %127, align 8
  %129 = icmp eq ptr %128, null
  br i1 %129, label %137, label %130

130:                                              ; preds = %126
  %131 = icmp eq ptr %128, @_Py_NoneStruct
  br i1 %131, label %138, label %132

132:                                              ; preds = %130
  %133 = getelementptr inbounds nuw i8, ptr %128, i64 8
  %134 = load ptr, ptr %133, align 8
  %135 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %136 = icmp eq ptr %134, %135
  br i1 %136, label %138, label %137

137:                                              ; preds = %132, %126, %123, %112, %108, %104, %100, %96, %93
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #6
  br label %576

138:                                              ; preds = %132, %130
  %139 = load ptr, ptr %97, align 8
  %140 = getelementptr inbounds nuw i8, ptr %78, i64 56
  %141 = load ptr, ptr %140, align 8
  %142 = getelementptr inbounds nuw i8, ptr %139, i64 56
  %143 = load ptr, ptr %142, align 8
  %144 = icmp eq ptr %141, %143
  br i1 %144, label %145, label %170

145:                                              ; preds = %138
  %146 = getelementptr inbounds nuw i8, ptr %78, i64 24
  %147 = load i32, ptr %146, align 8
  %148 = getelementptr inbounds nuw i8, ptr %139, i64 24
  %149 = load i32, ptr %148, align 8
  %150 = icmp eq i32 %147, %149
  br i1 %150, label %151, label %170

151:                                              ; preds = %145
  %152 = icmp slt i32 %147, 1
  br i1 %152, label %169, label %153

153:                                              ; preds = %151
  %154 = getelementptr inbounds nuw i8, ptr %78, i64 32
  %155 = load ptr, ptr %154, align 8
  %156 = getelementptr inbounds nuw i8, ptr %139, i64 32
  %157 = load ptr, ptr %156, align 8
  %158 = zext nneg i32 %147 to i64
  br label %162

159:                                              ; preds = %162
  %160 = add nuw nsw i64 %163, 1
  %161 = icmp eq i64 %160, %158
  br i1 %161, label %169, label %162, !llvm.loop !2

162:                                              ; preds = %159, %153
  %163 = phi i64 [ 0, %153 ], [ %160, %159 ]
  %164 = getelementptr inbounds nuw i64, ptr %155, i64 %163
  %165 = load i64, ptr %164, align 8
  %166 = getelementptr inbounds nuw i64, ptr %157, i64 %163
  %167 = load i64, ptr %166, align 8
  %168 = icmp eq i64 %165, %167
  br i1 %168, label %159, label %170

169:                                              ; preds = %159, %151
  tail call void @Py_IncRef(ptr noundef %139) #6
  br label %204

170:                                              ; preds = %162, %145, %138
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #6
  br label %576

171:                                              ; preds = %174
  %172 = add nuw nsw i64 %175, 1
  %173 = icmp eq i64 %172, %87
  br i1 %173, label %180, label %174, !llvm.loop !4

174:                                              ; preds = %171, %84
  %175 = phi i64 [ 0, %84 ], [ %172, %171 ]
  %176 = getelementptr inbounds nuw i64, ptr %86, i64 %175
  %177 = load i64, ptr %176, align 8
  %178 = icmp eq i64 %177, 1
  br i1 %178, label %171, label %179

179:                                              ; preds = %174
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #6
  br label %576

180:                                              ; preds = %171, %80
  %181 = getelementptr inbounds nuw i8, ptr %78, i64 56
  %182 = load ptr, ptr %181, align 8
  %183 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 144), align 8
  %184 = icmp eq ptr %182, %183
  %185 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 152), align 8
  %186 = icmp eq ptr %182, %185
  %187 = select i1 %184, i1 true, i1 %186
  br i1 %187, label %189, label %188

188:                                              ; preds = %180
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NotImplementedStruct) #6
  br label %576

189:                                              ; preds = %180
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #7
  store ptr %182, ptr %5, align 8
  %190 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %191 = sext i32 %82 to i64
  store i64 %191, ptr %190, align 8
  %192 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %193 = getelementptr inbounds nuw i8, ptr %78, i64 32
  %194 = load ptr, ptr %193, align 8
  store ptr %194, ptr %192, align 8
  %195 = getelementptr inbounds nuw i8, ptr %5, i64 24
  store i64 0, ptr %195, align 8
  %196 = call ptr @native_array(ptr noundef nonnull %5) #6
  %197 = icmp eq ptr %196, null
  br i1 %197, label %203, label %198

198:                                              ; preds = %189
  %199 = getelementptr inbounds nuw i8, ptr %196, i64 16
  %200 = load ptr, ptr %199, align 8
  br i1 %184, label %201, label %202

201:                                              ; preds = %198
  store float 1.000000e+00, ptr %200, align 4
  br label %203

202:                                              ; preds = %198
  store double 1.000000e+00, ptr %200, align 8
  br label %203

203:                                              ; preds = %202, %201, %189
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #7
  br label %204

204:                                              ; preds = %169, %203
  %205 = phi ptr [ %196, %203 ], [ %139, %169 ]
  %206 = icmp eq ptr %205, null
  %207 = icmp eq ptr %205, @_Py_NotImplementedStruct
  %208 = or i1 %206, %207
  br i1 %208, label %576, label %209

209:                                              ; preds = %204
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #7
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %6, i8 0, i64 40, i1 false)
  %210 = getelementptr inbounds nuw i8, ptr %6, i64 40
  %211 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %212 = load ptr, ptr %211, align 8
  store ptr %212, ptr %210, align 8
  %213 = load ptr, ptr %70, align 8
  %214 = getelementptr inbounds nuw i8, ptr %7, i64 64
  %215 = load ptr, ptr %214, align 8
  %216 = call fastcc zeroext i1 @add_to(ptr noundef %6, ptr noundef %213, ptr noundef %215, ptr noundef nonnull %205) #8
  %217 = getelementptr inbounds nuw i8, ptr %6, i64 32
  %218 = load i32, ptr %217, align 8
  %219 = icmp ne i32 %218, 0
  %220 = select i1 %216, i1 %219, i1 false
  br i1 %220, label %221, label %545

221:                                              ; preds = %209
  %222 = getelementptr inbounds nuw i8, ptr %6, i64 16
  br label %223

223:                                              ; preds = %221, %540
  %224 = phi i32 [ %218, %221 ], [ %541, %540 ]
  %225 = load ptr, ptr %222, align 8
  %226 = load i32, ptr %225, align 4
  %227 = add nsw i32 %224, -1
  store i32 %227, ptr %217, align 8
  %228 = sext i32 %227 to i64
  %229 = getelementptr inbounds i32, ptr %225, i64 %228
  %230 = load i32, ptr %229, align 4
  %231 = icmp sgt i32 %224, 2
  %232 = load ptr, ptr %6, align 8
  br i1 %231, label %233, label %277

233:                                              ; preds = %223
  %234 = sext i32 %230 to i64
  %235 = getelementptr inbounds %struct.item, ptr %232, i64 %234
  %236 = getelementptr inbounds nuw i8, ptr %235, i64 16
  br label %237

237:                                              ; preds = %271, %233
  %238 = phi i32 [ 1, %233 ], [ %274, %271 ]
  %239 = phi i32 [ 0, %233 ], [ %260, %271 ]
  %240 = add nsw i32 %238, 1
  %241 = icmp slt i32 %240, %227
  br i1 %241, label %242, label %259

242:                                              ; preds = %237
  %243 = sext i32 %240 to i64
  %244 = getelementptr inbounds i32, ptr %225, i64 %243
  %245 = load i32, ptr %244, align 4
  %246 = sext i32 %238 to i64
  %247 = getelementptr inbounds i32, ptr %225, i64 %246
  %248 = load i32, ptr %247, align 4
  %249 = sext i32 %245 to i64
  %250 = getelementptr inbounds %struct.item, ptr %232, i64 %249
  %251 = getelementptr inbounds nuw i8, ptr %250, i64 16
  %252 = load i64, ptr %251, align 8
  %253 = sext i32 %248 to i64
  %254 = getelementptr inbounds %struct.item, ptr %232, i64 %253
  %255 = getelementptr inbounds nuw i8, ptr %254, i64 16
  %256 = load i64, ptr %255, align 8
  %257 = icmp sgt i64 %252, %256
  %258 = select i1 %257, i32 %240, i32 %238
  br label %259

259:                                              ; preds = %242, %237
  %260 = phi i32 [ %238, %237 ], [ %258, %242 ]
  %261 = sext i32 %260 to i64
  %262 = getelementptr inbounds i32, ptr %225, i64 %261
  %263 = load i32, ptr %262, align 4
  %264 = sext i32 %263 to i64
  %265 = getelementptr inbounds %struct.item, ptr %232, i64 %264
  %266 = getelementptr inbounds nuw i8, ptr %265, i64 16
  %267 = load i64, ptr %266, align 8
  %268 = load i64, ptr %236, align 8
  %269 = icmp sgt i64 %267, %268
  %270 = sext i32 %239 to i64
  br i1 %269, label %271, label %277

271:                                              ; preds = %259
  %272 = getelementptr inbounds i32, ptr %225, i64 %270
  store i32 %263, ptr %272, align 4
  %273 = shl nsw i32 %260, 1
  %274 = or disjoint i32 %273, 1
  %275 = icmp slt i32 %274, %227
  br i1 %275, label %237, label %276, !llvm.loop !5

276:                                              ; preds = %271
  br label %277, !llvm.loop !5

277:                                              ; preds = %259, %276, %223
  %278 = phi i64 [ 0, %223 ], [ %261, %276 ], [ %270, %259 ]
  %279 = getelementptr inbounds i32, ptr %225, i64 %278
  store i32 %230, ptr %279, align 4
  %280 = sext i32 %226 to i64
  %281 = getelementptr inbounds %struct.item, ptr %232, i64 %280
  %282 = load ptr, ptr %281, align 8
  call void @Py_IncRef(ptr noundef %282) #6
  %283 = getelementptr inbounds nuw i8, ptr %281, i64 8
  %284 = load ptr, ptr %283, align 8
  store ptr null, ptr %283, align 8
  %285 = call i32 @PyErr_CheckSignals() #6
  %286 = icmp eq i32 %285, 0
  br i1 %286, label %287, label %540

287:                                              ; preds = %277
  %288 = getelementptr inbounds nuw i8, ptr %282, i64 8
  %289 = load ptr, ptr %288, align 8
  %290 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 16), align 8
  %291 = icmp eq ptr %289, %290
  br i1 %291, label %292, label %307

292:                                              ; preds = %287
  %293 = getelementptr inbounds nuw i8, ptr %282, i64 72
  %294 = load ptr, ptr %293, align 8
  %295 = icmp eq ptr %294, null
  br i1 %295, label %307, label %296

296:                                              ; preds = %292
  %297 = getelementptr inbounds nuw i8, ptr %294, i64 8
  %298 = load ptr, ptr %297, align 8
  %299 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 24), align 8
  %300 = icmp eq ptr %298, %299
  br i1 %300, label %301, label %307

301:                                              ; preds = %296
  %302 = getelementptr inbounds nuw i8, ptr %294, i64 16
  %303 = load ptr, ptr %302, align 8
  %304 = getelementptr inbounds nuw i8, ptr %303, i64 56
  %305 = load i64, ptr %304, align 8
  %306 = icmp sgt i64 %305, -1
  br i1 %306, label %308, label %307

307:                                              ; preds = %301, %296, %292, %287
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #7
  br label %427

308:                                              ; preds = %301
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #7
  %309 = getelementptr inbounds nuw i8, ptr %282, i64 32
  %310 = load ptr, ptr %309, align 8
  %311 = icmp eq ptr %310, @_Py_NoneStruct
  br i1 %311, label %312, label %427

312:                                              ; preds = %308
  %313 = getelementptr inbounds nuw i8, ptr %282, i64 40
  %314 = load ptr, ptr %313, align 8
  %315 = icmp eq ptr %314, @_Py_NoneStruct
  br i1 %315, label %316, label %427

316:                                              ; preds = %312
  %317 = getelementptr inbounds nuw i8, ptr %282, i64 64
  %318 = load ptr, ptr %317, align 8
  %319 = icmp eq ptr %318, null
  br i1 %319, label %427, label %320

320:                                              ; preds = %316
  %321 = getelementptr inbounds nuw i8, ptr %318, i64 8
  %322 = load ptr, ptr %321, align 8
  %323 = icmp eq ptr %322, @PyTuple_Type
  br i1 %323, label %324, label %427

324:                                              ; preds = %320
  %325 = call i64 @PyTuple_Size(ptr noundef nonnull %318) #6
  %326 = getelementptr inbounds nuw i8, ptr %303, i64 24
  %327 = load i64, ptr %326, align 8
  %328 = shl nsw i64 %327, 2
  %329 = icmp ne i64 %325, %328
  %330 = icmp sgt i64 %327, 7
  %331 = or i1 %330, %329
  br i1 %331, label %427, label %332

332:                                              ; preds = %324
  %333 = icmp sgt i64 %327, 0
  br i1 %333, label %334, label %429

334:                                              ; preds = %332, %422
  %335 = phi i64 [ %424, %422 ], [ 0, %332 ]
  %336 = shl nsw i64 %335, 2
  %337 = call ptr @PyTuple_GetItem(ptr noundef nonnull %318, i64 noundef %336) #6
  %338 = or disjoint i64 %336, 1
  %339 = call ptr @PyTuple_GetItem(ptr noundef nonnull %318, i64 noundef %338) #6
  %340 = or disjoint i64 %336, 2
  %341 = call ptr @PyTuple_GetItem(ptr noundef nonnull %318, i64 noundef %340) #6
  %342 = or disjoint i64 %336, 3
  %343 = call ptr @PyTuple_GetItem(ptr noundef nonnull %318, i64 noundef %342) #6
  %344 = icmp eq ptr %337, @_Py_NoneStruct
  br i1 %344, label %345, label %352

345:                                              ; preds = %334
  %346 = getelementptr inbounds nuw i8, ptr %341, i64 8
  %347 = load ptr, ptr %346, align 8
  %348 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %349 = icmp eq ptr %347, %348
  br i1 %349, label %350, label %427

350:                                              ; preds = %345
  %351 = getelementptr inbounds nuw i8, ptr %341, i64 16
  br label %418

352:                                              ; preds = %334
  %353 = load ptr, ptr @eager, align 8
  %354 = getelementptr inbounds nuw i8, ptr %337, i64 8
  %355 = load ptr, ptr %354, align 8
  %356 = icmp eq ptr %355, %353
  br i1 %356, label %360, label %357

357:                                              ; preds = %352
  %358 = call i32 @PyType_IsSubtype(ptr noundef %355, ptr noundef %353) #6
  %359 = icmp eq i32 %358, 0
  br i1 %359, label %427, label %360

360:                                              ; preds = %357, %352
  %361 = getelementptr inbounds nuw i8, ptr %337, i64 32
  %362 = load ptr, ptr %361, align 8
  %363 = call zeroext i1 @native_is_array(ptr noundef %362) #6
  br i1 %363, label %364, label %427

364:                                              ; preds = %360
  %365 = getelementptr inbounds nuw i8, ptr %337, i64 24
  %366 = load ptr, ptr %365, align 8
  %367 = icmp eq ptr %366, null
  br i1 %367, label %427, label %368

368:                                              ; preds = %364
  %369 = getelementptr inbounds nuw i8, ptr %337, i64 72
  %370 = load ptr, ptr %369, align 8
  %371 = icmp eq ptr %370, null
  br i1 %371, label %427, label %372

372:                                              ; preds = %368
  %373 = getelementptr inbounds nuw i8, ptr %337, i64 64
  %374 = load ptr, ptr %373, align 8
  %375 = icmp eq ptr %374, null
  br i1 %375, label %427, label %376

376:                                              ; preds = %372
  %377 = getelementptr inbounds nuw i8, ptr %337, i64 40
  %378 = load ptr, ptr %377, align 8
  %379 = icmp eq ptr %378, null
  br i1 %379, label %427, label %380

380:                                              ; preds = %376
  %381 = icmp eq ptr %378, @_Py_NoneStruct
  br i1 %381, label %390, label %382

382:                                              ; preds = %380
  %383 = load ptr, ptr @eager, align 8
  %384 = getelementptr inbounds nuw i8, ptr %378, i64 8
  %385 = load ptr, ptr %384, align 8
  %386 = icmp eq ptr %385, %383
  br i1 %386, label %390, label %387

387:                                              ; preds = %382
  %388 = call i32 @PyType_IsSubtype(ptr noundef %385, ptr noundef %383) #6
  %389 = icmp eq i32 %388, 0
  br i1 %389, label %427, label %390

390:                                              ; preds = %387, %382, %380
  %391 = getelementptr inbounds nuw i8, ptr %337, i64 48
  %392 = load ptr, ptr %391, align 8
  %393 = icmp eq ptr %392, null
  br i1 %393, label %427, label %394

394:                                              ; preds = %390
  %395 = icmp eq ptr %392, @_Py_NoneStruct
  br i1 %395, label %401, label %396

396:                                              ; preds = %394
  %397 = getelementptr inbounds nuw i8, ptr %392, i64 8
  %398 = load ptr, ptr %397, align 8
  %399 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %400 = icmp eq ptr %398, %399
  br i1 %400, label %401, label %427

401:                                              ; preds = %396, %394
  %402 = load ptr, ptr %361, align 8
  %403 = icmp eq ptr %402, %339
  br i1 %403, label %404, label %427

404:                                              ; preds = %401
  %405 = load ptr, ptr %377, align 8
  %406 = icmp eq ptr %405, @_Py_NoneStruct
  %407 = select i1 %406, ptr %337, ptr %405
  %408 = getelementptr inbounds nuw i8, ptr %407, i64 48
  %409 = load ptr, ptr %408, align 8
  %410 = icmp eq ptr %409, null
  br i1 %410, label %418, label %411

411:                                              ; preds = %404
  %412 = getelementptr inbounds nuw i8, ptr %409, i64 8
  %413 = load ptr, ptr %412, align 8
  %414 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 32), align 8
  %415 = icmp eq ptr %413, %414
  br i1 %415, label %416, label %418

416:                                              ; preds = %411
  %417 = getelementptr inbounds nuw i8, ptr %409, i64 16
  br label %418

418:                                              ; preds = %416, %411, %404, %350
  %419 = phi ptr [ %351, %350 ], [ %417, %416 ], [ getelementptr inbounds nuw (i8, ptr @eager, i64 56), %411 ], [ getelementptr inbounds nuw (i8, ptr @eager, i64 56), %404 ]
  %420 = load ptr, ptr %419, align 8
  %421 = icmp eq ptr %420, %343
  br i1 %421, label %422, label %427

422:                                              ; preds = %418
  %423 = getelementptr inbounds nuw ptr, ptr %4, i64 %335
  store ptr %339, ptr %423, align 8
  %424 = add nuw nsw i64 %335, 1
  %425 = load i64, ptr %326, align 8
  %426 = icmp slt i64 %424, %425
  br i1 %426, label %334, label %429, !llvm.loop !6

427:                                              ; preds = %418, %401, %396, %390, %387, %376, %372, %368, %364, %360, %357, %345, %324, %320, %316, %312, %308, %307
  %428 = call fastcc zeroext i1 @step_in_python(ptr noundef nonnull %6, ptr noundef %282, ptr noundef %284) #8
  br label %537

429:                                              ; preds = %422, %332
  %430 = phi i64 [ %327, %332 ], [ %425, %422 ]
  %431 = getelementptr inbounds ptr, ptr %4, i64 %430
  store ptr %284, ptr %431, align 8
  %432 = load ptr, ptr %317, align 8
  call void @Py_IncRef(ptr noundef %432) #6
  %433 = load ptr, ptr %293, align 8
  call void @Py_IncRef(ptr noundef %433) #6
  %434 = getelementptr inbounds nuw i8, ptr %282, i64 48
  %435 = load ptr, ptr %434, align 8
  call void @Py_IncRef(ptr noundef %435) #6
  %436 = load i64, ptr %304, align 8
  %437 = icmp eq i64 %436, 0
  br i1 %437, label %462, label %438

438:                                              ; preds = %429
  %439 = getelementptr inbounds nuw i8, ptr %303, i64 40
  %440 = load ptr, ptr %439, align 8
  %441 = icmp eq ptr %440, null
  br i1 %441, label %448, label %442

442:                                              ; preds = %438
  %443 = load i64, ptr %326, align 8
  %444 = getelementptr inbounds nuw i8, ptr %303, i64 48
  %445 = load i64, ptr %444, align 8
  %446 = add nsw i64 %445, %443
  %447 = call fastcc ptr @call(ptr noundef nonnull %440, ptr noundef %4, i64 noundef %446) #8
  br label %452

448:                                              ; preds = %438
  %449 = getelementptr inbounds nuw i8, ptr %303, i64 80
  %450 = load ptr, ptr %449, align 8
  %451 = call ptr @native_view(ptr noundef %450, ptr noundef %284) #6
  br label %452

452:                                              ; preds = %448, %442
  %453 = phi ptr [ %451, %448 ], [ %447, %442 ]
  %454 = icmp eq ptr %453, @_Py_NotImplementedStruct
  br i1 %454, label %455, label %457

455:                                              ; preds = %452
  %456 = call fastcc zeroext i1 @step_in_python(ptr noundef nonnull %6, ptr noundef nonnull %282, ptr noundef %284) #8
  br label %532

457:                                              ; preds = %452
  %458 = load i64, ptr %304, align 8
  %459 = icmp eq i64 %458, 0
  %460 = icmp ne ptr %453, null
  %461 = or i1 %460, %459
  br i1 %461, label %462, label %535

462:                                              ; preds = %457, %429
  %463 = phi ptr [ %453, %457 ], [ null, %429 ]
  %464 = load ptr, ptr %210, align 8
  %465 = icmp eq ptr %464, @_Py_FalseStruct
  br i1 %465, label %466, label %473

466:                                              ; preds = %462
  %467 = load i64, ptr %326, align 8
  %468 = icmp eq i64 %467, 0
  br i1 %468, label %473, label %469

469:                                              ; preds = %466
  call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #6
  %470 = load ptr, ptr %317, align 8
  store ptr @_Py_NoneStruct, ptr %317, align 8
  %471 = icmp eq ptr %470, null
  br i1 %471, label %473, label %472

472:                                              ; preds = %469
  call void @Py_DecRef(ptr noundef nonnull %470) #6
  br label %473

473:                                              ; preds = %472, %469, %466, %462
  %474 = getelementptr inbounds nuw i8, ptr %303, i64 64
  %475 = getelementptr inbounds nuw i8, ptr %303, i64 72
  %476 = load i64, ptr %474, align 8
  %477 = icmp slt i64 %476, 1
  br i1 %477, label %529, label %478

478:                                              ; preds = %473, %525
  %479 = phi i64 [ %498, %525 ], [ 0, %473 ]
  %480 = phi i64 [ %526, %525 ], [ 0, %473 ]
  %481 = load ptr, ptr %475, align 8
  %482 = shl nuw nsw i64 %480, 1
  %483 = getelementptr inbounds nuw i64, ptr %481, i64 %482
  %484 = load i64, ptr %483, align 8
  %485 = call ptr @PySequence_GetItem(ptr noundef %435, i64 noundef %484) #6
  %486 = load ptr, ptr %475, align 8
  %487 = getelementptr inbounds nuw i64, ptr %486, i64 %482
  %488 = getelementptr inbounds nuw i8, ptr %487, i64 8
  %489 = load i64, ptr %488, align 8
  %490 = icmp eq i64 %489, 0
  br i1 %490, label %497, label %491

491:                                              ; preds = %478
  %492 = load i64, ptr %304, align 8
  %493 = icmp eq i64 %492, 1
  br i1 %493, label %497, label %494

494:                                              ; preds = %491
  %495 = add nsw i64 %479, 1
  %496 = call ptr @PyTuple_GetItem(ptr noundef %463, i64 noundef %479) #6
  br label %497

497:                                              ; preds = %494, %491, %478
  %498 = phi i64 [ %495, %494 ], [ %479, %478 ], [ %479, %491 ]
  %499 = phi ptr [ %496, %494 ], [ %284, %478 ], [ %463, %491 ]
  %500 = icmp ne ptr %485, null
  %501 = icmp ne ptr %499, null
  %502 = select i1 %500, i1 %501, i1 false
  br i1 %502, label %503, label %521

503:                                              ; preds = %497
  %504 = icmp eq ptr %485, @_Py_NoneStruct
  br i1 %504, label %505, label %506

505:                                              ; preds = %503
  call void @Py_DecRef(ptr noundef nonnull @_Py_NoneStruct) #6
  br label %525

506:                                              ; preds = %503
  call void @Py_IncRef(ptr noundef nonnull %499) #6
  %507 = getelementptr inbounds nuw i8, ptr %485, i64 8
  %508 = load ptr, ptr %507, align 8
  %509 = icmp eq ptr %508, @PyTuple_Type
  br i1 %509, label %512, label %510

510:                                              ; preds = %506
  %511 = call fastcc zeroext i1 @add_to(ptr noundef nonnull %6, ptr noundef nonnull %485, ptr noundef null, ptr noundef nonnull %499) #8
  br label %521

512:                                              ; preds = %506
  %513 = call ptr @PyTuple_GetItem(ptr noundef nonnull %485, i64 noundef 0) #6
  %514 = call ptr @PyTuple_GetItem(ptr noundef nonnull %485, i64 noundef 1) #6
  %515 = icmp ne ptr %513, null
  %516 = icmp ne ptr %514, null
  %517 = select i1 %515, i1 %516, i1 false
  br i1 %517, label %518, label %520

518:                                              ; preds = %512
  %519 = call fastcc zeroext i1 @add_to(ptr noundef nonnull %6, ptr noundef nonnull %513, ptr noundef nonnull %514, ptr noundef nonnull %499) #8
  br label %521

520:                                              ; preds = %512
  call void @Py_DecRef(ptr noundef nonnull %499) #6
  br label %521

521:                                              ; preds = %520, %518, %510, %497
  %522 = phi i1 [ false, %497 ], [ %511, %510 ], [ %519, %518 ], [ false, %520 ]
  br i1 %500, label %523, label %524

523:                                              ; preds = %521
  call void @Py_DecRef(ptr noundef nonnull %485) #6
  br i1 %522, label %525, label %529

524:                                              ; preds = %521
  br i1 %522, label %525, label %529

525:                                              ; preds = %505, %524, %523
  %526 = add nuw nsw i64 %480, 1
  %527 = load i64, ptr %474, align 8
  %528 = icmp slt i64 %526, %527
  br i1 %528, label %478, label %529, !llvm.loop !7

529:                                              ; preds = %525, %523, %524, %473
  %530 = phi i1 [ true, %473 ], [ false, %524 ], [ false, %523 ], [ true, %525 ]
  %531 = icmp eq ptr %463, null
  br i1 %531, label %535, label %532

532:                                              ; preds = %529, %455
  %533 = phi i1 [ %456, %455 ], [ %530, %529 ]
  %534 = phi ptr [ @_Py_NotImplementedStruct, %455 ], [ %463, %529 ]
  call void @Py_DecRef(ptr noundef nonnull %534) #6
  br label %535

535:                                              ; preds = %532, %529, %457
  %536 = phi i1 [ %530, %529 ], [ %533, %532 ], [ false, %457 ]
  call void @Py_DecRef(ptr noundef %435) #6
  call void @Py_DecRef(ptr noundef %433) #6
  call void @Py_DecRef(ptr noundef %432) #6
  br label %537

537:                                              ; preds = %427, %535
  %538 = phi i1 [ %536, %535 ], [ %428, %427 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #7
  %539 = load i32, ptr %217, align 8
  br label %540

540:                                              ; preds = %537, %277
  %541 = phi i32 [ %227, %277 ], [ %539, %537 ]
  %542 = phi i1 [ false, %277 ], [ %538, %537 ]
  call void @Py_DecRef(ptr noundef %284) #6
  call void @Py_DecRef(ptr noundef %282) #6
  %543 = icmp ne i32 %541, 0
  %544 = select i1 %542, i1 %543, i1 false
  br i1 %544, label %223, label %545, !llvm.loop !8

545:                                              ; preds = %540, %209
  %546 = phi i1 [ %216, %209 ], [ %542, %540 ]
  br i1 %546, label %547, label %549

547:                                              ; preds = %545
  %548 = call fastcc zeroext i1 @finish(ptr noundef %6) #8
  br label %549

549:                                              ; preds = %547, %545
  %550 = phi i1 [ false, %545 ], [ %548, %547 ]
  %551 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %552 = load i32, ptr %551, align 8
  %553 = icmp sgt i32 %552, 0
  %554 = load ptr, ptr %6, align 8
  br i1 %553, label %555, label %557

555:                                              ; preds = %549
  %556 = zext nneg i32 %552 to i64
  br label %562

557:                                              ; preds = %570, %549
  call void @free(ptr noundef %554) #6
  %558 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %559 = load ptr, ptr %558, align 8
  call void @free(ptr noundef %559) #6
  %560 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %561 = load ptr, ptr %560, align 8
  call void @free(ptr noundef %561) #6
  br i1 %550, label %573, label %574

562:                                              ; preds = %555, %570
  %563 = phi i64 [ 0, %555 ], [ %571, %570 ]
  %564 = getelementptr inbounds nuw %struct.item, ptr %554, i64 %563
  %565 = load ptr, ptr %564, align 8
  call void @Py_DecRef(ptr noundef %565) #6
  %566 = getelementptr inbounds nuw i8, ptr %564, i64 8
  %567 = load ptr, ptr %566, align 8
  %568 = icmp eq ptr %567, null
  br i1 %568, label %570, label %569

569:                                              ; preds = %562
  call void @Py_DecRef(ptr noundef nonnull %567) #6
  br label %570

570:                                              ; preds = %562, %569
  %571 = add nuw nsw i64 %563, 1
  %572 = icmp eq i64 %571, %556
  br i1 %572, label %557, label %562, !llvm.loop !9

573:                                              ; preds = %557
  call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct) #6
  br label %574

574:                                              ; preds = %557, %573
  %575 = phi ptr [ @_Py_NoneStruct, %573 ], [ null, %557 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #7
  br label %576

576:                                              ; preds = %188, %137, %179, %170, %574, %204, %73
  %577 = phi ptr [ @_Py_NotImplementedStruct, %73 ], [ %575, %574 ], [ %205, %204 ], [ @_Py_NotImplementedStruct, %170 ], [ @_Py_NotImplementedStruct, %179 ], [ @_Py_NotImplementedStruct, %137 ], [ @_Py_NotImplementedStruct, %188 ]
  ret ptr %577
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
  %116 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 48), align 8
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
  %124 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 128), align 8
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
  %185 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 48), align 8
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
  %193 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 128), align 8
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
  %212 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 104), align 8
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
  %5 = load i64, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 120), align 8
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
  %161 = load i64, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 120), align 8
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
  %177 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 96), align 8
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
  %32 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 128), align 8
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
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @eager, i64 88), align 8
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
