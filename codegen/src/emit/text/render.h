#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <kainjow/mustache.hpp>

namespace tally::codegen::emit {

using Data = kainjow::mustache::data;

/// A generated file, with its path relative to the output root.
struct File {
  std::string path{};
  std::string text{};

  bool operator==(const File&) const = default;
};

/// The templates in a folder. Throws std::runtime_error if one is missing or malformed.
class Templates {
 public:
  /// `version` is the version of the description, which every template shows.
  Templates(std::filesystem::path folder, const std::string& version)
      : folder_(std::move(folder)), common_{"version", version} {}

  /// Fills the template with that name with `data`, without escaping.
  [[nodiscard]] std::string render(const std::string& name, const Data& data);

 private:
  kainjow::mustache::mustache& load(const std::string& name);

  std::filesystem::path folder_;
  Data common_;  // for each template
  std::map<std::string, kainjow::mustache::mustache> loaded_{};
};

template <class Value>
inline constexpr bool isTexts =
    std::is_same_v<Value, std::vector<std::string>> || std::is_same_v<Value, std::set<std::string>>;

/// A value for a template. A number becomes its digits, texts become a list; an empty text and an empty
/// optional become false, so that sections test for them.
[[nodiscard]] inline Data dataOf(Data&& value) {
  return std::move(value);
}
template <class Value>
[[nodiscard]] Data dataOf(const Value& value) {
  if constexpr (std::is_same_v<Value, Data> || std::is_same_v<Value, bool>) {
    return Data{value};
  } else if constexpr (isTexts<Value>) {
    return Data{kainjow::mustache::list{value.begin(), value.end()}};
  } else if constexpr (std::is_integral_v<Value>) {
    return Data{std::to_string(value)};
  } else {
    const std::string text{value};
    return text.empty() ? Data{false} : Data{text};
  }
}
template <class Value>
[[nodiscard]] Data dataOf(const std::optional<Value>& value) {
  return value ? dataOf(*value) : Data{false};
}

/// A named value for a template.
struct Entry {
  template <class Value>
  Entry(std::string key, Value&& of) : name(std::move(key)), value(dataOf(std::forward<Value>(of))) {}

  std::string name;
  mutable Data value;  // since an initializer list has constant elements, and copies take most of the time
};

/// An object for a template. It hides the values that have the same names in what contains it.
[[nodiscard]] Data object(std::initializer_list<Entry> entries);

/// A list for a template. `more` is true in each object but the last.
template <class Range, class ToData>
[[nodiscard]] Data listOf(const Range& range, ToData toData) {
  Data list{Data::type::list};
  // The library only offers to add copies.
  auto& items = const_cast<kainjow::mustache::list&>(list.list_value());
  items.reserve(std::size(range));
  for (const auto& item : range) {
    Data data = dataOf(toData(item));
    if (data.is_object()) data.set("more", items.size() + 1 < std::size(range));
    items.push_back(std::move(data));
  }
  return list;
}

}  // namespace tally::codegen::emit
