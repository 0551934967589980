#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/service.h>

#include <boost/json/object.hpp>

#include "compare/comparison.h"
#include "observed/recorded.h"

namespace tally::test {

/// Requests to a fake in this process, recorded as a proxy would, for tests that then change what was
/// recorded.
class Traffic final : public fake::detail::Recording {
 public:
  explicit Traffic(const fake::ServiceOptions& options = {.seed = 7}) : service{options} {}

  /// Sends a request now, and waits until its response is due.
  HttpResponse send(HttpRequest request, const std::string& otherMethod = {});
  HttpResponse get(const std::string& url);
  HttpResponse post(const std::string& url, const std::string& form = {});

  /// Sends requests that start at these times after now, without waiting for the responses in between.
  void overlap(std::vector<std::pair<std::chrono::milliseconds, HttpRequest>> requests);

  /// A moment without requests, so that limits have room.
  void pause(std::chrono::milliseconds time = std::chrono::seconds{2}) { service.clock()->advance(time); }

  /// Changes the recorded responses for which `change` returns true. It gets the parsed body.
  using Change = std::function<bool(fake::detail::Recorded& recorded, boost::json::object& body)>;
  void alter(const Change& change);

  /// Changes each object of a resource in the recorded responses.
  void alterObjects(const std::string& resource,
                    const std::function<void(boost::json::object& object)>& change);

  /// The identifiers of the differences that a comparison finds.
  [[nodiscard]] std::vector<std::string> differences(const fake::detail::ComparisonOptions& options = {});
  /// The same with all that it finds.
  [[nodiscard]] fake::detail::Findings compare(const fake::detail::ComparisonOptions& options = {});

  [[nodiscard]] std::optional<fake::detail::Recorded> next() override;
  void rewind() override { at_ = 0; }

  fake::Service service;
  fake::Account account = service.addAccount();
  std::string key = account.sandboxKey;
  std::vector<fake::detail::Recorded> recorded{};

 private:
  std::size_t at_ = 0;
};

}  // namespace tally::test
