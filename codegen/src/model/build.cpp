#include "model/build.h"

#include "model/build_steps.h"
#include "model/schemas.h"

namespace tally::codegen::model {

namespace {

/// Code cannot have an empty list of these.
void checkNotEmpty(const Description& description, Problems& problems) {
  const Place root{"root.json", ""};
  if (description.resources.empty()) problems.add(root, "there are no resources", "add a file for each");
  if (description.errors.empty())
    problems.add(root, "no file has x-errors", "add the error responses of the service");
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
  if (problems.empty()) checkNotEmpty(description, problems);
  if (!problems.empty()) return std::nullopt;
  buildSources(documents, description);
  return description;
}

}  // namespace tally::codegen::model
