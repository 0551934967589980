#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <tally/clock.h>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include "packing/shared_text.h"

namespace tally::fake::detail {

/// The position of an object in list order: by creation time, then by insertion order.
struct Position {
  std::int64_t created = 0;
  std::uint64_t sequence = 0;

  /// The same as the index into what is in memory.
  [[nodiscard]] std::size_t index() const noexcept { return static_cast<std::size_t>(sequence); }

  auto operator<=>(const Position&) const = default;
};

/// A stored object: the JSON that is sent, packed. Copies share it until one of them replaces it.
class Record {
 public:
  /// `shared`, of which the JSON may repeat parts, must outlive this and its copies.
  Record(const SharedText& shared, std::string_view id, std::string_view json, Position position,
         Instant stored, std::uint8_t state)
      : content_(new Content) {
    content_->shared = &shared;
    content_->position = position;
    content_->stored = stored;
    content_->hold(id, json, state);
  }

  [[nodiscard]] std::string_view id() const noexcept {
    return std::string_view{content_->text}.substr(0, content_->idSize);
  }
  [[nodiscard]] std::string json() const {
    std::string json;
    appendJson(json);
    return json;
  }
  void appendJson(std::string& out) const { content_->shared->unpack(packed(), jsonSize(), out); }
  [[nodiscard]] std::size_t jsonSize() const noexcept { return content_->jsonSize; }
  /// The JSON as it is in memory.
  [[nodiscard]] std::string_view packed() const noexcept {
    return std::string_view{content_->text}.substr(content_->idSize);
  }
  [[nodiscard]] Position position() const noexcept { return content_->position; }
  [[nodiscard]] Instant stored() const noexcept { return content_->stored; }
  [[nodiscard]] std::uint8_t state() const noexcept { return content_->state; }

  /// Whether the two share their content.
  [[nodiscard]] bool isSame(const Record& other) const noexcept { return content_ == other.content_; }

  void replace(std::string_view json, std::uint8_t state) {
    if (content_->use_count() > 1) {
      *this = Record{*content_->shared, id(), json, position(), stored(), state};
      return;
    }
    content_->hold(std::string{id()}, json, state);
  }

 private:
  struct Content : boost::intrusive_ref_counter<Content> {
    Position position{};
    Instant stored{};
    const SharedText* shared = nullptr;
    std::string text{};  // the identifier, then the packed JSON, in one allocation
    std::uint32_t idSize = 0;
    std::uint32_t jsonSize = 0;
    std::uint8_t state = 0;

    /// Reserves spare capacity, so that small changes need no reallocation. Freed blocks would lie idle, as
    /// they are slightly too small for later versions.
    void hold(std::string_view id, std::string_view json, std::uint8_t newState) {
      std::string held;
      held.reserve(id.size() + json.size() / 2);
      held = id;
      shared->pack(json, held);
      if (held.size() > text.capacity() || held.size() < text.capacity() / 2) {
        std::string fitting;
        fitting.reserve(held.size() + held.size() / 16);
        text.swap(fitting);
      }
      text = held;
      idSize = static_cast<std::uint32_t>(id.size());
      jsonSize = static_cast<std::uint32_t>(json.size());
      state = newState;
    }
  };

  boost::intrusive_ptr<Content> content_;
};

}  // namespace tally::fake::detail
