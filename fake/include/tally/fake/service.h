#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tally/fake/accounts.h>
#include <tally/fake/connections.h>
#include <tally/fake/durations.h>
#include <tally/fake/faults.h>
#include <tally/fake/holds.h>
#include <tally/fake/limits.h>
#include <tally/fake/objects.h>
#include <tally/fake/pending_request.h>
#include <tally/fake/requests.h>
#include <tally/fake/scheduled_result.h>
#include <tally/fake/snapshots.h>
#include <tally/fake/tokens.h>
#include <tally/fake/transactions.h>
#include <tally/fake/transport.h>
#include <tally/fake/usage.h>
#include <tally/fake/virtual_clock.h>
#include <tally/options.h>
#include <tally/stop_token.h>

namespace tally::fake {

namespace detail {
class Engine;
class SavedService;
}  // namespace detail

/// The options of a Service.
struct ServiceOptions {
  /// The seed of all identifiers, API keys and request IDs: the same seed and the same calls produce the same
  /// bytes.
  std::uint64_t seed = 1;
  /// The initial time of the service's clock.
  Instant start = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
  /// How long it takes until searches find a new object. From 0 to 100 years. Lists return new objects
  /// immediately.
  std::chrono::seconds searchLag{0};
  /// How long a request takes. For that long, it is in progress and keeps its object locked. With
  /// transport(), the caller waits that long, so that successive calls are not all made at the same instant.
  /// From 0 to 100 years, like all durations here. See Durations::set().
  std::chrono::nanoseconds duration = std::chrono::milliseconds{50};
  /// How long a request that changes an object waits for the object's lock before it fails with
  /// `lock_timeout`. Spec: "Errors".
  std::chrono::nanoseconds lockWait = std::chrono::seconds{3};
  /// Whether rate limits, concurrency limits and the read allocation are enforced. Spec: "Limits".
  bool limits = true;
  /// How many requests the log keeps. If there are more, the oldest are dropped; Requests::droppedCount()
  /// counts the dropped requests. 0 keeps none.
  std::size_t requestLog = 10'000;
  /// The maximum memory of the log, in bytes. When the log is full, the responses to the oldest requests are
  /// dropped first, then the requests themselves.
  std::size_t requestLogBytes = std::size_t{64} * 1'024 * 1'024;
  /// Whether the `Tally-Fake-Fault` header of a request injects a fault into it, as in `response_lost;
  /// times=2`. Otherwise, this header is ignored, as unknown headers are.
  bool faultHeader = false;
};

std::ostream& operator<<(std::ostream& out, const ServiceOptions& value);

/// A fake of the payments service, in this process: accounts, objects, reports, lists, searches, error
/// responses and limits, as in the API description. It reads no wall clock and shares nothing with other
/// Services.
///
/// Thread-safe: requests and other changes are applied one at a time.
class Service {
 public:
  /// Throws std::invalid_argument for a duration out of range.
  explicit Service(ServiceOptions options = {});
  /// Internal: makes a service with this state.
  explicit Service(std::shared_ptr<detail::Engine> engine);
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service();

  /// Adds an account with a key for each mode. Throws std::invalid_argument for options that are not UTF-8.
  Account addAccount(AccountOptions options = {});

  /// The parts of the service, which are named after paths of the control API: `faults().inject(rule)`
  /// corresponds to `POST /_fake/faults`. Changing a part changes this service.
  [[nodiscard]] Accounts accounts() const { return Accounts{engine_}; }
  [[nodiscard]] Connections connections() const { return Connections{engine_}; }
  [[nodiscard]] Tokens tokens() const { return Tokens{engine_}; }
  [[nodiscard]] Objects objects() const { return Objects{engine_}; }
  [[nodiscard]] Faults faults() const { return Faults{engine_}; }
  [[nodiscard]] Requests requests() const { return Requests{engine_}; }
  [[nodiscard]] Durations durations() const { return Durations{engine_}; }
  [[nodiscard]] Limits limits() const { return Limits{engine_}; }
  [[nodiscard]] Usage usage() const { return Usage{engine_}; }
  [[nodiscard]] Transactions transactions() const { return Transactions{engine_}; }
  [[nodiscard]] Holds holds() const { return Holds{engine_}; }
  [[nodiscard]] Snapshots snapshots() const { return Snapshots{engine_}; }

