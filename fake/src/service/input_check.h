#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "tables/catalog.h"

namespace tally::fake::detail {

// Checks of what a test passes to the service. They throw std::invalid_argument.

/// The resource with that name.
[[nodiscard]] const ResourceType& typeNamed(const Catalog& catalog, std::string_view name);

/// The operation with that name.
[[nodiscard]] const AnyOperation& operationNamed(const Catalog& catalog, std::string_view name);

/// The number of things, such as `transaction`, is at least one, and so small that sums can't overflow.
void checkCount(std::int64_t count, std::string_view what);

/// What is saved as JSON has to be UTF-8.
void checkText(std::string_view what, std::string_view text);

/// From 0 to 100 years.
void checkDuration(std::chrono::nanoseconds duration);
void checkDuration(std::chrono::seconds duration);

}  // namespace tally::fake::detail
