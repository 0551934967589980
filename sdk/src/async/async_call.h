#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tally/borrowed.h>
#include <tally/call.h>

#include "async/activity_operation.h"
#include "async/async_driver.h"
#include "async/async_engine.h"

namespace tally::detail {

/// A call that reads a `T`.
template <class T>
class AsyncModelCall final : public ActivityOperation<T, AsyncDriver> {
 public:
  AsyncModelCall(std::shared_ptr<AsyncEngine> engine, AsyncRequest&& request)
      : ActivityOperation<T, AsyncDriver>(std::move(engine), std::move(request)) {
    this->options().attempts = this->delivery().collectFor(this->options().attempts);
  }

 private:
  [[nodiscard]] std::optional<Error> read(TransportResult& result, Instant now) override {
    const AnyOperation& operation = this->operation();
    if (auto error = errorIn(result, operation, now)) return error;
    T& model = this->delivery().makeValue();
    return ResponseReader{operation, this->object(), {*operation.resource->model, &model}}.read(result, now);
  }
  void setError(const Error& error) override { this->delivery().setError(error); }
};

/// What a call sends. `params` may be empty.
[[nodiscard]] AsyncRequest asyncRequest(const ClientCore& core, const AnyOperation& operation,
                                        std::string_view id, ConstObjectRef params, RequestOptions options);

template <class Model>
Call<Model> asyncCallUntyped(const std::shared_ptr<AsyncEngine>& engine, const AnyOperation& operation,
                             std::string_view id, ConstObjectRef params,
                             const Borrowed<RequestOptions>& options) {
  return Call<Model>{std::make_unique<AsyncModelCall<Model>>(
      engine, asyncRequest(engine->core(), operation, id, params, options))};
}

/// Prepares a call. Generated services consist of such calls.
template <class Params, class Model>
Call<Model> asyncCall(const std::shared_ptr<AsyncEngine>& engine, const Operation<Params, Model>& operation,
                      std::string_view id, const std::type_identity_t<Params>& params,
                      const Borrowed<RequestOptions>& options) {
  return asyncCallUntyped<Model>(engine, operation, id, refTo(operation, params), options);
}

template <class Model>
Call<Model> asyncCall(const std::shared_ptr<AsyncEngine>& engine, const Operation<void, Model>& operation,
                      std::string_view id, const Borrowed<RequestOptions>& options) {
  return asyncCallUntyped<Model>(engine, operation, id, {}, options);
}

}  // namespace tally::detail
