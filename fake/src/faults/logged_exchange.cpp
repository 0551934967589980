#include "faults/logged_exchange.h"

#include <algorithm>
#include <string>

#include "request/request_head.h"
#include "text/find_header.h"

namespace tally::fake::detail {

namespace {

std::string urlOf(const HttpRequest& request) {
  const std::string* const host = tally::detail::findHeader(request.headers, "Host");
  if (host == nullptr || authorityOf(request.url).data() != nullptr) return request.url;
  return "http://" + *host + request.url;
}

/// As the control API writes it. A rule may have made the response to a request that was neither processed
/// nor refused by a limit.
std::string faultOf(const LoggedRequest& request) {
  const bool mayBeMade = request.hasFault() && !request.processed && request.limit.empty();
  if (request.fault == fake::Fault::none) return mayBeMade ? "response" : "";
  std::string name{toString(request.fault)};
  std::ranges::replace(name, ' ', '_');
  return name;
}

std::string failureOf(const LoggedRequest& request) {
  if (request.status != 0) return {};
  return request.fault == fake::Fault::none ? "no response"
                                            : "injected fault: " + std::string{toString(request.fault)};
}

}  // namespace

tally::detail::Exchange exchangeOf(const LoggedRequest& request) {
  tally::detail::Exchange exchange{.startedAt = request.time,
                                   .duration = request.respondedAt - request.time,
                                   .method = request.method,
                                   .url = urlOf(request.request),
                                   .requestHeaders = request.request.headers,
                                   .requestBody = request.request.body,
                                   .status = request.status,
                                   .failure = failureOf(request),
                                   .fault = faultOf(request)};
  if (!request.response) return exchange;
  exchange.responseHeaders = request.response->headers;
  exchange.responseBody = request.response->body;
  return exchange;
}

}  // namespace tally::fake::detail
