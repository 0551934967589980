#include "simulation/network/delivery.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace tally::simulation {

namespace {

using namespace std::chrono_literals;

HttpResponse gatewayError(stress::RandomSource& random) {
  const int statuses[] = {502, 503, 504};
  return {.status = random.oneOf(statuses),
          .headers = {{"Content-Type", "text/html"}},
          .body = "<html><body><h1>Bad gateway</h1></body></html>"};
}

TransportFailure notSent(const std::string& why) {
  return {.kind = TransportFailure::Kind::couldNotConnect, .mayHaveBeenSent = false, .message = why};
}

}  // namespace

Delivery::Delivery(Network& network, Sender& sender, const HttpRequest& request)
    : network_(network), sender_(sender), request_(request), number_(network.enter(*this)) {
  change_ = network_.checker().departs(sender_, request_);
  depart();
}

Delivery::~Delivery() {
  if (hasSender_) detach();
  network_.leave(number_);
  if (!pending_) return;
  pending_.reset();
  readLog();
}

void Delivery::step(std::string_view kind, std::string_view what) const {
  network_.history().step(kind, number_, [&] {
    return sender_.name + ": request " + std::to_string(number_) + ", " +
           (change_ == 0 ? std::string{"a read"} : "change " + std::to_string(change_)) + ", " +
           std::string{what};
  });
}

std::chrono::nanoseconds Delivery::travelTime() {
  const bool isSlow = sender_.mayBeLate && network_.isChaotic() && random().oneIn(20);
  const std::chrono::nanoseconds longest = isSlow ? std::chrono::nanoseconds{3s} : longestTravel;
  return std::chrono::nanoseconds{random().below(static_cast<std::size_t>(longest.count()))};
}

/// A fault affects one request in eight.
Delivery::Fate Delivery::chooseFate() {
  if (!network_.isChaotic()) return Fate::none;
  switch (random().below(64)) {
    case 0:
      return Fate::notConnected;
    case 1:
      return Fate::requestLost;
    case 2:
      return Fate::silentlyLost;
    case 3:
      return Fate::gatewayBefore;
    case 4:
      return Fate::gatewayAfter;
    case 5:
    case 6:
      return Fate::responseLost;
    case 7:
      return Fate::responseCut;
    default:
      return Fate::none;
  }
}

void Delivery::depart() {
  fate_ = chooseFate();
  next_ = now() + travelTime();
  if (network_.history().isOver()) {
    step("not sent", "since the simulation is over");
    return endIn(notSent("the simulation is over"), 0ns);
  }
  if (sender_.link->isCut && !random().oneIn(2)) fate_ = Fate::silentlyLost;
  if (sender_.link->isCut && fate_ != Fate::silentlyLost) fate_ = Fate::notConnected;
  if (fate_ == Fate::notConnected) {
    step("no connection", "is not sent");
    return endIn(notSent("no connection"), travelTime());
  }
  step("sent", "is sent");
  if (fate_ == Fate::gatewayBefore) endIn(gatewayError(random()), travelTime());
}

void Delivery::endIn(TransportResult&& result, std::chrono::nanoseconds after) {
  result_ = std::move(result);
  next_ = now() + after;
  stage_ = Stage::toSender;
  epoch_ = network_.epoch();
}

void Delivery::loseSilently() {
  step("lost", "is lost, and its sender does not notice");
  stage_ = Stage::nowhere;
  next_ = Instant::max();
}

/// The sender notices that the connection is broken, but not what became of the request.
void Delivery::breakConnection(const std::string& why) {
  step("connection broken", why);
  endIn(TransportFailure{TransportFailure::Kind::connection, true, why}, 0ns);
  isFromService_ = false;
}

bool Delivery::proceed() {
  if (now() < next_) return false;
  switch (stage_) {
    case Stage::toService:
      arrive();
      break;
    case Stage::atService:
      wait();
      break;
    case Stage::toSender:
      arriveAtSender();
      break;
    case Stage::nowhere:
    case Stage::ended:
      break;
  }
  return stage_ == Stage::ended;
}

void Delivery::arrive() {
  if (fate_ == Fate::requestLost) return breakConnection("the request is lost");
  if (fate_ == Fate::silentlyLost || (sender_.link->isCut && hasSender_)) return loseSilently();
  if (network_.isServiceDown()) {
    step("service down", "is refused, since the service is down");
    return endIn(notSent("connection refused"), 0ns);
  }
  epoch_ = network_.epoch();
  auto begun = network_.service().begin(asBroken());
  if (auto* pending = std::get_if<fake::PendingRequest>(&begun)) {
    step("waits", "waits for the lock of its object");
    pending_.emplace(std::move(*pending));
    stage_ = Stage::atService;
    next_ = pending_->lockedUntil();
    return;
  }
  respond(std::get<fake::ScheduledResult>(std::move(begun)));
}

