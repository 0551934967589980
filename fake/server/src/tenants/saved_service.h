#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tally/fake/service.h>

#include "engine/engine.h"
#include "format/json_input.h"

namespace tally::fake::detail {

/// Converts services to JSON and back.
class SavedService {
 public:
  [[nodiscard]] static std::string write(const Service& service);

  /// Throws BadInput. Reads all of `input`.
  [[nodiscard]] static Service read(JsonInput& input);
};

/// Checks `format` and `version` of saved JSON. Throws BadInput.
void checkFormat(JsonInput& input, std::string_view format, std::int64_t version);

}  // namespace tally::fake::detail
