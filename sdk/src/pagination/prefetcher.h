#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <tally/attempt.h>
#include <tally/options.h>
#include <tally/stop_token.h>

#include "pagination/page_source.h"
#include "pagination/prefetch_schedule.h"
#include "platform/machine.h"

namespace tally::detail {

/// Prefetches pages as PrefetchSchedule decides: in its own thread, so that a page is in flight while the
/// consumer processes the previous one; or in the consumer's thread if there is no thread, or it would gain
/// nothing.
///
/// For one consumer. The destructor stops the request in flight.
class Prefetcher {
 public:
  /// Both must outlive this.
  Prefetcher(const PageSource& source, const PageType& type);
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;
  ~Prefetcher();

  /// Whether only the parent of this process has the thread. This object can then be neither used nor
  /// destroyed.
  [[nodiscard]] bool isInherited() const noexcept { return thread_.joinable() && process_ != processId(); }

  /// Sets the page that the consumer wants. False: another page is in flight or held, so this object is of no
  /// more use.
  [[nodiscard]] bool ask(const std::string& cursor);

  /// Waits for that page. Its body is empty if it could not be fetched.
  [[nodiscard]] RawPage take();

 private:
  [[nodiscard]] RawPage takeHere();
  [[nodiscard]] RawPage takeFromThread();
  void startThread();
  void run();
  [[nodiscard]] RawPage fetch(const std::string& cursor) noexcept;

  const PageSource& source_;
  const PageType& type_;
  bool usesThread_;
  int process_ = 0;  // that of the thread
  StopSource stop_{};
  StopCallback<std::function<void()>> passOn_;  // forwards the user's stop request
  std::vector<Attempt> attempts_{};             // of the page being fetched
  RequestOptions options_;

  // Once the thread runs, the mutex guards the following members.
  std::mutex mutex_{};
  std::condition_variable changed_{};
  PrefetchSchedule pages_{};
  bool over_ = false;
  std::thread thread_{};
};

}  // namespace tally::detail
