// A query that is read and printed is read as the same query, and the client's conditions print it in the
// same way. Its negation by the client matches exactly the other objects, and a search of the service, which
// uses indexes, finds those that match.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <tally/fake/service.h>
#include <tally/payment_records.h>
#include <tally/search_query.h>

#include "fake/support/query_text.h"
#include "fuzz.h"
#include "search/query_parser.h"
#include "store/query_binder.h"
#include "tables/catalog.h"
#include "tables/description.h"
#include "text/url.h"
#include "text/utf8_sequence.h"

namespace tally::detail {

// Defined in generated code.
template <>
const Struct Schema<PaymentRecord>::value;

}  // namespace tally::detail

namespace tally::fuzz {

namespace {

using fake::detail::BoundQuery;
using fake::detail::Query;
using fake::detail::QueryFault;

/// A service with different objects, and what is known about them.
struct Store {
  fake::Service service{{.duration = std::chrono::nanoseconds{0}, .limits = false, .requestLog = 0}};
  std::string key = service.addAccount().sandboxKey;
  std::vector<PaymentRecord> records{};

  Store() {
    constexpr const char* texts[] = {"", "tea", "Tea pot", "\"quoted\" \\ ", "\xC3\xA9t\xC3\xA9"};
    for (int i = 0; i < 12; ++i) {
      const auto edit = [&](PaymentRecord& record) {
        record.amountRequested = {i % 3 == 0 ? "eur" : "usd", i % 4 * 500};
        record.description = texts[i % 5];
        if (i % 2 == 0) record.metadata["order"] = texts[i % 5];
        if (i % 3 == 0) record.metadata["a"] = "b";
        if (i % 4 == 0) record.customerPresence = OpenEnum<PaymentRecordCustomerPresence>{"off_session"};
      };
      records.push_back(service.insert<PaymentRecord>(key, edit, i % 5 == 0 ? "failed" : ""));
      service.clock()->advance(std::chrono::seconds{i % 2});
    }
    for (PaymentRecord& record : records)  // with what the service derives
      record = fromJson<PaymentRecord>(get("/v1/payment_records/" + record.id.str()).body).value();
  }

  [[nodiscard]] HttpResponse get(const std::string& url) {
    return service.handle({.url = url, .headers = {{"Authorization", "Bearer " + key}}});
  }

  [[nodiscard]] std::set<std::string> matches(const BoundQuery& query) const {
    std::set<std::string> found;
    for (const PaymentRecord& record : records)
      if (query.matches(detail::refTo(record))) found.insert(record.id.str());
    return found;
  }
};

Store& store() {
  static Store one;
  return one;
}

const fake::detail::ResourceType& type() {
  static const fake::detail::Catalog catalog{fake::detail::Description{}};
  return *catalog.findType("payment_record");
}

/// The query, put together from the conditions in the client's headers.
std::string typed(const Query& query) {
  std::string text;
  for (const fake::detail::Clause& clause : query.clauses) {
    const std::string field = clause.key ? detail::metadataPath(clause.field, *clause.key) : clause.field;
    const auto* quoted = std::get_if<std::string>(&clause.operand);
    const auto* number = std::get_if<std::int64_t>(&clause.operand);
    const std::string operand = quoted != nullptr   ? detail::quotedInQuery(*quoted)
                                : number != nullptr ? std::to_string(*number)
                                                    : "null";
    detail::QueryText one = detail::clause(field, toString(clause.comparison), operand);
    if (clause.negated) one = detail::negated(one.characters);
    const auto shape =
        query.join == fake::detail::Join::all ? detail::QueryShape::allOf : detail::QueryShape::anyOf;
    text = text.empty() ? one.characters : detail::joined(text, shape, one.characters).characters;
  }
  return text;
}

Query parsed(std::string_view text) {
  const auto read = fake::detail::parseQuery(text);
  require(std::holds_alternative<Query>(read), "a printed query is a query");
  return std::get<Query>(read);
}

void checkFault(std::string_view text, const QueryFault& fault) {
  require(fault.position >= 1 && fault.position <= text.size() + 1, "a fault has a place");
  require(!fault.what.empty(), "a fault has a description");
}

std::set<std::string> search(std::string_view text, int status) {
  std::string url = "/v1/payment_records/search?limit=100&query=";
  detail::percentEncode(url, text);
  const HttpResponse response = store().get(url);
  require(response.status == status, "the service accepts what can be bound");
  std::set<std::string> found;
  if (status != 200) return found;
  const auto body = parsedJson(response.body);
  for (const auto& object : body->at("data").as_array())
    found.emplace(object.at("id").as_string());
  return found;
}

void checkMatches(const Query& query, const BoundQuery& bound, std::string_view text) {
  const std::set<std::string> found = store().matches(bound);
  const auto negated = fake::detail::bindQuery(parsed(detail::negated(print(query)).characters), type());
  require(std::holds_alternative<BoundQuery>(negated), "what is negated can be bound");
  const std::set<std::string> others = store().matches(std::get<BoundQuery>(negated));
  require(found.size() + others.size() == store().records.size(), "a negation matches the others");
  require(std::ranges::none_of(found, [&](const auto& id) { return others.contains(id); }),
          "a negation matches only the others");
  require(search(text, 200) == found, "a search finds what matches");
}

}  // namespace

void test(std::string_view input) {
  const auto read = fake::detail::parseQuery(input);
  if (const auto* fault = std::get_if<QueryFault>(&read)) return checkFault(input, *fault);
  const auto& query = std::get<Query>(read);
  const std::string text = print(query);
  require(parsed(text) == query, "a printed query is the same");
  require(typed(query) == text, "the client prints the same");
  const auto bound = fake::detail::bindQuery(query, type());
  if (const auto* fault = std::get_if<QueryFault>(&bound)) return checkFault(input, *fault);
  if (detail::isUtf8(input)) checkMatches(query, std::get<BoundQuery>(bound), input);
}

}  // namespace tally::fuzz
