#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <tally/options.h>

#include "form/validation.h"

namespace tally::detail {

/// Throws std::invalid_argument, naming the option, if a number or duration is out of range.
void checkOptions(const ClientOptions& options);

/// What is wrong with an address as `baseUrl`.
[[nodiscard]] std::optional<ParameterFault> checkBaseUrl(std::string_view url);

/// What is wrong with a connected account.
[[nodiscard]] std::optional<ParameterFault> checkAccount(std::string_view account);

/// The first of `headers`, which come from that option, that can't be sent.
[[nodiscard]] std::optional<ParameterFault> checkHeaders(std::string_view option,
                                                         const std::vector<Header>& headers);

/// The first option of a call that is out of range.
[[nodiscard]] std::optional<ParameterFault> checkOptions(const RequestOptions& options);

}  // namespace tally::detail
