#include "record/fault_operations.h"

#include <stdexcept>
#include <string>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "errors.h"
#include "format/control_json.h"
#include "format/members.h"
#include "record/forwarded_request.h"
#include "request/request_head.h"
#include "tables/parsed_number.h"

namespace tally::fake::detail {

namespace json = boost::json;

namespace {

constexpr std::string_view jsonMedia = "application/json";
constexpr std::string_view faultsPath = "/_fake/faults";

Reply refusedBecause(const Refusal& refusal) {
  return responseWith(jsonMedia, errorBody(refusal), refusal.response->status);
}

Reply answered(const json::value& value) {
  return responseWith(jsonMedia, json::serialize(value));
}

Reply inject(InjectedFaults& faults, const HttpRequest& request, Instant now) {
  try {
    const JsonDocument body = parseInput(request.body.empty() ? "{}" : std::string_view{request.body});
    JsonInput input{body};
    return answered({{"id", faults.add(readMembers<FaultRule>(input), now)}});
  } catch (const std::invalid_argument& problem) {
    return refusedBecause(unreadable(problem.what()));
  }
}

Reply removeOne(InjectedFaults& faults, std::string_view id) {
  const auto number = parsedNumber<std::uint64_t>(id);
  if (number && faults.remove(*number)) return answered(json::object{});
  return refusedBecause(
      unreadable("unknown fault '" + std::string{id} +
                 "'; it may have been removed, or may have happened as often as its rule allows"));
}

}  // namespace

Reply faultOperation(InjectedFaults& faults, const Incoming& incoming, const HostNames& hosts, Instant now) {
  if (const auto refusal = hosts.refusal(incoming.request)) return refusedBecause(*refusal);
  const std::string_view path = targetOf(incoming.request.url).path;
  const std::string_view method = methodOf(incoming);
  if (path == faultsPath && method == "POST") return inject(faults, incoming.request, now);
  if (path == faultsPath && (method == "GET" || method == "HEAD"))
    return answered({{"faults", allToJson(faults.list())}});
  if (path == faultsPath && method == "DELETE") return faults.clear(), answered(json::object{});
  if (path.starts_with(faultsPath) && path.substr(faultsPath.size()).starts_with('/') && method == "DELETE")
    return removeOne(faults, path.substr(faultsPath.size() + 1));
  return refusedBecause({.response = &errors::pathUnknown,
                         .value = std::string{method} + ' ' + std::string{path} +
                                  "; a recorder has only GET, POST and DELETE /_fake/faults"});
}

}  // namespace tally::fake::detail
