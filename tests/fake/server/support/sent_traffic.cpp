#include "fake/server/support/sent_traffic.h"

#include "fake/support/requests.h"

namespace tally::test {

namespace json = boost::json;

std::string idIn(const HttpResponse& response) {
  return text(bodyOf(response).at("id"));
}

std::string report(const std::string& id, const std::string& outcome) {
  return records + '/' + id + "/report_payment_attempt_" + outcome;
}

void sendReports(Traffic& traffic) {
  const auto ids = traffic.service.insertMany(traffic.key, "payment_record", 9);
  traffic.get(records + "?limit=4");
  traffic.get(records + "?limit=4&starting_after=" + ids[5]);
  traffic.get(records + "?limit=4&starting_after=" + ids[1]);
  traffic.get(records + "?limit=2&ending_before=" + ids[3]);
  traffic.post(report(ids[8], "failed"), "failed_at=1700000000&metadata[a]=1");
  traffic.get(records + '/' + ids[8]);
  traffic.post(report(ids[8], "canceled"), "canceled_at=1700000000&metadata[a]=");
  traffic.post(report(ids[8], "guaranteed"), "guaranteed_at=1700000000");
  traffic.post(report(ids[8], "failed"), "failed_at=1700000000");
  traffic.post(report(ids[7], "failed"), "failed_at=soon");
  traffic.post(report(ids[7], "failed"));
  traffic.get(records + '/' + ids[8]);
  traffic.get(records + "/pr_none");
  traffic.pause();
  std::string page;
  for (int i = 0; i < 3; ++i) {
    const HttpResponse found = traffic.get(
        records + "/search?limit=4&expand[]=total_count&query=amount_requested.value%3A1000" + page);
    const json::value body = bodyOf(found);
    if (const auto* next = body.as_object().if_contains("next_page")) page = "&page=" + text(*next);
  }
}

void sendCreations(Traffic& traffic) {
  std::string last;
  for (int i = 0; i < 5; ++i)
    last = idIn(traffic.post(intents, "amount=" + std::to_string(100 + i) + "&currency=eur"));
  traffic.post(intents + '/' + last, "description=x");
  traffic.get(intents + '/' + last);
  traffic.get(intents + "?limit=3");
  traffic.get(intents);
  traffic.post(intents, "amount=1&currency=EURO");
  const std::string subscription = idIn(traffic.post("/v1/subscriptions", "quantity=2"));
  traffic.post("/v1/invoices", "subscription=" + subscription);
  traffic.get("/v1/invoices?subscription=" + subscription);
  const std::string account = idIn(traffic.post("/v1/accounts", "country=DE"));
  HttpRequest onBehalf = post(traffic.key, "/v1/payouts", "amount=5&currency=usd");
  onBehalf.headers.push_back({"Service-Account", account});
  traffic.send(onBehalf);
  traffic.get("/v1/payouts");
  traffic.get("/v1/accounts");
}

}  // namespace tally::test
