#include "tenants/saved_service.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <utility>
#include <vector>

#include <tally/fake/saved_service.h>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "accounts/account_limits.h"
#include "engine/service_state.h"
#include "format/control_json.h"
#include "format/json_array.h"
#include "format/members.h"
#include "json/json_reader.h"
#include "objects/inserted_object.h"
#include "objects/objects.h"
#include "tables/longest_duration.h"
#include "tables/schema_types.h"
#include "tenants/tenant_options.h"
#include "time/rfc3339.h"
#include "time/saturating.h"

namespace tally::fake::detail {

namespace json = boost::json;

namespace {

using std::chrono::nanoseconds;
using tally::detail::saturatingSince;

constexpr std::string_view serviceFormat = "tally-fake service";
constexpr std::int64_t serviceVersion = 1;

/// The name of a mode in saved JSON.
std::string_view modeName(bool livemode) {
  return livemode ? "live" : "sandbox";
}

std::string_view nameOf(const AnyOperation* operation) {
  return operation == nullptr ? std::string_view{} : std::string_view{operation->name};
}

/// A duration to the nanosecond.
struct Nanoseconds {
  static bool read(JsonInput& input, std::string_view name, nanoseconds& value) {
    const auto count = input.integer(name);
    if (count && (*count < 0 || *count > nanoseconds{longestDuration}.count()))
      input.fail(name, "expected a number of nanoseconds from 0 to 100 years");
    return assign(value, count);
  }
  static json::value write(nanoseconds value) { return value.count(); }
};

/// The durations of a fault rule. They are saved beside it, since its own JSON has whole milliseconds, which
/// is all that a file of an earlier version has.
struct ExactDurations {
  static void list(Members& m, FaultRule& rule) {
    m.required("latency", rule.latency, Nanoseconds{});
    m.required("latency_up_to", rule.latencyUpTo, Nanoseconds{});
    m.required("pause", rule.pause, Nanoseconds{});
    m.required("after", rule.after, Nanoseconds{});
    if (rule.period) m.required("period", rule.period, Nanoseconds{});
  }
};

/// The positions of the generators of identifiers, and the last numbers.
struct Generators {
  std::uint64_t accounts = 0;
  std::uint64_t objects = 0;
  std::uint64_t requests = 0;
  std::uint64_t jitter = 0;
  std::uint64_t faults = 0;
  std::uint64_t lastFault = 0;
  std::uint64_t lastScript = 0;
  std::uint64_t forks = 0;
};

struct SavedDuration {
  std::string operation{};
  nanoseconds duration{};
};

struct SavedAccount {
  Account account{};
  AccountOptions options{};
  bool adopted = false;
};

struct SavedEvents {
  std::string limit{};
  std::string operation{};
  std::optional<std::string> object{};
};

/// Without its parts.
struct SavedScript {
  PlayedScripts::Script script{};
};

/// What happened at a limit, except for the peaks and the minutes.
struct SavedHistory {
  std::string limit{};
  std::string operation{};
  std::optional<Instant> firstRefusal{};  // without refusals, earlier versions wrote 1970
  std::optional<Instant> lastRefusal{};
  std::string refusedObject{};
};

/// The histories of a mode that belong to no slot of the plan.
constexpr std::array<std::pair<std::string_view, UseHistory ReadCounters::*>, 2> readHistories{
    {{"read_allocation", &ReadCounters::ownHistory},
     {"read_allocation_on_behalf", &ReadCounters::onBehalfHistory}}};

/// The windows of a mode.
constexpr std::array<std::pair<std::string_view, SlidingWindow ReadCounters::*>, 3> windows{
    {{"reads", &ReadCounters::own},
     {"reads_on_behalf", &ReadCounters::onBehalf},
     {"transactions", &ReadCounters::transactions}}};

}  // namespace

void members(Members& m, ServiceOptions& options) {
  m.required("seed", options.seed, Bits{});
  m.required("search_lag_s", options.searchLag);
  m.required("duration_ns", options.duration, Nanoseconds{});
  m.required("lock_wait_ns", options.lockWait, Nanoseconds{});
  m.required("limits", options.limits);
  m.required("request_log", options.requestLog, NumberFrom<0>{});
  m.usual("request_log_bytes", options.requestLogBytes, NumberFrom<0>{});
  m.optional("fault_header", options.faultHeader);
}

void members(Members& m, VirtualClock::Reading& clock) {
  m.required("now", clock.time);
  m.required("frozen", clock.frozen);
  m.required("running", clock.running);
}

void members(Members& m, Generators& positions) {
  m.required("accounts", positions.accounts, Bits{});
  m.required("objects", positions.objects, Bits{});
  m.required("requests", positions.requests, Bits{});
  m.required("jitter", positions.jitter, Bits{});
  m.required("faults", positions.faults, Bits{});
  m.required("last_fault", positions.lastFault, Bits{});
  m.optional("last_fault_script", positions.lastScript, Bits{});
  m.required("forks", positions.forks, Bits{});
}

void members(Members& m, SavedDuration& saved) {
  m.required("operation", saved.operation);
  m.required("nanoseconds", saved.duration, Nanoseconds{});
}

void members(Members& m, FaultRules::Armed& armed) {
  m.required("id", armed.fault.id, Bits{});
  m.required("hits", armed.fault.hits, NumberFrom<0>{});
  m.required("passed", armed.passed, NumberFrom<0>{});
  m.required("random", armed.random, Bits{});
  m.required("rule", armed.fault.rule, Nested<>{});
  m.usual("nanoseconds", armed.fault.rule, Nested<ExactDurations>{});
  m.optional("from", armed.fault.from, Plain{}, Instant::min());
  m.optional("until", armed.fault.until, Plain{}, Instant::max());
  m.optional("script", armed.fault.script, Bits{});
}

void members(Members& m, RequestedFaults::Count& count) {
  m.required("request", count.request, Bits{});
  m.required("hits", count.hits, NumberFrom<0>{});
  m.required("passed", count.passed, NumberFrom<0>{});
  m.required("random", count.random, Bits{});
  m.required("since", count.since);
}

void members(Members& m, PlayedScripts::Part& part) {
  m.required("what", part.what);
  m.required("from", part.from);
  m.optional("until", part.until, Plain{}, Instant::max());
  m.optional("fault", part.fault, Bits{});
  m.optional("limit", part.limit, Nested<>{});
}

void members(Members& m, SavedScript& saved) {
  m.required("id", saved.script.id, Bits{});
  m.required("name", saved.script.name);
  m.required("seed", saved.script.seed, Bits{});
  m.required("started", saved.script.started);
}

void members(Members& m, SavedAccount& saved) {
  m.required("id", saved.account.id);
  m.required("live_key", saved.account.liveKey);
  m.required("sandbox_key", saved.account.sandboxKey);
  members(m, saved.options);
  m.optional("adopted", saved.adopted);
}

void members(Members& m, Accounts::Token& token) {
  m.required("token", token.text);
  m.required("account", token.account);
  m.required("livemode", token.livemode);
  m.optional("connected_account", token.connected);
}

void members(Members& m, SavedEvents& events) {
  m.required("limit", events.limit);
  m.optional("operation", events.operation);
  m.optional("object", events.object);
}

void members(Members& m, SavedHistory& saved) {
  m.required("limit", saved.limit);
  m.optional("operation", saved.operation);
  m.optional("first_refusal", saved.firstRefusal);
  m.optional("last_refusal", saved.lastRefusal);
  m.optional("refused_object", saved.refusedObject);
}

void members(Members& m, UseHistory::Peak& peak) {
  m.required("since", peak.since);
  m.required("time", peak.time);
  m.required("used", peak.used, NumberFrom<0>{});
  m.optional("object", peak.object);
}

void members(Members& m, SlidingWindow::Run& run) {
  m.required("time", run.time);
  m.required("count", run.count, NumberFrom<1>{});
}

namespace {

/// An object that must be there.
template <class Value>
Value nested(JsonInput& input, std::string_view name) {
  Value value{};
  Members{input}.required(name, value, Nested<>{});
  return value;
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

template <class Value>
json::array writeAll(const std::vector<Value>& values) {
  return arrayOf(values, writeMembers<Value>);
}

json::object writeScript(const PlayedScripts::Script& script) {
  json::object written = writeMembers(SavedScript{script});
  written["parts"] = writeAll(script.parts);
  return written;
}

class ServiceWriter {
 public:
  ServiceWriter(const Engine& engine, const ServiceState& state, const VirtualClock::Reading& clock)
      : engine_(engine), catalog_(engine.catalog()), state_(state), clock_(clock) {}

  std::string write() {
    out_ += '{';
    addMember(out_, "format", json::value(serviceFormat));
    addMember(out_, "version", serviceVersion);
    addMember(out_, "options", writeMembers(engine_.options()));
    addMember(out_, "clock", writeMembers(clock_));
    addMember(out_, "generators", writeMembers(generators()));
    addMember(out_, "limits", writeAll(state_.settings.lasting));
    addMember(out_, "durations", writeAll(durations()));
    addMember(out_, "faults", writeAll(state_.rules.armed()));
    addMember(out_, "requested_faults",
              arrayOf(state_.requestedFaults.counts(), writeMembers<RequestedFaults::Count>));
    addMember(out_, "fault_scripts", arrayOf(state_.scripts.scripts(), writeScript));
    addList(out_, "accounts", state_.accounts.all(), [&](const auto& entry) { addAccount(*entry.second); });
    addList(out_, "tokens", state_.accounts.tokens(),
            [&](const auto& token) { out_ += json::serialize(writeMembers(token)); });
    out_ += '}';
    return std::move(out_);
  }

 private:
  Generators generators() const {
    return {.accounts = state_.accounts.ids().position(),
            .objects = state_.objectIds.position(),
            .requests = state_.requestIds.position(),
            .jitter = state_.jitterSeeds.position(),
            .faults = state_.rules.seeds().position(),
            .lastFault = state_.rules.lastId(),
            .lastScript = state_.scripts.lastId(),
            .forks = engine_.branches()};
  }

  std::vector<SavedDuration> durations() const {
    std::vector<SavedDuration> named;
    named.reserve(state_.durations.size());
    for (const auto& [operation, duration] : state_.durations)
      named.push_back({std::string{operation->name}, duration});
    std::ranges::sort(named, {}, &SavedDuration::operation);
    return named;
  }

  void addAccount(const AccountState& account) {
    out_ += json::serialize(writeMembers(SavedAccount{account.account, account.options, account.adopted}));
    out_.pop_back();
    addMember(out_, "limits", writeAll(account.settings));
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
    addMember(out_, "history", histories(mode));
    for (const auto& [name, window] : windows)
      addMember(out_, name, writeAll((mode.reads.*window).runs(clock_.time)));
  }

  [[nodiscard]] json::array histories(const ModeState& mode) const {
    json::array all;
    const auto add = [&](std::string_view limit, std::string_view operation, const UseHistory* history) {
      if (history == nullptr || history->isEmpty(clock_.time)) return;
      const auto minutes = history->minutes(clock_.time);
      SavedHistory saved{std::string{limit}, std::string{operation}};
      if (!minutes.empty()) keepRefusals(history->refusals(clock_.time), saved);
      json::object written = writeMembers(std::move(saved));
      written["peaks"] = writeAll(history->peaks());
      written["minutes"] = writeAll(minutes);
      all.push_back(std::move(written));
    };
    const std::vector<Slot>& slots = catalog_.plan().slots();
    for (std::size_t i = 0; i < slots.size(); ++i)
      add(slots[i].limit->name, nameOf(slots[i].operation), mode.counters.historyOf(i));
    for (const auto& [name, history] : readHistories)
      add(name, {}, &(mode.reads.*history));
    return all;
  }

  static void keepRefusals(UseHistory::Refusals refusals, SavedHistory& saved) {
    saved.firstRefusal = refusals.first;
    saved.lastRefusal = refusals.last;
    saved.refusedObject = std::move(refusals.object);
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
    out_ += R"({"stored":")" + tally::detail::toText(record.stored()) + '"';
    const auto states = type.machine().states;
    if (!states.empty()) addMember(out_, "state", json::value(states[record.state()]));
    nameMember(out_, "object");
    record.appendJson(out_);
    out_ += '}';
  }

  void addEvents(const LimitCounters::CountedEvents& events) {
    const Slot& slot = catalog_.plan().slots()[events.slot];
    SavedEvents saved{.limit = std::string{slot.limit->name},
                      .operation = std::string{nameOf(slot.operation)}};
    if (slot.limit->scope == LimitScope::object) saved.object = events.object;
    json::object written = writeMembers(saved);
    written["times"] = writeAll(events.runs);
    out_ += json::serialize(written);
  }

  const Engine& engine_;
  const Catalog& catalog_;
  const ServiceState& state_;
  VirtualClock::Reading clock_;
  std::string out_{};
};

// Reading.

class ServiceReader {
 public:
  ServiceReader(Engine& engine, const VirtualClock::Reading& clock)
      : engine_(engine), catalog_(engine.catalog()), clock_(clock) {}

