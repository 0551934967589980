#include "control/control_operations.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>

#include <tally/fake/saved_service.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>

#include "control/described_api.h"
#include "format/control_json.h"
#include "format/script_json.h"
#include "service/log_recording.h"
#include "tables/parsed_number.h"
#include "tenants/insertion.h"
#include "time/rfc3339.h"

namespace tally::fake::detail {

namespace json = boost::json;

namespace {

/// A query parameter; empty if it is absent.
std::string textIn(const ControlCall& call, std::string_view name) {
  const auto found = std::ranges::find(call.query, name, &SentParam::name);
  return found == call.query.end() ? "" : found->value;
}

}  // namespace

std::optional<bool> flagIn(const ControlCall& call, std::string_view name) {
  const std::string given = textIn(call, name);
  if (!given.empty() && given != "true" && given != "false")
    throw BadInput{std::string{name} + ": expected true or false"};
  return given.empty() ? std::nullopt : std::optional{given == "true"};
}

std::optional<std::uint64_t> numberIn(const ControlCall& call, std::string_view name, std::uint64_t least) {
  const auto found = std::ranges::find(call.query, name, &SentParam::name);
  if (found == call.query.end()) return std::nullopt;
  const auto number = parsedNumber<std::uint64_t>(found->value);
  if (!number || *number < least)
    throw BadInput{std::string{name} + ": expected a number of at least " + std::to_string(least)};
  return number;
}

namespace {

/// What operations without a result respond.
template <void (*act)(ControlCall& call)>
json::value withoutResult(ControlCall& call) {
  act(call);
  return json::object{};
}

std::size_t limitIn(const ControlCall& call, std::size_t usual, std::size_t most) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(numberIn(call, "limit", 1).value_or(usual), most));
}

std::uint64_t numberOf(const ControlCall& call, const char* what) {
  if (const auto number = parsedNumber<std::uint64_t>(call.id)) return *number;
  throw BadInput{std::string{"unknown "} + what + " '" + call.id + "'"};
}

json::value clockOf(ControlCall& call) {
  const auto clock = call.service().clock();
  return {{"now", tally::detail::toText(clock->now())},
          {"frozen", clock->frozen()},
          {"running", clock->running()}};
}

/// What operations that set the clock respond.
template <void (*act)(ControlCall& call)>
json::value withClock(ControlCall& call) {
  act(call);
  return clockOf(call);
}

json::value addAccount(ControlCall& call) {
  const TenantOptions options = readTenantOptions(call.input);
  call.input.finish();
  return toJson(call.host.add(options)->account);
}

json::value listAccounts(ControlCall& call) {
  return {{"accounts", allToJson(call.host.accounts())}};
}

json::value showAccount(ControlCall& call) {
  const Account account = call.service().accounts().get(call.id);
  call.host.know(account, call.owner.tenant);
  return toJson(account);
}

json::value addAccountBeside(ControlCall& call) {
  return toJson(call.host.addBeside(call.owner.tenant, readMembers<AccountOptions>(call.input)));
}

json::value forkAccount(ControlCall& call) {
  call.input.finish();
  return toJson(call.host.fork(*call.owner.tenant, call.owner.account)->account);
}

void removeAccount(ControlCall& call) {
  call.host.remove(call.owner.tenant, call.id);
}

void connectAccount(ControlCall& call) {
  const std::string account = call.input.required(call.input.text("account"), "account");
  call.input.finish();
  call.service().connections().connect({.id = call.owner.account}, {.id = account});
}

json::value addToken(ControlCall& call) {
  const auto connected = call.input.text("connected_account");
  call.input.finish();
  return {{"token", call.host.addToken(call.owner, connected)}};
}

json::value showState(ControlCall& call) {
  const auto state = call.service().objects().stateOf(call.key, call.id);
  return {{"state", state ? json::value(*state) : json::value(nullptr)}};
}

