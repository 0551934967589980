#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <tally/raw_request.h>

#include "call/client_core.h"
#include "http/response_reader.h"
#include "options/key_header.h"
#include "schema/operation.h"

namespace tally::detail {

/// What is known about a RawRequest: the operation of the API description that it is, if any, and the object
/// in its path.
struct RawTarget {
  const AnyOperation& operation;
  std::string object{};  // empty: none
};

/// A path that belongs to no known operation gets `raw.get` or `raw.post`, and the first identifier in it
/// whose prefix is known.
[[nodiscard]] RawTarget targetOf(const RawRequest& request);

/// The limits that the request counts against, also because of its parameters.
[[nodiscard]] PacedRequest pacedRequest(const ClientCore& core, const RawTarget& target,
                                        const RawRequest& raw);

/// Builds the request, or returns what is wrong with it.
[[nodiscard]] std::variant<KeyedRequest, Error> buildRequest(const RequestDefaults& defaults,
                                                             const RawTarget& target, const RawRequest& raw,
                                                             const RequestOptions& options);

/// Reads a successful response into a RawResponse, any other outcome into an Error.
class RawReader final : public Reader {
 public:
  RawReader(const AnyOperation& operation, RawResponse& response)
      : operation_(operation), response_(response) {}

  [[nodiscard]] std::optional<Error> read(TransportResult& result, Instant now) const override;

 private:
  const AnyOperation& operation_;
  RawResponse& response_;
};

[[nodiscard]] Result<RawResponse> send(const ClientCore& core, const RawRequest& raw,
                                       const RequestOptions& options);

}  // namespace tally::detail
