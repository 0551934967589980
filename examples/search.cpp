// Searches payment records: by conditions, with an exact total and pages fetched as the loop reaches them; by
// text, and by a text that is refused.

#include <tally/tally.h>

#include "support/target.h"

namespace {

constexpr std::string_view help = R"(usage: search [--base-url URL]

Searches payment records in a fake in this process, or at URL with the key in TALLY_API_KEY.
)";

void addOrders(tally::fake::Service& fake, const std::string& key) {
  for (int order = 1; order <= 30; ++order)
    fake.insert<tally::PaymentRecord>(key, [order](tally::PaymentRecord& payment) {
      payment.amountRequested = {"eur", std::int64_t{100} * order};
      payment.metadata = {{"order", std::to_string(order)}, {"till", order % 2 == 0 ? "left" : "right"}};
    });
}

int search(const tally::PaymentRecords& payments) {
  using q = tally::PaymentRecordSearchFields;
  auto found = payments.search({.query = q::metadata("till") == "left" && q::amountRequested.value >= 2400,
                                .limit = 3,
                                .expand = {"total_count"}});
  for (const auto& payment : found) {
    if (!payment) {
      std::cerr << payment.error() << '\n';
      return 1;
    }
    std::cout << "order " << payment.value().metadata.at("order") << ": " << payment.value().amountRequested
              << '\n';
  }
  std::cout << found.totalCount().value_or(0) << " in total\n";

  for (const auto& payment : payments.search({.query = R"(metadata["order"]:"7")"}))
    if (payment) std::cout << "order " << payment.value().metadata.at("order") << '\n';
  for (const auto& refused : payments.search({.query = "amount_requested.value>="}))
    if (!refused) std::cout << refused.error().kind() << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto baseUrl = takeOption(argc, argv, "--base-url");
  expectNoMore(argc, argv, help);
  tally::fake::Service fake;
  const Target target{fake, fake.addAccount().sandboxKey, baseUrl.value_or("")};
  addOrders(fake, target.fakeKey);
  return search(tally::Client{target.clientOptions()}.paymentRecords());
}
