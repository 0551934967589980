// Measures the accounts of tally-fake. Prints the figure, its reference and their ratio. A separate program,
// so that its memory contains nothing else.
#include <cstddef>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>

#include <malloc.h>
#include <unistd.h>

#include "bench/support/measure.h"
#include "tenants/host.h"
#include "tenants/insertion.h"

namespace {

using namespace tally;
using bench::Pair;
using fake::detail::Host;
using fake::detail::insertRecords;
using fake::detail::Tenant;

double residentBytes() {
  malloc_trim(0);  // so that freed memory does not count
  std::ifstream statm{"/proc/self/statm"};
  double size = 0;
  double resident = 0;
  statm >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

HttpRequest listBy(const fake::Account& account) {
  return {.method = Method::get,
          .url = "/v1/payment_records?limit=100",
          .headers = {{"Authorization", "Bearer " + account.sandboxKey}}};
}

/// Bytes per account that was only created; the reference is the goal.
Pair idle() {
  constexpr std::size_t accounts = 10'000;
  constexpr double most = 16 * 1'024;
  Host host{{}};
  (void)host.add();
  const double before = residentBytes();
  for (std::size_t n = 0; n < accounts; ++n)
    (void)host.add();
  const double each = (residentBytes() - before) / accounts;
  return {each, most, each / most};
}

/// How much memory 100,000 accounts leave that made a request and were deleted; the reference is what one of
/// them may take.
Pair dropped() {
  constexpr std::size_t accounts = 100'000;
  constexpr double most = 1'024 * 1'024;
  Host host{{}};
  (void)host.add();
  const auto createAndDrop = [&](std::size_t count) {
    for (std::size_t n = 0; n < count; ++n) {
      const std::shared_ptr<Tenant> tenant = host.add();
      (void)host.handle({.request = listBy(tenant->account)}, {});
      host.remove(tenant, tenant->account.id);
    }
  };
  createAndDrop(accounts / 100);
  const double before = residentBytes();
  createAndDrop(accounts);
  const double left = residentBytes() - before;
  return {left, most, left / most};
}

constexpr std::size_t million = 1'000'000;

/// The JSON of a page of a hundred records.
std::string pageOf(Host& host, const Tenant& tenant) {
  return std::get<HttpResponse>(host.handle({.request = listBy(tenant.account)}, {}).result).body;
}

/// Seconds until a host has a million records, and until Boost.JSON has parsed the JSON of as many.
Pair start() {
  std::string page;
  const double seconds = bench::secondsOf([&] {
    Host host{{.limits = false}};
    const std::shared_ptr<Tenant> tenant = host.add();
    insertRecords(tenant->service, tenant->account.sandboxKey, million);
    tenant->begin();
    page = pageOf(host, *tenant);
  });
  const double parsing = bench::secondsToParse(page) * static_cast<double>(million) / 100;
  return {seconds, parsing, seconds / parsing};
}

/// Bytes of a million records, and of their JSON.
Pair records() {
  Host host{{.limits = false}};
  const std::shared_ptr<Tenant> tenant = host.add();
  const double before = residentBytes();
  insertRecords(tenant->service, tenant->account.sandboxKey, million);
  const double held = residentBytes() - before;
  const auto size = static_cast<double>(pageOf(host, *tenant).size());
  const double json = size / 100 * static_cast<double>(million);
  return {held, json, held / json};
}

Pair measured(const std::string& what) {
  if (what == "idle") return idle();
  if (what == "dropped") return dropped();
  if (what == "start") return start();
  if (what == "records") return records();
  throw std::runtime_error{"expected one of idle, dropped, start and records"};
}

}  // namespace

int main(int argc, char** argv) {
  return bench::statusOf([&] { std::cout << measured(argc == 2 ? argv[1] : "") << '\n'; });
}
