#include "saved_service.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/fake/saved_service.h>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "accounts/account_limits.h"
#include "codec/json_reader.h"
#include "control_json.h"
#include "engine/service_state.h"
#include "faults/longest_duration.h"
#include "objects/inserted_object.h"
#include "objects/objects.h"
#include "time_text.h"

namespace tally::fake::detail {

namespace json = boost::json;

using tally::detail::AnyObject;
using tally::detail::ObjectRef;

namespace {

using std::chrono::nanoseconds;

constexpr std::string_view serviceFormat = "tally-fake service";
constexpr std::int64_t serviceVersion = 1;

/// The durations of a fault rule. They are saved beside it, since its own JSON has whole milliseconds.
constexpr std::array<std::pair<std::string_view, nanoseconds FaultRule::*>, 4> ruleDurations{
    {{"latency", &FaultRule::latency},
     {"latency_up_to", &FaultRule::latencyUpTo},
     {"pause", &FaultRule::pause},
     {"after", &FaultRule::after}}};

/// The name of a mode in saved JSON.
std::string_view modeName(bool livemode) {
  return livemode ? "live" : "sandbox";
}

/// JSON input has no larger integers.
std::uint64_t savedSize(std::size_t size) {
  return std::min<std::uint64_t>(size, std::numeric_limits<std::int64_t>::max());
}

std::string_view nameOf(const AnyOperation* operation) {
  return operation == nullptr ? std::string_view{} : std::string_view{operation->name};
}

// Writing. Objects are appended as they are, since parsing them first would take long.

void nameMember(std::string& out, std::string_view name) {
  if (out.back() != '{') out += ',';
  out += '"';
  out += name;
  out += "\":";
}

void addMember(std::string& out, std::string_view name, const json::value& value) {
  nameMember(out, name);
  out += json::serialize(value);
}

void addMember(std::string& out, std::string_view name, std::string_view text) {
  addMember(out, name, json::value(text));
}

template <class Elements, class Write>
void addList(std::string& out, std::string_view name, const Elements& elements, const Write& write) {
  nameMember(out, name);
  out += '[';
  for (const auto& element : elements) {
    if (out.back() != '[') out += ',';
    write(element);
  }
  out += ']';
}

template <class Write>
void addObject(std::string& out, std::string_view name, const Write& write) {
  nameMember(out, name);
  out += '{';
  write();
  out += '}';
}

json::object toJson(const LimitOverride& setting) {
  json::object written{{"limit", setting.limit}};
  if (setting.value) written["value"] = *setting.value;
  if (setting.livemode) written["livemode"] = *setting.livemode;
  if (!setting.operation.empty()) written["operation"] = setting.operation;
  if (!setting.country.empty()) written["country"] = setting.country;
  if (!setting.industry.empty()) written["industry"] = setting.industry;
  return written;
}

json::array toJson(const std::vector<LimitOverride>& settings) {
  json::array written;
  for (const LimitOverride& setting : settings)
    written.push_back(toJson(setting));
  return written;
}

json::array toJson(const std::vector<SlidingWindow::Run>& runs) {
  json::array written;
  for (const auto& [time, count] : runs)
    written.push_back({{"time", toText(time)}, {"count", count}});
  return written;
}

class ServiceWriter {
 public:
  ServiceWriter(const Engine& engine, const ServiceState& state, const VirtualClock::Reading& clock)
      : engine_(engine), catalog_(engine.catalog()), state_(state), clock_(clock) {}

  std::string write() {
    out_ += '{';
    addMember(out_, "format", serviceFormat);
    addMember(out_, "version", serviceVersion);
    addMember(out_, "options", options());
    addMember(out_, "clock", clock());
    addMember(out_, "generators", generators());
    addMember(out_, "limits", toJson(state_.settings));
    addMember(out_, "durations", durations());
    addMember(out_, "faults", faults());
    addList(out_, "accounts", state_.accounts.all(), [&](const auto& entry) { addAccount(*entry.second); });
    addList(out_, "tokens", state_.accounts.tokens(), [&](const auto& token) { addToken(token); });
    out_ += '}';
    return std::move(out_);
  }

 private:
  json::value options() const {
    const ServiceOptions& options = engine_.options();
    return {{"seed", std::to_string(options.seed)},
            {"search_lag_s", options.searchLag.count()},
            {"duration_ns", options.duration.count()},
            {"lock_wait_ns", options.lockWait.count()},
            {"limits", options.limits},
            {"request_log", savedSize(options.requestLog)},
            {"request_log_bytes", savedSize(options.requestLogBytes)}};
  }

