#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "observed/observation.h"

namespace tally::fake::detail {

/// A recorded request that changed something, or may have.
struct Touch {
  std::uint64_t request = 0;
  const AnyOperation* operation = nullptr;
  std::string id{};  // of the object that it changed or created; empty if it is not known
  Instant start{};
  Instant end{};
  bool certain = false;  // it did change the object, and the service ended it at `end`
};

/// The change that the request is.
[[nodiscard]] Touch touchOf(const Observation& seen);

/// The recorded requests in the order of their starts, whatever the order of the recording, and the changes
/// that overlap each of them. Keeps in memory only what overlaps.
class Timeline {
 public:
  /// `disorder`: how much earlier a request may start than one before it in the recording. `resolution`: of
  /// the recorded times.
  Timeline(const Catalog& catalog, Recording& recording, std::chrono::nanoseconds disorder,
           std::chrono::nanoseconds resolution)
      : catalog_(catalog), recording_(recording), disorder_(disorder), resolution_(resolution) {}

  /// The next request; null at the end. Valid until the next call.
  [[nodiscard]] const Observation* next();

  /// Whether a change that `matches` overlaps the current request by more than the resolution of recorded
  /// times. Which of the two the service processed first is then unknown.
  [[nodiscard]] bool overlaps(const std::function<bool(const Touch&)>& matches) const;

  /// Calls `visit` for the changes that start after the current request, but before it ends.
  void visitAhead(const std::function<void(const Touch&)>& visit) const;

 private:
  using Order = std::pair<Instant, std::uint64_t>;

  [[nodiscard]] bool isKnown(Instant time) const;
  void read();
  void retire();

  const Catalog& catalog_;
  Recording& recording_;
  const std::chrono::nanoseconds disorder_;
  const std::chrono::nanoseconds resolution_;
  std::map<Order, std::unique_ptr<Observation>> ahead_{};
  std::unique_ptr<Observation> current_{};
  std::vector<Touch> past_{};  // that may overlap the next
  Instant latestStart_ = Instant::min();
  bool ended_ = false;
};

}  // namespace tally::fake::detail