/// The object itself is sent as it is stored.
Reply showObject(ControlCall& call) {
  const auto object = call.service().objects().get(call.key, call.id);
  if (!object) throw BadInput{"unknown object '" + call.id + "' in this account and mode"};
  std::string shown = json::serialize(toJson(*object));
  shown.pop_back();
  return responseWith(jsonType, shown + R"(,"object":)" + object->json + '}');
}

json::value listObjects(ControlCall& call) {
  constexpr std::size_t usual = 100;
  const ObjectList list =
      call.service().objects().list(call.key, {.resource = textIn(call, "resource"),
                                               .state = textIn(call, "state"),
                                               .text = textIn(call, "text"),
                                               .limit = limitIn(call, usual, mostRecords)});
  return {
      {"objects", allToJson(list.objects)}, {"has_more", list.hasMore}, {"counts", allToJson(list.counts)}};
}

json::value insertRecords(ControlCall& call) {
  const Insertion insertion = readInsertion(call.input);
  call.input.finish();
  const auto stopped = [&] { return call.stop.stop_requested(); };
  return {{"ids", json::value_from(insert(call.service(), call.key, insertion, stopped))}};
}

void setClock(ControlCall& call) {
  const Instant time = call.input.required(call.input.time("now"), "now");
  call.input.finish();
  const auto clock = call.service().clock();
  try {
    clock->advanceTo(time);
  } catch (const std::invalid_argument&) {
    throw BadInput{
        "now: the clock can't be set back; it shows " + tally::detail::toText(clock->now()) +
        ". To return to an earlier time, use POST /_fake/snapshots/{snapshot}/restore or POST /_fake/reset"};
  }
}

void advanceClock(ControlCall& call) {
  const auto duration = call.input.required(call.input.milliseconds("milliseconds"), "milliseconds");
  call.input.finish();
  call.service().clock()->advance(duration);
}

void freezeClock(ControlCall& call) {
  call.input.finish();
  call.service().clock()->freeze();
}

void thawClock(ControlCall& call) {
  call.input.finish();
  call.service().clock()->thaw();
}

json::value lockObject(ControlCall& call) {
  const std::string object = call.input.required(call.input.text("object"), "object");
  const auto duration = call.input.milliseconds("milliseconds");
  call.input.finish();
  return {{"hold", call.owner.tenant->keep(call.service().holds().lockObject(call.key, object, duration))}};
}

json::value holdConcurrency(ControlCall& call) {
  const std::string operation = call.input.text("operation").value_or("");
  const std::int64_t units = call.input.integer("units", 1).value_or(1);
  call.input.finish();
  return {
      {"hold", call.owner.tenant->keep(call.service().holds().takeConcurrency(call.key, operation, units))}};
}

json::value listHolds(ControlCall& call) {
  const auto holdToJson = [](const auto& hold) { return toJson(hold.first, hold.second); };
  return {{"holds", arrayOf(call.owner.tenant->held(), holdToJson)}};
}

void releaseHold(ControlCall& call) {
  if (!call.owner.tenant->release(numberOf(call, "hold"))) throw BadInput{"unknown hold '" + call.id + "'"};
}

json::value addFault(ControlCall& call) {
  return {{"id", call.service().faults().inject(readMembers<FaultRule>(call.input))}};
}

json::value listFaults(ControlCall& call) {
  return {{"faults", allToJson(call.service().faults().list())}};
}

void removeFault(ControlCall& call) {
  if (!call.service().faults().remove(numberOf(call, "fault")))
    throw BadInput{"unknown fault '" + call.id +
                   "'; it may have been removed, or may have happened as often as its rule allows"};
}

void removeFaults(ControlCall& call) {
  call.service().faults().clear();
}

json::value playScript(ControlCall& call) {
  return {{"id", call.service().faults().play(readScript(call.input))}};
}

json::value listScripts(ControlCall& call) {
  return {{"scripts", allToJson(call.service().faults().scripts())},
          {"ready_made", allToJson(FaultScript::readyMade())}};
}

