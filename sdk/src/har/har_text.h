#pragma once

#include <span>
#include <string>
#include <string_view>

#include "har/exchange.h"

// The text of a recording: HAR 1.2, with one entry on each line.

namespace tally::detail {

/// Between two entries.
inline constexpr std::string_view harSeparator = ",\n";
/// After the last entry, or after the beginning.
inline constexpr std::string_view harEnd = "\n]}}\n";

/// The text before the first entry. `names`: of the fields that the recording lacks, besides the
/// usual ones.
[[nodiscard]] std::string harBegin(std::span<const std::string> names = {});

/// Appends an entry. Bodies and values of headers that are not UTF-8 are written as base64; other bytes that
/// are not UTF-8 are percent-encoded.
void appendHarEntry(std::string& out, const Exchange& exchange);

}  // namespace tally::detail
