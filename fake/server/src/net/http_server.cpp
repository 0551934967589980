#include <ostream>

#include <tally/fake/http_server.h>

#include "net/listener.h"
#include "net/service_handler.h"
#include "platform/machine.h"
#include "print/value_line.h"

namespace tally::fake {

struct HttpServer::Parts {
  Parts(Service& service, const HttpServerOptions& options)
      : handler(service, {.responsesTakeTime = options.responsesTakeTime,
                          .latencyTakesRealTime = options.latencyTakesRealTime}),
        listener(handler, options, traffic) {}

  /// Whether this process was forked from the one whose threads serve.
  [[nodiscard]] bool isInherited() const noexcept { return process != tally::detail::processId(); }

  int process = tally::detail::processId();
  detail::ServiceHandler handler;
  detail::Traffic traffic{};
  detail::Listener listener;
};

HttpServer::HttpServer(Service& service, const HttpServerOptions& options)
    : parts_(std::make_unique<Parts>(service, options)) {}

/// Destroying the parts would wait for threads that only the parent has.
HttpServer::~HttpServer() {
  if (parts_->isInherited()) (void)parts_.release();
}

std::uint16_t HttpServer::port() const noexcept {
  return parts_->listener.port();
}

std::string HttpServer::url() const {
  return parts_->listener.url();
}

void HttpServer::stop() {
  if (!parts_->isInherited()) parts_->listener.stop();
}

std::ostream& operator<<(std::ostream& out, const HttpServerOptions& value) {
  return out << tally::detail::ValueLine{"HttpServerOptions"}
                    .add("address", value.address)
                    .add("port", value.port)
                    .add("threads", value.threads)
                    .add("headerLimit", value.headerLimit)
                    .add("bodyLimit", value.bodyLimit)
                    .add("requestTimeout", value.requestTimeout)
                    .add("idleTimeout", value.idleTimeout)
                    .add("maxConnections", value.maxConnections)
                    .add("drain", value.drain)
                    .add("tlsCertificate", value.tlsCertificate)
                    .add("tlsKey", value.tlsKey)
                    .add("responsesTakeTime", value.responsesTakeTime)
                    .add("latencyTakesRealTime", value.latencyTakesRealTime);
}

}  // namespace tally::fake
