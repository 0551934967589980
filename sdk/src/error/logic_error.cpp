#include <stdexcept>

#include <tally/detail/logic_error.h>

namespace tally::detail {

void throwLogicError(const char* what) {
  throw std::logic_error{what};
}

}  // namespace tally::detail