  [[nodiscard]] Snapshot read(JsonInput& input) {
    resume(nested<Generators>(input, "generators"));
    readLimits(input, state_->settings.lasting);
    for (JsonInput& part : input.objects("durations"))
      readOperationDuration(part);
    for (JsonInput& part : input.objects("faults"))
      at(part, [&] { state_->rules.resume(readMembers<FaultRules::Armed>(part)); });
    for (JsonInput& part : input.objects("requested_faults"))
      at(part, [&] { state_->requestedFaults.resume(readMembers<RequestedFaults::Count>(part)); });
    for (JsonInput& part : input.objects("fault_scripts"))
      at(part, [&] { readScript(part); });
    std::vector<JsonInput> accounts = input.objects("accounts");
    for (JsonInput& part : accounts)
      at(part, [&] { readAccount(part); });
    for (JsonInput& part : accounts)  // accounts may be connected with later ones
      readModes(part);
    for (JsonInput& part : input.objects("tokens"))
      at(part, [&] { state_->accounts.add(readMembers<Accounts::Token>(part)); });
    input.finish();
    return {std::move(state_), clock_};
  }

 private:
  /// The limits, and the objects, whose events were read.
  using Counted = std::set<std::pair<const Slot*, std::string>>;

  void resume(const Generators& positions) {
    state_->accounts.ids().continueAt(positions.accounts);
    state_->objectIds.continueAt(positions.objects);
    state_->requestIds.continueAt(positions.requests);
    state_->jitterSeeds.continueAt(positions.jitter);
    state_->rules.continueAt(positions.lastFault, positions.faults);
    state_->scripts.continueAt(positions.lastScript);
    engine_.continueBranches(positions.forks);
  }

