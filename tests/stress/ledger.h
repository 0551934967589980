#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tally/fake/service.h>

#include "claim.h"
#include "sending.h"
#include "world.h"

namespace tally::stress {

/// The metadata key that carries the number of each change.
inline constexpr const char* numberKey = "call";

/// The changes that a service made, according to its log.
class Ledger {
 public:
  explicit Ledger(const std::vector<fake::LoggedRequest>& log);

  /// How the ledger and the clients' claims differ, in words.
  [[nodiscard]] std::vector<std::string> disagreements(const std::vector<Claim>& claims) const;

  /// How the ledger and the clients' claims about single calls differ.
  [[nodiscard]] std::vector<std::string> disagreements(const std::vector<Sending>& sendings) const;

  /// How the ledger and the store differ.
  [[nodiscard]] std::vector<std::string> disagreements(const World& world) const;

 private:
  struct Report {
    std::uint64_t number = 0;
    std::string operation{};
  };

  struct Requests {
    std::size_t arrived = 0;
    int done = 0;
  };

  static void compare(const std::vector<Report>& reports, const PaymentRecord& record,
                      const std::optional<std::string>& state, std::vector<std::string>& found);

  std::map<std::uint64_t, int> times_{};                  // how often each change was made
  std::map<std::uint64_t, Requests> calls_{};             // that request changes
  std::map<std::string, std::vector<Report>> reports_{};  // on each object, in order of application
};

}  // namespace tally::stress
