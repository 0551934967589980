#pragma once

#include <string>
#include <string_view>

#include "request/request_head.h"
#include "tables/refusal.h"
#include "tables/schema_types.h"

namespace tally::fake::detail {

/// The parameters of a request, or what is wrong with them.
struct RequestParams {
  AnyObject object{};  // empty if the operation has no parameters
  Fault fault{};
};

/// Reads the parameters from the query of a GET or the body of a POST. Parameters in the other place are
/// refused as unknown.
[[nodiscard]] RequestParams readParams(const AnyOperation& operation, std::string_view query,
                                       const std::string* contentType, std::string_view body);

/// Whether a body with this `Content-Type` is parsed as a form. A missing header (null) means yes.
[[nodiscard]] bool isForm(const std::string* contentType);

/// Whether a body may be a JSON object: whether it begins like one, after white space.
[[nodiscard]] bool beginsLikeJsonObject(std::string_view body);

}  // namespace tally::fake::detail
