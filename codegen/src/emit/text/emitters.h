#pragma once

#include <string_view>
#include <vector>

#include "emit/text/render.h"
#include "model/description.h"

// The parts of emit(). Each appends the files that it generates.

namespace tally::codegen::emit {

/// The folder of the files that define services.
inline constexpr std::string_view servicesFolder = "sdk/generated/src/services/";

/// The folder of the files that define asynchronous services.
inline constexpr std::string_view asyncServicesFolder = "sdk/generated/src/async_services/";

/// The public headers: one per unit, the services, and the error codes.
void emitHeaders(const model::Description& description, Templates& templates, std::vector<File>& files);

/// <tally/limits.h>: the limits, for both the client and the fake.
void emitLimits(const model::Description& description, Templates& templates, std::vector<File>& files);

/// The methods of the client's services, one file per resource. They are separate from the tables, so that a
/// program that links a table does not link the client.
void emitServices(const model::Description& description, Templates& templates, std::vector<File>& files);

/// The asynchronous services: for each resource a header and the methods, and the header of all services.
void emitAsyncServices(const model::Description& description, Templates& templates, std::vector<File>& files);

/// The tables of structs and operations that client and fake share, one file per unit with structs.
void emitStructTables(const model::Description& description, Templates& templates, std::vector<File>& files);

/// The client's table of operations, the names of its headers, and the list of its sources.
void emitOperationTable(const model::Description& description, Templates& templates,
                        std::vector<File>& files);

/// The fake's tables: errors, conventions, and the rules of each resource.
void emitFakeTables(const model::Description& description, Templates& templates, std::vector<File>& files);

/// The pages of operations, errors and limits in docs/reference, with a diagram of each state machine.
void emitOperationReference(const model::Description& description, Templates& templates,
                            std::vector<File>& files);

/// docs/assumptions.md.
void emitDocs(const model::Description& description, Templates& templates, std::vector<File>& files);

}  // namespace tally::codegen::emit
