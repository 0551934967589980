#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <tally/clock.h>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

namespace tally::fake::detail {

/// The position of an object in list order: by creation time, then by insertion order.
struct Position {
  std::int64_t created = 0;
  std::uint64_t sequence = 0;

  /// The same as the index into what is in memory.
  [[nodiscard]] std::size_t index() const noexcept { return static_cast<std::size_t>(sequence); }

  auto operator<=>(const Position&) const = default;
};

/// A stored object, as the JSON that is sent. Copies share it until one of them replaces it.
class Record {
 public:
  Record(std::string_view id, std::string_view json, Position position, Instant stored, std::uint8_t state)
      : content_(new Content) {
    content_->position = position;
    content_->stored = stored;
    content_->idSize = static_cast<std::uint32_t>(id.size());
    content_->state = state;
    content_->hold(id, json);
  }

  [[nodiscard]] std::string_view id() const noexcept {
    return std::string_view{content_->text}.substr(0, content_->idSize);
  }
  [[nodiscard]] std::string_view json() const noexcept {
    return std::string_view{content_->text}.substr(content_->idSize);
  }
  [[nodiscard]] Position position() const noexcept { return content_->position; }
  [[nodiscard]] Instant stored() const noexcept { return content_->stored; }
  [[nodiscard]] std::uint8_t state() const noexcept { return content_->state; }

  /// Whether the two share their content.
  [[nodiscard]] bool isSame(const Record& other) const noexcept { return content_ == other.content_; }

  void replace(std::string_view json, std::uint8_t state) {
    if (content_->use_count() > 1) {
      *this = Record{id(), json, position(), stored(), state};
      return;
    }
    content_->state = state;
    std::string& text = content_->text;
    const std::size_t size = content_->idSize + json.size();
    if (size <= text.capacity() && size >= text.capacity() / 2) {
      text.replace(content_->idSize, std::string::npos, json);
    } else {
      content_->hold(std::string{id()}, json);
    }
  }

 private:
  struct Content : boost::intrusive_ref_counter<Content> {
    Position position{};
    Instant stored{};
    std::string text{};  // the identifier, then the JSON, in one allocation
    std::uint32_t idSize = 0;
    std::uint8_t state = 0;

    /// Reserves spare capacity, so that small changes need no reallocation. Freed blocks would lie idle, as
    /// they are slightly too small for later versions.
    void hold(std::string_view id, std::string_view json) {
      const std::size_t size = id.size() + json.size();
      std::string held;
      held.reserve(size + size / 16);
      held += id;
      held += json;
      text.swap(held);
    }
  };

  boost::intrusive_ptr<Content> content_;
};

}  // namespace tally::fake::detail
