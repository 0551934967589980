#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tally/transport.h>
#include <tally/wire_log.h>

#include "observability/secret_text.h"

namespace tally::detail {

/// The lines of a wire log about one request and its response. Keeps the secrets of the request, which the
/// response may repeat.
class WireLines {
 public:
  /// The arguments must outlive this.
  WireLines(const WireLogOptions& options, const SecretNames& names) : options_(options), names_(names) {}

  [[nodiscard]] std::string request(const HttpRequest& request);
  [[nodiscard]] std::string response(const HttpResponse& response);
  [[nodiscard]] std::string failure(const TransportFailure& failure) const;

 private:
  void learn(const std::vector<Header>& headers);
  [[nodiscard]] std::string url(std::string_view url);
  [[nodiscard]] std::string path(std::string_view path) const;
  [[nodiscard]] std::string form(std::string_view pairs);
  [[nodiscard]] std::string pair(std::string_view pair);
  [[nodiscard]] std::string json(std::string_view body);
  [[nodiscard]] std::string body(const std::vector<Header>& headers, std::string_view body);
  void appendHeaders(std::string& line, const std::vector<Header>& headers) const;
  void appendBody(std::string& line, const std::vector<Header>& headers, std::string_view body);

  const WireLogOptions& options_;
  const SecretNames& names_;
  SecretTexts secrets_{};
};

}  // namespace tally::detail
