#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/limit_history.h>

#include "time/sliding_window.h"

namespace tally::fake::detail {

using tally::detail::SlidingWindow;

/// The highest uses of a limit and its refusals, as long as they are kept. The memory is bounded, and to note
/// a use takes two comparisons unless it is the highest of its hour.
class UseHistory {
 public:
  static constexpr std::chrono::hours kept{24};

  /// The highest use in the hour that begins at `since`.
  struct Peak {
    Instant since{};
    Instant time{};
    std::int64_t used = 0;
    std::string object{};
  };

  /// The refusals that are kept, except for their minutes.
  struct Refusals {
    Instant first{};
    Instant last{};
    std::string object{};  // of the last
  };

  void noteUse(Instant now, std::int64_t used, std::string_view object = {}) {
    if (now >= peakEnd_ || used > highest_) notePeak(now, used, object);
  }

  void noteRefusal(Instant now, std::string_view object = {});

  /// Adds what happened in the time that ends with `now`.
  void addTo(LimitHistory& history, Instant now) const;

  // To save and restore it.

  [[nodiscard]] const std::vector<Peak>& peaks() const noexcept { return peaks_; }
  /// Empty once none of the refusals is kept any longer.
  [[nodiscard]] Refusals refusals(Instant now) const {
    return hasRefusals(now) ? refused_.front().refusals : Refusals{};
  }
  [[nodiscard]] std::vector<SlidingWindow::Run> minutes(Instant now) const {
    return refused_.empty() ? std::vector<SlidingWindow::Run>{} : refused_.front().minutes.runs(now);
  }
  [[nodiscard]] bool isEmpty(Instant now) const { return peaks_.empty() && !hasRefusals(now); }

  /// The arguments are in the order of their times.
  void resume(std::vector<Peak> peaks, Refusals refusals, const std::vector<SlidingWindow::Run>& minutes);

 private:
  struct Refused {
    Refusals refusals{};
    SlidingWindow minutes{kept};  // each refusal at the start of its minute
  };

  [[nodiscard]] Refused& refused();
  [[nodiscard]] bool hasRefusals(Instant now) const {
    return !refused_.empty() && refused_.front().minutes.countAt(now) != 0;
  }
  void notePeak(Instant now, std::int64_t used, std::string_view object);
  void follow(const Peak& last);

  Instant peakEnd_ = Instant::min();  // of the hour of the last peak
  std::int64_t highest_ = 0;          // in that hour
  std::vector<Peak> peaks_{};         // oldest first
  std::vector<Refused> refused_{};    // at most one: most limits never refuse, and take no memory for it
};

}  // namespace tally::fake::detail
