#include "server.h"

#include <utility>

#include "errors.h"
#include "objects.h"
#include "search_page.h"
#include "url.h"
#include "wire.h"

namespace tally::fake::detail {

using tally::detail::OperationKind;

namespace {

constexpr std::uint64_t objectIdStream = 2;
constexpr std::uint64_t requestIdStream = 3;
constexpr std::uint64_t jitterStream = 4;
constexpr std::uint64_t searchStream = 5;

std::deque<ResourceType> typesOf(const Description& description) {
  std::deque<ResourceType> types;
  for (const ResourceRules* rules : description.resources)
    types.emplace_back(*rules);
  return types;
}

Refusal noOperation(const HttpRequest& request, std::string_view path, bool pathKnown) {
  return {.answer = pathKnown ? &errors::methodNotAllowed : &errors::pathUnknown,
          .value = std::string{toString(request.method)} + ' ' + std::string{path}};
}

bool bearsRequestId(const Answer& answer) {
  const auto* refusal = std::get_if<Refusal>(&answer);
  return refusal == nullptr || refusal->answer->requestId;
}

HttpResponse respond(Answer&& answer, std::string&& requestId) {
  HttpResponse response;
  response.headers.reserve(3);
  response.headers.push_back({"Content-Type", "application/json"});
  if (!requestId.empty())
    response.headers.push_back({std::string{tally::detail::header::requestId}, std::move(requestId)});
  if (auto* body = std::get_if<std::string>(&answer)) {
    response.status = 200;
    response.body = std::move(*body);
    return response;
  }
  const auto& refusal = std::get<Refusal>(answer);
  response.status = refusal.answer->status;
  response.body = errorBody(refusal);
  if (!refusal.rateLimitedReason.empty())
    response.headers.push_back(
        {std::string{tally::detail::header::rateLimitedReason}, refusal.rateLimitedReason});
  return response;
}

}  // namespace

Server::Server(const ServiceOptions& given, const Description& description)
    : options(given),
      clock(std::make_shared<VirtualClock>(given.start)),
      router(description.operations),
      types(typesOf(description)),
      accounts(given.seed, description.resources.size()),
      scripts(description.operations, description.errors),
      log(given.requestLog),
      objectIds(given.seed, objectIdStream),
      requestIds(given.seed, requestIdStream),
      jitterSeeds(given.seed, jitterStream),
      searchSecret_(Ids{given.seed, searchStream}.nextNumber()) {}

std::size_t Server::indexOf(const Resource& resource) const {
  std::size_t index = 0;
  while (&types[index].resource() != &resource)
    ++index;
  return index;
}

Server::Arrival Server::arrive(const HttpRequest& request) const {
  const Target target = targetOf(request.url);
  Arrival arrival{.head = headOf(request), .route = router.find(request.method, target.path)};
  const Operation* operation = arrival.route.operation;
  if (operation == nullptr) {
    arrival.fault = noOperation(request, target.path, arrival.route.pathKnown);
    return arrival;
  }
  if (auto id = tally::detail::percentDecode(arrival.route.id)) {
    arrival.id = *std::move(id);
  } else {
    arrival.fault = unreadable("its path has a '%' that is not followed by two hexadecimal digits");
  }
  arrival.params = readParams(*operation, target.query, arrival.head.contentType, request.body);
  return arrival;
}

HttpResponse Server::handle(const HttpRequest& request) {
  const Arrival arrival = arrive(request);
  Answer answer;
  std::string requestId;
  {
    const std::lock_guard lock{mutex};
    Caller caller;
    answer = answerTo(arrival, caller);
    if (bearsRequestId(answer)) requestId = requestIds.next("req_");
    note(request, arrival, caller, answer, requestId);
  }
  return respond(std::move(answer), std::move(requestId));
}

Answer Server::answerTo(const Arrival& arrival, Caller& caller) {
  auto admitted = accounts.admit(arrival.head);
  if (auto* refusal = std::get_if<Refusal>(&admitted)) return std::move(*refusal);
  caller = std::get<Caller>(admitted);
  if (arrival.fault) return *arrival.fault;
  if (Fault fault = scripts.take(arrival.route.operation->name, arrival.id)) return *std::move(fault);
  if (arrival.params.fault) return *arrival.params.fault;
  return carryOut(arrival, caller);
}

Answer Server::carryOut(const Arrival& arrival, const Caller& caller) {
  const Operation& operation = *arrival.route.operation;
  const std::size_t resource = indexOf(*operation.resource);
  const Task task{.operation = operation,
                  .type = types[resource],
                  .collection = caller.collection(resource),
                  .visible = {types, caller.account->collections[caller.livemode ? 1 : 0]},
                  .id = arrival.id,
                  .params = arrival.params.object.data(),
                  .livemode = caller.livemode,
                  .now = clock->now()};
  switch (operation.kind) {
    case OperationKind::create:
      return createObject(task, objectIds);
    case OperationKind::retrieve:
      return retrieveObject(task);
    case OperationKind::update:
    case OperationKind::report:
      return changeObject(task);
    case OperationKind::list:
      return listPage(operation, task.type, task.collection, task.params);
    case OperationKind::search:
      break;
  }
  return searchPage(operation, task.type, task.collection, task.params,
                    {.secret = searchSecret_,
                     .account = caller.account->account.id,
                     .livemode = caller.livemode,
                     .indexed = task.now - options.searchLag});
}

/// Everything is assigned rather than made anew, so that a full log allocates nothing.
void Server::note(const HttpRequest& request, const Arrival& arrival, const Caller& caller,
                  const Answer& answer, const std::string& requestId) {
  LoggedRequest* entry = log.next();
  if (entry == nullptr) return;
  const auto* refusal = std::get_if<Refusal>(&answer);
  entry->time = clock->now();
  entry->account = caller.account == nullptr ? std::string_view{} : caller.account->account.id;
  entry->livemode = caller.livemode;
  entry->operation = arrival.route.operation == nullptr ? "" : arrival.route.operation->name;
  entry->object = arrival.id;
  entry->request = request;
  entry->status = refusal == nullptr ? 200 : refusal->answer->status;
  entry->requestId = requestId;
  entry->errorCode = refusal == nullptr ? "" : refusal->answer->code;
}

}  // namespace tally::fake::detail
