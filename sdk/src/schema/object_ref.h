#pragma once

#include <cassert>
#include <cstddef>
#include <string>
#include <type_traits>

#include "schema/schema.h"

// References to objects and values whose C++ types are known only by their descriptions. Each has the size of
// two pointers, is passed by value, owns nothing, and must not outlive what it refers to.

namespace tally::detail {

class ConstObjectRef;
class ObjectRef;
class ConstListRef;
class ListRef;

/// Whether the C++ type of a value of that kind may be `T`.
template <class T>
[[nodiscard]] constexpr bool mayBe(Kind kind) noexcept {
  if constexpr (std::is_base_of_v<Text, T>) return kind == Kind::text;
  if constexpr (std::is_same_v<T, std::string>) return kind == Kind::string;
  if constexpr (std::is_same_v<T, bool>) return kind == Kind::boolean;
  if constexpr (std::is_same_v<T, std::int64_t>) return kind == Kind::integer;
  if constexpr (std::is_same_v<T, std::chrono::sys_seconds>) return kind == Kind::time;
  if constexpr (std::is_same_v<T, Metadata>) return kind == Kind::metadata;
  if constexpr (std::is_same_v<T, MetadataEdit>) return kind == Kind::metadataEdit;
  if constexpr (std::is_same_v<T, RawJson>) return kind == Kind::rawJson;
  return kind == Kind::object || kind == Kind::list;
}

/// A value and its type; empty if there is no value.
class ConstValueRef {
 public:
  ConstValueRef() = default;
  ConstValueRef(const Type& type, const void* value) noexcept
      : type_(&type), value_(const_cast<void*>(value)) {}

  explicit operator bool() const noexcept { return value_ != nullptr; }
  [[nodiscard]] const Type& type() const noexcept { return *type_; }
  [[nodiscard]] Kind kind() const noexcept { return type_->kind; }

  /// `T` must be the C++ type of the value; asserted in debug builds.
  template <class T>
  [[nodiscard]] const T& as() const noexcept {
    assert(mayBe<T>(kind()));
    return *static_cast<const T*>(value_);
  }

  /// Of a value of Kind::text or Kind::string.
  [[nodiscard]] const std::string& text() const noexcept {
    return kind() == Kind::text ? as<Text>().characters : as<std::string>();
  }
  /// Of a value of Kind::object.
  [[nodiscard]] ConstObjectRef object() const noexcept;
  /// Of a value of Kind::list.
  [[nodiscard]] ConstListRef list() const noexcept;

 protected:
  const Type* type_ = nullptr;
  void* value_ = nullptr;
};

/// The same for a value that may be changed.
class ValueRef : public ConstValueRef {
 public:
  ValueRef() = default;
  ValueRef(const Type& type, void* value) noexcept : ConstValueRef(type, value) {}

  template <class T>
  [[nodiscard]] T& as() const noexcept {
    assert(mayBe<T>(kind()));
    return *static_cast<T*>(value_);
  }
  [[nodiscard]] std::string& text() const noexcept {
    return kind() == Kind::text ? as<Text>().characters : as<std::string>();
  }
  [[nodiscard]] ObjectRef object() const noexcept;
  [[nodiscard]] ListRef list() const noexcept;

 private:
  friend class MemberRef;
};

/// A member and its type. An optional member may have no value.
class MemberRef {
 public:
  MemberRef(const Type& type, void* member) noexcept : type_(&type), member_(member) {}
  /// An element of a list.
  MemberRef(ValueRef element) noexcept : type_(element.type_), member_(element.value_) {}

  [[nodiscard]] const Type& type() const noexcept { return *type_; }

  /// Empty for an empty optional.
  [[nodiscard]] ValueRef value() const {
    return {*type_, type_->optional == nullptr ? member_ : type_->optional->get(member_)};
  }
  /// The value; an optional gets a new one.
  [[nodiscard]] ValueRef emplace() const {
    return {*type_, type_->optional == nullptr ? member_ : type_->optional->emplace(member_)};
  }
  /// The value; only an empty optional gets a new one.
  [[nodiscard]] ValueRef make() const {
    const ValueRef present = value();
    return present ? present : emplace();
  }
  /// Empties an optional.
  void clear() const { type_->optional->reset(member_); }

 private:
  const Type* type_;
  void* member_;
};

/// A list and the description of its elements.
class ConstListRef {
 public:
  ConstListRef(const ListAccess& access, void* list) noexcept : access_(&access), list_(list) {}

