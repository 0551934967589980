#include <utility>

#include <tally/fake/snapshots.h>

#include "engine/engine.h"

namespace tally::fake {

using detail::ServiceState;

Snapshot Snapshots::take() const {
  const auto reading = engine_->read();
  auto copy = std::make_shared<ServiceState>(*reading);
  copy->dropHolds();
  return {std::move(copy), engine_->clock()->reading()};
}

/// Destroys the old state without holding the lock, since that may take long.
void Snapshots::restore(const Snapshot& snapshot) {
  auto state = std::make_shared<ServiceState>(*snapshot.state());
  const auto change = engine_->change();
  change.replace(state);
  engine_->clock()->restore(snapshot.clock());
}

}  // namespace tally::fake
