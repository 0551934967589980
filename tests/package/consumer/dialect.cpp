// Compiled without exceptions and without type information, in one unit with dialect_headers.cpp: calls work,
// also through a transport of the application.
#include <iostream>
#include <memory>

#include <tally/async.h>
#include <tally/tally.h>

namespace {

/// Knows no object.
class EmptyService final : public tally::Transport {
 public:
  tally::TransportResult send(const tally::HttpRequest& /*request*/,
                              const tally::SendLimits& /*limits*/) override {
    return tally::HttpResponse{
        .status = 404,
        .headers = {{"Content-Type", "application/json"}},
        .body =
            R"({"error":{"type":"invalid_request_error","code":"resource_missing","message":"No such object"}})"};
  }
};

bool isMissing(const tally::Result<tally::PaymentRecord>& record) {
  return !record && record.error().code() == "resource_missing";
}

tally::Task<> await(const tally::AsyncClient& async, bool& missing) {
  missing = isMissing(co_await async.paymentRecords().retrieve("pr_1"));
}

}  // namespace

int main() {
  const tally::ClientOptions options{
      .apiKey = "sk_test_1", .baseUrl = "https://example.com", .transport = std::make_shared<EmptyService>()};
  const tally::Id<tally::PaymentRecord> id{"pr_1"};
  const bool blocking = isMissing(tally::Client{options}.paymentRecords().retrieve(id));
  bool asynchronous = false;
  tally::AsyncClient async{options};
  async.paymentRecords().retrieve(id).then(
      [&](const tally::Result<tally::PaymentRecord>& record) { asynchronous = isMissing(record); });
  bool awaited = false;
  tally::spawn(await(async, awaited));
  async.run();
  std::cout << "blocking: " << blocking << ", asynchronous: " << asynchronous << ", awaited: " << awaited
            << '\n';
  return blocking && asynchronous && awaited ? 0 : 1;
}
