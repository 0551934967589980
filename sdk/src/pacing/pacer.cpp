#include <tally/limits.h>
#include <tally/pacer.h>

#include "pacing/pacing.h"
#include "schema/operation.h"

namespace tally {

Pacer::Pacer(const PacerOptions& options)
    : pacing_(std::make_unique<detail::Pacing>(detail::LimitPlan{detail::operations, limits::all}, options)) {
}

Pacer::~Pacer() = default;

PacerCounts Pacer::counts() const {
  return pacing_->counts();
}

std::vector<PacerUsage> Pacer::usage(std::string_view key, Instant now,
                                     std::string_view connectedAccount) const {
  return pacing_->usage(pacing_->accountOf(key, connectedAccount), now);
}

}  // namespace tally