  json::value clock() const {
    return {{"now", toText(clock_.time)}, {"frozen", clock_.frozen}, {"running", clock_.running}};
  }

  json::value generators() const {
    const auto position = [](const IdGenerator& ids) { return std::to_string(ids.position()); };
    return {
        {"accounts", position(state_.accounts.ids())}, {"objects", position(state_.objectIds)},
        {"requests", position(state_.requestIds)},     {"jitter", position(state_.jitterSeeds)},
        {"faults", position(state_.rules.seeds())},    {"last_fault", std::to_string(state_.rules.lastId())},
        {"forks", std::to_string(engine_.branches())}};
  }

  json::array durations() const {
    std::map<std::string_view, nanoseconds> byName;
    for (const auto& [operation, duration] : state_.durations)
      byName.emplace(operation->name, duration);
    json::array written;
    for (const auto& [name, duration] : byName)
      written.push_back({{"operation", name}, {"nanoseconds", duration.count()}});
    return written;
  }

  static json::object exactDurations(const FaultRule& rule) {
    json::object written;
    for (const auto& [name, duration] : ruleDurations)
      written[name] = (rule.*duration).count();
    if (rule.period) written["period"] = rule.period->count();
    return written;
  }

  json::array faults() const {
    json::array written;
    for (const FaultRules::Armed& armed : state_.rules.armed()) {
      json::object fault{{"id", std::to_string(armed.fault.id)},
                         {"hits", armed.fault.hits},
                         {"passed", armed.passed},
                         {"random", std::to_string(armed.random)},
                         {"rule", detail::toJson(armed.fault.rule)},
                         {"nanoseconds", exactDurations(armed.fault.rule)}};
      if (armed.fault.from != Instant::min()) fault["from"] = toText(armed.fault.from);
      if (armed.fault.until != Instant::max()) fault["until"] = toText(armed.fault.until);
      written.push_back(std::move(fault));
    }
    return written;
  }

  void addToken(const Accounts::Token& token) {
    json::object written{{"token", token.text}, {"account", token.account}, {"livemode", token.livemode}};
    if (token.connected) written["connected_account"] = *token.connected;
    out_ += json::serialize(written);
  }

  void addAccount(const AccountState& account) {
    out_ += '{';
    addMember(out_, "id", account.account.id);
    addMember(out_, "live_key", account.account.liveKey);
    addMember(out_, "sandbox_key", account.account.sandboxKey);
    addMember(out_, "country", account.options.country);
    addMember(out_, "industry", account.options.industry);
    if (account.adopted) addMember(out_, "adopted", true);
    addMember(out_, "limits", toJson(account.settings));
    for (const bool livemode : {false, true})
      addObject(out_, modeName(livemode), [&] { addMode(account.modes[livemode ? 1 : 0]); });
    out_ += '}';
  }

  void addMode(const ModeState& mode) {
    addList(out_, "connected", mode.connected, [&](std::size_t number) {
      out_ += json::serialize(json::object{{"account", state_.accounts.at(number)->account.id}});
    });
    addObject(out_, "objects", [&] { addObjects(mode); });
    addList(out_, "events", mode.counters.events(clock_.time),
            [&](const auto& events) { addEvents(events); });
    addMember(out_, "reads", toJson(mode.reads.own.runs(clock_.time)));
    addMember(out_, "reads_on_behalf", toJson(mode.reads.onBehalf.runs(clock_.time)));
    addMember(out_, "transactions", toJson(mode.reads.transactions.runs(clock_.time)));
  }

  void addObjects(const ModeState& mode) {
    for (std::size_t i = 0; i < mode.collections.size(); ++i) {
      const Collection& collection = mode.collections[i];
      const ResourceType& type = catalog_.types()[i];
      if (collection.size() == 0) continue;
      nameMember(out_, type.resource().name);
      out_ += '[';
      for (std::size_t sequence = 0; sequence < collection.size(); ++sequence) {
        if (sequence != 0) out_ += ',';
        addRecord(type, collection.at(Position{.sequence = sequence}));
      }
      out_ += ']';
    }
  }

