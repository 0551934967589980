#pragma once

#include <span>
#include <string_view>

// On what the API description is based: the sections of the specification, and the assumptions where it
// leaves a point open.

namespace tally::fake::detail {

/// A choice that the specification leaves open, as in docs/reference/assumptions.md.
struct Assumption {
  std::string_view key{};                      // `list_order`
  std::string_view point{};                    // `List order and cursors`
  std::string_view choice{};                   // in Markdown
  std::span<const std::string_view> places{};  // what is based on it: "limit `global_rate`"
};

/// A section of the specification.
struct Section {
  std::string_view name{};
  std::span<const std::string_view> places{};
};

extern const std::span<const Assumption> assumptions;
extern const std::span<const Section> sections;

}  // namespace tally::fake::detail
