#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/service.h>
#include <tally/payment_records.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace tally::test {

inline HttpRequest get(const std::string& key, const std::string& url) {
  return {.method = Method::get, .url = url, .headers = {{"Authorization", "Bearer " + key}}, .body = {}};
}

inline HttpRequest post(const std::string& key, const std::string& url, std::string body = {},
                        const std::string& contentType = "application/x-www-form-urlencoded") {
  return {.method = Method::post,
          .url = url,
          .headers = {{"Authorization", "Bearer " + key}, {"Content-Type", contentType}},
          .body = std::move(body)};
}

inline boost::json::value bodyOf(const HttpResponse& response) {
  return boost::json::parse(response.body);
}

inline std::string text(const boost::json::value& value) {
  return std::string{std::string_view{value.as_string()}};
}

/// An error response in one line: status, code and param.
inline std::string errorOf(const HttpResponse& response) {
  if (response.status == 200) return "200";
  const boost::json::value body = bodyOf(response);
  const boost::json::object& error = body.at("error").as_object();
  std::string line = std::to_string(response.status) + ' ' + text(error.at("code"));
  if (const auto* param = error.if_contains("param")) line += ' ' + text(*param);
  return line;
}

inline std::string messageOf(const HttpResponse& response) {
  return text(bodyOf(response).at("error").at("message"));
}

/// The identifiers on a page.
inline std::vector<std::string> idsOf(const boost::json::value& page) {
  std::vector<std::string> ids;
  for (const boost::json::value& object : page.at("data").as_array())
    ids.push_back(text(object.at("id")));
  return ids;
}

/// A service with one account and no limits. All requests are made at one instant.
struct OneAccount {
  fake::Service service{{.limits = false}};
  fake::Account account = service.addAccount();
  std::string key = account.sandboxKey;

  HttpResponse get(const std::string& url) { return service.handle(test::get(key, url)); }
  HttpResponse post(const std::string& url, std::string body = {}) {
    return service.handle(test::post(key, url, std::move(body)));
  }
  std::string insert(const std::function<void(PaymentRecord&)>& edit = {}) {
    return service.insert<PaymentRecord>(key, edit).id.str();
  }
};

}  // namespace tally::test
