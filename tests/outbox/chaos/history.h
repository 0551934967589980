#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <tally/fake/service.h>

namespace tally::test {

/// What the service did for reports that are numbered along each object, by the metadata key `sequence`.
class History {
 public:
  explicit History(const std::vector<fake::LoggedRequest>& log);

  /// How often a report was applied.
  [[nodiscard]] int effects(std::uint64_t sequence) const;

  /// Reports that were applied more than once.
  [[nodiscard]] std::vector<std::uint64_t> doubled() const;

  /// Pairs of reports on one object, of which the second was first applied before the first one: `3 after 4`.
  [[nodiscard]] std::vector<std::string> outOfOrder() const;

 private:
  struct Effect {
    std::uint64_t number = 0;  // of the request
    std::string object{};
    std::uint64_t sequence = 0;
  };
  std::vector<Effect> effects_{};
};

}  // namespace tally::test
