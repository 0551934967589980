#include "net/service_handler.h"

#include <chrono>

#include "request/request_head.h"
#include "search/list_page.h"
#include "tables/description.h"
#include "tables/router.h"
#include "tables/schema_types.h"

namespace tally::fake::detail {

using std::chrono::nanoseconds;

namespace {

/// Whether a GET may have to scan any number of objects.
bool maySearch(const HttpRequest& request) {
  static const Router router{Description{}.operations};
  const AnyOperation* operation = router.find(Method::get, targetOf(request.url).path).operation;
  if (operation == nullptr) return false;
  if (operation->kind != OperationKind::list) return operation->kind == OperationKind::search;
  return hasFilter(request.url);
}

}  // namespace

/// Only requests that change an object wait for its lock.
bool ServiceHandler::mayTakeLong(const HttpRequest& request) {
  return request.method == Method::post || maySearch(request);
}

Reply ServiceHandler::handle(const Incoming& incoming, const StopToken& stop) {
  Reply reply = service_.exchange(incoming.request, stop, incoming.otherMethod);
  if (clock_->running() && !clock_->frozen()) return reply;
  if (!time_.responsesTakeTime) reply.clock.reset();
  if (time_.latencyTakesRealTime) {
    reply.delay = reply.latency;
    reply.pausesTakeRealTime = true;
  } else {
    reply.chunks = 1;
  }
  return reply;
}

}  // namespace tally::fake::detail
