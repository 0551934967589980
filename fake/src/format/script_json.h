#pragma once

#include <tally/fake/fault_script.h>

#include "format/json_input.h"

namespace tally::fake::detail {

/// Reads all of `input`; see FaultScript::parse(). Throws BadInput.
[[nodiscard]] FaultScript readScript(JsonInput& input);

}  // namespace tally::fake::detail