  [[nodiscard]] const Type& elementType() const noexcept { return *access_->element; }
  [[nodiscard]] std::size_t size() const { return access_->size(list_); }
  [[nodiscard]] ConstValueRef operator[](std::size_t index) const {
    return {elementType(), access_->at(list_, index)};
  }

 protected:
  const ListAccess* access_;
  void* list_;
};

/// The same for a list that may be changed.
class ListRef : public ConstListRef {
 public:
  using ConstListRef::ConstListRef;

  [[nodiscard]] ValueRef operator[](std::size_t index) const {
    return {elementType(), access_->at(list_, index)};
  }
  /// A new, default element at the end.
  [[nodiscard]] ValueRef append() const { return {elementType(), access_->append(list_)}; }
  /// Keeps the first `size` elements.
  void truncate(std::size_t size) const { access_->truncate(list_, size); }
};

/// An object and its description; empty if there is no object.
class ConstObjectRef {
 public:
  ConstObjectRef() = default;
  ConstObjectRef(const Struct& type, const void* object) noexcept
      : type_(&type), object_(const_cast<void*>(object)) {}

  explicit operator bool() const noexcept { return object_ != nullptr; }
  [[nodiscard]] const Struct& type() const noexcept { return *type_; }
  [[nodiscard]] const void* address() const noexcept { return object_; }

  /// `T` must be the C++ type of the object; asserted in debug builds.
  template <class T>
  [[nodiscard]] const T& as() const noexcept {
    assert(&Schema<T>::value == type_);
    return *static_cast<const T*>(object_);
  }

  /// The value of a field; empty if there is none.
  [[nodiscard]] ConstValueRef value(const Field& field) const { return valueOf(field); }

  /// The same, but also empty for values without content: an edit without changes, and an empty list that is
  /// optional.
  [[nodiscard]] ConstValueRef given(const Field& field) const {
    const ConstValueRef value = valueOf(field);
    if (!value) return {};
    if (value.kind() == Kind::metadataEdit && value.as<MetadataEdit>().empty()) return {};
    if (value.kind() == Kind::list && !field.required && value.list().size() == 0) return {};
    return value;
  }

  /// Null if the object keeps none.
  [[nodiscard]] const UnknownFields* unknownFields() const { return unknown(); }

 protected:
  [[nodiscard]] MemberRef memberOf(const Field& field) const { return {field.type, field.member(object_)}; }
  [[nodiscard]] ValueRef valueOf(const Field& field) const {
    return field.member == nullptr ? ValueRef{} : memberOf(field).value();
  }
  [[nodiscard]] UnknownFields* unknown() const {
    return type_->unknownFields == nullptr ? nullptr : type_->unknownFields(object_);
  }

 private:
  const Struct* type_ = nullptr;
  void* object_ = nullptr;
};

/// The same for an object that may be changed.
class ObjectRef : public ConstObjectRef {
 public:
  ObjectRef() = default;
  ObjectRef(const Struct& type, void* object) noexcept : ConstObjectRef(type, object) {}

  template <class T>
  [[nodiscard]] T& as() const noexcept {
    return const_cast<T&>(ConstObjectRef::as<T>());
  }
  [[nodiscard]] ValueRef value(const Field& field) const { return valueOf(field); }
  /// The field must have a member.
  [[nodiscard]] MemberRef member(const Field& field) const { return memberOf(field); }
  [[nodiscard]] UnknownFields* unknownFields() const { return unknown(); }
  /// Null if the object keeps none.
  [[nodiscard]] LastResponse* lastResponse() const {
    return type().lastResponse == nullptr ? nullptr : type().lastResponse(const_cast<void*>(address()));
  }
};

template <class T>
ConstObjectRef refTo(const T& object) {
  return {Schema<T>::value, &object};
}
template <class T>
ObjectRef refTo(T& object) {
  return {Schema<T>::value, &object};
}

inline ConstObjectRef ConstValueRef::object() const noexcept {
  return {*type_->object, value_};
}
inline ObjectRef ValueRef::object() const noexcept {
  return {*type_->object, value_};
}
inline ConstListRef ConstValueRef::list() const noexcept {
  return {*type_->list, value_};
}
inline ListRef ValueRef::list() const noexcept {
  return {*type_->list, value_};
}

}  // namespace tally::detail
