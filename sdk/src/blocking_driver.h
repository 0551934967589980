#pragma once

#include <optional>
#include <stop_token>

#include <tally/clock.h>
#include <tally/transport.h>

#include "answer.h"
#include "attempts.h"

namespace tally::detail {

/// Carries out the steps that `attempts` asks for in the calling thread, until the call is over. Null when it
/// went well.
[[nodiscard]] std::optional<Error> drive(Attempts& attempts, const HttpRequest& request, const Reader& reader,
                                         Transport& transport, Clock& clock, const std::stop_token& stop);

}  // namespace tally::detail
