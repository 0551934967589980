#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace tally::codegen {

/// What main() does: load, model, emit, and then write or compare. Returns the exit status; what is wrong
/// goes to `errors`, a line each.
int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& errors);

}  // namespace tally::codegen
