#include "settle.h"

#include <string>
#include <variant>

#include "attempts.h"
#include "report_fate.h"
#include "request_builder.h"

namespace tally::detail {

namespace {

Error withEffect(const Error& error, Effect effect) {
  Error::Details details = error.details();
  details.effect = effect;
  return Error{std::move(details)};
}

/// The error of a call that could not read the object: then nobody knows more than before.
Error undetermined(const LostReport& report, const Error& error) {
  Error::Details details = error.details();
  details.effect = Effect::unknown;
  details.message = "what became of the report could not be read: " + details.message;
  details.operation = report.operation.name;
  return Error{std::move(details)};
}

/// What is wrong with a report that could never have been sent.
std::optional<Error> faultOf(const LostReport& report) {
  auto request =
      buildRequest(report.core.options(), report.operation, report.id, report.params, report.options);
  if (auto* error = std::get_if<Error>(&request)) return std::move(*error);
  return std::nullopt;
}

std::optional<Error> readObject(const LostReport& report, const Target& target) {
  const Resource& resource = *report.operation.resource;
  target.clear(target.object);
  return report.core.call(*resource.machine->retrieve, report.id, nullptr, report.options, *resource.model,
                          target.object);
}

/// Sends a report as often as its call may be sent, but reads the object before each time: what is read makes
/// a report whose answer was lost into one that had no effect, or into one that is applied.
class Settlement {
 public:
  Settlement(const LostReport& report, const Target& target, FateFacts& facts)
      : report_(report),
        target_(target),
        facts_(facts),
        attempts_(report.core.attempts(report.operation, report.options)),
        step_(attempts_.start(now())) {}

  [[nodiscard]] std::optional<Error> run() {
    while (true) {
      wait();
      if (const auto error = read()) return undetermined(report_, *error);
      if (!reading_.maySend) return found(reading_);
      if (const auto* done = std::get_if<Attempts::Done>(&step_)) return found(reading_, done->error);
      if (send()) return found({.fate = Fate::applied, .isFinal = reading_.isFinal});
    }
  }

 private:
  [[nodiscard]] Instant now() const { return report_.core.clock().now(); }

  void wait() {
    const auto* waiting = std::get_if<Attempts::Wait>(&step_);
    if (waiting == nullptr) return;
    const bool over = report_.core.clock().sleepUntil(waiting->until, report_.options.stop);
    step_ = over ? attempts_.waited(now()) : attempts_.canceled();
  }

  [[nodiscard]] std::optional<Error> read() {
    if (auto error = readObject(report_, target_)) return error;
    compare();
    return std::nullopt;
  }

  /// A newer attempt has states of its own, that no report on the one before leads to.
  void compare() {
    reading_ = readFate(report_.operation, report_.params, target_.object, report_.before);
    const std::string owner = ownerOfStates(*report_.operation.resource, target_.object);
    if (owner_.empty()) owner_ = owner;
    if (owner != owner_) reading_ = {};
  }

  /// Whether the report was applied. If not, `step_` is what comes next, for one that had no effect: whether
  /// it did is what the next reading tells.
  [[nodiscard]] bool send() {
    RequestOptions once = report_.options;
    once.maxNetworkRetries = 0;
    target_.clear(target_.object);
    const auto error = report_.core.call(report_.operation, report_.id, report_.params, once,
                                         *report_.operation.resource->model, target_.object);
    ++facts_.sentAgain;
    if (error) {
      step_ = attempts_.failed(now(), withEffect(*error, Effect::none));
      return false;
    }
    compare();
    return true;
  }

  [[nodiscard]] std::optional<Error> found(const FateReading& reading,
                                           const std::optional<Error>& error = std::nullopt) {
    facts_.fate = reading.fate;
    facts_.isFinal = reading.isFinal;
    facts_.error = error;
    return std::nullopt;
  }

  const LostReport& report_;
  const Target& target_;
  FateFacts& facts_;
  Attempts attempts_;
  Attempts::Step step_;
  FateReading reading_{};
  std::string owner_{};  // of the states, when the object was first read
};

}  // namespace

std::optional<Error> findFate(const LostReport& report, const Target& target, FateFacts& facts) {
  if (auto fault = faultOf(report)) return fault;
  if (const auto error = readObject(report, target)) return undetermined(report, *error);
  const FateReading reading = readFate(report.operation, report.params, target.object, report.before);
  facts.fate = reading.fate;
  facts.isFinal = reading.isFinal;
  return std::nullopt;
}

std::optional<Error> settleFate(const LostReport& report, const Target& target, FateFacts& facts) {
  if (auto fault = faultOf(report)) return fault;
  return Settlement{report, target, facts}.run();
}

}  // namespace tally::detail
