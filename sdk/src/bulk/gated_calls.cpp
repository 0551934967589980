#include "bulk/gated_calls.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace tally::detail {

namespace {

std::optional<RateLimitedReason> limitReasonOf(const Error& refusal) {
  return refusal.rateLimitedReason() ? refusal.rateLimitedReason()->known() : std::nullopt;
}

bool isOfConcurrency(const Error& refusal) {
  const auto reason = limitReasonOf(refusal);
  return reason == RateLimitedReason::globalConcurrency || reason == RateLimitedReason::endpointConcurrency;
}

/// Whether the row reads for an account of its own, and so perhaps from another read allocation than others.
bool isReadOnBehalf(const BulkRow& row) {
  return row.action != Action::send && row.connectedAccount != nullptr;
}

/// What the service has processed, or refused for another reason than a limit, has passed its limits.
bool hasPassed(const Error* error) {
  return error == nullptr || (error->status() >= 400 && error->status() < 500 && error->status() != 429);
}

}  // namespace

void GatedCalls::wait(BulkRow& row, Instant now) {
  row.queued = now;
  queueOf(row).waiting.push_back(&row);
}

/// To resolve a report takes a read, and perhaps the report.
CallQueue& GatedCalls::queueOf(const BulkRow& row) {
  const AnyOperation& operation =
      row.action == Action::read ? *row.resource().machine->retrieve : *row.prepared.operation;
  CallQueue& queue = queues_[{&operation, row.action, isReadOnBehalf(row)}];
  if (queue.gates.empty()) {
    queue.gates = {&global_, &gateOf(row.resource()), &gateOf(operation)};
    if (row.action == Action::resolve && row.isVisible())
      queue.gates.push_back(&gateOf(*row.resource().machine->retrieve));
    if (row.action != Action::send && row.isVisible()) queue.gates.push_back(&gateOfReads(row));
  }
  return queue;
}

LimitGate& GatedCalls::gateOfReads(const BulkRow& row) {
  return ofReads_.try_emplace(isReadOnBehalf(row), backoff_).first->second;
}

LimitGate& GatedCalls::gateOf(const Resource& resource) {
  return ofResources_.try_emplace(&resource, backoff_).first->second;
}

LimitGate& GatedCalls::gateOf(const AnyOperation& operation) {
  return ofOperations_.try_emplace(&operation, backoff_).first->second;
}

bool GatedCalls::hasSlot(const CallQueue& queue) const {
  return queue.begun < slots_.now && !queue.waiting.empty();
}

BulkRow* GatedCalls::begin(Instant now, bool heedsGates) {
  const auto isOpen = [&](const LimitGate* gate) { return !heedsGates || gate->isOpen(now); };
  const auto order = [](const CallQueue& queue) {
    const BulkRow& row = *queue.waiting.front();
    return std::tuple{row.action != Action::resolve, row.turn, row.number};
  };
  CallQueue* first = nullptr;
  for (auto& [kind, queue] : queues_)
    if (hasSlot(queue) && std::ranges::all_of(queue.gates, isOpen) &&
        (first == nullptr || order(queue) < order(*first)))
      first = &queue;
  if (first == nullptr) return nullptr;
  BulkRow& row = *first->waiting.front();
  first->waiting.pop_front();
  row.calling = first;
  row.begun = now;
  ++first->begun;
  for (LimitGate* gate : first->gates)
    gate->begin(now);
  return &row;
}

Instant GatedCalls::opening(Instant now) const {
  Instant next = Instant::max();
  for (const auto& [kind, queue] : queues_) {
    if (!hasSlot(queue)) continue;
    Instant opens = now;
    for (const LimitGate* gate : queue.gates)
      opens = std::max(opens, gate->opens(now));
    next = std::min(next, opens);
  }
  return next;
}

void GatedCalls::withdraw(BulkRow& row) {
  std::erase(queueOf(row).waiting, &row);
}

void GatedCalls::leave(BulkRow& row) {
  CallQueue* const queue = std::exchange(row.calling, nullptr);
  if (queue == nullptr) return;
  --queue->begun;
  for (LimitGate* gate : queue->gates)
    gate->end();
}

void GatedCalls::end(BulkRow& row, Instant now) {
  const CallQueue& queue = *row.calling;
  leave(row);
  row.failedToRead = row.error && row.action != Action::send;
  if (!hasPassed(row.lastError())) return;
  const bool onlyRead = row.action == Action::resolve && (row.error || row.facts.resends == 0);
  const LimitGate* const unused = onlyRead ? &gateOf(*row.prepared.operation) : nullptr;
  for (LimitGate* gate : queue.gates)
    if (gate != unused) gate->pass(now);
}

LimitGate& GatedCalls::refuse(const BulkRow& row, std::chrono::nanoseconds retryAfter, double jitter,
                              Instant now) {
  LimitGate& gate = refusingGate(row);
  gate.refuse({.begun = row.begun,
               .concurrency = isOfConcurrency(*row.error),
               .retryAfter = retryAfter,
               .jitter = jitter},
              now);
  return gate;
}

/// The gate of the limit that the error is about.
LimitGate& GatedCalls::refusingGate(const BulkRow& row) {
  const auto reason = limitReasonOf(*row.error);
  if (reason == RateLimitedReason::globalRate || reason == RateLimitedReason::globalConcurrency)
    return global_;
  if (reason == RateLimitedReason::resourceSpecific) return gateOf(row.resource());
  if (!row.isVisible() || !row.failedToRead) return gateOf(*row.prepared.operation);
  return reason ? gateOf(*row.resource().machine->retrieve) : gateOfReads(row);
}

std::vector<BulkRow*> GatedCalls::takeWaiting(const LimitGate* gate) {
  std::vector<BulkRow*> rows;
  for (auto& [kind, queue] : queues_) {
    if (gate != nullptr && std::ranges::find(queue.gates, gate) == queue.gates.end()) continue;
    rows.insert(rows.end(), queue.waiting.begin(), queue.waiting.end());
    queue.waiting.clear();
  }
  return rows;
}

void GatedCalls::addSlots() {
  slots_.now = std::min(2 * slots_.now, slots_.most);
}

}  // namespace tally::detail
