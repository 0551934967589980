#pragma once

#include <optional>
#include <string>

#include <tally/options.h>

#include "form/validation.h"

namespace tally::detail {

/// What the options of a client mean for each of its requests: checked once, since most calls change none of
/// them. Thread-safe.
class RequestDefaults {
 public:
  /// `client` must outlive this, and must not change.
  explicit RequestDefaults(const ClientOptions& client);

  [[nodiscard]] const ClientOptions& client() const noexcept { return client_; }
  [[nodiscard]] const std::string& userAgent() const noexcept { return userAgent_; }

  /// What is wrong with the options of a call or of its client; null: nothing.
  [[nodiscard]] std::optional<ParameterFault> check(const RequestOptions& call) const;

 private:
  [[nodiscard]] std::optional<ParameterFault> checkKeyOf(const RequestOptions& call) const;
  [[nodiscard]] std::optional<ParameterFault> checkAccountOf(const RequestOptions& call) const;

  const ClientOptions& client_;
  std::string userAgent_;

  // What is wrong with the options of the client.
  std::optional<ParameterFault> baseUrl_;
  std::optional<ParameterFault> key_;
  std::optional<ParameterFault> account_;
  std::optional<ParameterFault> headers_;
};

}  // namespace tally::detail
