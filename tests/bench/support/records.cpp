#include "bench/support/records.h"

#include <string_view>

namespace tally::bench {

namespace {

constexpr std::size_t idDigits = 24;  // as in identifiers made by the fake

std::string amountJson(std::string_view name, long value) {
  return '"' + std::string{name} + R"(":{"currency":"usd","value":)" + std::to_string(value) + "},";
}

std::string metadataJson(std::size_t n) {
  return R"("metadata":{"order":")" + std::to_string(100'000 + n) + R"(","till":")" + std::to_string(n % 40) +
         R"(","campaign":"spring"},)";
}

std::string dataJson(std::size_t first, std::size_t count) {
  std::string json = R"("data":[)";
  for (std::size_t n = first; n < first + count; ++n)
    json += (n == first ? "" : ",") + recordJson(n);
  return json + ']';
}

}  // namespace

std::string recordId(std::size_t n) {
  const std::string number = std::to_string(n);
  return "pr_" + std::string(idDigits - number.size(), '0') + number;
}

std::string recordJson(std::size_t n) {
  const std::string number = std::to_string(n);
  return R"({"id":")" + recordId(n) + R"(","object":"payment_record",)" +
         amountJson("amount_requested", amountOf(n)) + amountJson("amount_canceled", 0) +
         amountJson("amount_failed", n % 3 == 0 ? amountOf(n) : 0) +
         amountJson("amount_guaranteed", n % 3 == 0 ? 0 : amountOf(n)) + amountJson("amount_refunded", 0) +
         R"("created":)" + std::to_string(1'790'000'000 - n) +
         R"(,"customer_details":null,"customer_presence":"on_session",)" + R"("description":"Order )" +
         number + R"( at the corner shop, paid at the counter",)" +
         R"("latest_payment_attempt_record":"par_)" + recordId(n).substr(3) + R"(","livemode":false,)" +
         metadataJson(n) +
         R"("payment_method_details":{"type":"custom","billing_details":null,"payment_method":null,)" +
         R"("custom":{"display_name":"Pay by bank","type":"custom"}},)" +
         R"("processor_details":{"type":"custom","custom":{"payment_reference":"bank-transfer-)" + number +
         R"("}},"shipping_details":null})";
}

std::string pageJson(std::size_t first, std::size_t count, bool hasMore) {
  return R"({"object":"list",)" + dataJson(first, count) + R"(,"has_more":)" + (hasMore ? "true" : "false") +
         R"(,"url":"/v1/payment_records"})";
}

std::string searchPageJson(std::size_t first, std::size_t count, const std::string& nextPage) {
  return R"({"object":"search_result",)" + dataJson(first, count) + R"(,"has_more":true,"next_page":")" +
         nextPage + R"(","url":"/v1/payment_records/search"})";
}

}  // namespace tally::bench
