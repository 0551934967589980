#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>

#include <tally/fake/service.h>
#include <tally/stop_token.h>

#include "engine/guarded_state.h"
#include "engine/request_context.h"
#include "engine/request_processor.h"
#include "tables/catalog.h"

namespace tally::fake::detail {

/// What a Service, its parts, its transports and its holds share: the description, the clock, and the guarded
/// state; and how a request passes through it. Thread-safe.
class Engine {
 public:
  using Change = GuardedState::Change;
  using Reading = GuardedState::Reading;

  /// With the catalog of the API description, which all these engines share.
  explicit Engine(const ServiceOptions& options);
  Engine(const ServiceOptions& options, const Description& description);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine() = default;

  [[nodiscard]] const ServiceOptions& options() const noexcept { return options_; }
  [[nodiscard]] const Catalog& catalog() const noexcept { return catalog_; }
  [[nodiscard]] const std::shared_ptr<VirtualClock>& clock() const noexcept { return clock_; }
  [[nodiscard]] ChangeSignal& changes() const noexcept { return *changes_; }

  /// The state, for as long as the result exists. What one guard does is atomic for other threads.
  [[nodiscard]] Reading read() const { return state_.read(); }
  [[nodiscard]] Change change() { return state_.change(); }

  /// Applies the limits that fault scripts have changed until now. Requests do so by themselves.
  void settle();

  /// Processes a request. Takes no time on the clock, unless the request waits for the lock of its object.
  /// Afterwards, the request stays in flight, and its object locked, for the rest of its duration.
  /// `otherMethod` is the method of the request if it is neither GET nor POST.
  [[nodiscard]] ScheduledResult exchange(const HttpRequest& request, const SendLimits& limits,
                                         std::string_view otherMethod = {});

  /// Processes a request of a non-blocking sender: returns its result, or the time until which it waits for
  /// its object. The request arrives with the first call; later calls resume it. Takes no time on the clock.
  [[nodiscard]] std::variant<ScheduledResult, Instant> proceed(ResumableRequest& request);

  /// Ends a request whose sender disconnects while it waits, unless an exception has ended it.
  void abandon(ResumableRequest& request) noexcept { abandon(request.context); }

  /// A number for what a test holds; each is another one, whatever state is restored.
  [[nodiscard]] std::uint64_t nextHold() noexcept { return ++lastHold_; }

  /// How many forks with other keys were made; see Service::fork(keySeed).
  [[nodiscard]] std::uint64_t branches() const noexcept { return *branches_; }
  [[nodiscard]] std::uint64_t nextBranch() noexcept { return ++*branches_; }
  void continueBranches(std::uint64_t number) noexcept { *branches_ = number; }

  /// Another engine with the same options and the same number of branches, but a clock and a state of its
  /// own.
  [[nodiscard]] std::shared_ptr<Engine> sibling() const;

 private:
  Engine(const ServiceOptions& options, std::shared_ptr<const Catalog> catalog);

  void abandon(RequestContext& context) noexcept;
  void waitUntil(Instant time, Change& change, RequestContext& context);
  void answerLate(RequestContext& context);
  [[nodiscard]] ScheduledResult resultOf(RequestContext&& context);
  void keepIndexes(const Collection& original, Collection searched) const;

  const ServiceOptions options_;
  const std::shared_ptr<ChangeSignal> changes_ = std::make_shared<ChangeSignal>();
  const std::shared_ptr<VirtualClock> clock_;
  const std::shared_ptr<const Catalog> sharedCatalog_;
  const Catalog& catalog_;
  const RequestProcessor processor_;

  GuardedState state_;
  std::atomic<std::uint64_t> lastHold_ = 0;

  /// The number of forks with other keys, of this engine and its forks.
  std::shared_ptr<std::atomic<std::uint64_t>> branches_ = std::make_shared<std::atomic<std::uint64_t>>(0);
};

}  // namespace tally::fake::detail
