#include "enqueue_stop.h"

#include <cstdlib>
#include <utility>

#include "platform/ignored_signal.h"

namespace tally::detail {

/// SIGUSR1 ends the wait of the thread.
EnqueueStop::EnqueueStop(std::function<int(int signal)> tell) : tell_(std::move(tell)) {
  sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (!isIgnored(signal)) sigaddset(&signals_, signal);
  sigaddset(&signals_, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  thread_ = std::thread{[this] { follow(); }};
}

EnqueueStop::~EnqueueStop() {
  {
    const std::lock_guard lock{mutex_};
    isOver_ = true;
  }
  pthread_kill(thread_.native_handle(), SIGUSR1);
  thread_.join();
}

void EnqueueStop::follow() {
  int signal = SIGUSR1;
  while (signal == SIGUSR1 && !isOver_)
    if (sigwait(&signals_, &signal) != 0) return;
  if (signal == SIGUSR1) return;
  sigset_t others = signals_;
  sigdelset(&others, SIGUSR1);
  pthread_sigmask(SIG_UNBLOCK, &others, nullptr);  // the next one ends the program
  const std::lock_guard lock{mutex_};
  if (!isOver_) std::_Exit(tell_(signal));
}

}  // namespace tally::detail
