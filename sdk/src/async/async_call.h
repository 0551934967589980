#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tally/call.h>
#include <tally/call_options.h>

#include "async/async_driver.h"
#include "async/async_engine.h"
#include "async/delivery.h"

namespace tally::detail {

/// A call that reads a `T`.
template <class T>
class AsyncModelCall final : public AsyncOperation<T>, public AsyncDriver {
 public:
  using AsyncDriver::AsyncDriver;

  void start(Continuation<T>& continuation) override {
    delivery_.to(continuation);
    engine().start(*this);
  }

  void abandon() noexcept override {
    delivery_.abandon();
    signal(canceling);
  }

 private:
  [[nodiscard]] std::optional<Error> read(TransportResult& result, Instant now) override {
    if (auto error = errorIn(result, operation(), now)) return error;
    T& model = delivery_.makeValue();
    return ResponseReader{operation(), {*operation().resource->model, &model}}.read(result, now);
  }
  void setError(const Error& error) override { delivery_.setError(error); }
  void complete() override { delivery_.complete(); }

  Delivery<T> delivery_{};
};

/// What a call sends. `params` may be empty.
[[nodiscard]] AsyncRequest asyncRequest(const ClientCore& core, const AnyOperation& operation,
                                        std::string_view id, ConstObjectRef params, RequestOptions options);

template <class Model>
Call<Model> asyncCallUntyped(const std::shared_ptr<AsyncEngine>& engine, const AnyOperation& operation,
                             std::string_view id, ConstObjectRef params, const CallOptions& options) {
  return Call<Model>{std::make_unique<AsyncModelCall<Model>>(
      engine, asyncRequest(engine->core(), operation, id, params, own(options)))};
}

/// Prepares a call. Generated services consist of such calls.
template <class Params, class Model>
Call<Model> asyncCall(const std::shared_ptr<AsyncEngine>& engine, const Operation<Params, Model>& operation,
                      std::string_view id, const std::type_identity_t<Params>& params,
                      const CallOptions& options) {
  return asyncCallUntyped<Model>(engine, operation, id, refTo(operation, params), options);
}

template <class Model>
Call<Model> asyncCall(const std::shared_ptr<AsyncEngine>& engine, const Operation<void, Model>& operation,
                      std::string_view id, const CallOptions& options) {
  return asyncCallUntyped<Model>(engine, operation, id, {}, options);
}

}  // namespace tally::detail
