// Serves the metrics of a client over HTTP, for a scraper.

#include <tally/metrics_observer.h>
#include <tally/tally.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include "support/target.h"

namespace {

namespace http = boost::beast::http;
using boost::asio::ip::tcp;

constexpr std::string_view help = R"(usage: metrics_endpoint [--base-url URL]

Makes a call to a fake in this process, or to URL with the key in TALLY_API_KEY, and serves its metrics at /metrics of
a free port of this machine, until it is terminated.
)";

http::response<http::string_body> respond(const http::request<http::empty_body>& request,
                                          const tally::MetricsObserver& metrics) {
  const bool found = request.method() == http::verb::get && request.target() == "/metrics";
  http::response<http::string_body> response{found ? http::status::ok : http::status::not_found, 11};
  response.set(http::field::content_type, "text/plain; version=0.0.4");
  if (found) response.body() = metrics.prometheusText();
  response.keep_alive(false);
  response.prepare_payload();
  return response;
}

/// A scraper that breaks off does not end the program.
void serveOne(tcp::socket socket, const tally::MetricsObserver& metrics) {
  boost::beast::flat_buffer buffer;
  http::request<http::empty_body> request;
  boost::beast::error_code failed;
  http::read(socket, buffer, request, failed);
  if (!failed) http::write(socket, respond(request, metrics), failed);
}

}  // namespace

int main(int argc, char** argv) {
  const auto baseUrl = takeOption(argc, argv, "--base-url");
  expectNoMore(argc, argv, help);
  tally::fake::Service fake;
  const Target target{fake, fake.addAccount().sandboxKey, baseUrl.value_or("")};
  const auto metrics = std::make_shared<tally::MetricsObserver>();
  tally::ClientOptions options = target.clientOptions();
  options.observer = metrics;
  const tally::Client client{options};
  const auto listed = client.paymentRecords().list().collect(10);
  if (!listed) std::cerr << listed.error() << '\n';

  boost::asio::io_context context;
  tcp::acceptor acceptor{context, {boost::asio::ip::address_v4::loopback(), 0}};
  std::cout << "http://127.0.0.1:" << acceptor.local_endpoint().port() << "/metrics" << std::endl;
  while (true)
    serveOne(acceptor.accept(), *metrics);
}
