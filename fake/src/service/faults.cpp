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
  const auto change = engine_->change();
  change->scripts.clear(change->rules);
  change->settle(engine_->catalog(), engine_->clock()->now());
}

std::uint64_t Faults::play(const FaultScript& script) {
  const auto change = engine_->change();
  const Instant now = engine_->clock()->now();
  const std::uint64_t id = change->scripts.play(script, change->rules, engine_->catalog().plan(), now);
  change->settle(engine_->catalog(), now);
  return id;
}

bool Faults::stop(std::uint64_t id) {
  const auto change = engine_->change();
  const bool found = change->scripts.stop(id, change->rules);
  change->settle(engine_->catalog(), engine_->clock()->now());
  return found;
}

std::vector<PlayedScript> Faults::scripts() const {
  const auto reading = engine_->read();
  return reading->scripts.list(reading->rules, engine_->clock()->now());
}

std::vector<InjectedFault> Faults::list() const {
  return engine_->read()->rules.all();
}

std::vector<FaultRule> Faults::pending() const {
  return engine_->read()->rules.pending();
}

}  // namespace tally::fake
