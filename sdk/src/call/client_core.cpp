#include "call/client_core.h"

#include <algorithm>
#include <random>

#include <tally/curl_transport.h>
#include <tally/pacer.h>

#include "attempt/attempt_request.h"
#include "call/blocking_driver.h"
#include "call/request_builder.h"
#include "call/turn.h"
#include "options/key_header.h"
#include "options/options_check.h"
#include "pacing/pacing.h"
#include "platform/machine.h"
#include "text/random.h"
#include "time/saturating.h"

namespace tally::detail {

namespace {

/// 64 bits, so that the numbers of calls of many clients differ.
std::uint64_t randomSeed() {
  std::random_device source;
  return (std::uint64_t{source()} << 32U) | source();
}

ClientOptions completed(ClientOptions options) {
  checkOptions(options);
  if (options.clock == nullptr) options.clock = systemClock();
  if (options.transport == nullptr) options.transport = curlTransport(options.clock, std::move(options.http));
  if (!options.jitterSeed) options.jitterSeed = randomSeed();
  return options;
}

}  // namespace

ClientCore::ClientCore(ClientOptions options)
    : seedProcess_(options.jitterSeed ? 0 : processId()),
      options_(completed(std::move(options))),
      defaults_(options_),
      tokens_(options_.retryBudget),
      queues_(options_.mutationQueue.maxWaiting),
      reads_(options_.readsUsedBefore, options_.clock->now()) {
  if (options_.pacer != nullptr) options_.pacer->pacing_->begin(options_.clock->now());
}

AttemptRules ClientCore::rulesOf(const RequestOptions& call) const {
  return {.maxNetworkRetries = call.maxNetworkRetries.value_or(options_.maxNetworkRetries),
          .retryRateLimited = call.retryRateLimited.value_or(options_.retryRateLimited),
          .backoff = options_.backoff,
          .policy = (call.retryPolicy == nullptr ? options_.retryPolicy : call.retryPolicy).get(),
          .mostRetries = call.maxNetworkRetries,
          .timeout = saturatingNanoseconds(call.timeout.value_or(options_.timeout)),
          .deadline = deadlineOf(call)};
}

std::optional<Instant> ClientCore::deadlineOf(const RequestOptions& call) const {
  if (!call.totalTimeout) return call.deadline;
  const Instant latest = saturatingAdd(clock().now(), saturatingNanoseconds(*call.totalTimeout));
  return call.deadline ? std::min(latest, *call.deadline) : latest;
}

/// Returns invalid options unchanged, so that the check of each call rejects them.
RequestOptions ClientCore::fromNowOn(const RequestOptions& call) const {
  RequestOptions options = call;
  if (checkOptions(call)) return options;
  options.deadline = deadlineOf(call);
  options.totalTimeout.reset();
  return options;
}

/// Processes made by fork() would otherwise retry at the same times, and mark different calls alike.
std::uint64_t ClientCore::nextJitterSeed() const noexcept {
  std::uint64_t state = *options_.jitterSeed + calls_.fetch_add(1, std::memory_order_relaxed);
  const int process = seedProcess_ == 0 ? 0 : processId();
  if (process != seedProcess_) state += static_cast<std::uint64_t>(process) << 32U;
  return nextRandom(state);
}

ReadCounter::Payer ClientCore::payerOf(const RequestOptions& call) const noexcept {
  if (!usesKeyOfClient(options_, call)) return ReadCounter::Payer::otherKey;
  return accountOf(options_, call).empty() ? ReadCounter::Payer::own : ReadCounter::Payer::onBehalf;
}

CallStateMachine ClientCore::machineFor(const AnyOperation& operation, const RequestOptions& call) const {
  AttemptRules rules = rulesOf(call);
  rules.lookedUp = true;
  return {rules, operation.name, nextJitterSeed(), tokens_};
}

PacedRequest ClientCore::pacedRequest(const AnyOperation& operation, std::string_view id,
                                      ConstObjectRef params) const {
  if (options_.pacer == nullptr) return {};
  return options_.pacer->pacing_->request(operation, id, params);
}

/// A call without an object in its path changes nothing that other calls can refer to.
bool ClientCore::queues(const AnyOperation& operation, std::string_view object) const {
  return options_.mutationQueue.enabled && operation.writes() && !object.empty();
}

void ClientCore::pace(std::optional<PacedCall>& paced, const AnyOperation& operation,
                      const PacedRequest& limits, const HttpRequest& request, PacedCall* next) const {
  if (options_.pacer != nullptr) paced.emplace(*options_.pacer->pacing_, operation, limits, request, next);
}

std::optional<Error> ClientCore::sendIn(std::optional<MutationQueues::Place>& place, PacedCall* paced,
                                        bool queued, const Ready& call) const {
  AttemptRules rules = rulesOf(call.options);
  rules.queued = queued;
  rules.paced = paced != nullptr;
  const std::uint64_t jitterSeed = nextJitterSeed();
  CallStateMachine machine{rules, call.operation.name, jitterSeed, tokens_};
  const CountedReader counted{call.reader, reads_, payerOf(call.options)};
  AttemptRequest request{options_, call.options, jitterSeed, call.request};
  return drive(machine, {call.operation.name, call.object, request.request(), call.options},
               call.operation.countsAsRead() ? counted : call.reader,
               {*options_.transport, *options_.clock, queues_, place, options_.observer.get(), paced,
                request.isRenewed() ? &request : nullptr});
}

std::optional<Error> ClientCore::send(const AnyOperation& operation, std::string_view object,
                                      const HttpRequest& request, const PacedRequest& paced,
                                      const RequestOptions& options, const Reader& reader) const {
  Turn turn;
  pace(turn.paced, operation, paced, request);
  return sendIn(turn.place, turn.paced ? &*turn.paced : nullptr, queues(operation, object),
                {operation, object, request, options, reader});
}

std::optional<Error> ClientCore::readInTurn(Turn& turn, const AnyOperation& reading,
                                            const AnyOperation& change, std::string_view id,
                                            ConstObjectRef changeParams, const RequestOptions& options,
                                            ObjectRef target) const {
  const auto built = buildRequest(defaults_, reading, id, {}, options);
  if (const auto* error = std::get_if<Error>(&built)) return *error;
  const auto& request = std::get<KeyedRequest>(built);
  pace(turn.paced, change, pacedRequest(change, id, changeParams), request);
  std::optional<PacedCall> paced;
  if (turn.paced) pace(paced, reading, pacedRequest(reading, id, {}), request, &*turn.paced);
  return sendIn(turn.place, paced ? &*paced : nullptr, queues(change, id),
                {reading, id, request, options, ResponseReader{reading, id, target}});
}

std::optional<Error> ClientCore::changeInTurn(Turn& turn, const AnyOperation& change, std::string_view id,
                                              ConstObjectRef params, const RequestOptions& options,
                                              ObjectRef target) const {
  const auto built = buildRequest(defaults_, change, id, params, options);
  if (const auto* error = std::get_if<Error>(&built)) return *error;
  return sendIn(turn.place, turn.paced ? &*turn.paced : nullptr, queues(change, id),
                {change, id, std::get<KeyedRequest>(built), options, ResponseReader{change, id, target}});
}

std::optional<Error> ClientCore::call(const AnyOperation& operation, std::string_view id,
                                      ConstObjectRef params, const RequestOptions& options,
                                      ObjectRef target) const {
  const auto request = buildRequest(defaults_, operation, id, params, options);
  if (const auto* error = std::get_if<Error>(&request)) return *error;
  return send(operation, id, std::get<KeyedRequest>(request), pacedRequest(operation, id, params), options,
              ResponseReader{operation, id, target});
}

}  // namespace tally::detail
