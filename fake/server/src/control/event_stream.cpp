#include "control/event_stream.h"

#include <algorithm>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "format/control_json.h"

namespace tally::fake::detail {

namespace json = boost::json;

namespace {

constexpr std::size_t mostAtOnce = 100;  // requests, so that a long log does not hold up other connections
constexpr std::string_view greeting = "retry: 1000\n\n";
constexpr std::string_view comment = ":\n\n";

void appendEvent(std::string& out, std::string_view name, const json::value& data) {
  out.append("event: ").append(name).append("\ndata: ").append(json::serialize(data)).append("\n\n");
}

}  // namespace

EventStream::EventStream(const Host& host, std::string key, Owner owner, std::uint64_t after, Tells tells)
    : host_(host),
      key_(std::move(key)),
      owner_(std::move(owner)),
      service_(owner_.tenant->service),
      tells_(tells),
      after_(after),
      changes_(service_.changeCount()),
      last_(std::max(after, service_.requests().lastNumber())) {}

void EventStream::onMore(std::function<void()> wake) {
  listening_ = service_.onChange(std::move(wake));
}

std::optional<std::string> EventStream::take(Time now) {
  if (!host_.ownerOf(key_)) return std::nullopt;
  std::string out{std::exchange(begun_, true) ? std::string_view{} : greeting};
  noteChanges();
  if (tells_ == Tells::requestsAndChanges) takeRequests(out);
  takeChanges(out, now);
  if (out.empty() && now - sentAt_ >= keepAlive) out = comment;
  if (!out.empty()) sentAt_ = now;
  return out;
}

BodyStream::Time EventStream::nextTake() const {
  const bool untold = parts_.log || parts_.objects || parts_.faults || parts_.others;
  const Time alive = sentAt_ + keepAlive;
  return untold ? std::min(alive, toldAt_ + changeInterval) : alive;
}

/// A request counts as one change. If there were more changes than requests, something else has changed, too;
/// if there were fewer, a later state has been restored.
void EventStream::noteChanges() {
  const std::uint64_t changes = service_.changeCount();
  const std::uint64_t last = service_.requests().lastNumber();
  if (last < last_) {  // an earlier state has been restored
    parts_.log = true;
    last_ = last;
    after_ = std::min(after_, last);
  }
  const std::size_t size = service_.requests().size();
  if (size < size_) parts_.log = true;  // it has been cleared
  if (changes - changes_ != last - last_) parts_.others = true;
  // Without a look at the requests, which may be many: any of them may have changed these.
  if (tells_ == Tells::changes && last != last_) parts_.log = parts_.objects = parts_.faults = true;
  changes_ = changes;
  last_ = last;
  size_ = size;
}

void EventStream::takeRequests(std::string& out) {
  const std::vector<LoggedRequest> requests = service_.requests().list(after_, mostAtOnce);
  for (const LoggedRequest& request : requests) {
    after_ = request.number;
    out += "id: " + std::to_string(request.number) + '\n';
    appendEvent(out, "request", toJson(request));
    note(request);
  }
  if (requests.empty()) after_ = std::max(after_, last_);
}

void EventStream::note(const LoggedRequest& request) {
  parts_.log = true;
  if (request.hasFault()) parts_.faults = true;
  if (request.processed && request.request.method == Method::post) parts_.objects = true;
}

void EventStream::takeChanges(std::string& out, Time now) {
  if (toldAt_ != Time::min() && now - toldAt_ < changeInterval) return;
  const auto [log, objects, faults, others] = std::exchange(parts_, {});
  if (!log && !objects && !faults && !others) return;
  json::array changed;
  const auto add = [&](bool whether, const char* part) {
    if (whether) changed.emplace_back(part);
  };
  add(others, "clock");
  add(true, "limits");
  add(others || faults, "faults");
  add(others, "holds");
  add(others || objects, "accounts");
  add(others || objects, "objects");
  add(log, "log");
  appendEvent(out, "change", {{"changed", std::move(changed)}});
  toldAt_ = now;
}

}  // namespace tally::fake::detail
