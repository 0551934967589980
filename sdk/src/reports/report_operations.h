#pragma once

#include <string_view>

#include "schema/operation.h"

namespace tally::detail {

/// `failed` for `payment_records.report_failed`.
[[nodiscard]] std::string_view outcomeOf(const AnyOperation& operation);

/// The parameter of this kind; null if there is none.
[[nodiscard]] const Field* findParam(const Struct& params, Kind kind);

/// The prefix of what reports on the resource are about, such as `par_`; empty if they are about the object
/// itself.
[[nodiscard]] std::string_view attemptPrefixOf(const Resource& resource);

}  // namespace tally::detail
