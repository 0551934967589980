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
};

}  // namespace tally
