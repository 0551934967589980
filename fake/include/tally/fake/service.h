#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tally/fake/allocation_forecast.h>
#include <tally/fake/fault_rule.h>
#include <tally/fake/hold.h>
#include <tally/fake/limit_usage.h>
#include <tally/fake/logged_request.h>
#include <tally/fake/pending_request.h>
#include <tally/fake/request_pattern.h>
#include <tally/fake/scheduled_result.h>
#include <tally/fake/snapshot.h>
#include <tally/fake/stored_object.h>
#include <tally/fake/transport.h>
#include <tally/fake/virtual_clock.h>
#include <tally/options.h>

namespace tally::fake {

namespace detail {
class SavedService;
}

/// The options of a Service.
struct ServiceOptions {
  /// The seed of all identifiers, API keys and request IDs: the same seed and the same calls produce the same
  /// bytes.
  std::uint64_t seed = 1;
  /// The initial time of the service's clock.
  Instant start = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
  /// How long it takes until searches find a new object. From 0 to 100 years. Lists return it immediately.
  std::chrono::seconds searchLag{0};
  /// How long a request takes, and so how long it is in progress and keeps its object locked. Through
  /// transport(), the caller waits for it, so that successive calls are not all made at the same instant.
  /// From 0 to 100 years, like all durations here. See setDuration().
  std::chrono::nanoseconds duration = std::chrono::milliseconds{50};
  /// How long a request that changes an object waits for its lock before it fails with `lock_timeout`. Spec:
  /// "Errors".
  std::chrono::nanoseconds lockWait = std::chrono::seconds{3};
  /// Whether rate limits, concurrency limits and the read allocation are enforced. Spec: "Limits".
  bool limits = true;
  /// How many requests the log keeps. The oldest are dropped, and droppedRequests() counts them. 0 keeps
  /// none.
  std::size_t requestLog = 10'000;
  /// The memory of the log, in bytes. If it is full, the responses of the oldest requests are dropped first,
  /// then the oldest requests.
  std::size_t requestLogBytes = std::size_t{64} * 1'024 * 1'024;
};

std::ostream& operator<<(std::ostream& out, const ServiceOptions& value);

/// An account of the service, and its API keys.
struct Account {
  std::string id{};
  std::string liveKey{};
  std::string sandboxKey{};
};

/// Prints one line, without the keys.
std::ostream& operator<<(std::ostream& out, const Account& value);

/// The properties of an account on which limits may depend.
struct AccountOptions {
  std::string country = "US";  ///< Compared exactly; the API description uses capitals. In UTF-8.
  std::string industry{};      ///< Compared exactly; empty: none. In UTF-8.
};

std::ostream& operator<<(std::ostream& out, const AccountOptions& value);

/// A fake of the payments service, in this process: accounts, objects, reports, lists, searches, error
/// responses and limits, as in the API description. It reads no wall clock and shares nothing with other
/// Services.
///
/// Thread-safe: requests and other changes are applied one at a time.
class Service {
 public:
  /// Throws std::invalid_argument for a duration out of range.
  explicit Service(ServiceOptions options = {});
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service();

  /// Adds an account with a key for each mode. Throws std::invalid_argument for options that are not UTF-8.
  Account addAccount(AccountOptions options = {});

  /// The account with that identifier, and its keys, including one that a request created. Throws
  /// std::invalid_argument if there is none.
  [[nodiscard]] Account account(std::string_view id) const;

  /// The accounts, and their keys, in the order in which they were added.
  [[nodiscard]] std::vector<Account> accounts() const;

  /// Removes an account with its keys, its tokens and its objects, and releases what a test holds of it.
  /// Requests with these keys are then refused; those in progress continue as if it were still there.
  /// Platforms can no longer act for it, but keep the objects that represent it. Snapshots keep the account.
  /// Throws std::invalid_argument for an unknown account.
  void removeAccount(const Account& account);

  /// Lets `platform` act for `connected` by `Service-Account`, in both modes, and see it among its accounts.
  /// Throws std::invalid_argument for an unknown account. An account that a request creates is connected to
  /// its creator, in that mode.
  void connect(const Account& platform, const Account& connected);

  /// Returns an OAuth access token with which requests act as `account`. Throws std::invalid_argument for an
  /// unknown account.
  std::string addAccessToken(const Account& account, bool livemode);

