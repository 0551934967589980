#pragma once

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

#include <tally/fake/held.h>
#include <tally/fake/limits.h>
#include <tally/fake/logged_request.h>
#include <tally/fake/pending_request.h>
#include <tally/fake/script.h>
#include <tally/fake/snapshot.h>
#include <tally/fake/transport.h>
#include <tally/fake/virtual_clock.h>
#include <tally/options.h>

namespace tally::fake {

struct ServiceOptions {
  /// All identifiers, keys and request ids follow from it: the same seed and the same calls give the same
  /// bytes.
  std::uint64_t seed = 1;
  /// Where the service's clock begins.
  Instant start = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
  /// How long after it was stored a new object is found by searches, from 0 to 100 years. Lists have it at
  /// once.
  std::chrono::seconds searchLag{0};
  /// How long a request takes, and with it how long it is in progress and keeps its object locked. Through
  /// transport() the caller waits for it, so that calls that follow each other are not all made at one
  /// instant. From 0 to 100 years, like all durations here. See setDuration().
  std::chrono::nanoseconds duration = std::chrono::milliseconds{50};
  /// How long a request that changes an object waits for the object's lock before it gets `lock_timeout`.
  std::chrono::nanoseconds lockWait = std::chrono::seconds{3};
  /// Whether rate limits, concurrency limits and the read allocation are kept.
  bool limits = true;
  /// How many requests the log keeps, in 64 MiB at most; the oldest make room, and droppedRequests() counts
  /// them. 0 keeps none.
  std::size_t requestLog = 10'000;
};

/// An account of the service, and its keys.
struct Account {
  std::string id{};
  std::string liveKey{};
  std::string sandboxKey{};
};

/// What is known of an account.
struct AccountOptions {
  std::string country = "US";  ///< Compared as it is written, in capitals in the API description.
  std::string industry{};
};

/// The payments service, in this process: accounts, objects, reports, lists, searches and error answers, and
/// limits, as the API description has them. It reads no wall clock and shares nothing with another Service.
///
/// Thread-safe. What is done to it while requests are under way happens between two of them.
class Service {
 public:
  explicit Service(ServiceOptions options = {});
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service();

  Account addAccount(AccountOptions options = {});

  /// The account of that identifier, with its keys; so too for one that was created by a request. Throws
  /// std::invalid_argument if there is none.
  [[nodiscard]] Account account(std::string_view id) const;

  /// From now on `platform` may act for `connected`, in both modes, by `Service-Account`, and sees it among
  /// its accounts. Throws std::invalid_argument for accounts of another service. An account that is created
  /// by a request is connected to the one that created it, in that mode.
  void connect(const Account& platform, const Account& connected);

  /// An OAuth access token with which requests act as `account`. Throws std::invalid_argument for an account
  /// of another service.
  std::string addAccessToken(const Account& account, bool livemode);

  /// An OAuth access token with which `platform` acts for `connected`. Throws std::invalid_argument where it
  /// may not.
  std::string addAccessToken(const Account& platform, const Account& connected, bool livemode);

  /// Puts an object straight into the store of the account and mode of `key`, and returns it. It begins as
  /// the example in the API description, with identifiers of its own, created now; `edit` may change
  /// anything about it but its mode. Fields that follow from others on creation, as the currencies of the
  /// outcome amounts do, are still empty for `edit`; what it leaves so follows.
  ///
  /// The object is in `state`, as `guaranteed`, and shows it as far as `edit` has left it to. Without a
  /// `state`, it is in the one that it shows: if the requested amount is in `amount_failed`, `failed`; if
  /// nothing speaks against it, in the initial one. Spec: "States and transitions".
  ///
  /// A seeded account is one that the account of `key` may act for, in its mode; account() has its keys.
  ///
  /// Throws std::invalid_argument for an unknown key or state, and for an edit that contradicts the state, or
  /// all of them, or leaves an identifier without its prefix, one that is taken, a value out of its bounds,
  /// or something that is not JSON or not UTF-8. It names the field.
  template <class T>
  T seed(std::string_view key, const std::function<void(T&)>& edit = {}, std::string_view state = {}) {
    T object{};
    const auto change = [&edit](void* made) {
      if (edit) edit(*static_cast<T*>(made));
    };
    seedObject(key, T::object, &object, change, state, "{}");
    return object;
  }

  /// The same for a resource that is known by its name, as `payment_record`: `fields` is a JSON object with
  /// what is to differ from the example. Returns the object's JSON. Throws std::invalid_argument for an
  /// unknown resource or field too.
  std::string seed(std::string_view key, std::string_view resource, std::string_view fields = "{}",
                   std::string_view state = {});

  /// What a Client of this service is made of: the key, the way to reach it, its clock, and a jitter that
  /// follows from the seed and is another for each call.
  [[nodiscard]] ClientOptions clientOptions(std::string_view key);

  [[nodiscard]] std::shared_ptr<Transport> transport() const;
  [[nodiscard]] std::shared_ptr<VirtualClock> clock() const;

  /// Arranges a fault. Of several that match a request, the one that was added first is used up first; and
  /// it is used up only by happening. Throws std::invalid_argument for one that can't happen: where it names
  /// an operation or an error that does not exist, or more than one thing to go wrong.
  void script(Script script);

  /// The scripts that did not happen as often as they say, with the times that are left; so that a test can
  /// see that what it arranged did happen.
  [[nodiscard]] std::vector<Script> unfiredScripts() const;

