// Paginates over a given number of records, and prints the peak memory in kB. Pages are generated on request,
// so the memory is the client's.
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <string>

#include <tally/tally.h>

#include "bench/support/records.h"

namespace {

using namespace tally;

constexpr std::size_t pageSize = 100;

class EndlessPages final : public Transport {
 public:
  explicit EndlessPages(std::size_t records) : records_(records) {}

  TransportResult send(const HttpRequest& request, const SendLimits&) override {
    const std::size_t first = firstAskedFor(request.url);
    const bool hasMore = first + pageSize < records_;
    return HttpResponse{.status = 200, .body = bench::pageJson(first, pageSize, hasMore)};
  }

 private:
  static std::size_t firstAskedFor(const std::string& url) {
    const std::string cursor = "starting_after=pr_";
    const auto at = url.find(cursor);
    return at == std::string::npos ? 0 : std::stoul(url.substr(at + cursor.size())) + 1;
  }

  std::size_t records_;
};

/// Whether all records arrived in order.
bool walk(std::size_t records) {
  const Client client{{.apiKey = "sk_test_bench",
                       .baseUrl = "https://service.test",
                       .transport = std::make_shared<EndlessPages>(records)}};
  std::size_t n = 0;
  for (const auto& record : client.paymentRecords().list({.limit = pageSize})) {
    if (!record || record.assume_value().id.str() != bench::recordId(n)) return false;
    ++n;
  }
  return n == records;
}

long peakKilobytes() {
  std::ifstream status{"/proc/self/status"};
  for (std::string word; status >> word; status.ignore(std::numeric_limits<std::streamsize>::max(), '\n'))
    if (word == "VmHWM:") {
      long kilobytes = 0;
      status >> kilobytes;
      return kilobytes;
    }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || !walk(std::stoul(argv[1]))) return EXIT_FAILURE;
  std::cout << peakKilobytes() << '\n';
  return EXIT_SUCCESS;
}
