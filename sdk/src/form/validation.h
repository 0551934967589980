#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/object_ref.h"

namespace tally::detail {

/// Why a parameter is rejected before anything is sent.
struct ParameterFault {
  std::string param{};  // as on the wire: `metadata[order]`
  std::string what{};
};

/// Rejects an identifier unless it is `prefix` and at least one more character. `param` names it in the
/// fault.
[[nodiscard]] std::optional<ParameterFault> checkId(std::string_view param, std::string_view prefix,
                                                    std::string_view id);

/// Whether `text` has the form that `field` requires; true if it requires none.
[[nodiscard]] bool fitsPattern(const Field& field, std::string_view text);

/// The required form in words: `3 lowercase letters`.
[[nodiscard]] std::string patternOf(const Field& field);

/// The first fault of `params`.
[[nodiscard]] std::optional<ParameterFault> checkParams(ConstObjectRef params);

/// Whether a text can be sent unchanged in the head of a request, for example as a header's value.
[[nodiscard]] bool isHeaderText(std::string_view text);

/// Whether a URL is free of spaces and control characters, which would end it or its line.
[[nodiscard]] bool isUrlText(std::string_view url);

/// Whether `name` can be the name of a parameter: letters, digits and `_-.`, and possibly keys in brackets,
/// as in `metadata[order]` and `expand[]`.
[[nodiscard]] bool isParamName(std::string_view name);

/// Whether `name` is a valid header name.
[[nodiscard]] bool isHeaderName(std::string_view name);

}  // namespace tally::detail