void stopScript(ControlCall& call) {
  if (!call.service().faults().stop(numberOf(call, "fault script")))
    throw BadInput{"unknown fault script '" + call.id +
                   "'; GET /_fake/fault_scripts lists those that are playing"};
}

void setLimit(ControlCall& call) {
  const auto account = call.input.text("account");
  const LimitOverride setting = readMembers<LimitOverride>(call.input);
  Limits limits = call.service().limits();
  account ? limits.set({.id = *account}, setting) : limits.set(setting);
}

void unsetLimits(ControlCall& call) {
  const std::string account = textIn(call, "account");
  const std::string limit = textIn(call, "limit");
  Limits limits = call.service().limits();
  account.empty() ? limits.reset(limit) : limits.reset({.id = account}, limit);
}

void unsetDurations(ControlCall& call) {
  call.service().durations().reset(textIn(call, "operation"));
}

void setDuration(ControlCall& call) {
  const DurationSetting setting = readMembers<DurationSetting>(call.input);
  call.service().durations().set(setting.operation, setting.duration);
}

void recordTransactions(ControlCall& call) {
  const std::int64_t count = call.input.integer("count", 1).value_or(1);
  call.input.finish();
  call.service().transactions().record(call.key, count);
}

json::value showUsage(ControlCall& call) {
  return {{"usage", allToJson(call.service().usage().list(call.key))}};
}

json::value showHistory(ControlCall& call) {
  return {{"history", allToJson(call.service().usage().history(call.key))}};
}

json::value showAllocation(ControlCall& call) {
  return {{"allocation", allToJson(call.service().usage().forecast(call.key))}};
}

std::optional<Instant> timeIn(const ControlCall& call, std::string_view name) {
  const std::string given = textIn(call, name);
  if (given.empty()) return std::nullopt;
  const auto time = tally::detail::instantOf(std::string_view{given});
  if (!time) throw BadInput{std::string{name} + ": expected a time such as 2026-01-01T00:00:00Z"};
  return time;
}

std::optional<RequestOutcome> outcomeIn(const ControlCall& call) {
  const std::string given = textIn(call, "outcome");
  return given.empty() ? std::nullopt : std::optional{outcomeNamed(given)};
}

/// The filters in the query.
RequestPattern patternIn(const ControlCall& call) {
  RequestPattern pattern{.account = textIn(call, "account"),
                         .operation = textIn(call, "operation"),
                         .object = textIn(call, "object"),
                         .text = textIn(call, "text"),
                         .call = textIn(call, "call")};
  constexpr std::uint64_t greatest = 599;
  const auto status = numberIn(call, "status", 0);
  if (status > greatest) throw BadInput{"status: expected a status, or 0 for requests without a response"};
  if (status) pattern.status = static_cast<int>(*status);
  pattern.outcome = outcomeIn(call);
  pattern.faulted = flagIn(call, "faulted");
  pattern.hasOperation = flagIn(call, "has_operation");
  pattern.from = timeIn(call, "from");
  pattern.until = timeIn(call, "until");
  return pattern;
}

/// `starting_after` is the name of the same parameter in lists of the payments API.
std::uint64_t startIn(const ControlCall& call) {
  const auto after = numberIn(call, "after", 0);
  const auto startingAfter = numberIn(call, "starting_after", 0);
  if (after && startingAfter) throw BadInput{"after: the same as starting_after; leave out one of them"};
  return after ? *after : startingAfter.value_or(0);
}

/// Requests one more entry than it shows, to determine `has_more`.
json::value listRequests(ControlCall& call) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max() - 1;
  const std::size_t limit = limitIn(call, all, all);
  const auto before = numberIn(call, "ending_before", 0);
  const std::uint64_t after = startIn(call);
  if (before && after != 0) throw BadInput{"ending_before: can't be combined with starting_after"};
  const Requests log = call.service().requests();
  std::vector<LoggedRequest> found = before ? log.latest(patternIn(call), limit + 1, *before)
                                            : log.matching(patternIn(call), after, limit + 1);
  const std::size_t shown = std::min(found.size(), limit);
  if (flagIn(call, "responses") == false)
    for (LoggedRequest& request : found)
      request.response.reset();
  const std::span listed = before ? std::span{found}.last(shown) : std::span{found}.first(shown);
  return {
      {"requests", allToJson(listed)}, {"has_more", found.size() > shown}, {"dropped", log.droppedCount()}};
}

