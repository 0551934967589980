#pragma once

#include <string>

#include "model/description.h"

namespace tally::codegen::emit {

/// The method of the client, such as `Result<Payout> retrieve(const Id<Payout>& id, const RequestOptions&
/// options = {})`.
[[nodiscard]] std::string signatureOf(const model::Resource& resource, const model::Operation& operation);

/// A call with the required parameters: a line of C++.
[[nodiscard]] std::string exampleCall(const model::Resource& resource, const model::Operation& operation);

/// The request of that call: its method and path, and its body if it has one.
[[nodiscard]] std::string exampleRequest(const model::Resource& resource, const model::Operation& operation);

}  // namespace tally::codegen::emit