  void readScript(JsonInput& input) {
    PlayedScripts::Script script = readSome<SavedScript>(input).script;
    for (JsonInput& part : input.objects("parts"))
      script.parts.push_back(readMembers<PlayedScripts::Part>(part));
    input.finish();
    state_->scripts.resume(std::move(script), catalog_.plan());
  }

  void readLimits(JsonInput& input, std::vector<LimitOverride>& settings) const {
    for (JsonInput& part : input.objects("limits"))
      at(part, [&] {
        const LimitOverride setting = readMembers<LimitOverride>(part);
        catalog_.plan().check(setting);
        addOverride(setting, settings);
      });
  }

  void readOperationDuration(JsonInput& input) {
    const SavedDuration saved = readMembers<SavedDuration>(input);
    const AnyOperation* operation = catalog_.findOperation(saved.operation);
    if (operation == nullptr) input.fail("operation", "unknown operation '" + saved.operation + "'");
    state_->durations[operation] = saved.duration;
  }

  void readAccount(JsonInput& input) {
    const SavedAccount saved = readSome<SavedAccount>(input);
    AccountState& added = state_->accounts.add(catalog_, saved.account, saved.options);
    added.adopted = saved.adopted;
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
    std::set<const UseHistory*> resumed;
    for (JsonInput& part : input.objects("history"))
      at(part, [&] { readHistory(part, mode, resumed); });
    for (const auto& [name, window] : windows)
      for (const auto& [time, count] : readRuns(input, name))
        (mode.reads.*window).add(time, count);
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
    const SavedEvents saved = readSome<SavedEvents>(input);
    const std::optional<std::string>& object = saved.object;
    const std::vector<Slot>& slots = catalog_.plan().slots();
    const auto slot = slotNamed(saved);
    if (slot == slots.end() || slot->limit->metric == LimitMetric::inProgress) failUnknownLimit(input, saved);
    if ((slot->limit->scope == LimitScope::object) != object.has_value())
      input.fail("object", object ? "the limit is not per object" : "missing");
    if (!counted.emplace(&*slot, object.value_or("")).second) input.fail("limit", "given twice");
    counters.add(catalog_.plan(), {.slot = static_cast<std::size_t>(slot - slots.begin()),
                                   .object = object ? std::string_view{*object} : std::string_view{},
                                   .runs = readRuns(input, "times")});
    input.finish();
  }

