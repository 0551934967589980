#pragma once

#include <set>
#include <string>

#include "load/references.h"
#include "model/description.h"

namespace tally::codegen::model {

/// The type of a schema, except `null`; "" if it has none.
[[nodiscard]] std::string typeName(const load::Node& schema);

/// Whether `null` is among the types of a schema.
[[nodiscard]] bool mayBeNull(const load::Node& schema);

/// Whether a schema needs no C++ type of its own.
[[nodiscard]] bool isPlainType(const load::Node& schema);

/// What a schema says about a field besides its type: its range, its description and so on.
[[nodiscard]] Field factsOf(const load::Node& schema, Problems& problems);

/// The source of `node`.
[[nodiscard]] Provenance provenanceOf(const load::Documents& documents, const load::Node& node);

/// The elements of a list of strings.
[[nodiscard]] std::set<std::string> textsOf(const load::Node& list);

/// `PaymentMethodDetails` -> `payment_method_details`.
[[nodiscard]] std::string snakeCase(const std::string& pascalCase);

}  // namespace tally::codegen::model
