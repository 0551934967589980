#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tally/transport.h>

#include <curl/curl.h>

namespace tally::detail {

/// The body of a request, as libcurl reads it, and the answer, as it comes.
struct CurlTransfer {
  /// Has `easy` read and write here, in this transfer and in later ones.
  void attachTo(CURL* easy);

  std::string_view body{};
  std::size_t read = 0;
  bool begun = false;     // the request may be on its way, or has been
  bool repeated = false;  // libcurl would have sent it once more
  HttpResponse response{};
  std::size_t contentLength = 0;  // as the answer's head has it; 0 if it does not say
  std::size_t maxAnswerBytes = 0;
  std::size_t headBytes = 0;
  bool tooLarge = false;
  bool headEnded = false;
};

/// The headers of a request as libcurl wants them. The memory is kept from one request to the next.
class CurlHeaders {
 public:
  /// The list for `request`, until the next call.
  [[nodiscard]] curl_slist* of(const HttpRequest& request);

 private:
  [[nodiscard]] std::string& nextLine();

  std::vector<std::string> lines_{};
  std::vector<curl_slist> nodes_{};
  std::size_t used_ = 0;
};

}  // namespace tally::detail
