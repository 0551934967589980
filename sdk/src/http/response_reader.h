#pragma once

#include <optional>
#include <string>
#include <string_view>

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

/// Whether the transport refused to send the request, which is no attempt then.
[[nodiscard]] inline bool wasRefusedUnsent(const Error& error) noexcept {
  return error.failure() == TransportFailure::Kind::forbidden;
}

/// The error of a 2xx response that can't be read.
[[nodiscard]] Error malformed(const HttpResponse& response, const AnyOperation& operation,
                              std::string problem);

/// The error of an unsuccessful attempt; null for a 2xx response, whose body is not read yet.
[[nodiscard]] std::optional<Error> errorIn(const TransportResult& result, const AnyOperation& operation,
                                           Instant now);

/// Reads a successful response into an object, any other outcome into an Error.
class ResponseReader final : public Reader {
 public:
  /// Successful responses are read into `target`. `id`: the identifier in the path, which must be that of the
  /// returned object and outlive this; empty if the path has none.
  ResponseReader(const AnyOperation& operation, std::string_view id, ObjectRef target)
      : operation_(operation), id_(id), target_(target) {}

  [[nodiscard]] std::optional<Error> read(TransportResult& result, Instant now) const override;

 private:
  [[nodiscard]] std::optional<std::string> problemOf(const HttpResponse& response) const;

  const AnyOperation& operation_;
  std::string_view id_;
  ObjectRef target_;
};

}  // namespace tally::detail
