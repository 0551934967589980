#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "json/json_reader.h"
#include "json/json_writer.h"
#include "schema/any_object.h"
#include "schema/operation.h"

// The object before a report, as an intent records it.

namespace tally::detail {

/// Empty if it is not known.
[[nodiscard]] inline std::string textOfBefore(const std::shared_ptr<const AnyObject>& object) {
  std::string json;
  if (object) writeJson(json, object->ref());
  return json;
}

/// Null if there is none that can be read. The report is then resolved with what else is known.
[[nodiscard]] inline std::shared_ptr<const AnyObject> objectBefore(std::string_view text,
                                                                   const Resource& resource) {
  if (text.empty()) return nullptr;
  auto object = std::make_shared<AnyObject>(*resource.model);
  return readJson(text, object->ref()) ? nullptr : object;
}

}  // namespace tally::detail
