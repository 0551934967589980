#pragma once

#include <string>

#include "engine/request_context.h"

namespace tally::fake::detail {

/// The response to a request that has one, after the effects of injected faults. Moves its parts out of
/// `context`.
[[nodiscard]] HttpResponse respond(RequestContext& context);

/// Cuts or corrupts a body, if that is the fault.
void spoil(fake::Fault fault, std::string& body);

/// The body of an empty list or search page that claims more objects follow.
[[nodiscard]] std::string emptyPage(const AnyOperation& operation);

}  // namespace tally::fake::detail
