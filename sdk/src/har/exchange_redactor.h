#pragma once

#include <string>
#include <vector>

#include "har/exchange.h"
#include "redact/recorded_keys.h"
#include "redact/secret_text.h"

namespace tally::detail {

/// Removes secrets from exchanges before they are recorded. Keys and tokens become names: see RecordedKeys.
/// `[redacted]` replaces cookies and other credentials, fields of SecretNames, card numbers, and wherever the
/// exchange repeats one of these. Everything else keeps its bytes, except compressed bodies, which can't be
/// searched, and JSON with a secret, which becomes compact. Thread-safe.
class ExchangeRedactor {
 public:
  /// `more`: further names of fields that are secret.
  explicit ExchangeRedactor(std::vector<std::string> more = {}) : more_(std::move(more)), names_(more_) {}

  [[nodiscard]] const std::vector<std::string>& more() const noexcept { return more_; }

  [[nodiscard]] Exchange redacted(const Exchange& exchange);

 private:
  std::vector<std::string> more_;
  SecretNames names_;
  RecordedKeys keys_{};
};

}  // namespace tally::detail
