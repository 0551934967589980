#pragma once

#include <set>
#include <string>

#include "../load/references.h"
#include "description.h"

namespace tally::codegen::model {

/// The type that a schema names, `null` aside; "" where it names none.
[[nodiscard]] std::string typeName(const load::Node& schema);

/// Whether `null` is among the types that a schema names.
[[nodiscard]] bool mayBeNull(const load::Node& schema);

/// Whether a schema needs no C++ type of its own.
[[nodiscard]] bool isPlainType(const load::Node& schema);

/// What a schema says of a field beside its type: its range, its description and so on.
[[nodiscard]] Field factsOf(const load::Node& schema, Problems& problems);

/// Where what is at `node` comes from.
[[nodiscard]] Provenance provenanceOf(const load::Documents& documents, const load::Node& node);

/// The elements of a list of texts.
[[nodiscard]] std::set<std::string> textsOf(const load::Node& list);

/// `PaymentMethodDetails` -> `payment_method_details`.
[[nodiscard]] std::string snakeCase(const std::string& pascalCase);

}  // namespace tally::codegen::model
