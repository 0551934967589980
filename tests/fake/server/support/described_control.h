#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "fake/server/support/control_fixture.h"
#include "files/file_input.h"

namespace tally::test {

/// Whether a schema without alternatives has this type, or has it among several.
inline bool allows(const boost::json::value& schema, std::string_view type) {
  const auto* types = schema.as_object().if_contains("type");
  if (types == nullptr) return type == "string";  // a constant
  if (types->is_string()) return types->as_string() == type;
  const boost::json::array& all = types->as_array();
  return std::find(all.begin(), all.end(), boost::json::value(type)) != all.end();
}

}  // namespace tally::test

namespace tally::fake::detail {

/// The control API beside its description.
class DescribedControlTest : public ControlTest {
 protected:
  [[nodiscard]] const boost::json::value& resolved(const boost::json::value& schema) const {
    const auto* ref = schema.as_object().if_contains("$ref");
    // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): callers pass parts of `description`
    if (ref == nullptr) return schema;
    const std::string name = test::text(*ref);
    return description.at("components").at("schemas").at(name.substr(name.rfind('/') + 1));
  }

  /// The required members of a body, so that their absence causes no other error.
  [[nodiscard]] boost::json::object leastOf(const boost::json::value& body) const {
    boost::json::object given;
    const auto* required = body.as_object().if_contains("required");
    if (required == nullptr) return given;
    for (const auto& name : required->as_array()) {
      const boost::json::value& member = resolved(body.at("properties").at(name.as_string()));
      const auto* only = member.as_object().if_contains("const");
      given[name.as_string()] = only != nullptr                   ? *only
                                : test::allows(member, "integer") ? boost::json::value(1)
                                                                  : boost::json::value("x");
    }
    return given;
  }

  boost::json::value description = boost::json::parse(contentsOf(TALLY_CONTROL_DESCRIPTION));
};

}  // namespace tally::fake::detail
