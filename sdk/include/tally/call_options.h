#pragma once

#include <chrono>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tally/clock.h>
#include <tally/id.h>
#include <tally/metadata.h>
#include <tally/open_enum.h>
#include <tally/options.h>
#include <tally/stop_token.h>

// The arguments of asynchronous methods. They refer to what the caller passes and own nothing. A method
// copies what it needs before it returns, so `co_await records.reportFailed(id, {.failedAt = t})` is correct.
// Write arguments in the call itself: a stored argument can outlive what it refers to.
//
// All are trivially destructible: in a `co_await`, g++ 12 destroys temporary aggregates with other members
// twice.

namespace [[gnu::visibility("default")]] tally {

/// Refers to a stop token.
class StopArg {
 public:
  StopArg() = default;
  StopArg(const StopToken& token) : token_(&token) {}

  /// A copy of the token, or, if there is none, a token that never requests a stop.
  [[nodiscard]] StopToken token() const { return token_ == nullptr ? StopToken{} : *token_; }

 private:
  const StopToken* token_ = nullptr;
};

/// Refers to an identifier of a `Resource`, or to its text; by default, to none. Not a std::optional, which
/// would be compiled once for each resource.
template <class Resource>
class IdArg {
 public:
  IdArg() = default;
  IdArg(const char* text) : text_(text == nullptr ? std::string_view{} : std::string_view{text}) {}
  IdArg(std::string_view text) : text_(text) {}
  IdArg(const std::string& text) : text_(text) {}
  IdArg(const Id<Resource>& id) : text_(id.str()) {}

  [[nodiscard]] std::optional<Id<Resource>> id() const {
    return text_ ? std::optional{Id<Resource>{*text_}} : std::nullopt;
  }

 private:
  std::optional<std::string_view> text_{};
};

/// Refers to a value of an open set: an enumerator or an OpenEnum.
template <class E>
class OpenEnumArg {
 public:
  OpenEnumArg(E value) : text_(EnumTexts<E>::values[static_cast<std::size_t>(value)]) {}
  OpenEnumArg(const OpenEnum<E>& value) : text_(value.str()) {}

  [[nodiscard]] OpenEnum<E> value() const { return OpenEnum<E>{std::string{text_}}; }

 private:
  std::string_view text_;
};

/// Refers to texts: up to 4, such as `.expand = {"total_count"}`, or a vector of any length.
class TextsArg {
 public:
  TextsArg() = default;
  TextsArg(std::string_view a) : texts_{a}, count_(1) {}
  TextsArg(std::string_view a, std::string_view b) : texts_{a, b}, count_(2) {}
  TextsArg(std::string_view a, std::string_view b, std::string_view c) : texts_{a, b, c}, count_(3) {}
  TextsArg(std::string_view a, std::string_view b, std::string_view c, std::string_view d)
      : texts_{a, b, c, d}, count_(4) {}
  /// A template, so that braces never make a vector.
  template <class List>
    requires std::is_same_v<List, std::vector<std::string>>
  TextsArg(const List& list) : list_(&list) {}

  [[nodiscard]] std::vector<std::string> texts() const;

 private:
  std::string_view texts_[4] = {};
  std::size_t count_ = 0;
  const std::vector<std::string>* list_ = nullptr;
};

/// Refers to a change of metadata: up to 8 pairs to set, such as `{{"order", "42"}, {"till", "7"}}`, or a
/// MetadataEdit or Metadata of any length; an edit may also unset keys.
class MetadataArg {
 public:
  /// A key and its value.
  struct Pair {
    std::string_view key{};
    std::string_view value{};
  };

