#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tally/fake/service.h>

#include "engine/guarded_state.h"
#include "objects/object_series.h"
#include "engine/request_context.h"
#include "engine/request_processor.h"
#include "tables/catalog.h"

namespace tally::fake::detail {

/// What a Service, its transports and its holds share: the description, the clock, and the guarded state. No
/// other class takes its lock, so each method is atomic for other threads.
///
/// Thread-safe. Throws std::invalid_argument for an unknown key or account.
class Engine {
 public:
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

  // Requests.

  /// Processes a request. Takes no time on the clock, unless the request waits for the lock of its object.
  /// Afterwards, the request stays in flight, and its object locked, for the rest of its duration.
  /// `otherMethod` is the method of the request if it is neither GET nor POST.
  [[nodiscard]] ScheduledResult exchange(const HttpRequest& request, const SendLimits& limits,
                                         std::string_view otherMethod = {});

  /// Processes a request of a non-blocking sender: returns its result, or the time until which it waits for
  /// its object. The request arrives with the first call; later calls resume it. Takes no time on the clock.
  [[nodiscard]] std::variant<ScheduledResult, Instant> proceed(ResumableRequest& request);

  /// Ends a request whose sender disconnects while it waits.
  void abandon(ResumableRequest& request);

  /// Processes a request and returns only the response; empty if there is none.
  [[nodiscard]] HttpResponse handle(const HttpRequest& request);

  [[nodiscard]] std::vector<LoggedRequest> requests(
      std::uint64_t after = 0, std::size_t most = std::numeric_limits<std::size_t>::max()) const;
  [[nodiscard]] std::uint64_t droppedRequests(std::uint64_t after = 0) const;
  [[nodiscard]] std::uint64_t lastRequest() const;
  void clearRequests();
  [[nodiscard]] std::size_t logSize() const;

  // Accounts.

  Account addAccount(AccountOptions accountOptions = {});
  [[nodiscard]] Account account(std::string_view id) const;
  [[nodiscard]] std::vector<Account> accounts() const;
  /// Requests in progress continue.
  void removeAccount(const Account& account);
  void connect(const Account& platform, const Account& connected);
  /// With null, the token acts as `account`.
  [[nodiscard]] std::string addToken(const Account& account, const Account* connected, bool livemode);

  /// A seed for the jitter of a client; each is another one.
  [[nodiscard]] std::uint64_t nextJitterSeed();

  // Objects.

  /// Initializes an object, lets `edit` change it without the lock, and stores it in the state that `edit`
  /// returns. Throws std::invalid_argument if the service can't have such an object.
  void insert(std::string_view key, const ResourceType& type, ObjectRef object,
              const std::function<std::uint8_t()>& edit);

  /// Inserts the next `count` objects of the series, and appends their identifiers to `ids`.
  void insertNext(std::string_view key, ObjectSeries& series, std::size_t count,
                  std::vector<std::string>& ids);

  /// The name of the state of an object; nothing if the key sees no such object, or if it has no states.
  [[nodiscard]] std::optional<std::string> stateOf(std::string_view key, std::string_view id) const;

  [[nodiscard]] std::optional<StoredObject> object(std::string_view key, std::string_view id) const;
  [[nodiscard]] ObjectList objects(std::string_view key, const ObjectFilter& filter) const;

  // Faults, durations and limits.

  std::uint64_t injectFault(FaultRule rule);
  bool removeFault(std::uint64_t id);
  void removeFaults();
  [[nodiscard]] std::vector<fake::InjectedFault> faults() const;
  [[nodiscard]] std::vector<FaultRule> pendingFaults() const;

  void setDuration(const AnyOperation& operation, std::chrono::nanoseconds duration);
  /// With null, of all operations.
  void unsetDuration(const AnyOperation* operation);

  /// Sets a limit for all accounts, or for one.
  void setLimit(const LimitOverride& setting);
  void setLimit(const Account& account, const LimitOverride& setting);
  /// Removes the settings of a limit, or, if `limit` is empty, all: for all accounts and each, or for one.
  void unsetLimits(std::string_view limit);
  void unsetLimits(const Account& account, std::string_view limit);

  void recordTransactions(std::string_view key, std::int64_t count);

  [[nodiscard]] std::vector<LimitUsage> usage(const Account& account) const;
  [[nodiscard]] std::vector<LimitUsage> usage(std::string_view key) const;
  [[nodiscard]] LimitUsage usage(std::string_view key, std::string_view limit, std::string_view of) const;
  [[nodiscard]] std::vector<AllocationForecast> allocationForecasts(std::string_view key) const;

  // What a test holds. The number is for release().

  [[nodiscard]] std::uint64_t lockObject(std::string_view key, std::string_view id,
                                         std::optional<std::chrono::nanoseconds> duration);
  /// Null for the operation holds only limits on all operations.
  [[nodiscard]] std::uint64_t holdConcurrency(std::string_view key, const AnyOperation* operation,
                                              std::int64_t places);
  void release(std::uint64_t number);
  [[nodiscard]] std::optional<HeldThing> held(std::uint64_t number) const;

  // The whole state.

  /// Without what a test holds.
  [[nodiscard]] Snapshot snapshot() const;
  void restore(const Snapshot& snapshot);

  /// How many forks with other keys were made; see fork(keySeed).
  [[nodiscard]] std::uint64_t branches() const noexcept { return *branches_; }
  void continueBranches(std::uint64_t number) noexcept { *branches_ = number; }

  /// Copies of this engine with a clock of their own; the second has other keys.
  [[nodiscard]] std::shared_ptr<Engine> fork() const;
  [[nodiscard]] std::shared_ptr<Engine> fork(std::uint64_t keySeed) const;

 private:
  using Change = GuardedState::Change;
  using Reading = GuardedState::Reading;

  Engine(const ServiceOptions& options, std::shared_ptr<const Catalog> catalog);

  void applyOverrides(const Change& change) const;
  void waitUntil(Instant time, Change& change, const std::stop_token& stop);
  void answerLate(RequestContext& context);
  [[nodiscard]] ScheduledResult resultOf(RequestContext&& context);
  void keepIndexes(const Collection& original, Collection searched) const;
  template <class State>
  [[nodiscard]] auto& collectionOf(const CallerOf<State>& owner, const ResourceType& type) const {
    return owner.collection(catalog_.indexOf(type.resource()));
  }
  void store(const Change& change, const Caller& owner, const ResourceType& type, Instant now,
             ObjectRef object, std::string_view json, std::uint8_t state);
  [[nodiscard]] std::uint64_t keep(const Change& change, Holding hold);

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
