#pragma once

#include <string>

#include "../model/description.h"

namespace tally::codegen::emit {

/// A service's method in its class.
[[nodiscard]] std::string declaration(const model::Resource& resource, const model::Operation& operation);

/// The head of the method's definition, up to and with the brace.
[[nodiscard]] std::string definitionHead(const model::Resource& resource, const model::Operation& operation);

/// What the method does: one statement.
[[nodiscard]] std::string body(const model::Resource& resource, const model::Operation& operation);

/// The service's constructor, in its class.
[[nodiscard]] std::string constructorOf(const model::Resource& resource);

/// The method that gives the service, in Services.
[[nodiscard]] std::string accessorOf(const model::Resource& resource);

}  // namespace tally::codegen::emit
