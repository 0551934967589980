#include "control_json.h"

#include <algorithm>
#include <array>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

namespace tally::fake::detail {

namespace json = boost::json;

namespace {

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
                        .body = given->text("body").value_or("")};
  given->finish();
  return response;
}

json::object headersToJson(const std::vector<Header>& headers) {
  json::object written;
  for (const Header& header : headers)
    written[header.name] = header.value;
  return written;
}

// Braces would turn a json::value within a json::value into an array of one.
json::value orNull(const std::optional<std::int64_t>& number) {
  return number ? json::value(*number) : json::value(nullptr);
}

json::value orNull(const std::string& text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

}  // namespace

AccountOptions readAccountOptions(JsonInput& input) {
  AccountOptions options;
  options.country = input.text("country").value_or(options.country);
  options.industry = input.text("industry").value_or(options.industry);
  return options;
}

TenantOptions readTenantOptions(JsonInput& input) {
  TenantOptions options{.account = readAccountOptions(input),
                        .virtualClock = input.boolean("virtual_clock"),
                        .duration = input.milliseconds("duration_ms"),
                        .lockWait = input.milliseconds("lock_wait_ms"),
                        .requestLog = input.integer("request_log")};
  if (options.requestLog && (*options.requestLog < 0 || *options.requestLog > longestRequestLog))
    input.fail("request_log", "expected a number from 0 to " + std::to_string(longestRequestLog));
  if (const auto none = input.boolean("no_limits")) options.limits = !*none;
  if (const auto lag = input.milliseconds("search_lag_ms")) {
    options.searchLag = std::chrono::floor<std::chrono::seconds>(*lag);
    if (*options.searchLag != *lag) input.fail("search_lag_ms", "expected whole seconds");
  }
  return options;
}

FaultRule readFaultRule(JsonInput& input) {
  constexpr std::int64_t most = 1'000'000'000;
  const std::int64_t times = input.integer("times").value_or(1);
  if (times < 1 || times > most) input.fail("times", "expected a number from 1 to " + std::to_string(most));
  FaultRule rule{.operation = input.text("operation").value_or(""),
                 .object = input.text("object").value_or(""),
                 .times = static_cast<int>(times),
                 .fault = readFault(input),
                 .error = input.text("error").value_or(""),
                 .rateLimitedReason = input.text("rate_limited_reason"),
                 .response = readResponse(input),
                 .headers = input.headers("headers"),
                 .latency = input.milliseconds("latency_ms").value_or(std::chrono::milliseconds{0})};
  input.finish();
  return rule;
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

std::int64_t readCount(JsonInput& input) {
  constexpr std::int64_t most = mostRecords;
  const std::int64_t count = input.integer("count").value_or(1);
  if (count < 1 || count > most) input.fail("count", "expected a number from 1 to " + std::to_string(most));
  return count;
}

Insertion readInsertion(JsonInput& input) {
  Insertion insertion{.resource = input.required(input.text("resource"), "resource"),
                      .count = readCount(input),
                      .state = input.text("state").value_or("")};
  if (const auto fields = input.object("fields")) insertion.fields = fields->json();
  return insertion;
}

json::array insert(Service& service, std::string_view key, const Insertion& insertion,
                   const std::function<bool()>& stopped) {
  json::array ids;
  for (std::int64_t i = 0; i < insertion.count && !stopped(); ++i)
    ids.push_back(
        json::parse(service.insert(key, insertion.resource, insertion.fields, insertion.state)).at("id"));
  return ids;
}

json::value toJson(const Account& account) {
  return {{"id", account.id}, {"live_key", account.liveKey}, {"sandbox_key", account.sandboxKey}};
}

json::value toJson(const FaultRule& rule) {
  json::object written{{"operation", orNull(rule.operation)},
                       {"object", orNull(rule.object)},
                       {"times", rule.times},
                       {"fault", nameOf(rule.fault)},
                       {"error", orNull(rule.error)}};
  if (rule.rateLimitedReason) written["rate_limited_reason"] = *rule.rateLimitedReason;
  if (rule.response)
    written["response"] = {{"status", rule.response->status},
                           {"headers", headersToJson(rule.response->headers)},
                           {"body", rule.response->body}};
  written["headers"] = headersToJson(rule.headers);
  written["latency_ms"] = std::chrono::floor<std::chrono::milliseconds>(rule.latency).count();
  return written;
}

json::value toJson(const LimitUsage& usage) {
  return {
      {"limit", usage.limit},
      {"livemode", usage.livemode},
      {"operation", orNull(usage.operation)},
      {"object", orNull(usage.object)},
      {"used", usage.used},
      {"allowed", orNull(usage.allowed)},
      {"remaining", orNull(usage.remaining)},
      {"available_at", usage.availableAt ? json::value(toText(*usage.availableAt)) : json::value(nullptr)}};
}

json::value toJson(const LoggedRequest& request) {
  return {{"number", request.number},
          {"time", toText(request.time)},
          {"responded_at", toText(request.respondedAt)},
          {"account", orNull(request.account)},
          {"livemode", request.livemode},
          {"operation", orNull(request.operation)},
          {"object", orNull(request.object)},
          {"method", request.method},
          {"url", request.request.url},
          {"body", request.request.body},
          {"status", request.status},
          {"request_id", orNull(request.requestId)},
          {"error_code", orNull(request.errorCode)},
          {"limit", orNull(request.limit)},
          {"processed", request.processed},
          {"fault", nameOf(request.fault)}};
}

}  // namespace tally::fake::detail
