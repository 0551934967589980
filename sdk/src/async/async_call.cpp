#include "async/async_call.h"

#include "call/request_builder.h"

namespace tally {

CallOptions CallOptions::of(const RequestOptions& options) {
  CallOptions view{.timeout = options.timeout,
                   .maxNetworkRetries = options.maxNetworkRetries,
                   .retryRateLimited = options.retryRateLimited,
                   .totalTimeout = options.totalTimeout,
                   .deadline = options.deadline,
                   .stop = options.stop,
                   .headers = options.headers,
                   .attempts = options.attempts};
  if (options.apiKey) view.apiKey = *options.apiKey;
  if (options.connectedAccount) view.connectedAccount = *options.connectedAccount;
  return view;
}

namespace detail {

RequestOptions own(const CallOptions& options) {
  return {.apiKey = own(options.apiKey),
          .connectedAccount = own(options.connectedAccount),
          .timeout = options.timeout,
          .maxNetworkRetries = options.maxNetworkRetries,
          .retryRateLimited = options.retryRateLimited,
          .totalTimeout = options.totalTimeout,
          .deadline = options.deadline,
          .stop = options.stop.token(),
          .headers = {options.headers.begin(), options.headers.end()},
          .attempts = options.attempts};
}

AsyncRequest asyncRequest(const ClientCore& core, const AnyOperation& operation, std::string_view id,
                          ConstObjectRef params, RequestOptions options) {
  AsyncRequest request{.operation = operation,
                       .object = std::string{id},
                       .request = buildRequest(core.options(), operation, id, params, options),
                       .queued = core.queues(operation, id)};
  if (std::holds_alternative<HttpRequest>(request.request))
    request.paced = core.pacedRequest(operation, id, params);
  request.options = std::move(options);
  return request;
}

}  // namespace detail

}  // namespace tally
