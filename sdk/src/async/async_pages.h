#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tally/attempt.h>
#include <tally/options.h>
#include <tally/stop_token.h>

#include "async/async_engine.h"
#include "async/composite.h"
#include "pagination/page_walker.h"
#include "pagination/prefetch_schedule.h"

namespace tally::detail {

/// What the calls of an AsyncPager share: the iteration, and the page that is prefetched. The iteration is
/// for the call in progress, in the thread of the loop.
class AsyncPages : public std::enable_shared_from_this<AsyncPages> {
 public:
  AsyncPages(std::shared_ptr<AsyncEngine> engine, const AnyOperation& operation, ConstObjectRef params,
             const RequestOptions& options);
  AsyncPages(const AsyncPages&) = delete;
  AsyncPages& operator=(const AsyncPages&) = delete;
  virtual ~AsyncPages() = default;

  [[nodiscard]] const std::shared_ptr<AsyncEngine>& engine() const noexcept { return engine_; }
  [[nodiscard]] PageWalker& walk() noexcept { return walk_; }
  void enablePrefetch() noexcept { prefetches_ = !walk_.backwards(); }

  /// The request for the next page. `attempts`: where its attempts are collected; may be null.
  [[nodiscard]] AsyncRequest nextRequest(std::vector<Attempt>* attempts) const;
  [[nodiscard]] StopToken stopToken() const noexcept { return stop_.get_token(); }

  /// Lets a call use the iteration until release(). Throws std::logic_error if another one does.
  void acquire();
  void release() noexcept { busy_ = false; }
  /// The pager is gone: cancels the call in progress and the prefetch.
  void abandon() noexcept { stop_.request_stop(); }

  /// Requests the next page in advance, if it is wanted and there is one.
  void prefetch();
  /// Whether a page was requested in advance, and not taken.
  [[nodiscard]] bool isPrefetching() const noexcept { return prefetching_; }
  /// The page if it has arrived. Otherwise signals `waiting` once it has.
  [[nodiscard]] std::optional<RawPage> takePrefetched(Activity& waiting);
  void stopWaiting() noexcept { waiting_ = nullptr; }

 private:
  class Prefetch;

  void prefetched(RawPage page);

  std::shared_ptr<AsyncEngine> engine_;
  PageWalker walk_;
  StopSource stop_{};
  StopCallback<std::function<void()>> passOn_;  // forwards the user's stop request
  std::atomic<bool> busy_{false};
  bool prefetches_ = false;
  bool prefetching_ = false;
  std::optional<RawPage> ahead_{};
  Activity* waiting_ = nullptr;  // for the page ahead
};

/// A call that fetches pages.
class PageFetch : public Composite {
 public:
  void fail(const Error& error) final;

 protected:
  explicit PageFetch(std::shared_ptr<AsyncPages> pages)
      : Composite(pages->engine()), pages_(std::move(pages)) {}

  [[nodiscard]] PageWalker& walk() noexcept { return pages_->walk(); }

  /// Call it first: stop requests then cancel the call.
  void heedPager() { heed(pages_->stopToken()); }

  /// Fetches the next page into `page`, and leads to fetched() or to fail(). Only if the iteration has not
  /// ended.
  void fetch(const PageType& type, ObjectRef page);
  virtual void fetched() = 0;

  virtual void setError(const Error& error) = 0;
  [[nodiscard]] static Error cancellation();

  /// Where the attempts of the pages are collected; null: nowhere. Call it before the start.
  void keepAttempts(std::vector<Attempt>* attempts) noexcept { attempts_ = attempts; }

 private:
  void partEnded(const std::optional<Error>& error) final;
  void waited() final;
  void canceled() final;
  void request();
  void arrived();

  std::shared_ptr<AsyncPages> pages_;
  std::vector<Attempt>* attempts_ = nullptr;
  const PageType* type_ = nullptr;
  ObjectRef page_{};
};

}  // namespace tally::detail
