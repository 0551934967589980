#pragma once

#include <tally/detail/cpp20.h>

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tally/api_key.h>
#include <tally/id.h>
#include <tally/json.h>
#include <tally/metadata.h>
#include <tally/open_enum.h>
#include <tally/param.h>
#include <tally/transport.h>

// Parameters and options exist in two forms, both defined by one template. The owning form, such as
// PayoutCreateParams, is for variables. Asynchronous methods take the borrowing form, such as
// Borrowed<PayoutCreateParams>. An argument of the borrowing form is written in braces in the call, or
// converted from a named struct.

namespace [[gnu::visibility("default")]] tally {

namespace detail {

/// The type that refers to a `T`.
template <class T>
struct BorrowedForm;

}  // namespace detail

/// Holds values by owning them.
struct Owning {
  template <class T>
  using Hold = T;
};

/// Holds references to the caller's values. The types of all members are trivially destructible: in a
/// `co_await`, g++ 12 destroys a temporary aggregate twice if any member is not.
struct Borrowing {
  template <class T>
  using Hold = typename detail::BorrowedForm<T>::type;
};

/// The type that `O` (Owning or Borrowing) uses to hold a member of type `T`.
template <class O, class T>
using Held = typename O::template Hold<T>;

/// The form of parameters or options that refers to the caller's values. A named object of the owning form
/// converts to it, and it converts to the owning form. Do not store it: it dangles once the values are gone.
template <class T>
using Borrowed = Held<Borrowing, T>;

namespace detail {

/// A default argument for parameters and options. A coroutine would keep the temporary of `{}` in its frame.
inline constexpr struct {
  template <class T>
  operator const T&() const noexcept {
    static constexpr T value{};
    return value;
  }
} defaulted{};

template <class O>
struct Opposite {
  using type = Borrowing;
};
template <>
struct Opposite<Borrowing> {
  using type = Owning;
};
/// Whether `T` is one of the two forms of parameters.
template <class T>
inline constexpr bool isForm = false;
template <template <class O> class Params>
inline constexpr bool isForm<Params<Owning>> = true;
template <template <class O> class Params>
inline constexpr bool isForm<Params<Borrowing>> = true;

/// Whether `T` is a form of parameters, but not a form of `Other`.
template <class T, template <class O> class Other>
inline constexpr bool isFormExcept =
    isForm<T> && !std::same_as<T, Other<Owning>> && !std::same_as<T, Other<Borrowing>>;

/// The other way to hold values.
template <class O>
using OppositeOf = typename Opposite<O>::type;

// The members of the borrowing form. Each accepts what the corresponding owning member accepts, and converts
// to that member by copying.

/// Whether an argument may be a temporary in a `co_await`. There, g++ 12 destroys an aggregate twice if its
/// destructor is not trivial.
template <class T>
concept SafeTemporary = std::is_lvalue_reference_v<T> || !std::is_aggregate_v<std::remove_reference_t<T>> ||
                        std::is_trivially_destructible_v<std::remove_reference_t<T>>;

// The text of a value. These functions are templates so that no argument is converted to a temporary that is
// gone when the text is read: for example, a std::filesystem::path converts to a std::string.
template <class Text>
  requires isText<Text>
[[nodiscard]] std::string_view viewOf(const Text& text) noexcept {
  if constexpr (std::is_pointer_v<Text>)
    if (text == nullptr) return {};
  return text;
}
template <std::same_as<ApiKey> Key>
[[nodiscard]] std::string_view viewOf(const Key& key) noexcept {
  return key.reveal();
}
template <class Resource>
[[nodiscard]] std::string_view viewOf(const Id<Resource>& id) noexcept {
  return id.str();
}
template <class E>
[[nodiscard]] std::string_view viewOf(const OpenEnum<E>& value) noexcept {
  return value.str();
}
template <class E>
  requires std::is_enum_v<E>
[[nodiscard]] std::string_view viewOf(E value) noexcept {
  return EnumTexts<E>::values[static_cast<std::size_t>(value)];
}

/// Refers to the text of a `T`: a std::string, an Id, an OpenEnum or an ApiKey.
template <class T>
class BorrowedText {
 public:
  BorrowedText() = default;
  template <class U>
    requires(!std::same_as<U, BorrowedText> && std::constructible_from<T, const U&> &&
             (std::convertible_to<const U&, T> || std::same_as<U, std::string_view>) &&
             requires(const U& value) { viewOf(value); })
  BorrowedText(const U& value) noexcept : text_(viewOf(value)) {}

  operator T() const {
    if constexpr (std::constructible_from<T, std::string_view>) {
      return T{text_};  // no other copy of a key
    } else {
      return T{std::string{text_}};
    }
  }

 private:
  std::string_view text_{};
};

/// Refers to a `T` or to nothing.
template <class T>
class BorrowedObject {
 public:
  BorrowedObject() = default;
  BorrowedObject(const T& object) noexcept : object_(std::addressof(object)) {}
  BorrowedObject(const T&&)
    requires(!SafeTemporary<T>)
  = delete;