  void addRecord(const ResourceType& type, const Record& record) {
    out_ += R"({"stored":")" + toText(record.stored()) + '"';
    const auto states = type.machine().states;
    if (!states.empty()) addMember(out_, "state", states[record.state()]);
    nameMember(out_, "object");
    out_ += record.json();
    out_ += '}';
  }

  void addEvents(const LimitCounters::CountedEvents& events) {
    const Slot& slot = catalog_.plan().slots()[events.slot];
    json::object written{{"limit", slot.limit->name}};
    if (slot.operation != nullptr) written["operation"] = slot.operation->name;
    if (slot.limit->scope == LimitScope::object) written["object"] = events.object;
    written["times"] = toJson(events.runs);
    out_ += json::serialize(written);
  }

  const Engine& engine_;
  const Catalog& catalog_;
  const ServiceState& state_;
  VirtualClock::Reading clock_;
  std::string out_{};
};

// Reading.

nanoseconds readNanoseconds(JsonInput& input, std::string_view name) {
  const std::int64_t count = input.required(input.integer(name), name);
  if (count < 0 || count > nanoseconds{longestDuration}.count())
    input.fail(name, "expected a number of nanoseconds from 0 to 100 years");
  return nanoseconds{count};
}

ServiceOptions readOptions(JsonInput input) {
  ServiceOptions options{
      .seed = input.required(input.bits("seed"), "seed"),
      .searchLag = std::chrono::seconds{input.required(input.integer("search_lag_s"), "search_lag_s")},
      .duration = readNanoseconds(input, "duration_ns"),
      .lockWait = readNanoseconds(input, "lock_wait_ns"),
      .limits = input.required(input.boolean("limits"), "limits")};
  options.requestLog =
      static_cast<std::size_t>(input.required(input.integer("request_log", 0), "request_log"));
  if (const auto bytes = input.integer("request_log_bytes", 0))
    options.requestLogBytes = static_cast<std::size_t>(*bytes);
  input.finish();
  return options;
}

VirtualClock::Reading readClock(JsonInput input) {
  const VirtualClock::Reading reading{.time = input.required(input.time("now"), "now"),
                                      .frozen = input.required(input.boolean("frozen"), "frozen"),
                                      .running = input.required(input.boolean("running"), "running")};
  input.finish();
  return reading;
}

class ServiceReader {
 public:
  ServiceReader(Engine& engine, const VirtualClock::Reading& clock)
      : engine_(engine), catalog_(engine.catalog()), clock_(clock) {}

  [[nodiscard]] Snapshot read(JsonInput& input) {
    readGenerators(input.required(input.object("generators"), "generators"));
    readLimits(input, state_->settings);
    for (JsonInput& part : input.objects("durations"))
      readOperationDuration(part);
    for (JsonInput& part : input.objects("faults"))
      at(part, [&] { state_->rules.resume(readFault(part)); });
    std::vector<JsonInput> accounts = input.objects("accounts");
    for (JsonInput& part : accounts)
      at(part, [&] { readAccount(part); });
    for (JsonInput& part : accounts)  // accounts may be connected with later ones
      readModes(part);
    for (JsonInput& part : input.objects("tokens"))
      at(part, [&] { readToken(part); });
    input.finish();
    return {std::move(state_), clock_};
  }

 private:
  /// The limits, and the objects, whose events were read.
  using Counted = std::set<std::pair<const Slot*, std::string>>;

  void readGenerators(JsonInput input) {
    const auto position = [&](std::string_view name) { return input.required(input.bits(name), name); };
    state_->accounts.ids().continueAt(position("accounts"));
    state_->objectIds.continueAt(position("objects"));
    state_->requestIds.continueAt(position("requests"));
    state_->jitterSeeds.continueAt(position("jitter"));
    state_->rules.continueAt(position("last_fault"), position("faults"));
    engine_.continueBranches(position("forks"));
    input.finish();
  }

  void readLimits(JsonInput& input, std::vector<LimitOverride>& settings) const {
    for (JsonInput& part : input.objects("limits"))
      at(part, [&] {
        const LimitOverride setting = readLimit(part);
        catalog_.plan().check(setting);
        addOverride(setting, settings);
      });
  }

  static int readCount(JsonInput& input, std::string_view name) {
    return static_cast<int>(input.required(input.integer(name, 0, std::numeric_limits<int>::max()), name));
  }

