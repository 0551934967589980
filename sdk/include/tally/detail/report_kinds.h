#pragma once

#include <tally/detail/cpp20.h>

#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] tally {

namespace detail {

/// A kind of report in the API description, for components that must recognize reports without this library.
struct ReportKind {
  std::string idPrefix{};   ///< Of its resource, such as `pr_`.
  std::string idPattern{};  ///< A regular expression for identifiers with this prefix, but not a longer one.
  std::string outcome{};    ///< Report::outcome.
  bool takesTime = false;
  bool requiresTime = false;
  bool takesMetadata = false;
  std::string attemptPrefix{};  ///< Of Report::attempt; empty if its resource has no attempts.
};

/// All kinds of reports, in the order of the API description.
[[nodiscard, gnu::visibility("default")]] std::vector<ReportKind> reportKinds();

}  // namespace detail

}  // namespace tally