void Delivery::wait() {
  auto result = pending_->proceed();
  next_ = pending_->lockedUntil();
  if (!result) return;
  pending_.reset();
  respond(*std::move(result));
}

void Delivery::respond(fake::ScheduledResult&& result) {
  readLog();
  const Instant due = result.due;
  isFromService_ = true;
  endIn(std::move(result.result), travelTime());
  next_ = std::max(next_, due);
}

void Delivery::spoilResponse() {
  const Fate fate = std::exchange(fate_, Fate::none);
  if (fate == Fate::gatewayAfter) {
    step("gateway error", "gets the response of a gateway that has forwarded it");
    result_ = gatewayError(random());
  } else if (fate == Fate::responseLost) {
    step("response lost", "loses its response");
    const bool mayHaveBeenSent = network_.broken() != Broken::tellsNone;
    result_ = TransportFailure{TransportFailure::Kind::connection, mayHaveBeenSent, "the response is lost"};
  } else if (fate == Fate::responseCut) {
    step("response cut", "gets a part of its response");
    result_ = TransportFailure{TransportFailure::Kind::truncated, true, "the response is cut off"};
  }
}

void Delivery::arriveAtSender() {
  if (isFromService_) {
    if (epoch_ != network_.epoch()) return breakConnection("the service has ended before it responded");
    if (sender_.link->isCut && hasSender_) return loseSilently();
    spoilResponse();
  }
  if (sendsAgain()) return;
  step("returned", "returns");
  stage_ = Stage::ended;
  next_ = Instant::max();
  if (sender_.isDead)
    result_ = TransportFailure{TransportFailure::Kind::connection, true, "the process is dead"};
  if (hasSender_) detach();
}

/// Simulates a client that mistakes a lost response for a lost request.
bool Delivery::sendsAgain() {
  if (network_.broken() != Broken::resendsUnclear || request_.method != Method::post) return false;
  const auto* failure = std::get_if<TransportFailure>(&*result_);
  if (failure == nullptr || !failure->mayHaveBeenSent || std::exchange(isResent_, true)) return false;
  step("sent again", "is sent again by its client");
  result_.reset();
  isFromService_ = false;
  stage_ = Stage::toService;
  next_ = now() + travelTime();
  return true;
}

/// As a broken service understands it.
HttpRequest Delivery::asBroken() const {
  HttpRequest request = request_;
  if (network_.broken() == Broken::keepsUnsetMetadata) {
    for (std::size_t at = 0; (at = request.body.find("metadata", at)) != std::string::npos;) {
      const std::size_t end = std::min(request.body.find('&', at), request.body.size());
      const bool isUnset = request.body[end - 1] == '=';
      isUnset ? (void)request.body.erase(at, end - at + 1) : (void)(at = end);
    }
    if (request.body.ends_with('&')) request.body.pop_back();
  }
  constexpr std::string_view cursor = "starting_after=";
  if (const auto at = request.url.find(cursor);
      network_.broken() == Broken::skipsInPages && at != std::string::npos) {
    const std::size_t begin = at + cursor.size();
    const std::size_t length = std::min(request.url.find('&', begin), request.url.size()) - begin;
    const std::string before = network_.checker().recordBefore(request.url.substr(begin, length));
    if (!before.empty()) request.url.replace(begin, length, before);
  }
  return request;
}

bool Delivery::mayHaveBeenSent() const {
  if (!result_) return true;
  const auto* failure = std::get_if<TransportFailure>(&*result_);
  return failure == nullptr || failure->mayHaveBeenSent;
}

TransportFailure Delivery::giveUp(TransportFailure::Kind kind) {
  step("given up", "is given up by its sender");
  return {kind, mayHaveBeenSent(),
          kind == TransportFailure::Kind::timeout ? "no response in time" : "canceled"};
}

void Delivery::readLog() {
  network_.checker().readLog(sender_, request_, !hasSender_, network_.broken());
}

/// A request that waits for a lock is not carried out.
void Delivery::breakOff() {
  if (!pending_) return;
  pending_.reset();
  readLog();
  breakConnection("the service has ended while the request waited");
}

void Delivery::detach() {
  hasSender_ = false;
  network_.checker().returns(sender_, request_);
}

}  // namespace tally::simulation
