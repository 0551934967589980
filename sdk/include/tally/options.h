#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tally/api_key.h>
#include <tally/attempt.h>
#include <tally/borrowed.h>
#include <tally/clock.h>
#include <tally/curl_transport.h>
#include <tally/param.h>
#include <tally/reads_used.h>
#include <tally/stop_token.h>
#include <tally/transport.h>

namespace [[gnu::visibility("default")]] tally {

class Observer;
class Pacer;
class RetryPolicy;
struct Event;

/// Exponential backoff with equal jitter. The delay before the n-th retry is uniformly distributed in [d/2,
/// d], where d is `initial * 2^(n-1)`, at most `cap`. Even the first retries of many clients are therefore
/// spread out.
///
/// If a response has a `Retry-After` header, in seconds or as a date, that wait is added to the delay. A
/// value that can't be read is ignored. Spec: "Errors", "Client handling of 429".
struct Backoff {
  std::chrono::milliseconds initial{500};  ///< More than 0.
  std::chrono::milliseconds cap{8'000};    ///< More than 0.
  /// The maximum added for `Retry-After`. At least 0; 0 ignores the header.
  std::chrono::milliseconds retryAfterCap{60'000};
};

std::ostream& operator<<(std::ostream& out, const Backoff& value);

/// A token bucket that limits retries while the service is in trouble, shared by a client and its copies.
/// Each retry after a 5xx, a timeout or a broken connection takes a token, and each successful call returns a
/// fraction of one. If no token is left, the call ends immediately with its error. Retries after lock
/// timeouts and rate limits take no token, because a service that sends these responses is healthy.
struct RetryBudget {
  double maxTokens = 20;  ///< The initial and maximum number of tokens. At least 0.
  /// The fraction of a token that a successful call returns. At least 0. A value of 0.1 allows one retry per
  /// ten successful calls in the long run.
  double tokensPerSuccess = 0.1;
};

std::ostream& operator<<(std::ostream& out, const RetryBudget& value);

/// Calls that change the same object, made through a client or its copies, are sent one at a time, in the
/// order in which they were made. These calls therefore do not cause lock timeouts for each other. Calls on
/// other objects, and calls that only read, never wait. A call keeps its turn until it ends, even during its
/// retries. While it waits, it obeys its deadline and its stop token. Spec: "Errors", "Client handling of
/// 429".
///
/// A call that an observer or a transport makes in the thread of another call does not wait for its turn
/// while the other call holds its own turn, or units of the pacer: the calls ahead may wait for that one,
/// which may even be changing the same object. It ends in ErrorKind::queueFull instead, with effect `none`.
struct MutationQueue {
  bool enabled = true;  ///< False: calls are sent immediately, and may cause lock timeouts.
  /// How many calls may wait for one object. Further calls end in ErrorKind::queueFull.
  std::size_t maxWaiting = 1'000;
};

std::ostream& operator<<(std::ostream& out, const MutationQueue& value);

/// How many objects are being changed, and how many calls wait for their turn.
struct MutationCounts {
  std::size_t inProgress = 0;  ///< Objects that a call is changing.
  std::size_t waiting = 0;     ///< Calls that wait for their turn.
};

std::ostream& operator<<(std::ostream& out, const MutationCounts& value);

/// Names the program that uses the client.
struct Application {
  /// Letters, digits and ``!#$%&'*+-.^_`|~``, as in a token of RFC 9110; empty: none.
  std::string name{};
  /// The version, with the same characters; empty: none. Must not be set without `name`.
  std::string version{};
};

std::ostream& operator<<(std::ostream& out, const Application& value);

/// Returns the API key or access token for one attempt. See ClientOptions::apiKeyProvider.
using ApiKeyProvider = std::function<ApiKey()>;

/// Returns headers for one attempt. See ClientOptions::attemptHeaders.
using AttemptHeaders = std::function<std::vector<Header>(const Event& attempt)>;

/// The options of a Client. `baseUrl` and either `apiKey` or `apiKeyProvider` are required; the other options
/// have defaults. A duration may be as long as its type allows. A duration that exceeds the range of Instant
/// means no limit.
struct ClientOptions {
  /// A secret API key or an OAuth access token, sent as `Authorization: Bearer`.
  ApiKey apiKey{};
  /// Returns the key for each attempt, retries included, immediately before the request is sent, so that keys
  /// can rotate without a new client. Set it instead of `apiKey`. It is not used for calls with
  /// RequestOptions::apiKey or an `Authorization` header.
  ///
  /// The function is called concurrently from any thread that makes a call, so it must be thread-safe. For
  /// calls of an AsyncClient, it is called in the AsyncClient's thread, where it must not block: return a key
  /// that another thread keeps up to date. While it runs, the client holds no lock, but the call keeps its
  /// turn at the object. The function must not make calls with this client. The time that it takes counts
  /// toward the attempt's `timeout`, which does not interrupt it.
  ///
  /// If it throws, or returns an empty key or one with a control character, nothing is sent, and the call
  /// ends in ErrorKind::invalidParameter with `param` `apiKeyProvider`. The next call invokes the function
  /// again. The error does not repeat the text of the exception, which may contain a key.
  ///
  /// All keys that it returns are expected to belong to one account and mode. A Pacer counts them as one
  /// account, in the mode that PacerOptions::livemode selects. readsUsed() counts their reads as the client's
  /// own. For other accounts, use a separate client or RequestOptions::apiKey.
  ApiKeyProvider apiKeyProvider{};
  /// The address of the service: the scheme, the host, and anything else before `/v1`. No query or fragment.
  /// Required.
  std::string baseUrl{};
  /// The connected account (`acct_…`) for which to act; empty: the key's own account.
  std::string connectedAccount{};
  /// The application, which is added to the `User-Agent` header: `tally/0.2.0 shop/1.4`.
  Application application{};

  /// How many times a call may be retried. At least 0; 0 sends every request once. The client retries lock
  /// timeouts, failures before anything was sent, and, for calls that only read, lost responses and 5xx. A
  /// report whose response was lost is never retried. Spec: "Errors", "Client handling of 429".
  int maxNetworkRetries = 0;
  /// Also retries requests that a rate or concurrency limit refused (429 with `Service-Rate-Limited-Reason`),
  /// at most `maxNetworkRetries` times. It has no effect if `maxNetworkRetries` is 0.
  bool retryRateLimited = false;
  Backoff backoff{};          ///< The wait before each retry.
  RetryBudget retryBudget{};  ///< Limits retries while the service is in trouble.
  /// Decides about retries instead of `maxNetworkRetries`, `retryRateLimited` and `backoff`; null: these
  /// options decide. It can't cause a report whose response was lost to be resent. See
  /// <tally/retry_policy.h>.
  std::shared_ptr<const RetryPolicy> retryPolicy{};
  /// The time limit of one attempt. More than 0. RequestOptions::totalTimeout limits a whole call.
  std::chrono::milliseconds timeout{30'000};

  MutationQueue mutationQueue{};  ///< Sends changes to the same object one after another.

  /// A client-side rate limiter; null: calls are sent immediately. The client shares ownership of it. Several
  /// clients may use the same pacer. See <tally/pacer.h>.
  std::shared_ptr<Pacer> pacer{};
  /// The reads of earlier processes, counted as if made when the client is constructed. At least 0. See
  /// Client::readsUsed().
  ReadsUsed readsUsedBefore{};

  /// Headers that are sent with every request. A header replaces the client's own header of the same name.
  /// `Content-Length` and `Transfer-Encoding` are rejected.
  std::vector<Header> headers{};
  /// Returns headers for each attempt, retries included, immediately before the request is sent. Use it for
  /// headers that belong to one attempt, such as the `traceparent` of its span. They replace other headers of
  /// the same names. The argument is the `attemptStarted` event that the observer receives next; its
  /// `traceparent` is that of the call.
  ///
  /// The function is called after `apiKeyProvider` and in the same way: concurrently, from any thread that
  /// makes a call, and in the thread of an AsyncClient, where it must not block. The time that it takes
  /// counts toward the attempt's `timeout`. The function must not make calls with this client. If this option
  /// is set, a blocking call copies its request once.
  ///
  /// If it throws, or returns an invalid header, or `Authorization`, `Service-Account`, `Content-Length` or
  /// `Transfer-Encoding`, nothing is sent, and the call ends in ErrorKind::invalidParameter with `param`
  /// `attemptHeaders`. The error does not repeat the text of the exception.
  AttemptHeaders attemptHeaders{};
  /// Marks each request with the identifier of its call and the number of its attempt:
  /// `Tally-Call: 9f86d081884c7d65; attempt=2`.
  ///
  /// The identifiers of calls also differ between clients, and are derived from `jitterSeed`. Each page of a
  /// list is a separate call, and so is each read and each resend by resolveReport(). The fake logs the
  /// identifiers as LoggedRequest::call. If this is set, a blocking call copies its request once.
  bool markAttempts = false;

  /// The options of the client's connections, such as certificates and a proxy. Must not be set together with
  /// `transport`.
  CurlTransportOptions http{};
  /// How requests are sent; null: over HTTPS with libcurl and the options in `http`. The client shares
  /// ownership of the transport.
  std::shared_ptr<Transport> transport{};
  /// The source of time; null: systemClock(). The client shares ownership of the clock.
  std::shared_ptr<Clock> clock{};
  /// Receives the events of all calls; null: none. The client shares ownership of the observer.
  std::shared_ptr<Observer> observer{};
  /// The seed of the backoff jitter, for reproducible runs; empty: random for each client.
  std::optional<std::uint64_t> jitterSeed{};

  /// Reads these options from environment variables. An empty variable counts as not set.
  ///
  ///     | variable                    | option                                            |
  ///     |-----------------------------|---------------------------------------------------|
  ///     | `TALLY_API_KEY`             | `apiKey`; required                                |
  ///     | `TALLY_BASE_URL`            | `baseUrl`, with `https://` or `http://`; required |
  ///     | `TALLY_CONNECTED_ACCOUNT`   | `connectedAccount`                                |
  ///     | `TALLY_MAX_NETWORK_RETRIES` | `maxNetworkRetries`                               |
  ///     | `TALLY_TIMEOUT`             | `timeout`, in whole seconds                       |
  ///     | `TALLY_CA_FILE`             | `http.caFile`                                     |
  ///
  /// Throws std::invalid_argument, like the constructor of Client, if a required variable is missing or any
  /// variable is invalid. The message names the variable, but does not repeat its value. No other thread may
  /// change the environment during this call.
  [[nodiscard]] static ClientOptions fromEnvironment();
  /// The same, but only for the options that still have their defaults in `given`. The other options of
  /// `given` take precedence, and their variables are neither required nor read. An `apiKeyProvider` replaces
  /// `TALLY_API_KEY`, and a `transport` replaces `TALLY_CA_FILE`.
  [[nodiscard]] static ClientOptions fromEnvironment(ClientOptions given);
};

/// Prints one line, without keys, passwords or header values.
std::ostream& operator<<(std::ostream& out, const ClientOptions& value);

/// Overrides for a single call. Options that are not set default to those of the Client. A value out of range
/// ends the call in ErrorKind::invalidParameter; `param` names the option. In code, use the name
/// RequestOptions. Asynchronous calls take the borrowing form of RequestOptions: see <tally/borrowed.h>.
template <class O>
struct BasicRequestOptions {
  /// Replaces ClientOptions::apiKey or `apiKeyProvider`. The key may belong to another account or mode.
  Held<O, std::optional<ApiKey>> apiKey{};
  /// The connected account for which to act. An empty string: the key's own account.
  Held<O, std::optional<std::string>> connectedAccount{};
  std::optional<std::chrono::milliseconds> timeout{};  ///< The time limit of one attempt. More than 0.
  std::optional<int> maxNetworkRetries{};              ///< At least 0.
  std::optional<bool> retryRateLimited{};              ///< As in ClientOptions.
  /// As in ClientOptions; null: the client's policy. If `maxNetworkRetries` is set here, it bounds the
  /// retries of the policy.
  Held<O, std::shared_ptr<const RetryPolicy>> retryPolicy{};
  /// The time limit of the whole call from its start, including all attempts and waits. More than 0. A wait
  /// that would overrun the limit ends the call immediately. For a list or a search, the limit covers the
  /// whole iteration and starts when list() or search() is called.
  std::optional<std::chrono::milliseconds> totalTimeout{};
  /// The time by which the call must end. Several calls can share it. It is a time on the client's clock,
  /// such as `client.clock().now() + 5s`. If `totalTimeout` is also set, whichever ends the call earlier
  /// applies.
  ///
  /// `std::chrono::system_clock::now()` has the same type, but belongs to another clock: systemClock() does
  /// not follow changes to the system's time, and a virtual clock may show any time.
  std::optional<Instant> deadline{};
  /// When a stop is requested, ends the call and its waits with ErrorKind::canceled. An asynchronous call
  /// never completes inside `request_stop()`.
  Held<O, StopToken> stop{};
  /// Headers that are sent in addition to the client's. A header replaces another one of the same name. The
  /// observer also receives `traceparent` and `tracestate`.
  Held<O, std::vector<Header>> headers{};
  /// Parameters that are unknown to this version, sent in addition to those of the call: in the query of a
  /// GET, in the form body of a POST, or as strings in a JSON body. Known parameters belong in the call
  /// itself, and are errors here. Names consist of letters, digits and `_-.`, optionally followed by keys in
  /// brackets. The parameters are sent with each page of a list or a search. checkReport() and
  /// resolveReport() send them only with the report.
  Held<O, std::vector<Param>> extraParams{};
  /// When the call ends, successfully or not, its attempts are appended to this vector. An error also
  /// contains them, as Error::attempts(). The vector is not owned. Use it for one call at a time. It must
  /// outlive the iteration of a list or a search. It must also outlive an asynchronous call, unless the
  /// coroutine that awaits the call is destroyed first.
  std::vector<Attempt>* attempts = nullptr;

  operator BasicRequestOptions<detail::OppositeOf<O>>() const&;
  operator BasicRequestOptions<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using RequestOptions = BasicRequestOptions<Owning>;

/// Prints one line, without keys or header values.
std::ostream& operator<<(std::ostream& out, const RequestOptions& value);

}  // namespace tally
