#include "core.h"

#include <random>

#include <tally/curl_transport.h>

#include "attempts.h"
#include "blocking_driver.h"
#include "random.h"
#include "request_builder.h"

namespace tally::detail {

namespace {

ClientOptions completed(ClientOptions options) {
  if (options.clock == nullptr) options.clock = systemClock();
  if (options.transport == nullptr) options.transport = curlTransport(options.clock);
  if (!options.jitterSeed) options.jitterSeed = std::random_device{}();
  return options;
}

RetryPolicy retryPolicy(const ClientOptions& client, const RequestOptions& call) {
  return {.maxNetworkRetries = call.maxNetworkRetries.value_or(client.maxNetworkRetries),
          .retryRateLimited = call.retryRateLimited.value_or(client.retryRateLimited),
          .backoff = client.backoff,
          .timeout = call.timeout.value_or(client.timeout),
          .deadline = call.deadline};
}

}  // namespace

Core::Core(ClientOptions options) : options_(completed(std::move(options))) {}

std::uint64_t Core::nextJitterSeed() const noexcept {
  std::uint64_t state = *options_.jitterSeed + calls_.fetch_add(1, std::memory_order_relaxed);
  return nextRandom(state);
}

std::optional<Error> Core::send(const Operation& operation, const HttpRequest& request,
                                const RequestOptions& options, const Reader& reader) const {
  Attempts attempts{retryPolicy(options_, options), operation.name, nextJitterSeed()};
  return drive(attempts, request, reader, *options_.transport, *options_.clock, options.stop);
}

std::optional<Error> Core::call(const Operation& operation, std::string_view id, const void* params,
                                const RequestOptions& options, const Struct& type, void* target) const {
  const auto request = buildRequest(options_, operation, id, params, options);
  if (const auto* error = std::get_if<Error>(&request)) return *error;
  return send(operation, std::get<HttpRequest>(request), options, AnswerReader{operation, type, target});
}

}  // namespace tally::detail
