#include "async/async_call.h"

#include "call/request_builder.h"

namespace tally::detail {

AsyncRequest asyncRequest(const ClientCore& core, const AnyOperation& operation, std::string_view id,
                          ConstObjectRef params, RequestOptions options) {
  AsyncRequest request{.operation = operation,
                       .object = std::string{id},
                       .request = buildRequest(core.defaults(), operation, id, params, options),
                       .options = std::move(options),
                       .queued = core.queues(operation, id)};
  if (std::holds_alternative<KeyedRequest>(request.request))
    request.paced = core.pacedRequest(operation, id, params);
  return request;
}

}  // namespace tally::detail
