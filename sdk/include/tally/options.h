#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <tally/clock.h>
#include <tally/transport.h>

namespace tally {

/// How long to wait before a retry. The wait before the n-th retry is drawn evenly from the upper half of
/// `initial * 2^(n-1)`, which is never more than `cap`; so the first retries of many clients spread out too.
struct Backoff {
  std::chrono::milliseconds initial{500};
  std::chrono::milliseconds cap{8'000};
};

/// What a Client is made of. Everything but `key` has a default.
struct ClientOptions {
  /// A secret key or an OAuth access token, sent as `Authorization: Bearer`.
  std::string key{};
  /// Where the service is: scheme, host, and whatever stands before `/v1`.
  std::string baseUrl = "https://api.example.com";
  /// Acts for this connected account (`acct_…`); empty: for the key's own account.
  std::string connectedAccount{};

  /// How many times a call may be sent again. 0 sends every request once. With a number, these are sent
  /// again: lock timeouts, failures before anything was sent, and for calls that only read also a lost answer
  /// and 5xx. A report whose answer was lost is never sent again.
  int maxNetworkRetries = 0;
  /// Also sends again what a rate or concurrency limit refused (429 with `Service-Rate-Limited-Reason`).
  bool retryRateLimited = false;
  Backoff backoff{};
  /// The longest that one attempt may take.
  std::chrono::milliseconds timeout{30'000};

  /// Sent with every request, after the client's own.
  std::vector<Header> headers{};

  /// How requests travel; null: over HTTPS by libcurl. Shared, and kept alive, by the client.
  std::shared_ptr<Transport> transport{};
  /// How time passes; null: systemClock(). Shared, and kept alive, by the client.
  std::shared_ptr<Clock> clock{};
  /// Seeds the jitter, so that a run can be repeated; without one, every client draws differently.
  std::optional<std::uint64_t> jitterSeed{};
};

/// What a single call does differently from its Client. What is not set is as the Client has it.
struct RequestOptions {
  std::optional<std::string> key{};
  std::optional<std::string> connectedAccount{};
  std::optional<std::chrono::milliseconds> timeout{};
  std::optional<int> maxNetworkRetries{};
  std::optional<bool> retryRateLimited{};
  /// When the whole call, with all its attempts and waits, must be over, on the client's clock. A wait that
  /// could not be finished by then is not begun. For a list or a search it bounds the whole walk.
  std::optional<Instant> deadline{};
  /// Ends the call, waits included, when a stop is requested.
  std::stop_token stop{};
  /// Sent after the client's own; one of the same name takes its place.
  std::vector<Header> headers{};
};

}  // namespace tally
