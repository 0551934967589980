#pragma once

#include <tally/detail/cpp20.h>

#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] tally {

/// The key-value pairs attached to an object.
using Metadata = std::map<std::string, std::string, std::less<>>;

namespace detail {

/// A range of pairs of strings.
template <class T>
concept MetadataPairs = requires(T& pairs) {
  { std::end(pairs) };
  { std::string_view{(*std::begin(pairs)).first} };
  { std::string_view{(*std::begin(pairs)).second} };
};

template <class T>
inline constexpr bool isText =
    std::is_convertible_v<const T&, std::string_view> && !std::is_null_pointer_v<T>;

/// Refers to a key and a value in braces. It has the members of a std::pair. Arguments of other types do not
/// compile; the error message gives the reason.
struct MetadataPair {
  std::string_view first{};
  std::string_view second{};

  MetadataPair() = default;
  template <class Key, class Value>
  MetadataPair(const Key& key, const Value& value) {
    static_assert(isText<Key>, "tally: a metadata key is a string");
    static_assert(isText<Value>, "tally: a metadata value is a string: for a number, use std::to_string()");
    if constexpr (isText<Key> && isText<Value>) {
      first = key;
      second = value;
    }
  }
  template <class Key, class Value>
  MetadataPair(const std::pair<Key, Value>& pair) : MetadataPair(pair.first, pair.second) {}
};

}  // namespace detail

/// A change to the metadata of an object: sets keys, unsets keys, or unsets all keys. Other keys keep their
/// values. An empty edit changes nothing and is not sent.
///
/// Before sending, calls reject an edit with ErrorKind::invalidParameter if it contains an empty key, a key
/// with `[` or `]`, the same key twice, an empty value (which would unset the key: use `unset`), or
/// `unsetAll` combined with other changes. Spec: "Metadata rule".
class MetadataEdit {
 public:
  /// The change to one key.
  struct Change {
    std::string key{};
    std::string value{};  ///< Empty if the key is unset.
    bool unset = false;

    bool operator==(const Change&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const Change& value);
  };

  MetadataEdit() = default;

  /// Sets each pair: `{{"order", "42"}, {"till", "7"}}`.
  MetadataEdit(std::initializer_list<detail::MetadataPair> pairs) {
    for (const detail::MetadataPair& pair : pairs)
      set(pair.first, pair.second);
  }

  /// Sets each pair of a range, such as an array or a `std::map<std::string, std::string>`.
  template <class Pairs>
    requires detail::MetadataPairs<Pairs>
  // NOLINTNEXTLINE(cppcoreguidelines-missing-std-forward): a filtering view can't be read as const
  MetadataEdit(Pairs&& pairs) {
    for (const auto& pair : pairs)
      set(pair.first, pair.second);
  }

  /// Unsets all keys of the object.
  [[nodiscard]] static MetadataEdit unsetAll() {
    MetadataEdit edit;
    edit.unsetsAll_ = true;
    return edit;
  }

  /// Sets one key. `value` must not be empty.
  MetadataEdit& set(std::string_view key, std::string_view value) {
    changes_.push_back({std::string{key}, std::string{value}, false});
    return *this;
  }

  /// Unsets one key.
  MetadataEdit& unset(std::string_view key) {
    changes_.push_back({std::string{key}, {}, true});
    return *this;
  }

  /// Whether the edit changes nothing.
  [[nodiscard]] bool empty() const noexcept { return !unsetsAll_ && changes_.empty(); }
  [[nodiscard]] bool unsetsAll() const noexcept { return unsetsAll_; }
  [[nodiscard]] const std::vector<Change>& changes() const noexcept { return changes_; }

  bool operator==(const MetadataEdit&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const MetadataEdit& edit);

 private:
  std::vector<Change> changes_{};
  bool unsetsAll_ = false;
};

}  // namespace tally
