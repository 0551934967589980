#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tally/clock.h>
#include <tally/id.h>
#include <tally/integer.h>
#include <tally/json.h>
#include <tally/last_response.h>
#include <tally/metadata.h>
#include <tally/open_enum.h>

// The field tables that drive reading and writing JSON and forms. The generator writes one `Schema` for each
// struct of the API description; the code that walks them exists once and is not a template.

namespace tally::detail {

/// The maximum number of fields in a struct; more do not compile.
inline constexpr std::size_t maxFields = 64;

struct QueryText;  // of a SearchQuery
struct Struct;

/// Holds the field table of `T`.
template <class T>
struct Schema {
  static const Struct value;
};

enum class Kind : std::uint8_t {
  text,          // Text: Id, OpenEnum
  string,        // std::string, SearchQuery
  integer,       // std::int64_t
  boolean,       // bool
  time,          // std::chrono::sys_seconds
  object,        // a struct with a Schema
  list,          // std::vector
  metadata,      // Metadata
  metadataEdit,  // MetadataEdit
  rawJson,       // RawJson
  constant,      // no member: always Field::constant
};

/// Type-erased access to a std::vector.
struct ListAccess {
  std::size_t (*size)(const void* list) = nullptr;
  void* (*at)(void* list, std::size_t index) = nullptr;
  void* (*append)(void* list) = nullptr;  // a new, default element at the end
  const struct Type* element = nullptr;
  void (*truncate)(void* list, std::size_t size) = nullptr;  // keeps the first `size` elements
};

/// Type-erased access to a std::optional.
struct OptionalAccess {
  void* (*get)(void* optional) = nullptr;      // null if empty
  void* (*emplace)(void* optional) = nullptr;  // a new, default value
  void (*reset)(void* optional) = nullptr;
};

/// What the codecs know about a C++ type.
struct Type {
  Kind kind = Kind::string;
  const OptionalAccess* optional = nullptr;  // for a std::optional; `kind` describes its value
  const Struct* object = nullptr;            // for Kind::object
  const ListAccess* list = nullptr;          // for Kind::list
};

struct Field {
  std::string_view name{};  // on the wire
  Type type{};
  void* (*member)(void* object) = nullptr;
  bool required = false;
  bool nullable = false;  // the service may send or accept `null`
  std::int64_t minimum = std::numeric_limits<std::int64_t>::min();
  std::int64_t maximum = std::numeric_limits<std::int64_t>::max();
  std::size_t lowercaseLetters = 0;  // required length, all lowercase letters; 0: any text
  std::string_view idPrefix{};       // for an identifier
  std::string_view excludes{};       // a parameter that can't be combined with this one
  std::string_view constant{};       // for Kind::constant
};

struct Struct {
  std::string_view name{};  // of the schema in the API description
  std::span<const Field> fields{};
  UnknownFields* (*unknownFields)(void* object) = nullptr;  // null if the struct keeps none
  LastResponse* (*lastResponse)(void* object) = nullptr;    // null if the struct keeps none
  void* (*create)() = nullptr;
  void (*destroy)(void* object) = nullptr;
  std::uint64_t required = 0;  // one bit per field, by index in `fields`

  [[nodiscard]] const Field* find(std::string_view fieldName) const {
    for (const Field& field : fields)
      if (field.name == fieldName) return &field;
    return nullptr;
  }

  /// The bit of a field in `required`.
  [[nodiscard]] std::uint64_t bitOf(const Field& field) const {
    return std::uint64_t{1} << (&field - fields.data());
  }
};

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

template <class T>
constexpr Type typeOf();

template <class T>
inline constexpr Type elementType = typeOf<T>();

template <class T>
void truncate(std::vector<T>& list, std::size_t size) {
  if (size < list.size()) list.erase(list.begin() + static_cast<std::ptrdiff_t>(size), list.end());
}

/// What a std::vector<T> holds for each element on the wire. Specialize it if that is not a `T`.
template <class T>
struct ListElement {
  using Value = T;

