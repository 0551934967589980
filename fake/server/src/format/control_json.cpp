#include "format/control_json.h"

#include <sstream>
#include <vector>

#include <tally/fake/sent_request.h>

#include <boost/json/object.hpp>
#include <boost/json/value_from.hpp>

#include "tables/utf8.h"
#include "time/rfc3339.h"

namespace tally::fake::detail {

namespace json = boost::json;

namespace {

constexpr std::int64_t mostStatus = 599;

std::optional<std::size_t> readSize(JsonInput& input, std::string_view name) {
  const auto number = input.integer(name, 0);
  return number ? std::optional{static_cast<std::size_t>(*number)} : std::nullopt;
}

json::object named(const std::string& name, const std::string& value) {
  return {{"name", asUtf8(name)}, {"value", asUtf8(value)}};
}

json::array headerList(const std::vector<Header>& headers) {
  return arrayOf(headers, [](const Header& header) {
    return named(header.name, shownHeader(header.name, header.value));
  });
}

json::array paramList(const HttpRequest& request) {
  return arrayOf(sentParams(request), [](const SentParam& param) { return named(param.name, param.value); });
}

json::value responseToJson(const std::optional<HttpResponse>& response) {
  if (!response) return nullptr;
  return {{"headers", headerList(response->headers)}, {"body", asUtf8(response->body)}};
}

// Braces would turn a json::value within a json::value into an array of one.
template <class Value>
json::value orNull(const std::optional<Value>& value) {
  return value ? Plain::write(*value) : json::value(nullptr);
}
json::value orNull(const std::string& text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

/// A test may insert an object that was created at a time beyond the range of Instant.
std::string creationText(std::chrono::sys_seconds time) {
  const auto instant = tally::detail::instantOf(std::int64_t{time.time_since_epoch().count()});
  return instant ? tally::detail::toText(*instant) : tally::toString(time);
}

}  // namespace

void members(Members& m, DurationSetting& setting) {
  m.required("operation", setting.operation);
  m.required("milliseconds", setting.duration, Milliseconds{});
}

void members(Members& m, InjectedFault& fault) {
  m.usual("id", fault.id, NumberFrom<1>{});
  m.usual("hits", fault.hits, NumberFrom<0>{});
  members(m, fault.rule);
  m.nullable("from", fault.from, Plain{}, Instant::min());
  m.nullable("until", fault.until, Plain{}, Instant::max());
  m.optional("script", fault.script, NumberFrom<1>{});
}

RequestOutcome outcomeNamed(std::string_view name) {
  const auto* const found =
      std::ranges::find(requestOutcomes, name, [](RequestOutcome outcome) { return toString(outcome); });
  if (found == requestOutcomes.end())
    throw BadInput{"outcome: expected succeeded, limited, refused, failed or unanswered"};
  return *found;
}

RequestPattern readPattern(JsonInput& input) {
  RequestPattern pattern{.account = input.text("account").value_or(""),
                         .operation = input.text("operation").value_or(""),
                         .object = input.text("object").value_or(""),
                         .params = input.patterns("params"),
                         .metadata = input.patterns("metadata"),
                         .headers = input.patterns("headers"),
                         .body = input.pattern("body"),
                         .processed = input.boolean("processed"),
                         .errorCode = input.text("error_code").value_or(""),
                         .responseBody = input.pattern("response_body"),
                         .faulted = input.boolean("faulted"),
                         .hasOperation = input.boolean("has_operation"),
                         .from = input.time("from"),
                         .until = input.time("until"),
                         .text = input.text("text").value_or(""),
                         .call = input.text("call").value_or("")};
  const auto status = input.integer("status");
  if (status && (*status < 0 || *status > mostStatus))
    input.fail("status", "expected a status, or 0 for requests without a response");
  if (status) pattern.status = static_cast<int>(*status);
  if (const auto outcome = input.text("outcome")) pattern.outcome = outcomeNamed(*outcome);
  return pattern;
}

Count readExpectedCount(JsonInput& input) {
  const auto exactly = readSize(input, "exactly");
  const auto least = readSize(input, "at_least");
  const auto most = readSize(input, "at_most");
  if (exactly && (least || most)) input.fail("exactly", "can't be combined with at_least or at_most");
  if (exactly) return Count::exactly(*exactly);
  if (!least && !most) return Count::exactly(1);
  if (least && most && *least > *most) input.fail("at_least", "must not exceed at_most");
  return Count::between(least.value_or(0), most.value_or(Count::unlimited));
}

json::value toJson(const Account& account) {
  return {{"id", account.id}, {"live_key", account.liveKey}, {"sandbox_key", account.sandboxKey}};
}

json::value toJson(const InjectedFault& fault) {
  return writeMembers(fault);
}

json::value toJson(const ScriptPart& part) {
  return {{"what", part.what},
          {"from", tally::detail::toText(part.from)},
          {"until", part.until == Instant::max() ? json::value(nullptr)
                                                 : json::value(tally::detail::toText(part.until))},
          {"fault", part.fault == 0 ? json::value(nullptr) : json::value(part.fault)},
          {"hits", orNull(part.hits)}};
}

json::value toJson(const PlayedScript& script) {
  return {{"id", script.id},
          {"name", script.name},
          {"seed", script.seed},
          {"started", tally::detail::toText(script.started)},
          {"next_at", orNull(script.nextAt)},
          {"next", orNull(script.next)},
          {"steps", allToJson(script.parts)}};
}

json::value toJson(const FaultScript& script) {
  return {{"name", script.name}, {"description", script.description}};
}

json::value toJson(const LimitUsage& usage) {
  return {{"limit", usage.limit},
          {"livemode", usage.livemode},
          {"operation", orNull(usage.operation)},
          {"object", orNull(usage.object)},
          {"used", usage.used},
          {"allowed", orNull(usage.allowed)},
          {"remaining", orNull(usage.remaining)},
          {"available_at", orNull(usage.availableAt)},
          {"frees_at", orNull(usage.freesAt)}};
}

json::value toJson(const LimitHistory& history) {
  const auto minuteToJson = [](const RefusedMinute& minute) -> json::value {
    return {{"start", tally::detail::toText(minute.start)}, {"refusals", minute.refusals}};
  };
  return {{"limit", history.limit},
          {"livemode", history.livemode},
          {"operation", orNull(history.operation)},
          {"allowed", orNull(history.allowed)},
          {"highest_use", history.highestUse},
          {"highest_at", orNull(history.highestAt)},
          {"highest_object", orNull(history.highestObject)},
          {"refusals", history.refusals},
          {"first_refusal", orNull(history.firstRefusal)},
          {"last_refusal", orNull(history.lastRefusal)},
          {"refused_object", orNull(history.refusedObject)},
          {"minutes", arrayOf(history.minutes, minuteToJson)}};
}

json::object toJson(const RequestSummary& summary) {
  const auto outcomesToJson = [](const OutcomeCounts& counts) -> json::value {
    json::object object;
    for (const RequestOutcome outcome : requestOutcomes)
      object[toString(outcome)] = counts[outcome];
    return object;
  };
  const auto nameToJson = [](const NamedCount& each) -> json::value {
    return {{"name", orNull(asUtf8(each.name))}, {"count", each.count}};
  };
  return {{"logged", summary.logged},
          {"matching", summary.matching},
          {"from", orNull(summary.from)},
          {"until", orNull(summary.until)},
          {"outcomes", outcomesToJson(summary.outcomes)},
          {"spans", arrayOf(summary.spans, outcomesToJson)},
          {"operations", arrayOf(summary.operations, nameToJson)},
          {"accounts", arrayOf(summary.accounts, nameToJson)},
          {"statuses", arrayOf(summary.statuses, nameToJson)}};
}

json::value toJson(const AllocationForecast& forecast) {
  const auto pointToJson = [](const AllocationPoint& point) -> json::value {
    return {{"time", tally::detail::toText(point.time)}, {"used", point.used}, {"allowed", point.allowed}};
  };
  return {{"limit", forecast.limit},
          {"livemode", forecast.livemode},
          {"points", arrayOf(forecast.points, pointToJson)}};
}

json::object toJson(const StoredObject& object) {
  return {{"resource", object.resource},
          {"id", object.id},
          {"state", orNull(object.state)},
          {"created", creationText(object.created)}};
}

json::value toJson(const ObjectCount& count) {
  return {{"resource", count.resource}, {"state", orNull(count.state)}, {"count", count.count}};
}

json::value toJson(std::uint64_t number, const HeldThing& held) {
  return {{"hold", number},
          {"account", held.account},
          {"livemode", held.livemode},
          {"object", orNull(held.object)},
          {"operation", orNull(held.operation)},
          {"units", held.units},
          {"until", orNull(held.until)}};
}

json::value toJson(const LoggedRequest& request) {
  return {{"number", request.number},
          {"time", tally::detail::toText(request.time)},
          {"responded_at", tally::detail::toText(request.respondedAt)},
          {"account", orNull(request.account)},
          {"livemode", request.livemode},
          {"operation", orNull(request.operation)},
          {"object", orNull(asUtf8(request.object))},
          {"method", asUtf8(request.method)},
          {"url", asUtf8(request.request.url)},
          {"headers", headerList(request.request.headers)},
          {"params", paramList(request.request)},
          {"body", asUtf8(request.request.body)},
          {"status", request.status},
          {"outcome", toString(outcomeOf(request))},
          {"request_id", orNull(request.requestId)},
          {"error_code", orNull(request.errorCode)},
          {"limit", orNull(request.limit)},
          {"processed", request.processed},
          {"fault", nameOf(request.fault)},
          {"fault_id", request.faultId == 0 ? json::value(nullptr) : json::value(request.faultId)},
          {"fault_from_header", request.faultFromHeader},
          {"added_latency_ms", Milliseconds::write(request.addedLatency)},
          {"call", orNull(request.call)},
          {"attempt", request.attempt == 0 ? json::value(nullptr) : json::value(request.attempt)},
          {"response", responseToJson(request.response)}};
}

json::value toJson(const Difference& difference) {
  return {{"part", asUtf8(difference.part)},
          {"expected", asUtf8(difference.expected)},
          {"actual", asUtf8(difference.actual)}};
}

json::value toJson(const NearMiss& miss) {
  return {{"request", toJson(miss.request)}, {"differences", allToJson(miss.differences)}};
}

json::value toJson(const Verification& verification) {
  std::ostringstream message;
  message << verification;
  return {{"ok", verification.ok},
          {"matched", verification.matching.size()},
          {"requests", json::value_from(verification.matching)},
          {"near_misses", allToJson(verification.nearMisses)},
          {"decided", verification.isDecided()},
          {"dropped", verification.dropped},
          {"unknown", verification.unknown},
          {"message", asUtf8(message.str())}};
}

}  // namespace tally::fake::detail
