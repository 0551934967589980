#include "worker/maintenance.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

namespace tally::detail {

namespace {

constexpr std::chrono::seconds interval{10};
constexpr std::chrono::seconds afterFailure{60};
constexpr std::chrono::milliseconds afterFullBatch{50};
constexpr std::size_t removalBatch = 1'000;

}  // namespace

Maintenance::Maintenance(DomainStore& store, const OutboxOptions& options, std::string domain, Instant first)
    : store_(store),
      options_(options),
      domain_(std::move(domain)),
      nextUpkeep_(first),
      nextRemoval_(options.retention ? first : Instant::max()) {}

Instant Maintenance::due() const noexcept {
  return std::min(nextUpkeep_, nextRemoval_);
}

/// One thing at a time, since each may wait for a database that does not respond.
void Maintenance::perform(Instant now) {
  if (now >= nextUpkeep_) return keepUp(now);
  if (now >= nextRemoval_) removeDecided(now);
}

void Maintenance::keepUp(Instant now) {
  const bool isDone = succeeds("maintenance failed", [&] { store_.maintain(); });
  nextUpkeep_ = now + (isDone ? interval : afterFailure);
}

/// Again soon after a full batch, so that this keeps up with any rate of reports.
void Maintenance::removeDecided(Instant now) {
  std::size_t removed = 0;
  const bool isDone = succeeds("decided reports can't be removed",
                               [&] { removed = store_.removeDecided(*options_.retention, removalBatch); });
  const std::chrono::nanoseconds pause = removed == removalBatch ? afterFullBatch : interval;
  nextRemoval_ = now + (isDone ? pause : afterFailure);
}

/// Tells why it does not.
bool Maintenance::succeeds(const char* failure, const std::function<void()>& work) const {
  try {
    work();
    return true;
  } catch (const OutboxError& error) {
    if (options_.onEvent)
      options_.onEvent({.kind = OutboxEvent::Kind::trouble,
                        .domain = domain_,
                        .reason = std::string{failure} + ": " + error.what()});
    return false;
  }
}

}  // namespace tally::detail
