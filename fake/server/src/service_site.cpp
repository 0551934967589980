#include "service_site.h"

namespace tally::fake::detail {

/// Only what changes an object waits for its lock.
bool ServiceSite::mayBlock(const HttpRequest& request) const {
  return request.method == Method::post;
}

Reply ServiceSite::reply(const Incoming& incoming, const std::stop_token& stop) {
  Outcome outcome = service_.exchange(incoming.request, stop, incoming.otherMethod);
  if (answersTakeTime_ && !clock_->running()) clock_->passUntil(outcome.due, stop);
  return {
      .result = std::move(outcome.result), .due = outcome.due, .clock = clock_->running() ? clock_ : nullptr};
}

}  // namespace tally::fake::detail
