// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include "tables/rules.h"

namespace tally::fake::detail::errors {

extern const ErrorResponse paymentAttemptAlreadyGuaranteed;
extern const ErrorResponse keyMissing;
extern const ErrorResponse keyUnknown;
extern const ErrorResponse accountNotConnected;
extern const ErrorResponse pathUnknown;
extern const ErrorResponse methodNotAllowed;
extern const ErrorResponse resourceMissing;
extern const ErrorResponse cursorMissing;
extern const ErrorResponse parameterUnknown;
extern const ErrorResponse parameterMissing;
extern const ErrorResponse parameterInvalid;
extern const ErrorResponse bodyInvalid;
extern const ErrorResponse lockTimeout;
extern const ErrorResponse rateLimit;
extern const ErrorResponse readAllocationExceeded;
extern const ErrorResponse apiError;

}  // namespace tally::fake::detail::errors
