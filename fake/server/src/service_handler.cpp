#include "service_handler.h"

#include <algorithm>

#include <tally/fake/sent_request.h>

#include "request/request_head.h"
#include "search/list_page.h"
#include "tables/description.h"
#include "tables/router.h"

namespace tally::fake::detail {

using tally::detail::OperationKind;

namespace {

/// Whether a GET may have to scan any number of objects.
bool maySearch(const HttpRequest& request) {
  static const Router router{Description{}.operations};
  const AnyOperation* operation = router.find(Method::get, targetOf(request.url).path).operation;
  if (operation == nullptr) return false;
  if (operation->kind != OperationKind::list) return operation->kind == OperationKind::search;
  return std::ranges::any_of(sentParams({.url = request.url}),
                             [](const SentParam& param) { return isFilter(param.name); });
}

}  // namespace

/// Only requests that change an object wait for its lock.
bool ServiceHandler::mayTakeLong(const HttpRequest& request) {
  return request.method == Method::post || maySearch(request);
}

Reply ServiceHandler::handle(const Incoming& incoming, const std::stop_token& stop) {
  TimedResult timed = service_.exchange(incoming.request, stop, incoming.otherMethod);
  if (clock_->running()) return timed;
  if (responsesTakeTime_) timed.awaitDue(stop);
  timed.clock.reset();
  return timed;
}

}  // namespace tally::fake::detail
