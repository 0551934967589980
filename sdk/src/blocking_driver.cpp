#include "blocking_driver.h"

#include <variant>

#include "redaction.h"

namespace tally::detail {

namespace {

using Step = Attempts::Step;

/// One call in the calling thread.
class BlockingDriver {
 public:
  BlockingDriver(Attempts& attempts, const CallReport::Call& call, const Reader& reader, const Means& means)
      : attempts_(attempts),
        call_(call),
        reader_(reader),
        means_(means),
        now_(means.clock.now()),
        report_(call, means.observer, now_) {}

  std::optional<Error> run() {
    Step step = stopped() ? attempts_.canceled() : attempts_.start(now_);
    while (!std::holds_alternative<Attempts::Done>(step))
      step = std::visit([this](const auto& next) { return this->carryOut(next); }, step);
    return report_.ended(now_, std::get<Attempts::Done>(step).error);
  }

 private:
  [[nodiscard]] bool stopped() const { return call_.options.stop.stop_requested(); }

  Step carryOut(const Attempts::Queue& queue);
  Step carryOut(const Attempts::Pace& pace);
  Step carryOut(const Attempts::Send& send);
  Step carryOut(const Attempts::Wait& wait);
  static Step carryOut(const Attempts::Done& done) { return done; }

  Attempts& attempts_;
  const CallReport::Call& call_;
  const Reader& reader_;
  const Means& means_;
  Instant now_;  // read anew after whatever may take time
  CallReport report_;
  std::optional<MutationQueues::Place> place_{};  // kept until the call is over
};

Step BlockingDriver::carryOut(const Attempts::Queue& queue) {
  place_.emplace(means_.queues, call_.object);
  if (!place_->joined()) return attempts_.queueFull();
  if (place_->first()) return attempts_.turnCame(now_);
  report_.queued(now_);
  const bool came = place_->await(means_.clock, queue.until, call_.options.stop);
  now_ = means_.clock.now();
  if (stopped()) return attempts_.canceled();
  if (!came) return attempts_.turnDidNotCome();
  report_.turnCame(now_);
  return attempts_.turnCame(now_);
}

Step BlockingDriver::carryOut(const Attempts::Pace& pace) {
  PacedCall& paced = *means_.paced;
  const auto verdict = paced.ask(now_, pace.until);
  if (verdict == PacedCall::Verdict::go) return attempts_.paced(now_);
  if (verdict == PacedCall::Verdict::tooLong) return attempts_.paceTooLong(paced.limit());
  report_.pacing(now_);
  const bool came = paced.await(means_.clock, pace.until, call_.options.stop);
  now_ = means_.clock.now();
  if (stopped()) return attempts_.canceled();
  if (!came) return attempts_.paceTooLong(paced.limit());
  report_.paced(now_);
  return attempts_.paced(now_);
}

Step BlockingDriver::carryOut(const Attempts::Send& send) {
  if (means_.paced != nullptr) means_.paced->sending(send.from);
  report_.sending(send.from);
  Answer answer = means_.transport.send(call_.request,
                                        {.until = send.until, .stop = call_.options.stop, .from = send.from});
  now_ = means_.clock.now();
  auto error = reader_.read(answer, now_);
  if (error) error = withoutKey(*error, call_.request);
  if (means_.paced != nullptr) means_.paced->answered(now_, pacedOutcome(answer, error));
  report_.answered(now_, answer, error);
  return error ? attempts_.failed(now_, *error) : attempts_.succeeded();
}

Step BlockingDriver::carryOut(const Attempts::Wait& wait) {
  report_.waiting(now_, wait.until);
  const bool over = means_.clock.sleepUntil(wait.until, call_.options.stop);
  now_ = means_.clock.now();
  if (!over) return attempts_.canceled();
  report_.retrying(now_);
  return attempts_.waited(now_);
}

}  // namespace

std::optional<Error> drive(Attempts& attempts, const CallReport::Call& call, const Reader& reader,
                           const Means& means) {
  return BlockingDriver{attempts, call, reader, means}.run();
}

}  // namespace tally::detail
