#include "bench/support/plain_gets.h"

#include <cstddef>
#include <stdexcept>

#include <tally/version.h>

namespace tally::bench {

namespace {

std::size_t append(char* bytes, std::size_t, std::size_t size, void* body) {
  static_cast<std::string*>(body)->append(bytes, size);
  return size;
}

}  // namespace

PlainGets::PlainGets(const std::string& key) {
  if (easy_ == nullptr) throw std::runtime_error{"libcurl can't be started"};
  for (const std::string& line :
       {"Authorization: Bearer " + key, "User-Agent: tally/" + std::string{version}})
    headers_.reset(curl_slist_append(headers_.release(), line.c_str()));
  curl_easy_setopt(easy_.get(), CURLOPT_HTTPHEADER, headers_.get());
  curl_easy_setopt(easy_.get(), CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(easy_.get(), CURLOPT_PROXY, "");
  curl_easy_setopt(easy_.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy_.get(), CURLOPT_WRITEFUNCTION, &append);
  curl_easy_setopt(easy_.get(), CURLOPT_WRITEDATA, &body_);
}

const std::string& PlainGets::body(const std::string& url) {
  body_.clear();
  long status = 0;
  curl_easy_setopt(easy_.get(), CURLOPT_URL, url.c_str());
  const CURLcode code = curl_easy_perform(easy_.get());
  curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
  if (code != CURLE_OK || status != 200) throw std::runtime_error{"no response from " + url};
  return body_;
}

}  // namespace tally::bench
