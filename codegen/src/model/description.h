#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/problems.h"

// The API description as typed values, with every name in the generated code. Objects refer to each other by
// pointers into the deques of Description, which owns them all.

namespace tally::codegen::model {

struct Enum;
struct Struct;
struct Unit;

/// What an identifier names: a resource, or an object of which only the identifier is known.
struct Tag {
  std::string name{};  // `payment_attempt_record`
  std::string cppName{};
  std::string idPrefix{};
  std::string description{};
  std::string file{};
  bool opaque = false;
};

enum class Kind : std::uint8_t {
  string,
  id,
  openEnum,
  integer,
  boolean,
  time,
  object,
  list,
  metadata,
  metadataEdit,
  rawJson,
  query,
  constant,
};

struct Type {
  Kind kind = Kind::string;
  const Tag* tag = nullptr;        // for Kind::id, and the resource that a Kind::query searches
  const Enum* values = nullptr;    // for Kind::openEnum
  const Struct* object = nullptr;  // for Kind::object
  std::vector<Type> element{};     // one, for Kind::list

  bool operator==(const Type&) const = default;
};

struct EnumValue {
  std::string text{};
  std::string cppName{};
  std::string description{};
};

/// The section of the specification or the assumptions on which something is based.
struct Provenance {
  std::string section{};
  std::vector<std::string> assumptions{};
};

struct Enum {
  std::string cppName{};
  std::string description{};
  Provenance provenance{};
  std::vector<EnumValue> values{};
  const Unit* unit = nullptr;
  Place place{};
};

struct Field {
  std::string name{};  // on the wire
  std::string cppName{};
  std::string description{};
  Type type{};
  bool required = false;
  bool nullable = false;
  std::optional<std::int64_t> minimum{};
  std::optional<std::int64_t> maximum{};
  std::optional<std::int64_t> otherwise{};  // the default
  std::int64_t lowercaseLetters = 0;        // the length of a text of lowercase letters only; 0: any text
  std::string idPrefix{};
  std::string excludes{};
  std::string constant{};
  std::vector<std::string> choices{};  // of the elements of a list
  Provenance provenance{};
  Place place{};
};

enum class Role : std::uint8_t { part, resource, params };

struct Struct {
  std::string name{};  // `payment_record`
  std::string cppName{};
  std::string description{};
  Provenance provenance{};
  std::vector<Field> fields{};
  Role role = Role::part;
  bool borrowable = false;  // parameters and their parts: a template over who owns the values
  const Unit* unit = nullptr;
  Place place{};

  [[nodiscard]] const Field* find(std::string_view field) const;
  /// The field at a path such as `amount_failed.value`, or null.
  [[nodiscard]] const Field* at(std::string_view path) const;
};

/// The types that share one header and one source file.
struct Unit {
  std::string stem{};              // of the files' names
  std::vector<const Tag*> tags{};  // opaque ones that it declares
  std::vector<const Enum*> enums{};
  std::vector<const Struct*> structs{};  // each after its parts
  bool shared = false;                   // from root.json
  Place place{};
};

/// Which operations can respond with an error, besides those that a refusal names.
enum class AppliesTo : std::uint8_t { none, all, objects, lists, parameters, bodies, changes, reads };

struct ErrorResponse {
  std::string name{};
  std::string cppName{};
  std::int64_t status = 0;
  std::string type{};
  std::string code{};
  std::string message{};
  bool requestId = true;
  bool rateLimitedReason = false;
  AppliesTo appliesTo = AppliesTo::none;
  Provenance provenance{};
  Place place{};
};

enum class OperationKind : std::uint8_t { create, retrieve, update, report, list, search };
enum class Body : std::uint8_t { none, form, json };

struct Operation {
  std::string name{};     // `payment_records.report_failed`
  std::string cppName{};  // `paymentRecordsReportFailed`
  std::string method{};   // `reportFailed`
  std::string path{};
  std::string summary{};
  Provenance provenance{};
  OperationKind kind = OperationKind::retrieve;
  Body body = Body::none;
  bool post = false;
  const Struct* params = nullptr;
  Place place{};

  [[nodiscard]] bool pages() const { return kind == OperationKind::list || kind == OperationKind::search; }
  [[nodiscard]] bool hasId() const { return !pages() && kind != OperationKind::create; }
  /// Whether a call without parameters is pointless or invalid.
  [[nodiscard]] bool needsParams() const;
};

struct Assignment {
  std::string target{};
  std::string source{};    // a path, or empty
  std::string constant{};  // JSON

  bool operator==(const Assignment&) const = default;
};

struct State {
  std::string name{};
  std::string cppName{};
  std::vector<Assignment> shows{};  // the known field values of an object in this state
  std::string description{};
  Provenance provenance{};
};

struct Transition {
  const Operation* trigger = nullptr;
  std::vector<std::size_t> before{};
  std::size_t after = 0;
  std::vector<Assignment> effects{};
  const ErrorResponse* refusal = nullptr;
  Provenance provenance{};
};

struct StateMachine {
  std::string of{};  // the field that names the owner of the states
  std::vector<State> states{};
  std::size_t initial{};
  std::vector<Assignment> onCreate{};
  std::vector<Transition> transitions{};  // refusals last

