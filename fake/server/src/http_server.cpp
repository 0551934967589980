#include <tally/fake/http_server.h>

#include "front.h"
#include "service_site.h"

namespace tally::fake {

struct HttpServer::Parts {
  Parts(Service& service, const HttpServerOptions& options)
      : site(service, options.responsesTakeTime), front(site, options) {}

  detail::ServiceSite site;
  detail::Front front;
};

HttpServer::HttpServer(Service& service, const HttpServerOptions& options)
    : parts_(std::make_unique<Parts>(service, options)) {}

HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const noexcept {
  return parts_->front.port();
}

std::string HttpServer::url() const {
  return parts_->front.url();
}

void HttpServer::stop() {
  parts_->front.stop();
}

}  // namespace tally::fake
