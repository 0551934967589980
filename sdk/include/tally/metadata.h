#pragma once

#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tally {

/// The key-value pairs attached to an object.
using Metadata = std::map<std::string, std::string, std::less<>>;

/// What a call does to an object's metadata: sets keys, unsets keys, or unsets all of them. Keys that it does
/// not name stay as they are. An edit that says nothing changes nothing and is not sent.
///
/// Refused before sending: an empty key, a key with `[` or `]`, a key named twice, setting a key to an empty
/// value (which would unset it: say `unset`), and `unsetAll` together with anything else.
/// Spec: "Metadata rule".
class MetadataEdit {
 public:
  struct Change {
    std::string key{};
    std::string value{};  ///< Empty where the key is unset.
    bool unset = false;

    bool operator==(const Change&) const = default;
  };

  MetadataEdit() = default;

  /// Sets each of the pairs: `{{"order", "42"}, {"till", "7"}}`.
  MetadataEdit(std::initializer_list<std::pair<std::string_view, std::string_view>> pairs) {
    for (const auto& [key, value] : pairs)
      set(key, value);
  }

  /// Removes every key that the object has.
  [[nodiscard]] static MetadataEdit unsetAll() {
    MetadataEdit edit;
    edit.unsetsAll_ = true;
    return edit;
  }

  MetadataEdit& set(std::string_view key, std::string_view value) {
    changes_.push_back({std::string{key}, std::string{value}, false});
    return *this;
  }

  MetadataEdit& unset(std::string_view key) {
    changes_.push_back({std::string{key}, {}, true});
    return *this;
  }

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