  static FaultRules::Armed readFault(JsonInput& input) {
    FaultRules::Armed armed{.fault = {.id = input.required(input.bits("id"), "id"),
                                      .hits = readCount(input, "hits"),
                                      .from = input.time("from").value_or(Instant::min()),
                                      .until = input.time("until").value_or(Instant::max())},
                            .passed = readCount(input, "passed"),
                            .random = input.required(input.bits("random"), "random")};
    JsonInput rule = input.required(input.object("rule"), "rule");
    at(rule, [&] { armed.fault.rule = readFaultRule(rule); });
    if (auto durations = input.object("nanoseconds"))
      at(*durations, [&] { readExactDurations(*durations, armed.fault.rule); });
    input.finish();
    return armed;
  }

  /// A file of an earlier version has only those in the rule.
  static void readExactDurations(JsonInput& input, FaultRule& rule) {
    for (const auto& [name, duration] : ruleDurations)
      rule.*duration = readNanoseconds(input, name);
    if (rule.period) rule.period = readNanoseconds(input, "period");
    input.finish();
  }

  void readOperationDuration(JsonInput& input) {
    const std::string name = input.required(input.text("operation"), "operation");
    const AnyOperation* operation = catalog_.findOperation(name);
    if (operation == nullptr) input.fail("operation", "unknown operation '" + name + "'");
    state_->durations[operation] = readNanoseconds(input, "nanoseconds");
    input.finish();
  }

  void readAccount(JsonInput& input) {
    const Account account{.id = input.required(input.text("id"), "id"),
                          .liveKey = input.required(input.text("live_key"), "live_key"),
                          .sandboxKey = input.required(input.text("sandbox_key"), "sandbox_key")};
    AccountState& added = state_->accounts.add(catalog_, account, readAccountOptions(input));
    added.adopted = input.boolean("adopted").value_or(false);
    readLimits(input, added.settings);
    applyOverrides(catalog_, state_->settings, added);
  }

  void readModes(JsonInput& input) {
    const std::string id = input.text("id").value_or("");
    for (const bool livemode : {false, true}) {
      JsonInput mode = input.required(input.object(modeName(livemode)), modeName(livemode));
      readMode(mode, id, livemode);
      mode.finish();
    }
    input.finish();
  }

  void readMode(JsonInput& input, const std::string& account, bool livemode) {
    for (JsonInput& part : input.objects("connected"))
      at(part, [&] {
        state_->accounts.connect(account, part.required(part.text("account"), "account"), livemode);
        part.finish();
      });
    ModeState& mode = state_->accounts.stateOf(account).mode(livemode);
    readObjects(input.required(input.object("objects"), "objects"), mode, livemode);
    Counted counted;
    for (JsonInput& part : input.objects("events"))
      readEvents(part, mode.counters, counted);
    readWindow(input, "reads", mode.reads.own);
    readWindow(input, "reads_on_behalf", mode.reads.onBehalf);
    readWindow(input, "transactions", mode.reads.transactions);
  }

  void readObjects(JsonInput input, ModeState& mode, bool livemode) const {
    for (std::size_t i = 0; i < mode.collections.size(); ++i) {
      const ResourceType& type = catalog_.types()[i];
      for (JsonInput& part : input.objects(type.resource().name))
        at(part, [&] { readRecord(part, type, livemode, mode.collections[i]); });
    }
    input.finish();
  }

  static void readRecord(JsonInput& input, const ResourceType& type, bool livemode, Collection& collection) {
    const Instant stored = input.required(input.time("stored"), "stored");
    std::uint8_t state = 0;
    if (!type.machine().states.empty())
      state = static_cast<std::uint8_t>(stateNamed(type, input.required(input.text("state"), "state")));
    const JsonInput given = input.required(input.object("object"), "object");
    input.finish();
    const std::string_view text = given.json().text();
    AnyObject read{type.model()};
    const ObjectRef object = read.ref();
    if (const auto problem = tally::detail::readJson(text, object)) given.fail(*problem);
    if (const auto name = repeatedName(given.json())) given.fail(*name, "given twice");
    checkFields(given, object);
    if (type.livemode(object) != livemode)
      given.fail("livemode", "expected the mode that contains the object");
    settle(type, object);
    checkStorable(type, collection, object);
    storeObject(type, collection, stored, object, encode(object, text.size()), state);
  }

