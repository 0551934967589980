// Searches by random conditions find what the same conditions in C++ find.

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tally/client.h>
#include <tally/fake/service.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/random_runs.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using q = PaymentRecordSearchFields;
using std::chrono::sys_seconds;
using std::chrono::sys_time;
using Holds = std::function<bool(const PaymentRecord&)>;

constexpr sys_seconds firstCreated{1'750'000'000s};

template <class T>
T anyOf(const std::vector<T>& values) {
  return *rc::gen::elementOf(values);
}

int below(int most) {
  return *rc::gen::inRange(0, most);
}

// Few values, so that searches often match. All that a query could misread is in one of them.
const std::vector<std::string> texts{"", "a", "A b", "\" OR \"", "-\\", "a\\\"] AND created:\"\n\x01", "ä]"};
const std::vector<std::string> metadataKeys{"k", "A b", "\" OR \"", "\\"};
const std::vector<std::string> references{"ref_1", "REF", "\\"};

PaymentRecord anyRecord() {
  PaymentRecord record;
  record.amountRequested = {anyOf<std::string>({"eur", "usd"}), below(5) - 2};
  record.created = firstCreated + std::chrono::seconds{below(4)};
  record.customerPresence =
      OpenEnum<PaymentRecordCustomerPresence>{anyOf<std::string>({"on_session", "by_post"})};
  record.description = anyOf(texts);
  for (const std::string& key : metadataKeys)
    if (below(2) == 0) record.metadata[key] = anyOf(texts);
  record.processorDetails.custom.paymentReference = anyOf(references);
  return record;
}

/// A condition and what it means.
template <class Condition>
struct Meant {
  Condition condition;
  Holds holds;
};
using MeantClause = Meant<query::Clause<PaymentRecord>>;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

bool contains(const std::string& text, const std::string& part) {
  return lower(text).find(lower(part)) != std::string::npos;
}

/// By the operators in `order`: the same in C++ and in a query.
template <class Field, class Get, class Value>
MeantClause ordered(const Field& field, Get get, const Value& value) {
  switch (below(4)) {
    case 0:
      return {field < value, [=](const PaymentRecord& record) { return get(record) < value; }};
    case 1:
      return {field <= value, [=](const PaymentRecord& record) { return get(record) <= value; }};
    case 2:
      return {field > value, [=](const PaymentRecord& record) { return get(record) > value; }};
    default:
      return {field >= value, [=](const PaymentRecord& record) { return get(record) >= value; }};
  }
}

template <class Field, class Get, class Value>
MeantClause equal(const Field& field, Get get, const Value& value) {
  if (below(2) == 0) return {field == value, [=](const PaymentRecord& r) { return get(r) == value; }};
  return {field != value, [=](const PaymentRecord& r) { return get(r) != value; }};
}

MeantClause anyKeyClause() {
  const auto key = anyOf(metadataKeys);
  const std::string value = anyOf(texts);
  const auto get = [key](const PaymentRecord& record) {
    const auto found = record.metadata.find(key);
    return found == record.metadata.end() ? std::nullopt : std::optional{found->second};
  };
  const auto field = q::metadata(key);
  if (below(3) == 0)
    return {field == std::nullopt, [=](const PaymentRecord& record) { return get(record) == std::nullopt; }};
  if (value.empty() || below(2) == 0) return equal(field, get, value);
  return {field.contains(value),
          [=](const PaymentRecord& record) { return contains(get(record).value_or(""), value); }};
}

MeantClause anyTextClause() {
  const std::string value = anyOf(texts);
  const auto get = [](const PaymentRecord& record) { return record.description; };
  if (value.empty() || below(2) == 0) return equal(q::description, get, value);
  return {q::description.contains(value),
          [=](const PaymentRecord& record) { return contains(record.description, value); }};
}

MeantClause anyTimeClause() {
  const auto get = [](const PaymentRecord& record) { return record.created; };
  const sys_seconds second = firstCreated + std::chrono::seconds{below(5) - 1};
  if (below(3) == 0) return equal(q::created, get, second);
  return ordered(q::created, get, sys_time<std::chrono::milliseconds>{second} + 500ms * below(2));
}

MeantClause anyClause() {
  switch (below(6)) {
    case 0:
      return anyKeyClause();
    case 1:
      return anyTextClause();
    case 2:
      return anyTimeClause();
    case 3:
      return ordered(
          q::amountRequested.value, [](const PaymentRecord& record) { return record.amountRequested.value; },
          below(5) - 2);
    case 4:
      return equal(
          q::customerPresence, [](const PaymentRecord& record) { return record.customerPresence; },
          PaymentRecordCustomerPresence::onSession);
    default:
      return equal(
          q::processorDetails.custom.paymentReference,
          [](const PaymentRecord& record) { return record.processorDetails.custom.paymentReference; },
          anyOf(references));
  }
}

MeantClause anySignedClause() {
  MeantClause clause = anyClause();
  if (below(4) != 0) return clause;
  return {!clause.condition, [holds = clause.holds](const PaymentRecord& record) { return !holds(record); }};
}

Meant<query::AllOf<PaymentRecord>> anyConjunction() {
  MeantClause first = anySignedClause();
  Meant<query::AllOf<PaymentRecord>> all{first.condition, first.holds};
  for (int left = below(3); left > 0; --left) {
    const MeantClause next = anySignedClause();
    all = {all.condition && next.condition,
           [a = all.holds, b = next.holds](const PaymentRecord& record) { return a(record) && b(record); }};
  }
  return all;
}

Meant<query::AnyOf<PaymentRecord>> anyDisjunction() {
  MeantClause first = anySignedClause();
  Meant<query::AnyOf<PaymentRecord>> any{first.condition, first.holds};
  for (int left = below(3); left > 0; --left) {
    const MeantClause next = anySignedClause();
    any = {any.condition || next.condition,
           [a = any.holds, b = next.holds](const PaymentRecord& record) { return a(record) || b(record); }};
  }
  return any;
}

Meant<SearchQuery<PaymentRecord>> anyQuery() {
  const auto negated = [](const Holds& holds) {
    return [holds](const PaymentRecord& record) { return !holds(record); };
  };
  const auto all = anyConjunction();
  const auto any = anyDisjunction();
  switch (below(4)) {
    case 0:
      return {all.condition, all.holds};
    case 1:
      return {any.condition, any.holds};
    case 2:
      return {!all.condition, negated(all.holds)};
    default:
      return {!any.condition, negated(any.holds)};
  }
}

class TypedSearch : public testing::Test {
 protected:
  fake::Service service{{.limits = false}};
  std::string key = service.addAccount().sandboxKey;
  Client client{service.clientOptions(key)};
};

TEST_F(TypedSearch, FindsTheObjectsThatMatchTheConditions) {
  std::vector<PaymentRecord> records;
  constexpr int many = 60;
  holdsInRuns(1, [&] {
    for (int i = 0; i < many; ++i)
      records.push_back(service.insert<PaymentRecord>(key, [](PaymentRecord& record) {
        const Id<PaymentRecord> id = record.id;
        const auto attempt = record.latestPaymentAttemptRecord;
        record = anyRecord();
        record.id = id;
        record.latestPaymentAttemptRecord = attempt;
      }));
  });
  ASSERT_EQ(records.size(), std::size_t{many});

  holdsInRuns(600, [&] {
    const auto meant = anyQuery();
    std::set<std::string> expected;
    for (const PaymentRecord& record : records)
      if (meant.holds(record)) expected.insert(record.id.str());
    std::set<std::string> found;
    for (const auto& record : client.paymentRecords().search({.query = meant.condition, .limit = 100})) {
      RC_ASSERT(record.has_value());
      found.insert(record.value().id.str());
    }
    RC_ASSERT(found == expected);
  });
}

TEST_F(TypedSearch, FindsAnObjectByAnyAsciiDescription) {
  holdsInRuns(200, [&] {
    const auto text = *rc::gen::string<std::string>();
    std::string ascii;
    for (const char c : text)
      ascii += static_cast<char>(static_cast<unsigned char>(c) & 0x7FU);
    const auto wanted =
        service.insert<PaymentRecord>(key, [&](PaymentRecord& record) { record.description = ascii; });
    auto found = client.paymentRecords().search(q::description == ascii);
    const auto first = found.begin();
    RC_ASSERT(first != found.end());
    RC_ASSERT(first->value().id == wanted.id);
  });
}

TEST_F(TypedSearch, FindsAnObjectByTheIdentifierOfItsLatestAttempt) {
  (void)service.insert<PaymentRecord>(key);
  const auto wanted = service.insert<PaymentRecord>(key);
  auto found =
      client.paymentRecords().search(q::latestPaymentAttemptRecord == wanted.latestPaymentAttemptRecord);
  ASSERT_NE(found.begin(), found.end());
  EXPECT_EQ(found.begin()->value().id, wanted.id);
}

TEST_F(TypedSearch, IsRefusedIfItsTextIsNotUtf8) {
  auto found = client.paymentRecords().search(q::description == "\xff");
  ASSERT_NE(found.begin(), found.end());
  EXPECT_EQ(found.begin()->error().kind(), ErrorKind::invalidRequest);
}

}  // namespace
}  // namespace tally::test
