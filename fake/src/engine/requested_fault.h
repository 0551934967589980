#pragma once

#include "engine/request_context.h"

namespace tally::fake::detail {

/// Reads the header with which a request asks for a fault, into `context`. Returns the refusal if the header
/// is malformed, or asks for what can't happen to the request.
[[nodiscard]] Fault ask(RequestContext& context);

}  // namespace tally::fake::detail
