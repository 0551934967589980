#include <tally/transport.h>

#include "ascii.h"

namespace tally {

std::string_view toString(Method method) noexcept {
  return method == Method::get ? "GET" : "POST";
}

const std::string* HttpResponse::header(std::string_view name) const noexcept {
  for (const Header& header : headers)
    if (detail::equalIgnoringCase(header.name, name)) return &header.value;
  return nullptr;
}

}  // namespace tally
