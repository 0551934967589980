#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <tally/attempt.h>
#include <tally/clock.h>
#include <tally/reads_used.h>
#include <tally/transport.h>

namespace tally {

class Observer;
class Pacer;

/// How long to wait before a retry. The wait before the n-th retry is drawn evenly from the upper half of
/// `initial * 2^(n-1)`, which is never more than `cap`; so the first retries of many clients spread out too.
///
/// An answer with `Retry-After`, in seconds or as a date, is waited for so much longer; one that can't be
/// read counts for nothing.
struct Backoff {
  std::chrono::milliseconds initial{500};  ///< More than 0.
  std::chrono::milliseconds cap{8'000};    ///< More than 0.
  /// The most that `Retry-After` is waited for. At least 0, which waits for none.
  std::chrono::milliseconds retryAfterCap{60'000};
};

/// How often a client asks a service in trouble again: each retry after 5xx, a timeout or a broken connection
/// takes a token, each call that goes well gives a part of one back, and without a token a call ends with its
/// error at once. Lock timeouts and rate limits take none: the service that sends them is well.
struct RetryBudget {
  double most = 20;         ///< Tokens in the beginning, and at any time. At least 0.
  double perSuccess = 0.1;  ///< Tokens, at least 0; so at length one retry for ten calls that go well.
};

/// Calls that change the same object, made by one client and its copies, follow each other in the order in
/// which they were made; calls on other objects, and calls that read, wait for nobody. So calls of one
/// process do not meet each other's locks. A call keeps its turn until it is over, retries and all; while it
/// waits it obeys its deadline and its stop token. Spec: "Errors", "Client handling of 429".
///
/// A call made from within a call that changes the same object, in the same thread, would wait for itself. An
/// observer or a transport that makes one gets ErrorKind::queueFull, with effect `none`.
struct MutationQueue {
  bool enabled = true;
  std::size_t maxWaiting = 1'000;  ///< For one object; a further call ends in ErrorKind::queueFull.
};

/// The calls of one client and its copies that change objects.
struct MutationCounts {
  std::size_t inProgress = 0;  ///< Objects that a call is changing.
  std::size_t waiting = 0;     ///< Calls that wait for one of them.
};

/// What a Client is made of. Everything but `key` has a default. A duration may be as long as its type
/// allows: one that lasts beyond the end of time has no end.
struct ClientOptions {
  /// A secret key or an OAuth access token, sent as `Authorization: Bearer`.
  std::string key{};
  /// Where the service is: scheme, host, and whatever stands before `/v1`.
  std::string baseUrl = "https://api.example.com";
  /// Acts for this connected account (`acct_…`); empty: for the key's own account.
  std::string connectedAccount{};

  /// How many times a call may be sent again. 0 sends every request once. With a number, these are sent
  /// again: lock timeouts, failures before anything was sent, and for calls that only read also a lost answer
  /// and 5xx. A report whose answer was lost is never sent again. At least 0.
  int maxNetworkRetries = 0;
  /// Also sends again what a rate or concurrency limit refused (429 with `Service-Rate-Limited-Reason`).
  bool retryRateLimited = false;
  Backoff backoff{};
  RetryBudget retryBudget{};
  /// The longest that one attempt may take. More than 0. RequestOptions::totalTimeout bounds a whole call.
  std::chrono::milliseconds timeout{30'000};

  MutationQueue mutationQueue{};

  /// Holds calls back so that they keep to the service's limits; null: they are sent at once. Shared, and
  /// kept alive, by the client; several clients may have the same. See <tally/pacer.h>.
  std::shared_ptr<Pacer> pacer{};
  /// What earlier processes have used of the read allocation; counts as if it were read when the client is
  /// made. At least 0. See Client::readsUsed().
  ReadsUsed readsUsedBefore{};

  /// Sent with every request, after the client's own.
  std::vector<Header> headers{};

  /// How requests travel; null: over HTTPS by libcurl. Shared, and kept alive, by the client.
  std::shared_ptr<Transport> transport{};
  /// How time passes; null: systemClock(). Shared, and kept alive, by the client.
  std::shared_ptr<Clock> clock{};
  /// Is told what every call does; null: nobody. Shared, and kept alive, by the client.
  std::shared_ptr<Observer> observer{};
  /// Seeds the jitter, so that a run can be repeated; without one, every client draws differently.
  std::optional<std::uint64_t> jitterSeed{};
};

/// What a single call does differently from its Client. What is not set is as the Client has it. A value that
/// is out of its range ends the call in ErrorKind::invalidParameter, whose `param` names the option.
struct RequestOptions {
  std::optional<std::string> key{};
  std::optional<std::string> connectedAccount{};
  std::optional<std::chrono::milliseconds> timeout{};  ///< Of one attempt. More than 0.
  std::optional<int> maxNetworkRetries{};              ///< At least 0.
  std::optional<bool> retryRateLimited{};
  /// How long the whole call may take, with all its attempts and waits, from now on. More than 0. A wait that
  /// could not be finished within it is not begun. For a list or a search it bounds the whole walk, and runs
  /// from when list() or search() is called.
  std::optional<std::chrono::milliseconds> totalTimeout{};
  /// The same as a moment, for several calls that must be over together; with `totalTimeout` too, the earlier
  /// of the two. It is read on the client's clock: `client.clock().now() + 5s`.
  ///
  /// `std::chrono::system_clock::now()` gives a time of the same type, and of another clock: systemClock()
  /// does not follow when the system's time is set, and a virtual clock is anywhere.
  std::optional<Instant> deadline{};
  /// Ends the call, waits included, when a stop is requested.
  std::stop_token stop{};
  /// Sent after the client's own; one of the same name takes its place. A `traceparent` is told to the
  /// observer too.
  std::vector<Header> headers{};
  /// Gets every attempt of the call at its end, also where it goes well, after what it holds; an error has
  /// them as Error::trail(). Not owned, and for one call at a time; for a list or a search it outlives the
  /// walk.
  std::vector<Attempt>* trail = nullptr;
};

}  // namespace tally
