#pragma once

#include <string>
#include <string_view>
#include <variant>

#include <tally/error.h>
#include <tally/options.h>

#include "codec/validation.h"
#include "schema/operation.h"

namespace tally::detail {

/// The error of a call that is rejected before it is sent.
[[nodiscard]] Error invalidParameter(const AnyOperation& operation, ParameterFault fault);

/// The connected account that a call acts for; empty if none.
[[nodiscard]] inline const std::string& accountOf(const ClientOptions& client,
                                                  const RequestOptions& options) {
  return options.connectedAccount ? *options.connectedAccount : client.connectedAccount;
}

/// Builds the request of a call, without the cursors of a list or a search, or returns what is wrong with the
/// call.
[[nodiscard]] std::variant<HttpRequest, Error> buildRequest(const ClientOptions& client,
                                                            const AnyOperation& operation,
                                                            std::string_view id, ConstObjectRef params,
                                                            const RequestOptions& options);

}  // namespace tally::detail
