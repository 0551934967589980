#include "compare/comparison.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "errors.h"
#include "json/json_reader.h"
#include "objects/objects.h"
#include "tables/schema_types.h"
#include "wire.h"

namespace tally::fake::detail {

namespace {

constexpr int notFound = 404;

bool isServerError(int status) {
  return status / 100 == 5;
}

/// Whether such requests count against limits.
bool reachesLimits(int status) {
  return status != unauthorized && status != forbidden;
}

/// An object that the fake has created, with the identifiers of the recorded one.
std::string withIdsOf(const ResourceType& type, std::string_view fake, const JsonValue& recorded) {
  AnyObject object{type.model()};
  AnyObject other{type.model()};
  if (tally::detail::readJson(fake, object.ref())) return {};
  if (tally::detail::mergeJson(recorded.text(), other.ref())) return {};
  for (const auto& [name, path] : type.freshIds())
    if (const auto id = path.find(other.ref())) path.make(object.ref()).text() = id.text();
  return encode(object.ref());
}

/// Whether a response of the fake has the values of the recorded one.
bool isAsRecorded(const Observation& seen, const ResourceType& type, const HttpResponse& fake) {
  if (seen.recorded().response->body == fake.body) return true;
  const bool succeeds = fake.status / 100 == 2;
  const auto objects = seen.objects();
  if (!succeeds || objects.empty()) return !succeeds && objects.empty();
  return areAlike(type, objects.front(), fake.body);
}

std::string idIn(const HttpResponse& response) {
  const JsonDocument body{response.body};
  return body.problem() ? std::string{} : textOf(body.root(), "id");
}

/// Whether the service says that an object does not exist. The status shows this even if the service has
/// changed the code.
bool deniesObject(const Observation& seen) {
  return seen.status() == notFound || seen.error().code == errors::resourceMissing.code;
}

/// Whether the response was made with the object in the path. Parameters are checked before the object.
bool showsThatObjectExists(const Observation& seen) {
  return !seen.id().empty() && seen.status() != notFound && !seen.arrival().params.fault;
}

/// Calls `visit` with each parameter that identifies an object, and with the identifier.
template <class Visit>
void forEachReference(const Observation& seen, const Visit& visit) {
  const ConstObjectRef params = seen.arrival().params.object.ref();
  if (!params) return;
  for (const Field& field : params.type().fields)
    if (const auto value = field.idPrefix.empty() ? ConstValueRef{} : params.given(field))
      visit(field, value.text());
}

/// Whether the service says that one object of a request does not exist, and the fake says so of another one,
/// which the service may have.
bool missesAnother(const Observation& seen, const HttpResponse& fake) {
  if (seen.error().code != errors::resourceMissing.code) return false;
  const JsonDocument body{fake.body};
  const auto error = body.problem() ? std::nullopt : memberOf(body.root(), "error");
  if (!error || textOf(*error, "code") != errors::resourceMissing.code) return false;
  const std::string param = textOf(*error, "param");
  int named = 0;
  forEachReference(seen, [&](const Field& field, std::string_view) {
    if (field.name == param || field.name == seen.error().param) ++named;
  });
  return param != seen.error().param && named == 2;
}

/// The resource whose objects have such identifiers; null if the fake has none. A cursor names an object of
/// the resource that is listed, although another one may share the prefix.
const ResourceType* referredType(std::string_view idPrefix, const ResourceType& own, const Catalog& catalog) {
  if (own.resource().idPrefix == idPrefix) return &own;
  const auto hasPrefix = [&](const ResourceType& type) { return type.resource().idPrefix == idPrefix; };
  const auto found = std::ranges::find_if(catalog.types(), hasPrefix);
  return found == catalog.types().end() ? nullptr : &*found;
}

}  // namespace

RecordingComparison::RecordingComparison(Recording& recording, const ComparisonOptions& options)
    : recording_(recording),
      inventory_(inventoryOf(recording)),
      world_(inventory_, options.settings),
      timeline_(world_.engine().catalog(), recording_, inventory_.disorder(), inventory_.resolution()),
      responses_({.messages = options.messages, .skew = inventory_.skew(), .unsure = inventory_.unsure()},
                 findings_),
      pages_(world_, inventory_, responses_, findings_),
      limits_(world_.engine().catalog(), inventory_, options.margin, findings_),
      locks_(options.settings.lockWait(), options.margin, findings_) {}

Inventory RecordingComparison::inventoryOf(Recording& recording) {
  const Catalog& catalog = *catalogOfTheApi();
  Inventory inventory;
  while (auto recorded = recording.next()) {
    Observation seen{catalog, *std::move(recorded)};
    inventory.note(seen);
    recording.giveBack(seen.release());
  }
  inventory.finish();
  recording.rewind();
  return inventory;
}

void RecordingComparison::run() {
  totals_.recorded = inventory_.requests();
  while (const Observation* seen = timeline_.next())
    compare(*seen);
  limits_.settle(Instant::max());
}

bool RecordingComparison::isContested(const Observation& seen) const {
  return timeline_.overlaps([&](const Touch& touch) { return touch.id == seen.id(); });
}

void RecordingComparison::compare(const Observation& seen) {
  if (!seen.concernsService()) {
    findings_.cannotJudge("requests to anything other than the service", seen.number());
    return;
  }
  world_.proceedTo(seen);
  const auto caller = world_.callerOf(seen);
  if (seen.operation() == nullptr || !caller) {
    compareWithoutAccount(seen);
    return;
  }
  const Catalog& catalog = world_.engine().catalog();
  const ResourceType& type = catalog.types()[catalog.indexOf(*seen.operation()->resource)];
  switch (seen.outcome()) {
    case Outcome::unknown:
      passUnknown(seen, *caller, type);
      return;
    case Outcome::other:
      findings_.cannotJudge("responses with status 1xx or 3xx", seen.number());
      return;
    case Outcome::rateLimited:
    case Outcome::locked:
    case Outcome::overAllocation:
      ++totals_.compared;
      compareRefusal(seen, *caller, type);
      return;
    case Outcome::success:
    case Outcome::refused:
    case Outcome::failed:
      ++totals_.compared;
      compareProcessed(seen, *caller, type);
  }
}

/// A request without a key, or for a path that the fake does not have.
void RecordingComparison::compareWithoutAccount(const Observation& seen) {
  if (seen.outcome() == Outcome::unknown) return;
  const bool exists = seen.outcome() != Outcome::refused;
  if (seen.operation() == nullptr && exists) {
    responses_.lacksOperation(seen);
    return;
  }
  ++totals_.compared;
  (void)compareOutcome(seen, world_.send(seen, seen.recorded().request), false);
}

/// Nothing shows whether the service has processed the request. It may have.
void RecordingComparison::passUnknown(const Observation& seen, const Caller& caller,
                                      const ResourceType& type) {
  findings_.cannotJudge("requests without a response from the service", seen.number());
  limits_.admitted(seen, caller, true, false, world_.mirror().has(caller, type, seen.id()));
  if (!seen.changesItsObject()) return;
  locks_.vanished(seen);
  if (world_.mirror().has(caller, type, seen.id())) world_.mirror().doubt(type, seen.id());
}

void RecordingComparison::compareRefusal(const Observation& seen, const Caller& caller,
                                         const ResourceType& type) {
  const bool exists = world_.mirror().has(caller, type, seen.id());
  const std::string* reason = seen.recorded().response->header(tally::detail::header::rateLimitedReason);
  if (seen.outcome() == Outcome::rateLimited) {
    limits_.refused(seen, caller, reason == nullptr ? std::string_view{} : std::string_view{*reason}, exists);
    (void)responses_.compareOutcome(seen, responseWith(errors::rateLimit, "any"));
  } else if (seen.outcome() == Outcome::locked) {
    limits_.admitted(seen, caller, false, true, exists);
    locks_.timedOut(seen, timeline_);
    (void)responses_.compareOutcome(seen, responseWith(errors::lockTimeout));
  } else {
    findings_.cannotJudge(
        "the read allocation, because reads and transactions before the recording are unknown",
        seen.number());
    (void)responses_.compareOutcome(seen, responseWith(errors::readAllocationExceeded));
  }
}

/// A server or a proxy may have failed before the request reached the limits, or after it made a change.
void RecordingComparison::compareProcessed(const Observation& seen, const Caller& caller,
                                           const ResourceType& type) {
  const bool failed = seen.outcome() == Outcome::failed;
  const bool exists = seen.status() != notFound &&
                      (showsThatObjectExists(seen) || world_.mirror().has(caller, type, seen.id()));
  if (reachesLimits(seen.status()))
    limits_.admitted(seen, caller, failed || seen.outcome() == Outcome::success, !failed, exists);
  announceReferences(seen, caller, type);
  switch (seen.operation()->kind) {
    case OperationKind::create:
      return compareCreate(seen, caller, type);
    case OperationKind::retrieve:
      return compareRetrieve(seen, caller, type);
    case OperationKind::update:
    case OperationKind::report:
      return compareChange(seen, caller, type);
    case OperationKind::list:
    case OperationKind::search:
      return comparePage(seen, caller, type);
  }
}

/// Returns whether both responses are successful. Why a server fails is unknown, unless the fake also fails,
/// which it does only on request.
bool RecordingComparison::compareOutcome(const Observation& seen, const HttpResponse& fake, bool contested) {
  const bool fakeSucceeds = fake.status / 100 == 2;
  if (seen.outcome() == Outcome::failed && !isServerError(fake.status)) {
    findings_.cannotJudge("responses with status 5xx", seen.number());
    return false;
  }
  if (deniesObject(seen) && fake.status != seen.status() && namesNewcomer(seen)) {
    findings_.cannotJudge(seen.name() + " at about the time when an object that it names was created",
                          seen.number());
    return false;
  }
  if (missesAnother(seen, fake)) {
    findings_.cannotJudge(seen.name() + " with an object that no response shows", seen.number());
    return false;
  }
  if (contested && fakeSucceeds != (seen.outcome() == Outcome::success)) {
    findings_.cannotJudge(seen.name() + " while another request changed the object", seen.number());
    return false;
  }
  return responses_.compareOutcome(seen, fake);
}

/// Whether the request names an object that the service may not have had yet.
bool RecordingComparison::namesNewcomer(const Observation& seen) const {
  bool found = world_.mayLack(seen, seen.id());
  forEachReference(seen,
                   [&](const Field&, std::string_view id) { found = found || world_.mayLack(seen, id); });
  return found;
}

/// What a successful request refers to must exist, even if no response shows it.
void RecordingComparison::announceReferences(const Observation& seen, const Caller& caller,
                                             const ResourceType& own) {
  if (seen.outcome() != Outcome::success) return;
  Mirror& mirror = world_.mirror();
  forEachReference(seen, [&](const Field& field, std::string_view id) {
    const ResourceType* type = referredType(field.idPrefix, own, world_.engine().catalog());
    if (type != nullptr && !mirror.has(caller, *type, id)) mirror.announce(caller, *type, id, 0, false);
  });
}

/// The fake gives the object another identifier, so it is put in again with that of the recording.
void RecordingComparison::compareCreate(const Observation& seen, const Caller& caller,
                                        const ResourceType& type) {
  Mirror& mirror = world_.mirror();
  std::vector<Collection> before = mirror.objectsOf(caller);
  const HttpResponse fake = world_.send(seen, seen.recorded().request);
  const bool both = compareOutcome(seen, fake, false);
  const auto objects = seen.objects();
  bool same = true;
  if (both && !objects.empty())
    same = responses_.compareObject({.seen = seen, .type = type, .isNew = true}, objects.front(),
                                    JsonDocument{fake.body}.root());
  mirror.restore(caller, std::move(before));
  if (type.rules().isAccount && fake.status / 100 == 2) world_.forget(idIn(fake));
  const std::string id = objects.empty() ? std::string{} : textOf(objects.front(), "id");
  if (id.empty()) return;
  mirror.add(caller, type, id, objects.front());
  if (!same) {
    mirror.correct(caller, type, id, objects.front(), withIdsOf(type, fake.body, objects.front()));
  }
  if (type.rules().isAccount) world_.adopt(caller, type, id);
  pages_.noteCreation(seen, id);
}

void RecordingComparison::compareRetrieve(const Observation& seen, const Caller& caller,
                                          const ResourceType& type) {
  Mirror& mirror = world_.mirror();
  const bool isKnown = mirror.has(caller, type, seen.id()) && !mirror.isInDoubt(seen.id());
  for (const JsonValue& object : isKnown ? std::vector<JsonValue>{} : seen.objects()) {
    responses_.compareAdopted(seen, type, object);
    mirror.show(caller, type, seen.id(), object);
  }
  HttpResponse fake = world_.send(seen, seen.recorded().request);
  const bool isSame = seen.recorded().response->body == fake.body;
  const bool contested = !(isSame && isKnown) && isContested(seen);
  const bool both = compareOutcome(seen, fake, contested);
  const auto objects = both && !isSame ? seen.objects() : std::vector<JsonValue>{};
  if (!objects.empty()) compareShown(seen, caller, type, objects.front(), fake, contested);
  if (contested && mirror.has(caller, type, seen.id())) mirror.doubt(type, seen.id());
}

/// Compares the object of a response with that of the fake, and corrects the latter.
void RecordingComparison::compareShown(const Observation& seen, const Caller& caller,
                                       const ResourceType& type, const JsonValue& object,
                                       const HttpResponse& fake, bool contested) {
  Mirror& mirror = world_.mirror();
  if (seen.operation()->kind == OperationKind::retrieve) mirror.reconsider(caller, type, seen.id(), object);
  const auto now = mirror.stored(caller, type, seen.id());
  const std::string& own = seen.operation()->kind == OperationKind::retrieve && now ? now->json : fake.body;
  const ShownObject shown{
      .seen = seen, .type = type, .judgesValues = !contested, .unknown = mirror.unknownFields(seen.id())};
  if (!responses_.compareObject(shown, object, JsonDocument{own}.root()))
    mirror.correct(caller, type, seen.id(), object, own);
}

/// Brings an object of which the fake knows nothing certain into the state before the request, as far as the
/// response shows it.
void RecordingComparison::prepareChange(const Observation& seen, const Caller& caller,
                                        const ResourceType& type) {
  Mirror& mirror = world_.mirror();
  const bool reports = seen.operation()->kind == OperationKind::report;
  const bool isKnown = mirror.has(caller, type, seen.id());
  if (isKnown && !mirror.isInDoubt(seen.id())) return;
  if (seen.outcome() == Outcome::success) {
    for (const JsonValue& object : seen.objects())
      if (reports) {
        mirror.showBefore(caller, type, seen.id(), object, *seen.operation());
      } else {
        mirror.show(caller, type, seen.id(), object);
      }
    return;
  }
  if (!showsThatObjectExists(seen) || seen.outcome() == Outcome::failed) return;
  if (!isKnown) mirror.announce(caller, type, seen.id(), 0, false);
  if (reports) mirror.refuse(caller, type, seen.id(), *seen.operation(), seen.error().code);
}

/// After a correction, the service may turn out to have had what the fake had. Then that is no further
/// difference.
void RecordingComparison::retryUncorrected(const Observation& seen, const Caller& caller,
                                           const ResourceType& type,
                                           const std::optional<Mirror::Stored>& before, HttpResponse& fake) {
  Mirror& mirror = world_.mirror();
  if (!before || !mirror.isCorrected(seen.id())) return;
  const auto after = mirror.stored(caller, type, seen.id());
  mirror.takeBack(caller, type, seen.id());
  HttpResponse other = world_.send(seen, seen.recorded().request);
  if (isAsRecorded(seen, type, other)) {
    fake = std::move(other);
  } else if (after) {
    mirror.restore(caller, type, seen.id(), *after);
  }
}

void RecordingComparison::compareChange(const Observation& seen, const Caller& caller,
                                        const ResourceType& type) {
  Mirror& mirror = world_.mirror();
  prepareChange(seen, caller, type);
  const auto before = mirror.stored(caller, type, seen.id());
  HttpResponse fake = world_.send(seen, seen.recorded().request);
  const bool failed = seen.outcome() == Outcome::failed;
  if (!failed && !isAsRecorded(seen, type, fake)) retryUncorrected(seen, caller, type, before, fake);
  const bool contested = isContested(seen);
  if (failed) {
    locks_.vanished(seen);
  } else if (before && !seen.arrival().params.fault) {
    locks_.passed(seen, timeline_);
  }
  const bool both = compareOutcome(seen, fake, contested);
  const bool isSame = both && fake.body == seen.recorded().response->body;  // spares reading it
  const auto objects = isSame ? std::vector<JsonValue>{} : seen.objects();
  const bool fakeSucceeds = fake.status / 100 == 2;
  if (both && !objects.empty()) {
    compareShown(seen, caller, type, objects.front(), fake, contested);
  } else if (!both && !objects.empty()) {
    mirror.show(caller, type, seen.id(), objects.front());
  } else if (!both && fakeSucceeds && before) {
    mirror.restore(caller, type, seen.id(), *before);
  }
  if ((contested || failed) && mirror.has(caller, type, seen.id())) mirror.doubt(type, seen.id());
}

/// What the page shows of objects in doubt is not known to be the present state if they change meanwhile. The
/// oldest object comes first, so that new ones are added in their order. One whose recorded creation begins
/// later, while the page is read, is added then: other requests before that lack it.
void RecordingComparison::comparePage(const Observation& seen, const Caller& caller,
                                      const ResourceType& type) {
  Mirror& mirror = world_.mirror();
  const HttpRequest request = pages_.translate(seen);
  HttpResponse fake = world_.send(seen, request);
  if (seen.recorded().response->body == fake.body) {  // spares reading it
    (void)compareOutcome(seen, fake, false);
    return;
  }
  std::vector<std::string> doubted;
  std::vector<JsonValue> oldestFirst = seen.objects();
  std::ranges::reverse(oldestFirst);
  for (const JsonValue& object : oldestFirst) {
    std::string id = textOf(object, "id");
    if (id.empty()) continue;
    const bool isNew = !mirror.has(caller, type, id);
    mirror.reconsider(caller, type, id, object);
    if (!isNew && !mirror.isInDoubt(id)) continue;
    responses_.compareAdopted(seen, type, object);
    if (pages_.isEarly(caller, type, id)) continue;
    mirror.show(caller, type, id, object);
    if (isNew && type.rules().isAccount) world_.adopt(caller, type, id);
    doubted.push_back(std::move(id));
  }
  if (!oldestFirst.empty()) fake = world_.send(seen, request);
  if (!pages_.passUnplaced(seen) && compareOutcome(seen, fake, false))
    pages_.compare(seen, caller, timeline_, request, std::move(fake));
  for (const std::string& id : doubted)
    if (timeline_.overlaps([&](const Touch& touch) { return touch.id == id; })) mirror.doubt(type, id);
}

}  // namespace tally::fake::detail
