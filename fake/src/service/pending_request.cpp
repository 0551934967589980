#include <stdexcept>
#include <utility>

#include <tally/fake/pending_request.h>

#include "engine/engine.h"

namespace tally::fake {

PendingRequest::PendingRequest(std::shared_ptr<detail::Engine> engine,
                               std::unique_ptr<detail::ResumableRequest> request, Instant until)
    : engine_(std::move(engine)), request_(std::move(request)), until_(until) {}

PendingRequest::PendingRequest(PendingRequest&& other) noexcept = default;

PendingRequest& PendingRequest::operator=(PendingRequest&& other) noexcept {
  if (this != &other) {
    abandon();
    engine_ = std::move(other.engine_);
    request_ = std::move(other.request_);
    until_ = other.until_;
  }
  return *this;
}

PendingRequest::~PendingRequest() {
  abandon();
}

std::optional<ScheduledResult> PendingRequest::proceed() {
  if (!request_) throw std::logic_error{"the request is no longer waiting"};
  auto step = engine_->proceed(*request_);
  if (const auto* until = std::get_if<Instant>(&step)) {
    until_ = *until;
    return std::nullopt;
  }
  request_.reset();
  return std::get<ScheduledResult>(std::move(step));
}

void PendingRequest::abandon() noexcept {
  if (!request_) return;
  engine_->abandon(*request_);
  request_.reset();
}

}  // namespace tally::fake
