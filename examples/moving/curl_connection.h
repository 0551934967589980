#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <curl/curl.h>

struct Response {
  CURLcode code = CURLE_OK;  // anything else: no complete response arrived
  long status = 0;
  std::string body{};
};

using Form = std::vector<std::pair<std::string, std::string>>;

/// What an application writes around libcurl.
class Connection {
 public:
  Connection(std::string url, const std::string& key) : url_(std::move(url)) {
    headers_.reset(curl_slist_append(nullptr, ("Authorization: Bearer " + key).c_str()));
    curl_easy_setopt(easy_.get(), CURLOPT_HTTPHEADER, headers_.get());
    curl_easy_setopt(easy_.get(), CURLOPT_WRITEFUNCTION, &append);
    curl_easy_setopt(easy_.get(), CURLOPT_TIMEOUT_MS, 30'000L);
    // libcurl repeats a request automatically, a POST too, if a connection that it has used before turns out
    // to be closed.
    curl_easy_setopt(easy_.get(), CURLOPT_FRESH_CONNECT, 1L);
  }

  Response get(const std::string& path, const Form& query = {}) {
    curl_easy_setopt(easy_.get(), CURLOPT_HTTPGET, 1L);
    return send(path + '?' + encoded(query));
  }

  Response post(const std::string& path, const Form& form) {
    curl_easy_setopt(easy_.get(), CURLOPT_COPYPOSTFIELDS, encoded(form).c_str());
    return send(path);
  }

 private:
  static std::size_t append(const char* bytes, std::size_t, std::size_t size, void* body) {
    static_cast<std::string*>(body)->append(bytes, size);
    return size;
  }

  std::string encoded(const Form& form) {
    std::string text;
    for (const auto& [name, value] : form)
      text += (text.empty() ? "" : "&") + escaped(name) + '=' + escaped(value);
    return text;
  }

  std::string escaped(const std::string& text) {
    const std::unique_ptr<char, decltype(&curl_free)> result{
        curl_easy_escape(easy_.get(), text.data(), static_cast<int>(text.size())), &curl_free};
    return result.get();
  }

  Response send(const std::string& path) {
    Response response;
    curl_easy_setopt(easy_.get(), CURLOPT_URL, (url_ + path).c_str());
    curl_easy_setopt(easy_.get(), CURLOPT_WRITEDATA, &response.body);
    response.code = curl_easy_perform(easy_.get());
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &response.status);
    return response;
  }

  std::string url_;
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy_{curl_easy_init(), &curl_easy_cleanup};
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers_{nullptr, &curl_slist_free_all};
};
