#include "simulation/narrow.h"

#include <utility>

namespace tally::simulation {

namespace {

class Narrowing {
 public:
  Narrowing(const Plan& plan, std::size_t futures, Violation violation)
      : plan_(plan), futures_(futures), violation_(std::move(violation)) {}

  /// Whether the rule is violated whatever happens after this step.
  bool isCertainAfter(std::uint64_t step) {
    for (std::size_t future = 0; future < futures_; ++future) {
      Plan fork = plan_;
      fork.fork = Fork{step, futureSeed(future)};
      ++runs_;
      if (!simulate(fork).violation.isLike(violation_)) return false;
    }
    return true;
  }

  [[nodiscard]] std::size_t runs() const { return runs_; }

 private:
  const Plan plan_;
  const std::size_t futures_;
  const Violation violation_;
  std::size_t runs_ = 0;
};

std::string textOf(const Plan& plan, std::uint64_t step) {
  Plan shown = plan;
  shown.shown = {step, step};
  const Outcome outcome = simulate(shown);
  return outcome.shown.empty() ? std::string{} : outcome.shown.front().text;
}

}  // namespace

std::uint64_t futureSeed(std::size_t future) {
  return 1'000'003 * (future + 1);
}

std::optional<Narrowed> narrow(const Plan& plan, std::size_t futures) {
  const Outcome outcome = simulate(plan);
  if (outcome.violation.rule.empty()) return std::nullopt;
  Narrowing narrowing{plan, futures, outcome.violation};
  if (narrowing.isCertainAfter(1))
    return Narrowed{.text = "the beginning", .violatedAt = outcome.violation.step, .runs = narrowing.runs()};
  std::uint64_t open = 1;
  std::uint64_t certain = outcome.violation.step;
  while (certain - open > 1) {
    const std::uint64_t middle = open + (certain - open) / 2;
    (narrowing.isCertainAfter(middle) ? certain : open) = middle;
  }
  return Narrowed{.step = certain,
                  .text = textOf(plan, certain),
                  .violatedAt = outcome.violation.step,
                  .runs = narrowing.runs()};
}

}  // namespace tally::simulation
