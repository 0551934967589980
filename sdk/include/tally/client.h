#pragma once

#include <memory>

#include <tally/options.h>
#include <tally/services.h>

namespace tally {

/// The way in: one service for each resource, as `client.paymentRecords()`.
///
/// Cheap to copy; copies, services and pagers share one core, which lives as long as any of them.
/// Thread-safe: any number of threads may call any of its services at once.
class Client : public Services {
 public:
  explicit Client(ClientOptions options);

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
