// Reports a failed payment with libcurl.

#include <iostream>

#include <boost/json.hpp>

#include "../support/api_key.h"
#include "curl_connection.h"

int main(int, char** argv) {
  Connection service{argv[1], apiKey()};
  const std::string path = std::string{"/v1/payment_records/"} + argv[2] + "/report_payment_attempt_failed";
  const Response response = service.post(path, {{"failed_at", "1767225600"}, {"metadata[order]", "42 & 43"}});
  if (response.code != CURLE_OK) {
    std::cerr << "no response: " << curl_easy_strerror(response.code) << '\n';
    return 1;
  }
  boost::json::error_code invalid;
  const boost::json::value body = boost::json::parse(response.body, invalid);
  if (invalid) {
    std::cerr << "status " << response.status << ", and no JSON\n";
    return 1;
  }
  if (response.status != 200) {
    const auto& error = body.at("error");
    std::cerr << "refused: " << response.status << ' ' << error.at("code") << ' ' << error.at("message")
              << '\n';
    return 1;
  }
  const auto& amount = body.at("amount_failed");
  std::cout << amount.at("value") << ' ' << amount.at("currency").as_string().c_str() << '\n';
}
