#include "print/value_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ostream>

namespace tally::detail {

namespace {

int nestedFlag() {
  static const int index = std::ios_base::xalloc();
  return index;
}

}  // namespace

ValueLine& ValueLine::add(std::string_view name, bool value) {
  return append(name, value ? "true" : "false");
}

ValueLine& ValueLine::add(std::string_view name, double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return append(name, std::string_view{digits.data(), end});
}

ValueLine& ValueLine::add(std::string_view name, std::string_view value) {
  return value.empty() ? *this : append(name, printed(value));
}

ValueLine& ValueLine::addSet(std::string_view name, bool isSet) {
  return isSet ? append(name, "set") : *this;
}

ValueLine& ValueLine::addSize(std::string_view name, std::string_view body) {
  return body.empty() ? *this : append(name, std::to_string(body.size()) + " bytes");
}

ValueLine& ValueLine::addAddress(std::string_view name, std::string_view address) {
  const std::size_t scheme = address.find("://");
  const std::size_t begin = scheme == std::string_view::npos ? 0 : scheme + 3;
  const std::size_t user = address.rfind('@');
  const std::string_view host =
      address.substr(user == std::string_view::npos ? begin : std::max(begin, user + 1));
  const std::string shown = std::string{address.substr(0, begin)}.append(host.substr(0, host.find('?')));
  return add(name, shown);
}

ValueLine& ValueLine::append(std::string_view name, std::string_view text) {
  if (!fields_.empty()) fields_ += ", ";
  fields_.append(name).append(": ").append(text);
  return *this;
}

ValueLine& ValueLine::append(std::string_view name, const std::vector<std::string>& elements) {
  if (elements.empty()) return *this;
  std::string list{'['};
  for (std::size_t i = 0; i < std::min(elements.size(), longestList); ++i)
    list.append(i == 0 ? "" : ", ").append(elements[i]);
  if (elements.size() > longestList)
    list += ", and " + std::to_string(elements.size() - longestList) + " more";
  return append(name, list += ']');
}

void ValueLine::nest(std::ostream& out) {
  out.iword(nestedFlag()) = 1;
}

std::ostream& operator<<(std::ostream& out, const ValueLine& line) {
  const bool nested = out.iword(nestedFlag()) != 0;
  return out << (nested ? std::string{} : line.type_) + '{' + line.fields_ + '}';
}

}  // namespace tally::detail
