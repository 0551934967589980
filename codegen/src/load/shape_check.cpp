#include "load/shape_check.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "load/schema_check.h"
#include "load/shapes.h"

namespace tally::codegen::load {

namespace {

constexpr Key provenanceKeys[] = {{"x-documented"}, {"x-assumed", Form::textOrTexts}};
constexpr Key referenceKeys[] = {
    {"$ref"}, {"description"}, {"x-documented"}, {"x-assumed", Form::textOrTexts}};

std::string allowed(std::span<const Key> keys) {
  std::vector<std::string> names;
  for (const Key& key : keys)
    names.emplace_back(key.name);
  return joined(names);
}

/// By Form.
constexpr std::string_view expectations[] = {"anything",
                                             "a string",
                                             "a string",
                                             "an integer",
                                             "true or false",
                                             "a list of strings",
                                             "a string or a list of strings",
                                             "an object",
                                             "an object",
                                             "a list of objects"};

std::string expected(Form form) {
  return std::string{expectations[static_cast<std::size_t>(form)]};
}

/// Whether a value is a list whose elements are all of this kind.
bool isListOf(const boost::json::value& value, boost::json::kind kind) {
  const auto* array = value.if_array();
  return array != nullptr &&
         std::ranges::all_of(*array, [&](const auto& element) { return element.kind() == kind; });
}

bool matches(const boost::json::value& value, Form form) {
  switch (form) {
    case Form::text:
    case Form::quoted:
      return value.is_string();
    case Form::integer:
      return value.is_int64();
    case Form::boolean:
      return value.is_bool();
    case Form::texts:
      return isListOf(value, boost::json::kind::string);
    case Form::textOrTexts:
      return value.is_string() || isListOf(value, boost::json::kind::string);
    case Form::object:
    case Form::map:
      return value.is_object();
    case Form::list:
      return isListOf(value, boost::json::kind::object);
    case Form::any:
      break;
  }
  return true;
}

bool isControl(unsigned char c) {
  return c < ' ' || c == 0x7F;
}

/// Whether a text has one of the characters U+2028 to U+202E or U+2066 to U+2069, which separate lines or
/// change the direction of the text. Compilers warn about the latter, even in comments.
bool hasHiddenCharacter(std::string_view text) {
  const auto hasOneOf = [&](std::string_view prefix, char first, char last) {
    for (std::size_t at = text.find(prefix); at != std::string_view::npos; at = text.find(prefix, at + 1))
      if (at + 2 < text.size() && text[at + 2] >= first && text[at + 2] <= last) return true;
    return false;
  };
  return hasOneOf("\xE2\x80", '\xA8', '\xAE') || hasOneOf("\xE2\x81", '\xA6', '\xA9');
}

class ShapeCheck {
 public:
  explicit ShapeCheck(Problems& problems) : problems_(problems) {}

  void object(const Node& node, const Shape& shape) {
    if (!node.value().is_object()) return wrongType(node, Form::object);
    const bool reference = !shape.component.empty() && node.has("$ref");
    const std::span<const Key> keys = reference ? std::span<const Key>{referenceKeys} : shape.keys;
    node.members([&](const std::string& name, const Node& member) {
      const Key* key = find(keys, name);
      if (key == nullptr && shape.fact) key = find(provenanceKeys, name);
      if (key == nullptr) return unknown(member, name, reference ? "a reference" : shape.name, keys);
      value(member, *key);
    });
    for (const Key& key : keys)
      if (key.required && !node.has(key.name)) missing(node, key, shape);
  }

 private:
  void value(const Node& node, const Key& key) {
    if (!matches(node.value(), key.form)) return wrongType(node, key.form);
    if (key.form == Form::text || key.form == Form::quoted) text(node, key);
    if (key.form == Form::texts || key.form == Form::textOrTexts) texts(node, key);
    if (key.form == Form::map) names(node);
    if (key.form == Form::integer || key.form == Form::any) integer(node);
    if (key.form == Form::any) constant(node);
    forEachOf(key, node, [&](const Node& each) {
      object(each, *key.shape);
      if (key.shape->isSchema) checkSchema(each, key.name, problems_);
    });
  }

  void text(const Node& node, const Key& key) {
    if (node.text().empty())
      problems_.add(node, "empty text", key.required ? "write one" : "write one, or remove it");
    oneLine(node, node.text());
    noTrigraph(node, node.text());
    if (key.form != Form::quoted) noBackslash(node, node.text());
  }

  void texts(const Node& node, const Key& key) {
    if (node.value().is_string()) return text(node, key);
    std::set<std::string> present;
    node.elements([&](const Node& each) {
      text(each, key);
      if (!present.insert(each.text()).second)
        problems_.add(each, inQuotes(each.text()) + " appears twice", "keep one of them");
    });
  }

  void names(const Node& map) {
    map.members([&](const std::string& name, const Node& member) {
      oneLine(member, name);
      noTrigraph(member, name);
      noBackslash(member, name);
    });
  }

  void oneLine(const Node& node, std::string_view text) {
    if (std::ranges::any_of(text, isControl) || hasHiddenCharacter(text))
      problems_.add(node, "a line break or another control character", "write it on one line");
  }

  /// Compilers warn about them.
  void noTrigraph(const Node& node, std::string_view text) {
    constexpr std::string_view ends = "=/'()!<>-";
    for (std::size_t at = text.find("??"); at != std::string_view::npos; at = text.find("??", at + 1))
      if (at + 2 < text.size() && ends.find(text[at + 2]) != std::string_view::npos)
        return problems_.add(node, "the trigraph " + inQuotes(text.substr(at, 3)), "remove a question mark");
  }

  /// At the end of a line, a backslash would continue a comment on the next line.
  void noBackslash(const Node& node, std::string_view text) {
    if (text.find('\\') != std::string_view::npos) problems_.add(node, "a backslash", "remove it");
  }

  /// A value that becomes JSON in a literal, which escapes line breaks.
  void constant(const Node& node) {
    node.members([&](const std::string&, const Node& member) { constant(member); });
    node.elements([&](const Node& element) { constant(element); });
    if (!node.value().is_string()) return;
    if (hasHiddenCharacter(node.text())) problems_.add(node, "a hidden character", "remove it");
    noTrigraph(node, node.text());
  }

  /// C++ has no literal for the least integer.
  void integer(const Node& node) {
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    if (node.value().is_int64() && node.value().get_int64() == least)
      problems_.add(node, "the integer is too small", "make it " + std::to_string(least + 1) + " or more");
  }

  void unknown(const Node& node, const std::string& name, std::string_view shape, std::span<const Key> keys) {
    problems_.add(node, "unknown key " + inQuotes(name) + " in " + std::string{shape},
                  "the allowed keys are " + allowed(keys));
  }

  void missing(const Node& node, const Key& key, const Shape& shape) {
    problems_.add(node, std::string{shape.name} + " lacks the key " + inQuotes(key.name),
                  "add it: " + expected(key.form));
  }

  void wrongType(const Node& node, Form form) {
    problems_.add(node, "wrong type", "make it " + expected(form));
  }

  Problems& problems_;
};

}  // namespace

void checkShape(const Document& document, Problems& problems) {
  ShapeCheck{problems}.object(Node{document}, documentShape);
}

}  // namespace tally::codegen::load
