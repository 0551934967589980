#include "format/control_json.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <sstream>

#include <tally/fake/sent_request.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value_from.hpp>

#include "faults/request_parts.h"
#include "request/base64.h"
#include "tables/utf8.h"

namespace tally::fake::detail {

namespace json = boost::json;

namespace {

constexpr std::string_view unlimitedTimes = "unlimited";

constexpr std::array faultKinds{fake::Fault::none,          fake::Fault::connectionRefused,
                                fake::Fault::reset,         fake::Fault::responseLost,
                                fake::Fault::truncatedBody, fake::Fault::garbledBody,
                                fake::Fault::emptyPage,     fake::Fault::errorAfterProcessing};

/// For example `response_lost`.
std::string nameOf(fake::Fault fault) {
  std::string name{toString(fault)};
  std::ranges::replace(name, ' ', '_');
  return name;
}

fake::Fault readFault(JsonInput& input) {
  const std::string name = input.text("fault").value_or("none");
  const auto found = std::ranges::find(faultKinds, name, nameOf);
  if (found == faultKinds.end()) input.fail("fault", "unknown fault '" + name + "'");
  return *found;
}

std::optional<HttpResponse> readResponse(JsonInput& input) {
  std::optional<JsonInput> given = input.object("response");
  if (!given) return std::nullopt;
  const std::int64_t status = given->integer("status").value_or(200);
  if (status < 200 || status > 599) given->fail("status", "expected a status from 200 to 599");
  HttpResponse response{.status = static_cast<int>(status),
                        .headers = given->headers("headers"),
                        .body = given->bytes("body").value_or("")};
  given->finish();
  return response;
}

constexpr std::int64_t mostStatus = 599;

/// A number of requests or of chunks.
int readNumber(JsonInput& input, std::string_view name, int otherwise) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  return static_cast<int>(input.integer(name, 1, most).value_or(otherwise));
}

int readTimes(JsonInput& input) {
  constexpr std::string_view name = "times";
  if (!input.isText(name)) return readNumber(input, name, 1);
  if (input.text(name) != unlimitedTimes)
    input.fail(name, "expected an integer or \"" + std::string{unlimitedTimes} + '"');
  return FaultRule::unlimited;
}

std::chrono::nanoseconds readDuration(JsonInput& input, std::string_view name) {
  return input.milliseconds(name).value_or(std::chrono::milliseconds{0});
}

std::optional<std::size_t> readSize(JsonInput& input, std::string_view name) {
  const auto number = input.integer(name, 0);
  return number ? std::optional{static_cast<std::size_t>(*number)} : std::nullopt;
}

json::object named(const std::string& name, const std::string& value) {
  return {{"name", asUtf8(name)}, {"value", asUtf8(value)}};
}

json::array headerList(const std::vector<Header>& headers) {
  json::array written;
  for (const Header& header : headers)
    written.push_back(named(header.name, shownHeader(header.name, header.value)));
  return written;
}

json::array paramList(const HttpRequest& request) {
  json::array written;
  for (const SentParam& param : sentParams(request))
    written.push_back(named(param.name, param.value));
  return written;
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
  switch (pattern.rule()) {
    case TextPattern::Rule::equal:
      return bytesToJson(pattern.text());
    case TextPattern::Rule::containing:
      return {{"contains", bytesToJson(pattern.text())}};
    case TextPattern::Rule::any:
      return {{"present", true}};
    case TextPattern::Rule::absent:
      break;
  }
  return {{"present", false}};
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

json::value patternsToJson(const std::vector<NamedPattern>& patterns) {
  return namedToJson(patterns, patternToJson);
}

json::value headersToJson(const std::vector<Header>& headers) {
  return namedToJson(headers, bytesToJson);
}

std::int64_t inMilliseconds(std::chrono::nanoseconds duration) {
  return std::chrono::floor<std::chrono::milliseconds>(duration).count();
}

json::value timesToJson(const FaultRule& rule) {
  return rule.times == FaultRule::unlimited ? json::value(unlimitedTimes) : json::value(rule.times);
}

// Braces would turn a json::value within a json::value into an array of one.
json::value orNull(const std::optional<std::int64_t>& number) {
  return number ? json::value(*number) : json::value(nullptr);
}

json::value orNull(const std::string& text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

json::value orNull(const std::optional<Instant>& time) {
  return time ? json::value(toText(*time)) : json::value(nullptr);
}

}  // namespace

AccountOptions readAccountOptions(JsonInput& input) {
  AccountOptions options;
  options.country = input.text("country").value_or(options.country);
  options.industry = input.text("industry").value_or(options.industry);
  return options;
}

FaultRule readFaultRule(JsonInput& input) {
  FaultRule rule{.operation = input.text("operation").value_or(""),
                 .object = input.text("object").value_or(""),
                 .times = readTimes(input),
                 .fault = readFault(input),
                 .error = input.text("error").value_or(""),
                 .rateLimitedReason = input.text("rate_limited_reason"),
                 .response = readResponse(input),
                 .headers = input.headers("headers"),
                 .latency = readDuration(input, "latency_ms"),
                 .params = input.patterns("params"),
                 .metadata = input.patterns("metadata"),
                 .requestHeaders = input.patterns("request_headers"),
                 .every = readNumber(input, "every", 1),
                 .probability = input.number("probability").value_or(1),
                 .after = readDuration(input, "after_ms"),
                 .period = input.milliseconds("period_ms"),
                 .latencyUpTo = readDuration(input, "latency_up_to_ms"),
                 .latencySigma = input.number("latency_sigma").value_or(0),
                 .chunks = readNumber(input, "chunks", 1),
                 .pause = readDuration(input, "pause_ms")};
  input.finish();
  return rule;
}

RequestPattern readPattern(JsonInput& input) {
  RequestPattern pattern{.account = input.text("account").value_or(""),
                         .operation = input.text("operation").value_or(""),
                         .object = input.text("object").value_or(""),
                         .params = input.patterns("params"),
                         .metadata = input.patterns("metadata"),
                         .headers = input.patterns("headers"),
                         .body = input.pattern("body"),
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

LimitOverride readLimit(JsonInput& input) {
  LimitOverride setting{.limit = input.required(input.text("limit"), "limit"),
                        .value = input.integer("value"),
                        .livemode = input.boolean("livemode"),
                        .operation = input.text("operation").value_or(""),
                        .country = input.text("country").value_or(""),
                        .industry = input.text("industry").value_or("")};
  input.finish();
  return setting;
}

DurationSetting readDuration(JsonInput& input) {
  DurationSetting setting{.operation = input.required(input.text("operation"), "operation"),
                          .duration = input.required(input.milliseconds("milliseconds"), "milliseconds")};
  input.finish();
  return setting;
}

json::value toJson(const Account& account) {
  return {{"id", account.id}, {"live_key", account.liveKey}, {"sandbox_key", account.sandboxKey}};
}

json::object toJson(const FaultRule& rule) {
  json::object written{{"operation", orNull(rule.operation)},
                       {"object", orNull(rule.object)},
                       {"params", patternsToJson(rule.params)},
                       {"metadata", patternsToJson(rule.metadata)},
                       {"request_headers", patternsToJson(rule.requestHeaders)},
                       {"times", timesToJson(rule)},
                       {"every", rule.every},
                       {"probability", rule.probability},
                       {"fault", nameOf(rule.fault)},
                       {"error", orNull(rule.error)}};
  if (rule.rateLimitedReason) written["rate_limited_reason"] = *rule.rateLimitedReason;
  if (rule.response)
    written["response"] = {{"status", rule.response->status},
                           {"headers", headersToJson(rule.response->headers)},
                           {"body", bytesToJson(rule.response->body)}};
  written["headers"] = headersToJson(rule.headers);
  written["latency_ms"] = inMilliseconds(rule.latency);
  written["latency_up_to_ms"] = inMilliseconds(rule.latencyUpTo);
  written["latency_sigma"] = rule.latencySigma;
  written["chunks"] = rule.chunks;
  written["pause_ms"] = inMilliseconds(rule.pause);
  written["after_ms"] = inMilliseconds(rule.after);
  written["period_ms"] = rule.period ? json::value(inMilliseconds(*rule.period)) : json::value(nullptr);
  return written;
}

json::value toJson(const InjectedFault& fault) {
  json::object written{{"id", fault.id}, {"hits", fault.hits}};
  for (const auto& [name, value] : toJson(fault.rule))
    written[name] = value;
  written["from"] = fault.from == Instant::min() ? json::value(nullptr) : json::value(toText(fault.from));
  written["until"] = fault.until == Instant::max() ? json::value(nullptr) : json::value(toText(fault.until));
  return written;
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

json::value toJson(const AllocationForecast& forecast) {
  json::array points;
  for (const AllocationPoint& point : forecast.points)
    points.push_back({{"time", toText(point.time)}, {"used", point.used}, {"allowed", point.allowed}});
  return {{"limit", forecast.limit}, {"livemode", forecast.livemode}, {"points", std::move(points)}};
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
          {"places", held.places},
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
          {"request_id", orNull(request.requestId)},
          {"error_code", orNull(request.errorCode)},
          {"limit", orNull(request.limit)},
          {"processed", request.processed},
          {"fault", nameOf(request.fault)},
          {"fault_id", request.faultId == 0 ? json::value(nullptr) : json::value(request.faultId)},
          {"added_latency_ms", inMilliseconds(request.addedLatency)},
          {"response", responseToJson(request.response)}};
}

json::value toJson(const Verification& verification) {
  std::ostringstream message;
  message << verification;
  json::array nearMisses;
  for (const NearMiss& miss : verification.nearMisses) {
    json::array differences;
    for (const Difference& each : miss.differences)
      differences.push_back({{"part", asUtf8(each.part)},
                             {"expected", asUtf8(each.expected)},
                             {"actual", asUtf8(each.actual)}});
    nearMisses.push_back({{"request", toJson(miss.request)}, {"differences", std::move(differences)}});
  }
  return {{"ok", verification.ok},
          {"matched", verification.matching.size()},
          {"requests", json::value_from(verification.matching)},
          {"near_misses", std::move(nearMisses)},
          {"decided", verification.isDecided()},
          {"dropped", verification.dropped},
          {"unknown", verification.unknown},
          {"message", asUtf8(message.str())}};
}

}  // namespace tally::fake::detail
