#include "control.h"

#include <array>
#include <charconv>
#include <exception>
#include <optional>
#include <string>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "control_forms.h"
#include "errors.h"
#include "refusal.h"
#include "request_head.h"

namespace tally::fake::detail {

namespace json = boost::json;

namespace {

constexpr std::string_view prefix = "/_fake/";

/// An operation that was asked for, with what it is given.
struct Call {
  Host& host;
  Tenant* tenant;     // null for operations that are about no account
  std::string key{};  // of the request
  std::string id{};   // the segment of the path that stands for `*`
  JsonInput input;
};

json::object done() {
  return {};
}

std::uint64_t numberOf(const Call& call, const char* what) {
  std::uint64_t value = 0;
  const char* end = call.id.data() + call.id.size();
  if (std::from_chars(call.id.data(), end, value).ptr != end || call.id.empty())
    throw BadInput{std::string{"there is no "} + what + " '" + call.id + "'"};
  return value;
}

json::value clockOf(const Tenant& tenant) {
  const auto clock = tenant.service.clock();
  return {{"now", toText(clock->now())}, {"frozen", clock->frozen()}, {"running", clock->running()}};
}

json::value addAccount(Call& call) {
  const AccountOptions options = readAccountOptions(call.input);
  call.input.finish();
  return toJson(call.host.add(options).account);
}

json::value listAccounts(Call& call) {
  json::array accounts;
  for (const Account& account : call.host.accounts())
    accounts.push_back(toJson(account));
  return {{"accounts", std::move(accounts)}};
}

json::value showAccount(Call& call) {
  const Account account = call.tenant->service.account(call.id);
  call.host.know(account, *call.tenant);
  return toJson(account);
}

json::value seedRecords(Call& call) {
  const Seeding seeding = readSeeding(call.input);
  call.input.finish();
  return {{"ids", seed(call.tenant->service, call.key, seeding)}};
}

json::value showClock(Call& call) {
  return clockOf(*call.tenant);
}

json::value advanceClock(Call& call) {
  const auto duration = call.input.milliseconds("milliseconds");
  if (!duration) call.input.fail("milliseconds", "is required");
  call.input.finish();
  call.tenant->service.clock()->advance(*duration);
  return clockOf(*call.tenant);
}

json::value freezeClock(Call& call) {
  call.tenant->service.clock()->freeze();
  return clockOf(*call.tenant);
}

json::value thawClock(Call& call) {
  call.tenant->service.clock()->thaw();
  return clockOf(*call.tenant);
}

json::value lockObject(Call& call) {
  const std::string object = call.input.required(call.input.text("object"), "object");
  const auto duration = call.input.milliseconds("milliseconds");
  call.input.finish();
  return {{"hold", call.tenant->keep(call.tenant->service.lockObject(call.key, object, duration))}};
}

json::value occupyPlaces(Call& call) {
  const std::string operation = call.input.text("operation").value_or("");
  const std::int64_t places = call.input.integer("places").value_or(1);
  call.input.finish();
  return {{"hold", call.tenant->keep(call.tenant->service.occupy(call.key, operation, places))}};
}

json::value releaseHold(Call& call) {
  if (!call.tenant->release(numberOf(call, "hold"))) throw BadInput{"there is no hold '" + call.id + "'"};
  return done();
}

json::value addFault(Call& call) {
  call.tenant->service.script(readScript(call.input));
  return done();
}

json::value listFaults(Call& call) {
  json::array faults;
  for (const Script& script : call.tenant->service.unfiredScripts())
    faults.push_back(toJson(script));
  return {{"faults", std::move(faults)}};
}

json::value setLimit(Call& call) {
  call.tenant->service.setLimit(readLimit(call.input));
  return done();
}

json::value setDuration(Call& call) {
  const std::string operation = call.input.required(call.input.text("operation"), "operation");
  const auto duration = call.input.milliseconds("milliseconds");
  if (!duration) call.input.fail("milliseconds", "is required");
  call.input.finish();
  call.tenant->service.setDuration(operation, *duration);
  return done();
}

json::value recordTransactions(Call& call) {
  const std::int64_t count = call.input.integer("count").value_or(1);
  call.input.finish();
  call.tenant->service.recordTransactions(call.key, count);
  return done();
}

json::value showUsage(Call& call) {
  json::array lines;
  for (const LimitUsage& usage : call.tenant->service.usage(call.tenant->account))
    lines.push_back(toJson(usage));
  return {{"usage", std::move(lines)}};
}

json::value listRequests(Call& call) {
  json::array requests;
  for (const LoggedRequest& request : call.tenant->service.requests())
    requests.push_back(toJson(request));
  return {{"requests", std::move(requests)}};
}

json::value takeSnapshot(Call& call) {
  return {{"snapshot", call.tenant->takeSnapshot()}};
}

json::value restoreSnapshot(Call& call) {
  if (!call.tenant->restore(numberOf(call, "snapshot")))
    throw BadInput{"there is no snapshot '" + call.id + "'"};
  return clockOf(*call.tenant);
}

json::value reset(Call& call) {
  call.tenant->reset();
  return clockOf(*call.tenant);
}

struct ControlOperation {
  std::string_view method;
  std::string_view path;  // after the prefix; `*` stands for one segment
  json::value (*carryOut)(Call& call);
  bool aboutAccount = true;
};

constexpr std::array operations{ControlOperation{"POST", "accounts", addAccount, false},
                                ControlOperation{"GET", "accounts", listAccounts, false},
                                ControlOperation{"GET", "accounts/*", showAccount},
                                ControlOperation{"POST", "records", seedRecords},
                                ControlOperation{"GET", "clock", showClock},
                                ControlOperation{"POST", "clock/advance", advanceClock},
                                ControlOperation{"POST", "clock/freeze", freezeClock},
                                ControlOperation{"POST", "clock/thaw", thawClock},
                                ControlOperation{"POST", "locks", lockObject},
                                ControlOperation{"POST", "places", occupyPlaces},
                                ControlOperation{"DELETE", "holds/*", releaseHold},
                                ControlOperation{"POST", "faults", addFault},
                                ControlOperation{"GET", "faults", listFaults},
                                ControlOperation{"POST", "limits", setLimit},
                                ControlOperation{"POST", "durations", setDuration},
                                ControlOperation{"POST", "transactions", recordTransactions},
                                ControlOperation{"GET", "usage", showUsage},
                                ControlOperation{"GET", "requests", listRequests},
                                ControlOperation{"POST", "snapshots", takeSnapshot},
                                ControlOperation{"POST", "snapshots/*/restore", restoreSnapshot},
                                ControlOperation{"POST", "reset", reset}};

/// Nothing where the path is another; what stands for `*`, if it is this one.
std::optional<std::string_view> match(std::string_view pattern, std::string_view path) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos)
    return pattern == path ? std::optional{std::string_view{}} : std::nullopt;
  const std::string_view before = pattern.substr(0, star);
  const std::string_view after = pattern.substr(star + 1);
  if (path.size() <= before.size() + after.size() || !path.starts_with(before) || !path.ends_with(after))
    return std::nullopt;
  const std::string_view id = path.substr(before.size(), path.size() - before.size() - after.size());
  return id.find('/') == std::string_view::npos ? std::optional{id} : std::nullopt;
}

