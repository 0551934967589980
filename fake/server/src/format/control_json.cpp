#include "format/control_json.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <vector>

#include <tally/fake/sent_request.h>

#include <boost/json/object.hpp>
#include <boost/json/value_from.hpp>

#include "faults/request_parts.h"
#include "request/base64.h"
#include "tables/utf8.h"
#include "text/suggestion.h"

namespace tally::fake::detail {

namespace json = boost::json;

std::string inSnakeCase(std::string_view words) {
  std::string name{words};
  std::ranges::replace(name, ' ', '_');
  return name;
}

namespace {

constexpr std::string_view unlimitedTimes = "unlimited";

constexpr std::array faultKinds{fake::Fault::none,          fake::Fault::connectionRefused,
                                fake::Fault::reset,         fake::Fault::responseLost,
                                fake::Fault::truncatedBody, fake::Fault::garbledBody,
                                fake::Fault::emptyPage,     fake::Fault::errorAfterProcessing};

std::string nameOf(fake::Fault fault) {
  return inSnakeCase(toString(fault));
}

std::vector<std::string> faultNames() {
  std::vector<std::string> names(faultKinds.size());
  std::ranges::transform(faultKinds, names.begin(), nameOf);
  return names;
}

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

/// What JsonInput::bytes() reads.
json::value bytesToJson(const std::string& bytes) {
  if (isUtf8(bytes)) return json::value(bytes);
  return {{"base64", encodeBase64(bytes)}};
}

json::value patternToJson(const TextPattern& pattern) {
  using Rule = TextPattern::Rule;
  if (pattern.rule() == Rule::equal) return bytesToJson(pattern.text());
  if (pattern.rule() == Rule::containing) return {{"contains", bytesToJson(pattern.text())}};
  return {{"present", pattern.rule() == Rule::any}};
}

/// An object with the names as members if it can have them: if none occurs twice, and all are UTF-8.
/// Otherwise an array.
template <class Named, class ToJson>
json::value namedToJson(const std::vector<Named>& all, const ToJson& valueToJson) {
  std::set<std::string_view> names;
  const bool isObject = std::ranges::all_of(
      all, [&](const Named& each) { return names.insert(each.name).second && isUtf8(each.name); });
  json::object object;
  json::array array;
  for (const Named& each : all) {
    if (isObject) {
      object[each.name] = valueToJson(each.value);
    } else {
      array.push_back({{"name", bytesToJson(each.name)}, {"value", valueToJson(each.value)}});
    }
  }
  return isObject ? json::value(std::move(object)) : json::value(std::move(array));
}

json::value headersToJson(const std::vector<Header>& headers) {
  return namedToJson(headers, bytesToJson);
}

json::value patternsToJson(const std::vector<NamedPattern>& patterns) {
  return namedToJson(patterns, patternToJson);
}

// Braces would turn a json::value within a json::value into an array of one.
template <class Value>
json::value orNull(const std::optional<Value>& value) {
  return value ? Plain::write(*value) : json::value(nullptr);
}
json::value orNull(const std::string& text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

using Bytes = ReadBy<&JsonInput::bytes, bytesToJson>;
using Headers = ReadBy<&JsonInput::headers, headersToJson>;
using Patterns = ReadBy<&JsonInput::patterns, patternsToJson>;

struct ResponseStatus {
  static bool read(JsonInput& input, std::string_view name, int& value) {
    const std::int64_t status = input.integer(name).value_or(200);
    if (status < 200 || status > mostStatus) input.fail(name, "expected a status from 200 to 599");
    value = static_cast<int>(status);
    return true;
  }
  static json::value write(int value) { return value; }
};

struct FaultName {
  static bool read(JsonInput& input, std::string_view name, fake::Fault& value) {
    const auto given = input.text(name);
    if (!given) return false;
    const auto found = std::ranges::find(faultKinds, *given, nameOf);
    if (found == faultKinds.end())
      input.fail(name,
                 "unknown fault '" + *given + "'" + tally::detail::suggestionOrList(*given, faultNames()));
    value = *found;
    return true;
  }
  static json::value write(fake::Fault value) { return json::value(nameOf(value)); }
};

struct Times {
  static bool read(JsonInput& input, std::string_view name, int& value) {
    if (!input.isText(name)) return NumberFrom<1>::read(input, name, value);
    if (input.text(name) != unlimitedTimes)
      input.fail(name, "expected an integer or \"" + std::string{unlimitedTimes} + '"');
    value = FaultRule::unlimited;
    return true;
  }
  static json::value write(int value) {
    return value == FaultRule::unlimited ? json::value(unlimitedTimes) : json::value(value);
  }
};

}  // namespace

void members(Members& m, HttpResponse& response) {
  m.usual("status", response.status, ResponseStatus{});
  m.usual("headers", response.headers, Headers{});
  m.usual("body", response.body, Bytes{});
}

void members(Members& m, FaultRule& rule) {
  m.nullable("operation", rule.operation);
  m.nullable("object", rule.object);
  m.usual("params", rule.params, Patterns{});
  m.usual("metadata", rule.metadata, Patterns{});
  m.usual("request_headers", rule.requestHeaders, Patterns{});
  m.usual("times", rule.times, Times{});
  m.usual("every", rule.every, NumberFrom<1>{});
  m.usual("probability", rule.probability);
  m.usual("fault", rule.fault, FaultName{});
  m.nullable("error", rule.error);
  m.optional("rate_limited_reason", rule.rateLimitedReason);
  m.optional("response", rule.response, Nested<>{});
  m.usual("headers", rule.headers, Headers{});
  m.usual("latency_ms", rule.latency, Milliseconds{});
  m.usual("latency_up_to_ms", rule.latencyUpTo, Milliseconds{});
  m.usual("latency_sigma", rule.latencySigma);
  m.usual("chunks", rule.chunks, NumberFrom<1>{});
  m.usual("pause_ms", rule.pause, Milliseconds{});
  m.usual("after_ms", rule.after, Milliseconds{});
  m.nullable("period_ms", rule.period, Milliseconds{});
}

void members(Members& m, LimitOverride& setting) {
  m.required("limit", setting.limit);
  m.optional("value", setting.value);
  m.optional("livemode", setting.livemode);
  m.optional("operation", setting.operation);
  m.optional("country", setting.country);
  m.optional("industry", setting.industry);
}

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
                         .text = input.text("text").value_or("")};
  const auto status = input.integer("status");
  if (status && (*status < 0 || *status > mostStatus))
    input.fail("status", "expected a status, or 0 for requests without a response");
  if (status) pattern.status = static_cast<int>(*status);
  return pattern;
}

