#pragma once

#include <string>

#include "../model/description.h"

namespace tally::codegen::emit {

/// The declaration of a method in its service's class.
[[nodiscard]] std::string declaration(const model::Resource& resource, const model::Operation& operation);

/// The head of the method's definition, up to and including the brace.
[[nodiscard]] std::string definitionHead(const model::Resource& resource, const model::Operation& operation);

/// The body of the method: one statement.
[[nodiscard]] std::string body(const model::Operation& operation);

/// The constructor of the service, in its class.
[[nodiscard]] std::string constructorOf(const model::Resource& resource);

/// The method of Services that returns the service.
[[nodiscard]] std::string accessorOf(const model::Resource& resource);

}  // namespace tally::codegen::emit
