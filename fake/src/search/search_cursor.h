#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/collection.h"

namespace tally::fake::detail {

/// Encodes and decodes the `next_page` cursors of one search: one query by one account in one mode. A cursor
/// contains the position of the last object of the page and a checksum, which rejects other strings.
class SearchCursors {
 public:
  /// `secret` belongs to the service. `scope` identifies the operation, mode and account.
  SearchCursors(std::uint64_t secret, std::string_view scope, std::string_view query);

  [[nodiscard]] std::string write(Position last) const;

  /// Nothing if `cursor` was not written for this search.
  [[nodiscard]] std::optional<Position> read(std::string_view cursor) const;

 private:
  [[nodiscard]] std::uint64_t checksum(Position last) const;

  std::uint64_t key_;
};

}  // namespace tally::fake::detail
