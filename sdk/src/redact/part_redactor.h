#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tally/transport.h>

#include "redact/secret_text.h"

namespace tally::detail {

/// Redacts the parts of an exchange, and learns the values of secret fields, which other parts may repeat.
class PartRedactor {
 public:
  /// The arguments must outlive this.
  PartRedactor(const SecretNames& names, SecretTexts& secrets) : names_(names), secrets_(secrets) {}

  [[nodiscard]] std::string url(std::string_view url);
  /// The pairs of a form or a query.
  [[nodiscard]] std::string form(std::string_view pairs);
  /// A `multipart/form-data` body of this type. Nothing if it is malformed.
  [[nodiscard]] std::optional<std::string> multipart(std::string_view type, std::string_view body);
  /// As compact text. Nothing for anything else than JSON.
  [[nodiscard]] std::optional<std::string> json(std::string_view text);

 private:
  [[nodiscard]] std::string path(std::string_view path) const;
  [[nodiscard]] std::string pair(std::string_view pair);

  const SecretNames& names_;
  SecretTexts& secrets_;
};

/// What a body is, by its type and its beginning.
[[nodiscard]] bool isJsonBody(const std::vector<Header>& headers, std::string_view body);
[[nodiscard]] bool isFormBody(const std::vector<Header>& headers);
[[nodiscard]] bool isMultipartBody(const std::vector<Header>& headers);

/// Its media type; empty if there is none.
[[nodiscard]] std::string_view typeIn(const std::vector<Header>& headers);

}  // namespace tally::detail
