#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/schema.h"

namespace tally::detail {

/// What is wrong with a parameter, before anything is sent.
struct ParameterFault {
  std::string param{};  // as it is written on the wire: `metadata[order]`
  std::string what{};
};

/// Whether an identifier is `prefix` and at least one character. `param` names it in the fault.
[[nodiscard]] std::optional<ParameterFault> checkId(std::string_view param, std::string_view prefix,
                                                    std::string_view id);

/// Whether a text is of the form that `field` asks for, if it asks for one.
[[nodiscard]] bool fitsPattern(const Field& field, std::string_view text);

/// The form in words: `3 lower-case letters`.
[[nodiscard]] std::string patternOf(const Field& field);

/// The first fault of `params`, whose fields are those of `type`.
[[nodiscard]] std::optional<ParameterFault> checkParams(const Struct& type, const void* params);

/// Whether a header's value, or another text that travels in the head of a request, can be sent as it is.
[[nodiscard]] bool isHeaderText(std::string_view text);

/// Whether nothing in a URL would end it, or the line in which it travels.
[[nodiscard]] bool isUrlText(std::string_view url);

/// Whether a header can have that name.
[[nodiscard]] bool isHeaderName(std::string_view name);

}  // namespace tally::detail
