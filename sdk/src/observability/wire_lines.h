#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tally/transport.h>
#include <tally/wire_log.h>

#include "redact/part_redactor.h"
#include "redact/secret_text.h"

namespace tally::detail {

/// The lines of a wire log about one request and its response. Keeps the secrets of the request, which the
/// response may repeat.
class WireLines {
 public:
  /// The arguments must outlive this.
  WireLines(const WireLogOptions& options, const SecretNames& names)
      : options_(options), parts_(names, secrets_) {}
  WireLines(const WireLines&) = delete;
  WireLines& operator=(const WireLines&) = delete;

  [[nodiscard]] std::string request(const HttpRequest& request);
  [[nodiscard]] std::string response(const HttpResponse& response);
  [[nodiscard]] std::string failure(const TransportFailure& failure) const;

 private:
  void learn(const std::vector<Header>& headers);
  void learnPair(std::string_view pair);
  [[nodiscard]] std::string body(const std::vector<Header>& headers, std::string_view body);
  void appendHeaders(std::string& line, const std::vector<Header>& headers) const;
  void appendBody(std::string& line, const std::vector<Header>& headers, std::string_view body);

  const WireLogOptions& options_;
  SecretTexts secrets_{};
  PartRedactor parts_;
};

}  // namespace tally::detail
