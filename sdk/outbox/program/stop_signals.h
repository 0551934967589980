#pragma once

#include <atomic>
#include <csignal>
#include <thread>

#include <tally/stop_token.h>

#include "event_log.h"

namespace tally::detail {

/// Makes the first SIGTERM, SIGINT or SIGHUP request a stop, and the second end the program immediately. They
/// are blocked in the threads that are started while this exists.
class StopSignals {
 public:
  /// `log` must outlive this.
  explicit StopSignals(EventLog& log);
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

  [[nodiscard]] StopToken token() const { return source_.get_token(); }

 private:
  void follow();
  void stop(int signal);

  EventLog& log_;
  sigset_t signals_{};
  StopSource source_{};
  std::atomic<bool> isOver_{false};
  std::thread stopper_{};  // of the first signal
  std::thread thread_{};
};

}  // namespace tally::detail
