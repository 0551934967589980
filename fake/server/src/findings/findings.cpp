#include "findings/findings.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "text/url.h"

namespace tally::fake::detail {

namespace {

/// Parts of an identifier come from the recording, so they may contain any character. A list of accepted
/// differences contains one identifier per line, and comments that begin with `#`.
std::string identifierOf(std::string_view text) {
  std::string id;
  for (const char& c : text) {
    const bool isPlain = c > ' ' && c <= '~' && c != '#' && c != '%';
    if (isPlain) {
      id += c;
    } else {
      tally::detail::percentEncode(id, {&c, 1});
    }
  }
  return id;
}

}  // namespace

void Findings::differ(std::string_view name, const Rule& rule, std::string text, std::uint64_t request) {
  std::string id = identifierOf(name);
  auto [found, isNew] = byId_.try_emplace(id);
  Deviation& deviation = found->second;
  if (isNew || request < deviation.firstRequest) {
    deviation.rule = rule;
    deviation.text = std::move(text);
    deviation.firstRequest = request;
    deviation.id = std::move(id);
  }
  ++deviation.count;
}

void Findings::cannotJudge(std::string text, std::uint64_t request) {
  const auto [found, isNew] = byText_.try_emplace(text, unjudged_.size());
  if (isNew) unjudged_.push_back({.text = std::move(text), .firstRequest = request});
  Unjudged& unjudged = unjudged_[found->second];
  ++unjudged.count;
  unjudged.firstRequest = std::min(unjudged.firstRequest, request);
}

std::vector<Deviation> Findings::differences() const {
  std::vector<Deviation> all;
  all.reserve(byId_.size());
  for (const auto& [id, deviation] : byId_)
    all.push_back(deviation);
  std::ranges::sort(all, {}, [](const Deviation& one) {
    return std::tuple{rankOf(one.rule.section), one.rule.section, one.firstRequest, std::string_view{one.id}};
  });
  return all;
}

}  // namespace tally::fake::detail
