#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <tally/clock.h>

namespace tally::fake::detail {

/// Where an object stands in the order of lists: by its time, then by the order in which it was stored.
struct Position {
  std::int64_t created = 0;
  std::uint64_t sequence = 0;

  auto operator<=>(const Position&) const = default;
};

/// One object of the store, as the JSON that is sent.
class Record {
 public:
  Record(std::string_view id, std::string_view json, Position position, Instant stored, std::uint8_t state)
      : position_(position), stored_(stored), idSize_(static_cast<std::uint32_t>(id.size())), state_(state) {
    hold(id, json);
  }

  [[nodiscard]] std::string_view id() const noexcept { return std::string_view{text_}.substr(0, idSize_); }
  [[nodiscard]] std::string_view json() const noexcept { return std::string_view{text_}.substr(idSize_); }
  [[nodiscard]] Position position() const noexcept { return position_; }
  [[nodiscard]] Instant stored() const noexcept { return stored_; }
  [[nodiscard]] std::uint8_t state() const noexcept { return state_; }

  void replace(std::string_view json, std::uint8_t state) {
    const std::size_t size = idSize_ + json.size();
    if (size <= text_.capacity() && size >= text_.capacity() / 2) {
      text_.replace(idSize_, std::string::npos, json);
    } else {
      hold(std::string{id()}, json);
    }
    state_ = state;
  }

 private:
  /// Leaves room to grow, so that a change that adds a little needs no other block: the old ones, a little
  /// too small for what comes after them, would lie idle.
  void hold(std::string_view id, std::string_view json) {
    const std::size_t size = id.size() + json.size();
    std::string text;
    text.reserve(size + size / 16);
    text += id;
    text += json;
    text_.swap(text);
  }

  std::string text_{};  // the identifier, then the JSON: one block for both
  Position position_;
  Instant stored_;
  std::uint32_t idSize_;
  std::uint8_t state_;
};

}  // namespace tally::fake::detail
