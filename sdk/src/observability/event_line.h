#pragma once

#include <string>

#include <tally/observer.h>

namespace tally::detail {

/// An event as one line, without a line break.
[[nodiscard]] std::string lineOf(const Event& event);

/// Appends what lineOf() leaves out: an error's `param` and `message`.
void appendMessages(std::string& line, const Error& error);

}  // namespace tally::detail
