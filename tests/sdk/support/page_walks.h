#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tally/tally.h>

#include "sdk/support/harness.h"

namespace tally::test {

using Ids = std::vector<std::string>;

/// The result of a loop.
struct Walked {
  Ids ids{};
  std::optional<Error> error{};
};

template <class Range>
Walked walk(Range&& range) {
  Walked walked;
  for (auto&& object : std::forward<Range>(range)) {
    if (object) {
      walked.ids.push_back(object.value().id.str());
    } else {
      walked.error = object.error();
    }
  }
  return walked;
}

inline std::string queryOf(const HttpRequest& request) {
  return request.url.substr(request.url.find('?') + 1);
}

/// Pages of `perPage` records each: pr_9, pr_8 and so on, down to pr_1.
inline void respondWithNineRecords(Harness& h, int perPage, const std::string& cursor = {}) {
  for (int first = 9; first > 0; first -= perPage) {
    Ids ids;
    for (int number = first; number > first - perPage && number > 0; --number)
      ids.push_back("pr_" + std::to_string(number));
    const bool hasMore = first > perPage;
    const std::string next = R"(,"next_page":")" + cursor + std::to_string(first) + '"';
    h.respond(ok(pageJson(ids, hasMore, hasMore && !cursor.empty() ? next : "")));
  }
}

}  // namespace tally::test
