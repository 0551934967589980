#pragma once

#include <cstddef>
#include <string>

namespace tally::bench {

/// The identifier of the n-th record.
[[nodiscard]] std::string recordId(std::size_t n);

/// The JSON of the n-th record: about 800 bytes, different for each record.
[[nodiscard]] std::string recordJson(std::size_t n);

/// A page of a list as the service sends it: `count` records, starting with `first`.
[[nodiscard]] std::string pageJson(std::size_t first, std::size_t count, bool hasMore);

/// The same for a page of a search, with the cursor of the next page.
[[nodiscard]] std::string searchPageJson(std::size_t first, std::size_t count, const std::string& nextPage);

/// The requested amount of the n-th record.
[[nodiscard]] constexpr long amountOf(std::size_t n) {
  return 100 + static_cast<long>(n % 9'000);
}

}  // namespace tally::bench
