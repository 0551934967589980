#include "model/build.h"

#include "model/build_steps.h"
#include "model/schemas.h"

namespace tally::codegen::model {

namespace {

/// Code cannot list the operations of a resource that has none.
void checkOperations(const Description& description, Problems& problems) {
  for (const Resource& resource : description.resources)
    if (resource.operations.empty())
      problems.add(resource.place, "a resource without operations",
                   "add a path, or make the schema x-opaque");
}

}  // namespace

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
  if (problems.empty()) checkOperations(description, problems);
  if (!problems.empty()) return std::nullopt;
  buildSources(documents, description);
  return description;
}

}  // namespace tally::codegen::model
