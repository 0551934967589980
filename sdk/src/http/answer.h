#pragma once

#include <optional>
#include <variant>

#include <tally/error.h>
#include <tally/transport.h>

#include "schema/operation.h"

namespace tally::detail {

/// What came of one attempt, as the transport tells it.
using Answer = std::variant<HttpResponse, TransportFailure>;

/// Takes what came of one attempt, at `now`: null where it is as it should be. The body is the reader's, who
/// may move it away.
class Reader {
 public:
  virtual ~Reader() = default;
  [[nodiscard]] virtual std::optional<Error> read(Answer& answer, Instant now) const = 0;

  /// An exception came in the place of one, and nobody knows what became of the request.
  virtual void abandoned(Instant now) const noexcept { (void)now; }

 protected:
  Reader() = default;
  Reader(const Reader&) = default;
  Reader& operator=(const Reader&) = default;
};

/// The error that came instead of a good answer; null for a good one, whose body is yet to be read.
[[nodiscard]] std::optional<Error> errorIn(const Answer& answer, const Operation& operation, Instant now);

/// Reads an answer into an object where the service sent one, or else as an Error.
class AnswerReader final : public Reader {
 public:
  /// A good answer is read into `target`, whose fields are those of `type`.
  AnswerReader(const Operation& operation, const Struct& type, void* target)
      : operation_(operation), type_(type), target_(target) {}

  [[nodiscard]] std::optional<Error> read(Answer& answer, Instant now) const override;

 private:
  const Operation& operation_;
  const Struct& type_;
  void* target_;
};

}  // namespace tally::detail