  /// Of an event or a history.
  template <class Saved>
  [[nodiscard]] std::vector<Slot>::const_iterator slotNamed(const Saved& saved) const {
    return std::ranges::find_if(catalog_.plan().slots(), [&](const Slot& candidate) {
      return candidate.limit->name == saved.limit && nameOf(candidate.operation) == saved.operation;
    });
  }

  template <class Saved>
  [[noreturn]] static void failUnknownLimit(const JsonInput& input, const Saved& saved) {
    input.fail("limit", "unknown limit '" + saved.limit + "'" +
                            (saved.operation.empty() ? "" : " of '" + saved.operation + "'"));
  }

  UseHistory& historyNamed(const JsonInput& input, const SavedHistory& saved, ModeState& mode) const {
    for (const auto& [name, history] : readHistories)
      if (saved.limit == name && saved.operation.empty()) return mode.reads.*history;
    const auto slot = slotNamed(saved);
    if (slot == catalog_.plan().slots().end()) failUnknownLimit(input, saved);
    return mode.counters.historyOf(catalog_.plan(),
                                   static_cast<std::size_t>(slot - catalog_.plan().slots().begin()));
  }

  void readHistory(JsonInput& input, ModeState& mode, std::set<const UseHistory*>& resumed) const {
    const SavedHistory saved = readSome<SavedHistory>(input);
    UseHistory& history = historyNamed(input, saved, mode);
    if (!resumed.insert(&history).second) input.fail("limit", "given twice");
    std::vector<UseHistory::Peak> peaks;
    for (JsonInput& part : input.objects("peaks"))
      peaks.push_back(readPeak(part, peaks.empty() ? Instant::min() : peaks.back().time));
    const auto minutes = readRuns(input, "minutes");
    UseHistory::Refusals refusals;
    if (!minutes.empty()) refusals = refusalsOf(input, saved);
    history.resume(std::move(peaks), std::move(refusals), minutes);
    input.finish();
  }

