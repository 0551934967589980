#pragma once

#include <tally/detail/cpp20.h>

#include <string>
#include <string_view>

#include <tally/fake/service.h>

namespace tally::fake {

/// A service as JSON text: its accounts with their keys, tokens and connections; their objects, as the API
/// shows them, with their states; the counts of limits and read allocations; the limits, durations and faults
/// that were set; the time; and the positions of the generators of identifiers. The same state gives the same
/// bytes, always JSON in UTF-8; bytes of a fault rule that are not UTF-8 are in base64. Not included: the
/// log, what a test holds, and requests in progress, which count as finished. Thread-safe.
[[nodiscard]] std::string exportJson(const Service& service);

/// A service as exportJson() wrote it: it handles further requests as the original would, with the same
/// identifiers, cursors, refusals and bytes of each object. A running clock that is behind real time catches
/// up with it. Throws std::invalid_argument with the place and the problem if `json` is malformed or has
/// another version.
[[nodiscard]] Service importJson(std::string_view json);

}  // namespace tally::fake
