#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/algorithm/string/case_conv.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/described_control.h"

namespace tally::fake::detail {

namespace {

namespace json = boost::json;

using testing::HasSubstr;

struct Malformed {
  std::string method;
  std::string path;
  std::string body;
  std::string problem;  // what the message has to name
};

/// The schema itself, or its alternatives.
std::vector<const json::value*> alternatives(const json::value& schema) {
  const auto* oneOf = schema.as_object().if_contains("oneOf");
  if (oneOf == nullptr) return {&schema};
  std::vector<const json::value*> all;
  for (const json::value& each : oneOf->as_array())
    all.push_back(&each);
  return all;
}

bool allows(const json::value& schema, std::string_view type) {
  return std::ranges::any_of(alternatives(schema),
                             [&](const json::value* each) { return test::allows(*each, type); });
}

/// Values of types that the schema doesn't allow.
std::vector<json::value> wrongTypes(const json::value& schema) {
  std::vector<json::value> wrong;
  if (!allows(schema, "array")) wrong.assign({json::array{}, json::array{1}});
  if (!allows(schema, "object")) wrong.emplace_back(json::object{{"a", "b"}});
  if (!allows(schema, "boolean")) wrong.emplace_back(true);
  if (!allows(schema, "number")) wrong.emplace_back(1.5);
  if (!allows(schema, "number") && !allows(schema, "integer")) wrong.emplace_back(7);
  if (!allows(schema, "string")) wrong.emplace_back("no such text");
  return wrong;
}

/// Values just outside the range of the schema.
std::vector<json::value> outOfRange(const json::value& schema) {
  std::vector<json::value> wrong;
  for (const json::value* each : alternatives(schema)) {
    const json::object& rules = each->as_object();
    if (const auto* least = rules.if_contains("minimum")) wrong.emplace_back(least->as_int64() - 1);
    if (const auto* bound = rules.if_contains("exclusiveMinimum")) wrong.push_back(*bound);
    if (const auto* most = rules.if_contains("maximum")) wrong.emplace_back(most->as_int64() + 1);
    if (rules.contains("enum") || rules.contains("const")) wrong.emplace_back("no such value");
    if (allows(schema, "integer")) wrong.emplace_back(1e300);
  }
  return wrong;
}

/// What a message about the range calls the member `latency_ms`: the latency.
std::string wordOf(const std::string& name) {
  constexpr std::string_view unit = "_ms";
  const std::string word = name.ends_with(unit) ? name.substr(0, name.size() - unit.size()) : name;
  return word.substr(word.rfind('_') + 1);
}

/// Derives requests from the description that break it in one place each.
class MalformedControlRequests : public DescribedControlTest {
 protected:
  template <class Action>
  void forEachOperation(const Action& action) const {
    for (const auto& [path, methods] : description.at("paths").as_object())
      for (const auto& [method, operation] : methods.as_object())
        action(boost::algorithm::to_upper_copy(std::string{method}), std::string{path},
               operation.as_object());
  }

  [[nodiscard]] const json::value* bodyOf(const json::object& operation) const {
    const auto* body = operation.if_contains("requestBody");
    return body == nullptr ? nullptr : &resolved(body->at("content").at("application/json").at("schema"));
  }

  [[nodiscard]] std::vector<Malformed> wrongMembers() const {
    std::vector<Malformed> all;
    forEachOperation([&](const std::string& method, const std::string& path, const json::object& operation) {
      const json::value* body = bodyOf(operation);
      if (body == nullptr) return;
      for (const auto& [name, member] : body->at("properties").as_object()) {
        const json::value& schema = resolved(member);
        const auto add = [&](const json::value& value, const std::string& problem) {
          json::object given = leastOf(*body);
          given[name] = value;
          all.push_back({method, path, json::serialize(given), problem});
        };
        for (const json::value& value : wrongTypes(schema))
          add(value, std::string{name} + ": expected");
        for (const json::value& value : outOfRange(schema))
          add(value, wordOf(name));
      }
    });
    return all;
  }

  [[nodiscard]] std::vector<Malformed> wrongBodies() const {
    std::vector<Malformed> all;
    forEachOperation([&](const std::string& method, const std::string& path, const json::object& operation) {
      const json::value* body = bodyOf(operation);
      if (body == nullptr) return;
      for (const char* text : {"{", "{\"a\":1,}", "{}{}", "{\"a\":\"\xff\"}", "count=1"})
        all.push_back({method, path, text, "this is not JSON"});
      for (const char* text : {"[]", "null", "7", "\"text\""})
        all.push_back({method, path, text, "expected an object"});
      const json::object least = leastOf(*body);
      json::object unknown = least;
      unknown["nonsense"] = 1;
      // The further members of an import are not described.
      if (path != "/_fake/import") all.push_back({method, path, json::serialize(unknown), "nonsense"});
      for (const auto& [name, value] : least) {
        json::object without = least;
        without.erase(name);
        all.push_back({method, path, json::serialize(without), name});
      }
    });
    return all;
  }

  [[nodiscard]] std::vector<Malformed> wrongParameters() const {
    std::vector<Malformed> all;
    forEachOperation([&](const std::string& method, const std::string& path, const json::object& operation) {
      if (path.find('{') == std::string::npos) all.push_back({method, path + "?nonsense=1", {}, "nonsense"});
      const auto* parameters = operation.if_contains("parameters");
      if (parameters == nullptr) return;
      for (const json::value& parameter : parameters->as_array()) {
        const std::string name = test::text(parameter.at("name"));
        if (parameter.at("in") != "query" || !allows(parameter.at("schema"), "integer")) continue;
        for (const char* value : {"", "-1", "1.5", "x", "0x10", "99999999999999999999"})
          all.push_back({method, path + '?' + name + '=' + value, {}, name});
      }
    });
    return all;
  }

  /// What a refused request must not change.
  [[nodiscard]] std::string everything() {
    std::string all;
    for (const char* path :
         {"accounts", "export", "holds", "snapshots", "faults", "usage", "requests", "clock"})
      all += get(std::string{"/_fake/"} + path).body + '\n';
    return all;
  }

  void expectRefused(const std::vector<Malformed>& all) {
    const std::string before = everything();
    for (const Malformed& each : all) {
      const std::string request = each.method + ' ' + each.path + ' ' + each.body;
      const HttpResponse response = send(requestOf(each), each.method);
      EXPECT_EQ(response.status / 100, 4) << request << '\n' << response.body;
      if (response.status / 100 != 4) continue;
      EXPECT_THAT(test::messageOf(response), HasSubstr(each.problem)) << request;
    }
    EXPECT_EQ(everything(), before);
  }

  [[nodiscard]] HttpRequest requestOf(const Malformed& each) const {
    if (each.method == "POST") return test::post(key, each.path, each.body, "application/json");
    return test::get(key, each.path);
  }
};

TEST_F(MalformedControlRequests, AreRefusedIfAMemberIsInvalid) {
  const auto all = wrongMembers();
  EXPECT_GT(all.size(), 200U);
  expectRefused(all);
}

TEST_F(MalformedControlRequests, AreRefusedIfTheBodyIsInvalid) {
  const auto all = wrongBodies();
  EXPECT_GT(all.size(), 150U);
  expectRefused(all);
}

TEST_F(MalformedControlRequests, AreRefusedIfAParameterIsInvalid) {
  const auto all = wrongParameters();
  EXPECT_GT(all.size(), 60U);
  expectRefused(all);
}

}  // namespace

}  // namespace tally::fake::detail
