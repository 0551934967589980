#include "interleavings/support/scheduler.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <utility>

#include <semaphore.h>

namespace tally::test {

namespace {

using scheduled::Nanoseconds;

/// More than any scenario takes unless its threads wait for one another in circles.
constexpr std::size_t mostSteps = 200'000;

/// Blocks threads without the functions that are interposed.
class Semaphore {
 public:
  Semaphore() { sem_init(&semaphore_, 0, 0); }
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;
  ~Semaphore() { sem_destroy(&semaphore_); }

  void post() { sem_post(&semaphore_); }
  void wait() {
    while (sem_wait(&semaphore_) != 0) {
    }
  }

 private:
  sem_t semaphore_{};
};

struct Thread {
  ThreadNumber number = 0;
  Semaphore turn{};
  const void* blockedOn = nullptr;  // null: it can continue
  const int* word = nullptr;        // it can continue once the word is not `value`
  int value = 0;
  std::optional<Nanoseconds> deadline{};
  bool isLate = false;              // its deadline has passed
  std::set<ThreadNumber> letsGo{};  // it yields until these threads have gone on, or can't
  bool hasEnded = false;
};

struct Mutex {
  Thread* owner = nullptr;
  std::size_t depth = 0;
};

thread_local Thread* self = nullptr;

/// All its members belong to the thread whose turn it is; the semaphores pass them on.
class Scheduler {
 public:
  Scheduler(Policy& policy, Trace trace) : policy_(policy), trace_(trace) {}

  [[nodiscard]] Thread& make() {
    threads_.push_back(std::make_unique<Thread>());
    threads_.back()->number = threads_.size() - 1;
    return *threads_.back();
  }

  [[nodiscard]] Run run(const std::function<void()>& scenario);

  /// The calling thread can continue. Another one may do so first.
  void point(const char* before) {
    before_ = before;
    if (Thread* const next = choose(true); next != self) pass(*next);
  }

  void yield() {
    for (const ThreadNumber thread : ready(true))
      if (thread != self->number) self->letsGo.insert(thread);
    point("yields");
  }

  void block(const void* on, std::optional<Nanoseconds> deadline = {}) {
    before_ = "is blocked";
    self->blockedOn = on;
    self->deadline = deadline;
    self->isLate = false;
    Thread* const next = choose(false);
    if (next == nullptr) stop("deadlock: " + blockedOnes());
    if (next != self) pass(*next);
    self->blockedOn = nullptr;
    self->word = nullptr;
    self->deadline.reset();
  }

  void wake(const void* on) {
    for (const auto& thread : threads_)
      if (thread->blockedOn == on && thread->word == nullptr) thread->blockedOn = nullptr;
  }

  void end() {
    before_ = "has ended";
    self->hasEnded = true;
    wake(self);
    Thread* const next = choose(false);
    if (next != nullptr) {
      next->turn.post();
    } else if (hasEnded()) {
      ended_.post();
    } else {
      fail("deadlock: " + blockedOnes());
      ended_.post();
    }
    self = nullptr;
  }

  void fail(const std::string& what) {
    if (!run_.failure) run_.failure = what;
  }

  std::map<const void*, Mutex> mutexes{};
  std::map<const void*, std::deque<Thread*>> waiting{};
  Nanoseconds now = 1'000'000'000'000'000'000;

 private:
  [[nodiscard]] static bool canGoOn(const Thread& thread) {
    if (thread.hasEnded) return false;
    if (thread.blockedOn == nullptr) return true;
    return thread.word != nullptr && __atomic_load_n(thread.word, __ATOMIC_SEQ_CST) != thread.value;
  }

  [[nodiscard]] bool hasEnded() const {
    for (const auto& thread : threads_)
      if (!thread->hasEnded) return false;
    return true;
  }

  [[nodiscard]] bool yields(const Thread& thread) const {
    return std::ranges::any_of(thread.letsGo, [&](ThreadNumber other) { return canGoOn(*threads_[other]); });
  }

  [[nodiscard]] std::vector<ThreadNumber> ready(bool withYielding) const {
    std::vector<ThreadNumber> numbers;
    for (const auto& thread : threads_)
      if (canGoOn(*thread) && (withYielding || !yields(*thread))) numbers.push_back(thread->number);
    return numbers;
  }

  [[nodiscard]] Thread& goesOn(ThreadNumber number) {
    threads_[number]->letsGo.clear();
    for (const auto& thread : threads_)
      thread->letsGo.erase(number);
    return *threads_[number];
  }

  /// The thread whose wait reaches its deadline first; null if there is none.
  [[nodiscard]] Thread* nextDue() const {
    Thread* due = nullptr;
    for (const auto& thread : threads_)
      if (!thread->hasEnded && thread->deadline && (due == nullptr || *thread->deadline < *due->deadline))
        due = thread.get();
    return due;
  }

