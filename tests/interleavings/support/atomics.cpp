// What compilers call for each atomic operation with `-fsanitize=thread`. Here, another thread may run before
// it; all are sequentially consistent. Sources compiled without that option do not call these.

#include "interleavings/support/scheduler.h"

namespace {

void point(const char* before) {
  if (tally::test::scheduled::isCurrent()) tally::test::scheduled::point(before);
}

}  // namespace

#define TALLY_ATOMICS(bits, Value)                                                                         \
  Value __tsan_atomic##bits##_load(const volatile Value* at, int) {                                        \
    point("loads an atomic");                                                                              \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                          \
  }                                                                                                        \
  void __tsan_atomic##bits##_store(volatile Value* at, Value value, int) {                                 \
    point("changes an atomic");                                                                            \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                         \
  }                                                                                                        \
  Value __tsan_atomic##bits##_exchange(volatile Value* at, Value value, int) {                             \
    point("changes an atomic");                                                                            \
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                               \
  }                                                                                                        \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile Value* at, Value* expected, Value value, int, \
                                                    int) {                                                 \
    point("changes an atomic");                                                                            \
    return __atomic_compare_exchange_n(at, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
  }                                                                                                        \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile Value* at, Value* expected, Value value, int,   \
                                                  int) {                                                   \
    point("changes an atomic");                                                                            \
    return __atomic_compare_exchange_n(at, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
  }                                                                                                        \
  Value __tsan_atomic##bits##_compare_exchange_val(volatile Value* at, Value expected, Value value, int,   \
                                                   int) {                                                  \
    point("changes an atomic");                                                                            \
    __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);          \
    return expected;                                                                                       \
  }                                                                                                        \
  TALLY_FETCH(bits, Value, add)                                                                            \
  TALLY_FETCH(bits, Value, sub)                                                                            \
  TALLY_FETCH(bits, Value, and)                                                                            \
  TALLY_FETCH(bits, Value, or)                                                                             \
  TALLY_FETCH(bits, Value, xor)                                                                            \
  TALLY_FETCH(bits, Value, nand)

#define TALLY_FETCH(bits, Value, operation)                                             \
  Value __tsan_atomic##bits##_fetch_##operation(volatile Value* at, Value value, int) { \
    point("changes an atomic");                                                         \
    return __atomic_fetch_##operation(at, value, __ATOMIC_SEQ_CST);                     \
  }

extern "C" {

TALLY_ATOMICS(8, unsigned char)
TALLY_ATOMICS(16, unsigned short)
TALLY_ATOMICS(32, unsigned int)
TALLY_ATOMICS(64, unsigned long)

void __tsan_init() {}
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
