#pragma once

#include <optional>

#include <tally/options.h>

#include "codec/checks.h"

namespace tally::detail {

/// Throws std::invalid_argument, which names the option, for a number or a duration out of its range.
void checkOptions(const ClientOptions& options);

/// The first option of a call that is out of its range.
[[nodiscard]] std::optional<ParameterFault> checkOptions(const RequestOptions& options);

}  // namespace tally::detail
