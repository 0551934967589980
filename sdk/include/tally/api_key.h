#pragma once

#include <tally/detail/cpp20.h>

#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>

namespace [[gnu::visibility("default")]] tally {

/// An API key or OAuth access token, which can't be printed or compared by accident. Its memory is
/// overwritten before it is released. Requests contain copies, which this class can't overwrite.
///
/// As thread-safe as a std::string.
class ApiKey {
 public:
  /// No key.
  ApiKey() noexcept = default;
  // NOLINTBEGIN(google-explicit-constructor): a key is a string
  ApiKey(std::string_view text) : text_(text) {}
  ApiKey(const char* text) : text_(text) {}
  ApiKey(std::string text) noexcept : text_(std::move(text)) {}
  // NOLINTEND(google-explicit-constructor)
  ApiKey(const ApiKey&) = default;
  ApiKey(ApiKey&& other) noexcept;
  ApiKey& operator=(const ApiKey& other);
  ApiKey& operator=(ApiKey&& other) noexcept;
  ~ApiKey() { wipe(); }

  [[nodiscard]] bool empty() const noexcept { return text_.empty(); }

  /// The key as text. Valid until this key is changed or destroyed.
  [[nodiscard]] std::string_view reveal() const noexcept { return text_; }

  /// Whether `other` is the same key. For keys of equal length, the time taken does not depend on where they
  /// differ.
  [[nodiscard]] bool isSameAs(const ApiKey& other) const noexcept;

  bool operator==(const ApiKey&) const = delete;
  friend std::ostream& operator<<(std::ostream& out, const ApiKey& key) = delete;
  /// GoogleTest finds this function by its name. Without it, GoogleTest would print the bytes of a key.
  friend void PrintTo(const ApiKey& key, std::ostream* out);

 private:
  void wipe() noexcept;

  std::string text_{};
};

}  // namespace tally
