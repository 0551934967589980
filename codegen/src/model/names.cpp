#include "model/names.h"

#include <algorithm>
#include <iterator>

#include "client_names.h"

namespace tally::codegen::model {

namespace {

constexpr std::string_view keywords[] = {
    "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
    "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
    "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
    "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
    "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
    "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
    "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
    "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
    "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
    "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
    "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
    "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
    "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
    "xor_eq",
};

// Parameters of templates, macros of the standard library and of compilers, and names that generated code
// uses itself.
constexpr std::string_view otherNames[] = {"C",     "O",    "assert",        "detail",      "errno",
                                           "linux", "std",  "stderr",        "stdin",       "stdout",
                                           "tally", "unix", "unknownFields", "lastResponse"};

// Members of the services and of MockResource, which methods of the same names would hide.
constexpr std::string_view serviceMembers[] = {"checkReport", "inProcess", "makeAsync",    "operations",
                                               "respond",     "send",      "resolveReport"};

// Members of Client, AsyncClient and their base classes.
constexpr std::string_view clientMembers[] = {"clock",       "close",     "core",      "counts", "engine",
                                              "isMovedFrom", "mutations", "readsUsed", "run",    "send",
                                              "sharedCore",  "sleepFor",  "sleepUntil"};

bool isLower(char c) {
  return c >= 'a' && c <= 'z';
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
char upper(char c) {
  return isLower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}

template <std::size_t size>
bool isOneOf(const std::string_view (&names)[size], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

std::string camelCase(std::string_view name) {
  std::string result;
  bool raise = false;
  for (const char c : name) {
    if (isLower(c) || isDigit(c) || (c >= 'A' && c <= 'Z')) {
      result += raise ? upper(c) : c;
      raise = false;
    } else {
      raise = !result.empty();
    }
  }
  return result;
}

std::string pascalCase(std::string_view name) {
  std::string result = camelCase(name);
  if (!result.empty()) result[0] = upper(result[0]);
  return result;
}

bool isPlain(std::string_view name) {
  if (name.empty() || !isLower(name.front())) return false;
  bool separated = true;
  for (const char c : name) {
    const bool separator = c == '_' || c == '-' || c == '.';
    if (separator ? separated : !isLower(c) && !isDigit(c)) return false;
    separated = separator;
  }
  return !separated;
}

bool isKeyword(std::string_view name) {
  return isOneOf(keywords, name);
}
bool isTakenInService(std::string_view method) {
  return isOneOf(serviceMembers, method);
}
bool isTakenInClient(std::string_view accessor) {
  return isOneOf(clientMembers, accessor);
}
bool isTakenInNamespace(std::string_view name) {
  return isOneOf(clientTypes, name);
}
bool isTakenAsFile(std::string_view stem) {
  return isOneOf(clientHeaders, stem);
}

void checkName(const std::string& name, const std::string& cppName, const Place& place, Problems& problems) {
  if (!isPlain(name)) {
    problems.add(place, "no C++ name can be made from " + inQuotes(name),
                 "use lowercase letters, digits and single underscores, starting with a letter");
  } else if (isKeyword(cppName)) {
    problems.add(place, inQuotes(cppName) + " is a C++ keyword", "choose another name");
  } else if (isOneOf(otherNames, cppName)) {
    problems.add(place, inQuotes(cppName) + " is reserved for generated code", "choose another name");
  }
}

}  // namespace tally::codegen::model
