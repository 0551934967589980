#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include <tally/fake/service.h>

#include "accounts.h"
#include "description.h"
#include "ids.h"
#include "list_page.h"
#include "request_log.h"
#include "request_params.h"
#include "resource_type.h"
#include "router.h"
#include "scripts.h"

namespace tally::fake::detail {

/// Everything that a service is made of, and how it answers a request. Whoever touches a part other than
/// through handle() holds `mutex`.
class Server {
 public:
  explicit Server(const ServiceOptions& options, const Description& description = {});

  [[nodiscard]] HttpResponse handle(const HttpRequest& request);

  /// Where a resource stands in `types`, and in the collections of every account.
  [[nodiscard]] std::size_t indexOf(const Resource& resource) const;

  mutable std::mutex mutex{};
  const ServiceOptions options;
  const std::shared_ptr<VirtualClock> clock;
  const Router router;
  const std::deque<ResourceType> types;
  Accounts accounts;
  Scripts scripts;
  RequestLog log;
  Ids objectIds;
  Ids requestIds;
  Ids jitterSeeds;

 private:
  /// A request, read as far as that goes without looking at the service's state.
  struct Arrival {
    RequestHead head{};
    Route route{};
    std::string id{};
    RequestParams params{};
    Fault fault{};  // there is no such operation
  };

  [[nodiscard]] Arrival arrive(const HttpRequest& request) const;
  [[nodiscard]] Answer answerTo(const Arrival& arrival, Caller& caller);
  [[nodiscard]] Answer carryOut(const Arrival& arrival, const Caller& caller);
  void note(const HttpRequest& request, const Arrival& arrival, const Caller& caller, const Answer& answer,
            const std::string& requestId);

  const std::uint64_t searchSecret_;
};

}  // namespace tally::fake::detail
