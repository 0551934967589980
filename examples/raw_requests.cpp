// Makes requests for which there is no typed method, adds a parameter that tally does not know, and reads the
// response of a call that succeeded.

#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const tally::Client client{service.clientOptions(key)};

  const auto created = client.send({.method = tally::Method::post,
                                    .path = "/v1/payouts",
                                    .params = {{"amount", "500"}, {"currency", "eur"}}});
  std::cout << created.value().lastResponse.status() << ' ' << created.value().json.text.substr(0, 6) << '\n';

  const auto unknown = client.send({.method = tally::Method::post, .path = "/v1/tea"});
  std::cout << unknown.error() << '\n';

  const tally::RequestOptions options{.extraParams = {{"expand[]", "customer"}}};
  const auto payout = client.payouts().create({.amount = 500, .currency = "eur"}, options);
  std::cout << service.requests().list().back().request.body << '\n' << payout.error() << '\n';
}
