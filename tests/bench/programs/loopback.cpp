// Compares the client over loopback with libcurl alone. With `retrieves`, `walks` or `walks_ahead`, prints
// the result; with `exchanges`, compares with a socket alone. With `client` or `plain` and a number,
// retrieves a record that often, for callgrind to count. A separate program, to exclude the service's time
// and instructions.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/tally.h>

#include "bench/support/measure.h"
#include "bench/support/plain_gets.h"
#include "fake/server/support/peer.h"

namespace {

using namespace tally;
using bench::Pair;
using bench::secondsOf;

constexpr std::size_t pageSize = 100;

void check(bool right, const char* what) {
  if (!right) throw std::runtime_error{what};
}

/// Access to the records of one service, by the client and by libcurl.
class Ways {
 public:
  Ways(std::string url, const std::string& key)
      : client_{{.apiKey = key, .baseUrl = url}}, plain_{key}, key_(key), records_(std::move(url) + path_) {}

  [[nodiscard]] std::string firstId() const {
    auto first = client_.paymentRecords().list({.limit = 1});
    return first.begin()->value().id.str();
  }

  void retrieve(const Id<PaymentRecord>& id, std::size_t times) const {
    for (std::size_t n = 0; n < times; ++n) {
      const auto record = client_.paymentRecords().retrieve(id);
      check(record && record.assume_value().id == id, "not the record");
    }
  }

  void retrievePlainly(const std::string& id, std::size_t times) {
    const std::string url = records_ + '/' + id;
    for (std::size_t n = 0; n < times; ++n)
      check(plain_.body(url).ends_with('}'), "not the record");
  }

  /// Sends the same bytes, and looks at nothing but the length of the response.
  void exchange(const std::string& id, std::size_t times) {
    if (!socket_) socket_.emplace(portOf(records_));
    const std::string request = test::getBytes(path_ + '/' + id, key_);
    for (std::size_t n = 0; n < times; ++n) {
      check(socket_->send(request), "not sent");
      check(socket_->response().ends_with('}'), "not the record");
    }
  }

  /// The URLs of all pages, so that libcurl alone need not compute cursors.
  [[nodiscard]] std::vector<std::string> pageUrls() const {
    const std::string first = records_ + "?limit=" + std::to_string(pageSize);
    std::vector<std::string> urls{first};
    for (const auto& page : list().pages())
      if (page.value().hasMore)
        urls.push_back(first + "&starting_after=" + page.value().data.back().id.str());
    return urls;
  }

  [[nodiscard]] Pager<PaymentRecord> list() const {
    return client_.paymentRecords().list({.limit = pageSize});
  }

  static void walk(Pager<PaymentRecord> records, std::size_t expected) {
    std::size_t walked = 0;
    for (const auto& record : records)
      if (record) ++walked;
    check(walked == expected, "not all records");
  }

  void fetch(const std::vector<std::string>& urls) {
    for (const std::string& url : urls)
      check(plain_.body(url).ends_with('}'), "not a page");
  }

 private:
  static std::uint16_t portOf(const std::string& url) {
    return static_cast<std::uint16_t>(std::stoul(url.substr(url.find(':', url.find("//")) + 1)));
  }

  const std::string path_ = "/v1/payment_records";
  Client client_;
  bench::PlainGets plain_;
  std::string key_;
  std::string records_;
  std::optional<test::Peer> socket_{};
};

/// Retrieves one record by the client, and by the reference.
Pair retrieves(Ways& ways, void (Ways::*reference)(const std::string&, std::size_t)) {
  constexpr std::size_t times = 200;
  const std::string id = ways.firstId();
  const Pair pair = bench::measurePair(
      101, [&] { return secondsOf([&] { ways.retrieve(id, times); }); },
      [&] { return secondsOf([&] { (ways.*reference)(id, times); }); });
  return {pair.figure / times, pair.reference / times, pair.ratio};
}

Pair walks(Ways& ways, const std::function<Pager<PaymentRecord>()>& begun) {
  const std::vector<std::string> urls = ways.pageUrls();
  return bench::measurePair(
      151, [&] { return secondsOf([&] { Ways::walk(begun(), urls.size() * pageSize); }); },
      [&] { return secondsOf([&] { ways.fetch(urls); }); });
}

void perform(const std::string& what, Ways& ways, std::size_t times) {
  if (what == "retrieves") {
    std::cout << retrieves(ways, &Ways::retrievePlainly) << '\n';
  } else if (what == "exchanges") {
    std::cout << retrieves(ways, &Ways::exchange) << '\n';
  } else if (what == "walks") {
    std::cout << walks(ways, [&] { return ways.list(); }) << '\n';
  } else if (what == "walks_ahead") {
    std::cout << walks(ways, [&] { return ways.list().prefetch(); }) << '\n';
  } else if (what == "client") {
    ways.retrieve(ways.firstId(), times);
  } else if (what == "plain") {
    ways.retrievePlainly(ways.firstId(), times);
  } else {
    throw std::runtime_error{"expected one of retrieves, exchanges, walks, walks_ahead, client and plain"};
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::statusOf([&] {
    check(argc == 4 || argc == 5, "usage: tally_bench_loopback WHAT URL KEY [TIMES]");
    Ways ways{argv[2], argv[3]};
    perform(argv[1], ways, argc == 5 ? std::stoul(argv[4]) : 0);
  });
}
