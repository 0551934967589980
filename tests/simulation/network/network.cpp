#include "simulation/network/network.h"

#include <algorithm>
#include <utility>

namespace tally::simulation {

Link& Network::addLink(const std::string& name) {
  return links_.emplace_back(Link{.name = name});
}

Sender& Network::addSender(const std::string& name) {
  return senders_.emplace_back(
      Sender{.name = name, .number = senders_.size(), .link = &addLink(name + " to the service")});
}

void Network::cut(Link& link) {
  link.isCut = true;
  history_.step("link cut", 0, [&] { return "the link from " + link.name + " is cut"; });
}

void Network::repair(Link& link) {
  if (!std::exchange(link.isCut, false)) return;
  history_.step("link repaired", 0, [&] { return "the link from " + link.name + " is repaired"; });
}

bool Network::isServiceDown() const {
  return service_.clock()->now() < downUntil_;
}

void Network::restartService(std::chrono::nanoseconds duration) {
  history_.step("service ended", 0, [&] {
    return "the service ends, and starts again in " +
           std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count()) + " ms";
  });
  ++epoch_;
  downUntil_ = service_.clock()->now() + duration;
  for (const auto& [number, message] : std::map{underway_})
    message->breakOff();
  service_.snapshots().restore(service_.snapshots().take());
  checker_.limits().forgetRequestsInProgress();
  checker_.compareStore();
}

std::uint64_t Network::enter(Message& message) {
  underway_.emplace(++lastNumber_, &message);
  return lastNumber_;
}

void Network::orphan(std::unique_ptr<Message> message) {
  if (!message->canArrive() || history_.isOver()) return;
  message->detach();
  history_.step("orphaned", 0, [] { return "a request goes on without its sender"; });
  orphans_.push_back(std::move(message));
  if (orphanArrived_) orphanArrived_->request_stop();
}

void Network::deliverOrphans() {
  const StopCallback atEnd{history_.over(), [this] {
                             if (orphanArrived_) orphanArrived_->request_stop();
                           }};
  while (!history_.isOver()) {
    Instant next = Instant::max();
    for (const auto& one : orphans_)
      next = std::min(next, one->next());
    orphanArrived_.emplace();
    const StopToken arrived = orphanArrived_->get_token();
    fake::VirtualClock& clock = *service_.clock();
    (void)(next == Instant::max() ? clock.waitUntil(next, arrived) : clock.passUntil(next, arrived));
    orphanArrived_.reset();
    for (const auto& one : orphans_)
      (void)one->proceed();
    std::erase_if(orphans_, [](const auto& one) { return one->next() == Instant::max(); });
  }
}

}  // namespace tally::simulation
