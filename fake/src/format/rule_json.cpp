#include "format/rule_json.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include <tally/transport.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "tables/utf8.h"
#include "text/base64.h"
#include "text/suggestion.h"

namespace tally::fake::detail {

namespace json = boost::json;

std::string inSnakeCase(std::string_view words) {
  std::string name{words};
  std::ranges::replace(name, ' ', '_');
  return name;
}

std::string nameOf(fake::Fault fault) {
  return inSnakeCase(toString(fault));
}

namespace {

constexpr std::string_view unlimitedTimes = "unlimited";

constexpr std::array faultKinds{fake::Fault::none,          fake::Fault::connectionRefused,
                                fake::Fault::reset,         fake::Fault::responseLost,
                                fake::Fault::truncatedBody, fake::Fault::garbledBody,
                                fake::Fault::emptyPage,     fake::Fault::errorAfterProcessing};

constexpr std::int64_t mostStatus = 599;

/// What JsonInput::bytes() reads.
json::value bytesToJson(const std::string& bytes) {
  if (isUtf8(bytes)) return json::value(bytes);
  return {{"base64", tally::detail::encodeBase64(bytes)}};
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

void requestMembers(Members& m, FaultRule& rule) {
  m.nullable("operation", rule.operation);
  m.nullable("object", rule.object);
  m.usual("params", rule.params, Patterns{});
  m.usual("metadata", rule.metadata, Patterns{});
  m.usual("request_headers", rule.requestHeaders, Patterns{});
}

void effectMembers(Members& m, FaultRule& rule) {
  m.usual("every", rule.every, NumberFrom<1>{});
  m.usual("probability", rule.probability);
  m.optional("probability_at_end", rule.probabilityAtEnd);
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
}

}  // namespace

std::vector<std::string> faultNames() {
  std::vector<std::string> names(faultKinds.size());
  std::ranges::transform(faultKinds, names.begin(), nameOf);
  return names;
}

bool Times::read(JsonInput& input, std::string_view name, int& value) {
  if (!input.isText(name)) return NumberFrom<1>::read(input, name, value);
  if (input.text(name) != unlimitedTimes)
    input.fail(name, "expected an integer or \"" + std::string{unlimitedTimes} + '"');
  value = FaultRule::unlimited;
  return true;
}

json::value Times::write(int value) {
  return value == FaultRule::unlimited ? json::value(unlimitedTimes) : json::value(value);
}

void members(Members& m, HttpResponse& response) {
  m.usual("status", response.status, ResponseStatus{});
  m.usual("headers", response.headers, Headers{});
  m.usual("body", response.body, Bytes{});
}

void members(Members& m, FaultRule& rule) {
  requestMembers(m, rule);
  m.usual("times", rule.times, Times{});
  effectMembers(m, rule);
  m.usual("after_ms", rule.after, Milliseconds{});
  m.nullable("period_ms", rule.period, Milliseconds{});
}

void timelessMembers(Members& m, FaultRule& rule) {
  requestMembers(m, rule);
  effectMembers(m, rule);
}

void members(Members& m, LimitOverride& setting) {
  m.required("limit", setting.limit);
  m.optional("value", setting.value);
  m.optional("livemode", setting.livemode);
  m.optional("operation", setting.operation);
  m.optional("country", setting.country);
  m.optional("industry", setting.industry);
}

}  // namespace tally::fake::detail