Count readExpectedCount(JsonInput& input) {
  const auto exactly = readSize(input, "exactly");
  const auto least = readSize(input, "at_least");
  const auto most = readSize(input, "at_most");
  if (exactly && (least || most)) input.fail("exactly", "leave it out, or at_least and at_most");
  if (exactly) return Count::exactly(*exactly);
  if (!least && !most) return Count::exactly(1);
  if (least && most && *least > *most) input.fail("at_least", "expected at most at_most");
  return Count::between(least.value_or(0), most.value_or(Count::unlimited));
}

json::value toJson(const Account& account) {
  return {{"id", account.id}, {"live_key", account.liveKey}, {"sandbox_key", account.sandboxKey}};
}

json::value toJson(const InjectedFault& fault) {
  return writeMembers(fault);
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
    return {{"start", toText(minute.start)}, {"refusals", minute.refusals}};
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
    return {{"time", toText(point.time)}, {"used", point.used}, {"allowed", point.allowed}};
  };
  return {{"limit", forecast.limit},
          {"livemode", forecast.livemode},
          {"points", arrayOf(forecast.points, pointToJson)}};
}

json::object toJson(const StoredObject& object) {
  return {{"resource", object.resource},
          {"id", object.id},
          {"state", orNull(object.state)},
          {"created", toText(object.created)}};
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
          {"time", toText(request.time)},
          {"responded_at", toText(request.respondedAt)},
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
          {"added_latency_ms", Milliseconds::write(request.addedLatency)},
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
