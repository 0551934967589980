#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "json/model_json.h"

// The bodies of toJson() and fromJson(). Generated code instantiates them for each model, so that users'
// files need not know the tables.

namespace [[gnu::visibility("default")]] tally {

template <class T>
std::string toJson(const T& object) {
  return detail::jsonOf(detail::refTo(object));
}

template <class T>
Result<T> fromJson(std::string_view json) {
  Result<T> object{boost::outcome_v2::in_place_type<T>};
  if (auto error = detail::readModel(json, detail::refTo(object.assume_value()))) return *std::move(error);
  return object;
}

}  // namespace tally