  /// Whether an object shows its state.
  [[nodiscard]] bool showsStates() const;
};

enum class LimitMetric : std::uint8_t { requests, changes, inProgress };
enum class LimitScope : std::uint8_t { account, operation, object };

/// A rate or concurrency limit.
struct Limit {
  std::string name{};  // `global_rate`
  std::string cppName{};
  std::string description{};
  Provenance provenance{};
  std::string reason{};  // the name of the value in C++
  LimitMetric metric = LimitMetric::requests;
  LimitScope scope = LimitScope::account;
  std::vector<const Operation*> operations{};  // empty: all
  std::string onlyWithParam{};
  std::string object{};
  bool countsForConnectedAccount = false;
  bool addsToEndpointRate = false;
  std::optional<std::int64_t> live{};
  std::optional<std::int64_t> sandbox{};
  std::int64_t window = 0;  // in seconds
  Place place{};
};

struct ReadAllocation {
  std::int64_t readsPerTransaction = 0;
  std::int64_t minimum = 0;
  std::int64_t window = 0;  // in seconds
  Provenance provenance{};
};

struct Resource {
  const Tag* tag = nullptr;
  std::string plural{};    // `payment_records`
  std::string service{};   // `PaymentRecords`
  std::string accessor{};  // `paymentRecords`
  std::string cppName{};   // of the constant, `paymentRecordResource`
  std::string states{};    // the namespace of the tables of states, `paymentRecordStates`
  std::string description{};
  const Struct* model = nullptr;
  const Unit* unit = nullptr;
  std::vector<const Operation*> operations{};
  StateMachine machine{};
  std::vector<std::string> searchable{};
  std::vector<std::string> freshIds{};
  bool outsideReadAllocation = false;  // reads of it don't count
  bool isTransaction = false;          // each created object is a transaction
  bool isAccount = false;              // each created object is a connected account
  std::string example{};               // JSON, one field per line
  Place place{};

  /// The operation that reads an object, or null.
  [[nodiscard]] const Operation* retrieval() const;
  [[nodiscard]] std::vector<const Operation*> reports() const;
  /// Whether an operation returns pages.
  [[nodiscard]] bool pages() const;
  /// Whether the client can see whether a report was applied.
  [[nodiscard]] bool checksReports() const { return machine.showsStates() && !reports().empty(); }
  /// The type that holds any report on the resource.
  [[nodiscard]] std::string reportType() const { return model->cppName + "Report"; }
  /// Whether an operation searches its objects.
  [[nodiscard]] bool isSearched() const;
  /// The struct with the searchable fields.
  [[nodiscard]] std::string searchFieldsType() const { return model->cppName + "SearchFields"; }
  [[nodiscard]] std::string asyncService() const { return "Async" + service; }
};

/// A header of requests or responses.
struct Header {
  std::string cppName{};
  std::string name{};
  std::string description{};
};

/// The constants that lists and searches share.
struct Conventions {
  std::int64_t minimumLimit = 0;
  std::int64_t maximumLimit = 0;
  std::int64_t defaultLimit = 0;
  std::int64_t totalCountCap = 0;
};

struct Assumption {
  std::string key{};
  std::string point{};
  std::string choice{};
  std::string reason{};
  std::string setting{};
  std::vector<std::string> places{};  // what is based on it, as readable text
};

/// A section of the specification, and what is based on it.
struct Section {
  std::string name{};
  std::vector<std::string> places{};
};

/// The template of a type that calls take, by who owns the values: `BasicPaymentRecordListParams`.
[[nodiscard]] std::string basicName(const std::string& cppName);

/// The struct for the searchable fields in the object at a path: `ProcessorDetailsCustomFields`.
[[nodiscard]] std::string searchGroupType(const std::string& path);

struct Description {
  std::string version{};
  std::deque<Tag> tags{};
  std::deque<Enum> enums{};
  std::deque<Struct> structs{};
  std::deque<Unit> units{};
  std::deque<Operation> operations{};
  std::deque<Resource> resources{};
  std::deque<ErrorResponse> errors{};
  std::deque<Limit> limits{};
  ReadAllocation readAllocation{};
  std::vector<Header> headers{};
  Conventions conventions{};
  std::vector<Assumption> assumptions{};
  std::vector<Section> sections{};

  Description() = default;
  Description(const Description&) = delete;  // the pointers of a copy would point into the original
  Description& operator=(const Description&) = delete;
  Description(Description&&) noexcept = default;
  Description& operator=(Description&&) noexcept = default;
  ~Description() = default;
};

}  // namespace tally::codegen::model