json::value sumUpRequests(ControlCall& call) {
  constexpr std::uint64_t mostSpans = 1'000;
  const std::uint64_t spans = numberIn(call, "spans", 0).value_or(0);
  if (spans > mostSpans) throw BadInput{"spans: expected at most " + std::to_string(mostSpans)};
  const Requests log = call.service().requests();
  json::object summary = toJson(log.summary(patternIn(call), static_cast<std::size_t>(spans)));
  summary["dropped"] = log.droppedCount();
  summary["last"] = log.lastNumber();
  return summary;
}

/// The log as HAR, which may be long.
class LogStream final : public BodyStream {
 public:
  /// The arguments of LogRecording.
  template <class... Arguments>
  explicit LogStream(Arguments&&... arguments) : recording_(std::forward<Arguments>(arguments)...) {}

  void onMore(std::function<void()> /*wake*/) override {}
  [[nodiscard]] std::optional<std::string> take(Time /*now*/) override { return recording_.next(); }
  [[nodiscard]] Time nextTake() const override { return Time::min(); }

 private:
  LogRecording recording_;
};

Reply recordRequests(ControlCall& call) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  HttpResponse response = responseWith(jsonType, "");
  response.headers.push_back({"Content-Disposition", R"(attachment; filename="requests.har")"});
  return {std::move(response), std::make_shared<LogStream>(call.service().requests(), patternIn(call),
                                                           startIn(call), limitIn(call, all, all))};
}

void clearRequests(ControlCall& call) {
  call.service().requests().clear();
}

json::value verifyRequests(ControlCall& call) {
  const RequestPattern pattern = readPattern(call.input);
  const Count expected = readExpectedCount(call.input);
  const std::int64_t after = call.input.integer("after", 0).value_or(0);
  call.input.finish();
  return toJson(call.service().requests().verify(pattern, expected, static_cast<std::uint64_t>(after)));
}

Reply exportService(ControlCall& call) {
  return responseWith(jsonType, exportJson(call.service()));
}

json::value importService(ControlCall& call) {
  return {{"accounts", allToJson(call.host.import(call.input)->service.accounts().list())}};
}

void saveState(ControlCall& call) {
  call.input.finish();
  call.host.saveState();
}

json::value takeSnapshot(ControlCall& call) {
  call.input.finish();
  return {{"snapshot", call.owner.tenant->takeSnapshot()}};
}

json::value listSnapshots(ControlCall& call) {
  return {{"snapshots", json::value_from(call.owner.tenant->snapshots())}};
}

void restoreSnapshot(ControlCall& call) {
  call.input.finish();
  if (!call.owner.tenant->restore(numberOf(call, "snapshot")))
    throw BadInput{"unknown snapshot '" + call.id + "'"};
  call.host.forgetGone(*call.owner.tenant);
}

void dropSnapshot(ControlCall& call) {
  if (!call.owner.tenant->dropSnapshot(numberOf(call, "snapshot")))
    throw BadInput{"unknown snapshot '" + call.id + "'"};
  call.host.forgetGone(*call.owner.tenant);
}

void reset(ControlCall& call) {
  call.input.finish();
  call.owner.tenant->reset();
  call.host.forgetGone(*call.owner.tenant);
}