  operator T() const { return object_ == nullptr ? T{} : *object_; }

 private:
  const T* object_ = nullptr;
};

/// Refers to the contents of a `List`: up to 8 elements in braces, or an object of any size that converts to
/// a `List`. Each number of elements has its own constructor, because g++ 12 rejects an initializer_list in a
/// `co_await`.
template <class List, class Element>
class BorrowedList {
 public:
  constexpr BorrowedList() noexcept : none_() {}
  BorrowedList(Element a) : elements_{a}, count_(1) {}
  BorrowedList(Element a, Element b) : elements_{a, b}, count_(2) {}
  BorrowedList(Element a, Element b, Element c) : elements_{a, b, c}, count_(3) {}
  BorrowedList(Element a, Element b, Element c, Element d) : elements_{a, b, c, d}, count_(4) {}
  BorrowedList(Element a, Element b, Element c, Element d, Element e) : elements_{a, b, c, d, e}, count_(5) {}
  BorrowedList(Element a, Element b, Element c, Element d, Element e, Element f)
      : elements_{a, b, c, d, e, f}, count_(6) {}
  BorrowedList(Element a, Element b, Element c, Element d, Element e, Element f, Element g)
      : elements_{a, b, c, d, e, f, g}, count_(7) {}
  BorrowedList(Element a, Element b, Element c, Element d, Element e, Element f, Element g, Element h)
      : elements_{a, b, c, d, e, f, g, h}, count_(8) {}
  /// A template, so that an argument in braces never selects this constructor.
  template <class Source>
    requires(!std::same_as<std::remove_cvref_t<Source>, BorrowedList> && SafeTemporary<Source &&> &&
             std::convertible_to<Source&, List>)
  // NOLINTNEXTLINE(cppcoreguidelines-missing-std-forward,*-pro-type-member-init): only referred to; see union
  BorrowedList(Source&& source) noexcept
      : source_(std::addressof(source)), copy_([](const void* from) -> List {
          using Referred = std::remove_reference_t<Source>;
          return *static_cast<Referred*>(const_cast<void*>(from));
        }) {}

  operator List() const {
    if (copy_ != nullptr) return copy_(source_);
    if constexpr (std::constructible_from<List, const Element*, const Element*>) {
      return List(elements_, elements_ + count_);
    } else {
      return List(std::span{elements_, count_});
    }
  }

 private:
  union {  // not cleared: clearing it would cost each call more than its list does
    // NOLINTBEGIN(readability-identifier-naming): private, as the union has no name
    char none_;
    Element elements_[8];
    // NOLINTEND(readability-identifier-naming)
  };
  std::size_t count_ = 0;
  const void* source_ = nullptr;
  List (*copy_)(const void* from) = nullptr;
};

/// Refers to a header or an additional parameter.
struct BorrowedPair {
  std::string_view name{};
  std::string_view value{};

  operator Header() const { return {std::string{name}, std::string{value}}; }
  operator Param() const { return {std::string{name}, std::string{value}}; }
};

/// Refers to JSON.
struct BorrowedJson {
  std::string_view text{};

  operator RawJson() const { return {std::string{text}}; }
};

template <class T>
struct BorrowedForm {
  using type = std::conditional_t<std::is_trivially_destructible_v<T>, T, BorrowedObject<T>>;
};
template <>
struct BorrowedForm<std::string> {
  using type = BorrowedText<std::string>;
};
template <>
struct BorrowedForm<ApiKey> {
  using type = BorrowedText<ApiKey>;
};
template <class Resource>
struct BorrowedForm<Id<Resource>> {
  using type = BorrowedText<Id<Resource>>;
};
template <class E>
struct BorrowedForm<OpenEnum<E>> {
  using type = BorrowedText<OpenEnum<E>>;
};
template <>
struct BorrowedForm<Header> {
  using type = BorrowedPair;
};
template <>
struct BorrowedForm<Param> {
  using type = BorrowedPair;
};
template <>
struct BorrowedForm<RawJson> {
  using type = BorrowedJson;
};
template <class T>
struct BorrowedForm<std::optional<T>> {
  using type = std::optional<Borrowed<T>>;
};
template <class T>
struct BorrowedForm<std::vector<T>> {
  using type = BorrowedList<std::vector<T>, Borrowed<T>>;
};
template <>
struct BorrowedForm<Metadata> {
  using type = BorrowedList<Metadata, std::pair<std::string_view, std::string_view>>;
};
template <>
struct BorrowedForm<MetadataEdit> {
  using type = BorrowedList<MetadataEdit, MetadataPair>;
};
template <template <class O, class... T> class Struct, class... T>
struct BorrowedForm<Struct<Owning, T...>> {
  using type = Struct<Borrowing, T...>;
};

}  // namespace detail

inline Header::operator detail::BorrowedPair() const& {
  return {name, value};
}
inline Param::operator detail::BorrowedPair() const& {
  return {name, value};
}
inline RawJson::operator detail::BorrowedJson() const& {
  return {text};
}

}  // namespace tally
