#pragma once

#include <optional>
#include <string>

#include <tally/error.h>
#include <tally/transport.h>

#include "schema/operation.h"

namespace tally::detail {

/// Processes the outcome of an attempt at `now`; null on success, and then the body and the headers may have
/// been moved away.
class Reader {
 public:
  virtual ~Reader() = default;
  [[nodiscard]] virtual std::optional<Error> read(TransportResult& result, Instant now) const = 0;

  /// Called instead of read() if an exception ended the attempt: whether the request had an effect is
  /// unknown.
  virtual void abandoned(Instant now) const noexcept { (void)now; }

 protected:
  Reader() = default;
  Reader(const Reader&) = default;
  Reader& operator=(const Reader&) = default;
};

/// The error of a 2xx response that can't be read.
[[nodiscard]] Error malformed(const HttpResponse& response, const AnyOperation& operation,
                              std::string problem);

/// The error of an unsuccessful attempt; null for a 2xx response, whose body is not read yet.
[[nodiscard]] std::optional<Error> errorIn(const TransportResult& result, const AnyOperation& operation,
                                           Instant now);

/// Reads a successful response into an object, any other outcome into an Error.
class ResponseReader final : public Reader {
 public:
  /// Successful responses are read into `target`.
  ResponseReader(const AnyOperation& operation, ObjectRef target) : operation_(operation), target_(target) {}

  [[nodiscard]] std::optional<Error> read(TransportResult& result, Instant now) const override;

 private:
  const AnyOperation& operation_;
  ObjectRef target_;
};

}  // namespace tally::detail
