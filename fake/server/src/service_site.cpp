#include "service_site.h"

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
  const Operation* operation = router.find(Method::get, targetOf(request.url).path).operation;
  if (operation == nullptr) return false;
  if (operation->kind != OperationKind::list) return operation->kind == OperationKind::search;
  return std::ranges::any_of(sentParams({.url = request.url}),
                             [](const SentParam& param) { return isFilter(param.name); });
}

}  // namespace

/// Only requests that change an object wait for its lock.
bool ServiceSite::mayBlock(const HttpRequest& request) const {
  return request.method == Method::post || maySearch(request);
}

Reply ServiceSite::reply(const Incoming& incoming, const std::stop_token& stop) {
  Outcome outcome = service_.exchange(incoming.request, stop, incoming.otherMethod);
  if (responsesTakeTime_ && !clock_->running()) clock_->passUntil(outcome.due, stop);
  return {
      .result = std::move(outcome.result), .due = outcome.due, .clock = clock_->running() ? clock_ : nullptr};
}

}  // namespace tally::fake::detail
