// Adds up the requested amounts of all payment records with libcurl.

#include <cstdint>
#include <iostream>

#include <boost/json.hpp>

#include "../support/api_key.h"
#include "curl_connection.h"

int main(int, char** argv) {
  Connection service{argv[1], apiKey()};
  std::int64_t total = 0;
  Form query{{"limit", "100"}};
  while (true) {
    const Response response = service.get("/v1/payment_records", query);
    if (response.code != CURLE_OK || response.status != 200) {
      std::cerr << "status " << response.status << ": " << curl_easy_strerror(response.code) << '\n';
      return 1;
    }
    const boost::json::value page = boost::json::parse(response.body);
    const auto& records = page.at("data").as_array();
    for (const auto& record : records)
      total += record.at("amount_requested").at("value").as_int64();
    if (!page.at("has_more").as_bool() || records.empty()) break;
    query = {{"limit", "100"}, {"starting_after", records.back().at("id").as_string().c_str()}};
  }
  std::cout << total << '\n';
}
