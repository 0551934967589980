// A job pays two orders, one of them with the wrong amount. The verification finds the request and says why.

#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>

int main() {
  using tally::fake::Count;
  using tally::fake::TextPattern;
  tally::fake::Service service;
  const tally::Client client{service.clientOptions(service.addAccount().sandboxKey)};
  for (const std::int64_t amount : {500, 510})
    if (!client.payouts().create({.amount = amount, .currency = "eur", .metadata = {{"order", "o-17"}}}))
      return 1;

  const tally::fake::RequestPattern fives{.operation = "payouts.create",
                                          .params = {{"amount", "500"}},
                                          .metadata = {{"order", TextPattern::containing("17")}}};
  std::cout << service.requests().count(fives) << " of " << service.requests().size() << " match\n"
            << service.requests().verify(fives, Count::exactly(2)) << '\n';
  service.requests().clear();
  std::cout << service.requests().count({}) << " are left\n";
}
