#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <tally/error.h>

namespace tally {

/// What became of a report, as far as the object that it was about can tell: an object shows the outcome that
/// was reported last and its metadata, but neither who reported it nor when. docs/lost-answers.md has the
/// reasoning, state by state.
/// Spec: "States and transitions", "Metadata rule".
enum class Fate : std::uint8_t {
  /// The object is as this report leaves it: its outcome, and every metadata key that it edits. An earlier
  /// report that said the same can't be told from this one, nor one that differs in its time alone.
  applied,
  /// It had not been applied when the object was read. A request that is still on its way can arrive later.
  notApplied,
  /// The object shows another report: another outcome, or other values of the metadata keys that this one
  /// edits. Whether this one was applied before can't be seen.
  overtaken,
  /// The object can't tell: more than one outcome, or none, goes with its amounts (as when nothing was
  /// requested), or the states are those of a newer attempt.
  undecided,
};

[[nodiscard]] std::string_view toString(Fate fate) noexcept;

/// What fateOf() and settle() find out.
template <class T>
struct ReportFate {
  Fate fate = Fate::undecided;
  /// No report changes the object any more, not even one that arrives late. Spec: the row `guaranteed`.
  bool isFinal = false;
  /// The object as it was read, or, where a report was applied by settle(), as that report's answer has it.
  T object{};
  /// How often settle() has sent the report again.
  int sentAgain = 0;
  /// With notApplied, after settle() has sent the report again: how the last sending ended, and why there was
  /// no other.
  std::optional<Error> error{};
};

}  // namespace tally
