#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>

#include <tally/detail/report_kinds.h>
#include <tally/outbox.h>

#include "text/fingerprint.h"
#include "worker/store.h"

namespace tally::detail {

/// What marks a report on its object: the same for each attempt, and another one for each retry.
[[nodiscard]] inline std::string markerOf(std::string_view domain, std::string_view key,
                                          std::uint32_t retry) {
  const std::string text = std::string{domain} + '\n' + std::string{key};
  const std::string reversed{text.rbegin(), text.rend()};
  std::array<char, 32> marker{};
  (void)std::snprintf(marker.data(), marker.size(), "%08x%08x-%u", fingerprint(text), fingerprint(reversed),
                      retry);
  return marker.data();
}

/// Adds the marker to a report whose kind takes metadata, unless the report unsets all of it or edits that
/// key itself.
inline void mark(Report& report, const OutboxDomain& domain, const Head& head) {
  static const std::vector<ReportKind> kinds = reportKinds();
  const auto kind = std::ranges::find_if(kinds, [&](const ReportKind& one) {
    return report.id.starts_with(one.idPrefix) && one.outcome == report.outcome;
  });
  if (domain.markerKey.empty() || kind == kinds.end() || !kind->takesMetadata || report.metadata.unsetsAll())
    return;
  if (std::ranges::count(report.metadata.changes(), domain.markerKey, &MetadataEdit::Change::key) != 0)
    return;
  report.metadata.set(domain.markerKey, markerOf(domain.name, head.key, head.retry));
}

}  // namespace tally::detail
