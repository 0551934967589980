// Uses the client alone. Exceptions cross the boundary of the library in both directions, and are caught by
// their types.
#include <iostream>
#include <memory>
#include <stdexcept>

#include <tally/report.h>
#include <tally/tally.h>

namespace {

struct Unplugged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class UnpluggedTransport final : public tally::Transport {
 public:
  tally::TransportResult send(const tally::HttpRequest& /*request*/,
                              const tally::SendLimits& /*limits*/) override {
    throw Unplugged{"no cable"};
  }
};

template <class Exception, class Function>
void expectThrow(const char* what, const Function& function) {
  try {
    function();
  } catch (const Exception& thrown) {
    std::cout << what << ": " << thrown.what() << '\n';
    return;
  }
  throw std::logic_error{what};
}

}  // namespace

int main() {
  std::cout << tally::RawRequest{.path = "/v1/payouts", .params = {{.name = "limit", .value = "1"}}} << '\n'
            << tally::RawResponse{} << '\n'
            << tally::Report{.id = "pr_1", .outcome = "failed"} << '\n';
  const tally::Id<tally::PaymentRecord> id{"pr_1"};
  expectThrow<std::invalid_argument>(
      "wrong option", [] { const tally::Client client{{.apiKey = "key", .maxNetworkRetries = -1}}; });
  expectThrow<tally::Exception>("refused", [&id] {
    const tally::Client client{{.apiKey = "key", .baseUrl = "http://example.com"}};
    static_cast<void>(client.paymentRecords().retrieve(id).value());
  });
  expectThrow<Unplugged>("of the transport", [&id] {
    const tally::Client client{{.apiKey = "key",
                                .baseUrl = "https://example.com",
                                .transport = std::make_shared<UnpluggedTransport>()}};
    static_cast<void>(client.paymentRecords().retrieve(id));
  });
}
