#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "temporary_folder.h"

namespace tally::test {

/// nginx over loopback. Ends with this object, or with the thread that created it.
class Nginx {
 public:
  /// Accepts connections when it returns. `configuration` is the content of the block `http`, with `@PORT@`
  /// in place of the port. Paths in it are relative to `folder`, which has the served files. Throws
  /// std::system_error on failure.
  Nginx(const TemporaryFolder& folder, std::string_view configuration);
  Nginx(const Nginx&) = delete;
  Nginx& operator=(const Nginx&) = delete;
  ~Nginx();

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

 private:
  std::uint16_t port_ = 0;
  pid_t process_ = -1;
};

/// `text` with the first `name` replaced.
[[nodiscard]] std::string replaced(std::string text, std::string_view name, std::string_view value);

}  // namespace tally::test