  [[nodiscard]] UseHistory::Refusals refusalsOf(const JsonInput& input, const SavedHistory& saved) const {
    const UseHistory::Refusals refusals{.first = input.required(saved.firstRefusal, "first_refusal"),
                                        .last = input.required(saved.lastRefusal, "last_refusal"),
                                        .object = saved.refusedObject};
    if (refusals.last > clock_.time) input.fail("last_refusal", "later than the clock");
    if (refusals.first > refusals.last) input.fail("first_refusal", "later than last_refusal");
    return refusals;
  }

  /// Earlier versions wrote the arrival of a request that waited, which may precede the peak.
  [[nodiscard]] UseHistory::Peak readPeak(JsonInput& input, Instant previous) const {
    UseHistory::Peak peak = readMembers<UseHistory::Peak>(input);
    if (saturatingSince(peak.time, peak.since) <= engine_.options().lockWait)
      peak.time = std::max(peak.time, peak.since);
    if (peak.time > clock_.time) input.fail("time", "later than the clock");
    if (peak.since > peak.time) input.fail("since", "later than the time");
    if (peak.since < previous) input.fail("since", "earlier than the previous peak");
    return peak;
  }

  std::vector<SlidingWindow::Run> readRuns(JsonInput& input, std::string_view name) const {
    std::vector<SlidingWindow::Run> runs;
    std::int64_t left = ReadCounters::mostTransactions / 2 * 3;  // requests add some beyond the limit
    for (JsonInput& part : input.objects(name)) {
      const SlidingWindow::Run run = readMembers<SlidingWindow::Run>(part);
      if (run.count > left) part.fail("count", "expected a number from 1 to " + std::to_string(left));
      left -= run.count;
      if (run.time > clock_.time) part.fail("time", "later than the clock");
      if (!runs.empty() && run.time <= runs.back().time) part.fail("time", "not later than the previous one");
      runs.push_back(run);
    }
    return runs;
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
  at(options, [&] { engine = Service{readMembers<ServiceOptions>(options)}.engine_; });
  ServiceReader reader{*engine, nested<VirtualClock::Reading>(input, "clock")};
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
