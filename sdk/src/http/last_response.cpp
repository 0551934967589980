#include <ostream>
#include <utility>

#include <tally/last_response.h>

#include "print/value_line.h"
#include "wire.h"

namespace [[gnu::visibility("default")]] tally {

LastResponse::LastResponse(int status, std::vector<Header> headers)
    : response_(std::make_shared<const HttpResponse>(HttpResponse{status, std::move(headers), {}})) {}

int LastResponse::status() const noexcept {
  return response_ == nullptr ? 0 : response_->status;
}

std::string_view LastResponse::requestId() const noexcept {
  const std::string* id = header(detail::header::requestId);
  return id == nullptr ? std::string_view{} : *id;
}

const std::vector<Header>& LastResponse::headers() const noexcept {
  static const std::vector<Header> none;
  return response_ == nullptr ? none : response_->headers;
}

const std::string* LastResponse::header(std::string_view name) const noexcept {
  return response_ == nullptr ? nullptr : response_->header(name);
}

std::ostream& operator<<(std::ostream& out, const LastResponse& response) {
  return out << detail::ValueLine{"LastResponse"}.add("status", response.status());
}

}  // namespace tally
