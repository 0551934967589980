// A saved service that is accepted is saved as the same text after it is loaded, and loading it twice makes
// two services that respond alike.
#include <stdexcept>
#include <string>
#include <utility>

#include <tally/fake/saved_service.h>
#include <tally/fake/service.h>

#include "fuzz.h"

namespace tally::fuzz {

namespace {

/// Requests of each kind, whatever keys the service has.
void use(fake::Service& service, std::string& responses) {
  for (const fake::Account& account : service.accounts().list()) {
    const auto send = [&](Method method, std::string url, std::string body) {
      const HttpResponse response =
          service.handle({.method = method,
                          .url = std::move(url),
                          .headers = {{"Authorization", "Bearer " + account.sandboxKey}},
                          .body = std::move(body)});
      responses += std::to_string(response.status) + response.body + '\n';
    };
    send(Method::get, "/v1/payment_records?limit=3", {});
    send(Method::get,
         "/v1/payment_records/search?query=created%3E0%20OR%20metadata%5B%22order%22%5D%3A%221%22", {});
    send(Method::post, "/v1/payment_intents", "amount=1&currency=eur&metadata[order]=1");
    for (const auto& object : service.objects().list(account.sandboxKey).objects)
      send(Method::post, "/v1/payment_records/" + object.id + "/report_payment_attempt_failed",
           "failed_at=1");
  }
}

}  // namespace

void test(std::string_view input) {
  try {
    fake::Service service = fake::importJson(input);
    service.clock()->freeze();  // it may move in real time
    const std::string saved = exportJson(service);
    fake::Service again = fake::importJson(saved);
    require(exportJson(again) == saved, "a loaded service is saved as the same text");
    std::string responses;
    std::string others;
    use(service, responses);
    use(again, others);
    require(responses == others, "services with the same text respond alike");
    require(exportJson(service) == exportJson(again),
            "services with the same text have the same state afterwards");
  } catch (const std::invalid_argument& problem) {
    require(*problem.what() != '\0', "a problem has a description");
  }
}

}  // namespace tally::fuzz
