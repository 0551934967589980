#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include <tally/result.h>

#include "call/client_core.h"

namespace tally::detail {

/// Checks, sends and reads one call. Generated services consist of such calls.
template <class T>
Result<T> call(const ClientCore& core, const Operation& operation, std::string_view id, const void* params,
               const RequestOptions& options) {
  Result<T> result{boost::outcome_v2::in_place_type<T>};
  if (auto error = core.call(operation, id, params, options, Schema<T>::value, &result.assume_value()))
    result = *std::move(error);
  return result;
}

}  // namespace tally::detail
