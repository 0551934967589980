// A recording of the fake, from any of its requests on, has no differences from the fake. However it was
// changed, a comparison ends, and finds the same again.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <vector>

#include <tally/fake/service.h>

#include "fake/server/support/traffic.h"
#include "fuzz.h"

namespace tally::fuzz {

namespace {

using fake::detail::Recorded;
using std::chrono::milliseconds;
using test::Traffic;

constexpr std::size_t mostRequests = 12;
constexpr const char* paths[] = {"/v1/payment_records", "/v1/payment_intents", "/v1/payouts", "/v1/accounts"};

/// Sends the requests that the bytes choose. Each is over before the next one, and limits have room.
class Sender {
 public:
  Sender(Traffic& traffic, Choices& choices) : traffic_(traffic), choices_(choices) {
    records_ = traffic.service.insertMany(traffic.key, "payment_record", 5);
  }

  void send() {
    const std::size_t kind = choices_.below(8);
    if (kind < 3) {
      report(kind);
    } else if (kind == 3) {
      traffic_.get(record());
    } else if (kind == 4) {
      list();
    } else if (kind == 5) {
      search();
    } else if (kind == 6) {
      traffic_.post(choices_.oneOf(paths), text('\n'));
    } else {
      traffic_.get('/' + text('\n'));
    }
    traffic_.pause(milliseconds{choices_.below(200)} + milliseconds{50});
  }

 private:
  std::string text(char end) { return std::string{choices_.until(end)}; }
  std::string record() { return std::string{paths[0]} + '/' + choices_.oneOf(records_); }

  void report(std::size_t kind) {
    constexpr const char* outcomes[] = {"failed", "canceled", "guaranteed"};
    const std::string outcome = outcomes[kind];
    std::string body = outcome + "_at=" + std::to_string(choices_.byte());
    if (choices_.oneIn(2)) body += "&metadata[" + text(',') + "]=" + text('\n');
    traffic_.post(record() + "/report_payment_attempt_" + outcome, body);
  }

  void list() {
    constexpr const char* cursors[] = {"", "&starting_after=", "&ending_before="};
    const std::string cursor = choices_.oneOf(cursors);
    std::string url = choices_.oneOf(paths) + std::string{"?limit="} + std::to_string(choices_.below(6));
    if (!cursor.empty()) url += cursor + choices_.oneOf(records_);
    traffic_.get(url);
  }

  void search() {
    constexpr const char* queries[] = {"created%3E0", "-created%3E0", "amount_requested.value%3A1000"};
    traffic_.get(paths[0] + std::string{"/search?limit=3&query="} + choices_.oneOf(queries));
  }

  Traffic& traffic_;
  Choices& choices_;
  std::vector<std::string> records_{};
};

/// Changes a recorded request or its response.
void change(Recorded& one, Choices& choices) {
  const std::size_t what = choices.below(8);
  const std::string text{choices.until('\n')};
  if (what == 0) one.request.url = '/' + text;
  if (what == 1) one.request.body = text;
  if (what == 2) one.request.headers = {{"Authorization", text}};
  if (what == 3) one.start += milliseconds{static_cast<int>(choices.number(2)) - 32'768};
  if (what == 4) one.response.reset();
  if (!one.response) return;
  if (what == 5) one.response->status = static_cast<int>(choices.number(2) % 600);
  if (what == 6) one.response->body = text;
  std::string& body = one.response->body;
  if (what == 7 && !body.empty()) body.replace(choices.number(2) % body.size(), choices.below(20), text);
}

}  // namespace

void test(std::string_view input) {
  Choices choices{input};
  Traffic traffic;
  Sender sender{traffic, choices};
  const std::size_t first = choices.below(4);
  const std::size_t changes = choices.below(4);
  for (std::size_t left = choices.below(mostRequests + 1); left > 0; --left)
    sender.send();
  auto& recorded = traffic.recorded;
  recorded.erase(recorded.begin(),
                 std::next(recorded.begin(), static_cast<int>(std::min(first, recorded.size()))));
  require(traffic.differences().empty(), "a recording of the fake has no differences from the fake");
  if (recorded.empty() || changes == 0) return;
  for (std::size_t left = changes; left > 0; --left)
    change(choices.oneOf(recorded), choices);
  require(traffic.differences() == traffic.differences(), "a comparison finds the same again");
}

}  // namespace tally::fuzz