  /// Puts an object into the store for the account and mode of `key`, and returns it. The object starts as
  /// the example in the API description, with new identifiers and the current time as its creation time.
  /// `edit` may change everything except the mode. Fields derived on creation, such as the currencies of the
  /// outcome amounts, are empty while `edit` runs. Those that `edit` leaves empty are derived afterwards.
  ///
  /// The object is in `state`, such as `guaranteed`, and its fields show that state unless `edit` has set
  /// them. If `state` is empty, the fields determine the state: for example, `failed` if the requested amount
  /// is in `amount_failed`, or the initial state if nothing contradicts it. Spec: "States and transitions".
  ///
  /// The account of `key` may act for an inserted account, in the mode of `key`. Accounts::get() returns the
  /// keys of the inserted account.
  ///
  /// Throws std::invalid_argument for an unknown key or state. Also throws std::invalid_argument, which names
  /// the field, if the edit contradicts the state or all states, or leaves an identifier that is taken or
  /// lacks its prefix, a value out of range, a metadata key that is empty or has brackets, text that is not
  /// UTF-8, or a RawJson that is not one JSON value, is nested more than 32 levels deep, or has a name twice.
  template <class T>
  T insert(std::string_view key, const std::function<void(T&)>& edit = {}, std::string_view state = {}) {
    T object{};
    const auto change = [&] {
      if (edit) edit(object);
    };
    insertObject(key, T::object, &object, change, state);
    return object;
  }

  /// The same for a resource given by name, such as `payment_record`: `fields` is a JSON object with the
  /// differences from the example. Returns the JSON of the object. Also throws std::invalid_argument for an
  /// unknown resource or field, and for a name that occurs twice.
  std::string insert(std::string_view key, std::string_view resource, std::string_view fields = "{}",
                     std::string_view state = {});

  /// Inserts `count` objects and returns their identifiers. The result is the same as that of `count` calls
  /// to insert(), but takes a fraction of the time. After an exception, the objects before the invalid one
  /// remain.
  std::vector<std::string> insertMany(std::string_view key, std::string_view resource, std::size_t count,
                                      std::string_view fields = "{}", std::string_view state = {});

  /// Completes `options` for a Client of this service, as in `clientOptions(key, {.maxNetworkRetries = 3})`.
  /// Sets what `options` leaves unset: the key, a base URL, the transport, the clock, and a jitter seed. The
  /// jitter seed is derived from the service's seed and differs for each call. Does not check the key.
  [[nodiscard]] ClientOptions clientOptions(std::string_view key, ClientOptions options = {});

  /// A transport to this service, for ClientOptions::transport. May outlive the service.
  [[nodiscard]] std::shared_ptr<Transport> transport() const;
  /// The service's clock. May outlive the service.
  [[nodiscard]] std::shared_ptr<VirtualClock> clock() const;

  /// Counts the calls that may have changed something: requests, and changes to objects, accounts, limits,
  /// faults, holds and the clock. The count never decreases. What the caller reads afterwards includes these
  /// changes. The passing of time is not a change.
  [[nodiscard]] std::uint64_t changeCount() const;

  /// Calls `listener` after each change that changeCount() counts, in the thread that made the change, until
  /// the result is destroyed. `listener` may call this service. Calls may overlap, and a call that is in
  /// progress in another thread may end after the destruction. `listener` must not throw.
  [[nodiscard]] std::shared_ptr<const void> onChange(std::function<void()> listener) const;

  /// Handles one request. Its URL is absolute, or starts with the path. Returns the response immediately, but
  /// the request stays in progress for its duration, with its object locked, so that requests from one thread
  /// can overlap. Moves time only if the request waits for a lock. The status is 0 if an injected fault
  /// leaves the request without a response.
  [[nodiscard]] HttpResponse handle(const HttpRequest& request);

  /// Handles one request for a server with its own transport and a thread for each request, such as
  /// HttpServer. Like handle(), it does not wait until the response is due. While the request waits for a
  /// lock, this function moves the clock; if the clock is frozen or running, the function blocks instead,
  /// until the wait is over or `stop` is requested. While the clock is frozen, requests take no time.
  /// `otherMethod` is the method if it is neither GET nor POST; a HEAD is handled as a GET, and the server
  /// omits the body.
  [[nodiscard]] ScheduledResult exchange(const HttpRequest& request, StopToken stop = {},
                                         std::string_view otherMethod = {});

  /// The same for a server that handles many requests in one thread and controls time. This function never
  /// blocks and never moves the clock. Requests take their full duration even while the clock is frozen. If
  /// the request has to wait for a lock, call PendingRequest::proceed() at PendingRequest::lockedUntil().
  [[nodiscard]] std::variant<ScheduledResult, PendingRequest> begin(HttpRequest request,
                                                                    std::string_view otherMethod = {});

  /// Returns an independent copy of this service, with its own clock, and without what a test holds.
  [[nodiscard]] Service fork() const;

  /// The same, but each account gets new keys, which Accounts::get() returns, and there are no access tokens.
  /// One address can thus serve both services, and the key distinguishes them. The keys of the copy, and the
  /// access tokens and identifiers that it makes, differ from those of this service and all its other forks,
  /// whatever the seeds. They are derived from `keySeed`, the seed of this service, and the number of such
  /// forks already made of this service and its forks.
  [[nodiscard]] Service fork(std::uint64_t keySeed) const;

 private:
  friend class detail::SavedService;

  void insertObject(std::string_view key, std::string_view resource, void* object,
                    const std::function<void()>& edit, std::string_view state);

  std::shared_ptr<detail::Engine> engine_;
};

}  // namespace tally::fake
