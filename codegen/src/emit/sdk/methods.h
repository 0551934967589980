#pragma once

#include <cstdint>
#include <string>

#include "model/description.h"

namespace tally::codegen::emit {

/// The two forms of each service: its methods block, or are asynchronous.
enum class Form : std::uint8_t { blocking, async };

/// The class of the service.
[[nodiscard]] std::string serviceClass(const model::Resource& resource, Form form);

/// The declaration of a method in its service's class.
[[nodiscard]] std::string declaration(const model::Resource& resource, const model::Operation& operation,
                                      Form form);

/// The head of the method's definition, up to and including the brace.
[[nodiscard]] std::string definitionHead(const model::Resource& resource, const model::Operation& operation,
                                         Form form);

/// The body of the method: one statement.
[[nodiscard]] std::string body(const model::Operation& operation, Form form);

/// The constructor of the service, in its class.
[[nodiscard]] std::string constructorOf(const model::Resource& resource, Form form);

/// The method of Services or AsyncServices that returns the service.
[[nodiscard]] std::string accessorOf(const model::Resource& resource, Form form);

}  // namespace tally::codegen::emit
