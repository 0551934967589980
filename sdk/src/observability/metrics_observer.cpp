#include <algorithm>
#include <iterator>

#include <tally/metrics_observer.h>

#include "observability/metrics_table.h"

namespace tally::detail {

namespace {

std::size_t indexOf(ErrorKind kind) noexcept {
  return std::min(static_cast<std::size_t>(kind), OperationMetrics::kinds - 1);
}

std::size_t statusIndex(int status) noexcept {
  const auto has = [status](const StatusLabel& range) {
    return status >= range.first && status <= range.last;
  };
  const auto found = std::ranges::find_if(statusLabels, has);
  return static_cast<std::size_t>(std::distance(statusLabels.begin(), found));
}

std::size_t indexOf(const OpenEnum<RateLimitedReason>& reason) noexcept {
  const auto known = reason.known();
  return known ? static_cast<std::size_t>(*known) : OperationMetrics::reasons;
}

}  // namespace

void OperationMetrics::sent() noexcept {
  add(attempts);
  add(inProgress);
}

void OperationMetrics::responded(const Event& event) noexcept {
  add(inProgress, -1);
  add(responses[statusIndex(event.status)]);
  attemptDurations.add(event.duration);
  if (event.error == nullptr) return;
  add(attemptErrors[indexOf(event.error->kind())]);
  if (event.error->rateLimitedReason()) add(rateLimited[indexOf(*event.error->rateLimitedReason())]);
}

void OperationMetrics::waited(const Event& event) noexcept {
  const auto found = std::ranges::find(waitLabels, event.kind, &WaitLabel::end);
  if (found == waitLabels.end()) return;
  Waits& counts = waits[static_cast<std::size_t>(std::distance(waitLabels.begin(), found))];
  add(counts.times);
  add(counts.nanoseconds, event.duration.count());
}

void OperationMetrics::ended(const Event& event) noexcept {
  callDurations.add(event.duration);
  if (event.error == nullptr) return add(callsThatWentWell);
  add(callErrors[indexOf(event.error->kind())][event.error->effect() == Effect::none ? 0 : 1]);
}

MetricsTable::MetricsTable() {
  for (const AnyOperation* operation : operations)
    table_.try_emplace(std::string{operation->name});
}

OperationMetrics& MetricsTable::of(std::string_view operation) noexcept {
  const auto found = table_.find(operation);
  return found == table_.end() ? other_ : found->second;
}

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

MetricsObserver::MetricsObserver() : table_(std::make_unique<detail::MetricsTable>()) {}
MetricsObserver::~MetricsObserver() = default;

void MetricsObserver::on(const Event& event) noexcept {
  detail::OperationMetrics& counters = table_->of(event.operation);
  switch (event.kind) {
    case EventKind::attemptStarted:
      return counters.sent();
    case EventKind::attemptEnded:
      return counters.responded(event);
    case EventKind::callEnded:
      return counters.ended(event);
    default:
      return counters.waited(event);
  }
}

}  // namespace tally