  MetadataArg() = default;
  MetadataArg(Pair a) : pairs_{a}, count_(1) {}
  MetadataArg(Pair a, Pair b) : pairs_{a, b}, count_(2) {}
  MetadataArg(Pair a, Pair b, Pair c) : pairs_{a, b, c}, count_(3) {}
  MetadataArg(Pair a, Pair b, Pair c, Pair d) : pairs_{a, b, c, d}, count_(4) {}
  MetadataArg(Pair a, Pair b, Pair c, Pair d, Pair e) : pairs_{a, b, c, d, e}, count_(5) {}
  MetadataArg(Pair a, Pair b, Pair c, Pair d, Pair e, Pair f) : pairs_{a, b, c, d, e, f}, count_(6) {}
  MetadataArg(Pair a, Pair b, Pair c, Pair d, Pair e, Pair f, Pair g)
      : pairs_{a, b, c, d, e, f, g}, count_(7) {}
  MetadataArg(Pair a, Pair b, Pair c, Pair d, Pair e, Pair f, Pair g, Pair h)
      : pairs_{a, b, c, d, e, f, g, h}, count_(8) {}
  /// A template, so that braces never make an edit.
  template <class Edit>
    requires std::is_same_v<Edit, MetadataEdit>
  MetadataArg(const Edit& edit) : edit_(&edit) {}
  template <class Map>
    requires std::is_same_v<Map, Metadata>
  MetadataArg(const Map& pairs) : map_(&pairs) {}

  [[nodiscard]] MetadataEdit edit() const;

 private:
  Pair pairs_[8] = {};
  std::size_t count_ = 0;
  const MetadataEdit* edit_ = nullptr;
  const Metadata* map_ = nullptr;
};

/// The RequestOptions of an asynchronous call; the members have the same meaning. `of()` refers to existing
/// options.
struct CallOptions {
  std::optional<std::string_view> apiKey{};
  std::optional<std::string_view> connectedAccount{};
  std::optional<std::chrono::milliseconds> timeout{};  ///< Starts when the transport receives the request.
  std::optional<int> maxNetworkRetries{};
  std::optional<bool> retryRateLimited{};
  /// Starts with the call. For a list or a search, it covers the whole iteration and starts with the call of
  /// list() or search().
  std::optional<std::chrono::milliseconds> totalTimeout{};
  std::optional<Instant> deadline{};
  /// Cancels the call; see Call. The call never completes inside `request_stop()`.
  StopArg stop{};
  std::span<const Header> headers{};
  std::span<const Param> extraParams{};
  /// Not owned. Filled with the result, so it must outlive the call, unless the coroutine that awaits the
  /// call is destroyed first.
  std::vector<Attempt>* attempts = nullptr;

  [[nodiscard]] static CallOptions of(const RequestOptions& options);
  static CallOptions of(const RequestOptions&&) = delete;  // a temporary
};

/// Prints as RequestOptions do.
std::ostream& operator<<(std::ostream& out, const CallOptions& value);

namespace detail {

/// What an argument refers to, as a value of the type that the synchronous method takes.
[[nodiscard]] RequestOptions own(const CallOptions& options);
[[nodiscard]] inline MetadataEdit own(const MetadataArg& argument) {
  return argument.edit();
}
[[nodiscard]] inline std::vector<std::string> own(const TextsArg& argument) {
  return argument.texts();
}
[[nodiscard]] inline std::optional<std::string> own(const std::optional<std::string_view>& text) {
  return text ? std::optional<std::string>{*text} : std::nullopt;
}
template <class Resource>
[[nodiscard]] std::optional<Id<Resource>> own(const IdArg<Resource>& argument) {
  return argument.id();
}
template <class E>
[[nodiscard]] std::optional<OpenEnum<E>> own(const std::optional<OpenEnumArg<E>>& value) {
  return value ? std::optional{value->value()} : std::nullopt;
}
template <class T>
[[nodiscard]] std::optional<T> own(const T* value) {
  return value != nullptr ? std::optional{*value} : std::nullopt;
}
template <class T>
[[nodiscard]] std::vector<T> own(const std::vector<T>* list) {
  return list != nullptr ? *list : std::vector<T>{};
}
template <class T>
  requires std::is_trivially_copyable_v<T>
[[nodiscard]] std::optional<T> own(const std::optional<T>& value) {
  return value;
}

}  // namespace detail

}  // namespace tally
