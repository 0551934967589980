#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <vector>

#include "text/string_map.h"

namespace tally::fake::detail {

/// Which ends of the list a page shows.
struct PageEnds {
  bool newest = false;  // it begins with the newest object at that time
  bool oldest = false;  // it ends with the oldest one
};

/// The order of the objects of one list, put together from the pages that a recording shows.
class ListOrder {
 public:
  /// Learns the order of consecutive objects, newest first: a page, and the cursor next to it.
  void learn(const std::vector<std::string>& ids, const PageEnds& ends = {});

  /// Learns what another order shows of the same list.
  void learn(const ListOrder& other);

  [[nodiscard]] std::size_t size() const noexcept { return places_.size(); }

  /// Calls `visit` for each identifier, newest first, with the number of its part of the list, from 1. No
  /// page shows which of two parts is newer. The number is 0 if the pages show the place of the part.
  template <class Visit>
  void forEach(const Visit& visit) const {
    std::size_t parts = 0;
    for (const Run* run : newestFirst()) {
      const std::size_t part = run->newest == 0 && run->oldest == 0 ? ++parts : 0;
      for (const std::string& id : run->ids)
        visit(id, part);
    }
  }

 private:
  /// Objects of which pages show that they follow one another.
  struct Run {
    std::list<std::string> ids{};
    std::uint64_t newest = 0;  // the last page that began the list with one of them; 0: none
    std::uint64_t oldest = 0;  // the last page that ended the list with one of them; 0: none
  };
  using Runs = std::list<Run>;
  struct Place {
    Runs::iterator run{};
    std::list<std::string>::iterator id{};
  };

  Place& placeOf(const std::string& id);
  void join(Place one, Place next);
  [[nodiscard]] std::list<const Run*> newestFirst() const;

  Runs runs_{};
  tally::detail::StringMap<Place> places_{};
  std::uint64_t pages_ = 0;
};

}  // namespace tally::fake::detail