  /// The same in words, a line each; empty if all of them happened. For the end of a test:
  /// `EXPECT_THAT(service.verifyFaultsFired(), IsEmpty())`.
  [[nodiscard]] std::vector<std::string> verifyFaultsFired() const;

  /// What was sent, oldest first: of what the log keeps, the requests whose numbers are greater than `after`,
  /// and no more than `most` of them.
  [[nodiscard]] std::vector<LoggedRequest> requests(
      std::uint64_t after = 0, std::size_t most = std::numeric_limits<std::size_t>::max()) const;

  /// How many requests made room in the log for others, or were never kept: see ServiceOptions::requestLog.
  [[nodiscard]] std::uint64_t droppedRequests() const;

  /// Answers one request. Its URL may be absolute, or begin with the path. The answer comes at once; the
  /// request stays in progress for its duration all the same, and its object locked, so that the requests of
  /// one thread can overlap. Moves time only if the request waits for an object's lock. The status is 0 where
  /// a scripted fault leaves the request without an answer.
  [[nodiscard]] HttpResponse handle(const HttpRequest& request);

  /// Answers one request for whoever carries it over a wire of their own and has a thread for it, as
  /// HttpServer does. Like handle(), it does not wait until the answer is due; but while the request waits
  /// for an object's lock, it moves the clock, or blocks if the clock does not leap, until `stop`. While the
  /// clock is frozen, requests take no time. `otherMethod` is the request's where it is neither GET nor POST;
  /// a HEAD is answered as a GET, with the body, which is for the carrier to leave out.
  [[nodiscard]] Outcome exchange(const HttpRequest& request, std::stop_token stop = {},
                                 std::string_view otherMethod = {});

  /// The same for whoever carries many requests in one thread, and decides how time passes: never blocks,
  /// never moves the clock, and requests take as long while it is frozen. Where the request has to wait for
  /// an object's lock, the result is to be asked again at PendingRequest::lockedUntil().
  [[nodiscard]] std::variant<Outcome, PendingRequest> begin(HttpRequest request,
                                                            std::string_view otherMethod = {});

  /// How long requests for one operation take from now on. Throws std::invalid_argument for an unknown
  /// operation, and for a negative duration.
  void setDuration(std::string_view operation, std::chrono::nanoseconds duration);

  /// Sets a limit for all accounts, those that come too. It counts what was admitted before, too: what is in
  /// progress, or in its window. What is set for one account prevails; of several settings of a kind, the
  /// last. Throws std::invalid_argument for a limit that does not exist.
  void setLimit(const LimitSetting& setting);

  /// Sets a limit for one account.
  void setLimit(const Account& account, const LimitSetting& setting);

  /// Adds to the transactions by which the read allocation of the account and mode of `key` is reckoned, now.
  /// Throws std::invalid_argument for an unknown key, and for less than one.
  void recordTransactions(std::string_view key, std::int64_t count = 1);

  /// How much of its limits an account has used: those that are on or used, in both modes.
  [[nodiscard]] std::vector<LimitUsage> usage(const Account& account) const;

  /// The same of one limit, for the account and mode of `key`: of the operation or the object `of` where the
  /// limit is on each. Throws std::invalid_argument for an unknown key or limit.
  [[nodiscard]] LimitUsage usage(std::string_view key, std::string_view limit,
                                 std::string_view of = {}) const;

  /// Locks an object of the account and mode of `key`, as another process would: until the result is given
  /// back, or for `duration` on the service's clock. The object need not exist.
  Held lockObject(std::string_view key, std::string_view id,
                  std::optional<std::chrono::nanoseconds> duration = std::nullopt);

  /// Takes places of the concurrency limits of the account and mode of `key`, as requests in progress would:
  /// of one operation, or, if that is empty, of none in particular, which only the global limit counts.
  /// Throws std::invalid_argument for an unknown operation, and for less than one place.
  Held occupy(std::string_view key, std::string_view operation, std::int64_t places = 1);

  /// Everything as it is now: accounts, objects, counts, scripts, log and time, and whether the clock is
  /// frozen or running. What a test holds is not part of it.
  [[nodiscard]] Snapshot snapshot() const;

  /// Puts everything back, the clock too, and lets go of what a test holds. No request may be under way.
  void restore(const Snapshot& snapshot);

  /// A service of its own, with a clock of its own, that is as this one is now; without what a test holds.
  [[nodiscard]] Service fork() const;

  /// The same, but every account has other keys, which account() tells; and there are no access tokens. So
  /// that both can be reached by one address, and keys tell them apart. Keys, access tokens and the
  /// identifiers of what is made from now on differ from those of this service and of all its forks, whatever
  /// the seeds; they follow from `keySeed`, from this service's seed, and from how many such forks were made
  /// of it and of its forks before.
  [[nodiscard]] Service fork(std::uint64_t keySeed) const;

  /// The state of an object, as `guaranteed`; nothing where `key` sees no such object, or it has no states.
  /// Spec: "States and transitions".
  [[nodiscard]] std::optional<std::string> stateOf(std::string_view key, std::string_view id) const;

 private:
  explicit Service(std::shared_ptr<detail::Server> server);

  [[nodiscard]] std::shared_ptr<detail::Server> copy() const;
  void seedObject(std::string_view key, std::string_view resource, void* object,
                  const std::function<void(void*)>& edit, std::string_view state, std::string_view given);

  std::shared_ptr<detail::Server> server_;
};

}  // namespace tally::fake
