#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include <boost/algorithm/string/case_conv.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/control_fixture.h"

namespace tally::fake::detail {

namespace {

namespace json = boost::json;

using testing::HasSubstr;

std::string contentsOf(const char* path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// Replaces path parameters with `*`.
std::string starred(const std::string& text) {
  return std::regex_replace(text, std::regex{"\\{[a-z]+\\}"}, "*");
}

class ControlDescription : public ControlTest {
 protected:
  [[nodiscard]] const json::value& resolved(const json::value& schema) const {
    const auto* ref = schema.as_object().if_contains("$ref");
    // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): callers pass parts of `description`
    if (ref == nullptr) return schema;
    const std::string name = test::text(*ref);
    return description.at("components").at("schemas").at(name.substr(name.rfind('/') + 1));
  }

  /// The required members of a body, so that their absence causes no other error.
  [[nodiscard]] json::object leastOf(const json::value& body) const {
    json::object given;
    const auto* required = body.as_object().if_contains("required");
    if (required == nullptr) return given;
    for (const auto& name : required->as_array()) {
      const json::value& member = resolved(body.at("properties").at(name.as_string()));
      given[name.as_string()] = member.at("type") == "integer" ? json::value(1) : json::value("x");
    }
    return given;
  }

  json::value description = json::parse(contentsOf(TALLY_CONTROL_DESCRIPTION));
};

TEST_F(ControlDescription, HasEveryOperation) {
  std::vector<std::string> described;
  for (const auto& [path, methods] : description.at("paths").as_object())
    for (const auto& [method, operation] : methods.as_object())
      described.push_back(boost::algorithm::to_upper_copy(std::string{method}) + ' ' +
                          starred(std::string{path}));
  EXPECT_THAT(described, testing::UnorderedElementsAreArray(controlOperations()));
}

/// The server reads each described member of a body: it refuses a value of the wrong type.
TEST_F(ControlDescription, HasNoMemberThatIsNotRead) {
  std::size_t members = 0;
  for (const auto& [path, methods] : description.at("paths").as_object()) {
    const auto* operation = methods.as_object().if_contains("post");
    const auto* body = operation == nullptr ? nullptr : operation->as_object().if_contains("requestBody");
    if (body == nullptr) continue;
    const json::value& schema = resolved(body->at("content").at("application/json").at("schema"));
    for (const auto& [member, type] : schema.at("properties").as_object()) {
      json::object given = leastOf(schema);
      given[member] = json::array{};
      EXPECT_THAT(test::messageOf(post(std::string{path}, json::serialize(given))),
                  HasSubstr(std::string{member} + ": expected"))
          << path;
      ++members;
    }
  }
  EXPECT_GT(members, 30U);
}

TEST_F(ControlDescription, HasEveryParameterOfAQuery) {
  std::vector<std::string> described;
  for (const auto& [path, methods] : description.at("paths").as_object())
    for (const auto& [method, operation] : methods.as_object()) {
      const auto* parameters = operation.as_object().if_contains("parameters");
      if (parameters == nullptr) continue;
      for (const auto& parameter : parameters->as_array())
        if (parameter.at("in") == "query")
          described.push_back(boost::algorithm::to_upper_copy(std::string{method}) + ' ' + std::string{path} +
                              ' ' + test::text(parameter.at("name")));
    }
  EXPECT_THAT(described, testing::UnorderedElementsAreArray(controlParameters()));
}

/// The JSON of a logged request has exactly the described members.
TEST_F(ControlDescription, HasEveryMemberOfALoggedRequest) {
  const auto names = [](const json::object& members) {
    std::vector<std::string> all;
    for (const auto& [name, value] : members)
      all.emplace_back(name);
    return all;
  };
  (void)get(records);
  const auto log = told(get("/_fake/requests"));
  const auto& schema = description.at("components").at("schemas").at("request").at("properties");
  EXPECT_THAT(names(log.at("requests").at(0).as_object()),
              testing::UnorderedElementsAreArray(names(schema.as_object())));
}

/// The fault names and the longest duration match the service.
TEST_F(ControlDescription, HasTheFaultsAndTheRangesOfTheService) {
  const auto& fault = description.at("components").at("schemas").at("fault").at("properties").at("fault");
  for (const auto& name : fault.at("enum").as_array())
    EXPECT_EQ(post("/_fake/faults", R"({"fault":")" + test::text(name) + "\"}").status, 200) << name;
  const std::string text = contentsOf(TALLY_CONTROL_DESCRIPTION);
  const std::regex maximum{R"("maximum": (31\d+))"};
  const std::sregex_iterator found{text.begin(), text.end(), maximum};
  EXPECT_EQ(std::distance(found, {}), 11);
  for (auto each = found; each != std::sregex_iterator{}; ++each)
    EXPECT_EQ(std::stoll((*each)[1]), std::chrono::milliseconds{std::chrono::years{100}}.count());
}

TEST_F(ControlDescription, AndThePageHaveTheSameOperations) {
  const std::string page = starred(contentsOf(TALLY_FAKE_PAGE));
  for (const std::string& operation : controlOperations())
    EXPECT_THAT(page, HasSubstr('`' + operation + '`'));
}

}  // namespace

}  // namespace tally::fake::detail
