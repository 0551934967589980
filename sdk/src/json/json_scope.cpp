#include "json/json_scope.h"

namespace tally::detail {

namespace {

/// Prepends the step into `scope` to a path within it.
void prependStep(std::string& path, const Scope& scope) {
  std::string step{scope.key};
  if (scope.isArray) step = '[' + std::to_string(scope.index) + ']';
  if (scope.field != nullptr) step = scope.field->name;
  if (!step.empty() && !path.empty() && path.front() != '[') step += '.';
  path.insert(0, step);
}

std::string escaped(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '.' || c == '[' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

bool keepsUnknownFields(const Scope& scope) {
  return scope.target && scope.target.unknownFields() != nullptr;
}

}  // namespace

std::string pathOf(const Scope* scope) {
  std::string path;
  for (; scope != nullptr; scope = scope->outer)
    prependStep(path, *scope);
  return path;
}

Stray strayIn(const Scope& scope, std::string_view name) {
  Stray stray{.keeper = &scope};
  while (!keepsUnknownFields(*stray.keeper)) {
    stray.keeper = stray.keeper->outer;
    if (stray.keeper == nullptr) break;
    prependStep(stray.path, *stray.keeper);
  }
  if (!stray.path.empty()) stray.path += '.';
  stray.path += escaped(name);
  return stray;
}

}  // namespace tally::detail