  /// Null if none can continue.
  [[nodiscard]] Thread* choose(bool maySelf) {
    if (++run_.steps > mostSteps) stop("the threads run forever");
    std::vector<ThreadNumber> threads = ready(false);
    if (threads.empty()) threads = ready(true);
    if (threads.empty()) {
      Thread* const due = nextDue();
      if (due == nullptr) return nullptr;
      now = std::max(now, *due->deadline);
      due->isLate = true;
      due->blockedOn = nullptr;
      return due;
    }
    if (threads.size() == 1) return &goesOn(threads.front());
    const bool mayContinue = maySelf && std::ranges::find(threads, self->number) != threads.end();
    const Choice choice{.step = run_.steps,
                        .current = mayContinue ? std::optional{self->number} : std::nullopt,
                        .threads = threads};
    const ThreadNumber next = chosen(choice);
    if (next != choice.usual()) {
      run_.schedule.switches.push_back({.step = run_.steps, .thread = next});
      if (trace_ == Trace::switches)
        run_.trace.push_back("step " + std::to_string(run_.steps) + ": before thread " +
                             std::to_string(self->number) + ' ' + before_ + ", thread " +
                             std::to_string(next) + " goes on");
    }
    return &goesOn(next);
  }

  [[nodiscard]] ThreadNumber chosen(const Choice& choice) {
    try {
      return policy_.choose(choice);
    } catch (const std::exception& error) {
      stop(error.what());
    }
  }

  void pass(Thread& next) {
    Thread* const me = self;
    next.turn.post();
    me->turn.wait();
  }

  [[nodiscard]] std::string blockedOnes() const {
    std::string text;
    for (const auto& thread : threads_)
      if (!thread->hasEnded)
        text += (text.empty() ? "thread " : ", thread ") + std::to_string(thread->number);
    return text + " can't go on";
  }

  /// The run is over, and its threads stay where they are.
  [[noreturn]] void stop(const std::string& what) {
    fail(what);
    ended_.post();
    while (true)
      self->turn.wait();
  }

  Policy& policy_;
  Trace trace_;
  const char* before_ = "";  // what the thread whose turn it is does next
  std::deque<std::unique_ptr<Thread>> threads_{};
  Semaphore ended_{};
  Run run_{};
};

// The scheduler of the present run, or of the last one.
Scheduler* scheduler = nullptr;

Run Scheduler::run(const std::function<void()>& scenario) {
  Thread& first = make();
  std::thread thread{[&, leaked = scenario] {
    self = &first;
    try {
      leaked();
    } catch (const std::exception& error) {
      fail(error.what());
    }
    end();
  }};
  ended_.wait();
  if (hasEnded()) {
    thread.join();
  } else {
    thread.detach();
  }
  run_.threads = threads_.size();
  return run_;
}

}  // namespace

Run runScheduled(const std::function<void()>& scenario, Policy& policy, Trace trace) {
  auto running = std::make_unique<Scheduler>(policy, trace);
  scheduler = running.get();
  Run run = running->run(scenario);
  // Threads that stay blocked use it until the process ends.
  if (run.failure) (void)running.release();
  return run;
}

void check(bool isTrue, const std::string& what) {
  if (!isTrue) scheduler->fail(what);
}

namespace scheduled {

bool isCurrent() noexcept {
  return self != nullptr;
}

void point(const char* before) noexcept {
  scheduler->point(before);
}

void yield() noexcept {
  scheduler->yield();
}

bool tryLock(void* mutex, bool isRecursive) noexcept {
  point("locks a mutex");
  Mutex& known = scheduler->mutexes[mutex];
  if (known.owner != nullptr && (known.owner != self || !isRecursive)) return false;
  known.owner = self;
  ++known.depth;
  return true;
}

void lock(void* mutex, bool isRecursive) noexcept {
  while (!tryLock(mutex, isRecursive))
    scheduler->block(mutex);
}

void unlock(void* mutex) noexcept {
  Mutex& known = scheduler->mutexes[mutex];
  if (known.owner != self) return scheduler->fail("a thread unlocks a mutex that it has not locked");
  if (--known.depth != 0) return;
  scheduler->mutexes.erase(mutex);
  scheduler->wake(mutex);
}

bool wait(void* condition, void* mutex, std::optional<Nanoseconds> deadline) noexcept {
  point("waits for a condition");
  unlock(mutex);
  // An address of its own, since notify() wakes one thread.
  scheduler->waiting[condition].push_back(self);
  scheduler->block(&self->deadline, deadline);
  const bool isLate = self->isLate;
  if (isLate) std::erase(scheduler->waiting[condition], self);
  lock(mutex, false);
  return !isLate;
}

void notify(void* condition, bool all) noexcept {
  point("notifies a condition");
  auto& waiting = scheduler->waiting[condition];
  while (!waiting.empty()) {
    waiting.front()->blockedOn = nullptr;
    waiting.pop_front();
    if (!all) return;
  }
}

bool waitWhile(const int* word, int value, std::optional<Nanoseconds> deadline) noexcept {
  point("waits for a word");
  if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) return true;
  self->word = word;
  self->value = value;
  scheduler->block(word, deadline);
  return !self->isLate;
}

void sleepUntil(Nanoseconds deadline) noexcept {
  point("sleeps");
  if (deadline > scheduler->now) scheduler->block(&self->deadline, deadline);
}

Nanoseconds now() noexcept {
  return scheduler->now;
}

void* make() noexcept {
  return &scheduler->make();
}

void begin(void* thread) noexcept {
  auto* const me = static_cast<Thread*>(thread);
  me->turn.wait();
  self = me;
}

void end() noexcept {
  scheduler->end();
}

void join(void* thread) noexcept {
  point("joins a thread");
  while (!static_cast<Thread*>(thread)->hasEnded)
    scheduler->block(thread);
}

}  // namespace scheduled

}  // namespace tally::test
