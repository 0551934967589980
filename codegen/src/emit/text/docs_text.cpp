#include "emit/text/docs_text.h"

namespace tally::codegen::emit {

namespace {

void append(Lines& lines, std::size_t indent, const std::string& text) {
  constexpr std::size_t slashes = 4;
  for (std::string& line : wrapped(indent + slashes, text))
    lines.push_back(std::move(line));
}

void addSentence(std::string& text, const std::string& sentence) {
  if (!text.empty()) text += ' ';
  text += sentence;
}

}  // namespace

std::string assumptionPoint(const model::Description& description, const std::string& key) {
  for (const model::Assumption& assumption : description.assumptions)
    if (assumption.key == key) return assumption.point;
  return key;
}

std::string rangeText(const model::Field& field) {
  if (!field.minimum || !field.maximum) return {};
  std::string result = std::to_string(*field.minimum) + " to " + std::to_string(*field.maximum);
  if (field.otherwise) result += "; default " + std::to_string(*field.otherwise);
  return result + '.';
}

Lines comment(const model::Description& description, std::size_t indent, const std::string& text,
              const model::Provenance& provenance) {
  Lines lines;
  append(lines, indent, text);
  if (!provenance.section.empty()) append(lines, indent, "Spec: " + literal(provenance.section) + '.');
  for (const std::string& key : provenance.assumptions)
    append(lines, indent, "Assumed (not specified): " + assumptionPoint(description, key) + '.');
  return lines;
}

std::string remark(const model::Field& field, const model::Struct& owner) {
  std::string text;
  if (owner.role == model::Role::params && field.required) addSentence(text, "Required.");
  if (!field.description.empty()) addSentence(text, field.description);
  if (const std::string limits = rangeText(field); !limits.empty()) addSentence(text, limits);
  return text;
}

}  // namespace tally::codegen::emit