HttpResponse answerOf(int status, const std::string& body) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = body};
}

HttpResponse refused(const Refusal& refusal) {
  return answerOf(refusal.answer->status, errorBody(refusal));
}

std::optional<std::string> keyIn(const HttpRequest& request) {
  const RequestHead head = headOf(request);
  return head.authorization == nullptr ? std::nullopt : keyOf(*head.authorization);
}

HttpResponse carryOut(const ControlOperation& operation, Host& host, const HttpRequest& request,
                      std::string_view id) {
  const std::optional<std::string> key = keyIn(request);
  Tenant* tenant = key ? host.find(*key) : nullptr;
  if (operation.aboutAccount && !key) return refused({.answer = &errors::keyMissing});
  if (operation.aboutAccount && tenant == nullptr) return refused({.answer = &errors::keyUnknown});
  try {
    const json::value body = request.body.empty() ? json::value(json::object{}) : parseInput(request.body);
    Call call{.host = host,
              .tenant = tenant,
              .key = key.value_or(""),
              .id = std::string{id},
              .input = JsonInput{body}};
    return answerOf(200, json::serialize(operation.carryOut(call)));
  } catch (const std::invalid_argument& problem) {
    return refused(unreadable(problem.what()));
  } catch (const std::exception& problem) {
    return refused({.answer = &errors::apiError, .detail = problem.what()});
  }
}

}  // namespace

std::vector<std::string> controlOperations() {
  std::vector<std::string> all;
  for (const ControlOperation& operation : operations)
    all.push_back(std::string{operation.method} + ' ' + std::string{prefix} + std::string{operation.path});
  return all;
}

bool Control::mayBlock(const HttpRequest& request) const {
  return !targetOf(request.url).path.starts_with(prefix) && host_.mayBlock(request);
}

Reply Control::reply(const Incoming& incoming, const std::stop_token& stop) {
  if (!targetOf(incoming.request.url).path.starts_with(prefix)) return host_.reply(incoming, stop);
  return {.result = answer(incoming)};
}

HttpResponse Control::answer(const Incoming& incoming) {
  const HttpRequest& request = incoming.request;
  const std::string_view path = targetOf(request.url).path;
  const std::string method =
      incoming.otherMethod.empty() ? std::string{toString(request.method)} : incoming.otherMethod;
  bool known = false;
  for (const ControlOperation& operation : operations) {
    const auto id = match(operation.path, path.substr(prefix.size()));
    if (!id) continue;
    known = true;
    if (operation.method == method) return carryOut(operation, host_, request, *id);
  }
  return refused({.answer = known ? &errors::methodNotAllowed : &errors::pathUnknown,
                  .value = method + ' ' + std::string{path}});
}

}  // namespace tally::fake::detail
