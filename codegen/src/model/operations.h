#pragma once

#include "model/schemas.h"

namespace tally::codegen::model {

/// Builds the operations of every file, with their parameters, and checks that each follows the convention of
/// its x-kind.
class Operations {
 public:
  Operations(const load::Documents& documents, Description& description, Schemas& schemas, Problems& problems)
      : documents_(documents), description_(description), schemas_(schemas), problems_(problems) {}

  void build();

 private:
  void addPath(const std::string& path, const load::Node& node);
  void add(const std::string& path, const load::Node& node, bool post);
  void name(Operation& operation, const load::Node& node, const Tag& self);
  void addParams(Operation& operation, const load::Node& node, const Tag& self);
  void addQuery(Struct& params, const load::Node& parameters, const Tag& self);
  void addParameter(Struct& params, const load::Node& parameter, const load::Node& resolved, const Tag& self);
  void addBody(Operation& operation, Struct& params, const load::Node& body, const Tag& self);
  void checkPath(const Operation& operation, const load::Node& node);
  void checkMethod(const Operation& operation, const load::Node& node);
  void checkResponse(const Operation& operation, const load::Node& node, const Tag& self);
  void checkPage(const Operation& operation, const load::Node& schema, const Tag& self);
  void checkConvention(const Operation& operation, const load::Node& node);
  void checkFilters(const Operation& operation, const Tag& self);
  [[nodiscard]] bool isModel(const load::Node& schema, const Tag& self) const;

  const load::Documents& documents_;
  Description& description_;
  Schemas& schemas_;
  Problems& problems_;
};

}  // namespace tally::codegen::model
