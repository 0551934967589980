#pragma once

#include "by_text.h"

namespace tally::fake::detail {

using tally::detail::ByText;
using tally::detail::TextHash;

}  // namespace tally::fake::detail
