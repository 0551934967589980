#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/collection.h"

namespace tally::fake::detail {

/// Makes and reads the `next_page` of one search: of one query, by one account, in one mode. It says behind
/// which object the next page begins, and bears a checksum, so that no other text is taken for one.
class SearchCursors {
 public:
  /// `secret` is the service's; `scope` says whose search it is and of what.
  SearchCursors(std::uint64_t secret, std::string_view scope, std::string_view query);

  [[nodiscard]] std::string write(Position last) const;

  /// Nothing for a text that was not written for this search.
  [[nodiscard]] std::optional<Position> read(std::string_view cursor) const;

 private:
  [[nodiscard]] std::uint64_t checksum(Position last) const;

  std::uint64_t key_;
};

}  // namespace tally::fake::detail
