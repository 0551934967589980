#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <boost/json/value.hpp>

#include "load/problems.h"

namespace tally::codegen::load {

/// One file of the API description.
struct Document {
  std::string name{};  // without folders, as references name it
  boost::json::value root{};
};

/// A value in a Document, with its JSON pointer.
class Node {
 public:
  Node() = default;
  explicit Node(const Document& document) : Node(document, &document.root, {}) {}

  [[nodiscard]] explicit operator bool() const noexcept { return value_ != nullptr; }
  [[nodiscard]] const Document& document() const noexcept { return *document_; }
  [[nodiscard]] const std::string& pointer() const noexcept { return pointer_; }
  [[nodiscard]] const boost::json::value& value() const noexcept { return *value_; }
  [[nodiscard]] Place place() const { return {document_->name, pointer_}; }

  /// The member of that name; an empty Node if there is none.
  [[nodiscard]] Node operator[](std::string_view key) const;
  /// The element at `index` of a list.
  [[nodiscard]] Node at(std::size_t index) const;
  /// The number of elements or members.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }

  /// The text of the member `key`, or "" if there is none.
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key) const;
  [[nodiscard]] bool flag(std::string_view key, bool otherwise) const;
  /// The value, which must be a string.
  [[nodiscard]] std::string text() const;

  /// Calls `visit(key, node)` for every member, or does nothing for an empty Node.
  template <class Visit>
  void members(Visit visit) const {
    if (value_ == nullptr || !value_->is_object()) return;
    for (const auto& member : value_->get_object())
      visit(std::string{member.key()}, (*this)[member.key()]);
  }

  /// Calls `visit(node)` for every element, or does nothing for an empty Node.
  template <class Visit>
  void elements(Visit visit) const {
    if (value_ == nullptr || !value_->is_array()) return;
    for (std::size_t i = 0; i < size(); ++i)
      visit(at(i));
  }

 private:
  Node(const Document& document, const boost::json::value* value, std::string pointer)
      : document_(&document), value_(value), pointer_(std::move(pointer)) {}

  /// Null if this is no object or has no such member.
  [[nodiscard]] const boost::json::value* find(std::string_view key) const;

  const Document* document_ = nullptr;
  const boost::json::value* value_ = nullptr;
  std::string pointer_{};
};

/// Reads a file. Nothing, and a line in `problems`, if it can't be read or is not JSON.
[[nodiscard]] std::optional<Document> readDocument(const std::filesystem::path& path, Problems& problems);

/// The same from text.
[[nodiscard]] std::optional<Document> parseDocument(std::string name, std::string_view text,
                                                    Problems& problems);

}  // namespace tally::codegen::load
