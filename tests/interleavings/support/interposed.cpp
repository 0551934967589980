// Functions of the system library that this program defines itself, and that its libraries therefore call,
// too. In a scheduled thread, the scheduler does what they do; in any other thread, the system library does.

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <ctime>
#include <map>
#include <optional>

#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>

#include "interleavings/support/scheduler.h"

namespace {

namespace scheduled = tally::test::scheduled;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool isRecursive(const pthread_mutex_t* mutex) {
  return (mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP;
}

constexpr scheduled::Nanoseconds second = 1'000'000'000;

scheduled::Nanoseconds nanosecondsOf(const timespec& time) {
  return time.tv_sec * second + time.tv_nsec;
}

timespec timespecOf(scheduled::Nanoseconds time) {
  return {.tv_sec = time / second, .tv_nsec = time % second};
}

int waitUntil(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
  return scheduled::wait(condition, mutex, nanosecondsOf(*deadline)) ? 0 : ETIMEDOUT;
}

int sleepUntil(scheduled::Nanoseconds time) {
  scheduled::sleepUntil(time);
  return 0;
}

struct Start {
  void* thread;
  void* (*function)(void*);
  void* argument;
};

void* run(void* argument) {
  const Start start = *static_cast<Start*>(argument);
  delete static_cast<Start*>(argument);
  scheduled::begin(start.thread);
  void* const result = start.function(start.argument);
  scheduled::end();
  return result;
}

// The threads of a run. They take turns, so this needs no lock.
std::map<pthread_t, void*>& scheduledThreads() {
  static std::map<pthread_t, void*> threads;
  return threads;
}

// The states of pthread_once(): 0, not called; 1, being called; 2, done.
std::map<const pthread_once_t*, int>& onces() {
  static std::map<const pthread_once_t*, int> states;
  return states;
}

long futex(const int* word, int operation, int value, const timespec* time) {
  const int command = operation & FUTEX_CMD_MASK;
  if (command != FUTEX_WAIT && command != FUTEX_WAIT_BITSET) {
    scheduled::point("wakes threads that wait for a word");
    return 0;  // whoever waits looks at the word
  }
  if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) {
    errno = EAGAIN;
    return -1;
  }
  std::optional<scheduled::Nanoseconds> deadline;
  if (time != nullptr) deadline = nanosecondsOf(*time) + (command == FUTEX_WAIT ? scheduled::now() : 0);
  if (scheduled::waitWhile(word, value, deadline)) return 0;
  errno = ETIMEDOUT;
  return -1;
}

}  // namespace

extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  static auto* const system = next<int(pthread_mutex_t*)>("pthread_mutex_lock");
  if (!scheduled::isCurrent()) return system(mutex);
  scheduled::lock(mutex, isRecursive(mutex));
  return 0;
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  static auto* const system = next<int(pthread_mutex_t*)>("pthread_mutex_trylock");
  if (!scheduled::isCurrent()) return system(mutex);
  return scheduled::tryLock(mutex, isRecursive(mutex)) ? 0 : EBUSY;
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  static auto* const system = next<int(pthread_mutex_t*)>("pthread_mutex_unlock");
  if (!scheduled::isCurrent()) return system(mutex);
  scheduled::unlock(mutex);
  return 0;
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  static auto* const system = next<int(pthread_cond_t*, pthread_mutex_t*)>("pthread_cond_wait");
  if (!scheduled::isCurrent()) return system(condition, mutex);
  (void)scheduled::wait(condition, mutex, std::nullopt);
  return 0;
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
  static auto* const system =
      next<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)>("pthread_cond_timedwait");
  return scheduled::isCurrent() ? waitUntil(condition, mutex, deadline) : system(condition, mutex, deadline);
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* deadline) {
  static auto* const system =
      next<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)>("pthread_cond_clockwait");
  return scheduled::isCurrent() ? waitUntil(condition, mutex, deadline)
                                : system(condition, mutex, clock, deadline);
}

int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  static auto* const system = next<int(pthread_cond_t*)>("pthread_cond_signal");
  if (!scheduled::isCurrent()) return system(condition);
  scheduled::notify(condition, false);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  static auto* const system = next<int(pthread_cond_t*)>("pthread_cond_broadcast");
  if (!scheduled::isCurrent()) return system(condition);
  scheduled::notify(condition, true);
  return 0;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                   void* argument) noexcept {
  static auto* const system =
      next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  if (!scheduled::isCurrent()) return system(thread, attributes, function, argument);
  auto* const start = new Start{.thread = scheduled::make(), .function = function, .argument = argument};
  void* const made = start->thread;
  const int fault = system(thread, attributes, run, start);
  if (fault != 0) std::terminate();  // the machine has no threads left
  scheduledThreads()[*thread] = made;
  scheduled::point("goes on after it has started a thread");
  return 0;
}

int pthread_join(pthread_t thread, void** result) {
  static auto* const system = next<int(pthread_t, void**)>("pthread_join");
  if (scheduled::isCurrent()) scheduled::join(scheduledThreads().at(thread));
  return system(thread, result);
}

int pthread_once(pthread_once_t* once, void (*function)()) {
  static auto* const system = next<int(pthread_once_t*, void (*)())>("pthread_once");
  if (!scheduled::isCurrent()) return system(once, function);
  scheduled::point("calls a function once");
  int& state = onces()[once];
  while (state == 1)
    (void)scheduled::waitWhile(&state, 1, std::nullopt);
  state = 1;
  const int fault = system(once, function);
  onces()[once] = 2;
  return fault;
}

int sched_yield() noexcept {
  static auto* const system = next<int()>("sched_yield");
  if (!scheduled::isCurrent()) return system();
  scheduled::yield();
  return 0;
}

int nanosleep(const timespec* duration, timespec* rest) {
  static auto* const system = next<int(const timespec*, timespec*)>("nanosleep");
  if (!scheduled::isCurrent()) return system(duration, rest);
  return sleepUntil(scheduled::now() + nanosecondsOf(*duration));
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* rest) {
  static auto* const system = next<int(clockid_t, int, const timespec*, timespec*)>("clock_nanosleep");
  if (!scheduled::isCurrent()) return system(clock, flags, time, rest);
  return sleepUntil(nanosecondsOf(*time) + (flags == TIMER_ABSTIME ? 0 : scheduled::now()));
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static auto* const system = next<int(clockid_t, timespec*)>("clock_gettime");
  if (!scheduled::isCurrent()) return system(clock, time);
  *time = timespecOf(scheduled::now());
  return 0;
}

long syscall(long number, ...) noexcept {
  static auto* const system = next<long(long, ...)>("syscall");
  va_list list;
  va_start(list, number);
  long arguments[6];
  for (long& argument : arguments)
    argument = va_arg(list, long);
  va_end(list);
  if (number == SYS_futex && scheduled::isCurrent())
    return futex(reinterpret_cast<const int*>(arguments[0]), static_cast<int>(arguments[1]),
                 static_cast<int>(arguments[2]), reinterpret_cast<const timespec*>(arguments[3]));
  return system(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

}  // extern "C"
