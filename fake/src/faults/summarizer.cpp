#include "faults/summarizer.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include "print/value_line.h"
#include "time/saturating.h"

namespace tally::fake {

namespace detail {

using std::chrono::nanoseconds;
using tally::detail::saturatingAdd;
using tally::detail::saturatingSince;

Summarizer::Summarizer(RequestPattern pattern, std::size_t spans, Instant first, Instant last)
    : pattern_(std::move(pattern)), selectsAll_(pattern_ == RequestPattern{}) {
  const Instant from = pattern_.from.value_or(first);
  const Instant until = std::max(from, pattern_.until.value_or(saturatingAdd(last, nanoseconds{1})));
  const auto number = static_cast<std::int64_t>(std::max<std::size_t>(spans, 1));
  summary_.spans.resize(spans);
  summary_.from = from;
  summary_.until = until;
  length_ = std::max(nanoseconds{1}, saturatingSince(from, until) / number);
}

void Summarizer::count(Counts& counts, std::string_view name) {
  const auto found = counts.find(name);
  if (found == counts.end()) {
    counts.emplace(name, 1);
  } else {
    ++found->second;
  }
}

std::vector<NamedCount> Summarizer::listOf(const Counts& counts) {
  std::vector<NamedCount> list;
  for (const auto& [name, number] : counts)
    list.push_back({name, number});
  return list;
}

/// Requests that waited for an object are logged after later ones, so some lie just outside.
std::size_t Summarizer::spanOf(Instant time) const {
  const auto place = std::max<std::int64_t>(saturatingSince(*summary_.from, time) / length_, 0);
  return std::min(static_cast<std::size_t>(place), summary_.spans.size() - 1);
}

void Summarizer::look(const LoggedRequest& request) {
  ++summary_.logged;
  count(operations_, request.operation);
  count(accounts_, request.account);
  ++statuses_[request.status];
  if (!selectsAll_ && !matches(pattern_, request)) return;
  ++summary_.matching;
  const RequestOutcome outcome = outcomeOf(request);
  ++summary_.outcomes[outcome];
  if (!summary_.spans.empty()) ++summary_.spans[spanOf(request.time)][outcome];
}

RequestSummary Summarizer::result() && {
  summary_.operations = listOf(operations_);
  summary_.accounts = listOf(accounts_);
  for (const auto& [status, number] : statuses_)
    summary_.statuses.push_back({std::to_string(status), number});
  return std::move(summary_);
}

}  // namespace detail

std::ostream& operator<<(std::ostream& out, const OutcomeCounts& value) {
  tally::detail::ValueLine line{"OutcomeCounts"};
  for (const RequestOutcome outcome : requestOutcomes)
    line.add(toString(outcome), value[outcome]);
  return out << line;
}

std::ostream& operator<<(std::ostream& out, const NamedCount& value) {
  return out << tally::detail::ValueLine{"NamedCount"}.add("name", value.name).add("count", value.count);
}

std::ostream& operator<<(std::ostream& out, const RequestSummary& value) {
  return out << tally::detail::ValueLine{"RequestSummary"}
                    .add("logged", value.logged)
                    .add("matching", value.matching)
                    .add("from", value.from)
                    .add("until", value.until)
                    .add("outcomes", value.outcomes)
                    .add("spans", value.spans)
                    .add("operations", value.operations)
                    .add("accounts", value.accounts)
                    .add("statuses", value.statuses);
}

}  // namespace tally::fake
