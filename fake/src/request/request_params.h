#pragma once

#include <string>
#include <string_view>

#include "request/request_head.h"
#include "tables/any_object.h"
#include "tables/refusal.h"

namespace tally::fake::detail {

/// The parameters of a request, or what is wrong with them.
struct RequestParams {
  AnyObject object{};  // empty where the operation has none
  Fault fault{};
};

/// Reads them from where the operation has them: the query of a GET, the body of a POST. Whatever stands in
/// the other place is unknown to the operation.
[[nodiscard]] RequestParams readParams(const Operation& operation, std::string_view query,
                                       const std::string* contentType, std::string_view body);

/// Whether a body of that `Content-Type` is read as a form: also without one, which is null.
[[nodiscard]] bool isForm(const std::string* contentType);

}  // namespace tally::fake::detail