constexpr std::array allOperations{
    ControlOperation{"POST", "accounts", addAccount, false},
    ControlOperation{"GET", "accounts", listAccounts, false},
    ControlOperation{"GET", "accounts/*", showAccount},
    ControlOperation{"DELETE", "accounts/*", withoutResult<removeAccount>},
    ControlOperation{"POST", "service/accounts", addAccountBeside},
    ControlOperation{"POST", "fork", forkAccount},
    ControlOperation{"POST", "connections", withoutResult<connectAccount>},
    ControlOperation{"POST", "tokens", addToken},
    ControlOperation{"POST", "records", insertRecords},
    ControlOperation{"GET", "states/*", showState},
    ControlOperation{"GET", "objects", listObjects, true, {"resource", "state", "text", "limit"}},
    ControlOperation{.method = "GET", .path = "objects/*", .respond = showObject},
    ControlOperation{"GET", "state_machine", [](ControlCall&) { return describeStateMachines(); }, false},
    ControlOperation{"GET", "description", [](ControlCall&) { return describeApi(); }, false},
    ControlOperation{"GET", "clock", clockOf},
    ControlOperation{"POST", "clock", withClock<setClock>},
    ControlOperation{"POST", "clock/advance", withClock<advanceClock>},
    ControlOperation{"POST", "clock/freeze", withClock<freezeClock>},
    ControlOperation{"POST", "clock/thaw", withClock<thawClock>},
    ControlOperation{"POST", "locks", lockObject},
    ControlOperation{"POST", "concurrency", holdConcurrency},
    ControlOperation{"GET", "holds", listHolds},
    ControlOperation{"DELETE", "holds/*", withoutResult<releaseHold>},
    ControlOperation{"POST", "faults", addFault},
    ControlOperation{"GET", "faults", listFaults},
    ControlOperation{"DELETE", "faults", withoutResult<removeFaults>},
    ControlOperation{"DELETE", "faults/*", withoutResult<removeFault>},
    ControlOperation{"POST", "fault_scripts", playScript},
    ControlOperation{"GET", "fault_scripts", listScripts},
    ControlOperation{"DELETE", "fault_scripts/*", withoutResult<stopScript>},
    ControlOperation{"POST", "limits", withoutResult<setLimit>},
    ControlOperation{"DELETE", "limits", withoutResult<unsetLimits>, true, {"limit", "account"}},
    ControlOperation{"POST", "durations", withoutResult<setDuration>},
    ControlOperation{"DELETE", "durations", withoutResult<unsetDurations>, true, {"operation"}},
    ControlOperation{"POST", "transactions", withoutResult<recordTransactions>},
    ControlOperation{"GET", "usage", showUsage},
    ControlOperation{"GET", "usage/history", showHistory},
    ControlOperation{"GET", "allocation", showAllocation},
    ControlOperation{
        "GET",
        "requests",
        listRequests,
        true,
        {"limit", "after", "starting_after", "ending_before", "responses", "account", "operation", "object",
         "status", "text", "outcome", "faulted", "has_operation", "from", "until", "call"}},
    ControlOperation{"GET",
                     "requests/summary",
                     sumUpRequests,
                     true,
                     {"spans", "account", "operation", "object", "status", "text", "outcome", "faulted",
                      "has_operation", "from", "until", "call"}},
    ControlOperation{"GET",
                     "requests.har",
                     nullptr,
                     true,
                     {"limit", "after", "starting_after", "account", "operation", "object", "status", "text",
                      "outcome", "faulted", "has_operation", "from", "until", "call"},
                     recordRequests},
    ControlOperation{"DELETE", "requests", withoutResult<clearRequests>},
    ControlOperation{"POST", "verify", verifyRequests},
    ControlOperation{"POST", "snapshots", takeSnapshot},
    ControlOperation{"GET", "snapshots", listSnapshots},
    ControlOperation{"POST", "snapshots/*/restore", withClock<restoreSnapshot>},
    ControlOperation{"DELETE", "snapshots/*", withoutResult<dropSnapshot>},
    ControlOperation{"POST", "reset", withClock<reset>},
    ControlOperation{.method = "GET", .path = "export", .respond = exportService},
    ControlOperation{"POST", "import", importService, false},
    ControlOperation{"POST", "state/save", withoutResult<saveState>, false}};

}  // namespace

std::span<const ControlOperation> controlTable() {
  return allOperations;
}

}  // namespace tally::fake::detail
