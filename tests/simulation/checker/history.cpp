#include "simulation/checker/history.h"

#include <sstream>

#include <tally/timestamp.h>

namespace tally::simulation {

namespace {

/// FNV-1a, so that a hash is the same with every standard library.
constexpr std::uint64_t basis = 14'695'981'039'346'656'037U;
constexpr std::uint64_t prime = 1'099'511'628'211U;

}  // namespace

History::History(const Plan& plan, fake::VirtualClock& clock)
    : plan_(plan), clock_(clock), random_(plan.seed) {
  outcome_.hash = basis;
  clock_.shuffle(random_.number());
}

void History::mix(std::uint64_t value) {
  for (int byte = 0; byte < 8; ++byte)
    outcome_.hash = (outcome_.hash ^ (value >> (8 * byte) & 0xFFU)) * prime;
}

void History::count(std::string_view kind, std::uint64_t subject) {
  ++outcome_.steps;
  for (const char c : kind)
    outcome_.hash = (outcome_.hash ^ static_cast<unsigned char>(c)) * prime;
  mix(subject);
  mix(static_cast<std::uint64_t>(clock_.now().time_since_epoch().count()));
  auto at = outcome_.counts.find(kind);
  if (at == outcome_.counts.end()) at = outcome_.counts.emplace(kind, 0).first;
  ++at->second;
  if (!plan_.fork || plan_.fork->step != outcome_.steps) return;
  random_ = stress::RandomSource{plan_.fork->seed};
  clock_.shuffle(random_.number());
}

void History::show(std::string_view kind, std::string_view text) {
  std::ostringstream line;
  const auto time = clock_.now() - std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
  line << std::chrono::duration_cast<std::chrono::microseconds>(time).count() << " us, " << kind << ": "
       << text;
  outcome_.shown.push_back({outcome_.steps, std::move(line).str()});
}

void History::violate(std::string_view rule, const std::string& what, std::uint64_t change) {
  if (isViolated()) return;
  outcome_.violation = {std::string{rule}, what, change, outcome_.steps + 1};
  step("violation", 0, [&] { return std::string{rule} + ": " + what; });
  end();
}

}  // namespace tally::simulation
