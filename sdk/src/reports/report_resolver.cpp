#include "reports/report_resolver.h"

#include "call/turn.h"
#include "json/reset.h"
#include "reports/report_resolution.h"

namespace tally::detail {

namespace {

std::optional<Error> readObject(const LostReport& report, ObjectRef target) {
  reset(target);
  return report.core.call(retrieveOf(report), report.id, {}, forReading(report.options), target);
}

/// Carries out a ReportResolution in the calling thread.
class BlockingResolver {
 public:
  BlockingResolver(const LostReport& report, ObjectRef target, CheckFacts& facts)
      : report_(report), target_(target), resolution_(report, target, facts, now()) {}

  [[nodiscard]] std::optional<Error> run() {
    auto action = ReportResolution::Action::readInTurn;
    while (action != ReportResolution::Action::done)
      action = carryOut(action);
    return resolution_.error();
  }

 private:
  using Action = ReportResolution::Action;

  [[nodiscard]] Instant now() const { return report_.core.clock().now(); }

  Action carryOut(Action action) {
    switch (action) {
      case Action::wait:
        return wait();
      case Action::readInTurn:
        return readInTurn();
      case Action::read:
        return readOutOfTurn();
      case Action::send:
        return send();
      case Action::done:
        break;
    }
    return Action::done;
  }

  Action wait() {
    const bool over = report_.core.clock().sleepUntil(resolution_.waitsUntil(), report_.options.stop);
    return over ? resolution_.waited(now()) : resolution_.canceled();
  }

  Action readInTurn() {
    reset(target_);
    const auto error = report_.core.readInTurn(turn_, retrieveOf(report_), report_.operation, report_.id,
                                               report_.params, forReading(report_.options), target_);
    return resolution_.readEnded(error);
  }

  /// Nobody is to wait for a turn that it no longer uses, such as an observer of the read.
  Action readOutOfTurn() {
    turn_.paced.reset();
    turn_.place.reset();
    return resolution_.readEnded(readObject(report_, target_));
  }

  Action send() {
    reset(target_);
    const auto error = report_.core.changeInTurn(turn_, report_.operation, report_.id, report_.params,
                                                 sentOnce(report_.options), target_);
    return resolution_.sendEnded(now(), error);
  }

  const LostReport& report_;
  ObjectRef target_;
  Turn turn_{};  // of the report; held until it is resolved
  ReportResolution resolution_;
};

}  // namespace

std::optional<Error> findStatus(const LostReport& report, ObjectRef target, CheckFacts& facts) {
  if (auto fault = faultOf(report)) return fault;
  if (const auto error = readObject(report, target)) return undetermined(report, *error);
  tell(compare(report, target, attemptOf(report)), facts);
  return std::nullopt;
}

std::optional<Error> resolveStatus(const LostReport& report, ObjectRef target, CheckFacts& facts) {
  if (auto fault = faultOf(report)) return fault;
  return BlockingResolver{report, target, facts}.run();
}

}  // namespace tally::detail
