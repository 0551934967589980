#pragma once

#include <string>
#include <string_view>

#include "redact/secret_text.h"

namespace tally::detail {

/// Appends `json` as compact text without the values of secret members and without secrets in its texts, and
/// adds these values to `secrets`. False if it is not JSON; then `out` may have a part of it.
[[nodiscard]] bool appendRedactedJson(std::string& out, std::string_view json, const SecretNames& names,
                                      SecretTexts& secrets);

/// Whether `json` may have a secret member, or an escape that may hide a secret. Much faster than the above;
/// `json` need not be JSON.
[[nodiscard]] bool mayHaveSecretMember(std::string_view json, const SecretNames& names);

}  // namespace tally::detail
