#include "faults/request_parts.h"

#include <algorithm>
#include <utility>

#include "form/param_name.h"
#include "text/ascii.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view metadataName = "metadata";

}  // namespace

const std::vector<SentParam>& RequestParts::params() {
  if (!params_) params_ = sentParams(*request_);
  return *params_;
}

std::vector<std::string_view> RequestParts::values(Part part, std::string_view name) {
  std::vector<std::string_view> found;
  if (part == Part::header) {
    for (const Header& header : request_->headers)
      if (tally::detail::equalIgnoringCase(header.name, name)) found.emplace_back(header.value);
    return found;
  }
  const std::string wanted =
      part == Part::metadata ? tally::detail::paramName(metadataName, name) : std::string{name};
  for (const SentParam& param : params())
    if (param.name == wanted) found.emplace_back(param.value);
  return found;
}

bool RequestParts::match(Part part, const NamedPattern& pattern) {
  const std::vector<std::string_view> present = values(part, pattern.name);
  if (pattern.value.rule() == TextPattern::Rule::absent) return present.empty();
  return std::ranges::any_of(present, [&](std::string_view value) { return pattern.value.matches(value); });
}

bool RequestParts::match(Part part, std::span<const NamedPattern> patterns) {
  return std::ranges::all_of(patterns, [&](const NamedPattern& each) { return match(part, each); });
}

TextPattern shownPattern(const NamedPattern& pattern) {
  const TextPattern::Rule rule = pattern.value.rule();
  if (rule == TextPattern::Rule::any || rule == TextPattern::Rule::absent) return pattern.value;
  std::string shown = shownHeader(pattern.name, pattern.value.text());
  return rule == TextPattern::Rule::equal ? std::move(shown) : TextPattern::containing(std::move(shown));
}

}  // namespace tally::fake::detail
