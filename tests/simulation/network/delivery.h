#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tally/fake/pending_request.h>
#include <tally/transport.h>

#include "simulation/network/network.h"

namespace tally::simulation {

/// A message that the network may delay, lose or spoil.
class Delivery final : public Message {
 public:
  Delivery(Network& network, Sender& sender, const HttpRequest& request);
  Delivery(const Delivery&) = delete;
  Delivery& operator=(const Delivery&) = delete;
  ~Delivery() override;

  [[nodiscard]] Instant next() const override { return next_; }
  [[nodiscard]] bool proceed() override;
  [[nodiscard]] bool canArrive() const override {
    return sender_.mayBeLate && (stage_ == Stage::toService || stage_ == Stage::atService);
  }
  void detach() override;
  void breakOff() override;

  /// The result, once proceed() has returned true.
  [[nodiscard]] TransportResult take() { return *std::move(result_); }
  /// Whether bytes of the request may have reached the service.
  [[nodiscard]] bool mayHaveBeenSent() const;
  /// What the sender gets if it gives up now.
  [[nodiscard]] TransportFailure giveUp(TransportFailure::Kind kind);

 private:
  enum class Stage : std::uint8_t { toService, atService, toSender, nowhere, ended };
  /// What chance does to a request.
  enum class Fate : std::uint8_t {
    none,
    notConnected,   // no byte is sent
    requestLost,    // the connection breaks
    silentlyLost,   // and the sender does not notice
    gatewayBefore,  // a gateway responds, and does not forward it
    gatewayAfter,   // a gateway gives up after it has forwarded it
    responseLost,
    responseCut,
  };

  [[nodiscard]] Fate chooseFate();
  void depart();
  void arrive();
  void wait();
  void readLog();
  [[nodiscard]] stress::RandomSource& random() { return network_.history().random(); }
  [[nodiscard]] Instant now() const { return network_.service().clock()->now(); }
  void respond(fake::ScheduledResult&& result);
  void arriveAtSender();
  void spoilResponse();
  void breakConnection(const std::string& why);
  void loseSilently();
  void endIn(TransportResult&& result, std::chrono::nanoseconds after);
  [[nodiscard]] bool sendsAgain();
  [[nodiscard]] HttpRequest asBroken() const;
  void step(std::string_view kind, std::string_view what) const;
  [[nodiscard]] std::chrono::nanoseconds travelTime();

  Network& network_;
  Sender& sender_;
  HttpRequest request_;
  std::uint64_t number_;
  std::uint64_t change_ = 0;
  std::uint64_t epoch_ = 0;  // of the service, once it has arrived
  Stage stage_ = Stage::toService;
  Fate fate_ = Fate::none;
  Instant next_{};
  bool hasSender_ = true;
  bool isFromService_ = false;  // the result
  bool isResent_ = false;
  std::optional<fake::PendingRequest> pending_{};
  std::optional<TransportResult> result_{};
};

}  // namespace tally::simulation
