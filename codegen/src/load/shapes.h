#pragma once

#include <span>
#include <string_view>

namespace tally::codegen::load {

// What may stand where in an API description: the part of OpenAPI 3.1 that the generator understands and its
// own x- keys. Everything else is refused, because what is not understood would be lost without a word.

enum class Form {
  any,
  text,
  integer,
  boolean,
  texts,        // a list of texts
  textOrTexts,  // one or a list
  object,       // of Key::shape
  map,          // any keys, each with an object of Key::shape
  list,         // of objects of Key::shape
};

struct Shape;

// The order is that in which rows read best.
struct Key {  // NOLINT(clang-analyzer-optin.performance.Padding)
  std::string_view name{};
  Form form = Form::text;
  const Shape* shape = nullptr;
  bool required = false;
};

struct Shape {
  std::string_view name{};  // for messages: `an operation`
  std::span<const Key> keys{};
  bool fact =
      false;  // says something of the service, and so bears x-documented or x-assumed, or stands in what does
  bool mayRefer = false;  // may be a `$ref`, with nothing but a description and provenance beside it
};

/// A whole file.
extern const Shape documentShape;

}  // namespace tally::codegen::load
