#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <tally/attempt.h>
#include <tally/options.h>

#include "pagination/page_source.h"
#include "pagination/pages_ahead.h"

namespace tally::detail {

/// Fetches the pages of a walk as PagesAhead decides: in a thread of its own, so that a page is on its way
/// while the walker works on the one before; or, where that gains nothing or there is none, in the walker's.
///
/// For one walker. Destroyed, it stops the request that is under way.
class ReadAhead {
 public:
  /// Both outlive this.
  ReadAhead(const PageSource& source, const PageType& type);
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;
  ~ReadAhead();

  /// Says which page the walker wants now. False: what is on its way is another one, and of no use.
  [[nodiscard]] bool ask(const std::string& cursor);

  /// That page, once it has come. A body that was not to be had is empty.
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
  std::stop_source stop_{};
  std::stop_callback<std::function<void()>> passOn_;  // what the user's stop does
  std::vector<Attempt> trail_{};                      // of the page that is being fetched
  RequestOptions options_;

  // Once there is a thread, the mutex guards what follows.
  std::mutex mutex_{};
  std::condition_variable changed_{};
  PagesAhead pages_{};
  bool over_ = false;
  std::jthread thread_{};  // last, so that it ends before anything else goes
};

}  // namespace tally::detail
