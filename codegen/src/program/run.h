#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace tally::codegen {

/// The program without main(): load, model, emit, and then write or compare. Returns the exit status. Writes
/// errors to `errors`, one line each.
int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& errors);

}  // namespace tally::codegen
