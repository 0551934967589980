#include "request/form_field_name.h"

namespace tally::fake::detail {

std::optional<std::vector<std::string_view>> stepsOf(std::string_view name) {
  const std::string_view first = name.substr(0, name.find('['));
  if (first.empty() || first.find(']') != std::string_view::npos) return std::nullopt;
  std::vector<std::string_view> steps{first};
  for (name.remove_prefix(first.size()); !name.empty();) {
    const std::size_t close = name.find(']');
    if (name.front() != '[' || close == std::string_view::npos) return std::nullopt;
    steps.push_back(name.substr(1, close - 1));
    if (steps.back().find('[') != std::string_view::npos) return std::nullopt;
    name.remove_prefix(close + 1);
  }
  return steps;
}

}  // namespace tally::fake::detail
