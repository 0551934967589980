#pragma once

#include <string>

#include "engine/request_context.h"

namespace tally::fake::detail {

/// The response to a request that has one, after the effects of injected faults.
[[nodiscard]] HttpResponse respond(RequestContext&& context, std::string&& requestId);

/// The body of an empty list or search page that claims more objects follow.
[[nodiscard]] std::string emptyPage(const AnyOperation& operation);

}  // namespace tally::fake::detail
