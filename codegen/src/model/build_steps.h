#pragma once

#include "load/references.h"
#include "model/description.h"
#include "model/schemas.h"

// The steps of build(), in their order. Schemas has a header of its own.

namespace tally::codegen::model {

/// Builds the error responses of every file.
void buildErrors(const load::Documents& documents, Description& description, Problems& problems);

/// Builds the headers and the conventions that root.json describes.
void buildConventions(const load::Documents& documents, Description& description, Problems& problems);

/// Builds the operations of every file, with their parameters, and checks that each follows the convention of
/// its x-kind.
void buildOperations(const load::Documents& documents, Schemas& schemas, Description& description,
                     Problems& problems);

/// Builds the state machine of a resource from its x-states. Its model and its operations must be complete.
void buildStateMachine(const load::Documents& documents, Resource& resource, const load::Node& states,
                       const Description& description, Problems& problems);

/// Builds the resources of every file from their schemas and operations.
void buildResources(const load::Documents& documents, const Schemas& schemas, Description& description,
                    Problems& problems);

/// Builds the limits of every file, and the read allocation. Operations and schemas must be complete.
void buildLimits(const load::Documents& documents, Description& description, Problems& problems);

/// Finds names that C++ does not allow, reserved names, and name clashes.
void checkNames(const Description& description, Problems& problems);

/// Finds headers that would include each other.
void checkIncludes(const Description& description, Problems& problems);

/// Lists the assumptions and the sections of the specification, each with what is based on it.
void buildSources(const load::Documents& documents, Description& description);

}  // namespace tally::codegen::model
