#include "model/build.h"

#include "model/build_steps.h"
#include "model/schemas.h"

namespace tally::codegen::model {

std::optional<Description> build(const load::Documents& documents, Problems& problems) {
  Description description;
  description.version = load::Node{documents.at("root.json")}["info"].text("version");
  Schemas schemas{documents, description, problems};
  schemas.build();
  buildErrors(documents, description, problems);
  buildConventions(documents, description, problems);
  buildOperations(documents, schemas, description, problems);
  schemas.markBorrowable();
  buildResources(documents, schemas, description, problems);
  buildLimits(documents, description, problems);
  checkNames(description, problems);
  checkIncludes(description, problems);
  if (!problems.empty()) return std::nullopt;
  buildSources(documents, description);
  return description;
}

}  // namespace tally::codegen::model
