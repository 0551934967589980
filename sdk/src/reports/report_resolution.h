#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tally/clock.h>

#include "attempt/call_state_machine.h"
#include "reports/lost_report.h"

namespace tally::detail {

/// The options of a request that resolveReport() sends: it retries by itself, and reads the object before.
[[nodiscard]] RequestOptions sentOnce(const RequestOptions& options);
/// For reading the object: without the extra parameters of the report.
[[nodiscard]] RequestOptions forReading(const RequestOptions& options);

/// Decides the actions of resolveReport(): sends a report as often as its call may be retried, and has the
/// object read before each time. The read shows whether the report was applied or may be resent. Like
/// CallStateMachine, it waits for nothing and sends nothing; a driver carries out the actions and reports
/// their outcome.
class ReportResolution {
 public:
  enum class Action : std::uint8_t {
    wait,        ///< Until waitsUntil(); then waited() or canceled().
    readInTurn,  ///< Read the object into the target in the turn of the report; then readEnded().
    read,        ///< Read it without the turn; then readEnded().
    send,        ///< Send the report in the turn, with sentOnce(); then sendEnded().
    done,        ///< The target and the facts are the result, or error().
  };

  /// The first action is readInTurn. `report` and `facts` must outlive this.
  ReportResolution(const LostReport& report, ObjectRef target, CheckFacts& facts, Instant now);

  [[nodiscard]] Action waited(Instant now);
  [[nodiscard]] Action canceled();
  [[nodiscard]] Action readEnded(const std::optional<Error>& error);
  [[nodiscard]] Action sendEnded(Instant now, const std::optional<Error>& error);

  [[nodiscard]] Instant waitsUntil() const { return std::get<CallStateMachine::Wait>(step_).until; }
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }

 private:
  [[nodiscard]] Action undeterminedBy(const Error& error);
  [[nodiscard]] Action look();
  [[nodiscard]] bool maySend();
  [[nodiscard]] Action finish();
  void accepted();
  [[nodiscard]] std::optional<Error> lastError();
  [[nodiscard]] Error ofReport(const Error& error) const;

  const LostReport& report_;
  ObjectRef target_;
  CheckFacts& facts_;
  CallStateMachine machine_;
  CallStateMachine::Step step_;
  AttemptName attempt_;              // that the report is about
  std::optional<Error> turnless_{};  // why the turn did not come
  std::vector<Attempt> sent_{};      // those that failed
  std::optional<Error> error_{};
};

}  // namespace tally::detail
