#include "faults/played_scripts.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <variant>

#include <tally/fake/request_pattern.h>

#include "tables/id_generator.h"
#include "tables/longest_duration.h"
#include "tables/utf8.h"
#include "time/saturating.h"

namespace tally::fake::detail {

using std::chrono::nanoseconds;
using tally::detail::LimitPlan;
using tally::detail::saturatingAdd;

namespace {

constexpr std::size_t mostParts = 1'000;
constexpr std::uint64_t scriptStream = 8;  // distinct from those of a service and its faults

[[noreturn]] void refuseScript(const std::string& problem) {
  throw std::invalid_argument{problem};
}

std::string describePart(const LimitOverride& limit) {
  std::string text = "limit " + limit.limit;
  if (!limit.operation.empty()) text += " of " + limit.operation;
  if (limit.livemode) text += *limit.livemode ? " in live mode" : " in the sandbox";
  return text + (limit.value ? " = " + std::to_string(*limit.value) : " off");
}

std::string describePart(const FaultRule& rule) {
  std::ostringstream text;
  if (patternOf(rule) != RequestPattern{}) text << patternOf(rule) << ": ";
  text << happening(rule);
  return text.str();
}

void checkTimes(const ScriptStep& step) {
  const bool isInRange = step.at >= nanoseconds::zero() && step.at <= longestDuration;
  if (!isInRange) refuseScript("a step must begin 0 to 100 years after the start of its script");
  if (step.duration && (*step.duration <= nanoseconds::zero() || *step.duration > longestDuration))
    refuseScript("a step must last more than 0 and at most 100 years");
  const auto& [times, every] = step.repeat;
  if (times < 1) refuseScript("a step must take place at least once");
  if (times > 1 && (every <= nanoseconds::zero() || every > longestDuration))
    refuseScript(
        "the time from one beginning of a repeated step to the next must be more than 0 and at most 100 "
        "years");
  if (times > 1 && every > (longestDuration - step.at) / (times - 1))
    refuseScript("the last repetition of a step must begin at most 100 years after the start of its script");
  if (step.times && *step.times < 1) refuseScript("the fault of a step must apply at least once");
}

void checkTimes(const ScriptStep& step, const FaultRule& fault) {
  if (fault.times != FaultRule{}.times || fault.after != FaultRule{}.after || fault.period)
    refuseScript(
        "the step, not its fault, sets when the fault begins, how long it lasts, and how often it applies");
  if (!step.duration && !step.times)
    refuseScript("a fault needs for_ms (how long it lasts) or times (how many requests it applies to)");
}

/// The rule of one repetition.
FaultRule ruleOf(const ScriptStep& step, const FaultRule& fault, nanoseconds at) {
  FaultRule rule = fault;
  rule.after = at;
  rule.period = step.duration;
  rule.times = step.times.value_or(FaultRule::unlimited);
  return rule;
}

void check(const ScriptStep& step, const FaultRules& rules, const LimitPlan& plan) {
  checkTimes(step);
  if (const auto* limit = std::get_if<LimitOverride>(&step.effect)) {
    if (step.times) refuseScript("a limit can't have times; it applies to all requests");
    if (!isUtf8(limit->country) || !isUtf8(limit->industry))
      refuseScript("the country or the industry of a limit is not UTF-8");
    return plan.check(*limit);
  }
  const auto& fault = std::get<FaultRule>(step.effect);
  checkTimes(step, fault);
  FaultRule rule = ruleOf(step, fault, step.at);
  rules.check(rule);
}

void check(const FaultScript& script, const FaultRules& rules, const LimitPlan& plan) {
  if (!isUtf8(script.name)) refuseScript("name: the name of a fault script is not UTF-8");
  if (script.steps.empty()) refuseScript("steps: a fault script needs at least one");
  std::size_t parts = 0;
  for (std::size_t i = 0; i < script.steps.size(); ++i)
    try {
      check(script.steps[i], rules, plan);
      parts += static_cast<std::size_t>(script.steps[i].repeat.times);
      if (parts > mostParts)
        refuseScript("a fault script can have at most " + std::to_string(mostParts) +
                     " steps, counting their repetitions");
    } catch (const std::invalid_argument& problem) {
      refuseScript("steps[" + std::to_string(i) + "]: " + problem.what());
    }
}

/// Without its rule.
PlayedScripts::Part partOf(const ScriptStep& step, Instant from) {
  PlayedScripts::Part part{
      .what = std::visit([](const auto& effect) { return describePart(effect); }, step.effect), .from = from};
  if (step.duration) part.until = saturatingAdd(from, *step.duration);
  if (const auto* limit = std::get_if<LimitOverride>(&step.effect)) part.limit = *limit;
  return part;
}

std::optional<int> hitsOf(std::uint64_t fault, const FaultRules& rules) {
  const auto found =
      std::ranges::find(rules.armed(), fault, [](const ArmedRule& armed) { return armed.fault.id; });
  return found == rules.armed().end() || fault == 0 ? std::nullopt : std::optional{found->fault.hits};
}

/// Tells what begins or ends at `time`, if it is the first that does after `now`.
void tellNext(PlayedScript& script, const std::string& what, const char* verb, Instant time, Instant now) {
  if (time <= now || time == Instant::max() || (script.nextAt && *script.nextAt <= time)) return;
  script.nextAt = time;
  script.next = verb + what;
}

}  // namespace

std::uint64_t PlayedScripts::play(const FaultScript& script, FaultRules& rules, const LimitPlan& plan,
                                  Instant now) {
  check(script, rules, plan);
  Script played{.id = ++lastId_,
                .name = script.name,
                .seed = script.seed.value_or(rules.nextSeed() >> 11U),  // a number in JSON keeps 53 bits
                .started = now};
  IdGenerator seeds{played.seed, scriptStream};
  std::multimap<Instant, Part> parts;
  for (const ScriptStep& step : script.steps)
    for (int n = 0; n < step.repeat.times; ++n) {
      const nanoseconds at = step.at + step.repeat.every * n;
      Part part = partOf(step, saturatingAdd(now, at));
      if (const auto* fault = std::get_if<FaultRule>(&step.effect))
        part.fault = rules.add(ruleOf(step, *fault, at), now, {played.id, seeds.nextNumber()});
      parts.emplace(part.from, std::move(part));
    }
  for (auto& [from, part] : parts)
    played.parts.push_back(std::move(part));
  scripts_.push_back(std::move(played));
  due_ = Instant::min();
  return lastId_;
}

bool PlayedScripts::stop(std::uint64_t id, FaultRules& rules) {
  if (std::erase_if(scripts_, [&](const Script& script) { return script.id == id; }) == 0) return false;
  rules.removeOf(id);
  due_ = Instant::min();
  return true;
}

void PlayedScripts::clear(FaultRules& rules) {
  rules.clear();
  due_ = Instant::min();
  scripts_.clear();
}

std::vector<LimitOverride> PlayedScripts::limitsAt(Instant now) {
  std::vector<LimitOverride> limits;
  due_ = Instant::max();
  for (const Script& script : scripts_)
    for (const Part& part : script.parts) {
      if (!part.limit || part.until <= now) continue;
      if (part.from <= now) limits.push_back(*part.limit);
      due_ = std::min(due_, part.from <= now ? part.until : part.from);
    }
  return limits;
}

std::vector<PlayedScript> PlayedScripts::list(const FaultRules& rules, Instant now) const {
  std::vector<PlayedScript> listed;
  for (const Script& script : scripts_) {
    PlayedScript shown{.id = script.id, .name = script.name, .seed = script.seed, .started = script.started};
    for (const Part& part : script.parts) {
      tellNext(shown, part.what, "begins: ", part.from, now);
      tellNext(shown, part.what, "ends: ", part.until, now);
      shown.parts.push_back({.what = part.what,
                             .from = part.from,
                             .until = part.until,
                             .fault = part.fault,
                             .hits = hitsOf(part.fault, rules)});
    }
    listed.push_back(std::move(shown));
  }
  return listed;
}

void PlayedScripts::resume(Script script, const LimitPlan& plan) {
  const std::uint64_t before = scripts_.empty() ? 0 : scripts_.back().id;
  if (script.id <= before || script.id > lastId_)
    refuseScript("the id " + std::to_string(script.id) + " of a fault script must be at least " +
                 std::to_string(before + 1) + " and at most the last id assigned, " +
                 std::to_string(lastId_));
  for (const Part& part : script.parts)
    if (part.limit) plan.check(*part.limit);
  scripts_.push_back(std::move(script));
  due_ = Instant::min();
}

}  // namespace tally::fake::detail
