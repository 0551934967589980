#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tally::detail {

/// What is shown in place of a secret.
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
  std::bitset<1'024> endings_{};  // of all names
};

class RecordedKeys;

/// The secrets of an exchange, which may appear anywhere in its texts.
class SecretTexts {
 public:
  SecretTexts() = default;
  /// Replaces secret API keys by their names in a recording, and ignores texts of fewer bytes than
  /// `shortest`. `keys` must outlive this.
  SecretTexts(RecordedKeys& keys, std::size_t shortest) : keys_(&keys), shortest_(shortest) {}

  /// Ignores texts that are too short to be distinguished from others.
  void add(std::string_view secret, std::string_view replacement = redacted);

  /// How many were added.
  [[nodiscard]] std::size_t count() const noexcept { return added_.size(); }

  /// `text` without these secrets, secret API keys, credentials and card numbers. All of it is replaced if
  /// there are more secrets than any service has a reason to send: the search would take too long.
  [[nodiscard]] std::string redact(std::string_view text) const;

 private:
  static constexpr std::size_t tooMany = 1'000;

  struct Added {
    std::string text;
    std::string replacement;
  };

  [[nodiscard]] bool hasTooMany() const noexcept { return added_.size() >= tooMany; }
  /// Appends the replacement of the secret at the beginning of `text`, and returns the size of the secret; 0
  /// if there is none.
  [[nodiscard]] std::size_t appendReplacement(std::string& out, std::string_view text, bool inWord) const;
  [[nodiscard]] std::size_t appendKnown(std::string& out, std::string_view text) const;
  [[nodiscard]] std::size_t appendRecognized(std::string& out, std::string_view text) const;

  RecordedKeys* keys_ = nullptr;
  std::size_t shortest_ = 3;
  std::vector<Added> added_{};          // the longest first
  std::array<bool, 256> beginnings_{};  // of the added ones
};

}  // namespace tally::detail
