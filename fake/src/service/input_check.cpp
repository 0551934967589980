#include "service/input_check.h"

#include <stdexcept>
#include <string>

#include "tables/longest_duration.h"
#include "tables/utf8.h"
#include "text/suggestion.h"

namespace tally::fake::detail {

namespace {

template <class Duration>
void checkRange(Duration duration) {
  if (duration < Duration::zero()) throw std::invalid_argument{"a duration can't be negative"};
  if (duration > std::chrono::floor<Duration>(longestDuration))
    throw std::invalid_argument{"a duration can't exceed 100 years"};
}

}  // namespace

const ResourceType& typeNamed(const Catalog& catalog, std::string_view name) {
  if (const ResourceType* type = catalog.findType(name)) return *type;
  const auto nameOf = [](const ResourceType& type) { return type.resource().name; };
  throw std::invalid_argument{
      "unknown resource '" + std::string{name} + "'" +
      tally::detail::suggestionOrList(name, catalog.types() | std::views::transform(nameOf))};
}

const AnyOperation& operationNamed(const Catalog& catalog, std::string_view name) {
  if (const AnyOperation* operation = catalog.findOperation(name)) return *operation;
  throw std::invalid_argument{
      "unknown operation '" + std::string{name} + "'" +
      tally::detail::suggestion(name, tally::detail::namesOf(catalog.description().operations))};
}

void checkCount(std::int64_t count, std::string_view what) {
  constexpr std::int64_t limit = 1'000'000'000'000;
  if (count < 1) throw std::invalid_argument{"expected at least one " + std::string{what}};
  if (count > limit) throw std::invalid_argument{"expected at most 1000000000000 " + std::string{what} + 's'};
}

void checkText(std::string_view what, std::string_view text) {
  if (!isUtf8(text)) throw std::invalid_argument{"the " + std::string{what} + " is not UTF-8"};
}

void checkDuration(std::chrono::nanoseconds duration) {
  checkRange(duration);
}

void checkDuration(std::chrono::seconds duration) {
  checkRange(duration);
}

}  // namespace tally::fake::detail
