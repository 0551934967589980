#pragma once

#include <string_view>
#include <variant>

#include <tally/error.h>
#include <tally/options.h>

#include "operation.h"

namespace tally::detail {

/// The names of the parameters that say where a page begins.
namespace cursor {
inline constexpr std::string_view startingAfter = "starting_after";
inline constexpr std::string_view endingBefore = "ending_before";
inline constexpr std::string_view page = "page";
}  // namespace cursor

/// A call as bytes, without the cursors of a list or a search, or what is wrong with it.
[[nodiscard]] std::variant<HttpRequest, Error> buildRequest(const ClientOptions& client,
                                                            const Operation& operation, std::string_view id,
                                                            const void* params,
                                                            const RequestOptions& options);

}  // namespace tally::detail
