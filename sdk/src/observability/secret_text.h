#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tally::detail {

/// What a wire log shows in place of a secret.
inline constexpr std::string_view redacted = "[redacted]";

/// Which fields are secret, by their names.
class SecretNames {
 public:
  /// `more`: in addition to those of keys, passwords, cards and bank accounts.
  explicit SecretNames(const std::vector<std::string>& more);

  /// `name` is that of a member, or of a parameter with keys in brackets, of which any may be secret.
  [[nodiscard]] bool contains(std::string_view name) const;

 private:
  [[nodiscard]] bool containsPart(std::string_view part) const;

  std::vector<std::string> more_{};
};

/// The secrets of an exchange, which may appear anywhere in its texts.
class SecretTexts {
 public:
  /// Ignores texts that are too short to be told from others.
  void add(std::string_view secret);

  /// `text` without these secrets, secret API keys, credentials and card numbers.
  [[nodiscard]] std::string redact(std::string_view text) const;

 private:
  /// Appends the secret at the beginning of `text`, redacted, and returns its size; 0 if there is none.
  [[nodiscard]] std::size_t appendKnown(std::string& out, std::string_view text) const;

  std::vector<std::string> secrets_{};  // the longest first
};

}  // namespace tally::detail
