#include "core.h"

#include <algorithm>
#include <random>

#include <tally/curl_transport.h>
#include <tally/pacer.h>

#include "blocking_driver.h"
#include "options_check.h"
#include "paced_call.h"
#include "pacing.h"
#include "random.h"
#include "request_builder.h"
#include "saturating.h"

namespace tally::detail {

namespace {

ClientOptions completed(ClientOptions options) {
  checkOptions(options);
  if (options.clock == nullptr) options.clock = systemClock();
  if (options.transport == nullptr) options.transport = curlTransport(options.clock);
  if (!options.jitterSeed) options.jitterSeed = std::random_device{}();
  return options;
}

}  // namespace

Core::Core(ClientOptions options)
    : options_(completed(std::move(options))),
      tokens_(options_.retryBudget),
      queues_(options_.mutationQueue.maxWaiting),
      reads_(options_.readsUsedBefore, options_.clock->now()) {
  if (options_.pacer != nullptr) options_.pacer->pacing_->begin(options_.clock->now());
}

RetryPolicy Core::policyOf(const RequestOptions& call) const {
  return {.maxNetworkRetries = call.maxNetworkRetries.value_or(options_.maxNetworkRetries),
          .retryRateLimited = call.retryRateLimited.value_or(options_.retryRateLimited),
          .backoff = options_.backoff,
          .timeout = saturatingNanoseconds(call.timeout.value_or(options_.timeout)),
          .deadline = deadlineOf(call)};
}

std::optional<Instant> Core::deadlineOf(const RequestOptions& call) const {
  if (!call.totalTimeout) return call.deadline;
  const Instant latest = saturatingAdd(clock().now(), saturatingNanoseconds(*call.totalTimeout));
  return call.deadline ? std::min(latest, *call.deadline) : latest;
}

/// Where the total timeout is out of its range it stays, to be found by the check of each call.
RequestOptions Core::fromNowOn(const RequestOptions& call) const {
  RequestOptions options = call;
  if (checkOptions(call)) return options;
  options.deadline = deadlineOf(call);
  options.totalTimeout.reset();
  return options;
}

std::uint64_t Core::nextJitterSeed() const noexcept {
  std::uint64_t state = *options_.jitterSeed + calls_.fetch_add(1, std::memory_order_relaxed);
  return nextRandom(state);
}

ReadCounter::Payer Core::payerOf(const RequestOptions& call) const noexcept {
  if (call.key && *call.key != options_.key) return ReadCounter::Payer::otherKey;
  return accountOf(options_, call).empty() ? ReadCounter::Payer::own : ReadCounter::Payer::onBehalf;
}

Attempts Core::attempts(const Operation& operation, const RequestOptions& call) const {
  RetryPolicy policy = policyOf(call);
  policy.lookedUp = true;
  return {policy, operation.name, nextJitterSeed(), tokens_};
}

PacedRequest Core::pacedRequest(const Operation& operation, std::string_view id, const void* params) const {
  if (options_.pacer == nullptr) return {};
  return options_.pacer->pacing_->request(operation, id, params);
}

std::optional<Error> Core::send(const Operation& operation, std::string_view object,
                                const HttpRequest& request, const PacedRequest& paced,
                                const RequestOptions& options, const Reader& reader) const {
  RetryPolicy policy = policyOf(options);
  policy.queued = options_.mutationQueue.enabled && operation.writes() && !object.empty();
  policy.paced = options_.pacer != nullptr;
  Attempts decisions{policy, operation.name, nextJitterSeed(), tokens_};
  std::optional<PacedCall> pacedCall;
  if (policy.paced) pacedCall.emplace(*options_.pacer->pacing_, operation, paced, request);
  const CountedReader counted{reader, reads_, payerOf(options)};
  return drive(decisions, {operation.name, object, request, options},
               operation.countsAsRead() ? counted : reader,
               {*options_.transport, *options_.clock, queues_, options_.observer.get(),
                pacedCall ? &*pacedCall : nullptr});
}

std::optional<Error> Core::call(const Operation& operation, std::string_view id, const void* params,
                                const RequestOptions& options, const Struct& type, void* target) const {
  const auto request = buildRequest(options_, operation, id, params, options);
  if (const auto* error = std::get_if<Error>(&request)) return *error;
  return send(operation, id, std::get<HttpRequest>(request), pacedRequest(operation, id, params), options,
              AnswerReader{operation, type, target});
}

}  // namespace tally::detail
