#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tally/error.h>
#include <tally/options.h>

#include "call/request_defaults.h"
#include "form/validation.h"
#include "options/key_header.h"
#include "schema/operation.h"

namespace tally::detail {

/// The error of a call that is rejected before it is sent.
[[nodiscard]] Error invalidParameter(const AnyOperation& operation, ParameterFault fault);

/// The connected account that a call acts for, by an option or by a header of the application; empty if none.
[[nodiscard]] const std::string& accountOf(const ClientOptions& client,
                                           const RequestOptions& options) noexcept;

/// The first of `params`, which are set as `option`, whose name can't be that of a parameter.
[[nodiscard]] std::optional<ParameterFault> checkNames(std::string_view option,
                                                       const std::vector<Param>& params);

/// The first of RequestOptions::extraParams that can't be sent with this operation. A parameter of the API
/// description can't: it has a typed member, which its checks and limits refer to.
[[nodiscard]] std::optional<ParameterFault> checkExtraParams(const AnyOperation& operation,
                                                             const std::vector<Param>& params);

/// The URL of a path that is already percent-encoded.
[[nodiscard]] std::string urlOf(const ClientOptions& client, std::string_view path);

/// Adds the parameters to the query, the form, or the object in the body.
void addParams(HttpRequest& request, BodyEncoding encoding, const std::vector<Param>& params);

void addHeaders(HttpRequest& request, BodyEncoding encoding, const RequestDefaults& defaults,
                const RequestOptions& options);

/// Builds the request of a call, without the cursors of a list or a search, or returns what is wrong with the
/// call.
[[nodiscard]] std::variant<KeyedRequest, Error> buildRequest(const RequestDefaults& defaults,
                                                             const AnyOperation& operation,
                                                             std::string_view id, ConstObjectRef params,
                                                             const RequestOptions& options);

}  // namespace tally::detail