  /// Returns an OAuth access token with which `platform` acts for `connected`. Throws std::invalid_argument
  /// unless the two are connected in that mode.
  std::string addAccessToken(const Account& platform, const Account& connected, bool livemode);

  /// Puts an object into the store for the account and mode of `key`, and returns it. The object starts as
  /// the example in the API description, with new identifiers, created now. `edit` may change all of it
  /// except its mode. Fields derived on creation, such as the currencies of the outcome amounts, are empty
  /// while `edit` runs; those that it leaves empty are then derived.
  ///
  /// The object is in `state`, such as `guaranteed`, and its fields show that state unless `edit` has set
  /// them. Without `state`, its fields determine the state: `failed` if the requested amount is in
  /// `amount_failed`; the initial state if nothing contradicts it. Spec: "States and transitions".
  ///
  /// The account of `key` may act for an inserted account, in its mode; account() returns the keys.
  ///
  /// Throws std::invalid_argument for an unknown key or state. Also throws it, with the field, if the edit
  /// contradicts the state or all states, or leaves an identifier that is taken or lacks its prefix, a value
  /// out of range, a metadata key that is empty or has brackets, text that is not UTF-8, or a RawJson that is
  /// not one JSON value, is nested more than 32 levels deep, or has a name twice.
  template <class T>
  T insert(std::string_view key, const std::function<void(T&)>& edit = {}, std::string_view state = {}) {
    T object{};
    const auto change = [&] {
      if (edit) edit(object);
    };
    insertObject(key, T::object, &object, change, state);
    return object;
  }

  /// The same for a resource by its name, such as `payment_record`: `fields` is a JSON object with the
  /// differences from the example. Returns the JSON of the object. Also throws std::invalid_argument for an
  /// unknown resource or field, and for a name that occurs twice.
  std::string insert(std::string_view key, std::string_view resource, std::string_view fields = "{}",
                     std::string_view state = {});

  /// Inserts `count` such objects and returns their identifiers. The objects are the same as those of as many
  /// calls of insert(), but created in a fraction of the time. After an exception, those before the invalid
  /// one remain.
  std::vector<std::string> insertMany(std::string_view key, std::string_view resource, std::size_t count,
                                      std::string_view fields = "{}", std::string_view state = {});

  /// The options for a Client of this service: the key, the transport, the clock, and a jitter seed, which
  /// follows from the service's seed and differs for each call. Does not check the key.
  [[nodiscard]] ClientOptions clientOptions(std::string_view key);

  /// A transport to this service, for ClientOptions::transport. May outlive the service.
  [[nodiscard]] std::shared_ptr<Transport> transport() const;
  /// The service's clock. May outlive the service.
  [[nodiscard]] std::shared_ptr<VirtualClock> clock() const;

  /// Adds a fault. If several rules match a request, the one added first applies; a rule is consumed only by
  /// being applied. Throws std::invalid_argument for a rule that can never apply, such as one with an unknown
  /// operation or error, more than one fault, or a value out of range. Returns the fault's id, for
  /// removeFault(). Also throws for a response that can't be sent, such as one with a line break in a header.
  std::uint64_t injectFault(FaultRule rule);

  /// Removes a fault, whether it has happened or not. Returns false if there is none with that id, because it
  /// was removed or has happened as often as its rule says.
  bool removeFault(std::uint64_t id);

  /// Removes all faults.
  void removeFaults();

  /// All faults that may still happen or wait to be removed, oldest first, and how often each has happened.
  [[nodiscard]] std::vector<InjectedFault> faults() const;

  /// The rules that have not been fully consumed, with their remaining `times`; empty if all injected faults
  /// have happened. A rule without a limit of times is consumed once it has happened. For the end of a test:
  /// `EXPECT_THAT(service.pendingFaults(), IsEmpty())`.
  [[nodiscard]] std::vector<FaultRule> pendingFaults() const;

  /// The logged requests with numbers greater than `after`, oldest first, and at most `most` of them.
  [[nodiscard]] std::vector<LoggedRequest> requests(
      std::uint64_t after = 0, std::size_t most = std::numeric_limits<std::size_t>::max()) const;

  /// How many of the logged requests match. Like the two functions below, it compares the requests that the
  /// log has at the time of the call, and throws std::invalid_argument for an unknown operation. It misses
  /// what the log has dropped; verify() fails if that could make a difference.
  [[nodiscard]] std::size_t count(const RequestPattern& pattern) const;

