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
    auto step = ReportResolution::Step::readInTurn;
    while (step != ReportResolution::Step::done)
      step = carryOut(step);
    return resolution_.error();
  }

 private:
  using Step = ReportResolution::Step;

  [[nodiscard]] Instant now() const { return report_.core.clock().now(); }

  Step carryOut(Step step) {
    switch (step) {
      case Step::wait:
        return wait();
      case Step::readInTurn:
        return readInTurn();
      case Step::read:
        return resolution_.readEnded(now(), readObject(report_, target_));
      case Step::send:
        return send();
      case Step::done:
        break;
    }
    return Step::done;
  }

  Step wait() {
    const bool over = report_.core.clock().sleepUntil(resolution_.waitsUntil(), report_.options.stop);
    return over ? resolution_.waited(now()) : resolution_.canceled();
  }

  Step readInTurn() {
    reset(target_);
    const auto error = report_.core.readInTurn(turn_, retrieveOf(report_), report_.operation, report_.id,
                                               report_.params, forReading(report_.options), target_);
    return resolution_.readEnded(now(), error);
  }

  Step send() {
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
