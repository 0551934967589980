#pragma once

#include <tally/detail/cpp20.h>

#include <tally/fake/service_part.h>
#include <tally/fake/snapshot.h>

namespace tally::fake {

/// The state of a Service as a whole. Made by Service::snapshots(). Thread-safe, cheap to copy, and may
/// outlive the Service.
class Snapshots : public detail::ServicePart {
 public:
  using ServicePart::ServicePart;

  /// The current state: accounts, objects, counts, fault rules, log and time, and whether the clock is frozen
  /// or running. Excludes what a test holds.
  [[nodiscard]] Snapshot take() const;

  /// Restores a state, including the clock, and releases what a test holds. No request may be in progress.
  /// Then make new clients and pacers: those used since the snapshot have counted requests at times that are
  /// in the future again, for which a Pacer would wait.
  void restore(const Snapshot& snapshot);
};

}  // namespace tally::fake
