#include <array>

#include <tally/version.h>

#include <boost/json/object.hpp>

#include "control/control_operations.h"
#include "control/event_stream.h"
#include "control/metrics.h"
#include "pages/documents.h"
#include "tables/parsed_number.h"
#include "text/find_header.h"

namespace tally::fake::detail {

namespace json = boost::json;

namespace {

json::value showHealth(ControlCall& call) {
  return {{"status", "ok"}, {"version", version}, {"accounts", call.host.accountCount()}};
}

Reply showMetrics(ControlCall& call) {
  return responseWith("text/plain; version=0.0.4; charset=utf-8", metricsOf(call.host));
}

Reply showApi(ControlCall&) {
  return responseWith(jsonType, apiDocument());
}

Reply showControlApi(ControlCall&) {
  return responseWith(jsonType, std::string{controlDocument()});
}

/// Where a stream of events starts. A client that lost its connection names the last event that it received;
/// a client without a preference gets what happens from now on.
std::uint64_t startOf(const ControlCall& call) {
  constexpr std::string_view resumption = "Last-Event-ID";
  if (const std::string* id = tally::detail::findHeader(call.request->headers, resumption)) {
    const auto number = parsedNumber<std::uint64_t>(*id);
    if (!number) throw BadInput{std::string{resumption} + ": expected the id of an event, which is a number"};
    return *number;
  }
  return numberIn(call, "after", 0).value_or(call.service().requests().lastNumber());
}

Reply streamEvents(ControlCall& call) {
  const std::uint64_t after = startOf(call);
  const auto tells = flagIn(call, "requests").value_or(true) ? EventStream::Tells::requestsAndChanges
                                                             : EventStream::Tells::changes;
  return Reply{{.status = 200,
                .headers = {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-store"}},
                .body = {}},
               std::make_shared<EventStream>(call.host, call.key, call.owner, after, tells)};
}

constexpr std::array operations{
    ControlOperation{.method = "GET", .path = "health", .carryOut = showHealth, .aboutAccount = false},
    ControlOperation{.method = "GET", .path = "metrics", .aboutAccount = false, .respond = showMetrics},
    ControlOperation{.method = "GET", .path = "openapi.json", .aboutAccount = false, .respond = showApi},
    ControlOperation{
        .method = "GET", .path = "control.openapi.json", .aboutAccount = false, .respond = showControlApi},
    ControlOperation{
        .method = "GET", .path = "events", .query = {"after", "requests"}, .respond = streamEvents}};

}  // namespace

std::span<const ControlOperation> serverTable() {
  return operations;
}

}  // namespace tally::fake::detail
