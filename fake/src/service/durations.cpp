#include <tally/fake/durations.h>

#include "engine/engine.h"
#include "service/input_check.h"

namespace tally::fake {

void Durations::set(std::string_view operation, std::chrono::nanoseconds duration) {
  detail::checkDuration(duration);
  const auto* meant = &operationNamed(engine_->catalog(), operation);
  engine_->change()->durations[meant] = duration;
}

void Durations::reset(std::string_view operation) {
  if (operation.empty()) {
    engine_->change()->durations.clear();
  } else {
    const auto* meant = &operationNamed(engine_->catalog(), operation);
    engine_->change()->durations.erase(meant);
  }
}

}  // namespace tally::fake
