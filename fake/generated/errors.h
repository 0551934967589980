// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include "tables/rules.h"

namespace tally::fake::detail::errors {

extern const ErrorAnswer paymentAttemptAlreadyGuaranteed;
extern const ErrorAnswer keyMissing;
extern const ErrorAnswer keyUnknown;
extern const ErrorAnswer accountNotConnected;
extern const ErrorAnswer pathUnknown;
extern const ErrorAnswer methodNotAllowed;
extern const ErrorAnswer resourceMissing;
extern const ErrorAnswer cursorMissing;
extern const ErrorAnswer parameterUnknown;
extern const ErrorAnswer parameterMissing;
extern const ErrorAnswer parameterInvalid;
extern const ErrorAnswer bodyInvalid;
extern const ErrorAnswer lockTimeout;
extern const ErrorAnswer rateLimit;
extern const ErrorAnswer readAllocationExceeded;
extern const ErrorAnswer apiError;

}  // namespace tally::fake::detail::errors
