// Measures the fake's store with many objects. Prints the figure, its reference and their ratio. A separate
// program, so that its memory is released at the end and contains nothing else.
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

#include <tally/fake/service.h>
#include <tally/tally.h>

#include <unistd.h>

#include "bench/support/measure.h"
#include "bench/support/records.h"
#include "engine/engine.h"
#include "operations.h"
#include "store/collection.h"
#include "text/random.h"

namespace {

using namespace tally;
using bench::Pair;
using fake::detail::Collection;

constexpr std::size_t few = 1'000;

/// Seconds per call of `body`, over `calls` calls, each with a random number below `end`.
template <class Body>
double secondsPerCall(std::size_t calls, std::size_t end, const Body& body) {
  static std::uint64_t state = 1;
  return bench::secondsOf([&] {
           for (std::size_t i = 0; i < calls; ++i)
             body(tally::detail::nextRandom(state) % end);
         }) /
         static_cast<double>(calls);
}

void check(bool right, const char* what) {
  if (!right) throw std::runtime_error{what};
}

// Lists, through the client. The objects are small, so that ten million fit into memory.

constexpr std::size_t pageSize = 100;

std::string payoutId(std::size_t n) {
  return "po_" + bench::recordId(n).substr(3);
}

std::string payoutJson(std::size_t n, std::size_t created) {
  return R"({"id":")" + payoutId(n) + R"(","object":"payout","amount":1000,"currency":"usd",)" +
         R"("description":"","metadata":{},"created":)" + std::to_string(created) + R"(,"livemode":false})";
}

/// A service with `objects` objects in one list, several per second of creation time.
class Listed {
 public:
  explicit Listed(std::size_t objects) : objects_(objects) {
    constexpr std::size_t perSecond = 7;
    const auto state = std::make_shared<fake::detail::ServiceState>(*service_.snapshots().take().state());
    const std::size_t type = engine_->catalog().indexOf(tally::detail::payoutResource);
    Collection& collection = state->accounts.ownerOf(account_.sandboxKey).collection(type);
    for (std::size_t n = 0; n < objects; ++n)
      collection.add(payoutId(n), payoutJson(n, n / perSecond), static_cast<std::int64_t>(n / perSecond), {},
                     0, engine_->catalog().types()[type].sharedJson());
    service_.snapshots().restore({state, engine_->clock()->reading()});
  }

  [[nodiscard]] double secondsPerPage(std::size_t calls) {
    return secondsPerCall(calls, objects_ - pageSize, [&](std::size_t n) { listBehind(pageSize + n); });
  }

 private:
  void listBehind(std::size_t n) {
    auto pager = client_.payouts().list({.limit = pageSize, .startingAfter = payoutId(n)});
    for (auto& page : std::move(pager).pages()) {
      check(page && page.value().data.size() == pageSize && page.value().data.front().id == payoutId(n - 1),
            "not the page behind the cursor");
      return;
    }
  }

  std::shared_ptr<fake::detail::Engine> engine_ =
      std::make_shared<fake::detail::Engine>(fake::ServiceOptions{.limits = false});
  fake::Service service_{engine_};
  fake::Account account_ = service_.addAccount();
  Client client_{{.apiKey = account_.sandboxKey,
                  .baseUrl = "https://service.test",
                  .transport = service_.transport(),
                  .clock = engine_->clock()}};
  std::size_t objects_;
};

Pair pages() {
  constexpr std::size_t many = 10'000'000;
  constexpr std::size_t calls = 1'000;
  Listed large{many};
  Listed small{few};
  return bench::measurePair(
      15, [&] { return large.secondsPerPage(calls); }, [&] { return small.secondsPerPage(calls); });
}

// Memory.

double residentBytes() {
  std::ifstream statm{"/proc/self/statm"};
  double size = 0;
  double resident = 0;
  statm >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Replaces each record with a longer one, like a report.
Pair memory() {
  constexpr std::size_t records = 200'000;
  const fake::detail::Engine engine{fake::ServiceOptions{}};
  const double before = residentBytes();
  const fake::detail::SharedText& shared = engine.catalog().findType("payment_record")->sharedJson();
  Collection collection;
  double json = 0;
  for (std::size_t n = 0; n < records; ++n)
    collection.add(bench::recordId(n), bench::recordJson(n), static_cast<std::int64_t>(n), {}, 0, shared);
  for (std::size_t n = 0; n < records; ++n) {
    std::string longer = bench::recordJson(n);
    longer.insert(longer.find(R"("campaign")"), R"("reported":"yes",)");
    json += static_cast<double>(longer.size());
    collection.replace(bench::recordId(n), longer, 1);
  }
  const double held = residentBytes() - before;
  check(collection.size() == records, "not all records");
  return {held / records, json / records, held / json};
}

// Searches.

constexpr std::size_t matches = 10;

class Searched {
 public:
  explicit Searched(std::size_t records) : values_(records / matches) {
    for (std::size_t n = 0; n < records; ++n)
      service_.insert<PaymentRecord>(account_.sandboxKey, [&](PaymentRecord& record) {
        record.amountRequested.value = static_cast<std::int64_t>(n % values_);
      });
    search(0);  // builds the index
  }

  [[nodiscard]] double secondsPerSearch(std::size_t calls) {
    return secondsPerCall(calls, values_, [&](std::size_t value) { search(value); });
  }

 private:
  void search(std::size_t value) {
    const HttpRequest request{
        .method = Method::get,
        .url = "/v1/payment_records/search?query=amount_requested.value:" + std::to_string(value),
        .headers = {{"Authorization", "Bearer " + account_.sandboxKey}}};
    const HttpResponse response = service_.handle(request);
    const std::string wanted =
        R"("amount_requested":{"currency":"usd","value":)" + std::to_string(value) + "}";
    std::size_t found = 0;
    for (auto at = response.body.find(wanted); at != std::string::npos;
         at = response.body.find(wanted, at + 1))
      ++found;
    check(found == matches, "not the ten matches");
  }

  fake::Service service_{{.limits = false}};
  fake::Account account_ = service_.addAccount();
  std::size_t values_;
};

Pair searches() {
  constexpr std::size_t many = 1'000'000;
  constexpr std::size_t calls = 500;
  Searched large{many};
  Searched small{few};
  return bench::measurePair(
      15, [&] { return large.secondsPerSearch(calls); }, [&] { return small.secondsPerSearch(calls); });
}

Pair measured(const std::string& what) {
  if (what == "pages") return pages();
  if (what == "memory") return memory();
  if (what == "searches") return searches();
  throw std::runtime_error{"expected one of pages, memory and searches"};
}

}  // namespace

int main(int argc, char** argv) {
  return bench::statusOf([&] { std::cout << measured(argc == 2 ? argv[1] : "") << '\n'; });
}
