#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "async/activity_operation.h"
#include "async/async_driver.h"
#include "async/async_engine.h"
#include "call/client_core.h"
#include "call/raw_call.h"

namespace tally::detail {

/// A call of Client::send().
class AsyncRawCall final : public ActivityOperation<RawResponse, AsyncDriver> {
 public:
  AsyncRawCall(const std::shared_ptr<AsyncEngine>& engine, const RawRequest& raw, RequestOptions options)
      : AsyncRawCall(engine, targetOf(raw), raw, std::move(options)) {}

 private:
  AsyncRawCall(const std::shared_ptr<AsyncEngine>& engine, const RawTarget& target, const RawRequest& raw,
               RequestOptions options)
      : ActivityOperation(engine, requestFor(engine->core(), target, raw, std::move(options))) {
    this->options().attempts = delivery().collectFor(this->options().attempts);
  }

  static AsyncRequest requestFor(const ClientCore& core, const RawTarget& target, const RawRequest& raw,
                                 RequestOptions options) {
    return {.operation = target.operation,
            .object = target.object,
            .request = buildRequest(core.defaults(), target, raw, options),
            .paced = pacedRequest(core, target, raw),
            .options = std::move(options),
            .queued = core.queues(target.operation, target.object)};
  }

  [[nodiscard]] std::optional<Error> read(TransportResult& result, Instant now) override {
    if (auto error = errorIn(result, operation(), now)) return error;
    return RawReader{operation(), delivery().makeValue()}.read(result, now);
  }
  void setError(const Error& error) override { delivery().setError(error); }
};

}  // namespace tally::detail
