#include <new>
#include <stdexcept>
#include <utility>

#include <tally/fake/pending_request.h>

#include "engine/call.h"

namespace tally::fake {

PendingRequest::PendingRequest(std::shared_ptr<detail::Server> server, std::unique_ptr<detail::Call> call,
                               Instant until)
    : server_(std::move(server)), call_(std::move(call)), until_(until) {}

PendingRequest::PendingRequest(PendingRequest&& other) noexcept = default;

PendingRequest& PendingRequest::operator=(PendingRequest&& other) noexcept {
  if (this != &other) {
    abandon();
    server_ = std::move(other.server_);
    call_ = std::move(other.call_);
    until_ = other.until_;
  }
  return *this;
}

PendingRequest::~PendingRequest() {
  abandon();
}

std::optional<Outcome> PendingRequest::proceed() {
  if (!call_) throw std::logic_error{"the request is no longer waiting"};
  auto step = server_->proceed(*call_);
  if (const auto* until = std::get_if<Instant>(&step)) {
    until_ = *until;
    return std::nullopt;
  }
  call_.reset();
  auto& exchange = std::get<detail::Exchange>(step);
  return Outcome{.result = std::move(exchange.result), .due = exchange.end};
}

void PendingRequest::abandon() noexcept {
  if (!call_) return;
  try {
    server_->abandon(*call_);
  } catch (const std::bad_alloc&) {  // then the log lacks this entry
  }
  call_.reset();
}

}  // namespace tally::fake
