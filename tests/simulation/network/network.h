#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <tally/fake/service.h>
#include <tally/transport.h>

#include "simulation/checker/checker.h"
#include "simulation/checker/history.h"
#include "simulation/network/link.h"

namespace tally::simulation {

/// The longest time that a request or a response takes if nothing delays it.
inline constexpr std::chrono::milliseconds longestTravel{20};

/// A request on its way to the service and back.
class Message {
 public:
  Message() = default;
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;
  virtual ~Message() = default;

  /// When to call proceed() next; Instant::max() if nothing happens any more.
  [[nodiscard]] virtual Instant next() const = 0;
  /// Goes on to the next stage. True once the sender has a result.
  [[nodiscard]] virtual bool proceed() = 0;
  /// Whether it can still reach the service, or wait there, without its sender.
  [[nodiscard]] virtual bool canArrive() const = 0;
  /// The sender waits no longer.
  virtual void detach() = 0;
  /// The service ends.
  virtual void breakOff() = 0;
};

/// What brings requests to the service, and responses back. Requests and responses overtake each other, and
/// get lost.
class Network {
 public:
  Network(History& history, Checker& checker, fake::Service& service, Broken broken)
      : history_(history), checker_(checker), service_(service), broken_(broken) {}

  /// Adds a party with a link of its own.
  Sender& addSender(const std::string& name);
  [[nodiscard]] std::deque<Sender>& senders() { return senders_; }
  /// Adds another link; `name` appears in the history.
  Link& addLink(const std::string& name);
  [[nodiscard]] std::deque<Link>& links() { return links_; }
  void cut(Link& link);
  void repair(Link& link);

  /// From now on, nothing gets lost.
  void calmDown() { isChaotic_ = false; }
  [[nodiscard]] bool isChaotic() const { return isChaotic_; }
  /// The service ends, with all requests in progress and all connections, and starts again after `duration`.
  void restartService(std::chrono::nanoseconds duration);
  [[nodiscard]] bool isServiceDown() const;

  /// A message begins, and gets a number, or ends.
  [[nodiscard]] std::uint64_t enter(Message& message);
  void leave(std::uint64_t number) { underway_.erase(number); }
  /// The sender has given up: the request may arrive nevertheless.
  void orphan(std::unique_ptr<Message> message);
  /// Delivers what has no sender any more, until the simulation is over.
  void deliverOrphans();
  [[nodiscard]] bool hasOrphans() const { return !orphans_.empty(); }

  [[nodiscard]] History& history() { return history_; }
  [[nodiscard]] Checker& checker() { return checker_; }
  [[nodiscard]] fake::Service& service() { return service_; }
  [[nodiscard]] Broken broken() const { return broken_; }
  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }

 private:
  History& history_;
  Checker& checker_;
  fake::Service& service_;
  Broken broken_;
  bool isChaotic_ = true;
  std::uint64_t epoch_ = 0;  // of the service
  Instant downUntil_ = Instant::min();
  std::deque<Sender> senders_{};
  std::deque<Link> links_{};
  std::map<std::uint64_t, Message*> underway_{};  // by number
  std::uint64_t lastNumber_ = 0;
  std::deque<std::unique_ptr<Message>> orphans_{};
  std::optional<StopSource> orphanArrived_{};  // while deliverOrphans() waits
};

}  // namespace tally::simulation
