#include "blocking_driver.h"

namespace tally::detail {

namespace {

Attempts::Step send(Attempts& attempts, const Attempts::Send& step, const HttpRequest& request,
                    const Reader& reader, Transport& transport, Clock& clock, const std::stop_token& stop) {
  const auto answer = transport.send(request, {.until = step.until, .stop = stop, .from = step.from});
  const auto error = reader.read(answer);
  return error ? attempts.failed(clock.now(), *error) : attempts.succeeded();
}

}  // namespace

std::optional<Error> drive(Attempts& attempts, const HttpRequest& request, const Reader& reader,
                           Transport& transport, Clock& clock, const std::stop_token& stop) {
  Attempts::Step step = stop.stop_requested() ? attempts.canceled() : attempts.start(clock.now());
  while (true) {
    if (const auto* sending = std::get_if<Attempts::Send>(&step)) {
      step = send(attempts, *sending, request, reader, transport, clock, stop);
    } else if (const auto* waiting = std::get_if<Attempts::Wait>(&step)) {
      step = clock.sleepUntil(waiting->until, stop) ? attempts.waited(clock.now()) : attempts.canceled();
    } else {
      return std::get<Attempts::Done>(step).error;
    }
  }
}

}  // namespace tally::detail
