#pragma once

#include <tally/fake/logged_request.h>

#include "har/exchange.h"

namespace tally::fake::detail {

/// A logged request as it is recorded. Its URL gets the server's name from `Host`, if it has none.
[[nodiscard]] tally::detail::Exchange exchangeOf(const LoggedRequest& request);

}  // namespace tally::fake::detail
