#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tally/clock.h>
#include <tally/fake/fault_rule.h>
#include <tally/limit_types.h>

namespace tally::fake {

/// How a fault script repeats a step.
struct StepRepetition {
  int times = 1;  ///< How many times the step takes place in all. At least 1.
  /// The time from one beginning to the next. More than 0 if the step repeats.
  std::chrono::nanoseconds every{0};
};

/// A fault or a limit that applies for a while.
struct ScriptStep {
  std::chrono::nanoseconds at{0};  ///< The delay from the start of the script. From 0 to 100 years.
  /// How long the step lasts. More than 0 and at most 100 years. Not set: until the script is stopped; a
  /// fault must then have `times`.
  std::optional<std::chrono::nanoseconds> duration{};
  /// How many requests the fault applies to, each time that the step takes place. Not set: all that match.
  std::optional<int> times{};
  StepRepetition repeat{};
  /// The fault, without `times`, `after` or `period`; or the limit, for all accounts.
  std::variant<FaultRule, LimitOverride> effect{};
};

/// Faults and changes to limits at given times, for Faults::play(). The same seed and the same requests lead
/// to the same faults.
struct FaultScript {
  std::string name{};
  std::string description{};
  /// The seed of its probabilities and latencies. Not set: derived from the service's seed.
  std::optional<std::uint64_t> seed{};
  /// At most 1,000 steps, including repetitions. If several faults match a request, the first one applies.
  std::vector<ScriptStep> steps{};

  /// Reads a script from JSON; a script without `steps` is the ready-made script with its `name`. Throws
  /// std::invalid_argument, which shows where the mistake is, as in `steps[1].for_ms: …` or `line 3, column
  /// 5: …`.
  [[nodiscard]] static FaultScript parse(std::string_view json);

  /// A ready-made script, such as `outage`. Throws std::invalid_argument for an unknown name; the message
  /// suggests a name, or lists all names.
  [[nodiscard]] static FaultScript named(std::string_view name);

  /// The ready-made scripts: `outage`, `brownout`, `flapping-limit`, `lost-responses` and `lock-storm`.
  [[nodiscard]] static const std::vector<FaultScript>& readyMade();

  /// The script as parse() reads it, with one line for each step. Durations are rounded down to whole
  /// milliseconds.
  [[nodiscard]] std::string toJson() const;
};

std::ostream& operator<<(std::ostream& out, const StepRepetition& value);
std::ostream& operator<<(std::ostream& out, const ScriptStep& value);
std::ostream& operator<<(std::ostream& out, const FaultScript& value);

/// A step of a script that is playing. Each repetition is a separate part.
struct ScriptPart {
  std::string what{};              ///< Such as `payouts.create: error api_error` or `limit global_rate = 2`.
  Instant from{};                  ///< When it begins.
  Instant until = Instant::max();  ///< When it is over.
  std::uint64_t fault = 0;         ///< The id of its rule in Faults::list(); 0 for a limit.
  /// How many times the fault has occurred. Not set for a limit, or once the rule of the fault is used up or
  /// removed.
  std::optional<int> hits{};
};

std::ostream& operator<<(std::ostream& out, const ScriptPart& value);

/// A script that Faults::play() has started.
struct PlayedScript {
  std::uint64_t id = 0;             ///< What Faults::play() returned.
  std::string name{};               ///< FaultScript::name.
  std::uint64_t seed = 0;           ///< The seed that reproduces these faults.
  Instant started{};                ///< On the service's clock.
  std::vector<ScriptPart> parts{};  ///< In the order in which they begin.
  std::optional<Instant> nextAt{};  ///< When the next part begins or ends; not set: nothing follows.
  std::string next{};               ///< What happens then, such as `begins: response 503`.
};

std::ostream& operator<<(std::ostream& out, const PlayedScript& value);

}  // namespace tally::fake
