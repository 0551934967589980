#include "compare/limit_judge.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "tables/schema_types.h"

namespace tally::fake::detail {

namespace {

using std::chrono::nanoseconds;

constexpr std::string_view limitsSection = "Limits";

std::string reasonOf(const Limit& limit) {
  return OpenEnum<RateLimitedReason>{limit.reason}.str();
}

/// `25 in 1 s` or `30 in progress`.
std::string amount(std::int64_t number, const Limit& limit) {
  if (limit.metric == LimitMetric::inProgress) return std::to_string(number) + " in progress";
  return std::to_string(number) + " in " + std::to_string(limit.window.count()) + " s";
}

/// Whether both requests certainly count together: those with one key, or on one object, whoever sends them.
bool countTogether(const Limit& limit, std::size_t key, std::size_t other) {
  return limit.scope == LimitScope::object || key == other;
}

bool hasReason(const Limit& limit, std::string_view reason) {
  return reason.empty() || reasonOf(limit) == reason;
}

/// Which choice of the fake a wrong number refutes; the reason depends on others.
Rule ruleOf(const Limit& limit) {
  return Rule::of(place("limit", limit.name), limitsSection);
}

}  // namespace

LimitJudge::Span LimitJudge::spanOf(const Observation& seen, bool certain) {
  const std::string* const authorization = seen.arrival().head.authorization;
  std::string key = authorization == nullptr ? std::string{} : keyOf(*authorization).value_or("");
  return {.first = seen.start(),
          .last = std::min(seen.end(), seen.start() + margin_),
          .end = seen.end(),
          .key = keys_.try_emplace(std::move(key), keys_.size()).first->second,
          .certain = certain};
}

/// Forgets what can count no more, not even for a refusal that is still pending.
void LimitJudge::drop(const Limit& limit, Spans& spans, Instant now) const {
  const bool inProgress = limit.metric == LimitMetric::inProgress;
  const Instant oldest = now - 2 * margin_ - limit.window;
  while (!spans.empty() && (inProgress ? spans.front().end : spans.front().last) < oldest)
    spans.pop_front();
}

template <class Visit>
void LimitJudge::forEachLimit(const Observation& seen, const Caller& caller, bool exists,
                              const Visit& visit) {
  if (seen.operation() == nullptr) return;
  const LimitPlan& plan = catalog_.plan();
  const ConstObjectRef params = seen.arrival().params.object.ref();
  for (const Check& check : plan.checks(*seen.operation())) {
    const Limit& limit = *plan.slots()[check.slot].limit;
    ModeState& mode = limit.countsForConnectedAccount ? caller.mode() : caller.payerMode();
    const auto number = (*mode.numbers)[check.slot];
    const bool eachObject = limit.scope == LimitScope::object;
    if (!number || !check.covers(params) || (eachObject && check.object == nullptr && !exists)) continue;
    Uses& uses = uses_[&mode];
    uses.livemode = caller.livemode;
    uses.bySlot.resize(plan.slots().size());
    Use& use = uses.bySlot[check.slot];
    const std::string object{eachObject ? check.objectOf(seen.id(), params) : std::string_view{}};
    Spans& spans = eachObject ? use.objects[object] : use.all;
    drop(limit, spans, seen.start());
    visit(Applying{.limit = &limit,
                   .slot = check.slot,
                   .livemode = caller.livemode,
                   .number = *number,
                   .spans = &spans,
                   .knownUse = eachObject && inventory_.createdInRecording(object)});
  }
}

/// How many requests may have counted when one arrived.
std::int64_t LimitJudge::most(const Limit& limit, const Spans& spans, const Span& at) {
  if (limit.metric == LimitMetric::inProgress)
    return std::ranges::count_if(
        spans, [&](const Span& span) { return span.first <= at.last && span.end > at.first; });
  const Instant since = at.first - limit.window;
  return std::ranges::count_if(spans,
                               [&](const Span& span) { return span.last > since && span.first <= at.last; });
}

/// The same if all keys of its mode belong to one account.
std::int64_t LimitJudge::mostOfAllKeys(const Applying& one, const Span& at) const {
  if (one.limit->scope == LimitScope::object) return most(*one.limit, *one.spans, at);
  std::int64_t sum = 0;
  for (const auto& [mode, uses] : uses_)
    if (uses.livemode == one.livemode) sum += most(*one.limit, uses.bySlot[one.slot].all, at);
  return sum;
}

/// How many requests certainly counted then.
std::int64_t LimitJudge::least(const Applying& one, const Span& at) const {
  const auto isCertain = [&](const Span& span) {
    return span.certain && countTogether(*one.limit, span.key, at.key) && span.last < at.first;
  };
  if (one.limit->metric == LimitMetric::inProgress)
    return std::ranges::count_if(*one.spans, [&](const Span& span) {
      const nanoseconds unsure = std::min<nanoseconds>(margin_, (span.end - span.first) / 2);
      return isCertain(span) && span.end - unsure > at.last;
    });
  const Instant since = at.last - one.limit->window;
  return std::ranges::count_if(*one.spans,
                               [&](const Span& span) { return isCertain(span) && span.first > since; });
}

/// Whether the requests up to the added one exceed the limit, however they arrived: all within one window.
bool LimitJudge::isExceeded(const Applying& one, const Span& added) const {
  if (one.limit->metric == LimitMetric::inProgress) return least(one, added) >= one.number;
  Instant latest = added.last;
  for (const Span& span : *one.spans)
    latest = std::max(latest, span.last);
  const Instant since = latest - one.limit->window;
  const auto counts = [&](const Span& span) {
    return span.certain && countTogether(*one.limit, span.key, added.key) && span.first > since;
  };
  return std::ranges::count_if(*one.spans, counts) > one.number;
}

void LimitJudge::admitted(const Observation& seen, const Caller& caller, bool changed, bool certain,
                          bool exists) {
  settle(seen.start());
  const Span span = spanOf(seen, certain);
  forEachLimit(seen, caller, exists, [&](const Applying& one) {
    const Limit& limit = *one.limit;
    if (limit.metric == LimitMetric::changes && !changed) return;
    const bool countsItself = limit.metric != LimitMetric::inProgress;
    if (countsItself) one.spans->push_back(span);
    const bool exceeded = certain && isExceeded(one, span);
    if (!countsItself) one.spans->push_back(span);
    if (!exceeded) return;
    findings_.differ("limit.admitted:" + std::string{limit.name}, ruleOf(limit),
                     seen.name() + " was admitted although it exceeds the fake's " + std::string{limit.name} +
                         " (" + amount(one.number, limit) + ")",
                     seen.number());
  });
}

void LimitJudge::refused(const Observation& seen, const Caller& caller, std::string_view reason,
                         bool exists) {
  settle(seen.start());
  Pending refusal{.request = seen.number(),
                  .name = seen.name(),
                  .reason = std::string{reason},
                  .span = spanOf(seen, true)};
  forEachLimit(seen, caller, exists, [&](const Applying& one) { refusal.applying.push_back(one); });
  pending_.push_back(std::move(refusal));
}

void LimitJudge::settle(Instant time) {
  while (!pending_.empty() && pending_.front().span.last < time) {
    judge(pending_.front());
    pending_.pop_front();
  }
}

/// The limits come in the order in which the first that refuses gives the reason.
void LimitJudge::judge(const Pending& refusal) {
  for (const Applying& one : refusal.applying) {
    const bool fits = hasReason(*one.limit, refusal.reason);
    if (fits && most(*one.limit, *one.spans, refusal.span) >= one.number) return;
    if (!fits && least(one, refusal.span) >= one.number) {
      otherReason(refusal, *one.limit, "several_limits");
      return;
    }
  }
  unexplained(refusal);
}

/// Whether a limit with that reason was full if all keys of its mode belong to one account.
bool LimitJudge::mayShareLimit(const Pending& refusal) const {
  return std::ranges::any_of(refusal.applying, [&](const Applying& one) {
    return hasReason(*one.limit, refusal.reason) && mostOfAllKeys(one, refusal.span) >= one.number;
  });
}

/// No limit with that reason can have been full. Where a rate limit of the fake was, only the reason differs.
void LimitJudge::unexplained(const Pending& refusal) {
  if (mayShareLimit(refusal)) {
    findings_.cannotJudge("limits of keys that may belong to one account", refusal.request);
    return;
  }
  const bool concurrency = refusal.reason.ends_with("-concurrency");
  const auto isFull = [&](const Applying& one) {
    return most(*one.limit, *one.spans, refusal.span) >= one.number;
  };
  const auto full = std::ranges::find_if(refusal.applying, isFull);
  if (!concurrency && full != refusal.applying.end()) {
    otherReason(refusal, *full->limit, "named_limits");
    return;
  }
  const auto isNamed = [&](const Applying& one) { return reasonOf(*one.limit) == refusal.reason; };
  const auto named = std::ranges::find_if(refusal.applying, isNamed);
  if (named == refusal.applying.end()) {
    findings_.differ(
        "limit.refused:" + (refusal.reason.empty() ? "unnamed" : refusal.reason),
        Rule::assumed(concurrency ? "concurrency_numbers" : "named_limits", limitsSection),
        refusal.name + " was refused with '" + refusal.reason + "'; the fake has no such limit for it",
        refusal.request);
    return;
  }
  const Limit& limit = *named->limit;
  constexpr std::chrono::seconds shortWindow{10};
  const bool reachesBack =
      limit.window > shortWindow && refusal.span.first - limit.window < inventory_.start();
  if (reachesBack && !named->knownUse) {
    findings_.cannotJudge(std::string{limit.name} + ": its use before the recording is unknown",
                          refusal.request);
    return;
  }
  findings_.differ("limit.refused:" + std::string{limit.name}, ruleOf(limit),
                   refusal.name + " was refused with " + refusal.reason + " after at most " +
                       amount(most(limit, *named->spans, refusal.span), limit) + "; the fake allows " +
                       std::to_string(named->number),
                   refusal.request);
}

void LimitJudge::otherReason(const Pending& refusal, const Limit& limit, std::string_view assumption) {
  findings_.differ("limit.reason:" + std::string{limit.name} + ':' + refusal.reason,
                   Rule::assumed(assumption, limitsSection),
                   refusal.name + " was refused with " + refusal.reason + "; the fake's " +
                       std::string{limit.name} + " refuses it with " + reasonOf(limit),
                   refusal.request);
}

}  // namespace tally::fake::detail
