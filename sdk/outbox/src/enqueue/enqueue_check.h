#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <tally/error.h>
#include <tally/outbox_report.h>

namespace tally::detail {

/// The error of a report that can't be enqueued, because a member is wrong.
[[nodiscard]] Error refusedReport(std::string member, std::string problem);

/// The error of a key that was given for another report.
[[nodiscard]] Error refusedKey(std::string_view key);

/// The error of a domain in which too many reports wait.
[[nodiscard]] Error refusedDomain(std::string_view domain);

/// Why these reports can't be enqueued in the domain, whatever it contains; empty if they can. The schema of
/// PostgreSQL checks the same, for other languages.
[[nodiscard]] std::optional<Error> checkReports(std::string_view domain,
                                                std::span<const OutboxReport> reports);

/// The text that a key identifies: the same for the same report, whatever the order of its metadata.
[[nodiscard]] std::string canonicalText(const OutboxReport& report);

/// A hash of canonicalText() with 63 bits, the same in every process. It outlives the report, so that a late
/// repetition of its key is recognized when the contents are gone.
[[nodiscard]] std::uint64_t contentsHash(const OutboxReport& report);

/// The hash that a store keeps instead of the key of a removed report.
[[nodiscard]] std::string keyOfRemoved(std::string_view key);

}  // namespace tally::detail
