// Changes values, names and elements of inputs that are JSON, so that most inputs are JSON; changes bytes of
// the others. An input may have several documents, with lines `---` between them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

// Defined by libFuzzer: changes some bytes, and returns the new size.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t largest);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t largest,
                                               unsigned seed);

namespace tally::fuzz {

namespace {

namespace json = boost::json;

constexpr std::string_view separator = "\n---\n";

class JsonMutator {
 public:
  JsonMutator(json::value& document, unsigned seed) : random_(seed) { collect(document); }

  void mutate() {
    json::value& value = *values_[below(values_.size())];
    const std::size_t kind = below(8);
    if (kind == 0) {
      value = json::value{*values_[below(values_.size())]};
    } else if (kind == 1) {
      value = unusual();
    } else if (json::object* const object = value.if_object()) {
      change(*object);
    } else if (json::array* const array = value.if_array()) {
      change(*array);
    } else if (json::string* const text = value.if_string()) {
      change(*text);
    } else {
      value = number(value);
    }
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }

  void collect(json::value& value) {
    values_.push_back(&value);
    if (json::object* const object = value.if_object())
      for (auto& member : *object) {
        names_.emplace_back(member.key());
        collect(member.value());
      }
    if (json::array* const array = value.if_array())
      for (json::value& element : *array)
        collect(element);
  }

  json::value unusual() {
    const json::value values[] = {nullptr, true, "", 0, -1, 0.5, json::array{}, json::object{}};
    return values[below(std::size(values))];
  }

  json::value number(const json::value& before) {
    constexpr std::int64_t numbers[] = {0, 1, -1, 255, 2'147'483'647, INT64_MAX, INT64_MIN};
    if (!before.is_int64() || below(2) == 0) return numbers[below(std::size(numbers))];
    const auto unsigned64 = static_cast<std::uint64_t>(before.as_int64());
    return static_cast<std::int64_t>(unsigned64 + below(3) - 1);
  }

  void change(json::object& object) {
    const json::value copy{*values_[below(values_.size())]};
    if (!object.empty() && below(2) == 0)
      object.erase(std::next(object.begin(), static_cast<std::ptrdiff_t>(below(object.size()))));
    if (!names_.empty() && below(2) == 0) object[names_[below(names_.size())]] = copy;
  }

  void change(json::array& array) {
    if (array.empty()) return array.push_back(json::value{*values_[below(values_.size())]});
    const auto at = std::next(array.begin(), static_cast<std::ptrdiff_t>(below(array.size())));
    if (below(2) == 0) {
      array.erase(at);
    } else {
      const json::value copy{*at};
      array.insert(at, copy);
    }
  }

  static void change(json::string& text) {
    constexpr std::size_t room = 16;
    std::vector<std::uint8_t> bytes(text.begin(), text.end());
    bytes.resize(text.size() + room);
    bytes.resize(LLVMFuzzerMutate(bytes.data(), text.size(), bytes.size()));
    text.assign(bytes.begin(), bytes.end());
  }

  std::minstd_rand random_;
  std::vector<json::value*> values_{};
  std::vector<std::string> names_{};
};

/// The input with one of its documents changed; nothing if that is not JSON.
std::optional<std::string> mutated(std::string_view input, unsigned seed) {
  const std::size_t at = input.find(separator);
  const bool isFirst = at == std::string_view::npos || seed % 2 == 0;
  const std::size_t begin = isFirst ? 0 : at + separator.size();
  const std::size_t end = isFirst ? std::min(at, input.size()) : input.size();
  boost::system::error_code failed;
  json::value document = json::parse(input.substr(begin, end - begin), failed);
  if (failed) return std::nullopt;
  JsonMutator{document, seed}.mutate();
  return std::string{input.substr(0, begin)}.append(json::serialize(document)).append(input.substr(end));
}

}  // namespace

}  // namespace tally::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t largest,
                                               unsigned seed) {
  constexpr unsigned bytesEvery = 4;
  if (seed % bytesEvery != 0)
    if (const auto text =
            tally::fuzz::mutated({reinterpret_cast<const char*>(data), size}, seed / bytesEvery))
      if (text->size() <= largest) {
        std::ranges::copy(*text, data);
        return text->size();
      }
  return LLVMFuzzerMutate(data, size, largest);
}
