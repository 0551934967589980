#include "stop_signals.h"

#include <cstdlib>
#include <cstring>
#include <system_error>

#include "platform/ignored_signal.h"

namespace tally::detail {

StopSignals::StopSignals(EventLog& log) : log_(log) {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  if (!isIgnored(SIGHUP)) sigaddset(&signals_, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  thread_ = std::thread{[this] { follow(); }};
}

/// A signal to the thread itself ends its wait.
StopSignals::~StopSignals() {
  isOver_ = true;
  // NOLINTNEXTLINE(bugprone-bad-signal-to-kill-thread): the thread waits for it
  pthread_kill(thread_.native_handle(), SIGTERM);
  thread_.join();
  if (stopper_.joinable()) stopper_.join();
}

void StopSignals::follow() {
  int signal = 0;
  for (bool isFirst = true; sigwait(&signals_, &signal) == 0 && !isOver_; isFirst = false) {
    if (!isFirst) std::_Exit(128 + signal);
    try {
      stopper_ = std::thread{[this, signal] { stop(signal); }};
    } catch (const std::system_error&) {  // there are too many threads
      stop(signal);
    }
  }
}

/// In a thread of its own, so that a log that nobody reads does not keep the second signal waiting.
void StopSignals::stop(int signal) {
  log_.write("stopping", {{"reason", ::strsignal(signal)}});
  source_.request_stop();
}

}  // namespace tally::detail
