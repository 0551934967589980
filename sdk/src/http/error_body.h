#pragma once

#include <string_view>

#include <tally/error.h>

namespace tally::detail {

/// Reads `type`, `code`, `message` and `param` of the body of an error into `error`, as far as they can be
/// read: whether there was any of them.
///
/// No document says what such a body looks like, and something on the way may have changed it. So what is
/// wrong in one place is no reason to lose what stands in another: a value of another type, a name given
/// twice, of which the last value that can be read counts, bytes that are no text, an end that is missing.
/// The members may stand in `error`, or, where they are not there, in the body itself.
bool readErrorBody(std::string_view body, Error::Details& error);

}  // namespace tally::detail