  /// The logged requests that match and have numbers greater than `after`, oldest first, at most `most` of
  /// them.
  [[nodiscard]] std::vector<LoggedRequest> matching(
      const RequestPattern& pattern, std::uint64_t after = 0,
      std::size_t most = std::numeric_limits<std::size_t>::max()) const;

  /// Whether as many requests with numbers greater than `after` match as expected. If not, printing the
  /// result explains why. Also fails if the log has dropped requests or responses that could make a
  /// difference: after a drop, an upper bound is never certain, but a lower one is once enough requests
  /// match.
  [[nodiscard]] Verification verify(const RequestPattern& pattern, const Count& expected = Count::exactly(1),
                                    std::uint64_t after = 0) const;

  /// Empties the log. The numbers of requests continue.
  void clearRequests();

  /// How many requests the log has dropped or never kept since it was last cleared: see
  /// ServiceOptions::requestLog and requestLogBytes.
  [[nodiscard]] std::uint64_t droppedRequests() const;

  /// The number of the last request, whether the log still has it or not; 0 if there was none.
  [[nodiscard]] std::uint64_t lastRequest() const;

  /// How many requests the log has.
  [[nodiscard]] std::size_t logSize() const;

  /// Counts the calls that may have changed something: requests, and changes of objects, accounts, limits,
  /// faults, holds and the clock. It never decreases. What a caller reads afterwards includes them. Time that
  /// passes is no change.
  [[nodiscard]] std::uint64_t changeCount() const;

  /// Calls `listener` after each of them, in the thread that made the change, until the result is destroyed.
  /// `listener` may call this service. Calls may overlap, and a call that is in progress in another thread
  /// may end after that. `listener` must not throw.
  [[nodiscard]] std::shared_ptr<const void> onChange(std::function<void()> listener) const;

  /// Handles one request. Its URL is absolute, or starts with the path. Returns the response immediately; the
  /// request still stays in progress for its duration, with its object locked, so that requests of one thread
  /// can overlap. Moves time only if the request waits for a lock. The status is 0 if an injected fault
  /// leaves the request without a response.
  [[nodiscard]] HttpResponse handle(const HttpRequest& request);

  /// Handles one request for a server with a transport of its own and a thread for the request, such as
  /// HttpServer. Like handle(), it does not wait until the response is due. While the request waits for a
  /// lock, it moves the clock; if the clock is frozen or running, it blocks instead, at most until `stop`.
  /// While the clock is frozen, requests take no time. `otherMethod` is the method if it is neither GET nor
  /// POST; a HEAD is handled as a GET, and the server omits the body.
  [[nodiscard]] ScheduledResult exchange(const HttpRequest& request, std::stop_token stop = {},
                                         std::string_view otherMethod = {});

  /// The same for a server that handles many requests in one thread and controls time: never blocks and never
  /// moves the clock, and requests take their full duration while it is frozen. If the request has to wait
  /// for a lock, call PendingRequest::proceed() at PendingRequest::lockedUntil().
  [[nodiscard]] std::variant<ScheduledResult, PendingRequest> begin(HttpRequest request,
                                                                    std::string_view otherMethod = {});

  /// Sets how long requests for one operation take from now on. Throws std::invalid_argument for an unknown
  /// operation, and for a duration that is negative or more than 100 years.
  void setDuration(std::string_view operation, std::chrono::nanoseconds duration);

  /// Lets requests for one operation, or, if `operation` is empty, for all, take ServiceOptions::duration
  /// again. Throws std::invalid_argument for an unknown operation.
  void unsetDurations(std::string_view operation = {});

  /// Sets a limit for all present and future accounts. Requests already admitted count too, if they are in
  /// progress or in its window. An override for one account takes precedence; otherwise the last one applies.
  /// Throws std::invalid_argument for an unknown limit, an operation without that limit, a negative value, or
  /// a country or industry that is not UTF-8.
  void setLimit(const LimitOverride& setting);

  /// Sets a limit for one account. Also throws std::invalid_argument for an unknown account.
  void setLimit(const Account& account, const LimitOverride& setting);

  /// Sets a limit, or, if `limit` is empty, all limits, back to the API description: for all accounts,
  /// including what was set for one. Throws std::invalid_argument for an unknown limit.
  void unsetLimits(std::string_view limit = {});

