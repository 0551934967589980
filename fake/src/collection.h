#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <tally/clock.h>

#include <boost/multi_index/hashed_index.hpp>
#include <boost/multi_index/mem_fun.hpp>
#include <boost/multi_index/ordered_index.hpp>
#include <boost/multi_index/tag.hpp>
#include <boost/multi_index_container.hpp>

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
    hold(std::string{id()}, json);
    state_ = state;
  }

 private:
  void hold(std::string_view id, std::string_view json) {
    std::string text;
    text.reserve(id.size() + json.size());
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

/// The objects of one resource in one mode of an account. Looked up by identifier in constant time, and by
/// place in the order of lists in logarithmic time.
class Collection {
 public:
  struct ById {};
  struct NewestFirst {};
  using Records = boost::multi_index_container<
      Record,
      boost::multi_index::indexed_by<
          boost::multi_index::hashed_unique<
              boost::multi_index::tag<ById>,
              boost::multi_index::const_mem_fun<Record, std::string_view, &Record::id>,
              std::hash<std::string_view>>,
          boost::multi_index::ordered_unique<
              boost::multi_index::tag<NewestFirst>,
              boost::multi_index::const_mem_fun<Record, Position, &Record::position>, std::greater<>>>>;
  using Ordered = Records::index<NewestFirst>::type;

  /// Null where there is none. Holds until something is added or replaced.
  [[nodiscard]] const Record* find(std::string_view id) const;

  /// Behind all others of the same `created`. There must be none of that identifier.
  void add(std::string_view id, std::string_view json, std::int64_t created, Instant stored,
           std::uint8_t state);

  /// Keeps the object's identifier and its place.
  void replace(std::string_view id, std::string_view json, std::uint8_t state);

  [[nodiscard]] const Ordered& newestFirst() const { return records_.get<NewestFirst>(); }

  [[nodiscard]] std::size_t size() const { return records_.size(); }

 private:
  Records records_{};
  std::uint64_t sequence_ = 0;
};

}  // namespace tally::fake::detail
