#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tally::test {

/// A message of PostgreSQL's protocol, with its header.
struct PostgresMessage {
  char type = '\0';  // '\0': the first message of a client, which has none
  std::string bytes{};
};

/// Splits what one side of a connection to PostgreSQL says into messages: a type, then a length in four
/// bytes, which includes itself. For connections without encryption.
class MessageSplitter {
 public:
  explicit MessageSplitter(bool beginsWithoutType) : isWithoutType_(beginsWithoutType) {}

  void append(std::string_view bytes) { bytes_ += bytes; }

  /// Empty until the rest of the next message has arrived.
  [[nodiscard]] std::optional<PostgresMessage> next() {
    const std::size_t header = isWithoutType_ ? 0 : 1;
    if (bytes_.size() < header + 4) return std::nullopt;
    std::size_t length = 0;
    for (std::size_t at = 0; at < 4; ++at)
      length = length * 256 + static_cast<std::uint8_t>(bytes_[header + at]);
    if (bytes_.size() < header + length) return std::nullopt;
    const char type = std::exchange(isWithoutType_, false) ? '\0' : bytes_.front();
    PostgresMessage message{.type = type, .bytes = bytes_.substr(0, header + length)};
    bytes_.erase(0, header + length);
    return message;
  }

 private:
  bool isWithoutType_;
  std::string bytes_{};
};

}  // namespace tally::test
