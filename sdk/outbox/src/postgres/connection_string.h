#pragma once

#include <string>

namespace tally::detail {

/// Throws std::invalid_argument for what libpq would refuse in words that contain a part of the password: a
/// string that it can't read, or in which it mistakes a part of the password for a host, a port or the name
/// of a database.
void checkConnectionString(const std::string& text);

}  // namespace tally::detail
