#pragma once

#include <string>
#include <string_view>

namespace tally::fake::detail {

/// The API description as one OpenAPI document, in JSON.
[[nodiscard]] const std::string& apiDocument();

/// The description of the control API in OpenAPI, in JSON.
[[nodiscard]] std::string_view controlDocument();

}  // namespace tally::fake::detail
