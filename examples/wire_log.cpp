// Observers never see bodies. To log them, wrap the transport that sends.

#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>

namespace {

/// Prints requests and responses, including metadata, but not the key. For a developer's own machine.
class Shown final : public tally::Transport {
 public:
  explicit Shown(std::shared_ptr<tally::Transport> next) : next_(std::move(next)) {}

  tally::TransportResult send(const tally::HttpRequest& request, const tally::SendLimits& limits) override {
    std::cout << "> " << request << "\n> " << request.body << '\n';
    auto answer = next_->send(request, limits);
    if (const auto* response = std::get_if<tally::HttpResponse>(&answer))
      std::cout << "< " << *response << "\n< " << response->body << '\n';
    return answer;
  }

  [[nodiscard]] bool inProcess() const noexcept override { return next_->inProcess(); }

 private:
  std::shared_ptr<tally::Transport> next_;
};

}  // namespace

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  tally::ClientOptions options = service.clientOptions(key);
  options.transport = std::make_shared<Shown>(options.transport);  // or around tally::curlTransport(clock)
  const tally::Client client{options};

  const auto intent = client.paymentIntents().create({.amount = 500, .currency = "eur"});
  return intent ? 0 : 1;
}
