#include "fake/server/support/traffic.h"

#include <algorithm>
#include <variant>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "fake/support/requests.h"

namespace tally::test {

using fake::detail::Recorded;

namespace {

std::optional<HttpResponse> responseOf(const fake::ScheduledResult& result) {
  const auto* response = std::get_if<HttpResponse>(&result.result);
  return response == nullptr ? std::nullopt : std::optional{*response};
}

template <class Action>
bool forEachObject(boost::json::object& body, const std::string& resource, const Action& action) {
  bool found = false;
  const auto visit = [&](boost::json::object& object) {
    const auto* named = object.if_contains("object");
    if (named == nullptr || *named != resource.c_str()) return;
    action(object);
    found = true;
  };
  visit(body);
  if (auto* data = body.if_contains("data"); data != nullptr && data->is_array())
    for (boost::json::value& element : data->as_array())
      visit(element.as_object());
  return found;
}

}  // namespace

HttpResponse Traffic::send(HttpRequest request, const std::string& otherMethod) {
  Recorded one{.number = recorded.size() + 1, .start = service.clock()->now()};
  const fake::ScheduledResult result = service.exchange(request, {}, otherMethod);
  one.request = std::move(request);
  one.otherMethod = otherMethod;
  one.end = result.due;
  one.response = responseOf(result);
  (void)result.waitUntilDue();
  recorded.push_back(one);
  return one.response.value_or(HttpResponse{});
}

HttpResponse Traffic::get(const std::string& url) {
  return send(test::get(key, url));
}

HttpResponse Traffic::post(const std::string& url, const std::string& form) {
  return send(test::post(key, url, form));
}

/// Each waits for locks in steps of time, like an event loop.
void Traffic::overlap(std::vector<std::pair<std::chrono::milliseconds, HttpRequest>> requests) {
  struct Waiting {
    std::size_t index;
    fake::PendingRequest request;
  };
  const Instant base = service.clock()->now();
  std::vector<Waiting> waiting;
  Instant last = base;
  const auto end = [&](std::size_t index, const fake::ScheduledResult& result) {
    recorded[index].end = result.due;
    recorded[index].response = responseOf(result);
    last = std::max(last, result.due);
  };
  const auto proceedUntil = [&](Instant time) {
    while (!waiting.empty()) {
      const auto next =
          std::ranges::min_element(waiting, {}, [](const Waiting& one) { return one.request.lockedUntil(); });
      if (next->request.lockedUntil() > time) return;
      if (next->request.lockedUntil() > service.clock()->now())
        service.clock()->advanceTo(next->request.lockedUntil());
      if (const auto result = next->request.proceed()) {
        end(next->index, *result);
        waiting.erase(next);
      }
    }
  };
  for (auto& [offset, request] : requests) {
    proceedUntil(base + offset);
    if (base + offset > service.clock()->now()) service.clock()->advanceTo(base + offset);
    recorded.push_back({.number = recorded.size() + 1, .start = base + offset, .request = request});
    auto begun = service.begin(std::move(request));
    if (const auto* result = std::get_if<fake::ScheduledResult>(&begun)) {
      end(recorded.size() - 1, *result);
    } else {
      waiting.push_back({recorded.size() - 1, std::get<fake::PendingRequest>(std::move(begun))});
    }
  }
  proceedUntil(Instant::max());
  if (last > service.clock()->now()) service.clock()->advanceTo(last);
}

void Traffic::alter(const Change& change) {
  for (Recorded& one : recorded) {
    if (!one.response) continue;
    boost::json::object body = boost::json::parse(one.response->body).as_object();
    if (change(one, body) && one.response) one.response->body = boost::json::serialize(body);
  }
}

void Traffic::alterObjects(const std::string& resource,
                           const std::function<void(boost::json::object& object)>& change) {
  alter([&](Recorded&, boost::json::object& body) { return forEachObject(body, resource, change); });
}

fake::detail::Findings Traffic::compare(const fake::detail::ComparisonOptions& options) {
  rewind();
  fake::detail::RecordingComparison comparison{*this, options};
  comparison.run();
  return comparison.findings();
}

std::vector<std::string> Traffic::differences(const fake::detail::ComparisonOptions& options) {
  std::vector<std::string> ids;
  for (const fake::detail::Deviation& one : compare(options).differences())
    ids.push_back(one.id);
  return ids;
}

std::optional<Recorded> Traffic::next() {
  return at_ == recorded.size() ? std::nullopt : std::optional{recorded[at_++]};
}

}  // namespace tally::test
