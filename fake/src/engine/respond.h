#pragma once

#include <string>

#include "engine/visit.h"

namespace tally::fake::detail {

/// The answer to a visit that ends in one, as bytes, with what a script does to them.
[[nodiscard]] HttpResponse respond(Visit&& visit, std::string&& requestId);

/// An empty page of a list or a search that claims that more follow.
[[nodiscard]] std::string emptyPage(const Operation& operation);

}  // namespace tally::fake::detail
