#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <tally/attempt.h>
#include <tally/observer.h>
#include <tally/options.h>

#include "answer.h"

namespace tally::detail {

/// What is told of one call while it goes on: to the observer, and to whoever asks for its attempts.
class CallReport {
 public:
  struct Call {
    std::string_view operation{};
    std::string_view object{};
    const HttpRequest& request;
    const RequestOptions& options;
  };

  /// What `call` refers to, and `observer`, which may be null, outlive this.
  CallReport(const Call& call, Observer* observer, Instant now)
      : call_(call), observer_(observer), began_(now), since_(now) {}

  void queued(Instant now) { tell(EventKind::queue, now); }
  void turnCame(Instant now);
  void pacing(Instant now);
  void paced(Instant now);
  void sending(Instant now);
  void answered(Instant now, const Answer& answer, const std::optional<Error>& error);
  void waiting(Instant now, Instant until);
  void retrying(Instant now);

  /// The error with which the call ends, if it does, with all its attempts.
  [[nodiscard]] std::optional<Error> ended(Instant now, const std::optional<Error>& error);

 private:
  void keep(const Event& answer);
  void tell(EventKind kind, Instant now, Event event = {});

  Call call_;
  Observer* observer_;
  Instant began_;
  Instant since_;  // when what goes on now began
  int attempt_ = 0;
  std::vector<Attempt> trail_{};
};

}  // namespace tally::detail
