#pragma once

#include <cstddef>
#include <limits>

#include <pthread.h>

namespace tally::test {

/// During its lifetime, no thread can start: the default stack size exceeds any address space.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_attr_t huge{};
    pthread_getattr_default_np(&before_);
    pthread_getattr_default_np(&huge);
    pthread_attr_setstacksize(&huge, std::numeric_limits<std::size_t>::max() / 8 * 7);
    pthread_setattr_default_np(&huge);
    pthread_attr_destroy(&huge);
  }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;
  ~NoMoreThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }

 private:
  pthread_attr_t before_{};
};

}  // namespace tally::test
