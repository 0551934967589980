// The response to a create is lost. Finds out whether the object exists, and never pays out twice.

#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include <tally/fake/service.h>
#include <tally/tally.h>

namespace {

using namespace std::chrono_literals;
using tally::Payout;

/// A row of the application's database. Each assignment to it represents a committed transaction.
struct Row {
  enum class State { owed, sent, paid, alarm };

  std::string reference{};  // unique, and written into the payout's metadata
  std::int64_t amount = 0;
  State state = State::owed;
  std::optional<tally::Id<Payout>> newestBefore{};  // the newest payout before the create
  std::optional<tally::Id<Payout>> payout{};
};

constexpr const char* metadataKey = "reference";

std::string toString(Row::State state) {
  static constexpr const char* names[] = {"not paid, may be sent", "unknown, must not be sent again", "paid",
                                          "paid twice"};
  return names[static_cast<std::size_t>(state)];
}

/// Sends the payout of a row that is `owed`. If the process dies in here, the row is `owed` and nothing was
/// sent, or it is `sent` and resolve() continues.
void pay(const tally::Payouts& payouts, Row& row) {
  auto newest = payouts.list({.limit = 1});
  const auto first = newest.begin();
  if (first != newest.end()) {
    if (!*first) return;  // without the mark, a lost payout could not be found
    row.newestBefore = first->value().id;
  }
  row.state = Row::State::sent;
  const auto made =
      payouts.create({.amount = row.amount, .currency = "usd", .metadata = {{metadataKey, row.reference}}});
  if (made) {
    row.payout = made.value().id;
    row.state = Row::State::paid;
  } else if (made.error().effect() == tally::Effect::none) {
    row.state = Row::State::owed;
  }
}

/// The payouts with that reference; nothing if the list could not be read to its end. Payouts can't be
/// searched, so this reads all that are newer than the mark.
std::optional<std::vector<tally::Id<Payout>>> payoutsOf(const tally::Payouts& payouts, const Row& row) {
  std::vector<tally::Id<Payout>> found;
  for (const auto& payout : payouts.list({.limit = 100})) {
    if (!payout) return std::nullopt;
    if (payout.value().id == row.newestBefore) return found;
    const auto reference = payout.value().metadata.find(metadataKey);
    if (reference != payout.value().metadata.end() && reference->second == row.reference)
      found.push_back(payout.value().id);
  }
  if (row.newestBefore) return std::nullopt;  // the mark is gone: nothing is certain
  return found;
}

/// Looks for the payout of a row that is `sent`. Finding it is proof. Not finding it proves nothing: the
/// request may still be on its way, so the row stays as it is, for the next run and in the end for a person.
void resolve(const tally::Payouts& payouts, Row& row) {
  const auto found = payoutsOf(payouts, row);
  if (!found || found->empty()) return;
  row.payout = found->front();
  row.state = found->size() == 1 ? Row::State::paid : Row::State::alarm;
}

struct Trouble {
  std::string what{};
  tally::fake::FaultRule rule{};
};

void payInTrouble(tally::fake::Service& service, const std::string& key, const Trouble& trouble) {
  // No retries while a create is sent: the row decides whether it may be sent again.
  const auto payouts = tally::Client{service.clientOptions(key)}.payouts();
  Row row{.reference = trouble.what, .amount = 500};
  service.faults().inject(trouble.rule);
  pay(payouts, row);
  std::cout << trouble.what << ": " << toString(row.state);
  if (row.state == Row::State::sent) {
    service.faults().inject({.operation = "payouts.list", .fault = tally::fake::Fault::reset});
    resolve(payouts, row);  // fails, and changes nothing
    resolve(payouts, row);
    std::cout << " -> " << toString(row.state);
  } else if (row.state == Row::State::owed) {
    pay(payouts, row);
    std::cout << " -> " << toString(row.state);
  }
  const auto made = payoutsOf(payouts, row);
  std::cout << "; payouts made: " << (made ? std::to_string(made->size()) : "unknown") << '\n';
}

/// Payment intents can be searched, however many there are. Searches find new objects later than lists do.
void createAnIntent(tally::fake::Service& service, const std::string& key) {
  const auto intents = tally::Client{service.clientOptions(key)}.paymentIntents();
  service.faults().inject({.operation = "payment_intents.create", .fault = tally::fake::Fault::responseLost});
  (void)intents.create({.amount = 1000, .currency = "usd", .metadata = {{"order", "42"}}});
  const auto count = [&] {
    const auto ofOrder = tally::PaymentIntentSearchFields::metadata("order") == "42";
    return intents.search(ofOrder).collect(10).value().size();
  };
  std::cout << "payment intents of order 42: " << count();
  service.clock()->advance(1min);
  std::cout << ", a minute later: " << count() << '\n';
}

}  // namespace

int main() {
  using tally::fake::Fault;
  tally::fake::Service service{{.searchLag = 30s}};
  const std::string key = service.addAccount().sandboxKey;
  const std::string create = "payouts.create";
  const Trouble troubles[] = {
      {"no connection", {.operation = create, .fault = Fault::connectionRefused}},
      {"too many requests", {.operation = create, .error = "rate_limit"}},
      {"request lost", {.operation = create, .fault = Fault::reset}},
      {"error before processing", {.operation = create, .error = "api_error"}},
      {"error after processing", {.operation = create, .fault = Fault::errorAfterProcessing}},
      {"response lost", {.operation = create, .fault = Fault::responseLost}},
      {"response truncated", {.operation = create, .fault = Fault::truncatedBody}},
      {"response late", {.operation = create, .latency = 1min}},
  };
  for (const Trouble& trouble : troubles)
    payInTrouble(service, key, trouble);
  createAnIntent(service, key);
}
