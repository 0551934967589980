// Instead of scheduler.cpp, under the sanitizers, which define the same functions of the system library:
// threads run as the system schedules them, so the thread sanitizer sees their accesses without the order
// that a schedule gives them.

#include <exception>
#include <mutex>
#include <thread>

#include "interleavings/support/scheduler.h"

namespace tally::test {

namespace {

std::mutex mutex;
std::optional<std::string> failure;

}  // namespace

Run runScheduled(const std::function<void()>& scenario, Policy& /*policy*/, Trace /*trace*/) {
  failure.reset();
  try {
    scenario();
  } catch (const std::exception& error) {
    failure = error.what();
  }
  return {.steps = 1, .threads = 1, .failure = failure};
}

void check(bool isTrue, const std::string& what) {
  const std::lock_guard lock{mutex};
  if (!isTrue && !failure) failure = what;
}

namespace scheduled {

void point(const char* /*before*/) noexcept {
  std::this_thread::yield();
}

}  // namespace scheduled

}  // namespace tally::test
