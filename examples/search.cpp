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

void search(const tally::PaymentRecords& payments) {
  using q = tally::PaymentRecordSearchFields;
  auto found = payments.search({.query = q::metadata("till") == "left" && q::amountRequested.value >= 2400,
                                .limit = 3,
                                .expand = {"total_count"}});
  for (const auto& payment : found)  // value() throws if a page could not be read
    std::cout << "order " << payment.value().metadata.at("order") << ": " << payment.value().amountRequested
              << '\n';
  std::cout << found.totalCount().value_or(0) << " in total\n";

  for (const auto& payment : payments.search({.query = R"(metadata["order"]:"7")"}))
    std::cout << "order " << payment.value().metadata.at("order") << '\n';
  for (const auto& refused : payments.search({.query = "amount_requested.value>="}))
    if (!refused) std::cout << refused.error().kind() << '\n';
}

}  // namespace

int main(int argc, char** argv) try {
  const auto baseUrl = takeOption(argc, argv, "--base-url");
  expectNoMore(argc, argv, help);
  tally::fake::Service fake;
  const Target target{fake, fake.addAccount().sandboxKey, baseUrl.value_or("")};
  addOrders(fake, target.fakeKey);
  search(tally::Client{target.clientOptions()}.paymentRecords());
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
