#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <tally/transport.h>

#include "compare/json_differ.h"
#include "compare/mirror.h"
#include "findings/findings.h"
#include "observed/observation.h"
#include "tables/resource_type.h"

namespace tally::fake::detail {

/// What a comparison of responses depends on.
struct DifferOptions {
  bool messages = false;           // whether texts for people are compared
  std::chrono::seconds skew{0};    // by which the clock of the service is ahead
  std::chrono::seconds unsure{0};  // how far the clocks may differ from `skew`
};

/// An object in both responses.
struct ShownObject {
  const Observation& seen;
  const ResourceType& type;
  bool isNew = false;        // created by this request, so that its identifiers and its time are its own
  bool judgesValues = true;  // false if the order of changes is unknown
  const FieldNames* unknown = nullptr;  // top-level fields of which the fake has no value of the service
};

/// Compares recorded responses with those of the fake, except for the order and the ends of pages.
/// Identifiers of new objects and of requests are never compared by value.
class ResponseDiffer {
 public:
  ResponseDiffer(const DifferOptions& options, Findings& findings) : options_(options), findings_(findings) {}

  /// Notes a request for an operation that only the service has.
  void lacksOperation(const Observation& seen);

  /// Compares status, headers and errors. Returns whether both responses are successful.
  bool compareOutcome(const Observation& seen, const HttpResponse& fake);

  /// Returns whether all values are the same that both have.
  bool compareObject(const ShownObject& shown, const JsonValue& recorded, const JsonValue& fake);

  /// Checks what the fake adopts of an object of which it knows nothing certain: the prefixes of
  /// its identifiers, and that it was not created far in the future, as a time in milliseconds says.
  void compareAdopted(const Observation& seen, const ResourceType& type, const JsonValue& object);

  /// The members of a page, except for its data and whether more follows.
  void compareEnvelope(const Observation& seen, const JsonValue& recorded, const JsonValue& fake);

 private:
  void compareHeaders(const Observation& seen, const HttpResponse& fake, std::string_view subject);
  void compareHeader(const Observation& seen, const HttpResponse& fake, std::string_view subject,
                     std::string_view name);
  void compareErrors(const Observation& seen, const HttpResponse& fake, const ErrorResponse* error);
  void shape(const Observation& seen, const ValueDifference& found, const Struct& model);
  void value(const ShownObject& shown, const ValueDifference& found);
  [[nodiscard]] bool compareStates(const ShownObject& shown, const JsonValue& recorded,
                                   const JsonValue& fake);
  void comparePrefix(const Observation& seen, const ResourceType& type, const FreshId& id,
                     std::string_view recorded);
  [[nodiscard]] bool isDueToCreation(const ShownObject& shown, const ValueDifference& found);

  const DifferOptions options_;
  Findings& findings_;
};

/// The response of the fake that is this error, with that rate-limited reason.
[[nodiscard]] HttpResponse responseWith(const ErrorResponse& error, std::string_view reason = {});

}  // namespace tally::fake::detail
