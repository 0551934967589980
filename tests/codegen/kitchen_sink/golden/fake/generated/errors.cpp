// Generated from the API description, version 1.0.0. Do not edit.
#include "errors.h"

namespace tally::fake::detail {

namespace errors {

constinit const ErrorResponse keyMissing{
    .name = "key_missing",
    .status = 401,
    .type = "authentication_error",
    .code = "key_missing",
    .message = "No API key provided. Send it as `Authorization: Bearer <key>`.",
};

constinit const ErrorResponse keyUnknown{
    .name = "key_unknown",
    .status = 401,
    .type = "authentication_error",
    .code = "key_unknown",
    .message = "The API key does not belong to any account.",
};

constinit const ErrorResponse accountNotConnected{
    .name = "account_not_connected",
    .status = 403,
    .type = "permission_error",
    .code = "account_not_connected",
    .message = "The account '{value}' is not connected to the account of this key.",
};

constinit const ErrorResponse pathUnknown{
    .name = "path_unknown",
    .status = 404,
    .type = "invalid_request_error",
    .code = "path_unknown",
    .message = "There is no operation {value}.",
};

constinit const ErrorResponse methodNotAllowed{
    .name = "method_not_allowed",
    .status = 405,
    .type = "invalid_request_error",
    .code = "method_not_allowed",
    .message = "There is no operation {value}; this path allows other methods.",
};

constinit const ErrorResponse resourceMissing{
    .name = "resource_missing",
    .status = 404,
    .type = "invalid_request_error",
    .code = "resource_missing",
    .message = "There is no {resource} '{value}'.",
};

constinit const ErrorResponse cursorMissing{
    .name = "cursor_missing",
    .status = 400,
    .type = "invalid_request_error",
    .code = "resource_missing",
    .message = "There is no {resource} '{value}' to use as a cursor.",
};

constinit const ErrorResponse parameterUnknown{
    .name = "parameter_unknown",
    .status = 400,
    .type = "invalid_request_error",
    .code = "parameter_unknown",
    .message = "This operation has no parameter '{param}'.",
};

constinit const ErrorResponse parameterMissing{
    .name = "parameter_missing",
    .status = 400,
    .type = "invalid_request_error",
    .code = "parameter_missing",
    .message = "The parameter '{param}' is required.",
};

constinit const ErrorResponse parameterInvalid{
    .name = "parameter_invalid",
    .status = 400,
    .type = "invalid_request_error",
    .code = "parameter_invalid",
    .message = "The parameter '{param}' is invalid: {detail}.",
};

constinit const ErrorResponse bodyInvalid{
    .name = "body_invalid",
    .status = 400,
    .type = "invalid_request_error",
    .code = "parameter_invalid",
    .message = "{detail}.",
};

constinit const ErrorResponse lockTimeout{
    .name = "lock_timeout",
    .status = 429,
    .type = "invalid_request_error",
    .code = "lock_timeout",
    .message = "This object cannot be accessed right now because another request or process is using it.",
    .requestId = false,
};

constinit const ErrorResponse rateLimit{
    .name = "rate_limit",
    .status = 429,
    .type = "rate_limit_error",
    .code = "rate_limit",
    .message = "Too many requests: {detail}.",
    .rateLimitedReason = true,
};

constinit const ErrorResponse readAllocationExceeded{
    .name = "read_allocation_exceeded",
    .status = 429,
    .type = "rate_limit_error",
    .code = "read_allocation_exceeded",
    .message = "Read allocation exceeded: {detail}.",
};

constinit const ErrorResponse apiError{
    .name = "api_error",
    .status = 500,
    .type = "api_error",
    .code = "api_error",
    .message = "Something went wrong on the service's side: {detail}.",
};

constinit const ErrorResponse widgetRetired{
    .name = "widget_retired",
    .status = 409,
    .type = "invalid_request_error",
    .code = "widget_retired",
    .message =
        "The {resource} '{value}' is retired, and \"retired\" is final: neither a report nor anything else "
        "returns it to service.",
};

}  // namespace errors

namespace {

// clang-format off: one per line
constexpr const ErrorResponse* table[] = {
    &errors::keyMissing,
    &errors::keyUnknown,
    &errors::accountNotConnected,
    &errors::pathUnknown,
    &errors::methodNotAllowed,
    &errors::resourceMissing,
    &errors::cursorMissing,
    &errors::parameterUnknown,
    &errors::parameterMissing,
    &errors::parameterInvalid,
    &errors::bodyInvalid,
    &errors::lockTimeout,
    &errors::rateLimit,
    &errors::readAllocationExceeded,
    &errors::apiError,
    &errors::widgetRetired,
};
// clang-format on

}  // namespace

constinit const std::span<const ErrorResponse* const> errorResponses{table};

}  // namespace tally::fake::detail
