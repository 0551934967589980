#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <tally/attempt.h>
#include <tally/observer.h>
#include <tally/options.h>

#include "http/response_reader.h"

namespace tally::detail {

/// Reports the progress of one call to the observer, and collects its attempts for its error and
/// `RequestOptions::attempts`.
class CallReport {
 public:
  struct Description {
    std::string_view operation{};
    std::string_view object{};
    const HttpRequest& request;
    const RequestOptions& options;
  };

  /// What `call` refers to and `observer`, which may be null, must outlive this.
  CallReport(const Description& call, Observer* observer, Instant now);

  /// The event that sending() is about to report.
  [[nodiscard]] Event upcoming(Instant now);
  [[nodiscard]] int nextAttempt() const noexcept { return attempt_ + 1; }

  void queued(Instant now) { tell(EventKind::queued, now); }
  void turnCame(Instant now);
  void pacing(Instant now);
  void paced(Instant now);
  void sending(Instant now);
  /// Before a reader, which may move the headers away, processes `result`.
  void arrived(const TransportResult& result);
  void responded(Instant now, const TransportResult& result, const std::optional<Error>& error);
  void waiting(Instant now, Instant until);
  void retrying(Instant now);

  /// Reports the end of the call. Returns its error, if any, with all attempts.
  [[nodiscard]] std::optional<Error> ended(Instant now, const std::optional<Error>& error);

  /// The call ends, and detaches its attempt in flight. Returns the error with all attempts. responded() and
  /// ended() still report to the observer.
  [[nodiscard]] Error detached(Instant now, const Error& error);

  /// Reports that an exception ended the call, and the attempt in flight, if any. Returns the error reported.
  const Error& abandoned(Instant now) noexcept;

  /// Reports that the call, and the attempt in flight, if any, ended with this error. Takes no memory.
  void aborted(Instant now, const Error& error) noexcept;

 private:
  struct Exceptions;

  [[nodiscard]] static const Exceptions& exceptions();
  [[nodiscard]] Effect effectOf(const std::optional<Error>& error) const noexcept;
  void keep(const Event& result);
  void fill(Event& event, EventKind kind, Instant now);
  void tell(EventKind kind, Instant now, Event event = {});

  Description call_;
  Observer* observer_;
  Instant began_;
  Instant since_;             // start of the current step
  std::uint64_t number_ = 0;  // once the call has an event
  int attempt_ = 0;
  std::string requestId_{};       // of the last response, if anybody wants it
  bool inFlight_ = false;         // the observer was told of an attempt, but not of its end
  Effect effect_ = Effect::none;  // of the last attempt
  const Exceptions& exceptions_;  // created in advance: reporting an exception allocates nothing
  std::vector<Attempt> attempts_{};
};

}  // namespace tally::detail
