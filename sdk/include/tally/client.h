#pragma once

#include <tally/detail/cpp20.h>

#include <concepts>
#include <memory>
#include <type_traits>

#include <tally/options.h>
#include <tally/raw_request.h>
#include <tally/services.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncSender;
}

class AsyncClient;

/// The entry point: one service for each resource, such as `client.paymentRecords()`.
///
/// Cheap to copy: copies, services and pagers share one core, which lives as long as any of them. Moving a
/// client copies it. Thread-safe: any number of threads may call any service concurrently.
///
/// A process made by fork() may use the clients of its parent, unless another thread used them during the
/// fork: it makes its own connections, and leaves those of its parent alone. Queues, budgets and pacers are
/// copied, so the processes no longer share them. This does not apply to a Pacer with PacerOptions::share,
/// which each process must make for itself.
///
/// A call returns a Result. It throws only if a transport, a clock or a memory allocation throws. The
/// exception then propagates through the call, which releases what it holds. See Transport and Clock.
class Client : public Services {
  friend class AsyncClient;
  friend class detail::AsyncSender;

 public:
  /// Throws std::invalid_argument, which names the option, if a number or duration is out of range, if both
  /// `http` and `transport` are set, if both `apiKey` and `apiKeyProvider` are set, or if curlTransport()
  /// rejects `http`. Throws std::runtime_error if `transport` is null and libcurl cannot be initialized. Each
  /// call checks `apiKey`, `connectedAccount`, `headers` and `baseUrl`.
  explicit Client(ClientOptions options);
  /// Does not compile: the base URL is required too.
  template <std::convertible_to<ApiKey> Key>
  explicit Client(const Key&) : Client(ClientOptions{}) {
    static_assert(std::is_void_v<Key>, "tally: a client needs ClientOptions{.apiKey = ..., .baseUrl = ...}");
  }
  Client(const Client&) = default;  // no move, which would leave a Client without a core
  Client& operator=(const Client&) = default;
  ~Client() = default;

  /// Makes a request that no typed method covers, with the same retries, pacing, mutation queue, deadlines,
  /// errors and observers as typed methods. If the API description has an operation with this method and
  /// path, the request is treated as that operation and takes its name. Other requests are named `raw.get` or
  /// `raw.post`. They count against the limits that apply to all requests of an account. A POST to a path
  /// that contains the identifier of an object takes its turn in the mutation queue.
  [[nodiscard]] Result<RawResponse> send(const RawRequest& request, const RequestOptions& options = {}) const;

  /// The clock on which deadlines are measured.
  [[nodiscard]] Clock& clock() const noexcept;

  /// How many objects are being changed, and how many calls wait for their turn. See MutationQueue.
  [[nodiscard]] MutationCounts mutations() const;

  /// How many reads of the read allocation this client and its copies have used. Each attempt counts as a
  /// read, and time is measured on the client's clock. The numbers start at ClientOptions::readsUsedBefore,
  /// and otherwise do not include the reads of other processes. Spec: "Limits", "Read (GET) request
  /// allocation".
  ///
  /// The numbers are exact if the reads in a window were made at no more than 2,048 distinct instants.
  /// Otherwise, a read may count for up to 43 minutes too long.
  [[nodiscard]] ReadsUsed readsUsed() const;
};

}  // namespace tally
