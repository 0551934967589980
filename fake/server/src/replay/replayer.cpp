#include "replay/replayer.h"

#include <exception>
#include <utility>
#include <variant>

#include "form/validation.h"
#include "json/json_writer.h"
#include "text/ascii.h"

namespace tally::fake::detail {

using tally::detail::Exchange;

namespace {

HttpResponse problemResponse(int status, std::string_view code, std::string_view message) {
  std::string body = R"({"error":{"type":"invalid_request_error","code":)";
  tally::detail::writeJsonString(body, code);
  tally::detail::writeJsonString(body += R"(,"message":)", "tally-fake replay: " + std::string{message});
  return responseWith("application/json", body + "}}", status);
}

/// Bodies are recorded without their coding. A recording may have headers that no response can have.
std::vector<Header> sentHeaders(std::vector<Header> headers) {
  std::erase_if(headers, [](const Header& header) {
    return tally::detail::equalIgnoringCase(header.name, "Content-Encoding") ||
           !tally::detail::isHeaderName(header.name) || !tally::detail::isHeaderText(header.value);
  });
  return headers;
}

}  // namespace

Reply Replayer::handle(const Incoming& incoming, const StopToken& /*stop*/) {
  constexpr int leastFinal = 200;
  try {
    auto recorded = recording_.next({.method = std::string{methodOf(incoming)},
                                     .url = incoming.request.url,
                                     .requestHeaders = incoming.request.headers,
                                     .requestBody = incoming.request.body});
    if (const auto* problem = std::get_if<tally::detail::NotRecorded>(&recorded))
      return problemResponse(404, "not_recorded", problem->message);
    auto& found = std::get<Exchange>(recorded);
    if (found.status < leastFinal)
      return ScheduledResult{.result = TransportFailure{.kind = TransportFailure::Kind::connection,
                                                        .message = std::move(found.failure)}};
    return HttpResponse{.status = found.status,
                        .headers = sentHeaders(std::move(found.responseHeaders)),
                        .body = std::move(found.responseBody)};
  } catch (const std::exception& failure) {
    return problemResponse(500, "recording_unreadable", failure.what());
  }
}

}  // namespace tally::fake::detail