  /// A null may stand for a field that is missing.
  static void checkFields(const JsonInput& given, ObjectRef object) {
    const UnknownFields* unknown = object.unknownFields();
    if (unknown == nullptr) return;
    for (const UnknownField& field : *unknown)
      if (field.value.text != "null") given.fail(field.path, "unknown field");
  }

  void readEvents(JsonInput& input, LimitCounters& counters, Counted& counted) const {
    const std::string limit = input.required(input.text("limit"), "limit");
    const std::string operation = input.text("operation").value_or("");
    const std::optional<std::string> object = input.text("object");
    const std::vector<Slot>& slots = catalog_.plan().slots();
    const auto slot = std::ranges::find_if(slots, [&](const Slot& candidate) {
      return candidate.limit->name == limit && nameOf(candidate.operation) == operation;
    });
    if (slot == slots.end() || slot->limit->metric == LimitMetric::inProgress)
      input.fail("limit",
                 "unknown limit '" + limit + "'" + (operation.empty() ? "" : " of '" + operation + "'"));
    if ((slot->limit->scope == LimitScope::object) != object.has_value())
      input.fail("object", object ? "the limit does not count for each object" : "missing");
    if (!counted.emplace(&*slot, object.value_or("")).second) input.fail("limit", "given twice");
    counters.add(catalog_.plan(), {.slot = static_cast<std::size_t>(slot - slots.begin()),
                                   .object = object ? std::string_view{*object} : std::string_view{},
                                   .runs = readRuns(input, "times")});
    input.finish();
  }

  void readWindow(JsonInput& input, std::string_view name, SlidingWindow& window) const {
    for (const auto& [time, count] : readRuns(input, name))
      window.add(time, count);
  }

  std::vector<SlidingWindow::Run> readRuns(JsonInput& input, std::string_view name) const {
    std::vector<SlidingWindow::Run> runs;
    std::int64_t left = ReadCounters::mostTransactions / 2 * 3;  // requests add some beyond the limit
    for (JsonInput& part : input.objects(name)) {
      const Instant time = part.required(part.time("time"), "time");
      const std::int64_t count = part.required(part.integer("count", 1, left), "count");
      left -= count;
      if (time > clock_.time) part.fail("time", "later than the clock");
      if (!runs.empty() && time <= runs.back().time) part.fail("time", "not later than the previous one");
      part.finish();
      runs.push_back({time, count});
    }
    return runs;
  }

  void readToken(JsonInput& input) {
    const Accounts::Token token{.text = input.required(input.text("token"), "token"),
                                .account = input.required(input.text("account"), "account"),
                                .connected = input.text("connected_account"),
                                .livemode = input.required(input.boolean("livemode"), "livemode")};
    input.finish();
    state_->accounts.add(token);
  }

  Engine& engine_;
  const Catalog& catalog_;
  VirtualClock::Reading clock_;
  std::shared_ptr<ServiceState> state_ =
      std::make_shared<ServiceState>(engine_.options(), catalog_.description());
};

}  // namespace

void checkFormat(JsonInput& input, std::string_view format, std::int64_t version) {
  const std::int64_t given = input.required(input.integer("version"), "version");
  if (given != version)
    input.fail("version", "this is version " + std::to_string(given) + "; this tally-fake reads version " +
                              std::to_string(version));
  if (input.required(input.text("format"), "format") != format)
    input.fail("format", "expected '" + std::string{format} + "'");
}

std::string SavedService::write(const Service& service) {
  const Snapshot taken = service.snapshots().take();
  return ServiceWriter{*service.engine_, *taken.state(), taken.clock()}.write();
}

Service SavedService::read(JsonInput& input) {
  checkFormat(input, serviceFormat, serviceVersion);
  JsonInput options = input.required(input.object("options"), "options");
  std::shared_ptr<Engine> engine;
  at(options, [&] { engine = Service{readOptions(options)}.engine_; });
  ServiceReader reader{*engine, readClock(input.required(input.object("clock"), "clock"))};
  Snapshots{engine}.restore(reader.read(input));
  engine->clock()->catchUp(std::chrono::system_clock::now());
  return Service{std::move(engine)};
}

}  // namespace tally::fake::detail

namespace tally::fake {

std::string exportJson(const Service& service) {
  return detail::SavedService::write(service);
}

Service importJson(std::string_view json) {
  const detail::JsonDocument parsed = detail::parseInput(json);
  detail::JsonInput input{parsed};
  return detail::SavedService::read(input);
}

}  // namespace tally::fake
