#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <tally/attempt.h>
#include <tally/observer.h>
#include <tally/options.h>

#include "http/answer.h"

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
  CallReport(const Call& call, Observer* observer, Instant now);

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

  /// An exception ended the call: so ends what the observer was told of.
  void abandoned(Instant now) noexcept;

 private:
  struct Exceptions;

  [[nodiscard]] static const Exceptions& exceptions();
  [[nodiscard]] Effect effectOf(const std::optional<Error>& error) const noexcept;
  void keep(const Event& answer);
  void tell(EventKind kind, Instant now, Event event = {});

  Call call_;
  Observer* observer_;
  Instant began_;
  Instant since_;  // when what goes on now began
  int attempt_ = 0;
  bool underWay_ = false;         // an attempt that the observer was told of, and not of its answer
  Effect effect_ = Effect::none;  // of what was sent so far
  const Exceptions& exceptions_;  // made beforehand: to tell of an exception takes no memory
  std::vector<Attempt> trail_{};
};

}  // namespace tally::detail
