#include <optional>
#include <ostream>

#include <tally/options.h>
#include <tally/raw_request.h>
#include <tally/retry_policy.h>

#include "print/value_line.h"

// Printed text may end up in a log, so keys appear as `set`, and of headers only what http_printer.cpp shows.

namespace [[gnu::visibility("default")]] tally {

using detail::ValueLine;

namespace {

std::optional<Application> given(const Application& value) {
  return value.name.empty() ? std::nullopt : std::optional{value};
}

ValueLine describe(const ReadsUsed& value) {
  return ValueLine{"ReadsUsed"}
      .add("own", value.own)
      .add("onBehalf", value.onBehalf)
      .add("otherKeys", value.otherKeys);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Backoff& value) {
  return out << ValueLine{"Backoff"}
                    .add("initial", value.initial)
                    .add("cap", value.cap)
                    .add("retryAfterCap", value.retryAfterCap);
}

std::ostream& operator<<(std::ostream& out, const FailedAttempt& value) {
  return out << ValueLine{"FailedAttempt"}
                    .add("error", value.error)
                    .add("operation", value.operation)
                    .add("attempt", value.attempt)
                    .add("time", value.time)
                    .add("deadline", value.deadline)
                    .add("waitByDefault", value.waitByDefault);
}

std::ostream& operator<<(std::ostream& out, const RetryBudget& value) {
  return out << ValueLine{"RetryBudget"}
                    .add("maxTokens", value.maxTokens)
                    .add("tokensPerSuccess", value.tokensPerSuccess);
}

std::ostream& operator<<(std::ostream& out, const MutationQueue& value) {
  return out << ValueLine{"MutationQueue"}.add("enabled", value.enabled).add("maxWaiting", value.maxWaiting);
}

std::ostream& operator<<(std::ostream& out, const MutationCounts& value) {
  return out << ValueLine{"MutationCounts"}.add("inProgress", value.inProgress).add("waiting", value.waiting);
}

std::ostream& operator<<(std::ostream& out, const Application& value) {
  return out << ValueLine{"Application"}.add("name", value.name).add("version", value.version);
}

std::ostream& operator<<(std::ostream& out, const ClientOptions& value) {
  return out << ValueLine{"ClientOptions"}
                    .addSet("apiKey", !value.apiKey.empty())
                    .addSet("apiKeyProvider", value.apiKeyProvider != nullptr)
                    .addAddress("baseUrl", value.baseUrl)
                    .add("connectedAccount", value.connectedAccount)
                    .add("application", given(value.application))
                    .add("maxNetworkRetries", value.maxNetworkRetries)
                    .add("retryRateLimited", value.retryRateLimited)
                    .add("backoff", value.backoff)
                    .add("retryBudget", value.retryBudget)
                    .addSet("retryPolicy", value.retryPolicy != nullptr)
                    .add("timeout", value.timeout)
                    .add("mutationQueue", value.mutationQueue)
                    .addSet("pacer", value.pacer != nullptr)
                    .add("readsUsedBefore", describe(value.readsUsedBefore))
                    .add("headers", value.headers)
                    .addSet("attemptHeaders", value.attemptHeaders != nullptr)
                    .add("markAttempts", value.markAttempts)
                    .add("http", value.http)
                    .addSet("transport", value.transport != nullptr)
                    .addSet("clock", value.clock != nullptr)
                    .addSet("observer", value.observer != nullptr)
                    .add("jitterSeed", value.jitterSeed);
}

// The namespace of a public header does not make a friend visible that only its class declares.

std::ostream& operator<<(std::ostream& out, const Param& value) {
  return out << ValueLine{"Param"}.add("name", value.name).add("value", value.value);
}

std::ostream& operator<<(std::ostream& out, const RawRequest& value) {
  return out << ValueLine{"RawRequest"}
                    .add("method", value.method)
                    .add("path", value.path)
                    .add("params", value.params)
                    .addSize("json", value.json.text);
}

std::ostream& operator<<(std::ostream& out, const RawResponse& value) {
  return out
         << ValueLine{"RawResponse"}.addSize("json", value.json.text).add("lastResponse", value.lastResponse);
}

std::ostream& operator<<(std::ostream& out, const RequestOptions& value) {
  return out << ValueLine{"RequestOptions"}
                    .addSet("apiKey", value.apiKey.has_value())
                    .add("connectedAccount", value.connectedAccount)
                    .add("timeout", value.timeout)
                    .add("maxNetworkRetries", value.maxNetworkRetries)
                    .add("retryRateLimited", value.retryRateLimited)
                    .addSet("retryPolicy", value.retryPolicy != nullptr)
                    .add("totalTimeout", value.totalTimeout)
                    .add("deadline", value.deadline)
                    .addSet("stop", value.stop.stop_possible())
                    .add("headers", value.headers)
                    .add("extraParams", value.extraParams)
                    .addSet("attempts", value.attempts != nullptr);
}

}  // namespace tally
