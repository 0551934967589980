// Reports a failed payment with libcurl, and finds out whether the report was applied if the response is
// lost.

#include <chrono>
#include <iostream>
#include <random>
#include <thread>

#include <boost/json.hpp>

#include "../support/api_key.h"
#include "curl_connection.h"

namespace {

enum class Answer { applied, refused, notProcessed, unknown };

std::string errorCode(const Response& response) {
  boost::json::error_code invalid;
  const boost::json::value body = boost::json::parse(response.body, invalid);
  const auto* code = invalid ? nullptr : body.find_pointer("/error/code", invalid);
  return code && code->is_string() ? code->as_string().c_str() : "";
}

Answer classify(const Response& response) {
  if (response.code == CURLE_COULDNT_CONNECT || response.code == CURLE_COULDNT_RESOLVE_HOST)
    return Answer::notProcessed;
  if (response.code != CURLE_OK || response.status >= 500) return Answer::unknown;
  if (response.status == 200) return Answer::applied;
  return response.status == 429 && errorCode(response) == "lock_timeout" ? Answer::notProcessed
                                                                         : Answer::refused;
}

/// Whether the record shows the outcome. Another process could have reported the same.
bool shown(Connection& service, const std::string& path) {
  const Response response = service.get(path);
  if (response.code != CURLE_OK || response.status != 200) return false;
  const boost::json::value record = boost::json::parse(response.body);
  return record.at("amount_failed").at("value") == record.at("amount_requested").at("value");
}

void backOff(int attempt) {
  static std::mt19937 random{std::random_device{}()};
  const int most = 100 << attempt;
  std::this_thread::sleep_for(
      std::chrono::milliseconds{std::uniform_int_distribution{most / 2, most}(random)});
}

}  // namespace

int main(int, char** argv) {
  Connection service{argv[1], apiKey()};
  const std::string path = std::string{"/v1/payment_records/"} + argv[2];
  bool certain = true;
  for (int attempt = 0; attempt < 4; ++attempt) {
    const Answer answer =
        classify(service.post(path + "/report_payment_attempt_failed", {{"failed_at", "1767225600"}}));
    if (answer == Answer::applied || (answer == Answer::unknown && shown(service, path))) {
      std::cout << "applied\n";
      return 0;
    }
    if (answer == Answer::refused) break;
    certain = certain && answer == Answer::notProcessed;
    backOff(attempt);
  }
  std::cout << (certain ? "not applied\n" : "not certain\n");
  return 1;
}
