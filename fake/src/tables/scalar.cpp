#include "tables/scalar.h"

#include <chrono>
#include <string>

#include "schema/visit.h"

namespace tally::fake::detail {

namespace {

struct ScalarReader {
  Scalar operator()(const std::string& value) const { return std::string_view{value}; }
  Scalar operator()(std::int64_t value) const { return value; }
  Scalar operator()(bool value) const { return value; }
  Scalar operator()(std::chrono::sys_seconds value) const {
    return std::int64_t{value.time_since_epoch().count()};
  }
  template <class Value>
  Scalar operator()(const Value&) const {
    return {};
  }
};

}  // namespace

Scalar scalarOf(tally::detail::ConstValueRef value) {
  return value ? visit(value, ScalarReader{}) : Scalar{};
}

}  // namespace tally::fake::detail
