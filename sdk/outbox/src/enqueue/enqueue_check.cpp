#include "enqueue/enqueue_check.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "text/fingerprint.h"
#include "text/utf8_sequence.h"

namespace tally::detail {

namespace {

/// PostgreSQL has no other texts.
std::optional<Error> checkText(std::string_view member, std::string_view text) {
  if (text.find('\0') != std::string_view::npos)
    return refusedReport(std::string{member}, "contains a NUL character");
  if (!isUtf8(text)) return refusedReport(std::string{member}, "is not UTF-8");
  return std::nullopt;
}

std::optional<Error> checkTexts(const OutboxReport& one) {
  for (const auto& [member, text] : {std::pair<std::string_view, std::string_view>{"key", one.key},
                                     {"connected_account", one.connectedAccount},
                                     {"id", one.report.id},
                                     {"attempt", one.report.attempt},
                                     {"reference", one.report.reference}})
    if (auto error = checkText(member, text)) return error;
  for (const MetadataEdit::Change& change : one.report.metadata.changes())
    if (auto error = checkText("metadata", change.key + change.value)) return error;
  return std::nullopt;
}

/// It is sent as a header.
std::optional<Error> checkAccount(std::string_view account) {
  constexpr unsigned char firstPrintable = ' ';
  constexpr unsigned char del = '\x7F';
  const auto isControl = [](unsigned char c) { return (c < firstPrintable && c != '\t') || c == del; };
  if (std::ranges::none_of(account, isControl)) return std::nullopt;
  return refusedReport("connected_account", "contains a line break or a control character");
}

std::optional<Error> checkReport(const OutboxReport& one) {
  if (auto error = checkTexts(one)) return error;
  if (auto error = one.report.check()) return error;
  return checkAccount(one.connectedAccount);
}

/// Folded to 63 bits, because the integers of SQLite are signed.
std::uint64_t positiveHash(std::string_view text) {
  const std::uint64_t hash = longFingerprint(text);
  return (hash >> 1U) ^ (hash & 1U);
}

}  // namespace

Error refusedReport(std::string member, std::string problem) {
  return Error{
      {.kind = ErrorKind::invalidParameter, .message = std::move(problem), .param = std::move(member)}};
}

Error refusedKey(std::string_view key) {
  return refusedReport("key", '\'' + std::string{key} + "' has already been used for another report");
}

Error refusedDomain(std::string_view domain) {
  return refusedReport(
      "domain", '\'' + std::string{domain} + "' has reached its limit of waiting reports, max_waiting");
}

std::optional<Error> checkReports(std::string_view domain, std::span<const OutboxReport> reports) {
  if (domain.empty()) return refusedReport("domain", "is empty");
  if (auto error = checkText("domain", domain)) return error;
  for (const OutboxReport& report : reports)
    if (auto error = checkReport(report)) return error;
  return std::nullopt;
}

std::string canonicalText(const OutboxReport& report) {
  Report sorted = report.report;
  if (!sorted.metadata.unsetsAll()) {
    auto changes = sorted.metadata.changes();
    std::ranges::sort(changes, {}, &MetadataEdit::Change::key);
    sorted.metadata = {};
    for (const MetadataEdit::Change& change : changes)
      change.unset ? sorted.metadata.unset(change.key) : sorted.metadata.set(change.key, change.value);
  }
  return report.connectedAccount + '\n' + sorted.toText();
}

std::uint64_t contentsHash(const OutboxReport& report) {
  return positiveHash(canonicalText(report));
}

std::string keyOfRemoved(std::string_view key) {
  return "hash " + std::to_string(positiveHash(key));
}

}  // namespace tally::detail
