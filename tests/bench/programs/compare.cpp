// Compares a recording of a given number of requests with the fake, to measure its rate and its peak memory.
//
// tally_bench_compare write COUNT FILE: writes a recording of the fake's own responses
// tally_bench_compare rate FILE: seconds to send its requests in process, and to compare it
// tally_bench_compare peak FILE: peak memory in bytes to compare it

#include <cstddef>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tally/fake/service.h>

#include <sys/resource.h>

#include "bench/support/measure.h"
#include "compare/comparison.h"
#include "har/har_text.h"
#include "observed/har_recording.h"
#include "observed/read_ahead.h"

namespace {

using namespace std::chrono_literals;
using tally::detail::Exchange;
using tally::fake::detail::HarRecording;

constexpr std::size_t recordCount = 200;

struct Target {
  tally::fake::Service service{{.limits = false}};
  tally::fake::Account account = service.addAccount();
  std::vector<std::string> ids = service.insertMany(account.sandboxKey, "payment_record", recordCount);
};

/// Mostly retrieves, with reports and pages in between.
tally::HttpRequest requestOf(const Target& target, std::size_t number) {
  const std::string records = "/v1/payment_records";
  const std::string& id = target.ids[number % recordCount];
  tally::HttpRequest request{.url = records + '/' + id,
                             .headers = {{"Authorization", "Bearer " + target.account.sandboxKey}}};
  if (number % 10 == 3) request.url = records + "?limit=10&starting_after=" + id;
  if (number % 10 == 7) {
    request.method = tally::Method::post;
    request.url += "/report_payment_attempt_failed";
    request.headers.push_back({"Content-Type", "application/x-www-form-urlencoded"});
    request.body = "failed_at=1767225600&metadata[row]=" + std::to_string(number);
  }
  return request;
}

void write(std::size_t count, const std::string& file) {
  constexpr auto apart = 50ms;  // within every limit
  Target target;
  std::ofstream out{file, std::ios::binary};
  std::string text = tally::detail::harBegin();
  for (std::size_t n = 0; n < count; ++n) {
    target.service.clock()->advance(apart);
    const tally::HttpRequest request = requestOf(target, n);
    const tally::HttpResponse response = target.service.handle(request);
    if (n != 0) text += tally::detail::harSeparator;
    tally::detail::appendHarEntry(text, Exchange{.startedAt = target.service.clock()->now(),
                                                 .duration = 1ms,
                                                 .method = std::string{toString(request.method)},
                                                 .url = request.url,
                                                 .requestHeaders = request.headers,
                                                 .requestBody = request.body,
                                                 .status = response.status,
                                                 .responseHeaders = response.headers,
                                                 .responseBody = response.body});
    out << text;
    text.clear();
  }
  out << tally::detail::harEnd;
  if (!out.flush()) throw std::runtime_error{"can't write " + file};
}

void compare(const std::string& file) {
  HarRecording recording{file};
  tally::fake::detail::ReadAhead ahead{recording};
  tally::fake::detail::RecordingComparison comparison{ahead, {}};
  comparison.run();
  if (!comparison.findings().differences().empty()) throw std::runtime_error{"the fake differs from itself"};
}

void send(const std::string& file) {
  static const auto requests = [&] {
    std::vector<tally::HttpRequest> read;
    HarRecording recording{file};
    while (auto one = recording.next())
      read.push_back(std::move(one->request));
    return read;
  }();
  Target target;
  for (const tally::HttpRequest& request : requests)
    if (target.service.handle(request).status != 200) throw std::runtime_error{"a request was refused"};
}

void run(const std::vector<std::string_view>& arguments) {
  if (arguments.size() == 3 && arguments[0] == "write") {
    write(std::stoul(std::string{arguments[1]}), std::string{arguments[2]});
    return;
  }
  if (arguments.size() != 2) throw std::runtime_error{"wrong arguments"};
  const std::string file{arguments[1]};
  if (arguments[0] == "rate") {
    send(file);  // reads the requests
    const auto measure = [](void (*work)(const std::string&), const std::string& recording) {
      return tally::bench::secondsOf([&] { work(recording); });
    };
    std::cout << tally::bench::measurePair(
        3, [&] { return measure(compare, file); }, [&] { return measure(send, file); });
    return;
  }
  compare(file);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::cout << usage.ru_maxrss * 1'024;
}

}  // namespace

int main(int count, char** arguments) {
  return tally::bench::statusOf([&] { run({arguments + 1, arguments + count}); });
}
