// Every kind of 429, and what the client does about it: without retries, with retries, and with retries of
// rate limits too.

#include <iomanip>
#include <vector>

#include <tally/tally.h>

#include "support/target.h"

namespace {

constexpr std::string_view help = R"(usage: every_429

Lets a fake in this process refuse a read with each kind of 429, and prints what becomes of the call.
)";

std::vector<tally::fake::FaultRule> refusals() {
  std::vector<tally::fake::FaultRule> all{{.error = "lock_timeout"}};
  for (const char* reason :
       {"global-rate", "endpoint-rate", "global-concurrency", "endpoint-concurrency", "resource-specific"})
    all.push_back({.error = "rate_limit", .rateLimitedReason = reason});
  all.push_back({.error = "read_allocation_exceeded"});
  return all;
}

/// The service refuses the first attempt only.
std::string outcome(tally::fake::Service& fake, const tally::Client& client,
                    const tally::PaymentRecord& payment, const tally::fake::FaultRule& refusal) {
  fake.injectFault(refusal);
  const auto read = client.paymentRecords().retrieve(payment.id);
  return read ? "success" : std::string{toString(read.error().kind())};
}

}  // namespace

int main(int argc, char** argv) {
  expectNoMore(argc, argv, help);
  tally::fake::Service fake;
  const std::string key = fake.addAccount().sandboxKey;
  const auto payment = fake.insert<tally::PaymentRecord>(key);
  tally::ClientOptions options = fake.clientOptions(key);
  const tally::Client once{options};
  options.maxNetworkRetries = 3;
  const tally::Client retrying{options};
  options.retryRateLimited = true;
  const tally::Client patient{options};

  std::cout << std::left << std::setw(26) << "refused with" << std::setw(18) << "no retries" << std::setw(18)
            << "maxNetworkRetries"
            << "  and retryRateLimited\n";
  for (const auto& refusal : refusals()) {
    std::cout << std::setw(26) << refusal.rateLimitedReason.value_or(refusal.error) << std::setw(18)
              << outcome(fake, once, payment, refusal) << std::setw(18)
              << outcome(fake, retrying, payment, refusal) << "  " << outcome(fake, patient, payment, refusal)
              << '\n';
  }
}