  static T& of(T& element) { return element; }
  static T& append(std::vector<T>& list) { return list.emplace_back(); }
};

template <class T>
inline constexpr ListAccess listAccess{
    [](const void* list) { return static_cast<const std::vector<T>*>(list)->size(); },
    [](void* list, std::size_t index) -> void* {
      return &ListElement<T>::of((*static_cast<std::vector<T>*>(list))[index]);
    },
    [](void* list) -> void* { return &ListElement<T>::append(*static_cast<std::vector<T>*>(list)); },
    &elementType<typename ListElement<T>::Value>,
    [](void* list, std::size_t size) { truncate(*static_cast<std::vector<T>*>(list), size); },
};

template <class T>
inline constexpr OptionalAccess optionalAccess{
    [](void* optional) -> void* {
      auto& value = *static_cast<std::optional<T>*>(optional);
      return value ? &*value : nullptr;
    },
    [](void* optional) -> void* { return &static_cast<std::optional<T>*>(optional)->emplace(); },
    [](void* optional) { static_cast<std::optional<T>*>(optional)->reset(); },
};

template <class T>
constexpr Type typeOf() {
  if constexpr (IsOptional<T>::value) {
    Type type = typeOf<typename T::value_type>();
    type.optional = &optionalAccess<typename T::value_type>;
    return type;
  } else if constexpr (IsVector<T>::value) {
    return {.kind = Kind::list, .list = &listAccess<typename T::value_type>};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return {.kind = Kind::string};
  } else if constexpr (std::is_base_of_v<QueryText, T>) {
    // A SearchQuery is accessed as the text that it consists of.
    static_assert(std::is_standard_layout_v<T> && sizeof(T) == sizeof(std::string));
    return {.kind = Kind::string};
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return {.kind = Kind::integer};
  } else if constexpr (std::is_same_v<T, Integer>) {
    // It is accessed as the number that it consists of.
    static_assert(std::is_standard_layout_v<T> && sizeof(T) == sizeof(std::int64_t));
    return {.kind = Kind::integer};
  } else if constexpr (std::is_same_v<T, bool>) {
    return {.kind = Kind::boolean};
  } else if constexpr (std::is_base_of_v<std::chrono::sys_seconds, T>) {
    // A Timestamp is accessed as its base.
    static_assert(std::is_standard_layout_v<T> && sizeof(T) == sizeof(std::chrono::sys_seconds));
    return {.kind = Kind::time};
  } else if constexpr (std::is_same_v<T, Metadata>) {
    return {.kind = Kind::metadata};
  } else if constexpr (std::is_same_v<T, MetadataEdit>) {
    return {.kind = Kind::metadataEdit};
  } else if constexpr (std::is_same_v<T, RawJson>) {
    return {.kind = Kind::rawJson};
  } else if constexpr (std::is_base_of_v<Text, T>) {
    // An Id or an OpenEnum is accessed as its base.
    static_assert(std::is_standard_layout_v<T> && sizeof(T) == sizeof(Text));
    return {.kind = Kind::text};
  } else {
    return {.kind = Kind::object, .object = &Schema<T>::value};
  }
}

template <class M>
struct MemberOf;
template <class C, class V>
struct MemberOf<V C::*> {
  using Class = C;
  using Value = V;
};

enum class Presence : std::uint8_t { optional, required };

/// The Field for `member`. The functions below set further properties.
template <auto member>
constexpr Field field(std::string_view name, Presence presence = Presence::optional) {
  using Class = typename MemberOf<decltype(member)>::Class;
  using Value = typename MemberOf<decltype(member)>::Value;
  Field result{.name = name, .type = typeOf<Value>()};
  result.member = [](void* object) -> void* { return &(static_cast<Class*>(object)->*member); };
  result.required = presence == Presence::required;
  return result;
}

constexpr Field nullable(Field field) {
  field.nullable = true;
  return field;
}

constexpr Field between(std::int64_t minimum, std::int64_t maximum, Field field) {
  field.minimum = minimum;
  field.maximum = maximum;
  return field;
}

constexpr Field atLeast(std::int64_t minimum, Field field) {
  field.minimum = minimum;
  return field;
}

/// A text of exactly this many lowercase letters.
constexpr Field lowercase(std::size_t letters, Field field) {
  field.lowercaseLetters = letters;
  return field;
}

/// An identifier that starts with `prefix`.
constexpr Field identifier(std::string_view prefix, Field field) {
  field.idPrefix = prefix;
  return field;
}

/// A parameter that can't be combined with `other`.
constexpr Field excluding(std::string_view other, Field field) {
  field.excludes = other;
  return field;
}

/// A field with a fixed text, and therefore no member.
constexpr Field constant(std::string_view name, std::string_view text) {
  return {.name = name, .type = {.kind = Kind::constant}, .required = true, .constant = text};
}

constexpr std::uint64_t requiredBits(std::span<const Field> fields) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i].required) bits |= std::uint64_t{1} << i;
  return bits;
}

template <class T>
constexpr UnknownFields* (*unknownFieldsOf())(void*) {
  if constexpr (requires(T& object) { object.unknownFields; }) {
    return [](void* object) { return &static_cast<T*>(object)->unknownFields; };
  } else {
    return nullptr;
  }
}

template <class T>
constexpr LastResponse* (*lastResponseOf())(void*) {
  if constexpr (requires(T& object) { object.lastResponse; }) {
    return [](void* object) { return &static_cast<T*>(object)->lastResponse; };
  } else {
    return nullptr;
  }
}

template <class T>
constexpr Struct describe(std::string_view name, std::span<const Field> fields) {
  if (fields.size() > maxFields) throw "too many fields";
  return {.name = name,
          .fields = fields,
          .unknownFields = unknownFieldsOf<T>(),
          .lastResponse = lastResponseOf<T>(),
          .create = []() -> void* { return new T{}; },
          .destroy = [](void* object) { delete static_cast<T*>(object); },
          .required = requiredBits(fields)};
}

}  // namespace tally::detail
