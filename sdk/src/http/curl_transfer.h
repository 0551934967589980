#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <vector>

#include <tally/transport.h>

#include <curl/curl.h>

namespace tally::detail {

/// One transfer: how far the request has come, and the answer, as it comes.
struct CurlTransfer {
  /// Has `easy` write here in its next transfer.
  void attachTo(CURL* easy);

  std::size_t maxAnswerBytes = 0;
  bool begun = false;     // the request may be on its way, or has been
  bool repeated = false;  // libcurl would have sent it once more
  HttpResponse response{};
  std::size_t contentLength = 0;  // as the answer's head has it; 0 if it does not say
  std::size_t headBytes = 0;
  bool tooLarge = false;
  bool outOfMemory = false;
  bool headEnded = false;
};

/// Sets an option of libcurl. Throws std::bad_alloc where libcurl has no memory for it, so that nothing is
/// sent with an option that is missing.
template <class Value>
void set(CURL* easy, CURLoption option, Value value) {
  if (curl_easy_setopt(easy, option, value) == CURLE_OUT_OF_MEMORY) throw std::bad_alloc{};
}

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
