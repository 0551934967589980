#pragma once

#include <string_view>

#include <tally/error.h>

namespace tally::detail {

/// Reads `type`, `code`, `message` and `param` of an error's body into `error`, as far as they can be read.
/// Returns whether any was found. Sets `fromService` if the type is one of the service's.
///
/// The format of such a body is undocumented, and an intermediary may have changed it. Damage in one place
/// therefore does not lose values elsewhere: other types, duplicate names (the last readable value counts),
/// invalid UTF-8, a missing end. The members may be in `error` or, if absent there, at the top level.
bool readErrorBody(std::string_view body, Error::Details& error);

}  // namespace tally::detail
