#pragma once

#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tally/result.h>

#include "call/client_core.h"

namespace tally::detail {

template <class Model>
Result<Model> callUntyped(const ClientCore& core, const AnyOperation& operation, std::string_view id,
                          ConstObjectRef params, const RequestOptions& options) {
  Result<Model> result{boost::outcome_v2::in_place_type<Model>};
  const ObjectRef target{*operation.resource->model, &result.assume_value()};
  if (auto error = core.call(operation, id, params, options, target)) result = *std::move(error);
  return result;
}

/// Checks, sends and reads one call. Generated services consist of such calls.
template <class Params, class Model>
Result<Model> call(const ClientCore& core, const Operation<Params, Model>& operation, std::string_view id,
                   const std::type_identity_t<Params>& params, const RequestOptions& options) {
  return callUntyped<Model>(core, operation, id, refTo(operation, params), options);
}

template <class Model>
Result<Model> call(const ClientCore& core, const Operation<void, Model>& operation, std::string_view id,
                   const RequestOptions& options) {
  return callUntyped<Model>(core, operation, id, {}, options);
}

}  // namespace tally::detail
