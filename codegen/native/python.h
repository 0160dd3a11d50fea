/* The functions of CPython and NumPy that native code calls, and what call.c and taps.c call of
 * each other. They are declared here, so that one text serves all versions of Python.
 */
#pragma once

#include "layouts.h"

extern struct object _Py_NoneStruct, _Py_NotImplementedStruct, _Py_FalseStruct, _Py_TrueStruct;
extern const char PyCapsule_Type, PyDict_Type, PyFloat_Type, PyLong_Type, PyTuple_Type; /* whose addresses matter */

void Py_IncRef(struct object *);
void Py_DecRef(struct object *);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *);
unsigned long PyThread_get_thread_ident(void);

int PyOS_InterruptOccurred(void);
void PyErr_SetInterrupt(void);
int PyErr_CheckSignals(void);

struct object *PyErr_Occurred(void);
void PyErr_Clear(void);
struct object *PyErr_NoMemory(void);
void PyErr_BadInternalCall(void);
void PyErr_Fetch(struct object **type, struct object **value, struct object **trace);
void PyErr_NormalizeException(struct object **type, struct object **value, struct object **trace);
int PyException_SetTraceback(struct object *, struct object *trace);

int PyType_IsSubtype(const void *type, const void *base);
struct object *PyType_GenericAlloc(const void *type, int64_t);
struct object *PyIter_Next(struct object *);
struct object *PyCapsule_New(void *, const char *name, void (*destroy)(struct object *));
int PyCapsule_IsValid(const struct object *, const char *name);
void *PyCapsule_GetPointer(struct object *, const char *name);

/* New references, but for the first. */
struct object *PyEval_GetFrame(void);
struct object *PyFrame_GetBack(struct object *);
struct object *PyFrame_GetCode(struct object *);

double PyFloat_AsDouble(struct object *);
long long PyLong_AsLongLongAndOverflow(struct object *, int *overflow);
long long PyLong_AsLongLong(struct object *);
void *PyLong_AsVoidPtr(struct object *);
struct object *PyLong_FromLong(long);
struct object *PyLong_FromVoidPtr(void *);
struct object *PyTuple_New(int64_t);
int PyTuple_SetItem(struct object *, int64_t, struct object *); /* takes the reference over */
int64_t PyTuple_Size(struct object *);
struct object *PyTuple_GetItem(struct object *, int64_t); /* borrowed */
int64_t PyList_Size(struct object *);
struct object *PyDict_GetItem(struct object *, struct object *key); /* borrowed */
struct object *PySequence_GetItem(struct object *, int64_t);
int64_t PySequence_Size(struct object *);
struct object *PyList_New(int64_t);
int PyList_Append(struct object *, struct object *);
struct object *PyList_GetSlice(struct object *, int64_t, int64_t);
int PyList_SetSlice(struct object *, int64_t, int64_t, struct object *);
struct object *PyDict_New(void);
int PyDict_SetItem(struct object *, struct object *key, struct object *value);
struct object *PyObject_CallFunctionObjArgs(struct object *, ...);
struct object *PyObject_VectorcallDict(
    struct object *, struct object *const *, uint64_t, struct object *keywords);

/* PyArray_NewFromDescr, which takes a reference to the dtype over, and PyArray_SetBaseObject, which
 * takes one to the base over. */
typedef struct object *new_array_function(
    const void *type, struct object *dtype, int rank, const int64_t *shape, const int64_t *strides,
    void *data, int flags, struct object *like);
typedef int set_base_function(struct object *, struct object *base);

/* ---- Of call.c ---- */

#pragma GCC visibility push(hidden)

extern uint64_t native_main_thread;
bool native_is_array(const struct object *);
struct block *native_claim_block(struct ring *);
struct object *native_array(const struct feed *);
struct object *native_call(struct table *, struct object *const *arrays, int64_t count);
struct object *native_own(const struct fetch *, void **arguments);
struct object *native_wrap(const struct fetch *, void **arguments, const struct block *);
struct object *native_result(const struct fetch *, void **arguments);

struct object *native_view(const struct eager_view *, struct object *array);
bool native_is_usual(const struct object *array);

/* ---- Of memory.c ---- */

bool native_is_memory(const struct object *);
struct object *native_recycled(const struct fetch *, int64_t bytes, void **arguments);

/* ---- Of taps.c ---- */

int64_t native_first_look(void);
int32_t native_look(struct run *);
bool native_failed(struct run *);

#pragma GCC visibility pop