  /// Removes only what was set for one account. Also throws std::invalid_argument for an unknown account.
  void unsetLimits(const Account& account, std::string_view limit = {});

  /// Adds transactions, at the present time, to the account and mode of `key`; they determine its read
  /// allocation. Throws std::invalid_argument for an unknown key, unless `count` is from 1 to 10^12, and for
  /// 2^62 or more within 30 days.
  /// Spec: "Limits", "Read (GET) request allocation".
  void recordTransactions(std::string_view key, std::int64_t count = 1);

  /// The limits of an account that are on or used, in both modes; limits on each object only for the
  /// account's objects with requests, whoever made them. Throws std::invalid_argument for an unknown account.
  [[nodiscard]] std::vector<LimitUsage> usage(const Account& account) const;

  /// The same for a key or token: the limits that its requests count against. If a platform acts with it for
  /// a connected account, those are the limits of the platform, except for those that count against the
  /// connected account. Throws std::invalid_argument for an unknown key.
  [[nodiscard]] std::vector<LimitUsage> usage(std::string_view key) const;

  /// One limit, for the account and mode of `key`; `of` is the operation or object if the limit applies to
  /// each. Throws std::invalid_argument for an unknown key or limit.
  [[nodiscard]] LimitUsage usage(std::string_view key, std::string_view limit,
                                 std::string_view of = {}) const;

  /// How the read allocations of the account and mode that pay for the reads of `key` will change if nothing
  /// else happens: the one for its own reads, and the one for its reads on behalf of connected accounts.
  /// Throws std::invalid_argument for an unknown key.
  [[nodiscard]] std::vector<AllocationForecast> allocationForecasts(std::string_view key) const;

  /// Locks an object of the account and mode of `key`, as another process would, until the result is released
  /// or `duration` has passed on the service's clock, from 0 to 100 years. The object need not exist. Throws
  /// std::invalid_argument for an unknown key or a duration out of range.
  Hold lockObject(std::string_view key, std::string_view id,
                  std::optional<std::chrono::nanoseconds> duration = std::nullopt);

  /// Takes places of the concurrency limits of the account and mode of `key`, as requests in progress would:
  /// of one operation, or, if `operation` is empty, only of the global limit. Throws std::invalid_argument
  /// for an unknown key or operation, and unless `places` is from 1 to 10^12.
  Hold holdConcurrency(std::string_view key, std::string_view operation, std::int64_t places = 1);

  /// The current state: accounts, objects, counts, fault rules, log and time, and whether the clock is frozen
  /// or running. What a test holds is not included.
  [[nodiscard]] Snapshot snapshot() const;

  /// Restores a state, including the clock, and releases what a test holds. No request may be in progress.
  void restore(const Snapshot& snapshot);

  /// Returns an independent copy of this service, with a clock of its own, without what a test holds.
  [[nodiscard]] Service fork() const;

  /// The same, but each account gets new keys, which account() returns, and there are no access tokens. So
  /// one address can serve both services, told apart by key. Keys, access tokens and identifiers made from
  /// now on differ from those of this service and all its forks, whatever the seeds. They follow from
  /// `keySeed`, the seed of this service, and the number of such forks already made of it and its forks.
  [[nodiscard]] Service fork(std::uint64_t keySeed) const;

  /// The state of an object, such as `guaranteed`; empty if `key` sees no such object, or if it has no
  /// states. Throws std::invalid_argument for an unknown key. Spec: "States and transitions".
  [[nodiscard]] std::optional<std::string> stateOf(std::string_view key, std::string_view id) const;

  /// An object, without a request. Empty if `key` sees no such object. Throws std::invalid_argument for an
  /// unknown key.
  [[nodiscard]] std::optional<StoredObject> object(std::string_view key, std::string_view id) const;

  /// The objects of the account and mode of `key`. Takes time in proportion to their number, but requests
  /// need not wait. Throws std::invalid_argument for an unknown key, and for an unknown resource or state.
  [[nodiscard]] ObjectList objects(std::string_view key, const ObjectFilter& filter = {}) const;

 private:
  friend class detail::SavedService;

  explicit Service(std::shared_ptr<detail::Engine> engine);

  void insertObject(std::string_view key, std::string_view resource, void* object,
                    const std::function<void()>& edit, std::string_view state);

  std::shared_ptr<detail::Engine> engine_;
};

}  // namespace tally::fake
