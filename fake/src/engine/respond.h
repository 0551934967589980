#pragma once

#include <string>

#include "engine/visit.h"

namespace tally::fake::detail {

/// The response to a visit that has one, after the effects of injected faults.
[[nodiscard]] HttpResponse respond(Visit&& visit, std::string&& requestId);

/// The body of an empty list or search page that claims more objects follow.
[[nodiscard]] std::string emptyPage(const Operation& operation);

}  // namespace tally::fake::detail
