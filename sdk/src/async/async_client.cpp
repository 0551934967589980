#include <tally/async_client.h>

#include "async/async_engine.h"
#include "async/pause.h"
#include "time/saturating.h"

namespace tally {

namespace {

std::shared_ptr<detail::AsyncEngine> started(std::shared_ptr<const detail::ClientCore> core, AsyncOptions options) {
  auto engine = std::make_shared<detail::AsyncEngine>(std::move(core), std::move(options));
  engine->startThread();
  return engine;
}

}  // namespace

AsyncClient::AsyncClient(const Client& client, AsyncOptions options)
    : AsyncServices(started(client.sharedCore(), std::move(options))) {}

AsyncClient::AsyncClient(ClientOptions client, AsyncOptions options)
    : AsyncClient(Client{std::move(client)}, std::move(options)) {}

AsyncClient& AsyncClient::operator=(AsyncClient&& other) noexcept {
  if (this == &other) return *this;
  if (sharedEngine()) sharedEngine()->closeInDestructor();
  AsyncServices::operator=(std::move(other));
  return *this;
}

AsyncClient::~AsyncClient() {
  if (sharedEngine()) sharedEngine()->closeInDestructor();
}

void AsyncClient::run() {
  sharedEngine()->run();
}

Call<void> AsyncClient::sleepUntil(Instant time) const {
  return Call<void>{std::make_unique<detail::Pause>(sharedEngine(), time)};
}

Call<void> AsyncClient::sleepFor(std::chrono::nanoseconds duration) const {
  return sleepUntil(detail::saturatingAdd(clock().now(), duration));
}

CloseResult AsyncClient::close(std::chrono::milliseconds timeLimit) {
  return sharedEngine()->close(timeLimit);
}

AsyncCounts AsyncClient::counts() const {
  return sharedEngine()->counts();
}

Clock& AsyncClient::clock() const noexcept {
  return sharedEngine()->core().clock();
}

}  // namespace tally
