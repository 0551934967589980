#include "service_site.h"

#include <algorithm>

namespace tally::fake::detail {

/// Only what changes an object waits for its lock.
bool ServiceSite::mayBlock(const HttpRequest& request) const {
  return request.method == Method::post;
}

Reply ServiceSite::reply(const Incoming& incoming, const std::stop_token& stop) {
  Outcome outcome = service_.exchange(incoming.request, stop, incoming.otherMethod);
  Reply reply{.result = std::move(outcome.result)};
  if (clock_->running()) {
    reply.delay = std::max(outcome.due - clock_->now(), reply.delay.zero());
  } else if (answersTakeTime_) {
    clock_->passUntil(outcome.due, stop);
  }
  return reply;
}

}  // namespace tally::fake::detail
