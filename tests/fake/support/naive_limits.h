#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <tally/fake/limit_usage.h>
#include <tally/fake/service.h>
#include <tally/limits.h>
#include <tally/transport.h>

namespace tally::test {

/// A request, and the facts about it that limits depend on.
struct LimitedRequest {
  std::string operation{};
  std::string object{};              // in its path
  bool exists = true;                // the object in its path
  std::vector<std::string> given{};  // parameters
  std::string subscription{};        // named in the parameters
  bool valid = true;
  HttpRequest http{};
};

/// Requests of several operations, for newly created objects. Some fail.
[[nodiscard]] std::vector<LimitedRequest> someRequests(fake::Service& service, const std::string& key);

/// A naive model of the limits: keeps all requests, and counts them anew each time.
class NaiveLimits {
 public:
  using Numbers = std::vector<std::optional<std::int64_t>>;  // as in limits::all
  using Line = std::tuple<std::string, std::string, std::string, std::int64_t, std::int64_t, std::int64_t,
                          std::optional<Instant>>;

  explicit NaiveLimits(Numbers numbers) : numbers_(std::move(numbers)) {}

  /// The first limit that refuses it, or null.
  [[nodiscard]] const Limit* refusal(const LimitedRequest& request, Instant now) const;

  void admitted(const LimitedRequest& request, Instant time, Instant end, bool changed) {
    past_.push_back({&request, time, end, changed});
  }

  /// Takes units; without an operation, only of the global limit. A negative number returns them.
  void holdConcurrency(const std::string& operation, std::int64_t units) {
    held_.emplace_back(operation, units);
  }

  /// The same as usage(), in any order: name, operation, object, used, allowed, remaining, available at.
  [[nodiscard]] std::vector<Line> usage(Instant now) const;
  [[nodiscard]] static std::vector<Line> linesOf(const std::vector<fake::LimitUsage>& usage);

 private:
  struct Past {
    const LimitedRequest* request = nullptr;
    Instant time{};
    Instant end{};
    bool changed = false;
  };

  [[nodiscard]] std::int64_t used(std::size_t limit, std::string_view key, Instant now) const;
  [[nodiscard]] std::optional<Instant> frees(std::size_t limit, std::string_view key, Instant now) const;
  [[nodiscard]] static Instant leaves(const Limit& limit, const Past& past);

  Numbers numbers_;
  std::vector<Past> past_{};
  std::vector<std::pair<std::string, std::int64_t>> held_{};
};

}  // namespace tally::test
