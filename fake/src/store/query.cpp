#include "store/query.h"

#include <array>

namespace tally::fake::detail {

std::string_view toString(Comparison comparison) noexcept {
  constexpr std::array<std::string_view, 6> texts{":", "~", "<", "<=", ">", ">="};
  return texts[static_cast<std::size_t>(comparison)];
}

std::string describe(const QueryFault& fault) {
  return "at position " + std::to_string(fault.position) + ": " + fault.what;
}

}  // namespace tally::fake::detail
