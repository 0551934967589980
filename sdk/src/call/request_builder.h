#pragma once

#include <string>
#include <string_view>
#include <variant>

#include <tally/error.h>
#include <tally/options.h>

#include "codec/checks.h"
#include "schema/operation.h"

namespace tally::detail {

/// What a call ends with that is not sent.
[[nodiscard]] Error invalidParameter(const Operation& operation, ParameterFault fault);

/// The connected account that a call acts for; empty: none.
[[nodiscard]] inline const std::string& accountOf(const ClientOptions& client,
                                                  const RequestOptions& options) {
  return options.connectedAccount ? *options.connectedAccount : client.connectedAccount;
}

/// A call as bytes, without the cursors of a list or a search, or what is wrong with it.
[[nodiscard]] std::variant<HttpRequest, Error> buildRequest(const ClientOptions& client,
                                                            const Operation& operation, std::string_view id,
                                                            const void* params,
                                                            const RequestOptions& options);

}  // namespace tally::detail
