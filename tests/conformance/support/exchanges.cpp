#include "conformance/support/exchanges.h"

#include <cstdlib>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include <boost/json.hpp>

namespace tally::conformance {

namespace {

/// The file of the exchanges, one JSON object per line.
class Exchanges {
 public:
  explicit Exchanges(const char* path) : file_(path) {
    if (!file_) throw std::runtime_error{std::string{"cannot write "} + path};
  }

  void append(const boost::json::object& exchange) {
    const std::lock_guard lock{mutex_};
    file_ << exchange << '\n';
  }

 private:
  std::mutex mutex_;
  std::ofstream file_;
};

const char* path() {
  static const char* const value = std::getenv("TALLY_EXCHANGES");
  return value;
}

class Recorded final : public Transport {
 public:
  Recorded(std::shared_ptr<Transport> inner, const fake::Service& service)
      : inner_(std::move(inner)), service_(service) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    const bool faulty = !service_.faults().pending().empty();
    auto result = inner_->send(request, limits);
    if (const auto* response = std::get_if<HttpResponse>(&result)) record(request, *response, faulty);
    return result;
  }

  [[nodiscard]] bool inProcess() const noexcept override { return inner_->inProcess(); }

 private:
  std::shared_ptr<Transport> inner_;
  const fake::Service& service_;
};

}  // namespace

bool recording() {
  return path() != nullptr;
}

void record(const HttpRequest& request, const HttpResponse& response, bool faulty) {
  if (!recording()) return;
  static Exchanges exchanges{path()};
  const std::string* const type = response.header("Content-Type");
  exchanges.append({{"method", toString(request.method)},
                    {"url", request.url},
                    {"status", response.status},
                    {"content_type", type == nullptr ? std::string{} : *type},
                    {"body", response.body},
                    {"faulty", faulty}});
}

std::shared_ptr<Transport> recorded(std::shared_ptr<Transport> inner, const fake::Service& service) {
  if (!recording()) return inner;
  return std::make_shared<Recorded>(std::move(inner), service);
}

}  // namespace tally::conformance
