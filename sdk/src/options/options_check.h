#pragma once

#include <optional>

#include <tally/options.h>

#include "form/validation.h"

namespace tally::detail {

/// Throws std::invalid_argument, naming the option, if a number or duration is out of range.
void checkOptions(const ClientOptions& options);

/// The first option of a call that is out of range.
[[nodiscard]] std::optional<ParameterFault> checkOptions(const RequestOptions& options);

}  // namespace tally::detail
