#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "load/document.h"

namespace tally::codegen::load {

// The keys allowed in each place of an API description: the part of OpenAPI 3.1 that the generator
// understands, and its own x- keys. Anything else is refused, so that nothing is ignored silently.

enum class Form {
  any,
  text,
  quoted,  // a string that never becomes a comment, so it may contain backslashes
  integer,
  boolean,
  texts,        // a list of strings
  textOrTexts,  // one or a list
  object,       // of Key::shape
  map,          // any keys, each with an object of Key::shape
  list,         // of objects of Key::shape
};

struct Shape;

// The members are ordered for readable rows.
struct Key {  // NOLINT(clang-analyzer-optin.performance.Padding)
  std::string_view name{};
  Form form = Form::text;
  const Shape* shape = nullptr;
  bool required = false;
};

struct Shape {
  std::string_view name{};  // for messages: `an operation`
  std::vector<Key> keys{};
  bool fact =
      false;  // states a fact about the service, so x-documented or x-assumed is required, own or inherited
  // The folder of the components to which a `$ref` in its place leads, next to which only a description and
  // provenance are allowed. Empty if it can't be one.
  std::string_view component{};
  bool isSchema = false;
};

/// The key with that name, or null.
[[nodiscard]] const Key* find(std::span<const Key> keys, std::string_view name);

/// Calls `visit` with each node of the key's shape at or in `value`, the value of the key.
template <class Visit>
void forEachOf(const Key& key, const Node& value, const Visit& visit) {
  if (key.form == Form::object) visit(value);
  if (key.form == Form::map) value.members([&](const std::string&, const Node& member) { visit(member); });
  if (key.form == Form::list) value.elements(visit);
}

/// Calls `visit(node, shape)` with `node`, which has that shape, and with each object of a shape below it.
template <class Visit>
void forEachShaped(const Node& node, const Shape& shape, const Visit& visit) {
  visit(node, shape);
  node.members([&](const std::string& name, const Node& member) {
    if (const Key* key = find(shape.keys, name))
      forEachOf(*key, member, [&](const Node& each) { forEachShaped(each, *key->shape, visit); });
  });
}

/// A whole file.
extern const Shape documentShape;

}  // namespace tally::codegen::load
