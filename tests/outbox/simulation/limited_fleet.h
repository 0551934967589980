#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace tally::test {

/// A fleet that always has reports to send, at the limits of its accounts, in virtual time.
struct LimitedFleetPlan {
  std::size_t workers = 8;
  std::size_t domains = 1;      // each with an account
  std::size_t reports = 1'000;  // of each domain
  std::size_t kills = 0;        // of the owner of a domain, from time to time
  std::int64_t rate = 25;       // of each endpoint, a second
};

struct LimitedFleetResult {
  double use = 0;  // of the limits, in relation to reportAll() with a Pacer
  std::size_t requests = 0;
  std::size_t claims = 0;                         // of domains
  std::map<std::string, std::size_t> refusals{};  // by the limit, or the code of the error
  std::size_t mostRefusals = 0;                   // by one limit, in one domain

  [[nodiscard]] std::string toText() const;
};

[[nodiscard]] LimitedFleetResult simulateLimitedFleet(const LimitedFleetPlan& plan);

}  // namespace tally::test
