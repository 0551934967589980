#include <ostream>
#include <stdexcept>

#include <tally/limits.h>
#include <tally/pacer.h>

#include "pacing/pacing.h"
#include "pacing/share_keeper.h"
#include "print/value_line.h"
#include "schema/operation.h"

namespace [[gnu::visibility("default")]] tally {

Pacer::Pacer(const PacerOptions& options)
    : pacing_(std::make_unique<detail::Pacing>(detail::LimitPlan{detail::operations, limits::all}, options)) {
  if (options.share != nullptr)
    keeper_ = std::make_unique<detail::ShareKeeper>(*pacing_, options.share, options.shareLease,
                                                    options.windowMargin);
}

Pacer::~Pacer() = default;

PacerCounts Pacer::counts() const {
  return pacing_->counts();
}

std::vector<PacerUsage> Pacer::usage(std::string_view key, Instant now,
                                     std::string_view connectedAccount) const {
  return pacing_->usage(pacing_->accountOf(key, connectedAccount), now);
}

detail::ShareKeeper& Pacer::keeper() {
  if (keeper_ == nullptr) throw std::logic_error{"tally: the pacer has no PacerOptions::share"};
  return *keeper_;
}

Instant Pacer::refreshShare(const Clock& clock) {
  return keeper().refresh(clock);
}

void Pacer::leaveShare(const Clock& clock) {
  keeper().leave(clock);
}

PacerShareState Pacer::shareState() const {
  return keeper_ == nullptr ? PacerShareState{} : keeper_->state();
}

std::ostream& operator<<(std::ostream& out, const PacerOptions& value) {
  return out << detail::ValueLine{"PacerOptions"}
                    .add("limits", value.limits)
                    .add("livemode", value.livemode)
                    .add("singleAccount", value.singleAccount)
                    .add("recovery", value.recovery)
                    .add("windowMargin", value.windowMargin)
                    .add("assumeUsed", value.assumeUsed)
                    .addSet("share", value.share != nullptr)
                    .add("shareLease", value.shareLease);
}

std::ostream& operator<<(std::ostream& out, const PacerCounts& value) {
  return out
         << detail::ValueLine{"PacerCounts"}.add("waiting", value.waiting).add("inFlight", value.inFlight);
}

}  // namespace tally
