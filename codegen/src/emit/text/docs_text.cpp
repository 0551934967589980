#include "emit/text/docs_text.h"

#include <algorithm>

namespace tally::codegen::emit {

namespace {

void addSentence(std::string& text, const std::string& sentence) {
  if (!text.empty() && !sentence.empty()) text += ' ';
  text += sentence;
}

}  // namespace

std::string assumptionPoint(const model::Description& description, const std::string& key) {
  const auto found = std::ranges::find(description.assumptions, key, &model::Assumption::key);
  return found == description.assumptions.end() ? key : found->point;
}

std::string rangeText(const model::Field& field) {
  if (!field.minimum || !field.maximum) return {};
  std::string result = std::to_string(*field.minimum) + " to " + std::to_string(*field.maximum);
  if (field.otherwise) result += "; default " + std::to_string(*field.otherwise);
  return result + '.';
}

std::vector<std::string> comment(const model::Description& description, const std::string& text,
                                 const model::Provenance& provenance) {
  std::vector<std::string> lines;
  if (!text.empty()) lines.push_back(text);
  if (!provenance.section.empty()) lines.push_back("Spec: " + literal(provenance.section) + '.');
  for (const std::string& key : provenance.assumptions)
    lines.push_back("Assumed (not specified): " + assumptionPoint(description, key) + '.');
  return lines;
}

std::string remark(const model::Field& field, const model::Struct& owner) {
  std::string text;
  if (owner.role == model::Role::params && field.required) addSentence(text, "Required.");
  addSentence(text, field.description);
  addSentence(text, rangeText(field));
  return text;
}

std::string spoken(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::string literal(std::string_view text) {
  if (text.empty()) return {};
  if (text.find_first_of("\"\\") == std::string_view::npos) return std::string{'"'}.append(text) + '"';
  // A longer one can't be broken.
  if (text.size() <= 80 && text.find(")\"") == std::string_view::npos)
    return std::string{"R\"("}.append(text) + ")\"";
  std::string result{'"'};
  for (const char c : text)
    result.append(c == '"' || c == '\\' ? "\\" : "") += c;
  return result + '"';
}

}  // namespace tally::codegen::emit
