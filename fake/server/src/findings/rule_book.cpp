#include "findings/rule_book.h"

#include <algorithm>
#include <stdexcept>

namespace tally::fake::detail {

namespace {

bool isBasedOn(std::span<const std::string_view> places, std::string_view place) {
  return std::ranges::find(places, place) != places.end();
}

const Section* sectionOf(std::string_view place) {
  const auto found = std::ranges::find_if(
      sections, [&](const Section& section) { return isBasedOn(section.places, place); });
  return found == sections.end() ? nullptr : &*found;
}

const Assumption* assumptionOf(std::string_view place) {
  const auto found = std::ranges::find_if(
      assumptions, [&](const Assumption& assumption) { return isBasedOn(assumption.places, place); });
  return found == assumptions.end() ? nullptr : &*found;
}

}  // namespace

Rule Rule::of(std::string_view place, std::string_view section) {
  const Section* documented = sectionOf(place);
  return {.section = documented == nullptr ? section : documented->name, .assumption = assumptionOf(place)};
}

Rule Rule::of(std::string_view place, std::string_view outer, std::string_view section) {
  const bool known = sectionOf(place) != nullptr || assumptionOf(place) != nullptr;
  return of(known ? place : outer, section);
}

Rule Rule::assumed(std::string_view key, std::string_view section) {
  const auto found = std::ranges::find(assumptions, key, &Assumption::key);
  if (found == assumptions.end()) throw std::logic_error{"no assumption " + std::string{key}};
  return {.section = section, .assumption = &*found};
}

std::size_t rankOf(std::string_view section) {
  return static_cast<std::size_t>(std::ranges::find(sections, section, &Section::name) - sections.begin());
}

}  // namespace tally::fake::detail
