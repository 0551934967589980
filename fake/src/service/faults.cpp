#include <utility>

#include <tally/fake/faults.h>

#include "engine/engine.h"

namespace tally::fake {

std::uint64_t Faults::inject(FaultRule rule) {
  return engine_->change()->rules.add(std::move(rule), engine_->clock()->now());
}

bool Faults::remove(std::uint64_t id) {
  return engine_->change()->rules.remove(id);
}

void Faults::clear() {
  engine_->change()->rules.clear();
}

std::vector<InjectedFault> Faults::list() const {
  return engine_->read()->rules.all();
}

std::vector<FaultRule> Faults::pending() const {
  return engine_->read()->rules.pending();
}

}  // namespace tally::fake
