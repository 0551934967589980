#pragma once

#include <memory>

#include <tally/options.h>
#include <tally/services.h>

namespace tally {

/// The way in: one service for each resource, as `client.paymentRecords()`.
///
/// Cheap to copy; copies, services and pagers share one core, which lives as long as any of them. To move a
/// client is to copy it. Thread-safe: any number of threads may call any of its services at once.
///
/// A call ends in a Result. It throws only what comes from a transport, a clock or a lack of memory: such an
/// exception passes through the call, which leaves nothing behind. See Transport and Clock.
class Client : public Services {
 public:
  /// Throws std::invalid_argument, which names the option, for a number or a duration that is out of its
  /// range. Texts are checked by each call, which may have others: the key, the account, headers, `baseUrl`.
  explicit Client(ClientOptions options);
  Client(const Client&) = default;  // and no move, which would leave a Client without a core
  Client& operator=(const Client&) = default;
  ~Client() = default;

  /// The clock that deadlines are read on.
  [[nodiscard]] Clock& clock() const noexcept;

  /// How many calls change objects now. See MutationQueue.
  [[nodiscard]] MutationCounts mutations() const;

  /// How much of the read allocation this client and its copies have used, on the client's clock: every
  /// attempt counts. A client begins with ClientOptions::readsUsedBefore, and knows nothing of other
  /// processes.
  ///
  /// Exact for the first 2,048 instants of a window, then a read may count up to 43 minutes too long.
  [[nodiscard]] ReadsUsed readsUsed() const;
};

}  // namespace tally
