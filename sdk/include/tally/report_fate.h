#pragma once

#include <cstdint>
#include <iosfwd>
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
  /// requested), or the states are those of another attempt.
  undecided,
};

/// Why settle() does not send a report, or does not send it once more.
enum class StopReason : std::uint8_t {
  applied,      ///< The object is as the report leaves it.
  refused,      ///< The object's state refuses the report. Spec: the row `guaranteed`.
  otherReport,  ///< The object shows another report, and nothing says that it is the earlier one.
  /// The object shows another attempt than the one that the report is about. Nothing was sent since that
  /// could be seen.
  otherAttempt,
  /// The report was sent again, and its response shows another attempt: one that another client began after
  /// the object was read, so that this attempt was reported on. The object is as that response has it.
  sentToOtherAttempt,
  unclear,    ///< The object shows no state, or more than one: its amounts go with no single outcome.
  failed,     ///< Sending the report again ended in `ReportFate::error`, and it may not be sent once more.
  onlyReads,  ///< fateOf() sends nothing. settle() would send this report.
};

[[nodiscard]] std::string_view toString(Fate fate) noexcept;
[[nodiscard]] std::string_view toString(StopReason reason) noexcept;

std::ostream& operator<<(std::ostream& out, Fate fate);
std::ostream& operator<<(std::ostream& out, StopReason reason);

/// What the caller of fateOf() and settle() knows besides the report. All of it can be left out, but then the
/// report is taken to be about whichever attempt the object shows: if a newer attempt has begun since,
/// settle() reports on that one. So name the attempt, or give the object as it was.
///
/// `Attempt` is the type of the field that names what the states of a `T` belong to:
/// `Id<PaymentAttemptRecord>` for a payment record.
template <class T, class Attempt>
struct ReportCheckOptions {
  /// The object before the report was first sent. With it, more can be told. Names the attempt as well.
  std::optional<T> before{};
  /// The attempt that the report is about. While the object shows another one, nothing is sent. settle() reads
  /// only once it is the report's turn on the object and within the limits of a Pacer, so that it sends at
  /// once what it has read to be right. The service takes no condition: an attempt that another client begins
  /// while the reading and the report are on their way is noticed only in the response to the report, see
  /// StopReason::sentToOtherAttempt. So it is where a limit of the Pacer is 1: then the report has to wait
  /// once more after the reading.
  std::optional<Attempt> attempt{};
};

/// What fateOf() and settle() find out.
template <class T>
struct ReportFate {
  Fate fate = Fate::undecided;
  /// No report changes the object any more, not even one that arrives late. Spec: the row `guaranteed`.
  bool isFinal = false;
  /// The object as it was read, or, where settle() has sent the report well, as the response to it has it.
  T object{};
  /// How often settle() has sent the report again: requests handed to the transport.
  int sentAgain = 0;
  /// Why it was not sent, or not once more.
  StopReason stopReason = StopReason::unclear;
  /// How the last sending of settle() ended, where it did not end well and the report is not applied. Its
  /// effect, attempts and trail are those of everything that settle() has sent: the effect is `unknown` if
  /// any of it may yet arrive.
  std::optional<Error> error{};
};

namespace detail {

std::ostream& printFate(std::ostream& out, Fate fate, bool isFinal, int sentAgain, StopReason reason,
                        const std::optional<Error>& error);

}  // namespace detail

/// In one line, without the object: `not applied, sent again 0 times, stopped by: another report`.
template <class T>
std::ostream& operator<<(std::ostream& out, const ReportFate<T>& told) {
  return detail::printFate(out, told.fate, told.isFinal, told.sentAgain, told.stopReason, told.error);
}

}  // namespace tally
