#include <array>
#include <ostream>
#include <stdexcept>

#include <tally/async_client.h>
#include <tally/open_enum.h>

#include "async/async_engine.h"
#include "async/async_raw_call.h"
#include "async/pause.h"
#include "print/value_line.h"
#include "time/saturating.h"

namespace [[gnu::visibility("default")]] tally {

namespace {

std::shared_ptr<detail::AsyncEngine> started(std::shared_ptr<const detail::ClientCore> core,
                                             AsyncOptions options) {
  auto engine = std::make_shared<detail::AsyncEngine>(std::move(core), std::move(options));
  engine->startThread();
  return engine;
}

}  // namespace

const std::shared_ptr<detail::AsyncEngine>& AsyncServices::engine() const {
  if (!engine_) throw std::logic_error{"this tally::AsyncClient has been moved from"};
  return engine_;
}

AsyncClient::AsyncClient(const Client& client, AsyncOptions options)
    : AsyncServices(started(client.sharedCore(), std::move(options))) {}

AsyncClient::AsyncClient(ClientOptions client, AsyncOptions options)
    : AsyncClient(Client{std::move(client)}, std::move(options)) {}

AsyncClient& AsyncClient::operator=(AsyncClient&& other) noexcept {
  if (this == &other) return *this;
  if (!isMovedFrom()) engine()->closeInDestructor();
  AsyncServices::operator=(std::move(other));
  return *this;
}

AsyncClient::~AsyncClient() {
  if (!isMovedFrom()) engine()->closeInDestructor();
}

void AsyncClient::run() {
  engine()->run();
}

Call<RawResponse> AsyncClient::send(const RawRequest& request,
                                    const Borrowed<RequestOptions>& options) const {
  return Call<RawResponse>{std::make_unique<detail::AsyncRawCall>(engine(), request, options)};
}

Call<void> AsyncClient::sleepUntil(Instant time) const {
  return Call<void>{std::make_unique<detail::Pause>(engine(), time)};
}

Call<void> AsyncClient::sleepFor(std::chrono::nanoseconds duration) const {
  return sleepUntil(detail::saturatingAdd(clock().now(), duration));
}

CloseResult AsyncClient::close(std::chrono::milliseconds timeLimit) {
  return engine()->close(timeLimit);
}

AsyncCounts AsyncClient::counts() const {
  return engine()->counts();
}

Clock& AsyncClient::clock() const {
  return engine()->core().clock();
}

std::ostream& operator<<(std::ostream& out, WhenFull value) {
  constexpr std::array<std::string_view, 2> texts{"fail", "wait"};
  return detail::printEnumerator(out, texts, static_cast<std::size_t>(value));
}

std::ostream& operator<<(std::ostream& out, const AsyncOptions& value) {
  return out << detail::ValueLine{"AsyncOptions"}
                    .add("maxInFlight", value.maxInFlight)
                    .add("maxWaiting", value.maxWaiting)
                    .add("whenFull", value.whenFull)
                    .addSet("executor", value.executor != nullptr)
                    .addSet("onException", value.onException != nullptr);
}

std::ostream& operator<<(std::ostream& out, const AsyncCounts& value) {
  return out
         << detail::ValueLine{"AsyncCounts"}.add("inFlight", value.inFlight).add("waiting", value.waiting);
}

std::ostream& operator<<(std::ostream& out, const CloseResult& value) {
  return out << detail::ValueLine{"CloseResult"}
                    .add("completed", value.completed)
                    .add("unsent", value.unsent)
                    .add("unknown", value.unknown);
}

}  // namespace tally
