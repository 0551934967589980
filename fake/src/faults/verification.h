#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <tally/fake/request_pattern.h>

namespace tally::fake::detail {

/// Collects the requests that match a pattern, those that may match, and those that match almost. Give it the
/// log, oldest first.
class Verifier {
 public:
  explicit Verifier(RequestPattern pattern) : pattern_(std::move(pattern)) {}

  void look(LoggedRequest&& request);

  [[nodiscard]] Verification result(const Count& expected, std::uint64_t dropped) &&;

 private:
  struct Candidate {
    NearMiss miss{};
    bool otherOperation = false;
    double dissimilarity = 0;
  };

  [[nodiscard]] Candidate candidateOf(LoggedRequest&& request, std::vector<Difference>&& found) const;
  [[nodiscard]] static bool isCloser(const Candidate& a, const Candidate& b);

  RequestPattern pattern_;
  std::vector<std::uint64_t> matching_{};
  std::vector<Candidate> closest_{};  // closest first
  std::size_t compared_ = 0;
  std::size_t unknown_ = 0;
};

}  // namespace tally::fake::detail
