#pragma once

#include <string>
#include <vector>

#include <tally/tally.h>

#include "sdk/support/any_report.h"
#include "simulation/checker/record_model.h"
#include "stress/random_source.h"

namespace tally::simulation {

/// A key, and what exists in its account and mode.
struct Shop {
  std::string key{};
  std::vector<Id<PaymentRecord>> records{};
  std::vector<Id<PaymentIntent>> intents{};
  std::vector<Id<Subscription>> subscriptions{};
};

/// Metadata for the change `number`: some keys are set, and some are unset.
[[nodiscard]] inline MetadataEdit anyMetadata(stress::RandomSource& random, std::uint64_t number) {
  MetadataEdit edit = random.oneIn(10) ? MetadataEdit::unsetAll() : MetadataEdit{};
  edit.set(numberKey, std::to_string(number));
  if (random.oneIn(3)) edit.set("order", std::to_string(random.below(100)));
  if (random.oneIn(4)) edit.unset("till");
  if (random.oneIn(4)) edit.set("till", "7");
  return edit;
}

[[nodiscard]] inline test::AnyReport anyReport(stress::RandomSource& random, std::uint64_t number) {
  const test::Outcome outcome = random.oneIn(30)  ? test::Outcome::guaranteed
                                : random.oneIn(2) ? test::Outcome::failed
                                                  : test::Outcome::canceled;
  return {outcome, anyMetadata(random, number), std::chrono::sys_seconds{std::chrono::seconds{number}}};
}

}  // namespace tally::simulation
