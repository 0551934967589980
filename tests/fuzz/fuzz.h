#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <boost/json/parse.hpp>

namespace tally::fuzz {

/// What a target does with an input. Each target defines it once.
void test(std::string_view input);

/// Ends the process unless the invariant holds: libFuzzer then reports the input.
inline void require(bool holds, std::string_view invariant) {
  if (holds) return;
  std::cerr << "Broken: " << invariant << '\n';
  std::abort();
}

/// Makes all numbers that are not integers equal: Boost.JSON rounds them, depending on what surrounds them,
/// and reads `0e999` as something that is not a number.
inline void dropFractions(boost::json::value& json) {
  if (auto* const object = json.if_object())
    for (auto& member : *object)
      dropFractions(member.value());
  if (auto* const array = json.if_array())
    for (auto& element : *array)
      dropFractions(element);
  if (json.is_double()) json = 0.5;
}

/// What Boost.JSON parses; nothing if it refuses the text.
inline std::optional<boost::json::value> parsedJson(std::string_view text, std::size_t deepest = 1'000) {
  boost::json::parse_options options;
  options.max_depth = deepest;
  boost::system::error_code failed;
  boost::json::value json = boost::json::parse(text, failed, {}, options);
  if (failed) return std::nullopt;
  dropFractions(json);
  return json;
}

/// Choices that the bytes of an input make, one after the other. Beyond its end, each choice is the first
/// one.
class Choices {
 public:
  explicit Choices(std::string_view input) : rest_(input) {}

  [[nodiscard]] bool isOver() const { return rest_.empty(); }
  [[nodiscard]] std::string_view rest() const { return rest_; }

  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const char first = rest_.front();
    rest_.remove_prefix(1);
    return static_cast<std::uint8_t>(first);
  }
  /// `end` is at most 256.
  std::size_t below(std::size_t end) { return byte() % end; }
  bool oneIn(std::size_t times) { return below(times) + 1 == times; }
  template <class List>
  auto& oneOf(List& list) {
    return list[below(std::size(list))];
  }
  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    for (; bytes != 0; --bytes)
      value = value << 8U | byte();
    return value;
  }
  /// Up to the next `end`, which is dropped, or to the end of the input.
  std::string_view until(char end) {
    const std::string_view text = rest_.substr(0, rest_.find(end));
    rest_.remove_prefix(text.size() == rest_.size() ? text.size() : text.size() + 1);
    return text;
  }

 private:
  std::string_view rest_;
};

}  // namespace tally::fuzz
